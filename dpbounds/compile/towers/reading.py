"""A term read into a tower of its own: every exponential, logarithm and root is a generator."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from dpbounds.compile.steps import NotWritten, positive
from dpbounds.compile.towers.descents import Descents
from dpbounds.compile.towers.places import WritingPlace
from dpbounds.descent.polynomials import ONE as UNIT
from dpbounds.descent.tower import Generator, Tower
from dpbounds.kernel.terms import Refused, Term, negative, node, number, value


def place_of(c: Descents, place: WritingPlace, *terms: Term) -> WritingPlace:
    """The place with a tower for the terms.

    Raises:
        NotWritten: a function that towers do not have, or a logarithm of what is not shown to be positive.
    """
    here = replace(place, tower=Tower(), terms=(), proofs={})
    for v in place.variables.items():
        name, own = v
        here.tower.variable(name, (own.low, own.high))
        here = replace(here, terms=(*here.terms, own.term))
    for t in terms:
        here = _with(c, here, t)
    return here


def _with(c: Descents, place: WritingPlace, t: Term) -> WritingPlace:
    if t in place.terms or value(t) is not None or t.tag == "v":
        return place
    for part in t.parts:
        place = _with(c, place, part)
    if t.tag == "pi":
        g = Generator("pi")
    elif t.tag in ("exp", "log", "Phi"):
        g = Generator(t.tag.lower(), place.read(t.parts[0]))
    elif t.tag == "pow" and (r := value(t.parts[1])) is not None:
        t = node("pow", t.parts[0], number(Fraction(1, r.denominator)))
        if t in place.terms:
            return place
        g = Generator("root", place.read(t.parts[0]), order=r.denominator)
    else:
        return place
    if g.kind in ("log", "root"):
        found = c.product(place, *g.inner, {}, strict=True)
        goal = positive(t.parts[0])
        if found.ratio < 0:
            raise NotWritten("a logarithm of what is not positive")
        place = place.holding(c.multiple(goal, [found.step], [number(found.ratio)], place, found.signs))
    if g.kind == "root" and g.inner[1] != UNIT:
        raise NotWritten("a root of a quotient")
    try:
        place.tower.add(g)
    except Refused as why:
        raise NotWritten("a tower", str(why)) from None
    return replace(place, terms=(*place.terms, t))


def sign_at(c: Descents, place: WritingPlace, t: Term) -> tuple[int, int]:
    """(1, the step 0 < t) or (−1, the step 0 < −t) for a term at a place.

    Raises:
        NotWritten: the sign is not shown.
    """
    here = place_of(c, place, t)
    found = c.product(here, *here.read(t), {}, strict=True)
    sign = 1 if found.ratio > 0 else -1
    goal = positive(t if sign == 1 else negative(t))
    return sign, c.multiple(goal, [found.step], [number(abs(found.ratio))], here, found.signs)
