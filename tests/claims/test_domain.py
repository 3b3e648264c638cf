"""The domain: constraints, outer bounds and membership."""

from fractions import Fraction

import pytest
from sympy import Eq, IndexedBase, Ne, Rational, Symbol, exp, log, pi, sqrt

from dpbounds import Claim
from dpbounds.claims.domain import Domain
from dpbounds.errors import ClaimError
from dpbounds.language.symbols import family, index, integer, positive, positive_integer, real, sums_to_one

x, y, z = real("x y z")
s = positive("s")
n = integer("n")


def domain(*given, then=None):
    return Domain.of_claim(Claim(id="c", text="", given=given, then=(x + y >= 0) if then is None else then))


def test_sign_assumptions_are_constraints():
    assert Symbol("s", positive=True) in domain(s <= 1).variables
    assert [str(c) for c in domain(s <= 1, then=s <= x).constraints] == ["s > 0", "s <= 1"]


@pytest.mark.parametrize(
    ("given", "symbol", "low", "high"),
    [
        ([x >= 1, x <= 2], x, 1, 2),
        ([x > 1, x < 2], x, 1, 2),
        ([2 * x - 3 >= 0, 5 - x >= 0], x, Fraction(3, 2), 5),
        ([x >= 0, x <= y, y <= 3], x, 0, 3),
        ([Eq(3 * x + y, 1), x >= 0, y >= 0], x, 0, Fraction(1, 3)),
        ([n > 2, n < 5], n, 2, 5),
        ([2 * n >= 3, 2 * n <= 9], n, 2, 4),
        ([s >= 1, x >= 0, x <= 1 / (16 * s)], x, 0, Fraction(1, 16)),
        ([x**2 <= 1], x, None, None),
        ([x >= 1], x, 1, None),
    ],
)
def test_bounds(given, symbol, low, high):
    assert domain(*given, then=symbol <= z).bounds()[symbol] == (low, high)


def test_irrational_bounds_are_rounded_outward():
    low, high = domain(x >= sqrt(2), x <= pi, then=x <= z).bounds()[x]
    assert low < sqrt(2) and high > pi
    assert low > Fraction(141421356, 10**8) and high < Fraction(314159266, 10**8)


def test_bounds_through_other_variables_are_rounded_outward():
    low, high = domain(s >= 1, s <= 2, x >= 0, x <= 1 / (16 * s), then=x <= z).bounds()[x]
    assert low == 0
    assert Fraction(1, 16) <= high <= Fraction(1, 15)


def test_a_decreasing_bound_is_not_taken_for_a_lower_one():
    # x >= 1/s with s >= 1 unbounded above: x may come close to 0.
    low, _ = domain(s >= 1, x >= 1 / s, x <= 2, then=x <= z).bounds()[x]
    assert low is None or low <= 0


def test_bounds_that_lean_on_each_other_are_not_invented():
    assert domain(x <= y + 1, y <= x).bounds()[x] == (None, None)


@pytest.mark.parametrize(
    ("given", "point", "inside"),
    [
        ([x >= 1], {x: 1, y: 0}, True),
        ([x > 1], {x: 1, y: 0}, False),
        ([x >= sqrt(2)], {x: sqrt(2), y: 0}, True),
        ([x <= log(8)], {x: 3 * log(2), y: 0}, True),
        ([Eq(exp(x), 2)], {x: log(2), y: 0}, True),
        ([Ne(x, y)], {x: 1, y: 1}, False),
        ([sqrt(x) <= 5], {x: -1, y: 0}, None),
        ([log(x) <= 5], {x: 0, y: 0}, None),
    ],
)
def test_membership(given, point, inside):
    assert domain(*given).contains({key: Rational(value) if isinstance(value, int) else value for key, value in point.items()}) is inside


def test_parity_counts_also_with_a_sign():
    even = Symbol("m", even=True, positive=True)
    inside = domain(even <= 6, then=even**2 >= x).contains
    assert inside({even: 2, x: 0}) is True
    assert inside({even: 1, x: 0}) is False
    assert inside({even: 3, x: 0}) is False


def test_integers_must_be_integers():
    whole = domain(n >= 1, then=n >= x)
    assert whole.contains({n: 2, x: 0}) is True
    assert whole.contains({n: Rational(3, 2), x: 0}) is False


def test_families_keep_their_sign_and_length():
    i, m, p = index("i"), positive_integer("m"), family("p")
    distribution = domain(sums_to_one(p, (i, 1, m)), then=p[1] >= x)
    half = Rational(1, 2)
    assert distribution.contains({m: 2, p: (half, half), x: 0}) is True
    assert distribution.contains({m: 2, p: (half, Rational(1, 3)), x: 0}) is False
    assert distribution.contains({m: 2, p: (Rational(3, 2), -half), x: 0}) is False
    assert distribution.contains({m: 3, p: (half, half), x: 0}) is None
    loss = IndexedBase("w", negative=True)
    assert domain(then=loss[1] <= x).contains({loss: (1,), x: 0}) is False


def test_a_point_must_name_every_variable():
    with pytest.raises(ClaimError, match="no value for y"):
        domain(x >= 0).contains({x: 1})
