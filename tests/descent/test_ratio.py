"""Ratios of both sides from n to n + 1: each condition."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy
from sympy import exp, factorial

from dpbounds.descent.interval import Interval
from dpbounds.descent.problem import Problem
from dpbounds.descent.ratio import parts_of
from dpbounds.descent.refusal import DescentRefused
from dpbounds.language.symbols import positive_integer

n = positive_integer("n")
FROM_1 = Interval(Fraction(1), None, True, False)


BOX = {"n": FROM_1}
RISING = Problem(factorial(sympy.Symbol("n")), exp(sympy.Symbol("n")) / 5, False, BOX)


@pytest.mark.parametrize(
    "changed",
    [
        {"box": {"n": Interval(Fraction(1), None, False, False)}},
        {"box": {"n": Interval(None, None, False, False)}},
        {"box": {"n": Interval(Fraction(1), Fraction(9), True, True)}},
        {"box": {"n": Interval(Fraction(1, 2), None, True, False)}},
        {"box": {"n": FROM_1, "a b": FROM_1}},
        {"nodes": {sympy.Symbol("c"): sympy.Integer(1)}},
    ],
)
def test_a_ratio_goes_from_a_first_integer_to_infinity(changed: dict[str, Any]) -> None:
    parts_of(RISING, "n", "rises")
    with pytest.raises(DescentRefused):
        parts_of(replace(RISING, **changed), "n", "rises")


def test_a_ratio_that_falls_has_open_ranges_of_other_variables_and_its_limit_is_shown() -> None:
    for closed in (FROM_1, Interval(Fraction(0), Fraction(1), False, True)):
        with pytest.raises(DescentRefused, match="closed end"):
            parts_of(replace(RISING, box={**BOX, "k": closed}), "n", "falls")
    parts_of(replace(RISING, box={**BOX, "k": Interval(Fraction(0), Fraction(1))}), "n", "falls")
    with pytest.raises(DescentRefused):
        parts_of(replace(RISING, meanings={"k": sympy.Symbol("n")}), "n", "falls")
    with pytest.raises(DescentRefused):
        parts_of(RISING, "n", "stays")
    falling, start = parts_of(replace(RISING, strict=True), "n", "falls")
    assert falling.strict and start.box == BOX and falling.sign == -1
    rising, first = parts_of(replace(RISING, strict=True), "n", "rises")
    assert not rising.strict and first.strict and first.box["n"].high == 1 and rising.sign == 1
