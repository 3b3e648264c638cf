"""Values beyond the range of balls: Arb's exponential overflows to a ball without ends, and that decides nothing."""

import math
from fractions import Fraction

import pytest
from sympy import Rational, Tuple, exp

from dpbounds import Claim
from dpbounds.claims import Boxes
from dpbounds.claims.boxes import rays
from dpbounds.claims.boxes.certify import cover
from dpbounds.claims.settling import settle
from dpbounds.claims.verdict import Verdict
from dpbounds.language.functions import RenyiMoment
from dpbounds.language.symbols import real

x, y = real("x y")
INF = math.inf
NEVER_TRUE = [
    ([x >= 1000, x <= 1001, y >= 0], exp(exp(x)) * (1 + y) <= 0),
    ([x >= 2**40, x <= 2**41, y >= 0], exp(x**4) * (1 + y) <= 0),
    ([x >= 2**40, x <= 2**41, y >= 0], 1 / (exp(-(x**4)) * (1 + y)) <= 0),
]


@pytest.mark.parametrize(("given", "then"), NEVER_TRUE)
def test_a_product_with_an_overflow_is_not_taken_for_a_negative_number(given, then):
    """The sides are positive on the whole domain, and the engine certified that they are at most 0."""
    assert not cover(Claim(id="c", text="", given=given, then=then), Boxes(budget=200)).complete
    assert settle(Claim(id="c", text="", given=given, then=then, by=Boxes(budget=50))).verdict in (Verdict.REFUTED, Verdict.UNDECIDED)


def test_a_premise_that_overflows_empties_nothing():
    """exp(x⁴)·(y − 2) ≥ 0 holds wherever y ≥ 2; an end that is not known was read as a negative number, and the box as outside."""
    given = [x >= 2**40, x <= 2**41, y >= 3, exp(x**4) * (y - 2) >= 0]
    false = cover(Claim(id="c", text="", given=given, then=y <= 2), Boxes(budget=200))
    assert not false.complete and false.outside == 0


@pytest.mark.parametrize("factor", [y, -y, 1 / (1 + y), y - 2])
@pytest.mark.parametrize("large", [exp(exp(x)), exp(x**30), exp(-exp(x)) ** -1, exp(exp(exp(x)))])
def test_every_end_is_a_number_or_an_infinity(large, factor):
    box = {x: rays.ends_of(Fraction(1000), Fraction(1001)), y: rays.ends_of(Fraction(1), INF)}
    for expression in (large * factor, large + factor, factor - large):
        try:
            low, high = rays.value(expression, box)
        except rays.Unknown:
            continue
        assert low.is_exact() and high.is_exact() and low <= high


def test_a_moment_without_a_value_inside_a_function_decides_nothing():
    """Its power is too large for sympy; exp of what has no value was compared with 0, which raised."""
    half = Tuple(Rational(1, 2), Rational(1, 2))
    moment = RenyiMoment(10**7, half, Tuple(Rational(1, 4), Rational(3, 4)))
    given = [x >= 1, x <= 2]
    assert settle(Claim(id="c", text="", given=given, then=exp(moment) >= x), budget=0.5).verdict is Verdict.UNDECIDED
