"""Re-check a certificate without the code that found it.

Covers and points are checked by `dpbounds.covers`, on intervals of integers; documents and proofs by the proof checker. Leaves that
they cannot evaluate, and points
without a document, are left to the ball engine, which found them: the report says how much rests on it alone. The digest catches careless
edits; every field that carries meaning is checked besides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.counterexamples.point_text import point_of, point_to_document
from dpbounds.claims.covers.cover_engine import engine_of
from dpbounds.claims.covers.cover_replay import NUMBERS, check_cover
from dpbounds.claims.evidence.certificate import EARLIER
from dpbounds.claims.evidence.judged import judged
from dpbounds.claims.evidence.order_range_replay import check_range
from dpbounds.claims.evidence.prove import Proved, prove, taken_from
from dpbounds.claims.evidence.sealing import of_proof
from dpbounds.claims.plans import Proof
from dpbounds.claims.stated import Stated
from dpbounds.claims.statement import instance
from dpbounds.claims.statement.assumptions import assumptions_of
from dpbounds.claims.statement.checked import CheckedParts
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import CertificateError
from dpbounds.kernel.terms import Refused


@dataclass(frozen=True)
class Replayed:
    """A certificate that survived.

    Attributes:
        claim: the claim's id.
        verdict: what the certificate establishes.
        checked: what was checked on the checker's own arithmetic and what rests on the engine; None for proofs and citations.
        document: the document of the steps that the proof checker accepts.
    """

    claim: str
    verdict: Verdict
    checked: CheckedParts | None
    document: str | None = None

    @property
    def checked_by(self) -> str:
        """In words: "intervals and rationals", how much of it rests on the engine that found it, the kernel, or that it is cited."""
        if self.checked is None:
            return "a citation, not checked" if self.document is None else f"the kernel, document {self.document}"
        return str(self.checked)


def replay(document: Mapping[str, Any], claim: Claim | None = None) -> Replayed:
    """Check a certificate again.

    Args:
        document: the certificate, as `certificate.read` returns it.
        claim: the claim it should be about; needed for proofs, and compared with the certificate's statement when given.

    Raises:
        CertificateError: the certificate does not establish its verdict.
    """
    try:
        if claim is not None:
            require_claim(document["claim"], document["statement_hash"], claim)
        method, verdict = document["method"], document["verdict"]
        if (method, verdict) in (("derivation", "PROVED"), ("citation", "ASSUMED")):
            # It is about the claim's own statement, which may speak of kernels and functions that no text is read back to.
            if claim is not None and claim.statement != document["statement"]:
                raise CertificateError(f"{document['claim']}: the certificate writes its statement in another way than the claim")
            return _check_proof(document, claim)
        statement = Stated.read(document["claim"], document["statement"], document["statement_hash"])
        if (method, verdict) == ("counterexample", "REFUTED"):
            return Replayed(document["claim"], Verdict.REFUTED, _check_point(document["claim"], statement, document["evidence"]))
        if (method, verdict) == ("boxes", "CERTIFIED"):
            asked = statement.names, statement.then, statement.constraints
            by = check_cover(document["claim"], *asked, document["evidence"], partial(engine_of, *asked))
            return Replayed(document["claim"], Verdict.CERTIFIED, by)
        if verdict == "CERTIFIED" and (method == "document" or method == "descent" and "text" in document["evidence"]):
            return Replayed(document["claim"], Verdict.CERTIFIED, None, _check_document(statement, document))
        if method == "descent":
            raise CertificateError(f"{document['claim']}: {EARLIER}")
        if (method, verdict) == ("order range", "CERTIFIED"):
            by = check_range(document["claim"], statement.then, statement.constraints, document["evidence"])
            return Replayed(document["claim"], Verdict.CERTIFIED, by)
        raise CertificateError(f"{document['claim']}: no method {method!r} establishes {verdict!r}")
    except CertificateError:
        raise
    except Exception as error:  # a document that anyone may have written fails in ways that cannot be listed
        raise CertificateError(f"malformed certificate: {error.__class__.__name__}: {str(error).splitlines()[:1]}") from error


def require_claim(identifier: str, statement_hash: str, claim: Claim) -> None:
    """Check that a certificate is about a claim.

    Raises:
        CertificateError: it is about another one, or about another statement.
    """
    if identifier != claim.id:
        raise CertificateError(f"the certificate is about {identifier}, not about {claim.id}")
    if claim.statement_hash != statement_hash:
        raise CertificateError(f"{identifier}: the certificate is about another statement than the claim")


def _check_document(statement: Stated, document: Mapping[str, Any]) -> str:
    """By the proof checker alone, from the document that the certificate carries; its name."""
    claim = Claim(id=document["claim"], text="", then=statement.then, given=statement.given)
    try:
        return judged(claim, str(document["evidence"]["text"])).name
    except Refused as error:
        raise CertificateError(f"{document['claim']}: {error}") from error


# --- points --------------------------------------------------------------------------------------------------------


def _check_point(claim: str, statement: Stated, evidence: Mapping[str, Any]) -> CheckedParts:
    if set(evidence) not in ({"point"}, {"point", "cover"}, {"point", "cover", NUMBERS}):
        raise CertificateError(
            "the evidence of a counterexample must have the key point, with or without cover and numbers; write the certificate again"
        )
    point = point_of(statement, evidence["point"])
    _check_kinds(point)
    conditions = [*((c, True) for c in statement.constraints), (statement.then, False)]
    if "cover" in evidence:
        numbers = evidence.get(NUMBERS, [])
        if NUMBERS in evidence and not numbers:
            raise CertificateError("the list of certificates of numbers is empty; write the certificate again")
        if evidence["cover"] != point_to_document(claim, statement, point, numbers):
            raise CertificateError("the document shows something else than the failure at this point")
        return CheckedParts(len(conditions), 0, "conditions", by_numbers=len(conditions) if numbers else 0)
    for condition, wanted in conditions:
        if instance.truth_at(condition, point) is not wanted:
            raise CertificateError(f"the point does not {'satisfy' if wanted else 'violate'} {condition}")
    return CheckedParts(len(conditions), len(conditions), "conditions")


def _check_kinds(point: Mapping[Any, Any]) -> None:
    """Every value must be a real number and what its symbol assumes."""
    for key, value in point.items():
        symbol = key[1] if isinstance(key, sympy.IndexedBase) else key
        for entry in value if isinstance(value, tuple) else (value,):
            here = {key: (entry,) if isinstance(value, tuple) else entry}
            good = (
                entry.is_number
                and entry.is_finite
                and entry.is_real
                and (entry.is_Integer or not symbol.is_integer)
                and all(instance.truth_at(condition, here) for condition in assumptions_of(symbol))
            )
            if not good:
                raise CertificateError(f"the certificate gives {entry} for {key}, which does not fit the declaration of that variable")


# --- proofs --------------------------------------------------------------------------------------------------------


def _check_proof(document: Mapping[str, Any], claim: Claim | None) -> Replayed:
    if claim is None or not isinstance(claim.by, Proof):
        raise CertificateError(f"{document['claim']}: a proof is replayed by running its steps, so the claim's own file is needed")
    text = document["evidence"].get("text")
    outcome = (
        prove(claim, claim.by)
        if text is None
        else taken_from(text, claim, claim.by) or "the proof checker does not take the claim from its document"
    )
    if not isinstance(outcome, Proved):
        raise CertificateError(f"{document['claim']}: {outcome}")
    again = of_proof(claim, outcome)
    if (again["evidence"], again["verdict"]) != (document["evidence"], document["verdict"]):
        raise CertificateError(f"{document['claim']}: the steps of the derivation are not those of the certificate")
    return Replayed(document["claim"], outcome.verdict, None, outcome.document)
