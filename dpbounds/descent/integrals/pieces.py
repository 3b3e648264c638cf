"""Integrals over the whole line and integrals of absolute values, as integrals of smooth functions over parts of the line.

∫_a^b f = Σ ∫_{c_i}^{c_{i+1}} f for a = c_0 ≤ c_1 ≤ … ≤ c_m = b, where a may be −∞ and b may be ∞: the integral over the whole line means
the sum of those over two half-lines. On each part |w| is w, or −w, where a certificate shows that w ≥ 0, or w ≤ 0, on the whole part, and
the part from −∞ to c is ∫_0^∞ f(c − v) dv. That each part has a value is shown by the rule that gives its closed form; nothing else reads
it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import sympy

from dpbounds.descent.integrals.sums import SumOrIntegral
from dpbounds.descent.interval import Interval
from dpbounds.descent.problem import Problem
from dpbounds.descent.refusal import need
from dpbounds.descent.written import expression_of
from dpbounds.language.functions import unevaluated, with_replaced

_MOST_PARTS = 8


@dataclass(frozen=True)
class Part:
    """An integral over a part of the line that does not begin at −∞.

    Attributes:
        bound: the integral, its variable and its ends.
        term: what is integrated there.
        ends: that the part does not run backwards; None where it ends at ∞.
    """

    bound: SumOrIntegral
    term: sympy.Expr
    ends: Problem | None

    @property
    def absolute_values(self) -> list[sympy.Abs]:
        """The absolute values that speak of the variable, those with others of them inside left out."""
        found = {node for node in self.term.atoms(sympy.Abs) if any(s.name == self.bound.name for s in node.free_symbols)}
        return sorted((node for node in found if not found & node.args[0].atoms(sympy.Abs)), key=str)

    def sign(self, problem: Problem, node: sympy.Abs, side: int) -> Problem:
        """That side·w ≥ 0 on the whole part, of |w|."""
        w = node.args[0]
        large, small = (w, sympy.S.Zero) if side == 1 else (sympy.S.Zero, w)
        return _of_terms(problem, self.bound, large, small)


def parts_of(problem: Problem, bound: SumOrIntegral, cuts: list[sympy.Expr]) -> list[Part]:
    """The parts of an integral between its ends and the cuts; what its variable assumed is forgotten, for it runs elsewhere now."""
    need(isinstance(bound.node, sympy.Integral) and len(cuts) < _MOST_PARTS, "no integral, or too many parts")
    found, own = [], bound.node.args[1][0]
    v = sympy.Symbol(bound.name)
    for low, high in pairwise([bound.low, *cuts, bound.high]):
        from_below = low is sympy.S.NegativeInfinity
        need(not from_below or high is not sympy.oo, "an integral over the whole line in one part")
        place = sympy.Add(high, sympy.Mul(-1, v, evaluate=False), evaluate=False) if from_below else v
        part = SumOrIntegral(bound.node, bound.name, *((sympy.S.Zero, sympy.oo) if from_below else (low, high)))
        found.append(Part(part, with_replaced(bound.term, {own: place}), _of_ends(problem, part)))
    return found


def pieces(problem: Problem, bound: SumOrIntegral, row: Mapping[str, Any], integers: frozenset[str]) -> sympy.Expr:
    """∫_a^b f = Σ ∫_{c_i}^{c_{i+1}} f, with w or −w for |w|."""
    parts = parts_of(problem, bound, [expression_of(cut, problem.box) for cut in row["cuts"]])
    areas = []
    for part, own in zip(parts, row["parts"], strict=True):
        nodes = part.absolute_values
        values = {}
        for node, (side, _) in zip(nodes, own["signs"], strict=True):
            values[node] = sympy.Mul(side, node.args[0], evaluate=False) if side == -1 else node.args[0]
        areas.append(
            unevaluated(sympy.Integral, with_replaced(part.term, values), (sympy.Symbol(bound.name), part.bound.low, part.bound.high))
        )
    return sympy.Add(*areas, evaluate=False)


def _of_terms(problem: Problem, bound: SumOrIntegral, large: sympy.Expr, small: sympy.Expr) -> Problem:
    """small ≤ large for all real values of the variable between the ends, these included."""
    box, premises = {**problem.box, bound.name: Interval()}, list(problem.premises)
    t, low, high = sympy.Symbol(bound.name), bound.low, bound.high
    need(not _speaks(problem, bound.name), "a premise that speaks of the variable of a sum or an integral")
    if low.is_Rational:
        box[bound.name] = replace(box[bound.name], low=Fraction(int(low.p), int(low.q)), low_closed=True)
    else:
        premises.append((t, low, False))
    if high.is_Rational:
        box[bound.name] = replace(box[bound.name], high=Fraction(int(high.p), int(high.q)), high_closed=True)
    elif high is not sympy.oo:
        premises.append((high, t, False))
    return Problem(large, small, False, box, tuple(premises), problem.meanings)


def _of_ends(problem: Problem, bound: SumOrIntegral) -> Problem | None:
    """a ≤ b; None for b = ∞."""
    if bound.high is sympy.oo:
        return None
    return Problem(bound.high, bound.low, False, problem.box, problem.premises, problem.meanings)


def _speaks(problem: Problem, name: str) -> bool:
    """Whether a premise or a meaning speaks of a name, which then has another meaning there."""
    sides = [side for large, small, _ in problem.premises for side in (large, small)]
    return any(s.name == name for side in (*sides, *problem.meanings.values()) for s in side.free_symbols)
