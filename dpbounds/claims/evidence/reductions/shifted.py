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
    then = claim.then
    sums = list(then.lts.atoms(sympy.Sum)) if isinstance(then, (sympy.Le, sympy.Ge)) and not claim.families else []
    if len(sums) != 1 or len(sums[0].limits) != 1 or then.gts.has(sympy.Sum):
        return
    (total,), ((j, low, n),) = sums, sums[0].limits
    factor, factors = sympy.cancel(then.lts / total), sympy.Mul.make_args(total.function)
    if factor.has(j, sympy.Sum) or sympy.binomial(n, j) not in factors or low == 0:
        return
    a, b, c = sympy.S.One, sympy.S.One, sympy.S.One
    for part in (e for e in factors if e != sympy.binomial(n, j)):
        base, exponent = (sympy.E, part.args[0]) if isinstance(part, sympy.exp) else part.as_base_exp()
        exponent = sympy.expand(exponent)
        slope = exponent.coeff(j)
        rest = sympy.expand(exponent - slope * j)
        if base.has(j) or rest.has(j) or slope.has(j) or base is not sympy.E and not slope.is_Integer:
            return
        if base is sympy.E or slope >= 0:
            a, c = a * base**slope, c * base**rest
        else:
            b, c = b * base**-slope, c * base ** sympy.expand(rest + slope * n)
    whole = sympy.simplify(a + b)
    small = factor * c * sympy.binomial(n, low) * a**low * whole ** (n - low)
    ratio = sympy.simplify(small / then.gts)
    sides = (small, then.gts) if ratio.has(sympy.binomial, sympy.gamma, sympy.factorial) else (ratio, sympy.S.One)
    left = None if ratio.is_Rational and ratio <= 1 else stated(claim, sympy.Le(*sides, evaluate=False))
    yield ShiftedRow(total, factor, (a, b, c), left, 1 - ratio if left is None else then.gts / sides[1])
