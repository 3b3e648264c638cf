"""A problem inside of the range of a variable and at its closed ends."""

from __future__ import annotations

from dataclasses import replace

from dpbounds.descent.interval import Interval
from dpbounds.descent.problem import Problem
from dpbounds.descent.refusal import need


def parts_at_ends(problem: Problem, name: str) -> tuple[Problem, ...]:
    """The problem where a variable lies inside of its range, and at each of its closed ends: together it is the problem.

    Raises:
        Refused: the variable has one value only, or no closed end.
    """
    own = problem.box.get(name)
    need(own is not None, "no such variable")
    assert own is not None
    need(own.low is None or own.low != own.high, "a variable with one value")
    ends = [end for end, closed in ((own.low, own.low_closed), (own.high, own.high_closed)) if closed]
    ranges = [Interval(own.low, own.high), *(Interval(end, end, True, True) for end in ends)]
    need(bool(ends), "a variable without a closed end")
    return tuple(replace(problem, box={**problem.box, name: interval}) for interval in ranges)
