"""The accountant that the blog describes in TensorFlow Privacy (`rdp_accountant.py`, March 2019), as plain functions with enclosures.

Log-moments at integer and fractional orders, and δ or ε as the best over a list of orders by Mironov's conversion. The orders are the
caller's; `renyi.conversions.epsilon_of` optimises over all real ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure
from dpbounds.numbers.domains import at_least_one, delta_between, nonnegative, order_above_one
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import certified
from dpbounds.renyi.amplification.series import log_moment_series_of
from dpbounds.renyi.conversions.single_order import mironov_delta_of, mironov_epsilon_of
from dpbounds.renyi.curves.sampled import PoissonGaussianCurve

DEFAULT_ORDERS: tuple[Fraction, ...] = (*(1 + Fraction(x, 10) for x in range(1, 100)), *(Fraction(x) for x in range(12, 64)))
"""The orders of TensorFlow Privacy's `compute_dp_sgd_privacy`: 1.1, 1.2, …, 10.9, 12, …, 63."""

MOMENTS_ACCOUNTANT_ORDERS: tuple[Fraction, ...] = tuple(Fraction(x) for x in range(2, 34))
"""The orders λ+1 of the first moments accountant (Abadi et al. 2016): λ = 1, …, 32."""


class Best(NamedTuple):
    """The best value over a list of orders, and its order."""

    value: Enclosure
    order: Exact


def log_moment_of(alpha: exact.Number, q: exact.Number, sigma: exact.Number, digits: int = 15) -> Enclosure:
    """log E_Q[(dP/dQ)^α] of the Poisson-sampled Gaussian: `_compute_log_a`, at any real order, by quadrature or by (9.5).

    >>> log_moment_of(2, 1, 1).contains(1)
    True
    """
    order, curve = order_above_one(alpha), PoissonGaussianCurve(sigma, q)
    return certified(lambda: (as_ball(order) - 1) * curve.divergence(as_ball(order)), digits)


def log_moment_integer_of(alpha: exact.Number, q: exact.Number, sigma: exact.Number, digits: int = 15) -> Enclosure:
    """log Σ_j C(α,j) q^j (1−q)^{α−j} e^{j(j−1)/2σ²} for an integer α ≥ 2: `_compute_log_a_int`, the blog's (9.5).

    >>> log_moment_integer_of(3, "0.1", 2).overlaps(log_moment_of(3, "0.1", 2))
    True
    """
    from dpbounds.renyi.amplification.renyi import log_binomial_moment
    from dpbounds.renyi.curves.continuous import GaussianCurve

    order = exact.integer(alpha, "alpha (the Rényi order)")
    if order < 2:
        raise InputError(f"alpha (the Rényi order) must be an integer >= 2 here, got {order}")
    curve = PoissonGaussianCurve(sigma, q)
    return certified(lambda: log_binomial_moment(GaussianCurve(curve.sigma), curve.q, order, 1), digits)


def log_moment_fractional_of(alpha: exact.Number, q: exact.Number, sigma: exact.Number, digits: int = 10) -> Enclosure:
    """The same at a fractional order, by the two-sided erfc series of `_compute_log_a_frac`, with its remainder enclosed.

    >>> log_moment_fractional_of("2.5", "0.1", 2).overlaps(log_moment_of("2.5", "0.1", 2))
    True
    """
    return log_moment_series_of(alpha, sigma, q, digits)


def rdp_of(
    q: exact.Number, sigma: exact.Number, steps: exact.Number, orders: Sequence[exact.Number] = DEFAULT_ORDERS, digits: int = 12
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


def delta_of_orders(orders: Sequence[exact.Number], rdp: Sequence[Enclosure], epsilon: exact.Number, digits: int = 10) -> Best:
    """min over the orders of e^{(α−1)(rdp−ε)}: `_compute_delta`, item 1 of the blog's Claim 21.

    Args:
        orders: the list of orders.
        rdp: D_α of the composition at each.
        epsilon: ε ≥ 0.

    Returns:
        An upper bound on δ, safe at `value.upper`.

    >>> delta_of_orders([2, 4], rdp_of("0.01", 2, 100, [2, 4]), 1).order
    Fraction(4, 1)
    """
    loss = nonnegative(epsilon, "epsilon")
    return _best(orders, rdp, lambda order, rho: mironov_delta_of(order, rho, loss, digits))


def epsilon_of_orders(orders: Sequence[exact.Number], rdp: Sequence[Enclosure], delta: exact.Number, digits: int = 10) -> Best:
    """min over the orders of rdp + log(1/δ)/(α−1): `_compute_eps`, item 3 of the blog's Claim 21.

    >>> epsilon_of_orders([2, 4], rdp_of("0.01", 2, 100, [2, 4]), "1e-5").value.lower_decimal(4)
    '3.843'
    """
    chance = delta_between(delta)
    return _best(orders, rdp, lambda order, rho: mironov_epsilon_of(order, rho, chance, digits))


def _best(orders: Sequence[exact.Number], rdp: Sequence[Enclosure], convert) -> Best:  # type: ignore[no-untyped-def]
    """The least converted value; each conversion is increasing in rdp, so its two ends give the enclosure."""
    if len(orders) != len(rdp) or not orders:
        raise InputError(f"orders and rdp must be two lists of one length >= 1, got {len(orders)} and {len(rdp)}")
    best: Best | None = None
    for alpha, bound in zip(orders, rdp, strict=True):
        order = order_above_one(alpha)
        low, high = max(exact.rational(_finite(bound.lower)), Fraction(0)), exact.rational(_finite(bound.upper))
        value = Enclosure.between(convert(order, low).low, convert(order, high).high)
        if best is None or value.high < best.value.high:
            best = Best(value if best is None else Enclosure.between(_lower(value, best.value), value.high), order)
        else:
            best = Best(Enclosure.between(_lower(value, best.value), best.value.high), best.order)
    assert best is not None
    return best


def _lower(first: Enclosure, second: Enclosure) -> Ball:
    return first.low if first.low <= second.low else second.low


def _finite(value: Fraction | float) -> Fraction:
    if isinstance(value, float):
        raise InputError(f"rdp must be finite, got {value}")
    return value
