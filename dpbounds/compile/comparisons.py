"""0 ≤ A − B for products A and B of powers and exponentials, by their logarithms, which premises that compare products bound."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import sympy

from dpbounds.compile.trials import gap_of
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below

if TYPE_CHECKING:
    from dpbounds.compile.one_term import OneTerm


def by_comparison(prover: OneTerm, h: Any, goal: Term, depth: int) -> int | None:
    """A ≥ B from log A ≥ log B."""
    pair = _sides(h)
    if pair is None or not any(f.has(sympy.exp) or not f.exp.is_Integer for f in h.atoms(sympy.exp, sympy.Pow)):
        return None
    steps, inner = prover.steps, prover.inner("logarithms", partial(_of_logarithms, prover))
    a, b = map(_logarithm, pair)
    shown = inner.shown(sympy.expand(a - b), depth + 2, descend=False)
    if shown is None:
        return None
    order = inner.total(at_most(prover.term(b), prover.term(a)), [shown], [1])
    if order is None:
        return None
    grown = steps.write("exp_monotone", order)
    signs = [k for s in pair if (k := prover.positive(s)) is not None]
    return steps.attempt("linear", grown, *signs, *prover.known, formula=goal, multipliers=[ONE])


def _of_logarithms(prover: OneTerm) -> OneTerm:
    """The prover with what its premises say of logarithms of products."""
    steps, facts = prover.steps, list(prover.facts)
    for relation, step in prover.facts:
        gap = gap_of(relation)
        sides = None if gap is None else _sides(gap)
        if sides is None or all(_logarithm(s).is_Symbol for s in sides):
            continue
        terms = [prover.term(s) for s in sides]
        order = steps.sum_of(at_most(terms[1], terms[0]), [step])
        least = None if order is None else steps.attempt("sign", *prover.known, formula=below(ZERO, terms[1]))
        if order is not None and least is not None:
            facts.append((sympy.Le(*map(_logarithm, sides[::-1]), evaluate=False), steps.write("log_monotone", order, least)))
    inner = type(prover)(steps, prover.symbols, facts, prover.patience)
    inner.equations = list(prover.equations)
    return inner


def _sides(h: Any) -> tuple[Any, Any] | None:
    """A and B, both positive, of a difference A − B."""
    parts = sympy.Add.make_args(sympy.expand(h))
    if len(parts) != 2:
        return None
    a, b = parts if (-parts[1]).is_positive else parts[::-1]
    return (a, -b) if a.is_positive and (-b).is_positive else None


def _logarithm(a: Any) -> Any:
    return sympy.expand(sympy.expand_log(sympy.log(a), force=True))
