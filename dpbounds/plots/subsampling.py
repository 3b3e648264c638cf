"""Poisson sampling: the exact Rényi divergence, the bounds for every mechanism, and what they give after composition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from dpbounds import accounting
from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled
from dpbounds.numbers import exact
from dpbounds.plots.style import COLOURS, looks, styled_figure, styled_panels
from dpbounds.renyi.amplification import zhu_wang_lower_of, zhu_wang_upper_of
from dpbounds.renyi.conversions import sharp_epsilon_of
from dpbounds.renyi.curves import GaussianCurve, PoissonGaussianCurve

_DIGITS = 6


def phase_change(sigma: exact.Number, q: exact.Number) -> float:
    """2σ² log(1/q): from about this order on, the case that the record takes part in all α factors of the moment outweighs the others.

    The last term of Σ_j C(α,j) q^j (1−q)^{α−j} e^{j(j−1)/2σ²} is q^α e^{α(α−1)/2σ²}, which passes 1 at α = 1 + 2σ² log(1/q).

    >>> round(phase_change(1, "0.001"), 1)
    13.8
    """
    return -2 * float(exact.rational(sigma)) ** 2 * math.log(float(exact.rational(q)))


def sampling_regimes(settings: Sequence[tuple[exact.Number, exact.Number, Sequence[int]]]) -> Any:
    """D_α of the Poisson-sampled Gaussian and its bounds over α, one panel for each (σ, q, orders).

    Exact value, lower bound, bound without and with the factor 3, no sampling, and the order of the phase change.

    Args:
        settings: σ, q and integer orders ≥ 2 of each panel.

    >>> [panel.get_xscale() for panel in sampling_regimes([(1, "0.001", [2, 16])]).axes]
    ['log']
    """
    panels = [(f"σ = {sigma}, q = {q}", "order α", "Rényi divergence") for sigma, q, _ in settings]
    with styled_panels(panels) as (figure, axes):
        for panel, (sigma, q, orders) in zip(axes, settings, strict=True):
            base, curve = GaussianCurve(sigma), PoissonGaussianCurve(sigma, q)
            panel.plot(
                orders, [base.certified_divergence(a, _DIGITS).upper_float for a in orders], color="0.6", linestyle=":", label="no sampling"
            )
            with_three = [zhu_wang_upper_of(base, q, a, 3, _DIGITS).upper_float for a in orders]
            without = [zhu_wang_upper_of(base, q, a, 1, _DIGITS).upper_float for a in orders]
            panel.plot(orders, with_three, color=COLOURS[1], linestyle="--", label="bound with the factor 3")
            panel.plot(orders, without, color=COLOURS[5], linewidth=5, alpha=0.6, label="bound without it")
            panel.plot(
                orders, [curve.certified_divergence(a, _DIGITS).upper_float for a in orders], color=COLOURS[6], linewidth=1, label="exact"
            )
            some = orders[:: max(1, len(orders) // 12)]
            lower = [zhu_wang_lower_of(base, q, a, _DIGITS).lower_float for a in some]
            panel.plot(some, lower, "o", color=COLOURS[6], markersize=3.5, label="lower bound")
            panel.axvline(phase_change(sigma, q), color=COLOURS[2], linewidth=1, label="2σ² log(1/q)")
            panel.set_xscale("log")
            panel.set_yscale("log")
    return figure


def cost_of_three(settings: Sequence[tuple[exact.Number, exact.Number, Sequence[int]]]) -> Any:
    """What the factor 3 costs: bound with it over exact divergence, with the order in units of 2σ² log(1/q).

    >>> cost_of_three([(1, "0.001", [2, 3, 16])]).axes[0].get_ylabel()
    'bound / exact'
    """
    with styled_figure("What the factor 3 costs", "order / (2σ² log(1/q))", "bound / exact") as (figure, axes):
        for (sigma, q, orders), look in zip(settings, looks(), strict=False):
            base, curve = GaussianCurve(sigma), PoissonGaussianCurve(sigma, q)
            ratios = [
                zhu_wang_upper_of(base, q, a, 3, _DIGITS).upper_float / curve.certified_divergence(a, _DIGITS).lower_float for a in orders
            ]
            axes.plot([a / phase_change(sigma, q) for a in orders], ratios, label=f"σ = {sigma}, q = {q}", **look)
        axes.axvline(1, color="0.5", linestyle=":")
        axes.set_xscale("log")
        axes.set_yscale("log")
    return figure


def sampled_epsilon_over_steps(
    settings: Sequence[tuple[exact.Number, exact.Number]], steps: Sequence[int], delta: exact.Number, orders: Sequence[int]
) -> Any:
    """ε of k steps at a fixed δ: by the bound with the factor 3, by the bound without it, and exactly; one panel for each (σ, q).

    Args:
        settings: σ and q of each panel.
        steps: k.
        delta: δ.
        orders: integer orders among which the bounds choose.

    >>> len(sampled_epsilon_over_steps([(1, "0.01")], [1000, 3000], "1e-5", [2, 8]).axes)
    1
    """
    panels = [(f"σ = {sigma}, q = {q}, δ = {delta}", "steps k", "ε") for sigma, q in settings]
    with styled_panels(panels) as (figure, axes):
        for panel, (sigma, q) in zip(axes, settings, strict=True):
            base, step = GaussianCurve(sigma), Sampled(Gaussian(sigma), PoissonSampling(q))
            for factor, label, look in (
                (3, "Rényi, with the factor 3", {"color": COLOURS[1], "linestyle": "--"}),
                (1, "Rényi, without it", {"color": COLOURS[0]}),
            ):
                bounds = [exact.rational(zhu_wang_upper_of(base, q, a, factor, _DIGITS).upper) for a in orders]
                panel.plot(steps, [_least_epsilon(orders, bounds, k, delta) for k in steps], label=label, **look)
            truth = [accounting.epsilon(Repeated(step, k), delta, digits=4).enclosure.upper_float for k in steps]
            panel.plot(steps, truth, color=COLOURS[6], linestyle=":", label="exact")
            panel.set_xscale("log")
            panel.set_yscale("log")
    return figure


def _least_epsilon(orders: Sequence[int], bounds: Sequence[Any], steps: int, delta: exact.Number) -> float:
    found = (sharp_epsilon_of(a, steps * bound, delta, _DIGITS).upper_float for a, bound in zip(orders, bounds, strict=True))
    return min(found)
