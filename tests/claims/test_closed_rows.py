"""Rows of binomial coefficients in closed form, with 0 and 1 among the values of a rate; false twins have a point and no document."""

from math import comb

import pytest
import sympy

from benchmarks.lemmas.lemma import lemma
from dpbounds.claims import clock
from dpbounds.claims.evidence.reductions.closed_ends import closed_ends
from dpbounds.claims.evidence.reductions.closed_rows import closed_rows
from dpbounds.claims.evidence.ways import by_closed_ends, by_closed_rows, by_growing_rows
from dpbounds.claims.signs import with_signs
from dpbounds.notation import Rational, Sum, binomial, exp, index, positive, positive_integer, real
from tests.lemmas import for_pairs

n, k, q, epsilon = positive_integer("n"), index("k", start=0), real("q"), positive("epsilon")
rate = [q >= 0, q <= 1]
law = binomial(n, k) * q**k * (1 - q) ** (n - k)
share = 1 - q + q * exp(epsilon)
mean = Sum(k * law * exp(-epsilon * k), (k, 0, n))
pairs, shares = Sum(k * (k - 1) * law, (k, 0, n)), Sum(law / (k + 1), (k, 0, n))
later = Sum(law * exp((k - 1) * epsilon), (k, 1, n))
rest = Sum(law * exp((k - 1) * epsilon), (k, 2, n)) + (1 - q) ** (n - 1) * (1 + (n - 1) * q)

LEMMAS = [
    lemma("moment", rate, Sum(law * exp(-epsilon * k), (k, 0, n)) <= 1, Sum(law * exp(-epsilon * k), (k, 0, n)) <= Rational(9, 10)),
    lemma("mean", rate, mean <= n * q * exp(-epsilon), mean <= Rational(9, 10) * n * q * exp(-epsilon)),
    lemma("pairs", rate, pairs <= n**2 * q**2, pairs <= n**2 * q**2 / 2),
    lemma("shares", [q > 0, q < 1], shares <= 1 / ((n + 1) * q), shares <= 1 / ((n + 2) * q)),
    lemma("without-the-first", rate, later <= n * q * share ** (n - 1), later <= Rational(19, 20) * n * q * share ** (n - 1)),
    lemma("without-two", [*rate, n >= 2], rest <= share ** (n - 1), rest <= Rational(19, 20) * share ** (n - 1)),
]


@for_pairs(LEMMAS, quick=("mean", "pairs", "shares"))
def test_the_true_one_has_a_document_and_the_twin_has_none(pair):
    found = by_closed_rows(with_signs(pair.true), None)
    assert found is not None and found.statement is not None
    assert by_closed_rows(with_signs(pair.twin), clock.now() + 0.5) is None


@pytest.mark.parametrize("low", [0, 1, 2])
@pytest.mark.parametrize("degree", [0, 1, 2, -1])
def test_the_closed_form_is_the_sum(low, degree):
    """Against the terms added up, at 0, 1 and a rate between."""
    weight = k**degree if degree >= 0 else 1 / (k + 1)
    (way,) = closed_rows(with_signs(lemma("row", [*rate, n >= 2], Sum(weight * law * exp(2 - k), (k, low, n)) <= 1, q <= 0).true))
    names = {s.name: s for s in way.left.then.free_symbols}
    for number, at in ((3, 0), (3, 1), (4, sympy.Rational(1, 3))):
        if degree < 0 and at == 0:
            continue
        value_at = {j: j**degree if degree >= 0 else sympy.Rational(1, j + 1) for j in range(low, number + 1)}
        terms = (comb(number, j) * w * at**j * (1 - at) ** (number - j) * sympy.exp(2 - j) for j, w in value_at.items())
        value = way.left.then.lhs.subs(names["n"], number).subs(names["q"], at)
        assert sympy.simplify(value - sum(terms)) == 0


def test_an_end_is_no_part_of_the_rest():
    """A claim that is false at the end alone has no document."""
    pair = lemma("end", [q <= 1], (1 - q) ** n + n >= 1 - q, (1 - q) ** n > 0)
    (way,) = closed_ends(with_signs(pair.true))
    assert (way.end, way.at.then.rhs) == (1, 0)
    assert by_closed_ends(with_signs(pair.twin), clock.now() + 0.5) is None


def test_a_row_with_a_growing_weight():
    """By the weight at the last term; less than that is false for q near 1, and a weight with another sign is at most 1."""
    row, fall = (Sum(law * exp(sign * k * (k - 1) * epsilon), (k, 0, n)) for sign in (1, -1))
    inside = [q > 0, q < 1]
    pair = lemma("grows", inside, row <= exp(n * (n - 1) * epsilon), row <= exp(n * (n - 1) * epsilon / 2))
    found = by_growing_rows(with_signs(pair.true), None)
    assert found is not None and found.statement is not None
    assert by_growing_rows(with_signs(pair.twin), clock.now() + 0.5) is None
    falls = by_growing_rows(with_signs(lemma("falls", inside, fall <= 1, fall <= q).true), None)
    assert falls is not None and falls.statement is not None
