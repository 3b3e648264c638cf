"""Whether a certificate shows a claim: the problems of the claim, each with its certificate, checked one by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpbounds.claims.claim import Claim
from dpbounds.descent.problem import check
from dpbounds.descent.ratio import check_ratio
from dpbounds.descent.refusal import Refused, need
from dpbounds.descent.statement import problems_of


def check_claim(claim: Claim, document: Mapping[str, Any]) -> None:
    """Check a certificate against the claim.

    Raises:
        Refused: it does not show that the claim holds.
    """
    try:
        _check_claim(claim, document)
    except Refused:
        raise
    except Exception as error:  # a document that anyone may have written fails in ways that cannot be listed
        raise Refused(f"malformed certificate: {type(error).__name__}") from error


def _check_claim(claim: Claim, document: Mapping[str, Any]) -> None:
    problems = problems_of(claim)
    integers = all(v.is_integer for v in claim.variables)
    need(len(problems) == len(document["problems"]) and problems, "one certificate for each part of the claim")
    for problem, part in zip(problems, document["problems"], strict=True):
        if "way" in part:
            need(integers, "a ratio speaks of integers")
            check_ratio(problem, part)
            continue
        check(problem, part)
