"""Very many uses: the normal mean and affinities against mpmath, the bounds against certified values, and each term of the error."""

import math
from fractions import Fraction

import mpmath
import pytest

from dpbounds import accounting, float64
from dpbounds.errors import PrecisionError
from dpbounds.float64 import many_uses
from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.laplace_mixture import LaplaceMixture
from dpbounds.float64.laws import loss_law
from dpbounds.float64.logarithms import log_sharp_constant
from dpbounds.float64.many_uses import NEAR_ONE, log_affinity, normal_mean
from dpbounds.float64.rounding import LIBM
from dpbounds.float64.saddle import Moments
from dpbounds.mechanisms import Composed, Direction, FiniteTable, Gaussian, Laplace, PoissonSampling, RandomizedResponse, Repeated, Sampled
from dpbounds.mechanisms.pairs import dominating_pairs
from dpbounds.noise.epsilon_delta import EpsilonDelta
from dpbounds.noise.skellam import Skellam

RATE = PoissonSampling


@pytest.mark.parametrize(("a", "s", "c"), [(0.3, 5.0, 0.2), (-40.0, 30.0, 0.01), (0.08, 0.05, 30.0), (0.0, 2000.0, 0.003)])
def test_the_normal_mean(a, s, c):
    found, doubt = normal_mean(a, s, c)
    with mpmath.workdps(20):
        edges = sorted({0, *(max(0, a + s * k) for k in range(-9, 10)), 1 / c, 10 / c, 60 / c})
        truth = mpmath.quad(lambda x: mpmath.exp(-c * x) * (1 - mpmath.exp(-x)) * mpmath.npdf(x, a, s), edges)
        assert abs(truth - found) <= doubt + 1e-25
        assert doubt < 1e-6 * truth


LAWS = [
    GaussianMixture(2.0, (0.9, 0.1), (1.0,)),
    GaussianMixture(1.5, (1.0,), (0.97, 0.02, 0.01)),
    GaussianMixture(0.7, (0.0, 1.0), (1.0,)),
    LaplaceMixture(3.0, 0.05, 0.95),
    LaplaceMixture(3.0, 0.05, 0.95, True),
    LaplaceMixture(0.624, 1.0, 0.0),
]


@pytest.mark.parametrize("law", LAWS)
def test_affinities_are_above_the_truth(law):
    with mpmath.workdps(18):
        if isinstance(law, GaussianMixture):

            def density(weights, t):
                return mpmath.fsum(w * mpmath.npdf(t, i, law.sigma) for i, w in enumerate(weights))

            truth = mpmath.quad(lambda t: mpmath.sqrt(density(law.upper, t) * density(law.lower, t)), [-30, -10, -3, 0, 1, 3, 10, 30])
        else:

            def noise(t, centre):
                return mpmath.exp(-abs(t - centre) / law.scale) / (2 * law.scale)

            def both(t):
                return mpmath.sqrt((law.q * noise(t, 1) + law.keep * noise(t, 0)) * noise(t, 0))

            truth = mpmath.quad(both, [-300, -30, 0, 1, 30, 300])
        bound = log_affinity(law)
        assert mpmath.log(truth) <= bound < 0
        assert bound < 0.5 * mpmath.log(truth)


@pytest.mark.parametrize(("scale", "q"), [(4e3, 0.05), (1e6, 0.3), (1e8, 1e-5)])
def test_affinities_of_wide_laplace_noise_are_above_the_truth(scale, q):
    """With second moments as differences from 1 the bound was below the truth, by a factor for the widest."""
    with mpmath.workdps(60):
        e, rate = 1 / mpmath.mpf(scale), mpmath.mpf(q)
        low, high = (mpmath.sqrt(1 - rate + rate * mpmath.exp(loss)) / 2 for loss in (-e, e))
        inner = mpmath.quad(lambda x: e / 2 * mpmath.exp(-x * e) * mpmath.sqrt(1 - rate + rate * mpmath.exp((2 * x - 1) * e)), [0, 1])
        truth = mpmath.log(low + mpmath.exp(-e) * high + inner)
        assert truth <= log_affinity(LaplaceMixture(scale, q, 1 - q)) < 0.999 * truth


def test_the_cubic_term_cannot_be_dropped():
    """With the second moment alone the bound would be below the truth."""
    law = GaussianMixture(0.8, (0.7, 0.3), (1.0,))
    second, v = 0.09 * math.expm1(1 / 0.64), 1 / 0.64
    assert abs(v - 1.5625) < 1e-12
    with mpmath.workdps(20):
        truth = mpmath.log(
            mpmath.quad(lambda t: mpmath.npdf(t, 0, 0.8) * mpmath.sqrt(0.7 + 0.3 * mpmath.exp((t - 0.5) * v)), [-12, -3, 0, 2, 5, 12])
        )
        assert math.log1p(-second / 8) < truth <= log_affinity(law)


CASES = [
    (Repeated(Skellam("13.2"), 4_200_000), "160000", "remove"),
    pytest.param(Repeated(Sampled(Skellam("8.21"), RATE("0.000986")), 69_500_000_000), "7529.76", "add", marks=pytest.mark.slow),
    (Repeated(RandomizedResponse("0.01"), 10**6), "60", "remove"),
    (Repeated(RandomizedResponse("0.001"), 10**6), "3", "remove"),
    (
        Repeated(Sampled(FiniteTable([Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)], [Fraction(1, 3)] * 3), RATE("1e-5")), 10**11),
        "3.5",
        "add",
    ),
    pytest.param(
        Composed((Repeated(RandomizedResponse("0.01"), 10**6), Repeated(Skellam("50"), 10**5))), "1100", "remove", marks=pytest.mark.slow
    ),
]


@pytest.mark.parametrize(("mechanism", "epsilon", "direction"), CASES)
def test_the_bounds_contain_certified_values(mechanism, epsilon, direction):
    (product,) = dominating_pairs(mechanism, direction=Direction(direction))
    found = many_uses.delta_bounds(product, float(epsilon))
    truth = accounting.delta(mechanism, epsilon, digits=5, direction=direction)
    assert found.lower <= float(truth.enclosure.upper_float)
    assert float(truth.enclosure.lower_float) <= found.upper
    assert found.relative_width < 0.1


def test_the_error_of_the_theorem_is_needed():
    """The normal law alone misses a binomial sum by more than all other errors."""
    mechanism, epsilon = Repeated(RandomizedResponse("0.3"), 10_000), 505.0
    (product,) = dominating_pairs(mechanism, direction=Direction.REMOVE)
    found = many_uses.delta_bounds(product, epsilon)
    law = loss_law(product.factors[0])
    c = Moments((law,), (10_000.0,)).saddle(epsilon)
    use = many_uses._of_atoms(law, c)
    mean, variance, *_ = use.central()
    middle, doubt = normal_mean(1e4 * mean - epsilon, 100 * math.sqrt(variance), c)
    scale = math.exp(1e4 * use.log_moment - c * epsilon)
    truth = float(accounting.delta(mechanism, "505", digits=8, direction="remove").lower)
    assert abs(truth - scale * middle) > 10 * scale * (doubt + 1e-9 * middle)
    assert found.lower <= truth <= found.upper


def test_next_to_one():
    """Refused before: the lattice of so many uses cannot be carried."""
    for mechanism in (
        Repeated(Sampled(Gaussian("9.2"), RATE("0.0993")), 30_200_000_000),
        Repeated(Laplace("0.624"), 72_800_000),
        Repeated(Sampled(EpsilonDelta("0.0517", "0.000409"), RATE("3.93e-5")), 7_740_000_000),
    ):
        found = float64.delta_bounds(mechanism, "0.131")
        assert found.method == NEAR_ONE
        assert 1 - 1e-12 < found.lower <= found.upper == 1.0
    # 1 − δ = 8.5e-6, by the certified route: the bound is above it
    mechanism = Repeated(RandomizedResponse("0.01"), 2_000_000)
    (product,) = dominating_pairs(mechanism, direction=Direction.REMOVE)
    found, truth = many_uses._near_one((loss_law(product.factors[0]),), (2e6,), 30.0), accounting.delta(mechanism, 30, digits=8)
    assert found is not None
    assert found.lower <= float(truth.enclosure.lower_float) < 1 - 1e-9


def test_epsilon_of_very_many_uses():
    found = float64.epsilon_bounds(Repeated(Skellam("13.2"), 4_200_000), "3.27e-12")
    assert found.upper - found.lower < 1e-4 * found.upper
    at = accounting.delta(Repeated(Skellam("13.2"), 4_200_000), str(round(found.lower)), digits=3)
    assert 0.99 * 3.27e-12 < at.enclosure.upper_float < 1.1 * 3.27e-12


def test_infinite_losses_add():
    mechanism = Repeated(Sampled(EpsilonDelta("0.5", "1e-9"), RATE("0.01")), 10_000_000)
    found, truth = float64.delta_bounds(mechanism, "25"), accounting.delta(mechanism, "25", digits=6)
    assert found.lower <= truth.enclosure.upper_float and truth.enclosure.lower_float <= found.upper


def test_it_declines():
    (product,) = dominating_pairs(Repeated(RandomizedResponse("0.3"), 3), direction=Direction.REMOVE)
    with pytest.raises(PrecisionError, match="declines"):
        many_uses.delta_bounds(product, 0.8)
    (product,) = dominating_pairs(Repeated(Laplace(2), 10**5), direction=Direction.REMOVE)
    with pytest.raises(PrecisionError, match="lattices"):
        many_uses.delta_bounds(product, 40_000.0, quick=True)


def test_the_sharp_constant_of_large_orders():
    """As a difference of c·log c and (1+c)·log(1+c) it was off by 2e-9 at c = 10^6, where the bound allows for 1e-12."""
    for c in (1e-12, 0.3, 1.0, 41234.5, 765432.1, 987654.3):
        with mpmath.workdps(40):
            at = mpmath.mpf(c)
            truth = at * mpmath.log(at) - (1 + at) * mpmath.log(1 + at)
            assert abs(log_sharp_constant(c) / truth - 1) <= 4 * LIBM
