"""What is known of δ(ε) without a sum where it is next to 0 or to 1."""

from __future__ import annotations

from fractions import Fraction

from dpbounds.accounting.bounds.near_one import METHOD as NEAR_ONE
from dpbounds.accounting.bounds.near_one import near_one
from dpbounds.accounting.bounds.tail_bound import next_to_certain, tail_bound
from dpbounds.laws.normal_form import Elements
from dpbounds.numbers.balls import Enclosure

TAIL_BOUND = "tail bound"
NEXT_TO_CERTAIN = "probability of an infinite loss, and a tail bound"


def next_to_an_end(elements: Elements, epsilon: Fraction, digits: int, tail: bool) -> tuple[Enclosure, str] | None:
    """A bound that will do because δ is next to 1, or next to 0 and an upper bound is enough."""
    if (near := near_one(elements.factors, epsilon, digits, elements.dropped)) is not None:
        return near, NEAR_ONE
    if elements.may_lose() and (found := next_to_certain(elements.factors, epsilon, elements.unlisted_mass, digits)):
        return found, NEXT_TO_CERTAIN
    if tail and (below := tail_bound(elements.factors, epsilon, elements.unlisted_mass)) is not None:
        return below, TAIL_BOUND
    return None
