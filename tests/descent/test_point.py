"""An infimum at most a bound, by one point of its range, and false twins."""

from typing import Any

import pytest
from sympy import Max, Rational, exp, log, oo, sqrt

from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.claims.evidence.ways import from_descent
from dpbounds.language.functions import Extremum, Infimum, NormalCDF, Supremum
from dpbounds.language.symbols import nonnegative, positive, real
from tests.descent.statements import claim

a, b, p, q, s, t, rho, delta, alpha = positive("a b p q s t rho delta alpha")
u = nonnegative("u")
x, y = real("x y")
conversion = alpha * rho + log(1 / delta) / (alpha - 1)


TRUE = [
    pytest.param(Infimum(conversion, (alpha, 1, oo)) <= rho + 2 * sqrt(rho * log(1 / delta)), [delta < 1], id="conversion of zCDP"),
    pytest.param(Infimum(exp(t**2 / 2 - t * a), (t, 0, oo)) <= exp(-(a**2) / 2), [], id="Chernoff, normal"),
    pytest.param(
        Infimum(log(1 - p + p * exp(t)) - t * a, (t, 0, oo)) <= -(a * log(a / p) + (1 - a) * log((1 - a) / (1 - p))),
        [p < 1, a < 1, a > p],
        id="Chernoff, coin",
    ),
    pytest.param(Infimum(s * (exp(t) - 1) - t * a, (t, 0, oo)) <= a - s - a * log(a / s), [a > s], id="Chernoff, Poisson"),
    pytest.param(
        Infimum(exp((t - 1) * (t * rho - a)) * (1 - 1 / t) ** (t - 1) / t, (t, 1, oo))
        <= exp(-((a - rho) ** 2) / (4 * rho)) * 2 * rho / (a + rho),
        [a > rho],
        id="where an exponent is least",
    ),
    pytest.param(Supremum(t * a - t**2 * s / 2, (t, 0, oo)) >= a**2 / (2 * s), [], id="Legendre"),
    pytest.param(Infimum(x**2 - 2 * a * x, (x, -oo, oo)) <= -(a**2), [], id="line"),
    pytest.param(Infimum(x**2 - 2 * a * x, (x, -oo, oo)) < 1, [], id="strict"),
    pytest.param(Infimum(t, (t, a, b)) < b, [a < b], id="two ends"),
    pytest.param(Infimum(NormalCDF(x), (x, -oo, oo)) <= Rational(1, 2), [], id="normal"),
    pytest.param(Infimum(x**2, (x, -oo, oo)) <= Supremum(a - y**2, (y, -oo, oo)), [], id="both sides"),
]


@pytest.mark.parametrize(("then", "given"), TRUE)
def test_a_point_is_found(then: Any, given: Any) -> None:
    found = certificate_of(claim(then, *given), 10)
    assert found is not None and any("point" in part for part in found["problems"])


WRITTEN = [case for case in TRUE if -oo not in {limit for node in case.values[0].atoms(Extremum) for limit in node.args[1]}]
"""The proof checker has no extremum over a range without a lower end."""


@pytest.mark.parametrize(("then", "given"), WRITTEN)
def test_a_point_is_a_document(then: Any, given: Any) -> None:
    stated = claim(then, *given)
    document = certificate_of(stated, 10)
    assert document is not None and from_descent(stated, document).statement is not None


@pytest.mark.parametrize(
    ("then", "given"),
    [(Infimum(-t, (t, 0, oo)) <= a, []), (Supremum(exp(t), (t, a, oo)) >= 0, []), (Infimum(log(t), (t, 0, b)) <= log(b), [])],
    ids=str,
)
def test_an_infimum_that_is_not_finite_has_no_document(then: Any, given: Any) -> None:
    """The checker takes it as 0, so a point alone shows nothing."""
    stated = claim(then, *given)
    document = certificate_of(stated, 2)
    assert document is None or from_descent(stated, document).statement is None


def test_a_forged_bound_or_point_has_no_document() -> None:
    stated = claim(Infimum(t**2 - 2 * t, (t, 0, oo)) <= a - 1)
    document = certificate_of(stated, 2)
    assert document is not None and from_descent(stated, document).statement is not None
    *others, last = document["problems"]
    for forged in ({**last, "bound": "0"}, {**last, "point": "1/2"}, {k: v for k, v in last.items() if k != "bound"}):
        assert from_descent(stated, {"problems": [*others, forged]}).statement is None


@pytest.mark.parametrize(
    ("then", "given"),
    [
        pytest.param(
            Infimum(conversion, (alpha, 1, oo)) <= rho + Rational(19, 10) * sqrt(rho * log(1 / delta)), [delta < 1], id="constant"
        ),
        pytest.param(Infimum(x**2 - 2 * a * x, (x, -oo, oo)) < -(a**2), [], id="attained"),
        pytest.param(Infimum(t, (t, a, b)) <= b, [], id="a range that may be empty"),
        pytest.param(Infimum(t, (t, 0, 1)) <= 0 * a, [], id="the end of a range"),
        pytest.param(Infimum(log(t - 1), (t, 0, oo)) <= 5 * a + 5, [], id="no value at some points"),
        pytest.param(Supremum(a - x**2, (x, -oo, oo)) >= a + 1, [], id="supremum"),
    ],
)
def test_what_no_point_shows_is_not_certified(then: Any, given: Any) -> None:
    assert certificate_of(claim(then, *given), 0.5) is None


@pytest.mark.parametrize(
    "then",
    [
        Infimum(x**2, (x, 0, -oo)) <= a,
        Infimum(x**2, (x, oo, 5)) <= a,
        Infimum(x**2, (x, log(y), oo)) <= a,
        Infimum(x**2, (x, -oo, 1 / y)) <= a,
        Infimum(x**2, (x, oo * y, oo)) <= a,
        Supremum(-(x**2), (x, 0, -oo)) >= -a,
        Supremum(-(x**2), (x, log(y), oo)) >= -a,
        Infimum(Infimum(x**2 + y**2, (y, log(x), oo)), (x, -oo, 2)) <= a,
    ],
    ids=str,
)
def test_an_end_without_a_value_has_no_point(then: Any) -> None:
    assert certificate_of(claim(then), 0.5) is None


def test_a_case_inside_of_the_function_is_not_read() -> None:
    assert certificate_of(claim(Infimum(Max(x, -x), (x, -oo, oo)) <= a), 0.5) is None
