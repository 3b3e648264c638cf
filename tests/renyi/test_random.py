"""A seeded random sample over the whole range of parameters, against the mpmath oracle."""

import random
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds.mechanisms.pairs import (
    GaussianPair,
    LaplacePair,
    Pair,
    PoissonPair,
    RandomizedResponsePair,
    SubstitutePair,
    WithReplacementPair,
)
from dpbounds.numbers.balls import precision
from dpbounds.renyi import divergence
from tests.oracle.renyi import approx_divergence

DIGITS = 18
KINDS = ("gaussian", "gaussian", "gaussian", "laplace", "sampled laplace", "response", "substitute", "replacement")


def drawn(rng: random.Random) -> tuple[Pair, Fraction, bool]:
    """A pair, an order and a direction; σ ∈ [0.3, 10⁸], q ∈ [10⁻⁹, 1), α − 1 ∈ [10⁻⁶, 10⁶], evenly on logarithmic scales."""

    def spread(low: float, high: float) -> Fraction:
        return Fraction(f"{10 ** rng.uniform(low, high):.6g}")

    kind, t = rng.choice(KINDS), spread(-6, rng.choice([1, 3, 6]))
    rate, sigma, scale = spread(-9, -0.01), spread(-0.52, rng.choice([1, 8])), spread(-1.3, rng.choice([1, 8]))
    pair: Pair = PoissonPair(rate, GaussianPair(sigma))
    if kind == "laplace":
        pair = LaplacePair(scale)
    elif kind == "sampled laplace":
        pair = PoissonPair(rate, LaplacePair(scale))
    elif kind == "response":
        pair = PoissonPair(rate, RandomizedResponsePair(1 / scale))
    elif kind == "substitute":
        pair = SubstitutePair(rate, sigma)
    elif kind == "replacement":
        pair = WithReplacementPair(rng.randint(2, 10**4), rng.randint(1, 8), sigma)
    return pair, 1 + t, rng.random() < 0.5


def agrees(seed: int) -> None:
    pair, alpha, swap = drawn(random.Random(seed))
    value = divergence(pair, alpha - 1, 90, reversed=swap)
    with precision(600):
        expected = arb(mpmath.nstr(approx_divergence(pair, alpha, DIGITS, reversed=swap), DIGITS + 20))
        assert value.rel_accuracy_bits() >= 90
        assert value.overlaps(expected * arb(1, arb(10) ** (1 - DIGITS))), f"{pair}, alpha {alpha}, reversed {swap}: {value}, {expected}"


@pytest.mark.parametrize("seed", range(24))
def test_agrees_with_the_oracle(seed: int) -> None:
    agrees(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24, 400))
def test_agrees_with_the_oracle_on_many(seed: int) -> None:
    agrees(seed)
