"""Beyond the last piece of a bent contour: how much Re(d·g) can be along a path, against mpmath, and when the integrand falls.

g(s) = log(1+e^{w(s)}) − [log(1+e^{w(−s)})] is written out again here. Of the terms of the bounds each has a case that fails without it.
"""

import math
from fractions import Fraction
from itertools import pairwise

import mpmath
import pytest
from flint import acb, arb

from dpbounds.accounting.rays import hyperbolic
from dpbounds.accounting.rays.hyperbola import Hyperbola
from dpbounds.accounting.rays.hyperbolic import BentIntegrand, HyperbolaPiece
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.paths.deformed_path import RisingPath
from dpbounds.laws.paths.deformed_path_moment import PathRule, RotatedMixture, edges
from dpbounds.numbers.balls import precision

HALF, FAR = Mixture(Fraction(1, 2), Fraction(1), numerator=True, denominator=False), 40


@pytest.fixture(autouse=True)
def _bits():
    with precision(80), mpmath.workdps(20):
        yield


def mixture(q, sigma, *, both=False):
    return Mixture(Fraction(q), Fraction(sigma), numerator=True, denominator=both)


def loss(law, path, t):
    """g on an unstretched path."""
    q, sigma = (mpmath.mpf(part.numerator) / part.denominator for part in (law.q, law.sigma))
    constant = mpmath.log(q / (1 - q)) - 1 / (2 * sigma**2)
    softplus = lambda w: w + mpmath.log(1 + mpmath.exp(-w)) if w.real > 0 else mpmath.log(1 + mpmath.exp(w))  # noqa: E731
    s = mpmath.mpc(t, path.height + path.slope * path.width * softplus(mpmath.mpf(t - path.bend) / path.width))
    found = softplus(s / sigma + constant)
    return found - softplus(constant - s / sigma) if law.denominator else found


def largest(law, path, direction, places):
    """Of Re(d·g) there."""
    d = mpmath.mpc(float(direction.real), float(direction.imag))
    return float(max((d * loss(law, path, t)).real for t in places))


def steps(start, sign):
    return [start + sign * n / 8 for n in range(8 * FAR)]


RIGHT = {
    "own logarithm": (mixture("1/2", 1), RisingPath(0.3, 0.9, -0.5, 0.5), 2.0, math.atan(1 / 0.9) + 0.2),
    "the other logarithm": (mixture("19/20", 3, both=True), RisingPath(4.0, 0.9, 0.5, 0.5), 9.5, math.atan(1 / 0.9) + 0.05),
}


@pytest.mark.parametrize(("law", "path", "high", "angle"), RIGHT.values(), ids=RIGHT)
def test_beyond_the_right_end(law, path, high, angle):
    rotated, direction = RotatedMixture(law, 1), acb(math.cos(angle), math.sin(angle))
    sigma, constant, _ = rotated.constants()
    bound = rotated._right_rise(PathRule(path, -20.0, high), direction, sigma, constant)
    assert largest(law, path, direction, steps(high, 1)) <= bound.upper() < 10


LEFT = {
    "own logarithm": (mixture("1/2", 1), RisingPath(0.0, 0.0, 0.0, 1.0), -0.5, 0.0),
    "more than its first term": (mixture("1/2", 1), RisingPath(3.0, 0.0, 0.0, 1.0), -0.5, math.pi),
    "its argument": (mixture("1/2", 1), RisingPath(1.45, 0.0, 0.0, 1.0), -0.4, 0.2),
    "the height of an ascent": (mixture("1/10000", 1), RisingPath(2.9, 0.95, 0.5, 1.0), 0.0, math.pi / 2),
    "own logarithm beside the other": (mixture("19/20", 3, both=True), RisingPath(0.0, 0.0, 0.0, 1.0), -9.5, 0.0),
    "the other logarithm": (mixture("1/2", 1, both=True), RisingPath(3.1, 0.0, 0.0, 1.0), -1.5, 0.0),
    "an ascent beside the other": (mixture("1/10000", 1, both=True), RisingPath(1.0, 0.9, -12.5, 0.5), -13.0, math.pi / 2),
}


@pytest.mark.parametrize(("law", "path", "low", "angle"), LEFT.values(), ids=LEFT)
def test_beyond_the_left_end(law, path, low, angle):
    rotated, direction = RotatedMixture(law, 1), acb(math.cos(angle), math.sin(angle))
    sigma, constant, _ = rotated.constants()
    bound = rotated._left_rise(PathRule(path, low, 20.0), direction, sigma, constant)
    assert largest(law, path, direction, steps(low, -1)) <= bound.upper()


def test_a_cell_counts_with_its_edges():
    path, direction = RisingPath(0.3, 0.9, -0.5, 0.5), acb(1)
    rotated, rule = RotatedMixture(HALF, 1), PathRule(path, -2.0, 4.0)
    cells, cuts = rotated.cells(rule, 0.0, 10.0), edges(-2.0, 4.0, HALF, 10.0)
    for cell, ends in zip(cells, pairwise(cuts), strict=True):
        assert largest(HALF, path, direction, ends) <= cell.rise(direction).upper() + 1e-15


@pytest.mark.parametrize(("low", "angle"), [(-8.0, 1.3), (-1.5, 1.3)])
def test_the_whole_path(low, angle):
    path, direction = RisingPath(0.3, 0.9, -0.5, 0.5), acb(math.cos(angle), math.sin(angle))
    rise = RotatedMixture(HALF, 1).rise_along(PathRule(path, low, 12.0), direction)
    assert largest(HALF, path, direction, [t / 8 for t in range(-8 * FAR, 8 * FAR)]) <= rise < 2


def grows(curve, tau, *, mixtures=(), rules=(), epsilon=1, variance=0):
    """The contrary of `falls`."""
    integrand = BentIntegrand(list(mixtures), arb(epsilon), arb(variance), 1)
    return not hyperbolic.falls(integrand, curve, HyperbolaPiece(0.0, tau, tuple(rules)))


def test_gaussian_noise_must_fall_too():
    """|e^{z(z+1)v/2}| at the point further out, in either direction, against the end."""
    near, flat, steep = Hyperbola(100.0, 1.0, 1.2), Hyperbola(-5.0, 1.0, 0.5), Hyperbola(-0.5, 2.0, 1.2)
    for curve, tau, growing in ((near, 0.5, True), (flat, 1.0, True), (steep, 1.0, False)):
        size = lambda at, c=curve: (c.approx_point(at) * (c.approx_point(at) + 1)).real  # noqa: E731
        assert any(size(tau + n / 10) > size(tau) for n in range(1, 80)) is growing
        assert grows(curve, tau, variance=1) is growing
        assert not grows(curve, tau)


def test_the_growth_of_every_use_must_be_outweighed():
    """A bend late: Re(d·g) is positive on the level part of the path, and e^{−ρz} falls by ρ·Re d."""
    rotated, rule, curve = RotatedMixture(HALF, 3), PathRule(RisingPath(0.8, 0.9, 8.0, 0.5), -8.0, 40.0), Hyperbola(-0.5, 2.0, 1.3)
    needed = max(3 * float(rotated.rise_along(rule, d) / d.real) for d in curve.direction(arb(3)))
    for share, growing in ((1.05, False), (0.95, True), (-1, True)):
        epsilon = share * needed - 3 * math.log(2)
        assert grows(curve, 3.0, mixtures=[rotated], rules=[rule], epsilon=epsilon) is growing


def test_an_end_too_near_to_the_zero_bounds_nothing():
    path, direction = RisingPath(0.3, 0.9, -0.5, 0.5), acb(0, 1)
    for low, high in ((1.0, 12.0), (-8.0, 0.4), (-8.0, -0.6)):
        assert not RotatedMixture(HALF, 1).rise_along(PathRule(path, low, high), direction).is_finite()
