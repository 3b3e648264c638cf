"""What (ε, δ) means, for one count with Gaussian noise."""

from __future__ import annotations

from typing import Any

from dpbounds.plots.style import COLOURS, styled_figure


def neighbouring_outputs(sigma: float, epsilon: float, *, title: str = "Outputs with and without the record") -> Any:
    """Densities of N(1, σ²) and N(0, σ²), and the area by which the first exceeds e^ε times the second: the least δ of that direction.

    Args:
        sigma: σ > 0.
        epsilon: ε ≥ 0.

    >>> figure = neighbouring_outputs(1, 1)
    >>> [label.get_text() for label in figure.axes[0].get_legend().get_texts()][-1]
    'area δ'
    """
    import numpy as np

    outputs = np.linspace(-3.5 * sigma, 1 + 3.5 * sigma, 600)
    with_record, without = (np.exp(-((outputs - mean) ** 2) / (2 * sigma**2)) / (np.sqrt(2 * np.pi) * sigma) for mean in (1, 0))
    allowed = np.exp(epsilon) * without
    with styled_figure(title, "output", "density") as (figure, axes):
        axes.plot(outputs, with_record, color=COLOURS[1], label="with the record: N(1, σ²)")
        axes.plot(outputs, without, color=COLOURS[0], label="without it: N(0, σ²)")
        axes.plot(outputs, allowed, color=COLOURS[0], linestyle=":", label="without it, times e^ε")
        axes.fill_between(outputs, allowed, with_record, where=with_record > allowed, color=COLOURS[1], alpha=0.35, label="area δ")
        axes.set_ylim(0, 1.5 * float(with_record.max()))
    return figure
