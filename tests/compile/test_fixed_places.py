"""Claims that speak of single places of a family beside its sums, as exponential mechanisms do: true ones, false twins, random families."""

import math
import random

from benchmarks.lemmas.lemma import lemma
from dpbounds.claims.evidence.compiled import written
from dpbounds.notation import Abs, Rational, Sum, exp, family, for_each, index, log, nonnegative, positive, positive_integer
from tests.lemmas import assert_the_true_one_has_a_document_and_the_twin_a_point, for_pairs

n, m = positive_integer("n m")
i = index("i")
over = (i, 1, n)
x, y = family("x", "real"), family("y", "real")
c = family("c", "positive")
epsilon, t = nonnegative("epsilon"), positive("t")


def total(term):
    """Σ over the places."""
    return Sum(term, over)


near = for_each(over, Abs(x[i] - y[i]) <= epsilon)
first = for_each(over, x[i] <= x[1])
weights = total(exp(t * x[i]))


def softmax(k, factor):
    """That one outcome of an exponential mechanism changes by so much."""
    return exp(x[k]) / total(exp(x[i])) <= exp(factor * epsilon) * exp(y[k]) / total(exp(y[i]))


LEMMAS = [
    lemma("largest-score", [first], log(total(exp(x[i]))) <= x[1] + log(n), log(total(exp(x[i]))) <= x[1] + log(n) - Rational(1, 50)),
    lemma("one-score", [m <= n], log(total(exp(x[i]))) >= x[m], log(total(exp(x[i]))) >= x[m] + Rational(1, 50)),
    lemma("one-of-many", [m <= n], total(c[i]) >= c[m], total(c[i]) >= Rational(51, 50) * c[m]),
    lemma("normalizers", [near], log(total(exp(x[i]))) <= log(total(exp(y[i]))) + epsilon,
          log(total(exp(x[i]))) <= log(total(exp(y[i]))) + Rational(9, 10) * epsilon),
    lemma("exponential-mechanism", [near, m <= n], softmax(m, 2), softmax(m, Rational(19, 10))),
    lemma("its-first-outcome", [near], softmax(1, 2), softmax(1, Rational(3, 2))),
    lemma("its-loss", [first], total((x[1] - x[i]) * exp(t * (x[i] - x[1]))) <= log(n) / t * total(exp(t * (x[i] - x[1]))),
          total((x[1] - x[i]) * exp(t * (x[i] - x[1]))) <= log(n) / (3 * t) * total(exp(t * (x[i] - x[1])))),
    lemma("its-utility", [first], total(x[i] * exp(t * x[i])) >= (x[1] - log(n) / t) * weights,
          total(x[i] * exp(t * x[i])) >= (x[1] - log(n) / (4 * t)) * weights),
]  # fmt: skip


@for_pairs(LEMMAS)
def test_the_true_one_has_a_document_and_the_twin_has_none(pair):
    assert_the_true_one_has_a_document_and_the_twin_a_point(pair)


@for_pairs(LEMMAS)
def test_no_document_of_a_false_twin(pair):
    assert written(pair.twin, 0.3).statement is None


def test_a_place_outside_of_the_family_is_not_spoken_of():
    """Without m ≤ n nothing is known of x_m."""
    beyond = lemma("beyond", [], log(total(exp(x[i]))) >= x[m], log(total(exp(x[i]))) >= x[m])
    assert written(beyond.true, 0.3).statement is None


def test_random_scores():
    """What was shown holds of scores drawn at random."""
    rng = random.Random(3)
    for _ in range(200):
        size, e, b = rng.randrange(1, 6), rng.uniform(0, 2), rng.uniform(0.1, 3)
        scores = [rng.uniform(-3, 3) for _ in range(size)]
        moved = [s + rng.uniform(-e, e) for s in scores]
        one, other = (math.fsum(map(math.exp, s)) for s in (scores, moved))
        k, best = rng.randrange(size), max(scores)
        assert best - 1e-9 <= math.log(one) <= best + math.log(size) + 1e-9
        assert math.log(one) <= math.log(other) + e + 1e-9
        assert math.exp(scores[k]) / one <= math.exp(2 * e) * math.exp(moved[k]) / other * (1 + 1e-9)
        mass = math.fsum(math.exp(b * s) for s in scores)
        assert math.fsum(s * math.exp(b * s) for s in scores) >= (best - math.log(size) / b) * mass - 1e-9 * mass
