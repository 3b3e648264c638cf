"""Expressions as text in certificates: sympy's `srepr` out, a reader that builds only expressions back in.

A certificate may come from anywhere, so its text is never evaluated: it is parsed, and only calls of known constructors with
literal arguments are carried out.
"""

from __future__ import annotations

import ast
from typing import Any

import sympy

from dpbounds import functions
from dpbounds.errors import CertificateError
from dpbounds.quantifiers import ForAll

_CONSTRUCTORS: dict[str, Any] = {
    name: getattr(sympy, name)
    for name in [
        "Abs",
        "Add",
        "And",
        "Catalan",
        "Eq",
        "Equality",
        "EulerGamma",
        "Exp1",
        "GreaterThan",
        "Idx",
        "Implies",
        "Indexed",
        "IndexedBase",
        "Integer",
        "Integral",
        "LessThan",
        "Max",
        "Min",
        "Mod",
        "Mul",
        "Ne",
        "Not",
        "Or",
        "Piecewise",
        "Pow",
        "Rational",
        "StrictGreaterThan",
        "StrictLessThan",
        "Sum",
        "Symbol",
        "Tuple",
        "Unequality",
        "binomial",
        "ceiling",
        "cosh",
        "erf",
        "erfc",
        "exp",
        "factorial",
        "floor",
        "gamma",
        "log",
        "oo",
        "pi",
        "sinh",
        "sqrt",
        "tanh",
        "zoo",
    ]
    if hasattr(sympy, name)
} | {
    "Exp1": sympy.E,
    "E": sympy.E,
    "Infinity": sympy.oo,
    "NegativeInfinity": -sympy.oo,
    "ExprCondPair": sympy.functions.elementary.piecewise.ExprCondPair,
    "true": sympy.true,
    "false": sympy.false,
    "Half": sympy.S.Half,
    "Str": sympy.core.symbol.Str,
    "ForAll": ForAll,
}
_CONSTRUCTORS |= {
    name: value
    for name, value in vars(functions).items()
    if isinstance(value, type) and issubclass(value, functions.PrivacyQuantity) and not name.startswith("_")
}
_RELATIONS = {"LessThan", "GreaterThan", "StrictLessThan", "StrictGreaterThan", "Equality", "Unequality", "Eq", "Ne"}


def write_expression(expression: Any) -> str:
    """An expression as text that `read_expression` reads back."""
    return sympy.srepr(expression)


def read_expression(text: str) -> Any:
    """Build the expression that `write_expression` wrote.

    Raises:
        CertificateError: anything but known constructors, literals and tuples.

    >>> x = sympy.Symbol("x", positive=True)
    >>> read_expression(write_expression(sympy.exp(x) >= x)) == (sympy.exp(x) >= x)
    True
    """
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError) as error:
        raise CertificateError(f"unreadable expression in a certificate: {text[:80]!r}") from error
    return _build(tree.body)


def _build(node: ast.expr) -> Any:
    if isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, (bool, int, str))):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_build(node.operand)
    if isinstance(node, ast.Tuple):
        return tuple(_build(part) for part in node.elts)
    if isinstance(node, ast.Name) and node.id in _CONSTRUCTORS:
        return _CONSTRUCTORS[node.id]
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "S" and node.attr in _CONSTRUCTORS:
        return _CONSTRUCTORS[node.attr]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CONSTRUCTORS:
        positional = [_build(part) for part in node.args]
        named = {part.arg: _build(part.value) for part in node.keywords if part.arg is not None}
        if node.func.id in _RELATIONS:
            named["evaluate"] = False
        return _CONSTRUCTORS[node.func.id](*positional, **named)
    raise CertificateError(f"a certificate may not contain {ast.unparse(node)[:80]!r}")
