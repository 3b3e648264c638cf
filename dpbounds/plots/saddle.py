"""The saddle of the contour integral: one picture for the Chernoff bound and for the exact δ.

δ(ε) = (1/2πi) ∫_{Re z=c} M(z) e^{−εz}/(z(z+1)) dz. On the real line |integrand| is the Chernoff bound divided by z(z+1) and has a
minimum; along the vertical line through it the integrand is largest there.
"""

from __future__ import annotations

import math
from typing import Any

from dpbounds.accounting import delta
from dpbounds.mechanisms import Gaussian, PoissonSampling, Repeated, Sampled
from dpbounds.numbers.exact import Number, number
from dpbounds.plots.style import looks, styled_figure


def saddle_landscape(
    sigma: Number, q: Number, steps: int, epsilon: Number, *, width: float = 2.0, height: float = 2.0, points: int = 160, title: str = ""
) -> Any:
    """log₁₀ of |M(z)^k e^{−εz}/(z(z+1))| over the right half plane, with the vertical line through the saddle (float64, a picture only).

    Args:
        sigma, q: of the Poisson-sampled Gaussian, record removed.
        steps: k.
        epsilon: ε.
        width: how far to draw to the right, in multiples of the saddle.
        height: how far to draw up and down, likewise.
        points: grid points on each side.

    >>> figure = saddle_landscape("1.5", "0.01", 10_000, 1, points=16)
    >>> figure.axes[0].get_xlabel()
    'Re z'
    """
    import numpy as np
    from matplotlib.ticker import MaxNLocator

    eps, log_integrand = float(number(epsilon)), _log_integrand(sigma, q, steps, epsilon)
    saddle = _minimum(lambda x: float(log_integrand(np.array([x]))[0]))
    x = np.linspace(saddle / 20, (1 + width) * saddle, points)
    y = np.linspace(-height * saddle, height * saddle, points)
    values = log_integrand(x[None, :] + 1j * y[:, None]) / math.log(10)
    name = title or f"|integrand| around the saddle, k = {steps}, ε = {eps:g}"
    with styled_figure(name, "Re z", "Im z") as (figure, axes):
        levels = np.linspace(np.percentile(values, 2), np.percentile(values, 98), 25)
        drawn = axes.contourf(x, y, values, levels=levels, cmap="cividis", extend="both")
        figure.colorbar(drawn, ax=axes, label="log₁₀ |integrand|", ticks=MaxNLocator(6))
        axes.axvline(saddle, color="white", linestyle="--", label="contour through the saddle")
        axes.plot([saddle], [0], "o", color="#D55E00", label=f"saddle at c = {saddle:.3g}")
        axes.grid(False)
    frame = axes.get_legend().get_frame()  # light behind the letters, dark behind the line
    axes.get_legend().set_frame_on(True)
    frame.set(facecolor="0.75", edgecolor="none", alpha=0.85)
    return figure


def saddle_section(sigma: Number, q: Number, steps: int, epsilon: Number, *, width: float = 1.0, points: int = 300, title: str = "") -> Any:
    """The real line through the saddle: Chernoff bound, sharp bound and integrand at each abscissa, with the certified δ(ε) below them.

    The first two curves lie above δ(ε) at every abscissa (float64, a picture); their minima are the Legendre bound and its sharp form. The
    third is |integrand|, whose minimum is the saddle.

    Args:
        sigma, q: of the Poisson-sampled Gaussian, record removed.
        steps: k.
        epsilon: ε.
        width: how far to draw to the right, in multiples of the saddle.
        points: abscissae.

    >>> len(saddle_section("1.5", "0.01", 10_000, 1, points=16).axes[0].get_lines())
    7
    """
    import numpy as np

    log_integrand = _log_integrand(sigma, q, steps, epsilon)
    mechanism = Repeated(Sampled(Gaussian(sigma), PoissonSampling(q)), steps)
    exact = delta(mechanism, epsilon, digits=6, direction="remove").enclosure
    saddle = _minimum(lambda x: float(log_integrand(np.array([x]))[0]))
    x = np.linspace(saddle / 20, (1 + width) * saddle, points)
    integrand = log_integrand(x)
    chernoff = integrand + np.log(x * (x + 1))
    sharp = chernoff + x * np.log(x) - (1 + x) * np.log1p(x)
    name = title or f"One picture: bound, saddle and exact value, k = {steps:,}, ε = {float(number(epsilon)):g}"
    with styled_figure(name, "abscissa c", "log₁₀") as (figure, axes):
        labels = ("Chernoff bound M(c)ᵏ e^(−cε)", "with the sharp constant", "|integrand| at c")
        for label, values, look in zip(labels, (chernoff, sharp, integrand), looks(), strict=False):
            lowest = int(np.argmin(values))
            axes.plot(x, values / math.log(10), label=label, **look)
            axes.plot([x[lowest]], [values[lowest] / math.log(10)], "o", color=look["color"])
        level = math.log10(exact.upper_float)
        axes.axhline(level, color="black", linewidth=1.2, label=f"exact δ(ε), certified: {exact.upper_float:.4g}")
        top = float(chernoff[-1]) / math.log(10)
        low = min(level, float(integrand.min()) / math.log(10))
        axes.set_ylim(low - 0.1 * (top - low), top)
    return figure


def _log_integrand(sigma: Number, q: Number, steps: int, epsilon: Number) -> Any:
    """log|M(z)^k e^{−εz}/(z(z+1))| of the Poisson-sampled Gaussian, record removed, as a function of arrays of z (float64)."""
    import numpy as np

    noise, rate, eps = (float(number(value)) for value in (sigma, q, epsilon))
    nodes = np.linspace(-9 * noise, 9 * noise + 60 / noise, 1200)
    log_weight = -(nodes**2) / (2 * noise**2) + math.log((nodes[1] - nodes[0]) / (noise * math.sqrt(2 * math.pi)))
    loss = np.logaddexp(math.log1p(-rate), math.log(rate) + (2 * nodes - 1) / (2 * noise**2))

    def log_moment(z: Any) -> Any:
        size = np.outer(1 + z.real, loss) + log_weight
        peak = size.max(axis=1)
        return peak + np.log(np.abs(np.exp(size - peak[:, None] + 1j * np.outer(z.imag, loss)).sum(axis=1)))

    def log_integrand(z: Any) -> Any:
        flat = np.asarray(z, dtype=complex).ravel()
        moments = np.concatenate([log_moment(part) for part in np.array_split(flat, max(1, flat.size // 2000))])
        return (steps * moments - eps * flat.real - np.log(np.abs(flat * (flat + 1)))).reshape(np.shape(z))

    return log_integrand


def _minimum(f: Any) -> float:
    """The minimiser of a convex function on (0, ∞): bracket by doubling, then golden sections."""
    high = 1e-3
    while f(2 * high) < f(high) and high < 1e6:
        high *= 2
    low, high = high / 2, 2 * high
    ratio = (math.sqrt(5) - 1) / 2
    for _ in range(60):
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, b) if f(a) < f(b) else (a, high)
    return (low + high) / 2
