"""Integrals over half lines that are known: exponentials, and halves of Gaussians, each shown once for all rates and ends.

The fundamental theorem gives those of exponentials, a reflection those of Gaussians. A single point carries no mass: scaling by 2 about it
halves the integral and leaves the function.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dpbounds.kernel.terms import (
    ONE,
    TWO,
    ZERO,
    Term,
    at_most,
    below,
    binder,
    equal,
    instantiate,
    need,
    negative,
    node,
    number,
    over,
    plus,
    substitute,
    times,
)
from dpbounds.prover.rewriting.arithmetic import attempt
from dpbounds.prover.rewriting.case_distinctions import MINUS, WithSearch, by_cases, cut, on_part

if TYPE_CHECKING:
    from dpbounds.prover.rewriting.documents import Emission


def general(e: Emission, make: Callable[..., tuple[int, ...]], rate: int, m: Term) -> tuple[int, ...]:
    """Steps about every rate k > 0 and every end, taken once, at this rate and this end."""
    if make not in e.closed_forms:
        k, end = e.read.fresh("k", "R"), e.read.fresh("m", "R")
        e.closed_forms[make] = k, end, make(e, e.write.hypothesis(below(ZERO, k)), end)
    k, end, steps = e.closed_forms[make]
    terms = {k: e.write.formula(rate).parts[1], end: m}
    moved = [e.write("substitution", step, terms=terms, functions={}) for step in steps]
    return tuple(e.write("cut", step, rate) if e.write.steps[step].hypotheses else step for step in moved)


def point(e: WithSearch, m: Term, x: Term) -> tuple[int, int, Term]:
    """The function that is 1 at m and 0 elsewhere: it is integrable, its integral is 0, and it."""
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
    integrable = e.write("integrable_dominated", bounded, bell, variable=x)
    line = binder("line", x, body)
    nonzero = e.write("sign", formula=node("not", equal(TWO, ZERO)))
    scaled = e.search.opened(e.write("integral_affine", nonzero, integral=line, scale=TWO, offset=negative(m)))[0]
    moved = instantiate(e.write.formula(scaled).parts[0].parts[0], x)
    same = by_cases(e, equal(moved, body), [(m, x), (x, m)], [])
    assert same is not None
    renamed = e.write("integral_congruence", same, variable=x)
    size_two = e.search.opened(e.write("absolute", e.write("sign", formula=at_most(ZERO, TWO))))[0]
    half = e.write("ring", size_two, formula=equal(over(line, node("abs", TWO)), times(number("1/2"), line)))
    value = e.write("linear", renamed, scaled, half, formula=equal(line, ZERO), multipliers=[number(-2), TWO, TWO])
    return integrable, value, body


def reflected(e: WithSearch, integrable: int, value: int, m: Term) -> tuple[int, int]:
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
    upper = under(e, x, below(m, x), f, bell)
    lower = under(e, x, at_most(x, m), f, bell)
    assert upper is not None and lower is not None
    above, below_ = binder("line", x, cut(below(m, x), f)), binder("line", x, cut(at_most(x, m), f))
    reflexive = e.write("reflexive", term=above)
    mirrored, same = reflected(e, upper, reflexive, m)
    mirror = instantiate(e.write.formula(mirrored).parts[0], x)
    nothing, zero, spot = point(e, m, x)
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
    joined = e.write("integral_congruence", pointwise, variable=x)
    summed = e.search.opened(e.write("integral_sum", mirrored, nothing))[1]
    halves = e.write("linear", joined, summed, same, zero, formula=equal(below_, above), multipliers=[ONE] * 4)
    whole = by_cases(e, equal(f, plus(cut(below(m, x), f), cut(at_most(x, m), f))), [(x, m)], [])
    assert whole is not None
    split = e.write("integral_congruence", whole, variable=x)
    both = e.search.opened(e.write("integral_sum", upper, lower))[1]
    half = times(number("1/2"), e.write.formula(total).parts[1])
    steps = [split, both, total, halves]
    value = number("1/2")
    first = e.write("linear", *steps, formula=equal(above, half), multipliers=[number("-1/2"), number("-1/2"), value, number("-1/2")])
    second = e.write("linear", halves, first, formula=equal(below_, half), multipliers=[ONE, ONE])
    return upper, first, lower, second


def under(e: Emission, x: Term, part: Term, f: Term, integrable: int, known: Sequence[int] = ()) -> int | None:
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
    return attempt(e.write, "integrable_dominated", dominated, integrable, variable=x)


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
    integrable = e.write("integrable_congruence", moved, integrable, variable=x)
    renamed = e.write("integral_congruence", turned, variable=x)
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
        "linear",
        reached,
        positive,
        minus_level,
        formula=at_most(times(times(k, negative(whole)), there), ONE),
        multipliers=[times(k, there)],
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
    f = node("exp", times(k, x))
    integrable, value = general(e, exponential, positive, times(MINUS, m))
    return mirrored(e, integrable, value, f, over(substitute(f, {x: m}), k), x, m, [])


def mirrored(e: Emission, integrable: int, value: int, f: Term, total: Term, x: Term, m: Term, known: Sequence[int]) -> tuple[int, int]:
    """From f(−x) on −m < x: f on x ≤ m is integrable with the same integral, which is the total; a point carries none of it."""
    turned, same = reflected(e, integrable, value, ZERO)
    mirror = instantiate(e.write.formula(turned).parts[0], x)
    nothing, zero, spot = point(e, m, x)
    height = substitute(f, {x: m})
    goal = equal(plus(mirror, times(height, spot)), cut(at_most(x, m), f))

    def leaf(shown: list[int]) -> int | None:
        if (step := attempt(e.write, "ring", *shown, formula=goal)) is not None:
            return step
        ends = {e.write.formula(n): n for n in shown}
        at = e.write("antisymmetric", ends[at_most(x, m)], ends[at_most(m, x)])
        return attempt(e.write, "ring", at, *shown, formula=goal)

    pointwise = by_cases(e, goal, [(m, x), (x, m)], known, leaf)
    need(pointwise is not None, "a function and its mirror image")
    assert pointwise is not None
    both, split = e.search.opened(e.write("integral_sum", turned, e.write("integrable_multiple", nothing, factor=height)))
    found = e.write("integrable_congruence", pointwise, both, variable=x)
    renamed = e.write("integral_congruence", pointwise, variable=x)
    line, multipliers = e.write.formula(renamed).parts[1], [MINUS, ONE, ONE, ONE, height]
    return found, e.write("linear", renamed, split, same, value, zero, formula=equal(line, total), multipliers=multipliers)
