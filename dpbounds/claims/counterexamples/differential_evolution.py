"""A global search for a small value of a function, in floating point: where it is negative, exact points are tried."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Sequence

from dpbounds.claims import clock

Vector = tuple[float, ...]
_MEMBERS = 15
"""Of the population, for each coordinate."""
_FEWEST = 5
_CROSSED = 0.7
"""How often a coordinate comes from the mutant."""
_ALIKE = 1e-10
"""The search ends when the values of the population differ by less than this share."""


class DeadlinePassed(Exception):
    """The search did not end before its deadline."""


def least(
    function: Callable[[Vector], float],
    ranges: Sequence[tuple[float, float]],
    *,
    seed: int,
    generations: int,
    enough: float = -math.inf,
    deadline: float | None = None,
) -> tuple[Vector, float]:
    """A point at which the function is small, and its value there.

    The best member so far, moved by a random multiple in [½, 1) of the difference of two other members, competes with each member in turn;
    the first population is a Latin hypercube.

    Args:
        function: what is to be small.
        ranges: of the coordinates, each with low < high.
        seed: of the random numbers; the search is the same on every machine whose floating point is.
        generations: how often each member is challenged, at most.
        enough: the search ends with the generation that finds so small a value.
        deadline: `clock.now()` at which to stop.

    Raises:
        DeadlinePassed: the deadline passed.

    Source:
        R. Storn, K. Price, Differential evolution, Journal of Global Optimization 11 (1997), the variant best/1/bin.

    >>> point, value = least(lambda x: (x[0] - 1) ** 2 + abs(x[1]), [(-5, 5), (-5, 5)], seed=0, generations=60)
    >>> value < 1e-4
    True
    """

    def value_at(member: Vector) -> float:
        if deadline is not None and clock.now() > deadline:
            raise DeadlinePassed
        return function(member)

    rng = random.Random(seed)
    members = _latin_hypercube(ranges, max(_FEWEST, _MEMBERS * len(ranges)), rng)
    values = [value_at(member) for member in members]
    best = min(range(len(members)), key=values.__getitem__)
    for _ in range(generations):
        share = rng.uniform(0.5, 1)
        for k in range(len(members)):
            first, second = rng.sample([i for i in range(len(members)) if i != k], 2)
            trial = _trial(members[k], members[best], members[first], members[second], share, ranges, rng)
            value = value_at(trial)
            if value <= values[k]:
                members[k], values[k] = trial, value
                best = k if value < values[best] else best
        if values[best] <= enough:
            break
        if all(map(math.isfinite, values)) and statistics.pstdev(values) <= _ALIKE * abs(statistics.fmean(values)):
            break
    return members[best], values[best]


def _latin_hypercube(ranges: Sequence[tuple[float, float]], many: int, rng: random.Random) -> list[Vector]:
    """Points that lie in different slices of each range."""
    columns = []
    for low, high in ranges:
        slices = rng.sample(range(many), many)
        columns.append([low + (high - low) * (k + rng.random()) / many for k in slices])
    return list(zip(*columns, strict=True))


def _trial(
    own: Vector, best: Vector, first: Vector, second: Vector, share: float, ranges: Sequence[tuple[float, float]], rng: random.Random
) -> Vector:
    """A member crossed with a mutant of the best one; a coordinate that leaves its range is drawn again."""
    always = rng.randrange(len(own))
    found = []
    for i, (low, high) in enumerate(ranges):
        x = own[i]
        if i == always or rng.random() < _CROSSED:
            x = best[i] + share * (first[i] - second[i])
            if not low <= x <= high:
                x = rng.uniform(low, high)
        found.append(x)
    return tuple(found)
