"""Statements for all integers n ≥ n0, with or without sums up to n: the gap is ≥ 0 at n0 and never falls from n to n + 1.

Let gap(n) be the larger side less the smaller one. If gap(n0) ≥ 0, and gap(n + 1) ≥ gap(n) for every n ≥ n0, then gap(n) ≥ 0 for every
n ≥ n0. An induction may begin later, at N > n0; then gap(n) ≥ 0 is shown for n0, …, N − 1 one by one.

A sum Σ_{k=a}^{n+c} f(k), where f does not speak of n, is a number S at n and S + f(n + 1 + c) at n + 1. The step is shown for every real S,
whatever the sum is, and for every real n ≥ n0. At n0 the sum is written out, term by term. The domain may be a box only, with other
variables beside n, and premises that do not speak of n: then the values of the others that are possible at n0 are those that are possible
at every n.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import sympy

from dpbounds.descent import polynomials as poly
from dpbounds.descent.interval import Interval
from dpbounds.descent.polynomials import ONE, Quotient
from dpbounds.descent.problem import Problem
from dpbounds.descent.reading import TowerReader
from dpbounds.descent.refusal import need
from dpbounds.descent.tower import Range, Tower

_MOST_TERMS = 40
"""Terms that are written out at n0."""


@dataclass(frozen=True)
class Partial:
    """Σ_{k=a}^{n+c} f(k).

    Attributes:
        node: the sum.
        index: the name of k.
        first, shift: a and c.
    """

    node: sympy.Sum
    index: str
    first: int
    shift: int

    @property
    def term(self) -> sympy.Expr:
        """f(k)."""
        return self.node.args[0]


def partial_sums(problem: Problem, variable: str) -> tuple[Partial, ...]:
    """The sums of a problem, which may have none; all of them run up to n plus a number.

    Raises:
        Refused: another sum, or one whose terms speak of n.
    """
    need(not problem.nodes and not problem.meanings, "sums inside of other quantities")
    found = []
    for node in sorted(problem.large.atoms(sympy.Sum) | problem.small.atoms(sympy.Sum), key=str):
        need(len(node.args) == 2, "a sum over two indices")
        k, low, high = node.args[1]
        names = {s.name for s in node.args[0].free_symbols}
        n = next((s for s in high.free_symbols if s.name == variable), None)
        need(n is not None and low.is_Integer and variable not in names, "a sum that does not run up to n")
        shift = high - n
        need(shift.is_Integer and k.name not in problem.box, "a sum that does not run up to n plus a number")
        need(not node.args[0].has(sympy.Sum), "a sum of sums")
        found.append(Partial(node, k.name, int(low), int(shift)))
    return tuple(found)


class SumReader(TowerReader):
    """Reads sums as what they stand for."""

    def __init__(self, tower: Tower, box: Mapping[str, Range], meanings: Mapping[str, sympy.Expr]) -> None:
        super().__init__(tower, box, meanings)
        self.sums: dict[sympy.Basic, Quotient] = {}

    def _read(self, node: sympy.Basic) -> Quotient:
        return self.sums[node] if node in self.sums else super()._read(node)


class Elsewhere(SumReader):
    """Reads an expression where one name has another value.

    Every other name means what it means here, even when that meaning speaks of the one name: after a change x = n·w, x stays where it is
    while n becomes n + 1; and after x = k² the index k of a sum is another k.
    """

    def __init__(self, here: TowerReader, name: str, value: Quotient) -> None:
        super().__init__(here.tower, here.box, here.meanings)
        self.here, self.name, self.value = here, name, value

    def _read(self, node: sympy.Basic) -> Quotient:
        if isinstance(node, sympy.Symbol):
            return self.value if node.name == self.name else self.here.read(node)
        return super()._read(node)


@dataclass(frozen=True)
class _OfGap(Problem):
    """Says something of the gap of the sides, with sums up to n."""

    compares: ClassVar[bool] = False
    variable: str = ""
    sums: tuple[Partial, ...] = ()

    def gap(self, reader: TowerReader) -> Quotient:
        """large − small."""
        return _less(reader.read(self.large), reader.read(self.small))

    def known(self, reader: TowerReader) -> tuple[Quotient, ...]:
        """What the premises say is at least 0."""
        return tuple(_less(reader.read(large), reader.read(small)) for large, small, _ in self.premises)


class Growth(_OfGap):
    """gap(n + 1) ≥ gap(n) for real n, whatever the sums are."""

    def free(self) -> tuple[Tower, Quotient, tuple[Quotient, ...]]:
        """The difference over a free tower, in which the sums cancel when they can."""
        tower = Tower()
        n = sympy.Symbol(self.variable)
        now = SumReader(tower, self.ranges, self.meanings)
        later = Elsewhere(now, self.variable, now.read(sympy.Add(n, 1, evaluate=False)))
        for i, part in enumerate(self.sums):
            total, _ = tower.variable(_sum(i), (None, None))
            now.sums[part.node] = total, ONE
            last = Elsewhere(later, part.index, later.read(sympy.Add(n, part.shift, evaluate=False)))
            later.sums[part.node] = poly.sum_of([(total, ONE), last.read(part.term)])
        return tower, _less(self.gap(later), self.gap(now)), self.known(now)


class First(_OfGap):
    """gap(n0) ≥ 0, the sums written out."""

    def free(self) -> tuple[Tower, Quotient, tuple[Quotient, ...]]:
        """The gap over a free tower."""
        tower = Tower()
        reader = SumReader(tower, self.ranges, self.meanings)
        start = self.meanings.get(self.variable)
        need(start is not None and start.is_Integer, "n has many values")
        assert start is not None
        for part in self.sums:
            values = range(part.first, int(start) + part.shift + 1)
            terms = [Elsewhere(reader, part.index, (poly.constant(k), ONE)).read(part.term) for k in values]
            reader.sums[part.node] = poly.sum_of(terms)
        return tower, self.gap(reader), self.known(reader)


def _sum(i: int) -> str:
    return f"sum {i}"


def _less(a: Quotient, b: Quotient) -> Quotient:
    return poly.sum_of([a, (poly.scaled(b[0], -1), b[1])])


def parts_of(problem: Problem, variable: str, later: int = 0) -> tuple[Problem, ...]:
    """The start, the step, and the statement for each n before the start; a strict one is strict at the start, and then everywhere.

    Args:
        problem: the problem.
        variable: n.
        later: how many n are shown one by one.

    Raises:
        Refused: n has no least value, a premise speaks of it, or a sum is of another kind.
    """
    need(not any(" " in name for name in problem.box), "a name with a blank")
    own = problem.box.get(variable)
    need(own is not None and own.low is not None and own.low_closed and own.low.denominator == 1, "n has no least value")
    assert own is not None and own.low is not None
    spoken = {s.name for large, small, _ in problem.premises for side in (large, small) for s in side.free_symbols}
    need(variable not in spoken, "a premise that speaks of n")
    need(isinstance(later, int) and 0 <= later <= _MOST_TERMS, "a late start")
    sums = partial_sums(problem, variable)
    start = int(own.low)
    for part in sums:
        need(0 <= start + part.shift - part.first + 1 <= _MOST_TERMS - later, "a sum that is not written out at the least n")

    def first_at(n: int) -> First:
        box = {**problem.box, variable: Interval(Fraction(n), Fraction(n), True, True)}
        return First(problem.large, problem.small, problem.strict, box, problem.premises, variable=variable, sums=sums)

    beyond = {**problem.box, variable: Interval(Fraction(start + later), None, True, False)}
    growth = Growth(problem.large, problem.small, False, beyond, problem.premises, variable=variable, sums=sums)
    return (first_at(start + later), growth, *(first_at(start + i) for i in range(later)))


def from_values(problem: Problem, variable: str, later: int) -> tuple[Problem, ...]:
    """The problem for each of the first integers n ≥ n0, and then for all real n from there on: together it holds for all integers.

    Raises:
        Refused: n has no least value, or not so many values.
    """
    own = problem.box.get(variable)
    need(own is not None and own.low is not None and own.low_closed and own.low.denominator == 1, "n has no least value")
    assert own is not None and own.low is not None
    need(isinstance(later, int) and 1 <= later <= _MOST_TERMS, "a late start")
    need(own.high is None or own.low + later <= own.high, "a start beyond the end")
    values = [Interval(own.low + i, own.low + i, True, True) for i in range(later)]
    rest = replace(own, low=own.low + later)
    return tuple(replace(problem, box={**problem.box, variable: interval}) for interval in (*values, rest))
