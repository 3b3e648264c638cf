"""Discrete against continuous Gaussian noise: total variation at random σ, and the shifts and factors of the table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr

from benchmarks.attacks.tools import gaussian

HEADING = "Discrete Gaussian noise is never as private"
QUICK, FULL = 100, 20_000
TOLERANCE = 1e-9
TABLE = {0.5: (5 / 6, 43 / 20), 0.75: (3 / 10, 19 / 10), 1.0: (3 / 20, 19 / 10), 1.5: (1 / 14, 2.0)}
X = np.arange(-200, 202)


def discrete(epsilon: float, sigma: float) -> float:
    """δ of discrete Gaussian noise at sensitivity 1."""
    mass, other = np.exp(-(X**2) / (2 * sigma**2)), np.exp(-((X - 1) ** 2) / (2 * sigma**2))
    return float(np.maximum(mass - np.exp(epsilon) * other, 0).sum() / mass.sum())


def margins(rng: np.random.Generator, many: int, false: bool = False) -> Iterator[np.ndarray]:
    """Larger at ε = 0, by at most 1.1681; the table; growth at σ = 1; false: a factor of 1.16 at σ near 0.42."""
    noises = rng.uniform(0.4, 0.45, many) if false else 10 ** rng.uniform(-1.1, 1.2, many)
    ratio = np.array([discrete(0, s) for s in noises]) / (2 * ndtr(1 / (2 * noises)) - 1)
    yield np.concatenate([ratio - 1, (1.16 if false else 1.1681) - ratio])
    yield np.array([discrete(0, 0.424855765) / (2 * ndtr(1 / (2 * 0.424855765)) - 1) - 1.168])
    for sigma, (shift, factor) in TABLE.items():
        for epsilon in rng.uniform(0, 5, many // 10):
            plain = gaussian(epsilon, 1 / sigma)
            yield np.array([1 - discrete(epsilon + shift, sigma) / plain, factor - discrete(epsilon, sigma) / plain])
    yield np.array([discrete(n + 0.5 - 1 / n, 1) / gaussian(n + 0.5 - 1 / n, 1.0) / (n / 3) - 1 for n in range(3, 12)])
