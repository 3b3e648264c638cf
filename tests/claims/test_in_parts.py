"""Claims in parts: one exponent on both sides, a variable for a power, an induction with a correction; false twins have a point."""

import sympy

from benchmarks.lemmas.lemma import lemma
from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.corrections import _simplest, corrected
from dpbounds.claims.signs import with_signs
from dpbounds.notation import Rational, Sum, exp, index, log, nonnegative, positive, positive_integer, real, sqrt
from tests.lemmas import assert_only_the_true_one_has_a_document, for_pairs

q, c, r, w, x = real("q"), real("c"), nonnegative("r"), nonnegative("w"), positive("x")
k, a, b = positive("k a b")
n, i = positive_integer("n"), index("i")
rate = [q >= 0, q <= 1]
third = Rational(2, 3)

LEMMAS = [
    lemma("exponential-above", rate, (1 - q) * (1 + q) ** r <= (1 - q) * exp(q * r), (1 - q) * (1 + q) ** r <= (1 - q) * exp(q * r / 2)),
    lemma("saturation", [], w * (x / (1 + x)) ** r <= w * (1 - exp(-x)) ** r, w * (x / (1 + x)) ** r <= w * (1 - exp(-x / 2)) ** r),
    lemma("quotient", [q >= 0, q < 1], w * ((1 - q) / (1 - q / 2)) ** r <= w * (1 - q / 2) ** r,
          w * ((1 - q) / (1 - q / 2)) ** r <= w * (1 - third * q) ** r),
    lemma("cubes", [], 3 * (2 * k) ** third <= 2 + 4 * k**2, 4 * (2 * k) ** third <= 2 + 4 * k**2),
    lemma("squares", [], (1 + sqrt(3 * k)) ** 2 <= 2 + 6 * k, (1 + sqrt(3 * k)) ** 2 <= 2 + 5 * k),
    lemma("split-of-a-budget", [], (1 + k**third) ** 3 / (a + b) ** 2 <= 1 / a**2 + k**2 / b**2,
          Rational(11, 10) * (1 + k**third) ** 3 / (a + b) ** 2 <= 1 / a**2 + k**2 / b**2),
    lemma("split-where-a-premise-says-the-sign", [c > 0], (1 + (2 * c) ** third) ** 3 / (a + b) ** 2 <= 1 / a**2 + 4 * c**2 / b**2,
          (1 + (2 * c) ** (third + Rational(1, 12))) ** 3 / (a + b) ** 2 <= 1 / a**2 + 4 * c**2 / b**2),
    lemma("inverse-squares", [], Sum(1 / i**2, (i, 1, n)) <= Rational(5, 3), Sum(1 / i**2, (i, 1, n)) <= Rational(8, 5)),
    lemma("inverse-cubes", [], Sum(1 / i**3, (i, 1, n)) <= Rational(5, 4), Sum(1 / i**3, (i, 1, n)) <= Rational(6, 5)),
    lemma("lorentzians", [], Sum(1 / (i**2 + 1), (i, 1, n)) <= Rational(6, 5), Sum(1 / (i**2 + 1), (i, 1, n)) <= 1),
    lemma("harmonic-below", [], Sum(1 / i, (i, 1, n)) >= log(n) + Rational(1, 2), Sum(1 / i, (i, 1, n)) >= log(n) + Rational(3, 5)),
]  # fmt: skip


@for_pairs(LEMMAS, quick=("cubes", "quotient"))
def test_the_true_one_has_a_document_and_the_twin_has_none(pair):
    assert_only_the_true_one_has_a_document(pair, with_signs)


def test_no_correction_has_a_pole_where_n_starts():
    m = sympy.Symbol("m", integer=True, nonnegative=True)
    i = sympy.Symbol("i", integer=True, positive=True)
    claim = Claim(id="a", then=sympy.Sum(1 / i**2, (i, 1, m)) <= sympy.Rational(5, 3))
    assert all(way.parts[0][0].then.lts.subs(m, 0).doit().is_finite for way in corrected(claim))


def test_a_correction_is_the_simplest_one():
    assert _simplest(0.9999, 1.0) == 1 and _simplest(0.3, 0.35) == sympy.Rational(1, 3) and _simplest(0.6, 0.5) is None
    plain = with_signs(next(e.true for e in LEMMAS if e.true.id == "harmonic-below"))
    m = plain.variables[0]
    assert any(way.parts[0][0].then.lts == sympy.log(m) + sympy.Rational(1, 2) + 1 / (2 * m) for way in corrected(plain))
