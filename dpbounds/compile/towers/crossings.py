"""The step `chord` where the slope changes its sign in two steps or more: m/scale has the slope side·m₂ times something > 0.

With w = 1 for a point t before x, and −1 for one behind it, w·m(t) ≥ 0 follows from w·m(x) ≥ 0, or > 0 where w is not the side, by cases of
the sign of m₂ at one of both points p: at t where w is the side, at x otherwise. Where side·m₂(p) ≥ 0, side·m(p) ≥ 0 by the limit at the
end, which is what is wanted, or a contradiction. Where side·m₂(p) ≤ 0, m/scale falls between t and x. Both times the sign of m₂ on the way
is shown in the same manner.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from dpbounds.compile.steps import NotWritten, sign_of
from dpbounds.compile.towers.descents import STEPS, Descents, Document, scale_of
from dpbounds.compile.towers.places import Way, WritingPlace
from dpbounds.compile.towers.slopes import (
    SlopeStep,
    at_both,
    at_limit,
    chord,
    concluded,
    proportional,
    rises,
    slope_of,
    with_factor,
    without_scale,
)
from dpbounds.descent import polynomials as poly
from dpbounds.descent.polynomials import Polynomial
from dpbounds.kernel.terms import ONE, ZERO, Term, at_most, below, negative, times

Sign = Callable[[WritingPlace], int]
"""Of a place on a way: the step 0 ≤ w·m there."""


def signed(term: Term, way: int) -> Term:
    """t or −t."""
    return term if way == 1 else negative(term)


def crossed_chord(c: Descents, place: WritingPlace, f: Polynomial, document: Document) -> int:
    """0 ≤ f, where f/scale rises first and then falls."""
    s, m, second = slope_of(place, f, document), document["factor"], document["second"]
    results = {}
    for way, own in _cases(c, place.term(m), second).items():
        along = partial(sign_along, c, place, m, second, s.name, own, way)
        slope = _by_factor(c, s, m, document["slope"], way, along, 1)
        rise = partial(rises, c, place, s.name, signed(s.body, way), signed=slope)
        results[way] = at_limit(c, place, s, f, way, document["limits"][0 if way == 1 else 1], rise)
    return concluded(c, place, f, s, _united(c, place.term(m), second, results), strict=False)


def _strict_way(document: Document) -> int:
    """The way whose sign must be strict: that of the other side."""
    return -int(document.get("side", 1))


def _cases(c: Descents, m: Term, document: Document) -> dict[int, int]:
    """The assumptions 0 ≤ m and m ≤ 0, one of them strict."""
    strict = _strict_way(document)
    formulas = {way: (below if way == strict else at_most)(*((ZERO, m) if way == 1 else (m, ZERO))) for way in (1, -1)}
    return {way: c.steps.assume(formula) for way, formula in formulas.items()}


def _united(c: Descents, m: Term, document: Document, results: dict[int, int]) -> int:
    strict = _strict_way(document)
    left, right = (ZERO, m) if strict == -1 else (m, ZERO)
    return c.steps.write("cases", c.steps.write("total_order", left=left, right=right), results[-strict], results[strict])


def _by_factor(
    c: Descents, s: SlopeStep, m: Polynomial, document: Document, way: int, along: Sign, side: int
) -> Callable[[WritingPlace, Term], int]:
    """0 ≤ way·H' at a place on the way, from 0 ≤ way·side·m there, where H' is side·m times something > 0."""

    def shown(here: WritingPlace, slope: Term) -> int:
        rows, ratio = c.proportion(here, s.slope, s.bottom, document, m, strict=True)
        rows = [*rows, *(("den", p, k, None, True) for p, k in s.scale)]
        return with_factor(c, here, rows, ratio * side, slope, signed(here.term(m), way * side), along(here))

    return shown


def sign_along(c: Descents, at: WritingPlace, m: Polynomial, document: Document, name: str, own: int, way: int, there: WritingPlace) -> int:
    """0 ≤ way·m at a place before another one (way 1) or behind it (way −1), from a step that says the same of the other one."""
    if "then" not in document:
        s = slope_of(at, m, document)
        return _fallen(
            c, at, there, s, m, own, way, proportional(c, replace(s, body=negative(s.body)), document["slope"], -1, strict=False)
        )
    steps, side, inner = c.steps, int(document["side"]), document["then"]
    m2, point = document["factor"], there if way == side else at
    s, goal = slope_of(point, m, document), sign_of(signed(there.term(m), way), strict=False)
    results, assumed = {}, _cases(c, point.term(m2), inner)

    def along(towards: int) -> Sign:
        return partial(sign_along, c, point, m2, inner, name, assumed[towards], towards)

    rise = partial(rises, c, point, name, s.body, signed=_by_factor(c, s, m2, document["slope"], 1, along(side), side))
    least = replace(s, body=signed(s.body, side))
    limit = at_limit(c, point, least, poly.scaled(m, side), side, document["limit"], rise)
    limit = without_scale(c, point, signed(point.term(m), side), s.scale, limit, strict=False) if s.scale else limit
    if way == side:
        results[side] = steps.weaker(goal, limit)
    else:
        wrong = steps.sum_of(below(ZERO, ZERO), [limit, own])
        if wrong is None:
            raise NotWritten("a contradiction that is not seen")
        results[side] = steps.write("absurd", wrong, steps.write("irreflexive", term=ZERO), formula=goal)
    falls = _by_factor(c, slope_of(at, m, document), m2, document["slope"], -1, along(-side), side)
    results[-side] = _fallen(c, at, there, slope_of(at, m, document), m, own, way, falls)
    return _united(c, point.term(m2), inner, results)


def _fallen(
    c: Descents,
    at: WritingPlace,
    there: WritingPlace,
    s: SlopeStep,
    m: Polynomial,
    own: int,
    way: int,
    falls: Callable[[WritingPlace, Term], int],
) -> int:
    """0 ≤ way·m at a place, from the same at another one, where m/scale falls between them."""
    steps, v, u = c.steps, at.variables[s.name], there.variables[s.name]
    x, t = v.term, u.term
    order = next(k for k in there.facts if steps.formula(k) in ((below(t, x), at_most(t, x)) if way == 1 else (below(x, t), at_most(x, t))))
    weak = steps.weaker(at_most(t, x) if way == 1 else at_most(x, t), order)
    inner = Way(t, x, weak, u.above_low, v.below_high) if way == 1 else Way(x, t, weak, v.above_low, u.below_high)
    fall = rises(c, at_both(at, there), s.name, negative(s.body), inner, falls)
    signs = [k for p, _ in s.scale if (k := c.signs(at).wanted(p, 1)) is not None]
    here = c.multiple(sign_of(signed(s.body, way), strict=False), [own], [scale_of(at, s.scale) if s.scale else ONE], at, signs)
    factor = signed(there.term(m), way)
    body = times(factor, scale_of(there, s.scale)) if s.scale else factor
    found = c.multiple(sign_of(body, strict=False), [fall, here], [ONE, ONE], there)
    return without_scale(c, there, factor, s.scale, found, strict=False) if s.scale else found


def chord_or_crossing(c: Descents, place: WritingPlace, f: Polynomial, document: Document, strict: bool) -> int:
    """The step `chord`, in one step or in more."""
    if "then" not in document["second"]:
        return chord(c, place, f, document, strict)
    if strict:
        raise NotWritten("a strict goal where the slope may be 0 along the way")
    return crossed_chord(c, place, f, document)


STEPS |= {"chord": chord_or_crossing}
