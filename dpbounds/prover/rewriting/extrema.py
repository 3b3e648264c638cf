"""How suprema and infima are derived again: a bound inside the interval, and a point where it is attained or approached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import sympy

from dpbounds.kernel.definedness import inside as interval
from dpbounds.kernel.terms import EXTREMA, ONE, ZERO, Term, at_most, below, binder, equal, instantiate, negative, node, substitute
from dpbounds.prover.facts import Fact
from dpbounds.prover.rewriting.arithmetic import attempt
from dpbounds.prover.rewriting.calculus import derivative

if TYPE_CHECKING:
    from dpbounds.prover.rewriting.documents import Emission


def _parts(e: Emission, quantity: Any) -> tuple[Term, Term, list[Term]]:
    """Function, variable and ends of an extremum."""
    whole = e.read.term(quantity)
    return e.read.term(quantity.args[0]), e.read.symbol(quantity.args[1][0]), list(whole.parts[:-1])


def _inside(e: Emission, step: int, function: Term, t: Term, ends: list[Term], upper: bool, known: Sequence[int]) -> int | None:
    """f(t) ≤ c or c ≤ f(t) from a step that says so in other words; nothing is assumed of t but that it is in the interval."""
    here = interval(ends, t)
    a, b = e.write.formula(step).parts
    goal = at_most(function, b) if upper else at_most(a, function)
    found = e.restated(step, goal, [*known, *e.write.hypotheses(here)])
    if found is None:
        return None
    outer = {h for h in e.write.steps[found].hypotheses if t not in h.free}
    outer |= {f for f in e.read.signs() if t not in f.free}
    outer |= {e.write.formula(k) for k in known if t not in e.write.formula(k).free and e.write.formula(k) in e.write.steps[k].hypotheses}
    return e.without(found, outer | set(here))


def bound_extremum(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    """sup f ≤ c or c ≤ inf f."""
    function, t, ends = _parts(e, given["quantity"])
    known = e.context(fact)
    step = _inside(e, premises[0], function, t, ends, goal.parts[1].tag[:3] != "inf", known)
    order = _ordered(e, ends, known)
    return None if step is None or order is None else e.write("extremum_bound", step, *order, variable=t, ends=ends)


def _ordered(e: Emission, ends: list[Term], known: Sequence[int]) -> list[int] | None:
    """a < b for an interval with two ends."""
    if len(ends) < 2:
        return []
    step = e.search.prove(below(*ends), known)
    return None if step is None else [step]


def extremum(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    """sup f = v or inf f = v, attained at a point of the interval or at an end where f has a derivative."""
    upper = fact.rule == "supremum"
    function, t, ends = _parts(e, given["quantity"])
    known = e.context(fact, *premises[1:])
    step, order = _inside(e, premises[0], function, t, ends, upper, known), _ordered(e, ends, known)
    if step is None or order is None:
        return None
    at, value = e.read.term(given["at"]), goal.parts[1]
    bound = e.write("extremum_bound", step, *order, variable=t, ends=ends)
    reached = _reached(e, step, function, t, ends, at, order, known)
    if reached is None:
        return None
    whole, here = goal.parts[0], substitute(function, {t: at})
    attained = e.search.prove(equal(here, value), known)
    bound_goal, reached_goal = (at_most(whole, value), at_most(value, whole)) if upper else (at_most(value, whole), at_most(whole, value))
    first = e.restated(bound, bound_goal, known)
    second = None if attained is None else e.search.prove(reached_goal, [reached, attained])
    if first is None or second is None:
        return None
    return e.write("antisymmetric", *((first, second) if upper else (second, first)))


def _reached(
    e: Emission, step: int, function: Term, t: Term, ends: list[Term], at: Term, order: list[int], known: Sequence[int]
) -> int | None:
    inner = [e.search.prove(f, known) for f in interval(ends, at)]
    if None not in inner:
        return e.write("extremum_reached", step, *[k for k in inner if k is not None], variable=t, ends=ends, at=at)
    closed = [e.search.prove(f, known) for f in (at_most(ends[0], at), *(at_most(at, b) for b in ends[1:]))]
    above = below if inner[0] is not None else at_most  # f need not have a derivative at the other end
    under = below if inner[-1] is not None else at_most
    near = e.write.hypotheses([above(ends[0], t), *(under(t, b) for b in ends[1:])])
    slope = derivative(e, function, t, [*known, *near])
    if None in closed or slope is None:
        return None
    proofs = [k for k in closed if k is not None]
    moved = e.write("substitution", slope, terms={t: at}, functions={})
    steps = [k for k in (*known, *proofs, *inner) if k is not None]
    shown = {e.write.formula(k): k for k in steps if e.write.formula(k) not in e.write.steps[k].hypotheses}
    cuts = [shown[h] for h in sorted(e.write.steps[moved].hypotheses, key=repr) if h in shown]
    moved = e.write("cut", moved, *cuts) if cuts else moved
    moved = e.without(moved, {e.write.formula(k) for k in known})
    return attempt(e.write, "extremum_reached", step, moved, *proofs, *order, variable=t, ends=ends, at=at)


def scale_extremum(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    """sup (c·f) = c·sup f."""
    factor = e.read.term(given["factor"])
    positive = e.search.prove(below(ZERO, factor), e.context(fact))
    if positive is None:
        return None
    return e.write("extremum_multiple", positive, extremum=e.read.term(given["quantity"]), factor=factor)


def exponential_extremum(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    """inf e^{−f} = e^{−sup f} for a quadratic f that is bounded above."""
    function, t, ends = _parts(e, given["quantity"])
    known, (lowest, limit) = e.context(fact), goal.parts
    above = _vertex(e, given["quantity"].args[0], given["quantity"].args[1], known)
    if above is None:
        return None
    here, weight, whole = e.write.hypotheses(interval(ends, t)), instantiate(lowest.parts[-1], t), e.read.term(given["quantity"])

    def opposite(step: int) -> int:
        a, b = e.write.formula(step).parts
        return e.write("linear", step, formula=at_most(negative(b), negative(a)), multipliers=[ONE])

    highest = e.write("extremum_reached", above, *here, variable=t, ends=ends, at=t)
    falls = e.restated(e.write("exp_monotone", opposite(highest)), at_most(limit, weight), known)
    positive = e.search.prove(at_most(ZERO, weight), [])
    if falls is None or positive is None:
        return None
    least = e.write("extremum_bound", falls, *(_ordered(e, ends, known) or []), variable=t, ends=ends)
    reached = e.write("extremum_reached", positive, *here, variable=t, ends=ends, at=t)
    start = e.write("total_order", left=lowest, right=ZERO)
    none, some = e.write.hypotheses(e.write.formula(start).parts)
    logs = e.restated(e.write("log_monotone", reached, some), at_most(function, negative(node("log", lowest))), [some, *here, *known])
    if logs is None:
        return None
    bound = e.write("extremum_bound", logs, *(_ordered(e, ends, known) or []), variable=t, ends=ends)
    lower = e.write("linear", bound, formula=at_most(node("log", lowest), negative(whole)), multipliers=[ONE])
    raised = e.write("exp_monotone", lower)
    branches = [attempt(e.write, "linear", *by, formula=at_most(lowest, limit), multipliers=[ONE]) for by in ([none], [raised, some])]
    most = None if None in branches else e.write("cases", start, *[k for k in branches if k is not None])
    return None if most is None else e.write("antisymmetric", most, least)


def _vertex(e: Emission, function: Any, over: Any, known: Sequence[int]) -> int | None:
    """f(t) ≤ c for f = c − a·(t − u)² with a > 0."""
    t, f = over[0], sympy.expand(function)
    if not f.is_polynomial(t) or sympy.degree(f, t) != 2:
        return None
    a, b = -f.coeff(t, 2), f.coeff(t, 1)
    factor, highest = e.read.term(a), e.read.term(f.coeff(t, 0) + b**2 / (4 * a))
    signs = [*known, *e.signs_of([factor, highest])]
    positive = e.search.prove(below(ZERO, factor), signs)
    if positive is None:
        return None
    square = e.write.square(e.read.term(t - b / (2 * a)))
    formula = at_most(e.read.term(function), highest)
    return attempt(e.write, "linear", square, positive, *signs, formula=formula, multipliers=[factor])


def finite(e: Emission, goal: Term, known: Sequence[int]) -> int | None:
    """∀t (a < t → … → f(t) ≤ sup f): the sup is finite, by a fact that bounds f on the interval."""
    if goal.data != ("R",):
        return None
    x = e.read.fresh("x", "R")
    body, conditions = instantiate(goal.parts[0], x), []
    while body.tag == "->":
        conditions.append(body.parts[0])
        body = body.parts[1]
    whole = next((side for side in body.parts if side.tag in EXTREMA), None) if body.tag == "<=" else None
    if whole is None or conditions != interval(whole.parts[:-1], x):
        return None
    ends, upper = list(whole.parts[:-1]), whole.tag.startswith("sup")
    for step, t in _bounds(e, whole, ends, upper, known):
        found = attempt(e.write, "extremum_reached", step, *e.write.hypotheses(conditions), variable=t, ends=ends, at=x)
        for c in reversed(conditions):
            found = None if found is None else e.write("discharge", found, formula=c)
        found = None if found is None else attempt(e.write, "generalize", found, variable=x)
        if found is not None and e.write.steps[found].hypotheses <= {e.write.formula(k) for k in known}:
            return found
    return None


def _bounds(e: Emission, whole: Term, ends: list[Term], upper: bool, known: Sequence[int]) -> Iterator[tuple[int, Term]]:
    """Steps that bound the function of an extremum on its interval, and its variable: facts, and then the bound 0."""
    for k in list(e.done.values()):
        f = e.write.formula(k)
        side = f.parts[0 if upper else 1] if f.tag == "<=" else whole
        for t in [t for t in f.free if isinstance(t, Term) and t.sort == "R"]:
            if binder(whole.tag, t, *ends, side) == whole and not any(t in end.free for end in ends):
                step = _bounded(e, k, side, t, ends, upper, known)
                if step is not None:
                    yield step, t
    t = e.read.fresh("x", "R")
    function = instantiate(whole.parts[-1], t)
    zero = e.search.prove(at_most(*((function, ZERO) if upper else (ZERO, function))), [*known, *e.write.hypotheses(interval(ends, t))])
    if zero is not None:
        yield zero, t


def _bounded(e: Emission, step: int, function: Term, t: Term, ends: list[Term], upper: bool, known: Sequence[int]) -> int | None:
    try:
        return _inside(e, step, function, t, ends, upper, known)
    except Exception as why:  # a fact that holds under more than is given here is one fact less
        if type(why).__name__ != "Stuck":
            raise
        return None
