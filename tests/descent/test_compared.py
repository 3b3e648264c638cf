"""Sums and integrals compared through their terms: each condition, with a certificate that only it refuses."""

import copy
from dataclasses import replace
from fractions import Fraction
from typing import Any

import mpmath
import pytest
import sympy
from sympy import Integral, Rational, Sum, exp, log, oo, pi, sqrt

from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.descent.integrals.closed import check_closed
from dpbounds.descent.interval import Interval
from dpbounds.descent.problem import Problem
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.search.comparing import comparisons_of
from dpbounds.descent.search.solve import solve
from dpbounds.language.symbols import index, nonnegative, positive, positive_integer
from tests.descent.statements import claim, problem_of

n = positive_integer("n")
k, j = index("k"), index("j", start=0)
a, b, t, sigma = positive("a b t sigma")
u, v = nonnegative("u v")
INTEGERS = frozenset({"n"})
bell = exp(-(t**2) / 2)
bells = exp(-(j**2) / (2 * sigma**2))


def row_of_rule(problem: Problem, rule: str) -> dict[str, Any]:
    """The first comparison of a rule that the search finds, which the checker accepts."""
    rows = next(rows for rows in comparisons_of(problem, lambda condition: solve(condition, 2)) if rows[0] and rows[0]["by"] == rule)
    check_closed(problem, rows, INTEGERS)
    return dict(rows[0] or {})


def refuses(problem: Problem, row: dict[str, Any], why: str, integers: frozenset[str] = INTEGERS, **changes: Any) -> None:
    """A row with changes is refused for that reason; "" is any, that a proof has another form included."""
    with pytest.raises((DescentRefused, ValueError) if not why else DescentRefused, match=why or None):
        check_closed(problem, [{**copy.deepcopy(row), **changes}], integers)


@pytest.mark.parametrize(
    "then",
    [
        Integral(bell, (t, u, u + v)) <= v * exp(-(u**2) / 2),
        Integral(1 / (1 + t**4), (t, 0, b)) <= b,
        Integral(1 / (1 + t**4), (t, 0, b)) >= b / (1 + b**4),
        Integral(exp(-(t**2)), (t, u, u + v)) <= Integral(1 / (1 + t**2), (t, u, u + v)),
        Sum(exp(-(k**2)), (k, 1, n)) <= Sum(exp(-k), (k, 1, n)),
        Sum(bells, (j, 0, oo)) <= 1 + sigma * sqrt(pi / 2),
        Sum(bells, (j, 0, oo)) >= sigma * sqrt(pi / 2),
        a * Sum(1 / k**2, (k, 1, oo)) <= 2 * a,
        Sum(1 / (1 + a * k**2), (k, 1, n)) <= n / (1 + a),
        Integral(exp(-t) / (1 + t), (t, u, oo)) <= exp(-u) / (1 + u),
        Integral(exp(-(t**4)), (t, b, oo)) <= exp(-(b**4)) / (4 * b**3),
    ],
    ids=str,
)
def test_terms_settle_a_lemma(then: Any) -> None:
    own = claim(then)
    found = certificate_of(own, 5)
    assert found is not None
    assert found is not None


@pytest.mark.parametrize(
    "then",
    [
        Integral(bell, (t, u, u + v)) <= Rational(9, 10) * v * exp(-(u**2) / 2),
        Integral(1 / (1 + t**4), (t, 0, b)) <= Rational(99, 100) * b,
        Sum(exp(-(k**2)), (k, 1, n)) <= Rational(9, 10) * Sum(exp(-k), (k, 1, n)),
        Sum(bells, (j, 0, oo)) <= Rational(9, 10) + sigma * sqrt(pi / 2),
        Sum(bells, (j, 0, oo)) <= sigma * sqrt(pi / 2),
        a * Sum(1 / k**2, (k, 1, oo)) <= Rational(8, 5) * a,
        Sum(a / (k + a), (k, 1, oo)) <= 100 * a,
        Sum(1 / (1 + a * k**2), (k, 1, n)) <= n / (2 + a),
        Integral(exp(-t) / (1 + t), (t, u, oo)) <= exp(-u) / (Rational(9, 5) + u),
    ],
    ids=str,
)
def test_a_false_twin_is_not_settled(then: Any) -> None:
    assert certificate_of(claim(then), 0.3) is None


def test_each_term_of_an_integral_is_compared() -> None:
    problem = problem_of(Integral(1 / (1 + t**4), (t, 0, b)) <= b)
    row = row_of_rule(problem, "terms")
    refuses(problem, row, "", of="1/2")
    refuses(problem, row, "", side=-1)
    refuses(problem, row, "no such side", side=2)
    refuses(problem, row, "one certificate", shown=row["shown"][:1])
    check_closed(problem, [row], INTEGERS)


def test_the_ends_of_an_integral_are_in_order() -> None:
    """∫_1^b 2 ≤ ∫_1^b 3 is false for b < 1, where it is −∫_b^1."""
    problem = problem_of(Integral(1 / (1 + t**4), (t, 1, b)) <= b - 1, b >= 1)
    row = row_of_rule(problem, "terms")
    backwards = replace(problem, box={"b": Interval(Fraction(0), None, False, False)}, premises=())
    refuses(backwards, row, "")
    check_closed(problem, [row], INTEGERS)


def test_the_terms_are_defined_at_the_ends() -> None:
    """∫_0^b log(t)·(−1)/t has no value, though each term is at least −1 for t ≤ 1/2; its integrand is not defined at 0."""
    problem = problem_of(Integral(-log(t) / t, (t, 0, b)) >= -b, b <= Rational(1, 2))
    with pytest.raises(StopIteration):
        row_of_rule(problem, "terms")


def test_numbers_to_infinity_have_no_sum() -> None:
    problem = problem_of(Integral(exp(-t), (t, 0, oo)) <= 1 + a)
    below = solve(replace(problem, large=sympy.S.One, small=exp(-t), box={"t": Interval(Fraction(0), None, True, False)}), 2)
    with pytest.raises(DescentRefused):
        check_closed(problem, [{"by": "terms", "side": 1, "of": "1", "shown": [below, None], "positive": below}], INTEGERS)


def test_a_sum_is_compared_with_the_integral_of_terms_that_fall() -> None:
    problem = problem_of(Sum(bells, (j, 0, oo)) <= 1 + sigma * sqrt(pi / 2))
    row = row_of_rule(problem, "monotone")
    refuses(problem, row, "", side=-1)
    refuses(problem, row, "no such side", side=0)
    refuses(problem, row, "no sum between integers", head=1)
    rising = problem_of(Sum(sqrt(k), (k, 1, n)) <= n**2)
    refuses(rising, row, "")
    check_closed(problem, [row], INTEGERS)


def test_a_sum_ends_at_an_integer() -> None:
    """Σ_{k=1}^b with b = 3/2 has one term, and is 1, not 3/2."""
    problem = problem_of(Sum(1 / (1 + a * k**2), (k, 1, n)) <= n / (1 + a))
    row = row_of_rule(problem, "terms")
    refuses(problem, row, "does not run between integers", integers=frozenset())


def test_a_premise_does_not_speak_of_the_variable() -> None:
    problem = problem_of(Integral(1 / (1 + t**4), (t, 0, b)) <= b)
    row = row_of_rule(problem, "terms")
    narrow = replace(problem, premises=((sympy.Rational(1, 2), sympy.Symbol("t"), False),))
    refuses(narrow, row, "a premise that speaks of the variable")


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("head", [True, False])
def test_what_is_left_over_is_not_negative(side: int, head: bool) -> None:
    """The rest w of each rule, at numbers, by mpmath: B − N or N − B, for terms 1/k that fall and for √k that rise."""
    term = sympy.Lambda(k, 1 / k if side == 1 else sqrt(k))
    first, last = 2, 9
    total = sum(mpmath.mpf(str(sympy.N(term(i), 20))) for i in range(first, last + 1))
    f = mpmath.mpmathify if side == -1 else (lambda x: x)
    area = mpmath.quad(lambda x: 1 / x if side == 1 else mpmath.sqrt(x), [first, last + (not head)])
    bound = area + (f(mpmath.mpf(1) / first if side == 1 else mpmath.sqrt(first)) if head else 0)
    sign = side if head else -side
    assert sign * (bound - total) >= 0
    own = Sum(term(k), (k, first, n))
    problem = problem_of((own <= 100 * n) if sign == 1 else (own >= -100 * n), n >= first)
    closed = check_closed(problem, [row_of_rule(problem, "monotone")], INTEGERS)
    (value,) = (value for node, value in closed.nodes.items() if node == own)
    shown = sympy.Add(*(part for part in value.args if not part.has(sympy.Symbol("rest_0")))).subs(sympy.Symbol("n"), last).doit()
    if value.has(Integral) and value.atoms(Integral).pop().args[1][2].has(n):
        shown = shown.subs(n, last).doit()
    assert abs(float(sympy.N(shown)) - float(bound)) <= 1e-9
    (coefficient,) = (part.coeff(sympy.Symbol("rest_0")) for part in value.args if part.has(sympy.Symbol("rest_0")))
    assert coefficient == -sign


def test_a_certificate_of_a_condition_is_checked() -> None:
    problem = problem_of(Integral(1 / (1 + t**4), (t, 0, b)) <= b)
    row = row_of_rule(problem, "terms")
    condition = Problem(sympy.S.One, 1 / (1 + sympy.Symbol("t") ** 4), False, {"t": Interval(Fraction(0), None, True, False)})
    other = solve(condition, 2)
    assert other is not None
    assert other is not None
    refuses(problem, row, "", shown=[other, row["shown"][1]])
