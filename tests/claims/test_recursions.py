"""Entries of families of which each bounds the next, and sums of exponentials by their logarithms; false twins have no document."""

import pytest

from benchmarks.lemmas.lemma import lemma
from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence import ways
from dpbounds.claims.evidence.compiled import written
from dpbounds.claims.evidence.powers import of_logarithms
from dpbounds.claims.evidence.reductions.recursions import recursions
from dpbounds.claims.signs import with_signs
from dpbounds.notation import *

i, n = index("i"), positive_integer("n")
a, b, c = positive("a b c")
v, e, w = family("v"), family("e"), family("w", "real")
alpha, s = real("alpha s")


def steps(body):
    return for_each((i, 1, n - 1), body)


growth, sums = [v[1] <= a, for_each((i, 2, n), v[i] <= (1 + b) * v[i - 1] + e[i])], Sum(e[i], (i, 1, n))
moment = alpha / (2 * alpha - 1) * exp((alpha - 1) * s) + (alpha - 1) / (2 * alpha - 1) * exp(-alpha * s)
LEMMAS = [
    lemma("noisy-descent", [v[1] <= 1, steps(v[i + 1] <= (1 - 1 / (i + 1)) * v[i] + 1 / (i + 1) ** 2)],
          v[n] <= (1 + log(n)) / n, v[n] <= (1 + 3 * log(n) / 4) / n),
    lemma("gronwall", growth, v[n] <= exp(b * n) * (a + sums), v[n] <= exp(b * n) * a + sums),
    lemma("geometric", [c < 1, steps(v[i + 1] <= c * v[i] + b)], v[n] <= c ** (n - 1) * v[1] + b / (1 - c),
          v[n] <= c**n * v[1] + b / (1 - c)),
    lemma("squares", [v[1] <= a, steps(v[i + 1] ** 2 <= v[i] ** 2 + a**2)], v[n] ** 2 <= n * a**2, v[n] ** 2 <= (n - 1) * a**2),
    lemma("below", [w[1] >= a, steps(Eq(w[i + 1], w[i] + a))], w[n] >= n * a, w[n] >= (n + 1) * a),
    lemma("harmonic", [v[1] <= Rational(1, 2), steps(v[i + 1] <= v[i] / (1 + v[i]))], v[n] <= 1 / (n + 1), v[n] <= 1 / (n + 2)),
]  # fmt: skip


@pytest.mark.parametrize("pair", LEMMAS, ids=[pair.true.id for pair in LEMMAS])
def test_only_the_true_one_has_a_document(pair):
    assert written(with_signs(pair.true), 6.0).statement is not None
    assert ways.by_recursions(with_signs(pair.twin), None) is None


@pytest.mark.parametrize(
    "premise",
    [v[i + 1] <= v[i] + v[1] + 1, v[i] <= v[i + 1] + 1, e[i + 1] <= e[i] + 1],
    ids=["another-step", "the-wrong-way", "another-family"],
)
def test_another_premise_says_nothing(premise):
    assert ways.by_recursions(with_signs(Claim(id="a", then=v[n] <= n, given=[v[1] <= 1, steps(premise)])), None) is None


def test_the_start_is_needed():
    claim = with_signs(Claim(id="a", then=v[n] <= n, given=[v[1] <= 2, steps(v[i + 1] <= v[i] + 1)]))
    assert [way.start for way in recursions(claim)] == [1]
    assert ways.by_recursions(claim, None) is None


def test_laplace_noise_is_concentrated_by_logarithms():
    conclusions = [moment <= exp(alpha * (alpha - 1) * s**2 * k) for k in (Rational(1, 2), Rational(9, 20))]
    claims = [with_signs(Claim(id="a", given=[alpha >= 1, s >= 0], then=then)) for then in conclusions]
    assert all(any(of_logarithms(claim)) for claim in claims)
    assert ways.in_parts(claims[0], None).statement is not None
    assert ways.in_parts(claims[1], None) is None
