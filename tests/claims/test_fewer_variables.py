"""Claims with one variable less, where variables move together; false twins have a point and no document."""

import sympy

from benchmarks.lemmas.lemma import lemma
from dpbounds.claims.evidence.reductions.fewer_variables import with_fewer_variables
from dpbounds.claims.signs import with_signs
from dpbounds.notation import Abs, Claim, Rational, exp, log, positive_integer, real, sqrt
from tests.lemmas import assert_only_the_true_one_has_a_document, for_pairs

a, b, c, d, s, x, y, z = real("a b c d s x y z")
n, m = positive_integer("n m")

LEMMAS = [
    lemma("in-a-quotient", [x >= 0, z > 0, exp(x) <= n * exp(-z)], exp(x) / n + sqrt(exp(x) / n) <= exp(-z / 2) + exp(-z),
          exp(x) / n + sqrt(exp(x) / n) <= exp(-z / 2) + exp(-2 * z)),
    lemma("in-squares", [x > 0, z > 0], sqrt(n) * x * z <= n * x**2 / 2 + z**2 / 2, sqrt(n) * x * z <= n * x**2 / 2 + z**2 / 3),
    lemma("shifted-together", [x >= 0, c > 0], c * (x + y) * exp(-c * y) <= exp(c * x - 1), c * (x + y) * exp(-c * y) <= exp(c * x - 2)),
    lemma("scaled-with-a-size", [c > 0], Abs(x) * c <= x**2 / 2 + c**2 / 2, Abs(x) * c <= x**2 / 2 + c**2 / 3),
    lemma("four-together", [a > 0, b > 0, c > 0, d > 0], sqrt(a * b * c * d) <= a * b / 2 + c * d / 2,
          sqrt(a * b * c * d) <= a * b / 2 + c * d / 3),
]  # fmt: skip


@for_pairs(LEMMAS)
def test_the_true_one_has_a_document_and_the_twin_has_none(pair):
    assert_only_the_true_one_has_a_document(pair, with_signs)


def test_what_does_not_move_together_is_left_alone():
    assert not list(with_fewer_variables(with_signs(Claim(id="a", given=[x > 0, y > 0], then=x * log(y) <= x**2 + y))))
    assert not list(with_fewer_variables(with_signs(Claim(id="a", given=[x > 0], then=x + Rational(1, 10**6) * x**2 >= 0))))


def test_a_premise_that_moves_otherwise_is_dropped_and_one_that_moves_alike_is_kept():
    (way,) = with_fewer_variables(with_signs(Claim(id="a", given=[x > 0, y > 0, x <= 1, x <= 2 * y], then=x**2 <= 4 * y**2)))
    (t,) = way.parts[0][0].variables
    assert way.parts[0][0].given == (t > 0, sympy.Le(1, 2 * t, evaluate=False))
