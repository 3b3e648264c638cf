"""Claims Σ_{i≥l} a(i) ≤ B by a bound b(k) of what is left from each k on: 0 ≤ a(k), a(k) + b(k + 1) ≤ b(k), 0 ≤ b(k) and b(l) ≤ B.

The bound is B with k in the place of l, or a multiple c(k)·a(k). Then 1 + r(k)·c(k + 1) ≤ c(k) and 0 ≤ c(k) are left for the ratio
r(k) = a(k + 1)/a(k), without powers. Such multiples are those of closed forms (Gosper's method), 1/(1 − r(l)) of terms
that fall at least as fast as a geometric series, where r(k) ≤ r(l) < 1 is left, and the first terms of Euler and Maclaurin's formula for
k^{−s}. Nothing here is believed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sympy
from sympy.concrete.gosper import gosper_term

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import stated


@dataclass(frozen=True)
class Majorant:
    """A claim about such a sum.

    Attributes:
        k: the variable of the bound.
        bound: b(k), or c(k).
        kind: "bound", "multiple" or "geometric".
        parts: 0 ≤ a(k) first, then what else is left for k ≥ l, and b(l) ≤ B where that is not the same; for a geometric series this is
            1 ≤ (1 − r(l))·B/a(l) where a(l) > 0 is seen, and a(l) ≤ (1 − r(l))·B where it is not.
        values: of other variables of the parts: 1/k.
    """

    k: Any
    bound: Any
    kind: str
    parts: tuple[Claim, ...]
    values: Mapping[str, Any] = field(default_factory=dict)


def majorants(claim: Claim) -> Iterator[Majorant]:
    """The ways to read a claim so.

    >>> m, i = sympy.symbols("m i", integer=True, positive=True)
    >>> way = next(majorants(Claim(id="a", then=sympy.Sum(1 / (i * (i + 1)), (i, m, sympy.oo)) <= 1 / m)))
    >>> [part.then for part in way.parts][1]
    1/(kk + 1) + 1/(kk*(kk + 1)) <= 1/kk
    """
    then = claim.then
    if claim.families or not isinstance(then, (sympy.Le, sympy.Ge)) or not isinstance(then.lts, sympy.Sum) or len(then.lts.limits) != 1:
        return
    ((i, low, high),) = then.lts.limits
    if high is not sympy.oo or then.gts.has(sympy.Sum, sympy.Integral):
        return
    taken = {s.name for part in (then, *claim.given) for s in part.atoms(sympy.Symbol)}
    name = next(name for n in itertools.count(1) if (name := "k" + "k" * n) not in taken)
    k = sympy.Symbol(name, integer=True, **{"positive": True} if low.is_positive else {"nonnegative": True} if low.is_nonnegative else {})
    a = then.lts.function.subs(i, k)
    if k not in a.free_symbols:
        return
    yield from _with_another_end(claim, k, a, low)
    if low.free_symbols & a.free_symbols:
        return
    least = (
        [] if low.is_number and low <= (1 if k.is_positive else 0 if k.is_nonnegative else low - 1) else [sympy.Ge(k, low, evaluate=False)]
    )
    given, ratio = [*claim.given, *least], _quotient(a.subs(k, k + 1), a)
    first = ratio.subs(k, low)
    for c in (*_multiples(a, ratio, k), 1 / (1 - first)):
        own = a.subs(k, low)
        if c.has(k):
            parts = [
                *_parts(claim, given, a, 1 + ratio * c.subs(k, k + 1), c),
                stated(claim, sympy.Le(c.subs(k, low) * own, then.gts, evaluate=False)),
            ]
        else:
            sides = (sympy.S.One, (1 - first) * _quotient(then.gts, own)) if own.is_positive else (own, (1 - first) * then.gts)
            steps = (sympy.Le(0, a, evaluate=False), sympy.Le(ratio, first, evaluate=False), sympy.Lt(first, 1, evaluate=False))
            parts = [*(stated(claim, part, given) for part in steps), stated(claim, sympy.Le(*sides, evaluate=False))]
        kind = "multiple" if c.has(k) else "geometric"
        values = _in_inverse(claim, parts, k) if kind == "multiple" else {}
        yield Majorant(k, c, kind, tuple(parts), values)


def _with_another_end(claim: Claim, k: Any, a: Any, low: Any) -> Iterator[Majorant]:
    """The bound that the claim itself says, at every end, and as a multiple of the terms there."""
    for m in sorted(low.free_symbols - a.free_symbols, key=str):
        shift = low - m
        if not m.is_integer or not shift.is_Integer:
            continue
        moved = {m: k - shift}
        b = claim.then.gts.subs(moved)
        given = [g.subs(moved) for g in claim.given]
        given = [g for g in given if g is not sympy.true]
        given += [sympy.Ge(k - shift, 1 if m.is_positive else 0, evaluate=False)] if m.is_nonnegative and shift > 0 else []
        c = _quotient(b, a)
        parts = list(_parts(claim, given, a, 1 + _quotient(a.subs(k, k + 1), a) * c.subs(k, k + 1), c))
        values = _in_inverse(claim, parts, k)
        ways = [Majorant(k, b, "bound", _parts(claim, given, a, a + b.subs(k, k + 1), b)), Majorant(k, c, "multiple", tuple(parts), values)]
        yield from reversed(ways) if values else ways


def _parts(claim: Claim, given: Sequence[Any], a: Any, small: Any, b: Any) -> tuple[Claim, ...]:
    """0 ≤ a, small ≤ b and 0 ≤ b."""
    sides = ((sympy.S.Zero, a), (small, b), (sympy.S.Zero, b))
    return tuple(stated(claim, sympy.Le(*pair, evaluate=False), given) for pair in sides)


def _in_inverse(claim: Claim, parts: list[Claim], k: Any) -> dict[str, Any]:
    """1/k for a new variable in which the second part is said, where powers of k have other variables in their exponents."""
    then = parts[1].then
    if not k.is_positive or not any(e.base.has(k) and e.exp.free_symbols and not e.exp.has(k) for e in then.atoms(sympy.Pow)):
        return {}
    x = sympy.Symbol(f"{k.name}_inverse", positive=True)

    def moved(p: Any) -> Any:
        top, bottom = (sympy.factor(part) for part in sympy.fraction(sympy.together(p.base)))
        signs = -1 if top.subs(x, sympy.Rational(1, 2)).is_negative else 1
        return (sympy.expand(signs * top)) ** p.exp * sympy.expand_power_base((signs * bottom) ** -p.exp, force=True)

    sides = [side.subs(k, 1 / x).replace(lambda p: p.is_Pow and bool(p.exp.free_symbols), moved) for side in (then.lts, then.gts)]
    given = [*(p for p in parts[1].given if not p.has(k)), sympy.Le(x, 1, evaluate=False)]
    parts[1] = stated(claim, sympy.Le(*map(sympy.powsimp, sides), evaluate=False), given)
    return {x.name: 1 / k}


def _quotient(a: Any, b: Any) -> Any:
    """A quotient without factorials and powers where that is seen."""
    return sympy.factor(sympy.powsimp(sympy.combsimp(sympy.powsimp(sympy.expand_power_exp(a / b)))))


def _multiples(a: Any, ratio: Any, k: Any) -> Iterator[Any]:
    """c(k) that may do, and speak of k."""
    plain = {s: sympy.Symbol(s.name, positive=True) for s in a.free_symbols}
    try:
        share = gosper_term(a.xreplace(plain), plain[k])
    except (ValueError, TypeError, RuntimeError, AttributeError):
        share = None
    if share is not None and share.has(plain[k]):
        yield sympy.factor(-share.xreplace({t: s for s, t in plain.items()}))
    s = sympy.simplify(-k * sympy.diff(sympy.log(a), k))
    if not s.has(k):
        yield k / (s - 1) + sympy.Rational(1, 2) + s / (12 * k)
