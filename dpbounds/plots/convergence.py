"""Digits against nodes: how fast the contour integral converges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dpbounds.accounting.convergence import Convergence
from dpbounds.plots.style import looks, styled_figure


def digits_over_nodes(sums: Mapping[str, Sequence[Convergence]], *, title: str = "Certified digits of δ against nodes") -> Any:
    """Certified digits over the number of nodes of the trapezoid sum.

    Args:
        sums: label → what `accounting.convergence.convergence_of` found.

    >>> digits_over_nodes({}).axes[0].get_xlabel()
    'nodes on the upper half of the line'
    """
    with styled_figure(title, "nodes on the upper half of the line", "certified digits of δ") as (figure, axes):
        for (label, found), look in zip(sums.items(), looks(), strict=False):
            axes.plot([one.nodes for one in found], [one.digits for one in found], marker="o", markersize=4, label=label, **look)
        axes.set_ylim(bottom=0)
        axes.set_xlim(left=0)
    return figure
