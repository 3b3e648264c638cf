"""The path in the plane of the noise along which a moment of large complex order is integrated without cancellation.

    s(t) = t + i(a + κ·w·log(1 + e^{(t−t₁)/w})),    t real: the height a left of the bend t₁, the slope κ right of it.

The moment integrand has a factor (1+ξ)^z with ξ = e^{s/σ}·const. At the height a it falls as |ξ| grows if arg z + a/σ exceeds a right
angle; on the ascent log(1+ξ) ≈ log ξ is proportional to s − s₀, and it falls if arg z + arctan κ does. On the real line the integrand
oscillates instead, and everything cancels. s(t) is analytic for |Im t| < πw.
"""

from __future__ import annotations

import cmath
from dataclasses import dataclass

from flint import acb, arb

from dpbounds.numbers.discs import ball_around_zero


@dataclass(frozen=True)
class RisingPath:
    """The path: `height` a, `slope` 0 ≤ κ < 1, `bend` t₁, `width` w > 0; lengths in units of the noise."""

    height: float
    slope: float
    bend: float
    width: float

    def at(self, t: acb) -> tuple[acb, acb]:
        """s(t) and s′(t).

        >>> s, derivative = RisingPath(0.5, 0.0, 3.0, 1.0).at(acb(2))
        >>> bool(s == acb(2, 0.5)), bool(derivative == 1)
        (True, True)
        """
        if not self.slope:
            return t + acb(0, self.height), acb(1)
        x = (t - self.bend) / self.width
        if x.real.mid() > 0:
            small = (-x).exp()
            rise, share = x + small.log1p(), 1 / (1 + small)
        else:
            small = x.exp()
            rise, share = small.log1p(), small / (1 + small)
        return t + acb(0, 1) * (self.height + arb(self.slope) * self.width * rise), 1 + acb(0, self.slope) * share

    def approx_at(self, t: complex) -> tuple[complex, complex]:
        """The same in float64."""
        x = (t - self.bend) / self.width
        small = cmath.exp(-x if x.real > 0 else x)
        rise = cmath.log(1 + small) + (x if x.real > 0 else 0)
        share = (1 if x.real > 0 else small) / (1 + small)
        return t + 1j * (self.height + self.slope * self.width * rise), 1 + 1j * self.slope * share

    def largest_shift(self) -> float:
        """s(t) is analytic for |Im t| up to this; less than πw, so that boxes around t keep off the singularities."""
        return 2.2 * self.width if self.slope else 1e3


@dataclass(frozen=True)
class PathEnd:
    """What is known of s(t + iy) for every t from `cut` on outward, |y| ≤ `side`, where the path is nearly straight.

    s = d·(t+iy) + i·offset + iκw·ε₁ and s′ = d + iκ·ε₂ with |ε₁|, |ε₂| ≤ r: on the right d = 1+iκ and offset = a − κt₁, because
    log(1+e^x) = x + log(1+e^{−x}); on the left d = 1 and offset = a. With X = |Re x| at the cut, |log(1+e^{∓x})| and |1/(1+e^{±x})|
    are at most r = 1/(e^X − 1).
    """

    path: RisingPath
    right: bool
    cut: arb
    side: arb

    @property
    def radius(self) -> arb:
        """r, infinite where the path still turns."""
        if not self.path.slope:
            return arb(0)
        x = (self.cut - self.path.bend) / self.path.width
        margin = (x if self.right else -x).expm1()
        return arb((1 / margin).upper()) if margin > 0 else arb.pos_inf()

    @property
    def derivative(self) -> acb:
        """A ball around s′ for every t beyond the cut."""
        r = self.radius * self.path.slope
        return acb(1, self.path.slope if self.right else 0) + ball_around_zero(r)

    def position(self, sigma: arb) -> arb:
        """A bound on Re s/σ at and beyond the cut: from below on the right, from above on the left."""
        spare = self.radius * self.path.slope * self.path.width
        if self.right:
            return (self.cut - arb(self.path.slope) * self.side - spare) / sigma
        return (self.cut + spare) / sigma

    def gaussian_slope(self) -> arb:
        """A bound from below on how fast log|φ(s)| falls outward, at and beyond the cut: ±Re(s·s′).

        Right: Re(d(d(t+iy) + i·offset)) = (1−κ²)t − 2κy − κ·offset, and the perturbation is at most κr|s₀| + κwr(|d| + κr),
        |s₀| ≤ |d|(t + |y|) + |offset|; the coefficient of t must be positive, and t ≥ 0. Left, T = −t: T − κwr − κr(T + |y| + |a| + κwr).
        """
        kappa, r, y = arb(self.path.slope), self.radius, self.side
        rise = kappa * self.path.width * r
        if not self.right:
            far = -self.cut
            return far - rise - kappa * r * (far + y + abs(arb(self.path.height)) + rise) if kappa * r < 1 else -arb.pos_inf()
        offset, size = arb(self.path.height) - kappa * self.path.bend, (1 + kappa**2).sqrt()
        coefficient = 1 - kappa**2 - kappa * r * size
        if not (coefficient > 0 and self.cut >= 0):
            return -arb.pos_inf()
        rest = 2 * kappa * y + kappa * offset + kappa * r * (size * y + abs(offset)) + rise * (size + kappa * r)
        return coefficient * self.cut - rest
