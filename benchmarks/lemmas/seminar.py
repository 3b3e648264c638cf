"""Lemmas as proofs in the field use them in passing, each with a close false twin, written down before anything was tried on them.

Series, coins, trade-off functions, conversions, sampling, normal tails in two variables, sums, integrals and integers.
When they were new, 33 of 40 were settled and 39 twins refuted; `renyi-pinsker` was then stated for orders that the language does not have.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

R = Rational
x, y = real("x y")
u, v, epsilon, mu = nonnegative("u v epsilon mu")
a, b, c, p, q, t, alpha, rho, sigma, delta = positive("a b c p q t alpha rho sigma delta")
n = positive_integer("n")
k, j = index("k"), index("j", start=0)
coin = (p < 1, q < 1)
coins = KLDivergence(bernoulli(p), bernoulli(q))
any_order = RenyiDivergence(alpha, bernoulli(p), bernoulli(q))
order_2 = RenyiDivergence(2, bernoulli(p), bernoulli(q))
rate = log(1 + q * (exp(epsilon) - 1))
with as_written():  # exp and log meet
    sampled_again = log(1 + p * (exp(rate) - 1))
less = R(9, 10)
more = R(11, 10)
gaussian = GaussianDelta(epsilon, sigma)
variation = 2 * NormalCDF(mu / 2) - 1
trade_off = NormalCDF(NormalQuantile(1 - a) - mu)
second = 1 + q**2 * (exp(1 / sigma**2) - 1)
third = 1 + 3 * q**2 * (exp(1 / sigma**2) - 1) + q**3 * (exp(3 / sigma**2) - 3 * exp(1 / sigma**2) + 2)
repeated = (exp(n * epsilon) - 1) / (exp(epsilon) - 1)
log_sum = a * log(a / c) + b * log(b) - (a + b) * log((a + b) / (c + 1))
discrete_mean = 2 * (1 - exp(-a)) / (1 + exp(-a)) * Sum(j * exp(-a * j), (j, 0, oo))
misses = Sum(binomial(n, j) * q**j * (1 - q) ** (n - j) / (j + 1), (j, 0, n))
line = Integral(exp(-(t**2) / 2), (t, u, u + v))
tail = Integral(t * exp(-(t**2) / 2), (t, u, oo))

LEMMAS = lemmas_in(
    globals(),
    """
# series
exp-minus-cubic:
     => exp(-u) >= 1 - u + u**2 / 2 - u**3 / 6
    =/> exp(-u) >= 1 - u + u**2 / 2 - u**3 / 7
log-minus-square: p <= R(1, 2) => log(1 - p) >= -p - p**2 =/> log(1 - p) >= -p - p**2 / 3
growth-twice: epsilon <= 1
     => exp(epsilon) - 1 <= 2 * epsilon
    =/> exp(epsilon) - 1 <= R(17, 10) * epsilon
square-exponential: u <= 1 => exp(u**2) <= 1 + u**2 + u**4 =/> exp(u**2) <= 1 + u**2 + u**4 / 2
advantage-doubled:
     => tanh(epsilon) <= 2 * tanh(epsilon / 2)
    =/> tanh(epsilon) <= R(19, 10) * tanh(epsilon / 2)
none-in-one-over-p: p < 1 => (1 - p) ** (1 / p) <= 1 / E =/> (1 - p) ** (1 / p) <= less / E
# coins
divergence-left-tail: p <= q, q < 1
     => coins >= (p - q) ** 2 / (2 * q)
    =/> coins >= more * (p - q) ** 2 / (2 * q)
divergence-right-tail: q <= p, p < 1
     => coins >= (p - q) ** 2 / (2 * p)
    =/> coins >= more * (p - q) ** 2 / (2 * p)
collision-below-maximum: *coin
     => order_2 <= Max(log(p / q), log((1 - p) / (1 - q)))
    =/> order_2 <= less * Max(log(p / q), log((1 - p) / (1 - q)))
renyi-above-divergence: *coin, alpha > 1 => any_order >= coins =/> any_order >= more * coins
renyi-pinsker: *coin, alpha > 1
     => any_order >= 2 * (p - q) ** 2
    =/> any_order >= R(21, 10) * (p - q) ** 2
log-sum: => log_sum >= 0 =/> log_sum >= (a + b) / 100
exponential-laws:
     => log(a / b) + b / a - 1 <= (a - b) ** 2 / (a * b)
    =/> log(a / b) + b / a - 1 <= (a - b) ** 2 / (3 * a * b)
# Gaussian trade-off and distances
gdp-advantage-below:
     => variation >= (mu - mu**3 / 24) / sqrt(2 * pi)
    =/> variation >= (mu - mu**3 / 25) / sqrt(2 * pi)
trade-off-advantage: a < 1
     => trade_off + a >= 2 * NormalCDF(-mu / 2)
    =/> trade_off + a >= more * 2 * NormalCDF(-mu / 2)
hellinger-gaussians:
     => 1 - exp(-(mu**2) / 8) <= variation
    =/> more * (1 - exp(-(mu**2) / 8)) <= variation
affinity-gaussians:
     => variation**2 <= 1 - exp(-(mu**2) / 4)
    =/> variation**2 <= 1 - exp(-(mu**2) / 8)
# conversions and noise
zcdp-tail: epsilon >= rho
     => GaussianDelta(epsilon, 1 / sqrt(2 * rho)) <= exp(-((epsilon - rho) ** 2) / (4 * rho))
    =/> GaussianDelta(epsilon, 1 / sqrt(2 * rho)) <= R(2, 5) * exp(-((epsilon - rho) ** 2) / (4 * rho))
delta-falls:
     => GaussianDelta(epsilon + v, sigma) <= gaussian
    =/> GaussianDelta(epsilon + v, sigma) <= less * gaussian
delta-first-term:
     => gaussian <= NormalCDF(1 / (2 * sigma) - epsilon * sigma)
    =/> gaussian <= NormalCDF(1 / (2 * sigma) - epsilon * sigma) / 2
laplace-delta:
     => Max(0, 1 - exp((epsilon - 1 / b) / 2)) <= 1 / (2 * b)
    =/> Max(0, 1 - exp((epsilon - 1 / b) / 2)) <= 1 / (3 * b)
# sampling
rate-below: q < 1
     => rate >= Max(epsilon + log(q), q * epsilon)
    =/> rate >= Max(epsilon + log(q), more * q * epsilon)
sampled-twice: p < 1, q < 1
     => sampled_again <= log(1 + p * q * (exp(epsilon) - 1))
    =/> sampled_again <= log(1 + less * p * q * (exp(epsilon) - 1))
sampled-orders: q < 1 => second**2 <= third =/> more * second**2 <= third
# normal tails
erf-polya: => erf(u) ** 2 <= 1 - exp(-4 * u**2 / pi) =/> erf(u) ** 2 <= 1 - exp(-R(6, 5) * u**2)
positive-part:
     => density(u) - u * NormalCDF(-u) <= density(u) / (1 + u**2)
    =/> density(u) - u * NormalCDF(-u) <= less * density(u) / (1 + u**2)
normal-log-concave-mean:
     => NormalCDF(x) * NormalCDF(y) <= NormalCDF((x + y) / 2) ** 2
    =/> NormalCDF(x) * NormalCDF(y) <= less * NormalCDF((x + y) / 2) ** 2
mills-falls:
     => NormalCDF(-u - v) * density(u) <= NormalCDF(-u) * density(u + v)
    =/> NormalCDF(-u - v) * density(u) <= less * NormalCDF(-u) * density(u + v)
normal-interval: => line <= v * exp(-(u**2) / 2) =/> line <= less * v * exp(-(u**2) / 2)
normal-first-moment: => tail <= 1 / (1 + u**2 / 2) =/> tail <= less / (1 + u**2 / 2)
log-sum-exp-lipschitz:
     => log(exp(x + u) + exp(y)) <= u + log(exp(x) + exp(y))
    =/> log(exp(x + u) + exp(y)) <= less * u + log(exp(x) + exp(y))
# sums and integers
geometric-mean-value:
     => Sum(j * exp(-a * j), (j, 0, oo)) <= 1 / a**2
    =/> Sum(j * exp(-a * j), (j, 0, oo)) <= less / a**2
discrete-laplace-mean: => discrete_mean <= 1 / a =/> discrete_mean <= less / a
discrete-gaussian-total:
     => Sum(exp(-(j**2) / (2 * sigma**2)), (j, 0, oo)) <= 1 + sigma * sqrt(pi / 2)
    =/> Sum(exp(-(j**2) / (2 * sigma**2)), (j, 0, oo)) <= 1 + sigma
binomial-reciprocal: q < 1 => misses <= 1 / ((n + 1) * q) =/> misses <= less / ((n + 1) * q)
sum-cubes-reciprocal: => Sum(1 / k**3, (k, 1, n)) <= R(5, 4) =/> Sum(1 / k**3, (k, 1, n)) <= R(6, 5)
sum-log-steps:
     => Sum(log(1 + 1 / k), (k, 1, n)) <= log(n + 1)
    =/> Sum(log(1 + 1 / k), (k, 1, n)) <= log(n)
failures-below: delta < 1
     => (1 - delta) ** n >= exp(-n * delta / (1 - delta))
    =/> (1 - delta) ** n >= exp(-n * delta)
group-below: epsilon > 0
     => repeated >= n * exp((n - 1) * epsilon / 2)
    =/> repeated >= more * n * exp((n - 1) * epsilon / 2)
binomial-quarters: => binomial(4 * n, n) <= R(256, 27) ** n =/> binomial(4 * n, n) <= R(39, 10) ** n
""",
)
