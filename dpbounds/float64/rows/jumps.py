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

import numpy as np

from dpbounds.float64.logarithms import Array
from dpbounds.float64.rounding import LIBM, SPECIAL
from dpbounds.float64.rows.answers import roots
from dpbounds.float64.rows.contours import MARGIN, Contours, Plans, approx_far, contours_through
from dpbounds.float64.rows.estimates import cumulants, pilot, saddles
from dpbounds.float64.rows.panels import far_bound, filled, log_back_moment, panels, share_above
from dpbounds.float64.rows.quadrature import cut_end, transformed
from dpbounds.float64.rows.questions import BATCH, Rows, U, log_normal, short

_TAIL = 16.0
"""How rare a loss below ε is beside a jump, as an exponent."""
_STEPS = 14
MAX_HEIGHTS = 2500
_TOGETHER, _AT_ONCE = 16, 2000.0
"""Rows of one set of arrays, and about their heights in all: panels and heights of rows together should be about as many."""


@dataclass(frozen=True)
class JumpContours:
    """Contours of the laws cut at S, and what jumps add.

    Attributes:
        contours: of δ_S. tilt: t. back: log M(−t) from above. lost: log p from above.
    """

    contours: Contours
    tilt: Array
    back: Array
    lost: Array

    def evaluate(self, epsilon: Array) -> tuple[Array, Array, Array]:
        """As `rows.Contours.evaluate`, of δ."""
        rows = self.contours.rows
        low, high, slope = self.contours.evaluate(epsilon)
        above, middle, charge = jumps(rows, epsilon)
        room = least_loss(rows) - epsilon * (1 + 4 * U)
        rest = np.exp(np.log(rows.steps) + self.lost + (rows.steps - 1) * self.back - self.tilt * room) * (1 + 1e-9)
        most = np.exp(np.log(rows.steps) + self.lost) * (1 + 1e-9)  # jumps are no rarer than this, whatever ε is
        least, rest = np.maximum(middle - above, 0.0), np.where(room > 0, np.fmin(middle + above + rest, most), most)
        low, high = np.exp(low) * (1 - 4e-14), np.exp(high) * (1 + 4e-14)  # logarithms down to −100
        whole = np.maximum(middle + high, 1e-300)
        slope = (slope * high + charge) / whole
        lower, upper = low + least, high + rest
        log_low = np.where(lower > 0, np.log(np.maximum(lower, 1e-300)) - 2 * LIBM * 100, -np.inf)
        return log_low, np.minimum(np.log(upper) + 2 * LIBM * 100, 0.0), np.maximum(slope, 1e-12)


def least_loss(rows: Rows) -> Array:
    """A lower bound on w(S): beside roundings of w itself, an error of e counts λ times (*Rounding* of `rows`), however small e is."""
    cut = rows.cut[:, None]
    return (rows.log_u(cut) * (1 - 1e-12) - 1e-12 * share_above(rows, cut))[:, 0]


def jumps(rows: Rows, epsilon: Array) -> tuple[Array, Array, Array]:
    """(error, 1 − A^k − e^ε(1 − B^k), e^ε(1 − B^k)).

    A logarithm of Φ is off by SPECIAL of itself, and its argument by 4u(S + 1/σ), which turns it by at most S + 1/σ + 2 times that.
    """
    s, shift = rows.cut, 1 / rows.sigma
    plain, moved = log_normal(-s), log_normal(shift - s)
    p = (1 - rows.q) * np.exp(plain) + rows.q * np.exp(moved)
    off = SPECIAL * (1 + np.abs(plain)) + 4 * U * (s + shift) * (s + shift + 2) + 8 * LIBM + 16 * U
    some = -np.expm1(rows.steps * np.log1p(-p))
    charge = np.exp(epsilon) * -np.expm1(rows.steps * np.log1p(-np.exp(plain)))
    return 1.01 * (some + charge) * (off + U * (2 + epsilon)) * 1.01, some - charge, charge


def _cut_for(rows: Rows, epsilon: Array, widest: Array) -> tuple[Rows, Array]:
    """About the smallest S that leaves little of `rest`, and the variance of the loss cut there."""
    part, spread = replace(rows, cut=widest), np.zeros_like(epsilon)
    for attempt in range(4):
        c = np.full_like(epsilon, 1e-6)
        _, w, logs = pilot(part, c)
        second = cumulants(part, c, w, logs)[2]
        if attempt == 0:  # of the whole law rare losses rule the variance
            second = np.minimum(second, 4 * rows.q**2 * np.expm1(np.minimum(1 / rows.sigma**2, 50.0)))
        spread = rows.steps * second
        target = epsilon + np.maximum(np.sqrt(2 * _TAIL * spread), 1e-12)
        s = rows.sigma * np.log1p(np.expm1(target) / rows.q) + 1 / (2 * rows.sigma)
        part = replace(rows, cut=short(np.minimum(s, widest)))
    return part, spread


def planned_for_delta(rows: Rows, log_delta: Array, tolerance: float) -> tuple[Plans, Array]:
    """Contours for ε(δ) of each row, with S in the rows, and t."""
    goal_cut = rows.with_cut(log_delta - math.log(MARGIN / tolerance))
    _, high, _ = saddles(goal_cut, log_delta, None)
    high = np.where(np.isfinite(high) & (high > 0), high, 1.0) * 1.01
    low = 1e-4 * high
    for _ in range(_STEPS):
        epsilon = np.sqrt(low * high)
        whole = _estimate(_cut_for(rows, epsilon, goal_cut.cut)[0], epsilon)[1]
        low, high = np.where(whole > log_delta, epsilon, low), np.where(whole > log_delta, high, epsilon)
    return _planned(rows, np.sqrt(low * high), log_delta, goal_cut.cut, tolerance)


def planned_for_epsilon(rows: Rows, epsilon: Array, tolerance: float) -> tuple[Plans, Array]:
    """The same for δ(ε)."""
    log_delta = np.full_like(epsilon, -30.0)
    for _ in range(2):
        widest = rows.with_cut(log_delta - math.log(MARGIN / tolerance)).cut
        log_delta = np.minimum(_estimate(_cut_for(rows, epsilon, widest)[0], epsilon)[1], 0.0)
    return _planned(rows, epsilon, log_delta, widest, tolerance)


def _estimate(part: Rows, epsilon: Array) -> tuple[Array, Array]:
    """About the saddle point of the cut law, and log δ."""
    saddle, _, log_delta = saddles(part, None, epsilon)
    jumped = np.log(np.maximum(jumps(part, epsilon)[1], 1e-300))
    return saddle, np.logaddexp(np.nan_to_num(log_delta, nan=-700.0), jumped)


def _planned(rows: Rows, epsilon: Array, log_delta: Array, widest: Array, tolerance: float) -> tuple[Plans, Array]:
    part, spread = _cut_for(rows, epsilon, widest)
    room = part.log_u(part.cut[:, None])[:, 0] - epsilon
    return _plans(part, _estimate(part, epsilon)[0], epsilon, log_delta, tolerance), np.clip(0.5 + room / spread, 1.0, 1e7)


def _plans(rows: Rows, saddle: Array, epsilon: Array, log_delta: Array, tolerance: float) -> Plans:
    """One contour for each row for errors of about `tolerance` of δ."""
    c = short(np.minimum(0.7 * saddle, 1e6))
    goal = log_delta - math.log(MARGIN / tolerance)
    _, w, logs = pilot(rows, c)
    value, _, second = cumulants(rows, c, w, logs)
    period, order = np.full_like(c, np.inf), 2 * c
    for factor in (1.1, 1.25, 1.5, 1.8, 2.2, 3.0, 4.5):
        at = factor * c
        found = (rows.steps * cumulants(rows, at, w, logs)[0] - at * epsilon - goal) / (at - c)
        order, period = np.where(found < period, at, order), np.minimum(found, period)
    step = short(2 * math.pi / (1.01 * np.maximum(period, -goal / c)))
    top = rows.steps * value - c * epsilon - goal
    reach = 1.1 * np.sqrt(2 * np.maximum(top, 1.0) / (rows.steps * second))
    s, w, logs = pilot(rows, c)
    for _ in range(7):
        excess = rows.steps * approx_far(rows, c, s, w, logs, reach) + top - np.log(math.pi * reach)
        growth = 1.04 * np.sqrt(top / np.maximum(top - excess, 0.2 * top))
        reach = np.where(excess > 0, reach * np.clip(growth, 1.1, 2.5), reach)
    count = np.minimum(np.ceil(1.05 * reach / step) + 2, MAX_HEIGHTS + 1.0)
    count = np.where(np.isfinite(c) & np.isfinite(step) & (step > 0), count, MAX_HEIGHTS + 1.0)
    return Plans(rows, c, step, count, step, short(order), epsilon, log_delta)


def contours(of: Plans, tilt: Array) -> JumpContours:
    """The contours of plans."""
    rows = of.rows
    reach = of.step * (of.count - 1)
    line = filled(panels(rows, 1 + of.c, reach), 1 + of.c)
    y = of.step[:, None] * np.arange(int(of.count.max()))
    missed = line.missed(reach[:, None])  # it grows with y
    values, errors = transformed(line.weights, line.losses, line.total, of.step, y.shape[1])
    errors = 1.001 * (errors + (line.weight_error + line.omitted)[:, None] + line.phase_error[:, None] * y + missed)
    end, _, lost = cut_end(rows, of.c, rows.cut, line.scale)
    right = filled(panels(rows, 1 + of.order, np.zeros_like(reach)), 1 + of.order).above()
    far, never = far_bound(line, end, reach), np.full_like(of.c, -np.inf)
    found = contours_through(of, values, errors, (line.scale, line.mean), far, right, never)
    return JumpContours(found, tilt, np.maximum(log_back_moment(rows, tilt), 0.0), lost)


def epsilon_rows(rows: Rows, log_delta: Array, tolerance: float) -> tuple[Array, Array]:
    """Bounds on ε(δ) of each row; NaN where this declines: in direction add, and below δ = e^{−60}."""

    def planned(part: Rows, index: Array) -> tuple[Plans, Array]:
        return planned_for_delta(part, log_delta[index], tolerance)

    return _solved(rows, log_delta > -60.0, planned, lambda found, of: roots(found.evaluate, of.log_delta, of.epsilon))


def delta_rows(rows: Rows, epsilon: Array, tolerance: float) -> tuple[Array, Array]:
    """log of bounds on δ(ε) of each row; NaN where this declines."""

    def planned(part: Rows, index: Array) -> tuple[Plans, Array]:
        return planned_for_epsilon(part, epsilon[index], tolerance)

    low, high = _solved(rows, epsilon < 50.0, planned, lambda found, of: found.evaluate(of.epsilon)[:2])
    known = (low > -60.0) & (high < 0.0)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


def _solved(
    rows: Rows,
    fit: Array,
    planned: Callable[[Rows, Array], tuple[Plans, Array]],
    solved: Callable[[JumpContours, Plans], tuple[Array, Array]],
) -> tuple[Array, Array]:
    lower, upper = np.full_like(rows.q, np.nan), np.full_like(rows.q, np.nan)
    places = np.flatnonzero(fit & rows.usable)
    with np.errstate(all="ignore"):
        for first in range(0, len(places) if rows.remove else 0, BATCH):
            index = places[first : first + BATCH]
            plans, tilt = planned(rows.take(index), index)
            order = np.argsort(-plans.count)
            order = order[plans.count[order] <= MAX_HEIGHTS]
            while len(order):
                together = max(1, min(_TOGETHER, int(_AT_ONCE / plans.count[order[0]])))
                few, order = order[:together], order[together:]
                of = plans.take(few)
                lower[index[few]], upper[index[few]] = solved(contours(of, tilt[few]), of)
    return lower, upper
