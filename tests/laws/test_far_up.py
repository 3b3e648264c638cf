"""Moments nearly as large as (1−q)^{−n}, as rare sampling without the record has them: what moving the line off the real axis costs."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds import accounting
from dpbounds.accounting.near_one import near_one
from dpbounds.laws.factors import AtomicFactor
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.sampled_laplace import SampledLaplaceFactor, quadrature_error
from dpbounds.mechanisms import Composed, Gaussian, PoissonSampling, RandomizedResponse, Repeated, Sampled
from dpbounds.numbers.balls import precision

CASES = pytest.mark.parametrize("rate, sigma, order, angle", [("1e-3", "0.7", 1e7, 0.4), ("1e-2", "1", 1e4, 1.0), ("1e-4", "2", 1e8, 0.15)])


def moments(rate, sigma, order, angle):
    """log ∫φ|v(s+ia)|^{−n} and log ∫φv^{−n}, a = angle·σ, by mpmath."""
    q, sigma, n = mpmath.mpf(rate), mpmath.mpf(sigma), mpmath.mpf(order)
    shape = lambda s, turn: mpmath.npdf(s) * abs(1 - q + q * mpmath.exp(-s / sigma - 1 / (2 * sigma**2) - 1j * turn)) ** -n  # noqa: E731
    points = [-10, -3, 0, 5, 10, 15, 20, 30]
    return [mpmath.log(mpmath.quad(lambda s, t=turn: shape(s, t), points)) for turn in (angle, 0)]


@CASES
def test_what_the_shift_costs(rate, sigma, order, angle):
    """The bound holds; it is far below that by the largest v alone; with M put to its largest, (1−q)^{−n}, it would be 1 and false."""
    mixture = Mixture(Fraction(rate), Fraction(sigma), numerator=False, denominator=True)
    with mpmath.workdps(15), precision(128):
        moved, plain = moments(rate, sigma, order, angle)
        a, x = arb(angle) * arb(sigma), arb(order)
        bound = float(mixture.denominator_loss(a, x, pointwise=False).log())
        assert 0.1 < moved - plain <= bound
        crude = (1 - mpmath.cos(angle)) * -order * mpmath.log1p(-mpmath.mpf(rate))
        assert bound < crude / 3
        assert mixture.least_log_moment(x) <= plain <= mixture.least_log_moment(x) + 5


def test_the_moduli_of_sampled_laplace_noise_off_the_real_line():
    """|U| ≥ 1−q where the angle is at most a right one: without it a moment of this order would need more nodes than there can be."""
    with precision(128):
        factor = SampledLaplaceFactor(arb(4), Fraction(1, 10**6), True)
        power, rho = arb(-(10**6)), 1.4
        for loss in (-4, 0, 4):
            for turn in (-1.4, 0.3, 1.4):
                assert abs(1 + 1e-6 * (mpmath.exp(mpmath.mpc(loss, turn)) - 1)) >= 1 - 1e-6
        assert quadrature_error(factor, power, arb(0), 60, rho) < 1e-9
        found = factor.moment(arb(10**6))
        density = lambda t: mpmath.exp(-(t + 4) / 2) / 4 * (1 + 1e-6 * mpmath.expm1(t)) ** -(10**6)  # noqa: E731
        atoms = [w * (1 + 1e-6 * mpmath.expm1(t)) ** -(10**6) for w, t in ((0.5, -4), (mpmath.exp(-4) / 2, 4))]
        assert abs(float(found) - float(mpmath.quad(density, [-4, 0, 4]) + sum(atoms))) < 1e-9


def test_near_one_beside_tables():
    """1 − δ of many answers beside noise is below the bound, which the mass of outcomes left out is added to."""
    tables = Composed((Repeated(RandomizedResponse("3.86"), 10_000), Repeated(Sampled(Gaussian("0.714"), PoissonSampling("1e-5")), 100)))
    found = accounting.delta(tables, 12, digits=8, direction="remove")
    assert found.method.startswith("Chernoff") and found.enclosure.upper == 1
    factors = [AtomicFactor([arb("0.9"), arb("0.1")], [arb(3), arb(-3)], 1000)]
    assert near_one(factors, Fraction(1), 8).upper == 1
    assert near_one(factors, Fraction(1), 8, arb("1e-3")) is None
