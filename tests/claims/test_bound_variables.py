"""Bound variables keep to what they assume: sympy wrote the statement by it, and elsewhere the statement has no value."""

from typing import Any

import pytest
from sympy import Abs, Eq, Ge, Integral, Le, Max, Piecewise, Rational, Sum, Symbol, oo

from dpbounds import Claim
from dpbounds.claims.boxes.inequalities import problems_of
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.claims.evidence.ways import from_descent
from dpbounds.claims.settling import settle
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import ClaimError
from dpbounds.language.functions import HockeyStick, Infimum, Supremum
from dpbounds.language.symbols import index, integer, nonnegative, positive, positive_integer, real

n, q, N = Symbol("n", integer=True, nonnegative=True), integer("q"), positive_integer("N")
y, z = positive("y"), real("z")
k, i = Symbol("k", integer=True, positive=True), index("i")
never_above = Symbol("k", integer=True, nonpositive=True)
even = Symbol("k", even=True)
v, t, nonzero, whole = nonnegative("v"), real("t"), Symbol("w", nonzero=True, real=True), integer("m")
above, below = Symbol("x", positive=True), Symbol("x", nonpositive=True)


@pytest.mark.parametrize(
    ("given", "then"),
    [
        ([q >= -3], Le(Sum(Abs(k) * 2 ** (-k), (k, q, oo)), 2 * (q + 1) * 2 ** (-q) + y)),
        ([], Le(Sum((2 + 0**k) * 2 ** (-k), (k, n, oo)), 4 * 2 ** (-n) + y / 100)),
        ([n >= 2], Le(Sum(Abs(never_above), (never_above, 0, n)), y)),
        ([], Le(Integral(Abs(above), (above, z, 1)), Rational(1, 2) - z**2 / 2 + y)),
    ],
)
def test_a_range_beyond_what_its_variable_assumes_shows_nothing(given: list[Any], then: Any) -> None:
    assert certificate_of(Claim(id="a", text="", given=given, then=then), 0.5) is None


@pytest.mark.parametrize(
    "then",
    [
        Ge(Sum((-1) ** even * 2 ** (-even), (even, n, oo)), 2 * 2 ** (-n) - y),
        Ge(Sum((-1) ** even, (even, 0, n)), n + 1 - y),
        Le(Supremum(Piecewise((5, Eq(nonzero, 0)), (0, True)) + z, (nonzero, -1, 1)), z + 1),
        Le(Supremum(Abs(v), (v, -5, 2)), 2),
        Le(Integral(Abs(below), (below, 0, y)), -(y**2) / 2),
    ],
)
def test_a_range_that_no_variable_of_its_kind_has_is_refused_when_it_is_read(then: Any) -> None:
    with pytest.raises(ClaimError, match="its own assumptions exclude|which not all values"):
        Claim(id="a", text="", then=then)


@pytest.mark.parametrize(
    ("given", "then"),
    [
        # sympy writes |v| as v for a v that is declared nonnegative: sup |v| over (-5, 2) is 5, and 2 was certified.
        ([z >= -5, z <= -4], Le(Supremum(Abs(v), (v, z, 2)), Rational(5, 2))),
        ([z >= -5, z <= -4], Le(1 + Supremum(Abs(v), (v, z, 2)), Rational(7, 2))),
        ([z >= -5, z <= 1], Le(Supremum(Abs(v), (v, z, 2)), Rational(5, 2))),
        # these are true of the range, and were refuted at z = -1/3
        ([z >= -1, z <= 1], Ge(Infimum(Abs(above), (above, z, 2)), 0)),
        ([z >= -1, z <= 1], Ge(Infimum(Max(v, 0), (v, z, 2)), 0)),
        ([z >= -1, z <= 1], Le(Supremum(Piecewise((5, Eq(nonzero, 0)), (0, True)), (nonzero, z, 2)), 1)),
        ([z >= -1, z <= 1], Ge(Infimum(Abs(below), (below, -2, z)), -1)),
        ([z >= -1, z <= 1], Le(Integral(Abs(v), (v, z, 1)), 1)),
        ([q >= -3, q <= 3], Le(Sum(Abs(k), (k, q, 3)), 6)),
        ([q >= -3, q <= 3], Le(HockeyStick(0, Abs(k), 0, (k, q, 3)), 6)),
    ],
)
def test_a_statement_whose_range_may_leave_what_its_variable_assumes_has_no_verdict(given: list[Any], then: Any) -> None:
    outcome = settle(Claim(id="a", text="", given=given, then=then), budget=1, contained=True)
    assert outcome.verdict is Verdict.UNDECIDED
    assert "is declared" in outcome.detail and "it needs" in outcome.detail


@pytest.mark.parametrize(
    ("given", "then", "verdict"),
    [
        ([z >= -5, z <= -4], Le(Supremum(Abs(t), (t, z, 2)), Rational(5, 2)), Verdict.REFUTED),
        ([z >= -5, z <= -4], Le(Supremum(Abs(t), (t, z, 2)), 5), Verdict.CERTIFIED),
        ([z >= 0, z <= 1], Le(Supremum(Abs(v), (v, z, 2)), 2), Verdict.CERTIFIED),
        ([z >= 0, z <= 1], Le(Supremum(above + z, (above, 0, 2)), 3), Verdict.CERTIFIED),
        ([z >= 0, z <= 1], Le(Supremum(1 / nonzero, (nonzero, z + 1, 3)), 2), Verdict.CERTIFIED),
    ],
)
def test_a_range_within_it_gives_an_extremum_its_value(given: list[Any], then: Any, verdict: Verdict) -> None:
    assert settle(Claim(id="a", text="", given=given, then=then), budget=10).verdict is verdict


def test_a_document_shows_the_sign_of_the_variable_of_an_extremum() -> None:
    true, others = Le(Supremum(Abs(v), (v, z, 2)), 2), [([z >= 0, z <= 1], Rational(3, 2)), ([z >= -1, z <= 1], 2)]
    claim = Claim(id="a", text="", given=[z >= 0, z <= 1], then=true)
    found = certificate_of(claim, 10)
    assert found is not None and from_descent(claim, found).statement is not None
    for given, bound in others:
        assert from_descent(Claim(id="a", text="", given=given, then=Le(true.lhs, bound)), found).statement is None


def test_a_sum_of_one_term_begins_where_it_ends() -> None:
    problems = problems_of(Claim(id="a", text="", given=[q >= -3], then=Le(Sum(Abs(k), (k, q, q)), q + y)))
    assert [(problem.large, problem.small, problem.strict) for problem in problems[1:]] == [(q, 0, True)]


@pytest.mark.parametrize(
    ("given", "then"), [([], Le(Sum(2 ** (-i), (i, N, oo)), 2 * 2 ** (-N))), ([q >= 1], Le(Sum(2 ** (-i), (i, q, oo)), 2 * 2 ** (-q)))]
)
def test_a_range_within_it_is_settled(given: list[Any], then: Any) -> None:
    assert settle(Claim(id="a", text="", given=given, then=then), budget=10).verdict is Verdict.CERTIFIED
