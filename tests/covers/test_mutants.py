"""Conditions of the cover checker matter: with one dropped, turned around or cut, some test of this folder fails, or a reason is given.

Slow: `pytest -m slow`;
`python -m tests.covers.test_mutants check` prints what survives in one file.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.covers.survivors import SURVIVORS
from tests.kernel import test_mutants as kernel
from tests.mutants import Trial, conditions, everything, main

ROOT = Path(__file__).parents[2]
BESIDE = {"intervals": ("ends", "intervals"), "evaluate": ("evaluate",), "algebra": ("algebra",)}
"""Files in which an error is bounded, and what else they are held against."""
FILES = ("check", "leaves", "document", *BESIDE)
"""Files of whose changed conditions all that survive are argued one by one."""
TERMS = tuple(f"{file}+terms" for file in BESIDE)
"""Conditions and terms of these files, for the command; not all that survive are argued."""
TESTS = ("documents", "malformed", "leaves", "parts")
NOT_RUN = (
    "test_hostile_documents_are_refused_in_one_line",
    "test_what_is_accepted_is_true_at_exact_points",
    "test_it_runs_in_a_bare_interpreter",
)
"""Tests that take long, or that speak of other things."""
TRIALS = {
    name: Trial(
        f"dpbounds.covers.{file}",
        tuple(f"tests.covers.test_{tests}" for tests in (*TESTS, *BESIDE.get(file, ()))),
        NOT_RUN,
        everything if name in TERMS else conditions,
        20,
    )
    for name in (*FILES, *TERMS)
    for file in [name.removesuffix("+terms")]
}


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_every_survivor_has_a_reason(file: str) -> None:
    assert not TRIALS[file].unexplained(SURVIVORS[file])


@pytest.mark.parametrize("file", SURVIVORS)
def test_what_has_a_reason_is_still_there(file: str) -> None:
    assert not TRIALS[file].gone(SURVIVORS[file])


def test_the_page_has_the_figures() -> None:
    """docs/trust.md counts the changes of both checkers, and those that are argued."""
    page = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
    for trials, files, argued in ((kernel.TRIALS, kernel.FILES, kernel.SURVIVORS), (TRIALS, FILES, SURVIVORS)):
        changes, reasons = (sum(len(rows) for rows in found) for found in ([trials[f].mutants for f in files], [argued[f] for f in files]))
        said = (
            rf"{changes:,} changes of the \w+\schecker\s(the tests|they) notice {changes - reasons:,}, and the other {reasons:,} are argued"
        )
        assert re.search(said.replace(" ", r"\s"), page), said


def test_a_condition_of_a_rule_that_is_dropped_is_noticed() -> None:
    trial = TRIALS["leaves"]
    label = "Rules._by_cases: never: if not self.positive(replaced(g, kink, value), strict, insid"
    assert trial.killer(trial.mutants[label](), ["tests.covers.test_documents.test_a_rule_accepts_and_refuses_each_edit 7"]) is not None


if __name__ == "__main__":
    main(TRIALS)
