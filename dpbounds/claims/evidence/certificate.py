"""Certificates as files: JSON with a digest, packed or not, that `replay` can check again."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpbounds import __version__
from dpbounds.claims.claim import Claim
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import CertificateError
from dpbounds.files import write_whole

SCHEMA = "dpbounds-certificate/2"
_BEFORE = "dpbounds-certificate/1"
"""It held statements as text of sympy's expressions."""
EARLIER = "an earlier version wrote this certificate; `dpbounds check` with the file of the claim makes it again"
SUFFIXES = (".json", ".json.gz")
_LONGEST = 50_000_000
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
        raise CertificateError(f"{path}: {EARLIER}")
    if schema != SCHEMA:
        raise CertificateError(f"{path}: not a certificate of schema {SCHEMA}")
    if set(document) != _FIELDS:
        raise CertificateError(f"{path}: fields {sorted(set(document) ^ _FIELDS)} are missing or unknown")
    if not all(isinstance(document[field], kind) for field, kind in _KINDS.items()):
        raise CertificateError(f"{path}: {', '.join(_KINDS)} are not all of their kinds")
    if document["digest"] != digest_of(document):
        raise CertificateError(f"{path}: the digest does not fit the content, so the certificate was edited")
    return document


def sealed(claim: Claim, verdict: Verdict, method: str, evidence: dict[str, Any]) -> dict[str, Any]:
    """The certificate of a claim, with its digest."""
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
