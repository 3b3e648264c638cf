"""Tails of binomial and Poisson sums by Chernoff's bound, and terms compared beside a coefficient; each condition."""

import copy
import functools
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import comb, exp, factorial
from typing import Any

import pytest
import sympy
from sympy import E, Sum, binomial, oo

from dpbounds import Claim
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.descent.integrals import closed as rules
from dpbounds.descent.integrals.closed import check_closed
from dpbounds.descent.integrals.sums import is_coefficient, is_factorial, is_whole_multiple
from dpbounds.descent.interval import Interval
from dpbounds.descent.problem import Problem
from dpbounds.descent.refusal import DescentRefused
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


def refuses(problem: Problem, row: dict[str, Any], integers: frozenset[str] = INTEGERS, why: str = "", **changes: Any) -> None:
    with pytest.raises((DescentRefused, ValueError, KeyError), match=why or None):
        check_closed(problem, [{**copy.deepcopy(row), **changes}], integers)


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


def with_proofs(problem: Problem, row: dict[str, Any], monkeypatch: pytest.MonkeyPatch, **changes: Any) -> tuple[dict[str, Any], list[int]]:
    """A row with the best that anyone may write: a certificate for each condition that has one, and another condition's where none has."""
    row, asked = {**copy.deepcopy(row), **changes, "shown": [None] * (5 if changes.get("side") == -1 else 4)}, []
    with monkeypatch.context() as patched:
        patched.setattr(rules, "check", lambda part, proof: asked.append(part))
        check_closed(problem, [row], INTEGERS)
    proofs = [solve(part, 1) for part in asked]
    other = next(proof for proof in proofs if proof is not None)
    return {**row, "shown": [proof or other for proof in proofs]}, [i for i, proof in enumerate(proofs) if proof is None]


def test_each_condition_of_a_tilted_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = problem_of(Sum(mass, (j, m, n)) <= (1 - q + q * x) ** n / x**m, m <= n, x >= 1, q < 1)
    row = row_of_rule(problem, "tilted")
    two, missing = with_proofs(problem, row, monkeypatch, of="2")
    check_closed(problem, [two], INTEGERS)
    assert not missing
    # x ≤ 1 is not shown for the lower side, nor 1 ≤ 1/2, nor 1 ≤ q: each alone, with proofs of all the rest
    for changes in ({"side": -1}, {"of": "1/2"}, {"of": "q"}):
        forged, missing = with_proofs(problem, row, monkeypatch, **changes)
        assert missing == [2]
        refuses(problem, forged)
    refuses(problem, two, of="1/2", why="the sign is the other one")
    refuses(problem, row, side=0, why="no such side")
    refuses(problem, row, shown=row["shown"][:-1], why="one certificate")
    refuses(problem, row, integers=frozenset({"n"}), why="no sum between integers")
    refuses(problem, row, integers=frozenset({"m"}), why="no sum between integers")
    # nor m ≤ n + 1 without the premise m ≤ n, nor 1 ≤ x for x ≥ 1/2
    for at, looser in ((3, {"premises": ()}), (2, {"box": {**problem.box, "x": Interval(Fraction(1, 2), None, True)}})):
        forged, missing = with_proofs(replace(problem, **looser), row, monkeypatch)
        assert missing == [at]
        refuses(replace(problem, **looser), forged)
    refuses(replace(problem, box={**problem.box, "m": Interval(Fraction(-3), None, True)}), row, why="begins below 0")
    check_closed(problem, [row], INTEGERS)


def test_a_row_of_a_tilted_sum_is_not_negative(monkeypatch: pytest.MonkeyPatch) -> None:
    """All else is shown for n ≥ −3 too."""
    given = problem_of(Sum(mass, (j, m, n)) <= (1 - q + q * x) ** n / x**m, m <= n, x >= 1, q < 1)
    problem = replace(given, box={**given.box, "n": Interval(Fraction(-3), None, True)})
    with monkeypatch.context() as patched:
        patched.setattr(rules, "require_counts", lambda *_: None)
        row = row_of_rule(problem, "tilted")
    refuses(problem, row, why="a row or a place that may be negative")


def test_a_tilted_series_has_positive_terms() -> None:
    """Σ_{j≤m} (−1)^j C(n, j) is no part of (1 − 1)^n, and −C(n, j) is more than −2^n: both would be bounds if signs were not asked for."""
    problem = problem_of(Sum(binomial(n, j), (j, 0, m)) <= (E * n / m) ** m, m <= n)
    row = row_of_rule(problem, "tilted")
    negative = replace(problem, small=Sum(-binomial(n, j), (j, 0, m)))
    refuses(negative, row, first="-1", why="the sign is the other one")
    refuses(negative, row, why="not the first term")
    refuses(replace(problem, small=Sum(2 * binomial(n, j), (j, 0, m))), row, why="not the first term")
    refuses(problem, row, ratio="3", why="not that ratio of terms")
    refuses(replace(problem, small=Sum(binomial(n, j) ** 2, (j, 0, m))), row, why="not one such factor")
    refuses(replace(problem, small=Sum(binomial(n, j) * binomial(m, j), (j, 0, m))), row, why="several binomial coefficients")
    refuses(replace(problem, small=sympy.Integral(binomial(n, x), (x, 0, m))), row, why="no sum between integers")
    refuses(replace(problem, small=Sum(binomial(n + j, j), (j, 0, m))), row, why="not one such factor")
    refuses(replace(problem, small=Sum(binomial(n, j + 1), (j, 0, m))), row, why="not one such factor")
    refuses(replace(problem, small=Sum(binomial(n - m, j), (j, 0, m))), row, why="may be negative")


def test_a_ratio_that_is_negative_is_refused() -> None:
    problem = problem_of(Sum((-lam) ** j / sympy.factorial(j), (j, m, oo)) <= 1, m >= lam)
    good = problem_of(Sum(poisson, (j, m, oo)) <= (E * lam / m) ** m, m >= lam)
    row = row_of_rule(good, "tilted")
    refuses(problem, row, why="not that logarithm")  # of −λ
    refuses(problem, row, ratio=["*", "-1", "lambda"], why="not that logarithm")
    infinite = {**row, "side": -1, "of": "1", "shown": [*row["shown"][:2], row["shown"][2], row["shown"][2], None]}
    refuses(good, infinite, why="no such side")


def test_a_bound_stands_above_a_whole_smaller_side_only() -> None:
    problem = problem_of(Sum(mass, (j, m, n)) <= (1 - q + q * x) ** n / x**m, m <= n, x >= 1, q < 1)
    row = row_of_rule(problem, "tilted")
    closed = check_closed(problem, [{**row, "above": True}], INTEGERS)
    assert not closed.nodes and not any(name.startswith("rest") for name in closed.box)
    turned = replace(problem, large=problem.small, small=problem.large)
    refuses(turned, row, above=True, why="not the whole smaller side")
    refuses(replace(problem, small=-problem.small), row, above=True, why="not the whole smaller side")
    refuses(replace(problem, large=problem.large + problem.small), row, above=True, why="not the whole smaller side")
    telescope = problem_of(Sum(2**j, (j, 0, n)) <= 2 ** (n + 1))
    found = certificate_of(claim_of(telescope.small <= telescope.large))
    assert found is not None
    refuses(telescope, found["problems"][0]["closed"][0], above=True, why="no bound from above")


def test_terms_are_compared_beside_a_coefficient_that_is_not_negative() -> None:
    problem = problem_of(Sum(moment, (j, 0, n)) <= sympy.exp(n * (n - 1) / (2 * sigma**2)), q < 1)
    row = row_of_rule(problem, "terms")
    places = [at for at, _ in row["beside"]]
    factors = sympy.Mul.make_args(problem.small.args[0])
    assert len(places) == len(factors) - 1
    (value,) = check_closed(problem, [row], INTEGERS).nodes.values()
    (bound,) = value.atoms(Sum)
    for count in (1, 2, 5):
        both = [
            float(part.subs({s: {"n": count, "q": R(1, 3), "sigma": R(3, 2)}[s.name] for s in part.free_symbols}).doit())
            for part in (problem.small, bound)
        ]
        assert both[0] <= both[1] * (1 + 1e-12)
    without = [part for part in row["beside"] if factors[part[0]] != binomial(n, j)]
    unproved = [[at, None] for at in places]
    refuses(problem, row, beside=unproved, why="may be negative")
    refuses(problem, row, beside=[*row["beside"], row["beside"][0]], why="no such factor")
    refuses(problem, row, beside=[], why="nothing beside")
    refuses(problem, row, beside=[[-1, None]], why="no such factor")
    refuses(problem, row, beside=[[True, None]], why="no such factor")
    refuses(problem, row, beside=without, why="binomial is not a function of towers")
    refuses(problem, row, of="0", why="not these factors")  # the proof of 1 ≥ q^j says nothing of 0 ≥ q^j
    refuses(problem, row, integers=frozenset(), why="a sum that does not run between integers")
    below = replace(problem, box={**problem.box, "n": Interval(Fraction(-3), None, True)})
    first = sorted(row["beside"], key=lambda part: factors[part[0]] != binomial(n, j))
    refuses(below, row, beside=first, why="a row or a place that may be negative")


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (binomial(j - n, j), "binomial is not written"),
        (binomial(n, 2 * j), "binomial is not written"),
        (binomial(n - 3, j), "a row or a place that may be negative"),
        (sympy.log(j + R(1, 2)), "a factor that may be negative"),
        (-binomial(n, j), "a factor that may be negative"),
    ],
    ids=str,
)
def test_a_factor_that_may_be_negative_is_none_to_stand_beside(other: Any, why: str) -> None:
    """C(j − n, j) and log(j + 1/2) may be negative; a factor is read, not guessed."""
    problem = problem_of(Sum(moment, (j, 0, n)) <= sympy.exp(n * (n - 1) / (2 * sigma**2)), q < 1)
    row = row_of_rule(problem, "terms")
    before = sympy.Mul.make_args(problem.small.args[0])
    term = problem.small.args[0].xreplace({binomial(n, j): other})
    after = list(sympy.Mul.make_args(term))
    moved = [[after.index(before[at]), proof] for at, proof in row["beside"] if before[at] != binomial(n, j)]
    (compared,) = set(range(len(before))) - {at for at, _ in row["beside"]}
    kept = {*(at for at, _ in moved), after.index(before[compared])}
    moved += [[i, None] for i in range(len(after)) if i not in kept]
    assert len(moved) == len(after) - 1
    refuses(replace(problem, small=Sum(term, problem.small.args[1])), row, beside=moved, why=why)


@pytest.mark.parametrize("side", [1, -1])
def test_what_a_tilted_sum_asks_for(side: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """r ≥ 0, g(0) ≥ 0, x on its side of 1, and an end that is not before the start: each of them alone may be what refuses.

    No function of towers has a ratio r < 0 unless it is 0, so no sum is refused for r alone.
    """
    text = (Sum(mass, (j, m, n)), x >= 1) if side == 1 else (Sum(mass, (j, 0, m)), x <= 1)
    problem = problem_of(text[0] <= (1 - q + q * x) ** n / x**m, m <= n, text[1], q < 1)
    row = row_of_rule(problem, "tilted")
    asked: list[Problem] = []
    monkeypatch.setattr(rules, "check", lambda part, proof: asked.append(part))
    check_closed(problem, [{**row, "of": "x", "side": side}], INTEGERS)
    ratio, first, *tilts, ends = [(str(part.large), str(part.small), part.strict) for part in asked]
    assert "q" in ratio[0] and ratio[1:] == ("0", False) and "n" in first[0] and first[1:] == ("0", False)
    assert tilts == ([("x", "1", False)] if side == 1 else [("1", "x", False), ("x", "0", True)])
    assert ends == (("n + 1", "m", False) if side == 1 else ("m + 1", "0", False))
    assert all(part.premises == problem.premises and part.box == problem.box for part in asked)


def test_what_is_no_bound_less_a_number_is_refused() -> None:
    problem = problem_of(Sum(mass, (j, m, n)) <= (1 - q + q * x) ** n / x**m, m <= n, x >= 1, q < 1)
    node, w, one = problem.small, sympy.Symbol("rest_0"), sympy.S.One
    less, box = sympy.Mul(-1, w, evaluate=False), {"rest_0": Interval(Fraction(0), None, True)}

    def above(*parts: Any, ranges: Any = box, given: Problem = problem) -> Any:
        return rules._bound_above(given, node, sympy.Add(*parts, evaluate=False), ranges, "rest_0")

    assert above(one, less) == 1
    for parts in ((one, w), (one, one, less), (w, less), (less, less), (q, one)):
        with pytest.raises(DescentRefused, match="no bound from above"):
            above(*parts)
    for ranges in ({}, {**box, "other": Interval()}):
        with pytest.raises(DescentRefused, match="no bound from above"):
            above(one, less, ranges=ranges)
    with pytest.raises(DescentRefused, match="no bound from above"):
        rules._bound_above(problem, node, sympy.Mul(one, less, evaluate=False), box, "rest_0")
    with pytest.raises(DescentRefused, match="whole smaller side"):
        above(one, less, given=replace(problem, nodes={sympy.Abs(q - 2): 2 - q}))
    with pytest.raises(DescentRefused, match="other variables"):
        rules._least_of(problem, sympy.Symbol("z"))


def test_what_stands_beside_is_in_a_sum_from_0_on() -> None:
    """An integral is no sum of the same terms; C(n, j) and 1/j! have no value where j < 0."""
    problem = problem_of(Sum(moment, (j, 0, n)) <= sympy.exp(n * (n - 1) / (2 * sigma**2)), q < 1)
    row = row_of_rule(problem, "terms")
    for kept in (binomial(n, j), 1 / sympy.factorial(j)):
        term = sympy.Mul(kept, 2**j, evaluate=False)
        below = replace(problem, small=Sum(term, (j, -3, n)))
        refuses(below, row, beside=[[term.args.index(kept), None]], why="begins below 0")
    plain = sympy.Mul(q, sympy.exp(x), evaluate=False)
    refuses(replace(problem, small=sympy.Integral(plain, (x, 0, 1))), row, beside=[[0, None]], why="nothing beside")


def test_what_is_a_coefficient_a_factorial_and_a_whole_multiple() -> None:
    assert is_coefficient(binomial(n, j), "j") and is_factorial(1 / sympy.factorial(j), "j")
    for other in (binomial(n + j, j), binomial(n, j + 1), binomial(n, m), binomial(n, 2 * j), 1 / sympy.factorial(j)):
        assert not is_coefficient(other, "j")
    powers = (sympy.factorial(j), 1 / sympy.factorial(j) ** 2, sympy.log(sympy.factorial(j)))
    for other in (*powers, 1 / sympy.factorial(m), 1 / sympy.factorial(2 * j), 1 / j, binomial(n, j)):
        assert not is_factorial(other, "j")
    assert all(is_whole_multiple(part, INTEGERS) for part in (sympy.Integer(-3), sympy.S.Zero, n, -2 * m))
    assert not any(is_whole_multiple(part, INTEGERS) for part in (R(1, 2), n / 2, R(3, 2) * n, 2 * q, n * m, n**2, oo, -oo))
