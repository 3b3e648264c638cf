"""The path in the plane of the noise along which a moment of large complex order is integrated without cancellation.

    s(t) = t + i(a + κ·w·log(1 + e^{(t−t₁)/w})),    t real: the height a left of the bend t₁, the slope κ right of it.

The moment integrand has a factor (1+ξ)^z with ξ = e^{s/σ}·const. At the height a it falls as |ξ| grows if arg z + a/σ exceeds a right
angle; on the ascent log(1+ξ) ≈ log ξ is proportional to s − s₀, and it falls if arg z + arctan κ does. On the real line the integrand
oscillates instead, and everything cancels. s(t) is analytic for |Im t| < πw.

The trapezoid rule takes a variable x with t = T(x),

    T(x) = x − λω·log(1 + e^{(x₁−x)/ω}) + λω·log(1 + e^{(x−x₂)/ω}),    x₁ ≤ x₂:

short steps in t between the corners x₁ and x₂, around the zeros of the densities, and 1+λ times as long outside of them, where the
integrand is nearly a Gaussian. T increases on the real line and is analytic for |Im x| < πω; the path is the same for any T.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass
from functools import lru_cache

from flint import acb, arb

from dpbounds.numbers.discs import ball_around_zero


@dataclass(frozen=True)
class Stretch:
    """The substitution t = T(x): corners `low` x₁ ≤ `high` x₂, `width` ω > 0 and `rate` λ ≥ 0; none as it stands."""

    low: float = 0.0
    high: float = 0.0
    width: float = 1.0
    rate: float = 0.0

    def value_and_slope(self, x: acb) -> tuple[acb, acb]:
        """T(x) and T′(x).

        >>> t, derivative = Stretch(-1.0, 1.0, 0.5, 3.0).value_and_slope(acb(0))
        >>> bool(t.overlaps(acb(0))), float(derivative.real.mid()) > 1
        (True, True)
        """
        if not self.rate:
            return x, acb(1)
        (left, left_share), (right, right_share) = softplus((self.low - x) / self.width), softplus((x - self.high) / self.width)
        rate = arb(self.rate)
        return x + rate * self.width * (right - left), 1 + rate * (left_share + right_share)

    def approx_at(self, x: complex) -> tuple[complex, complex]:
        """The same in float64."""
        if not self.rate:
            return x, 1
        left, left_share = approx_softplus((self.low - x) / self.width)
        right, right_share = approx_softplus((x - self.high) / self.width)
        return x + self.rate * self.width * (right - left), 1 + self.rate * (left_share + right_share)

    def beyond(self, t: float, *, right: bool) -> float:
        """About the x with T(x) = t, but outside of the corners, where T is nearly straight."""
        if not self.rate:
            return t
        x = self.approx_inverse(t)
        return max(x, self.high + 2 * self.width) if right else min(x, self.low - 2 * self.width)

    def _approx_real(self, x: float) -> float:
        """T(x) in float64."""
        left, right = (self.low - x) / self.width, (x - self.high) / self.width
        rise = max(right, 0.0) - max(left, 0.0) + math.log1p(math.exp(-abs(right))) - math.log1p(math.exp(-abs(left)))
        return x + self.rate * self.width * rise

    @lru_cache(maxsize=4096)  # noqa: B019
    def approx_inverse(self, t: float) -> float:
        """About the x with T(x) = t, remembered.

        >>> abs(Stretch(-1.0, 1.0, 0.5, 3.0).approx_inverse(0.0)) < 1e-9
        True
        """
        if not self.rate:
            return t
        low, high = min(t, self.low) - 1, max(t, self.high) + 1
        for _ in range(50):
            x = (low + high) / 2
            low, high = (x, high) if self._approx_real(x) < t else (low, x)
        return (low + high) / 2


UNSTRETCHED = Stretch()


@dataclass(frozen=True)
class RisingPath:
    """The path: `height` a, `slope` 0 ≤ κ < 1, `bend` t₁, `width` w > 0; lengths in units of the noise. It is asked for by x, t = T(x)."""

    height: float
    slope: float
    bend: float
    width: float
    stretch: Stretch = UNSTRETCHED

    def value_and_slope(self, x: acb) -> tuple[acb, acb]:
        """s and ds/dx.

        >>> s, derivative = RisingPath(0.5, 0.0, 3.0, 1.0).value_and_slope(acb(2))
        >>> bool(s == acb(2, 0.5)), bool(derivative == 1)
        (True, True)
        """
        t, stretched = self.stretch.value_and_slope(x)
        if not self.slope:
            return t + acb(0, self.height), stretched
        rise, share = softplus((t - self.bend) / self.width)
        return t + acb(0, 1) * (self.height + arb(self.slope) * self.width * rise), (1 + acb(0, self.slope) * share) * stretched

    def turns(self, x: acb) -> list[acb]:
        """s is analytic in x, as far as T is, where these do not cross ±iπ, ±3iπ, …: (t − t₁)/w on an ascent."""
        return [(self.stretch.value_and_slope(x)[0] - self.bend) / self.width] if self.slope else []

    def approx_at(self, x: complex) -> tuple[complex, complex]:
        """s and ds/dx in float64."""
        t, stretched = self.stretch.approx_at(x)
        rise, share = approx_softplus((t - self.bend) / self.width)
        return t + 1j * (self.height + self.slope * self.width * rise), (1 + 1j * self.slope * share) * stretched

    def is_sound(self) -> bool:
        """Whether slope, width and stretch are in the ranges that the bounds on its ends take for granted."""
        stretch = self.stretch
        return 0 <= self.slope < 1 and self.width > 0 and stretch.low <= stretch.high and stretch.width > 0 and stretch.rate >= 0

    def largest_shift(self) -> float:
        """Displacements |Im x| up to this are tried, and T(x) is analytic there: less than πω, and less than πw for an ascent."""
        return min(2.2 * self.width if self.slope else 1e3, 2.2 * self.stretch.width if self.stretch.rate else 1e3)


def softplus(v: acb) -> tuple[acb, acb]:
    """log(1 + e^v) and its derivative 1/(1 + e^{−v}), continuous where |Im v| < π or Re v stays on one side of 0.

    The logarithm of a ball that may lie on both sides of 0 at |Im v| ≥ π is not known: its two formulas differ by 2πi there.

    >>> bool(softplus(acb(0))[0].overlaps(arb(2).log())), bool(softplus(acb(0))[1] == 0.5)
    (True, True)
    """
    small = (-v if v.real.mid() > 0 else v).exp()
    if v.real.contains(0) and not abs(v.imag) < arb.pi():
        rise = acb(arb.nan(), arb.nan())
    else:
        rise = v + small.log1p() if v.real.mid() > 0 else small.log1p()
    return rise, (1 if v.real.mid() > 0 else small) / (1 + small)


def approx_softplus(v: complex) -> tuple[complex, complex]:
    """The same in float64."""
    small = cmath.exp(-v if v.real > 0 else v)
    rise = cmath.log(1 + small) + (v if v.real > 0 else 0)
    return rise, (1 if v.real > 0 else small) / (1 + small)


@dataclass(frozen=True)
class PathEnd:
    """What is known of s(T(x + iy)) for every x from `cut` on outward, |y| ≤ `side`, where the path is nearly straight.

    In x: with X = |x − x₂|/ω on the right and |x − x₁|/ω on the left at the cut, outside of the corners, and r_T = 1/(e^X − 1), each of the
    two logarithms of T is, but for the one that is nearly (x−x₂)/ω or (x₁−x)/ω, at most r_T, and so is what that one has besides; and
    likewise their derivatives. So

        T = (1+λ)(x + iy) − λx₂ + 2λω·ε₁,    T′ = (1+λ)(1 + θε₂),    θ = 2λr_T/(1+λ), |ε₁|, |ε₂| ≤ r_T and 1,

    on the right, and with x₁ for x₂ on the left: t keeps |Im t| ≤ (1+λ)|y| + 2λω·r_T, and Re t ≥ (1+λ)x − λx₂ − 2λω·r_T, or at most that of
    the other sign on the left. These are `outset` and `breadth`. All that follows holds for every t from `outset` on, |Im t| ≤ `breadth`.

    In t = T + iy: s = d·(T+iy) + i·offset + iκw·ε₁ and ds/dt = d + iκ·ε₂ with |ε₁|, |ε₂| ≤ r: on the right d = 1+iκ and offset = a − κt₁,
    because log(1+e^x) = x + log(1+e^{−x}); on the left d = 1 and offset = a. With X = |t − t₁|/w at the outset, |log(1+e^{∓x})| and
    |1/(1+e^{±x})| are at most r = 1/(e^X − 1).
    """

    path: RisingPath
    right: bool
    cut: arb
    side: arb

    @property
    def _stretch_radius(self) -> arb:
        """λ·r_T, infinite between the corners."""
        stretch = self.path.stretch
        if not stretch.rate:
            return arb(0)
        x = (self.cut - stretch.high if self.right else stretch.low - self.cut) / stretch.width
        margin = x.expm1()
        return arb((stretch.rate / margin).upper()) if margin > 0 else arb.pos_inf()

    @property
    def outset(self) -> arb:
        """Re t for every x beyond the cut: from below on the right, from above on the left."""
        stretch, spare = self.path.stretch, 2 * self._stretch_radius * self.path.stretch.width
        at = (1 + arb(stretch.rate)) * self.cut - arb(stretch.rate) * (stretch.high if self.right else stretch.low)
        return at - spare if self.right else at + spare

    @property
    def breadth(self) -> arb:
        """|Im t| for every x beyond the cut is at most this."""
        return (1 + arb(self.path.stretch.rate)) * self.side + 2 * self._stretch_radius * self.path.stretch.width

    @property
    def looseness(self) -> arb:
        """θ."""
        return 2 * self._stretch_radius / (1 + arb(self.path.stretch.rate))

    @property
    def radius(self) -> arb:
        """r, infinite where the path still turns."""
        if not self.path.slope:
            return arb(0)
        x = (self.outset - self.path.bend) / self.path.width
        margin = (x if self.right else -x).expm1()
        return arb((1 / margin).upper()) if margin > 0 else arb.pos_inf()

    @property
    def direction(self) -> acb:
        """A ball around ds/dt for every t beyond the cut."""
        r = self.radius * self.path.slope
        return acb(1, self.path.slope if self.right else 0) + ball_around_zero(r)

    @property
    def derivative(self) -> acb:
        """A ball around ds/dx for every x beyond the cut."""
        return self.direction * (1 + arb(self.path.stretch.rate)) * (1 + ball_around_zero(self.looseness))

    def position(self, sigma: arb) -> arb:
        """A bound on Re s/σ at and beyond the cut: from below on the right, from above on the left."""
        spare = self.radius * self.path.slope * self.path.width
        if self.right:
            return (self.outset - arb(self.path.slope) * self.breadth - spare) / sigma
        return (self.outset + spare) / sigma

    def gaussian_slope(self) -> arb:
        """A bound from below on how fast log|φ(s)| falls outward in x, at and beyond the cut: ±Re(s·ds/dx).

        ds/dx = (1+λ)(1 + θε)·ds/dt, so it is at least (1+λ)(±Re(s·ds/dt) − θ|s||ds/dt|). Right, t = T + iy: Re(d(d(T+iy) + i·offset)) =
        (1−κ²)T − 2κy − κ·offset, and the perturbation is at most κr|s₀| + κwr(|d| + κr), |s₀| ≤ |d|(T + |y|) + |offset|, |s| ≤ |s₀| + κwr,
        |ds/dt| ≤ |d| + κr; the coefficient of T must be positive, and T ≥ 0.
        Left, T for −T: T − κwr − κr(T + |y| + |a| + κwr), less θ(1 + κr)(T + |y| + |a| + κwr); again T ≥ 0.
        """
        kappa, r, y, loose = arb(self.path.slope), self.radius, self.breadth, self.looseness
        rise, whole = kappa * self.path.width * r, 1 + arb(self.path.stretch.rate)
        if not self.right:
            far, turned = -self.outset, kappa * r + loose * (1 + kappa * r)
            if not (turned < 1 and far >= 0):
                return -arb.pos_inf()
            return whole * (far - rise - turned * (far + y + abs(arb(self.path.height)) + rise))
        offset, size = arb(self.path.height) - kappa * self.path.bend, (1 + kappa**2).sqrt()
        turned = kappa * r + loose * (size + kappa * r)
        coefficient = 1 - kappa**2 - turned * size
        if not (coefficient > 0 and self.outset >= 0):
            return -arb.pos_inf()
        rest = 2 * kappa * y + kappa * offset + turned * (size * y + abs(offset)) + rise * (size + kappa * r + loose * (size + kappa * r))
        return whole * (coefficient * self.outset - rest)
