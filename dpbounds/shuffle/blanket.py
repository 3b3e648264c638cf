"""What the privacy blankets of Laplace and Gaussian noise on an input in [0, 1] have in common, for the inputs 0 and 1.

With v a message, ω = min(p_0, p_1) (inputs in between only raise p_x where it is least), γ = ∫ω and t ≥ 0 the loss that a message shows,
X = (p_0 − l·p_1)/ω, l = e^ε, is e^t − l on the side of 0 and 1 − l·e^t on the other, and t has one law on both sides. X = 0 with
probability 1 − γ. With S the sum of n copies, E(S)₊/n is the bound, and M(z) = E e^{zX} is the moment function.

Source: Balle, Bell, Gascón & Nissim 2019, arXiv 1903.02837, Lemma 5.3 and Section 5.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

from flint import acb, arb

from dpbounds.numbers.balls import precision
from dpbounds.numbers.gauss_legendre import ACROSS, ALONG

_BOUND_BITS = 53
TOO_LONG = "the blanket needs too long a contour; no digit was reached; take fewer digits, more users or delta at a small epsilon"
Points = list[tuple[acb, acb]]
"""X and its mass."""
Ends = tuple[arb, arb]


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


@dataclass(frozen=True)
class Upwards:
    """Of M at Re z = c and Im z = y > 0, with a law on the reals and the rest T of M.

    Args:
        top: a bound on the law at y = 0. by_parts: K; the law is at most 1 − γ + `atoms` + K/y. turned: C and D; |T| ≤ min(C, D/y).
        variance: E_0·E_2 − E_1² of X where |X| ≤ a.
    """

    top: arb
    atoms: arb
    by_parts: arb
    turned: Ends
    variance: Callable[[arb], arb]


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
                sums[0] += masses[0]
                sums[1] += scale * masses[1] + shift * masses[0]
                sums[2] += scale**2 * masses[2] + 2 * scale * shift * masses[1] + shift**2 * masses[0]
        return sums[0] * sums[2] - sums[1] * sums[1]


def largest_of(values: Sequence[arb]) -> arb:
    """Rounded up."""
    return arb(reduce(arb.max, values).upper())
