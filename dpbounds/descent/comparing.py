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


def comparisons_of(problem: Problem, prove: Prove) -> Iterator[list[Document | None]]:
    """Rows for the first sum or integral that can be compared, one way after another.

    Args:
        problem: the inequality.
        prove: searches a certificate of a condition.
    """
    nodes = nodes_of(problem)
    for i, node in enumerate(nodes):
        try:
            bound = bound_of(problem, node)
        except DescentRefused:
            continue
        sides = [1] * problem.small.has(node) + [-1] * problem.large.has(node)
        for side in sides:
            for row in _rows(problem, bound, nodes, side, prove):
                yield [row if j == i else None for j in range(len(nodes))]


def _rows(problem: Problem, bound: SumOrIntegral, nodes: list[sympy.Basic], side: int, prove: Prove) -> Iterator[Document]:
    for of in _others(problem, bound, nodes, side):
        try:
            if (row := _terms(problem, bound, of, side, prove)) is not None:
                yield row
        except DescentRefused:
            continue
    if isinstance(bound.node, sympy.Sum):
        for way in (1, -1):
            try:
                if (row := _monotone(problem, bound, way, way == side, prove)) is not None:
                    yield row
                    return
            except DescentRefused:
                continue


def _others(problem: Problem, bound: SumOrIntegral, nodes: list[sympy.Basic], side: int) -> Iterator[Any]:
    """Terms to compare with: those of another sum or integral with the same ends, 0, and the terms at both ends."""
    for other in nodes:
        if other is not bound.node and type(other) is type(bound.node) and other.args[1][1:] == bound.node.args[1][1:]:
            yield row_of(other.args[0].xreplace({other.args[1][0]: sympy.Symbol(bound.name)}))
    if bound.high is sympy.oo:
        return
    of = row_of(bound.term)
    for end in (bound.low, bound.high):
        yield row_of(at_end(of, bound, end, problem))
    if side == -1:
        yield "0"


def _terms(problem: Problem, bound: SumOrIntegral, of: Any, side: int, prove: Prove) -> Document | None:
    g = expression_of(of, (*problem.box, bound.name))
    large, small = (g, bound.term) if side == 1 else (bound.term, g)
    row = {"by": "terms", "side": side, "of": of}
    return _with(
        row, prove, problem_of_ends(problem, bound, int(isinstance(bound.node, sympy.Sum))), problem_of_terms(problem, bound, large, small)
    )


def _monotone(problem: Problem, bound: SumOrIntegral, way: int, head: bool, prove: Prove) -> Document | None:
    row = {"by": "monotone", "side": way, "head": head}
    return _with(row, prove, problem_of_ends(problem, bound, int(not head)), problem_of_monotone(problem, bound, way))


def _with(row: Document, prove: Prove, ends: Problem | None, condition: Problem) -> Document | None:
    """A row with certificates of its conditions."""
    proofs = [None if ends is None else prove(ends)]
    if ends is not None and proofs[0] is None:
        return None
    own = prove(condition)
    return None if own is None else {**row, "shown": [own, proofs[0]]}
