"""Theorems of the field in a line each, with a close false twin, written down before anything was tried on them.

Noise on the integers, log-concave and heavy tails, sample sizes, concentration, divergences of normal, exponential and geometric laws,
Rényi orders, hypothesis tests, sums, integrals and gamma functions. When they were new, 25 of 30 were settled and 29 twins refuted.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

R = Rational
x, y = real("x y")
u, v, epsilon, mu = nonnegative("u v epsilon mu")
a, b, c, p, q, r, t, alpha, delta, sigma, rho = positive("a b c p q r t alpha delta sigma rho")
n, m = positive_integer("n m")
i = index("i")
j = index("j", start=0)
half = R(1, 2)
coin = (p < 1, q < 1)
geometric_kl = log((1 - p) / (1 - q)) + p / (1 - p) * log(p / q)
rate = exp(epsilon) / (1 + exp(epsilon))

LEMMAS = lemmas_in(
    globals(),
    """
exponential-renyi-two: a < 2 * b
     => log(b**2 / (a * (2 * b - a))) >= 0
    =/> log(b**2 / (a * (2 * b - a))) >= (a - b) ** 2 / b**2 + (a - b) ** 4 / b**4
geometric-kl: *coin => geometric_kl >= 0 =/> geometric_kl >= (p - q) ** 2 / q
normal-variances-composed: a < 2, b < 2
     => -log(a * (2 - a)) / 2 - log(b * (2 - b)) / 2 >= 0
    =/> -log(a * (2 - a)) / 2 - log(b * (2 - b)) / 2 >= (a - b) ** 2
rdp-group-of-two: alpha > 1
     => 4 * GaussianRenyi(alpha, sigma, 1) <= GaussianRenyi(alpha, sigma, 2)
    =/> 5 * GaussianRenyi(alpha, sigma, 1) <= GaussianRenyi(alpha, sigma, 2)
response-two-uses:
     => 1 - (1 - tanh(u / 2)) ** 2 <= 2 * tanh(u / 2)
    =/> 1 - (1 - tanh(u / 2)) ** 2 <= R(3, 2) * tanh(u / 2)
accuracy-of-majority:
     => rate**2 * (3 - 2 * rate) >= rate
    =/> rate**2 * (3 - 2 * rate) >= R(11, 10) * rate
amplified-pure-square: q < 1
     => log(1 + q * (exp(epsilon) - 1)) <= sqrt(q) * (exp(epsilon / 2) - exp(-epsilon / 2)) / 1
    =/> log(1 + q * (exp(epsilon) - 1)) <= q * (exp(epsilon / 2) - exp(-epsilon / 2))
subset-sampling-size: n >= 2, t >= log(2 * n) => n * exp(-t) <= half =/> n * exp(-t) <= R(2, 5)
laplace-max-size: n >= 1, delta < 1, t >= log(n / delta)
     => 1 - (1 - exp(-t)) ** n <= delta
    =/> 1 - (1 - exp(-t)) ** n <= delta / 2
queries-per-budget: epsilon > 0, epsilon <= 1
     => epsilon * floor(1 / epsilon) > half
    =/> epsilon * floor(1 / epsilon) > R(3, 5)
bernstein-solved:
     => sqrt(2 * a * b) + b / 3 >= (b / 3 + sqrt(b**2 / 9 + 8 * a * b)) / 2
    =/> sqrt(a * b) + b / 3 >= (b / 3 + sqrt(b**2 / 9 + 8 * a * b)) / 2
sub-gaussian-to-exponential: t * b <= half
     => -log(1 - b * t) <= b * t + b**2 * t**2
    =/> -log(1 - b * t) <= b * t + b**2 * t**2 / 2
chi-square-lower-tail: u < 1 => log(1 - u) + u <= -(u**2) / 2 =/> log(1 - u) + u <= -(u**2)
normal-cdf-reflected:
     => NormalCDF(x) * NormalCDF(-x) <= R(1, 4)
    =/> NormalCDF(x) * NormalCDF(-x) <= R(6, 25)
quantile-odds: p < 1, p >= half
     => NormalQuantile(p) <= sqrt(pi / 8) * log(p / (1 - p))
    =/> NormalQuantile(p) <= half * log(p / (1 - p))
alternating-harmonic:
     => Sum((-1) ** (i + 1) / i, (i, 1, 2 * n)) <= log(2)
    =/> Sum((-1) ** (i + 1) / i, (i, 1, 2 * n)) <= R(69, 100)
zeta-three-tail:
     => Sum(1 / i**3, (i, 1, n)) <= R(5, 4) - 1 / (4 * n**2)
    =/> Sum(1 / i**3, (i, 1, n)) <= R(6, 5) - 1 / (5 * n**2)
weighted-geometric: p < 1
     => Sum(i**2 * p**i, (i, 1, n)) <= p * (1 + p) / (1 - p) ** 3
    =/> Sum(i**2 * p**i, (i, 1, n)) <= p * (1 + p) / (1 - p) ** 2
incomplete-gamma-upper: a > 1
     => Integral(x ** R(1, 2) * exp(-x), (x, t, oo)) >= sqrt(t) * exp(-t)
    =/> Integral(x ** R(1, 2) * exp(-x), (x, t, oo)) >= R(11, 10) * sqrt(t) * exp(-t)
student-tail:
     => Integral(1 / (1 + x**2), (x, t, oo)) <= 1 / t
    =/> Integral(1 / (1 + x**2), (x, t, oo)) <= R(9, 10) / t
logistic-integral:
     => Integral(1 / (1 + exp(x)), (x, t, oo)) <= exp(-t)
    =/> Integral(1 / (1 + exp(x)), (x, t, oo)) <= half * exp(-t)
normal-mgf-half:
     => Integral(exp(x) * density(x), (x, -oo, u)) <= exp(half)
    =/> Integral(exp(x) * density(x), (x, -oo, u)) <= R(3, 2)
log-integral: t > 1
     => Integral(1 / log(1 + x), (x, 1, t)) >= (t - 1) / log(1 + t)
    =/> Integral(1 / log(1 + x), (x, 1, t)) >= (t - 1) / log(t)
gamma-duplication-bound:
     => gamma(t + half) * gamma(t + half) <= gamma(t) * gamma(t + 1)
    =/> gamma(t + half) * gamma(t + half) <= R(9, 10) * gamma(t) * gamma(t + 1)
log-gamma-midpoint:
     => 2 * log(gamma(t + 1)) <= log(gamma(t)) + log(gamma(t + 2))
    =/> 2 * log(gamma(t + 1)) <= log(gamma(t + 1)) + log(gamma(t + half))
multinomial-largest:
     => factorial(2 * n) <= factorial(n) ** 2 * 4**n / sqrt(2 * n + 1) * sqrt(2)
    =/> factorial(2 * n) <= factorial(n) ** 2 * 4**n / sqrt(4 * n + 1)
max-of-two-laws: *coin
     => Max(p, q) + Max(1 - p, 1 - q) <= 1 + sqrt(KLDivergence(bernoulli(p), bernoulli(q)) / 2)
    =/> Max(p, q) + Max(1 - p, 1 - q) <= 1 + sqrt(KLDivergence(bernoulli(p), bernoulli(q)) / 3)
orders-one-half-and-two: *coin
     => RenyiDivergence(2, bernoulli(p), bernoulli(q)) >= -2 * log(sqrt(p * q) + sqrt((1 - p) * (1 - q)))
    =/> RenyiDivergence(2, bernoulli(p), bernoulli(q)) <= -4 * log(sqrt(p * q) + sqrt((1 - p) * (1 - q)))
clipped-mean-bias:
     => Integral((x - t) * exp(-x), (x, t, oo)) <= 1 / (1 + t)
    =/> Integral((x - t) * exp(-x), (x, t, oo)) <= 1 / (1 + 2 * t)
huber-quadratic:
     => Min(x**2, 2 * Abs(x)) <= 2 * log(1 + x**2) + x**2 / 2
    =/> Min(x**2, 2 * Abs(x)) <= log(1 + x**2)
""",
)
