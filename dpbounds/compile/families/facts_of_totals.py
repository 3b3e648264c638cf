"""What sums of terms that are ≥ 0 say of one of their terms, as facts of a claim about families."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import sympy

from dpbounds.compile.families.masses import below_total, bounds_of
from dpbounds.compile.families.statement import Total
from dpbounds.compile.one_term import OneTerm
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most

if TYPE_CHECKING:
    from dpbounds.compile.families.search import Families


def facts_of_totals(own: Families, totals: Sequence[Total], units: Sequence[tuple[Any, Any]]) -> list[tuple[Any, int]]:
    """What the sums, with their values where premises give them, say of one of their terms."""
    steps, found, reader = own.steps, [], OneTerm(own.steps, own.symbols, ())
    for t in totals:
        for small, large in bounds_of(t.body):
            level = next((c for u, c in units if u == t.body and c != 0), t.symbol)
            relation = sympy.Le(small, level, evaluate=False)
            low, high = (own.valued(reader.term(e)) for e in (small, large))
            kinks = _kinks_in(own, own.valued(reader.term(t.body)))
            least = own.nonnegative(high, kinks)
            least = least if least is not None else _by_kink(own, at_most(ZERO, high), kinks)
            order = _by_kink(own, at_most(low, high), [*kinks, *([least] if least is not None else [])])
            below_ = None if least is None else below_total(steps, high, least, own.at, own.read.term(own.length))
            if order is None or below_ is None:
                continue
            formula = own.valued(reader.read.formula(relation))
            whole = steps.attempt("linear", order, below_, *own.known, formula=formula, multipliers=[ONE, ONE])
            if whole is not None:
                found.append(own.fact(relation, whole))
    return found


def _kinks_in(own: Families, t: Term) -> list[int]:
    """What is known of |u| and of max(a, b)."""
    steps = own.steps
    if t.tag == "abs":
        return steps.write.absolute_bounds(t.parts[0])
    if t.tag == "max":
        both = steps.write("maximum", left=t.parts[0], right=t.parts[1])
        return [steps.write("part", both, number=k) for k in range(2)]
    return []


def _by_kink(own: Families, goal: Term, facts: Sequence[int]) -> int | None:
    steps = own.steps
    tries = itertools.chain(([],), ([k] for k in facts))
    return next((k for chosen in tries if (k := steps.sum_of(goal, chosen, own.known)) is not None), None)
