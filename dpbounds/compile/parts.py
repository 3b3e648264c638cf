"""Statements in parts: the inside of a range and its closed ends, the first integers and all that follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dpbounds.compile.closed_values import ClosedValues
from dpbounds.compile.steps import Steps
from dpbounds.descent.induction import from_values
from dpbounds.descent.parts import parts_at_ends
from dpbounds.descent.problem import Problem
from dpbounds.kernel.terms import ONE, Term, at_most, below, number

Under = Callable[[Problem, Mapping[str, Any], list[int]], int]
"""small ≤ large of a problem, by its certificate and under further hypotheses, which stay."""


def at_ends(
    steps: Steps, closed: ClosedValues, names: Mapping[str, Term], under: Under, problem: Problem, document: Mapping[str, Any]
) -> int:
    """small ≤ large inside of the range of a variable, and at each of its closed ends.

    Args:
        steps: of the document.
        closed: its integrals; those that exist in both cases exist.
        names: the variables of the claim as terms.
        under: writes a part.
        problem: the statement.
        document: its certificate.
    """
    v, own = names[document["ends"]], problem.box[document["ends"]]
    ends = [(number(e), low) for e, low in ((own.low if own.low_closed else None, True), (own.high if own.high_closed else None, False))
            if e is not None]  # fmt: skip
    inside, *others = parts_at_ends(problem, document["ends"])
    first, *rows = document["parts"]
    exist = len(closed.integrals)
    step = under(inside, first, [steps.assume(below(e, v) if low else below(v, e)) for e, low in ends])
    for (e, low), part, row in zip(ends, others, rows, strict=True):
        orders = [steps.assume(at_most(v, e)), steps.assume(at_most(e, v))]
        there = under(part, row, [steps.write("antisymmetric", *orders), *orders])
        left, right = (v, e) if low else (e, v)
        split = steps.write("total_order", left=left, right=right)
        step = steps.write("cases", split, there, step)
        closed.join(exist, split)
    return step


def at_values(steps: Steps, names: Mapping[str, Term], under: Under, problem: Problem, document: Mapping[str, Any]) -> int:
    """small ≤ large for the first integers one by one, and for all that follow.

    Args:
        steps: of the document.
        names: the variables of the claim as terms.
        under: writes a part.
        problem: the statement.
        document: its certificate.
    """
    n, least = names[document["in"]], problem.box[document["in"]].low
    *values, rest = from_values(problem, document["in"], len(document["values"]) - 1)
    *rows, last = document["values"]
    assert least is not None
    step = under(rest, last, [steps.assume(at_most(number(least + len(values)), n))])
    for k in range(len(values) - 1, -1, -1):
        edge = number(least + k)
        lower, split = steps.assume(at_most(edge, n)), steps.write("total_order", left=number(least + k + 1), right=n)
        next_ = steps.write("next_integer", steps.assume(steps.formula(split).parts[1]))
        upper = steps.write("linear", next_, formula=at_most(n, edge), multipliers=[ONE])
        at = under(values[k], rows[k], [steps.write("antisymmetric", upper, lower), upper, lower])
        step = steps.write("cases", split, step, steps.write("cut", at, upper))
    return step
