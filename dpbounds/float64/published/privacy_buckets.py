"""Privacy buckets (Meiser & Mohammadi 2018): ratios rounded to powers of a factor, composed by repeated convolution.

Bucket i holds the P-mass whose ratio p/q lies in (f^{i−1}, f^i], −n ≤ i ≤ n; a last bucket holds ratio ∞. Composition adds indices; what
leaves at
the top goes to the ∞ bucket, what leaves at the bottom stays in bucket −n. Squaring (f ← f², i ← ⌈i/2⌉) doubles the range when the ∞
bucket would
grow too much. Ratios are only rounded up, so in exact arithmetic δ(ε) ≤ Σ_i P_i(1 − e^ε f^{−i})₊ + P_∞; with the lower ends of the
buckets, k indices
too low at most, comes a lower estimate. Convolutions use the FFT, hence no proof: names say `approx_`.

The error-correction term of §IV-D of the paper is left out (it narrows the lower side only).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import signal, special

from dpbounds.errors import InputError
from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.laws import AtomsOnly, loss_law
from dpbounds.float64.logarithms import Array
from dpbounds.mechanisms import pairs

DEFAULT_BUCKETS = 20_000
DEFAULT_GROWTH = 1.1
_FLOOR = 1e-12


@dataclass(frozen=True, eq=False)
class Buckets:
    """P-masses of buckets −n … n, the ∞ bucket, log f, and by how many indices the rounding may have raised a ratio."""

    masses: Array
    infinite: float
    log_factor: float
    raised: float

    @property
    def half(self) -> int:
        """n."""
        return len(self.masses) // 2

    def approx_delta(self, epsilon: float) -> float:
        """Upper estimate of δ(ε)."""
        losses = self.log_factor * np.arange(-self.half, self.half + 1)
        return float(np.sum(self.masses * np.maximum(0.0, -np.expm1(np.minimum(epsilon - losses, 0.0))))) + self.infinite

    def approx_delta_lower(self, epsilon: float) -> float:
        """Lower estimate of δ(ε): every loss lowered by what rounding may have added, nothing counted for the ∞ bucket and the lowest
        one."""
        losses = self.log_factor * (np.arange(-self.half, self.half + 1) - self.raised)
        return float(np.sum((self.masses * np.maximum(0.0, -np.expm1(np.minimum(epsilon - losses, 0.0))))[1:]))

    def squared(self) -> Buckets:
        """The same distribution with factor f²."""
        index = np.arange(-self.half, self.half + 1)
        merged = np.bincount(-(-index // 2) + self.half, weights=self.masses, minlength=len(self.masses))
        return Buckets(merged, self.infinite, 2 * self.log_factor, self.raised / 2 + 1)

    def with_other(self, other: Buckets) -> Buckets:
        """The composition of two bucket lists with one factor and one number of buckets."""
        full = np.maximum(signal.fftconvolve(self.masses, other.masses), 0.0)
        n = self.half
        middle = full[n : 3 * n + 1].copy()
        middle[0] += full[:n].sum()
        infinite = self.infinite + other.infinite - self.infinite * other.infinite + float(full[3 * n + 1 :].sum())
        return Buckets(middle, infinite, self.log_factor, self.raised + other.raised)

    def doubled(self, growth: float) -> Buckets:
        """Two copies composed, squared first where the ∞ bucket would grow by more than the factor `growth` beyond doubling."""
        first = self.with_other(self)
        if first.infinite <= growth * 2 * self.infinite + _FLOOR:
            return first
        coarse = self.squared()
        return coarse.with_other(coarse)


def buckets_of(factor: pairs.Factor, count: int = DEFAULT_BUCKETS, log_factor: float = 1e-4) -> Buckets:
    """Bucket list of one step of a factor.

    Args:
        count: n, buckets on each side. log_factor: log f > 0.
    """
    if count < 2 or not log_factor > 0:
        raise InputError(f"privacy buckets need at least 2 buckets and a factor above 1, got {count} and log f = {log_factor}")
    law = loss_law(factor)
    masses = np.zeros(2 * count + 1)
    infinite = law.infinite_mass
    for loss, mass in law.atoms:
        index = math.ceil(loss / log_factor - 1e-9)
        if index > count:
            infinite += mass
        else:
            masses[max(index, -count) + count] += mass
    if not isinstance(law, AtomsOnly):
        edges = law.inverse_loss(log_factor * np.arange(-count, count + 1, dtype=float))
        low, high = law.support
        above = (
            _mass_above(law, np.clip(edges, low, high))
            if isinstance(law, GaussianMixture)
            else _mass_above_bounded(law, np.clip(edges, low, high))
        )
        masses[1:] += np.maximum(above[:-1] - above[1:], 0.0)
        masses[0] += max(0.0, 1.0 - sum(mass for _, mass in law.atoms) - float(above[0]))
        infinite += max(0.0, float(above[-1]))
    return Buckets(masses, infinite, log_factor, 1.0)


def _mass_above(law: GaussianMixture, t: Array) -> Array:
    return sum(weight * special.ndtr((shift - t) / law.sigma) for shift, weight in enumerate(law.upper) if weight > 0)  # type: ignore[return-value]


def _mass_above_bounded(law: object, t: Array) -> Array:
    nodes, weights = np.polynomial.legendre.leggauss(8)
    edges = np.append(t, law.support[1])  # type: ignore[attr-defined]
    half = 0.5 * np.diff(edges)[:, None]
    points = 0.5 * (edges[1:] + edges[:-1])[:, None] + half * nodes
    cells = (np.exp(law.log_density(points)) * half * weights).sum(axis=1)  # type: ignore[attr-defined]
    return np.cumsum(cells[::-1])[::-1]


def approx_buckets(
    product: pairs.Product, count: int = DEFAULT_BUCKETS, log_factor: float = 1e-4, growth: float = DEFAULT_GROWTH
) -> Buckets:
    """The bucket list of a whole product: binary powers of each factor, then all factors together.

    >>> from dpbounds import mechanisms as m
    >>> product = pairs.dominating_pairs(m.Repeated(m.Sampled(m.Gaussian(1), m.PoissonSampling("0.02")), 256), direction="remove")[0]
    >>> found = approx_buckets(product, 4000, 1e-3)
    >>> 0 < found.approx_delta_lower(1.0) < found.approx_delta(1.0) < 0.1
    True
    """
    total: Buckets | None = None
    for factor in product.factors:
        power = buckets_of(factor, count, log_factor)
        steps = factor.steps
        while True:
            if steps & 1:
                total = power if total is None else _joined(total, power)
            steps >>= 1
            if not steps:
                break
            power = power.doubled(growth)
    assert total is not None
    return total


def _joined(left: Buckets, right: Buckets) -> Buckets:
    while left.log_factor < right.log_factor * (1 - 1e-12):
        left = left.squared()
    while right.log_factor < left.log_factor * (1 - 1e-12):
        right = right.squared()
    return left.with_other(right)
