"""Integrals with a variable end, and false twins."""

from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy
from sympy import Integral, Rational, exp, log, oo

from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.descent.changes import changed
from dpbounds.descent.integrals.moving_ends import moving_end
from dpbounds.descent.polynomials import Polynomial
from dpbounds.descent.search.solve import solve
from dpbounds.descent.tower import Tower
from dpbounds.language.symbols import nonnegative, positive, real
from tests.descent.statements import claim, problem_of

a, b, t = positive("a b t")
u = nonnegative("u")
x, y = real("x y")
less = Rational(9, 10)
dawson = Integral(exp(x**2), (x, 0, t))
exponential = Integral(exp(-b) / b, (b, t, oo))


@pytest.mark.parametrize(
    ("true", "twin"),
    [
        (dawson >= t + t**3 / 3, dawson >= t + t**3 / 2),
        (exponential <= exp(-t) * log(1 + 1 / t), exponential <= exp(-t) * log(1 + 1 / t) * less),
        (t * exponential <= exp(-t), t * exponential <= less * exp(-t)),
        (1 - 2 * exponential >= a - 2 * exp(-t) / t, 1 - 2 * exponential >= a - 2 * less * exp(-t) / t),
    ],
    ids=str,
)
def test_a_lemma_is_settled_and_its_twin_is_not(true: Any, twin: Any) -> None:
    assert certificate_of(claim(true, a <= 1), 5) is not None
    assert certificate_of(claim(twin, a <= 1), 0.2) is None


@pytest.mark.parametrize("c", [Rational(k, 8) for k in range(4, 13)])
def test_only_constants_that_numbers_allow_are_settled(c: sympy.Rational) -> None:
    # the quotient of both sides, from numbers alone: 1/t at 0 and 1 at infinity
    ratios = [mpmath.e1(z) * z * mpmath.exp(z) for z in (mpmath.mpf(10) ** k for k in range(-3, 4))]
    if certificate_of(claim(exponential <= c * exp(-t) / t), 5 if c >= 1 else 0.2) is not None:
        assert c >= max(ratios)
    else:
        assert c < 1


def test_premises_about_the_end_are_left_out() -> None:
    known = moving_end(problem_of(dawson <= exp(t**2), t <= a**2, a * b <= 1)).problem.premises
    assert [premise[:2] for premise in known] == [(1, a * b)]


def evaluated(tower: Tower, p: Polynomial, point: dict[str, Any]) -> Any:
    """A polynomial in the generators of a tower, from numbers alone."""
    values: list[Any] = []

    def of(q: Polynomial) -> Any:
        return sum(
            mpmath.mpf(Fraction(c).numerator) / Fraction(c).denominator * mpmath.fprod(values[i] ** k for i, k in enumerate(m) if k)
            for m, c in q.items()
        )

    functions = {"exp": mpmath.exp, "log": mpmath.log}
    for g in tower.generators:
        values.append(point[g.name] if g.kind == "variable" else functions[g.kind](of(g.inner[0]) / of(g.inner[1])))
    return of(p)


@pytest.mark.parametrize("row", [["square", "t", "w", "0", "oo"], ["logarithm", "t", "w"], ["power", "t", "w"]], ids=lambda row: row[0])
def test_the_slope_is_the_derivative_whatever_the_variables_are_called(row: list[str]) -> None:
    # a false statement: a derivative in the new variable would be another function, and might have a sign
    slope = moving_end(problem_of(exponential >= 3 * exp(-t) * log(1 + 2 / t) / 5)).slope()
    assert solve(slope, 0.5) is None
    tower, (n, d), _ = changed(slope, row, before=False).free()
    w, at = {"square": (1.5, 2.25), "logarithm": (mpmath.e, 1), "power": (0, 1)}[row[0]]
    value = evaluated(tower, n, {"w": mpmath.mpf(w)}) / evaluated(tower, d, {"w": mpmath.mpf(w)})
    bound = mpmath.diff(lambda z: 3 * mpmath.exp(-z) * mpmath.log(1 + 2 / z) / 5, at)
    assert mpmath.almosteq(value, bound + mpmath.exp(-at) / at, rel_eps=1e-9)


def test_a_variable_that_moves_with_the_end_is_not_moved() -> None:
    # a = t·w makes e^(−ax⁴) speak of t, but the derivative is one with a fixed
    slope = moving_end(problem_of(Integral(exp(-a * x**4), (x, 0, t)) <= a * t**2)).slope()
    tower, (n, d), _ = changed(slope, ["scaled", "a", "t", "w"], before=False).free()
    point = {"t": mpmath.mpf(2), "w": mpmath.mpf(3) / 128}
    value = evaluated(tower, n, point) / evaluated(tower, d, point)
    a_now = point["t"] * point["w"]
    assert mpmath.almosteq(value, 2 * a_now * point["t"] - mpmath.exp(-a_now * point["t"] ** 4), rel_eps=1e-12)
