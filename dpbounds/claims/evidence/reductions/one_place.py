"""Claims c·C(n, k)·a^k·b^{n−k} ≤ B by the row: C(n, k)·a^k·b^{n−k} ≤ (a + b)^n for a, b > 0.

C(n, k) ≤ 2^{n−1} for k ≥ 1 by the row before. Nothing here is believed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import stated


@dataclass(frozen=True)
class OnePlace:
    """Such a claim.

    Attributes:
        row: n and k.
        base: a and b.
        factor: c.
        left: c·(a + b)^n ≤ B, or c·2^{n−1} ≤ B; None where both sides are the same.
        half: whether it is the latter.
    """

    row: tuple[Any, Any]
    base: tuple[Any, Any]
    factor: Any
    left: Claim | None
    half: bool = False


def one_place(claim: Claim) -> Iterator[OnePlace]:
    """The way to read a claim so.

    >>> n, k = sympy.symbols("n k", integer=True, positive=True)
    >>> [way.left.then for way in one_place(Claim(id="a", then=sympy.binomial(n, k) * 2**k <= 4**n, given=[k <= n]))]
    [3**n <= 4**n]
    """
    then = claim.then
    rows = list(then.atoms(sympy.binomial)) if isinstance(then, (sympy.Le, sympy.Ge)) and not claim.families else []
    if len(rows) != 1 or then.gts.has(sympy.binomial) or then.has(sympy.Sum, sympy.Integral):
        return
    n, k = rows[0].args
    a = b = factor = sympy.S.One
    for part in sympy.Mul.make_args(then.lts):
        if part.is_Pow and part.exp == k:
            a *= part.base
        elif part.is_Pow and part.exp == n - k:
            b *= part.base
        elif part != rows[0]:
            factor *= part
    if factor.has(sympy.binomial):
        return
    for half in (False, True)[: 2 if (a, b) == (1, 1) and k.is_positive else 1]:
        whole = factor * sympy.expand(a + b) ** (n - 1 if half else n)
        left = None if whole == then.gts else stated(claim, sympy.Le(whole, then.gts, evaluate=False))
        yield OnePlace((n, k), (a, b), factor, left, half)
