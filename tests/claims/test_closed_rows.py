"""Rows of binomial coefficients in closed form, with 0 and 1 among the values of a rate; false twins have a point and no document."""

from math import comb

import pytest
import sympy

from benchmarks.lemmas.lemma import lemma
from dpbounds.claims import clock
from dpbounds.claims.evidence.reductions.closed_ends import closed_ends
from dpbounds.claims.evidence.reductions.closed_rows import INDEX, closed_rows
from dpbounds.claims.evidence.ways import by_closed_ends, by_closed_rows, by_growing_rows
from dpbounds.claims.signs import with_signs
from dpbounds.notation import Abs, Rational, Sum, binomial, exp, index, positive, positive_integer, real, sqrt
from tests.lemmas import for_pairs

n, k, q, epsilon = positive_integer("n"), index("k", start=0), real("q"), positive("epsilon")
rate = [q >= 0, q <= 1]
law = binomial(n, k) * q**k * (1 - q) ** (n - k)
share = 1 - q + q * exp(epsilon)
mean = Sum(k * law * exp(-epsilon * k), (k, 0, n))
later = Sum(law * exp((k - 1) * epsilon), (k, 1, n))
rest = Sum(law * exp((k - 1) * epsilon), (k, 2, n)) + (1 - q) ** (n - 1) * (1 + (n - 1) * q)
pairs = Sum(k * (k - 1) * law, (k, 0, n))

LEMMAS = [
    lemma("moment", rate, Sum(law * exp(-epsilon * k), (k, 0, n)) <= 1, Sum(law * exp(-epsilon * k), (k, 0, n)) <= Rational(9, 10)),
    lemma("mean", rate, mean <= n * q * exp(-epsilon), mean <= Rational(9, 10) * n * q * exp(-epsilon)),
    lemma("without-the-first", rate, later <= n * q * share ** (n - 1), later <= Rational(19, 20) * n * q * share ** (n - 1)),
    lemma("pairs", rate, pairs <= n**2 * q**2, pairs <= n**2 * q**2 / 2),
    lemma("without-two", [*rate, n >= 2], rest <= share ** (n - 1), rest <= Rational(19, 20) * share ** (n - 1)),
]


@for_pairs(LEMMAS, quick=("mean",))
def test_the_true_one_has_a_document_and_the_twin_has_none(pair):
    found = by_closed_rows(with_signs(pair.true), None)
    assert found is not None and found.statement is not None
    assert by_closed_rows(with_signs(pair.twin), clock.now() + 0.5) is None


@pytest.mark.parametrize("low", [0, 1, 2])
@pytest.mark.parametrize("degree", [0, 1, 2])
def test_the_closed_form_is_the_sum(low, degree):
    """Against the terms added up, at 0, 1 and a rate between."""
    (way,) = closed_rows(with_signs(lemma("row", [*rate, n >= 2], Sum(k**degree * law * exp(2 - k), (k, low, n)) <= 1, q <= 0).true))
    names = {s.name: s for s in way.left.then.free_symbols}
    for number, at in ((3, 0), (3, 1), (4, sympy.Rational(1, 3))):
        terms = (comb(number, j) * j**degree * at**j * (1 - at) ** (number - j) * sympy.exp(2 - j) for j in range(low, number + 1))
        value = way.left.then.lhs.subs(names["n"], number).subs(names["q"], at)
        assert sympy.simplify(value - sum(terms)) == 0


def test_the_closed_form_beside_a_reciprocal_is_the_sum():
    (way,) = closed_rows(with_signs(lemma("row", rate, Sum(law / (k + 1), (k, 1, n)) <= 1, q <= 0).true))
    names = {s.name: s for s in way.left.then.free_symbols}
    value = way.left.then.lhs.subs(names["n"], 4).subs(names["q"], sympy.Rational(1, 3))
    at = sympy.Rational(1, 3)
    assert value == sum(comb(4, j) * at**j * (1 - at) ** (4 - j) / (j + 1) for j in range(1, 5))


r, z = positive("r z")
own = binomial(n, k) * r**k * (1 - r) ** (n - k)
root, clones, second = Sum(own * sqrt(k), (k, 0, n)), Sum(own / (k + 1), (k, 0, n)), Sum(own * k**2, (k, 0, n))
size, tangent = Sum(own * Abs(k - n * r), (k, 0, n)), Sum(own * exp(z * k**2), (k, 0, n))
variance = n * r * (1 - r)
BESIDE = [
    lemma("root", [r <= 1], root <= sqrt(n * r), root <= Rational(9, 10) * sqrt(n * r)),
    lemma("clones", [r <= 1], clones <= 1 / ((n + 1) * r), clones <= 1 / ((n + Rational(11, 10)) * r)),
    lemma("second-moment", [r <= 1], second <= n**2 * r**2 + n * r, second <= n**2 * r**2 + n * r / 10),
    lemma("inverse", [r <= 1], clones >= 1 / (1 + n * r), clones >= 1 / (1 + Rational(4, 5) * n * r)),
    lemma("deviation", [r < 1], size <= sqrt(variance), size <= Rational(3, 4) * sqrt(variance)),
    lemma("first-values", [r <= 1], tangent >= 1 + n * r * (exp(z) - 1), tangent >= 1 + n**2 * r * (exp(z) - 1)),
]


QUICK = ("clones", "second-moment")


@pytest.mark.parametrize("pair", [pytest.param(e, id=e.true.id, marks=[pytest.mark.slow] * (e.true.id not in QUICK)) for e in BESIDE])
def test_a_function_beside_a_law_has_a_document_and_the_twin_has_none(pair):
    found = by_closed_rows(with_signs(pair.true), None)
    assert found is not None and found.statement is not None
    assert by_closed_rows(with_signs(pair.twin), clock.now() + 0.5) is None


def test_the_first_values_are_values_of_the_polynomial():
    """The polynomials through the first values are equal to the function there, so only what follows is compared."""
    ways = [way for way in closed_rows(with_signs(BESIDE[-1].true)) if way.term[2]]
    assert [way.term[2] for way in ways] == [1, 2]
    for way in ways:
        for at in range(way.term[2]):
            assert sympy.simplify((way.term[0].then.lhs - way.term[0].then.rhs).subs(INDEX, at)) == 0


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
