"""Bounds of a product of which no method has δ as a whole, from its parts (`parts`) and its moments: they may be wide, and hold.

*Moments.* For every c > 0, δ(ε) ≤ λ + κ(c)·M(c)·e^{−cε}, κ(c) = c^c/(1+c)^{1+c}, with λ the mass of infinite loss and what the laws leave
out (`contour.tail_bounds`); so ε(δ) ≤ (log κ(c) + log M(c) − log(δ − λ))/c. Of Laplace noise M(c) = E_Q U^{1+c}, U = dP/dQ between u and v:
a convex function is at most its chord and E_Q U = 1, so that M is at most that of two outcomes with U = u and U = v.

*Random allocation.* One side of an epoch is the mean of unit shifts, one in each bin. Hockey sticks are jointly convex, so δ is at most
that with one of the shifts: plain Gaussian noise in place of the epoch.

Assumptions: `rounding`. Never used in a verdict.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from dpbounds.errors import InputError, PrecisionError
from dpbounds.float64.contour import log_moment_above
from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.laplace_mixture import LaplaceMixture
from dpbounds.float64.laws import AtomsOnly, LossLaw, loss_law
from dpbounds.float64.logarithms import log_sharp_constant
from dpbounds.float64.many_uses import log_atoms_moment_above
from dpbounds.float64.result import Bounds
from dpbounds.float64.rounding import LIBM, UNIT_ROUNDOFF
from dpbounds.mechanisms import pairs
from dpbounds.mechanisms.parts import METHOD, Parts
from dpbounds.numbers.exact import Exact

_FIRST, _LAST, _WORSE = -60, 90, 3
"""Powers of 2 that are tried for c, from 1 up and down, and how many that are no better end the search."""
_CLOSER = (0.7, 0.84, 1.19, 1.41)
_MOST_LOST = 0.9
"""Share of δ up to which λ may come: its logarithm loses digits next to 1."""
_BELOW_FLOATS = -746.0
"""Logarithm of what is below every float."""
_WIDE = 0.5
"""Relative width beyond which one more part is asked."""


@dataclass(frozen=True)
class Chernoff:
    """What bounds δ(ε) of a product by its moments: laws with their uses, and λ."""

    laws: tuple[tuple[LossLaw, int], ...]
    lost: float

    @classmethod
    def of_product(cls, product: pairs.Product) -> Chernoff:
        """Of a product without random allocation.

        Raises:
            InputError: pairs without a float64 loss distribution.
        """
        laws = tuple((loss_law(factor), factor.steps) for factor in product.factors)
        finite = math.fsum(steps * math.log1p(-law.infinite_mass) if law.infinite_mass < 1 else -math.inf for law, steps in laws)
        dropped = math.fsum(steps * getattr(law, "dropped", 0.0) for law, steps in laws)
        return cls(laws, (dropped - math.expm1(finite)) * (1 + 1e-12))

    def log_moment(self, c: float) -> tuple[float, float]:
        """An upper bound on log(κ(c)·M(c)), and the sum of the sizes of its parts.

        Raises:
            PrecisionError: a moment that float64 does not have.
        """
        parts = [steps * _log_moment_above(law, c) for law, steps in self.laws]
        sizes = math.fsum(map(abs, parts)) + abs(float(log_sharp_constant(c)))
        return math.fsum(parts) + float(log_sharp_constant(c)) + (8 * UNIT_ROUNDOFF + 4 * LIBM) * sizes, sizes

    def log_delta(self, epsilon: float) -> float:
        """An upper bound on log δ(ε); 0 where there is none."""

        def bound(c: float) -> float:
            value, sizes = self.log_moment(c)
            return value - c * epsilon + 8 * UNIT_ROUNDOFF * (sizes + c * epsilon)

        best = _least(bound)
        return min(0.0, float(np.logaddexp(best, math.log(self.lost))) + 1e-14 if self.lost > 0 else best)

    def epsilon(self, log_delta: float) -> float:
        """An upper bound on ε(δ), where log δ is at least `log_delta`; infinite where there is none."""
        share = self.lost * math.exp(min(700.0, -log_delta))
        if not (share < _MOST_LOST and (share == 0 or log_delta > -700)):
            return math.inf
        room = log_delta + (math.log1p(-share) - 1e-9 if share > 0 else 0.0)

        def bound(c: float) -> float:
            value, sizes = self.log_moment(c)
            return (value - room + 8 * UNIT_ROUNDOFF * (sizes + abs(room))) / c

        return max(0.0, _least(bound) * (1 + 4 * UNIT_ROUNDOFF))


def _log_moment_above(law: LossLaw, c: float) -> float:
    """An upper bound on log M(c), c > 0; the mass of infinite loss is left out."""
    if isinstance(law, GaussianMixture):
        return log_moment_above(law, c)
    return log_atoms_moment_above(_two_ends(law) if isinstance(law, LaplaceMixture) else law, c)


def _two_ends(law: LaplaceMixture) -> AtomsOnly:
    """The outcomes at the ends of an interval that holds the loss, with E_Q U = 1."""
    low, high = law.lowest_loss, law.highest_loss
    low, high = (end + side * (law.input_error + 64 * UNIT_ROUNDOFF * (1 + abs(end))) for end, side in ((low, -1), (high, 1)))
    width = -math.expm1(low - high)
    return AtomsOnly(((low, -math.expm1(-high) * math.exp(low) / width), (high, -math.expm1(low) / width)))


def _least(bound: Callable[[float], float]) -> float:
    """The least of a bound at the c that are tried; infinite where it has none."""
    best, at = math.inf, 1.0
    for powers in (range(_LAST), range(-1, _FIRST, -1)):
        worse = 0
        for power in powers:
            with contextlib.suppress(PrecisionError):
                own = bound(2.0**power)
                best, at, worse = (own, 2.0**power, 0) if own < best else (best, at, worse + math.isfinite(best))
                if worse >= _WORSE:
                    break
    for factor in _CLOSER if math.isfinite(best) else ():
        with contextlib.suppress(PrecisionError):
            best = min(best, bound(factor * at))
    return best


def without_allocation(product: pairs.Product) -> pairs.Product:
    """Plain Gaussian noise in place of every epoch of random allocation: a larger δ."""
    factors = tuple(
        replace(factor, pair=pairs.GaussianPair(factor.pair.sigma)) if isinstance(factor.pair, pairs.AllocationPair) else factor
        for factor in product.factors
    )
    return replace(product, factors=factors)


def delta_bounds(product: pairs.Product, epsilon: float, whole: Callable[[pairs.Product, float], Bounds]) -> Bounds:
    """Bounds of δ(ε), by those that `whole` has of the product or of parts of it.

    Raises:
        PrecisionError: nothing is known.
    """

    def ends(part: pairs.Product, at: Exact) -> tuple[float, float]:
        near = float(at)
        near = math.nextafter(near, 0.0) if near > at else near  # a share of ε: its upper bound holds at a smaller ε too
        plain, low, high = without_allocation(part), -math.inf, 0.0
        with contextlib.suppress(InputError, PrecisionError):
            found = whole(part, near)
            low, high = found.log_lower, found.log_upper
        if not _are_near(low, high):
            with contextlib.suppress(InputError, PrecisionError):
                high = min(high, Chernoff.of_product(plain).log_delta(near))
            with contextlib.suppress(InputError, PrecisionError):
                high = min(high, whole(plain, near).log_upper) if plain != part else high
        return low, high

    low, high = Parts(ends, _logs_added, _are_near, -math.inf).ends(product, Fraction(epsilon)) or (-math.inf, 0.0)
    if low == -math.inf and high == 0:
        raise PrecisionError("no part of the product has a bound in float64; use dpbounds.accounting")
    return Bounds.of_logs(low, high, METHOD)


def epsilon_bounds(
    product: pairs.Product, target: Exact, log_least: Callable[[Exact], float], whole: Callable[[pairs.Product, Exact], Bounds]
) -> Bounds:
    """Bounds of ε(δ), by those that `whole` has of the product or of parts of it; `log_least` is at most the logarithm.

    Raises:
        PrecisionError: nothing is known above.
    """

    def ends(part: pairs.Product, delta: Exact) -> tuple[float, float]:
        plain, low, high = without_allocation(part), 0.0, math.inf
        with contextlib.suppress(InputError, PrecisionError):
            found = whole(part, delta)
            low, high = found.lower, found.upper
        if not are_near(low, high):
            with contextlib.suppress(InputError, PrecisionError):
                high = min(high, Chernoff.of_product(plain).epsilon(log_least(delta)))
            with contextlib.suppress(InputError, PrecisionError):
                high = min(high, whole(plain, delta).upper) if plain != part else high
        return low, high

    def are_near(low: float, high: float) -> bool:
        return low >= (1 - _WIDE) * high

    parts = Parts(ends, lambda more, less: (more + less) * (1 + 2 * UNIT_ROUNDOFF), are_near, 0.0)
    low, high = parts.ends(product, target) or (0.0, math.inf)
    if math.isinf(high):
        raise PrecisionError(f"no part of the product has a bound in float64 at delta = {float(target):.6g}; use dpbounds.accounting")
    return Bounds.of_values(low, high, METHOD)


def _logs_added(more: float, less: float) -> float:
    """log(e^more + e^less) from above, and at most 0."""
    largest = max(more, less)
    return largest if largest == -math.inf else min(0.0, float(np.logaddexp(more, less)) + 1e-14 * (1 + abs(largest)))


def _are_near(low: float, high: float) -> bool:
    """Whether e^low and e^high are: both are 0 where the larger one is below all floats."""
    return high < _BELOW_FLOATS or low == high or -math.expm1(low - high) <= _WIDE
