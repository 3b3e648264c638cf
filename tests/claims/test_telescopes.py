"""Sums by what is left from each place on."""

import pytest

from dpbounds.claims import clock
from dpbounds.claims.evidence.ways import by_telescopes
from dpbounds.notation import Rational, Sum, claim, exp, factorial, index, log, oo, pi, positive, positive_integer, real, sqrt

k, m, j = positive_integer("k"), positive_integer("m"), index("j", start=0)
z, q, r, s = real("z"), real("q"), positive("r"), positive("s")
x = exp(-s)
zeta = 1 / (z - 1) + Rational(1, 2) + z / 12

TWINS = {
    "telescope": ([], Sum(1 / (k * (k + 1)), (k, m, oo)), 1 / m, Rational(99, 100) / m),
    "squares": ([], Sum(1 / k**2, (k, m + 1, oo)), 2 / (2 * m + 1), 2 / (2 * m + Rational(6, 5))),
    "geometric": ([r < 1], Sum(r**k, (k, m, oo)), r**m / (1 - r), Rational(99, 100) * r**m / (1 - r)),
    "exponential": ([], Sum(exp(-s * k), (k, m + 1, oo)), exp(-s * m) / s, exp(-s * m) / (s * Rational(11, 10) + 1)),
    "powers": ([z > 1], Sum(k ** (-z), (k, m + 1, oo)), m ** (1 - z) / (z - 1), m ** (1 - z) / (z + 1)),
    "gaussian": ([], Sum(exp(-s * k**2), (k, m, oo)), exp(-s * m**2) / (1 - exp(-2 * s * m)), exp(-s * m**2)),
    "from a number on": ([], Sum(exp(-s * k**2), (k, 1, oo)), x / (1 - x**3), x / (1 - x**4)),
    "a factor of two": ([s >= 1], Sum(k**2 * exp(-s * k**2), (k, 1, oo)), x * (1 + 5 * x**2), x * (1 + x**2)),
    "closed form": ([q > 0, q <= 1], Sum(k * q * (1 - q) ** (k - 1), (k, 1, oo)), 1 / q, Rational(99, 100) / q),
    "factorials": ([r <= 1], Sum(r**k / factorial(k), (k, 2, oo)), Rational(3, 4) * r**2, r**2 / 2),
    "a factor": ([], (1 - x) * Sum(exp(-s * k), (k, m, oo)) / (1 + x), (s / 4 + Rational(1, 2)) * x**m, (s / 5 + Rational(1, 2)) * x**m),
    "a mean with a factor": ([], (2 - 2 * x) / (1 + x) * Sum(k * exp(-s * k), (k, 1, oo)), 1 / s, 9 / (10 * s)),
    "a second moment": ([], Sum(j**2 * exp(-s * j), (j, 0, oo)), 2 / s**3, 1 / s**3),
    "a normal density": ([], Sum(exp(-(k**2) / (2 * s**2)), (k, 1, oo)), s * sqrt(pi / 2), s),
    "the first term apart": ([r < 1], Sum(r**j * (1 - r) / (j + 1), (j, 0, oo)), 1 - r / 2, 1 - 3 * r / 5),
    "to an end": ([], Sum(1 / (k + m) ** 2, (k, 1, m)), 1 / (2 * m), 1 / (3 * m)),
    "the last term apart": ([], Sum(1 / (m - k + 1), (k, 1, m)), log(m) + 1, log(m)),
    "logarithms": ([], Sum(log(1 + 1 / k), (k, 1, m)), log(m + 1), log(m)),
    "from the middle": ([], Sum(1 / k**3, (k, 1, m)), Rational(5, 4) - 1 / (4 * m**2), Rational(6, 5)),
    "factorials to an end": ([], Sum(k * factorial(k), (k, 1, m)), factorial(m + 1) - 1, factorial(m + 1) - 2),
    "zeta": ([z > 1], Sum(k ** (-z), (k, 1, oo)), zeta, 1 / (z - 1) + Rational(1, 2)),
    "zeta from a half": ([z > 1], Sum(k ** (-z), (k, m + 1, oo)), (m + Rational(1, 2)) ** (1 - z) / (z - 1), (m + 1) ** (1 - z) / (z - 1)),
}


SLOW = ("a factor of two", "zeta from a half", "powers", "zeta", "from a number on", "gaussian", "squares", "from the middle", "to an end")
SLOW += ("the last term apart", "a second moment", "a normal density", "the first term apart", "a mean with a factor")


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.slow] * (name in SLOW)) for name in TWINS])
def test_a_document_of_the_true_claim_and_none_of_its_twin(name):
    given, total, bound, twin = TWINS[name]
    found = by_telescopes(claim("It holds.", given, total <= bound), None)
    assert found is not None and found.statement is not None
    assert by_telescopes(claim("It fails.", given, total <= twin), clock.now() + 0.5) is None


def test_no_bound_is_taken_of_terms_that_rise():
    """Σ 2^k has no value; its closed form by Gosper's method is −2^m, which is no bound of terms that are not negative."""
    assert by_telescopes(claim("It fails.", [], Sum(2**k, (k, m, oo)) <= -(2**m)), clock.now() + 0.5) is None
