"""D_α ≤ α·KL of k-ary randomized response for k ≤ k*(ε), at random k, α and ε."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

HEADING = "k-ary randomized response is as private"
QUICK, FULL = 2000, 200_000
TOLERANCE = 1e-9


def ratio(k: np.ndarray, epsilon: np.ndarray, t: np.ndarray) -> np.ndarray:
    """D_α/(α·KL) at α = 1 + t."""
    least = 1 / (np.exp(epsilon) + k - 1)
    excess = least * np.expm1(t * epsilon) * np.exp(epsilon) * -np.expm1(-(1 + t) * epsilon)
    return np.asarray(np.log1p(excess) / t / ((1 + t) * epsilon * np.expm1(epsilon) * least))


def margins(rng: np.random.Generator, many: int, false: bool = False) -> Iterator[np.ndarray]:
    """1 − D_α/(α·KL); false: twice k*, and orders near 1."""
    epsilon = rng.uniform(0.05, 8, many)
    v = epsilon / 2
    most = 1 + np.exp(v) * (2 * v * np.sinh(v) ** 2 / (v * np.cosh(v) - np.sinh(v)) - np.exp(v))
    k = 2 * most if false else rng.uniform(2, most)
    t = 10 ** rng.uniform(-3, -1 if false else 1.5, many)
    yield 1 - ratio(k, epsilon, t)
    if not false:  # k >= 7 at ε = 1/3 and α = 4: never
        yield ratio(np.arange(7, 7 + 2 * many), np.array(1 / 3), np.array(3)) - 1
