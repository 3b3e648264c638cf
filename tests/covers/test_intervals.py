"""Interval functions of the checker of covers against mpmath at high precision: every end is outward."""

import decimal
import random
import time
from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest

from dpbounds.covers import intervals
from dpbounds.covers.intervals import INFINITY, LIMIT, ZERO, Arithmetic, Undefined

mpmath_context = mpmath.mp.clone()
mpmath_context.prec = 900


def real(end):
    return mpmath_context.mpf(str(end))


def real_of(value):
    return mpmath_context.mpf(value.numerator) / value.denominator


def contains(interval, value):
    low, high = interval
    return (low.is_infinite() or real_of(Fraction(low)) <= value) and (high.is_infinite() or value <= real_of(Fraction(high)))


def points(count, seed, span=40):
    chance = random.Random(seed)
    for _ in range(count):
        scale = Fraction(2) ** chance.randint(-span, span)
        yield Fraction(chance.randint(-(10**6), 10**6), chance.randint(1, 10**6)) * scale


UNARY = {
    "exp": (mpmath_context.exp, 12),
    "normal_cdf": (mpmath_context.ncdf, 4),
    "log": (mpmath_context.log, 60),
    "root": (mpmath_context.sqrt, 60),
    "absolute": (abs, 60),
}


@pytest.mark.parametrize("bits", [20, 53, 100, 170])
@pytest.mark.parametrize("name", UNARY)
def test_functions_contain_the_value_and_are_narrow(name, bits):
    a, (exact, span) = Arithmetic(bits), UNARY[name]
    for x in points(60, bits, span):
        if name in ("log", "root"):
            x = abs(x) or Fraction(1)
        at = mpmath_context.mpf(x.numerator) / x.denominator
        value, found = exact(at), getattr(a, name)(a.number(x))
        assert contains(found, value), (name, x)
        if abs(at) < 8 and name != "normal_cdf":
            assert real(found[1]) - real(found[0]) <= (abs(value) + abs(at) + mpmath_context.mpf(2) ** -40) * mpmath_context.mpf(2) ** (
                4 - bits
            )


@pytest.mark.parametrize("name", ["exp", "log", "root", "normal_cdf"])
@pytest.mark.parametrize("bits", [24, 100])
def test_both_ends_of_an_interval_are_outward_and_close(name, bits):
    a, exact, chance = Arithmetic(bits), UNARY[name][0], random.Random(bits)
    for x in points(100, bits, 6):
        x = x if name in ("exp", "normal_cdf") else abs(x) + Fraction(1, 1000)
        width = abs(x) * Fraction(chance.randint(1, 10**6), 10**6) / 2 ** chance.randint(5, bits + 5)
        low, high = x, x + width
        found = getattr(a, name)((a.number(low)[0], a.number(high)[1]))
        below, above = exact(real_of(low)), exact(real_of(high))
        assert contains(found, below) and contains(found, above), (x, width)
        if abs(x) < 8:
            rounding = (1 + abs(above) + abs(real_of(x))) * mpmath_context.mpf(2) ** (4 - bits)
            assert real(found[1]) - real(found[0]) <= above - below + rounding


def nearest(function, x, digits):
    """By half a unit of the last digit at most."""
    return Decimal(mpmath_context.nstr(function(real(x)), digits + 40, strip_zeros=False))


@pytest.mark.parametrize("digits", [9, 30, 60])
def test_decimal_rounds_functions_to_the_nearest_number(digits):
    """What is assumed of Python's `decimal`: half a unit of the last digit."""
    chance, context = random.Random(digits), intervals._context(digits, intervals.ROUND_HALF_EVEN)
    for name, exact in (("exp", mpmath_context.exp), ("ln", mpmath_context.log), ("sqrt", mpmath_context.sqrt)):
        for _ in range(60):
            x = context.divide(chance.randint(1, 10**digits), 10 ** chance.randint(0, digits + 4))
            x = context.plus(x.copy_negate()) if name == "exp" and chance.random() < 0.5 else x
            if name == "exp" and x.adjusted() > 4:
                continue
            found = getattr(context, name)(x)
            unit = mpmath_context.mpf(10) ** (found.adjusted() + 1 - digits)
            assert abs(real(found) - exact(real(x))) <= unit * mpmath_context.mpf("0.5000001"), (name, x)


@pytest.mark.parametrize("name", ["exp", "log"])
@pytest.mark.parametrize("wrong", [-1, 1])
def test_a_function_that_is_off_by_half_a_unit_is_still_enclosed(name, wrong):
    """Half a unit of the last of its digits is what a nearest number may be off by; the margin is a whole one."""
    a = Arithmetic(30)
    exact, chance = Arithmetic(200), random.Random(wrong)
    for _ in range(100):
        x = Decimal(chance.randint(1, 10**12)).scaleb(-chance.randint(0, 13))
        low, high = getattr(a, name)((x, x))
        inside = getattr(exact, name)((x, x))
        margin = Decimal(5).scaleb(inside[0].adjusted() - a._near.prec)
        assert low <= inside[0] + wrong * margin <= high, (x, low, high)


@pytest.mark.parametrize("bits", [20, 60])
def test_the_sum_of_the_normal_distribution_counts_what_is_rounded_away(bits):
    for x in ("0", "1e-30", "0.001", "0.1", "0.25", "0.5", "1", "1.5", "2", "2.75", "3.3", "5", "6", "7.5", "-2"):
        a = Decimal(x)
        at = real(a)
        value = (mpmath_context.ncdf(at) - mpmath_context.mpf("0.5")) / (at * mpmath_context.npdf(at)) if at else mpmath_context.mpf(1)
        low, high = Arithmetic(bits)._sum(a)
        assert real(low) <= value <= real(high) and high - low <= high * Decimal(2) ** (2 - bits), x


@pytest.mark.parametrize("bits", [20, 60, 100])
def test_both_series_of_the_normal_distribution_agree_where_they_meet(bits):
    a = Arithmetic(bits)
    for x in [Decimal(k) / 8 for k in range(20, 200, 3)]:
        value = mpmath_context.ncdf(-real(x))
        found = a._normal_cdf(x.copy_negate())
        assert contains(found, value) and real(found[1]) - real(found[0]) <= value * mpmath_context.mpf(2) ** (4 - bits), x
        assert contains(a._far_normal_cdf(x), value), x
        assert contains(a._normal_cdf(x), 1 - value), x


def test_logarithms_at_and_beside_powers_of_two_and_at_the_limits():
    tiny = Fraction(1, 1 << 59)
    for bits in (20, 60, 200):
        a = Arithmetic(bits)
        for x in (1, 1 + tiny, 1 - tiny, 2, 2 - tiny, Fraction(1, 2), Fraction(1, 2) + tiny, Fraction(63, 32), Fraction(1, 3), 31, 32, 33):
            found, value = a.log(a.number(Fraction(x))), mpmath_context.log(real_of(Fraction(x)))
            assert contains(found, value)
            assert real(found[1]) - real(found[0]) <= (1 + abs(value)) * mpmath_context.mpf(2) ** (4 - bits)
        for end in (Decimal(f"1E{LIMIT}"), Decimal(f"3E-{LIMIT}"), Decimal(f"1E-{LIMIT}")):
            low, high = a.log((end, end))
            value = mpmath_context.log(int(end.as_tuple().digits[0])) + end.adjusted() * mpmath_context.log(10)
            assert real(low) <= value <= real(high)


@pytest.mark.parametrize("bits", [20, 60, 200])
def test_logarithms_close_to_one_are_relatively_narrow(bits):
    a = Arithmetic(bits)
    for k in range(1, bits):
        for x in (1 + Fraction(1, 1 << k), 1 - Fraction(1, 1 << k), 1 + Fraction(3, 1 << k + 2), 1 - Fraction(3, 1 << k + 2)):
            found, value = a.log(a.number(x)), mpmath_context.log(real_of(x))
            assert contains(found, value), x
            if a.number(x)[0] == x:
                assert real(found[1]) - real(found[0]) <= abs(value) * mpmath_context.mpf(2) ** (2 - bits), x


@pytest.mark.parametrize("bits", [20, 60])
def test_numbers_are_rounded_to_their_neighbours(bits):
    chance, a = random.Random(bits), Arithmetic(bits)
    whole = [0, 1, -1, 1 << bits, (1 << bits) - 1, (1 << bits) + 1, -(1 << bits) - 1, 7 << 200]
    for x in [*map(Fraction, whole), *points(300, bits)]:
        low, high = (Fraction(end) for end in a.number(x))
        assert low <= x <= high and high - low <= abs(x) / (1 << bits - 1)
        exact = Fraction(chance.randint(-(1 << bits), 1 << bits), 10 ** chance.randint(0, 90))
        assert [Fraction(end) for end in a.number(exact)] == [exact, exact]


def test_the_logarithm_of_one_and_the_exponential_of_nothing_are_exact():
    a = Arithmetic(60)
    nothing, negative = (ZERO, ZERO), (ZERO.copy_negate(), ZERO)
    assert a.log(a.number(Fraction(1))) == nothing and a.exp(nothing) == a.exp(negative) == a.number(1)
    assert a.root(a.number(4)) == a.number(2) and a.root(nothing) == nothing


@pytest.mark.parametrize("point", [Fraction(k, 7) + Fraction(1, 777) for k in range(-12, 80, 7)])
def test_the_normal_distribution_is_relatively_accurate_where_it_is_small(point):
    found = Arithmetic(100).normal_cdf(Arithmetic(100).number(-point))
    value = mpmath_context.ncdf(-real_of(point))
    assert contains(found, value) and real(found[1]) - real(found[0]) <= value / 1000


def test_operations_contain_every_combination_of_points():
    chance, a = random.Random(7), Arithmetic(40)
    for _ in range(300):
        p, q, r, s = sorted(points(2, chance.random(), 6)) + sorted(points(2, chance.random(), 6))
        x, y = (a.number(p)[0], a.number(q)[1]), (a.number(r)[0], a.number(s)[1])
        for u in (p, q, (p + q) / 2):
            assert contains(a.integer_power(x, 2), real_of(u) ** 2) and contains(a.integer_power(x, 5), real_of(u) ** 5)
            assert contains(a.absolute(x), abs(real_of(u)))
            for v in (r, s, (r + s) / 2):
                assert contains(a.add(x, y), real_of(u + v)) and contains(a.multiply(x, y), real_of(u * v))
                assert contains(a.maximum(x, y), real_of(max(u, v))) and contains(a.minimum(x, y), real_of(min(u, v)))
        if p > 0 or q < 0:
            assert contains(a.reciprocal(x), 1 / real_of((p + q) / 2))
        if p > 0:
            assert contains(a.power(x, y), mpmath_context.power(real_of(p), real_of(s)))


def test_no_operation_uses_the_context_of_the_caller():
    """`abs`, `-` and `+` of Python round to the context of the thread, which anyone may set."""
    a = Arithmetic(100)
    x = a.number(Fraction(-1, 3)), a.number(Fraction(2, 3))
    y = (x[0][0], x[1][1])

    def everything():
        positive = a.absolute(a.number(Fraction(1, 3)))
        found = [a.absolute(y), a.negative(y), a.multiply(y, y), a.maximum(y, y), a.integer_power(y, 3), a.reciprocal(positive)]
        return [*found, a.exp(y), a.log(positive), a.root(positive), a.normal_cdf(y), a.power(positive, y), Arithmetic(100).pi]

    wanted = everything()
    with decimal.localcontext(decimal.Context(prec=3, Emax=5, Emin=-5)):
        assert everything() == wanted


def test_tiny_terms_are_not_lost():
    a = Arithmetic(30)
    for tiny in (Decimal("1E-2000"), Decimal("-1E-2000")):
        low, high = a.add((Decimal(1), Decimal(1)), (tiny, tiny))
        assert Fraction(low) <= 1 + Fraction(tiny) <= Fraction(high) and low != high


def test_overflow_and_underflow_go_outward():
    a = Arithmetic(60)
    far = a.number(Fraction(10) ** 30)
    low, high = a.exp(far)
    assert high == INFINITY and low.is_finite()
    low, high = a.exp(a.negative(far))
    assert low == ZERO and high > 0
    top = (Decimal(f"1E{LIMIT}"),) * 2
    assert a.multiply(top, top)[1] == INFINITY and Decimal(f"1E{LIMIT}") < a.multiply(top, top)[0] < INFINITY
    small = (Decimal(f"1E-{LIMIT}"),) * 2
    assert a.multiply(small, small)[0] == ZERO and a.multiply(small, small)[1] > 0
    assert a.multiply(small, a.negative(small))[0] < 0


@pytest.mark.parametrize("side", [(None, None), (None, Fraction(-1)), (Fraction(2), None), (Fraction(0), None)])
def test_infinite_ends_stay_around_every_point(side):
    a = Arithmetic(53)
    x = a.side(*side)
    inside = [
        v
        for v in map(Fraction, (-10000, -3, -1, 0, 2, 5, 10**9))
        if (side[0] is None or v >= side[0]) and (side[1] is None or v <= side[1])
    ]
    for v in inside:
        at = real_of(v)
        assert contains(a.exp(x), mpmath_context.exp(at)) and contains(a.multiply(x, x), at * at)
        assert contains(a.integer_power(x, 3), at**3) and contains(a.integer_power(x, 2), at**2)
        assert contains(a.normal_cdf(x), mpmath_context.ncdf(at))
        assert contains(a.add(x, a.negative(x)), 0)
        if side[0] == 2 or side[1] == -1:
            assert contains(a.reciprocal(x), 1 / at)
        if side[0] == 2:
            assert contains(a.log(x), mpmath_context.log(at)) and contains(a.root(x), mpmath_context.sqrt(at))


@pytest.mark.parametrize(
    "undefined",
    [
        lambda a: a.reciprocal(a.side(Fraction(-1), Fraction(1))),
        lambda a: a.reciprocal(a.side(Fraction(0), Fraction(1))),
        lambda a: a.reciprocal(a.side(Fraction(-1), Fraction(0))),
        lambda a: a.reciprocal(a.side(Fraction(-1), Fraction(1)), nonzero=True),
        lambda a: a.reciprocal(a.side(Fraction(0), Fraction(0)), nonzero=True),
        lambda a: a.log(a.side(Fraction(0), Fraction(1))),
        lambda a: a.log(a.side(Fraction(-1), Fraction(1)), nonzero=True),
        lambda a: a.log(a.side(Fraction(0), Fraction(0)), nonzero=True),
        lambda a: a.root(a.side(Fraction(-1), Fraction(1))),
        lambda a: a.power(a.side(Fraction(-1), Fraction(1)), a.number(Fraction(1, 3))),
        lambda a: a.power(a.side(Fraction(0), Fraction(1)), a.number(Fraction(-1, 3))),
        lambda a: a.power(a.side(Fraction(0), Fraction(1)), a.number(Fraction(0))),
        lambda a: a.integer_power(a.side(Fraction(0), Fraction(1)), 10**6),
    ],
)
def test_what_may_have_no_value_is_refused(undefined):
    with pytest.raises(Undefined):
        undefined(Arithmetic(53))


def test_far_exponents_are_not_written_out():
    """A number of 300,000 digits would take milliseconds each time."""
    a, tiny, start = Arithmetic(60), Decimal(f"1E-{LIMIT}"), time.process_time()
    for _ in range(200):
        low, high = a.normal_cdf((tiny.copy_negate(), tiny))
        found = [function((tiny, tiny)) for function in (a.exp, a.log, a.root)]
    assert low <= Decimal("0.5") <= high and len(found) == 3 and time.process_time() - start < 1


def test_a_root_whose_nearest_number_is_on_the_wrong_side_is_moved():
    """Squares rounded down and up to the digits of ends: the nearest root is then the number that was squared, for one in a hundred."""
    a, rng = Arithmetic(20), random.Random(1)
    for _ in range(1000):
        r = Decimal(rng.randrange(10**11, 10**12)).scaleb(-11)
        for square in (a.down.multiply(r, r), a.up.multiply(r, r)):
            low, high = a.root((square, square))
            assert Fraction(low) ** 2 <= Fraction(square) <= Fraction(high) ** 2
