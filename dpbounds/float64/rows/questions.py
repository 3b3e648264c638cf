"""Questions of many rows, and what numbers are kept exact."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from dpbounds.float64.logarithms import Array
from dpbounds.float64.rounding import UNIT_ROUNDOFF

U = UNIT_ROUNDOFF
BATCH = 64
"""Rows of one set of arrays: they stay in the cache."""
LN_ROOT_TWO_PI = 0.5 * math.log(2 * math.pi)
_BITS = 24
_SPARE = 12.0
"""What is cut is rarer than it need be by e^{−this}."""


@dataclass(frozen=True)
class Rows:
    """Columns of questions: rates, noise, numbers of steps, all as float64 arrays of one length, and the direction of all of them.

    `cut` is about where the noise is cut.
    """

    q: Array
    sigma: Array
    steps: Array
    cut: Array
    remove: bool

    @property
    def usable(self) -> Array:
        """Which rows have the parameters that the error bounds are made for."""
        return (self.q > 1e-290) & (self.q <= 0.5) & (self.sigma >= 0.1) & (self.sigma < 1e6) & (self.steps >= 1)

    def take(self, index: Array | slice) -> Rows:
        """Some of the rows."""
        return Rows(self.q[index], self.sigma[index], self.steps[index], self.cut[index], self.remove)

    def with_cut(self, log_mass: Array) -> Rows:
        """The same with the noise cut where about e^{`log_mass`} is left in all steps."""
        level = np.log(self.steps) - log_mass + _SPARE
        beyond = 1 / self.sigma + np.sqrt(2 * np.maximum(1.0, level + np.log(self.q))) if self.remove else 0.0
        return replace(self, cut=np.maximum(np.sqrt(2 * np.maximum(level, 1.0)), beyond))

    def power(self, c: Array) -> Array:
        """Re p at Re z = c."""
        return 1 + c if self.remove else -c

    def log_u(self, s: Array) -> Array:
        """w at s, a row of nodes for each question."""
        q, sigma = self.q[:, None], self.sigma[:, None]
        return np.log1p(q * np.expm1(np.minimum(s / sigma - 1 / (2 * sigma**2), 600.0)))


def short(value: Array) -> Array:
    """The values rounded to 24 binary digits.

    >>> import numpy as np
    >>> float(short(np.array([1.0]))[0])
    1.0
    """
    mantissa, exponent = np.frexp(value)
    return np.ldexp(np.rint(np.ldexp(mantissa, _BITS)), exponent - _BITS)


def log_normal(z: Array) -> Array:
    """log Φ(z)."""
    return special.log_ndtr(z)
