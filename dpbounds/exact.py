"""How numbers come in: exactly, or not at all.

`int`, `Fraction`, `Decimal`, decimal and fraction strings and closed sympy numbers are exact.
A Python float means the decimal it prints: `0.01` is 1/100. sympy is imported only when the
value is a sympy number already, so that rational input stays cheap.
"""

from __future__ import annotations

import re
import sys
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias, Union

from dpbounds.errors import InputError

if TYPE_CHECKING:
    import sympy

Exact: TypeAlias = Union[Fraction, "sympy.Expr"]
"""An exact real number: a `Fraction`, or a closed irrational sympy number."""

Number: TypeAlias = Union[int, float, str, Fraction, Decimal, "sympy.Expr"]
"""What users may pass where a number is wanted."""

_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_MAX_EXPONENT = 100_000


def number(value: Number, name: str = "value") -> Exact:
    """Read an exact real number.

    Args:
        value: `int`, `Fraction`, `Decimal`, float (the decimal it prints), a string such as
            `"0.01"`, `"1e-9"` or `"7/2"`, or a closed real sympy number.
        name: how error messages call the value.

    Returns:
        A `Fraction` when the number is rational, otherwise the sympy number itself.

    Raises:
        InputError: NaN, infinities, booleans, text that is not a number, expressions with free symbols.

    >>> number(0.01), number("7/2"), number("1e-3")
    (Fraction(1, 100), Fraction(7, 2), Fraction(1, 1000))
    """
    if isinstance(value, bool):
        raise InputError(f"{name} must be a number, got the boolean {value}")
    if isinstance(value, Fraction):
        return value
    if isinstance(value, int):
        return Fraction(value)
    if isinstance(value, (float, Decimal)):
        return _parse(str(float(value)) if isinstance(value, float) else str(value), name)
    if isinstance(value, str):
        return _parse(value, name)
    if "numpy" in sys.modules:
        import numpy as np

        if isinstance(value, np.generic):
            return number(value.item(), name)
    if "flint" in sys.modules and type(value).__module__.startswith("flint"):
        raise InputError(f"{name} must be exact, got the flint value {value}; pass an int, Fraction or string")
    if "sympy" in sys.modules:
        return _from_sympy(value, name)
    raise InputError(f"{name} must be a number, got {value!r} of type {type(value).__name__}")


def rational(value: Number, name: str = "value") -> Fraction:
    """Read an exact rational number; irrational input is an `InputError`.

    >>> rational("0.25")
    Fraction(1, 4)
    """
    result = number(value, name)
    if not isinstance(result, Fraction):
        raise InputError(f"{name} must be rational, got {result}; write it as a decimal or a fraction")
    return result


def integer(value: Number, name: str = "value") -> int:
    """Read an exact integer.

    >>> integer("1e4")
    10000
    """
    result = number(value, name)
    if not isinstance(result, Fraction) or result.denominator != 1:
        raise InputError(f"{name} must be an integer, got {value}")
    return result.numerator


def text(value: Exact) -> str:
    """Write an exact number so that `number` reads it back: a finite decimal if it is one, else a fraction.

    >>> text(Fraction(1, 100)), text(Fraction(1, 3)), text(Fraction(1, 10**9))
    ('0.01', '1/3', '1e-9')
    """
    if not isinstance(value, Fraction):
        return str(value)
    if value.denominator == 1:
        return str(value.numerator)
    denominator, twos, fives = value.denominator, 0, 0
    while denominator % 2 == 0:
        denominator, twos = denominator // 2, twos + 1
    while denominator % 5 == 0:
        denominator, fives = denominator // 5, fives + 1
    if denominator != 1:
        return f"{value.numerator}/{value.denominator}"
    places = max(twos, fives)
    digits = abs(value.numerator) * 10**places // value.denominator
    sign = "-" if value < 0 else ""
    if places - len(str(digits)) >= 5:
        mantissa = str(digits)
        point = f".{mantissa[1:]}" if len(mantissa) > 1 else ""
        return f"{sign}{mantissa[0]}{point}e-{places - len(mantissa) + 1}"
    padded = str(digits).rjust(places + 1, "0")
    return f"{sign}{padded[:-places]}.{padded[-places:]}"


def to_sympy(value: Exact) -> sympy.Expr:
    """The same number as a sympy expression (imports sympy)."""
    import sympy

    if isinstance(value, Fraction):
        return sympy.Rational(value.numerator, value.denominator)
    return value


def _parse(source: str, name: str) -> Fraction:
    cleaned = source.strip()
    parts = cleaned.split("/")
    if len(parts) > 2 or not all(_DECIMAL.fullmatch(part.strip()) for part in parts):
        raise InputError(f"{name} must be a finite number such as 0.01, 1e-9 or 7/2, got {source!r}")
    values = []
    for part in parts:
        exponent = re.split("[eE]", part.strip())[1:]
        if exponent and abs(int(exponent[0])) > _MAX_EXPONENT:
            raise InputError(f"{name} has a decimal exponent beyond ±{_MAX_EXPONENT}, got {source!r}")
        values.append(Fraction(part.strip()))
    if len(values) == 2:
        if values[1] == 0:
            raise InputError(f"{name} divides by zero, got {source!r}")
        return values[0] / values[1]
    return values[0]


def _from_sympy(value: object, name: str) -> Exact:
    import sympy

    if not isinstance(value, sympy.Expr):
        raise InputError(f"{name} must be a number, got {value!r} of type {type(value).__name__}")
    if value.free_symbols:
        names = ", ".join(sorted(str(symbol) for symbol in value.free_symbols))
        raise InputError(f"{name} must be a closed number, but {value} contains {names}")
    if value.is_Rational:
        return Fraction(int(value.p), int(value.q))  # type: ignore[attr-defined]
    if value.has(sympy.Float):
        raise InputError(f"{name} must be exact, but {value} contains a sympy Float; use Rational or a string")
    if value in (sympy.nan, sympy.zoo) or value.is_infinite or value.is_real is False:
        raise InputError(f"{name} must be a finite real number, got {value}")
    return value
