"""Privacy curves: δ(ε), ε(k), ε(δ) and Rényi divergence, of several mechanisms on one picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dpbounds.accounting import delta
from dpbounds.mechanisms import Mechanism, Repeated
from dpbounds.numbers.balls import Enclosure
from dpbounds.numbers.exact import Number, number
from dpbounds.plots.style import looks, styled_figure
from dpbounds.renyi import renyi_divergence

_DIGITS = 6


def certified_band(axes: Any, x: Sequence[float], enclosures: Sequence[Enclosure], label: str, **look: Any) -> None:
    """Draw enclosures over x: the band between their ends and a line through its middle.

    Args:
        axes: matplotlib axes.
        x: abscissae.
        enclosures: one for each abscissa.
        label: for the legend.
        look: colour and line style.
    """
    low, high = [e.lower_float for e in enclosures], [e.upper_float for e in enclosures]
    axes.fill_between(x, low, high, color=look.get("color"), alpha=0.25, linewidth=0)
    axes.plot(x, [(a + b) / 2 for a, b in zip(low, high, strict=True)], label=label, **look)


def delta_curves(mechanisms: Mapping[str, Mechanism], epsilons: Sequence[Number], *, direction: str = "worst", title: str = "") -> Any:
    """δ(ε) of each mechanism, certified, on a logarithmic scale.

    >>> from dpbounds.mechanisms import Gaussian
    >>> figure = delta_curves({"σ = 2": Gaussian(2)}, [0, 1, 2])
    >>> figure.axes[0].get_yscale()
    'log'
    """

    def curve(mechanism: Mechanism, value: Number) -> Enclosure:
        return delta(mechanism, value, digits=_DIGITS, direction=direction).enclosure

    return _family(mechanisms, epsilons, curve, title or "Certified privacy profiles", "ε", "δ(ε)", log_y=True)


def epsilon_over_delta(mechanisms: Mapping[str, Mechanism], deltas: Sequence[Number], *, direction: str = "worst", title: str = "") -> Any:
    """ε(δ) of each mechanism, certified, over δ on a logarithmic scale."""
    from dpbounds.accounting import epsilon

    def curve(mechanism: Mechanism, value: Number) -> Enclosure:
        return epsilon(mechanism, value, digits=_DIGITS, direction=direction).enclosure

    return _family(mechanisms, deltas, curve, title or "Certified ε for each δ", "δ", "ε(δ)", log_x=True)


def epsilon_over_steps(
    mechanisms: Mapping[str, Mechanism], steps: Sequence[int], delta: Number, *, direction: str = "worst", title: str = ""
) -> Any:
    """ε of k adaptive uses at a fixed δ, certified, over k."""
    from dpbounds.accounting import epsilon

    def curve(mechanism: Mechanism, count: Number) -> Enclosure:
        return epsilon(Repeated(mechanism, count), delta, digits=_DIGITS, direction=direction).enclosure

    return _family(mechanisms, steps, curve, title or f"Certified ε at δ = {delta}", "number of uses k", "ε", log_x=True)


def renyi_curves(
    mechanisms: Mapping[str, Mechanism],
    orders: Sequence[Number],
    bounds: Mapping[str, Callable[[float], float]] | None = None,
    *,
    direction: str = "worst",
    title: str = "",
) -> Any:
    """D_α of each mechanism, certified, with bounds drawn beside it.

    Args:
        mechanisms: label → mechanism.
        orders: orders α > 1.
        bounds: label → function of α, drawn thin and dotted.
    """

    def curve(mechanism: Mechanism, order: Number) -> Enclosure:
        return renyi_divergence(mechanism, order, digits=_DIGITS, direction=direction).enclosure

    def extra(axes: Any, x: Sequence[float]) -> None:
        for label, bound in (bounds or {}).items():
            axes.plot(x, [bound(a) for a in x], label=label, color="0.4", linestyle=":")

    title = title or "Certified Rényi divergence"
    return _family(mechanisms, orders, curve, title, "order α", "Rényi divergence", log_x=True, log_y=True, extra=extra)


def _family(
    mechanisms: Mapping[str, Mechanism],
    values: Sequence[Number],
    curve: Callable[[Mechanism, Number], Enclosure],
    title: str,
    x_label: str,
    y_label: str,
    *,
    log_x: bool = False,
    log_y: bool = False,
    extra: Callable[[Any, Sequence[float]], None] | None = None,
) -> Any:
    x = [float(number(value)) for value in values]
    with styled_figure(title, x_label, y_label) as (figure, axes):
        for (label, mechanism), look in zip(mechanisms.items(), looks(), strict=False):
            certified_band(axes, x, [curve(mechanism, value) for value in values], label, **look)
        if extra is not None:
            extra(axes, x)
        axes.set_xscale("log" if log_x else "linear")
        axes.set_yscale("log" if log_y else "linear")
    return figure
