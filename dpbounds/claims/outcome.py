"""What became of a claim that was settled."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dpbounds.claims.support import Evidence, citations_of
from dpbounds.claims.verdict import Verdict


@dataclass(frozen=True)
class Outcome:
    """What became of a claim.

    Attributes:
        id: the claim.
        verdict: what the deciders established.
        method: which decider, in a word.
        detail: one line: the counterexample, the margin, or what is left.
        left: more lines for UNDECIDED: boxes, margin, suspects.
        seconds: of processor time.
        evidence: what the verdict rests on, without what the claim uses; empty for UNDECIDED.
        certificate: the JSON document, None for UNDECIDED.
        mutant: outcome of the false twin, None without one.
        bad_input: UNDECIDED because the claim itself is at fault: malformed, empty or outside of the claim language.
        next_step: what to try for UNDECIDED, chosen for this claim.
        spent: UNDECIDED because all boxes of a budget were examined: more time would not help.
    """

    id: str
    verdict: Verdict
    method: str
    detail: str
    left: tuple[str, ...] = ()
    seconds: float = 0.0
    evidence: tuple[Evidence, ...] = ()
    certificate: dict[str, Any] | None = field(default=None, repr=False)
    mutant: Outcome | None = None
    bad_input: bool = False
    next_step: str = ""
    spent: bool = False

    @property
    def assumed(self) -> tuple[str, ...]:
        """The citations that the verdict rests on."""
        return citations_of(self.evidence)
