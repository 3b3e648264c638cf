"""Fields of records that hold a statement as it was typed: as terms. Reading one gives what sympy makes of them.

What searches and decides still works with sympy, and asks a claim for `then` and `given`. What is stated is `conclusion` and `premises`.
The conversion takes place once, when it is asked for: to read a file of claims takes no sympy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.language.substitution import parts_of_and
from dpbounds.language.typed.bridge import from_sympy, named_to_sympy, to_sympy
from dpbounds.logic.laws import Masses
from dpbounds.logic.ranges import is_declared, known_from, undeclared
from dpbounds.logic.signatures import DIRECTIONS
from dpbounds.logic.terms import Family, Named, Term, TermError, free_in, name_of, premises_of, walk


class Typed:
    """A formula, or several, under the name of a field of a record."""

    def __init__(self, default: Any = None) -> None:
        self.default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __set__(self, record: Any, value: Any) -> None:
        record.__dict__[f"typed {self.name}"] = value
        record.__dict__.pop(f"sympy {self.name}", None)

    def __get__(self, record: Any, owner: type | None = None) -> Any:
        if record is None:
            return self.default
        key = f"sympy {self.name}"
        if key not in record.__dict__:
            value = record.__dict__[f"typed {self.name}"]
            record.__dict__[key] = to_sympy(value) if isinstance(value, Term) else self._several(value)
        return record.__dict__[key]

    @staticmethod
    def _several(value: Any) -> Any:
        if not isinstance(value, tuple) or not any(isinstance(part, Term) for part in value):
            return value
        return tuple(part for premise in value if not _is_said(premise) for part in parts_of(to_sympy(premise)))


def parts_of(condition: Any) -> list[Any]:
    """The parts of a conjunction in one order: sympy keeps them in a set."""
    return sorted(parts_of_and(condition) if condition is not sympy.true else (), key=sympy.default_sort_key)


def _is_said(premise: Any) -> bool:
    """Whether a premise says no more of a variable than its declaration, which sympy's symbol has."""
    return isinstance(premise, Term) and any(part.tag == "variable" and is_declared(premise, part) for part in premise.parts)


def typed(record: Any, name: str) -> Any:
    """What was typed for a field."""
    return record.__dict__[f"typed {name}"]


def is_formula(value: Any) -> bool:
    """Whether a value is a formula, of terms or of sympy."""
    return (isinstance(value, Term) and value.sort == "F") or (isinstance(value, Boolean) and not isinstance(value, sympy.Symbol))


def opened(given: Iterable[Any]) -> Iterable[Any]:
    """Premises; a law stands for the one that its masses sum to one."""
    return (part.premise if isinstance(part, Masses) else part for part in given)


def as_term(value: Any) -> Term | None:
    """A formula as a term; None for what the notation has no term for."""
    try:
        return value if isinstance(value, Term) else from_sympy(value)
    except TermError:
        return None


def point_to_sympy(point: Mapping[Any, Any]) -> dict[Any, Any]:
    """A point by the names that sympy has for variables; families stand for their laws."""
    found = {}
    for key, value in point.items():
        base = key.base if isinstance(key, Masses) else key
        found[named_to_sympy(base) if isinstance(base, Named) else to_sympy(base)] = to_sympy(value)
    return found


def fault_of(then: Term, given: Iterable[Term], *, several: bool) -> str:
    """Why terms are no statement: one name for two things, or a bound variable that is declared to be more than its range says.

    Args:
        then, given: the statement.
        several: whether families may have several indices.
    """
    parts = [then, *given]
    for node in (node for part in parts for node in walk(part)):
        if node.tag == "apply" and isinstance(node.data[0], Family) and len(node.parts) > 1 and not several:
            return f"families have one index, except in claims settled by a Proof, got {node.data[0]} with {len(node.parts)}"
    names: dict[str, Any] = {}
    for x in free_in(parts):
        name = name_of(x)
        if name in names:
            return f"two symbols with different assumptions are both called {name}; use one symbol"
        if name in DIRECTIONS:
            return f"{name} names a direction and cannot be a variable"
        names[name] = x
    for node in (node for part in parts for node in walk(part)):
        if node.hint is not None and node.tag not in ("ForAll", "Lambda") and node.hint[0] in names:
            return f"{node.hint[0]} is both a variable and bound by a sum, an integral or an extremum; rename one"
    known = known_from([*given, *premises_of(parts)])
    for part in parts:
        for x, fact, where in undeclared(part, known):
            low = where.removeprefix("from ").split(" to ")[0]
            instead = f'; write {x} = index("{x}", start=0)' if x.sort == "Z" and low == "0" and fact == "positive" else ""
            return f"{x} is declared to be {fact}, which does not follow from its range ({where}){instead}"
    return ""
