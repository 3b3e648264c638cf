"""Lemmas with false twins as cases of a test, and what each test of a way to documents asserts of them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pytest

from benchmarks.lemmas.lemma import Lemma
from dpbounds.claims.claim import Claim
from dpbounds.claims.counterexamples.refute import Refutation
from dpbounds.claims.counterexamples.search import search
from dpbounds.claims.evidence.compiled import written
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.claims.evidence.ways import Compiled, from_descent
from dpbounds.claims.plans import Search


def for_pairs(lemmas: Iterable[Lemma], quick: Iterable[str] | None = None, slow: Iterable[str] = ()) -> pytest.MarkDecorator:
    """A test for each lemma, called `pair` and known by its name; `slow` are those of that name, or all but the `quick` ones."""
    named = {lemma.true.id: lemma for lemma in lemmas}
    late = set(slow) if quick is None else named.keys() - set(quick)
    cases = [pytest.param(lemma, id=name, marks=[pytest.mark.slow] * (name in late)) for name, lemma in named.items()]
    return pytest.mark.parametrize("pair", cases)


def assert_the_true_one_has_a_document_and_the_twin_a_point(pair: Lemma, stated: Callable[[Claim], Claim] = lambda claim: claim) -> None:
    """The lemma has a document, its twin is refuted. `stated` is what is done to the lemma before."""
    found = written(stated(pair.true), 8.0)
    assert found.statement is not None, (found.reason, found.detail)
    assert isinstance(search(pair.twin, Search(tries=600)), Refutation)


def assert_only_the_true_one_has_a_document(pair: Lemma, stated: Callable[[Claim], Claim] = lambda claim: claim) -> None:
    """The lemma has a document; its twin is refuted, and has none in half a second."""
    assert_the_true_one_has_a_document_and_the_twin_a_point(pair, stated)
    assert written(stated(pair.twin), 0.5).statement is None


def assert_only_the_true_one_has_a_document_of_its_descent(
    twins: tuple[Iterable[Any], Any, Any], compiled: Callable[[Claim, Mapping[str, Any]], Compiled] = from_descent
) -> None:
    """Premises, a conclusion and a false one: the descent of the true claim is its document, without citations, and none of the false."""
    given, *conclusions = twins
    claim, wrong = (Claim(id="a", text="It holds.", given=tuple(given), then=then) for then in conclusions)
    certificate = certificate_of(claim, 5.0)
    assert certificate is not None
    found = compiled(claim, certificate)
    assert found.statement is not None and not found.statement.citations, (found.reason, found.detail)
    assert compiled(wrong, certificate).statement is None
