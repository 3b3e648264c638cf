"""δ too small to matter: a certified upper bound without any digits.

For every c > 0, with κ(c) = c^c/(1+c)^{1+c} the largest value of (1−y)y^c on [0, 1] (Canonne, Kamath & Steinke 2020, Proposition 12),

    δ(ε) ≤ P(L = ∞) + κ(c)·M(c)·e^{−cε}.

A point near the saddle of the contour is a good c. Where the noise of a factor is cut there, M is that of the cut pair, and the mass cut
off is added. Where P(L = ∞) is much larger than the rest, the same bound has all digits: P(L = ∞) ≤ δ(ε).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from fractions import Fraction

from flint import arb

from dpbounds.accounting.asked import NEGLIGIBLE
from dpbounds.accounting.bromwich_planning import cut_target, lost_mass, target_of, whole_target, with_cuts
from dpbounds.accounting.left_out.aliases import sharp_constant
from dpbounds.errors import PrecisionError
from dpbounds.laws.contour_factor import ContourFactor
from dpbounds.numbers.balls import Enclosure, bits_for, precision
from dpbounds.numbers.inputs import exact_ball

_BITS, _MORE_BITS, _TOLERANCE = 128, 1200, 40.0
_SHARES = (1.0, 0.98, 0.95, 0.9, 0.8, 0.65)
"""Fractions of the saddle point: close to it the end of a cut noise can spoil the ball of M, and any c gives a bound."""
_TILTS = (5.0, 20.0, 50.0, 200.0)
"""The same where there is no saddle point, or one is not worth the time."""
_ESTIMATE = 2.302585092994046 * (NEGLIGIBLE - 3)
"""The natural logarithm of an estimate of δ that is worth bounding."""
_CUT = 5 - _ESTIMATE
"""−log of the mass that may be cut off at once."""


def tail_bound(make: Callable[[], list[ContourFactor]], epsilon: Fraction, beside: Callable[[], arb]) -> Enclosure | None:
    """[0, bound] if a bound below 10^`NEGLIGIBLE` is certified, else None.

    Args:
        make: builds the factors at the current precision.
        beside: what adds to δ besides them, such as the mass of infinite loss.
    """
    for bits in (_BITS, _MORE_BITS):  # laws with tails leave out a mass of about one unit in the last place: more bits leave out less
        found = _bound(make, epsilon, beside, bits)
        if found is None or found.high < arb(10) ** NEGLIGIBLE:
            return found
    return None


def _bound(make: Callable[[], list[ContourFactor]], epsilon: Fraction, beside: Callable[[], arb], bits: int) -> Enclosure | None:
    """[0, bound] where δ is estimated to be negligible, else None; the bound need not be negligible."""
    with precision(bits):
        factors = make()
        try:
            value = float(exact_ball(epsilon))
            target = whole_target(factors, value, _TOLERANCE) or target_of(factors, value, _TOLERANCE)
            if target.log_value > _ESTIMATE and (target := cut_target(factors, value, _CUT)).log_value > _ESTIMATE:
                return None
            kept, tilts = with_cuts(factors, target.cuts), [share * target.saddle for share in _SHARES]
        except PrecisionError:
            kept, tilts = factors, list(_TILTS)
        return Enclosure.between(arb(0), (least_bound(kept, tilts, epsilon) + beside()).upper())


def next_to_certain(
    make: Callable[[], list[ContourFactor]], epsilon: Fraction, certain: Callable[[], arb], digits: int
) -> Enclosure | None:
    """δ where the mass of infinite loss is nearly all of it: that mass and a Chernoff bound on the rest, if they have the digits.

    Args:
        make: builds the factors at the current precision.
        certain: the mass of infinite loss, and a ball around that of finite losses which the factors leave out.
    """
    with precision(bits_for(digits, 80)):
        factors = make()
        steps = sum(factor.steps for factor in factors)
    with precision(bits_for(digits, 80) + 2 * steps.bit_length()):
        beside = certain()
        if not beside > 0:
            return None
        rest = least_bound(make(), _TILTS, epsilon)
        found = Enclosure.between(arb(beside.lower()), arb((beside + rest).upper()))
        return found if found.meets(digits) else None


def least_bound(factors: list[ContourFactor], tilts: Sequence[float], epsilon: Fraction) -> arb:
    """The least of the Chernoff bounds at these c, at most 1; the mass of infinite loss is not in it."""
    best = arb(1)
    for tilt in tilts:
        with contextlib.suppress(PrecisionError):
            bound = chernoff_bound(factors, arb(tilt), exact_ball(epsilon))
            best = best.min(arb(bound.upper())) if bound.is_finite() else best
    return best


def chernoff_bound(factors: list[ContourFactor], c: arb, epsilon: arb) -> arb:
    """κ(c)·Π M_i(c)^{k_i}·e^{−cε}, and the mass that was cut off."""
    bound = sharp_constant(c) * (-c * epsilon).exp()
    for factor in factors:
        bound *= factor.moment(c) ** factor.steps
    return bound + lost_mass(factors)
