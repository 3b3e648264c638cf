"""Whether the proof checker accepts a document of a claim itself: what is given and what is claimed there is the claim, term by term.

The statement is read by `dpbounds.prover.statements`, as for the documents of derivations; who wrote the document does not matter. The
document must also prove the statement that was typed. Divergences of families whose masses may be 0 are put in finite terms by sympy:
there what sympy makes of the statement must show the one that was typed.
"""

from __future__ import annotations

import sys

from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.documents import proves, reads_as_typed
from dpbounds.claims.evidence.finite_divergences import in_finite_terms
from dpbounds.kernel import checker
from dpbounds.kernel.checker import Statement
from dpbounds.kernel.terms import DEPTH, Refused, Term, need
from dpbounds.prover.statements import NotConverted, Statements, sequent


def judged(claim: Claim, document: str) -> Statement:
    """What a document proves, which is the claim: the same formulas, nothing else given, nothing cited.

    Args:
        claim: the claim.
        document: the text of a document that rests on no other.

    Raises:
        Refused: the proof checker refuses it, or it says something else; the message is one line.
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20 * DEPTH))
    asked, claim = claim, in_finite_terms(claim)
    need(claim is asked or reads_as_typed(asked), "sympy makes another statement of the claim")
    given, formula = _read(claim)
    found = checker.check(checker.parse(document), {})
    need(found.claim == formula, "the document claims something else than the claim")
    need(list(found.given) == given, "the document has other premises than the claim")
    need(not found.citations, "the document cites something")
    need(proves(found, claim), "the terms of the document do not say what the quantities of the claim do")
    return found


def _read(claim: Claim) -> tuple[list[Term], Term]:
    try:
        given, formula = sequent(Statements(), claim.then, claim.given)
    except (NotConverted, RecursionError, ValueError, TypeError) as why:
        raise Refused(f"the statement is not read: {why}"[:200]) from why
    return given, formula
