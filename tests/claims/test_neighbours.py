"""Neighbours in a row of binomial coefficients, and one term of a row."""

import pytest

from dpbounds.claims.evidence.ways import by_neighbours, by_one_place
from dpbounds.notation import binomial, claim, positive, positive_integer

k, n = positive_integer("k"), positive_integer("n")
q = positive("q")

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


def test_one_term_is_at_most_the_row():
    term = binomial(n, k) * q**k * (1 - q) ** (n - k)
    found = by_one_place(claim("It holds.", [k <= n, q < 1], term <= 1), None)
    assert found is not None and found.statement is not None
    assert by_one_place(claim("It may fail.", [k <= n, q < 1], term <= q), None) is None
    assert by_one_place(claim("No sign of 1 − q.", [k <= n], term <= 1), None) is None


@pytest.mark.parametrize(("given", "size"), [([k <= n], n), ([], n + k)])
def test_one_term_is_at_most_half_of_its_row(given, size):
    found = by_one_place(claim("It holds.", given, binomial(size, k) <= 2 ** (size - 1)), None)
    assert found is not None and found.statement is not None
    assert by_one_place(claim("It fails.", given, binomial(size, k) <= 2 ** (size - 2)), None) is None
    assert by_one_place(claim("It fails for k = 0.", given, binomial(size, k - 1) <= 2 ** (size - 1)), None) is None
