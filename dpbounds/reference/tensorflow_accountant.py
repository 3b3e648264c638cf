"""The accountant that the blog describes in TensorFlow Privacy (`rdp_accountant.py`, March 2019), as plain functions with enclosures.

Divergences at integer and fractional orders, and ε as the best over a list of orders by Mironov's conversion. The orders are the
caller's; `renyi.conversions.epsilon_of` optimises over all real ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure
from dpbounds.numbers.domains import at_least_one, delta_between, order_above_one
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import certified
from dpbounds.renyi.conversions.single_order import mironov_epsilon_of
from dpbounds.renyi.curves.sampled import PoissonGaussianCurve

MOMENTS_ACCOUNTANT_ORDERS: tuple[Fraction, ...] = tuple(Fraction(x) for x in range(2, 34))
"""The orders λ+1 of the first moments accountant (Abadi et al. 2016): λ = 1, …, 32."""


class Best(NamedTuple):
    """The best value over a list of orders, and its order."""

    value: Enclosure
    order: Exact


def rdp_of(
    q: exact.Number, sigma: exact.Number, steps: exact.Number, orders: Sequence[exact.Number], digits: int = 12
) -> tuple[Enclosure, ...]:
    """steps·D_α at each order: `compute_rdp`.

    >>> len(rdp_of("0.01", 2, 100, [2, 4]))
    2
    """
    curve, count = PoissonGaussianCurve(sigma, q), at_least_one(steps, "steps")
    read = [order_above_one(order) for order in orders]

    def value(order: Exact) -> Ball:
        return count * curve.divergence(as_ball(order))

    return tuple(certified(lambda o=order: value(o), digits) for order in read)  # type: ignore[misc]


def epsilon_of_orders(orders: Sequence[exact.Number], rdp: Sequence[Enclosure], delta: exact.Number, digits: int = 10) -> Best:
    """min over the orders of rdp + log(1/δ)/(α−1): `_compute_eps`, item 3 of the blog's Claim 21.

    >>> epsilon_of_orders([2, 4], rdp_of("0.01", 2, 100, [2, 4]), "1e-5").value.lower_decimal(4)
    '3.843'
    """
    if len(orders) != len(rdp) or not orders:
        raise InputError(f"orders and rdp must be two lists of one length >= 1, got {len(orders)} and {len(rdp)}")
    chance, best = delta_between(delta), None
    for alpha, bound in zip(orders, rdp, strict=True):
        order = order_above_one(alpha)
        low, high = max(exact.rational(_finite(bound.lower)), Fraction(0)), exact.rational(_finite(bound.upper))
        ends = [mironov_epsilon_of(order, rho, chance, digits) for rho in (low, high)]  # rising in rho
        value = Enclosure.between(ends[0].low, ends[1].high)
        if best is None:
            best = Best(value, order)
            continue
        least = min(best, Best(value, order), key=lambda found: found.value.upper)
        best = Best(Enclosure.between(_lower(value, best.value), least.value.high), least.order)
    assert best is not None
    return best


def _lower(first: Enclosure, second: Enclosure) -> Ball:
    return first.low if first.low <= second.low else second.low


def _finite(value: Fraction | float) -> Fraction:
    if isinstance(value, float):
        raise InputError(f"rdp must be finite, got {value}")
    return value
