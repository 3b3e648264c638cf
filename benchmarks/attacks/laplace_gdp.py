"""Laplace noise and ε-DP against μ-GDP: error rates at random thresholds, and random tables under ε-DP."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import ndtri

HEADING = "Laplace noise of scale 1/ε is μ-GDP"
QUICK, FULL = 40, 4000
TOLERANCE = 1e-9


def needed(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The μ that the error rates of each best test of two tables need."""
    order = np.argsort(-first / second)
    power, level = np.cumsum(first[order])[:-1], np.cumsum(second[order])[:-1]
    return ndtri(power) - ndtri(level)


def margins(rng: np.random.Generator, many: int, false: bool = False) -> Iterator[np.ndarray]:
    """What μ has over what the tests need; false: 99/100 of it."""
    part = 0.99 if false else 1.0
    for epsilon in rng.uniform(0.01, 20, many):
        mu = -2 * ndtri(np.exp(-epsilon / 2) / 2) * part
        x = np.concatenate([[0.5], rng.uniform(-0.5, 1.5, 62)])  # accept above x; the means are 0 and 1
        level = np.where(x > 0, np.exp(-epsilon * x) / 2, 1 - np.exp(epsilon * x) / 2)
        missed = np.where(x < 1, np.exp(epsilon * (x - 1)) / 2, 1 - np.exp(-epsilon * (x - 1)) / 2)
        yield mu + ndtri(level) + ndtri(missed)
        pure = -2 * ndtri(1 / (1 + np.exp(epsilon))) * part
        yield np.array([np.sqrt(np.pi / 2) * epsilon - pure, pure + 2 * ndtri(1 / (1 + np.exp(epsilon)))])
        size = rng.integers(2, 8)
        second, raised = rng.dirichlet(np.ones(size)), rng.random(size) < 0.5
        first = second * np.exp(np.where(raised, epsilon, 0) * rng.choice([1, rng.random()]))
        first /= first.sum()
        spread = np.log(first / second)
        if np.abs(spread).max() <= epsilon:
            yield pure - np.nan_to_num(needed(first, second), nan=0.0)
