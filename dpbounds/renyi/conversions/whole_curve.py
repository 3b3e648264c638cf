"""Conversions that use a whole Rényi curve: the best order over the reals, certified.

`rule="chernoff"` is inf_t e^{K(t)−εt}, the Legendre transform of the blog's Claims 20–23; `rule="sharp"` multiplies by t^t/(1+t)^{1+t}
(Canonne, Kamath & Steinke 2020; Balle et al. 2020). K is convex in t, and so is log(t^t/(1+t)^{1+t}) (second derivative 1/t − 1/(1+t)), so
the infimum is certified by `numbers.minimum`.
Both are upper bounds on the exact δ and ε of every mechanism with that curve, and sharp ≤ chernoff.
"""

from __future__ import annotations

from typing import Literal

from dpbounds.errors import InputError, PrecisionError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball, bits_for, precision, working_bits
from dpbounds.numbers.domains import delta_between, nonnegative
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.minimum import Function, convex_minimum, least_value, minimiser
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import certified, log_inverse, positive_part
from dpbounds.renyi.conversions.single_order import sharp_log_factor
from dpbounds.renyi.curves.curve import RenyiCurve

Rule = Literal["sharp", "chernoff"]


def delta_of(curve: RenyiCurve, epsilon: exact.Number, digits: int = 15, rule: Rule = "sharp") -> Enclosure:
    """The smallest δ that the whole curve gives at ε: inf over all real orders.

    Args:
        curve: a Rényi curve; compose with `renyi.curves.composed`.
        epsilon: ε ≥ 0.
        digits: certified digits.
        rule: "sharp" or "chernoff".

    Returns:
        An enclosure of the infimum, an upper bound on the mechanism's δ; 0 when ε is at least the largest loss, 1 when the
        Chernoff bound says nothing.

    >>> from dpbounds.renyi.curves import GaussianCurve
    >>> delta_of(GaussianCurve(1), 2, rule="chernoff").overlaps(certified(lambda: (-ball(9) / 8).exp()))
    True
    """
    loss, factor = nonnegative(epsilon, "epsilon"), _factor(rule)
    if _covers(curve, loss, digits):
        return Enclosure.exactly(0)

    def infimum() -> Ball:
        level = as_ball(loss)

        def exponent(t: Ball) -> Ball:
            return curve.cumulant(t) + factor(t) - level * t

        if rule == "chernoff" and not exponent(ball(2) ** -20) < 0:
            # the exponent is convex and 0 at t = 0; where it is >= 0 at some s, it is >= 0 beyond, and above its chord on [s, 2s] before
            small = ball(2) ** (-bits_for(digits) - 20)
            at_small = exponent(small)
            if at_small >= 0:
                return (2 * at_small - exponent(2 * small)).min(ball(0)).exp().lower().union(ball(1))
        _, least = convex_minimum(exponent, 1.0, _right_end(curve))
        return least.exp().min(ball(1))

    return certified(infimum, digits)


def epsilon_of(curve: RenyiCurve, delta: exact.Number, digits: int = 15, rule: Rule = "sharp") -> Enclosure:
    """The smallest ε that the whole curve gives at δ: inf over t > 0 of (K(t) + log(1/δ) + factor(t))/t, at least 0.

    Args:
        curve: a Rényi curve.
        delta: 0 < δ < 1.
        digits: certified digits.
        rule: "sharp" or "chernoff".

    Returns:
        An enclosure of the infimum, an upper bound on the mechanism's ε; never above the largest loss.

    >>> from dpbounds.renyi.curves import LinearCurve
    >>> from dpbounds.renyi.conversions.single_order import zcdp_epsilon_of
    >>> epsilon_of(LinearCurve("0.5"), "1e-5", rule="chernoff").overlaps(zcdp_epsilon_of("0.5", "1e-5"))
    True
    """
    chance = delta_between(delta)
    value = certified(lambda: _best_epsilon(curve, chance, rule)[1], digits)
    largest = curve.largest_loss()
    if largest is None:
        return value
    with precision(bits_for(digits) + 64):
        cap = curve.largest_loss()
        assert cap is not None
        return Enclosure.of_ball(value.ball().min(cap))


def best_order_of(curve: RenyiCurve, delta: exact.Number, digits: int = 6, rule: Rule = "sharp") -> Ball:
    """An order near the one that `epsilon_of` settles on; any order gives a valid bound, so this one is not certified.

    >>> from dpbounds.renyi.curves import GaussianCurve
    >>> best_order_of(GaussianCurve(2), "1e-5") > 1
    True
    """
    chance = delta_between(delta)
    with precision(bits_for(digits) + 40):
        return 1 + _best_epsilon(curve, chance, rule)[0]


def _best_epsilon(curve: RenyiCurve, delta: Exact, rule: Rule) -> tuple[Ball, Ball]:
    """(t, ε) at the precision that is set. For a candidate ε₀ a hair below the value at t, inf_t (K + log(1/δ) + factor − ε₀t) > 0
    proves that no order reaches ε₀.
    """
    factor, log, end = _factor(rule), log_inverse(delta), _right_end(curve)

    def reached(t: Ball) -> Ball:
        return (curve.cumulant(t) + log + factor(t)) / t

    cap = curve.largest_loss()
    try:
        point = minimiser(reached, 1.0, end)
    except PrecisionError:
        if cap is None:
            raise
        return _largest_loss_only(curve, cap, log, factor)
    upper = positive_part(reached(point)).upper()
    if cap is not None and not upper < cap:
        return _largest_loss_only(curve, cap, log, factor)
    if upper == 0:
        return point, ball(0)
    hair = ball(2) ** -(5 * working_bits() // 8)  # above the h² that `least_value` loses, and too small to move the minimiser by h
    below = (upper * (1 - hair)).lower()

    def excess(t: Ball) -> Ball:
        return curve.cumulant(t) + log + factor(t) - below * t

    if least_value(excess, point, end) > 0:
        return point, below.union(upper)
    return point, ball(0).union(upper)


def _largest_loss_only(curve: RenyiCurve, cap: Ball, log: Ball, factor: Function) -> tuple[Ball, Ball]:
    """The infimum is at most the largest loss D_∞ (t → ∞); no order reaches `below`, a hair less.

    Up to any T: K′ ≤ D_∞ and the factor decreases, so the excess is at least K(T) − T·D_∞ + log(1/δ) + factor(T). Beyond T the chord of K
    through T/2 and T has some slope s and the factor's slope is log(t/(1+t)) ≥ −1/T or 0, so s − 1/T ≥ `below` keeps the excess rising.
    """
    below, far = (cap * (1 - ball(2) ** -(5 * working_bits() // 8))).lower(), ball(16)
    while far < ball(2) ** (3 * working_bits() // 4):
        if (curve.cumulant(far) - curve.cumulant(far / 2)) / (far / 2) - 1 / far >= below:
            excluded = curve.cumulant(far) - far * cap + log + factor(far) > 0
            return far, (below if excluded else ball(0)).union(cap)
        far = 4 * far
    return far, ball(0).union(cap)


def _covers(curve: RenyiCurve, loss: Exact, digits: int) -> bool:
    """Whether ε is surely at least the largest loss."""
    known = curve.exact_largest_loss()
    if known is not None:
        return bool(loss >= known)
    with precision(bits_for(digits) + 200):
        largest = curve.largest_loss()
        return largest is not None and bool(as_ball(loss) >= largest)


def _factor(rule: str) -> Function:
    if rule == "sharp":
        return sharp_log_factor
    if rule == "chernoff":
        return lambda t: ball(0)
    raise InputError(f"rule must be sharp or chernoff, got {rule!r}")


def _right_end(curve: RenyiCurve) -> Ball | None:
    limit = curve.greatest_order()
    return None if limit is None else (limit - 1).lower()
