"""Towers through substitutions: images of generators, the slope of a scaled polynomial, the tower that a step was found in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from dpbounds.descent import polynomials as poly
from dpbounds.descent.polynomials import ONE, Polynomial, Quotient
from dpbounds.descent.refusal import need
from dpbounds.descent.tower import Range, Tower

Document = Mapping[str, Any]


def slope_over(tower: Tower, f: Polynomial, document: Document) -> tuple[int, Polynomial, Polynomial, Polynomial]:
    """The variable, scale·(f/scale)' as a quotient, and the scale Π s^k: (f' s^k − f k s' s^{k−1})/s^k."""
    v = tower.index_of(document["in"])
    rows = [(s, int(k)) for s, k in document["scale"]]
    parts = [tower.slope_of_polynomial(f, v)]
    for s, k in rows:
        n, d = tower.slope_of_polynomial(s, v)
        if n:
            parts.append((poly.scaled(poly.times(f, n), -k), poly.times(s, d)))
    n, d = poly.sum_of(parts)
    return v, n, d, poly.product(rows)


def difference_of_powers(tower: Tower, document: Document) -> Polynomial:
    """The numerator of P − Q over a denominator > 0, of two products of powers of exponentials."""
    (p, below), (q, under) = (tower.power_product((int(i), int(k)) for i, k in part) for part in document["powers"])
    return poly.minus(poly.times(p, under), poly.times(q, below))


def substitution(
    tower: Tower,
    free: Tower,
    values: Mapping[int, Quotient],
    ranges: Mapping[int, Range] | None = None,
    known: Mapping[int, Quotient] | None = None,
) -> dict[int, Quotient]:
    """The images of all generators in a free tower, some variables replaced by quotients in the others, or given other ranges.

    Args:
        tower: the tower.
        free: the free tower.
        values: quotients in the tower for variables.
        ranges: other ranges of variables.
        known: images of variables in the free tower.
    """
    images: dict[int, Quotient] = dict(known or {})

    def image(index: int) -> Quotient:
        if index not in images:
            g = tower.generators[index]
            if index in values:
                images[index] = through(values[index], _Lazy(image))
            elif g.kind == "variable":
                images[index] = free.variable(g.name, (ranges or {}).get(index, g.ends))
            else:
                inner = (ONE, ONE) if g.kind == "pi" else through(g.inner, _Lazy(image))
                images[index] = free.free(g.kind, inner, g.order)
        return images[index]

    for index in range(len(tower.generators)):
        image(index)
    return images


def ordered(tower: Tower, free: Tower, large: int, small: int) -> dict[int, Quotient] | None:
    """The images of all generators where one variable is another one plus something positive; None where that never happens."""
    (_, high), (least, most) = tower.generators[large].ends, tower.generators[small].ends
    tops = [end for end in (high, most) if end is not None]
    top = min(tops) if tops else None
    if least is not None and top is not None and least >= top:
        return None
    room = None if high is None or least is None else high - least
    name = f"{tower.generators[large].name}-{tower.generators[small].name}"
    need(name not in tower.box, "the same order twice")
    first, _ = free.variable(tower.generators[small].name, (least, top))
    more, _ = free.variable(name, (Fraction(0), room))
    return substitution(tower, free, {}, {small: (least, top)}, {large: (poly.plus(first, more), ONE)})


def shared(tower: Tower, free: Tower, large: int, small: int) -> dict[int, Quotient]:
    """The images of all generators where one variable is a share of another one, counted from the low end of both."""
    low = tower.generators[large].ends[0]
    need(low is not None and low == tower.generators[small].ends[0], "two low ends")
    assert low is not None
    name = f"{tower.generators[small].name}/{tower.generators[large].name}"
    need(name not in tower.box, "the same order twice")
    whole, _ = free.variable(tower.generators[large].name, tower.generators[large].ends)
    share, _ = free.variable(name, (Fraction(0), Fraction(1)))
    start = poly.constant(low)
    value = poly.plus(start, poly.times(poly.minus(whole, start), share)), ONE
    return substitution(tower, free, {}, {}, {large: (whole, ONE), small: value})


class _Lazy(dict[int, Quotient]):
    """Images made when they are asked for."""

    def __init__(self, make: Callable[[int], Quotient]) -> None:
        super().__init__()
        self.make = make

    def __missing__(self, index: int) -> Quotient:
        return self.make(index)


def through(value: Quotient, images: Mapping[int, Quotient]) -> Quotient:
    """A quotient with its generators replaced."""
    (n, d), (m, e) = (poly.substituted(part, images) for part in value)
    need(m, "division by 0")
    return (poly.times(n, e), poly.times(d, m)) if d != e else (n, m)


def ratio_of(f: Polynomial, scale: Polynomial, images: Mapping[int, Quotient]) -> Quotient:
    """f/scale, through the images of generators."""
    return through((f, scale), images)
