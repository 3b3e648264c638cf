"""Where to integrate F: angle, step and ends of the Mellin integral. Float64 estimates; nothing here enters a bound."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from dpbounds.laws.allocation.lognormal import approx_inner_rule
from dpbounds.laws.paths.allocation_model import AllocationModel, log_gamma

_ANGLES = 14
_SHIFTS = 24
_SAMPLES = 40
_RISES = [0.25 * 1.3**index for index in range(60)]
"""Powers of the right end that are tried, above the least one."""


@dataclass(frozen=True)
class RaySum:
    """The sum over x_j = jh, first ≤ j ≤ last, on the ray arg s = θ.

    Args:
        theta: 0 ≤ θ < π/2. step: h, or about h. up, down: the shifts a, b of the error of the step. power: p
        of the right end. tolerance: D of Φ; errors of about e^{−D}Φ are aimed at. lost: nats that cancel.
    """

    theta: float
    step: float
    first: int
    last: int
    up: float
    down: float
    power: float
    tolerance: float
    lost: float

    @property
    def count(self) -> int:
        """The number of nodes."""
        return self.last - self.first + 1


def log_markov_constant(model: AllocationModel, p: float) -> float:
    """log C of `mean_of_lognormals`: Φ_n(r) ≤ C r^{−p}, p ≥ n."""
    q = p - model.weight
    return p * math.log(p) - p + (q + q * q / model.bins) / (2 * model.sigma**2)


def best_ray(model: AllocationModel, c: float, height: float, tolerance: float) -> tuple[float, RaySum]:
    """The cheapest ray found for |error of G(c + iy)| ≤ e^{−D}G(c), 0 ≤ y ≤ height, with its cost in about
    microseconds.

    An error e of φ is a relative error of about t·e/φ in Φ_n, so it may matter where Φ_n itself no longer does.
    """
    if height == 0:
        angles = [math.pi / 2]
    else:
        ratio = min(0.75, 0.24 / height) ** (1 / _ANGLES)
        angles = [1.5 * ratio**index for index in range(_ANGLES + 1)]
    log_moment = model.log_moments(c)[0]
    # Both ends of the line, where |Γ(c)/Γ(c + iy)|, convex in y, is largest; and the right ends, which no angle changes.
    ends = (0.0, 0.0), (height, math.lgamma(c) - log_gamma(complex(c, height)).real)
    least = max(c, model.weight)
    rights = [(least + rise, log_markov_constant(model, least + rise), math.log(least + rise - c)) for rise in _RISES]
    cost, ray = min((_ray(model, c, log_moment, ends, rights, tolerance, angle) for angle in angles), key=lambda option: option[0])
    shift = math.log(math.cos(ray.theta))
    rows = []
    for index in range(_SAMPLES + 1):
        x = ray.step * (ray.first + (ray.last - ray.first) * index / _SAMPLES)
        highest = model.log_single(x + shift, model.weight) - model.log_single(-math.inf, model.weight)
        rows.append((c * x + model.log_transform(x + shift), highest))
    extra = max(size - single for size, single in rows) - max(size for size, _ in rows)
    return cost * (1 + extra / ray.tolerance), replace(ray, tolerance=ray.tolerance + max(0.0, extra))


def _ray(
    model: AllocationModel,
    c: float,
    log_moment: float,
    ends: tuple[tuple[float, float], tuple[float, float]],
    rights: list[tuple[float, float, float]],
    tolerance: float,
    angle: float,
) -> tuple[float, RaySum]:
    sigma, bins = model.sigma, model.bins
    theta = math.pi / 2 - angle
    (low, more_low), (high, more_high) = ends
    amplified = max(more_low - low * theta, more_high - high * theta)
    gain = math.log(math.cos(theta))
    lost = max(0.0, amplified - c * gain)
    inverse, shifts = 0.0, []
    for sign, limit in ((1, angle), (-1, theta + math.pi / 2)):
        best = (math.inf, 0.0)
        for index in range(1, _SHIFTS + 1):
            a = limit * index / (_SHIFTS + 1)
            turned = theta + sign * a
            worst = max(more_low - low * turned, more_high - high * turned) - c * math.log(math.cos(turned))
            option = max(1e-9, tolerance + 2 + worst) / (2 * math.pi * a)
            if option > best[0]:
                break  # a convex function of a, over a, falls and then rises
            best = option, a
        inverse = max(inverse, best[0])
        shifts.append(best[1])
    step = 1 / inverse
    log_size = math.lgamma(c) + log_moment
    left = (log_size - tolerance - 2 - amplified + math.log(c) - model.log_transform(-math.inf)) / c
    right, power = math.inf, rights[0][0]
    for p, constant, log_gap in rights:
        x = (constant - p * gain + tolerance + 2 + amplified - log_size - log_gap) / (p - c)
        if x > right:
            break  # a convex function of p, over p − c
        right, power = x, p
    first, last = math.floor(left / step), math.ceil(right / step)
    ray = RaySum(theta, step, first, last, shifts[0], shifts[1], power, tolerance + lost + math.log(bins) + 2, lost)
    return ray.count * (4 + 0.03 * ray.tolerance) + approx_inner_rule(sigma, theta, step, ray.count, ray.tolerance)[0], ray
