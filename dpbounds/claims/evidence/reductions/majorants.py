"""Claims Σ_{i≥m} a(i) ≤ B with a bound that may be taken at every lower end: b(k), which is B with k in the place of m.

What is left is 0 ≤ a(k), a(k) + b(k + 1) ≤ b(k) and 0 ≤ b(k) for k ≥ m. Nothing here is believed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import stated


@dataclass(frozen=True)
class Majorant:
    """A claim about such a sum.

    Attributes:
        k: the variable of the bound.
        bound: b(k).
        parts: the three claims that are left.
    """

    k: Any
    bound: Any
    parts: tuple[Claim, Claim, Claim]


def majorants(claim: Claim) -> Iterator[Majorant]:
    """The ways to read a claim so.

    >>> m, i = sympy.symbols("m i", integer=True, positive=True)
    >>> (way,) = majorants(Claim(id="a", then=sympy.Sum(1 / (i * (i + 1)), (i, m, sympy.oo)) <= 1 / m))
    >>> [part.then for part in way.parts][1]
    1/(kk + 1) + 1/(kk*(kk + 1)) <= 1/kk
    """
    then = claim.then
    if claim.families or not isinstance(then, (sympy.Le, sympy.Ge)) or not isinstance(then.lts, sympy.Sum) or len(then.lts.limits) != 1:
        return
    ((i, low, high),) = then.lts.limits
    if high is not sympy.oo or then.gts.has(sympy.Sum, sympy.Integral):
        return
    taken = {s.name for part in (then, *claim.given) for s in part.atoms(sympy.Symbol)}
    name = next(name for n in itertools.count(1) if (name := "k" + "k" * n) not in taken)
    k = sympy.Symbol(name, integer=True, **{"positive": True} if low.is_positive else {"nonnegative": True} if low.is_nonnegative else {})
    for m in sorted(low.free_symbols, key=str):
        shift = low - m
        if not m.is_integer or not shift.is_Integer:
            continue
        moved = {m: k - shift}
        b = then.gts.subs(moved)
        given = [g.subs(moved) for g in claim.given]
        given = [g for g in given if g is not sympy.true]
        a, later = then.lts.function.subs(i, k), b.subs(k, k + 1)
        least = sympy.Ge(k - shift, 1 if m.is_positive else 0, evaluate=False) if m.is_nonnegative and shift > 0 else None
        given += [least] if least is not None else []
        if k in a.free_symbols and m not in a.free_symbols:
            whole = [sympy.Le(0, a, evaluate=False), sympy.Le(a + later, b, evaluate=False), sympy.Le(0, b, evaluate=False)]
            yield Majorant(k, b, tuple(stated(claim, part, given) for part in whole))  # type: ignore[arg-type]
