"""Certified δ(ε) of products with random allocation, in both directions.

The contour of `accounting.bromwich` applies to both. In the direction *remove* (with the record ‖ without) it takes
many transforms where its abscissa is large. Then another identity helps: for mutually absolutely continuous P, Q and
every real s

    δ_{P‖Q}(s) = E_Q(e^L − e^s)₊ = E_Q(e^s − e^L)₊ + 1 − e^s = 1 − e^s + e^s·δ_{Q‖P}(−s),

because E_Q e^L = 1 and x₊ = (−x)₊ + x. This *parity* asks for the direction add, which has no such transforms. About
ε/ln 10 + log₁₀(1/δ) digits cancel, so the direction add is computed to an absolute error. The cheaper way is taken.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import arb

from dpbounds.accounting.allocation.allocation_planning import log_tail_estimate, plan_product
from dpbounds.accounting.allocation.one_epoch import one_epoch_delta, plan_option
from dpbounds.accounting.bromwich import evaluate, working_bits_of
from dpbounds.accounting.bromwich_planning import ContourPlan, Model
from dpbounds.errors import InputError, PrecisionError
from dpbounds.laws.allocation.random_allocation import AllocationFactor
from dpbounds.laws.contour_factor import ContourFactor
from dpbounds.laws.normal_form import Elements
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
_CHEAP = 3e5
"""Estimated microseconds up to which no other route is planned."""
_LARGE = 20
"""Beyond this ε the parity loses so many digits that the direction remove is looked at first."""
_FAR_OUT = 10.0
"""A saddle point beyond this is no guide in the direction remove: high moments are ruled by what never happens."""
_LEAST_SLOPE = 1e-3
"""−d log δ/dε is at least this where ε is searched for: thousands of epochs with little noise have 0.01."""
DIRECT, BY_PARITY = "contour integral", "contour integral of the direction add, by parity"
OPTION, CHERNOFF = "price of an option on the mean, one integral", "Chernoff bound"
FactorMaker = Callable[[], list[ContourFactor]]
"""Builds the factors of a product at the current precision."""


@dataclass(frozen=True)
class Route:
    """A way to δ(ε): by the contour of the product itself, or by that of the swapped product at −ε.

    Args:
        make: the factors of the one or the other. parity: whether it is the swapped one.
    """

    make: FactorMaker
    parity: bool = False

    @cached_property
    def factors(self) -> list[ContourFactor]:
        """The factors for planning, which keep what they have computed."""
        with precision(128):
            return self.make()

    def argument(self, epsilon: Fraction) -> Fraction:
        """Where δ of these factors is wanted."""
        return -epsilon if self.parity else epsilon

    def shift(self, epsilon: Fraction) -> float:
        """log of what that δ is multiplied by."""
        return float(epsilon) if self.parity else 0.0

    def plan(self, epsilon: Fraction, log_value: float, tolerance: float) -> tuple[float, ContourPlan]:
        """The contour and its cost in microseconds.

        Raises:
            PrecisionError: none was found.
        """
        return plan_product(self.factors, float(self.argument(epsilon)), log_value - self.shift(epsilon), tolerance)

    def delta(self, epsilon: Fraction, plan: ContourPlan, log_value: float) -> Enclosure:
        """δ(ε)."""
        with precision(128):
            lost = max(0.0, self.shift(epsilon) - log_value) if self.parity else 0.0
            bits = working_bits_of(self.factors, plan) + int(lost / _LN10 * BITS_PER_DIGIT)
        with precision(bits):
            value = evaluate(self.make(), exact_ball(self.argument(epsilon)), plan)
            if self.parity:
                grown = exact_ball(epsilon).exp()
                value = 1 - grown + grown * value
            low, high = value.lower(), value.upper()
            return Enclosure.between(low if low > 0 else arb(0), high) if high.is_finite() else Enclosure.between(arb(0), arb(1))


def product_delta(elements: Elements, epsilon: Fraction, digits: int) -> tuple[Enclosure, str]:
    """δ(ε) of a product that holds random allocation, and how it was found.

    Raises:
        InputError: densities, draws with replacement or outcomes that only one side shows beside random
        allocation. PrecisionError: the contour would take too long.
    """
    routes = routes_of(elements)
    with precision(128):
        estimate = _estimate(routes, epsilon)
        if estimate < _NOTHING:
            factors = routes[0].factors
            return _chernoff(factors, Model(factors, float(epsilon)), epsilon), CHERNOFF
    return refined(routes, epsilon, digits, estimate)


def routes_of(elements: Elements) -> list[Route]:
    """The contour of the product, and in the direction remove that of the swapped one.

    Raises:
        InputError: a law that does not go with random allocation.
    """
    # A law cut where its tail is negligible would need its tail in every error term: refused, like infinite losses.
    if not all(law.whole for law in elements.uses):
        raise InputError(
            "random allocation composes with Gaussian, Laplace, discrete Laplace and randomized-response noise "
            "and with tables of full support only"
        )
    if not elements.by_parity:
        return [Route(elements.factors)]
    return [Route(elements.factors), Route(elements.swapped().factors, parity=True)]


def _estimate(routes: Sequence[Route], epsilon: Fraction) -> float:
    """About log δ(ε), in float64: by a saddle point, or at small ε in the direction remove by what is known of the swapped product."""
    if len(routes) == 1:
        model = Model(routes[0].factors, float(epsilon))
        return model.log_delta(model.saddle())
    if epsilon > _LARGE:
        with contextlib.suppress(PrecisionError):
            model = Model(routes[0].factors, float(epsilon))
            if (saddle := model.saddle()) <= _FAR_OUT:
                return model.log_delta(saddle)
    swapped = Model(routes[1].factors, -float(epsilon))
    return log_tail_estimate(swapped, float(epsilon), swapped.saddle()) - 2


def approx_epsilon(elements: Elements, target: Fraction) -> tuple[Fraction, float]:
    """About the ε with δ(ε) = target and −d log δ/dε there, in float64."""
    routes = routes_of(elements)
    goal = math.log(target.numerator) - math.log(target.denominator)

    def value(epsilon: float) -> float:
        return _estimate(routes, Fraction(epsilon))

    with precision(128):
        low = high = 1e-6
        while value(high) > goal and high < 1e6:
            low, high = high, 2 * high
        while high / low > 1.001:
            middle = math.sqrt(low * high)
            low, high = (middle, high) if value(middle) > goal else (low, middle)
        slope = (value(high) - value(1.01 * high)) / (0.01 * high)
    return Fraction(high), max(slope, _LEAST_SLOPE)


def refined(routes: Sequence[Route], epsilon: Fraction, digits: int, estimate: float) -> tuple[Enclosure, str]:
    """δ(ε) by the cheapest route, with more tolerance until the digits are there, and which it was.

    Raises:
        PrecisionError: every contour would take too long.
    """
    best: Enclosure | None = None
    method = ""
    tolerance = digits * _LN10 + 4
    for _ in range(_ROUNDS):
        with precision(128):
            cost, route, plan = _cheapest(routes, epsilon, estimate, tolerance)
            if cost > _SHORT and best is None and (option := _by_option(routes, epsilon, digits, estimate, cost)) is not None:
                return option, OPTION
        if route is None or plan is None:
            raise PrecisionError("random allocation: no contour was found; no digit was reached; epsilon may be too large for it")
        if cost > _MOST_MICROSECONDS:
            reached = f"{best.digits():.0f} digits were reached" if best is not None else "no digit was reached"
            raise PrecisionError(f"random allocation: {digits} digits would take about {cost / 1e6:.0f} s; {reached}; ask for fewer digits")
        found = route.delta(epsilon, plan, estimate)
        if best is None or found.digits() > best.digits():
            best, method = found, BY_PARITY if route.parity else DIRECT
        if best.meets(digits):
            return best, method
        # the error stays, what is known about the size of δ grows
        upper = float(found.high.log().mid()) if found.high > 0 else -math.inf
        missing = digits - max(found.digits(), 0.0) if found.low > 0 else digits + 2.0
        estimate = min(estimate, upper) if math.isfinite(upper) else estimate
        tolerance += min(missing, digits + 10.0) * _LN10 * (0.0 if upper < estimate - tolerance else 1.0) + 3
    assert best is not None
    return best, method


def _cheapest(
    routes: Sequence[Route], epsilon: Fraction, log_value: float, tolerance: float
) -> tuple[float, Route | None, ContourPlan | None]:
    """The route with the cheapest contour, that contour and its cost in microseconds; an infinite cost where there is none.

    The last route, which is planned sooner, is taken at once if it is cheap.
    """
    found: tuple[float, Route | None, ContourPlan | None] = (math.inf, None, None)
    for route in reversed(routes):
        with contextlib.suppress(PrecisionError):
            cost, plan = route.plan(epsilon, log_value, tolerance)
            if cost < found[0]:
                found = cost, route, plan
        if found[0] < _CHEAP:
            break
    return found


def _by_option(routes: Sequence[Route], epsilon: Fraction, digits: int, estimate: float, cost: float) -> Enclosure | None:
    """δ(ε) of one epoch by the direct formula, None where there are more or where the formula is not cheaper."""
    swapped = routes[-1]
    factors = swapped.factors
    if not (len(factors) == factors[0].steps == 1 and isinstance(factors[0], AllocationFactor)):
        return None
    strike = math.exp(-float(swapped.argument(epsilon)))
    goal = estimate - digits * _LN10 - 4 - (0.0 if swapped.parity else float(epsilon))
    with contextlib.suppress(PrecisionError):
        if plan_option(factors[0].mean(0).model, strike, goal).cost < cost:
            return one_epoch_delta(factors[0], epsilon, digits, swapped.parity, estimate)
    return None


def _chernoff(factors: list[ContourFactor], model: Model, epsilon: Fraction) -> Enclosure:
    """0 ≤ δ ≤ M(c)e^{−cε}, for a δ so small that no digits of it are wanted; c is the least power of 2 that says so."""
    exponents = {}
    for k in range(-10, 40):
        exponents[k] = model.exponent(2.0**k)
        if exponents[k] < _NOTHING:
            break
    c = arb(2) ** min(exponents, key=lambda k: exponents[k])
    bound = (-c * exact_ball(epsilon)).exp()
    for factor in factors:
        bound *= factor.moment(c) ** factor.steps
    return Enclosure.between(arb(0), bound.upper())
