"""δ(ε) of one product of dominating pairs: the solver that fits its laws."""

from __future__ import annotations

import contextlib
from collections import Counter
from fractions import Fraction
from functools import partial

from dpbounds.accounting import smoothed
from dpbounds.accounting.allocation.allocation_delta import product_delta
from dpbounds.accounting.bounds import near_top
from dpbounds.accounting.bounds.ends import TAIL_BOUND, next_to_an_end
from dpbounds.accounting.bounds.near_one import METHOD as NEAR_ONE
from dpbounds.accounting.bounds.near_one import near_one
from dpbounds.accounting.bounds.near_top import near_top_delta
from dpbounds.accounting.bounds.tail_bound import tail_bound
from dpbounds.accounting.bromwich import LARGEST_COUNT, integrate
from dpbounds.accounting.closed import AT_LARGEST_LOSS, beyond_largest_loss, closed_delta, within_unit
from dpbounds.accounting.conditioning import CONTOURS, conditioned_delta, mean_over_outcomes, noise_beside_tables
from dpbounds.accounting.cut_laws import truncated_laws_delta
from dpbounds.accounting.irrational import evaluate_between, is_largest_loss, is_rational
from dpbounds.accounting.nearby import Nearby
from dpbounds.accounting.rays.descent_rays import DESCENT_RAYS, can_turn, integrate_turned
from dpbounds.accounting.smoothed import few_digits_of
from dpbounds.accounting.tables import finite_delta
from dpbounds.accounting.truncated import is_truncated, truncated_delta
from dpbounds.errors import PrecisionError
from dpbounds.laws.convolve import groups_of
from dpbounds.laws.normal_form import Elements, elements_of
from dpbounds.mechanisms.pairs import Product
from dpbounds.numbers.balls import Enclosure
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.inputs import exact_ball
from dpbounds.numbers.refine import refine

_SHORT = 2000
"""Nodes up to which a contour is not turned."""
_REST = 60_000
"""The same, times the outcomes, where a contour is one of many."""
_MEDIUM = 20_000
"""Nodes up to which a contour is no longer than many for a mean over outcomes."""
CONDITIONED = "sum over the outcomes of the tables, noise in closed form"


def evaluate(product: Product, epsilon: Exact, digits: int, *, tail: bool = False, nearby: Nearby | None = None) -> tuple[Enclosure, str]:
    """The best enclosure found, inside [0, 1] where δ is, and how: zero, a closed form, a finite sum or the contour.

    Args:
        tail: an upper bound is enough where δ is negligible and the contour would be needed.
        nearby: a contour of the same product for another ε, tried first and replaced.
    """
    if not (isinstance(epsilon, Fraction) and is_rational(product)):
        if is_largest_loss(product, epsilon):
            return Enclosure.exactly(0), AT_LARGEST_LOSS
        return evaluate_between(evaluate, product, epsilon, digits)
    elements = elements_of(product)
    if elements.nothing_finite():
        return Enclosure.exactly(1), AT_LARGEST_LOSS
    if elements.in_epochs and not is_truncated(product):
        others = Elements(Counter({law: steps for law, steps in elements.uses.items() if not law.epoch}))
        if others.uses and (near := near_one(others.factors, epsilon, digits, others.dropped)) is not None:
            return near, NEAR_ONE
        return product_delta(elements, epsilon, digits)
    contour = partial(_evaluate, elements, epsilon, digits, tail, nearby)
    found, method = truncated_delta(product, epsilon, digits, evaluate, contour) if is_truncated(product) else contour()
    return within_unit(found), method


def _evaluate(
    elements: Elements, epsilon: Fraction, digits: int, tail: bool, nearby: Nearby | None, most: int = LARGEST_COUNT
) -> tuple[Enclosure, str]:
    if beyond_largest_loss(elements, epsilon):
        return refine(elements.certain_loss, digits), AT_LARGEST_LOSS
    if (form := elements.closed_form()) is not None:
        if form.long:
            with contextlib.suppress(PrecisionError):
                short, method = integrate(elements.factors, lambda: exact_ball(epsilon), digits, elements.unlisted_mass, nearby, _SHORT)
                if short.meets(digits):
                    return short, method + elements.note()
        return closed_delta(elements, form, epsilon, digits, nearby)
    if elements.truncated:
        try:
            return truncated_laws_delta(elements, epsilon, digits)
        except PrecisionError:
            if (mean := _mean(elements, epsilon, digits, nearby)) is not None:
                return mean, CONTOURS
            raise
    if not elements.noise:
        return finite_delta(elements, epsilon, digits, _mean, nearby, tail=tail)
    if (noise := noise_beside_tables(elements)) is not None:
        conditioned = partial(conditioned_delta, noise=noise, epsilon=epsilon)
        return refine(lambda: elements.unlisted_mass() + conditioned(groups_of(elements.listed())), digits, rounds=5), CONDITIONED
    if (near := near_top_delta(elements, epsilon, digits)) is not None:
        return near, near_top.METHOD + elements.note()
    if (bound := next_to_an_end(elements, epsilon, digits, tail)) is not None:
        return bound
    return _contour_delta(elements, epsilon, digits, nearby, most)


def _contour_delta(elements: Elements, epsilon: Fraction, digits: int, nearby: Nearby | None, most: int) -> tuple[Enclosure, str]:
    """δ(ε) by a line of at most so many nodes, rays, a mean over the outcomes of tables, or from both sides.

    Raises:
        PrecisionError: none of them has the digits.
    """
    rays = partial(integrate_turned, elements, epsilon, digits, nearby)
    if nearby is not None and nearby.turned and (found := rays()).meets(digits):
        return found, DESCENT_RAYS + elements.note()
    line = partial(integrate, elements.factors, lambda: exact_ball(epsilon), digits, elements.unlisted_mass, nearby)
    turns = can_turn(elements)
    if turns or elements.atoms:
        with contextlib.suppress(PrecisionError):
            found, method = line(_SHORT if turns else min(_MEDIUM, most))
            return found, method + elements.note()
    if turns:
        with contextlib.suppress(PrecisionError):
            return rays(), DESCENT_RAYS + elements.note()
    if (mean := _mean(elements, epsilon, digits, nearby)) is not None and mean.meets(digits):
        return mean, CONTOURS
    below = tail_bound(elements.factors, epsilon, elements.unlisted_mass)
    try:
        found, method = line(most if below is None else min(_MEDIUM, most))
    except PrecisionError:
        if below is not None:
            return below, TAIL_BOUND
        if (sides := few_digits_of(elements, epsilon, digits)) is not None:
            return sides, smoothed.METHOD + elements.note()
        if mean is not None:
            return mean, CONTOURS
        raise
    return found, method + elements.note()


def evaluate_elements(elements: Elements, epsilon: Fraction, digits: int, nearby: Nearby | None = None) -> Enclosure:
    """The best enclosure found of δ(ε) of some laws, by contours that are not long.

    >>> from dpbounds.mechanisms import Direction, Gaussian
    >>> from dpbounds.mechanisms.pairs import dominating_pairs
    >>> (product,) = dominating_pairs(Gaussian(1), direction=Direction.REMOVE)
    >>> evaluate_elements(elements_of(product), Fraction(1), 4).lower_decimal(4)
    '0.1269'
    """
    atoms = sum(len(law.p) for law in elements.finite_laws())
    return _evaluate(elements, epsilon, digits, False, nearby, max(_SHORT, _REST // (1 + atoms)))[0]


def _mean(elements: Elements, epsilon: Fraction, digits: int, nearby: Nearby | None) -> Enclosure | None:
    """The mean over the outcomes of some of the tables, where there are some and the others' δ can be had."""
    with contextlib.suppress(PrecisionError):
        return mean_over_outcomes(elements, epsilon, digits, evaluate_elements, nearby)
    return None
