"""The fast contour accountant: one contour integral as two small float64 sums, with an a-posteriori error bound.

    δ(ε) = (1/2πi) ∫_{Re z = c} M(z) e^{−εz}/(z(z+1)) dz,   M = Π M_f^{k_f},   any c > 0 with M(c) finite.

With nodes z = c + iy, y = mη, and T = 2π/η the trapezoid sum is S = Σ_m e^{−mTc}δ(ε − mT) (Poisson summation), every term ≥ 0, so

    0 ≤ S − δ ≤ e^{−cT}/(1−e^{−cT}) + M(c′)e^{−c′ε}·e^{−(c′−c)T}/(1−e^{−(c′−c)T}),   any c′ > c

(δ ≤ 1 on the left; Chernoff on the right). Beyond y = Y the nodes left out add at most (1/πY)·sup_{y≥Y}|M(c+iy)|·e^{−cε}. Errors of M come
from `characteristic`, and a product of values χ_f with errors e_f is off by at most Π(|χ_f|+e_f)^{k_f} − Π|χ_f|^{k_f}.

It declines (`PrecisionError`) where the integrand decays too slowly or the interval comes out wider than asked. Gaussian pairs only:
atoms make M almost periodic. Assumptions: `rounding`. Never used in a verdict.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpbounds.errors import InputError, PrecisionError
from dpbounds.float64.characteristic import Characteristic
from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.grid import window
from dpbounds.float64.laws import loss_law
from dpbounds.float64.logarithms import Array
from dpbounds.float64.result import Bounds, ComposedLaw
from dpbounds.float64.rounding import LIBM, UNIT_ROUNDOFF, sum_error
from dpbounds.float64.saddle import Moments
from dpbounds.mechanisms import pairs

MAX_FREQUENCIES = 30_000
MAX_TABLE = 24_000_000
MAX_DEGREE = 64
MARGIN = 12.0
"""Each error is aimed at a MARGIN-th of the width asked for."""
_MANY = 8
"""Points beyond which a contour is made sharper than the middle one needs, by `_SHARPER`, to serve more of them."""
_SHARPER = 1e-5
_TILTS = (2.5, 10.0, 40.0, 160.0, 640.0)
"""c of a bound on δ that need not be narrow."""


@dataclass(frozen=True, eq=False)
class Contour:
    """The nodes of one contour, ready for many ε and many numbers of repetitions.

    Attributes:
        c, step, reach: Re z, η and Y. y: the nodes. log_size, angle, log_top: log|χ_f|, arg χ_f and log(|χ_f|+e_f), a row for each factor.
        steps, shifts, means: k_f, κ_f, μ_f. far: log bounds of |χ_f| beyond Y. order, right: c′ and log M_f(c′) from above.
    """

    c: float
    step: float
    reach: float
    y: Array
    log_size: Array
    angle: Array
    log_top: Array
    steps: Array
    shifts: Array
    scale_errors: Array
    means: Array
    far: Array
    order: float
    right: Array

    def bounds(self, epsilon: float) -> Bounds:
        """Bounds of δ(ε)."""
        low, high = self.evaluate(np.array([epsilon]), np.ones(1))
        return Bounds.of_logs(float(low[0]), float(high[0]), "contour")

    def slope(self, epsilon: float) -> float:
        """About −d log δ/dε."""
        z = self.c + 1j * self.y
        size, phase = self._terms(self.steps[None, :], np.array([epsilon]))
        falling = (size * np.abs(z) * np.cos(phase + np.angle(z))).sum(axis=1)
        return float(falling[0] / (size * np.cos(phase)).sum(axis=1)[0])

    @cached_property
    def _weight(self) -> Array:
        """|1/z(z+1)|, half of it at the first node."""
        z = self.c + 1j * self.y
        return np.where(self.y == 0, 0.5, 1.0) / np.abs(z * (z + 1))

    def _terms(self, counts: Array, epsilons: Array) -> tuple[Array, Array]:
        """Sizes and phases of the terms; one row of counts serves every ε."""
        z = self.c + 1j * self.y
        drift = counts @ self.means
        turns = np.mod(counts @ self.angle, 2 * math.pi) - np.angle(z * (z + 1))
        size = np.exp(np.minimum(counts @ self.log_size, 50.0)) * self._weight
        return size, turns - np.multiply.outer(epsilons - drift, self.y)

    def evaluate(self, epsilons: Array, repeats: Array) -> tuple[Array, Array]:
        """(log lower, log upper) for each ε with every k_f multiplied by the matching entry of `repeats`.

        What does not depend on ε is computed once where all of `repeats` are equal.
        """
        one = repeats[:1] if np.all(repeats == repeats[0]) else repeats
        counts = np.multiply.outer(one, self.steps)
        scale, drift = counts @ self.shifts, counts @ self.means
        size, phase = self._terms(counts, epsilons)
        factor = self.step / math.pi
        total = factor * (size * np.cos(phase)).sum(axis=1)
        own = counts @ (2 * LIBM * (np.abs(self.angle) + np.abs(self.log_size)) + 8 * UNIT_ROUNDOFF)
        drift_error = 16 * UNIT_ROUNDOFF * (np.abs(epsilons) + counts @ np.abs(self.means) + np.abs(epsilons - drift))
        # bounds are not cut where sizes are: what a size loses at e^50 is part of the error
        log_top = counts @ (self.log_top + 2 * LIBM * np.abs(self.log_size) + 8 * UNIT_ROUNDOFF)
        top = np.exp(np.minimum(log_top, 600.0)) * self._weight
        error = (top - size + top * (own + 64 * UNIT_ROUNDOFF + 4 * LIBM)).sum(axis=1) + drift_error * (top @ self.y)
        error = factor * (error + 2 * sum_error(len(self.y)) * size.sum(axis=1))
        cut = np.exp(np.minimum(counts @ self.far, 50.0)) / (math.pi * self.reach)
        log_scale = scale - self.c * epsilons
        period = 2 * math.pi / self.step
        more = self.order - self.c
        with np.errstate(over="ignore"):
            left = np.exp(np.minimum(-log_scale - self.c * period, 600.0)) / -math.expm1(-self.c * period)
            right = np.exp(np.minimum(counts @ self.right - scale - more * epsilons - more * period, 600.0)) / -math.expm1(-more * period)
        alias = (left + right) * (1 + 1e-9)
        error = 1.001 * (error + cut)
        slack = (
            8 * UNIT_ROUNDOFF * (np.abs(scale) * (2 + len(self.steps)) + self.c * np.abs(epsilons) + 8)
            + counts @ self.scale_errors
            + 8 * LIBM
        )
        low, high = total - error - alias, total + error
        with np.errstate(divide="ignore", invalid="ignore"):
            log_low = np.where(low > 0, log_scale + np.log(np.maximum(low, 1e-300)) - slack, -np.inf)
            log_high = np.where(high > 0, log_scale + np.log(np.maximum(high, 1e-300)) + slack, log_scale + math.log(1e-300))
            return log_low, np.minimum(log_high, 0.0)


def prepare(product: pairs.Product, epsilon: float, repeats: float = 1.0, tolerance: float = 1e-8) -> Contour:
    """Choose c, η, Y and the t-nodes for ε and `repeats` repetitions of the product.

    Raises:
        PrecisionError: the accountant declines. InputError: pairs without a float64 loss distribution.
    """
    laws = tuple(loss_law(factor) for factor in product.factors)
    return _prepare(laws, np.array([float(factor.steps) for factor in product.factors]), epsilon, repeats, tolerance)


def _prepare(
    laws: tuple[object, ...], steps: Array, epsilon: float, repeats: float, tolerance: float, log_delta: float | None = None
) -> Contour:
    """As `prepare`, from loss distributions; `log_delta` replaces the saddle-point estimate."""
    gaussian = tuple(law for law in laws if isinstance(law, GaussianMixture))
    if len(gaussian) < len(laws):
        raise PrecisionError("the fast contour declines loss distributions with atoms; use the lattice")
    if any(law.degree > MAX_DEGREE for law in gaussian):
        raise PrecisionError(f"the fast contour declines more than {MAX_DEGREE} shifts; use the lattice")
    counts = steps * repeats
    moments = Moments(gaussian, tuple(float(count) for count in counts))
    saddle = moments.saddle(epsilon)
    if not saddle < 1e6:
        raise PrecisionError("the fast contour declines: epsilon is at the end of the loss range")
    if log_delta is None:
        log_delta = moments.log_delta_estimate(epsilon, saddle)
    c, order, period = window(moments, epsilon, saddle, log_delta, math.log(MARGIN / tolerance), 3.5)
    value, _, second = moments.cumulants(c)
    log_relative = log_delta - (value - c * epsilon)
    goal = tolerance / MARGIN
    depth = math.log(1 / goal) - log_relative
    if not (second > 0 and depth > 0 and math.isfinite(depth)):
        raise PrecisionError("the fast contour declines: no usable saddle point")
    reach = math.sqrt(2 * depth / second)
    step = 2 * math.pi / period
    node_goal = max(goal * math.exp(log_relative) / max(float(counts.sum()), 1.0), 1e-17)
    refine, last = 1.0, None
    for _ in range(12):
        count = math.ceil(reach / step)
        if count > MAX_FREQUENCIES:
            raise PrecisionError(f"the fast contour declines: its integrand decays too slowly ({count} nodes)")
        reach = count * step
        parts = [Characteristic(law, c, reach, node_goal, refine) for law in gaussian]
        if sum(0 if part.closed else len(part.t) for part in parts) * count > MAX_TABLE:
            raise PrecisionError("the fast contour declines: the table of exponentials would be too large")
        far = np.array([part.far(reach) for part in parts])
        excess = float(counts @ far) - math.log(math.pi * reach) + depth
        if excess <= 0:
            break
        growth = 1.05 * math.sqrt(depth / max(depth - excess, 0.2 * depth))
        if last is not None and last[1] > excess:
            growth = max(growth, 1 + 1.05 * excess * (1 - last[0] / reach) / (last[1] - excess))
        last = reach, excess
        reach *= min(2.2, max(1.15, growth))
        refine *= 0.85
    else:
        raise PrecisionError("the fast contour declines: no cut-off where the integrand is provably small")
    y = step * np.arange(count + 1)
    tables = [part.values(y) for part in parts]
    sizes = np.array([np.abs(values) for values, _ in tables])
    errors = np.array([error for _, error in tables])
    with np.errstate(divide="ignore"):
        log_size = np.maximum(np.log(sizes), -1e6)
    return Contour(
        c,
        step,
        reach,
        y,
        log_size,
        np.array([np.angle(values) for values, _ in tables]),
        np.maximum(np.log(sizes + errors), -1e6),
        steps,
        np.array([part.shift for part in parts]),
        np.array([part.scale_error for part in parts]),
        np.array([part.mean for part in parts]),
        far,
        order,
        np.array([log_moment_above(law, order) for law in gaussian]),
    )


def log_moment_above(law: GaussianMixture, order: float) -> float:
    """An upper bound of log M(order) at a real order > 0."""
    part = Characteristic(law, order, 0.0, 1e-12)
    values, errors = part.values(np.zeros(1))
    return part.shift + math.log(float(abs(values[0]) + errors[0])) + part.scale_error + 8 * UNIT_ROUNDOFF * (1 + abs(part.shift)) + LIBM


def tail_bounds(product: pairs.Product, epsilon: float, repeats: int, least: float) -> Bounds | None:
    """[0, Chernoff] where log δ(ε) of so many repetitions is surely at most `least`, else None.

    (1 − e^{ε−L})₊ ≤ κ(c)·e^{c(L−ε)}, κ(c) = c^c/(1+c)^{1+c}: the largest value of (1−y)y^c on [0, 1], at y = c/(1+c), for any c > 0. Here
    κ ≤ 1 is enough. Each logarithm of M is an upper bound; ε may be off by u of itself, and the sum by a few units of its parts.
    """
    laws = [(loss_law(factor), float(factor.steps * repeats)) for factor in product.factors]
    if least == -math.inf or not all(isinstance(law, GaussianMixture) for law, _ in laws):
        return None
    for c in _TILTS:
        try:
            parts = [count * log_moment_above(law, c) for law, count in laws]  # type: ignore[arg-type]
        except PrecisionError:
            return None
        bound = math.fsum(parts) - c * epsilon + 8 * UNIT_ROUNDOFF * (math.fsum(map(abs, parts)) + c * epsilon)
        if bound <= least:
            return Bounds.of_logs(-math.inf, min(bound, 0.0), "tail bound")
    return None


def delta_bounds(product: pairs.Product, epsilon: float, tolerance: float = 1e-8) -> Bounds:
    """Bounds of δ(ε) by the contour.

    Args:
        product: Gaussian and sampled Gaussian pairs. epsilon: any finite real. tolerance: the relative width that must be met.

    Raises:
        PrecisionError: the accountant declines.

    >>> from dpbounds import mechanisms as m
    >>> mechanism = m.Repeated(m.Sampled(m.Gaussian("1.5"), m.PoissonSampling("0.01")), 10000)
    >>> found = delta_bounds(pairs.dominating_pairs(mechanism, direction="remove")[0], 1.0)
    >>> found.lower <= 0.04960141031482577 <= found.upper and found.relative_width < 1e-8
    True
    """
    return bounds_at(product, [epsilon], None, tolerance)[0]


def bounds_at(
    product: pairs.Product,
    epsilons: list[float],
    repeats: list[float] | None = None,
    tolerance: float = 1e-8,
    accept: float | None = None,
    kept: list[ComposedLaw] | None = None,
) -> list[Bounds]:
    """Bounds at several ε, or at several repetitions of the product, or both in parallel lists; one contour serves many of them.

    Args:
        tolerance: the relative width aimed at. accept: the width at which it declines; None means `tolerance`.
        kept: where the contours that serve are added.

    Raises:
        InputError: lists of different length, an ε that is not finite. PrecisionError: the accountant declines one of the points.
    """
    counts = [1.0] * len(epsilons) if repeats is None else [float(value) for value in repeats]
    if len(counts) != len(epsilons):
        raise InputError(f"epsilons and repeats must have one length, got {len(epsilons)} and {len(counts)}")
    if not all(math.isfinite(epsilon) for epsilon in epsilons):
        raise InputError("epsilon must be finite")
    results = served_bounds(product, epsilons, counts, tolerance, accept, kept, strict=True)
    return [results[index] for index in range(len(epsilons))]


def served_bounds(
    product: pairs.Product,
    epsilons: list[float],
    counts: list[float],
    tolerance: float,
    accept: float | None = None,
    kept: list[ComposedLaw] | None = None,
    *,
    strict: bool = False,
) -> dict[int, Bounds]:
    """The same by the place of the point, without the points that the contour declines; one that is declined raises if `strict`."""
    laws = tuple(loss_law(factor) for factor in product.factors)
    steps = np.array([float(factor.steps) for factor in product.factors])
    results: dict[int, Bounds] = {}
    pending = [sorted(range(len(epsilons)), key=lambda index: (counts[index], epsilons[index]))]
    while pending:
        group = pending.pop()
        if not group:
            continue
        middle = len(group) // 2
        try:
            contour, served = _serve(
                laws, steps, [epsilons[i] for i in group], [counts[i] for i in group], middle, tolerance, accept or tolerance
            )
        except PrecisionError:
            if strict:
                raise
        else:
            if kept is not None:
                kept.append(contour)
            results |= {group[place]: found for place, found in served}
        pending += [[i for i in group[:middle] if i not in results], [i for i in group[middle + 1 :] if i not in results]]
    return results


def _serve(
    laws: tuple[object, ...], steps: Array, epsilons: list[float], counts: list[float], middle: int, tolerance: float, accept: float
) -> tuple[Contour, list[tuple[int, Bounds]]]:
    """A contour made for the middle point, and all points that it serves; made again from the δ that was found where the first
    estimate was off."""
    log_delta, width = None, 1.0
    first = tolerance * (_SHARPER if len(epsilons) > _MANY else 1.0)
    for aim, limit in ((first, tolerance), (0.4 * tolerance, tolerance), (0.1 * tolerance, max(accept, tolerance))):
        contour = _prepare(laws, steps, epsilons[middle], counts[middle], aim, log_delta)
        low, high = contour.evaluate(np.array(epsilons), np.array(counts))
        width = -math.expm1(float(low[middle] - high[middle]))
        if width <= limit:
            near = np.flatnonzero(-np.expm1(low - high) <= limit)
            return contour, [(int(place), Bounds.of_logs(float(low[place]), float(high[place]), "contour")) for place in near]
        log_delta = float(high[middle]) - (0.0 if math.isfinite(float(low[middle])) else 3.0)
    raise PrecisionError(f"the fast contour declines: relative width {width:.2g} where {accept:.2g} was asked for")
