"""A claim from two simpler ones: a variable may be put at the bound that a premise states, and the claim holds there.

Where v ≤ b for an expression b without v, S(v) − L(v) ≤ S(B) − L(B) for all v ≤ B and S(b) ≤ L(b) give S(v) ≤ L(v), and likewise
for b ≤ v. The first claim has a variable B in the place of b, so that both are simpler than the claim. Nothing here is believed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy

from dpbounds.claims.claim import Claim

_RELATIONS = (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)


@dataclass(frozen=True)
class AtBound:
    """A claim as two others.

    Attributes:
        moved: the gap is least at the bound, for any bound.
        there: the claim at the bound.
        name: of the variable that stands for the bound.
        bound: the bound.
    """

    moved: Claim
    there: Claim
    name: str
    bound: Any


def at_bounds(claim: Claim) -> Iterator[AtBound]:
    """The ways in which a premise bounds a variable of the claim by an expression in others.

    >>> x, y = sympy.symbols("x y", positive=True)
    >>> claim = Claim(id="a", then=x + x**2 <= 3, given=[x <= sympy.exp(-y)])
    >>> [(part.moved.then, part.there.then) for part in at_bounds(claim)]
    [(x**2 + x <= bound_1**2 + bound_1, exp(-y) + exp(-2*y) <= 3)]
    """
    if not isinstance(claim.then, _RELATIONS) or claim.families:
        return
    small, large = claim.then.lts, claim.then.gts
    for premise in (p for p in claim.given if isinstance(p, _RELATIONS)):
        for v, b in ((premise.lts, premise.gts), (premise.gts, premise.lts)):
            if v not in claim.variables or v.is_integer or not b.free_symbols or v in b.free_symbols or b.is_polynomial():
                continue
            others = [p for p in claim.given if p != premise]
            at = sympy.Symbol("bound_1", real=True)
            sides = [side.subs(v, at) if side.has(v) else sympy.S.Zero for side in (small, large)]
            moving = [side if side.has(v) else sympy.S.Zero for side in (small, large)]
            order = sympy.Le(v, at, evaluate=False) if v == premise.lts else sympy.Le(at, v, evaluate=False)
            ends = [p.subs(v, at) for p in others if p.free_symbols == {v} and (v == p.gts) == (v == premise.lts)]
            moved = sympy.Le(moving[0] + sides[1], sides[0] + moving[1], evaluate=False)
            there = type(claim.then)(*(side.subs(v, b) for side in claim.then.args), evaluate=False)
            given = [*(p for p in others if p.free_symbols <= moved.free_symbols), *ends, order]
            above = [sympy.Gt(at, 0, evaluate=False)]  # the bound may be positive: the joined document shows it, or fails
            for more in ([above] if v == premise.gts else []) + [[]]:
                rest = [p for p in others if v not in p.free_symbols]
                yield AtBound(_stated(claim, moved, [*given, *more]), _stated(claim, there, rest), at.name, b)


def _stated(claim: Claim, then: Any, given: Sequence[Any]) -> Claim:
    return replace(claim, then=then, given=tuple(given), by=None, mutant=None, uses=(), witness={}, example=None)
