"""The range of a variable, with open and closed ends."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpbounds.descent.refusal import Refused


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
    if not isinstance(text, str) or len(text) > 4000:
        raise Refused("an end is the text of a rational number")
    return Fraction(text)
