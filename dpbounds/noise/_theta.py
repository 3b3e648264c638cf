"""Sums of Gaussian terms over all integers."""

from __future__ import annotations

from typing import Any

from dpbounds.mechanisms.arithmetic import Number, RealArithmetic


def theta(a: Number, sigma: Number, numbers: RealArithmetic[Number], reach: int | None = None) -> Number:
    """Σ over all integers x of e^{−(x−a)²/2σ²}, tails included.

    With m the integer nearest to a and d = a − m, the terms |x − m| = r+1+y, y ≥ 0, of either side are at least e = r+1−|d| away from a
    plus y, and (e+y)² ≥ e² + 2ey, so each side is below the geometric series e^{−e²/2σ²}/(1 − e^{−e/σ²}); e > 0 as |d| is about ½.

    Args:
        a, sigma: the centre and the width, σ > 0.
        reach: r; None takes it from the precision of the numbers.

    >>> from dpbounds.numbers.balls import ball
    >>> from dpbounds.laws.ball_numbers import BALLS
    >>> theta(ball(0), ball(1), BALLS).overlaps(theta(ball(7), ball(1), BALLS))
    True
    """
    centre: Any = a
    width: Any = sigma
    d = centre - round(float(centre))
    if reach is None:
        reach = int(1.42 * float(width) * numbers.bits**0.5) + 2
    variance = 2 * width**2
    total = numbers.exp(-(d**2) / variance)
    for x in range(1, reach + 1):
        total += numbers.exp(-((x - d) ** 2) / variance) + numbers.exp(-((x + d) ** 2) / variance)
    edge = reach + 1 - abs(d)
    tail = numbers.exp(-(edge**2) / variance) / -numbers.expm1(-edge / width**2)
    return total + numbers.up_to(2 * tail)
