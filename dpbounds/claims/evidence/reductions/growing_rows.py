"""Claims about Σ_{k=0}^n C(n, k)·c·x^k·y^{n−k}·e^{h(k)} by the greatest h: e^{h(k)} ≤ e^{h(n)}, or ≤ e^{h(0)}, and the row.

Nothing here is believed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import stated
from dpbounds.claims.evidence.reductions.closed_rows import row_with


@dataclass(frozen=True)
class GrowingRow:
    """A claim about such a sum.

    Attributes:
        total, factor: the sum, and what it is multiplied by.
        parts: x, y and c.
        index, most: k, and the greatest h.
        order: h(k) ≤ the greatest.
        left: the claim with c·(x + y)^n·e^h for the sum; None where both sides are one.
    """

    total: Any
    factor: Any
    parts: tuple[Any, Any, Any]
    index: Any
    most: Any
    order: Claim
    left: Claim | None


def growing_rows(claim: Claim) -> Iterator[GrowingRow]:
    """The ways to read a claim so.

    >>> n, k = sympy.Symbol("n", integer=True, positive=True), sympy.Symbol("k", integer=True, nonnegative=True)
    >>> row = sympy.Sum(sympy.binomial(n, k) * sympy.exp(k**2), (k, 0, n))
    >>> [way.left for way in growing_rows(Claim(id="a", then=row <= 2**n * sympy.exp(n**2)))][:1]
    [None]
    """
    then = claim.then
    sums = list(then.lts.atoms(sympy.Sum)) if isinstance(then, (sympy.Le, sympy.Ge)) and not claim.families else []
    if len(sums) != 1 or len(sums[0].limits) != 1 or then.gts.has(sympy.Sum):
        return
    (total,), ((k, low, n),) = sums, sums[0].limits
    factors = sympy.Mul.make_args(total.function)
    grown = [e for e in factors if isinstance(e, sympy.exp) and e.args[0].is_polynomial(k) and sympy.degree(e.args[0], k) > 1]
    row = row_with(sympy.Mul(*(e for e in factors if e not in grown)), k, n)
    factor = then.lts / total
    if low != 0 or len(grown) != 1 or row is None or factor.has(k, sympy.Sum):
        return
    h = grown[0].args[0]
    for end in (n, low):
        most = h.subs(k, end)
        order = stated(claim, sympy.Le(h, most, evaluate=False), [*claim.given, sympy.Le(k, n, evaluate=False)])
        small = factor * row[2] * sympy.expand(row[0] + row[1]) ** n * sympy.exp(most)
        same = sympy.simplify(small / then.gts) == 1
        left = None if same else stated(claim, sympy.Le(small, then.gts, evaluate=False))
        yield GrowingRow(total, factor, row, k, most, order, left)
