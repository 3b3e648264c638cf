"""From Rényi differential privacy to (ε, δ), at one order; `whole_curve` optimises over orders, `joint_range` is exact.

All of them hold for every mechanism with D_α ≤ ρ in the direction at hand; the exact ε or δ of a mechanism is never above what they return.
For one order: joint range (exact optimum) ≤ Canonne–Kamath–Steinke ≤ Mironov.
"""

from __future__ import annotations

from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball
from dpbounds.numbers.domains import delta_between, nonnegative, order_above_one, positive
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import certified, log_inverse, positive_part


def mironov_epsilon_of(alpha: exact.Number, rho: exact.Number, delta: exact.Number, digits: int = 15) -> Enclosure:
    """ε = ρ + log(1/δ)/(α−1): (α, ρ)-RDP implies (ε, δ)-DP.

    Args:
        alpha: order > 1.
        rho: bound on D_α, ≥ 0.
        delta: 0 < δ < 1.
        digits: certified digits of the formula's value.

    Returns:
        An enclosure of the formula, which is an upper bound on the mechanism's ε.

    Source: Mironov 2017, Proposition 3; the blog's Claim 21.3.

    >>> mironov_epsilon_of(2, 1, "1e-5").lower_decimal(8)
    '12.512925'
    """
    order, bound, chance = order_above_one(alpha), nonnegative(rho, "rho"), delta_between(delta)
    return certified(lambda: as_ball(bound) + log_inverse(chance) / (as_ball(order) - 1), digits)


def mironov_delta_of(alpha: exact.Number, rho: exact.Number, epsilon: exact.Number, digits: int = 15) -> Enclosure:
    """δ = min(1, e^{(α−1)(ρ−ε)}).

    Args:
        alpha: order > 1.
        rho: bound on D_α, ≥ 0.
        epsilon: ε ≥ 0.

    Returns:
        An upper bound on the mechanism's δ; it says nothing (δ = 1) for ε ≤ ρ.

    Source: Chernoff's bound; the blog's Claim 21.1.

    >>> mironov_delta_of(2, 1, 1).upper == 1
    True
    """
    order, bound, loss = order_above_one(alpha), nonnegative(rho, "rho"), nonnegative(epsilon, "epsilon")
    return certified(lambda: ((as_ball(order) - 1) * (as_ball(bound) - as_ball(loss))).exp().min(ball(1)), digits)


def sharp_log_factor(t: Ball) -> Ball:
    """log(t^t/(1+t)^{1+t}), the gain of the sharp conversion: max over 0 < y < 1 of (1−y)·y^t. Convex and decreasing in t > 0.

    >>> sharp_log_factor(ball(1)) < 0
    True
    """
    return t * t.log() - (1 + t) * (1 + t).log()


def sharp_epsilon_of(alpha: exact.Number, rho: exact.Number, delta: exact.Number, digits: int = 15) -> Enclosure:
    """ε = max(0, ρ + log((α−1)/α) − (log δ + log α)/(α−1)).

    Args:
        alpha: order > 1.
        rho: bound on D_α, ≥ 0.
        delta: 0 < δ < 1.

    Returns:
        An upper bound on the mechanism's ε, below Mironov's by log(α^α/(α−1)^{α−1})/(α−1).

    Source: Canonne, Kamath & Steinke 2020, Proposition 12; Balle, Barthe, Gaboardi, Hsu & Sato 2020, Theorem 21. Derivation: e^ε-hockey
    sticks satisfy (1 − e^{ε−s})₊ ≤ max_y (1−y)y^t·e^{t(s−ε)} with y = e^{ε−s}, t = α−1.

    >>> sharp_epsilon_of(2, 1, "1e-5").upper < mironov_epsilon_of(2, 1, "1e-5").lower
    True
    """
    order, bound, chance = order_above_one(alpha), nonnegative(rho, "rho"), delta_between(delta)

    def formula() -> Ball:
        t = as_ball(order) - 1
        return positive_part(as_ball(bound) + (log_inverse(chance) + sharp_log_factor(t)) / t)

    return certified(formula, digits)


def sharp_delta_of(alpha: exact.Number, rho: exact.Number, epsilon: exact.Number, digits: int = 15) -> Enclosure:
    """δ = min(1, e^{(α−1)(ρ−ε)}·(α−1)^{α−1}/α^α).

    Args:
        alpha: order > 1.
        rho: bound on D_α, ≥ 0.
        epsilon: ε ≥ 0.

    Returns:
        An upper bound on the mechanism's δ. Source: as for `sharp_epsilon_of`.

    >>> sharp_delta_of(2, 1, 1).contains(exact.rational("0.25"))
    True
    """
    order, bound, loss = order_above_one(alpha), nonnegative(rho, "rho"), nonnegative(epsilon, "epsilon")

    def formula() -> Ball:
        t = as_ball(order) - 1
        return (t * (as_ball(bound) - as_ball(loss)) + sharp_log_factor(t)).exp().min(ball(1))

    return certified(formula, digits)


def range_limited_threshold_of(rho: exact.Number, limit: exact.Number, digits: int = 15) -> Enclosure:
    """δ₀ = e^{−ρ(u−1)²}, the δ at which the two branches of `range_limited_epsilon_of` meet, with ε = ρ(2u−1).

    >>> range_limited_threshold_of(1, 2).overlaps(certified(lambda: ball(-1).exp()))
    True
    """
    slope, order = nonnegative(rho, "rho"), order_above_one(limit, "the largest order")
    return certified(lambda: (-as_ball(slope) * (as_ball(order) - 1) ** 2).exp(), digits)


def range_limited_epsilon_of(rho: exact.Number, limit: exact.Number, delta: exact.Number, digits: int = 15) -> Enclosure:
    """ε when D_α ≤ αρ for 1 < α ≤ u: ρ + 2√(ρ log(1/δ)) if δ ≥ e^{−ρ(u−1)²}, else ρu + log(1/δ)/(u−1).

    Args:
        rho: slope ρ > 0 of the bound on the curve.
        limit: largest order u > 1 where the bound holds.
        delta: 0 < δ < 1.

    Returns:
        An upper bound on the mechanism's ε: Mironov's conversion at its best order α = 1 + √(log(1/δ)/ρ), or at u where that lies beyond.

    Source: Yu et al. 2019, Theorem 3. Its premise is for the caller to establish: the printed P = q²/σ² with U_α = σ²log(1/(qσ))+1 does not
    always meet it (see `budgets.zcdp.range_limited`).

    >>> range_limited_epsilon_of("0.5", 1000, "1e-5").overlaps(zcdp_epsilon_of("0.5", "1e-5"))
    True
    """
    slope, order, chance = nonnegative(rho, "rho"), order_above_one(limit, "the largest order"), delta_between(delta)
    if slope == 0:
        return mironov_epsilon_of(order, 0, chance, digits)

    def formula() -> Ball:
        r, u, log = as_ball(slope), as_ball(order), log_inverse(chance)
        inner, outer = r + 2 * (r * log).sqrt(), r * u + log / (u - 1)
        if log <= r * (u - 1) ** 2:
            return inner
        # the branches meet with equal value, so their union stays narrow where the comparison is open
        return outer if log > r * (u - 1) ** 2 else inner.union(outer)

    return certified(formula, digits)


def zcdp_epsilon_of(rho: exact.Number, delta: exact.Number, digits: int = 15) -> Enclosure:
    """ε = ρ + 2√(ρ log(1/δ)): ρ-zCDP implies (ε, δ)-DP.

    Args:
        rho: ρ ≥ 0.
        delta: 0 < δ < 1.

    Returns:
        An upper bound on the mechanism's ε. Source: Bun & Steinke 2016, Proposition 1.3; Yu et al. 2019, Proposition 1.

    >>> zcdp_epsilon_of("0.5", "1e-5").lower_decimal(6)
    '5.29852'
    """
    slope, chance = nonnegative(rho, "rho"), delta_between(delta)
    return certified(lambda: as_ball(slope) + 2 * (as_ball(slope) * log_inverse(chance)).sqrt(), digits)


def zcdp_delta_of(rho: exact.Number, epsilon: exact.Number, digits: int = 15) -> Enclosure:
    """δ = e^{−(ε−ρ)²/(4ρ)} for ε ≥ ρ, and 1 below; 0 for ρ = 0, where nothing is released. The inverse of `zcdp_epsilon_of`.

    >>> zcdp_delta_of(1, 3).overlaps(certified(lambda: ball(-1).exp()))
    True
    """
    slope, loss = nonnegative(rho, "rho"), nonnegative(epsilon, "epsilon")
    if slope == 0:
        return Enclosure.exactly(0)
    if not loss > slope:
        return Enclosure.exactly(1)
    return certified(lambda: (-((as_ball(loss) - as_ball(slope)) ** 2) / (4 * as_ball(slope))).exp(), digits)


def zcdp_rho_of(epsilon: exact.Number, delta: exact.Number, digits: int = 15) -> Enclosure:
    """ρ = (√(log(1/δ)+ε) − √log(1/δ))², the largest ρ for which `zcdp_epsilon_of` is at most ε.

    Args:
        epsilon: ε > 0.
        delta: 0 < δ < 1.

    Returns:
        The largest sufficient ρ. The often quoted ε²/(4 log(1/δ)) (Yu et al. 2019, II-D) is larger, so it does not suffice.

    >>> zcdp_rho_of(1, "1e-5").upper_decimal(4)
    '0.02082'
    """
    loss, chance = nonnegative(epsilon, "epsilon"), delta_between(delta)

    def formula() -> Ball:
        log = log_inverse(chance)
        return (as_ball(loss) / ((log + as_ball(loss)).sqrt() + log.sqrt())) ** 2

    return certified(formula, digits)


def classical_gaussian_sigma_of(epsilon: exact.Number, delta: exact.Number, digits: int = 15) -> Enclosure:
    """σ = √(2 log(1.25/δ))/ε for sensitivity 1: a Gaussian mechanism that is (ε, δ)-DP when ε ≤ 1.

    Args:
        epsilon: 0 < ε ≤ 1; the bound is false for large ε, and so is the slides' √(2 log(1/δ))/ε.
        delta: 0 < δ < 1.

    Source: Dwork & Roth 2014, Theorem A.1.

    >>> classical_gaussian_sigma_of("0.5", "1e-5").lower_decimal(5)
    '9.6896'
    """
    loss, chance = nonnegative(epsilon, "epsilon"), delta_between(delta)
    if not 0 < loss <= 1:
        raise InputError(f"epsilon must lie in (0, 1] for the classical Gaussian bound, got {exact.text(loss)}; use gaussian_sigma_of")
    return certified(lambda: _classical(loss, chance), digits)


def classical_gaussian_epsilon_of(sigma: exact.Number, delta: exact.Number, digits: int = 15) -> Enclosure:
    """ε = √(2 log(1.25/δ))/σ; a privacy statement only where it is ≤ 1.

    >>> classical_gaussian_epsilon_of(6, "1e-5").lower_decimal(5)
    '0.80746'
    """
    noise, chance = positive(sigma, "sigma (the noise multiplier)"), delta_between(delta)
    return certified(lambda: _classical(noise, chance), digits)


def _classical(divisor: Exact, delta: Exact) -> Ball:
    return (2 * (ball(5) / 4 / as_ball(delta)).log()).sqrt() / as_ball(divisor)
