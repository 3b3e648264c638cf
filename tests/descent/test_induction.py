"""Inductions: each condition, with a false statement that only this condition refuses."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy
from sympy import Rational, Sum, exp, log, sqrt

from dpbounds import Claim
from dpbounds.claims.boxes.inequalities import problems_of
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.claims.evidence.replay import replay
from dpbounds.claims.settling import settle
from dpbounds.descent.changes import changed as change
from dpbounds.descent.induction import from_values, parts_of
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.search.solve import solve
from dpbounds.descent.written import expression_of, row_of
from dpbounds.language.symbols import index, positive_integer, real
from tests.descent.statements import claim

n = positive_integer("n")
k = index("k")
q, u, x = real("q u x")
N = sympy.Symbol("n")


def total(term: Any, last: Any = n, first: int = 1) -> Any:
    return Sum(term, (k, first, last))


def settled(then: Any, *given: Any) -> bool:
    found = certificate_of(claim(then, *given), 0.5)
    if found is not None:
        assert found is not None
    return found is not None


def changed(then: Any, *given: Any, rows: Any) -> dict[str, Any]:
    """A certificate of the start and of the step after changes of variables: [before, then] for each part."""
    (problem,) = problems_of(claim(then, *given))
    parts = [solve(part, 2, *row) or {"parts": []} for part, row in zip(parts_of(problem, "n", None), rows, strict=True)]
    return {"problems": [{"in": "n", "induction": parts}]}


def document(then: Any, *given: Any, witness: Any = None, later: int = 0) -> tuple[Any, dict[str, Any], list[bool]]:
    """The problem, and a certificate of all parts that have one, whether or not the others do."""
    (problem,) = problems_of(claim(then, *given))
    parts = [solve(part, 2) for part in parts_of(problem, "n", witness, later)]
    row = {} if witness is None else {"witness": row_of(witness)}
    return (
        problem,
        {"in": "n", "later": later, **row, "induction": [part or {"parts": []} for part in parts]},
        [part is not None for part in parts],
    )


@pytest.mark.parametrize(
    ("then", "given"),
    [
        (total(1 / sqrt(k)) <= 2 * sqrt(n) - 1, []),
        (total(1 / k) <= 1 + log(n), []),
        (total(1 / k**2) <= Rational(7, 4), []),
        (total(1 / k, n + 1) >= log(n + 2), []),
        (total(q**k) <= q / (1 - q), [q > 0, q < 1]),
        (total(exp(-u * k)) <= 1 / (exp(u) - 1), [u > 0]),
    ],
)
def test_sums_against_functions(then: Any, given: Any) -> None:
    assert settled(then, *given)


def test_every_start_counts() -> None:
    """The gap never falls, and begins below 0."""
    then = total(1 / k) >= log(n) + Rational(101, 100)
    problem, found, shown = document(total(1 / k) + Rational(1, 100) >= log(n + 1) + Rational(31, 100) + log(Rational(3, 2)))
    assert shown == [False, True]
    assert not settled(then)


def test_every_step_counts() -> None:
    """1 ≤ 1.9, and 2√n grows faster than 1.9√n."""
    problem, found, shown = document(total(1 / sqrt(k)) <= Rational(19, 10) * sqrt(n))
    assert shown == [True, False]


def test_a_strict_statement_is_strict_at_the_start() -> None:
    """Σ 1/k² ≤ 2 − 1/n is an equation at n = 1."""
    assert settled(total(1 / k**2) <= 2 - 1 / n)
    assert not settled(total(1 / k**2) < 2 - 1 / n)
    assert settled(total(1 / k**2) < 2 - 1 / n, n >= 2)


def test_only_integers_have_a_next_one() -> None:
    """x(x − 1)(x − 2) grows from each integer ≥ 1 to the next one, and is negative between 1 and 2."""
    assert settled(n * (n - 1) * (n - 2) >= 0)
    assert not settled(x * (x - 1) * (x - 2) >= 0, x >= 1)
    problem, found, shown = document(n * (n - 1) * (n - 2) >= 0)
    assert shown == [True, True]


def test_a_step_is_not_squared() -> None:
    """√((4n − 6)² − 1) is at least 4n − 6 at n = 1, where that is −2, and at no other n; the difference of the squares is always −1."""
    then = sqrt((4 * n - 6) ** 2 - 1) >= 4 * n - 6
    assert not settled(then) and not settled(then, n <= 50)
    (problem,) = problems_of(claim(then))
    for part in parts_of(problem, "n", None):
        with pytest.raises(DescentRefused, match="squares of what is not compared"):
            change(part, ["squared"], before=True)
    assert settle(claim(then)).verdict.name == "REFUTED"


def values(then: Any, *given: Any, later: int) -> tuple[Any, dict[str, Any], list[bool]]:
    """The problem, and a certificate of the first integers and of what follows, of all parts that have one."""
    (problem,) = problems_of(claim(then, *given))
    parts = [solve(part, 2) for part in from_values(problem, "n", later)]
    return problem, {"in": "n", "values": [part or {"parts": []} for part in parts]}, [part is not None for part in parts]


def test_each_single_value_counts() -> None:
    """n(n − 2) ≥ 0 fails at 1 alone, n(n − 1)(n − 2) > 0 at 1 and 2; neither the first nor the last value may be left out."""
    for then, later, expected in (
        (n * (n - 2) >= 0, 1, [False, True]),
        (n * (n - 2) >= 0, 2, [False, True, True]),
        ((n - 1) * (n - 3) >= 0, 2, [True, False, True]),
        ((n - Rational(3, 2)) * (n - Rational(5, 2)) >= 0, 1, [True, False]),
        (1 / n > Rational(1, 4), 2, [True, True, False]),
    ):
        problem, found, shown = values(then, later=later)
        assert shown == expected


def test_single_values_start_at_the_least_n_and_end_before_the_last_one() -> None:
    (problem,) = problems_of(claim(n**2 >= n, n <= 3))
    assert [(own.low, own.high) for own in (part.box["n"] for part in from_values(problem, "n", 2))] == [(1, 1), (2, 2), (3, 3)]
    with pytest.raises(DescentRefused, match="beyond the end"):
        from_values(problem, "n", 3)
    for later in (0, -1, 41):
        with pytest.raises(DescentRefused, match="a late start"):
            from_values(problem, "n", later)
    own = problem.box["n"]
    for range_ in (replace(own, low=None), replace(own, low_closed=False), replace(own, low=Fraction(3, 2))):
        with pytest.raises(DescentRefused, match="no least value"):
            from_values(replace(problem, box={"n": range_}), "n", 1)


def test_the_start_has_one_value() -> None:
    """Sums are written out for one n; over a larger range of n they would be too short."""
    (problem,) = problems_of(claim(total(1 / k) <= 1))
    first, growth = parts_of(problem, "n", None)
    wider = change(first, ["wide", "n", "1", "5"], before=True)
    for fixed in wider.faces():
        if "n" not in fixed:
            with pytest.raises(DescentRefused, match="many values"):
                wider.with_fixed(fixed).free()
    assert solve(first, 1) is not None and solve(growth, 1) is None


def test_a_premise_about_n_is_refused() -> None:
    """q ≥ 5 − n: at n = 1 the least q is 4, at n = 3 it is 2, and 2 + 1 + 1/4 + 1/9 is below 4."""
    (problem,) = problems_of(claim(q + total(1 / k**2) >= 4, q >= 5 - n))
    with pytest.raises(DescentRefused, match="a premise that speaks of n"):
        parts_of(problem, "n", None)
    assert not settled(q + total(1 / k**2) >= 4, q >= 5 - n)


def test_terms_do_not_speak_of_n() -> None:
    """Σ (k − n) is −n(n − 1)/2, although the last term is 0."""
    assert not settled(total(k - n) >= 0)
    (problem,) = problems_of(claim(total(k - n) >= 0))
    with pytest.raises(DescentRefused, match="does not run up to n"):
        parts_of(problem, "n", None)


def test_sums_that_run_elsewhere_are_refused() -> None:
    for last in (2 * n, n**2):
        (problem,) = problems_of(claim(total(k, last) >= 1))
        with pytest.raises(DescentRefused):
            parts_of(problem, "n", None)


def test_a_sum_has_a_value_at_the_least_n() -> None:
    """Σ from 4 to n has no value for n = 1 or 2; from n = 3 on it has, and is empty there."""
    assert not settled(total(1 / k, first=4) >= 0)
    assert settled(total(1 / k, first=4) >= 0, n >= 3)


def test_each_term_is_defined() -> None:
    """1/(k − 5) has no value at k = 5, wherever the sum starts; nor has log(k − 2) at 1."""
    assert not settled(total(1 / (k - 5) ** 2) >= 0)
    assert not settled(total(log(k - 2) ** 2) >= 0)
    assert settled(total(1 / (k - 5) ** 2, first=6) >= 0, n >= 6)


def test_many_terms_at_the_start_are_left_alone() -> None:
    few, many = (problems_of(claim(total(1 / k) >= 1, n >= least))[0] for least in (30, 1000))
    assert parts_of(few, "n", None)
    with pytest.raises(DescentRefused, match="a sum that is not written out at the least n"):
        parts_of(many, "n", None)


def test_a_name_with_a_blank_is_refused() -> None:
    """The sums have such names in the step."""
    (problem,) = problems_of(claim(total(1 / k) >= 1))
    with pytest.raises(DescentRefused, match="a name with a blank"):
        parts_of(replace(problem, box={**problem.box, "sum 0": problem.box["n"]}), "n", None)


def test_a_witness_is_an_expression_in_the_variables() -> None:
    assert expression_of(row_of(exp(-N) / (1 + sqrt(N))), ["n"]) == exp(-N) / (1 + sqrt(N))
    for row in ("m", "1e9", ["+"], ["/", "n", "2"], ["^", "n"], ["exp", "n", "n"], 3, None, ["n", "n"]):
        with pytest.raises(DescentRefused):
            expression_of(row, ["n"])
    deep: Any = "n"
    for _ in range(40):
        deep = ["exp", deep]
    with pytest.raises(DescentRefused, match="deep"):
        expression_of(deep, ["n"])


def test_an_induction_is_a_verdict_and_replays() -> None:
    squares = Claim(id="a", text="", then=total(1 / k**2) <= 2 - 1 / n)
    outcome = settle(squares)
    assert outcome.verdict.name == "CERTIFIED" and outcome.certificate is not None
    assert replay(outcome.certificate, squares).verdict is outcome.verdict
