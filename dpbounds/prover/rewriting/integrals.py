"""How integrals over the line are derived again: Gaussian integrands, termwise comparison, finite sums, reflection."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Any

import sympy

from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below, binder, equal, instantiate, node, number, plus, times, variable
from dpbounds.prover.facts import Fact
from dpbounds.prover.rewriting import pieces
from dpbounds.prover.rewriting.arithmetic import attempt, subterms
from dpbounds.prover.rewriting.bells import each_integrable, fitting, gaussian, register, register_read
from dpbounds.prover.rewriting.roots import sizes

if TYPE_CHECKING:
    from dpbounds.prover.rewriting.documents import Emission


def integral(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    """∫ f over the line for a Gaussian f, otherwise by the antiderivative."""
    x, low, high = given["over"]
    known = e.context(fact, *premises)
    found = gaussian(e, sympy.sympify(given["integrand"]), x, known) if (low, high) == (-sympy.oo, sympy.oo) else None
    if found is None:
        return pieces.integral(e, fact, given, known, goal)
    _, value, factor = found
    return attempt(e.write, "linear", value, *known, formula=goal, multipliers=[factor])


def integrable(e: Emission, goal: Term, known: Sequence[int]) -> int | None:
    """Integrability over the line: a bell times a constant, a sum of such, or a step that says so."""
    if goal.tag != "integrable":
        return None
    x = e.read.fresh("x", "R")
    body = instantiate(goal.parts[0], x)
    if (step := pieces.integrable(e, x, body, known)) is not None:
        return step
    for bell, _, given_factor in list(e.bells):
        step, factor = fitting(e, bell, given_factor, body)
        inner = instantiate(e.write.formula(step).parts[0], x)
        same = attempt(e.write, "ring", *known, formula=equal(times(factor, inner), body))
        if same is not None:
            return e.write("integrable_congruence", same, e.write("integrable_multiple", step, factor=factor), variable=x)
    if body.tag == "*" and x not in body.parts[0].free:
        part = integrable(e, binder("integrable", x, body.parts[1]), known)
        return None if part is None else e.write("integrable_multiple", part, factor=body.parts[0])
    if body.tag == "+":
        sides = [integrable(e, binder("integrable", x, part), known) for part in body.parts]
        if None in sides:
            return None
        return e.search.opened(e.write("integral_sum", *[k for k in sides if k is not None]))[0]
    if body.tag == "max" and ZERO in body.parts and "+" in [part.tag for part in body.parts]:
        return _integrable_excess(e, x, body, known)
    if body.tag == "sum":
        return _integrable_sum(e, x, body, known)
    if body.tag in ("*", "pow") and (mixed := _integrable_mixture(e, x, body, known)) is not None:
        return mixed
    for k in [k for k in e.pointwise if k not in e.visited]:
        a, b = e.write.formula(k).parts
        y = e.pointwise[k]
        for one, other in ((a, b), (b, a)):
            if binder("line", y, one) == binder("line", x, body):
                e.visited.add(k)
                start = integrable(e, binder("integrable", y, other), known)
                e.visited.discard(k)
                if start is None:
                    continue
                same = k if other == a else attempt(e.write, "linear", k, formula=equal(other, one), multipliers=[number(-1)])
                return None if same is None else e.write("integrable_congruence", same, start, variable=y)
    return pieces.integrable_below(e, x, body, known) if body.tag == "ite" else None


def line_sign(e: Emission, goal: Term, known: Sequence[int]) -> int | None:
    """0 < ∫ f for a bell times a positive constant."""
    line = goal.parts[1]
    for _, value, factor in list(e.bells):
        total = times(factor, e.write.formula(value).parts[1])
        equation = attempt(e.write, "linear", value, *known, formula=equal(line, total), multipliers=[factor])
        if equation is None:
            continue
        positive = e.search.prove(node(goal.tag, ZERO, total), known)
        if positive is not None:
            return attempt(e.write, "linear", positive, equation, formula=goal, multipliers=[ONE, number(-1)])
    for k in [k for k in e.done.values() if e.write.formula(k).tag == "=" and line in e.write.formula(k).parts]:
        a, b = e.write.formula(k).parts
        positive = e.search.prove(node(goal.tag, ZERO, b if a == line else a), known)
        if positive is not None:
            return attempt(e.write, "linear", positive, k, formula=goal, multipliers=[ONE, number(-1 if a == line else 1)])
    return positive_integrand(e, goal, known)


def positive_integrand(e: Emission, goal: Term, known: Sequence[int]) -> int | None:
    """0 < ∫ f for an integrable f > 0, and 0 ≤ ∫ f for f ≥ 0."""
    x = e.read.fresh("x", "R")
    body = instantiate(goal.parts[1].parts[0], x)
    inside = e.search.prove(node(goal.tag, ZERO, body), known)
    if inside is None or goal.tag == "<=":
        return None if inside is None else attempt(e.write, "integral_nonnegative", inside, variable=x)
    register_read(e, known)
    exists = integrable(e, binder("integrable", x, body), known)
    return None if exists is None else attempt(e.write, "integral_positive", inside, exists, variable=x)


def _integrable_excess(e: Emission, x: Term, body: Term, known: Sequence[int]) -> int | None:
    """max(p − r, 0) is integrable for integrable p ≥ 0 and r ≥ 0, each a sum of terms."""
    excess = next(part for part in body.parts if part != ZERO)
    negated = {t: t.parts[1] for t in _terms(excess) if t.tag == "*" and t.parts[0] == number(-1)}
    above, taken = [t for t in _terms(excess) if t not in negated], list(negated.values())
    signs = [e.search.prove(at_most(ZERO, t), known) for t in (*above, *taken)]
    if not above or None in signs:
        return None
    p, shown = reduce(plus, above), [k for k in signs if k is not None]
    start = integrable(e, binder("integrable", x, p), known)
    under = attempt(e.write, "linear", *shown[len(above) :], formula=at_most(excess, p), multipliers=[ONE] * len(taken))
    least = attempt(e.write, "linear", *shown[: len(above)], formula=at_most(ZERO, p), multipliers=[ONE] * len(above))
    if start is None or under is None or least is None:
        return None
    sides = {excess: under, ZERO: least}
    below_p = e.write("maximum_least", *(sides[part] for part in body.parts))
    over = e.search.opened(e.write("maximum", left=body.parts[0], right=body.parts[1]))[body.parts.index(ZERO)]
    size = e.search.opened(e.write("absolute", over))[0]
    bound = e.write("linear", below_p, size, formula=at_most(node("abs", body), p), multipliers=[ONE, ONE])
    return e.write("integrable_dominated", bound, start, variable=x)


def _terms(t: Term) -> list[Term]:
    """The terms of a sum."""
    return [f for part in t.parts for f in _terms(part)] if t.tag == "+" else [t]


def factors(t: Term) -> list[Term]:
    """The factors of a product."""
    return [f for part in t.parts for f in factors(part)] if t.tag == "*" else [t]


def _integrable_mixture(e: Emission, x: Term, body: Term, known: Sequence[int]) -> int | None:
    """R·(u + v)^r is integrable if R·(2u)^r and R·(2v)^r are: u + v lies between max(u, v) and 2·max(u, v)."""
    parts = factors(body)
    at = next((k for k, t in enumerate(parts) if t.tag == "pow" and t.parts[0].tag == "+" and x in t.parts[0].free), None)
    if at is None:
        return None
    (base, r), rest = parts[at].parts, reduce(times, parts[:at] + parts[at + 1 :], ONE)
    rising = e.search.prove(at_most(ZERO, r), known)
    falling = e.search.prove(at_most(r, ZERO), known) if rising is None else None
    signs = [e.search.prove(node("<" if rising is None else "<=", ZERO, t), known) for t in (*base.parts, rest)]
    if (rising is None and falling is None) or None in signs:
        return None
    double = number(2 if rising is not None else 1)
    ends = [times(rest, node("pow", t, r)) for t in base.parts]
    bound, here = times(node("pow", double, r), plus(*ends)), [k for k in signs if k is not None]
    small = [e.search.prove(at_most(ZERO, t), [*known, *here]) for t in (*ends, body)]
    integrable_bound = integrable(e, binder("integrable", x, bound), known)
    if None in small or integrable_bound is None:
        return None
    shown = [*here, *(k for k in small if k is not None)]
    start = e.write("total_order", left=base.parts[0], right=base.parts[1])
    branches = []
    for k, f in enumerate(e.write.formula(start).parts):
        largest = times(double, base.parts[1 - k])
        ordered = [e.write.hypothesis(f), *here]
        if rising is not None:
            order = e.search.prove(at_most(base, largest), ordered)
            least = e.search.prove(at_most(ZERO, base), ordered)
            power = None if order is None or least is None else attempt(e.write, "power_monotone", least, order, rising)
        else:
            assert falling is not None
            order = e.search.prove(at_most(largest, base), ordered)
            least = e.search.prove(below(ZERO, largest), ordered)
            power = None if order is None or least is None else attempt(e.write, "power_antitone", least, order, falling)
        goal = at_most(body, bound)
        branches.append(None if power is None else attempt(e.write, "linear", power, *shown, formula=goal, multipliers=[rest]))
    if None in branches:
        return None
    above = e.write("cases", start, *[k for k in branches if k is not None])
    size = e.search.opened(e.write("absolute", shown[-1]))[0]
    dominated = e.write("linear", above, size, formula=at_most(node("abs", body), bound), multipliers=[ONE, ONE])
    return e.write("integrable_dominated", dominated, integrable_bound, variable=x)


def _integrable_sum(e: Emission, x: Term, body: Term, known: Sequence[int]) -> int | None:
    each = each_integrable(e, x, body, known)
    if each is None:
        return None
    return e.search.opened(e.write("integral_of_sum", each, total=binder("line", x, body)))[0]


def integrate_termwise(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    """∫ a ≤ ∫ b or ∫ a = ∫ b from the integrands."""
    x, low, high = given["over"]
    if (low, high) != (-sympy.oo, sympy.oo):
        return pieces.integrate_termwise(e, premises[0], given["over"], given["fact"].statement.args, e.context(fact))
    v = e.read.symbol(x)
    f = e.write.formula(premises[0])
    if f.tag == "=":
        e.pointwise[premises[0]] = v
        return e.write("integral_congruence", premises[0], variable=v)
    known = e.context(fact, *premises)
    for side in given["fact"].statement.args:
        for part in side.args if isinstance(side, sympy.Max) else (side,):
            register(e, part, x, known)
    weak = premises[0] if f.tag == "<=" else e.write("linear", premises[0], formula=node("<=", *f.parts), multipliers=[ONE])
    sides = [integrable(e, binder("integrable", v, side), known) for side in f.parts]
    if None in sides:
        return None
    return e.write("integral_monotone", weak, *[k for k in sides if k is not None], variable=v)


def integral_of_sum(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    """∫ Σ = Σ ∫."""
    x = e.read.symbol(given["over"][0])
    body = e.read.term(given["integrand"])
    known = e.context(fact, *premises)
    if tuple(given["over"][1:]) != (-sympy.oo, sympy.oo):
        return pieces.integral_of_sum(e, given["over"][0], given["over"], body, known)
    index = given["integrand"].limits[0][0]
    gaussian(e, given["integrand"].function, given["over"][0], [*known, *e.signs_of([e.read.symbol(index)])])
    each = each_integrable(e, x, body, known)
    if each is None:
        return None
    return e.search.opened(e.write("integral_of_sum", each, total=binder("line", x, body)))[1]


def reflect_integral(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    """∫ f(x) dx = ∫ f(t − x) dx."""
    total, x = e.read.term(given["total"]), e.read.symbol(given["x"])
    line = binder("line", x, e.read.term(given["integrand"]))
    known = e.context(fact)
    nonzero = e.write("sign", formula=node("not", equal(number(-1), ZERO)))
    moved = e.search.opened(e.write("integral_affine", nonzero, integral=line, scale=number(-1), offset=total))[0]
    one = attempt(e.write, "sign", formula=node("<=", ZERO, ONE))
    if one is None:
        return None
    size = e.search.opened(e.write("absolute", one))[1]
    y = variable(e.read.fresh("y", "R").data[0], "R")  # type: ignore[arg-type]
    left = instantiate(e.write.formula(moved).parts[0].parts[0], y)
    right = instantiate(goal.parts[1].parts[0], y)
    same = attempt(e.write, "ring", *known, formula=equal(left, right))
    if same is None:
        return None
    renamed = e.write("integral_congruence", same, variable=y)
    return attempt(e.write, "ring", renamed, moved, size, *known, formula=goal) or e.search.prove(goal, [renamed, moved, size, *known])


def rescale_integral(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    """∫ f(x) dx = ∫ c·f(c·x) dx; where f is shown to be integrable, so is f(c·x)."""
    factor, x = e.read.term(given["factor"]), e.read.symbol(given["x"])
    body = e.read.term(given["integrand"])
    line, known = binder("line", x, body), e.context(fact)
    nonzero = e.search.prove(node("not", equal(factor, ZERO)), known)
    positive = e.search.prove(below(ZERO, factor), known)
    if nonzero is None or positive is None:
        return None
    moved, onward, _ = e.search.opened(e.write("integral_affine", nonzero, integral=line, scale=factor, offset=ZERO))
    weak = e.write("linear", positive, formula=at_most(ZERO, factor), multipliers=[ONE])
    size = e.search.opened(e.write("absolute", weak))[0]
    y = e.read.fresh("y", "R")
    left = times(factor, instantiate(e.write.formula(moved).parts[0].parts[0], y))
    same = e.search.prove(equal(left, instantiate(goal.parts[1].parts[0], y)), known)
    if same is None:
        return None
    renamed = e.write("integral_congruence", same, variable=y)
    start = integrable(e, binder("integrable", x, body), known)
    if start is not None:
        e.integrables.append(e.write("detach", onward, start))
    multipliers = [ONE, times(number(-1), factor)]
    return attempt(e.write, "linear", renamed, moved, size, positive, *known, formula=goal, multipliers=multipliers)


def mirrored(e: Emission, *terms: Term) -> list[int]:
    """|−a| = |a| for the absolute values in terms."""
    inside = dict.fromkeys(t.parts[0] for term in terms for t in subterms(term) if t.tag == "abs")
    return [sizes(e.search, a)[1] for a in inside]


def integrate_mirrored(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    """∫ a ≤ ∫ b from a(x) + a(t − x) ≤ b(x) + b(t − x): both sides integrate to twice what is compared."""
    total, x = e.read.term(given["total"]), given["x"]
    v, known, pointwise = e.read.symbol(x), e.context(fact, *premises), e.write.formula(premises[0])
    one = attempt(e.write, "sign", formula=node("<=", ZERO, ONE))
    if one is None or pointwise.tag != "<=":
        return None
    size, nonzero = e.search.opened(e.write("absolute", one))[1], e.write("sign", formula=node("not", equal(number(-1), ZERO)))
    bodies, twice, equations = [], [], []
    for name, line, side in zip(("small", "large"), goal.parts, pointwise.parts, strict=True):
        f = sympy.sympify(given[name])
        for part in f.args if isinstance(f, sympy.Max) else (f,):
            register(e, part, x, known)
        start = integrable(e, node("integrable", line.parts[0]), known)
        if start is None:
            return None
        value, onward, _ = e.search.opened(e.write("integral_affine", nonzero, integral=line, scale=number(-1), offset=total))
        both, split = e.search.opened(e.write("integral_sum", start, e.write("detach", onward, start)))
        bodies.append(instantiate(e.write.formula(both).parts[0], v))
        equation = attempt(e.write, "ring", *known, *mirrored(e, bodies[-1], side), formula=equal(bodies[-1], side))
        reflected = equal(e.write.formula(value).parts[0], line)
        same = attempt(e.write, "ring", value, size, formula=reflected) or e.search.prove(reflected, [value, size, *known])
        double = equal(e.write.formula(split).parts[0], times(number(2), line))
        doubled = None if same is None else attempt(e.write, "linear", split, same, formula=double, multipliers=[ONE, ONE])
        if equation is None or doubled is None:
            return None
        twice.append((both, doubled))
        equations.append(equation)
    larger = [ONE, ONE, number(-1)]
    inside = attempt(e.write, "linear", premises[0], *equations, formula=at_most(*bodies), multipliers=larger)
    if inside is None:
        return None
    outside = e.write("integral_monotone", inside, *(both for both, _ in twice), variable=v)
    halves = [number(Fraction(1, 2)), number(Fraction(-1, 2)), number(Fraction(1, 2))]
    return attempt(e.write, "linear", outside, *(doubled for _, doubled in twice), formula=goal, multipliers=halves)
