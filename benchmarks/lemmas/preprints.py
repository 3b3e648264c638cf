"""Lemmas as preprints on privacy state or use them, each with a close false twin, written down before anything was tried on them.

Calibration of noise, normal tails in two variables, sampling, mechanisms that choose, divergences under local randomizers, moments and
tails of discrete noise, sums with a symbolic number of terms, and inequalities whose sides meet along a curve.
When they were new, 44 of 56 were settled and 52 twins refuted; the twin of `gaussian-mechanism` was true, and `renyi-skewed` was stated for
an order that the language does not have.
"""

from __future__ import annotations

from typing import Any

from benchmarks.lemmas.lemma import density, lemmas_in
from dpbounds.notation import *

R = Rational
x, y, z = real("x y z")
u, v, epsilon, mu = nonnegative("u v epsilon mu")
a, b, c, p, q, s, t, alpha, rho, sigma, delta = positive("a b c p q s t alpha rho sigma delta")
n, m = positive_integer("n m")
k, j = index("k"), index("j", start=0)
coin = (p < 1, q < 1)
coins = KLDivergence(bernoulli(p), bernoulli(q))
less = R(9, 10)
more = R(11, 10)
affinity = sqrt(p * q) + sqrt((1 - p) * (1 - q))


def response(share: Any) -> Any:
    """The share of answers "yes" after randomized response."""
    return (share * exp(epsilon) + 1 - share) / (exp(epsilon) + 1)


def variation(distance: Any) -> Any:
    """The total variation of two unit normal distributions at a distance."""
    return 2 * NormalCDF(distance / 2) - 1


def gaussian(steps: Any) -> Any:
    """The terms of a discrete Gaussian, a number of steps away."""
    return exp(-((j + steps) ** 2) / (2 * sigma**2))


def overlap(order: Any) -> Any:
    """The moment of two coins at an order below 1."""
    return p**order * q ** (1 - order) + (1 - p) ** order * (1 - q) ** (1 - order)


calibrated = GaussianDelta(epsilon, sqrt(2 * log(5 / (4 * delta))) / epsilon)
concentrated = GaussianDelta(epsilon, 1 / sqrt(2 * rho))
chernoff = exp(-((epsilon - rho) ** 2) / (4 * rho))
clipped = a - Min(a, c)
factor = (alpha - 1) ** (alpha - 1) / alpha**alpha
fourth = 1 + 6 * q**2 * (exp(v) - 1) + 4 * q**3 * (exp(3 * v) - 3 * exp(v) + 2) + q**4 * (exp(6 * v) - 4 * exp(3 * v) + 6 * exp(v) - 3)
local = KLDivergence(bernoulli(response(p)), bernoulli(response(q)))
minimum = Min(4 * (exp(v) - 1), 2 * exp(v))
soft = log(exp(x) + exp(y) + exp(z))
utility = (x * exp(x) + y * exp(y) + z * exp(z)) / (exp(x) + exp(y) + exp(z))
raised = exp(x + u) / (exp(x + u) + exp(y))
margin = sqrt(2 * a * s) + 2 * b * s / 3
entropy = -p * log(p) - (1 - p) * log(1 - p)
late = Sum(1 / (n + k) ** 2, (k, 1, n))
successes = Sum(j * binomial(n, j) * q**j * (1 - q) ** (n - j), (j, 0, n))
pairs = Sum(j * (j - 1) * a**j / factorial(j), (j, 0, oo))
far = Sum(exp(-a * (j + n)), (j, 0, oo))
waiting = Sum(k * q * (1 - q) ** (k - 1), (k, 1, oo))
powers = Sum(p ** (n - k), (k, 1, n))
squares = Sum(6 / (pi**2 * k**2), (k, 1, n))
decreasing = Integral(exp(-t) / (1 + t), (t, u, oo))
mills = Integral(exp(-(t**2) / 2 - a * t), (t, 0, oo))
cauchy = Integral(1 / (1 + t**2), (t, 0, u))
shifted = KLDivergence(density(x - mu), density(x), (x, -oo, oo))

LEMMAS = lemmas_in(
    globals(),
    """
# calibration and conversion
gaussian-mechanism: epsilon > 0, epsilon <= 1, delta <= R(1, 2)
     => calibrated <= delta
    =/> calibrated <= delta / 20
zcdp-to-dp-factor: epsilon >= rho
     => concentrated <= chernoff / (1 + (epsilon - rho) / (2 * rho))
    =/> concentrated <= R(2, 5) * chernoff / (1 + (epsilon - rho) / (2 * rho))
hockey-stick-by-moment: alpha > 1
     => 1 - exp(-t) <= exp((alpha - 1) * t) * factor
    =/> 1 - exp(-t) <= less * exp((alpha - 1) * t) * factor
sgd-calibration: epsilon > 0, delta < 1
     => (1 + 2 * log(1 / delta) / epsilon) * epsilon**2 / (4 * (epsilon + log(1 / delta))) + epsilon / 2 <= epsilon
    =/> (1 + 2 * log(1 / delta) / epsilon) * epsilon**2 / (3 * (epsilon + log(1 / delta))) + epsilon / 2 <= epsilon
distances-add:
     => variation(sqrt(u**2 + v**2)) <= variation(u) + variation(v)
    =/> variation(sqrt(u**2 + v**2)) <= less * (variation(u) + variation(v))
laplace-delta-line:
     => mechanism_delta(epsilon, laplace_scale=b) <= Max(0, (1 / b - epsilon) / 2)
    =/> mechanism_delta(epsilon, laplace_scale=b) <= Max(0, (1 / b - epsilon) / 3)
# normal tails
tail-pollak:
     => NormalCDF(-u) <= 2 * density(u) / (u + sqrt(u**2 + 8 / pi))
    =/> NormalCDF(-u) <= 2 * density(u) / (u + sqrt(u**2 + R(13, 5)))
normal-interval-centred:
     => NormalCDF(x + u) - NormalCDF(x) <= NormalCDF(u / 2) - NormalCDF(-u / 2)
    =/> NormalCDF(x + u) - NormalCDF(x) <= less * (NormalCDF(u / 2) - NormalCDF(-u / 2))
normal-slope:
     => NormalCDF(x + u) - NormalCDF(x) <= u / sqrt(2 * pi)
    =/> NormalCDF(x + u) - NormalCDF(x) <= less * u / sqrt(2 * pi)
hazard-slope:
     => density(u + v) / NormalCDF(-u - v) <= density(u) / NormalCDF(-u) + v
    =/> density(u + v) / NormalCDF(-u - v) <= density(u) / NormalCDF(-u) + less * v
quantile-convex: p >= R(1, 2), p < 1, q >= R(1, 2), q < 1
     => NormalQuantile((p + q) / 2) <= (NormalQuantile(p) + NormalQuantile(q)) / 2
    =/> NormalQuantile((p + q) / 2) <= less * (NormalQuantile(p) + NormalQuantile(q)) / 2
# divergences
le-cam: *coin
     => Min(p, q) + Min(1 - p, 1 - q) >= affinity**2 / 2
    =/> Min(p, q) + Min(1 - p, 1 - q) >= affinity**2 * R(11, 20)
renyi-skewed: *coin
     => -R(4, 3) * log(overlap(R(1, 4))) >= -R(2, 3) * log(affinity)
    =/> -R(4, 3) * log(overlap(R(1, 4))) >= -R(4, 3) * log(affinity)
local-contraction: *coin
     => local <= 4 * (exp(epsilon) - 1) ** 2 * (p - q) ** 2
    =/> local <= (exp(epsilon) - 1) ** 2 * (p - q) ** 2 / 3
response-hellinger:
     => 1 - 1 / cosh(epsilon / 2) <= epsilon**2 / 8
    =/> 1 - 1 / cosh(epsilon / 2) <= epsilon**2 / 9
laplace-affinity:
     => (1 + u / 2) * exp(-u / 2) >= exp(-(u**2) / 8)
    =/> (1 + u / 2) * exp(-u / 2) >= exp(-(u**2) / 9)
laplace-variation-affinity:
     => 1 - exp(-u / 2) <= sqrt(1 - (1 + u / 2) ** 2 * exp(-u))
    =/> 1 - exp(-u / 2) <= less * sqrt(1 - (1 + u / 2) ** 2 * exp(-u))
divergence-of-variances:
     => log(b / a) + a**2 / (2 * b**2) - R(1, 2) >= (a - b) ** 2 / (2 * b**2)
    =/> log(b / a) + a**2 / (2 * b**2) - R(1, 2) >= 3 * (a - b) ** 2 / (4 * b**2)
poisson-hellinger:
     => a * log(a / b) - a + b >= (sqrt(a) - sqrt(b)) ** 2
    =/> a * log(a / b) - a + b >= 3 * (sqrt(a) - sqrt(b)) ** 2
fano: p < 1 => entropy + p * log(a) <= log(1 + a) =/> entropy + more * p * log(a) <= log(1 + a)
donsker-varadhan: *coin
     => p * x - log(1 - q + q * exp(x)) <= coins
    =/> p * x - log(1 - q + q * exp(x)) <= less * coins
gaussian-divergence-as-integral: => shifted <= mu**2 / 2 =/> shifted <= less * mu**2 / 2
# sampling
sampled-minimum: q <= 1, v <= 2 => q**2 * minimum <= 8 * q**2 * v =/> q**2 * minimum <= 7 * q**2 * v
sampled-order-2-linear: q <= 1, sigma >= 1
     => log(1 + q**2 * (exp(1 / sigma**2) - 1)) <= 2 * q**2 / sigma**2
    =/> log(1 + q**2 * (exp(1 / sigma**2) - 1)) <= less * q**2 / sigma**2
sampled-fourth-moment: q <= 1
     => fourth <= 1 + q**2 * (exp(6 * v) - 1)
    =/> fourth <= 1 + q**3 * (exp(6 * v) - 1)
blanket-mass: a >= 1
     => a / (exp(epsilon) + a - 1) >= exp(-epsilon)
    =/> a / (exp(epsilon) + a - 1) >= exp(-less * epsilon)
# choosing
softmax-utility: => utility >= soft - log(3) =/> utility >= soft - 1
exponential-mechanism-one-up:
     => raised <= exp(u) * exp(x) / (exp(x) + exp(y))
    =/> raised <= exp(less * u) * exp(x) / (exp(x) + exp(y))
noisy-max-against-softmax:
     => (2 + u) * exp(-u) / 4 >= 1 / (1 + exp(u))
    =/> (2 + less * u) * exp(-u) / 4 >= 1 / (1 + exp(u))
permute-and-flip:
     => u * exp(-u) / 2 <= u / (1 + exp(u))
    =/> u * exp(-less * u) / 2 <= u / (1 + exp(u))
gumbel-log-concave:
     => exp(-exp(-x)) * exp(-exp(-y)) <= exp(-2 * exp(-(x + y) / 2))
    =/> exp(-exp(-x)) * exp(-exp(-y)) <= less * exp(-2 * exp(-(x + y) / 2))
sparse-vector-budgets: p < 1
     => 1 / p**2 + a**2 / (1 - p) ** 2 >= (1 + a ** R(2, 3)) ** 3
    =/> 1 / p**2 + a**2 / (1 - p) ** 2 >= more * (1 + a ** R(2, 3)) ** 3
budget-split:
     => (a + b) ** 2 / (p + q) <= a**2 / p + b**2 / q
    =/> more * (a + b) ** 2 / (p + q) <= a**2 / p + b**2 / q
weighted-triangle:
     => (x + y) ** 2 <= (1 + t) * x**2 + (1 + 1 / t) * y**2
    =/> (x + y) ** 2 <= (1 + t) * x**2 + (less + 1 / t) * y**2
clipping-error: => clipped <= a**2 / (4 * c) =/> clipped <= a**2 / (5 * c)
# moments and tails
bernstein-inverted:
     => margin**2 >= 2 * s * (a + b * margin / 3)
    =/> margin**2 >= more * 2 * s * (a + b * margin / 3)
triangular-moment:
     => 2 * (cosh(t) - 1) / t**2 <= exp(t**2 / 12)
    =/> 2 * (cosh(t) - 1) / t**2 <= exp(t**2 / 13)
kearns-saul: p < R(1, 2)
     => log(1 - p + p * exp(x)) - p * x <= (1 - 2 * p) * x**2 / (4 * log((1 - p) / p))
    =/> log(1 - p + p * exp(x)) - p * x <= less * (1 - 2 * p) * x**2 / (4 * log((1 - p) / p))
laplace-sum-moment: s <= R(1, 2)
     => (1 - s) ** (-n) <= exp(2 * n * s)
    =/> (1 - s) ** (-n) <= exp(R(5, 4) * n * s)
discrete-gaussian-far:
     => Sum(gaussian(n), (j, 0, oo)) <= exp(-(n**2) / (2 * sigma**2)) * Sum(gaussian(0), (j, 0, oo))
    =/> Sum(gaussian(n), (j, 0, oo)) <= exp(-(n**2) / sigma**2) * Sum(gaussian(0), (j, 0, oo))
discrete-laplace-far: => far <= exp(-a * n) * (1 + 1 / a) =/> far <= exp(-a * n) * (less + 1 / a)
binomial-mean: q < 1 => successes <= n * q =/> successes <= less * n * q
waiting-time: q < 1 => waiting <= 1 / q =/> waiting <= less / q
poisson-pairs: => pairs <= a**2 * exp(a) =/> pairs <= less * a**2 * exp(a)
# sums and integrals
late-iterations: => late <= 1 / (2 * n) =/> late <= R(2, 5) / n
contracting-iterations: p < 1 => powers <= 1 / (1 - p) =/> powers <= less / (1 - p)
unbounded-stream: => squares <= 1 =/> squares <= less
exponential-integral: => decreasing <= exp(-u) / (1 + u) =/> decreasing <= exp(-u) / (R(9, 5) + u)
mills-integral: => mills <= 1 / a =/> mills <= less / a
cauchy-mass: => cauchy >= u / (1 + u**2) =/> cauchy >= more * u / (1 + u**2)
# integers
binomial-entropy: m < n
     => binomial(n, m) <= n**n / (m**m * (n - m) ** (n - m))
    =/> binomial(n, m) <= n**n / (m**m * (n - m) ** (n - m)) / 3
steps-second-order:
     => (1 + a) ** n >= 1 + n * a + n * (n - 1) * a**2 / 2
    =/> (1 + a) ** n >= 1 + n * a + n**2 * a**2 / 2
missed-bins: m > 1 => (1 - 1 / m) ** n <= exp(-n / m) =/> (1 - 1 / m) ** n <= less * exp(-n / m)
failures-with-slack: delta < 1, b < 1
     => 1 - (1 - delta) ** n * (1 - b) <= n * delta + b
    =/> 1 - (1 - delta) ** n * (1 - b) <= less * n * delta + b
poisson-mode:
     => n**n / factorial(n) * exp(-n) <= 1 / sqrt(2 * pi * n)
    =/> n**n / factorial(n) * exp(-n) <= less / sqrt(2 * pi * n)
central-binomial-root:
     => binomial(2 * n, n) <= 4**n / sqrt(3 * n + 1)
    =/> binomial(2 * n, n) <= 4**n / sqrt(R(16, 5) * n + 1)
""",
)
