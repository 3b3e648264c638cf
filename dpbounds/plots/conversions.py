"""From Rényi divergence to (ε, δ): the Legendre transform, a limited range of orders, and what each conversion loses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from dpbounds.budgets.conversion_gaps import gaps_of
from dpbounds.numbers import exact
from dpbounds.numbers.balls import ball, precision
from dpbounds.plots.style import COLOURS, looks, styled_figure, styled_panels
from dpbounds.renyi.conversions import range_limited_epsilon_of
from dpbounds.renyi.curves import RenyiCurve

_WIDTHS = (6.0, 2.5, 6.0, 1.5, 3.5, 1.2)  # conversions that coincide stay visible as thin lines on thick ones


def legendre_picture(curve: RenyiCurve, epsilon: exact.Number, orders: Sequence[exact.Number], *, title: str = "") -> Any:
    """The cumulant K(t) = t·D_{1+t}, the line εt, and the largest gap between them, K*(ε), at the orders given.

    Args:
        curve: of the composition.
        epsilon: slope of the line.
        orders: α = 1 + t where to draw; the gap is marked at the best of them.

    >>> from dpbounds.renyi.curves import GaussianCurve
    >>> legendre_picture(GaussianCurve(1), 2, [1.5, 2, 2.5, 3, 4]).axes[0].get_xlabel()
    't = α − 1'
    """
    slope = float(exact.rational(epsilon))
    with precision(60):
        values = [(exact.rational(order) - 1, curve.cumulant(ball(exact.rational(order) - 1))) for order in orders]
    t, cumulant = [float(x) for x, _ in values], [float(y.mid()) for _, y in values]
    best = max(range(len(t)), key=lambda k: slope * t[k] - cumulant[k])
    with styled_figure(title or f"Largest gap between εt and K(t), ε = {epsilon}", "t = α − 1", "") as (figure, axes):
        axes.plot(t, cumulant, color=COLOURS[0], label="K(t), log of the moment")
        axes.plot(t, [slope * x for x in t], color=COLOURS[1], linestyle="--", label="εt")
        axes.annotate("", (t[best], slope * t[best]), (t[best], cumulant[best]), arrowprops={"arrowstyle": "<->", "color": COLOURS[6]})
        gap = slope * t[best] - cumulant[best]
        place = {"xytext": (6, -16), "textcoords": "offset points"}
        axes.annotate(f"K*(ε) ≈ {gap:.3g}", (t[best], cumulant[best]), **place)
    return figure


def limited_orders(rho: exact.Number, delta: exact.Number, limits: Sequence[exact.Number]) -> Any:
    """αρ + log(1/δ)/(α−1) over α, its lowest point, and the ε of Theorem 3 for orders limited by α ≤ u.

    Args:
        rho: slope of the bound on D_α.
        delta: δ.
        limits: values of u.

    >>> len(limited_orders("0.1", "1e-5", [4, 30]).axes[0].get_lines())
    3
    """
    slope, log = float(exact.rational(rho)), -math.log(float(exact.rational(delta)))
    best = 1 + math.sqrt(log / slope)
    grid = [1 + (best - 1) * 1.03**k for k in range(-70, 40)]
    with styled_figure(f"Best order within a limit, ρ = {rho}, δ = {delta}", "order α", "ε at that order") as (figure, axes):
        axes.plot(grid, [a * slope + log / (a - 1) for a in grid], color=COLOURS[0], label="αρ + log(1/δ)/(α−1)")
        for limit, colour, marker in zip(limits, COLOURS[1:], "osD^v", strict=False):
            value = range_limited_epsilon_of(rho, limit, delta, 6).upper_float
            used = min(best, float(exact.rational(limit)))
            axes.plot([used], [value], marker, color=colour, label=f"α ≤ {limit}: ε = {value:.3g}")
    return figure


def conversion_losses(settings: Sequence[tuple[exact.Number, exact.Number, int]], deltas: Sequence[exact.Number]) -> Any:
    """Each conversion's ε over the exact ε, over δ; one panel for each (σ, q, steps).

    Args:
        settings: σ, q and k; q = 1 is no sampling.
        deltas: δ, in (0, 1).

    >>> len(conversion_losses([(2, 1, 1)], ["1e-5"]).axes)
    1
    """
    panels = [(f"σ = {sigma}, q = {q}, k = {steps}", "δ", "ε of the conversion / exact ε") for sigma, q, steps in settings]
    with styled_panels(panels) as (figure, axes):
        for panel, (sigma, q, steps) in zip(axes, settings, strict=True):
            found = [gaps_of(sigma, delta, q, steps, digits=4) for delta in deltas]
            x = [float(exact.rational(delta)) for delta in deltas]
            for look, width, rows in zip(looks(), _WIDTHS, zip(*(gaps[1:] for gaps in found), strict=True), strict=False):
                panel.plot(x, [row.ratio.upper_float for row in rows], linewidth=width, label=rows[0].conversion, **look)
            panel.set_xscale("log")
            panel.axhline(1, color="0.5", linewidth=1)
    return figure
