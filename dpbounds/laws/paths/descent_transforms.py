"""Transforms of an analytic density along a ray of the complex plane, for many points at once.

    J(z) = ∫_0^R g(r·d)·e^{ζ·d·r}·d dr,    ζ = ±z,

on Gauss–Legendre panels in r; the modulus of g on the ellipse of a panel comes from its value in the middle and its slope on a box.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from flint import acb, arb

from dpbounds.errors import PrecisionError
from dpbounds.numbers.gauss_legendre import ACROSS, ALONG, Panel, cover

_RATIO = 1.2
_STEEPNESS = 0.2
_MOST_CELLS = 600


@dataclass(frozen=True)
class Patch:
    """The ellipse middle + turn·(along·cos θ + i·across·sin θ), |turn| = 1; a segment where across = 0."""

    middle: acb
    turn: acb
    along: arb
    across: arb

    def reach(self, weight: acb) -> arb:
        """The largest Re(weight·z) in the ellipse."""
        axis = weight * self.turn
        return (weight * self.middle).real + abs(acb(self.along * axis.real, self.across * axis.imag))

    def distance(self, pole: arb) -> arb:
        """A lower bound on |z − pole|, 0 if none is found."""
        moved = self.middle - pole
        away = moved.conjugate() / abs(moved)
        return arb((-Patch(moved, self.turn, self.along, self.across).reach(-away)).lower()).nonnegative_part()

    def ends(self) -> tuple[acb, acb]:
        """The ends of the longer axis."""
        return self.middle - self.turn * self.along, self.middle + self.turn * self.along


class Density(Protocol):
    """A density g that is analytic where its methods give finite balls, also on boxes."""

    def value(self, x: acb) -> acb:
        """g(x)."""

    def slope(self, x: acb) -> acb:
        """(log g)′(x)."""


@dataclass(frozen=True)
class TransformCell:
    """[low, high] with |g(rd)·d| ≤ size·e^{(r − middle)·m} for some m in [least, most]."""

    low: float
    high: float
    size: arb
    least: arb
    most: arb

    def integral(self, kappa: arb) -> arb:
        """A bound on ∫|g(rd)·d|·e^{κr}dr over the cell."""
        middle = (arb(self.low) + arb(self.high)) / 2
        half = middle - self.low
        left = (kappa * self.low - self.least * half).exp() * _mean((kappa + self.least) * half)
        return self.size * half * (left + (kappa * middle).exp() * _mean((kappa + self.most) * half))


def _mean(x: arb) -> arb:
    """∫_0^1 e^{xt}dt, x an exact number or a short interval."""
    return x.expm1() / x if abs(x) > 0.01 else arb(1).max(x.exp())


@dataclass
class Ray:
    """One J(z).

    Args:
        density: g, at offsets x = r·d.
        direction: d. sign: ζ = sign·z. length: R, None for ∞.
        scale: the distance on which g changes near r = 0.
        tail: a bound on ∫_R^∞ |g(rd)·d|·e^{κr}dr, from R and κ; only for rays without an end.
    """

    density: Density
    direction: acb
    sign: int
    scale: float
    length: float | None = None
    tail: Callable[[float, arb], arb] | None = None
    _cells: list[TransformCell] = field(default_factory=list, repr=False)

    def bound(self, patch: Patch) -> arb:
        """A bound on |J(z)| on the patch: ∫|g·d|·e^{κr}dr, κ the largest Re(ζd), cell by cell; infinite where they are too many."""
        kappa = arb(patch.reach(self.sign * self.direction).upper())
        total, index = arb(0), 0
        while True:
            left = self._cells[index - 1].high if index else 0.0
            if self.length is not None and left >= self.length:
                return arb(total.upper())
            if self.tail is not None and index % 4 == 0:
                rest = self.tail(left, kappa)
                if rest <= total / 64:
                    return arb((total + rest).upper())
            if index == _MOST_CELLS:
                return arb.pos_inf()
            if index == len(self._cells):
                self._cells.append(self._cell(left))
            total += self._cells[index].integral(kappa)
            index += 1

    def _cell(self, left: float) -> TransformCell:
        width = max(self.scale / 4, left * (_RATIO - 1))
        while width > 1e-12 * self.scale:
            right = left + width if self.length is None else min(left + width, self.length)
            middle, half = (arb(left) + arb(right)) / 2, (arb(right) - arb(left)) / 2
            slope = (self.density.slope(self.direction * acb(arb(middle, half.upper()))) * self.direction).real
            size = abs(self.density.value(self.direction * middle) * self.direction)
            if slope.is_finite() and size.is_finite() and slope.rad() * half <= _STEEPNESS:
                return TransformCell(left, right, arb(size.upper()), arb(slope.lower()), arb(slope.upper()))
            width /= 2
        raise PrecisionError("the density of the loss is too steep for the contour; no digit was reached")

    def plan(self, patch: Patch, goal: arb) -> RayPlan:
        """Panels for every z of a segment, each with an error of `goal`.

        On the ellipse of a panel with the middle r₀, log(g(rd)e^{ζdr}) − log(g(r₀d)e^{ζdr₀}) = (ζ + m)d(r − r₀) up to D·|r − r₀|, m the
        slope of log g at r₀d and D the largest distance from it in a box; the largest real part over z is at an end of the segment.
        """
        ends = [self.sign * end for end in patch.ends()]
        size = abs(self.direction)
        kappa = arb(patch.reach(self.sign * self.direction).upper())

        def bound(left: float, right: float) -> arb:
            half, middle = (arb(right) - arb(left)) / 2, (arb(left) + arb(right)) / 2
            along, across = half * ALONG, half * ACROSS
            slope = self.density.slope(self.direction * middle)
            box = self.density.slope(self.direction * acb(arb(middle, along.upper()), arb(0, across.upper())))
            if not (box.is_finite() and slope.is_finite()):
                return arb.pos_inf()
            growth = arb.neg_inf()
            for zeta in ends:
                linear = (zeta + slope) * self.direction
                here = (zeta * self.direction).real * middle + abs(acb(linear.real * along, linear.imag * across))
                growth = growth.max(here)
            growth += abs(box - slope) * size * along
            return arb((abs(self.density.value(self.direction * middle)) * size * growth.exp()).upper())

        tail = self.tail
        rest = None if tail is None else (lambda left: tail(left, kappa))
        fastest = max(float(abs(end)) for end in ends)
        panels = cover(0.0, min(self.scale, 2 / max(fastest, 1e-30)), bound, goal, self.length, rest)
        error = sum((panel.error for panel in panels), arb(0))
        if rest is not None:
            error += rest(panels[-1].high if panels else 0.0)
        return RayPlan([(panel.low, panel.high, panel.order) for panel in panels], arb(error.upper()))

    def values(self, points: Sequence[acb], plan: RayPlan) -> list[acb]:
        """J at each point, the error in the ball."""
        offsets, weights = [], []
        for low, high, order in plan.panels:
            for node, weight in Panel(low, high, order, arb(0), arb(0)).nodes():
                offset = self.direction * node
                offsets.append(offset)
                weights.append(self.density.value(offset) * self.direction * weight)
        around = arb(0, plan.error)
        found = []
        for point in points:
            zeta = self.sign * point
            terms = (weight * (zeta * offset).exp() for offset, weight in zip(offsets, weights, strict=True))
            found.append(sum(terms, acb(around, around)))
        return found


@dataclass(frozen=True)
class RayPlan:
    """Panels (low, high, order) along a ray and the sum of their errors."""

    panels: list[tuple[float, float, int]]
    error: arb
