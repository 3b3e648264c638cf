"""The common look of all figures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from typing import Any

# Okabe & Ito 2008, in an order that also differs in lightness.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
DASHES = ("-", "--", "-.", ":")

_SETTINGS: Any = {
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.dpi": 100,
    "figure.figsize": (6.4, 4.0),
    "font.size": 10,
    "grid.alpha": 0.3,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "svg.hashsalt": "dpbounds",
}


@contextmanager
def styled_figure(title: str, x_label: str, y_label: str) -> Iterator[tuple[Any, Any]]:
    """A figure and its axes in the common style; the figure is laid out and closed when the block ends, so that it shows once.

    Args:
        title: what the picture says.
        x_label, y_label: quantity and unit of each axis.
    """
    import matplotlib.pyplot as plt

    with plt.rc_context(_SETTINGS):
        figure, axes = plt.subplots(layout="constrained")
        try:
            yield figure, axes
            axes.set_title(title, fontsize=11)
            axes.set_xlabel(x_label)
            axes.set_ylabel(y_label)
            if axes.get_legend_handles_labels()[1]:
                axes.legend(fontsize=9)
        finally:
            plt.close(figure)


def looks() -> Iterator[dict[str, Any]]:
    """Colour and dash of one curve after another."""
    for number, colour in enumerate(cycle(COLOURS)):
        yield {"color": colour, "linestyle": DASHES[number // len(COLOURS) % len(DASHES)]}
