"""Rényi divergence of a mixture of Gaussians, a group or a user: Σ w_ℓ N(ℓ, σ²) against N(0, σ²), in either order.

M(t) = E_P[e^{tL}] is one integral of Gauss–Legendre panels with certified errors and tails (`laws.with_replacement`), and
D_{1+t} = log M(t)/t.
"""

from __future__ import annotations

from flint import arb

from dpbounds.errors import PrecisionError
from dpbounds.laws.contour_factor import Need
from dpbounds.laws.with_replacement import DrawsFactor
from dpbounds.mechanisms.pairs import GaussianMixturePair
from dpbounds.numbers.divergence import divergence_from_moment
from dpbounds.numbers.precise import Parameter


def divergence(pair: GaussianMixturePair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    """D_{1+t} of (P ‖ Q), or of (Q ‖ P) when `reversed`, with `bits` relative bits.

    Args:
        t: order minus one, t > 0.

    Raises:
        InputError: t = 0. PrecisionError: an order beyond 60σ, or the accuracy was not reached.

    >>> from fractions import Fraction
    >>> pair = GaussianMixturePair((Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)), Fraction(2))
    >>> divergence(pair, Fraction(1), 60).str(15, radius=False)
    '0.187503409159405'
    """
    factor = DrawsFactor(pair, 0.0, 1, reversed)

    def moment(order: arb, tolerance: float) -> arb:
        if not order < factor.largest_tilt:
            raise PrecisionError(
                f"the order of a mixture of Gaussians must be below {1 + factor.largest_tilt:.6g} here; ask for delta or epsilon"
            )
        return factor.line(order, arb(0), 1, Need(tolerance, lambda y: 0.0, 0.0))[0].real

    return divergence_from_moment("a mixture of Gaussians", moment, t, bits)
