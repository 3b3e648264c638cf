"""Claims about neighbours C(n, b), C(n, b + 1), … of one row, as a claim about their ratios: C(n, b + 1) = C(n, b)·(n − b)/(b + 1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import stated
from dpbounds.language.functions import with_replaced

_MOST = 4
"""Steps from the first coefficient to the last one."""


@dataclass(frozen=True)
class Neighbours:
    """A claim both of whose sides have the same degree in the coefficients.

    Attributes:
        first: n and b.
        count: of the steps to the last coefficient.
        degree: of the claim.
        left: the claim divided by C(n, b) to this degree.
    """

    first: tuple[Any, Any]
    count: int
    degree: int
    left: Claim


def neighbours(claim: Claim) -> Iterator[Neighbours]:
    """The way to read a claim so.

    >>> n, k = sympy.symbols("n k", integer=True, positive=True)
    >>> rises = sympy.binomial(2 * n, k - 1) <= sympy.binomial(2 * n, k)
    >>> [way.left.then for way in neighbours(Claim(id="a", then=rises, given=[k <= n]))]
    [1 <= (-k + 2*n + 1)/k]
    """
    then = claim.then
    if claim.families or not isinstance(then, (sympy.Le, sympy.Ge)) or then.has(sympy.Sum, sympy.Integral):
        return
    rows = list(then.atoms(sympy.binomial))
    if len(rows) < 2 or len({row.args[0] for row in rows}) > 1:
        return
    n, some = rows[0].args
    places = [row.args[1] - some for row in rows]
    if not all(d.is_Integer for d in places) or max(places) - min(places) > _MOST:
        return
    count, low = int(max(places) - min(places)), some + min(places)
    c, ratios = sympy.Dummy("c", positive=True), [sympy.S.One]
    for i in range(count):
        ratios.append(ratios[-1] * (n - low - i) / (low + i + 1))
    values = {sympy.binomial(n, low + i, evaluate=False): c * ratio for i, ratio in enumerate(ratios)}
    sides = [sympy.expand_power_base(with_replaced(side, values).doit(), force=True) for side in (then.lts, then.gts)]
    degrees = {side.as_independent(c, as_Add=False)[1].as_base_exp() for side in sides}
    if len(degrees) != 1:
        return
    ((base, degree),) = degrees
    if base == c and degree.is_Integer and degree > 0:
        left = sympy.Le(*(side / c**degree for side in sides), evaluate=False)
        yield Neighbours((n, low), count, int(degree), stated(claim, left))
