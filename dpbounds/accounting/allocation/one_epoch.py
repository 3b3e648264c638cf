"""One epoch of random allocation directly: S is a mean, and δ the price of an option on it.

With Φ(s) = E e^{−sS} (`random_allocation`) and g(v) = E(v − S)₊, a put on S at strike v,

    δ_add(ε) = E(1 − e^ε S)₊ = e^ε g(e^{−ε}),    δ_remove(ε) = E(S − e^ε)₊ = g(e^ε) + 1 − e^ε,

because E S = 1. ∫ e^{−sv}g(v)dv = Φ(s)/s², so Poisson summation over s = b + ijh, b > 0, T = 2π/h, K the
strike, gives exactly

    (h/2π)·Σ_j e^{sK}Φ(s)/s² = Σ_m e^{−bmT} g(K + mT).

* **Right, m ≥ 1.** g(v) = v − 1 + E(S − v)₊. The first part sums to (K−1)r/(1−r) + T r/(1−r)², r = e^{−bT}.
  The rest lies between 0 and r/(1−r)·min_n E S^n·((n−1)^{n−1}/n^n)·(K+T)^{1−n}, as (S−v)₊ ≤ S^n
  v^{1−n}(n−1)^{n−1}/n^n, n ≥ 1 (0⁰ = 1).
* **Left, m ≤ −1.** 0 where T ≥ K, because S > 0. Otherwise x₊ ≤ e^{λx−1}/λ, so g(v) ≤ Φ(λ)e^{λv−1}/λ, and for
  λ > b Σ_{m≥1} e^{bmT}g(K − mT) ≤ e^{λK−1}Φ(λ)/λ/(e^{T(λ−b)} − 1).
* **Ends.** Moving the path of u by −iσκ, 0 ≤ κ < π/2, turns s: |Φ(s)| ≤ e^{tσ²κ²/2}Φ(Re(s e^{−iκ})), Re(s
  e^{−iκ}) = b cos κ + y sin κ, which falls as y grows. With Y the last node, the nodes beyond it on both
  sides add at most e^{bK}e^{tσ²κ²/2}Φ(b cos κ + Y sin κ)/(πY).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb

from dpbounds.accounting.left_out.aliases import geometric
from dpbounds.errors import PrecisionError
from dpbounds.laws.allocation.lognormal import approx_inner_rule, transform_on_ray
from dpbounds.laws.allocation.mean_of_lognormals import power_of
from dpbounds.laws.allocation.random_allocation import AllocationFactor
from dpbounds.laws.paths.allocation_model import AllocationModel
from dpbounds.numbers.balls import BITS_PER_DIGIT, Enclosure, precision
from dpbounds.numbers.inputs import exact_ball

_LN10, _LN2 = math.log(10), math.log(2)
_POWERS = (1, 2, 4, 8, 16, 32)
_LARGEST_AMPLITUDE = 2500.0
_ROUNDS = 5


@dataclass(frozen=True)
class OptionPlan:
    """Where to sum.

    Args:
        b: abscissa. step, count: nodes b + ij·step, |j| < count. far: λ of the left aliases, 0 where T ≥ K.
        turn: κ. tolerance: D of Φ, errors of about e^{−D} are aimed at. bits: working precision. cost: about
        the microseconds.
    """

    b: float
    step: float
    count: int
    far: float
    turn: float
    tolerance: float
    bits: int
    cost: float


def plan_option(model: AllocationModel, strike: float, goal: float) -> OptionPlan:
    """The cheapest sum found for absolute errors of g of about e^{goal}, in float64.

    Raises:
        PrecisionError: none was found.
    """
    best: OptionPlan | None = None
    scale = 1 / math.sqrt(model.log_moments(1.0)[2] + 1e-300)
    for index in range(-8, 16):
        found = _plan_at(model, strike, goal, scale * 1.6**index)
        if found is not None and (best is None or found.cost < best.cost):
            best = found
    if best is None:
        raise PrecisionError("random allocation: no abscissa is fit for one epoch; no digit was reached")
    return best


def _plan_at(model: AllocationModel, strike: float, goal: float, b: float) -> OptionPlan | None:
    at_b = b * strike + model.log_transform(math.log(b)) - 2 * math.log(b)
    amplitude = at_b - goal
    if amplitude > _LARGEST_AMPLITUDE:
        return None
    period, far = strike * 1.000001, 0.0
    for index in range(1, 40):
        wide = b + b * 0.05 * 1.3**index
        needed = (wide * strike + model.log_transform(math.log(wide)) - math.log(wide) - 1 - goal) / (wide - b)
        if 0 < needed < period:
            period, far = needed, wide
    period = 1.01 * max(period, -goal / b)
    far = 0.0 if period >= strike * 1.000001 else far
    spread = model.bins * model.sigma**2

    def tail(y: float) -> tuple[float, float]:
        options = []
        for index in range(24):
            turn = 1.5 * 0.72**index
            size = b * math.cos(turn) + y * math.sin(turn)
            options.append((spread * turn * turn / 2 + model.log_transform(math.log(size)), turn))
        value, turn = min(options)
        return b * strike + value - math.log(math.pi * y), turn

    low = high = b
    while tail(high)[0] > goal:
        low, high = high, 2 * high
        if high > 1e12 * b:
            return None
    while high / low > 1.05:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if tail(middle)[0] <= goal else (middle, high)
    step = 2 * math.pi / period
    count = math.ceil(high / step) + 2
    small = -model.log_transform(math.log(b)) / model.bins  # an error e of φ is one of t·e/φ relative to Φ
    tolerance = max(0.0, amplitude) + small + math.log(model.bins) + math.log(count) + 12
    theta = math.atan2(high, b)
    one = approx_inner_rule(model.sigma, theta, 1e-9, 1, tolerance)[1]
    nodes = 2 * one.last + 1
    bits = int((tolerance + max(0.0, at_b)) / _LN2) + 60
    return OptionPlan(b, step, count, far, tail(high)[1], tolerance, bits, count * (nodes * (12 + bits * bits / 15000) + 400))


def put_option(factor: AllocationFactor, strike: arb, plan: OptionPlan) -> arb:
    """A ball around g(strike) = E(strike − S)₊; a poor plan widens it."""
    b, h = arb(plan.b), arb(plan.step)
    total = arb(0)
    for j in range(plan.count):
        s = acb(b, h * j)
        term = ((s * strike).exp() * transform_at(factor, s, plan.tolerance) / (s * s)).real
        total += term if j else term / 2
    total *= h / arb.pi()
    period = 2 * arb.pi() / h
    cut = ends_error(factor, strike, plan, h * (plan.count - 1))
    above = right_rest(factor, strike, b, period) + left_aliases(factor, strike, b, period, plan)
    total -= right_main(strike, b, period)
    return (total - cut.upper() - above.upper()).lower().union((total + cut.upper()).upper())


def transform_at(factor: AllocationFactor, s: acb, tolerance: float) -> acb:
    """Φ(s) at one point, Re s > 0, Im s ≥ 0."""
    theta = arb.atan2(s.imag, s.real)
    start = abs(s).log() - arb(factor.bins).log()
    sigma = float(factor.sigma)
    rule = approx_inner_rule(sigma, float(theta.mid()), 1e-9, 1, tolerance)[1]
    step = 1e-9 * rule.fine
    rule = rule.with_ratio(1, 1)
    return power_of(transform_on_ray(factor.mean(0).noise(), theta, start, arb(step), 1, rule)[0], factor.bins)


def real_bound(factor: AllocationFactor, x: arb) -> arb:
    """An upper bound on Φ(x), x > 0, a good one if the float64 model is right about its size."""
    tolerance = 40 + math.log(factor.bins) - factor.mean(0).model.log_transform(math.log(float(x.mid()))) / factor.bins
    with precision(int(tolerance / _LN2) + 60):
        return arb(transform_at(factor, acb(x), tolerance).real.upper())


def right_main(strike: arb, b: arb, period: arb) -> arb:
    """Σ_{m≥1} e^{−bmT}(K + mT − 1)."""
    ratio = (-b * period).exp()
    return (strike - 1) * ratio / (1 - ratio) + period * ratio / (1 - ratio) ** 2


def right_rest(factor: AllocationFactor, strike: arb, b: arb, period: arb) -> arb:
    """An upper bound on Σ_{m≥1} e^{−bmT}E(S − K − mT)₊."""
    best = arb(1)
    for n in _POWERS[1:]:
        best = best.min(factor.mean(0).power_moment(n) * arb(n - 1) ** (n - 1) / arb(n) ** n * (strike + period) ** (1 - n))
    return best * geometric(b * period)


def left_aliases(factor: AllocationFactor, strike: arb, b: arb, period: arb, plan: OptionPlan) -> arb:
    """An upper bound on Σ_{m≥1} e^{bmT}g(K − mT); infinite where λ is not fit."""
    if period >= strike:
        return arb(0)
    far = arb(plan.far)
    if not far > b:
        return arb.pos_inf()
    put = (far * strike - 1).exp() * real_bound(factor, far) / far
    return put * geometric(period * (far - b))


def ends_error(factor: AllocationFactor, strike: arb, plan: OptionPlan, last: arb) -> arb:
    """The nodes beyond the last one on both sides; infinite where κ is not fit."""
    b, turn = arb(plan.b), arb(plan.turn)
    if not (turn >= 0 and turn < arb.pi() / 2 and last > 0):
        return arb.pos_inf()
    size = b * turn.cos() + last * turn.sin()
    decay = real_bound(factor, size)
    return (b * strike + factor.bins * factor.mean(0).noise() ** 2 * turn**2 / 2).exp() * decay / (arb.pi() * last)


def one_epoch_delta(factor: AllocationFactor, epsilon: Fraction, digits: int, remove: bool, log_value: float) -> Enclosure:
    """δ(ε) of one epoch; log_value: about log δ.

    Raises:
        PrecisionError: no sum was found.
    """
    best: Enclosure | None = None
    value = float(epsilon)
    strike = math.exp(value if remove else -value)
    goal = log_value - digits * _LN10 - 4 - (0.0 if remove else value)
    for _ in range(_ROUNDS):
        plan = plan_option(factor.mean(0).model, strike, goal)
        with precision(plan.bits + int(max(0.0, -goal) / _LN10 * BITS_PER_DIGIT)):
            level = exact_ball(epsilon if remove else -epsilon).exp()
            put = put_option(factor, level, plan)
            ball = put + 1 - level if remove else put / level
            low, high = ball.lower(), ball.upper()
            found = Enclosure.between(low if low > 0 else arb(0), high) if high.is_finite() else Enclosure.between(arb(0), arb(1))
        best = found if best is None or found.digits() > best.digits() else best
        if best.meets(digits):
            break
        goal -= (digits - max(0.0, found.digits()) if found.low > 0 else digits + 4.0) * _LN10 + 3
    assert best is not None
    return best
