"""Central binomial coefficients and π: the limit of a sequence, both bounds, and claims that need them; false twins have a point."""

import math

import pytest

from benchmarks.lemmas.lemma import lemma
from dpbounds.claims.evidence.reductions.central import central_bounds_of
from dpbounds.compile.factorials.central_binomials import central_bound
from dpbounds.compile.limits_of_sequences import limit_lemma
from dpbounds.compile.steps import Steps
from dpbounds.kernel.notation import show
from dpbounds.notation import And, Rational, Sum, binomial, index, log, pi, positive_integer, sqrt
from tests.lemmas import assert_only_the_true_one_has_a_document, for_pairs

n, k, j = positive_integer("n"), index("k"), index("j", start=0)
share = binomial(2 * n, n) / 4**n
shares, squares = Sum(binomial(2 * k, k) / 4**k, (k, 1, n)), Sum((binomial(2 * k, k) / 4**k) ** 2, (k, 1, n))


def test_the_limit_of_a_sequence_rests_on_what_it_says():
    steps = Steps(())
    end = limit_lemma(steps)
    said = {show(h) for h in steps.write.steps[end].hypotheses}
    assert show(steps.formula(end)) == "1 <= sequence_(n_i)"
    near = "allZ(_0, imp(1 <= _0, 1 - (1 / _0) <= sequence_(_0)))"
    assert said == {"1 <= n_i", "allZ(_0, imp(1 <= _0, sequence_(_0 + 1) <= sequence_(_0)))", near}


@pytest.mark.parametrize("upper", [True, False])
def test_a_bound_rests_on_nothing_but_the_range_and_is_sharp(upper):
    steps = Steps(())
    steps.write.work *= 20
    end = central_bound(steps, upper=upper)
    text = show(steps.formula(end))
    assert [show(h) for h in steps.write.steps[end].hypotheses] == ["1 <= n_i"]
    low, high = text.split(" <= ")
    words = {"binom": lambda a, b: float(math.comb(int(a), int(b))), "pi": lambda: math.pi}
    for size in (1, 2, 5, 40, 400):
        values = [eval(side, {**words, "n_i": size}) for side in (low, high)]  # noqa: S307
        assert values[0] <= values[1] <= values[0] + 0.12 / size**2


LEMMAS = [
    lemma("above", [], binomial(2 * n, n) <= 4**n / sqrt(pi * (n + Rational(1, 4))),
          binomial(2 * n, n) <= 4**n / sqrt(pi * (n + Rational(3, 10)))),
    lemma("equal-at-one", [], share >= 1 / sqrt(pi * (n + 4 / pi - 1)), share >= 1 / sqrt(pi * (n + Rational(27, 100)))),
    lemma("both", [], And(share <= 1 / sqrt(3 * n), share >= 1 / sqrt(pi * n + 1)),
          And(share <= 1 / sqrt(3 * n), share >= 1 / sqrt(3 * n + 1))),
    lemma("second-values", [n >= 2], share >= 1 / sqrt(pi * n + Rational(9, 10)), share >= 1 / sqrt(pi * n + Rational(4, 5))),
    lemma("squares", [], squares <= (1 + log(n)) / pi, squares <= (Rational(1, 2) + log(n)) / pi),
    lemma("squares-below", [], squares >= log(n + 1) / pi, squares >= log(n + 2) / pi),
    lemma("squares-before-n", [], Sum((binomial(2 * j, j) / 4**j) ** 2, (j, 0, n - 1)) <= Rational(11, 10) + log(n) / pi,
          Sum((binomial(2 * j, j) / 4**j) ** 2, (j, 0, n - 1)) <= 1 + log(n) / pi),
    lemma("shares", [], shares <= 2 * sqrt(n / pi), shares <= sqrt(n / pi)),
]  # fmt: skip


@for_pairs(LEMMAS, quick=("above",))
def test_the_true_one_has_a_document_and_the_twin_has_none(pair):
    assert_only_the_true_one_has_a_document(pair)


def test_what_is_left_of_a_claim_holds_from_a_value_on():
    (way,) = central_bounds_of(LEMMAS[1].true)
    assert way.values == ((1, None),) and not way.left.then.has(binomial)
    assert not list(central_bounds_of(LEMMAS[1].twin)) or way.left.given
    assert not list(central_bounds_of(lemma("other", [], binomial(2 * n + 1, n) <= 4**n, binomial(2 * n + 1, n) <= 2**n).true))
