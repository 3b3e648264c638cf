"""The step by the order of two variables: the larger one is the smaller one and something > 0, or the smaller one a share of the larger."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from dpbounds.compile.steps import NotWritten, sign_of
from dpbounds.compile.towers.descents import STEPS, Descents, Document
from dpbounds.compile.towers.places import Variable, WritingPlace
from dpbounds.descent.images import ordered, ratio_of, shared
from dpbounds.descent.polynomials import ONE as UNIT
from dpbounds.descent.polynomials import Polynomial
from dpbounds.descent.tower import Tower
from dpbounds.kernel.terms import ONE, ZERO, Term, below, equal, minus, number, over, plus, substitute, times

_LONGER = 12
"""Times the work of an attempt, for a value where both are equal."""


def order(c: Descents, place: WritingPlace, f: Polynomial, document: Document, strict: bool) -> int:
    """v < w, w < v and v = w by themselves."""
    if strict:
        raise NotWritten("a strict goal where two variables are equal")
    steps, names = c.steps, document["in"]
    v, w = (place.variables[name].term for name in names)
    pairs = zip((names, names[::-1]), document["claims"], strict=True)
    above, under = (_side(c, place, f, pair, part, shares=bool(document.get("shares"))) for pair, part in pairs)
    first = steps.write("total_order", left=v, right=w)
    second = steps.write("total_order", left=w, right=v)
    weak = [steps.assume(s.parts[0]) for s in map(steps.formula, (first, second))]
    same = _equal(c, place, place.term(f), v, w, steps.write("antisymmetric", *weak))
    return steps.write("cases", first, steps.write("cases", second, same, under), above)


def _side(c: Descents, place: WritingPlace, f: Polynomial, names: tuple[str, str], document: Document, *, shares: bool) -> int:
    """0 ≤ f where the second of two variables is less than the first."""
    steps, tower, (large, small) = c.steps, place.tower, names
    free, (v, w) = Tower(), (place.variables[name].term for name in names)
    images = (shared if shares else ordered)(tower, free, tower.index_of(large), tower.index_of(small))
    if images is None:
        raise NotWritten("an order that never holds")
    value, u = ratio_of(f, UNIT, images), steps.fresh("u")
    if shares:
        low = number(tower.generators[tower.index_of(large)].ends[0] or 0)
        gone, kept, name = small, large, f"{small}/{large}"
        image, back = plus(low, times(minus(v, low), u)), over(minus(w, low), minus(v, low))
    else:
        gone, kept, name = large, small, f"{large}-{small}"
        image, back = plus(w, u), minus(v, w)
    others = place.without(gone)
    own = others.variables[kept]
    room, top = free.box[name][1], free.box[kept][1]
    if top != own.high:
        assert top is not None
        own = replace(own, high=top, below_high=steps.assume(below(own.term, number(top))))
    more = Variable(u, Fraction(0), room, steps.assume(below(ZERO, u)), None if room is None else steps.assume(below(u, number(room))))
    x = place.variables[gone].term
    facts = tuple(
        k for k in place.facts if x not in steps.formula(k).free and all(x not in h.free for h in steps.write.steps[k].hypotheses)
    )
    here = replace(others, variables={**others.variables, kept: own, name: more}, facts=facts, premises=())
    shown = c.claim(substitute(place.term(f), {x: image}), free, value, document, here, strict=False)
    moved = steps.write("substitution", shown, terms={u: back}, functions={})
    known = [steps.assume(below(w, v)), *place.known]
    missing = [h for h in steps.write.steps[moved].hypotheses if h not in map(steps.formula, place.known)]
    moved = steps.write("cut", moved, *(_shown(c, h, known, back if shares else None) for h in missing)) if missing else moved
    same = c.prove(equal(substitute(image, {u: back}), x), known) if not shares else _undone(c, substitute(image, {u: back}), x, known)
    return steps.write("rewrite", moved, same)


def _shown(c: Descents, h: Term, known: list[int], share: Term | None) -> int:
    """A hypothesis about the order, or about the share of two variables."""
    if share is None or share not in h.parts:
        return c.prove(h, known)
    top, bottom = share.parts[0], share.parts[1].parts[0]
    least = c.prove(below(ZERO, bottom), known)
    goal = below(ZERO, top) if h.parts[0] == ZERO else below(ZERO, minus(bottom, top))
    found = c.steps.sum_of(h, [c.prove(goal, known)], [least], [share.parts[1]])
    if found is None:
        raise NotWritten("a share of a variable")
    return found


def _undone(c: Descents, image: Term, x: Term, known: list[int]) -> int:
    bottom = image.parts[1].parts[0]
    found = c.steps.attempt("ring", c.prove(below(ZERO, bottom), known), formula=equal(image, x))
    if found is None:
        raise NotWritten("a change that is not undone")
    return found


def _equal(c: Descents, place: WritingPlace, f: Term, v: Term, w: Term, same: int) -> int:
    """0 ≤ f where v = w, at sight."""
    steps, there = c.steps, substitute(f, {v: w})
    goal = sign_of(there, strict=False)
    facts = [k for k in place.known if v not in steps.formula(k).free]
    with steps.longer(_LONGER):
        base = steps.attempt("linear", *facts, formula=goal, multipliers=[])
        moved = steps.write("congruence", same, term=f)
        found = None if base is None else steps.sum_of(sign_of(f, strict=False), [base, moved], place.known, [ONE, number(-1)])
    if found is None:
        raise NotWritten("a value where two variables are equal")
    return found


STEPS |= {"order": order}
