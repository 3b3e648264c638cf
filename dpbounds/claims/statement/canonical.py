"""One text for all ways of writing a statement: what its hash is taken of.

The names of variables, families, functions and bound variables do not count, nor does the order of premises, of terms, factors and parts of
a conjunction, the side on which a relation is written, how numbers among factors are put together, or whether a sign is declared of a
variable or stated as a premise. Two statements of one text are the same up to these.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dpbounds.logic.ranges import is_declared
from dpbounds.logic.terms import Term, conjuncts, facts_of, free_in, name_of

_MOST_CHOICES = 100
"""How many ways of numbering variables that look alike are compared; beyond, their names break the tie."""
_TURNED = {">=": "<=", ">": "<"}
_UNORDERED = ("And", "Or", "Max", "Min", "=", "!=")
Named = Mapping[Any, str]


def canonical_statement(given: Iterable[Term], then: Term) -> str:
    """The statement with its variables numbered in an order that depends on the statement alone.

    >>> from dpbounds.logic.notation import positive
    >>> x, y, z = positive("x y z")
    >>> canonical_statement([x <= 1, y > x], x**2 <= y) == canonical_statement([y < z, 1 >= y], z >= y**2)
    True
    """
    stated = [part for premise in given for part in conjuncts(premise)]
    variables = free_in([then, *stated])
    single = [v for v in variables if isinstance(v, Term)]
    stated = [part for part in stated if not any(is_declared(part, v) for v in single)]
    return _Numbering(variables, [*stated, *(fact for v in single for fact in facts_of(v, v.data[2]))], then).text()


def statement_digest(given: Iterable[Term], then: Term) -> str:
    """SHA-256 of the canonical statement."""
    return hashlib.sha256(canonical_statement(given, then).encode()).hexdigest()


def orders_of(statement: Term) -> tuple[str, list[list[Any]]]:
    """The canonical text of one formula, and every order of its variables that gives it: two formulas of one text differ by names alone.

    >>> from dpbounds.logic.notation import real
    >>> x, y = real("x y")
    >>> orders_of(x <= 2*y)[0] == orders_of(y <= 2*x)[0], len(orders_of(x <= 2*y)[1])
    (True, 1)
    """
    found = _Numbering(free_in([statement]), (), statement).found()
    text = min(text for text, _ in found)
    return text, [order for other, order in found if other == text]


def as_written(statement: Term) -> str:
    """A formula with its own names, but for bound variables: equal texts say the same of the same variables."""
    return _text(statement, {v: f"{_kind_of(v)} {name_of(v)!r}" for v in free_in([statement])})


def _kind_of(variable: Any) -> str:
    """What a variable may be, but for the signs of a number, which are premises."""
    return variable.sort if isinstance(variable, Term) else f"{variable.kind} {variable.sort} {sorted(variable.facts)}"


class _Numbering:
    """Variables are told apart by how they occur; where that is not enough, each of those alike is tried as the first one."""

    def __init__(self, variables: Sequence[Any], given: Sequence[Term], then: Term) -> None:
        self.variables, self.given, self.then = variables, given, then
        self.choices = 1

    def text(self) -> str:
        return min(text for text, _ in self.found())

    def found(self) -> list[tuple[str, list[Any]]]:
        """Every numbering that is compared: its text, and the variables in its order."""
        return self._numberings({v: _kind_of(v) for v in self.variables})

    def _numberings(self, colours: Named) -> list[tuple[str, list[Any]]]:
        colours = self._refined(colours)
        classes: dict[str, list[Any]] = {}
        for variable in self.variables:
            classes.setdefault(colours[variable], []).append(variable)
        alike = min(((len(found), colour) for colour, found in classes.items() if len(found) > 1), default=None)
        if alike is None:
            order = sorted(self.variables, key=lambda v: colours[v])
            names = {v: f"v{k}" for k, v in enumerate(order)}
            return [(f"{'; '.join(f'{names[v]}: {_kind_of(v)}' for v in order)} | {self._written(names)}", order)]
        tied = classes[alike[1]]
        if self.choices * len(tied) > _MOST_CHOICES:
            tied = tied[:1]
        self.choices *= len(tied)
        return [found for chosen in tied for found in self._numberings({**colours, chosen: f"first {alike[1]}"})]

    def _refined(self, colours: Named) -> Named:
        while True:
            finer = {v: _digest(f"{colours[v]} {self._written({**colours, v: '*'})}") for v in self.variables}
            if len(set(finer.values())) == len(set(colours.values())):
                return finer
            colours = finer

    def _written(self, names: Named) -> str:
        return f"{' & '.join(sorted({_text(premise, names) for premise in self.given}))} |- {_text(self.then, names)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _text(t: Term, names: Named) -> str:
    """A term as text, a call for each node; bound variables by the number of binders that lie between."""
    if t.tag in ("number", "neg", "inv", "*", "+"):
        number, factors = _product_of(t, names)
        return str(number) if not factors else "*".join(factors if number == 1 else [str(number), *factors])
    if t.tag == "variable":
        return names[t]
    if t.tag == "bound":
        return f"b{t.data[0]}"
    parts = [_text(part, names) for part in _flat(t)]
    if t.tag in _TURNED:
        return f"{_TURNED[t.tag]}({parts[1]}, {parts[0]})"
    if t.tag in _UNORDERED:
        parts = sorted(parts if t.tag in ("=", "!=") else set(parts))
    head, data = (names[t.data[0]], t.data[1:]) if t.tag == "apply" else (t.tag, t.data)
    return f"{head}({', '.join([*parts, *map(repr, data)])})"


def _flat(t: Term) -> Iterable[Term]:
    """The parts of a node, and for a junction or an extremum of several their own parts."""
    for part in t.parts:
        yield from _flat(part) if part.tag == t.tag and t.tag in ("And", "Or", "Max", "Min") else (part,)


def _product_of(t: Term, names: Named) -> tuple[Fraction, list[str]]:
    """The numbers among the factors of a term as one number, and the other factors in one order."""
    match t.tag:
        case "number":
            return Fraction(t.data[0]), []
        case "neg":
            number, factors = _product_of(t.parts[0], names)
            return -number, factors
        case "inv":
            number, factors = _product_of(t.parts[0], names)
            if not number:  # nowhere defined, and no other factor may be lost
                return Fraction(1), [f"inv({_text(t.parts[0], names)})"]
            return 1 / number, sorted(f"inv({factor})" for factor in factors)
        case "*":
            found = [_product_of(part, names) for part in t.parts]
            number = Fraction(1)
            for own, _ in found:
                number *= own
            return number, sorted(factor for _, factors in found for factor in factors)
        case "+":
            constant, terms = _sum_of(t, names)
            shown = sorted(terms) if not constant else [*sorted(terms), str(constant)]
            return Fraction(1), [f"({' + '.join(shown)})"] if shown else ["(0)"]
    return Fraction(1), [_text(t, names)]


def _sum_of(t: Term, names: Named) -> tuple[Fraction, list[str]]:
    """The numbers among the terms of a sum as one number, and its other terms."""
    if t.tag == "+":
        found = [_sum_of(part, names) for part in t.parts]
        return sum((number for number, _ in found), Fraction(0)), [term for _, terms in found for term in terms]
    number, factors = _product_of(t, names)
    return (Fraction(0), ["*".join([str(number), *factors])]) if factors else (number, [])
