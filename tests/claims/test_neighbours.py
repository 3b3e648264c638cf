"""Neighbours in a row of binomial coefficients."""

import pytest

from dpbounds.claims.evidence.ways import by_neighbours
from dpbounds.notation import binomial, claim, positive_integer

k, n = positive_integer("k"), positive_integer("n")

TWINS = {
    "log-concave": ([k <= n - 1], binomial(n, k - 1) * binomial(n, k + 1), binomial(n, k) ** 2, binomial(n, k) ** 2 / 2),
    "rises": ([k <= n], binomial(2 * n, k - 1), binomial(2 * n, k), 9 * binomial(2 * n, k) / 10),
    "ratio": ([k <= n], k * binomial(n, k), n * binomial(n, k - 1), (n - 1) * binomial(n, k - 1)),
}


@pytest.mark.parametrize("name", TWINS)
def test_a_document_of_the_true_claim_and_none_of_its_twin(name):
    given, small, large, twin = TWINS[name]
    found = by_neighbours(claim("It holds.", given, small <= large), None)
    assert found is not None and found.statement is not None
    assert by_neighbours(claim("It fails.", given, small <= twin), None) is None
