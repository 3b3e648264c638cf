"""Rational bounds of π as steps."""

import mpmath

from dpbounds.compile.constants import DIGITS, Constants
from dpbounds.compile.steps import Steps
from dpbounds.kernel.notation import show
from dpbounds.kernel.terms import node


def test_more_digits_of_pi_are_between_closer_ends() -> None:
    steps = Steps()
    few, _, more = (Constants(steps).bracket(node("pi"), digits) for digits in DIGITS)
    assert few.low < more.low < float(mpmath.pi) < more.high <= few.high
    for step in (more.above_low, more.below_high):
        assert step is not None and not steps.write.steps[step].hypotheses
    assert more.above_low is not None and show(steps.formula(more.above_low)) == "1569/500 < pi()"
