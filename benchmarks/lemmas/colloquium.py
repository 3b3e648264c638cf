"""Lemmas of the field's everyday work in other corners, each with a close false twin, written down before anything was tried on them.

When they were new, 19 of 27 were settled and 26 twins refuted.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import density, lemmas_in
from dpbounds.notation import *

R = Rational
x, y = real("x y")
u, epsilon, s = nonnegative("u epsilon s")
a, b, p, q, t, alpha, k = positive("a b p q t alpha k")
n, m = positive_integer("n m")
i, j = index("i"), index("j", start=0)
less = R(9, 10)
affinity = sqrt(2 * a * b / (a**2 + b**2))
poisson_rate = (a + t) * log(1 + t / a) - t
excess = Integral(x * exp(-x / b) / b, (x, u, oo))
discrete_tail = (1 - exp(-a)) / (1 + exp(-a)) * Sum(exp(-a * j), (j, n, oo))
median = Integral(Abs(x - s), (x, 0, 1))
folded = Integral(Abs(x - u) * density(x), (x, -oo, oo))
drawn = log(1 + (1 - (1 - 1 / n) ** k) * (exp(a) - 1))
normal_tails = Integral(NormalCDF(-x), (x, u, oo))
waiting = Sum((1 - q) * q**j / (j + 1), (j, 0, oo))
far = Sum(j * exp(-a * j), (j, n, oo))
few = Sum(exp(-a) * a**j / factorial(j), (j, 0, n))
beta = Integral(x**n * (1 - x), (x, 0, 1))
third = R(1, 3)
from_uniform = KLDivergence(Tuple(p, q, 1 - p - q), Tuple(third, third, third))
sampled = mechanism_delta(epsilon, laplace_scale=b, q=q)

LEMMAS = lemmas_in(
    globals(),
    """
affinity-of-scales:
     => 1 - affinity <= (a - b) ** 2 / (a**2 + b**2)
    =/> 1 - affinity <= (a - b) ** 2 / (3 * (a**2 + b**2))
logistic-noise:
     => 2 * log((1 + exp(u)) / 2) - u <= u**2 / 4
    =/> 2 * log((1 + exp(u)) / 2) - u <= u**2 / 5
cauchy-loss:
     => log((1 + (x + s) ** 2) / (1 + x**2)) <= s
    =/> log((1 + (x + s) ** 2) / (1 + x**2)) <= less * s
odd-harmonic:
     => Sum(1 / (2 * i - 1), (i, 1, n)) <= 1 + log(n) / 2
    =/> Sum(1 / (2 * i - 1), (i, 1, n)) <= 1 + log(n) / 3
poisson-chernoff: => poisson_rate >= t**2 / (2 * (a + t)) =/> poisson_rate >= t**2 / (2 * a + t / 2)
exponential-excess:
     => excess <= R(5, 4) * b * exp(-u / (2 * b))
    =/> excess <= R(6, 5) * b * exp(-u / (2 * b))
symmetric-geometric-tail:
     => discrete_tail <= exp(-a * n) * (R(1, 2) + a / 4)
    =/> discrete_tail <= exp(-a * n) * (R(1, 2) + a / 5)
log-factorial:
     => Sum(log(i), (i, 1, n)) >= n * log(n) - n
    =/> Sum(log(i), (i, 1, n)) >= n * log(n) - less * n
median-distance: s <= 1 => median <= R(1, 2) =/> median <= R(9, 20)
folded-mean: => folded >= u =/> folded >= u + R(1, 10)
drawn-with-replacement: n >= 2, k >= 1
     => drawn <= k * (exp(a) - 1) / n
    =/> drawn <= k * (exp(a) - 1) / (2 * n)
smoothed-absolute: => sqrt(x**2 + b**2) <= Abs(x) + b =/> sqrt(x**2 + b**2) <= Abs(x) + less * b
poisson-renyi: alpha > 1
     => a**alpha * b ** (1 - alpha) >= alpha * a - (alpha - 1) * b
    =/> a**alpha * b ** (1 - alpha) >= alpha * a - less * (alpha - 1) * b
sampled-laplace-variation: q <= 1
     => sampled <= q * (1 - exp(-1 / (2 * b)))
    =/> sampled <= less * q * (1 - exp(-1 / (2 * b)))
area-of-tails: => normal_tails <= density(u) =/> normal_tails <= less * density(u)
mean-of-reciprocal: q < 1 => waiting <= 1 - q / 2 =/> waiting <= 1 - 3 * q / 5
tanh-lipschitz:
     => Abs(tanh(x) - tanh(y)) <= Abs(x - y)
    =/> Abs(tanh(x) - tanh(y)) <= less * Abs(x - y)
entropy-term: => -p * log(p) <= 2 * sqrt(p) / E =/> -p * log(p) <= R(9, 5) * sqrt(p) / E
geometric-mean-tail:
     => far <= exp(-a * n) * (n + 1 / a) / (1 - exp(-a))
    =/> far <= exp(-a * n) * (n + less / a) / (1 - exp(-a))
three-outcomes: p + q < 1 => from_uniform <= log(3) =/> from_uniform <= 1
poisson-remainder:
     => few >= 1 - a ** (n + 1) / factorial(n + 1)
    =/> few >= 1 - a ** (n + 1) / factorial(n + 2)
binomial-half: => binomial(n + m, n) <= 2 ** (n + m - 1) =/> binomial(n + m, n) <= 2 ** (n + m - 2)
beta-integral: => beta <= 1 / (n + 1) ** 2 =/> beta <= 1 / (2 * (n + 1) ** 2)
momentum-norm: q < 1
     => Sum(q ** (2 * j), (j, 0, n)) <= 1 / (1 - q**2)
    =/> Sum(q ** (2 * j), (j, 0, n)) <= less / (1 - q**2)
clipped-harmonic: => Min(b, t) <= 2 * b * t / (b + t) =/> Min(b, t) <= b * t / (b + t)
quantile-above-line: p >= R(1, 2), p < 1
     => NormalQuantile(p) >= sqrt(2 * pi) * (p - R(1, 2))
    =/> NormalQuantile(p) >= 3 * (p - R(1, 2))
erfc-komatsu:
     => erfc(u) <= 2 * exp(-(u**2)) / (sqrt(pi) * (u + sqrt(u**2 + 4 / pi)))
    =/> erfc(u) <= 2 * exp(-(u**2)) / (sqrt(pi) * (u + sqrt(u**2 + R(4, 3))))
""",
)
