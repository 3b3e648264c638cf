"""∫_t^∞ f ≤ L(t) by the derivative in t, for 0 ≤ f: f ≤ −L′ and 0 ≤ L from t on, so the integral is at most that of −L′, at most L(t).

That f is integrable follows too. `dpbounds.descent.integrals.moving_ends` has what a certificate names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from dpbounds.compile.integrals.antiderivatives import ClosedIntegral
from dpbounds.compile.steps import NotWritten
from dpbounds.compile.towers.places import Variable, WritingPlace
from dpbounds.compile.towers.problems import Problems, StatedProblem, subterms
from dpbounds.compile.towers.reading import place_of
from dpbounds.compile.towers.slopes import derivative_of
from dpbounds.descent.integrals.moving_ends import MovingEnd
from dpbounds.kernel.terms import (
    MINUS,
    ONE,
    ZERO,
    Refused,
    Term,
    at_most,
    below,
    binder,
    minus,
    negative,
    node,
    number,
    plus,
    substitute,
    times,
)

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
    if moving.end is not None and moving.upper and moving.side == -1:
        return _FromNumber(problems, moving, names, place, given).above(document)
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
    cut, limit = (node("ite", below(t, x), body, ZERO) for body in (f, d))
    order, sign = _on_part(problems, below(t, x), at_most(cut, limit), gap), _on_part(problems, below(t, x), at_most(ZERO, cut), least)
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


class _FromNumber:
    """L(t) ≤ ∫_a^t f by the derivative of L: with L′ + K ≥ 0 from a on, L(t) − L(a) + K·(t − a) = ∫_a^t (L′ + K) ≤ ∫_a^t (f + K).

    f is integrable, for it rises or falls, and lies between 0 and its value at an end.
    """

    def __init__(self, problems: Problems, moving: MovingEnd, names: Mapping[str, Term], place: WritingPlace, given: Given) -> None:
        self.problems, self.c, self.steps, self.moving, self.given = problems, problems.c, problems.c.steps, moving, given
        self.x, self.t, self.low = self.steps.fresh("x"), names[moving.variable], number(moving.end or 0)
        self.names = {**names, moving.variable: self.x, moving.bound.name: self.x}
        self.start, self.stop = self.steps.assume(at_most(self.low, self.x)), self.steps.assume(at_most(self.x, self.t))
        self.there = replace(place, variables={**place.variables, moving.variable: Variable(self.x, moving.end, None, self.start)})
        self.part = node("and", below(self.low, self.x), at_most(self.x, self.t))
        self.order = problems.relation(at_most(self.low, self.t), place)

    def above(self, document: Mapping[str, Any]) -> ClosedIntegral:
        """The bound, and that the integral exists."""
        steps, x, moving = self.steps, self.x, self.moving
        f, limit = self.problems.term(moving.bound.term, self.names), self.problems.term(moving.limit, self.names)
        exists = self._exists(f)
        if (found := self._by_least(f, limit, exists)) is not None:
            return ClosedIntegral(found, exists)
        d = self._slope(limit)[1]
        inside = steps.assume(below(self.low, x))
        gap = self.given(self.problems.shown(StatedProblem(moving.slope(), minus(f, d), self.names), document["slope"]), [inside])
        for k in (ZERO, ONE):
            with suppress(NotWritten, Refused):
                whole = self._area(plus(limit, times(k, x)))
                rest = self._area(times(k, x))
                both, split = self.c.search.opened(steps.write("integral_sum", exists, rest[0]))
                sides = node("ite", self.part, whole[2], ZERO), plus(*(node("ite", self.part, e, ZERO) for e in (f, rest[2])))
                grown = steps.write("integral_monotone", self._where(at_most(*sides), gap), whole[0], both, variable=x)
                bound = at_most(substitute(limit, {x: self.t}), binder("line", x, node("ite", self.part, f, ZERO)))
                if (found := steps.sum_of(bound, [grown, split, whole[1], rest[1]], (), [ONE, ONE, MINUS, ONE])) is not None:
                    return ClosedIntegral(found, exists)
        raise NotWritten("an integral that is bounded by its end")

    def _slope(self, g: Term) -> tuple[int, Term]:
        found = self.steps.attempt("derivative", function=g, variable=self.x)
        found = derivative_of(self.c, place_of(self.c, self.there, g), g, self.x) if found is None else found
        return found, self.steps.formula(found).parts[1]

    def _area(self, g: Term, least: int | None = None) -> tuple[int, int, Term]:
        """That G′ on a < x ≤ t, 0 elsewhere, is integrable, its integral, and G′, where G rises."""
        slope, d = self._slope(g)
        goal = at_most(ZERO, d)
        sign = self.problems.relation(goal, self.there) if least is None else self.steps.weaker(goal, least)
        slope, sign = (self.given(k, [self.start]) for k in (slope, sign))
        both = self.steps.write("fundamental_theorem", slope, sign, self.order, variable=self.x, low=self.low, high=self.t)
        return self.steps.write("part", both, number=0), self.steps.write("part", both, number=1), d

    def _exists(self, f: Term) -> int:
        """That f on a < x ≤ t, 0 elsewhere, is integrable."""
        steps, x = self.steps, self.x
        slope, d = self._slope(f)
        least = self.given(self.problems.relation(at_most(ZERO, f), self.there), [self.start])
        for goal, low, high, end in ((at_most(ZERO, d), x, self.t, self.t), (at_most(d, ZERO), self.low, x, self.low)):
            with suppress(NotWritten, Refused):
                bound = self._between(goal, slope, low, high)
                whole = self._flat(f, least, end)
                cut = node("ite", self.part, f, ZERO)
                bounded = self._where(at_most(cut, node("ite", self.part, whole[2], ZERO)), bound)
                size = steps.write("part", steps.write("absolute", self._where(at_most(ZERO, cut), least)), number=0)
                dominated = steps.write(
                    "linear", bounded, size, formula=at_most(node("abs", cut), steps.formula(bounded).parts[1]), multipliers=[ONE, ONE]
                )
                return steps.write("integrable_dominated", dominated, whole[0], variable=x)
        raise NotWritten("an integral of what neither rises nor falls")

    def _between(self, goal: Term, slope: int, low: Term, high: Term) -> int:
        """f(low) ≤ f(high) where f rises, and f(high) ≤ f(low) where it falls; one of them is x, the other one an end."""
        steps, x, y = self.steps, self.x, self.steps.fresh("y")
        sign = self.given(self.problems.relation(goal, self.there), [self.start])
        first = steps.assume(at_most(low, y))
        rows = [first] if low == self.low else [first, self.start]
        later = steps.write("linear", *rows, formula=at_most(self.low, y), multipliers=[ONE] * len(rows))
        pair = [steps.write("substitution", self.given(k, [self.start]), terms={x: y}, functions={}) for k in (slope, sign)]
        pair = [steps.write("cut", k, later) if at_most(self.low, y) in steps.write.steps[k].hypotheses else k for k in pair]
        return steps.write("monotone", *pair, self.start if high == x else self.stop, variable=y, low=low, high=high)

    def _flat(self, f: Term, least: int, end: Term) -> tuple[int, int, Term]:
        """As `_area`, of the constant f(end), from 0 ≤ f(x)."""
        top = self.steps.write("substitution", least, terms={self.x: end}, functions={})
        top = self.steps.write("cut", top, self.order) if end == self.t else self.given(top, [])
        return self._area(times(substitute(f, {self.x: end}), self.x), top)

    def _by_least(self, f: Term, limit: Term, exists: int) -> int | None:
        """L(t) ≤ ∫_a^t f where L(t) ≤ c·(t − a) for the least value c of f, at t where f falls, and at a where it rises."""
        steps, x = self.steps, self.x
        slope, d = self._slope(f)
        for goal, low, high, end in ((at_most(d, ZERO), x, self.t, self.t), (at_most(ZERO, d), self.low, x, self.low)):
            with suppress(NotWritten, Refused):
                bound = self._between(goal, slope, low, high)
                whole = self._flat(f, self.given(self.problems.relation(at_most(ZERO, f), self.there), [self.start]), end)
                cut = node("ite", self.part, f, ZERO)
                grown = steps.write(
                    "integral_monotone",
                    self._where(at_most(node("ite", self.part, whole[2], ZERO), cut), bound),
                    whole[0],
                    exists,
                    variable=x,
                )
                goal = at_most(substitute(limit, {x: self.t}), binder("line", x, cut))
                if (found := steps.sum_of(goal, [grown, whole[1]])) is not None:
                    return found
        return None

    def _where(self, goal: Term, step: int) -> int:
        return _on_part(self.problems, self.part, goal, step)


def _on_part(problems: Problems, part: Term, goal: Term, step: int) -> int:
    """An order between functions that are 0 off a part of the line, from the order on the part."""
    steps, branches = problems.c.steps, []
    split = steps.write("excluded_middle", formula=part)
    for here, rows in zip(steps.write.hypotheses(steps.formula(split).parts), ([step], []), strict=True):
        inside = problems.c.search.opened(here) if rows else []
        weak = [steps.weaker(at_most(*steps.formula(k).parts), k) for k in inside]
        held = {steps.formula(k): k for k in (*inside, *weak)}
        used = [held[h] for h in steps.write.steps[step].hypotheses if h in held]
        own = [steps.write("cut", k, *used) if used else k for k in rows]
        values = [steps.write("branch", here, then=t.parts[1], other=ZERO) for t in subterms(goal) if t.tag == "ite" and t.parts[0] == part]
        branches.append(steps.write("linear", *own, *dict.fromkeys(values), formula=goal, multipliers=[ONE] * len(own)))
    return steps.write("cases", split, *branches)
