"""Prove a claim: from the document of its derivation, where the proof checker takes the claim from it; else by the derivation itself.

Then the derivation is built, and must end in what the claim states, up to names, under no more than the claim assumes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.claims import definedness
from dpbounds.claims.claim import Claim
from dpbounds.claims.documents import document_of
from dpbounds.claims.domain import Domain
from dpbounds.claims.plans import Proof
from dpbounds.claims.renaming import in_names_of
from dpbounds.claims.verdict import Verdict
from dpbounds.errors import ClaimError, DerivationError, DPBoundsError
from dpbounds.prover.derivation import Derivation
from dpbounds.prover.facts import CARRIERS, Fact, ancestors


@dataclass(frozen=True)
class Proved:
    """A derivation that establishes a claim.

    Attributes:
        name: the derivation's name, or that of its document.
        count: the number of steps of what was checked: of the document, or of the derivation.
        steps: the steps of the derivation as JSON, where it was built; () where the document suffices.
        assumed: statements taken from the literature, with citations; empty for a full proof.
        verdict: PROVED, or ASSUMED where the claim is nothing but such a statement.
        document: the document from which the proof checker takes the claim, if there is one that it accepts.
    """

    name: str
    count: int
    steps: tuple[Any, ...] = ()
    assumed: tuple[Any, ...] = ()
    verdict: Verdict = Verdict.PROVED
    document: str | None = None

    @property
    def kernel(self) -> bool | None:
        """Whether the proof checker accepts a document of it; None where nothing is derived."""
        return None if self.verdict is Verdict.ASSUMED else self.document is not None

    @property
    def method(self) -> str:
        """What the evidence calls it."""
        return "citation" if self.verdict is Verdict.ASSUMED else "derivation"


def prove(claim: Claim, plan: Proof) -> Proved | str:
    """Take the claim from the document of its derivation, or build the derivation and compare it with the claim.

    Returns:
        The proof, or the reason why it does not establish the claim: a step that fails, another conclusion, an assumption that the
        claim does not make.
    """
    if (known := _from_document(claim)) is not None:
        return known
    try:
        derivation = plan.build()
    except DerivationError as error:
        return f"the derivation does not build: {error}"
    except DPBoundsError:
        raise
    except Exception as error:
        raise ClaimError(f"claim {claim.id}: building its derivation raised {type(error).__name__}: {error}") from error
    if type(derivation) is not Derivation or type(derivation.result) is not Fact:
        # Anything can have a conclusion; only the rules of the kernel make facts.
        raise ClaimError(f"claim {claim.id}: Proof needs a Derivation of dpbounds.prover, got {type(derivation).__name__}")
    found = _established(claim, derivation)
    if isinstance(found, Proved):
        return found
    for other in in_names_of(claim, derivation.conclusion, derivation.assumptions):
        if isinstance(proved := _established(other, derivation), Proved):
            return (_from_document(other) if proved.verdict is Verdict.PROVED else None) or proved
    return found


def _from_document(claim: Claim) -> Proved | None:
    document = document_of(claim)
    return None if document is None else Proved(document.name, document.steps, document=document.name)


def _established(claim: Claim, derivation: Derivation) -> Proved | str:
    """What a derivation shows of a claim in the derivation's own names, or why it does not."""
    if not same_statement(derivation.conclusion, claim.then):
        return f"the derivation ends in {derivation.conclusion}, the claim states {claim.then}"
    if missing := _undefined(claim, derivation.conclusion):
        return f"the claim writes its sides otherwise than the derivation, and that needs {', '.join(map(str, missing))}"
    extra = [a for a in derivation.assumptions if not follows(a, Domain.of(claim).constraints)]
    if extra:
        return f"the derivation also assumes {', '.join(map(str, extra))}"
    verdict = Verdict.ASSUMED if _only_cited(derivation) else Verdict.PROVED
    return Proved(derivation.name, len(derivation.steps), tuple(derivation.to_json()["steps"]), tuple(derivation.assumed), verdict)


def _only_cited(derivation: Derivation) -> bool:
    """True when the conclusion is a cited statement, or such statements carried on and rewritten, with nothing proved."""
    if not derivation.assumed:
        return False
    if any(same_statement(derivation.conclusion, item.statement) for item in derivation.assumed):
        return True
    return all(fact.rule in (*CARRIERS, "restate") for fact in ancestors([derivation.result]))


def _undefined(claim: Claim, conclusion: Any) -> list[Boolean]:
    """Conditions under which the claim's statement has a value, beyond those of the derived one and of the domain."""
    if claim.then == conclusion:
        return []
    known = set(definedness.conditions_of(conclusion))
    wanted = [condition for condition in definedness.conditions_of(claim.then) if condition not in known]
    return definedness.unsettled(wanted, Domain.of(claim).constraints)


def follows(assumption: Boolean, constraints: tuple[Boolean, ...]) -> bool:
    """True when an assumption of a derivation is a premise of the claim, or follows from one premise.

    >>> x = sympy.Symbol("x", real=True)
    >>> follows(x > 0, (x >= 1,)), follows(x > 2, (x >= 1,))
    (True, False)
    """
    if assumption is sympy.true or assumption in constraints:
        return True
    if isinstance(assumption, sympy.And):
        return all(follows(part, constraints) for part in assumption.args)
    if any(same_statement(assumption, constraint) for constraint in constraints):
        return True
    return isinstance(assumption, sympy.core.relational.Relational) and not definedness.unsettled([assumption], constraints)


def same_statement(left: Boolean, right: Boolean) -> bool:
    """True when two statements say the same relation between the same two sides, up to sympy's canonical form.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> same_statement(x <= y, y >= x), same_statement(x < y, x <= y)
    (True, False)
    """
    if left == right:
        return True
    if isinstance(left, (sympy.And, sympy.Or)) and type(left) is type(right) and len(left.args) == len(right.args):
        rest = list(right.args)
        for part in left.args:
            match = next((other for other in rest if same_statement(part, other)), None)
            if match is None:
                return False
            rest.remove(match)
        return True
    if not all(isinstance(s, sympy.core.relational.Relational) for s in (left, right)):
        return False
    first, second = _oriented(left), _oriented(right)
    if first[0] is not second[0]:
        return False
    pairs = [(first[1], second[1]), (first[2], second[2])]
    if all(a == b for a, b in pairs):
        return True
    if first[0] in (sympy.Eq, sympy.Ne) and first[1] == second[2] and first[2] == second[1]:
        return True
    return all(a == b or sympy.expand(a - b) == 0 for a, b in pairs)


def _oriented(relation: Any) -> tuple[type, sympy.Expr, sympy.Expr]:
    if isinstance(relation, (sympy.Ge, sympy.Gt)):
        return (sympy.Le if isinstance(relation, sympy.Ge) else sympy.Lt), relation.rhs, relation.lhs
    return type(relation), relation.lhs, relation.rhs
