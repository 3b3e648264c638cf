"""The boundaries, thresholds and moments of the last entries, again from their words."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import gammaln, logsumexp

HEADING = "Open ends of the sources"
QUICK, FULL = 60, 6000
TOLERANCE = 1e-9


def log_moment(order: int, sigma: float, rate: float) -> float:
    """log Σ C(α,k)(1−q)^{α−k}q^k e^{k(k−1)/(2σ²)}, whole orders."""
    k = np.arange(order + 1)
    binomial = gammaln(order + 1) - gammaln(k + 1) - gammaln(order - k + 1)
    return float(logsumexp(binomial + (order - k) * np.log1p(-rate) + k * np.log(rate) + k * (k - 1) / (2 * sigma**2)))


def appendix(sigma: float, part: float) -> float:
    """αq²/σ² less D_α at q = part/σ and the largest whole order that is allowed, as a part of the bound."""
    rate = part / sigma
    orders = range(2, int(sigma**2 * np.log(1 / part) + 1) + 1)
    return min((1 - log_moment(a, sigma, rate) / (a - 1) / (a * rate**2 / sigma**2) for a in orders), default=1.0)


def average(order: int, x: float) -> float:
    """The moment of the average of N(1, 1) and N(−x, 1) over that of N(1, 1), as a logarithm."""
    k = np.arange(order + 1)
    binomial = gammaln(order + 1) - gammaln(k + 1) - gammaln(order - k + 1)
    powers = k * (k - 1) / 2 + (order - k) * (order - k - 1) / 2 * x**2 - k * (order - k) * x
    return float(logsumexp(binomial + powers) - order * np.log(2) - order * (order - 1) / 2)


def margins(rng: np.random.Generator, many: int, false: bool = False) -> Iterator[np.ndarray]:
    """What is left of each; false: Conjecture 1 up to twice its thresholds."""
    for part, least in ((1 / 16, 1.1071), (1 / 32, 1.052), (1 / 64, 1.0), (1 / 6, 1.127)):
        for _ in range(many // 10):
            yield np.array([appendix(least + rng.exponential() * rng.choice([0.01, 1]), part * rng.choice([1, rng.random()]))])
    for order, first, then in ((2, 1.427, 1.428), (3, 1.282, 1.283), (4, 1.204, 1.205), (6, 1.129, 1.130)):
        top = 2 * first if false else first
        yield np.array([-average(order, x) for x in rng.uniform(1, top, many)])
        yield np.array([average(order, x) for x in then + rng.exponential(size=many)])
    sigmas = 1 + rng.exponential(size=many) * rng.choice([0.3, 3, 30])  # C(1/2, 2) over whole orders
    yield np.array([1 - np.exp(log_moment(max(2, int(2 * s**2)), s, 0.5 / s)) / 2.1274 for s in sigmas[2 * sigmas**2 < 2000]])
    size, rate = 4, rng.random((many, 1))  # the reverse moment of a sampled mechanism, every real order
    order = 1 + rng.exponential(size=(many, 1)) * rng.choice([0.1, 1, 4], (many, 1))
    p, q = rng.dirichlet(np.ones(size), many) + 1e-9, rng.dirichlet(np.ones(size), many) + 1e-9
    p, q = p / p.sum(axis=1, keepdims=True), q / q.sum(axis=1, keepdims=True)
    s, m = rate * p + (1 - rate) * q, rate * q + (1 - rate) * p

    def moment(first: np.ndarray, second: np.ndarray) -> np.ndarray:
        return (first**order * second ** (1 - order)).sum(axis=1)

    theta = (3 * (1 - rate) / (3 + 2 * (order - 2) * rate))[:, 0]
    forward, backward = moment(s, q), moment(m, p)
    yield 1 - moment(q, s) / (theta * forward + (1 - theta) * backward)
    yield 1 - moment(q, s) / np.maximum(forward, backward)
