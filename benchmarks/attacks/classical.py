"""The classical formula for Gaussian noise at random δ and ε, and its failures just beyond."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.attacks.tools import gaussian

HEADING = "The classical formula for Gaussian noise is right"
QUICK, FULL = 3000, 1_000_000
TOLERANCE = 1e-9
RANGES = {1.0: 3.78, 1e-1: 5.74, 1e-3: 7.46, 1e-5: 8.41, 1e-6: 8.78, 1e-9: 9.62}


def left(epsilon: np.ndarray, delta: np.ndarray) -> np.ndarray:
    """What the formula's δ is under the target, as a part of it."""
    return 1 - gaussian(epsilon, epsilon / np.sqrt(2 * np.log(1.25 / delta))) / delta


def margins(rng: np.random.Generator, many: int, false: bool = False) -> Iterator[np.ndarray]:
    """The target against the δ of the formula; false: one hundredth beyond each range."""
    for most, end in RANGES.items():
        below = most * 10 ** -rng.uniform(0, rng.choice([0.5, 3, 30]), many)
        yield left(rng.uniform(0.01, end, many), below)
        grid = most * 10 ** -np.linspace(0, 3, 3001)
        beyond = left(np.full(3001, end + 0.01), grid)
        yield beyond if false else np.array([-beyond.min()])
