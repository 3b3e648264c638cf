"""What the best test of membership achieves."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpbounds.accounting import trade_off
from dpbounds.mechanisms import Direction, Guarantee, Mechanism, Relation
from dpbounds.plots.curves import certified_band
from dpbounds.plots.style import COLOURS, styled_figure

_DIGITS = 4
_POINTS = 40


def trade_off_curve(
    mechanism: Mechanism,
    *,
    relation: Relation | None = None,
    direction: Direction | str = Direction.WORST,
    guarantee: Guarantee | str = Guarantee.MECHANISM,
    points: int = _POINTS,
) -> Any:
    """f(α) between blind guessing and the certified curve.

    Args:
        mechanism, relation, direction, guarantee: as for `dpbounds.accounting.trade_off`.
        points: values of α, evenly spaced.

    >>> from dpbounds.mechanisms import Gaussian
    >>> trade_off_curve(Gaussian(1), points=4).axes[0].get_xlabel()
    'false-positive rate α'
    """
    rates = [Fraction(index, points) for index in range(1, points)]
    found = [trade_off(mechanism, rate, digits=_DIGITS, relation=relation, direction=direction, guarantee=guarantee) for rate in rates]
    with styled_figure("Trade-off curve, certified", "false-positive rate α", "false-negative rate f(α)") as (figure, axes):
        axes.plot([0, 1], [1, 0], color="0.6", linestyle=":", label="guessing")
        certified_band(axes, [float(rate) for rate in rates], [result.enclosure for result in found], "best test", color=COLOURS[0])
    return figure
