"""A problem: small ≤ large, or small < large, on a box with open and closed ends; what a certificate of it must say."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import ClassVar, Self

import sympy

from dpbounds.descent import polynomials as poly
from dpbounds.descent.interval import Interval
from dpbounds.descent.polynomials import Quotient
from dpbounds.descent.reading import TowerReader
from dpbounds.descent.tower import Range, Tower


@dataclass(frozen=True)
class Problem:
    """small ≤ large (or <) wherever the variables lie in their ranges and the premises hold.

    Attributes:
        large, small: sympy expressions; they are read one by one, so that nothing cancels before it is known to be defined.
        strict: whether the sides must differ.
        box: the range of each variable.
        premises: (large, small, whether they differ) with small ≤ large on the domain.
        meanings: variables of the statement as expressions in the variables of the box.
        nodes: what is read in the place of parts of the statement: closed forms, and the branch of an absolute value, a maximum, a case.
        compares: whether it says small ≤ large itself; a step of an induction says something else about both sides.
    """

    compares: ClassVar[bool] = True
    large: sympy.Expr
    small: sympy.Expr
    strict: bool
    box: Mapping[str, Interval]
    premises: tuple[tuple[sympy.Expr, sympy.Expr, bool], ...] = ()
    meanings: Mapping[str, sympy.Expr] = field(default_factory=dict)
    nodes: Mapping[sympy.Basic, sympy.Basic] = field(default_factory=dict)

    def free(self) -> tuple[Tower, Quotient, tuple[Quotient, ...]]:
        """The gap and the premises as quotients ≥ 0 over a free tower."""
        tower = Tower()
        reader = TowerReader(tower, self.ranges, self.meanings, self.nodes)
        return tower, gap_of(reader, self.large, self.small), tuple(gap_of(reader, *premise[:2]) for premise in self.premises)

    @property
    def ranges(self) -> dict[str, Range]:
        """The open ranges of the variables."""
        return {name: (i.low, i.high) for name, i in self.box.items()}

    def with_fixed(self, fixed: Mapping[str, Fraction]) -> Self:
        """The problem with some variables fixed, on the open box of the others."""
        values = {name: sympy.Rational(value) for name, value in fixed.items()}
        box = {name: Interval(i.low, i.high) for name, i in self.box.items() if name not in fixed}
        return replace(self, box=box, meanings={**self.meanings, **values})

    def faces(self) -> Iterator[dict[str, Fraction]]:
        """The parts of the domain by which variables are fixed at a closed end; first the open box, where none is."""
        options: list[list[tuple[str, Fraction | None]]] = []
        for name, i in sorted(self.box.items()):
            if i.low is not None and i.low == i.high:
                options.append([(name, i.low)])
                continue
            ends = [end for end, closed in ((i.low, i.low_closed), (i.high, i.high_closed)) if closed]
            options.append([(name, None), *((name, end) for end in ends)])
        for chosen in itertools.product(*options):
            yield {name: value for name, value in chosen if value is not None}


def gap_of(reader: TowerReader, large: sympy.Expr, small: sympy.Expr) -> Quotient:
    """large − small, the smaller side read first."""
    n, d = reader.read(small)
    return poly.sum_of([reader.read(large), (poly.scaled(n, -1), d)])
