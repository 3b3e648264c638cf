"""δ at σ = s·q along sampling rates: both refutations, and the table of settings of practice, by FFT."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.attacks.tools import gaussian, sampled

HEADING = "Effective noise does not always fall"
TABLE = [(10, 20, 0.5), (100, 20, 2.0), (1000, 50, 1.0), (10_000, 200, 0.5)]
QUICK, FULL = 0, len(TABLE)
TOLERANCE = 1e-6


def delta(epsilon: float, ratio: float, rate: float, steps: int) -> float:
    """δ of removing a record at σ = ratio·rate."""
    if rate == 1:
        return float(gaussian(epsilon, np.sqrt(steps) / ratio))
    return float(sampled(np.array([epsilon]), ratio * rate, rate, steps)[0][0])


def margins(rng: np.random.Generator, many: int, false: bool = False) -> Iterator[np.ndarray]:
    """δ rises at the two refutations, by their figures, and falls in the table; false: it falls."""
    one, many_steps = (delta(0.01, 20, 1 / 40, 1), delta(0.01, 20, 1 / 20, 1)), (delta(4, 2, 0.75, 100), delta(4, 2, 1, 100))
    sign = -1 if false else 1
    yield sign * np.array([one[1] / one[0] - 1, many_steps[1] / many_steps[0] - 1])
    figures = ((one[0], 0.01567), (one[1], 0.01636), (many_steps[0], 0.92597), (many_steps[1], 0.92904))
    yield np.array([1e-3 - abs(found / printed - 1) for found, printed in figures for _ in range(2)])
    for steps, ratio, epsilon in TABLE[:many]:
        values = np.array([delta(epsilon, ratio, rate, steps) for rate in (0.05, 0.1, 0.2, 0.5, 1)])
        yield values[:-1] / np.maximum(values[1:], 1e-300) - 1 if values[-1] > 1e-6 else np.zeros(1)
