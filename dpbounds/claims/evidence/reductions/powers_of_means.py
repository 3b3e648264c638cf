"""Powers u^r with 0 < r < 1 of sums below their tangents at a product: u^r ≤ r·u·g^{r−1} + (1 − r)·g^r. Nothing here is believed.

For u = Σ c_i·u_i with numbers c_i > 0 that add up to c, g = c·Π u_i^{c_i/c} is the geometric mean of the parts, which meets u where the
parts are equal. With y = u/g the tangent is y^r ≤ r·y + 1 − r times g^r: Young's inequality for numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.powers import InParts, stated

_RELATIONS = (sympy.Le, sympy.Ge)
_Y = sympy.Symbol("share_1", positive=True)


def powers_of_means(claim: Claim) -> Iterator[InParts]:
    """The ways to say a claim with a tangent in the place of such a power on its smaller side.

    >>> x = sympy.Symbol("x", positive=True)
    >>> (way,) = powers_of_means(Claim(id="a", then=((1 + sympy.exp(x)) / 2) ** sympy.Rational(1, 3) <= sympy.exp(x), given=[]))
    >>> way.parts[1][0].then
    (exp(x)/6 + 1/6)*exp(-x/3) + 2*exp(x/6)/3 <= exp(x)
    """
    if not isinstance(claim.then, _RELATIONS) or claim.families or claim.then.has(sympy.Sum, sympy.Integral):
        return
    small, large = claim.then.lts, claim.then.gts
    for power in sorted((p for p in small.atoms(sympy.Pow) if p.exp.is_Rational and 0 < p.exp < 1), key=str):
        mark = sympy.Dummy()
        factor = sympy.diff(small.xreplace({power: mark}), mark)
        mean = _mean_of(sympy.expand(power.base))
        if factor == 0 or factor.has(mark) or mean is None:
            continue
        u, r, (g, scale) = power.base, power.exp, mean
        raised = g**r if scale is None else scale[0] ** r * sympy.exp(sympy.expand(r * scale[1]))
        tangent = r * u * raised / g + (1 - r) * raised
        lemma = stated(claim, sympy.Le(_Y**r, r * _Y + 1 - r, evaluate=False), [sympy.Gt(_Y, 0, evaluate=False)])
        left = stated(claim, sympy.Le(small.xreplace({power: tangent}), large, evaluate=False))
        signs = [sympy.Lt(0, u, evaluate=False), sympy.Le(0, factor, evaluate=False)]
        known = [stated(claim, sign) for sign in signs if sign.gts.free_symbols]
        yield InParts(((lemma, {_Y.name: u / g}), (left, {})), tuple(known), (factor * raised, sympy.S.One))


def _mean_of(u: Any) -> tuple[Any, tuple[Any, Any] | None] | None:
    """c·Π u_i^{c_i/c}, and c and the exponent of the rest where it is an exponential."""
    parts = [part.as_coeff_Mul() for part in sympy.Add.make_args(u)]
    if len(parts) < 2 or any(not c.is_positive for c, _ in parts):
        return None
    total = sympy.Add(*(c for c, _ in parts))
    logs = [e.args[0] if isinstance(e, sympy.exp) else sympy.S.Zero if e == 1 else None for _, e in parts]
    if None not in logs:
        exponent = sympy.expand(sympy.Add(*(c / total * log for (c, _), log in zip(parts, logs, strict=True))))
        return total * sympy.exp(exponent), (total, exponent)
    return (total * sympy.Mul(*(e ** (c / total) for c, e in parts)), None) if all(e.is_positive for _, e in parts) else None
