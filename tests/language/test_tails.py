"""Tails of series: bounds of terms with powers of a number and factorials, against mpmath."""

from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy
from flint import arb
from sympy import Rational, Sum, factorial, oo

from dpbounds.language import enclose
from dpbounds.language.functions import NormalCDF
from dpbounds.language.symbols import index, positive
from dpbounds.language.tails import TailError, lower, magnitude, parameters, upper
from dpbounds.numbers import balls

y = sympy.Symbol("y", positive=True)
k, j = index("k"), index("j", start=0)
q, a = positive("q a")
half = Rational(1, 2)


@pytest.mark.parametrize(
    "term",
    [
        half**y,
        y**2 * Rational(1, 3) ** (2 * y - 1),
        1 / factorial(y),
        5**y / factorial(y),
        y * (y - 1) * Rational(3, 2) ** y / factorial(y),
    ],
    ids=str,
)
@pytest.mark.parametrize("start", [4, 9])
def test_a_bound_beyond_a_cut_is_one(term: Any, start: int) -> None:
    """A factorial is bounded by its tangent at the cut, where the bound is sharp and nowhere below."""
    found = magnitude(term, y, arb(start))
    value = sympy.lambdify(y, term, "mpmath")
    with mpmath.workdps(40):
        for i in range(40):
            at = start + mpmath.mpf(i) / 4
            bound = sum((m.value_at(arb(str(at))) for m in found), arb(0))
            assert mpmath.mpf(str(bound.upper().str(30, radius=False))) >= value(at) * (1 - mpmath.mpf(10) ** -14)


@pytest.mark.parametrize(
    ("term", "function"),
    [
        (NormalCDF(-y), lambda v: mpmath.ncdf(-v)),
        (NormalCDF(3 - 2 * y), lambda v: mpmath.ncdf(3 - 2 * v)),
        (sympy.erfc(2 * y - 1), lambda v: mpmath.erfc(2 * v - 1)),
        (NormalCDF(Rational(199, 100) - y), lambda v: mpmath.ncdf(mpmath.mpf("1.99") - v)),
        (NormalCDF(y - 3), lambda v: mpmath.ncdf(v - 3)),
    ],
    ids=["falling", "steep", "erfc", "late", "rising"],
)
def test_a_normal_tail_is_below_its_bound(term: Any, function: Any) -> None:
    """By e^{−z²/2}/2 where z ≥ 0, which is twice too small for erfc; where z has another sign, by a number."""
    (bound,) = upper(term, y, arb(2))
    for i in range(40):
        at = 2 + mpmath.mpf(i) / 4
        assert mpmath.mpf(str(bound.value_at(arb(str(at))).upper().str(30, radius=False))) >= function(at) * (1 - mpmath.mpf(10) ** -14)
    falls = term != NormalCDF(y - 3)
    assert (bound.integral(arb(6)) < arb("0.001")) is falls


def test_a_product_with_an_odd_power_of_what_is_negative_is_bounded() -> None:
    for term in (-1 / (half - y), (half - y) * (1 - y) ** -3):
        found = sum((m.value_at(arb(5)) for m in magnitude(term, y, arb(4))), arb(0))
        assert found >= abs(float(term.subs(y, 5)))


def test_a_factorial_is_bounded_from_below_only() -> None:
    assert lower(factorial(y), y, arb(5)).value_at(arb(5)).overlaps(arb(120))
    with pytest.raises(TailError):
        upper(factorial(y), y, arb(5))


@pytest.mark.parametrize("base", [Rational(-1, 2), sympy.Integer(0)])
def test_a_power_of_what_is_not_positive_has_no_bound(base: Any) -> None:
    with pytest.raises(TailError):
        upper(sympy.Pow(base, y, evaluate=False), y, arb(5))


@pytest.mark.parametrize(
    ("total", "value"),
    [
        (Sum(k * q * (1 - q) ** (k - 1), (k, 1, oo)), 1 / q),
        (Sum(q**j, (j, 0, oo)), 1 / (1 - q)),
        (Sum(q**j / factorial(j), (j, 0, oo)), sympy.exp(q)),
        (Sum(j**2 * q**j / factorial(j), (j, 0, oo)), (q + q**2) * sympy.exp(q)),
    ],
    ids=str,
)
@pytest.mark.parametrize("point", [Rational(1, 5), half, Rational(9, 10)])
def test_a_series_has_its_value(total: Any, value: Any, point: Any) -> None:
    with balls.precision(80):
        found = enclose.compile_expression(total, (q,))([balls.ball(Fraction(int(point.p), int(point.q)))])
        exact = enclose.compile_expression(value, (q,))([balls.ball(Fraction(int(point.p), int(point.q)))])
    assert found.overlaps(exact) and found.rad() < 1e-3


def test_a_series_that_diverges_has_no_value() -> None:
    program = enclose.compile_expression(Sum(q**j, (j, 0, oo)), (q,))
    assert program([arb(1)]).is_nan() and program([arb(2)]).is_nan()


def test_a_factor_without_a_value_bounds_nothing() -> None:
    """log a has no value on all of [−1, 1]: the bound is no number then, and not 0."""
    with parameters({a: arb(0, 1)}):
        found = magnitude(sympy.log(a) * sympy.exp(-y), y, arb(2))
        assert found and not sum((m.integral(arb(2)) for m in found), arb(0)).is_finite()
