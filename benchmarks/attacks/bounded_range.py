"""Random tables with losses in a range of length ε against the μ of the exponential mechanism."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import expit, ndtri

HEADING = "In GDP the exponential mechanism with ε costs"
QUICK, FULL = 300, 50_000
TOLERANCE = 1e-9


def margins(rng: np.random.Generator, many: int, false: bool = False) -> Iterator[np.ndarray]:
    """μ less what each best test needs; false: 99/100 of μ."""
    for _ in range(many):
        epsilon, size = rng.uniform(0.05, 12), rng.integers(2, 7)
        ratio = np.exp(rng.choice([0, epsilon], size) if rng.random() < 0.7 else rng.uniform(0, epsilon, size))
        second = rng.dirichlet(np.full(size, rng.choice([0.5, 1, 5])))
        first = second * ratio / (second @ ratio)
        order = np.argsort(-ratio)
        power, level = np.cumsum(first[order])[:-1], np.cumsum(second[order])[:-1]
        good = (level > 1e-12) & (power < 1 - 1e-12)
        mu = 2 * ndtri(expit(epsilon / 2)) * (0.99 if false else 1)
        yield mu - (ndtri(power) - ndtri(level))[good]
        level = expit(-epsilon / 2)  # attained by two answers
        yield np.array([mu - (ndtri(1 - level) - ndtri(level)), np.sqrt(np.pi / 8) * epsilon - mu])
