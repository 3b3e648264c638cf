"""Every condition of the checker matters: with one dropped, turned around or cut, some test of this folder fails.

Slow: `pytest -m slow`; `python -m tests.kernel.test_mutants ring` prints what survives in one file.
"""

from __future__ import annotations

import pytest

from tests.kernel.survivors import SURVIVORS
from tests.mutants import Trial, conditions, main

FILES = (
    "terms",
    "notation",
    "polynomials",
    "ring",
    "definedness",
    "sequents",
    "rules_logic",
    "rules_order",
    "rules_sums",
    "rules_calculus",
    "checker",
)
TESTS = ("rules", "ring", "documents", "malformed", "definedness", "notation", "limits")
NOT_RUN = (
    "test_hostile_documents_are_refused_in_a_line",
    "test_the_command_line_in_a_bare_interpreter",
    "test_documents_of_the_tree_are_accepted_by_a_bare_interpreter",
    "test_the_page_lists_every_rule_with_its_statement",
)
"""Tests that take long, or that speak of other things."""
TRIALS = {
    file: Trial(f"dpbounds.kernel.{file}", tuple(f"tests.kernel.test_{name}" for name in TESTS), NOT_RUN, conditions, 60) for file in FILES
}


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES)
def test_every_survivor_has_a_reason(file: str) -> None:
    assert not TRIALS[file].unexplained(SURVIVORS[file])


@pytest.mark.parametrize("file", FILES)
def test_what_has_a_reason_is_still_there(file: str) -> None:
    assert not TRIALS[file].gone(SURVIVORS[file])


def test_a_condition_of_a_rule_that_is_dropped_is_noticed() -> None:
    trial = TRIALS["rules_logic"]
    (changed,) = (changed for what, changed in trial.mutants.items() if what.startswith("detach: dropped: need(a == h"))
    assert trial.killer(changed()) is not None


if __name__ == "__main__":
    main(TRIALS)
