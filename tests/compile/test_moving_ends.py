"""Integrals from a number to a variable end: a lower bound by its derivative has a document, a bound that is too large has none."""

from __future__ import annotations

from typing import Any

import pytest
from sympy import Expr, Integral, Rational, exp, log

from dpbounds.language.symbols import nonnegative, positive, real
from tests.lemmas import assert_only_the_true_one_has_a_document_of_its_descent

u, e, q, y, t = nonnegative("u"), nonnegative("e"), positive("q"), real("y"), positive("t")


def _to_u(f: Expr) -> Expr:
    return Integral(f, (y, 0, u))


losses = Integral(log(1 + q * (exp(y) - 1)), (y, 0, e))
TWINS: dict[str, tuple[list[Any], Any, Any]] = {
    "what falls": ([], _to_u(1 / (1 + y**2)) >= u / (1 + u**2), _to_u(1 / (1 + y**2)) >= 2 * u / (1 + u**2)),
    "its least value": (
        [t > 1],
        Integral(1 / log(y + 1), (y, 1, t)) >= (t - 1) / log(t + 1),
        Integral(1 / log(y + 1), (y, 1, t)) >= Rational(7, 5) * (t - 1) / log(t + 1),
    ),
    "what rises": ([], _to_u(exp(y**2 / 2)) >= u * exp(u**2 / 6), _to_u(exp(y**2 / 2)) >= u * exp(u**2 / 5)),
    "with a parameter": ([q <= 1], losses >= q * e**2 / 2, losses >= Rational(11, 20) * q * e**2),
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] if name == "with a parameter" else []) for name in TWINS])
def test_a_document_of_the_bound_and_none_of_a_larger_one(name: str) -> None:
    assert_only_the_true_one_has_a_document_of_its_descent(TWINS[name])
