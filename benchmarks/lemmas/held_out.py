"""Everyday lemmas of the literature that were written down before the engine was tried on any of them: a check of strength.

Each has a false twin. Bernoulli(p) against Bernoulli(q), randomized response, Gaussian tails, conversions, composition, subsampling,
binomial coefficients.
"""

from __future__ import annotations

from benchmarks.lemmas.everyday import *
from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

k = positive_integer("k")
chi = (p - q) ** 2 / (q * (1 - q))
hellinger = 2 - 2 * sqrt(p * q) - 2 * sqrt((1 - p) * (1 - q))
amplified = log(1 + q * (exp(epsilon) - 1))
odds = exp(epsilon) / (1 + exp(epsilon))
collision = log(p**2 / q + (1 - p) ** 2 / (1 - q))
randomized_2 = log((exp(2 * epsilon) + exp(-epsilon)) / (1 + exp(epsilon)))

LEMMAS = lemmas_in(
    globals(),
    """
# tails of the normal distribution
tail-birnbaum: x > 0
     => NormalCDF(-x) >= 2 * density(x) / (x + sqrt(x**2 + 4))
    =/> NormalCDF(-x) >= R(101, 50) * density(x) / (x + sqrt(x**2 + 4))
tail-sampford: x > 0
     => NormalCDF(-x) <= 4 * density(x) / (3 * x + sqrt(x**2 + 8))
    =/> NormalCDF(-x) <= R(395, 100) * density(x) / (3 * x + sqrt(x**2 + 8))
tail-polya: x > 0
     => NormalCDF(x) <= (1 + sqrt(1 - exp(-2 * x**2 / pi))) / 2
    =/> NormalCDF(x) <= (1 + sqrt(1 - exp(-R(6, 10) * x**2))) / 2
tail-second-term: x > 0
     => NormalCDF(-x) <= density(x) * (1 / x - 1 / x**3 + 3 / x**5)
    =/> NormalCDF(-x) <= density(x) * (1 / x - 1 / x**3 + 2 / x**5)
erfc-chernoff: x >= 0 => erfc(x) <= exp(-(x**2)) =/> erfc(x) <= R(99, 100) * exp(-(x**2))
normal-linear: x >= 0
     => NormalCDF(x) <= half + x / sqrt(2 * pi)
    =/> NormalCDF(x) <= half + R(99, 100) * x / sqrt(2 * pi)
normal-total-variation: x >= 0
     => 2 * NormalCDF(x / 2) - 1 <= x / sqrt(2 * pi)
    =/> 2 * NormalCDF(x / 2) - 1 <= R(39, 100) * x
normal-log-concave:
     => NormalCDF(x) * (-x * density(x)) <= density(x) ** 2
    =/> NormalCDF(x) * (-x * density(x)) <= R(9, 10) * density(x) ** 2
tail-shift: x >= 0, t >= 0
     => NormalCDF(-x - t) <= exp(-x * t - t**2 / 2) * NormalCDF(-x)
    =/> NormalCDF(-x - t) <= exp(-R(11, 10) * x * t - t**2 / 2) * NormalCDF(-x)
tail-product: x >= 0
     => NormalCDF(x) * NormalCDF(-x) <= exp(-(x**2) / 2) / 4
    =/> NormalCDF(x) * NormalCDF(-x) <= R(24, 100) * exp(-(x**2) / 2)
# divergences of Bernoulli distributions
divergence-nonnegative: *square => divergence >= 0 =/> divergence >= R(1, 1000)
divergence-chi-square: *square => divergence <= chi =/> divergence <= R(99, 100) * chi
divergence-log-chi-square: *square
     => divergence <= log(1 + chi)
    =/> divergence <= R(99, 100) * log(1 + chi)
divergence-hellinger: *square => hellinger <= divergence =/> R(101, 100) * hellinger <= divergence
total-variation-hellinger: *square
     => (p - q) ** 2 <= hellinger
    =/> R(101, 100) * (p - q) ** 2 <= hellinger
hellinger-total-variation: *square
     => hellinger <= 2 * Abs(p - q)
    =/> hellinger <= R(3, 2) * Abs(p - q)
divergence-collision: *square => divergence <= collision =/> divergence <= R(99, 100) * collision
pinsker-half: p > 0, p < 1
     => log(2) + p * log(p) + (1 - p) * log(1 - p) >= 2 * (p - half) ** 2
    =/> log(2) + p * log(p) + (1 - p) * log(1 - p) >= R(201, 100) * (p - half) ** 2
chernoff-multiplicative-up: x > 0
     => (1 + x) * log(1 + x) - x >= x**2 / (2 + x)
    =/> (1 + x) * log(1 + x) - x >= R(101, 100) * x**2 / (2 + x)
chernoff-multiplicative-down: x > 0, x < 1
     => (1 - x) * log(1 - x) + x >= x**2 / 2
    =/> (1 - x) * log(1 - x) + x >= R(51, 100) * x**2
chernoff-third: x > 0, x <= 1
     => (1 + x) * log(1 + x) - x >= x**2 / 3
    =/> (1 + x) * log(1 + x) - x >= R(2, 5) * x**2
bennett-bernstein: x > 0
     => (1 + x) * log(1 + x) - x >= x**2 / (2 + 2 * x / 3)
    =/> (1 + x) * log(1 + x) - x >= x**2 / (2 + R(6, 10) * x)
entropy-parabola: p > 0, p < 1
     => -p * log(p) - (1 - p) * log(1 - p) >= 4 * log(2) * p * (1 - p)
    =/> -p * log(p) - (1 - p) * log(1 - p) >= 3 * p * (1 - p)
entropy-small: p > 0, p < 1
     => -p * log(p) - (1 - p) * log(1 - p) <= p * log(1 / p) + p
    =/> -p * log(p) - (1 - p) * log(1 - p) <= p * log(1 / p) + R(9, 10) * p
divergence-range: p > 0, p < 1, epsilon > 0
     => p * (exp(epsilon) - 1) - log(1 - p + p * exp(epsilon)) >= 0
    =/> p * (exp(epsilon) - 1) - log(1 - p + p * exp(epsilon)) >= R(1, 100) * p
# randomized response
response-advantage: epsilon >= 0
     => 2 * odds - 1 <= epsilon / 2
    =/> 2 * odds - 1 <= R(49, 100) * epsilon
response-tanh: epsilon >= 0
     => tanh(epsilon / 2) <= epsilon / 2
    =/> tanh(epsilon / 2) <= R(49, 100) * epsilon
response-variance: epsilon > 0
     => exp(epsilon) / (exp(epsilon) - 1) ** 2 <= 1 / epsilon**2
    =/> exp(epsilon) / (exp(epsilon) - 1) ** 2 <= R(99, 100) / epsilon**2
response-cubic: epsilon >= 0
     => (exp(epsilon) - 1) / (exp(epsilon) + 1) >= epsilon / 2 - epsilon**3 / 24
    =/> (exp(epsilon) - 1) / (exp(epsilon) + 1) >= epsilon / 2 - epsilon**3 / 25
response-order-2: epsilon > 0
     => randomized_2 <= epsilon**2
    =/> randomized_2 <= R(99, 100) * epsilon**2
response-below-epsilon: epsilon > 0
     => randomized_2 <= epsilon
    =/> randomized_2 <= R(9, 10) * epsilon
response-total-variation: epsilon > 0
     => (exp(epsilon) - 1) / (exp(epsilon) + 1) <= 1 - exp(-epsilon)
    =/> (exp(epsilon) - 1) / (exp(epsilon) + 1) <= half * (1 - exp(-epsilon))
response-chi-square: epsilon > 0
     => (exp(epsilon) - 1) ** 2 * (exp(epsilon) + 1) / (exp(epsilon) * (exp(epsilon) + 1)) <= epsilon**2 * exp(epsilon)
    =/> (exp(epsilon) - 1) ** 2 / exp(epsilon) <= R(99, 100) * epsilon**2
# composition
composition-dwork: epsilon > 0
     => epsilon * (exp(epsilon) - 1) >= epsilon**2
    =/> epsilon * (exp(epsilon) - 1) >= R(101, 100) * epsilon**2
composition-small: epsilon > 0, epsilon <= 1
     => epsilon * (exp(epsilon) - 1) <= 2 * epsilon**2
    =/> epsilon * (exp(epsilon) - 1) <= R(17, 10) * epsilon**2
composition-optimal: epsilon > 0
     => epsilon * (exp(epsilon) - 1) / (exp(epsilon) + 1) <= epsilon * (exp(epsilon) - 1)
    =/> epsilon * (exp(epsilon) - 1) / (exp(epsilon) + 1) <= R(2, 5) * epsilon * (exp(epsilon) - 1)
group-two: epsilon >= 0, delta >= 0
     => (1 + exp(epsilon)) * delta <= 2 * exp(epsilon) * delta
    =/> (1 + exp(epsilon)) * delta <= R(3, 2) * exp(epsilon) * delta
loss-variance: epsilon > 0
     => 4 * exp(epsilon) / (1 + exp(epsilon)) ** 2 <= 1
    =/> 4 * exp(epsilon) / (1 + exp(epsilon)) ** 2 <= R(99, 100)
bounded-range-eighth: epsilon > 0
     => log((exp(epsilon) - 1) / epsilon) - epsilon / 2 <= epsilon**2 / 24
    =/> log((exp(epsilon) - 1) / epsilon) - epsilon / 2 <= epsilon**2 / 25
bounded-range-divergence: epsilon > 0
     => epsilon / (exp(epsilon) - 1) - 1 - log(epsilon / (exp(epsilon) - 1)) <= epsilon**2 / 8
    =/> epsilon / (exp(epsilon) - 1) - 1 - log(epsilon / (exp(epsilon) - 1)) <= R(12, 100) * epsilon**2
basic-delta: a >= 0, a <= 1, t >= 0, t <= 1
     => 1 - (1 - a) * (1 - t) <= a + t
    =/> 1 - (1 - a) * (1 - t) <= R(49, 50) * (a + t)
# subsampling
sampling-above: q >= 0, q <= 1, epsilon >= 0
     => amplified <= q * (exp(epsilon) - 1)
    =/> amplified <= R(99, 100) * q * (exp(epsilon) - 1)
sampling-below-epsilon: q >= 0, q <= 1, epsilon >= 0
     => amplified <= epsilon
    =/> amplified <= R(99, 100) * epsilon
sampling-at-least: q >= 0, q <= 1, epsilon >= 0
     => amplified >= q * epsilon
    =/> amplified >= R(101, 100) * q * epsilon
sampling-double: q >= 0, q <= 1, epsilon >= 0, epsilon <= 1
     => amplified <= 2 * q * epsilon
    =/> amplified <= R(17, 10) * q * epsilon
sampling-second-order: q >= 0, q <= 1, epsilon >= 0
     => amplified <= q * epsilon + q * (1 - q) * (exp(epsilon) - 1 - epsilon)
    =/> amplified <= q * epsilon + R(1, 4) * q * (1 - q) * (exp(epsilon) - 1 - epsilon)
sampling-hoeffding: q >= 0, q <= 1, epsilon >= 0
     => amplified <= q * epsilon + epsilon**2 / 8
    =/> amplified <= q * epsilon + epsilon**2 / 9
sampling-reverse: q > 0, q <= 1, epsilon >= 0
     => -log(1 - q + q * exp(-epsilon)) <= amplified
    =/> -log(1 - q + q * exp(-epsilon)) <= R(9, 10) * amplified
sampling-twice: q >= 0, q <= 1, r >= 0, r <= 1, epsilon >= 0
     => log(1 + q * r * (exp(epsilon) - 1)) <= amplified
    =/> log(1 + q * r * (exp(epsilon) - 1)) <= R(9, 10) * amplified
sampling-none-left: q > 0, q < 1, n >= 1
     => (1 - q) ** n <= exp(-n * q)
    =/> (1 - q) ** n <= R(9, 10) * exp(-n * q)
# conversions
conversion-order: rho > 0, alpha > 1, delta > 0, delta < 1
     => rho * alpha + log(1 / delta) / (alpha - 1) >= rho
    =/> rho * alpha + log(1 / delta) / (alpha - 1) >= R(3, 2) * rho + 1
conversion-improved: alpha > 1, delta > 0, delta < 1
     => log((alpha - 1) / alpha) - (log(delta) + log(alpha)) / (alpha - 1) <= log(1 / delta) / (alpha - 1)
    =/> log((alpha - 1) / alpha) - (log(delta) + log(alpha)) / (alpha - 1) <= R(9, 10) * log(1 / delta) / (alpha - 1)
conversion-tail: rho > 0, epsilon >= rho
     => exp(-((epsilon - rho) ** 2) / (4 * rho)) <= 1
    =/> exp(-((epsilon - rho) ** 2) / (4 * rho)) <= R(99, 100)
conversion-chernoff: sigma > 0, epsilon >= 1 / (2 * sigma**2)
     => NormalCDF(1 / (2 * sigma) - epsilon * sigma) <= exp(-((epsilon * sigma - 1 / (2 * sigma)) ** 2) / 2)
    =/> NormalCDF(1 / (2 * sigma) - epsilon * sigma) <= exp(-((epsilon * sigma - 1 / (2 * sigma)) ** 2)) / 3
pure-to-zcdp: epsilon > 0
     => (exp(epsilon / 2) - exp(-epsilon / 2)) ** 2 >= epsilon**2
    =/> (exp(epsilon / 2) - exp(-epsilon / 2)) ** 2 >= R(101, 100) * epsilon**2
gaussian-below-tail: epsilon >= 0, sigma > 0
     => GaussianDelta(epsilon, sigma) <= NormalCDF(1 / (2 * sigma) - epsilon * sigma)
    =/> GaussianDelta(epsilon, sigma) <= R(1, 2) * NormalCDF(1 / (2 * sigma) - epsilon * sigma)
gaussian-delta-falls-in-epsilon: s >= 0, t >= s, sigma > 0
     => GaussianDelta(t, sigma) <= GaussianDelta(s, sigma)
    =/> GaussianDelta(t, sigma) <= R(99, 100) * GaussianDelta(s, sigma)
gaussian-delta-zero: epsilon >= 0, sigma > 0
     => GaussianDelta(epsilon, sigma) <= 1 / (sigma * sqrt(2 * pi))
    =/> GaussianDelta(epsilon, sigma) <= R(39, 100) / sigma
laplace-delta: epsilon >= 0, s > 0, epsilon <= s
     => 1 - exp((epsilon - s) / 2) <= (s - epsilon) / 2
    =/> 1 - exp((epsilon - s) / 2) <= R(49, 100) * (s - epsilon)
# Rényi
renyi-order-2: p > 0, p < 1, q > 0, q < 1
     => RenyiDivergence(2, bernoulli(p), bernoulli(q)) >= 0
    =/> RenyiDivergence(2, bernoulli(p), bernoulli(q)) >= R(1, 100)
renyi-2-3: *square
     => collision <= log(p**3 / q**2 + (1 - p) ** 3 / (1 - q) ** 2) / 2
    =/> collision <= R(99, 200) * log(p**3 / q**2 + (1 - p) ** 3 / (1 - q) ** 2)
renyi-laplace-2: s > 0
     => log(R(2, 3) * exp(s) + R(1, 3) * exp(-2 * s)) <= s**2
    =/> log(R(2, 3) * exp(s) + R(1, 3) * exp(-2 * s)) <= R(99, 100) * s**2
sub-gaussian-cosh: t >= 0, a >= 0
     => cosh(t * a) <= exp(t**2 * a**2 / 2)
    =/> cosh(t * a) <= exp(R(49, 100) * t**2 * a**2)
# binomial coefficients and factorials
factorial-e: n >= 1 => factorial(n) >= (n / E) ** n =/> factorial(n) >= 3 * (n / E) ** n
factorial-above: n >= 1
     => factorial(n) <= E * sqrt(n) * (n / E) ** n
    =/> factorial(n) <= R(27, 10) * sqrt(n) * (n / E) ** n
factorial-robbins: n >= 1
     => factorial(n) <= sqrt(2 * pi * n) * (n / E) ** n * exp(1 / (12 * n))
    =/> factorial(n) <= sqrt(2 * pi * n) * (n / E) ** n * exp(1 / (13 * n))
central-binomial-below: n >= 1
     => binomial(2 * n, n) >= 4**n / (2 * sqrt(n))
    =/> binomial(2 * n, n) >= R(51, 100) * 4**n / sqrt(n)
central-binomial-sharp: n >= 1
     => binomial(2 * n, n) >= 4**n / sqrt(pi * (n + half))
    =/> binomial(2 * n, n) >= 4**n / sqrt(pi * (n + R(1, 5)))
binomial-third: n >= 1
     => binomial(3 * n, n) <= R(27, 4) ** n
    =/> binomial(3 * n, n) <= R(26, 4) ** n
one-plus-one-over-n: n >= 1 => (1 + 1 / n) ** n <= E =/> (1 + 1 / n) ** n <= R(27, 10)
one-minus-one-over-n: n >= 2 => (1 - 1 / n) ** n >= R(1, 4) =/> (1 - 1 / n) ** n >= R(26, 100)
""",
)
