"""Claims about tails of rows of binomial coefficients by one coefficient: Σ_{j≥m} C(n, j)·c·a^j·b^{n−j} ≤ c·C(n, m)·a^m·(a + b)^{n−m}.

That a and b are not negative is for the document to show. Nothing here is believed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import stated


@dataclass(frozen=True)
class ShiftedRow:
    """A claim about such a tail.

    Attributes:
        total, factor: the sum, and what it is multiplied by.
        parts: a, b and c.
        left: what is left to show; None where it is that R is not negative.
        weight: what this is multiplied by.
    """

    total: Any
    factor: Any
    parts: tuple[Any, Any, Any]
    left: Claim | None
    weight: Any


def shifted_rows(claim: Claim) -> Iterator[ShiftedRow]:
    """The way to read a claim so, if there is one.

    >>> m, n = sympy.symbols("m n", integer=True, positive=True)
    >>> j, x = sympy.Symbol("j", integer=True), sympy.Symbol("x", positive=True)
    >>> tail = sympy.Sum(sympy.binomial(n, j) * x**j, (j, m, n))
    >>> (way,) = shifted_rows(Claim(id="a", then=tail <= 2 * sympy.binomial(n, m) * x**m * (1 + x) ** (n - m), given=[m <= n]))
    >>> way.parts, way.left
    ((x, 1, 1), None)
    """
    then, found = claim.then, tail_of(claim)
    if found is None:
        return
    total, factor, (n, a, b, c) = found
    ((_, low, high),) = total.limits
    if high != n or low == 0:
        return
    whole = sympy.simplify(a + b)
    small = factor * c * sympy.binomial(n, low) * a**low * whole ** (n - low)
    ratio = sympy.simplify(small / then.gts)
    sides = (small, then.gts) if ratio.has(sympy.binomial, sympy.gamma, sympy.factorial) else (ratio, sympy.S.One)
    left = None if ratio.is_Rational and ratio <= 1 else stated(claim, sympy.Le(*sides, evaluate=False))
    yield ShiftedRow(total, factor, (a, b, c), left, 1 - ratio if left is None else then.gts / sides[1])


def tail_of(claim: Claim) -> tuple[Any, Any, tuple[Any, Any, Any, Any]] | None:
    """The only sum of a claim, on its smaller side and over terms of a row, what it is multiplied by, and n, a, b and c of the row."""
    then = claim.then
    sums = list(then.lts.atoms(sympy.Sum)) if isinstance(then, (sympy.Le, sympy.Ge)) and not claim.families else []
    if len(sums) != 1 or len(sums[0].limits) != 1 or then.gts.has(sympy.Sum):
        return None
    (total,), j = sums, sums[0].limits[0][0]
    factor, row = sympy.cancel(then.lts / total), row_of(total.function, j)
    return None if row is None or factor.has(j, sympy.Sum) else (total, factor, row)


def row_of(term: Any, j: Any) -> tuple[Any, Any, Any, Any] | None:
    """n, a, b and c of a term c·C(n, j)·a^j·b^{n−j}; None of others.

    >>> n, j, x = sympy.symbols("n j x")
    >>> row_of(3 * sympy.binomial(n, j) * x**j * (1 - x) ** (n - j), j)
    (n, x, 1 - x, 3)
    """
    factors = sympy.Mul.make_args(term)
    rows = [e for e in factors if isinstance(e, sympy.binomial) and e.args[1] == j and not e.args[0].has(j)]
    if len(rows) != 1:
        return None
    (row,), a, b, c = rows, sympy.S.One, sympy.S.One, sympy.S.One
    n = row.args[0]
    for part in (e for e in factors if e != row):
        base, exponent = (sympy.E, part.args[0]) if isinstance(part, sympy.exp) else part.as_base_exp()
        exponent = sympy.expand(exponent)
        slope = exponent.coeff(j)
        rest = sympy.expand(exponent - slope * j)
        if base.has(j) or rest.has(j) or slope.has(j) or base is not sympy.E and not slope.is_Integer:
            return None
        if base is sympy.E or slope >= 0:
            a, c = a * base**slope, c * base**rest
        else:
            b, c = b * base**-slope, c * base ** sympy.expand(rest + slope * n)
    return n, a, b, c
