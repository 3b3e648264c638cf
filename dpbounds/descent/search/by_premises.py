"""Untrusted: a goal as a combination of premises, what is left over having a known sign."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from dpbounds.descent import polynomials as poly
from dpbounds.descent.polynomials import ONE, Polynomial
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.search.building import Document, NoForm, factored
from dpbounds.numbers.simplex import least_combination

if TYPE_CHECKING:
    from dpbounds.descent.search.place import TowerPlace
_MOST_MULTIPLES, _MOST_MONOMIALS = 60, 60
"""Of premises in a linear program: how many multiples, and monomials in them."""


def given(place: TowerPlace, f: Polynomial, depth: int, *, strict: bool) -> Document | None:
    """f as a multiple of one premise, or of a factor of it, and a rest; or as a combination of premises with numbers."""
    for i, premise in enumerate(place.premises):
        for h, divided in _within(place, premise):
            numbers = {Fraction(f[m]) / Fraction(h[m]) for m in h if m in f}
            for number in sorted(c for c in numbers if c > 0):
                row = [poly.ordered(poly.constant(number)), i, *divided]
                rest = place.tower.reduced(poly.minus(f, poly.scaled(h, number)))
                if not rest and not (strict and i not in place.search.differing):
                    return {"step": "given", "multipliers": [row]}
                proof = _alone(place, rest, depth, strict and i not in place.search.differing) if rest else None
                if proof is not None:
                    return {"step": "given", "multipliers": [row], "rest": proof}
    return _combined(place, f, strict=strict)


def _within(place: TowerPlace, premise: Polynomial) -> Iterator[tuple[Polynomial, list[Polynomial]]]:
    """A premise, and its only factor without a sign."""
    yield premise, []
    c, factors = factored(premise)
    open_factors = [(f, k) for f, k in factors if not place.tower.sign(f)]
    if len(open_factors) != 1 or open_factors[0][1] != 1 or len(factors) == 1 and abs(c) == 1:
        return
    positive = poly.constant(abs(c))
    sign = 1 if c > 0 else -1
    for f, k in factors:
        if s := place.tower.sign(f):
            positive = poly.times(positive, poly.power(poly.scaled(f, s), k))
            sign *= s**k
    h = poly.scaled(open_factors[0][0], sign)
    yield h, [poly.ordered(positive), poly.ordered(h)]


def _alone(place: TowerPlace, f: Polynomial, depth: int, strict: bool) -> Document | None:
    """A step for f that uses no premise."""
    premises, place.premises = place.premises, []
    try:
        return place.factor_or_descend(f, depth - 1, strict)
    except (NoForm, DescentRefused, ZeroDivisionError, OverflowError):
        return None
    finally:
        place.premises = premises


def _combined(place: TowerPlace, f: Polynomial, *, strict: bool) -> Document | None:
    """Premises times positive numbers and monomials, and monomials that are left over: a small linear program."""
    key = "combined", place.name, frozenset(f.items()), strict, tuple(frozenset(premise.items()) for premise in place.premises)
    if key not in place.search.memory:
        place.search.memory[key] = _by_program(place, f, strict, products=False) or _by_program(place, f, strict, products=True)
    return place.search.memory[key]  # type: ignore[no-any-return]


def _by_program(place: TowerPlace, f: Polynomial, strict: bool, *, products: bool) -> Document | None:
    multiples = _multiples(place, f)
    of_premises = [poly.times({m: 1}, place.premises[i]) for i, m in multiples]
    monomials = sorted({m for p in (*of_premises, f) for m in p})
    if not multiples or len(monomials) > _MOST_MONOMIALS:
        return None
    columns: list[Polynomial] = [*of_premises, *_known_signs(place, monomials, products=products)]
    numbers = least_combination(columns, f)
    if numbers is None:
        return None
    found: dict[int, Polynomial] = {}
    for (i, m), c in zip(multiples, numbers, strict=False):
        if c:
            found.setdefault(i, {})[m] = poly.whole(c)
    rest = f
    for i, factor in found.items():
        rest = poly.minus(rest, poly.times(factor, place.premises[i]))
    rest = place.tower.reduced(rest)
    sign, surely = place.tower.signs(rest) if rest else (1, False)
    by_premise = any(i in place.search.differing and place.tower.sign(factor) == 1 for i, factor in found.items())
    if sign != 1 or strict and not (surely or by_premise):
        return None
    return {"step": "given", "multipliers": [[poly.ordered(factor), i] for i, factor in found.items()]}


def _known_signs(place: TowerPlace, monomials: Sequence[tuple[int, ...]], *, products: bool) -> Iterator[Polynomial]:
    """Monomials with a sign; with products, also times distances from the ends of generators, where all of it is among them."""
    within = frozenset(monomials)
    used = sorted({i for m in monomials for i, k in enumerate(m) if k})
    distances: list[Polynomial] = []
    for i in used if products else ():
        low, high = place.tower.ranges[i]
        distances += [poly.minus(poly.generator(i), poly.constant(low))] if low else []
        distances += [poly.minus(poly.constant(high), poly.generator(i))] if high is not None else []
    factors: list[Polynomial] = [ONE, *distances, *(poly.times(a, b) for a, b in itertools.combinations(distances, 2))]
    for m in monomials:
        if sign := place.tower.weak_sign({m: 1}):
            for factor in factors:
                own = poly.times({m: sign}, factor)
                if within.issuperset(own):
                    yield own


def _multiples(place: TowerPlace, f: Polynomial) -> list[tuple[int, tuple[int, ...]]]:
    """A premise and a positive monomial by which it may be multiplied: what makes a monomial of it one of f, or of another multiple."""
    found: dict[tuple[int, tuple[int, ...]], None] = {(i, ()): None for i in range(len(place.premises))}
    wanted = set(f)
    for _ in range(2):
        for (i, premise), m in itertools.product(enumerate(place.premises), sorted(wanted)):
            for own in premise:
                quotient = _quotient_of(m, own)
                if quotient is not None and len(found) < _MOST_MULTIPLES and place.tower.weak_sign({quotient: 1}) == 1:
                    found[i, quotient] = None
        wanted |= {m for i, by in found for m in poly.times({by: 1}, place.premises[i])}
    return list(found)


def _quotient_of(m: tuple[int, ...], own: tuple[int, ...]) -> tuple[int, ...] | None:
    """A monomial divided by another one that divides it."""
    powers = [a - b for a, b in itertools.zip_longest(m, own, fillvalue=0)]
    if min(powers, default=0) < 0:
        return None
    while powers and powers[-1] == 0:
        powers.pop()
    return tuple(powers)
