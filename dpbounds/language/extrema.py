"""The supremum of a function over an interval, by branch and bound on balls."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count

from flint import arb

from dpbounds.numbers.balls import Enclosure

_MOST = 600
"""Evaluations; what is reached by then is an enclosure."""


def supremum(f: Callable[[arb], arb], low: arb, high: arb, goal: arb) -> arb:
    """A ball that contains sup f over (low, high) for every choice of ends in their balls; NaN where f has no value on all of it.

    From above it is the largest enclosure over pieces that cover the widest range; from below, the largest value at a point of the
    narrowest.

    Args:
        f: a function that encloses its values on a ball.
        low, high: the ends.
        goal: how narrow the result should be.

    >>> supremum(lambda t: t * (1 - t), arb(0), arb(1), arb("0.001")).overlaps(arb("0.25"))
    True
    """
    if not (low.is_finite() and high.is_finite() and low < high):
        return arb.nan()
    least, number = arb.neg_inf(), count()
    heap: list[tuple[float, int, arb, arb, arb]] = []

    def offer(first: arb, last: arb) -> bool:
        nonlocal least
        value = f(first.union(last))
        middle = ((first + last) / 2).mid()
        if low < middle < high:
            here = f(middle)
            least = least.max(here.lower()) if here.is_finite() else least
        top = Enclosure.of_ball(value).upper_float if value.is_finite() else float("inf")
        heapq.heappush(heap, (-top, next(number), first, last, value))
        return value.is_finite()

    offer(arb(low.lower()), arb(high.upper()))
    for _ in range(_MOST):
        _, _, first, last, value = heap[0]
        if value.is_finite() and value.upper() - least < goal:
            break
        heapq.heappop(heap)
        middle = ((first + last) / 2).mid()
        if not first < middle < last:
            return arb.nan()
        offer(first, middle)
        offer(middle, last)
    if not all(entry[4].is_finite() for entry in heap) or not least.is_finite():
        return arb.nan()
    most = heap[0][4].upper()
    for entry in heap:
        most = most.max(entry[4].upper())
    return least.union(most)
