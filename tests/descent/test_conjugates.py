"""Logarithms of x + √(1 + x²) and their like: conjugates of square roots, below the bar, in logarithms and by a square."""

import sympy

from benchmarks.lemmas.lemma import lemma
from dpbounds.claims.counterexamples.refute import Refutation
from dpbounds.claims.counterexamples.search import search
from dpbounds.claims.evidence.descents import certificate_of
from dpbounds.claims.plans import Search
from dpbounds.claims.signs import with_signs
from dpbounds.descent import polynomials as poly
from dpbounds.descent.search.building import conjugates, rationalised
from dpbounds.descent.tower import Tower
from dpbounds.notation import Rational, log, real, sqrt
from tests.lemmas import for_pairs

a, b, s, d, x = real("a b s d x")


def arsinh(e):
    return log(e + sqrt(1 + e**2))


LEMMAS = [
    lemma("the-other-sign", [x >= 0], -log(sqrt(1 + x**2) - x) <= x, -log(sqrt(1 + x**2) - x) <= Rational(9, 10) * x),
    lemma("both-signs", [b >= 0, a > 0], log(sqrt(b**2 + a) - b) + log(sqrt(b**2 + a) + b) <= log(a),
          log(sqrt(b**2 + a) - b) + log(sqrt(b**2 + a) + 2 * b) <= log(a)),
    lemma("a-difference", [s >= 0, d >= 0], arsinh(s - d) + arsinh(d - s) <= 0, arsinh(s - d) + arsinh(d - s) <= -s),
    lemma("no-sign-beside-the-root", [s >= 0, d >= 0], s - d + sqrt(1 + (s - d) ** 2) > 0,
          s - d + sqrt(1 + (s - d) ** 2) > Rational(1, 10)),
    lemma("a-shift", [s >= 0, d >= 0], arsinh(s + 2 * d) - arsinh(s) <= 2 * arsinh(d), arsinh(s + 2 * d) - arsinh(s) <= arsinh(d)),
]  # fmt: skip


@for_pairs(LEMMAS)
def test_the_true_one_has_a_certificate_and_the_twin_a_point(pair):
    assert certificate_of(with_signs(pair.true), 5.0) is not None
    assert certificate_of(with_signs(pair.twin), 0.5) is None
    assert isinstance(search(pair.twin, Search(tries=600)), Refutation)


def test_the_product_with_a_conjugate_has_no_root_and_the_function_is_the_same():
    tower = Tower()
    x, _ = tower.variable("x", (None, None))
    square = poly.plus(poly.constant(1), poly.times(x, x))
    r, _ = tower.free("root", (square, poly.ONE), 2)
    p = poly.minus(r, x)
    ((other, norm),) = conjugates(tower, p)
    assert poly.value_of(norm) == -1 and not tower.reduced(poly.plus(other, poly.plus(x, r)))
    n, below = rationalised(tower, (poly.ONE, p))
    assert tower.equal((n, below), (poly.ONE, p)) and not poly.used(below)
    assert sympy.sqrt(5) + 2 == sympy.radsimp(1 / (sympy.sqrt(5) - 2))
