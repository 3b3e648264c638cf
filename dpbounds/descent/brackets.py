"""Rational brackets of exp, log, roots, π and Φ at rational points.

Whole-number arithmetic, rounded outward, with bounds of the remainders. Each bracket contains its value strictly inside.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import isqrt

from dpbounds.descent.refusal import DescentRefused

Bracket = tuple[Fraction, Fraction]
_BITS = 96
_WORK = 400
"""Bits after the point of the terms of a series; arguments are at most 12 in size, so terms stay below 2^110."""
_LAST = 220
"""A series ends when its terms fall below 2^−220."""
_LARGEST_EXPONENT = 2000
"""exp of more would need thousands of digits."""


def _short(low: Fraction, high: Fraction) -> Bracket:
    """Ends with few digits, rounded outward, so that the value is strictly inside."""
    size = max(abs(low), abs(high), Fraction(1, 1 << 4 * _BITS))
    shift = _BITS - (size.numerator.bit_length() - size.denominator.bit_length())
    unit = Fraction(1, 1 << shift) if shift >= 0 else Fraction(1 << -shift)
    return (low // unit - 1) * unit, (high // unit + 2) * unit


def _series(first: Fraction, ratio: Callable[[int], Fraction], weight: Callable[[int], int], *, alternating: bool, tail: int) -> Bracket:
    """Σ ± t_n/weight(n) with t_0 = first ≥ 0 and t_n = t_{n−1}·ratio(n); the rest after the last term is at most tail times the next."""
    low = first.numerator * (1 << _WORK) // first.denominator
    high = low + 1
    below = above = 0
    n = 0
    while True:
        down, up = low // weight(n), -(-high // weight(n))
        if alternating and n % 2:
            below, above = below - up, above - down
        else:
            below, above = below + down, above + up
        n += 1
        r = ratio(n)
        low, high = low * r.numerator // r.denominator, -(-high * r.numerator // r.denominator)
        if high >> (_WORK - _LAST) == 0 and r < 1:
            rest = tail * high + 1
            return Fraction(below - rest, 1 << _WORK), Fraction(above + rest, 1 << _WORK)


@lru_cache(maxsize=4096)
def exponential(x: Fraction) -> Bracket:
    """e^x: e^{|x|/2^k} with |x|/2^k ≤ 1/2 by Taylor, whose rest is at most twice the next term; squared k times; 1/e^{|x|} for x < 0."""
    if abs(x) > _LARGEST_EXPONENT:
        raise DescentRefused(f"exp of a number beyond {_LARGEST_EXPONENT}")
    k = 0
    y = abs(x)
    while y > Fraction(1, 2):
        y /= 2
        k += 1
    low, high = _series(Fraction(1), lambda n: y / n, lambda n: 1, alternating=False, tail=2)
    for _ in range(k):
        low, high = _rounded(low * low, up=False), _rounded(high * high, up=True)
    return _short(low, high) if x >= 0 else _short(1 / high, 1 / low)


def _rounded(value: Fraction, *, up: bool) -> Fraction:
    """A positive number to 400 bits, downward or upward."""
    shift = _WORK - (value.numerator.bit_length() - value.denominator.bit_length())
    unit = Fraction(1, 1 << shift) if shift >= 0 else Fraction(1 << -shift)
    return (value // unit + (1 if up else 0)) * unit


@lru_cache(maxsize=4096)
def logarithm(x: Fraction) -> Bracket:
    """log x for x > 0: x = 2^k·m with m in [2/3, 4/3]; log 2 = log(4/3) − log(2/3)."""
    if x <= 0:
        raise DescentRefused("log of a number that is not positive")
    k = x.numerator.bit_length() - x.denominator.bit_length()
    m = x / Fraction(2) ** k
    while m > Fraction(4, 3):
        m /= 2
        k += 1
    while m < Fraction(2, 3):
        m *= 2
        k -= 1
    low, high = _near_one(m)
    above, below = _near_one(Fraction(4, 3)), _near_one(Fraction(2, 3))
    two = above[0] - below[1], above[1] - below[0]
    ends = k * two[0], k * two[1]
    return _short(low + min(ends), high + max(ends))


def _near_one(m: Fraction) -> Bracket:
    """log m = 2 artanh z with z = (m − 1)/(m + 1), |z| ≤ 1/5: Σ 2z^{2n+1}/(2n+1), whose rest is at most twice the next power."""
    z = (m - 1) / (m + 1)
    low, high = _series(2 * abs(z), lambda n: z * z, lambda n: 2 * n + 1, alternating=False, tail=2)
    return (low, high) if z >= 0 else (-high, -low)


@lru_cache(maxsize=4096)
def root(x: Fraction, order: int) -> Bracket:
    """The root of that order of x > 0, by bisection of whole numbers."""
    if x <= 0:
        raise DescentRefused("the root of a number that is not positive")
    scale = 1 << (_BITS + 8)
    target = x * scale**order
    whole = target.numerator // target.denominator
    if order == 2:
        found = isqrt(whole)
    else:
        low, high = 0, 1 << (whole.bit_length() // order + 1)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if middle**order <= whole else (low, middle)
        found = low
    return max(_short(Fraction(found, scale), Fraction(found, scale))[0], Fraction(0)), _short(
        Fraction(found + 1, scale), Fraction(found + 1, scale)
    )[1]


@lru_cache(maxsize=1)
def pi() -> Bracket:
    """π = 16 arctan(1/5) − 4 arctan(1/239) (Machin)."""
    five, other = _arctan(5), _arctan(239)
    return _short(16 * five[0] - 4 * other[1], 16 * five[1] - 4 * other[0])


def _arctan(n: int) -> Bracket:
    """arctan(1/n) = Σ (−1)^k/((2k+1) n^{2k+1}), whose rest is at most the next term."""
    return _series(Fraction(1, n), lambda k: Fraction(1, n * n), lambda k: 2 * k + 1, alternating=True, tail=1)


@lru_cache(maxsize=4096)
def normal(x: Fraction) -> Bracket:
    """Φ(x) = 1/2 + (2π)^{−1/2} Σ (−1)^k x^{2k+1}/(2^k k! (2k+1)); once the terms fall, the rest is at most the next one.

    Beyond 12 only 0 < Φ(−12) < 2^{−100} is used.
    """
    tiny = Fraction(1, 1 << 100)
    if abs(x) > 12:
        return (Fraction(0), tiny) if x < 0 else (1 - tiny, Fraction(1))
    y = abs(x)
    low, high = _series(y, lambda k: y * y / (2 * k), lambda k: 2 * k + 1, alternating=True, tail=1)
    circle = pi()
    low, high = max(low, Fraction(0)) / root(2 * circle[1], 2)[1], high / root(2 * circle[0], 2)[0]
    half = Fraction(1, 2)
    return _short(half + low, half + high) if x >= 0 else _short(half - high, half - low)
