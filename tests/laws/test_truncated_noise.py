"""Cutting the noise: moments of the cut law against closed forms and mpmath, every price needed, and values of δ that need a cut."""

import importlib
import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from flint import acb, arb

from dpbounds import accounting
from dpbounds.accounting.bromwich import evaluate, integrate
from dpbounds.accounting.bromwich_planning import plan
from dpbounds.laws import factors
from dpbounds.laws.closed_forms import mixture_delta
from dpbounds.laws.factors import MixtureFactor
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.paths import bromwich_nodes as line
from dpbounds.laws.paths import decay as tilt
from dpbounds.laws.paths import shifted_quadrature as shifted_line
from dpbounds.laws.paths import truncated_noise as cut
from dpbounds.laws.paths.bromwich_nodes import Grid, moment_line, real_moment
from dpbounds.laws.paths.decay import shifted_decay
from dpbounds.laws.paths.shifted_quadrature import ShiftedLine, ShiftedRule
from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled
from dpbounds.numbers.balls import ball, precision
from dpbounds.numbers.mixture_thresholds import normal_tail

integral = importlib.import_module("dpbounds.accounting.bromwich")
REMOVE = Mixture(Fraction(1, 10), Fraction(2), numerator=True, denominator=False)
END = 1.5


@pytest.fixture(autouse=True)
def _bits():
    with precision(150):
        yield


def zero(*_):
    return arb(0)


def poisson(sigma, q, steps):
    return Repeated(Sampled(Gaussian(sigma), PoissonSampling(q)), steps)


def second_moment(end):
    """∫_{−∞}^S φu², by hand."""
    q, sigma = REMOVE.parameters()
    below = [1 - normal_tail(arb(end) - n / sigma) for n in range(3)]
    return (1 - q) ** 2 * below[0] + 2 * q * (1 - q) * below[1] + q**2 * (1 / sigma**2).exp() * below[2]


def mpmath_moment(z, end):
    q, sigma = mpmath.mpf(1) / 10, mpmath.mpf(2)

    def f(s):
        u = 1 - q + q * mpmath.exp(s / sigma - 1 / (2 * sigma**2))
        return mpmath.npdf(s) * u ** (1 + z)

    with mpmath.workdps(25):
        return mpmath.quad(f, [-15, -8, -4, -2, 0, end])


def test_rule_on_the_real_line(monkeypatch):
    exact = second_moment(END)
    found = real_moment(REMOVE, Grid(0.5, -30, 0, END), arb(1))
    assert found.overlaps(exact)
    monkeypatch.setattr(line, "real_rule_end", zero)
    assert not real_moment(REMOVE, Grid(0.5, -30, 0, END), arb(1)).overlaps(exact)


def test_rule_on_a_line(monkeypatch):
    exact = mpmath_moment(mpmath.mpc(2, 3), END)
    near = acb(arb(str(exact.real)), arb(str(exact.imag))) + acb(arb(0, "1e-18"), arb(0, "1e-18"))

    def compute():
        return moment_line(REMOVE, Grid(0.25, -60, 0, END), arb(2), arb(3), 2)[1]

    assert compute().overlaps(near)
    monkeypatch.setattr(line, "real_rule_end", zero)
    assert not compute().overlaps(near)


def test_both_parts_of_the_error_take_the_same_shift(monkeypatch):
    """The residue theorem has one b for the strip and for its end: at every height the end is priced with the shift of the rule."""
    strips, ends = [], []
    discretisation, end = line.s_discretisation_error, line.real_rule_end

    def at_strip(mixture, grid, x, y):
        strips.append(line.best_shift(mixture, grid.step, float(x), float(y.upper())))
        return discretisation(mixture, grid, x, y)

    def at_end(mixture, cut, x, y, b, step):
        ends.append(float(b))
        return end(mixture, cut, x, y, b, step)

    monkeypatch.setattr(line, "s_discretisation_error", at_strip)
    monkeypatch.setattr(line, "real_rule_end", at_end)
    moment_line(REMOVE, Grid(0.25, -60, 0, END), arb(2), arb(3), 40)
    assert len(set(strips)) > 1 and set(strips) == set(ends)


def test_rule_on_a_shifted_line(monkeypatch):
    exact = mpmath_moment(mpmath.mpc(2, 3), END)
    near = acb(arb(str(exact.real)), arb(str(exact.imag))) + acb(arb(0, "1e-18"), arb(0, "1e-18"))
    factor = MixtureFactor(REMOVE, 1, cut=END)

    def compute():
        shifted = ShiftedLine.of_mixture(REMOVE, ShiftedRule(1.5, Grid(0.25, -60, 0, END)), arb(2), factor.moment(arb(2)))
        return shifted.equally_spaced(arb(3), 2)[1]

    assert compute().overlaps(near)
    monkeypatch.setattr(shifted_line, "shifted_rule_end", zero)
    assert not compute().overlaps(near)


def test_blocks_of_a_line_agree():
    factor = MixtureFactor(REMOVE, 1, cut=6.0)
    shifted = ShiftedLine.of_mixture(REMOVE, ShiftedRule(1.5, Grid(0.25, -60, 0, 6.0)), arb(2), factor.moment(arb(2)))
    whole, part = shifted.equally_spaced(arb("0.5"), 12), shifted.equally_spaced(arb("0.5"), 5, 7)
    assert all(one.overlaps(other) for one, other in zip(whole[7:], part, strict=True))


def test_decay_has_an_end(monkeypatch):
    end, y = 3.0, 400.0
    factor = MixtureFactor(REMOVE, 1, cut=end)
    x = arb(1)
    exact = abs(mpmath_moment(mpmath.mpc(1, y), end))

    def bound():
        return shifted_decay(REMOVE, x, arb(y), (2.0, -20.0), factor.moment(x), 1, end)

    assert bound() >= arb(str(exact))
    monkeypatch.setattr(tilt, "decay_end", zero)
    monkeypatch.setattr(tilt, "decay_rule_end", zero)
    assert not bound() >= arb(str(exact))


def test_quadrature_of_the_decay_has_an_end(monkeypatch):
    end = 3.0
    monkeypatch.setattr(tilt, "plan_range", lambda *_: Grid(0.5, -40, 0, end))
    monkeypatch.setattr(tilt, "inner_shift", lambda *_: (1.0, 0.5))
    moment = MixtureFactor(REMOVE, 1, cut=end).moment(arb(1))
    rough = shifted_decay(REMOVE, arb(1), arb(1), (1.0, -1.0), moment, 1, end)
    price = (arb(1) / 2).exp() * cut.decay_rule_end(REMOVE, end, arb(1), arb(1), arb(0.5))
    monkeypatch.setattr(tilt, "quadrature_error", zero)
    coarse = shifted_decay(REMOVE, arb(1), arb(1), (1.0, -1.0), moment, 1, end)
    monkeypatch.setattr(tilt, "plan_range", lambda *_: Grid(1 / 512, -20000, 0, end))
    monkeypatch.setattr(tilt, "inner_shift", lambda *_: (1.0, 1 / 512))
    fine = shifted_decay(REMOVE, arb(1), arb(1), (1.0, -1.0), moment, 1, end)
    assert fine <= rough
    assert abs(fine - coarse) > arb("1e-5")  # the end of the coarse rule is off …
    assert abs(fine - coarse) <= price  # … by no more than its price


def end_for_free(monkeypatch):
    """Leave out the price of the end on the real line, larger than the mass beyond it; the step is fine enough to be right without."""
    monkeypatch.setattr(line, "real_rule_end", zero)
    monkeypatch.setattr(factors, "shifted_rule", lambda *_: ShiftedRule(1.0, Grid(1.0, -(10**6), 0, 3.0)))


def cut_value(end, epsilon, **changes):
    whole, factor = MixtureFactor(REMOVE, 1), MixtureFactor(REMOVE, 1, cut=end)
    chosen = replace(plan([whole], float(epsilon), 35.0), **changes)
    hint = factor.approx_decay(chosen.c, chosen.step * (chosen.count - 1))[1]
    return evaluate([factor], ball(epsilon), replace(chosen, hints=(hint,))), integral.lost_mass([factor])


def test_the_mass_cut_off_is_needed(monkeypatch):
    truth = mixture_delta(REMOVE, ball(Fraction(1, 20)))
    end_for_free(monkeypatch)
    for name in ("decay_end", "decay_rule_end"):  # also far larger than what the end adds beyond the contour
        monkeypatch.setattr(tilt, name, zero)
    inside, mass = cut_value(3.0, Fraction(1, 20))
    assert not inside.overlaps(truth)
    assert inside.union(inside + mass).overlaps(truth)


def test_left_aliases_of_the_cut_law(monkeypatch):
    # many left aliases, each of which lacks the mass
    truth = mixture_delta(REMOVE, ball(Fraction(1, 20)))
    end_for_free(monkeypatch)

    def compute():
        inside, mass = cut_value(3.0, Fraction(1, 20), left=2.0, right=2.0, c=0.001, step=0.3, count=400)
        return inside.union(inside + mass)

    assert compute().overlaps(truth)
    monkeypatch.setattr(integral, "left_alias_cut", zero)
    assert not compute().overlaps(truth)


def test_mass_is_the_larger_of_both():
    for end in (-1.0, 0.5, 4.0):
        _, sigma = REMOVE.parameters()
        q = arb(1) / 10
        mixed = (1 - q) * normal_tail(arb(end)) + q * normal_tail(arb(end) - 1 / sigma)
        assert cut.cut_mass(REMOVE, end).overlaps(mixed.max(normal_tail(arb(end))))


@pytest.mark.parametrize(
    ("q", "sigma", "epsilon"), [("1e-6", "8", "2e-6"), pytest.param("1e-4", "3", "1e-3", marks=pytest.mark.slow), ("1e-9", "1e4", "1e-13")]
)
def test_one_use_that_needs_a_cut(q, sigma, epsilon):
    mixture, value = Mixture(Fraction(q), Fraction(sigma), numerator=True, denominator=False), Fraction(epsilon)
    found, _ = integrate(lambda: [MixtureFactor(mixture, 1)], lambda: ball(value), 12)
    with precision(300):
        assert found.ball().overlaps(mixture_delta(mixture, ball(value)))
    assert found.meets(12)


def two_uses(q, sigma, epsilon):
    """δ of two uses in the remove direction: the outer integral by mpmath, the inner one in closed form."""
    with mpmath.workdps(30):
        q, sigma, epsilon = mpmath.mpf(q), mpmath.mpf(sigma), mpmath.mpf(epsilon)

        def u(s):
            return 1 + q * mpmath.expm1(s / sigma - 1 / (2 * sigma**2))

        def one(e):
            if mpmath.expm1(e) + q <= 0:
                return -mpmath.expm1(e)
            s = sigma * mpmath.log((mpmath.expm1(e) + q) / q) + 1 / (2 * sigma)
            return (1 - q) * mpmath.ncdf(-s) + q * mpmath.ncdf(1 / sigma - s) - mpmath.exp(e) * mpmath.ncdf(-s)

        points = [-12 + mpmath.mpf(n) / 2 for n in range(60)]
        return mpmath.quad(lambda s: mpmath.npdf(s) * u(s) * one(epsilon - mpmath.log(u(s))), points)


@pytest.mark.parametrize(("q", "sigma", "epsilon"), [("1e-4", "2", "5e-4"), ("1e-6", "5", "3e-6"), ("0.01", "1.2", "0.05")])
def test_two_uses_against_nested_quadrature(q, sigma, epsilon):
    found = accounting.delta(poisson(sigma, q, 2), epsilon, digits=6, direction="remove").enclosure
    rough = Fraction(str(two_uses(q, sigma, epsilon)))
    assert found.lower <= rough * (1 + Fraction(1, 10**9))
    assert found.upper >= rough * (1 - Fraction(1, 10**9))


@pytest.mark.parametrize("x", [-3.0, 0.5, 7.0, 60.0])
@pytest.mark.parametrize("numerator", [True, False])
def test_the_shift_is_about_the_best_there_is(numerator, x):
    """Against a scan of the strip; any shift is sound, and a bad one makes long sums."""
    for q, sigma in (("1/100", "1"), ("1/3", "30"), ("1/100000", "1/4")):
        mixture = Mixture(Fraction(q), Fraction(sigma), numerator=numerator, denominator=not numerator)
        for step, y in ((0.02, 3.0), (0.3, 0.0), (7.9, 0.1)):
            highest = min(mixture.strip, 6.283 / step)

            def gain(a, mixture=mixture, step=step, y=y):
                modulus, turn = mixture.approx_shift(a, x)
                return 2 * math.pi * a / step - modulus - y * turn

            best = max(gain(highest * n / 1000) for n in range(1, 1001))
            assert gain(line.best_shift(mixture, step, x, y)) >= best - 0.02 * abs(best) - 0.3
