"""Claims about one sum of c·u^{j+s}/(j + s)!, by bounds of the partial sums of the exponential series. Nothing here is believed.

Σ_{j=L}^n is at most c·(e^u − Σ_{i<p} u^i/i!) with p = L + s, and at most c·u^p/p!·e^u; a sum from p = 0 to n is at least
c·(1 − u^{n+1}/(n + 1)!)·e^u.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import stated


@dataclass(frozen=True)
class ExponentialSum:
    """A claim about such a sum.

    Attributes:
        total: the sum.
        weight: F of a claim F·Σ ≤ …, or ≥ …
        u, shift, scale: u, s and c.
        start: L.
        tail: whether u^p/p!·e^u bounds what is left from a place p on.
        end: what is left of the claim, None where both sides are one.
    """

    total: Any
    weight: Any
    u: Any
    shift: int
    scale: Any
    start: Any
    tail: bool
    end: Claim | None


def exponential_sums(claim: Claim) -> Iterator[ExponentialSum]:
    """The ways to read a claim so.

    >>> n, j = sympy.symbols("n j", integer=True, positive=True)
    >>> way = next(exponential_sums(Claim(id="a", then=sympy.Sum(1 / sympy.factorial(j), (j, 1, n)) <= sympy.E - 1)))
    >>> way.u, way.shift, way.scale, way.start, way.end
    (1, 0, 1, 1, None)
    """
    then = claim.then
    sums = list(then.atoms(sympy.Sum)) if isinstance(then, (sympy.Le, sympy.Ge)) and not claim.families else []
    if len(sums) != 1 or len(sums[0].limits) != 1 or not sums[0].function.has(sympy.factorial):
        return
    total, ((j, low, high),) = sums[0], sums[0].limits
    above = then.lts.has(sympy.Sum)
    side, rest = (then.lts, then.gts) if above else (then.gts, then.lts)
    weight, f = side / total, total.function
    if weight.has(sympy.Sum) or rest.has(sympy.Sum):
        return
    ratio = sympy.combsimp(f.subs(j, j + 1) / f)
    u = sympy.limit(sympy.powsimp(ratio) * (j + 1), j, sympy.oo)
    for shift in (0, 1, -1, 2, -2):
        scale = sympy.factor(sympy.powsimp(sympy.combsimp(sympy.powsimp(f * sympy.factorial(j + shift) / u ** (j + shift)))))
        if scale.has(j, sympy.factorial, sympy.gamma):
            continue
        start = max(low, sympy.Integer(-shift)) if low.is_Integer else low
        place = start + shift
        first = sympy.Add(*(f.subs(j, k) for k in range(int(low), int(start)))) if low.is_Integer else 0
        tail, bounds = u**place / sympy.factorial(place) * sympy.exp(u), list[tuple[bool, Any]]()
        if above:
            head = sympy.Add(*(u**i / sympy.factorial(i) for i in range(int(place)))) if place.is_Integer else None
            bounds = ([] if head is None else [(False, sympy.exp(u) - head)]) + [(True, tail)] * (place != 0)
        elif place == 0 and shift == 0:
            bounds = [(True, sympy.exp(u) * (1 - u ** (high + 1) / sympy.factorial(high + 1)))]
        for is_tail, bound in bounds:
            value = weight * (first + scale * bound)
            same = sympy.simplify(sympy.powsimp(sympy.expand(value - rest))) == 0
            sides = (value, rest) if above else (rest, value)
            end = None if same else stated(claim, sympy.Le(*sides, evaluate=False))
            yield ExponentialSum(total, weight, u, shift, scale, start, is_tail, end)
