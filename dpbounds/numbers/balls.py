"""Balls and enclosures: working precision as an argument, outward rounding on the way out.

A ball is an Arb midpoint-radius interval (`flint.arb`): every operation returns a ball that contains
the exact result for all points of its inputs. `Enclosure` is what users get: an interval with exact binary endpoints.
Reference: F. Johansson, "Arb: efficient arbitrary-precision midpoint-radius interval arithmetic", IEEE Trans. Comput. 66 (2017).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import arb, ctx, fmpq, fmpz

from dpbounds.errors import PrecisionError, Undecidable
from dpbounds.numbers.exact import decimal_text, integer_text, text

BITS_PER_DIGIT = math.log2(10)
_RADIUS_BITS = 30
_LARGEST_FLOAT, _SMALLEST_FLOAT = 1.7976931348623157e308, 5e-324
_LARGEST_SHIFT = 2**28
_EXACT_DECIMAL_SHIFT = 2**17

Ball = arb
"""The type of a ball, for modules that compute with balls but do not import flint."""


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Work at `bits` bits inside the block and restore what was set before, also on errors.

    >>> with precision(100):
    ...     ctx.prec
    100
    """
    before = ctx.prec
    ctx.prec = max(2, int(bits))
    try:
        yield
    finally:
        ctx.prec = before


def working_bits() -> int:
    """The precision that is set now, in bits.

    >>> with precision(80):
    ...     working_bits()
    80
    """
    return int(ctx.prec)


def bits_for(digits: int | float, guard: int = 20) -> int:
    """Working precision for `digits` decimal digits and `guard` more bits.

    >>> bits_for(10) < bits_for(20)
    True
    """
    return math.ceil(digits * BITS_PER_DIGIT) + guard


def ball(value: Fraction | int) -> arb:
    """The rational number as a ball at the current precision.

    >>> ball(Fraction(1, 4)).is_exact()
    True
    """
    if isinstance(value, int):
        return arb(fmpz(value))
    return arb(fmpq(value.numerator, value.denominator))


@lru_cache(maxsize=16384)
def _interval(low: Fraction, high: Fraction, bits: int) -> arb:
    around = ball(low).union(ball(high))
    radius = (high - low) / 2
    if low == high or radius.denominator & (radius.denominator - 1) or radius.numerator.bit_length() > _RADIUS_BITS:
        return ball(low) if low == high else around
    # A radius is rounded up by one unit of its 30 bits, also when it would fit; so it is asked for one unit too small.
    power_of_two = radius.numerator & (radius.numerator - 1) == 0
    unit = Fraction(2) ** (radius.numerator.bit_length() - radius.denominator.bit_length() + 1 - _RADIUS_BITS - power_of_two)
    exact = arb(ball((low + high) / 2), ball(radius - unit))
    with precision(max(bits, 2 * _RADIUS_BITS) + low.numerator.bit_length() + high.numerator.bit_length()):
        contains = bool(exact.lower() <= ball(low)) and bool(exact.upper() >= ball(high))
    return exact if contains else around


def interval(low: Fraction, high: Fraction) -> arb:
    """A ball around [low, high] at the current precision; its ends are exact where they are short binary fractions.

    >>> interval(Fraction(0), Fraction(1)) >= 0
    True
    """
    return _interval(low, high, ctx.prec)


def to_fraction(value: arb) -> Fraction | float:
    """An exact ball as a `Fraction`; infinities as floats.

    Raises:
        PrecisionError: a number so large or small that a `Fraction` of it would fill the memory.

    >>> to_fraction(ball(3) / 4)
    Fraction(3, 4)
    """
    if value.is_nan():
        raise ValueError("a NaN is no number")
    if not value.is_finite():
        return math.inf if value > 0 else -math.inf
    mantissa, exponent = _mantissa_exponent(value)
    if abs(exponent) > _LARGEST_SHIFT:
        raise PrecisionError(f"{_decimal(value, 3, up=True)} cannot be written out as a fraction; compare enclosures or print decimals")
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


@dataclass(frozen=True, eq=False)
class Enclosure:
    """A certified interval: the true value lies in [low, high].

    The endpoints are exact balls (radius zero), possibly infinite. Build one with `Enclosure.of_ball(ball)`,
    `Enclosure.between(low, high)` or `Enclosure.exactly(rational)`.

    >>> third = Enclosure.of_ball(ball(1) / 3)
    >>> third.lower < Fraction(1, 3) < third.upper
    True
    >>> third.lower_decimal(5), third.upper_decimal(5)
    ('0.33333', '0.33334')
    """

    low: arb
    high: arb

    def __post_init__(self) -> None:
        if not (self.low.is_exact() and self.high.is_exact() and self.low <= self.high):
            raise ValueError(f"an enclosure needs exact ends, low <= high, got {self.low} and {self.high}")

    @classmethod
    def of_ball(cls, value: arb) -> Enclosure:
        """The interval of a ball. A NaN ball encloses nothing and becomes the whole line."""
        if value.is_nan():
            return cls(arb.neg_inf(), arb.pos_inf())
        return cls(_endpoint(value, lower=True), _endpoint(value, lower=False))

    @classmethod
    def between(cls, low: arb, high: arb) -> Enclosure:
        """The interval from the lower end of one ball to the upper end of another.

        >>> Enclosure.between(arb(1), arb(2)).contains(Fraction(3, 2))
        True
        """
        return cls(_endpoint(low, lower=True), _endpoint(high, lower=False))

    @classmethod
    def exactly(cls, value: Fraction | int) -> Enclosure:
        """The tightest interval around a rational number at the current precision; the point itself if it is dyadic.

        >>> Enclosure.exactly(Fraction(3, 8)).is_exact, Enclosure.exactly(Fraction(1, 3)).is_exact
        (True, False)
        """
        exact = Fraction(value)
        numerator, denominator = exact.numerator, exact.denominator
        if denominator & (denominator - 1) == 0:
            point = arb((numerator, 1 - denominator.bit_length()))
            return cls(point, point)
        shift = ctx.prec - abs(numerator).bit_length() + denominator.bit_length()
        below = (numerator << shift) // denominator if shift >= 0 else numerator // (denominator << -shift)
        return cls(arb((below, -shift)), arb((below + 1, -shift)))

    def ball(self) -> arb:
        """A ball around the interval at the current precision."""
        return self.low.union(self.high)

    @property
    def lower(self) -> Fraction | float:
        """The lower endpoint, exactly (`-math.inf` if unbounded)."""
        return to_fraction(self.low)

    @property
    def upper(self) -> Fraction | float:
        """The upper endpoint, exactly (`math.inf` if unbounded)."""
        return to_fraction(self.high)

    @property
    def lower_float(self) -> float:
        """The largest float that is surely not above the lower endpoint."""
        return _float(self.low, up=False)

    @property
    def upper_float(self) -> float:
        """The smallest float that is surely not below the upper endpoint."""
        return _float(self.high, up=True)

    def lower_decimal(self, digits: int = 15) -> str:
        """The lower endpoint as a decimal with `digits` significant digits, rounded down."""
        return _decimal(self.low, digits, up=False)

    def upper_decimal(self, digits: int = 15) -> str:
        """The upper endpoint as a decimal with `digits` significant digits, rounded up."""
        return _decimal(self.high, digits, up=True)

    @property
    def is_exact(self) -> bool:
        """True when both endpoints coincide."""
        return bool(self.low == self.high)

    def digits(self) -> float:
        """Certified digits: the largest D with upper - lower <= 10**(1-D) * |upper| (inf when exact).

        >>> 15 < Enclosure.of_ball(ball(1) / 3).digits() < 18
        True
        """
        if self.is_exact:
            return math.inf
        with precision(64):
            width, scale = self.high - self.low, abs(self.high)
            if not (width.is_finite() and scale > 0):
                return -math.inf
            return math.nextafter(1 - float(((width / scale).log() / arb(10).log()).upper()), -math.inf)

    def meets(self, digits: int) -> bool:
        """True when upper - lower <= 10**(1-digits) * |upper|; never when an end is infinite, unless both are the same."""
        if self.is_exact:
            return True
        with precision(bits_for(digits) + 64):
            width = self.high - self.low
            return bool(width.is_finite() and width <= abs(self.high) * arb(10) ** (1 - digits))

    def contains(self, value: Fraction | int | Enclosure) -> bool:
        """True when the number, or the whole other interval, lies inside."""
        if isinstance(value, Enclosure):
            return bool(self.low <= value.low) and bool(value.high <= self.high)
        return _compare(self.low, value) <= 0 <= _compare(self.high, value)

    def overlaps(self, other: Enclosure) -> bool:
        """True when the two intervals share a point."""
        return bool(self.low <= other.high) and bool(other.low <= self.high)

    def intersection(self, other: Enclosure) -> Enclosure:
        """The points that both intervals contain; both must enclose the same number."""
        return Enclosure(_larger(self.low, other.low), _smaller(self.high, other.high))

    def maximum(self, other: Enclosure) -> Enclosure:
        """An enclosure of max(x, y) for x here and y there."""
        return Enclosure(_larger(self.low, other.low), _larger(self.high, other.high))

    def __le__(self, other: Enclosure | Fraction | int) -> bool:
        return self._decide(other, "<=")

    def __lt__(self, other: Enclosure | Fraction | int) -> bool:
        return self._decide(other, "<")

    def __ge__(self, other: Enclosure | Fraction | int) -> bool:
        return self._decide(other, ">=")

    def __gt__(self, other: Enclosure | Fraction | int) -> bool:
        return self._decide(other, ">")

    def _decide(self, other: Enclosure | Fraction | int, relation: str) -> bool:
        if not isinstance(other, (Enclosure, Fraction, int)):
            return NotImplemented  # floats too: a decimal or a binary fraction? the caller must say
        low, high = (other.low, other.high) if isinstance(other, Enclosure) else (other, other)
        least, largest = _compare(self.low, high), _compare(self.high, low)  # the signs that self - other may have
        holds, fails = {
            "<=": (largest <= 0, least > 0),
            "<": (largest < 0, least >= 0),
            ">=": (least >= 0, largest < 0),
            ">": (least > 0, largest <= 0),
        }[relation]
        if holds or fails:
            return holds
        digits = min(part.digits() for part in (self, other) if isinstance(part, Enclosure))
        shown = other if isinstance(other, Enclosure) else text(Fraction(other))
        raise Undecidable(
            f"{self} {relation} {shown} cannot be decided from {max(digits, 0):.0f} digits; ask for more digits or accept a tie"
        )

    def __str__(self) -> str:
        digits = self.digits()
        shown = 17 if math.isinf(digits) else max(3, min(int(digits) + 2, 60))
        return f"[{self.lower_decimal(shown)}, {self.upper_decimal(shown)}]"

    __repr__ = __str__


def _larger(left: arb, right: arb) -> arb:
    return left if left >= right else right  # of exact balls; arb.max would round


def _smaller(left: arb, right: arb) -> arb:
    return left if left <= right else right


def _compare(end: arb, other: arb | Fraction | int) -> int:
    """The sign of end - other, exactly, for an exact ball and another or a rational number."""
    if isinstance(other, (Fraction, int)):
        numerator, denominator = other.numerator, other.denominator
        bits = _mantissa_exponent(end)[0].bit_length() if end.is_finite() else 0
        with precision(bits + denominator.bit_length() + 2):
            end, other = end * fmpz(denominator), arb(fmpz(numerator))  # both exact
    return int(end > other) - int(end < other)


def _mantissa_exponent(value: arb) -> tuple[int, int]:
    mantissa, exponent = value.man_exp()
    return int(mantissa), int(exponent)


def _endpoint(value: arb, *, lower: bool) -> arb:
    """The exact endpoint of a ball, rounded outward at the current precision."""
    if value.is_exact() and not value.is_nan():
        return value
    if not value.is_finite():
        return arb.neg_inf() if lower else arb.pos_inf()
    return value.lower() if lower else value.upper()


def _float(value: arb, *, up: bool) -> float:
    """The nearest float on the safe side of an exact ball."""
    if not value.is_finite():
        return math.inf if value > 0 else -math.inf
    mantissa, exponent = _mantissa_exponent(value)
    order = exponent + mantissa.bit_length()
    if order > 1100:
        return (math.inf if up else _LARGEST_FLOAT) if mantissa > 0 else (-_LARGEST_FLOAT if up else -math.inf)
    if mantissa and order < -1100:
        return (_SMALLEST_FLOAT if up else 0.0) if mantissa > 0 else (0.0 if up else -_SMALLEST_FLOAT)
    exact = Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)
    try:
        nearest = float(exact)
    except OverflowError:
        nearest = math.inf if exact > 0 else -math.inf
    if math.isinf(nearest):
        return nearest if up == (nearest > 0) else math.copysign(_LARGEST_FLOAT, nearest)
    if up:
        return nearest if Fraction(nearest) >= exact else math.nextafter(nearest, math.inf)
    return nearest if Fraction(nearest) <= exact else math.nextafter(nearest, -math.inf)


def _decimal(value: arb, digits: int, *, up: bool) -> str:
    """A decimal with `digits` significant digits on the safe side of an exact ball, the nearest one unless the exponent is huge."""
    if not value.is_finite():
        return "inf" if value > 0 else "-inf"
    digits = max(1, digits)
    mantissa, exponent = _mantissa_exponent(value)
    if abs(exponent) > _EXACT_DECIMAL_SHIFT:
        with precision(max(64, bits_for(digits) + 64)):
            middle, radius, power = (int(part) for part in value.mid_rad_10exp(digits + 20))
        return _rounded(middle + radius if up else middle - radius, power, digits, up=up)
    places = digits + 1 - math.floor((exponent + mantissa.bit_length() - 1) / BITS_PER_DIGIT)
    numerator, denominator = mantissa << max(exponent, 0), 1 << max(-exponent, 0)
    if places >= 0:
        numerator *= 10**places
    else:
        denominator *= 10**-places
    end = -(-numerator // denominator) if up else numerator // denominator
    return _rounded(end, -places, digits, up=up)


def _rounded(mantissa: int, exponent: int, digits: int, *, up: bool) -> str:
    """mantissa * 10**exponent cut to `digits` significant digits, rounded up or down."""
    drop = len(integer_text(abs(mantissa))) - digits
    if drop > 0:
        scale = 10**drop
        mantissa, exponent = (-(-mantissa // scale) if up else mantissa // scale), exponent + drop
    return decimal_text(mantissa, exponent)
