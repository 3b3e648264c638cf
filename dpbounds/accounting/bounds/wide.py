"""What is certified where the digits are out of reach and none were asked for: few digits of the whole, or what its parts say (`parts`)."""

from __future__ import annotations

from collections.abc import Callable

from flint import arb

from dpbounds.accounting.bounds.upper_bounds import known_end
from dpbounds.accounting.evaluate import evaluate
from dpbounds.errors import InputError, PrecisionError
from dpbounds.laws.normal_form import elements_of
from dpbounds.mechanisms.pairs import Product
from dpbounds.mechanisms.parts import METHOD, Parts
from dpbounds.numbers.balls import Enclosure, precision
from dpbounds.numbers.exact import Exact

ROUGH = 5
"""Digits of the parts."""
_NEAR = arb("0.99")
"""Share of the upper end that the lower one has where no further part is asked."""
Rough = Callable[[Product, Exact], tuple[Enclosure, str]]
"""An enclosure of δ(ε), or of ε(δ), of a part, and how it was found."""


def delta_by_parts(product: Product, epsilon: Exact, known: Enclosure | None) -> tuple[Enclosure, str] | None:
    """δ(ε), inside what is known, and how; None where nothing is known."""
    unit = Enclosure.between(arb(0), arb(1))

    def rough(part: Product, at: Exact) -> tuple[Enclosure, str]:
        try:
            return evaluate(part, at, ROUGH)
        except PrecisionError:
            return known_end(part, at) or unit, METHOD

    found, method = by_parts(product, epsilon, rough, known or unit, unit)
    return (found, method) if found.low > 0 or found.high < 1 else None


def by_parts(product: Product, at: Exact, rough: Rough, known: Enclosure, nothing: Enclosure) -> tuple[Enclosure, str]:
    """The value of a product, inside what is known, by enclosures of its parts, and of the whole where it has atoms alone.

    Of those few digits may be had where many are out of reach; of others few take about as long.

    Args:
        at: ε or δ.
        nothing: what holds of every product.
    """
    methods = []

    def ends(part: Product, share: Exact) -> tuple[arb, arb]:
        if part is product and elements_of(part).noise:
            return known.low, known.high
        try:
            found, method = rough(part, share)
        except (InputError, PrecisionError):
            found, method = nothing, METHOD
        methods.append(method)
        return found.low, found.high

    def plus(more: arb, less: arb) -> arb:
        return arb((more + less).upper())

    with precision(64):
        parts = Parts(ends, plus, lambda low, high: bool(low >= high * _NEAR), nothing.low)
        low, high = parts.ends(product, at) or (nothing.low, nothing.high)
        alone = len(methods) == 1 and not elements_of(product).noise
        return Enclosure.between(low.max(known.low), high.min(known.high)), methods[0] if alone else METHOD
