"""The text of terms: Python expressions in the names of claim files, read with `ast` and never evaluated; `read` undoes `show`.

>>> from dpbounds.logic.terms import variable
>>> x = variable("x")
>>> show((x - 1) / 2 <= x**2), read("(x - 1)/2 <= x**2", {"x": x}) == ((x - 1) / 2 <= x**2)
('(x - 1)/2 <= x**2', True)
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from dpbounds.logic.signatures import BINDERS, CONSTANTS, DIRECTIONS, FUNCTIONS, MECHANISMS, WORDS
from dpbounds.logic.terms import DEPTH, WRITERS, Named, Term, TermError, binder, free_in, fresh, name_of, need, node, number, variable

TEXT = 400_000
"""Characters of one formula."""
_OR, _AND, _NOT, _COMPARE, _SUM, _SIGN, _PRODUCT, _POWER, _ATOM = range(9)
_WRITTEN = {"=": "Eq", "!=": "Ne"}
_SPOKEN = {"true": "True", "false": "False"}
_ORDERS: dict[type[ast.cmpop], str] = {ast.LtE: "<=", ast.Lt: "<", ast.GtE: ">=", ast.Gt: ">"}
Names = Mapping[int, str]


def show(t: Term) -> str:
    """The term in the names of claim files. A bound variable is renamed where something else that is called so occurs under its binder.

    >>> from dpbounds.logic.terms import binder, number, variable
    >>> i, n = variable("i", "Z"), variable("n", "Z")
    >>> show(binder("Sum", i, [number(1), n], i**2))
    'Sum(i**2, (i, 1, n))'
    """
    return _show(t, (), _OR)


def declarations(terms: Iterable[Term]) -> dict[str, Any]:
    """What the names in the texts of terms stand for, bound ones included: what `read` needs.

    >>> sorted(declarations([variable("x") >= 0]))
    ['x']
    """
    found: dict[str, Any] = {name_of(x): x for x in free_in(terms)}
    for t in terms:
        for name, sort in _bound_names(t, ()):
            found.setdefault(name, variable(name, sort))
    return found


def _bound_names(t: Term, names: tuple[str, ...]) -> Iterable[tuple[str, str]]:
    inside = names
    if t.hint is not None:
        inside = (_name_of(t, names), *names)
        yield inside[0], t.hint[1]
    for k, part in enumerate(t.parts):
        yield from _bound_names(part, inside if k >= t.inner else names)


def _name_of(t: Term, names: tuple[str, ...]) -> str:
    """The name under which the variable of a node is shown: its own, unless something else in the node is called so."""
    assert t.hint is not None
    free = set(map(name_of, t.free))
    return fresh(t.hint[0], free.union(*(_outer_names(part, names, int(k >= t.inner)) for k, part in enumerate(t.parts))))


def _outer_names(t: Term, names: tuple[str, ...], depth: int) -> set[str]:
    """The names of variables that are bound around a node and occur in it."""
    if t.loose <= depth:
        return set()
    if t.tag == "bound":
        place = t.data[0] - depth
        return {names[place]} if place < len(names) else set()
    return set().union(*(_outer_names(part, names, depth + (k >= t.inner)) for k, part in enumerate(t.parts)))


def _show(t: Term, names: tuple[str, ...], level: int) -> str:
    text, own = _plain(t, names)
    return text if own >= level else f"({text})"


def _plain(t: Term, names: tuple[str, ...]) -> tuple[str, int]:
    def shown(level: int, part: Term) -> str:
        return _show(part, names, level)

    parts = t.parts
    match t.tag:
        case "number":
            q = t.data[0]
            return str(q), _SIGN if q < 0 else _PRODUCT if q.denominator != 1 else _ATOM
        case "variable":
            return t.data[0], _ATOM
        case "bound":
            return (names[t.data[0]] if t.data[0] < len(names) else f"?{t.data[0] - len(names)}"), _ATOM
        case "+":
            text = shown(_SUM, parts[0])
            for part in parts[1:]:
                text += f" - {shown(_PRODUCT, minus)}" if (minus := subtracted(part)) is not None else f" + {shown(_SIGN, part)}"
            return text, _SUM
        case "*":
            text = shown(_SIGN if parts[0].tag in ("neg", "number") else _PRODUCT, parts[0])
            for part in parts[1:]:
                text += f"/{shown(_POWER, part.parts[0])}" if part.tag == "inv" else f"*{shown(_POWER, part)}"
            return text, _PRODUCT if not text.startswith("-") else _SIGN
        case "neg":
            return f"-{shown(_POWER, parts[0])}", _SIGN
        case "**":
            return f"{shown(_ATOM, parts[0])}**{shown(_ATOM, parts[1])}", _POWER
        case "<=" | "<" | ">=" | ">":
            return f" {t.tag} ".join(shown(_SUM, part) for part in parts), _COMPARE
        case "apply" if t.data[0].kind == "family":
            return f"{t.data[0].name}[{', '.join(shown(_OR, part) for part in parts)}]", _ATOM
    return _called(t, names), _ATOM


def subtracted(t: Term) -> Term | None:
    """a, of a term −a of a sum, where it is written so."""
    if t.tag == "neg":
        return t.parts[0]
    return number(-t.data[0]) if t.tag == "number" and t.data[0] < 0 else None


def _called(t: Term, names: tuple[str, ...]) -> str:
    if t.hint is not None:
        name = _name_of(t, names)
        outer = [_show(part, names, _OR) for part in t.parts[: t.inner]]
        inner = [_show(part, (name, *names), _OR) for part in t.parts[t.inner :]]
        if t.tag in ("ForAll", "Lambda"):
            return f"{t.tag}({', '.join([name, *inner])})"
        return f"{t.tag}({', '.join([*outer[2:], *inner, f'({name}, {outer[0]}, {outer[1]})'])})"
    shown = [_show(part, names, _OR) for part in t.parts]
    if t.tag in CONSTANTS:
        return _SPOKEN.get(t.tag, t.tag)
    if t.tag == "inv":
        return f"inv({shown[0]})"
    if t.tag == "apply":
        return f"{t.data[0].name}({', '.join(shown)})"
    if t.tag == "Tuple":
        return f"Tuple({', '.join(shown)})"
    if t.tag == "Piecewise":
        return f"Piecewise({', '.join(f'({v}, {c})' for v, c in zip(shown[::2], shown[1::2], strict=True))})"
    return f"{_WRITTEN.get(t.tag, t.tag)}({', '.join([*shown, *map(repr, t.data)])})"


def read(text: str, names: Mapping[str, Any]) -> Term:
    """The term of a text.

    Args:
        text: as `show` writes it, or as a claim file has it.
        names: what names stand for: variables, families, functions. A bound variable that is not among them is an integer in `Sum` and
            real elsewhere.

    Raises:
        TermError: the text is not in the notation, or a name is not declared.

    >>> read("x**2 >= 0", {"x": variable("x")})
    x**2 >= 0
    """
    need(isinstance(text, str) and len(text) <= TEXT, "a formula is a text, and not too long")
    reserved = {name: f"{name}_{'_' * k}name" for k, name in enumerate(n for n in names if keyword.iskeyword(n))}
    if reserved:
        words = re.compile(rf"""("[^"]*"|'[^']*')|\b({"|".join(reserved)})\b""")
        text = words.sub(lambda found: found[1] or reserved[found[2]], text)
        names = {reserved.get(name, name): x for name, x in names.items()}
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise TermError(f"cannot be read: {text[:80]!r}") from None
    return _Reader(names).read(tree, {}, 0)


class _Reader:
    def __init__(self, names: Mapping[str, Any]) -> None:
        self.names = names

    def read(self, e: ast.expr, scope: Mapping[str, Term], depth: int) -> Term:
        need(depth <= 2 * DEPTH, "nested too deeply")

        def read_part(part: ast.expr) -> Term:
            return self.read(part, scope, depth + 1)

        match e:
            case ast.Constant(value=int(n)) if type(n) is int:
                return number(n)
            case ast.Constant(value=bool(value)):
                return node("true" if value else "false")
            case ast.Name(id=name) if name in scope:
                return scope[name]
            case ast.Name(id=name) if name in self.names:
                need(isinstance(self.names[name], Term), f"{name} stands for a family or function")
                return self.names[name]  # type: ignore[no-any-return]
            case ast.Name(id=name) if name in CONSTANTS:
                return node(name)
            case ast.Name(id=name):
                raise TermError(f"the name {name[:40]} is not declared")
            case ast.UnaryOp(op=ast.USub(), operand=a):
                return node("neg", read_part(a))
            case ast.BinOp(left=a, op=op, right=b) if type(op) in _OPERATIONS:
                # a chain a + b + … is read from the left without recursion: it is one node
                chain, start = [(op, b)], a
                while isinstance(start, ast.BinOp) and type(start.op) in _OPERATIONS:
                    chain.append((start.op, start.right))
                    start = start.left
                total = read_part(start)
                for operation, part in reversed(chain):
                    total = _OPERATIONS[type(operation)](total, read_part(part))
                return total
            case ast.Compare(left=a, ops=[op], comparators=[b]) if type(op) in _ORDERS:
                return node(_ORDERS[type(op)], read_part(a), read_part(b))
            case ast.Subscript(value=ast.Name(id=name), slice=place) if isinstance(self.names.get(name), Named):
                need(self.names[name].kind == "family", f"{name} is a function")
                return node("apply", *map(read_part, place.elts if isinstance(place, ast.Tuple) else [place]), data=(self.names[name],))
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self._call(name, arguments, scope, depth + 1)
        raise TermError(f"not in the notation: {type(e).__name__}")

    def _call(self, name: str, arguments: list[ast.expr], scope: Mapping[str, Term], depth: int) -> Term:
        def read_part(part: ast.expr) -> Term:
            return self.read(part, scope, depth)

        if isinstance(self.names.get(name), Named):
            need(self.names[name].kind == "function", f"{name} is a family")
            return node("apply", *map(read_part, arguments), data=(self.names[name],))
        need(arguments, f"{name[:40]} takes arguments")
        if name in ("ForAll", "Lambda"):
            return self._bind(name, arguments[0], (), arguments[1:], scope, depth)
        last = arguments[-1]
        if name in BINDERS and isinstance(last, ast.Tuple):
            need(len(last.elts) == 3, "a range is (variable, low, high)")
            count = BINDERS[name][1][0] - 2
            return self._bind(name, last.elts[0], (*last.elts[1:], *arguments[:count]), arguments[count:-1], scope, depth)
        if name == "Piecewise":
            need(all(isinstance(a, ast.Tuple) and len(a.elts) == 2 for a in arguments), "a case is (value, condition)")
            return node("Piecewise", *(read_part(part) for a in arguments for part in a.elts))  # type: ignore[attr-defined]
        tag = next((tag for tag, written in _WRITTEN.items() if written == name), name)
        words = 1 if name in WORDS else 2 if name in MECHANISMS else 0
        data = tuple(a.value for a in arguments[len(arguments) - words :] if isinstance(a, ast.Constant) and isinstance(a.value, str))
        need(len(data) == words and (name not in WORDS or data[0] in DIRECTIONS), f"{name} ends with {words} words")
        known = name in FUNCTIONS or name in _OTHERS or tag != name or words
        need(known, f"no function is called {name[:40]}")
        return node(tag, *map(read_part, arguments[: len(arguments) - words]), data=data)

    def _bind(
        self, name: str, x: ast.expr, outer: Iterable[ast.expr], inner: list[ast.expr], scope: Mapping[str, Term], depth: int
    ) -> Term:
        need(isinstance(x, ast.Name), "a bound variable is a name")
        shown = x.id  # type: ignore[attr-defined]
        known = self.names.get(shown)
        wanted = BINDERS[name][0]
        fits = isinstance(known, Term) and known.tag == "variable" and wanted in ("", known.sort)
        sort, facts = (known.sort, known.data[2]) if fits and isinstance(known, Term) else (wanted or "R", ())
        # A name of its own keeps apart what is free under this name outside.
        own = variable(f"{shown} {depth} {len(scope)}", sort, facts)
        parts = [self.read(part, {**scope, shown: own}, depth) for part in inner]
        made = binder(name, own, [self.read(part, scope, depth) for part in outer], *parts)
        return Term(made.tag, made.data, made.parts, made.sort, (shown, sort, facts), made.inner)


_OTHERS = (
    "And",
    "Or",
    "Not",
    "Implies",
    "Max",
    "Min",
    "Tuple",
    "KLDivergence",
    "HockeyStick",
    "LossTail",
    "RenyiDivergence",
    "RenyiMoment",
    "inv",
)
_OPERATIONS: dict[type[ast.operator], Callable[[Term, Term], Term]] = {
    ast.Add: lambda a, b: node("+", a, b),
    ast.Sub: lambda a, b: node("+", a, node("neg", b)),
    ast.Mult: lambda a, b: node("*", a, b),
    ast.Div: lambda a, b: node("*", a, node("inv", b)),
    ast.Pow: lambda a, b: node("**", a, b),
    ast.Mod: lambda a, b: node("Mod", a, b),
}

WRITERS["text"] = show
