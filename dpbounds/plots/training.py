"""Accuracy of repeated trainings, with error bars over the seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import Any

from dpbounds.plots.style import looks, styled_figure

_MARKERS = ("o", "s", "^", "D", "v", "P")


def accuracies_by_schedule(results: Mapping[str, Mapping[str, Sequence[float]]], *, title: str = "Test accuracy", best: str = "") -> Any:
    """Mean accuracy of each schedule, with one standard deviation over the seeds each way; one marker for each group of settings.

    Args:
        results: group (such as a learning rate) → schedule → accuracy of each seed, at least two.
        title: what the picture says.
        best: a schedule whose means are drawn as lines through the whole picture, to compare with.

    >>> figure = accuracies_by_schedule({"rate 1": {"uniform": [0.9, 0.92], "time": [0.91, 0.93]}})
    >>> [label.get_text() for label in figure.axes[0].get_xticklabels()]
    ['uniform', 'time']
    """
    schedules = list(dict.fromkeys(name for group in results.values() for name in group))
    with styled_figure(title, "", "accuracy") as (figure, axes):
        for place, ((group, found), look) in enumerate(zip(results.items(), looks(), strict=False)):
            shift = 0.12 * (place - (len(results) - 1) / 2)
            x = [schedules.index(name) + shift for name in found]
            means, errors = [fmean(values) for values in found.values()], [stdev(values) for values in found.values()]
            axes.errorbar(
                x,
                means,
                errors,
                fmt=_MARKERS[place % len(_MARKERS)],
                color=look["color"],
                markersize=5,
                capsize=2,
                linewidth=1,
                label=group,
            )
            if best in found:
                axes.axhline(fmean(found[best]), color=look["color"], linewidth=0.6, alpha=0.6)
        axes.set_xticks(range(len(schedules)), schedules)
        axes.grid(axis="x", visible=False)
    return figure


def learning_curves(curves: Mapping[str, Sequence[Sequence[float]]], *, title: str = "Test accuracy over the epochs") -> Any:
    """Mean accuracy after each epoch, with a band of one standard deviation over the seeds; a curve ends where the first seed ends.

    Args:
        curves: label → accuracies of each seed after the first epoch, the second, ….

    >>> len(learning_curves({"uniform": [[0.1, 0.5], [0.2, 0.6]]}).axes[0].get_lines())
    1
    """
    with styled_figure(title, "epochs", "accuracy") as (figure, axes):
        for (label, seeds), look in zip(curves.items(), looks(), strict=False):
            columns = list(zip(*seeds, strict=False))
            x, means, errors = range(1, len(columns) + 1), [fmean(c) for c in columns], [stdev(c) for c in columns]
            low, high = ([m + sign * e for m, e in zip(means, errors, strict=True)] for sign in (-1, 1))
            axes.fill_between(x, low, high, color=look["color"], alpha=0.2, linewidth=0)
            axes.plot(x, means, label=label, **look)
    return figure
