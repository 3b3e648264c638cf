"""Every error term of the contour engine is needed: with it the ball holds the truth, without it the ball misses.

Each test drives the engine into a corner where one term dominates (coarse step, short contour, few nodes), compares with a far more
accurate value, and then drops that term.
"""

import importlib
from dataclasses import replace
from fractions import Fraction

import pytest
from flint import acb, arb

from dpbounds.accounting.bromwich import evaluate, integrate
from dpbounds.accounting.bromwich_planning import plan
from dpbounds.laws.factors import MixtureFactor
from dpbounds.laws.mixture import Mixture
from dpbounds.laws.paths import bromwich_nodes as line
from dpbounds.laws.paths import decay as tilt
from dpbounds.laws.paths.bromwich_nodes import Grid, moment_line, real_moment
from dpbounds.numbers.balls import ball, precision

integral = importlib.import_module("dpbounds.accounting.bromwich")

REMOVE = Mixture(Fraction(1, 10), Fraction(1), numerator=True, denominator=False)
ADD = Mixture(Fraction(1, 10), Fraction(1), numerator=False, denominator=True)
BOTH = Mixture(Fraction(1, 10), Fraction(1), numerator=True, denominator=True)
SHAPES = pytest.mark.parametrize("mixture", [REMOVE, ADD, BOTH], ids=["remove", "add", "substitute"])
STEPS, EPSILON = 100, Fraction(1)


@pytest.fixture(autouse=True)
def _bits():
    with precision(200):
        yield


def truth(mixture, epsilon=EPSILON):
    return integrate(lambda: [MixtureFactor(mixture, STEPS)], lambda: ball(epsilon), 25)[0].ball()


def value(mixture, epsilon=EPSILON, **changes):
    """The ball of the usual plan with some of its numbers changed."""
    factor = MixtureFactor(mixture, STEPS)
    chosen = replace(plan([factor], float(epsilon), 50.0), **changes)
    hint = factor.approx_decay(chosen.c, chosen.step * (chosen.count - 1))[1]
    return evaluate([factor], ball(epsilon), replace(chosen, hints=(hint,)))


def zero(*_):
    return arb(0)


def check(monkeypatch, module, name, compute, exact, replacement=zero):
    """The ball overlaps the truth; with the term replaced it does not."""
    assert compute().overlaps(exact)
    monkeypatch.setattr(module, name, replacement)
    assert not compute().overlaps(exact)


@SHAPES
def test_fine_plan_is_sharp(mixture):
    found = value(mixture)
    assert found.overlaps(truth(mixture))
    assert found.rel_accuracy_bits() > 40


@SHAPES
def test_s_discretisation(monkeypatch, mixture):
    exact = real_moment(mixture, Grid(1 / 16, -400, 400), arb(2))
    check(monkeypatch, line, "s_discretisation_error", lambda: real_moment(mixture, Grid(1.5, -20, 20), arb(2)), exact)


@SHAPES
def test_s_discretisation_on_the_line(monkeypatch, mixture):
    exact = moment_line(mixture, Grid(1 / 16, -400, 400), arb(2), arb(3), 3)[2]
    check(monkeypatch, line, "s_discretisation_error", lambda: moment_line(mixture, Grid(1.0, -25, 25), arb(2), arb(3), 3)[2], exact)


@SHAPES
@pytest.mark.parametrize(("first", "last"), [(-400, 30), (-20, 400)])
def test_s_truncation(monkeypatch, mixture, first, last):
    exact = real_moment(mixture, Grid(1 / 16, -400, 400), arb(2))
    check(monkeypatch, line, "s_truncation_error", lambda: real_moment(mixture, Grid(1 / 16, first, last), arb(2)), exact)


@SHAPES
def test_right_aliases(monkeypatch, mixture):
    def compute():
        return value(mixture, c=6.0, step=4.0, count=60, right=9.0, left=0.0)

    check(monkeypatch, integral, "right_alias_bound", compute, truth(mixture))


def test_no_right_aliases_needs_a_long_period(monkeypatch):
    # ε + T below the largest loss −100·log(0.9) = 10.5: nothing is known of the aliases, so the lower end must be 0
    def compute():
        return value(ADD, c=6.0, step=4.0, count=60, right=0.0, left=0.0)

    assert compute().contains(0)
    check(monkeypatch, integral, "no_right_alias", compute, truth(ADD))


@SHAPES
def test_left_aliases_plain(monkeypatch, mixture):
    def compute():
        return value(mixture, Fraction(4), c=0.3, step=0.9, count=150, right=2.0, left=0.0)

    check(monkeypatch, integral, "left_alias_bound", compute, truth(mixture, Fraction(4)))


@SHAPES
def test_left_aliases_known_part(monkeypatch, mixture):
    def compute():
        return value(mixture, Fraction(4), c=0.3, step=0.6, count=200, right=2.0, left=2.0)

    check(monkeypatch, integral, "known_part", compute, truth(mixture, Fraction(4)))


@SHAPES
def test_left_aliases_rest(monkeypatch, mixture):
    # ε − T is near 0, where δ is far from 1 − e^{ε−T}
    def compute():
        return value(mixture, Fraction(6), c=0.3, step=1.0, count=150, right=2.0, left=0.5)

    check(monkeypatch, integral, "left_alias_rest", compute, truth(mixture, Fraction(6)))


@SHAPES
def test_contour_truncation(monkeypatch, mixture):
    check(monkeypatch, integral, "contour_truncation_bound", lambda: value(mixture, count=6), truth(mixture))


@SHAPES
def test_decay_bounds_the_modulus(mixture):
    factor = MixtureFactor(mixture, STEPS)
    x = arb(1)
    for y in (0.5, 2.0, 8.0, 30.0):
        for a in (0.1, 0.5, 1.5):
            bound = factor.decay(x, arb(y), (a, -1.0))
            for further in (1.0, 1.01, 1.7, 10.0):
                modulus = abs(factor.mixture_value(acb(x, arb(y * further))))
                assert modulus.lower() <= bound


@SHAPES
def test_decay_quadrature(monkeypatch, mixture):
    # nodes so coarse that the sum misses the integral
    coarse = Grid(2.5, -6, 6)
    monkeypatch.setattr(tilt, "plan_range", lambda *_: coarse)
    monkeypatch.setattr(tilt, "inner_shift", lambda *_: (0.5, 2.5))
    x, y = arb(1), arb(0.25)
    exact = abs(MixtureFactor(mixture, 1).mixture_value(acb(x, y)))
    moment = MixtureFactor(mixture, 1).moment(x)
    with_error = tilt.shifted_decay(mixture, x, y, (0.05, -0.1), moment, 1)
    assert exact <= with_error
    error = tilt.quadrature_error(mixture, coarse, x, arb(0.05), arb(0.5), moment)
    fine = Grid(1 / 16, -400, 400)
    monkeypatch.setattr(tilt, "plan_range", lambda *_: fine)
    monkeypatch.setattr(tilt, "inner_shift", lambda *_: (0.5, 1 / 16))
    true_bound = tilt.shifted_decay(mixture, x, y, (0.05, -0.1), moment, 1)
    monkeypatch.setattr(tilt, "plan_range", lambda *_: coarse)
    monkeypatch.setattr(tilt, "inner_shift", lambda *_: (0.5, 2.5))
    monkeypatch.setattr(tilt, "quadrature_error", zero)
    without = tilt.shifted_decay(mixture, x, y, (0.05, -0.1), moment, 1)
    assert abs(without - true_bound) > arb(1e-6)  # the sum alone is off …
    assert abs(without - true_bound) <= error + arb(1e-9)  # … by no more than the term that was dropped


def test_inputs_are_balls(monkeypatch):
    # 1/3 read with 40 bits is a ball of radius 2^-42; its midpoint alone is a different mechanism
    def factors():  # made anew: a mixture keeps its balls
        return [MixtureFactor(Mixture(Fraction(1, 3), Fraction(300), numerator=True, denominator=False), 10**6)]

    chosen = plan(factors(), 1.0, 40.0)
    module = importlib.import_module("dpbounds.laws.mixture")
    honest = module.exact_ball

    def compute():
        return evaluate(factors(), ball(EPSILON), chosen)

    def short(number, name):
        with precision(40):
            return honest(number, name)

    exact = compute()
    monkeypatch.setattr(module, "exact_ball", short)
    assert compute().overlaps(exact)
    monkeypatch.setattr(module, "exact_ball", lambda number, name: short(number, name).mid())
    assert not compute().overlaps(exact)
