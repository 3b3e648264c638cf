"""Bounds where no digits are to be had: what a refusal says, and which product cannot be the largest.

κ(c)·M(c)·e^{−cε} + λ bounds δ(ε) for every c > 0, λ the mass of infinite loss and what is left out (`tail_bound`); so δ is at most a
target t > λ for every ε from (log κ(c) + log M(c) − log(t − λ))/c on.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from fractions import Fraction

from flint import arb

from dpbounds.accounting.bounds.tail_bound import least_bound
from dpbounds.accounting.bromwich_planning import Model
from dpbounds.accounting.irrational import is_rational
from dpbounds.accounting.left_out.aliases import sharp_constant
from dpbounds.errors import InputError, PrecisionError
from dpbounds.laws.contour_factor import ContourFactor
from dpbounds.laws.normal_form import Elements, elements_of
from dpbounds.mechanisms.pairs import Product
from dpbounds.numbers.balls import Enclosure, precision
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.inputs import exact_ball

_TILTS = (5, 20, 50)
"""Orders of the Chernoff bounds that are tried on a direction that the contour declines."""
_TELLING = 0.5
"""A bound on δ that says something."""
LEFT_OUT = 1e-305
"""Mass that laws may leave out where δ is only bounded."""


def surely_below(product: Product, epsilon: Exact, least: arb) -> bool:
    """Whether δ(ε) is certified at most `least` by a Chernoff bound, the mass of infinite loss and what was left out."""
    if not least > 0:
        return False
    bound = _chernoff(product, epsilon, float(least.mid()) * 1e-6)
    return bound is not None and bool(bound <= least)


def surely_below_at_saddle(product: Product, epsilon: Exact, least: arb) -> bool:
    """The same at the saddle point alone, which is tried only where floats say that its bound is enough."""

    def tilts(factors: Sequence[ContourFactor]) -> Sequence[float]:
        model = Model(factors, float(epsilon))
        c = model.saddle()
        log_bound = model.exponent(c) + float(sharp_constant(arb(c)).log().mid())
        return [c] if log_bound < float(least.log().mid()) else []

    if not (least > 0 and is_rational(product) and elements_of(product).unlisted_mass() < least):
        return False
    bound = _chernoff(product, epsilon, float(least.mid()) * 1e-6, tilts=tilts)
    return bound is not None and bool(bound <= least)


def known_end(product: Product, epsilon: Exact, *, epochs: bool = False) -> Enclosure | None:
    """What is known of δ(ε) without its digits, a Chernoff bound; None where it says nothing.

    Args:
        epochs: whether epochs of random allocation, whose moments take long, are bounded too.
    """
    try:
        bound = _chernoff(product, epsilon, LEFT_OUT, epochs=epochs, tilts=_tilts_near(epsilon))
    except InputError:
        return None
    return Enclosure.between(arb(0), bound.min(arb(1))) if bound is not None and bound < _TELLING else None


def with_ends(error: PrecisionError, product: Product, quantity: str, ends: Enclosure | None, digits: int) -> PrecisionError:
    """The refusal with what is known of δ or ε all the same: certified ends, where they say something."""
    known = []
    if ends is not None and ends.low > 0:
        known.append(f"at least {ends.lower_decimal(digits)}")
    if ends is not None and ends.high.is_finite() and not (quantity == "delta" and ends.high >= _TELLING):
        known.append(f"at most {ends.upper_decimal(digits)}")
    return PrecisionError(f"{error}; in direction {product.direction.value} {quantity} is {' and '.join(known)}") if known else error


def _tilts_near(epsilon: Exact) -> Callable[[Sequence[ContourFactor]], Sequence[float]]:
    """The saddle point, where there is one, and the orders that are always tried."""

    def tilts(factors: Sequence[ContourFactor]) -> Sequence[float]:
        with contextlib.suppress(PrecisionError):
            c = Model(factors, float(epsilon)).saddle()
            return [c, 0.8 * c, 0.5 * c, *_TILTS]
        return _TILTS

    return tilts


def _chernoff(
    product: Product,
    epsilon: Exact,
    most: float,
    *,
    epochs: bool = True,
    tilts: Callable[[Sequence[ContourFactor]], Sequence[float]] = lambda _: _TILTS,
) -> arb | None:
    """A bound on δ(ε) at these c, where laws may leave out so much; None where there is none."""
    if not (isinstance(epsilon, Fraction) and is_rational(product)):
        return None
    elements = elements_of(product)
    if elements.by_parity or (elements.in_epochs and not epochs):
        return None
    with precision(128):
        try:
            factors = elements.factors(max(most, LEFT_OUT) / max(1, elements.steps))
            return least_bound(factors, tilts(factors), epsilon) + left_out(elements, lambda: factors)
        except (PrecisionError, InputError):  # what is evaluated alone, as a shuffle, has no factors
            return None


def largest_epsilon(product: Product, target: Fraction, tilt: float) -> arb | None:
    """A bound on ε(target) by Chernoff bounds at a few orders, one of them near `tilt`; None where there is none."""
    elements = elements_of(product)
    if not is_rational(product) or elements.by_parity or elements.in_epochs:
        return None
    best: arb | None = None
    with precision(128), contextlib.suppress(InputError):  # what is evaluated alone, as a shuffle, has no factors
        factors = elements.factors(float(target) * 1e-6 / elements.steps)
        room = exact_ball(target) - left_out(elements, lambda: factors)
        for c in (tilt, 0.8 * tilt, *_TILTS) if room > 0 else ():
            with contextlib.suppress(PrecisionError):
                moment = sum((factor.steps * factor.moment(arb(c)).log() for factor in factors), arb(0))
                bound = (sharp_constant(arb(c)).log() + moment - room.log()) / arb(c)
                if bound.is_finite() and (best is None or bound < best):
                    best = bound.nonnegative_part()
    return best


def left_out(elements: Elements, factors: Callable[[], list[ContourFactor]]) -> arb:
    """The mass of infinite loss, and what the laws leave out: an upper bound on δ grows by it."""
    return elements.unlisted_mass() + sum((factor.lost() for factor in factors()), arb(0))
