"""Rational brackets contain what they stand for, strictly, and are short."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from dpbounds.descent import brackets
from dpbounds.descent.refusal import DescentRefused

F = Fraction
CASES: list[tuple[Callable[[Fraction], brackets.Bracket], Any, list[Fraction]]] = [
    (brackets.exponential, mpmath.exp, [F(0), F(1), F(-1, 3), F(50), F(-70), F(123, 7), F(1999), F(1, 2), F(2) ** -90]),
    (brackets.logarithm, mpmath.log, [F(1), F(2), F(1, 3), F(10**9), F(1, 10**30), F(3, 2), 1 + F(2) ** -90]),
    (lambda x: brackets.root(x, 2), mpmath.sqrt, [F(2), F(1, 7), F(10**20), F(4)]),
    (lambda x: brackets.root(x, 5), lambda x: mpmath.root(x, 5), [F(2), F(1, 7), F(10**20), F(32)]),
    (brackets.normal, mpmath.ncdf, [F(0), F(1), F(-3), F(7, 3), F(11), F(-12), F(13), F(-40), F(1, 10**9)]),
    (lambda x: brackets.pi(), lambda x: +mpmath.pi, [F(0)]),
]


@pytest.mark.parametrize(("bracket", "exact", "point"), [(f, g, x) for f, g, xs in CASES for x in xs])
def test_a_bracket_contains_its_value(bracket: Any, exact: Any, point: Fraction) -> None:
    with mpmath.workdps(60):
        low, high = (mpmath.mpf(end.numerator) / end.denominator for end in bracket(point))
        value = exact(mpmath.mpf(point.numerator) / point.denominator)
        assert low < value < high or abs(point) > 12 and low <= value <= high
        assert high - low <= mpmath.mpf(10) ** -25 * max(1, abs(value))


def test_what_has_no_bracket_is_refused() -> None:
    for bad in (lambda: brackets.exponential(F(2001)), lambda: brackets.logarithm(F(0)), lambda: brackets.root(F(-1), 2)):
        with pytest.raises(DescentRefused):
            bad()
