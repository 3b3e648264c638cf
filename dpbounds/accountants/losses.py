"""Dominating pairs as float64 loss distributions: a density part along an increasing loss, plus atoms.

Every Gaussian pair of the package is one family,

    P = Σ b_ℓ N(ℓ, σ²),   Q = Σ d_ℓ N(−ℓ, σ²),   p = φ·u,   q = φ·v,
    u(t) = Σ b_ℓ e^{(2tℓ−ℓ²)/2σ²} (increasing),   v(t) = Σ d_ℓ e^{(−2tℓ−ℓ²)/2σ²} (decreasing),

so the loss L = log u − log v increases with t. Swapping P and Q and reflecting t swaps b and d: both directions are one class.
Sources: Koskela, Jälkö & Honkela 2020 §6; dominating pairs as in `dpbounds.pairs`.

Exact parameters become the nearest floats; the rounding enters through `loss_error` (absolute error of the computed loss) and
`log_density_error` (absolute error of the computed log p), both under the model of `rounding`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import special

from dpbounds import pairs
from dpbounds.accountants.rounding import LIBM, SPECIAL, UNIT_ROUNDOFF
from dpbounds.errors import InputError, PrecisionError
from dpbounds.exact import Exact

Array = np.ndarray
MAX_BATCH = 2000
LEAST = 1e-290
"""The smallest probability of a sampling rate or an outcome, except 0."""
_NO_ATOMS: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class GaussianMixture:
    """P = Σ upper[ℓ]·N(ℓ,σ²) against Q = Σ lower[ℓ]·N(−ℓ,σ²).

    Args:
        sigma: σ > 0.
        upper: weights b_0, b_1, … of P, sum 1.
        lower: weights d_0, d_1, … of Q, sum 1.

    >>> law = GaussianMixture(2.0, (0.99, 0.01), (1.0,))
    >>> bool(abs(law.loss(np.array([0.5]))[0]) < 1e-15)
    True
    """

    sigma: float
    upper: tuple[float, ...]
    lower: tuple[float, ...]
    atoms = _NO_ATOMS
    infinite_mass = 0.0

    @property
    def degree(self) -> int:
        """The largest ℓ on either side."""
        return max(len(self.upper), len(self.lower)) - 1

    @property
    def is_gaussian(self) -> bool:
        """True for the plain Gaussian pair N(1,σ²) ‖ N(0,σ²)."""
        return self.upper == (0.0, 1.0) and self.lower == (1.0,)

    @property
    def support(self) -> tuple[float, float]:
        """Where t lives."""
        return -math.inf, math.inf

    @property
    def lowest_loss(self) -> float:
        """inf L (−inf when unbounded)."""
        return _log_keep(self.upper) if len(self.lower) == 1 else -math.inf

    @property
    def highest_loss(self) -> float:
        """sup L (inf when unbounded)."""
        return -_log_keep(self.lower) if len(self.upper) == 1 else math.inf

    def log_base(self, t: Array) -> Array:
        """log φ(t) for φ = N(0,σ²)."""
        return -0.5 * np.square(t / self.sigma) - math.log(self.sigma * math.sqrt(2 * math.pi))

    def log_u(self, t: Array) -> Array:
        """log u(t)."""
        return _log_mixture(t, self.upper, self.sigma)

    def log_v(self, t: Array) -> Array:
        """log v(t)."""
        return _log_mixture(-t, self.lower, self.sigma)

    def loss(self, t: Array) -> Array:
        """L(t) = log u(t) − log v(t)."""
        if len(self.lower) == 1:
            return self.log_u(t)
        if len(self.upper) == 1:
            return -self.log_v(t)
        return self.log_u(t) - self.log_v(t)

    def log_density(self, t: Array) -> Array:
        """log p(t)."""
        base = self.log_base(t)
        return base if len(self.upper) == 1 else base + self.log_u(t)

    def log_density_and_loss(self, t: Array) -> tuple[Array, Array]:
        """(log p, L) at once."""
        base = self.log_base(t)
        if len(self.upper) == 1:
            return base, self.loss(t)
        log_u = self.log_u(t)
        return base + log_u, log_u if len(self.lower) == 1 else log_u - self.log_v(t)

    def loss_slope(self, t: Array) -> Array:
        """dL/dt = (E_u[ℓ] + E_v[ℓ])/σ², the mean shifts under the tilts at t."""
        return (_mean_shift(t, self.upper, self.sigma) + _mean_shift(-t, self.lower, self.sigma)) / self.sigma**2

    def inverse_loss(self, s: Array) -> Array:
        """The t with L(t) = s; −inf below the range of L, inf above it. Only as accurate as float64 allows: check L(t)."""
        if len(self.lower) == 1 and len(self.upper) == 2:
            return _single_inverse(s, self.upper, self.sigma)
        if len(self.upper) == 1 and len(self.lower) == 2:
            return -_single_inverse(-s, self.lower, self.sigma)
        return _newton_inverse(self, np.atleast_1d(s))

    def loss_error(self, t: Array) -> Array:
        """Bound on the absolute error of the computed loss, inputs' conversion to float64 included.

        a_ℓ = (2tℓ−ℓ²)/2σ² has relative error below 6u (σ, σ², two products, one difference that is exact to u of its parts, one
        quotient), so e^a has 6u|a| + LIBM, the weight another u, and sums of positive terms keep the largest relative error.
        In the log1p form the perturbed quantity is q·(e^a−1), an absolute error of q·max(e^a,1)·(…)/u of log u.
        A rounding of t itself by 2u|t| on each side is included, at the slope there (which such a step changes by far less than 1 %).
        """
        error = 4.04 * UNIT_ROUNDOFF * np.abs(t) * self.loss_slope(t)
        for argument, weights in ((t, self.upper), (-t, self.lower)):
            if len(weights) > 1:
                error = error + _log_mixture_error(argument, weights, self.sigma)
        return error + 4 * UNIT_ROUNDOFF * np.abs(self.loss(t))

    def log_density_error(self, t: Array) -> Array:
        """Bound on the absolute error of the computed log p, a rounding of t by 2u|t| included.

        (t/σ)² has relative error 5u (σ, one quotient, one square), halved: 2.5u·t²/σ²; moving t adds 2u·t²/σ² for φ and
        2u|t|·degree/σ² for u.
        """
        base = UNIT_ROUNDOFF * (5 * np.square(t / self.sigma) + 6 + 4 * abs(math.log(self.sigma)) + 4 * np.abs(t) * self.rate)
        if len(self.upper) == 1:
            return base
        return base + _log_mixture_error(t, self.upper, self.sigma) + 2 * UNIT_ROUNDOFF * np.abs(self.log_u(t))

    def log_mass_above(self, t: Array | float) -> Any:
        """log P(T > t), rounded up."""
        return _log_tail([(weight, (ell - t) / self.sigma) for ell, weight in enumerate(self.upper)])

    def log_mass_below(self, t: Array | float) -> Any:
        """log P(T < t), rounded up."""
        return _log_tail([(weight, (t - ell) / self.sigma) for ell, weight in enumerate(self.upper)])

    def approx_tail_start(self, log_mass: float) -> float:
        """A t with log P(T > t) ≤ log_mass, close to the least one."""
        reach = self.sigma * (math.sqrt(2 * max(-log_mass, 1.0)) + 1.0)
        t = np.linspace(-reach, reach + len(self.upper) - 1, 1000)
        return float(t[min(int(np.searchsorted(-self.log_mass_above(t), -log_mass)), len(t) - 1)])

    def growth(self, t: Array, radius: Array) -> Array:
        """log of max |φ(t+z)|/φ(t) over |z| ≤ radius: (|t|R + R²/2)/σ²."""
        return (np.abs(t) * radius + 0.5 * radius**2) / self.sigma**2

    @property
    def rate(self) -> float:
        """κ with |e^{...}| growth of every term of u and v at most e^{κ|z|}: degree/σ²."""
        return self.degree / self.sigma**2

    def turned(self, t: Array, theta: Array) -> tuple[Array, Array]:
        """(u(t+ia)/u(t), v(t+ia)/v(t)) for a = θσ², a row for each θ: the characteristic functions E e^{iℓθ}, E e^{−iℓθ} of the tilted
        weights at t."""
        return _turned(t, self.upper, self.sigma, theta), np.conj(_turned(-t, self.lower, self.sigma, theta))

    def tilt_slope(self, t: Array) -> Array:
        """Bound on |d/dt log f| for f the density of X = e^L under Q; inf where ℓ ≥ 2 occurs. Convex in t.

        f = q/X′, X = u/v, X′ = (u′v − uv′)/v², q = φv, so (log f)′ = −t/σ² + 3v′/v − (log(u′v − uv′))′. With ℓ ≤ 1, in units of
        1/σ²: v′/v lies in [−1, 0] (0 if v = 1), and u′v − uv′ is a positive sum of exponentials with slopes 1 (v = 1), −1 (u = 1), or −1…1.
        """
        if self.degree > 1:
            return np.full_like(t, np.inf)
        if len(self.lower) == 1:
            least = most = -1.0
        elif len(self.upper) == 1:
            least, most = -2.0, 1.0
        else:
            least, most = -4.0, 1.0
        return np.maximum(np.abs(-t + least), np.abs(-t + most)) / self.sigma**2


@dataclass(frozen=True)
class LaplaceMixture:
    """Laplace noise of scale b with Poisson sampling rate q (1: none): P = q·Lap(1,b) + (1−q)·Lap(0,b), Q = Lap(0,b), or swapped.

    For t in (0,1) the loss is log(1−q+q e^{(2t−1)/b}); outside it is constant, which gives two atoms.
    With `swapped` the roles change and t is reflected, so that the loss still increases.
    """

    scale: float
    q: float
    keep: float
    swapped: bool = False
    infinite_mass = 0.0

    @property
    def degree(self) -> int:
        """One shift."""
        return 1

    is_gaussian = False

    @property
    def support(self) -> tuple[float, float]:
        """Where the density part lives."""
        return (-1.0, 0.0) if self.swapped else (0.0, 1.0)

    @property
    def atoms(self) -> tuple[tuple[float, float], ...]:
        """(loss, P-mass) of the two atoms, in increasing order of loss."""
        low, high = (self._log_u(np.array([end]))[0] for end in (0.0, 1.0))
        q_low, q_high = 0.5, 0.5 * math.exp(-1 / self.scale)
        if self.swapped:
            return (-float(high), q_high), (-float(low), q_low)
        return (float(low), q_low * math.exp(low)), (float(high), q_high * math.exp(high))

    @property
    def input_error(self) -> float:
        """What large exponents add to the error of the atoms' losses and the relative error of their masses."""
        return float(np.max(self.loss_error(np.array(self.support)))) + 8 * UNIT_ROUNDOFF / self.scale

    @property
    def lowest_loss(self) -> float:
        """The lower atom."""
        return self.atoms[0][0]

    @property
    def highest_loss(self) -> float:
        """The upper atom."""
        return self.atoms[1][0]

    def _log_u(self, t: Array) -> Array:
        exponent = (2 * t - 1) / self.scale
        return _log_two(exponent, self.keep, self.q)

    def log_base(self, t: Array) -> Array:
        """log of the density of Lap(0,b) on (0,1), in the reflected variable if swapped."""
        return -np.abs(t) / self.scale - math.log(2 * self.scale)

    def loss(self, t: Array) -> Array:
        """The loss, increasing in t."""
        return -self._log_u(-t) if self.swapped else self._log_u(t)

    def log_density(self, t: Array) -> Array:
        """log p(t) of the density part."""
        return self.log_base(t) if self.swapped else self.log_base(t) + self._log_u(t)

    def log_density_and_loss(self, t: Array) -> tuple[Array, Array]:
        """(log p, L)."""
        return self.log_density(t), self.loss(t)

    def loss_slope(self, t: Array) -> Array:
        """dL/dt."""
        t = -t if self.swapped else t
        exponent = (2 * t - 1) / self.scale
        return 2 / self.scale * self.q * np.exp(exponent - self._log_u(t))

    def inverse_loss(self, s: Array) -> Array:
        """The t with L(t) = s, clipped to the support."""
        s = -s if self.swapped else s
        with np.errstate(divide="ignore", invalid="ignore"):
            t = 0.5 + 0.5 * self.scale * np.log1p(np.maximum(np.expm1(s) / self.q, -1.0))
        t = np.clip(t, 0.0, 1.0)
        return -t if self.swapped else t

    def loss_error(self, t: Array) -> Array:
        """As for `GaussianMixture`."""
        t = -t if self.swapped else t
        exponent = (2 * t - 1) / self.scale
        moved = 8 * UNIT_ROUNDOFF * np.abs(t) / self.scale
        return _log_two_error(exponent, self.keep, self.q) + 4 * UNIT_ROUNDOFF * np.abs(self._log_u(t)) + moved

    def log_density_error(self, t: Array) -> Array:
        """Bound on the absolute error of the computed log p."""
        return self.loss_error(t) + UNIT_ROUNDOFF * (8 / self.scale + 16 + 4 * abs(math.log(self.scale)))

    def growth(self, t: Array, radius: Array) -> Array:
        """log of max |base(t+z)|/base(t) over |z| ≤ radius."""
        return radius / self.scale + 0 * t

    @property
    def rate(self) -> float:
        """Growth rate of the terms of u and v."""
        return 2 / self.scale

    def tilt_slope(self, t: Array) -> Array:
        """Bound on |d/dt log f|: base 1/b, X′ or its inverse at most 6/b."""
        return np.full_like(t, 7.0 / self.scale)


@dataclass(frozen=True)
class AtomsOnly:
    """A finite loss distribution: atoms (loss, P-mass) in increasing order of loss, and the P-mass of infinite loss.

    `input_error` is what rounding large parameters adds to the error of the losses and the relative error of the masses.
    """

    atoms: tuple[tuple[float, float], ...]
    infinite_mass: float = 0.0
    input_error: float = 0.0
    is_gaussian = False
    degree = 0

    @property
    def lowest_loss(self) -> float:
        """The lowest atom."""
        return self.atoms[0][0] if self.atoms else math.inf

    @property
    def highest_loss(self) -> float:
        """The highest finite atom."""
        return math.inf if self.infinite_mass > 0 else self.atoms[-1][0]


LossLaw = GaussianMixture | LaplaceMixture | AtomsOnly


def loss_law(factor: pairs.Factor) -> LossLaw:
    """The float64 loss distribution of one step of a factor (its `reversed` flag included).

    Raises:
        InputError: pairs without a loss distribution here (densities of the user's, very large batches with replacement).
        PrecisionError: positive probabilities below LEAST.

    >>> loss_law(pairs.Factor(pairs.PoissonPair(Fraction(1, 4), pairs.GaussianPair(Fraction(2))))).upper
    (0.75, 0.25)
    """
    pair = factor.pair
    if isinstance(pair, pairs.GaussianPair):
        return GaussianMixture(to_float(pair.sigma), (0.0, 1.0), (1.0,))
    if isinstance(pair, pairs.SubstitutePair):
        weights = (_probability(1 - pair.q), _probability(pair.q))
        return GaussianMixture(to_float(pair.sigma), weights, weights)
    if isinstance(pair, pairs.WithReplacementPair):
        numbers = _binomial_weights(pair.population, pair.batch)
        return GaussianMixture(to_float(pair.sigma), numbers, numbers)
    if isinstance(pair, pairs.PoissonPair):
        return _poisson_law(pair.q, pair.base, factor.reversed)
    if isinstance(pair, pairs.LaplacePair):
        return LaplaceMixture(to_float(pair.scale), 1.0, 0.0)
    if isinstance(pair, (pairs.RandomizedResponsePair, pairs.FinitePair)):
        return _finite_law(Fraction(1), pair, factor.reversed)
    raise InputError(f"the float64 accountants have no loss distribution for {type(pair).__name__}; use dpbounds.contour")


def to_float(value: Exact) -> float:
    """The nearest float of an exact number (of a sympy number: of its 15-digit evaluation, assumed within one ulp)."""
    return float(value)


def _probability(value: Exact) -> float:
    """The nearest float of a probability, which must not be lost to underflow."""
    nearest = float(value)
    if nearest < LEAST and value > 0:
        raise PrecisionError(f"the float64 accountants decline probabilities below {LEAST:g}; use dpbounds.contour")
    return nearest


def _poisson_law(q: Exact, base: pairs.BasePair, swapped: bool) -> LossLaw:
    if q == 0:
        return AtomsOnly(((0.0, 1.0),))
    if isinstance(base, pairs.GaussianPair):
        weights = (_probability(1 - q), _probability(q))
        sigma = to_float(base.sigma)
        return GaussianMixture(sigma, (1.0,), weights) if swapped else GaussianMixture(sigma, weights, (1.0,))
    if isinstance(base, pairs.LaplacePair):
        return LaplaceMixture(to_float(base.scale), _probability(q), _probability(1 - q), swapped)
    if isinstance(base, (pairs.RandomizedResponsePair, pairs.FinitePair)):
        return _finite_law(q, base, swapped)
    raise InputError(f"the float64 accountants have no loss distribution for a sampled {type(base).__name__}; use dpbounds.contour")


def _finite_law(q: Exact, base: pairs.RandomizedResponsePair | pairs.FinitePair, swapped: bool) -> AtomsOnly:
    """Atoms of q·P₀+(1−q)·Q₀ against Q₀ (or swapped), from exact masses where they are rational."""
    rows: list[tuple[float, float, float]]
    input_error = 0.0
    if isinstance(base, pairs.RandomizedResponsePair):
        epsilon = to_float(base.epsilon)
        first, second = 1 / (1 + math.exp(-epsilon)), math.exp(-epsilon) / (1 + math.exp(-epsilon))
        rate, keep = _probability(q), _probability(1 - q)
        signed = (epsilon, -epsilon)
        losses = signed if rate == 1 else tuple(float(_log_two(np.array([value]), keep, rate)[0]) for value in signed)
        rows = [(losses[0], rate * first + keep * second, second), (losses[1], rate * second + keep * first, first)]
        input_error = 8 * UNIT_ROUNDOFF * epsilon
    else:
        rate_exact = q if isinstance(q, Fraction) else Fraction(to_float(q))
        rows = []
        for p0, q0 in zip(base.p, base.q, strict=True):
            mixed = rate_exact * p0 + (1 - rate_exact) * q0
            rows.append((_log_ratio(mixed, q0), _probability(mixed), _probability(q0)))
    if swapped:
        rows = [(-loss, q_mass, p_mass) for loss, p_mass, q_mass in rows]
    infinite = math.fsum(p for loss, p, _ in rows if loss == math.inf)
    merged: dict[float, list[float]] = {}
    for loss, p, _ in rows:
        if p > 0 and loss != math.inf:
            merged.setdefault(loss, []).append(p)
    return AtomsOnly(tuple((loss, math.fsum(masses)) for loss, masses in sorted(merged.items())), infinite, input_error)


def _log_ratio(p: Fraction, q: Fraction) -> float:
    if p == 0 or q == 0:
        return math.inf if p > 0 else -math.inf
    ratio = p / q
    if Fraction(1, 2) < ratio < 2:
        return math.log1p(float(ratio - 1))
    scale = ratio.numerator.bit_length() - ratio.denominator.bit_length()
    return math.log(float(ratio / Fraction(2) ** scale)) + scale * math.log(2)


def _binomial_weights(population: int, batch: int) -> tuple[float, ...]:
    """Binomial(batch, 1/population), cut where it falls below the smallest float."""
    if batch > MAX_BATCH:
        raise InputError(
            f"with-replacement batches above {MAX_BATCH} are beyond the float64 accountants, got {batch}; use dpbounds.contour"
        )
    rate = Fraction(1, population)
    weights: list[float] = []
    term = (1 - rate) ** batch
    if population == 1:
        return (0.0,) * batch + (1.0,)
    for ell in range(batch + 1):
        weights.append(float(term))
        if weights[-1] == 0.0 and ell > batch / population:
            break
        term = term * Fraction(batch - ell, ell + 1) * rate / (1 - rate)
    while weights and weights[-1] == 0.0:
        weights.pop()
    return tuple(weights)


def _log_two(exponent: Array, keep: float, q: float) -> Array:
    """log(keep + q·e^exponent), keep = 1−q: relative accuracy near zero by log1p, no overflow for large exponents."""
    if keep == 0.0:
        return exponent
    big = exponent > 600.0
    safe = np.where(big, 0.0, exponent) if big.any() else exponent
    result = np.log1p(q * np.expm1(safe)) if q <= 0.5 else np.log(keep + q * np.exp(safe))
    return np.where(big, np.logaddexp(exponent + math.log(q), math.log(keep)), result) if big.any() else result


def _log_two_error(exponent: Array, keep: float, q: float) -> Array:
    if keep == 0.0:
        return 6 * UNIT_ROUNDOFF * np.abs(exponent)
    log_value = _log_two(exponent, keep, q)
    if q > 0.5:
        share = np.ones_like(exponent)
    else:
        share = np.exp(np.minimum(np.maximum(exponent, 0.0) - np.maximum(log_value, -0.7) + math.log(q), 1.4))
    return (20 * UNIT_ROUNDOFF + LIBM) * (np.abs(exponent) + (1.0 if q > 0.5 else 0.0)) * share + LIBM * np.abs(log_value)


def _log_mixture(t: Array, weights: tuple[float, ...], sigma: float) -> Array:
    """log Σ weights[ℓ]·e^{(2tℓ−ℓ²)/2σ²}."""
    if len(weights) == 1:
        return np.zeros_like(t)
    if len(weights) == 2:
        return _log_two((2 * t - 1) / (2 * sigma**2), weights[0], weights[1])
    logs = _log_coefficients(weights, sigma)
    if logs.min() > -600.0:
        return _horner(t, np.exp(logs), sigma)[0]
    return special.logsumexp(np.multiply.outer(t, np.arange(len(weights)) / sigma**2) + logs, axis=-1)


def _log_keep(weights: tuple[float, ...]) -> float:
    """log of the first weight, of two by what it lacks to 1: many steps multiply its error."""
    if len(weights) == 2:
        return math.log1p(-weights[1]) if weights[1] < 1 else -math.inf
    return math.log(weights[0]) if weights[0] > 0 else -math.inf


def _log_coefficients(weights: tuple[float, ...], sigma: float) -> Array:
    """log b_ℓ − ℓ²/2σ²."""
    with np.errstate(divide="ignore"):
        return np.log(np.asarray(weights)) - np.arange(len(weights), dtype=float) ** 2 / (2 * sigma**2)


def _horner(t: Array, coefficients: Array, sigma: float) -> tuple[Array, Array]:
    """(log Σ c_ℓ x^ℓ, mean of ℓ) at x = e^{t/σ²}, in powers of x or 1/x, whichever is at most 1: positive terms, no cancellation."""
    top = len(coefficients) - 1
    positive = t > 0
    x = np.exp(-np.abs(t) / sigma**2)
    value, slope = np.zeros_like(t), np.zeros_like(t)
    for index in range(top, -1, -1):
        slope = slope * x + value
        value = value * x + np.where(positive, coefficients[top - index], coefficients[index])
    mean = x * slope / value
    return np.log(value) + np.where(positive, top * t / sigma**2, 0.0), np.where(positive, top - mean, mean)


def _log_mixture_error(t: Array, weights: tuple[float, ...], sigma: float) -> Array:
    if len(weights) == 2:
        return _log_two_error((2 * t - 1) / (2 * sigma**2), weights[0], weights[1])
    top = len(weights) - 1
    spread = max(abs(math.log(weight)) for weight in weights if weight > 0)
    largest = (2 * np.abs(t) * top + top**2) / (2 * sigma**2) + spread
    return (20 * UNIT_ROUNDOFF + LIBM) * (largest + len(weights)) + LIBM * np.abs(_log_mixture(t, weights, sigma))


def _mean_shift(t: Array, weights: tuple[float, ...], sigma: float) -> Array:
    """E[ℓ] under the weights tilted at t."""
    if len(weights) == 1:
        return np.zeros_like(t)
    if len(weights) == 2:
        exponent = (2 * t - 1) / (2 * sigma**2)
        return weights[1] * np.exp(exponent - _log_two(exponent, weights[0], weights[1]))
    logs = _log_coefficients(weights, sigma)
    if logs.min() > -600.0:
        return _horner(t, np.exp(logs), sigma)[1]
    shifts = np.arange(len(weights), dtype=float)
    return special.softmax(np.multiply.outer(t, shifts / sigma**2) + logs, axis=-1) @ shifts


def _turned(t: Array, weights: tuple[float, ...], sigma: float, theta: Array) -> Array:
    if len(weights) == 1:
        return np.ones((len(theta), len(t)), dtype=complex)
    if len(weights) == 2:
        return 1.0 + np.multiply.outer(-2 * np.sin(theta / 2) ** 2 + 1j * np.sin(theta), _mean_shift(t, weights, sigma))
    shifts = np.arange(len(weights), dtype=float)
    logs = _log_coefficients(weights, sigma)
    tilted = special.softmax(np.multiply.outer(t, shifts / sigma**2) + logs, axis=-1)
    return np.exp(1j * np.multiply.outer(theta, shifts)) @ tilted.T


def _single_inverse(s: Array, weights: tuple[float, ...], sigma: float) -> Array:
    """t = ½ + σ²·log((e^s − (1−q))/q), as log1p(expm1(s)/q) where that is more accurate."""
    keep, q = weights
    if keep == 0.0:
        return 0.5 + sigma**2 * s
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        near = np.log1p(np.maximum(np.expm1(np.minimum(s, 600.0)) / q, -1.0))
        return 0.5 + sigma**2 * np.where(s > 600.0, s - math.log(q), near)


def _newton_inverse(law: GaussianMixture, s: Array) -> Array:
    """Monotone interpolation of L followed by safeguarded Newton steps, vectorised."""
    reach = law.sigma * 45.0 + law.degree + 1.0
    ends = np.array([-reach, reach])
    for _ in range(40):
        least, most = law.loss(ends)
        if least < float(s.min()) and most > float(s.max()):
            break
        ends = 2 * ends
    low, high = np.full_like(s, ends[0]), np.full_like(s, ends[1])
    coarse = np.linspace(ends[0], ends[1], 4001)
    t = np.interp(s, law.loss(coarse), coarse)
    active = np.arange(len(s))
    for _ in range(60):
        if not len(active):
            break
        at, goal = t[active], s[active]
        gap = law.loss(at) - goal
        low[active], high[active] = np.where(gap < 0, at, low[active]), np.where(gap > 0, at, high[active])
        with np.errstate(divide="ignore", invalid="ignore"):
            step = at - gap / law.loss_slope(at)
        inside = (step >= low[active]) & (step <= high[active])
        moved = np.where(gap == 0, at, np.where(inside, step, 0.5 * (low[active] + high[active])))
        t[active] = moved
        done = (np.abs(moved - at) <= 1e-15 * (np.abs(at) + law.sigma)) | (np.abs(gap) <= 4e-16 * (1e-3 + np.abs(goal)))
        active = active[~done]
    return t


def _log_tail(terms: list[tuple[float, Any]]) -> Any:
    """log Σ w·Φ(z), rounded up by the model's error."""
    values = np.array([math.log(weight) + special.log_ndtr(z) for weight, z in terms if weight > 0])
    total = np.logaddexp.reduce(values, axis=0)
    return total + (SPECIAL + 16 * UNIT_ROUNDOFF) * (1 + np.abs(total)) + 8 * LIBM
