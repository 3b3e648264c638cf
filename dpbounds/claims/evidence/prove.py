"""Prove a claim: from the document of its derivation, where the proof checker accepts it and takes the claim from it.

The document is the stored one, or one that is written now, from the facts of the derivation. A derivation without one proves nothing, and
neither does sympy: how a claim follows from what a document proves is for the rules of the checker to say, up to names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from sympy.logic.boolalg import Boolean

from dpbounds.claims import clock
from dpbounds.claims.boxes.definedness import unsettled
from dpbounds.claims.claim import Claim
from dpbounds.claims.domain import Domain
from dpbounds.claims.evidence.documents import document_in, document_of, proves, would_prove
from dpbounds.claims.evidence.renaming import in_names_of
from dpbounds.claims.evidence.writing import document_text
from dpbounds.claims.plans import Proof
from dpbounds.claims.statement.canonical import orders_of
from dpbounds.claims.statement.typed import as_term
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import ClaimError, DerivationError, DPBoundsError
from dpbounds.kernel.terms import Refused
from dpbounds.language import definedness
from dpbounds.prover.derivation import Derivation
from dpbounds.prover.facts import Fact, ancestors

CARRIERS = ("assume", "cases", "conjunction", "discharge", "generalize", "hypothesis", "instance", "part", "restate", "specialize")
"""Rules that only carry a statement on, or write it in other words."""
SECONDS = 300.0
"""Processor time for the document of one derivation; the longest of the catalogue takes half of it."""


@dataclass(frozen=True)
class Proved:
    """A derivation that establishes a claim.

    Attributes:
        name: the derivation's name, or that of its document.
        count: the number of steps of what was checked: of the document, or of the derivation.
        steps: the steps of a derivation that only cites, as JSON; () where there is a document.
        assumed: statements taken from the literature, with citations; empty for a full proof.
        verdict: PROVED, or ASSUMED where the claim is nothing but such a statement.
        document: the name of the document from which the proof checker takes the claim; None where it is only cited.
        text: the document itself, where it was written now.
    """

    name: str
    count: int
    steps: tuple[Any, ...] = ()
    assumed: tuple[Any, ...] = ()
    verdict: Verdict = Verdict.PROVED
    document: str | None = None
    text: str | None = None

    @property
    def method(self) -> str:
        """What the evidence calls it."""
        return "citation" if self.verdict is Verdict.ASSUMED else "derivation"


def prove(claim: Claim, plan: Proof) -> Proved | str:
    """Take the claim from the document of its derivation: the stored one, or one that is written now from the derivation.

    Returns:
        The proof, or the reason why there is none: a step that fails or has no document, another conclusion, an assumption that the claim
        does not make.
    """
    if (known := document_of(claim)) is not None:
        return Proved(known.name, known.steps, document=known.name)
    try:
        derivation = plan.build()
    except DerivationError as error:
        return f"the derivation does not build: {error}"
    except DPBoundsError:
        raise
    except Exception as error:
        raise ClaimError(f"claim {claim.id}: building its derivation raised {type(error).__name__}: {error}") from error
    if type(derivation) is not Derivation or type(derivation.result) is not Fact:
        raise ClaimError(f"claim {claim.id}: Proof needs a Derivation of dpbounds.prover, got {type(derivation).__name__}")
    if derivation.result.rule == "assume" and any(_states(own, derivation) for own in _in_its_names(claim, derivation)):
        steps, assumed = tuple(derivation.to_json()["steps"]), tuple(derivation.assumed)
        return Proved(derivation.name, len(derivation.steps), steps, assumed, Verdict.ASSUMED)
    fitting = [own for own in _in_its_names(claim, derivation) if would_prove(derivation, own)]
    if not fitting:
        return _difference(claim, derivation)
    if (known := next((found for own in fitting if (found := document_of(own)) is not None), None)) is not None:
        return Proved(known.name, known.steps, document=known.name)
    name = re.sub(r"[^a-z0-9]+", "-", claim.id).strip("-")[:60]
    try:
        text = clock.within(clock.now() + SECONDS, partial(document_text, name, derivation))
    except clock.TimeIsUp:
        return f"the proof document of {derivation.name} takes more than {SECONDS:g} s of processor time"
    except DerivationError as why:
        return f"{derivation.name} has no proof document, and nothing else proves a claim: {why}"
    return taken_from(text, claim, plan, fitting) or f"the proof checker does not take the claim from the document of {derivation.name}"


def taken_from(text: str, claim: Claim, plan: Proof, fitting: Iterable[Claim] = ()) -> Proved | None:
    """The proof in a document that was written for a claim, if the proof checker accepts it and takes the claim from it; None otherwise.

    Args:
        text: the document.
        claim: the claim.
        plan: what derives it.
        fitting: the claim under other names, those of the derivation; its own names and then those are tried where there are none.
    """
    try:
        found = document_in(text)
    except Refused:
        return None
    if not any(proves(found, own) for own in fitting or _in_its_names(claim, plan.build())):
        return None
    if not found.citations:
        return Proved(found.name, found.steps, document=found.name, text=text)
    derivation = plan.build()
    assumed = tuple(item for item in derivation.assumed if item.citation in found.citations)
    if found.citations != {str(item.citation) for item in assumed}:
        return None
    verdict = Verdict.ASSUMED if _only_carries(derivation) else Verdict.PROVED
    return Proved(found.name, found.steps, (), assumed, verdict, document=found.name, text=text)


def _in_its_names(claim: Claim, derivation: Derivation) -> Iterator[Claim]:
    """The claim as it is, and in the names of the derivation: sympy renames, so both must be one statement as typed, whatever its names."""
    yield claim
    renamed = in_names_of(claim, derivation.conclusion, derivation.assumptions)
    yield from (own for own in renamed if own.statement_hash == claim.statement_hash)


def _states(claim: Claim, derivation: Derivation) -> bool:
    """Whether a claim is word for word what a derivation ends in, with all that it assumes among the premises."""
    return bool(derivation.conclusion == claim.then) and not _not_assumed(claim, derivation)


def _not_assumed(claim: Claim, derivation: Derivation) -> list[Boolean]:
    """What a derivation assumes and the claim does not."""
    return [a for a in derivation.assumptions if a not in Domain.of_claim(claim).constraints]


def _difference(claim: Claim, derivation: Derivation) -> str:
    """Why a claim is not what a derivation ends in."""
    ends = f"the derivation ends in {derivation.conclusion}, the claim states {claim.then}"
    if _pattern_of(derivation.conclusion) == _pattern_of(claim.then) and (extra := _not_assumed(claim, derivation)):
        return f"the derivation also assumes {', '.join(map(str, extra))}"
    wanted = unsettled(definedness.conditions_of(claim.then), Domain.of_claim(claim).constraints)
    return f"{ends}, which needs {', '.join(map(str, wanted))}" if wanted else f"{ends}, and the proof checker does not take it from that"


def _pattern_of(conclusion: Boolean) -> str:
    """The text of a conclusion, whatever its variables are called; empty where the notation has no term for it."""
    found = as_term(conclusion)
    return "" if found is None else orders_of(found)[0]


def _only_carries(derivation: Derivation) -> bool:
    """True when the conclusion is a cited statement that is carried on and rewritten, with nothing proved."""
    cited = any(derivation.conclusion == item.statement for item in derivation.assumed)
    return cited or all(fact.rule in CARRIERS for fact in ancestors([derivation.result]))
