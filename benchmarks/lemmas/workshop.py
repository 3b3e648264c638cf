"""Lemmas as a workshop paper would claim them, each with a close false twin, written down before anything was tried on them.

Conversions, composition, sampling, shuffling, entropy, normal tails, laws of finite tables, moment generating functions, sums, local
randomizers, selection, discrete noise and trade-off functions, in one to three variables and for every n. When they were new, 50 of 61 were
settled and 60 twins refuted.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import density, lemmas_in
from dpbounds.notation import *

R = Rational
x, y, z = real("x y z")
u, v, epsilon, s = nonnegative("u v epsilon s")
a, b, p, q, t, alpha, rho, sigma, delta, mu, L, h, lam, k = positive("a b p q t alpha rho sigma delta mu L h lam k")
n = positive_integer("n")
i, j = index("i"), index("j", start=0)
P, Q = laws("P Q", (i, 1, n))
coin = (p < 1, q < 1)
one, other = bernoulli(p), bernoulli(q)
less, more = R(9, 10), R(11, 10)
gaussian = GaussianDelta(epsilon, sigma)
squares = (a**2 + b**2) / 2
entropy = (a**2 * log(a**2) + b**2 * log(b**2)) / 2 - squares * log(squares)
local = (exp(epsilon) - 1) / (exp(epsilon) + 1)
shuffled = 8 * sqrt(exp(epsilon) * L / a) + 8 * exp(epsilon) / a
twice = Tuple(p**2, p * (1 - p), p * (1 - p), (1 - p) ** 2), Tuple((1 - p) ** 2, p * (1 - p), p * (1 - p), p**2)
responded = KLDivergence(bernoulli(R(1, 2) + (p - R(1, 2)) * local), bernoulli(R(1, 2) + (q - R(1, 2)) * local))
bounded_range = epsilon / (exp(epsilon) - 1)
k_ary = log((exp(2 * a) + exp(-a) + k - 2) / (exp(a) + k - 1))
exponential = Integral(exp(t * x) * exp(-x / b) / b, (x, 0, oo))
uniform = Integral(exp(u * x) / 2, (x, -1, 1))
at_least_two = Sum(binomial(n, j) * q**j * (1 - q) ** (n - j), (j, 2, n))
falling = Sum(j * (j - 1) * binomial(n, j) * q**j * (1 - q) ** (n - j), (j, 0, n))
roots = Sum(binomial(2 * j, j) / 4**j, (j, 0, n))
truncated = 2 * u * density(u) / (2 * NormalCDF(u) - 1)
variance_tail = Integral(x**2 * density(x), (x, u, oo))
quartic = Integral(exp(-(x**4)), (x, t, oo))
laplace_pair = Integral(exp(-Abs(x)) * exp(-Abs(x - t)) / 4, (x, -oo, oo))
laplace_tail = Integral(a * exp(-a * x) / 2, (x, log(1 / (2 * delta)) / a, oo))

LEMMAS = lemmas_in(
    globals(),
    """
# conversions
order-factor-below: alpha > 1
     => (1 - 1 / alpha) ** (alpha - 1) >= 1 / E
    =/> (1 - 1 / alpha) ** (alpha - 1) >= more / E
response-divergence-below:
     => epsilon * local >= epsilon**2 / 2 - epsilon**4 / 24
    =/> epsilon * local >= epsilon**2 / 2 - epsilon**4 / 25
zcdp-rate-below:
     => (sqrt(a + L) - sqrt(L)) ** 2 >= a**2 / (4 * L + 2 * a)
    =/> (sqrt(a + L) - sqrt(L)) ** 2 >= a**2 / (4 * L + a)
best-order-below: alpha > 1
     => alpha * rho + L / (alpha - 1) >= rho + 2 * sqrt(rho * L)
    =/> alpha * rho + L / (alpha - 1) >= rho + R(21, 10) * sqrt(rho * L)
gdp-slope:
     => GaussianDelta(epsilon, 1 / mu) <= mu / sqrt(2 * pi)
    =/> GaussianDelta(epsilon, 1 / mu) <= mu / sqrt(7)
group-delta-below:
     => exp(n * epsilon) - 1 >= n * exp((n - 1) * epsilon / 2) * (exp(epsilon) - 1)
    =/> exp(n * epsilon) - 1 >= n * exp((n - 1) * epsilon * R(3, 5)) * (exp(epsilon) - 1)
# composition
basic-composition:
     => GaussianDelta(2 * epsilon, sigma / sqrt(2)) <= 2 * gaussian
    =/> GaussianDelta(2 * epsilon, sigma / sqrt(2)) <= gaussian
two-responses: p >= R(1, 2), p < 1
     => HockeyStick(0, *twice) <= 2 * p - 1
    =/> HockeyStick(0, *twice) <= less * (2 * p - 1)
unequal-noise:
     => sqrt(a**2 + b**2) <= a + b**2 / (2 * a)
    =/> sqrt(a**2 + b**2) <= a + b**2 / (3 * a)
# sampling and shuffling
sampling-undone: q <= 1
     => log(1 + (exp(a) - 1) / q) <= a / q
    =/> log(1 + (exp(a) - 1) / q) <= less * a / q
sampled-response-order-2: q <= 1
     => log(1 + q**2 * (exp(a) + exp(-a) - 2)) <= 2 * log(1 + q * (exp(a) - 1))
    =/> log(1 + q**2 * (exp(a) + exp(-a) - 2)) <= 2 * log(1 + q * (1 - exp(-a)))
add-below-remove: q < 1
     => -log(1 - q * (1 - exp(-a))) <= log(1 + q * (exp(a) - 1))
    =/> -log(1 - q * (1 - exp(-a))) <= less * log(1 + q * (exp(a) - 1))
sampled-slope: q <= 1, sigma >= 1
     => SampledGaussianDelta(epsilon, sigma, q, 1, "remove") <= q / (sqrt(2 * pi) * sigma)
    =/> SampledGaussianDelta(epsilon, sigma, q, 1, "remove") <= q / (3 * sigma)
shuffled-linear:
     => log(1 + local * shuffled) <= shuffled
    =/> log(1 + local * shuffled) <= shuffled / 2
factorial-moment: q < 1 => falling <= n**2 * q**2 =/> falling <= n**2 * q**2 / 2
iterations:
     => Sum(1 / (n - i + 1), (i, 1, n)) <= 1 + log(n)
    =/> Sum(1 / (n - i + 1), (i, 1, n)) <= R(1, 2) + log(n)
one-of-n:
     => (1 + (exp(a) - 1) / n) ** n <= exp(exp(a) - 1)
    =/> (1 + (exp(a) - 1) / n) ** n <= exp(less * (exp(a) - 1))
# concentration and entropy
chi-square-tail-doubled:
     => 2 * sqrt(t) + 2 * t - log(1 + 2 * sqrt(t) + 2 * t) >= 2 * t
    =/> 2 * sqrt(t) + 2 * t - log(1 + 2 * sqrt(t) + 2 * t) >= R(11, 5) * t
two-point-log-sobolev: => entropy <= (a - b) ** 2 / 2 =/> entropy <= 2 * (a - b) ** 2 / 5
modified-log-sobolev:
     => a * log(a / b) - a + b <= (a - b) * log(a / b)
    =/> a * log(a / b) - a + b <= less * (a - b) * log(a / b)
# normal tails
sampford:
     => NormalCDF(-u) <= 4 * density(u) / (3 * u + sqrt(u**2 + 8))
    =/> NormalCDF(-u) <= 4 * density(u) / (3 * u + sqrt(u**2 + 9))
union-of-normals:
     => n * NormalCDF(-sqrt(2 * log(n))) <= R(1, 2)
    =/> n * NormalCDF(-sqrt(2 * log(n))) <= R(1, 5)
# hockey-stick divergences
hockey-stick-duality: *coin
     => Eq(HockeyStick(epsilon, one, other), 1 - exp(epsilon) + exp(epsilon) * HockeyStick(-epsilon, other, one))
    =/> Eq(HockeyStick(epsilon, one, other), 1 - exp(epsilon) + HockeyStick(-epsilon, other, one))
laplace-variation:
     => mechanism_delta(epsilon, laplace_scale=b) <= 1 - exp(-1 / (2 * b))
    =/> mechanism_delta(epsilon, laplace_scale=b) <= less * (1 - exp(-1 / (2 * b)))
laplace-square:
     => mechanism_renyi(1, laplace_scale=b) <= 1 / (2 * b**2)
    =/> mechanism_renyi(1, laplace_scale=b) <= 1 / (3 * b**2)
# divergences of named and of finite laws
poisson-chi-square:
     => a * log(a / b) - a + b <= (a - b) ** 2 / b
    =/> a * log(a / b) - a + b <= (a - b) ** 2 / (3 * b)
coin-log-chi-square: *coin
     => KLDivergence(one, other) <= log(1 + (p - q) ** 2 / (q * (1 - q)))
    =/> KLDivergence(one, other) <= less * log(1 + (p - q) ** 2 / (q * (1 - q)))
roots-below-variation: P, Q
     => Sum((sqrt(P[i]) - sqrt(Q[i])) ** 2, (i, 1, n)) <= Sum(Abs(P[i] - Q[i]), (i, 1, n))
    =/> Sum((sqrt(P[i]) - sqrt(Q[i])) ** 2, (i, 1, n)) <= less * Sum(Abs(P[i] - Q[i]), (i, 1, n))
triangular-discrimination: P, Q
     => Sum((P[i] - Q[i]) ** 2 / (P[i] + Q[i] + 1), (i, 1, n)) <= Sum(Abs(P[i] - Q[i]), (i, 1, n))
    =/> Sum((P[i] - Q[i]) ** 2 / (P[i] + Q[i] + 1), (i, 1, n)) <= Sum(Abs(P[i] - Q[i]), (i, 1, n)) / 4
normal-variances:
     => log(b / a) + a**2 / (2 * b**2) - R(1, 2) <= (a**2 - b**2) ** 2 / (2 * a**2 * b**2)
    =/> log(b / a) + a**2 / (2 * b**2) - R(1, 2) <= (a**2 - b**2) ** 2 / (5 * a**2 * b**2)
# moment generating functions
uniform-mgf: => uniform <= exp(u**2 / 6) =/> uniform <= exp(u**2 / 7)
exponential-mgf: t * b < 1 => exponential <= exp(t * b / (1 - t * b)) =/> exponential <= exp(t * b)
chi-square-mgf: x >= -R(1, 4), x <= R(1, 4)
     => exp(-x) / sqrt(1 - 2 * x) <= exp(2 * x**2)
    =/> exp(-x) / sqrt(1 - 2 * x) <= exp(x**2)
poisson-mgf: u <= 1
     => exp(lam * (exp(u) - 1 - u)) <= exp(lam * u**2)
    =/> exp(lam * (exp(u) - 1 - u)) <= exp(lam * u**2 / 2)
# sums
zeta-tail: => Sum(1 / i**2, (i, n, oo)) <= 1 / n + 1 / n**2 =/> Sum(1 / i**2, (i, n, oo)) <= 1 / n
mean-of-geometric: q < 1
     => Sum(j * q**j, (j, 0, n)) <= q / (1 - q) ** 2
    =/> Sum(j * q**j, (j, 0, n)) <= q / (1 - q)
levels-of-a-tree: => Sum(j / 2**j, (j, 0, n)) <= 2 =/> Sum(j / 2**j, (j, 0, n)) <= R(3, 2)
refined-tree:
     => 1 / (2 * (1 - 2 ** (-n))) <= R(1, 2) + 2 ** (-n)
    =/> 1 / (2 * (1 - 2 ** (-n))) <= R(1, 2) + less * 2 ** (-n)
square-root-factors: => roots <= R(6, 5) * sqrt(n + 1) =/> roots <= more * sqrt(n + 1)
# binomial and Poisson
poisson-at-least-two:
     => Sum(exp(-a) * a**j / factorial(j), (j, 2, oo)) <= a**2 / 2
    =/> Sum(exp(-a) * a**j / factorial(j), (j, 2, oo)) <= a**2 / 3
binomial-at-least-two: q < 1, n >= 2
     => at_least_two <= n**2 * q**2 / 2
    =/> at_least_two <= n**2 * q**2 / 5
# local randomizers
k-ary-order-2: k >= 2 => k_ary <= a**2 =/> k_ary <= a**2 / 2
hadamard-rate: epsilon <= 1 => local >= R(9, 20) * epsilon =/> local >= R(12, 25) * epsilon
unary-variance-below:
     => 4 * exp(a) / (exp(a) - 1) ** 2 >= 4 / a**2 - R(1, 3)
    =/> 4 * exp(a) / (exp(a) - 1) ** 2 >= 4 / a**2 - R(1, 4)
responded-coins: *coin
     => responded <= 4 * (exp(epsilon) - 1) ** 2 * (p - q) ** 2
    =/> responded <= (exp(epsilon) - 1) ** 2 * (p - q) ** 2 / 4
# selection
bounded-range-square: epsilon > 0
     => bounded_range - 1 - log(bounded_range) <= epsilon**2 / 8
    =/> bounded_range - 1 - log(bounded_range) <= epsilon**2 / 9
noisy-max-gap:
     => (R(1, 2) + u / 4) * exp(-u) <= exp(-u / 2) / 2
    =/> (R(1, 2) + u / 4) * exp(-u) <= exp(-3 * u / 5) / 2
gumbel-tail: => exp(-exp(-x)) >= 1 - exp(-x) =/> exp(-exp(-x)) >= 1 - less * exp(-x)
sparse-vector-pair: => laplace_pair <= R(1, 4) =/> laplace_pair <= R(1, 5)
# discrete noise
exponential-moment-2:
     => Sum(j**2 * exp(-a * j), (j, 0, oo)) <= 2 / a**3
    =/> Sum(j**2 * exp(-a * j), (j, 0, oo)) <= R(19, 10) / a**3
discrete-gaussian-half:
     => Sum(exp(-(i**2) / (2 * sigma**2)), (i, 1, oo)) <= sigma * sqrt(pi / 2)
    =/> Sum(exp(-(i**2) / (2 * sigma**2)), (i, 1, oo)) <= sigma * sqrt(pi / 2) - R(3, 5)
staircase-amplitude: => exp(a / 2) / (exp(a) - 1) <= 1 / a =/> exp(a / 2) / (exp(a) - 1) <= less / a
# trade-off functions, truncated and generalized Gaussians
trade-off-above-tangent: p < 1
     => NormalCDF(NormalQuantile(1 - p) - mu) >= 1 - p * exp(epsilon) - GaussianDelta(epsilon, 1 / mu)
    =/> NormalCDF(NormalQuantile(1 - p) - mu) >= 1 - p * exp(epsilon) - less * GaussianDelta(epsilon, 1 / mu)
clt-rate: => sqrt(exp(u**2) - 1) >= u =/> sqrt(exp(u**2) - 1) >= more * u
truncated-variance: u > 0 => 1 - truncated <= u**2 / 3 =/> 1 - truncated <= u**2 / 4
normal-variance-tail:
     => variance_tail <= (1 + u**2) * exp(-(u**2) / 2) / 2
    =/> variance_tail <= (1 + u**2 / 4) * exp(-(u**2) / 2) / 2
quartic-tail: => quartic <= exp(-(t**4)) / (4 * t**3) =/> quartic <= exp(-(t**4)) / (5 * t**3)
# sensitivity and discretisation
release-threshold: delta <= R(1, 2) => laplace_tail <= delta =/> laplace_tail <= less * delta
smooth-distance:
     => Supremum(s * exp(-b * s), (s, 0, oo)) <= 1 / (E * b)
    =/> Supremum(s * exp(-b * s), (s, 0, oo)) <= less / (E * b)
dots-connected: u <= h
     => (exp(u) - 1) / (exp(h) - 1) <= u / h
    =/> (exp(u) - 1) / (exp(h) - 1) <= less * u / h
three-scores:
     => log(exp(x) + exp(y) + exp(z)) <= Max(x, y, z) + log(3)
    =/> log(exp(x) + exp(y) + exp(z)) <= Max(x, y, z) + 1
""",
)
