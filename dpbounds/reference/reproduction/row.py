"""A printed number, the recipe that should give it, and what comes out.

A verdict is established by computing, never typed in: the recipe as the source describes it is evaluated first, then each correction.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, Union

from dpbounds.errors import Undecidable
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure, ball, precision

Number = Union[Enclosure, Fraction, float]
"""A certified enclosure, an exact number, or a float64 estimate of an accountant (never called certified)."""


class PrintedRelation(StrEnum):
    """What a printed statement says about two numbers."""

    AT_MOST = "<="
    AT_LEAST = ">="
    ABOVE = ">"
    MEETS = "="
    """Two enclosures overlap: as far as their digits go the numbers are the same."""


AT_MOST, AT_LEAST, ABOVE, MEETS = PrintedRelation
OPPOSITE = {AT_MOST: ">", AT_LEAST: "<", ABOVE: "<=", MEETS: "!="}


@dataclass(frozen=True)
class PrintedComparison:
    """A printed statement about two numbers, with the numbers.

    Args:
        left, right: what is compared; `right` must be exact or an enclosure.
        at: where, if there are several places.

    >>> PrintedComparison(Fraction(1, 3), PrintedRelation.AT_MOST, Fraction(1, 2)).holds
    True
    """

    left: Enclosure | Fraction
    relation: PrintedRelation
    right: Enclosure | Fraction
    at: str = ""

    @property
    def holds(self) -> bool:
        """Whether the statement holds, decided on the safe ends."""
        (low, high), (least, most) = _ends(self.left), _ends(self.right)
        if self.relation is PrintedRelation.AT_MOST:
            return high <= least
        if self.relation is PrintedRelation.AT_LEAST:
            return low >= most
        return low > most if self.relation is PrintedRelation.ABOVE else low <= most and least <= high

    @property
    def fails(self) -> bool:
        """Whether it surely does not hold."""
        (low, high), (least, most) = _ends(self.left), _ends(self.right)
        if self.relation is PrintedRelation.AT_MOST:
            return low > most
        if self.relation is PrintedRelation.AT_LEAST:
            return high < least
        return high <= least if self.relation is PrintedRelation.ABOVE else not self.holds


Value = Union[Number, PrintedComparison]


def closest(comparisons: Sequence[PrintedComparison]) -> PrintedComparison:
    """The first comparison that does not hold, or the one that holds with the least room.

    >>> near = PrintedComparison(Fraction(9), PrintedRelation.AT_MOST, Fraction(10))
    >>> closest([PrintedComparison(Fraction(1), PrintedRelation.AT_MOST, Fraction(10)), near]) == near
    True
    """

    def room(comparison: PrintedComparison) -> float:
        left, right = float(_ends(comparison.left)[1]), float(_ends(comparison.right)[0])
        return abs(right - left) / max(abs(left), abs(right), 1e-300)

    return next((found for found in comparisons if not found.holds), None) or min(comparisons, key=room)


class RowVerdict(StrEnum):
    """What became of a printed number."""

    REPRODUCED = "reproduced"
    AFTER_CORRECTION = "reproduced after correction"
    NOT_REPRODUCED = "not reproduced"


class Rounding(StrEnum):
    """How the printed digits arise from the value."""

    NEAREST = "rounded to nearest"
    DOWN = "rounded down"
    UP = "rounded up"
    TOLERANCE = "within the stated tolerance"
    EXACT = "exact"


@dataclass(frozen=True)
class Computation:
    """How to compute a number: words, and the computation."""

    text: str
    compute: Callable[[], Value]


@dataclass(frozen=True)
class PrintedRow:
    """One printed number.

    Attributes:
        id: unique name, `source.where.what`.
        source: key of the source, as in the catalogue of claims.
        where: table, figure or section.
        quantity: what the number is.
        printed: as the source prints it; a number, a statement, or text when `expected` is given.
        recipe: as the source describes it.
        corrections: what the source should have said, tried in order.
        expected: the number to compare with, where `printed` is more than a number.
        tolerance: absolute; None compares the printed digits.
        truth: the certified value of what the number stands for, where the recipe is an estimate.
        note: anything a reader should know.
    """

    id: str
    source: str
    where: str
    quantity: str
    printed: str
    recipe: Computation
    corrections: tuple[Computation, ...] = ()
    expected: str | None = None
    tolerance: str | None = None
    truth: Callable[[], Enclosure] | None = None
    note: str = ""


def printed_row(
    name: str, where: str, quantity: str, printed: str, recipe: tuple[Any, ...], *corrections: tuple[Any, ...], **more: Any
) -> PrintedRow:
    """A row whose id begins with its source; a recipe is its words, a function, and what the function is given.

    >>> settle(printed_row("a.third", "page 1", "a third", "0.33", ("1/3", Fraction, 1, 3))).verdict.value
    'reproduced'
    """
    first, *others = (Computation(text, functools.partial(compute, *given)) for text, compute, *given in (recipe, *corrections))
    return PrintedRow(name, name.partition(".")[0], where, quantity, printed, first, tuple(others), **more)


@dataclass(frozen=True)
class RowOutcome:
    """A row with its verdict."""

    row: PrintedRow
    verdict: RowVerdict
    value: Value
    recipe: Computation
    rounding: Rounding | None
    truth: Enclosure | None
    seconds: float

    def document(self) -> dict[str, Any]:
        """The JSON object of a row; numbers are decimal strings."""
        row = self.row
        document: dict[str, Any] = {
            "id": row.id,
            "source": row.source,
            "where": row.where,
            "quantity": row.quantity,
            "printed": row.printed,
            "recipe": row.recipe.text,
            "verdict": self.verdict.value,
            **_value_document(self.value),
        }
        if self.recipe is not row.recipe:
            document["correction"] = self.recipe.text
        if self.rounding is not None:
            document["rounding"] = self.rounding.value
        if self.truth is not None:
            document["truth"] = {"lower": self.truth.lower_decimal(18), "upper": self.truth.upper_decimal(18)}
        return document | ({"note": row.note} if row.note else {})


def settle(row: PrintedRow) -> RowOutcome:
    """Evaluate a row: its recipe, then its corrections, until one gives the printed digits.

    >>> row = PrintedRow("a", "b", "c", "a third", "0.33", Computation("1/3", lambda: Fraction(1, 3)))
    >>> settle(row).verdict.value, settle(row).rounding.value
    ('reproduced', 'rounded to nearest')
    """
    start = time.perf_counter()
    first: Value | None = None
    truth = None if row.truth is None else row.truth()
    for recipe in (row.recipe, *row.corrections):
        value = recipe.compute()
        first = value if first is None else first
        rounding = match(row.expected or row.printed, value, row.tolerance)
        if rounding is not None:
            verdict = RowVerdict.REPRODUCED if recipe is row.recipe else RowVerdict.AFTER_CORRECTION
            return RowOutcome(row, verdict, value, recipe, rounding, truth, time.perf_counter() - start)
    assert first is not None
    return RowOutcome(row, RowVerdict.NOT_REPRODUCED, first, row.recipe, None, truth, time.perf_counter() - start)


def match(printed: str, value: Value, tolerance: str | None = None) -> Rounding | None:
    """How a value gives the printed digits; None when it does not. An enclosure must fit as a whole.

    >>> match("21.5", Fraction("21.551")), match("2.37", Fraction("2.373"))
    (<Rounding.DOWN: 'rounded down'>, <Rounding.NEAREST: 'rounded to nearest'>)
    """
    if isinstance(value, PrintedComparison):
        if not (value.holds or value.fails):
            raise Undecidable(f"{shown(value)}: the digits do not tell")
        return Rounding.EXACT if value.holds else None
    number = exact.rational(printed, "a printed number")
    low, high = _ends(value)
    if low == high == number:
        return Rounding.EXACT
    if tolerance is not None:
        slack = exact.rational(tolerance, "tolerance")
        return Rounding.TOLERANCE if number - slack <= low and high <= number + slack else None
    unit = last_place(printed)
    if number - unit / 2 <= low and high <= number + unit / 2:
        return Rounding.NEAREST
    if number <= low and high < number + unit:
        return Rounding.DOWN
    if number - unit < low and high <= number:
        return Rounding.UP
    return None


def error_of(printed: str, truth: Enclosure) -> Enclosure:
    """How far a printed number is from the truth: an enclosure of |printed − truth|.

    >>> error_of("0.3333", Enclosure.exactly(0)).contains(Fraction("0.3333"))
    True
    """
    with precision(200):
        return Enclosure.of_ball(abs(truth.ball() - ball(exact.rational(printed, "a printed number"))))


def last_place(printed: str) -> Fraction:
    """The unit of the last printed digit.

    >>> last_place("0.0139"), last_place("2.01e-2"), last_place("38")
    (Fraction(1, 10000), Fraction(1, 10000), Fraction(1, 1))
    """
    mantissa, _, exponent = printed.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    return Fraction(10) ** (int(exponent or 0) - decimals)


def shown(value: Value, digits: int = 8) -> str:
    """A value for the table: an interval, an exact number, two numbers compared, or an estimate marked with ≈."""
    if isinstance(value, PrintedComparison):
        sign = value.relation.value if value.holds else OPPOSITE[value.relation] if value.fails else "?"
        return f"{shown(value.left, digits)} {sign} {shown(value.right, digits)}" + (f" at {value.at}" if value.at else "")
    if isinstance(value, Fraction):
        return exact.text(value) if value.denominator < 10**8 else f"≈{float(value):.{digits}g}"
    if isinstance(value, float):
        return f"≈{value:.13g}"
    low, high = value.lower_decimal(digits), value.upper_decimal(digits)
    return low if low == high else f"[{low}, {high}]"


def _ends(value: Number) -> tuple[Fraction | float, Fraction | float]:
    if isinstance(value, Enclosure):
        return value.lower, value.upper
    point = value if isinstance(value, Fraction) else Fraction(value)
    return point, point


def _value_document(value: Value) -> dict[str, Any]:
    if isinstance(value, PrintedComparison):
        numbers = {"left": _value_document(value.left), "relation": value.relation.value, "right": _value_document(value.right)}
        return {"comparison": numbers | {"holds": value.holds} | ({"at": value.at} if value.at else {})}
    if isinstance(value, Fraction):
        return {"value": exact.text(value)}
    if isinstance(value, float):
        return {"estimate": repr(value)}
    return {"lower": value.lower_decimal(12), "upper": value.upper_decimal(12)}
