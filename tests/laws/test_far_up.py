"""Moments nearly as large as (1−q)^{−n}, as rare sampling without the record has them: what moving the line off the real axis costs."""

import cmath
import math
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds import accounting
from dpbounds.accounting.bounds.near_one import near_one
from dpbounds.laws.factors import AtomicFactor
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.paths import decay
from dpbounds.laws.paths.bromwich_nodes import Grid
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
    assert near_one(lambda: factors, Fraction(1), 8).upper == 1
    assert near_one(lambda: factors, Fraction(1), 8, lambda: arb("1e-3")) is None


def log_integrand(mixture, x, s, turn):
    """log|φu^{1+x}v^{−x}| at s + i·turn·σ in floats, from the definition."""
    q, sigma = float(mixture.q), float(mixture.sigma)
    found = -s * s / 2 - math.log(2 * math.pi) / 2
    for present, sign, power in ((mixture.numerator, 1, 1 + x), (mixture.denominator, -1, -x)):
        if present:
            found += power * math.log(abs(1 - q + q * cmath.exp(sign * s / sigma - 1 / (2 * sigma**2) + 1j * turn)))
    return found


def of(rate, sigma, numerator, denominator):
    return Mixture(Fraction(rate), Fraction(sigma), numerator=numerator, denominator=denominator)


SHIFTED = {
    "add": (of("1/100", 1, False, True), 300.0, 1.0),
    "add, nearly the largest loss": (of("1/100", 100, False, True), 1000.0, 1.0),
    "substitute": (of("1/1000", 2, True, True), 30.0, 0.8),
    "substitute, much noise": (of("1/100", 100, True, True), 1000.0, 1.0),
    "remove, a negative order": (of("1/100", 1, True, False), -301.0, 1.0),
    "beyond a right angle": (of("1/2", 2, False, True), 3.0, 2.2),
    "nearly up to the zero": (of("1/2", 1, False, True), 20.0, 2.9),
    "substitute, little noise": (of("1/100", "1/2", True, True), 5.0, 1.2),
}


@pytest.mark.parametrize(("mixture", "x", "turn"), SHIFTED.values(), ids=SHIFTED)
def test_the_integral_off_the_real_line(mixture, x, turn):
    """∫|f(s+ia)| against the bound times ∫f, by sums; near the largest loss no smaller factor would do."""
    places = [n / 50 for n in range(-1500, 1501)]
    plain, moved = (math.fsum(math.exp(log_integrand(mixture, x, s, at)) for s in places) for at in (0, turn))
    with precision(64):
        bound = float(mixture.denominator_loss(arb(turn) * arb(float(mixture.sigma)), arb(x), pointwise=False).log())
    assert math.log(moved / plain) <= bound + 1e-9
    if mixture == SHIFTED["add, nearly the largest loss"][0]:
        assert bound < 1.02 * math.log(moved / plain)


@pytest.mark.parametrize("turn", [0.5, 1.5, 2.9])
@pytest.mark.parametrize(("mixture", "x"), [(of("1/2", 1, False, True), 7.0), (of("1/100", 1, False, True), 1000.0)])
def test_a_point_off_the_real_line(mixture, x, turn):
    """v is least against its value on the real line where both of its terms are the same; there the bound is met."""
    met = math.log(mixture.q / (1 - mixture.q)) - 0.5
    with precision(64):
        bound = float(mixture.denominator_loss(arb(turn), arb(x), pointwise=True).log())
    costs = [log_integrand(mixture, x, s, turn) - log_integrand(mixture, x, s, 0) for s in (met - 1, met, met + 1)]
    assert max(costs) <= bound + 1e-9 and abs(costs[1] - bound) < 1e-9


@pytest.mark.parametrize("ends", [(-5, 40), (0, 40), (-40, -1), (-40, 1), (-40, 3)])
@pytest.mark.parametrize(("mixture", "x", "turn"), SHIFTED.values(), ids=SHIFTED)
def test_nodes_left_out_off_the_real_line(mixture, x, turn, ends):
    """Their sum, of |φ(s)u(s+ia)^{1+x}v(s+ia)^{−x}|, against `shifted_tails`."""
    grid = Grid(0.0625, 16 * ends[0], 16 * ends[1])
    left_out = [n / 16 for n in range(-240, 241) if not grid.first <= n <= grid.last]
    omitted = math.fsum(math.exp(log_integrand(mixture, x, s, turn)) for s in left_out) / 16
    with precision(64):
        bound = decay.shifted_tails(mixture, grid, arb(x), arb(turn) * arb(float(mixture.sigma)))
    assert omitted <= float(bound.upper()) * (1 + 1e-9)
