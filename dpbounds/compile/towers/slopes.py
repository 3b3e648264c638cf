"""Steps by derivatives: monotone, curve, valley and chord, by the rule `monotone` of the checker on the way from one point to another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial, reduce

from dpbounds.compile.steps import NotWritten, multiple, positive, product_of, sign_of, sum_of_terms
from dpbounds.compile.towers.at_sight import at_sight
from dpbounds.compile.towers.descents import STEPS, Descents, Document, Rows, scale_of, scaled_rows
from dpbounds.compile.towers.limits import from_far
from dpbounds.compile.towers.places import Variable, Way, WritingPlace
from dpbounds.descent import polynomials as poly
from dpbounds.descent.images import difference_of_powers, ratio_of, slope_over, substitution
from dpbounds.descent.polynomials import ONE as UNIT
from dpbounds.descent.polynomials import Polynomial, Quotient
from dpbounds.descent.tower import Tower
from dpbounds.kernel.terms import (
    ONE,
    ZERO,
    Refused,
    Term,
    at_most,
    below,
    equal,
    minus,
    negative,
    node,
    number,
    plus,
    power,
    substitute,
    times,
    unequal,
    value,
)


@dataclass(frozen=True)
class SlopeStep:
    """H = f/scale in a variable: its terms, and what a certificate says of its slope.

    Attributes:
        name: the variable.
        index: its generator.
        body: the term of H.
        scale: the polynomials of the scale with their powers.
        slope, bottom: scale·H' as a quotient of polynomials.
    """

    name: str
    index: int
    body: Term
    scale: list[tuple[Polynomial, int]]
    slope: Polynomial
    bottom: Polynomial
    whole: Polynomial


def slope_of(place: WritingPlace, f: Polynomial, document: Document) -> SlopeStep:
    """H of a step."""
    v, n, d, whole = slope_over(place.tower, f, document)
    rows = scaled_rows(document)
    body = times(place.term(f), scale_of(place, rows)) if rows else place.term(f)
    return SlopeStep(document["in"], v, body, rows, n, d, whole)


# --- from one point to another


Ends = tuple[Term, Term]
Signed = Callable[[WritingPlace, Term], int]
"""Of a place on the way and the term of the slope: the step 0 ≤ slope or 0 < slope."""


def rises(c: Descents, place: WritingPlace, name: str, body: Term, way: Way, signed: Signed, *, strict: bool = False) -> int:
    """H(a) ≤ H(b), or H(a) < H(b)."""
    steps, v = c.steps, place.variables[name]
    t = steps.fresh(name)
    moved = substitute(body, {v.term: t})
    closed = _moved(c, place, v, name, t, way, strict=False)
    opened = _moved(c, place, v, name, t, way, strict=True)
    derivative = _with_densities(c, closed, derivative_of(c, closed, moved, t))
    slope = steps.formula(derivative).parts[1]
    sign = signed(opened, slope)
    if strict:
        sign = steps.weaker(sign_of(slope, strict=True), sign)
    else:
        sign = steps.weaker(sign_of(slope, strict=False), sign)
    return steps.write("monotone", derivative, sign, way.order, variable=t, low=way.low, high=way.high)


def _with_densities(c: Descents, place: WritingPlace, step: int) -> int:
    """A derivative with e^{−w²/2}, for each Φ(w) of a tower, as the product of exponentials that it is there.

    The normal form of the checker sees this where w has no sum below the fraction bar.
    """
    steps = c.steps
    for g, t in zip(place.tower.generators, place.terms, strict=True):
        if g.kind != "phi" or g.density is None or any(place.terms[i].tag != "exp" for i, _ in g.density[0]):
            continue
        density = node("exp", times(number("-1/2"), power(t.parts[0], 2)))
        product = product_of((place.terms[i], k) for i, k in g.density[0])
        if steps.attempt("ring", *place.known, formula=equal(density, product)) is not None:
            continue
        exponent = sum_of_terms(multiple(k, place.terms[i].parts[0]) for i, k in g.density[0])
        same = steps.attempt("ring", *place.known, formula=equal(density.parts[0], exponent))
        grown = None if same is None else steps.sum_of(equal(density, product), [steps.write("exp_monotone", same)], place.known)
        moved = None if grown is None else steps.attempt("rewrite", step, grown)
        step = step if moved is None else moved
    return step


def _moved(c: Descents, place: WritingPlace, v: Variable, name: str, t: Term, way: Way, *, strict: bool) -> WritingPlace:
    """The place of a point on the way."""
    steps = c.steps
    relation = below if strict else at_most
    here = [steps.assume(relation(way.low, t)), steps.assume(relation(t, way.high))]
    low, high = value(way.low), value(way.high)
    above: int | None = here[0] if low is not None else None
    under: int | None = here[1] if high is not None else None
    if low is None and way.above is not None and v.low is not None:
        tag = "<" if strict or steps.formula(way.above).tag == "<" else "<="
        low, above = v.low, _joined(c, node(tag, number(v.low), t), way.above, here[0])
    if high is None and way.under is not None and v.high is not None:
        tag = "<" if strict or steps.formula(way.under).tag == "<" else "<="
        high, under = v.high, _joined(c, node(tag, t, number(v.high)), here[1], way.under)
    own = Variable(t, low, high, above, under)
    facts = [s for s in place.facts if not _speaks_of(c, s, v.term)]
    variables = {**place.variables, name: own}
    moved = replace(place, variables=variables, facts=(*facts, *here), premises=())
    return c.towered(moved, place.tower, place.proofs, spared=True)


def _joined(c: Descents, goal: Term, *orders: int) -> int:
    if c.steps.formula(orders[0]) == goal:
        return orders[0]
    if c.steps.formula(orders[-1]) == goal:
        return orders[-1]
    needed = [k for k in orders if c.steps.formula(k).parts[0] != c.steps.formula(k).parts[1]]
    step = c.steps.sum_of(goal, needed)
    if step is None:
        raise NotWritten("the range of a point on the way")
    return step


def _speaks_of(c: Descents, step: int, x: Term) -> bool:
    return x in c.steps.formula(step).free or any(x in h.free for h in c.steps.write.steps[step].hypotheses)


def derivative_of(c: Descents, place: WritingPlace, body: Term, t: Term) -> int:
    """The derivative of a term in a variable of a place."""
    needed: dict[Term, None] = {}

    def visit(part: Term) -> None:
        if t not in part.free:
            return
        for inner in part.parts:
            visit(inner)
        if part.tag in ("log", "pow") or part.tag == "^" and int(part.data[0]) < 0:  # type: ignore[call-overload]
            needed[part] = None

    visit(body)
    known = {c.steps.formula(s): s for s in place.facts}
    by = []
    for part in needed:
        a = part.parts[0]
        if t not in a.free and (part.tag != "pow" or t not in part.parts[1].free):
            continue
        if positive(a) in known and known[positive(a)] in by:
            continue
        if positive(a) in known:
            by.append(known[positive(a)])
            continue
        by.append(nonzero(c, place, a, must_be_positive=part.tag != "^"))
    return c.steps.write("derivative", *by, function=body, variable=t)


def nonzero(c: Descents, place: WritingPlace, a: Term, *, must_be_positive: bool) -> int:
    """0 < a, or a ≠ 0."""
    n, d = place.read(a)
    signs = [c.signs(place).positive(p) for p in (n, d) if p != UNIT]
    if None in signs:
        raise NotWritten("a sign at the end of a range")
    found = [s for s in signs if s is not None]
    sign = 1
    for s, _ in found:
        sign *= s
    if sign == 1:
        weight = [ONE]
        if d != UNIT:
            weight = [power(place.term(d), -1)]
        goal = positive(a)
        return c.multiple(goal, [found[0][1]], weight, place, [s for _, s in found[1:]]) if found else c.prove(goal, place.known)
    if must_be_positive:
        raise NotWritten("a logarithm of what is not positive")
    goal = positive(negative(a))
    shown = c.multiple(goal, [found[0][1]], [ONE], place, [s for _, s in found[1:]])
    step = c.steps.attempt("sign", shown, formula=unequal(a, ZERO))
    if step is None:
        raise NotWritten("a divisor that may be 0")
    return step


# --- the sign of a slope


def proportional(c: Descents, s: SlopeStep, document: Document, side: int, *, strict: bool, factor: Polynomial = UNIT) -> Signed:
    """side·slope = side·ratio·Π num/(Π den·scale); with a factor whose sign is handed over as the last premise of the place."""

    def signed(place: WritingPlace, slope: Term) -> int:
        rows, ratio = c.proportion(place, s.slope, s.bottom, document, factor, strict=strict)
        rows = [*rows, *(("den", p, k, None, True) for p, k in s.scale)]
        found = c._signed(place, rows, ratio * side)
        if found.ratio < 0:
            raise NotWritten("a slope of the other sign")
        tag = c.steps.formula(found.step).tag
        return c.multiple(sign_of(slope, strict=tag == "<" and strict), [found.step], [number(found.ratio)], place, found.signs)

    return signed


def direction_of(c: Descents, place: WritingPlace, s: SlopeStep, document: Document) -> int:
    """1 where H rises, −1 where it falls; 0 of a constant."""
    if not place.tower.reduced(s.slope):
        return 0
    rows, ratio = c.proportion(place, s.slope, s.bottom, document, UNIT, strict=False)
    sign = 1 if ratio > 0 else -1
    for _, f, k, proof, _ in rows:
        if k % 2 and proof is None:
            sign *= place.tower.weak_sign(f) or 0
    return sign


# --- the steps


def range_of(c: Descents, place: WritingPlace, name: str) -> tuple[Fraction | None, Fraction | None]:
    """The ends of a variable in the tower of the certificate."""
    return place.tower.generators[place.tower.index_of(name)].ends


def value_at(
    c: Descents, place: WritingPlace, s: SlopeStep, f: Polynomial, at: Quotient, document: Document, *, strict: bool
) -> tuple[int, Term]:
    """0 ≤ H(h) (or <) by a claim, and the term of h."""
    free = Tower()
    images = substitution(place.tower, free, {s.index: at})
    h = place.quotient(at)
    value = ratio_of(f, s.whole, images)
    v = place.variables[s.name].term
    here = place.without(s.name)
    facts = tuple(k for k in place.facts if not _speaks_of(c, k, v))
    here = replace(here, facts=facts, premises=())
    term = substitute(s.body, {v: h})
    return c.claim(term, free, value, document, here, strict=strict), h


def to_end(c: Descents, place: WritingPlace, name: str, side: int) -> tuple[Way, Fraction]:
    """The way from the low end of a variable to where it is (side 1), or from there to its high end."""
    steps, v = c.steps, place.variables[name]
    low, high = range_of(c, place, name)
    end = low if side == 1 else high
    known = v.above_low if side == 1 else v.below_high
    if end is None or known is None:
        raise NotWritten("a limit at infinity")
    edge = number(end)
    goal = at_most(edge, v.term) if side == 1 else at_most(v.term, edge)
    order = steps.sum_of(goal, [known])
    if order is None:
        raise NotWritten("the range of a variable")
    if side == 1:
        return Way(edge, v.term, order, None, v.below_high), end
    return Way(v.term, edge, order, v.above_low, None), end


def concluded(c: Descents, place: WritingPlace, f: Polynomial, s: SlopeStep, body: int, *, strict: bool) -> int:
    """0 ≤ f from 0 ≤ f/scale."""
    if not s.scale:
        return c.steps.weaker(sign_of(place.term(f), strict=strict), body)
    return without_scale(c, place, place.term(f), s.scale, body, strict=strict)


def without_scale(c: Descents, place: WritingPlace, f: Term, scale: Sequence[tuple[Polynomial, int]], body: int, *, strict: bool) -> int:
    """0 ≤ f from a step 0 ≤ f·Π s^{−k}: shown for any numbers in the places of f and of each s, which may be long."""
    steps = c.steps
    signs = [k for p, _ in scale if (k := c.signs(place).wanted(p, 1)) is not None]
    if len(signs) < len(scale):
        raise NotWritten("a scale that may be 0")
    v, *parts = (steps.fresh("v") for _ in (f, *scale))
    known = [steps.assume(positive(t)) for t in parts]
    share, weight = (product_of((t, sign * k) for t, (_, k) in zip(parts, scale, strict=True)) for sign in (-1, 1))
    given = steps.assume(node(steps.formula(body).tag, ZERO, times(v, share)))
    found = steps.write("linear", given, *known, formula=sign_of(v, strict=strict), multipliers=[weight])
    values = {v: f, **{t: place.term(p) for t, (p, _) in zip(parts, scale, strict=True)}}
    moved = steps.write("substitution", found, terms=values, functions={})
    body = steps.weaker(node(steps.formula(body).tag, ZERO, times(f, scale_of(place, scale))), body)
    return steps.write("cut", moved, body, *(steps.weaker(positive(values[t]), k) for t, k in zip(parts, signs, strict=True)))


def _sum(c: Descents, rise: int, base: int, body: Term, *, strict: bool) -> int:
    step = c.steps.sum_of(sign_of(body, strict=strict), [rise, base])
    if step is None:
        raise NotWritten("a relation in other words")
    return step


def monotone(c: Descents, place: WritingPlace, f: Polynomial, document: Document, strict: bool) -> int:
    """H is monotone, and ≥ 0 at the end where it is least."""
    s = slope_of(place, f, document)
    side = direction_of(c, place, s, document["slope"])
    if not side:
        raise NotWritten("a slope whose sign is not seen")
    limit = document["limit"]
    body = s.body if side == 1 else negative(s.body)
    signed = proportional(c, s, document["slope"], side, strict=strict)
    risen = partial(rises, c, place, s.name, body, signed=signed)
    if limit.get("continuous"):
        try:
            way, end = to_end(c, place, s.name, side)
            if strict:
                way = replace(way, order=c.steps.weaker(below(way.low, way.high), _strict_end(place, s.name, side)))
            rise = risen(way, strict=strict)
            base, _ = value_at(c, place, s, f, (poly.constant(end), UNIT), limit["claim"], strict=False)
            return concluded(c, place, f, s, _sum(c, rise, base, s.body, strict=strict), strict=strict)
        except (NotWritten, Refused) as why:  # no derivative at the end itself: an expansion does without it
            reason = why
    try:
        shown = at_limit(c, place, s, f, side, limit, risen)
    except (NotWritten, Refused):
        if limit.get("continuous"):
            raise reason from None
        raise
    if strict:
        shown = _beyond(c, place, s, side, shown, partial(risen, strict=True))
    return concluded(c, place, f, s, shown, strict=strict)


def at_limit(c: Descents, place: WritingPlace, s: SlopeStep, f: Polynomial, side: int, limit: Document, rise: Callable[[Way], int]) -> int:
    """0 ≤ H at a point, where H is least at an end: by its value there, if that is plain to see, or by an expansion."""
    try:
        way, end = to_end(c, place, s.name, side)
        v = place.variables[s.name].term
        goal = sign_of(substitute(s.body, {v: number(end)}), strict=False)
        facts = [k for k in place.known if not _speaks_of(c, k, v)]
        base = c.steps.attempt("linear", *facts, formula=goal, multipliers=[])
        base = c.steps.attempt("sign", *facts, formula=goal) if base is None else base
        if base is not None:
            return _sum(c, rise(way), base, s.body, strict=False)
    except (NotWritten, Refused):
        pass
    return from_far(c, place, s, f, side, limit, rise)


def _beyond(
    c: Descents,
    place: WritingPlace,
    s: SlopeStep,
    side: int,
    shown: int,
    rise: Callable[[Way], int],
    also: Callable[[Way, Term], int] | None = None,
) -> int:
    """0 < H at x, from 0 ≤ H at a point between x and the end; `also` says more of that point."""
    v = place.variables[s.name]
    low, high = range_of(c, place, s.name)
    end = low if side == 1 else high
    middle = plus(v.term, number(-side)) if end is None else times(number("1/2"), plus(v.term, number(end)))
    ends = [c.prove(h, place.known) if e is not None else None for e, h in (
        (v.low, below(number(v.low or 0), middle)), (v.high, below(middle, number(v.high or 0))))]  # fmt: skip
    order = c.prove(below(middle, v.term) if side == 1 else below(v.term, middle), place.known)
    way = Way(middle, v.term, order, ends[0], v.below_high) if side == 1 else Way(v.term, middle, order, v.above_low, ends[1])
    moved = _put(c, place, shown, v.term, middle, [] if also is None else [also(way, middle)])
    return _sum(c, rise(way), moved, s.body, strict=True)


def _put(c: Descents, place: WritingPlace, step: int, x: Term, at: Term, more: Sequence[int] = ()) -> int:
    """What a step says at another point, where what it needs is shown there."""
    steps, known = c.steps, [*place.known, *more]
    moved = steps.write("substitution", step, terms={x: at}, functions={})
    missing = [h for h in steps.write.steps[moved].hypotheses if x in h.free and h not in map(steps.formula, place.known)]
    return steps.write("cut", moved, *(c.prove(h, known) for h in missing)) if missing else moved


def _strict_end(place: WritingPlace, name: str, side: int) -> int:
    v = place.variables[name]
    known = v.above_low if side == 1 else v.below_high
    assert known is not None
    return known


def _halves(c: Descents, place: WritingPlace, name: str, h: Term) -> list[tuple[int, Way]]:
    """The ways from h up to the variable, where h ≤ x, and from the variable up to h, where x ≤ h."""
    steps, v = c.steps, place.variables[name]
    found = []
    free = replace(place.without(name), facts=tuple(k for k in place.facts if not _speaks_of(c, k, v.term)))
    above = under = None
    if v.low is not None:
        above = _end_below(c, place, free, number(v.low), h)
    if v.high is not None:
        under = _end_below(c, place, free, h, number(v.high))
    for side in (1, -1):
        here = steps.assume(at_most(h, v.term) if side == 1 else at_most(v.term, h))
        way = Way(h, v.term, here, above, v.below_high) if side == 1 else Way(v.term, h, here, v.above_low, under)
        found.append((side, way))
    return found


def _end_below(c: Descents, place: WritingPlace, free: WritingPlace, small: Term, large: Term) -> int:
    """small < large, or ≤, where one of them is an end of a range."""
    known = [*free.known, *_signs_of_place(c, place, free, minus(large, small))]
    for relation in (below, at_most):
        try:
            return c.prove(relation(small, large), known)
        except NotWritten:
            continue
    raise NotWritten("a point outside of the range")


def _signs_of_place(c: Descents, place: WritingPlace, free: WritingPlace, gap: Term) -> list[int]:
    """The steps about the signs of the polynomials of a gap."""
    try:
        n, d = place.read(gap)
    except NotWritten:
        return []
    here = replace(free, tower=place.tower, terms=place.terms, proofs=place.proofs)
    found = [c.signs(here).positive(p, strict=False) for p in (n, d) if p not in ({}, UNIT)]
    return [s[1] for s in found if s is not None]


def _united(c: Descents, place: WritingPlace, name: str, h: Term, results: Sequence[int]) -> int:
    """By cases: h ≤ x, or x < h."""
    steps, x = c.steps, place.variables[name].term
    weak = steps.sum_of(at_most(x, h), [steps.assume(below(x, h))])
    assert weak is not None
    return steps.write("cases", steps.write("total_order", left=h, right=x), results[0], steps.write("cut", results[1], weak))


def curve(c: Descents, place: WritingPlace, f: Polynomial, document: Document, strict: bool) -> int:
    """The slope of H is (v − h) times something ≥ 0."""
    s = slope_of(place, f, document)
    at = tuple(document["at"])
    factor = poly.minus(poly.times(poly.generator(s.index), at[1]), at[0])
    if "powers" in document:
        factor = difference_of_powers(place.tower, document)
    base, h = value_at(c, place, s, f, at, document["claim"], strict=strict)
    results = []
    for side, way in _halves(c, place, s.name, h):

        def signed(here: WritingPlace, slope: Term, side: int = side) -> int:
            """slope = ratio·(t − h)·b·Π num/(Π den·scale), with the sign of t − h."""
            t = here.variables[s.name].term
            line = minus(t, h) if side == 1 else minus(h, t)
            order = next(k for k in here.facts if c.steps.formula(k) == (below(h, t) if side == 1 else below(t, h)))
            rows, ratio = c.proportion(here, s.slope, s.bottom, document["slope"], factor, strict=False)
            rows = [*rows, *(("den", p, k, None, True) for p, k in s.scale)]
            if "powers" in document:
                own = here.term(factor) if side == 1 else negative(here.term(factor))
                return with_factor(c, here, rows, ratio, slope, own, _powers(c, here, document, own, line, order, s.index, at, side))
            return with_factor(c, here, [*rows, ("num", at[1], 1, None, True)], ratio, slope, line, order)

        body = s.body if side == 1 else negative(s.body)
        rise = rises(c, place, s.name, body, way, signed)
        results.append(_sum(c, rise, base, s.body, strict=strict))
    return concluded(c, place, f, s, _united(c, place, s.name, h, results), strict=strict)


def _powers(
    c: Descents, place: WritingPlace, document: Document, factor: Term, line: Term, order: int, index: int, at: Quotient, side: int
) -> int:
    """0 ≤ ±(P − Q)·d for two products of powers of exponentials, where log P − log Q is a line times something > 0."""
    tower, steps = place.tower, c.steps
    rows = [[(int(i), int(k)) for i, k in part] for part in document["powers"]]
    logs = [sum_of_terms(multiple(k, place.terms[i].parts[0]) for i, k in part) for part in rows]
    bottoms = [place.term(tower.power_product(part)[1]) for part in rows]
    big, small = logs if side == 1 else logs[::-1]
    n, d = poly.sum_of([_scaled_logs(tower, rows[0], 1), _scaled_logs(tower, rows[1], -1)])
    gap = poly.minus(poly.times(poly.generator(index), at[1]), at[0])
    own, ratio = c.proportion(place, n, d, document["exponent"], gap, strict=True)
    difference = minus(big, small)
    shown = with_factor(c, place, [*own, ("num", at[1], 1, None, True)], ratio, difference, line, order)
    grown = steps.write("exp_monotone", steps.weaker(at_most(small, big), shown))
    return c.multiple(sign_of(factor, strict=False), [grown], [times(bottoms[0], bottoms[1])], place)


def _scaled_logs(tower: Tower, rows: Sequence[tuple[int, int]], sign: int) -> Quotient:
    found = [(poly.scaled(n, sign * k), d) for i, k in rows for n, d in [tower.logarithm_of_base(i)]]
    return poly.sum_of(found)


def with_factor(
    c: Descents, place: WritingPlace, rows: Rows, ratio: Fraction, slope: Term, factor: Term, order: int, *, strict: bool = False
) -> int:
    """0 ≤ slope, where slope = ratio·factor·Π num/Π den, and a step says 0 ≤ factor or something like a < b of it."""
    sure = strict and c.steps.formula(order).tag == "<"
    shown = c.steps.sum_of(sign_of(factor, strict=sure), [order])
    if shown is None:
        raise NotWritten("a relation in other words")
    rest = c._signed(place, rows, ratio)
    if rest.ratio < 0:
        raise NotWritten("a slope of the other sign")
    total = times(rest.term, factor)
    both = c.steps.attempt("sign", rest.step, shown, formula=sign_of(total, strict=sure))
    if both is None:
        raise NotWritten("a product whose sign is not seen")
    return c.multiple(sign_of(slope, strict=sure), [both], [number(rest.ratio)], place, rest.signs)


def valley(c: Descents, place: WritingPlace, f: Polynomial, document: Document, strict: bool) -> int:
    """The slope of H is m times something > 0; m/scale2 does not fall, and is 0 at h."""
    s = slope_of(place, f, document)
    m = document["factor"]
    second = slope_of(place, m, document["second"])
    at = tuple(document["at"])
    base, h = value_at(c, place, s, f, at, document["claim"], strict=strict)
    zero = _zero_at(c, place, second, m, at, document, s.name)
    sign_at = _along_the_other if second.name != s.name else _along_the_way
    results = []
    for side, way in _halves(c, place, s.name, h):

        def signed(here: WritingPlace, slope: Term, side: int = side, way: Way = way) -> int:
            t = here.variables[s.name].term
            order = next(k for k in here.facts if c.steps.formula(k) == (below(h, t) if side == 1 else below(t, h)))
            weak = c.steps.weaker(at_most(h, t) if side == 1 else at_most(t, h), order)
            v, w = here.variables[s.name], here.variables[second.name]
            moved = replace(second, body=substitute(second.body, {place.variables[s.name].term: t}))
            by = sign_at(c, here, moved, document["second"]["slope"], (h, weak, side), way, (v, w), zero)
            return _signed_by(c, here, s, second, document, slope, by, side, m)

        body = s.body if side == 1 else negative(s.body)
        rise = rises(c, place, s.name, body, way, signed)
        results.append(_sum(c, rise, base, s.body, strict=strict))
    return concluded(c, place, f, s, _united(c, place, s.name, h, results), strict=strict)


def _along_the_way(
    c: Descents,
    here: WritingPlace,
    second: SlopeStep,
    slope: Document,
    to: tuple[Term, int, int],
    way: Way,
    both: tuple[Variable, Variable],
    zero: int,
) -> list[int]:
    """m/scale2 does not fall from h to t, or from t to h, and is 0 at h."""
    (h, weak, side), (v, _) = to, both
    inner = Way(h, v.term, weak, way.above, v.below_high) if side == 1 else Way(v.term, h, weak, v.above_low, way.under)
    return [rises(c, here, second.name, second.body, inner, proportional(c, second, slope, 1, strict=False)), zero]


def _along_the_other(
    c: Descents,
    here: WritingPlace,
    second: SlopeStep,
    slope: Document,
    to: tuple[Term, int, int],
    way: Way,
    both: tuple[Variable, Variable],
    zero: int,
) -> list[int]:
    """m/scale2 does not rise in another variable w from w to t, or from t to w, and is 0 at w = t."""
    (h, weak, side), (v, w) = to, both
    inner = Way(h, v.term, weak, w.above_low, v.below_high) if side == 1 else Way(v.term, h, weak, v.above_low, w.below_high)
    turned = replace(second, body=negative(second.body))
    fall = rises(c, here, second.name, turned.body, inner, proportional(c, turned, slope, -1, strict=False))
    there = c.steps.write("substitution", zero, terms={h: v.term}, functions={})
    return [fall, c.steps.write("cut", there, *(k for k in (v.above_low, v.below_high) if k is not None))]


def _signed_by(
    c: Descents,
    here: WritingPlace,
    s: SlopeStep,
    second: SlopeStep,
    document: Document,
    slope: Term,
    by: Sequence[int],
    side: int,
    m: Polynomial,
    *,
    strict: bool = False,
) -> int:
    """0 ≤ slope from 0 ≤ side·m/scale2, which is the sum of some steps."""
    factor = here.term(m) if side == 1 else negative(here.term(m))
    weights = [number(side) if c.steps.formula(k).tag == "=" else ONE for k in by]
    body = times(factor, scale_of(here, second.scale)) if second.scale else factor
    order = c.multiple(sign_of(body, strict=strict), by, weights, here)
    if second.scale:
        order = without_scale(c, here, factor, second.scale, order, strict=strict)
    rows, ratio = c.proportion(here, s.slope, s.bottom, document["slope"], m, strict=True)
    rows = [*rows, *(("den", p, k, None, True) for p, k in s.scale)]
    return with_factor(c, here, rows, ratio, slope, factor, order, strict=strict)


def _zero_at(c: Descents, place: WritingPlace, second: SlopeStep, m: Polynomial, at: Quotient, document: Document, name: str) -> int:
    """m/scale2 = 0 where a variable is h: both signs by their claims."""
    x, h = place.variables[name].term, place.quotient(at)
    goal = equal(substitute(second.body, {x: h}), ZERO)
    facts = [k for k in place.facts if not _speaks_of(c, k, x)]
    found = c.steps.attempt("ring", *facts, formula=goal)
    if found is not None:
        return found
    sides = []
    for sign, part in zip((1, -1), document["zero"], strict=True):
        body = second.body if sign == 1 else negative(second.body)
        turned = replace(second, name=name, index=place.tower.index_of(name), body=body)
        step, _ = value_at(c, place, turned, poly.scaled(m, sign), at, part, strict=False)
        sides.append(step)
    lower = c.steps.sum_of(at_most(ZERO, goal.parts[0]), [sides[0]])
    upper = c.steps.sum_of(at_most(goal.parts[0], ZERO), [sides[1]])
    if lower is None or upper is None:
        raise NotWritten("a relation in other words")
    return c.steps.write("antisymmetric", upper, lower)


def chord(c: Descents, place: WritingPlace, f: Polynomial, document: Document, strict: bool) -> int:
    """The slope of H is m times something > 0, and m/scale2 falls: where m ≥ 0 the function rose up to here, else it falls from here on."""
    s = slope_of(place, f, document)
    m = document["factor"]
    second = slope_of(place, m, document["second"])
    steps, x = c.steps, place.variables[s.name].term
    factor = place.term(m)
    results = []
    signs = [c.signs(place).wanted(p, 1) for p, _ in second.scale]
    if None in signs:
        raise NotWritten("a scale that may be 0")
    for side, limit in zip((1, -1), document["limits"], strict=True):
        expanded = not limit.get("continuous")
        way, end = (None, None) if expanded else to_end(c, place, s.name, side)
        if strict and way is not None:
            way = replace(way, order=steps.weaker(below(way.low, way.high), _strict_end(place, s.name, side)))
        case = at_most(ZERO, factor) if side == 1 else below(factor, ZERO)
        here = steps.assume(at_most(*case.parts) if expanded else case)
        goal = at_most(ZERO, second.body if side == 1 else negative(second.body))
        facts = [k for k in signs if k is not None]
        weight = scale_of(place, second.scale)
        own = c.multiple(goal, [here], [weight], place, facts)
        turned = replace(second, body=negative(second.body))

        def signed(
            there: WritingPlace, slope: Term, side: int = side, own: int = own, strict: bool = strict, turned: SlopeStep = turned
        ) -> int:
            v, u = place.variables[s.name], there.variables[s.name]
            t = u.term
            order = next(k for k in there.facts if steps.formula(k) == (below(t, x) if side == 1 else below(x, t)))
            if not strict:
                weak = steps.sum_of(at_most(t, x) if side == 1 else at_most(x, t), [order])
                assert weak is not None
                order = weak
            inner = Way(t, x, order, u.above_low, v.below_high) if side == 1 else Way(x, t, order, v.above_low, u.below_high)
            fall = rises(
                c,
                at_both(place, there),
                s.name,
                turned.body,
                inner,
                proportional(c, turned, document["second"]["slope"], -1, strict=strict),
                strict=strict,
            )
            return _signed_by(c, there, s, second, document, slope, [fall, own], side, m, strict=strict)

        body = s.body if side == 1 else negative(s.body)
        if way is None or end is None:
            shown = at_limit(c, place, s, f, side, limit, partial(rises, c, place, s.name, body, signed=partial(signed, strict=False)))
            if strict:
                strictly = partial(rises, c, place, s.name, body, signed=signed, strict=True)
                also = partial(_factor_beyond, c, place, turned, m, document["second"]["slope"], (own, facts, side))
                shown = _beyond(c, place, s, side, shown, strictly, also)
            results.append(shown if side == 1 else steps.write("cut", shown, steps.weaker(at_most(*case.parts), steps.assume(case))))
            continue
        rise = rises(c, place, s.name, body, way, signed, strict=strict)
        base, _ = value_at(c, place, s, f, (poly.constant(end), UNIT), limit["claim"], strict=False)
        results.append(_sum(c, rise, base, s.body, strict=strict))
    both = steps.write("cases", steps.write("total_order", left=ZERO, right=factor), *results)
    return concluded(c, place, f, s, both, strict=strict)


def _factor_beyond(
    c: Descents,
    place: WritingPlace,
    turned: SlopeStep,
    m: Polynomial,
    slope: Document,
    known: tuple[int, Sequence[int], int],
    way: Way,
    at: Term,
) -> int:
    """0 ≤ side·m at a point beyond x, from the sign of m/scale2 at x: it falls."""
    steps, name, x = c.steps, turned.name, place.variables[turned.name].term
    own, signs, side = known
    way = replace(way, order=steps.weaker(at_most(way.low, way.high), way.order))
    fall = rises(c, place, name, turned.body, way, proportional(c, turned, slope, -1, strict=False))
    there = substitute(turned.body, {x: at})
    sign = steps.sum_of(at_most(there, ZERO) if side == 1 else at_most(ZERO, there), [fall, own])
    if sign is None:
        raise NotWritten("a factor beyond a point")
    weight = substitute(reduce(times, (power(place.term(p), k) for p, k in turned.scale), ONE), {x: at})
    term = substitute(place.term(m), {x: at})
    goal = at_most(ZERO, term) if side == 1 else at_most(term, ZERO)
    return c.multiple(goal, [sign], [weight], place, [_put(c, place, k, x, at) for k in signs])


def at_both(place: WritingPlace, there: WritingPlace) -> WritingPlace:
    """The place of x, with what is known of a point t on the way to it."""
    return replace(place, facts=tuple(dict.fromkeys([*place.facts, *there.known])), premises=())


def split(c: Descents, place: WritingPlace, f: Polynomial, document: Document, strict: bool) -> int:
    """v ≤ c and v > c by themselves."""
    name, at = document["in"], Fraction(document["at"])
    steps, v = c.steps, place.variables[document["in"]]
    edge = number(at)
    index = place.tower.index_of(name)
    low, high = place.tower.generators[index].ends
    results = []
    for side, ends, part in zip((-1, 1), ((low, at), (at, high)), document["claims"][:2], strict=True):
        free = Tower()
        images = substitution(place.tower, free, {}, {index: ends})
        here = steps.assume(at_most(v.term, edge) if side == -1 else below(edge, v.term))
        empty = steps.sum_of(below(ZERO, ZERO), [k for k in (here, v.above_low if side == -1 else v.below_high) if k is not None])
        if empty is not None:  # a point on a way on the other side of the cut
            goal = sign_of(place.term(f), strict=strict)
            results.append(steps.write("absurd", empty, steps.write("irreflexive", term=ZERO), formula=goal))
            continue
        own = replace(v, high=at, below_high=here) if side == -1 else replace(v, low=at, above_low=here)
        there = replace(place, variables={**place.variables, name: own})
        try:
            results.append(c.claim(place.term(f), free, ratio_of(f, UNIT, images), part, there, strict=strict))
        except NotWritten:
            if side == 1 or strict:
                raise
            own = replace(v, high=at, below_high=steps.assume(below(v.term, edge)))
            there = replace(place, variables={**place.variables, name: own})
            inside = c.claim(place.term(f), free, ratio_of(f, UNIT, images), part, there, strict=False)
            results.append(_up_to(c, place, place.term(f), v.term, edge, inside))
    return steps.write("cases", steps.write("total_order", left=v.term, right=edge), *results)


def _up_to(c: Descents, place: WritingPlace, t: Term, v: Term, edge: Term, inside: int) -> int:
    """0 ≤ t for v ≤ c from the same for v < c, where its value at c is seen."""
    steps = c.steps
    there = at_sight(steps, at_most(ZERO, substitute(t, {v: edge})), [k for k in place.known if not _speaks_of(c, k, v)])
    split_ = steps.write("total_order", left=edge, right=v)
    same = steps.write("antisymmetric", steps.assume(at_most(v, edge)), steps.assume(at_most(edge, v)))
    found = steps.sum_of(at_most(ZERO, t), [there], [same])
    if found is None:
        raise NotWritten("a value at an end")
    return steps.write("cases", split_, found, inside)


STEPS |= {"monotone": monotone, "curve": curve, "valley": valley, "chord": chord, "split": split}
