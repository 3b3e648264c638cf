"""Noise schedules: the noise multiplier of each epoch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dpbounds.plots.style import looks, styled_figure


def noise_schedules(schedules: Mapping[str, Sequence[float]], *, title: str = "Noise schedules") -> Any:
    """σ over epochs, one step line for each schedule.

    Args:
        schedules: label → noise multipliers, one for each epoch from 0 on.

    >>> noise_schedules({"uniform": [4, 4, 4]}).axes[0].get_xlabel()
    'epoch'
    """
    with styled_figure(title, "epoch", "noise multiplier σ") as (figure, axes):
        for (label, sigmas), look in zip(schedules.items(), looks(), strict=False):
            axes.step(range(len(sigmas)), [float(s) for s in sigmas], where="post", label=label, **look)
        axes.set_ylim(bottom=0)
    return figure


def budget_spent(spent: Mapping[str, Sequence[float]], total: float, *, title: str = "Budget spent") -> Any:
    """ρ spent after each epoch, with the budget as a line that no curve crosses.

    Args:
        spent: label → ρ after the first epoch, the second, …; upper ends are safe.
        total: the budget.

    >>> len(budget_spent({"uniform": [0.1, 0.2]}, 0.25).axes[0].get_lines())
    2
    """
    with styled_figure(title, "epochs", "ρ spent") as (figure, axes):
        for (label, values), look in zip(spent.items(), looks(), strict=False):
            axes.plot(range(len(values) + 1), [0.0, *values], label=label, **look)
        axes.axhline(total, color="black", linewidth=1, linestyle=":", label=f"budget {total:g}")
    return figure
