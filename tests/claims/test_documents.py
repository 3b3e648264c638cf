"""Documents behind claims: what the proof checker accepts is found, matched with the claim, and named in the evidence."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import sympy

from dpbounds.claims import documents
from dpbounds.claims.claim import Claim
from dpbounds.claims.collect import catalogue_folder, collect
from dpbounds.claims.documents import accepted, document_of, folder, name_of
from dpbounds.claims.plans import Proof
from dpbounds.claims.replay import replay
from dpbounds.claims.settled import claim_called
from dpbounds.claims.settling import settle
from dpbounds.claims.support import Evidence, union
from dpbounds.claims.write_documents import claims_with_documents
from dpbounds.errors import CertificateError
from dpbounds.kernel.terms import Refused
from dpbounds.prover import rules
from dpbounds.prover.derivation import derive
from dpbounds.theory import recipes
from tests.kernel.test_documents import YOUNG

ROOT = Path(__file__).parents[2]
x, y, z = sympy.symbols("x y z", real=True)
ROWS: list[dict[str, Any]] = [{**YOUNG[0], "name": "square"}, *YOUNG[1:]]
SQUARE = Proof("square")


def store(where: Path, rows: list[dict[str, Any]], name: str = "square") -> Path:
    """Write a document into a folder."""
    (where / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return where


def claim(then: Any, *given: Any, **more: Any) -> Claim:
    """A claim of these tests."""
    return Claim(id="test", text="", then=then, given=given, **more)


HOLDS = 2 * x <= x**2 / y + y


@pytest.mark.parametrize(
    ("then", "given", "found"),
    [
        (HOLDS, [y > 0], True),
        (HOLDS, [y > 1], True),
        (HOLDS, [y >= 1, x < 3], True),
        (HOLDS, [sympy.And(y > 2, x < 3)], True),
        (x**2 / y >= 2 * x - y, [y > 0], True),
        (HOLDS, [], False),
        (HOLDS, [y >= 0], False),
        (HOLDS, [y < 0], False),
        (HOLDS, [x > 0], False),
        (2 * x < x**2 / y + y, [y > 0], False),
        (2 * x <= x**2 / y, [y > 0], False),
        (3 * x <= x**2 / y + y, [y > 0], False),
        (2 * y <= y**2 / x + x, [x > 0], False),  # the same with other names: a document speaks of its own
        (sympy.Le(2 * x + 1 / z, x**2 / y + y + 1 / z, evaluate=False), [y > 0], False),  # 1/z is not defined at 0
        (sympy.Le(2 * x + 1 / z, x**2 / y + y + 1 / z, evaluate=False), [y > 0, z > 0], True),
    ],
)
def test_a_claim_must_follow_from_the_document(then: Any, given: list[Any], found: bool, tmp_path: Path) -> None:
    where = store(tmp_path, ROWS)
    assert (document_of(claim(then, *given, by=SQUARE), where) is not None) is found


def test_a_document_that_is_refused_or_missing_or_called_otherwise_counts_for_nothing(tmp_path: Path) -> None:
    wanted = claim(HOLDS, y > 0, by=SQUARE)
    assert document_of(wanted, tmp_path) is None
    found = document_of(wanted, store(tmp_path, ROWS))
    assert found is not None and found.name == "square"
    for rows in ([*ROWS[:-1], {"end": 2}], [ROWS[0] | {"name": "other"}, *ROWS[1:]], [ROWS[0] | {"given": []}, *ROWS[1:]]):
        shutil.rmtree(tmp_path)
        tmp_path.mkdir()
        assert document_of(wanted, store(tmp_path, rows)) is None
    cited = [ROWS[0], {"rule": "cite", "with": {"formula": "2*x <= x**2/y + y", "source": "a book"}}, ROWS[1], ROWS[4] | {"by": [1]}]
    assert accepted("square", store(tmp_path, [*cited, {"end": 0, "defined": [2]}])).citations == {"a book"}
    assert document_of(wanted, tmp_path) is None
    with pytest.raises(Refused):
        accepted("../square", tmp_path)


def test_documents_rest_on_others_and_not_on_themselves(tmp_path: Path) -> None:
    using = [ROWS[0] | {"name": "using"}, {"rule": "lemma", "with": {"name": "square"}}, ROWS[1], ROWS[4] | {"by": [1]}]
    using.append({"end": 0, "defined": [2]})
    with pytest.raises(Refused, match="no document square"):
        accepted("using", store(tmp_path, using, "using"))
    assert accepted("using", store(tmp_path, ROWS)).steps == 3
    circle = [ROWS[0], {"rule": "lemma", "with": {"name": "using"}}, *using[2:]]
    with pytest.raises(Refused, match="circle"):
        accepted("using", store(tmp_path, circle))


def derived(proof: Any) -> Any:
    """2x ≤ x²/y + y for y > 0."""
    scaled = rules.scale(rules.nonnegative((x - y) ** 2), 1 / y, given=[y > 0])
    return proof("a square", rules.restate(HOLDS, scaled, given=[y > 0]))


def test_evidence_says_whether_the_kernel_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "folder", lambda: tmp_path)
    wanted = claim(HOLDS, y > 0, by=Proof(lambda: derive("square", "", derived)))
    without = settle(wanted)
    assert without.evidence == (Evidence("derivation", kernel=False),)
    assert str(without.evidence[0]) == "derivation, not checked by the kernel"
    assert without.certificate is not None
    assert replay(without.certificate, wanted).checked_by == "steps run again, not checked by the kernel"
    store(tmp_path, [ROWS[0] | {"name": "test"}, *ROWS[1:]], "test")
    outcome = settle(wanted)
    assert outcome.evidence == (Evidence("derivation", kernel=True),)
    assert str(outcome.evidence[0]) == "derivation checked by the kernel"
    assert outcome.evidence[0].to_json()["kernel"] is True
    assert outcome.certificate is not None
    assert outcome.certificate["evidence"]["steps"] == [] and outcome.detail == "test: 4 steps"
    assert replay(outcome.certificate, wanted).checked_by == "the kernel, document test"
    (tmp_path / "test.jsonl").unlink()
    with pytest.raises(CertificateError):  # the certificate names a document that is gone
        replay(outcome.certificate, wanted)


def test_both_kinds_of_derivation_stay_apart_in_a_set_of_evidence() -> None:
    both = union([Evidence("derivation", kernel=False), Evidence("derivation", ("A",), kernel=True), Evidence("derivation", kernel=False)])
    assert [str(entry) for entry in both] == ["derivation checked by the kernel citing [A]", "derivation, not checked by the kernel"]


def test_a_claim_of_the_catalogue_is_checked_by_the_kernel() -> None:
    found = settle(claim_called("chen2019.claim-25"))
    assert found.evidence == (Evidence("derivation", kernel=True),)


def test_every_document_belongs_to_a_derivation_and_the_page_has_the_number() -> None:
    names, stored = {entry.name for entry in recipes()}, {file.stem for file in folder().glob("*.jsonl")}
    assert stored <= names | set(claims_with_documents())
    text = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
    assert f"{len(stored & names)} of the {len(names)} derivations of the catalogue" in text
    assert f"{len(stored - names)} derivations of claim files" in text


def test_no_two_claims_share_a_name_of_a_document() -> None:
    own = [
        name_of(entry.claim) for entry in collect([catalogue_folder()]) if isinstance(entry.claim.by, Proof) and entry.claim.by.name is None
    ]
    assert len(own) == len(set(own)) == len(claims_with_documents())
    assert not set(own) & {entry.name for entry in recipes()}
