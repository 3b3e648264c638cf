"""Sums and integrals compared through their terms, and false twins."""

from typing import Any

import mpmath
import pytest
import sympy
from sympy import Integral, Rational, Sum, exp, oo, pi, sqrt

from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.descent.integrals.closed import check_closed
from dpbounds.descent.problem import Problem
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
