"""Values on boxes that reach to infinity, by the intervals of the checker of covers: balls have no infinite ends.

Nothing here is trusted: a cover counts once its checker has accepted it. Ends are rounded outward.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy

from dpbounds.claims.statement.cover_text import CoverWriter
from dpbounds.covers.algebra import real
from dpbounds.covers.cover import Side
from dpbounds.covers.evaluate import Evaluator, Tools
from dpbounds.covers.intervals import Undefined
from dpbounds.kernel.polynomials import Budget
from dpbounds.kernel.terms import ZERO, Refused, Term, below
from dpbounds.language import functions
from dpbounds.numbers import balls
from dpbounds.numbers.balls import Ball

_BITS, _WORK = 80, 2_000_000
"""The precision, and the work for one box in units of about a microsecond."""
_FAR = 20_000
"""Powers of ten beyond this one are not written out."""

Sides = Mapping[sympy.Symbol, Side]


class Unknown(Exception):
    """A construct of which the checker of covers knows nothing, or a value that may be undefined."""


def ends_of(low: Fraction | float, high: Fraction | float) -> Side:
    """A side of a box, infinite ends given as floats."""
    return (None if isinstance(low, float) else Fraction(low)), (None if isinstance(high, float) else Fraction(high))


def value(expression: Any, box: Sides) -> tuple[Ball, Ball]:
    """The ends of an expression over the points of a box at which positive symbols are so, each an exact number or ±∞.

    Raises:
        Unknown: what only the engine evaluates, or nothing is known.

    >>> x = sympy.Symbol("x", real=True)
    >>> low, high = value(sympy.exp(-x) + 1, {x: ends_of(Fraction(3), float("inf"))})
    >>> bool(low <= 1), bool(high < 2)
    (True, True)
    """
    writer = _writer(tuple(box))
    try:
        positive = [below(ZERO, real(writer.names[v.name])) for v in box if v.is_positive]
        low, high = _evaluator(writer, box, positive).value(writer.expression(functions.expand_quantities(expression)))
    except (Undefined, Refused, RecursionError) as reason:
        raise Unknown(str(reason)) from None
    return _exact(low).lower(), _exact(high).upper()


def truth(condition: Any, box: Sides) -> bool | None:
    """Decide a condition on a whole box: True, False, or None."""
    writer = _writer(tuple(box))
    try:
        return _evaluator(writer, box, []).truth(writer.condition(condition))
    except (Refused, RecursionError):
        return None


@lru_cache(maxsize=64)
def _writer(variables: tuple[sympy.Symbol, ...]) -> CoverWriter:
    return CoverWriter(variables)


@lru_cache(maxsize=1)
def _tools() -> Tools:
    return Tools(_BITS, Budget(_WORK))


def _evaluator(writer: CoverWriter, box: Sides, premises: list[Term]) -> Evaluator:
    tools = _tools()
    tools.budget.left = _WORK
    sides = {writer.names[v.name]: tools.arithmetic.side(*side) for v, side in box.items()}
    return Evaluator(sides, premises, tools)


def _exact(end: Decimal) -> Ball:
    if end.is_infinite():
        return Ball.pos_inf() if end > 0 else Ball.neg_inf()
    if abs(end.adjusted()) > _FAR and end:
        raise Unknown("a value beyond the range of numbers that are written out")
    return balls.ball(Fraction(end))
