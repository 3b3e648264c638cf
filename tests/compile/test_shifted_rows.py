"""Tails of rows of binomial coefficients by one coefficient: the lemma in numbers, and claims; false twins have a point."""

import math

from benchmarks.lemmas.lemma import lemma
from dpbounds.claims.evidence.reductions.shifted import shifted_rows
from dpbounds.compile.joining.shifted_rows import product_lemma
from dpbounds.compile.steps import Steps
from dpbounds.kernel.notation import show
from dpbounds.notation import Rational, Sum, binomial, exp, index, positive, positive_integer, real
from tests.lemmas import assert_only_the_true_one_has_a_document, for_pairs

m, n, j = *positive_integer("m n"), index("j", start=0)
q, eps, x = real("q"), real("eps"), positive("x")
rate = [q > 0, q < 1, m <= n]
tail = Sum(binomial(n, j) * q**j * (1 - q) ** (n - j), (j, m, n))
tilted = Sum(binomial(n, j) * exp(eps * j), (j, m, n))


def test_the_lemma_rests_on_nothing_and_holds_in_numbers():
    steps = Steps(())
    end = product_lemma(steps)
    assert not steps.write.steps[end].hypotheses
    small, large = "binom(_1, _2)", "binom(_1, _0) * binom(_1 - _0, _2 - _0)"
    assert f"{small} <= {large}" in show(steps.formula(end))
    for values in ((a, b, c) for b in range(7) for c in range(b + 1) for a in range(c + 1)):
        words = {"binom": math.comb, **{f"_{k}": v for k, v in enumerate(values)}}
        assert eval(small, words) <= eval(large, words)  # noqa: S307


LEMMAS = [
    lemma("union", rate, tail <= binomial(n, m) * q**m, tail <= Rational(9, 10) * binomial(n, m) * q**m),
    lemma("doubled", rate, 3 * tail <= 4 * binomial(n, m) * q**m, 3 * tail <= 2 * binomial(n, m) * q**m),
    lemma("powers", [m <= n], Sum(binomial(n, j) * x**j, (j, m, n)) <= binomial(n, m) * x**m * (1 + x) ** (n - m),
          Sum(binomial(n, j) * x**j, (j, m, n)) <= binomial(n, m) * x**m * (1 + x / 2) ** (n - m)),
    lemma("exponentials", [eps >= 0, m <= n], tilted <= binomial(n, m) * exp(eps * m) * (1 + exp(eps)) ** (n - m),
          tilted <= binomial(n, m) * exp(eps * m) * exp(eps) ** (n - m)),
    lemma("half", [m <= n], Sum(binomial(n, j), (j, m, n)) <= binomial(n, m) * 2 ** (n - m),
          Sum(binomial(n, j), (j, m, n)) <= binomial(n, m) * Rational(3, 2) ** (n - m)),
]  # fmt: skip


@for_pairs(LEMMAS, quick=("half",))
def test_the_true_one_has_a_document_and_the_twin_has_none(pair):
    assert_only_the_true_one_has_a_document(pair)


def test_a_sum_from_0_or_to_another_end_is_left_alone():
    assert not list(shifted_rows(lemma("whole", [], Sum(binomial(n, j), (j, 0, n)) <= 2**n, Sum(binomial(n, j), (j, 0, n)) <= 1).true))
    assert not list(shifted_rows(lemma("short", [], Sum(binomial(n, j), (j, 1, m)) <= 2**n, Sum(binomial(n, j), (j, 1, m)) <= 1).true))
