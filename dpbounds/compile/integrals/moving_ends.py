"""∫_t^∞ f ≤ L(t) by the derivative in t, for 0 ≤ f: f ≤ −L′ and 0 ≤ L from t on, so the integral is at most that of −L′, at most L(t).

That f is integrable follows too. `dpbounds.descent.integrals.moving_ends` has what a certificate names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dpbounds.compile.integrals.antiderivatives import ClosedIntegral
from dpbounds.compile.steps import NotWritten
from dpbounds.compile.towers.places import Variable, WritingPlace
from dpbounds.compile.towers.problems import Problems, StatedProblem
from dpbounds.compile.towers.reading import place_of
from dpbounds.compile.towers.slopes import derivative_of
from dpbounds.descent.integrals.moving_ends import MovingEnd
from dpbounds.kernel.terms import MINUS, ONE, ZERO, Term, at_most, below, binder, minus, negative, node, number, substitute

Given = Callable[[int, Sequence[int]], int]
"""A step with hypotheses that follow from what is given, and from other steps, left out."""


def below_by_slope(
    problems: Problems, moving: MovingEnd, document: Mapping[str, Any], names: Mapping[str, Term], place: WritingPlace, given: Given
) -> ClosedIntegral:
    """N ≤ L(t) for N = ∫_t^∞ f, in the place of an equation, and that N exists.

    Args:
        problems: compiles the terms.
        moving: N and L.
        document: what the certificate says of it.
        names: the variables of the claim as terms.
        place: what is given of them.
        given: leaves out hypotheses.

    Raises:
        NotWritten: an integral between two numbers, a bound from below, or a step that is not seen.
    """
    if moving.end is not None or moving.side != 1:
        raise NotWritten("an integral that is bounded by its end")
    c, steps = problems.c, problems.c.steps
    x, t = steps.fresh("x"), names[moving.variable]
    start, own = steps.assume(at_most(t, x)), moving.problem.box[moving.variable]
    here = {**names, moving.variable: x, moving.bound.name: x}
    low = None if own.low is None else steps.assume((at_most if own.low_closed else below)(number(own.low), x))
    there = replace(place, variables={**place.variables, moving.variable: Variable(x, own.low, None, low)})
    f, g = problems.term(moving.bound.term, here), negative(problems.term(moving.limit, here))
    slope = derivative_of(c, place_of(c, there, g), g, x)
    d = steps.formula(slope).parts[1]
    gap = problems.shown(StatedProblem(moving.slope(), minus(d, f), here), document["slope"])
    least = problems.relation(at_most(ZERO, f), there)
    top = problems.relation(at_most(ZERO, negative(g)), there)
    slope, gap, least, top = (given(k, [start]) for k in (slope, gap, least, top))
    rises = steps.write("linear", gap, least, formula=at_most(ZERO, d), multipliers=[ONE, ONE])
    top = steps.write("linear", top, formula=at_most(g, ZERO), multipliers=[ONE])
    theorem = steps.write("fundamental_theorem_above", slope, rises, top, variable=x, low=t)
    whole, area = (steps.write("part", theorem, number=k) for k in (0, 1))
    inside = steps.write("cut", top, steps.write("linear", steps.assume(below(t, x)), formula=at_most(t, x), multipliers=[ONE]))
    most = steps.write("extremum_bound", inside, variable=x, ends=[t])
    order, sign = _pointwise(problems, x, t, (f, d), gap, least)
    size = steps.write("part", steps.write("absolute", sign), number=0)
    part = steps.formula(order).parts
    bounded = steps.write("linear", order, size, formula=at_most(node("abs", part[0]), part[1]), multipliers=[ONE, ONE])
    exists = steps.write("integrable_dominated", bounded, whole, variable=x)
    grown = steps.write("integral_monotone", order, exists, whole, variable=x)
    bound = at_most(binder("line", x, part[0]), negative(substitute(g, {x: t})))
    found = steps.sum_of(bound, [grown, most], [area]) or steps.sum_of(bound, [grown, area, most])
    if found is None:
        raise NotWritten("an integral that is bounded by its end")
    return ClosedIntegral(found, exists)


def _pointwise(problems: Problems, x: Term, t: Term, pair: tuple[Term, Term], gap: int, least: int) -> tuple[int, int]:
    """f ≤ d and 0 ≤ f where t < x, and 0 elsewhere, for every x."""
    steps, part = problems.c.steps, below(t, x)
    f, d = (node("ite", part, body, ZERO) for body in pair)
    split = steps.write("excluded_middle", formula=part)
    yes, no = steps.write.hypotheses(steps.formula(split).parts)
    weak = steps.write("linear", yes, formula=at_most(t, x), multipliers=[ONE])
    rows: list[list[int]] = [[], []]
    for here, by in ((yes, [steps.write("cut", k, weak) for k in (gap, least)]), (no, [])):
        values = [steps.write("branch", here, then=body, other=ZERO) for body in pair]
        for k, (goal, used, weights) in enumerate(((at_most(f, d), values, [ONE, MINUS]), (at_most(ZERO, f), values[:1], [MINUS]))):
            own = by[k : k + 1]
            rows[k].append(steps.write("linear", *own, *used, formula=goal, multipliers=[*[ONE] * len(own), *weights]))
    first, second = (steps.write("cases", split, *own) for own in rows)
    return first, second
