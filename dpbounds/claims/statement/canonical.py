"""One text for all ways of writing a statement: what its hash is taken of.

The names of variables, families, functions and bound symbols do not count, nor does the order of premises, of terms, factors and parts of
a conjunction, the side on which a relation is written, or whether a sign is assumed by a symbol or stated as a premise. Two statements
of one text are the same up to these; the converse holds but for expressions that sympy itself writes otherwise under other names.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sympy
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from dpbounds.claims.statement.assumptions import assumptions_of
from dpbounds.language.definedness import limits_of
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.symbols import canonical_text, facts_of

_UNORDERED = (sympy.Add, sympy.Mul, sympy.And, sympy.Or, sympy.Max, sympy.Min)
_MOST_CHOICES = 100
"""How many ways of numbering variables that look alike are compared; beyond, their names break the tie."""
_SWAPPED = {sympy.Ge: "Le", sympy.Gt: "Lt"}
_RELATIONS = {sympy.Le: "Le", sympy.Lt: "Lt", sympy.Eq: "Eq", sympy.Ne: "Ne"}


def canonical_statement(given: Iterable[Any], then: Any) -> str:
    """The statement with its variables numbered in an order that depends on the statement alone.

    >>> x, y, z = sympy.symbols("x y z", positive=True)
    >>> canonical_statement([x <= 1, y > x], x**2 <= y) == canonical_statement([y < z, 1 >= y], z >= y**2)
    True
    """
    parts = (then, *given)
    variables = variables_of(parts)
    premises = [*given, *(condition for v in variables if isinstance(v, sympy.Symbol) for condition in assumptions_of(v))]
    return _Numbering(variables, premises, then).text()


def statement_digest(given: Iterable[Any], then: Any) -> str:
    """SHA-256 of the canonical statement."""
    return hashlib.sha256(canonical_statement(tuple(given), then).encode()).hexdigest()


def orders_of(statement: Any) -> tuple[str, list[list[Any]]]:
    """The canonical text of one formula, and every order of its variables that gives it: two formulas of one text differ by names alone.

    >>> x, y = sympy.symbols("x y")
    >>> orders_of(x <= 2*y)[1], len(orders_of(sympy.Eq(x, y))[1])
    ([[y, x]], 2)
    """
    variables = variables_of((statement,))
    found = _Numbering(variables, (), statement).found()
    text = min(text for text, _ in found)
    return text, [order for other, order in found if other == text]


def as_written(statement: Any) -> str:
    """A formula with its own names, but for bound symbols: equal texts say the same of the same variables."""
    kinds = {v: f"{_kind_of(v)} {v}" for v in variables_of((statement,)) if not isinstance(v, sympy.Symbol)}
    return _write(statement, kinds, {})  # the name of a function may be that of another one, such as log


def variables_of(parts: Sequence[Any]) -> list[Any]:
    """Variables, families and functions without a formula."""
    families = set().union(*(part.atoms(sympy.IndexedBase) for part in parts))
    functions = {node.func for part in parts for node in part.atoms(AppliedUndef)}
    labels = {family.label for family in families}
    symbols = {s for part in parts for s in part.free_symbols if isinstance(s, sympy.Symbol) and s not in labels}
    return sorted([*symbols, *families, *functions], key=str)


def _kind_of(variable: Any) -> str:
    """What a variable may be, but for the signs, which are premises."""
    if isinstance(variable, sympy.Symbol):
        return "integer" if variable.is_integer else "real"
    kind, facts = ("family", variable.assumptions0) if isinstance(variable, sympy.IndexedBase) else ("function", variable._kwargs)
    return f"{kind} {sorted(name for name, value in facts.items() if value and name != 'commutative')}"


class _Numbering:
    """Variables are told apart by how they occur; where that is not enough, each of those alike is tried as the first one."""

    def __init__(self, variables: Sequence[Any], given: Sequence[Any], then: Any) -> None:
        self.variables, self.given, self.then = variables, given, then
        self.choices = 1

    def text(self) -> str:
        return min(text for text, _ in self.found())

    def found(self) -> list[tuple[str, list[Any]]]:
        """Every numbering that is compared: its text, and the variables in its order."""
        return self._numberings({v: _kind_of(v) for v in self.variables})

    def _numberings(self, colours: Mapping[Any, str]) -> list[tuple[str, list[Any]]]:
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

    def _refined(self, colours: Mapping[Any, str]) -> Mapping[Any, str]:
        while True:
            finer = {v: _digest(f"{colours[v]} {self._written({**colours, v: '*'})}") for v in self.variables}
            if len(set(finer.values())) == len(set(colours.values())):
                return finer
            colours = finer

    def _written(self, names: Mapping[Any, str]) -> str:
        premises = sorted({_write(premise, names, {}) for premise in self.given})
        return f"{' & '.join(premises)} |- {_write(self.then, names, {})}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _write(node: Any, names: Mapping[Any, str], bound: Mapping[Any, str]) -> str:
    """An expression as text; bound symbols by the depth at which they are bound."""
    if isinstance(node, (sympy.Symbol, sympy.IndexedBase)):
        return bound.get(node) or names.get(node) or canonical_text(node)
    if isinstance(node, ForAll):
        variable, inside = _bind([node.variable], bound)
        return f"ForAll({variable[0]}, {_write(node.condition, names, inside)}, {_write(node.body, names, inside)})"
    if isinstance(node, sympy.Lambda):
        variables, inside = _bind(node.variables, bound)
        return f"Lambda({', '.join(variables)}: {_write(node.expr, names, inside)})"
    if limits := limits_of(node):
        shown = []
        for variable, *ends in reversed(limits):  # the last one is the outermost: its ends see no other
            written = [_write(end, names, bound) for end in ends]
            (name,), bound = _bind([variable], bound)
            shown.append(f"{name} from {' to '.join(written)}")
        body = [_write(part, names, bound) for part in node.args[: -len(limits)]]
        return f"{_class_name(node.func)}({', '.join(body)}; {'; '.join(shown)})"
    if not node.args:
        return canonical_text(node)
    parts = [_write(part, names, bound) for part in node.args]
    if isinstance(node, Relational):
        if type(node) in _SWAPPED:
            return f"{_SWAPPED[type(node)]}({parts[1]}, {parts[0]})"
        name = _RELATIONS.get(type(node), type(node).__name__)
        return f"{name}({', '.join(sorted(parts) if name in ('Eq', 'Ne') else parts)})"
    name = names.get(node.func) or _class_name(node.func)
    return f"{name}({', '.join(sorted(parts) if isinstance(node, _UNORDERED) else parts)})"


def _class_name(kind: type) -> str:
    """The name of a class; with its module where a claim file may have made it, for it may be called as one of sympy is."""
    module = str(kind.__module__)
    return kind.__name__ if module.partition(".")[0] in ("sympy", "dpbounds") else f"{module}.{kind.__name__}"


def _bind(variables: Sequence[sympy.Symbol], bound: Mapping[Any, str]) -> tuple[list[str], Mapping[Any, str]]:
    """Names for symbols that are bound here, with what they assume, and what is bound inside."""
    inside = dict(bound)
    shown = []
    for variable in variables:
        inside[variable] = f"b{1 + max((int(name[1:]) for name in inside.values()), default=-1)}"
        facts = sorted(name if value else f"not {name}" for name, value in facts_of(variable))  # odd is an integer that is not even
        shown.append(f"{inside[variable]}{facts}")
    return shown, inside
