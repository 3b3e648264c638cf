"""Every condition of what decides matters: with one dropped, turned around or cut, a test fails, or `survivors.py` argues why not.

Slow: `pytest -m slow tests/test_mutants.py`. `python -m tests.test_mutants kernel.ring` lists what survives in one file.
Terms count too in the files of `claims`, and in those of `covers` that are called `…+terms`, of which not all that survive
are argued.
"""

import re
from pathlib import Path

import pytest

from tests.claims.survivors import SURVIVORS as OF_CLAIMS
from tests.covers.survivors import SURVIVORS as OF_COVERS
from tests.kernel.survivors import SURVIVORS as OF_KERNEL
from tests.mutants import Trial, conditions, main

ROOT = Path(__file__).parents[1]
KERNEL = [
    *("terms", "notation", "polynomials", "ring", "definedness", "sequents"),
    *("rules_logic", "rules_order", "rules_sums", "rules_calculus", "checker"),
]
TESTS_OF_KERNEL = ["rules", "ring", "documents", "malformed", "definedness", "notation", "limits"]
TESTS_OF_DOCUMENTS = ["documents", "quantiles", "typed_statements"]
TESTS_OF_READING = {
    "language.typed.checker_terms": [*TESTS_OF_DOCUMENTS, "finite_divergences"],
    "language.typed.infinite_values": ["documents", "typed_statements"],
    "claims.statement.infinite_divergences": ["finite_divergences"],
}
TESTS_OF_COVERS = ["documents", "malformed", "leaves", "parts"]
BESIDE = {"intervals": ["ends", "intervals"], "evaluate": ["evaluate"], "algebra": ["algebra"]}
"""Files of covers in which an error is bounded, and what else they are held against."""
COVERS = ["check", "leaves", "document", *BESIDE]
NOT_RUN = {
    "kernel": ("test_hostile_documents_are_refused_in_a_line", "test_the_command_line_in_a_bare_interpreter",
               "test_documents_of_the_tree_are_accepted_by_a_bare_interpreter", "test_the_page_lists_every_rule_with_its_statement"),
    "covers": ("test_hostile_documents_are_refused_in_one_line", "test_what_is_accepted_is_true_at_exact_points",
               "test_it_runs_in_a_bare_interpreter"),
    "claims": ("test_evidence_says_whether_the_kernel_checked", "test_both_kinds_of_derivation_stay_apart_in_a_set_of_evidence",
               "test_every_document_belongs_to_a_derivation_and_the_page_has_the_number", "test_what_is_only_cited_needs_no_document",
               "test_a_derivation_has_a_limit_of_processor_time", "test_no_two_claims_share_a_name_of_a_document"),
}  # fmt: skip
"""Tests that take long, or that speak of other things."""


def modules_of(folder: str, names: list[str]) -> tuple[str, ...]:
    """The modules of tests of a folder."""
    return tuple(f"tests.{folder}.test_{name}" for name in names)


def trial_of_covers(file: str, **changes: object) -> Trial:
    """A file of the checker of covers, with what it is held against."""
    tests = modules_of("covers", TESTS_OF_COVERS + BESIDE.get(file, []))
    return Trial(f"dpbounds.covers.{file}", tests, NOT_RUN["covers"], patience=20, **changes)


TRIALS = {
    **{
        f"kernel.{f}": Trial(f"dpbounds.kernel.{f}", modules_of("kernel", TESTS_OF_KERNEL), NOT_RUN["kernel"], conditions, 60)
        for f in KERNEL
    },
    **{f"covers.{file}": trial_of_covers(file, changes=conditions) for file in COVERS},
    **{f"covers.{file}+terms": trial_of_covers(file) for file in BESIDE},
    "claims.documents": Trial(
        "dpbounds.claims.evidence.documents", modules_of("claims", TESTS_OF_DOCUMENTS), NOT_RUN["claims"], patience=60
    ),
    **{
        f"claims.{path.rpartition('.')[2]}": Trial(f"dpbounds.{path}", modules_of("claims", tests), NOT_RUN["claims"], patience=60)
        for path, tests in TESTS_OF_READING.items()
    },
}
ARGUED = {
    f"{folder}.{file}": reasons
    for folder, found in {"kernel": OF_KERNEL, "covers": OF_COVERS, "claims": OF_CLAIMS}.items()
    for file, reasons in found.items()
}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in TRIALS if not name.endswith("+terms")])
def test_every_survivor_has_a_reason(name: str) -> None:
    assert not TRIALS[name].unexplained(ARGUED[name])


@pytest.mark.parametrize("name", ARGUED)
def test_what_has_a_reason_is_still_there(name: str) -> None:
    assert not TRIALS[name].gone(ARGUED[name])


@pytest.mark.parametrize(("folder", "files"), [("kernel", KERNEL), ("covers", COVERS)])
def test_the_page_has_the_figures(folder: str, files: list[str]) -> None:
    """docs/trust.md counts the changes of both checkers, and those that are argued."""
    page = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")
    names = [f"{folder}.{file}" for file in files]
    changes, reasons = (sum(len(rows) for rows in found) for found in ([TRIALS[n].mutants for n in names], [ARGUED[n] for n in names]))
    said = rf"{changes:,} changes of the \w+\schecker\s(the tests|they) notice {changes - reasons:,}, and the other {reasons:,} are argued"
    assert re.search(said.replace(" ", r"\s"), page), said


QUICKEST = {
    "kernel.rules_logic": ("detach: dropped: need(a == h", None),
    "covers.leaves": (
        "Rules._by_cases: never: if not self.positive(replaced(g, kink, value), strict, insid",
        "covers.test_documents.test_a_rule_accepts_and_refuses_each_edit 7",
    ),
    "claims.documents": ("_follows: without part 2", "claims.test_typed_statements.test_a_formula_counts_only_under_what_is_given 0"),
}
"""The beginning of a change of each folder, and the test that notices it."""


@pytest.mark.parametrize("name", QUICKEST)
def test_a_condition_that_is_dropped_is_noticed(name: str) -> None:
    begins, notices = QUICKEST[name]
    (changed,) = (changed for what, changed in TRIALS[name].mutants.items() if what.startswith(begins))
    assert TRIALS[name].killer(changed(), notices and [f"tests.{notices}"]) is not None


if __name__ == "__main__":
    main(TRIALS)
