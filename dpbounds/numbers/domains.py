"""How parameters of a function are read: exact numbers within a range, or one line that says what the range is."""

from __future__ import annotations

from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.exact import Exact


def positive(value: exact.Number, name: str) -> Exact:
    """Read an exact number > 0.

    >>> positive("1.5", "sigma")
    Fraction(3, 2)
    """
    return above(value, 0, name)


def above(value: exact.Number, least: int, name: str) -> Exact:
    """Read an exact number > `least`.

    >>> above("1.5", 1, "eta")
    Fraction(3, 2)
    """
    result = exact.number(value, name)
    if not _is_true(result > least):
        raise InputError(f"{name} must be > {least}, got {exact.text(result)}")
    return result


def at_least(value: exact.Number, least: int, name: str) -> Exact:
    """Read an exact number ≥ `least`.

    >>> at_least("3", 1, "batch size")
    Fraction(3, 1)
    """
    result = exact.number(value, name)
    if not _is_true(result >= least):
        raise InputError(f"{name} must be >= {least}, got {exact.text(result)}")
    return result


def whole_at_least(value: exact.Number, least: int, name: str) -> int:
    """Read an integer ≥ `least`.

    >>> whole_at_least("3", 2, "bins")
    3
    """
    result = exact.integer(value, name)
    if result < least:
        raise InputError(f"{name} must be at least {least}, got {result}")
    return result


def between(value: exact.Number, low: int, high: int, name: str) -> Exact:
    """Read an exact number strictly between two integers.

    >>> between("0.5", 0, 1, "q")
    Fraction(1, 2)
    """
    result = exact.number(value, name)
    if not (_is_true(result > low) and _is_true(result < high)):
        raise InputError(f"{name} must lie strictly between {low} and {high}, got {exact.text(result)}")
    return result


def probability(value: exact.Number, name: str) -> Exact:
    """Read an exact number in [0, 1].

    >>> probability("1/3", "q")
    Fraction(1, 3)
    """
    result = exact.number(value, name)
    if not (_is_true(result >= 0) and _is_true(result <= 1)):
        raise InputError(f"{name} must lie in [0, 1], got {exact.text(result)}")
    return result


def order_above_one(alpha: exact.Number, name: str = "alpha (the Rényi order)") -> Exact:
    """Read an exact order > 1.

    >>> order_above_one("3/2")
    Fraction(3, 2)
    """
    return above(alpha, 1, name)


def nonnegative(value: exact.Number, name: str) -> Exact:
    """Read an exact number >= 0.

    >>> nonnegative(0, "epsilon")
    Fraction(0, 1)
    """
    return at_least(value, 0, name)


def delta_between(delta: exact.Number, name: str = "delta") -> Exact:
    """Read an exact δ with 0 < δ < 1.

    >>> delta_between("1e-5")
    Fraction(1, 100000)
    """
    return between(delta, 0, 1, name)


def at_least_one(value: exact.Number, name: str) -> int:
    """Read an integer >= 1.

    >>> at_least_one("60000", "steps")
    60000
    """
    return whole_at_least(value, 1, name)


def _is_true(comparison: object) -> bool:
    """The truth of a comparison of exact numbers; sympy leaves it open when it cannot tell two numbers apart."""
    if comparison not in (True, False):
        raise InputError(f"cannot decide whether {comparison}; pass a rational number")
    return bool(comparison)
