"""Claims with a maximum on the larger side by one of its arguments in each case; false twins have a point and no document."""

from __future__ import annotations

import pytest
import sympy

from benchmarks.lemmas.lemma import lemma
from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.reductions.branches import branches
from dpbounds.notation import Abs, Max, Min, Rational, log, nonnegative, positive, positive_integer, real
from tests.lemmas import assert_only_the_true_one_has_a_document

x, y, z, c = positive("x"), positive("y"), nonnegative("z"), real("c")
m, n = positive_integer("m n")
half = Rational(1, 2)
step = (x + 1) * log(y / (x + 1)) - x * log(y / x)
count = (m + 1) * log((m + 1) / n) - m * log(m / n)

LEMMAS = [
    lemma("difference", [], Abs(x - y) <= Max(x, y), Abs(x - y) <= Max(x, y) * 9 / 10),
    lemma("larger-in-both", [], Max(x, y) <= Max(x, y + z), Max(x, y + z) <= Max(x, y)),
    lemma("smaller-on-the-left", [c > 0], Abs(x - y) + c * Min(x, y) <= Max(x, y) + c * y, Abs(x - y) + c * Min(x, y) <= y + c * x),
    lemma("count-of-a-sample", [x >= 1, x + 1 <= y], Abs(step) <= Max(1, log(y) - 1), Abs(step) <= Max(1, log(y) - 2)),
    lemma("count-in-integers", [m + 1 <= n], Abs(count) <= Max(1, log(n) - 1), Abs(count) <= Max(half, log(n) - 1)),
]  # fmt: skip

QUICK = ("larger-in-both", "smaller-on-the-left")
CASES = [pytest.param(e, id=e.true.id, marks=[] if e.true.id in QUICK else pytest.mark.slow) for e in LEMMAS]


@pytest.mark.parametrize("pair", CASES)
def test_the_true_one_has_a_document_and_the_twin_has_none(pair):
    assert_only_the_true_one_has_a_document(pair)


def test_a_factor_without_a_sign_is_left_alone():
    x, y, c = sympy.symbols("x y c", real=True)
    assert not list(branches(Claim(id="a", then=x <= c * sympy.Max(x, y) - c * y + x)))
    (way,) = branches(Claim(id="a", then=c * x <= c * sympy.Max(x, y), given=[c > 0]))
    assert way.split is None and way.cases[0][0].claim.then == sympy.Le(c * x, c * x, evaluate=False)
