"""Certified least values of convex functions of one variable, without derivatives.

Three points a < b < c of a convex ψ with ψ(a) ≥ ψ(b) ≤ ψ(c) bound it from below: a chord, continued beyond its ends, lies below the
function. On [a, b] the chord through b and c gives ψ ≥ ψ(b) − (b−a)·(ψ(c)−ψ(b))/(c−b), on [b, c] the chord through a and b gives
ψ ≥ ψ(b) − (c−b)·(ψ(a)−ψ(b))/(b−a), and outside ψ is larger than at a or c. What is lost is about ψ''·h² for spacing h, so a third of the
working bits in h is plenty. Where ψ still falls at the right end of its domain, the chord through the two points before the end does it.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable

from dpbounds.errors import PrecisionError
from dpbounds.numbers.balls import Ball, ball, working_bits

Function = Callable[[Ball], Ball]
_GOLDEN = (5**0.5 - 1) / 2
_WIDEST = 2.0**900


def convex_minimum(psi: Function, start: float = 1.0, right_end: Ball | None = None) -> tuple[Ball, Ball]:
    """The least value of a convex function on (0, right_end], and a point where it is almost reached.

    Args:
        psi: convex on (0, right_end); called with exact balls.
        start: where the search begins.
        right_end: None means +∞.

    Returns:
        (point, least): `least` is a ball that contains inf ψ.

    Raises:
        PrecisionError: the search for the point ran off to 0 or to infinity.

    >>> point, least = convex_minimum(lambda t: (t - 3) ** 2 + 1)
    >>> bool(least.contains(1)), bool(abs(point - 3) < 1e-3)
    (True, True)
    """
    point = minimiser(psi, start, right_end)
    return point, least_value(psi, point, right_end)


def least_value(psi: Function, point: Ball, right_end: Ball | None = None) -> Ball:
    """A ball that contains inf ψ over (0, right_end], from three points around `point`; see the module's derivation.

    Where the precision at hand does not tell the three values apart, the ball has no lower end.

    >>> least_value(lambda t: (t - 2) ** 2 + 1, ball(2)).overlaps(ball(1))
    True
    """
    bits = working_bits()
    for tenths in (70, 33, 25, 16, 10):  # the first one serves functions with a kink at the point
        h = (point * ball(2) ** -(bits * tenths // 100)).mid()
        a, b, c = (point - h).mid(), point, (point + h).mid()
        at_end = right_end is not None and not c < right_end
        if at_end:
            assert right_end is not None
            c = right_end
            b, a = (c - h).mid(), (c - 2 * h).mid()
        low, middle, high = psi(a), psi(b), psi(c)
        if at_end and low >= middle and middle >= high:
            beyond = c * (1 + ball(2) ** (8 - bits))  # the end may have been rounded down on its way here
            return (middle - (low - middle) * (beyond - b) / (b - a)).lower().union(high.upper())
        if low >= middle and high >= middle:
            left = middle - (high - middle) * (b - a) / (c - b)
            right = middle - (low - middle) * (c - b) / (b - a)
            return left.lower().min(right.lower()).union(middle.upper())
    return Ball.neg_inf().union(psi(point).upper())


def minimiser(f: Function, start: float = 1.0, right_end: Ball | None = None) -> Ball:
    """An exact ball near the minimiser of a quasiconvex function on (0, right_end]; not certified.

    >>> abs(float(minimiser(lambda t: (t - 2) ** 2).mid()) - 2) < 0.01
    True
    """
    bits = working_bits()
    left, middle, right = _bracket(f, start, right_end)
    if right_end is not None and middle >= float(right_end.mid()):
        return right_end
    point = _polish(f, _golden(f, left, middle, right), bits, right_end)
    nearest = ball(round(float(point))) if point < 2**40 else point  # curves that are known at integers have their kinks there
    return nearest if nearest > 0 and f(nearest) <= f(point) else point


def _number(value: Ball) -> Ball:
    """A midpoint, +∞ where the value is not finite; floats could not tell large orders of a bounded loss apart."""
    return value.mid() if value.is_finite() else Ball.pos_inf()


def _bracket(f: Function, start: float, right_end: Ball | None) -> tuple[float, float, float]:
    end = float(right_end.mid()) if right_end is not None else float("inf")
    middle = min(start, end)
    value = _number(f(Ball(middle)))
    while not value.is_finite() and middle > 1e-200:
        middle /= 2
        value = _number(f(Ball(middle)))
    factor = 2.0
    while True:
        left, right = middle / factor, min(middle * factor, end)
        below, above = _number(f(Ball(left))), _number(f(Ball(right))) if right > middle else Ball.pos_inf()
        if below >= value and above >= value:
            return left, middle, right
        if below < value:
            middle, value = left, below
        else:
            middle, value = right, above
        factor = min(factor * 1.5, 2.0**20)
        if not 1e-290 < middle < _WIDEST:
            raise PrecisionError("the bound has no best order here: it falls towards an end of the range of orders; give an order")


def _golden(f: Function, left: float, middle: float, right: float) -> float:
    value = _number(f(Ball(middle)))
    while right - left > 2e-3 * middle:
        if right - middle > middle - left:
            probe = middle + (1 - _GOLDEN) * (right - middle)
            seen = _number(f(Ball(probe)))
            if seen < value:
                left, middle, value = middle, probe, seen
            else:
                right = probe
        else:
            probe = middle - (1 - _GOLDEN) * (middle - left)
            seen = _number(f(Ball(probe)))
            if seen < value:
                right, middle, value = middle, probe, seen
            else:
                left = probe
    return middle


def _polish(f: Function, point: float, bits: int, right_end: Ball | None) -> Ball:
    """Newton steps with central differences; each spacing is about the step before, as the error of a difference is its square."""
    x = Ball(point)
    h, least = (x * ball(2) ** -8).mid(), (x * ball(2) ** -(bits // 3)).mid()
    for _ in range(60):
        if right_end is not None and not x + h < right_end:
            return x
        left, middle, right = f((x - h).mid()).mid(), f(x).mid(), f((x + h).mid()).mid()
        curvature = left - 2 * middle + right
        if not curvature > 0:
            return x
        step = (h * (right - left) / (2 * curvature)).mid()
        if not abs(step) < 4 * h:
            step = 4 * h if step > 0 else -4 * h
        moved = (x - step).mid()
        if right_end is not None and not moved < right_end:
            return right_end
        x = moved
        if h <= least:
            return x
        h = (h / 2).min(abs(step)).max(least).mid()
    return x


def global_minimum(f: Function, low: Ball, high: Ball, tolerance: Ball, most_cells: int = 20_000) -> tuple[Ball, Ball]:
    """The least value of any function on [low, high] by branch and bound, and a point where it is almost reached.

    Args:
        f: maps a ball to a ball that contains the values on it; +∞ or NaN upper ends are allowed where it is undefined.
        low, high: exact ends.
        tolerance: relative width to reach.
        most_cells: give up beyond that many cells.

    Returns:
        (point, least): `least` is a ball that contains the infimum.

    Raises:
        PrecisionError: the cells were not enough.

    >>> point, least = global_minimum(lambda x: (x - 1) ** 2 + 1, ball(0), ball(3), ball(10) ** -3)
    >>> bool(least.contains(1))
    True
    """
    count, best, where = 0, Ball.pos_inf(), low
    cells: list[tuple[float, int, Ball, Ball, Ball]] = []

    def push(a: Ball, b: Ball) -> None:
        nonlocal count, best, where
        value, middle = f(a.union(b)), ((a + b) / 2).mid()
        seen = f(middle)
        if seen.is_finite() and seen.upper() < best:
            best, where = seen.upper(), middle
        bound = value.lower() if value.is_finite() else Ball.neg_inf()
        if not bound > best:
            heapq.heappush(cells, (float(bound), count, bound, a, b))
        count += 1

    push(low, high)
    while cells and count < most_cells:
        bound = cells[0][2]
        for entry in cells[:8]:
            bound = bound.min(entry[2])  # floats may tie where balls do not
        if best.is_finite() and best - bound <= tolerance * abs(best):
            return where, _least_of(cells).union(best)
        _, _, _, a, b = heapq.heappop(cells)
        middle = ((a + b) / 2).mid()
        push(a, middle)
        push(middle, b)
    raise PrecisionError(f"{most_cells} cells were not enough to enclose the least value; ask for fewer digits")


def _least_of(cells: list[tuple[float, int, Ball, Ball, Ball]]) -> Ball:
    bound = cells[0][2]
    for entry in cells:
        bound = bound if bound <= entry[2] else entry[2]
    return bound.lower()
