"""The summand of the privacy blanket for Gaussian noise, and the moment function M of it around its branch cut.

As t = (1 − 2v)/(2σ²), X is e^t − l or 1 − l·e^t, each with the density ρ(t) = σφ(1/(2σ) + σt), t ≥ 0, and else 0; γ = 2Φ(−1/(2σ)). So

    M(z) = 1 − γ + ∫_0^∞ ρ(t)·(e^{z(e^t − l)} + e^{z(1 − l·e^t)}) dt

is finite for Re z = 0 alone. But ρ is entire and |ρ(s + iθ)| = e^{(σθ)²/2}·ρ(s). So the path of the first term may turn, to
0 → τ → τ + iθ → ∞ + iθ, and that of the second the other way: M goes on from the upper half of the imaginary axis to a function of log z.
For z aslant with |z| about σ² or less the way up is aslant too, and from 0 where |ρ| falls on it: straight up it would grow by e^{(σθ)²/2}.
One path serves a region of z, by Gauss–Legendre panels with a bound on ellipses in t. |M| and the part T of the turned legs are bounded on
a region by Σ|mass|·e^{Re zX} over the nodes, which is convex in z and so largest at a corner of a polygon around it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from flint import acb, arb

from dpbounds.numbers.gauss_legendre import ACROSS, ALONG, cover
from dpbounds.numbers.to_digits import normal_cdf
from dpbounds.shuffle.blanket import BlanketLaw, Ends, Points, Region, Upwards, largest_of

_BEYOND, _WIDER, _FALLEN, _LARGE = 0.93, 2.2, 2.5, 1.2
"""θ − π/2 for real z, the most of it in multiples of 1/σ, and from which τ, or |z| in multiples of σ², on that does not matter."""
_LESS, _OTHER, _LEAST_TURN, _STEEP, _LONGER = 0.2, 0.5, 0.02, 1.2, 3
"""For other z: the share by which θ − π/2 falls for each radian, the other turn, its least one, and where and how late turns come."""
_RISE, _SMALL = 0.7, 0.05
"""By how much a way up aslant is steeper than π/2 − arg z, in multiples of θ − π/2; below which |z|, in multiples of σ², there is none:
for many users a bound on |M|ⁿ wants the real leg."""
_PIECES, _MOST_PANELS = 16, 64


@dataclass(frozen=True)
class BlanketLeg:
    """t = start + direction·s for 0 ≤ s ≤ length, or on to infinity; `positive`: of e^{z(e^t − l)}; `turned`: beyond the real line."""

    start: acb
    direction: acb
    length: float | None
    positive: bool
    turned: bool

    def box(self, low: float, high: float) -> tuple[Ends, Ends]:
        """Ends of Re t and of Im t around the ellipse of a panel."""
        half, middle = (arb(high) - arb(low)) / 2, self.start + self.direction * (arb(low) + arb(high)) / 2
        along, across = half * arb(ALONG), half * arb(ACROSS)
        ahead, aside = self.direction.real, self.direction.imag
        wide, tall = ((along * ahead) ** 2 + (across * aside) ** 2).sqrt(), ((along * aside) ** 2 + (across * ahead) ** 2).sqrt()
        return (middle.real - wide, middle.real + wide), (middle.imag - tall, middle.imag + tall)


@dataclass(frozen=True)
class Path:
    """X and mass of the nodes on the real legs and those of the other side, and on the turned legs of this one; what the rules miss."""

    kept: Points
    turned: Points
    kept_error: arb
    turned_error: arb


@dataclass(frozen=True)
class GaussianSummand(BlanketLaw):
    """The law of X for standard deviation σ and l = e^ε, at the current precision."""

    sigma: arb
    level: arb

    def margin(self, stop: float, size: float = 0.0) -> float:
        """θ − π/2 for real z, where the real leg ends at `stop`: less where neither |ρ| nor, for a large |z|, e^{zX} has fallen enough."""
        return _BEYOND if stop > _FALLEN or size > _LARGE * float(self.sigma.mid()) ** 2 else min(_BEYOND, _WIDER / float(self.sigma.mid()))

    @cached_property
    def half(self) -> arb:
        """1/(2σ)."""
        return 1 / (2 * self.sigma)

    @cached_property
    def front(self) -> arb:
        """σφ(0)."""
        return self.sigma / (2 * arb.pi()).sqrt()

    @cached_property
    def none(self) -> arb:  # type: ignore[override]
        """1 − γ."""
        return 1 - 2 * normal_cdf(-self.half)

    def density(self, t: Any) -> Any:
        """ρ."""
        return self.front * (-((self.half + self.sigma * t) ** 2) / 2).exp()

    def beyond(self, t: arb) -> arb:
        """∫_t^∞ ρ."""
        return normal_cdf(-self.half - self.sigma * t)

    def kappa(self, t: arb | float) -> arb:
        """½ + σ²t: with x·e^t = κ, where ρ(t)e^{xe^t} is least."""
        return arb("0.5") + self.sigma**2 * t

    def crossing(self, size: float) -> float:
        """The largest t with size·e^t = κ, or 0."""
        spread, t = float(self.sigma.mid()) ** 2, 1e4
        for _ in range(60):
            inside = (0.5 + spread * t) / size
            t = math.log(inside) if inside > 1 else 0.0
        return t

    def swing(self, leg: BlanketLeg, region: Region, real: Ends, turn: Ends) -> arb:
        """A bound on Re zX for t in a box: Re z·e^t = |z|e^{Re t}·cos(Im t + arg z), or as X is 1 − l and z·(e^t − 1), z·l(1 − e^t)."""
        shift = arb(0) if leg.positive else arb.pi()
        most = _most_cosine(turn[0] + region.angle[0] + shift, turn[1] + region.angle[1] + shift)
        reach = (most * region.size[1] * real[1].exp()).max(most * region.size[0] * real[0].exp())
        apart = reach - region.real[0] * self.level if leg.positive else reach * self.level + region.real[1]
        if not real[1] < 1:
            return apart
        more = acb(real[0].union(real[1]), turn[0].union(turn[1])).exp() - 1
        moved = (acb(region.real[0].union(region.real[1]), region.imaginary[0].union(region.imaginary[1])) * more).real
        return apart.min(arb((moved if leg.positive else -self.level * moved).upper()) + region.real[0] * (1 - self.level))

    def largest(self, leg: BlanketLeg, region: Region, low: float, high: float) -> arb:
        """A bound on |ρ(t)e^{zX}| on the ellipse of a panel."""
        real, turn = leg.box(low, high)
        near, far = (self.half + self.sigma * real[0]).nonnegative_part(), turn[1].max(-turn[0])
        return self.front * ((self.sigma * self.sigma * far * far - near * near) / 2 + self.swing(leg, region, real, turn)).exp()

    def left_out(self, leg: BlanketLeg, region: Region, low: float) -> arb:
        """The same, integrated from there to infinity, where Re zX falls."""
        at, turn = leg.start.real + arb(low), leg.start.imag
        swing = self.swing(leg, region, (at, arb.pos_inf()), (turn, turn))
        return self.beyond(at) * ((self.sigma * turn) ** 2 / 2 + swing).exp()

    def turned(self, kappa: arb, stop: arb) -> Ends:
        """C and D for paths that turn at τ = `stop`, where x·e^τ = κ."""
        turn = arb(math.pi / 2 + self.margin(float(stop.mid())))
        growth, steps = [], turn / _PIECES
        for piece in range(_PIECES):
            growth.append(((self.sigma * steps * (piece + 1)) ** 2 / 2 + kappa * (steps * piece).cos()).exp())
        last = ((self.sigma * turn) ** 2 / 2 + kappa * turn.cos()).exp() / self.kappa(stop)
        return steps * sum(growth, arb(0)) + last, (-stop).exp() * (largest_of(growth) * turn + last) / turn.sin()

    def by_parts(self, c: arb, stop: arb) -> arb:
        """K: of each side the values of |g(t)e^{−t}|, g = ρ·e^{cX}, at both ends and its variation, over l on the side that falls."""
        start, largest = self.density(arb(0)) * (c * (1 - self.level)).exp(), list[arb]()
        for piece in range(_PIECES):
            low, high = stop * piece / _PIECES, stop * (piece + 1) / _PIECES
            largest.append(self.density(low) * (c * (high.exp() - self.level) - low).exp())
        end = self.density(stop) * (c * (stop.exp() - self.level) - stop).exp()
        return start + 2 * (largest_of(largest) + end) + 2 * start / self.level

    def masses(self, low: arb, high: arb) -> list[arb]:
        """∫ e^{kt}ρ(t) dt for k = 0, 1, 2: e^{kt}ρ(t) is a normal density again."""
        starts, stops = ([k / self.sigma - self.half - self.sigma * t for k in range(3)] for t in (low, high))
        grown = [((k * (k - 1)) * 2 * self.half * self.half).exp() for k in range(3)]
        return [g * (normal_cdf(start) - normal_cdf(end)) for g, start, end in zip(grown, starts, stops, strict=True)]

    def cut(self, x: arb, fine: arb) -> Ends:
        """A bound on the part A of M(x) on the real legs and the other side, and τ, where the real leg ends."""
        region = Region.sector(x, x, arb(0))
        path, first = self.path(region, fine, arb(1)), self.legs(region)[0]
        return arb(self.kept(path, x).upper()), arb(0.0 if first.turned else first.length)

    def kept(self, path: Path, x: arb) -> arb:
        """A(x)."""
        return sum(((x * value.real).exp() * mass.real for value, mass in path.kept), self.none) + arb(0, path.kept_error)

    def upwards(self, c: arb, fine: arb) -> Upwards:
        """Of the law that is cut at τ, and of the turned legs."""
        top, stop = self.cut(c, fine)
        constant, falls = ((-c * self.level).exp() * self.density(stop) * size for size in self.turned(c * stop.exp(), stop))
        variance = partial(self.variance, stops=(stop, arb.pos_inf()), atoms=[])
        return Upwards(top, arb(0), self.by_parts(c, stop), (constant, falls), variance)

    def around(self, region: Region, fine: arb) -> tuple[arb, Callable[[acb], acb]]:
        """With all legs alike."""
        path = self.path(region, fine, fine)
        points, missed = path.kept + path.turned, path.kept_error + path.turned_error
        ball = acb(arb(0, missed), arb(0, missed))
        return region.worst(points) + missed, lambda z: sum(((z * value).exp() * mass for value, mass in points), ball)

    def legs(self, region: Region) -> list[BlanketLeg]:
        """For all z of a region."""
        size, angle, real = (float(sum(ends, arb(0)).mid()) / 2 for ends in (region.size, region.angle, region.real))
        size = max(real, size / _LONGER) if angle > _STEEP else size
        found, one = list[BlanketLeg](), acb(1)
        for positive in (True, False):
            stop = self.crossing(size if positive else size * float(self.level.mid()))
            margin = self.margin(stop, size)
            turn = math.pi / 2 - angle + margin * (1 - _LESS * angle) if positive else -_OTHER * angle
            if not positive and -turn < _LEAST_TURN:
                return [*found, BlanketLeg(acb(0), one, None, positive, False)]
            rise = math.pi / 2 if positive else -math.pi / 2
            if positive and _SMALL < size / float(self.sigma.mid()) ** 2 < _LARGE and margin < _BEYOND:
                rise = min(rise, rise - angle + _RISE * margin)
            stop = 0.0 if 0 < rise < math.pi / 4 else stop  # where |ρ| falls on the way up
            found += [BlanketLeg(acb(0), one, stop, positive, False)] if stop else []
            up = acb(arb(rise).cos(), arb(rise).sin()) if abs(rise) < math.pi / 2 else acb(0, math.copysign(1, rise))
            length = turn / math.sin(rise)
            found += [BlanketLeg(acb(stop), up, length, positive, positive), BlanketLeg(stop + up * length, one, None, positive, positive)]
        return found

    def path(self, region: Region, goal: arb, turned_goal: arb) -> Path:
        """Nodes that are good for all z of a region."""
        points: tuple[Points, Points] = [], []
        missed = [arb(0), arb(0)]
        for leg in self.legs(region):
            wanted = turned_goal if leg.turned else goal

            def bound(low: float, high: float, leg: BlanketLeg = leg) -> arb:
                return self.largest(leg, region, low, high)

            def left_beyond(low: float, leg: BlanketLeg = leg) -> arb:
                return self.left_out(leg, region, low)

            panels = cover(0.0, 0.5, bound, wanted, leg.length, left_beyond if leg.length is None else None, growth=4, most=_MOST_PANELS)
            missed[leg.turned] += sum((panel.error for panel in panels), arb(0))
            if leg.length is None:
                missed[leg.turned] += left_beyond(panels[-1].high if panels else 0.0)
            for node, weight in (each for panel in panels for each in panel.nodes()):
                t = leg.start + leg.direction * node
                grown, mass = t.exp(), leg.direction * weight * self.density(t)
                points[leg.turned].append((grown - self.level if leg.positive else 1 - self.level * grown, mass))
        return Path(*points, *(arb(error.upper()) for error in missed))


def _most_cosine(low: arb, high: arb) -> arb:
    return low.cos().max(high.cos()) if low > 0 and high < 2 * arb.pi() else arb(1)
