"""The statements of docs/drafts.md: each verdict is the one that the page prints."""

from pathlib import Path

import pytest

from dpbounds import Verdict, settle
from dpbounds.claims.collect import claims_in
from dpbounds.claims.verdict import Expectation

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "benchmarks" / "drafts").glob("*.py"))
CLAIMS = {claim.id: claim for file in FILES for claim in claims_in(file)}
EXPECTED = {Expectation.HOLDS: Verdict.CERTIFIED, Expectation.FAILS: Verdict.REFUTED, Expectation.OPEN: Verdict.UNDECIDED}
QUICK = ("steinke2024.half", "steinke2025.exercise.second", "haghifam2024.equation-13", "haghifam2024.condition")


@pytest.mark.parametrize("name", [pytest.param(name, marks=[] if name in QUICK else pytest.mark.slow) for name in CLAIMS])
def test_the_verdict_of_the_page(name):
    claim = CLAIMS[name]
    found = settle(claim, budget=8, contained=True)
    assert found.verdict is EXPECTED[claim.expect]
    assert claim.mutant is None or found.mutant.verdict is Verdict.REFUTED


def test_the_page_counts_what_the_files_hold():
    page = (ROOT / "docs" / "drafts.md").read_text(encoding="utf-8")
    assert f"All {sum(claim.mutant is not None for claim in CLAIMS.values())} false twins" in page
    for file in FILES:
        claims = claims_in(file)
        counts = [sum(claim.expect is kind for claim in claims) for kind in EXPECTED]
        assert f"| {len(claims)} | {counts[0]} | {counts[1]} | {counts[2]} |" in page
