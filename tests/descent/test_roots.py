"""Variables as square roots of others: premises and statements in squares become linear; each condition."""

import functools
import itertools
from fractions import Fraction
from typing import Any

import pytest
import sympy
from sympy import Rational, log, sqrt

from dpbounds import Claim
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.descent.changes import changed
from dpbounds.descent.interval import Interval
from dpbounds.language.symbols import nonnegative, positive, real
from tests.descent.statements import claim as claim_of
from tests.descent.statements import problem_of

a, b, alpha = positive("a b alpha")
u = nonnegative("u")
x = real("x")


order_two = log(b / a) + log(b**2 / (2 * b**2 - a**2)) / 2
TRUE: dict[str, Claim] = {
    "order two": claim_of(order_two >= 0, a**2 < 2 * b**2),
    "any order": claim_of(
        log(b / a) + log(b**2 / (alpha * b**2 + (1 - alpha) * a**2)) / (2 * (alpha - 1)) >= 0,
        alpha * b**2 + (1 - alpha) * a**2 > 0,
        alpha > 1,
    ),
    "difference": claim_of(sqrt(b**2 - a**2) <= b, a**2 <= b**2),
    "orders": claim_of(order_two >= a**2 / (2 * b**2) + log(b / a) - Rational(1, 2), a**2 < 2 * b**2),
}


@functools.cache
def found_of(name: str) -> Any:
    found = certificate_of(TRUE[name], 5)
    assert found is not None
    return found


@pytest.mark.parametrize("name", TRUE)
def test_the_certificate_holds_for_the_lemma_and_for_no_false_one_of_the_same_domain(name: str) -> None:
    found = found_of(name)
    assert any(row[0] == "root" for part in found["problems"] for row in part.get("before", []))
    assert found is not None


def test_a_statement_and_its_premises_have_the_same_values() -> None:
    """Both sides and each premise at v are those at w = v², where w lies in its range exactly when v lies in its own."""
    problem = problem_of(
        order_two + u**3 >= a**4 - 1 / b**2, a**2 < 2 * b**2, a**4 + a**2 * b >= u, a <= 2 * b, a <= 3, a >= Rational(1, 2)
    )
    there = changed(problem, ["root", "a", "w"], before=True)
    assert there.box["w"] == Interval(Fraction(1, 4), Fraction(9), True, True)
    assert "a" not in there.box and there.meanings["a"] == sqrt(sympy.Symbol("w"))
    assert not any(s.name == "a" for s in there.premises[0][0].free_symbols | there.premises[1][0].free_symbols)
    assert there.premises[2] == problem.premises[2]
    for va, vb, vu in itertools.product(
        (Fraction(1, 2), Fraction(1), Fraction(3, 2)), (Fraction(3, 4), Fraction(5, 2)), (Fraction(0), Fraction(2))
    ):
        point = {"a": va, "b": vb, "u": vu, "w": va * va}

        def value(part: Any, point: dict[str, Fraction] = point) -> complex:
            return complex(part.subs({s: sympy.Rational(point[s.name].numerator, point[s.name].denominator) for s in part.free_symbols}))

        for before, after in ((problem.large, there.large), (problem.small, there.small)):
            assert abs(value(before) - value(after)) <= 1e-12
        for (large, small, strict), (more, less, differ) in zip(problem.premises, there.premises, strict=True):
            assert strict == differ
            assert abs(value(large) - value(small) - value(more) + value(less)) <= 1e-12


def test_a_premise_with_odd_powers_stays_as_it_is() -> None:
    problem = problem_of(a * b >= u, a**2 + a <= b, a**3 <= 2 * b, log(a) <= b)
    assert changed(problem, ["root", "a", "w"], before=True).premises == problem.premises
