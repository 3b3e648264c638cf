"""Premises and quantiles as the descent reads them: nothing of the domain is lost, and nothing is added."""

from fractions import Fraction

import pytest
from sympy import Rational, exp, log

from dpbounds import Claim, Verdict, settle
from dpbounds.claims.boxes.inequalities import problems_of
from dpbounds.descent.interval import Interval
from dpbounds.descent.refusal import DescentRefused
from dpbounds.language.functions import NormalCDF, NormalQuantile
from dpbounds.language.symbols import nonnegative, positive, real

p, q, t = positive("p q t")
m = nonnegative("m")
x, y = real("x y")


def test_the_ends_of_a_variable_are_carried_over_an_order():
    (problem,) = problems_of(Claim(id="a", text="", given=[p <= q, q < 1, p >= Rational(1, 3)], then=p * q <= 1))
    assert problem.box["p"] == Interval(Fraction(1, 3), Fraction(1), True, False)
    assert problem.box["q"] == Interval(Fraction(1, 3), Fraction(1), True, False)
    (strict,) = problems_of(Claim(id="a", text="", given=[p < q, q <= 1], then=p * q <= 1))
    assert strict.box["p"] == Interval(Fraction(0), Fraction(1), False, False) and strict.box["q"].high_closed


@pytest.mark.parametrize(
    ("given", "then", "good"),
    [
        ([p < 1], NormalCDF(NormalQuantile(p) + m) >= p, True),
        ([p < 1], NormalCDF(NormalQuantile(p) - m) >= p - Rational(1, 2), False),
        ([p < 1], p * exp(NormalQuantile(p)) >= p + p * NormalQuantile(p), True),
        ([p <= Rational(1, 2)], NormalQuantile(p) - 1 <= -1 - Rational(1, 100), False),
        ([p <= 1], NormalQuantile(p) ** 2 >= 0, None),
        ([p <= 2], NormalQuantile(p) ** 2 >= 0, None),
        ([p <= q, q < 1], log(p / q) <= 0, True),
        ([p <= q, q < 1], log(p / q) <= -Rational(1, 10**6), False),
        ([], log(exp(x) + exp(y)) >= (x + y) / 2 + log(2), True),
        ([], log(exp(x) + exp(y)) >= (x + y) / 2 + Rational(694, 1000), False),
    ],
    ids=str,
)
def test_true_and_false_statements(given, then, good):
    outcome = settle(Claim(id="a", text="", given=given, then=then), budget=5, contained=True)
    assert outcome.verdict is {True: Verdict.CERTIFIED, False: Verdict.REFUTED, None: Verdict.UNDECIDED}[good], outcome.detail


def test_a_quantile_of_what_may_leave_the_unit_interval_is_refused():
    for given in ([], [p <= 2]):
        with pytest.raises(DescentRefused, match="outside of"):
            problems_of(Claim(id="a", text="", given=given, then=exp(NormalQuantile(p)) >= p - 1))
