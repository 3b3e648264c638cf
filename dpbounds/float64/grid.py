"""The lattice accountant: lower and upper bounds of δ(ε) from a tilted FFT.

For masses w_j at losses lo + hj the composed δ(ε) = Σ_s w*…*w(s)·(1 − e^{ε−s})₊ is computed as

    e^{K−cε} · (1/N) Σ_m Π_f F_f(m)^{k_f} Γ(m),    F_f = DFT of w_j e^{c s_j}/e^{κ_f},   K = Σ k_f κ_f,
    Γ(m) = Σ_{J ≥ J0} g(s_J) e^{2πi mJ/N},   g(s) = (1 − e^{ε−s})·e^{−c(s−ε)},

Γ a difference of two geometric series, so only frequencies where the product is not negligible are summed. The tilt c at the saddle makes
the terms comparable with δ itself, hence relative accuracy at any δ.

*Wrap-around.* The sum is that of a periodised g: the value is Σ_m e^{cmΛ} δ(ε + mΛ) with Λ = Nh, all terms ≥ 0. The excess only raises an
upper bound; from a lower bound we take off e^{−cΛ}/(1−e^{−cΛ}) (m < 0, δ ≤ 1) and, for any c′ > c,
M(c′)e^{−c′ε}·e^{−(c′−c)Λ}/(1−e^{−(c′−c)Λ}) (m > 0, Chernoff), M of the lattice masses themselves.

*Rounding.* Masses carry allowances (`cells`); transforms carry errors as vectors (`spectrum`); Γ has the model's errors. Loss
errors η_f shift ε by Σ k_f η_f. Assumptions: `rounding`. Sources: `connect_the_dots`, `optimistic`; Koskela & Honkela 2021 (tilting).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy import fft

from dpbounds.errors import InputError, PrecisionError
from dpbounds.float64.cells import MAX_PLACES, Cells, cells_of, last_place
from dpbounds.float64.connect_the_dots import pessimistic
from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.laws import AtomsOnly, LossLaw, loss_law
from dpbounds.float64.logarithms import Array
from dpbounds.float64.optimistic import Optimistic, optimistic
from dpbounds.float64.rare_losses import parted, rare_spectra
from dpbounds.float64.result import Bounds, ComposedLaw
from dpbounds.float64.rounding import LIBM, UNIT_ROUNDOFF, sum_error
from dpbounds.float64.saddle import LossNodes, Moments
from dpbounds.float64.spacing import EXCESS, places_of
from dpbounds.float64.spectrum import MAX_POINTS, Spectrum, SpectrumFactor, core_share, spectra
from dpbounds.mechanisms import pairs

ATTEMPTS = 6
ALIGNMENTS = 5
"""Lattices tried for one law until one has a node where almost all of its mass is collapsed."""
BELOW = 3e-6
"""How far below that point, in steps, the node is to be at least."""
RARE = 0.03
"""Share of the width asked for that the mass moved to infinity may add."""
BULK_ORDERS = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0, 32.0, 64.0)
"""Orders, in units of the tilt, of the bound on what losses that are not rare have of δ."""
UNDERFLOW = 1e-300
"""More than is lost of a size that no float holds: where nearly all mass was moved to infinity, those of many uses are smaller."""
_FIT, _FIRST_FITTED = 1e-9, 12
"""How far from a node an atom may be that is on it, in steps, and atoms that are looked at first."""
MULTIPLES = 20_000
"""How many steps are tried for one that puts all atoms on nodes."""


@dataclass(frozen=True, eq=False)
class Lattice:
    """A composed lattice distribution, ready to give δ at many ε.

    Attributes:
        step, points: h and N. start: Σ k_f lo_f. c, scale: the tilt c and K = Σ k_f κ_f.
        upper, lower: spectra. infinite, infinite_lower: probability of infinite loss, from above and from below.
        loss_error: Σ k_f η_f. sizes: Σ k_f (|lo_f| + |κ_f|). right_moment: (c′, Σ k_f log of the lower masses' moment at c′, tilted scale).
        bulk: where the spectra are those of rare losses alone, the same for some orders and the upper masses of the other losses.
    """

    step: float
    points: int
    start: float
    c: float
    scale: float
    upper: Spectrum
    lower: Spectrum
    infinite: float
    infinite_lower: float
    loss_error: float
    sizes: float
    right_moment: tuple[float, float]
    share: float
    bulk: tuple[tuple[float, float], ...] = ()

    def bounds(self, epsilon: float) -> Bounds:
        """Lower and upper bounds of δ(ε)."""
        shift = self.loss_error + 8 * UNIT_ROUNDOFF * (abs(epsilon) + self.sizes + self.points * self.step)
        high, high_error = self._sum(self.upper, epsilon - shift)
        high = max(high, 0.0) + self._bulk(epsilon - shift)
        low, low_error = self._sum(self.lower, epsilon + shift)
        low = low - low_error - self._wrapped(epsilon + shift)
        log_scale = self.scale - self.c * epsilon
        slack = 16 * UNIT_ROUNDOFF * (self.sizes + self.c * abs(epsilon) + 4) + self.c * shift + 4 * LIBM
        log_upper = log_scale + math.log(high + high_error) + slack
        log_lower = log_scale + math.log(low) - slack if low > 0 else -math.inf
        log_upper = min(0.0, np.logaddexp(log_upper, math.log(self.infinite)) + 4 * LIBM if self.infinite > 0 else log_upper)
        if self.infinite_lower > 0:
            log_lower = float(np.logaddexp(log_lower, math.log(self.infinite_lower))) - 4 * LIBM
        return Bounds.of_logs(min(float(log_lower), float(log_upper)), float(log_upper), "lattice")

    def rounding(self, epsilon: float) -> float:
        """What rounding adds to the upper bound, relative to it."""
        total, error = self._sum(self.upper, epsilon)
        return error / max(total + error, 5e-324)

    def slope(self, epsilon: float) -> float:
        """About −d log δ/dε."""
        further = epsilon + 4 * self.step
        here, there = (max(self._sum(self.upper, at)[0], 1e-300) for at in (epsilon, further))
        return max(self.c + math.log(here / there) / (further - epsilon), 1e-3)

    def _sum(self, spectrum: Spectrum, epsilon: float) -> tuple[float, float]:
        """(1/N) Σ F^k Γ at the tilt's scale, and a bound on its error."""
        first = math.floor((epsilon - self.start) / self.step) + 1
        offset = max(self.start + self.step * first - epsilon, 0.0)
        m = spectrum.frequencies
        angle = 2 * math.pi / self.points * m
        one = math.exp(-self.c * offset) / -np.expm1(-self.c * self.step + 1j * angle)
        two = math.exp(-(self.c + 1) * offset) / -np.expm1(-(self.c + 1) * self.step + 1j * angle)
        turn = 2 * math.pi / self.points * ((m * (first % self.points)) % self.points)
        weights = np.where(m == 0, 1.0, 2.0) * (1.0 if self.points % 2 else np.where(2 * m == self.points, 0.5, 1.0))
        sizes = np.exp(spectrum.log_size) * weights
        gamma = one - two
        terms = sizes * (gamma * np.exp(1j * (turn + spectrum.phase))).real
        rounding = sizes * (np.abs(one) + np.abs(two))
        error = float((sizes * np.abs(gamma)) @ spectrum.relative_error) + float((rounding * (1 + spectrum.relative_error)).sum()) * (
            64 * UNIT_ROUNDOFF + 8 * LIBM + sum_error(len(m))
        )
        error += UNDERFLOW * float((weights * (np.abs(one) + np.abs(two))).sum())
        error += math.sqrt(float(weights @ np.square(spectrum.spread_error * (np.abs(gamma) + UNIT_ROUNDOFF * 64 * np.abs(one)))))
        gamma_zero = abs(one[0]) if m[0] == 0 else 0.0
        error += spectrum.left_out * self.points * gamma_zero
        return float(terms.sum()) / self.points, 1.001 * error / self.points

    def _bulk(self, epsilon: float) -> float:
        """A bound on δ without a rare loss, at the tilt's scale."""
        exponents = [
            log_moment - (order - self.c) * epsilon + 16 * UNIT_ROUNDOFF * (abs(log_moment) + order * abs(epsilon))
            for order, log_moment in self.bulk
        ]
        return math.exp(min(min(exponents), 700.0)) * (1 + 1e-9) if exponents else 0.0

    def _wrapped(self, epsilon: float) -> float:
        """A bound on the wrap-around of the lower masses, at the tilt's scale."""
        length = self.points * self.step
        exponent = -(self.scale - self.c * epsilon) - self.c * length
        left = math.exp(min(exponent, 700.0)) / -math.expm1(-self.c * length)
        order, log_moment = self.right_moment
        more = order - self.c
        exponent = log_moment - more * (epsilon + length)
        right = math.exp(min(exponent, 700.0)) / -math.expm1(-more * length)
        return (left + right) * (1 + 1e-9)


@dataclass(frozen=True)
class GridPlan:
    """The parameters of a lattice: tilt c, order c′ of the right alias, step h, mean square Δ² of cells, window Λ, estimate of log δ;
    `slope`, about −d log δ/dε, is the tilt unless rare noise rules the moments; `share` of δ that the mass moved to infinity may add;
    `levels`: for each law the loss above which losses are taken apart (`rare_losses`), if they are."""

    c: float
    order: float
    step: float
    square: float
    length: float
    log_estimate: float
    tolerance: float
    slope: float
    share: float = 0.0
    levels: tuple[float, ...] = ()


def delta_bounds(product: pairs.Product, epsilon: float, tolerance: float = 1e-4) -> Bounds:
    """Bounds of δ(ε) of a product of pairs, refined until the relative width is at most `tolerance` or the grid limit is met.

    Args:
        product: pairs with a loss distribution (Gaussian, sampled Gaussian, Laplace, randomized response, finite tables).
        epsilon: ε, any finite real.
        tolerance: relative width aimed at; the width reached is in the result.

    Raises:
        InputError: an ε that is not finite, a tolerance outside (0, 1).
        PrecisionError: no lattice that float64 can carry.

    >>> from dpbounds import mechanisms as m
    >>> mechanism = m.Repeated(m.Sampled(m.Gaussian("1.5"), m.PoissonSampling("0.01")), 10000)
    >>> found = delta_bounds(pairs.dominating_pairs(mechanism, direction="remove")[0], 1.0)
    >>> found.lower <= 0.04960141031482577 <= found.upper and found.relative_width < 1e-4
    True
    """
    return bounds_at(product, [epsilon], tolerance)[0]


def bounds_at(
    product: pairs.Product,
    epsilons: list[float],
    tolerance: float = 1e-4,
    kept: list[ComposedLaw] | None = None,
    known: tuple[float, float, float] | None = None,
) -> list[Bounds]:
    """Bounds at several ε; one lattice serves as many of them as its accuracy allows.

    Args:
        kept: where the lattices that serve are added. known: estimates of log δ and of −d log δ/dε, to which saddle-point
        estimates far from them give way, and the share of δ that the mass moved to infinity may add.
    """
    if not 0 < tolerance < 1:
        raise InputError(f"tolerance must lie in (0, 1), got {tolerance}")
    if not all(math.isfinite(epsilon) for epsilon in epsilons):
        raise InputError("epsilon must be finite")
    laws = tuple(loss_law(factor) for factor in product.factors)
    if any(isinstance(law, AtomsOnly) and not law.atoms for law in laws):
        return [Bounds(1.0, 1.0, 0.0, 0.0, "lattice")] * len(epsilons)
    steps = tuple(factor.steps for factor in product.factors)
    moments = Moments(laws, tuple(float(count) for count in steps))
    results: dict[int, Bounds] = {}
    order = sorted(range(len(epsilons)), key=lambda index: epsilons[index])
    pending = [order]
    while pending:
        group = pending.pop()
        if not group:
            continue
        middle = len(group) // 2
        results[group[middle]], lattice = _refined(laws, steps, moments, epsilons[group[middle]], tolerance, known)
        rest = [index for index in group if index != group[middle]]
        if lattice is not None:
            if kept is not None:
                kept.append(lattice)
            for index in rest:
                found = lattice.bounds(epsilons[index])
                if found.relative_width <= tolerance:
                    results[index] = found
        missing = [index for index in rest if index not in results]
        pending += [
            [i for i in missing if epsilons[i] <= epsilons[group[middle]]],
            [i for i in missing if epsilons[i] > epsilons[group[middle]]],
        ]
    return [results[index] for index in range(len(epsilons))]


def _refined(
    laws: tuple[LossLaw, ...],
    steps: tuple[int, ...],
    uncut: Moments,
    epsilon: float,
    tolerance: float,
    known: tuple[float, float, float] | None,
) -> tuple[Bounds, Lattice | None]:
    """Lattices are made until one is narrow enough: again where δ turns out to be far below its estimate; once with a coarser aim, which
    cuts more of the tail and allows a larger tilt, where rounding rules the width; else with a smaller step."""
    ceiling = sum(count * law.highest_loss for law, count in zip(laws, steps, strict=True))
    if ceiling + 1e-12 * (1 + abs(ceiling)) < epsilon:
        return Bounds(0.0, 0.0, -math.inf, -math.inf, "lattice"), None
    log_delta, slope, share = known or (None, 0.0, 0.0)
    smooth = all(isinstance(law, GaussianMixture) for law in laws)
    goal, count = 0.5 * tolerance, sum(steps)
    share = max(RARE * goal, share)
    moments = uncut.cut(epsilon, share / count)
    plan = _plan(laws, steps, moments, epsilon, goal, None, slope)
    if log_delta is not None and abs(log_delta - plan.log_estimate) > 0.7:
        moments = uncut.cut_at(log_delta + math.log(share / count))
        plan = _plan(laws, steps, moments, epsilon, goal, log_delta, slope)
    plan = replace(plan, share=share)
    best: Bounds | None = None
    best_lattice: Lattice | None = None
    last_width, coarser_aims, blind = math.inf, 0, 0
    failure = ""
    for _ in range(ATTEMPTS):
        try:
            lattice = compose(laws, steps, moments, plan, epsilon)
        except PrecisionError as error:
            failure = str(error)
            if best is None:
                coarser = max(2 * plan.length / MAX_POINTS, 4 * plan.step)
                plan = replace(plan, step=coarser, square=max(plan.square, EXCESS * coarser**2))
                continue
            break
        found = lattice.bounds(epsilon)
        if best is None or found.relative_width < best.relative_width:
            best, best_lattice = found, lattice
        overestimated = found.log_upper < plan.log_estimate - 0.7
        if found.relative_width <= tolerance or (found.relative_width > 0.8 * last_width and not overestimated):
            break
        last_width = found.relative_width if found.log_lower > -math.inf else math.inf
        rounding = min(1.0, 2 * lattice.rounding(epsilon))
        slope = lattice.slope(epsilon) if rounding < 0.1 and smooth else slope
        too_rare = rounding < 0.1 * share and share > max(RARE * goal, 0.3 * found.relative_width)
        if overestimated or too_rare or rounding > 0.5 * found.relative_width:
            aim = goal
            if too_rare:
                share = max(RARE * goal, 2 * rounding)
            elif not overestimated or rounding > 0.5:
                coarser_aims += 1
                if coarser_aims > 2 or 0.1 * rounding < 1.5 * share:
                    break
                aim, share = max(goal, 0.3 * rounding), 0.1 * rounding
            estimate = min(found.log_upper, plan.log_estimate, math.inf if log_delta is None else log_delta)
            moments = uncut.cut_at(estimate + math.log(share / count))
            again = _plan(laws, steps, moments, epsilon, aim, estimate, slope)
            plan = replace(again, step=min(again.step, plan.step), square=min(again.square, plan.square), share=share)
            last_width = math.inf
        elif found.log_lower == -math.inf:
            blind += 1
            if blind > 1 and not smooth:
                break
            plan = replace(plan, step=0.5 * plan.step, square=0.25 * plan.square, length=1.5 * plan.length)
        else:
            ratio = max(0.3, min(0.8, 0.95 * (tolerance / found.relative_width) ** 0.4))
            plan = replace(plan, step=plan.step * ratio, square=plan.square * ratio**2, slope=max(plan.slope, slope))
    if best is None or best_lattice is None:
        raise PrecisionError(f"no lattice bound at epsilon = {epsilon}: {failure}")
    if best.relative_width > tolerance and 2 * best_lattice.rounding(epsilon) > 0.3 * best.relative_width:
        return _apart(laws, steps, uncut, epsilon, tolerance, slope, (best, best_lattice))
    return best, best_lattice


def _apart(
    laws: tuple[LossLaw, ...],
    steps: tuple[int, ...],
    uncut: Moments,
    epsilon: float,
    tolerance: float,
    slope: float,
    found: tuple[Bounds, Lattice],
) -> tuple[Bounds, Lattice]:
    """Narrower bounds than those found, by lattices for the rare losses alone.

    Again where δ is far below its estimate, or the step too wide.
    """
    best, _ = found
    goal, estimate, ratio, step = 0.5 * tolerance, best.log_upper, 1.0, math.inf
    share = RARE * goal
    for _ in range(ATTEMPTS):
        if not (levels := _rare_levels(laws, steps, uncut, epsilon, estimate + math.log(1e-3 * goal))):
            break
        moments = uncut.cut_at(estimate + math.log(share / sum(steps)))
        plan = _plan(laws, steps, moments, epsilon, goal, estimate, slope)
        step = ratio * min(step, plan.step)
        try:
            lattice = compose(laws, steps, moments, replace(plan, step=step, square=EXCESS * step**2, share=share, levels=levels), epsilon)
        except PrecisionError:
            break
        bounds = lattice.bounds(epsilon)
        if bounds.relative_width < best.relative_width:
            best, found = bounds, (bounds, lattice)
        if best.relative_width <= tolerance:
            break
        below = estimate - bounds.log_upper
        estimate = min(estimate, bounds.log_upper)
        ratio = 1.0 if below > 0.7 else max(0.3, min(0.8, 0.95 * (tolerance / bounds.relative_width) ** 0.4))
    return found


def _rare_levels(laws: tuple[LossLaw, ...], steps: tuple[int, ...], uncut: Moments, epsilon: float, goal: float) -> tuple[float, ...]:
    """For each law a loss, as large as can be, such that without larger ones δ(ε) would be at most about e^goal; none if there is none."""
    if not any(isinstance(law, GaussianMixture) for law in laws):
        return ()
    for rarity in range(24, 0, -2):
        bulk = uncut.cut_at(-math.log(sum(steps)) - rarity)
        order = bulk.saddle(epsilon, 1e5)
        if bulk.cumulants(order)[0] - order * epsilon <= goal:
            return tuple(
                float(law.loss(np.array([top]))[0]) if isinstance(law, GaussianMixture) else math.inf
                for law, top in zip(laws, bulk.tops, strict=True)
            )
    return ()


def _plan(
    laws: tuple[LossLaw, ...],
    steps: tuple[int, ...],
    moments: Moments,
    epsilon: float,
    tolerance: float,
    log_delta: float | None = None,
    slope: float = 0.0,
) -> GridPlan:
    """Tilt below the saddle where that shortens the window, h from the leading width k·h²·c(c+1)/8, window from Chernoff at a
    hundredth of the tolerance on both sides; `log_delta` replaces the saddle-point estimate."""
    saddle = min(moments.saddle(epsilon), 1e5)
    if log_delta is None:
        log_delta = moments.log_delta_estimate(epsilon, saddle)
    dense = sum(count for law, count in zip(laws, steps, strict=True) if not isinstance(law, AtomsOnly)) or 1
    slope = max(slope, saddle)
    step = math.sqrt(6.2 * tolerance / (EXCESS * dense * slope * (slope + 1)))
    square = EXCESS * step**2
    margin = math.log(100 / tolerance)
    c, order, length = window(moments, epsilon, saddle, log_delta, margin, 4.0)
    length = max(length, 4 * step)
    step = max(step, length / (16 * MAX_PLACES))  # a step of 0 is refused as too fine, and coarser ones are tried
    return GridPlan(c, order, _fit_step(laws, steps, step), square, length, log_delta, tolerance, slope)


def window(moments: Moments, epsilon: float, saddle: float, log_delta: float, margin: float, loss: float) -> tuple[float, float, float]:
    """(c, c′, Λ): the tilt and the order of the right alias that make the window Λ = 2π/(frequency step) shortest.

    Left aliases need cΛ ≥ margin − log δ; right ones (c′−c)Λ ≥ K(c′) − c′ε − log δ + margin. `loss` caps the cancellation K(c) − cε − log δ
    beyond what the saddle itself has.
    """
    tilts = saddle * np.array([1.0, 0.985, 0.965, 0.94, 0.9, 0.85, 0.78, 0.7, 0.6, 0.5, 0.4, 0.3])
    more = saddle * np.array([0.004, 0.02, 0.06, 0.15, 0.3, 0.6, 1.0, 1.8, 3.0])
    orders = np.concatenate((tilts, saddle + more))
    values = moments.values(orders) - orders * epsilon
    room = values - log_delta + margin
    best = (math.inf, saddle, saddle + more[4])
    for index in range(len(tilts)):
        if values[index] - values[0] > loss:
            continue
        above = orders > orders[index]
        rights = np.where(above, room / np.where(above, orders - orders[index], 1.0), np.inf)
        pick = int(np.argmin(rights))
        length = max((margin - log_delta) / tilts[index], float(rights[pick]))
        if length < 0.97 * best[0]:
            best = (length, float(tilts[index]), float(orders[pick]))
    return best[1], best[2], best[0]


def _fit_step(laws: tuple[LossLaw, ...], steps: tuple[int, ...], step: float) -> float:
    """A step at most `step` that puts all atoms of each law on nodes where that is possible (distances whole multiples of h)."""
    distances = sorted({loss - law.atoms[0][0] for law in laws for loss, _ in law.atoms[1:]})
    if not distances:
        return step
    base = distances[0]
    if base < 0.5 * step:
        return step
    smallest = max(1, math.ceil(base / step))
    if len(distances) == 1:
        return base / smallest
    multiples = np.arange(smallest, smallest + min(smallest, MULTIPLES) + 400)
    misfit = np.zeros(len(multiples))
    for some in (distances[:_FIRST_FITTED], distances):  # most multiples do not fit the first few
        places = np.outer(multiples, np.array(some) / base)
        misfit = np.max(np.abs(places - np.round(places)), axis=1)
        multiples, misfit = multiples[misfit < _FIT], misfit[misfit < _FIT]
        if not len(multiples):
            return base / smallest
    return base / int(multiples[int(np.argmin(misfit))])


def compose(laws: tuple[LossLaw, ...], steps: tuple[int, ...], moments: Moments, plan: GridPlan, epsilon: float) -> Lattice:
    """Build both lattice distributions of every factor and multiply their transforms."""
    total_steps = sum(steps)
    step, c = _fit_step(laws, steps, plan.step), plan.c
    if not c * step < 100.0:
        raise PrecisionError("the lattice is too coarse for its tilt")
    points = _points(plan.length / step)
    cancelled = min(0.0, plan.log_estimate - (moments.cumulants(c)[0] - c * epsilon) + 3.0)
    goal = max(1e-3 * plan.tolerance / total_steps * math.exp(cancelled), 1e-18)
    log_goal = plan.log_estimate + math.log((plan.share or RARE * plan.tolerance) / total_steps)
    start, scale, loss_error, sizes, log_finite, log_finite_lower = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    order = plan.order
    right_moment = 0.0
    parts: list[SpectrumFactor] = []
    lows: list[float] = []
    for law, count, nodes in zip(laws, steps, moments.nodes(order), strict=True):
        shift = nodes.cumulants(c)[0]
        low, cells, found = lower_law(law, count, nodes, plan, (step, c, shift, goal))
        above = pessimistic(law, cells, low, step, c, shift, log_goal)
        places, below = found.places, found.masses
        masses = np.concatenate((above.masses, above.far_masses))
        if not float(masses.sum()) < 1e60:
            raise PrecisionError("the tilted tail of the lattice overflows")
        parts.append(SpectrumFactor.of_masses((np.concatenate((above.places, above.far_places)), masses), (places, below), count))
        lows.append(low)
        start += count * low
        sizes += count * (abs(low) + abs(shift))
        scale += count * shift
        loss_error += count * above.loss_error
        log_finite += count * math.log1p(-above.infinite) if above.infinite < 1 else -math.inf
        log_finite_lower += count * math.log1p(-law.infinite_mass) if law.infinite_mass < 1 else -math.inf
        right_moment += count * _log_moment(places, below, low, step, order - c)
    if plan.levels:
        bulk, rare = parted(parts, [(level - low) / step for level, low in zip(plan.levels, lows, strict=True)])
        upper, lower = rare_spectra(parts, bulk, rare, points, plan.tolerance)
        kept = tuple((times * c, _upper_log_moment(bulk, lows, step, (times - 1) * c)) for times in BULK_ORDERS)
    else:
        upper, lower = spectra(parts, points, plan.tolerance)
        kept = ()
    return Lattice(
        step,
        points,
        start,
        c,
        scale,
        upper,
        lower,
        -math.expm1(log_finite) * (1 + 1e-12),
        -math.expm1(log_finite_lower) * (1 - 1e-12),
        loss_error,
        sizes,
        (order, right_moment),
        plan.share if plan.share > RARE * plan.tolerance * (1 + 1e-9) else 0.0,
        kept,
    )


def lower_law(
    law: LossLaw, count: int, nodes: LossNodes, plan: GridPlan, scales: tuple[float, float, float, float]
) -> tuple[float, Cells | None, Optimistic]:
    """The loss of node 0, the cells and the lower law, on a lattice that has a node just below the point where most was collapsed: almost
    all mass of sampled noise may lie close to an end of the loss range, and each of many uses loses the distance from the node. A secant
    raises the lattice until that distance is small; what is collapsed stays the same, node for node."""
    step, c, shift, goal = scales
    square, core = max(plan.square, EXCESS * step**2), core_share(count)
    raised = 0.0
    run: tuple[int, int] | None = None
    before: tuple[float, float] | None = None
    best: tuple[float, tuple[float, Cells | None, Optimistic]] | None = None
    for _ in range(ALIGNMENTS):
        more = math.ceil(raised / step)
        within = None if run is None else (max(run[0] + more, 1), run[1] + more)
        low, cells = _lattice_cells(law, nodes, step, c, shift, goal, square, core, more * step - raised)
        lower = optimistic(law, cells, low, step, c, shift, within)
        share, fall = max(lower.collapsed, key=lambda pair: pair[0] * pair[1], default=(0.0, 0.0))
        lost = count * plan.slope * share * fall
        if best is None or lost < best[0]:
            best = lost, (low, cells, lower)
        if lost < 0.1 * plan.tolerance or lower.run is None:
            break
        excess = fall - min(max(0.03 * plan.tolerance / max(count * plan.slope * share, 1e-300), BELOW * step), 0.01 * step)
        rate = 1.0
        if run is None or before is None:
            run = lower.run
        else:
            excess = excess if excess < 0.9 * step else excess - step
            rate = min(max((before[1] - excess) / (raised - before[0]), 0.2), 2.0) if raised != before[0] else 1.0
        before = raised, excess
        raised += excess / rate
    assert best is not None
    return best[1]


def _points(wanted: float) -> int:
    """N ≥ wanted, good for an FFT where one may be made."""
    if not wanted < MAX_PLACES:
        raise PrecisionError(f"the lattice needs {wanted:.3g} points, the limit is {MAX_PLACES:.3g}")
    points = max(16, math.ceil(wanted))
    return int(fft.next_fast_len(points, real=True)) if points <= MAX_POINTS else points


def _lattice_cells(
    law: LossLaw, nodes: LossNodes | None, step: float, c: float, shift: float, goal: float, square: float, core: float, offset: float = 0.0
) -> tuple[float, Cells | None]:
    """The loss of node 0 and the cells: the whole support where atoms bound it, else all but 20·goal of the tilted mass on each side, and
    node 0 so far below."""
    if isinstance(law, AtomsOnly):
        return law.atoms[0][0], None
    if nodes is None or not isinstance(law, GaussianMixture):
        return law.atoms[0][0], cells_of(law, law.atoms[0][0], step, c, shift, law.support, goal)
    weights = np.exp(nodes.log_weights + c * nodes.losses - shift)
    t = nodes.t
    first = max(int(np.searchsorted(np.cumsum(weights), 20 * goal)) - 1, 0)
    last = len(t) - 1 - max(int(np.searchsorted(np.cumsum(weights[::-1]), 20 * goal)) - 1, 0)
    low = float(nodes.losses[first]) - offset
    inside = slice(first, last + 1)
    part = LossNodes(nodes.losses[inside], nodes.log_weights[inside], t[inside])
    places = places_of(law, part, weights[inside], low, step, last_place(float(nodes.losses[last]), low, step), c, square, core)
    return low, cells_of(law, low, step, c, shift, (float(t[first]), float(t[last])), goal, places)


def _upper_log_moment(parts: list[SpectrumFactor], lows: list[float], step: float, order: float) -> float:
    """Σ k_f log Σ masses·e^{order·s} of the upper masses, rounded up."""
    return sum(part.count * _log_moment(part.places, part.masses[0], low, step, order) for part, low in zip(parts, lows, strict=True))


def _log_moment(places: Array, masses: Array, low: float, step: float, order: float) -> float:
    """log Σ masses·e^{order·s}, rounded up."""
    exponent = order * (low + step * places)
    top = float(exponent.max())
    total = float(np.sum(masses * np.exp(exponent - top)))
    return top + math.log(max(total, 5e-324)) + 1e-12 * (1 + abs(top))
