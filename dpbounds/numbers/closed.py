"""Closed irrational numbers written as text, such as `sqrt(2)`, `log(3)/2` or `exp(-20)`: read without evaluating any code.

Numbers are decimals and integers, joined by + - * / and ** with a rational exponent; sqrt, log and exp; pi and E. Sizes are bounded,
because sympy writes powers of rationals out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from dpbounds.errors import InputError

if TYPE_CHECKING:
    import sympy

_TOKENS = re.compile(r"(?:[0-9.+\-*/() ]|(?<=[0-9.])[eE](?=[+\-]?[0-9])|\b(?:sqrt|log|exp|pi|E)\b)+", re.ASCII)
_LONGEST = 300
_LARGEST_BITS = 20_000
_LARGEST_EXPONENT = 1000
_LARGEST_LOGARITHM = 230_000
"""As far as decimals go: e^230000 is about 10^100000."""


def looks_closed(text: str) -> bool:
    """Whether the text is made of the words, figures and signs of this module, and is more than one decimal or fraction.

    >>> looks_closed("sqrt(2)/3"), looks_closed("2**(1/3)"), looks_closed("1e-5"), looks_closed("sin(1)")
    (True, True, False, False)
    """
    return bool(_TOKENS.fullmatch(text)) and ("(" in text or "**" in text or bool(re.search(r"\b(?:pi|E)\b", text)))


def read_closed(text: str, name: str, read_decimal: Callable[[str, str], Fraction]) -> sympy.Expr:
    """The sympy number that the text stands for (imports sympy).

    Args:
        text: what `looks_closed` lets pass.
        name: how error messages call the value.
        read_decimal: reads a decimal exactly.

    Raises:
        InputError: a syntax error, an exponent that is not rational, or numbers too large to write out.

    >>> from dpbounds.numbers.exact import number
    >>> number("sqrt(2)/2 + log(3)"), number("sqrt(4)")
    (sqrt(2)/2 + log(3), Fraction(2, 1))
    """
    if len(text) > _LONGEST:
        raise InputError(f"{name} must be a closed number of at most {_LONGEST} characters, got {len(text)}")
    try:
        return _build(ast.parse(text.strip(), mode="eval").body, text.strip(), read_decimal)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError, ArithmeticError, AttributeError):
        raise InputError(f"{name} must be a number such as 0.01, 7/2, sqrt(2) or log(3)/2, got {text!r}") from None


def _build(node: ast.expr, text: str, read_decimal: Callable[[str, str], Fraction]) -> sympy.Expr:
    import sympy

    def inner(part: ast.expr) -> sympy.Expr:
        return _build(part, text, read_decimal)

    if isinstance(node, ast.Constant):
        value = read_decimal(ast.get_source_segment(text, node) or "", "a number")
        return _small(sympy.Rational(value.numerator, value.denominator))
    if isinstance(node, ast.Name):
        return {"pi": sympy.pi, "E": sympy.E}[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
        return inner(node.operand) if isinstance(node.op, ast.UAdd) else -inner(node.operand)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1 and not node.keywords:
        (argument,) = (inner(part) for part in node.args)
        if node.func.id == "exp" and argument.has(sympy.log):
            raise ValueError("sympy would write out exp(n*log(2))")
        if node.func.id == "exp" and not abs(argument.evalf(15)) < _LARGEST_LOGARITHM:
            raise InputError(f"exp of at most {_LARGEST_LOGARITHM} is read, got {text!r}")
        return {"sqrt": sympy.sqrt, "log": sympy.log, "exp": sympy.exp}[node.func.id](argument)
    if isinstance(node, ast.BinOp):
        left, right = inner(node.left), inner(node.right)
        if isinstance(node.op, ast.Pow):
            return _power(left, right)
        found = {ast.Add: left + right, ast.Sub: left - right, ast.Mult: left * right}.get(type(node.op))
        return _small(left / right if found is None and isinstance(node.op, ast.Div) else found)
    raise ValueError("not a closed number")


def _power(base: sympy.Expr, exponent: sympy.Expr) -> sympy.Expr:
    if not exponent.is_Rational or abs(exponent) > _LARGEST_EXPONENT or abs(exponent) * _bits(base) > _LARGEST_BITS:
        raise ValueError("an exponent must be rational and of moderate size")
    return _small(base**exponent)


def _small(value: sympy.Expr) -> sympy.Expr:
    if _bits(value) > _LARGEST_BITS:
        raise ValueError("numbers too large to write out")
    return value


def _bits(value: sympy.Expr) -> int:
    import sympy

    return max((max(int(part.p).bit_length(), int(part.q).bit_length()) for part in value.atoms(sympy.Rational)), default=1)
