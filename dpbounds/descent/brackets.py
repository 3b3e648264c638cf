"""Rational brackets of exp, log, roots, π and Φ at rational points: integer arithmetic with bounds of the remainders.

Each bracket contains its value strictly inside.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from dpbounds.descent.refusal import Refused

Bracket = tuple[Fraction, Fraction]
_BITS = 96
_TINY = Fraction(1, 1 << _BITS)
_LARGEST_EXPONENT = 2000
"""exp of more would need thousands of digits."""


def _short(low: Fraction, high: Fraction) -> Bracket:
    """Ends with few digits, rounded outward, so that the value is strictly inside."""
    size = max(abs(low), abs(high), Fraction(1, 1 << 4 * _BITS))
    shift = _BITS - (size.numerator.bit_length() - size.denominator.bit_length())
    unit = Fraction(1, 1 << shift) if shift >= 0 else Fraction(1 << -shift)
    return (low // unit - 1) * unit, (high // unit + 2) * unit


def exponential(x: Fraction) -> Bracket:
    """e^x: with y = x/2^k in [−1/2, 1/2] the Taylor series of e^y, whose remainder after n terms is at most 2|y|^n/n!, squared k times."""
    if abs(x) > _LARGEST_EXPONENT:
        raise Refused(f"exp of a number beyond {_LARGEST_EXPONENT}")
    k = 0
    y = x
    while abs(y) > Fraction(1, 2):
        y /= 2
        k += 1
    y_low, y_high = (y, y) if y.denominator < 1 << 400 else _short(y, y)
    low, high = _taylor(y_low)[0], _taylor(y_high)[1]
    for _ in range(k):
        low, high = low * low, high * high
        low, high = low * (1 - _TINY**2), high * (1 + _TINY**2)
        low, high = _round(low, -1), _round(high, 1)
    return _short(low, high)


def _round(value: Fraction, way: int) -> Fraction:
    """A positive number to 400 bits, downward or upward."""
    shift = 400 - (value.numerator.bit_length() - value.denominator.bit_length())
    unit = Fraction(1, 1 << shift) if shift >= 0 else Fraction(1 << -shift)
    return (value // unit + (1 if way > 0 else 0)) * unit


def _taylor(y: Fraction) -> Bracket:
    total, term, n = Fraction(0), Fraction(1), 0
    while True:
        total += term
        n += 1
        term = term * y / n
        if abs(term) < _TINY**2:
            rest = 2 * abs(term) + _TINY**3
            return total - rest, total + rest


def logarithm(x: Fraction) -> Bracket:
    """log x for x > 0: x = 2^k·m with m in [2/3, 4/3], log m = 2 artanh((m−1)/(m+1)), |z| ≤ 1/5: remainder ≤ 3|z|^(2n+1)/(2n+1)."""
    if x <= 0:
        raise Refused("log of a number that is not positive")
    k = 0
    m = x
    while m > Fraction(4, 3):
        m /= 2
        k += 1
    while m < Fraction(2, 3):
        m *= 2
        k -= 1
    low, high = _artanh(m)
    two = _artanh(Fraction(4, 3))
    # log 2 = log(4/3) + log(3/2), and log(3/2) = −log(2/3).
    other = _artanh(Fraction(2, 3))
    log_two = (two[0] - other[1], two[1] - other[0])
    ends = (k * log_two[0], k * log_two[1])
    return _short(low + min(ends), high + max(ends))


def _artanh(m: Fraction) -> Bracket:
    """log m for m in [2/3, 4/3]."""
    z = (m - 1) / (m + 1)
    total, power, n = Fraction(0), z, 1
    while True:
        term = 2 * power / n
        if abs(term) < _TINY**2:
            rest = 3 * abs(term) + _TINY**3
            return total - rest, total + rest
        total += term
        power *= z * z
        n += 2


def root(x: Fraction, order: int) -> Bracket:
    """The root of that order of x > 0, by bisection of whole numbers."""
    if x <= 0:
        raise Refused("the root of a number that is not positive")
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
    return _short(Fraction(found, scale), Fraction(found + 1, scale))


def pi() -> Bracket:
    """π = 16 arctan(1/5) − 4 arctan(1/239) (Machin); an alternating series lies between two partial sums."""
    five, other = _arctan(5), _arctan(239)
    return _short(16 * five[0] - 4 * other[1], 16 * five[1] - 4 * other[0])


def _arctan(n: int) -> Bracket:
    total, k = Fraction(0), 0
    while True:
        term = Fraction(1, (2 * k + 1) * n ** (2 * k + 1))
        if term < _TINY**2:
            return total - term, total + term
        total += -term if k % 2 else term
        k += 1


def normal(x: Fraction) -> Bracket:
    """Φ(x) = 1/2 + φ(0)·Σ (−1)^k x^(2k+1)/(2^k k! (2k+1)); once the terms fall, the rest is at most the next one."""
    if abs(x) > 12:
        return (Fraction(0), Fraction(1, 1 << 100)) if x < 0 else (1 - Fraction(1, 1 << 100), Fraction(1))
    if x.denominator > 1 << 200:
        low, high = _short(x, x)
        return normal(Fraction(low))[0], normal(Fraction(high))[1]
    total, term, k = Fraction(0), x, 0
    while True:
        total += term / (2 * k + 1)
        k += 1
        term = -term * x * x / (2 * k)
        if abs(term) < _TINY**2 and x * x < 2 * k:
            break
    rest = abs(term) + _TINY**3
    circle = pi()
    scale = root(2 * circle[0], 2)[0], root(2 * circle[1], 2)[1]
    ends = [(total + s * rest) / c for s in (-1, 1) for c in scale]
    return _short(Fraction(1, 2) + min(ends), Fraction(1, 2) + max(ends))
