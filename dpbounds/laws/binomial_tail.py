"""Tails of binomial distributions: the probability that a truncated batch is full."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dpbounds.errors import PrecisionError
from dpbounds.numbers.balls import working_bits
from dpbounds.numbers.inputs import exact_ball

_LONGEST = 100_000
"""Terms that are added one by one."""


def upper_tail(count: int, q: Fraction, least: int) -> arb:
    """P(Bin(count, q) ≥ least) at the current precision.

    Beyond the mean terms are added until they are negligible; the ratio of neighbours, (count − j)q/((j + 1)(1 − q)), falls, so the rest is
    at most a geometric sum. Before the mean, the terms below `least` are taken from 1.

    >>> bool(abs(upper_tail(3, Fraction(1, 2), 2) - 0.5) < 1e-12)
    True
    """
    if least > count or q == 0:
        return arb(0)
    if least <= 0 or q == 1:
        return arb(1)
    below = least <= count * q
    rate = exact_ball(q)
    start = least - 1 if below else least
    term = (arb(count + 1).lgamma() - arb(start + 1).lgamma() - arb(count - start + 1).lgamma()).exp()
    term *= rate**start * (1 - rate) ** (count - start)
    total, odds, j = arb(0), rate / (1 - rate), start
    for _ in range(_LONGEST):
        total += term
        if below:
            if j == 0:
                return 1 - total
            ratio, j = j / (odds * (count - j + 1)), j - 1
        else:
            if j == count:
                return total
            ratio, j = odds * (count - j) / (j + 1), j + 1
        term *= ratio
        if ratio < 1 and term / (1 - ratio) <= total * arb(2) ** -working_bits():
            rest = arb(0).union(term / (1 - ratio))
            return 1 - total - rest if below else total + rest
    raise PrecisionError(
        "truncated batches: the probability of a full batch needs too many terms; no digit was reached; take fewer records"
    )
