"""Infinite sums with a bound at every lower end."""

import pytest

from dpbounds.claims.evidence.ways import by_majorants
from dpbounds.notation import Rational, Sum, claim, exp, oo, positive, positive_integer, real

k, m = positive_integer("k"), positive_integer("m")
z, r, s = real("z"), positive("r"), positive("s")

TWINS = {
    "telescope": ([], Sum(1 / (k * (k + 1)), (k, m, oo)), 1 / m, Rational(99, 100) / m),
    "squares": ([], Sum(1 / k**2, (k, m + 1, oo)), 2 / (2 * m + 1), 2 / (2 * m + Rational(6, 5))),
    "geometric": ([r < 1], Sum(r**k, (k, m, oo)), r**m / (1 - r), Rational(99, 100) * r**m / (1 - r)),
    "exponential": ([], Sum(exp(-s * k), (k, m + 1, oo)), exp(-s * m) / s, exp(-s * m) / (s * Rational(11, 10) + 1)),
    "powers": ([z > 1], Sum(k ** (-z), (k, m + 1, oo)), m ** (1 - z) / (z - 1), m ** (1 - z) / (z + 1)),
    "gaussian": ([], Sum(exp(-s * k**2), (k, m, oo)), exp(-s * m**2) / (1 - exp(-2 * s * m)), exp(-s * m**2)),
}


@pytest.mark.parametrize("name", TWINS)
def test_a_document_of_the_true_claim_and_none_of_its_twin(name):
    given, total, bound, twin = TWINS[name]
    found = by_majorants(claim("It holds.", given, total <= bound), None)
    assert found is not None and found.statement is not None
    assert by_majorants(claim("It fails.", given, total <= twin), None) is None
