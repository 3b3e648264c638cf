"""Terms of statements: immutable trees that evaluate nothing, with sorts, and with De Bruijn indices for bound variables.

A term has a sort: "R" (real), "Z" (integer, which is also real), "F" (formula), "T" (finite table)
or "L" (function, made by Lambda). `node` and `binder` refuse what
is not well formed, so a term that exists is well formed and within the limits. Forms stay as they were typed, with four exceptions:
a sum or product of sums or products from the left is one node, a − b is a + (−b), a/b is a·(1/b), and a sign or a quotient of
numerals is a numeral.

A sign is no property of a variable that any operation looks at: `positive("x")` is a variable together with the premise 0 < x, which
`premises_of` gives. Two terms are equal (==) if they are the same tree up to the names of bound variables; no operation of this file
compares values.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from dpbounds.logic.signatures import BINDERS, CONSTANTS, RELATIONS, sort_of

DEPTH = 150
"""Nodes on a path; with it, no function that follows a term can exhaust the stack of Python."""
SIZE = 20_000
"""Nodes of one term; the largest statement of the catalogue has fewer than 16,000."""
BITS = 13_000
"""Length of a numerator or denominator that is written in a term."""
FACTS = ("positive", "nonnegative", "negative", "nonpositive", "nonzero", "even", "odd")
"""What the declaration of a variable may say of it besides its sort."""


WRITERS: dict[str, Callable[[Term], str]] = {}
"""How a term is written; `text` and `latex` say so, which `dpbounds.logic` imports."""


class TermError(TypeError):
    """What was typed is no well-formed term; the message is one line."""


def need(condition: object, why: str) -> None:
    """Refuse unless the condition holds."""
    if not condition:
        raise TermError(why)


class _Reading:
    """Whether what is typed now shall be kept by sympy as it is."""

    kept = False


@contextmanager
def as_written() -> Iterator[None]:
    """A context for what sympy shall read as it is typed: nothing cancels there, and no function meets its inverse.

    For a statement that says something of what sympy would take out of it. The term is the same.
    """
    before, _Reading.kept = _Reading.kept, True
    try:
        yield
    finally:
        _Reading.kept = before


Reader = Callable[[Any], Any]
foreign: list[Reader] = []
"""Readers of objects of other packages, tried in turn where one meets a term: each gives a term, a family or a function, or None."""


class Term:
    """A node. Make one with operators, `node`, `binder`, `number` and `variable` only.

    Attributes:
        tag: what it is.
        data: names and numbers that belong to it.
        parts: its parts; those from `inner` on are under its binder.
        hint: (name, sort, facts) with which its bound variable was declared, None where it binds none. Equality passes over it.
        kept: whether sympy shall read this node as it is, and evaluate nothing. Equality passes over it.
        sort: "R", "Z", "F", "T" or "L".
        loose: one more than the largest index that is bound outside.
    """

    __slots__ = ("_free", "code", "data", "depth", "hint", "inner", "kept", "loose", "parts", "size", "sort", "tag")
    tag: str
    data: tuple[Any, ...]
    parts: tuple[Term, ...]
    hint: tuple[str, str, tuple[str, ...]] | None
    inner: int
    sort: str
    kept: bool
    loose: int
    size: int
    depth: int
    code: int
    _free: frozenset[Any] | None
    if TYPE_CHECKING:
        __add__: Callable[[Term, Any], Term]
        __radd__: Callable[[Term, Any], Term]
        __sub__: Callable[[Term, Any], Term]
        __rsub__: Callable[[Term, Any], Term]
        __mul__: Callable[[Term, Any], Term]
        __rmul__: Callable[[Term, Any], Term]
        __truediv__: Callable[[Term, Any], Term]
        __rtruediv__: Callable[[Term, Any], Term]
        __pow__: Callable[[Term, Any], Term]
        __rpow__: Callable[[Term, Any], Term]
        __le__: Callable[[Term, Any], Term]
        __lt__: Callable[[Term, Any], Term]
        __ge__: Callable[[Term, Any], Term]
        __gt__: Callable[[Term, Any], Term]

    def __init__(
        self,
        tag: str,
        data: tuple[Any, ...],
        parts: tuple[Term, ...],
        sort: str,
        hint: Any = None,
        inner: int | None = None,
        kept: bool | None = None,
    ) -> None:
        inner = len(parts) if inner is None else inner
        own = [part.loose - (k >= inner) for k, part in enumerate(parts)]
        values = {
            "tag": tag,
            "data": data,
            "parts": parts,
            "sort": sort,
            "hint": hint,
            "inner": inner,
            "kept": _Reading.kept if kept is None else kept,
            "size": 1 + sum(part.size for part in parts),
            "depth": 1 + max((part.depth for part in parts), default=0),
            "loose": data[0] + 1 if tag == "bound" else max([0, *own]),
            "code": hash(data[0]) if tag == "number" else hash((tag, data, parts)),
            "_free": None,
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)
        need(self.size <= SIZE and self.depth <= DEPTH, "a formula is too large, or nested too deeply")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a term does not change")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a term does not change")

    def __reduce__(self) -> tuple[Any, ...]:
        return Term, (self.tag, self.data, self.parts, self.sort, self.hint, self.inner, self.kept)  # hashes of texts differ

    def __copy__(self) -> Term:
        return self

    def __deepcopy__(self, memo: object) -> Term:
        return self

    def __hash__(self) -> int:
        return self.code

    def __eq__(self, other: object) -> bool:
        """The same tree; no statement: that is Eq(a, b)."""
        if self is other:
            return True
        if isinstance(other, (int, Fraction)) and not isinstance(other, bool):
            return self.tag == "number" and bool(self.data[0] == other)
        return (
            isinstance(other, Term)
            and (self.code, self.tag, self.data, self.inner) == (other.code, other.tag, other.data, other.inner)
            and self.parts == other.parts
        )

    @property
    def free(self) -> frozenset[Any]:
        """The free variables (as terms), and the families and functions."""
        if self._free is None:
            own: set[Any] = {self} if self.tag == "variable" else {self.data[0]} if self.tag == "apply" else set()
            object.__setattr__(self, "_free", frozenset(own).union(*(part.free for part in self.parts)))
        return self._free or frozenset()

    # what Python asks of numbers

    def __bool__(self) -> bool:
        sides = [part.data[0] for part in self.parts if part.tag == "number"]
        if self.tag in RELATIONS and len(sides) == 2:
            return bool(RELATIONS[self.tag](*sides))
        if self.tag in ("true", "false"):
            return self.tag == "true"
        if self.sort == "F":
            raise TermError(
                f"{_short(self)} has no truth value: chained comparisons such as 0 < q < 1 are two premises, q > 0 and q < 1; "
                "`and`, `or`, `not`, `max`, `min`, `if` are written And, Or, Not, Max, Min, Piecewise"
            )
        return self.tag != "number" or bool(self.data[0])

    def __float__(self) -> float:
        raise TermError(
            "Cannot convert expression to float: functions of Python's math take numbers, those of dpbounds.notation take variables"
        )

    __int__ = __index__ = __complex__ = __round__ = __float__  # type: ignore[assignment]

    def __iter__(self) -> Iterator[Term]:
        need(self.tag == "Tuple", f"{self} is no table")
        return iter(self.parts)

    def __len__(self) -> int:
        need(self.tag == "Tuple", f"{self} is no table")
        return len(self.parts)

    def __getitem__(self, place: Any) -> Any:
        need(self.tag == "Tuple", f"{self} is no table")
        return self.parts[place]

    # operators

    def __neg__(self) -> Term:
        return node("neg", self)

    def __pos__(self) -> Term:
        return self

    def __abs__(self) -> Term:
        return node("Abs", self)

    def __invert__(self) -> Term:
        return node("Not", self)

    # the parts that derivations ask for

    @property
    def args(self) -> tuple[Term, ...]:
        """The parts of a term that binds nothing."""
        need(self.hint is None, "the parts of a term that binds a variable are given by opened(term)")
        return self.parts

    @property
    def lhs(self) -> Term:
        """The left side of a relation."""
        need(self.tag in RELATIONS, f"{self} is no relation")
        return self.parts[0]

    @property
    def rhs(self) -> Term:
        """The right side of a relation."""
        need(self.tag in RELATIONS, f"{self} is no relation")
        return self.parts[1]

    @property
    def function(self) -> Term:
        """What a sum, an integral or an extremum is taken of, in the variable that was declared."""
        return opened(self)[1][0]

    def subs(self, old: Any, new: Any = None) -> Term:
        """The term with others put for variables, all at once: `subs(x, 1)` or `subs({x: 1, y: 2})`."""
        pairs = old.items() if isinstance(old, Mapping) else [(old, new)]
        return substitute(self, {variable_like(key): term(value) for key, value in pairs})

    # as text

    def __repr__(self) -> str:
        return WRITERS["text"](self)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {WRITERS['latex'](self)}$"

    def _sympy_(self) -> Any:
        """sympy asks for this, and gives way: without it, it would parse the text of the term; with a term it would evaluate."""
        if sys._getframe(1).f_code.co_name == "_do_eq_sympify":
            return None  # asked by ==, which no term is
        raise sys.modules["sympy"].SympifyError(f"{_short(self)} is a term: use functions of dpbounds.notation, or write to_sympy(...)")


def _short(t: Term) -> str:
    text = str(t) if t.size < 200 else f"a formula of {t.size} parts"
    return text if len(text) <= 80 else f"{text[:80]}..."


def _operator(tag: str, turned: bool) -> Callable[[Term, Any], Any]:
    def method(self: Term, other: Any) -> Any:
        try:
            value = term(other)
        except NotATerm:
            return NotImplemented
        a, b = (value, self) if turned else (self, value)
        if tag == "+" and turned and other == 0 and type(other) is int:
            return self  # the 0 with which Python's sum begins
        if tag == "-":
            return node("+", a, node("neg", b))
        if tag == "/":
            return node("*", a, node("inv", b))
        return node(tag, a, b)

    return method


for _tag, _name in {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "**": "pow", "Mod": "mod", "And": "and", "Or": "or"}.items():
    setattr(Term, f"__{_name}__", _operator(_tag, False))
    setattr(Term, f"__r{_name}__", _operator(_tag, True))
for _tag, _name in {"<=": "le", "<": "lt", ">=": "ge", ">": "gt"}.items():
    setattr(Term, f"__{_name}__", _operator(_tag, False))


@dataclass(frozen=True)
class Named:
    """A family of numbers, or an unknown function, with what is declared of its values."""

    name: str
    sort: str = "R"
    facts: tuple[str, ...] = ()

    kind = ""

    def __iter__(self) -> Iterator[Term]:
        raise TermError(f"the entries of {self.name} have no end")

    def __repr__(self) -> str:
        return self.name


class Family(Named):
    """Numbers p[1], p[2], ..."""

    kind = "family"

    def __getitem__(self, place: Any) -> Term:
        return node("apply", *map(term, place if isinstance(place, tuple) else (place,)), data=(self,))


class NotATerm(TermError):
    """An object that no reader takes for a term."""


class Function(Named):
    """An unknown function of real numbers."""

    kind = "function"

    def __call__(self, *arguments: Any) -> Term:
        """Its value."""
        need(arguments, f"{self.name} takes an argument")
        return node("apply", *map(term, arguments), data=(self,))


def term(value: Any) -> Term:
    """What was typed as a term.

    Raises:
        TermError: a float, which is not exact.
        NotATerm: an object that no reader knows.

    >>> term(3), term(Fraction(1, 4))
    (3, 1/4)
    """
    if isinstance(value, Term):
        return value
    if isinstance(value, bool):
        return node("true" if value else "false")
    if isinstance(value, (int, Fraction)):
        return number(value)
    if isinstance(value, (tuple, list)):
        return node("Tuple", *map(term, value))
    if isinstance(found := _foreign(value), Term):
        return found
    if isinstance(value, Integral):
        return number(int(value))
    if isinstance(value, Real):
        q = Fraction(repr(float(value))) if math.isfinite(value) else Fraction(0)
        raise TermError(f"numbers are exact, and {value} is a float: write Rational({q.numerator}, {q.denominator}), or what it stands for")
    raise NotATerm(f"not part of a statement: {str(value)[:60]!r}, of type {type(value).__name__}")


def _foreign(value: Any) -> Any:
    return next((found for read in foreign if (found := read(value)) is not None), None)


def number(value: int | str | Fraction, below: int | str | Fraction = 1) -> Term:
    """A rational number, exactly.

    >>> number(3, 4)
    3/4
    """
    q = Fraction(value) / Fraction(below)
    need(max(abs(q.numerator), q.denominator).bit_length() <= BITS, "a number of more than 3900 digits; round it")
    return Term("number", (q,), (), "Z" if q.denominator == 1 else "R")


def variable(name: str, sort: str = "R", facts: Iterable[str] = ()) -> Term:
    """A free variable, with what its declaration says of it.

    >>> variable("x", "R", ["positive"]) > 0
    x > 0
    """
    known = tuple(fact for fact in FACTS if fact in set(facts))
    need(isinstance(name, str) and name, f"a variable has a name, got {name!r}")
    need(name not in CONSTANTS or name == "E", f"{name} is a constant of the notation; choose another name")
    return Term("variable", (name, sort, known), (), sort)


def variable_like(value: Any) -> Any:
    """A variable, family or function as it is, or one of another package as a term."""
    found = value if isinstance(value, (Named, Term)) else _foreign(value)
    need(isinstance(found, Named) or getattr(found, "tag", "") == "variable", f"a variable, family or function is wanted, got {value!r}")
    return found


def name_of(x: Any) -> str:
    """What a variable, family or function is called.

    >>> name_of(variable("x")), name_of(Family("p"))
    ('x', 'p')
    """
    return str(x.data[0] if isinstance(x, Term) else x.name)


def bound(index: int, sort: str) -> Term:
    """A bound variable: `index` binders lie between it and its own."""
    return Term("bound", (index, sort), (), sort)


def node(tag: str, *parts: Term, data: tuple[Any, ...] = (), kept: bool | None = None) -> Term:
    """A well-formed node that binds nothing.

    Raises:
        TermError: wrong number or sorts of parts, or a limit is exceeded.

    >>> node("+", number(1), variable("x"))
    1 + x
    """
    if tag == "neg" and parts[0].tag == "number":
        return number(-parts[0].data[0])
    kept = _Reading.kept if kept is None else kept
    if tag in ("+", "*", "And", "Or") and len(parts) > 1 and parts[0].tag == tag:
        kept = kept or parts[0].kept
        parts = (*parts[0].parts, *parts[1:])
    while tag == "*" and len(parts) > 1 and (q := _quotient(parts[0], parts[1])) is not None:
        parts = (number(q), *parts[2:])
    if tag in ("+", "*", "And", "Or") and len(parts) == 1 and sort_of(tag, data, [parts[0].sort] * 2):
        return parts[0]
    sort = sort_of(tag, data, [part.sort for part in parts])
    if not sort:
        raise TermError(f"{_spelled(tag, data)} does not take {_listed(parts)}")
    if tag == "**" and parts[0].sort == parts[1].sort == "Z" and parts[1].tag == "number" and parts[1].data[0] >= 0:
        sort = "Z"
    return Term(tag, data, parts, sort, kept=kept)


def _quotient(a: Term, b: Term) -> Fraction | None:
    """The number a/b of two numerals."""
    if a.tag != "number" or b.tag != "inv" or b.parts[0].tag != "number" or not b.parts[0].data[0]:
        return None
    return Fraction(a.data[0]) / b.parts[0].data[0]


def _spelled(tag: str, data: tuple[Any, ...]) -> str:
    return {"neg": "-", "inv": "/", "apply": str(data[0]) if data else ""}.get(tag, tag)


_SORTS = {"R": "a number", "Z": "an integer", "F": "a condition", "T": "a table", "L": "a function"}


def _listed(parts: tuple[Term, ...]) -> str:
    return ", ".join(_SORTS[part.sort] for part in parts) or "nothing"


def binder(tag: str, x: Term, outer: Iterable[Term], *inner: Term) -> Term:
    """A node that binds the variable x in its inner parts, which come last.

    Raises:
        TermError: x is no variable, or not of the sort that the node binds; wrong parts.
    """
    need(x.tag == "variable", f"{tag} binds a variable, got {x}")
    outer = tuple(outer)
    wanted, result = BINDERS[tag]
    need(not wanted or wanted == x.sort, f"{tag} binds {'an integer' if wanted == 'Z' else 'a real'} variable, and {x} is not one")
    _name, sort, facts = x.data
    parts = (*outer, *(abstract(part, x) for part in inner))
    found = sort_of(tag, ("over",), [part.sort for part in parts])
    if not found or (len(outer), len(inner)) != result:
        raise TermError(f"{tag} with a range does not take {_listed(parts)}")
    return Term(tag, (sort,), parts, found, (_name, sort, facts), len(outer))


def transform(t: Term, change: Callable[[Term, int], Term | None], depth: int = 0) -> Term:
    """Replace each node where `change(node, depth)` is not None; depth counts the binders above it."""
    new = change(t, depth)
    if new is not None:
        return new
    parts = tuple(transform(p, change, depth + (k >= t.inner)) for k, p in enumerate(t.parts))
    return t if all(a is b for a, b in zip(parts, t.parts, strict=True)) else with_parts(t, parts)


def with_parts(t: Term, parts: tuple[Term, ...]) -> Term:
    """The node with other parts."""
    if t.hint is None:
        return node(t.tag, *parts, data=t.data, kept=t.kept)
    sort = sort_of(t.tag, ("over",), [part.sort for part in parts])
    need(sort, f"{t.tag} with a range does not take {_listed(parts)}")
    return Term(t.tag, t.data, parts, sort, t.hint, t.inner, t.kept)


def shift(t: Term, by: int) -> Term:
    """The term under `by` more binders: its loose indices grow."""

    def change(s: Term, depth: int) -> Term | None:
        if s.loose <= depth:
            return s
        return bound(s.data[0] + by, s.sort) if s.tag == "bound" else None

    return transform(t, change) if by and t.loose else t


def abstract(t: Term, x: Term) -> Term:
    """The body of a binder of x, from a term without loose indices."""
    return transform(t, lambda s, depth: bound(depth, x.sort) if s == x else s if x not in s.free else None)


def instantiate(body: Term, given: Term) -> Term:
    """The body of a binder with `given` for its variable."""

    def change(s: Term, depth: int) -> Term | None:
        if s.loose <= depth:
            return s
        if s.tag != "bound":
            return None
        if s.data[0] != depth:
            return bound(s.data[0] - 1, s.sort)
        need(given.sort in (s.sort, "Z"), f"{given} is put for an integer")
        return shift(given, depth)

    return transform(body, change)


def substitute(t: Term, values: Mapping[Any, Term]) -> Term:
    """Terms for free variables, all at once; nothing is captured.

    Raises:
        TermError: a number that may be no integer is put for an integer.

    >>> x = variable("x")
    >>> substitute(x**2, {x: number(3)})
    3**2
    """
    affected = frozenset(values)

    def change(s: Term, depth: int) -> Term | None:
        if not s.free & affected:
            return s
        if s.tag != "variable":
            return None
        need(values[s].sort in (s.sort, "Z"), f"{values[s]} is put for the integer {s}")
        return shift(values[s], depth)

    return transform(t, change)


def renamed(t: Term, names: Mapping[Any, Any]) -> Term:
    """The term with other variables, families and functions in the place of its own, of the same sorts.

    >>> x, y = variable("x"), variable("y")
    >>> renamed(x**2 >= 0, {x: y})
    y**2 >= 0
    """

    def change(s: Term, depth: int) -> Term | None:
        if s.tag == "variable":
            return names.get(s, s)
        if s.tag != "apply" or s.data[0] not in names:
            return None
        return node("apply", *(transform(p, change, depth) for p in s.parts), data=(names[s.data[0]],), kept=s.kept)

    return transform(t, change)


def opened(t: Term, taken: Iterable[str] = ()) -> tuple[Term, tuple[Term, ...]]:
    """The variable that a node binds, under a name that nothing else in it has, and its inner parts in that variable."""
    need(t.hint is not None, f"{t} binds nothing")
    name, sort, facts = t.hint  # type: ignore[misc]
    used = {name_of(x) for x in t.free} | set(taken)
    x = variable(fresh(name, used), sort, facts)
    return x, tuple(instantiate(part, x) for part in t.parts[t.inner :])


def fresh(name: str, used: Iterable[str]) -> str:
    """A name like the given one that is not used.

    >>> fresh("x", ["x", "y"])
    'x_1'
    """
    used, found, k = set(used), name, 0
    while found in used:
        k += 1
        found = f"{name}_{k}"
    return found


def walk(t: Term) -> Iterator[Term]:
    """A term and all parts of parts.

    >>> len(list(walk(variable("x") ** 2)))
    3
    """
    stack = [t]
    while stack:
        s = stack.pop()
        yield s
        stack.extend(reversed(s.parts))


def conjuncts(formula: Term) -> tuple[Term, ...]:
    """The parts of a conjunction; nothing for the formula that is true.

    >>> x = variable("x")
    >>> conjuncts(node("And", x > 0, x < 1))
    (x > 0, x < 1)
    """
    if formula.tag == "And":
        return tuple(c for part in formula.parts for c in conjuncts(part))
    return () if formula.tag == "true" else (formula,)


def facts_of(x: Term, facts: Iterable[str]) -> list[Term]:
    """What facts say of a number, as formulas.

    >>> facts_of(variable("x"), ["positive"])
    [x > 0]
    """
    zero, two = number(0), number(2)
    said = {
        "positive": lambda: node(">", x, zero),
        "nonnegative": lambda: node(">=", x, zero),
        "negative": lambda: node("<", x, zero),
        "nonpositive": lambda: node("<=", x, zero),
        "nonzero": lambda: node("!=", x, zero),
        "even": lambda: node("=", node("Mod", x, two), zero),
        "odd": lambda: node("=", node("Mod", x, two), number(1)),
    }
    return [said[fact]() for fact in facts]


def free_in(terms: Iterable[Term]) -> list[Any]:
    """Variables, families and functions that occur free, by name.

    >>> free_in([variable("y") >= variable("x")])
    [x, y]
    """
    found = frozenset().union(*(t.free for t in terms))
    return sorted(found, key=lambda x: (x.data[0], x.sort) if isinstance(x, Term) else (x.name, x.sort))


def premises_of(terms: Iterable[Term]) -> list[Term]:
    """What the declarations of the free variables say, as formulas.

    >>> premises_of([variable("x", "R", ["positive"]) ** 2])
    [x > 0]
    """
    return [fact for x in free_in(terms) if isinstance(x, Term) for fact in facts_of(x, x.data[2])]
