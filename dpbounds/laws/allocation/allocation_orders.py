"""Rényi divergences of random allocation at real orders.

With S = dP/dQ of one epoch (`random_allocation`), D_{1+v}(Q‖P) = log E S^{−v}/v, and D_{1+v}(P‖Q) = log E
S^{1+v}/v. Moments of whole orders are finite sums, others one Mellin integral (`mean_of_lognormals`), with weight
⌈1 + v⌉ + 1 in the second case.
"""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb

from dpbounds.errors import PrecisionError
from dpbounds.laws.allocation.mean_of_lognormals import MeanOfLognormals
from dpbounds.laws.law import rational
from dpbounds.mechanisms.pairs import AllocationPair
from dpbounds.numbers.divergence import divergence_from_moment
from dpbounds.numbers.precise import Parameter

_LN2 = math.log(2)
_LARGEST_ORDER = 128
"""A sum of weight n takes n + 1 transforms."""


def divergence(pair: AllocationPair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    """D_{1+t} of one epoch, of (P ‖ Q), or of (Q ‖ P) when `reversed`, with `bits` relative bits.

    Args:
        t: order minus one, t > 0.

    Raises:
        InputError: t = 0. PrecisionError: the accuracy was not reached, or a fractional order beyond 128 of
        (P ‖ Q).

    >>> from fractions import Fraction
    >>> divergence(AllocationPair(10, Fraction(1)), Fraction(1), 60).str(15, radius=False)
    '0.158565078740429'
    """
    bins, sigma = pair.bins, rational(pair.sigma, "sigma")
    plain = MeanOfLognormals(bins, sigma)
    whole = t if isinstance(t, (int, Fraction)) and Fraction(t).denominator == 1 else None

    def moment(order: arb, tolerance: float) -> arb:
        if reversed:
            return plain.precise_moment(order, tolerance)
        if whole is not None and whole < _LARGEST_ORDER:
            return plain.power_moment(int(whole) + 1, int(tolerance / _LN2) + 64)
        return positive_moment(bins, sigma, 1 + order, tolerance)

    return divergence_from_moment("random allocation", moment, t, bits)


def positive_moment(bins: int, sigma: Fraction, p: arb, tolerance: float) -> arb:
    """E S^p, p > 1, to about e^{−tolerance} relative.

    Raises:
        PrecisionError: an order beyond 128.
    """
    order = float(p.mid())
    weight = math.ceil(order) + 1
    if weight > _LARGEST_ORDER:
        raise PrecisionError(f"random allocation: fractional orders are known up to {_LARGEST_ORDER - 1}, got {order:.6g}")
    return MeanOfLognormals(bins, sigma, weight).precise_moment(weight - p, tolerance)
