"""A claim on both sides of an axis of symmetry: v = m + s and v = m − s with s ≥ 0 are two claims. Nothing here is believed.

A maximum of two numbers that are equal on such an axis is at least one of them on one side, and at least the other one on the other side.

A descent looks for ties at the ends of ranges. Both sides of log(1 + e^t) ≤ … may meet on the lines t = 0 and t = 2x, which lie
symmetrically about t = x; on one side of this axis there is one tie.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.points import is_below_0, points_of, vanishes
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
        name: of s; none where v itself stays.
        above, below: where v = m + s, and where v = m − s.
        kink: a maximum for which one of its numbers stands on each side, with its factor; none where there is none.
    """

    variable: Any
    axis: Any
    name: str
    above: Claim
    below: Claim
    kink: tuple[Any, Any] | None = None


def where_branches_meet(claim: Claim) -> Iterator[TwoHalves]:
    """The axes where the two numbers of the one maximum of a claim are equal, if one branch on each side seems to be enough.

    >>> x, t = sympy.symbols("x t", real=True)
    >>> claim = Claim(id="a", then=(x + t) / 2 <= sympy.Max(x, t), given=[])
    >>> [(way.variable, way.axis, way.above.then, way.below.then) for way in where_branches_meet(claim)][:1]
    [(t, x, s_t/2 + x <= s_t + x, -s_t/2 + x <= x)]
    """
    try:
        yield from list(_where_branches_meet(claim))
    except Exception:  # a side may have no value on an axis, and sympy then fails in ways that cannot be listed
        return


def _where_branches_meet(claim: Claim) -> Iterator[TwoHalves]:
    kinks = list[Any](claim.then.atoms(sympy.Max, sympy.Min)) if isinstance(claim.then, _RELATIONS) else []
    if len(kinks) != 1 or not 1 < len(claim.variables) <= _MOST_VARIABLES or claim.families or claim.then.has(sympy.Sum, sympy.Integral):
        return
    (kink,), name = kinks, sympy.Dummy(real=True)
    gap = sympy.expand((claim.then.gts - claim.then.lts).xreplace({kink: name}))
    factor = gap.coeff(name) if isinstance(kink, sympy.Max) else -gap.coeff(name)
    if len(kink.args) != 2 or not factor.is_positive:
        return
    a, b = kink.args
    free = [v for v in sorted(claim.variables, key=str) if not v.is_integer and (a - b).has(v)]
    for v in (v for v in free if all(p.free_symbols == {v} for p in claim.given if v in p.free_symbols)):
        s = sympy.Symbol(f"s_{v.name}", real=True)
        points = [{**at, s: abs(at[v])} for at in points_of(claim) if max(map(abs, at.values())) < _NEAR]
        given = [sympy.Ge(s, 0, evaluate=False), *(p for p in claim.given if v not in p.free_symbols)]
        for m in (c * u for u in free if u != v for c in _SLOPES):
            if not vanishes((a - b).subs(v, m), points):
                continue
            found = []
            for k in (1, -1):
                sides = [[e.xreplace({kink: branch}).subs(v, m + k * s) for e in claim.then.args] for branch in (a, b)]
                parts = [stated(claim, type(claim.then)(*own, evaluate=False), given) for own in sides]
                found.append([part for part in parts if not is_below_0(part.then.gts - part.then.lts, points)])
            if all(found):
                yield TwoHalves(v, m, s.name, found[0][0], found[1][0], (kink, factor))


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


def at_zero(claim: Claim) -> Iterator[TwoHalves]:
    """Both signs of a variable without a range, in which an integral is taken: its closed form may have a quotient that ends at 0.

    >>> t, v = sympy.symbols("t v", real=True)
    >>> mean = sympy.Integral(sympy.exp(t * v), (v, 0, 1))
    >>> [(way.above.given, way.below.given) for way in at_zero(Claim(id="a", then=mean <= sympy.exp(abs(t)), given=[]))]
    [((t >= 0,), (t <= 0,))]
    """
    if claim.families or not isinstance(claim.then, _RELATIONS) or len(claim.variables) > _MOST_VARIABLES:
        return
    for v in sorted(set().union(*(e.free_symbols for e in claim.then.atoms(sympy.Integral))), key=str):
        if not v.is_integer and not any(v in p.free_symbols for p in claim.given):
            above, below = (stated(claim, claim.then, [*claim.given, order(v, 0, evaluate=False)]) for order in (sympy.Ge, sympy.Le))
            yield TwoHalves(v, sympy.S.Zero, "", above, below)
