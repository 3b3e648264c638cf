"""Claims with one root R = √((x + b)² + D) in another variable: x + b = m·s − c/s and R = m·s + c/s, where 4·m·c = D.

Then s = (x + b + R)/(2m) grows with x, and 1/s = (R − x − b)/(2c); without the root a descent sees one variable in its tower.
m = c = √D/2 or m = 1, so that the range of s has a rational end where it can. Nothing here is believed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.domain import Domain
from dpbounds.claims.evidence.powers import stated
from dpbounds.language.functions import NormalCDF, with_replaced

_NORMAL = (NormalCDF, sympy.erf, sympy.erfc)
"""Without these, a descent knows roots well enough."""


@dataclass(frozen=True)
class QuadraticRoot:
    """A claim with such a root.

    Attributes:
        claim: in the new variable.
        name: of the new variable.
        root: R.
        value, inverse: s and 1/s as the claim has them.
        ends: orders between s and its ends, each with the number from which x + b is on that side.
        slopes: m and c.
    """

    claim: Claim
    name: str
    root: Any
    value: Any
    inverse: Any
    ends: tuple[tuple[Any, Any], ...]
    slopes: tuple[Any, Any]


def quadratic_roots(claim: Claim) -> Iterator[QuadraticRoot]:
    """The ways to say it without the root.

    >>> x = sympy.Symbol("x", real=True)
    >>> (way,) = quadratic_roots(Claim(id="a", then=sympy.erfc(x) <= 9 / (x + sympy.sqrt(x**2 + 8)), given=[x > -1]))
    >>> way.claim.then, way.claim.given
    (erfc(root_x - 2/root_x) <= 9/(2*root_x), (1 < root_x,))
    """
    if claim.families or not isinstance(claim.then, (sympy.Le, sympy.Ge, sympy.Lt, sympy.Gt)) or not claim.then.has(*_NORMAL):
        return
    roots = [e for e in claim.then.atoms(sympy.Pow) if abs(e.exp) == sympy.S.Half and e.base.is_Add]
    bases = {e.base for e in roots}
    for x in sorted(claim.variables, key=str):
        own = [b for b in bases if x in b.free_symbols]
        if len(own) != 1 or x.is_integer or any(x in p.free_symbols and p.free_symbols != {x} for p in claim.given):
            continue
        inside = sympy.Poly(own[0], x) if own[0].is_polynomial(x) else None
        if inside is not None and inside.degree() == 2 and (lead := inside.coeff_monomial(x**2)).is_positive:
            b = sympy.cancel(inside.coeff_monomial(x) / (2 * lead))
            d, lead = map(sympy.factor, (inside.coeff_monomial(1) / lead - b**2, lead))
            if d.is_positive:
                yield _way(claim, x, own[0], lead, b, d)


def _way(claim: Claim, x: Any, inside: Any, lead: Any, b: Any, d: Any) -> QuadraticRoot:
    s = sympy.Symbol(f"root_{x.name}", positive=True)
    low, high = (None if end is None else sympy.Rational(end) + b for end in Domain.of_claim(claim).bounds().get(x, (None, None)))
    plain = d.free_symbols or any(sympy.sqrt(e**2 + d).is_Rational for e in (low, high) if e is not None)
    m, c = (sympy.S.One, d / 4) if plain else (sympy.sqrt(d) / 2,) * 2
    root = sympy.sqrt(inside)
    own = [p for p in claim.given if p.free_symbols == {x}]
    values = {inside ** (k * sympy.S.Half): (sympy.sqrt(lead) * (m * s + c / s)) ** k for k in (1, -1, 3, -3)}
    sides = (with_replaced(side, values).xreplace({x: m * s - c / s - b}) for side in claim.then.args)
    then = type(claim.then)(*map(_with_plain_exponents, sides), evaluate=False)
    whole = root / sympy.sqrt(lead)
    value, inverse = (x + b + whole) / (2 * m), (whole - x - b) / (2 * c)
    ends, given = [], list[Any]()
    for end, upper in ((low, False), (high, True)):
        at = None if end is None else sympy.sqrtdenest((end + sympy.sqrt(end**2 + d)) / (2 * m))
        if at is None or not at.is_number:
            continue
        exact = at.is_Rational
        near = at if exact else (sympy.ceiling(at * 64) if upper else sympy.floor(at * 64)) / 64
        strict = exact and (any(p.subs(x, end - b) == False for p in own) or x.is_positive and end == b)  # noqa: E712, of numbers
        order = sympy.Lt if strict else sympy.Le
        pair = (s, near) if upper else (near, s)
        given.append(order(*pair, evaluate=False))
        ends.append((order(*(e.xreplace({s: value}) for e in pair), evaluate=False), end - b))
    given += [p for p in claim.given if p not in own]
    return QuadraticRoot(stated(claim, then, given), s.name, root, value, inverse, tuple(ends), (m, c))


def _with_plain_exponents(side: Any) -> Any:
    """With exponents multiplied out."""
    return side.xreplace({e: sympy.exp(sympy.expand(e.args[0])) for e in side.atoms(sympy.exp) if e.args[0].is_rational_function()})
