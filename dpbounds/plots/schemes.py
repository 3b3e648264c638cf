"""One training run under every way of drawing its batches."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpbounds.numbers import exact
from dpbounds.plots.style import COLOURS, styled_figure
from dpbounds.verify.compare import SCHEMES, SchemeComparison

_POINTS = 14
_LOOKS = {"value": "-", "lower bound": ":", "upper bound": "--"}


def scheme_curves(found: SchemeComparison, points: int = _POINTS) -> Any:
    """δ(ε) of every scheme: a line for a value, dots for a lower bound, dashes for an upper one; a bound of another relation says so.

    Args:
        found: of `dpbounds.verify.compare.comparison`.
        points: values of ε at which every curve is computed, besides 0.

    >>> from fractions import Fraction
    >>> from dpbounds.verify.compare import Training, rows_of
    >>> run = Training(1, 10, 5, 1)
    >>> found = SchemeComparison(run, Fraction(1, 1000), "zero-out", rows_of(run, "poisson", "zero-out"), ())
    >>> scheme_curves(found, 2).axes[0].get_yscale()
    'log'
    """
    run = found.training
    ends = [row.epsilon.lower_float for row in found.rows if row.epsilon is not None and row.side != "upper bound" and row.scheme != "none"]
    reach = Fraction(1.2 * max([float(found.top), *ends])).limit_denominator(1000)
    grid = [reach * index / points for index in range(points + 1)]
    title = f"σ = {exact.text(run.sigma)}, {run.epochs} × {run.steps} steps, {found.relation}"
    with styled_figure(title, "ε", "δ(ε), certified") as (figure, axes):
        for row in found.rows:
            values = [(float(point), value) for point in grid if (value := row.delta_at(point, 3)) is not None]
            drawn = [(x, value.lower_float if row.side == "lower bound" else value.upper_float) for x, value in values]
            label = (
                row.scheme
                + ("" if row.side == "value" else f", {row.side}")
                + ("" if row.relation == found.relation else f" ({row.relation})")
            )
            look = {"color": COLOURS[SCHEMES.index(row.scheme)], "linestyle": _LOOKS[row.side]}
            axes.plot([x for x, _ in drawn], [y for _, y in drawn], label=label, **look)
        axes.axhline(float(found.delta), color="0.6", linewidth=1)
        axes.set_yscale("log")
        axes.set_ylim(float(found.delta) / 100, 1.5)
        axes.legend(fontsize=7)
    return figure
