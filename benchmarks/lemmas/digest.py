"""Sixty inequalities of papers on differential privacy, each with a close false twin, written before anything was tried on them.

Conversions, tails, randomized response and local noise, sampling, shuffling, sparse vectors, trade-off functions, steps of SGD, sums
over all n, integrals. When they were new, 52 of 60 were settled (median 0.17 s) and 59 twins refuted. 14 of the 60 stand in older lists
up to the names of variables, and 18 more in another form (another scale, another end of a range, logarithms taken): of the 46 that are
no copy 40 were settled, and of the 28 that are new in every form 25. Now it is 54, and every twin.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

R = Rational
x, y, z, w = real("x y z w")
u, t, epsilon, s = nonnegative("u t epsilon s")
a, b, c, d, p, q, r, eta, beta, delta, sigma, mu, e = positive("a b c d p q r eta beta delta sigma mu e")
n, m = positive_integer("n m")
k = index("k")
j = index("j", start=0)
half = R(1, 2)
coins = (p < 1, q < 1)


def gaussian_delta(budget: object, distance: object) -> object:
    """δ(ε) of two normal laws at a distance."""
    return NormalCDF(distance / 2 - budget / distance) - exp(budget) * NormalCDF(-distance / 2 - budget / distance)


def kl(first: object, second: object) -> object:
    """The Kullback–Leibler divergence of two coins."""
    return KLDivergence(bernoulli(first), bernoulli(second))


level = log(1 / delta)
entropy = -p * log(p) - (1 - p) * log(1 - p)
tilt = exp(-e)
ratio = e / (1 - exp(-e))
shuffled = (exp(e) - 1) / (exp(e) + 1) * (8 * sqrt(exp(e) * log(4 / delta) / a) + 8 * exp(e) / a)
staircase = ((tilt * (1 + tilt) / 2) ** R(2, 3) + tilt) / (1 - tilt) ** 2
truncation = (exp(e) - 1) / (2 * delta)
log_two = log(exp(x) + exp(y))
central = exp(x**2) * NormalCDF(3 * x / 2) + 3 * NormalCDF(-x / 2) - 2
window = 1 - (exp(-u / b) + exp(-(1 - u) / b)) / 2

LEMMAS = lemmas_in(
    globals(),
    """
# Conversions between the notions.
zcdp-budget-for-epsilon-delta: delta < 1
     => (sqrt(e + level) - sqrt(level)) ** 2 >= e**2 / (2 * e + 4 * level)
    =/> (sqrt(e + level) - sqrt(level)) ** 2 >= e**2 / (e + 4 * level)
gdp-delta-below-its-tail: e >= mu**2 / 2
     => gaussian_delta(e, mu) <= exp(-((e - mu**2 / 2) ** 2) / (2 * mu**2))
    =/> gaussian_delta(e, mu) <= exp(-(e**2) / (2 * mu**2)) / 2
rdp-delta-factor: a > 1
     => (1 - 1 / a) ** a <= exp(-1) * (1 - 1 / (2 * a))
    =/> (1 - 1 / a) ** a <= exp(-1) * (1 - 2 / (3 * a))
randomized-response-order-two:
     => log(exp(epsilon) - 1 + exp(-epsilon)) <= epsilon**2
    =/> log(exp(epsilon) - 1 + exp(-epsilon)) <= R(9, 10) * epsilon**2
sinh-difference-bun-steinke: u < x, x <= 2
     => sinh(x) - sinh(u) <= exp(x * u / 2) * sinh(x - u)
    =/> sinh(x) - sinh(u) <= exp(x * u / 3) * sinh(x - u)
sinh-subgaussian: => sinh(t) <= t * exp(t**2 / 6) =/> sinh(t) <= t * exp(t**2 / 7)
gdp-advantage-linear:
     => 2 * NormalCDF(mu / 2) - 1 <= mu / sqrt(2 * pi)
    =/> 2 * NormalCDF(mu / 2) - 1 <= R(39, 100) * mu
gdp-advantage-composed:
     => NormalCDF(-sqrt(u**2 + t**2) / 2) >= 2 * NormalCDF(-u / 2) * NormalCDF(-t / 2)
    =/> NormalCDF(-(u + t) / 2) >= 2 * NormalCDF(-u / 2) * NormalCDF(-t / 2)
laplace-order-two:
     => log(2 * exp(1 / b) / 3 + exp(-2 / b) / 3) <= 1 / b**2
    =/> log(2 * exp(1 / b) / 3 + exp(-2 / b) / 3) <= R(9, 10) / b**2
zcdp-sharper-delta:
     => NormalCDF(-t) - exp(mu**2 / 2 + t * mu) * NormalCDF(-t - mu) <= exp(-(t**2) / 2) / (1 + t / mu)
    =/> NormalCDF(-t) - exp(mu**2 / 2 + t * mu) * NormalCDF(-t - mu) <= exp(-(t**2) / 2) / (3 + t / mu)
# Selection.
softmax-of-two-expected-loss:
     => (x * exp(x) + y * exp(y)) / (exp(x) + exp(y)) >= Max(x, y) - R(2, 7)
    =/> (x * exp(x) + y * exp(y)) / (exp(x) + exp(y)) >= Max(x, y) - R(1, 4)
permute-and-flip-beats-softmax: p <= 1
     => (1 - (1 - p) ** n) / (n * p) >= 1 / (1 + (n - 1) * p)
    =/> (1 - (1 - p) ** n) / (n * p) >= 1 / (1 + (n - 1) * p / 2)
log-sum-exp-lipschitz:
     => log_two - log(exp(z) + exp(w)) <= Max(x - z, y - w)
    =/> log_two - log(exp(z) + exp(w)) <= (x - z + y - w) / 2
sparse-vector-shares-of-epsilon: a < e
     => 1 / a**2 + 4 * c**2 / (e - a) ** 2 >= (1 + (2 * c) ** R(2, 3)) ** 3 / e**2
    =/> 1 / a**2 + 4 * c**2 / (e - a) ** 2 >= R(21, 20) * (1 + (2 * c) ** R(2, 3)) ** 3 / e**2
# Local privacy and shuffling.
unary-encoding-variance:
     => exp(e / 2) / (exp(e / 2) - 1) ** 2 >= 4 / e**2 - R(1, 12)
    =/> exp(e / 2) / (exp(e / 2) - 1) ** 2 >= 4 / e**2 - R(1, 13)
mean-of-one-bit-size:
     => (exp(e) + 1) / (exp(e) - 1) <= 2 / e + Min(1, e / 6)
    =/> (exp(e) + 1) / (exp(e) - 1) <= 2 / e + Min(1, e / 7)
piecewise-below-one-bit: e >= R(13, 10)
     => 4 * exp(e / 2) / (3 * (exp(e / 2) - 1) ** 2) <= ((exp(e) + 1) / (exp(e) - 1)) ** 2
    =/> 4 * exp(e / 2) / (3 * (exp(e / 2) - 1) ** 2) <= R(99, 100) * ((exp(e) + 1) / (exp(e) - 1)) ** 2
shuffling-never-hurts: e >= 1, delta <= 1, a >= 16 * exp(e) * log(2 / delta)
     => log(1 + shuffled) <= e
    =/> log(1 + shuffled) <= e - R(1, 20)
# Sampling.
sampling-inverted: q <= 1
     => log(1 + (exp(epsilon) - 1) / q) <= epsilon / q
    =/> log(1 + (exp(epsilon) - 1) / q) <= (epsilon + epsilon / q) / 2
sampled-gaussian-orders-two-and-three: q <= 1
     => 1 + 3 * q**2 * (1 - q) * (exp(s) - 1) + q**3 * (exp(3 * s) - 1) >= (1 + q**2 * (exp(s) - 1)) ** 2
    =/> 1 + 3 * q**2 * (1 - q) * (exp(s) - 1) + q**3 * (exp(3 * s) - 1) >= (1 + R(8, 5) * q**2 * (exp(s) - 1)) ** 2
advanced-below-basic-composition: delta < 1, a >= level * (exp(e) + 1) ** 2 / 2
     => e * sqrt(2 * a * level) + a * e * (exp(e) - 1) / (exp(e) + 1) <= a * e
    =/> e * sqrt(2 * a * level) + a * e * (exp(e) - 1) / (exp(e) + 1) <= R(99, 100) * a * e
# Concentration.
bennett-bernstein:
     => (1 + u) * log(1 + u) - u >= u**2 / (2 + 2 * u / 3)
    =/> (1 + u) * log(1 + u) - u >= u**2 / (2 + u / 2)
chernoff-relative-lower-tail: q < p, p < 1
     => kl(q, p) >= (p - q) ** 2 / (2 * p)
    =/> kl(q, p) >= (p - q) ** 2 / (2 * q)
laplace-sums-subgaussian: 2 * x**2 <= 1
     => -log(1 - x**2) <= 2 * x**2
    =/> -log(1 - x**2) <= R(5, 4) * x**2
discrete-gaussian-mass:
     => Sum(exp(-(k**2) / (2 * sigma**2)), (k, 1, oo)) <= sigma * sqrt(2 * pi) / 2
    =/> Sum(exp(-(k**2) / (2 * sigma**2)), (k, 1, oo)) <= sigma * sqrt(2 * pi) / 2 - half
geometric-noise-mean-size:
     => 2 * (1 - exp(-e)) / (1 + exp(-e)) * Sum(k * exp(-e * k), (k, 1, oo)) <= 1 / e
    =/> 2 * (1 - exp(-e)) / (1 + exp(-e)) * Sum(k * exp(-e * k), (k, 1, oo)) <= 1 / e - e / 5
counting-factorization-norm:
     => 1 + Sum((binomial(2 * k, k) / 4**k) ** 2, (k, 1, n)) <= 1 + (1 + log(n)) / pi
    =/> 1 + Sum((binomial(2 * k, k) / 4**k) ** 2, (k, 1, n)) <= R(6, 5) + log(n) / pi
sum-of-log-over-k:
     => Sum(log(k) / k, (k, 1, n)) <= log(n) ** 2 / 2 + R(1, 8)
    =/> Sum(log(k) / k, (k, 1, n)) <= log(n) ** 2 / 2 + R(1, 10)
# Clipping and steps of SGD.
clipping-bias: => u - Min(u, c) <= u**2 / (4 * c) =/> u - Min(u, c) <= u**2 / (5 * c)
strongly-convex-step: 2 * eta * b * beta <= b + beta
     => sqrt(1 - 2 * eta * b * beta / (b + beta)) <= 1 - eta * b * beta / (b + beta)
    =/> sqrt(1 - 2 * eta * b * beta / (b + beta)) <= 1 - R(11, 10) * eta * b * beta / (b + beta)
shifted-interpolation-below-composition: c < 1
     => (1 - c**n) * (1 + c) <= n * (1 - c) * (1 + c**n)
    =/> (1 - c**n) * (1 + c) <= (n - R(1, 10)) * (1 - c) * (1 + c**n)
# Entropies and divergences of coins.
entropy-above-parabola: p < 1
     => entropy >= 4 * log(2) * p * (1 - p)
    =/> entropy >= 4 * log(2) * p * (1 - p) + (1 - 2 * p) ** 2 / 50
order-half-below-kl: *coins
     => -2 * log(sqrt(p * q) + sqrt((1 - p) * (1 - q))) <= kl(p, q)
    =/> -R(21, 10) * log(sqrt(p * q) + sqrt((1 - p) * (1 - q))) <= kl(p, q)
kl-below-log-chi-square: *coins
     => kl(p, q) <= log(1 + (p - q) ** 2 / (q * (1 - q)))
    =/> kl(p, q) <= log(1 + R(9, 10) * (p - q) ** 2 / (q * (1 - q)))
membership-advantage: delta <= 1
     => 1 - 2 * (1 - delta) / (1 + exp(epsilon)) <= delta + epsilon / 2
    =/> 1 - 2 * (1 - delta) / (1 + exp(epsilon)) <= delta + 2 * epsilon / 5
# The normal law.
mills-above-with-tie:
     => NormalCDF(-t) <= 2 * density(t) / (t + sqrt(t**2 + 8 / pi))
    =/> NormalCDF(-t) <= 2 * density(t) / (t + sqrt(t**2 + 3))
quantile-with-tie-at-half: delta <= half
     => NormalQuantile(1 - delta) <= sqrt(2 * log(1 / (2 * delta)))
    =/> NormalQuantile(1 - delta) <= R(4, 5) * sqrt(2 * log(1 / (2 * delta)))
gdp-above-its-tangents:
     => NormalCDF(x - mu) >= 1 - gaussian_delta(epsilon, mu) - exp(epsilon) * NormalCDF(-x)
    =/> NormalCDF(x - mu) >= 1 - gaussian_delta(epsilon, mu) - R(9, 10) * exp(epsilon) * NormalCDF(-x)
normal-cdf-log-concave-midpoint:
     => NormalCDF(x) * NormalCDF(y) <= NormalCDF((x + y) / 2) ** 2
    =/> NormalCDF(x) * NormalCDF(y) <= NormalCDF((x + y) / 2) ** 2 - (x - y) ** 2 / 100
largest-of-n-normals: a >= 1
     => a * NormalCDF(-sqrt(2 * log(a)) - t) <= exp(-(t**2) / 2) / 2
    =/> a * NormalCDF(-sqrt(2 * log(a)) - t) <= R(2, 5) * exp(-(t**2) / 2)
laurent-massart: 2 * t < 1
     => -log(1 - 2 * t) / 2 - t <= t**2 / (1 - 2 * t)
    =/> -log(1 - 2 * t) / 2 - t <= t**2 / (1 - t)
# Integrals.
normal-mean-overshoot:
     => Integral((y - t) * density(y), (y, t, oo)) <= density(t) / (1 + t**2)
    =/> Integral((y - t) * density(y), (y, t, oo)) <= density(t) / (1 + 2 * t**2)
amplified-losses-summed: q <= 1
     => Integral(log(1 + q * (exp(y) - 1)), (y, 0, epsilon)) >= q * epsilon**2 / 2
    =/> Integral(log(1 + q * (exp(y) - 1)), (y, 0, epsilon)) >= R(11, 20) * q * epsilon**2
bounded-range-kl: => ratio - 1 - log(ratio) <= e**2 / 8 =/> ratio - 1 - log(ratio) <= e**2 / 9
sample-size-for-learning: e < 2, delta < 1, a >= 2 * level / e
     => (1 - e / 2) ** a <= delta
    =/> (1 - e / 2) ** a <= R(9, 10) * delta
# All n.
compound-interest:
     => (1 + R(1) / n) ** n <= E * (1 - R(1) / (2 * n + 2))
    =/> (1 + R(1) / n) ** n <= E * (1 - R(1) / (2 * n + 1))
binomial-of-thirds:
     => binomial(3 * n, n) <= R(27, 4) ** n * sqrt(3 / (4 * pi * n))
    =/> binomial(3 * n, n) <= R(27, 4) ** n * sqrt(R(3, 13) / n)
gaussian-vector-length:
     => sqrt(2) * gamma(R(1, 2) + n / 2) / gamma(n / 2) >= n / sqrt(n + 1)
    =/> sqrt(2) * gamma(R(1, 2) + n / 2) / gamma(n / 2) >= sqrt(n - R(1, 3))
sampled-count-inverse-mean: q <= 1
     => Sum(binomial(n, j) * q**j * (1 - q) ** (n - j) / (j + 1), (j, 0, n)) <= 1 / ((n + 1) * q)
    =/> Sum(binomial(n, j) * q**j * (1 - q) ** (n - j) / (j + 1), (j, 0, n)) <= 1 / ((n + 2) * q)
# Groups.
hockey-stick-of-a-pair-of-steps: p < 1, q < 1, r < 1
     => HockeyStick(2 * epsilon, bernoulli(p), bernoulli(r)) <= HockeyStick(epsilon, bernoulli(p), bernoulli(q)) + exp(epsilon) *
           HockeyStick(epsilon, bernoulli(q), bernoulli(r))
    =/> HockeyStick(2 * epsilon, bernoulli(p), bernoulli(r)) <= HockeyStick(epsilon, bernoulli(p), bernoulli(q)) + HockeyStick(epsilon,
           bernoulli(q), bernoulli(r))
renyi-weak-triangle-order-two: p < 1, q < 1, r < 1
     => RenyiDivergence(2, bernoulli(p), bernoulli(q)) <= R(3, 2) * RenyiDivergence(4, bernoulli(p), bernoulli(r)) + RenyiDivergence(3,
           bernoulli(r), bernoulli(q))
    =/> RenyiDivergence(2, bernoulli(p), bernoulli(q)) <= RenyiDivergence(2, bernoulli(p), bernoulli(r)) + RenyiDivergence(2, bernoulli(r),
           bernoulli(q))
# Sensitivity.
smooth-sensitivity:
     => (t + 1) * exp(-beta * t) <= exp(beta - 1) / beta
    =/> (t + 1) * exp(-beta * t) <= exp(-1) / beta
mean-with-one-more: s <= n, u <= 1
     => Abs((s + u) / (n + 1) - s / n) <= R(1) / (n + 1)
    =/> Abs((s + u) / (n + 1) - s / n) <= R(1) / (n + 2)
entropy-sensitivity: m + 1 <= n
     => Abs((m + 1) * log((m + 1) / n) / n - m * log(m / n) / n) <= Max(1, log(n) - 1) / n
    =/> Abs((m + 1) * log((m + 1) / n) / n - m * log(m / n) / n) <= Max(R(9, 10), log(n) - 1) / n
# Other noise.
staircase-size:
     => exp(e / 2) / (exp(e) - 1) <= 1 / e
    =/> exp(e / 2) / (exp(e) - 1) <= 1 / e - e / 20
staircase-variance: => staircase <= 2 / e**2 =/> staircase <= 2 / e**2 - R(1, 10)
sampled-gdp-limits-compared: x > 0
     => 2 * central >= exp(x**2) - 1
    =/> 2 * central >= R(11, 10) * (exp(x**2) - 1)
exp-below-parabola: x <= 1 => exp(x) <= 1 + x + x**2 =/> exp(x) <= 1 + x + R(7, 10) * x**2
bounded-laplace-window: u <= 1
     => window >= (1 - exp(-1 / b)) / 2
    =/> window >= 1 - exp(-1 / (2 * b))
truncated-laplace-size: delta <= half
     => (1 - log(1 + truncation) / truncation) / e <= 1 / (4 * delta)
    =/> (1 - log(1 + truncation) / truncation) / e <= 1 / (5 * delta)
""",
)
