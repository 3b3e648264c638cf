"""Upper bounds where no digits are to be had: what a refusal says, and which product cannot be the largest."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

from flint import arb

from dpbounds.accounting.bromwich_planning import Model
from dpbounds.accounting.irrational import is_rational
from dpbounds.accounting.tail_bound import least_bound
from dpbounds.accounting.truncated import is_truncated
from dpbounds.errors import InputError, PrecisionError
from dpbounds.laws.factors import ContourFactor
from dpbounds.laws.normal_form import Elements, elements_of
from dpbounds.mechanisms.pairs import Product
from dpbounds.numbers.balls import Enclosure, precision
from dpbounds.numbers.exact import Exact

_TILTS = (5, 20, 50)
"""Orders of the Chernoff bounds that are tried on a direction that the contour declines."""
LEFT_OUT = 1e-305
"""Mass that laws may leave out where δ is only bounded."""


def surely_below(product: Product, epsilon: Exact, least: arb) -> bool:
    """Whether δ(ε) is certified at most `least` by a Chernoff bound, the mass of infinite loss and what was left out."""
    bound = _chernoff(product, epsilon, float(least.mid()) * 1e-6)
    return bound is not None and bool(bound <= least)


def surely_below_at_saddle(product: Product, epsilon: Exact, least: arb) -> bool:
    """The same at the saddle point alone, which is tried only where floats say that its bound is enough."""

    def tilts(factors: Sequence[ContourFactor]) -> Sequence[float]:
        model = Model(factors, float(epsilon))
        c = model.saddle()
        log_bound = model.exponent(c) + c * math.log(c) - (1 + c) * math.log1p(c)
        return [c] if log_bound < float(least.log().mid()) else []

    if not least > 0:
        return False
    bound = _chernoff(product, epsilon, float(least.mid()) * 1e-6, tilts=tilts)
    return bound is not None and bool(bound <= least)


def bounded(error: PrecisionError, product: Product, epsilon: Exact) -> PrecisionError:
    """The refusal with what is known of δ all the same: an upper bound, where that says something."""
    try:
        bound = _chernoff(product, epsilon, LEFT_OUT, epochs=False)
    except InputError:
        return error
    if bound is None or not bound < arb("0.5"):
        return error
    known = Enclosure.of_ball(bound).upper_decimal(3)
    return PrecisionError(f"{error}; in direction {product.direction.value} delta is at most {known}")


def _chernoff(
    product: Product,
    epsilon: Exact,
    most: float,
    *,
    epochs: bool = True,
    tilts: Callable[[Sequence[ContourFactor]], Sequence[float]] = lambda _: _TILTS,
) -> arb | None:
    """A bound on δ(ε) at these c, where laws may leave out so much; None where there is none."""
    if not (isinstance(epsilon, Fraction) and is_rational(product)) or is_truncated(product):
        return None
    elements = elements_of(product)
    if elements.by_parity or (elements.in_epochs and not epochs):
        return None
    with precision(128):
        try:
            factors = elements.factors(most / max(1, elements.steps))
            return least_bound(factors, tilts(factors), epsilon) + left_out(elements, lambda: factors)
        except PrecisionError:
            return None


def left_out(elements: Elements, factors: Callable[[], list[ContourFactor]]) -> arb:
    """The mass of infinite loss, and what the laws leave out: an upper bound on δ grows by it."""
    return elements.unlisted_mass() + sum((factor.lost() for factor in factors()), arb(0))
