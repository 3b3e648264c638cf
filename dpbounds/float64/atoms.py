"""M(c+iy)/e^κ of finitely many losses in float64, with a bound on every error: for atoms beside noise that ends the contour.

χ(y) = Σ w_i e^{iy(l_i − μ)}, w_i = p_i·e^{cl_i − κ}, with κ so that Σ w_i is 1 but for rounding.

*Rounding.* As in `closed_form`, a mass is off by 64 units besides `input_error`, and a loss by ℓ_i = 64u(1 + |l_i|) besides it. So a weight
is off by a relative 64u + LIBM + c·ℓ_i and a few units of the parts of its exponent, a phase by y·(ℓ_i + 4u(|l_i| + |μ|)), and a term by
LIBM and the summation besides.

*Far away* nothing is known but |χ| ≤ Σ w_i: what else is in the product must fall.
"""

from __future__ import annotations

import math

import numpy as np

from dpbounds.float64.characteristic import Characteristic
from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.laws import AtomsOnly
from dpbounds.float64.logarithms import Array
from dpbounds.float64.rounding import LIBM, UNIT_ROUNDOFF, sum_error

_UNITS = 64 * UNIT_ROUNDOFF


class AtomsCharacteristic:
    """χ(y) of atoms, as `characteristic.Characteristic` has it of a density.

    Args:
        law: atoms; the mass of infinite loss is left out. c: real part, > 0.
    """

    closed = False
    scale_error = 0.0

    def __init__(self, law: AtomsOnly, c: float) -> None:
        self.t, masses = np.array(law.atoms, dtype=float).reshape(-1, 2).T
        logs = np.log(masses)
        exponents = logs + c * self.t
        top = float(exponents.max())
        self.shift = top + math.log(float(np.exp(exponents - top).sum()))
        self.weights = np.exp(exponents - self.shift)
        self.mean = float(self.weights @ self.t)
        self.centred = self.t - self.mean
        losses = _UNITS * (1 + np.abs(self.t)) + law.input_error
        rounding = 4 * UNIT_ROUNDOFF * (np.abs(logs) + 2 * np.abs(c * self.t) + abs(self.shift))
        self.weight_error = 1.01 * float(self.weights @ (_UNITS + law.input_error + LIBM + c * losses + rounding))
        self.phase_error = 1.01 * float(self.weights @ (losses + 4 * UNIT_ROUNDOFF * (np.abs(self.t) + abs(self.mean))))

    def values(self, y: Array) -> tuple[Array, Array]:
        """(χ(y), error bounds)."""
        phases = np.multiply.outer(y, self.centred)
        found = (np.cos(phases) * self.weights).sum(axis=1) + 1j * (np.sin(phases) * self.weights).sum(axis=1)
        return found, 1.001 * (self.weight_error + self.phase_error * y + 1.5 * LIBM + 1.5 * sum_error(len(self.t)))

    def far(self, y: float) -> float:
        """log of a bound on |χ| beyond y."""
        return math.log(float(self.weights.sum()) * (1 + sum_error(len(self.t))) + self.weight_error + 2 * UNIT_ROUNDOFF)


def characteristic_of(law: GaussianMixture | AtomsOnly, c: float, reach: float, goal: float) -> Characteristic | AtomsCharacteristic:
    """χ of either kind."""
    return AtomsCharacteristic(law, c) if isinstance(law, AtomsOnly) else Characteristic(law, c, reach, goal)
