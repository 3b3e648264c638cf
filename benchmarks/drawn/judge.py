"""Whether a verdict agrees with values of the statement: at points of the domain, and at the counterexample."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import mpmath
import sympy

from benchmarks.drawn.kinds import FAILS_TO_EVALUATE, Drawn
from benchmarks.drawn.values import Point, Undefined, truth, value
from dpbounds.claims.outcome import Outcome
from dpbounds.logic.signatures import RELATIONS
from dpbounds.logic.terms import Term, premises_of

_POINTS, _CLOSER = 40, 30


def complaint(drawn: Drawn, outcome: Outcome, seed: int = 0) -> str:
    """What speaks against the verdict; nothing for one that is right as far as values show.

    Args:
        drawn: the statement.
        outcome: what was said of it.
        seed: of the points.
    """
    if outcome.verdict.holds is False:
        return _against_the_counterexample(drawn, outcome)
    return violation(drawn, seed) if outcome.verdict.holds else ""


def domain(drawn: Drawn) -> list[Term]:
    """The premises, and what the declarations of the variables say."""
    typed = [*drawn.claim.premises, drawn.claim.conclusion]
    return [*drawn.claim.premises, *premises_of(typed)]


def _against_the_counterexample(drawn: Drawn, outcome: Outcome) -> str:
    """The point must lie in the domain, and the statement must fail there."""
    given = ((outcome.certificate or {}).get("evidence") or {}).get("point")
    if given is None:
        return "REFUTED without a point"
    at = {name: tuple(map(_number, x)) if isinstance(x, list) else _number(x) for name, x in given.items()}
    try:
        if any(truth(premise, at) is False for premise in domain(drawn)):
            return f"the counterexample {given} is outside of the domain"
        if truth(drawn.claim.conclusion, at) is True:
            return f"the statement holds at the counterexample {given}"
    except Undefined:
        return f"the statement has no value at the counterexample {given}"
    except FAILS_TO_EVALUATE:
        return ""
    return ""


def _number(text: str) -> Any:
    found = sympy.sympify(text)
    if found.is_Rational:
        return int(found) if found.is_Integer else Fraction(int(found.p), int(found.q))
    return mpmath.mpf(str(found.evalf(100)))


def violation(drawn: Drawn, seed: int = 0) -> str:
    """A point of the domain where the statement fails or has no value: anywhere, or next to where the sides are closest."""
    rng, premises, then = Random(seed), domain(drawn), drawn.claim.conclusion
    tried: list[tuple[Any, Point]] = []
    for _ in range(_POINTS):
        at = drawn.points(rng)
        found = _violated(premises, then, at)
        if found:
            return found
        tried.append((_margin(then, at), at))
    closest = [at for _, at in sorted(tried, key=lambda pair: pair[0])[:3]]
    for step in range(_CLOSER):
        near = _moved(closest[step % 3], rng, Fraction(1, 4 ** (1 + step // 4)))
        found = _violated(premises, then, near, may_leave=True)
        if found:
            return found
        if _margin(then, near) < _margin(then, closest[step % 3]) and _inside(premises, near):
            closest[step % 3] = near
    return ""


def _inside(premises: list[Term], at: Point) -> bool:
    try:
        return all(truth(premise, at) is not False for premise in premises)
    except FAILS_TO_EVALUATE:
        return False


def _violated(premises: list[Term], then: Term, at: Point, *, may_leave: bool = False) -> str:
    if not _inside(premises, at):
        return "" if may_leave else f"the points of this kind are at fault: {at} is outside of the domain"
    try:
        return f"the statement fails at {at}" if truth(then, at) is False else ""
    except Undefined:
        return f"the statement has no value at {at}"
    except FAILS_TO_EVALUATE:
        return ""


def _margin(then: Term, at: Point) -> Any:
    """How far the sides of a relation are apart, as a share of them; infinite where that has no sense."""
    if then.tag not in RELATIONS:
        return mpmath.inf
    try:
        a, b = (value(part, at) for part in then.parts)
        found = abs(a - b) / (abs(a) + abs(b))
        return mpmath.inf if mpmath.isnan(found) else found
    except FAILS_TO_EVALUATE:
        return mpmath.inf


def _moved(at: Point, rng: Random, size: Fraction) -> Point:
    """The point with its real numbers changed a little; families stay."""
    return {name: x * (1 + size * Fraction(rng.randint(-8, 8), 8)) if isinstance(x, Fraction) else x for name, x in at.items()}
