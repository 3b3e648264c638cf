"""How numbers come in: exactly, or not at all.

`int`, `Fraction`, `Decimal`, decimal and fraction strings, closed sympy numbers and text such as `"sqrt(2)"` are exact.
A Python float means the decimal it prints: `0.01` is 1/100. sympy is imported only for numbers that
are not plain rationals, so that rational input stays cheap.
"""

from __future__ import annotations

import math
import re
import sys
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, Union

from dpbounds.errors import InputError
from dpbounds.numbers.closed import looks_closed, read_closed

if TYPE_CHECKING:
    import sympy

Exact: TypeAlias = Union[Fraction, "sympy.Expr"]
"""An exact real number: a `Fraction`, or a closed irrational sympy number."""

Number: TypeAlias = Union[int, float, str, Fraction, Decimal, "sympy.Expr"]
"""What users may pass where a number is wanted."""

_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE](?P<exponent>[+-]?\d+))?", re.ASCII)
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(,\d{3})+", re.ASCII)
_MAX_EXPONENT = 100_000
_MAX_LENGTH = 200_000
_SHORT = 24


def number(value: Number, name: str = "value") -> Exact:
    """Read an exact real number.

    Args:
        value: `int`, `Fraction`, `Decimal`, float (the decimal it prints), a string such as
            `"0.01"`, `"1e-9"`, `"7/2"` or `"sqrt(2)"` (see `dpbounds.numbers.closed`), or a closed real sympy number.
        name: how error messages call the value.

    Returns:
        A `Fraction` when the number is rational, otherwise the sympy number itself.

    Raises:
        InputError: NaN, infinities, booleans, text that is not a number, expressions with free symbols.

    >>> number(0.01), number("7/2"), number("1e-3")
    (Fraction(1, 100), Fraction(7, 2), Fraction(1, 1000))
    """
    if isinstance(value, str):
        if len(value) <= _SHORT and (found := _short_decimal(value)) is not None:
            return found
        return _from_sympy(read_closed(value, name, _parse), name) if looks_closed(value) else _parse(value, name)
    if isinstance(value, bool):
        raise InputError(f"{name} must be a number, got the boolean {value}")
    if isinstance(value, int):
        return Fraction(value)
    if isinstance(value, Fraction):
        return value
    if isinstance(value, (float, Decimal)):
        return _parse(str(float(value)) if isinstance(value, float) else str(value), name)
    if sys.modules.get("numpy") is not None:
        import numpy as np

        if isinstance(value, np.floating):
            return _parse(str(value), name)  # a float32 prints fewer digits than the float with its value
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
    """Read an exact integer; commas between groups of three digits are read over.

    >>> integer("60,000")
    60000
    >>> integer("1e4")
    10000
    """
    result = number(without_thousands(value), name)
    if not isinstance(result, Fraction) or result.denominator != 1:
        raise InputError(f"{name} must be an integer, got {value}")
    return result.numerator


def without_thousands(value: Number) -> Number:
    """A count such as "60,000" without its commas; anything else as it is.

    >>> without_thousands("60,000"), without_thousands("1,5")
    ('60000', '1,5')
    """
    return value.replace(",", "") if isinstance(value, str) and _THOUSANDS.fullmatch(value.strip()) else value


def text(value: Exact) -> str:
    """Write an exact number so that `number` reads it back: a finite decimal if it is one, else a fraction.

    >>> text(Fraction(1, 100)), text(Fraction(1, 3)), text(Fraction(1, 10**9))
    ('0.01', '1/3', '1e-9')
    """
    if not isinstance(value, Fraction):
        return str(value)
    twos = (value.denominator & -value.denominator).bit_length() - 1
    odd = value.denominator >> twos
    fives = math.ceil((odd.bit_length() - 1) / math.log2(5))
    if odd != 5**fives:
        return f"{integer_text(value.numerator)}/{integer_text(value.denominator)}"
    places = max(twos, fives)
    return decimal_text(value.numerator * 10**places // value.denominator, -places)


def decimal_text(mantissa: int, exponent: int) -> str:
    """Write mantissa · 10^exponent, in plain notation when that is short and in scientific notation otherwise.

    >>> decimal_text(-1250, -3), decimal_text(5, -9), decimal_text(7, 30)
    ('-1.25', '5e-9', '7e+30')
    """
    if mantissa == 0:
        return "0"
    sign, digits = ("-" if mantissa < 0 else ""), integer_text(abs(mantissa))
    stripped = digits.rstrip("0")
    exponent += len(digits) - len(stripped)
    order = exponent + len(stripped) - 1
    if -5 <= order < 0:
        return f"{sign}0.{'0' * (-order - 1)}{stripped}"
    if 0 <= order < 21:
        if exponent >= 0:
            return f"{sign}{stripped}{'0' * exponent}"
        return f"{sign}{stripped[: order + 1]}.{stripped[order + 1 :]}"
    point = f".{stripped[1:]}" if len(stripped) > 1 else ""
    return f"{sign}{stripped[0]}{point}e{order:+d}"


def integer_text(value: int) -> str:
    """The decimal digits of an integer of any length, which `str` refuses beyond some thousands of digits.

    >>> integer_text(10**3)
    '1000'
    """
    return str(Decimal(value))


def to_sympy(value: Exact) -> sympy.Expr:
    """The same number as a sympy expression (imports sympy).

    >>> to_sympy(number("1/3"))
    1/3
    """
    import sympy

    if isinstance(value, Fraction):
        return sympy.Rational(value.numerator, value.denominator)
    return value


@lru_cache(maxsize=4096)
def _short_decimal(source: str) -> Fraction | None:
    """The number of a plain decimal with few figures in its exponent; a table has the same ones in many rows."""
    match = _DECIMAL.fullmatch(source)
    return Fraction(Decimal(source)) if match and len(match["exponent"] or "") <= 5 else None


def _parse(source: str, name: str) -> Fraction:
    if len(source) > _MAX_LENGTH:
        raise InputError(f"{name} must be a number of at most {_MAX_LENGTH} characters, got {len(source)}")
    parts = [_DECIMAL.fullmatch(part.strip()) for part in source.split("/")]
    if len(parts) > 2 or None in parts:
        raise InputError(f"{name} must be a finite number such as 0.01, 1e-9 or 7/2, got {source!r}")
    values = []
    for part in filter(None, parts):
        exponent = (part["exponent"] or "0").lstrip("+-0")
        if len(exponent) > len(str(_MAX_EXPONENT)) or int(exponent or 0) > _MAX_EXPONENT:
            raise InputError(f"{name} must have a decimal exponent within ±{_MAX_EXPONENT}, got {source!r}")
        values.append(Fraction(Decimal(part.group())))
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
