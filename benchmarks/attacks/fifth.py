"""(ε/5)-GDP: TPR/FPR against e^ε at random false-positive rates, and the ranges of the table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import log_ndtr, ndtri

from benchmarks.attacks.tools import gaussian

HEADING = "Reporting μ = ε/5 promises as much as ε"
QUICK, FULL = 3000, 1_000_000
TOLERANCE = 1e-9
DIVISORS = {1e-5: 4.4788, 1e-4: 3.9585, 1e-3: 3.3671, 1e-2: 2.6653, 1e-1: 1.755}
PROFILE = {1e-6: (5.86, 5.87), 1e-5: (10.01, 10.02), 1e-4: (14.96, 14.97)}


def margins(rng: np.random.Generator, many: int, false: bool = False) -> Iterator[np.ndarray]:
    """ε − log(TPR/FPR); false: at rates below 7.657e-7."""
    rate = 10 ** rng.uniform(-9, -6.2, many) if false else 10 ** rng.uniform(np.log10(7.67e-7), 0, many)
    z, epsilon = ndtri(rate), rng.uniform(0.01, 60, many)
    yield epsilon - log_ndtr(z + epsilon / 5) + log_ndtr(z)
    if false:
        return
    for least, divisor in DIVISORS.items():
        z = ndtri(10 ** rng.uniform(np.log10(least), 0, many // 5))
        yield epsilon[: z.size] - log_ndtr(z + epsilon[: z.size] / divisor) + log_ndtr(z)
        slope = np.exp(-(ndtri(least) ** 2) / 2 - log_ndtr(ndtri(least))) / np.sqrt(2 * np.pi)
        yield np.array([slope / (divisor - 1e-4) - 1])  # small ε: the last digit is needed
    z = ndtri(10 ** rng.uniform(-9, np.log10(7.659e-7), 20))
    yield np.exp(-(z**2) / 2 - log_ndtr(z)) / np.sqrt(2 * np.pi) / 5 - 1  # smaller rates fail at small ε
    for delta, (right, wrong) in PROFILE.items():
        below = rng.uniform(0.01, right, many // 10)
        yield 1 - gaussian(below, below / 5) / delta
        yield np.array([gaussian(wrong, wrong / 5) / delta - 1])
    recall = rng.uniform(0.01, 47.3, many // 10)
    yield recall + log_ndtr(-recall / 5) - np.log(0.5)
    yield np.array([np.log(0.5) - 47.4 - log_ndtr(-47.4 / 5)])
