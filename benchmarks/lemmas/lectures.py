"""Lemmas as lecture notes on privacy and concentration have them, each with a close false twin, written down before anything was tried
on them.

Normal tails in two variables, divergences and distances of coins, binomial and Poisson moments, closed forms and tails of sums, integers,
conversions, and noise that is not Gaussian.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

x, y = real("x y")
u, v, epsilon = nonnegative("u v epsilon")
a, b, p, q, s, t, alpha, rho, sigma, delta = positive("a b p q s t alpha rho sigma delta")
n, m = positive_integer("n m")
k, j = index("k"), index("j", start=0)
coin = (p < 1, q < 1)
coins = KLDivergence(bernoulli(p), bernoulli(q))
affinity = sqrt(p * q) + sqrt((1 - p) * (1 - q))
triangular = (p - q) ** 2 / (p + q) + (p - q) ** 2 / (2 - p - q)
hellinger = 2 * (1 - affinity)
rate = log(1 + q * (exp(epsilon) - 1))

LEMMAS = lemmas_in(
    globals(),
    """
# normal tails
tail-split:
     => NormalCDF(-u - v) <= exp(-u * v - v**2 / 2) * NormalCDF(-u)
    =/> NormalCDF(-u - v) <= exp(-u * v - v**2 / 2) * NormalCDF(-u) * R(9, 10)
tail-kimball:
     => NormalCDF(u) * NormalCDF(v) <= NormalCDF(u + v)
    =/> R(11, 10) * NormalCDF(u) * NormalCDF(v) <= NormalCDF(u + v)
tail-root: u > 0
     => NormalCDF(-u) <= 2 * density(u) / (u + sqrt(u**2 + 2))
    =/> NormalCDF(-u) <= 2 * density(u) / (u + sqrt(u**2 + 5))
erfc-over-x: u > 0
     => erfc(u) <= exp(-(u**2)) / (u * sqrt(pi))
    =/> erfc(u) <= R(9, 10) * exp(-(u**2)) / (u * sqrt(pi))
normal-mass:
     => Integral(exp(-(t**2) / 2), (t, 0, u)) <= sqrt(pi / 2)
    =/> Integral(exp(-(t**2) / 2), (t, 0, u)) <= R(5, 4)
exponential-mass:
     => Integral(exp(-a * t), (t, 0, u)) <= 1 / a
    =/> Integral(exp(-a * t), (t, 0, u)) <= R(9, 10) / a
# coins
affinity-divergence: *coin => affinity >= exp(-coins / 2) =/> affinity >= exp(-R(2, 5) * coins)
variation-triangular: *coin
     => (p - q) ** 2 <= triangular / 2
    =/> (p - q) ** 2 <= R(9, 20) * triangular
hellinger-triangular: *coin => hellinger <= triangular =/> hellinger <= R(9, 10) * triangular
variation-hellinger-root: *coin
     => Abs(p - q) <= sqrt(hellinger * (1 - hellinger / 4))
    =/> Abs(p - q) <= sqrt(hellinger * (1 - hellinger / 3))
divergence-logit: *coin
     => coins <= (p - q) * log(p * (1 - q) / (q * (1 - p)))
    =/> 2 * coins <= (p - q) * log(p * (1 - q) / (q * (1 - p)))
renyi-three-variation: *coin
     => RenyiDivergence(3, bernoulli(p), bernoulli(q)) >= 2 * (p - q) ** 2
    =/> RenyiDivergence(3, bernoulli(p), bernoulli(q)) >= R(31, 5) * (p - q) ** 2
# moments and tails
binomial-exponential-moment: q < 1
     => Sum(binomial(n, j) * q**j * (1 - q) ** (n - j) * exp(epsilon * j), (j, 0, n)) <= exp(n * q * (exp(epsilon) - 1))
    =/> Sum(binomial(n, j) * q**j * (1 - q) ** (n - j) * exp(epsilon * j), (j, 0, n)) <= exp(R(9, 10) * n * q * (exp(epsilon) - 1))
binomial-total: q < 1
     => Sum(binomial(n, j) * q**j * (1 - q) ** (n - j), (j, 0, n)) <= 1
    =/> Sum(binomial(n, j) * q**j * (1 - q) ** (n - j), (j, 0, n)) <= R(99, 100)
bounded-variable: a < 1
     => log(a * exp((1 - a) * t) + (1 - a) * exp(-a * t)) <= exp(t) - 1 - t
    =/> log(a * exp((1 - a) * t) + (1 - a) * exp(-a * t)) <= (exp(t) - 1 - t) / 5
rademacher-laplace: t < 1
     => 1 / (1 - t**2) <= exp(t**2 / (1 - t**2))
    =/> 1 / (1 - t**2) <= exp(R(9, 10) * t**2 / (1 - t**2))
# sums
geometric-from-one:
     => Sum(exp(-a * k), (k, 1, oo)) <= 1 / a
    =/> Sum(exp(-a * k), (k, 1, oo)) <= R(9, 10) / a
two-sided-geometric:
     => Sum(exp(-a * j), (j, 0, oo)) >= 1 / a + R(1, 2)
    =/> Sum(exp(-a * j), (j, 0, oo)) >= 1 / a + R(3, 5)
exponential-series:
     => Sum(u**j / factorial(j), (j, 0, n)) <= exp(u)
    =/> Sum(u**j / factorial(j), (j, 0, n)) <= R(9, 10) * exp(u)
factorial-telescope:
     => Sum(k * factorial(k), (k, 1, n)) <= factorial(n + 1) - 1
    =/> Sum(k * factorial(k), (k, 1, n)) <= factorial(n + 1) - 2
sum-products:
     => Sum(1 / (k * (k + 2)), (k, 1, n)) <= R(3, 4)
    =/> Sum(1 / (k * (k + 2)), (k, 1, n)) <= R(74, 100)
sum-halves: => Sum(k / 2**k, (k, 1, n)) <= 2 =/> Sum(k / 2**k, (k, 1, n)) <= R(19, 10)
row-squares: => Sum(binomial(n, j), (j, 0, n)) >= n + 1 =/> Sum(binomial(n, j), (j, 0, n)) >= n + 2
# integers
binomial-ratio: m <= n
     => binomial(n, m) >= (n / m) ** m
    =/> binomial(n, m) >= (R(11, 10) * n / m) ** m
binomial-by-factorial: m <= n
     => binomial(n, m) <= n**m / factorial(m)
    =/> binomial(n, m) <= R(9, 10) * n**m / factorial(m)
power-root: => (1 + a) ** (1 / n) <= 1 + a / n =/> (1 + a) ** (1 / n) <= 1 + R(9, 10) * a / n
# conversions and noise
delta-by-order-two:
     => GaussianDelta(epsilon, sigma) <= exp(1 / sigma**2 - epsilon) / 4
    =/> GaussianDelta(epsilon, sigma) <= exp(1 / sigma**2 - epsilon) / 9
zcdp-root: delta < 1
     => rho + 2 * sqrt(rho * log(1 / delta)) <= (sqrt(rho) + sqrt(log(1 / delta))) ** 2 - log(1 / delta)
    =/> rho + 2 * sqrt(rho * log(1 / delta)) <= (sqrt(rho) + sqrt(log(1 / delta))) ** 2 - R(11, 10) * log(1 / delta)
sampling-below-mean: q < 1, epsilon <= 1
     => rate <= q * epsilon + q * epsilon**2
    =/> rate <= q * epsilon + q * epsilon**2 / 9
staircase: epsilon > 0
     => epsilon / (2 * sinh(epsilon / 2)) <= 1 / (1 + epsilon**2 / 24)
    =/> epsilon / (2 * sinh(epsilon / 2)) <= 1 / (1 + epsilon**2 / 23)
soft-maximum:
     => log(exp(x) + exp(y)) <= Max(x, y) + log(2)
    =/> log(exp(x) + exp(y)) <= Max(x, y) + R(69, 100)
cosh-product:
     => cosh(x) * cosh(y) <= exp((x**2 + y**2) / 2)
    =/> cosh(x) * cosh(y) <= exp((x**2 + y**2) * R(49, 100))
stirling-e:
     => factorial(n) <= E * sqrt(n) * (n / E) ** n
    =/> factorial(n) <= R(27, 10) * sqrt(n) * (n / E) ** n
""",
)
