"""Claims about tails of rows of binomial coefficients by Chernoff's bound, with the tilt that the claim itself names:

    Σ_{j≥m} C(n, j)·a^j·b^{n−j} ≤ e^{−w·m}·(a·e^w + b)^n for w ≥ 0, and the same for Σ_{j≤m} and w ≤ 0.

Where a premise says m ≥ E, and the claim's bound is e^V, what is left is log(a·e^w + b) ≤ (V + w·E)/n, which has no m and often no n. With
E and V functions of v, the best w for every v is −V′/E′: the slope of V against E. Nothing here is believed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import stated
from dpbounds.claims.evidence.reductions.shifted import tail_of

_ORDERS = (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)


@dataclass(frozen=True)
class TiltedRow:
    """A claim about such a tail.

    Attributes:
        total, factor: the sum, and what it is multiplied by.
        parts: n, a, b and c, where c stands before all terms.
        upper: whether it is the tail above.
        tilt: w.
        exponent: V, where the claim's bound is factor·c·e^V.
        premise: the one that says m ≥ E or m ≤ E, and its slope in m; None where E is m.
        left: log(a·e^w + b) ≤ (V + w·E)/n.
        known: the sign of w, and a·e^w + b > 0.
    """

    total: Any
    factor: Any
    parts: tuple[Any, Any, Any, Any]
    upper: bool
    tilt: Any
    exponent: Any
    premise: tuple[Any, Any] | None
    left: Claim
    known: tuple[Claim, Claim]


def tilted_rows(claim: Claim) -> Iterator[TiltedRow]:
    """The ways to read a claim so.

    >>> m, n = sympy.symbols("m n", integer=True, positive=True)
    >>> j, x = sympy.Symbol("j", integer=True), sympy.Symbol("x", nonnegative=True)
    >>> tail = sympy.Sum(sympy.binomial(n, j), (j, m, n))
    >>> way = next(tilted_rows(Claim(id="a", then=tail <= 2**n * sympy.exp(-2 * n * x**2), given=[m <= n, m >= n / 2 + n * x])))
    >>> way.tilt, way.left.then
    (4*x, log(exp(4*x) + 1) <= 2*x**2 + 2*x + log(2))
    """
    then, found = claim.then, tail_of(claim)
    if found is None:
        return
    total, factor, row = found
    n, a, b, c = row
    ((_, low, high),) = total.limits
    upper = high == n and low != 0
    if not upper and (low != 0 or high == n):
        return
    m = low if upper else high
    exponent = sympy.expand(sympy.expand_log(sympy.log(then.gts), force=True) - sympy.expand_log(sympy.log(factor * c), force=True))
    seen = set()
    for tilt, end, premise in _tilts(claim, m, upper, exponent):
        if (tilt, end) in seen or tilt.has(sympy.zoo, sympy.nan) or tilt == 0:
            continue
        seen.add((tilt, end))
        base = a * sympy.exp(tilt) + b
        rest = sympy.expand(sympy.cancel(sympy.expand((exponent + tilt * end) / n)))
        given = [p for p in claim.given if premise is None or m not in p.free_symbols]
        left = stated(claim, sympy.Le(sympy.log(base), rest, evaluate=False), given)
        sign = sympy.Le(0, tilt, evaluate=False) if upper else sympy.Le(tilt, 0, evaluate=False)
        known = (stated(claim, sign), stated(claim, sympy.Lt(0, base, evaluate=False)))
        yield TiltedRow(total, factor, row, upper, tilt, exponent, premise, left, known)


def _tilts(claim: Claim, m: Any, upper: bool, exponent: Any) -> Iterator[tuple[Any, Any, tuple[Any, Any] | None]]:
    """Tilts w, ends E, and the premises that say m ≥ E."""
    if not m.is_Symbol:
        return
    for premise in (p for p in claim.given if isinstance(p, _ORDERS)):
        gap = sympy.expand(premise.gts - premise.lts)
        slope = gap.coeff(m)
        if slope.has(m) or not (slope.is_positive if upper else slope.is_negative) or sympy.expand(gap - slope * m).has(m):
            continue
        end = sympy.expand(m - gap / slope)
        for v in sorted(end.free_symbols & exponent.free_symbols, key=str):
            rate = sympy.diff(end, v)
            if rate != 0 and not v.is_integer and not exponent.has(m):
                yield sympy.factor(-sympy.diff(exponent, v) / rate), end, (premise, slope)
    if exponent.has(m):
        yield sympy.factor(-sympy.diff(exponent, m)), m, None
