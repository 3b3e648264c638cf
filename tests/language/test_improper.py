"""Integrals up to an end where the integrand has no value, against mpmath and closed forms."""

from typing import Any

import mpmath
import pytest
import sympy
from flint import arb
from sympy import Integral, Rational, exp, log, oo, sqrt

from dpbounds.language.enclose import compile_expression
from dpbounds.language.symbols import nonnegative, positive

u = nonnegative("u")
a = positive("a")
half = Rational(1, 2)


def value(expression: Any, **numbers: str) -> arb:
    variables = tuple(sorted(expression.free_symbols, key=str))
    return compile_expression(expression, variables)([arb(numbers[v.name]) for v in variables])


@pytest.mark.parametrize(
    "integral",
    [
        Integral(-log(u), (u, 0, 1)),
        Integral(1 / sqrt(u), (u, 0, 1)),
        Integral(u ** Rational(-3, 5), (u, 0, 2)),
        Integral(1 / sqrt(1 - u), (u, 0, 1)),
        Integral(1 / sqrt(u * (1 - u)), (u, 0, 1)),
        Integral(exp(-u) / sqrt(u), (u, 0, oo)),
        Integral(sqrt(log(1 / u)), (u, 0, 1)),
        Integral(log(u) * log(1 - u), (u, 0, 1)),
        Integral(log(u - half), (u, half, 1)),
        Integral(log(u) ** 3 / sqrt(u), (u, 0, half)),
    ],
    ids=str,
)
def test_an_integral_up_to_such_an_end_holds_its_value(integral: Any) -> None:
    v, low, high = integral.limits[0]
    term = sympy.lambdify(v, integral.function, "mpmath")
    with mpmath.workdps(40):
        points = [low, high] if high == oo else [low, (low + high) / 2, high]
        truth = mpmath.quad(term, [mpmath.inf if p == oo else mpmath.mpf(p.p) / p.q for p in map(sympy.sympify, points)], maxdegree=12)
    found = value(integral)
    assert found.is_finite() and found.overlaps(arb(mpmath.nstr(truth, 30), 1e-12)) and found.rad() <= 1e-4


@pytest.mark.parametrize("power", ["-0.5", "-0.99", "0.5"])
def test_a_power_of_a_variable_is_enclosed_too(power: str) -> None:
    found = value(Integral(u ** (-a), (u, 0, 1)), a=str(-float(power))) if power[0] == "-" else value(Integral(u**a, (u, 0, 1)), a=power)
    assert found.contains(1 / (1 + arb(power)))


@pytest.mark.parametrize(
    "integral",
    [
        Integral(1 / u, (u, 0, 1)),
        Integral(u ** Rational(-3, 2), (u, 0, 1)),
        Integral(1 / (1 - u), (u, 0, 1)),
        Integral(1 / (u * log(u) ** 2), (u, 0, 1)),
        Integral(1 / (u - half), (u, 0, 1)),
        Integral(1 / sqrt(u) + 1 / (half - u), (u, 0, 1)),
    ],
    ids=str,
)
def test_a_divergent_integral_has_no_value(integral: Any) -> None:
    assert not value(integral).is_finite()
