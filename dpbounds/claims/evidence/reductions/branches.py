"""Claims with a maximum on the larger side, by one of its arguments in each case: |f| ≤ max(a, b) from f ≤ a and −f ≤ b.

What a maximum or a size on the larger side, or a minimum on the smaller one, is bounded by is chosen; the other kink is split. Each part is
simpler than the claim where a descent goes through all cases. Nothing here is believed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import stated

_KINKS = (sympy.Max, sympy.Min, sympy.Abs)
_RELATIONS = (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)
_VALUES = (1, 2, 0, -1, 0.5, 0.1, 3, -4, 30, 1000, -0.3)
_MOST_POINTS, _SLACK = 1500, 1e-9
"""Points that are looked at, and how far below 0 a gap is no rounding."""
_MOST = 6
"""Choices of arguments that are tried for each case."""


@dataclass(frozen=True)
class Branch:
    """One way to show the claim in one case.

    Attributes:
        claim: what is to be shown.
        bounds: (kink, argument, factor): what is added for each kink that is bounded by an argument.
    """

    claim: Claim
    bounds: tuple[tuple[Any, Any, Any], ...]


@dataclass(frozen=True)
class Branches:
    """A claim in cases.

    Attributes:
        split: a kink, a, b, and how often the kink counts against the claim: the cases are a ≤ b and b < a; None where there is one.
        cases: the ways of each.
    """

    split: Any
    cases: tuple[tuple[Branch, ...], ...]


def branches(claim: Claim) -> Iterator[Branches]:
    """The ways to bound kinks by their arguments, at most one.

    >>> x, y = sympy.symbols("x y", positive=True)
    >>> (found,) = branches(Claim(id="a", then=sympy.Abs(x - y) <= sympy.Max(x, y)))
    >>> found.split[1:3], [[way.claim.then for way in case] for case in found.cases]
    ((0, x - y), [[x - y <= x], [-x + y <= y]])
    """
    then = claim.then
    if not isinstance(then, (sympy.Le, sympy.Ge)) or claim.families or then.has(sympy.Sum, sympy.Integral, sympy.Piecewise):
        return
    kinks = [e for e in then.atoms(*_KINKS) if not any(e != other and other.has(e) for other in then.atoms(*_KINKS))]
    names = {kink: sympy.Dummy() for kink in kinks}
    whole, positive = sympy.expand((then.gts - then.lts).xreplace(names)), _positive(claim)
    chosen, split = [], list[Any]()
    for kink in sorted(kinks, key=str):
        factor = whole.coeff(names[kink])
        if factor == 0 or factor.has(*names.values()) or (whole - sympy.expand(factor * names[kink])).has(names[kink]):
            return
        favour = sympy.factor(-factor if isinstance(kink, sympy.Min) else factor).xreplace(positive)
        if favour.is_positive:
            values = (kink.args[0], -kink.args[0]) if isinstance(kink, sympy.Abs) else kink.args
            chosen.append([(kink, value, factor) for value in values])
        elif favour.is_negative and not split and len(kink.args) <= 2:
            split = [(kink, -factor)]
        else:
            return
    if not chosen:
        return
    f, cases = _cases(*split[0]) if split else (None, [{}])
    options = list(itertools.islice(itertools.product(*chosen), _MOST))
    points = _points(claim)
    ways = [[way for option in options if not _fails(way := _branch(claim, case, option), points)] for case in cases]
    if all(ways):
        yield Branches(f, tuple(map(tuple, ways)))


def _points(claim: Claim) -> list[tuple[float, ...]]:
    """Points of the domain, near and far."""
    holds = sympy.lambdify(claim.variables, [p.gts - p.lts for p in claim.given if isinstance(p, _RELATIONS)], "math")
    values = [(v.is_integer, v.is_positive, v.is_nonnegative) for v in claim.variables]
    axes = [[x for x in _VALUES if (x > 0 or not p and (x == 0 or not n)) and not (z and x % 1)] for z, p, n in values]
    found = []
    for point in itertools.islice(itertools.product(*axes), _MOST_POINTS):
        try:
            if all(gap >= 0 for gap in holds(*point)):
                found.append(point)
        except (ValueError, ZeroDivisionError, OverflowError, TypeError, NameError):
            continue
    return found


def _fails(way: Branch, points: list[tuple[float, ...]]) -> bool:
    """Whether it is false at one of the points."""
    then = way.claim.then
    gap = sympy.lambdify(way.claim.variables, then.gts - then.lts, "math")
    for point in points:
        try:
            if gap(*point) < -_SLACK:
                return True
        except (ValueError, ZeroDivisionError, OverflowError, TypeError, NameError):
            continue
    return False


def _branch(claim: Claim, case: dict[Any, Any], option: tuple[tuple[Any, Any, Any], ...]) -> Branch:
    values = {**case, **{kink: value for kink, value, _ in option}}
    return Branch(stated(claim, sympy.Le(*(e.xreplace(values) for e in (claim.then.lts, claim.then.gts)), evaluate=False)), option)


def _cases(kink: Any, factor: Any) -> tuple[Any, list[dict[Any, Any]]]:
    """The kink, a and b, and what it is where a ≤ b and where b < a."""
    if isinstance(kink, sympy.Abs):
        return (kink, sympy.S.Zero, kink.args[0], factor), [{kink: kink.args[0]}, {kink: -kink.args[0]}]
    a, b = kink.args
    return (kink, a, b, factor), [{kink: b}, {kink: a}] if isinstance(kink, sympy.Max) else [{kink: a}, {kink: b}]


def _positive(claim: Claim) -> dict[Any, Any]:
    """Variables that premises make positive, as positive ones."""
    lows = [(p.gts, p.lts, isinstance(p, (sympy.Lt, sympy.Gt))) for p in claim.given if isinstance(p, _RELATIONS)]
    return {v: sympy.Symbol(v.name, positive=True) for v, low, strict in lows if v.is_Symbol and (low.is_positive or strict and low == 0)}
