"""Raising the working precision until the digits are there."""

from __future__ import annotations

from collections.abc import Callable

from flint import arb

from dpbounds.numbers.balls import Enclosure, bits_for, precision


def refine(evaluate: Callable[[], arb], digits: int, rounds: int = 10) -> Enclosure:
    """Evaluate a closed form at doubling precision until it has the digits; the last enclosure otherwise.

    Args:
        evaluate: computes a ball at the current precision.

    >>> refine(lambda: arb(2).sqrt(), 30).meets(30)
    True
    """
    guard = 64
    for _ in range(rounds):
        with precision(bits_for(digits, guard)):
            found = Enclosure.of_ball(evaluate())
        if found.meets(digits):
            break
        guard *= 2
    return found
