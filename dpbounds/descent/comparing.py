"""Untrusted: simpler sums and integrals to compare with, for the checker of `compared`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import sympy

from dpbounds.descent.compared import problem_of_ends, problem_of_monotone, problem_of_terms
from dpbounds.descent.problem import Problem
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.sums import SumOrIntegral, at_end, bound_of, nodes_of
from dpbounds.descent.written import expression_of, row_of

Document = dict[str, Any]
Prove = Callable[[Problem], Document | None]


def comparisons_of(problem: Problem, prove: Prove, integers: frozenset[str] = frozenset()) -> Iterator[list[Document | None]]:
    """Rows for the first sum or integral that can be compared, one way after another.

    Args:
        problem: the inequality.
        prove: searches a certificate of a condition.
        integers: its integer variables.
    """
    nodes = nodes_of(problem)
    for i, node in enumerate(nodes):
        try:
            bound = bound_of(problem, node)
        except DescentRefused:
            continue
        sides = [1] * problem.small.has(node) + [-1] * problem.large.has(node)
        for side in sides:
            for row in _rows(problem, bound, nodes, side, prove, integers):
                yield [row if j == i else None for j in range(len(nodes))]


def _rows(
    problem: Problem, bound: SumOrIntegral, nodes: list[sympy.Basic], side: int, prove: Prove, integers: frozenset[str]
) -> Iterator[Document]:
    others = _others(problem, bound, nodes, side)
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


def _others(problem: Problem, bound: SumOrIntegral, nodes: list[sympy.Basic], side: int) -> Iterator[Any]:
    """Terms to compare with: those of another sum or integral with the same ends, 0, and the terms at both ends, whole or in a factor."""
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
    yield from _in_a_factor(problem, bound, ends)


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
