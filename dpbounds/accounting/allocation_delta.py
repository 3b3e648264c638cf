"""Certified δ(ε) of products with random allocation, in both directions.

*Add* (without the record ‖ with): every factor of `random_allocation` is in that direction, and the contour
of `accounting.bromwich` applies, for any real ε.

*Remove*: for mutually absolutely continuous P, Q and every real s

    δ_{P‖Q}(s) = E_Q(e^L − e^s)₊ = E_Q(e^s − e^L)₊ + 1 − e^s = 1 − e^s + e^s·δ_{Q‖P}(−s),

because E_Q e^L = 1 and x₊ = (−x)₊ + x. About log₁₀(1/δ) digits cancel, so the direction add is computed to an
absolute error.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from fractions import Fraction

from flint import arb

from dpbounds.accounting.allocation_planning import log_tail_estimate, plan_product
from dpbounds.accounting.bromwich import evaluate, working_bits_of
from dpbounds.accounting.bromwich_planning import Model
from dpbounds.accounting.one_epoch import one_epoch_delta, plan_option
from dpbounds.errors import InputError, PrecisionError
from dpbounds.laws.factors import Factor
from dpbounds.laws.normal_form import Elements
from dpbounds.laws.random_allocation import AllocationFactor
from dpbounds.numbers.balls import BITS_PER_DIGIT, Enclosure, precision
from dpbounds.numbers.inputs import exact_ball

_LN10 = math.log(10)
_ROUNDS = 5
_MOST_MICROSECONDS = 4e7
"""Estimated processor time beyond which a contour is refused rather than begun: 40 seconds."""
_NOTHING = -3000.0
"""log δ below which only a Chernoff bound is returned: no privacy statement asks for digits of 1e-1300."""
_SHORT = 1.5e6
"""Estimated microseconds up to which the contour is not compared with the direct formula of one epoch."""
FactorMaker = Callable[[], list[Factor]]
"""Builds the factors, all in the direction add, at the current precision."""


def product_delta(elements: Elements, epsilon: Fraction, digits: int) -> tuple[Enclosure, str]:
    """δ(ε) of a product that holds random allocation, and how it was found.

    Raises:
        InputError: densities, draws with replacement or outcomes that only one side shows beside random
        allocation. PrecisionError: the contour would take too long.
    """
    make, remove = direction_add(elements)
    if remove:
        return remove_delta(make, epsilon, digits), "contour integral of the direction add, by parity"
    return add_delta(make, epsilon, digits), "contour integral"


def direction_add(elements: Elements) -> tuple[FactorMaker, bool]:
    """A maker of the factors of the product in the direction add, and whether the product itself is in the direction remove."""
    remove = elements.by_parity
    # A law cut where its tail is negligible would need its tail in every error term: refused, like infinite losses.
    if not all(law.whole for law in elements.uses):
        raise InputError(
            "random allocation composes with Gaussian, Laplace, discrete Laplace and randomized-response noise "
            "and with tables of full support only"
        )
    return (elements.swapped() if remove else elements).factors, remove


def approx_epsilon(elements: Elements, target: Fraction) -> tuple[Fraction, float]:
    """About the ε with δ(ε) = target and −d log δ/dε there, in float64."""
    make, remove = direction_add(elements)
    goal = math.log(target.numerator) - math.log(target.denominator)

    def value(epsilon: float) -> float:
        model = Model(factors, -epsilon if remove else epsilon)
        saddle = model.saddle()
        return log_tail_estimate(model, epsilon, saddle) if remove else model.log_delta(saddle)

    with precision(128):
        factors = make()
        low = high = 1e-6
        while value(high) > goal and high < 1e6:
            low, high = high, 2 * high
        while high / low > 1.01:
            middle = math.sqrt(low * high)
            low, high = (middle, high) if value(middle) > goal else (low, middle)
        slope = (value(high) - value(1.05 * high)) / (0.05 * high)
    return Fraction(high), max(slope, 0.5)


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
    single: AllocationFactor | None = None
    with precision(128):
        factors = make()
        if len(factors) == factors[0].steps == 1 and isinstance(factors[0], AllocationFactor):
            single = factors[0]
        model = Model(factors, float(argument))
        estimate = log_tail_estimate(model, float(epsilon), model.saddle()) - 2 if remove else model.log_delta(model.saddle())
        if estimate < _NOTHING:
            return _chernoff(factors, model, argument) if not remove else Enclosure.between(arb(0), arb(1))
    shift = float(epsilon) if remove else 0.0  # δ_remove holds e^ε·δ_add(−ε)
    tolerance = digits * _LN10 + 4
    for _ in range(_ROUNDS):
        with precision(128):
            try:
                cost, plan = plan_product(factors, float(argument), estimate - shift, tolerance)
            except PrecisionError:
                if single is None:
                    raise
                cost, plan = math.inf, None
            if single is not None and cost > _SHORT and best is None:
                strike, goal = math.exp(-float(argument)), estimate - tolerance - (0.0 if remove else float(epsilon))
                with contextlib.suppress(PrecisionError):
                    if plan_option(single.model, strike, goal).cost < cost:
                        return one_epoch_delta(single, epsilon, digits, remove, estimate)
            if plan is None:
                raise PrecisionError("random allocation: no contour was found; no digit was reached; epsilon may be too large for it")
            if cost > _MOST_MICROSECONDS:
                reached = f"{best.digits():.0f} digits were reached" if best is not None else "no digit was reached"
                raise PrecisionError(
                    f"random allocation: {digits} digits would take about {cost / 1e6:.0f} s; {reached}; ask for fewer digits"
                )
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
