"""Figures that say in words what they show, for readers who do not see them."""

from __future__ import annotations

import io
from base64 import b64encode
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure


class DescribedFigure(Figure):
    """A figure whose PNG in a notebook carries an alternative text: titles, axes and what is drawn.

    >>> from dpbounds.plots.style import styled_figure
    >>> with styled_figure("Squares", "x", "x²") as (figure, axes):
    ...     _ = axes.plot([0, 1, 2], [0, 1, 4], label="exact")
    >>> figure.alternative
    'Squares. x² from 0 to 4 over x from 0 to 2: exact.'
    """

    @property
    def alternative(self) -> str:
        """One sentence for each panel."""
        return " ".join(_sentence(axes) for axes in self.axes if axes.get_title() or axes.get_xlabel())

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
        written = io.BytesIO()
        self.savefig(written, format="png", bbox_inches="tight")
        return {"image/png": b64encode(written.getvalue()).decode()}, {"image/png": {"alt": self.alternative}}


def _sentence(axes: Axes) -> str:
    title, labels = axes.get_title(), axes.get_legend_handles_labels()[1]
    ranges = [_range(axis.get_label_text(), axis.get_data_interval()) for axis in (axes.yaxis, axes.xaxis)]
    drawn = f": {', '.join(map(_plain, labels))}" if labels else ""
    return f"{_plain(title)}. {' over '.join(part for part in ranges if part)}{drawn}." if title else f"{' over '.join(ranges)}{drawn}."


def _range(label: str, interval: Any) -> str:
    low, high = (float(end) for end in interval)
    ends = f" from {low:.3g} to {high:.3g}" if low < high and abs(low) < float("inf") and abs(high) < float("inf") else ""
    return f"{_plain(label)}{ends}" if label else ""


def _plain(text: str) -> str:
    return " ".join(text.replace("$", "").split())
