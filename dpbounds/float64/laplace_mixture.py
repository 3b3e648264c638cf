"""Laplace pairs, sampled or not, as float64 loss distributions: a density between two atoms."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpbounds.float64.logarithms import Array, log_two, log_two_error
from dpbounds.float64.rounding import UNIT_ROUNDOFF


@dataclass(frozen=True)
class LaplaceMixture:
    """Laplace noise of scale b with Poisson sampling rate q (1: none): P = q·Lap(1,b) + (1−q)·Lap(0,b), Q = Lap(0,b), or swapped.

    For t in (0,1) the loss is log(1−q+q e^{(2t−1)/b}); outside it is constant, which gives two atoms.
    With `swapped` the roles change and t is reflected, so that the loss still increases.
    """

    scale: float
    q: float
    keep: float
    swapped: bool = False
    infinite_mass = 0.0

    @property
    def degree(self) -> int:
        """One shift."""
        return 1

    is_gaussian = False

    @property
    def support(self) -> tuple[float, float]:
        """Where the density part lives."""
        return (-1.0, 0.0) if self.swapped else (0.0, 1.0)

    @property
    def atoms(self) -> tuple[tuple[float, float], ...]:
        """(loss, P-mass) of the two atoms, in increasing order of loss."""
        low, high = (self._log_u(np.array([end]))[0] for end in (0.0, 1.0))
        q_low, q_high = 0.5, 0.5 * math.exp(-1 / self.scale)
        if self.swapped:
            return (-float(high), q_high), (-float(low), q_low)
        return (float(low), q_low * math.exp(low)), (float(high), q_high * math.exp(high))

    @property
    def input_error(self) -> float:
        """What large exponents add to the error of the atoms' losses and the relative error of their masses."""
        return float(np.max(self.loss_error(np.array(self.support)))) + 8 * UNIT_ROUNDOFF / self.scale

    @property
    def lowest_loss(self) -> float:
        """The lower atom."""
        return self.atoms[0][0]

    @property
    def highest_loss(self) -> float:
        """The upper atom."""
        return self.atoms[1][0]

    def _log_u(self, t: Array) -> Array:
        exponent = (2 * t - 1) / self.scale
        return log_two(exponent, self.keep, self.q)

    def log_base(self, t: Array) -> Array:
        """log of the density of Lap(0,b) on (0,1), in the reflected variable if swapped."""
        return -np.abs(t) / self.scale - math.log(2 * self.scale)

    def loss(self, t: Array) -> Array:
        """The loss, increasing in t."""
        return -self._log_u(-t) if self.swapped else self._log_u(t)

    def log_density(self, t: Array) -> Array:
        """log p(t) of the density part."""
        return self.log_base(t) if self.swapped else self.log_base(t) + self._log_u(t)

    def log_density_and_loss(self, t: Array) -> tuple[Array, Array]:
        """(log p, L)."""
        return self.log_density(t), self.loss(t)

    def loss_slope(self, t: Array) -> Array:
        """dL/dt."""
        t = -t if self.swapped else t
        exponent = (2 * t - 1) / self.scale
        return 2 / self.scale * self.q * np.exp(exponent - self._log_u(t))

    def inverse_loss(self, s: Array) -> Array:
        """The t with L(t) = s, clipped to the support."""
        s = -s if self.swapped else s
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            t = 0.5 + 0.5 * self.scale * np.log1p(np.maximum(np.expm1(s) / self.q, -1.0))
        t = np.clip(t, 0.0, 1.0)
        return -t if self.swapped else t

    def loss_error(self, t: Array) -> Array:
        """As for `GaussianMixture`."""
        t = -t if self.swapped else t
        exponent = (2 * t - 1) / self.scale
        moved = 8 * UNIT_ROUNDOFF * np.abs(t) / self.scale
        return log_two_error(exponent, self.keep, self.q) + 4 * UNIT_ROUNDOFF * np.abs(self._log_u(t)) + moved

    def log_density_error(self, t: Array) -> Array:
        """Bound on the absolute error of the computed log p."""
        return self.loss_error(t) + UNIT_ROUNDOFF * (8 / self.scale + 16 + 4 * abs(math.log(self.scale)))

    def growth(self, t: Array, radius: Array) -> Array:
        """log of max |base(t+z)|/base(t) over |z| ≤ radius."""
        return radius / self.scale + 0 * t

    @property
    def rate(self) -> float:
        """Growth rate of the terms of u and v."""
        return 2 / self.scale

    def tilt_slope(self, t: Array) -> Array:
        """Bound on |d/dt log f|: base 1/b, X′ or its inverse at most 6/b."""
        return np.full_like(t, 7.0 / self.scale)
