"""Rényi divergences of sampled discrete Gaussian noise: direct sums of mpmath, finite sums at whole orders, each tail term needed."""

import math
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds import DiscreteGaussian
from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms import PoissonSampling, Sampled
from dpbounds.noise.discrete_gaussian import DiscreteGaussianPair
from dpbounds.numbers.balls import precision
from dpbounds.renyi import discrete_gaussian
from dpbounds.renyi.solve import renyi_divergence


def by_sum(pair: DiscreteGaussianPair, q: Fraction, order: Fraction, add: bool) -> mpmath.mpf:
    """log E_Q[U^α]/(α−1), or of U^{1−α}, over a wide range of integers."""
    rate, alpha = (mpmath.mpf(value.numerator) / value.denominator for value in (q, order))
    sigma = mpmath.mpf(pair.sigma.numerator) / pair.sigma.denominator
    shift = pair.sensitivity
    reach = math.ceil(20 * float(sigma) + float(order) * shift) + 5
    norm = mpmath.nsum(lambda x: mpmath.exp(-(x**2) / (2 * sigma**2)), [-reach, reach])
    total = mpmath.mpf(0)
    for x in range(-reach, reach + 1):
        ratio = 1 - rate + rate * mpmath.exp(mpmath.mpf(shift * (2 * x - shift)) / (2 * sigma**2))
        total += mpmath.exp(-mpmath.mpf(x * x) / (2 * sigma**2)) / norm * ratio ** (1 - alpha if add else alpha)
    return mpmath.log(total) / (alpha - 1)


CASES = [("2", 1, "0.1", "7/2"), ("1/2", 1, "0.01", "2"), ("3", 2, "0.5", "12"), ("1", 3, "0.3", "1.25"), ("5/4", 1, "1e-4", "40")]


@pytest.mark.parametrize(("sigma", "sensitivity", "q", "order"), CASES)
@pytest.mark.parametrize("add", [False, True])
def test_the_sum_holds_the_truth(sigma, sensitivity, q, order, add):
    pair, rate, alpha = DiscreteGaussianPair(Fraction(sigma), sensitivity), Fraction(q), Fraction(order)
    found = discrete_gaussian.divergence(pair, rate, alpha - 1, 80, reversed=add)
    with mpmath.workdps(60):
        expected = by_sum(pair, rate, alpha, add)
        assert found.rel_accuracy_bits() >= 80
        assert abs(mpmath.mpf(found.mid().str(40, radius=False)) / expected - 1) < mpmath.mpf(2) ** -78


@pytest.mark.parametrize("add", [False, True])
def test_what_is_left_out_is_needed(add, monkeypatch):
    """With T = 2 the ball holds the truth, and without the bound on the tails it does not."""
    pair, rate, alpha = DiscreteGaussianPair(Fraction(2), 1), Fraction(1, 10), Fraction(5, 2)
    with mpmath.workdps(40):
        truth = by_sum(pair, rate, alpha, add)
    with precision(200):
        exact = arb(mpmath.nstr(truth, 30))
    monkeypatch.setattr(discrete_gaussian, "relative", lambda evaluate, bits: evaluate())
    monkeypatch.setattr(discrete_gaussian, "working_bits", lambda: 0)
    with precision(128):
        assert discrete_gaussian.divergence(pair, rate, alpha - 1, 60, reversed=add).overlaps(exact)
        monkeypatch.setattr(discrete_gaussian, "lacking", lambda *_: arb(0))
        assert not discrete_gaussian.divergence(pair, rate, alpha - 1, 60, reversed=add).overlaps(exact)


@pytest.mark.parametrize("add", [False, True])
@pytest.mark.parametrize("reach", [0, 1, 3, 8])
def test_the_bound_on_the_tails_exceeds_them(add, reach):
    """Σ of the terms beyond both ends, summed far out in mpmath."""
    t, rate, shift = 2, mpmath.mpf("0.3"), 1
    with mpmath.workdps(40):
        norm = mpmath.fsum(mpmath.exp(-mpmath.mpf(x * x) / 8) for x in range(-80, 81))
        total = mpmath.mpf(0)
        for x in [*range(-80, -reach), *range((1 + t) * shift + reach + 1, 90)]:
            u = rate * mpmath.expm1(mpmath.mpf(shift * (2 * x - shift)) / 8)
            term = ((1 + u) ** -t - 1 + t * u) / t if add else ((1 + u) ** (1 + t) - 1 - (1 + t) * u) / t
            total += mpmath.exp(-mpmath.mpf(x * x) / 8) / norm * term
    with precision(100):
        tail = discrete_gaussian.tail_sum(arb(4), reach)
        assert discrete_gaussian.lacking(arb(t), arb("0.3"), arb(4), shift, tail, add) >= arb(mpmath.nstr(total, 20)) * (1 - arb(10) ** -15)


def test_the_front_door_and_what_is_refused():
    found = renyi_divergence(Sampled(DiscreteGaussian(2), PoissonSampling("0.1")), "7/2")
    assert found.lower.startswith("0.0051762573660984")
    with pytest.raises(PrecisionError, match="too long"):
        discrete_gaussian.divergence(DiscreteGaussianPair(Fraction(10**6), 1), Fraction(1, 10), Fraction(1), 60)
    with pytest.raises(InputError, match="> 1"):
        discrete_gaussian.divergence(DiscreteGaussianPair(Fraction(2), 1), Fraction(1, 10), Fraction(0), 60)
