"""A claim on both sides of an axis of symmetry: v = m + s and v = m − s with s ≥ 0 are two claims. Nothing here is believed.

A descent looks for ties at the ends of ranges. Both sides of log(1 + e^t) ≤ … may meet on the lines t = 0 and t = 2x, which lie
symmetrically about t = x; on one side of this axis there is one tie.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.points import points_of, vanishes
from dpbounds.claims.evidence.powers import stated

_RELATIONS = (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)
_SLOPES = (1, -1, sympy.S.Half, -sympy.S.Half)
_MOST_VARIABLES = 3
_NEAR = 40.0
"""Farther out floats say little about symmetry."""


@dataclass(frozen=True)
class TwoHalves:
    """A claim as two.

    Attributes:
        variable, axis: v and m.
        name: of s.
        above, below: where v = m + s, and where v = m − s.
    """

    variable: Any
    axis: Any
    name: str
    above: Claim
    below: Claim


def halves(claim: Claim) -> Iterator[TwoHalves]:
    """The axes of symmetry of a claim in a variable: multiples of another one. A range of its own is left out.

    >>> x, t = sympy.Symbol("x", positive=True), sympy.Symbol("t", real=True)
    >>> [(way.axis, way.above.then) for way in halves(Claim(id="a", then=(t - x) ** 2 <= sympy.log(x), given=[]))]
    [(x, s_t**2 <= log(x))]
    """
    few = 1 < len(claim.variables) <= _MOST_VARIABLES
    if not (few and isinstance(claim.then, _RELATIONS)) or claim.families or claim.then.has(sympy.Sum, sympy.Integral):
        return
    free = [v for v in sorted(claim.variables, key=str) if not v.is_integer]
    gap = claim.then.gts - claim.then.lts
    for v in (v for v in free if gap.has(v) and all(p.free_symbols == {v} for p in claim.given if v in p.free_symbols)):
        s = sympy.Symbol(f"s_{v.name}", real=True)
        points = [{**at, s: abs(at[v])} for at in points_of(claim) if max(map(abs, at.values())) < _NEAR]
        for m in (c * u for u in free if u != v for c in _SLOPES):
            up, down = (gap.subs(v, m + k * s) for k in (1, -1))
            if not vanishes(up - down, points) or vanishes(up - gap.subs(v, m), points):
                continue
            given = [sympy.Ge(s, 0, evaluate=False), *(p for p in claim.given if v not in p.free_symbols)]
            above, below = (
                stated(claim, type(claim.then)(*(e.subs(v, m + k * s) for e in claim.then.args), evaluate=False), given) for k in (1, -1)
            )
            yield TwoHalves(v, m, s.name, above, below)
