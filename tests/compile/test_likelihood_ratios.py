"""Integrals over two normal densities by a function of their ratio: what is read, and documents; a false twin has none."""

from __future__ import annotations

import mpmath
import pytest
import sympy

from benchmarks.lemmas import lemmas_of
from dpbounds.claims import clock
from dpbounds.claims.claim import Claim
from dpbounds.claims.evidence.reductions.likelihood_ratios import likelihood_ratios, polynomial
from dpbounds.claims.evidence.ways import by_ratios
from dpbounds.claims.signs import with_signs
from dpbounds.notation import GaussianDelta, Rational, SampledGaussianDelta, SampledGaussianMoment, exp, log, positive, real

sigma, q, epsilon, alpha = positive("sigma"), positive("q"), positive("epsilon"), real("alpha")
CHI = q**2 * (exp(1 / sigma**2) - 1)
LEMMAS = {lemma.true.id: lemma for lemma in lemmas_of("ratios")}
WRITTEN = (
    "divergence-of-a-sampled-shift",
    "divergence-below-logarithm",
    "moment-up-to-order-two",
    "moment-of-additions",
    "delta-by-chi-squared",
    "divergence-of-moved-mixtures",
)


def _delta(factor):
    bound = SampledGaussianDelta(epsilon, sigma, q, 1, "remove") <= CHI / (factor * (exp(epsilon) - 1))
    return with_signs(Claim(id="delta", then=bound, given=[q <= 1]))


def test_a_positive_part_is_below_a_parabola():
    way = next(likelihood_ratios(_delta(4)))
    variables = sorted(way.point.then.free_symbols, key=str)
    assert [v.name for v in variables] == ["epsilon", "q", way.y.name]
    low, high = (sympy.lambdify(variables, side, "mpmath") for side in way.point.then.args)
    touching = 1 + 4 * (mpmath.e - 1)  # where the parabola meets the line, at q = 1/2
    assert all(low(1, 0.5, y) <= high(1, 0.5, y) + 1e-12 for y in (0.1, 1, 4, touching, 20))
    assert abs(high(1, 0.5, touching) - low(1, 0.5, touching)) < 1e-12


@pytest.mark.parametrize("factor", [10, 50])
def test_a_false_twin_has_no_document(factor):
    assert by_ratios(_delta(factor), clock.now() + 0.2) is None


def test_the_weights_give_the_integral():
    """Σ c_k·E_k, which is the other side here, against the integral of φ·g(y) by mpmath."""
    claim = with_signs(Claim(id="a", then=SampledGaussianMoment(alpha, sigma, q, "remove") <= (1 + CHI) ** (alpha - 1), given=[q <= 1]))
    way = next(likelihood_ratios(claim))
    values = {"alpha": 1.5, "sigma": 1.25, "q": 0.375}
    g = polynomial(way.above, way.y)
    height = sympy.lambdify(way.y, g.subs({v: values[v.name] for v in g.free_symbols if v.name in values}), "mpmath")

    def at(x):
        y = mpmath.exp((x - 0.5) / 1.25**2)
        return mpmath.npdf(x, 0, 1.25) * height(y)

    other = claim.then.gts.subs({v: values[v.name] for v in claim.then.gts.free_symbols})
    assert way.left is None
    assert abs(mpmath.quad(at, [-12, 0, 1, 2, 14]) - float(other)) < 1e-9


def test_a_bound_without_a_number_is_compared_with_none():
    bound = SampledGaussianDelta(log(1 + q * (exp(epsilon) - 1)), sigma, q, 1, "remove") <= q * GaussianDelta(epsilon, sigma, 1)
    assert all(way.left is not None for way in likelihood_ratios(with_signs(Claim(id="amplified", then=bound, given=[q <= 1]))))


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITTEN)
def test_documents(name):
    assert by_ratios(with_signs(LEMMAS[name].true), None) is not None
    assert by_ratios(with_signs(LEMMAS[name].twin), clock.now() + 5) is None


@pytest.mark.slow
def test_minkowski():
    bound = (1 - q + q * exp((alpha - 1) / (2 * sigma**2))) ** alpha
    less = (1 - q + q * exp(Rational(49, 100) * (alpha - 1) / sigma**2)) ** alpha
    true, twin = (
        Claim(id="a", then=SampledGaussianMoment(alpha, sigma, q, "remove") <= b, given=[alpha > 1, q <= 1]) for b in (bound, less)
    )
    assert by_ratios(with_signs(true), None) is not None
    assert by_ratios(with_signs(twin), clock.now() + 5) is None
