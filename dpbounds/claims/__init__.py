"""Claims: the record, the deciders, certificates and replay."""

from __future__ import annotations

from dpbounds.claims.boxes.evaluators import register_all
from dpbounds.claims.boxes.mechanism_quantities import mechanism_delta, mechanism_renyi
from dpbounds.claims.boxes.quantified import holds_at
from dpbounds.claims.brackets import Bracket, tighten
from dpbounds.claims.claim import Claim, Mutant
from dpbounds.claims.counterexamples.extremes import decide
from dpbounds.claims.outcome import Outcome
from dpbounds.claims.plans import Boxes, Citation, Counterexample, Identity, OrderRange, Proof, Search
from dpbounds.claims.settling import settle
from dpbounds.claims.source import Source
from dpbounds.claims.statement.instance import register_extremes, register_throughout
from dpbounds.claims.verdict import ASSUMED, FAILS, HOLDS, OPEN, Expectation, Verdict

register_all()
register_extremes(decide)
register_throughout(holds_at)

__all__ = [
    "ASSUMED",
    "FAILS",
    "HOLDS",
    "OPEN",
    "Boxes",
    "Bracket",
    "Citation",
    "Claim",
    "Counterexample",
    "Expectation",
    "Identity",
    "Mutant",
    "OrderRange",
    "Outcome",
    "Proof",
    "Search",
    "Source",
    "Verdict",
    "mechanism_delta",
    "mechanism_renyi",
    "settle",
    "tighten",
]
