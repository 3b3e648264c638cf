"""Error estimates and bounds of the Fourier accountant, as published, for Poisson sampling in the remove direction.

Source: Koskela, Jälkö & Honkela 2020 §7: Lemma 7 (periodisation), Theorem 8 and (7.3) (tail), (7.4) (discretisation).
q is the sampling rate, σ the noise multiplier, k the number of steps, L the radius, n the number of points.
"""

from __future__ import annotations

import math

import numpy as np

from dpbounds.errors import InputError
from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.published.fourier import convolved_loss
from dpbounds.mechanisms import pairs


def approx_log_moment(q: float, sigma: float, order: float) -> float:
    """α(λ) = log E_P e^{λL} by the trapezoid rule (float64, no proof).

    >>> 0 < approx_log_moment(0.01, 2.0, 1.0) < 1e-3
    True
    """
    law = GaussianMixture(sigma, (1 - q, q), (1.0,))
    width = 14.0 * sigma
    t = np.linspace(-width, width + order + 2.0, 4001)
    exponents = law.log_density(t) + order * law.loss(t)
    top = float(exponents.max())
    return top + math.log(float(np.exp(exponents - top).sum()) * (t[1] - t[0]))


def approx_tail_estimate(q: float, sigma: float, steps: int, radius: float) -> float:
    """(7.3): exp(k·q²λ(λ+1)/((1−q)σ²))·e^{−λL} with λ = L/2. An estimate: the O(q³λ³/σ³) term of Lemma 9 is dropped.

    >>> 3.31e-1 < approx_tail_estimate(0.01, 1.5, 10**4, 2.0) < 3.33e-1
    True
    """
    order = radius / 2
    return math.exp(steps * q**2 * order * (order + 1) / ((1 - q) * sigma**2) - order * radius)


def tail_estimate_applies(q: float, sigma: float, radius: float) -> bool:
    """The conditions of Lemma 9 at λ = L/2: σ ≥ 1, q < 1/(16σ), λ ≤ σ²·log(1/(qσ)).

    >>> tail_estimate_applies(0.01, 2.0, 19), tail_estimate_applies(0.01, 1.0, 12)
    (False, False)
    """
    order = radius / 2
    return sigma >= 1 and q < 1 / (16 * sigma) and order == int(order) and order <= sigma**2 * math.log(1 / (q * sigma))


def tail_bound(q: float, sigma: float, steps: int, radius: float) -> float:
    """Theorem 8: (1 + 2q²(L/2+1)(L/2)/σ²)^k·e^{−L²/2} bounds the mass of the total loss above L (formula evaluated in float64).

    Raises:
        InputError: where a side condition of the theorem fails; the message names it.

    >>> tail_bound(0.01, 5.0, 100, 6.0) < 1e-6
    True
    """
    order = radius / 2
    if not (q <= 0.2 and sigma >= 4):
        raise InputError(f"Theorem 8 needs q <= 1/5 and sigma >= 4, got q = {q}, sigma = {sigma}")
    if not order > 1:
        raise InputError(f"Theorem 8 needs L/2 > 1, got L = {radius}")
    c = math.log1p(1 / (q * (order - 1)))
    first = 0.5 * sigma**2 * c - 2 * math.log(sigma)
    second = (0.5 * sigma**2 * c - math.log(5) - 2 * math.log(sigma)) / (c + math.log(q * order) + 1 / (2 * sigma**2))
    if not order <= min(first, second):
        raise InputError(f"Theorem 8 needs L/2 <= {min(first, second):.6g} at these q and sigma, got L = {radius}")
    return math.exp(steps * math.log1p(2 * q**2 * (order + 1) * order / sigma**2) - order * radius)


def approx_periodisation_bound(q: float, sigma: float, steps: int, radius: float, terms: int = 50) -> float:
    """Lemma 7: Lkσe^{−(σ²L+C)²/2σ²} + e^{α(L/2)}e^{−L²/2} + 2Σ_n e^{kα(nL)}e^{−2(nL)²}, C = σ²log(1/2q) − ½.

    The moments α are `approx_log_moment`, hence the name. The infinite sum is cut after `terms`; it is reported as inf when it grows.

    Raises:
        InputError: q outside (0, ½) or L < 1.

    >>> approx_periodisation_bound(0.01, 4.0, 30, 4.0) < 1e-3
    True
    """
    if not (0 < q < 0.5 and radius >= 1):
        raise InputError(f"Lemma 7 needs 0 < q < 1/2 and L >= 1, got q = {q}, L = {radius}")
    shift = sigma**2 * math.log(1 / (2 * q)) - 0.5
    first = radius * steps * sigma * math.exp(-((sigma**2 * radius + shift) ** 2) / (2 * sigma**2))
    second = math.exp(approx_log_moment(q, sigma, radius / 2) - radius**2 / 2)
    total, previous = 0.0, math.inf
    for n in range(1, terms + 1):
        exponent = steps * approx_log_moment(q, sigma, n * radius) - 2 * (n * radius) ** 2
        if exponent > 700 or (n > 1 and exponent > previous):
            return math.inf
        total, previous = total + math.exp(exponent), exponent
        if exponent < -750:
            break
    return first + second + 2 * total


def approx_discretisation_estimate(product: pairs.Product, epsilon: float, radius: float, points: int) -> float:
    """(7.4): err(L, n) = 2·|I_n − I_{2n}|."""
    coarse = convolved_loss(product, radius, points).approx_delta(epsilon)
    fine = convolved_loss(product, radius, 2 * points).approx_delta(epsilon)
    return 2 * abs(coarse - fine)
