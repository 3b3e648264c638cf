"""Blankets of Laplace and Gaussian noise: mpmath from the definition in v, and what each error term is for."""

import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from flint import acb, arb
from mpmath.calculus.quadrature import GaussLegendre

from dpbounds import Gaussian, Laplace, accounting
from dpbounds.errors import InputError, PrecisionError
from dpbounds.numbers.balls import precision
from dpbounds.numbers.gauss_legendre import Panel, panel_error
from dpbounds.numbers.inputs import exact_ball
from dpbounds.shuffle.blanket import ManyMessages, Plan, Region
from dpbounds.shuffle.laplace import LaplaceSummand
from dpbounds.shuffle.mechanism import Shuffled
from dpbounds.shuffle.noise import approx_log_noise_delta, noise_delta
from dpbounds.shuffle.positive_part import approx_saddle


def from_the_definition(randomizer, users, parameter, epsilon, c):
    """(1/n)·(1/2πi)∫(1 − γ + ∫ω e^{zX}dv)ⁿ z^{−2}dz with ω = min(p_0, p_1), all in v; the trapezoid's aliases are beyond its digits."""
    scale, level = mpmath.mpf(parameter), mpmath.exp(mpmath.mpf(epsilon))
    if randomizer == "laplace":
        density, reach = (lambda v, x: scale / 2 * mpmath.exp(-scale * abs(v - x))), 45 / scale
    else:
        density, reach = (lambda v, x: mpmath.npdf(v, x, scale)), 9 * scale
    away = [reach * mpmath.mpf(i) / 8 for i in range(1, 9)]
    ends = [-far for far in reversed(away)] + [0, mpmath.mpf(1) / 2, 1] + [1 + far for far in away]
    rule, places = GaussLegendre(mpmath.mp).calc_nodes(4, 120), []
    for low, high in zip(ends, ends[1:], strict=False):
        for node, weight in rule:
            v = (high - low) / 2 * node + (high + low) / 2
            both = density(v, 0), density(v, 1)
            mass = weight * (high - low) / 2 * min(both)
            if mass > mpmath.mpf("1e-45"):
                places.append((mass, (both[0] - level * both[1]) / min(both)))
    gamma, step, total, j = mpmath.fsum(mass for mass, _ in places), mpmath.mpf(c) / 20, mpmath.mpf(0), 0
    while True:
        z = mpmath.mpc(c, step * j)
        term = ((1 - gamma + mpmath.fsum(mass * mpmath.exp(z * value) for mass, value in places)) ** users / z**2).real
        total += term if j else term / 2
        if j > 25 and abs(term) < abs(total) * mpmath.mpf("1e-20"):
            return total * step / mpmath.pi / users
        j += 1


@pytest.mark.parametrize(
    ("randomizer", "users", "parameter", "epsilon", "c"), [("laplace", 1000, "1", "0.1", 0.12), ("gaussian", 100_000, "2", "0.012", 0.03)]
)
def test_from_the_definition(randomizer, users, parameter, epsilon, c):
    with mpmath.workdps(32):
        truth = from_the_definition(randomizer, users, parameter, epsilon, c)
    with precision(118):
        found = noise_delta(users, randomizer, arb(parameter), arb(epsilon))
        assert found.rel_accuracy_bits() > 53
        assert abs(found / arb(mpmath.nstr(truth, 25)) - 1) < arb("1e-14")


@pytest.mark.parametrize(
    ("randomizer", "parameter", "epsilon"), [("laplace", "1.1", "0.01"), ("laplace", "4", "0.05"), ("gaussian", "3", "0.002")]
)
def test_precisions_agree(randomizer, parameter, epsilon):
    found = []
    for bits in (100, 130):
        with precision(bits):
            found.append(noise_delta(1_000_000, randomizer, arb(parameter), arb(epsilon)))
    assert found[0].overlaps(found[1]) and found[1].rel_accuracy_bits() > found[0].rel_accuracy_bits() > 40


def by_quadrature(local, level, z):
    """M(z) − (1 − γ) from the density and the atoms."""
    local, z = mpmath.mpf(local), mpmath.mpc(*z)
    values = [lambda t: mpmath.exp(t) - level, lambda t: 1 - level * mpmath.exp(t)]
    ends = [local * k / 12 for k in range(13)]
    parts = [mpmath.quad(lambda t, x=x: mpmath.exp(-(t + local) / 2 + z * x(t)) / 4, ends) for x in values]
    return mpmath.fsum(parts) + mpmath.exp(-local) / 2 * mpmath.fsum(mpmath.exp(z * x(local)) for x in values)


@pytest.mark.parametrize(("local", "z"), [("1.3", (0.02, 0)), ("1.3", (-0.3, 0)), ("1.3", (0.1, 7)), ("5", (0.001, 0.3)), ("0.1", (0, 60))])
def test_the_closed_form(local, z):
    with mpmath.workdps(30):
        truth = by_quadrature(local, mpmath.exp(mpmath.mpf("0.1")), z)
    with precision(110):
        law = LaplaceSummand(arb(local), arb("0.1").exp())
        found = law.side(acb(*z)) - acb(arb(mpmath.nstr(truth.real, 28)), arb(mpmath.nstr(truth.imag, 28)))
        assert abs(found) < arb("1e-22") * (1 + abs(truth.real)) and found.real.rad() < 1e-22


def test_mean_and_masses():
    with precision(150):
        law, h = LaplaceSummand(arb("1.3"), arb("0.1").exp()), arb(2) ** -30
        assert abs(law.side(acb(0)).real + law.none - 1) < arb("1e-30")
        assert abs((law.side(acb(h)) - law.side(acb(-h))).real / (2 * h) - (1 - law.level)) < arb("1e-15")
        assert abs(2 * law.masses(arb(0), law.local)[0] + 2 * law.atoms[0][1] - law.share) < arb("1e-30")


def many(users=1000, local="1", epsilon="0.1", reach=40.0):
    """The integral at the current precision."""
    law = LaplaceSummand(arb(local), arb(epsilon).exp())
    rate, curvature, size = approx_saddle(law.approx_values(), users)
    return ManyMessages(law, users, Plan(math.log(rate), 1 / math.sqrt(curvature), size), reach)


@pytest.mark.parametrize("after", [3, 6])
def test_what_lies_beyond_is_needed(after):
    with precision(110):
        line = many()
        truth, ends = line.total(), []

        def stop(high):
            ends.append(high)
            return arb(0) if len(ends) == after else arb.pos_inf()

        short = line.integral(0.0, line.plan.width / 4, 1e9, stop)
        assert not short.overlaps(truth)
        assert (short + arb(0, line.beyond()(ends[-1]).upper())).overlaps(truth)


def test_the_errors_of_panels_are_needed():
    with precision(110):
        line = many()
        panel, (bound, value) = Panel(0.0, line.plan.width, 40, arb(0), arb(0)), line.around(0.0, line.plan.width)

        def by(order):
            return sum((weight * value(node) for node, weight in replace(panel, order=order).nodes()), arb(0))

        for order in (1, 2, 4):
            assert arb("1e-17") * abs(by(4)) < abs(by(order) - by(panel.order)) < panel_error(panel.half, bound, order)


def test_bounds_on_regions_and_on_the_ray():
    """|M − (1 − γ)| in a box; and at height y by parts, where the atoms count, and by the moments of small X, where they all count."""
    with precision(100):
        line = many(local="2")
        law, c = line.law, arb("0.05")
        region = Region.box(acb(c, 3), acb(0, 1), arb("0.2"))
        bound, moment = law.around(region, arb(0))
        assert all(abs(moment(z)) < bound for z in region.corners)
        top, atoms, by_parts, turned, variance = law.upwards(c, arb(0))
        assert turned == (0, 0)
        for y in (arb("0.01"), arb("0.3"), arb(2), arb(10), arb(200)):
            whole = abs(law.none + law.side(acb(c, y)))
            assert whole <= law.none + atoms + by_parts / y
            for reach in (arb.pi() / (2 * y), arb.pi() / (8 * y)):
                assert whole**2 <= top**2 - (-2 * c * reach).exp() * (2 * y / arb.pi()) ** 2 * variance(reach)
        heights = [acb(c, arb(2000) + arb(k) / 10) for k in range(40)]
        assert max(abs(law.side(z)) for z in heights) > by_parts / 2000  # without the atoms it is false
        few = many(local="0.2").law.upwards(c, arb(0))
        assert few[4](arb(1)) > 9 * many(local="0.2").law.variance(arb(1), (arb("0.2"), arb("0.2")), [])


@pytest.mark.parametrize("c", ["0.05", "1.5"])
def test_both_ends_count_by_parts(c):
    """Near the start of the law, and where e^{cX} is largest at its end: y·|∫| exceeds the share of the other end."""
    with precision(100):
        law = LaplaceSummand(arb(2), arb("0.1").exp())
        found = law.upwards(arb(c), arb(0))[2]
        start, end = ((law.share / 4 * (arb(c) * (t.exp() - law.level) - 3 * t / 2).exp()) for t in (arb(0), law.local))
        assert abs(2 * (start + end) + 2 * start / law.level - found) < arb("1e-25")
        sizes = []
        for k in range(60):
            z = acb(arb(c), 500 + arb(k) / 25)
            atoms = sum((mass * (z * value).exp() for value, mass in law.atoms), acb(0))
            sizes.append(abs(law.side(z) - atoms) * z.imag)
        assert all(size <= found for size in sizes)
        assert any(size > (2 * end if c == "0.05" else 2 * start + 2 * start / law.level) for size in sizes)


def test_a_box_needs_both_ends_of_its_real_part():
    """M falls left of its least value, and rises right of it."""
    with precision(100):
        law = LaplaceSummand(arb(1), arb("0.5").exp())
        for middle in ("0.2", "20"):
            region = Region.box(acb(arb(middle)), acb(0, 1), arb("0.1"))
            first, last = (law.side(acb(x)).real for x in region.real)
            bound, moment = law.around(region, arb(0))
            assert moment(acb(arb(middle))).real < bound and (first > last if middle == "0.2" else last > first)
            assert bound >= first and bound >= last


def test_refusals():
    with pytest.raises(InputError, match="blanket bound only"):
        Shuffled(1000, 1, randomizer="laplace", others="0")
    with precision(100), pytest.raises(PrecisionError, match="more users"):
        noise_delta(1000, "laplace", arb(20), arb("0.1"))


@pytest.mark.parametrize(("randomizer", "parameter"), [("laplace", "1.25"), ("gaussian", "0.8")])
def test_the_blanket_of_one_user_is_the_delta_of_the_noise(randomizer, parameter):
    known = accounting.delta(Laplace("0.8") if randomizer == "laplace" else Gaussian("0.8"), "0.3", digits=12)
    found = accounting.delta(Shuffled(1, parameter, 2, "any", randomizer), "0.3", digits=12)
    assert found.enclosure.lower <= known.enclosure.upper and known.enclosure.lower <= found.enclosure.upper
    assert accounting.delta(Shuffled(1, parameter, 2, "any", "laplace"), 2, digits=5).enclosure.upper == 0


def test_a_long_ray_is_refused_before_it_is_summed(monkeypatch):
    monkeypatch.setattr(ManyMessages, "integral", None)
    with precision(100), pytest.raises(PrecisionError, match="too long a contour"):
        noise_delta(60, "laplace", arb(20), arb("0.1"))


@pytest.mark.parametrize(("users", "sigma", "epsilon", "off"), [(100_000, "2", "0.012", 0.5), (10_000, "2", "0.0821", 0.05)])
def test_the_size_in_floats(users, sigma, epsilon, off):
    """By the saddle, or by one summand that outweighs the mean of all."""
    with precision(80):
        found = noise_delta(users, "gaussian", arb(sigma), exact_ball(Fraction(epsilon), spare=200))
        estimate = approx_log_noise_delta(users, "gaussian", arb(sigma), arb(epsilon))
        assert found > 0 and found.rel_accuracy_bits() > 20
        assert abs(estimate - float(found.log().mid())) < off
