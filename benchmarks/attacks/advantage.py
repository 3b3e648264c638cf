"""The advantage under ρ-zCDP: random pairs of tables, ρ the larger of their divergences of order 1."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

HEADING = "The best attack on a ρ-zCDP mechanism"
QUICK, FULL = 3000, 500_000
TOLERANCE = 1e-7


def largest(rho: np.ndarray, part: float) -> np.ndarray:
    """tanh(ε/2) with ε tanh(ε/2) = ρ, by Newton's method."""
    epsilon = np.sqrt(2 * rho) + rho
    for _ in range(60):
        t = np.tanh(epsilon / 2)
        epsilon -= (epsilon * t - rho) / (t + epsilon * (1 - t * t) / 2)
    return part * np.tanh(epsilon / 2)


def margins(rng: np.random.Generator, many: int, false: bool = False) -> Iterator[np.ndarray]:
    """The bound less the advantage; false: 99/100 of the bound."""
    part = 0.99 if false else 1.0
    for size in (2, 3, 5):
        first = rng.dirichlet(np.full(size, rng.choice([0.4, 1, 4])), many) + 1e-12
        second = rng.dirichlet(np.ones(size), many) + 1e-12
        loss = np.log(first / second)
        rho = np.maximum((first * loss).sum(axis=1), -(second * loss).sum(axis=1))
        yield largest(rho, part) - np.abs(first - second).sum(axis=1) / 2
    epsilon = rng.uniform(0.01, 8, many)  # randomized response attains it
    rho = epsilon * np.tanh(epsilon / 2)
    yield largest(rho, part) - np.tanh(epsilon / 2)
    yield np.sqrt(rho / 2) - largest(rho, 1.0)
