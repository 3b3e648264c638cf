"""The Gaussian blanket around the branch cut: the definition by other ways, and what each error term is for."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import acb, arb
from mpmath.calculus.quadrature import GaussLegendre

from dpbounds import Shuffled, accounting
from dpbounds.errors import PrecisionError
from dpbounds.numbers.balls import precision
from dpbounds.numbers.gauss_legendre import panel_error
from dpbounds.numbers.inputs import exact_ball
from dpbounds.shuffle import gaussian, hankel
from dpbounds.shuffle.blanket import Region
from dpbounds.shuffle.gaussian import BlanketLeg, GaussianSummand
from dpbounds.shuffle.hankel import BlanketModel, SingleMessages, SlantedMessages
from dpbounds.shuffle.noise import noise_delta


def two_users(sigma, epsilon):
    """E(X + X′)₊/2 from the definition: the inner mean by Φ, the outer one by quadrature in t."""
    sigma, epsilon = mpmath.mpf(sigma), mpmath.mpf(epsilon)
    level, half = mpmath.exp(epsilon), 1 / (2 * sigma)

    def upper(power, t):
        """∫_t^∞ e^{power·t}ρ."""
        return mpmath.ncdf(power / sigma - half - sigma * t)  # e^t ρ(t) = σφ(σt − 1/(2σ))

    none = 1 - 2 * mpmath.ncdf(-half)

    def inner(v):
        start = mpmath.log(max(1, level - v))
        found = upper(1, start) + (v - level) * upper(0, start) + none * max(v, 0)
        if 1 + v > level:
            end = mpmath.log((1 + v) / level)
            found += (1 + v) * (upper(0, 0) - upper(0, end)) - level * (upper(1, 0) - upper(1, end))
        return found

    kinks = sorted({mpmath.mpf(0), *(mpmath.log(x) for x in (level, 2 * level - 1) if x > 1), 30 / sigma + epsilon})
    rule, outer = GaussLegendre(mpmath.mp).calc_nodes(4, 90), mpmath.mpf(0)
    for start, end in zip(kinks, kinks[1:], strict=False):
        pieces = max(1, int((end - start) * sigma / 2))
        for k in range(pieces):
            low, width = start + (end - start) * k / pieces, (end - start) / pieces
            for node, weight in rule:
                t = low + width * (1 + node) / 2
                both = inner(mpmath.exp(t) - level) + inner(1 - level * mpmath.exp(t))
                outer += width * weight / 2 * sigma * mpmath.npdf(half + sigma * t) * both
    return (outer + none * inner(mpmath.mpf(0))) / 2


@pytest.mark.parametrize(("sigma", "epsilon"), [("0.5", "0.5"), ("1", "15"), pytest.param("20", "0.5", marks=pytest.mark.slow)])
def test_two_users_by_quadrature(sigma, epsilon):
    with mpmath.workdps(25):
        truth = mpmath.nstr(two_users(sigma, epsilon), 20)
    with precision(115):
        found = noise_delta(2, "gaussian", exact_ball(Fraction(sigma)), exact_ball(Fraction(epsilon), spare=100))
        assert found.rel_accuracy_bits() > 50 and abs(found / arb(truth) - 1) < arb("1e-15")


@pytest.mark.parametrize(("users", "sigma", "epsilon"), [(1000, 0.5, 1.0), (300, 1.0, 0.2), (20, 0.8, 0.5), (100, 1.0, 0.5)])
def test_on_the_imaginary_axis(users, sigma, epsilon):
    """½E S + (1/π)∫(1 − Re M(iy)ⁿ)dy/y² in floats, y = e^u by the trapezoid, M by Gauss–Legendre rules on the real line."""
    level, half = math.exp(epsilon), 1 / (2 * sigma)
    node, weight = np.polynomial.legendre.leggauss(24)
    places = [(low + w * (1 + node) / 2, w * weight / 2) for low, w in ((k * 0.05, 0.05) for k in range(int(9 / sigma / 0.05)))]
    t, mass = (np.concatenate(rows) for rows in zip(*places, strict=True))
    mass = mass * sigma * np.exp(-((half + sigma * t) ** 2) / 2) / math.sqrt(2 * math.pi)
    none, total, step = 1 - 2 * mass.sum(), 0.0, 0.125
    for u in np.arange(-22, 6, step):  # beyond e^6 the term is 1/y² up to (1 − γ)ⁿ
        y = math.exp(u)
        moment = none + (mass * (np.exp(1j * y * (np.exp(t) - level)) + np.exp(1j * y * (1 - level * np.exp(t))))).sum()
        total += step * (1 - (moment**users).real) / y
    total += math.exp(-(6 - step / 2))
    truth = (users * (1 - level) / 2 + total / math.pi) / users
    with precision(100):
        assert abs(float(noise_delta(users, "gaussian", arb(sigma), arb(epsilon)).mid()) / truth - 1) < 3e-3


@pytest.mark.parametrize(
    ("users", "sigma", "epsilon"), [(1000, "0.5", 1), (10**6, "0.5", 27), (10**6, "1", "0.01"), (10**6, "5", "0.003"), (10, "2", "0.2")]
)
def test_fifteen_digits(users, sigma, epsilon):
    found = accounting.delta(Shuffled(users, sigma, 2, "any", "gaussian"), epsilon, digits=15).enclosure
    assert found.meets(15)


def pieces(users=1000, sigma="1", epsilon="0.2"):
    """Both integrals at the current precision."""
    law = GaussianSummand(arb(sigma), arb(epsilon).exp())
    given = law, users, BlanketModel(law, users).plan(40.0), 40.0
    return SingleMessages(*given), SlantedMessages(*given)


def test_what_lies_below_is_needed():
    with precision(115):
        single, _ = pieces()
        truth = single.total()
        for s in (5.0, 8.0):
            short = replace(single, plan=replace(single.plan, tail=s))
            start = math.log(float(short.law.kappa(s).mid())) - s
            shortened = short.integral(start, 0.2, 0.4, single.plan.log_c, lambda high: arb.pos_inf())
            assert not shortened.overlaps(truth) and abs(shortened - truth) < short.below(start)


@pytest.mark.parametrize(
    ("users", "sigma", "epsilon", "slanted"), [(1000, "1", "0.2", False), (20, "1", "0.2", True), (10**6, "2", "0.005", False)]
)
def test_what_lies_beyond_is_needed(users, sigma, epsilon, slanted):
    with precision(115):
        _, many = pieces(users, sigma, epsilon)
        truth = many.total()
        assert bool(many.direction.real > 0) == slanted
        rest = many.above()
        for panels in (2, 4):
            ends = []

            def stop(high, ends=ends, panels=panels):
                ends.append(high)
                return arb(0) if len(ends) == panels else arb.pos_inf()

            width = min(many.plan.width, math.exp(many.plan.log_c) / 3)
            short = many.integral(0.0, width, math.inf, 1e9, stop)
            assert (short + arb(0, rest(ends[-1]).upper())).overlaps(truth)
            assert panels > 2 or not short.overlaps(truth)


@pytest.mark.parametrize("index", [0, 1])
def test_the_errors_of_panels_are_needed(index):
    """What a rule of few nodes misses is not nothing, and below the bound for it."""
    with precision(115):
        piece = pieces()[index]
        low, high = (-4.0, -3.6) if index == 0 else (0.0, 0.02)
        panel, value = piece.panel(low, high)
        bound, _ = piece.around(low, high)

        def by(order):
            return sum((weight * value(node) for node, weight in replace(panel, order=order).nodes()), arb(0))

        for order in (1, 2, 4):
            missed = abs(by(order) - by(panel.order))
            assert arb("1e-15") < missed < panel_error(panel.half, bound, order)


def test_the_errors_of_paths_are_needed():
    coarse = arb("1e-7")
    with precision(115):
        single, many = pieces()
        region, node = single.region(-4.0, -3.6), arb("-3.7")
        path = single.law.path(single.law.straight(0.0247), region, coarse, coarse)
        truth = single.value(single.path(region), node)
        assert single.value(path, node).overlaps(truth)
        assert not single.value(replace(path, kept_error=arb(0), turned_error=arb(0)), node).overlaps(truth)
        region, z = Region.box(acb("0.2", "0.01"), acb(0, 1), arb("0.01")), acb("0.2", "0.012")
        truth, path = many.law.around(region, arb("1e-22"))[1](z), many.law.path(many.law.legs(region), region, coarse, coarse)
        assert many.law.around(region, coarse)[1](z).overlaps(truth)
        assert not sum(((z * x).exp() * mass for x, mass in path.kept + path.turned), acb(0)).overlaps(truth)


def test_bounds_on_regions():
    """|M| and |T| at points of a sector and of a box lie below the sums at corners, and |ρe^{zX}| below the bound on an ellipse."""
    with precision(100):
        law = GaussianSummand(arb(1), arb("0.1").exp())
        boxes = [Region.box(acb("0.1", "0.5"), acb(0, 1), arb("0.05")), Region.box(acb(2, 3), acb("0.6", "0.8"), arb("0.5"))]
        for region in (Region.sector(arb("0.02"), arb("0.05"), arb("0.4")), *boxes):
            legs = law.straight(0.035) if region.angle[0] < 0 else law.legs(region)
            path = law.path(legs, region, arb("1e-25"), arb("1e-25"))
            middle = sum(region.corners, acb(0)) / 4
            for z in (middle, *((9 * middle + 4 * corner) / 13 for corner in region.corners)):
                for points in (path.kept, path.turned):
                    assert abs(sum(((z * x).exp() * mass for x, mass in points), acb(0))) <= region.worst(points)
                for leg in legs:
                    for low, high in ((0.0, 0.2), (0.3, 0.4)):
                        real, turn = leg.box(low, high)
                        for t in (acb(a, b) for a in real for b in turn):
                            value = (t.exp() - law.level) if leg.positive else (1 - law.level * t.exp())
                            assert abs(law.density(t) * (z * value).exp()) <= law.largest(leg, region, low, high) * (1 + arb("1e-20"))


def test_bounds_on_the_vertical_ray():
    """Of T by C and D, of the law that is cut by its moments and by parts, against sums over a path."""
    with precision(100):
        _, many = pieces()
        law, c = many.law, many.c
        top, stop = law.cut(c, many.fine)
        constant, falls = ((-c * law.level).exp() * law.density(stop) * size for size in law.turned(c * stop.exp(), stop))
        by_parts = law.by_parts(c, stop)
        for y in (arb("0.01"), arb("0.1"), arb(1), arb(10)):
            z = acb(c, y)
            cut = _quadrature(law, z, float(stop.mid()))
            whole = _moment(law, z)
            assert abs(whole - cut) <= constant.min(falls / y) + arb("1e-11")
            assert abs(cut) <= law.none + by_parts / y
            for reach in (arb.pi() / (2 * y), arb.pi() / (8 * y)):
                lost = (-2 * c * reach).exp() * (2 * y / arb.pi()) ** 2 * law.variance(reach, (stop, arb.pos_inf()), [])
                assert abs(cut) ** 2 <= top**2 - lost + arb("1e-11")


def _moment(law, z):
    """M(z), by a path of its own."""
    region = Region.box(z, acb(0, 1), abs(z) * arb("1e-3"))
    path = law.path(law.legs(region), region, arb("1e-22"), arb("1e-22"))
    return sum(((z * x).exp() * mass for x, mass in path.kept + path.turned), acb(law.none))


def _quadrature(law, z, stop):
    """M(z) of the law that is cut at `stop`, in floats on the real line."""
    level, half, sigma, point = (
        float(law.level.mid()),
        float(law.half.mid()),
        float(law.sigma.mid()),
        complex(float(z.real.mid()), float(z.imag.mid())),
    )
    found = complex(float(law.none.mid()))
    node, weight = np.polynomial.legendre.leggauss(24)
    for end, value in ((stop, lambda t: np.exp(t) - level), (8.0, lambda t: 1 - level * np.exp(t))):
        edges = np.linspace(0, end, 4000)
        t = (edges[:-1, None] + edges[1:, None]) / 2 + np.diff(edges)[:, None] / 2 * node
        mass = np.diff(edges)[:, None] / 2 * weight * sigma * np.exp(-((half + sigma * t) ** 2) / 2) / math.sqrt(2 * math.pi)
        found += (mass * np.exp(point * value(t))).sum()
    return acb(found.real, found.imag)


@pytest.mark.parametrize(("sigma", "epsilon"), [("10", "0"), ("1", "0"), ("0.5", "0.1")])
def test_what_lies_beyond_is_bounded_closely(sigma, epsilon):
    """Wide noise turns little, and |ρ| grows much where it does: so the paths turn as little as they may."""
    with precision(80):
        _, many = pieces(3, sigma, epsilon)
        for far in (0.5, 5.0, 60.0):
            truth = abs(many.around(far, far * (1 + 1e-9))[1](arb(far))) * far  # the integrand, as if it fell like 1/r²
            assert truth < many.aslant(far)
        assert many.aslant(1e12) < 1e-6


def test_a_ray_has_no_end_of_its_own(monkeypatch):
    """At ε = 0 the tail falls like 1/r² alone: no bound but that of the tail may end the ray."""
    with precision(85):
        truth = noise_delta(2, "gaussian", arb(1), arb(0))
        monkeypatch.setattr(hankel, "_FAR", 100.0)
        assert noise_delta(2, "gaussian", arb(1), arb(0)).overlaps(truth)


@pytest.mark.parametrize(("sigma", "size", "angle", "past"), [(1.0, 3.0, 0.9, 0.8), (6.0, 90.0, 1.1, 0.6), (4.0, 0.1, 0.3, 1.0)])
def test_the_growth_on_the_path_beyond_a_slanted_ray(sigma, size, angle, past):
    """∫|ρ(t)e^{z(e^t − 1)}dt| on e^t = 1 + qe^{ia}: 2 is enough for the growth of |ρ| far out, e^{(σa)²/2} nearer; there 2 is not."""
    bend = math.pi / 2 - angle + past
    width = 12 / (size * math.sin(past)) / 40_000
    q = (np.arange(40_000) + 0.5) * width
    grown = 1 + q * np.exp(1j * bend)
    t = np.log(grown)
    assert (abs(grown) >= math.sin(angle)).all() and (t.imag <= bend).all()
    mass = abs(np.exp(-((1 / (2 * sigma) + sigma * t) ** 2) / 2 + size * np.exp(1j * angle) * (grown - 1)) / grown).sum() * width
    scale = 1 / (size * math.sin(past) * math.sin(angle))
    far = bend <= math.pi / 2 and size * math.sin(past) >= sigma**2 * bend
    assert mass <= (2 if far else math.exp((sigma * bend) ** 2 / 2)) * scale
    assert far or mass > 2 * scale


@pytest.mark.parametrize("rise", [0.0, 0.4, 1.2, math.pi / 2])
def test_the_box_around_the_ellipse_of_a_panel(rise):
    with precision(60):
        leg = BlanketLeg(acb("0.3", "0.1"), acb(arb(rise).cos(), arb(rise).sin()), None, True, True)
        real, turn = leg.box(0.2, 0.5)
    around = np.exp(1j * np.linspace(0, 2 * np.pi, 2000))
    t = 0.3 + 0.1j + np.exp(1j * rise) * (0.35 + 0.15 * (3 * around + 1 / (3 * around)) / 2)
    for part, (low, high) in ((t.real, real), (t.imag, turn)):
        assert float(low) - 1e-9 <= part.min() <= float(low) + 1e-4 and float(high) - 1e-4 <= part.max() <= float(high) + 1e-9


@pytest.mark.parametrize(("users", "sigma", "epsilon"), [(3, "6", "0.1"), (20, "2", "0.8")])
def test_every_way_has_the_same_moments(users, sigma, epsilon, monkeypatch):
    with precision(95):
        found = noise_delta(users, "gaussian", arb(sigma), arb(epsilon))
        for name, other in (("_RISES", (0.6, 1.4)), ("_SHARES", (0.2, 0.7)), ("_PAST", (0.2, 0.5)), ("_STOPS", (0.1, 0.9))):
            monkeypatch.setattr(gaussian, name, other)
        again = noise_delta(users, "gaussian", arb(sigma), arb(epsilon))
        assert again.rel_accuracy_bits() > 25 and again.mid() != found.mid() and again.overlaps(found)


@pytest.mark.parametrize(
    ("users", "sigma", "epsilon"), [(100, "1", "0.5"), (100, "1", "0.8"), (1000, "0.85", "0.5"), (50, "2", "0.8"), (20, "3", "0.3")]
)
def test_another_end_of_the_cut_has_the_same_value(users, sigma, epsilon):
    """Where c was chosen next to the point beyond which no leg is real, sums over legs were no bound on |M|ⁿ of any use."""
    with precision(115):
        law = GaussianSummand(arb(sigma), arb(epsilon).exp())
        plan = BlanketModel(law, users).plan(40.0)
        first, second = (
            SingleMessages(*given).total() + SlantedMessages(*given).total()
            for given in ((law, users, replace(plan, log_c=plan.log_c - less), 40.0) for less in (0.0, 0.3))
        )
        assert first.overlaps(second) and first.mid() != second.mid() and min(first.rel_accuracy_bits(), second.rel_accuracy_bits()) > 51


@pytest.mark.parametrize(("users", "sigma"), [(10**6, "1"), (10**9, "5")])
def test_many_users_keep_the_real_leg_at_epsilon_0(users, sigma):
    found = accounting.delta(Shuffled(users, sigma, others="any", randomizer="gaussian"), 0).enclosure
    assert found.meets(15)


def test_a_path_that_has_no_end_is_given_up_early(monkeypatch):
    asked = []
    monkeypatch.setattr(GaussianSummand, "path", lambda *given: asked.append(1) or (_ for _ in ()).throw(PrecisionError("none")))
    with precision(105), pytest.raises(PrecisionError, match="too long a contour"):
        SlantedMessages(GaussianSummand(arb(1), arb(1)), 3, hankel.Plan(0.0, 1.0, -1.0, 2.0), 30.0).total()
    assert len(asked) <= 25


def test_many_digits_take_rules_of_more_nodes():
    with precision(170):
        law, reach = GaussianSummand(arb("0.859"), arb("0.0176").exp()), 79.0
        single = SingleMessages(law, 32, BlanketModel(law, 32).plan(reach), reach)
        start = single.plan.log_c - 0.5
        assert single.integral(start, 0.25, 0.4, single.plan.log_c, lambda high: arb.pos_inf()).rel_accuracy_bits() > 110
