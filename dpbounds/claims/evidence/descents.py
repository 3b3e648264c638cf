"""Descents of derivatives for claims. They settle nothing: `compiled` writes them as documents of the proof checker."""

from __future__ import annotations

from typing import Any

import sympy
from sympy.core.relational import Relational

from dpbounds.claims.boxes.inequalities import problems_of
from dpbounds.claims.claim import Claim
from dpbounds.language.functions import NormalQuantile


def certificate_of(claim: Claim, seconds: float = 10.0) -> dict[str, Any] | None:
    """A descent of each part of a claim, found within processor seconds; None when none was found.

    >>> import sympy
    >>> x = sympy.Symbol("x", real=True)
    >>> tangent = Claim(id="tangent", text="", then=sympy.exp(x) >= 1 + x)
    >>> list(certificate_of(tangent))
    ['problems']
    """
    from dpbounds.descent.search.solve import certificates_of

    try:
        integers = frozenset(v.name for v in claim.variables if v.is_integer)
        two_ways = _has_quantile_as_side(claim)
        found = certificates_of(problems_of(claim), seconds / 2 if two_ways else seconds, integers=integers)
        if found is None and two_ways:
            found = certificates_of(problems_of(claim, named=True), seconds / 2, integers=integers)
            found = None if found is None else {**found, "quantiles": "named"}
    except Exception:  # whatever goes wrong in a search leaves the claim to the other deciders; nothing was decided here
        return None
    return found


def _has_quantile_as_side(claim: Claim) -> bool:
    """Whether a multiple of a quantile is a whole side: then there are two ways to read the claim."""
    return any(
        isinstance(part, NormalQuantile)
        for relation in claim.then.atoms(Relational)
        for side in relation.args
        for part in sympy.Mul.make_args(side)
    )
