"""Claims with Σ_{i=a}^b of a fraction in i, by its partial fractions: sums of 1/j^p over other ranges. Nothing here is believed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import stated
from dpbounds.language.functions import with_replaced


@dataclass(frozen=True)
class PartialFractions:
    """A claim with such a sum.

    Attributes:
        total: the sum.
        parts: (c, e, s, p) of each c/(e + s·i)^p with s = 1 or −1, as the claim has them.
        left: the claim with sums of 1/j^p in the place of the sum, divided by a factor perhaps, and in another variable.
        factor: this one.
        values: of the variable.
    """

    total: Any
    parts: tuple[tuple[Any, Any, int, int], ...]
    left: Claim
    factor: Any = sympy.S.One
    values: Mapping[str, Any] = field(default_factory=dict)


def partial_fractions(claim: Claim) -> Iterator[PartialFractions]:
    """The way to read a claim so.

    >>> n, i = sympy.symbols("n i", integer=True, positive=True)
    >>> way, _ = partial_fractions(Claim(id="a", then=sympy.Sum(1 / (i * (n + 1 - i)), (i, 1, n)) <= 1))
    >>> way.left.then
    Sum(1/i, (i, 1, n_whole)) <= n_whole/2 + 1/2
    """
    then = claim.then
    sums = list(then.atoms(sympy.Sum)) if isinstance(then, (sympy.Le, sympy.Ge)) and not claim.families else []
    if len(sums) != 1 or len(sums[0].limits) != 1:
        return
    ((i, low, high),) = sums[0].limits
    if high is sympy.oo or not high.free_symbols or not sums[0].function.is_rational_function(i):
        return
    parts = [_read(part, i) for part in sympy.Add.make_args(sympy.apart(sympy.together(sums[0].function), i))]
    if len(parts) < 2 or None in parts:
        return
    rows: dict[tuple[Any, Any, int], Any] = {}
    for c, e, s, p in (part for part in parts if part is not None):
        ends = (low + e, high + e) if s == 1 else (e - high, e - low)
        key = (sympy.expand(ends[0]), sympy.expand(ends[1]), p)
        rows[key] = rows.get(key, 0) + c
    rows = {key: sympy.factor(c) for key, c in rows.items()}
    for first in list(rows):
        second = next((key for key in rows if key[0] == first[1] + 1 and key[2] == first[2] and rows[key] == rows[first]), None)
        if second is not None and first in rows:  # two ranges that are one
            rows[(first[0], second[1], first[2])] = rows.pop(first)
            rows.pop(second)
    own = tuple(part for part in parts if part is not None)
    if len(rows) == 1 and (alone := _alone(claim, sums[0], *next(iter(rows.items())))) is not None:
        yield PartialFractions(sums[0], own, *alone)
    value = sympy.Add(*(c * sympy.Sum(i ** (-p), (i, *ends)) for (*ends, p), c in rows.items()))
    yield PartialFractions(sums[0], own, stated(claim, with_replaced(then, {sums[0]: value})))


def _alone(claim: Claim, total: Any, row: tuple[Any, Any, int], c: Any) -> tuple[Claim, Any, dict[str, Any]] | None:
    """One sum that is all of a side, without its factor, and to a number N of its own; the factor and N."""
    then, (low, high, p), i = claim.then, row, total.limits[0][0]
    factor = then.lts / total * c if then.lts.has(total) else then.gts / total * c
    if not factor.is_positive or factor.has(sympy.Sum) or not low.is_Integer or len(high.free_symbols) != 1:
        return None
    (n,) = high.free_symbols
    slope = sympy.diff(high, n)
    if not slope.is_Integer or any(premise.has(n) for premise in claim.given):
        return None
    whole = sympy.Symbol(f"{n.name}_whole", integer=True, positive=True)
    moved = {n: (whole - high.subs(n, 0)) / slope}
    sides = [sympy.simplify(sympy.factor(side.subs(total, 0) / factor)) for side in (then.lts, then.gts)]
    sides = [sympy.simplify(side.subs(moved)) for side in sides]
    at = 0 if then.lts.has(total) else 1
    sides[at] = sympy.Sum(i ** (-p), (i, low, whole))
    if any(side.has(n) for side in sides):
        return None
    return stated(claim, sympy.Le(*sides, evaluate=False)), factor, {whole.name: high}


def _read(part: Any, i: Any) -> tuple[Any, Any, int, int] | None:
    """(c, e, s, p) of c/(e + s·i)^p."""
    top, bottom = sympy.fraction(sympy.factor(part))
    weight, own = sympy.factor_list(bottom)
    moving = [(f, p) for f, p in own if f.has(i)]
    fixed = weight * sympy.Mul(*(f**p for f, p in own if not f.has(i)))
    if top.has(i) or len(moving) != 1:
        return None
    (f, p), *_ = moving
    slope = sympy.Poly(f, i).coeff_monomial(i) if sympy.Poly(f, i).degree() == 1 else None
    if slope not in (1, -1):
        return None
    e = sympy.expand(f - slope * i)
    sign = sympy.S.One
    if slope == 1 and e.could_extract_minus_sign() and e != 0:  # i − e stands for −(e − i)
        sign, e, slope = sympy.S.NegativeOne**p, -e, -slope
    return sympy.factor(sign * top / fixed), e, int(slope), int(p)
