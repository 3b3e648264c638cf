"""Arithmetic in which a law can be written out: floats, balls (`ball_numbers`) or others."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from dpbounds.errors import InputError
from dpbounds.numbers.exact import Exact

Number = TypeVar("Number", bound=Any)
"""Something with +, −, × and ÷."""


class RealArithmetic(Protocol[Number]):
    """An arithmetic: exact numbers come in, two functions act on them."""

    def number(self, value: Exact | int) -> Number:
        """The number of an exact one."""

    def exp(self, value: Number) -> Number:
        """e^value."""

    def expm1(self, value: Number) -> Number:
        """e^value − 1."""

    def log(self, value: Fraction) -> Number:
        """log of an exact number > 0."""

    def ln(self, value: Number) -> Number:
        """log value."""

    def up_to(self, value: Number) -> Number:
        """Something between 0 and a small value: balls hold all of it, others may take 0."""

    @property
    def bits(self) -> int:
        """What is smaller than 2^−bits may be left out."""


class FloatNumbers:
    """Floats, each result off by a few units in the last place."""

    bits = 960

    def number(self, value: Exact | int) -> float:
        """The nearest float."""
        return float(value)

    def exp(self, value: float) -> float:
        """e^value, 0 where it underflows."""
        return math.exp(value)

    def expm1(self, value: float) -> float:
        """e^value − 1."""
        return math.expm1(value)

    def ln(self, value: float) -> float:
        """log value."""
        return math.log(value)

    def up_to(self, value: float) -> float:
        """0: tails of 2^−bits do not matter in floats."""
        return 0.0

    def log(self, value: Fraction) -> float:
        """log value, also near 1 and for numbers that no float holds."""
        if Fraction(1, 2) < value < 2:
            return math.log1p(float(value - 1))
        scale = value.numerator.bit_length() - value.denominator.bit_length()
        return math.log(float(value / Fraction(2) ** scale)) + scale * math.log(2)


class RationalNumbers:
    """Fractions: what needs another number is refused."""

    bits = 64

    def number(self, value: Exact | int) -> Fraction:
        """The number itself."""
        if isinstance(value, (Fraction, int)):
            return Fraction(value)
        raise InputError(f"{value} is not rational")

    def exp(self, value: Fraction) -> Fraction:
        """1 at 0 only."""
        return 1 + self.expm1(value)

    def expm1(self, value: Fraction) -> Fraction:
        """0 at 0 only."""
        if value:
            raise InputError(f"e^({value}) is not rational")
        return Fraction(0)

    def ln(self, value: Fraction) -> Fraction:
        """0 at 1 only."""
        if value != 1:
            raise InputError(f"log({value}) is not rational")
        return Fraction(0)

    def log(self, value: Fraction) -> Fraction:
        """0 at 1 only."""
        return self.ln(value)

    def up_to(self, value: Fraction) -> Fraction:
        """0, and nothing else."""
        return self.ln(1 + value)


FLOATS, RATIONALS = FloatNumbers(), RationalNumbers()
