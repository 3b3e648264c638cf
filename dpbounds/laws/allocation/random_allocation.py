"""Random allocation (balls in bins): every record takes part in one of t steps of an epoch, chosen uniformly.

One epoch is dominated by P = (1/t)Σ N(e_i, σ²I_t) against Q = N(0, σ²I_t) (Chua et al. 2024, arXiv
2412.16802; Feldman & Shenfeld 2025, arXiv 2502.08202). With u_i the coordinates over σ, dP/dQ = S is the mean
of t independent Y_i = exp(u_i/σ − 1/(2σ²)), E_Q S = 1.

Direction *add*, (Q ‖ P): the loss is −log S under Q, so M(z) = E_Q S^{−z} and M(−1−w) = E_Q S^{1+w}.
Direction *remove*, (P ‖ Q): the loss is log S under P, so M(z) = E_Q S^{1+z} and M(−1−w) = E_Q S^{−w}.

Both are moments of `mean_of_lognormals`, the second with a weight n > 1 + Re z.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from flint import acb, arb

from dpbounds.errors import PrecisionError
from dpbounds.laws.allocation.mean_of_lognormals import LARGEST_POWER, MeanOfLognormals
from dpbounds.laws.contour_factor import ContourFactor, Hint, Need
from dpbounds.laws.law import Law, rational, registered_law
from dpbounds.mechanisms.pairs import AllocationPair

Number = TypeVar("Number", float, arb)
_BOUND_TOLERANCE = 25.0
"""Moments in error bounds are known to about e^{−25}/steps."""
_HIGHEST = 11.0
"""The highest order of a positive moment on a line: a weight of n takes n + 1 transforms."""
_ROOM = 0.25
"""The weight exceeds the order by this to 1 more: with less the sum would grow long on the left, with more on the right."""


@dataclass
class AllocationFactor(ContourFactor):
    """One epoch of random allocation among `bins` steps, used `steps` times (epochs), in the direction add or `remove`."""

    bins: int
    sigma: Fraction
    steps: int = 1
    remove: bool = False
    absolutely_continuous: bool = True
    _means: dict[int, MeanOfLognormals] = field(default_factory=dict, repr=False)

    @property
    def largest_tilt(self) -> float:  # type: ignore[override]
        """In the direction remove whole orders end."""
        return float(LARGEST_POWER - 2) if self.remove else 1e9

    @property
    def largest_back_tilt(self) -> float:  # type: ignore[override]
        """In the direction add they end there."""
        return 1e9 if self.remove else float(LARGEST_POWER - 1)

    def mean(self, weight: int) -> MeanOfLognormals:
        """Moments of S with this weight."""
        if weight not in self._means:
            self._means[weight] = MeanOfLognormals(self.bins, self.sigma, weight)
        return self._means[weight]

    def _order(self, x: Number) -> Number:
        """The order of S of which M(x) is the moment."""
        return 1 + x if self.remove else -x

    def approx_log_moments(self, x: float) -> tuple[float, float, float]:
        """K(x), K′(x), K″(x); at high orders of S between whole numbers by a straight line."""
        order, sign = self._order(x), 1 if self.remove else -1
        if order > _HIGHEST:
            value, slope = self.mean(0).approx_log_power(order)
            return value, sign * slope, 0.0
        weight = _weight(order)
        value, slope, bend = self.mean(weight).model.log_moments(weight - order)
        return value, -sign * slope, bend

    def approx_drop(self, x: float, y: float) -> float:
        """0: nothing is assumed about the modulus."""
        return 0.0

    def approx_decay(self, x: float, y: float) -> tuple[float, Hint]:
        """The logarithm of the factor in `decay`, which needs no hint."""
        return self.mean(0).approx_log_decay(y), (0.0, 0.0)

    def moment(self, x: arb) -> arb:
        """A ball around M(x) to about e^{−25}/steps; at high orders of S between whole numbers an interval."""
        order = self._order(x)
        whole = order.unique_fmpz() if order.is_exact() else None
        if whole is not None and whole >= 0:
            return self.mean(0).power_moment(int(whole))
        if order > _HIGHEST:
            return self.mean(0).power_between(order)
        weight = _weight(float(order.mid()))
        return self.mean(weight).moment(weight - order, _BOUND_TOLERANCE + math.log(self.steps))

    def line(self, x: arb, h: arb, count: int, need: Need) -> list[acb]:
        """Balls around M(x + ijh); in the direction remove G at the conjugate points, conjugated.

        Raises:
            PrecisionError: a high order of S.
        """
        order = self._order(x)
        if not order <= _HIGHEST:
            raise PrecisionError(f"random allocation: no contour at orders beyond {_HIGHEST:.0f} in the direction remove")
        weight = _weight(float(order.mid()))
        values = self.mean(weight).line(weight - order, h, count, need.tolerance, self.moment(x))
        return [value.conjugate() for value in values] if self.remove else values

    def approx_line_cost(self, x: float, step: float, count: int, tolerance: float) -> float:
        """About the microseconds that a line takes."""
        order = self._order(x)
        if order > _HIGHEST:
            return math.inf
        weight = _weight(order)
        return (weight + 1) * self.mean(weight).approx_line_cost(weight - order, step * (count - 1), tolerance)

    def decay(self, x: arb, y: arb, hint: Hint) -> arb:
        """M(x)·e^{−y²/(2tσ²)}, a bound on |M(x + iy')|, y' ≥ y ≥ 0."""
        return self.moment(x) * self.mean(0).decay(y)

    def approx_log_outlier(self, epsilon: float) -> float:
        """About log P(Y/t > e^ε − 1) under the law with the record, of any epoch."""
        sigma = float(self.sigma)
        needed = (epsilon if epsilon > 30 else math.log(math.expm1(max(epsilon, 1e-12)))) + math.log(self.bins)
        distance = max(0.0, sigma * needed - 0.5 / sigma)
        return min(0.0, math.log(self.steps) - distance * distance / 2)


def _weight(order: float) -> int:
    """The least n ≥ 0 with n − order ≥ 1/4."""
    return max(0, math.floor(order + _ROOM) + 1)


@dataclass(frozen=True)
class AllocationLaw(Law):
    """One epoch; `reversed` is the direction add."""

    bins: int
    sigma: Fraction
    reversed: bool
    epoch = True

    @property
    def by_parity(self) -> bool:  # type: ignore[override]
        """In the direction remove, where high orders take many transforms."""
        return not self.reversed

    def factor(self, steps: int, most: float = 0.0) -> ContourFactor:
        """By the Mellin integral."""
        return AllocationFactor(self.bins, self.sigma, steps, remove=not self.reversed)

    def swapped(self) -> AllocationLaw:
        """The other direction."""
        return AllocationLaw(self.bins, self.sigma, not self.reversed)


@registered_law.register(AllocationPair)
def _(pair: AllocationPair, reversed: bool) -> Law:
    return AllocationLaw(pair.bins, rational(pair.sigma, "sigma"), reversed)
