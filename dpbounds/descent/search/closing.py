"""Untrusted: closed forms of sums and integrals, for the rules of `closed`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain, permutations
from typing import Any

import sympy
from sympy.concrete.gosper import gosper_term

from dpbounds.descent.integrals.closed import antiderivative, reader_at
from dpbounds.descent.integrals.pieces import Part, parts_of
from dpbounds.descent.integrals.sums import SumOrIntegral, bound_of, nodes_of
from dpbounds.descent.polynomials import ONE
from dpbounds.descent.problem import Problem
from dpbounds.descent.reading import TowerReader
from dpbounds.descent.refusal import DescentRefused, need
from dpbounds.descent.search.antiderivatives import exponential_antiderivative, power_antiderivative
from dpbounds.descent.search.building import Canonical, NoForm, factored
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
        except DescentRefused:
            rows.append(None)
            continue
        try:
            row = next((row for row in _rows(problem, bound, prove) if _stands(problem, bound, row, integers)), None)
        except _REFUSED:
            row = None
        rows.append(row)
    return rows if any(rows) else None


def _stands(problem: Problem, bound: SumOrIntegral, row: Document, integers: frozenset[str]) -> bool:
    """Whether an antiderivative is accepted on its range; other rows are tried with all that follows from them."""
    if row["by"] != "antiderivative":
        return True
    try:
        antiderivative(problem, bound, row, integers)
    except _REFUSED:
        return False
    return True


def _rows(problem: Problem, bound: SumOrIntegral, prove: Prove) -> Iterator[Document]:
    if isinstance(bound.node, sympy.Integral):
        if (row := _pieces(problem, bound, prove)) is not None:
            yield row
        else:
            yield from _antiderivative(problem, bound)
        return
    if (row := _binomial(bound)) is not None:
        yield row
    if bound.high is not sympy.oo and (row := _telescope(bound)) is not None:
        yield row


def _places(problem: Problem, bound: SumOrIntegral, ends: Range, read: Callable[[TowerReader], None]) -> list[Document] | None:
    """Towers of the open box and of the faces in which everything is defined that is read."""
    places = []
    for fixed in problem.faces():
        here = problem.with_fixed(fixed)
        reader = TowerReader(Tower(), {**here.ranges, bound.name: ends}, here.meanings)
        read(reader)
        document = definition(reader.tower)
        if document is None:
            return None
        places.append(document)
    return places


def _renamed(expression: sympy.Expr) -> sympy.Expr:
    """With symbols that are positive, and exponentials for hyperbolic functions, for what only guesses."""
    own = expression.xreplace({s: sympy.Symbol(s.name, positive=True) for s in expression.free_symbols})
    return own.rewrite([sympy.cosh, sympy.sinh, sympy.tanh], sympy.exp)


def _meant(problem: Problem, term: sympy.Expr) -> sympy.Expr:
    """A term in the variables of the box that have more than one value, for what only guesses."""
    values = {name: sympy.Rational(own.low) for name, own in problem.box.items() if own.low is not None and own.low == own.high}
    known = {**problem.meanings, **values}
    for _ in known:
        own = {s: known[s.name] for s in term.free_symbols if s.name in known}
        term = term.subs(own)
    return term


def meant(problem: Problem, term: sympy.Expr) -> sympy.Expr:
    """A term in positive variables of the box, for what only guesses."""
    return _renamed(_meant(problem, term))


def mixtures_in(term: sympy.Expr, v: sympy.Symbol) -> list[sympy.Pow]:
    """Powers of sums with exponentials in v, with other variables in the exponent: they have no closed form."""
    powers = (p for p in term.atoms(sympy.Pow) if isinstance(p.base, sympy.Add) and any(e.has(v) for e in p.base.atoms(sympy.exp)))
    return [p for p in powers if p.exp.free_symbols and not p.exp.has(v)]


def _pieces(problem: Problem, bound: SumOrIntegral, prove: Prove) -> Document | None:
    """Half-lines, and parts on which absolute values have one sign."""
    v = next((s for s in bound.term.free_symbols if s.name == bound.name), None)
    if v is None or not (bound.low is sympy.S.NegativeInfinity or any(node.has(v) for node in bound.term.atoms(sympy.Abs))):
        return None
    inner = [node.args[0] for node in bound.term.atoms(sympy.Abs) if node.has(v) and not node.args[0].has(sympy.Abs)]
    roots = {root for w in inner if (root := _root(w, v)) is not None}
    whole = bound.low is sympy.S.NegativeInfinity and bound.high is sympy.oo
    if whole and not roots:
        roots = {sympy.S.Zero}
    roots -= {bound.low, bound.high}
    fewest = 1 if whole else 0
    for chosen in chain(*(permutations(sorted(roots, key=str), k) for k in range(fewest, len(roots) + 1))):
        cuts = [cut.xreplace({s: sympy.Symbol(s.name) for s in cut.free_symbols}) for cut in chosen]
        parts = [_part(problem, part, prove) for part in parts_of(problem, bound, cuts)]
        if None not in parts:
            return {"by": "pieces", "cuts": [row_of(cut) for cut in cuts], "parts": parts}
    return None


def _root(w: sympy.Expr, v: sympy.Symbol) -> sympy.Expr | None:
    """Where a linear function, or a difference of exponentials of linear or quadratic ones, is 0."""
    if len(parts := sympy.Add.make_args(w)) == 2 and w.has(sympy.exp):
        first, second = (sympy.expand_log(sympy.log(_renamed(part)), force=True) for part in (parts[0], -parts[1]))
        gap = first - second
        w = sympy.expand(gap.xreplace({s: t for t in w.free_symbols for s in gap.free_symbols if s.name == t.name}))
    slope = sympy.diff(w, v)
    return None if slope == 0 or slope.has(v) else sympy.expand(-(w - slope * v) / slope)


def _part(problem: Problem, part: Part, prove: Prove) -> Document | None:
    """Certificates that a part does not run backwards, and of the signs in it."""
    ends = prove(part.ends) if part.ends is not None else None
    if part.ends is not None and ends is None:
        return None
    signs = []
    for node in part.absolute_values:
        tried = ((side, prove(part.sign(problem, node, side))) for side in (1, -1))
        signs.append(next(([side, proof] for side, proof in tried if proof is not None), None))
    return None if None in signs else {"ends": ends, "signs": signs}


def _antiderivative(problem: Problem, bound: SumOrIntegral) -> Iterator[Document]:
    v = sympy.Symbol(bound.name, positive=True)
    term = meant(problem, bound.term)
    own = _elementary(term, v)
    if own is None:
        need(not mixtures_in(term, v), "a power of a sum, at which sympy works for minutes")
        own = sympy.integrate(term, v)
        row_of(own)  # what no document can say has no use, and a limit of what is still an integral may take forever
        if bound.high is sympy.oo:
            own = own - sympy.limit(own, v, sympy.oo)
        own = sympy.expand(own)
    row = row_of(own)
    expression = expression_of(row, (*problem.box, bound.name))

    def read(reader: TowerReader) -> None:
        reader.read(expression)
        reader.read(bound.term)

    for low, high in _ranges_of(bound):
        places = _places(problem, bound, (low, high), read)
        if places is None:
            continue
        found = {"by": "antiderivative", "of": row, "range": ["-oo" if low is None else str(low), "oo" if high is None else str(high)]}
        if (low, high) not in _RANGES[:2]:
            yield from (
                {**found, "places": places, "order": 1, "closed": ends} for ends in _closures(problem, bound, expression, low, high)
            )
        for order in (1, 2, 3):
            yield {**found, "places": places, "order": order}


def _elementary(term: sympy.Expr, v: sympy.Symbol) -> sympy.Expr | None:
    """An antiderivative by the rules for products, of each part by itself where factors have powers with variables in their exponents."""
    split = [part.as_independent(v, as_Add=False) for part in sympy.Add.make_args(term)]
    if not any(p.exp.free_symbols for fixed, _ in split for p in fixed.atoms(sympy.Pow)):
        split = [term.as_independent(v, as_Add=False)]
    found = []
    for fixed, moving in split:
        own = exponential_antiderivative(moving, v)
        own = power_antiderivative(moving, v) if own is None else own
        found.append(None if own is None else fixed * own)
    return None if None in found else sympy.Add(*found)


def _closures(problem: Problem, bound: SumOrIntegral, own: sympy.Expr, *ends: Fraction | None) -> Iterator[list[list[Document] | None]]:
    """Towers of the antiderivative at both ends of the range, or at one of them, for the open box and the faces."""
    low, high = (None if end is None else _at_end(problem, bound, own, end) for end in ends)
    if low is not None and high is not None:
        yield [low, high]
    if low is not None:
        yield [low, None]
    if high is not None:
        yield [None, high]


def _at_end(problem: Problem, bound: SumOrIntegral, own: sympy.Expr, end: Fraction) -> list[Document] | None:
    """Towers in which the antiderivative is defined at an end of the range."""
    found = []
    for fixed in problem.faces():
        reader = reader_at(problem.with_fixed(fixed), bound, end)
        try:
            reader.read(own)
            document = definition(reader.tower)
        except _REFUSED:
            return None
        if document is None:
            return None
        found.append(document)
    return found


def _ranges_of(bound: SumOrIntegral) -> Iterator[Range]:
    """Ranges that may hold both ends, those that end where the integral does last."""
    yield from (ends for ends in _RANGES if bound.high is not sympy.oo or ends[1] is None)
    low = Fraction(int(bound.low.p), int(bound.low.q)) if bound.low.is_Rational else None
    high = Fraction(int(bound.high.p), int(bound.high.q)) if bound.high.is_Rational else None
    yield from (ends for ends in ((low, None), (None, high), (low, high)) if ends not in _RANGES)


def _telescope(bound: SumOrIntegral) -> Document | None:
    """Terms that are the differences of an expression, by Gosper's method."""
    k = sympy.Symbol(bound.name, positive=True)
    term = _renamed(bound.term)
    powers: dict[Any, Any] = {}
    for e in term.atoms(sympy.exp):
        slope = sympy.diff(e.args[0], k)
        if slope != 0 and not slope.has(k):
            base = powers.setdefault(slope, sympy.Symbol(f"base_{len(powers)}", positive=True))
            term = term.xreplace({e: sympy.exp(sympy.expand(e.args[0] - slope * k)) * base**k})
    fixed = {e: sympy.Symbol(f"fixed_{i}", positive=True) for i, e in enumerate(sorted(term.atoms(sympy.exp), key=str)) if not e.has(k)}
    share = gosper_term(term.xreplace(fixed), k)
    if share is None:
        return None
    back = {base: sympy.exp(slope) for slope, base in powers.items()}
    share = share.subs({**back, **{symbol: e for e, symbol in fixed.items()}})
    return {"by": "telescope", "of": row_of(_renamed(bound.term) * sympy.factor(share))}


def _binomial(bound: SumOrIntegral) -> Document | None:
    """A binomial coefficient times the terms of a geometric series."""
    factors = list(sympy.Mul.make_args(bound.term))
    counts = [e for e in factors if isinstance(e, sympy.binomial)]
    others = [e for e in factors if e not in counts]
    found = geometric(sympy.Mul(*others), sympy.Symbol(bound.name, positive=True)) if len(counts) == 1 else None
    return None if found is None else {"by": "binomial", "first": found[0], "ratio": found[1]}


def geometric(term: sympy.Expr, k: sympy.Symbol) -> tuple[Any, Any] | None:
    """The rows of a and r of a term a·r^k."""
    logs = sympy.expand(sympy.expand_log(sympy.log(_renamed(term)), force=True))
    slope, start = logs.coeff(k, 1), logs.coeff(k, 0)
    if slope.has(k) or sympy.expand(logs - slope * k - start) != 0:
        return None
    return row_of(sympy.powsimp(sympy.exp(start))), row_of(sympy.powsimp(sympy.exp(slope)))


def definition(tower: Tower) -> Document | None:
    """That everything in a free tower is defined."""
    try:
        canonical = Canonical(tower)
        parts = [part for divisor in tower.divisors for part in canonical.through((divisor, ONE))]
        signed = all(canonical.tower.sign(f) for part in parts for f, _ in factored(canonical.tower.reduced(part))[1])
    except (NoForm, DescentRefused):
        return None
    made = canonical.tower, dict(enumerate(canonical.images))
    return {"tower": canonical.proofs, "images": canonical.hints, "made": made} if signed else None
