"""Untrusted: a goal is replaced by a simpler one: logarithms bounded by their tangents, roots multiplied out, logarithms of both sides."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dpbounds.descent import polynomials as poly
from dpbounds.descent.images import substitution
from dpbounds.descent.polynomials import ONE, Polynomial
from dpbounds.descent.search.building import Document, cancelled
from dpbounds.descent.tower import Tower

if TYPE_CHECKING:
    from dpbounds.descent.search.place import TowerPlace


def has_powers(place: TowerPlace, f: Polynomial) -> bool:
    """Whether there is an exponential of something with a logarithm, as a power is; then logarithms come before slopes."""
    generators = place.tower.generators
    powers = (generators[i].inner for i in poly.used(f) if generators[i].kind == "exp")
    return any(generators[i].kind == "log" for n, d in powers for i in poly.used(n) | poly.used(d))


def tangent(place: TowerPlace, f: Polynomial, depth: int, strict: bool) -> Document | None:
    """Σ m·log Y + R ≥ Σ m·(1 − 1/Y) + R, for the weights m > 0 of which the coefficients of all logarithms are sums."""
    tower = place.tower
    logs = [i for i in sorted(poly.used(f)) if tower.generators[i].kind == "log"]
    if not logs or any(sum(m[i] for i in logs if i < len(m)) > 1 for m in f):
        return None
    counts: dict[int, dict[frozenset[Any], int]] = {}
    weights: dict[frozenset[Any], Polynomial] = {}
    for i in logs:
        part = poly.coefficients_by(f, i)[1]
        sign = tower.sign(part)
        if not sign:
            return None
        part = poly.scaled(part, sign)
        weights[frozenset(part.items())] = part
        counts[i] = {frozenset(part.items()): sign}
    terms = {whole: found for whole in weights if (found := _terms_of(place, whole, weights))}
    for row in counts.values():
        while whole := next((key for key in row if key in terms), None):
            k = row.pop(whole)
            for term in terms[whole]:
                row[term] = row.get(term, 0) + k
    parts, total = [], []
    for key, weight in weights.items():
        powers = [(i, -row[key]) for i, row in counts.items() if row.get(key)]
        if not powers:
            continue
        n, d = tower.power_product(powers)
        parts.append([poly.ordered(weight), [list(pair) for pair in powers], None])
        total.append((poly.times(weight, poly.minus(d, n)), d))
    constant = {m: c for m, c in f.items() if not any(i < len(m) and m[i] for i in logs)}
    n, d = cancelled(poly.sum_of([(constant, ONE), *total]))
    rest = place.product(tower.reduced(n), tower.reduced(d), depth - 1, strict=strict)
    return None if rest is None else {"step": "tangent", "parts": parts, "rest": rest}


def tangent_of_powers(place: TowerPlace, f: Polynomial, depth: int, strict: bool) -> Document | None:
    """m·log Y + m·log E + R ≥ m·(1 − 1/(Y·E)) + R, where E is a power that stands in Y: log E is a multiple of another logarithm."""
    tower = place.tower
    logs = [i for i in sorted(poly.used(f)) if tower.generators[i].kind == "log"]
    for i in logs:
        parts = poly.coefficients_by(f, i)
        inside = poly.used(tower.generators[i].inner[0])
        powers = [e for e in sorted(inside) if tower.generators[e].kind == "exp" and has_powers(place, poly.generator(e))]
        sign = tower.sign(parts[1]) if powers and set(parts) <= {0, 1} else 0
        if not sign:
            continue
        weight = poly.scaled(parts[1], sign)
        for e, k in itertools.product(powers, (sign, -sign)):
            rows = [(i, -sign), (e, k)]
            x = tower.power_product(rows)
            total = [(poly.scaled(a, c), b) for c, (a, b) in zip((-sign, k), map(tower.logarithm_of_base, (i, e)), strict=True)]
            value, below = poly.sum_of([x, (poly.constant(-1), ONE), *((poly.scaled(a, -1), b) for a, b in total)])
            n, d = cancelled(poly.sum_of([(f, ONE), (poly.scaled(poly.times(weight, value), -1), below)]))
            n, d = tower.reduced(n), tower.reduced(d)
            sides = {a * b for a in place.seen(n) for b in place.seen(d)}
            if any(tower.generators[j].kind == "log" for j in poly.used(n) | poly.used(d)) or -1 in sides:
                continue
            place.search.promise()
            rest = place.product(n, d, depth - 1, strict=strict)
            if rest is not None:
                return {"step": "tangent", "parts": [[poly.ordered(weight), [list(row) for row in rows], None]], "rest": rest}
    return None


def _terms_of(place: TowerPlace, whole: frozenset[Any], weights: Mapping[frozenset[Any], Polynomial]) -> tuple[frozenset[Any], ...]:
    """Two to four other weights whose sum it is."""
    others = [key for key in weights if key != whole][:8]
    for size in (2, 3, 4):
        for chosen in itertools.combinations_with_replacement(others, size):
            total: Polynomial = {}
            for key in chosen:
                total = poly.plus(total, weights[key])
            if not poly.minus(total, weights[whole]):
                return chosen
    return ()


def conjugate(place: TowerPlace, f: Polynomial, depth: int, strict: bool) -> Document | None:
    """a − b√h with a, b > 0 is multiplied by a + b√h; F = a + b√h, with b > 0 and any a, by 2b√h: this is F² + (b²h − a²)."""
    for i, g in enumerate(place.tower.generators):
        if g.kind != "root" or g.order != 2:
            continue
        parts = poly.coefficients_by(f, i)
        if set(parts) != {0, 1}:
            continue
        other = poly.minus(parts[0], poly.times(parts[1], poly.generator(i)))
        s = place.tower.sign(other)
        if not s:
            found = _by_square(place, f, parts[1], i) if strict else None
            if found is not None:
                return found
            continue
        other = poly.scaled(other, s)
        product = place.tower.reduced(poly.times(f, other))
        proof = place.factor_or_descend(product, depth, strict)
        if proof is not None:
            return {"step": "conjugate", "times": poly.ordered(other), "gives": poly.ordered(product), "proof": proof}
    return None


def _by_square(place: TowerPlace, f: Polynomial, b: Polynomial, root: int) -> Document | None:
    """2b√h·F = F² + (b²h − a²) for F = a + b√h."""
    times = poly.scaled(poly.times(b, poly.generator(root)), 2)
    square = poly.times(f, f)
    rest = place.tower.reduced(poly.minus(poly.times(times, f), square))
    if place.tower.sign(times) != 1 or place.tower.sign(rest) != 1:
        return None
    parts = [[poly.ordered(rest), None], [poly.ordered(square), {"step": "factors", "num": [[poly.ordered(f), 2, None]], "den": []}]]
    return {
        "step": "conjugate",
        "times": poly.ordered(times),
        "gives": poly.ordered(poly.plus(rest, square)),
        "proof": {"step": "sum", "parts": parts},
    }


def logarithm(place: TowerPlace, f: Polynomial, depth: int, strict: bool) -> Document | None:
    """a·E^i − b·E^j ≥ 0 by the logarithms of both sides."""
    tower = place.tower
    for i, g in enumerate(tower.generators):
        if g.kind != "exp":
            continue
        groups = poly.coefficients_by(f, i)
        if len(groups) != 2:
            continue
        (j, a), (k, b) = groups.items()
        if tower.sign(a) == -1:
            (j, a), (k, b) = (k, b), (j, a)
        if tower.sign(a) != 1 or tower.sign(b) != -1:
            continue
        e = poly.generator(i)
        up, down = poly.times(a, poly.power(e, j)), poly.scaled(poly.times(b, poly.power(e, k)), -1)
        free = Tower()
        images = substitution(tower, free, {})
        logs = [free.free("log", poly.substituted(part, images)) for part in (up, down)]
        value = poly.sum_of([logs[0], (poly.scaled(logs[1][0], -1), logs[1][1])])
        claim = place.search.claim(free, value, depth - 1, strict=strict)
        if claim is not None:
            return {"step": "logarithm", "plus": poly.ordered(up), "minus": poly.ordered(down), "claim": claim}
    return None
