"""erfc of the small checker: contained, and relatively accurate where it is small."""

from fractions import Fraction

import mpmath
import pytest
import sympy

from dpbounds.claims.intervals import Intervals

x = sympy.Symbol("x", real=True)


def enclosure(low, high=None):
    intervals = Intervals(100)
    value = intervals.value(sympy.erfc(x), {x: intervals.side(low, low if high is None else high)})
    return intervals.low(value), intervals.high(value)


@pytest.mark.parametrize("point", [Fraction(k, 7) + Fraction(1, 777) for k in range(-12, 80, 3)])
def test_the_value_is_contained(point):
    with mpmath.workdps(60):
        exact = mpmath.erfc(mpmath.mpf(point.numerator) / point.denominator)
        sign, mantissa, exponent, _ = exact._mpf_
        true = Fraction(mantissa) * Fraction(2) ** exponent
    low, high = enclosure(point)
    assert sign == 0 and low <= true <= high
    assert high - low <= Fraction(1, 1000) * true


def test_intervals_and_infinity():
    low, high = enclosure(Fraction(1), float("inf"))
    assert low <= 0 and high <= Fraction(158, 1000)
    low, high = enclosure(Fraction(-1), Fraction(5))
    assert low <= Fraction(2, 10**12) and high >= Fraction(184, 100)
