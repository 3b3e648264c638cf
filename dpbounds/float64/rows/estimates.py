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
    aim = np.sqrt(-2 * log_delta) if log_delta is not None else np.sqrt(epsilon)  # type: ignore[operator, arg-type]
    spread = rows.steps * rows.q * rows.q * np.expm1(np.minimum(1 / rows.sigma**2, 3.0))
    c = np.clip(aim / np.sqrt(spread), 0.05, 1e4)
    low, high = np.full_like(c, 1e-6), np.full_like(c, 1e7)
    found, estimate = np.full_like(c, np.nan), np.full_like(c, np.nan)
    live = np.arange(len(c))
    for attempt in range(30):
        if attempt == 0 or (attempt % 4 == 0 and not rows.remove):
            part, w, logs = rows.take(live), *pilot(rows.take(live), c[live])[1:]
        at = c[live]
        value, first, second = cumulants(part, at, w, logs)
        tilt = part.steps * first - 1 / at - 1 / (at + 1)
        curvature = part.steps * second + 1 / at**2 + 1 / (at + 1) ** 2
        if epsilon is None:
            own = approx_log_delta(part, at, value, second, tilt)
            gap = np.where(tilt > 0, own - log_delta[live], np.inf)  # type: ignore[index]
            move, found[live], estimate[live] = gap / (at * at * curvature), tilt, own
        else:
            gap = epsilon[live] - tilt
            move, found[live], estimate[live] = (
                gap / (at * curvature),
                epsilon[live],
                approx_log_delta(part, at, value, second, epsilon[live]),
            )
        low[live], high[live] = (
            np.where(gap > 0, np.maximum(low[live], at), low[live]),
            np.where(gap > 0, high[live], np.minimum(high[live], at)),
        )
        moved = at * np.exp(np.clip(np.nan_to_num(move, posinf=1.0), -1.5, 1.5))
        inside = (moved > low[live]) & (moved < high[live])
        c[live] = np.where(inside, moved, np.sqrt(low[live] * high[live]))
        going = ~(np.abs(c[live] - at) < 1e-3 * at)
        if not going.all():
            part, w, logs, live = part.take(going), w[going], logs[going], live[going]
        if not len(live):
            break
    return c, found, np.minimum(estimate, 0.0)
