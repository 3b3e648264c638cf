"""0 ≤ h with maxima, minima, absolute values or case distinctions: bounds of those that count in favour, cases of the others."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import sympy

from dpbounds.compile.steps import Steps
from dpbounds.kernel.terms import ZERO, Term, at_most, negative, node

if TYPE_CHECKING:
    from dpbounds.compile.one_term import OneTerm

KINKS = (sympy.Max, sympy.Min, sympy.Abs, sympy.Piecewise)
_MOST = 8
"""Choices of bounds that are tried."""


def by_bounds(prover: OneTerm, h: Any, goal: Term, depth: int) -> int | None:
    """c·max(a, b) is at least c·a and at least c·b for c ≥ 0, as |a| and −min are: then no cases are needed."""
    plain = sympy.expand(h)
    options: list[list[tuple[Any, Any, int, Any, int]]] = []
    for kink in sorted(h.atoms(*KINKS), key=str):
        factor = _favour(plain, kink)
        if factor is None:
            continue
        if factor not in prover.signs:
            prover.signs[factor] = None if prover.refuted(factor) else prover.shown(factor, depth + 1)
        least = prover.signs[factor]
        if least is not None:
            rows = branch_bounds(prover.steps, prover.term, kink)
            options.append([(kink, value, bound, factor, least) for value, bound in rows])
    for chosen in itertools.islice(itertools.product(*options), _MOST) if options else ():
        left = h.xreplace({kink: value for kink, value, *_ in chosen})
        shown = None if prover.refuted(left) else prover.shown(left, depth)
        if shown is not None:
            _, _, bounds, factors, signs = zip(*chosen, strict=True)
            return prover.total(goal, [shown, *bounds], [1, *factors], signs)
    return None


def _favour(plain: Any, kink: Any) -> Any:
    """What a kink is multiplied by in an expanded sum, turned round for a minimum; None where it does not stand once by itself."""
    factor = plain.coeff(kink)
    if isinstance(kink, sympy.Piecewise) or factor == 0 or factor.has(*KINKS) or (plain - sympy.expand(factor * kink)).has(kink):
        return None
    return sympy.factor(-factor if isinstance(kink, sympy.Min) else factor)


def branch_bounds(steps: Steps, term: Callable[[Any], Term], kink: Any) -> list[tuple[Any, int]]:
    """What a maximum or an absolute value is at least, or a minimum at most, each with the step that says so."""
    t = term(kink)
    if t.tag == "abs":
        return list(zip((kink.args[0], -kink.args[0]), steps.write.absolute_bounds(t.parts[0]), strict=True))
    found = dict(_leaves(steps, t))
    return [(side, found[term(side)]) for side in kink.args if term(side) in found]


def _leaves(steps: Steps, t: Term) -> Iterator[tuple[Term, int]]:
    """Each of the numbers of which t is the largest or the smallest, with the step that it is at most t, or at least."""
    both = steps.write("maximum", left=t.parts[0], right=t.parts[1])
    for k, part in enumerate(t.parts):
        own = steps.write("part", both, number=k if t.tag == "max" else k + 2)
        if part.tag != t.tag:
            yield part, own
        for leaf, step in _leaves(steps, part) if part.tag == t.tag else ():
            whole = steps.sum_of(at_most(leaf, t) if t.tag == "max" else at_most(t, leaf), [own, step])
            if whole is not None:
                yield leaf, whole


def by_cases(prover: OneTerm, h: Any, goal: Term, depth: int) -> int | None:
    """By the branches of a maximum, an absolute value or a case distinction that has no other in it."""
    nodes = [a for a in h.atoms(*KINKS) if not any(b.has(*KINKS) for b in a.args)]
    steps, plain = prover.steps, sympy.expand(h)

    def order(a: Any) -> tuple[Any, ...]:
        factor = _favour(plain, a)
        return not isinstance(a, sympy.Piecewise), factor is not None and not prover.refuted(factor), a.count_ops(), str(a)

    kink = min(nodes, key=order)
    if isinstance(kink, sympy.Piecewise):
        (value, condition), (other, last) = kink.args[0].args, kink.args[1].args
        if len(kink.args) != 2 or last is not sympy.true:
            return None
        a, b = condition.args if isinstance(condition, (sympy.Le, sympy.Lt)) else condition.args[::-1]
        split = steps.write("excluded_middle", formula=prover.read.formula(condition))
        choices = [(value, condition), (other, sympy.Lt(b, a, evaluate=False))]
        if isinstance(condition, (sympy.Lt, sympy.Gt)):
            choices[1] = (other, sympy.Le(b, a, evaluate=False))
    else:
        if isinstance(kink, sympy.Abs):
            a, b, low, high = sympy.S.Zero, kink.args[0], kink.args[0], -kink.args[0]
        else:
            a, *rest = kink.args
            b = rest[0] if len(rest) == 1 else type(kink)(*rest)
            low, high = (b, a) if isinstance(kink, sympy.Max) else (a, b)
        split = steps.write("total_order", left=prover.term(a), right=prover.term(b))
        choices = [(low, sympy.Le(a, b, evaluate=False)), (high, sympy.Lt(b, a, evaluate=False))]
    branches = []
    for (value, relation), formula in zip(choices, steps.formula(split).parts, strict=True):
        here = steps.assume(formula)
        strict = prover.plain_order(formula, here)
        weak = steps.sum_of(at_most(*steps.formula(strict).parts), [strict])
        if weak is None:
            return None
        values, equations = {kink: value}, [equation(prover, kink, formula, here, weak)]
        if isinstance(kink, sympy.Piecewise):
            for other in (a for a in nodes if a != kink and isinstance(a, sympy.Piecewise) and a.args[0].args[1] == kink.args[0].args[1]):
                values[other] = other.args[0 if value == kink.args[0].args[0] else 1].args[0]
                equations.append(equation(prover, other, formula, here, weak))
        if None in equations:
            return None
        branch = prover.in_branch(h.xreplace(values), relation, strict, [e for e in equations if e is not None], goal, depth)
        if branch is None:
            return None
        branches.append(branch)
    return steps.attempt("cases", split, *branches)


def equation(prover: OneTerm, kink: Any, formula: Term, here: int, weak: int) -> int | None:
    """What the kink is in a branch."""
    steps, t = prover.steps, prover.term(kink)
    if t.tag == "ite":
        return steps.write("branch", here, then=t.parts[1], other=t.parts[2])
    if t.tag == "abs":
        a = t.parts[0]
        if formula.tag == "<=":
            return steps.write("part", steps.write("absolute", weak), number=0)
        turned = steps.sum_of(at_most(ZERO, negative(a)), [weak])
        if turned is None:
            return None
        both, goal = steps.write("absolute", turned), node("=", t, negative(a))
        parts = [steps.write("part", both, number=k) for k in (1, 0)]
        return next((k for part in parts if (k := steps.attempt("ring", part, formula=goal)) is not None), None)
    both = steps.write("larger", weak)
    parts = [steps.write("part", both, number=k) for k in range(4)]
    return next((k for k in parts if steps.formula(k).parts[0] == t), None)
