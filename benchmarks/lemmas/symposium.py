"""Theorems as the literature of the field states them, each with a close false twin, written down before anything was tried on them.

Conversions, hypothesis tests, selection, sample sizes, divergences of coins and of any finite laws, noise, normal tails, gamma functions,
sums and binomial coefficients. When they were new, 42 of 66 were settled and 65 twins refuted; one lemma, which sympy evaluated to a bare
"true" when it was written, was then written anew.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import density, lemmas_in
from dpbounds.notation import *

R = Rational
x, y = real("x y")
u, epsilon, s, mu = nonnegative("u epsilon s mu")
a, b, c, d, p, q, r, t, alpha, rho, sigma, delta, k = positive("a b c d p q r t alpha rho sigma delta k")
n, m = positive_integer("n m")
i, j = index("i"), index("j", start=0)
P, Q, S = laws("P Q S", (i, 1, n))
half = R(1, 2)
less, more = R(9, 10), R(11, 10)
coin = (p < 1, q < 1)
one, other = bernoulli(p), bernoulli(q)
coins = KLDivergence(one, other)
affinity = sqrt(p * q) + sqrt((1 - p) * (1 - q))


def entropy(share):  # type: ignore[no-untyped-def]
    """The entropy of a coin."""
    return -share * log(share) - (1 - share) * log(1 - share)


def advantage(bound):  # type: ignore[no-untyped-def]
    """A bound on true minus false positives of a test, as the two error rates leave it."""
    return p - q <= bound * (exp(epsilon) - 1 + 2 * delta) / (exp(epsilon) + 1)


triangle = (alpha - 1 / t) / (alpha - 1) * t * alpha * a**2 + t / (t - 1) * (alpha - 1 / t) * b**2
preserved = (exp(RenyiDivergence(alpha, one, other)) * q) ** ((alpha - 1) / alpha)
moment = Sum(binomial(n, j) * (1 - q) ** (n - j) * q**j * exp(j * (j - 1) / (2 * sigma**2)), (j, 0, n))
amplified = SampledGaussianDelta(log(1 + q * (exp(epsilon) - 1)), sigma, q, 1, "remove")
posterior = exp(epsilon) * p / (1 - p + exp(epsilon) * p)
sampled_rate = 2 * (exp(mu**2) * NormalCDF(3 * mu / 2) + 3 * NormalCDF(-mu / 2) - 2)
laplace = Integral(exp(-Abs(x) / b) / (2 * b), (x, t * b, oo))
squares = Sum(i**2 * exp(-(i**2) / (2 * sigma**2)), (i, 1, oo))
mass = Sum(exp(-(i**2) / (2 * sigma**2)), (i, 1, oo))
student = (d + 1) / 2 * log((d + (x + s) ** 2) / (d + x**2))
stair = exp(-a)
staircase = ((stair * (1 + stair) / 2) ** R(2, 3) + stair) / (1 - stair) ** 2
end = log(1 + (exp(a) - 1) / (2 * delta)) / a
with as_written():  # exp and log meet
    truncated = Integral(a * exp(-a * x) / (2 * (1 - exp(-a * end))), (x, end - 1, end))
accuracy = 8 * (log(k) + log(2 / delta)) / a
short = 7 * (log(k) + log(2 / delta)) / a
norm = 3 * log(3 / delta)
with as_written():  # likewise
    missed = exp(-a * accuracy / 4) + k * exp(-a * accuracy / 8)
    missed_short = exp(-a * short / 4) + k * exp(-a * short / 8)
    far_out = (1 + norm + norm**2 / 2) * exp(-norm)
wrong_vote = -log(4 * p * (1 - p)) / 2
vajda = log((1 + p - q) / (1 - p + q)) - 2 * (p - q) / (1 + p - q)
renyi_of_variances = log(b / a) + log(b**2 / (2 * b**2 - a**2)) / 2
of_variances = log(b / a) + a**2 / (2 * b**2) - half
mills = NormalCDF(-u) / density(u)
geometric = Sum(2 * j**2 * (1 - p) / (1 + p) * p**j, (j, 1, oo))
poisson = exp(-a) * a**j / factorial(j)
binomial_term = binomial(n, j) * q**j * (1 - q) ** (n - j)
variation = Sum(Abs(P[i] - Q[i]), (i, 1, n))
tilted = log(exp(x) / (q * exp(x) + (1 - q) * exp(y)))

LEMMAS = lemmas_in(
    globals(),
    """
# conversion, composition, sampling
renyi-triangle: alpha > 1, t > 1
     => alpha * (a + b) ** 2 <= triangle
    =/> alpha * (a + b) ** 2 <= less * triangle
probability-preserved: alpha > 1, *coin => p <= preserved =/> p <= less * preserved
gaussian-group:
     => GaussianDelta(2 * epsilon, sigma, 2) <= (1 + exp(epsilon)) * GaussianDelta(epsilon, sigma)
    =/> GaussianDelta(2 * epsilon, sigma, 2) <= less * (1 + exp(epsilon)) * GaussianDelta(epsilon, sigma)
gaussian-loss-tail: epsilon >= mu**2 / 2, mu > 0
     => NormalCDF(mu / 2 - epsilon / mu) <= exp(-((epsilon - mu**2 / 2) ** 2) / (2 * mu**2)) / 2
    =/> NormalCDF(mu / 2 - epsilon / mu) <= R(9, 20) * exp(-((epsilon - mu**2 / 2) ** 2) / (2 * mu**2))
moment-below-unsampled: q < 1
     => moment <= exp(n * (n - 1) / (2 * sigma**2))
    =/> moment <= less * exp(n * (n - 1) / (2 * sigma**2))
amplified-delta: q <= 1
     => amplified <= q * GaussianDelta(epsilon, sigma)
    =/> amplified <= less * q * GaussianDelta(epsilon, sigma)
sampling-never-hurts: q <= 1
     => mechanism_renyi(2, sigma=sigma, q=q) <= mechanism_renyi(2, sigma=sigma)
    =/> mechanism_renyi(2, sigma=sigma, q=q) <= less * mechanism_renyi(2, sigma=sigma)
sampled-clt-rate: => sampled_rate >= exp(mu**2) - 1 =/> sampled_rate >= more * (exp(mu**2) - 1)
clone-mass:
     => 2 / (exp(epsilon) + 1) >= exp(-epsilon)
    =/> 2 / (exp(epsilon) + 1) >= exp(-less * epsilon)
response-profile: epsilon <= a
     => mechanism_delta(epsilon, randomized_response=a) <= (exp(a) - exp(epsilon)) / (1 + exp(a))
    =/> mechanism_delta(epsilon, randomized_response=a) <= less * (exp(a) - exp(epsilon)) / (1 + exp(a))
# tests and posteriors
pure-trade-off: p <= 1
     => Max(0, 1 - exp(epsilon) * p, exp(-epsilon) * (1 - p)) <= 1 - p
    =/> Max(0, 1 - exp(epsilon) * p, exp(-epsilon) * (1 - p)) <= less * (1 - p)
advantage-with-delta: *coin, delta < 1, p <= exp(epsilon) * q + delta, 1 - q <= exp(epsilon) * (1 - p) + delta
     => advantage(1)
    =/> advantage(less)
positive-accuracy: p <= 1, q <= 1, p <= exp(epsilon) * q
     => p / (p + q) <= exp(epsilon) / (1 + exp(epsilon))
    =/> p / (p + q) <= less * exp(epsilon) / (1 + exp(epsilon))
posterior-gain: p < 1
     => posterior - p <= tanh(epsilon / 4)
    =/> posterior - p <= less * tanh(epsilon / 4)
trade-off-slope: p < 1
     => NormalCDF(NormalQuantile(1 - p) - mu) >= 1 - p - mu / sqrt(2 * pi)
    =/> NormalCDF(NormalQuantile(1 - p) - mu) >= 1 - p - less * mu / sqrt(2 * pi)
posterior-sample: q <= 1, x <= b, x >= -b, y <= b, y >= -b
     => tilted <= 2 * b
    =/> tilted <= less * 2 * b
# selection, sample sizes
above-threshold: k >= 1, delta < 1 => missed <= delta =/> missed_short <= delta
utility-of-choice: k >= 1, delta < 1, t >= 2 * log(k / delta) / a
     => k * exp(-a * t / 2) <= delta
    =/> k * exp(-a * t / 2) <= less * delta
sample-size: delta < 1, k >= log(2 / delta) / (2 * t**2)
     => 2 * exp(-2 * k * t**2) <= delta
    =/> 2 * exp(-2 * k * t**2) <= less * delta
occam: delta < 1, a < 1, k >= 1, t >= (log(k) + log(1 / delta)) / a
     => k * (1 - a) ** t <= delta
    =/> k * (1 - a) ** t <= less * delta
sidak: delta < 1 => (1 - delta / n) ** n >= 1 - delta =/> (1 - delta / n) ** n >= 1 - less * delta
output-perturbation: delta < 1 => far_out <= delta =/> far_out <= delta / 3
median-of-means: => R(3, 4) ** (n / 2) <= exp(-n / 8) =/> R(3, 4) ** (n / 2) <= exp(-3 * n / 20)
majority-vote: p < half
     => wrong_vote >= 2 * (half - p) ** 2
    =/> wrong_vote >= more * 2 * (half - p) ** 2
gaussian-votes:
     => erfc(u / (2 * sigma)) <= exp(-(u**2) / (4 * sigma**2))
    =/> erfc(u / (2 * sigma)) <= exp(-2 * u**2 / (7 * sigma**2))
direct-encoding: k >= 2, k <= 3 * exp(a) + 2
     => (k - 2 + exp(a)) / (exp(a) - 1) ** 2 <= 4 * exp(a) / (exp(a) - 1) ** 2
    =/> (k - 2 + exp(a)) / (exp(a) - 1) ** 2 <= less * 4 * exp(a) / (exp(a) - 1) ** 2
piecewise-mechanism: a >= R(13, 10)
     => 4 * exp(a / 2) / (3 * (exp(a / 2) - 1) ** 2) <= ((exp(a) + 1) / (exp(a) - 1)) ** 2
    =/> 4 * exp(a / 2) / (3 * (exp(a / 2) - 1) ** 2) <= less * ((exp(a) + 1) / (exp(a) - 1)) ** 2
objective-perturbation:
     => log(1 + 2 * c / t + c**2 / t**2) <= 2 * c / t
    =/> log(1 + 2 * c / t + c**2 / t**2) <= less * 2 * c / t
# divergences of coins
okamoto: p >= half, p + t < 1
     => KLDivergence(bernoulli(p + t), one) >= t**2 / (2 * p * (1 - p))
    =/> KLDivergence(bernoulli(p + t), one) >= more * t**2 / (2 * p * (1 - p))
hoeffding-unsymmetric: p < half, p + t < 1
     => KLDivergence(bernoulli(p + t), one) >= t**2 * log((1 - p) / p) / (1 - 2 * p)
    =/> KLDivergence(bernoulli(p + t), one) >= more * t**2 * log((1 - p) / p) / (1 - 2 * p)
vajda: p < 1, q < p => coins >= vajda =/> coins >= more * vajda
pinsker-fourth-order: *coin
     => coins >= 2 * (p - q) ** 2 + R(4, 9) * (p - q) ** 4
    =/> coins >= 2 * (p - q) ** 2 + R(5, 9) * (p - q) ** 4
reverse-pinsker: *coin
     => coins <= log(1 + 2 * (p - q) ** 2 / Min(q, 1 - q))
    =/> coins <= less * log(1 + 2 * (p - q) ** 2 / Min(q, 1 - q))
renyi-half-hellinger: *coin
     => -2 * log(affinity) >= 2 * (1 - affinity)
    =/> -2 * log(affinity) >= more * 2 * (1 - affinity)
delta-below-loss-tail: *coin
     => HockeyStick(epsilon, one, other) <= LossTail(epsilon, one, other)
    =/> HockeyStick(epsilon, one, other) <= less * LossTail(epsilon, one, other)
loss-tail-below-delta: epsilon > 0, *coin
     => LossTail(2 * epsilon, one, other) <= HockeyStick(epsilon, one, other) / (1 - exp(-epsilon))
    =/> LossTail(2 * epsilon, one, other) <= less * HockeyStick(epsilon, one, other) / (1 - exp(-epsilon))
entropy-continuity: p < q, q < 1
     => entropy(q) - entropy(p) <= entropy(q - p)
    =/> entropy(q) - entropy(p) <= less * entropy(q - p)
min-entropy: p < 1 => -log(Max(p, 1 - p)) <= entropy(p) =/> -more * log(Max(p, 1 - p)) <= entropy(p)
# divergences of any finite laws and of named ones
table-delta-falls: P, Q
     => HockeyStick(epsilon, P, Q) <= HockeyStick(0, P, Q)
    =/> HockeyStick(epsilon, P, Q) <= less * HockeyStick(0, P, Q)
table-amplification: P, Q, r <= 1
     => HockeyStick(log(1 + r * (exp(epsilon) - 1)), r * P + (1 - r) * Q, Q) <= r * HockeyStick(epsilon, P, Q)
    =/> HockeyStick(log(1 + r * (exp(epsilon) - 1)), r * P + (1 - r) * Q, Q) <= less * r * HockeyStick(epsilon, P, Q)
hockey-stick-triangle: P, Q, S
     => HockeyStick(a + b, P, S) <= HockeyStick(a, P, Q) + exp(a) * HockeyStick(b, Q, S)
    =/> HockeyStick(a + b, P, S) <= less * HockeyStick(a, P, Q) + exp(a) * HockeyStick(b, Q, S)
table-orders: P, Q
     => KLDivergence(P, Q) <= RenyiDivergence(2, P, Q)
    =/> KLDivergence(P, Q) <= less * RenyiDivergence(2, P, Q)
overlap-of-laws: P, Q
     => Sum(Min(P[i], Q[i]), (i, 1, n)) <= Sum(sqrt(P[i] * Q[i]), (i, 1, n))
    =/> Sum(Min(P[i], Q[i]), (i, 1, n)) <= less * Sum(sqrt(P[i] * Q[i]), (i, 1, n))
variation-overlap: P, Q
     => variation / 2 <= 1 - Sum(Min(P[i], Q[i]), (i, 1, n))
    =/> variation / 2 <= less * (1 - Sum(Min(P[i], Q[i]), (i, 1, n)))
renyi-of-variances: a**2 < 2 * b**2
     => renyi_of_variances >= of_variances
    =/> renyi_of_variances >= R(21, 10) * of_variances
laplace-scales:
     => a / b - 1 - log(a / b) <= (a - b) ** 2 / (a * b)
    =/> a / b - 1 - log(a / b) <= less * (a - b) ** 2 / (a * b)
# noise
laplace-tail: => laplace <= exp(-t) / 2 =/> laplace <= less * exp(-t) / 2
student-loss:
     => student <= (d + 1) * s / (2 * sqrt(d))
    =/> student <= less * (d + 1) * s / (2 * sqrt(d))
logistic-loss:
     => 2 * log(1 + exp(x + s)) - 2 * log(1 + exp(x)) - s <= s
    =/> 2 * log(1 + exp(x + s)) - 2 * log(1 + exp(x)) - s <= less * s
staircase-variance: => staircase <= 2 / a**2 =/> staircase <= R(19, 10) / a**2
truncated-laplace: delta < half => truncated <= delta =/> truncated <= less * delta
discrete-gaussian-variance:
     => 2 * squares <= sigma**2 * (1 + 2 * mass)
    =/> 2 * squares <= less * sigma**2 * (1 + 2 * mass)
geometric-mechanism-variance: p < 1
     => geometric <= 2 * p / (1 - p) ** 2
    =/> geometric <= less * 2 * p / (1 - p) ** 2
# normal tails and gamma functions
mills-boyd:
     => mills <= pi / (2 * u + sqrt((pi - 2) ** 2 * u**2 + 2 * pi))
    =/> mills <= pi / (2 * u + sqrt((pi - 2) ** 2 * u**2 + 7))
wendel: => gamma(a + half) <= sqrt(a) * gamma(a) =/> gamma(a + half) <= less * sqrt(a) * gamma(a)
gaussian-norm:
     => sqrt(2) * gamma((n + 1) / 2) <= sqrt(n) * gamma(n / 2)
    =/> sqrt(2) * gamma((n + 1) / 2) <= less * sqrt(n) * gamma(n / 2)
# sums and binomial coefficients
square-root-energy:
     => Sum((binomial(2 * j, j) / 4**j) ** 2, (j, 0, n)) <= R(4, 3) + log(n) / pi
    =/> Sum((binomial(2 * j, j) / 4**j) ** 2, (j, 0, n)) <= R(6, 5) + log(n) / pi
coupon-collector:
     => Sum(n / i, (i, 1, n)) <= n * (1 + log(n))
    =/> Sum(n / i, (i, 1, n)) <= n * (less + log(n))
steps-of-averages:
     => Sum(i / (i + 1), (i, 1, n)) <= n + 1 - log(n + 2)
    =/> Sum(i / (i + 1), (i, 1, n)) <= n + half - log(n + 2)
poisson-tail:
     => Sum(poisson, (j, n, oo)) <= a**n / factorial(n)
    =/> Sum(poisson, (j, n, oo)) <= less * a**n / factorial(n)
poisson-reciprocal:
     => Sum(poisson / (j + 1), (j, 0, oo)) <= 1 / a
    =/> Sum(poisson / (j + 1), (j, 0, oo)) <= less / a
binomial-second-moment: q < 1
     => Sum(j**2 * binomial_term, (j, 0, n)) <= n * q + n**2 * q**2
    =/> Sum(j**2 * binomial_term, (j, 0, n)) <= less * n * q + n**2 * q**2
binomial-tail-union: q < 1, m <= n
     => Sum(binomial_term, (j, m, n)) <= binomial(n, m) * q**m
    =/> Sum(binomial_term, (j, m, n)) <= less * binomial(n, m) * q**m
binomial-power-below: m <= n
     => binomial(n, m) >= (n / m) ** m
    =/> binomial(n, m) >= more * (n / m) ** m
binomial-e: m <= n => binomial(n, m) <= (E * n / m) ** m =/> binomial(n, m) <= (E * n / m) ** m / 3
sauer: m <= n
     => Sum(binomial(n, j), (j, 0, m)) <= (E * n / m) ** m
    =/> Sum(binomial(n, j), (j, 0, m)) <= R(2, 3) * (E * n / m) ** m
""",
)
