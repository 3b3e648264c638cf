"""A claim about families from what one of its forms says, and from the sum of what holds at each place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from dpbounds.compile.families.forms import Form
from dpbounds.compile.library import Library
from dpbounds.compile.one_term import OneTerm
from dpbounds.compile.ratios import exponents
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below, minus, node

if TYPE_CHECKING:
    from dpbounds.compile.families.search import Families


def finished(own: Families, form: Form, total: int, goal: Term, prover: OneTerm, weight: Term = ONE) -> int | None:
    """The claim from Σ 0 ≤ Σ h/w for a weight w."""
    facts = [*own.signs(), *own.known]

    def whole(e: Any) -> Term:
        return own.valued(prover.term(e))

    if not form.back:
        return own.steps.sum_of(goal, [total], facts, [weight])
    aim = at_most(whole(form.small), whole(form.large))
    order = own.steps.sum_of(aim, [total], facts, [weight])
    order = order if order is not None else _linear_by_zeros(own, aim, total, weight, form, whole, facts)
    return None if order is None else in_first_words(own, form, order, goal)


def in_first_words(own: Families, form: Form, step: int, goal: Term) -> int | None:
    """The claim from what one of its forms says."""
    steps, facts, weight = own.steps, [*own.signs(), *own.known], ONE
    order: int | None = step

    def whole(e: Any) -> Term:
        return own.valued(OneTerm(steps, own.symbols, ()).term(e))

    for kind, number_ in form.back:
        if order is None:
            return None
        small, large = steps.formula(order).parts
        if kind == "log":
            least = steps.attempt("sign", *facts, formula=below(ZERO, small))
            order = None if least is None else steps.attempt("log_monotone", order, least)
        elif kind == "tangent":
            log = node("log", small)
            order = steps.sum_of(at_most(log, minus(large, ONE)), [order, steps.write("exp_above", term=log)], facts)
        elif kind == "exp":
            order = steps.attempt("exp_monotone", order)
        elif kind == "sides":
            factor, low, high = number_
            order = own.steps.sum_of(at_most(whole(low), whole(high)), [order], facts, [whole(factor)])
        elif kind == "power":
            least = steps.attempt("sign", *facts, formula=at_most(ZERO, small))
            r = steps.attempt("sign", *facts, formula=at_most(ZERO, whole(number_)))
            order = None if least is None or r is None else steps.attempt("power_monotone", least, order, r)
            order = order if order is None else _root_of_power(own, order, facts)
        else:  # "times", which is the last one
            weight = whole(number_)
    if order is None:
        return None
    end = own.steps.sum_of(goal, [order], facts, [weight])
    return end if end is not None else _linear_by_zeros(own, goal, order, weight, form, whole, facts)


def _root_of_power(own: Families, order: int, facts: Sequence[int]) -> int:
    """b ≤ (a^m)^r as b ≤ a for m·r = 1 where a ≥ 0 is no product: what the checker's normal form does not see of a sum."""
    steps, (small, large) = own.steps, own.steps.formula(order).parts
    inner, r = large.parts
    a = inner.parts[0] if inner.tag in ("^", "pow") else None
    least = None if a is None else steps.attempt("sign", *facts, formula=at_most(ZERO, a))
    if a is None or least is None or steps.attempt("sign", formula=below(ZERO, r)) is None:
        return order
    same = Library(steps).root_of_power(a, inner, r, least)
    found = steps.sum_of(at_most(small, a), [order, same])
    return order if found is None else found


def _linear_by_zeros(
    own: Families, aim: Term, step: int, weight: Term, form: Form, whole: Callable[[Any], Term], facts: Sequence[int]
) -> int | None:
    """A relation in other words where a sum may be 0 of which they have a power or a quotient: by whether it is."""
    steps, gap = own.steps, form.large - form.small
    for t in [t for t in own.totals.values() if t.symbol.is_nonnegative and not t.symbol.is_positive and gap.has(t.symbol)]:
        least = own.nonnegative_sum(at_most(ZERO, whole(t.symbol)))
        powers = [*exponents(gap, t.symbol), *(r for kind, r in form.back if kind == "power")]
        signs = [steps.attempt("sign", *facts, formula=below(ZERO, whole(e))) for e in powers]
        if least is None or None in signs:
            continue
        split = steps.write("total_order", left=whole(t.symbol), right=ZERO)
        zero, some = (steps.assume(f) for f in steps.formula(split).parts)
        gone = [steps.write("antisymmetric", zero, least), *(steps.write("power_of_zero", k) for k in signs if k is not None)]
        ends = [steps.attempt("linear", step, *own, *facts, formula=aim, multipliers=[weight]) for own in (gone, [some])]
        if None not in ends:
            return steps.attempt("cases", split, *(k for k in ends if k is not None))
    return None
