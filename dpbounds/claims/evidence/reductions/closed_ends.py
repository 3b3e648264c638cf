"""Claims with a power whose base is 0 at a closed end of a variable: away from that end, and at it. Nothing here is believed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import stated


@dataclass(frozen=True)
class ClosedEnd:
    """A claim about v ≤ c, or v ≥ c.

    Attributes:
        variable, end: v and c.
        within, at: the claim for v < c, or v > c, and for v = c.
    """

    variable: Any
    end: Any
    within: Claim
    at: Claim


def closed_ends(claim: Claim) -> Iterator[ClosedEnd]:
    """The ways to read a claim so.

    >>> n, q = sympy.Symbol("n", integer=True, positive=True), sympy.Symbol("q", real=True)
    >>> (way,) = closed_ends(Claim(id="a", given=[q <= 1], then=(1 - q) ** n <= 1 / (1 + n * q)))
    >>> way.within.given, way.at.then
    ((q < 1,), 0 <= 1/(n + 1))
    """
    strict = {sympy.Le: sympy.Lt, sympy.Ge: sympy.Gt}
    for premise in claim.given if not claim.families else ():
        v, end = premise.args[:2]
        bases = {e.base for e in claim.then.atoms(sympy.Pow) if e.exp.free_symbols and e.base.has(v)}
        if type(premise) not in strict or not v.is_Symbol or not end.is_number or not any(base.subs(v, end) == 0 for base in bases):
            continue
        others = [p for p in claim.given if p is not premise]
        there = [p for p in (part.subs(v, end) for part in others) if p is not sympy.true]
        then = type(claim.then)(*(side.subs(v, end) for side in claim.then.args), evaluate=False)
        within = stated(claim, claim.then, [*others, strict[type(premise)](v, end, evaluate=False)])
        yield ClosedEnd(v, end, within, stated(claim, then, there))
