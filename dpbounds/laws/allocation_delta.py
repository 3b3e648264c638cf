"""Certified δ(ε) of products with random allocation, in both directions.

*Add* (without the record ‖ with): every factor of `random_allocation` is in that direction, and the contour of `contour.integral` applies,
for any real ε.

*Remove*: for mutually absolutely continuous P, Q and every real s

    δ_{P‖Q}(s) = E_Q(e^L − e^s)₊ = E_Q(e^s − e^L)₊ + 1 − e^s = 1 − e^s + e^s·δ_{Q‖P}(−s),

because E_Q e^L = 1 and x₊ = (−x)₊ + x. About log₁₀(1/δ) digits cancel, so the direction add is computed to an absolute error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from flint import arb

from dpbounds.balls import BITS_PER_DIGIT, Enclosure, precision
from dpbounds.contour.factors import Factor
from dpbounds.contour.inputs import exact_ball
from dpbounds.contour.integral import evaluate, working_bits_of
from dpbounds.contour.planning import Model
from dpbounds.errors import PrecisionError
from dpbounds.laws.allocation_planning import log_tail_estimate, plan_product

_LN10 = math.log(10)
_ROUNDS = 5
_MOST_MICROSECONDS = 6e7
_NOTHING = -3000.0
FactorMaker = Callable[[], list[Factor]]
"""Builds the factors, all in the direction add, at the current precision."""


def add_delta(make: FactorMaker, epsilon: Fraction, digits: int) -> Enclosure:
    """δ(ε) of a product in the direction add.

    Raises:
        PrecisionError: the contour would take too long.
    """
    return _refined(make, epsilon, digits, remove=False)


def remove_delta(make: FactorMaker, epsilon: Fraction, digits: int) -> Enclosure:
    """δ(ε) in the direction remove of the product whose factors, in the direction add, `make` builds.

    Raises:
        PrecisionError: the contour would take too long.
    """
    return _refined(make, epsilon, digits, remove=True)


def _refined(make: FactorMaker, epsilon: Fraction, digits: int, remove: bool) -> Enclosure:
    best: Enclosure | None = None
    argument = -epsilon if remove else epsilon
    with precision(128):
        factors = make()
        model = Model(factors, float(argument))
        estimate = log_tail_estimate(model, float(epsilon), model.saddle()) - 2 if remove else model.log_delta(model.saddle())
        if estimate < _NOTHING:
            return _chernoff(factors, model, argument) if not remove else Enclosure.between(arb(0), arb(1))
    shift = float(epsilon) if remove else 0.0  # δ_remove holds e^ε·δ_add(−ε)
    tolerance = digits * _LN10 + 4
    for _ in range(_ROUNDS):
        with precision(128):
            cost, plan = plan_product(factors, float(argument), estimate - shift, tolerance)
            if cost > _MOST_MICROSECONDS:
                reached = f"{best.digits():.0f} digits were reached" if best is not None else "no digit was reached"
                raise PrecisionError(f"random allocation: {digits} digits would take about {cost / 1e6:.0f} s; {reached}; ask for fewer digits")
            bits = working_bits_of(factors, plan) + int(max(0.0, shift - estimate) / _LN10 * BITS_PER_DIGIT)
        with precision(bits):
            value = evaluate(make(), exact_ball(argument), plan)
            if remove:
                grown = exact_ball(epsilon).exp()
                value = 1 - grown + grown * value
            low, high = value.lower(), value.upper()
            found = Enclosure.between(low if low > 0 else arb(0), high) if high.is_finite() else Enclosure.of(arb(0).union(arb(1)))
        best = found if best is None or found.digits() > best.digits() else best
        if best.meets(digits):
            return best
        # the error stays, what is known about the size of δ grows
        upper = float(found.high.log().mid()) if found.high > 0 else -math.inf
        missing = digits - max(found.digits(), 0.0) if found.low > 0 else digits + 2.0
        estimate = min(estimate, upper) if math.isfinite(upper) else estimate
        tolerance += min(missing, digits + 10.0) * _LN10 * (0.0 if upper < estimate - tolerance else 1.0) + 3
    assert best is not None
    return best


def _chernoff(factors: list[Factor], model: Model, epsilon: Fraction) -> Enclosure:
    """0 ≤ δ ≤ M(c)e^{−cε}, for a δ so small that no digits of it are wanted."""
    c = arb(model.saddle())
    bound = (-c * exact_ball(epsilon)).exp()
    for factor in factors:
        bound *= factor.moment(c) ** factor.steps
    return Enclosure.between(arb(0), bound.upper())
