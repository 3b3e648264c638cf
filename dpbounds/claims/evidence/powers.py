"""Claims about powers in simpler words: one exponent on both sides, or a power that becomes a variable. Nothing here is believed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

import sympy

from dpbounds.claims.claim import Claim

_RELATIONS = (sympy.Le, sympy.Ge)


@dataclass(frozen=True)
class InParts:
    """A claim as a sum of others.

    Attributes:
        parts: claims, each with expressions for variables of its own.
        known: claims that the sum rests on.
        weights: factors of the parts.
        raised: (u, v, c, r) for a part that, times c, says u ≤ v, where what is added up is u^r ≤ v^r, or e^u ≤ e^v for no r.
    """

    parts: tuple[tuple[Claim, Mapping[str, Any]], ...]
    known: tuple[Claim, ...] = ()
    weights: tuple[Any, ...] = ()
    raised: tuple[tuple[Any, Any, Any, Any], ...] = field(default=())


def in_powers(claim: Claim) -> Iterator[InParts]:
    """The ways to say it with fewer powers."""
    if isinstance(claim.then, _RELATIONS) and not claim.families and not claim.then.has(sympy.Sum, sympy.Integral):
        yield from _of_exponents(claim)
        yield from of_logarithms(claim)
        yield from _of_one_exponent(claim)
        yield from _with_variables_for_powers(claim)


def stated(claim: Claim, then: Any, given: Any = None) -> Claim:
    """Another statement under the premises of a claim, or under others."""
    own = claim.given if given is None else tuple(given)
    return replace(claim, then=then, given=own, by=None, mutant=None, uses=(), witness={}, example=None)


def _of_exponents(claim: Claim) -> Iterator[InParts]:
    """c·e^u ≤ c·e^v from 0 ≤ c and u ≤ v, where maxima or absolute values stand in exponents.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> (way,) = _of_exponents(Claim(id="a", then=sympy.exp(-abs(x)) / 2 <= sympy.exp(abs(x - y)) * sympy.exp(-abs(y)) / 2))
    >>> way.parts[0][0].then, way.weights
    (-Abs(x) <= -Abs(y) + Abs(x - y), (1/2,))
    """
    if not any(e.has(sympy.Abs, sympy.Max, sympy.Min) for e in claim.then.atoms(sympy.exp)):
        return
    (c, u), (d, v) = (exponent_in(side) for side in (claim.then.lts, claim.then.gts))
    if c == d and not c.has(sympy.Abs, sympy.Max, sympy.Min):
        yield InParts(((stated(claim, sympy.Le(u, v, evaluate=False)), {}),), (), (c,), ((u, v, sympy.S.One, None),))


def of_logarithms(claim: Claim) -> Iterator[InParts]:
    """s ≤ c·e^v from log(s/c) ≤ v and 0 < s/c for a sum s of exponentials and a polynomial v: the gap of logarithms has simpler slopes.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> (way,) = of_logarithms(Claim(id="a", then=sympy.exp(x) + sympy.exp(y) <= 2 * sympy.exp(x**2 + y**2 + 1)))
    >>> way.parts[0][0].then, way.known[0].then, way.weights
    (log(exp(x)/2 + exp(y)/2) <= x**2 + y**2 + 1, 0 < exp(x)/2 + exp(y)/2, (2,))
    """
    if not isinstance(claim.then, _RELATIONS) or claim.families or claim.then.has(sympy.Sum, sympy.Integral):
        return
    (c, v), terms = exponent_in(claim.then.gts), sympy.Add.make_args(claim.then.lts)
    several = sum(exponent_in(e)[1].free_symbols != set() for e in terms) > 1
    if several and len(v.free_symbols) > 1 and v.is_polynomial() and not c.has(sympy.exp):
        u = sympy.log(sympy.Add(*(e / c for e in terms)))
        signs = [stated(claim, sympy.Lt(0, e, evaluate=False)) for e in (u.args[0], c) if e.free_symbols]
        yield InParts(((stated(claim, sympy.Le(u, v, evaluate=False)), {}),), tuple(signs), (c,), ((u, v, sympy.S.One, None),))


def exponent_in(side: Any) -> tuple[Any, Any]:
    """c and u of a product c·e^u."""
    own = [e for e in sympy.Mul.make_args(side) if isinstance(e, sympy.exp)]
    return sympy.Mul(*(e for e in sympy.Mul.make_args(side) if e not in own)), sympy.Add(*(e.args[0] for e in own))


def _of_one_exponent(claim: Claim) -> Iterator[InParts]:
    """c·u^r ≤ c·v^r from 0 ≤ c, 0 ≤ u ≤ v and 0 ≤ r.

    >>> g, r, q = sympy.symbols("g r q", positive=True)
    >>> ways = _of_one_exponent(Claim(id="a", then=(1 - q) * (q + 1) ** r <= (1 - q) * sympy.exp(2 * g * r), given=[q <= g]))
    >>> [way.parts[0][0].then for way in ways]
    [exp(2*g) <= q + 1, q + 1 <= exp(2*g)]
    """
    gap = claim.then.gts - claim.then.lts
    powers = [e for e in gap.atoms(sympy.Pow, sympy.exp) if e.exp.free_symbols]
    for r in sorted({s for e in powers for s in e.exp.free_symbols}, key=str):
        bases = _by_base(gap, r)
        if bases is None or len(bases) != 2:
            continue
        given = [p for p in claim.given if r not in p.free_symbols]
        for (u, low), (v, high) in itertools.permutations(sorted(bases.items(), key=str)):
            if sympy.simplify(low + high) != 0:
                continue
            (a, b), (c, d) = (sympy.fraction(sympy.together(e)) for e in (u, v))
            signs = [*(sympy.Le(0, e, evaluate=False) for e in (a, high)), *(sympy.Lt(0, e, evaluate=False) for e in (b, d))]
            known = tuple(stated(claim, sign, given) for sign in dict.fromkeys(signs) if sign.gts.free_symbols)
            order = stated(claim, sympy.Le(a * d, b * c, evaluate=False), given)
            yield InParts(((order, {}),), known, (high,), ((u, v, 1 / (b * d), r),))


def _by_base(e: Any, r: Any) -> dict[Any, Any] | None:
    """The factors c of c·u^r by u, where an expression is a sum of such terms."""
    if isinstance(e, sympy.Add):
        found: dict[Any, Any] = {}
        for part in e.args:
            own = _by_base(part, r)
            if own is None:
                return None
            for u, c in own.items():
                found[u] = sympy.factor(found.get(u, sympy.S.Zero) + c)
        return {u: c for u, c in found.items() if c != 0}
    base, factor = sympy.S.One, sympy.S.One
    for part in sympy.Mul.make_args(e):
        inner, exponent = (sympy.E, part.args[0]) if isinstance(part, sympy.exp) else part.as_base_exp()
        slope = sympy.expand(exponent).coeff(r)
        rest = sympy.expand(exponent - slope * r)
        if inner.has(r) or slope.has(r) or rest.has(r):
            return None
        base, factor = (base * inner**slope, factor * inner**rest) if slope != 0 else (base, factor * part)
    return {base: factor}


def _with_variables_for_powers(claim: Claim) -> Iterator[InParts]:
    """With a new variable w = (a·v)^g for a variable v > 0 of which roots are taken, which have a factor in common.

    >>> k = sympy.Symbol("k", positive=True)
    >>> (way,) = _with_variables_for_powers(Claim(id="a", then=3 * (2 * k) ** sympy.Rational(2, 3) <= 2 + 4 * k**2))
    >>> way.parts[0][0].then, way.parts[0][1]
    (3*power_1 <= power_1**3 + 2, {'power_1': 2**(2/3)*k**(2/3)})
    """
    whole = claim.then.gts - claim.then.lts
    for v in sorted((v for v in claim.variables if v.is_positive or sympy.Gt(v, 0, evaluate=False) in claim.given), key=str):
        roots = [e for e in whole.atoms(sympy.Pow) if e.base == v and e.exp.is_Rational and not e.exp.is_Integer]
        if not roots:
            continue
        beside = [
            f.base
            for product in whole.atoms(sympy.Mul)
            for f in product.args
            if f.is_Pow and f.base.is_Rational and any(e.exp == f.exp and e in product.args for e in roots)
        ]
        scale = beside[0] if beside else sympy.S.One
        exponents = [e.exp for e in whole.atoms(sympy.Pow) if e.base == v and e.exp.is_Rational]
        common = reduce(lambda a, b: sympy.Rational(sympy.gcd(a, b)), exponents)
        w = sympy.Symbol("power_1", positive=True)
        moved = [p.subs(v, w ** (1 / common) / scale) for p in (claim.then, *(g for g in claim.given if v in g.free_symbols))]
        if any(e.base == w and not e.exp.is_Integer for p in moved for e in p.atoms(sympy.Pow)) or moved[0] in (sympy.true, sympy.false):
            continue
        given = [*(g for g in claim.given if v not in g.free_symbols), *(g for g in moved[1:] if g not in (sympy.true, sympy.false))]
        yield InParts(((stated(claim, moved[0], [*given, sympy.Gt(w, 0, evaluate=False)]), {w.name: (scale * v) ** common}),))
