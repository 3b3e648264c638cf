"""Expressions over boxes: single operations at their edges. (Containment of random expressions: tests/properties.)"""

from fractions import Fraction

import pytest
import sympy
from flint import arb
from sympy import Abs, Eq, Integral, Max, Min, Ne, Piecewise, Rational, Sum, Symbol, binomial, exp, factorial, gamma, log, sqrt

from dpbounds.errors import LanguageError, PrecisionError
from dpbounds.language import enclose
from dpbounds.language.functions import PrivacyQuantity
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.symbols import integer, real
from dpbounds.numbers import balls

x, y = real("x y")
n = Symbol("n", integer=True, nonnegative=True)


def ends(expression, **box):
    names = {str(s): s for s in expression.free_symbols}
    found = enclose.enclose(expression, {names[k]: tuple(map(sympy.sympify, v)) for k, v in box.items()}, 60)
    return found.lower, found.upper


@pytest.mark.parametrize(
    ("expression", "box", "low", "high"),
    [
        (x**2, {"x": (-1, 2)}, 0, 4),
        (x**3, {"x": (-1, 2)}, -1, 8),
        (x**n, {"x": (-1, 1), "n": (1, 3)}, -1, 1),
        (x**n, {"x": (-2, 1), "n": (3, 3)}, -8, 1),
        (x**n, {"x": (-2, -1), "n": (2, 2)}, 1, 4),
        (sqrt(x), {"x": (0, 4)}, 0, 2),
        (x ** Rational(3, 2), {"x": (0, 4)}, 0, 8),
        (Abs(x), {"x": (-1, 2)}, 0, 2),
        (Abs(x), {"x": (-3, -1)}, 1, 3),
        (x * y, {"x": (0, 1), "y": (0, 1)}, 0, 1),
        (-x * y, {"x": (0, 1), "y": (0, 1)}, -1, 0),
        (x / (1 + y), {"x": (0, 1), "y": (0, 1)}, 0, 1),
        (1 - x, {"x": (0, 1)}, 0, 1),
        (Max(x, 1 - x), {"x": (0, 1)}, 0, 1),
        (Min(x, 0), {"x": (-1, 1)}, -1, 0),
        (Piecewise((x, x > 2), (-x, True)), {"x": (0, 1)}, -1, 0),
        (Piecewise((1, x > 0), (2, True)), {"x": (-1, 1)}, 1, 2),
        (binomial(n, 2), {"n": (4, 4)}, 6, 6),
        (factorial(n), {"n": (5, 5)}, 120, 120),
        (Sum(n, (Symbol("k", integer=True), 1, 3)), {"n": (2, 2)}, 6, 6),
    ],
)
def test_ranges(expression, box, low, high):
    lower, upper = ends(expression, **box)
    assert lower <= low and high <= upper
    assert lower >= low - Fraction(1, 10**6) - (high - low) and upper <= high + Fraction(1, 10**6) + (high - low)


@pytest.mark.parametrize(
    ("expression", "box"),
    [
        (x**2, {"x": (-1, 2)}),
        (sqrt(x), {"x": (0, 4)}),
        (Abs(x), {"x": (-1, 2)}),
        (x * y, {"x": (0, 1), "y": (0, 1)}),
        (1 - x, {"x": (0, 1)}),
    ],
)
def test_signs_are_not_lost_to_rounding(expression, box):
    assert ends(expression, **box)[0] == 0


@pytest.mark.parametrize(
    ("expression", "box"),
    [
        (log(x), {"x": (0, 1)}),
        (log(x), {"x": (-1, 1)}),
        (1 / x, {"x": (-1, 1)}),
        (sqrt(x), {"x": (-2, -1)}),
        (x ** Rational(-1, 2), {"x": (0, 1)}),
        (x**y, {"x": (0, 1), "y": (-1, 1)}),
        (gamma(x), {"x": (-1, 1)}),
        (Piecewise((1, x > 0)), {"x": (-1, 1)}),
        (binomial(x, n), {"x": (1, 2), "n": (1, 2)}),
        (Sum(x, (Symbol("k", integer=True), 1, n)), {"x": (1, 1), "n": (1, 2)}),
    ],
)
def test_what_is_unknown_is_the_whole_line(expression, box):
    assert ends(expression, **box) == (float("-inf"), float("inf"))


def test_sums_run_forward_and_within_the_assumptions_of_their_index():
    k, j = Symbol("k", integer=True), Symbol("j", integer=True, positive=True)
    assert ends(Sum(x, (k, 1, n)), x=(1, 1), n=(0, 0)) == (0, 0)
    assert ends(Sum(x, (k, 5, n)), x=(1, 1), n=(1, 1)) == (float("-inf"), float("inf"))
    assert ends(Sum(Abs(j) * x, (j, n - 2, 1)), x=(1, 1), n=(0, 0)) == (float("-inf"), float("inf"))


def test_integrals_keep_to_the_assumptions_of_their_variable():
    s = Symbol("s", positive=True)
    low, high = ends(Integral(exp(-(s**2)), (s, 0, x)), x=(1, 1))
    assert low <= Fraction(74682413281243, 10**14) and Fraction(74682413281242, 10**14) <= high
    assert ends(Integral(Abs(s), (s, -x, x)), x=(1, 1)) == (float("-inf"), float("inf"))
    with pytest.raises(LanguageError, match="real or a positive"):
        ends(Integral(integer("k") * x, (integer("k"), 0, 1)), x=(1, 1))


@pytest.mark.parametrize(
    "expression",
    [sympy.tan(x), sympy.zeta(x), sympy.Float("0.5") * x, sympy.I * x, sympy.Function("f")(x), sympy.re(Symbol("z")), x + Symbol("u")],
)
def test_what_is_outside_the_language_is_named(expression):
    with pytest.raises(LanguageError):
        enclose.compile_expression(expression, (x,))


@pytest.mark.parametrize(
    ("condition", "box", "truth"),
    [
        (x <= 1, (0, 1), True),
        (x < 1, (0, 1), None),
        (x < 1, (1, 2), False),
        (x > 1, (0, 1), False),
        (Eq(x, 1), (1, 1), True),
        (Eq(x, 1), (2, 3), False),
        (Eq(x, 1), (0, 2), None),
        (Ne(x, 1), (2, 3), True),
        (log(x) <= 0, (0, 1), None),
        (sympy.Le(x, sympy.oo, evaluate=False), (0, 1), True),
        (sympy.Lt(sympy.oo, x, evaluate=False), (0, 1), False),
        (sympy.Le(sympy.oo, sympy.oo, evaluate=False), (0, 1), True),
        (sympy.Or(x <= Rational(1, 2), x >= Rational(1, 4)), (0, 1), None),
        (sympy.And(x >= 0, x <= 1), (0, 1), True),
        (sympy.Not(sympy.And(x >= 0, x <= 1)), (2, 3), True),
        (sympy.Implies(x > 2, x > 3), (0, 1), True),
    ],
)
def test_conditions_on_boxes(condition, box, truth):
    with balls.precision(60):
        program = enclose.compile_expression(condition, (x,))
        assert program([balls.interval(*map(Fraction, box))]) is truth


def test_nan_decides_nothing():
    nan, one = arb.nan(), arb(1)
    for relation in (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt, sympy.Eq, sympy.Ne):
        assert enclose.compare(relation, nan, one) is None and enclose.compare(relation, one, nan) is None


def test_a_condition_throughout_a_range():
    k = real("k")
    inside = sympy.And(sympy.Ge(k, 0, evaluate=False), sympy.Le(k, x, evaluate=False), evaluate=False)
    with balls.precision(60):
        program = enclose.compile_expression(ForAll(k, inside, k + 1 > 0), (x,))
        assert program([arb(2)]) is True
        assert program([arb(-1)]) is True  # nothing to check
        assert enclose.compile_expression(ForAll(k, inside, k > 1), (x,))([arb(2)]) is None
    with pytest.raises(LanguageError, match="range"):
        enclose.compile_expression(ForAll(k, k > 0, k > 1), (x,))


def test_an_evaluator_without_digits_decides_nothing():
    class Stubborn(PrivacyQuantity):
        """A quantity whose evaluator gives up."""

        def definition(self):
            return self

        def elementary(self):
            return None

    def give_up(value):
        raise PrecisionError("no digits")

    enclose.register(Stubborn, give_up)
    assert ends(Stubborn(x) + 0 * x, x=(0, 1)) == (float("-inf"), float("inf"))


def test_balls_from_zero():
    for high in ("1", "0.3", "1e-300", "1e300"):
        found = enclose.from_zero(arb(high))
        assert found >= 0 and found.contains(0) and found.contains(arb(high))
    assert not enclose.from_zero(arb("inf")).is_finite()


@pytest.mark.parametrize("box", [(0, Rational(1, 10**6)), (Rational(1, 3), Rational(1, 2)), (0, 3)])
def test_integrals_of_boxes_hold_the_integrals_of_their_points(box):
    """∫ max(0, 1 − 2cy) over [0, 1] is 1/(4c) for c ≥ 1/2 and 1 − c below; here c = e^{−x}."""
    low, high = ends(Integral(Max(0, 1 - 2 * y * exp(-x)), (y, 0, 1)), x=box)
    for point in (box[0], Rational(1, 2) * (box[0] + box[1]), box[1]):
        least, most = ends(exp(x) / 4 if point <= log(2) else 1 - exp(-x), x=(point, point))
        assert low <= most and least <= high
