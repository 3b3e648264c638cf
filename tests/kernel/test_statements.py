"""Statements of sympy as formulas of the checker, and one derivation written as a document."""

from __future__ import annotations

from pathlib import Path

import pytest
import sympy
from sympy import Eq, Integral, Max, Piecewise, Sum, exp, log, oo

from dpbounds.derive import get
from dpbounds.derive.kernel import ancestors
from dpbounds.functions import HockeyStick, RenyiDivergence, RenyiMoment
from dpbounds.kernel.checker import Statement, check_all
from dpbounds.kernel.notation import show
from dpbounds.prover.statements import NotConverted, Statements
from dpbounds.quantifiers import ForAll
from dpbounds.symbols import family, index, nonnegative, positive, positive_integer, real

X, Y, S, L = real("x"), nonnegative("y"), positive("s"), positive("lambda")
I, N, P, Q = index("i"), positive_integer("n"), family("p"), family("q", "positive")
CASES = [
    (X <= Y, "x <= y"),
    (X > Y, "y < x"),
    (Eq(X, Y), "x == y"),
    (sympy.Ne(X, Y), "x != y"),
    (X / S <= sympy.Rational(2, 3), "x / s <= 2/3"),
    (X - Y <= -1, "x - y <= -1"),
    (X**2 + X ** (-2) < exp(-X), "x**(-2) + x**2 < exp(-x)"),
    (sympy.sqrt(Y) <= log(S), "y**(1/2) <= log(s)"),
    (Max(X, 0) <= abs(X), "max(0, x) <= abs(x)"),
    (Sum(P[I], (I, 1, N)) <= N, "sum(_0, 1, n, p(_0)) <= n"),
    (Eq(Integral(exp(-(X**2)), (X, -oo, oo)), 1, evaluate=False), "line(_0, exp(-_0**2)) == 1"),
    (Integral(X, (X, 0, S)) <= 1, "int(_0, 0, s, _0) <= 1"),
    (Piecewise((X, X > 0), (0, True)) <= Y, "ite(0 < x, x, 0) <= y"),
    (RenyiMoment(L, P[I], Q[I], (I, 1, N)) <= 1, "sum(_0, 1, n, p(_0)**lam * q(_0)**(1 - lam)) <= 1"),
    (RenyiDivergence(L, P[I], Q[I], (I, 1, N)) <= 1, "log(sum(_0, 1, n, p(_0)**lam * q(_0)**(1 - lam))) / (lam - 1) <= 1"),
    (HockeyStick(X, P[I], Q[I], (I, 1, N)) <= 1, "sum(_0, 1, n, max(p(_0) - (exp(x) * q(_0)), 0)) <= 1"),
    (ForAll(I, I <= N, P[I] <= 1), "allZ(_0, imp(1 <= _0, imp(_0 <= n, p(_0) <= 1)))"),
]


@pytest.mark.parametrize(("statement", "text"), CASES)
def test_formulas(statement: object, text: str) -> None:
    assert show(Statements().formula(statement)) == text


def test_what_symbols_assume_becomes_a_condition() -> None:
    read = Statements()
    read.formula(X + Y + S + N + P[1] + Q[1] < 0)
    found = [show(f) for s in (*read.symbols, *read.families) for f in read.signs(s)]
    family_signs = ["allZ(_0, imp(1 <= _0, 0 <= p(_0)))", "allZ(_0, imp(1 <= _0, 0 < q(_0)))"]
    assert sorted(found) == sorted(["0 <= y", "0 < s", "1 <= n", *family_signs])


def test_symbols_of_one_name_are_kept_apart() -> None:
    read = Statements()
    assert show(read.formula(real("x") <= positive("x"))) == "x <= x1"


@pytest.mark.parametrize("statement", [sympy.zeta(X) <= 1, sympy.erf(X) <= 1, sympy.Function("f")(X) <= 1])
def test_what_has_no_formula_is_said(statement: object) -> None:
    with pytest.raises(NotConverted):
        Statements().formula(statement)


@pytest.mark.parametrize("name", ["randomized-response-renyi", "route-2-against-3"])
def test_a_stored_document_proves_the_conclusion_of_the_derivation(name: str) -> None:
    text = (Path(__file__).parents[2] / "proofs" / "documents" / f"{name}.jsonl").read_text(encoding="utf-8")
    found = check_all({name: text})[name]
    assert isinstance(found, Statement)
    result = get(name).result
    read = Statements()
    for fact in ancestors([result]):
        read.formula(fact.statement)
    assert found.claim == read.formula(result.statement)
