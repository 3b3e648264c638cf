"""Rényi divergences of mixtures of Gaussians: finite sums at whole orders, quadrature of mpmath at real ones."""

import itertools
import random
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds import MixtureOfGaussians
from dpbounds.errors import InputError
from dpbounds.mechanisms import Gaussian, GroupPoissonSampling, PoissonSampling, Sampled
from dpbounds.mechanisms.pairs import GaussianMixturePair
from dpbounds.renyi import gaussian_mixture
from dpbounds.renyi.solve import renyi_divergence


def whole_order(pair: GaussianMixturePair, order: int) -> mpmath.mpf:
    """E_Q u^n = Σ w_{i₁}…w_{iₙ} e^{Σ_{a<b} i_a i_b/σ²}."""
    total = mpmath.mpf(0)
    for hits in itertools.product(range(len(pair.weights)), repeat=order):
        weight = mpmath.mpf(1)
        for hit in hits:
            weight *= mpmath.mpf(pair.weights[hit].numerator) / pair.weights[hit].denominator
        crossed = sum(a * b for a, b in itertools.combinations(hits, 2))
        total += weight * mpmath.exp(mpmath.mpf(crossed) * pair.sigma.denominator**2 / pair.sigma.numerator**2)
    return mpmath.log(total) / (order - 1)


def by_quadrature(pair: GaussianMixturePair, order: mpmath.mpf, add: bool) -> mpmath.mpf:
    sigma = mpmath.mpf(pair.sigma.numerator) / pair.sigma.denominator
    weights = [mpmath.mpf(weight.numerator) / weight.denominator for weight in pair.weights]

    def integrand(x: mpmath.mpf) -> mpmath.mpf:
        u = mpmath.fsum(w * mpmath.exp((2 * x * ell - ell * ell) / (2 * sigma**2)) for ell, w in enumerate(weights))
        return mpmath.npdf(x, 0, sigma) * u ** (1 - order if add else order)

    top = (len(weights) - 1) * (1 if add else float(order))
    points = [mpmath.mpf(n) * sigma for n in range(-12, 14 + int(top / sigma), 2)]
    return mpmath.log(mpmath.quad(integrand, points)) / (order - 1)


def random_pair(source: random.Random) -> GaussianMixturePair:
    parts = [source.randint(1, 50) for _ in range(source.randint(2, 4))]
    return GaussianMixturePair(tuple(Fraction(part, sum(parts)) for part in parts), Fraction(source.randint(60, 400), 100))


@pytest.mark.parametrize("seed", range(6))
def test_whole_orders_are_finite_sums(seed):
    pair = random_pair(random.Random(seed))
    for order in (2, 3, 4):
        with mpmath.workdps(40):
            found = gaussian_mixture.divergence(pair, Fraction(order - 1), 90)
            assert found.rel_accuracy_bits() >= 90
            assert abs(mpmath.mpf(found.mid().str(38, radius=False)) / whole_order(pair, order) - 1) < mpmath.mpf(2) ** -88


@pytest.mark.parametrize("seed", range(6, 10))
@pytest.mark.parametrize("add", [False, True])
def test_real_orders_by_quadrature(seed, add):
    source = random.Random(seed)
    pair, order = random_pair(source), Fraction(source.randint(105, 900), 100)
    with mpmath.workdps(25):
        expected = by_quadrature(pair, mpmath.mpf(order.numerator) / order.denominator, add)
        found = gaussian_mixture.divergence(pair, order - 1, 60, reversed=add)
        assert abs(mpmath.mpf(found.mid().str(24, radius=False)) / expected - 1) < 1e-15


def test_groups_and_small_rates_through_the_front_door():
    one = renyi_divergence(Sampled(Gaussian(2), GroupPoissonSampling("0.01", 1)), "7/2")
    assert one.enclosure.overlaps(renyi_divergence(Sampled(Gaussian(2), PoissonSampling("0.01")), "7/2").enclosure)
    three = renyi_divergence(Sampled(Gaussian(2), GroupPoissonSampling("1e-6", 3)), "3/2", digits=20)
    assert float(three.lower) > 0
    mixed = renyi_divergence(MixtureOfGaussians(2, ("0", "1/2", "2"), ("0.5", "0.25", "0.25")), "7/2", direction="add")
    assert 0 < float(mixed.lower) <= float(mixed.upper)


def test_large_orders_are_below_their_limits():
    """Of many uses of e^{tL}: the farthest centre from below, and −log w₀ from above."""
    pair = GaussianMixturePair((Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)), Fraction(2))
    large = gaussian_mixture.divergence(pair, Fraction(500), 60)
    assert large.rel_accuracy_bits() >= 60
    assert 501 * 4 / arb(8) - 501 * arb(4).log() / 500 - 1e-9 < large < 501 * 4 / arb(8)
    assert gaussian_mixture.divergence(pair, Fraction(500), 60, reversed=True) < arb(2).log()


def test_order_one_is_refused():
    pair = GaussianMixturePair((Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)), Fraction(2))
    with pytest.raises(InputError, match="> 1"):
        gaussian_mixture.divergence(pair, Fraction(0), 60)
