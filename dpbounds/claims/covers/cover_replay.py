"""Check a cover document against the statement that it is to show.

The document is checked by `dpbounds.covers`, which shares no code with the search, and by `dpbounds.recheck.leaves` where there are
certificates of the numbers that leaves need. Two things are done here, and are trusted: the statement of the document is compared with the
one that is asked for, and what these leave open is given to the engine, and counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dpbounds.claims.covers.cover_refuted import refusing
from dpbounds.claims.statement.checked import CheckedParts
from dpbounds.claims.statement.cover_text import CoverWriter, statements_of
from dpbounds.covers.algebra import is_opaque
from dpbounds.covers.check import Leaf
from dpbounds.covers.cover import Cover, Statement
from dpbounds.covers.document import read
from dpbounds.errors import CertificateError
from dpbounds.kernel.terms import Refused
from dpbounds.recheck.leaves import check_with_numbers
from dpbounds.recheck.numbers import Refused as NumberRefused

FIELDS = {"cover", "leaves", "engine"}
NUMBERS = "numbers"
"""The field of the certificates of numbers, which may be left out."""
EngineOf = Callable[[CoverWriter, Cover], Callable[[Leaf], bool]]
"""Builds the tests of leaves that only the engine evaluates."""


def check_cover(
    claim: str,
    names: Mapping[str, Any],
    then: Any,
    constraints: Sequence[Any],
    evidence: Mapping[str, Any],
    engine_of: EngineOf | None = None,
) -> CheckedParts:
    """Check the evidence of a certificate, its numbers of leaves included; see `checked_cover`.

    Raises:
        CertificateError: another statement, a document that is refused, or other numbers of leaves.
    """
    if set(evidence) - {NUMBERS} != FIELDS:
        raise CertificateError("a certificate of a cover needs " + ", ".join(sorted(FIELDS)))
    if NUMBERS in evidence and not (type(evidence[NUMBERS]) is list and evidence[NUMBERS]):
        raise CertificateError(f"{NUMBERS} must be a list with at least one certificate, or be left out")
    found = checked_cover(claim, names, then, constraints, evidence["cover"], engine_of, evidence.get(NUMBERS, ()))
    if [(type(n), n) for n in (evidence["leaves"], evidence["engine"])] != [(int, found.parts), (int, found.by_engine)]:
        raise CertificateError(f"{claim}: the numbers of leaves are not those of the cover")
    return found


def checked_cover(
    claim: str,
    names: Mapping[str, Any],
    then: Any,
    constraints: Sequence[Any],
    document: Mapping[str, Any],
    engine_of: EngineOf | None = None,
    numbers: Sequence[Mapping[str, Any]] = (),
) -> CheckedParts:
    """Check a document against a statement, and say by what it was checked.

    Args:
        claim: the claim's name.
        names: the variables of the statement by name.
        then: the conclusion.
        constraints: premises and assumptions of the symbols.
        document: the fields of the document.
        engine_of: builds what judges the leaves that rest on the engine; without it they are only counted.
        numbers: certificates of numbers that leaves need.

    Raises:
        CertificateError: another statement, a document that is refused, or leaves that rest on the engine without need.
    """
    try:
        cover = read(document)
        writer = next((w for w, stated in statements_of(claim, names, then, constraints) if _is_same(cover.statement, stated)), None)
        if writer is None:
            raise CertificateError(f"{claim}: the cover is about another statement")
        found = check_with_numbers(cover, numbers, refusing(cover, None if engine_of is None else engine_of(writer, cover)))
    except (Refused, NumberRefused) as reason:
        raise CertificateError(f"{claim}: {reason}") from None
    except RecursionError:
        raise CertificateError(f"{claim}: the cover is nested too deeply") from None
    if found.by_engine + found.by_numbers and not _is_opaque(cover.statement):
        raise CertificateError(f"{claim}: leaves of a statement that is evaluated here rest on the engine")
    return CheckedParts(found.leaves, found.by_engine, "leaves", by_numbers=found.by_numbers)


def _is_same(found: Statement, wanted: Statement) -> bool:
    """The same statement; the variables are in the order of the boxes, and what the engine evaluates in the order of the file."""
    parts = ("claim", "integers", "given", "then")
    unordered = set(found.variables) == set(wanted.variables) and dict(found.engine) == dict(wanted.engine)
    return unordered and all(getattr(found, part) == getattr(wanted, part) for part in parts)


def _is_opaque(statement: Statement) -> bool:
    return any(map(is_opaque, (statement.then, *statement.given)))
