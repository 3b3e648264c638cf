"""Inductions: each condition, with a false statement that only this condition refuses."""

from typing import Any

import pytest
from sympy import Rational, Sum, exp, log, sqrt

from dpbounds import Claim
from dpbounds.claims.boxes.inequalities import problems_of
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.claims.evidence.replay import replay
from dpbounds.claims.settling import settle
from dpbounds.descent.induction import from_values, parts_of
from dpbounds.descent.search.solve import solve
from dpbounds.language.symbols import index, positive_integer, real
from tests.descent.statements import claim

n = positive_integer("n")
k = index("k")
q, u, x = real("q u x")


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
    parts = [solve(part, 2, *row) or {"parts": []} for part, row in zip(parts_of(problem, "n"), rows, strict=True)]
    return {"problems": [{"in": "n", "induction": parts}]}


def document(then: Any, *given: Any, later: int = 0) -> tuple[Any, dict[str, Any], list[bool]]:
    """The problem, and a certificate of all parts that have one, whether or not the others do."""
    (problem,) = problems_of(claim(then, *given))
    parts = [solve(part, 2) for part in parts_of(problem, "n", later)]
    return (
        problem,
        {"in": "n", "later": later, "induction": [part or {"parts": []} for part in parts]},
        [part is not None for part in parts],
    )


@pytest.mark.parametrize(
    ("then", "given"),
    [
        (total(1 / sqrt(k)) <= 2 * sqrt(n) - 1, []),
        (total(1 / k) <= 1 + log(n), []),
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


def test_a_sum_has_a_value_at_the_least_n() -> None:
    """Σ from 4 to n has no value for n = 1 or 2; from n = 3 on it has, and is empty there."""
    assert not settled(total(1 / k, first=4) >= 0)
    assert settled(total(1 / k, first=4) >= 0, n >= 3)


def test_each_term_is_defined() -> None:
    """1/(k − 5) has no value at k = 5, wherever the sum starts; nor has log(k − 2) at 1."""
    assert not settled(total(1 / (k - 5) ** 2) >= 0)
    assert not settled(total(log(k - 2) ** 2) >= 0)
    assert settled(total(1 / (k - 5) ** 2, first=6) >= 0, n >= 6)


def test_an_induction_is_a_verdict_and_replays() -> None:
    squares = Claim(id="a", text="", then=total(1 / k**2) <= 2 - 1 / n)
    outcome = settle(squares)
    assert outcome.verdict.name == "CERTIFIED" and outcome.certificate is not None
    assert replay(outcome.certificate, squares).verdict is outcome.verdict
