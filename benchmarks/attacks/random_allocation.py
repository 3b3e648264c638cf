"""Random allocation against Poisson sampling, a record removed: a Fourier integral for the first, an FFT for the second."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.attacks.tools import mean_excess, sampled

HEADING = "Random allocation is not at least as private"
CROSSINGS = [(1.0, 10, 0.20, 0.21), (1.0, 100, 0.03, 0.04), (2.0, 10, 0.04, 0.05), (0.5, 100, 0.44, 0.47)]
QUICK, FULL = 1, 4
TOLERANCE = 0.0


def margins(rng: np.random.Generator, many: int, false: bool = False) -> Iterator[np.ndarray]:
    """Which is larger at both sides of each crossing, and the small-noise condition; false: turned round."""
    sign = -1 if false else 1
    for sigma, steps, worse, better in CROSSINGS[:many]:
        poisson = sampled(np.array([worse, better]), sigma, 1 / steps, steps)[0]
        yield sign * np.array(
            [mean_excess(np.expm1(worse), sigma, steps) - poisson[0], poisson[1] - mean_excess(np.expm1(better), sigma, steps)]
        )
    for _ in range(10 * many):  # 2(1 + te^ε) = e^{1/(8σ²)}: two bounds by hand
        steps, epsilon = int(rng.integers(2, 200)), rng.uniform(0, 5)
        sigma = 1 / np.sqrt(8 * np.log(2 * (1 + steps * np.exp(epsilon))))
        x = rng.normal(size=(2000, steps)) * sigma
        x[:, 0] += 1
        shown = (x.max(axis=1) > 0.5).mean() - np.exp(epsilon) * steps * np.exp(-1 / (8 * sigma**2)) / 2
        yield np.array([shown - (1 - (1 - 1 / steps) ** steps) + 4 * np.sqrt(0.25 / 2000)])
