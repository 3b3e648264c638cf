"""Expressions as text in certificates: sympy's `srepr` out, a reader that builds only expressions back in.

A certificate may come from anywhere, so its text is never evaluated: it is parsed, and only calls of known constructors with
literal arguments are carried out.
"""

from __future__ import annotations

import ast
from typing import Any

import sympy

from dpbounds.errors import CertificateError
from dpbounds.language import functions
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.substitution import junction
from dpbounds.language.symbols import canonical_text

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
_NAMED = {"Symbol", "IndexedBase", "Str"}
_GROWING = {"Pow", "factorial", "gamma", "binomial"}
_AS_WRITTEN = {"Add", "Mul", "Pow", "Abs", "Max", "Min", "floor", "ceiling", "Mod", "Piecewise", "log", "exp", "gamma"}
_LONGEST = 200_000
_LARGEST_BITS = 100_000
_LARGEST_FACTORIAL = 10_000
_RELATIONS = {"LessThan", "GreaterThan", "StrictLessThan", "StrictGreaterThan", "Equality", "Unequality", "Eq", "Ne"}


def write_expression(expression: Any) -> str:
    """An expression as text that `read_expression` reads back: sympy's `srepr`, the same for equal expressions."""
    return canonical_text(expression)


def read_expression(text: str) -> Any:
    """Build the expression that `write_expression` wrote.

    Raises:
        CertificateError: anything but known constructors, numbers of moderate size and symbols.

    >>> x = sympy.Symbol("x", positive=True)
    >>> read_expression(write_expression(sympy.exp(x) >= x)) == (sympy.exp(x) >= x)
    True
    """
    if not isinstance(text, str) or len(text) > _LONGEST:
        raise CertificateError(f"an expression in a certificate is text of at most {_LONGEST} characters")
    try:
        tree = ast.parse(text, mode="eval").body
        # Sums and products that sympy would multiply out, had they not been factored on purpose, are rebuilt as they stand: all or some.
        for reader in (_Reader(as_written=False), _EachAsWritten(as_written=True), _Reader(as_written=True)):
            expression = reader.build(tree)
            if write_expression(expression) == text:
                return expression
        raise CertificateError(f"an expression in a certificate is not written as dpbounds writes it: {text[:80]!r}")
    except (SyntaxError, ValueError, TypeError, AttributeError, RecursionError, MemoryError, ArithmeticError) as error:
        raise CertificateError(f"unreadable expression in a certificate: {text[:80]!r}") from error


class _Reader:
    """Text is allowed in names only: anywhere else sympy would evaluate it as Python."""

    def __init__(self, as_written: bool) -> None:
        self.as_written = as_written

    def build(self, node: ast.expr) -> Any:
        """The object of one node of the parsed text."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Name):
            return -self.build(node.operand)
        if isinstance(node, ast.Name) and node.id in _CONSTRUCTORS:
            return _CONSTRUCTORS[node.id]
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "S" and node.attr in _CONSTRUCTORS:
            return _CONSTRUCTORS[node.attr]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CONSTRUCTORS:
            name = node.func.id
            if name in _NAMED:
                return self._named(name, node)
            if not node.keywords:
                return _number(name, node) if name in ("Integer", "Rational") else self._call(name, node)
        raise _refused(node)

    def _named(self, name: str, node: ast.Call) -> Any:
        assumptions = {
            part.arg: part.value.value for part in node.keywords if part.arg is not None and isinstance(part.value, ast.Constant)
        }
        label = node.args[0] if len(node.args) == 1 else None
        if len(assumptions) != len(node.keywords) or not all(value is None or isinstance(value, bool) for value in assumptions.values()):
            raise _refused(node)
        if isinstance(label, ast.Constant) and isinstance(label.value, str):
            return _CONSTRUCTORS[name](label.value, **assumptions)
        if name == "IndexedBase" and isinstance(label, ast.Call):
            return _CONSTRUCTORS[name](self.build(label), **assumptions)
        raise _refused(node)

    def _call(self, name: str, node: ast.Call) -> Any:
        parts = [self.build(part) for part in node.args]
        if name in _GROWING and _too_large(name, parts):
            raise _refused(node)
        if name in _RELATIONS or (self.as_written and name in _AS_WRITTEN):
            return _CONSTRUCTORS[name](*parts, evaluate=False)
        if self.as_written and name in ("And", "Or"):
            return junction(_CONSTRUCTORS[name], parts)
        return _CONSTRUCTORS[name](*parts)


class _EachAsWritten(_Reader):
    """Evaluates what sympy writes in the same way when it evaluates it, and nothing else."""

    def _call(self, name: str, node: ast.Call) -> Any:
        made = super()._call(name, node)
        if name not in _AS_WRITTEN and name not in ("And", "Or"):
            return made
        evaluated = _CONSTRUCTORS[name](*made.args)
        return evaluated if write_expression(evaluated) == ast.unparse(node) else made


def _number(name: str, node: ast.Call) -> Any:
    values = []
    for part in node.args:
        negative = isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.USub)
        digits = part.operand if isinstance(part, ast.UnaryOp) else part
        if not isinstance(digits, ast.Constant) or type(digits.value) is not int:
            raise _refused(node)
        values.append(-digits.value if negative else digits.value)
    if len(values) != (1 if name == "Integer" else 2) or 0 in values[1:]:
        raise _refused(node)
    return _CONSTRUCTORS[name](*values)


def _too_large(name: str, parts: list[Any]) -> bool:
    """Numbers that sympy would write out in full when it builds the expression."""
    if name != "Pow":
        return any(part.is_Rational and abs(part) > _LARGEST_FACTORIAL for part in parts)
    if len(parts) != 2 or not (parts[0].is_Rational and parts[1].is_Rational):
        return False
    digits = max(int(parts[0].p).bit_length(), int(parts[0].q).bit_length())
    return bool(digits > 1 and abs(parts[1]) * digits > _LARGEST_BITS)


def _refused(node: ast.expr) -> CertificateError:
    return CertificateError(f"a certificate may not contain {ast.unparse(node)[:80]!r}")
