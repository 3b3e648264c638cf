"""The saddle of the contour integral: one picture for the Chernoff bound and for the exact δ.

δ(ε) = (1/2πi) ∫_{Re z=c} M(z) e^{−εz}/(z(z+1)) dz. On the real line |integrand| is the Chernoff bound divided by z(z+1) and has a
minimum; along the vertical line through it the integrand is largest there.
"""

from __future__ import annotations

import math
from typing import Any

from dpbounds.exact import Number, number
from dpbounds.plots.style import styled_figure


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

    saddle = _minimum(lambda x: float(log_integrand(np.array([x]))[0]))
    x = np.linspace(saddle / 20, (1 + width) * saddle, points)
    y = np.linspace(-height * saddle, height * saddle, points)
    values = log_integrand(x[None, :] + 1j * y[:, None]) / math.log(10)
    name = title or f"|integrand| around the saddle, k = {steps}, ε = {eps:g}"
    with styled_figure(name, "Re z", "Im z") as (figure, axes):
        levels = np.linspace(np.percentile(values, 2), np.percentile(values, 98), 25)
        drawn = axes.contourf(x, y, values, levels=levels, cmap="cividis", extend="both")
        figure.colorbar(drawn, ax=axes, label="log₁₀ |integrand|")
        axes.axvline(saddle, color="white", linestyle="--", label="contour through the saddle")
        axes.plot([saddle], [0], "o", color="#D55E00", label=f"saddle at c = {saddle:.3g}")
        axes.grid(False)
    return figure


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
