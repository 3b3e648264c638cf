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


@pytest.mark.parametrize("bits", [-7, 0, 1, 5, 80])
@pytest.mark.parametrize("x", ["0", "1", "-1", "1/3", "-5/7", "0.1", "-0.1", "0.01", "1e-30", "-1e-30", "123456789/1000", "-1000", "1e9"])
def test_numbers_in_units_lie_around_the_number(x: str, bits: int) -> None:
    m, e = Real(Arithmetic(60), Arithmetic(60).number(Fraction(x))).fixed(bits)
    exact = Fraction(x) * Fraction(2) ** bits
    assert abs(exact - m) <= e <= 2 + abs(exact) / 2**50
