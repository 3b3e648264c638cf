"""The table of the sources and the page of new results: every name exists, no claim and no row is left out, gaps have reasons."""

import re

import pytest

from dpbounds.reference import reproduction

NAME = re.compile(r"(reproduce )?`((?:" + "|".join(reproduction.SOURCES) + r")\.[\w.-]+)`")
PATH = re.compile(r"`((?:dpbounds|notebooks|tests|proofs|benchmarks)/[\w./-]+)`")


@pytest.fixture(scope="module")
def lines(root):
    page = (root / "docs/sources.md").read_text(encoding="utf-8")
    found = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in page.splitlines() if line.startswith("|")]
    rows = [cells for cells in found if cells[0] != "place" and not set(cells[0]) <= {"-"}]
    assert len(rows) > 50 and all(len(cells) == 5 for cells in rows)
    return rows


def names(lines, of_rows):
    return {name for cells in lines for row, name in NAME.findall(cells[2]) if bool(row) == of_rows}


def covers(name, identifier):
    """A name stands for the identifiers that begin with it, at a break between words."""
    return identifier == name or (identifier.startswith(name) and identifier[len(name)] in ".-~")


def claims_of(catalogue):
    return set(re.findall(r"^### `([\w.~-]+)` ", catalogue, re.M))


OPEN_ENDS = (
    "koskela2020.directions.composed", "koskela2020.every-number", "koskela2020.one-peak", "koskela2020.two-steps",
    "yu2019.appendix-g.boundary", "yu2019.decaying-noise", "yu2019.two-batches", "chen2019.claim-26.constant-real-orders",
    "chen2019.claim-26.part-1.line", "chen2019.conjecture-1.gaussian-fails", "chen2019.conjecture-1.gaussian-holds",
)  # fmt: skip
"""What the sources of the table leave open."""


def is_new(identifier):
    """Claims on open questions: those about other papers than the sources of the table, and those on what these leave open."""
    return identifier.split(".")[0] not in reproduction.SOURCES or identifier.startswith(OPEN_ENDS)


def test_the_page_of_new_results_names_every_such_claim(root):
    known = claims_of((root / "docs/catalogue.md").read_text(encoding="utf-8"))
    identifiers = {name for name in known if is_new(name)}
    page = (root / "docs/results.md").read_text(encoding="utf-8")
    used = set(re.findall(r"`([a-z]+20\d\d\.[\w.~-]+)`", page))
    assert len(identifiers) > 60
    assert {name for name in used if not any(covers(name, identifier) for identifier in known)} == set()
    assert {identifier for identifier in identifiers if not any(covers(name, identifier) for name in used)} == set()


@pytest.mark.parametrize("of_rows", [False, True], ids=["claims", "reproduction"])
def test_names_exist_and_nothing_is_left_out(root, lines, of_rows):
    if of_rows:
        identifiers = {row.id for row in reproduction.rows()}
    else:
        catalogue = (root / "docs/catalogue.md").read_text(encoding="utf-8")
        identifiers = {name for name in claims_of(catalogue) if not is_new(name)}
        assert len(identifiers) > 200
    used = names(lines, of_rows)
    assert {name for name in used if not any(covers(name, identifier) for identifier in identifiers)} == set()
    assert {identifier for identifier in identifiers if not any(covers(name, identifier) for name in used)} == set()


def test_every_place_leads_somewhere(root, lines):
    for place, what, where, _, _ in lines:
        assert place and what and (NAME.search(where) or PATH.search(where)), place
        assert all((root / path).exists() for path in PATH.findall(where)), where


def test_what_is_partial_has_a_reason_and_what_is_whole_needs_none(lines):
    for place, _, _, state, reason in lines:
        assert state in ("whole", "partial", "left out"), place
        assert bool(reason) == (state != "whole"), place
