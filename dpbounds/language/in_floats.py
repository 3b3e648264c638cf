"""Expressions as functions of floats: what searches try at points. Nothing here decides."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import Any

import sympy
from sympy.printing.pycode import PythonCodePrinter

_LARGEST_FACTORIAL, _LARGEST_COUNT, _LARGEST_EXPONENT = 170, 10_000, 300
"""Above them, factorials, whole numbers from roundings, and powers are floats."""


def in_floats(variables: Sequence[sympy.Symbol], values: Any) -> Callable[..., Any]:
    """The values of expressions, a nested list of them, as a function of their variables.

    Whole numbers stay whole while they are small: an exact power of 10^7 digits would be one step that nothing interrupts.

    >>> n = sympy.Symbol("n", integer=True)
    >>> in_floats([n], [2**n, sympy.floor(n / 2)])(7)
    [128, 3]
    >>> in_floats([n], 2 ** (2**n))(40)
    Traceback (most recent call last):
    OverflowError: (34, 'Numerical result out of range')
    """
    own = {"fully_qualified_modules": False, "inline": True, "allow_unknown_functions": True, "user_functions": {k: k for k in _NAMES}}
    function: Callable[..., Any] = sympy.lambdify(list(variables), values, modules=[_NAMES, "math"], printer=_Printer(own))
    return function


class _Printer(PythonCodePrinter):
    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        b, x = expr.args
        if x.is_number and -_LARGEST_EXPONENT <= x <= _LARGEST_EXPONENT:
            plain: str = super()._print_Pow(expr, rational=rational)
            return plain
        return f"power_of({self._print(b)}, {self._print(x)})"


def _power(b: float, x: float) -> Any:
    return (b if -_LARGEST_EXPONENT <= x <= _LARGEST_EXPONENT else float(b)) ** x


def _binomial(n: float, k: float) -> float:
    """C(n, k) of whole numbers, and of a real n."""
    if n == int(n) and k == int(k) and 0 <= n <= _LARGEST_COUNT:
        return float(math.comb(int(n), int(k))) if k >= 0 else 0.0
    return math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1))


def _log(x: float) -> float:
    return math.log(x) if x else -math.inf


def _whole(k: int) -> float:
    """A whole number; a float where it is large, which no exact power or sum of that many terms takes."""
    return k if abs(k) <= _LARGEST_COUNT else float(k)


_NAMES = {
    "normal_quantile": NormalDist().inv_cdf,
    "binomial": _binomial,
    "log": _log,
    "factorial": lambda n: math.gamma(n + 1) if n < _LARGEST_FACTORIAL else math.inf,
    "floor": lambda x: _whole(math.floor(x)),
    "ceiling": lambda x: _whole(math.ceil(x)),
    "sign": lambda x: (x > 0) - (x < 0),
    "power_of": _power,
}
