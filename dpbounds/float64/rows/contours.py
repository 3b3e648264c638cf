"""Contours of many rows: what they are made from, and bounds on δ at any ε near the one they were made for."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from dpbounds.float64.logarithms import Array
from dpbounds.float64.rounding import LIBM
from dpbounds.float64.rows.estimates import cumulants, pilot
from dpbounds.float64.rows.quadrature import characteristic, far_bound, log_moment_above, longest_step, quadrature
from dpbounds.float64.rows.questions import Rows, U, short

MAX_HEIGHTS = 400
MARGIN = 12.0
FRACTION = 0.6
"""The abscissa, as a share of the saddle point."""
ORDERS = (1.1, 1.25, 1.5, 1.8, 2.2, 3.0, 4.5)
"""c′ as multiples of c."""
_ROOM = 30.0
"""How far f(S) lies below M(c), in logarithms and against the number of steps."""
_END_COST = 1.0
"""log of about 2a/√2π: what the end of cut noise costs a moment, in units of f(S)."""


@dataclass(frozen=True)
class Contours:
    """The nodes of one contour for each row, ready for any ε near the one they were made for.

    Attributes:
        rows, c: questions and Re z. step, count: η and the number of nodes of each row. log_size, angle, log_top: log|χ|, arg χ and
        log(|χ|+e). scale, mean: κ and μ. far: log bounds of |χ| beyond the last node. order, right: c′ and log M(c′) from above.
        lost: log of the mass that is cut off in one step.
    """

    rows: Rows
    c: Array
    step: Array
    count: Array
    log_size: Array
    angle: Array
    log_top: Array
    scale: Array
    mean: Array
    far: Array
    order: Array
    right: Array
    lost: Array

    @cached_property
    def line(self) -> tuple[Array, ...]:
        """What does not depend on ε: heights, sizes and phases of the terms, and their errors apart from those that grow with |ε − kμ|·y.

        The sizes have no cap in the errors: what they lose at e^50 is part of them, and what overflows is no bound.
        """
        steps = self.rows.steps[:, None]
        places = np.arange(self.log_size.shape[1])
        y = self.step[:, None] * places
        z = self.c[:, None] + 1j * y
        kernel = 1 / (z * (z + 1))
        weight = np.where(places < self.count[:, None], np.where(places == 0, 0.5, 1.0), 0.0) * np.abs(kernel)
        size = np.exp(np.minimum(steps * self.log_size, 50.0)) * weight
        phase = np.mod(steps * self.angle, 2 * math.pi) + np.angle(kernel)
        top = np.where(weight > 0, np.exp(steps * (self.log_top + 2 * LIBM * np.abs(self.log_size) + 8 * U)) * weight, 0.0)
        # angles: of χ, of one turn modulo 2π, of the kernel and of the phase itself
        own = steps * (2 * LIBM * (np.abs(self.angle) + np.abs(self.log_size)) + 8 * U) + 64 * U + 4 * LIBM
        summed = 2 * (32 + math.log2(1 + size.shape[1])) * U
        return y, size, phase, (top - size + top * own).sum(axis=1) + summed * size.sum(axis=1), (top * y).sum(axis=1)

    def take(self, index: Array | slice) -> Contours:
        """Some of the rows, or rows several times."""
        names = [each.name for each in fields(self) if each.name != "rows"]
        found = replace(self, **{name: getattr(self, name)[index] for name in names}, rows=self.rows.take(index))
        found.__dict__["line"] = tuple(part[index] for part in self.line)
        return found

    def evaluate(self, epsilon: Array) -> tuple[Array, Array, Array]:
        """(log lower, log upper, estimate of −d log δ/dε), an ε for each row; −∞ and 0 where nothing is known."""
        rows, c = self.rows, self.c
        scale, drift = rows.steps * self.scale, rows.steps * self.mean
        y, size, phase, fixed, moved = self.line
        centred = epsilon - drift
        turned = phase - centred[:, None] * y
        real, imaginary = size * np.cos(turned), size * np.sin(turned)
        factor = self.step / math.pi
        total = factor * real.sum(axis=1)
        slope = factor * (c * real.sum(axis=1) - (y * imaginary).sum(axis=1)) / np.maximum(total, 1e-300)
        drift_error = 16 * U * (np.abs(epsilon) + np.abs(drift))
        error = factor * (fixed + (drift_error + 16 * U * np.abs(centred)) * moved)
        cut = np.exp(rows.steps * self.far) / (math.pi * self.step * (self.count - 1))
        log_scale = scale - c * epsilon
        alias = self.aliases(epsilon, scale, log_scale)
        error = 1.001 * (error + cut)
        slack = 8 * U * (3 * np.abs(scale) + c * np.abs(epsilon) + 8) + 8 * LIBM
        low, high = total - error - alias, total + error
        log_low = np.where(low > 0, log_scale + np.log(np.maximum(low, 1e-300)) - slack, -np.inf)
        log_high = np.where(high > 0, log_scale + np.log(np.maximum(high, 1e-300)) + slack, 0.0)
        log_high = np.logaddexp(log_high, np.log(rows.steps) + self.lost) + 4 * LIBM
        good = np.isfinite(log_high)
        return np.where(good, log_low, -np.inf), np.where(good, np.minimum(log_high, 0.0), 0.0), np.maximum(slope, 1e-12)

    def aliases(self, epsilon: Array, scale: Array, log_scale: Array) -> Array:
        """The bound on S_η − δ, in units of e^{`log_scale`}."""
        period, more = 2 * math.pi / self.step, self.order - self.c
        left = np.exp(np.minimum(-log_scale - self.c * period, 600.0)) / -np.expm1(-self.c * period)
        above = self.rows.steps * self.right - scale - more * epsilon - more * period
        return (left + np.exp(np.minimum(above, 600.0)) / -np.expm1(-more * period)) * (1 + 1e-9)


@dataclass(frozen=True)
class Plans:
    """What a contour is made from: c, η, the number of nodes, τ and c′ of each row. Estimates: a bad one makes wide bounds."""

    rows: Rows
    c: Array
    step: Array
    count: Array
    tau: Array
    order: Array
    epsilon: Array
    log_delta: Array

    def take(self, index: Array) -> Plans:
        """Some of the rows."""
        return replace(self, **{name: getattr(self, name)[index] for name in PLANNED}, rows=self.rows.take(index))


PLANNED = ("c", "step", "count", "tau", "order", "epsilon", "log_delta")


def plans(rows: Rows, saddle: Array, epsilon: Array, log_delta: Array, tolerance: float) -> Plans:
    """One contour for each row for relative errors of about `tolerance` / `MARGIN`."""
    depth, c = math.log(MARGIN / tolerance), FRACTION * saddle
    at_end = np.maximum(rows.log_u(rows.cut[:, None])[:, 0], 1e-300)
    if rows.remove:
        c = np.minimum(c, np.maximum((0.5 * rows.cut**2 - np.log(rows.steps) - _ROOM) / at_end - 1, 0.02 * saddle))
    c = short(np.minimum(c, 1e6))
    _, w, logs = pilot(rows, c)
    value, _, second = cumulants(rows, c, w, logs)
    goal = log_delta - depth
    period, order = np.full_like(c, np.inf), c * 2
    for factor in ORDERS:
        at = factor * c
        if not rows.remove:
            _, w, logs = pilot(rows, at)
        end = rows.power(at) * at_end - 0.5 * rows.cut**2 + _END_COST
        above = rows.steps * np.logaddexp(cumulants(rows, at, w, logs)[0], end) - at * epsilon
        found = (above - goal) / (at - c)
        order, period = np.where(found < period, at, order), np.minimum(found, period)
    period = 1.01 * np.maximum(period, -goal / c)
    step = short(2 * math.pi / period)
    top = rows.steps * value - c * epsilon - goal
    reach = 1.1 * np.sqrt(2 * np.maximum(top, 1.0) / (rows.steps * second))
    node_goal = np.maximum(np.exp(np.minimum(-top, 0.0)) / rows.steps, 1e-17)
    s, w, logs = pilot(rows, c)
    for _ in range(5):
        excess = rows.steps * approx_far(rows, c, s, w, logs, reach) + top - np.log(math.pi * reach)
        if not np.any(excess > 0):
            break
        growth = 1.04 * np.sqrt(top / np.maximum(top - excess, 0.2 * top))
        reach = np.where(excess > 0, reach * np.clip(growth, 1.1, 2.5), reach)
    count = np.minimum(np.ceil(1.03 * reach / step) + 2, MAX_HEIGHTS + 1.0)
    tau = longest_step(rows, c, count * step, node_goal)
    count = np.where(np.isfinite(c) & np.isfinite(tau) & (tau > 0), count, MAX_HEIGHTS + 1.0)
    return Plans(rows, c, step, count, tau, short(order), epsilon, log_delta)


def approx_far(rows: Rows, c: Array, s: Array, w: Array, logs: Array, reach: Array) -> Array:
    """About `far_bound` without its errors, on the nodes of an estimate."""
    exponents = logs + rows.power(c)[:, None] * w
    weights = np.exp(exponents - exponents.max(axis=1)[:, None])
    share = rows.q[:, None] * np.exp(s / rows.sigma[:, None] - 1 / (2 * rows.sigma[:, None] ** 2) - w)
    total = weights.sum(axis=1)
    best = reach * (weights * share).sum(axis=1) / (total * rows.sigma)
    a = np.minimum(np.minimum(best, 0.45 * math.pi * rows.sigma), 10.0)
    theta = (a / rows.sigma)[:, None]
    real, imaginary = 1 - 2 * share * np.sin(theta / 2) ** 2, share * np.sin(theta)
    growth = 0.5 * rows.power(c)[:, None] * np.log(real * real + imaginary * imaginary) - reach[:, None] * np.arctan2(imaginary, real)
    return np.log((weights * np.exp(growth)).sum(axis=1) / total) + 0.5 * a * a


def contours(of: Plans) -> Contours:
    """The contours of plans."""
    rows = of.rows
    line = quadrature(rows, of.c, of.tau)
    values, errors = characteristic(line, of.step, int(of.count.max()))
    far = far_bound(line, of.step * (of.count - 1))
    right = log_moment_above(replace(rows, cut=line.nodes[:, -1] + 0.5 * of.tau), of.order)
    return contours_through(of, values, errors, (line.scale, line.mean), far, right, line.lost)


def contours_through(
    of: Plans, values: Array, errors: Array, centre: tuple[Array, Array], far: Array, right: Array, lost: Array
) -> Contours:
    """The contours of plans from the values of M at their heights with bounds on their errors.

    Args:
        centre: scale and mean of the tilted law. far, right, lost: as `Contours` has them; `far` counts where the errors are small.
    """
    sizes = np.abs(values)
    return Contours(
        of.rows,
        of.c,
        of.step,
        of.count,
        np.maximum(np.log(np.maximum(sizes, 1e-300)), -1e6),
        np.angle(values),
        np.log(sizes + errors),
        *centre,
        np.where(errors[:, 0] < 5e-3, far, np.inf),
        of.order,
        right,
        lost,
    )
