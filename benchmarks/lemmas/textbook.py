"""Lemmas as a researcher types them, from memory of textbooks and papers, each with a false twin, written down before
anything was tried on them.

Conversions, composition, sampling, closed forms of noise, tests of hypotheses, distances of distributions, concentration, binomial
coefficients, sums, softmax and clipping.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

x, y = real("x y")
u, v, epsilon, mu = nonnegative("u v epsilon mu")
a, b, c, p, q, t, alpha, rho, sigma, delta = positive("a b c p q t alpha rho sigma delta")
n, m = positive_integer("n m")
k, j = index("k"), index("j", start=0)
line = (x, -oo, oo)
coin = (p < 1, q < 1)
divergence = KLDivergence(bernoulli(p), bernoulli(q))
collision = RenyiDivergence(2, bernoulli(p), bernoulli(q))
order_3 = RenyiDivergence(3, bernoulli(p), bernoulli(q))
growth = exp(epsilon) - 1
improved = log((alpha - 1) / alpha) - (log(delta) + log(alpha)) / (alpha - 1)
zcdp = rho + 2 * sqrt(rho * log(1 / delta))
laplace = KLDivergence(laplace_density(x, 1, sigma), laplace_density(x, 0, sigma), line)


def logistic(z: object) -> object:
    """The logistic function."""
    return 1 / (1 + exp(-z))  # type: ignore[operator]


LEMMAS = lemmas_in(
    globals(),
    """
# from Rényi divergence or concentration to (ε, δ)
rdp-to-dp-gaussian: alpha > 1
     => GaussianDelta(epsilon, sigma) <= exp((alpha - 1) * (alpha / (2 * sigma**2) - epsilon))
    =/> GaussianDelta(epsilon, sigma) <= R(9, 10) * exp((alpha - 1) * (alpha / (2 * sigma**2) - epsilon))
rdp-to-dp-improved: alpha > 1, delta < 1
     => improved <= log(1 / delta) / (alpha - 1)
    =/> improved <= R(99, 100) * log(1 / delta) / (alpha - 1)
zcdp-to-dp-gaussian: epsilon >= rho
     => GaussianDelta(epsilon, 1 / sqrt(2 * rho)) <= exp(-((epsilon - rho) ** 2) / (4 * rho))
    =/> GaussianDelta(epsilon, 1 / sqrt(2 * rho)) <= exp(-((epsilon - rho) ** 2) / (4 * rho)) / 3
zcdp-to-dp-short: delta < 1, rho <= log(1 / delta)
     => zcdp <= 3 * sqrt(rho * log(1 / delta))
    =/> zcdp <= R(29, 10) * sqrt(rho * log(1 / delta))
gdp-tail: mu > 0
     => NormalCDF(mu / 2 - epsilon / mu) - exp(epsilon) * NormalCDF(-mu / 2 - epsilon / mu) <= NormalCDF(mu / 2 - epsilon / mu)
    =/> NormalCDF(mu / 2 - epsilon / mu) - exp(epsilon) * NormalCDF(-mu / 2 - epsilon / mu) <= R(9, 10) * NormalCDF(mu / 2 - epsilon / mu)
gdp-linear: mu > 0
     => NormalCDF(mu / 2 - epsilon / mu) - exp(epsilon) * NormalCDF(-mu / 2 - epsilon / mu) <= mu / sqrt(2 * pi)
    =/> NormalCDF(mu / 2 - epsilon / mu) - exp(epsilon) * NormalCDF(-mu / 2 - epsilon / mu) <= R(39, 100) * mu
# composition
pure-divergence-minimum:
     => epsilon * tanh(epsilon / 2) <= Min(epsilon, epsilon**2 / 2)
    =/> epsilon * tanh(epsilon / 2) <= Min(epsilon, R(49, 100) * epsilon**2)
advanced-composition-drift: delta < 1
     => n * epsilon * tanh(epsilon / 2) + epsilon * sqrt(2 * n * log(1 / delta)) <= n * epsilon**2 / 2 + epsilon * sqrt(2 * n * log(1 /
           delta))
    =/> n * epsilon * tanh(epsilon / 2) + epsilon * sqrt(2 * n * log(1 / delta)) <= R(49, 100) * n * epsilon**2 + epsilon * sqrt(2 * n *
           log(1 / delta))
twice-randomized-response:
     => (exp(2 * epsilon) - 1) / (1 + exp(epsilon)) ** 2 <= epsilon / 2
    =/> (exp(2 * epsilon) - 1) / (1 + exp(epsilon)) ** 2 <= R(49, 100) * epsilon
gaussian-delta-falls:
     => GaussianDelta(u + v, sigma) <= GaussianDelta(u, sigma)
    =/> GaussianDelta(u + v, sigma) <= R(9, 10) * GaussianDelta(u, sigma)
budgets-halved: => Sum(R(1, 2) ** k, (k, 1, n)) <= 1 =/> Sum(R(1, 2) ** k, (k, 1, n)) <= R(99, 100)
# sampling
amplification-doubled: q <= 1, epsilon <= 1
     => log(1 + q * growth) <= 2 * q * epsilon
    =/> log(1 + q * growth) <= R(3, 2) * q * epsilon
amplification-directions: q <= 1
     => -log(1 - q * (1 - exp(-epsilon))) <= log(1 + q * growth)
    =/> -log(1 - q * (1 - exp(-epsilon))) <= R(9, 10) * log(1 + q * growth)
sampled-jensen: q <= 1
     => log(1 + q**2 * (exp(u) - 1)) >= q**2 * u
    =/> log(1 + q**2 * (exp(u) - 1)) >= R(101, 100) * q**2 * u
sampled-laplace-order-2: b >= 1, b <= 4, q >= R(1, 100), q <= R(1, 2)
     => mechanism_renyi(2, laplace_scale=b, q=q, direction="remove") <= q**2 / b**2
    =/> mechanism_renyi(2, laplace_scale=b, q=q, direction="remove") <= q**2 / (2 * b**2)
# noise
laplace-rdp: alpha >= R(3, 2), alpha <= 10, b >= 1, b <= 4
     => mechanism_renyi(alpha, laplace_scale=b) <= alpha / (2 * b**2)
    =/> mechanism_renyi(alpha, laplace_scale=b) <= alpha / (4 * b**2)
laplace-kl: sigma >= 1, sigma <= 4
     => laplace <= 1 / (2 * sigma**2)
    =/> laplace <= 1 / (4 * sigma**2)
laplace-delta-zero: b >= R(1, 2), b <= 4
     => mechanism_delta(0, laplace_scale=b) <= 1 / (2 * b)
    =/> mechanism_delta(0, laplace_scale=b) <= 1 / (4 * b)
many-answers:
     => growth / (growth + n) <= growth / n
    =/> growth / (growth + n) <= R(9, 10) * growth / n
local-privacy:
     => 2 * epsilon * tanh(epsilon / 2) <= growth**2
    =/> 2 * epsilon * tanh(epsilon / 2) <= R(9, 10) * growth**2
laplace-maximum:
     => 1 - (1 - exp(-u) / 2) ** n <= n * exp(-u) / 2
    =/> 1 - (1 - exp(-u) / 2) ** n <= R(99, 100) * n * exp(-u) / 2
# tails of the normal distribution
tail-quarter: => NormalCDF(-u) >= exp(-(u**2)) / 4 =/> NormalCDF(-u) >= exp(-(u**2)) / 2
quantile-above: delta <= R(1, 2)
     => NormalQuantile(1 - delta) <= sqrt(2 * log(1 / (2 * delta)))
    =/> NormalQuantile(1 - delta) <= sqrt(R(3, 2) * log(1 / (2 * delta)))
# tests of hypotheses
trade-off-diagonal: p < 1
     => NormalCDF(NormalQuantile(1 - p) - mu) <= 1 - p
    =/> NormalCDF(NormalQuantile(1 - p) - mu) <= 1 - p - R(1, 100)
gaussian-variation-affinity:
     => 2 * NormalCDF(mu / 2) - 1 <= sqrt(1 - exp(-(mu**2) / 4))
    =/> 2 * NormalCDF(mu / 2) - 1 <= sqrt(1 - exp(-(mu**2) / 8))
# distances of coins
renyi-orders: *coin => collision <= order_3 =/> R(101, 100) * collision <= order_3
renyi-infinite-order: *coin
     => collision <= log(Max(p / q, (1 - p) / (1 - q)))
    =/> collision <= R(9, 10) * log(Max(p / q, (1 - p) / (1 - q)))
variation-of-three: a + b < 1
     => Abs(a - R(1, 3)) + Abs(b - R(1, 3)) + Abs(R(2, 3) - a - b) <= R(4, 3)
    =/> Abs(a - R(1, 3)) + Abs(b - R(1, 3)) + Abs(R(2, 3) - a - b) <= R(13, 10)
chi-square-of-three: a + b < 1, p + q < 1
     => KLDivergence(Tuple(a, b, 1 - a - b), Tuple(p, q, 1 - p - q)) <= log(a**2 / p + b**2 / q + (1 - a - b) ** 2 / (1 - p - q))
    =/> KLDivergence(Tuple(a, b, 1 - a - b), Tuple(p, q, 1 - p - q)) <= R(9, 10) * log(a**2 / p + b**2 / q + (1 - a - b) ** 2 / (1 - p - q))
# concentration
chernoff-divergence: p < 1, u <= 1, (1 + u) * p < 1
     => KLDivergence(bernoulli((1 + u) * p), bernoulli(p)) >= u**2 * p / 3
    =/> KLDivergence(bernoulli((1 + u) * p), bernoulli(p)) >= u**2 * p / 2
laurent-massart:
     => log(1 + 2 * sqrt(u) + 2 * u) <= 2 * sqrt(u)
    =/> log(1 + 2 * sqrt(u) + 2 * u) <= R(199, 100) * sqrt(u)
martingale-exponential: => exp(x) <= x + exp(x**2) =/> exp(x) <= x + exp(x**2 / 2)
log-cosh-absolute: => log(cosh(x)) <= Abs(x) =/> log(cosh(x)) <= R(9, 10) * Abs(x)
exp-half-slope: u <= 1 => exp(-u) <= 1 - u / 2 =/> exp(-u) <= 1 - R(64, 100) * u
exp-double-slope: epsilon <= 1 => growth <= 2 * epsilon =/> growth <= R(17, 10) * epsilon
# integers and sums
never-sampled: n >= 2 => (1 - R(1) / n) ** n <= exp(-1) =/> (1 - R(1) / n) ** n <= R(36, 100)
binomial-power: m <= n
     => binomial(n, m) <= (E * n / m) ** m
    =/> binomial(n, m) <= (R(3, 2) * n / m) ** m
binomial-row:
     => Sum(binomial(n, j), (j, 0, n)) <= 2**n
    =/> Sum(binomial(n, j), (j, 0, n)) <= 2**n - 1
geometric-tail:
     => Sum(exp(-a * j), (j, 0, oo)) <= 1 + 1 / a
    =/> Sum(exp(-a * j), (j, 0, oo)) <= R(9, 10) + 1 / a
log-factorial-above:
     => Sum(log(k), (k, 1, n)) <= (n + 1) * log(n + 1) - n
    =/> Sum(log(k), (k, 1, n)) <= (n + 1) * log(n + 1) - R(3, 2) * n
harmonic-late:
     => Sum(1 / (k + 1), (k, 1, n)) <= log(n + 1)
    =/> Sum(1 / (k + 1), (k, 1, n)) <= R(8, 10) * log(n + 1)
# softmax and clipping
soft-mean:
     => log((exp(t * x) + exp(t * y)) / 2) / t >= (x + y) / 2
    =/> log((exp(t * x) + exp(t * y)) / 2) / t >= (x + y) / 2 + R(1, 100)
logistic-lipschitz:
     => Abs(logistic(x) - logistic(y)) <= Abs(x - y) / 4
    =/> Abs(logistic(x) - logistic(y)) <= R(24, 100) * Abs(x - y)
clipped-norm: u > 0 => Min(1, c / u) * u <= c =/> Min(1, c / u) * u <= R(99, 100) * c
clipped-lipschitz:
     => Abs(Min(x, c) - Min(y, c)) <= Abs(x - y)
    =/> Abs(Min(x, c) - Min(y, c)) <= R(9, 10) * Abs(x - y)
""",
)
