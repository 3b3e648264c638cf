"""Ten lemmas about two normal densities of one variance, each with a false twin: a class that other lists have three open lemmas of.

Written before any of them was tried.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

x, a = real("x a")
order, sigma, q, epsilon, s = positive("alpha sigma q epsilon s")


def density(at):
    return exp(-((x - at) ** 2) / (2 * sigma**2)) / (sqrt(2 * pi) * sigma)


def mixture(first, second):
    return q * density(second) + (1 - q) * density(first)


line = (x, -oo, oo)
chi_squared = q**2 * (exp(1 / sigma**2) - 1)

LEMMAS = lemmas_in(
    globals(),
    """
# hard
divergence-of-a-sampled-shift: q <= 1
     => KLDivergence(mixture(0, s), density(0), line) <= q**2 * (exp(s**2 / sigma**2) - 1) / 2
    =/> KLDivergence(mixture(0, s), density(0), line) <= q**2 * (exp(s**2 / sigma**2) - 1) * Rational(9, 20)
    "The divergence of a shift that happens with probability q is at most half of its chi-squared divergence."
divergence-from-a-sampled-shift: q <= 1
     => KLDivergence(density(0), mixture(0, 1), line) <= chi_squared / 2
    =/> KLDivergence(density(0), mixture(0, 1), line) <= chi_squared * Rational(9, 20)
    "The divergence in the other direction."
divergence-below-logarithm: q <= 1
     => KLDivergence(mixture(0, 1), density(0), line) <= log(1 + chi_squared)
    =/> KLDivergence(mixture(0, 1), density(0), line) <= log(1 + Rational(2, 5) * chi_squared)
    "KL is at most log(1 + chi-squared)."
jeffreys-of-a-sampled-shift: q <= 1
     => KLDivergence(mixture(0, 1), density(0), line) + KLDivergence(density(0), mixture(0, 1), line) <= chi_squared
    =/> KLDivergence(mixture(0, 1), density(0), line) + KLDivergence(density(0), mixture(0, 1), line) <= chi_squared * Rational(9, 10)
    "Both directions together."
affinity-of-a-sampled-shift: q <= 1
     => Integral(sqrt(mixture(0, 1) * density(0)), line) >= 1 - chi_squared / 8
    =/> Integral(sqrt(mixture(0, 1) * density(0)), line) >= 1 - chi_squared / 9
    "The Hellinger affinity is at least 1 minus an eighth of chi-squared."
moment-of-order-three-halves: q <= 1
     => SampledGaussianMoment(Rational(3, 2), sigma, q, "remove") <= sqrt(1 + chi_squared)
    =/> SampledGaussianMoment(Rational(3, 2), sigma, q, "remove") <= sqrt(1 + Rational(7, 10) * chi_squared)
    "The moment of order 3/2 is at most the root of the second one."
moment-up-to-order-two: q <= 1, order > 1, order <= 2
     => SampledGaussianMoment(order, sigma, q, "remove") <= 1 + (order - 1) * chi_squared
    =/> SampledGaussianMoment(order, sigma, q, "remove") <= 1 + Rational(9, 10) * (order - 1) * chi_squared
    "Moments up to order 2 lie below their chord."
moment-of-additions: q <= 1, order > 1
     => SampledGaussianMoment(order, sigma, q, "add") <= 1 - q + q * exp(order * (order - 1) / (2 * sigma**2))
    =/> SampledGaussianMoment(order, sigma, q, "add") <= 1 - q + q * exp(Rational(9, 20) * order * (order - 1) / sigma**2)
    "Moments of an addition are convex in the rate."
delta-by-chi-squared: q <= 1
     => SampledGaussianDelta(epsilon, sigma, q, 1, "remove") <= chi_squared / (4 * (exp(epsilon) - 1))
    =/> SampledGaussianDelta(epsilon, sigma, q, 1, "remove") <= chi_squared / (10 * (exp(epsilon) - 1))
    "delta is at most the chi-squared divergence over 4(e^epsilon - 1)."
divergence-of-moved-mixtures: q <= 1
     => KLDivergence(mixture(a, a + 1), density(a), line) <= chi_squared / 2
    =/> KLDivergence(mixture(a, a + 1), density(a), line) <= chi_squared * Rational(2, 5)
    "The divergence does not depend on where the noise is centred."
""",
)
