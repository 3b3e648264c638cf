"""Bound variables keep to what they assume: sympy wrote the statement by it, and elsewhere the statement has no value."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import Abs, Ge, Integral, Le, Rational, Sum, Symbol, oo

from dpbounds import Claim
from dpbounds.claims.descents import certificate_of
from dpbounds.claims.inequalities import check_claim, problems_of
from dpbounds.language.symbols import index, integer, positive, positive_integer, real

n, q, N = Symbol("n", integer=True, nonnegative=True), integer("q"), positive_integer("N")
y, z = positive("y"), real("z")
k, i = Symbol("k", integer=True, positive=True), index("i")
never_above = Symbol("k", integer=True, nonpositive=True)
even = Symbol("k", even=True)
above, below = Symbol("x", positive=True), Symbol("x", nonpositive=True)


@pytest.mark.parametrize(
    ("given", "then"),
    [
        ([q >= -3], Le(Sum(Abs(k) * 2 ** (-k), (k, q, oo)), 2 * (q + 1) * 2 ** (-q) + y)),
        ([], Le(Sum((2 + 0**k) * 2 ** (-k), (k, n, oo)), 4 * 2 ** (-n) + y / 100)),
        ([], Ge(Sum((-1) ** even * 2 ** (-even), (even, n, oo)), 2 * 2 ** (-n) - y)),
        ([], Ge(Sum((-1) ** even, (even, 0, n)), n + 1 - y)),
        ([n >= 2], Le(Sum(Abs(never_above), (never_above, 0, n)), y)),
        ([], Le(Integral(Abs(above), (above, z, 1)), Rational(1, 2) - z**2 / 2 + y)),
        ([], Le(Integral(Abs(below), (below, 0, y)), -(y**2) / 2)),
    ],
)
def test_a_range_beyond_what_its_variable_assumes_shows_nothing(given: list[Any], then: Any) -> None:
    assert certificate_of(Claim(id="a", text="", given=given, then=then), 2) is None


def test_a_sum_of_one_term_begins_where_it_ends() -> None:
    problems = problems_of(Claim(id="a", text="", given=[q >= -3], then=Le(Sum(Abs(k), (k, q, q)), q + y)))
    assert [(problem.large, problem.small, problem.strict) for problem in problems[1:]] == [(q, 0, True)]


@pytest.mark.parametrize(
    ("given", "then"),
    [
        ([], Le(Sum(2 ** (-i), (i, N, oo)), 2 * 2 ** (-N))),
        ([q >= 1], Le(Sum(2 ** (-i), (i, q, oo)), 2 * 2 ** (-q))),
        ([z >= 0], Le(Integral(Abs(above), (above, z, 1)), Rational(1, 2) - z**2 / 2 + y)),
    ],
)
def test_a_range_within_it_is_settled(given: list[Any], then: Any) -> None:
    claim = Claim(id="a", text="", given=given, then=then)
    document = certificate_of(claim, 10)
    assert document is not None
    check_claim(claim, document)
