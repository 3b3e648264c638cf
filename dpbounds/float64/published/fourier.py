"""The Fourier accountant as published: density on a grid, periodised, FFT power, Riemann sum.

Source: Koskela, Jälkö & Honkela, "Computing Tight Differential Privacy Guarantees Using FFT", AISTATS 2020, §5 (Algorithm 1),
§5.4 (Newton), §5.5 (varying mechanisms), §6 (pairs). These are estimates without a proof of their error: every name says `approx_`.
Bounds are in `lattice` and `fast_contour`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dpbounds.errors import InputError, PrecisionError
from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.laws import loss_law
from dpbounds.float64.logarithms import Array
from dpbounds.mechanisms import pairs

DEFAULT_RADIUS = 12.0
DEFAULT_POINTS = 2**20
MASS_TOLERANCE = 0.05
"""How far the total mass may be from 1: at 50,000 points, the coarsest grid of the paper, it is 0.01 away."""


@dataclass(frozen=True, eq=False)
class ConvolvedLoss:
    """The density of the total privacy loss at the points −L + iΔx, i < n, Δx = 2L/n: the vector C^k of Algorithm 1.

    >>> from dpbounds import mechanisms as m
    >>> product = pairs.dominating_pairs(m.Repeated(m.Sampled(m.Gaussian("1.5"), m.PoissonSampling("0.01")), 100), direction="remove")[0]
    >>> convolved = convolved_loss(product, radius=4, points=2**14)
    >>> 0 < convolved.approx_delta(0.5) < 1e-3
    True
    """

    radius: float
    density: Array

    @property
    def step(self) -> float:
        """Δx = 2L/n."""
        return 2.0 * self.radius / len(self.density)

    @property
    def mass(self) -> float:
        """Δx Σ C^k(x), which is 1 but for the error of the grid."""
        return float(self.step * self.density.sum())

    def _beyond(self, epsilon: float) -> tuple[Array, Array]:
        first = max(0, math.floor((epsilon + self.radius) / self.step) - 1)
        grid = -self.radius + self.step * np.arange(first, len(self.density))
        above = grid > epsilon
        return grid[above], self.density[first:][above]

    def approx_delta(self, epsilon: float) -> float:
        """The Riemann sum (5.2): δ(ε) ≈ Δx Σ_{x>ε} (1 − e^{ε−x}) C^k(x). An estimate: neither an upper nor a lower bound."""
        grid, density = self._beyond(epsilon)
        return float(self.step * np.dot(-np.expm1(epsilon - grid), density))

    def approx_slope(self, epsilon: float) -> float:
        """The derivative (5.3): δ′(ε) ≈ −Δx Σ_{x>ε} e^{ε−x} C^k(x)."""
        grid, density = self._beyond(epsilon)
        return float(-self.step * np.dot(np.exp(epsilon - grid), density))

    def approx_epsilon(self, delta: float, tolerance: float | None = None, iterations: int = 100) -> float:
        """ε with δ(ε) = delta by Newton's method from ε = 0 (§5.4), bisecting where a step leaves the bracket [0, L].

        Args:
            delta: target in (0, 1).
            tolerance: stop when |δ(ε) − delta| is at most this; None means 1e-10·delta.

        Raises:
            InputError: delta outside (0, 1).
            PrecisionError: no ε in [0, L] reaches the target.
        """
        if not 0 < delta < 1:
            raise InputError(f"delta must lie in (0, 1), got {delta}")
        goal = 1e-10 * delta if tolerance is None else tolerance
        if self.approx_delta(0.0) <= delta:
            return 0.0
        low, high, epsilon = 0.0, self.radius, 0.0
        for _ in range(iterations):
            gap = self.approx_delta(epsilon) - delta
            if abs(gap) <= goal:
                return epsilon
            low, high = (epsilon, high) if gap > 0 else (low, epsilon)
            slope = self.approx_slope(epsilon)
            moved = epsilon - gap / slope if slope < 0 else math.inf
            epsilon = moved if low < moved < high else 0.5 * (low + high)
        raise PrecisionError(f"Newton did not reach delta = {delta} on [0, {self.radius}]; use a larger radius or more points")


def loss_density(law: GaussianMixture, losses: Array) -> Array:
    """ω(s) = p(L⁻¹(s))·dL⁻¹(s)/ds, zero outside the range of L (Definition 4)."""
    inside = (losses > law.lowest_loss) & (losses < law.highest_loss)
    result = np.zeros_like(losses)
    t = law.inverse_loss(losses[inside])
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        density = np.exp(law.log_density(t)) / law.loss_slope(t)
    result[inside] = np.where(np.isfinite(density), density, 0.0)
    return result


def approx_tent_atoms(atoms: tuple[tuple[float, float], ...], radius: float, points: int) -> Array:
    """Atoms as a density on the grid: each mass shared by its two neighbours in proportion (an extension; §9 leaves it open)."""
    step, result = 2 * radius / points, np.zeros(points)
    for loss, mass in atoms:
        place = (loss + radius) / step
        cell = math.floor(place)
        if 0 <= cell < points - 1:
            result[cell] += mass * (cell + 1 - place) / step
            result[cell + 1] += mass * (place - cell) / step
    return result


def convolved_loss(product: pairs.Product, radius: float = DEFAULT_RADIUS, points: int = DEFAULT_POINTS) -> ConvolvedLoss:
    """C = Δx⁻¹ D F⁻¹(Π F(D ω_i Δx)^{k_i}): Algorithm 1, and §5.5 for different mechanisms.

    Args:
        product: the pairs composed, with their numbers of steps.
        radius: L > 0, the truncation.
        points: n, even.

    Raises:
        InputError: an odd n, L ≤ 0, a grid so coarse that the total mass is more than `MASS_TOLERANCE` away from 1.
    """
    if points < 2 or points % 2:
        raise InputError(f"points must be an even number >= 2, got {points}")
    if not 0 < radius < math.inf:
        raise InputError(f"radius must be > 0, got {radius}")
    step = 2.0 * radius / points
    grid = -radius + step * np.arange(points)
    transform: Array | None = None
    for factor in product.factors:
        law = loss_law(factor)
        density = approx_tent_atoms(law.atoms, radius, points)
        if isinstance(law, GaussianMixture):
            density += loss_density(law, grid)
        elif law.degree != 0:
            low, high = law.lowest_loss, law.highest_loss
            inside = (grid > low) & (grid < high)
            t = law.inverse_loss(grid[inside])  # type: ignore[union-attr]
            density[inside] += np.exp(law.log_density(t)) / law.loss_slope(t)  # type: ignore[union-attr]
        half = points // 2
        swapped = np.concatenate((density[half:], density[:half]))
        power = np.fft.rfft(swapped * step) ** factor.steps
        transform = power if transform is None else transform * power
    assert transform is not None
    convolved = np.fft.irfft(transform, points) / step
    half = points // 2
    found = ConvolvedLoss(float(radius), np.concatenate((convolved[half:], convolved[:half])))
    if not abs(found.mass - 1) <= MASS_TOLERANCE:
        raise InputError(
            f"{points} points on [-{radius:g}, {radius:g}] give the loss a mass of {found.mass:.3g} instead of 1; use more points"
        )
    return found


def approx_fourier_delta(product: pairs.Product, epsilon: float, radius: float = DEFAULT_RADIUS, points: int = DEFAULT_POINTS) -> float:
    """δ(ε) of a product of pairs by Algorithm 1 (an estimate).

    >>> from dpbounds.mechanisms import Gaussian
    >>> (product,) = pairs.dominating_pairs(Gaussian(1), direction="remove")
    >>> round(approx_fourier_delta(product, 1.0, 12.0, 2**12), 4)
    0.1269
    """
    return convolved_loss(product, radius, points).approx_delta(epsilon)


def approx_fourier_epsilon(product: pairs.Product, delta: float, radius: float = DEFAULT_RADIUS, points: int = DEFAULT_POINTS) -> float:
    """ε(δ) of a product of pairs by Algorithm 1 and Newton's method (an estimate)."""
    return convolved_loss(product, radius, points).approx_epsilon(delta)
