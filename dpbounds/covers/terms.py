"""Terms of statements: an immutable tree with shared parts, derivatives by the table, substitution.

Operations: "q" a number, "v" a variable, "+" and "*" of two, "^" to an integer >= 1 in `data`, "inv", "pow" (base >= 0), "exp", "log",
"erf", "erfc", "Phi", "pi", "abs", "max", "min", "ite" (condition, value, value), "engine" (what this checker cannot evaluate, as text);
relations "<=", "<", "=", and "and", "or", "not".
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from weakref import WeakValueDictionary

Data = Fraction | str | int | None


class Refused(Exception):
    """A document that does not show what it says."""


def need(condition: object, reason: str) -> None:
    """Refuse the document unless the condition holds."""
    if not condition:
        raise Refused(reason)


@dataclass(frozen=True, eq=False)
class Term:
    """A node. Equal terms are one object, so that work on shared parts is done once."""

    op: str
    parts: tuple[Term, ...] = ()
    data: Data = None

    @cached_property
    def names(self) -> frozenset[str]:
        """The variables in it."""
        if self.op == "v":
            return frozenset((str(self.data),))
        return frozenset().union(*(part.names for part in self.parts))

    @cached_property
    def is_opaque(self) -> bool:
        """Whether a part of it is left to the engine."""
        return self.op == "engine" or any(part.is_opaque for part in self.parts)


_shared: WeakValueDictionary[tuple[object, ...], Term] = WeakValueDictionary()


def term(op: str, *parts: Term, data: Data = None) -> Term:
    """The term with these parts; nothing is simplified."""
    key = (op, type(data), data, *map(id, parts))
    found = _shared.get(key)
    if found is None:
        found = _shared[key] = Term(op, parts, data)
    return found


def number(value: Fraction | int) -> Term:
    """A rational number."""
    return term("q", data=Fraction(value))


def variable(name: str) -> Term:
    """A real variable."""
    return term("v", data=name)


ZERO, ONE = number(0), number(1)


def value_of(t: Term) -> Fraction | None:
    """The number that a term is written as."""
    return t.data if t.op == "q" and isinstance(t.data, Fraction) else None


def add(a: Term, b: Term) -> Term:
    """a + b; 0 is left out, and numbers are added."""
    p, q = value_of(a), value_of(b)
    if p is not None and q is not None:
        return number(p + q)
    return b if p == 0 else (a if q == 0 else term("+", a, b))


def times(a: Term, b: Term) -> Term:
    """a·b; numbers are multiplied. Where a factor is 0, the other is dropped: its definedness is judged apart."""
    p, q = value_of(a), value_of(b)
    if p is not None and q is not None:
        return number(p * q)
    if p == 0 or q == 0:
        return ZERO
    return b if p == 1 else (a if q == 1 else term("*", a, b))


def minus(a: Term, b: Term) -> Term:
    """a − b."""
    return add(a, times(number(-1), b))


def power(a: Term, n: int) -> Term:
    """a^n for an integer n; a negative one is the inverse of a power."""
    if n < 0:
        return term("inv", power(a, -n))
    return ONE if n == 0 else (a if n == 1 else term("^", a, data=n))


def derivative(t: Term, x: str) -> Term:
    """∂t/∂x by the table, where every part of t is differentiable.

    Raises:
        Refused: |·|, max, min, case distinctions and what is left to the engine.
    """
    return _derivative(t, x, {})


def _derivative(t: Term, x: str, known: dict[Term, Term]) -> Term:
    if x not in t.names:
        return ZERO
    if t not in known:
        known[t] = _slope(t, [_derivative(part, x, known) for part in t.parts])
    return known[t]


def _slope(t: Term, slopes: list[Term]) -> Term:
    match t.op, t.parts:
        case "v", _:
            return ONE
        case "+", _:
            return add(*slopes)
        case "*", (a, b):
            return add(times(slopes[0], b), times(a, slopes[1]))
        case "^", (a,):
            assert isinstance(t.data, int)
            return times(times(number(t.data), power(a, t.data - 1)), slopes[0])
        case "inv", (a,):
            return times(times(number(-1), slopes[0]), term("inv", power(a, 2)))
        case "exp", _:
            return times(slopes[0], t)
        case "log", (a,):
            return times(slopes[0], term("inv", a))
        case "pow", (a, b):  # a^b = exp(b·log a), a > 0
            inside = add(times(slopes[1], term("log", a)), times(times(b, slopes[0]), term("inv", a)))
            return times(t, inside)
        case (("erf" | "erfc" | "Phi"), (a,)):
            front = term("pow", term("pi"), number(Fraction(1, 2)))
            scale = {"erf": term("inv", front), "erfc": term("inv", front), "Phi": term("inv", front)}[t.op]
            factor = {"erf": Fraction(2), "erfc": Fraction(-2), "Phi": Fraction(1)}[t.op]
            if t.op == "Phi":
                scale = times(scale, term("inv", term("pow", number(2), number(Fraction(1, 2)))))
            square = times(number(Fraction(-1, 2) if t.op == "Phi" else Fraction(-1)), power(a, 2))
            return times(times(times(number(factor), scale), slopes[0]), term("exp", square))
    raise Refused(f"no derivative of {t.op}")


def replaced(t: Term, old: Term, new: Term) -> Term:
    """The term with every occurrence of a part replaced; nothing else changes."""
    return _replaced(t, old, new, {})


def _replaced(t: Term, old: Term, new: Term, known: dict[Term, Term]) -> Term:
    if t is old:
        return new
    if not t.parts:
        return t
    if t not in known:
        known[t] = term(t.op, *(_replaced(part, old, new, known) for part in t.parts), data=t.data)
    return known[t]


def parts_of(t: Term) -> list[Term]:
    """All parts of a term, each once, a part before what it stands in."""
    found: dict[Term, None] = {}

    def visit(node: Term) -> None:
        if node not in found:
            for part in node.parts:
                visit(part)
            found[node] = None

    visit(t)
    return list(found)
