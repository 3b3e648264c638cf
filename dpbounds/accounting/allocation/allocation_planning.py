"""Where to integrate a product with random allocation along Re z = c. Float64 estimates; nothing here enters
a bound.

A line of F costs far more than its points, so the abscissa is chosen by the whole cost, and moments of S are
asked for at whole orders.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence

from dpbounds.accounting.bromwich_planning import ContourPlan, Model
from dpbounds.errors import PrecisionError
from dpbounds.laws.contour_factor import ContourFactor

_FRACTIONS = (1.0, 0.6, 0.35, 0.2, 0.1, 0.04, 0.015)
_ABSCISSAS = (0.75, 2.0, 5.0, 12.0, 30.0)
_SMALLEST = 1e-3
"""The least abscissa: at less the aliases on the left, which fall as e^{−cT}, take a long period T."""
_LARGEST_AMPLITUDE = 2500.0
_ORDERS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1000)
_POINT = 120.0
_RISEN = 1.5
"""From large abscissas to small ones the cost falls and then rises: beyond so much of the least one no more are tried."""
_NEAREST = 1e-5
"""The least distance of the two abscissas of the bound on the right aliases."""


def log_tail_estimate(model: Model, epsilon: float, saddle: float) -> float:
    """About log δ of the swapped product, ε ≥ 0: Chernoff's bound at whole orders, or a normal loss and one
    far outlier.

    Moments of S are ruled early by what never happens, and say little where δ is small.
    """
    chernoff, worse = 0.0, 0
    for w in _ORDERS:
        value = model.log_moments(-1.0 - w)[0] - epsilon * w + w * math.log(w) - (w + 1) * math.log1p(w)
        worse = worse + 1 if value > chernoff else 0
        chernoff = min(chernoff, value)
        if worse > 2:
            break
    mean, variance = model.log_moments(max(1.0, saddle))[1:]
    mean = variance / 2 if variance < 1 else mean
    likely = -(max(0.0, epsilon - mean) ** 2) / (2 * variance)
    return min(chernoff, max([likely, *(factor.approx_log_outlier(epsilon) for factor in model.factors)]))


def plan_product(factors: Sequence[ContourFactor], epsilon: float, log_value: float, tolerance: float) -> tuple[float, ContourPlan]:
    """The cheapest contour found with errors of about e^{log_value − tolerance}, and its cost in microseconds.

    Raises:
        PrecisionError: none was found.
    """
    model = Model(factors, epsilon)
    saddle = max(model.saddle(), _SMALLEST)
    goal = log_value - tolerance
    best: tuple[float, ContourPlan] | None = None
    for c in sorted({*(saddle * fraction for fraction in _FRACTIONS), *_ABSCISSAS}, reverse=True):
        if c < _SMALLEST or c > 40 * saddle:
            continue
        amplitude = model.exponent(c) - math.log(c) - math.log1p(c) - log_value
        if amplitude > _LARGEST_AMPLITUDE:
            continue
        with contextlib.suppress(PrecisionError, OverflowError):
            found = _plan_at(model, c, goal, amplitude, log_value, tolerance)
            if found is not None and (best is None or found[0] < best[0]):
                best = found
            elif found is not None and best is not None and found[0] > _RISEN * best[0]:
                break
    if best is None:
        raise PrecisionError("no abscissa is fit for the contour; no digit was reached; epsilon may be too large for it")
    return best


def _plan_at(model: Model, c: float, goal: float, amplitude: float, log_value: float, tolerance: float) -> tuple[float, ContourPlan] | None:
    period_right, right = _right_period(model, c, goal)
    period_left, left = _left_period(model, c, goal)
    period = 1.01 * max(period_right, period_left)
    if not 0 < period < math.inf:
        return None
    height, hints = _height(model, c, goal)
    step = 2 * math.pi / period
    count = int(min(height / step, 1e12)) + 2
    needed = tolerance + max(0.0, amplitude) + 8
    cost = count * _POINT
    for factor in model.factors:
        cost += factor.approx_line_cost(c, step, count, needed + math.log(factor.steps))
    return cost, ContourPlan(c, step, count, right, left, hints, log_value, amplitude, tolerance)


def _right_period(model: Model, c: float, goal: float) -> tuple[float, float]:
    """The smallest T with K(c′) − c′ε − T(c′−c) ≤ goal for some c′ > c: a quasi-convex function of log(c′ − c)."""

    def period(distance: float) -> float:
        return (model.exponent(c + distance) - goal) / distance

    limit, ratio = min(model.largest_tilt, 1e7), 2.0
    distance = best = max(min(0.25, c), c / 4)
    value = least = period(distance)
    for factor in (ratio, 1 / ratio):
        distance = best
        while _NEAREST < distance * factor < limit:
            distance *= factor
            value = period(distance)
            if value >= least:
                break
            best, least = distance, value
    return least, c + best


def _left_period(model: Model, c: float, goal: float) -> tuple[float, float]:
    """The smaller of the periods for the two bounds of the left aliases, with a whole w (0 for the plain bound)."""
    best = (max(1e-9, -goal / c), 0.0)
    if not model.reversible:
        return best
    worse = 0
    for w in _ORDERS:
        if w > model.largest_back_tilt:
            break
        period = (model.log_moments(-1.0 - w)[0] + model.epsilon * (1 + w) - goal) / (1 + c + w)
        worse = 0 if period < best[0] else worse + 1
        best = min(best, (period, float(w)))
        if worse > 4:
            break
    return best


def _height(model: Model, c: float, goal: float) -> tuple[float, tuple[tuple[float, float], ...]]:
    """The smallest Y with a truncation bound of about e^{goal}, and the hints for it."""

    def small(y: float) -> bool:
        return model.exponent(c) + model.decay(c, y)[0] - math.log(math.pi * y) <= goal

    low = high = 1.0
    while not small(high):
        low, high = high, high * 2
        if high > 1e12:
            raise PrecisionError("the contour does not decay")
    while low == high and small(low / 2) and low > 1e-3:
        low = high = low / 2
    low = min(low, high / 2)
    while high / low > 1.03:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if small(middle) else (middle, high)
    return high, model.decay(c, high)[1]
