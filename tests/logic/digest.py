"""The digest of a statement: one number for all its spellings that differ in names and order alone.

The names of variables, families, functions and bound variables do not count, nor does the order of premises, of terms, factors and parts
of a conjunction or a maximum, the side on which a relation is written, whether a sign is declared or stated as a premise, and whether
a − b is written a + (−1)·b, or a/b as a·b⁻¹. Everything else does: nothing is simplified.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dpbounds.logic.terms import Term, conjuncts, free_in, premises_of

_MOST_CHOICES = 100
"""How many ways of numbering variables that look alike are compared; beyond, their names break the tie."""
_TURNED = {">": "<", ">=": "<="}
_UNORDERED = ("And", "Or", "Max", "Min", "=", "!=")


def digest(given: Iterable[Term], then: Term) -> str:
    """SHA-256 of the canonical text of a statement.

    >>> from dpbounds.logic.terms import variable
    >>> x, y = variable("x", "R", ["positive"]), variable("y")
    >>> digest([x <= 2], 1 - x <= 3) == digest([y > 0, 2 >= y], 3 >= -y + 1)
    True
    """
    return hashlib.sha256(canonical(given, then).encode()).hexdigest()


def canonical(given: Iterable[Term], then: Term) -> str:
    """The statement with its variables numbered in an order that depends on the statement alone.

    >>> from dpbounds.logic.terms import variable
    >>> x, y = variable("x"), variable("y")
    >>> canonical([x >= 1], x >= 0) == canonical([y >= 1], y >= 0)
    True
    """
    given = [part for premise in given for part in conjuncts(premise)]
    named = free_in([then, *given])
    return _Numbering(named, [*given, *premises_of([then, *given])], then).text()


def _kind_of(x: Any) -> str:
    return f"{'integer' if x.sort == 'Z' else 'real'}" if isinstance(x, Term) else f"{x.kind} {x.sort} {x.facts}"


class _Numbering:
    """Variables are told apart by how they occur; where that is not enough, each of those alike is tried as the first one."""

    def __init__(self, named: Sequence[Any], given: Sequence[Term], then: Term) -> None:
        self.named, self.given, self.then, self.choices = named, given, then, 1

    def text(self) -> str:
        return min(self._texts({x: _kind_of(x) for x in self.named}))

    def _texts(self, colours: Mapping[Any, str]) -> Iterator[str]:
        colours = self._refined(colours)
        classes: dict[str, list[Any]] = {}
        for x in self.named:
            classes.setdefault(colours[x], []).append(x)
        alike = min(((len(found), colour) for colour, found in classes.items() if len(found) > 1), default=None)
        if alike is None:
            order = sorted(self.named, key=lambda x: colours[x])
            names = {x: f"v{k}" for k, x in enumerate(order)}
            yield f"{'; '.join(f'{names[x]}: {_kind_of(x)}' for x in order)} | {self._written(names)}"
            return
        tied = classes[alike[1]]
        if self.choices * len(tied) > _MOST_CHOICES:
            tied = tied[:1]
        self.choices *= len(tied)
        for chosen in tied:
            yield from self._texts({**colours, chosen: f"first {alike[1]}"})

    def _refined(self, colours: Mapping[Any, str]) -> Mapping[Any, str]:
        while len(set(colours.values())) < len(colours):
            finer = {x: hashlib.sha256(f"{colours[x]} {self._written({**colours, x: '*'})}".encode()).hexdigest() for x in self.named}
            if len(set(finer.values())) == len(set(colours.values())):
                return finer
            colours = finer
        return colours

    def _written(self, names: Mapping[Any, str]) -> str:
        write = _Writer(names)
        return f"{' & '.join(sorted({write(premise) for premise in self.given}))} |- {write(self.then)}"


class _Writer:
    """Terms as text under given names."""

    def __init__(self, names: Mapping[Any, str]) -> None:
        self.names = names

    def __call__(self, t: Term) -> str:
        match t.tag:
            case "variable":
                return self.names[t]
            case "bound":
                return f"{t.sort}{t.data[0]}"
            case "number" if t.data[0] >= 0 and t.data[0].denominator == 1:
                return str(t.data[0])
            case "number" | "*" | "neg" | "inv":
                sign, above, below = self._factors(t)
                return f"{'-' * sign}*({', '.join(sorted(above))}; {', '.join(sorted(below))})"
            case "+":
                return f"+({', '.join(sorted(map(self, t.parts)))})"
            case "**" if t.parts[1].tag == "number" and t.parts[1].data[0] == Fraction(1, 2):
                return f"sqrt({self(t.parts[0])})"
            case "apply":
                return f"{self.names[t.data[0]]}({', '.join(map(self, t.parts))})"
        shown = list(map(self, t.parts))
        tag = _TURNED.get(t.tag)
        if tag is not None:
            return f"{tag}({shown[1]}, {shown[0]})"
        kind = f" over {t.hint[1]}" if t.hint is not None else "".join(f" {word}" for word in t.data)
        return f"{t.tag}{kind}({', '.join(sorted(shown) if t.tag in _UNORDERED else shown)})"

    def _factors(self, t: Term) -> tuple[bool, list[str], list[str]]:
        """The sign of a product, its factors, and what is divided by."""
        if t.tag == "number":
            q = abs(t.data[0])
            return t.data[0] < 0, [str(q.numerator)] * (q.numerator != 1), [str(q.denominator)] * (q.denominator != 1)
        if t.tag == "inv":
            sign, above, below = self._factors(t.parts[0])
            return sign, below, above
        if t.tag == "neg":
            sign, above, below = self._factors(t.parts[0])
            return not sign, above, below
        if t.tag == "*":
            found = [self._factors(part) for part in t.parts]
            return sum(f[0] for f in found) % 2 == 1, [x for f in found for x in f[1]], [x for f in found for x in f[2]]
        return False, [self(t)], []
