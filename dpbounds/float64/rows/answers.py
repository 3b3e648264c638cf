"""δ(ε) and ε(δ) of many rows in one direction, in batches."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dpbounds.float64.logarithms import Array
from dpbounds.float64.rows.contours import FRACTION, MARGIN, MAX_HEIGHTS, PLANNED, Contours, Plans, contours, plans
from dpbounds.float64.rows.estimates import saddles
from dpbounds.float64.rows.quadrature import MAX_NODES
from dpbounds.float64.rows.questions import BATCH, Rows, U

SPAN = 1.0
"""Rows of the same run whose log δ differ by no more share a contour: what it is off by was made small enough for all of them."""
TOGETHER = 256
"""Rows that are answered by the contours of a batch at a time."""
LEAST_LEFT = 4.0
"""Nodes that begin less far left of 0 leave out too much to be of use."""


def delta_rows(rows: Rows, epsilon: Array, tolerance: float = 1e-8, goal: Array | None = None) -> tuple[Array, Array]:
    """log of bounds on δ(ε) of each row; NaN where this declines.

    Args:
        goal: about log δ: rows of the same run that are near each other in it share a contour.
    """

    def planned(part: Rows, index: Array) -> Plans:
        log_delta = np.full_like(part.q, -30.0)
        for _ in range(2):
            part = part.with_cut(log_delta - math.log(MARGIN / tolerance))
            saddle, _, log_delta = saddles(part, None, epsilon[index])
        return plans(part, saddle, epsilon[index], log_delta, tolerance)

    def solved(lines: Contours, _: Plans, index: Array) -> tuple[Array, Array]:
        low, high = lines.evaluate(epsilon[index])[:2]
        return np.where(high < 0, low, np.nan), np.where(high < 0, high, np.nan)

    return in_batches(rows, planned, solved, goal)


def epsilon_rows(rows: Rows, log_delta: Array, tolerance: float = 1e-8) -> tuple[Array, Array]:
    """Bounds on ε(δ) of each row, log δ given; NaN where this declines. Rows of the same run with neighbouring δ share a contour."""

    def planned(part: Rows, index: Array) -> Plans:
        part = part.with_cut(log_delta[index] - math.log(MARGIN / tolerance))
        saddle, epsilon, _ = saddles(part, log_delta[index], None)
        return plans(part, saddle, epsilon, log_delta[index], tolerance)

    def solved(lines: Contours, of: Plans, index: Array) -> tuple[Array, Array]:
        start = of.epsilon + (of.log_delta - log_delta[index]) / (of.c / FRACTION)
        return roots(lines.evaluate, log_delta[index], np.where(start > 0.5 * of.epsilon, start, of.epsilon))

    return in_batches(rows, planned, solved, log_delta)


def shared(rows: Rows, goal: Array) -> tuple[Array, Array]:
    """Which rows stand for all, and for each row the place of its own among them: of the same run, with a goal at most `SPAN` away."""
    cell = np.floor(goal / SPAN)
    columns = (cell, rows.steps, rows.sigma, rows.q)
    order = np.lexsort((goal, *columns))
    new = np.any([column[order][1:] != column[order][:-1] for column in columns], axis=0)
    first = np.concatenate(([0], np.flatnonzero(new) + 1))
    last = np.concatenate((first[1:], [len(order)])) - 1
    owner = np.empty(len(order), dtype=np.int64)
    owner[order] = np.concatenate(([0], np.cumsum(new)))
    return order[(first + last) // 2], owner


def roots(evaluate: Callable[[Array], tuple[Array, Array, Array]], goal: Array, epsilon: Array) -> tuple[Array, Array]:
    """Two points for each row, at which the bounds say that δ is above and below the target, from an estimate."""
    slack = 4e-15 * (np.abs(goal) + 1)  # log δ was rounded, and so was δ
    width = np.ones_like(epsilon)
    for _ in range(6):
        low, high, slope = evaluate(epsilon)
        width = np.where(np.isfinite(low), high - low, 1.0)
        middle = np.where(np.isfinite(low), 0.5 * (low + high), high)
        move = (middle - goal) / slope
        epsilon = epsilon + np.clip(move, -0.5 * np.abs(epsilon), np.abs(epsilon) + 1)
        if np.all((np.abs(move) <= 0.1 * width / slope + 1e-14 * epsilon) | ~np.isfinite(low)):
            break
    lower, upper = np.full_like(epsilon, np.nan), np.full_like(epsilon, np.nan)
    away = (0.6 * width + slack) / slope + 8 * U * np.abs(epsilon)
    for _ in range(4):
        below, above = epsilon - away, epsilon + away
        over, under = evaluate(below)[0], evaluate(above)[1]
        lower = np.where(np.isnan(lower) & (over > goal + slack) & (below > 0), below, lower)
        upper = np.where(np.isnan(upper) & (under <= goal - slack) & (below > 0), above, upper)
        if not np.any(np.isnan(lower) | np.isnan(upper)):
            break
        away = 4 * away
    return lower, upper


def in_batches(
    rows: Rows,
    planned: Callable[[Rows, Array], Plans],
    solved: Callable[[Contours, Plans, Array], tuple[Array, Array]],
    goal: Array | None = None,
) -> tuple[Array, Array]:
    """The answers in batches of contours, first planned and then sorted by their lengths; a contour may answer several rows."""
    lower, upper = np.full_like(rows.q, np.nan), np.full_like(rows.q, np.nan)
    found: list[Plans] = []
    where = np.flatnonzero(rows.usable)
    if not len(where):
        return lower, upper
    with np.errstate(all="ignore"):
        heads, owner = (np.arange(len(where)),) * 2 if goal is None else shared(rows.take(where), goal[where])
        asked = np.split(np.argsort(owner, kind="stable"), np.cumsum(np.bincount(owner))[:-1])
        for first in range(0, len(heads), BATCH):
            index = where[heads[first : first + BATCH]]
            found.append(planned(rows.take(index), index))
        cuts = np.concatenate([each.rows.cut for each in found])
        columns = (np.concatenate([getattr(each, name) for each in found]) for name in PLANNED)
        whole = Plans(replace(rows.take(where[heads]), cut=cuts), *columns)
        places = np.lexsort((whole.tau, np.floor(2 * np.log2(whole.count))))
        places = places[(whole.count[places] <= MAX_HEIGHTS) & ((cuts + LEAST_LEFT)[places] <= MAX_NODES * whole.tau[places])]
        for first in range(0, len(places), BATCH):
            part = whole.take(places[first : first + BATCH])
            lines = contours(part)
            index = np.concatenate([asked[place] for place in places[first : first + BATCH]])
            local = np.repeat(np.arange(len(part.c)), [len(asked[place]) for place in places[first : first + BATCH]])
            for start in range(0, len(index), TOGETHER):
                few = slice(start, start + TOGETHER)
                lower[where[index[few]]], upper[where[index[few]]] = solved(
                    lines.take(local[few]), part.take(local[few]), where[index[few]]
                )
    return lower, upper
