"""Conjecture 1 in bars: two pairs of distributions, two pairs that are farther apart, and the averages of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from dpbounds.mechanisms import Direction, FiniteTable
from dpbounds.numbers import exact
from dpbounds.plots.style import COLOURS, styled_panels
from dpbounds.renyi import renyi_divergence

Table = Sequence[exact.Number]
Pair = tuple[Table, Table]


def averaged(pairs: Sequence[Pair]) -> FiniteTable:
    """The average of the first tables against the average of the second ones, exactly.

    >>> averaged([((1, 0), ("1/2", "1/2")), ((0, 1), ("1/2", "1/2"))]).p
    (Fraction(1, 2), Fraction(1, 2))
    """
    columns = [zip(*(pair[side] for pair in pairs), strict=True) for side in (0, 1)]
    first, second = ([sum((exact.rational(x) for x in entries), Fraction(0)) / len(pairs) for entries in rows] for rows in columns)
    return FiniteTable(first, second)


def average_divergences(cases: Mapping[str, tuple[Sequence[Pair], Sequence[Pair]]], order: exact.Number) -> Any:
    """D_λ of each pair and of the averages, one panel for each case; certified values.

    Args:
        cases: label → (pairs (p, q), pairs (μ, ν)); Conjecture 1 wants the bar of (p, q) to be the lower one at the averages whenever it
            is nowhere the higher one at the pairs.
        order: λ > 1.

    >>> coin = ("1/2", "1/2")
    >>> figure = average_divergences({"a": ([((1, 0), coin)] * 2, [((1, 0), coin), ((0, 1), coin)])}, 2)
    >>> [round(float(bar.get_height()), 3) for bar in figure.axes[0].patches]
    [0.693, 0.693, 0.693, 0.693, 0.693, 0.0]
    """
    with styled_panels([(label, "", f"Rényi divergence of order {order}") for label in cases]) as (figure, axes):
        for panel, (closer, farther) in zip(axes, cases.values(), strict=True):
            for shift, pairs, colour, label in ((-0.2, closer, COLOURS[0], "p against q"), (0.2, farther, COLOURS[1], "μ against ν")):
                tables = [*(FiniteTable(list(p), list(q)) for p, q in pairs), averaged(pairs)]
                heights = [renyi_divergence(table, order, digits=6, direction=Direction.REMOVE).enclosure.upper_float for table in tables]
                panel.bar([k + shift for k in range(len(tables))], heights, 0.38, color=colour, label=label)
            names = [f"pair {k + 1}" for k in range(len(closer))]
            panel.set_xticks(range(len(names) + 1), [*names, "averages"])
            panel.grid(False)
            panel.set_ylim(top=1.25 * panel.get_ylim()[1])
            panel.legend(fontsize=8, loc="upper right", ncols=2)
    return figure
