"""A problem: small ≤ large, or small < large, on a box with open and closed ends; what a certificate of it must say."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.descent import polynomials as poly
from dpbounds.descent.check import Checker, _end
from dpbounds.descent.polynomials import Quotient
from dpbounds.descent.reading import Reader
from dpbounds.descent.refusal import Refused, need
from dpbounds.descent.search import Document, Search, find
from dpbounds.descent.tower import Range, Tower


@dataclass(frozen=True)
class Interval:
    """The range of a variable.

    Attributes:
        low, high: the ends; None is infinite.
        low_closed, high_closed: whether the ends belong to it.
    """

    low: Fraction | None = None
    high: Fraction | None = None
    low_closed: bool = False
    high_closed: bool = False


@dataclass(frozen=True)
class Problem:
    """small ≤ large (or <) wherever the variables lie in their ranges and the premises hold.

    Attributes:
        large, small: sympy expressions; they are read one by one, so that nothing cancels before it is known to be defined.
        strict: whether the sides must differ.
        box: the range of each variable.
        premises: (large, small, whether they differ) with small ≤ large on the domain.
        meanings: variables of the statement as expressions in the variables of the box.
    """

    large: sympy.Expr
    small: sympy.Expr
    strict: bool
    box: Mapping[str, Interval]
    premises: tuple[tuple[sympy.Expr, sympy.Expr, bool], ...] = ()
    meanings: Mapping[str, sympy.Expr] = field(default_factory=dict)

    def free(self, fixed: Mapping[str, Fraction]) -> tuple[Tower, Quotient, tuple[Quotient, ...]]:
        """The gap and the premises as quotients ≥ 0 over a free tower, some variables fixed at an end."""
        tower = Tower()
        ranges = {name: (i.low, i.high) for name, i in self.box.items() if name not in fixed}
        reader = Reader(tower, ranges, fixed, self.meanings)
        return tower, _gap(reader, self.large, self.small), tuple(_gap(reader, *premise[:2]) for premise in self.premises)

    def faces(self, wide: Mapping[str, Range]) -> Iterator[dict[str, Fraction]]:
        """The parts of the domain that the open box leaves out, first the open box itself: which variables are fixed, and where.

        A closed end inside the wider box of a proof needs no part of its own.
        """
        options: list[list[tuple[str, Fraction | None]]] = []
        for name, i in sorted(self.box.items()):
            if i.low is not None and i.low == i.high:
                options.append([(name, i.low)])
                continue
            low, high = wide.get(name, (i.low, i.high))
            ends = [e for e, closed, edge in ((i.low, i.low_closed, low), (i.high, i.high_closed, high)) if closed and e == edge]
            options.append([(name, None), *((name, e) for e in ends)])
        for chosen in itertools.product(*options):
            yield {name: value for name, value in chosen if value is not None}


def _gap(reader: Reader, large: sympy.Expr, small: sympy.Expr) -> Quotient:
    n, d = reader.read(small)
    return poly.sum_of([reader.read(large), (poly.scaled(n, -1), d)])


def check(problem: Problem, document: Mapping[str, Any]) -> None:
    """Check a certificate of a problem.

    On the open box the gap is ≥ 0 by the certificate. On a closed face it is enough, for ≥, that every operation of the gap is defined
    there: all of them are continuous where they are defined, so the gap is a limit of values ≥ 0. For >, and with premises, each face is
    a claim of its own.

    Raises:
        Refused: the certificate does not establish the problem.
    """
    wide = {name: (_end(ends[0]), _end(ends[1])) for name, ends in document.get("box", {}).items()}
    for name, (low, high) in wide.items():
        interval = problem.box[name]
        need(low is None or interval.low is not None and low <= interval.low, "the box of the proof is smaller than the domain")
        need(high is None or interval.high is not None and high >= interval.high, "the box of the proof is smaller than the domain")
    parts = list(problem.faces(wide))
    need(len(parts) == len(document["parts"]), "one part for each face")
    for i, (fixed, part) in enumerate(zip(parts, document["parts"], strict=True)):
        tower, gap, premises = _widened(problem, wide).free(fixed)
        checker = Checker()
        if i and not problem.strict and not problem.premises and "by" not in part:
            checker.translated(tower, part)
        else:
            checker.claim(tower, gap, part, strict=problem.strict, premises=premises)


def _widened(problem: Problem, wide: Mapping[str, Range]) -> Problem:
    box = {name: Interval(*wide[name]) if name in wide else i for name, i in problem.box.items()}
    return replace(problem, box=box)


def solve(problem: Problem, seconds: float, wide: Mapping[str, Range] | None = None) -> Document | None:
    """Search a certificate of a problem within processor seconds.

    >>> x = sympy.Symbol("x", real=True)
    >>> positive = Problem(sympy.exp(x), 1 + x, False, {"x": Interval()})
    >>> certificate = solve(positive, 10)
    >>> check(positive, certificate)
    """
    wide = dict(wide or {})
    widened = _widened(problem, wide)

    def prove(search: Search, depth: int) -> Document | None:
        parts = []
        for i, fixed in enumerate(problem.faces(wide)):
            try:
                tower, gap, premises = widened.free(fixed)
            except Refused:
                return None
            part = None
            if i and not problem.strict and not problem.premises:
                part = definition(tower)
            if part is None:
                part = search.claim(tower, gap, depth, strict=problem.strict, premises=premises)
            if part is None:
                return None
            parts.append(part)
        ends = {n: ["-oo" if low is None else str(low), "oo" if high is None else str(high)] for n, (low, high) in wide.items()}
        return {"box": ends, "parts": parts}

    return find(prove, seconds)[0]


def definition(tower: Tower) -> Document | None:
    """That everything in a free tower is defined."""
    from dpbounds.descent.building import Canonical, NoForm

    try:
        canonical = Canonical(tower)
    except (NoForm, Refused):
        return None
    return {"tower": canonical.rows, "images": canonical.hints}
