"""Claims and inequalities, as the tests of descents type them."""

from typing import Any

from dpbounds import Claim
from dpbounds.claims.boxes.inequalities import problems_of
from dpbounds.descent.problem import Problem


def claim(then: Any, *given: Any) -> Claim:
    return Claim(id="a", text="", given=given, then=then)


def problem_of(then: Any, *given: Any) -> Problem:
    return problems_of(claim(then, *given))[0]
