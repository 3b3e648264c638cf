"""An infimum that is at most a bound, by one point of its range where the function is; a supremum that is at least one likewise.

inf f ≤ c over a < t < b follows from f(w) ≤ c with a < w < b and from L ≤ f(t) for all t of the range, whatever L is. That f has a value
at every t of the range is another problem, which `claims.boxes.inequalities` states, and that t is a real variable.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.descent.interval import Interval
from dpbounds.descent.problem import Problem
from dpbounds.descent.refusal import need
from dpbounds.descent.written import expression_of
from dpbounds.language.functions import Extremum, Infimum, NormalCDF, PrivacyQuantity, Supremum, with_replaced


def extrema_of(problem: Problem) -> list[Extremum]:
    """inf f where it is the smaller side, and sup f where it is the larger one."""
    sides = ((problem.small, Infimum), (problem.large, Supremum))
    return [side for side, kind in sides if isinstance(side, kind)]


def over_range(problem: Problem, node: Extremum) -> Problem:
    """The problem for every t between the ends of an extremum."""
    t, *ends = node.args[1]
    need(t.name not in problem.box, "the variable of an extremum has the name of another one")
    low, high = (Fraction(int(end.p), int(end.q)) if end.is_Rational else None for end in ends)
    moving = [(t, ends[0], True), (ends[1], t, True)]
    premises = [part for part, end in zip(moving, ends, strict=True) if not end.is_Rational and not end.is_infinite]
    return replace(problem, box={**problem.box, t.name: Interval(low, high)}, premises=(*problem.premises, *premises))


def bounded(problem: Problem, row: Any) -> Problem:
    """L ≤ f(t) all over the range of an infimum that is the smaller side; f(t) ≤ L for a supremum that is the larger one.

    Args:
        problem: the problem.
        row: L, in the variables of the problem.
    """
    node, bound = extrema_of(problem)[0], expression_of(row, problem.box)
    large, small = (node.args[0], bound) if node is problem.small else (bound, node.args[0])
    return over_range(replace(problem, large=large, small=small, strict=False), node)


def parts_of(problem: Problem, row: Any) -> list[Problem]:
    """That a point lies inside of the range, and the problem with the value there.

    Args:
        problem: the problem.
        row: the point, in the variables of the problem.

    Raises:
        Refused: there is no such extremum, or f has variables of its own.
    """
    need(type(problem) is Problem and extrema_of(problem), "no extremum to find a point for")
    node = extrema_of(problem)[0]
    f, (t, low, high) = node.args
    larger = f.atoms(sympy.Sum, sympy.Integral, PrivacyQuantity)
    need(all(isinstance(part, NormalCDF) for part in larger), "a function with variables of its own")
    point = expression_of(row, problem.box)
    ends = [(point, low)] * (low is not sympy.S.NegativeInfinity) + [(high, point)] * (high is not sympy.oo)
    inside = [replace(problem, large=above, small=below, strict=True) for above, below in ends]
    side, at_point = "small" if node is problem.small else "large", with_replaced(f, {t: point})
    return [*inside, replace(problem, **{side: with_replaced(at_point, plain_bases(at_point))})]


def plain_bases(e: sympy.Expr) -> dict[sympy.Expr, sympy.Expr]:
    """The rational functions under logarithms and powers with variables in their exponents, as one fraction each."""
    bases = {part.args[0] for part in e.atoms(sympy.Pow, sympy.log) if isinstance(part, sympy.log) or part.args[1].free_symbols}
    plain = {base: sympy.cancel(base) for base in bases if base.is_rational_function()}
    return {base: fraction for base, fraction in plain.items() if fraction != base}
