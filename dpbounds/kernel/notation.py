"""The notation of terms: Python expressions, read with `ast` and never evaluated; `show` is its exact inverse.

a + b, a - b, a * b, a / b, a**b, -a; a == b, a != b, a <= b, a < b; `and`, `or`, `not`, imp(A, B); exp(a), log(a), abs(a), max(a, b),
min(a, b), binom(n, k), pi(), Phi(a), ite(A, a, b); allR(x, F), allZ(i, F), sum(i, low, high, a), line(x, a), sup(x, low, high, a),
inf(x, low, high, a), sup_above(x, low, a), inf_above(x, low, a), deriv(x, at, value, a), integrable(x, a).
Constants are folded in -2 and 2/3 only.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

from dpbounds.kernel.terms import (
    BINDERS,
    BITS,
    DEPTH,
    FUNCTIONS,
    Refused,
    Term,
    bound,
    equal,
    exponent_of,
    minus,
    need,
    negative,
    node,
    number,
    over,
    power,
    value,
)

TEXT = 100_000
"""Characters of one term."""
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_CALLS = {**FUNCTIONS, "ite": 3, "imp": 2}
RESERVED = {*_CALLS, *BINDERS, "allR", "allZ", "and", "or", "not"}
_RELATIONS: dict[type[ast.cmpop], str] = {ast.Eq: "=", ast.LtE: "<=", ast.Lt: "<", ast.GtE: "<=", ast.Gt: "<"}
_FLIPPED = (ast.GtE, ast.Gt)


class Reader:
    """Reads terms over declared names.

    Args:
        names: terms by name: free variables and abbreviations.
        functions: signatures by name.
    """

    def __init__(self, names: Mapping[str, Term], functions: Mapping[str, str]) -> None:
        self.names, self.functions = dict(names), dict(functions)

    def __call__(self, text: object) -> Term:
        need(isinstance(text, str) and len(text) <= TEXT and text.isascii(), "a term is a text of ASCII characters")
        try:
            tree = ast.parse(str(text), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise Refused(f"cannot be read: {str(text)[:80]!r}") from None
        return self._read(tree, (), 0)

    def _read(self, e: ast.expr, scope: tuple[tuple[str, str], ...], depth: int) -> Term:
        """`scope` holds names and sorts of the bound variables, the innermost first."""
        need(depth <= DEPTH, "nested too deeply")

        def term_of(part: ast.expr) -> Term:
            return self._read(part, scope, depth + 1)

        match e:
            case ast.Constant(value=int(n)) if type(n) is int and n.bit_length() <= BITS:
                return number(n)
            case ast.Name(id=name):
                for index, (other, sort) in enumerate(scope):
                    if other == name:
                        return bound(index, sort)
                if name in self.names:
                    return self.names[name]
                raise Refused(f"the name {name[:40]} is not declared")
            case ast.UnaryOp(op=ast.USub(), operand=a):
                x = term_of(a)
                return number(-v) if (v := value(x)) is not None else negative(x)
            case ast.UnaryOp(op=ast.Not(), operand=a):
                return node("not", term_of(a))
            case ast.BinOp(left=a, op=ast.Pow(), right=b):
                x, y = term_of(a), term_of(b)
                constant = value(y)
                if constant is None or constant.denominator != 1:
                    return node("pow", x, y)
                return power(x, constant.numerator)
            case ast.BinOp(left=a, op=ast.Add(), right=b):
                return node("+", term_of(a), term_of(b))
            case ast.BinOp(left=a, op=ast.Mult(), right=b):
                return node("*", term_of(a), term_of(b))
            case ast.BinOp(left=a, op=ast.Sub(), right=b):
                return minus(term_of(a), term_of(b))
            case ast.BinOp(left=a, op=ast.Div(), right=b):
                x, y = term_of(a), term_of(b)
                p, q = value(x), value(y)
                return number(p / q) if p is not None and q else over(x, y)
            case ast.Compare(left=a, ops=[ast.NotEq()], comparators=[b]):
                return node("not", equal(term_of(a), term_of(b)))
            case ast.Compare(left=a, ops=[op], comparators=[b]) if type(op) in _RELATIONS:
                sides = (b, a) if isinstance(op, _FLIPPED) else (a, b)
                return node(_RELATIONS[type(op)], *map(term_of, sides))
            case ast.BoolOp(op=op, values=values):
                return node("and" if isinstance(op, ast.And) else "or", *map(term_of, values))
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self._call(name, arguments, scope, depth + 1)
        raise Refused(f"not in the notation: {type(e).__name__}")

    def _call(self, name: str, arguments: list[ast.expr], scope: tuple[tuple[str, str], ...], depth: int) -> Term:
        def term_of(part: ast.expr) -> Term:
            return self._read(part, scope, depth)

        if name in _CALLS:
            need(len(arguments) == _CALLS[name], f"{name} takes {_CALLS[name]} arguments")
            return node("->" if name == "imp" else name, *map(term_of, arguments))
        if name in self.functions:
            return node("f", *map(term_of, arguments), data=(name, self.functions[name]))
        tag, sort = ("all", name[3:]) if name in ("allR", "allZ") else (name, BINDERS.get(name, (0, ""))[1])
        need(sort, f"unknown function {name[:40]}")
        need(len(arguments) == BINDERS[tag][0] + 2, f"{name} takes {BINDERS[tag][0] + 2} arguments")
        first, *before, last = arguments
        need(isinstance(first, ast.Name), "a bound variable is a name")
        x = first.id  # type: ignore[attr-defined]
        need(x not in self.names and x not in [n for n, _ in scope], f"{x[:40]} is bound and already has a meaning")
        body = self._read(last, ((x, sort), *scope), depth)
        return node(tag, *map(term_of, before), body, data=(sort,) if tag == "all" else ())


_OR, _AND, _NOT, _COMPARE, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(9)


def show(term: Term) -> str:
    """The term in the notation, bound variables named _0, _1, … by depth."""
    return _show(term, (), _OR)


def _show(t: Term, names: tuple[str, ...], level: int) -> str:
    """The text of a term that stands where everything looser than `level` needs parentheses."""
    text, own = _plain(t, names)
    return text if own >= level else f"({text})"


def _plain(t: Term, names: tuple[str, ...]) -> tuple[str, int]:
    def text_of(level: int, part: Term) -> str:
        return _show(part, names, level)

    parts = t.parts
    match t.tag:
        case "q":
            q = value(t)
            assert q is not None
            return str(q), _SUM if q < 0 else _PRODUCT if q.denominator != 1 else _ATOM
        case "v":
            return str(t.data[0]), _ATOM
        case "b":
            index = t.data[0]
            assert isinstance(index, int)
            return (names[index] if index < len(names) else f"?{index}"), _ATOM
        case "+":
            a, b = parts
            if b.tag == "*" and value(b.parts[0]) == -1:
                return f"{text_of(_SUM, a)} - {text_of(_SIGN, b.parts[1])}", _SUM
            return f"{text_of(_SUM, a)} + {text_of(_PRODUCT, b)}", _SUM
        case "*":
            a, b = parts
            if value(a) == -1 and value(b) is None:
                return f"-{text_of(_SIGN, b)}", _SIGN
            if b.tag == "^" and b.data == (-1,) and not (value(a) is not None and value(b.parts[0])):
                return f"{text_of(_PRODUCT, a)} / {text_of(_SIGN, b.parts[0])}", _PRODUCT
            return f"{text_of(_PRODUCT, a)} * {text_of(_SIGN, b)}", _PRODUCT
        case "^":
            n = exponent_of(t)
            return f"{text_of(_ATOM, parts[0])}**{n}" if n >= 0 else f"{text_of(_ATOM, parts[0])}**({n})", _POWER
        case "pow" if (r := value(parts[1])) is None or r.denominator != 1:
            return f"{text_of(_ATOM, parts[0])}**{text_of(_ATOM, parts[1])}", _POWER
        case "=" | "<=" | "<":
            return f" {'==' if t.tag == '=' else t.tag} ".join(text_of(_SUM, part) for part in parts), _COMPARE
        case "not" if parts[0].tag == "=":
            return " != ".join(text_of(_SUM, part) for part in parts[0].parts), _COMPARE
        case "not":
            return f"not {text_of(_NOT, parts[0])}", _NOT
        case "and":
            return " and ".join(text_of(_NOT, part) for part in parts), _AND
        case "or":
            return " or ".join(text_of(_AND, part) for part in parts), _OR
    if t.tag in BINDERS:
        fresh = f"_{len(names)}"
        inside = [fresh, *(text_of(_OR, part) for part in parts[:-1]), _show(parts[-1], (fresh, *names), _OR)]
        return f"{t.tag}{t.data[0] if t.tag == 'all' else ''}({', '.join(inside)})", _ATOM
    name = str(t.data[0]) if t.tag == "f" else {"->": "imp"}.get(t.tag, t.tag)
    return f"{name}({', '.join(text_of(_OR, part) for part in parts)})", _ATOM
