"""Contours between the poles and left of them, and many digits."""

import math
from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from dpbounds.accounting import bromwich, bromwich_strips
from dpbounds.accounting.bromwich import Line, working_bits_of
from dpbounds.accounting.left_out import aliases
from dpbounds.laws.contour_factor import GaussianFactor
from dpbounds.laws.factors import MixtureFactor
from dpbounds.laws.mixture import Mixture
from dpbounds.numbers.balls import Enclosure, precision

REMOVE = Mixture(Fraction(1, 10), Fraction(1), numerator=True, denominator=False)
ADD = Mixture(Fraction(1, 10), Fraction(1), numerator=False, denominator=True)
BOTH = Mixture(Fraction(1, 10), Fraction(1), numerator=True, denominator=True)
ABSCISSAS = (-0.5, -0.2, -2.0, -6.0)


def line_at(monkeypatch, mixture, c, tolerance=60.0):
    """The factors and the plan through c."""
    monkeypatch.setattr(bromwich_strips, "_ABSCISSAS", (c,))
    factors = [MixtureFactor(mixture, 100), GaussianFactor(arb(1) / 4)]
    return factors, bromwich_strips.plan_left(factors, 1.0, math.log(0.2), tolerance)


def delta_on(factors, chosen):
    with precision(working_bits_of(factors, chosen)):
        return Line(factors, chosen).delta(arb(1))


def truth(mixture):
    factors = [MixtureFactor(mixture, 100), GaussianFactor(arb(1) / 4)]
    return bromwich.integrate(lambda: factors, lambda: arb(1), 22)[0].ball()


@pytest.mark.parametrize("c", ABSCISSAS)
@pytest.mark.parametrize("mixture", [REMOVE, ADD, BOTH], ids=["remove", "add", "substitute"])
def test_every_strip_gives_the_same_delta(monkeypatch, mixture, c):
    with precision(200):
        factors, chosen = line_at(monkeypatch, mixture, c)
        found, exact = delta_on(factors, chosen), truth(mixture)
        assert chosen.c == c and found.overlaps(exact)
        assert Enclosure.of_ball(found).digits() >= 20


@pytest.mark.parametrize("c", (-0.5, -2.0))
def test_known_aliases_are_needed(monkeypatch, c):
    with precision(200):
        factors, chosen = line_at(monkeypatch, REMOVE, c, 12.0)
        assert delta_on(factors, chosen).overlaps(truth(REMOVE))
        monkeypatch.setattr(bromwich_strips, "geometric", lambda rate: arb(0))
        assert not delta_on(factors, chosen).overlaps(truth(REMOVE))


@pytest.mark.parametrize("name, mixture, c", [("right_alias_bound", REMOVE, -0.2), ("left_alias_rest", ADD, -2.0)])
def test_bounded_aliases_are_needed(monkeypatch, name, mixture, c):
    """With a step that is too long, the sum holds aliases: without their bound, the ball misses δ."""
    with precision(200):
        factors, chosen = line_at(monkeypatch, mixture, c, 40.0)
        chosen = replace(chosen, step=chosen.step * 2, count=chosen.count // 2 + 2)
        assert delta_on(factors, chosen).overlaps(truth(mixture))
        monkeypatch.setattr(bromwich, name, lambda *_: arb(0))
        assert not delta_on(factors, chosen).overlaps(truth(mixture))


@pytest.mark.parametrize("c", (-0.5, -2.0, 1.5))
def test_known_part_against_the_series(c):
    """Every term of the sums over aliases, one by one, and the residues."""
    period, epsilon = 3.0, 0.7
    with mpmath.workdps(30):
        terms = range(1, 400)
        if c > 0:
            known = sum(mpmath.exp(-c * m * period) * (1 - mpmath.exp(epsilon - m * period)) for m in terms)
        elif c > -1:
            known = -1 - sum(mpmath.exp(c * m * period) + mpmath.exp(-c * m * period + epsilon - m * period) for m in terms)
        else:
            known = mpmath.exp(epsilon) - 1 + sum(mpmath.exp(c * m * period) * mpmath.expm1(epsilon + m * period) for m in terms)
        found = bromwich_strips.known_part(arb(period), arb(c), arb(epsilon))
        assert abs(float(found.mid()) - float(known)) <= 1e-12


def test_no_bound_on_the_wrong_side_of_the_poles():
    assert not aliases.right_alias_bound(arb(5), arb(-2), arb(1), arb(-1), arb(1)).is_finite()
    assert not aliases.left_alias_rest(arb(5), arb(-0.5), arb(1), arb(-0.2), arb(1)).is_finite()


def test_a_cut_law_is_refused_left_of_the_poles(monkeypatch):
    with precision(200):
        factors, chosen = line_at(monkeypatch, REMOVE, -2.0)
        factors[0] = factors[0].with_cut(9.0)
        assert bromwich_strips.plan_left(factors, 1.0, -2.0, 60.0) is None
        assert not delta_on(factors, chosen).is_finite()


@pytest.mark.parametrize("mixture", [REMOVE, ADD, BOTH], ids=["remove", "add", "substitute"])
@pytest.mark.parametrize("x", (-0.99, -0.5, -0.1))
def test_moments_between_the_poles(mixture, x):
    def density(s):
        u, v = (mpmath.mpf("0.9") + mpmath.mpf("0.1") * mpmath.exp(way * s - 0.5) for way in (1, -1))
        return mpmath.npdf(s) * (u ** (1 + x) if mixture.numerator else 1) * (v**-x if mixture.denominator else 1)

    with precision(100), mpmath.workdps(25):
        found = MixtureFactor(mixture, 100).moment(arb(x))
        exact = mpmath.quad(density, [-12, -6, -2, 0, 2, 6, 12])
        assert abs(found - arb(str(exact))) < 1e-12 and found.rad() < 1e-11


def test_the_tail_between_the_poles_needs_the_growing_power():
    """Between the poles u has a positive power: without the slope of that power, the bound on what lies beyond a node is too small."""
    with precision(100), mpmath.workdps(25):
        wide = Mixture(Fraction(1, 2), Fraction(1, 4), numerator=True, denominator=False)
        bound = wide.right_tail(arb(2), arb("-0.5"), arb("0.01"))
        rest = mpmath.quad(lambda s: mpmath.npdf(s) * mpmath.sqrt(0.5 + 0.5 * mpmath.exp(4 * s - 8)), [2, 4, 8, 20])
        assert float(bound.lower()) >= float(rest)


@pytest.mark.parametrize("digits, nodes", [(200, 240), (500, 620), (1000, 1400)])
def test_many_digits_need_few_nodes(digits, nodes):
    """σ = 1.5, q = 0.01, 10,000 steps, ε = 1: one line with the noise whole, of a length that grows like the digits."""
    factors = [MixtureFactor(Mixture(Fraction(1, 100), Fraction(3, 2), numerator=True, denominator=False), 10_000)]
    with precision(128):
        chosen = bromwich._short_plan(factors, 1.0, (digits + 1) * math.log(10) + 4, math.inf)
    assert chosen is not None and chosen.count <= nodes
    assert chosen.tolerance + max(0.0, chosen.amplitude) <= 1.25 * digits * math.log(10)
