"""Whether the case that the advice names is settled where the whole lemma is not.

    python -m benchmarks.lemmas.cases [ID ...]

The statements are those of the lists that stay UNDECIDED, without those about families. Each case has ten processor seconds.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

import sympy

from benchmarks.lemmas import LISTS, OPEN, lemmas_of
from dpbounds import Claim, settle
from dpbounds.claims.narrower import case_of, narrower


def main(ids: Sequence[str]) -> None:
    """Measure and print."""
    claims = [lemma.true for name in LISTS for lemma in lemmas_of(name)]
    named = settled = 0
    for claim in claims:
        if claim.id not in OPEN or claim.families or ids and claim.id not in ids or not (words := narrower(claim)):
            continue
        verdict = settle(case(claim), budget=10.0, contained=True).verdict
        named += 1
        settled += verdict.holds is True
        print(f"{claim.id:36} {verdict.value:10} {words}", flush=True)
    print(f"{settled} of {named} cases are settled")


def case(claim: Claim) -> Claim:
    """The claim in the case that the advice names."""
    found = case_of(claim)
    assert found is not None
    v, low, high = found
    if low == high:
        at = {v: sympy.Rational(str(high))}
        given = [premise for g in claim.given if (premise := g.subs(at)) is not sympy.true]
        return replace(claim, then=claim.then.subs(at), given=tuple(given), example=None)
    ends = [v <= sympy.Rational(str(high)), *([] if low is None else [v >= sympy.Rational(str(low))])]
    return replace(claim, given=(*claim.given, *ends), example=None)


if __name__ == "__main__":
    main(sys.argv[1:])
