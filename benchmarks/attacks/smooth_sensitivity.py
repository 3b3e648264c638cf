"""C5 and C6 of PATE from the bound of the published code, β(q) of order λ and noise σ, and what one answer moves q by."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from mpmath import erfc, exp, log, mpf, sqrt, workdps

HEADING = "Smooth sensitivity of PATE: one condition always holds"
QUICK, FULL = 60, 6000
TOLERANCE = 0.0


def beta(q: mpf, sigma: mpf, order: mpf) -> mpf:
    """The data-dependent bound: μ₂ = σ√(log 1/q), μ₁ = μ₂ + 1, ε_i = μ_i/σ²."""
    second = sigma * sqrt(log(1 / q))
    inner = (1 - q) / (1 - (q * exp(second / sigma**2)) ** (1 - 1 / second))
    outer = exp((second + 1) / sigma**2) * q ** (-1 / second)
    return log((1 - q) * inner ** (order - 1) + q * outer ** (order - 1)) / (order - 1)


def margins(rng: np.random.Generator, many: int, false: bool = False) -> Iterator[np.ndarray]:
    """β does not fall in q where d = √(log 1/q) − 1/σ >= 1 and (λ−1)/σ <= d + 1/σ; C6 fails; false: C6 holds."""
    with workdps(60):
        for _ in range(many):
            u, least = mpf(10 ** rng.uniform(-2.5, 1)), 1 + mpf(rng.exponential() * rng.choice([1e-3, 0.1, 1, 3]))
            order = 1 + mpf(rng.choice([1e-3, 0.1, 0.9, 1])) * (least + u) / u
            low, high = exp(-((least * (1 + mpf(rng.choice([1e-6, 1e-2, 1]))) + u) ** 2)), exp(-((least + u) ** 2))
            yield np.array([float(beta(high, 1 / u, order) - beta(low, 1 / u, order))])
        gaps = []
        for y in (3, mpf("2.84")):  # q = 9Φ(−y) is 0.0121 and 0.0203, for 10 classes
            q, above = (mpf(9) / 2 * erfc((y - change) / sqrt(2)) for change in (0, sqrt(2) / 4))
            gaps.append(beta(above, mpf(4), mpf(5)) - beta(q, mpf(4), mpf(5)))
        yield np.array([float(gaps[1] - gaps[0] if false else gaps[0] - gaps[1])] * 2)
