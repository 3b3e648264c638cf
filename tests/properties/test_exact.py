"""Reading and writing exact numbers are inverse to each other."""

from decimal import Decimal
from fractions import Fraction

from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpbounds.numbers import exact

LAW = settings(derandomize=True, deadline=None, max_examples=200)


@LAW
@given(st.fractions())
@example(Fraction(1, 5**40))
@example(Fraction(3, 2**70))
@example(Fraction(1, 2 * 5**27))
@example(Fraction(1, 7 * 5**3))
@example(Fraction(-(10**25)))
def test_text_reads_back(value):
    assert exact.number(exact.text(value)) == value


@LAW
@given(st.integers(0, 400), st.integers(0, 400), st.integers(1, 10**6))
def test_finite_decimals_are_written_as_decimals(twos, fives, numerator):
    value = Fraction(numerator, 2**twos * 5**fives)
    written = exact.text(value)
    assert "/" not in written
    assert Fraction(Decimal(written)) == value


@LAW
@given(st.floats(allow_nan=False, allow_infinity=False))
@example(0.1)
@example(5e-324)
@example(1.7976931348623157e308)
def test_a_float_is_the_decimal_it_prints(value):
    assert exact.number(value) == Fraction(Decimal(repr(value)))
    assert float(exact.number(value)) == value


@LAW
@given(st.decimals(allow_nan=False, allow_infinity=False, places=30))
def test_a_decimal_is_itself(value):
    assert exact.number(value) == Fraction(value) == exact.number(str(value))


@LAW
@given(st.integers(), st.integers(-60, 60))
def test_decimal_text(mantissa, exponent):
    written = exact.decimal_text(mantissa, exponent)
    assert Fraction(Decimal(written)) == Fraction(mantissa) * Fraction(10) ** exponent
    assert len(written) <= max(len(str(mantissa)), 21) + 8


@LAW
@given(st.decimals(-(10**9), 10**9, places=9), st.decimals(-(10**9), 10**9, places=9).filter(bool))
def test_a_quotient_of_decimals(p, q):
    assert exact.number(f"{p} / {q}") == Fraction(p) / Fraction(q)
