"""Numbers known in closed form, in mpmath, at the precision that is set there."""

import mpmath


def gaussian_delta(mu, epsilon):
    """δ(ε) of N(μ, 1) against N(0, 1): Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ)."""
    mu, epsilon = mpmath.mpf(mu), mpmath.mpf(epsilon)
    return mpmath.ncdf(mu / 2 - epsilon / mu) - mpmath.exp(epsilon) * mpmath.ncdf(-mu / 2 - epsilon / mu)
