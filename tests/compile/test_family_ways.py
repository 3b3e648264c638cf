"""Families by a tangent of a logarithm and by one root at each place: true statements have documents, false twins have a point."""

import pytest

from benchmarks.lemmas.lemma import lemma
from dpbounds.claims.counterexamples.refute import Refutation
from dpbounds.claims.counterexamples.search import search
from dpbounds.claims.evidence.compiled import written
from dpbounds.claims.plans import Search
from dpbounds.claims.signs import with_signs
from dpbounds.notation import *
from tests.lemmas import assert_the_true_one_has_a_document_and_the_twin_a_point, for_pairs

i, n, eta = index("i"), positive_integer("n"), real("eta")
over = (i, 1, n)
P = laws("P", over)
x = family("x")
unit = [for_each(over, x[i] <= 1), for_each(over, x[i] >= -1)]
part = [for_each(over, x[i] <= 1), for_each(over, x[i] >= 0)]


def total(term):
    return Sum(term, over)


LEMMAS = [
    lemma("second-moment", [P, *unit, eta >= 0, eta <= 1],
          log(total(P[i] * exp(eta * x[i]))) <= eta * total(P[i] * x[i]) + eta**2,
          log(total(P[i] * exp(eta * x[i]))) <= eta * total(P[i] * x[i]) + eta**2 / 20),
    lemma("chord-of-exponential", [P, *part], log(total(P[i] * exp(x[i]))) <= (E - 1) * total(P[i] * x[i]),
          log(total(P[i] * exp(x[i]))) <= (E - 2) * total(P[i] * x[i])),
    lemma("scaled-logarithm", [P, *part, eta > 0], log(total(P[i] * exp(eta * x[i]))) / eta <= (exp(eta) - 1) / eta * total(P[i] * x[i]),
          log(total(P[i] * exp(eta * x[i]))) / eta <= total(P[i] * x[i])),
    lemma("risk-of-an-empirical-law", [P, n >= 2], total(sqrt(P[i] * (1 - P[i]))) <= sqrt(n - 1),
          total(sqrt(P[i] * (1 - P[i]))) <= sqrt(n - 1) - 1),
    lemma("root-of-a-parabola", [P], total(sqrt(P[i] * (1 + P[i]))) <= sqrt(n + 1), total(sqrt(P[i] * (1 + P[i]))) <= sqrt(n)),
    lemma("root-below-a-number", [P], total(sqrt(P[i] * (1 - P[i]))) <= n / 2, total(sqrt(P[i] * (1 - P[i]))) <= 9 * n / 20),
]  # fmt: skip


@for_pairs(LEMMAS, quick=("chord-of-exponential", "root-below-a-number"))
def test_the_true_one_has_a_document_and_the_twin_has_a_point(pair):
    assert_the_true_one_has_a_document_and_the_twin_a_point(pair)


A, B, C = laws("A B C", over, "positive")
Q = laws("Q", over)
m, alpha, epsilon, delta = positive_integer("m"), real("alpha"), real("epsilon"), real("delta")
event = (i, 1, m)

EVENTS = [
    lemma("sum-over-a-part", [P, m <= n], Sum(P[i] ** 2, event) <= total(P[i] ** 2), Sum(P[i] ** 2, event) <= total(P[i] ** 2) / 2),
    lemma("probability-of-an-event", [P, Q, m <= n, HockeyStick(epsilon, P, Q) <= delta],
          Sum(P[i], event) <= exp(epsilon) * Sum(Q[i], event) + delta, Sum(P[i], event) <= exp(epsilon) * Sum(Q[i], event) + delta / 2),
    lemma("preserved-probability", [A, B, m <= n, alpha > 1],
          Sum(A[i], event) ** alpha <= RenyiMoment(alpha, A, B) * Sum(B[i], event) ** (alpha - 1),
          Sum(A[i], event) ** alpha <= RenyiMoment(alpha, A, B) * Sum(B[i], event) ** alpha),
]  # fmt: skip


@pytest.mark.parametrize("pair", [pytest.param(e, id=e.true.id, marks=pytest.mark.slow if e.true.id[:2] == "pr" else []) for e in EVENTS])
def test_sums_to_a_smaller_length(pair):
    assert (found := written(pair.true, 8.0)).statement is not None, (found.reason, found.detail)
    assert isinstance(search(pair.twin, Search(tries=600)), Refutation)


r, v, level = real("r"), family("v"), total(family("v")[i]) / n
shares = [r >= 0, r <= 1]
MEANS = [
    lemma("mean-of-levels", shares, total(log(1 + r * (exp(v[i]) - 1))) / n >= log(1 + r * (exp(level) - 1)),
          total(log(1 + r * (exp(v[i]) - 1))) / n >= log(1 + r * (exp(level + 1) - 1))),
    lemma("geometric-mean", [A, B, C, alpha > 1, *shares],
          total(A[i] ** alpha * (r * B[i] + (1 - r) * C[i]) ** (1 - alpha))
          <= total(A[i] ** alpha * B[i] ** (r * (1 - alpha)) * C[i] ** ((1 - r) * (1 - alpha))),
          total(A[i] ** alpha * (r * B[i] + (1 - r) * C[i]) ** (1 - alpha)) <= total(A[i] ** alpha * B[i] ** (1 - alpha))),
    lemma("convex-in-the-second-law", [A, B, C, alpha > 1, *shares],
          RenyiDivergence(alpha, A, r * B + (1 - r) * C) <= r * RenyiDivergence(alpha, A, B) + (1 - r) * RenyiDivergence(alpha, A, C),
          RenyiDivergence(alpha, A, r * B + (1 - r) * C) <= r * RenyiDivergence(alpha, A, B)),
]  # fmt: skip


@for_pairs(MEANS, quick=("mean-of-levels", "geometric-mean"))
def test_means_of_sums_and_means_of_laws(pair):
    assert_the_true_one_has_a_document_and_the_twin_a_point(pair, with_signs)
