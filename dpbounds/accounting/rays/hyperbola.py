"""The bent contour: a hyperbola that opens to the right, z(τ) = m + n·cosh(τ + iα), crossing the real axis at m + n·cos α.

Displaced to τ + iβ it is the hyperbola of the angle α + β: the trapezoid rule in τ has the error (I₊ + I₋)/(e^{2πβ/h} − 1), I± the
integrals of |integrand| along those two. Its pieces lie in the triangles of two points and the intersection of the tangents there,
which is m + n·cosh((τ₁+τ₂)/2 + iα)/cosh((τ₂−τ₁)/2).

With |z′| ≤ n·cosh τ and |z|, |z ± 1| ≥ Im z = n·sinh τ·sin α, what lies beyond τ is at most, if |F z(z±1)| does not grow there,

    ∫_τ^∞ |F z′| ≤ |F z(z±1)|(τ)/(n·sin²α·sinh τ).

Source: Weideman & Trefethen, Parabolic and hyperbolic contours for computing the Bromwich integral, Math. Comp. 76 (2007), for the idea.
"""

from __future__ import annotations

import cmath
from dataclasses import dataclass, replace

from flint import acb, arb


@dataclass(frozen=True)
class Hyperbola:
    """`centre` m, `scale` n > 0, `angle` α, displaced by `turn` β."""

    centre: float
    scale: float
    angle: float
    turn: float = 0.0

    def whole_angle(self) -> arb:
        """α + β."""
        return arb(self.angle) + arb(self.turn)

    def point(self, tau: arb) -> acb:
        """z(τ)."""
        return self.centre + self.scale * acb(tau, self.whole_angle()).cosh()

    def derivative(self, tau: arb) -> acb:
        """z′(τ)."""
        return self.scale * acb(tau, self.whole_angle()).sinh()

    def direction(self, tau: arb) -> tuple[acb, acb]:
        """The asymptotic direction, and the tangent's at τ: between them lie all tangents further out."""
        tangent = acb(tau, self.whole_angle()).sinh()
        return acb(0, self.whole_angle()).exp(), tangent / arb(tangent.abs_upper())

    def triangle(self, low: float, high: float) -> tuple[acb, acb, acb]:
        """The corners of a triangle that holds the piece low ≤ τ ≤ high.

        >>> [float(abs(corner)) > 0 for corner in Hyperbola(0.0, 1.0, 1.0).triangle(0.0, 1.0)]
        [True, True, True]
        """
        start, end = arb(low), arb(high)
        tip = self.centre + self.scale * acb((start + end) / 2, self.whole_angle()).cosh() / ((end - start) / 2).cosh()
        return self.point(start), tip, self.point(end)

    def beyond(self, tau: arb) -> arb:
        """1/(n·sin²α·sinh τ): ∫ |z′/(z(z±1))| beyond τ is at most this."""
        return arb((1 / (self.scale * self.whole_angle().sin() ** 2 * tau.sinh())).upper())

    def approx_point(self, tau: float) -> complex:
        """z(τ) in float64."""
        return self.centre + self.scale * cmath.cosh(complex(tau, self.angle + self.turn))

    def approx_derivative(self, tau: float) -> complex:
        """z′(τ) in float64."""
        return self.scale * cmath.sinh(complex(tau, self.angle + self.turn))


def displaced(curve: Hyperbola, turn: float) -> Hyperbola:
    """The hyperbola at τ + iβ, β = `turn`."""
    return replace(curve, turn=turn)
