"""What a verdict rests on: methods, citations and boxes, over the claim and everything that it uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from dpbounds.claims.claim import Claim
from dpbounds.errors import ClaimError


@dataclass(frozen=True)
class Evidence:
    """What one method contributes to a verdict.

    Attributes:
        method: "derivation", "document", "boxes", "order range", "counterexample" or "citation".
        citations: the statements taken from the literature, each with its source.
        checked: leaves of covers that a checker settled which shares no code with the search.
        engine: leaves that rest on the ball engine, which found them.
    """

    method: str
    citations: tuple[str, ...] = ()
    checked: int = 0
    engine: int = 0

    def __str__(self) -> str:
        boxes = f" ({self.checked + self.engine})" if self.checked + self.engine else ""
        named = "; ".join(self.citations)
        word = "of" if self.method == "citation" else "citing"
        by = " checked by the kernel" if self.method in ("derivation", "document") else ""
        return f"{self.method}{by}{boxes}" + (f" {word} [{named}]" if named else "")

    def to_json(self) -> dict[str, Any]:
        """The entry of the JSON document."""
        leaves = {"checked": self.checked, "engine": self.engine}
        return {"method": self.method, "citations": list(self.citations), "leaves": leaves}


def used_by(claim: Claim, claims: Mapping[str, Claim]) -> tuple[str, ...]:
    """The ids of everything that a claim uses, transitively; without the claim itself.

    Args:
        claim: the claim.
        claims: all claims by id.

    Raises:
        ClaimError: claims that use each other in a circle.
    """
    found: dict[str, None] = {}

    def visit(identifier: str, path: tuple[str, ...]) -> None:
        if identifier in path:
            raise ClaimError(f"claims use each other in a circle: {' -> '.join((*path, identifier))}")
        for used in claims[identifier].uses:
            visit(used, (*path, identifier))
            found[used] = None

    visit(claim.id, ())
    return tuple(found)


def union(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """One entry for each method: its citations without repetition, its boxes added up.

    >>> [str(e) for e in union([Evidence("boxes", engine=3), Evidence("citation", ("A",)), Evidence("boxes", ("B",), 2)])]
    ['boxes (5) citing [B]', 'citation of [A]']
    """
    parts: dict[str, list[Evidence]] = {}
    for entry in evidence:
        parts.setdefault(entry.method, []).append(entry)
    return tuple(
        Evidence(
            method,
            tuple(sorted({citation for entry in entries for citation in entry.citations})),
            sum(entry.checked for entry in entries),
            sum(entry.engine for entry in entries),
        )
        for method, entries in sorted(parts.items())
    )


def citations_of(evidence: Iterable[Evidence]) -> tuple[str, ...]:
    """Every citation of a set of evidence, once."""
    return tuple(sorted({citation for entry in evidence for citation in entry.citations}))
