"""What sympy's evaluation hides has no value still: neither certified nor refuted there, and settled where the premises give it one."""

from typing import Any

import pytest

from dpbounds import Claim, settle
from dpbounds import notation as n
from dpbounds.claims.stated import Stated
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import ForeignError
from dpbounds.notation import Abs, Max, Piecewise, Rational, exp, log, nonnegative, positive, real, sqrt

x, y, q, t = real("x"), positive("y"), nonnegative("q"), real("t")
AREA = n.Integral(exp(t), (t, 0, n.oo))
"""Infinite."""

WITHOUT_A_VALUE: dict[str, Any] = {
    "exponential-of-a-logarithm": exp(log(x)) >= 0,  # was REFUTED at x = -1
    "inside-of-a-maximum": Max(1, exp(log(x))) >= 1,  # was CERTIFIED, read as Max(1, x) >= 1
    "squared-root": sqrt(x) ** 2 >= -1,  # was REFUTED at x = -2
    "cancelled-quotient": Abs(x) * (1 / x) * x >= -5,  # was CERTIFIED
    "zero-times-a-logarithm": 0 * log(x) + 1 >= 0,
    "difference-of-logarithms": log(x) - log(x) <= 1,
    "inverse-of-an-inverse": 1 / (1 / x) <= 1 + x**2,
    "zero-times-a-moment": 0 * n.SampledGaussianMoment(2, x, q) + x <= 1 + x,  # was CERTIFIED, as were those below
    "zero-times-a-renyi-divergence": 0 * n.GaussianRenyi(2, x) + x <= 1 + x,
    "difference-of-moments": n.SampledGaussianMoment(2, x, q) - n.SampledGaussianMoment(2, x, q) + x <= 1 + x,
    "zero-times-an-infinite-integral": 0 * AREA + x <= 1 + x,
    "difference-of-infinite-integrals": AREA - AREA + x <= 1 + x,
    "infinite-below-infinite": AREA < AREA + 1,
    "zero-times-a-supremum-of-nothing": 0 * n.Supremum(t, (t, q, x)) + x <= 1 + x,
    "a-condition-that-implies-itself": n.And(x <= x + 1, n.Implies(n.log(x) <= 1, n.log(x) <= 1)),
    "branches-that-agree": Piecewise((log(x), x > 1), (log(x), True)) * 0 <= 1,
}


@pytest.mark.parametrize("name", WITHOUT_A_VALUE)
def test_what_has_no_value_somewhere_gets_no_verdict(name: str) -> None:
    found = settle(Claim(id=name, text="", then=WITHOUT_A_VALUE[name]), budget=1)
    assert found.verdict is Verdict.UNDECIDED, found.detail


def test_a_remainder_is_refused_also_where_sympy_would_drop_it() -> None:
    """It has no value for the divisor 0; was CERTIFIED."""
    with pytest.raises(ForeignError):
        settle(Claim(id="a", then=x + 0 * (x % q) <= x + 1), budget=1)


@pytest.mark.parametrize(
    ("given", "then"),
    [
        ([], y / y <= 1),
        ([], 0 * n.GaussianRenyi(2, y) + x <= 1 + x),
        ([], AREA <= AREA + 1),
        ([x >= 1], x / x <= 1),
        ([x >= 1], exp(log(x)) <= x + 1),
        ([], sqrt(q) ** 2 <= q + 1),
        ([x >= 0], (x ** Rational(1, 2)) ** 4 <= x**2 + 1),
    ],
)
def test_where_premises_give_it_a_value_it_is_settled(given: list[Any], then: Any) -> None:
    assert settle(Claim(id="a", text="", given=given, then=then), budget=10).verdict is Verdict.CERTIFIED


def test_a_premise_beyond_the_range_of_floats_ends_in_a_verdict() -> None:
    """It ended in an OverflowError of the search."""
    assert settle(Claim(id="a", text="", given=[x >= 10**400], then=x >= 0), budget=5).verdict in (Verdict.CERTIFIED, Verdict.UNDECIDED)


def test_a_kept_product_with_a_number_is_read_back_as_it_was() -> None:
    """-2*x is no (-1)*2*x: the hash would not fit, and a cover would not be confirmed."""
    claim = Claim(id="a", text="", given=[x >= 1], then=exp(-2 * x**2 - 3 * log(x)) <= 1)
    read = Stated.read("a", claim.statement, claim.statement_hash)
    assert read.then == claim.then and Claim(id="b", text="", given=[x >= 1], then=read.then).statement_hash == claim.statement_hash


@pytest.mark.parametrize("exponent", [False, True])
def test_a_sum_that_runs_backwards_has_no_value_under_a_factor_0(exponent):
    """`0*Sum(1, (k, 5, 1)) <= 2` and `x**(0*Sum(…)) <= 2` were CERTIFIED, though the sum has no value."""
    x, k, m = n.real("x"), n.index("k"), n.integer("m")
    lost = 0 * n.Sum(1, (k, 5, 1))
    within = (x >= 1, x <= n.Rational(3, 2))
    assert settle(Claim(id="t", text="", given=within, then=(x**lost if exponent else x + lost) <= 2), budget=5).verdict.name == "UNDECIDED"
    cancelled = x + n.Sum(k, (k, 1, m)) - n.Sum(k, (k, 1, m))
    assert settle(Claim(id="t", text="", given=within, then=cancelled <= 2), budget=5).verdict.name == "UNDECIDED"
    assert settle(Claim(id="t", text="", given=(*within, m >= 1), then=cancelled <= 2), budget=10).verdict.name == "CERTIFIED"
