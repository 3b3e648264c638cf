"""The common look of all figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from typing import Any

from dpbounds.plots.described import DescribedFigure

# Okabe & Ito 2008, in an order that also differs in lightness.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ("-", "--", "-.", ":")

_SETTINGS: Any = {
    "axes.grid": True, "axes.spines.right": False, "axes.spines.top": False, "figure.dpi": 90, "figure.figsize": (6.4, 4.0),
    "font.size": 10, "grid.alpha": 0.3, "legend.frameon": False, "lines.linewidth": 1.6, "svg.hashsalt": "dpbounds",
}  # fmt: skip


@contextmanager
def styled_figure(title: str, x_label: str, y_label: str) -> Iterator[tuple[Any, Any]]:
    """A figure and its axes in the common style; the figure is laid out and closed when the block ends, so that it shows once.

    Args:
        title: what the picture says.
        x_label, y_label: quantity and unit of each axis.
    """
    with styled_panels([(title, x_label, y_label)]) as (figure, (axes,)):
        yield figure, axes


@contextmanager
def styled_panels(panels: Sequence[tuple[str, str, str]], *, size: tuple[float, float] | None = None) -> Iterator[tuple[Any, list[Any]]]:
    """A figure with panels side by side, in the common style.

    Args:
        panels: title, x label and y label of each.
        size: width and height in inches; by default the panels together are as wide as a page.
    """
    import matplotlib.pyplot as plt

    count = len(panels)
    with plt.rc_context(_SETTINGS):
        wide = size or (6.4 if count == 1 else 9.6, 4.0)
        figure, grid = plt.subplots(1, count, squeeze=False, layout="constrained", figsize=wide, FigureClass=DescribedFigure)
        axes = list(grid[0])
        try:
            yield figure, axes
            for panel, (title, x_label, y_label) in zip(axes, panels, strict=True):
                panel.set_title(title, fontsize=11)
                panel.set_xlabel(x_label)
                panel.set_ylabel(y_label)
                _label_logarithms(panel)
                if panel.get_legend_handles_labels()[1] and panel.get_legend() is None:
                    panel.legend(fontsize=9)
        finally:
            plt.close(figure)


def _label_logarithms(axes: Any) -> None:
    """Labels of logarithmic axes that do not run into each other: decades, with 2 and 5 between them on a short axis."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    for axis, (low, high) in ((axes.xaxis, sorted(axes.get_xlim())), (axes.yaxis, sorted(axes.get_ylim()))):
        if axis.get_scale() != "log":
            continue
        if high < 1000 * low:
            axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high > 6 * low else tuple(range(1, 10))))
            if low >= 1e-3 and high <= 1e5:
                axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_minor_formatter(NullFormatter())


def looks() -> Iterator[dict[str, Any]]:
    """Colour and dash of one curve after another."""
    for number, colour in enumerate(cycle(COLOURS)):
        yield {"color": colour, "linestyle": DASHES[number // len(COLOURS) % len(DASHES)]}
