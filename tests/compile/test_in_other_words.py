"""Claims with a root of a logarithm, with a bound that is not needed, with powers from 0 on, and with a root of a divergence."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import Integral, Max, Rational, exp, log, oo, sqrt

from dpbounds import Claim
from dpbounds.claims.evidence.compiled import compiled
from dpbounds.claims.evidence.in_other_variables import in_other_variables
from dpbounds.language.functions import KLDivergence, NormalCDF
from dpbounds.language.symbols import positive, positive_integer, real
from tests.lemmas import assert_only_the_true_one_has_a_document_of_its_descent

n, a, p, q, x = positive_integer("n"), positive("a"), positive("p"), positive("q"), real("x")
tail, beta = Integral(exp(-(x**2) / 2), (x, a, oo)), Integral(x**n * (1 - x), (x, 0, 1))
root, coins = sqrt(KLDivergence(1, (p, 1 - p), (q, 1 - q)) / 2), Max(p, q) + Max(1 - p, 1 - q)
TWINS: dict[str, tuple[list[Any], Any, Any]] = {
    "root of a logarithm": ([], n * NormalCDF(-sqrt(2 * log(n))) <= Rational(1, 2), n * NormalCDF(-sqrt(2 * log(n))) <= Rational(1, 5)),
    "a bound too many": ([a >= Rational(1, 2), a <= 4], tail <= exp(-(a**2) / 2) / a, tail <= Rational(6, 10) * exp(-(a**2) / 2) / a),
    "powers from 0 on": ([], beta <= 1 / (n + 1) ** 2, beta <= 1 / (2 * (n + 1) ** 2)),
    "root of a divergence": ([p < 1, q < 1], coins <= 1 + root, coins <= 1 + root / 2),
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=[] if name == "powers from 0 on" else [pytest.mark.slow]) for name in TWINS])
def test_a_document_of_the_true_claim_and_none_of_its_twin(name: str) -> None:
    assert_only_the_true_one_has_a_document_of_its_descent(TWINS[name], compiled)


def test_the_logarithm_is_the_new_variable() -> None:
    claim = Claim(id="a", text="It holds.", given=[], then=TWINS["root of a logarithm"][1])
    (way,) = in_other_variables(claim)
    (w,) = way.claim.then.free_symbols
    assert way.claim.then == (exp(w) * NormalCDF(-sqrt(2) * sqrt(w)) <= Rational(1, 2))
    assert way.values == {w.name: log(n)} and [str(part.then) for part in way.known] == ["log(n) >= 0"]


def test_what_an_end_is_at_most_is_left_out() -> None:
    claim = Claim(id="a", text="It holds.", given=[a >= 1, a <= 4], then=tail <= 1)
    assert next(in_other_variables(claim)).claim.given == (a >= 1,)
