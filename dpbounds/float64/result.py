"""What the float64 accountants return: an interval with its logarithms, and the method that made it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from dpbounds.float64.rounding import LIBM_ULPS


@dataclass(frozen=True)
class Bounds:
    """Lower and upper bounds of δ or ε under the rounding model of `rounding`; logarithms have no floor.

    `lower` and `upper` underflow to 0 and 5e-324 for tiny δ; `log_lower` and `log_upper` do not.
    A float64 bound never enters a verdict.

    >>> Bounds.of_logs(-1000.0, -999.0, "example").upper
    5e-324
    """

    lower: float
    upper: float
    log_lower: float
    log_upper: float
    method: str

    @classmethod
    def of_logs(cls, log_lower: float, log_upper: float, method: str) -> Bounds:
        """From logarithms, exponentiated outward."""
        return cls(_exp_down(log_lower), _exp_up(log_upper), log_lower, log_upper, method)

    @classmethod
    def of_values(cls, lower: float, upper: float, method: str) -> Bounds:
        """From values ≥ 0, ∞ included, logarithms taken outward.

        >>> Bounds.of_values(math.inf, math.inf, "everything is lost").log_lower
        inf
        """
        return cls(lower, upper, _log(lower, -math.inf), _log(upper, math.inf), method)

    @property
    def relative_width(self) -> float:
        """(upper − lower)/upper, from the logarithms; 0 for an exact zero or infinity."""
        if self.log_upper == self.log_lower:
            return 0.0
        return -math.expm1(self.log_lower - self.log_upper)

    @property
    def middle(self) -> float:
        """The geometric middle, or half the upper end when the lower one is 0: an estimate."""
        return math.sqrt(self.lower) * math.sqrt(self.upper) if self.lower > 0 else 0.5 * self.upper

    @property
    def log_middle(self) -> float:
        """The middle of the logarithms: an estimate of log δ."""
        return 0.5 * (self.log_lower + self.log_upper) if self.log_lower > -math.inf else self.log_upper

    def with_more(self, mass: float) -> Bounds:
        """Bounds of the value plus something between 0 and `mass`."""
        if mass == 0:
            return self
        log_upper = min(0.0, float(np.logaddexp(self.log_upper, math.log(mass))) + 1e-14)
        return Bounds(self.lower, min(1.0, (self.upper + mass) * (1 + 1e-15)), self.log_lower, log_upper, self.method)

    def larger(self, other: Bounds) -> Bounds:
        """Bounds of max(x, y)."""
        method = self.method if self.method == other.method else f"{self.method}, {other.method}"
        return Bounds(
            max(self.lower, other.lower),
            max(self.upper, other.upper),
            max(self.log_lower, other.log_lower),
            max(self.log_upper, other.log_upper),
            method,
        )


class ComposedLaw(Protocol):
    """A composed distribution, ready to give δ at many ε."""

    def bounds(self, epsilon: float) -> Bounds:
        """Lower and upper bounds of δ(ε)."""

    def slope(self, epsilon: float) -> float:
        """About −d log δ/dε."""


def _log(value: float, outward: float) -> float:
    """log of 0 ≤ value ≤ ∞, the exact infinities kept."""
    if not 0 < value < math.inf:
        return value if value > 0 else -math.inf
    return math.nextafter(math.log(value), outward)


_UNDERFLOW = (LIBM_ULPS + 1) * math.ulp(0.0)
"""What the exponential and a product may be off where results are subnormal and a relative error says nothing."""


def _exp_down(value: float) -> float:
    if value >= 0:
        return 1.0
    return max(0.0, math.exp(value) * (1 - 2e-15) - _UNDERFLOW) if value > -745 else 0.0


def _exp_up(value: float) -> float:
    if value >= 0:
        return 1.0 if value < 1e-300 else max(1.0, math.exp(min(value, 709.0)))
    if value == -math.inf:
        return 0.0
    return math.exp(value) * (1 + 2e-15) + _UNDERFLOW if value > -745 else 5e-324
