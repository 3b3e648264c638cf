"""Losses known exactly, as a + log r with rational a and r > 0, and the lattices they lie on.

Losses a + log r and b + log s lie on one lattice when their ratio is rational. For plain numbers that is always so. For logarithms of
rationals it holds when r and s are powers of one rational g, which the Euclidean algorithm on exponents finds. With r = g^m and s = g^n,
each quotient on the way to r/s^⌊m/n⌋ is a power of g with a smaller exponent. Its height (the larger of numerator and denominator) is
smaller too, because heights are multiplicative under powers. A quotient that is not smaller shows that there is no such g, and the search
ends. A rational number a ≠ 0 is no rational multiple of log r, r ≠ 1, because e^a is transcendental.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpbounds.mechanisms.arithmetic import Number, RealArithmetic
from dpbounds.numbers.exact import Exact


@dataclass(frozen=True)
class ExactLoss:
    """plain + log(ratio); lattices are looked for where `plain` is rational."""

    plain: Exact = Fraction(0)
    ratio: Fraction = Fraction(1)

    def __sub__(self, other: ExactLoss) -> ExactLoss:
        return ExactLoss(self.plain - other.plain, self.ratio / other.ratio)

    def __neg__(self) -> ExactLoss:
        return ExactLoss(-self.plain, 1 / self.ratio)

    @property
    def is_zero(self) -> bool:
        """Exact: a rational number is a logarithm of a rational one only if both are trivial."""
        return self.plain == 0 and self.ratio == 1

    def times(self, count: int) -> ExactLoss:
        """count·loss."""
        return ExactLoss(self.plain * count, self.ratio**count)

    def value(self, numbers: RealArithmetic[Number]) -> Number:
        """In some arithmetic.

        >>> from dpbounds.laws.ball_numbers import BALLS
        >>> ExactLoss(Fraction(1), Fraction(1, 2)).value(BALLS).str(5, radius=False)
        '0.30685'
        """
        if self.ratio == 1:
            return numbers.number(self.plain)
        return numbers.log(self.ratio) if self.plain == 0 else numbers.number(self.plain) + numbers.log(self.ratio)


@dataclass(frozen=True)
class Spacing:
    """Losses start + index·unit, unit > 0, the smallest index 0."""

    start: ExactLoss
    unit: ExactLoss
    indices: tuple[int, ...]

    def refined(self, unit: ExactLoss) -> Spacing:
        """The same on a finer lattice."""
        steps = _multiple(self.unit, unit)
        assert steps is not None
        return Spacing(self.start, unit, tuple(index * steps for index in self.indices))


def spacing_of(losses: Sequence[ExactLoss]) -> Spacing | None:
    """The coarsest lattice that carries at least two different losses, None where there is none.

    >>> found = spacing_of([ExactLoss(ratio=Fraction(ratio)) for ratio in ("1/8", "4", "1/2")])
    >>> found.unit.ratio, found.indices
    (Fraction(2, 1), (0, 5, 2))
    >>> spacing_of([ExactLoss(ratio=Fraction(ratio)) for ratio in ("1", "2", "3")]) is None
    True
    """
    if not losses or not all(isinstance(loss.plain, Fraction) for loss in losses):
        return None
    first = losses[0]
    unit: ExactLoss | None = None
    for loss in losses[1:]:
        difference = loss - first
        if difference.is_zero:
            continue
        unit = _upward(difference) if unit is None else common_unit(unit, difference)
        if unit is None:
            return None
    if unit is None:
        return None
    offsets = [_multiple(loss - first, unit) for loss in losses]
    known = [offset for offset in offsets if offset is not None]
    assert len(known) == len(offsets)
    least = min(known)
    return Spacing(losses[known.index(least)], unit, tuple(offset - least for offset in known))


def common_unit(left: ExactLoss, right: ExactLoss) -> ExactLoss | None:
    """The largest loss > 0 of which both are integer multiples, None where their ratio is not rational.

    >>> common_unit(ExactLoss(Fraction("0.4")), ExactLoss(Fraction("0.6"))).plain
    Fraction(1, 5)
    """
    if left.ratio == right.ratio == 1:
        return ExactLoss(_common_divisor(abs(left.plain), abs(right.plain)))
    if left.plain == right.plain == 0:
        ratio = _common_root(max(left.ratio, 1 / left.ratio), max(right.ratio, 1 / right.ratio))
        return None if ratio is None else ExactLoss(ratio=ratio)
    return _upward(left) if left in (right, -right) else None


def _upward(loss: ExactLoss) -> ExactLoss | None:
    """The loss or its negative, whichever is > 0; None where both parts count and floats leave it open."""
    if not loss.plain or loss.ratio == 1:
        return loss if loss.plain > 0 or loss.ratio > 1 else -loss
    size = float(loss.plain) + _log(loss.ratio)
    if abs(size) <= 1e-9 * abs(float(loss.plain)):
        return None
    return loss if size > 0 else -loss


def _common_divisor(left: Exact, right: Exact) -> Fraction:
    assert isinstance(left, Fraction) and isinstance(right, Fraction)
    over = math.lcm(left.denominator, right.denominator)
    return Fraction(math.gcd(int(left * over), int(right * over)), over)


def _common_root(left: Fraction, right: Fraction) -> Fraction | None:
    """g with left = g^m and right = g^n, both > 1: Euclid on the exponents."""
    while True:
        if left < right:
            left, right = right, left
        rest = left
        while rest >= right:
            if _height(rest / right) >= _height(rest):
                return None
            rest /= right
        if rest == 1:
            return right
        if _height(rest) >= _height(right):
            return None
        left, right = right, rest


def _height(value: Fraction) -> int:
    return max(value.numerator, value.denominator)


def _multiple(loss: ExactLoss, unit: ExactLoss) -> int | None:
    """The integer n with loss = n·unit, if there is one: the height of a ratio's power is that power of its height."""
    if loss.is_zero:
        return 0
    if unit.plain:
        count = loss.plain / unit.plain
        assert isinstance(count, Fraction)
        whole: int | None = count.numerator if count.denominator == 1 else None
    else:
        size = round(math.log(_height(loss.ratio)) / math.log(_height(unit.ratio)))
        whole = size if (loss.ratio > 1) == (unit.ratio > 1) else -size
    return whole if whole is not None and unit.times(whole) == loss else None


def _log(value: Fraction) -> float:
    """In float64, also near 1 and for numbers that no float holds."""
    if Fraction(1, 2) < value < 2:
        return math.log1p(float(value - 1))
    return math.log(value.numerator) - math.log(value.denominator)
