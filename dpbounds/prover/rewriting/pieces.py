"""How integrals over parts of the line are derived again: as integrals over the line of functions that are 0 elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

import sympy

from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below, binder, equal, instantiate, node, over, plus, times
from dpbounds.prover.facts import Fact
from dpbounds.prover.rewriting.arithmetic import attempt
from dpbounds.prover.rewriting.bells import collected, each_integrable, fitting, gaussian, gaussian_parts, register
from dpbounds.prover.rewriting.calculus import derivative, forms_of, visible_sign
from dpbounds.prover.rewriting.case_distinctions import MINUS, by_cases, cut, on_part
from dpbounds.prover.rewriting.half_lines import exponential, exponential_below, general, half_bell, under
from dpbounds.prover.rewriting.tails import on_half_line

if TYPE_CHECKING:
    from dpbounds.prover.rewriting.documents import Emission


def terms_of(f: Any) -> list[Any]:
    """The terms of an expression, sums multiplied out."""
    return list(sympy.Add.make_args(sympy.expand(f)))


def _primitive(e: Emission, f: Any, over_: tuple[Any, Any, Any], known: Sequence[int]) -> tuple[int, int | None, Term] | None:
    """(integrable, value, factor) of an exponential or a Gaussian on a half line below a term, or of a Gaussian on the line."""
    x, low, high = over_
    if (low == -sympy.oo) == (high == sympy.oo):
        return gaussian(e, f, x, known) if high == sympy.oo else None
    found = gaussian_parts(f, x)
    edge = e.read.term(high if low == -sympy.oo else low)
    if found is not None:
        factor, mean, s = found
        if sympy.simplify(mean - (high if low == -sympy.oo else low)) != 0:
            return None
        positive = e.search.prove(below(ZERO, e.read.term(s)), [*known, *e.signs_of([e.read.term(s)])])
        if positive is None:
            return None
        upper, first, lower, second = general(e, half_bell, positive, edge)
        return (lower, second, e.read.term(factor)) if low == -sympy.oo else (upper, first, e.read.term(factor))
    split = collected(f, x)
    if split is None:
        return None
    factor, exponent = split[0], sympy.expand(split[1])
    if not exponent.is_polynomial(x) or sympy.degree(exponent, x) != 1:
        return None
    rate = sympy.factor(exponent.coeff(x, 1) * (1 if low == -sympy.oo else -1))
    k = e.read.term(rate)
    positive = e.search.prove(below(ZERO, k), [*known, *e.signs_of([k])])
    if positive is None:
        return None
    make = exponential_below if low == -sympy.oo else exponential
    integrable, value = general(e, make, positive, edge)
    return integrable, value, e.read.term(factor * sympy.exp(exponent.coeff(x, 0)))


def part_of_line(e: Emission, x: Any, low: Any, high: Any) -> Term | None:
    """low < x ≤ high, or what of it is a condition."""
    v = e.read.symbol(x)
    orders = [] if low == -sympy.oo else [below(e.read.term(low), v)]
    orders += [] if high == sympy.oo else [at_most(v, e.read.term(high))]
    return node("and", *orders) if len(orders) == 2 else next(iter(orders), None)


def combination(e: Emission, f: Any, terms: Sequence[Any], over_: tuple[Any, Any, Any], known: Sequence[int]) -> tuple[int, int] | None:
    """(integrable, value) of a function with these terms: Gaussians on the line; on half lines exponentials, Gaussians around the end."""
    v, part, body = e.read.symbol(over_[0]), part_of_line(e, *over_), e.read.term(f)
    found = [_primitive(e, term, over_, known) for term in terms]
    if None in found:
        return None
    integrable, split, sides, values = None, None, [], []
    for one in found:
        assert one is not None and one[1] is not None
        step = e.write("integrable_multiple", one[0], factor=one[2])
        sides.append(times(one[2], instantiate(e.write.formula(one[0]).parts[0], v)))
        values.append((one[1], one[2]))
        if integrable is None:
            integrable = step
            continue
        integrable, more = e.search.opened(e.write("integral_sum", integrable, step))
        split = more if split is None else e.write("linear", split, more, formula=_added(e, split, more), multipliers=[ONE, ONE])
    assert integrable is not None
    pointwise = by_cases(e, equal(reduce(plus, sides), body if part is None else cut(part, body)), _splits(v, part), known)
    if pointwise is None:
        return None
    shown = e.write("integrable_congruence", pointwise, integrable, variable=v)
    renamed = e.write("integral_congruence", pointwise, variable=v)
    total = reduce(plus, [times(c, e.write.formula(k).parts[1]) for k, c in values])
    line = e.write.formula(renamed).parts[1]
    steps = [renamed, *([] if split is None else [split]), *(k for k, _ in values)]
    multipliers = [MINUS, *([] if split is None else [ONE]), *(c for _, c in values)]
    value = attempt(e.write, "linear", *steps, formula=equal(line, total), multipliers=multipliers)
    if value is None:  # a factor with several terms does not leave an integral by itself
        steps[len(steps) - len(values) :] = [_scaled(e, k, c) for k, c in values]
        multipliers[len(steps) - len(values) :] = [ONE] * len(values)
        value = attempt(e.write, "linear", *steps, formula=equal(line, total), multipliers=multipliers)
    return None if value is None else (shown, value)


def _scaled(e: Emission, value: int, factor: Term) -> int:
    """∫ c·f = c·v from ∫ f = v: shown for a variable c, and so for every c."""
    (line, total), c = e.write.formula(value).parts, e.read.fresh("c", "R")
    x = e.read.fresh("x", "R")
    whole = binder("line", x, times(c, instantiate(line.parts[0], x)))
    step = e.write("linear", value, formula=equal(whole, times(c, total)), multipliers=[c])
    return e.write("substitution", step, terms={c: factor}, functions={})


def _added(e: Emission, first: int, second: int) -> Term:
    """∫(a + b) = ∫a + ∫b in which ∫a = … is put."""
    (_, right), (whole, parts) = e.write.formula(first).parts, e.write.formula(second).parts
    return equal(whole, plus(right, parts.parts[1]))


def _orders(part: Term) -> list[Term]:
    return list(part.parts) if part.tag == "and" else [part]


def _splits(x: Term, *parts: Term | None) -> list[tuple[Term, Term]]:
    """x ≤ u or u < x for every end u of the parts."""
    orders = [order for part in parts if part is not None for order in _orders(part)]
    return list(dict.fromkeys((x, b if a == x else a) for a, b in (order.parts for order in orders)))


def integral(e: Emission, fact: Fact, given: dict[str, Any], known: Sequence[int], goal: Term) -> int | None:
    """∫ f: exponentials and Gaussians on half lines, Gaussians on the line, an antiderivative between two ends."""
    over_, f = tuple(map(sympy.sympify, given["over"])), sympy.sympify(given["integrand"])
    if f == 0:
        found = nothing(e, over_)
    elif sympy.oo in over_ and -sympy.oo in over_:
        terms = [sympy.diff(term, over_[0]) for term in sympy.Add.make_args(given["antiderivative"])]  # each is a Gaussian
        found = combination(e, f, terms, over_, known)
    elif sympy.oo in over_ or -sympy.oo in over_:
        found = combination(e, f, terms_of(f), over_, known)
        found = found or on_half_line(e, f, over_, sympy.sympify(given["antiderivative"]), known)
    else:
        found = between(e, f, over_, given["antiderivative"], known)
    if found is None:
        return None
    e.integrables.append(found[0])
    for extra in ([], known):
        step = attempt(e.write, "linear", found[1], *extra, formula=goal, multipliers=[ONE])
        if step is not None:
            return step
    return e.restated(found[1], goal, known)


def nothing(e: Emission, over_: tuple[Any, Any, Any]) -> tuple[int, int] | None:
    """(integrable, value) of 0."""
    v, part = e.read.symbol(over_[0]), part_of_line(e, *over_)
    one = e.write("sign", formula=below(ZERO, ONE))
    bell = e.search.opened(e.write("gaussian_integral", one, mean=ZERO))[0]
    multiple = e.write("integrable_multiple", bell, factor=ZERO)
    body = instantiate(e.write.formula(multiple).parts[0], v)
    same = None if part is None else by_cases(e, equal(body, cut(part, ZERO)), _splits(v, part), [])
    if same is None:
        return None
    renamed = e.write("integral_congruence", same, variable=v)
    line = e.write.formula(renamed).parts[1]
    value = e.write("linear", renamed, formula=equal(line, ZERO), multipliers=[MINUS])
    return e.write("integrable_congruence", same, multiple, variable=v), value


def between(e: Emission, f: Any, over_: tuple[Any, Any, Any], antiderivative: Any, known: Sequence[int]) -> tuple[int, int] | None:
    """(integrable, value) of a function between two ends by an antiderivative."""
    x, part, body = e.read.symbol(over_[0]), part_of_line(e, *over_), e.read.term(f)
    low, high = map(e.read.term, over_[1:])
    if part is None:
        return None
    here = e.write.hypotheses([at_most(low, x), at_most(x, high)])
    inside = [*here, *known]
    order = e.search.prove(at_most(low, high), known)
    slope_step = derivative(e, e.read.term(antiderivative), x, inside)
    if order is None or slope_step is None:
        return None
    slope = e.write.formula(slope_step).parts[1]
    same = attempt(e.write, "ring", *known, formula=equal(slope, body)) or e.search.prove(equal(slope, body), inside)
    least = visible_sign(e, body, forms_of(f), inside)
    if same is None or least is None:
        return None
    least = attempt(e.write, "linear", least, same, formula=at_most(ZERO, slope), multipliers=[ONE, MINUS])
    if least is None:
        return None
    ends = {e.write.formula(k) for k in here}
    slope_step, least, same = (
        e.without(k, {h for h in e.write.steps[k].hypotheses if x not in h.free} | ends) for k in (slope_step, least, same)
    )
    integrable, value = e.search.opened(e.write("fundamental_theorem", slope_step, least, order, variable=x, low=low, high=high))
    pointwise = on_part(e, same, x, part)
    if pointwise is None:
        return None
    integrable = e.write("integrable_congruence", pointwise, integrable, variable=x)
    renamed = e.write("integral_congruence", pointwise, variable=x)
    line = e.write.formula(renamed).parts[1]
    total = equal(line, e.write.formula(value).parts[1])
    return integrable, e.write("linear", renamed, value, formula=total, multipliers=[MINUS, ONE])


def integral_split(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    """∫ over a part = ∫ over its half up to a point + ∫ over the rest."""
    (x, low, high), at = map(sympy.sympify, given["over"]), sympy.sympify(given["at"])
    v, body, known = e.read.symbol(x), e.read.term(given["integrand"]), e.context(fact, *premises)
    parts = [part_of_line(e, x, *ends) for ends in ((low, at), (at, high))]
    whole = part_of_line(e, x, low, high)
    register(e, sympy.sympify(given["integrand"]), x, known)
    shown = [e.search.integrable(binder("integrable", v, cut(part, body)), known) for part in parts]
    ordered = [
        e.search.prove(at_most(*map(e.read.term, pair)), known) for pair in ((low, at), (at, high)) if not {sympy.oo, -sympy.oo} & {*pair}
    ]
    if None in shown or None in ordered:
        return None
    sides = plus(*(cut(part, body) for part in parts))
    splits = _splits(v, *parts)
    pointwise = by_cases(e, equal(cut(whole, body), sides), splits, [k for k in ordered if k is not None])
    if pointwise is None:
        return None
    renamed = e.write("integral_congruence", pointwise, variable=v)
    both, value = e.search.opened(e.write("integral_sum", *[k for k in shown if k is not None]))
    turned = e.write("linear", pointwise, formula=equal(*reversed(e.write.formula(pointwise).parts)), multipliers=[MINUS])
    e.integrables.append(e.write("integrable_congruence", turned, both, variable=v))
    return attempt(e.write, "linear", renamed, value, formula=goal, multipliers=[ONE, ONE])


def integrable(e: Emission, x: Term, body: Term, known: Sequence[int]) -> int | None:
    """A function is integrable, by what has been shown to be, in other words or for other values of its variables."""
    goal = binder("integrable", x, body)
    for k in e.integrables:
        if e.write.formula(k) == goal:
            return k
    for k in e.integrables:
        if (step := _alike(e, k, x, body, known)) is not None:
            return step
    if e.instances and e.integrables:
        known = list(dict.fromkeys([*known, *e.search.instances(goal, known)]))
    for terms, functions in e.instances:
        for k in e.integrables:
            if not e.write.formula(k).free & {*terms, *functions}:
                continue
            step = fitting(e, e.write("substitution", k, terms=terms, functions=functions), ONE, body)[0]
            proofs = [e.search.prove(h, known) for h in sorted(e.write.steps[step].hypotheses, key=repr)]
            if None not in proofs and (found := _alike(e, step, x, body, known)) is not None:
                return e.write("cut", found, *[p for p in proofs if p is not None]) if proofs else found
    return None


def _alike(e: Emission, step: int, x: Term, body: Term, known: Sequence[int]) -> int | None:
    """A function is integrable as one that is equal to it, up to a constant factor, or on the same part of the line."""
    other, part = instantiate(e.write.formula(step).parts[0], x), None
    if (other.tag == "ite") != (body.tag == "ite"):
        return None
    if body.tag == "ite":
        part, inner, last = body.parts
        if (part, last) != (other.parts[0], other.parts[2]):
            return None
        other, body = other.parts[1], inner
    factor = ONE if part is not None else over(outside(body, x), outside(other, x))
    for c in dict.fromkeys((ONE, factor)):
        scaled = other if c == ONE else times(c, other)
        same = attempt(e.write, "ring", *known, formula=equal(scaled, body))
        pointwise = None if same is None else on_part(e, same, x, part)
        if pointwise is not None:
            start = step if c == ONE else e.write("integrable_multiple", step, factor=c)
            return e.write("integrable_congruence", pointwise, start, variable=x)
    return None


def outside(f: Term, x: Term) -> Term:
    """The factors of f without x, those below powers too."""
    if x not in f.free:
        return f
    if f.tag == "*":
        return times(*(outside(part, x) for part in f.parts))
    if f.tag == "pow" and x not in f.parts[1].free:
        return node("pow", outside(f.parts[0], x), f.parts[1])
    return ONE


def integrable_below(e: Emission, x: Term, body: Term, known: Sequence[int]) -> int | None:
    """ite(part, f, 0) is integrable where f ≥ 0 is."""
    part, f, other = body.parts
    start = None if other != ZERO else e.search.integrable(binder("integrable", x, f), known)
    return None if start is None else under(e, x, part, f, start, known)


def integrate_termwise(e: Emission, step: int, over_: tuple[Any, Any, Any], sides: Sequence[Any], known: Sequence[int]) -> int | None:
    """∫ a ≤ ∫ b or ∫ a = ∫ b over a part, from the integrands there."""
    x = over_[0]
    v, part = e.read.symbol(x), part_of_line(e, *over_)
    f = e.write.formula(step)
    if f.tag == "<":
        step = e.write("linear", step, formula=at_most(*f.parts), multipliers=[ONE])
    pointwise = on_part(e, step, v, part)
    if pointwise is None:
        return None
    if f.tag == "=":
        e.pointwise[pointwise] = v
        return e.write("integral_congruence", pointwise, variable=v)
    for side in sides:
        for term in side.args if isinstance(side, sympy.Max) else (side,):
            register(e, term, x, known)
    lower, upper = (e.search.integrable(binder("integrable", v, side), known) for side in e.write.formula(pointwise).parts)
    if lower is None and upper is not None:
        lower = _dominated(e, v, pointwise, upper, known)
    if lower is None or upper is None:
        return None
    return e.write("integral_monotone", pointwise, lower, upper, variable=v)


def _dominated(e: Emission, x: Term, step: int, integrable: int, known: Sequence[int]) -> int | None:
    """A function f ≥ 0 on a part of the line is integrable where a larger one is."""
    small, large = e.write.formula(step).parts
    least = e.search.prove(at_most(ZERO, small.parts[1]), known)
    if least is None:
        return None
    part, f = small.parts[:2]
    start = e.write("excluded_middle", formula=part)
    yes, no = (e.write("branch", k, then=f, other=ZERO) for k in e.write.hypotheses(e.write.formula(start).parts))
    goal, one = at_most(ZERO, small), e.write("sign", formula=at_most(ZERO, ZERO))
    signs = [attempt(e.write, "linear", k, branch, formula=goal, multipliers=[ONE, MINUS]) for k, branch in ((least, yes), (one, no))]
    if None in signs:
        return None
    above = e.write("cases", start, *[k for k in signs if k is not None])
    size = e.search.opened(e.write("absolute", above))[0]
    bound = e.write("linear", step, size, formula=at_most(node("abs", small), large), multipliers=[ONE, ONE])
    found = attempt(e.write, "integrable_dominated", bound, integrable, variable=x)
    if found is not None:
        e.integrables.append(found)
    return found


def integral_of_sum(e: Emission, x: Any, over_: tuple[Any, Any, Any], total: Term, known: Sequence[int]) -> int | None:
    """∫ Σ = Σ ∫ over a part: the terms are cut one by one."""
    v, part = e.read.symbol(x), part_of_line(e, *over_)
    assert part is not None
    low, high, inner = total.parts
    i = e.read.fresh("i", "Z")
    term = instantiate(inner, i)
    apart = binder("sum", i, low, high, cut(part, term))
    branches = []
    for f in (part, node("not", part)):
        held = e.write.hypothesis(f)
        each = e.write("branch", held, then=term, other=ZERO)
        summed = e.write("sum_termwise", each, variable=i, low=low, high=high)
        whole = e.write("branch", held, then=total, other=ZERO)
        branches.append(attempt(e.write, "linear", whole, summed, formula=equal(cut(part, total), apart), multipliers=[ONE, MINUS]))
    if None in branches:
        return None
    pointwise = e.write("cases", e.write("excluded_middle", formula=part), *[k for k in branches if k is not None])
    each_one = each_integrable(e, v, apart, known)
    if each_one is None:
        return None
    both, swapped = e.search.opened(e.write("integral_of_sum", each_one, total=binder("line", v, apart)))
    turned = e.write("linear", pointwise, formula=equal(*reversed(e.write.formula(pointwise).parts)), multipliers=[MINUS])
    e.integrables.append(e.write("integrable_congruence", turned, both, variable=v))
    renamed = e.write("integral_congruence", pointwise, variable=v)
    formula = equal(e.write.formula(renamed).parts[0], e.write.formula(swapped).parts[1])
    return e.write("linear", renamed, swapped, formula=formula, multipliers=[ONE, ONE])
