"""Untrusted: a goal by its derivative in one variable, after division by a positive scale.

The slope has one sign (`monotone`), or it changes once: from − to + on a curve (`curve`) or at a place that suggests itself (`valley`),
or from + to −, so that both ends decide (`chord`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dpbounds.descent import polynomials as poly
from dpbounds.descent.images import substitution
from dpbounds.descent.polynomials import ONE, Polynomial, Quotient
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.search.building import Canonical, Document, NoForm, cancelled, factored, ratio_through, rationalised
from dpbounds.descent.tower import Tower

if TYPE_CHECKING:
    from dpbounds.descent.search.place import TowerPlace
_MOST_TERMS = 200


def scales(place: TowerPlace, f: Polynomial, v: int) -> Iterator[list[tuple[Polynomial, int]]]:
    """Positive functions to divide by before the derivative is taken."""
    tower = place.tower
    yield []
    for i, g in enumerate(tower.generators):
        if g.kind == "log" and tower.varies_with(i, v) and g.inner[1] == ONE and tower.sign(g.inner[0]) == 1:
            yield [(g.inner[0], 1)]
    common = _common(place, f, v)
    if common:
        yield common
    for p in place.below[:4]:
        yield [(p, 1)]
    for i, g in enumerate(tower.generators):
        exponents = sorted({m[i] if i < len(m) else 0 for m in f})
        if exponents == [0] or not tower.varies_with(i, v):
            continue
        if g.kind in ("log", "phi", "factorial") and exponents[-1] == 1:
            if scale := _of_one_sign(place, factored(poly.coefficients_by(f, i)[1])[1]):
                yield scale
        elif g.kind in ("exp", "variable", "root"):
            s = tower.sign(poly.generator(i))
            if s:
                for k in exponents:
                    if k:
                        yield [(poly.scaled(poly.generator(i), s), k)]


def _of_one_sign(place: TowerPlace, factors: list[tuple[Polynomial, int]]) -> list[tuple[Polynomial, int]]:
    """Factors written so that they are positive; none if one has no known sign."""
    signs = [place.tower.sign(p) for p, _ in factors]
    return [(poly.scaled(p, s), k) for (p, k), s in zip(factors, signs, strict=True) if s] if all(signs) else []


def _common(place: TowerPlace, f: Polynomial, v: int) -> list[tuple[Polynomial, int]]:
    """The common factors of the coefficients of logarithms: a denominator that was multiplied out."""
    parts = []
    for i, g in enumerate(place.tower.generators):
        if g.kind == "log" and place.tower.varies_with(i, v) and any(i < len(m) and m[i] for m in f):
            parts.append(factored(poly.coefficients_by(f, i).get(1, {}))[1])
    if len(parts) < 2:
        return []
    powers = [(p, [[k for q, k in part if q == p] for part in parts]) for p, _ in parts[0]]
    return _of_one_sign(place, [(p, min(k for (k,) in found)) for p, found in powers if all(found)])


def _moves(place: TowerPlace, f: Polynomial) -> list[Any]:
    moves: list[Any] = []
    for v in [i for i, g in enumerate(place.tower.generators) if g.kind == "variable"]:
        done = []
        for scale in scales(place, f, v):
            place.search.look()
            if scale in done:
                continue
            done.append(scale)
            try:
                move = _slope(place, f, v, scale)
            except (NoForm, DescentRefused):
                continue
            if move is not None:
                moves.append((move[0], len(moves), v, scale, *move[1:]))
    moves.sort(key=lambda move: move[:2])
    return moves[: place.search.width]


def _slope(place: TowerPlace, f: Polynomial, v: int, scale: list[tuple[Polynomial, int]]) -> Any:
    """Cost, factor rows, sign and open factors of the slope of f/scale."""
    tower = place.tower
    parts = [tower.slope_of_polynomial(f, v)]
    for s, k in scale:
        n, d = tower.slope_of_polynomial(s, v)
        if n:
            parts.append((poly.scaled(poly.times(f, n), -k), poly.times(s, d)))
    n, d = poly.sum_of(parts)
    n, d = rationalised(tower, cancelled((tower.reduced(n), tower.reduced(d))))
    if not n or len(n) > _MOST_TERMS:
        return None
    rows, sign, open_factors = place.rows(n, d, False)
    if any(under for _, _, under in open_factors):
        return None
    cost = sum(len(p) for _, p, _ in open_factors)
    return cost, rows, sign, open_factors


def chained(place: TowerPlace, f: Polynomial, depth: int, strict: bool) -> Document | None:
    """A first goal in one variable, by slopes of slopes that change sign once; the last resort, because it branches much."""
    if strict or place.search.levels == 1 or depth < place.search.depth or sum(g.kind == "variable" for g in place.tower.generators) > 1:
        return None
    return moved(place, f, depth, strict, levels=place.search.levels)


def moved(place: TowerPlace, f: Polynomial, depth: int, strict: bool, levels: int = 1) -> Document | None:
    """By the slope in one variable, the shortest slopes first."""
    for _, _, v, scale, rows, sign, open_factors in _moves(place, f):
        place.search.look()
        head = {"in": place.tower.generators[v].name, "scale": [[poly.ordered(s), k] for s, k in scale], "slope": rows}
        try:
            found = _move(place, f, v, scale, head, sign, open_factors, depth, strict, levels)
        except (NoForm, DescentRefused, ZeroDivisionError, OverflowError):
            continue
        if found is not None:
            return found
    return None


def _move(
    place: TowerPlace,
    f: Polynomial,
    v: int,
    scale: Any,
    head: Document,
    sign: int,
    open_factors: list[Any],
    depth: int,
    strict: bool,
    levels: int,
) -> Document | None:
    mixed = []
    for row, p, _ in open_factors:
        seen = place.canonical.samples.seen(p)
        if not seen:
            return None
        if len(seen) > 1:
            mixed.append((row, p))
            continue
        s = seen.pop()
        if row[1] % 2:
            sign *= s
        row[:] = [poly.ordered(poly.scaled(p, s)), row[1], poly.scaled(p, s)]
    if len(mixed) > 1 or mixed and mixed[0][0][1] != 1:
        return None
    if not mixed:
        limit = place.limit(f, scale, v, sign, depth)
        if limit is None or not place.fill(open_factors, depth, strict):
            return None
        if strict and not _surely(place, head["slope"]):
            return None
        return {"step": "monotone", **head, "limit": limit}
    row, m = mixed[0]
    others = [entry for entry in open_factors if entry[0] is not row]
    slope = {key: [r for r in head["slope"][key] if r is not row] for key in ("num", "den")}
    head = {**head, "slope": slope}
    found = _curve(place, f, v, scale, head, sign, m, others, depth, strict) if levels == 1 else None
    if found is None:
        found = _chord(place, f, v, scale, head, sign, m, others, depth, strict, levels)
    if found is None and levels == 1:
        found = _valley(place, f, v, scale, head, sign, m, others, depth, strict)
    return found


def _surely(place: TowerPlace, slope: Document) -> bool:
    return all(r[2] is not None or place.tower.sign(r[0]) for key in ("num", "den") for r in slope[key])


def _curve(
    place: TowerPlace,
    f: Polynomial,
    v: int,
    scale: Any,
    head: Document,
    sign: int,
    m: Polynomial,
    others: list[Any],
    depth: int,
    strict: bool,
) -> Document | None:
    tower = place.tower
    powers = _powers(place, m) if any(i != v and tower.varies_with(i, v) for i in poly.used(m)) else None
    line, by = (m, {}) if powers is None else powers
    if poly.degree(line, v) != 1 or any(i != v and tower.varies_with(i, v) for i in poly.used(line)):
        return None
    parts = poly.coefficients_by(line, v)
    a, b = parts[1], parts.get(0, {})
    s = tower.sign(a)
    if not s or sign * s < 0:
        return None
    if "powers" in by and s < 0:
        # A document wants the product that grows faster in v first.
        by = {**by, "powers": by["powers"][::-1]}
    above, below = poly.scaled(b, -s), poly.scaled(a, s)
    low, high = tower.generators[v].ends
    if low is not None and tower.weak_sign(poly.minus(above, poly.scaled(below, low))) not in (0, 1):
        return None
    if high is not None and tower.weak_sign(poly.minus(poly.scaled(below, high), above)) not in (0, 1):
        return None
    free = Tower()
    images = substitution(tower, free, {v: (above, below)})
    claim = place.search.claim(free, ratio_through(f, scale, images), depth - 1, strict=strict)
    if claim is None or not place.fill(others, depth, False):
        return None
    return {"step": "curve", **head, **by, "at": [poly.ordered(above), poly.ordered(below)], "claim": claim}


def _powers(place: TowerPlace, m: Polynomial) -> tuple[Polynomial, Document] | None:
    """A line with the sign of P − Q, a multiple of two products of powers of exponentials, and what a document wants to know of it."""
    if len(m) != 2:
        return None
    (first, c), (second, d) = m.items()
    used = poly.used(m)
    if c != -d or any(place.tower.generators[i].kind != "exp" for i in used):
        return None
    if c < 0:
        first, second = second, first
    rows = [[(i, e) for i, e in enumerate(powers) if e] for powers in (first, second)]
    parts = [place.tower.logarithm_of_base(i) for i, _ in (*rows[0], *rows[1])]
    counts = [k for _, k in rows[0]] + [-k for _, k in rows[1]]
    n, below = cancelled(poly.sum_of((poly.scaled(a, k), b) for (a, b), k in zip(parts, counts, strict=True)))
    if not n:
        return None
    c, factors = factored(n)
    lines = [f for f, k in factors if not place.tower.sign(f) and k == 1]
    if len(lines) != 1 or any(not place.tower.sign(f) for f, _ in factors if f != lines[0]):
        return None
    sign = (1 if c > 0 else -1) * (place.tower.sign(below) or 0)
    exponent: Document = {"num": [], "den": [[poly.ordered(f), k, None] for f, k in factored(below)[1]]}
    for f, k in factors:
        if f != lines[0]:
            sign *= (place.tower.sign(f) or 0) ** k
            exponent["num"].append([poly.ordered(f), k, None])
    return poly.scaled(lines[0], sign), {"powers": [[list(pair) for pair in part] for part in rows], "exponent": exponent}


def _chord(
    place: TowerPlace,
    f: Polynomial,
    v: int,
    scale: Any,
    head: Document,
    sign: int,
    m: Polynomial,
    others: list[Any],
    depth: int,
    strict: bool,
    levels: int,
) -> Document | None:
    m = poly.scaled(m, sign)
    if levels > 1 and not place.canonical.samples.falls_through_zero(m, v):
        return None
    limits: list[Any] = []
    for second in _crossings(place, m, v, depth, levels, strict=strict):
        limits = limits or [place.limit(f, scale, v, side, depth) for side in (1, -1)]
        if None in limits:
            return None
        if place.fill(others, depth, True) and _surely(place, head["slope"]):
            return {"step": "chord", **head, "factor": poly.ordered(m), "second": second, "limits": limits}
    return None


def _crossings(place: TowerPlace, m: Polynomial, v: int, depth: int, levels: int, *, strict: bool) -> Iterator[Document]:
    """That m is first ≥ 0 and then ≤ 0: it falls after division by a scale, or its slope changes sign only once."""
    for scale in itertools.islice(scales(place, m, v), place.search.scales):
        place.search.look()
        move = _slope(place, m, v, scale)
        if move is None:
            continue
        _, rows, sign, open_factors = move
        head = {"in": place.tower.generators[v].name, "scale": [[poly.ordered(s), k] for s, k in scale], "slope": rows}
        mixed = [entry for entry in open_factors if len(place.canonical.samples.seen(entry[1])) > 1]
        if not mixed:
            seen = _seen_sign(place, open_factors)
            if seen is not None and sign * seen < 0 and place.fill(open_factors, depth, strict) and (not strict or _surely(place, rows)):
                yield head
            continue
        rest = [entry for entry in open_factors if entry[0] is not mixed[0][0]]
        seen = _seen_sign(place, rest)
        if levels <= 1 or strict or len(mixed) > 1 or mixed[0][0][1] != 1 or seen is None:
            continue
        inner = {key: [r for r in rows[key] if r is not mixed[0][0]] for key in ("num", "den")}
        for side in (1, -1):
            second = poly.scaled(mixed[0][1], side * sign * seen)
            if not place.canonical.samples.falls_through_zero(second, v):
                continue
            limit = place.limit(poly.scaled(m, side), scale, v, side, depth - 1)
            if limit is None:
                continue
            then = next(_crossings(place, second, v, depth, levels - 1, strict=False), None)
            if then is not None and place.fill(rest, depth, True) and _surely(place, inner):
                yield {**head, "slope": inner, "side": side, "factor": poly.ordered(second), "limit": limit, "then": then}


def _seen_sign(place: TowerPlace, open_factors: list[Any]) -> int | None:
    """The sign of the product of the factors by what is seen of each, which is written so that it is positive; None without one."""
    product = 1
    for row, p, _ in open_factors:
        seen = place.canonical.samples.seen(p)
        if len(seen) != 1:
            return None
        s = seen.pop()
        product *= s if row[1] % 2 else 1
        row[:] = [poly.ordered(poly.scaled(p, s)), row[1], poly.scaled(p, s)]
    return product


def _valley(
    place: TowerPlace,
    f: Polynomial,
    v: int,
    scale: Any,
    head: Document,
    sign: int,
    m: Polynomial,
    others: list[Any],
    depth: int,
    strict: bool,
) -> Document | None:
    """Least where the slope is 0: at another variable, or at a number that suggests itself."""
    m = poly.scaled(m, sign)
    places = [at for at in _places(place, v) if _is_zero(place, m, v, at)]
    if not places:
        return None
    others_of = [i for i, g in enumerate(place.tower.generators) if g.kind == "variable" and g.ends == place.tower.generators[v].ends]
    for w in sorted(others_of, key=lambda i: i != v):
        here = places if w == v else [at for at in places if at == (poly.generator(w), ONE)]
        for second in itertools.islice(scales(place, m, w), place.search.scales if here else 0):
            move = _slope(place, m, w, second)
            if move is None:
                continue
            _, rows, slope_sign, open_factors = move
            seen_sign = _seen_sign(place, open_factors)
            if seen_sign is None or slope_sign * seen_sign != (1 if w == v else -1):
                continue
            for at in here:
                found = _bottom(place, f, m, v, scale, second, at, depth, strict)
                filled = found is not None and place.fill(open_factors, depth, False) and place.fill(others, depth, True)
                if found is None or not filled or not _surely(place, head["slope"]):
                    continue
                inner = {"in": place.tower.generators[w].name, "scale": [[poly.ordered(s), k] for s, k in second], "slope": rows}
                return {
                    "step": "valley",
                    **head,
                    "factor": poly.ordered(m),
                    "second": inner,
                    "at": [poly.ordered(part) for part in at],
                    **found,
                }
    return None


def _bottom(
    place: TowerPlace, f: Polynomial, m: Polynomial, v: int, scale: Any, second: Any, at: Quotient, depth: int, strict: bool
) -> Document | None:
    """That the slope is 0 at a place, and f/scale ≥ 0 there."""
    zero = []
    for sign in (1, -1):
        free = Tower()
        images = substitution(place.tower, free, {v: at})
        n, d = ratio_through(m, second, images)
        zero.append(place.search.claim(free, (poly.scaled(n, sign), d), 0, strict=False))
    if None in zero:
        return None
    free = Tower()
    images = substitution(place.tower, free, {v: at})
    claim = place.search.claim(free, ratio_through(f, scale, images), depth - 1, strict=strict)
    return None if claim is None else {"zero": zero, "claim": claim}


def _places(place: TowerPlace, v: int) -> Iterator[Quotient]:
    """Values of a variable where a slope is often 0: other variables, their mirror images, and simple numbers."""
    low, high = place.tower.generators[v].ends
    others = [i for i, g in enumerate(place.tower.generators) if g.kind == "variable" and i != v]
    candidates = [(poly.generator(i), ONE) for i in others]
    candidates += [(poly.minus(ONE, poly.generator(i)), ONE) for i in others]
    candidates += [(poly.scaled(poly.generator(i), c), ONE) for i in others for c in (-1, 2, Fraction(1, 2), Fraction(-1, 2))]
    candidates += [(poly.constant(c), ONE) for c in (0, 1, Fraction(1, 2), Fraction(1, 3), Fraction(2, 3), 2)]
    roots = [i for i, g in enumerate(place.tower.generators) if g.kind == "root" and not place.tower._variables[i]]
    candidates += [(poly.scaled(poly.generator(i), c), ONE) for i in roots for c in (1, Fraction(1, 2))]
    for a, b in candidates:
        above = low is None or place.tower.weak_sign(poly.minus(a, poly.constant(low))) in (0, 1)
        if above and (high is None or place.tower.weak_sign(poly.minus(poly.constant(high), a)) in (0, 1)):
            yield a, b


def _is_zero(place: TowerPlace, m: Polynomial, v: int, at: Quotient) -> bool:
    free = Tower()
    images = substitution(place.tower, free, {v: at})
    try:
        canonical = Canonical(free)
        return not canonical.tower.reduced(canonical.through(poly.substituted(m, images))[0])
    except (NoForm, DescentRefused, ZeroDivisionError, OverflowError):
        return False
