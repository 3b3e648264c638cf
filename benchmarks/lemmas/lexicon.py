"""Theorems that a privacy researcher looks up, each with a close false twin, written down before anything was tried on them.

Conversions between notions of privacy, tails of Φ by name, the Gaussian mechanism, sampling, tests, divergences of coins, composition,
discrete and bounded noise, selection, bounds of exp and log, factorials, sums, integrals, moments. Of 107 written down, 55 were in other
lists already and were left out. When they were new, 42 of 52 were settled and 51 twins refuted.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import density, lemmas_in
from dpbounds.notation import *

R = Rational
x, y = real("x y")
u, v, epsilon, mu, s = nonnegative("u v epsilon mu s")
a, b, c, d, p, q, t, alpha, delta, sigma = positive("a b c d p q t alpha delta sigma")
n = positive_integer("n")
i = index("i")
P, Q = laws("P Q", (i, 1, n))
half = R(1, 2)
coin = (p < 1, q < 1)


def tail(z):  # type: ignore[no-untyped-def]
    """The probability that a standard normal variable exceeds z."""
    return NormalCDF(-z)


def entropy(share):  # type: ignore[no-untyped-def]
    """The entropy of a coin."""
    return -share * log(share) - (1 - share) * log(1 - share)


def distance(separation):  # type: ignore[no-untyped-def]
    """The total variation distance of two normal laws whose means are so many standard deviations apart."""
    return 2 * NormalCDF(separation / 2) - 1


def respond(order):  # type: ignore[no-untyped-def]
    """The Rényi divergence of randomized response."""
    return log((exp(order * t) + exp((1 - order) * t)) / (1 + exp(t))) / (order - 1)


squared = (sqrt(p) - sqrt(q)) ** 2 + (sqrt(1 - p) - sqrt(1 - q)) ** 2
jensen_shannon = entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2
amplified = log(1 + q * (exp(epsilon) - 1))
order_three = log(1 + 3 * (1 - q) * q**2 * (exp(1 / sigma**2) - 1) + q**3 * (exp(3 / sigma**2) - 1)) / 2
gaussian_kl = (t**2 - 1) / 2 - log(t)
weighted = (b * exp(-a * x) + a * exp(b * x)) / (a + b)
soft = log(exp(x) + exp(y))
harmonic = Sum(1 / i, (i, 1, n))
squares = Sum(1 / i**2, (i, 1, n))
excess = Integral((x - t) * density(x), (x, t, oo))
above = epsilon - 1 / (2 * sigma**2)

LEMMAS = lemmas_in(
    globals(),
    """
conversion-factor: a > 1 => (a - 1) ** (a - 1) <= a**a =/> (a - 1) ** (a - 1) <= R(9, 10) * a**a
conversion-gain: a > 1
     => log(1 - 1 / a) - log(a) / (a - 1) <= -1 / a
    =/> log(1 - 1 / a) - log(a) / (a - 1) <= -3 / a
gdp-delta-at-zero: mu > 0
     => GaussianDelta(epsilon, 1 / mu, 1) <= distance(mu)
    =/> GaussianDelta(epsilon, 1 / mu, 1) <= distance(mu) / 2
response-orders-rise: => respond(2) <= respond(3) =/> respond(3) <= respond(2)
normal-chu:
     => NormalCDF(u) >= (1 + sqrt(1 - exp(-(u**2) / 2))) / 2
    =/> NormalCDF(u) >= (1 + sqrt(1 - exp(-R(4, 5) * u**2))) / 2
tail-new-better-than-used:
     => tail(u + v) <= 2 * tail(u) * tail(v)
    =/> tail(u + v) <= R(9, 5) * tail(u) * tail(v)
gaussian-median-loss:
     => GaussianDelta(t, 1 / sqrt(2 * t), 1) <= half
    =/> GaussianDelta(t, 1 / sqrt(2 * t), 1) <= R(2, 5)
gaussian-chernoff: above >= 0
     => GaussianDelta(epsilon, sigma, 1) <= exp(-((above * sigma) ** 2) / 2) / 2
    =/> GaussianDelta(epsilon, sigma, 1) <= exp(-((above * sigma) ** 2) / 2) / 3
sampling-twice: q <= 1
     => 2 * amplified <= log(1 + q * (exp(2 * epsilon) - 1))
    =/> 2 * amplified <= log(1 + q**2 * (exp(2 * epsilon) - 1))
sampled-order-three: q <= 1, sigma >= 1
     => order_three <= 4 * q**2 / sigma**2
    =/> order_three <= 3 * q**2 / sigma**2
tradeoff-pieces: delta <= 1, p >= (1 - delta) / (1 + exp(epsilon))
     => 1 - delta - exp(epsilon) * p <= exp(-epsilon) * (1 - delta - p)
    =/> 1 - delta - exp(epsilon) * p >= exp(-epsilon) * (1 - delta - p)
jensen-shannon-hellinger: *coin => jensen_shannon <= squared / 2 =/> jensen_shannon <= squared / 3
expected-loss-series:
     => (exp(epsilon) - 1) / (exp(epsilon) + 1) <= epsilon / 2 - epsilon**3 / 24 + epsilon**5 / 240
    =/> (exp(epsilon) - 1) / (exp(epsilon) + 1) <= epsilon / 2 - epsilon**3 / 24
truncated-laplace-support: delta <= half
     => log(1 + (exp(t) - 1) / (2 * delta)) / t <= log(1 / (2 * delta)) / t + 1
    =/> log(1 + (exp(t) - 1) / (2 * delta)) / t <= log(1 / (2 * delta)) / t + half
noisy-max-of-two:
     => (2 + u) * exp(-u) / 4 <= 1 / (1 + exp(u / 2))
    =/> (2 + u) * exp(-u) / 4 <= 1 / (1 + exp(u))
selection-loss: => u / (1 + exp(u / 2)) <= R(14, 25) =/> u / (1 + exp(u / 2)) <= R(11, 20)
soft-maximum-quadratic:
     => soft <= (x + y) / 2 + log(2) + (x - y) ** 2 / 8
    =/> soft <= (x + y) / 2 + log(2) + (x - y) ** 2 / 9
hoeffding-two-sided:
     => weighted <= exp(x**2 * (a + b) ** 2 / 8)
    =/> weighted <= exp(x**2 * (a + b) ** 2 / 9)
gamma-watson:
     => gamma(u + 1) >= sqrt(u + R(1, 4)) * gamma(u + half)
    =/> gamma(u + 1) >= sqrt(u + R(1, 3)) * gamma(u + half)
harmonic-refined:
     => harmonic <= log(n) + R(2, 3) + 1 / (3 * n)
    =/> harmonic <= log(n) + R(3, 5) + 2 / (5 * n)
basel-tail: => squares <= pi**2 / 6 - 1 / (n + 1) =/> squares <= pi**2 / 6 - 1 / n
half-line-transform:
     => Integral(exp(-t * x) * density(x), (x, 0, oo)) <= 1 / (t * sqrt(2 * pi))
    =/> Integral(exp(-t * x) * density(x), (x, 0, oo)) <= 1 / (t * sqrt(3 * pi))
normal-excess: => excess <= density(t) / t**2 =/> excess <= density(t) / (t**2 + 2)
gamma-two-tail:
     => Integral(y * exp(-y), (y, u, oo)) <= 2 * exp(-u / 2)
    =/> Integral(y * exp(-y), (y, u, oo)) <= exp(-u / 2)
sparse-vector-split:
     => (1 + c ** R(2, 3)) ** 3 <= 4 * (1 + c**2)
    =/> (1 + c ** R(2, 3)) ** 3 <= 3 * (1 + c**2)
variance-kl-symmetric:
     => gaussian_kl <= (t - 1 / t) ** 2 / 2
    =/> gaussian_kl <= (t - 1 / t) ** 2 / 4
poisson-chernoff: a >= b
     => a * log(a / b) - a + b >= (a - b) ** 2 / (2 * a)
    =/> a * log(a / b) - a + b >= (a - b) ** 2 / (2 * b)
exponential-kl: b >= a
     => log(a / b) + b / a - 1 <= (b - a) ** 2 / (2 * a**2)
    =/> log(a / b) + b / a - 1 <= (b - a) ** 2 / (2 * a * b)
laplace-transform: 2 * b**2 * t**2 <= 1
     => 1 / (1 - b**2 * t**2) <= exp(2 * b**2 * t**2)
    =/> 1 / (1 - b**2 * t**2) <= exp(R(5, 4) * b**2 * t**2)
fano: n >= 2, p < 1 => entropy(p) + p * log(n - 1) <= log(n) =/> entropy(p) + p * log(n) <= log(n)
divergence-of-mixture: c <= 1
     => HockeyStick(epsilon, c * P + (1 - c) * Q, Q) <= c * HockeyStick(epsilon, P, Q)
    =/> HockeyStick(epsilon, c * P + (1 - c) * Q, Q) <= c**2 * HockeyStick(epsilon, P, Q)
posterior-gain: p < 1
     => p * exp(epsilon) / (1 - p + p * exp(epsilon)) - p <= (exp(epsilon / 2) - 1) / (exp(epsilon / 2) + 1)
    =/> p * exp(epsilon) / (1 - p + p * exp(epsilon)) - p <= epsilon / 5
debiasing-factor:
     => (exp(t) + 1) / (exp(t) - 1) <= 2 / t + t / 6
    =/> (exp(t) + 1) / (exp(t) - 1) <= 2 / t + t / 7
piecewise-variance:
     => (exp(t / 2) + 3) / (3 * (exp(t / 2) - 1) ** 2) <= 16 / (3 * t**2)
    =/> (exp(t / 2) + 3) / (3 * (exp(t / 2) - 1) ** 2) <= 4 / t**2
log-cosh-tangent: => log(cosh(x)) >= x * tanh(x) / 2 =/> log(cosh(x)) >= R(3, 5) * x * tanh(x)
log-cosh-convex:
     => 2 * log(cosh((x + y) / 2)) <= log(cosh(x)) + log(cosh(y))
    =/> 2 * log(cosh((x + y) / 2)) <= R(9, 10) * (log(cosh(x)) + log(cosh(y)))
sample-size-logarithm: a >= 1, t >= 4 * a * log(2 * a) + 2 * b
     => t >= a * log(t) + b
    =/> t >= 3 * a * log(t) + b
hazard-line: => density(u) <= tail(u) * (u + sqrt(2 / pi)) =/> density(u) <= tail(u) * (u + R(3, 4))
log-factorial-below:
     => log(factorial(n)) >= n * log(n) - n + 1
    =/> log(factorial(n)) >= n * log(n) - n + R(11, 10)
log-factorial-above:
     => Sum(log(i), (i, 1, n)) <= n * log(n) - n + 1 + log(n)
    =/> Sum(log(i), (i, 1, n)) <= n * log(n) - n + 1
gautschi: p < 1
     => gamma(t + 1) >= t ** (1 - p) * gamma(t + p)
    =/> gamma(t + 1) >= (t + 1) ** (1 - p) * gamma(t + p)
exponential-integral-logarithm:
     => Integral(exp(-x) / x, (x, t, oo)) <= exp(-t) * log(1 + 1 / t)
    =/> Integral(exp(-x) / x, (x, t, oo)) <= exp(-t) * log(1 + 2 / t) / 2
dawson:
     => Integral(exp(x**2), (x, 0, t)) <= (exp(t**2) - 1) / t
    =/> Integral(exp(x**2), (x, 0, t)) <= (exp(t**2) - 1) / (2 * t)
normal-third-moment:
     => Integral(Abs(x) ** 3 * density(x / sigma) / sigma, (x, -oo, oo)) <= R(8, 5) * sigma**3
    =/> Integral(Abs(x) ** 3 * density(x / sigma) / sigma, (x, -oo, oo)) <= R(3, 2) * sigma**3
laplace-distance:
     => Integral(Abs(exp(-Abs(x)) - exp(-Abs(x - u))) / 4, (x, -oo, oo)) <= u / 2
    =/> Integral(Abs(exp(-Abs(x)) - exp(-Abs(x - u))) / 4, (x, -oo, oo)) <= u / 3
logistic-ratio:
     => exp(-x) / (1 + exp(-x)) ** 2 <= exp(u) * exp(u - x) / (1 + exp(u - x)) ** 2
    =/> exp(-x) / (1 + exp(-x)) ** 2 <= exp(R(4, 5) * u) * exp(u - x) / (1 + exp(u - x)) ** 2
cauchy-ratio:
     => (1 + (x - u) ** 2) / (1 + x**2) <= ((u + sqrt(u**2 + 4)) / 2) ** 2
    =/> (1 + (x - u) ** 2) / (1 + x**2) <= 1 + u
gumbel-tail:
     => 1 - exp(-exp(-x)) >= exp(-x) - exp(-2 * x) / 2
    =/> 1 - exp(-exp(-x)) >= exp(-x) - exp(-2 * x) / 3
bias-and-noise: => t**2 + c / t >= 3 * (c / 2) ** R(2, 3) =/> t**2 + c / t >= 2 * c ** R(2, 3)
root-difference:
     => (sqrt(a) - sqrt(b)) ** 2 <= Abs(a - b)
    =/> (sqrt(a) - sqrt(b)) ** 2 <= Abs(a - b) / 2
log-ratio-root:
     => Abs(log(a / b)) <= Abs(a - b) / sqrt(a * b)
    =/> Abs(log(a / b)) <= 2 * Abs(a - b) / (a + b)
tree-leaves: t >= 1
     => 2 ** ceiling(log(t) / log(2)) <= 2 * t
    =/> 2 ** ceiling(log(t) / log(2)) <= 3 * t / 2
""",
)
