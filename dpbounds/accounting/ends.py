"""What is known of δ(ε) without a sum: ε is at least the largest loss, or δ is next to 0 or to 1."""

from __future__ import annotations

from fractions import Fraction

from dpbounds.accounting.near_one import METHOD as NEAR_ONE
from dpbounds.accounting.near_one import near_one
from dpbounds.accounting.tail_bound import next_to_certain, tail_bound
from dpbounds.laws.normal_form import Elements
from dpbounds.numbers.balls import Enclosure, precision
from dpbounds.numbers.inputs import exact_ball

TAIL_BOUND = "tail bound"
NEXT_TO_CERTAIN = "probability of an infinite loss, and a tail bound"
AT_LARGEST_LOSS = "exact: epsilon is at least the largest privacy loss"


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


def next_to_an_end(elements: Elements, epsilon: Fraction, digits: int, tail: bool) -> tuple[Enclosure, str] | None:
    """A bound that will do because δ is next to 1, or next to 0 and an upper bound is enough."""
    if (near := near_one(elements.factors, epsilon, digits, elements.dropped)) is not None:
        return near, NEAR_ONE
    if elements.may_lose() and (found := next_to_certain(elements.factors, epsilon, elements.unlisted_mass, digits)):
        return found, NEXT_TO_CERTAIN
    if tail and (below := tail_bound(elements.factors, epsilon, elements.unlisted_mass)) is not None:
        return below, TAIL_BOUND
    return None
