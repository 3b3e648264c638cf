"""A claim from two simpler ones: a variable may be put at the bound that a premise states, and the claim holds there.

Where v ≤ b for an expression b without v, S(v) − L(v) ≤ S(B) − L(B) for all v ≤ B and S(b) ≤ L(b) give S(v) ≤ L(v), and likewise
for b ≤ v. The first claim has a variable B in the place of b, so that both are simpler than the claim. Nothing here is believed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import stated

_RELATIONS = (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)


@dataclass(frozen=True)
class AtBound:
    """A claim as two others.

    Attributes:
        moved: the gap is least at the bound, for any bound.
        there: the claim at the bound.
        name: of the variable that stands for the bound.
        bound: the bound.
        known: what the joined document may need, where the premise says it in other words.
    """

    moved: Claim
    there: Claim
    name: str
    bound: Any
    known: tuple[Claim, ...] = ()


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
        for v, b, upper in _bounds_in(premise):
            if v not in claim.variables or v.is_integer or not b.free_symbols or v in b.free_symbols or b.is_polynomial():
                continue
            others = [p for p in claim.given if p != premise]
            at = sympy.Symbol("bound_1", real=True)
            sides = [side.subs(v, at) if side.has(v) else sympy.S.Zero for side in (small, large)]
            moving = [side if side.has(v) else sympy.S.Zero for side in (small, large)]
            order = sympy.Le(v, at, evaluate=False) if upper else sympy.Le(at, v, evaluate=False)
            ends = [p.subs(v, at) for p in others if p.free_symbols == {v} and (v == p.gts) == upper]
            moved = sympy.Le(moving[0] + sides[1], sides[0] + moving[1], evaluate=False)
            there = type(claim.then)(*(side.subs(v, b) for side in claim.then.args), evaluate=False)
            given = [*(p for p in others if p.free_symbols <= moved.free_symbols), *ends, order]
            rest = [p for p in others if v not in p.free_symbols]
            plain = v in premise.args
            known = [] if plain else [stated(claim, order.subs(at, b), claim.given)]
            # The bound may be positive, or at least 0: the joined document shows it, or fails.
            for above in [sympy.Gt(at, 0, evaluate=False) if plain else sympy.Ge(at, 0, evaluate=False)] * (not upper) + [None]:
                more = [] if above is None else [above]
                shown = [*known, *(stated(claim, part.subs(at, b), rest) for part in more if not plain)]
                yield AtBound(stated(claim, moved, [*given, *more]), stated(claim, there, rest), at.name, b, tuple(shown))


def _bounds_in(premise: Any) -> Iterator[tuple[Any, Any, bool]]:
    """(v, b, True) where a premise says v ≤ b, and (v, b, False) where it says b ≤ v: as it stands, or by a factor of one sign."""
    bare = [(premise.lts, premise.gts, True), (premise.gts, premise.lts, False)]
    yield from bare
    gap = sympy.expand(premise.gts - premise.lts)
    for v in sorted(gap.free_symbols - {v for v, _, _ in bare}, key=str):
        a = gap.coeff(v)
        rest = sympy.expand(gap - a * v)
        if not rest.has(v) and (a.is_positive or a.is_negative):
            yield v, sympy.expand(-rest / a), bool(a.is_negative)
