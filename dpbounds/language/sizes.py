"""Numbers that sympy would take long to compute, in one step that nothing interrupts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sympy

from dpbounds.logic.terms import BITS

_MOST_FACTORED, _MOST_ROOT_BITS, _MOST_BITS = 3_000, 14_000, 100_000
"""Bits of a power of which sympy takes a root and looks for factors, of one that it leaves under a root, and of one that it computes."""
_ALL_FACTORED, _SMALL_ROOT = 30, 10_000
"""Bits of a number whose factors it finds at once, and roots of which it takes the number itself, not a power of it."""

_LARGEST_LOGARITHM = 2**20
"""The largest exponent of an exponential of a number."""
_ELEMENTARY = (sympy.Add, sympy.Mul, sympy.Pow, sympy.exp, sympy.log)


def power_takes_long(order: Any, *bases: Any) -> bool:
    """Whether a power of rational numbers would take sympy long: it is large, or a root whose factors it looks for.

    >>> from sympy import Rational
    >>> power_takes_long(Rational(7, 2), Rational(1, 3)), power_takes_long(Rational(7, 2), Rational(1, 3**2000))
    (False, True)
    """
    if not all(part.is_Rational for part in (order, *bases)):
        return False
    size = bits_of(bases)
    under_root = size if order.q <= _SMALL_ROOT else abs(int(order.p)) * size
    if order.is_Integer or _bits_of_power(order, size) > _MOST_BITS:
        return _bits_of_power(order, size) > _MOST_BITS
    return min(abs(int(order.p)), int(order.q)) * size > _MOST_ROOT_BITS or (size > _ALL_FACTORED and under_root > _MOST_FACTORED)


def bits_of(numbers: Iterable[Any]) -> int:
    """The bits of the longest of some rational numbers, above or below the line.

    >>> bits_of([sympy.Rational(1, 8), sympy.Integer(3)])
    4
    """
    return max(max(abs(int(number.p)), int(number.q)).bit_length() for number in numbers)


def _bits_of_power(order: Any, size: int) -> int:
    return abs(int(order.p)) * (size - (size == 1)) // (int(order.q) if order.q <= _SMALL_ROOT else 1)


def is_too_long(tag: str, parts: Sequence[Any]) -> bool:
    """Whether a function of the claim language has a value, at numbers, of more digits than a number of a statement may have.

    An exponential of a number may have a million: sympy, which asks for signs of numbers, takes no step over it.

    >>> from sympy import Integer, Rational, exp
    >>> is_too_long("**", [Rational(3, 2), Integer(10**9)]), is_too_long("exp", [-exp(20)]), is_too_long("factorial", [Integer(20)])
    (True, True, False)
    """
    if tag == "**":
        return bool(parts[0].is_Rational and parts[1].is_Rational and _bits_of_power(parts[1], bits_of(parts[:1])) > 2 * BITS)
    if tag == "exp":
        return bool(
            parts[0].is_number and _is_elementary(parts[0]) and (value := abs(parts[0].evalf(5))).is_Float and value > _LARGEST_LOGARITHM
        )
    return tag in ("factorial", "gamma", "binomial") and any(part.is_Rational and abs(part) > BITS for part in parts)


def _is_elementary(number: sympy.Expr) -> bool:
    return all(part.is_Atom or isinstance(part, _ELEMENTARY) for part in sympy.preorder_traversal(number))


def is_long(value: Any) -> bool:
    """Whether a value is a number with more digits than a number of a statement may have."""
    return bool(value.is_Rational and bits_of([value]) > BITS)
