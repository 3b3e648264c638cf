"""Gaussian pairs as float64 loss distributions: the density of an increasing loss.

Every Gaussian pair of the package is one family,

    P = Σ b_ℓ N(ℓ, σ²),   Q = Σ d_ℓ N(−ℓ, σ²),   p = φ·u,   q = φ·v,
    u(t) = Σ b_ℓ e^{(2tℓ−ℓ²)/2σ²} (increasing),   v(t) = Σ d_ℓ e^{(−2tℓ−ℓ²)/2σ²} (decreasing),

so the loss L = log u − log v increases with t. Swapping P and Q and reflecting t swaps b and d: both directions are one class.
Sources: Koskela, Jälkö & Honkela 2020 §6; dominating pairs as in `dpbounds.mechanisms.pairs`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import special

from dpbounds.float64.logarithms import Array, log_keep, log_two, log_two_error
from dpbounds.float64.rounding import LIBM, SPECIAL, UNIT_ROUNDOFF


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
    atoms: ClassVar[tuple[tuple[float, float], ...]] = ()
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
        return _log_first(self.upper) if len(self.lower) == 1 else -math.inf

    @property
    def highest_loss(self) -> float:
        """sup L (inf when unbounded)."""
        return -_log_first(self.lower) if len(self.upper) == 1 else math.inf

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


def _log_mixture(t: Array, weights: tuple[float, ...], sigma: float) -> Array:
    """log Σ weights[ℓ]·e^{(2tℓ−ℓ²)/2σ²}."""
    if len(weights) == 1:
        return np.zeros_like(t)
    if len(weights) == 2:
        return log_two((2 * t - 1) / (2 * sigma**2), weights[0], weights[1])
    logs = _log_coefficients(weights, sigma)
    if logs.min() > -600.0:
        return _horner(t, np.exp(logs), sigma)[0]
    return special.logsumexp(np.multiply.outer(t, np.arange(len(weights)) / sigma**2) + logs, axis=-1)


def _log_first(weights: tuple[float, ...]) -> float:
    """log of the first weight, of one near 1 by what it lacks to 1: many steps multiply its error."""
    return log_keep(math.fsum(weights[1:]), weights[0])


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
        return log_two_error((2 * t - 1) / (2 * sigma**2), weights[0], weights[1])
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
        return weights[1] * np.exp(exponent - log_two(exponent, weights[0], weights[1]))
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
    if not s.size:
        return s
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
