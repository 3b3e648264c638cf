"""δ(ε) at once: ε is at least the largest loss, or there is a closed form. All else is for the methods of `evaluate`."""

from __future__ import annotations

import importlib
from fractions import Fraction
from functools import cache
from typing import Any

from flint import arb

from dpbounds.accounting.irrational import is_rational
from dpbounds.accounting.nearby import Nearby
from dpbounds.errors import PrecisionError
from dpbounds.laws.law import ClosedForm
from dpbounds.laws.normal_form import Elements, elements_of
from dpbounds.mechanisms.pairs import Product
from dpbounds.numbers.balls import Enclosure, precision
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.inputs import exact_ball
from dpbounds.numbers.refine import refine

AT_LARGEST_LOSS = "exact: epsilon is at least the largest privacy loss"


@cache
def file_called(name: str) -> Any:
    """A file of this package, imported when a product needs what it has: no closed form needs contours and their bounds.

    >>> file_called("bounds.near_one").METHOD
    'Chernoff bound on 1 - delta'
    """
    return importlib.import_module(f"dpbounds.accounting.{name}")


def enclosed_delta(
    product: Product, epsilon: Exact, digits: int, *, tail: bool = False, nearby: Nearby | None = None
) -> tuple[Enclosure, str]:
    """`evaluate.evaluate`, which is not imported where there is a closed form.

    >>> from dpbounds.mechanisms import Gaussian
    >>> from dpbounds.mechanisms.pairs import dominating_pairs
    >>> enclosed_delta(dominating_pairs(Gaussian(1))[0], Fraction(1), 4)[1]
    'closed form'
    """
    if isinstance(epsilon, Fraction) and is_rational(product):
        elements = elements_of(product)
        form = elements.closed_form()
        if form is not None and not form.long and not beyond_largest_loss(elements, epsilon):
            return closed_delta(elements, form, epsilon, digits, nearby)
    found: tuple[Enclosure, str] = file_called("evaluate").evaluate(product, epsilon, digits, tail=tail, nearby=nearby)
    return found


def beyond_largest_loss(elements: Elements, epsilon: Fraction) -> bool:
    """True when ε is at least the largest finite value of the loss, so that δ(ε) is exactly the mass of the infinite one.

    Exact for rational losses (randomized response); otherwise decided with balls, and False while 4000 bits leave it open.
    """
    if elements.nothing_finite():
        return True
    for bits in (64, 500, 4000):
        with precision(bits):
            largest = elements.largest_loss()
            if largest is None:
                return False
            if isinstance(largest, Fraction):
                return epsilon >= largest
            if exact_ball(epsilon) >= largest:
                return True
            if exact_ball(epsilon) < largest:
                return False
    return False


def closed_delta(
    elements: Elements, form: ClosedForm, epsilon: Fraction, digits: int, nearby: Nearby | None = None
) -> tuple[Enclosure, str]:
    """δ(ε) by the closed form, ε being below the largest loss; its line below δ is kept."""
    found = refine(lambda: form.value(exact_ball(epsilon, spare=form.spare)), digits, form.rounds)
    if nearby is not None:
        nearby.below, nearby.costly = form.below(), bool(form.spare)
    return within_unit(found), form.method + elements.note()


def within_unit(found: Enclosure) -> Enclosure:
    """What of an enclosure is in [0, 1], where δ is.

    >>> within_unit(Enclosure.between(arb(-1), arb(2))).upper
    Fraction(1, 1)

    Raises:
        PrecisionError: it has no number in [0, 1], so that a bound of an error must be wrong.
    """
    unit = Enclosure.between(arb(0), arb(1))
    if not found.overlaps(unit):
        raise PrecisionError("an enclosure of δ has no number in [0, 1]: no digit can be trusted; please report this question")
    return found.intersection(unit)
