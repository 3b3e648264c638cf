"""Claims: the record, the deciders, certificates and replay."""

from __future__ import annotations

from dpbounds.claims.claim import Claim, Mutant
from dpbounds.claims.evaluators import register_all
from dpbounds.claims.evidence import Boxes, Concave, Convex, Counterexample, Decreasing, Increasing, OrderRange, Proof, Search
from dpbounds.claims.mechanism_quantities import mechanism_delta, mechanism_renyi
from dpbounds.claims.settle import Outcome, settle
from dpbounds.claims.tighten import Bracket, tighten
from dpbounds.claims.verdict import ASSUMED, FAILS, HOLDS, OPEN, Expectation, Verdict

register_all()

__all__ = [
    "ASSUMED",
    "FAILS",
    "HOLDS",
    "OPEN",
    "Boxes",
    "Bracket",
    "Claim",
    "Concave",
    "Convex",
    "Counterexample",
    "Decreasing",
    "Expectation",
    "Increasing",
    "Mutant",
    "OrderRange",
    "Outcome",
    "Proof",
    "Search",
    "Verdict",
    "mechanism_delta",
    "mechanism_renyi",
    "settle",
    "tighten",
]
