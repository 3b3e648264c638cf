"""Forty lemmas of papers of 2013 to 2026, each with a false twin, written from the page on the claim language alone.

Nothing was mended because of them before they were first tried. Places in papers are from memory, and some lemmas are a step or a special
case of what they name. Before they were tried, every lemma held at random points of its domain in multiple precision, with random laws
for families, and every twin failed somewhere.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

epsilon, delta, order, sigma, rho = real("epsilon delta alpha sigma rho")
x, y, z, s, t, u, c, r, a, q, b, mu, lam = real("x y z s t u c r a q b mu lambda")
p, w = real("p w")
n, m, d, k, h = positive_integer("n m d k h")
i = index("i")
ratio = (exp(epsilon) - 1) / (2 * delta)
b_stair = exp(-epsilon)
staircase = (b_stair ** Rational(2, 3) * (1 + b_stair) ** Rational(2, 3) / 2 ** Rational(2, 3) + b_stair) / (1 - b_stair) ** 2
bounded = epsilon / (exp(epsilon) - 1)
laplace_moment = order / (2 * order - 1) * exp((order - 1) * s) + (order - 1) / (2 * order - 1) * exp(-order * s)
discrete_weight = exp(-(k**2) / (2 * sigma**2))
maximum_mean = Integral(1 - NormalCDF(x) ** n, (x, 0, oo)) - Integral(NormalCDF(x) ** n, (x, -oo, 0))
scale_distance = erf(s * sqrt(log(s) / (s**2 - 1))) - erf(sqrt(log(s) / (s**2 - 1)))
coin_p, coin_q, coin_r = Tuple(p, 1 - p), Tuple(q, 1 - q), Tuple(r, 1 - r)


def density(at):
    return exp(-((y - at) ** 2) / (2 * sigma**2)) / (sqrt(2 * pi) * sigma)


sampled_pair = q * density(1) + (1 - q) * density(0)
shuffled_count = (1 + Sum(Max(binomial(n, k) - exp(epsilon) * binomial(n, k - 1), 0), (k, 1, n))) / 2**n
converted = exp((order - 1) * (order * rho - epsilon)) * (1 - 1 / order) ** (order - 1) / order
chi_squared = u ** (d / 2 - 1) * exp(-u / 2) / (2 ** (d / 2) * gamma(d / 2))
P, Q, W = laws("P Q W", (i, 1, n))
U, V, T = laws("U V T", (i, 1, n), "positive")
kept = (1 + r * (exp(epsilon) - 1)) / exp(epsilon)
g, f = family("g f", "positive")
above, below = for_each((i, 1, n), g[i] <= exp(epsilon) * f[i]), for_each((i, 1, n), f[i] <= exp(epsilon) * g[i])
e = family("e")
levels_sampled = Sum(log(1 + q * (exp(e[i]) - 1)), (i, 1, n)) / n
v = family("v")
o = family("o", "positive")
l, j = family("l j", "positive")  # noqa: E741 as the paper has it

LEMMAS = lemmas_in(
    globals(),
    """
# everyday
gdp-covers-pure-advantage: epsilon >= 0
     => tanh(epsilon / 2) <= 2 * NormalCDF(sqrt(pi / 2) * epsilon / 2) - 1
    =/> tanh(epsilon / 2) <= 2 * NormalCDF(Rational(5, 8) * epsilon) - 1
    "The advantage tanh(epsilon/2) of a pure test is at most that of mu-GDP with mu = sqrt(pi/2) epsilon."
membership-bounds: epsilon >= 0, delta >= 0, delta <= 1
     => (exp(epsilon) - 1 + 2 * delta) / (exp(epsilon) + 1) <= 1 - exp(-epsilon) * (1 - delta)
    =/> (exp(epsilon) - 1 + 2 * delta) / (exp(epsilon) + 1) <= 1 - exp(-Rational(9, 10) * epsilon) * (1 - delta)
    "The tight bound on membership advantage implies the exponential one."
conversion-prefactor: order > 1
     => (1 - 1 / order) ** (order - 1) / order <= 1 / (1 + E * (order - 1))
    =/> (1 - 1 / order) ** (order - 1) / order <= 1 / (1 + Rational(11, 4) * (order - 1))
    "The prefactor of the conversion at order alpha is at most 1/(1 + e(alpha - 1))."
exponential-two-candidates:
     => Supremum(x / (1 + exp(x)), (x, 0, oo)) <= Rational(557, 2000)
    =/> Supremum(x / (1 + exp(x)), (x, 0, oo)) <= Rational(348, 1250)
    "With two candidates the exponential mechanism loses at most 0.2785 in units of 2/epsilon."
truncated-laplace-amplitude: epsilon > 0, delta > 0, delta <= Rational(1, 2)
     => 1 - log(1 + ratio) / ratio <= (exp(epsilon) - 1) / (exp(epsilon) - 1 + 4 * delta)
    =/> 1 - log(1 + ratio) / ratio <= (exp(epsilon) - 1) / (exp(epsilon) - 1 + 5 * delta)
    "The amplitude of truncated Laplace noise is below that of Laplace noise by the factor (e^eps - 1)/(e^eps - 1 + 4 delta)."
staircase-variance: epsilon > 0
     => staircase <= 2 / epsilon**2
    =/> staircase <= Rational(199, 100) / epsilon**2
    "The best staircase noise has a variance of at most 2/epsilon^2."
discrete-laplace-variance: epsilon > 0
     => 2 * exp(epsilon) / (exp(epsilon) - 1) ** 2 >= 2 / epsilon**2 - Rational(1, 6)
    =/> 2 * exp(epsilon) / (exp(epsilon) - 1) ** 2 >= 2 / epsilon**2 - Rational(4, 25)
    "Discrete Laplace noise saves at most 1/6 of variance against Laplace noise."
bounded-range-kl: epsilon > 0
     => bounded - 1 - log(bounded) <= epsilon**2 / 8
    =/> bounded - 1 - log(bounded) <= epsilon**2 / 9
    "Bounded range epsilon costs at most epsilon^2/8 of KL divergence."
bennett-sampling: epsilon >= 0, q >= 0, q <= 1
     => log(1 + q * (exp(epsilon) - 1)) <= q * epsilon + q * (1 - q) * (exp(epsilon) - 1 - epsilon)
    =/> log(1 + q * (exp(epsilon) - 1)) <= q * epsilon + Rational(9, 10) * q * (1 - q) * (exp(epsilon) - 1 - epsilon)
    "Amplification by sampling is at most Bennett's bound."
contraction-against-composition: c >= 0, c <= 1
     => (1 + c) * (1 - c**n) <= n * (1 - c) * (1 + c**n)
    =/> (1 + c) * (1 - c**n) <= Rational(19, 20) * n * (1 - c) * (1 + c**n)
    "The squared mu of noisy contractive iterations is at most the number of steps."
attack-youden: epsilon >= 0, a >= 0, a <= 1
     => Min(exp(epsilon) * a, 1 - exp(-epsilon) * (1 - a)) - a <= (exp(epsilon) - 1) / (exp(epsilon) + 1)
    =/> Min(exp(epsilon) * a, 1 - exp(-epsilon) * (1 - a)) - a <= (exp(epsilon) - 1) / (exp(epsilon) + Rational(21, 20))
    "True positives exceed false positives by at most tanh(epsilon/2)."
laplace-concentrated: order >= 1, s >= 0
     => laplace_moment <= exp(order * (order - 1) * s**2 / 2)
    =/> laplace_moment <= exp(order * (order - 1) * s**2 * Rational(9, 20))
    "The moments of Laplace noise are those of zCDP with rho = s^2/2."
response-information: epsilon >= 0
     => log(2) - log(1 + exp(epsilon)) + epsilon * exp(epsilon) / (1 + exp(epsilon)) <= epsilon**2 / 8
    =/> log(2) - log(1 + exp(epsilon)) + epsilon * exp(epsilon) / (1 + exp(epsilon)) <= epsilon**2 / 9
    "Randomized response tells at most epsilon^2/8 nats about a uniform bit."
# hard
sampled-gaussian-fraction: order > 1, order <= 2, sigma > 0, q >= 0, q <= 1
     => SampledGaussianMoment(order, sigma, q, "remove") <= (1 + q**2 * (exp(1 / sigma**2) - 1)) ** (order - 1)
    =/> SampledGaussianMoment(order, sigma, q, "remove") <= (1 + Rational(9, 10) * q**2 * (exp(1 / sigma**2) - 1)) ** (order - 1)
    "Up to order 2 the moments of the sampled Gaussian are powers of the second one."
sampled-gaussian-directions: order > 1, sigma > 0, q >= 0, q <= 1
     => SampledGaussianMoment(order, sigma, q, "add") <= SampledGaussianMoment(order, sigma, q, "remove")
    =/> SampledGaussianMoment(order, sigma, q, "add") <= SampledGaussianMoment(order, sigma, Rational(19, 20) * q, "remove")
    "Adding a record to a sampled Gaussian costs at most what removing it costs."
moments-superadditive: order >= 1, p > 0, q > 0, s > 0, t > 0
     => (p + s) ** order * (q + t) ** (1 - order) <= p**order * q ** (1 - order) + s**order * t ** (1 - order)
     ; order >= Rational(19, 20), p > 0, q > 0, s > 0, t > 0
    =/> (p + s) ** order * (q + t) ** (1 - order) <= p**order * q ** (1 - order) + s**order * t ** (1 - order)
    "The terms p^alpha q^(1 - alpha) are jointly convex: merging two cells lowers the moment."
discrete-gaussian-tail: sigma > 0
     => Sum(discrete_weight, (k, m, oo)) <= (1 + 2 * Sum(discrete_weight, (k, 1, oo))) * erfc((m - 1) / (sqrt(2) * sigma)) / 2
    =/> Sum(discrete_weight, (k, m, oo)) <= (1 + 2 * Sum(discrete_weight, (k, 1, oo))) * erfc((m - Rational(2, 5)) / (sqrt(2) *
        sigma)) / 2
    "The tail of the discrete Gaussian from m on is at most that of the Gaussian from m - 1 on."
poisson-tail: lam > 0, m >= lam
     => Sum(exp(-lam) * lam**k / factorial(k), (k, m, oo)) <= Rational(16, 25) * exp(m - lam) * (lam / m) ** m
    =/> Sum(exp(-lam) * lam**k / factorial(k), (k, m, oo)) <= Rational(63, 100) * exp(m - lam) * (lam / m) ** m
    "A Poisson tail from m >= lambda on is at most 0.64 times Chernoff's bound."
binomial-entropy-lower: k <= n - 1
     => binomial(n, k) >= n**n / (k**k * (n - k) ** (n - k)) * sqrt(n / (8 * k * (n - k)))
    =/> binomial(n, k) >= n**n / (k**k * (n - k) ** (n - k)) * sqrt(n / (Rational(39, 5) * k * (n - k)))
    "A binomial coefficient is at least its entropy bound times sqrt(n/(8k(n - k)))."
gaussian-maximum:
     => maximum_mean <= sqrt(2 * log(n))
    =/> maximum_mean <= Rational(4, 5) * sqrt(2 * log(n))
    "The mean of the largest of n standard Gaussians is at most sqrt(2 log n)."
gdp-duality: mu > 0, epsilon >= 0, a > 0, a < 1
     => NormalCDF(NormalQuantile(1 - a) - mu) >= 1 - GaussianDelta(epsilon, 1 / mu, 1) - exp(epsilon) * a
    =/> NormalCDF(NormalQuantile(1 - a) - mu) >= 1 - Rational(19, 20) * GaussianDelta(epsilon, 1 / mu, 1) - exp(epsilon) * a
    "The trade-off curve of mu-GDP lies above each of its supporting lines."
gaussian-scales-distance: s > 1
     => scale_distance <= sqrt(2 / (pi * E)) * log(s)
    =/> scale_distance <= Rational(12, 25) * log(s)
    "Centred Gaussians whose deviations have the ratio s differ in total variation by at most sqrt(2/(pi e)) log s."
wendel-lower: x > 0, s >= 0, s <= 1
     => gamma(x + s) / gamma(x) >= x**s * (x / (x + s)) ** (1 - s)
    =/> gamma(x + s) / gamma(x) >= x**s * (x / (x + s)) ** (Rational(2, 5) * (1 - s))
    "The s-th moment of gamma noise of shape x is at least x^s (x/(x + s))^(1 - s)."
cauchy-admissible: s >= 0
     => log((1 + (exp(t) * z + s) ** 2) / (1 + z**2)) - t <= 2 * log(s / 2 + sqrt(1 + s**2 / 4)) + Abs(t)
    =/> log((1 + (exp(t) * z + s) ** 2) / (1 + z**2)) - t <= 2 * log(s / 2 + sqrt(1 + s**2 / 4)) + Rational(9, 10) * Abs(t)
    "Shifting Cauchy noise by s and scaling it by e^t changes its log density by at most 2 asinh(s/2) + |t|."
weak-triangle: order > 1, p > 0, p < 1, q > 0, q < 1, r > 0, r < 1
     => RenyiDivergence(order, coin_p, coin_q) <= (order - Rational(1, 2)) / (order - 1) * RenyiDivergence(2 * order, coin_p,
        coin_r) + RenyiDivergence(2 * order - 1, coin_r, coin_q)
    =/> RenyiDivergence(order, coin_p, coin_q) <= RenyiDivergence(2 * order, coin_p, coin_r) + RenyiDivergence(2 * order - 1,
        coin_r, coin_q)
    "The weak triangle inequality of Renyi divergences, for coins."
logarithmic-repetitions: q > 0, q < 1
     => Sum((1 - q) ** k / k, (k, m, oo)) / log(1 / q) <= (1 - q) ** m / (m * q * log(1 / q))
    =/> Sum((1 - q) ** k / k, (k, m, oo)) / log(1 / q) <= (1 - q) ** m / (m * (1 - Rational(9, 10) * (1 - q)) * log(1 / q))
    "The number of repetitions with the logarithmic law exceeds m - 1 with probability at most (1 - q)^m/(m q log(1/q))."
sampled-gaussian-kl: sigma > 0, q >= 0, q <= 1
     => KLDivergence(sampled_pair, density(0), (y, -oo, oo)) <= q**2 * (exp(1 / sigma**2) - 1) / 2
    =/> KLDivergence(sampled_pair, density(0), (y, -oo, oo)) <= Rational(9, 20) * q**2 * (exp(1 / sigma**2) - 1)
    "The KL divergence of the sampled Gaussian is at most half of its chi-squared divergence."
coins-hide-a-count: epsilon >= 0
     => shuffled_count <= exp(-n * tanh(epsilon / 2) ** 2 / 2)
    =/> shuffled_count <= exp(-Rational(3, 4) * n * tanh(epsilon / 2) ** 2)
    "A count with n fair coins has a delta of at most exp(-n tanh(epsilon/2)^2/2)."
concentrated-conversion: rho > 0, epsilon > rho
     => Infimum(converted, (order, 1, oo)) <= exp(-((epsilon - rho) ** 2) / (4 * rho)) * 2 * rho / (epsilon + rho)
    =/> Infimum(converted, (order, 1, oo)) <= Rational(9, 10) * exp(-((epsilon - rho) ** 2) / (4 * rho)) * 2 * rho / (epsilon + rho)
    "The best order of rho-zCDP gives a delta of at most exp(-(epsilon - rho)^2/(4 rho)) 2 rho/(epsilon + rho)."
laurent-massart: x >= 0
     => Integral(chi_squared, (u, d + 2 * sqrt(d * x) + 2 * x, oo)) <= exp(-x)
    =/> Integral(chi_squared, (u, d + 2 * sqrt(d * x) + Rational(7, 5) * x, oo)) <= exp(-x)
    "A chi-squared variable with d degrees exceeds d + 2 sqrt(dx) + 2x with probability at most exp(-x)."
laplace-affinity: b > 0
     => Integral(exp(-(Abs(y) + Abs(y - 1)) / (2 * b)) / (2 * b), (y, -oo, oo)) >= exp(-1 / (8 * b**2))
    =/> Integral(exp(-(Abs(y) + Abs(y - 1)) / (2 * b)) / (2 * b), (y, -oo, oo)) >= exp(-1 / (9 * b**2))
    "The Hellinger affinity of Laplace noise at two means is at least that of Gaussian noise with half of the variance."
# about laws or families of any length
convex-in-second: U, V, T, order > 1, r >= 0, r <= 1
     => RenyiDivergence(order, U, r * V + (1 - r) * T) <= r * RenyiDivergence(order, U, V) + (1 - r) * RenyiDivergence(order, U, T)
    =/> RenyiDivergence(order, U, r * V + (1 - r) * T) <= r * RenyiDivergence(order, U, V) + Rational(9, 10) * (1 - r) *
        RenyiDivergence(order, U, T)
    "A Renyi divergence is convex in its second argument."
advanced-convexity: P, Q, W, epsilon >= 0, r >= 0, r <= 1
     => HockeyStick(log(1 + r * (exp(epsilon) - 1)), (1 - r) * W + r * P, (1 - r) * W + r * Q) <= r * ((1 - kept) *
        HockeyStick(epsilon, P, W) + kept * HockeyStick(epsilon, P, Q))
    =/> HockeyStick(r * epsilon, (1 - r) * W + r * P, (1 - r) * W + r * Q) <= r * ((1 - kept) * HockeyStick(epsilon, P, W) + kept *
        HockeyStick(epsilon, P, Q))
    "Advanced joint convexity of hockey-stick divergences."
pure-chi-squared: epsilon >= 0, sums_to_one(g, (i, 1, n)), sums_to_one(f, (i, 1, n)), above, below
     => Sum(g[i] ** 2 / f[i], (i, 1, n)) - 1 <= exp(epsilon) + exp(-epsilon) - 2
     ; epsilon >= 0, sums_to_one(g, (i, 1, n)), sums_to_one(f, (i, 1, n)), above
    =/> Sum(g[i] ** 2 / f[i], (i, 1, n)) - 1 <= exp(epsilon) + exp(-epsilon) - 2
    "Pure DP bounds the chi-squared divergence by e^epsilon + e^-epsilon - 2."
bretagnolle-huber: U, V
     => (Sum(Abs(U[i] - V[i]), (i, 1, n)) / 2) ** 2 <= 1 - exp(-KLDivergence(U, V))
    =/> (Sum(Abs(U[i] - V[i]), (i, 1, n)) / 2) ** 2 <= 1 - exp(-Rational(3, 4) * KLDivergence(U, V))
    "The squared total variation distance is at most 1 - exp(-KL)."
personal-levels: q >= 0, q <= 1
     => levels_sampled >= log(1 + q * (exp(Sum(e[i], (i, 1, n)) / n) - 1))
    =/> levels_sampled >= log(1 + q * (exp(sqrt(Sum(e[i] ** 2, (i, 1, n)) / n)) - 1))
    "Sampling amplifies the average level of n users at least to the level that it gives the average."
noisy-descent: v[1] <= 1, for_each((i, 1, n - 1), v[i + 1] <= (1 - 1 / (i + 1)) * v[i] + 1 / (i + 1) ** 2)
     => v[n] <= (1 + log(n)) / n
    =/> v[n] <= (1 + Rational(3, 4) * log(n)) / n
    "A strongly convex recursion leaves an error of at most (1 + log n)/n after n steps."
probability-preservation: U, V, order > 1, m <= n
     => Sum(U[i], (i, 1, m)) ** order <= RenyiMoment(order, U, V) * Sum(V[i], (i, 1, m)) ** (order - 1)
    =/> Sum(U[i], (i, 1, m)) ** order <= RenyiMoment(order, U, V) * Sum(V[i], (i, 1, m)) ** (order - Rational(1, 2))
    "An event of probability Q(A) has P(A)^alpha at most the moment times Q(A)^(alpha - 1)."
fano: sums_to_one(o, (i, 1, n)), n >= 2
     => -Sum(o[i] * log(o[i]), (i, 1, n)) <= -o[1] * log(o[1]) - (1 - o[1]) * log(1 - o[1]) + (1 - o[1]) * log(n - 1)
    =/> -Sum(o[i] * log(o[i]), (i, 1, n)) <= -o[1] * log(o[1]) - (1 - o[1]) * log(1 - o[1]) + Rational(19, 20) * (1 - o[1]) * log(n
        - 1)
    "Fano: the entropy is at most that of the first mass and log(n - 1) on the rest."
budget-split:
     => Sum(l[i] ** 2 / j[i] ** 2, (i, 1, n)) >= Sum(l[i] ** Rational(2, 3), (i, 1, n)) ** 3 / Sum(j[i], (i, 1, n)) ** 2
    =/> Sum(l[i] ** 2 / j[i] ** 2, (i, 1, n)) >= Rational(21, 20) * Sum(l[i] ** Rational(2, 3), (i, 1, n)) ** 3 / Sum(j[i], (i, 1,
        n)) ** 2
    "No split of a budget over n queries has a total variance below (sum of l^(2/3))^3 over the squared budget."
""",
)
