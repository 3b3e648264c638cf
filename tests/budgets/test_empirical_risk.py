"""Noise on a minimiser and on an objective: the bounds against minimisers that are computed, and densities that are integrated."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar

from dpbounds.budgets.empirical_risk import minimiser_noise_rate_of, minimiser_sensitivity_of, objective_noise_of
from dpbounds.errors import InputError


def logistic(values):
    return np.logaddexp(0.0, -values)


def minimiser(points, strength):
    """argmin of the regularised logistic loss; labels are in the sign of the points."""
    start = np.zeros(points.shape[1])
    found = minimize(lambda w: logistic(points @ w).mean() + strength * (w @ w) / 2, start, method="BFGS", options={"gtol": 1e-10})
    return found.x


@pytest.mark.parametrize("strength", [0.02, 0.5])
def test_no_minimiser_moves_further_than_the_sensitivity(strength):
    generator, largest = np.random.default_rng(0), 0.0
    for _ in range(6):
        points = generator.normal(size=(20, 3))
        points /= np.maximum(1.0, np.linalg.norm(points, axis=1))[:, None]
        other = points.copy()
        other[0] = -points[0] / np.linalg.norm(points[0])
        largest = max(largest, float(np.linalg.norm(minimiser(points, strength) - minimiser(other, strength))))
    bound = minimiser_sensitivity_of(20, str(strength)).upper_float
    assert bound / 200 <= largest <= bound


def test_the_sensitivity_is_attained_by_linear_losses():
    """ℓ(z) = −z is convex with |ℓ′| = 1; with θ²/2 the minimiser is the mean of the x over Λ."""
    first, second = np.array([1.0] + [0.0] * 9), np.array([-1.0] + [0.0] * 9)
    gap = abs(first.mean() - second.mean()) / 0.1
    bound = minimiser_sensitivity_of(10, "0.1")
    assert bound.lower_float <= gap * (1 + 1e-12) and gap <= bound.upper_float * (1 + 1e-12)
    assert minimiser_noise_rate_of(3, 10, "0.1").contains(3 / 2)


CASES = [("1", 50, "0.1"), ("2", 20, "0.001"), ("0.1", 50, "0.01")]


@pytest.mark.parametrize(("epsilon", "records", "strength"), CASES)
def test_the_density_of_the_perturbed_minimiser_changes_by_at_most_e_to_the_epsilon(epsilon, records, strength):
    """In one dimension b = −n·∂(J + Δθ²/2), so that the density of θ is (β/2)·e^{−β|b|}·|∂b/∂θ|, in closed form."""
    noise = objective_noise_of(epsilon, records, strength, "1/4")
    extra, rate = noise.extra.upper_float, noise.rate.lower_float
    grid = np.linspace(-60, 60, 4001)

    def log_density(points):
        margins = np.outer(grid, points)
        share = 1 / (1 + np.exp(np.clip(margins, -500, 500)))
        b = (share * points).sum(axis=1) - records * (float(strength) + extra) * grid
        slope = (share * (1 - share) * points**2).sum(axis=1) + records * (float(strength) + extra)
        return -rate * np.abs(b) + np.log(slope)

    generator, largest = np.random.default_rng(0), 0.0
    for fixed in (np.zeros(records - 1), np.ones(records - 1), generator.uniform(-1, 1, records - 1)):
        for pair in ((1.0, -1.0), (1.0, 0.0), (0.3, -1.0)):
            one, other = (log_density(np.append(fixed, value)) for value in pair)
            largest = max(largest, float(np.abs(one - other).max()))
    assert float(epsilon) / 20 <= largest <= float(epsilon) * (1 + 1e-9)


def test_both_branches_and_their_border():
    """At ε = 2·log(1 + t) nothing is left for the noise; below, the objective gets more convex."""
    share = 0.25 / (10 * 0.1)
    border = 2 * math.log1p(share)
    above, below = (objective_noise_of(f"{border * factor:.9f}", 10, "0.1", "1/4") for factor in (1.5, 0.9))
    assert above.extra.upper == 0 and below.extra.lower > 0
    assert abs(above.rate.upper_float - border * 0.25) <= 1e-8
    assert abs(below.rate.upper_float - border * 0.9 / 4) <= 1e-8
    assert abs(below.extra.upper_float - (0.25 / (10 * math.expm1(border * 0.9 / 4)) - 0.1)) <= 1e-8
    with pytest.raises(InputError, match="curvature must be > 0"):
        objective_noise_of(1, 10, "0.1", 0)


def test_a_larger_bound_on_the_slope_costs_in_proportion():
    assert minimiser_sensitivity_of(10, 1, 3).contains(3 * minimiser_sensitivity_of(10, 1).upper)
    found = minimize_scalar(lambda w: 3 * abs(w - 1) + w * w / 2, bounds=(-5, 5), method="bounded").x
    assert abs(found - 1) <= minimiser_sensitivity_of(1, 1, 3).upper_float
