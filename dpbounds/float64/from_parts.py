"""Bounds of a product of which no method has δ as a whole, from its parts: they may be wide, and hold on both sides.

*Parts.* Who sees some of the uses sees less than all of them, so δ_A(ε) ≤ δ(ε) for the uses A alone. With B the other uses and ε = s + t,
from p_A ≤ (p_A − e^s·q_A)₊ + min(p_A, e^s·q_A) and p_B ≤ (p_B − e^t·q_B)₊ + e^t·q_B,

    p_A·p_B − e^ε·q_A·q_B ≤ (p_A − e^s·q_A)₊·p_B + p_A·(p_B − e^t·q_B)₊.

So δ(ε) ≤ δ_A(s) + δ_B(t), and ε(δ) ≤ ε_A(δ − η) + ε_B(η) for 0 < η < δ.

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
from dpbounds.numbers.exact import Exact

METHOD = "bounds of its parts"
_FIRST, _LAST, _WORSE = -60, 90, 3
"""Powers of 2 that are tried for c, from 1 up and down, and how many that are no better end the search."""
_CLOSER = (0.7, 0.84, 1.19, 1.41)
_SHARES = (Fraction(1, 10**6), Fraction(1, 100), Fraction(1, 2))
"""Shares of δ, or of ε, that the narrower part may have."""
_SMALL = math.log(1e-3)
"""log of a share of δ that does not show."""
_MOST_LOST = 0.9
"""Share of δ up to which λ may come: its logarithm loses digits next to 1."""
_WIDE = 0.5
"""Relative width beyond which one more way to take a product apart is tried."""


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
    """Bounds of δ(ε), by those that `whole` has of parts of the product.

    Raises:
        PrecisionError: nothing is known.
    """
    plain = without_allocation(product)
    found = Bounds.of_logs(-math.inf, 0.0, METHOD)
    with contextlib.suppress(InputError, PrecisionError):
        found = _narrowed(found, -math.inf, Chernoff.of_product(plain).log_delta(epsilon))
    with contextlib.suppress(InputError, PrecisionError):
        if plain != product:
            found = _narrowed(found, -math.inf, whole(plain, epsilon).log_upper)
    with contextlib.suppress(InputError, PrecisionError):
        if (once := product.one_of_many()) is not None:
            found = _narrowed(found, whole(once, epsilon).log_lower, 0.0)
    for parts in product.splits():
        if found.relative_width <= _WIDE:
            break
        with contextlib.suppress(InputError, PrecisionError):
            (own, part), (other, rest) = sorted(((whole(part, epsilon), part) for part in parts), key=lambda row: -row[0].log_middle)
            found = _narrowed(found, max(own.log_lower, other.log_lower), 0.0)
            for share in _SHARES:
                t = epsilon * float(share)
                less = whole(rest, t).log_upper
                if less < found.log_lower + _SMALL or share is _SHARES[-1]:
                    more = whole(part, (epsilon - t) * (1 - 4 * UNIT_ROUNDOFF)).log_upper
                    found = _narrowed(found, -math.inf, float(np.logaddexp(more, less)) + 1e-14 * (1 + abs(more)))
                    break
    if found.log_lower == -math.inf and found.log_upper == 0:
        raise PrecisionError("no part of the product has a bound in float64; use dpbounds.accounting")
    return found


def _narrowed(found: Bounds, log_lower: float, log_upper: float) -> Bounds:
    upper = min(found.log_upper, log_upper)
    return Bounds.of_logs(min(max(found.log_lower, log_lower), upper), upper, METHOD)


def epsilon_bounds(product: pairs.Product, target: Exact, log_delta: float, whole: Callable[[pairs.Product, Exact], Bounds]) -> Bounds:
    """Bounds of ε(δ), by those that `whole` has of parts of the product; `log_delta` is at most log δ.

    Raises:
        PrecisionError: nothing is known above.
    """
    plain, low, high = without_allocation(product), 0.0, math.inf
    with contextlib.suppress(InputError, PrecisionError):
        high = Chernoff.of_product(plain).epsilon(log_delta)
    with contextlib.suppress(InputError, PrecisionError):
        if plain != product:
            high = min(high, whole(plain, target).upper)
    with contextlib.suppress(InputError, PrecisionError):
        if (once := product.one_of_many()) is not None:
            low = whole(once, target).lower
    for parts in product.splits():
        if high - low <= _WIDE * high:
            break
        with contextlib.suppress(InputError, PrecisionError):
            (own, part), (other, rest) = sorted(((whole(part, target), part) for part in parts), key=lambda row: -row[0].upper)
            low = max(low, own.lower, other.lower)
            for share in _SHARES:
                both = whole(part, target * (1 - share)).upper + whole(rest, target * share).upper
                high = min(high, both * (1 + 2 * UNIT_ROUNDOFF))
    if math.isinf(high):
        raise PrecisionError(f"no part of the product has a bound in float64 at log delta = {log_delta:.6g}; use dpbounds.accounting")
    return Bounds.of_values(min(low, high), high, METHOD)
