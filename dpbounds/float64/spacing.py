"""Which nodes of the lattice carry the mass of one step: close together where the tilted mass is, further apart where it is thin.

A cell of width Δ and tilted mass m widens the composed bounds in proportion to m·Δ² (`connect_the_dots`, `optimistic`). For a density f
of the loss the number of cells ∫ds/Δ(s) at a given Σ mΔ² is least for Δ ∝ f^{−1/3}. Widths are h·2^p, p changing by at most one from cell
to cell, because a larger jump could make the optimistic mass beside it negative. This chooses; nothing is assumed of what it chooses.
"""

from __future__ import annotations

import numpy as np

from dpbounds.errors import PrecisionError
from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.logarithms import Array
from dpbounds.float64.saddle import LossNodes

EXCESS = 3.0
"""Σ mΔ² / h² where the accuracy alone decides: what the wider cells may add to the width of the bounds."""
MAX_CELLS = 2**20
MAX_POWER = 30


def places_of(
    law: GaussianMixture, nodes: LossNodes, tilted: Array, low: float, step: float, last: int, c: float, square: float, core: float
) -> Array:
    """0 = j_0 < … < j_n = the first at or beyond `last`.

    Args:
        nodes, tilted: a quadrature of the tilted law (masses, increasing losses) between the ends of the lattice.
        low, step: loss of node 0, h. last: the node that must be reached. c: the tilt. square: the Σ mΔ² to aim at.
        core: share of the mass, where it is densest, that keeps the width h (else wide cells alone would make the transform periodic).

    Raises:
        PrecisionError: more than MAX_CELLS cells.
    """
    slopes, steepest = law.loss_slope(nodes.t), law.tilt_slope(nodes.t)
    if not np.all(np.isfinite(steepest)):
        return every_place(last)
    with np.errstate(divide="ignore", over="ignore"):
        density = tilted * slopes / np.gradient(nodes.t)
        ranks = np.argsort(-density)
        inside = ranks[: int(np.searchsorted(np.cumsum(tilted[ranks]), core * float(tilted.sum()))) + 1] if core > 0 else ranks[:0]
        wish = np.minimum(_wishes(tilted, density, square / step**2), 0.25 / ((c + 1) * step))
        wish = np.minimum(wish, slopes * np.minimum(0.4 / steepest, 0.25 * law.sigma) / step)
    wish[inside] = 1.0
    powers = np.floor(np.log2(np.clip(wish, 1.0, 2.0**MAX_POWER))).astype(np.int64)
    index = np.arange(len(powers))
    powers = np.minimum.accumulate(powers - index) + index
    powers = (np.minimum.accumulate((powers - index[::-1])[::-1]) + index)[::-1]
    changes = np.flatnonzero(np.diff(powers)) + 1
    ends = np.append((0.5 * (nodes.losses[changes] + nodes.losses[changes - 1]) - low) / step, float(last))
    pieces, cursor, cells = [np.zeros(1, dtype=np.int64)], 0, 0
    for power, end in zip(powers[np.append(0, changes)], ends, strict=True):
        stride = 1 << int(power)
        count = max(1, -int((cursor - end) // stride))
        cells += count
        if cells > MAX_CELLS:
            raise PrecisionError(f"the lattice needs more than {MAX_CELLS} cells for one step")
        pieces.append(cursor + stride * np.arange(1, count + 1))
        cursor += stride * count
        if cursor >= last:
            break
    places = np.concatenate(pieces)
    return places[: int(np.searchsorted(places, last)) + 1]


def every_place(last: int) -> Array:
    """0, 1, …, `last`.

    >>> every_place(3)
    array([0, 1, 2, 3])
    """
    if last > MAX_CELLS:
        raise PrecisionError(f"the lattice needs {last} cells for one step, the limit is {MAX_CELLS}")
    return np.arange(last + 1)


def _wishes(tilted: Array, density: Array, excess: float) -> Array:
    """max(1, (A/f)^{1/3}) with A such that Σ m·(…)² = excess·Σ m."""
    shape = np.cbrt(1.0 / np.maximum(density / float(density.max()), 1e-280))
    low, high, goal = 1e-6, 1e12, excess * float(tilted.sum())
    for _ in range(40):
        middle = np.sqrt(low * high)
        if float((tilted * np.square(np.maximum(1.0, middle * shape))).sum()) > goal:
            high = middle
        else:
            low = middle
    return np.asarray(np.maximum(1.0, low * shape))
