"""Ends of intervals against fractions: every pair of a list of numbers with equal ones, tiny ones, far ones and both infinities."""

import itertools
import math
from decimal import Decimal as D
from fractions import Fraction as F

import pytest

from dpbounds.covers.intervals import INFINITY, LIMIT, MINUS_INFINITY, ONE, ZERO, Arithmetic, Undefined

BITS = 8
A = Arithmetic(BITS)
LARGEST = A.down.multiply(D(f"1E{LIMIT}"), D(f"1E{LIMIT}"))
SMALLEST = A.up.multiply(D(f"1E-{LIMIT}"), D(f"1E-{LIMIT}"))
POSITIVE = [D("1E-2000"), D("3E-12"), D("0.625"), D(1), D("0.5"), D("7.77777"), D("255"), D("128000"), D("3E7"), D("1E300"), INFINITY]
ENDS = [*(a.copy_negate() for a in POSITIVE), ZERO, D("-0"), *POSITIVE]
NOTHING = ZERO, ZERO
PAIRS = list(itertools.product(ENDS, ENDS))
SIDES = [(a, b) for a, b in itertools.product(ENDS[::2], ENDS[1::3]) if a != INFINITY and b != MINUS_INFINITY and a <= b]
SIDES += [(a, ZERO) for a in (*ENDS[:10:5], ZERO)]


def real(a):
    return math.copysign(math.inf, a) if a.is_infinite() else F(a)


def is_rounded(found, exact, up, units=1):
    """On the right side of the exact value, and not far from it."""
    at = real(found)
    if abs(exact) == math.inf or abs(at) == math.inf:
        return at == exact
    return (at >= exact if up else at <= exact) and abs(at - exact) <= abs(exact) * F(units, 1 << BITS - 1)


def product(p, q):
    return F(0) if 0 in (p, q) else p * q if math.inf not in (abs(p), abs(q)) else math.inf if (p > 0) == (q > 0) else -math.inf


def test_sums_of_ends():
    for a, b in PAIRS:
        if {a, b} != {INFINITY, MINUS_INFINITY}:
            low, high = A.add((a, a), (b, b))
            exact = real(a) + real(b)
            assert is_rounded(low, exact, False) and is_rounded(high, exact, True), (a, b)


def test_a_tiny_number_moves_a_sum_by_one_unit_at_most():
    for m in (200, 128, -200, -128, 255):
        for gap in (6, 7, 8, 9, 12, 1000):
            for tiny in (D(1).scaleb(-gap), D(-1).scaleb(-gap)):
                low, high = A.add((D(m), D(m)), (tiny, tiny))
                assert is_rounded(low, m + F(tiny), False) and is_rounded(high, m + F(tiny), True)


@pytest.mark.parametrize(
    "value, low, high",
    [
        (D(f"1E{LIMIT}"), D(f"1E{LIMIT}"), D(f"1E{LIMIT}")),
        (D(f"1E{LIMIT + 1}"), LARGEST, INFINITY),
        (D(f"-1E{LIMIT + 1}"), MINUS_INFINITY, LARGEST.copy_negate()),
        (D(f"1E-{LIMIT}"), D(f"1E-{LIMIT}"), D(f"1E-{LIMIT}")),
        (D(f"1E-{LIMIT + 100}"), ZERO, SMALLEST),
        (D(f"-1E-{LIMIT + 100}"), SMALLEST.copy_negate(), ZERO),
        (D("123456781"), D("12345678E1"), D("12345679E1")),
        (D("-123456781"), D("-12345679E1"), D("-12345678E1")),
    ],
)
def test_rounding_at_its_limits(value, low, high):
    assert A.down.prec == 8 and (A.down.plus(value), A.up.plus(value)) == (low, high)


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
    assert [real(end) for end in A.root((D(36), D(36)))] == [6, 6]


@pytest.mark.parametrize("x", [F(1), F(-7), F(1, 3), F(-1, 3), F(1000), F(-1001, 7), F(3, 4), F(10**9 + 1)])
def test_numbers_and_sides(x):
    low, high = A.number(x)
    assert is_rounded(low, x, False) and is_rounded(high, x, True) and A.side(x, x) == (low, high)
    assert A.side(None, x) == (MINUS_INFINITY, high) and A.side(x, None) == (low, INFINITY)
    assert A.ratio(3 * x.numerator, 3 * x.denominator) == (low, high)


def test_nothing_added_changes_nothing():
    for a in ENDS:
        assert A.add((a, a), NOTHING) == A.add(NOTHING, (a, a)) == (a, a)


@pytest.mark.parametrize("b", [D(1), D(384), D("1E90"), INFINITY])
def test_functions_of_sides_with_an_end_that_is_not_reached(b):
    """A bound of all large numbers is no number, and at 0 a logarithm falls without end."""
    low, high = A.log((ZERO, b), nonzero=True)
    assert low == MINUS_INFINITY and high == A.log((ONE, b))[1] and real(A.log((ONE, b))[0]) == 0
    assert high == INFINITY if b == INFINITY else abs(float(real(high)) - math.log(real(b))) <= math.log(real(b)) / 64
    assert A.exp((MINUS_INFINITY, b))[0] == ZERO and (b < D("1E90") or A.exp((MINUS_INFINITY, b))[1] == INFINITY)
    low, high = A.power((ZERO, b), A.number(F(1, 2)))
    assert low == ZERO and (high == INFINITY if b == INFINITY else real(b) <= real(high) ** 2 <= 4 * real(b))
    assert A.root((b, INFINITY))[1] == INFINITY and (b != INFINITY or A.root((b, b)) == (b, b))


def test_the_normal_distribution_on_far_sides():
    far = D(f"1E{LIMIT}")
    for a, b in ((MINUS_INFINITY, INFINITY), (far.copy_negate(), far), (MINUS_INFINITY, far), (D(-2000), INFINITY)):
        low, high = A.normal_cdf((a, b))
        assert 0 <= real(low) <= F(1, 2**100) and 1 <= real(high) <= 1 + F(1, 2**20)
    low, high = Arithmetic(40).normal_cdf((D(-2), D(-2)))
    assert [round(float(end), 6) for end in (low, high)] == [0.02275] * 2
    half = A.normal_cdf(NOTHING)
    assert real(half[0]) <= F(1, 2) <= real(half[1]) and half[1] - half[0] < D("0.01")
