"""What a false derivation must not have."""

from dpbounds.kernel.terms import Refused
from dpbounds.prover.facts import Fact
from dpbounds.prover.rewriting.documents import Stuck, document


def without_document(fact: Fact) -> bool:
    """Whether no proof document is written from a fact."""
    try:
        document("wrong", fact, {})
    except (Stuck, Refused):
        return True
    return False
