"""Enclosures: outward ends at all magnitudes, honest comparisons."""

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from flint import arb, ctx

from dpbounds.errors import PrecisionError, Undecidable
from dpbounds.numbers.balls import Enclosure, ball, bits_for, precision, to_fraction

THIRD = Fraction(1, 3)


def enclosure_at(bits: int, value: Fraction) -> Enclosure:
    with precision(bits):
        return Enclosure.exactly(value)


def test_precision_is_restored_also_after_an_error():
    before = ctx.prec
    with pytest.raises(ZeroDivisionError), precision(300):
        assert ctx.prec == 300
        with precision(70):
            assert ctx.prec == 70
        assert ctx.prec == 300
        raise ZeroDivisionError
    assert ctx.prec == before


def test_bits_for():
    assert 2 ** bits_for(30, guard=0) >= 10**30
    assert bits_for(30) == bits_for(30, guard=0) + 20


def test_a_ball_contains_its_rational():
    for value in (THIRD, Fraction(-7, 10**40), Fraction(10**50 + 1), 5):
        assert Enclosure.of_ball(ball(value)).contains(value)
    assert ball(Fraction(3, 8)).is_exact() and not ball(THIRD).is_exact()


def test_to_fraction():
    assert to_fraction(arb(3) / 8) == Fraction(3, 8)
    assert to_fraction(arb(-(2**70))) == -(2**70)
    assert (to_fraction(arb.pos_inf()), to_fraction(arb.neg_inf())) == (math.inf, -math.inf)
    with pytest.raises(ValueError):
        to_fraction(arb.nan())
    with pytest.raises(ValueError):
        to_fraction(arb(1) / 3)
    with pytest.raises(PrecisionError, match=r"^9\.58e\+301029995663 cannot be written out as a fraction"):
        to_fraction(arb(2) ** 10**12)


@pytest.mark.parametrize("value", [Fraction(0), Fraction(3, 8), Fraction(-5, 2**80), Fraction(2**300 + 1), Fraction(10**60)])
def test_dyadic_numbers_are_points(value):
    point = Enclosure.exactly(value)
    assert point.is_exact
    assert point.lower == value == point.upper
    assert point.digits() == math.inf
    assert point.meets(10_000)


@pytest.mark.parametrize("bits", [2, 53, 64, 200, 3000])
@pytest.mark.parametrize("value", [THIRD, -THIRD, Fraction(10**30, 7), Fraction(-1, 10**300), Fraction(22, 7)])
def test_other_numbers_get_the_tightest_interval_of_the_precision(bits, value):
    interval = enclosure_at(bits, value)
    assert interval.lower < value < interval.upper
    width = interval.upper - interval.lower
    assert width <= abs(value) * Fraction(2, 2**bits) * 2


@pytest.mark.parametrize("low, high", [(2, 1), (arb(1) / 3, 1), (0, arb(1) / 3), (arb.nan(), 1), (0, arb.nan())])
def test_ends_must_be_exact_and_in_order(low, high):
    with pytest.raises(ValueError, match="an enclosure needs exact ends"):
        Enclosure(arb(low), arb(high))


def test_balls_that_say_nothing_enclose_the_line():
    for value in (arb.nan(), arb(1, math.inf), arb(math.inf, math.inf), arb.pos_inf() - arb.pos_inf()):
        line = Enclosure.of_ball(value)
        assert (line.lower, line.upper) == (-math.inf, math.inf)
        assert Enclosure.between(value, arb(1)).lower == -math.inf
        assert Enclosure.between(arb(1), value).upper == math.inf


def test_infinite_ends():
    infinite = Enclosure.of_ball(arb.pos_inf())
    assert (infinite.lower, infinite.upper_float, infinite.lower_decimal(), str(infinite)) == (math.inf, math.inf, "inf", "[inf, inf]")
    assert infinite >= Fraction(10**9)
    assert infinite <= infinite
    half = Enclosure(arb(1), arb.pos_inf())
    assert str(half) == "[1, inf]"
    assert half.digits() == -math.inf and not half.meets(1) and not half.meets(-5)
    assert half > 0 and half >= 1
    assert half.contains(10**100) and not half.contains(0)
    with pytest.raises(Undecidable):
        assert half < 2
    assert Enclosure(arb.neg_inf(), arb(-1)) < 0
    assert Enclosure(arb.neg_inf(), arb(-1)).lower_float == -math.inf


def test_the_default_ball_covers_the_interval():
    wide = Enclosure.exactly(Fraction(1, 3)).maximum(Enclosure(arb(0), arb(2)))
    for bits in (10, 53, 200):
        with precision(bits):
            assert Enclosure.of_ball(wide.ball()).contains(wide)


@pytest.mark.parametrize(
    ("value", "digits", "down", "up"),
    [
        (THIRD, 5, "0.33333", "0.33334"),
        (-THIRD, 5, "-0.33334", "-0.33333"),
        (Fraction(1, 2), 5, "0.5", "0.5"),
        (Fraction(10**20 + 1), 5, "100000000000000000000", "100010000000000000000"),
        (Fraction(10**20 + 1), 21, "100000000000000000001", "100000000000000000001"),
        (Fraction(10**30 + 1), 5, "1e+30", "1.0001e+30"),
        (Fraction(-(10**30) - 1), 5, "-1.0001e+30", "-1e+30"),
        (Fraction(99999, 100000), 4, "0.9999", "1"),
        (Fraction(99999, 100000), 1, "0.9", "1"),
        (Fraction(123456, 1), 3, "123000", "124000"),
        (Fraction(1, 2**20), 3, "9.53e-7", "9.54e-7"),
        (Fraction(1, 2**16), 3, "0.0000152", "0.0000153"),
        (Fraction(0), 5, "0", "0"),
        (THIRD, 0, "0.3", "0.4"),
    ],
)
def test_decimals_are_the_nearest_on_the_safe_side(value, digits, down, up):
    interval = enclosure_at(300, value)
    assert (interval.lower_decimal(digits), interval.upper_decimal(digits)) == (down, up)


@pytest.mark.parametrize("digits", [1, 15, 60, 5000])
@pytest.mark.parametrize("value", [THIRD, Fraction(7, 10**3000), Fraction(10**3000, 7), Fraction(-1, 10**9999)])
def test_decimals_of_any_length_are_outward(digits, value):
    interval = enclosure_at(bits_for(digits), value)
    down, up = (Fraction(Decimal(text)) for text in (interval.lower_decimal(digits), interval.upper_decimal(digits)))
    assert down <= interval.lower <= value <= interval.upper <= up
    assert up - down <= 3 * abs(value) * Fraction(1, 10 ** (digits - 1))


@pytest.mark.parametrize("power", [400_000_000, -400_000_000, 10**15, -(10**15)])
@pytest.mark.parametrize("sign", [1, -1])
def test_huge_and_tiny_numbers_print_outward(power, sign):
    """Beyond what a fraction can hold: checked by reading the decimals back as balls."""
    with precision(400):
        value = sign * arb(10) ** power * arb(7) / 3
        interval = Enclosure.of_ball(value)
        for digits in (3, 15, 40):
            down, up = (arb(text) for text in (interval.lower_decimal(digits), interval.upper_decimal(digits)))
            assert Enclosure.of_ball(down).low <= interval.low and interval.high <= Enclosure.of_ball(up).high
            assert (up - down) <= abs(value) * arb(10) ** (2 - digits)
        assert interval.lower_decimal(3).endswith(f"e{power:+d}")
    assert interval > 0 if sign > 0 else interval < 0
    assert (abs(interval.lower_float), abs(interval.upper_float)) in (
        [(1.7976931348623157e308, math.inf), (math.inf, 1.7976931348623157e308)] if power > 0 else [(0.0, 5e-324), (5e-324, 0.0)]
    )


@pytest.mark.parametrize(
    ("value", "down", "up"),
    [
        (Fraction(1, 2), 0.5, 0.5),
        (THIRD, 0.3333333333333333, 0.33333333333333337),
        (-THIRD, -0.33333333333333337, -0.3333333333333333),
        (Fraction(1, 10**400), 0.0, 5e-324),
        (Fraction(-1, 10**400), -5e-324, 0.0),
        (Fraction(1, 10**5000), 0.0, 5e-324),
        (Fraction(3, 2**1075), 5e-324, 1e-323),
        (Fraction(10**400), 1.7976931348623157e308, math.inf),
        (Fraction(-(10**400)), -math.inf, -1.7976931348623157e308),
        (Fraction(10**5000), 1.7976931348623157e308, math.inf),
        (Fraction(2**1024 - 2**970), 1.7976931348623157e308, math.inf),
        (Fraction(2**1024 - 2**971), 1.7976931348623157e308, 1.7976931348623157e308),
        (Fraction(2**53 + 1), 2.0**53, 2.0**53 + 2),
        (Fraction(0), 0.0, 0.0),
    ],
)
@pytest.mark.parametrize("bits", [2000, 20_000])
def test_floats_are_on_the_safe_side_at_any_precision(value, down, up, bits):
    interval = enclosure_at(bits, value)
    assert (interval.lower_float, interval.upper_float) == (down, up)


def test_comparisons_that_are_certain():
    third = Enclosure.exactly(THIRD)
    assert third > 0 and third >= 0 and third < 1 and third <= 1
    assert not third < 0 and not third <= 0 and not third > 1 and not third >= 1
    assert 0 < third <= Fraction(1, 2)
    point = Enclosure.exactly(Fraction(1, 2))
    assert point <= Fraction(1, 2) and point >= Fraction(1, 2) and not point < Fraction(1, 2) and not point > Fraction(1, 2)
    touching = Enclosure(arb(0), arb(1)), Enclosure(arb(1), arb(2))
    assert touching[0] <= touching[1] and touching[1] >= touching[0]
    assert not touching[0] > touching[1] and not touching[1] < touching[0]


@pytest.mark.parametrize("relation", ["__lt__", "__le__", "__gt__", "__ge__"])
def test_comparisons_that_are_not_certain_raise(relation):
    third = Enclosure.exactly(THIRD)
    with pytest.raises(Undecidable, match=r"^\[0\.3{15,}1\d*, 0\.3{15,}7\d*\] (<|>)=? 1/3 cannot be decided from 17 digits; ask"):
        getattr(third, relation)(THIRD)
    with pytest.raises(Undecidable):
        getattr(third, relation)(third)


def test_a_tie_at_an_end_is_undecided_where_strictness_matters():
    low, high = Enclosure(arb(0), arb(1)), Enclosure(arb(1), arb(2))
    with pytest.raises(Undecidable):
        assert low < high
    with pytest.raises(Undecidable):
        assert high > low
    with pytest.raises(Undecidable):
        assert low < 1
    with pytest.raises(Undecidable, match="3e-6000 cannot be decided from 1 digits"):
        assert low < Fraction(3, 10**6000)


def test_comparisons_are_exact_whatever_the_precision():
    with precision(400):
        value = Enclosure.exactly(Fraction(1, 2**300) + 1)
    with precision(10):
        assert value > 1
        assert value.contains(Fraction(1, 2**300) + 1) and not value.contains(1)
        assert value < Fraction(1, 2**300) + 1 + Fraction(1, 3**400)
    extreme = Enclosure.of_ball((-(arb(10) ** 15)).exp())
    assert 0 < extreme < Fraction(1, 10**300)
    assert extreme.contains(extreme) and not extreme.contains(0)


@pytest.mark.parametrize("other", [0.3, math.inf, "1/3", None, arb(1)])
def test_comparison_with_what_is_not_exact_is_refused(other):
    with pytest.raises(TypeError):
        assert Enclosure.exactly(THIRD) < other


def test_intersection_maximum_and_overlap_do_not_round():
    narrow, wide = enclosure_at(300, THIRD), enclosure_at(60, THIRD)
    with precision(5):
        meet = narrow.intersection(wide)
        assert (meet.low, meet.high) == (narrow.low, narrow.high)
        larger = narrow.maximum(enclosure_at(60, Fraction(1, 4)))
        assert (larger.low, larger.high) == (narrow.low, narrow.high)
    assert wide.contains(narrow) and not narrow.contains(wide)
    assert narrow.overlaps(wide) and not narrow.overlaps(Enclosure.exactly(1))
    with pytest.raises(ValueError, match="an enclosure needs exact ends, low <= high"):
        narrow.intersection(Enclosure.exactly(1))


@pytest.mark.parametrize("value", [THIRD, Fraction(1, 10**500), Fraction(10**500, 3), -THIRD])
@pytest.mark.parametrize("digits", [1, 5, 30, 300])
def test_digits_and_meets(value, digits):
    """upper - lower <= 10**(1-D) * |upper|, checked in rational numbers."""
    interval = enclosure_at(bits_for(digits, guard=3), value)
    assert interval.meets(digits)
    for wanted in (digits, digits + 1, digits + 2, digits + 3):
        truth = interval.upper - interval.lower <= Fraction(10) ** (1 - wanted) * abs(interval.upper)
        assert interval.meets(wanted) == truth
        assert (interval.digits() >= wanted) <= truth


def test_digits_of_intervals_around_zero():
    assert Enclosure(arb(-1), arb(0)).digits() == -math.inf
    assert not Enclosure(arb(-1), arb(0)).meets(1)
    assert Enclosure(arb(-1), arb(1)).digits() <= 1
    assert str(Enclosure(arb(-1), arb(0))) == "[-1, 0]"


def test_the_representation_is_outward():
    interval = enclosure_at(53, THIRD)
    down, up = (Fraction(end) for end in str(interval).strip("[]").split(", "))
    assert down <= interval.lower and interval.upper <= up
    assert repr(interval) == str(interval)
