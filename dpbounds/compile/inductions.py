"""Inductions over an integer, with or without sums up to it: the gap does not fall from n to n + 1."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dpbounds.compile.recursions import last_term
from dpbounds.compile.steps import NotWritten, Steps, sign_of
from dpbounds.compile.towers.problems import Problems, StatedProblem, mark_of
from dpbounds.descent.induction import parts_of
from dpbounds.descent.problem import Problem
from dpbounds.kernel.terms import ONE, Term, at_most, minus, number, plus, substitute, transform


def by_induction(problems: Problems, problem: Problem, document: Mapping[str, Any], names: Mapping[str, Term], n: Term) -> int:
    """0 ≤ gap or 0 < gap for all integers n from the least one on.

    Args:
        problems: compiles the start and the step.
        problem: the statement.
        document: its certificate.
        names: the variables of the box as terms.
        n: the integer variable of the induction, which is none of them.
    """
    name, later = document["in"], int(document.get("later", 0))
    first, growth, *values = parts_of(problem, name, later)
    steps = problems.c.steps
    whole = {**names, name: n}
    gap = minus(problems.term(problem.large, whole), problems.term(problem.small, whole))
    formula = sign_of(gap, strict=problem.strict)
    own = problem.box[name]
    assert own.low is not None
    least = int(own.low)
    bases = [_at(problems, part, gap, whole, name, least + k, own_) for k, (part, own_) in enumerate(
        zip([*values, first], [*document["induction"][2:], document["induction"][0]], strict=True))]  # fmt: skip
    *earlier, base = bases
    step = _growth(problems, growth, document["induction"][1], gap, names, name, n)
    here = steps.assume(formula)
    order = steps.assume(at_most(number(least + later), n))
    facts = [k for s in growth.sums for k in last_term(steps, problems.term(s.node, whole), n, order)]  # type: ignore[attr-defined]
    goal = substitute(formula, {n: plus(n, ONE)})
    grown = steps.sum_of(goal, [here, step], [*facts, order])
    if grown is None:
        known = [*facts, order, *(steps.assume(f) for m in problem.box if m != name for part in problems.ends(
            StatedProblem(problem, gap, whole), m) for f in part)]  # fmt: skip
        grown = steps.sum_of(goal, [here, step], known)
    if grown is None:
        raise NotWritten("the step of an induction")
    every = steps.write("induction", base, grown, variable=n, start=number(least + later), formula=formula)
    found = steps.write("detach", steps.write("specialize", every, at=n), order)
    for k in range(later - 1, -1, -1):
        found = with_value(steps, formula, n, least + k, earlier[k], found)
    return found


def _at(problems: Problems, part: Problem, gap: Term, names: Mapping[str, Term], name: str, value: int, document: Mapping[str, Any]) -> int:
    """The gap at one n, its sums written out."""
    if document.get("before"):
        raise NotWritten("a start in other variables")
    stated = StatedProblem(part, gap, names)
    parts = dict(zip(map(mark_of, part.faces()), document["parts"], strict=True))
    return problems.faces(stated, {name: Fraction(value)}, parts)


def _growth(
    problems: Problems, part: Problem, document: Mapping[str, Any], gap: Term, names: Mapping[str, Term], name: str, n: Term
) -> int:
    """0 ≤ gap(n + 1) − gap(n), whatever the sums are at n, and then with the sums."""
    steps = problems.c.steps
    whole = {**names, name: n}
    real = names[name]
    totals = [(problems.term(s.node, whole), steps.fresh("s")) for s in part.sums]  # type: ignore[attr-defined]
    now = substitute(_put(gap, dict(totals)), {n: real})
    then = substitute(now, {real: plus(real, ONE)})
    for i, s in enumerate(part.sums):  # type: ignore[attr-defined]
        last = plus(real, number(s.shift + 1)) if s.shift + 1 else real
        term = problems.term(s.term, {**names, s.index: last})
        then = substitute(then, {totals[i][1]: plus(totals[i][1], term)})
    inner = {**names, **{f"sum {i}": t for i, (_, t) in enumerate(totals)}}
    shown = problems.shown(StatedProblem(part, minus(then, now), inner), document)
    return steps.write("substitution", shown, terms={real: n, **{t: s for s, t in totals}}, functions={})


def _put(t: Term, values: Mapping[Term, Term]) -> Term:
    """A term with parts replaced."""
    return transform(t, lambda s, depth: values.get(s))


def with_value(steps: Steps, formula: Term, n: Term, value: int, at: int, beyond: int) -> int:
    """What holds for value + 1 ≤ n, and at the value, for value ≤ n."""
    edge = number(value)
    split = steps.write("total_order", left=number(value + 1), right=n)
    _, below_ = steps.write.hypotheses(steps.formula(split).parts)
    upper = steps.write("linear", steps.write("next_integer", below_), formula=at_most(n, edge), multipliers=[ONE])
    same = steps.write("antisymmetric", upper, steps.assume(at_most(edge, n)))
    here = steps.sum_of(formula, [at], [same])
    if here is None:
        raise NotWritten("a value of an induction")
    return steps.write("cases", split, beyond, here)
