"""The moments accountant of Abadi et al. 2016: integer moments of Poisson sampling in the remove direction, in float64.

α(λ) = log E_P e^{λL} = log Σ_j C(λ+1, j)(1−q)^{λ+1−j} q^j e^{j(j−1)/2σ²}; δ ≤ min_λ e^{kα(λ)−λε}, ε ≤ min_λ (kα(λ) + log(1/δ))/λ.
Source: Abadi et al. 2016, Theorem 2; the binomial sum: Mironov, Talwar & Zhang 2019 §3.3. All terms are positive.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import special

DEFAULT_ORDERS = tuple(range(1, 65))


def approx_log_moment(q: float, sigma: float, order: int) -> float:
    """α(λ) at an integer λ ≥ 1.

    >>> abs(approx_log_moment(1.0, 2.0, 3) - 3 * 4 / 8) < 1e-12
    True
    """
    j = np.arange(order + 2, dtype=float)
    choose = special.gammaln(order + 2.0) - special.gammaln(j + 1) - special.gammaln(order + 2 - j)
    logs = choose + special.xlogy(order + 1 - j, 1 - q) + special.xlogy(j, q) + j * (j - 1) / (2 * sigma**2)
    return float(special.logsumexp(logs))


def approx_delta(q: float, sigma: float, steps: int, epsilon: float, orders: tuple[int, ...] = DEFAULT_ORDERS) -> float:
    """The smallest Chernoff value of δ(ε) over the orders, at most 1 (float64, no proof).

    >>> approx_delta(0.01, 2.0, 100, 1.0) < 0.01
    True
    """
    return min(1.0, math.exp(min(0.0, min(steps * approx_log_moment(q, sigma, order) - order * epsilon for order in orders))))


def approx_epsilon(q: float, sigma: float, steps: int, delta: float, orders: tuple[int, ...] = DEFAULT_ORDERS) -> float:
    """The smallest ε over the orders (float64, no proof).

    >>> approx_epsilon(0.01, 2.0, 100, 1e-5) < 2
    True
    """
    return min((steps * approx_log_moment(q, sigma, order) + math.log(1 / delta)) / order for order in orders)
