"""The exact optimum of converting one Rényi bound: D_α ≤ ρ into δ at ε.

Data processing to the set where the loss exceeds ε keeps the hockey-stick divergence and lowers D_α, so two-point pairs (p, q) are worst:

    δ(ε) = max { p − e^ε q :  F(p, q) = p^α q^{1−α} + (1−p)^α (1−q)^{1−α} ≤ e^{(α−1)ρ} }       (Asoodeh, Liao, Calmon, Kosut & Sankar 2021)

F is jointly convex, so both sides are certified from one point (p₀, q₀) near the optimum, however it was found:
  below   if F(p₀, q₀) ≤ e^{(α−1)ρ}, then δ ≥ p₀ − e^ε q₀;
  above   for every feasible (p, q), e^{(α−1)ρ} ≥ F₀ + F_p(p−p₀) + F_q(q−q₀); with F_q = −s·F_p, F_p > 0, this gives
          p − e^ε q ≤ p₀ − s·q₀ + (e^{(α−1)ρ} − F₀)/F_p + max(0, s − e^ε), because 0 ≤ q ≤ 1.
With a = p/q and b = (1−p)/(1−q), F_p = α(a^{α−1} − b^{α−1}) and F_q = (1−α)(a^α − b^α). The optimum has s = e^ε, which for given b has one
root a in [e^ε, α/(α−1)·e^ε], and F falls from a^{α−1} to 1 as b rises from 0 to 1. Where e^{(α−1)ρ} is larger still, p = 1 and
δ = 1 − e^{ε−ρ}.
"""

from __future__ import annotations

from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball, precision, working_bits
from dpbounds.numbers.domains import delta_between, nonnegative, order_above_one
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import bisect, certified, decide, surely_at_most
from dpbounds.renyi.conversions.single_order import mironov_epsilon_of


def exact_delta_of(alpha: exact.Number, rho: exact.Number, epsilon: exact.Number, digits: int = 15) -> Enclosure:
    """The smallest δ that D_α ≤ ρ implies at ε, for all mechanisms.

    Args:
        alpha: order > 1.
        rho: bound on D_α, ≥ 0.
        epsilon: ε ≥ 0.
        digits: certified digits.

    Returns:
        An enclosure of the optimum: an upper bound on the δ of every mechanism with D_α ≤ ρ, and some pair attains it.

    Source: Asoodeh et al. 2021, Theorem 3; the two-sided certificate is the module's.

    >>> from dpbounds.renyi.conversions.single_order import sharp_delta_of
    >>> exact_delta_of(2, 1, 1) <= sharp_delta_of(2, 1, 1)
    True
    """
    order, bound, loss = order_above_one(alpha), nonnegative(rho, "rho"), nonnegative(epsilon, "epsilon")
    if bound == 0:
        return Enclosure.exactly(0)
    return certified(lambda: _delta(order, bound, loss), digits)


def exact_epsilon_of(alpha: exact.Number, rho: exact.Number, delta: exact.Number, digits: int = 10) -> Enclosure:
    """The smallest ε that D_α ≤ ρ implies at δ, for all mechanisms; see `exact_delta_of`.

    >>> from dpbounds.renyi.conversions.single_order import sharp_epsilon_of
    >>> exact_epsilon_of(2, 1, "1e-5", 6) <= sharp_epsilon_of(2, 1, "1e-5")
    True
    """
    order, bound, chance = order_above_one(alpha), nonnegative(rho, "rho"), delta_between(delta)

    def fails(candidate: Exact) -> bool:
        def compare() -> bool | None:
            return surely_at_most(_delta(order, bound, candidate), as_ball(chance))

        return not decide(compare, f"delta at epsilon {candidate} against its target")

    if bound == 0 or not fails(exact.number(0)):
        return Enclosure.exactly(0)
    ceiling = mironov_epsilon_of(order, bound, chance).upper_float
    return bisect(fails, exact.rational(0), exact.rational(ceiling * 1.01), digits)


def _delta(alpha: Exact, rho: Exact, epsilon: Exact) -> Ball:
    """A ball around the optimum at the precision that is set."""
    target = working_bits()
    with precision(2 * target + 64):
        order, factor = as_ball(alpha), as_ball(epsilon).exp()
        if as_ball(rho) >= as_ball(epsilon) + (order / (order - 1)).log():
            return 1 - (as_ball(epsilon) - as_ball(rho)).exp()
        level = ((order - 1) * as_ball(rho)).exp()
        hair = ball(2) ** (-target - 32)
        inside = level * (1 - hair) + hair  # below the level, so that the point is feasible, and above 1
        p, q = _nearly_optimal(order, factor, inside.mid())
        return _certify(order, factor, level, p, q)


def _certify(order: Ball, factor: Ball, level: Ball, p: Ball, q: Ball) -> Ball:
    a, b = p / q, (1 - p) / (1 - q)
    value = q * a**order + (1 - q) * b**order
    across, down = order * (a ** (order - 1) - b ** (order - 1)), (order - 1) * (a**order - b**order)
    if not (value <= level and across > 0):
        return Ball.nan()
    slope = down / across
    above = p - slope * q + (level - value) / across + (slope - factor).max(ball(0))
    return (p - factor * q).lower().max(ball(0)).union(above.upper().min(ball(1)))


def _nearly_optimal(order: Ball, factor: Ball, level: Ball) -> tuple[Ball, Ball]:
    """A pair (p, q) with F close to `level` and F_q/F_p close to −e^ε, by bisection for b and for a inside it."""
    low, high = ball(0), ball(1)
    p, q = ball(1) / 2, ball(1) / 2
    for _ in range(working_bits() + 40):
        b = ((low + high) / 2).mid()
        a = _matching(order, factor, b)
        q = ((1 - b) / (a - b)).mid()
        p = (1 - (1 - q) * b).mid()
        value = (q * (p / q) ** order + (1 - q) * b**order).mid()
        if value > level:
            low = b
        else:
            high = b
        if abs(value - level) < (level - 1) * ball(2) ** (-working_bits() // 2 - 24):
            break
    return p, q


def _matching(order: Ball, factor: Ball, b: Ball) -> Ball:
    """The root a ≥ e^ε of (α−1)(a^α − b^α) = α·e^ε·(a^{α−1} − b^{α−1}): Newton from the right end, on a convex rising function."""
    t, constant = order - 1, order * factor * b ** (order - 1) - (order - 1) * b**order
    a = (order / t * factor).mid()
    for _ in range(200):
        power = a ** (t - 1)
        value = t * a * a * power - order * factor * a * power + constant
        step = (value / (order * t * power * (a - factor))).mid()
        if not step.is_finite():
            return a
        a = (a - step).mid()
        if abs(step) < a * ball(2) ** (-working_bits() + 16):
            return a
    return a
