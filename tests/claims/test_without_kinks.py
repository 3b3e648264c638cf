"""Claims with maxima, minima and absolute values by one branch of those that count in favour; false twins have a point and no document."""

import sympy

from benchmarks.lemmas.lemma import lemma
from dpbounds.claims.evidence.reductions.without_kinks import without_kinks
from dpbounds.claims.signs import with_signs
from dpbounds.notation import Abs, Claim, HockeyStick, Max, Min, Rational, exp, log, positive_integer, real
from tests.lemmas import assert_only_the_true_one_has_a_document, for_pairs

a, b, c, d, g, q, x, y, z = real("a b c d g q x y z")
m, n = positive_integer("m n")
count = (m + 1) * log((m + 1) / n) - m * log(m / n)
rate, sizes = [q >= 0, q <= 1], [a >= 0, b >= 0, c >= 0, d >= 0, g >= 1]
curve, shape = [x >= 0, x <= 1, z >= y, y >= 0, d >= 0, d <= 1], exp(-z) * (1 - d - x)


def clipped(e):
    return Min(Max(e, -a), a)


LEMMAS = [
    lemma("a-branch", [], Max(x, 2 * x) <= 2 * Abs(x), Max(x, 3 * x) <= 2 * Abs(x)),
    lemma("a-mean", rate, Abs(q * x + (1 - q) * y) <= Max(Abs(x), Abs(y)), Abs(q * x + (2 - q) * y) <= Max(Abs(x), Abs(y))),
    lemma("joint-convexity", [*sizes, *rate],
          Max(q * a + (1 - q) * b - g * (q * c + (1 - q) * d), 0) <= q * Max(a - g * c, 0) + (1 - q) * Max(b - g * d, 0),
          Max(q * a + (1 - q) * b - g * (q * c + (1 - q) * d), 0) <= q * Max(a - g * c, 0) + (1 - q) * Max(b - 2 * g * d, 0)),
    lemma("contraction", [a >= 0], Abs(clipped(x) - clipped(y)) <= Abs(x - y), Abs(clipped(x) - clipped(y)) <= Abs(x - y) / 2),
    lemma("huber", [d > 0], Min(x**2 / 2, d * Abs(x) - d**2 / 2) <= d * Abs(x), Min(x**2 / 2, d * Abs(x)) <= d * Abs(x) / 2),
    lemma("laplace-densities", [b > 0], exp(-Abs(x - a) / b) / (2 * b) <= exp(Abs(a - y) / b) * exp(-Abs(x - y) / b) / (2 * b),
          exp(-Abs(x - a) / b) / (2 * b) <= exp(Abs(a - y) / (2 * b)) * exp(-Abs(x - y) / b) / (2 * b)),
    lemma("three-branches", curve, Max(0, 1 - d - exp(z) * x, shape) <= Max(0, 1 - d - exp(y) * x, exp(-y) * (1 - d - x)),
          Max(0, 1 - d - exp(y) * x, shape) <= Max(0, 1 - d - exp(z) * x, exp(-y) * (1 - d - x))),
    lemma("data-processing", [x >= 0, y >= 0, a >= 0, b >= 0, c >= 0, d >= 0],
          HockeyStick(0, [x + y, c], [a + b, d]) <= HockeyStick(0, [x, y, c], [a, b, d]),
          HockeyStick(0, [x + 2 * y, c], [a + b, d]) <= HockeyStick(0, [x, y, c], [a, b, d])),
    lemma("entropy-step", [x >= 1, x + 1 <= y], Abs((x + 1) * log(y / (x + 1)) - x * log(y / x)) <= Max(1, log(y) - 1),
          Abs((x + 1) * log(y / (x + 1)) - x * log(y / x)) <= Max(1, log(y) - 2)),
    lemma("difference", [x > 0, y > 0], Abs(x - y) <= Max(x, y), Abs(x - y) <= Max(x, y) * 9 / 10),
    lemma("larger-in-both", [z >= 0], Max(x, y) <= Max(x, y + z), Max(x, y + z) <= Max(x, y)),
    lemma("smaller-on-the-left", [c > 0], Abs(x - y) + c * Min(x, y) <= Max(x, y) - Min(x, y) + c * y,
          Abs(x - y) + c * Min(x, y) <= y + c * x),
    lemma("count-in-integers", [m + 1 <= n], Abs(count) <= Max(1, log(n) - 1), Abs(count) <= Max(Rational(1, 2), log(n) - 1)),
]  # fmt: skip


@for_pairs(LEMMAS, quick=("a-branch", "larger-in-both", "huber", "contraction", "laplace-densities"))
def test_the_true_one_has_a_document_and_the_twin_has_none(pair):
    assert_only_the_true_one_has_a_document(pair, with_signs)


def test_a_kink_that_is_not_in_favour_has_all_its_branches():
    (way,) = without_kinks(with_signs(LEMMAS[0].true))
    t = sympy.Symbol("x", real=True)
    assert [part.taken for part in way.parts] == [{sympy.Max(t, 2 * t): t}, {sympy.Max(t, 2 * t): 2 * t}]


def test_a_factor_that_may_be_negative_is_not_in_favour():
    assert not list(without_kinks(with_signs(Claim(id="a", given=[x >= -1], then=x * Abs(y) + 5 >= 0))))
