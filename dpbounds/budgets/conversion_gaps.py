"""How far each conversion lies above the exact ε: one mechanism, one δ, every conversion."""

from __future__ import annotations

from dataclasses import dataclass

from dpbounds import accounting
from dpbounds.mechanisms import Direction, Gaussian, PoissonSampling, Sampled, repeated
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure
from dpbounds.numbers.domains import at_least_one, delta_between
from dpbounds.numbers.to_digits import certified
from dpbounds.renyi.conversions.joint_range import exact_epsilon_of
from dpbounds.renyi.conversions.single_order import mironov_epsilon_of, sharp_epsilon_of, zcdp_epsilon_of
from dpbounds.renyi.conversions.whole_curve import best_order_of, epsilon_of
from dpbounds.renyi.curves.curve import composed
from dpbounds.renyi.curves.sampled import PoissonGaussianCurve


@dataclass(frozen=True)
class ConversionGap:
    """One conversion: its ε, and ε divided by the exact value."""

    conversion: str
    epsilon: Enclosure
    ratio: Enclosure


def gaps_of(
    sigma: exact.Number, delta: exact.Number, q: exact.Number = 1, steps: exact.Number = 1, digits: int = 6
) -> tuple[ConversionGap, ...]:
    """Every conversion for the (Poisson-sampled) Gaussian, direction remove, against the exact ε from `accounting`.

    Args:
        sigma: noise multiplier > 0.
        delta: 0 < δ < 1.
        q: sampling rate in (0, 1]; 1 adds the zCDP conversion.
        steps: k ≥ 1.
        digits: certified digits.

    Returns:
        The exact value first; then, at the best order of Mironov's conversion, the exact optimum of that order, the sharp and Mironov's
        bound; then both rules optimised over all real orders. Each ε is at least the exact one.

    >>> rows = gaps_of(2, "1e-5", digits=4)
    >>> [row.conversion for row in rows][:2], all(row.ratio.upper >= 1 for row in rows)
    (['exact', 'joint range, one order'], True)
    """
    chance, count = delta_between(delta), at_least_one(steps, "steps")
    curve = composed((PoissonGaussianCurve(sigma, q), count))
    noise = Gaussian(sigma)
    mechanism = repeated(noise if q == 1 else Sampled(noise, PoissonSampling(q)), count)
    truth = accounting.epsilon(mechanism, chance, digits=digits + 2, direction=Direction.REMOVE).enclosure
    order = round(float(best_order_of(curve, chance, rule="chernoff").mid()) * 64) / 64
    order = max(order, 1 + 1 / 64)
    rho = exact.rational(str(curve.certified_divergence(order, 20).upper_decimal(20)))
    found = [
        ("exact", truth),
        ("joint range, one order", exact_epsilon_of(order, rho, chance, digits)),
        ("sharp, one order", sharp_epsilon_of(order, rho, chance, digits)),
        ("Mironov, one order", mironov_epsilon_of(order, rho, chance, digits)),
        ("sharp, all orders", epsilon_of(curve, chance, digits)),
        ("Chernoff, all orders", epsilon_of(curve, chance, digits, "chernoff")),
    ]
    if q == 1:
        slope = count / (2 * exact.rational(sigma) ** 2)
        found.append(("zCDP", zcdp_epsilon_of(slope, chance, digits)))
    return tuple(
        ConversionGap(name, value, certified(lambda v=value: v.ball() / truth.ball(), max(1, digits - 2)))  # type: ignore[misc]
        for name, value in found
    )
