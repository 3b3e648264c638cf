"""Factorials that cancel in logarithms, and terms of the binomial theorem in the place of coefficients; each condition."""

import functools
from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Any

import pytest
import sympy
from sympy import binomial, factorial, log

from dpbounds import Claim
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.descent.interval import Interval
from dpbounds.descent.logarithms import bounded, halved
from dpbounds.language.symbols import positive, positive_integer
from tests.descent.statements import claim as claim_of
from tests.descent.statements import problem_of

n, k, m = positive_integer("n k m")
q, x = positive("q x")
R = sympy.Rational
INTEGERS = frozenset({"n", "k", "m"})
FROM_1 = Interval(Fraction(1), None, True, False)


TRUE: dict[str, Claim] = {
    "log-concave": claim_of(binomial(n, k) ** 2 >= binomial(n, k - 1) * binomial(n, k + 1), k <= n - 1),
    "all-subsets": claim_of(binomial(n, k) <= 2**n, k <= n),
    "one-mass": claim_of(binomial(n, k) * q**k * (1 - q) ** (n - k) <= 1, k <= n, q < 1),
    "entropy": claim_of(binomial(n, k) <= n**n / (k**k * (n - k) ** (n - k)), k <= n - 1),
    "half-of-all-subsets": claim_of(binomial(n, k) <= 2 ** (n - 1), k <= n),
}
FALSE: dict[str, Claim] = {
    "log-concave": claim_of(binomial(n, k) ** 2 >= 2 * binomial(n, k - 1) * binomial(n, k + 1), k <= n - 1),
    "all-subsets": claim_of(binomial(n, k) <= R(19, 10) ** n, k <= n),
    "one-mass": claim_of(binomial(n, k) * q**k * (1 - q) ** (n - k) <= R(9, 10), k <= n, q < 1),
    "entropy": claim_of(binomial(n, k) <= R(1, 2) * n**n / (k**k * (n - k) ** (n - k)), k <= n - 1),
    "half-of-all-subsets": claim_of(binomial(n, k) <= 2 ** (n - 2), k <= n),
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


def test_no_certificate_of_a_false_lemma_is_found() -> None:
    assert certificate_of(FALSE["log-concave"], 0.5) is None


def test_the_bound_of_a_binomial_coefficient_is_not_less() -> None:
    given = problem_of(binomial(n, k) * q**k <= 1, k <= n, q < 1)
    small = bounded(given, x, 1 - q, INTEGERS).small
    before = {str(s): s for s in given.small.free_symbols}
    for a in range(1, 8):
        for b in range(1, a + 1):
            for at, base in ((0.25, 0.5), (0.5, 2.0), (0.9, 0.125)):
                values = {before["n"]: a, before["k"]: b, before["q"]: at, x: base}
                assert float(small.subs(values)) >= comb(a, b) * at**b * (1 - 1e-12)


def test_each_term_of_the_theorem_is_the_bound_where_it_is_the_whole_sum() -> None:
    given = problem_of(binomial(n, k) <= 1, k <= n)
    small = bounded(given, x, sympy.Integer(1), INTEGERS).small
    symbols = {str(s): s for s in small.free_symbols}
    # C(5, 2)·x²/(1 + x)^5 is largest at x = 2/3: the bound there is 10·3.125/…, and no factor may be left out.
    value = small.subs({symbols["n"]: 5, symbols["k"]: 2, x: sympy.Rational(2, 3)})
    assert sympy.nsimplify(value) == sympy.Rational(5, 3) ** 5 / sympy.Rational(2, 3) ** 2


def test_rows_with_whole_coefficients_are_bounded() -> None:
    given = replace(problem_of(binomial(n, k) <= 1, k <= n), small=3 * binomial(2 * n * k, k - 1), box={"n": FROM_1, "k": FROM_1})
    assert bounded(given, sympy.Integer(1), sympy.Integer(1), INTEGERS).small.subs({n: 1, k: 1}).doit() == 12


def test_a_coefficient_that_is_a_factor_twice_is_bounded_twice() -> None:
    """C(4, 2)² = 36 > 2⁴, though C(4, 2) ≤ 2⁴; the product is as it was written, with both factors."""
    twice = claim_of(sympy.Le(sympy.Mul(binomial(n, k), binomial(n, k), evaluate=False), 2**n, evaluate=False), k <= n)
    assert len(problem_of(twice.then, *twice.given).small.args) == 2
    given = problem_of(twice.then, *twice.given)
    one = sympy.Integer(1)
    once = bounded(given, one, one, INTEGERS)
    assert once.small.subs({n: 4, k: 2}).doit() == 16 * 6
    assert bounded(once, one, one, INTEGERS).small.subs({n: 4, k: 2}).doit() == 16 * 16


def test_a_coefficient_without_a_value_is_not_bounded() -> None:
    """binomial(n, k) needs k ≥ 0: at k = −1 there is nothing to compare."""
    row, place = sympy.Symbol("n", integer=True, nonnegative=True), sympy.Symbol("k", integer=True)
    known, unknown = claim_of(binomial(row, place) <= 2**row, place >= 0), claim_of(binomial(row, place) <= 2**row)
    found = certificate_of(known)
    assert found is not None and found["problems"][0]["terms"]
    assert found is not None
    assert certificate_of(unknown, 0.3) is None


def test_a_coefficient_is_no_more_than_half_of_all_subsets() -> None:
    given = problem_of(3 * binomial(n + k, k) * q <= 1, q < 1)
    small = halved(given, INTEGERS).small
    symbols = {str(s): s for s in small.free_symbols}
    for a in range(1, 7):
        for b in range(1, 7):
            value = small.subs({symbols["n"]: a, symbols["k"]: b, symbols["q"]: 1})
            assert 3 * comb(a + b, b) <= value == 3 * 2 ** (a + b - 1)
    assert comb(2, 1) == 2 ** (2 - 1)  # it is met, so no smaller bound is one


LOGARITHMS = [
    (log(factorial(n)) >= n * log(n) - n + 1, log(factorial(n)) >= n * log(n) - n + R(11, 10)),
    (log(factorial(n)) <= (n + R(1, 2)) * log(n) - n + 1, log(factorial(n)) <= (n + R(1, 2)) * log(n) - n + R(9, 10)),
    (log(binomial(2 * n, n)) <= 2 * n * log(2) - log(3 * n + 1) / 2, log(binomial(2 * n, n)) <= 2 * n * log(2) - log(4 * n + 1) / 2),
]


@pytest.mark.parametrize(("then", "twin"), LOGARITHMS, ids=str)
def test_logarithms_of_factorials_beside_other_terms(then: Any, twin: Any) -> None:
    found = certificate_of(claim_of(then), 5)
    assert found is not None and "exponential" in found["problems"][0]
    assert found is not None
    assert certificate_of(claim_of(twin), 0.3) is None


def test_a_logarithm_inside_needs_each_factor_to_be_positive() -> None:
    # log((x − 1)²·n!) has no value at x = 1, and log(x − 1) none below
    whole = claim_of(log((x - 1) ** 2 * factorial(n)) - log((x - 1) ** 2 * factorial(n)) / 2 <= log((x - 1) ** 2 * factorial(n)) / 2)
    assert certificate_of(whole, 0.3) is None
