"""Whether the proof checker accepts a document of a claim itself: nothing is cited, and the claim as it was typed follows from it.

Who wrote the document does not matter. How the statement is read says `dpbounds.language.typed.checker_terms`, as for the documents of
derivations.
"""

from __future__ import annotations

import sys

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.documents import proves
from dpbounds.kernel import checker
from dpbounds.kernel.checker import Statement
from dpbounds.kernel.terms import DEPTH, need


def judged(claim: Claim, document: str) -> Statement:
    """What a document proves, from which the claim follows; nothing is cited.

    Args:
        claim: the claim.
        document: the text of a document that rests on no other.

    Raises:
        Refused: the proof checker refuses it, or the claim does not follow; the message is one line.
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20 * DEPTH))
    found = checker.check(checker.parse(document), {})
    need(not found.citations, "the document cites something")
    need(proves(found, claim), "the claim does not follow from the document: it says something else, or not all that quantities ask for")
    return found
