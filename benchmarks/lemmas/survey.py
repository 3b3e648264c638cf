"""Lemmas in one to four variables as papers of the field state them, each with a close false twin, written down before any was tried.

When they were new, 27 of the first 28, 20 of the second 26 and 19 of the last 22 were settled; all twins were refuted.
"""

from __future__ import annotations

from typing import Any

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

R = Rational
x, y = real("x y")
u, epsilon, epsilon1, s = nonnegative("u epsilon epsilon1 s")
a, b, c, d, p, q, t, alpha, rho, mu, delta, beta = positive("a b c d p q t alpha rho mu delta beta")
n, k = positive_integer("n k")
less, more = R(9, 10), R(11, 10)
divergence = p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))
overlap = sqrt(p * q) + sqrt((1 - p) * (1 - q))
square = (p < 1, q < 1)
amplified = log(1 + q * (exp(epsilon) - 1))
with as_written():  # exp and log meet
    through_ratio, through_half = (exp(amplified) * a + q * rest for rest in (delta, delta / 2))
order_two = log(2 * cosh(epsilon) - 1)
delta_of = NormalCDF(mu / 2 - epsilon / mu) - exp(epsilon) * NormalCDF(-mu / 2 - epsilon / mu)
trade_off = NormalCDF(NormalQuantile(1 - p) - mu)
variation = 2 * NormalCDF(mu / 2) - 1
conversion = alpha * rho + log(1 / delta) / (alpha - 1)
budget = k * epsilon**2 / 2 + epsilon * sqrt(2 * k * log(1 / delta))
tsallis = p**alpha * q ** (1 - alpha) + (1 - p) ** alpha * (1 - q) ** (1 - alpha)
split = (exp(epsilon) - exp(epsilon1)) / (1 + exp(epsilon))
logistic = log(1 + exp(x))
v, w = real("v w")
x2, y2 = nonnegative("x2 y2")
biased = log(p**alpha * (1 - p) ** (1 - alpha) + (1 - p) ** alpha * p ** (1 - alpha)) / (alpha - 1)
middle = (p + q) / 2
shannon = (p * log(p / middle) + (1 - p) * log((1 - p) / (1 - middle)) + q * log(q / middle) + (1 - q) * log((1 - q) / (1 - middle))) / 2
triangle = (p - q) ** 2 / (p + q) + (p - q) ** 2 / (2 - p - q)

scales = log(b / a) + log(b**2 / (alpha * b**2 + (1 - alpha) * a**2)) / (2 * (alpha - 1))
above = (p + t) * log((p + t) / p) + (1 - p - t) * log((1 - p - t) / (1 - p))
entropy = -p * log(p) - (1 - p) * log(1 - p)


def target(c: int) -> Any:
    """ρ for a target ε at δ."""
    return epsilon**2 / (4 * log(1 / delta) + c * epsilon)


def sigmoid(z: Any) -> Any:
    """The logistic function."""
    return 1 / (1 + exp(-z))


LEMMAS = lemmas_in(
    globals(),
    """
# noise and its losses
chi-square-of-answers:
     => 2 * sinh(epsilon / 2) <= epsilon * exp(epsilon / 2)
    =/> 2 * sinh(epsilon / 2) <= epsilon * exp(epsilon / 4)
order-two-of-answers: => order_two <= epsilon**2 =/> order_two <= less * epsilon**2
orders-rise-for-answers:
     => order_two >= epsilon * tanh(epsilon / 2)
    =/> order_two >= R(21, 10) * epsilon * tanh(epsilon / 2)
amplified-is-at-least-linear: q <= 1 => amplified >= q * epsilon =/> amplified >= more * q * epsilon
staircase-cost: epsilon > 0
     => exp(epsilon / 2) / (exp(epsilon) - 1) <= 1 / epsilon
    =/> exp(epsilon / 2) / (exp(epsilon) - 1) <= less / epsilon
direct-or-unary-encoding: epsilon > 0, n <= 3 * exp(epsilon) + 2
     => (n - 2 + exp(epsilon)) / (exp(epsilon) - 1) ** 2 <= 4 * exp(epsilon) / (exp(epsilon) - 1) ** 2
    =/> (n - 2 + exp(epsilon)) / (exp(epsilon) - 1) ** 2 <= 3 * exp(epsilon) / (exp(epsilon) - 1) ** 2
variation-by-parameter: => variation <= mu / sqrt(2 * pi) =/> variation <= less * mu / sqrt(2 * pi)
delta-below-variation: => delta_of <= variation =/> delta_of <= less * variation
trade-off-by-variation: p < 1
     => trade_off >= 1 - p - variation
    =/> trade_off >= 1 - p - less * variation
stick-of-answers: epsilon1 <= epsilon
     => split <= 1 - exp(epsilon1 - epsilon)
    =/> split <= (1 - exp(epsilon1 - epsilon)) / 2
# composition and conversion
any-order: alpha > 1, delta < 1
     => conversion >= rho + 2 * sqrt(rho * log(1 / delta))
    =/> conversion >= rho + R(21, 10) * sqrt(rho * log(1 / delta))
advanced-beats-basic: delta < 1, k >= 8 * log(1 / delta), epsilon <= 1
     => budget <= k * epsilon
    =/> budget <= less * k * epsilon
failures-add: delta < 1
     => 1 - (1 - delta) ** k >= 1 - exp(-k * delta)
    =/> 1 - (1 - delta) ** k >= 1 - exp(-more * k * delta)
group-delta: epsilon > 0
     => (exp(k * epsilon) - 1) / (exp(epsilon) - 1) <= k * exp((k - 1) * epsilon)
    =/> (exp(k * epsilon) - 1) / (exp(epsilon) - 1) <= k * exp((k - 2) * epsilon)
larger-noise-smaller-delta: epsilon <= 1, mu <= 1
     => GaussianDelta(epsilon, 1 / mu) <= mu * exp(-(epsilon**2) / (2 * mu**2))
    =/> GaussianDelta(epsilon, 1 / mu) <= mu * exp(-(epsilon**2) / (2 * mu**2)) / 3
sampled-exponent: q <= 1, a >= 1
     => log(1 + q**2 * (exp(1 / a**2) - 1)) <= 2 * q**2 / a**2
    =/> log(1 + q**2 * (exp(1 / a**2) - 1)) <= R(3, 2) * q**2 / a**2
# divergences
divergence-by-chi-square: *square
     => divergence <= log(1 + (p - q) ** 2 / (q * (1 - q)))
    =/> divergence <= less * log(1 + (p - q) ** 2 / (q * (1 - q)))
le-cam: *square => (p - q) ** 2 + overlap**2 <= 1 =/> (p - q) ** 2 + overlap**2 <= R(99, 100)
log-sum:
     => (a + b) * log((a + b) / (c + d)) <= a * log(a / c) + b * log(b / d)
    =/> (a + b) * log((a + b) / (c + d)) <= a * log(a / c) + b * log(b / d) - R(1, 100)
power-divergence: p < 1, q < 1, alpha > 1 => tsallis >= 1 =/> tsallis >= R(101, 100)
# tails
bernstein-moment: s < 3
     => exp(s) - 1 - s <= s**2 / (2 * (1 - s / 3))
    =/> exp(s) - 1 - s <= s**2 / (2 * (1 - s / 4))
sub-gamma: s < 1
     => -log(1 - s) - s <= s**2 / (2 * (1 - s))
    =/> -log(1 - s) - s <= s**2 / (2 * (1 - s / 2))
chi-square-moment: s < R(1, 2)
     => -log(1 - 2 * s) / 2 - s <= s**2 / (1 - 2 * s)
    =/> -log(1 - 2 * s) / 2 - s <= s**2 / (1 - s)
polya:
     => NormalCDF(u) - R(1, 2) <= sqrt(1 - exp(-2 * u**2 / pi)) / 2
    =/> NormalCDF(u) - R(1, 2) <= sqrt(1 - exp(-(u**2) / 2)) / 2
erfc-product: => erfc(a) * erfc(b) >= erfc(a + b) =/> erfc(a) * erfc(b) >= 2 * erfc(a + b)
# counting
stirling-above:
     => factorial(n) <= E * n ** (n + R(1, 2)) * exp(-n)
    =/> factorial(n) <= R(5, 2) * n ** (n + R(1, 2)) * exp(-n)
subsets: k <= n => binomial(n, k) <= (E * n / k) ** k =/> binomial(n, k) <= (R(3, 2) * n / k) ** k
half-subsets:
     => binomial(2 * n, n) >= 4**n / (2 * n + 1)
    =/> binomial(2 * n, n) >= 4**n * R(3, 5) / sqrt(n)
# the second part
orders-of-biased-answers: R(1, 2) < p, p < 1, alpha > 1
     => biased <= log(p / (1 - p))
    =/> biased <= less * log(p / (1 - p))
sinh-quotient: y2 < x2, x2 <= 2
     => (sinh(x2) - sinh(y2)) / sinh(x2 - y2) <= exp(x2 * y2 / 2)
    =/> (sinh(x2) - sinh(y2)) / sinh(x2 - y2) <= exp(x2 * y2 / 3)
third-composition-bound: delta < 1, E + sqrt(k) * epsilon / delta <= 1 / delta
     => k * epsilon * tanh(epsilon / 2) + epsilon * sqrt(2 * k * log(E + sqrt(k) * epsilon / delta)) <= budget
    =/> k * epsilon * tanh(epsilon / 2) + epsilon * sqrt(2 * k * log(E + sqrt(k) * epsilon / delta)) <= less * budget
noisy-maximum-of-two:
     => exp(-u) * (2 + u) / 4 <= exp(-u / 2) / 2
    =/> exp(-u) * (2 + u) / 4 <= exp(-3 * u / 4) / 2
expected-maximum:
     => log(n) / t + t / 2 >= sqrt(2 * log(n))
    =/> log(n) / t + t / 2 >= sqrt(R(21, 10) * log(n))
variation-by-divergence: *square
     => Abs(p - q) <= 1 - exp(-divergence) / 2
    =/> Abs(p - q) <= 1 - R(11, 10) * exp(-divergence)
order-half-below-one: *square
     => divergence >= -2 * log(overlap)
    =/> divergence >= -R(21, 10) * log(overlap)
jensen-shannon-by-variation: *square
     => shannon <= log(2) * Abs(p - q)
    =/> shannon <= less * log(2) * Abs(p - q)
jensen-shannon-by-triangle: *square => shannon >= triangle / 4 =/> shannon >= R(3, 10) * triangle
gaussian-delta-chernoff: epsilon >= 1 / (2 * a**2)
     => GaussianDelta(epsilon, a) <= exp(-((epsilon * a - 1 / (2 * a)) ** 2) / 2) / 2
    =/> GaussianDelta(epsilon, a) <= exp(-((epsilon * a - 1 / (2 * a)) ** 2) / 2) / 4
central-limit-parameter: => sqrt(exp(1 / a**2) - 1) >= 1 / a =/> sqrt(exp(1 / a**2) - 1) >= more / a
poisson-central-limit:
     => exp(u**2) * NormalCDF(3 * u / 2) + 3 * NormalCDF(-u / 2) - 2 >= 0
    =/> exp(u**2) * NormalCDF(3 * u / 2) + 3 * NormalCDF(-u / 2) - 2 >= R(1, 100)
poisson-above-shuffled:
     => 2 * (exp(u**2) * NormalCDF(3 * u / 2) + 3 * NormalCDF(-u / 2) - 2) >= exp(u**2) - 1
    =/> 2 * (exp(u**2) * NormalCDF(3 * u / 2) + 3 * NormalCDF(-u / 2) - 2) >= 2 * (exp(u**2) - 1)
popoviciu: a <= x, x <= b
     => (b - x) * (x - a) <= (b - a) ** 2 / 4
    =/> (b - x) * (x - a) <= (b - a) ** 2 / 5
laplace-composition:
     => k * (epsilon + exp(-epsilon) - 1) <= k * epsilon**2 / 2
    =/> k * (epsilon + exp(-epsilon) - 1) <= k * epsilon**2 / 3
variation-of-pure: p < 1, q < 1, p <= exp(epsilon) * q, 1 - q <= exp(epsilon) * (1 - p)
     => p - q <= tanh(epsilon / 2)
    =/> p - q <= less * tanh(epsilon / 2)
sampled-guarantee: q <= 1, b <= exp(epsilon) * a + delta
     => (1 - q) * a + q * b <= through_ratio
    =/> (1 - q) * a + q * b <= through_half
order-two-falls:
     => (a + b) ** 2 / (c + d) <= a**2 / c + b**2 / d
    =/> (a + b) ** 2 / (c + d) <= R(99, 100) * (a**2 / c + b**2 / d)
orders-fall: alpha > 1
     => (a + b) ** alpha * (c + d) ** (1 - alpha) <= a**alpha * c ** (1 - alpha) + b**alpha * d ** (1 - alpha)
    =/> (a + b) ** alpha * (c + d) ** (1 - alpha) <= R(99, 100) * (a**alpha * c ** (1 - alpha) + b**alpha * d ** (1 - alpha))
power-mean: alpha >= 1
     => (a + b) ** alpha <= 2 ** (alpha - 1) * (a**alpha + b**alpha)
    =/> (a + b) ** alpha <= less * 2 ** (alpha - 1) * (a**alpha + b**alpha)
binomials-log-concave: k <= n - 1
     => binomial(n, k) ** 2 >= binomial(n, k - 1) * binomial(n, k + 1)
    =/> binomial(n, k) ** 2 >= 2 * binomial(n, k - 1) * binomial(n, k + 1)
half-of-all-subsets: k <= n => binomial(n, k) <= 2 ** (n - 1) =/> binomial(n, k) <= 2 ** (n - 2)
one-mass-of-a-binomial: k <= n, q < 1
     => binomial(n, k) * q**k * (1 - q) ** (n - k) <= 1
    =/> binomial(n, k) * q**k * (1 - q) ** (n - k) <= R(99, 100)
hazard-rises:
     => density(x) ** 2 - x * density(x) * NormalCDF(-x) <= NormalCDF(-x) ** 2
    =/> density(x) ** 2 - x * density(x) * NormalCDF(-x) <= less * NormalCDF(-x) ** 2
quantile-above: p < R(1, 2)
     => NormalQuantile(1 - p) <= sqrt(2 * log(1 / (2 * p)))
    =/> NormalQuantile(1 - p) <= sqrt(2 * log(1 / (3 * p)))
softmax-sensitivity:
     => Abs(log(exp(x) + exp(y)) - log(exp(v) + exp(w))) <= Max(Abs(x - v), Abs(y - w))
    =/> Abs(log(exp(x) + exp(y)) - log(exp(v) + exp(w))) <= less * Max(Abs(x - v), Abs(y - w))
# the third part
orders-of-two-variances: alpha * b**2 + (1 - alpha) * a**2 > 0, alpha > 1
     => scales >= 0
    =/> scales >= R(1, 100)
divergence-of-two-variances:
     => (t - 1 - log(t)) / 2 <= (t - 1) ** 2 / (2 * t)
    =/> (t - 1 - log(t)) / 2 <= (t - 1) ** 2 / (3 * t)
relative-chernoff: p + t < 1
     => above >= t**2 / (2 * (p + t / 3))
    =/> above >= t**2 / (2 * (p + t / 4))
divergence-of-smaller: p <= q, q < 1
     => divergence >= (p - q) ** 2 / (2 * q)
    =/> divergence >= 2 * (p - q) ** 2 / (3 * q)
entropy-below-power: p < 1
     => entropy <= log(2) * (4 * p * (1 - p)) ** (1 / log(4))
    =/> entropy <= log(2) * (4 * p * (1 - p)) ** R(3, 4)
enough-samples: beta < 1, t >= 2 * log(2 / beta) / a**2
     => 2 * exp(-t * a**2 / 2) <= beta
    =/> 2 * exp(-t * a**2 / 3) <= beta
before-sampling: q <= 1
     => log(1 + (exp(epsilon) - 1) / q) <= epsilon / q
    =/> log(1 + (exp(epsilon) - 1) / q) <= less * epsilon / q
variations-add:
     => tanh((a + b) / 2) <= tanh(a / 2) + tanh(b / 2)
    =/> tanh((a + b) / 2) <= less * (tanh(a / 2) + tanh(b / 2))
normal-lipschitz:
     => NormalCDF(x + u) <= NormalCDF(x) + u / sqrt(2 * pi)
    =/> NormalCDF(x + u) <= NormalCDF(x) + less * u / sqrt(2 * pi)
langevin: u > 0 => u * cosh(u) / sinh(u) - 1 <= u**2 / 3 =/> u * cosh(u) / sinh(u) - 1 <= u**2 / 4
error-function-squared: => erf(u) ** 2 >= 1 - exp(-(u**2)) =/> erf(u) ** 2 >= 1 - exp(-more * u**2)
concentrated-for-target: delta < 1
     => target(4) + 2 * sqrt(target(4) * log(1 / delta)) <= epsilon
    =/> target(1) + 2 * sqrt(target(1) * log(1 / delta)) <= epsilon
exponent-at-best-order:
     => (alpha - 1) * (alpha * rho - epsilon) >= -((epsilon - rho) ** 2) / (4 * rho)
    =/> (alpha - 1) * (alpha * rho - epsilon) >= -((epsilon - rho) ** 2) / (5 * rho)
clipping-bias: => Max(a - c, 0) <= a**2 / (4 * c) =/> Max(a - c, 0) <= a**2 / (5 * c)
ratio-of-normals-rises: x < y
     => NormalCDF(x) * NormalCDF(y + u) <= NormalCDF(y) * NormalCDF(x + u)
    =/> NormalCDF(x) * NormalCDF(y + u) <= less * NormalCDF(y) * NormalCDF(x + u)
geometric-noise-order-two:
     => exp(epsilon) * a + exp(-a * epsilon) >= 1 + a
    =/> exp(epsilon) * a + exp(-a * epsilon) >= R(101, 100) + a
gamma-step:
     => gamma(t + 1) / gamma(t + R(1, 2)) >= sqrt(t)
    =/> gamma(t + 1) / gamma(t + R(1, 2)) >= sqrt(t + R(1, 2))
squares-of-means:
     => ((a + b) / 2) ** alpha <= Max(a, b) ** alpha
    =/> ((a + b) / 2) ** alpha <= less * Max(a, b) ** alpha
fixed-rank: k <= n => (1 - k / (n + 1)) ** n >= 0 =/> (1 - k / (n + 1)) ** n >= R(1, 10)
sampled-at-least-once: q <= 1
     => 1 - (1 - q) ** n <= n * q - n * (n - 1) * q**2 / 2 + n * (n - 1) * (n - 2) * q**3 / 6
    =/> 1 - (1 - q) ** n <= n * q - n * (n - 1) * q**2 / 2
binomials-rise-to-the-middle: k <= n
     => binomial(2 * n, k - 1) <= binomial(2 * n, k)
    =/> binomial(2 * n, k - 1) <= less * binomial(2 * n, k)
factorial-above-power:
     => factorial(n) >= (n / E) ** n * E * R(9, 10)
    =/> factorial(n) >= (n / E) ** n * 3
""",
)
