"""Untrusted: a goal on parts of its range: cut in two, or by which of two variables is the larger."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dpbounds.descent import images as images_
from dpbounds.descent import polynomials as poly
from dpbounds.descent.images import substitution
from dpbounds.descent.polynomials import ONE, Polynomial
from dpbounds.descent.search.building import Document, factored, ratio_through
from dpbounds.descent.tower import Tower

if TYPE_CHECKING:
    from dpbounds.descent.search.place import TowerPlace
_MOST_CUTS, _PARTS, _NEAR_END, _TOUCHES, _SMALL = 4, (2, 3, 4, 5), Fraction(1, 500), 1e-13, 0.02
"""Of a range that is cut where f is 0: cuts inside of cuts, the parts of it that may meet there, a place near an end, and what share of its
terms f is there where it is 0, or small."""


def split(place: TowerPlace, f: Polynomial, depth: int, strict: bool) -> Document | None:
    """A line is cut at 0, an interval of the only variable in the middle."""
    tower = place.tower
    variables = [i for i, g in enumerate(tower.generators) if g.kind == "variable"]
    for v in variables:
        low, high = tower.generators[v].ends
        c = _cut(place, v, variables)
        if c is None:
            continue
        claims = []
        for ends in ((low, c), (c, high)):
            free = Tower()
            images = substitution(tower, free, {}, {v: ends})
            claims.append(place.search.claim(free, ratio_through(f, [], images), depth - 1, strict=strict))
            if claims[-1] is None:
                break
        if None not in claims and strict:
            free = Tower()
            images = substitution(tower, free, {v: (poly.constant(c), ONE)})
            claims.append(place.search.claim(free, ratio_through(f, [], images), depth - 1, strict=True))
        if None not in claims:
            return {"step": "split", "in": tower.generators[v].name, "at": str(c), "claims": claims}
    return None


def glued(place: TowerPlace, f: Polynomial, depth: int, strict: bool) -> Document | None:
    """A range of the only variable cut where f is 0, then near the ends where it becomes 0."""
    variables = [i for i, g in enumerate(place.tower.generators) if g.kind == "variable"]
    search = place.search
    if not search.glue or strict or len(variables) != 1 or depth < search.depth or search.cuts >= _MOST_CUTS:
        return None
    (v,) = variables
    low, high = place.tower.generators[v].ends
    search.cuts += 1
    try:
        for c in _places_to_cut(place, f, v):
            claims: list[Any] = []
            for ends in sorted(((low, c), (c, high)), key=lambda part: part[0] == low):
                free = Tower()
                images = substitution(place.tower, free, {}, {v: ends})
                claims.append(search.claim(free, ratio_through(f, [], images), depth, strict=False))
                if claims[-1] is None:
                    break
            else:
                return {"step": "split", "in": place.tower.generators[v].name, "at": str(c), "claims": claims[::-1]}
    finally:
        search.cuts -= 1
    return None


def _places_to_cut(place: TowerPlace, f: Polynomial, v: int) -> list[Fraction]:
    """A simple number at which f is 0, else numbers near an end towards which f becomes small."""
    low, high = place.tower.generators[v].ends
    if low is None or high is None:
        return [] if low is None else [low + w for w in (4,)]
    width = high - low
    simple = sorted({low + width * Fraction(k, n) for n in _PARTS for k in range(1, n)}, key=lambda c: c.denominator)
    sizes = place.canonical.samples.sizes(f, v, [*simple, low + width * _NEAR_END, high - width * _NEAR_END])
    if tie := [c for c, size in zip(simple, sizes, strict=False) if size is not None and abs(size) < _TOUCHES]:
        return tie[:1]
    at_low, at_high = (size is None or size < _SMALL for size in sizes[-2:])
    return [low + width / 8] * at_low + [high - width / 8] * (at_high and not at_low)


def _cut(place: TowerPlace, v: int, variables: list[int]) -> Fraction | None:
    """0 inside of a range, the middle of the only one, or an end of another variable's range."""
    low, high = place.tower.generators[v].ends
    if (low is None or low < 0) and (high is None or high > 0):
        return Fraction(0)
    if low is None or high is None:
        return None
    if len(variables) == 1:
        return (low + high) / 2
    others = [end for w in variables for end in place.tower.generators[w].ends if end is not None]
    return next((end for end in others if low < end < high), None)


def ordered(place: TowerPlace, f: Polynomial, depth: int, strict: bool) -> Document | None:
    """A polynomial in variables alone, or a multiple of v − w, once more where one of them is the larger."""
    tower = place.tower
    used = sorted(poly.used(f))
    alone = all(tower.generators[i].kind == "variable" for i in used)
    variables = used if alone else _differing(place, f)
    if strict or len(variables) < 2:
        return None
    for (v, w), shares in itertools.product(itertools.combinations(variables, 2), (False, True)):
        names = [tower.generators[i].name for i in (v, w)]
        lows = {tower.generators[i].ends[0] for i in (v, w)}
        if any("-" in name or "/" in name for name in names) or shares and (len(lows) > 1 or None in lows):
            continue
        claims: list[Any] = []
        for large, small in ((v, w), (w, v)):
            free = Tower()
            images = (images_.shared if shares else images_.ordered)(tower, free, large, small)
            below = 0 if alone else depth - 1
            claims.append(None if images is None else place.search.claim(free, ratio_through(f, [], images), below, strict=False))
            if images is not None and claims[-1] is None:
                break
        else:
            return {"step": "order", "in": names, "claims": claims, **({"shares": True} if shares else {})}
    return None


def _differing(place: TowerPlace, f: Polynomial) -> list[int]:
    """Two variables whose difference is a factor of f."""
    for p, _ in factored(f)[1]:
        variables = sorted(poly.used(p))
        if len(variables) != 2 or any(place.tower.generators[i].kind != "variable" for i in variables):
            continue
        if poly.proportional(p, poly.minus(*map(poly.generator, variables))) is not None:
            return variables
    return []
