"""Documents of claims about partial sums of the exponential series."""

from typing import Any

import pytest
from sympy import E, Rational, Sum, exp, factorial, oo

from dpbounds import Claim
from dpbounds.claims import clock
from dpbounds.claims.evidence.judged import judged
from dpbounds.claims.evidence.ways import by_exponential_sums
from dpbounds.kernel.terms import Refused
from dpbounds.language.symbols import index, nonnegative, positive, positive_integer

a, u, n, k, j, i = positive("a"), nonnegative("u"), positive_integer("n"), index("k"), index("j", start=0), index("i")
mass, pairs = exp(-a) * a**j / factorial(j), Sum(j * (j - 1) * a**j / factorial(j), (j, 0, oo))
row, tail = Sum(u**j / factorial(j), (j, 0, n)), exp(-a) * Sum(a**i / factorial(i), (i, 2, oo))
mean, whole, ones = Sum(mass / (j + 1), (j, 0, oo)), Sum(mass, (j, 0, n)), Sum(1 / factorial(k), (k, 1, n))
TWINS: dict[str, tuple[Any, Any]] = {
    "a whole row": (row <= exp(u), row <= exp(u) * Rational(9, 10)),
    "from 1 on": (ones <= E - 1, ones <= E - Rational(3, 2)),
    "from 2 on": (tail <= a**2 / 2, tail <= a**2 / 3),
    "pairs": (pairs <= a**2 * exp(a), pairs <= a * exp(a)),
    "reciprocals": (mean <= 1 / a, mean <= 1 / (2 * a)),
    "from n on": (Sum(mass, (j, n, oo)) <= a**n / factorial(n), Sum(mass, (j, n, oo)) <= Rational(9, 10) * a**n / factorial(n)),
    "from below": (whole >= 1 - a ** (n + 1) / factorial(n + 1), whole >= 1 - a ** (n + 1) / factorial(n + 2)),
}


@pytest.mark.parametrize("name", TWINS)
def test_a_document_of_the_true_claim_and_none_of_its_twin(name: str) -> None:
    claim, wrong = (Claim(id="a", text="It holds.", given=[], then=statement) for statement in TWINS[name])
    found = by_exponential_sums(claim, None)
    assert found is not None and found.statement is not None
    assert by_exponential_sums(wrong, clock.now() + 0.5) is None
    with pytest.raises(Refused, match="something else"):
        judged(wrong, found.text)
