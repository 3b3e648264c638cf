"""Conditions about all terms of a sum or an integral, and about its ends."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import sympy

from dpbounds.descent.integrals.sums import SumOrIntegral, is_whole_multiple
from dpbounds.descent.interval import Interval
from dpbounds.descent.problem import Problem
from dpbounds.descent.refusal import need


def problem_of_terms(problem: Problem, bound: SumOrIntegral, large: sympy.Expr, small: sympy.Expr) -> Problem:
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


def problem_of_ends(problem: Problem, bound: SumOrIntegral, room: int) -> Problem | None:
    """a ≤ b + room; None for b = ∞."""
    if bound.high is sympy.oo:
        return None
    high = sympy.Add(bound.high, room, evaluate=False) if room else bound.high
    return Problem(high, bound.low, False, problem.box, problem.premises, problem.meanings)


def ends_at_integer(bound: SumOrIntegral, integers: frozenset[str]) -> bool:
    """Whether a sum begins at an integer and ends at one, or at infinity."""
    ends = [bound.low] if bound.high is sympy.oo else [bound.low, bound.high]
    return all(is_whole_multiple(part, integers) for end in ends for part in sympy.Add.make_args(end))


def _speaks(problem: Problem, name: str) -> bool:
    """Whether a premise or a meaning speaks of a name, which then has another meaning there."""
    sides = [side for large, small, _ in problem.premises for side in (large, small)]
    return any(s.name == name for side in (*sides, *problem.meanings.values()) for s in side.free_symbols)
