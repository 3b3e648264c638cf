"""Untrusted: simpler sums and integrals to compare with, for the rules of `compared`."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import sympy

from dpbounds.descent.integrals.closed import check_closed
from dpbounds.descent.integrals.compared import problem_of_ends, problem_of_monotone, problem_of_terms
from dpbounds.descent.integrals.sums import SumOrIntegral, at_end, bound_of, is_coefficient, is_factorial, nodes_of, sums_in
from dpbounds.descent.problem import Problem
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.search.closing import geometric, geometric_of, meant, mixtures_in, telescopes
from dpbounds.descent.search.means import polynomials_of
from dpbounds.descent.written import expression_of, row_of
from dpbounds.language.functions import unevaluated

Document = dict[str, Any]
Prove = Callable[..., Document | None]
_TOTAL = sympy.Symbol("total_of_a_tail")


def comparisons_of(problem: Problem, prove: Prove, integers: frozenset[str] = frozenset()) -> Iterator[list[Document | None]]:
    """Rows for the first sum or integral that can be compared, one way after another.

    Args:
        problem: the inequality.
        prove: searches a certificate of a condition.
        integers: its integer variables.
    """
    nodes = nodes_of(problem)
    ways: list[tuple[int, Iterator[Document]]] = []
    for i, node in enumerate(nodes):
        try:
            bound = bound_of(problem, node)
        except DescentRefused:
            continue
        sides = [sign for sign, part in ((1, problem.small), (-1, problem.large)) if node in sums_in(problem, part)]
        ways += [(i, _rows(problem, bound, nodes, side, prove, integers)) for side in sides]
    tried = []
    if len(ways) == len(nodes) > 1 and all(isinstance(node, sympy.Sum) and node.limits[-1][2] is sympy.oo for node in nodes):
        tried = [next(rows, None) for _, rows in ways]  # series: all of them at once first
        yield tried
    for i, rows in ways:
        for row in itertools.chain(filter(None, tried[i : i + 1]), rows):
            yield [row if j == i else None for j in range(len(nodes))]


def counted_comparisons_of(problem: Problem, prove: Prove, integers: frozenset[str]) -> Iterator[list[Document | None]]:
    """Rows for the first sum of the smaller side with binomial coefficients or reciprocal factorials, one way after another."""
    nodes = nodes_of(problem)
    for i, node in enumerate(nodes):
        if not problem.small.has(node) or not node.args[0].has(sympy.binomial, sympy.factorial):
            continue
        try:
            bound = bound_of(problem, node)
        except DescentRefused:
            continue
        above = {"above": True} if problem.small == node and not problem.nodes and not sums_in(problem, problem.large) else {}
        ways = (_by_moments(problem, bound, prove), _tilted(problem, bound, prove), _beside(problem, bound, prove, integers))
        for row in itertools.chain(*ways):
            yield [{**row, **above} if j == i else None for j in range(len(nodes))]


def _rows(
    problem: Problem, bound: SumOrIntegral, nodes: list[sympy.Basic], side: int, prove: Prove, integers: frozenset[str]
) -> Iterator[Document]:
    endless = side == -1 and isinstance(bound.node, sympy.Sum) and bound.high is sympy.oo  # no rule for such a bound from below
    others = iter(()) if endless else _others(problem, bound, nodes, side)
    while True:
        try:
            if (row := _terms(problem, bound, next(others), side, prove)) is not None:
                yield row
        except StopIteration:
            break
        except DescentRefused:
            continue
    if isinstance(bound.node, sympy.Sum):
        for way in (1, -1):
            try:
                if (row := _monotone(problem, bound, way, way == side, prove, integers)) is not None:
                    yield row
                    return
            except DescentRefused:
                continue


def telescoped(problem: Problem, prove: Prove, integers: frozenset[str]) -> Iterator[list[list[Document | None]]]:
    """Rows for a sum from m to infinity that is at most B(m): f(t) ≤ B(t) − B(t + 1), and then the telescope of these differences.

    So a bound of a tail by its first term times something is shown, for B says what is left from each term on.
    """
    nodes = nodes_of(problem)
    for i, node in enumerate(nodes):
        if not isinstance(node, sympy.Sum) or len(node.limits) > 1 or not problem.small.has(node) or problem.nodes or problem.meanings:
            continue
        bound = bound_of(problem, node)
        factor = sympy.diff(problem.small.subs(node, _TOTAL), _TOTAL)
        if bound.high is not sympy.oo or not bound.low.is_Symbol or factor == 0 or factor.has(_TOTAL):
            continue
        whole = (problem.large - problem.small.subs(node, 0)) / factor
        t, m = sympy.Symbol(bound.name), bound.low
        after = {s: t + 1 for s in whole.free_symbols if s.name == m.name}
        here, later = whole.subs(dict.fromkeys(after, t)), whole.subs(after)
        g = row_of(sympy.Add(here, sympy.Mul(-1, later, evaluate=False), evaluate=False))
        if (row := _terms(problem, bound, g, 1, prove)) is None:
            continue
        first: list[Document | None] = [row if j == i else None for j in range(len(nodes))]
        inner = check_closed(problem, first, integers)
        (own,) = [other for other in nodes_of(inner) if other not in nodes]
        for telescope in telescopes(inner, bound_of(inner, own), sympy.Mul(-1, here, evaluate=False), integers):
            yield [first, [telescope if other is own else None for other in nodes_of(inner)]]


def _beside(problem: Problem, bound: SumOrIntegral, prove: Prove, integers: frozenset[str]) -> Iterator[Document]:
    """One factor as it is at an end, or its chord, beside a binomial coefficient or a reciprocal factorial and the other factors."""
    if not isinstance(bound.node, sympy.Sum):
        return
    factors = list(sympy.Mul.make_args(bound.term))
    counts = [at for at, e in enumerate(factors) if is_coefficient(e, bound.name) or is_factorial(e, bound.name)]
    moving = [at for at, e in enumerate(factors) if at not in counts and any(s.name == bound.name for s in e.free_symbols)]
    ends = [end for end in (bound.high, bound.low) if end is not sympy.oo]
    options = []
    for at, end in itertools.product(moving if len(counts) == 1 else [], ends):
        try:
            of = row_of(at_end(row_of(factors[at]), bound, end, problem))
            whole = sympy.Mul(expression_of(of, problem.box), *(e for i, e in enumerate(factors) if i not in (at, *counts)))
            options.append((not _is_geometric(whole, bound), at, of))
        except DescentRefused:  # a factor without a value at the end
            continue
    chords = [(at, of) for at in moving if len(counts) == 1 and len(ends) == 2 and (of := _chord(problem, bound, factors[at]))]
    for at, of in [*chords, *((at, of) for _, at, of in sorted(options, key=lambda option: option[0]))]:
        row = _in_place(problem, bound, (at, of), partial(prove, along=True) if (at, of) in chords else prove, prove)
        if row is not None:
            yield row


def _by_moments(problem: Problem, bound: SumOrIntegral, prove: Prove) -> Iterator[Document]:
    """A polynomial in the place of a factor beside a law."""
    for way in polynomials_of(problem, bound) if isinstance(bound.node, sympy.Sum) else ():
        row = _in_place(problem, bound, way, prove, prove)
        if row is not None:
            yield row


def _in_place(problem: Problem, bound: SumOrIntegral, way: tuple[int, Any], prove: Prove, sign: Prove) -> Document | None:
    """A row that compares one factor, with the signs of the others."""
    factors, (at, of) = list(sympy.Mul.make_args(bound.term)), way
    try:
        row = _terms(problem, replace(bound, node=unevaluated(sympy.Sum, factors[at], bound.node.args[1])), of, 1, prove)
        if row is None:
            return None
        others = [(i, e) for i, e in enumerate(factors) if i != at]
        counted = [i for i, e in others if is_coefficient(e, bound.name) or is_factorial(e, bound.name)]
        signs = [[i, None if i in counted else sign(problem_of_terms(problem, bound, e, sympy.S.Zero))] for i, e in others]
    except DescentRefused:
        return None
    return {**row, "beside": signs} if all(proof is not None or i in counted for i, proof in signs) else None


def _chord(problem: Problem, bound: SumOrIntegral, factor: sympy.Expr) -> Any:
    """The line through the values of a factor at both ends: more than a convex factor between them. None of a power: its sum is known."""
    t, low, high = sympy.Symbol(bound.name), bound.low, bound.high
    if isinstance(factor, sympy.Pow) or factor.is_polynomial():
        return None
    try:
        first, last = (expression_of(row_of(at_end(row_of(factor), bound, end, problem)), problem.box) for end in (low, high))
        a, b = (expression_of(row_of(end), problem.box) for end in (low, high))
        share = (t - a) / (b - a)
        return row_of(first * (1 - share) + last * share)
    except DescentRefused:  # a factor without a value at an end
        return None


def _is_geometric(term: sympy.Expr, bound: SumOrIntegral) -> bool:
    """Whether terms seem to have one ratio, so that the sum beside a coefficient has a closed form."""
    try:
        return geometric(term, sympy.Symbol(bound.name, positive=True)) is not None
    except (DescentRefused, ValueError, TypeError, AttributeError):
        return False


def _tilted(problem: Problem, bound: SumOrIntegral, prove: Prove) -> Iterator[Document]:
    """Parts of a row of binomial coefficients or of an exponential series, by Chernoff's bound."""
    factors = list(sympy.Mul.make_args(bound.term))
    kinds = [e for e in factors if is_coefficient(e, bound.name) or is_factorial(e, bound.name)]
    others = [e for e in factors if e not in kinds] or [sympy.S.One]
    if len(kinds) != 1 or not isinstance(bound.node, sympy.Sum):
        return
    try:
        series = geometric_of(problem, bound, others)
        ends = prove(at) if (at := problem_of_ends(problem, bound, 1)) is not None else None
    except (DescentRefused, ValueError, TypeError, AttributeError):
        return
    if series is None or ends is None and at is not None:
        return
    first, ratio = (expression_of(series[key], problem.box) for key in ("first", "ratio"))

    def holds(large: sympy.Expr, small: sympy.Expr, strict: bool = False) -> Document | None:
        return prove(Problem(large, small, strict, problem.box, problem.premises, problem.meanings))

    signs = [holds(ratio, sympy.S.Zero), holds(first, sympy.S.Zero)]
    if None in signs:
        return
    for side, end in ((1, bound.low), (-1, bound.high)):
        if end is sympy.oo or end in (0, sympy.S.Zero) and bound.high.free_symbols:
            continue
        for x in _tilts(problem, kinds[0], ratio, end):
            try:
                of = row_of(x)
                x = expression_of(of, problem.box)
                own = [holds(x, sympy.S.One)] if side == 1 else [holds(sympy.S.One, x), holds(x, sympy.S.Zero, strict=True)]
            except DescentRefused:
                continue
            if None not in own:
                yield {"by": "tilted", "side": side, "of": of, **series, "shown": [*signs, *own, ends]}


def _tilts(problem: Problem, kind: sympy.Expr, ratio: sympy.Expr, end: sympy.Expr) -> Iterator[sympy.Expr]:
    """Bases of powers in the statement, e^w where it has e^{−w·end}, the best x for an end and rougher ones, and 1."""
    powers = {e for side in (problem.large, problem.small) for e in side.atoms(sympy.Pow) if e.exp.free_symbols and e.base.is_Symbol}
    yield from sorted({e.base for e in powers if e.base.name in problem.box}, key=str)
    end = expression_of(row_of(end), problem.box)
    if end.is_Symbol:
        exponents = [sympy.expand(meant(problem, e.args[0])) for e in problem.large.atoms(sympy.exp)]
        slopes = {-part.coeff(s) for part in exponents for s in part.free_symbols if s.name == end.name}
        yield from (sympy.exp(w) for w in sorted(slopes, key=str) if w != 0 and not any(s.name == end.name for s in w.free_symbols))
    mean = end / ratio  # each factor stays as it is, with its sign: a logarithm is taken of each
    if isinstance(kind, sympy.binomial):
        n = expression_of(row_of(kind.args[0]), problem.box)
        yield from (mean / part for part in (n - end, n) if part != 0)
        total = sympy.cancel(1 + ratio)
        if total != 1 + ratio:  # the masses of a binomial law, with r = q/(1 − q)
            yield sympy.factor(mean * total / n)
    else:
        yield mean
    yield sympy.S.One


def _others(problem: Problem, bound: SumOrIntegral, nodes: list[sympy.Basic], side: int) -> Iterator[Any]:
    """Terms to compare with: those of another sum or integral with the same ends, 0, and the terms at both ends, whole or in a factor."""
    yield from _of_mixtures(problem, bound)
    for other in nodes:
        if other is not bound.node and type(other) is type(bound.node) and other.args[1][1:] == bound.node.args[1][1:]:
            yield row_of(other.args[0].xreplace({other.args[1][0]: sympy.Symbol(bound.name)}))
    of = row_of(bound.term)
    ends = [end for end in (bound.low, bound.high) if end is not sympy.oo]
    if len(ends) == 2:
        for end in ends:
            yield row_of(at_end(of, bound, end, problem))
    if side == -1:
        yield "0"
    if side == 1 and bound.high is sympy.oo and bound.low.is_number:
        yield from _with_tangents(problem, bound)
    yield from _in_a_factor(problem, bound, ends)


def _of_mixtures(problem: Problem, bound: SumOrIntegral) -> Iterator[Any]:
    """In the place of (aX + bY)^e, beside other factors: aX^e + bY^e, where a + b = 1, by convexity; and X^e(1 + ex + (e − 1)x²), where
    aX + bY = X(1 + x), which is more for 1 ≤ e ≤ 2."""
    t = sympy.Symbol(bound.name, positive=True)
    term = meant(problem, bound.term)
    factors = list(sympy.Mul.make_args(term))
    for power in (p for p in mixtures_in(term, t) if p in factors):
        rest = sympy.Mul(*(factor for factor in factors if factor != power))
        split = [part.as_independent(t, as_Add=False) for part in power.base.args]
        total = sympy.expand(sympy.Add(*(weight for weight, _ in split)))
        if len(split) != 2 or total == 0:
            continue
        split = [(sympy.cancel(weight / total), total * x) for weight, x in split]
        e = power.exp
        yield from _by_powers(meant(problem, problem.large), split, e, rest, t)
        yield row_of(sympy.Add(*(a * _exponential(x**e * rest, t) for a, x in split)))
        for (_, x), (b, y) in itertools.permutations(split):
            whole, ratio = _exponential(x**e * rest, t), _exponential(y / x, t)
            # aX + bY = X·(1 + b·(ratio − 1)), where a + b = 1
            parts = (1 - e * b + (e - 1) * b**2, e * b - 2 * (e - 1) * b**2, (e - 1) * b**2)
            yield row_of(sympy.Add(*(sympy.factor(c) * _exponential(whole * ratio**k, t) for k, c in enumerate(parts))))


def _by_powers(large: sympy.Expr, split: Any, e: sympy.Expr, rest: sympy.Expr, t: sympy.Symbol) -> Iterator[Any]:
    """In the place of (aX + bY)^e, where the larger side has a power of T, or of c.

    For T = a + b·N: T^{e−1}·(aX^e + bN^{1−e}·Y^e), by convexity at a/T and bN/T: Minkowski's inequality for N^e = E[Y^e] and X = 1.
    For c^{e−1}, with aX + bY = X·S and 1 ≤ e ≤ 2: X^e·((2 − e)·c^{e−1}·S + (e − 1)·c^{e−2}·S²): Hölder's for c = E[S²] and E[S] = 1.
    """
    powers = sorted((p for p in large.atoms(sympy.Pow, sympy.exp) if isinstance(p.base, sympy.Add) and not p.has(t)), key=str)
    for (a, x), (b, y) in itertools.permutations(split):
        for top in (p.base for p in powers if sympy.expand(p.exp - e) == 0):
            scale = sympy.cancel(sympy.factor(sympy.expand(top - a)) / b)
            if any(isinstance(part, sympy.Add) for part in sympy.fraction(scale)):
                continue
            yield row_of(top ** (e - 1) * (a * _exponential(x**e * rest, t) + b * _exponential(scale ** (1 - e) * y**e * rest, t)))
        for c in (p.base for p in powers if sympy.expand(p.exp - e + 1) == 0):
            whole, ratio = _exponential(x**e * rest, t), _exponential(y / x, t)
            if whole.has(*e.free_symbols):
                continue
            mixture = a + b * ratio
            yield row_of(c ** (e - 2) * whole * mixture * ((2 - e) * c + (e - 1) * mixture))


def _exponential(e: sympy.Expr, t: sympy.Symbol) -> sympy.Expr:
    """A product of powers and exponentials as a number times e^w, where w alone speaks of t."""
    logs = sympy.expand(sympy.expand_log(sympy.log(e), force=True))
    fixed, moving = logs.as_independent(t, as_Add=True)
    return sympy.powsimp(sympy.exp(fixed)) * sympy.exp(moving)


def _with_tangents(problem: Problem, bound: SumOrIntegral) -> Iterator[Any]:
    """The terms with the tangents of quadratic exponents at the first index in their place: the terms of a geometric series."""
    t, a, term = sympy.Symbol(bound.name, positive=True), bound.low, meant(problem, bound.term)
    tangents = {}
    for e in term.atoms(sympy.exp):
        if (w := e.args[0]).is_polynomial(t) and sympy.degree(w, t) == 2:
            slope = sympy.diff(w, t)
            at = a if slope.subs(t, a) != 0 else a + 1
            tangents[e] = sympy.exp(sympy.expand(w.subs(t, at) + slope.subs(t, at) * (t - at)))
    if tangents:
        yield row_of(term.xreplace(tangents))


def _in_a_factor(problem: Problem, bound: SumOrIntegral, ends: list[sympy.Expr]) -> Iterator[Any]:
    """Terms with one factor as it is at an end, and terms times t/a or a/t for an end a > 0: the ways to a bound with a closed form."""
    t = sympy.Symbol(bound.name)
    factors: list[sympy.Expr] = []
    for factor in sympy.Mul.make_args(bound.term):
        exponents = sympy.Add.make_args(factor.args[0]) if isinstance(factor, sympy.exp) else ()
        factors += [sympy.exp(part) for part in exponents] if len(exponents) > 1 else [factor]
    moving = [i for i, factor in enumerate(factors) if any(s.name == bound.name for s in factor.free_symbols)]
    for end in ends:
        if len(moving) > 1:
            for i in moving:
                try:
                    fixed = at_end(row_of(factors[i]), bound, end, problem)
                    row = row_of(sympy.Mul(*factors[:i], fixed, *factors[i + 1 :]))
                except DescentRefused:  # a factor without a value at the end
                    continue
                yield row
        if end.is_Symbol or end.is_positive:
            for power in (1, -1):
                yield row_of(sympy.Mul(bound.term, (t / sympy.Symbol(end.name) if end.is_Symbol else t / end) ** power))


def _terms(problem: Problem, bound: SumOrIntegral, of: Any, side: int, prove: Prove) -> Document | None:
    g = expression_of(of, (*problem.box, bound.name))
    large, small = (g, bound.term) if side == 1 else (bound.term, g)
    row: Document = {"by": "terms", "side": side, "of": of}
    if bound.high is sympy.oo:
        if (positive := prove(problem_of_terms(problem, bound, bound.term, sympy.S.Zero))) is None:
            return None
        row["positive"] = positive
    return _with(
        row, prove, problem_of_ends(problem, bound, int(isinstance(bound.node, sympy.Sum))), problem_of_terms(problem, bound, large, small)
    )


def _monotone(problem: Problem, bound: SumOrIntegral, way: int, head: bool, prove: Prove, integers: frozenset[str]) -> Document | None:
    row = {"by": "monotone", "side": way, "head": head}
    return _with(row, prove, problem_of_ends(problem, bound, int(not head)), problem_of_monotone(problem, bound, way, integers))


def _with(row: Document, prove: Prove, ends: Problem | None, condition: Problem) -> Document | None:
    """A row with certificates of its conditions."""
    proofs = [None if ends is None else prove(ends)]
    if ends is not None and proofs[0] is None:
        return None
    own = prove(condition)
    return None if own is None else {**row, "shown": [own, proofs[0]]}
