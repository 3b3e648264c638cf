"""Estimates of log-moments and of the saddle point: they choose parameters and never enter a bound.

K(c) = Σ k_f log E_{P_f} e^{cL}; the saddle of K(c) − cε − log c(c+1) solves K′(c) = ε + 1/c + 1/(c+1), unique because the
left side increases and the right side decreases in c > 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.laws import AtomsOnly, LossLaw
from dpbounds.float64.logarithms import Array

_GAUSS_NODES, _GAUSS_WEIGHTS = np.polynomial.legendre.leggauss(24)


@dataclass(frozen=True, eq=False)
class LossNodes:
    """A quadrature of one loss distribution: losses, log weights, and the variable t (NaN at atoms)."""

    losses: Array
    log_weights: Array
    t: Array

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """K, K′, K″ at c (estimates)."""
        exponents = self.log_weights + c * self.losses
        top = float(exponents.max())
        weights = np.exp(exponents - top)
        total = float(weights.sum())
        mean = float(weights @ self.losses) / total
        spread = self.losses - mean
        return top + math.log(total), mean, float(weights @ (spread * spread)) / total

    def share_beyond(self, top: float, c: float) -> float:
        """The share of the law tilted by c that lies beyond t = `top`."""
        if not top < math.inf:
            return 0.0
        exponents = self.log_weights + c * self.losses
        weights = np.exp(exponents - float(exponents.max()))
        return float(weights[self.t > top].sum()) / float(weights.sum())


def approx_nodes(law: LossLaw, order: float, top: float = math.inf) -> LossNodes:
    """Nodes good for moments of order up to `order`; Gaussian noise beyond t = `top` is left out."""
    atoms = np.array(law.atoms, dtype=float).reshape(-1, 2)
    with np.errstate(divide="ignore"):
        losses, logs, t_all = [atoms[:, 0]], [np.log(atoms[:, 1])], [np.full(len(atoms), np.nan)]
    if isinstance(law, GaussianMixture):
        reach, top_u = 13.0 * law.sigma, len(law.upper) - 1
        low, high = -reach, min(reach + top_u * (1 + order) + _lower_reach(law, order), top)
        count = int(min(max(160.0, 6.0 * (high - low) / law.sigma), 40000.0))
        step = (high - low) / count
        t = low + step * np.arange(count + 1)
        log_weights = law.log_density(t) + math.log(step)
    elif not isinstance(law, AtomsOnly):
        edges = np.linspace(*law.support, 9)
        half = 0.5 * np.diff(edges)[:, None]
        t = (0.5 * (edges[1:] + edges[:-1])[:, None] + half * _GAUSS_NODES).ravel()
        log_weights = law.log_density(t) + np.log(half * _GAUSS_WEIGHTS).ravel()
    else:
        return LossNodes(losses[0], logs[0], t_all[0])
    losses.append(law.loss(t))
    return LossNodes(np.concatenate(losses), np.concatenate([*logs, log_weights]), np.concatenate([*t_all, t]))


def _lower_reach(law: GaussianMixture, order: float) -> float:
    """How far the factor v^{−order} can push the peak: order·degree, or less where v has the floor d_0 (t = order·q·e^{−t/σ²}/d_0
    there)."""
    if len(law.lower) == 2 and law.lower[0] > 0:
        return min(order, law.sigma**2 * math.log1p(order * law.lower[1] / law.lower[0]) + law.sigma + 1.0)
    return (len(law.lower) - 1) * order


class Moments:
    """K, K′, K″ of a product of loss distributions, its quadrature widened when a larger order is asked for.

    `tops`: for each law the t beyond which Gaussian noise is left out.
    """

    def __init__(self, laws: tuple[LossLaw, ...], steps: tuple[float, ...], tops: tuple[float, ...] | None = None) -> None:
        self.laws, self.steps = laws, steps
        self.tops = tops or (math.inf,) * len(laws)
        self._order = 0.0
        self._nodes: list[LossNodes] = []

    def nodes(self, order: float) -> list[LossNodes]:
        """One quadrature for each law, good up to `order`."""
        if order > self._order:
            self._order = max(8.0, 2.0 * order)
            self._nodes = [approx_nodes(law, self._order, top) for law, top in zip(self.laws, self.tops, strict=True)]
        return self._nodes

    def cumulants(self, c: float) -> tuple[float, float, float]:
        """K(c), K′(c), K″(c)."""
        total = [0.0, 0.0, 0.0]
        for nodes, steps in zip(self.nodes(c), self.steps, strict=True):
            for index, value in enumerate(nodes.cumulants(c)):
                total[index] += steps * value
        return total[0], total[1], total[2]

    def values(self, orders: Array) -> Array:
        """K at several orders at once."""
        total = np.zeros(len(orders))
        for nodes, steps in zip(self.nodes(float(np.max(orders))), self.steps, strict=True):
            exponents = nodes.log_weights + np.multiply.outer(orders, nodes.losses)
            top = exponents.max(axis=1)
            total += steps * (top + np.log(np.exp(exponents - top[:, None]).sum(axis=1)))
        return total

    def cut(self, epsilon: float, share: float) -> Moments:
        """The moments without noise that is rarer than `share` of δ(ε), where that rules them at the saddle; else these.

        At a tilt that the bulk needs, E e^{cL} of sampled noise may be ruled by losses so rare that they say nothing about δ. The cut and
        the saddle-point estimate of δ after it depend on each other: a bisection in the logarithm of what is rare.
        """

        def level_of(moments: Moments) -> float:
            return moments.log_delta_estimate(epsilon, moments.saddle(epsilon, 1e5)) + math.log(share)

        uncut, c = level_of(self), self.saddle(epsilon, 1e5)
        high = uncut
        beyond = (nodes.share_beyond(top, c) for nodes, top in zip(self.nodes(c), self._tops_at(high), strict=True))
        if sum(steps * part for steps, part in zip(self.steps, beyond, strict=True)) < 1e-3:
            return self
        found = self.cut_at(high)
        low = min(level_of(found), high)
        while high - low > 1.0:
            level = max(0.5 * (low + high), high - 200.0)
            found = self.cut_at(level)
            low, high = (level, high) if level_of(found) >= level else (low, level)
        found = self.cut_at(low)
        return found if level_of(found) < uncut else self

    def cut_at(self, log_mass: float) -> Moments:
        """The moments without noise whose tail has less than this mass."""
        return Moments(self.laws, self.steps, self._tops_at(log_mass))

    def _tops_at(self, log_mass: float) -> tuple[float, ...]:
        return tuple(law.approx_tail_start(log_mass) if isinstance(law, GaussianMixture) else math.inf for law in self.laws)

    def saddle(self, epsilon: float, limit: float = 1e7) -> float:
        """The root of K′(c) = ε + 1/c + 1/(c+1), by Newton inside a shrinking bracket; at most `limit`."""
        low, high, c = 0.0, math.inf, 1.0
        for _ in range(80):
            _, first, second = self.cumulants(c)
            gap = first - epsilon - 1 / c - 1 / (c + 1)
            low, high = (c, high) if gap < 0 else (low, c)
            step = c - gap / (second + 1 / c**2 + 1 / (c + 1) ** 2)
            if abs(step - c) <= 1e-3 * c:
                return min(max(step, low), high, limit)
            if high == math.inf:
                c = min(max(step, 1.01 * c), 8 * c)
                if c > limit:
                    return limit
            else:
                c = step if low + 0.02 * (high - low) < step < high - 0.02 * (high - low) else 0.5 * (low + high)
        return c

    def log_delta_estimate(self, epsilon: float, c: float) -> float:
        """Saddle-point estimate of log δ(ε), capped at 0."""
        value, _, second = self.cumulants(c)
        curvature = second + 1 / c**2 + 1 / (c + 1) ** 2
        return min(0.0, value - c * epsilon - math.log(c * (c + 1)) - 0.5 * math.log(2 * math.pi * curvature))
