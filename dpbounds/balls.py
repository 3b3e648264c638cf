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

from flint import arb, ctx, fmpq, fmpz

from dpbounds.errors import Undecidable

BITS_PER_DIGIT = math.log2(10)

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
    """The precision that is set now, in bits."""
    return int(ctx.prec)


def bits_for(digits: int | float, guard: int = 20) -> int:
    """Working precision for `digits` decimal digits and `guard` more bits."""
    return math.ceil(digits * BITS_PER_DIGIT) + guard


def ball(value: Fraction | int) -> arb:
    """The rational number as a ball at the current precision.

    >>> ball(Fraction(1, 4)).is_exact()
    True
    """
    if isinstance(value, int):
        return arb(fmpz(value))
    return arb(fmpq(value.numerator, value.denominator))


def to_fraction(value: arb) -> Fraction | float:
    """An exact, finite ball as a `Fraction`; infinities as floats."""
    if not value.is_finite():
        return math.inf if value > 0 else -math.inf
    mantissa, exponent = (int(part) for part in value.man_exp())
    return Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)


@dataclass(frozen=True, eq=False)
class Enclosure:
    """A certified interval: the true value lies in [low, high].

    The endpoints are exact balls (radius zero), possibly infinite. Build one with `Enclosure.of(ball)`,
    `Enclosure.between(low, high)` or `Enclosure.exactly(rational)`.

    >>> third = Enclosure.of(ball(1) / 3)
    >>> third.lower < Fraction(1, 3) < third.upper
    True
    >>> third.lower_decimal(5), third.upper_decimal(5)
    ('0.33333', '0.33334')
    """

    low: arb
    high: arb

    def __post_init__(self) -> None:
        if self.low.is_nan() or self.high.is_nan() or not self.low <= self.high:
            raise ValueError(f"an enclosure needs low <= high, got {self.low} and {self.high}")

    @classmethod
    def of(cls, value: arb) -> Enclosure:
        """The interval of a ball. A NaN ball encloses nothing and becomes the whole line."""
        if value.is_nan():
            return cls(arb.neg_inf(), arb.pos_inf())
        return cls(_endpoint(value, lower=True), _endpoint(value, lower=False))

    @classmethod
    def between(cls, low: arb, high: arb) -> Enclosure:
        """The interval from the lower end of one ball to the upper end of another."""
        return cls(_endpoint(low, lower=True), _endpoint(high, lower=False))

    @classmethod
    def exactly(cls, value: Fraction | int) -> Enclosure:
        """The tightest interval around a rational number at the current precision (a point if it is dyadic)."""
        exact = Fraction(value)
        needed = max(abs(exact.numerator).bit_length(), 2)
        if exact.denominator & (exact.denominator - 1) == 0:
            with precision(max(needed, ctx.prec)):
                return cls.of(ball(exact))
        return cls.of(ball(exact))

    def ball(self) -> arb:
        """The smallest ball around the interval at the current precision."""
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

        >>> 15 < Enclosure.of(ball(1) / 3).digits() < 18
        True
        """
        if self.is_exact:
            return math.inf
        with precision(64):
            width, scale = self.high - self.low, abs(self.high).max(abs(self.low))
            if not width.is_finite() or not scale > 0:
                return -math.inf
            return 1 - float(((width / scale).log() / arb(10).log()).upper())

    def meets(self, digits: int) -> bool:
        """True when upper - lower <= 10**(1-digits) * |upper|."""
        if self.is_exact:
            return True
        with precision(bits_for(digits) + 64):
            return bool((self.high - self.low).upper() <= abs(self.high) * arb(10) ** (1 - digits))

    def contains(self, value: Fraction | int | Enclosure) -> bool:
        """True when the number, or the whole other interval, lies inside."""
        if isinstance(value, Enclosure):
            return bool(self.low <= value.low) and bool(value.high <= self.high)
        return self.lower <= value <= self.upper

    def overlaps(self, other: Enclosure) -> bool:
        """True when the two intervals share a point."""
        return bool(self.low <= other.high) and bool(other.low <= self.high)

    def intersection(self, other: Enclosure) -> Enclosure:
        """The points that both intervals contain; both must enclose the same number."""
        return Enclosure(self.low.max(other.low), self.high.min(other.high))

    def maximum(self, other: Enclosure) -> Enclosure:
        """An enclosure of max(x, y) for x here and y there."""
        return Enclosure(_larger(self.low, other.low), _larger(self.high, other.high))

    def __le__(self, other: Enclosure | Fraction | int) -> bool:
        return self._decide(other, "<=")

    def __lt__(self, other: Enclosure | Fraction | int) -> bool:
        return self._decide(other, "<")

    def __ge__(self, other: Enclosure | Fraction | int) -> bool:
        return not self._decide(other, "<")

    def __gt__(self, other: Enclosure | Fraction | int) -> bool:
        return not self._decide(other, "<=")

    def _decide(self, other: Enclosure | Fraction | int, relation: str) -> bool:
        low, high = (other.lower, other.upper) if isinstance(other, Enclosure) else (other, other)
        surely = self.upper <= low if relation == "<=" else self.upper < low
        surely_not = self.lower > high if relation == "<=" else self.lower >= high
        if surely or surely_not:
            return bool(surely)
        raise Undecidable(
            f"{self} {relation} {other} cannot be decided from {max(self.digits(), 0):.0f} digits; ask for more digits or accept a tie"
        )

    def __str__(self) -> str:
        digits = self.digits()
        shown = 17 if math.isinf(digits) else max(3, min(int(digits) + 2, 60))
        return f"[{self.lower_decimal(shown)}, {self.upper_decimal(shown)}]"

    __repr__ = __str__


def _larger(left: arb, right: arb) -> arb:
    return left if left >= right else right


def _endpoint(value: arb, *, lower: bool) -> arb:
    """The exact endpoint of a ball, rounded outward at the current precision."""
    if not value.is_finite():
        if value.mid().is_finite() or value.is_nan():
            return arb.neg_inf() if lower else arb.pos_inf()
        return value.mid()
    return value.mid() if value.is_exact() else (value.lower() if lower else value.upper())


def _float(value: arb, *, up: bool) -> float:
    exact = to_fraction(value) if not value.is_finite() or abs(int(value.man_exp()[1])) < 5000 else None
    if exact is None:
        positive, tiny = bool(value > 0), bool(abs(value) < 1)
        if tiny:
            return (5e-324 if up else 0.0) if positive else (0.0 if up else -5e-324)
        return (math.inf if up else 1.7976931348623157e308) if positive else (-1.7976931348623157e308 if up else -math.inf)
    if isinstance(exact, float):
        return exact
    try:
        nearest = float(exact)
    except OverflowError:
        nearest = math.inf if exact > 0 else -math.inf
    if nearest == math.inf:
        return math.inf if up else 1.7976931348623157e308
    if nearest == -math.inf:
        return -1.7976931348623157e308 if up else -math.inf
    if up:
        return nearest if Fraction(nearest) >= exact else math.nextafter(nearest, math.inf)
    return nearest if Fraction(nearest) <= exact else math.nextafter(nearest, -math.inf)


def _decimal(value: arb, digits: int, *, up: bool) -> str:
    """A decimal with `digits` significant digits on the safe side of an exact ball."""
    if not value.is_finite():
        return "inf" if value > 0 else "-inf"
    if value == 0:
        return "0"
    with precision(max(64, bits_for(digits) + 64)):
        mantissa, radius, exponent = (int(part) for part in value.mid_rad_10exp(digits + 5))
    end = mantissa + radius if up else mantissa - radius
    drop = len(str(abs(end))) - digits
    if drop > 0:
        scale = 10**drop
        end, exponent = (-(-end // scale) if up else end // scale), exponent + drop
    return _scientific(end, exponent)


def _scientific(mantissa: int, exponent: int) -> str:
    """mantissa * 10**exponent, as plain decimal when short and in scientific notation otherwise."""
    if mantissa == 0:
        return "0"
    sign, digits = ("-" if mantissa < 0 else ""), str(abs(mantissa))
    stripped = digits.rstrip("0") or "0"
    exponent += len(digits) - len(stripped)
    digits = stripped
    order = exponent + len(digits) - 1
    if -5 <= order < 0:
        return f"{sign}0.{'0' * (-order - 1)}{digits}"
    if 0 <= order < 21:
        if exponent >= 0:
            return f"{sign}{digits}{'0' * exponent}"
        return f"{sign}{digits[: order + 1]}.{digits[order + 1 :]}"
    point = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{point}e{order:+d}"
