"""Discrete and continuous Laplace noise: sums over the masses at random scales, sensitivities and ε."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

HEADING = "Discrete Laplace noise is never more private"
QUICK, FULL = 300, 30_000
TOLERANCE = 1e-9


def continuous(epsilon: float, scale: float, sensitivity: float) -> float:
    """δ of Laplace noise."""
    return max(-np.expm1((epsilon - sensitivity / scale) / 2), 0.0)


def margins(rng: np.random.Generator, many: int, false: bool = False) -> Iterator[np.ndarray]:
    """Order, factor 2, shift; false: 9/10 of the shift."""
    for _ in range(many):
        scale, sensitivity = rng.uniform(0.2, 8), int(rng.integers(1, 6))
        epsilon = rng.uniform(0, sensitivity / scale)
        x = np.arange(-int(40 * scale) - 9, int(40 * scale) + 19)
        mass = np.tanh(1 / (2 * scale)) * np.exp(-np.abs(x) / scale)
        other = np.tanh(1 / (2 * scale)) * np.exp(-np.abs(x - sensitivity) / scale)
        delta = np.maximum(mass - np.exp(epsilon) * other, 0).sum()
        shift = 2 * np.log(np.cosh(1 / (2 * scale)))
        plain = continuous(epsilon, scale, sensitivity)
        yield np.array([delta - plain, 2 * plain - delta]) if plain > 1e-9 else np.zeros(1)
        # the shift is met in the middle of each piece, in e^ε
        piece = sensitivity - 2 * rng.integers(0, (sensitivity + 1) // 2)
        ends = np.exp(np.array([max(piece - 2, -piece if piece == 1 else piece - 2), piece]) / scale)
        for e in (epsilon + shift, float(np.log(ends.mean()))):
            if e >= shift:
                found = np.maximum(mass - np.exp(e) * other, 0).sum()
                yield np.array([continuous(e - shift * (0.9 if false else 1), scale, sensitivity) - found])
