"""Untrusted: a goal as a sum of parts, each of which seems to hold: terms dropped, squares completed, outcomes of a coin."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from dpbounds.descent import polynomials as poly
from dpbounds.descent.polynomials import ONE, Polynomial
from dpbounds.descent.search.building import Document

if TYPE_CHECKING:
    from dpbounds.descent.search.place import TowerPlace
_MULTIPLES = tuple(Fraction(sign * k, 4) for k in (0, 4, 2, 1, 8, 3, 6, 16) for sign in (1, -1) if k or sign == 1)
"""Of a line that is 0 in the sum of two halves: how much of it is moved from one to the other."""
_MOST_ROOTS = 6
"""Terms with roots in a square that is completed."""


def dropped(place: TowerPlace, f: Polynomial, depth: int, strict: bool) -> Document | None:
    """Terms with Φ that are not negative are left out."""
    normals = [i for i, g in enumerate(place.tower.generators) if g.kind == "phi"]
    gone: Polynomial = {}
    kept: Polynomial = {}
    for monomial, c in f.items():
        has = any(i < len(monomial) and monomial[i] for i in normals)
        (gone if has and place.tower.sign({monomial: c}) == 1 else kept)[monomial] = c
    if not gone or not kept or -1 in place.seen(kept):
        return None
    rest = place.factor_or_descend(kept, depth - 1, strict)
    return None if rest is None else {"step": "sum", "parts": [[poly.ordered(kept), rest], [poly.ordered(gone), None]]}


def completed(place: TowerPlace, f: Polynomial, depth: int, strict: bool) -> Document | None:
    """f = a − bT, T its part with roots, as c(sT − 1)² and a rest in which T is not alone."""
    roots = {i for i, g in enumerate(place.tower.generators) if g.kind == "root" and place.tower._variables[i]}
    part = {m: c for m, c in f.items() if any(i < len(m) and m[i] % 2 for i in roots)}
    if strict or not 1 < len(part) < len(f) or len(part) > _MOST_ROOTS:
        return None
    first = abs(Fraction(next(iter(part.values()))))
    part = poly.scaled(part, 1 / first)
    for share in (Fraction(1), Fraction(1, 2), Fraction(2)):
        for sign in (1, -1):
            base = poly.minus(poly.scaled(part, share * sign), ONE)
            square = poly.scaled(poly.times(base, base), first / (2 * share))
            rest = place.tower.reduced(poly.minus(f, square))
            if not rest or -1 in place.seen(rest):
                continue
            proof = place.factor_or_descend(rest, depth - 1, strict)
            if proof is not None:
                factors = {"step": "factors", "num": [[poly.ordered(base), 2, None]], "den": []}
                return {"step": "sum", "parts": [[poly.ordered(square), factors], [poly.ordered(rest), proof]]}
    return None


def mirrored(place: TowerPlace, f: Polynomial, depth: int, strict: bool) -> Document | None:
    """f(p, q) = g(p, q) + h(1 − p, 1 − q), as of two coins, for g of homogeneous things; (p − q) + ((1 − p) − (1 − q)) is 0."""
    tower = place.tower
    variables = [i for i in range(len(tower.generators)) if tower.generators[i].kind == "variable"]
    inside = [i for i in poly.used(f) if tower.generators[i].kind != "variable" and tower._variables[i]]
    if strict or any(tower.generators[i].ends != (0, 1) for i in variables) or not 0 < len(variables) <= 2:
        return None
    near = {i for i in inside if tower.generators[i].inner[1] == ONE and _is_homogeneous(tower.generators[i].inner[0])}
    far = set(inside) - near
    mean = poly.scaled(poly.sum_of([(poly.generator(v), ONE) for v in variables])[0], Fraction(1, len(variables)))
    part: Polynomial = {}
    for m, c in f.items():
        used = {i for i, k in enumerate(m) if k}
        if used & near and used & far:
            return None
        if used & near:
            part = poly.plus(part, {m: c})
        elif not used & far:
            part = poly.plus(part, poly.scaled({m: c}, Fraction(1, 2)) if used & set(variables) else poly.times({m: c}, mean))
    if not near or not far:
        return None
    v, w = (poly.generator(i) for i in (variables[0], variables[-1]))
    line = poly.minus(v, w) if v != w else poly.minus(poly.scaled(v, 2), ONE)
    for c in _MULTIPLES:
        first = poly.plus(part, poly.scaled(line, c)) if c else part
        second = poly.minus(f, first)
        if not first or not second or -1 in place.seen(first) or -1 in place.seen(second):
            continue
        place.search.promise()
        proofs = [place.factor_or_descend(half, depth - 1, strict) for half in (first, second)]
        if None not in proofs:
            return {"step": "sum", "parts": [[poly.ordered(half), own] for half, own in zip((first, second), proofs, strict=True)]}
    return None


def parted(place: TowerPlace, f: Polynomial, depth: int, strict: bool) -> Document | None:
    """The terms with logarithms, or with another kind of function, or that vary with a variable, and the others: both seem ≥ 0."""
    tower = place.tower
    inside = [i for i in poly.used(f) if tower._variables[i]]
    groups = [frozenset(i for i in inside if tower.generators[i].kind == kind) for kind in ("phi", "log", "root", "exp")]
    groups += [frozenset(i for i in inside if tower.varies_with(i, v)) for v in inside if tower.generators[v].kind == "variable"]
    for group in dict.fromkeys(groups):
        first: Polynomial = {}
        rest: Polynomial = {}
        for m, c in f.items():
            (first if any(k and i in group for i, k in enumerate(m)) else rest)[m] = c
        if len(first) < 2 or len(rest) < 2 or place.seen(first) != {1} or place.seen(rest) != {1}:
            continue
        proofs = [place.factor_or_descend(first, depth - 1, strict)]
        proofs += [] if proofs[0] is None else [place.factor_or_descend(rest, depth - 1, False)]
        if None not in proofs:
            return {"step": "sum", "parts": [[poly.ordered(part), own] for part, own in zip((first, rest), proofs, strict=True)]}
    return None


def _is_homogeneous(p: Polynomial) -> bool:
    """Whether all terms have one degree above 0."""
    degrees = {sum(m) for m in p}
    return len(degrees) == 1 and 0 not in degrees
