"""Ratios of both sides from n to n + 1: each condition."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy
from sympy import E, exp, factorial, pi, sqrt

from dpbounds import Claim
from dpbounds.claims.descents import certificate_of
from dpbounds.claims.inequalities import check_claim, problems_of
from dpbounds.descent.interval import Interval
from dpbounds.descent.problem import Problem
from dpbounds.descent.ratio import check_ratio, parts_of
from dpbounds.descent.refusal import DescentRefused
from dpbounds.language.symbols import positive_integer

n = positive_integer("n")
FROM_1 = Interval(Fraction(1), None, True, False)


def test_stirling_is_shown_from_n_to_n_plus_1_and_a_larger_bound_is_not() -> None:
    true = Claim(id="stirling", text="", then=factorial(n) >= sqrt(2 * pi * n) * (n / E) ** n)
    false = Claim(id="stirling", text="", then=factorial(n) >= sqrt(7 * n) * (n / E) ** n)
    found = certificate_of(true)
    assert found is not None
    check_claim(true, found)
    with pytest.raises(DescentRefused):
        check_claim(false, found)
    (part,), (problem,) = found["problems"], problems_of(true)
    check_ratio(problem, part, frozenset({"n"}))
    with pytest.raises(DescentRefused, match="no integer"):
        check_ratio(problem, {**part, "way": "rises", "start": part["start"]}, frozenset())


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


def test_a_ratio_that_falls_has_one_variable_and_its_limit_is_shown() -> None:
    with pytest.raises(DescentRefused):
        parts_of(replace(RISING, box={**BOX, "k": FROM_1}), "n", "falls")
    with pytest.raises(DescentRefused):
        parts_of(replace(RISING, meanings={"k": sympy.Symbol("n")}), "n", "falls")
    with pytest.raises(DescentRefused):
        parts_of(RISING, "n", "stays")
    falling, start = parts_of(replace(RISING, strict=True), "n", "falls")
    assert falling.strict and start.box == BOX and falling.sign == -1
    rising, first = parts_of(replace(RISING, strict=True), "n", "rises")
    assert not rising.strict and first.strict and first.box["n"].high == 1 and rising.sign == 1
