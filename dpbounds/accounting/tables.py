"""δ(ε) of products of laws with atoms only: binomial tails, a convolution, or a line on a lattice."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from fractions import Fraction

from flint import arb

from dpbounds.accounting import smoothed
from dpbounds.accounting.bounds.ends import next_to_an_end
from dpbounds.accounting.bromwich import integrate
from dpbounds.accounting.conditioning import CONTOURS
from dpbounds.accounting.few_uses import counts, halves, rare_atoms
from dpbounds.accounting.few_uses.counts import binomial_delta, delta_by_counts
from dpbounds.accounting.few_uses.halves import delta_by_halves
from dpbounds.accounting.few_uses.rare_atoms import delta_by_rare_atoms
from dpbounds.accounting.lattice_line import SHORTEST, are_one_lattice, lattice_delta
from dpbounds.accounting.nearby import Nearby
from dpbounds.accounting.smoothed import few_digits_of
from dpbounds.errors import PrecisionError
from dpbounds.laws.convolve import convolution_method, convolved_delta, groups_of, require_few
from dpbounds.laws.normal_form import Elements
from dpbounds.numbers.balls import Enclosure
from dpbounds.numbers.inputs import exact_ball
from dpbounds.numbers.refine import refine

_SHORT_SUM, _TERMS = 100_000, 1_000_000
"""Nodes of a contour of tables alone, or outcomes of a sum, and nodes times outcomes."""
Mean = Callable[[Elements, Fraction, int, Nearby | None], Enclosure | None]
"""δ(ε) as a mean over the outcomes of some of the tables, where it can be had."""


def finite_delta(
    elements: Elements, epsilon: Fraction, digits: int, mean: Mean, nearby: Nearby | None = None, *, tail: bool = False
) -> tuple[Enclosure, str]:
    """δ(ε) of a product of laws with atoms only; where they have many values, bounds next to 0 and 1 come first.

    Args:
        mean: a mean over outcomes.
        tail: an upper bound is enough where δ is negligible.

    Raises:
        PrecisionError: the sum would have too many terms.
    """
    laws = elements.finite_laws()
    groups = groups_of(elements.listed())
    two = len(laws) == 1 and len(laws[0].p) == 2 and laws[0].dropped == 0
    if two and (tails := binomial_delta(elements, epsilon, digits)) is not None:
        return tails, counts.OF_TWO
    points = math.prod(group.points for group in groups)
    many = points >= SHORTEST
    if many and (bound := next_to_an_end(elements, epsilon, digits, tail)) is not None:
        return bound
    if are_one_lattice(groups):
        return lattice_delta(elements, epsilon, digits, nearby)
    if many:
        if (found_mean := mean(elements, epsilon, digits, nearby)) is not None and found_mean.meets(digits):
            return found_mean, CONTOURS
        by_counts = (delta_by_counts, counts.METHOD)
        for few, how in (by_counts, (delta_by_rare_atoms, rare_atoms.METHOD), (delta_by_halves, halves.METHOD)):
            with contextlib.suppress(PrecisionError):
                if (sums := few(elements, epsilon, digits)) is not None and sums.meets(digits):
                    return sums, how
        if points > _SHORT_SUM and (bound := next_to_an_end(elements, epsilon, digits, tail=True)) is not None:
            return bound
    try:
        require_few(groups)
    except PrecisionError as too_many:
        try:
            most = max(_SHORT_SUM, _TERMS // sum(len(law.p) for law in laws))
            return integrate(elements.factors, lambda: exact_ball(epsilon), digits, elements.unlisted_mass, nearby, most)
        except PrecisionError:
            if (sides := few_digits_of(elements, epsilon, digits)) is not None:
                return sides, smoothed.METHOD
            raise too_many from None

    def value() -> arb:
        return elements.unlisted_mass() + convolved_delta(groups_of(elements.listed()), exact_ball(epsilon))

    return refine(value, digits, rounds=5), convolution_method(groups)
