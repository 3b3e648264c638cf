"""What a Rényi curve is: order ↦ the Rényi divergence of a pair, or an upper bound on it for a mechanism."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball
from dpbounds.numbers.domains import at_least_one, nonnegative, order_above_one
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import certified


class RenyiCurve(ABC):
    """Order ↦ D_order. Subclasses say which pair, and `divergence` works at the precision that is set.

    The cumulant K(t) = t·D_{1+t} is convex in t for every pair (Hölder), and the curves that only bound a mechanism keep that property:
    the certified optimisation over orders rests on it.
    """

    @abstractmethod
    def divergence(self, order: Ball) -> Ball:
        """D_order as a ball, for a ball of orders > 1; +∞ where it is infinite."""

    def cumulant(self, t: Ball) -> Ball:
        """K(t) = t·D_{1+t} for t > 0."""
        return t * self.divergence(1 + t)

    def greatest_order(self) -> Ball | None:
        """The largest order that the curve speaks about or where it is finite; None when there is no limit."""
        return None

    def exact_largest_loss(self) -> Exact | None:
        """D_∞ as an exact number, where it has a closed form in the parameters that is one."""
        return None

    def largest_loss(self) -> Ball | None:
        """D_∞, the largest privacy loss; None when it is infinite."""
        loss = self.exact_largest_loss()
        return None if loss is None else as_ball(loss)

    def certified_divergence(self, alpha: exact.Number, digits: int = 15) -> Enclosure:
        """D_α with certified digits.

        Args:
            alpha: order > 1.
            digits: certified significant digits.

        Raises:
            InputError: an order ≤ 1, or beyond the range of the curve.
        """
        order = order_above_one(alpha)
        limit = self.greatest_order()
        if limit is not None and as_ball(order) > limit:
            shown = limit.str(10, radius=False)
            raise InputError(f"alpha (the Rényi order) must be at most {shown} for this curve, got {exact.text(order)}")
        return certified(lambda: self.divergence(as_ball(order)), digits)


@dataclass(frozen=True)
class LinearCurve(RenyiCurve):
    """D_α ≤ α·ρ for every order: ρ-zCDP (Bun & Steinke 2016, Definition 1.1).

    >>> LinearCurve("0.5").certified_divergence(3).contains(exact.number("1.5"))
    True
    """

    rho: Exact

    def __init__(self, rho: exact.Number) -> None:
        object.__setattr__(self, "rho", nonnegative(rho, "rho"))

    def divergence(self, order: Ball) -> Ball:
        """α·ρ."""
        return order * as_ball(self.rho)


@dataclass(frozen=True)
class RangeLimitedCurve(RenyiCurve):
    """D_α ≤ α·ρ for 1 < α ≤ `limit` only: the relaxation of zCDP in Yu et al. 2019, Theorem 3.

    >>> RangeLimitedCurve("0.5", 4).certified_divergence(4).contains(2)
    True
    """

    rho: Exact
    limit: Exact

    def __init__(self, rho: exact.Number, limit: exact.Number) -> None:
        object.__setattr__(self, "rho", nonnegative(rho, "rho"))
        object.__setattr__(self, "limit", order_above_one(limit, "the largest order"))

    def divergence(self, order: Ball) -> Ball:
        """α·ρ."""
        return order * as_ball(self.rho)

    def greatest_order(self) -> Ball:
        """The largest order of the range."""
        return as_ball(self.limit)


@dataclass(frozen=True)
class Composition(RenyiCurve):
    """The adaptive composition: curves add, each counted `steps` times (Mironov 2017, Proposition 1).

    Build one with `composed`.
    """

    parts: tuple[tuple[RenyiCurve, int], ...]

    def divergence(self, order: Ball) -> Ball:
        """Σ steps·D_α."""
        total = ball(0)
        for curve, steps in self.parts:
            total += steps * curve.divergence(order)
        return total

    def greatest_order(self) -> Ball | None:
        """The smallest of the parts' limits."""
        limits = [limit for limit in (curve.greatest_order() for curve, _ in self.parts) if limit is not None]
        least = None
        for limit in limits:
            least = limit if least is None else least.min(limit)
        return least

    def exact_largest_loss(self) -> Exact | None:
        """The sum of the parts' exact largest losses."""
        total = exact.number(0)
        for curve, steps in self.parts:
            loss = curve.exact_largest_loss()
            if loss is None:
                return None
            total += steps * loss
        return total

    def largest_loss(self) -> Ball | None:
        """The sum of the parts' largest losses."""
        total = ball(0)
        for curve, steps in self.parts:
            loss = curve.largest_loss()
            if loss is None:
                return None
            total += steps * loss
        return total


def composed(*parts: RenyiCurve | tuple[RenyiCurve, exact.Number]) -> Composition:
    """The composition of curves, or of (curve, steps).

    >>> composed((LinearCurve(1), 3), LinearCurve(2)).certified_divergence(2).contains(10)
    True
    """
    read = [part if isinstance(part, tuple) else (part, 1) for part in parts]
    if not read:
        raise InputError("a composition needs at least one curve")
    return Composition(tuple((curve, at_least_one(steps, "steps")) for curve, steps in read))
