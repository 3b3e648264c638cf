"""The certificate of what was found, once its checker accepts it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import sympy

from dpbounds.claims.boxes.tree import SearchedCover
from dpbounds.claims.claim import Claim
from dpbounds.claims.counterexamples.point_text import open_cover, point_of, point_to_document
from dpbounds.claims.counterexamples.refute import Refutation
from dpbounds.claims.covers.cover_export import NotConfirmed, document_of
from dpbounds.claims.covers.cover_replay import NUMBERS, checked_cover
from dpbounds.claims.covers.number_search import numbers_for
from dpbounds.claims.evidence.certificate import sealed
from dpbounds.claims.evidence.order_range_replay import check_range
from dpbounds.claims.stated import Stated
from dpbounds.claims.statement.cover_text import statements_of
from dpbounds.claims.statement.expression_text import write_expression
from dpbounds.claims.statement.typed import as_term
from dpbounds.claims.verdict import Verdict
from dpbounds.covers.algebra import is_opaque

if TYPE_CHECKING:
    from dpbounds.claims.boxes.order_range import RangeCover
    from dpbounds.claims.evidence.prove import Proved

_SECONDS = 5.0
"""Processor time for the numbers of a point."""


def of_refutation(claim: Claim, found: Refutation) -> dict[str, Any]:
    """The certificate of a counterexample."""
    point: dict[str, Any] = {}
    for key, value in found.point.items():
        point[str(key)] = [write_expression(v) for v in value] if isinstance(value, tuple) else write_expression(value)
    stated = Stated.read(claim.id, claim.statement, claim.statement_hash)
    asked = claim.id, stated, point_of(stated, point)
    document, numbers = point_to_document(*asked), []
    if document is None and (opened := open_cover(*asked)) is not None and is_opaque(opened.statement.then):
        numbers = numbers_for(opened, _SECONDS)
        document = point_to_document(*asked, numbers) if numbers else None
    shown = {} if document is None else {"cover": document} | ({NUMBERS: numbers} if numbers else {})
    return sealed(claim, Verdict.REFUTED, "counterexample", {"point": point} | shown)


def of_cover(claim: Claim, found: SearchedCover, bits: int) -> dict[str, Any]:
    """The certificate of a complete cover: a document that the checker of covers accepted.

    Raises:
        NotConfirmed: the checker does not accept what was found.
        CertificateError: a statement that no text is read back to.
    """
    stated = Stated.read(claim.id, claim.statement, claim.statement_hash)
    asked = claim.id, stated.names, stated.then, stated.constraints
    reasons: list[NotConfirmed] = []
    for writer, statement in statements_of(*asked):
        try:
            document = json.loads(json.dumps(document_of(statement, writer, found, bits)))
            checked = checked_cover(*asked, document)
        except NotConfirmed as reason:
            reasons.append(reason)
            continue
        return sealed(claim, Verdict.CERTIFIED, "boxes", {"cover": document, "leaves": checked.parts, "engine": checked.by_engine})
    raise reasons[0]


def of_document(claim: Claim, text: str) -> dict[str, Any]:
    """The certificate of a claim that the proof checker takes from a document."""
    return sealed(claim, Verdict.CERTIFIED, "document", {"text": text})


def of_range(claim: Claim, found: RangeCover) -> dict[str, Any]:
    """The certificate of a bound on a range of orders, accepted by its checker.

    Raises:
        CertificateError: the checker does not accept it.
    """
    wanted = found.wanted
    numbers = {name: str(getattr(wanted, name)) for name in ("bound", "least_sigma", "least_inverse", "slack")}
    numbers |= {"most_inverse_log": str(found.root[1][1]), "direction": "add" if wanted.add else "remove"}
    evidence = {"range": numbers, "tree": found.tree, "leaves": sum(found.methods.values())}
    stated = Stated.read(claim.id, claim.statement, claim.statement_hash)
    check_range(claim.id, stated.then, stated.constraints, evidence)
    return sealed(claim, Verdict.CERTIFIED, "order range", evidence)


def of_proof(claim: Claim, found: Proved) -> dict[str, Any]:
    """The certificate of a proof: its document, by name or as text, or the steps of a cited statement, and what it cites."""
    evidence = {
        "derivation": found.name,
        "document": found.document,
        "steps": list(found.steps),
        "assumed": [_assumed(a) for a in found.assumed],
    }
    written = {} if found.text is None else {"text": found.text}
    return sealed(claim, found.verdict, found.method, evidence | written)


def _assumed(item: Any) -> dict[str, str]:
    statement = as_term(item.statement) if isinstance(item.statement, sympy.Basic) else None
    return {"statement": str(item.statement if statement is None else statement), "citation": str(item.citation)}
