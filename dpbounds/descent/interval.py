"""The range of a variable, with open and closed ends."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpbounds.descent.refusal import DescentRefused

_NUMBER = re.compile(r"-?\d{1,4000}(/\d{1,4000})?")


@dataclass(frozen=True)
class Interval:
    """The range of a variable.

    Attributes:
        low, high: the ends; None is infinite.
        low_closed, high_closed: whether the ends belong to it.
    """

    low: Fraction | None = None
    high: Fraction | None = None
    low_closed: bool = False
    high_closed: bool = False


def end_of(text: Any) -> Fraction | None:
    """An end of a range from its text; None is infinite."""
    if text in ("oo", "-oo"):
        return None
    return number_of(text)


def is_number(text: str) -> bool:
    """Whether a text is that of a rational number."""
    return _NUMBER.fullmatch(text) is not None


def number_of(text: Any) -> Fraction:
    """A rational number from its text "p" or "p/q"; "1e999999999" would take all the memory there is."""
    if not isinstance(text, str) or not is_number(text):
        raise DescentRefused("a number is the text of a rational number")
    return Fraction(text)
