"""Steps that speak of one point: factors, sums, tangents of log, conjugates, premises, logarithms of both sides."""

from __future__ import annotations

from fractions import Fraction

from dpbounds.compile.steps import NotWritten, positive, sign_of, sum_of_terms
from dpbounds.compile.towers.descents import STEPS, Descents, Document
from dpbounds.compile.towers.places import WritingPlace
from dpbounds.descent import polynomials as poly
from dpbounds.descent.images import substitution
from dpbounds.descent.polynomials import ONE as UNIT
from dpbounds.descent.polynomials import Polynomial, Quotient
from dpbounds.descent.tower import Tower
from dpbounds.kernel.terms import ONE, Term, minus, node, number, power, times


def factors(c: Descents, place: WritingPlace, f: Polynomial, document: Document, strict: bool) -> int:
    """f is a product whose signs are known."""
    found = c.product(place, f, UNIT, document, strict=strict)
    if found.ratio < 0:
        raise NotWritten("a product of the other sign")
    goal = sign_of(place.term(f), strict=strict)
    return c.multiple(goal, [found.step], [number(found.ratio)], place, found.signs)


def total(c: Descents, place: WritingPlace, f: Polynomial, document: Document, strict: bool) -> int:
    """f is a sum of parts that are ≥ 0."""
    steps = []
    for i, (part, proof) in enumerate(document["parts"]):
        sure = strict and i == 0
        sign, step = c._factor(place, part, 1, proof, sure)
        if sign != 1 or step is None:
            raise NotWritten("a part of the other sign")
        steps.append(step)
    return c.multiple(sign_of(place.term(f), strict=strict), steps, [ONE] * len(steps), place)


def tangent(c: Descents, place: WritingPlace, f: Polynomial, document: Document, strict: bool) -> int:
    """f = Σ a·(x − 1 − log x) + rest, by 1 + t ≤ e^t at t = log x."""
    tower = place.tower
    steps: list[int] = []
    weights: list[Term] = []
    signs: list[int] = []
    rest: list[Quotient] = [(f, UNIT)]
    for weight, rows, proof in document["parts"]:
        powers = [(int(i), int(k)) for i, k in rows]
        sign, shown = c._factor(place, weight, 1, proof, False)
        if sign != 1 or shown is None:
            raise NotWritten("a weight of the other sign")
        logarithm = sum_of_terms(
            times(number(k), place.terms[i] if tower.generators[i].kind == "log" else place.terms[i].parts[0]) for i, k in powers
        )
        steps.append(c.steps.write("exp_above", term=logarithm))
        weights.append(place.term(weight))
        signs.append(shown)
        x = tower.power_product(powers)
        n, d = poly.sum_of(_scaled(tower.logarithm_of_base(i), -k) for i, k in powers)
        part = poly.sum_of([x, (poly.constant(-1), UNIT), (n, d)])
        rest.append((poly.scaled(poly.times(weight, part[0]), -1), part[1]))
    n, d = poly.sum_of(rest)
    if tower.reduced(n):
        rows_, ratio = c.proportion(place, n, d, document["rest"], UNIT, strict=strict)
        found = c._signed(place, rows_, ratio)
        if found.ratio < 0:
            raise NotWritten("a rest of the other sign")
        steps.append(found.step)
        weights.append(number(found.ratio))
        signs += found.signs
    return c.multiple(sign_of(place.term(f), strict=strict), steps, weights, place, signs)


def _scaled(q: Quotient, factor: int) -> Quotient:
    return poly.scaled(q[0], factor), q[1]


def conjugate(c: Descents, place: WritingPlace, f: Polynomial, document: Document, strict: bool) -> int:
    """f·g = p with g > 0."""
    g, p = document["times"], document["gives"]
    sign, shown = c._factor(place, p, 1, document["proof"], strict)
    least = c.signs(place).wanted(g, 1)
    if sign != 1 or shown is None or least is None:
        raise NotWritten("a sign that is not shown")
    goal = sign_of(place.term(f), strict=strict)
    return c.multiple(goal, [shown], [power(place.term(g), -1)], place, [least])


def given(c: Descents, place: WritingPlace, f: Polynomial, document: Document, strict: bool) -> int:
    """f = Σ λ·h + rest, where g·h is a premise, g > 0, λ ≥ 0, rest ≥ 0."""
    steps: list[int] = []
    weights: list[Term] = []
    signs: list[int] = []
    rest = f
    for factor, index, *divided in document["multipliers"]:
        premise = place.premises[index]
        n, d = place.read(c.steps.formula(premise).parts[1])
        h, weight = n, place.term(factor)
        if d != UNIT:
            below_ = c.signs(place).wanted(d, 1)
            if below_ is None:
                raise NotWritten("a premise with a denominator")
            signs.append(below_)
            weight = times(weight, place.term(d))
        found = c.signs(place).positive(factor, strict=False) if factor != UNIT else None
        if found is not None:
            signs.append(found[1])
        if divided:
            g, h = divided
            least = c.signs(place).wanted(g, 1)
            if least is None:
                raise NotWritten("a sign that is not shown")
            signs.append(least)
            weight = times(weight, power(place.term(g), -1))
        steps.append(premise)
        weights.append(weight)
        rest = poly.minus(rest, poly.times(factor, h))
    rest = place.tower.reduced(rest)
    if rest:
        for sure in (True, False) if strict else (False,):
            try:
                sign, shown = c._factor(place, rest, 1, document.get("rest"), sure)
            except NotWritten:
                continue
            if sign != 1 or shown is None:
                raise NotWritten("a rest of the other sign")
            steps.append(shown)
            weights.append(ONE)
            break
    return c.multiple(sign_of(place.term(f), strict=strict), steps, weights, place, signs)


def logarithm(c: Descents, place: WritingPlace, f: Polynomial, document: Document, strict: bool) -> int:
    """f = a − b with a, b > 0: log a − log b ≥ 0, then the exponentials of both sides."""
    a, b = document["plus"], document["minus"]
    signs = [c.signs(place).wanted(p, 1) for p in (a, b)]
    if None in signs:
        raise NotWritten("a sign that is not shown")
    facts = [s for s in signs if s is not None]
    free = Tower()
    images = substitution(place.tower, free, {})
    logs = [free.free("log", poly.substituted(part, images)) for part in (a, b)]
    value = poly.sum_of([logs[0], _scaled(logs[1], -1)])
    terms = [node("log", place.term(p)) for p in (a, b)]
    shown = c.claim(minus(*terms), free, value, document["claim"], place.holding(*facts), strict=strict)
    tag = "<" if strict else "<="
    order = c.steps.sum_of(node(tag, terms[1], terms[0]), [shown])
    if order is None:
        raise NotWritten("a relation in other words")
    grown = c.steps.write("exp_monotone", order)
    return c.multiple(sign_of(place.term(f), strict=strict), [grown], [ONE], place, facts)


STEPS |= {"factors": factors, "sum": total, "tangent": tangent, "conjugate": conjugate, "given": given, "logarithm": logarithm}
__all__ = ["Fraction", "positive"]
