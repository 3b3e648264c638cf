"""The mpmath oracle: closed forms, reference values of other people's code, and the erfc series as a check of another kind."""

from fractions import Fraction

import mpmath
import pytest

from dpbounds import renyi
from dpbounds.errors import InputError
from dpbounds.mechanisms import Direction, Gaussian, Laplace, PoissonSampling, RandomizedResponse, Repeated, Sampled, pairs
from dpbounds.noise.discrete_gaussian import DiscreteGaussian
from tests.oracle.renyi import approx_divergence, approx_renyi_divergence, approx_series

F = Fraction


def close(value: mpmath.mpf, expected: object, digits: int) -> bool:
    with mpmath.workdps(digits + 20):
        return bool(abs(value - expected) <= abs(expected) * mpmath.mpf(10) ** -digits)


@pytest.mark.parametrize("alpha", ["1.001", "2", "7/2", "100"])
def test_gaussian(alpha: str) -> None:
    with mpmath.workdps(60):
        expected = mpmath.mpf(F(alpha).numerator) / F(alpha).denominator / 8
    assert close(approx_divergence(pairs.GaussianPair(F(2)), alpha, 40), expected, 38)


@pytest.mark.parametrize("alpha", ["1.5", "2", "100"])
def test_laplace(alpha: str) -> None:
    with mpmath.workdps(60):
        a, b = mpmath.mpf(alpha), mpmath.mpf(3)
        moment = a / (2 * a - 1) * mpmath.exp((a - 1) / b) + (a - 1) / (2 * a - 1) * mpmath.exp(-a / b)
        assert close(approx_divergence(pairs.LaplacePair(F(3)), alpha, 40), mpmath.log(moment) / (a - 1), 38)


def test_randomized_response() -> None:
    with mpmath.workdps(60):
        p = 1 / (1 + mpmath.exp(-1))
        expected = mpmath.log(p**2 / (1 - p) + (1 - p) ** 2 / p)
    assert close(approx_divergence(pairs.RandomizedResponsePair(F(1)), 2, 40), expected, 38)


@pytest.mark.parametrize("alpha", [2, 3, 7])
def test_sampled_gaussian_at_integer_orders_is_the_binomial_sum(alpha: int) -> None:
    with mpmath.workdps(60):
        q, s = mpmath.mpf(1) / 100, mpmath.mpf(3) / 2
        moment = mpmath.fsum(
            mpmath.binomial(alpha, j) * q**j * (1 - q) ** (alpha - j) * mpmath.exp(j * (j - 1) / (2 * s**2)) for j in range(alpha + 1)
        )
        expected = mpmath.log(moment) / (alpha - 1)
    assert close(approx_divergence(pairs.PoissonPair(F(1, 100), pairs.GaussianPair(F(3, 2))), alpha, 30), expected, 29)
    assert close(approx_series("1.5", "0.01", alpha, 25), expected, 22)


@pytest.mark.parametrize(
    ("sigma", "q", "alpha"),
    [("1", "0.5", "3/2"), ("1.5", "0.01", "7/2"), ("2", "0.3", "10.5"), ("0.7", "0.1", "1.1"), ("20", "0.4", "60.5")],
)
def test_series_agrees_with_quadrature(sigma: str, q: str, alpha: str) -> None:
    quadrature = approx_divergence(pairs.PoissonPair(F(q), pairs.GaussianPair(F(sigma))), alpha, 22)
    assert close(approx_series(sigma, q, alpha, 15), quadrature, 13)


def test_series_without_its_signs_is_wrong() -> None:
    """|C(α,k)| in place of C(α,k), the slip of known implementations, is seen at σ = 1, q = ½, α = 3/2."""
    with mpmath.workdps(40):
        half = mpmath.mpf(1) / 2
        lost = 4 * mpmath.fsum(
            abs(mpmath.binomial(1.5, k)) * half**1.5 * mpmath.exp(k * (k - 1) / mpmath.mpf(2)) * mpmath.ncdf(half - k) for k in range(3, 12)
        )
    assert lost > mpmath.mpf(10) ** -4


def test_calibration_of_the_fractional_accountants() -> None:
    """q = 0.4, σ = 20, α = 60.5: published accountants return −0.519; the divergence is positive, +0.01256."""
    value = approx_divergence(pairs.PoissonPair(F(2, 5), pairs.GaussianPair(F(20))), "60.5", 20)
    assert close(value, mpmath.mpf("0.01256"), 3)


def test_reversed_and_symmetric_pairs() -> None:
    add = approx_divergence(pairs.PoissonPair(F(1, 2), pairs.GaussianPair(F(1))), 2, 25, reversed=True)
    with mpmath.workdps(40):
        expected = mpmath.log(mpmath.quad(lambda x: mpmath.npdf(x) / (0.5 + 0.5 * mpmath.exp(x - 0.5)), mpmath.linspace(-14, 14, 15)))
    assert close(add, expected, 24)
    one_draw, two_points = pairs.WithReplacementPair(10, 1, F(2)), pairs.SubstitutePair(F(1, 10), F(2))
    assert close(approx_divergence(one_draw, "5/2", 25), approx_divergence(two_points, "5/2", 25), 24)


def test_infinite_divergence() -> None:
    assert approx_divergence(pairs.FinitePair((F(1, 2), F(1, 2)), (F(1), F(0))), 2) == mpmath.inf


def test_equal_distributions() -> None:
    assert approx_divergence(pairs.FinitePair((F(1, 2), F(1, 2)), (F(1, 2), F(1, 2))), 2) == 0


def test_mechanisms_and_directions() -> None:
    mechanism = Repeated(Sampled(Gaussian(2), PoissonSampling("0.1")), 3)
    directions = (Direction.REMOVE, Direction.ADD, Direction.WORST)
    remove, add, worst = (approx_renyi_divergence(mechanism, "5/2", 20, direction=direction) for direction in directions)
    assert remove > add and worst == remove
    with mpmath.workdps(30):
        twice = 2 * approx_divergence(pairs.LaplacePair(F(3)), 2, 25)
    assert close(approx_renyi_divergence(Repeated(Laplace(3), 2), 2, 20), twice, 19)
    assert approx_renyi_divergence(RandomizedResponse(1), 2, 20) < 1


def test_orders_at_most_one_are_refused() -> None:
    with pytest.raises(InputError, match="alpha must be > 1"):
        approx_divergence(pairs.GaussianPair(F(1)), 1)


def test_precision_is_restored() -> None:
    before = mpmath.mp.dps
    approx_divergence(pairs.GaussianPair(F(1)), 2, 60)
    assert mpmath.mp.dps == before


@pytest.mark.parametrize(("sigma", "order"), [("1", 12), ("1", 32), ("3/2", "41/2")])
def test_a_sum_over_integers_reaches_the_mass_of_the_moment(sigma, order):
    """At α = 32 and σ = 1 the moment lies around 32, where the noise itself has mass e^{−512}."""
    found = approx_renyi_divergence(DiscreteGaussian(sigma), order, 20)
    assert close(found, mpmath.mpf(renyi.renyi_divergence(DiscreteGaussian(sigma), order, digits=18).lower), 15)


def test_a_sum_over_too_many_integers_is_refused():
    with pytest.raises(InputError, match="order is too high"):
        approx_renyi_divergence(DiscreteGaussian(1, 2), 500, 20)
