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


def nodes_of(problem: Problem) -> list[sympy.Basic]:
    """The sums and integrals of a statement that nothing stands for yet, those inside of others left out."""
    return sorted(sums_in(problem, problem.large, problem.small), key=str)


def sums_in(problem: Problem, *expressions: sympy.Basic, itself: bool = False) -> set[sympy.Basic]:
    """The sums and integrals of expressions that nothing stands for; with `itself`, also those that something stands for."""
    seen: set[sympy.Basic] = set()
    found: set[sympy.Basic] = set()
    waiting = list(expressions)
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        is_sum = isinstance(node, (sympy.Sum, sympy.Integral))
        if is_sum and (itself or node not in problem.nodes):
            found.add(node)
        if node in problem.nodes:
            waiting.append(problem.nodes[node])
        elif not is_sum:
            waiting += node.args
    return found


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
    need(isinstance(node, sympy.Sum) or not v.is_integer, "an integral over integers")
    return SumOrIntegral(node, v.name, low, high)


def lies_inside(problem: Problem, end: sympy.Expr, ends: Range, closed: tuple[bool, bool] = (False, False)) -> bool:
    """Whether all values of an end lie in a range. Any end lies in the whole line; others are sums of multiples of variables.

    Such a sum may reach an open end of the range only where it never takes that value, because the range of one of its variables is open.
    """
    if ends == (None, None):
        return True
    parts = [_interval_of(problem, part) for part in sympy.Add.make_args(end)]
    lows, highs = [own.low for own in parts], [own.high for own in parts]
    low, high = ends
    if low is not None:
        if None in lows:
            return False
        least = sum(filter(None, lows), Fraction(0))
        if least < low or least == low and not closed[0] and all(own.low_closed for own in parts):
            return False
    if high is not None:
        if None in highs:
            return False
        most = sum(filter(None, highs), Fraction(0))
        if most > high or most == high and not closed[1] and all(own.high_closed for own in parts):
            return False
    return True


def _interval_of(problem: Problem, part: sympy.Expr) -> Interval:
    """The values of a number, or of a multiple of a variable."""
    factor, symbol = _multiple(problem, part)
    if symbol is None:
        return Interval(factor, factor, low_closed=True, high_closed=True)
    own = problem.box[symbol]
    low, high = (None if end is None else factor * end for end in (own.low, own.high))
    if factor > 0:
        return Interval(low, high, own.low_closed, own.high_closed)
    return Interval(high, low, own.high_closed, own.low_closed)


def _multiple(problem: Problem, part: sympy.Expr) -> tuple[Fraction, str | None]:
    """A number, or a number and the name of the variable that it is a multiple of."""
    number, rest = part.as_coeff_Mul()
    need(number.is_Rational and (rest == 1 or rest.is_Symbol and rest.name in problem.box), "an end that is no number and no variable")
    return Fraction(int(number.p), int(number.q)), None if rest == 1 else rest.name


def at_end(row: Any, bound: SumOrIntegral, end: sympy.Expr, problem: Problem) -> sympy.Expr:
    """The expression of a row at an end."""
    return expression_of(_renamed(row, bound.name, row_of(end)), problem.box)


def at_any_end(row: Any, bound: SumOrIntegral, end: sympy.Expr, problem: Problem) -> sympy.Expr:
    """The expression of a row at an end, of any form; it speaks of the end even where the row does not, for the end must have a value."""
    value = at_end(row, bound, end, problem)
    there = sympy.Mul(sympy.S.Zero, expression_of(row_of(end), problem.box), evaluate=False)
    return value if end.is_Rational else sympy.Add(value, there, evaluate=False)


def _renamed(row: Any, name: str, other: Any) -> Any:
    if isinstance(row, list):
        return [part if i == 0 else _renamed(part, name, other) for i, part in enumerate(row)]
    return other if row == name else row
