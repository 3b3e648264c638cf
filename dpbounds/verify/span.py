"""Numbers as a text prints them: exact, rounded, or between two ends."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dpbounds.errors import InputError
from dpbounds.numbers import exact


@dataclass(frozen=True)
class Span:
    """An exact interval of rational numbers, and how it was written.

    Args:
        low, high: the ends, low ≤ high.
        text: for readers.
    """

    low: Fraction
    high: Fraction
    text: str

    @property
    def single(self) -> bool:
        """Whether the interval is one point."""
        return self.low == self.high


def read_span(value: Any, name: str) -> Span:
    """Read a number of a statement.

    Args:
        value: a number or text, taken exactly as printed; `{"rounded": "2.56"}` for all numbers that round to it;
            a list of two numbers for the interval between them.
        name: how error messages call it.

    Raises:
        InputError: not a number, or an empty interval.

    >>> read_span({"rounded": "2.56"}, "rho").low, read_span(["0.3", "0.4"], "q").high
    (Fraction(511, 200), Fraction(2, 5))
    """
    if isinstance(value, Mapping):
        if set(value) != {"rounded"}:
            raise InputError(f'{name} must be a number, a list of two, or {{ rounded = "…" }}, got {dict(value)}')
        middle, text = _number(value["rounded"], name), str(value["rounded"])
        half = Fraction(1, 2) * last_place(text, name)
        return Span(middle - half, middle + half, f"{text} (rounded)")
    if isinstance(value, Sequence) and not isinstance(value, str):
        if len(value) != 2:
            raise InputError(f"{name} must be one number or a list of two ends, got {len(value)} numbers")
        low, high = (_number(end, name) for end in value)
        if low > high:
            raise InputError(f"{name} must be a list of two ends in rising order, got {exact.text(low)} and {exact.text(high)}")
        return Span(low, high, f"{value[0]} to {value[1]}")
    number = _number(value, name)
    return Span(number, number, str(value))


def last_place(text: str, name: str = "number") -> Fraction:
    """The value of one unit in the last printed place.

    >>> last_place("8.68"), last_place("1e-5"), last_place("20")
    (Fraction(1, 100), Fraction(1, 100000), Fraction(1, 1))
    """
    match = re.fullmatch(r"[+-]?\d*\.?(?P<places>\d*)([eE](?P<exponent>[+-]?\d+))?", text.strip())
    if match is None:
        raise InputError(f"{name} must be a plain decimal to be rounded, got {text!r}")
    places = len(match["places"]) if "." in text else 0
    return Fraction(10) ** (int(match["exponent"] or 0) - places)


def rounded_up(value: Fraction, place: Fraction) -> str:
    """The smallest multiple of `place` that is at least the value, as text.

    >>> rounded_up(Fraction("8.6801"), Fraction(1, 100))
    '8.69'
    """
    units = -(-value // place)
    places = max(0, -_exponent(place))
    return f"{Decimal(units * place.numerator) / Decimal(place.denominator):.{places}f}"


def rounds_to(value: Fraction, printed: Fraction, place: Fraction) -> bool:
    """Whether a number rounds to the printed one at its last place; a tie may go either way.

    >>> rounds_to(Fraction("1.2349"), Fraction("1.23"), Fraction("0.01"))
    True
    """
    return abs(value - printed) <= place / 2


def _exponent(place: Fraction) -> int:
    exponent = 0
    while Fraction(10) ** exponent > place:
        exponent -= 1
    return exponent


def _number(value: Any, name: str) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, (int, str, Decimal, Fraction)):
        raise InputError(f"{name} must be a number, got {value!r}")
    return exact.rational(value, name)
