"""Moments of many rows of cut noise by Gauss–Legendre panels, with bounds on every error: see `jumps`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cached_property, lru_cache

import numpy as np

from dpbounds.float64.logarithms import Array
from dpbounds.float64.rounding import LIBM
from dpbounds.float64.rows.quadrature import Weighted, log_turned, omitted_nodes, weighted
from dpbounds.float64.rows.questions import Rows, U, log_normal

NODES = 20
_RHO = 4.0
_ALONG, _ACROSS = (_RHO + 1 / _RHO) / 2 * (1 + 1e-12), (_RHO - 1 / _RHO) / 2 * (1 + 1e-12)
_MISSED = 8 * _RHO ** (-2 * NODES) / (1 - _RHO**-2) * (1 + 1e-9)
_LEFT, _PANELS = -9.4, 300


@dataclass(frozen=True)
class Panels:
    """Panels of each row, and on the ellipse of each the height a, the turn and the range of s."""

    rows: Rows
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
        share = share_above(self.rows, self.ends[1])
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


def share_above(rows: Rows, s: Array) -> Array:
    """λ at s, rounded up."""
    sigma = rows.sigma[:, None]
    return rows.q[:, None] * np.exp(np.minimum(s / sigma - 1 / (2 * sigma**2), 600.0) - rows.log_u(s)) * (1 + 1e-9)


def panels(rows: Rows, power: Array, reach: Array) -> Panels:
    """Panels from the cut leftwards, short where the integrand of this power turns fast at heights up to `reach`."""
    right, found = rows.cut, []
    for _ in range(_PANELS):
        half = np.minimum(1.0, 0.41 * rows.sigma)
        for ahead in (0.0, 1.2):
            share = share_above(rows, (right + ahead * half)[:, None])[:, 0]
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
class Filled(Weighted):
    """Moments of one power on panels; `missed` and `omitted` are relative to e^scale."""

    panels: Panels
    power: Array
    omitted: Array
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
    """∫φu^power on the panels, power > 0, in the direction remove."""
    s, measure, moved = of.nodes()
    found = weighted(of.rows, power, s, measure, moved, 80)
    omitted = omitted_nodes(of.rows, power - 1, of.middle[:, -1] - of.half[:, -1], found.scale)
    return Filled(**vars(found), panels=of, power=power, omitted=omitted, furthest=np.abs(s).max(axis=1))


def log_back_moment(rows: Rows, t: Array) -> Array:
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
    left = np.exp((1 - t) * np.log1p(-rows.q) + log_normal(of.middle[:, -1] - of.half[:, -1])) * (1 + 1e-6)
    right = np.exp((1 - t) * rows.log_u(rows.cut[:, None])[:, 0] + log_normal(-rows.cut)) * (1 + 1e-6)
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
        line = log_turned(of.share, of.weights, power, a / sigma, reach, off) + a * a / 2
        spread = of.panels.log_missed(of.power, cost=0.5 * (a * a)[:, None]) - of.scale
        edge = a * a / 2 + np.logaddexp(fringe, np.log(1.001 * a * end + 1e-300))
        found = np.fmin(found, np.logaddexp(np.logaddexp(line, spread), edge) + 1e-13 * (1 + a * a))
    return found
