"""Many rows of sampled Gaussian noise at once: the contour of `contour`, every array with a row for each question.

A row is (q, σ, k, δ): k uses of Poisson sampling at rate q with Gaussian noise σ. In units of the noise, φ the
standard normal density,

    u(s) = 1 − q + q·e^{s/σ − 1/2σ²},   w = log u,   f_z(s) = φ(s)·e^{p(z)·w(s)},   M(z) = ∫ f_z ds,

p(z) = 1 + z and L = w in the direction remove, p(z) = −z and L = −w in the direction add (there s → −s). Then

    δ(ε) = (1/2πi) ∫_{Re z = c} M(z)^k e^{−εz}/(z(z+1)) dz,   S_η = (η/π)·Re Σ′_{0≤m≤J} (…)(c + imη) = δ + aliases ± cut.

*Exact nodes.* c, the step τ in s and the step η along the line have at most 24 binary digits, and every node is an
integer of at most 24 digits times its step: nodes, 1 + c, and sums of two nodes of the line are exact in float64.

*Cut noise.* The outcomes s > S are taken out (`laws.truncated_noise`): M is that of the sub-probabilities, and δ of
the whole pair is larger by at most k·P(s > S), which is (1−q)Φ̄(S) + qΦ̄(S − 1/σ) in the direction remove and Φ̄(S)
in the other. The nodes are S − (m+½)τ. A larger S makes M(c′) larger, so M(c′) may be bounded with a cut further out.

*Angles.* λ(s) = q·e^e/u is the weight of the shifted component, e the exponent of u, and increases in s. u(s+ia)/u(s)
= 1 + λ(e^{iθ} − 1) has the argument ∫₀^θ (λ² + λ(1−λ)cos t)/((1−λ)² + λ² + 2λ(1−λ)cos t) dt; for λ ≤ ½ that quotient
increases in cos t, so it is at most λ, and the argument at most λθ. The square of the modulus is 1 −
4λ(1−λ)sin²(θ/2). So for s ≤ S, with ρ = λ(S), or 1 where that exceeds ½, and κ = ρ(1−ρ) or ¼ there,

    0 ≤ arg u(s+ia) ≤ ρθ,    1 ≥ |u(s+ia)|/u(s) ≥ m(θ) = √(1 − 4κ sin²(θ/2)),    0 < θ = a/σ < π.

*Step in s.* The sum over all nodes is off by at most M(c)·e^{a²/2}·m(θ)^{−n}(1 + e^{yρθ})/(e^{2πa/τ} − 1) at height y
≥ 0, and at the end by 2a·f_c(S)·m(θ)^{−n}·max(1, e^{a²/2 + yρθ − 2πa/τ}); n = c in the direction add, else 0.

*Nodes left out.* Left of S₀ ≤ 0, φ increases: Στf ≤ C·Φ(S₀), C = u(S₀)^{1+c} (remove: u increases) or (1−q)^{−c}
(add: u ≥ 1−q).

*Beyond the last height.* |M(c+iy)| ≤ B_a(Y) for y ≥ Y, B_a(y) = e^{a²/2}∫φ|u(s+ia)|^{Re p}e^{−y·arg u(s+ia)}ds, which
decreases in y, and what moving the line leaves at the end, a·e^{a²/2}m(θ)^{−n}f_c(S). The trapezoid sum of B_a is off
by 2M(c)e^{(a²+α²)/2}m((a+α)/σ)^{−n}/(e^{2πα/τ} − 1), α ≤ a or a + α ≤ πσ/2 (`characteristic`), at the end by
e^{a²/2}·2α·f_c(S)·m((a+α)/σ)^{−n}·max(1, e^{α²/2 − 2πα/τ}), and by e^{a²/2}m(θ)^{−n} times the nodes left out of
M(c). The heights left out add at most B^k e^{−cε}/(πY).

*Aliases.* 0 ≤ S_η − δ ± … ≤ e^{−cT}/(1−e^{−cT}) + M(c′)^k e^{−c′ε}e^{−(c′−c)T}/(1−e^{−(c′−c)T}), T = 2π/η, c′ > c
(`contour`).

*Rounding* (`rounding`), u the unit. The exponent e = s/σ − 1/2σ² is off by at most E = u(3|s|/σ + 4/2σ² + |e|): σ
read, one quotient; σ twice, one square, one quotient; one difference. λ = q·e^e/u is dw/de, and q·expm1(e) is off by
(2u + LIBM) of itself, which is |1 − e^{−w}| of u: w is off by W = 1.01(λE + (3u + LIBM)|1 − e^{−w}|) + LIBM·|w|. The
exponent of a weight is off by |p|W + u(2|pw| + s² + 2|e_j − κ| + 4), the exponential by LIBM: r_j together. The
centred loss x = L − μ is off by W + u|x|, a phase by another 2u·y|x|. With Σ = Σ weights, |M e^{−κ−iyμ} − χ(y)| ≤ Σ w
r + y Σ w(W + 3u|x|) + (3.1·LIBM + 1.5(2N+4)u)·Σ + the two errors above: e^{iyx} is a product of two table entries,
each off by √2·LIBM; a real part adds 2N products in any order (`characteristic`). A product of k is off by (|χ|+e)^k
− |χ|^k.

Rows that this declines (few steps, rates above 1/2, a δ at or above that of ε = 0, bounds wider than asked) come back
as NaN. Never used in a verdict.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from scipy import special

from dpbounds.float64.logarithms import Array
from dpbounds.float64.rounding import LIBM, SPECIAL, UNIT_ROUNDOFF

U = UNIT_ROUNDOFF
BATCH = 64
"""Rows of one set of arrays: they stay in the cache."""
MAX_HEIGHTS = 400
MAX_NODES = 1024
_LEAST_LEFT = 4.0
"""Nodes that begin less far left of 0 leave out too much to be of use."""
MARGIN = 12.0
_LN_ROOT_TWO_PI = 0.5 * math.log(2 * math.pi)
_PILOT = 128
"""Nodes of an estimate."""
_BITS = 24
_FRACTION = 0.6
"""The abscissa, as a share of the saddle point."""
_ORDERS = (1.1, 1.25, 1.5, 1.8, 2.2, 3.0, 4.5)
"""c′ as multiples of c."""
_SHIFTS = (0.75, 1.0, 1.2)
"""Shifts for B_a as multiples of the one that seems best."""
_ROOM = 30.0
"""How far f(S) lies below M(c), in logarithms and against the number of steps."""
_END_COST = 1.0
"""log of about 2a/√2π: what the end of cut noise costs a moment, in units of f(S)."""
_SPARE = 12.0
"""What is cut is rarer than it need be by e^{−this}."""
_ENOUGH = 60.0
"""2πα/τ beyond which a larger α gains nothing."""
_FALL = 42.0
"""Where an integrand has fallen by e^{−this}, nodes end."""


@dataclass(frozen=True)
class Rows:
    """Columns of questions: rates, noise, numbers of steps, all as float64 arrays of one length, and the direction of all of them.

    `cut` is about where the noise is cut.
    """

    q: Array
    sigma: Array
    steps: Array
    cut: Array
    remove: bool

    @property
    def usable(self) -> Array:
        """Which rows have the parameters that the error bounds are made for."""
        return (self.q > 1e-290) & (self.q <= 0.5) & (self.sigma >= 0.1) & (self.sigma < 1e6) & (self.steps >= 1)

    def take(self, index: Array | slice) -> Rows:
        """Some of the rows."""
        return Rows(self.q[index], self.sigma[index], self.steps[index], self.cut[index], self.remove)

    def with_cut(self, log_mass: Array) -> Rows:
        """The same with the noise cut where about e^{`log_mass`} is left in all steps."""
        level = np.log(self.steps) - log_mass + _SPARE
        beyond = 1 / self.sigma + np.sqrt(2 * np.maximum(1.0, level + np.log(self.q))) if self.remove else 0.0
        return replace(self, cut=np.maximum(np.sqrt(2 * np.maximum(level, 1.0)), beyond))

    def power(self, c: Array) -> Array:
        """Re p at Re z = c."""
        return 1 + c if self.remove else -c

    def log_u(self, s: Array) -> Array:
        """w at s, a row of nodes for each question."""
        q, sigma = self.q[:, None], self.sigma[:, None]
        return np.log1p(q * np.expm1(np.minimum(s / sigma - 1 / (2 * sigma**2), 600.0)))


@dataclass(frozen=True)
class Quadrature:
    """M on the line Re z = c by nodes in s.

    Attributes:
        c, step: Re z and τ. nodes: s. share: λ. weights, losses: weights e^{−κ} and x. scale, mean: κ and μ.
        weight_error, phase_error: Σ w r and Σ w(W + 3u|x|). omitted: nodes left out, and end: f_c(S), relative to e^κ.
        turn: ρ. lost: log of the mass that is cut off in one step. total: Σ w.
    """

    rows: Rows
    c: Array
    step: Array
    nodes: Array
    share: Array
    weights: Array
    losses: Array
    scale: Array
    mean: Array
    weight_error: Array
    phase_error: Array
    omitted: Array
    end: Array
    turn: Array
    lost: Array
    total: Array

    def log_loss(self, theta: Array) -> Array:
        """log m(θ)^{−n}, a row of angles for each question."""
        return log_loss(self.rows, self.c, self.turn, theta)


def log_loss(rows: Rows, c: Array, turn: Array, theta: Array) -> Array:
    """log m(θ)^{−n}, a row of angles for each question."""
    if rows.remove:
        return np.zeros_like(theta)
    spread = np.where(turn <= 0.5, turn * (1 - turn), 0.25)[:, None]
    return -0.5 * c[:, None] * np.log1p(-4 * spread * np.sin(theta / 2) ** 2) * (1 + 1e-12)


def short(value: Array) -> Array:
    """The values rounded to 24 binary digits.

    >>> import numpy as np
    >>> float(short(np.array([1.0]))[0])
    1.0
    """
    mantissa, exponent = np.frexp(value)
    return np.ldexp(np.rint(np.ldexp(mantissa, _BITS)), exponent - _BITS)


# estimates -----------------------------------------------------------------------------------------------------------------------------


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
    return s, rows.log_u(s), -0.5 * s * s + (np.log((high - low) / (_PILOT - 1)) - _LN_ROOT_TWO_PI)[:, None]


def cumulants(rows: Rows, c: Array, w: Array, logs: Array) -> tuple[Array, Array, Array]:
    """K, K′, K″ of one use at c, about."""
    exponents = logs + rows.power(c)[:, None] * w
    top = exponents.max(axis=1)
    parts = np.exp(exponents - top[:, None])
    total = parts.sum(axis=1)
    mean = (parts * w).sum(axis=1) / total
    spread = (parts * (w - mean[:, None]) ** 2).sum(axis=1) / total
    return top + np.log(total), mean if rows.remove else -mean, np.maximum(spread, 1e-300)


def _log_delta(rows: Rows, c: Array, value: Array, second: Array, epsilon: Array) -> Array:
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
            gap = np.where(tilt > 0, _log_delta(rows, c, value, second, tilt) - log_delta, np.inf)
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
    return c, found, np.minimum(_log_delta(rows, c, value, second, found), 0.0)


# the moments, with bounds --------------------------------------------------------------------------------------------------------------


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
    power, sigma, q = rows.power(c)[:, None], rows.sigma[:, None], rows.q[:, None]
    exponent = nodes / sigma - 1 / (2 * sigma**2)
    w = np.log1p(q * np.expm1(exponent))
    share = q * np.exp(exponent - w)
    logs = power * w - 0.5 * nodes * nodes
    top = logs.max(axis=1)
    scale = top + np.log(np.exp(logs - top[:, None]).sum(axis=1) * step / math.sqrt(2 * math.pi))
    centred = logs - scale[:, None]
    weights = np.exp(centred) * (step / math.sqrt(2 * math.pi))[:, None]
    loss = w if rows.remove else -w
    total = weights.sum(axis=1)
    mean = (weights * loss).sum(axis=1) / total
    x = loss - mean[:, None]
    off = U * (3 * np.abs(nodes) / sigma + 2 / sigma**2 + np.abs(exponent))
    loss_error = 1.01 * (share * off + (3 * U + LIBM) * np.abs(np.expm1(-w))) + LIBM * np.abs(w)
    relative = np.abs(power) * loss_error + U * (2 * np.abs(power * w) + nodes * nodes + 2 * np.abs(centred) + 4) + LIBM
    return Quadrature(
        rows,
        c,
        step,
        nodes,
        share,
        weights,
        x,
        scale,
        mean,
        1.01 * (weights * relative).sum(axis=1),
        1.01 * (weights * (loss_error + 3 * U * np.abs(x))).sum(axis=1),
        omitted_nodes(rows, c, nodes[:, 0], scale),
        *cut_end(rows, c, nodes[:, -1] + 0.5 * step, scale),
        total,
    )


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
    value = rows.power(c) * log_u - 0.5 * cut * cut - _LN_ROOT_TWO_PI - scale
    sizes = (1 + c) * (np.abs(log_u) + cut / rows.sigma + 1 / rows.sigma**2) + cut * cut + np.abs(scale)
    share = rows.q * np.exp(exponent - log_u) * (1 + 1e-9)
    lost = log_normal(-cut)
    if rows.remove:
        lost = np.logaddexp(np.log1p(-rows.q) + lost, np.log(rows.q) + log_normal(1 / rows.sigma - cut))
    end = np.exp(np.minimum(value, 600.0)) * (1 + 1e-9 + 4 * (LIBM + 16 * U) * (1 + sizes))
    return end, np.where(share <= 0.5, share, 1.0), lost + 1e-9


def log_normal(z: Array) -> Array:
    """log Φ(z).

    >>> import numpy as np
    >>> float(np.round(log_normal(np.array([0.0]))[0], 4))
    -0.6931
    """
    return special.log_ndtr(z)


def _angles(rows: Rows, c: Array, turn: Array) -> Array:
    """Shifts θ = a/σ to choose from, inside (0, π): where a²/2 − log m^n is about 1/8, ½, 2, 4.5, …."""
    few = np.array([0.5, 1.0, 2.0, 3.0, 4.5, 6.0, 8.0, 10.0])
    negative = 0.0 if rows.remove else c * turn
    return np.minimum(few / np.sqrt(rows.sigma**2 + negative)[:, None], 0.94 * math.pi)


def longest_step(rows: Rows, c: Array, reach: Array, goal: Array) -> Array:
    """About the longest τ with a discretisation error of `goal` at heights up to `reach`."""
    turn = cut_end(rows, c, rows.cut, np.zeros_like(c))[1]
    theta = _angles(rows, c, turn)
    a = theta * rows.sigma[:, None]
    cost = a * a / 2 + log_loss(rows, c, turn, theta) + (reach * turn)[:, None] * theta - np.log(goal / 4)[:, None]
    return short(np.minimum((2 * math.pi * a / cost).max(axis=1), 1.0))


def _shift_errors(of: Quadrature, y: Array) -> Iterator[tuple[Array, Array]]:
    """For each shift that may be taken: the trapezoid error at each height, as a multiple of M(c), and what the end costs over e^κ."""
    theta = _angles(of.rows, of.c, of.turn)
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
    for error, end in _shift_errors(of, y):
        best = np.fmin(best, 1.011 * error + end)
    return best


def characteristic(of: Quadrature, step: Array, count: int) -> tuple[Array, Array]:
    """χ at heights m·step, m < `count`, and bounds on their errors."""
    values, rounded = transformed(of.weights, of.losses, of.total, step, count)
    y = step[:, None] * np.arange(count)
    return values, 1.001 * (rounded + (of.weight_error + of.omitted)[:, None] + of.phase_error[:, None] * y + discretisation(of, y))


def transformed(weights: Array, losses: Array, total: Array, step: Array, count: int) -> tuple[Array, Array]:
    """Σ w·e^{iyx} at heights y = m·step, m < `count`, and what cosines and sums may be off there."""
    rows = math.isqrt(count - 1) + 1
    far = (step * rows)[:, None, None] * np.arange(-(-count // rows))[None, :, None] * losses[:, None, :]
    near = step[:, None, None] * np.arange(rows)[None, :, None] * losses[:, None, :]
    error, weights = (3.1 * LIBM + 1.5 * (2 * losses.shape[1] + 4) * U) * total, weights[:, None, :]
    left = np.concatenate((np.cos(far) * weights, np.sin(far) * weights), axis=2)
    cosines, sines = np.cos(near), np.sin(near)
    real = np.matmul(left, np.concatenate((cosines, -sines), axis=2).transpose(0, 2, 1))
    imaginary = np.matmul(left, np.concatenate((sines, cosines), axis=2).transpose(0, 2, 1))
    return (real + 1j * imaginary).reshape(len(step), -1)[:, :count], error[:, None]


def far_bound(of: Quadrature, reach: Array) -> Array:
    """log of a bound on |M(c+iy)|e^{−κ} for y ≥ `reach`."""
    sigma, power = of.rows.sigma, of.rows.power(of.c)[:, None]
    best = reach * (of.weights * of.share).sum(axis=1) / (of.total * sigma)  # a²/2 − Y·a·E w′ is least there
    fringe = np.log(of.omitted + of.weight_error + 8 * LIBM + 4 * of.nodes.shape[1] * U)
    furthest = np.maximum(np.abs(of.nodes[:, 0]), np.abs(of.nodes[:, -1]))
    off = U * (8 * furthest / sigma + 6 / sigma**2 + 8) + 3 * LIBM  # relative error of λ; |1 + λ(e^{iθ} − 1)| ≥ cos(θ/2) > 0.7
    found = np.full_like(sigma, 1e-12)
    for factor in _SHIFTS:
        a = np.minimum(np.minimum(factor * best, 0.48 * math.pi * sigma), 10.0)
        theta = a / sigma
        alpha = np.minimum(np.maximum(a, 0.5 * math.pi * sigma - a), _ENOUGH / (2 * math.pi) * of.step)
        sine, cosine = np.sin(theta)[:, None], -2 * np.sin(theta / 2)[:, None] ** 2
        real, imaginary = 1 + of.share * cosine, of.share * sine
        growth = 0.5 * power * np.log(real * real + imaginary * imaginary) - reach[:, None] * np.arctan2(imaginary, real)
        line = np.log((of.weights * np.exp(growth)).sum(axis=1) + 1e-300) + a * a / 2
        line += 2 * off * theta * (np.abs(power[:, 0]) + reach) + (4 * U + LIBM) * reach * theta + 64 * U + 8 * LIBM
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
    for error, end in _shift_errors(found, np.zeros((len(order), 1))):  # M ≤ rest + end + error·M
        above = np.fmin(above, np.where(error[:, 0] < 0.9, (rest + end[:, 0]) / (1 - error[:, 0]), np.inf))
    return np.where(above < 1e100, found.scale + np.log(above) + LIBM + 8 * U * (1 + np.abs(found.scale)), np.inf)


# the contour ---------------------------------------------------------------------------------------------------------------------------


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

    def evaluate(self, epsilon: Array) -> tuple[Array, Array, Array]:
        """(log lower, log upper, estimate of −d log δ/dε), an ε for each row; −∞ and 0 where nothing is known."""
        rows, c = self.rows, self.c
        steps, scale, drift = rows.steps[:, None], rows.steps * self.scale, rows.steps * self.mean
        places = np.arange(self.log_size.shape[1])
        y = self.step[:, None] * places
        z = c[:, None] + 1j * y
        kernel = 1 / (z * (z + 1))
        centred = epsilon - drift
        weight = np.where(places < self.count[:, None], np.where(places == 0, 0.5, 1.0), 0.0) * np.abs(kernel)
        size = np.exp(np.minimum(steps * self.log_size, 50.0)) * weight
        phase = np.mod(steps * self.angle, 2 * math.pi) - centred[:, None] * y + np.angle(kernel)
        terms = size * np.cos(phase)
        factor = self.step / math.pi
        total = factor * terms.sum(axis=1)
        slope = factor * (size * np.abs(z) * np.cos(phase + np.angle(z))).sum(axis=1) / np.maximum(total, 1e-300)
        # angles: of χ, of one turn modulo 2π, of k·μ and ε, of the kernel and of the phase itself
        own = 2 * LIBM * (np.abs(self.angle) + np.abs(self.log_size)) + 8 * U
        drift_error = 16 * U * (np.abs(epsilon) + np.abs(drift))
        relative = steps * own + drift_error[:, None] * y + 16 * U * (4 + np.abs(centred[:, None] * y)) + 4 * LIBM
        # no cap: what a size loses at e^50 is part of the error, and what overflows is no bound
        top = np.where(weight > 0, np.exp(steps * (self.log_top + 2 * LIBM * np.abs(self.log_size) + 8 * U)) * weight, 0.0)
        summed = 2 * (32 + math.log2(1 + size.shape[1])) * U
        error = factor * ((top - size + top * relative).sum(axis=1) + summed * size.sum(axis=1))
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
        return replace(self, **{name: getattr(self, name)[index] for name in _PLANNED}, rows=self.rows.take(index))


_PLANNED = ("c", "step", "count", "tau", "order", "epsilon", "log_delta")


def plans(rows: Rows, saddle: Array, epsilon: Array, log_delta: Array, tolerance: float) -> Plans:
    """One contour for each row for relative errors of about `tolerance` / `MARGIN`."""
    depth, c = math.log(MARGIN / tolerance), _FRACTION * saddle
    at_end = np.maximum(rows.log_u(rows.cut[:, None])[:, 0], 1e-300)
    if rows.remove:
        c = np.minimum(c, np.maximum((0.5 * rows.cut**2 - np.log(rows.steps) - _ROOM) / at_end - 1, 0.02 * saddle))
    c = short(np.minimum(c, 1e6))
    _, w, logs = pilot(rows, c)
    value, _, second = cumulants(rows, c, w, logs)
    goal = log_delta - depth
    period, order = np.full_like(c, np.inf), c * 2
    for factor in _ORDERS:
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

    return _in_batches(rows, planned, solved)


def epsilon_rows(rows: Rows, log_delta: Array, tolerance: float = 1e-8) -> tuple[Array, Array]:
    """Bounds on ε(δ) of each row, log δ given; NaN where this declines."""

    def planned(part: Rows, index: Array) -> Plans:
        part = part.with_cut(log_delta[index] - math.log(MARGIN / tolerance))
        saddle, epsilon, _ = saddles(part, log_delta[index], None)
        return plans(part, saddle, epsilon, log_delta[index], tolerance)

    return _in_batches(rows, planned, lambda of: roots(contours(of).evaluate, of.log_delta, of.epsilon))


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


def _in_batches(rows: Rows, planned: Callable[[Rows, Array], Plans], solved: Callable[[Plans], tuple[Array, Array]]) -> tuple[Array, Array]:
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
        whole = Plans(replace(rows.take(where), cut=cuts), *(np.concatenate([getattr(each, name) for each in found]) for name in _PLANNED))
        places = np.lexsort((whole.tau, np.floor(2 * np.log2(whole.count))))
        places = places[(whole.count[places] <= MAX_HEIGHTS) & ((cuts + _LEAST_LEFT)[places] <= MAX_NODES * whole.tau[places])]
        for first in range(0, len(places), BATCH):
            part = places[first : first + BATCH]
            lower[where[part]], upper[where[part]] = solved(whole.take(part))
    return lower, upper
