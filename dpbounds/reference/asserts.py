"""Hold an accountant against the reference table, in its own test suite.

from dpbounds.reference import assert_upper_bound, load_table

def test_my_epsilon_is_safe():
    rows = [row for row in load_table() if row.quantity == "epsilon" and row.binary]
    assert_upper_bound(lambda row: my_epsilon(row.mechanism, float(row.argument_value)), rows)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from dpbounds.errors import InputError
from dpbounds.reference.table import TableRow, load_table

Bound = float | Fraction | tuple[float | Fraction, float | Fraction]
Accountant = Callable[[TableRow], Bound | None]
"""Returns the accountant's bound for a row, a pair for an interval, or None for a row that it does not support."""
SIDES = ("upper", "lower", "interval")


def assert_upper_bound(accountant: Accountant, rows: Iterable[TableRow] | None = None, *, rtol: float = 0.0) -> int:
    """Assert that the accountant's upper bounds are not below the truth; returns the number of rows compared.

    Args:
        accountant: gives the upper bound for a row, None to skip it. Infinity is a valid upper bound, NaN is not.
        rows: None for the whole table.
        rtol: how far below the truth a bound may be, as a part of it; 0 ≤ rtol < 1.

    Raises:
        AssertionError: a bound below the certified lower end, NaN, or no row compared; the message names the ten worst rows and the
            simplest one.

    >>> from dpbounds.reference.table import load_table
    >>> assert_upper_bound(lambda row: row.upper_value, load_table()[:10])
    10
    """
    return assert_side("upper", accountant, rows, rtol=rtol)


def assert_lower_bound(accountant: Accountant, rows: Iterable[TableRow] | None = None, *, rtol: float = 0.0) -> int:
    """Assert that the accountant's lower bounds are not above the truth; returns the number of rows compared.

    Raises:
        AssertionError: a bound above the certified upper end, or no row compared.

    >>> assert_lower_bound(lambda row: 0, load_table()[:10])
    10
    """
    return assert_side("lower", accountant, rows, rtol=rtol)


def assert_side(side: str, accountant: Accountant, rows: Iterable[TableRow] | None = None, *, rtol: float = 0.0) -> int:
    """Assert that the accountant's answers lie on the promised side of the truth; returns the number of rows compared.

    Args:
        side: "upper" or "lower" bounds, or "interval": the accountant returns both, the lower one first.
        accountant, rows, rtol: as for `assert_upper_bound`.

    Raises:
        AssertionError: an answer on the wrong side, NaN, or no row compared.
        InputError: no such side, or rtol outside of [0, 1).

    >>> assert_side("interval", lambda row: (0, row.upper_value), load_table()[:10])
    10
    """
    if not 0 <= rtol < 1:
        raise InputError(f"rtol must lie in [0, 1), got {rtol}")
    if side not in SIDES:
        raise InputError(f"side must be {', '.join(SIDES)}, got {side!r}")
    compared, failures = 0, []
    for row in load_table() if rows is None else rows:
        where = f"{row.quantity} of {row.spec} at {row.argument}, {row.direction}"
        try:
            bound = accountant(row)
        except Exception as error:  # the accountant's own: it goes on, with the question that raised it
            error.add_note(f"when asked for {where}")
            raise
        if bound is None:
            continue
        compared += 1
        for wrong in _wrong_ends(side, bound, row, Fraction(rtol)):
            off = _off(wrong, row)
            failures.append((off, row, f"{where}: {wrong}, off by {off:.2g} of the truth in [{row.lower}, {row.upper}]"))
    if failures:
        raise AssertionError(_message(failures, compared, side))
    if not compared:
        raise AssertionError("no row was compared: the accountant returned None for all of them")
    return compared


def _wrong_ends(side: str, bound: Bound, row: TableRow, slack: Fraction) -> Iterator[float | Fraction]:
    """The ends of an answer that are on the wrong side of the truth, or NaN."""
    if (side == "interval") != isinstance(bound, tuple):
        raise InputError(f"{'two ends' if side == 'interval' else 'one number'} were promised, got {bound!r}")
    low, high = bound if isinstance(bound, tuple) else (bound, bound)
    if side != "upper" and not low <= row.upper_value * (1 + slack):
        yield low
    if side != "lower" and not high >= row.lower_value * (1 - slack):
        yield high


def _off(bound: float | Fraction, row: TableRow) -> float:
    """How far a bound is from the truth, as a part of it; infinite for NaN."""
    if isinstance(bound, float) and not math.isfinite(bound):
        return math.inf
    nearest = min(max(Fraction(bound), row.lower_value), row.upper_value)
    return float(abs(Fraction(bound) - nearest) / nearest) if nearest else math.inf


def _message(failures: list[tuple[float, TableRow, str]], compared: int, side: str) -> str:
    """The worst failures, then the simplest one where it is not the worst."""
    wrong = {"upper": "below", "lower": "above", "interval": "outside of"}[side]
    ranked = sorted(failures, key=lambda failure: -failure[0])
    lines = [text for _, _, text in ranked[:10]]
    simplest = min(failures, key=lambda failure: failure[1].size)[2]
    if simplest != lines[0]:
        lines.append(f"the simplest: {simplest}")
    return f"{len(failures)} of {compared} {side} bounds lie {wrong} the truth:\n  " + "\n  ".join(lines)
