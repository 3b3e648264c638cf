"""Statements drawn at random, of every kind that dpbounds takes, true and false ones mixed.

A statement compares two quantities, small <= c·large. The constant c is chosen next to the largest quotient that was met at
some points of the domain: a little above, a little below, or the nearest simple fraction, so that many statements nearly meet
and some meet exactly. Nobody knows which are true: `judge` compares the verdict with values at points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import mpmath
from mpmath.libmp import NoConvergence

from benchmarks.drawn import distributions, numbers, totals
from benchmarks.drawn.numbers import Made, R
from benchmarks.drawn.points import Sampler
from benchmarks.drawn.values import Undefined, value
from dpbounds.notation import *

FAILS_TO_EVALUATE = (Undefined, OverflowError, ZeroDivisionError, ValueError, NoConvergence)
_LEAST = mpmath.mpf(10) ** -6
_PLAIN = [Fraction(2) ** power for power in range(-3, 5)]
_REDRAWN, _TRIED, _SPREAD = 6, 24, 6


@dataclass(frozen=True)
class Drawn:
    """A statement and points of its domain."""

    kind: str
    claim: Claim
    points: Sampler


KINDS: dict[str, Callable[[Random], Made]] = {
    "scalars": numbers.scalars,
    "undefined": numbers.undefined,
    "integers": numbers.integers,
    "finite sums": totals.finite_sums,
    "families": distributions.families,
    "lists": distributions.lists,
    "infinite sums": totals.infinite_sums,
    "integrals": totals.integrals,
    "tails": numbers.tails,
    "k-ary": distributions.answers,
    "tables": distributions.tables,
    "extrema": totals.extrema,
}


def quotients(rng: Random, small: Any, large: Any, points: Sampler) -> list[Any]:
    """The quotients of the sides at some points, in order; only those between a millionth and a million."""
    found = []
    with mpmath.workdps(30):
        for _ in range(_TRIED):
            at = points(rng)
            try:
                below, above = value(large, at), value(small, at)
                if below > 0 and _LEAST < above / below < 1 / _LEAST:
                    found.append(above / below)
            except FAILS_TO_EVALUATE:
                continue
    return sorted(found)


def constant(rng: Random, largest: Any) -> Fraction:
    """A factor near the largest quotient: above it, below it, or simple."""
    top = Fraction(mpmath.nstr(largest, 12))
    simple = top.limit_denominator(rng.choice((1, 2, 6, 60)))
    near = top.limit_denominator(10**4)
    rooms = ((11, 10), (101, 100), (99, 100), (10001, 10000), (9, 10), (3, 2), (2, 1))
    above = next((c for c in _PLAIN if c >= top), simple)
    chosen = rng.choice((simple, *[above] * 4, *(near * Fraction(*room) for room in rooms)))
    return chosen if chosen > 0 else Fraction(1)


def combined(rng: Random, small: Any, large: Any, bound: Any) -> Any:
    """The statement, or one that is made of it: strict, turned, with a disjunct, an implication or an equation."""
    then = small <= bound
    options = [
        Lt(small, bound),
        Ge(bound, small),
        Or(then, small <= R(1, 2)),
        And(then, large >= 0),
        Implies(large >= R(1, 2), then),
        Eq(small, bound),
    ]
    return rng.choice((*options, *[then] * 10))


def drawn(kind: str, seed: int) -> Drawn:
    """The statement of a kind and a seed."""
    rng = Random(f"{kind}-{seed}")
    for _ in range(_REDRAWN):
        given, small, large, points = KINDS[kind](rng)
        found = quotients(rng, small, large, points) or [mpmath.mpf(1)]
        if found[-1] < _SPREAD * found[len(found) // 2]:
            break
    c = constant(rng, found[-1])
    bound = large if c == 1 else R(c.numerator, c.denominator) * large
    if rng.random() < 0.1:
        bound = bound + R(rng.choice((1, -1)), rng.choice((10, 1000)))
    then = combined(rng, small, large, bound)
    return Drawn(kind, Claim(id=f"drawn-{kind.replace(' ', '-')}-{seed}", text="", given=tuple(given), then=then), points)
