"""Forty lemmas of papers of 2015 to 2026, each with a false twin, written from the page on the claim language alone.

Nothing was mended because of them before they were first tried. What they may say was known from docs/claim-language.md alone. Places in
papers are from memory, and some lemmas are a step or a special case of what they name. Before the engine saw them, every lemma held at
random points of its domain in multiple precision, or in floats where it is about families, and every twin failed somewhere.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

epsilon, delta, sigma, alpha, mu = positive("epsilon delta sigma alpha mu")
a, b, c, d, t, x, y, z = real("a b c d t x y z")
L, m, v, w, lam = positive("L m v w lam")
q, r, s = real("q r s")
n = positive_integer("n")
i = index("i")
k = index("k", start=0)


def zhao_delta(u):
    return (u + u**2) / 4


def odds(u):
    return NormalCDF(u / 2) / NormalCDF(-u / 2)


def binary_kl(u, h):
    return u * log(u / h) + (1 - u) * log((1 - u) / (1 - h))


def respond(u):
    return Rational(1, 2) + t * (u - Rational(1, 2))


f, g = family("f g", "positive")
e = family("e", "positive")
u = family("u")
P, Q, W = laws("P Q W", (i, 1, n))
A, B, C = laws("A B C", (i, 1, n), "positive")
share = (1 + r * (exp(epsilon) - 1)) / exp(epsilon)

LEMMAS = lemmas_in(
    globals(),
    """
# everyday
filter-budget:
     => epsilon**2 / (2 * L + epsilon) / 2 + sqrt(2 * L * epsilon**2 / (2 * L + epsilon)) <= epsilon
    =/> epsilon**2 / (2 * L + Rational(9, 10) * epsilon) / 2 + sqrt(2 * L * epsilon**2 / (2 * L + Rational(9, 10) * epsilon)) <=
        epsilon
    "Whitehouse, Ramdas, Rogers, Wu 2023, 'Fully-Adaptive Composition in Differential Privacy', Theorem 1 (filter),
        calibrated: A filter whose budget is epsilon^2/(2 log(1/delta) + epsilon) spends at most epsilon, with L =
        log(1/delta)."
bennett-logarithm: x >= 0
     => (1 + x) * log(1 + x) - x >= x * log(1 + x) / 2
    =/> (1 + x) * log(1 + x) - x >= Rational(21, 40) * x * log(1 + x)
    "Balle, Bell, Gascon, Nissim 2019, 'The Privacy Blanket of the Shuffle Model', Lemma 5.4 (Bennett step): Bennett's
        function is at least half of u log(1 + u)."
clones-stronger:
     => (exp(epsilon) - 1) * (4 * sqrt(2 * L) / sqrt((exp(epsilon) + 1) * n) + 4 / n) <= (exp(epsilon) - 1) / (exp(epsilon) + 1)
        * (8 * sqrt(exp(epsilon) * L) / sqrt(n) + 8 * exp(epsilon) / n)
    =/> (exp(epsilon) - 1) * (4 * sqrt(2 * L) / sqrt((exp(epsilon) + 1) * n) + 4 / n) <= (exp(epsilon) - 1) / (exp(epsilon) + 1)
        * (8 * sqrt(exp(epsilon) * L) / sqrt(n) + 7 * exp(epsilon) / n)
    "Feldman, McMillan, Talwar 2023, 'Stronger Privacy Amplification by Shuffling for Renyi and Approximate DP', Theorem
        3.2 against Theorem 3.1 of 'Hiding Among the Clones' (2021): The later bound of amplification by shuffling is
        below the earlier one, with L = log(4/delta)."
adaptive-clipping-noise: w <= sigma
     => (1 / w**2 - 1 / (2 * sigma) ** 2) ** Rational(-1, 2) <= w * (1 + Rational(5, 8) * (w / (2 * sigma)) ** 2)
    =/> (1 / w**2 - 1 / (2 * sigma) ** 2) ** Rational(-1, 2) <= w * (1 + Rational(3, 5) * (w / (2 * sigma)) ** 2)
    "Andrew, Thakkar, McMahan, Ramaswamy 2021, 'Differentially Private Learning with Adaptive Clipping', Theorem 1: The
        noise multiplier of the gradients grows by at most 5/8 (z/(2 sigma))^2 if the count of clipped users has noise
        sigma >= z."
clt-uniform-above-poisson: s >= 0
     => 2 * (exp(s**2) * NormalCDF(3 * s / 2) + 3 * NormalCDF(-s / 2) - 2) >= exp(s**2) - 1
    =/> 2 * (exp(s**2) * NormalCDF(3 * s / 2) + 3 * NormalCDF(-s / 2) - 2) >= Rational(21, 20) * (exp(s**2) - 1)
    "Bu, Dong, Long, Su 2020, 'Deep Learning with Gaussian Differential Privacy', Theorem 5 against Corollary 5.4 of
        'Gaussian Differential Privacy' (Dong, Roth, Su 2022): The GDP limit of uniform subsampling is at least that of
        Poisson subsampling, at noise 1/s."
sparse-vector-allocation:
     => (v + w) ** 2 * (1 / v**2 + 4 * m**2 / w**2) >= (1 + (2 * m) ** Rational(2, 3)) ** 3
    =/> (v + w) ** 2 * (1 / v**2 + 4 * m**2 / w**2) >= Rational(101, 100) * (1 + (2 * m) ** Rational(2, 3)) ** 3
    "Lyu, Su, Li 2017, 'Understanding the Sparse Vector Technique for Differential Privacy', Section 4.2 (budget
        allocation): The variance of a comparison of the sparse vector technique is least at the ratio 1 : (2c)^(2/3)."
partition-crossover: delta <= 1, q >= 0, q <= (1 - delta) / (exp(epsilon) + 1)
     => exp(epsilon) * q + delta <= 1 - exp(-epsilon) * (1 - q - delta)
    ; delta <= 1, q >= 0, q <= (1 - delta) / (exp(epsilon) + Rational(9, 10)) =/> exp(epsilon) * q + delta <= 1 - exp(-epsilon)
        * (1 - q - delta)
    "Desfontaines, Voss, Gipson, Mandayam 2022, 'Differentially Private Partition Selection', Theorem 1 (crossover of
        the recursion): Below (1-delta)/(e^epsilon+1) the first constraint of optimal partition selection is the one
        that binds."
student-shift: s >= 0
     => (v + 1) / 2 * log((v + (x + s) ** 2) / (v + x**2)) <= (v + 1) * s / (2 * sqrt(v))
    =/> (v + 1) / 2 * log((v + (x + s) ** 2) / (v + x**2)) <= (v + 1) * s / (Rational(21, 10) * sqrt(v))
    "Bun, Steinke 2019, 'Average-Case Averages: Private Algorithms for Smooth Sensitivity and Mean Estimation', Theorem
        31 (Student's t, translations): A shift of Student's t with v degrees of freedom by s changes its log density by
        at most (v+1) s/(2 sqrt v)."
eigenvalue-gap: a > c
     => (a + c) / 2 + sqrt((a - c) ** 2 / 4 + b**2) <= a + b**2 / (a - c)
    =/> (a + c) / 2 + sqrt((a - c) ** 2 / 4 + b**2) <= a + Rational(19, 20) * b**2 / (a - c)
    "Gonem, Gilad-Bachrach 2018, 'Smooth Sensitivity Based Approach for Differentially Private Principal Component
        Analysis', eigenvalues of a perturbed 2 x 2 block: The top eigenvalue of a symmetric 2 x 2 matrix exceeds its
        larger entry by at most b^2 over the gap."
membership-advantage: x >= 0, x <= 1, y >= 0, y <= 1, y <= exp(epsilon) * x + delta, 1 - x <= exp(epsilon) * (1 - y) + delta
     => y - x <= (exp(epsilon) - 1 + 2 * delta) / (exp(epsilon) + 1)
    =/> y - x <= (exp(epsilon) - 1 + Rational(19, 10) * delta) / (exp(epsilon) + 1)
    "Humphries, Oya, Tulloch, Rafuse, Goldberg, Hengartner, Kerschbaum 2023, 'Investigating Membership Inference Attacks
        under Data Dependencies', Theorem 1: The advantage of a membership attack on an (epsilon, delta) mechanism is at
        most (e^epsilon - 1 + 2 delta)/(e^epsilon + 1)."
private-le-cam: a >= 0, b >= 0, t >= 0, Rational(9, 10) - a <= exp(t) * b
     => Max(a, b) >= Rational(9, 10) / (1 + exp(t))
    =/> Max(a, b) >= Rational(91, 100) / (1 + exp(t))
    "Acharya, Sun, Zhang 2021, 'Differentially Private Assouad, Fano, and Le Cam', Theorem 1 (its last step, with a
        coupling that is close with probability 9/10): One of the two errors of a private test is at least 9/10 over 1 +
        e^t, where t is epsilon times the distance of the coupling."
piecewise-mechanism-variance: x >= -1, x <= 1
     => x**2 / (exp(epsilon / 2) - 1) + (exp(epsilon / 2) + 3) / (3 * (exp(epsilon / 2) - 1) ** 2) <= 16 / (3 * epsilon**2)
    =/> x**2 / (exp(epsilon / 2) - 1) + (exp(epsilon / 2) + 3) / (3 * (exp(epsilon / 2) - 1) ** 2) <= 5 / epsilon**2
    "Wang, Xiao, Yang, Zhao, Hui, Shin, Shin, Yu 2019, 'Collecting and Analyzing Multidimensional Data with Local
        Differential Privacy', Lemma 1 and Corollary 1 (piecewise mechanism): The variance of the piecewise mechanism is
        at most 16/(3 epsilon^2) for each input, below the 8/epsilon^2 of Laplace noise."
tulap-variance:
     => 2 * exp(-epsilon) / (1 - exp(-epsilon)) ** 2 + Rational(1, 12) <= 2 / epsilon**2 - Rational(1, 12) + epsilon**2 / 120
    =/> 2 * exp(-epsilon) / (1 - exp(-epsilon)) ** 2 + Rational(1, 12) <= 2 / epsilon**2 - Rational(1, 12) + epsilon**2 / 125
    "Awan, Slavkovic 2018, 'Differentially Private Uniformly Most Powerful Tests for Binomial Data', variance of the
        Tulap distribution: The variance 2b/(1-b)^2 + 1/12 of Tulap noise with b = e^(-epsilon) is at most 2/epsilon^2 -
        1/12 + epsilon^2/120."
# hard
connect-the-dots: r >= 0, r <= 1
     => GaussianDelta(log(r * exp(a) + (1 - r) * exp(b)), sigma, 1) <= r * GaussianDelta(a, sigma, 1) + (1 - r) *
        GaussianDelta(b, sigma, 1)
    =/> GaussianDelta(r * a + (1 - r) * b, sigma, 1) <= r * GaussianDelta(a, sigma, 1) + (1 - r) * GaussianDelta(b, sigma, 1)
    "Doroshenko, Ghazi, Kamath, Kumar, Manurangsi 2022, 'Connect the Dots: Tighter Discrete Approximations of Privacy
        Loss Distributions', Section 4 (linear interpolation in e^epsilon): Between two orders the privacy profile of
        the Gaussian mechanism lies below its chord in e^epsilon."
gaussian-second-calibration: x >= 0
     => GaussianDelta(epsilon, (x + sqrt(x**2 + epsilon)) / (epsilon * sqrt(2)), 1) <= zhao_delta(exp(-(x**2)))
    =/> GaussianDelta(epsilon, (x + sqrt(x**2 + epsilon)) / (epsilon * sqrt(2)), 1) <= zhao_delta(exp(-(x**2))) * Rational(9,
        10)
    ": The noise (c + sqrt(c^2 + epsilon))/(epsilon sqrt 2) gives delta = (u + u^2)/4 with u = exp(-c^2), at every
        epsilon."
square-root-weight-decay: a > 0, a < 1
     => Sum((binomial(2 * k, k) / 4**k) ** 2 * a ** (2 * k), (k, 0, oo)) <= 1 + log(1 / (1 - a**2)) / pi
    =/> Sum((binomial(2 * k, k) / 4**k) ** 2 * a ** (2 * k), (k, 0, oo)) <= 1 + Rational(3, 10) * log(1 / (1 - a**2))
    "Kalinin, Lampert 2024, 'Banded Square Root Matrix Factorization for Differentially Private Model Training', Theorem
        2 (weight decay), row norms as n grows: The squared norm of the square root factor with weight decay a is at
        most 1 + log(1/(1-a^2))/pi."
shifted-interpolation: c > 0, c < 1
     => (1 - c**n) / (1 + c**n) * (1 + c) / (1 - c) <= n
    =/> (1 - c**n) / (1 + c**n) * (1 + c) / (1 - c) <= Rational(99, 100) * n
    "Bok, Su, Altschuler 2024, 'Shifted Interpolation for Differential Privacy', Theorem 4.3 (strongly convex losses)
        against composition: The squared GDP parameter of n contracting steps is at most that of a composition of n
        steps."
discrete-gaussian-small-variance: v <= Rational(1, 3)
     => 2 * Sum(i**2 * exp(-(i**2) / (2 * v)), (i, 1, oo)) <= 3 * exp(-1 / (2 * v)) * (1 + 2 * Sum(exp(-(i**2) / (2 * v)), (i,
        1, oo)))
    =/> 2 * Sum(i**2 * exp(-(i**2) / (2 * v)), (i, 1, oo)) <= Rational(19, 10) * exp(-1 / (2 * v)) * (1 + 2 * Sum(exp(-(i**2) /
        (2 * v)), (i, 1, oo)))
    "Canonne, Kamath, Steinke 2020, 'The Discrete Gaussian for Differential Privacy', Corollary 9 (small variance): A
        discrete Gaussian with parameter sigma^2 = v <= 1/3 has a variance of at most 3 exp(-1/(2v))."
permute-and-flip: q > 0, q <= 1
     => (1 - (1 - q) ** n) / (n * q) >= 1 / (1 + (n - 1) * q)
    =/> (1 - (1 - q) ** n) / (n * q) >= 1 / (1 + Rational(9, 10) * (n - 1) * q)
    "McKenna, Sheldon 2020, 'Permute-and-Flip: A New Mechanism for Differentially Private Selection', Propositions 4 and
        5: At n - 1 equal runners-up with acceptance probability q, permute-and-flip errs at most as often as the
        exponential mechanism."
random-stopping: r > 0, r < 1, q > 0, q <= 1
     => Sum(r * (1 - r) ** (i - 1) * (1 - (1 - q) ** i), (i, 1, oo)) >= q / (q + r)
    =/> Sum(r * (1 - r) ** (i - 1) * (1 - (1 - q) ** i), (i, 1, oo)) >= q / (q + Rational(9, 10) * r)
    "Liu, Talwar 2019, 'Private Selection from Private Candidates', Theorem 3.1 (random stopping): Repetitions that stop
        at rate r find an outcome of probability q with probability at least q/(q + r)."
reconstruction-gaussian: alpha > 1
     => NormalCDF(z + mu) <= (NormalCDF(z) * exp(alpha * mu**2 / 2)) ** ((alpha - 1) / alpha)
    =/> NormalCDF(z + mu) <= (NormalCDF(z) * exp(Rational(9, 20) * alpha * mu**2)) ** ((alpha - 1) / alpha)
    "Balle, Cherubin, Hayes 2022, 'Reconstructing Training Data with Informed Adversaries', Theorem 2 (Renyi to
        reconstruction robustness), at the Gaussian mechanism: The reconstruction probability of the Gaussian mechanism
        is below its Renyi bound at every order."
pure-to-gdp:
     => NormalCDF(t - mu) <= Max(1 - odds(mu) * NormalCDF(-t), NormalCDF(t) / odds(mu))
    =/> NormalCDF(t - Rational(9, 10) * mu) <= Max(1 - odds(mu) * NormalCDF(-t), NormalCDF(t) / odds(mu))
    ": The trade-off function of pure privacy lies above the Gaussian one that meets it at its kink."
sampled-gaussian-minkowski: alpha > 1, q >= 0, q <= 1
     => SampledGaussianMoment(alpha, sigma, q, "remove") <= (1 - q + q * exp((alpha - 1) / (2 * sigma**2))) ** alpha
    =/> SampledGaussianMoment(alpha, sigma, q, "remove") <= (1 - q + q * exp(Rational(49, 100) * (alpha - 1) / sigma**2)) **
        alpha
    "Mironov, Talwar, Zhang 2019, 'Renyi Differential Privacy of the Sampled Gaussian Mechanism', Theorem 4 and the
        triangle inequality of L^alpha: The moment of the sampled Gaussian is at most the power of a mixture of norms,
        at every real order."
poisson-subsampled-pure: n >= 2, q >= 0, q <= 1
     => (1 - q) ** (n - 1) * (1 + (n - 1) * q) + Sum(binomial(n, k) * (1 - q) ** (n - k) * q**k * exp((k - 1) * epsilon), (k, 2,
        n)) <= (1 + q * (exp(epsilon) - 1)) ** (n - 1)
    =/> (1 - q) ** (n - 1) * (1 + (n - 1) * q) + Sum(binomial(n, k) * (1 - q) ** (n - k) * q**k * exp((k - 1) * epsilon), (k, 2,
        n)) <= (1 + Rational(19, 20) * q * (exp(epsilon) - 1)) ** (n - 1)
    "Zhu, Wang 2019, 'Poisson Subsampled Renyi Differential Privacy', Theorem 6, at a pure base mechanism: The
        subsampled Renyi bound of a pure mechanism, with e^((k-1) epsilon) for its moments, is below amplified pure
        privacy."
bounded-range-moment: alpha > 1, t >= 0, t <= epsilon
     => ((exp(-t) - exp(-epsilon)) * exp(alpha * t) + (1 - exp(-t)) * exp(alpha * (t - epsilon))) / (1 - exp(-epsilon)) <=
        exp(alpha * (alpha - 1) * epsilon**2 / 8)
    =/> ((exp(-t) - exp(-epsilon)) * exp(alpha * t) + (1 - exp(-t)) * exp(alpha * (t - epsilon))) / (1 - exp(-epsilon)) <=
        exp(alpha * (alpha - 1) * epsilon**2 / 9)
    "Dong, Durfee, Rogers 2020, 'Optimal Differential Privacy Composition for Exponential Mechanisms', Lemma 3.4
        (generalized randomized response), with the zCDP of Cesar, Rogers 2021: The moment of an epsilon-bounded-range
        mechanism with losses t and t - epsilon is at most that of epsilon^2/8-zCDP."
stitching-zeta: s > 1
     => Sum(i ** (-s), (i, 1, oo)) <= 1 / (s - 1) + Rational(1, 2) + s / 12
    =/> Sum(i ** (-s), (i, 1, oo)) <= 1 / (s - 1) + Rational(1, 2) + s / 13
    "Howard, Ramdas, McAuliffe, Sekhon 2021, 'Time-uniform, Nonparametric, Nonasymptotic Confidence Sequences', Theorem
        1 (the crossing function of polynomial stitching): The normalization of polynomial stitching is at most 1/(s-1)
        + 1/2 + s/12."
loss-integral-chernoff:
     => Integral((1 - exp(x - y)) * exp(-((y - m) ** 2) / (4 * m)) / sqrt(4 * pi * m), (y, x, oo)) <= lam**lam / (1 + lam) ** (1
        + lam) * exp(-lam * x + lam * (lam + 1) * m)
    =/> Integral((1 - exp(x - y)) * exp(-((y - m) ** 2) / (4 * m)) / sqrt(4 * pi * m), (y, x, oo)) <= Rational(9, 10) * lam**lam
        / (1 + lam) ** (1 + lam) * exp(-lam * x + lam * (lam + 1) * m)
    "Canonne, Kamath, Steinke 2020, 'The Discrete Gaussian for Differential Privacy', Proposition 12, at Gaussian
        privacy loss with mean m (as in Koskela, Jalko, Honkela 2020, Lemma 7): The integral for delta of a privacy loss
        N(m, 2m) is at most its sharpened Chernoff bound at every order."
iteration-convolution:
     => Sum(1 / (i * (n + 1 - i)), (i, 1, n)) <= 2 * (1 + log(n)) / (n + 1)
    =/> Sum(1 / (i * (n + 1 - i)), (i, 1, n)) <= 2 * (Rational(19, 20) + log(n)) / (n + 1)
    "Feldman, Mironov, Talwar, Thakurta 2018, 'Privacy Amplification by Iteration', Theorem 35 (sums over the distance
        to the last step): The convolution of 1/k with itself is at most 2 (1 + log n)/(n + 1)."
poisson-shift:
     => Sum(Abs(k - lam) * lam**k / factorial(k), (k, 0, oo)) * exp(-lam) <= sqrt(lam)
    =/> Sum(Abs(k - lam) * lam**k / factorial(k), (k, 0, oo)) * exp(-lam) <= Rational(17, 20) * sqrt(lam)
    "Ghazi, Kumar, Manurangsi, Pagh 2020, 'Private Counting from Anonymous Messages', shifted Poisson noise (Section 4):
        The mean deviation of Poisson noise of mean lam is at most the root of lam, so a shift by one moves it by
        1/sqrt(lam)."
fingerprinting-cubic:
     => Integral(((1 - x**2) * (b + 2 * c * x + 3 * d * x**2) + (a + b * x + c * x**2 + d * x**3 - x) ** 2) / 2, (x, -1, 1)) >=
        Rational(1, 3)
    =/> Integral(((1 - x**2) * (b + 2 * c * x + 3 * d * x**2) + (a + b * x + c * x**2 + d * x**3 - x) ** 2) / 2, (x, -1, 1)) >=
        Rational(1, 3) + b**2 / 18
    "Bun, Steinke, Ullman 2017, 'Make Up Your Mind: The Price of Online Queries in Differential Privacy', Lemma 3.6
        (fingerprinting), for estimators whose mean is a cubic: The correlation with the data and the error of an
        estimator of a uniform mean add to at least 1/3."
kl-contraction: r > 0, r < 1, s > 0, s < 1, t >= 0, t <= 1
     => binary_kl(respond(r), respond(s)) <= t**2 * binary_kl(r, s)
    =/> binary_kl(respond(r), respond(s)) <= Rational(19, 20) * t**2 * binary_kl(r, s)
    ": Randomized response contracts the Kullback-Leibler divergence of coins by tanh(epsilon/2)^2."
# about families
jeffreys-hellinger: for_each((i, 1, n), f[i] <= exp(epsilon) * g[i]), for_each((i, 1, n), g[i] <= exp(epsilon) * f[i])
     => Sum((f[i] - g[i]) * log(f[i] / g[i]), (i, 1, n)) <= (4 + epsilon**2 / 12) * Sum((sqrt(f[i]) - sqrt(g[i])) ** 2, (i, 1,
        n))
    =/> Sum((f[i] - g[i]) * log(f[i] / g[i]), (i, 1, n)) <= (4 + epsilon**2 / 13) * Sum((sqrt(f[i]) - sqrt(g[i])) ** 2, (i, 1,
        n))
    "Canonne, Kamath, McMillan, Smith, Ullman 2019, 'The Structure of Optimal Private Tests for Simple Hypotheses',
        Lemma 2.8 (log-likelihood ratio against Hellinger distance): Under pure privacy the Jeffreys divergence is at
        most 4 + epsilon^2/12 times the squared Hellinger distance."
exponential-mechanism-entropy: Sum(exp(-u[i]), (i, 1, n)) >= 1
     => Sum(u[i] * exp(-u[i]), (i, 1, n)) <= log(n) * Sum(exp(-u[i]), (i, 1, n))
    ; Sum(exp(-u[i]), (i, 1, n)) >= Rational(9, 10) =/> Sum(u[i] * exp(-u[i]), (i, 1, n)) <= log(n) * Sum(exp(-u[i]), (i, 1, n))
    "Bassily, Nissim, Smith, Steinke, Stemmer, Ullman 2016, 'Algorithmic Stability for Adaptive Data Analysis', Lemma
        7.1 (utility of the exponential mechanism): The mean score gap of the exponential mechanism, in units of its
        temperature, is at most log n if the weights add to at least 1."
contracting-shifts: c > 0, c < 1
     => Sum(c**i * u[i], (i, 1, n)) ** 2 <= c**2 / (1 - c**2) * Sum(u[i] ** 2, (i, 1, n))
    =/> Sum(c**i * u[i], (i, 1, n)) ** 2 <= Rational(9, 10) * c**2 / (1 - c**2) * Sum(u[i] ** 2, (i, 1, n))
    "Altschuler, Talwar 2022, 'Privacy of Noisy Stochastic Gradient Descent: More Iterations without More Privacy Loss',
        Section 3 (optimal shifts of contracting steps): Shifts that are contracted by c at every step move the end by
        at most c^2/(1-c^2) times their squares."
local-jeffreys: sums_to_one(f, (i, 1, n)), sums_to_one(g, (i, 1, n)), for_each((i, 1, n), f[i] <= exp(epsilon) * g[i]),
        for_each((i, 1, n), g[i] <= exp(epsilon) * f[i]), r >= 0, r <= 1, s >= 0, s <= 1
     => Sum((r - s) * (f[i] - g[i]) * log((r * f[i] + (1 - r) * g[i]) / (s * f[i] + (1 - s) * g[i])), (i, 1, n)) <=
        (exp(epsilon) - 1) ** 2 * (r - s) ** 2
    =/> Sum((r - s) * (f[i] - g[i]) * log((r * f[i] + (1 - r) * g[i]) / (s * f[i] + (1 - s) * g[i])), (i, 1, n)) <= Rational(9,
        10) * (exp(epsilon) - 1) ** 2 * (r - s) ** 2
    "Duchi, Jordan, Wainwright 2018, 'Minimax Optimal Procedures for Locally Private Estimation', Theorem 1, for two
        inputs: The Jeffreys divergence of the outputs of a locally private channel at coins r and s is at most
        (e^epsilon - 1)^2 (r - s)^2."
weak-triangle: A, B, C, alpha > 1
     => RenyiDivergence(alpha, A, C) <= (alpha - Rational(1, 2)) / (alpha - 1) * RenyiDivergence(2 * alpha, A, B) +
        RenyiDivergence(2 * alpha - 1, B, C)
    =/> RenyiDivergence(alpha, A, C) <= RenyiDivergence(2 * alpha, A, B) + RenyiDivergence(2 * alpha - 1, B, C)
    "Mironov 2017, 'Renyi Differential Privacy', Proposition 11 (weak triangle inequality), with both orders equal to 2:
        Renyi divergences satisfy a triangle inequality at twice the order."
odometer-linear-term: for_each((i, 1, n), e[i] <= w)
     => Sum(e[i] * (exp(e[i]) - 1) / 2, (i, 1, n)) <= (exp(w) - 1) / (2 * w) * Sum(e[i] ** 2, (i, 1, n))
    =/> Sum(e[i] * (exp(e[i]) - 1) / 2, (i, 1, n)) <= exp(w / 2) / 2 * Sum(e[i] ** 2, (i, 1, n))
    "Rogers, Roth, Ullman, Vadhan 2016, 'Privacy Odometers and Filters: Pay-as-you-Go Composition', Theorem 5.1 (its
        linear term): If no query costs more than w, the linear term of the filter is at most (e^w - 1)/(2w) times the
        squares."
advanced-joint-convexity: P, Q, W, r >= 0, r <= 1
     => HockeyStick(log(1 + r * (exp(epsilon) - 1)), r * P + (1 - r) * W, r * Q + (1 - r) * W) <= r * ((1 - share) *
        HockeyStick(epsilon, P, W) + share * HockeyStick(epsilon, P, Q))
    =/> HockeyStick(log(1 + r * (exp(epsilon) - 1)), r * P + (1 - r) * W, r * Q + (1 - r) * W) <= r * (share *
        HockeyStick(epsilon, P, W) + (1 - share) * HockeyStick(epsilon, P, Q))
    ": Mixtures with a common part W have the hockey-stick divergence of advanced joint convexity."
group-profile: P, Q, W, a >= 0, b >= 0
     => HockeyStick(a + b, P, W) <= HockeyStick(a, P, Q) + exp(a) * HockeyStick(b, Q, W)
    =/> HockeyStick(a + b, P, W) <= HockeyStick(a, P, Q) + exp(a / 2) * HockeyStick(b, Q, W)
    "Balle, Barthe, Gaboardi 2020, 'Privacy Profiles and Amplification by Subsampling', group privacy profiles (triangle
        inequality of hockey-stick divergences): Hockey-stick divergences satisfy a weighted triangle inequality."
pure-second-moment: sums_to_one(f, (i, 1, n)), sums_to_one(g, (i, 1, n)), for_each((i, 1, n), f[i] <= exp(epsilon) * g[i]),
        for_each((i, 1, n), g[i] <= exp(epsilon) * f[i])
     => Sum(f[i] ** 2 / g[i], (i, 1, n)) <= 2 * cosh(epsilon) - 1
    =/> Sum(f[i] ** 2 / g[i], (i, 1, n)) <= 1 + epsilon**2
    "Bun, Steinke 2016, 'Concentrated Differential Privacy: Simplifications, Extensions, and Lower Bounds', Proposition
        3.3 at order 2: The second moment of a pure epsilon-private pair is at most 2 cosh(epsilon) - 1."
""",
)
