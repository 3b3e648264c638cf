"""The catalogue of statements: every verdict, and that each entry says where its numbers are printed."""

import tomllib
from pathlib import Path

import pytest

from dpbounds.verify import judge
from dpbounds.verify.judge import judgement_of
from dpbounds.verify.reading import read_statements
from dpbounds.verify.verdict import StatementVerdict

FOLDER = Path(__file__).parents[2] / "statements"
NAMES = [entry["name"] for file in sorted(FOLDER.rglob("*.toml")) for entry in tomllib.loads(file.read_text(encoding="utf-8"))["statement"]]
OTHERS = {
    "bu2020-figure-4-top-clt": StatementVerdict.REFUTED,
    "tf-privacy-statement-pld-none": StatementVerdict.REFUTED,
    "dp-accounting-power-gaussian-1e-10": StatementVerdict.REFUTED,
    "bu2020-figure-4-bottom-clt": StatementVerdict.REFUTED,
    "tf-privacy-readme-1.12": StatementVerdict.DEPENDS,
    "tf-privacy-tutorial-60": StatementVerdict.DEPENDS,
    "gboard-spanish": StatementVerdict.UNDECIDED,
    "census2020-redistricting-persons": StatementVerdict.UNDECIDED,
    "facebook-urls-total-mu": StatementVerdict.DEPENDS,
    "gboard-spain-matrix": StatementVerdict.REFUTED,
    "gboard-spain-matrix-rho": StatementVerdict.REFUTED,
    "google-vaccination": StatementVerdict.NOT_EXPRESSIBLE,
}


@pytest.fixture(scope="module")
def statements():
    return {statement.name: statement for statement in read_statements([FOLDER])}


@pytest.mark.parametrize("name", NAMES)
def test_verdict(statements, name, monkeypatch):
    """Without the ε that would hold, which is for readers and decides nothing."""
    monkeypatch.setattr(judge, "_with_needed", lambda reading, *others: reading)
    assert judgement_of(statements[name]).verdict is OTHERS.get(name, StatementVerdict.HOLDS)


def test_every_statement_has_its_place(statements):
    assert list(statements) == NAMES and len(NAMES) >= 87 and set(OTHERS) <= set(NAMES)
    assert all(len(statement.source) >= 30 and statement.link.startswith("https://") for statement in statements.values())
    assert {statement.read for statement in statements.values()} == {"twice", "looked up", "as quoted", "once"}


def test_the_page_has_every_statement_and_its_verdict(statements):
    page = (Path(__file__).parents[2] / "docs" / "statements.md").read_text(encoding="utf-8")
    rows = {line.split("](")[0].removeprefix("| ["): line.split(" | ") for line in page.splitlines() if line.startswith("| [")}
    assert set(rows) == set(NAMES)
    for statement in statements.values():
        _, claim, verdict, _ = rows[statement.name]
        assert (claim, verdict) == (statement.promise.text(), OTHERS.get(statement.name, StatementVerdict.HOLDS).value)
