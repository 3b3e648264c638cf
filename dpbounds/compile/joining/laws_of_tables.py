"""A claim about tables of numbers from one about laws of any length. Nothing here is believed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from dpbounds.compile.families.by_cases import AT, ByCases
from dpbounds.compile.joining.joined import ClaimCompiler
from dpbounds.kernel.terms import Term, at_most, node, number

if TYPE_CHECKING:
    from dpbounds.claims.evidence.reductions.laws_of_tables import LawsOfTables


def laws_document(name: str, claim: tuple[Any, Sequence[Any]], way: LawsOfTables, texts: Sequence[str]) -> str:
    """The document of a claim about tables.

    Args:
        name: of the document.
        claim: conclusion and premises.
        way: the claim about laws.
        texts: its document.

    Raises:
        NotWritten: it does not say the claim.
    """
    return _Tables(*claim).document_of_tables(name, way, texts[0])


class _Tables(ClaimCompiler):
    def document_of_tables(self, name: str, way: LawsOfTables, text: str) -> str:
        cases = ByCases(self.steps, self.known)
        values = {**self.names, way.length: number(len(next(iter(way.tables.values()))))}
        end, *defined = cases.taken(text, values, {law: self._by_place([*map(self.read.term, t)]) for law, t in way.tables.items()})
        self.known += defined
        rows = cases.branches(self.steps.formula(end), self.known)
        return self.ended(name, self.steps.sum_of(self.goal, [end], [*rows, *self.known]))

    def _by_place(self, entries: Sequence[Term]) -> Term:
        """The entry at an index, the last one beyond."""
        pairs = [(at_most(AT, number(k)), entry) for k, entry in enumerate(entries[:-1], 1)]
        return reduce(lambda rest, pair: node("ite", *pair, rest), reversed(pairs), entries[-1])
