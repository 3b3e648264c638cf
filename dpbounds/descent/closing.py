"""Untrusted: closed forms of sums and integrals, for the checker of `closed`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import sympy
from sympy.concrete.gosper import gosper_term

from dpbounds.descent import polynomials as poly
from dpbounds.descent.building import Canonical, NoForm, factored
from dpbounds.descent.check import Checker
from dpbounds.descent.induction import Elsewhere
from dpbounds.descent.polynomials import ONE, Polynomial
from dpbounds.descent.problem import Problem
from dpbounds.descent.reading import TowerReader
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.sums import SumOrIntegral, bound_of, nodes_of
from dpbounds.descent.tower import Range, Tower
from dpbounds.descent.written import expression_of, row_of

Document = dict[str, Any]
Prove = Callable[[Problem], Document | None]
_RANGES: tuple[Range, ...] = (
    (None, None),
    (Fraction(-1), None),
    (Fraction(0), None),
    (Fraction(-1), Fraction(1)),
    (Fraction(0), Fraction(1)),
)
_REFUSED = (NoForm, DescentRefused, ValueError, TypeError, AttributeError, ZeroDivisionError, RuntimeError, KeyError)


def rows_of(problem: Problem, integers: frozenset[str], prove: Prove) -> list[Document | None] | None:
    """A closed form for each sum and integral that has one; None when none of them has.

    Args:
        problem: the inequality.
        integers: its integer variables.
        prove: searches a certificate of a condition.
    """
    rows: list[Document | None] = []
    for node in nodes_of(problem):
        try:
            bound = bound_of(problem, node)
            rows.append(next(_rows(problem, bound, integers, prove), None))
        except _REFUSED:
            rows.append(None)
    return rows if any(rows) else None


def _rows(problem: Problem, bound: SumOrIntegral, integers: frozenset[str], prove: Prove) -> Iterator[Document]:
    if isinstance(bound.node, sympy.Integral):
        yield from _antiderivative(problem, bound)
        return
    if (row := _powers(problem, bound, integers, prove)) is not None:
        yield row
    if bound.high is sympy.oo:
        yield from _telescope(problem, bound)


def _places(problem: Problem, bound: SumOrIntegral, ends: Range, read: Callable[[TowerReader], None]) -> list[Document] | None:
    """Towers of the open box and of the faces in which everything is defined that is read."""
    places = []
    for fixed in problem.faces():
        here = problem.at(fixed)
        reader = TowerReader(Tower(), {**here.ranges, bound.name: ends}, here.meanings)
        read(reader)
        document = definition(reader.tower)
        if document is None:
            return None
        places.append(document)
    return places


def _renamed(expression: sympy.Expr) -> sympy.Expr:
    """With symbols that are positive, for what only guesses."""
    return expression.xreplace({s: sympy.Symbol(s.name, positive=True) for s in expression.free_symbols})


def _antiderivative(problem: Problem, bound: SumOrIntegral) -> Iterator[Document]:
    v = sympy.Symbol(bound.name, positive=True)
    own = sympy.integrate(_renamed(bound.term), v)
    if bound.high is sympy.oo:
        own = own - sympy.limit(own, v, sympy.oo)
    row = row_of(sympy.expand(own))
    expression = expression_of(row, (*problem.box, bound.name))

    def read(reader: TowerReader) -> None:
        reader.read(expression)
        reader.read(bound.term)

    for low, high in _RANGES:
        if bound.high is sympy.oo and high is not None:
            continue
        places = _places(problem, bound, (low, high), read)
        if places is None:
            continue
        found = {"by": "antiderivative", "of": row, "range": ["-oo" if low is None else str(low), "oo" if high is None else str(high)]}
        for order in (1, 2, 3):
            yield {**found, "places": places, "order": order}


def _telescope(problem: Problem, bound: SumOrIntegral) -> Iterator[Document]:
    k = sympy.Symbol(bound.name, positive=True)
    term = _renamed(bound.term)
    powers: dict[Any, Any] = {}
    for e in term.atoms(sympy.exp):
        slope = sympy.diff(e.args[0], k)
        if slope != 0 and not slope.has(k):
            base = powers.setdefault(slope, sympy.Symbol(f"base_{len(powers)}", positive=True))
            term = term.xreplace({e: sympy.exp(sympy.expand(e.args[0] - slope * k)) * base**k})
    share = gosper_term(term, k)
    if share is None:
        return
    back = {base: sympy.exp(slope) for slope, base in powers.items()}
    share = share.subs(back)
    own = bound.term.xreplace({s: sympy.Symbol(s.name, positive=True) for s in bound.term.free_symbols}) * sympy.factor(share)
    row = row_of(own)
    expression = expression_of(row, (*problem.box, bound.name))

    def read(reader: TowerReader) -> None:
        reader.read(expression)
        reader.read(bound.term)
        moved = poly.sum_of([reader.read(sympy.Symbol(bound.name)), (ONE, ONE)])
        Elsewhere(reader, bound.name, moved).read(expression)

    places = _places(problem, bound, (Fraction(bound.first - 1), None), read)
    if places is not None:
        for order in (1, 2, 3):
            yield {"by": "telescope", "of": row, "places": places, "order": order}


def _powers(problem: Problem, bound: SumOrIntegral, integers: frozenset[str], prove: Prove) -> Document | None:
    """Binomial coefficients or reciprocal factorials times the terms of a geometric series."""
    k = sympy.Symbol(bound.name, positive=True)
    factors = list(sympy.Mul.make_args(bound.term))
    rows = [e for e in factors if isinstance(e, sympy.binomial)]
    counts = [e for e in factors if isinstance(e, sympy.Pow) and isinstance(e.args[0], sympy.factorial)]
    if len(rows) + len(counts) != 1:
        return None
    own = (rows + counts)[0]
    after = 1 / (sympy.Symbol(bound.name) + 1)
    absorbed = [e for e in factors if rows and _renamed(e) == _renamed(after)]
    factors = [e for e in factors if e not in absorbed]
    rest = sympy.Mul(*(e for e in factors if e is not own))
    logs = sympy.expand(sympy.expand_log(sympy.log(_renamed(rest)), force=True))
    slope, start = logs.coeff(k, 1), logs.coeff(k, 0)
    if slope.has(k) or sympy.expand(logs - slope * k - start) != 0:
        return None
    first, ratio = (row_of(sympy.powsimp(sympy.exp(part))) for part in (start, slope))
    expressions = [expression_of(row, problem.box) for row in (first, ratio)]

    others = [e for e in factors if e is not own]
    whole = others[0] if len(others) == 1 else sympy.Mul(*others, evaluate=False)

    def read(reader: TowerReader) -> None:
        at = reader.read(sympy.Symbol(bound.name))
        for place in (at, poly.sum_of([at, (ONE, ONE)]), ({}, ONE)):
            Elsewhere(reader, bound.name, place).read(whole)
        for expression in expressions:
            reader.read(expression)

    places = _places(problem, bound, (Fraction(-1), None), read)
    if places is None:
        return None
    by = "absorbed" if absorbed else "binomial" if rows else "exponential"
    row: Document = {"by": by, "first": first, "ratio": ratio, "places": places}
    if counts and bound.high is not sympy.oo:
        signs = [prove(Problem(e, sympy.S.Zero, False, problem.box, problem.premises)) for e in reversed(expressions)]
        if None in signs:
            return None
        row["signs"] = signs
    return row


def definition(tower: Tower) -> Document | None:
    """That everything in a free tower is defined."""
    try:
        canonical = Canonical(tower)
        divisors = [_factors(canonical, p) for p in tower.divisors]
        document = {"tower": canonical.rows, "images": canonical.hints, **({"divisors": divisors} if divisors else {})}
        if divisors:
            Checker().translated(tower, document)
    except (NoForm, DescentRefused):
        return None
    return document


def _factors(canonical: Canonical, divisor: Polynomial) -> Document:
    """The factors of a divisor, for the sign test."""
    parts: tuple[tuple[str, Polynomial], ...] = tuple(zip(("num", "den"), canonical.through((divisor, ONE)), strict=True))
    return {key: [[poly.write(f), k, None] for f, k in factored(canonical.tower.reduced(p))[1]] for key, p in parts}
