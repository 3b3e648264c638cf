"""Schedules of noise at one budget, and one curvature with any steps: random schedules."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

HEADING = "Does decaying noise help?"
QUICK, FULL = 1000, 200_000
TOLERANCE = 1e-9


def two_curvatures(sizes: np.ndarray) -> tuple[float, np.ndarray]:
    """Curvatures 1 and 1/10, squared distances 1 and 100: what steps of these sizes leave of the start, and the weight of each noise."""
    curvature, distance = np.array([[1.0], [0.1]]), np.array([1.0, 100.0])
    shrink = 1 - curvature * sizes
    later = np.cumprod(np.concatenate([np.ones((2, 1)), shrink[:, :0:-1]], axis=1), axis=1)[:, ::-1]
    left = (curvature[:, 0] * shrink.prod(axis=1) ** 2 * distance).sum()
    return float(left), np.sqrt((curvature * (sizes * later) ** 2).sum(axis=0))


def margins(rng: np.random.Generator, many: int, false: bool = False) -> Iterator[np.ndarray]:
    """Noise over (Σv)²/(2ρ); the best schedule; risk over D/(1 + 2ρD); false: 11/10 of the bounds."""
    part = 1.1 if false else 1.0
    for steps in (1, 2, 3, 8):
        weights, variances = rng.exponential(size=(many, steps)), rng.exponential(size=(many, steps)) + 0.01
        rho = (1 / (2 * variances)).sum(axis=1)
        least = weights.sum(axis=1) ** 2 / (2 * rho)
        yield (weights**2 * variances).sum(axis=1) / least - part
        best = weights.sum(axis=1, keepdims=True) / (2 * rho[:, None] * weights)
        yield 1e-9 - np.abs((1 / (2 * best)).sum(axis=1) / rho - 1)
        yield (weights**2 * best).sum(axis=1) / least - part
        shrink = rng.uniform(-1, 1, (many, steps))  # contractions 1 − η of steps of any size
        later = np.cumprod(np.concatenate([np.ones((many, 1)), shrink[:, :0:-1]], axis=1), axis=1)[:, ::-1]
        start = rng.exponential(size=many) * 10
        risk = start * shrink.prod(axis=1) ** 2 + (((1 - shrink) * later) ** 2 * variances).sum(axis=1)
        yield risk / (start / (1 + 2 * rho * start)) - part
    left, added = two_curvatures(np.array([10, 5, 3, 1, 0.5]))
    yield np.array([0.077 - left - 5 / 200 * (added**2).sum()])
    for count, size, most in ((12, 8 / 5, 0.29), (30, 11 / 10, 0.09)):
        left, added = two_curvatures(np.full(count, size))
        yield np.array([most - left - added.sum() ** 2 / 200])
    for _ in range(many // 20):
        count = int(rng.choice([rng.integers(1, 13), rng.integers(13, 400)]))
        left, added = two_curvatures(np.full(count, rng.uniform(0.01, 2)))
        yield np.array([left + count / 200 * (added**2).sum() - (0.42 if count <= 12 else 0.15)])
