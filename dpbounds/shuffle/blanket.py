"""What the privacy blankets of Laplace and Gaussian noise on an input in [0, 1] have in common, for the inputs 0 and 1.

With v a message, ω = min(p_0, p_1) (inputs in between only raise p_x where it is least), γ = ∫ω and t ≥ 0 the loss that a message shows,
X = (p_0 − l·p_1)/ω, l = e^ε, is e^t − l on the side of 0 and 1 − l·e^t on the other, and t has one law on both sides. X = 0 with
probability 1 − γ. With S the sum of n copies, E(S)₊/n is the bound, and M(z) = E e^{zX} is the moment function.

* **One path.** E(S)₊ = ½E S + (1/π)∫_0^∞ (1 − Re M(iy)ⁿ) dy/y². In the sector 0 ≤ arg z ≤ π/2 we have Mⁿ = 1 + z·E S + O(z²), and an arc
  of radius η from iη to η adds −1/η − ½π·E S to the imaginary part of ∫Mⁿ/z². So by Cauchy's theorem, and as ∫_c^∞ dz/z² = 1/c,

      π·E(S)₊ = Im ∫_0^c M(x)ⁿ dx/x² + Im ∫_c^∞ (M(z)ⁿ − (1 − γ)ⁿ) dz/z²,

  the second along a ray into the sector. The first has the single large messages, the second the sum of many: both are about positive, and
  nothing cancels. Upwards the ray is short where (1 − γ)ⁿ is small. Else it is slanted: M − (1 − γ) is about e^{z(1 − l)}/z there.
  For Laplace noise M is entire and real on the real line: the first integral is 0, and the ray goes up from where Mⁿ/c² is least.
* **Panels.** On (0, c] only the turned legs T have an imaginary part, and they are known to their own digits. With x = e^u the integrand is
  analytic, and at most n·B^{n−1}·|T|/|z| where |M| ≤ B; on the ray |Mⁿ − (1 − γ)ⁿ| ≤ Bⁿ + (1 − γ)ⁿ, or n·B^{n−1}·|M − (1 − γ)|.
* **Above Y, upwards.** For a law on the reals |M(c + iy)|² = M(c)² − E e^{c(X+X′)}(1 − cos y(X − X′)), and 1 − cos v ≥ 2v²/π² for |v| ≤ π.
  With the moments E_k of X where |X| ≤ a ≤ π/(2y) this is at most M(c)² − e^{−2ca}·4y²(E_0E_2 − E_1²)/π². By parts it is also at most
  1 − γ + Σ|atoms| + K/y. Both hold for the law that is cut at τ; the turned legs add at most ρ(τ)e^{−cl}·min(C, D/y) with
  D = e^{−τ}·(max·θ/sin θ + e^{(σθ)²/2 + κ·cos θ}/((½ + σ²τ)·sin θ)), `max` that of e^{(σa)²/2 + κ·cos a}, by sin a ≥ a·sin(θ)/θ.

Source: Balle, Bell, Gascón & Nissim 2019, arXiv 1903.02837, Lemma 5.3 and Section 5.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any

from flint import acb, arb

from dpbounds.errors import PrecisionError
from dpbounds.numbers.balls import precision
from dpbounds.numbers.gauss_legendre import ACROSS, ALONG, cover

_BOUND_BITS = 53
TOO_LONG = "the blanket needs too long a contour; no digit was reached; take fewer digits, more users or delta at a small epsilon"
DEEPER = 8
"""Bits by which M is finer than the goal."""
_LEAST = 1e-6
"""Of the first panel: when it is given up."""
_BLOCK, _FAR = 1.25, 1e30
"""Of the bound above Y: the ratio of blocks, and where it ends."""
Points = list[tuple[acb, acb]]
"""X and its mass."""
Ends = tuple[arb, arb]
Upwards = tuple[arb, arb, arb, Ends, Callable[[arb], arb]]
"""At Re z = c and Im z = y > 0, of a law on the reals and the rest T of M: a bound on the law at y = 0; its Σ|atoms| and K; C and D,
|T| ≤ min(C, D/y); and E_0·E_2 − E_1² of X where |X| ≤ a, a function of a."""


@dataclass(frozen=True)
class Region:
    """z with |z|, arg z and Re z between ends; `corners` are those of a polygon that holds the ones in question."""

    size: Ends
    angle: Ends
    real: Ends
    imaginary: Ends
    corners: tuple[acb, ...]

    @classmethod
    def sector(cls, low: arb, high: arb, angle: arb) -> Region:
        """low ≤ |z| ≤ high, |arg z| ≤ angle < π/2."""
        low, high, angle = arb(low.lower()), arb(high.upper()), arb(angle.upper())
        return cls.polygon((low, high), [acb(x, sign * x * angle.tan()) for x in (low * angle.cos(), high) for sign in (1, -1)])

    @classmethod
    def box(cls, middle: acb, direction: acb, half: arb) -> Region:
        """Around the ellipse of a panel, whose middle is farther from 0 than a corner from it."""
        corners = [middle + direction * acb(i * half * ALONG, j * half * ACROSS) for i in (1, -1) for j in (1, -1)]
        return cls.polygon((arb((abs(middle) - half * ALONG).lower()), largest_of([abs(z) for z in corners])), corners)

    @classmethod
    def polygon(cls, size: Ends, corners: list[acb]) -> Region:
        """With these ends of |z|, around corners in the right half-plane or above it."""
        angle, real, imaginary = (
            (-largest_of([-x for x in part]), largest_of(part)) for part in zip(*((z.arg(), z.real, z.imag) for z in corners), strict=True)
        )
        return cls(size, angle, real, imaginary, tuple(corners))

    def worst(self, points: Points) -> arb:
        """A bound on Σ|mass·e^{zX}| for all z of the polygon."""
        with precision(_BOUND_BITS):
            rows = [(abs(mass), value.real, value.imag) for value, mass in points]
            sums = (sum((m * (z.real * x - z.imag * y).exp() for m, x, y in rows), arb(0)) for z in self.corners)
            return largest_of(list(sums))


class BlanketLaw(ABC):
    """The law of X at the current precision; `level` is e^ε and `none` 1 − γ. `slanted`: the direction of a ray where M is to fall."""

    level: arb
    none: arb
    most_panels = 200
    slanted = acb(0, 1)

    @abstractmethod
    def around(self, region: Region, fine: arb) -> tuple[arb, Callable[[acb], acb]]:
        """M − (1 − γ): a bound on a region, and its values there, which may miss about `fine`."""

    @abstractmethod
    def upwards(self, c: arb, fine: arb) -> Upwards:
        """Bounds on a vertical ray."""

    @abstractmethod
    def masses(self, low: arb, high: arb) -> list[arb]:
        """∫ e^{kt}ρ(t) dt for k = 0, 1, 2."""

    def variance(self, reach: arb, stops: Ends, atoms: list[Ends]) -> arb:
        """E_0·E_2 − E_1² of X where |X| ≤ reach, t ≤ `stops` on either side, and for atoms in X with their masses."""
        level, near = self.level, [(value, mass) for value, mass in atoms if abs(value) <= reach]
        sums = [sum((mass * value**k for value, mass in near), self.none if k == 0 else arb(0)) for k in range(3)]
        ends = ((level - reach).max(arb(1)).log(), (level + reach).log().min(stops[0])), (arb(0), ((1 + reach) / level).log().min(stops[1]))
        for (low, high), (scale, shift) in zip(ends, ((arb(1), -level), (-level, arb(1))), strict=True):
            if high > low:
                masses = self.masses(low, high)
                for k in range(3):
                    sums[k] += sum((math.comb(k, j) * scale**j * shift ** (k - j) * masses[j] for j in range(k + 1)), arb(0))
        return sums[0] * sums[2] - sums[1] * sums[1]


def largest_of(values: Sequence[arb]) -> arb:
    """Rounded up."""
    return arb(reduce(arb.max, values).upper())


@dataclass(frozen=True)
class Plan:
    """log c, about c·(how far the second integral reaches), and log E(S)₊, in floats; a poor one costs digits only."""

    log_c: float
    width: float
    log_size: float


class BlanketIntegral(ABC):
    """One of the two integrals for n users, by panels in a real parameter.

    `goal` is what a panel may miss of an integral, and `fine` what M may miss; `none` is (1 − γ)ⁿ.
    """

    def __init__(self, law: Any, users: int, plan: Plan, reach: float) -> None:
        self.law, self.users, self.plan, self.reach = law, users, plan, reach
        self.c, self.none, self.goal = arb(plan.log_c).exp(), law.none**users, arb(plan.log_size - reach).exp()
        self.fine = arb(-reach).exp() / (users << DEEPER)

    @abstractmethod
    def around(self, low: float, high: float) -> tuple[arb, Callable[[arb], arb]]:
        """A bound on the integrand on the ellipse of a panel, and the integrand there; PrecisionError where there is none."""

    def integral(self, start: float, width: float, end: float | None, rest: Callable[[float], arb] | None = None) -> arb:
        """From `start` to `end`, or on to where `rest`, what is left, is below the goal."""
        values = dict[tuple[float, float], Callable[[arb], arb]]()

        def bound(low: float, high: float) -> arb:
            try:
                found, values[low, high] = self.around(low, high)
            except PrecisionError as error:  # the region is too wide for one path
                if high - low < _LEAST * width:
                    raise PrecisionError(TOO_LONG) from error
                return arb.pos_inf()
            return found

        def left(low: float) -> arb:
            return rest(low) if rest and low > start else arb.pos_inf()

        panels = cover(start, width, bound, self.goal, end, left, growth=1.5, most=self.law.most_panels)
        total = arb(0) if end else arb(0, left(panels[-1].high).upper())
        for panel in panels:
            if panel.size < self.goal / 8:
                total += arb(0, panel.size.upper())
            else:
                value = values[panel.low, panel.high]
                total += arb(0, panel.error.upper()) + sum((weight * value(node) for node, weight in panel.nodes()), arb(0))
        return total


class ManyMessages(BlanketIntegral):
    """Im ∫_c^∞ along a ray, in the distance from c: upwards, or slanted for Gaussian noise where (1 − γ)ⁿ is not small."""

    def __init__(self, law: BlanketLaw, users: int, plan: Plan, reach: float) -> None:
        super().__init__(law, users, plan, reach)
        self.direction = law.slanted if self.none > self.goal * self.c else acb(0, 1)
        if self.direction.real > 0:  # little is left of M
            self.fine = self.fine.min(self.goal * self.c / (users << DEEPER))

    def around(self, low: float, high: float) -> tuple[arb, Callable[[arb], arb]]:
        """Of Im (Mⁿ − (1 − γ)ⁿ)·dz/z²."""
        middle, half = self.c + self.direction * (arb(high) + arb(low)) / 2, (arb(high) - arb(low)) / 2
        if not abs(middle) > half * math.hypot(ALONG, ACROSS):
            raise PrecisionError(TOO_LONG)
        region = Region.box(middle, self.direction, half)
        side, moment = self.law.around(region, self.fine)
        return self.difference(side + self.law.none, side) / region.size[0] ** 2, partial(self.value, moment)

    def value(self, moment: Callable[[acb], acb], node: arb) -> arb:
        """The integrand."""
        z = self.c + self.direction * node
        side = moment(z)
        small = (self.users * (side / self.law.none).log1p()).expm1() * self.none if 2 * abs(side) < self.law.none else None
        return (((side + self.law.none) ** self.users - self.none if small is None else small) / (z * z) * self.direction).imag

    def total(self, end: float | None = None) -> arb:
        """To a distance, or on to where little is left."""
        return self.integral(0.0, 2 * min(self.plan.width, math.exp(self.plan.log_c) / 3), end, None if end else self.beyond())

    def difference(self, whole: arb, side: arb) -> arb:
        """A bound on |Mⁿ − (1 − γ)ⁿ|, for one on |M| and one on |M − (1 − γ)|."""
        return (whole**self.users + self.none).min(self.users * whole.max(self.law.none) ** (self.users - 1) * side)

    def beyond(self) -> Callable[[float], arb]:
        """From a distance to what lies beyond it on the ray, or to more than the goal."""
        return self.aslant if self.direction.real > 0 else partial(self.above, self.law.upwards(self.c, self.fine))

    def above(self, ends: Upwards, start: float) -> arb:
        """On a vertical ray."""
        (top, atoms, by_parts, (constant, falls), variance), total, low = ends, arb(0), arb(start)
        while True:
            turned = constant.min(falls / low)
            side = atoms + by_parts / low + turned
            last = self.difference(side + self.law.none, side) / low
            if last < self.goal / 8 or total > self.goal or low > _FAR:
                return total + last
            reach = arb.pi() / (2 * _BLOCK * low)
            lost = (2 * low / arb.pi()) ** 2 * (-2 * self.c * reach).exp() * variance(reach)
            whole = ((top**2 - lost).nonnegative_part().sqrt() + turned).min(side + self.law.none)
            total += self.difference(whole, side) * (1 - 1 / arb(_BLOCK)) / low
            low *= _BLOCK

    def aslant(self, start: float) -> arb:
        """On a slanted one."""
        side = self.law.aslant(self.c + self.direction * start)
        return self.difference(side + self.law.none, side) / start
