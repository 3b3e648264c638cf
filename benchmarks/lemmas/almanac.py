"""Lemmas of privacy, statistics and concentration; only the form of the lists was known, not the engine.

Forty have one variable, among them the sums, integrals and integers; 29 have two and 11 three. Each lemma and each twin was looked at
with 80 digits at some hundred points first. Of a draft of 82 the same statements stood in older lists 25 times, up to names; 19 of these
gave way to 17 others, all before anything was tried. When they were new, 76 of 80 were settled and all 80 twins refuted. Nine of the 80
still stand in older lists up to names, and six more in another form or with other premises: all 15 were settled, and 61 of the other 65.
"""

from __future__ import annotations

from typing import Any

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

R = Rational
x, y, z = real("x y z")
u, v, epsilon, mu = nonnegative("u v epsilon mu")
a, b, c, p, q, r, s, t, alpha, delta, sigma = positive("a b c p q r s t alpha delta sigma")
n = positive_integer("n")
i = index("i")
half = R(1, 2)
coins = (p < 1, q < 1)


def entropy(w: Any) -> Any:
    """The entropy of a coin in nats."""
    return -w * log(w) - (1 - w) * log(1 - w)


jensen_shannon = entropy((p + q) / 2) - (entropy(p) + entropy(q)) / 2
hellinger = (sqrt(p) - sqrt(q)) ** 2 + (sqrt(1 - p) - sqrt(1 - q)) ** 2
triangular = (p - q) ** 2 / (p + q) + (p - q) ** 2 / (2 - p - q)
coin_kl = KLDivergence([p, 1 - p], [q, 1 - q])
order_two = RenyiDivergence(2, [p, 1 - p], [q, 1 - q])
order_three = RenyiDivergence(3, [p, 1 - p], [q, 1 - q])
shape = epsilon / (exp(epsilon) - 1)
poisson_kl = b - a + a * log(a / b)
sampled = log(1 + q * (exp(epsilon) - 1))

LEMMAS = lemmas_in(
    globals(),
    """
# One variable.
log-karamata: a >= 1
     => log(a) * (a + a ** R(1, 3)) <= (a - 1) * (1 + a ** R(1, 3))
    =/> log(a) * (a + a ** R(1, 4)) <= (a - 1) * (1 + a ** R(1, 4))
tanh-fraction:
     => tanh(u) <= u * (15 + u**2) / (15 + 6 * u**2)
    =/> tanh(u) <= u * (15 + u**2) / (15 + 7 * u**2)
log-cosh-far:
     => log(cosh(x)) <= Abs(x) - log(2) + exp(-2 * Abs(x))
    =/> log(cosh(x)) <= Abs(x) - log(2) + exp(-2 * Abs(x)) / 2
freedman-unit: a <= 1 => exp(a) - 1 - a <= (exp(1) - 2) * a**2 =/> exp(a) - 1 - a <= R(7, 10) * a**2
poisson-lower-rate-cubic: a < 1
     => (1 - a) * log(1 - a) + a >= a**2 / 2 + a**3 / 6
    =/> (1 - a) * log(1 - a) + a >= a**2 / 2 + a**3 / 5
mills-third-approximant:
     => NormalCDF(-a) <= density(a) * (a**2 + 2) / (a**3 + 3 * a)
    =/> NormalCDF(-a) <= density(a) * (a**2 + 2) / (a**3 + 4 * a)
normal-cdf-cubic:
     => NormalCDF(u) - half >= (u - u**3 / 6) / sqrt(2 * pi)
    =/> NormalCDF(u) - half >= (u - u**3 / 7) / sqrt(2 * pi)
normal-product-below:
     => 4 * NormalCDF(x) * NormalCDF(-x) >= exp(-(x**2))
    =/> 4 * NormalCDF(x) * NormalCDF(-x) >= exp(-(x**2) / 2)
normal-product-above:
     => 4 * NormalCDF(x) * NormalCDF(-x) <= exp(-(x**2) / 2)
    =/> 4 * NormalCDF(x) * NormalCDF(-x) <= exp(-3 * x**2 / 4)
second-moment-of-positive-part:
     => (1 + x**2) * NormalCDF(x) + x * density(x) >= 0
    =/> (1 + x**2) * NormalCDF(x) + x * density(x) >= NormalCDF(x) / 2
log-ratio-geometric: a > 1
     => log(a / (a - 1)) <= 1 / sqrt(a**2 - a)
    =/> log(a / (a - 1)) <= 1 / sqrt(a**2 - a / 2)
entropy-fourth-order: p < 1
     => entropy(p) <= log(2) - 2 * (p - half) ** 2 - R(4, 3) * (p - half) ** 4
    =/> entropy(p) <= log(2) - 2 * (p - half) ** 2 - R(3, 2) * (p - half) ** 4
entropy-second-half: p < 1
     => -(1 - p) * log(1 - p) <= p - p**2 / 2
    =/> -(1 - p) * log(1 - p) <= p - 3 * p**2 / 5
entropy-above-collision: p < 1
     => entropy(p) >= -log(p**2 + (1 - p) ** 2)
    =/> entropy(p) >= -R(11, 10) * log(p**2 + (1 - p) ** 2)
randomized-response-three-to-one: alpha > 1
     => log((3**alpha + 3 ** (1 - alpha)) / 4) <= (alpha - 1) * log(3)
    =/> log((3**alpha + 3 ** (1 - alpha)) / 4) <= (alpha - 1) * log(R(29, 10))
hyperbolic-cotangent-above: epsilon > 0
     => epsilon * (exp(epsilon) + 1) / (exp(epsilon) - 1) / 2 <= 1 + epsilon**2 / 12
    =/> epsilon * (exp(epsilon) + 1) / (exp(epsilon) - 1) / 2 <= 1 + epsilon**2 / 13
gamma-half-step-below: a > half
     => gamma(a + half) >= sqrt(a - R(1, 4)) * gamma(a)
    =/> gamma(a + half) >= sqrt(a - R(1, 5)) * gamma(a)
log-one-plus-square: => log(1 + u**2) <= u =/> log(1 + 2 * u**2) <= u
square-of-log-weighted: p < 1 => p * log(p) ** 2 <= 4 * exp(-2) =/> p * log(p) ** 2 <= half
huygens-hyperbolic: => 2 * sinh(u) + tanh(u) >= 3 * u =/> sinh(u) + 2 * tanh(u) >= 3 * u
log-series-with-rest: p < 1
     => -log(1 - p) <= p + p**2 / 2 + p**3 / (3 * (1 - p))
    =/> -log(1 - p) <= p + p**2 / 2 + p**3 / (3 * (1 - p / 2))
log-cubic-above: x > -1
     => log(1 + x) <= x - x**2 / 2 + x**3 / 3
    =/> log(1 + x) <= x - x**2 / 2 + x**3 / 4
bernstein-moment-series: t < 3
     => exp(t) <= 1 + t + t**2 / 2 / (1 - t / 3)
    =/> exp(t) <= 1 + t + t**2 / 2 / (1 - t / 4)
logistic-variance-below:
     => exp(x) / (1 + exp(x)) ** 2 >= (1 - x**2 / 4) / 4
    =/> exp(x) / (1 + exp(x)) ** 2 >= (1 - x**2 / 5) / 4
amplification-by-a-third: epsilon <= log(2)
     => log(1 + (exp(epsilon) - 1) / 3) <= epsilon * log(R(4, 3)) / log(2)
    =/> log(1 + (exp(epsilon) - 1) / 3) <= epsilon * R(41, 100)
conversion-factor-below: alpha > 1
     => alpha * log((alpha - 1) / alpha) >= -1 - 1 / (2 * (alpha - 1))
    =/> alpha * log((alpha - 1) / alpha) >= -1 - 1 / (3 * (alpha - 1))
noise-for-a-tail: delta < R(1, 3)
     => NormalCDF(-sqrt(2 * log(1 / (2 * delta)))) <= delta
    =/> NormalCDF(-sqrt(2 * log(1 / (3 * delta)))) <= delta
quantile-chord: p < half
     => NormalQuantile(1 - p) >= sqrt(2 * pi) * (half - p)
    =/> NormalQuantile(1 - p) >= R(13, 5) * (half - p)
log-atanh-two-terms:
     => log(1 + u) >= 2 * u / (2 + u) + R(2, 3) * (u / (2 + u)) ** 3
    =/> log(1 + u) >= 2 * u / (2 + u) + R(3, 4) * (u / (2 + u)) ** 3
scarf:
     => x * NormalCDF(x) + density(x) <= (x + sqrt(x**2 + 1)) / 2
    =/> x * NormalCDF(x) + density(x) <= (x + sqrt(x**2 + half)) / 2
log-cosh-by-tanh: => log(cosh(x)) >= x * tanh(x) / 2 =/> log(cosh(x)) >= 3 * x * tanh(x) / 5
laplace-affinity-above-normal:
     => (1 + t / 2) * exp(-t / 2) >= exp(-(t**2) / 8)
    =/> (1 + t / 2) * exp(-t / 2) >= exp(-(t**2) / 9)
logit-above-line: p >= half, p < 1
     => log(p / (1 - p)) >= 4 * (p - half)
    =/> log(p / (1 - p)) >= R(9, 2) * (p - half)
bounded-range-kl-eighth: epsilon > 0
     => shape - 1 - log(shape) <= epsilon**2 / 8
    =/> shape - 1 - log(shape) <= epsilon**2 / 9
# Two variables.
triangular-below-hellinger: *coins
     => triangular <= 2 * hellinger
    =/> triangular <= R(3, 2) * hellinger
jensen-shannon-below-variation: *coins
     => jensen_shannon <= log(2) * Abs(p - q)
    =/> jensen_shannon <= R(2, 3) * Abs(p - q)
poisson-kl-below-square: => poisson_kl <= (a - b) ** 2 / b =/> poisson_kl <= (a - b) ** 2 / (2 * b)
logarithmic-mean-lin: a >= b
     => a - b <= (log(a) - log(b)) * ((a ** R(1, 3) + b ** R(1, 3)) / 2) ** 3
    =/> a - b <= (log(a) - log(b)) * ((a ** R(1, 4) + b ** R(1, 4)) / 2) ** 4
entropy-duality:
     => a * x <= a * log(a) - a + exp(x)
    =/> a * x <= a * log(a) - R(11, 10) * a + exp(x)
sampling-two-directions: q < 1
     => -log(1 - q * (1 - exp(-epsilon))) <= sampled
    =/> -log(1 - q * (1 - exp(-epsilon))) <= R(9, 10) * sampled
amplification-bennett: q < 1
     => sampled <= q * epsilon + q * (1 - q) * (exp(epsilon) - 1 - epsilon)
    =/> sampled <= q * epsilon + q * (1 - q) * epsilon**2 / 2
randomized-response-above-kl: alpha > 1
     => log((exp(alpha * epsilon) + exp((1 - alpha) * epsilon)) / (1 + exp(epsilon))) >= (alpha - 1) * epsilon * tanh(epsilon / 2)
    =/> log((exp(alpha * epsilon) + exp((1 - alpha) * epsilon)) / (1 + exp(epsilon))) >= (alpha - 1) * epsilon**2 / 2
group-delta-factor: epsilon > 0, a >= 1
     => (exp(a * epsilon) - 1) / (exp(epsilon) - 1) <= a * exp((a - 1) * epsilon)
    =/> (exp(a * epsilon) - 1) / (exp(epsilon) - 1) <= a * exp((a - 1) * epsilon / 2)
variation-of-approximate: delta < 1
     => (exp(epsilon) - 1 + 2 * delta) / (exp(epsilon) + 1) <= delta + (1 - delta) * epsilon / 2
    =/> (exp(epsilon) - 1 + 2 * delta) / (exp(epsilon) + 1) <= delta + (1 - delta) * 2 * epsilon / 5
union-below-product:
     => NormalCDF(x) + NormalCDF(y) - 1 <= NormalCDF(x) * NormalCDF(y)
    =/> NormalCDF(x) + NormalCDF(y) - 1 <= NormalCDF(x) * NormalCDF(y) - R(1, 1000)
gaussian-trade-off-below-blind: p < 1
     => NormalCDF(NormalQuantile(1 - p) - mu) <= 1 - p
    =/> NormalCDF(NormalQuantile(1 - p) - mu) <= (1 - p) * exp(-mu / 2)
kl-upper-tail: q < p, p < 1
     => coin_kl >= (p - q) ** 2 / (2 * p)
    =/> coin_kl >= (p - q) ** 2 / (2 * q)
order-two-above-variation: *coins
     => order_two >= log(1 + 4 * (p - q) ** 2)
    =/> order_two >= log(1 + 5 * (p - q) ** 2)
order-three-above-two: *coins => order_three >= order_two =/> order_three >= R(6, 5) * order_two
entropy-chain: *coins
     => entropy(p * q) <= entropy(p) + p * entropy(q)
    =/> entropy(p * q) <= R(9, 10) * entropy(p) + p * entropy(q)
entropy-of-noisy-channel: *coins
     => entropy(p * (1 - q) + q * (1 - p)) >= entropy(p)
    =/> entropy(p * (1 - q) + q * (1 - p)) >= entropy(p) + p * (1 - p) * q * (1 - q) / 10
softplus-geometric:
     => log(1 + a) * log(1 + b) <= log(1 + sqrt(a * b)) ** 2
    =/> log(1 + a) * log(1 + b) <= log(1 + R(99, 100) * sqrt(a * b)) ** 2
misses-second-order: p < 1
     => (1 - p) ** n <= exp(-n * p - n * p**2 / 2)
    =/> (1 - p) ** n <= exp(-n * p - 3 * n * p**2 / 5)
compound-above: => (1 + a / n) ** (n + a / 2) >= exp(a) =/> (1 + a / n) ** (n + a / 3) >= exp(a)
sampled-gaussian-order-two-linear: q < 1
     => SampledGaussianRenyi(2, sigma, q) <= q**2 * (exp(1 / sigma**2) - 1)
    =/> SampledGaussianRenyi(2, sigma, q) <= q**2 / sigma**2
sampled-gaussian-order-two-below: q < 1
     => SampledGaussianRenyi(2, sigma, q) >= q**2 / sigma**2
    =/> SampledGaussianRenyi(2, sigma, q) >= R(11, 10) * q**2 / sigma**2
exponential-affinity:
     => log(2 * sqrt(a * b) / (a + b)) >= -(log(a / b) ** 2) / 8
    =/> log(2 * sqrt(a * b) / (a + b)) >= -(log(a / b) ** 2) / 9
logarithmic-mean-polya: a >= b
     => a - b <= (log(a) - log(b)) * (a + b + 4 * sqrt(a * b)) / 6
    =/> a - b <= (log(a) - log(b)) * (a + b + 5 * sqrt(a * b)) / 7
variations-of-normals-add:
     => NormalCDF(u + v) + half <= NormalCDF(u) + NormalCDF(v)
    =/> NormalCDF(u + v) + half <= NormalCDF(u) + NormalCDF(9 * v / 10)
gaussian-privacy-composed-variation:
     => NormalCDF(sqrt(u**2 + v**2)) + half <= NormalCDF(u) + NormalCDF(v)
    =/> NormalCDF(sqrt(u**2 + v**2)) - half <= R(9, 10) * (NormalCDF(u) + NormalCDF(v) - 1)
many-answers-normalizer:
     => log((exp(epsilon) + a) / (1 + a)) <= epsilon - log(1 + a) + a * exp(-epsilon)
    =/> log((exp(epsilon) + a) / (1 + a)) <= epsilon - log(1 + a) + a * exp(-epsilon) / 2
coin-kl-above-poisson: *coins
     => coin_kl >= p * log(p / q) - p + q
    =/> coin_kl >= p * log(p / q) - p + q + (p - q) ** 2
symmetric-kl-pinsker: *coins
     => (p - q) * log(p * (1 - q) / (q * (1 - p))) >= 4 * (p - q) ** 2
    =/> (p - q) * log(p * (1 - q) / (q * (1 - p))) >= 5 * (p - q) ** 2
# Three variables.
sampling-in-two-stages: q < 1, r < 1
     => log(1 + q * r * (exp(epsilon) - 1)) >= q * log(1 + r * (exp(epsilon) - 1))
    =/> log(1 + q * r * (exp(epsilon) - 1)) >= q * (2 - q) * log(1 + r * (exp(epsilon) - 1))
conversion-subadditive:
     => a + b + 2 * sqrt((a + b) * c) <= a + 2 * sqrt(a * c) + b + 2 * sqrt(b * c)
    =/> a + b + 2 * sqrt((a + b) * c) <= a + R(7, 5) * sqrt(a * c) + b + R(7, 5) * sqrt(b * c)
heinz-mean: r < 1
     => a**r * b ** (1 - r) + a ** (1 - r) * b**r <= a + b
    =/> a**r * b ** (1 - r) + a ** (1 - r) * b**r <= a + b - (sqrt(a) - sqrt(b)) ** 2 / 2
powers-subadditive: r < 1
     => (a + b) ** r <= a**r + b**r
    =/> (a + b) ** r <= R(9, 10) * (a**r + b**r)
bias-and-variance:
     => a * t + b / t**2 >= R(3, 2) * (2 * a**2 * b) ** R(1, 3)
    =/> a * t + b / t**2 >= R(19, 10) * (a**2 * b) ** R(1, 3)
log-sum-with-square:
     => a * log(a / c) + b * log(b / c) >= (a + b) * log((a + b) / (2 * c)) + (a - b) ** 2 / (2 * (a + b))
    =/> a * log(a / c) + b * log(b / c) >= (a + b) * log((a + b) / (2 * c)) + 3 * (a - b) ** 2 / (4 * (a + b))
exponential-mixture: q < 1
     => exp(q * x + (1 - q) * y) <= q * exp(x) + (1 - q) * exp(y)
    =/> exp(q * x + (1 - q) * y) <= q * exp(x) + (1 - q) * exp(y) - q * (1 - q) * (x - y) ** 2 / 4
sampling-then-groups: q < 1
     => sampled + log(1 + q * (exp(u) - 1)) <= log(1 + q * (exp(epsilon + u) - 1))
    =/> sampled + log(1 + q * (exp(u) - 1)) <= log(1 + R(9, 10) * q * (exp(epsilon + u) - 1))
poisson-renyi-sign: alpha > 1
     => a**alpha * b ** (1 - alpha) - alpha * a + (alpha - 1) * b >= 0
    =/> a**alpha * b ** (1 - alpha) - alpha * a + (alpha - 1) * b >= (alpha - 1) * (a - b) ** 2 / b
normal-laws-kl:
     => log(b / a) + (a**2 + x**2) / (2 * b**2) - half >= x**2 / (2 * b**2)
    =/> log(b / a) + (a**2 + x**2) / (2 * b**2) - half >= x**2 / (2 * a * b)
log-of-mixture: r < 1
     => log(r * a + (1 - r) * b) >= r * log(a) + (1 - r) * log(b)
    =/> log(r * a + (1 - r) * b) >= r * log(a) + (1 - r) * log(b) + r * (1 - r) * (a - b) ** 2 / (2 * b**2)
# Sums, integrals and integers.
halves-weighted: => Sum(i / 2**i, (i, 1, n)) <= 2 =/> Sum(i / 2**i, (i, 1, n)) <= R(19, 10)
normal-integral-jensen:
     => Integral(exp(-(z**2) / 2), (z, 0, u)) >= u * exp(-(u**2) / 6)
    =/> Integral(exp(-(z**2) / 2), (z, 0, u)) >= u * exp(-(u**2) / 7)
exponential-mean-jensen:
     => Integral(exp(x * z), (z, 0, 1)) >= exp(x / 2)
    =/> Integral(exp(x * z), (z, 0, 1)) >= exp(3 * x / 5)
central-binomial-wallis:
     => factorial(2 * n) * sqrt(3 * n + 1) <= 4**n * factorial(n) ** 2
    =/> factorial(2 * n) * sqrt(3 * n + 2) <= 4**n * factorial(n) ** 2
roots-summed:
     => Sum(sqrt(i), (i, 1, n)) <= R(2, 3) * n * sqrt(n) + sqrt(n) / 2
    =/> Sum(sqrt(i), (i, 1, n)) <= R(2, 3) * n * sqrt(n) + sqrt(n) / 3
growing-integral-jensen:
     => Integral(exp(z**2 / 2), (z, 0, u)) >= u * exp(u**2 / 6)
    =/> Integral(exp(z**2 / 2), (z, 0, u)) >= u * exp(u**2 / 5)
""",
)
