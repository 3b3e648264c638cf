"""What a false derivation must not have."""

from collections.abc import Callable

import pytest

from dpbounds.kernel.terms import Refused
from dpbounds.prover.facts import Fact
from dpbounds.prover.rewriting.documents import Stuck, document


def has_no_document(build: Callable[[], Fact]) -> None:
    """Check that no proof document is written from the fact that a function makes."""
    fact = build()
    with pytest.raises((Stuck, Refused)):
        document("wrong", fact, {})
