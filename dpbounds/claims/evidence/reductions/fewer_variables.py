"""A claim whose sides only change by a factor where variables move together: one of them may be fixed. Nothing here is believed.

Both sides of √(n·log(1/δ))·ε ≤ n·ε²·… are the same functions of n·ε² up to a factor, those of 8·√(e^ε·log(4/δ)/n) of e^ε/n. With x, y, …
for positive variables times powers of another one, and for variables minus multiples of its logarithm, the claim has one variable less.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.domain import Domain
from dpbounds.claims.evidence.points import points_of
from dpbounds.claims.evidence.powers import InParts, stated
from dpbounds.language.in_floats import in_floats

_RELATIONS = (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)
_RATES = tuple(sign * rate for rate in (sympy.S.One, sympy.Integer(2), sympy.S.Half) for sign in (1, -1))
_MOST_VARIABLES, _MOST_TOGETHER, _MOST_POINTS, _LARGEST = 6, 3, 8, 1e6
_STRETCH, _ALIKE, _DENOMINATOR = 1.375, 1e-9, 4
_UNREADABLE = (ValueError, OverflowError, ZeroDivisionError, TypeError, NameError)

Rates = Mapping[Any, tuple[Any, bool]]
"""How fast each variable moves, and whether it is multiplied: v·λ^w, or v + w·log λ."""


def with_fewer_variables(claim: Claim) -> Iterator[InParts]:
    """The claim with as few variables as moving some of them together leaves; at most one way.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> (way,) = with_fewer_variables(Claim(id="a", then=sympy.exp(x) * sympy.log(y) <= sympy.exp(x) * y, given=[y >= 1]))
    >>> way.parts[0][0].then, way.weights
    (log(y) <= y, (exp(x),))
    """
    if not isinstance(claim.then, _RELATIONS) or claim.families or not 1 < len(claim.variables) <= _MOST_VARIABLES:
        return
    values: dict[Any, Any] = {}
    part, weight = claim, sympy.S.One
    while (found := _with_one_less(part)) is not None:
        part, own, factor = found
        weight = weight * factor.xreplace(values)
        values = {**{v: e for v, e in values.items() if v not in own}, **{v: e.xreplace(values) for v, e in own.items()}}
    if part is not claim:
        yield InParts(((part, {v.name: e for v, e in values.items()}),), (), (weight,))


def _with_one_less(claim: Claim) -> tuple[Claim, Mapping[Any, Any], Any] | None:
    """The claim with one variable fixed, what stands for the others, and the factor of both sides."""
    points = [at for at in points_of(claim) if all(abs(value) < _LARGEST for value in at.values())][:_MOST_POINTS]
    sides = _function(claim.then.args)
    if len(points) < _MOST_POINTS or sides is None:
        return None
    for rates in _rates(claim):
        order = _order(sides, rates, points)
        found = None if order is None else _fixed(claim, rates, order, points)
        if found is not None:
            return found
    return None


def _rates(claim: Claim) -> Iterator[Rates]:
    """Ways to move two or three variables together: the first rate is 1."""
    used, positive = claim.then.free_symbols, _positive(claim)
    free = [v for v in sorted(claim.variables, key=str) if v in used]
    moves = [(v, True) for v in free] + [(v, False) for v in free if not v.is_integer]
    for size in range(1, _MOST_TOGETHER + 1):
        for group in itertools.combinations(moves, size):
            if len({v for v, _ in group}) == size and any(not times or v in positive for v, times in group):
                for rest in itertools.product(_RATES, repeat=size - 1):
                    yield {v: (w, multiplied) for (v, multiplied), w in zip(group, (sympy.S.One, *rest), strict=True)}


def _positive(claim: Claim) -> set[Any]:
    """The variables that are above 0."""
    bounds = Domain.of_claim(claim).bounds()
    return {v for v in claim.variables if v.is_positive or (bounds[v][0] or 0) > 0 or sympy.Gt(v, 0, evaluate=False) in claim.given}


def _function(parts: Sequence[Any]) -> Any:
    """The values of expressions at a point in floats; None where floats do not have them."""
    free = sorted(set().union(*(p.free_symbols for p in parts)), key=str)
    try:
        value = in_floats(free, list(parts))
    except Exception:  # what floats do not have is left to the search
        return None
    return lambda at: value(*(at[v] for v in free))


def _order(function: Any, rates: Rates, points: Sequence[Mapping[Any, float]]) -> Any:
    """The k for which all values are multiplied by λ^k where variables move; None where there is none."""
    found: list[float] = []
    for at in points:
        moved = {**at, **{v: at[v] * _STRETCH**w if times else at[v] + w * math.log(_STRETCH) for v, (w, times) in rates.items()}}
        try:
            here, there = function(at), function({v: float(value) for v, value in moved.items()})
            own = [math.log(b / a) / math.log(_STRETCH) for a, b in zip(here, there, strict=True) if a != 0 or b != 0]
        except _UNREADABLE:
            return None
        found += own
        if any(not abs(k - found[0]) <= _ALIKE * (1 + abs(k)) for k in own):
            return None
    if not found:
        return None
    order = sympy.nsimplify(found[0], rational=True, tolerance=_ALIKE)
    return order if order.q <= _DENOMINATOR else None


def _fixed(claim: Claim, rates: Rates, order: Any, points: Sequence[Mapping[Any, float]]) -> tuple[Claim, Mapping[Any, Any], Any] | None:
    """The claim where the variable with the smallest rate is fixed: at 1, or at 0."""
    positive = _positive(claim)
    fit = [v for v, (_, times) in rates.items() if not times or v in positive]
    e = min(fit, key=lambda v: (abs(rates[v][0]), not rates[v][1], not v.is_integer, str(v)))
    (w, multiplied), end = rates[e], sympy.S.One if rates[e][1] else sympy.S.Zero
    scale = e if multiplied else sympy.exp(e)
    values, names, given = {}, {e: end}, []
    for v, (own, times) in rates.items():
        if v == e:
            continue
        name = sympy.Symbol(f"{v.name}_free", real=True)
        if times:
            values[name], names[v] = v * scale ** (-own / w), name
            given += [sympy.Gt(name, 0, evaluate=False)] if v in positive else []
        elif multiplied and not _without_exponentials(claim.then, v).has(v):
            values[name], names[v] = sympy.exp(v) * scale ** (-own / w), sympy.log(name)
            given.append(sympy.Gt(name, 0, evaluate=False))
        else:
            values[name], names[v] = v - own / w * (sympy.log(e) if multiplied else e), name
    for p in claim.given:
        moving = p.free_symbols & set(rates)
        if not isinstance(p, _RELATIONS) or p.free_symbols == {e}:
            continue
        function = _function(p.args) if moving else None
        if not moving or function is not None and _order(function, rates, points) is not None:
            given.append(_named(p, names))
    kept = [p for p in given if p not in (sympy.true, sympy.false)]
    then = _named(claim.then, names)
    if then.has(sympy.nan, sympy.zoo, sympy.oo):
        return None
    return stated(claim, then, dict.fromkeys(kept)), values, scale ** (order / w)


def _without_exponentials(e: Any, v: Any) -> Any:
    """An expression without the exponentials of multiples of a variable, beside other terms."""
    return e.replace(lambda n: isinstance(n, sympy.exp), lambda n: sympy.exp(n.args[0] - sympy.expand(n.args[0]).coeff(v) * v))


def _named(relation: Any, names: Mapping[Any, Any]) -> Any:
    """A relation with other names, exponentials of logarithms as powers."""
    return type(relation)(*(_put_in(side, names) for side in relation.args), evaluate=False)


def _put_in(e: Any, names: Mapping[Any, Any]) -> Any:
    return e.xreplace(dict(names)).replace(lambda n: isinstance(n, sympy.exp), lambda n: sympy.powsimp(sympy.exp(sympy.expand(n.args[0]))))
