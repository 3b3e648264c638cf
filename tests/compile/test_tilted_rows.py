"""Tails of rows of binomial coefficients by Chernoff's bound: the lemma in numbers, and claims; false twins have a point."""

import math

import pytest

from benchmarks.lemmas.lemma import lemma
from dpbounds.claims.evidence.reductions.tilted import tilted_rows
from dpbounds.compile.joining.tilted_rows import chernoff_lemma
from dpbounds.kernel import checker
from dpbounds.notation import Rational, Sum, binomial, exp, index, positive_integer, real
from tests.lemmas import assert_only_the_true_one_has_a_document, for_pairs

m, n, j = *positive_integer("m n"), index("j", start=0)
q, x, t = real("q x t")
rate = [q > 0, q < 1, x >= 0, m <= n]
mass = binomial(n, j) * q**j * (1 - q) ** (n - j)
above, below = Sum(mass, (j, m, n)), Sum(mass, (j, 0, m))


@pytest.mark.parametrize("upper", [True, False])
def test_the_lemma_is_accepted_and_holds_in_numbers(upper):
    found = checker.check(checker.parse(chernoff_lemma(upper=upper)), {})
    assert found is not None
    for count, end, a, b, size in ((5, 2, 0.3, 0.7, 0.4), (4, 4, 1.5, 0.2, 0.0), (6, 1, 0.0, 1.0, 2.0), (3, 0, 0.4, 0.0, 1.0)):
        w = size if upper else -size
        part = range(end, count + 1) if upper else range(end + 1)
        total = sum(math.comb(count, k) * a**k * b ** (count - k) for k in part)
        assert total <= math.exp(-w * end) * (a * math.exp(w) + b) ** count + 1e-12


LEMMAS = [
    lemma("order", rate, above <= exp(-x * m) * (1 - q + q * exp(x)) ** n, above <= exp(-x * m) * (1 - q / 2 + q * exp(x) / 2) ** n),
    lemma("twice", [*rate, m >= n * (q + 2 * x)], above <= exp(-8 * n * x**2), above <= exp(-10 * n * x**2)),
    lemma("below", [*rate, m <= n * (q - x)], below <= exp(-2 * n * x**2), below <= exp(-3 * n * x**2)),
    lemma("means", [*rate, x <= 1, m <= (1 - x) * n * q], below <= exp(-n * q * x**2 / 2), below <= exp(-n * q * x**2)),
    lemma("half", [x >= 0, m <= n, 2 * m >= n + 2 * n * x], Sum(binomial(n, j), (j, m, n)) <= 2**n * exp(-2 * n * x**2),
          Sum(binomial(n, j), (j, m, n)) <= 2**n * exp(-Rational(7, 2) * n * x**2)),
]  # fmt: skip


@for_pairs(LEMMAS, quick=("order",))
def test_the_true_one_has_a_document_and_the_twin_has_none(pair):
    assert_only_the_true_one_has_a_document(pair)


def test_the_tilt_is_the_slope_of_the_exponent_against_the_end():
    way = next(tilted_rows(lemma("twice", [*rate, m >= n * (q + 2 * x)], above <= exp(-8 * n * x**2), above <= 1).true))
    assert str(way.tilt) == "8*x" and way.upper


def test_a_whole_row_and_a_sum_that_ends_before_the_row_are_left_alone():
    assert not list(tilted_rows(lemma("whole", rate, Sum(mass, (j, 0, n)) <= exp(x * m), Sum(mass, (j, 0, n)) <= 1).true))
    assert not list(tilted_rows(lemma("short", rate, Sum(mass, (j, 1, m)) <= exp(x * m), Sum(mass, (j, 1, m)) <= 1).true))
