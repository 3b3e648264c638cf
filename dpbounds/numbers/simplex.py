"""Linear programs with rational numbers, for searches: what they find is checked by others.

The dual simplex method on whole numbers: each row of the tableau is an equation that is kept primitive, so that nothing is rounded.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

_MOST_PIVOTS = 2000
_VALUE = -1
"""The key of the right side in a row."""
Row = dict[int, int]
Vector = Mapping[Any, Fraction | int]


def least_combination(columns: Sequence[Vector], target: Vector, costs: Sequence[int] | None = None) -> list[Fraction] | None:
    """Numbers x_j ≥ 0 of least Σ c_j x_j with Σ x_j · column_j = target.

    Args:
        columns: sparse vectors.
        target: a sparse vector.
        costs: c_j ≥ 0 of each column; 1 where nothing is said.

    Returns:
        The numbers; None where there are none, or where they were not found in 2,000 pivots.

    Source:
        C. E. Lemke, The dual method of solving the linear programming problem, Naval Research Logistics Quarterly 1 (1954).

    >>> least_combination([{"x": 1}, {"y": 1}, {"x": 1, "y": 1}], {"x": 2, "y": 3})
    [Fraction(0, 1), Fraction(1, 1), Fraction(2, 1)]
    >>> least_combination([{"x": 1, "y": 1}], {"x": 1, "y": 2}) is None
    True
    """
    rows = _rows(columns, target)
    cost: Row = dict(enumerate(costs if costs is not None else [1] * len(columns)))
    basis: list[int | None] = [None] * len(rows)  # None: an artificial variable, which must become 0 and does not come back
    for _ in range(_MOST_PIVOTS):
        choice = _leaving(rows, basis)
        if choice is None:
            return _solution(rows, basis, len(columns))
        row = rows[choice]
        sign = 1 if row.get(_VALUE, 0) > 0 else -1
        candidates = [j for j, entry in row.items() if j != _VALUE and j != basis[choice] and sign * entry > 0]
        if not candidates:
            return None
        entering = min(candidates, key=lambda j: (Fraction(cost.get(j, 0), abs(row[j])), j))
        if row[entering] < 0:
            row = rows[choice] = {j: -entry for j, entry in row.items()}
        basis[choice] = entering
        for k, other in enumerate(rows):
            if k != choice and other.get(entering):
                rows[k] = _without(other, row, entering)
        cost = _without(cost, row, entering)
    return None


def _rows(columns: Sequence[Vector], target: Vector) -> list[Row]:
    """One equation for each component, in whole numbers."""
    fractions: dict[Any, dict[int, Fraction]] = {}
    for j, column in (*enumerate(columns), (_VALUE, target)):
        for key, entry in column.items():
            if entry:
                fractions.setdefault(key, {})[j] = Fraction(entry)
    found = []
    for row in fractions.values():
        common = math.lcm(*(entry.denominator for entry in row.values()))
        found.append(_primitive({j: int(entry * common) for j, entry in row.items()}))
    return found


def _primitive(row: Row) -> Row:
    common = math.gcd(*row.values())
    return {j: entry // common for j, entry in row.items()} if common > 1 else row


def _without(row: Row, pivot: Row, column: int) -> Row:
    """A positive multiple of a row, minus what takes a column out of it; the pivot row is positive there."""
    entry = row.get(column, 0)
    common = math.gcd(entry, pivot[column])
    up, down = pivot[column] // common, entry // common
    found = {j: up * own for j, own in row.items()}
    for j, own in pivot.items():
        if value := found.get(j, 0) - down * own:
            found[j] = value
        else:
            found.pop(j, None)
    return _primitive(found)


def _leaving(rows: Sequence[Row], basis: Sequence[int | None]) -> int | None:
    """A row whose basic variable is out of bounds, the shortest first; None when the tableau is optimal."""
    outside = [k for k, row in enumerate(rows) if row.get(_VALUE, 0) and (basis[k] is None or row[_VALUE] < 0)]
    return min(outside, key=lambda k: (basis[k] is not None, len(rows[k]), k), default=None)


def _solution(rows: Sequence[Row], basis: Sequence[int | None], many: int) -> list[Fraction]:
    found = [Fraction(0)] * many
    for row, j in zip(rows, basis, strict=True):
        if j is not None:
            found[j] = Fraction(row.get(_VALUE, 0), row[j])
    return found
