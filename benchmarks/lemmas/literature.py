"""More lemmas of the literature, each with a false twin: concentration, means, entropies, conversions, integers, sums of exponentials.

They were written down after the descent and before it was tried on them.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

R = Rational
x, y, z = real("x y z")
u, v, epsilon, mu = nonnegative("u v epsilon mu")
a, b, p, q, alpha, rho, sigma = positive("a b p q alpha rho sigma")
n, k = positive_integer("n k")
bennett = (1 + u) * log(1 + u) - u
entropy = -p * log(p) - (1 - p) * log(1 - p)
coins = KLDivergence(bernoulli(p), bernoulli(q))
amplified = log(1 + p * (exp(epsilon) - 1))
middle = p - R(1, 2)

LEMMAS = lemmas_in(
    globals(),
    """
# sums of exponentials
log-sum-mean:
     => log(exp(x) + exp(y)) >= (x + y) / 2 + log(2)
    =/> log(exp(x) + exp(y)) >= (x + y) / 2 + R(7, 10)
log-sum-maximum:
     => log(exp(x) + exp(y)) <= Max(x, y) + log(2)
    =/> log(exp(x) + exp(y)) <= Max(x, y) + R(69, 100)
log-sum-mean-3:
     => log(exp(x) + exp(y) + exp(z)) >= (x + y + z) / 3 + log(3)
    =/> log(exp(x) + exp(y) + exp(z)) >= (x + y + z) / 3 + R(11, 10)
mixture-exponential: p <= 1
     => 1 - p + p * exp(-x) >= exp(-p * x)
    =/> 1 - p + p * exp(-x) >= R(101, 100) * exp(-p * x)
coin-moment: p <= 1
     => log(1 - p + p * exp(x)) <= p * (exp(x) - 1)
    =/> log(1 - p + p * exp(x)) <= R(99, 100) * p * (exp(x) - 1)
# concentration
bernstein: u < 3
     => exp(u) <= 1 + u + u**2 / (2 - 2 * u / 3)
    =/> exp(u) <= 1 + u + u**2 / (2 - u / 2)
bennett-bernstein: => bennett >= u**2 / (2 + 2 * u / 3) =/> bennett >= u**2 / (2 + R(3, 5) * u)
bennett-logarithm: => bennett >= u * log(1 + u) / 2 =/> bennett >= R(51, 100) * u * log(1 + u)
sub-exponential: u < 1
     => -log(1 - u) - u <= u**2 / (2 - 2 * u)
    =/> -log(1 - u) - u <= R(49, 50) * u**2 / (2 - 2 * u)
chi-square-tail: u < R(1, 2)
     => -log(1 - 2 * u) / 2 - u <= u**2 / (1 - 2 * u)
    =/> -log(1 - 2 * u) / 2 - u <= R(9, 10) * u**2
multiplicative-chernoff: u <= 1 => bennett >= u**2 / 3 =/> bennett >= R(39, 100) * u**2
below-chernoff: u < 1
     => (1 - u) * log(1 - u) + u >= u**2 / 2
    =/> (1 - u) * log(1 - u) + u >= R(51, 100) * u**2
# logarithms, exponentials, hyperbolic functions
log-root: => log(1 + u) <= u / sqrt(1 + u) =/> log(1 + u) <= R(99, 100) * u / sqrt(1 + u)
log-pade: => log(1 + u) >= 2 * u / (2 + u) =/> log(1 + u) >= R(201, 100) * u / (2 + u)
log-below: u <= R(1, 2) => log(1 - u) >= -u - u**2 =/> log(1 - u) >= -u - R(3, 5) * u**2
log-mean-geometric: a >= b
     => a - b >= sqrt(a * b) * (log(a) - log(b))
    =/> a - b >= R(101, 100) * sqrt(a * b) * (log(a) - log(b))
log-mean-arithmetic: a >= b
     => a - b <= (a + b) / 2 * (log(a) - log(b))
    =/> a - b <= R(49, 100) * (a + b) * (log(a) - log(b))
tanh-cubic: => tanh(u) >= u - u**3 / 3 =/> tanh(u) >= u - R(3, 10) * u**3
sinh-cosh: => sinh(u) <= u * cosh(u) =/> sinh(u) <= R(99, 100) * u * cosh(u)
lazarevic: => sinh(u) ** 3 >= u**3 * cosh(u) =/> sinh(u) ** 3 >= R(101, 100) * u**3 * cosh(u)
sinh-gaussian: u > 0 => log(sinh(u) / u) <= u**2 / 6 =/> log(sinh(u) / u) <= u**2 / 7
bernoulli-function: u > 0
     => u / (1 - exp(-u)) >= 1 + u / 2
    =/> u / (1 - exp(-u)) >= 1 + R(51, 100) * u
exp-alternating: => exp(-u) <= 1 - u + u**2 / 2 =/> exp(-u) <= 1 - u + R(49, 100) * u**2
root-cubic:
     => sqrt(1 + u) <= 1 + u / 2 - u**2 / 8 + u**3 / 16
    =/> sqrt(1 + u) <= 1 + u / 2 - u**2 / 8 + u**3 / 17
young: => a * x <= a * log(a) - a + exp(x) =/> a * x <= a * log(a) - a + R(99, 100) * exp(x)
weighted-means: p <= 1
     => p * a + (1 - p) * b >= a**p * b ** (1 - p)
    =/> p * a + (1 - p) * b >= R(101, 100) * a**p * b ** (1 - p)
bernoulli-real: x > -1, alpha >= 1
     => (1 + x) ** alpha >= 1 + alpha * x
    =/> (1 + x) ** alpha >= 1 + R(101, 100) * alpha * x
# entropies and divergences
entropy-variance: p < 1
     => entropy >= 4 * log(2) * p * (1 - p)
    =/> entropy >= R(278, 100) * p * (1 - p)
fair-coin-fourth-order: p < 1
     => KLDivergence(bernoulli(p), bernoulli(R(1, 2))) >= 2 * middle**2 + R(4, 3) * middle**4
    =/> KLDivergence(bernoulli(p), bernoulli(R(1, 2))) >= 2 * middle**2 + R(7, 5) * middle**4
divergence-one-sided: p <= q, q < 1
     => coins >= (p - q) ** 2 / (2 * q)
    =/> coins >= (p - q) ** 2 / (R(19, 10) * q)
divergence-affinity: p < 1, q < 1
     => coins >= -2 * log(sqrt(p * q) + sqrt((1 - p) * (1 - q)))
    =/> coins >= -R(21, 10) * log(sqrt(p * q) + sqrt((1 - p) * (1 - q)))
# privacy
amplified-convex: p <= 1 => amplified >= p * epsilon =/> amplified >= R(101, 100) * p * epsilon
amplified-hoeffding: p <= 1
     => amplified <= p * epsilon + epsilon**2 / 8
    =/> amplified <= p * epsilon + epsilon**2 / 9
group:
     => exp(k * epsilon) - 1 >= k * (exp(epsilon) - 1)
    =/> exp(k * epsilon) - 1 >= R(101, 100) * k * (exp(epsilon) - 1)
conversion-factor: alpha > 1
     => alpha * log(1 - 1 / alpha) - log(alpha - 1) <= 0
    =/> alpha * log(1 - 1 / alpha) - log(alpha - 1) <= -R(1, 10)
zcdp-best-order: alpha > 1
     => rho * alpha + u / (alpha - 1) >= rho + 2 * sqrt(rho * u)
    =/> rho * alpha + u / (alpha - 1) >= rho + R(21, 10) * sqrt(rho * u)
laplace-delta-linear: u <= a
     => 1 - exp((u - a) / 2) <= (a - u) / 2
    =/> 1 - exp((u - a) / 2) <= R(49, 100) * (a - u)
gaussian-concentrated: 2 * epsilon * sigma**2 >= 1
     => GaussianDelta(epsilon, sigma) <= exp(-((epsilon - 1 / (2 * sigma**2)) ** 2) * sigma**2 / 2)
    =/> GaussianDelta(epsilon, sigma) <= exp(-((epsilon - 1 / (2 * sigma**2)) ** 2) * sigma**2 / 2) / 10
trade-off-shift: p < 1
     => NormalCDF(NormalQuantile(p) + mu) >= p
    =/> NormalCDF(NormalQuantile(p) + mu) >= p + R(1, 100)
sampled-order-2: p <= 1
     => log(1 + p**2 * (exp(u) - 1)) <= p**2 * u * exp(u)
    =/> log(1 + p**2 * (exp(u) - 1)) <= p**2 * u
# the normal distribution
tail-chiani: x >= 1
     => NormalCDF(-x) <= exp(-(x**2) / 2) / 12 + exp(-2 * x**2 / 3) / 4
    =/> NormalCDF(-x) <= R(4, 5) * (exp(-(x**2) / 2) / 12 + exp(-2 * x**2 / 3) / 4)
erfc-below:
     => erfc(u) >= sqrt(2 * E / pi) / 2 * exp(-2 * u**2)
    =/> erfc(u) >= R(4, 5) * exp(-2 * u**2)
normal-variance:
     => NormalCDF(u) * NormalCDF(-u) <= exp(-(u**2) / 2) / 4
    =/> NormalCDF(u) * NormalCDF(-u) <= exp(-R(7, 10) * u**2) / 4
square-in-disc:
     => (2 * NormalCDF(u) - 1) ** 2 >= 1 - exp(-(u**2) / 2)
    =/> (2 * NormalCDF(u) - 1) ** 2 >= 1 - exp(-R(7, 10) * u**2)
hazard: => density(u) <= (u + 1) * NormalCDF(-u) =/> density(u) <= (u + R(3, 5)) * NormalCDF(-u)
# integers
poisson-limit: u < 1 => (1 - u) ** n <= exp(-u * n) =/> (1 - u) ** n <= R(99, 100) * exp(-u * n)
harmonic-power: u < 1
     => (1 - u) ** n * (1 + n * u) <= 1
    =/> (1 - u) ** n * (1 + R(11, 10) * n * u) <= 1
compound: => (1 + u / n) ** n <= exp(u) =/> (1 + u / n) ** n <= R(99, 100) * exp(u)
central-below:
     => binomial(2 * n, n) >= 4**n / (2 * sqrt(n))
    =/> binomial(2 * n, n) >= 4**n / (R(19, 10) * sqrt(n))
factorial-below: => factorial(n) >= (n / E) ** n =/> factorial(n) >= 3 * (n / E) ** n
binomial-thirds:
     => binomial(3 * n, n) <= R(27, 4) ** n
    =/> binomial(3 * n, n) <= R(2, 5) * R(27, 4) ** n
""",
)
