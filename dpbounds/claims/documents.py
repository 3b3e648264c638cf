"""Proof documents: whether the proof checker accepts the document of a derivation, and whether it says what the derivation does.

A document is `proofs/documents/NAME.jsonl`. `dpbounds.claims.write_documents` writes them; nothing here believes what is written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from dpbounds.claims.collect import catalogue_folder
from dpbounds.kernel import checker
from dpbounds.kernel.checker import Statement
from dpbounds.kernel.terms import DEPTH, Refused, need
from dpbounds.prover.statements import NotConverted, Statements, sequent

SUFFIX = ".jsonl"


def folder() -> Path:
    """Where the documents of the catalogue lie."""
    return catalogue_folder() / "documents"


def accepted(name: str, where: Path) -> Statement:
    """What a document proves, checked now with all documents that it rests on.

    Raises:
        Refused: there is no such document, it has another name, or the checker refuses it or one that it rests on.
    """
    file = (where / f"{name}{SUFFIX}").resolve()
    need(file.is_file() and file.parent == where.resolve(), f"there is no document {name}")
    return _accepted(name, where, file.stat().st_mtime_ns, file.stat().st_size)


@lru_cache(maxsize=512)
def _accepted(name: str, where: Path, *state: int) -> Statement:
    found: dict[str, Statement] = {}
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20 * DEPTH))
    _visit(name, where, found, ())
    return found[name]


def _visit(name: str, where: Path, found: dict[str, Statement], path: tuple[str, ...]) -> None:
    need(name not in path, "documents rest on each other in a circle")
    file = where / f"{name}{SUFFIX}"
    need(file.is_file(), f"there is no document {name}")
    rows = checker.parse(file.read_text(encoding="utf-8"))
    for other in sorted(checker.lemmas(rows) - found.keys()):
        need(other.replace("-", "").isalnum(), "no name of a document")
        _visit(other, where, found, (*path, name))
    statement = checker.check(rows, found)
    need(statement.name == name, f"the document {name} calls itself {statement.name}")
    found[name] = statement


def proves(statement: Statement, conclusion: Any, assumptions: Iterable[Any]) -> bool:
    """True if a document proves this conclusion, under no more than these assumptions, without a citation."""
    try:
        given, claim = sequent(Statements(), conclusion, assumptions)
    except (NotConverted, Refused):
        return False
    return statement.claim == claim and set(statement.given) <= set(given) and not statement.citations


def document_of(derivation: Any, where: Path | None = None) -> str | None:
    """The name of the accepted document that proves what a derivation ends in, or None."""
    try:
        found = accepted(derivation.name, folder() if where is None else where)
    except (Refused, OSError, ValueError):
        return None
    return derivation.name if proves(found, derivation.conclusion, derivation.assumptions) else None
