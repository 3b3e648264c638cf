"""Everyday lemmas are settled in seconds, and no false twin is."""

from typing import Any
from zlib import crc32

import pytest

from benchmarks.lemmas import LISTS, OPEN, OPEN_TWINS, lemmas_of
from dpbounds import Verdict, settle
from dpbounds.claims.evidence.descents import certificate_of

LEMMAS = [lemma for name in LISTS for lemma in lemmas_of(name)]
ALONE = frozenset(
    [
        *("bias-and-noise", "binomial-exponential-moment", "divergence-right-tail", "entropy-sensitivity", "exp-lipschitz"),
        *("exponential-series", "log-gamma-midpoint", "response-profile", "sampled-laplace-variation", "sampling-double"),
    ]
)
"""Lemmas that reach lines of the search which no other quick test reaches."""


def shared(lemmas: list[Any], share: int) -> list[Any]:
    """Lemmas for the quick suite are one in so many, as its name falls, and those that stand alone; the others are marked slow."""
    quick = {lemma.true.id for lemma in lemmas if crc32(lemma.true.id.encode()) % share == 0} | ALONE
    return [pytest.param(lemma, id=lemma.true.id, marks=[pytest.mark.slow] * (lemma.true.id not in quick)) for lemma in lemmas]


@pytest.mark.parametrize("lemma", shared([lemma for lemma in LEMMAS if lemma.true.id not in OPEN], 8))
def test_a_true_lemma_is_settled(lemma: Any) -> None:
    assert settle(lemma.true, budget=10).verdict is Verdict.CERTIFIED


@pytest.mark.parametrize("lemma", shared(LEMMAS, 16))
def test_a_false_twin_is_not(lemma: Any) -> None:
    assert certificate_of(lemma.twin, 0.3) is None


@pytest.mark.slow
@pytest.mark.parametrize("lemma", [each for each in LEMMAS if each.true.id not in OPEN_TWINS], ids=lambda lemma: lemma.true.id)
def test_a_false_twin_is_refuted(lemma: Any) -> None:
    assert settle(lemma.twin, budget=10).verdict is Verdict.REFUTED
