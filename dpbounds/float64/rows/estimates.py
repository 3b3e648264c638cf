"""Estimates of moments and saddle points of many rows: they choose contours, and enter no bound."""

from __future__ import annotations

import numpy as np

from dpbounds.float64.logarithms import Array
from dpbounds.float64.rows.questions import LN_ROOT_TWO_PI, Rows

_PILOT = 128
"""Nodes of an estimate."""


def _start(rows: Rows, c: Array) -> Array:
    """About where the integrand of M(c) begins: left of 0, or of the stationary point of log f in the direction add."""
    if rows.remove:
        return np.full_like(c, -10.0)
    s = np.zeros_like(c)
    for _ in range(25):
        exponent = np.minimum(s / rows.sigma - 1 / (2 * rows.sigma**2), 600.0)
        weight = rows.q * np.exp(exponent - np.log1p(rows.q * np.expm1(exponent)))
        s = 0.5 * s - 0.5 * c * weight / rows.sigma
    return s - 10.0


def pilot(rows: Rows, c: Array) -> tuple[Array, Array, Array]:
    """Nodes, w and log weights under φ of an estimate good near c."""
    low, high = _start(rows, c), rows.cut
    s = low[:, None] + (high - low)[:, None] * (np.arange(_PILOT) / (_PILOT - 1))
    return s, rows.log_u(s), -0.5 * s * s + (np.log((high - low) / (_PILOT - 1)) - LN_ROOT_TWO_PI)[:, None]


def cumulants(rows: Rows, c: Array, w: Array, logs: Array) -> tuple[Array, Array, Array]:
    """K, K′, K″ of one use at c, about."""
    exponents = logs + rows.power(c)[:, None] * w
    top = exponents.max(axis=1)
    parts = np.exp(exponents - top[:, None])
    total = parts.sum(axis=1)
    mean = (parts * w).sum(axis=1) / total
    spread = (parts * (w - mean[:, None]) ** 2).sum(axis=1) / total
    return top + np.log(total), mean if rows.remove else -mean, np.maximum(spread, 1e-300)


def approx_log_delta(rows: Rows, c: Array, value: Array, second: Array, epsilon: Array) -> Array:
    """The saddle-point estimate of log δ."""
    curvature = rows.steps * second + 1 / c**2 + 1 / (c + 1) ** 2
    return rows.steps * value - c * epsilon - np.log(c * (c + 1)) - 0.5 * np.log(2 * np.pi * curvature)


def saddles(rows: Rows, log_delta: Array | None, epsilon: Array | None) -> tuple[Array, Array, Array]:
    """About (saddle point, ε, log δ) of each row, from δ or from ε, by Newton in log c."""
    c = np.ones_like(rows.q)
    low, high = np.full_like(c, 1e-6), np.full_like(c, 1e7)
    for attempt in range(30):
        if attempt == 0 or (attempt % 4 == 0 and not rows.remove):
            _, w, logs = pilot(rows, c)
        value, first, second = cumulants(rows, c, w, logs)
        tilt = rows.steps * first - 1 / c - 1 / (c + 1)
        curvature = rows.steps * second + 1 / c**2 + 1 / (c + 1) ** 2
        if epsilon is None:
            gap = np.where(tilt > 0, approx_log_delta(rows, c, value, second, tilt) - log_delta, np.inf)
            move = gap / (c * c * curvature)
        else:
            gap = epsilon - tilt
            move = gap / (c * curvature)
        low, high = np.where(gap > 0, np.maximum(low, c), low), np.where(gap > 0, high, np.minimum(high, c))
        moved = c * np.exp(np.clip(np.nan_to_num(move, posinf=1.0), -1.5, 1.5))
        moved = np.where((moved > low) & (moved < high), moved, np.sqrt(low * high))
        done, c = np.all(np.abs(moved - c) < 1e-3 * c), moved
        if done:
            break
    found = tilt if epsilon is None else epsilon
    return c, found, np.minimum(approx_log_delta(rows, c, value, second, found), 0.0)
