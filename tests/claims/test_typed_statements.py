"""A document must prove the statement that was typed: what sympy makes of it decides nothing alone."""

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pytest
import sympy
from sympy.core import exprtools
from sympy.core.cache import clear_cache

from dpbounds.claims.catalogue import catalogue_folder
from dpbounds.claims.claim import Claim
from dpbounds.claims.collect import collect
from dpbounds.claims.evidence import documents, restated
from dpbounds.claims.evidence.documents import accepted, folder, name_of, proves
from dpbounds.kernel.checker import Statement
from dpbounds.kernel.definedness import obligations
from dpbounds.kernel.notation import Reader, show
from dpbounds.kernel.sequents import Sequent
from dpbounds.kernel.terms import Term
from dpbounds.kernel.terms import variable as of_checker
from dpbounds.language import assumptions
from dpbounds.language.typed.bridge import from_sympy, to_sympy
from dpbounds.language.typed.checker_terms import NotRead, ReadStatement, TypedReading, reading
from dpbounds.logic import notation as n
from dpbounds.logic.terms import node, term
from dpbounds.logic.text import read as in_text


def claim(then: Any, *given: Any) -> Claim:
    return Claim(id="a", text="", then=then, given=given)


def stated(read: ReadStatement) -> Statement:
    """A document of a statement that shows everything in it to be defined: no checker has accepted one that is false."""
    shown = tuple(Sequent(frozenset(), o) for part in (*read.given, read.claim) for o in obligations(part))
    return Statement("a", tuple(read.given), read.claim, frozenset(), 1, shown)


def as_sympy_reads(statement: Claim) -> Statement:
    return stated(reading(TypedReading(), from_sympy(statement.then), tuple(map(from_sympy, statement.given))))


def as_typed(statement: Claim) -> Statement:
    return stated(read_of(statement.terms[0], *statement.terms[1]))


def read_of(then: Any, *given: Any) -> ReadStatement:
    return reading(TypedReading(), then, given)


def tags(t: Term) -> set[str]:
    return {t.tag}.union(*map(tags, t.parts))


@contextmanager
def rules_of_sympy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """sympy concludes what it concludes by itself."""
    with monkeypatch.context() as patch:
        for (kind, fact), rule in assumptions._SYMPY.items():
            patch.setattr(kind, f"_eval_is_{fact}", rule)
            patch.setitem(kind._prop_handler, fact, rule)
        patch.setattr(sympy.Pow, "_eval_power", assumptions._SYMPY_POWER_OF_POWER)
        patch.setattr(sympy.Expr, "_eval_is_extended_positive_negative", assumptions._SYMPY_SIGN_OF_NUMBER)
        patch.setattr(exprtools, "_monotonic_sign", assumptions._SYMPY_LEAST_VALUE)
        clear_cache()
        yield
    clear_cache()


T, X, M, W = n.real("t"), n.real("x"), n.integer("m"), n.integer("w")
COUNT, MORE = n.positive_integer("count more")
A, B, K = n.index("i"), n.index("j"), n.positive_integer("k")
P, Q = n.family("p"), n.family("q", "positive")
WRONG = {
    "a binomial coefficient": (n.Abs(n.binomial(M, 3)) <= X - n.binomial(M, 3), [M >= 3, X >= 0]),
    "a quotient in two variables": (n.Abs(7 / (COUNT + MORE) - 1) <= 7 / (COUNT + MORE) - 1 + X, [COUNT >= 8, X >= 0]),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_statement_that_sympy_makes_true_is_not_proved(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    then, given = WRONG[name]
    wrong = claim(then, *given)
    with rules_of_sympy(monkeypatch):
        read = as_sympy_reads(wrong)
        assert "abs" in tags(as_typed(wrong).claim) - tags(read.claim), "sympy has evaluated it"
        assert documents.establishes(read, list(read.given), read.claim) and not proves(read, wrong)


AREA = n.Integral(n.exp(-(T**2)) - 1, (T, 0, 1))
"""Below 0."""
EVALUATED = {
    "the larger of a number and 0": (n.Max(AREA, 0) <= AREA + X, AREA <= AREA + X),
    "the root of a square": (n.sqrt(AREA**2) <= AREA + X, AREA <= AREA + X),
    "a whole part": (n.floor(X) >= X, X >= X),
    "a condition": (X / X >= 1, n.Abs(X) >= 0),
    "a range": (n.Sum(P[A], (A, 2, 3)) >= P[2] + P[3] + P[4], n.Sum(P[A], (A, 2, 4)) >= P[2] + P[3] + P[4]),
}
"""A statement, and what a rule of sympy may make of it."""


@pytest.mark.parametrize("name", EVALUATED)
def test_what_sympy_may_make_of_a_statement_proves_nothing(name: str) -> None:
    then, made = EVALUATED[name]
    wrong = claim(then, X >= 0)
    wrong.__dict__["sympy then"] = to_sympy(made)
    read = as_sympy_reads(wrong)
    assert documents.establishes(read, list(read.given), read.claim) and not proves(read, wrong)
    assert proves(read, claim(made, X >= 0))


TRUE = {
    "a binomial coefficient": (n.Abs(n.binomial(M, 3)) <= n.binomial(M, 3), [M >= 3]),
    "a product": (2 * (X + M) <= 2 * M + 2 * X + 1, []),
    "a root": (X * n.sqrt(2) / 2 <= X / n.sqrt(2) + 1, []),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_statement_that_sympy_writes_otherwise_is_proved(name: str) -> None:
    then, given = TRUE[name]
    right = claim(then, *given)
    assert proves(as_sympy_reads(right), right)


def test_what_restates_a_statement_builds_no_sequent() -> None:
    """So nothing in it is trusted: each sequent that it makes is made by a rule of the checker."""
    assert "Sequent(" not in inspect.getsource(restated)


def test_a_formula_counts_only_under_what_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever restates formulas: under other hypotheses than the premises, or of another formula, nothing is shown."""
    read = Reader({"x": of_checker("x", "R")}, {})
    (given, wanted), true = map(read, ("0 <= x", "1 <= x")), read("0 <= 0")
    for formula in (wanted, true, given):
        monkeypatch.setattr(restated.Restating, "shown", lambda *_, formula=formula: restated.rule("hypothesis", formula=formula))
        monkeypatch.setattr(restated.Restating, "restated", lambda *_, formula=formula: restated.rule("hypothesis", formula=formula))
        assert not documents.establishes(Statement("a", (given,), true, frozenset(), 1), [given], wanted)
        assert documents._follows(wanted, [], [wanted]) is (formula == wanted) and not documents._follows(wanted, [], [given, true])
    monkeypatch.setattr(restated.Restating, "shown", lambda *_: None)
    assert not documents._follows(wanted, [], [wanted])


FORGED = {
    "one number": (X**2 + 2 >= 2 * X, X**2 + 3 >= 2 * X, []),
    "another relation": (X**2 + 2 > 2 * X, X**2 + 2 >= 2 * X, []),
    "another variable": (X + 1 <= M + 2, X + 1 <= T + 2, [M >= X, T >= X]),
    "another end of a sum": (n.Sum(P[A], (A, 1, K)) <= 1, n.Sum(P[A], (A, 1, K - 1)) <= 1, []),
    "the index under another sum": (
        n.Sum(n.Sum(P[A] * Q[B], (B, 1, K)), (A, 1, K)) <= 1, n.Sum(n.Sum(P[B] * Q[B], (B, 1, K)), (A, 1, K)) <= 1, []
    ),
    "a free variable for a bound one": (n.Sum(A * X, (A, 1, K)) <= 1, n.Sum(A * A, (A, 1, K)) <= 1, []),
    "integers for real numbers": (X**2 >= X, M**2 >= M, []),
    "a family for another": (P[1] <= 1, Q[1] <= 1, []),
    "a case less": (n.Piecewise((1, X > 0), (2, True)) <= 1, n.Piecewise((1, X > 1), (2, True)) <= 1, []),
    "every number for one": (n.ForAll(A, A <= K, P[A] <= 1), n.ForAll(A, A < K, P[A] <= 1), []),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_a_document_of_another_statement_proves_nothing(name: str) -> None:
    then, other, given = FORGED[name]
    said, forged = claim(then, *given), claim(other, *given)
    for wanted, found in ((said, forged), (forged, said)):
        assert proves(as_typed(wanted), wanted)
        if name not in IMPLIED or wanted is said:
            assert not proves(as_typed(found), wanted)


IMPLIED = ("one number", "another relation", "integers for real numbers", "every number for one")
"""The first statement implies the other one at sight."""


def test_premises_that_a_claim_has_not_prove_nothing() -> None:
    said = claim(X + 1 <= 3, X <= 2)
    found = as_typed(said)
    assert proves(found, said)
    assert not proves(found, claim(X + 1 <= 3)) and not proves(found, claim(X + 1 <= 3, 10 * X <= 21))
    assert proves(found, claim(X + 1 <= 3, X <= 1)), "a stronger premise"


def test_what_is_not_shown_to_be_defined_is_not_proved() -> None:
    for then, given, more in ((1 / X <= 1, [X >= 1], []), (n.log(X) <= X, [X > 0], []), (n.Sum(W**2, (W, M, 3)) <= 1, [M <= 4], [M <= 5])):
        good, bad = claim(then, *given), claim(then, *more)
        for wanted in (good, bad):
            assert proves(replace(as_typed(wanted), defined=()), wanted) is (wanted is good)


def test_a_sum_that_runs_backwards_is_no_premise() -> None:
    """Σ from m to 3 of a premise means what it does only for m ≤ 4: texts differ on what it is beyond."""
    total = n.Sum(W**2, (W, M, 3))
    for more, found in (([], False), ([M <= 4], True), ([M <= 5], False), ([M + 0 * total <= 4], False)):
        wanted = claim(X >= -1, total <= X, *more)
        made = replace(as_typed(wanted), defined=())
        assert documents.establishes(made, made.given, made.claim) is found


def test_what_is_said_of_integers_is_not_said_of_real_numbers() -> None:
    real, whole = (Reader({"x": of_checker("x", sort)}, {}) for sort in "RZ")
    known = restated.hypotheses([whole("allZ(_0, _0 <= _0**2)")])
    assert restated.Restating().shown(real("allR(_0, _0 <= _0**2)"), known) is None
    known = restated.hypotheses([real("allR(_0, _0 <= 1 + _0**2)")])
    found = restated.Restating().shown(real("allZ(_0, _0 <= 1 + _0**2)"), known)
    assert found is not None and show(found.formula) == "allZ(_0, _0 <= 1 + _0**2)"


def test_nothing_follows_from_an_empty_range() -> None:
    read = Reader({"x": of_checker("x", "R"), "k": of_checker("k", "Z")}, {"p": "Z>R"})
    for premise, wanted in (
        ("allZ(_0, imp(1 <= _0, imp(_0 <= k, x <= 1)))", "x <= 1"),
        ("allZ(_0, imp(1 <= _0, imp(_0 <= k, x <= 1)))", "allZ(_0, imp(1 <= _0, x <= 1))"),
        ("imp(x <= 0, 0 <= p(1))", "0 <= p(1)"),
        ("x <= 1 or x <= 2", "x <= 1"),
        ("0 < x or 0 <= x and 0 < 1/2", "0 < x"),
    ):
        assert restated.Restating().shown(read(wanted), restated.hypotheses([read(premise)])) is None


READINGS = {
    n.Sum(n.Sum(A, (A, 1, A)), (A, 1, K)) <= X: "sum(_0, 1, k, sum(_1, 1, _0, _1)) <= x",
    n.Sum(X * A, (A, 1, K)) <= X: "sum(_0, 1, k, x * _0) <= x",
    n.Integral(n.exp(-T), (T, 0, X)) <= 1: "line(_0, ite(0 < _0 and _0 <= x, exp(-_0), 0)) <= 1",
    n.Integral(n.exp(-T**2), (T, -n.oo, n.oo)) <= 2: "line(_0, exp(-_0**2)) <= 2",
    X >= M: "m <= x",
    X > M: "m < x",
    n.Eq(X, M): "x == m",
    n.Ne(X, M): "x != m",
    n.Not(X <= M): "not x <= m",
    n.Or(X <= M, n.And(X <= 1, X <= 2)): "x <= m or x <= 1 and x <= 2",
    n.Implies(X <= 1, X <= M): "imp(x <= 1, x <= m)",
    n.Piecewise((1, X > 0), (2, X > -1), (3, True)) <= M: "ite(0 < x, 1, ite(-1 < x, 2, 3)) <= m",
    n.Max(X, M, 1) - n.Abs(X) <= n.Min(1, X) / 2: "max(max(x, m), 1) - abs(x) <= min(1, x) / 2",
    X ** (n.Rational(1, 2)) * X**-2 <= X**M: "x**(1/2) * (1 / x**2) <= x**m",
    n.binomial(M, 3) <= n.factorial(M): "binom(m, 3) <= exp(sum(_0, 1, m, log(_0)))",
    n.Supremum(X * T, (T, 0, 1)) <= X: "sup(_0, 0, 1, x * _0) <= x",
    n.Infimum(X * T, (T, 0, n.oo)) <= X: "inf_above(_0, 0, x * _0) <= x",
    n.cosh(X) - n.sinh(X) <= n.tanh(X): (
        "1/2 * (exp(x) + exp(-x)) - 1/2 * (exp(x) - exp(-x)) <= (exp(x) - exp(-x)) / (exp(x) + exp(-x))"
    ),
    n.erf(X) <= n.erfc(X): "2 * Phi(2**(1/2) * x) - 1 <= 2 * Phi(-(2**(1/2) * x))",
    n.Sum(P[A], (A, 1, n.oo)) <= X: (
        "allZ(_0, imp(1 <= _0, 0 <= p(_0))) and allZ(_0, imp(0 <= _0, sum(_1, 1, _0, p(_1)) <= x))"
    ),
    n.Sum(P[A], (A, K, n.oo)) <= n.Sum(Q[A], (A, K, n.oo)): (
        "allZ(_0, imp(0 <= _0, 0 <= p(k + _0))) and allZ(_0, imp(0 <= _0, 0 <= q(k + _0))) and "
        "allZ(_0, imp(0 <= _0, sum(_1, k, k - 1 + _0, p(_1)) <= sum(_1, k, k - 1 + _0, q(_1))))"
    ),
    n.ForAll(A, A <= K, P[A] <= Q[A]): "allZ(_0, imp(1 <= _0, imp(_0 <= k, p(_0) <= q(_0))))",
}  # fmt: skip


E, S = n.positive("epsilon"), n.positive("sigma")
PAIR, OTHER = (X, 1 - X), (n.Rational(1, 2), n.Rational(1, 2))
READINGS |= {
    n.HockeyStick(E, PAIR, OTHER) <= 1: "max(x - exp(epsilon) * (1/2), 0) + max(1 - x - exp(epsilon) * (1/2), 0) <= 1",
    n.HockeyStick(E, (1, 0), OTHER) <= 1: "max(1 - exp(epsilon) * (1/2), 0) <= 1",
    n.LossTail(E, PAIR, OTHER) <= 1: "ite(exp(epsilon) * (1/2) < x, x, 0) + ite(exp(epsilon) * (1/2) < 1 - x, 1 - x, 0) <= 1",
    n.KLDivergence(PAIR, OTHER) <= 1: "x * (log(x) - log(1/2)) + (1 - x) * (log(1 - x) - log(1/2)) <= 1",
    n.RenyiMoment(3, PAIR, OTHER) <= 1: "x**3 * (1/2)**(-2) + (1 - x)**3 * (1/2)**(-2) <= 1",
    n.RenyiDivergence(E, P[A], Q[A], (A, 1, K)) <= 1: (
        "log(sum(_0, 1, k, p(_0)**epsilon * q(_0)**(1 - epsilon))) / (epsilon - 1) <= 1"
    ),
    n.RenyiMoment(E, X + T, T + 1, (T, 0, X)) <= 1: (
        "line(_0, ite(0 < _0 and _0 <= x, (x + _0)**epsilon * (_0 + 1)**(1 - epsilon), 0)) <= 1"
    ),
    n.GaussianRenyi(E, S) <= 1: (
        "log(line(_0, (exp(-(_0 + (-1))**2 / (2 * sigma**2)) / ((2 * pi())**(1/2) * sigma))**epsilon * "
        "(exp(-_0**2 / (2 * sigma**2)) / ((2 * pi())**(1/2) * sigma))**(1 - epsilon))) / (epsilon - 1) <= 1"
    ),
    n.sqrt(X) / n.sqrt(S) <= n.E**X + n.pi: "x**(1/2) * sigma**(-1/2) <= exp(x) + pi()",
    n.NormalQuantile(X) <= n.NormalCDF(X) + n.NormalQuantile(X): "quantile <= Phi(x) + quantile",
    n.floor(X) <= n.ceiling(X) + n.floor(X): "rounded <= rounded1 + rounded",
}  # fmt: skip


READINGS |= {
    node("inv", X) <= 1: "1 / x <= 1",
    node("inv", n.sqrt(X)) <= 1: "x**(-1/2) <= 1",
    X**-3 + X**0 <= X**1: "1 / x**3 + x**0 <= x",
    X ** n.Rational(3, 2) <= X**1000: "x**(3/2) <= pow(x, 1000)",
    n.RenyiMoment(n.Rational(3, 2), PAIR, OTHER) <= 1: (
        "x**(3/2) * (1/2)**(1 - (3/2)) + (1 - x)**(3/2) * (1/2)**(1 - (3/2)) <= 1"
    ),
    n.SampledGaussianMoment(3, S, X) <= 1: (
        "1 + 3 * x**2 * (1 - x)**1 * (exp(1 / sigma**2) - 1) + 1 * x**3 * (1 - x)**0 * (exp(3 / sigma**2) - 1) <= 1"
    ),
}  # fmt: skip


@pytest.mark.parametrize("then", READINGS, ids=str)
def test_a_statement_is_read_node_by_node(then: Any) -> None:
    read = TypedReading()
    formula = read.conclusion(then)
    named = [x for x, _ in read.named.values()]
    places = {str(v.data[0]): v for v in (*read.variables.values(), *named)}
    wanted = Reader(places, dict(read.families.values()))(READINGS[then])
    assert formula == wanted, f"{show(formula)} and not {show(wanted)}"
    assert len(places) == len(read.variables) + len(named)


AT_0, AT_1 = (n.exp(-square / (2 * S**2)) / (n.sqrt(2 * n.pi) * S) for square in (T**2, (T - 1) ** 2))
MIXED, OPPOSITE = (X * (n.exp(-((T - m) ** 2) / (2 * S**2)) / (n.sqrt(2 * n.pi) * S)) + (1 - X) * AT_0 for m in (1, n.Rational(-1)))
REAL_LINE = (T, -n.oo, n.oo)
DIRECTIONS = {
    "a moment, a record added": (n.SampledGaussianMoment(E, S, X, "add"), n.RenyiMoment(E, AT_0, MIXED, REAL_LINE)),
    "a moment, a record removed": (n.SampledGaussianMoment(E, S, X, "remove"), n.RenyiMoment(E, MIXED, AT_0, REAL_LINE)),
    "a whole moment, a record added": (n.SampledGaussianMoment(2, S, X, "add"), n.RenyiMoment(2, AT_0, MIXED, REAL_LINE)),
    "a moment between whole ones": (
        n.SampledGaussianMoment(n.Rational(5, 2), S, X),
        n.RenyiMoment(n.Rational(5, 2), MIXED, AT_0, REAL_LINE),
    ),
    "a divergence, a record added": (n.SampledGaussianRenyi(E, S, X, "add"), n.log(n.RenyiMoment(E, AT_0, MIXED, REAL_LINE)) / (E - 1)),
    "a divergence, a record removed": (
        n.SampledGaussianRenyi(E, S, X, "remove"),
        n.log(n.RenyiMoment(E, MIXED, AT_0, REAL_LINE)) / (E - 1),
    ),
    "δ, a record added": (n.SampledGaussianDelta(E, S, X, 1, "add"), n.HockeyStick(E, AT_0, MIXED, REAL_LINE)),
    "δ, a record removed": (n.SampledGaussianDelta(E, S, X, 1, "remove"), n.HockeyStick(E, MIXED, AT_0, REAL_LINE)),
    "δ, a record replaced": (n.SubstituteGaussianDelta(E, S, X, 1), n.HockeyStick(E, MIXED, OPPOSITE, REAL_LINE)),
}


@pytest.mark.parametrize("name", DIRECTIONS)
def test_a_quantity_is_read_in_its_direction(name: str) -> None:
    quantity, meaning = (read_of(side <= 1).claim for side in DIRECTIONS[name])
    assert quantity == meaning


NOT_READ = {
    "two steps": n.SampledGaussianDelta(E, S, X, 2, "add") <= X,
    "any number of steps": n.SampledGaussianDelta(E, S, X, K, "remove") <= X,
    "a rounding of what is bound": n.Sum(n.floor(X / A), (A, 1, K)) <= X,
    "an extremum from -oo": n.Supremum(-(T**2), (T, -n.oo, 0)) <= 0,
    "a quantile of what is bound": n.Sum(n.NormalQuantile(1 / (A + 1)), (A, 1, K)) <= X,
    "a last case that is missing": n.Piecewise((1, X > 0)) <= 1,
    "sums that start elsewhere": n.Sum(P[A], (A, 1, n.oo)) <= n.Sum(Q[A], (A, 2, n.oo)),
    "an infinite sum in a strict relation": n.Sum(P[A], (A, 1, n.oo)) < X,
    "an infinite sum below": n.Sum(P[A], (A, 1, n.oo)) >= X,
    "a remainder": n.Mod(M, 0) <= X,
    "a number without end": n.Min(n.oo, X) <= X,
    "parity": n.Symbol("even", integer=True, even=True) >= X,
}


@pytest.mark.parametrize("name", NOT_READ)
def test_what_the_checker_has_no_words_for_is_not_read(name: str) -> None:
    with pytest.raises(NotRead):
        read_of(NOT_READ[name])


def test_what_is_declared_is_a_premise() -> None:
    declared = {
        "positive": "0 < v", "negative": "v < 0", "nonnegative": "0 <= v", "nonpositive": "v <= 0", "nonzero": "v != 0"
    }  # fmt: skip
    for fact, wanted in declared.items():
        read = read_of(n.Symbol("v", real=True, **{fact: True}) <= X)
        assert [show(g) for g in read.given] == [wanted] == [show(g) for g in read.clear]
    both = read_of(n.Symbol("v", real=True, nonnegative=True, nonpositive=True) <= X)
    assert {show(g) for g in both.given} <= {"0 <= v", "v <= 0", "v == 0"}
    assert [show(g) for g in read_of(K <= X).given] == ["1 <= k"]
    for then, low in ((P[1] <= X, 1), (P[0] <= X, 0), (n.Sum(P[A], (A, 1, K)) <= X, 1), (P[M] <= X, 1)):
        assert f"allZ(_0, imp({low} <= _0, 0 <= p(_0)))" in map(show, read_of(then).given)
    read = read_of(n.NormalQuantile(X) + n.Integral(T, (T, X, 2 * X)) <= T, T >= X)
    assert [show(g) for g in read.given] == ["x <= t", "Phi(quantile) == x"] and [show(g) for g in read.clear] == ["x <= t"]
    assert [show(a) for a in read.asked] == ["0 < x", "x < 1", "x <= 2 * x"]
    read = read_of(n.floor(1 / X) <= T, n.ceiling(T) <= X, T <= X)
    assert sorted(show(g) for g in read.given if g not in read.clear) == [
        "1 / x < rounded + 1", "rounded <= 1 / x", "rounded1 < t + 1", "rounded1 <= x", "t <= rounded1"
    ]  # fmt: skip
    assert [show(a) for a in read.asked] == ["x != 0"]


HALVES, BELL = (n.Rational(1, 2), n.Rational(1, 2)), n.exp(-(T**2))
LINE, PLACES = (T, -n.oo, n.oo), (A, 1, K)
ASKED = {
    "a scale": (n.GaussianRenyi(2, X, 1) <= M, [X > 0], [X >= 0]),
    "a scale of a closed form": (n.SampledGaussianRenyi(2, X, n.Rational(1, 3)) <= M, [X > 0], [n.Ne(X, 0)]),
    "a rate": (n.SampledGaussianMoment(3, 1, X, "add") <= M, [X >= 0, X <= 1], [X >= 0]),
    "a rate that is not negative": (n.SampledGaussianMoment(3, 1, X, "remove") <= M, [X >= 0, X <= 1], [X <= 1]),
    "an order": (n.RenyiDivergence(X, HALVES, HALVES) <= M, [X > 1], [X >= 1]),
    "an order of families": (n.RenyiMoment(X, Q[A], Q[A], PLACES) <= M, [X > 1], []),
    "an order of a mechanism": (n.GaussianRenyi(X, 1, 1) <= M, [X > 1], [X > 0]),
    "a mass": (n.HockeyStick(0, (X, 1 - X), HALVES) <= M, [X >= 0, X <= 1], [X <= 1]),
    "the other mass": (n.HockeyStick(0, (X, 1 - X), HALVES) <= M, [X >= 0, X <= 1], [X >= 0]),
    "a mass of the second law": (n.LossTail(0, HALVES, (X, 1 - X)) <= M, [X >= 0, X <= 1], [X >= 0]),
    "masses of a family": (n.RenyiMoment(2, X * P[A], Q[A], PLACES) <= M, [X >= 0], []),
    "masses under a sum": (n.Sum(n.HockeyStick(0, (X, 1), HALVES) * A, PLACES) <= M, [X >= 0], []),
    "masses for every number": (n.ForAll(A, A <= K, n.HockeyStick(0, (A - 1, 1), HALVES) <= M), [M >= 0], None),
    "masses for every number, which may be negative": (
        n.ForAll(A, A <= K, n.HockeyStick(0, (A - 2, 1), HALVES) <= M), None, [M >= 0]
    ),
    "a density": (n.HockeyStick(0, X * BELL, BELL, LINE) <= M, [X >= 0], []),
    "a density beside another": (n.HockeyStick(0, BELL, X * BELL + (1 - X) * n.exp(T), LINE) <= M, [X >= 0, X <= 1], [X <= 1]),
    "a mass of the second law beside none": (n.HockeyStick(0, (0, 1), (X, 1)) <= M, [X >= 0], []),
    "an order beside no mass": (n.HockeyStick(1 / X, (0,), (1,)) <= M, [X > 0], []),
    "a range that runs forward": (n.HockeyStick(0, BELL, BELL, (T, 0, X)) <= M, [X >= 0], []),
    "an integral that runs forward": (n.Integral(BELL, (T, M, X)) <= M, [X >= M], [X >= M - 1]),
    "an integral under a sum": (n.Sum(n.Integral(BELL, (T, 0, A - X)), PLACES) <= M, [X <= 1], [X <= 2]),
    "the argument of a gamma function": (n.gamma(X) <= M, [X > 0], [X >= 0]),
    "a quantile": (n.NormalQuantile(X) <= M, [X > 0, X < 1], [X > 0]),
}  # fmt: skip
"""A claim, premises under which its quantities are defined, and others under which they are not."""


@pytest.mark.parametrize("name", ASKED)
def test_what_quantities_ask_for_must_follow_from_the_premises(name: str) -> None:
    then, *ways = ASKED[name]
    for premises, found in zip(ways, (True, False), strict=True):
        if premises is not None:
            wanted = claim(then, *premises)
            assert proves(as_typed(wanted), wanted) is found


WITHOUT_A_VALUE = n.RenyiMoment(2, (X, 1), (X + 0 / X, 1)) >= 0, n.RenyiMoment(2 + 0 / X, (X,), (1,)) >= 0


@pytest.mark.parametrize("then", WITHOUT_A_VALUE, ids=str)
def test_both_masses_and_the_order_have_a_value_where_the_first_mass_is_0(then: Any) -> None:
    """Where x = 0, there is no 1/x, whatever the summand of a mass of 0 is."""
    for premise, found in ((X > 0, True), (X >= 0, False)):
        wanted = claim(then, premise)
        assert proves(stated(reading(TypedReading(absent=True), *wanted.terms)), wanted) is found


def test_an_order_has_a_value_where_a_divergence_is_infinite() -> None:
    """It is infinite where q₁ = 0 < p₁, and there is no 2 + x/q₁ then; that q₁ > 0 is assumed only for what is compared."""
    p, q = n.family("p q")
    then = n.RenyiDivergence(2 + X / q[1], p[A], q[A], PLACES) >= -5
    for more, found in (([], False), ([q[1] > 0], True)):
        wanted = claim(then, p[1] > 0, X >= 0, *more)
        *_, (read, assumed) = documents._readings(Statement("", (), as_typed(wanted).claim, frozenset(), 0), *wanted.terms)
        everything = frozenset([*read.given, *assumed])
        signs = (f for f in read.wanted if f.tag == "<")
        shown = [*(Sequent(everything, o) for o in obligations(read.claim)), *(Sequent(frozenset(read.given), f) for f in signs)]
        assert documents._shows(Statement("a", (*everything,), read.claim, frozenset(), 1, (*shown,)), read, assumed) is found


U = n.real("u")
ENDLESS = n.Integral(1, (T, 0, n.oo))


@pytest.mark.parametrize("then", [ENDLESS - ENDLESS <= 1, 0 * ENDLESS <= 1, ENDLESS >= 0, 0 * n.Supremum(T, (T, 0, n.oo)) <= 1,
                                  0 * n.log(0) <= 1, 0 / (X - X) <= 1, n.Supremum(0 * T, (T, 1, 1)) <= 1], ids=str)  # fmt: skip
def test_what_has_no_value_is_not_proved(then: Any) -> None:
    """All of these hold for the checker, whose integrals and logarithms that do not exist are 0."""
    wanted = claim(then, X >= 0)
    assert documents.establishes(as_typed(wanted), list(as_typed(wanted).given), as_typed(wanted).claim)
    assert not proves(replace(as_typed(wanted), defined=()), wanted)


NOISE = in_text("""MechanismRenyi(x, 1, '[{"laplace-scale": "@0"}]', 'worst')""", {"x": X})
UNCLEAR = {
    "an integral of minus infinity": (n.Integral(-(T**2), LINE) <= -5, [], []),
    "a divergence of minus infinity": (n.KLDivergence(BELL, n.exp(T**2), LINE) <= -5, [], []),
    "a divergence of masses that never meet": (n.RenyiDivergence(2, P[A], Q[A], PLACES) <= X, [X >= 0], [X >= -1]),
    "such a divergence for every number": (n.ForAll(B, B <= K, n.RenyiDivergence(2, P[A], Q[A], PLACES) <= X), [X >= 0], [X >= -1]),
    "a divergence of no mass": (n.RenyiDivergence(2, P[A], Q[A], PLACES) < X, [X > 0], [X >= 0]),
    "a supremum over nothing": (n.Supremum(T, (T, X, M)) <= -5, [X < M], [X <= M]),
    "an infimum over nothing": (n.Infimum(T, (T, X, M)) >= 5, [X < M], []),
    "an infimum of minus infinity": (n.Infimum(-T, (T, 0, n.oo)) <= X, [], []),
    "a quantity that is infinite": (n.RenyiMoment(2, P[A], P[A + 1], PLACES) >= X, [], []),
    "a quantity less itself": (ENDLESS - ENDLESS >= X, [], []),
    "a quantity times 0": (0 * ENDLESS >= X, [], []),
    "a quantity for every number": (n.ForAll(A, A <= K, 1 / n.RenyiMoment(2, P[A], P[A + 1], PLACES) <= 1), [], []),
    "a quantity inside of another": (n.Supremum(n.Integral(-T * U**2, (U, 0, n.oo)), (T, 1, 2)) <= -5, [], []),
    "a binomial coefficient": (n.binomial(M, 3) <= -1, [], []),
    "an integral that runs backwards": (n.Eq(n.Integral(1, (T, 0, X)), X), [X >= 0], []),
    "a sum that runs backwards": (n.Sum(W, (W, M, 3)) <= -1, [M <= 4], []),
    "a quantile of no number": (n.NormalQuantile(X) <= 5, [X > 0, X < 1], [X > 0]),
    "a gamma function on the left": (n.gamma(X) <= -1, [X > 0], []),
    "a divergence of order 1": (n.Eq(n.RenyiDivergence(X, (1, 0), HALVES), n.log(2)), [], [X >= 1]),
    "a divergence of order 1 of a mechanism": (n.Eq(n.GaussianRenyi(X, 1, 1), HALVES[0]), [], [X >= 1]),
    "a divergence of order 1 of a sampled mechanism": (n.Eq(n.SampledGaussianRenyi(X, 1, HALVES[0]), HALVES[0]), [], [X >= 1]),
    "a divergence of order 1 of Laplace noise": (n.Eq(NOISE, n.exp(-1)), [], [X >= 1]),
    "a quantity that is no number": (n.Ne(1, n.RenyiMoment(2, P[A], P[A + 1], PLACES)), [], []),
    "a condition without a value": (n.ForAll(U, n.And(1 / U < 1, U >= -1, U <= 1), U < 0), [], [X >= 1]),
}
"""A premise that may be true where the checker takes it for false, and what makes it clear, if anything does."""


@pytest.mark.parametrize("name", UNCLEAR)
def test_what_a_premise_says_of_infinite_values_shows_nothing(name: str) -> None:
    """A document that shows 0 ≤ −1 from it, and from 0 ≤ −1 all that it must: that premise alone makes nothing clear."""
    premise, clearing, others = UNCLEAR[name]
    for more, found in ((clearing, bool(clearing)), (others, False)):
        wanted = claim(X - X <= -1, premise, *more)
        read = read_of(*wanted.terms[:1], *wanted.terms[1])
        own = read_of(term(premise)).claim
        hypotheses = frozenset([own, *(g for g in read.given if g.tag == "=" and g.parts[0].tag == "Phi")])
        asked = [*read.asked, *(o for f in read.given for o in obligations(f)), *(c for f in read.unclear.values() for c in f or ())]
        shown = tuple(Sequent(hypotheses, o) for o in asked)
        assert proves(Statement("a", tuple(read.given), read.claim, frozenset(), 1, shown), wanted) is found, more


def test_a_quantile_must_exist_in_the_statement_that_was_typed() -> None:
    """Else Φ(x) = p would be a premise that shows anything, whatever sympy has made of the statement."""
    for p, given, found in ((X, [], False), (X, [X > 0], False), (X, [X > 0, X < 1], True), (2, [], False), (1 / (1 + E), [], True)):
        wanted = claim(T + 0 * n.NormalQuantile(p) <= T + 1, *given)
        wanted.__dict__["sympy then"] = to_sympy(T <= T + 1)
        assert proves(as_sympy_reads(wanted), wanted) is found, p


def test_two_things_of_one_name_stay_apart() -> None:
    found = read_of(n.real("a.b") + n.real("a_b") <= n.family("a_b")[1] + n.real("lambda") + n.real("exp"))
    assert show(found.claim) == "a_b + a_b1 <= a_b2(1) + lam + exp_" and len(found.given) == 1


@lru_cache
def proved_claims() -> list[Claim]:
    return [entry.claim for entry in collect([catalogue_folder()]) if is_stored(entry.claim)]


def is_stored(found: Claim) -> bool:
    return (name := name_of(found)) is not None and (folder() / f"{name}.jsonl").is_file()


def believed(found: Claim, twin: Claim) -> bool:
    """Whether the document of a claim proves another claim."""
    statement = accepted(str(name_of(found)), folder())
    assert statement.citations or proves(statement, found), found.id
    return proves(statement, twin)


def check_twins(every: int, start: int) -> int:
    chosen = proved_claims()[start::every]
    twins = [(found, found.twin(found.mutant)) for found in chosen if found.mutant is not None]
    assert [twin.id for found, twin in twins if believed(found, twin)] == []
    return len(twins)


def test_a_document_proves_its_claim_and_not_its_twin() -> None:
    assert check_twins(48, 5) >= 2


@pytest.mark.slow
def test_all_documents_prove_their_claims_and_not_their_twins() -> None:
    assert check_twins(1, 0) >= 100
