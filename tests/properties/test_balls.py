"""Enclosures contain the truth, print outward, nest, and decide only what is certain."""

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from flint import arb
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpbounds.errors import Undecidable
from dpbounds.numbers.balls import Enclosure, ball, precision

LAW = settings(derandomize=True, deadline=None, max_examples=150)
BITS = st.integers(2, 300)


@st.composite
def rationals(draw):
    """Rational numbers over many orders of magnitude, dyadic or not."""
    mantissa = draw(st.fractions(min_value=-1000, max_value=1000))
    base = draw(st.sampled_from([2, 10]))
    return mantissa * Fraction(base) ** draw(st.integers(-1500, 1500))


@st.composite
def enclosures(draw):
    ends = sorted([draw(rationals()), draw(rationals())])
    with precision(draw(BITS)):
        return Enclosure.between(ball(ends[0]), ball(ends[1]))


@LAW
@given(rationals(), BITS)
def test_exactly_is_tight(value, bits):
    with precision(bits):
        interval = Enclosure.exactly(value)
        assert Enclosure.of_ball(ball(value)).contains(value)
    assert interval.lower <= value <= interval.upper
    assert interval.upper - interval.lower <= abs(value) * Fraction(4, 2**bits)
    dyadic = value.denominator & (value.denominator - 1) == 0
    assert interval.is_exact == dyadic


@LAW
@given(rationals(), BITS, BITS)
def test_enclosures_nest_as_precision_grows(value, bits, more):
    with precision(bits):
        wide = Enclosure.exactly(value)
    with precision(bits + more):
        narrow = Enclosure.exactly(value)
    assert wide.contains(narrow)
    assert wide.intersection(narrow).contains(value)


@LAW
@given(enclosures(), st.integers(1, 80))
@example(Enclosure(arb(0), arb(0)), 1)
def test_decimals_are_outward_and_tight(interval, digits):
    for end, text, side in ((interval.lower, interval.lower_decimal(digits), -1), (interval.upper, interval.upper_decimal(digits), 1)):
        printed = Fraction(Decimal(text))
        assert side * (printed - end) >= 0
        assert abs(printed - end) * 10 ** (digits - 1) <= abs(end)
        assert len(Decimal(text).normalize().as_tuple().digits) <= digits


@LAW
@given(enclosures())
def test_floats_are_outward_and_nearest(interval):
    low, high = interval.lower_float, interval.upper_float
    if low != -math.inf:
        assert Fraction(low) <= interval.lower
    if high != math.inf:
        assert Fraction(high) >= interval.upper
    above, below = math.nextafter(low, math.inf), math.nextafter(high, -math.inf)
    assert above == math.inf or Fraction(above) > interval.lower
    assert below == -math.inf or Fraction(below) < interval.upper


@LAW
@given(enclosures(), enclosures())
def test_comparisons_agree_with_every_pair_of_points(left, right):
    points = [(x, y) for x in (left.lower, left.upper) for y in (right.lower, right.upper)]
    for compare in ("__lt__", "__le__", "__gt__", "__ge__"):
        truths = {getattr(x, compare)(y) for x, y in points}
        if len(truths) == 1:
            assert getattr(left, compare)(right) is truths.pop()
        else:
            with pytest.raises(Undecidable):
                getattr(left, compare)(right)


@LAW
@given(enclosures(), rationals())
def test_comparisons_with_a_number(interval, value):
    truths = {interval.lower < value, interval.upper < value}
    if len(truths) == 1:
        assert (interval < value) is truths.pop()
        assert (value > interval) is (interval < value)
    else:
        with pytest.raises(Undecidable):
            assert interval < value
    assert interval.contains(value) == (interval.lower <= value <= interval.upper)


@LAW
@given(enclosures(), enclosures())
def test_intersection_overlap_and_maximum(left, right):
    low, high = max(left.lower, right.lower), min(left.upper, right.upper)
    assert left.overlaps(right) == (low <= high)
    if low <= high:
        common = left.intersection(right)
        assert (common.lower, common.upper) == (low, high)
        assert left.contains(common) and right.contains(common)
    larger = left.maximum(right)
    assert (larger.lower, larger.upper) == (low, max(left.upper, right.upper))


@LAW
@given(enclosures(), st.integers(-3, 60))
def test_meets_is_the_promise_of_the_digits(interval, digits):
    promise = interval.upper - interval.lower <= Fraction(10) ** (1 - digits) * abs(interval.upper)
    assert interval.meets(digits) <= promise
    if interval.digits() >= digits:
        assert promise
    if not promise:
        assert interval.digits() < digits


@LAW
@given(enclosures(), BITS)
def test_the_ball_of_an_interval_covers_it(interval, bits):
    with precision(bits):
        assert Enclosure.of_ball(interval.ball()).contains(interval)
