"""M on the lines of many rows by nodes in s, with bounds on every error: see the head of this package."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpbounds.float64.logarithms import Array
from dpbounds.float64.rounding import LIBM, SPECIAL
from dpbounds.float64.rows.estimates import pilot
from dpbounds.float64.rows.questions import LN_ROOT_TWO_PI, Rows, U, log_normal, short

MAX_NODES = 1024
_FALL = 42.0
"""Where an integrand has fallen by e^{−this}, nodes end."""
_SHIFTS = (0.75, 1.0, 1.2)
"""Shifts for B_a as multiples of the one that seems best."""
_ENOUGH = 60.0
"""2πα/τ beyond which a larger α gains nothing."""


@dataclass(frozen=True)
class Weighted:
    """∫φu^p by nodes.

    Attributes:
        share: λ. weights, losses: weights e^{−κ} and x. scale, mean: κ and μ. total: Σ w.
        weight_error, phase_error: Σ w r and Σ w(W + 3u|x|).
    """

    share: Array
    weights: Array
    losses: Array
    scale: Array
    mean: Array
    total: Array
    weight_error: Array
    phase_error: Array


@dataclass(frozen=True)
class Quadrature(Weighted):
    """M on the line Re z = c by nodes in s.

    Attributes:
        c, step: Re z and τ. nodes: s. omitted: nodes left out, and end: f_c(S), relative to e^κ.
        turn: ρ. lost: log of the mass that is cut off in one step.
    """

    rows: Rows
    c: Array
    step: Array
    nodes: Array
    omitted: Array
    end: Array
    turn: Array
    lost: Array

    def log_loss(self, theta: Array) -> Array:
        """log m(θ)^{−n}, a row of angles for each question."""
        return log_loss(self.rows, self.c, self.turn, theta)


def log_loss(rows: Rows, c: Array, turn: Array, theta: Array) -> Array:
    """log m(θ)^{−n}, a row of angles for each question."""
    if rows.remove:
        return np.zeros_like(theta)
    spread = np.where(turn <= 0.5, turn * (1 - turn), 0.25)[:, None]
    return -0.5 * c[:, None] * np.log1p(-4 * spread * np.sin(theta / 2) ** 2) * (1 + 1e-12)


def quadrature(rows: Rows, c: Array, step: Array) -> Quadrature:
    """Weights and losses at nodes of these steps, with the bounds of the head of this module."""
    power = rows.power(c)
    around, w, logs = pilot(rows, c)
    exponents = logs + power[:, None] * w
    inside = exponents > exponents.max(axis=1)[:, None] - _FALL
    first = np.floor(np.minimum(np.where(inside, around, np.inf).min(axis=1) - 0.3, 0.0) / step)
    last = np.ceil(rows.cut / step - 0.5)
    count = int(min(np.nanmax(last - first) + 1, MAX_NODES))
    nodes = (last[:, None] - np.arange(count)[::-1]) * step[:, None]
    return filled(rows, c, step, nodes)


def filled(rows: Rows, c: Array, step: Array, nodes: Array) -> Quadrature:
    """The same at given nodes, exact multiples of the step."""
    found = weighted(rows, rows.power(c), nodes, step[:, None])
    omitted = omitted_nodes(rows, c, nodes[:, 0], found.scale)
    end, turn, lost = cut_end(rows, c, nodes[:, -1] + 0.5 * step, found.scale)
    return Quadrature(**vars(found), rows=rows, c=c, step=step, nodes=nodes, omitted=omitted, end=end, turn=turn, lost=lost)


def weighted(rows: Rows, power: Array, s: Array, measure: Array, moved: Array | float = 0.0, units: int = 4) -> Weighted:
    """Weights and losses at nodes s, with the bounds of the head of this package.

    Args:
        measure: what a node stands for. moved: how far a node may be off. units: of rounding, in a weight.
    """
    p, sigma, q = power[:, None], rows.sigma[:, None], rows.q[:, None]
    measure = measure / math.sqrt(2 * math.pi)
    exponent = s / sigma - 1 / (2 * sigma**2)
    w = np.log1p(q * np.expm1(exponent))
    share = q * np.exp(exponent - w)
    logs = p * w - 0.5 * s * s
    top = logs.max(axis=1)
    scale = top + np.log((np.exp(logs - top[:, None]) * measure).sum(axis=1))
    centred = logs - scale[:, None]
    weights = np.exp(centred) * measure
    loss = w if rows.remove else -w
    total = weights.sum(axis=1)
    mean = (weights * loss).sum(axis=1) / total
    x = loss - mean[:, None]
    off = U * (3 * np.abs(s) / sigma + 2 / sigma**2 + np.abs(exponent)) + moved / sigma
    loss_error = 1.01 * (share * off + (3 * U + LIBM) * np.abs(np.expm1(-w))) + LIBM * np.abs(w)
    relative = np.abs(p) * loss_error + U * (2 * np.abs(p * w) + s * s + 2 * np.abs(centred) + units) + np.abs(s) * moved + LIBM
    weight_error = 1.01 * (weights * relative).sum(axis=1)
    phase_error = 1.01 * (weights * (loss_error + 3 * U * np.abs(x))).sum(axis=1)
    return Weighted(share, weights, x, scale, mean, total, weight_error, phase_error)


def omitted_nodes(rows: Rows, c: Array, first: Array, scale: Array) -> Array:
    """A bound on the nodes left of `first` ≤ 0, relative to e^κ."""
    least = rows.log_u(first[:, None])[:, 0] if rows.remove else np.log1p(-rows.q)
    power = rows.power(c)
    sizes = np.abs(power * least) + first**2 + np.abs(scale)
    found = np.exp(np.minimum(power * least + log_normal(first) - scale, 600.0))
    return np.where(first <= 0, found * (1 + 1e-9 + 4 * (SPECIAL + 16 * U) * (1 + sizes)) + 1e-300, np.inf)


def cut_end(rows: Rows, c: Array, cut: Array, scale: Array) -> tuple[Array, Array, Array]:
    """Upper bounds on f_c(S)/e^κ, on ρ and on log P(s > S)."""
    exponent, log_u = cut / rows.sigma - 1 / (2 * rows.sigma**2), rows.log_u(cut[:, None])[:, 0]
    value = rows.power(c) * log_u - 0.5 * cut * cut - LN_ROOT_TWO_PI - scale
    sizes = (1 + c) * (np.abs(log_u) + cut / rows.sigma + 1 / rows.sigma**2) + cut * cut + np.abs(scale)
    share = rows.q * np.exp(exponent - log_u) * (1 + 1e-9)
    lost = log_normal(-cut)
    if rows.remove:
        lost = np.logaddexp(np.log1p(-rows.q) + lost, np.log(rows.q) + log_normal(1 / rows.sigma - cut))
    end = np.exp(np.minimum(value, 600.0)) * (1 + 1e-9 + 4 * (LIBM + 16 * U) * (1 + sizes))
    return end, np.where(share <= 0.5, share, 1.0), lost + 1e-9


def angles(rows: Rows, c: Array, turn: Array) -> Array:
    """Shifts θ = a/σ to choose from, inside (0, π): where a²/2 − log m^n is about 1/8, ½, 2, 4.5, …."""
    few = np.array([0.5, 1.0, 2.0, 3.0, 4.5, 6.0, 8.0, 10.0])
    negative = 0.0 if rows.remove else c * turn
    return np.minimum(few / np.sqrt(rows.sigma**2 + negative)[:, None], 0.94 * math.pi)


def longest_step(rows: Rows, c: Array, reach: Array, goal: Array) -> Array:
    """About the longest τ with a discretisation error of `goal` at heights up to `reach`."""
    turn = cut_end(rows, c, rows.cut, np.zeros_like(c))[1]
    theta = angles(rows, c, turn)
    a = theta * rows.sigma[:, None]
    cost = a * a / 2 + log_loss(rows, c, turn, theta) + (reach * turn)[:, None] * theta - np.log(goal / 4)[:, None]
    return short(np.minimum((2 * math.pi * a / cost).max(axis=1), 1.0))


def shift_errors(of: Quadrature, y: Array) -> Iterator[tuple[Array, Array]]:
    """For each shift that may be taken: the trapezoid error at each height, as a multiple of M(c), and what the end costs over e^κ."""
    theta = angles(of.rows, of.c, of.turn)
    a = theta * of.rows.sigma[:, None]
    decay, loss = 2 * math.pi * a / of.step[:, None], of.log_loss(theta)
    line = a * a / 2 + loss - decay - np.log(-np.expm1(-decay))
    ends, rise = 2.001 * a * np.exp(loss) * of.end[:, None], of.turn[:, None] * theta
    for each in range(theta.shape[1]):
        growth = rise[:, each, None] * y
        lower = np.exp(line[:, each, None] + growth)
        corner = np.exp(np.maximum((a * a / 2 - decay)[:, each, None] + growth, 0.0))
        yield 1.0001 * (np.exp(line[:, each, None]) + lower), ends[:, each, None] * corner


def discretisation(of: Quadrature, y: Array) -> Array:
    """The bound on the trapezoid error at each height, and on what the end of cut noise costs, relative to e^κ, with M(c) ≤ 1.01·e^κ."""
    best = np.full_like(y, np.inf)
    for error, end in shift_errors(of, y):
        best = np.fmin(best, 1.011 * error + end)
    return best


def characteristic(of: Quadrature, step: Array, count: int) -> tuple[Array, Array]:
    """χ at heights m·step, m < `count`, and bounds on their errors."""
    values, rounded = transformed(of.weights, of.losses, of.total, step, count)
    y = step[:, None] * np.arange(count)
    return values, 1.001 * (rounded + (of.weight_error + of.omitted)[:, None] + of.phase_error[:, None] * y + discretisation(of, y))


def transformed(weights: Array, losses: Array, total: Array, step: Array, count: int) -> tuple[Array, Array]:
    """Σ w·e^{iyx} at heights y = m·step, m < `count`, and what exponentials, their powers and sums may be off there."""
    near = math.isqrt(count - 1) + 1
    far = -(-count // near)
    turned = powers((step * near)[:, None] * losses, far) * weights[:, None, :]
    values = np.matmul(turned, powers(step[:, None] * losses, near).transpose(0, 2, 1))
    error = ((near + far) * (1.5 * LIBM + 3 * U) + 1.5 * (2 * losses.shape[1] + 4) * U) * total
    return values.reshape(len(step), -1)[:, :count], error[:, None]


def powers(angles: Array, count: int) -> Array:
    """e^{ib·angle}, 0 ≤ b < count, each a product of two: off by b times √2·LIBM and a product's √5·u, beside what turns the angle."""
    found = np.ones((len(angles), count, angles.shape[1]), dtype=complex)
    if count > 1:
        found[:, 1].real, found[:, 1].imag = np.cos(angles), np.sin(angles)
    for b in range(2, count):
        np.multiply(found[:, b // 2], found[:, b - b // 2], out=found[:, b])
    return found


def log_turned(share: Array, weights: Array, power: Array, theta: Array, reach: Array, off: Array) -> Array:
    """log of Σ w·|u(s+ia)/u(s)|^p·e^{−Y·arg u(s+ia)}, θ = a/σ ≤ 0.48π, rounded up; `off` is the relative error of λ.

    The square of the modulus is 1 − 4λ(1−λ)sin²(θ/2), so that its logarithm is rounded in units of θ, and p times that too.
    |1 + λ(e^{iθ} − 1)| ≥ cos(θ/2) > 0.7.
    """
    cosine = -2 * np.sin(theta / 2)[:, None] ** 2
    growth = 0.5 * power * np.log1p(2 * share * (1 - share) * cosine)
    growth -= reach[:, None] * np.arctan2(share * np.sin(theta)[:, None], 1 + share * cosine)
    line = np.log((weights * np.exp(growth)).sum(axis=1) + 1e-300)
    return line + 2 * off * theta * (np.abs(power[:, 0]) + reach) + (4 * U + LIBM) * reach * theta + 64 * U + 8 * LIBM


def far_bound(of: Quadrature, reach: Array) -> Array:
    """log of a bound on |M(c+iy)|e^{−κ} for y ≥ `reach`."""
    sigma, power = of.rows.sigma, of.rows.power(of.c)[:, None]
    best = reach * (of.weights * of.share).sum(axis=1) / (of.total * sigma)  # a²/2 − Y·a·E w′ is least there
    fringe = np.log(of.omitted + of.weight_error + 8 * LIBM + 4 * of.nodes.shape[1] * U)
    furthest = np.maximum(np.abs(of.nodes[:, 0]), np.abs(of.nodes[:, -1]))
    off = U * (8 * furthest / sigma + 6 / sigma**2 + 8) + 3 * LIBM
    found = np.full_like(sigma, 1e-12)
    for factor in _SHIFTS:
        a = np.minimum(np.minimum(factor * best, 0.48 * math.pi * sigma), 10.0)
        theta = a / sigma
        alpha = np.minimum(np.maximum(a, 0.5 * math.pi * sigma - a), _ENOUGH / (2 * math.pi) * of.step)
        line = log_turned(of.share, of.weights, power, theta, reach, off) + a * a / 2
        decay = 2 * math.pi * alpha / of.step
        near, loss = of.log_loss(theta[:, None])[:, 0], of.log_loss(((a + alpha) / sigma)[:, None])[:, 0]
        spread = 0.5 * (a * a + alpha * alpha) + loss - decay - np.log(-np.expm1(-decay))
        edge = a * a / 2 + near + fringe
        corner = a * np.exp(near) + 2 * alpha * np.exp(loss + np.maximum(0.0, 0.5 * alpha * alpha - decay))
        ends = 0.5 * a * a + np.log(1.001 * corner * of.end + 1e-300)
        whole = np.logaddexp(np.logaddexp(np.logaddexp(line, spread + 0.704), edge), ends) + 1e-13 * (1 + a * a)
        found = np.fmin(found, np.where(a + alpha < 0.999 * math.pi * sigma, whole, np.inf))
    return found


def log_moment_above(rows: Rows, order: Array) -> Array:
    """An upper bound on log M(order), order > 0."""
    step = longest_step(rows, order, np.zeros_like(order), np.full_like(order, 1e-10))
    step = short(rows.cut / (np.ceil(rows.cut / step - 0.5) + 0.5) * (1 + 2.0**-22))  # the last cell ends at the cut, or a little beyond
    found = quadrature(rows, order, step)
    rest = found.total * (1 + 8 * found.nodes.shape[1] * U) + found.weight_error + found.omitted
    above = np.full_like(order, np.inf)
    for error, end in shift_errors(found, np.zeros((len(order), 1))):  # M ≤ rest + end + error·M
        above = np.fmin(above, np.where(error[:, 0] < 0.9, (rest + end[:, 0]) / (1 - error[:, 0]), np.inf))
    return np.where(above < 1e100, found.scale + np.log(above) + LIBM + 8 * U * (1 + np.abs(found.scale)), np.inf)
