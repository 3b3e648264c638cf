"""Printed numbers as intervals, and what rounding does to them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpbounds.verify.reading import read_statement
from dpbounds.verify.span import last_place, read_span, rounded_up, rounds_to


@given(st.integers(0, 10**6), st.integers(0, 4))
def test_rounding_up_never_goes_down(units, places):
    value, place = Fraction(units, 10**5), Fraction(1, 10**places)
    printed = Fraction(rounded_up(value, place))
    assert value <= printed < value + place
    assert printed % place == 0


@given(st.integers(1, 10**6), st.integers(0, 5))
def test_a_rounded_number_covers_what_rounds_to_it(units, places):
    text = f"{units / 10**places:.{places}f}"
    span, place = read_span({"rounded": text}, "x"), last_place(text)
    assert span.high - span.low == place
    assert rounds_to(span.low, Fraction(text), place) and rounds_to(span.high, Fraction(text), place)
    assert not rounds_to(span.high + place / 100, Fraction(text), place)


@pytest.mark.parametrize(
    ("rounding", "steps"), [("floor", (7, 7)), ("ceil", (8, 8)), ("floor-epoch", (6, 6)), ("ceil-epoch", (8, 8)), (None, (6, 8))]
)
def test_epochs_to_steps(rounding, steps):
    """Two epochs of batches of 30 from 110 records: 7.33 steps, 3.67 an epoch."""
    entry = {"sigma": 1, "records": 110, "batch": 30, "epochs": 2, "sampling": "poisson", "relation": "add-or-remove"}
    entry |= {"claim": {"epsilon": 1, "delta": "1e-5"}} | ({"rounding": rounding} if rounding else {})
    uses = read_statement(entry).parts[0].uses()
    assert (uses.low, uses.high) == steps
