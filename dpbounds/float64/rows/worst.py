"""Many rows of sampled Gaussian noise in the worse of both directions: `answers`, and `jumps` for rows without narrow bounds."""

from __future__ import annotations

import numpy as np

from dpbounds.float64.logarithms import Array, log_sharp_constant
from dpbounds.float64.rounding import LIBM, SPECIAL
from dpbounds.float64.rows import jumps
from dpbounds.float64.rows.answers import delta_rows, epsilon_rows, shared
from dpbounds.float64.rows.estimates import saddles
from dpbounds.float64.rows.quadrature import log_moment_above
from dpbounds.float64.rows.questions import BATCH, Rows, U, log_normal, short

_TILTS = (1e7, 1000.0)
_WIDER, _NARROW = 25.0, 1e-6
"""Relative width from which on `jumps` is asked too: in units of the tolerance, and at least."""


def worst_epsilon(
    q: Array, sigma: Array, steps: Array, log_delta: Array, direction: str = "worst", tolerance: float = 1e-8
) -> tuple[Array, Array]:
    """Bounds on ε(δ) of k uses of Poisson sampling with Gaussian noise, a row for each question; NaN where this declines.

    Args:
        q, sigma, steps: 0 < q ≤ 1/2, σ ≥ 0.1 and k ≥ 1, the floats nearest to the exact numbers.
        log_delta: log δ, off by a few units of itself at most.
        direction: "remove", "add", or "worst" for the larger of both.
        tolerance: relative error of δ that is aimed at.

    Returns:
        Lower and upper ends, both under the rounding model of `rounding`.

    >>> low, high = worst_epsilon(*np.array([[0.01], [1.5], [1e4], [np.log(1e-6)]]))
    >>> bool(low[0] <= 3.58435285243075 <= high[0] < low[0] * (1 + 1e-8))
    True
    """
    rows = {name: Rows(q, sigma, steps, np.zeros_like(q), name == "remove") for name in ("remove", "add")}
    if direction != "worst":
        return _epsilon_rows(rows[direction], log_delta, tolerance)
    lower, upper = _epsilon_rows(rows["remove"], log_delta, tolerance)
    known = np.flatnonzero(np.isfinite(lower) & np.isfinite(upper))
    below = np.zeros(len(q), dtype=bool)
    below[known] = surely_below(rows["add"].take(known), lower[known], log_delta[known], tolerance)
    rest = known[~below[known]]
    other = epsilon_rows(rows["add"].take(rest), log_delta[rest], tolerance)
    lower[rest], upper[rest] = np.maximum(lower[rest], other[0]), np.maximum(upper[rest], other[1])
    return np.where(np.isfinite(upper), lower, np.nan), np.where(np.isfinite(lower), upper, np.nan)


def worst_delta(
    q: Array, sigma: Array, steps: Array, epsilon: Array, direction: str = "worst", tolerance: float = 1e-8
) -> tuple[Array, Array]:
    """log of bounds on δ(ε), arguments as in `worst_epsilon`, ε > 0; NaN where this declines."""
    chosen = (True, False) if direction == "worst" else (direction == "remove",)
    found = [_delta_rows(Rows(q, sigma, steps, np.zeros_like(q), remove), epsilon, tolerance) for remove in chosen]
    return np.max([low for low, _ in found], axis=0), np.max([high for _, high in found], axis=0)


def _epsilon_rows(rows: Rows, log_delta: Array, tolerance: float) -> tuple[Array, Array]:
    """Bounds on ε(δ) in one direction; both methods bound the same number, so that the narrower ends hold."""
    lower, upper = epsilon_rows(rows, log_delta, tolerance)
    poor = np.flatnonzero(~(upper - lower <= max(_WIDER * tolerance, _NARROW) * upper))
    low, high = jumps.epsilon_rows(rows.take(poor), log_delta[poor], tolerance)
    lower[poor], upper[poor] = np.fmax(lower[poor], low), np.fmin(upper[poor], high)
    return lower, upper


def _delta_rows(rows: Rows, epsilon: Array, tolerance: float) -> tuple[Array, Array]:
    """The same of log δ(ε)."""
    lower, upper = delta_rows(rows, epsilon, tolerance)
    poor = np.flatnonzero(~(upper - lower <= max(_WIDER * tolerance, _NARROW)))
    low, high = jumps.delta_rows(rows.take(poor), epsilon[poor], tolerance)
    lower[poor], upper[poor] = np.fmax(lower[poor], low), np.fmin(upper[poor], high)
    return lower, upper


def surely_below(rows: Rows, epsilon: Array, log_delta: Array, tolerance: float = 1e-8) -> Array:
    """Whether δ(ε) of each row is at most the target.

    By κ(c)M(c)^k e^{−cε} (`accounting.bounds.tail_bound`), because it is 0 beyond the largest loss, or by the contour.
    """
    slack = 4e-15 * (np.abs(log_delta) + 1)
    below = np.zeros(len(epsilon), dtype=bool)
    if not rows.remove:
        below |= epsilon >= -rows.steps * np.log1p(-rows.q) * (1 + 1e-12)
    c = np.full_like(epsilon, np.inf)
    for most in _TILTS:  # near the largest loss the best c is out of reach, and a smaller one is enough
        index = np.flatnonzero(~below & (c > most))
        if len(index):
            bound, c[index] = _chernoff(rows.take(index), epsilon[index], log_delta[index], most)
            below[index] = bound <= log_delta[index] - slack[index]
    rest = np.flatnonzero(~below)
    below[rest] = delta_rows(rows.take(rest), epsilon[rest], tolerance, log_delta[rest])[1] <= (log_delta - slack)[rest]
    return below


def _chernoff(rows: Rows, epsilon: Array, log_delta: Array, most: float) -> tuple[Array, Array]:
    """log of the bound on δ(ε) at a saddle point or at `most`, and that c: one of each row, or of those that share it."""
    with np.errstate(all="ignore"):
        heads, owner = shared(rows, log_delta)
        found = []
        for first in range(0, len(heads), BATCH):
            index = heads[first : first + BATCH]
            part = rows.take(index).with_cut(log_delta[index])
            c = short(np.minimum(saddles(part, None, epsilon[index])[0], most))
            found.append((c, part.steps * log_moment_above(part, c), np.log(part.steps) + log_normal(-part.cut) * (1 - SPECIAL) + 1e-9))
        c, moment, lost = (np.concatenate(column)[owner] for column in zip(*found, strict=True))
        exponent = moment - c * epsilon
        rounding = 16 * (U + LIBM) * (np.abs(exponent) + np.abs(moment) + c * epsilon + 40)
        bound = exponent + log_sharp_constant(c) + rounding
        return np.logaddexp(bound, lost) + LIBM, c
