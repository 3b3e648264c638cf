"""Exact inputs as balls."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dpbounds.errors import InputError
from dpbounds.numbers.balls import ball, precision, working_bits
from dpbounds.numbers.exact import Exact


def exact_ball(value: Exact | int, name: str = "value", spare: int = 0) -> arb:
    """A ball around an exact number at the current precision and so many spare bits.

    Raises:
        InputError: an irrational number, which the engine does not read.

    >>> exact_ball(Fraction(1, 4)).is_exact()
    True
    """
    if isinstance(value, (Fraction, int)):
        with precision(working_bits() + spare):
            return ball(value)
    raise InputError(f"{name} must be rational, got {value}; write it as a decimal or a fraction")


def approx(value: Exact | int) -> float:
    """The nearest float of an exact number, for planning only.

    >>> from fractions import Fraction
    >>> approx(Fraction(1, 4))
    0.25
    """
    return float(value)
