"""A Rényi divergence from a moment that can be had to any tolerance: more is asked for until the digits are there."""

from __future__ import annotations

import math
from collections.abc import Callable

from flint import arb

from dpbounds.errors import InputError, PrecisionError
from dpbounds.numbers.balls import precision
from dpbounds.numbers.precise import Parameter, as_ball

_LN2 = math.log(2)
_ROUNDS = 6
"""Each asks for a third more than the one before, and for the digits that a small divergence lost."""


def divergence_from_moment(what: str, moment: Callable[[arb, float], arb], t: Parameter, bits: int, lost: float = 0.0) -> arb:
    """log M(t)/t with `bits` relative bits.

    Args:
        what: the mechanism, for messages.
        moment: M(t), for t as a ball, to about e^−tolerance.
        t: order minus one, t > 0.
        bits: relative accuracy.
        lost: about how many nats M − 1 is below 1.

    Raises:
        InputError: t is not positive. PrecisionError: the accuracy was not reached.

    >>> divergence_from_moment("a Gaussian", lambda t, _: (t * (t + 1) / 2).exp(), 1, 60).str(15, radius=False)
    '1.00000000000000'
    """
    tolerance = bits * _LN2 + 10 + lost
    for _ in range(_ROUNDS):
        with precision(int(tolerance / _LN2) + 64):
            order = as_ball(t)
            if not order > 0:
                raise InputError(f"{what}: the order must be > 1, got {1 + float(order.mid())}")
            found = moment(order, tolerance).log() / order
        if found.is_finite() and found.rel_accuracy_bits() >= bits:
            return found
        largest = abs(found).upper()
        size = float(largest.log().mid()) if largest > 0 and largest.is_finite() else 0.0
        tolerance += max(20.0, -size) + 0.3 * tolerance
    raise PrecisionError(f"{what}: the digits of the divergence were not reached; ask for fewer digits")
