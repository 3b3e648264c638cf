"""Claims about sums to n with a correction that makes an induction of them: S(n) + c·φ(n) ≤ b(n) for a small φ ≥ 0 that falls.

From n to n + 1 the gap may fall by no more than c·φ does, and at the start it must be at least c·φ: both bound c, by numbers for many n.
A simple fraction between the bounds is tried. Nothing here is believed.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import InParts, stated

_MOST, _SLACK, _LARGEST = 80, 1e-11, 60
"""How many values of n are looked at, how near to a bound a fraction may be, and the largest denominator."""
_SHIFTS = (sympy.S.Zero, sympy.S.Half, sympy.S.One, sympy.Rational(1, 4))


def corrected(claim: Claim) -> Iterator[InParts]:
    """The ways to make a claim about a sum to n, which has no other variable, one that an induction shows.

    >>> n, k = sympy.Symbol("n", integer=True, positive=True), sympy.Symbol("k", integer=True)
    >>> claim = Claim(id="a", then=sympy.Sum(1 / k**2, (k, 1, n)) <= sympy.Rational(5, 3))
    >>> [way.parts[0][0].then.lts for way in corrected(claim)]
    [Sum(k**(-2), (k, 1, n)) + 1/(n + 1/2)]
    """
    then = claim.then
    if (
        claim.families
        or not isinstance(then, (sympy.Le, sympy.Ge))
        or len(claim.variables) != 1
        or not then.has(sympy.Sum)
        or then.has(sympy.binomial)
    ):
        return
    (n,) = claim.variables
    start = _start(claim, n)
    values = None if start is None else _gaps(then.gts - then.lts, n, start)
    if values is None or start is None or min(values) < -_SLACK or all(b >= a for a, b in zip(values, values[1:], strict=False)):
        return
    for power in (1, 2):
        for shift in (shift for shift in _SHIFTS if start + shift > 0):
            phi = 1 / (n + shift) ** power
            own = [float(phi.subs(n, start + k)) for k in range(len(values))]
            low = max((a - b) / (p - q) for a, b, p, q in zip(values, values[1:], own, own[1:], strict=False))
            c = _simplest(low - _SLACK, values[0] / own[0] + _SLACK)
            if c is not None:
                yield InParts(((stated(claim, sympy.Le(then.lts + c * phi, then.gts, evaluate=False)), {}),))


def _start(claim: Claim, n: Any) -> int | None:
    """The least n, where it has no largest value."""
    lows = [int(p.lts) for p in claim.given if getattr(p, "gts", None) == n and isinstance(p, sympy.Ge | sympy.Le) and p.lts.is_Integer]
    plain = all(getattr(p, "gts", None) == n and p.lts.is_Integer and isinstance(p, sympy.Ge | sympy.Le) for p in claim.given)
    least = [1] if n.is_positive else [0] if n.is_nonnegative else []
    return max([*lows, *least]) if n.is_integer and plain and (lows or least) else None


def _gaps(gap: Any, n: Any, start: int) -> list[float] | None:
    """The gap at some values of n, its sums from term to term; None where it is not of this kind."""
    sums = sorted(gap.atoms(sympy.Sum), key=str)
    if any(len(s.limits) != 1 or s.function.has(n) or not s.limits[0][1].is_Integer for s in sums):
        return None
    shifts = [s.limits[0][2] - n for s in sums]
    if not all(shift.is_Integer for shift in shifts):
        return None
    names = [sympy.Dummy() for _ in sums]
    try:
        outer = sympy.lambdify([n, *names], gap.xreplace(dict(zip(sums, names, strict=True))), "mpmath")
        terms = [sympy.lambdify([s.limits[0][0]], s.function, "mpmath") for s in sums]
        rows = [(f, int(s.limits[0][1]), int(shift)) for f, s, shift in zip(terms, sums, shifts, strict=True)]
        totals = [sum((f(k) for k in range(low, start + shift)), start=0) for f, low, shift in rows]
        found = []
        for k in range(start, start + _MOST):
            totals = [total + (f(k + shift) if k + shift >= low else 0) for total, (f, low, shift) in zip(totals, rows, strict=True)]
            found.append(float(outer(k, *totals)))
    except (TypeError, ValueError, ZeroDivisionError, OverflowError, NameError):
        return None
    return found


def _simplest(low: float, high: float) -> Any:
    """The fraction between two bounds that has the smallest denominator, above 0; None where there is none."""
    for q in range(1, _LARGEST + 1):
        p = max(1, -int(-low * q // 1))
        if low <= Fraction(p, q) <= high:
            return sympy.Rational(p, q)
    return None
