"""Ends of intervals against fractions: every pair of a list of numbers with equal ones, tiny ones, far ones and both infinities."""

import itertools
import math
from fractions import Fraction as F

import pytest

from dpbounds.covers import intervals
from dpbounds.covers.intervals import HUGE, INFINITY, LIMIT, MINUS_INFINITY, ONE, ZERO, Arithmetic, Undefined, less, rounded

BITS = 8
A = Arithmetic(BITS)
POSITIVE = [(1, -5000), (3, -40), (5, -3), (1, 0), (2, -1), (4, -2), (255, -8), (129, 0), (3, 7), (1, 300), INFINITY]
ENDS = [*((-m, e) for m, e in POSITIVE), ZERO, (0, 3), *POSITIVE]
NOTHING = ZERO, ZERO
PAIRS = list(itertools.product(ENDS, ENDS))
SIDES = [(a, b) for a, b in itertools.product(ENDS[::2], ENDS[1::3]) if a[1] != HUGE or b[1] != HUGE]


def real(a):
    return a[0] * math.inf if a[1] == HUGE else F(a[0]) * F(2) ** a[1]


SIDES = [*((a, b) for a, b in SIDES if real(a) <= real(b)), *((a, ZERO) for a in (*ENDS[:11:5], ZERO))]


def is_rounded(found, exact, up, units=1):
    """On the right side of the exact value, and not far from it."""
    at = real(found)
    if abs(exact) == math.inf or abs(at) == math.inf:
        return at == exact
    return (at >= exact if up else at <= exact) and abs(at - exact) <= abs(exact) * F(units, 1 << BITS - 1)


def product(p, q):
    return F(0) if 0 in (p, q) else p * q if math.inf not in (abs(p), abs(q)) else math.inf if (p > 0) == (q > 0) else -math.inf


def test_the_order_of_ends():
    for a, b in PAIRS:
        assert less(a, b) == (real(a) < real(b)), (a, b)
        assert real(intervals.least(a, b)) == min(real(a), real(b)) and real(intervals.largest(a, b)) == max(real(a), real(b))
    for a in ENDS:
        assert a[1] == HUGE or intervals.fraction(a) == real(a)


@pytest.mark.parametrize("up", [False, True])
def test_sums_and_products_of_ends(up):
    for a, b in PAIRS:
        if {a, b} != {INFINITY, MINUS_INFINITY}:
            exact = real(a) + real(b) if HUGE not in (a[1], b[1]) else real(a) if a[1] == HUGE else real(b)
            assert is_rounded(intervals._sum(a, b, BITS, up), exact, up), (a, b)
        assert is_rounded(intervals._product(a, b, BITS, up), product(real(a), real(b)), up), (a, b)


def test_a_tiny_number_moves_a_sum_by_one_unit_at_most():
    for m in (200, 128, -200, -128, 255):
        for gap in (20, 24, 25, 26, 27, 40):
            for tiny in (1, -1):
                for up in (False, True):
                    assert is_rounded(intervals._sum((m, 0), (tiny, -gap), BITS, up), m + F(tiny, 1 << gap), up)
                    assert is_rounded(intervals._sum((tiny, -gap), (m, 0), BITS, up), m + F(tiny, 1 << gap), up)


@pytest.mark.parametrize(
    "m, e, low, high",
    [
        (1, LIMIT - 1, (1, LIMIT - 1), (1, LIMIT - 1)),
        (255, LIMIT - 8, (255, LIMIT - 8), (255, LIMIT - 8)),
        (1, LIMIT, (1, LIMIT - 1), INFINITY),
        (-1, LIMIT, MINUS_INFINITY, (-1, LIMIT - 1)),
        (255, LIMIT - 7, (1, LIMIT - 1), INFINITY),
        (511, LIMIT - 9, (255, LIMIT - 8), INFINITY),
        (1, -LIMIT, (1, -LIMIT), (1, -LIMIT)),
        (1, -LIMIT - 1, (1, -LIMIT - 1), (1, -LIMIT - 1)),
        (1, -LIMIT - 2, ZERO, (1, -LIMIT)),
        (-1, -LIMIT - 2, (-1, -LIMIT), ZERO),
        (0, 7, ZERO, ZERO),
        (257, 3, (128, 4), (129, 4)),
        (-257, 3, (-129, 4), (-128, 4)),
        (255, 3, (255, 3), (255, 3)),
    ],
)
def test_rounding_at_its_limits(m, e, low, high):
    assert (rounded(m, e, BITS, False), rounded(m, e, BITS, True)) == (low, high)


@pytest.mark.parametrize("m, by, low, high", [(3, 2, 12, 12), (3, 0, 3, 3), (3, -1, 1, 2), (-3, -1, -2, -1), (4, -2, 1, 1)])
def test_numbers_in_units(m, by, low, high):
    assert (intervals.shifted((m, 0), by, False), intervals.shifted((m, 0), by, True)) == (low, high)


def test_products_of_intervals_reach_from_corner_to_corner():
    for x, y in itertools.product(SIDES[::3], SIDES):
        corners = [product(real(p), real(q)) for p in x for q in y]
        low, high = A.multiply(x, y)
        assert is_rounded(low, min(corners), False) and is_rounded(high, max(corners), True), (x, y)
    for x in SIDES:
        assert A.multiply(NOTHING, x) == A.multiply(x, NOTHING) == NOTHING


def test_whole_powers_of_intervals():
    for x, n in itertools.product(SIDES, (1, 2, 3, 5, 6)):
        powers = [real(end) ** n for end in x] + ([F(0)] if n % 2 == 0 and real(x[0]) < 0 < real(x[1]) else [])
        low, high = A.integer_power(x, n)
        assert is_rounded(low, min(powers), False, 8) and is_rounded(high, max(powers), True, 8), (x, n)
    assert A.integer_power((ONE, ONE), 100_000) == (ONE, ONE)
    with pytest.raises(Undefined):
        A.integer_power((ONE, ONE), 100_001)


@pytest.mark.parametrize("nonzero", [False, True])
def test_reciprocals_of_intervals(nonzero):
    for x in SIDES:
        a, b = real(x[0]), real(x[1])
        if a > 0 or b < 0 or (nonzero and (a == 0 < b or b == 0 > a)):
            low, high = A.reciprocal(x, nonzero)
            above = -math.inf if b == 0 else F(0) if abs(b) == math.inf else 1 / b
            below = math.inf if a == 0 else F(0) if abs(a) == math.inf else 1 / a
            assert is_rounded(low, above, False) and is_rounded(high, below, True), x
        else:
            with pytest.raises(Undefined):
                A.reciprocal(x, nonzero)


def test_roots_and_distances_of_intervals():
    for x in SIDES:
        a, b = real(x[0]), real(x[1])
        distances = [abs(a), abs(b)]
        assert [real(end) for end in A.absolute(x)] == [F(0) if a < 0 < b else min(distances), max(distances)]
        if a < 0:
            with pytest.raises(Undefined):
                A.root(x)
            continue
        low, high = (real(end) for end in A.root(x))
        assert low**2 <= a and b <= high**2
        assert low == a or low**2 >= a * (1 - F(1, 1 << BITS - 3))
        assert high == b or high**2 <= b * (1 + F(1, 1 << BITS - 3))
    assert [real(end) for end in A.root(((9, 2), (9, 2)))] == [6, 6]


@pytest.mark.parametrize("x", [F(1), F(-7), F(1, 3), F(-1, 3), F(1000), F(-1001, 7), F(3, 4), F(10**9 + 1)])
def test_numbers_and_sides(x):
    low, high = A.number(x)
    assert is_rounded(low, x, False) and is_rounded(high, x, True) and A.side(x, x) == (low, high)
    assert A.side(None, x) == (MINUS_INFINITY, high) and A.side(x, None) == (low, INFINITY)
    assert is_rounded(intervals._quotient(x.numerator, x.denominator, 0, BITS, False), x, False)
    assert is_rounded(intervals._quotient(x.numerator, x.denominator, 0, BITS, True), x, True)


def test_nothing_added_changes_nothing():
    for a in ENDS:
        for up in (False, True):
            assert real(intervals._sum(a, ZERO, BITS, up)) == real(intervals._sum(ZERO, a, BITS, up)) == real(a)


@pytest.mark.parametrize("b", [(1, 0), (3, 7), (1, 300), INFINITY])
def test_functions_of_sides_with_an_end_that_is_not_reached(b):
    """A bound of all large numbers is no number, and at 0 a logarithm falls without end."""
    low, high = A.log((ZERO, b), nonzero=True)
    assert low == MINUS_INFINITY and high == A.log((ONE, b))[1] and real(A.log((ONE, b))[0]) == 0
    assert high == INFINITY if b == INFINITY else abs(float(real(high)) - math.log(real(b))) <= math.log(real(b)) / 64
    assert A.exp((MINUS_INFINITY, b))[0] == ZERO and (b[1] < 300 or A.exp((MINUS_INFINITY, b))[1] == INFINITY)
    low, high = A.power((ZERO, b), A.number(F(1, 2)))
    assert low == ZERO and (high == INFINITY if b == INFINITY else real(b) <= real(high) ** 2 <= 4 * real(b))
    assert A.root((b, INFINITY))[1] == INFINITY and (b != INFINITY or A.root((b, b)) == (b, b))


def test_error_functions_of_far_sides():
    far = (1, LIMIT - 1)
    for a, b in ((MINUS_INFINITY, INFINITY), ((-1, LIMIT - 1), far), (MINUS_INFINITY, far), ((-1, 10), INFINITY)):
        low, high = A.erfc((a, b))
        assert 0 <= real(low) <= F(1, 2**100) and 2 <= real(high) <= 2 + F(1, 2**100)
        low, high = A.erf((a, b))
        assert -1 - F(1, 2**6) <= real(low) <= -1 and 1 <= real(high) <= 1 + F(1, 2**6)
    assert [round(float(real(end)), 6) for end in Arithmetic(40).erfc(((1, 1), (1, 1)))] == [0.004678] * 2
    assert A.erfc((INFINITY, INFINITY)) == (ZERO, ZERO) and A.erf((ZERO, ZERO)) == (ZERO, ZERO)
