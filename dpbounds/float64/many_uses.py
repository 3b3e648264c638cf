"""Very many uses: the tilted normal approximation with its Berry–Esseen error, where a lattice of the losses cannot be carried.

With the laws of one use tilted by e^{cL}, K(c) the sum of the log-moments, and m, s² mean and variance of the tilted total loss,

    δ(ε) = e^{K − cε}·E_c g(L − ε),    g(x) = e^{−cx}(1 − e^{−x})₊,

and g rises from 0 to κ(c) = c^c/(1+c)^{1+c} and falls to 0 again: |E g(L) − E g(Z)| ≤ 2κ·sup|F_L − F_Z|. For the normal Z with the
same mean and variance the supremum is at most C·Σ E|L_i − m_i|³/s³, C = 0.4690 for equal terms and 0.5583 for others (Shevtsova 2013).
Moments that are off by dm and ds² add at most dm/(s√2π) and ds²/(4s²), for |ds²| ≤ s²/2: with r for the ratio of the deviations,
sup|Φ(x) − Φ(rx)| ≤ |r−1|·max(1, 1/r)/√(2πe). With a = m − ε and Φ(y) = e^{−y²/2}·erfcx(−y/√2)/2,

    E g(Z) = e^{−a²/2s²}·(erfcx((cs − a/s)/√2) − erfcx(((c+1)s − a/s)/√2))/2.

Noise with a density is replaced by its lattice laws above and below (`connect_the_dots`, `optimistic`), of which one use alone is needed.

*Next to 1.* For 0 ≤ t ≤ 1, 1 − δ(ε) = E_P min(1, e^{ε−L}) ≤ M(−t)e^{tε}; factors whose M is not known are at most 1.

*Rounding.* Losses that are off by η in one use move ε by kη. Of atoms, M − 1 = Σ p(e^{cl} − 1) − P(L = ∞), so that a relative error of p
counts against |e^{cl} − 1| alone. Sums of exponents are off by roundings of the sizes of their parts, which may cancel.
Assumptions: `rounding`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import erfcx

from dpbounds.errors import PrecisionError
from dpbounds.float64.connect_the_dots import pessimistic
from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.grid import GridPlan, lower_law
from dpbounds.float64.laplace_mixture import LaplaceMixture
from dpbounds.float64.laws import AtomsOnly, LossLaw, loss_law
from dpbounds.float64.logarithms import Array, log_sharp_constant
from dpbounds.float64.result import Bounds
from dpbounds.float64.rounding import LIBM, SPECIAL, UNIT_ROUNDOFF, sum_error
from dpbounds.float64.saddle import Moments
from dpbounds.mechanisms import pairs

METHOD = "normal approximation"
EQUAL, UNEQUAL = 0.4690, 0.5583
"""Constants of the Berry–Esseen theorem."""
_CELLS = 2.0**17
_CLOSE = 1e-4
"""What the lattice of one use is to add to the width, about."""
_GOAL = 1e-18
_ORDERS = (0.5, 0.25, 0.75, 0.1, 0.9, 0.03, 0.01, 0.003, 0.001)
_LARGEST = 600.0
_LEAST = 1e-12


@dataclass(frozen=True, eq=False)
class OneUse:
    """Losses of one use and masses tilted by e^{cl − shift}, on one side of the truth.

    Args:
        log_moment, moment_error: K(c) of one use and a bound on its error.
        mass_error: relative. infinite: mass of infinite loss. loss_error: η.
    """

    losses: Array
    masses: Array
    log_moment: float
    moment_error: float
    mass_error: float
    loss_error: float
    infinite: float

    def central(self) -> tuple[float, float, float, float, float]:
        """Mean, variance and E|L − mean|³ of the tilted law, and how far the first two may be off."""
        weights = self.masses / self.masses.sum()
        mean = float(weights @ self.losses)
        apart = self.losses - mean
        variance = float(weights @ np.square(apart))
        third = float(weights @ np.abs(apart) ** 3)
        spread = math.sqrt(variance)
        rounding = 2 * sum_error(len(weights)) + 16 * UNIT_ROUNDOFF
        off = 2 * self.mass_error * spread + rounding * float(weights @ np.abs(self.losses))
        return mean, variance, third, off, 4 * (self.mass_error + rounding) * variance + 4 * off * spread


def delta_bounds(product: pairs.Product, epsilon: float, *, quick: bool = False) -> Bounds:
    """Lower and upper bounds of δ(ε), the wider the fewer uses there are; without the mass that laws drop.

    Args:
        quick: no lattice of one use is made.

    Raises:
        PrecisionError: no bound, or one that says nothing.
        InputError: pairs without a float64 loss distribution.

    >>> from dpbounds import mechanisms as m
    >>> from dpbounds.noise.skellam import Skellam
    >>> (product,) = pairs.dominating_pairs(m.Repeated(Skellam("13.2"), 10**9), direction=m.Direction.REMOVE)
    >>> found = delta_bounds(product, 37_900_000.0)
    >>> 0.2 < found.lower < found.upper < 0.8 and found.relative_width < 1e-3
    True
    """
    laws = tuple(loss_law(factor) for factor in product.factors)
    steps = tuple(float(factor.steps) for factor in product.factors)
    if (near := _near_one(laws, steps, epsilon)) is not None:
        return near
    if quick and not all(isinstance(law, AtomsOnly) for law in laws):
        raise PrecisionError("the normal approximation needs lattices of one use here")
    moments = Moments(laws, steps)
    c = moments.saddle(epsilon)
    if not 0 < c < 1e6:
        raise PrecisionError("the normal approximation declines: no saddle point")
    sides = [_sides(law, count, moments, index, c, sum(steps)) for index, (law, count) in enumerate(zip(laws, steps, strict=True))]
    low = _one_side([side[0] for side in sides], steps, epsilon, c, -1)
    high = _one_side([side[1] for side in sides], steps, epsilon, c, 1)
    certain = [
        -math.expm1(math.fsum(k * math.log1p(-side.infinite) for k, side in zip(steps, column, strict=True)))
        for column in zip(*sides, strict=True)
    ]
    if certain[0] > 0:
        low = float(np.logaddexp(low, math.log(certain[0]))) - 1e-14
    if certain[1] > 0:
        high = float(np.logaddexp(high, math.log(certain[1]))) + 1e-14
    if not low < high or low == -math.inf:
        raise PrecisionError("the normal approximation declines: too few uses for a bound")
    return Bounds.of_logs(low, min(high, 0.0), METHOD)


def normal_mean(a: float, s: float, c: float) -> tuple[float, float]:
    """E g(Z), Z normal with mean a and deviation s, and a bound on its error.

    >>> normal_mean(0.0, 1.0, 1.0)[0] > 0
    True
    """
    first, second = (c * s - a / s) / math.sqrt(2), ((c + 1) * s - a / s) / math.sqrt(2)
    if first < -20 or a * a > 1400 * s * s:
        raise PrecisionError("the normal approximation declines: epsilon is too far from the tilted mean")
    scale = math.exp(-a * a / (2 * s * s)) / 2
    one, two = float(erfcx(first)), float(erfcx(second))
    doubt = 8 * UNIT_ROUNDOFF * (c * s + s + abs(a) / s)
    relative = SPECIAL + LIBM + 8 * UNIT_ROUNDOFF * (4 + a * a / (s * s)) + doubt * (2 * max(abs(first), 1) + 2)
    return scale * (one - two), scale * (one * relative + two * (relative + doubt * 2 * max(abs(second), 1)))


def _one_side(uses: list[OneUse], steps: tuple[float, ...], epsilon: float, c: float, sign: int) -> float:
    """log of a bound on what finite losses have of δ: above for sign 1."""
    mean = variance = third = mean_off = variance_off = log_moment = off = moved = 0.0
    for use, count in zip(uses, steps, strict=True):
        own = use.central()
        mean, variance, third = mean + count * own[0], variance + count * own[1], third + count * (own[2] + 4 * own[3] * own[1])
        mean_off += count * own[3] + 8 * UNIT_ROUNDOFF * abs(count * own[0])
        variance_off += count * own[4]
        log_moment, off = log_moment + count * use.log_moment, off + count * use.moment_error
        moved += count * use.loss_error
    if not (variance > _LEAST and variance_off < 0.5 * variance):
        raise PrecisionError("the normal approximation declines: the total loss hardly varies")
    s = math.sqrt(variance)
    kappa = math.exp(log_sharp_constant(c)) * (1 + 1e-12)
    constant = EQUAL if len(uses) == 1 else UNEQUAL
    ratio = third * (1 + 4 * variance_off / variance) / (variance - variance_off) ** 1.5  # masses are off in both
    apart = constant * ratio + mean_off / (s * math.sqrt(2 * math.pi)) + variance_off / (4 * variance)
    at = epsilon - sign * (moved + 8 * UNIT_ROUNDOFF * (abs(epsilon) + abs(mean)))
    middle, doubt = normal_mean(mean - at, s, c)
    value = middle + sign * (doubt + 2 * kappa * apart * (1 + 1e-9))
    if not value > 0:
        return -math.inf
    sizes = math.fsum(count * abs(use.log_moment) for use, count in zip(uses, steps, strict=True))
    log_value = math.log(value)
    slack = off + 8 * UNIT_ROUNDOFF * (sizes + abs(c * at) + 4) + LIBM * (sizes + abs(log_value) + 4)
    return log_moment - c * at + log_value + sign * slack


def _sides(law: LossLaw, count: float, moments: Moments, index: int, c: float, total: float) -> tuple[OneUse, OneUse]:
    """One use from below and from above."""
    if isinstance(law, AtomsOnly):
        use = _of_atoms(law, c)
        return use, use
    nodes = moments.nodes(2 * c + 1)[index]
    value, mean, variance = nodes.cumulants(c)
    slope = max(c, 1 / math.sqrt(count * variance + 1))
    weights = np.exp(nodes.log_weights + c * nodes.losses - value)
    inside = nodes.losses[weights > 1e-3 * _GOAL]
    span = float(inside.max() - inside.min())
    step = max(math.sqrt(8 * _CLOSE / (count * slope * (slope + 1))), span / _CELLS)
    plan = GridPlan(c, 2 * c + 1, step, 3 * step**2, span, 0.0, _CLOSE, slope)
    low, cells, found = lower_law(law, int(count), nodes, plan, (step, c, value, _GOAL))
    above = pessimistic(law, cells, low, step, c, value, -math.log(total) - 45.0)
    masses = np.concatenate((above.masses, above.far_masses))
    places = np.concatenate((above.places, above.far_places))
    lower = _of_masses(low + step * found.places, np.asarray(found.masses), value, c, above.loss_error, law.infinite_mass)
    return lower, _of_masses(low + step * places, masses, value, c, above.loss_error, above.infinite)


def _of_masses(losses: Array, masses: Array, shift: float, c: float, loss_error: float, infinite: float) -> OneUse:
    """Of tilted masses on one side of the truth: what they are is part of the side, so that only the sum is rounded."""
    total = float(masses.sum())
    if not (total > 0 and math.isfinite(total) and bool(np.all(masses >= 0))):
        raise PrecisionError("the normal approximation declines: no masses on a lattice")
    error = sum_error(len(masses)) + 8 * UNIT_ROUNDOFF * (1 + abs(shift)) + LIBM
    largest = float(np.abs(losses).max())
    return OneUse(losses, masses, shift + math.log(total), error, 0.0, loss_error + 4 * UNIT_ROUNDOFF * largest, infinite)


def _of_atoms(law: AtomsOnly, c: float) -> OneUse:
    """Both sides at once: atoms are known to rounding; losses of several units are tilted in their logarithms."""
    if not law.atoms:
        raise PrecisionError("the normal approximation declines: no finite loss")
    losses, masses = (np.array(column) for column in zip(*law.atoms, strict=True))
    exponents = c * losses
    top = max(0.0, float(exponents.max()))
    if top > _LARGEST:
        raise PrecisionError("the normal approximation declines: the largest losses rule the moment")
    rounding = law.input_error + 16 * UNIT_ROUNDOFF + 2 * LIBM
    excess = np.expm1(exponents)
    doubts = rounding * np.abs(excess) + 4 * UNIT_ROUNDOFF * np.abs(exponents) * np.exp(exponents)
    total = float(masses @ excess) - law.infinite_mass
    error = float(masses @ doubts) + sum_error(len(masses)) * float(masses @ np.abs(excess)) + rounding * law.infinite_mass
    error += law.dropped * (1 + math.exp(max(0.0, float(exponents.max()))))
    if not total - error > -1 + 1e-9:
        raise PrecisionError("the normal approximation declines: no moment")
    moment_error = error / (1 + total - error)
    mass_error = rounding + 8 * UNIT_ROUNDOFF * float(np.abs(exponents).max())
    loss_error = law.input_error + 8 * UNIT_ROUNDOFF * float(np.abs(losses).max())
    return OneUse(losses, masses * np.exp(exponents), math.log1p(total), moment_error, mass_error, loss_error, law.infinite_mass)


def log_atoms_moment_above(law: AtomsOnly, c: float) -> float:
    """An upper bound on log M(c) of the outcomes that the law lists, c > 0.

    Raises:
        PrecisionError: it is beyond float64.

    >>> 0 < log_atoms_moment_above(AtomsOnly(((-1.0, 1 / (1 + math.e)), (1.0, math.e / (1 + math.e)))), 1.0) < 1
    True
    """
    use = _of_atoms(law, c)
    return use.log_moment + use.moment_error + c * use.loss_error + LIBM


def _near_one(laws: tuple[LossLaw, ...], steps: tuple[float, ...], epsilon: float) -> Bounds | None:
    """[1 − b, 1] with b small, if Chernoff says so; laws with a density take part at t = 1/2 alone."""
    best = math.inf
    for t in _ORDERS:
        parts = [t * epsilon]
        for law, count in zip(laws, steps, strict=True):
            if isinstance(law, AtomsOnly):
                use = _of_atoms(law, -t)
                parts += [count * use.log_moment, count * (use.moment_error + t * use.loss_error)] if use.masses.size else []
            elif t == _ORDERS[0]:
                parts.append(min(0.0, count * log_affinity(law)))
        best = min(best, sum(parts) + 8 * (LIBM + len(parts) * UNIT_ROUNDOFF) * sum(map(abs, parts)))
    if not best < -5.0:
        return None
    return Bounds.of_logs(math.log1p(-math.exp(best + 1e-12 * abs(best))) - 1e-15, 0.0, NEAR_ONE)


def log_affinity(law: GaussianMixture | LaplaceMixture) -> float:
    """A bound on log M(−1/2) = log E_Q √U, U = dP/dQ; 0 where none is known.

    √(1+x) ≤ 1 + x/2 − x²/8 + x³/16 for x ≥ −1, the next Taylor term being negative, and E_Q(U − 1)^j is known. It does not depend on
    the order of P and Q.
    """
    if isinstance(law, LaplaceMixture):
        e, q = 1 / law.scale, law.q
        if law.keep == 0:
            return (math.log1p(e / 2) - e / 2) * (1 - 1e-12) + 1e-15
        if e > 100:
            return 0.0
        x, less = math.exp(e), math.expm1(e)  # E U² = (2x + x⁻²)/3 and E U³ = (3x² + 2x⁻³)/5, in forms that do not cancel
        second = less**2 * (2 * x + 1) / (3 * x**2)
        third = less**4 * (3 * x + 2) / (5 * x**3)
        return _taylor(q**2 * second, q**3 * third)
    weights = law.upper if len(law.lower) == 1 else law.lower if len(law.upper) == 1 else None
    if weights is None or law.sigma < 0.2:
        return 0.0
    v = 1 / law.sigma**2
    if len(weights) == 2 and weights[0] == 0:
        return -v / 8 * (1 - 1e-14)
    rows = [(own, shift) for shift, own in enumerate(weights) if shift and own > 0]
    second = math.fsum(a * b * math.expm1(i * j * v) for a, i in rows for b, j in rows)
    # E(U−1)³ = Σ abc·(e^{(ij+il+jl)v} − e^{ijv} − e^{ilv} − e^{jlv} + 2)
    third = math.fsum(
        a * b * d * (math.expm1((i * j + i * m + j * m) * v) - math.expm1(i * j * v) - math.expm1(i * m * v) - math.expm1(j * m * v))
        for a, i in rows
        for b, j in rows
        for d, m in rows
    )
    return _taylor(second, third)


def _taylor(second: float, third: float) -> float:
    """log(1 − second/8 + third/16), rounded up; e^x − 1 − x of small x cancels, so that it counts a hundred roundings of the second."""
    excess = -second / 8 * (1 - 1e-13) + (third * (1 + 1e-12) + 1e-13 * second) / 16
    return min(0.0, math.log1p(max(excess, -1 + 1e-9))) if excess < 0 else 0.0


NEAR_ONE = "Chernoff bound on 1 - delta"
