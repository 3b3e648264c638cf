"""How numbers come in."""

import time
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy
from flint import arb

from dpbounds.errors import InputError
from dpbounds.numbers import exact


@pytest.mark.parametrize(("value", "expected"), [
    (3, Fraction(3)), (Fraction(7, 2), Fraction(7, 2)), (Decimal("0.1"), Fraction(1, 10)), (0.1, Fraction(1, 10)),
    (1e-9, Fraction(1, 10**9)), (1e22, Fraction(10**22)), (-0.0, Fraction(0)), ("0.01", Fraction(1, 100)), (" +1.50 ", Fraction(3, 2)),
    (".5", Fraction(1, 2)), ("5.", Fraction(5)), ("1e-9", Fraction(1, 10**9)), ("1E+3", Fraction(1000)), ("7/2", Fraction(7, 2)),
    ("1.5 / 3e2", Fraction(1, 200)), ("1/-4", Fraction(-1, 4)), ("0e5", Fraction(0)), ("1e0000000000000000000000003", Fraction(1000)),
    (np.float64(0.1), Fraction(1, 10)), (np.float32(0.1), Fraction(1, 10)), (np.int64(7), Fraction(7)),
    (sympy.Rational(2, 3), Fraction(2, 3)), (sympy.Integer(5), Fraction(5)), (sympy.sqrt(2) * sympy.sqrt(8), Fraction(4)),
])  # fmt: skip
def test_rational_numbers_are_read_exactly(value, expected):
    result = exact.number(value)
    assert type(result) is Fraction
    assert result == expected


@pytest.mark.parametrize("value", [sympy.log(2), sympy.sqrt(2), sympy.pi, sympy.exp(-1) / 3])
def test_irrational_sympy_numbers_stay_what_they_are(value):
    assert exact.number(value) == value
    with pytest.raises(InputError, match="sigma must be rational"):
        exact.rational(value, "sigma")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (float("nan"), "sigma must be a finite number such as 0.01, 1e-9 or 7/2, got 'nan'"),
        (float("inf"), "sigma must be a finite number such as 0.01, 1e-9 or 7/2, got 'inf'"),
        (float("-inf"), "sigma must be a finite number such as 0.01, 1e-9 or 7/2, got '-inf'"),
        (Decimal("NaN"), "sigma must be a finite number such as 0.01, 1e-9 or 7/2, got 'NaN'"),
        (Decimal("-Infinity"), "sigma must be a finite number such as 0.01, 1e-9 or 7/2, got '-Infinity'"),
        (np.float64("inf"), "sigma must be a finite number such as 0.01, 1e-9 or 7/2, got 'inf'"),
        ("nan", "sigma must be a finite number such as 0.01, 1e-9 or 7/2, got 'nan'"),
        ("inf", "sigma must be a finite number such as 0.01, 1e-9 or 7/2, got 'inf'"),
        ("", "sigma must be a finite number such as 0.01, 1e-9 or 7/2, got ''"),
        ("abc", "sigma must be a finite number such as 0.01, 1e-9 or 7/2, got 'abc'"),
        ("1_000", "sigma must be a finite number such as 0.01, 1e-9 or 7/2, got '1_000'"),
        ("0x10", "sigma must be a finite number such as 0.01, 1e-9 or 7/2, got '0x10'"),
        ("1/2/3", "sigma must be a finite number such as 0.01, 1e-9 or 7/2, got '1/2/3'"),
        ("1/", "sigma must be a finite number such as 0.01, 1e-9 or 7/2, got '1/'"),
        ("١", "sigma must be a finite number such as 0.01, 1e-9 or 7/2, got '١'"),
        ("1/0", "sigma divides by zero, got '1/0'"),
        ("1e100001", "sigma must have a decimal exponent within ±100000, got '1e100001'"),
        ("1e-999999999999", "sigma must have a decimal exponent within ±100000, got '1e-999999999999'"),
        (True, "sigma must be a number, got the boolean True"),
        (np.bool_(True), "sigma must be a number, got the boolean True"),
        (None, "sigma must be a number, got None of type NoneType"),
        ([1], "sigma must be a number, got [1] of type list"),
        (1j, "sigma must be a number, got 1j of type complex"),
        (arb(1), "sigma must be exact, got the flint value 1.00000000000000; pass an int, Fraction or string"),
        (sympy.Symbol("x") + 1, "sigma must be a closed number, but x + 1 contains x"),
        (sympy.Float("0.1") * sympy.pi, "sigma must be exact, but 0.1*pi contains a sympy Float; use Rational or a string"),
        (sympy.oo, "sigma must be a finite real number, got oo"),
        (sympy.zoo, "sigma must be a finite real number, got zoo"),
        (sympy.nan, "sigma must be a finite real number, got nan"),
        (sympy.I, "sigma must be a finite real number, got I"),
        (sympy.true, "sigma must be a number, got True of type BooleanTrue"),
    ],
)
def test_what_is_no_exact_number_is_refused_in_one_line(value, message):
    with pytest.raises(InputError) as caught:
        exact.number(value, "sigma")
    assert str(caught.value) == message


@pytest.mark.parametrize("source", ["1" * 5000, "0." + "3" * 5000, "1e5000", "1e-100000", "7" * 5000 + "/" + "9" * 5000])
def test_long_numbers_are_read_and_written(source):
    value = exact.number(source)
    assert exact.number(exact.text(value)) == value


def test_a_file_is_no_number():
    start = time.process_time()
    with pytest.raises(InputError, match="sigma must be a number of at most 200000 characters, got 3000000"):
        exact.number("1" * 3_000_000, "sigma")
    with pytest.raises(InputError, match="decimal exponent within"):
        exact.number("1e" + "9" * 100_000, "sigma")
    assert time.process_time() - start < 5


@pytest.mark.parametrize(("value", "expected"), [("1e4", 10000), (7.0, 7), (Decimal("12"), 12), ("8/4", 2)])
def test_integers(value, expected):
    assert exact.integer(value) == expected


@pytest.mark.parametrize("value", ["1.5", 0.1, sympy.pi])
def test_what_is_no_integer_is_refused(value):
    with pytest.raises(InputError, match=f"^steps must be an integer, got {value}$"):
        exact.integer(value, "steps")


@pytest.mark.parametrize(("value", "expected"), [
    (Fraction(0), "0"), (Fraction(5), "5"), (Fraction(-5, 4), "-1.25"), (Fraction(1, 100), "0.01"), (Fraction(1, 100000), "0.00001"),
    (Fraction(1, 10**6), "1e-6"), (Fraction(123, 10**12), "1.23e-10"), (Fraction(10**20), "100000000000000000000"),
    (Fraction(10**21), "1e+21"), (Fraction(-123 * 10**40), "-1.23e+42"), (Fraction(1, 3), "1/3"), (Fraction(-22, 7), "-22/7"),
    (sympy.sqrt(2), "sqrt(2)"),
])  # fmt: skip
def test_text(value, expected):
    assert exact.text(value) == expected


def test_to_sympy():
    assert exact.to_sympy(Fraction(2, 3)) == sympy.Rational(2, 3)
    assert exact.to_sympy(sympy.log(2)) == sympy.log(2)
