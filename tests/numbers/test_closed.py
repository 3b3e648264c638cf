"""Closed numbers as text: what is read, that it is written back, and that nothing else is evaluated."""

from fractions import Fraction

import pytest
import sympy

from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.closed import looks_closed

NUMBERS = {
    "sqrt(2)": sympy.sqrt(2),
    " log(3)/2 ": sympy.log(3) / 2,
    "exp(-20)": sympy.exp(-20),
    "1/pi": 1 / sympy.pi,
    "2**(1/3)": sympy.Integer(2) ** sympy.Rational(1, 3),
    "E - 1": sympy.E - 1,
    "sqrt(0.1)": sympy.sqrt(sympy.Rational(1, 10)),
    "1e-3*pi": sympy.pi / 1000,
    "+sqrt(2)*-pi": -sympy.sqrt(2) * sympy.pi,
    "sqrt(sqrt(2) + log(2))": sympy.sqrt(sympy.sqrt(2) + sympy.log(2)),
}


@pytest.mark.parametrize("text", NUMBERS)
def test_numbers_are_read_exactly_and_written_back(text):
    found = exact.number(text)
    assert found == NUMBERS[text]
    assert exact.number(exact.text(found)) == found


def test_long_decimals_inside_stay_exact():
    assert exact.number("pi*0.10000000000000000000000000000000000001") == sympy.pi * sympy.Rational(10**37 + 1, 10**38)


@pytest.mark.parametrize(
    ("text", "value"), [("sqrt(4)", Fraction(2)), ("(1)", Fraction(1)), ("log(E**3)", Fraction(3)), ("4**(1/2)", Fraction(2))]
)
def test_rational_values_are_fractions(text, value):
    found = exact.number(text)
    assert type(found) is Fraction
    assert found == value


@pytest.mark.parametrize("text", ["0.01", "1e-5", "1E5", "7/2", "+.5"])
def test_plain_rationals_are_left_to_the_decimal_reader(text):
    assert not looks_closed(text)


@pytest.mark.parametrize("text", [
    "abc", "inf", "nan", "", "sin(1)", "__import__('os')", "pi.real", "E5", "0x10*pi", "1_0*pi", "pi if 1 else E", "x*pi", "pi[0]",
    "lambda: pi", "sqrt(2", "sqrt()", "pi//2", "pi % 2", "sqrt", "(pi, 2)", "sqrt(2)(3)", "log(0)", "sqrt(-2)", "pi/0", "1e100000*pi",
    "2**pi", "10**(10**9)", "((2**1000)**1000)", "exp(log(2)*10**9)", "(" * 150 + "1" + ")" * 150, "1" * 301 + "*pi",
])  # fmt: skip
def test_anything_else_is_refused_in_one_line(text):
    with pytest.raises(InputError) as caught:
        exact.number(text, "sigma")
    assert str(caught.value).startswith("sigma must be")
    assert "\n" not in str(caught.value)
