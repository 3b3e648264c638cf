"""The participation pattern with the largest Σ |G_ij|: by a termwise largest one, by dynamic programming, or by branch and bound.

A record takes part in at most k steps, two of them at least b apart. With H_i(d) = |G_{i,i+d}| the value of i_1 < … < i_m is Σ_j
H_{i_j}(0) + 2 Σ_{j<l} H_{i_j}(i_l − i_j).

* **Leftmost.** If H_i(d) falls in i and in d, for d = 0 and d ≥ b, the pattern 0, b, 2b, … is largest term by term: i_j ≥ jb, and
  i_l − i_j ≥ (l−j)b. Both are looked up for all entries.
* **Dynamic programming.** Entries with d ≥ p are 0, so a new step meets only those of the last p − 1. The state is these steps;
  from it the best value for each number of uses. It is exact; it is chosen where the number of states is small.
* **Branch and bound.** What steps after i can add is at most the best sum of single bounds w_i = H_i(0) + 2·(entries to chosen
  steps) + (best entries to later ones); what is not looked at any more leaves an upper bound.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from itertools import accumulate
from math import comb
from operator import add

MOST_STATES, MOST_NODES = 60_000, 20_000
Gram = list[list[int]]
Found = tuple[int, tuple[int, ...]]


@dataclass(frozen=True)
class LargestPattern:
    """The largest value: lower is that of `pattern`, upper holds for all; equal where `method` is exact."""

    pattern: tuple[int, ...]
    lower: int
    upper: int
    method: str


def largest(gram: Gram, least_lag: int, most: int) -> LargestPattern:
    """The largest sum over patterns of at most `most` steps, at least `least_lag` apart."""
    n = len(gram)
    absolute = [[abs(entry) for entry in row] for row in gram]
    most = min(most, -(-n // least_lag))
    bands = max(len(row) for row in absolute)
    if _falls(absolute, least_lag):
        pattern = tuple(range(0, most * least_lag, least_lag))
        value = _value_of(absolute, pattern)
        return LargestPattern(pattern, value, value, "leftmost, termwise largest")
    window = max(0, bands - least_lag)
    states = n * sum(comb(max(0, window - (j - 1) * (least_lag - 1)), j) for j in range(min(-(-window // least_lag), most - 1) + 1))
    if states * most * (window + 1) <= MOST_STATES * 50:
        return _dynamic(absolute, least_lag, most, bands)
    return _branch(absolute, least_lag, most)


def _value_of(absolute: Gram, pattern: tuple[int, ...]) -> int:
    """Σ_{i,j} H over a pattern."""
    return sum(entry(absolute, i, j) for i in pattern for j in pattern)


def entry(gram: Gram, i: int, j: int) -> int:
    """G_ij.

    >>> entry([[1, 2], [3]], 1, 0)
    2
    """
    row, lag = gram[min(i, j)], abs(i - j)
    return row[lag] if lag < len(row) else 0


def _falls(absolute: Gram, least_lag: int) -> bool:
    n, bands = len(absolute), max(len(row) for row in absolute)
    lags = [0, *range(least_lag, bands)]
    along = all(entry(absolute, i + 1, i + 1 + d) <= entry(absolute, i, i + d) for d in lags for i in range(n - 1 - d))
    return along and all(row[d] <= row[d - 1] for row in absolute for d in range(least_lag + 1, len(row)))


def _dynamic(absolute: Gram, least_lag: int, most: int, bands: int) -> LargestPattern:
    """From the left: for each number of uses and each set of recent steps, the best value with its pattern."""
    best: dict[tuple[int, tuple[int, ...]], Found] = {(0, ()): (0, ())}
    for i in range(len(absolute)):
        following: dict[tuple[int, tuple[int, ...]], Found] = {}
        for (uses, recent), (value, pattern) in best.items():
            met = recent[1:] if recent and recent[0] <= i - max(bands, least_lag) else recent
            choices = [((uses, met), (value, pattern))]
            if uses < most and (not met or met[-1] <= i - least_lag):
                grown = value + absolute[i][0] + 2 * sum(entry(absolute, j, i) for j in met)
                choices.append(((uses + 1, (*met, i)), (grown, (*pattern, i))))
            for state, found in choices:
                following[state] = max(found, following.get(state, found))
        best = following
    value, pattern = max(best.values())
    return LargestPattern(pattern, value, value, "dynamic programming")


def _branch(absolute: Gram, least_lag: int, most: int) -> LargestPattern:
    n = len(absolute)
    later = [[0] * n for _ in range(most)]  # later[m][i]: at most m entries from i to later steps
    for i in range(n):
        sums = _spaced(absolute[i][least_lag:], least_lag, most - 1)
        for m in range(1, most):
            later[m][i] = 2 * sums[m][0] if sums[m] else 0
    own = [entry(absolute, i, i) for i in range(n)]
    alone = [[*map(add, own, row)] for row in later]
    root: tuple[tuple[int, ...], int] = ((), 0)
    pattern = max((tuple(range(s, n, least_lag))[:most] for s in range(least_lag)), key=lambda p: _value_of(absolute, p))
    lower = _value_of(absolute, pattern)
    heap: list[tuple[int, tuple[int, ...], int]] = [(-_outlook(absolute, alone, root, least_lag, most), *root)]
    nodes = 0
    while heap and -heap[0][0] > lower and nodes < MOST_NODES:
        _, chosen, value = heapq.heappop(heap)
        for i in range(chosen[-1] + least_lag if chosen else 0, n):
            nodes += 1
            grown = (*chosen, i), value + own[i] + 2 * sum(entry(absolute, j, i) for j in chosen)
            if grown[1] > lower:
                pattern, lower = grown
            if len(grown[0]) < most and (bound := _outlook(absolute, alone, grown, least_lag, most)) > lower:
                heapq.heappush(heap, (-bound, *grown))
    upper = max(lower, -heap[0][0]) if heap else lower
    return LargestPattern(pattern, lower, upper, "branch and bound" if upper > lower else "branch and bound, complete")


def _outlook(absolute: Gram, alone: Gram, node: tuple[tuple[int, ...], int], least_lag: int, most: int) -> int:
    """An upper bound on every pattern that begins with the node's."""
    chosen, value = node
    left, start = most - len(chosen), chosen[-1] + least_lag if chosen else 0
    weights = alone[left - 1][start:]
    for met in (absolute[j][start - j :] for j in chosen):
        weights[: len(met)] = map(add, weights, map(add, met, met))
    sums = _spaced(weights, least_lag, left)
    return value + max((row[0] for row in sums if row), default=0)


def _spaced(weights: list[int], least_lag: int, most: int) -> Gram:
    """sums[m][i]: the best sum of at most m of the weights from i on, least_lag apart."""
    n = len(weights)
    sums = [[0] * (n + 1)]
    for _ in range(most):
        after = sums[-1][least_lag:] + [0] * min(least_lag, n)
        sums.append([*accumulate(map(add, reversed(weights), reversed(after[:n])), max, initial=0)][::-1])
    return sums
