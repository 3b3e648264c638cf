"""Blankets of Laplace and Gaussian noise: mpmath from the definition in v, and what each error term is for."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from flint import acb, arb
from mpmath.calculus.quadrature import GaussLegendre

from dpbounds import Gaussian, Laplace, accounting
from dpbounds.errors import InputError, PrecisionError
from dpbounds.numbers.balls import precision
from dpbounds.numbers.inputs import exact_ball
from dpbounds.shuffle import contour, noise
from dpbounds.shuffle.contour import Sum, noise_delta, plan
from dpbounds.shuffle.mechanism import Shuffled


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


def test_masses():
    """1 − γ and the sides make 1, and the mean is that of the definition."""
    with precision(110):
        law = noise.laplace(arb("1.3"), arb("0.1"))
        total = Sum(law, 1000, plan(law, 1000))
        assert abs(sum((mass for _, mass in total.points), arb(0)) - law.kept) < arb("1e-25")
        assert abs(sum((mass * value for value, mass in total.points), arb(0)) - law.mean) < arb("1e-25")


def only(kept, aliases=Sum.aliases):
    """Aliases of one side."""
    return lambda self, period, sign: aliases(self, period, sign) if sign == kept else arb(0)


def known(epsilon):
    """A law, its good line, and E(S)₊."""
    law = noise.laplace(arb(1), arb(epsilon))
    line = plan(law, 1000)
    return law, line, Sum(law, 1000, line).value()


@pytest.mark.parametrize(
    ("term", "epsilon", "nothing", "change"),
    [
        ("aliases", "0", only(-1), {"c": 0.05, "step": 0.072, "count": 12, "right": 0.08, "left": 0.08}),
        ("aliases", "0.1", only(1), {"c": 0.04, "step": 0.08, "count": 10, "right": 0.1, "left": 0.03}),
        ("between", "0.1", lambda self: arb(0), {"count": 6}),
    ],
)
def test_each_term_is_needed(term, epsilon, nothing, change, monkeypatch):
    with precision(110):
        law, line, truth = known(epsilon)
        assert Sum(law, 1000, replace(line, **change)).value().overlaps(truth)
        monkeypatch.setattr(Sum, term, nothing)
        assert not Sum(law, 1000, replace(line, **change)).value().overlaps(truth)


def test_the_error_of_the_rules_is_needed(monkeypatch):
    with precision(110):
        law, line, truth = known("0.1")
        exact_cover = contour.cover
        monkeypatch.setattr(contour, "cover", lambda a, b, bound, goal, end, growth: exact_cover(a, b, bound, arb("1e-4"), end))
        assert Sum(law, 1000, line).value().overlaps(truth)
        monkeypatch.setattr(Sum, "error", arb(0))
        assert not Sum(law, 1000, line).value().overlaps(truth)


def test_refusals():
    with pytest.raises(InputError, match="blanket bound only"):
        Shuffled(1000, 1, randomizer="laplace", others="0")
    with precision(100), pytest.raises(PrecisionError, match="more users"):
        noise_delta(20, "laplace", arb(1), arb("0.1"))


@pytest.mark.parametrize(("randomizer", "parameter"), [("laplace", "1.25"), ("gaussian", "0.8")])
def test_the_blanket_of_one_user_is_the_delta_of_the_noise(randomizer, parameter):
    known = accounting.delta(Laplace("0.8") if randomizer == "laplace" else Gaussian("0.8"), "0.3", digits=12)
    found = accounting.delta(Shuffled(1, parameter, 2, "any", randomizer), "0.3", digits=12)
    assert found.enclosure.lower <= known.enclosure.upper and known.enclosure.lower <= found.enclosure.upper
    assert accounting.delta(Shuffled(1, parameter, 2, "any", "laplace"), 2, digits=5).enclosure.upper == 0


def test_moments_of_the_nodes(monkeypatch):
    """The products of matrices, over several chunks, against one sum for each node."""
    monkeypatch.setattr(contour, "_CHUNK", 37)
    with precision(110):
        law = noise.laplace(arb(1), arb("0.1"))
        found = Sum(law, 1000, plan(law, 1000))
        assert len(found.moments) == found.line.count
        for j in (0, 1, 5, found.line.count // 2, found.line.count - 1):
            z = acb(found.line.c, arb(found.line.step) * j)
            direct = sum((mass * (z * value).exp() for value, mass in found.points), acb(1 - law.kept))
            assert found.moments[j].overlaps(direct) and found.moments[j].real.rad() < arb("1e-25")


def test_the_blocks_bound_the_nodes_that_are_left_out():
    with precision(100):
        law, line, truth = known("0.1")
        whole, cut = (Sum(law, 1000, each, wide=True) for each in (line, replace(line, count=6)))
        heights = [abs(acb(line.c, arb(line.step) * j)) for j in range(line.count)]
        left = sum((abs(m) ** 1000 / y**2 for m, y in zip(whole.moments[6:], heights[6:], strict=True)), arb(0)) * line.step / arb.pi()
        assert left < cut.between() and whole.between() < truth * arb("1e-13")


def test_nodes_beyond_a_height_between_two_of_them(monkeypatch):
    """Just below a node, (K₀ + K₁/Y)ⁿ/(πY) is less than what the nodes add where |M| is next to K₀."""
    monkeypatch.setattr(Sum, "ends", lambda self: (arb("0.5"), arb("1e-9")))
    with precision(100):
        law, line, _ = known("0.1")
        sums, step = Sum(law, 3, line), arb(line.step)
        for last in (1, 4, 30):
            nodes = arb("0.5") ** 3 / (arb.pi() * step) * (arb(2).zeta() - sum((1 / arb(j) ** 2 for j in range(1, last + 1)), arb(0)))
            assert nodes < sums.beyond(step * last) < sums.beyond((last - arb("1e-3")) * step)
            late = nodes + arb("0.5") ** 3 / (arb.pi() * step * last**2)
            assert arb("0.5") ** 3 / (arb.pi() * step * (last - arb("1e-3"))) < late < sums.beyond((last - arb("1e-3")) * step)


def test_a_long_contour_is_refused_before_it_is_summed(monkeypatch):
    with precision(100):
        law, line, _ = known("0.1")
        points = len(Sum(law, 1000, line).points)
        monkeypatch.setattr(contour, "_MOST_TURNS", points * line.count // 2)
        with pytest.raises(PrecisionError, match="too long a contour"):
            Sum(law, 1000, line).value()


@pytest.mark.parametrize(("users", "sigma", "epsilon", "off"), [(100_000, "2", "0.012", 0.05), (10_000, "2", "0.0821", 0.05)])
def test_the_size_in_floats(users, sigma, epsilon, off):
    """By the saddle, or by one summand that outweighs the mean of all."""
    with precision(80):
        found = noise_delta(users, "gaussian", arb(sigma), exact_ball(Fraction(epsilon), spare=200))
        estimate = contour.approx_log_noise_delta(users, "gaussian", arb(sigma), arb(epsilon))
        assert found > 0 and found.rel_accuracy_bits() > 20
        assert abs(estimate - float(found.log().mid())) < off


def test_bounds_of_panels():
    """Sampled boxes, heights and rates; where a box reaches below the axis, its height counts."""
    with precision(80):
        law, height = noise.laplace(arb("1.3"), arb("0.1")), arb(6)
        for leg in law.way:
            for low, high in ((0.0, 0.2), (0.5, 1.1), (0.9, 1.3)):
                real, turn = leg.box(low, high)
                for rate in (arb("0.02"), arb("-0.03")):
                    bound = law.largest(real, turn, rate, height)
                    for t in (acb(a, b) for a in (real[0], sum(real) / 2, real[1]) for b in (turn[0], sum(turn) / 2, turn[1])):
                        for z in (acb(rate), acb(rate, height / 3), acb(rate, height)):
                            values = (t.exp() - law.level, 1 - law.level * t.conjugate().exp())
                            assert abs(law.density(t)) * sum(abs((z * value).exp()) for value in values) < bound * (1 + arb("1e-15"))
        real, turn = law.way[2].box(0.0, 0.2)
        t, z = acb(real[1], turn[0]), acb("0.02", height)
        assert abs(law.density(t) * (z * (t.exp() - law.level)).exp()) > law.largest(real, turn, arb("0.02"), arb(0))
