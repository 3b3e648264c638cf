"""Closed forms of finite sums, as equations: a telescope by induction over its upper end, a row of binomial coefficients by its theorem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sympy

from dpbounds.compile.recursions import last_term
from dpbounds.compile.steps import NotWritten
from dpbounds.compile.towers.problems import Problems
from dpbounds.descent.problem import Problem
from dpbounds.descent.written import expression_of
from dpbounds.kernel.terms import ONE, Term, at_most, equal, minus, node, plus, substitute, times, value


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
