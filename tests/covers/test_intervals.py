"""Interval functions of the checker of covers against mpmath at high precision: every end is outward."""

import random
from fractions import Fraction

import mpmath
import pytest

from dpbounds.covers import intervals
from dpbounds.covers.intervals import HUGE, LIMIT, Arithmetic, Undefined, fraction, less, rounded

mpmath_context = mpmath.mp.clone()
mpmath_context.prec = 900


def real(end):
    return (
        mpmath_context.mpf(end[0]) * mpmath_context.mpf(2) ** end[1] if end[1] != HUGE else mpmath_context.mpf(end[0]) * mpmath_context.inf
    )


def contains(interval, value):
    return real(interval[0]) <= value <= real(interval[1])


def points(count, seed, span=40):
    chance = random.Random(seed)
    for _ in range(count):
        scale = Fraction(2) ** chance.randint(-span, span)
        yield Fraction(chance.randint(-(10**6), 10**6), chance.randint(1, 10**6)) * scale


UNARY = {
    "exp": (mpmath_context.exp, 12),
    "erf": (mpmath_context.erf, 4),
    "erfc": (mpmath_context.erfc, 4),
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
        if abs(at) < 8 and name not in ("erfc", "normal_cdf"):
            assert real(found[1]) - real(found[0]) <= (abs(value) + abs(at) + mpmath_context.mpf(2) ** -40) * mpmath_context.mpf(2) ** (
                12 - bits
            )


@pytest.mark.parametrize("name", ["exp", "log"])
@pytest.mark.parametrize("bits", [24, 100])
def test_ends_that_share_a_sum_are_outward_and_close(name, bits):
    """The second end of a narrow interval is found from the first; it is as if each had been computed alone."""
    a, exact, chance = Arithmetic(bits), UNARY[name][0], random.Random(bits)
    for x in points(150, bits, 6):
        x = abs(x) + Fraction(1, 1000) if name == "log" else x
        width = abs(x) * Fraction(chance.randint(1, 10**6), 10**6) / 2 ** chance.randint(5, bits + 5)
        low, high = x, x + width
        found = getattr(a, name)((a.number(low)[0], a.number(high)[1]))
        below, above = exact(real_of(low)), exact(real_of(high))
        assert real(found[0]) <= below and above <= real(found[1]), (x, width)
        if abs(x) < 8:
            rounding = (1 + abs(above) + abs(real_of(x))) * mpmath_context.mpf(2) ** (9 - bits)
            assert real(found[1]) - real(found[0]) <= (above - below) * (1 + mpmath_context.mpf(2) ** -10) + rounding


@pytest.mark.parametrize("w", [24, 40])
def test_the_sum_of_the_exponential_counts_what_is_rounded_away(w):
    chance = random.Random(w)
    for _ in range(200):
        r = chance.randrange(1 << chance.randint(1, w - 4))
        below, above = intervals._exp_sum(r, w)
        value = mpmath_context.exp(mpmath_context.mpf(r) / 2**w)
        assert real(below) <= value <= real(above)
        assert above[0] - below[0] <= 2 * w


@pytest.mark.parametrize("bits", [60, 100])
def test_the_far_end_of_erfc_is_as_low_as_its_slope_says(bits):
    """The fall must be at least the true one, to which no constant of the bound may be missing; wide intervals take both series."""
    a = Arithmetic(bits)
    a._erfc = Arithmetic(bits + 60)._erfc  # no rounding there hides a bound that is too small
    for x in [Fraction(k, 8) for k in range(-40, 60)] + [Fraction(1, 10**9), -Fraction(1, 10**9), Fraction(30)]:
        for width in (Fraction(1, 1 << bits - 8), Fraction(1, 1 << bits - 2), Fraction(1, 1 << 24)):
            found = a.erfc((a.number(x)[0], a.number(x + width)[1]))
            below, above = mpmath_context.erfc(real_of(x + width)), mpmath_context.erfc(real_of(x))
            assert real(found[0]) <= below and above <= real(found[1]), (x, width)
            fall = 3 * (1 + max(real_of(x), 0)) * real_of(width) + mpmath_context.mpf(2) ** (8 - bits) * (1 + real_of(x) ** 2)
            assert real(found[1]) - real(found[0]) <= above * fall, (x, width)


@pytest.mark.parametrize("w", [24, 40, 116])
def test_the_sum_of_the_logarithm_counts_what_is_rounded_away(w):
    """The lower end alone misses more than half of what is counted where z is largest, and more than one unit in most places."""
    chance, missed = random.Random(w), []
    for _ in range(300):
        q = chance.randint(3, 1 << chance.randint(2, w))
        p = chance.choice((0, 1, q // 3, chance.randint(0, q // 3)))
        low, high = intervals._artanh_sum(p, q, w)
        value = mpmath_context.atanh(mpmath_context.mpf(p) / q) * 2**w
        assert low <= value <= high and high - low <= w + 3
        missed.append(value - low)
    assert max(missed) > w / 8


@pytest.mark.parametrize("bits", [20, 60])
def test_the_sum_of_the_error_function_counts_what_is_rounded_away(bits):
    """Before its 16 further bits are rounded away; t beside multiples of 3 units moves the second term by a unit."""
    w = bits + 16
    for t in [
        (3, -w),
        (11, -w - 2),
        (13, -w - 2),
        (59, -w - 2),
        *((m, e) for m in (1, 3, 5, 7) for e in (-w - 1, -30, -8, -3, -1, 0, 1, 3)),
    ]:
        value = sum_to_the_error_function(real(t))
        below, above = map(real, intervals._erf_sum(t, t, bits))
        assert below <= value <= above and above - below <= value * mpmath_context.mpf(2) ** (11 - w), t


@pytest.mark.parametrize("bits", [20, 60])
@pytest.mark.parametrize("t", [(1, -30), (1, -3), (5, -2), (1, 1), (3, 3)])
def test_one_sum_of_the_error_function_serves_ends_that_are_close(t, bits):
    """The rise between the ends is at least the true one, to which no factor may be missing; ends that are far apart take two sums."""
    for wide in (-bits, -12, -4, -1, 0, 1, 3):
        high = intervals._sum(t, (1, wide), 200, True)
        below, above = map(real, intervals._erf_sum(t, high, bits))
        low_value, high_value = (sum_to_the_error_function(real(end)) for end in (t, high))
        assert below <= low_value and high_value <= above, (t, wide)
        rise = min(real(high) - real(t), 1) if wide < 0 else 0
        assert above <= high_value * (1 + rise + mpmath_context.mpf(2) ** (-5 - bits)), (t, wide)


def sum_to_the_error_function(t):
    """Σ t^n/(2n+1)!!."""
    at = mpmath_context.sqrt(t / 2)
    return mpmath_context.erf(at) * mpmath_context.sqrt(mpmath_context.pi) * mpmath_context.exp(at**2) / (2 * at)


def test_logarithms_at_and_beside_powers_of_two_and_at_the_limits():
    tiny = Fraction(1, 1 << 59)
    for bits in (20, 60, 200):
        a = Arithmetic(bits)
        for x in (1, 1 + tiny, 1 - tiny, 2, 2 - tiny, Fraction(1, 2), Fraction(1, 2) + tiny, Fraction(63, 32), Fraction(1, 3), 31, 32, 33):
            found, value = a.log(a.number(Fraction(x))), mpmath_context.log(real_of(Fraction(x)))
            assert contains(found, value)
            assert real(found[1]) - real(found[0]) <= (1 + abs(value)) * mpmath_context.mpf(2) ** (4 - bits)
        for end in ((1, LIMIT - 1), (3, -LIMIT), (1, -LIMIT), ((1 << bits) - 1, LIMIT - bits)):
            assert contains(a.log((end, end)), mpmath_context.log(end[0]) + end[1] * mpmath_context.log(2))


@pytest.mark.parametrize("bits", [20, 60, 200])
def test_logarithms_close_to_one_are_relatively_narrow(bits):
    a = Arithmetic(bits)
    for k in range(1, bits):
        for x in (1 + Fraction(1, 1 << k), 1 - Fraction(1, 1 << k), 1 + Fraction(3, 1 << k + 2), 1 - Fraction(3, 1 << k + 2)):
            found, value = a.log(a.number(x)), mpmath_context.log(real_of(x))
            if fraction(a.number(x)[0]) == x:
                assert contains(found, value), x
                assert real(found[1]) - real(found[0]) <= abs(value) * mpmath_context.mpf(2) ** (2 - bits), x


@pytest.mark.parametrize("bits", [20, 60])
def test_numbers_are_rounded_to_their_neighbours(bits):
    chance, a = random.Random(bits), Arithmetic(bits)
    whole = [0, 1, -1, 1 << bits, (1 << bits) - 1, (1 << bits) + 1, -(1 << bits) - 1, 7 << 200]
    for x in [*map(Fraction, whole), *points(300, bits)]:
        low, high = (fraction(end) for end in a.number(x))
        assert low <= x <= high and high - low <= abs(x) / (1 << bits - 1)
        dyadic = Fraction(chance.randint(-(1 << bits), 1 << bits), 1 << chance.randint(0, 90))
        assert [fraction(end) for end in a.number(dyadic)] == [dyadic, dyadic]


def test_the_logarithm_of_one_and_the_exponential_of_nothing_are_exact():
    a = Arithmetic(60)
    assert a.log(a.number(Fraction(1))) == (intervals.ZERO, intervals.ZERO) and a.exp((intervals.ZERO, intervals.ZERO)) == (
        intervals.ONE,
        intervals.ONE,
    )


@pytest.mark.parametrize("point", [Fraction(k, 7) + Fraction(1, 777) for k in range(-12, 80, 7)])
def test_erfc_is_relatively_accurate_where_it_is_small(point):
    found = Arithmetic(100).erfc(Arithmetic(100).number(point))
    value = mpmath_context.erfc(mpmath_context.mpf(point.numerator) / point.denominator)
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


def real_of(value):
    return mpmath_context.mpf(value.numerator) / value.denominator


@pytest.mark.parametrize("up", [False, True])
def test_rounding_is_outward_and_narrow(up):
    chance = random.Random(3)
    for _ in range(500):
        m, e = chance.randint(-(2**90), 2**90), chance.randint(-50, 50)
        found, exact = fraction(rounded(m, e, 30, up)), Fraction(m) * Fraction(2) ** e
        assert (found >= exact) if up else (found <= exact)
        assert abs(found - exact) <= abs(exact) * Fraction(1, 2**28)


def test_tiny_terms_are_not_lost():
    a = Arithmetic(30)
    for tiny in ((1, -5000), (-1, -5000)):
        low, high = a.add(((1, 0), (1, 0)), (tiny, tiny))
        exact = 1 + fraction(tiny)
        assert fraction(low) <= exact <= fraction(high) and low != high


def test_overflow_and_underflow_go_outward():
    a = Arithmetic(60)
    far = a.number(Fraction(10) ** 30)
    low, high = a.exp(far)
    assert high == intervals.INFINITY and low[1] != HUGE
    low, high = a.exp(a.negative(far))
    assert low == intervals.ZERO and high[0] > 0
    top = ((1, LIMIT - 2), (1, LIMIT - 2))
    assert a.multiply(top, top)[1] == intervals.INFINITY and less((1, LIMIT - 3), a.multiply(top, top)[0])
    small = ((1, -LIMIT), (1, -LIMIT))
    assert a.multiply(small, small)[0] == intervals.ZERO and a.multiply(small, small)[1][0] > 0
    assert a.multiply(small, a.negative(small))[0][0] < 0


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
        assert contains(a.erf(x), mpmath_context.erf(at)) and contains(a.erfc(x), mpmath_context.erfc(at))
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
