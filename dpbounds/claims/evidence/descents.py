"""Claims settled by a descent of derivatives: found by the search, kept only when the checker accepts them."""

from __future__ import annotations

import itertools
import time
from typing import Any

import sympy
from sympy.core.relational import Relational

from dpbounds.claims.boxes.inequalities import check_claim, problems_of
from dpbounds.claims.boxes.terms import claims_of_terms
from dpbounds.claims.claim import Claim
from dpbounds.language.functions import NormalQuantile

_MOST_WAYS = 24
"""Of reading a statement about families term by term."""
_FIRST_WAY = 0.4
"""The share of the time that is left for each of them."""


def certificate_of(claim: Claim, seconds: float = 10.0) -> dict[str, Any] | None:
    """A certificate that the claim holds, found within processor seconds and checked; None when none was found.

    >>> import sympy
    >>> x = sympy.Symbol("x", real=True)
    >>> tangent = Claim(id="tangent", text="", then=sympy.exp(x) >= 1 + x)
    >>> check_claim(tangent, certificate_of(tangent))
    """
    from dpbounds.descent.search.solve import certificates_of

    try:
        if claim.families:
            terms = list(itertools.islice(claims_of_terms(claim), _MOST_WAYS))
            until = time.process_time() + seconds
            for i, term in enumerate(terms):
                left = until - time.process_time()
                # Mostly the first way is right, and then the many faces of its tables take time.
                found = certificate_of(term, max(_FIRST_WAY * left, left / (len(terms) - i)))
                if found is not None:
                    return found
            return None
        integers = frozenset(v.name for v in claim.variables if v.is_integer)
        two_ways = _has_quantile_as_side(claim)
        found = certificates_of(problems_of(claim), seconds / 2 if two_ways else seconds, integers=integers)
        if found is None and two_ways:
            found = certificates_of(problems_of(claim, named=True), seconds / 2, integers=integers)
            found = None if found is None else {**found, "quantiles": "named"}
        if found is not None:
            check_claim(claim, found)
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
