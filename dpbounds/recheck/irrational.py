"""Irrational parameters: a number lies between those of two queries with rational ones. Docs: error-bounds.md, "Irrational parameters".

A certificate holds the formula of each, such as sqrt(2)/3 or log(3), and two rational queries that differ from its own in nothing else.
Here the formula is enclosed and compared: that a rational number lies on its side is shown, not believed.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping
from fractions import Fraction

from dpbounds.recheck.numbers import Numbers, Real, Refused
from dpbounds.recheck.reading import exact, is_rational

_LONGEST = 300
_SIGNS = re.compile(r"[0-9A-Za-z.+\-*/() ]+", re.ASCII)
_LARGEST_POWER = 1000
MORE_PRIVATE = {"sigma": 1, "laplace-scale": 1, "mixture-of-gaussians": 1, "randomized-response": -1, "epsilon-delta": -1, "q": -1}
"""Whether every loss shrinks as a parameter of a part grows, or as it falls; what is not listed must be rational."""
SMALLER = {"epsilon": 1, "delta": 1, "alpha": -1}
"""Whether what is asked falls as its argument grows, or rises."""


def is_irrational(query: object) -> bool:
    """Whether a parameter of a query is a formula."""
    parts = query.get("mechanism") if isinstance(query, Mapping) else None
    owners = [query, *(parts if isinstance(parts, list) else [])]
    places = [(owner, key) for owner in owners if isinstance(owner, Mapping) for key in (*MORE_PRIVATE, *SMALLER) if key in owner]
    return any(isinstance(owner[key], str) and not is_rational(owner[key]) for owner, key in places)


def require_bound(asked: object, given: object, private: bool, numbers: Numbers) -> None:
    """Refuse a query `given` that is not surely at least as private as the one asked for, or at most; they differ in formulas alone."""
    if not isinstance(asked, Mapping) or not isinstance(given, Mapping):
        raise Refused("an object is expected")
    parts, others = asked.get("mechanism"), given.get("mechanism")
    if not isinstance(parts, list) or not isinstance(others, list) or len(parts) != len(others):
        raise Refused("the rational queries must have the parts of the query")
    _require(asked, given, SMALLER, private, numbers)
    for part, other in zip(parts, others, strict=True):
        if not isinstance(part, Mapping) or not isinstance(other, Mapping):
            raise Refused("a part of a mechanism must be an object")
        fixed = part.get("sampling") != "poisson" or "group" in part
        signs = {key: sign for key, sign in MORE_PRIVATE.items() if key != "q" or not fixed}
        _require(part, other, signs, private, numbers)


def _require(asked: Mapping[str, object], given: Mapping[str, object], signs: Mapping[str, int], private: bool, numbers: Numbers) -> None:
    if set(asked) != set(given):
        raise Refused("the rational queries must have the entries of the query")
    for key in asked:
        if key == "mechanism" or json.dumps(asked[key]) == json.dumps(given[key]):
            continue
        text = asked[key]
        if key not in signs or not isinstance(text, str) or is_rational(text):
            raise Refused(f"the entry {key!r} must be that of the query")
        gap = (closed(text, numbers) - exact(given[key], key)) * (signs[key] if private else -signs[key])
        if not gap.surely_at_most(0):
            raise Refused(f"the rational {key!r} is not surely on its side of {text}")


def closed(text: str, numbers: Numbers) -> Real:
    """A formula of rational numbers, pi and E with + - * / **, sqrt, log and exp; exponents are rational."""
    if len(text) > _LONGEST or not _SIGNS.fullmatch(text):
        raise Refused(f"a formula has at most {_LONGEST} letters, figures and signs")
    numbers.spend(1000 * len(text))
    try:
        return _value(ast.parse(text.strip(), mode="eval").body, text.strip(), numbers)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Refused("a formula cannot be read") from None


def _value(node: ast.expr, text: str, numbers: Numbers) -> Real:
    if isinstance(node, ast.Constant):
        return numbers.number(_rational(node, text))
    if isinstance(node, ast.Name) and node.id in ("pi", "E"):
        return numbers.pi if node.id == "pi" else numbers.number(1).exp()
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, text, numbers)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1 and not node.keywords:
        inner, name = _value(node.args[0], text, numbers), node.func.id
        if name in ("sqrt", "log", "exp"):
            return inner.root() if name == "sqrt" else inner.log() if name == "log" else inner.exp()
    if isinstance(node, ast.BinOp):
        left = _value(node.left, text, numbers)
        if isinstance(node.op, ast.Pow):
            return _power(left, _rational(node.right, text))
        right = _value(node.right, text, numbers)
        for kind, found in ((ast.Add, left + right), (ast.Sub, left - right), (ast.Mult, left * right)):
            if isinstance(node.op, kind):
                return found
        if isinstance(node.op, ast.Div):
            return left / right
    raise Refused("a formula holds something that is not known")


def _power(base: Real, exponent: Fraction) -> Real:
    """x^r: by products for whole r, else e^{r log x}, x > 0."""
    if exponent.denominator > 1:
        return (base.log() * exponent).exp()
    if abs(exponent) > _LARGEST_POWER:
        raise Refused("an exponent is too large")
    return base**exponent.numerator if exponent >= 0 else 1 / base ** (-exponent.numerator)


def _rational(node: ast.expr, text: str) -> Fraction:
    """A number as it is written, its negative, or a quotient of two."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_rational(node.operand, text)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        below = _rational(node.right, text)
        if not below:
            raise Refused("a formula divides by 0")
        return _rational(node.left, text) / below
    if isinstance(node, ast.Constant):
        return exact(ast.get_source_segment(text, node), "a number in a formula")
    raise Refused("an exponent must be rational")
