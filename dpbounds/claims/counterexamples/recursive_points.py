"""Families whose entries go as far as a premise about neighbours lets them: where a bound of the n-th entry is false, it fails there.

Nothing here decides: each point is decided exactly by who asked for it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.claims.domain import Domain
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.substitution import parts_of_and

_LENGTHS = (2, 3, 5, 9, 16)
_TRIES = 6
_UNIT = 10**6
"""Entries that are no fractions are rounded to its parts, to the side on which the premise holds."""
_RELATIONS = (sympy.Le, sympy.Ge, sympy.Lt, sympy.Gt, sympy.Eq)


def recursive_points(domain: Domain, values: Callable[[sympy.Symbol], Fraction], rng: random.Random) -> Iterator[dict[Any, Any]]:
    """Points at which v_{k+1} is what a premise v_{k+1} ≤ F(v_k, k) lets it be, from the end of a premise about the first entry on.

    Args:
        domain: of the claim.
        values: a number for a variable.
        rng: for the choice of other entries.
    """
    for premise in (c for c in domain.constraints if isinstance(c, ForAll)):
        for relation in (r for r in parts_of_and(premise.body) if isinstance(r, _RELATIONS)):
            for base in sorted({e.base for e in relation.atoms(sympy.Indexed)}, key=str):
                shifts = sorted(
                    s for e in relation.atoms(sympy.Indexed) if e.base == base and (s := e.indices[0] - premise.variable).is_Integer
                )
                if len(shifts) < 2 or shifts[-1] - shifts[0] != 1:
                    continue
                for length in (n for n in _LENGTHS for _ in range(_TRIES)):
                    if (point := _point(domain, values, rng, (base, premise.variable, int(shifts[-1])), relation, length)) is not None:
                        yield point


def _point(
    domain: Domain, values: Callable[[sympy.Symbol], Fraction], rng: random.Random, which: tuple[Any, Any, int], relation: Any, length: int
) -> dict[Any, Any] | None:
    base, i, top = which
    point: dict[Any, Any] = {v: sympy.Integer(length) if v.is_integer else sympy.Rational(values(v)) for v in domain.variables}
    choice = rng.choice((0, 1, 1, 2))
    for other in domain.families:
        point[other] = tuple(sympy.Integer(max(choice, 1 if other[1].is_positive else 0)) for _ in range(length))
    x, y = sympy.Dummy("x"), sympy.Dummy("y")
    gap = (relation.lhs - relation.rhs).xreplace({base[i + top]: y, base[i + top - 1]: x})
    slope = sympy.diff(gap, y)
    if slope.has(y) or slope == 0:
        return None
    after = sympy.expand(-gap.xreplace({y: sympy.S.Zero}) / slope)
    entries = [_first(domain, base, point)]
    for k in range(1, length):
        at = {x: entries[-1], i: sympy.Integer(k - top + 1), **{v: e for v, e in point.items() if isinstance(v, sympy.Symbol)}}
        value = after.xreplace({e: _entry(point, e, at[i], i) for e in after.atoms(sympy.Indexed)}).subs(at)
        rounded = _rounded(value, up=_lies_above(relation, base[i + top]))
        if rounded is None:
            return None
        entries.append(rounded)
    point[base] = tuple(entries)
    return point


def _entry(point: dict[Any, Any], e: Any, at: Any, i: Any) -> Any:
    place = e.indices[0].subs(i, at)
    row = point.get(e.base, ())
    return row[int(place) - 1] if place.is_Integer and 1 <= place <= len(row) else e


def _first(domain: Domain, base: Any, point: dict[Any, Any]) -> Any:
    """The end of what premises say of the first entry, 1 where they say nothing."""
    for c in domain.constraints:
        if isinstance(c, _RELATIONS) and base[1] in c.args:
            end = c.args[c.args[0] == base[1]].subs({v: e for v, e in point.items() if isinstance(v, sympy.Symbol)})
            if (found := _rounded(end, up=_lies_above(c, base[1]))) is not None:
                return found
    return sympy.S.One


def _lies_above(relation: Any, entry: Any) -> bool:
    """Whether the relation bounds an entry from below."""
    return isinstance(relation, (sympy.Ge, sympy.Gt, sympy.Le, sympy.Lt)) and relation.gts.has(entry)


def _rounded(value: Any, *, up: bool) -> Any:
    if value.is_Rational:
        return value
    if not value.is_number or not value.is_real:
        return None
    scaled = float(value) * _UNIT
    return sympy.Rational(math.ceil(scaled) if up else math.floor(scaled), _UNIT) if math.isfinite(scaled) else None
