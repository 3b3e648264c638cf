"""δ(ε) and ε(δ) of many rows in one direction, in batches."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dpbounds.float64.logarithms import Array
from dpbounds.float64.rows.contours import MARGIN, MAX_HEIGHTS, PLANNED, Plans, contours, plans
from dpbounds.float64.rows.estimates import saddles
from dpbounds.float64.rows.quadrature import MAX_NODES
from dpbounds.float64.rows.questions import BATCH, Rows, U

LEAST_LEFT = 4.0
"""Nodes that begin less far left of 0 leave out too much to be of use."""


def delta_rows(rows: Rows, epsilon: Array, tolerance: float = 1e-8) -> tuple[Array, Array]:
    """log of bounds on δ(ε) of each row; NaN where this declines."""

    def planned(part: Rows, index: Array) -> Plans:
        log_delta = np.full_like(part.q, -30.0)
        for _ in range(2):
            part = part.with_cut(log_delta - math.log(MARGIN / tolerance))
            saddle, _, log_delta = saddles(part, None, epsilon[index])
        return plans(part, saddle, epsilon[index], log_delta, tolerance)

    def solved(of: Plans) -> tuple[Array, Array]:
        low, high, _ = contours(of).evaluate(of.epsilon)
        return np.where(high < 0, low, np.nan), np.where(high < 0, high, np.nan)

    return in_batches(rows, planned, solved)


def epsilon_rows(rows: Rows, log_delta: Array, tolerance: float = 1e-8) -> tuple[Array, Array]:
    """Bounds on ε(δ) of each row, log δ given; NaN where this declines."""

    def planned(part: Rows, index: Array) -> Plans:
        part = part.with_cut(log_delta[index] - math.log(MARGIN / tolerance))
        saddle, epsilon, _ = saddles(part, log_delta[index], None)
        return plans(part, saddle, epsilon, log_delta[index], tolerance)

    return in_batches(rows, planned, lambda of: roots(contours(of).evaluate, of.log_delta, of.epsilon))


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


def in_batches(rows: Rows, planned: Callable[[Rows, Array], Plans], solved: Callable[[Plans], tuple[Array, Array]]) -> tuple[Array, Array]:
    """The answers in batches of rows, first planned and then sorted by the lengths of their contours."""
    lower, upper = np.full_like(rows.q, np.nan), np.full_like(rows.q, np.nan)
    found: list[Plans] = []
    with np.errstate(all="ignore"):
        where = np.flatnonzero(rows.usable)
        for first in range(0, len(where), BATCH):
            index = where[first : first + BATCH]
            found.append(planned(rows.take(index), index))
        if not found:
            return lower, upper
        cuts = np.concatenate([each.rows.cut for each in found])
        whole = Plans(replace(rows.take(where), cut=cuts), *(np.concatenate([getattr(each, name) for each in found]) for name in PLANNED))
        places = np.lexsort((whole.tau, np.floor(2 * np.log2(whole.count))))
        places = places[(whole.count[places] <= MAX_HEIGHTS) & ((cuts + LEAST_LEFT)[places] <= MAX_NODES * whole.tau[places])]
        for first in range(0, len(places), BATCH):
            part = places[first : first + BATCH]
            lower[where[part]], upper[where[part]] = solved(whole.take(part))
    return lower, upper
