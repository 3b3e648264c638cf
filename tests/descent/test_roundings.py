"""Floors and ceilings as real numbers between their bounds: each bound, with a claim that only it shows."""

from typing import Any

import pytest
from sympy import Add, E, Le, Mul, Rational, ceiling, exp, floor, log

from dpbounds import Verdict, settle
from dpbounds.claims.boxes.inequalities import problems_of, without_roundings
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.descent.problem import Problem
from dpbounds.language.symbols import index, nonnegative, positive, positive_integer, real
from tests.descent.statements import claim

x, y = real("x y")
t, b, d = positive("t b d")
u = nonnegative("u")
n = positive_integer("n")
k = index("k")


@pytest.mark.parametrize(
    ("given", "true", "twin"),
    [
        ([], t * floor(1 / t) <= 1, t * floor(1 / t) < 1),
        ([], t * floor(1 / t) > 1 - t, t * floor(1 / t) >= 1),
        ([], t * ceiling(1 / t) >= 1, t * ceiling(1 / t) > 1),
        ([], t * ceiling(1 / t) < 1 + t, t * ceiling(1 / t) <= 1),
        ([t <= 1], t * floor(1 / t) > Rational(1, 2), t * floor(1 / t) >= Rational(3, 5)),
        ([], 2 ** ceiling(log(t) / log(2)) < 2 * t, 2 ** ceiling(log(t) / log(2)) <= 3 * t / 2),
        ([], exp(-floor(u)) <= E * exp(-u), exp(-floor(u)) <= 2 * exp(-u)),
        ([n >= ceiling(log(1 / d) / t)], exp(-n * t) <= d, exp(-n * t) <= d / 2),
        ([], floor(x / 2 + floor(y)) <= x / 2 + y, floor(x / 2 + floor(y)) <= x / 2 + y - 1),
    ],
    ids=str,
)
def test_a_rounding_lies_between_its_bounds(given: Any, true: Any, twin: Any) -> None:
    found = certificate_of(claim(true, *given), 5)
    assert found is not None
    assert found is not None
    assert certificate_of(claim(twin, *given), 0.2) is None
    assert settle(claim(twin, *given), budget=5).verdict is Verdict.REFUTED


def test_the_bounds_are_those_of_the_integer() -> None:
    for node, strict in ((floor(x * y), [True, False]), (ceiling(x * y), [False, True])):
        *shown, problem = without_roundings(problem_of(node))
        (w,) = set(problem.box) - {"x", "y"}
        assert [(part.large, part.small) for part in shown] == [(x * y, x * y)]
        (low, high) = problem.premises
        assert [low[2], high[2]] == strict and low[0].name == high[1].name == w
        values = {x: 3, y: 1.25}
        ends = float(low[1].subs(values)), float(high[0].subs(values))
        assert ends == ((2.75, 3.75) if strict[0] else (3.75, 4.75))


def test_what_is_rounded_has_a_value_even_if_it_cancels() -> None:
    node = floor(log(x))
    gone = Le(Add(node, Mul(-1, node, evaluate=False), evaluate=False), 0, evaluate=False)
    assert certificate_of(claim(gone), 0.3) is None
    assert certificate_of(claim(gone, x > 0), 3) is not None


def problem_of(large: Any) -> Problem:
    """A problem as it is before roundings have names."""
    (problem,) = problems_of(claim(x * y >= 0))
    return Problem(large, problem.small, False, problem.box)


def test_a_whole_low_end_is_one_that_the_argument_has() -> None:
    for z, given, low in ((1 / t, [t <= 1], 1), (1 / t, [t <= 2], 0), (u / (1 + u), [], 0), (u * (t - 1), [], None), (log(t), [], None)):
        (problem,) = problems_of(claim(t * u >= x, *given))
        *_, rounded = without_roundings(Problem(floor(z), problem.small, False, problem.box))
        assert rounded.box["rounded_0"].low == low
