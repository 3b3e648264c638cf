"""The notation of statements: Python expressions, read with `ast` and never evaluated.

It is that of the proof documents where both have a word:

a + b, a - b, a * b, a / b, a**b, -a; a == b, a != b, a <= b, a < b, a >= b, a > b; `and`, `or`, `not`; exp(a), log(a), abs(a),
max(a, b), min(a, b), erf(a), erfc(a), Phi(a), pi(), ite(A, a, b), binom(n, k) and fact(n) of numbers, sum(i, low, high, a) with numbers as
ends; engine("…") for what only the engine evaluates.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection
from fractions import Fraction
from math import comb, factorial

from dpbounds.covers.terms import Refused, Term, add, minus, need, number, power, term, times, value_of, variable

TEXT = 400_000
"""Characters of one statement."""
DEPTH = 400
_BITS = 20_000
_TERMS = 10_000
_LARGEST = 10_000
_MOST_BITS = 200_000
"""Of a number that is worked out while a statement is read: the factorial of 10 000 has 118 459. A product of many such takes hours."""
MIXED = "a condition stands where a number should, or the other way round"
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_CALLS = {"exp": 1, "log": 1, "abs": 1, "max": 2, "min": 2, "erf": 1, "erfc": 1, "Phi": 1, "pi": 0, "ite": 3}
RESERVED = {*_CALLS, "binom", "fact", "sum", "engine", "and", "or", "not"}


def is_formula(t: Term) -> bool:
    """Whether a term is a condition."""
    return t.op in ("<=", "<", "=", "and", "or", "not")


class Reader:
    """Reads statements in given variables.

    >>> show(Reader({"x"})("x**2 + 1 >= 2*x"))
    '2 * x <= x**2 + 1'
    """

    def __init__(self, names: Collection[str]) -> None:
        self.names = set(names)
        self._budget = _TERMS * 100

    def __call__(self, text: object) -> Term:
        need(isinstance(text, str) and len(text) <= TEXT and text.isascii(), "a statement is a text of ASCII characters, not too long")
        try:
            tree = ast.parse(str(text), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise Refused(f"cannot be read: {str(text)[:60]!r}") from None
        return self._read(tree, {}, 0)

    def formula(self, text: object) -> Term:
        """A condition."""
        found = self(text)
        need(is_formula(found) or found.op == "engine", "a statement is a condition")
        return found

    def expression(self, text: object) -> Term:
        """A number."""
        found = self(text)
        need(not is_formula(found), "an expression is no condition")
        return found

    def _read(self, e: ast.expr, bound: dict[str, int], depth: int) -> Term:
        found = self._find(e, bound, depth)
        value = value_of(found) or Fraction(0)
        need(max(value.numerator.bit_length(), value.denominator.bit_length()) <= _MOST_BITS, "a number of too many digits")
        return found

    def _find(self, e: ast.expr, bound: dict[str, int], depth: int) -> Term:
        need(depth <= DEPTH, "nested too deeply")
        self._budget -= 1
        need(self._budget > 0, "too large")

        def go(part: ast.expr, formula: bool = False) -> Term:
            found = self._read(part, bound, depth + 1)
            need(found.op == "engine" or is_formula(found) == formula, MIXED)
            return found

        match e:
            case ast.Constant(value=int(n)) if type(n) is int and n.bit_length() <= _BITS:
                return number(n)
            case ast.Name(id=name) if name in bound:
                return number(bound[name])
            case ast.Name(id=name):
                need(name in self.names, f"the name {name[:40]} is not declared")
                return variable(name)
            case ast.UnaryOp(op=ast.USub(), operand=a):
                return times(number(-1), go(a))
            case ast.UnaryOp(op=ast.Not(), operand=a):
                return term("not", go(a, True))
            case ast.BinOp(left=a, op=ast.Pow(), right=b):
                return self._power(go(a), go(b))
            case ast.BinOp(left=a, op=op, right=b) if type(op) in _BINARY:
                x, y = go(a), go(b)
                return _BINARY[type(op)](x, y)
            case ast.Compare(left=a, ops=[op], comparators=[b]) if type(op) in _RELATIONS:
                x, y = go(a), go(b)
                if isinstance(op, ast.NotEq):
                    return term("not", term("=", x, y))
                return term(_RELATIONS[type(op)], *((y, x) if isinstance(op, (ast.GtE, ast.Gt)) else (x, y)))
            case ast.BoolOp(op=op, values=values):
                return term("and" if isinstance(op, ast.And) else "or", *(go(v, True) for v in values))
            case ast.Call(func=ast.Name(id="engine"), args=[ast.Constant(value=str(text))], keywords=[]):
                return term("engine", data=text)
            case ast.Call(func=ast.Name(id="sum"), args=[ast.Name(id=i), low, high, body], keywords=[]):
                need(i not in self.names and i not in bound and i not in RESERVED, f"{i[:40]} is bound and already has a meaning")
                first, last = (_whole(go(end)) for end in (low, high))
                need(last - first < _TERMS, "a sum of too many terms")
                total = number(0)
                for k in range(first, last + 1):
                    one = self._read(body, {**bound, i: k}, depth + 1)
                    need(not is_formula(one), MIXED)
                    total = add(total, one)
                return total
            case ast.Call(func=ast.Name(id="binom"), args=[n, k], keywords=[]):
                top, bottom = _whole(go(n)), _whole(go(k))
                need(0 <= bottom <= top <= _LARGEST, "a binomial coefficient of numbers 0 <= k <= n")
                return number(comb(top, bottom))
            case ast.Call(func=ast.Name(id="fact"), args=[n], keywords=[]):
                top = _whole(go(n))
                need(0 <= top <= _LARGEST, "a factorial of a number >= 0, not too large")
                return number(factorial(top))
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                need(name in _CALLS and len(arguments) == _CALLS[name], f"no function {name[:40]} of {len(arguments)} arguments")
                parts = [go(part, name == "ite" and k == 0) for k, part in enumerate(arguments)]
                return term(name, *parts)
        raise Refused(f"not in the notation: {type(e).__name__}")

    def _power(self, x: Term, y: Term) -> Term:
        n, base = value_of(y), value_of(x)
        if n is None or n.denominator != 1:
            return term("pow", x, y)
        if base and abs(n) * max(base.numerator.bit_length(), base.denominator.bit_length()) <= _BITS:
            return number(base ** int(n))
        need(n != 0, "the power 0 of an expression")
        return power(x, int(n))


def _over(x: Term, y: Term) -> Term:
    p, q = value_of(x), value_of(y)
    if p is not None and q:
        return number(p / q)
    return term("*", x, term("inv", y)) if p != 1 else term("inv", y)


def _product(x: Term, y: Term) -> Term:
    # A factor 0 keeps the other: that has to be defined.
    return term("*", x, y) if 0 in (value_of(x), value_of(y)) and None in (value_of(x), value_of(y)) else times(x, y)


_BINARY: dict[type[ast.operator], Callable[[Term, Term], Term]] = {ast.Add: add, ast.Sub: minus, ast.Mult: _product, ast.Div: _over}
_RELATIONS: dict[type[ast.cmpop], str] = {ast.Eq: "=", ast.NotEq: "=", ast.LtE: "<=", ast.GtE: "<=", ast.Lt: "<", ast.Gt: "<"}


def _whole(t: Term) -> int:
    found = value_of(t)
    need(found is not None and found.denominator == 1, "an end of a sum, or an index, is an integer")
    return int(found or 0)


def show(t: Term) -> str:
    """The text of a term: `Reader` reads the same term from it."""
    return _show(t, 0)


_LEVELS = {"or": 0, "and": 1, "not": 2, "<=": 3, "<": 3, "=": 3, "+": 4, "*": 5, "inv": 5, "^": 7, "pow": 7}


def _show(t: Term, level: int) -> str:
    text, own = _plain(t)
    return text if own >= level else f"({text})"


def _plain(t: Term) -> tuple[str, int]:
    own = _LEVELS.get(t.op, 8)
    match t.op, t.parts:
        case "q", _:
            value = value_of(t)
            assert isinstance(value, Fraction)
            return str(value), 8 if value.denominator == 1 and value >= 0 else 4
        case "v", _:
            return str(t.data), 8
        case "engine", _:
            return f"engine({str(t.data)!r})", 8
        case "not", (Term(op="=", parts=(a, b)),):
            return f"{_show(a, 4)} != {_show(b, 4)}", 3
        case "not", (a,):
            return f"not {_show(a, 2)}", own
        case (("<=" | "<" | "="), (a, b)):
            return f"{_show(a, 4)} {'==' if t.op == '=' else t.op} {_show(b, 4)}", own
        case (("and" | "or"), parts):
            return f" {t.op} ".join(_show(part, own + 1) for part in parts), own
        case "+", (a, b):
            return f"{_show(a, 4)} + {_show(b, 5)}", own
        case "*", (a, Term(op="inv", parts=(b,))):
            return f"{_show(a, 5)} / {_show(b, 6)}", own
        case "*", (a, b):
            return f"{_show(a, 5)} * {_show(b, 6)}", own
        case "inv", (a,):
            return f"1 / {_show(a, 6)}", own
        case "^", (a,):
            return f"{_show(a, 8)}**{t.data}", own
        case "pow", (a, b):
            return f"{_show(a, 8)}**{_show(b, 8)}", own
    return f"{t.op}({', '.join(_show(part, 0) for part in t.parts)})", 8
