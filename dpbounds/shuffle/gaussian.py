"""The summand of the privacy blanket for Gaussian noise, and the moment function M of it around its branch cut.

As t = (1 − 2v)/(2σ²), X is e^t − l or 1 − l·e^t, each with the density ρ(t) = σφ(1/(2σ) + σt), t ≥ 0, and else 0; γ = 2Φ(−1/(2σ)). So

    M(z) = 1 − γ + ∫_0^∞ ρ(t)·(e^{z(e^t − l)} + e^{z(1 − l·e^t)}) dt

is finite for Re z = 0 alone. But ρ is entire and |ρ(s + iθ)| = e^{(σθ)²/2}·ρ(s). So the path of the first term may turn, to
0 → τ → τ + iθ → ∞ + iθ, and that of the second the other way: M goes on from the upper half of the imaginary axis to a function of log z.
For z aslant both sides take a way 0 → s → t → ∞ + i·Im t with a leg from s aslant. Every such way with π/2 < Im t + arg z < 3π/2, and
|arg z − |Im t|| < π/2 on the other side, has the same M. Of some of them the one is taken on which Σ|mass|·e^{Re zX} is least in floats,
for its n-th power bounds Mⁿ: a poor choice costs digits only.
One path serves a region of z, by Gauss–Legendre panels with a bound on ellipses in t. |M| and the part T of the turned legs are bounded on
a region by Σ|mass|·e^{Re zX} over the nodes, which is convex in z and so largest at a corner of a polygon around it.

**Beyond R, slanted.** With arg z = b and 0 < v ≤ π/2 the path e^t = 1 + qe^{ia}, a = π/2 − b + v, q ≥ 0, turns by at most a, keeps
|e^t| ≥ sin b, and has Re z(e^t − 1) = −q|z|·sin v. On the other side t stays real, and e^t − 1 ≥ t. So |M(z) − (1 − γ)| is at most
e^{Re z·(1 − l)}·σφ(0)·(e^{(σa)²/2}/(|z|·sin v·sin b) + 1/(l·Re z)), which falls for each v. For a ≤ π/2 and |z|·sin v ≥ σ²a a 2 stands in
place of e^{(σa)²/2}: Im t ≤ min(q, a), so that (σ·Im t)² ≤ q|z|·sin v, for q ≤ a by the first and for q ≥ a by the second.
"""

from __future__ import annotations

import cmath
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from flint import acb, arb

from dpbounds.numbers.gauss_legendre import ACROSS, ALONG, cover
from dpbounds.numbers.to_digits import normal_cdf
from dpbounds.shuffle.blanket import BlanketLaw, Ends, Points, Region, Upwards, largest_of

_BEYOND, _WIDER, _FALLEN = 0.93, 2.2, 2.5
"""θ − π/2 for real z, the most of it in multiples of 1/σ, and from which τ on that does not matter."""
_STOPS, _RISES = (1.0, 0.8, 0.6, 0.3, 0.0), (math.pi / 2, 1.2, 0.8, 0.4)
"""Ways for other z: s in multiples of the longest, and the angle of the leg from there."""
_PAST, _SHARES, _SMALL, _LARGE = (_BEYOND, 0.6, 0.3, 0.15), (0.5, 0.0, 0.9), 0.05, 100
"""Im t beyond π/2 − arg z, and on the other side in multiples of arg z. |z|, in multiples of σ², up to which all
keep the real leg, for Mⁿ of many users is bounded by no other, and in multiples of 1 + σ² from which on all turn at once."""
_SLANT, _STEEPER, _BEYOND_RIGHT = 1.1, 5.0, (0.01, 0.03, 0.1, 0.3, 1.0)
"""The angle of a slanted ray; its distance from a right one for wide noise, in multiples of 1/σ; and beyond it: what is tried of v."""
_POINTS, _FAR, _HIGHEST = 10, 6, 600.0
"""Of a sum in floats: points on a leg, where the last one ends in multiples of 1/σ, and the largest exponent."""
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


class GaussianSummand(BlanketLaw):
    """The law of X for standard deviation σ and l = e^ε, at the current precision; `half` is 1/(2σ) and `front` σφ(0)."""

    def __init__(self, sigma: arb, level: arb) -> None:
        self.sigma, self.level, self.half, self.front = sigma, level, 1 / (2 * sigma), sigma / (2 * arb.pi()).sqrt()
        self.none = 1 - 2 * normal_cdf(-self.half)
        slant = arb(max(_SLANT, math.pi / 2 - _STEEPER / float(sigma.mid())))
        self.slanted = acb(slant.cos(), slant.sin())

    def margin(self, stop: float) -> float:
        """θ − π/2 for real z, where the real leg ends at `stop`: less where |ρ| has not fallen enough."""
        return _BEYOND if stop > _FALLEN else min(_BEYOND, _WIDER / float(self.sigma.mid()))

    def density(self, t: Any) -> Any:
        """ρ."""
        return self.front * (-((self.half + self.sigma * t) ** 2) / 2).exp()

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
        most = (turn[0] + region.angle[0] + shift).union(turn[1] + region.angle[1] + shift).cos().upper()
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
        return normal_cdf(-self.half - self.sigma * at) * ((self.sigma * turn) ** 2 / 2 + swing).exp()

    def turned(self, kappa: arb, stop: arb) -> Ends:
        """C and D for paths that turn at τ = `stop`, where x·e^τ = κ."""
        turn = arb(math.pi / 2 + self.margin(float(stop.mid())))
        steps = turn / _PIECES
        growth = [((self.sigma * steps * (k + 1)) ** 2 / 2 + kappa * (steps * k).cos()).exp() for k in range(_PIECES)]
        last = ((self.sigma * turn) ** 2 / 2 + kappa * turn.cos()).exp() / self.kappa(stop)
        return steps * sum(growth, arb(0)) + last, (-stop).exp() * (largest_of(growth) * turn + last) / turn.sin()

    def by_parts(self, c: arb, stop: arb) -> arb:
        """K: of each side the values of |g(t)e^{−t}|, g = ρ·e^{cX}, at both ends and its variation, over l on the side that falls."""
        start = self.density(arb(0)) * (c * (1 - self.level)).exp()
        rising = itertools.pairwise([stop * piece / _PIECES for piece in range(_PIECES + 1)])
        largest = [self.density(low) * (c * (high.exp() - self.level) - low).exp() for low, high in rising]
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
        legs = self.straight(float(x.mid()))
        return arb(self.kept(self.path(legs, region, fine, arb(1)), x).upper()), arb(0.0 if legs[0].turned else legs[0].length)

    def kept(self, path: Path, x: arb) -> arb:
        """A(x)."""
        return sum(((x * value.real).exp() * mass.real for value, mass in path.kept), self.none) + arb(0, path.kept_error)

    def upwards(self, c: arb, fine: arb) -> Upwards:
        """Of the law that is cut at τ, and of the turned legs."""
        top, stop = self.cut(c, fine)
        constant, falls = ((-c * self.level).exp() * self.density(stop) * size for size in self.turned(c * stop.exp(), stop))
        variance = partial(self.variance, stops=(stop, arb.pos_inf()), atoms=[])
        return top, arb(0), self.by_parts(c, stop), (constant, falls), variance

    def aslant(self, z: acb) -> arb:
        """A bound on |M − (1 − γ)| on a slanted ray, from z on."""
        ahead = arb.pos_inf()
        for past in map(arb, _BEYOND_RIGHT):
            bend = arb.pi() / 2 - z.arg() + past
            far = 2 * bend <= arb.pi() and abs(z) * past.sin() >= self.sigma**2 * bend
            ahead = ahead.min((arb(2) if far else ((self.sigma * bend) ** 2 / 2).exp()) / (past.sin() * z.arg().sin()))
        return (z.real * (1 - self.level)).exp() * self.front * (ahead / abs(z) + 1 / (self.level * z.real))

    def around(self, region: Region, fine: arb) -> tuple[arb, Callable[[acb], acb]]:
        """With all legs alike."""
        path = self.path(self.legs(region), region, fine, fine)
        points, missed = path.kept + path.turned, path.kept_error + path.turned_error
        ball = acb(arb(0, missed), arb(0, missed))
        return region.worst(points) + missed, lambda z: sum(((z * value).exp() * mass for value, mass in points), ball)

    def straight(self, x: float) -> list[BlanketLeg]:
        """For z about x: along the real line to τ and straight up, and the real line for the other side."""
        stop = self.crossing(x)
        return [*_way(True, stop, math.pi / 2, math.pi / 2 + self.margin(stop)), *_way(False, 0.0, 0.0, 0.0)]

    def legs(self, region: Region) -> list[BlanketLeg]:
        """For other z: for each side the way with the least Σ|mass|·e^{Re zX} in floats."""
        z, low = complex(sum(region.corners, acb(0)).mid()) / 4, max(0.0, float(region.angle[0].mid()))
        spread, found = float(self.sigma.mid()) ** 2, list[BlanketLeg]()
        shares = (1.0,) if abs(z) < _SMALL * spread else (0.0,) if abs(z) > _LARGE * (1 + spread) else _STOPS
        tried = len(_STOPS) if shares == _STOPS else 1
        for positive in (True, False):
            stop = self.crossing(abs(z) * (1 if positive else float(self.level.mid()))) or max(0.0, 1 - 1 / (2 * spread))
            turns = [math.pi / 2 - low + past for past in _PAST] if positive else [share * low for share in _SHARES]
            ways = itertools.product([share * stop for share in shares], _RISES[:tried], turns[:tried])
            found += min((_way(positive, *way) for way in ways), key=lambda way: sum(self.approx_size(leg, z) for leg in way))
        return found

    def approx_size(self, leg: BlanketLeg, z: complex) -> float:
        """About ∫|ρe^{zX}dt| on a leg, in floats."""
        sigma, level, total = float(self.sigma.mid()), float(self.level.mid()), 0.0
        start, direction = complex(leg.start.mid()), complex(leg.direction.mid())
        length = _FAR / sigma if leg.length is None else leg.length
        for k in range(_POINTS):
            place, step = ((k + 0.5) / _POINTS) ** 2, (2 * k + 1) / _POINTS**2
            t = start + direction * length * place
            grown = cmath.exp(complex(min(t.real, _HIGHEST), t.imag))
            exponent = z * (grown - level if leg.positive else 1 - level * grown) - (1 / (2 * sigma) + sigma * t) ** 2 / 2
            total += length * step * math.exp(min(exponent.real, _HIGHEST))
        return total

    def path(self, legs: list[BlanketLeg], region: Region, goal: arb, turned_goal: arb) -> Path:
        """Nodes on these legs that are good for all z of a region."""
        points: tuple[Points, Points] = [], []
        missed = [arb(0), arb(0)]
        for leg in legs:
            wanted, largest = turned_goal if leg.turned else goal, partial(self.largest, leg, region)
            beyond = partial(self.left_out, leg, region) if leg.length is None else None
            panels = cover(0.0, 0.5, largest, wanted, leg.length, beyond, growth=4, most=_MOST_PANELS)
            missed[leg.turned] += sum((panel.error for panel in panels), arb(0))
            if beyond:
                missed[leg.turned] += beyond(panels[-1].high if panels else 0.0)
            for node, weight in (each for panel in panels for each in panel.nodes()):
                t = leg.start + leg.direction * node
                grown, mass = t.exp(), leg.direction * weight * self.density(t)
                points[leg.turned].append((grown - self.level if leg.positive else 1 - self.level * grown, mass))
        return Path(*points, *(arb(error.upper()) for error in missed))


def _way(positive: bool, stop: float, rise: float, turn: float) -> list[BlanketLeg]:
    """Along the real line to `stop`, at an angle up (`positive`) or down until |Im t| is `turn`, and on; without a turn the real line."""
    if not turn:
        return [BlanketLeg(acb(0), acb(1), None, positive, False)]
    up, length = acb(arb(rise).cos() if rise < math.pi / 2 else 0, arb(rise).sin()), turn / math.sin(rise)
    up = up if positive else up.conjugate()
    found = [BlanketLeg(acb(0), acb(1), stop, positive, False)] if stop else []
    return [*found, BlanketLeg(acb(stop), up, length, positive, positive), BlanketLeg(stop + up * length, acb(1), None, positive, positive)]
