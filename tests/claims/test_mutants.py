"""Every condition that decides which document proves which claim matters: with one dropped, turned around or cut, some test fails.

The tests are the quick ones of `test_documents`, hostile pairs of a claim and a document among them. Slow: `pytest -m slow`;
`python -m tests.claims.test_mutants` lists what survives.
"""

from __future__ import annotations

import pytest

from tests.claims.survivors import SURVIVORS
from tests.mutants import Trial, main

NOT_RUN = (
    "test_evidence_says_whether_the_kernel_checked",
    "test_both_kinds_of_derivation_stay_apart_in_a_set_of_evidence",
    "test_every_document_belongs_to_a_derivation_and_the_page_has_the_number",
    "test_what_is_only_cited_needs_no_document",
    "test_a_derivation_has_a_limit_of_processor_time",
    "test_no_two_claims_share_a_name_of_a_document",
)
"""Tests of what stands beside: evidence, how documents are written, how many there are."""
TYPED = "tests.claims.test_typed_statements"
TRIALS = {
    "documents": Trial(
        "dpbounds.claims.evidence.documents", ("tests.claims.test_documents", "tests.claims.test_quantiles", TYPED), NOT_RUN, patience=60
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TRIALS)
def test_every_survivor_has_a_reason(name: str) -> None:
    assert not TRIALS[name].unexplained(SURVIVORS[name])


@pytest.mark.parametrize("name", TRIALS)
def test_what_has_a_reason_is_still_there(name: str) -> None:
    assert not TRIALS[name].gone(SURVIVORS[name])


def test_a_formula_under_more_than_is_given_is_noticed() -> None:
    trial = TRIALS["documents"]
    (changed,) = (changed for what, changed in trial.mutants.items() if what.startswith("_follows: without part 2"))
    where = "tests.claims.test_typed_statements.test_a_formula_counts_only_under_what_is_given 0"
    assert trial.killer(changed(), [where]) == where


if __name__ == "__main__":
    main(TRIALS)
