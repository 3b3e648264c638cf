"""Real intervals and complex rectangles with operators, on the interval arithmetic of `dpbounds.covers.intervals`.

Every operation contains the exact result for all members of its operands. Numbers of one computation share their precision.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from dpbounds.covers.intervals import Arithmetic, Interval, hull

_POWER = 1 << 15
"""k in `Real.__pow__`: `integer_power` ends at 100,000, so powers end above 3·10^9."""


class Refused(Exception):
    """Why a certificate is not accepted, in one line."""


@dataclass(frozen=True, slots=True)
class Real:
    """An interval [low, high] of real numbers at the precision of `at`."""

    at: Arithmetic
    ends: Interval

    def _of(self, other: Real | Fraction | int) -> Interval:
        return other.ends if isinstance(other, Real) else self.at.number(other)

    def __add__(self, other: Real | Fraction | int) -> Real:
        return Real(self.at, self.at.add(self.ends, self._of(other)))

    def __neg__(self) -> Real:
        return Real(self.at, self.at.negative(self.ends))

    def __sub__(self, other: Real | Fraction | int) -> Real:
        return Real(self.at, self.at.add(self.ends, self.at.negative(self._of(other))))

    def __rsub__(self, other: Fraction | int) -> Real:
        return -self + other

    def __mul__(self, other: Real | Fraction | int) -> Real:
        return Real(self.at, self.at.multiply(self.ends, self._of(other)))

    def __truediv__(self, other: Real | Fraction | int) -> Real:
        return Real(self.at, self.at.multiply(self.ends, self.at.reciprocal(self._of(other))))

    def __rtruediv__(self, other: Fraction | int) -> Real:
        return Real(self.at, self.at.multiply(self.at.number(other), self.at.reciprocal(self.ends)))

    def __pow__(self, n: int) -> Real:
        """x^n, n >= 0; for a large n = qk + r it is (x^k)^q·x^r."""
        if n > _POWER:
            times, rest = divmod(n, _POWER)
            return Real(self.at, self.at.integer_power((self**_POWER).ends, times)) * self**rest
        return Real(self.at, self.at.integer_power(self.ends, n) if n else self.at.number(Fraction(1)))

    __radd__ = __add__
    __rmul__ = __mul__

    def exp(self) -> Real:
        """e^x."""
        return Real(self.at, self.at.exp(self.ends))

    def log(self) -> Real:
        """log x, x > 0."""
        return Real(self.at, self.at.log(self.ends))

    def root(self) -> Real:
        """√x, x >= 0."""
        return Real(self.at, self.at.root(self.ends))

    def upper_normal(self) -> Real:
        """Φ̄(x) = P(N(0, 1) > x)."""
        return Real(self.at, self.at.normal_cdf(self.at.negative(self.ends)))

    def upper(self) -> Real:
        """The upper end alone."""
        return Real(self.at, (self.ends[1], self.ends[1]))

    def absolute(self) -> Real:
        """|x|."""
        return Real(self.at, self.at.absolute(self.ends))

    def positive_part(self) -> Real:
        """max(x, 0)."""
        return self.maximum(self * 0)

    def maximum(self, other: Real) -> Real:
        """max(x, y)."""
        return Real(self.at, self.at.maximum(self.ends, other.ends))

    def minimum(self, other: Real) -> Real:
        """min(x, y)."""
        return Real(self.at, self.at.minimum(self.ends, other.ends))

    def plus_minus(self, error: Real) -> Real:
        """[x − e, x + e] for the largest e >= 0 of `error`."""
        return self + Real(self.at, hull(error.ends, (-error).ends))

    def down_by(self, most: Real) -> Real:
        """[x − e, x] for the largest e >= 0 of `most`: a sum that is too large by at most that."""
        return self - Real(self.at, hull(most.ends, (most * 0).ends))

    def within(self, other: Real) -> Real:
        """The part of x that lies in the other interval too; refused where there is none."""
        low, high = max(self.ends[0], other.ends[0]), min(self.ends[1], other.ends[1])
        if high < low:
            raise Refused("two enclosures of one quantity have nothing in common")
        return Real(self.at, (low, high))

    def cis(self) -> Complex:
        """cos x + i·sin x: at the middle, and the half-width on either side, because |e^{ix} − e^{iy}| <= |x − y|."""
        if any(end.adjusted() >= 60 or end.is_infinite() for end in self.ends):
            raise Refused("an angle is too large")
        bits = self.at.bits + 8
        middle, spread = self.fixed(bits)
        cosine, sine, error = _cis(middle, bits)
        error += spread
        ends = ((self.at.ratio(part - error, 1 << bits)[0], self.at.ratio(part + error, 1 << bits)[1]) for part in (cosine, sine))
        return Complex(*(Real(self.at, pair) for pair in ends))

    def middle(self) -> Real:
        """A number about half-way between the ends."""
        return self if self.ends[0] == self.ends[1] else self.about(sum(self.bounds(), Fraction(0)) / 2, Fraction(0))

    def about(self, middle: Fraction, error: Fraction) -> Real:
        """[middle − error, middle + error] at the precision of this number."""
        return Real(self.at, (self.at.number(middle - error)[0], self.at.number(middle + error)[1]))

    def bounds(self) -> tuple[Fraction, Fraction]:
        """Both ends; refused where one is infinite."""
        low, high = self.ends
        if low.is_infinite() or high.is_infinite():
            raise Refused("a bound is infinite")
        return Fraction(low), Fraction(high)

    def surely_below(self, other: Real | Fraction | int) -> bool:
        """Every member is below every member of the other."""
        return self.ends[1] < self._of(other)[0]

    def surely_at_most(self, other: Real | Fraction | int) -> bool:
        """Every member is at most every member of the other."""
        return self.ends[1] <= self._of(other)[0]

    def fixed(self, bits: int) -> tuple[int, int]:
        """(m, e) with |x·2^bits − m| <= e for every member x."""
        if any(end.is_infinite() for end in self.ends):
            raise Refused("a bound is infinite")
        low, high = -_up_in_units(self.ends[0].copy_negate(), bits), _up_in_units(self.ends[1], bits)
        m = (low + high) // 2
        return m, high - m  # not below m - low


def _up_in_units(x: Decimal, bits: int) -> int:
    """The least integer that is at least x·2^bits; |x| < 10^−|bits| is not written out, which may be long."""
    if x.adjusted() < -abs(bits):
        return int(x > 0)
    p, q = x.as_integer_ratio()
    return -((-p << max(bits, 0)) // (q << max(-bits, 0)))


@dataclass(frozen=True, slots=True)
class Complex:
    """A rectangle of complex numbers."""

    re: Real
    im: Real

    def __add__(self, other: Complex) -> Complex:
        return Complex(self.re + other.re, self.im + other.im)

    def __mul__(self, other: Complex) -> Complex:
        return Complex(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)

    def times(self, factor: Real | Fraction | int) -> Complex:
        """A real multiple."""
        return Complex(self.re * factor, self.im * factor)

    def plus(self, term: Real | Fraction | int) -> Complex:
        """z + x, x real."""
        return Complex(self.re + term, self.im)

    def squared_modulus(self) -> Real:
        """|z|²."""
        return self.re**2 + self.im**2

    def reciprocal(self) -> Complex:
        """1/z."""
        size = self.squared_modulus()
        return Complex(self.re / size, -self.im / size)

    def exp(self) -> Complex:
        """e^z."""
        return self.im.cis().times(self.re.exp())

    def log(self) -> Complex:
        """The principal logarithm where arg z lies in [0, π): any start y, then arg z = y + arctan t for z·e^{−iy} = r(1 + it), r > 0.

        |arctan t − t + t³/3| <= |t|⁵/5.
        """
        low, high = self.re.bounds(), self.im.bounds()
        size = max(abs(low[0]), abs(high[1]), Fraction(1, 1 << 5000))
        angle = self.re.about(Fraction(cmath.phase(complex(float(low[0] / size), float(high[1] / size)))), Fraction(0))
        for _ in range(1 + self.re.at.bits // 200):
            y = angle.middle()
            turned = self * (-y).cis()
            if not (-turned.re).surely_below(0):
                raise Refused("an argument is not found")
            t = turned.im / turned.re
            angle = y + t - t**3 / 3
            angle = angle.plus_minus(t.absolute() ** 5 / 5)
        if not (angle.surely_below(3) and (-angle).surely_below(1)):
            raise Refused("an argument leaves [0, 3]")
        return Complex(self.squared_modulus().log() / 2, angle)

    def disc(self) -> Disc:
        """A disc about the rectangle."""
        size = max(abs(end) for part in (self.re, self.im) for end in part.bounds())
        bits = self.re.at.bits + 8 - (size.numerator.bit_length() - size.denominator.bit_length())
        (a, d), (b, e) = self.re.fixed(bits), self.im.fixed(bits)
        return Disc(a, b, d + e, -bits)


@dataclass(frozen=True, slots=True)
class Disc:
    """The complex numbers within r·2^e of (a + ib)·2^e."""

    a: int
    b: int
    r: int
    e: int

    def times(self, other: Disc, bits: int) -> Disc:
        """The product: |xy − x₀y₀| <= |x₀|s + |y₀|r + rs; then about `bits` bits are kept."""
        r = self.size() * other.r + other.size() * self.r + self.r * other.r
        a, b = self.a * other.a - self.b * other.b, self.a * other.b + self.b * other.a
        drop = max(a.bit_length(), b.bit_length(), r.bit_length()) - bits
        if drop <= 0:
            return Disc(a, b, r, self.e + other.e)
        return Disc(a >> drop, b >> drop, (r >> drop) + 3, self.e + other.e + drop)  # each part is off by less than 1, and so is r

    def plus(self, other: Disc) -> Disc:
        """The sum, exactly, in the smaller unit of both."""
        e = min(self.e, other.e)
        if max(self.e, other.e) - e > 100_000:
            raise Refused("two numbers are too different in size to be added")
        a, b, r = ((x << (self.e - e)) + (y << (other.e - e)) for x, y in ((self.a, other.a), (self.b, other.b), (self.r, other.r)))
        return Disc(a, b, r, e)

    def size(self) -> int:
        """|a + ib|, rounded up."""
        return math.isqrt(self.a * self.a + self.b * self.b) + 1

    def power(self, n: int, bits: int) -> Disc:
        """z^n, n >= 1, by squaring."""
        value = self
        for digit in bin(n)[3:]:
            value = value.times(value, bits)
            if digit == "1":
                value = value.times(self, bits)
        return value

    def wider(self, error: Fraction) -> Disc:
        """All points within `error`."""
        return Disc(self.a, self.b, self.r + math.ceil(error / Fraction(2) ** self.e), self.e)

    def real(self, numbers: Numbers) -> Real:
        """The real parts."""
        scale = Fraction(2) ** self.e
        return numbers.number(0).about(self.a * scale, self.r * scale)


MOST_WORK = 25_000_000
"""Operations on numbers of 100 bits that one piece of evidence may ask for: less than half a minute in pure Python."""
MOST_TOGETHER = 4 * MOST_WORK
"""The same for all certificates that are checked together: less than two minutes."""


class Together:
    """What certificates that are checked together may still ask for, and what they have in common."""

    def __init__(self) -> None:
        self.left = MOST_TOGETHER
        self._made: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` returns, made when it is first asked for; the key says everything that it depends on."""
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]


class Numbers:
    """Makes numbers of one precision, and holds the error terms and the work of one computation."""

    def __init__(self, bits: int, together: Together | None = None) -> None:
        self.at, self.together = Arithmetic(bits), together or Together()
        self.terms: dict[str, Real] = {}
        self._left = MOST_WORK

    def spend(self, operations: int) -> None:
        """Count work before it is done; refused where a certificate asks for too much."""
        work = operations * (1 + (self.at.bits // 200) ** 2)
        self._left, self.together.left = self._left - work, self.together.left - work
        if self._left < 0 or self.together.left < 0:
            raise Refused("the certificate asks for more work than a check may take")

    def state(self, name: str, term: Real) -> None:
        """Note a bound on an error; a second one of the name gets a number."""
        while name in self.terms:
            head, _, tail = name.rpartition(" ")
            name = f"{head} {int(tail) + 1}" if tail.isdigit() else f"{name} 2"
        self.terms[name] = term.upper()

    def number(self, value: Fraction | int) -> Real:
        """The narrowest interval about a rational number."""
        return Real(self.at, self.at.number(value))

    @property
    def pi(self) -> Real:
        """π."""
        return Real(self.at, self.at.pi)

    def total(self, terms: list[Real]) -> Real:
        """Σ terms."""
        found = self.number(0)
        for term in terms:
            found = found + term
        return found


@dataclass(frozen=True)
class Points:
    """c + ijh for 0 <= j < count."""

    c: Fraction
    h: Fraction
    count: int

    def points(self, numbers: Numbers) -> list[Complex]:
        """In order."""
        return [Complex(numbers.number(self.c), numbers.number(self.h * j)) for j in range(self.count)]

    def kernel(self, j: int, bits: int) -> Disc:
        """1/(z(z + 1)) at z = c + ijh: with z(z + 1) = x + iy it is (x − iy)/(x² + y²)."""
        y = self.h * j
        x, y = self.c * (self.c + 1) - y * y, y * (2 * self.c + 1)
        square = x * x + y * y
        shift = bits + square.numerator.bit_length() - square.denominator.bit_length()
        scale = Fraction(2) ** shift
        return Disc(math.floor(x / square * scale), math.floor(-y / square * scale), 2, -shift)


def geometric_line(weights: Sequence[Complex], ratios: Sequence[Complex], count: int, numbers: Numbers) -> list[Disc]:
    """Σ_n W_n·R_n^j for 0 <= j < count where every |R_n| <= 1, in integers with one error bound for each j.

    X_n stands for W_n·R_n^j·2^w. A step multiplies it by R̂_n, |R̂_n − R_n| <= d, and rounds both parts by less than 1. So the sum E of
    the errors |X̂_n − X_n| of all nodes becomes at most E(1 + d) + d·Σ|W_n| + 2N.
    """
    bits = numbers.at.bits + 32
    size = numbers.total([w.re.absolute() + w.im.absolute() for w in weights]).bounds()[1]
    scale = bits - (size.numerator.bit_length() - size.denominator.bit_length() + 1)
    held, error = _fixed(weights, scale)
    turns, _ = _fixed(ratios, bits)
    worst = max(ratio.re.fixed(bits)[1] + ratio.im.fixed(bits)[1] for ratio in ratios)
    growth = math.ceil(worst * size * Fraction(2) ** scale / (1 << bits)) + 2 * len(held)
    found = []
    for _ in range(count):
        found.append(Disc(sum(a for a, _ in held), sum(b for _, b in held), error, -scale))
        held = [((a * c - b * s) >> bits, (a * s + b * c) >> bits) for (a, b), (c, s) in zip(held, turns, strict=True)]
        error += -(-(error * worst) >> bits) + growth
    return found


def _fixed(values: Sequence[Complex], bits: int) -> tuple[list[tuple[int, int]], int]:
    """Both parts of each in units of 2^−bits, and the sum of all errors."""
    rows = [(value.re.fixed(bits), value.im.fixed(bits)) for value in values]
    return [(real[0], imaginary[0]) for real, imaginary in rows], sum(real[1] + imaginary[1] for real, imaginary in rows)


def _cis(x: int, bits: int) -> tuple[int, int, int]:
    """The cosine and the sine of x·2^−bits in units of 2^−bits, and a bound on the error of either in these units.

    Taylor's sum of e^{iy} at y = x·2^−(bits+s), |y| < 2^−8, then s squarings. In units of 2^−w: a term is off by at most 1 for each of the
    n <= w/8 + 1 before it and the rest is below 1, so the sum is off by less than w² + 2. A squaring takes a modulus error e <= 2^w/2,
    |ĉ| <= 1.5·2^w, to at most 2.5e + 2 <= 3e + 4; so after s of them it is below 3^s·(e + 4).
    """
    s = max(0, x.bit_length() - bits + 8)
    w = bits + 2 * s + 2 * bits.bit_length() + 8
    y = (x << w) >> (bits + s)
    parts, term, n = [1 << w, 0], 1 << w, 0
    while term not in (0, -1):
        n += 1
        term = (term * y) // (n << w)
        parts[n % 2] += -term if n % 4 > 1 else term
    c, d, error = parts[0], parts[1], w * w + 2
    for _ in range(s):
        c, d, error = (c * c - d * d) >> w, (2 * c * d) >> w, 3 * error + 4
    drop = w - bits
    return c >> drop, d >> drop, (error >> drop) + 2
