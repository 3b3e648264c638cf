"""The normal approximation of the total loss with its Berry–Esseen error (Sommer, Meiser & Mohammadi 2019, Theorem 6).

The total loss S of k equal steps has mean kμ and variance ks². Since δ(ε) = ∫_ε^∞ e^{ε−x} P(S > x) dx and the weight e^{ε−x} has integral 1
on (ε, ∞), |δ − δ_normal| ≤ sup_x |P(S ≤ x) − Φ| ≤ C·ρ/(s³√k), ρ = E|L−μ|³, C = 0.4690 for equal terms (Shevtsova 2013).
δ_normal(ε) = Φ(z) − e^{ε−m+v/2}Φ(z−√v) with m = kμ, v = ks², z = (m−ε)/√v.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from dpbounds.errors import InputError
from dpbounds.float64.laws import loss_law
from dpbounds.float64.saddle import approx_nodes
from dpbounds.mechanisms import pairs

CONSTANT = 0.4690


@dataclass(frozen=True)
class NormalApproximation:
    """δ of the normal law, and the interval δ ± error cut to [0, 1]; moments by float64 quadrature, hence `approx_`."""

    approx_delta: float
    error: float

    @property
    def approx_lower(self) -> float:
        """max(0, δ − error)."""
        return max(0.0, self.approx_delta - self.error)

    @property
    def approx_upper(self) -> float:
        """min(1, δ + error)."""
        return min(1.0, self.approx_delta + self.error)


def normal_approximation(product: pairs.Product, epsilon: float) -> NormalApproximation:
    """The approximation for k uses of one pair.

    Raises:
        InputError: several different pairs, or a chance of infinite loss.

    >>> from dpbounds import mechanisms as m
    >>> product = pairs.dominating_pairs(m.Repeated(m.Sampled(m.Gaussian(1), m.PoissonSampling("0.02")), 4096), direction="remove")[0]
    >>> found = normal_approximation(product, 2.0)
    >>> 0 < found.approx_delta < 0.2 and found.error < 0.1
    True
    """
    if len(product.factors) != 1:
        raise InputError(f"the Berry-Esseen accountant needs one pair repeated, got {len(product.factors)} different ones")
    law, steps = loss_law(product.factors[0]), product.factors[0].steps
    if law.infinite_mass > 0:
        raise InputError("the Berry-Esseen accountant needs a finite loss")
    nodes = approx_nodes(law, 1.0)
    weights = np.exp(nodes.log_weights)
    mean = float(weights @ nodes.losses)
    centred = nodes.losses - mean
    variance, third = float(weights @ centred**2), float(weights @ np.abs(centred) ** 3)
    error = CONSTANT * third / (variance**1.5 * math.sqrt(steps))
    total_mean, total_variance = steps * mean, steps * variance
    z = (total_mean - epsilon) / math.sqrt(total_variance)
    log_second = epsilon - total_mean + total_variance / 2 + float(special.log_ndtr(z - math.sqrt(total_variance)))
    return NormalApproximation(max(0.0, float(special.ndtr(z)) - math.exp(log_second)), error)
