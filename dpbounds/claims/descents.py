"""Claims settled by a descent of derivatives: found by the search, kept only when the checker accepts them."""

from __future__ import annotations

import itertools
from typing import Any

from dpbounds.claims.claim import Claim
from dpbounds.claims.inequalities import check_claim, problems_of
from dpbounds.claims.terms import claims_of_terms

_MOST_WAYS = 24
"""Of reading a statement about families term by term."""


def certificate_of(claim: Claim, seconds: float = 10.0) -> dict[str, Any] | None:
    """A certificate that the claim holds, found within processor seconds and checked; None when none was found.

    >>> import sympy
    >>> x = sympy.Symbol("x", real=True)
    >>> tangent = Claim(id="tangent", text="", then=sympy.exp(x) >= 1 + x)
    >>> check_claim(tangent, certificate_of(tangent))
    """
    from dpbounds.descent.solve import certificates_of  # with numpy and scipy, which the checker does without

    try:
        if claim.families:
            terms = list(itertools.islice(claims_of_terms(claim), _MOST_WAYS))
            return next((found for term in terms if (found := certificate_of(term, seconds / len(terms))) is not None), None)
        found = certificates_of(problems_of(claim), seconds, integers=frozenset(v.name for v in claim.variables if v.is_integer))
        if found is not None:
            check_claim(claim, found)
    except Exception:  # whatever goes wrong in a search leaves the claim to the other deciders; nothing was decided here
        return None
    return found
