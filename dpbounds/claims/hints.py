"""Declared shapes, proved and then used: a monotone gap is decided on one end of a variable, a concave one on both.

Let g = large − small be the gap of the statement, v the variable, y the others, and let e be the declared expression with ∂ᵐg = ±∂ᵐe
identically (m = 1 for monotone, 2 for convex and concave). A premise v ≥ l(y), or v ≤ h(y), is an end of v.

*One end.* Let g fall in v. From a point (v, y) of the domain the segment to (h(y), y) keeps every premise that does not speak of v and all
lower bounds of v; these, with v ≤ h(y), are the *reach*. If g is analytic and ∂g/∂v ≤ 0 on the reach, then g(v, y) ≥ g(h(y), y); what is
left has one variable less. A rising g is decided at l(y) in the same way.

*Both ends.* If g is analytic and ∂²g/∂v² ≤ 0 where l(y) ≤ v ≤ h(y), then g(v, y) ≥ min(g(l(y), y), g(h(y), y)).

The reach leaves the domain where a premise excludes the end, as v > 0 does, so nothing that the symbol v assumes is used there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.claims import instance
from dpbounds.claims.certify import SearchedCover, cover
from dpbounds.claims.claim import Claim
from dpbounds.claims.domain import Domain, _one_sided
from dpbounds.claims.gap import NOT_SMOOTH
from dpbounds.claims.plans import Boxes, Hint
from dpbounds.claims.writings import smooth_conditions_of, vanishes
from dpbounds.errors import EmptyDomainError, LanguageError
from dpbounds.language import definedness, functions
from dpbounds.language.substitution import substituted

Progress = Callable[[int, int], None]


class HintRefused(Exception):
    """A declaration that says nothing about the statement, or that is not shown."""


@dataclass
class HintedCover:
    """A claim settled through a declared shape.

    Attributes:
        hint: the declaration.
        slope: the cover that proves it.
        faces: for each end that decides the statement, the end and the cover there.
        refused: what became of other declarations, in words.
    """

    hint: Hint
    slope: SearchedCover
    faces: list[tuple[Any, SearchedCover | HintedCover]]
    refused: list[str] = field(default_factory=list)

    @property
    def covers(self) -> Iterator[SearchedCover]:
        """The covers of the ends, without those that prove declarations."""
        for _, face in self.faces:
            if isinstance(face, HintedCover):
                yield from face.covers
            else:
                yield face


@dataclass(frozen=True)
class Reduction:
    """What is to be shown in place of a claim.

    Attributes:
        declaration: the sign of the derivative, on the reach.
        needed: conditions of smoothness there.
        faces: the ends, and the claim on each.
    """

    declaration: Claim
    needed: tuple[Boolean, ...]
    faces: tuple[tuple[Any, Claim], ...]


def cover_by_hints(
    claim: Claim, plan: Boxes, *, deadline: float | None = None, progress: Progress | None = None, executor: Executor | None = None
) -> HintedCover | list[str]:
    """Settle a claim through one of the plan's declarations; the reasons why none of them did.

    Args:
        claim: a claim whose statement is one inequality.
        plan: declarations, budget of each cover, precision.
        deadline: `clock.now()` at which to give up.
        progress: called with (boxes examined, boxes waiting).
        executor: judges chunks of boxes.
    """

    def covered(part: Claim, needed: Sequence[Boolean] = ()) -> SearchedCover:
        return cover(part, replace(plan, hints=()), deadline=deadline, progress=progress, executor=executor, needed=needed)

    def settled(face: Claim, rest: Boxes) -> SearchedCover | HintedCover:
        found = cover_by_hints(face, rest, deadline=deadline, progress=progress, executor=executor) if rest.hints else []
        return found if isinstance(found, HintedCover) else covered(face)

    refused: list[str] = []
    for position, hint in enumerate(plan.hints):
        rest = replace(plan, hints=(*plan.hints[:position], *plan.hints[position + 1 :]))
        try:
            reductions = list(reductions_of(claim, hint))
        except HintRefused as reason:
            refused.append(f"{hint}: {reason}")
            continue
        why = ""
        for reduction in reductions:
            try:
                slope = covered(reduction.declaration, reduction.needed)
                if not slope.complete or not slope.leaves:
                    why = f"not shown, {slope.reason or 'its range is empty'}"
                    continue
                faces = [(at, settled(face, rest)) for at, face in reduction.faces]
            except LanguageError as error:
                why = str(error)
                continue
            if all(_is_complete(face) for _, face in faces):
                return HintedCover(hint, slope, faces, refused)
            why = f"shown, but not enough: at {hint.variable} = {faces[0][0]} the boxes do not settle the statement"
        refused.append(f"{hint}: {why}")
    return refused


def _is_complete(found: SearchedCover | HintedCover) -> bool:
    return isinstance(found, HintedCover) or (found.complete and found.leaves > 0)


def reductions_of(claim: Claim, hint: Hint) -> Iterator[Reduction]:
    """The ways in which a declaration may decide a claim: one for each end, or pair of ends, of the variable.

    Raises:
        Refused: the declaration says nothing about the statement.
    """
    domain, v = Domain.of_claim(claim), hint.variable
    if domain.families or v not in domain.variables:
        raise HintRefused(f"{v} is no variable of the statement")
    if not isinstance(claim.then, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)):
        raise HintRefused("the statement is not one inequality")
    plain = sympy.Symbol(v.name, real=True)
    large, small = (claim.then.rhs, claim.then.lhs) if isinstance(claim.then, (sympy.Le, sympy.Lt)) else (claim.then.lhs, claim.then.rhs)
    # What v assumes does not hold on the whole reach; the formulas that it simplified are used as they stand.
    gap = substituted(functions.expand_quantities(large) - functions.expand_quantities(small), {v: plain})
    expression = substituted(functions.expand_quantities(sympy.sympify(hint.expression)), {v: plain})
    # Built anew in real symbols, √(x²) is |x|, which has a kink.
    anew = {s: sympy.Dummy(s.name, real=True) for e in (gap, expression) for s in e.free_symbols}
    if any(e.has(*NOT_SMOOTH) or e.has(functions.PrivacyQuantity) for part in (gap, expression) for e in (part, substituted(part, anew))):
        raise HintRefused("only smooth formulas have derivatives here")
    if not expression.free_symbols <= {plain, *domain.variables}:
        raise HintRefused("the expression speaks of other variables than the statement")
    rise = _rise_of(gap, expression, plain, hint)
    sides = [(side, bound, strict) for c in domain.constraints for side, bound, strict in _ends_in(c, v)]
    apart = [c for c in domain.constraints if v not in c.free_symbols]
    derivative = sympy.diff(expression, *[plain] * hint.order)
    then = (sympy.Ge if hint.sign > 0 else sympy.Le)(derivative, 0, evaluate=False)
    needed = (
        *smooth_conditions_of(gap),
        *smooth_conditions_of(expression),
        *definedness.conditions_of(substituted(claim.then, {v: plain})),
        *definedness.conditions_of(instance.elementary(substituted(claim.then, {v: plain}))),
    )
    relation = sympy.Gt if isinstance(claim.then, (sympy.Lt, sympy.Gt)) else sympy.Ge
    lows, highs = ([(bound, strict) for side, bound, strict in sides if side == wanted] for wanted in ("low", "high"))
    between = [sympy.Le(low, high, evaluate=False) for low, _ in lows for high, _ in highs if (high - low).free_symbols]

    def claim_on(name: str, given: Sequence[Boolean], statement: Boolean) -> Claim:
        return Claim(id=f"{claim.id}~{name}", text="", given=tuple(c for c in given if c is not sympy.true), then=statement)

    def face_at(bound: Any) -> tuple[Any, Claim]:
        value = substituted(gap, {plain: bound})
        if value.has(sympy.nan, sympy.zoo, sympy.oo):
            raise HintRefused(f"the statement has no value at {v} = {bound}")
        return bound, claim_on("end", [*apart, *between], relation(value, 0, evaluate=False))

    found = False
    for ends in _choices(hint.order, rise, _outermost(lows, "low"), _outermost(highs, "high")):
        reach = [*apart, *between]
        reach += [_relation(plain, side, bound, False) for side, bound in ends]
        if hint.order == 1:
            other = "high" if ends[0][0] == "low" else "low"
            reach += [_relation(plain, side, bound, strict) for side, bound, strict in sides if side == other]
        try:
            faces = tuple(face_at(bound) for _, bound in ends)
            declaration = claim_on("shape", reach, then)
        except (HintRefused, EmptyDomainError):
            continue
        found = True
        yield Reduction(declaration, needed, faces)
    if not found:
        raise HintRefused(f"no premise gives {v} the end at which that decides the statement")


def _rise_of(gap: Any, expression: Any, v: sympy.Symbol, hint: Hint) -> int:
    """The sign of ∂ᵐg that the declaration gives: 1 or −1.

    Raises:
        Refused: the gap does not vary with v as the expression does, or is convex, which no end decides.
    """
    for sign in (1, -1):
        if vanishes(sympy.diff(gap - sign * expression, *[v] * hint.order)):
            rise = sign * hint.sign
            if hint.order == 2 and rise > 0:
                raise HintRefused("a difference of the sides that is convex may be least inside, so its ends decide nothing")
            return rise
    raise HintRefused(f"the sides of the statement differ by more than that expression in {v}")


def _ends_in(constraint: Boolean, v: sympy.Symbol) -> list[tuple[str, Any, bool]]:
    """("low" or "high", bound, strict) of a premise that is linear in v."""
    strict = isinstance(constraint, (sympy.Lt, sympy.Gt))
    return [(side, bound, strict) for symbol, side, bound in _one_sided(constraint) if symbol == v]


def _outermost(ends: list[tuple[Any, bool]], side: str) -> list[Any]:
    """The ends worth trying: all that depend on other variables, and the one constant that excludes most."""
    bounds = list(dict.fromkeys(bound for bound, _ in ends))
    constants = sorted((b for b in bounds if b.is_Rational), reverse=side == "low")
    return [b for b in bounds if not b.is_Rational] + constants[:1]


def _choices(order: int, rise: int, lows: list[Any], highs: list[Any]) -> Iterator[tuple[tuple[str, Any], ...]]:
    """The ends that decide: the low one of a rising gap, the high one of a falling gap, both of a concave one."""
    if order == 2:
        yield from ((("low", low), ("high", high)) for low in lows for high in highs)
    else:
        yield from ((("low", low),) for low in lows) if rise > 0 else ((("high", high),) for high in highs)


def _relation(v: sympy.Symbol, side: str, bound: Any, strict: bool) -> Boolean:
    kinds = {("low", False): sympy.Ge, ("low", True): sympy.Gt, ("high", False): sympy.Le, ("high", True): sympy.Lt}
    return kinds[side, strict](v, bound, evaluate=False)
