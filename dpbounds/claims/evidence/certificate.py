"""Certificates: what was found, as JSON that `replay` can check again."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import sympy

from dpbounds import __version__
from dpbounds.claims.boxes.certify import SearchedCover
from dpbounds.claims.boxes.order_range import RangeCover
from dpbounds.claims.claim import Claim
from dpbounds.claims.counterexamples.point_text import open_cover, point_of, point_to_document
from dpbounds.claims.counterexamples.refute import Refutation
from dpbounds.claims.covers.cover_export import NotConfirmed, document_of
from dpbounds.claims.covers.cover_replay import NUMBERS, checked_cover
from dpbounds.claims.covers.cover_text import statements_of
from dpbounds.claims.covers.number_search import numbers_for
from dpbounds.claims.evidence.order_range_replay import check_range
from dpbounds.claims.evidence.prove import Proved
from dpbounds.claims.stated import Stated
from dpbounds.claims.statement.expression_text import write_expression
from dpbounds.claims.statement.typed import as_term
from dpbounds.claims.verdict import Verdict
from dpbounds.covers.algebra import is_opaque
from dpbounds.errors import CertificateError
from dpbounds.files import write_whole

SCHEMA = "dpbounds-certificate/2"
_BEFORE = "dpbounds-certificate/1"
"""It held statements as text of sympy's expressions."""
SUFFIXES = (".json", ".json.gz")
_LONGEST = 50_000_000
_SECONDS = 5.0
"""Processor time for the numbers of a point."""
_KINDS: dict[str, type] = {
    "dpbounds": str,
    "claim": str,
    "statement": dict,
    "statement_hash": str,
    "verdict": str,
    "method": str,
    "evidence": dict,
}
_FIELDS = {"schema", *_KINDS, "digest"}


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
    return _sealed(claim, Verdict.REFUTED, "counterexample", {"point": point} | shown)


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
        return _sealed(claim, Verdict.CERTIFIED, "boxes", {"cover": document, "leaves": checked.parts, "engine": checked.by_engine})
    raise reasons[0]


def of_descent(claim: Claim, found: Mapping[str, Any]) -> dict[str, Any]:
    """The certificate of a descent of derivatives: a tree of signs, slopes and limits for each part of the statement."""
    return _sealed(claim, Verdict.CERTIFIED, "descent", dict(found))


def of_document(claim: Claim, text: str) -> dict[str, Any]:
    """The certificate of a claim that the proof checker takes from a document."""
    return _sealed(claim, Verdict.CERTIFIED, "document", {"text": text})


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
    return _sealed(claim, Verdict.CERTIFIED, "order range", evidence)


def of_proof(claim: Claim, found: Proved) -> dict[str, Any]:
    """The certificate of a proof: its document, by name or as text, or the steps of a cited statement, and what it cites."""
    evidence = {
        "derivation": found.name,
        "document": found.document,
        "steps": list(found.steps),
        "assumed": [_assumed(a) for a in found.assumed],
    }
    written = {} if found.text is None else {"text": found.text}
    return _sealed(claim, found.verdict, found.method, evidence | written)


def leaves_of(evidence: Mapping[str, Any]) -> int:
    """How many leaves its covers have; 0 for points and proofs."""
    return int(evidence.get("leaves", 0))


def resting_on_engine(evidence: Mapping[str, Any]) -> int:
    """How many of the leaves only the engine settles."""
    return int(evidence.get("engine", 0))


def digest_of(document: Mapping[str, Any]) -> str:
    """SHA-256 of a certificate without its digest, in canonical form."""
    body = {key: value for key, value in document.items() if key != "digest"}
    return hashlib.sha256(json.dumps(body, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def write(document: Mapping[str, Any], folder: Path) -> Path:
    """Write a certificate to `folder/<claim>.json`, whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{document['claim']}.json"
    write_whole(target, _text(document))
    return target


def pack(document: Mapping[str, Any], folder: Path) -> Path:
    """Write a certificate to `folder/<claim>.json.gz`; a file that says the same is left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{document['claim']}.json.gz"
    if target.is_file() and _text_of(target) == _text(document):
        return target
    write_whole(target, gzip.compress(_text(document).encode(), 9, mtime=0))
    return target


def find(folder: Path, identifier: str) -> Path | None:
    """The file of a claim's certificate in a folder, packed or not."""
    for suffix in SUFFIXES:
        if (path := folder / f"{identifier}{suffix}").is_file():
            return path
    return None


def _text(document: Mapping[str, Any]) -> str:
    return json.dumps(document, indent=1, sort_keys=True) + "\n"


def _text_of(path: Path) -> str:
    """The text of a file, packed or not, as long as no certificate is longer.

    Raises:
        OSError: a file that cannot be read or unpacked.
        ValueError: no text, or too long a one.
    """
    if path.suffix != ".gz":
        return path.read_text(encoding="utf-8")
    try:
        with gzip.open(path) as file:
            content = file.read(_LONGEST + 1)
    except (EOFError, zlib.error) as error:
        raise OSError(str(error)) from error
    if len(content) > _LONGEST:
        raise ValueError(f"more than {_LONGEST} bytes")
    return content.decode("utf-8")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object, no key of which occurs twice: readers would differ on what it says."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no JSON")


def read(path: Path) -> dict[str, Any]:
    """Read a certificate and check its form and its digest.

    Raises:
        CertificateError: unreadable, another schema, missing or extra fields, or a digest that does not fit.
    """
    try:
        document = json.loads(_text_of(path), object_pairs_hook=_each_once, parse_constant=_no_number)
    except (OSError, ValueError, RecursionError) as error:
        raise CertificateError(f"{path}: not a readable certificate ({error.__class__.__name__})") from error
    schema = document.get("schema") if isinstance(document, dict) else None
    if schema == _BEFORE:
        raise CertificateError(
            f"{path}: an earlier version wrote this certificate; `dpbounds check` with the file of the claim makes it again"
        )
    if schema != SCHEMA:
        raise CertificateError(f"{path}: not a certificate of schema {SCHEMA}")
    if set(document) != _FIELDS:
        raise CertificateError(f"{path}: fields {sorted(set(document) ^ _FIELDS)} are missing or unknown")
    if not all(isinstance(document[field], kind) for field, kind in _KINDS.items()):
        raise CertificateError(f"{path}: {', '.join(_KINDS)} are not all of their kinds")
    if document["digest"] != digest_of(document):
        raise CertificateError(f"{path}: the digest does not fit the content, so the certificate was edited")
    return document


def _sealed(claim: Claim, verdict: Verdict, method: str, evidence: dict[str, Any]) -> dict[str, Any]:
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "dpbounds": __version__,
        "claim": claim.id,
        "statement": claim.statement,
        "statement_hash": claim.statement_hash,
        "verdict": verdict.value,
        "method": method,
        "evidence": evidence,
    }
    document["digest"] = digest_of(document)
    return document


def _assumed(item: Any) -> dict[str, str]:
    statement = as_term(item.statement) if isinstance(item.statement, sympy.Basic) else None
    return {
        "statement": str(item.statement if statement is None else statement),
        "citation": str(item.citation),
    }
