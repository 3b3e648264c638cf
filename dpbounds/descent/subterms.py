"""A part of a statement by a name of its own: what holds for every number of a range holds for the part, whose values lie there.

A is a side of a premise; it is written t wherever it stands, in the statement and in all premises. At each point of the domain A has a
value that is at least `low`, which is shown, so the point and t = A form a point of the new domain, and there the new statement is the
old one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import sympy

from dpbounds.descent.interval import Interval, end_of
from dpbounds.descent.problem import Problem
from dpbounds.descent.refusal import need
from dpbounds.language import functions

_NAME = "subterm"


def least_value(problem: Problem, part: sympy.Expr, row: Mapping[str, Any]) -> Problem:
    """That a part has a value everywhere, which is at least the low end of its range; A ≤ A where there is none."""
    low = end_of(row["low"])
    small = part if low is None else sympy.Rational(low)
    return replace(problem, large=part, small=small, strict=False)


def part_of(problem: Problem, row: Mapping[str, Any]) -> sympy.Expr:
    """The side of a premise that a row names: 0 for the larger one.

    Raises:
        Refused: there is no such side, or it is a variable or a number.
    """
    index, side = row["premise"], row["side"]
    need(type(index) is int and 0 <= index < len(problem.premises) and side in (0, 1), "no such premise")
    part = problem.premises[index][side]
    need(not part.is_Symbol and bool(part.free_symbols), "nothing to name")
    return part


def named(problem: Problem, row: Mapping[str, Any]) -> Problem:
    """The problem with a variable in the place of a part. What it speaks of must have no variables of its own, which A could meet.

    Raises:
        Refused: the part is not there, or the problem has been changed before.
    """
    need(type(problem) is Problem and not problem.meanings and not problem.nodes, "a part of what has been changed")
    part, t = part_of(problem, row), sympy.Symbol(_NAME)
    sides = [problem.large, problem.small, *(side for premise in problem.premises for side in premise[:2])]
    bound = {node for side in sides for node in side.atoms(sympy.Sum, sympy.Integral, functions.PrivacyQuantity)}
    need(all(isinstance(node, functions.NormalCDF) for node in bound), "a function with variables of its own")
    need(_NAME not in problem.box and all(s.name != _NAME for side in sides for s in side.free_symbols), "a name that is taken")

    def with_variable(side: sympy.Expr) -> Any:
        return functions.with_replaced(side, {part: t})

    low = end_of(row["low"])
    premises = tuple((with_variable(large), with_variable(small), strict) for large, small, strict in problem.premises)
    box = {**problem.box, _NAME: Interval(low, None, low is not None)}
    return replace(problem, large=with_variable(problem.large), small=with_variable(problem.small), box=box, premises=premises)
