"""The three routes of the blog on one scale: δ over ε at one sampling rate, noise and number of epochs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dpbounds import accounting
from dpbounds.budgets import routes
from dpbounds.errors import PrecisionError
from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure
from dpbounds.plots.style import COLOURS, looks, styled_figure


def route_deltas(
    sigma: exact.Number,
    r: exact.Number,
    epochs: exact.Number,
    epsilons: Sequence[exact.Number],
    *,
    c2: exact.Number = 1,
    digits: int = 2,
    least: float | None = None,
) -> Any:
    """Upper ends of δ₁, δ₂, δ₃ and the exact δ of the Poisson-sampled composition, over ε, on a logarithmic axis.

    Args:
        sigma: noise multiplier.
        r: sampling rate; epochs/r must be an integer.
        epochs: k.
        epsilons: where to evaluate, > 0.
        c2: the order λ = ⌊c₂σ²⌋ of Route 3.
        digits: certified digits of Route 1's minimum.
        least: where the axis of δ ends; by default it holds all values.

    >>> route_deltas(4, "0.1", 1, [1, 2]).axes[0].get_ylabel()
    'δ'
    """
    steps = exact.integer(exact.rational(epochs) / exact.rational(r), "the number of steps, epochs/r")
    mechanism = Repeated(Sampled(Gaussian(sigma), PoissonSampling(r)), steps)
    lines: dict[str, list[tuple[float, float]]] = {"Route 1": [], "Route 2, k unsampled uses": [], "Route 3": [], "exact": []}
    for epsilon in epsilons:
        found = routes.routes_of(epsilon, sigma, r, epochs, c2, digits)
        for label, value in zip(lines, (found.first, found.second, found.third, _exact(mechanism, epsilon)), strict=True):
            if value is not None and value.upper_float > 0:
                lines[label].append((float(exact.rational(epsilon)), value.upper_float))
    title = f"Three routes, σ = {sigma}, r = {r}, k = {epochs}"
    with styled_figure(title, "ε", "δ") as (figure, axes):
        for (label, points), look in zip(lines.items(), looks(), strict=False):
            axes.plot([x for x, _ in points], [y for _, y in points], label=label, **look)
        axes.set_yscale("log")
        if least is not None:
            axes.set_ylim(least, 10)
    return figure


def _exact(mechanism: Repeated, epsilon: exact.Number) -> Enclosure | None:
    """The certified δ, or nothing where it cannot be had."""
    try:
        return accounting.delta(mechanism, epsilon, digits=3).enclosure
    except PrecisionError:
        return None


def route_map(
    sigma: tuple[exact.Number, exact.Number],
    epsilon: tuple[exact.Number, exact.Number],
    r: exact.Number,
    epochs: exact.Number,
    *,
    c2: exact.Number = 1,
    depth: int = 5,
) -> Any:
    """Which route has the least δ over a rectangle of σ and ε: a certified partition, what is undecided in white.

    Args:
        sigma, epsilon, r, epochs, c2, depth: as in `budgets.routes.partition_of`.

    >>> route_map((1, 2), (1, 2), "1/1000", 1, depth=0).axes[0].get_xlabel()
    'σ'
    """
    found = routes.partition_of(sigma, epsilon, r, epochs, c2, depth)
    answers = {1: "Route 1", 2: "Route 2", 3: "Route 3", 0: "no route says anything", None: "not decided"}
    looks_of = {1: (COLOURS[1], ""), 2: (COLOURS[5], "///"), 3: (COLOURS[2], "..."), 0: ("0.75", ""), None: ("white", "")}
    with styled_figure(f"The best route, r = {r}, k = {epochs}, c₂ = {c2}", "σ", "ε") as (figure, axes):
        for best, name in answers.items():
            cells = [cell for cell in found.cells if cell.best == best]
            if cells:
                left, bottom = ([float(ends[0]) for ends in ranges] for ranges in zip(*((c.sigma, c.epsilon) for c in cells), strict=True))
                width = [float(cell.sigma[1] - cell.sigma[0]) for cell in cells]
                height = [float(cell.epsilon[1] - cell.epsilon[0]) for cell in cells]
                colour, hatch = looks_of[best]
                label = f"{name}, {100 * found.share(best):.0f}% of the area"
                axes.bar(left, height, width, bottom, align="edge", color=colour, hatch=hatch, edgecolor="0.45", linewidth=0, label=label)
        axes.set_xlim(*(float(exact.rational(end)) for end in sigma))
        axes.set_ylim(*(float(exact.rational(end)) for end in epsilon))
        axes.grid(False)
        axes.legend(fontsize=8, loc="upper right", frameon=True)
    return figure
