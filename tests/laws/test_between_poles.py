"""Mixtures of Gaussians at orders between −1 and 0: M and its tails against quadrature in mpmath, and δ next to 1."""

from fractions import Fraction

import mpmath
import pytest
from flint import acb, arb

from dpbounds import accounting
from dpbounds.accounting.bounds.near_one import METHOD
from dpbounds.laws.with_replacement import DrawsFactor
from dpbounds.mechanisms import Gaussian, GroupPoissonSampling, Repeated, Sampled
from dpbounds.mechanisms.pairs import WithReplacementPair, mixture_pair
from dpbounds.noise.mixture_of_gaussians import MixtureOfGaussians
from dpbounds.numbers.balls import precision

THREE = mixture_pair({0: Fraction(1, 2), 1: Fraction(1, 4), 3: Fraction(1, 4)}, Fraction(3, 5))
CASES = [(THREE, False), (THREE, True), (WithReplacementPair(5, 3, Fraction(3, 4)), False)]


def integrand(factor, x, s):
    """φ(s)·u(s)^{1+x}·v(s)^{−x}, from the weights."""
    hits = factor.hits()
    sigma, weights = mpmath.mpf(str(factor.pair.sigma.numerator)) / factor.pair.sigma.denominator, [float(w) for w in hits.weights]
    u = mpmath.fsum(w * mpmath.exp(i * s / sigma) for i, w in enumerate(weights)) if hits.above else 1
    v = mpmath.fsum(w * mpmath.exp(-i * s / sigma) for i, w in enumerate(weights)) if hits.below else 1
    return mpmath.npdf(s) * u ** (1 + x) * v ** (-x)


@pytest.mark.parametrize(("pair", "swapped"), CASES)
@pytest.mark.parametrize("x", ["-0.3", "-0.75", "-1"])
def test_moments_between_the_poles(pair, swapped, x):
    with precision(120), mpmath.workdps(25):
        factor = DrawsFactor(pair, 1e-40, 1, swapped)
        found = factor.moment(arb(x))
        truth = mpmath.quad(lambda s: integrand(factor, mpmath.mpf(x), s), [-14, -6, -2, 0, 2, 6, 10, 20])
        assert abs(float(found.mid()) - truth) < 2e-11
        assert found.rad() < 1e-6


@pytest.mark.parametrize(("pair", "swapped"), CASES)
@pytest.mark.parametrize(("x", "left", "right"), [(-0.3, 7.0, 8.0), (-0.8, 6.0, 3.0)])
def test_tails_are_bounded_and_need_their_slopes(pair, swapped, x, left, right):
    with precision(80), mpmath.workdps(20):
        factor = DrawsFactor(pair, 1e-40, 1, swapped)
        hits, wide = factor.hits(), 3 / 0.6
        ahead = mpmath.quad(lambda s: integrand(factor, x, s), [right, right + 3, right + 20])
        behind = mpmath.quad(lambda s: integrand(factor, x, s), [-left - 20, -left - 3, -left])
        bound = hits.tails(arb(x), arb(left), arb(right))
        assert float(bound) >= ahead + behind
        if hits.above and pair is THREE and right > (1 + x) * wide + 2:
            assert hits.log_size(acb(right), acb(x)).exp() / right < ahead  # without the slope of u on the right
        if hits.below and pair is THREE:
            assert hits.log_size(acb(-left), acb(x)).exp() / left < behind  # without that of v on the left


def test_tails_that_start_too_near_have_no_bound():
    hits = DrawsFactor(THREE, 1e-40, 1, True).hits()
    assert not hits.tails(arb(-0.5), arb(1), arb(9)).is_finite()
    assert not hits.tails(arb(-2), arb(9), arb(9)).is_finite()


@pytest.mark.parametrize("direction", ["add", "remove"])
def test_many_uses_are_next_to_one_at_once(direction):
    mixture = Repeated(MixtureOfGaussians("2", ["0", "1", "0.5"], ["1/4", "1/4", "1/2"]), 10**8)
    found = accounting.delta(mixture, "0.5", digits=12, direction=direction)
    assert found.method == METHOD and found.enclosure.meets(12)
    group = Repeated(Sampled(Gaussian(1), GroupPoissonSampling("0.1", 3)), 10**7)
    assert accounting.delta(group, 1, digits=12, direction=direction).method == METHOD
