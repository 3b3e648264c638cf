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
from dpbounds.plots.style import looks, styled_figure


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
