"""Expressions in documents, as lists: ["+", a, b], ["*", a, b], ["^", a, b], ["exp", a], ["log", a], ["phi", a] (the normal distribution
function), ["pi", factor], a name, or the text of a number.

Our own reader: no text of a document reaches sympy's parser, and nothing is evaluated while it is read.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sympy

from dpbounds.descent.interval import is_number, number_of
from dpbounds.descent.refusal import DescentRefused, need
from dpbounds.language import functions

_DEEPEST = 30
_LONGEST = 60
_OPERATIONS: dict[str, Any] = {
    "+": sympy.Add,
    "*": sympy.Mul,
    "^": sympy.Pow,
    "exp": sympy.exp,
    "log": sympy.log,
    "phi": functions.NormalCDF,
    "pi": None,
}


def expression_of(row: Any, names: Collection[str], depth: int = 0) -> sympy.Expr:
    """The expression of a row, in variables of those names.

    >>> expression_of(["*", "2", ["^", "n", "1/2"]], ["n"])
    2*sqrt(n)
    """
    need(depth <= _DEEPEST, "a deep expression")
    if isinstance(row, str):
        if row in names:
            need(not is_number(row), "a variable with the name of a number")
            return sympy.Symbol(row)
        value = number_of(row)
        return sympy.Rational(value)
    need(isinstance(row, list) and 2 <= len(row) <= _LONGEST and row[0] in _OPERATIONS, "no expression")
    kind, arity = row[0], {"^": 2, "exp": 1, "log": 1, "phi": 1, "pi": 1}.get(row[0])
    need(arity is None or len(row) == arity + 1, "a function with other arguments")
    parts = [expression_of(part, names, depth + 1) for part in row[1:]]
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
