"""Interval arithmetic on integers: each end is m·2^e, rounded outward by `>>`, which is the floor of a quotient by a power of two.

An end may be ±∞. A value beyond 2^LIMIT or below 2^−LIMIT is rounded outward to ±∞ or to 0, so no exponent grows without bound.
Every function says why its bounds hold. What has no value on a whole interval raises `Undefined`.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property, lru_cache, reduce

Number = tuple[int, int]
"""m·2^e; an infinite end has the exponent `HUGE` and m = ±1."""
Interval = tuple[Number, Number]

LIMIT = 1 << 20
HUGE = 1 << 60
ZERO, ONE, INFINITY, MINUS_INFINITY = (0, 0), (1, 0), (1, HUGE), (-1, HUGE)
WHOLE: Interval = (MINUS_INFINITY, INFINITY)
_EXP_END = 1 << 19
"""Beyond ±2^19, exp is bounded by its value there, by 0 and by ∞: 2^19·log₂e is below LIMIT."""
_LARGEST_EXPONENT = 100_000


class Undefined(Exception):
    """A function that may have no value somewhere on an interval."""


def rounded(m: int, e: int, bits: int, up: bool) -> Number:
    """m·2^e with at most `bits` bits, not below it (up) or not above it."""
    extra = m.bit_length() - bits
    if extra > 0:
        m, e = -(-m >> extra) if up else m >> extra, e + extra
    if m == 0:
        return ZERO
    if -LIMIT <= e < LIMIT - bits:  # m has at most bits + 1 bits
        return m, e
    top = e + m.bit_length()  # 2^(top − 1) <= |m·2^e| < 2^top, or equal to it
    if -LIMIT <= top <= LIMIT:
        return m, e
    if top > LIMIT:
        return ((1, HUGE) if up else (1, LIMIT - 1)) if m > 0 else ((-1, LIMIT - 1) if up else (-1, HUGE))
    return ((1, -LIMIT) if up else ZERO) if m > 0 else (ZERO if up else (-1, -LIMIT))


def less(a: Number, b: Number) -> bool:
    """a < b, exactly."""
    (m, e), (n, f) = a, b
    if e == HUGE or f == HUGE:
        return a != b and (m < 0 if e == HUGE else n > 0)
    if (m > 0) != (n > 0) or m == 0 or n == 0:
        return m < 0 <= n or m <= 0 < n
    return m << (e - f) < n if e >= f else m < n << (f - e)


def least(*numbers: Number) -> Number:
    """The least of some numbers."""
    return reduce(lambda best, x: x if less(x, best) else best, numbers)


def largest(*numbers: Number) -> Number:
    """The largest of some numbers."""
    return reduce(lambda best, x: x if less(best, x) else best, numbers)


def negated(a: Number) -> Number:
    """−a, exactly."""
    return -a[0], a[1]


def fraction(a: Number) -> Fraction:
    """A finite number as a fraction."""
    m, e = a
    return Fraction(m << e) if e >= 0 else Fraction(m, 1 << -e)


def _sum(a: Number, b: Number, bits: int, up: bool) -> Number:
    if a[1] == HUGE or b[1] == HUGE:
        return a if a[1] == HUGE else b  # ends of one kind are never infinities of opposite signs
    if a[1] < b[1]:
        a, b = b, a
    (m, e), (n, f) = a, b
    if m == 0 or n == 0:
        return rounded(n, f, bits, up) if m == 0 else rounded(m, e, bits, up)
    if e - f > 2 * bits + n.bit_length():
        # b is tiny beside a: a number beyond it, on the side of the rounding, takes its place.
        f = max(f + n.bit_length(), e - bits - 8)
        n = (1 if n > 0 else -1) if (n > 0) == up else 0
    return rounded((m << (e - f)) + n, f, bits, up)


def _product(a: Number, b: Number, bits: int, up: bool) -> Number:
    """a·b rounded; 0·∞ is 0, the limit at an end that no point reaches."""
    if a[0] == 0 or b[0] == 0:
        return ZERO
    if a[1] == HUGE or b[1] == HUGE:
        return (1 if (a[0] > 0) == (b[0] > 0) else -1), HUGE
    return rounded(a[0] * b[0], a[1] + b[1], bits, up)


def _quotient(p: int, q: int, e: int, bits: int, up: bool) -> Number:
    """p/q·2^e for q > 0, rounded."""
    shift = max(0, bits + 2 + q.bit_length() - p.bit_length())
    return rounded(-((-p << shift) // q) if up else (p << shift) // q, e - shift, bits, up)


def _exp_sum(r: int, w: int) -> Interval:
    """Below and above e^(r/2^w), 0 <= r < 2^(w−4), in units of 2^−w: Taylor's sum.

    A term t_n = t_(n−1)·r/(n·2^w) rounded down misses less than 1 + 1/16 times what the term before missed, so less than 2 units. After n
    terms, the last found at most 1 and so below 3, the rest of the sum is below 3/15, less than 1.
    """
    total = term = 1 << w
    n = 0
    while term > 1:
        n += 1
        term = (term * r >> w) // n  # floors of floors are floors
        total += term
    return (total, -w), (total + 2 * n + 1, -w)


def _exp_of_positive(a: Number, b: Number, bits: int) -> Interval:
    """Below e^a and above e^b for 0 < a <= b: e^(x/2^s) for x/2^s < 2^−4, then s squarings, each rounded its own way.

    One sum serves ends that are close: e^(r+d) <= e^r·(1 + d + d²) for 0 <= d <= 1, which is less than e^(r+d)·(1 + d²).
    """
    if less((_EXP_END, 0), b):
        a = least(a, (_EXP_END, 0))
        return _exp_of_positive(a, a, bits)[0], INFINITY
    s = max(0, b[1] + b[0].bit_length() + 4)
    w = bits + s + 16
    low, high = shifted(a, w - s, False), shifted(b, w - s, True)
    rise = high - low
    if rise >> bits + s:
        return _exp_of_positive(a, a, bits)[0], _exp_of_positive(b, b, bits)[1]
    (m, e), (n, f) = _exp_sum(low, w)
    n += (n * (rise + (rise * rise >> w) + 1) >> w) + 1
    for _ in range(s):
        m, n, e, f = m * m, n * n, 2 * e, 2 * f
        extra, more = m.bit_length() - w, n.bit_length() - w
        m, n, e, f = m >> extra, -(-n >> more), e + extra, f + more
    return rounded(m, e, bits, False), rounded(n, f, bits, True)


def _artanh_sum(p: int, q: int, w: int) -> tuple[int, int]:
    """Below and above artanh z = Σ z^(2k+1)/(2k+1), z = p/q, 0 <= z <= 1/3, in units of 2^−w.

    z rounded down misses less than 1 unit, and its square less than 2z + 1 <= 5/3. So a power misses at most z² times what the one before
    missed, z·5/3 and 1: less than 2 if that one did. A term misses less than 2, and so does the last power, which is found to be 0: the
    rest, a ninth of it and less, is below 1.
    """
    if not p:
        return 0, 0
    total = power = (p << w) // q
    square, k = power * power >> w, 0
    while power:
        k += 1
        power = power * square >> w
        total += power // (2 * k + 1)
    return total, total + 2 * k + 3


@lru_cache(maxsize=1 << 12)
def _log_of_32nds(j: int, w: int) -> tuple[int, int]:
    """Below and above half of log(j/32), 32 <= j <= 64."""
    return _artanh_sum(j - 32, j + 32, w)


def shifted(a: Number, by: int, up: bool) -> int:
    """a·2^by, a finite, rounded to an integer."""
    m, shift = a[0], a[1] + by
    if shift >= 0:
        return m << shift
    return -(-m >> -shift) if up else m >> -shift


class Arithmetic:
    """Interval functions at a precision of `bits` bits.

    >>> a = Arithmetic(60)
    >>> low, high = a.exp(a.number(Fraction(1)))
    >>> fraction(low) <= Fraction(27182818284590452354, 10**19) <= fraction(high)
    True
    """

    def __init__(self, bits: int) -> None:
        self.bits = bits

    # numbers and rational functions

    def number(self, value: Fraction | int) -> Interval:
        """The narrowest interval about a rational number."""
        p, q, bits = value.numerator, value.denominator, self.bits
        if q == 1:
            return rounded(p, 0, bits, False), rounded(p, 0, bits, True)
        shift = max(0, bits + 2 + q.bit_length() - p.bit_length())
        m, rest = divmod(p << shift, q)
        return rounded(m, -shift, bits, False), rounded(m + 1 if rest else m, -shift, bits, True)

    def side(self, low: Fraction | None, high: Fraction | None) -> Interval:
        """[low, high]; None is an infinite end."""
        return (
            MINUS_INFINITY if low is None else self.number(low)[0],
            INFINITY if high is None else self.number(high)[1],
        )

    def add(self, x: Interval, y: Interval) -> Interval:
        """x + y, end by end."""
        return _sum(x[0], y[0], self.bits, False), _sum(x[1], y[1], self.bits, True)

    def negative(self, x: Interval) -> Interval:
        """−x."""
        return negated(x[1]), negated(x[0])

    def multiply(self, x: Interval, y: Interval) -> Interval:
        """x·y: the extremes of a bilinear function are at the corners."""
        (a, b), (c, d), bits = x, y, self.bits
        if a[0] >= 0 and c[0] >= 0:
            return _product(a, c, bits, False), _product(b, d, bits, True)
        if a[0] < 0 and b[0] <= 0:
            return self.negative(self.multiply(self.negative(x), y))
        if c[0] < 0 and d[0] <= 0:
            return self.negative(self.multiply(x, self.negative(y)))
        pairs = ((a, c), (a, d), (b, c), (b, d))
        return least(*(_product(p, q, bits, False) for p, q in pairs)), largest(*(_product(p, q, bits, True) for p, q in pairs))

    def reciprocal(self, x: Interval, nonzero: bool = False) -> Interval:
        """1/x, which falls on either side of 0; `nonzero` says that an end at 0 is not reached."""
        (a, b), bits = x, self.bits
        if a[0] > 0 or (nonzero and a[0] == 0 and b[0] > 0):
            low = ZERO if b[1] == HUGE else _quotient(1, b[0], -b[1], bits, False)
            high = INFINITY if a[0] == 0 else (_quotient(1, a[0], -a[1], bits, True) if a[1] != HUGE else ZERO)
            return low, high
        if b[0] < 0 or (nonzero and b[0] == 0 and a[0] < 0):
            return self.negative(self.reciprocal(self.negative(x), nonzero))
        raise Undefined("division by what may be 0")

    def integer_power(self, x: Interval, n: int) -> Interval:
        """x^n for n >= 1: monotone on either side of 0, and at least 0 for even n."""
        if n > _LARGEST_EXPONENT:
            raise Undefined(f"the power {n}")
        if n % 2 == 0 and x[1][0] < 0:
            x = self.negative(x)
        if n % 2 == 0 and x[0][0] < 0:
            return ZERO, self._power_of_end(largest(negated(x[0]), x[1]), n, True)
        return self._power_of_end(x[0], n, False), self._power_of_end(x[1], n, True)

    def _power_of_end(self, a: Number, n: int, up: bool) -> Number:
        if a[0] < 0:  # n is odd
            return negated(self._power_of_end(negated(a), n, not up))
        value = a
        for digit in bin(n)[3:]:
            value = _product(value, value, self.bits, up)
            if digit == "1":
                value = _product(value, a, self.bits, up)
        return value

    def power(self, x: Interval, y: Interval) -> Interval:
        """x^y = exp(y·log x) for x > 0; for x = 0 and y > 0 it is 0, the limit."""
        if x[0][0] > 0:
            return self.exp(self.multiply(y, self.log(x)))
        if x[0][0] == 0 and y[0][0] > 0:
            return ZERO, (ZERO if x[1][0] == 0 else self.exp(self.multiply(y, self.log((x[1], x[1]))))[1])
        raise Undefined("a power of what may be negative, or a negative power of what may be 0")

    def root(self, x: Interval) -> Interval:
        """√x by the integer square root, which rounds down."""
        if x[0][0] < 0:
            raise Undefined("the square root of what may be negative")
        return self._root(x[0], False), self._root(x[1], True)

    def _root(self, a: Number, up: bool) -> Number:
        if a[0] == 0 or a[1] == HUGE:
            return a
        shift = max(0, 2 * self.bits + 4 - a[0].bit_length())
        shift += (a[1] - shift) % 2
        m = a[0] << shift
        found = math.isqrt(m)
        return rounded(found + (1 if up and found * found < m else 0), (a[1] - shift) // 2, self.bits, up)

    # exponential and logarithm

    def exp(self, x: Interval) -> Interval:
        """e^x, which rises."""
        a, b = x
        if a[0] > 0:
            return _exp_of_positive(a, b, self.bits)
        if b[0] < 0:
            return self.reciprocal(_exp_of_positive(negated(b), negated(a), self.bits + 4))
        return (self.exp((a, a))[0] if a[0] else ONE), (self.exp((b, b))[1] if b[0] else ONE)

    def log(self, x: Interval, nonzero: bool = False) -> Interval:
        """log x, which rises; `nonzero` says that an end at 0 is not reached.

        One logarithm serves ends that are close: log b <= log a + (b − a)/a, which is less than log b + ((b − a)/a)².
        """
        (a, b) = x
        if a[0] < 0 or b[0] <= 0 or (a[0] == 0 and not nonzero):
            raise Undefined("the logarithm of what may be <= 0")
        first = (MINUS_INFINITY,) * 2 if a[0] == 0 else self._log(a)
        if a == b:
            return first
        if a[0] and b[1] != HUGE:
            m, e = _sum(b, negated(a), self.bits, True)
            rise = _quotient(m, a[0], e - a[1], self.bits, True)
            if less(rise, (1, -16)):
                return first[0], _sum(first[1], rise, self.bits, True)
        return first[0], self._log(b)[1]

    def _log(self, a: Number) -> Interval:
        """log a = n·log 2 + log(j/32) + log(32x/j) for a = x·2^n, 1 <= x < 2 and j = ⌊32x⌋: each is 2·artanh z with 0 <= z <= 1/3.

        Close to 1, where |z| = |a − 1|/(a + 1) <= 1/32, it is 2·artanh z alone, in units of which |z| is at least 2^(bits + 23).
        """
        if a[1] == HUGE:
            return a, a
        (m, e), w = a, self.bits + 24
        size = m.bit_length()
        if e + size in (0, 1):  # 1/2 <= a < 2
            p, q = m - (1 << -e), m + (1 << -e)
            if 32 * abs(p) <= q:
                w += q.bit_length() - p.bit_length()
                low, high = _artanh_sum(abs(p), q, w)
                low, high = (low, high) if p > 0 else (-high, -low)
                return rounded(2 * low, -w, self.bits, False), rounded(2 * high, -w, self.bits, True)
        j, n = m << 6 - size if size < 6 else m >> size - 6, e + size - 1
        m, near = m << 5, j << size - 1
        parts = _artanh_sum(m - near, m + near, w), _log_of_32nds(j, w), tuple(sorted(n * end for end in _log_of_32nds(64, w)))
        low, high = (2 * sum(ends) for ends in zip(*parts, strict=True))
        return rounded(low, -w, self.bits, False), rounded(high, -w, self.bits, True)

    @cached_property
    def pi(self) -> Interval:
        """π = 16·arctan(1/5) − 4·arctan(1/239), alternating series of falling terms: partial sums lie on both sides."""
        w = self.bits + 20

        def arctan(q: int) -> tuple[int, int]:
            total, power, n = 0, (1 << w) // q, 0
            while power:
                total += (-1) ** n * (power // (2 * n + 1))
                power, n = power // (q * q), n + 1
            return total - 2 * n - 4, total + 2 * n + 4  # each of n terms is off by at most 2 units, and the rest is below 1

        (a, b), (c, d) = arctan(5), arctan(239)
        return rounded(16 * a - 4 * d, -w, self.bits, False), rounded(16 * b - 4 * c, -w, self.bits, True)

    # error functions

    def erf(self, x: Interval) -> Interval:
        """The error function, which rises."""
        return self._erf(x[0])[0], self._erf(x[1])[1]

    def erfc(self, x: Interval) -> Interval:
        """1 − erf, which falls; far out its relative error is small too.

        One series serves ends that differ by little more than a rounding: erfc b >= erfc a·(1 − 2(max(a, 0) + 1)(b − a)). For a <= 0
        the slope is at most 2/√π and erfc a >= 1. For a >= 0 it is at most 2/√π·e^{−a²} <= 2(a + 1)·erfc a, as the function
        √π/2·erfc a − e^{−a²}/(2(a + 1)) falls to 0: its derivative is e^{−a²}·(−1/(a + 1) + 1/(2(a + 1)²)).
        """
        (a, b), bits = x, self.bits
        low, high = self._erfc(a)
        if a == b:
            return low, high
        if HUGE not in (a[1], b[1]):
            width, rate = _sum(b, negated(a), bits, True), _sum(largest(a, ZERO), ONE, bits, True)
            fall = _doubled(_product(width, rate, bits, True))
            if less(fall, (1, min(-16, 16 - bits))):
                return _product(low, _sum(ONE, negated(fall), bits, False), bits, False), high
        return self._erfc(b)[0], high

    def normal_cdf(self, x: Interval) -> Interval:
        """Φ(x) = erfc(−x/√2)/2."""
        return self.multiply(((1, -1), (1, -1)), self.erfc(self.negative(self.multiply(x, self._root_of_half))))

    @cached_property
    def _root_of_half(self) -> Interval:
        return self.root(((1, -1), (1, -1)))

    @cached_property
    def _root_of_pi(self) -> Interval:
        return self.root(self.pi)

    @cached_property
    def _inverse_root_of_pi(self) -> Interval:
        return self.reciprocal(self._root_of_pi)

    def _far(self, a: Number) -> bool:
        """a > 0 where the asymptotic series reaches the precision: a² >= bits·log 2 + 9."""
        return less((math.isqrt(self.bits + 9) + 1, 0), a)

    def _erf(self, a: Number) -> Interval:
        if a[0] < 0:
            return self.negative(self._erf(negated(a)))
        if self._far(a):
            return self.add((ONE, ONE), self.negative(self._erfc(a)))
        return self._erf_series(a)

    def _erf_series(self, a: Number) -> Interval:
        """erf a = 2a/√π·e^{−a²}·Σ t^n/(2n+1)!!, t = 2a².

        The terms are positive; after a ratio t/(2n+3) <= 1/2 the rest is at most the last term.
        """
        if a[0] == 0:
            return ZERO, ZERO
        square = self.integer_power((a, a), 2)
        low_sum, high_sum = _erf_sum(_doubled(square[0]), _doubled(square[1]), self.bits)
        total: Interval = (rounded(*low_sum, self.bits, False), rounded(*high_sum, self.bits, True))
        front = self.multiply(((a[0], a[1] + 1),) * 2, self._inverse_root_of_pi)
        low, high = self.multiply(self.multiply(front, self.exp(self.negative(square))), total)
        return low, least(high, ONE)

    def _erfc(self, a: Number) -> Interval:
        """1 − erf a, with as many bits more as cancel; far out the asymptotic series, whose error is below the first term left out."""
        if a[1] == HUGE:
            return (ZERO, ZERO) if a[0] > 0 else ((2, 0), (2, 0))
        if a[0] <= 0:
            return self.add((ONE, ONE), self._erf(negated(a)))
        if not self._far(a):
            lost = shifted((3 * a[0] ** 2, 2 * a[1] - 4), 0, True)  # erfc a is about e^{−a²}, and a²·log₂e < 3a²/2
            wide = _arithmetic(self.bits + 8 * lost + 8)
            low, high = wide.add((ONE, ONE), wide.negative(wide._erf_series(a)))
            return rounded(*largest(low, ZERO), self.bits, False), rounded(*high, self.bits, True)
        square = self.integer_power((a, a), 2)
        ratio = self.negative(self.reciprocal((_doubled(square[0]), _doubled(square[1]))))
        total, term, n = (ZERO, ZERO), (ONE, ONE), 0
        while less((1, -self.bits - 8), self.absolute(term)[1]) and n < self.bits:
            total, n = self.add(total, term), n + 1
            term = self.multiply(term, self.multiply(ratio, self.number(Fraction(2 * n - 1))))
        rest = self.absolute(term)[1]
        total = self.add(total, (negated(rest), rest))
        below = self.multiply((a, a), self._root_of_pi)
        low, high = self.multiply(self.multiply(self.exp(self.negative(square)), self.reciprocal(below)), total)
        return largest(low, ZERO), high

    # corners

    def absolute(self, x: Interval) -> Interval:
        """|x|."""
        if x[0][0] >= 0:
            return x
        if x[1][0] <= 0:
            return self.negative(x)
        return ZERO, largest(negated(x[0]), x[1])

    def maximum(self, x: Interval, y: Interval) -> Interval:
        """max(x, y)."""
        return largest(x[0], y[0]), largest(x[1], y[1])

    def minimum(self, x: Interval, y: Interval) -> Interval:
        """min(x, y)."""
        return least(x[0], y[0]), least(x[1], y[1])


_arithmetic = lru_cache(maxsize=256)(Arithmetic)
"""Arithmetic of a precision, with its constants."""


def hull(x: Interval, y: Interval) -> Interval:
    """The least interval about both."""
    return least(x[0], y[0]), largest(x[1], y[1])


def _doubled(a: Number) -> Number:
    return a if a[1] == HUGE else (a[0], a[1] + 1)


def _erf_sum(low: Number, high: Number, bits: int) -> Interval:
    """Below Σ t^n/(2n+1)!! for t = low and above it for t = high, 0 <= low <= high: one sum in fixed point, rounded down.

    What a rounding, of less than 1 unit, takes from the terms after it is at most the sum S of all, because t^m/((2k+3)…(2k+2m+1)) is at
    most t^m/(2m+1)!!. So with N terms found the last one misses at most N·S, all together miss at most N·S, and the rest is at most the
    last one, as the ratio t/(2n+3) is at most 1/2: S <= (found + 1)/(1 − 2N·2^−w) <= (found + 1)·(1 + 4N·2^−w), 4N < 2^w. As
    S' <= S/2, the sum for `high` is at most e^{d/2} <= 1 + d times that, for d <= 1 the distance from the t that is summed for; and
    (1 + x)·(1 + d) <= 1 + 2x + d.
    """
    w = bits + 16
    fixed, above = shifted(low, w, False), shifted(high, w, True)
    if above - fixed >> w:
        return _erf_sum(low, low, bits)[0], _erf_sum(high, high, bits)[1]
    total = term = 1 << w
    n = 0
    while term > 1 or 2 * fixed > (2 * n + 3) << w:
        n += 1
        term = (term * fixed >> w) // (2 * n + 1)  # floors of floors are floors
        total += term
    top = total + 1
    return (total, -w), (top + (top * (8 * n + above - fixed) >> w) + 1, -w)
