"""Forty lemmas of papers and lecture notes, each with a false twin, written from the pages on claims alone.

Nothing was mended because of them before they were first tried. Places in papers are from memory. Before they were tried, every lemma held
at random points of its domain in multiple precision, with random laws for families, and every twin failed somewhere.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

epsilon, q, sigma, alpha, L, c, g, beta_, gap, share, rate, N, total, y, z, eta, r = positive(
    "epsilon q sigma alpha L c g beta_ gap share rate N total y z eta r"
)
u, v, s, a, b, mu, h, p = nonnegative("u v s a b mu h p")
x, w = real("x w")
n, k, m, steps, d = positive_integer("n k m steps d")
j = integer("j")
i, t = index("i t")
level = index("l", start=0)
P, Q = laws("P Q", (i, 1, n), "positive")
score = family("score", "nonnegative")


def per_step(total, steps, log_ratio):
    return total / (2 * sqrt(2 * steps * log_ratio))


LEMMAS = lemmas_in(
    globals(),
    """
# everyday
amplification-to-second-order: q <= 1, epsilon <= 1
     => log(1 + q * (exp(epsilon) - 1)) <= q * epsilon + Rational(18, 25) * q * (1 - q) * epsilon**2
    =/> log(1 + q * (exp(epsilon) - 1)) <= q * epsilon + Rational(7, 10) * q * (1 - q) * epsilon**2
    "For epsilon at most 1, Poisson sampling at rate q leaves q epsilon plus 0.72 q (1 - q) epsilon^2; such a step turns amplified
        pure privacy into a budget per round in papers on iterated subsampling."
zcdp-budget-from-epsilon:
     => epsilon**2 / (4 * L + 2 * epsilon) + 2 * sqrt(L * epsilon**2 / (4 * L + 2 * epsilon)) <= epsilon
    =/> epsilon**2 / (4 * L + Rational(19, 10) * epsilon) + 2 * sqrt(L * epsilon**2 / (4 * L + Rational(19, 10) * epsilon)) <=
        epsilon
    "With L = log(1/delta), the budget rho = epsilon^2/(4L + 2 epsilon) of zCDP implies (epsilon, delta)-privacy by rho + 2 sqrt(rho
        L); calibrations of census and histogram releases use it."
automatic-clipping-is-a-metric:
     => Abs(c * u / (u + g) - c * v / (v + g)) <= c * Abs(u - v) / (Abs(u - v) + g)
    =/> Abs(c * u / (u + g) - c * v / (v + g)) <= c * Abs(u - v) / (Abs(u - v) + Rational(11, 10) * g)
    "Automatic clipping c u/(u + g) of gradient norms contracts: the clipped norms differ by at most c |u - v|/(|u - v| + g); a step
        of sensitivity proofs for normalised DP-SGD."
tail-of-two-laplace-variables:
     => (1 + s / 2) * exp(-s) <= exp(-s * (4 + 3 * s) / (8 + 4 * s))
    =/> (1 + s / 2) * exp(-s) <= exp(-s * (4 + Rational(16, 5) * s) / (8 + 4 * s))
    "The sum of two Laplace variables of scale 1 exceeds s in absolute value with probability (1 + s/2) e^(-s), at most exp(-s(4 +
        3s)/(8 + 4s)); used for the noisy gap of report-noisy-max and of PATE votes."
variance-of-geometric-noise:
     => exp(-epsilon) / (1 - exp(-epsilon))**2 <= 1 / epsilon**2 - Rational(1, 12) + epsilon**2 / 240
    =/> exp(-epsilon) / (1 - exp(-epsilon))**2 <= 1 / epsilon**2 - Rational(1, 11) + epsilon**2 / 240
    "Half the variance of the two-sided geometric mechanism, a/(1 - a)^2 at a = e^(-epsilon), is at most 1/epsilon^2 - 1/12 +
        epsilon^2/240; it compares integer noise with Laplace noise."
order-two-of-randomized-response: epsilon <= 1
     => log(exp(epsilon) + exp(-epsilon) - 1) <= epsilon**2 - epsilon**4 / 4
    =/> log(exp(epsilon) + exp(-epsilon) - 1) <= epsilon**2 - epsilon**4 / 3
    "The Renyi divergence of order 2 of randomized response, log(2 cosh(epsilon) - 1), stays epsilon^4/4 below epsilon^2 for epsilon
        at most 1; a remark on how loose the conversion of pure privacy to zCDP is."
exponential-mechanism-with-a-gap: k >= 3, beta_ <= 1, gap >= 2 * log((k - 1) / beta_) / epsilon
     => (k - 1) / (k - 1 + exp(epsilon * gap / 2)) <= beta_
     ; k >= 3, beta_ <= 1, gap >= 2 * log((k - 2) / beta_) / epsilon
    =/> (k - 1) / (k - 1 + exp(epsilon * gap / 2)) <= beta_
    "If the best of k candidates leads by (2/epsilon) log((k - 1)/beta), the exponential mechanism misses it with probability at
        most beta; the utility step of private model selection."
group-privacy-factor-from-below: w >= 1
     => exp(w * epsilon) - 1 >= w * exp((w - 1) * epsilon / 2) * (exp(epsilon) - 1)
    =/> exp(w * epsilon) - 1 >= w * exp(Rational(11, 20) * (w - 1) * epsilon) * (exp(epsilon) - 1)
    "The factor (e^(w epsilon) - 1)/(e^epsilon - 1) of delta in group privacy for w records is at least w e^((w - 1) epsilon/2);
        lower bounds by packing use it."
sparse-vector-budget-split: share < 1
     => 1 / share**2 + c**2 / (1 - share)**2 >= (1 + c**Rational(2, 3))**3
    =/> 1 / share**2 + c**2 / (1 - share)**2 >= (1 + c**Rational(2, 3))**3 * Rational(51, 50)
    "However the budget is split between threshold and queries of the sparse vector technique, the total variance 1/share^2 + c^2/(1
        - share)^2 is at least (1 + c^(2/3))^3; it justifies the ratio 1 : c^(2/3)."
divergence-of-shifted-laplace-noise:
     => s - 1 + exp(-s) <= s**2 / (2 + Rational(2, 3) * s)
    =/> s - 1 + exp(-s) <= s**2 / (2 + Rational(3, 4) * s)
    "The Kullback-Leibler divergence s - 1 + e^(-s) of Laplace noise shifted by s scales is at most s^2/(2 + 2s/3); it is the mean
        of the privacy loss in advanced composition of Laplace mechanisms."
levels-of-the-binary-tree: n >= 7
     => log(n) / log(2) + 1 <= 2 * log(n)
     ; n >= 6
    =/> log(n) / log(2) + 1 <= 2 * log(n)
    "A binary tree over n >= 7 steps has at most log_2(n) + 1 levels, and that is at most 2 log n; the number of noise terms in
        continual counting."
random-stopping-costs-one-more-epsilon: q <= 1, a <= 1, b <= 1, a <= exp(epsilon) * b
     => 1 / (q + (1 - q) * b) <= exp(epsilon) / (q + (1 - q) * a)
     ; q <= 1, a <= 1, b <= 1, a <= Rational(11, 10) * exp(epsilon) * b
    =/> 1 / (q + (1 - q) * b) <= exp(epsilon) / (q + (1 - q) * a)
    "A run that halts with probability a or b on neighbours, a <= e^epsilon b, and else stops at rate q, has normalising constants
        within e^epsilon; a step in the analysis of private selection with random stopping."
tail-of-geometric-noise:
     => 2 * exp(-epsilon * k) / (1 + exp(-epsilon)) <= exp(-epsilon * (k - Rational(1, 2)))
    =/> 2 * exp(-epsilon * k) / (1 + exp(-epsilon)) <= exp(-epsilon * (k - Rational(2, 5)))
    "Two-sided geometric noise is at least k in absolute value with probability 2 e^(-epsilon k)/(1 + e^(-epsilon)), at most
        e^(-epsilon (k - 1/2)); used for thresholds of private histograms of counts."
# hard
sampford-bound-on-the-mills-ratio: x > -1
     => NormalCDF(-x) <= 4 * normal_density(x) / (3 * x + sqrt(x**2 + 8))
    =/> NormalCDF(-x) <= 4 * normal_density(x) / (3 * x + sqrt(x**2 + 9))
    "For x > -1 the Gaussian tail is at most 4 phi(x)/(3x + sqrt(x^2 + 8)), Sampford's bound; sharp calibrations of Gaussian noise
        use it."
gaussian-delta-with-a-half: epsilon >= 1 / (2 * sigma**2)
     => GaussianDelta(epsilon, sigma, 1) <= exp(-(epsilon - 1 / (2 * sigma**2))**2 * sigma**2 / 2) / 2
    =/> GaussianDelta(epsilon, sigma, 1) <= Rational(49, 100) * exp(-(epsilon - 1 / (2 * sigma**2))**2 * sigma**2 / 2)
    "Above the mean of the privacy loss, delta of the Gaussian mechanism is at most half of exp(-(epsilon - 1/(2 sigma^2))^2
        sigma^2/2); the textbook calibration with a factor 1/2."
third-moment-of-sampled-noise: sigma >= 1, q <= Rational(1, 10)
     => SampledGaussianMoment(3, sigma, q, "remove") <= 1 + Rational(33, 5) * q**2 / sigma**2
    =/> SampledGaussianMoment(3, sigma, q, "remove") <= 1 + Rational(13, 2) * q**2 / sigma**2
    "For sigma >= 1 and rates up to 1/10 the moment of order 3 of the sampled Gaussian mechanism is at most 1 + 6.6 q^2/sigma^2; a
        step of the moments accountant in order 3."
sampled-gaussian-up-to-order-six: sigma >= 2, q <= Rational(1, 20), m >= 2, m <= 6
     => SampledGaussianRenyi(m, sigma, q, "remove") <= Rational(61, 100) * m * q**2 / sigma**2
    =/> SampledGaussianRenyi(m, sigma, q, "remove") <= Rational(3, 5) * m * q**2 / sigma**2
    "For sigma >= 2, rates up to 1/20 and integer orders m from 2 to 6, the Renyi divergence of the sampled Gaussian mechanism is at
        most 0.61 m q^2/sigma^2; papers on DP-SGD state such bounds with a constant of 2."
order-two-of-laplace-densities: s <= 1
     => RenyiDivergence(2, laplace_density(x, 0, 1), laplace_density(x, s, 1), (x, -oo, oo)) <= s**2 - s**3 / 3
    =/> RenyiDivergence(2, laplace_density(x, 0, 1), laplace_density(x, s, 1), (x, -oo, oo)) <= s**2 - Rational(2, 5) * s**3
    "For shifts up to one scale the Renyi divergence of order 2 of Laplace noise is at most s^2 - s^3/3; it improves the zCDP bound
        of the Laplace mechanism at small sensitivity."
normaliser-of-discrete-gaussian: sigma >= Rational(1, 2), sigma <= 2
     => Sum(exp(-j**2 / (2 * sigma**2)), (j, -oo, oo)) <= sqrt(2 * pi) * sigma * (1 + Rational(201, 100) * exp(-2 * pi**2 *
        sigma**2))
    =/> Sum(exp(-j**2 / (2 * sigma**2)), (j, -oo, oo)) <= sqrt(2 * pi) * sigma * (1 + Rational(199, 100) * exp(-2 * pi**2 *
        sigma**2))
    "For sigma between 1/2 and 2 the sum of exp(-j^2/(2 sigma^2)) over the integers is at most sqrt(2 pi) sigma (1 + 2.01 exp(-2
        pi^2 sigma^2)); Poisson summation gives it in papers on the discrete Gaussian."
poisson-tail-by-its-first-mass: rate < n + 1
     => exp(-rate) * Sum(rate**level / factorial(level), (level, n, oo)) <= exp(-rate) * rate**n / factorial(n) * (n + 1) / (n + 1 - rate)
    =/> exp(-rate) * Sum(rate**level / factorial(level), (level, n, oo)) <= exp(-rate) * rate**n / factorial(n) * (n + 2) / (n + 2 - rate)
    "The tail of a Poisson law from n > rate - 1 on is at most its first mass times (n + 1)/(n + 1 - rate); used for Poissonised
        batch sizes and histograms."
shuffling-bound-made-linear: epsilon <= 1, L >= 1, N >= 16 * exp(epsilon) * L
     => log(1 + (exp(epsilon) - 1) / (exp(epsilon) + 1) * (8 * sqrt(exp(epsilon) * L / N) + 8 * exp(epsilon) / N)) <= Rational(61,
        10) * epsilon * sqrt(L / N)
    =/> log(1 + (exp(epsilon) - 1) / (exp(epsilon) + 1) * (8 * sqrt(exp(epsilon) * L / N) + 8 * exp(epsilon) / N)) <= 6 * epsilon *
        sqrt(L / N)
    "For epsilon at most 1, L = log(4/delta) >= 1 and N >= 16 e^epsilon L users, the shuffled epsilon of the cloning analysis is at
        most 6.1 epsilon sqrt(L/N); the form in which abstracts quote it."
advanced-composition-budget-per-step: total <= 1, L >= Rational(7, 20)
     => steps * per_step(total, steps, L) * (exp(per_step(total, steps, L)) - 1) <= total / 2
     ; total <= 1, L >= Rational(1, 3)
    =/> steps * per_step(total, steps, L) * (exp(per_step(total, steps, L)) - 1) <= total / 2
    "With total <= 1 and L = log(1/delta) >= 7/20, the budget total/(2 sqrt(2 k L)) per step keeps the term k eps (e^eps - 1) of
        advanced composition below total/2; the corollary that fixes the budget of each of k steps."
conversion-factor-of-renyi-privacy: alpha > 1
     => (1 - 1 / alpha)**alpha / (alpha - 1) <= 1 / (1 + E * (alpha - 1))
    =/> (1 - 1 / alpha)**alpha / (alpha - 1) <= 1 / (Rational(11, 10) + E * (alpha - 1))
    "The factor (1 - 1/alpha)^alpha/(alpha - 1) in the conversion of Renyi privacy to delta is at most 1/(1 + e (alpha - 1)); sharp
        at both ends of the orders, used when an accountant optimises over alpha."
jensen-shannon-of-two-coins: y < 1, z < 1
     => KLDivergence(bernoulli(y), bernoulli((y + z) / 2)) / 2 + KLDivergence(bernoulli(z), bernoulli((y + z) / 2)) / 2 <= log(2) *
        Abs(y - z)
    =/> KLDivergence(bernoulli(y), bernoulli((y + z) / 2)) / 2 + KLDivergence(bernoulli(z), bernoulli((y + z) / 2)) / 2 <=
        Rational(2, 3) * Abs(y - z)
    "The Jensen-Shannon divergence of two coins is at most log 2 times their distance in total variation; lower bounds by two points
        in local privacy use it."
power-under-gaussian-privacy: y < 1, mu**2 <= 2 * log(1 / y)
     => NormalCDF(NormalQuantile(y) + mu) <= y * exp(mu * sqrt(2 * log(1 / y)) - mu**2 / 2)
    =/> NormalCDF(NormalQuantile(y) + mu) <= y * exp(mu * sqrt(2 * log(1 / y)) - Rational(3, 5) * mu**2)
    "Under mu-Gaussian privacy an attack with false positive rate y has power at most y exp(mu sqrt(2 log(1/y)) - mu^2/2), as long
        as mu^2 <= 2 log(1/y); it is probability preservation of zCDP at its best order."
bias-of-clipping-gaussian-data:
     => Integral((x - h) * normal_density(x), (x, h, oo)) <= normal_density(h) / (1 + h**2)
    =/> Integral((x - h) * normal_density(x), (x, h, oo)) <= normal_density(h) / (1 + Rational(5, 4) * h**2)
    "Clipping a standard Gaussian at h >= 0 from above lowers its mean by at most phi(h)/(1 + h^2); the bias in private mean
        estimation with clipping."
delta-of-a-sampled-release: sigma >= 1, q <= Rational(11, 25)
     => SampledGaussianDelta(1, sigma, q, 1, "remove") <= Rational(11, 100) * q**2
    =/> SampledGaussianDelta(1, sigma, q, 1, "remove") <= Rational(109, 1000) * q**2
    "At epsilon = 1 and sigma >= 1, delta of one sampled Gaussian release is at most 0.11 q^2 for all rates up to 11/25, in the
        direction of a removal; sampling shrinks delta faster than its rate."
divergence-of-bounded-range:
     => eta / (exp(eta) - 1) - 1 - log(eta / (exp(eta) - 1)) <= eta**2 / 8
    =/> eta / (exp(eta) - 1) - 1 - log(eta / (exp(eta) - 1)) <= Rational(3, 25) * eta**2
    "A mechanism of bounded range eta has a Kullback-Leibler divergence of at most eta/(e^eta - 1) - 1 - log(eta/(e^eta - 1)), and
        that is at most eta^2/8; the composition of exponential mechanisms rests on it."
norm-of-gaussian-noise-from-below:
     => 2 * (gamma((d + 1) / 2) / gamma(d / 2))**2 >= d - Rational(1, 2) + 1 / (8 * (d + 1))
    =/> 2 * (gamma((d + 1) / 2) / gamma(d / 2))**2 >= d - Rational(1, 2) + 1 / (7 * (d + 1))
    "The squared mean norm of standard Gaussian noise in d dimensions is at least d - 1/2 + 1/(8(d + 1)); lower bounds on the error
        of vector-valued Gaussian mechanisms use it."
mean-of-the-largest-laplace-noise:
     => Integral(1 - (1 - exp(-x) / 2)**n, (x, 0, oo)) <= log(n) + Rational(1, 2)
    =/> Integral(1 - (1 - exp(-x) / 2)**n, (x, 0, oo)) <= log(n) + Rational(49, 100)
    "The positive part of the largest of n Laplace variables of scale 1 has a mean of at most log n + 1/2; the expected error of
        report-noisy-max."
renyi-of-two-variances: alpha > 1, (alpha - 1) * r < 1
     => -log(1 + r) / 2 - log(1 - (alpha - 1) * r) / (2 * (alpha - 1)) <= alpha * r**2 / (4 * (1 - (alpha - 1) * r))
    =/> -log(1 + r) / 2 - log(1 - (alpha - 1) * r) / (2 * (alpha - 1)) <= alpha * r**2 / (4 * (1 - Rational(4, 5) * (alpha - 1) *
        r))
    "Centred Gaussians whose variances have ratio 1 + r are at Renyi divergence at most alpha r^2/(4(1 - (alpha - 1) r)); used when
        the scale of the noise depends on the data, as in smooth sensitivity and private regression."
# about laws or families of any length
probability-preservation-of-an-event: P, Q, m <= n, alpha > 1
     => Sum(P[i], (i, 1, m))**alpha * Sum(Q[i], (i, 1, m))**(1 - alpha) <= RenyiMoment(alpha, P, Q)
    =/> Sum(P[i], (i, 1, m))**alpha * Sum(Q[i], (i, 1, m))**(1 - alpha) <= RenyiMoment(alpha, Q, P)
    "For an event A and an order alpha > 1, P(A)^alpha Q(A)^(1 - alpha) is at most the Renyi moment of P from Q; the probability
        preservation property of Renyi privacy."
variation-by-chi-square: P, Q
     => Sum(Abs(P[i] - Q[i]), (i, 1, n))**2 <= Sum((P[i] - Q[i])**2 / Q[i], (i, 1, n))
    =/> Rational(11, 10) * Sum(Abs(P[i] - Q[i]), (i, 1, n))**2 <= Sum((P[i] - Q[i])**2 / Q[i], (i, 1, n))
    "The squared L1 distance of two laws is at most their chi-square divergence; a step of lower bounds by Ingster's method and of
        shuffling analyses."
jeffreys-above-hellinger: P, Q
     => Sum((P[i] - Q[i]) * log(P[i] / Q[i]), (i, 1, n)) >= 4 * Sum((sqrt(P[i]) - sqrt(Q[i]))**2, (i, 1, n))
    =/> Sum((P[i] - Q[i]) * log(P[i] / Q[i]), (i, 1, n)) >= Rational(9, 2) * Sum((sqrt(P[i]) - sqrt(Q[i]))**2, (i, 1, n))
    "Jeffreys' divergence of two laws is at least 4 times the sum of (sqrt P_i - sqrt Q_i)^2; it bounds the Hellinger distance in
        private hypothesis tests."
divergence-under-pure-privacy: P, Q, for_each((i, 1, n), P[i] <= exp(epsilon) * Q[i]), for_each((i, 1, n), Q[i] <= exp(epsilon) *
        P[i])
     => KLDivergence(P, Q) <= epsilon * tanh(epsilon / 2)
    =/> KLDivergence(P, Q) <= Rational(19, 20) * epsilon * tanh(epsilon / 2)
    "Two laws within e^epsilon of each other are at Kullback-Leibler divergence at most epsilon tanh(epsilon/2); the mean of the
        privacy loss in optimal composition."
regret-of-the-exponential-mechanism:
     => Sum((score[1] - score[i]) * exp(epsilon * score[i]), (i, 1, n)) <= (n - 1) / (E * epsilon) * exp(epsilon * score[1])
    =/> Sum((score[1] - score[i]) * exp(epsilon * score[i]), (i, 1, n)) <= Rational(9, 10) * (n - 1) / (E * epsilon) * exp(epsilon *
        score[1])
    "Weighted by e^(epsilon score_i), the regrets against the first candidate sum to at most (n - 1)/(e epsilon) times its weight;
        the bound on the expected regret of the exponential mechanism for few candidates."
budgets-with-a-logarithm:
     => Sum(log(t) / t**2, (t, 1, n)) <= Rational(47, 50)
    =/> Sum(log(t) / t**2, (t, 1, n)) <= Rational(93, 100)
    "The sum of log(t)/t^2 over any number of steps is at most 0.94; the failure probabilities 1/t^2 of an unbounded stream enter
        error bounds with such a weight."
mean-deviation-of-a-binomial-count: p <= 1
     => Sum(binomial(n, level) * p**level * (1 - p)**(n - level) * Abs(level - n * p), (level, 0, n)) <= sqrt(n * p * (1 - p))
    =/> Sum(binomial(n, level) * p**level * (1 - p)**(n - level) * Abs(level - n * p), (level, 0, n)) <=
        Rational(99, 100) * sqrt(n * p * (1 - p))
    "The mean absolute deviation of a binomial count is at most its standard deviation; the expected error of a debiased count of
        randomized responses."
refined-tree-estimators:
     => Sum(1 / (2 - 2**(-level)), (level, 0, n - 1)) <= n / 2 + Rational(161, 200)
    =/> Sum(1 / (2 - 2**(-level)), (level, 0, n - 1)) <= n / 2 + Rational(4, 5)
    "Over the levels of a binary tree the variances 1/(2 - 2^(-l)) of Honaker's estimator sum to at most n/2 + 161/200; the error of
        DP-FTRL with the refined tree."
renyi-moments-are-log-convex: P, Q
     => Sum(P[i]**3 / Q[i]**2, (i, 1, n))**2 <= Sum(P[i]**2 / Q[i], (i, 1, n)) * Sum(P[i]**4 / Q[i]**3, (i, 1, n))
    =/> Sum(P[i]**3 / Q[i]**2, (i, 1, n))**2 <= Rational(19, 20) * Sum(P[i]**2 / Q[i], (i, 1, n)) * Sum(P[i]**4 / Q[i]**3, (i, 1,
        n))
    "The squared Renyi moment of order 3 is at most the product of those of orders 2 and 4; the log-convexity by which a moments
        accountant interpolates between orders."
""",
)
