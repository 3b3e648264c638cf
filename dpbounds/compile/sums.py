"""Closed forms of finite sums, as equations: a telescope by induction over its upper end, a row of binomial coefficients by its theorem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy

from dpbounds.compile.inductions import last_term
from dpbounds.compile.steps import NotWritten, Steps
from dpbounds.compile.towers.problems import Problems
from dpbounds.descent.problem import Problem
from dpbounds.descent.written import expression_of
from dpbounds.kernel.terms import (
    ONE,
    ZERO,
    Term,
    at_most,
    binder,
    equal,
    implies,
    minus,
    negative,
    node,
    over,
    plus,
    substitute,
    times,
    value,
)


def closed_sum(
    problems: Problems, problem: Problem, sum_: Any, row: Mapping[str, Any], names: Mapping[str, Term], known: Sequence[int]
) -> int:
    """Σ = its closed form for all values of its upper end, which is an integer variable n: ∀n (a ≤ n → …).

    Args:
        problems: compiles the terms.
        problem: what the sum stands in.
        sum_: the sum.
        row: what the certificate says of it.
        names: the variables of the claim as terms.
        known: what is given.

    Raises:
        NotWritten: another rule, or another kind of end.
    """
    if row["by"] == "binomial":
        return _row_of_binomials(problems, problem, sum_, row, names, known)
    if row["by"] != "telescope" or not isinstance(sum_, sympy.Sum):
        raise NotWritten(f"the rule closed by {row['by']}")
    steps, index = problems.c.steps, sum_.args[1][0].name
    total = problems.term(sum_, names)
    low, n, _ = total.parts
    if n.tag != "v" or n.sort != "Z" or value(low) is None:
        raise NotWritten("a sum with another end")
    own = expression_of(row["of"], (*problem.box, index))

    def primitive(t: Term) -> Term:
        return problems.term(own, {**names, index: t})

    formula = equal(total, minus(primitive(plus(n, ONE)), primitive(low)))
    facts = [k for k in known if n not in steps.formula(k).free]
    single = steps.write("sum_single", total=node("sum", low, low, total.parts[2]))
    base = steps.attempt("linear", single, *facts, formula=substitute(formula, {n: low}), multipliers=[ONE])
    order, here = steps.assume(at_most(low, n)), steps.assume(formula)
    last, split = last_term(steps, total, n, order)
    goal = substitute(formula, {n: plus(n, ONE)})
    grown = steps.attempt("linear", here, split, last, order, *facts, formula=goal, multipliers=[ONE] * 3)
    if base is None or grown is None:
        raise NotWritten("a telescope that is not seen")
    return steps.write("specialize", steps.write("induction", base, grown, variable=n, start=low, formula=formula), at=n)


def _row_of_binomials(
    problems: Problems, problem: Problem, sum_: Any, row: Mapping[str, Any], names: Mapping[str, Term], known: Sequence[int]
) -> int:
    """0 ≤ n → Σ C(n, k)·g(k) = g(0)·(1 + r)^n for g(k + 1) = r·g(k)."""
    steps = problems.c.steps
    total = problems.term(sum_, names)
    low, n, _ = total.parts
    if n.tag != "v" or n.sort != "Z" or value(low) != 0:
        raise NotWritten("a row of binomial coefficients that is not whole")
    first, ratio = (problems.term(expression_of(row[key], problem.box), names) for key in ("first", "ratio"))
    order = steps.assume(at_most(low, n))
    theorem = steps.write("binomial_theorem", order, left=ratio, right=ONE)
    goal = equal(total, times(first, steps.formula(theorem).parts[1]))
    found = steps.attempt("linear", theorem, *known, order, formula=goal, multipliers=[first])
    if found is None:
        raise NotWritten("a row of binomial coefficients that is not seen")
    return steps.write("discharge", found, formula=at_most(low, n))


def pascal(steps: Steps, n: Term, k: Term) -> int:
    """∀k (0 ≤ k → ∀n (k + 1 ≤ n → (n − k)·C(n, k) = n·C(n − 1, k))), by induction over k with k·C(n, k) = n·C(n − 1, k − 1)."""

    def linear(formula: Term, *by: int) -> int:
        return steps.write("linear", *by, formula=formula, multipliers=[ONE] * len(by))

    before, later = minus(n, ONE), plus(k, ONE)
    same = equal(times(minus(n, k), node("binom", n, k)), times(n, node("binom", before, k)))
    formula = binder("all", n, implies([at_most(later, n)], same))

    def closed(step: int, at: Term) -> int:
        return steps.write("generalize", steps.write("discharge", step, formula=substitute(at_most(later, n), {k: at})), variable=n)

    start, zero = steps.assume(substitute(at_most(later, n), {k: ZERO})), linear(at_most(ZERO, ZERO))
    ones = [steps.write("part", steps.write("binomial_positive", zero, linear(at_most(ZERO, m), start)), number=1) for m in (n, before)]
    base = closed(steps.write("linear", *ones, formula=substitute(same, {k: ZERO}), multipliers=[n, negative(n)]), ZERO)
    least, here = steps.assume(at_most(ZERO, k)), steps.assume(formula)
    order = steps.assume(at_most(plus(later, ONE), n))
    smaller = steps.write("detach", steps.write("specialize", here, at=before), linear(at_most(later, before), order))
    one = linear(at_most(ONE, later), least)
    ups = [steps.write("absorption", linear(at_most(ONE, m), order, least), one) for m in (n, before)]
    weights = [over(minus(n, later), later), negative(over(n, later)), over(n, later)]
    grown = steps.write("linear", *ups, smaller, least, formula=substitute(same, {k: later}), multipliers=weights)
    return steps.write("induction", base, closed(grown, later), variable=k, start=ZERO, formula=formula)
