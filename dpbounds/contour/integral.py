"""δ(ε) of a product of factors as one contour integral, every error term inside the ball.

    δ(ε) = (1/2πi) ∫_{Re z = c} M(z) e^{−εz}/(z(z+1)) dz,    c > 0, M = Π M_i^{k_i}.

The trapezoid sum S_h over |j| < J, minus the aliases (`aliases`), plus the truncated nodes (`truncation`); M itself by `factors`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from flint import acb, arb

from dpbounds.balls import BITS_PER_DIGIT, Enclosure, precision
from dpbounds.contour.aliases import left_alias_bound, left_alias_main, left_alias_rest, no_right_alias, right_alias_bound
from dpbounds.contour.factors import Factor, MixtureFactor, Need
from dpbounds.contour.panels import PanelPlan, evaluate_panels, plan_panels
from dpbounds.contour.planning import Model, Plan, plan
from dpbounds.contour.truncation import contour_truncation_bound
from dpbounds.errors import PrecisionError

_LARGEST_COUNT = 20_000
_MANY = 3_000
_LN10 = math.log(10)

FactorMaker = Callable[[], list[Factor]]
"""Builds the factors at the current precision."""


def integrate(make: FactorMaker, epsilon: Callable[[], arb], digits: int, certain: Callable[[], arb] | None = None) -> Enclosure:
    """Certified δ(ε) by the contour integral.

    Args:
        make: builds the factors at the current precision.
        epsilon: gives ε at the current precision.
        digits: certified digits asked for.
        certain: gives the mass of P where the loss is infinite, at the current precision; the factors leave it out.

    Returns:
        An enclosure that has the digits, or the best of the attempts if none has.

    Raises:
        PrecisionError: the contour would need too many nodes.
    """
    best: Enclosure | None = None
    extra = 0.0
    for _ in range(4):
        tolerance = digits * _LN10 + 4 + extra
        with precision(128):
            factors = make()
            chosen = plan(factors, float(epsilon()), tolerance)
            panels = _cheaper_panels(factors, float(epsilon()), tolerance, chosen.count)
        if panels is None and chosen.count > _LARGEST_COUNT:
            reached = f"{best.digits():.0f} digits were reached" if best is not None else "no digit was reached"
            raise PrecisionError(
                f"the contour for {digits} digits would need {chosen.count} nodes; {reached}; "
                "few steps with a tiny sampling rate and a small epsilon can be out of reach; ask for fewer digits"
            )
        with precision(working_bits_of(factors, chosen if panels is None else panels)):
            made = make()
            ball = evaluate(made, epsilon(), chosen) if panels is None else evaluate_panels(_mixtures(made), epsilon(), panels)
            found = Enclosure.of(ball if certain is None else ball + certain())
        best = found if best is None or found.digits() > best.digits() else best
        if best.meets(digits):
            return best
        reached_digits = found.digits()
        missing = digits - reached_digits if math.isfinite(reached_digits) else 5.0
        extra += min(missing, digits + 10) * _LN10 + 3
    assert best is not None
    return best


def evaluate(factors: Sequence[Factor], epsilon: arb, chosen: Plan) -> arb:
    """The ball of the planned contour at the current precision."""
    c, h = arb(chosen.c), arb(chosen.step)
    period = 2 * arb.pi() / h
    total = contour_sum(factors, epsilon, chosen)
    decay = arb(1)
    for factor, hint in zip(factors, chosen.hints, strict=True):
        decay *= factor.decay(c, h * (chosen.count - 1), hint) ** factor.steps
    truncation = contour_truncation_bound(decay, c, epsilon, h * (chosen.count - 1))
    if chosen.right:
        right = arb(chosen.right)
        above = right_alias_bound(period, c, epsilon, right, _moment(factors, right))
    else:
        above = no_right_alias(period, epsilon, [factor.loss_bound() * factor.steps for factor in factors])
    if chosen.left:
        w = arb(chosen.left)
        total -= left_alias_main(period, c, epsilon)
        above += left_alias_rest(period, c, epsilon, w, _moment(factors, -1 - w))
    else:
        above += left_alias_bound(period, c)
    # S_h = δ + aliases, aliases in [0, above]; S_h = total ± truncation
    low, high = total - truncation.upper() - above.upper(), total + truncation.upper()
    return low.lower().max(arb(0)).union(high.upper())


def contour_sum(factors: Sequence[Factor], epsilon: arb, chosen: Plan) -> arb:
    """(h/2π)·Σ_{|j|<J} F(c + ijh), F conjugate-symmetric."""
    c, h = arb(chosen.c), arb(chosen.step)
    model = Model(factors, float(epsilon))
    slack = _slack(model, chosen)
    values: list[acb] = [acb(1)] * chosen.count
    for factor in factors:
        tolerance = chosen.tolerance + max(0.0, chosen.amplitude) + math.log(factor.steps) + 3
        line = factor.line(c, h, chosen.count, Need(tolerance, slack, chosen.step * (chosen.count - 1)))
        values = [value * entry**factor.steps for value, entry in zip(values, line, strict=True)]
    phase = phases(-h * epsilon, chosen.count)
    total = arb(0)
    for j, value in enumerate(values):
        z = acb(c, h * j)
        term = (value * phase[j] / (z * (z + 1))).real
        total += term if j else term / 2
    return total * (-c * epsilon).exp() * h / arb.pi()


def phases(angle: arb, count: int) -> list[acb]:
    """e^{ij·angle} for j < count, each by its own exponential."""
    found = []
    for j in range(count):
        sine, cosine = (angle * j).sin_cos()
        found.append(acb(cosine, sine))
    return found


def _moment(factors: Sequence[Factor], x: arb) -> arb:
    moment = arb(1)
    for factor in factors:
        moment *= factor.moment(x) ** factor.steps
    return arb(moment.upper())


def _slack(model: Model, chosen: Plan) -> Callable[[float], float]:
    """How much relative accuracy of one M may be lost at height y: the modulus of the product has dropped by that much."""
    return lambda y: max(0.0, 0.8 * model.drop(chosen.c, y) - 1)


def _mixtures(factors: Sequence[Factor]) -> list[MixtureFactor]:
    return [factor for factor in factors if isinstance(factor, MixtureFactor)]


def _cheaper_panels(factors: Sequence[Factor], epsilon: float, tolerance: float, count: int) -> PanelPlan | None:
    """A plan with panels if equal steps are many, every factor is a mixture and not too many panels are needed; otherwise None."""
    if count < _MANY or len(_mixtures(factors)) < len(factors):
        return None
    try:
        chosen = plan_panels(_mixtures(factors), epsilon, tolerance)
    except PrecisionError:
        return None
    return chosen


def working_bits_of(factors: Sequence[Factor], chosen: Plan | PanelPlan) -> int:
    """Digits asked for, digits lost by cancellation along the contour and against the left aliases, and a guard."""
    lost = max(0.0, chosen.amplitude)
    if isinstance(chosen, PanelPlan):
        powers = math.log2(sum(factor.steps for factor in factors)) + math.log2(chosen.c + chosen.stretches[-1].high + 2)
        return int((chosen.tolerance + lost) / _LN10 * BITS_PER_DIGIT + powers + 50)
    if chosen.left:
        lost = max(lost, -chosen.c * 2 * math.pi / chosen.step - chosen.log_value)
    height = max(2.0, abs(chosen.c) + chosen.step * chosen.count, chosen.right)
    powers = math.log2(sum(factor.steps for factor in factors)) + math.log2(height)
    return int((chosen.tolerance + lost) / _LN10 * BITS_PER_DIGIT + powers + 40)
