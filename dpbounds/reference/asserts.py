"""Hold an accountant against the reference table, in its own test suite.

from dpbounds.reference import assert_upper_bound, load_table

def test_my_epsilon_is_safe():
    rows = [row for row in load_table() if row.quantity == "epsilon" and row.binary]
    assert_upper_bound(lambda row: my_epsilon(row.mechanism, float(row.argument_value)), rows)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction

from dpbounds.errors import InputError
from dpbounds.reference.table import TableRow, load_table

Accountant = Callable[[TableRow], float | Fraction | None]
"""Returns the accountant's bound for a row, or None for a row that it does not support."""


def assert_upper_bound(accountant: Accountant, rows: Iterable[TableRow] | None = None, *, rtol: float = 0.0) -> int:
    """Assert that the accountant's upper bounds are not below the truth; returns the number of rows compared.

    Args:
        accountant: gives the upper bound for a row, None to skip it. Infinity is a valid upper bound, NaN is not.
        rows: None for the whole table.
        rtol: how far below the truth a bound may be, as a part of it; 0 ≤ rtol < 1.

    Raises:
        AssertionError: a bound below the certified lower end, NaN, or no row compared; the message names the ten worst rows.

    >>> from dpbounds.reference.table import load_table
    >>> assert_upper_bound(lambda row: row.upper_value, load_table()[:10])
    10
    """
    slack = _slack(rtol)
    return _compare(accountant, rows, lambda bound, row: bound >= row.lower_value * (1 - slack), "upper", "below")


def assert_lower_bound(accountant: Accountant, rows: Iterable[TableRow] | None = None, *, rtol: float = 0.0) -> int:
    """Assert that the accountant's lower bounds are not above the truth; returns the number of rows compared.

    Raises:
        AssertionError: a bound above the certified upper end, or no row compared.

    >>> assert_lower_bound(lambda row: 0, load_table()[:10])
    10
    """
    slack = _slack(rtol)
    return _compare(accountant, rows, lambda bound, row: bound <= row.upper_value * (1 + slack), "lower", "above")


def _slack(rtol: float) -> Fraction:
    if not 0 <= rtol < 1:
        raise InputError(f"rtol must lie in [0, 1), got {rtol}")
    return Fraction(rtol)


def _off(bound: float | Fraction, row: TableRow) -> float:
    """How far a bound is from the truth, as a part of it; infinite for NaN."""
    if isinstance(bound, float) and not math.isfinite(bound):
        return math.inf
    nearest = min(max(Fraction(bound), row.lower_value), row.upper_value)
    return float(abs(Fraction(bound) - nearest) / nearest) if nearest else math.inf


def _compare(
    accountant: Accountant, rows: Iterable[TableRow] | None, holds: Callable[[float | Fraction, TableRow], bool], side: str, wrong: str
) -> int:
    compared, failures = 0, []
    for row in load_table() if rows is None else rows:
        bound = accountant(row)
        if bound is None:
            continue
        compared += 1
        if (isinstance(bound, float) and math.isnan(bound)) or not holds(bound, row):
            where = f"{row.quantity} of {row.spec} at {row.argument}, {row.direction}"
            size = _off(bound, row)
            failures.append((size, f"{where}: {bound}, off by {size:.2g} of the truth in [{row.lower}, {row.upper}]"))
    if failures:
        shown = "\n  ".join(text for _, text in sorted(failures, key=lambda failure: -failure[0])[:10])
        raise AssertionError(f"{len(failures)} of {compared} {side} bounds lie {wrong} the truth:\n  {shown}")
    if not compared:
        raise AssertionError("no row was compared: the accountant returned None for all of them")
    return compared
