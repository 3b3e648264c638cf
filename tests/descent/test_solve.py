"""Which changes of variables are tried: lemmas that one of them settles at once, with twins that come out REFUTED."""

from typing import Any

import pytest
from sympy import Eq, Ge, Min, Rational, exp, factorial, log, sqrt

from dpbounds import Claim, Verdict, settle
from dpbounds.claims.counterexamples.search import find_point
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.language.functions import GaussianDelta
from dpbounds.language.symbols import positive, positive_integer

p, t, order, size = positive("p t order size")
n, m = positive_integer("n m")
divergence = (p + t) * log((p + t) / p) + (1 - p - t) * log((1 - p - t) / (1 - p))
response = log((exp(order * size) + exp((1 - order) * size)) / (1 + exp(size))) / (order - 1)
share = factorial(n) * factorial(m) / factorial(n + m)

LEMMAS = [
    pytest.param([p + t < 1], divergence >= 2 * t**2, divergence >= Rational(21, 10) * t**2, id="the variable of a premise"),
    pytest.param([p < 1, t < 1, t < 1 - p], divergence >= 2 * t**2, divergence >= 3 * t**2, id="two upper ends"),
    pytest.param(
        [order > 1, order <= 50, size <= 2], response <= order * size**2 / 2, response <= order * size**2 / 3, id="ends that are caps"
    ),
    pytest.param([], share <= Rational(1, 2) ** Min(n, m), share <= Rational(1, 3) ** Min(n, m), id="factorials in cases"),
]


@pytest.mark.parametrize(("given", "then", "twin"), LEMMAS)
def test_a_lemma_is_settled_and_its_twin_is_refuted(given: Any, then: Any, twin: Any) -> None:
    assert certificate_of(Claim(id="lemma", text="", given=tuple(given), then=then), 10) is not None
    assert settle(Claim(id="twin", text="", given=tuple(given), then=twin), budget=10).verdict is Verdict.REFUTED


@pytest.mark.parametrize("relation", [Ge, Eq])
def test_noise_is_a_variable_with_a_least_value(relation: Any) -> None:
    epsilon, delta, sigma = positive("epsilon delta sigma")
    small = epsilon < 1, delta < 1
    enough, little = sqrt(2 * log(5 / (4 * delta))) / epsilon, sqrt(log(5 / (4 * delta))) / (3 * epsilon)
    true, false = (
        Claim(id="classical", text="", given=(*small, relation(sigma, least)), then=GaussianDelta(epsilon, sigma) <= delta)
        for least in (enough, little)
    )
    assert certificate_of(true, 20) is not None
    assert settle(false, budget=10).verdict is Verdict.REFUTED


def test_a_point_is_found_where_a_premise_names_a_value() -> None:
    delta, sigma = positive("delta sigma")
    named = Claim(id="named", text="", given=(delta < 1, Eq(sigma, sqrt(2 * log(5 / (4 * delta))))), then=sigma <= 9)
    assert find_point(named) is not None
