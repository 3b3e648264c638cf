"""The sums and integrals of a statement, with their variable and their ends."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.descent.interval import Interval
from dpbounds.descent.problem import Problem
from dpbounds.descent.refusal import need
from dpbounds.descent.tower import Range
from dpbounds.descent.written import expression_of, row_of

Closed = tuple[sympy.Expr, dict[str, Interval]]
"""The closed form, and the ranges of new variables in it."""


def nodes_of(problem: Problem) -> list[sympy.Basic]:
    """The sums and integrals of a statement that nothing stands for yet, those inside of others left out."""
    found: set[sympy.Basic] = set()
    waiting = [problem.large, problem.small]
    while waiting:
        node = waiting.pop()
        if node in problem.nodes:
            waiting.append(problem.nodes[node])
        elif isinstance(node, (sympy.Sum, sympy.Integral)):
            found.add(node)
        else:
            waiting += node.args
    return sorted(found, key=str)


@dataclass(frozen=True)
class SumOrIntegral:
    """A sum or an integral over one variable.

    Attributes:
        node: the sum or the integral.
        name: its variable.
        low, high: its ends.
    """

    node: sympy.Basic
    name: str
    low: sympy.Expr
    high: sympy.Expr

    @property
    def term(self) -> sympy.Expr:
        """What is added up."""
        return self.node.args[0]

    @property
    def first(self) -> int:
        """The first index of a sum."""
        need(isinstance(self.node, sympy.Sum) and self.low.is_Integer, "a sum that does not begin at an integer")
        return int(self.low)


def bound_of(problem: Problem, node: sympy.Basic) -> SumOrIntegral:
    """The parts of a sum or an integral.

    Raises:
        Refused: it is one over several variables, or its variable has the name of another one.
    """
    need(len(node.args) == 2 and len(node.args[1]) == 3, "not one variable with two ends")
    v, low, high = node.args[1]
    need(v.name not in problem.box and v.name not in problem.meanings and " " not in v.name, "a variable with the name of another one")
    return SumOrIntegral(node, v.name, low, high)


def lies_inside(problem: Problem, end: sympy.Expr, ends: Range) -> bool:
    """Whether an end is a number, a variable or a sum of these, and all its values lie in an open range."""
    lows, highs = zip(*(_range_of(problem, part) for part in sympy.Add.make_args(end)), strict=True)
    least = None if None in lows else sum(lows, Fraction(0))
    most = None if None in highs else sum(highs, Fraction(0))
    low, high = ends
    return (low is None or least is not None and low < least) and (high is None or most is not None and most < high)


def _range_of(problem: Problem, part: sympy.Expr) -> Range:
    if part.is_Rational:
        value = Fraction(int(part.p), int(part.q))
        return value, value
    need(part.is_Symbol and part.name in problem.box, "an end that is no number and no variable")
    own = problem.box[part.name]
    return own.low, own.high


def at_end(row: Any, bound: SumOrIntegral, end: sympy.Expr, problem: Problem) -> sympy.Expr:
    """The expression of a row at an end, which is a number, a variable or a sum of these."""
    for part in sympy.Add.make_args(end):
        need(part.is_Rational or part.is_Symbol and part.name in problem.box, "an end that is no number and no variable")
    return expression_of(_renamed(row, bound.name, row_of(end)), problem.box)


def _renamed(row: Any, name: str, other: Any) -> Any:
    if isinstance(row, list):
        return [part if i == 0 else _renamed(part, name, other) for i, part in enumerate(row)]
    return other if row == name else row
