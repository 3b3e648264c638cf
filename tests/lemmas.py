"""What each test of a way to documents asserts of a lemma and its false twin."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.lemmas.lemma import Lemma
from dpbounds.claims.claim import Claim
from dpbounds.claims.counterexamples.refute import Refutation
from dpbounds.claims.counterexamples.search import search
from dpbounds.claims.evidence.compiled import written
from dpbounds.claims.plans import Search


def assert_only_the_true_one_has_a_document(
    pair: Lemma, stated: Callable[[Claim], Claim] = lambda claim: claim, seconds: float = 1.0
) -> None:
    """The lemma has a document; its twin is refuted, and has none in some seconds. `stated` is what is done to a claim before."""
    found = written(stated(pair.true), 8.0)
    assert found.statement is not None, (found.reason, found.detail)
    assert isinstance(search(pair.twin, Search(tries=600)), Refutation)
    assert written(stated(pair.twin), seconds).statement is None
