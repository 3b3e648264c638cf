"""The containment law: an enclosure over a box contains the values at the points of the box, for random expressions of the language.

Three readers of one expression are compared: balls (`enclose`), the intervals of the replay checker, and mpmath at a point. The point is
evaluated by code of its own that shares nothing with the two.
"""

from fractions import Fraction

import mpmath
import sympy
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from sympy import Abs, Max, Min, Piecewise, Rational, erf, exp, log, sqrt, tanh

from dpbounds.claims.statement import instance
from dpbounds.claims.statement.cover_text import CoverWriter
from dpbounds.covers.evaluate import Evaluator, Tools
from dpbounds.covers.intervals import Undefined
from dpbounds.language import enclose
from dpbounds.language.functions import NormalCDF
from dpbounds.numbers import balls

x, y = sympy.symbols("x y", real=True)
n = sympy.Symbol("n", integer=True, nonnegative=True)
QUICK = settings(max_examples=200, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
DIGITS = 50

NUMBERS = st.fractions(min_value=-4, max_value=4, max_denominator=12)


def rational(value):
    return Rational(value.numerator, value.denominator)


EXPONENTS = [2, 3, 4, -1, -2, Rational(1, 2), Rational(3, 2), Rational(-1, 2), n, n, n]
LEAVES = st.one_of(st.sampled_from([x, y, x, y, n, sympy.pi]), NUMBERS.map(rational))


def combine(parts):
    two = st.tuples(parts, parts)
    return st.one_of(
        two.map(lambda p: p[0] + p[1]),
        two.map(lambda p: p[0] * p[1]),
        two.map(lambda p: p[0] - p[1]),
        two.filter(lambda p: p[1] != 0).map(lambda p: p[0] / p[1]),
        st.tuples(parts, st.sampled_from([2, 3, 4, -1, -2, Rational(1, 2), Rational(3, 2), Rational(-1, 2), n, n, n])).map(
            lambda p: p[0] ** p[1]
        ),
        parts.map(exp),
        parts.map(log),
        parts.map(sqrt),
        parts.map(erf),
        parts.map(tanh),
        parts.map(Abs),
        parts.map(NormalCDF),
        two.map(lambda p: Max(*p)),
        two.map(lambda p: Min(*p)),
        st.tuples(parts, parts, parts).map(lambda p: Piecewise((p[0], p[1] > 0), (p[2], True))),
    )


POWERS = st.tuples(st.sampled_from([x, y, x - y, x * y]), st.sampled_from(EXPONENTS)).map(lambda p: p[0] ** p[1])
EXPRESSIONS = st.one_of(POWERS, st.tuples(POWERS, POWERS).map(lambda p: p[0] - p[1]), st.recursive(LEAVES, combine, max_leaves=8))
SIDES = st.tuples(
    st.one_of(NUMBERS, st.sampled_from([Fraction(-1), Fraction(-1, 2), Fraction(0)])), st.sampled_from([0, Fraction(1, 8), 1, 2])
)
SHARES = st.fractions(min_value=0, max_value=1, max_denominator=8)


OUTSIDE = (sympy.nan, sympy.zoo, sympy.oo, sympy.I, sympy.sign, sympy.re, sympy.im)


def value_at(node, point):
    """The value at a point in mpmath, None where the expression has no real value or is too large to be of interest."""
    if node in point:
        number = point[node]
        return mpmath.mpf(number.numerator) / number.denominator
    if node.is_Rational:
        return mpmath.mpf(int(node.p)) / int(node.q)
    if node is sympy.pi:
        return +mpmath.pi
    if node is sympy.E:
        return +mpmath.e
    if isinstance(node, Piecewise):
        for branch in node.args:
            truth = branch.cond if branch.cond in (sympy.true, sympy.false) else relation_at(branch.cond, point)
            if truth is None:
                return None
            if truth == True:  # noqa: E712
                return value_at(branch.expr, point)
        return None
    parts = [value_at(part, point) for part in node.args]
    if any(part is None or abs(part) > 10**6 for part in parts):
        return None
    if node.is_Add:
        return sum(parts)
    if node.is_Mul:
        return mpmath.fprod(parts)
    if node.is_Pow:
        base, exponent = parts
        whole = exponent == int(exponent)
        if (base == 0 and exponent < 0) or (base < 0 and not whole) or abs(exponent) > 60:
            return None
        return base ** int(exponent) if whole else base**exponent
    if isinstance(node, log):
        return mpmath.log(parts[0]) if parts[0] > 0 else None
    one = {exp: mpmath.exp, erf: mpmath.erf, tanh: mpmath.tanh, Abs: abs, NormalCDF: mpmath.ncdf}
    if type(node) in one:
        return one[type(node)](parts[0])
    return {Max: max, Min: min}[type(node)](parts)


def relation_at(condition, point):
    left, right = (value_at(side, point) for side in condition.args)
    if left is None or right is None or (left != right and abs(left - right) < mpmath.mpf(10) ** (-DIGITS + 10)):
        return None
    compare = {sympy.Gt: left > right, sympy.Ge: left >= right, sympy.Lt: left < right, sympy.Le: left <= right}
    return compare.get(type(condition), left == right if isinstance(condition, sympy.Eq) else left != right)


def close(value):
    """A rational that differs from an mpmath value by less than the tests allow for mpmath's own rounding."""
    return Fraction(*map(int, mpmath.libmp.to_rational(value._mpf_)))


def point_in(box, shares):
    point = {v: low + share * (high - low) for (v, (low, high)), share in zip(box.items(), shares, strict=True)}
    point[n] = Fraction(round(point[n]))
    return point


@st.composite
def cases(draw):
    expression = draw(EXPRESSIONS)
    assume(
        isinstance(expression, sympy.Expr) and not expression.has(sympy.nan, sympy.zoo, sympy.oo, sympy.I, sympy.sign, sympy.re, sympy.im)
    )
    assume(expression.free_symbols <= {x, y, n})
    box = {}
    for v in (x, y):
        low, width = draw(SIDES)
        box[v] = (low, low + width)
    whole = draw(st.integers(0, 3))
    box[n] = (Fraction(whole), Fraction(whole + draw(st.integers(0, 2))))
    return expression, box, [draw(SHARES) for _ in range(3)]


def slack(value):
    return Fraction(1, 10 ** (DIGITS - 15)) * (1 + abs(value))


@given(cases())
@QUICK
def test_balls_contain_the_value_at_every_point_of_the_box(case):
    expression, box, shares = case
    with mpmath.workdps(DIGITS):
        value = value_at(expression, point_in(box, shares))
    assume(value is not None and mpmath.isfinite(value))
    for bits in (30, 80):
        found = enclose.enclose(expression, {v: tuple(map(rational, ends)) for v, ends in box.items()}, bits)
        exact = close(value)
        assert found.lower <= exact + slack(exact) and exact - slack(exact) <= found.upper


def evaluator_on(box, bits):
    """The checker of covers on a box."""
    tools = Tools(bits)
    return Evaluator({str(v): tools.arithmetic.side(*map(Fraction, ends)) for v, ends in box.items()}, (), tools)


@given(cases())
@QUICK
def test_intervals_of_the_cover_checker_contain_it_too(case):
    expression, box, shares = case
    with mpmath.workdps(DIGITS):
        value = value_at(expression, point_in(box, shares))
    assume(value is not None and mpmath.isfinite(value))
    for bits in (30, 80):
        try:
            low, high = evaluator_on(box, bits).value(CoverWriter(box).expression(expression))
        except Undefined:
            continue
        exact = close(value)
        assert low.is_infinite() or Fraction(low) <= exact + slack(exact)
        assert high.is_infinite() or exact - slack(exact) <= Fraction(high)


@given(cases())
@QUICK
def test_numbers_put_in_give_the_value_or_nothing(case):
    expression, box, shares = case
    point = point_in(box, shares)
    with mpmath.workdps(DIGITS):
        value = value_at(expression, point)
    try:
        closed = instance.instantiate(expression, {v: rational(number) for v, number in point.items()})
    except instance.NoValue:
        return
    assert closed.is_number
    with balls.precision(300):
        found = balls.Enclosure.of_ball(enclose.compile_expression(closed, ())([]))
    assume(value is not None and mpmath.isfinite(value))
    exact = close(value)
    assert found.lower <= exact + slack(exact) and exact - slack(exact) <= found.upper


@given(cases())
@QUICK
def test_what_has_no_value_at_the_point_is_not_given_one(case):
    expression, _, shares = case
    point = {x: Fraction(0), y: shares[0] - 1, n: Fraction(0)}
    with mpmath.workdps(DIGITS):
        value = value_at(expression, point)
    relation = sympy.Le(expression, 7, evaluate=False)
    truth = instance.truth_at(relation, {v: rational(number) for v, number in point.items()})
    if truth is not None and value is not None and abs(value - 7) > mpmath.mpf(10) ** -20:
        assert truth is bool(value <= 7)


@given(cases(), st.sampled_from([sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt, sympy.Eq, sympy.Ne]))
@QUICK
def test_conditions_that_hold_on_a_box_hold_at_its_points(case, relation):
    expression, box, shares = case
    with mpmath.workdps(DIGITS):
        value = value_at(expression, point_in(box, shares))
    assume(value is not None and mpmath.isfinite(value) and abs(value - 1) > mpmath.mpf(10) ** -20)
    condition = relation(expression, 1, evaluate=False)
    expected = {sympy.Le: value <= 1, sympy.Lt: value < 1, sympy.Ge: value >= 1, sympy.Gt: value > 1, sympy.Eq: False, sympy.Ne: True}
    with balls.precision(60):
        truth = enclose.compile_expression(condition, tuple(box))([balls.interval(*ends) for ends in box.values()])
    other = evaluator_on(box, 60).truth(CoverWriter(box).condition(condition))
    for found in (truth, other):
        assert found is None or found is bool(expected[relation])


@given(NUMBERS, st.fractions(min_value=0, max_value=3, max_denominator=2**20), st.integers(20, 200))
@QUICK
def test_intervals_of_sides_contain_both_ends(low, width, bits):
    with balls.precision(bits):
        found = balls.interval(low, low + width)
        zero = enclose.from_zero(balls.ball(width))
    with balls.precision(1000):
        assert balls.Enclosure.of_ball(found).lower <= low and low + width <= balls.Enclosure.of_ball(found).upper
        assert balls.Enclosure.of_ball(zero).lower == 0 and balls.Enclosure.of_ball(zero).upper >= width
