"""Ratios of both sides from n to n + 1: each condition."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy
from sympy import E, Rational, exp, factorial, gamma, pi, sqrt

from dpbounds import Claim
from dpbounds.claims.boxes.inequalities import check_claim, problems_of
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.descent import ratio
from dpbounds.descent.interval import Interval
from dpbounds.descent.problem import Problem
from dpbounds.descent.ratio import check_ratio, parts_of
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.search.closing import definition
from dpbounds.descent.search.solve import solve
from dpbounds.language.symbols import positive, positive_integer

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


def test_gautschi_in_two_variables_and_not_a_larger_bound() -> None:
    t, p = positive("t p")
    claims = [
        Claim(id="gautschi", text="", given=[p <= end], then=gamma(t + 1) >= (t + shift) ** (1 - p) * gamma(t + p))
        for end, shift in ((1, 0), (Rational(1, 2), 1))
    ]
    found = certificate_of(claims[0], 5)
    assert found is not None and "ends" in found["problems"][0]
    check_claim(claims[0], found)
    assert certificate_of(claims[1], 0.3) is None
    inner = found["problems"][0]["parts"][0]
    problem = problems_of(claims[0])[0]
    opened = replace(problem, box={**problem.box, "p": Interval(Fraction(0), Fraction(1))})
    check_ratio(opened, inner, frozenset())
    # p up to 2, where the ratio rises to 1: neither the step nor anything else shows it
    with pytest.raises(DescentRefused):
        check_ratio(replace(problem, box={**problem.box, "p": Interval(Fraction(0), Fraction(2))}), inner, frozenset())
    # a limit below 1
    with pytest.raises(DescentRefused):
        check_ratio(replace(opened, small=opened.small * 2), inner, frozenset())


@pytest.mark.parametrize(("factor", "holds"), [(2, True), (Rational(5, 2), True), (Rational(26, 10), False), (3, False)])
def test_a_ratio_falls_to_a_limit_of_at_least_1(factor: Any, holds: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """n! / (c·√n·(n/e)ⁿ) falls to √(2π)/c, and √(2π) = 2.5066…: the step is shown whatever c is."""
    (problem,) = problems_of(Claim(id="stirling", text="", then=factorial(n) >= factor * sqrt(n) * (n / E) ** n))
    step, start = parts_of(problem, "n", "falls")
    towers = []

    def limit(*given: Any) -> Any:
        towers.append(lower_limit(*given))
        return towers[-1]

    lower_limit = ratio.lower_limit
    monkeypatch.setattr(ratio, "lower_limit", limit)
    document = {"in": "n", "way": "falls", "step": solve(step, 2), "start": definition(start.with_fixed({}).free()[0]), "order": 2}
    with pytest.raises(KeyError, match="claim"):
        check_ratio(problem, document, frozenset({"n"}))
    document["claim"] = definition(towers[0][0])
    if holds:
        check_ratio(problem, document, frozenset({"n"}))
    else:
        with pytest.raises(DescentRefused, match="the sign is the other one"):
            check_ratio(problem, document, frozenset({"n"}))
