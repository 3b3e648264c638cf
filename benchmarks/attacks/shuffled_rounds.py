"""δ(0) of one epoch of M rounds from E|L − 1| as a Fourier integral of the characteristic function of a lognormal variable."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.attacks.tools import mean_excess

HEADING = "One epoch of shuffled DP-SGD needs 2,730 rounds"
ROUNDS = {4.0: 103, 2.0: 452, 1.0: 2730, 0.75: 7763, 0.5: 78_268}
QUICK, FULL = 2, 5
TOLERANCE = 0.0


def margins(rng: np.random.Generator, many: int, false: bool = False) -> Iterator[np.ndarray]:
    """The number of rounds suffices, one less does not, the closed form √v/2 is above; false: one less suffices."""
    for sigma, least in list(ROUNDS.items())[:many]:
        enough, short = mean_excess(0, sigma, least), mean_excess(0, sigma, least - 1)
        closed = np.sqrt(np.expm1(sigma**-2) / least) / 2
        yield np.array(
            [1 - 100 * enough, (1 if false else -1) * (1 - 100 * short), closed / enough - 1, 1.32 - closed / enough, short - enough]
        )
