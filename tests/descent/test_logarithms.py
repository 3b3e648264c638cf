"""Factorials that cancel in logarithms, and terms of the binomial theorem in the place of coefficients; each condition."""

import functools
from fractions import Fraction
from typing import Any

import pytest
import sympy
from sympy import binomial, factorial, log

from dpbounds import Claim
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.descent.interval import Interval
from dpbounds.language.symbols import positive, positive_integer
from tests.descent.statements import claim as claim_of

n, k, m = positive_integer("n k m")
q, x = positive("q x")
R = sympy.Rational
INTEGERS = frozenset({"n", "k", "m"})
FROM_1 = Interval(Fraction(1), None, True, False)


TRUE: dict[str, Claim] = {"log-concave": claim_of(binomial(n, k) ** 2 >= binomial(n, k - 1) * binomial(n, k + 1), k <= n - 1)}
FALSE: dict[str, Claim] = {"log-concave": claim_of(binomial(n, k) ** 2 >= 2 * binomial(n, k - 1) * binomial(n, k + 1), k <= n - 1)}


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


def test_a_logarithm_inside_needs_each_factor_to_be_positive() -> None:
    # log((x − 1)²·n!) has no value at x = 1, and log(x − 1) none below
    whole = claim_of(log((x - 1) ** 2 * factorial(n)) - log((x - 1) ** 2 * factorial(n)) / 2 <= log((x - 1) ** 2 * factorial(n)) / 2)
    assert certificate_of(whole, 0.3) is None
