"""Interval arithmetic on decimal numbers, each end rounded outward.

An end is a `decimal.Decimal` of Python's standard library, which follows Cowlishaw's *General Decimal Arithmetic*: comparisons, `copy_abs`
and `copy_negate` are exact; a sum, a product or a quotient is the exact one rounded down or up, as its context says; e^x, log x and √x are
the nearest number of so many digits, so they are off by at most half a unit of the last one, for which a whole unit is allowed here.

An end may be ±∞. A value beyond 10^±LIMIT is rounded outward to ±∞ or to 0, so no exponent grows without bound.
Every function says why its bounds hold. What has no value on a whole interval raises `Undefined`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal, DivisionByZero, InvalidOperation
from fractions import Fraction
from functools import cached_property, lru_cache

Interval = tuple[Decimal, Decimal]

LIMIT = 300_000
ZERO, ONE, INFINITY, MINUS_INFINITY = Decimal(0), Decimal(1), Decimal("Infinity"), Decimal("-Infinity")
_HALF = Decimal("0.5"), Decimal("0.5")
_LARGEST_EXPONENT = 100_000


class Undefined(Exception):
    """A function that may have no value somewhere on an interval."""


def _context(digits: int, rounding: str) -> Context:
    """Nothing is hidden: what has no value, such as ∞ − ∞ or 0·∞, is an error."""
    return Context(digits, rounding, Emin=-LIMIT, Emax=LIMIT, traps=[InvalidOperation, DivisionByZero])


class Arithmetic:
    """Interval functions at a precision of at least `bits` bits.

    >>> a = Arithmetic(60)
    >>> low, high = a.exp(a.number(Fraction(1)))
    >>> Decimal("2.718281828459045235") < low < high < Decimal("2.718281828459045236")
    True
    """

    def __init__(self, bits: int) -> None:
        self.bits = bits
        digits = bits * 31 // 100 + 6
        self.down, self.up = _context(digits, ROUND_FLOOR), _context(digits, ROUND_CEILING)
        self._near = _context(digits + 2, ROUND_HALF_EVEN)

    # numbers and rational functions

    def number(self, value: Fraction | int) -> Interval:
        """The narrowest interval about a rational number."""
        return self.ratio(value.numerator, value.denominator)

    def ratio(self, p: int, q: int) -> Interval:
        """The narrowest interval about p/q."""
        return self.down.divide(p, q), self.up.divide(p, q)

    def side(self, low: Fraction | None, high: Fraction | None) -> Interval:
        """[low, high]; None is an infinite end."""
        return MINUS_INFINITY if low is None else self.number(low)[0], INFINITY if high is None else self.number(high)[1]

    def add(self, x: Interval, y: Interval) -> Interval:
        """x + y, end by end; no lower end is ∞, and no upper one −∞."""
        return self.down.add(x[0], y[0]), self.up.add(x[1], y[1])

    def negative(self, x: Interval) -> Interval:
        """−x."""
        return x[1].copy_negate(), x[0].copy_negate()

    def multiply(self, x: Interval, y: Interval) -> Interval:
        """x·y: the extremes of a bilinear function are at the corners; there 0·∞ is 0, the limit at an end that no point reaches."""
        (a, b), (c, d), down, up = x, y, self.down.multiply, self.up.multiply
        if a > 0 and c > 0:
            return down(a, c), up(b, d)
        corners = [(p, q) for p in x for q in y if p and q]
        ends = [ZERO] if len(corners) < 4 else []
        return min(ends + [down(*corner) for corner in corners]), max(ends + [up(*corner) for corner in corners])

    def reciprocal(self, x: Interval, nonzero: bool = False) -> Interval:
        """1/x, which falls on either side of 0; `nonzero` says that an end at 0 is not reached."""
        a, b = x
        if a > 0 or (nonzero and a == 0 and b > 0):
            return self.down.divide(1, b), self.up.divide(1, a) if a else INFINITY
        if b < 0 or (nonzero and b == 0 and a < 0):
            return self.negative(self.reciprocal(self.negative(x), nonzero))
        raise Undefined("division by what may be 0")

    def integer_power(self, x: Interval, n: int) -> Interval:
        """x^n for n >= 1: monotone on either side of 0, and at least 0 for even n."""
        if n > _LARGEST_EXPONENT:
            raise Undefined(f"the power {n}")
        low, high = self.absolute(x) if n % 2 == 0 else x
        return self._power_of_end(low, n, False), self._power_of_end(high, n, True)

    def _power_of_end(self, a: Decimal, n: int, up: bool) -> Decimal:
        if a < 0:  # n is odd
            return self._power_of_end(a.copy_negate(), n, not up).copy_negate()
        value, multiply = a, (self.up if up else self.down).multiply
        for digit in bin(n)[3:]:
            value = multiply(value, value)
            if digit == "1":
                value = multiply(value, a)
        return value

    def power(self, x: Interval, y: Interval) -> Interval:
        """x^y = exp(y·log x) for x > 0; for x = 0 and y > 0 it is 0, the limit."""
        if x[0] > 0:
            return self.exp(self.multiply(y, self.log(x)))
        if x[0] == 0 and y[0] > 0:
            return ZERO, (self.exp(self.multiply(y, self.log((x[1], x[1]))))[1] if x[1] else ZERO)
        raise Undefined("a power of what may be negative, or a negative power of what may be 0")

    def root(self, x: Interval) -> Interval:
        """√x, which rises: the nearest number r, or one unit beside it where its square does not show that r is on the right side."""
        if x[0] < 0:
            raise Undefined("the square root of what may be negative")
        low, high = (self._near.sqrt(end) for end in x)
        return (
            self.down.plus(low if self.up.multiply(low, low) <= x[0] else self._near.next_minus(low)),
            self.up.plus(high if self.down.multiply(high, high) >= x[1] else self._near.next_plus(high)),
        )

    # exponential and logarithm

    def exp(self, x: Interval) -> Interval:
        """e^x, which rises; e^0 = 1."""
        low, high = self._nearest(self._near.exp, x)
        return max(low, ZERO) if x[0] else ONE, high if x[1] else ONE

    def log(self, x: Interval, nonzero: bool = False) -> Interval:
        """log x, which rises; log 1 = 0. `nonzero` says that an end at 0 is not reached."""
        a, b = x
        if a < 0 or b <= 0 or (a == 0 and not nonzero):
            raise Undefined("the logarithm of what may be <= 0")
        low, high = self._nearest(self._near.ln, x)
        return low if a != 1 else ZERO, high if b != 1 else ZERO

    def _nearest(self, function: Callable[[Decimal], Decimal], x: Interval) -> Interval:
        """One unit below and above the nearest numbers to the values of a function at both ends."""
        low = function(x[0])
        high = low if x[0] == x[1] else function(x[1])
        return self.down.plus(self._near.next_minus(low)), self.up.plus(self._near.next_plus(high))

    @cached_property
    def pi(self) -> Interval:
        """π = 16·arctan(1/5) − 4·arctan(1/239), alternating series of falling terms: partial sums lie on both sides."""
        w = self.bits + 40

        def arctan(q: int) -> tuple[int, int]:
            total, power, n = 0, (1 << w) // q, 0
            while power:
                total += (-1) ** n * (power // (2 * n + 1))
                power, n = power // (q * q), n + 1
            return total - 2 * n - 4, total + 2 * n + 4  # each of n terms is off by at most 2 units, and the rest is below 1

        (a, b), (c, d) = arctan(5), arctan(239)
        return self.ratio(16 * a - 4 * d, 1 << w)[0], self.ratio(16 * b - 4 * c, 1 << w)[1]

    # the normal distribution

    def normal_cdf(self, x: Interval) -> Interval:
        """Φ(x), which rises; far below 0 its relative error is small too."""
        low = self._normal_cdf(x[0])
        return low[0], (low if x[0] == x[1] else self._normal_cdf(x[1]))[1]

    def _normal_cdf(self, a: Decimal) -> Interval:
        """Φ(a) = 1 − Φ(−a); for a <= 0 it is 1/2 − φ(a)·Σ, with as many bits more as cancel."""
        if a > 0:
            return self.add((ONE, ONE), self.negative(self._normal_cdf(a.copy_negate())))
        if a < -math.isqrt(2 * self.bits + 18) - 1:
            return self._far_normal_cdf(a.copy_negate())
        lost = int(self.up.multiply(a, a)) * 3 // 32  # eighths of the bits: Φ(a) is about e^{−a²/2}, and log₂e/2 < 3/4
        wide = _arithmetic(self.bits + 8 * lost + 16)
        low, high = wide.add(_HALF, wide.multiply((a, a), wide.multiply(wide._density(a), wide._sum(a))))
        return max(ZERO, self.down.plus(low)), self.up.plus(high)

    def _far_normal_cdf(self, a: Decimal) -> Interval:
        """Φ(−a) = φ(a)/a·(1 − 1/a² + 3/a⁴ − 15/a⁶ + …) for a > 0, where the error is at most the first term left out."""
        if a.is_infinite():
            return ZERO, ZERO
        ratio = self.negative(self.reciprocal(self.multiply((a, a), (a, a))))
        total, term, n = (ZERO, ZERO), (ONE, ONE), 0
        while n < self.bits and self.absolute(term)[1] > self._small:
            total, n = self.add(total, term), n + 1
            term = self.multiply(term, self.multiply(ratio, self.number(2 * n - 1)))
        total = self.add(total, hull(term, self.negative(term)))
        low, high = self.multiply(self.multiply(self._density(a), self.reciprocal((a, a))), total)
        return max(low, ZERO), high

    @cached_property
    def _small(self) -> Decimal:
        return self.ratio(1, 1 << self.bits + 8)[1]

    def _density(self, a: Decimal) -> Interval:
        """φ(a) = e^{−a²/2}/√(2π)."""
        return self.multiply(self.exp(self.negative(self.multiply(_HALF, self.multiply((a, a), (a, a))))), self._front)

    @cached_property
    def _front(self) -> Interval:
        return self.reciprocal(self.root(self.add(self.pi, self.pi)))

    def _sum(self, a: Decimal) -> Interval:
        """Σ t^n/(2n+1)!! for t = a², which is the integral from 0 to a of φ, divided by a·φ(a): a sum in fixed point, rounded down.

        What a rounding, of less than 1 unit, takes from the terms after it is at most the sum S of all, because t^m/((2k+3)…(2k+2m+1)) is
        at most t^m/(2m+1)!!. So with N terms found the last one misses at most N·S, all together miss at most N·S, and the rest is at
        most the last one, as the ratio t/(2n+3) is at most 1/2: S <= (found + 1)/(1 − 2N·2^−w) <= (found + 1)·(1 + 4N·2^−w), 4N < 2^w.
        As S' <= S/2, the sum for a t that is larger by d <= 1 is at most e^{d/2} <= 1 + d times that; (1 + x)·(1 + d) <= 1 + 2x + d.
        Here t is known to a few units of its last digit, and d is their distance.
        """
        w = self.bits + 16
        low, high = self.multiply((a, a), (a, a))
        fixed, above = int(self.down.multiply(low, 1 << w)), int(self.up.multiply(high, 1 << w)) + 1
        total = term = 1 << w
        n = 0
        while term > 1 or 2 * fixed > (2 * n + 3) << w:
            n += 1
            term = (term * fixed >> w) // (2 * n + 1)  # floors of floors are floors
            total += term
        top = total + 1
        return self.ratio(total, 1 << w)[0], self.ratio(top + (top * (8 * n + above - fixed) >> w) + 1, 1 << w)[1]

    # corners

    def absolute(self, x: Interval) -> Interval:
        """|x|."""
        low, high = x[0].copy_abs(), x[1].copy_abs()
        return (ZERO if x[0] < 0 < x[1] else min(low, high)), max(low, high)

    def maximum(self, x: Interval, y: Interval) -> Interval:
        """max(x, y)."""
        return max(x[0], y[0]), max(x[1], y[1])

    def minimum(self, x: Interval, y: Interval) -> Interval:
        """min(x, y)."""
        return min(x[0], y[0]), min(x[1], y[1])


_arithmetic = lru_cache(maxsize=256)(Arithmetic)
"""Arithmetic of a precision, with its constants."""


def hull(x: Interval, y: Interval) -> Interval:
    """The least interval about both."""
    return min(x[0], y[0]), max(x[1], y[1])
