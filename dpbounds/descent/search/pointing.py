"""Untrusted: points where a function may be least or largest, for `point`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy

from dpbounds.language.functions import Extremum, with_replaced

_Z = sympy.Symbol("z_of_exponential", positive=True)


def points_of(node: Extremum) -> Iterator[sympy.Expr]:
    """Where the slope of f, of log f or of an exponent is 0, then points that are simple to name."""
    f, (t, low, high) = node.args
    names = {s: sympy.Symbol(s.name, positive=s.is_positive or None, real=True) for s in f.free_symbols | {t}}
    f, t, low, high = (part.xreplace(names) for part in (f, t, low, high))
    found: dict[Any, None] = {}
    exponents = sorted((e.args[0] for e in f.atoms(sympy.exp) if e.has(t)), key=str)
    for function in (f, sympy.expand_log(sympy.log(f), force=True), *exponents):
        found.update(dict.fromkeys(_roots(sympy.diff(function, t), t)))
    if low.is_finite and high.is_finite:
        found.update(dict.fromkeys(((low + high) / 2, (2 * low + high) / 3, (low + 2 * high) / 3)))
    elif low.is_finite or high.is_finite:
        end, way = (low, 1) if low.is_finite else (high, -1)
        found.update(dict.fromkeys(end + way * step for step in (1, sympy.Rational(1, 2), 2, 10)))
    else:
        found.update(dict.fromkeys(map(sympy.Integer, (0, 1, -1))))
    yield from found


def bounds_of(node: Extremum, side: sympy.Expr, point: sympy.Expr) -> Iterator[sympy.Expr]:
    """What may bound f on the side of its extremum: 0, what the extremum is compared with, and values at the point and at an end."""
    f, (t, low, high) = node.args
    yield from (sympy.S.Zero, side)
    yield from (with_replaced(f, {t: place}) for place in (point, low, high) if place.is_finite is not False)


def _roots(slope: sympy.Expr, t: sympy.Symbol) -> Iterator[sympy.Expr]:
    """Of a numerator of degree 1 or 2 in t, or in e^t."""
    top = sympy.numer(sympy.together(sympy.powsimp(sympy.expand(slope))))

    def in_z(e: sympy.Expr) -> sympy.Expr:
        factor = e.args[0].coeff(t)
        return sympy.exp(e.args[0] - factor * t) * _Z**factor

    in_exponential = sympy.expand(top).replace(lambda e: isinstance(e, sympy.exp) and e.args[0].has(t), in_z)
    for polynomial, v in ((top, t), (in_exponential, _Z)):
        if polynomial.has(t) and v is _Z or not polynomial.is_polynomial(v):
            continue
        coefficients = sympy.Poly(polynomial, v).all_coeffs()
        if len(coefficients) == 2:
            roots = [sympy.cancel(-coefficients[1] / coefficients[0])]
        elif len(coefficients) == 3:
            a, b, c = coefficients
            middle, root = sympy.cancel(-b / (2 * a)), sympy.sqrt(sympy.factor(sympy.cancel(b**2 / (4 * a**2) - c / a)))
            roots = [middle + root, middle - root]
        else:
            continue
        yield from (sympy.log(root) if v is _Z else root for root in roots)
