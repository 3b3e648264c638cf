"""Tails of binomial and Poisson sums by Chernoff's bound, and terms compared beside a coefficient; each condition."""

import functools
from collections.abc import Callable
from math import comb, exp, factorial
from typing import Any

import pytest
import sympy
from sympy import E, Sum, binomial, oo

from dpbounds import Claim
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.descent.integrals.closed import check_closed
from dpbounds.descent.integrals.sums import is_coefficient, is_factorial, is_whole_multiple
from dpbounds.descent.problem import Problem
from dpbounds.descent.search.comparing import counted_comparisons_of
from dpbounds.descent.search.solve import solve
from dpbounds.language.symbols import index, positive, positive_integer
from tests.descent.statements import claim as claim_of
from tests.descent.statements import problem_of

n, m = positive_integer("n m")
j = index("j", start=0)
q, x, lam, sigma = positive("q x lambda sigma")
R = sympy.Rational
INTEGERS = frozenset({"n", "m"})
mass = binomial(n, j) * q**j * (1 - q) ** (n - j)
poisson = lam**j / sympy.factorial(j)
moment = mass * sympy.exp(j * (j - 1) / (2 * sigma**2))


TRUE: dict[str, Claim] = {
    "subsets": claim_of(Sum(binomial(n, j), (j, 0, m)) <= (E * n / m) ** m, m <= n),
    "upper": claim_of(Sum(mass, (j, m, n)) <= (1 - q + q * x) ** n / x**m, m <= n, x >= 1, q < 1),
    "lower": claim_of(Sum(mass, (j, 0, m)) <= (1 - q + q * x) ** n / x**m, m <= n, x <= 1, q < 1),
    "poisson": claim_of(Sum(poisson, (j, m, oo)) <= (E * lam / m) ** m, m >= lam),
    "exponent": claim_of(Sum(poisson, (j, m, oo)) <= sympy.exp(-2 * x * m + lam * sympy.exp(2 * x))),
    "few": claim_of(Sum(poisson, (j, 0, m)) <= (E * lam / m) ** m, m <= lam),
    "middle": claim_of(Sum(binomial(2 * n, j), (j, n, 2 * n)) <= 4**n),
    "moment": claim_of(Sum(moment, (j, 0, n)) <= sympy.exp(n * (n - 1) / (2 * sigma**2)), q < 1),
}


@functools.cache
def found_of(name: str) -> Any:
    found = certificate_of(TRUE[name])
    assert found is not None
    return found


@pytest.mark.parametrize("name", TRUE)
def test_the_certificate_holds_for_the_lemma_and_for_no_false_one_of_the_same_domain(name: str) -> None:
    found = found_of(name)
    assert found is not None


def row_of_rule(problem: Problem, rule: str) -> dict[str, Any]:
    """The first comparison of a rule that the search finds, without "above"; with no chord."""
    found = (rows for rows in counted_comparisons_of(problem, lambda part, **_: solve(part, 2), INTEGERS) if rows[0])
    rows = next(rows for rows in found if rows[0]["by"] == rule and rows[0]["of"][0] != "+")
    row = {key: value for key, value in dict(rows[0] or {}).items() if key != "above"}
    check_closed(problem, [row], INTEGERS)
    return row


def bound_of_row(problem: Problem, row: dict[str, Any]) -> Callable[..., float]:
    """The bound at points, where the number w ≥ 0 is 0."""
    (value,) = check_closed(problem, [row], INTEGERS).nodes.values()

    def at(**point: Any) -> float:
        return float(value.subs({s: 0 if s.name.startswith("rest") else point[s.name] for s in value.free_symbols}))

    return at


def test_the_bound_of_an_upper_tail_is_not_less_than_its_terms() -> None:
    problem = problem_of(Sum(mass, (j, m, n)) <= (1 - q + q * x) ** n / x**m, m <= n, x >= 1, q < 1)
    row = row_of_rule(problem, "tilted")
    assert row["of"] == "x" and row["side"] == 1
    bound = bound_of_row(problem, row)
    for count in range(1, 7):
        for first in range(1, count + 1):
            for rate, at in ((0.25, 1), (0.5, 2), (0.75, 1.5)):
                tail = sum(comb(count, i) * rate**i * (1 - rate) ** (count - i) for i in range(first, count + 1))
                value = bound(n=count, m=first, q=rate, x=at)
                assert tail <= value * (1 + 1e-12)
                assert abs(value - (1 - rate + rate * at) ** count / at**first) <= 1e-12 * value


def test_the_bound_of_a_lower_tail_is_not_less_than_its_terms() -> None:
    problem = problem_of(Sum(poisson, (j, 0, m)) <= (E * lam / m) ** m, m <= lam)
    row = row_of_rule(problem, "tilted")
    assert row["side"] == -1
    bound = bound_of_row(problem, row)
    for last in range(1, 6):
        for mean in (last, last + 0.5, 3 * last):
            tail = sum(mean**i / factorial(i) for i in range(last + 1))
            value = bound(m=last, **{"lambda": mean})
            assert tail <= value * (1 + 1e-12)
            assert abs(value - exp(last) * (mean / last) ** last) <= 1e-12 * value


def test_what_is_a_coefficient_a_factorial_and_a_whole_multiple() -> None:
    assert is_coefficient(binomial(n, j), "j") and is_factorial(1 / sympy.factorial(j), "j")
    for other in (binomial(n + j, j), binomial(n, j + 1), binomial(n, m), binomial(n, 2 * j), 1 / sympy.factorial(j)):
        assert not is_coefficient(other, "j")
    powers = (sympy.factorial(j), 1 / sympy.factorial(j) ** 2, sympy.log(sympy.factorial(j)))
    for other in (*powers, 1 / sympy.factorial(m), 1 / sympy.factorial(2 * j), 1 / j, binomial(n, j)):
        assert not is_factorial(other, "j")
    assert all(is_whole_multiple(part, INTEGERS) for part in (sympy.Integer(-3), sympy.S.Zero, n, -2 * m))
    assert not any(is_whole_multiple(part, INTEGERS) for part in (R(1, 2), n / 2, R(3, 2) * n, 2 * q, n * m, n**2, oo, -oo))
