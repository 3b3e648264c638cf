"""Intervals with operators: large powers against exact ones."""

from fractions import Fraction

import pytest
from flint import arb

from dpbounds.covers.intervals import Arithmetic, Undefined
from dpbounds.numbers.balls import ball, precision
from dpbounds.recheck.numbers import Real


@pytest.mark.parametrize("power", [32_767, 32_768, 32_769, 100_003, 819_200])
@pytest.mark.parametrize("ends", [("0.99999", "1.00001"), ("-1.00001", "-0.99999"), ("-0.5", "1.00001")])
def test_a_large_power_holds_that_of_every_member(ends, power):
    at = Arithmetic(100)
    low, high = (Fraction(end) for end in ends)
    found = Real(at, (at.number(low)[0], at.number(high)[1])) ** power
    with precision(300):
        below, above = (ball(Fraction(end)) for end in found.ends)
        for member in (low, (low + high) / 2, high):
            value: arb = ball(member) ** power
            assert below <= value <= above
        assert float(above - below) <= 1.001 * float(max(abs(ball(low)), abs(ball(high))) ** power) * 2


def test_a_power_beyond_all_uses_is_refused():
    with pytest.raises(Undefined):
        Real(Arithmetic(100), Arithmetic(100).number(Fraction(1, 2))) ** 10**10
