"""Logarithms that keep their accuracy, and bounds on their errors under the model of `rounding`."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache

import numpy as np

from dpbounds.float64.rounding import LIBM, UNIT_ROUNDOFF

Array = np.ndarray


@lru_cache(maxsize=1024)
def log_fraction(value: Fraction) -> float:
    """log of a fraction > 0 that no float need hold, accurate near 1.

    >>> round(log_fraction(Fraction(1, 10**400)) / math.log(10))
    -400
    """
    above, below = value.numerator, value.denominator
    if below < 2 * above and above < 2 * below:
        return math.log1p((above - below) / below)  # the quotient of two integers is rounded once
    scale = above.bit_length() - below.bit_length()
    return math.log((above << max(-scale, 0)) / (below << max(scale, 0))) + scale * math.log(2)


def log_keep(q: float, keep: float) -> float:
    """log(1−q) from the smaller of q and keep = 1−q, which has all its digits; −∞ for q = 1.

    >>> log_keep(1e-20, 1.0), log_keep(1.0, 0.0)
    (-1e-20, -inf)
    """
    if q <= 0.5:
        return math.log1p(-q)
    return math.log(keep) if keep > 0 else -math.inf


def log_sharp_constant(c: Array | float) -> Array:
    """log κ(c) = log(c^c/(1+c)^{1+c}), c > 0, of which a large c cancels no digit: to a relative 4·LIBM.

    >>> round(float(log_sharp_constant(1.0)) / math.log(2), 12)
    -2.0
    """
    return -c * np.log1p(1 / c) - np.log1p(c)


def log_two(exponent: Array, keep: float, q: float) -> Array:
    """log(keep + q·e^exponent), keep = 1−q: relative accuracy near zero by log1p, no overflow for large exponents.

    Above q = 1/2 only exponents up to 1/2 in size go by log1p: q·expm1 is then at least −0.4, and the error of it is not enlarged.

    >>> float(log_two(np.array([0.0]), 0.5, 0.5)[0])
    0.0
    """
    if keep == 0.0:
        return exponent
    big = exponent > 600.0
    safe = np.where(big, 0.0, exponent) if big.any() else exponent
    if q <= 0.5:
        result = np.log1p(q * np.expm1(safe))
    else:
        small = np.abs(safe) <= 0.5
        result = np.where(small, np.log1p(q * np.expm1(np.where(small, safe, 0.0))), np.log(keep + q * np.exp(safe)))
    return np.where(big, np.logaddexp(exponent + math.log(q), math.log(keep)), result) if big.any() else result


def log_two_error(exponent: Array, keep: float, q: float) -> Array:
    """A bound on the absolute error of `log_two`, an exponent being off by 20 units of itself.

    >>> float(log_two_error(np.array([0.0]), 0.5, 0.5)[0]) < 1e-14
    True
    """
    if keep == 0.0:
        return 6 * UNIT_ROUNDOFF * np.abs(exponent)
    log_value = log_two(exponent, keep, q)
    if q > 0.5:
        share = np.ones_like(exponent)
    else:
        share = np.exp(np.minimum(np.maximum(exponent, 0.0) - np.maximum(log_value, -0.7) + math.log(q), 1.4))
    return (20 * UNIT_ROUNDOFF + LIBM) * (np.abs(exponent) + (1.0 if q > 0.5 else 0.0)) * share + LIBM * np.abs(log_value)
