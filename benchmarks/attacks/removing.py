"""Removing against adding a record: mixtures of Gaussian laws in the plane by quadrature, sampled Gaussian noise by FFT."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.attacks.tools import gaussian, same_start, sampled

HEADING = "Removing a record shows at least as much as adding it"
QUICK, FULL = 2, 80


def margins(rng: np.random.Generator, many: int, false: bool = False) -> Iterator[np.ndarray]:
    """What δ of removing has over Gaussian noise with the same δ(0), and that over δ of adding; false: the three turned round."""
    epsilons = np.concatenate([[0.0], np.geomspace(0.01, 4, 12)])
    side = np.linspace(-14, 14, 201 if many < 20 else 401)
    x, y = np.meshgrid(side, side)
    base = np.exp(-(x**2 + y**2) / 2) / (2 * np.pi) * (side[1] - side[0]) ** 2
    for index in range(many):
        if index % 2 and many >= 20:
            noise, rate, steps = rng.uniform(0.4, 4), 10 ** rng.uniform(-3, -0.01), int(10 ** rng.uniform(0, 4))
            if rate * np.sqrt(steps * np.expm1(noise**-2)) > 3:  # a δ near 1, which the grid does not hold
                continue
            remove, add = sampled(epsilons, noise, rate, steps)
        else:
            number = rng.integers(2, 6)
            weights, centres = (
                rng.dirichlet(np.full(number, rng.choice([0.3, 1.0, 3.0]))),
                rng.normal(size=(number, 2)) * rng.uniform(0.3, 2),
            )
            ratio = sum(w * np.exp(x * a + y * b - (a * a + b * b) / 2) for w, (a, b) in zip(weights, centres, strict=True))
            remove = np.array([(np.maximum(ratio - np.exp(e), 0) * base).sum() for e in epsilons])
            add = np.array([(np.maximum(1 - np.exp(e) * ratio, 0) * base).sum() for e in epsilons])
        if remove[0] > 1 - 1e-6:
            continue
        between = gaussian(epsilons, same_start(remove[0]))
        size = np.maximum(remove, 1e-5)
        for upper, lower in ((remove, between), (between, add)):
            yield (lower - upper if false else upper - lower)[1:] / size[1:]
