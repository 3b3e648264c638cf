"""Rényi divergence of a mixture of Gaussians, a group or a user: Σ w_ℓ N(ℓ, σ²) against N(0, σ²), in either order.

M(t) = E_P[e^{tL}] is one integral of Gauss–Legendre panels with certified errors and tails (`laws.with_replacement`), and
D_{1+t} = log M(t)/t.
"""

from __future__ import annotations

import math

from flint import arb

from dpbounds.errors import InputError, PrecisionError
from dpbounds.laws.factors import Need
from dpbounds.laws.with_replacement import DrawsFactor
from dpbounds.mechanisms.pairs import GaussianMixturePair
from dpbounds.numbers.balls import precision
from dpbounds.numbers.precise import Parameter, as_ball

_LN2 = math.log(2)
_ROUNDS = 6


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
    tolerance = bits * _LN2 + 10
    for _ in range(_ROUNDS):
        with precision(int(tolerance / _LN2) + 64):
            order = as_ball(t)
            if not order > 0:
                raise InputError(f"a mixture of Gaussians: the order must be > 1, got {1 + float(order.mid())}")
            if not order < factor.largest_tilt:
                raise PrecisionError(
                    f"a mixture of Gaussians: orders up to {1 + factor.largest_tilt:.6g} can be had here; ask for delta or epsilon"
                )
            found = factor.line(order, arb(0), 1, Need(tolerance, lambda y: 0.0, 0.0))[0].real.log() / order
        if found.is_finite() and found.rel_accuracy_bits() >= bits:
            return found
        size = float(abs(found).upper().log().mid()) if found.is_finite() and not found.is_zero() else 0.0
        tolerance += max(20.0, -size) + 0.3 * tolerance
    raise PrecisionError("a mixture of Gaussians: the digits of the divergence were not reached; ask for fewer digits")
