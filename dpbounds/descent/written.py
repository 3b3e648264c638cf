"""Expressions in documents, as lists: ["+", a, b], ["*", a, b], ["^", a, b], ["exp", a], ["log", a], ["phi", a] (the normal distribution
function), ["pi", factor], a name, or the text of a number.

Nothing is evaluated while they are read.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sympy

from dpbounds.descent.interval import is_number, number_of
from dpbounds.descent.refusal import DescentRefused, need
from dpbounds.language import functions

_OPERATIONS: dict[str, Any] = {
    "+": sympy.Add,
    "*": sympy.Mul,
    "^": sympy.Pow,
    "exp": sympy.exp,
    "log": sympy.log,
    "phi": functions.NormalCDF,
    "pi": None,
}


def expression_of(row: Any, names: Collection[str]) -> sympy.Expr:
    """The expression of a row, in variables of those names.

    >>> expression_of(["*", "2", ["^", "n", "1/2"]], ["n"])
    2*sqrt(n)
    """
    if isinstance(row, str):
        return sympy.Symbol(row) if row in names else sympy.Rational(number_of(row))
    kind, parts = row[0], [expression_of(part, names) for part in row[1:]]
    if kind == "pi":
        return sympy.Mul(sympy.pi, *parts, evaluate=False)
    if kind == "phi":
        return functions.NormalCDF(*parts)
    return _OPERATIONS[kind](*parts, evaluate=False)


def row_of(expression: Any) -> Any:
    """The row of an expression.

    Raises:
        Refused: it has a function that rows do not have, or a variable that a row would have as a number.
    """
    if expression.is_Symbol:
        need(not is_number(expression.name), "a variable with the name of a number")
        return expression.name
    if expression.is_Rational:
        return str(expression)
    if expression is sympy.E:
        return ["exp", "1"]
    if expression is sympy.pi:
        return ["pi", "1"]
    if isinstance(expression, sympy.erf):
        inner = ["phi", ["*", ["^", "2", "1/2"], row_of(expression.args[0])]]
        return ["+", ["*", "2", inner], "-1"]
    for kind, function in _OPERATIONS.items():
        if function is not None and isinstance(expression, function):
            return [kind, *map(row_of, expression.args)]
    raise DescentRefused(f"{type(expression).__name__} is not written in documents")
