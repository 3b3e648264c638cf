"""Claims about central binomial coefficients without them: by π·(n + 1/4)·w² ≤ 1 ≤ π·(n + 1/4 + 1/(32n))·w² for w = C(2n, n)/4^n, n ≥ 1.

What counts in favour of the claim is put at its lower bound, what counts against it at its upper bound, outside of sums and in their terms.
Nothing here is believed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import stated
from dpbounds.language.in_floats import in_floats

_FAR = (*range(1, 60), 100, 1000)
"""Values of n at which what is left of a claim is computed."""
_MOST_VALUES, _SLACK = 4, 1e-12


@dataclass(frozen=True)
class BoundedShare:
    """A coefficient that is replaced.

    Attributes:
        where: a sum with such terms, or the coefficient itself.
        power: with which it stands there, 1 or 2.
        upper: whether it is replaced by its upper bound.
        factor: what the sum, or the power of the coefficient, is multiplied by.
        term: the term of the sum for its index, with w_ for the power of w.
    """

    where: Any
    power: int
    upper: bool
    factor: Any
    term: Any = None


@dataclass(frozen=True)
class CentralBounds:
    """A claim with bounds in the place of central binomial coefficients.

    Attributes:
        left: what is left to show.
        rows: what was replaced.
        values: integers before the least one from which on it holds, and the claim there, None where sympy sees it.
    """

    left: Claim
    rows: tuple[BoundedShare, ...]
    values: tuple[tuple[int, Claim | None], ...] = ()


def bound_of_share(n: Any, power: int, *, upper: bool) -> Any:
    """What w^power is at most, or at least."""
    inside = sympy.pi * (n + sympy.Rational(1, 4) + (0 if upper else 1 / (32 * n)))
    return inside ** sympy.Rational(-power, 2)


def central_bounds_of(claim: Claim) -> Iterator[CentralBounds]:
    """The way to do without central binomial coefficients, if there is one.

    >>> n = sympy.Symbol("n", integer=True, positive=True)
    >>> (way,) = central_bounds_of(Claim(id="a", then=sympy.binomial(2 * n, n) <= 4**n / sympy.sqrt(3 * n)))
    >>> way.left.then
    4**n/(sqrt(pi)*sqrt(n + 1/4)) <= sqrt(3)*4**n/(3*sqrt(n))
    """
    then = claim.then
    if not isinstance(then, (sympy.Le, sympy.Ge)) or claim.families or not then.has(sympy.binomial):
        return
    sums = {e: sympy.Dummy() for e in sorted(then.atoms(sympy.Sum), key=str) if e.has(sympy.binomial)}
    outside = {e: sympy.Dummy(positive=True) for e in sorted(then.xreplace(sums).atoms(sympy.binomial), key=str)}
    whole = sympy.expand((then.gts - then.lts).xreplace(sums).xreplace(outside))
    rows, values = list[BoundedShare](), dict[Any, Any]()
    for where, name in (*sums.items(), *outside.items()):
        powers = [p for p in (1, 2) if whole.coeff(name, p) != 0]
        factor = whole.coeff(name, powers[0]) if len(powers) == 1 else sympy.S.Zero
        if factor == 0 or (whole - sympy.expand(factor * name ** powers[0])).has(name) or not (factor.is_positive or factor.is_negative):
            return
        upper = bool(factor.is_negative)
        found = _term(where, upper) if where in sums else _share(where, powers[0])
        if found is None or where in sums and powers != [1]:
            return
        power, term, value = found
        rows.append(BoundedShare(where, power, upper, factor, term))
        values[where] = value if where in sums else 4 ** where.args[1] * bound_of_share(where.args[1], 1, upper=upper)
    if rows:
        left = stated(claim, sympy.Le(then.lts.xreplace(values), then.gts.xreplace(values), evaluate=False))
        yield from _from_a_value(claim, left, tuple(rows))


def _from_a_value(claim: Claim, left: Claim, rows: tuple[BoundedShare, ...]) -> Iterator[CentralBounds]:
    """From a value of n on, where there is no other variable and it fails before."""
    if len(claim.variables) != 1:
        yield CentralBounds(left, rows)
        return
    (n,) = claim.variables
    lows = [int(p.lts) for p in claim.given if getattr(p, "gts", None) == n and p.lts.is_Integer and isinstance(p, (sympy.Le, sympy.Ge))]
    if len(lows) < len(claim.given) or not n.is_integer or not (n.is_positive or lows):
        return
    start = max([*lows, 1] if n.is_positive else lows)
    try:
        gaps = [(k, _gap_at(left, n, k)) for k in _FAR if k >= start]
    except (TypeError, ValueError):
        return
    first = next((k for k, gap in gaps if all(g >= -_SLACK for j, g in gaps if j >= k)), None)
    if first is None or first - start > _MOST_VALUES or start < 1:
        return
    if first > start:
        left = stated(left, left.then, [sympy.Ge(n, first, evaluate=False)])
    yield CentralBounds(left, rows, tuple((k, _at_number(claim, k)) for k in range(start, first)))


def _at_number(claim: Claim, k: int) -> Claim | None:
    then = claim.then.subs(claim.variables[0], k)
    return None if then is sympy.true else replace(claim, then=then, given=(), by=None, mutant=None, uses=(), witness={})


def _gap_at(claim: Claim, n: Any, k: int) -> float:
    gap = (claim.then.gts - claim.then.lts).subs(n, k)
    for total in gap.atoms(sympy.Sum):
        i, low, high = total.limits[0]
        term = in_floats([i], total.function)
        gap = gap.xreplace({total: sympy.Float(sum(term(j) for j in range(int(low), int(high) + 1)))})
    return float(gap)


def _share(e: Any, power: int) -> tuple[int, None, None] | None:
    """Whether it is C(2n, n) for a variable n."""
    n = e.args[1]
    return (power, None, None) if n.is_Symbol and n.is_integer and sympy.expand(e.args[0] - 2 * n) == 0 else None


def _term(total: Any, upper: bool) -> tuple[int, Any, Any] | None:
    """The power of C(2k, k) in the terms of a sum, the term with w_ for (C(2k, k)/4^k)^power, and the sum with bounds in its place."""
    if len(total.limits) != 1:
        return None
    ((k, low, high),) = total.limits
    coefficients = list(total.function.atoms(sympy.binomial))
    if len(coefficients) != 1 or _share(coefficients[0], 1) is None or coefficients[0].args[1] != k or low not in (0, 1):
        return None
    w = sympy.Symbol("w_", positive=True)
    for power in (1, 2):
        term = sympy.powsimp(sympy.expand_power_base((total.function * w / coefficients[0] ** power * 4 ** (power * k)), force=True))
        if not term.has(sympy.binomial):
            term = sympy.simplify(term / w) * w
            value = sympy.Sum(term.subs(w, bound_of_share(k, power, upper=upper)), (k, 1, high))
            first = total.function.subs(k, 0) if low == 0 else sympy.S.Zero
            return power, term, first + value
    return None
