"""Rows of sampled Gaussian noise whose δ is ruled by rare large losses: direction remove, notation and rounding of `rows`.

A use with s > S is called a jump. A, B = P(s ≤ S), Q(s ≤ S) = Φ(S), p = 1 − A, w(S) = ε + r. Paths without a jump have the law cut at S;
of the others nearly all have a loss above ε:

    δ(ε) = δ_S(ε) + (1 − A^k) − e^ε(1 − B^k) + rest,    0 ≤ rest ≤ k·p·e^{−tr}·M(−t)^{k−1},    t ≥ 1.

With a jump, (1 − e^{ε−L})₊ = 1 − e^{ε−L} + (e^{ε−L} − 1)₊, and E_P e^{−L} over these paths is their mass under Q. For t ≥ 1, (y−1)₊ ≤ y^t;
the loss of the use that jumps is at least w(S), and k uses may be the one.

So S need not be where nothing is left, but a few standard deviations above ε, and the law cut there has a short contour for δ_S.

*Moments.* ∫_{s≤S} φu^{1+z} ds by Gauss–Legendre panels from S leftwards, N nodes each. The rule misses the integral of an f with |f| ≤ B in
the ellipse with foci at the ends and semi-axes half·(ρ ± 1/ρ)/2 by at most 8B·half·ρ^{−2N}/(1 − ρ^{−2}) (`numbers.gauss_legendre`). By
*Angles* of `rows`, |f_y(s+ia)| ≤ φ(s)u(s)^{1+c}e^{a²/2 + y·turn·a/σ}, and φ, u are monotone on either side of 0. With exponent 1 − t < 0
there is m(a/σ)^{1−t} besides. Left of the last panel: `rows.omitted_nodes`, whose bound is one of the integral too.

*Beyond the last height.* B_a(Y) as in `rows`, by the same panels: continued to s + iα it is at most φ(s)u(s)^{1+c}e^{(a²+α²)/2} as long as
α ≤ a or a + α ≤ πσ/2, and α ≤ πσ/4 is one of both. Moving the line leaves a·e^{a²/2}f_c(S) at the end.

*Rounding.* A node is off by 6u(|middle| + half), which adds that over σ to the error of the exponent e, and |s| times that to the error of
the logarithm of a weight; nodes and weights of the rule are within two units of the exact ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from functools import cached_property, lru_cache

import numpy as np

from dpbounds.float64 import rows as r
from dpbounds.float64.logarithms import Array
from dpbounds.float64.rounding import LIBM, SPECIAL, UNIT_ROUNDOFF

U = UNIT_ROUNDOFF
NODES = 20
_RHO = 4.0
_ALONG, _ACROSS = (_RHO + 1 / _RHO) / 2 * (1 + 1e-12), (_RHO - 1 / _RHO) / 2 * (1 + 1e-12)
_MISSED = 8 * _RHO ** (-2 * NODES) / (1 - _RHO**-2) * (1 + 1e-9)
_LEFT, _PANELS = -9.4, 300
_TAIL = 16.0
"""How rare a loss below ε is beside a jump, as an exponent."""
_STEPS = 14
MAX_HEIGHTS = 2500
_TOGETHER, _AT_ONCE = 16, 2000.0
"""Rows of one set of arrays, and about their heights in all: panels and heights of rows together should be about as many."""


@dataclass(frozen=True)
class Panels:
    """Panels of each row, and on the ellipse of each the height a, the turn and the range of s."""

    rows: r.Rows
    middle: Array
    half: Array

    @cached_property
    def a(self) -> Array:
        """Semi-axis across."""
        return _ACROSS * self.half

    @cached_property
    def ends(self) -> tuple[Array, Array]:
        """Least and largest real part."""
        return self.middle - _ALONG * self.half, self.middle + _ALONG * self.half

    @cached_property
    def turn(self) -> Array:
        """ρ of the largest real part."""
        share = _share(self.rows, self.ends[1])
        return np.where(share <= 0.5, share, 1.0)

    def log_missed(self, power: Array, y: Array | None = None, cost: Array | float = 0.0) -> Array:
        """log of what the rule misses of ∫φu^power e^{cost} at each height, power a column for each row, y heights of each row."""
        low, high = self.ends
        nearest = np.where((low <= 0) & (high >= 0), 0.0, np.minimum(low * low, high * high))
        at = np.where(power[:, None] > 0, high, low)
        peak = power[:, None] * self.rows.log_u(at) - 0.5 * nearest + 0.5 * self.a**2 + cost + 1e-6
        peak += np.log(self.half) + math.log(_MISSED) - 0.5 * math.log(2 * math.pi)
        if y is None:
            return _log_sum(peak)
        rise = self.turn * self.a / self.rows.sigma[:, None]
        return _log_sum(peak[:, None, :] + y[:, :, None] * rise[:, None, :])

    def nodes(self) -> tuple[Array, Array, Array]:
        """Nodes, weights and how far nodes may be off."""
        count = self.middle.shape[0]
        nodes, weights = legendre_rule()
        s = (self.middle[:, :, None] + self.half[:, :, None] * nodes).reshape(count, -1)
        off = np.repeat(6 * U * (np.abs(self.middle) + self.half), NODES, axis=1)
        return s, (self.half[:, :, None] * weights).reshape(count, -1), off


@lru_cache(maxsize=1)
def legendre_rule() -> tuple[Array, Array]:
    """Nodes and weights on [−1, 1], by Newton in decimals from those of numpy, whose weights are off by hundreds of units."""
    nodes, weights = [], []
    with localcontext() as context:
        context.prec = 40
        for start in np.polynomial.legendre.leggauss(NODES)[0]:
            x = Decimal(float(start))
            for _ in range(4):
                before, value = Decimal(1), x
                for n in range(2, NODES + 1):
                    before, value = value, ((2 * n - 1) * x * value - (n - 1) * before) / n
                slope = NODES * (before - x * value) / (1 - x * x)
                x -= value / slope
            nodes.append(float(x))
            weights.append(float(2 / ((1 - x * x) * slope * slope)))
    return np.array(nodes), np.array(weights)


def _log_sum(values: Array) -> Array:
    top = values.max(axis=-1)
    return top + np.log(np.exp(values - top[..., None]).sum(axis=-1)) + 1e-9


def _share(rows: r.Rows, s: Array) -> Array:
    """λ at s, rounded up."""
    sigma = rows.sigma[:, None]
    return rows.q[:, None] * np.exp(np.minimum(s / sigma - 1 / (2 * sigma**2), 600.0) - rows.log_u(s)) * (1 + 1e-9)


def panels(rows: r.Rows, power: Array, reach: Array) -> Panels:
    """Panels from the cut leftwards, short where the integrand of this power turns fast at heights up to `reach`."""
    right, found = rows.cut, []
    for _ in range(_PANELS):
        half = np.minimum(1.0, 0.41 * rows.sigma)
        for ahead in (0.0, 1.2):
            share = _share(rows, (right + ahead * half)[:, None])[:, 0]
            turn = np.where(share <= 0.5, share, 1.0)
            half = np.minimum(half, rows.sigma / (0.15 * reach * turn + 0.4 * np.abs(power) * share + 1e-300))
        left = right - 2 * half
        found.append((0.5 * (left + right), 0.5 * (right - left)))
        right = left
        if np.all(right < _LEFT):
            break
    middle, half = (np.array(column).T for column in zip(*found, strict=True))
    return Panels(rows, middle, half)


@dataclass(frozen=True)
class Filled:
    """Moments of one power on panels: losses and relative weights with the bounds of `rows.Quadrature`, `missed` relative to e^scale."""

    panels: Panels
    power: Array
    share: Array
    weights: Array
    losses: Array
    scale: Array
    mean: Array
    weight_error: Array
    phase_error: Array
    omitted: Array
    total: Array
    furthest: Array

    def missed(self, y: Array) -> Array:
        """What the rule misses at heights y."""
        return np.exp(np.minimum(self.panels.log_missed(self.power, y) - self.scale[:, None], 600.0))

    def above(self) -> Array:
        """log of an upper bound on the moment, its end on the left included."""
        missed = self.missed(np.zeros((len(self.scale), 1)))[:, 0]
        whole = self.total * (1 + 8 * self.weights.shape[1] * U) + self.weight_error + self.omitted + missed
        return self.scale + np.log(whole) + LIBM + 8 * U * (1 + np.abs(self.scale))


def filled(of: Panels, power: Array) -> Filled:
    """∫φu^power on the panels, power > 0."""
    rows, p = of.rows, power[:, None]
    sigma, q = rows.sigma[:, None], rows.q[:, None]
    s, measure, moved = of.nodes()
    exponent = s / sigma - 1 / (2 * sigma**2)
    w = np.log1p(q * np.expm1(exponent))
    share = q * np.exp(exponent - w)
    logs = p * w - 0.5 * s * s
    top = logs.max(axis=1)
    scale = top + np.log((np.exp(logs - top[:, None]) * measure).sum(axis=1) / math.sqrt(2 * math.pi))
    centred = logs - scale[:, None]
    weights = np.exp(centred) * measure / math.sqrt(2 * math.pi)
    total = weights.sum(axis=1)
    mean = (weights * w).sum(axis=1) / total
    x = w - mean[:, None]
    off = U * (3 * np.abs(s) / sigma + 2 / sigma**2 + np.abs(exponent)) + moved / sigma
    loss_error = 1.01 * (share * off + (3 * U + LIBM) * np.abs(np.expm1(-w))) + LIBM * np.abs(w)
    relative = np.abs(p) * loss_error + U * (2 * np.abs(p * w) + s * s + 2 * np.abs(centred) + 80) + np.abs(s) * moved + LIBM
    return Filled(
        of,
        power,
        share,
        weights,
        x,
        scale,
        mean,
        1.01 * (weights * relative).sum(axis=1),
        1.01 * (weights * (loss_error + 3 * U * np.abs(x))).sum(axis=1),
        r.omitted_nodes(rows, power - 1, of.middle[:, -1] - of.half[:, -1], scale),
        total,
        np.abs(s).max(axis=1),
    )


def log_back_moment(rows: r.Rows, t: Array) -> Array:
    """An upper bound on log M(−t) of the whole law, t ≥ 1."""
    of = panels(rows, 1 - t, np.zeros_like(t))
    s, measure, moved = of.nodes()
    sigma, p = rows.sigma[:, None], (1 - t)[:, None]
    exponent = s / sigma - 1 / (2 * sigma**2)
    w = np.log1p(rows.q[:, None] * np.expm1(exponent))
    logs = p * w - 0.5 * s * s
    parts = np.exp(logs) * measure / math.sqrt(2 * math.pi)
    off = U * (3 * np.abs(s) / sigma + 2 / sigma**2 + np.abs(exponent)) + moved / sigma
    relative = np.abs(p) * (1.01 * (off + 4 * U + LIBM) + LIBM * np.abs(w)) + U * (2 * np.abs(logs) + s * s + 90) + np.abs(s) * moved + LIBM
    total = (parts * (1 + relative)).sum(axis=1) * (1 + 4 * s.shape[1] * U)
    spread = np.where(of.turn <= 0.5, of.turn * (1 - of.turn), 0.25)
    modulus = np.log1p(-4 * spread * np.sin(of.a / (2 * sigma)) ** 2) * (1 + 1e-9)
    missed = np.exp(of.log_missed(1 - t, cost=-0.5 * (t - 1)[:, None] * modulus))
    left = np.exp((1 - t) * np.log1p(-rows.q) + r.log_normal(of.middle[:, -1] - of.half[:, -1])) * (1 + 1e-6)
    right = np.exp((1 - t) * rows.log_u(rows.cut[:, None])[:, 0] + r.log_normal(-rows.cut)) * (1 + 1e-6)
    return np.log(total + missed + left + right) + LIBM


def far_bound(of: Filled, end: Array, reach: Array) -> Array:
    """log of a bound on |M(c+iy)|e^{−κ} for y ≥ `reach`; `end` is f_c(S)/e^κ."""
    rows, power = of.panels.rows, of.power[:, None]
    sigma = rows.sigma
    best = reach * (of.weights * of.share).sum(axis=1) / (of.total * sigma)
    fringe = np.log(of.omitted + of.weight_error + 8 * LIBM + 4 * of.weights.shape[1] * U)
    off = U * (20 * of.furthest / sigma + 6 / sigma**2 + 8) + 3 * LIBM
    found = np.full_like(sigma, 1e-12)
    for factor in (0.75, 1.0, 1.2):
        a = np.minimum(np.minimum(factor * best, 0.48 * math.pi * sigma), 10.0)
        theta = a / sigma
        sine, cosine = np.sin(theta)[:, None], -2 * np.sin(theta / 2)[:, None] ** 2
        real, imaginary = 1 + of.share * cosine, of.share * sine
        growth = 0.5 * power * np.log(real * real + imaginary * imaginary) - reach[:, None] * np.arctan2(imaginary, real)
        line = np.log((of.weights * np.exp(growth)).sum(axis=1) + 1e-300) + a * a / 2
        line += 2 * off * theta * (np.abs(of.power) + reach) + (4 * U + LIBM) * reach * theta + 64 * U + 8 * LIBM
        spread = of.panels.log_missed(of.power, cost=0.5 * (a * a)[:, None]) - of.scale
        edge = a * a / 2 + np.logaddexp(fringe, np.log(1.001 * a * end + 1e-300))
        found = np.fmin(found, np.logaddexp(np.logaddexp(line, spread), edge) + 1e-13 * (1 + a * a))
    return found


@dataclass(frozen=True)
class JumpContours:
    """Contours of the laws cut at S, and what jumps add.

    Attributes:
        contours: of δ_S. tilt: t. back: log M(−t) from above. lost: log p from above.
    """

    contours: r.Contours
    tilt: Array
    back: Array
    lost: Array

    def evaluate(self, epsilon: Array) -> tuple[Array, Array, Array]:
        """As `rows.Contours.evaluate`, of δ."""
        rows = self.contours.rows
        low, high, slope = self.contours.evaluate(epsilon)
        above, middle, charge = jumps(rows, epsilon)
        room = rows.log_u(rows.cut[:, None])[:, 0] * (1 - 1e-12) - epsilon * (1 + 4 * U)
        rest = np.exp(np.log(rows.steps) + self.lost + (rows.steps - 1) * self.back - self.tilt * room) * (1 + 1e-9)
        most = np.exp(np.log(rows.steps) + self.lost) * (1 + 1e-9)  # jumps are no rarer than this, whatever ε is
        least, rest = np.maximum(middle - above, 0.0), np.where(room > 0, np.fmin(middle + above + rest, most), most)
        low, high = np.exp(low) * (1 - 4e-14), np.exp(high) * (1 + 4e-14)  # logarithms down to −100
        whole = np.maximum(middle + high, 1e-300)
        slope = (slope * high + charge) / whole
        lower, upper = low + least, high + rest
        log_low = np.where(lower > 0, np.log(np.maximum(lower, 1e-300)) - 2 * LIBM * 100, -np.inf)
        return log_low, np.minimum(np.log(upper) + 2 * LIBM * 100, 0.0), np.maximum(slope, 1e-12)


def jumps(rows: r.Rows, epsilon: Array) -> tuple[Array, Array, Array]:
    """(error, 1 − A^k − e^ε(1 − B^k), e^ε(1 − B^k)).

    A logarithm of Φ is off by SPECIAL of itself, and its argument by 4u(S + 1/σ), which turns it by at most S + 1/σ + 2 times that.
    """
    s, shift = rows.cut, 1 / rows.sigma
    plain, moved = r.log_normal(-s), r.log_normal(shift - s)
    p = (1 - rows.q) * np.exp(plain) + rows.q * np.exp(moved)
    off = SPECIAL * (1 + np.abs(plain)) + 4 * U * (s + shift) * (s + shift + 2) + 8 * LIBM + 16 * U
    some = -np.expm1(rows.steps * np.log1p(-p))
    charge = np.exp(epsilon) * -np.expm1(rows.steps * np.log1p(-np.exp(plain)))
    return 1.01 * (some + charge) * (off + U * (2 + epsilon)) * 1.01, some - charge, charge


def _cut_for(rows: r.Rows, epsilon: Array, widest: Array) -> tuple[r.Rows, Array]:
    """About the smallest S that leaves little of `rest`, and the variance of the loss cut there."""
    part, spread = replace(rows, cut=widest), np.zeros_like(epsilon)
    for attempt in range(4):
        c = np.full_like(epsilon, 1e-6)
        _, w, logs = r.pilot(part, c)
        second = r.cumulants(part, c, w, logs)[2]
        if attempt == 0:  # of the whole law rare losses rule the variance
            second = np.minimum(second, 4 * rows.q**2 * np.expm1(np.minimum(1 / rows.sigma**2, 50.0)))
        spread = rows.steps * second
        target = epsilon + np.maximum(np.sqrt(2 * _TAIL * spread), 1e-12)
        s = rows.sigma * np.log1p(np.expm1(target) / rows.q) + 1 / (2 * rows.sigma)
        part = replace(rows, cut=r.short(np.minimum(s, widest)))
    return part, spread


def planned_for_delta(rows: r.Rows, log_delta: Array, tolerance: float) -> tuple[r.Plans, Array]:
    """Contours for ε(δ) of each row, with S in the rows, and t."""
    goal_cut = rows.with_cut(log_delta - math.log(r.MARGIN / tolerance))
    _, high, _ = r.saddles(goal_cut, log_delta, None)
    high = np.where(np.isfinite(high) & (high > 0), high, 1.0) * 1.01
    low = 1e-4 * high
    for _ in range(_STEPS):
        epsilon = np.sqrt(low * high)
        whole = _estimate(_cut_for(rows, epsilon, goal_cut.cut)[0], epsilon)[1]
        low, high = np.where(whole > log_delta, epsilon, low), np.where(whole > log_delta, high, epsilon)
    return _planned(rows, np.sqrt(low * high), log_delta, goal_cut.cut, tolerance)


def planned_for_epsilon(rows: r.Rows, epsilon: Array, tolerance: float) -> tuple[r.Plans, Array]:
    """The same for δ(ε)."""
    log_delta = np.full_like(epsilon, -30.0)
    for _ in range(2):
        widest = rows.with_cut(log_delta - math.log(r.MARGIN / tolerance)).cut
        log_delta = np.minimum(_estimate(_cut_for(rows, epsilon, widest)[0], epsilon)[1], 0.0)
    return _planned(rows, epsilon, log_delta, widest, tolerance)


def _estimate(part: r.Rows, epsilon: Array) -> tuple[Array, Array]:
    """About the saddle point of the cut law, and log δ."""
    saddle, _, log_delta = r.saddles(part, None, epsilon)
    jumped = np.log(np.maximum(jumps(part, epsilon)[1], 1e-300))
    return saddle, np.logaddexp(np.nan_to_num(log_delta, nan=-700.0), jumped)


def _planned(rows: r.Rows, epsilon: Array, log_delta: Array, widest: Array, tolerance: float) -> tuple[r.Plans, Array]:
    part, spread = _cut_for(rows, epsilon, widest)
    room = part.log_u(part.cut[:, None])[:, 0] - epsilon
    return _plans(part, _estimate(part, epsilon)[0], epsilon, log_delta, tolerance), np.clip(0.5 + room / spread, 1.0, 1e7)


def _plans(rows: r.Rows, saddle: Array, epsilon: Array, log_delta: Array, tolerance: float) -> r.Plans:
    """One contour for each row for errors of about `tolerance` of δ."""
    c = r.short(np.minimum(0.7 * saddle, 1e6))
    goal = log_delta - math.log(r.MARGIN / tolerance)
    _, w, logs = r.pilot(rows, c)
    value, _, second = r.cumulants(rows, c, w, logs)
    period, order = np.full_like(c, np.inf), 2 * c
    for factor in (1.1, 1.25, 1.5, 1.8, 2.2, 3.0, 4.5):
        at = factor * c
        found = (rows.steps * r.cumulants(rows, at, w, logs)[0] - at * epsilon - goal) / (at - c)
        order, period = np.where(found < period, at, order), np.minimum(found, period)
    step = r.short(2 * math.pi / (1.01 * np.maximum(period, -goal / c)))
    top = rows.steps * value - c * epsilon - goal
    reach = 1.1 * np.sqrt(2 * np.maximum(top, 1.0) / (rows.steps * second))
    s, w, logs = r.pilot(rows, c)
    for _ in range(7):
        excess = rows.steps * r.approx_far(rows, c, s, w, logs, reach) + top - np.log(math.pi * reach)
        growth = 1.04 * np.sqrt(top / np.maximum(top - excess, 0.2 * top))
        reach = np.where(excess > 0, reach * np.clip(growth, 1.1, 2.5), reach)
    count = np.minimum(np.ceil(1.05 * reach / step) + 2, MAX_HEIGHTS + 1.0)
    count = np.where(np.isfinite(c) & np.isfinite(step) & (step > 0), count, MAX_HEIGHTS + 1.0)
    return r.Plans(rows, c, step, count, step, r.short(order), epsilon, log_delta)


def contours(of: r.Plans, tilt: Array) -> JumpContours:
    """The contours of plans."""
    rows = of.rows
    reach = of.step * (of.count - 1)
    line = filled(panels(rows, 1 + of.c, reach), 1 + of.c)
    y = of.step[:, None] * np.arange(int(of.count.max()))
    missed = line.missed(reach[:, None])  # it grows with y
    values, errors = r.transformed(line.weights, line.losses, line.total, of.step, y.shape[1])
    errors = 1.001 * (errors + (line.weight_error + line.omitted)[:, None] + line.phase_error[:, None] * y + missed)
    end, _, lost = r.cut_end(rows, of.c, rows.cut, line.scale)
    right = filled(panels(rows, 1 + of.order, np.zeros_like(reach)), 1 + of.order).above()
    far, never = far_bound(line, end, reach), np.full_like(of.c, -np.inf)
    found = r.contours_through(of, values, errors, (line.scale, line.mean), far, right, never)
    return JumpContours(found, tilt, np.maximum(log_back_moment(rows, tilt), 0.0), lost)


def epsilon_rows(rows: r.Rows, log_delta: Array, tolerance: float) -> tuple[Array, Array]:
    """Bounds on ε(δ) of each row; NaN where this declines: in direction add, and below δ = e^{−60}."""

    def planned(part: r.Rows, index: Array) -> tuple[r.Plans, Array]:
        return planned_for_delta(part, log_delta[index], tolerance)

    return _solved(rows, log_delta > -60.0, planned, lambda found, of: r.roots(found.evaluate, of.log_delta, of.epsilon))


def delta_rows(rows: r.Rows, epsilon: Array, tolerance: float) -> tuple[Array, Array]:
    """log of bounds on δ(ε) of each row; NaN where this declines."""

    def planned(part: r.Rows, index: Array) -> tuple[r.Plans, Array]:
        return planned_for_epsilon(part, epsilon[index], tolerance)

    low, high = _solved(rows, epsilon < 50.0, planned, lambda found, of: found.evaluate(of.epsilon)[:2])
    known = (low > -60.0) & (high < 0.0)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


def _solved(
    rows: r.Rows,
    fit: Array,
    planned: Callable[[r.Rows, Array], tuple[r.Plans, Array]],
    solved: Callable[[JumpContours, r.Plans], tuple[Array, Array]],
) -> tuple[Array, Array]:
    lower, upper = np.full_like(rows.q, np.nan), np.full_like(rows.q, np.nan)
    places = np.flatnonzero(fit & rows.usable)
    with np.errstate(all="ignore"):
        for first in range(0, len(places) if rows.remove else 0, r.BATCH):
            index = places[first : first + r.BATCH]
            plans, tilt = planned(rows.take(index), index)
            order = np.argsort(-plans.count)
            order = order[plans.count[order] <= MAX_HEIGHTS]
            while len(order):
                together = max(1, min(_TOGETHER, int(_AT_ONCE / plans.count[order[0]])))
                few, order = order[:together], order[together:]
                of = plans.take(few)
                lower[index[few]], upper[index[few]] = solved(contours(of, tilt[few]), of)
    return lower, upper
