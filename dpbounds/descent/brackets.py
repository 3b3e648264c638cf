"""Rational brackets of exp, log, roots, π and Φ at rational points, by the interval arithmetic of the checker of covers.

Each bracket contains its value strictly inside, and its ends are short.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from dpbounds.covers.intervals import Arithmetic, Interval
from dpbounds.descent.refusal import need

Bracket = tuple[Fraction, Fraction]
_BITS = 96
_ARITHMETIC = Arithmetic(_BITS + 64)
_LARGEST_EXPONENT = 2000
"""exp of more would need thousands of digits."""


def _short(ends: Interval) -> Bracket:
    """Ends with few digits, rounded outward, so that the value is strictly inside."""
    low, high = map(Fraction, ends)
    size = max(abs(low), abs(high), Fraction(1, 1 << 4 * _BITS))
    shift = _BITS - (size.numerator.bit_length() - size.denominator.bit_length())
    unit = Fraction(1, 1 << shift) if shift >= 0 else Fraction(1 << -shift)
    return (low // unit - 1) * unit, (high // unit + 2) * unit


@lru_cache(maxsize=4096)
def exponential(x: Fraction) -> Bracket:
    """e^x."""
    need(abs(x) <= _LARGEST_EXPONENT, f"exp of a number beyond {_LARGEST_EXPONENT}")
    return _short(_ARITHMETIC.exp(_ARITHMETIC.number(x)))


@lru_cache(maxsize=4096)
def logarithm(x: Fraction) -> Bracket:
    """log x for x > 0."""
    need(x > 0, "log of a number that is not positive")
    return _short(_ARITHMETIC.log(_ARITHMETIC.number(x)))


@lru_cache(maxsize=4096)
def root(x: Fraction, order: int) -> Bracket:
    """The root of that order of x > 0."""
    need(x > 0, "the root of a number that is not positive")
    a, inner = _ARITHMETIC, _ARITHMETIC.number(x)
    low, high = _short(a.root(inner) if order == 2 else a.power(inner, a.ratio(1, order)))
    return max(low, Fraction(0)), high


@lru_cache(maxsize=1)
def pi() -> Bracket:
    """π."""
    return _short(_ARITHMETIC.pi)


@lru_cache(maxsize=4096)
def normal(x: Fraction) -> Bracket:
    """Φ(x); beyond 12 only 0 < Φ(−12) < 2^{−100} is used."""
    tiny = Fraction(1, 1 << 100)
    if abs(x) > 12:
        return (Fraction(0), tiny) if x < 0 else (1 - tiny, Fraction(1))
    return _short(_ARITHMETIC.normal_cdf(_ARITHMETIC.number(x)))
