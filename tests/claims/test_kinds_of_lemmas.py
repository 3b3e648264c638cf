"""A true lemma and a false twin of each kind: quantiles in premises, tails, divergences to infinity, roots, cases, steep exponentials."""

import pytest

from dpbounds import settle
from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence import descents
from dpbounds.claims.verdict import Verdict
from dpbounds.notation import *

a, b, delta, sigma, v = positive("a b delta sigma v")
epsilon, t, z = nonnegative("epsilon t z")
x, y, alpha = real("x y alpha")
q = nonnegative("q")
j, m = index("j"), positive_integer("m")
h = Rational(1, 2)


def tail(epsilon_: object) -> object:
    return Sum(tanh(epsilon_ / 2) * exp(-epsilon_ * j), (j, m, oo))  # type: ignore[operator]


rate = positive("rate")
n, k = positive_integer("n"), index("k", start=0)
masses = binomial(n, k) * q**k * (1 - q) ** (n - k)
gaussian_tail = Sum(exp(-(j**2) / (2 * sigma**2)), (j, m, oo))
first = exp(-(m**2) / (2 * sigma**2))
loss = epsilon * sigma - 1 / (2 * sigma)
clipped = Abs(Max(-1, Min(x, 1)) - Max(-1, Min(y, 1)))
kl = KLDivergence(a * exp(-a * z), b * exp(-b * z), (z, 0, oo))
steep = NormalCDF(t) - 1 / (1 + exp(-Rational(851, 500) * t))

KINDS = {
    "a quantile in a premise": (
        [delta < h, loss >= NormalQuantile(1 - delta)],
        GaussianDelta(epsilon, sigma, 1) <= delta,
        [delta < h, loss >= NormalQuantile(1 - 2 * delta)],
        GaussianDelta(epsilon, sigma, 1) <= delta,
    ),
    "a geometric tail with tanh": ([], tail(rate) <= exp(-rate * m) / (1 + exp(-rate)), [], tail(rate) <= exp(-rate * m) / (1 + exp(rate))),
    "a tail by the differences of its bound": (
        [],
        gaussian_tail <= first / (1 - exp(-(2 * m + 1) / (2 * sigma**2))),
        [],
        gaussian_tail <= first / (1 - exp(-(m + 1) / sigma**2)),
    ),
    "a divergence to infinity": ([], kl <= (a - b) ** 2 / (a * b), [], kl <= (a - b) ** 2 / (2 * a * b)),
    "logarithms of roots": (
        [v >= h, v <= Rational(3, 2)],
        -log(sqrt(v) * sqrt(2 - v)) <= (v - 1) ** 2,
        [v >= h, v <= Rational(3, 2)],
        -log(sqrt(v) * sqrt(2 - v)) <= (v - 1) ** 2 / 2,
    ),
    "an integral of a quadratic exponent": (
        [v > h, v <= 1],
        Integral(exp(-(x**2) / v), (x, -oo, oo)) <= 2,
        [v > h, v <= 1],
        Integral(exp(-(x**2) / v), (x, -oo, oo)) <= Rational(17, 10),
    ),
    "a steep exponential": ([], -steep <= Rational(1, 100), [], steep <= Rational(9, 1000)),
    "a moment by convexity under the integral": (
        [alpha > 1, alpha <= 4, sigma >= 1, sigma <= 10, q <= 1],
        SampledGaussianMoment(alpha, sigma, q, "remove") <= 1 - q + q * exp(alpha * (alpha - 1) / (2 * sigma**2)),
        [alpha > 1, alpha <= 4, sigma >= 1, sigma <= 10, q <= 1],
        SampledGaussianMoment(alpha, sigma, q, "remove") <= 1 - q + q * exp((alpha - 1) ** 2 / (2 * sigma**2)),
    ),
    "a chord beside masses": (
        [q > 0, q < 1],
        Sum(masses * exp(k**2 / n**2), (k, 0, n)) <= 1 - q + q * E,
        [q > 0, q < 1],
        Sum(masses * exp(k**2 / n**2), (k, 0, n)) <= 1 - q + Rational(1, 2) * q * E,
    ),
    "clipping": ([x >= y], clipped <= x - y, [x >= y], clipped <= (x - y) / 2),
}


d = positive_integer("d")
FALSE = {
    "an integral that cancels far out": ([], Integral(1 - (1 - exp(-z)) ** n, (z, 0, oo)) <= 1 + Rational(4, 5) * log(n)),
    "a factorial inside of an integral": (
        [2 * v >= d],
        Integral(z ** (d - 1) * exp(-z) / factorial(d - 1), (z, v, oo)) <= (v / d) ** d * exp(d - v),
    ),
}


@pytest.mark.parametrize("kind", FALSE)
def test_a_false_statement_is_refuted_at_a_point(kind: str) -> None:
    premises, conclusion = FALSE[kind]
    assert settle(claim(kind, list(premises), conclusion), budget=20).verdict is Verdict.REFUTED


@pytest.mark.parametrize("kind", KINDS)
def test_the_lemma_is_certified_and_its_twin_refuted(kind: str) -> None:
    premises, conclusion, other_premises, false = KINDS[kind]
    lemma, twin = (claim(kind, list(given), then) for given, then in ((premises, conclusion), (other_premises, false)))
    assert isinstance(lemma, Claim)
    assert settle(lemma, budget=20).verdict is Verdict.CERTIFIED
    assert settle(twin, budget=20).verdict is Verdict.REFUTED


def test_a_quantile_in_a_case_of_a_premise_does_not_exclude_the_ends_of_its_range() -> None:
    """At z = 0 the premise says 0 <= x, and log 0 has no value."""
    lemma = claim("case", [z <= 1, Piecewise((NormalQuantile(z), z > 0), (0, True)) <= x], log(z) <= z - 1)
    assert isinstance(lemma, Claim)
    assert descents.certificate_of(lemma, 0.5) is None


DENSITY = claim("density", [y >= Rational(-32039, 25000)], exp(-(y**2) / 2) / sqrt(2 * pi) <= Rational(351, 200) * NormalCDF(y))


def test_boxes_are_taken_where_the_proof_checker_has_no_document_of_a_descent() -> None:
    """The descent asks for Φ at a number. The checker of covers shows all boxes."""
    assert isinstance(DENSITY, Claim)
    assert [evidence.method for evidence in settle(DENSITY, budget=20).evidence] == ["boxes"]


def test_sums_from_minus_infinity_are_two_sums() -> None:
    k, scale = integer("k"), positive("scale")
    total = Sum(exp(-Abs(k) / scale), (k, -oo, oo))
    assert settle(claim("laplace", [], total <= 1 + 2 * scale), budget=20).verdict is Verdict.CERTIFIED
    assert settle(claim("half", [], Sum(exp(k / scale), (k, -oo, 0)) <= scale), budget=20).verdict is Verdict.REFUTED
