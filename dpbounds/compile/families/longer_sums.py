"""Sums to a length n beside sums to a smaller length m: Σ_{i≤n} t = Σ_{i≤m} t + Σ_{m<i≤n} t, and what is left of n may be dropped."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import sympy

from dpbounds.compile.families.entries import entries_in
from dpbounds.compile.one_term import OneTerm
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, binder, plus

if TYPE_CHECKING:
    from dpbounds.compile.families.at_place import AtPlace
    from dpbounds.compile.families.search import Families
    from dpbounds.compile.families.statement import FamilyStatement, Total


def rest_of_sum(own: FamilyStatement, total: Total) -> Any:
    """The symbol for Σ_{m<i≤n} t, with Σ_{i≤n} t = Σ_{i≤m} t + Σ_{m<i≤n} t among what is known."""
    if total.symbol not in own.rests:
        low, high, _ = total.term.parts
        sign = sympy.Abs(sympy.Dummy(real=True)) if total.symbol.is_nonnegative else sympy.Dummy(real=True)  # there may be no term
        longest = own.read.term(own.longest)
        beyond = binder("sum", own.at, plus(high, ONE), longest, own.body_of(total))
        own.rests[total.symbol] = own.new_symbol(f"{total.symbol.name}beyond", sign, beyond)
        whole = binder("sum", own.at, low, longest, own.body_of(total))
        start = own.steps.sum_of(at_most(low, plus(high, ONE)), [own.steps.assume(at_most(ONE, high))])
        assert start is not None
        own.known.append(own.steps.write("sum_split", start, own.order, total=whole))
        own.splits.append(own.known[-1])
    return own.rests[total.symbol]


def least_rest(own: AtPlace, f: Term) -> int | None:
    """0 ≤ Σ_{m<i≤n} t for terms t ≥ 0."""
    steps, (low, high, _) = own.steps, f.parts[1].parts
    beyond = {own.valued(own.symbols[rest]): symbol for symbol, rest in own.rests.items()}
    total = next((t for t in own.totals.values() if t.symbol == beyond.get(f.parts[1])), None)
    if total is None:
        return None
    inside = [steps.assume(at_most(ONE, own.at)), steps.assume(at_most(own.at, high))]
    own.within, kept = inside, own.within
    try:
        body = own.body_of(total)
        signs = [k for e in entries_in(body) if (k := own.hypothesis(at_most(ZERO, e))) is not None]
        least = steps.attempt("sign", *signs, *own.known, formula=at_most(ZERO, body))
    finally:
        own.within = kept
    if least is None:
        return None
    above = steps.sum_of(at_most(ONE, own.at), [steps.assume(at_most(low, own.at)), steps.assume(at_most(ONE, own.read.term(own.length)))])
    least = least if above is None else steps.write("cut", least, above)
    added = steps.attempt("sum_termwise", least, variable=own.at, low=low, high=high)
    return None if added is None else steps.sum_of(f, [added], own.known)


def without_rests(own: AtPlace, relation: Any) -> tuple[Any, int] | None:
    """What a premise about sums to n says of those to m, from 0 ≤ Σ_{m<i≤n} t."""
    rests = sorted(set(own.rests.values()) & relation.free_symbols, key=str)
    if not rests or relation.free_symbols <= set(rests):
        return None
    weaker = relation.xreplace(dict.fromkeys(rests, sympy.S.Zero))
    signs = [own.hypothesis(at_most(ZERO, own.valued(own.symbols[s]))) for s in rests]
    if None in signs or not isinstance(weaker, type(relation)):
        return None
    formula = own.valued(OneTerm(own.steps, own.symbols, ()).read.formula(weaker))
    tries = (own.steps.sum_of(formula, [k, *(s for s in signs if s is not None)], own.splits) for k in own.known if k not in own.splits)
    step = next((k for k in tries if k is not None), None)
    return None if step is None else own.fact(weaker, step)


def by_shorter_sums(own: Families, large: Any, small: Any, goal: Term, units: Sequence[tuple[Any, Any]]) -> int | None:
    """The goal from the one without what is beyond m, where the gap is at least as large with it."""
    gone = {s: sympy.S.Zero for s in own.rests.values() if (large - small).has(s)}
    if not gone:
        return None
    high, low = (side.xreplace(gone) for side in (large, small))
    reader, entries = OneTerm(own.steps, own.symbols, ()), set(own.entries.values())
    prover = own.prover([fact for fact in own.facts() if not fact[0].free_symbols & entries])
    grown = own.patiently(partial(prover.shown, sympy.factor((large - small) - (high - low))))
    grown = None if grown is None else own.anywhere(grown)
    step = None if grown is None else own.relation_shown(high, low, own.valued(at_most(reader.term(low), reader.term(high))), units)
    return None if step is None or grown is None else own.steps.sum_of(goal, [step, grown], own.known)
