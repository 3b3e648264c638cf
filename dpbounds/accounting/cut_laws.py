"""δ(ε) of products with laws that are followed only as far as is asked for."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial

from flint import arb

from dpbounds.accounting.asked import NEGLIGIBLE
from dpbounds.accounting.bounds.ends import TAIL_BOUND
from dpbounds.accounting.bounds.near_one import METHOD as NEAR_ONE
from dpbounds.accounting.bounds.near_one import near_one
from dpbounds.accounting.bounds.tail_bound import tail_bound
from dpbounds.accounting.bounds.upper_bounds import LEFT_OUT, left_out
from dpbounds.accounting.bromwich import integrate
from dpbounds.accounting.bromwich_planning import lost_mass
from dpbounds.accounting.closed import AT_LARGEST_LOSS
from dpbounds.errors import PrecisionError
from dpbounds.laws.contour_factor import ContourFactor
from dpbounds.laws.normal_form import Elements
from dpbounds.numbers.balls import Enclosure, bits_for, precision
from dpbounds.numbers.inputs import exact_ball


def truncated_laws_delta(elements: Elements, epsilon: Fraction, digits: int) -> tuple[Enclosure, str]:
    """δ(ε) of a product with laws that are followed only as far as what is left out does not matter.

    Raises:
        PrecisionError: the contour would be too long, or a law is out of its reach.
    """
    steps = sum(steps for law, steps in elements.uses.items() if law.truncated)
    most = 10.0 ** -(digits + 12) / steps
    best: Enclosure | None = None
    method = ""
    for _ in range(4):
        factors = partial(elements.factors, most)
        cut = factors()
        if (nothing := _beyond_loss_of(cut, elements, epsilon)) is not None:
            return nothing, AT_LARGEST_LOSS
        with precision(bits_for(digits, 80)):
            lost = sum((factor.lost() for factor in factors()), arb(0))

        def either() -> arb:
            return sum((factor.lost() for factor in factors()), arb(0)) * (1 + exact_ball(epsilon).exp())  # noqa: B023

        if (near := near_one(factors, epsilon, digits, either)) is not None:
            return near, NEAR_ONE
        try:
            found, how = integrate(factors, lambda: exact_ball(epsilon), digits + 1, elements.unlisted_mass)
        except PrecisionError:
            whole = partial(elements.factors, LEFT_OUT / steps)
            below = tail_bound(whole, epsilon, partial(left_out, elements, whole))
            if below is None or not below.high <= arb(10) ** NEGLIGIBLE:
                raise
            return below, TAIL_BOUND
        with precision(bits_for(digits, 80)):
            found = with_lost_mass(found, lost, exact_ball(epsilon))
        if best is None or found.digits() > best.digits():
            best, method = found, how
        if best.meets(digits):
            break
        most = max(1e-300, min(most * 1e-3, found.upper_float * 10.0 ** -(digits + 3) / steps * math.exp(-min(600.0, float(epsilon)))))
    assert best is not None
    return best, method + elements.note()


def _beyond_loss_of(factors: list[ContourFactor], elements: Elements, epsilon: Fraction) -> Enclosure | None:
    """δ(ε) where ε is at least the largest loss as far as the laws were followed: the mass of infinite loss, and what is left out."""
    with precision(200):
        if not exact_ball(epsilon) >= sum((factor.steps * factor.loss_bound() for factor in factors), arb(0)):
            return None
        beside = elements.unlisted_mass()
        return Enclosure.of_ball(beside.union(beside + lost_mass(factors)))


def with_lost_mass(found: Enclosure, lost: arb, epsilon: arb) -> Enclosure:
    """δ of the whole pairs from that of the cut ones: between δ_K − e^ε·lost and δ_K + lost."""
    ball = found.ball()
    return Enclosure.of_ball((ball - epsilon.exp() * lost).nonnegative_part().union(ball + lost))
