"""Random lemmas with the truth from mpmath: none is settled wrongly, and what is settled survives replay."""

from fractions import Fraction

import pytest

from benchmarks.fuzz import KINDS, cases
from dpbounds import settle
from dpbounds.claims.evidence.replay import replay


def settled(case, room):
    """Whether both statements of a case are settled; a wrong verdict fails."""
    found = []
    for true in (True, False):
        claim = case.claim(room, true=true)
        outcome = settle(claim, budget=10)
        assert outcome.verdict.holds is not (not true), f"{claim.then} {claim.given}"
        if outcome.certificate is not None:
            assert replay(outcome.certificate, claim).verdict is outcome.verdict
        found.append(outcome.verdict.holds is true)
    return all(found)


@pytest.mark.parametrize("kind", ["sums", "tables"])
def test_a_few_random_lemmas(kind):
    found = [settled(case, Fraction(1, 10)) for case in cases(2, 5, [kind])]
    assert all(found)


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(KINDS))
@pytest.mark.parametrize("room", [Fraction(1, 10), Fraction(1, 100)])
def test_many_random_lemmas(kind, room):
    found = [settled(case, room) for case in cases(15, 6, [kind])]
    assert sum(found) >= 0.95 * len(found)


def test_the_same_seed_gives_the_same_cases():
    first, again = ([case.claim(Fraction(1, 10), true=True).statement_hash for case in cases(4, 1, ["sums"])] for _ in range(2))
    assert first == again
