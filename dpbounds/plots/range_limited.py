"""The bound D_α ≤ αq²/σ² on a limited range of orders: where it fails, and by how much."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from dpbounds.budgets.zcdp.range_limited import slope_of
from dpbounds.numbers import exact
from dpbounds.plots.style import COLOURS, looks, styled_figure, styled_panels
from dpbounds.renyi.curves import PoissonGaussianCurve

_SHORT = 10**6  # denominators of the points where a picture is evaluated


def largest_order(sigma: exact.Number, q: exact.Number, slack: int = 1) -> float:
    """σ² log(1/(qσ)) + slack, the end of the range of orders; `slack` is 1 in print.

    >>> round(largest_order(1, "1/16"), 4)
    3.7726
    """
    noise = float(exact.rational(sigma))
    return -(noise**2) * math.log(float(exact.rational(q)) * noise) + slack


def ratio_over_orders(points: Sequence[tuple[exact.Number, exact.Number]], *, beyond: float = 1.3) -> Any:
    """D_α·σ²/(αq²) over α, certified, for several (σ, q); the dot is the end of the printed range of orders.

    Args:
        points: σ and q.
        beyond: how far to draw, as a multiple of that end.

    >>> ratio_over_orders([(1, "1/21")]).axes[0].get_ylabel()
    'divergence / (αq²/σ²)'
    """
    with styled_figure("Divergence over bound", "order / largest order of the range", "divergence / (αq²/σ²)") as (figure, axes):
        for (sigma, q), look in zip(points, looks(), strict=False):
            curve, end = PoissonGaussianCurve(sigma, q), largest_order(sigma, q)
            shares = [share for share in (0.02 * k for k in range(1, round(50 * beyond) + 1)) if share * end > 1.01]
            axes.plot(shares, [_ratio(curve, share * end) for share in shares], label=f"σ = {sigma}, q = {q}", **look)
            axes.plot([1], [_ratio(curve, end)], "o", color=look["color"])
        axes.axhline(1, color="0.4", linestyle=":", label="the bound")
        axes.set_ylim(0.4, 1.6)
    return figure


def divergence_and_bound(points: Sequence[tuple[exact.Number, exact.Number]], *, orders: int = 40) -> Any:
    """D_α, certified, and the bound αq²/σ² over the printed range of orders, one panel for each (σ, q): Figure 16 of Yu et al. 2019.

    Args:
        points: σ and q.
        orders: how many orders are drawn.

    >>> len(divergence_and_bound([(1, "0.01"), (4, "0.01")], orders=3).axes)
    2
    """
    with styled_panels([(f"σ = {sigma}, q = {q}", "order α", "Rényi divergence") for sigma, q in points]) as (figure, axes):
        for panel, (sigma, q) in zip(axes, points, strict=True):
            curve, end = PoissonGaussianCurve(sigma, q), largest_order(sigma, q)
            alphas = [Fraction(1 + (end - 1) * k / orders).limit_denominator(_SHORT) for k in range(1, orders + 1)]
            slope = exact.rational(q) ** 2 / exact.rational(sigma) ** 2
            panel.plot(
                alphas,
                [curve.certified_divergence(alpha, 4).upper_float for alpha in alphas],
                color=COLOURS[0],
                label="divergence, certified",
            )
            panel.plot(alphas, [float(alpha * slope) for alpha in alphas], color=COLOURS[1], linestyle="--", label="bound αq²/σ²")
            panel.ticklabel_format(axis="y", style="sci", scilimits=(0, 0), useMathText=True)
    return figure


def ratio_region(sigmas: Sequence[exact.Number], inverse_rates: Sequence[exact.Number], refuted: tuple[exact.Number, exact.Number]) -> Any:
    """The largest D_α·σ²/(αq²) over the range of orders, for each σ and 1/(qσ).

    On the left the printed range, on the right the range without its "+1".

    Args:
        sigmas: σ.
        inverse_rates: 1/(qσ).
        refuted: σ and q of a counterexample, marked on the left.

    >>> len(ratio_region([1, "1.1"], [16, 40], (1, "1/21")).axes) >= 2
    True
    """
    names = ("α ≤ σ² log(1/(qσ)) + 1", "α ≤ σ² log(1/(qσ))")
    x, y = ([float(exact.rational(value)) for value in values] for values in (sigmas, inverse_rates))
    levels = [0.7, 0.8, 0.9, 1, 1.05, 1.1, 1.16]
    with styled_panels([(name, "σ", "1/(qσ)") for name in names]) as (figure, axes):
        for panel, slack in zip(axes, (1, 0), strict=True):
            ratios = [[_supremum(exact.rational(s), exact.rational(m), slack) for s in sigmas] for m in inverse_rates]
            drawn = panel.contourf(x, y, ratios, levels=levels, cmap="cividis", extend="both")
            panel.contour(x, y, ratios, levels=[1], colors=COLOURS[1], linewidths=2)
            panel.set_yscale("log")
            panel.grid(False)
        figure.colorbar(drawn, ax=axes, label="largest divergence / bound")
        sigma, q = (exact.rational(value) for value in refuted)
        left = axes[0]
        left.plot(
            [float(sigma)],
            [float(1 / (q * sigma))],
            "X",
            color=COLOURS[1],
            markersize=9,
            clip_on=False,
            label=f"refuted: σ = {sigma}, q = {q}",
        )
        left.axvline(1.12, color="white", linestyle="--", label="repair A: σ ≥ 1.12")
        left.axhline(70, color="white", linestyle=":", label="repair B: q ≤ 1/(70σ)")
        left.legend(fontsize=8, loc="upper right", facecolor="0.35", labelcolor="white", frameon=True, framealpha=0.8)
    return figure


def _ratio(curve: PoissonGaussianCurve, order: float) -> float:
    alpha = Fraction(order).limit_denominator(_SHORT)
    return curve.certified_divergence(alpha, 4).upper_float * float(
        exact.rational(curve.sigma) ** 2 / (alpha * exact.rational(curve.q) ** 2)
    )


def _supremum(sigma: Any, inverse: Any, slack: int) -> float:
    q = 1 / (inverse * sigma)
    end = Fraction(largest_order(sigma, q, slack)).limit_denominator(_SHORT)
    return slope_of(sigma, q, end, 2).upper_float * float((sigma / q) ** 2)
