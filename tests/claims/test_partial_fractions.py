"""Sums of fractions by their parts; false twins have a point and no document."""

import pytest
import sympy

from benchmarks.lemmas.lemma import lemma
from dpbounds.claims import clock
from dpbounds.claims.evidence.reductions.partial_fractions import partial_fractions
from dpbounds.claims.evidence.ways import by_fractions
from dpbounds.claims.signs import with_signs
from dpbounds.notation import Rational, Sum, index, log, positive_integer
from tests.lemmas import for_pairs

n, i = positive_integer("n"), index("i")
whole, half = Sum(1 / (i * (n + 1 - i)), (i, 1, n)), Sum(1 / (i * (2 * n + 1 - i)), (i, 1, n))
shifted = Sum(1 / ((i + 2) * (n + 3 - i)), (i, 1, n))

LEMMAS = [
    lemma("whole", [], whole <= 2 * (1 + log(n)) / (n + 1), whole <= 2 * (Rational(19, 20) + log(n)) / (n + 1)),
    lemma("half", [], half <= (1 + log(2 * n)) / (2 * n + 1), half <= (Rational(3, 4) + log(2 * n)) / (2 * n + 1)),
]


@for_pairs(LEMMAS, slow=("half",))
def test_the_true_one_has_a_document_and_the_twin_has_none(pair):
    found = by_fractions(with_signs(pair.true), clock.now() + 8.0)
    assert found is not None and found.statement is not None
    assert by_fractions(with_signs(pair.twin), clock.now() + 0.5) is None


@pytest.mark.parametrize("total", [whole, half, shifted, Sum(1 / (i * (i + n)), (i, 1, n))])
def test_the_parts_are_the_sum(total):
    """Against the terms added up."""
    *_, way = partial_fractions(with_signs(lemma("sum", [], total <= 1, total <= 0).true))
    own = with_signs(lemma("sum", [], total <= 1, total <= 0).true).then.lhs
    for number in (1, 2, 5):
        assert way.left.then.lhs.subs(sympy.Symbol("n", integer=True, positive=True), number).doit() == own.subs(
            sympy.Symbol("n", integer=True, positive=True), number).doit()  # fmt: skip
