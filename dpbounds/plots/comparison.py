"""What others compute, drawn beside certified values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

from dpbounds.numbers.balls import Enclosure
from dpbounds.plots.curves import certified_band
from dpbounds.plots.style import COLOURS, styled_figure

_DASHES = ("--", ":", "-.")
_MARKERS = ("o", "s", "^", "D")


def beside_certified(
    x: Sequence[float],
    certified: Mapping[str, Sequence[Enclosure]],
    others: Mapping[str, Mapping[str, Sequence[float]]],
    *,
    title: str,
    x_label: str,
    y_label: str,
    log_x: bool = False,
    log_y: bool = False,
) -> Any:
    """Certified curves as solid bands; estimates and bounds of others in the same colour, dashed, with a marker for each method.

    Args:
        x: abscissae.
        certified: label → one enclosure for each abscissa.
        others: method → label of the certified curve → values; a value that is not finite is left out. A label without a certified
            curve gets a colour of its own.
        title, x_label, y_label: as they stand.
        log_x, log_y: logarithmic axes.

    >>> one = Enclosure.exactly(1)
    >>> figure = beside_certified([1, 2], {"a": [one, one]}, {"rough": {"a": [1.5, 1.2]}}, title="t", x_label="k", y_label="ε")
    >>> [line.get_label() for line in figure.axes[0].get_lines()]
    ['a, certified', 'a, rough']
    """
    labels = list(dict.fromkeys([*certified, *(label for curves in others.values() for label in curves)]))
    colours = dict(zip(labels, cycle(COLOURS), strict=False))
    with styled_figure(title, x_label, y_label) as (figure, axes):
        for label, enclosures in certified.items():
            certified_band(axes, x, enclosures, f"{label}, certified", color=colours[label])
        for (method, curves), dash, marker in zip(others.items(), cycle(_DASHES), cycle(_MARKERS), strict=False):
            for label, values in curves.items():
                axes.plot(
                    x, values, label=f"{label}, {method}", color=colours[label], linestyle=dash, marker=marker, markersize=4, linewidth=1
                )
        axes.set_xscale("log" if log_x else "linear")
        axes.set_yscale("log" if log_y else "linear")
    return figure
