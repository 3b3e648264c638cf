"""Which rule a certificate of an inequality follows: moments, closed forms, integers in turn, logarithms, any factorials, the descent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dpbounds.descent import point
from dpbounds.descent.changes import changed
from dpbounds.descent.factorials import with_factorials
from dpbounds.descent.induction import check_induction, check_values, parts_of_step
from dpbounds.descent.integrals.closed import check_closed
from dpbounds.descent.integrals.moving_ends import check_moving_end
from dpbounds.descent.interval import Interval
from dpbounds.descent.logarithms import check_logarithm, exponential_of
from dpbounds.descent.moments import by_moment
from dpbounds.descent.problem import Problem, check
from dpbounds.descent.ratio import check_ratio
from dpbounds.descent.refusal import need
from dpbounds.descent.subterms import by_name

_CHANGES = ("wide", "above", "below", "within", "over", "under", "without")
"""The changes of variables that may come before closed forms."""
_DEEPEST = 16
"""Ends inside of ends."""


def check_part(problem: Problem, document: Mapping[str, Any], integers: frozenset[str], depth: int = 0) -> None:
    """Check a certificate of an inequality in which some variables are integers.

    With closed forms in the place of its sums and integrals it is another inequality, which is shown in one of the other ways, or with
    closed forms again. Before, its variables may be changed: the new domain covers the old one, so what holds there holds here, and a limit
    to infinity may then rest on what was a premise. Or the closed ends of a variable are parts by themselves, where a closed form is
    another one: e^{ux}/u is an antiderivative for u > 0 only. An infimum may be bounded by one of its values. The step of an induction over
    a sum may be shown in any of these ways.

    δ(ε) of a Gaussian, as the smaller side, may give way to its bound by a moment. Before, a side of a premise may get a name.

    Raises:
        Refused: the certificate does not show it.
    """
    if "subterm" in document:
        problem, document = by_name(problem, document["subterm"]), document["then"]
    if "moment" in document:
        problem, document = by_moment(problem, document["moment"]), document["then"]
    while "closed" in document:
        for row in document.get("before", []):
            need(row[0] in _CHANGES, "a change of variables in the wrong place")
            problem = changed(problem, row, before=True)
        problem, document = check_closed(problem, document["closed"], integers), document["then"]
    if "point" in document:
        need(depth < _DEEPEST, "a deep certificate")
        for part, own in zip(point.parts_of(problem, document["point"]), document["parts"], strict=True):
            check_part(part, own, integers, depth + 1)
    elif "ends" in document:
        need(depth < _DEEPEST, "a deep certificate")
        parts = parts_at_ends(problem, document["ends"])
        for part, own in zip(parts, document["parts"], strict=True):
            check_part(part, own, integers, depth + 1)
    elif "way" in document:
        check_ratio(problem, document, integers)
    elif "logarithm" in document:
        check_logarithm(problem, document, integers)
    elif "values" in document:
        check_values(problem, document, integers)
    elif "induction" in document:
        check_induction(problem, document, integers)
    elif "step" in document:
        need(depth < _DEEPEST and document["in"] in integers, "a step of what is no integer")
        *starts, step = parts_of_step(problem, document["in"], document.get("later", 0))
        need(len(starts) == len(document["starts"]), "one certificate for each start")
        for part, own in zip(starts, document["starts"], strict=True):
            check(part, own)
        check_part(step, document["step"], integers, depth + 1)
    elif "exponential" in document:
        need(depth < _DEEPEST, "a deep certificate")
        check_part(exponential_of(problem), document["exponential"], integers, depth + 1)
    elif "slope" in document:
        check_moving_end(problem, document)
    elif "factorials" in document:
        check(with_factorials(problem), document["factorials"])
    else:
        check(problem, document)


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
