"""The proof document of a derivation that was just built. What writes it is not trusted: it counts once the proof checker accepts it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dpbounds.claims.evidence.documents import accepted, folder
from dpbounds.errors import DerivationError
from dpbounds.kernel import checker
from dpbounds.kernel.checker import Statement
from dpbounds.kernel.terms import Refused
from dpbounds.prover.derivation import Derivation
from dpbounds.prover.derivation import built as built_recipes


def document_text(name: str, built: Derivation) -> str:
    """The document of a derivation, accepted by the checker together with the stored ones that it rests on.

    Args:
        name: of the document.
        built: the derivation.

    Raises:
        DerivationError: the first step that was not derived again with the checker's rules, or why the checker refuses the document.
    """
    from dpbounds.prover.rewriting.documents import Stuck, document

    others = _lemmas(name)
    try:
        try:
            with _deep_recursion():
                text = document(name, built.result, others)
        except Stuck as why:
            if why.rule != "definedness" or not others:
                raise
            with _deep_recursion():
                text = document(name, built.result, {})  # the facts behind a document show what is defined, it does not
        checker.check(checker.parse(text), {proved.name: proved for proved in others.values()})
    except (Stuck, Refused) as why:
        raise DerivationError(f"{'the checker: ' if isinstance(why, Refused) else ''}{why}") from None
    return text


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Room for a search that follows premises of premises; taken back, for a reader of hostile files must stop before the stack does."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 20_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _lemmas(name: str) -> dict[int, Statement]:
    """What the documents of other derivations prove that were built on the way, by the identity of the fact."""
    found: dict[Any, Statement] = {}
    for other, derivation in built_recipes().items():
        try:
            if other != name:
                found[id(derivation.result)] = accepted(other, folder())
        except Refused:
            continue
    return found
