"""Everyday lemmas of differential privacy, each with a false twin close to it: what a reader of a paper wants to check at once."""

from __future__ import annotations

from typing import Any

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

x, p, q, r, s, t, a = real("x p q r s t a")
rho, delta, epsilon, alpha, sigma = real("rho delta epsilon alpha sigma")
n, k = positive_integer("n"), integer("k")
half = Rational(1, 2)

divergence = p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))
square = (p > 0, p < 1, q > 0, q < 1)
loss = log((exp(alpha * epsilon) + exp((1 - alpha) * epsilon)) / (1 + exp(epsilon))) / (alpha - 1)
laplace = log(alpha / (2 * alpha - 1) * exp((alpha - 1) * s) + (alpha - 1) / (2 * alpha - 1) * exp(-alpha * s)) / (alpha - 1)
threshold = log((exp(epsilon) - 1 + q) / q) * s**2 + half
sampled = q * NormalCDF((1 - threshold) / s) - (exp(epsilon) - 1 + q) * NormalCDF(-threshold / s)
secant = q * (NormalCDF(1 / (2 * s) - epsilon * s) - exp(epsilon) * NormalCDF(-1 / (2 * s) - epsilon * s))
entropy = -x * log(x) - (1 - x) * log(1 - x)
exchange = log((a - 1) / a) - log(a) / (a - 1)
randomized = epsilon * (exp(epsilon) - 1) / (exp(epsilon) + 1)


def gaussian(epsilon_: Any, sigma_: Any) -> Any:
    """δ of the Gaussian mechanism."""
    return GaussianDelta(epsilon_, sigma_)


LEMMAS = lemmas_in(
    globals(),
    """
# one variable
log-difference: a > 1 => exchange <= 0 =/> exchange <= -Rational(1, 100)
log-upper: a > 1 => log((a - 1) / a) <= -1 / a =/> log((a - 1) / a) <= -Rational(101, 100) / a
log-lower: a > 1
     => log((a - 1) / a) >= -1 / (a - 1)
    =/> log((a - 1) / a) >= -Rational(99, 100) / (a - 1)
divergence-randomized-response: epsilon > 0
     => randomized <= epsilon**2 / 2
    =/> randomized <= Rational(99, 200) * epsilon**2
mills-above: x > 0
     => NormalCDF(-x) <= density(x) / x
    =/> NormalCDF(-x) <= Rational(99, 100) * density(x) / x
mills-below: x > 0
     => NormalCDF(-x) >= density(x) * x / (1 + x**2)
    =/> NormalCDF(-x) >= Rational(101, 100) * density(x) * x / (1 + x**2)
chernoff: x >= 0
     => NormalCDF(-x) <= exp(-(x**2) / 2) / 2
    =/> NormalCDF(-x) <= Rational(49, 100) * exp(-(x**2) / 2)
x-log-x: x > 0, x <= 1 => x * log(x) <= 0 =/> x * log(x) <= -Rational(1, 100)
log-tangent: x > 0 => log(x) <= x - 1 =/> log(x) <= Rational(99, 100) * (x - 1)
exp-tangent: x > 0, x <= 1 => exp(x) > 1 + x =/> exp(x) > 1 + Rational(101, 100) * x
exp-parabola: x >= 0 => exp(x) >= 1 + x + x**2 / 2 =/> exp(x) >= 1 + x + Rational(51, 100) * x**2
bose: x > 0 => x / (exp(x) - 1) <= 1 =/> x / (exp(x) - 1) <= Rational(99, 100)
cosh:
     => (exp(x) + exp(-x)) / 2 <= exp(x**2 / 2)
    =/> (exp(x) + exp(-x)) / 2 <= exp(Rational(49, 100) * x**2)
entropy: x > 0, x < 1
     => entropy <= 2 * log(2) * sqrt(x * (1 - x))
    =/> entropy <= Rational(199, 100) * log(2) * sqrt(x * (1 - x))
log-ratio: a >= 1, x >= 0
     => log(1 + a * x) - log(1 + x) <= log(a)
    =/> log(1 + a * x) - log(1 + x) <= Rational(99, 100) * log(a)
exp-reciprocal: x > 0 => exp(-1 / x) <= x =/> exp(-1 / x) <= x / 3
# two and three variables
hoeffding: p >= 0, p <= 1
     => log(1 - p + p * exp(t)) - p * t <= t**2 / 8
    =/> log(1 - p + p * exp(t)) - p * t <= t**2 * Rational(12, 100)
randomized-response-zcdp: alpha > 1, epsilon > 0
     => loss <= alpha * epsilon**2 / 2
    =/> loss <= Rational(49, 100) * alpha * epsilon**2
laplace-epsilon: alpha > 1, s > 0 => laplace <= s =/> laplace <= Rational(99, 100) * s
laplace-zcdp: alpha > 1, s > 0
     => laplace <= alpha * s**2 / 2
    =/> laplace <= Rational(49, 100) * alpha * s**2
bernoulli-100: k >= 1, k <= 100, q >= 0, q <= 1
     => (1 - q) ** k >= 1 - k * q
    =/> (1 - q) ** k >= 1 - Rational(99, 100) * k * q
bernoulli: k >= 1, q >= 0, q <= 1
     => (1 - q) ** k >= 1 - k * q
    =/> (1 - q) ** k >= 1 - Rational(99, 100) * k * q
zcdp-delta: rho >= Rational(1, 100), rho <= 10, delta >= Rational(1, 10**10), delta <= half
     => gaussian(rho + 2 * sqrt(rho * log(1 / delta)), 1 / sqrt(2 * rho)) <= delta
    =/> gaussian(rho + Rational(3, 2) * sqrt(rho * log(1 / delta)), 1 / sqrt(2 * rho)) <= delta
classic-sigma: epsilon > 0, epsilon < 1, delta > 0, delta < 1
     => gaussian(epsilon, sqrt(2 * log(Rational(5, 4) / delta)) / epsilon) <= delta
    =/> gaussian(epsilon, sqrt(log(Rational(5, 4) / delta)) / epsilon) <= delta
gaussian-falls: epsilon >= 0, s > 0, t >= s
     => gaussian(epsilon, t) <= gaussian(epsilon, s)
    =/> gaussian(epsilon, t) <= Rational(99, 100) * gaussian(epsilon, s)
triangle: p >= 0, p <= 1, q >= 0, q <= 1, r >= 0, r <= 1
     => Abs(p - r) <= Abs(p - q) + Abs(q - r)
    =/> Abs(p - r) <= Rational(99, 100) * (Abs(p - q) + Abs(q - r))
pinsker: *square
     => 2 * (p - q) ** 2 <= divergence
    =/> Rational(201, 100) * (p - q) ** 2 <= divergence
bretagnolle-huber: *square
     => (p - q) ** 2 <= 1 - exp(-divergence)
    =/> (p - q) ** 2 <= 1 - exp(-Rational(49, 100) * divergence)
sampled-order-2: q >= 0, q <= 1, s >= 1
     => log(1 + q**2 * (exp(1 / s**2) - 1)) <= (E - 1) * q**2 / s**2
    =/> log(1 + q**2 * (exp(1 / s**2) - 1)) <= (E - Rational(102, 100)) * q**2 / s**2
central-binomial: n >= 1
     => binomial(2 * n, n) <= 4**n / sqrt(pi * n)
    =/> binomial(2 * n, n) <= Rational(99, 100) * 4**n / sqrt(pi * n)
stirling: n >= 1
     => factorial(n) >= sqrt(2 * pi * n) * (n / E) ** n
    =/> factorial(n) >= Rational(101, 100) * sqrt(2 * pi * n) * (n / E) ** n
best-order: rho > 0, delta > 0, delta < 1, alpha > 1
     => rho + 2 * sqrt(rho * log(1 / delta)) <= rho * alpha + log(1 / delta) / (alpha - 1)
    =/> rho + Rational(201, 100) * sqrt(rho * log(1 / delta)) <= rho * alpha + log(1 / delta) / (alpha - 1)
sampled-one-step: epsilon >= Rational(1, 10), epsilon <= 1, s >= half, s <= 2, q >= Rational(1, 100), q <= half
     => sampled <= secant + Rational(1, 10**6)
    =/> sampled <= secant / 2 + Rational(1, 10**6)
""",
)
