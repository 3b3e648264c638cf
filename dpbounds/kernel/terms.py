"""Terms and formulas: immutable trees whose bound variables are De Bruijn indices.

A term has a sort: "R" (real), "Z" (integer, which is also real) or "F" (formula). `node` refuses what is not well
formed, so a term that exists is well formed and no larger than the limits. Every operation is total, with the conventions of
Lean's Mathlib: 1/0 = 0, log x = log |x| and log 0 = 0, x^y of a negative x by its formula there, and an integral that does not
exist is 0. A free and a bound variable are different kinds of leaf, so neither can be taken for the other.

Leaves (`data`): "q" (a fraction), "v" (name, sort), "b" (index, sort). Other tags are listed in the tables below; "f" is a function
symbol (name, signature such as "RZ>R"), "^" a power with a constant integer exponent, "pow" any other real power.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache

DEPTH = 150
"""Nodes on a path; with it, no function that follows a term can exhaust the stack of Python."""
SIZE = 20_000
"""Nodes of one term; the largest formula of the catalogue has fewer than 2,000."""
BITS = 4_096
"""Length of a numerator or denominator that is written in a term."""


class Refused(Exception):
    """The document is not accepted; the message is one line."""


def need(condition: object, why: str) -> None:
    """Refuse unless the condition holds."""
    if not condition:
        raise Refused(why)


RELATIONS = ("=", "<=", "<")
CONNECTIVES = {"and": 2, "or": 2, "->": 2, "not": 1}
FUNCTIONS = {"exp": 1, "log": 1, "abs": 1, "max": 2, "min": 2, "pow": 2, "binom": 2, "pi": 0, "Phi": 1}
BINDERS = {
    "all": (0, ""),  # ∀x F; the sort of x is the node's data
    "sum": (2, "Z"),  # Σ from low to high, 0 when high < low
    "line": (0, "R"),  # Lebesgue integral over the real line; over a part of it, of ite(x is in the part, f, 0)
    "integrable": (0, "R"),  # the function is integrable over the line
    "deriv": (2, "R"),  # deriv(at, value, body): the body has this derivative at this point
    "sup": (2, "R"),  # least upper bound over low < x < high
    "inf": (2, "R"),  # greatest lower bound over low < x < high
    "sup_above": (1, "R"),  # least upper bound over low < x
    "inf_above": (1, "R"),  # greatest lower bound over low < x
}
"""How many parts stand before the body, which is the last part, and the sort of the bound variable."""
EXTREMA = ("sup", "inf", "sup_above", "inf_above")
INTEGERS = ("sum", "binom")
"""Their first parts (the ends of a sum, all arguments of the others) are integers."""


class Term:
    """A node. Make one with `node`, `number`, `variable` or `binder` only."""

    def __init__(self, tag: str, data: tuple[object, ...], parts: tuple[Term, ...], sort: str) -> None:
        self.tag, self.data, self.parts, self.sort = tag, data, parts, sort
        self.size: int = 1 + sum(part.size for part in parts)
        self.depth: int = 1 + max((part.depth for part in parts), default=0)
        inner = [part.loose - (tag in BINDERS and k == len(parts) - 1) for k, part in enumerate(parts)]
        self.loose: int = data[0] + 1 if tag == "b" else max([0, *inner])  # type: ignore[operator]
        self.content = tag, data, parts
        self.code = hash((tag, repr(data), parts))  # of texts, which no document can make collide: numbers it could
        need(self.size <= SIZE and self.depth <= DEPTH, "a term is too large or nested too deeply")

    def __hash__(self) -> int:
        return self.code

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Term) and self.code == other.code and self.content == other.content)

    @cached_property
    def free(self) -> frozenset[object]:
        """The free variables (as terms) and the function symbols (as pairs of name and signature)."""
        own: set[object] = {self} if self.tag == "v" else {self.data} if self.tag == "f" else set()
        return frozenset(own).union(*(part.free for part in self.parts))

    def __repr__(self) -> str:
        return f"{self.tag}{self.data or ''}{list(self.parts) or ''}"


_kept = lru_cache(100_000)(Term)
"""Makes a term, or gives the one that was made: most are asked for again, and equal ones are mostly one object, quick to compare."""


def node(tag: str, *parts: Term, data: tuple[object, ...] = ()) -> Term:
    """A well-formed inner node.

    Raises:
        Refused: wrong number or sorts of parts, or a limit is exceeded.
    """
    result = _sort(tag, data, [part.sort for part in parts])
    if not result:
        raise Refused(f"{tag} does not take parts of sorts {', '.join(part.sort for part in parts) or 'none'}")
    return _kept(tag, data, parts, result)


def _sort(tag: str, data: tuple[object, ...], sorts: list[str]) -> str:
    """The sort of a node, or "" when it is not well formed."""
    real, whole = all(s in "RZ" for s in sorts), all(s == "Z" for s in sorts)
    n = len(sorts)
    if tag in CONNECTIVES:
        return "F" if all(s == "F" for s in sorts) and (n >= 2 if tag in ("and", "or") else n == CONNECTIVES[tag]) else ""
    if tag in RELATIONS:
        return "F" if n == 2 and real else ""
    if tag in ("+", "*"):
        return "" if n != 2 or not real else "Z" if whole else "R"
    if tag == "^":
        exponent = data[0] if len(data) == 1 and type(data[0]) is int else 1000
        return "" if n != 1 or not real or abs(exponent) >= 1000 else "Z" if whole and exponent >= 0 else "R"
    if tag == "f":
        wanted, _, result = str(data[1]).partition(">")
        fits = len(wanted) == n and all(w == s or (w, s) == ("R", "Z") for w, s in zip(wanted, sorts, strict=True))
        return result if fits else ""
    if tag == "ite":
        values = sorts[1:]
        return "" if n != 3 or sorts[0] != "F" or not all(s in "RZ" for s in values) else "Z" if values == ["Z", "Z"] else "R"
    if tag == "all":
        return "F" if sorts == ["F"] and data in (("R",), ("Z",)) else ""
    arity = FUNCTIONS[tag] if tag in FUNCTIONS else BINDERS[tag][0] + 1 if tag in BINDERS else -1
    if n != arity or not real or (tag in INTEGERS and any(s != "Z" for s in sorts[:2])):
        return ""
    if tag in ("deriv", "integrable"):
        return "F"
    return "Z" if whole and tag in ("abs", "max", "min", "binom", "sum") else "R"


def number(value: int | str | Fraction) -> Term:
    """A rational constant."""
    q = Fraction(value)
    need(max(q.numerator.bit_length(), q.denominator.bit_length()) <= BITS, "a number is too long")
    return _numeral(str(q))


@lru_cache(100_000)
def _numeral(text: str) -> Term:
    q = Fraction(text)
    return Term("q", (q,), (), "Z" if q.denominator == 1 else "R")


def variable(name: str, sort: str) -> Term:
    """A free variable."""
    return _kept("v", (name, sort), (), sort)


ZERO, ONE, TWO, MINUS = number(0), number(1), number(2), number(-1)


def value(term: Term) -> Fraction | None:
    """The number that a constant is, or None."""
    return term.data[0] if term.tag == "q" else None  # type: ignore[return-value]


def exponent_of(term: Term) -> int:
    """n of a node aⁿ."""
    return term.data[0]  # type: ignore[return-value]


def transform(term: Term, change: Callable[[Term, int], Term | None], depth: int = 0) -> Term:
    """Replace each node where `change(node, depth)` is not None; depth counts the binders above it."""
    new = change(term, depth)
    if new is not None:
        return new
    last = len(term.parts) - 1
    parts = tuple(transform(p, change, depth + (term.tag in BINDERS and k == last)) for k, p in enumerate(term.parts))
    return term if all(a is b for a, b in zip(parts, term.parts, strict=True)) else node(term.tag, *parts, data=term.data)


def shift(term: Term, by: int) -> Term:
    """The term under `by` more binders: its loose indices grow."""

    def change(s: Term, depth: int) -> Term | None:
        if s.loose <= depth:
            return s
        return bound(s.data[0] + by, s.sort) if s.tag == "b" else None  # type: ignore[operator]

    return transform(term, change) if by and term.loose else term


def bound(index: int, sort: str) -> Term:
    """A bound variable: `index` binders lie between it and its own."""
    return _kept("b", (index, sort), (), sort)


def instantiate(body: Term, given: Term) -> Term:
    """The body of a binder with `given` for its variable.

    Raises:
        Refused: an integer is wanted and `given` is not known to be one.
    """

    def change(s: Term, depth: int) -> Term | None:
        if s.loose <= depth:
            return s
        if s.tag != "b":
            return None
        if s.data[0] != depth:
            return bound(s.data[0] - 1, s.sort)  # type: ignore[operator]
        need(given.sort == "Z" or s.sort == given.sort, "an integer is wanted")
        return shift(given, depth)

    return transform(body, change)


def abstract(term: Term, x: Term) -> Term:
    """The body of a binder of x; `term` has no loose indices."""
    need(x.tag == "v", "only a variable is bound")
    return transform(term, lambda s, depth: bound(depth, x.sort) if s == x else s if x not in s.free else None)


def binder(tag: str, x: Term, *parts: Term) -> Term:
    """A binder of x in the last of the parts.

    Raises:
        Refused: x has not the sort that the binder takes.
    """
    need(BINDERS[tag][1] in ("", x.sort), f"{tag} binds no variable of sort {x.sort}")
    return node(tag, *parts[:-1], abstract(parts[-1], x), data=(x.sort,) if tag == "all" else ())


def binder_sort(term: Term) -> str:
    """The sort of the variable that a node binds, "" if it binds none."""
    return str(term.data[0]) if term.tag == "all" else BINDERS.get(term.tag, (0, ""))[1]


Function = tuple[tuple[Term, ...], Term]
"""Parameters (variables) and the term in them that stands for a function symbol."""


def substitute(term: Term, values: Mapping[Term, Term], functions: Mapping[tuple[str, str], Function] | None = None) -> Term:
    """Terms for free variables and lambdas for function symbols, all at once; nothing is captured."""
    functions = functions or {}
    affected = {*values, *functions}

    def change(s: Term, depth: int) -> Term | None:
        if not s.free & affected:
            return s
        if s.tag == "v":
            return shift(values[s], depth)
        name = (str(s.data[0]), str(s.data[1])) if s.tag == "f" else ("", "")
        if name in functions:
            parameters, body = functions[name]
            arguments = (transform(a, change, depth) for a in s.parts)
            return substitute(shift(body, depth), dict(zip(parameters, arguments, strict=True)))
        return None

    return transform(term, change)


def plus(*terms: Term) -> Term:
    """a + b + …"""
    total = terms[0]
    for t in terms[1:]:
        total = node("+", total, t)
    return total


def times(a: Term, b: Term) -> Term:
    """a·b"""
    return node("*", a, b)


def negative(a: Term) -> Term:
    """−a"""
    return node("*", MINUS, a)


def minus(a: Term, b: Term) -> Term:
    """a − b"""
    return node("+", a, negative(b))


def power(a: Term, n: int) -> Term:
    """aⁿ for a constant integer n"""
    return node("^", a, data=(n,))


def over(a: Term, b: Term) -> Term:
    """a/b"""
    return node("*", a, power(b, -1))


def equal(a: Term, b: Term) -> Term:
    """a = b"""
    return node("=", a, b)


def at_most(a: Term, b: Term) -> Term:
    """a ≤ b"""
    return node("<=", a, b)


def below(a: Term, b: Term) -> Term:
    """a < b"""
    return node("<", a, b)


def unequal(a: Term, b: Term) -> Term:
    """a ≠ b"""
    return node("not", equal(a, b))


def implies(premises: Iterable[Term], conclusion: Term) -> Term:
    """A₁ → (A₂ → … → F)"""
    for premise in reversed(list(premises)):
        conclusion = node("->", premise, conclusion)
    return conclusion
