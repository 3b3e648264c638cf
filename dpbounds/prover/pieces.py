"""How integrals over parts of the line are derived again: as integrals over the line of functions that are 0 elsewhere.

Exponentials on half lines and halves of Gaussians have closed forms, found from the fundamental theorem and from a reflection; integrals of
their combinations follow. A single point carries no mass: scaling by 2 about it halves the integral and leaves the function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

import sympy

from dpbounds.kernel.terms import ONE, TWO, ZERO, Term, at_most, below, binder, equal, instantiate, minus, negative, node, number, over
from dpbounds.kernel.terms import plus, power, substitute, times
from dpbounds.prover.arithmetic import attempt
from dpbounds.prover.calculus import derivative, forms_of, visible_sign
from dpbounds.prover.facts import Fact

if TYPE_CHECKING:
    from dpbounds.prover.documents import Emission

MINUS = number(-1)
Leaf = Callable[[list[int]], "int | None"]


def cut(part: Term | None, body: Term) -> Term:
    """The body on a part of the line, 0 elsewhere."""
    return body if part is None else node("ite", part, body, ZERO)


# conditions and case distinctions


def negation(e: Emission, f: Term, known: Sequence[int]) -> int | None:
    """¬F for an order or a conjunction of orders, from the opposite of one."""
    if f.tag == "and":
        for at, part in enumerate(f.parts):
            wrong = negation(e, part, known)
            if wrong is not None:
                held = e.write("part", e.write.hypothesis(f), number=at)
                return _never(e, f, e.write("absurd", held, wrong, formula=node("not", f)))
        return None
    a, b = f.parts
    opposite = _shown(e, at_most(b, a) if f.tag == "<" else below(b, a), known)
    if opposite is None:
        return None
    clash = e.write("linear", opposite, e.write.hypothesis(f), formula=below(ZERO, ZERO), multipliers=[ONE, ONE])
    return _never(e, f, e.write("absurd", clash, e.write("irreflexive", term=ZERO), formula=node("not", f)))


def _never(e: Emission, f: Term, wrong: int) -> int:
    return e.write("cases", e.write("excluded_middle", formula=f), wrong, e.write.hypothesis(node("not", f)))


def _shown(e: Emission, f: Term, known: Sequence[int]) -> int | None:
    """An order from one of the known ones, or by a search."""
    if f.tag == "and":
        parts = [_shown(e, part, known) for part in f.parts]
        return None if None in parts else e.write("conjunction", *[k for k in parts if k is not None])
    for k in known:
        g = e.write.formula(k)
        if g == f:
            return k
        if g.tag in ("<", "<=") and (step := attempt(e.write, "linear", k, formula=f, multipliers=[ONE])) is not None:
            return step
    light, e.search.light = e.search.light, True
    found = e.search.combination(f, known, products=False)
    e.search.light = light
    return found


def decided(e: Emission, t: Term, known: Sequence[int]) -> list[int] | None:
    """ite(…) = its value for each case distinction in a term or formula, the inner ones first; None where one is not decided."""
    found: list[int] = []
    for d in _distinctions(t):
        held = _shown(e, d.parts[0], known)
        step = negation(e, d.parts[0], known) if held is None else held
        if step is None:
            return None
        found.append(e.write("branch", step, then=d.parts[1], other=d.parts[2]))
    return found


def _distinctions(t: Term) -> list[Term]:
    inner = [d for part in t.parts for d in _distinctions(part)]
    return list(dict.fromkeys([*inner, t] if t.tag == "ite" and not t.loose else inner))


def by_cases(e: Emission, goal: Term, splits: Sequence[tuple[Term, Term]], known: Sequence[int], leaf: Leaf | None = None) -> int | None:
    """The goal, by cases a ≤ b or b < a as long as a case distinction in it is open.

    Args:
        e: the document.
        goal: a relation.
        splits: pairs (a, b).
        known: what may be used.
        leaf: shows the goal from equations for its case distinctions and the cases; without it, by arithmetic.
    """
    equations = decided(e, goal, known)
    if equations is not None:
        if leaf is not None:
            return leaf([*equations, *known])
        return _arithmetic(e, goal, equations, known)
    if not splits:
        return None
    (a, b), *others = splits
    start = e.write("total_order", left=a, right=b)
    branches = [by_cases(e, goal, others, [*e.write.hypotheses([f]), *known], leaf) for f in e.write.formula(start).parts]
    return None if None in branches else e.write("cases", start, *[k for k in branches if k is not None])


def _arithmetic(e: Emission, goal: Term, equations: list[int], known: Sequence[int]) -> int | None:
    if goal.tag == "=":
        found = attempt(e.write, "ring", *equations, formula=goal) or attempt(e.write, "ring", *equations, *known, formula=goal)
        if found is not None:
            return found
    direct = attempt(e.write, "sign", *equations, *known, formula=goal) if goal.parts[0] == ZERO else None
    return direct or e.search.prove(goal, [*equations, *known])


def on_part(e: Emission, step: int, x: Term, part: Term | None) -> int | None:
    """ite(part, a, 0) R ite(part, b, 0) from a R b, where what is assumed of x holds on the part."""
    if part is None:
        return step
    f, here = e.write.formula(step), e.write.hypothesis(part)
    opened = e.search.opened(here)
    outer = {h for h in e.write.steps[step].hypotheses if x not in h.free}
    outer |= {g for s in (*e.read.symbols, *e.read.families) for g in e.read.signs(s) if x not in g.free}
    step = e.without(step, outer | {e.write.formula(k) for k in opened})
    used = [k for k in opened if k != here and e.write.formula(k) in e.write.steps[step].hypotheses]
    step = e.write("cut", step, *used) if used else step
    goal = node("=" if f.tag == "=" else "<=", *(cut(part, side) for side in f.parts))
    yes = [e.write("branch", here, then=side, other=ZERO) for side in f.parts]
    elsewhere = e.write.hypothesis(node("not", part))
    no = [e.write("branch", elsewhere, then=side, other=ZERO) for side in f.parts]
    branches = [
        attempt(e.write, "linear", step, *yes, formula=goal, multipliers=[ONE, ONE, MINUS]),
        attempt(e.write, "linear", *no, formula=goal, multipliers=[ONE, MINUS]),
    ]
    if None in branches:
        return None
    return e.write("cases", e.write("excluded_middle", formula=part), *[k for k in branches if k is not None])


# integrals that are known: lists of (integrable, value) steps


def _general(e: Emission, make: Callable[..., tuple[int, ...]], rate: int, m: Term) -> tuple[int, ...]:
    """Steps about every rate k > 0 and every end, taken once, at this rate and this end."""
    if make not in e.closed_forms:
        k, end = e.read.fresh("k", "R"), e.read.fresh("m", "R")
        e.closed_forms[make] = k, end, make(e, e.write.hypothesis(below(ZERO, k)), end)
    k, end, steps = e.closed_forms[make]
    terms = {k: e.write.formula(rate).parts[1], end: m}
    moved = [e.write("substitution", step, terms=terms, functions={}) for step in steps]
    return tuple(e.write("cut", step, rate) if e.write.steps[step].hypotheses else step for step in moved)


def point(e: Emission, m: Term) -> tuple[int, int, Term]:
    """The function that is 1 at m and 0 elsewhere: it is integrable, its integral is 0, and it."""
    x = e.read.fresh("x", "R")
    body = node("ite", at_most(m, x), node("ite", at_most(x, m), ONE, ZERO), ZERO)
    one = e.write("sign", formula=below(ZERO, ONE))
    bell = e.search.opened(e.write("gaussian_integral", one, mean=m))[0]
    top = instantiate(e.write.formula(bell).parts[0], x)
    here = e.write.hypotheses([at_most(m, x), at_most(x, m)])
    size = at_most(node("abs", body), top)

    def small(known: list[int]) -> int | None:
        if set(here) <= set(known):
            same = e.write("antisymmetric", here[1], here[0])
            shown = attempt(e.write, "ring", same, formula=equal(top, ONE))
            value = attempt(e.write, "ring", *known, formula=equal(node("abs", body), ONE))
            if shown is None or value is None:
                return None
            return attempt(e.write, "linear", value, shown, formula=size, multipliers=[ONE, MINUS])
        value = attempt(e.write, "ring", *known, formula=equal(node("abs", body), ZERO))
        return None if value is None else attempt(e.write, "linear", value, formula=size, multipliers=[ONE])

    bounded = by_cases(e, size, [(m, x), (x, m)], [], small)
    assert bounded is not None
    integrable = e.write("integrable_dominated", bounded, bell, variable=x, ends=[])
    line = binder("line", x, body)
    nonzero = e.write("sign", formula=node("not", equal(TWO, ZERO)))
    scaled = e.search.opened(e.write("integral_affine", nonzero, integral=line, scale=TWO, offset=negative(m)))[0]
    moved = instantiate(e.write.formula(scaled).parts[0].parts[0], x)
    same = by_cases(e, equal(moved, body), [(m, x), (x, m)], [])
    assert same is not None
    renamed = e.write("integral_congruence", same, variable=x, ends=[])
    size_two = e.search.opened(e.write("absolute", e.write("sign", formula=at_most(ZERO, TWO))))[0]
    half = e.write("ring", size_two, formula=equal(over(line, node("abs", TWO)), times(number("1/2"), line)))
    value = e.write("linear", renamed, scaled, half, formula=equal(line, ZERO), multipliers=[number(-2), TWO, TWO])
    return integrable, value, body


def _reflected(e: Emission, integrable: int, value: int, m: Term) -> tuple[int, int]:
    """From f on m < x: what is f(2m − x) on x < m, integrable with the same integral; in the words of the rule."""
    line = e.write.formula(value).parts[0]
    nonzero = e.write("sign", formula=node("not", equal(MINUS, ZERO)))
    moved, onward, _ = e.search.opened(e.write("integral_affine", nonzero, integral=line, scale=MINUS, offset=times(TWO, m)))
    size = e.search.opened(e.write("absolute", e.write("sign", formula=at_most(ZERO, ONE))))[1]
    before = e.write.formula(moved).parts[0]
    plain = e.write("ring", size, formula=equal(over(line, node("abs", MINUS)), line))
    same = e.write("linear", moved, plain, formula=equal(before, line), multipliers=[ONE, ONE])
    return e.write("detach", onward, integrable), same


def half_bell(e: Emission, positive: int, m: Term) -> tuple[int, int, int, int]:
    """e^{−(x−m)²/(2k²)} on m < x, and on x ≤ m: it is integrable, and half of the whole."""
    x = e.read.fresh("x", "R")
    bell, total = e.search.opened(e.write("gaussian_integral", positive, mean=m))
    f = instantiate(e.write.formula(bell).parts[0], x)
    upper = _under(e, x, below(m, x), f, bell)
    lower = _under(e, x, at_most(x, m), f, bell)
    assert upper is not None and lower is not None
    above, below_ = binder("line", x, cut(below(m, x), f)), binder("line", x, cut(at_most(x, m), f))
    reflexive = e.write("reflexive", term=above)
    mirrored, same = _reflected(e, upper, reflexive, m)
    mirror = instantiate(e.write.formula(mirrored).parts[0], x)
    nothing, zero, dot = point(e, m)
    spot = substitute(dot, {v: x for v in dot.free if isinstance(v, Term) and v not in m.free})
    # x ≤ m: the mirror image and the point
    here = [(m, x), (x, m)]

    def closed(known: list[int]) -> int | None:
        goal = equal(cut(at_most(x, m), f), plus(mirror, spot))
        if (step := attempt(e.write, "ring", *known, formula=goal)) is not None:
            return step
        ends = [k for k in known if e.write.formula(k) in (at_most(m, x), at_most(x, m))]
        at = e.write("antisymmetric", *sorted(ends, key=lambda k: e.write.formula(k) != at_most(x, m)))
        top = attempt(e.write, "ring", at, formula=equal(f, ONE))
        return None if top is None else attempt(e.write, "linear", top, *known, formula=goal, multipliers=[ONE])

    pointwise = by_cases(e, equal(cut(at_most(x, m), f), plus(mirror, spot)), here, [], closed)
    assert pointwise is not None
    joined = e.write("integral_congruence", pointwise, variable=x, ends=[])
    summed = e.search.opened(e.write("integral_sum", mirrored, nothing))[1]
    halves = e.write("linear", joined, summed, same, zero, formula=equal(below_, above), multipliers=[ONE] * 4)
    whole = by_cases(e, equal(f, plus(cut(below(m, x), f), cut(at_most(x, m), f))), [(x, m)], [])
    assert whole is not None
    split = e.write("integral_congruence", whole, variable=x, ends=[])
    both = e.search.opened(e.write("integral_sum", upper, lower))[1]
    half = times(number("1/2"), e.write.formula(total).parts[1])
    steps = [split, both, total, halves]
    value = number("1/2")
    first = e.write(
        "linear", *steps, formula=equal(above, half), multipliers=[number("-1/2"), number("-1/2"), value, number("-1/2")]
    )
    second = e.write("linear", halves, first, formula=equal(below_, half), multipliers=[ONE, ONE])
    return upper, first, lower, second


def _under(e: Emission, x: Term, part: Term, f: Term, integrable: int, known: Sequence[int] = ()) -> int | None:
    """f on a part of the line is integrable, for an integrable f ≥ 0."""
    least = e.search.prove(at_most(ZERO, f), known)
    if least is None:
        return None
    body = cut(part, f)
    goal = at_most(node("abs", body), f)
    start = e.write("excluded_middle", formula=part)
    yes, no = (e.write("branch", k, then=f, other=ZERO) for k in e.write.hypotheses(e.write.formula(start).parts))
    size = e.search.opened(e.write("absolute", least))[0]
    zero = e.search.opened(e.write("absolute", e.write("sign", formula=at_most(ZERO, ZERO))))[0]
    held = e.write("linear", e.write("congruence", yes, term=node("abs", body)), size, formula=goal, multipliers=[ONE, ONE])
    other = e.write("linear", e.write("congruence", no, term=node("abs", body)), zero, least, formula=goal, multipliers=[ONE, ONE, ONE])
    dominated = e.write("cases", start, held, other)
    return attempt(e.write, "integrable_dominated", dominated, integrable, variable=x, ends=[])


def exponential(e: Emission, positive: int, m: Term) -> tuple[int, int]:
    """e^{−kx} on m < x for k > 0: it is integrable, and its integral is e^{−km}/k."""
    k = e.write.formula(positive).parts[1]
    x = e.read.fresh("x", "R")
    f = node("exp", negative(times(k, x)))
    primitive = negative(over(f, k))
    nonzero = e.write("sign", positive, formula=node("not", equal(k, ZERO)))
    first = e.write("derivative", nonzero, positive, function=primitive, variable=x)
    slope = e.write.formula(first).parts[1]
    least = e.write("sign", positive, formula=at_most(ZERO, slope))
    most = e.write("sign", positive, formula=at_most(ZERO, negative(primitive)))
    bound = e.write("linear", most, formula=at_most(primitive, ZERO), multipliers=[ONE])
    both = e.search.opened(e.write("fundamental_theorem_above", first, least, bound, variable=x, low=m))
    integrable, area = both
    limit = vanishing(e, primitive, x, m, bound, positive)
    same = e.write("ring", positive, formula=equal(slope, f))
    moved = on_part(e, same, x, below(m, x))
    assert moved is not None
    turned = e.write("linear", moved, formula=equal(*reversed(e.write.formula(moved).parts)), multipliers=[MINUS])
    integrable = e.write("integrable_congruence", moved, integrable, variable=x, ends=[])
    renamed = e.write("integral_congruence", turned, variable=x, ends=[])
    total = over(substitute(f, {x: m}), k)
    line = e.write.formula(renamed).parts[0]
    value = e.write("linear", renamed, area, limit, positive, formula=equal(line, total), multipliers=[ONE, ONE, ONE])
    return integrable, value


def vanishing(e: Emission, f: Term, x: Term, m: Term, bound: int, positive: int) -> int:
    """sup f = 0 over m < x for f = −e^{−kx}/k ≤ 0: below a level s < 0 it is not for x > m with kx ≥ −1/(ks)."""
    k = e.write.formula(positive).parts[1]
    whole = binder("sup_above", x, m, f)
    most = e.write("extremum_bound", bound, variable=x, ends=[m])
    start = e.write("total_order", left=ZERO, right=whole)
    held, negative_level = e.write.hypotheses(e.write.formula(start).parts)
    level = over(ONE, times(times(k, k), negative(whole)))  # k·level = 1/(−ks)
    at = plus(node("max", m, level), ONE)
    bounds = e.search.opened(e.write("maximum", left=m, right=level))[:2]
    beyond = e.write("linear", bounds[0], formula=below(m, at), multipliers=[ONE])
    reached = e.write("extremum_reached", bound, beyond, variable=x, ends=[m], at=at)  # −e^{−k·at}/k ≤ s
    grown = e.write("exp_above", term=times(k, at))  # 1 + k·at ≤ e^{k·at}
    there = node("exp", times(k, at))
    minus_level = e.write("linear", negative_level, formula=below(ZERO, negative(whole)), multipliers=[ONE])
    up = e.write(
        "linear", reached, positive, minus_level, formula=at_most(times(times(k, negative(whole)), there), ONE), multipliers=[times(k, there)]
    )
    scale = e.write("sign", positive, minus_level, formula=at_most(ZERO, times(k, negative(whole))))
    product = e.write(
        "linear",
        grown,
        up,
        bounds[1],
        scale,
        positive,
        minus_level,
        formula=below(ZERO, ZERO),
        multipliers=[times(k, negative(whole)), ONE, times(times(k, k), negative(whole))],
    )
    wrong = e.write("absurd", product, e.write("irreflexive", term=ZERO), formula=at_most(ZERO, whole))
    least = e.write("cases", start, held, wrong)
    return e.write("antisymmetric", most, least)


def exponential_below(e: Emission, positive: int, m: Term) -> tuple[int, int]:
    """e^{kx} on x ≤ m for k > 0: it is integrable, and its integral is e^{km}/k; the mirror image of `exponential`, and a point."""
    x, k = e.read.fresh("x", "R"), e.write.formula(positive).parts[1]
    integrable, value = _general(e, exponential, positive, times(MINUS, m))
    mirrored, same = _reflected(e, integrable, value, ZERO)
    mirror = instantiate(e.write.formula(mirrored).parts[0], x)
    nothing, zero, dot = point(e, m)
    spot = substitute(dot, {v: x for v in dot.free if isinstance(v, Term) and v not in m.free})
    f = node("exp", times(k, x))
    height = substitute(f, {x: m})
    scaled = times(height, spot)
    body = cut(at_most(x, m), f)
    goal = equal(plus(mirror, scaled), body)

    def leaf(known: list[int]) -> int | None:
        if (step := attempt(e.write, "ring", *known, formula=goal)) is not None:
            return step
        ends = {e.write.formula(n): n for n in known}
        at = e.write("antisymmetric", ends[at_most(x, m)], ends[at_most(m, x)])
        return attempt(e.write, "ring", at, *known, formula=goal)

    pointwise = by_cases(e, goal, [(m, x), (x, m)], [], leaf)
    assert pointwise is not None
    both, split = e.search.opened(e.write("integral_sum", mirrored, e.write("integrable_multiple", nothing, factor=height)))
    found = e.write("integrable_congruence", pointwise, both, variable=x, ends=[])
    renamed = e.write("integral_congruence", pointwise, variable=x, ends=[])
    line = e.write.formula(renamed).parts[1]
    total = equal(line, over(height, k))
    multipliers = [MINUS, ONE, ONE, ONE, height]
    return found, e.write("linear", renamed, split, same, value, zero, formula=total, multipliers=multipliers)


# integrals of combinations


def terms_of(f: Any) -> list[Any]:
    """The terms of an expression, sums multiplied out."""
    return list(sympy.Add.make_args(sympy.expand(f)))


def _primitive(e: Emission, f: Any, over_: tuple[Any, Any, Any], known: Sequence[int]) -> tuple[int, int | None, Term] | None:
    """(integrable, value, factor) of an exponential or a Gaussian on a half line below a term, or of one on the line."""
    from dpbounds.prover.integrals import collected, gaussian_parts

    x, low, high = over_
    if (low == -sympy.oo) == (high == sympy.oo):
        return None
    found = gaussian_parts(f, x)
    edge = e.read.term(high if low == -sympy.oo else low)
    if found is not None:
        factor, mean, s = found
        if sympy.simplify(mean - (high if low == -sympy.oo else low)) != 0:
            return None
        positive = e.search.prove(below(ZERO, e.read.term(s)), [*known, *e.signs_of([e.read.term(s)])])
        if positive is None:
            return None
        upper, first, lower, second = _general(e, half_bell, positive, edge)
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
    integrable, value = _general(e, make, positive, edge)
    return integrable, value, e.read.term(factor * sympy.exp(exponent.coeff(x, 0)))


def combination(e: Emission, f: Any, over_: tuple[Any, Any, Any], known: Sequence[int]) -> tuple[int, int] | None:
    """(integrable, value) of a combination of exponentials, or of Gaussians around the end, on a half line."""
    v, part, body = e.read.symbol(over_[0]), e.read.part(*over_), e.read.term(f)
    found = [_primitive(e, term, over_, known) for term in terms_of(f)]
    if None in found or part is None:
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
    pointwise = by_cases(e, equal(reduce(plus, sides), cut(part, body)), _splits(v, part), known)
    if pointwise is None:
        return None
    shown = e.write("integrable_congruence", pointwise, integrable, variable=v, ends=[])
    renamed = e.write("integral_congruence", pointwise, variable=v, ends=[])
    total = reduce(plus, [times(c, e.write.formula(k).parts[1]) for k, c in values])
    line = e.write.formula(renamed).parts[1]
    steps = [renamed, *([] if split is None else [split]), *(k for k, _ in values)]
    multipliers = [MINUS, *([] if split is None else [ONE]), *(c for _, c in values)]
    value = attempt(e.write, "linear", *steps, formula=equal(line, total), multipliers=multipliers)
    return None if value is None else (shown, value)


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
    """∫ f over a part of the line: exponentials and Gaussians on half lines, an antiderivative between two ends."""
    over_ = tuple(map(sympy.sympify, given["over"]))
    if given["integrand"] == 0:
        found = nothing(e, over_)
    elif sympy.oo in over_ or -sympy.oo in over_:
        found = combination(e, sympy.sympify(given["integrand"]), over_, known)
    else:
        found = between(e, sympy.sympify(given["integrand"]), over_, given["antiderivative"], known)
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
    v, part = e.read.symbol(over_[0]), e.read.part(*over_)
    one = e.write("sign", formula=below(ZERO, ONE))
    bell = e.search.opened(e.write("gaussian_integral", one, mean=ZERO))[0]
    multiple = e.write("integrable_multiple", bell, factor=ZERO)
    body = instantiate(e.write.formula(multiple).parts[0], v)
    same = None if part is None else by_cases(e, equal(body, cut(part, ZERO)), _splits(v, part), [])
    if same is None:
        return None
    renamed = e.write("integral_congruence", same, variable=v, ends=[])
    line = e.write.formula(renamed).parts[1]
    value = e.write("linear", renamed, formula=equal(line, ZERO), multipliers=[MINUS])
    return e.write("integrable_congruence", same, multiple, variable=v, ends=[]), value


def between(e: Emission, f: Any, over_: tuple[Any, Any, Any], antiderivative: Any, known: Sequence[int]) -> tuple[int, int] | None:
    """(integrable, value) of a function between two ends by an antiderivative."""
    x, part, body = e.read.symbol(over_[0]), e.read.part(*over_), e.read.term(f)
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
    integrable = e.write("integrable_congruence", pointwise, integrable, variable=x, ends=[])
    renamed = e.write("integral_congruence", pointwise, variable=x, ends=[])
    line = e.write.formula(renamed).parts[1]
    total = equal(line, e.write.formula(value).parts[1])
    return integrable, e.write("linear", renamed, value, formula=total, multipliers=[MINUS, ONE])


def integral_split(e: Emission, fact: Fact, given: dict[str, Any], premises: list[int], goal: Term) -> int | None:
    """∫ over a part = ∫ over its half up to a point + ∫ over the rest."""
    from dpbounds.prover import integrals

    (x, low, high), at = map(sympy.sympify, given["over"]), sympy.sympify(given["at"])
    v, body, known = e.read.symbol(x), e.read.term(given["integrand"]), e.context(fact, *premises)
    parts = [e.read.part(x, *ends) for ends in ((low, at), (at, high))]
    whole = e.read.part(x, low, high)
    integrals.register(e, sympy.sympify(given["integrand"]), x, known)
    shown = [integrals.integrable(e, binder("integrable", v, cut(part, body)), known) for part in parts]
    ordered = [e.search.prove(at_most(*map(e.read.term, pair)), known) for pair in ((low, at), (at, high)) if not {sympy.oo, -sympy.oo} & {*pair}]
    if None in shown or None in ordered:
        return None
    sides = plus(*(cut(part, body) for part in parts))
    splits = _splits(v, *parts)
    pointwise = by_cases(e, equal(cut(whole, body), sides), splits, [k for k in ordered if k is not None])
    if pointwise is None:
        return None
    renamed = e.write("integral_congruence", pointwise, variable=v, ends=[])
    both, value = e.search.opened(e.write("integral_sum", *[k for k in shown if k is not None]))
    turned = e.write("linear", pointwise, formula=equal(*reversed(e.write.formula(pointwise).parts)), multipliers=[MINUS])
    e.integrables.append(e.write("integrable_congruence", turned, both, variable=v, ends=[]))
    return attempt(e.write, "linear", renamed, value, formula=goal, multipliers=[ONE, ONE])


def integrable(e: Emission, x: Term, body: Term, known: Sequence[int]) -> int | None:
    """A function is integrable, by what has been shown to be, in other words or for other values of its variables."""
    from dpbounds.prover import integrals

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
            step = integrals.fitting(e, e.write("substitution", k, terms=terms, functions=functions), ONE, body)[0]
            proofs = [e.search.prove(h, known) for h in sorted(e.write.steps[step].hypotheses, key=repr)]
            if None not in proofs and (found := _alike(e, step, x, body, known)) is not None:
                return e.write("cut", found, *[p for p in proofs if p is not None]) if proofs else found
    return None


def _alike(e: Emission, step: int, x: Term, body: Term, known: Sequence[int]) -> int | None:
    """A function is integrable as one that is equal to it, on the same part of the line."""
    other, part = instantiate(e.write.formula(step).parts[0], x), None
    if (other.tag == "ite") != (body.tag == "ite"):
        return None
    if body.tag == "ite":
        part, inner, last = body.parts
        if (part, last) != (other.parts[0], other.parts[2]):
            return None
        other, body = other.parts[1], inner
    same = attempt(e.write, "ring", *known, formula=equal(other, body))
    pointwise = None if same is None else on_part(e, same, x, part)
    return None if pointwise is None else e.write("integrable_congruence", pointwise, step, variable=x, ends=[])


def integrable_below(e: Emission, x: Term, body: Term, known: Sequence[int]) -> int | None:
    """ite(part, f, 0) is integrable where f ≥ 0 is."""
    from dpbounds.prover import integrals

    part, f, other = body.parts
    start = None if other != ZERO else integrals.integrable(e, binder("integrable", x, f), known)
    return None if start is None else _under(e, x, part, f, start, known)


def integrate_termwise(e: Emission, step: int, over_: tuple[Any, Any, Any], sides: Sequence[Any], known: Sequence[int]) -> int | None:
    """∫ a ≤ ∫ b or ∫ a = ∫ b over a part, from the integrands there."""
    from dpbounds.prover import integrals

    x = over_[0]
    v, part = e.read.symbol(x), e.read.part(*over_)
    f = e.write.formula(step)
    if f.tag == "<":
        step = e.write("linear", step, formula=at_most(*f.parts), multipliers=[ONE])
    pointwise = on_part(e, step, v, part)
    if pointwise is None:
        return None
    if f.tag == "=":
        e.pointwise[pointwise] = v
        return e.write("integral_congruence", pointwise, variable=v, ends=[])
    for side in sides:
        for term in side.args if isinstance(side, sympy.Max) else (side,):
            integrals.register(e, term, x, known)
    shown = [integrals.integrable(e, binder("integrable", v, side), known) for side in e.write.formula(pointwise).parts]
    if None in shown:
        return None
    return e.write("integral_monotone", pointwise, *[k for k in shown if k is not None], variable=v, ends=[])


def integral_of_sum(e: Emission, x: Any, over_: tuple[Any, Any, Any], total: Term, known: Sequence[int]) -> int | None:
    """∫ Σ = Σ ∫ over a part: the terms are cut one by one."""
    from dpbounds.prover import integrals

    v, part = e.read.symbol(x), e.read.part(*over_)
    assert part is not None
    low, high, inner = total.parts
    i = e.read.fresh("i", "Z")
    term = instantiate(inner, i)
    apart = binder("sum", i, low, high, cut(part, term))
    branches = []
    for f, last in ((part, total), (node("not", part), ZERO)):
        held = e.write.hypothesis(f)
        each = e.write("branch", held, then=term, other=ZERO)
        summed = e.write("sum_termwise", each, variable=i, low=low, high=high)
        whole = e.write("branch", held, then=total, other=ZERO)
        branches.append(attempt(e.write, "linear", whole, summed, formula=equal(cut(part, total), apart), multipliers=[ONE, MINUS]))
    if None in branches:
        return None
    pointwise = e.write("cases", e.write("excluded_middle", formula=part), *[k for k in branches if k is not None])
    each_one = integrals.each_integrable(e, v, apart, known)
    if each_one is None:
        return None
    both, swapped = e.search.opened(e.write("integral_of_sum", each_one, total=binder("line", v, apart)))
    turned = e.write("linear", pointwise, formula=equal(*reversed(e.write.formula(pointwise).parts)), multipliers=[MINUS])
    e.integrables.append(e.write("integrable_congruence", turned, both, variable=v, ends=[]))
    renamed = e.write("integral_congruence", pointwise, variable=v, ends=[])
    formula = equal(e.write.formula(renamed).parts[0], e.write.formula(swapped).parts[1])
    return e.write("linear", renamed, swapped, formula=formula, multipliers=[ONE, ONE])
