"""Forty lemmas of papers of 2013 to 2026, each with a false twin, written from the page on the claim language alone.

Nothing was mended because of them before they were first tried. Places in papers are from memory, and some lemmas are a step or a special
case of what they name. Before they were tried, every lemma held at random points of its domain in multiple precision, with random laws
for families, and every twin failed somewhere.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

x, t, s, u, real_t = real("x t s u y")
epsilon, eta, sigma, b, a, lam = positive("epsilon eta sigma b a lam")
delta, rate, r, p1, w, d = positive("delta rate r p1 w d")
alpha = real("alpha")
c0, z = nonnegative("c0 z")
n, m = positive_integer("n m")
i, k = index("i"), index("k")
k0 = index("k0", start=0)
j = integer("j")
v = real("v")
_b = exp(-epsilon)
p, q = laws("p q", (i, 1, n))
P, Q, R = laws("P Q R", (i, 1, n), "positive")
cost, share = family("cost share", "positive")
score = family("score")

LEMMAS = lemmas_in(
    globals(),
    """
# everyday
catoni-envelope:
     => -log(1 - x + x**2 / 2) <= log(1 + x + x**2 / 2)
    =/> -log(1 - x + 12 * x**2 / 25) <= log(1 + x + 12 * x**2 / 25)
    "Both envelopes of a Catoni influence function leave room between them (Catoni & Giulini 2017, Dimension-free PAC-Bayesian
        bounds, eq. 2.1)."
smooth-step: z * exp(z) <= 1
     => z <= Rational(71, 125)
    =/> z <= Rational(567, 1000)
    "The step-size constant nu of (L0, L1)-smooth gradient descent, nu exp(nu) = 1, is below 0.568 (Gorbunov et al. 2025, Methods
        for convex (L0, L1)-smooth optimization, Thm 3.1)."
selfconcordant-step: x <= 1
     => exp(x) - x - 1 <= (E - 2) * x**2
    =/> exp(x) - x - 1 <= Rational(71, 100) * x**2
    "Remainder of a generalised self-concordant loss for steps up to 1 (Ostrovskii & Bach 2021, Finite-sample analysis of
        M-estimators, Prop. B.1)."
truncated-laplace-width: delta <= Rational(1, 2)
     => log(1 + (exp(epsilon) - 1) / (2 * delta)) <= epsilon + log(1 / (2 * delta))
     ; delta <= Rational(11, 20)
    =/> log(1 + (exp(epsilon) - 1) / (2 * delta)) <= epsilon + log(1 / (2 * delta))
    "Width of the truncated Laplace noise against epsilon + log(1/(2 delta)) (Geng, Ding, Guo & Kumar 2020, Tight analysis of
        privacy and utility tradeoff, Thm 1)."
laplace-order-three-halves: x >= 0
     => Rational(3, 4) * exp(x / 2) + exp(-3 * x / 2) / 4 <= exp(3 * x**2 / 8)
     ; x >= -1
    =/> Rational(3, 4) * exp(x / 2) + exp(-3 * x / 2) / 4 <= exp(3 * x**2 / 8)
    "Renyi divergence of order 3/2 of the Laplace mechanism is below that of a Gaussian of the same curvature (Mironov 2017, Renyi
        differential privacy, Prop. 6)."
staircase-variance:
     => ((_b * (1 + _b) / 2)**Rational(2, 3) + _b) / (1 - _b)**2 <= 2 / epsilon**2
    =/> ((_b * (1 + _b) / 2)**Rational(2, 3) + _b) / (1 - _b)**2 <= Rational(199, 100) / epsilon**2
    "The variance of the optimal staircase noise is below that of Laplace noise (Geng & Viswanath 2016, The optimal noise-adding
        mechanism, Thm 7)."
bounded-range-kl:
     => epsilon / (exp(epsilon) - 1) - 1 - log(epsilon / (exp(epsilon) - 1)) <= epsilon**2 / 8
    =/> epsilon / (exp(epsilon) - 1) - 1 - log(epsilon / (exp(epsilon) - 1)) <= 6 * epsilon**2 / 49
    "KL divergence of an epsilon-bounded-range mechanism is at most epsilon^2/8 (Cesar & Rogers 2021, Bounding, concentrating, and
        truncating, Lemma 3.2)."
unary-encodings:
     => 4 * exp(epsilon) / (exp(epsilon) - 1)**2 <= exp(epsilon / 2) / (exp(epsilon / 2) - 1)**2
    =/> Rational(41, 10) * exp(epsilon) / (exp(epsilon) - 1)**2 <= exp(epsilon / 2) / (exp(epsilon / 2) - 1)**2
    "Optimised unary encoding has no larger variance than the symmetric one (Wang, Blocki, Li & Jha 2017, Locally differentially
        private protocols for frequency estimation, Sec. 5)."
normal-tail-below: x >= 0
     => 2 * NormalCDF(-x) >= exp(-x**2 / 2 - sqrt(2 / pi) * x)
    =/> 2 * NormalCDF(-x) >= exp(-x**2 / 2 - 79 * x / 100)
    "Lower bound on the normal tail with the slope of the hazard rate at 0 (Pinelis 2019, Exact bounds on the inverse Mills ratio,
        Cor. 1)."
clipped-progress:
     => Min(z**2, c0 * z) >= c0 * z - c0**2 / 4
    =/> Min(z**2, c0 * z) >= c0 * z - 6 * c0**2 / 25
    "Progress of a clipped gradient step against c times the norm (Koloskova, Hendrikx & Stich 2023, Revisiting gradient clipping,
        proof of Thm 2.1)."
cauchy-shift: s >= 0
     => 1 + (x + s)**2 <= exp(s) * (1 + x**2)
    =/> 1 + (x + s)**2 <= exp(19 * s / 20) * (1 + x**2)
    "Cauchy noise changes by at most e^s under a shift by s (Bun & Steinke 2019, Average-case averages, Sec. 3; after Nissim,
        Raskhodnikova & Smith)."
conversion-factor: alpha > 1
     => (1 - 1 / alpha)**(alpha - 1) >= exp(-1) * (1 + 1 / (2 * alpha))
    =/> (1 - 1 / alpha)**(alpha - 1) >= exp(-1) * (1 + 3 / (5 * alpha))
    "The factor (1 - 1/alpha)^(alpha - 1) of the conversion from Renyi to approximate privacy (Canonne, Kamath & Steinke 2020, The
        discrete Gaussian, Prop. 12)."
response-as-gaussian:
     => 2 * NormalQuantile(exp(epsilon) / (1 + exp(epsilon))) <= sqrt(pi / 2) * epsilon
    =/> 2 * NormalQuantile(exp(epsilon) / (1 + exp(epsilon))) <= Rational(31, 25) * epsilon
    "Total variation of randomized response is that of a mu-GDP mechanism with mu at most sqrt(pi/2) epsilon (Dong, Roth & Su 2022,
        Gaussian differential privacy, Sec. 2)."
# hard
catoni-heavy-tails: x >= 0, alpha > 1, alpha <= 2
     => -log(1 - x + x**alpha / alpha) <= log(1 + x + x**alpha / alpha)
     ; x >= 0, alpha > 1, alpha <= Rational(11, 5)
    =/> -log(1 - x + x**alpha / alpha) <= log(1 + x + x**alpha / alpha)
    "The generalised Catoni envelope with alpha moments (Chen, Jin, Li & Xu 2021, A generalized Catoni's M-estimator under finite
        alpha-th moment, eq. 1.3)."
subsampled-clt: x >= 0
     => exp(x**2) * NormalCDF(3 * x / 2) + 3 * NormalCDF(-x / 2) - 2 >= x**2 / 2
    =/> exp(x**2) * NormalCDF(3 * x / 2) + 3 * NormalCDF(-x / 2) - 2 >= 51 * x**2 / 100
    "The CLT parameter of noisy SGD is at least that of its Taylor polynomial (Bu, Dong, Long & Su 2020, Deep learning with Gaussian
        differential privacy, Thm 5)."
beta-subgaussian:
     => Integral(2 * v * exp(t * v), (v, 0, 1)) <= exp(2 * t / 3 + t**2 / 32)
    =/> Integral(2 * v * exp(t * v), (v, 0, 1)) <= exp(2 * t / 3 + t**2 / 36)
    "Beta(2, 1) is sub-Gaussian with proxy 1/(4(2 + 1 + 1)), but not with its variance 1/18 (Marchal & Arbel 2017, On the
        sub-Gaussianity of the Beta and Dirichlet distributions, Thm 2.1)."
permute-and-flip: p1 <= 1
     => (1 - (1 - p1)**n) / (n * p1) >= 1 / (1 + (n - 1) * p1)
    =/> (1 - (1 - p1)**n) / (n * p1) >= 1 / (1 + 9 * (n - 1) * p1 / 10)
    "Permute-and-flip is never worse than the exponential mechanism on its worst case of n options (McKenna & Sheldon 2020,
        Permute-and-flip, Thm 4 and Prop. 3)."
square-root-factor: a < 1
     => Sum((binomial(2 * k0, k0) / 4**k0)**2 * a**k0, (k0, 0, oo)) <= 1 - log(1 - a) / pi
    =/> Sum((binomial(2 * k0, k0) / 4**k0)**2 * a**k0, (k0, 0, oo)) <= 1 - 3 * log(1 - a) / 10
    "Column norm of the square root factorization with decay a (Fichtenberger, Henzinger & Upadhyay 2023, Constant matters, Thm 1;
        Kalinin & Lampert 2024, Banded square root, Lemma 3)."
subset-selection: w < d
     => (w * exp(epsilon) + d - w)**2 / ((exp(epsilon) - 1)**2 * w * (d - w)) >= 4 * exp(epsilon) / (exp(epsilon) - 1)**2
    =/> (w * exp(epsilon) + d - w)**2 / ((exp(epsilon) - 1)**2 * w * (d - w)) >= Rational(401, 100) * exp(epsilon) / (exp(epsilon) -
        1)**2
    "No subset size w of d beats the risk factor 4 e^eps/(e^eps - 1)^2 (Ye & Barg 2018, Optimal schemes for discrete distribution
        estimation under local DP, Thm III.1)."
norm-of-normal: x >= 1
     => gamma(x + Rational(1, 2))**2 >= gamma(x)**2 * (x - Rational(1, 4) + 1 / (32 * x))
    =/> gamma(x + Rational(1, 2))**2 >= gamma(x)**2 * (x - Rational(1, 4) + 1 / (31 * x))
    "Square of the gamma ratio behind the mean norm of a normal vector to second order (Asi, Feldman & Talwar 2022, Optimal
        algorithms for mean estimation under local DP, App. A; Qi & Mortici 2015)."
kearns-saul: p1 < Rational(1, 2)
     => p1 * exp((1 - p1) * t) + (1 - p1) * exp(-p1 * t) <= exp((1 - 2 * p1) * t**2 / (4 * log((1 - p1) / p1)))
    =/> p1 * exp((1 - p1) * t) + (1 - p1) * exp(-p1 * t) <= exp((1 - 2 * p1) * t**2 / (Rational(41, 10) * log((1 - p1) / p1)))
    "Sharp sub-Gaussian proxy of a Bernoulli variable (Arbel, Marchal & Nguyen 2020, On strict sub-Gaussianity, Sec. 3; Kearns &
        Saul)."
sampled-gaussian-interpolation: alpha > 1, alpha <= 2, sigma >= 1, rate <= 1
     => SampledGaussianMoment(alpha, sigma, rate, "remove") <= (1 + rate**2 * (exp(1 / sigma**2) - 1))**(alpha - 1)
     ; alpha > 1, alpha <= 3, sigma >= 1, rate <= 1
    =/> SampledGaussianMoment(alpha, sigma, rate, "remove") <= (1 + rate**2 * (exp(1 / sigma**2) - 1))**(alpha - 1)
    "Moments of the sampled Gaussian between orders 1 and 2 by log-convexity (Wang, Balle & Kasiviswanathan 2019, Subsampled Renyi
        DP, Cor. 10; Mironov, Talwar & Zhang 2019)."
sampled-laplace-delta: rate <= 1
     => mechanism_delta(epsilon, laplace_scale=b, q=rate) <= rate / (2 * b)
    =/> mechanism_delta(epsilon, laplace_scale=b, q=rate) <= 2 * rate / (5 * b)
    "delta of sampled Laplace noise of scale b at any epsilon is at most rate/(2b) (Balle, Barthe & Gaboardi 2018, Privacy
        amplification by subsampling, Thm 8)."
last-iterate-weights:
     => Sum(1 / (k * (n + 1 - k)), (k, 1, n)) <= 2 * (1 + log(n)) / (n + 1)
    =/> Sum(1 / (k * (n + 1 - k)), (k, 1, n)) <= 2 * (Rational(9, 10) + log(n)) / (n + 1)
    "Weights of the last iterate of SGD (Jain, Nagaraj & Netrapalli 2019, Making the last iterate of SGD information theoretically
        optimal; after Shamir & Zhang)."
discrete-gaussian-fourth:
     => Sum(j**4 * exp(-j**2 / (2 * sigma**2)), (j, -oo, oo)) <= Rational(18, 5) * sigma**4 * Sum(exp(-j**2 / (2 * sigma**2)), (j,
        -oo, oo))
    =/> Sum(j**4 * exp(-j**2 / (2 * sigma**2)), (j, -oo, oo)) <= Rational(7, 2) * sigma**4 * Sum(exp(-j**2 / (2 * sigma**2)), (j,
        -oo, oo))
    "The fourth moment of a discrete Gaussian is at most 18/5 sigma^4, though that of a Gaussian is 3 sigma^4 (Kairouz, Liu &
        Steinke 2021, The distributed discrete Gaussian mechanism, Sec. 3)."
poisson-logarithm:
     => Sum(lam**k0 / factorial(k0) * log(1 + k0), (k0, 0, oo)) <= exp(lam) * log(1 + lam)
    =/> Sum(lam**k0 / factorial(k0) * log(1 + k0), (k0, 0, oo)) <= exp(lam) * log(1 + 9 * lam / 10)
    "Mean logarithm of a Poissonised count (Jiao, Venkat, Han & Weissman 2015, Minimax estimation of functionals, Sec. IV)."
sampford-integral:
     => Integral(exp(-v**2 / 2 - z * v), (v, 0, oo)) <= 4 / (3 * z + sqrt(z**2 + 8))
    =/> Integral(exp(-v**2 / 2 - z * v), (v, 0, oo)) <= 4 / (31 * z / 10 + sqrt(z**2 + 8))
    "Sampford's bound on the Mills ratio as an integral (Pinelis 2019, Exact bounds on the inverse Mills ratio, eq. 2)."
truncated-negative-binomial: eta >= 1, eta <= 2, rate < 1
     => eta * (1 - rate) / (rate * (1 - rate**eta)) >= (2 / (1 + rate))**(eta - 1) / rate
     ; eta >= 1, eta <= Rational(9, 4), rate < 1
    =/> eta * (1 - rate) / (rate * (1 - rate**eta)) >= (2 / (1 + rate))**(eta - 1) / rate
    "Mean number of runs under the truncated negative binomial law with eta between 1 and 2 (Papernot & Steinke 2022, Hyperparameter
        tuning with Renyi DP, Def. 1 and Thm 2)."
fan-bet: u >= 0, u < 1, x >= -1
     => exp(u * x + (log(1 - u) + u) * x**2) <= 1 + u * x
     ; u >= 0, u < Rational(1, 2), x >= Rational(-11, 10)
    =/> exp(u * x + (log(1 - u) + u) * x**2) <= 1 + u * x
    "Fan's inequality for supermartingales bounded from below (Fan, Grama & Liu 2015, Exponential inequalities for martingales,
        Lemma 4.1; Waudby-Smith & Ramdas 2024)."
inverse-clones: p1 <= 1
     => Sum(binomial(n, k0) * p1**k0 * (1 - p1)**(n - k0) / (k0 + 1), (k0, 0, n)) <= 1 / ((n + 1) * p1)
    =/> Sum(binomial(n, k0) * p1**k0 * (1 - p1)**(n - k0) / (k0 + 1), (k0, 0, n)) <= 1 / ((n + Rational(11, 10)) * p1)
    "Mean inverse of one plus a binomial number of clones (Feldman, McMillan & Talwar 2021, Hiding among the clones, App. A)."
gaussian-group-of-two:
     => GaussianDelta(2 * epsilon, sigma, 2) <= (1 + exp(epsilon)) * GaussianDelta(epsilon, sigma, 1)
    =/> GaussianDelta(2 * epsilon, sigma, 2) <= 19 * (1 + exp(epsilon)) / 20 * GaussianDelta(epsilon, sigma, 1)
    "delta of the Gaussian mechanism for groups of two against its delta for one (Dong, Roth & Su 2022, Sec. 2.4; Balle & Wang 2018,
        Thm 8)."
# about laws or families of any length
kl-chi-variation: P, Q
     => KLDivergence(P, Q) <= Sum((P[i] - Q[i])**2 / Q[i], (i, 1, n)) / 2 + Sum(Max(Q[i] - P[i], 0), (i, 1, n)) / 2
    =/> KLDivergence(P, Q) <= Sum((P[i] - Q[i])**2 / Q[i], (i, 1, n)) / 2 + 2 * Sum(Max(Q[i] - P[i], 0), (i, 1, n)) / 5
    "KL divergence is at most half of chi^2 plus total variation (Sason & Verdu 2016, f-divergence inequalities, Thm 9)."
hellinger-midpoint: p, q
     => Sum((sqrt(p[i]) - sqrt((p[i] + q[i]) / 2))**2, (i, 1, n)) >= (Rational(3, 2) - sqrt(2)) * Sum((sqrt(p[i]) - sqrt(q[i]))**2,
        (i, 1, n))
    =/> Sum((sqrt(p[i]) - sqrt((p[i] + q[i]) / 2))**2, (i, 1, n)) >= Rational(9, 100) * Sum((sqrt(p[i]) - sqrt(q[i]))**2, (i, 1, n))
    "Hellinger distance to the midpoint of two laws (Baraud & Birge 2018, Rho-estimators revisited, Sec. 3; van de Geer)."
jeffreys-private: P, Q, for_each((i, 1, n), P[i] <= exp(epsilon) * Q[i]), for_each((i, 1, n), Q[i] <= exp(epsilon) * P[i])
     => Sum((P[i] - Q[i]) * log(P[i] / Q[i]), (i, 1, n)) <= 2 * epsilon * tanh(epsilon / 2)
    =/> Sum((P[i] - Q[i]) * log(P[i] / Q[i]), (i, 1, n)) <= 19 * epsilon * tanh(epsilon / 2) / 10
    "Jeffreys divergence of an epsilon-private pair (Bun & Steinke 2016, Concentrated DP, Prop. 3.3; Duchi, Jordan & Wainwright
        2018, Thm 1)."
budget-split:
     => Sum(cost[i]**3 / share[i]**2, (i, 1, n)) * Sum(share[i], (i, 1, n))**2 >= Sum(cost[i], (i, 1, n))**3
    =/> Sum(cost[i]**3 / share[i]**2, (i, 1, n)) * Sum(share[i], (i, 1, n))**2 >= Rational(101, 100) * Sum(cost[i], (i, 1, n))**3
    "No split of a privacy budget beats the one by cube roots of the variances (Li, Miklau, Hay, McGregor & Rastogi 2015, The matrix
        mechanism, Sec. 6; Hoelder)."
exponential-mechanism-mean:
     => Sum(score[i] * exp(score[i]), (i, 1, n)) / Sum(exp(score[i]), (i, 1, n)) + log(n) >= log(Sum(exp(score[i]), (i, 1, n)))
    =/> Sum(score[i] * exp(score[i]), (i, 1, n)) / Sum(exp(score[i]), (i, 1, n)) + 19 * log(n) / 20 >= log(Sum(exp(score[i]), (i, 1,
        n)))
    "Mean score of the exponential mechanism against the soft maximum (Bassily, Nissim, Smith, Steinke, Stemmer & Ullman 2016,
        Algorithmic stability for adaptive data analysis, Lemma 7.1)."
probability-preservation: P, Q, m <= n
     => Sum(P[i], (i, 1, m))**2 <= Sum(Q[i], (i, 1, m)) * Sum(P[i]**2 / Q[i], (i, 1, n))
    =/> Sum(P[i], (i, 1, m))**Rational(3, 2) <= Sum(Q[i], (i, 1, m)) * Sum(P[i]**2 / Q[i], (i, 1, n))
    "Probability preservation of the Renyi divergence of order 2 (Bai, Lepoint, Roux-Langlois, Sakzad, Stehle & Steinfeld 2018,
        Improved security proofs in lattice-based cryptography, Lemma 2.9)."
hockey-triangle: P, Q, R
     => HockeyStick(epsilon + eta, P, R) <= HockeyStick(epsilon, P, Q) + exp(epsilon) * HockeyStick(eta, Q, R)
    =/> HockeyStick(epsilon + eta, P, R) <= HockeyStick(epsilon, P, Q) + HockeyStick(eta, Q, R)
    "Weak triangle inequality of hockey-stick divergences (Kairouz, Oh & Viswanath 2015, The composition theorem for DP; group
        privacy in Vadhan 2017, Lemma 2.2)."
renyi-triangle: P, Q, R
     => RenyiDivergence(2, P, R) <= Rational(3, 2) * RenyiDivergence(4, P, Q) + RenyiDivergence(3, Q, R)
    =/> RenyiDivergence(2, P, R) <= Rational(5, 4) * RenyiDivergence(4, P, Q) + RenyiDivergence(3, Q, R)
    "Weak triangle inequality of Renyi divergences at order 2 (Mironov 2017, Renyi differential privacy, Prop. 11)."
missing-mass: p
     => Sum(p[i] * (1 - p[i])**m, (i, 1, n)) <= n / (E * m)
    =/> Sum(p[i] * (1 - p[i])**m, (i, 1, n)) <= n / (Rational(14, 5) * m)
    "The expected missing mass after m samples of a law on n outcomes (Berend & Kontorovich 2013, On the concentration of the
        missing mass; Acharya, Bao, Kang & Sun 2018, Improved bounds for minimax risk of estimating missing mass)."
""",
)
