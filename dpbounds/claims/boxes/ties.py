"""Critical points with coordinates that can be guessed exactly, and what is decided at such a point.

Newton's method finds a point; its coordinates are recognised as simple rationals, their square roots, logarithms or exponentials.
Nothing of that is trusted: the caller decides symbolically whether derivatives vanish there.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from dpbounds.claims.boxes.bounds import Box, Difference
from dpbounds.claims.statement import instance
from dpbounds.errors import LanguageError
from dpbounds.numbers import balls
from dpbounds.numbers.balls import Ball

_NEWTON_STEPS = 12
_DENOMINATOR = 1000
_CLOSE = Fraction(1, 10**12)


def critical_point(gap: Difference, box: Box) -> dict[sympy.Symbol, Any] | None:
    """A point near the box at which the gradient seems to vanish, with recognised coordinates; None when there is none."""
    if any(isinstance(end, float) for side in box for end in side) or gap.gradient is None or None in gap.gradient:
        return None
    size = len(gap.variables)
    second = [[gap.derivative(gap.variables[i], gap.variables[j]) for j in range(size)] for i in range(size)]
    if any(entry is None for row in second for entry in row):
        return None
    point = [balls.ball((low + high) / 2) for low, high in box]
    with balls.precision(120):
        for _ in range(_NEWTON_STEPS):
            slopes = [writings.raw(point).mid() for writings in gap.gradient]  # type: ignore[union-attr]
            matrix = [[entry.raw(point).mid() for entry in row] for row in second]  # type: ignore[union-attr]
            step = _solved(matrix, slopes)
            if step is None:
                return None
            point = [(x - s).mid() for x, s in zip(point, step, strict=True)]
        if any(not x.is_finite() for x in point) or any(not abs(s) < 1e-20 for s in step or []):
            return None
        found = {v: recognised(x) for v, x in zip(gap.variables, point, strict=True)}
    return None if any(value is None for value in found.values()) else found


def recognised(x: Ball) -> Any:
    """A simple closed number very close to an exact ball, or None.

    >>> recognised(balls.ball(1) / 3), recognised((-balls.ball(2)).exp().mid())
    (1/3, exp(-2))
    """
    x = x.mid()
    for back, forth, inside in (
        (lambda y: y, lambda r: r, True),
        (lambda y: y**2, lambda r: sympy.sqrt(r) if x >= 0 else -sympy.sqrt(r), True),
        (lambda y: y.exp(), sympy.log, bool(abs(x) < 20)),
        (lambda y: y.log(), sympy.exp, bool(x > 0)),
    ):
        if not inside:
            continue
        exact = balls.to_fraction(back(x).mid())
        if isinstance(exact, Fraction):
            near = exact.limit_denominator(_DENOMINATOR)
            if abs(near - exact) <= _CLOSE and abs(near) < _DENOMINATOR:
                return forth(sympy.Rational(near))
    return None


def _solved(matrix: list[list[Ball]], right: list[Ball]) -> list[Ball] | None:
    """The solution of a small linear system by elimination without pivoting, in midpoints."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for k in range(size):
        if not rows[k][k].is_finite() or rows[k][k] == 0:
            return None
        for i in range(size):
            if i != k:
                share = rows[i][k] / rows[k][k]
                rows[i] = [(a - share * b).mid() for a, b in zip(rows[i], rows[k], strict=True)]
    return [(rows[k][size] / rows[k][k]).mid() for k in range(size)]


def is_positive_definite(matrix: list[list[Ball]]) -> bool:
    """True when every symmetric matrix with entries in the balls is positive definite: interval elimination meets positive pivots only.

    Elimination in balls contains the elimination of each matrix; a symmetric matrix with positive pivots is positive definite (Sylvester).
    """
    rows = [list(row) for row in matrix]
    for k in range(len(rows)):
        if not rows[k][k] > 0:
            return False
        for i in range(k + 1, len(rows)):
            share = rows[i][k] / rows[k][k]
            rows[i] = [a - share * b for a, b in zip(rows[i], rows[k], strict=True)]
    return True


def holds_at_point(value: Any, strict: bool) -> bool:
    """Decide a closed number ≥ 0 (or > 0): exactly, or with a certified sign."""
    try:
        return not value.free_symbols and instance.decide(sympy.Gt if strict else sympy.Ge, value, sympy.S.Zero) is True
    except LanguageError:
        return False
