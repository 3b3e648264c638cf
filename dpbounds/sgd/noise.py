"""The only place where noise is added, with the number that is logged."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpbounds.errors import InputError
from dpbounds.sgd.clipping import GRID_BITS

Array = Any


@dataclass(frozen=True)
class NoisySum:
    """A clipped sum plus Gaussian noise of σ times the clipping norm, as one release.

    Args:
        sigma: σ as the float that scales the noise. The account takes its exact value.

    The noise is float64, of a numpy generator: see `dpbounds.sgd` for what that does not protect from.
    """

    sigma: float

    def __post_init__(self) -> None:
        if not 0 < self.sigma < 2.0**500:
            raise InputError(f"sigma (the noise multiplier) must be positive and finite, got {self.sigma!r}")

    @property
    def exact_sigma(self) -> Fraction:
        """What the account is told."""
        return Fraction(self.sigma)

    def release(self, total: Array, clip: float, generator: np.random.Generator) -> Array:
        """C·(total/2³² + N(0, σ²)): the integers of `clipped_sum` become a noisy sum of gradients.

        The noise is added on the integers' own scale, where the factor 2³² is exact; what follows does not touch records.
        """
        noise = generator.normal(0.0, self.sigma * 2.0**GRID_BITS, total.shape)
        return (total + noise) * (clip * 2.0**-GRID_BITS)
