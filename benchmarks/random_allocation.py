"""Time and digits of random allocation over a stratified grid: `python -m benchmarks.random_allocation [COUNT]`.

Steps of an epoch from 2 to 10⁶, epochs from 1 to 10⁴, σ from 0.3 to 20, δ from 10⁻³ to 10⁻⁵⁰: the corners first, then points drawn
one from each cell of a Latin hypercube. ε is about where δ (record removed) has the size asked for.
"""

from __future__ import annotations

import itertools
import json
import math
import random
import resource
import sys
import time
from collections.abc import Iterator
from fractions import Fraction

from dpbounds.accounting import delta
from dpbounds.accounting.allocation.allocation_delta import approx_epsilon
from dpbounds.errors import DPBoundsError
from dpbounds.laws.normal_form import elements_of
from dpbounds.mechanisms import Direction, Gaussian, RandomAllocation, Repeated, Sampled
from dpbounds.mechanisms.pairs import dominating_pairs

BINS, EPOCHS, SIGMA, DIGITS = (2.0, 1e6), (1.0, 1e4), (0.3, 20.0), (3.0, 50.0)
LIMIT = 2 * 1024**3


def points(count: int = 200, seed: int = 7) -> Iterator[tuple[int, int, Fraction, int]]:
    """(bins, epochs, sigma, −log₁₀ δ): 16 corners, then a Latin hypercube."""
    corners = list(itertools.product(BINS, EPOCHS, SIGMA, DIGITS))
    yield from (_rounded(*corner) for corner in corners[:count])
    rest = count - len(corners)
    if rest <= 0:
        return
    source = random.Random(seed)
    columns = []
    for low, high in (BINS, EPOCHS, SIGMA, DIGITS):
        cells = [(index + source.random()) / rest for index in range(rest)]
        source.shuffle(cells)
        columns.append([low * (high / low) ** cell for cell in cells])
    yield from (_rounded(*row) for row in zip(*columns, strict=True))


def _rounded(bins: float, epochs: float, sigma: float, digits: float) -> tuple[int, int, Fraction, int]:
    return round(bins), round(epochs), Fraction(round(1000 * sigma), 1000), round(digits)


def run(bins: int, epochs: int, sigma: Fraction, digits: int) -> dict[str, object]:
    """15 digits of δ in the worse direction at one point, or the refusal."""
    mechanism = Repeated(Sampled(Gaussian(sigma), RandomAllocation(bins)), epochs)
    row: dict[str, object] = {"bins": bins, "epochs": epochs, "sigma": float(sigma), "digits": digits}
    start = time.process_time()
    try:
        elements = elements_of(dominating_pairs(mechanism, direction=Direction.REMOVE)[0])
        guess = approx_epsilon(elements, Fraction(1, 10**digits))[0]
        epsilon = Fraction(f"{float(guess):.3g}")
        row["epsilon"] = float(epsilon)
        start = time.process_time()
        found = delta(mechanism, epsilon)
        row |= {"lower": found.lower, "upper": found.upper}
    except (DPBoundsError, MemoryError) as error:
        row["refused"] = str(error)[:300]
    row["seconds"] = round(time.process_time() - start, 3)
    return row


def main(count: int) -> None:
    """Print one JSON document for each point and a summary."""
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    rows = []
    for point in points(count):
        rows.append(run(*point))
        print(json.dumps(rows[-1]), flush=True)
    times = sorted(float(str(row["seconds"])) for row in rows)
    refused = sum("refused" in row for row in rows)
    print(
        f"{len(rows)} points, {refused} refused; CPU seconds: median {times[len(times) // 2]:.2f}, "
        f"90 % {times[math.floor(0.9 * len(times))]:.2f}, worst {times[-1]:.2f}"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
