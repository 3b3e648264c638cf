"""A claim with maxima, minima and absolute values as claims without: one branch of those that count in favour is enough.

c·max(a, b) is at least c·a, c·b and c·(θ·a + (1 − θ)·b) for c ≥ 0 and 0 ≤ θ ≤ 1, as c·|a| and −c·min(a, b) are; so a part needs no premise
that says which is larger. Each branch of the others is a part of its own. Nothing here is believed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.domain import Domain
from dpbounds.claims.evidence.points import is_below_0, points_of
from dpbounds.claims.evidence.powers import stated
from dpbounds.language import functions
from dpbounds.language.definedness import limits_of

_KINKS = (sympy.Max, sympy.Min, sympy.Abs)
_RELATIONS = (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)
_MOST_IN_FAVOUR, _MOST_AGAINST = 4, 4

Shares = tuple[tuple[Any, Any], ...]
"""Branches of a kink, each with its weight."""


@dataclass(frozen=True)
class InBranches:
    """A claim for some branches.

    Attributes:
        claim: without these kinks.
        taken: what each kink is that does not count in favour.
        lowered: what stands for each kink that does: a mean of its branches.
    """

    claim: Claim
    taken: Mapping[Any, Any]
    lowered: Mapping[Any, Shares]

    @property
    def is_equation(self) -> bool:
        """Whether both sides are the same."""
        return bool(sympy.expand(self.claim.then.gts - self.claim.then.lts) == 0)


@dataclass(frozen=True)
class WithoutKinks:
    """A claim as others.

    Attributes:
        parts: claims, one for all branches of the kinks that do not count in favour.
        factors: what the kinks in favour are multiplied by.
        known: claims that factors and weights are not negative.
    """

    parts: tuple[InBranches, ...]
    factors: Mapping[Any, Any]
    known: tuple[Claim, ...]


def without_kinks(claim: Claim) -> Iterator[WithoutKinks]:
    """The one way to say a claim without its outermost kinks, if some of them count in favour.

    >>> x = sympy.Symbol("x", real=True)
    >>> (way,) = without_kinks(Claim(id="a", then=sympy.Abs(x) <= sympy.Max(x**2, 1), given=[x <= 1]))
    >>> [part.claim.then for part in way.parts]
    [x <= 1, -x <= Max(1, x**2)]
    """
    if not isinstance(claim.then, _RELATIONS) or claim.families or any(limits_of(node) for node in sympy.preorder_traversal(claim.then)):
        return
    then = with_maxima(claim.then)
    kinks = {k: sympy.Dummy(real=True) for k in sorted(_outermost(then), key=str)}
    if not kinks:
        return
    gap, points = sympy.expand(then.gts.xreplace(kinks) - then.lts.xreplace(kinks)), points_of(claim)
    factors = {k: c for k, name in kinks.items() if (c := _favour(points, gap, k, name)) is not None}
    against = [k for k in kinks if k not in factors]
    if not factors or len(factors) > _MOST_IN_FAVOUR or len(against) > _MOST_AGAINST:
        return
    parts, bounds = [], []
    for k, c in factors.items():
        shares = [(a, b / (c * a)) for a in _branches(k) for other in against for b in _branches(other) if a != 0 and b != 0]
        parts_of_0 = [(a, w) for a, w in shares if not any(e.has(*_KINKS) or is_below_0(e, points) for e in (w, 1 - w))]
        bounds.append(_bounds(claim, k, parts_of_0))
    for branches in itertools.product(*(_branches(k) for k in against)):
        taken, lowered = dict(zip(against, branches, strict=True)), dict[Any, Shares]()
        # Branches first, then means; a kink may stay, for the branches of what is inside of others.
        for own in sorted(itertools.product(*bounds), key=lambda own: sorted(map(len, own), reverse=True)):
            lowered = {k: shares for k, shares in zip(factors, own, strict=True) if shares[0][0] != k}
            values = {**taken, **{k: sympy.Add(*(weight * b for b, weight in shares)) for k, shares in lowered.items()}}
            if not is_below_0(sympy.expand(gap.xreplace({name: values.get(k, k) for k, name in kinks.items()})), points):
                break
        if not values:
            return
        sides = (side.xreplace(values) for side in then.args)
        parts.append(InBranches(stated(claim, type(then)(*sides, evaluate=False)), taken, lowered))
    weights = [weight for part in parts for shares in part.lowered.values() for _, weight in shares]
    signs = (sympy.Le(0, c, evaluate=False) for c in (*factors.values(), *weights) if not c.is_number)
    yield WithoutKinks(tuple(parts), factors, tuple(stated(claim, sign) for sign in dict.fromkeys(signs)))


def with_maxima(statement: Any) -> Any:
    """A statement with the maxima that hockey sticks of tables are."""
    sticks = {node: functions.expand_quantities(node) for node in statement.atoms(functions.HockeyStick) if node.is_table}
    return functions.with_replaced(statement, sticks) if sticks else statement


def _outermost(node: Any) -> set[Any]:
    """The kinks that are in no other one."""
    return {node} if isinstance(node, _KINKS) else set().union(*map(_outermost, node.args))


def _branches(kink: Any) -> tuple[Any, ...]:
    """What a kink may be."""
    return (kink.args[0], -kink.args[0]) if isinstance(kink, sympy.Abs) else kink.args


def _bounds(claim: Claim, kink: Any, parts_of_0: Iterable[tuple[Any, Any]]) -> list[Shares]:
    """What may stand for a kink in favour: a branch, a mean of two, which w·a is of a and 0 for 0 ≤ w ≤ 1, or the kink itself."""
    branches = _branches(kink)
    found: list[Shares] = [((b, sympy.S.One),) for b in branches]
    ranges = Domain.of_claim(claim).bounds()
    weights = [sympy.S.Half] * isinstance(kink, sympy.Abs) + [v for v in sorted(claim.variables, key=str) if ranges.get(v) == (0, 1)]
    found += [
        ((a, w), (b, 1 - w)) for w in weights for a, b in itertools.permutations(branches, 2) if w != sympy.S.Half or a == branches[0]
    ]
    found += [((a, w), (sympy.S.Zero, 1 - w)) for a, w in parts_of_0 if sympy.S.Zero in branches]
    return [*found, ((kink, sympy.S.One), (kink, sympy.S.Zero), (kink, sympy.S.Zero))]


def _favour(points: Sequence[Mapping[Any, float]], gap: Any, kink: Any, name: Any) -> Any:
    """What a kink in favour is multiplied by, turned round for a minimum; None where it is not seen to be in favour."""
    c = gap.coeff(name)
    if c == 0 or c.atoms(sympy.Dummy) or sympy.expand(gap - c * name).has(name):
        return None
    c = sympy.factor(-c if isinstance(kink, sympy.Min) else c)
    return None if is_below_0(c, points) else c
