"""Sampling and the least μ: tests on the sum of all answers at tiny false-positive rates."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import log_ndtr

HEADING = "Sampling does not lower the least μ of DP-SGD"
QUICK, FULL = 3000, 1_000_000
TOLERANCE = 0.0


def margins(rng: np.random.Generator, many: int, false: bool = False) -> Iterator[np.ndarray]:
    """log TPR ≥ k log q + log Φ(m − z) against that of μ-GDP at z = m + a; false: a of a tenth of what the condition asks for."""
    steps, rate = 10 ** rng.uniform(0, 3, many), 10 ** rng.uniform(-3, -0.01, many)
    m = np.sqrt(steps) / rng.uniform(0.5, 5, many)
    gap = m * rng.uniform(0.02, 1, many)
    need = np.maximum((steps * np.log(1 / rate) - gap**2 / 2) / gap, 0)
    a = need * (0.1 if false else 1) + (0 if false else 1e-3)
    yield (steps * np.log(rate) + log_ndtr(-a) - log_ndtr(-a - gap)) / (1 + a**2)
    if not false:  # one step, σ = 1, q = 1/100 at ε = 6: the two tails by hand
        x = np.log((np.exp(6) - 0.99) / 0.01) + 0.5
        sampled = 0.99 * np.exp(log_ndtr(-x)) + 0.01 * np.exp(log_ndtr(1 - x)) - np.exp(6 + log_ndtr(-x))
        half = np.exp(log_ndtr(0.25 - 12)) - np.exp(6 + log_ndtr(-0.25 - 12))
        yield np.array([0.01 - abs(sampled / 2.38e-27 - 1), 0.01 - abs(half / 1.42e-33 - 1)])
