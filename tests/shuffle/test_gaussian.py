"""The Gaussian blanket around the branch cut: the definition by other ways, and what each error term is for."""

import cmath
import math
import random
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
from dpbounds.numbers.gauss_legendre import Panel, panel_error
from dpbounds.numbers.inputs import exact_ball
from dpbounds.shuffle import blanket, gaussian
from dpbounds.shuffle.blanket import ManyMessages, Plan, Region
from dpbounds.shuffle.gaussian import BlanketLeg, GaussianSummand
from dpbounds.shuffle.noise import BlanketModel, SingleMessages, noise_delta


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


PAST = (0.01, 0.03, 0.1, 0.3, 1.0)
"""Of an angle beyond a right one."""


def pieces(users=1000, sigma="1", epsilon="0.2"):
    """Both integrals at the current precision."""
    law = GaussianSummand(arb(sigma), arb(epsilon).exp())
    given = law, users, BlanketModel(law, users).plan(40.0), 40.0
    return SingleMessages(*given), ManyMessages(*given)


def test_what_lies_below_is_needed():
    with precision(115):
        single, _ = pieces()
        truth = single.total()
        for s in (5.0, 8.0):
            start = math.log(float(single.law.kappa(s).mid())) - s
            shortened = single.integral(start, 0.4, single.plan.log_c)
            assert not shortened.overlaps(truth) and abs(shortened - truth) < single.below(start)


@pytest.mark.parametrize(
    ("users", "sigma", "epsilon", "slanted"), [(1000, "1", "0.2", False), (20, "1", "0.2", True), (10**6, "2", "0.005", False)]
)
def test_what_lies_beyond_is_needed(users, sigma, epsilon, slanted):
    with precision(115):
        _, many = pieces(users, sigma, epsilon)
        truth = many.total()
        assert bool(many.direction.real > 0) == slanted
        rest = many.beyond()
        for panels in (2, 4):
            ends = []

            def stop(high, ends=ends, panels=panels):
                ends.append(high)
                return arb(0) if len(ends) == panels else arb.pos_inf()

            width = min(many.plan.width, math.exp(many.plan.log_c) / 3)
            short = many.integral(0.0, 2 * width, 1e9, stop)
            assert (short + arb(0, rest(ends[-1]).upper())).overlaps(truth)
            assert panels > 2 or not short.overlaps(truth)


@pytest.mark.parametrize("index", [0, 1])
def test_the_errors_of_panels_are_needed(index):
    """What a rule of few nodes misses is not nothing, and below the bound for it."""
    with precision(115):
        piece = pieces()[index]
        low, high = (-4.0, -3.6) if index == 0 else (0.0, 0.02)
        panel, (bound, value) = Panel(low, high, 40, arb(0), arb(0)), piece.around(low, high)

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


def regions(source):
    """Sectors and boxes of z of all sizes, and points of each, its corners among them."""
    size, turn, half = 10 ** source.uniform(-1.5, 1), source.uniform(0, 1.5), source.uniform(0.02, 0.5)
    if source.random() < 0.3:
        low, high, angle = size, size * (1 + half), half
        places = [r * cmath.exp(1j * a) for r in (low, high) for a in np.linspace(-angle, angle, 5)]
        return Region.sector(arb(low), arb(high), arb(angle)), places
    middle, rise = size * cmath.exp(1j * turn), cmath.exp(1j * source.uniform(0, 1.5))
    region = Region.box(acb(middle), acb(rise), arb(half * size / 3))
    return region, [middle, *(complex(float(z.real.mid()), float(z.imag.mid())) for z in region.corners)]


def test_the_largest_integrand_on_a_box():
    """|ρ(t)|, which falls with Re t and grows with Im t, and Re zX on both sides, at places of boxes; some bounds are met nearly."""
    source, least = random.Random(41), {True: math.inf, False: math.inf}
    with precision(53):
        for _ in range(250):
            sigma, level = source.choice((0.6, 1.0, 3.0)), source.choice((1.0, 1.5, 4.0))
            law, positive = GaussianSummand(arb(sigma), arb(level)), source.random() < 0.5
            region, places = regions(source)
            start, rise = source.choice((0.0, 0.7, 1.5)), source.choice((0.0, 0.5, 1.2, math.pi / 2))
            leg = BlanketLeg(
                acb(start, source.uniform(-0.5, 1)), acb(math.cos(rise), math.sin(rise) * (1 if positive else -1)), None, positive, True
            )
            low, width = source.uniform(0, 0.6), source.choice((0.01, 0.1, 0.4))
            (left, right), (down, up) = ((float(low.mid()), float(high.mid())) for low, high in leg.box(low, low + width))
            found = float(law.largest(leg, region, low, low + width).upper())
            points = [complex(x, y) for x in np.linspace(left, right, 5) for y in np.linspace(down, up, 5)]
            exponents = [(z * (cmath.exp(t) - level if positive else 1 - level * cmath.exp(t))).real for z in places for t in points]
            sizes = [-(((1 / (2 * sigma) + sigma * t) ** 2).real) / 2 for _ in places for t in points]
            truth = max(size + exponent for size, exponent in zip(sizes, exponents, strict=True))
            assert truth + math.log(sigma / math.sqrt(2 * math.pi)) <= math.log(found) + 1e-9
            box = arb(left), arb(right)
            assert max(exponents) <= float(law.swing(leg, region, box, (arb(down), arb(up))).upper()) + 1e-9
            least[positive] = min(least[positive], math.log(found) - truth)
    assert max(least.values()) < 1


@pytest.mark.parametrize(("sigma", "turn", "positive"), [(2.0, 1.7, True), (1.0, 2.2, True), (2.0, -0.6, False)])
def test_what_a_leg_leaves_out(sigma, turn, positive):
    """∫|ρ(t + i·turn)e^{zX}dt| from t = 0.8 on, by a sum."""
    law, z = GaussianSummand(arb(sigma), arb("1.3")), 0.4 + 0.3j
    region = Region.box(acb(z), acb(0, 1), arb("1e-6"))
    t = 0.8 + (np.arange(20_000) + 0.5) * 1e-3 * 0.4 + 1j * turn
    value = np.exp(t) - 1.3 if positive else 1 - 1.3 * np.exp(t)
    exponent = (z * value - (1 / (2 * sigma) + sigma * t) ** 2 / 2).real
    truth = np.exp(exponent).sum() * 4e-4 * sigma / math.sqrt(2 * math.pi)
    with precision(53):
        bound = float(law.left_out(BlanketLeg(acb("0.5", turn), acb(1), None, positive, True), region, 0.3).mid())
    assert truth <= bound <= 6 * truth


@pytest.mark.parametrize("sigma", [0.5, 1.0, 4.0])
@pytest.mark.parametrize("z", [0.02 + 0.01j, 0.3 + 1.5j, 2 + 0.1j, 0.01 + 6j])
def test_moments_by_another_path(sigma, z, monkeypatch):
    """Every way of legs has the value of t = s ± iθ(1 − e^{−s}), a smooth path, by a sum in floats."""
    level, s = 1.2, (np.arange(40_000) + 0.5) * 9 / sigma / 40_000
    truth = 1 - 2 * float(mpmath.ncdf(-1 / (2 * sigma)))
    for sign, turn in ((1, math.pi / 2 - cmath.phase(z) + 0.5), (-1, 0.7 * cmath.phase(z))):
        t, slope = s + sign * 1j * turn * (1 - np.exp(-s)), 1 + sign * 1j * turn * np.exp(-s)
        value = np.exp(t) - level if sign > 0 else 1 - level * np.exp(t)
        truth = truth + (np.exp(z * value - (1 / (2 * sigma) + sigma * t) ** 2 / 2) * slope).sum() * (s[1] - s[0]) * sigma / math.sqrt(
            2 * math.pi
        )
    with precision(80):
        law, region = GaussianSummand(arb(sigma), arb(level)), Region.box(acb(z), acb(0, 1), arb(abs(z)) / 100)
        for stops, rises in (((1.0, 0.6), (math.pi / 2, 0.8)), ((0.3,), (1.2,)), ((0.0,), (0.4,))):
            monkeypatch.setattr(gaussian, "_STOPS", stops)
            monkeypatch.setattr(gaussian, "_RISES", rises)
            bound, moment = law.around(region, arb("1e-18"))
            found = complex(float((law.none + moment(acb(z))).real.mid()), float(moment(acb(z)).imag.mid()))
            assert abs(found - truth) < 1e-6 * max(1, abs(truth)) and abs(moment(acb(z))) < bound


def test_both_errors_of_a_path_are_counted():
    """With coarse goals the nodes miss something, and no more than is said: at the end of an endless leg, in the panels of a short one."""
    with precision(80):
        law, region, x = GaussianSummand(arb(1), arb("1.2")), Region.sector(arb("0.2"), arb("0.2001"), arb("0.001")), arb("0.20005")
        endless, short = BlanketLeg(acb(0), acb(1), None, False, False), BlanketLeg(acb(0), acb(1), 1.5, True, False)
        for leg in (endless, short):
            sums = []
            for goal in ("1e-20", *(arb(10) ** (arb(k) / 4 - 3) for k in range(10))):
                path = law.path([leg], region, arb(goal), arb(1))
                sums.append((sum(((x * value.real).exp() * mass.real for value, mass in path.kept), arb(0)), path.kept_error))
            truth = sums[0][0]
            assert all(abs(found - truth) <= missed for found, missed in sums[1:])
            assert max(abs(found - truth) for found, _ in sums) > arb("1e-4" if leg is endless else "1e-12")


@pytest.mark.parametrize(("sigma", "kappa", "stop"), [(0.3, 0.6, 0.0), (1.0, 3.0, 2.0), (0.5, 1.0, 3.0)])
def test_the_sum_over_turned_legs(sigma, kappa, stop):
    """Over ρ(τ), from τ up to τ + iθ and on, at real x with x·e^τ = κ."""
    with precision(53):
        law = GaussianSummand(arb(sigma), arb(1))
        found, turn = float(law.turned(arb(kappa), arb(stop))[0].mid()), math.pi / 2 + law.margin(stop)
    up = (np.arange(2000) + 0.5) * turn / 2000
    ahead = (np.arange(40_000) + 0.5) * 12 / sigma / 40_000
    fall = ((1 / (2 * sigma) + sigma * (stop + ahead)) ** 2 - (1 / (2 * sigma) + sigma * stop) ** 2) / 2
    first = np.exp((sigma * up) ** 2 / 2 + kappa * np.cos(up)).sum() * turn / 2000
    last = np.exp((sigma * turn) ** 2 / 2 + kappa * np.exp(ahead) * math.cos(turn) - fall).sum() * 12 / sigma / 40_000
    assert first + last <= found <= 3 * (first + last)
    assert sigma > 0.3 or first * 1.15 < first + last


@pytest.mark.parametrize(("sigma", "epsilon", "start"), [("0.5", "0.1", 0.3), ("1", "0", 40.0), ("4", "0.3", 6.0), ("10", "0", 500.0)])
def test_what_lies_beyond_a_slanted_ray_derived_again(sigma, epsilon, start):
    """e^t = 1 + qe^{ia}, a = π/2 − b + v: Re z(e^t − 1) = −q|z|sin v, |dt| ≤ dq/sin b; the other side has e^t − 1 ≥ t."""
    with precision(53):
        _, many = pieces(3, sigma, epsilon)
        law, found = many.law, float(many.aslant(start).mid())
        c, direction, none = (
            float(many.c.mid()),
            complex(float(many.direction.real.mid()), float(many.direction.imag.mid())),
            float(law.none.mid()),
        )
    s, level, z = float(sigma), math.exp(float(epsilon)), c + direction * start
    b, ahead = cmath.phase(z), math.inf
    for v in PAST:
        a = math.pi / 2 - b + v
        slow = a <= math.pi / 2 and abs(z) * math.sin(v) >= s * s * a  # (σ·Im t)² ≤ q|z|sin v: half of the fall pays for the growth
        ahead = min(ahead, (2 if slow else math.exp((s * a) ** 2 / 2)) / (math.sin(v) * math.sin(b)))
    top = s / math.sqrt(2 * math.pi) * math.exp(z.real * (1 - level))
    side = top * ahead / abs(z) + top / (level * z.real)
    grown = min((none + side) ** 3 + none**3, 3 * (none + side) ** 2 * side)
    assert abs(found * start / grown - 1) <= 1e-9
    q = (np.arange(20_000) + 0.5) * 40 / abs(z) / 20_000
    for v in PAST[2:]:
        t = np.log(1 + q * np.exp(1j * (math.pi / 2 - b + v)))
        mass = np.abs(np.exp(z * np.expm1(t) - (1 / (2 * s) + s * t) ** 2 / 2) / np.exp(t)).sum() * (q[1] - q[0])
        a = math.pi / 2 - b + v
        assert mass <= math.exp((s * a) ** 2 / 2) / (abs(z) * math.sin(v) * math.sin(b))
    t = (np.arange(20_000) + 0.5) * 12 / s / 20_000
    assert np.exp(-z.real * level * np.expm1(t) - (1 / (2 * s) + s * t) ** 2 / 2).sum() * (t[1] - t[0]) <= 1 / (level * z.real)


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
        monkeypatch.setattr(blanket, "_FAR", 100.0)
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
            SingleMessages(*given).total() + ManyMessages(*given).total()
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
        ManyMessages(GaussianSummand(arb(1), arb(1)), 3, Plan(0.0, 1.0, -1.0), 30.0).total()
    assert len(asked) <= 25


def test_many_digits_take_rules_of_more_nodes():
    with precision(170):
        law, reach = GaussianSummand(arb("0.859"), arb("0.0176").exp()), 79.0
        single = SingleMessages(law, 32, BlanketModel(law, 32).plan(reach), reach)
        start = single.plan.log_c - 0.5
        assert single.integral(start, 0.5, single.plan.log_c).rel_accuracy_bits() > 110
