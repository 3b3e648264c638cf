"""Sixty lemmas of 53 papers, each with a false twin, written from the page on the claim language alone.

Nothing was mended after them. Known were docs/claim-language.md and docs/check-your-own-claim.md, which name some lemmas that dpbounds
knows or leaves open. Places in papers are from memory. Before the engine saw them, every lemma held at 200 random points of its domain,
and every twin failed at the point that is noted, both by a program in mpmath and numpy.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

x, y, z, w, s = real("x y z w s")
a, b, c, d, g = real("a b c d g")
t, u, v = nonnegative("t u v")
alpha, beta, order, sigma, rho, delta, eps, eta, mu, nu, lam = real("alpha beta order sigma rho delta eps eta mu nu lam")
q, r, f = real("q r f")
n, m, k = positive_integer("n m k")
i = index("i")
j = index("j", start=0)
ell = index("ell")
zz = -log(4 * delta * (1 - delta))
qt = (exp(-t) - exp(-eta)) / (1 - exp(-eta))
# ------------------------------------------------------------------------------------------------ families (12)
P, Q, S = laws("P Q S", (i, 1, n), "positive")
p0, q0, s0 = laws("p0 q0 s0", (i, 1, n))
over = (i, 1, n)
eprime = log(1 + r * (exp(eps) - 1))
share = (1 + r * (exp(eps) - 1)) / exp(eps)
W = family("W", "positive")
U = family("U", "real")

LEMMAS = lemmas_in(
    globals(),
    """
# everyday
zcdp-calibration: eps > 0, b > 0
     => (sqrt(b + eps) - sqrt(b)) ** 2 >= eps**2 / (4 * (b + eps))
    =/> (sqrt(b + eps) - sqrt(b)) ** 2 >= eps**2 / (4 * b)
    "Bun and Steinke 2016, Concentrated Differential Privacy, arXiv 1605.02658: Proposition 1.3, solved for rho; b
        stands for log(1/delta)"
    "left (sqrt2-1)^2 = 0.1716, right 0.25, at {'eps': 1, 'b': 1}"
renyi-conversion-factor: alpha > 1
     => (1 - 1 / alpha) ** alpha / (alpha - 1) <= exp(-1) * (1 - 1 / (2 * alpha)) / (alpha - 1)
    =/> (1 - 1 / alpha) ** alpha / (alpha - 1) <= exp(-1) * (1 - 1 / alpha) / (alpha - 1)
    "Canonne, Kamath, Steinke 2020, The Discrete Gaussian for Differential Privacy, arXiv 2004.00010: the factor of
        Proposition 12, bounded"
    "left 0.25, right 0.1839, at {'alpha': 2}"
pure-to-gdp: eps >= 0
     => NormalCDF(sqrt(pi / 8) * eps) >= 1 / (1 + exp(-eps))
    =/> NormalCDF(R(3, 5) * eps) >= 1 / (1 + exp(-eps))
    "Liu, Sun, Jiang, Kong 2022, Identification, Amplification and Measurement: A bridge to Gaussian DP, arXiv
        2210.09269: eps-DP is GDP; the linear bound mu <= sqrt(pi/2) eps"
    "left 0.61791, right 0.62246, at {'eps': 1/2}"
olh-optimal-range: eps > 0, g >= 2
     => (exp(eps) - 1 + g) ** 2 / ((exp(eps) - 1) ** 2 * (g - 1)) >= 4 * exp(eps) / (exp(eps) - 1) ** 2
    =/> (exp(eps) - 1 + g) ** 2 / ((exp(eps) - 1) ** 2 * (g - 1)) >= (4 * exp(eps) + 1) / (exp(eps) - 1) ** 2
    "Wang, Blocki, Li, Jha 2017, Locally Differentially Private Protocols for Frequency Estimation, USENIX Security:
        section 4.4, optimised local hashing"
    "numerators 29.36/2.7 = 10.873 and 4e+1 = 11.873, at {'eps': 1, 'g': 37/10}"
krr-against-unary: eps > 0, x >= 2, x <= 2 * exp(eps / 2) + 2
     => (exp(eps) - 1) / (exp(eps) + x - 1) >= (exp(eps / 2) - 1) / (exp(eps / 2) + 1)
    ; eps > 0, x >= 2, x <= 2 * exp(eps / 2) + 3
    =/> (exp(eps) - 1) / (exp(eps) + x - 1) >= (exp(eps / 2) - 1) / (exp(eps / 2) + 1)
    "Kairouz, Bonawitz, Ramage 2016, Discrete Distribution Estimation under Local Privacy, arXiv 1602.07387: k-RR
        against k-RAPPOR, gaps of the response probabilities"
    "2 exp(0.7)+3 = 7.03; left 0.3034, right 0.3364, at {'eps': 7/5, 'x': 7}"
staircase-against-laplace: eps > 0
     => 1 / eps - exp(eps / 2) / (exp(eps) - 1) <= eps / 24
    =/> 1 / eps - exp(eps / 2) / (exp(eps) - 1) <= eps / 25
    "Geng and Viswanath 2012, The Optimal Mechanism in Differential Privacy, arXiv 1212.1186: comparison of the l1 cost
        e^(eps/2)/(e^eps-1) with 1/eps"
    "left 0.020683, right 0.02, at {'eps': 1/2}"
bounded-range-kl: eta > 0
     => eta / (1 - exp(-eta)) - 1 - log(eta / (1 - exp(-eta))) <= eta**2 / 8
    =/> eta / (1 - exp(-eta)) - 1 - log(eta / (1 - exp(-eta))) <= eta**2 / 9
    "Dong, Durfee, Rogers 2019, Optimal Differential Privacy Composition for Exponential Mechanisms, arXiv 1909.13830:
        KL of a bounded range mechanism, Lemma on the supremum over t"
    "left 0.1233, right 0.1111, at {'eta': 1}"
rappor-epsilon: f > 0, f <= 1
     => 2 * log((1 - f / 2) / (f / 2)) >= 4 * (1 - f)
    =/> 2 * log((1 - f / 2) / (f / 2)) >= R(41, 10) * (1 - f)
    "Erlingsson, Pihur, Korolova 2014, RAPPOR, arXiv 1407.6981: Theorem 1, the permanent response with h = 1, linear
        lower bound"
    "left 0.40134, right 0.41, at {'f': 9/10}"
log-ratio: a > 0, b > 0
     => Abs(log(a / b)) <= Abs(a - b) / Min(a, b)
    =/> Abs(log(a / b)) <= Abs(a - b) / Max(a, b)
    "Duchi, Jordan, Wainwright 2013, Local Privacy and Statistical Minimax Rates, arXiv 1302.3203: Lemma 4"
    "0.693 against 0.5, at {'a': 2, 'b': 1}"
bounded-range-log-moment: eps >= 0, q >= 0, q <= 1
     => log(1 + q * (exp(eps) - 1)) <= q * eps + eps**2 / 8
    =/> log(1 + q * (exp(eps) - 1)) <= q * eps + eps**2 / 9
    "Cesar and Rogers 2020, Bounding, Concentrating, and Truncating, arXiv 2004.07223: Hoeffding's lemma for BR implies
        CDP (Lemma 3.2 and its use)"
    "left 0.62011, right 0.61111, at {'eps': 1, 'q': 1/2}"
logarithmic-repetitions: g > 0, g < 1
     => (1 / g - 1) / log(1 / g) >= 1 / sqrt(g)
    =/> (1 / g - 1) / log(1 / g) >= (1 + 1 / g) / 2
    "Papernot and Steinke 2021, Hyperparameter Tuning with Renyi Differential Privacy, arXiv 2110.03620: expectation of
        the logarithmic distribution (truncated negative binomial, eta = 0)"
    "left 1.4427, right 1.5, at {'g': 1/2}"
logistic-lipschitz:
     => Abs(log(1 + exp(-z)) - log(1 + exp(-w))) <= Abs(z - w)
    =/> Abs(log(1 + exp(-z)) - log(1 + exp(-w))) <= R(9, 10) * Abs(z - w)
    "Chaudhuri, Monteleoni, Sarwate 2011, Differentially Private Empirical Risk Minimization, arXiv 0912.0071: section
        4, the logistic loss has |l'| <= 1"
    "left 9.99995, right 9, at {'z': -20, 'w': -10}"
piecewise-against-duchi: eps >= R(13, 10)
     => 4 * exp(eps / 2) / (3 * (exp(eps / 2) - 1) ** 2) <= ((exp(eps) + 1) / (exp(eps) - 1)) ** 2
    ; eps >= R(5, 4)
    =/> 4 * exp(eps / 2) / (3 * (exp(eps / 2) - 1) ** 2) <= ((exp(eps) + 1) / (exp(eps) - 1)) ** 2
    "Wang, Xiao, Yang, Zhao, Hui, Shin, Shin, Yu 2019, Collecting and Analyzing Multidimensional Data with LDP, arXiv
        1907.00782: worst-case variances of PM and of Duchi et al., eps > 1.29"
    "left 3.305, right 3.251, at {'eps': 5/4}"
clt-noise-level: sigma >= R(9, 10)
     => sqrt(exp(1 / sigma**2) - 1) <= sqrt(2) / sigma
    ; sigma >= R(22, 25)
    =/> sqrt(exp(1 / sigma**2) - 1) <= sqrt(2) / sigma
    "Bu, Dong, Long, Su 2019, Deep Learning with Gaussian Differential Privacy, arXiv 1911.11607: mu = p sqrt(T
        (exp(1/sigma^2)-1)), Corollary of the CLT"
    "squares 2.6375 and 2.5826, at {'sigma': 22/25}"
erfc-lower: x >= 0
     => erfc(x) >= 2 * exp(-(x**2)) / (sqrt(pi) * (x + sqrt(x**2 + 2)))
    =/> erfc(x) >= 2 * exp(-(x**2)) / (sqrt(pi) * (x + sqrt(x**2 + 1)))
    "Zhao et al. 2019, Reviewing and Improving the Gaussian Mechanism for Differential Privacy, arXiv 1911.12060: bounds
        of erfc in the appendix (Abramowitz-Stegun 7.1.13)"
    "0.1573 against 0.1720, at {'x': 1}"
composition-drift: eps >= 0
     => (exp(eps) - 1) / (exp(eps) + 1) <= Min(1, eps / 2)
    =/> (exp(eps) - 1) / (exp(eps) + 1) <= Min(1, R(12, 25) * eps)
    "Kairouz, Oh, Viswanath 2015, The Composition Theorem for Differential Privacy, arXiv 1311.0776: Theorem 3.4, the
        drift term"
    "left 0.09967, right 0.096, at {'eps': 1/5}"
cauchy-sliding:
     => Abs(log((1 + (z + s) ** 2) / (1 + z**2))) <= Abs(s)
    =/> Abs(log((1 + (z + s) ** 2) / (1 + z**2))) <= R(9, 10) * Abs(s)
    "Nissim, Raskhodnikova, Smith 2007, Smooth Sensitivity and Sampling in Private Data Analysis, STOC: Lemma 2.6,
        sliding of the density 1/(1+z^2)"
    "log(1.105) = 0.09985 against 0.09, at {'z': 1, 's': 1/10}"
clones-range: delta > 0, delta <= 1, x > 0, x <= 1 / (16 * log(2 / delta))
     => 8 * sqrt(x * log(4 / delta)) + 8 * x <= R(18, 5)
    =/> 8 * sqrt(x * log(4 / delta)) + 8 * x <= R(7, 2)
    "Feldman, McMillan, Talwar 2021, Hiding Among the Clones, arXiv 2012.12803: Theorem 3.1: the bracket under its
        condition, x = exp(eps0)/n"
    "2.8258 + 0.72 = 3.5458, at {'delta': 1, 'x': 9/100}"
bennett-function: x >= 0
     => (1 + x) * log(1 + x) - x >= x**2 / (2 * (1 + x / 3))
    =/> (1 + x) * log(1 + x) - x >= x**2 / (2 * (1 + x / 4))
    "Balle, Bell, Gascon, Nissim 2019, The Privacy Blanket of the Shuffle Model, arXiv 1903.02837: Bennett's inequality
        in section 5, from Bennett to Bernstein"
    "left 0.3863, right 0.4, at {'x': 1}"
truncated-laplace-amplitude: eps > 0, delta > 0, delta <= R(1, 2)
     => (1 - log(1 + (exp(eps) - 1) / (2 * delta)) / ((exp(eps) - 1) / (2 * delta))) / eps <= 1 / (4 * delta)
    =/> (1 - log(1 + (exp(eps) - 1) / (2 * delta)) / ((exp(eps) - 1) / (2 * delta))) / eps <= R(6, 25) / delta
    "Geng, Ding, Guo, Kumar 2018, Truncated Laplacian Mechanism for Approximate Differential Privacy, arXiv 1810.00877:
        Theorem on the amplitude, against uniform noise 1/(4 delta)"
    "left 0.992, right 0.96, at {'eps': 1/100, 'delta': 1/4}"
randomizer-constant: eps > 0
     => (exp(eps) + 1) / (exp(eps) - 1) <= 2 / eps + eps / 6
    =/> (exp(eps) + 1) / (exp(eps) - 1) <= 2 / eps + eps / 7
    "Bassily and Smith 2015, Local, Private, Efficient Protocols for Succinct Histograms, arXiv 1504.04686: c_eps =
        (e^eps+1)/(e^eps-1) of the basic randomizer"
    "left 2.1640, right 2.1429, at {'eps': 1}"
random-stopping: g > 0, g < 1, eps > 0, eps <= 1
     => (1 - g) ** (log(2 / eps) / g) <= eps / 2
    =/> (1 - g) ** ((1 / g - 1) * log(2 / eps)) <= eps / 2
    "Liu and Talwar 2019, Private Selection from Private Candidates, arXiv 1811.07971: Theorem 3.2, the cap T =
        log(2/eps)/gamma"
    "0.6185 against 0.5, at {'g': 1/2, 'eps': 1}"
laplace-kl: eps >= 0
     => eps + exp(-eps) - 1 <= eps**2 / (2 * (1 + eps / 3))
    =/> eps + exp(-eps) - 1 <= eps**2 / (2 * (1 + 2 * eps / 5))
    "Mironov 2017, Renyi Differential Privacy, arXiv 1702.07476: Proposition 6 at order 1, with a rational bound"
    "left 0.36788, right 0.35714, at {'eps': 1}"
conditional-rounding: c >= 0, d >= 1
     => c**2 + d / 4 + (c + sqrt(d) / 2) <= (c + sqrt(d)) ** 2
    =/> c**2 + d / 4 + 2 * (c + sqrt(d) / 2) <= (c + sqrt(d)) ** 2
    "Kairouz, Liu, Steinke 2021, The Distributed Discrete Gaussian Mechanism for Federated Learning, arXiv 2102.06387:
        the two bounds of the rounded norm (granularity 1, beta = exp(-1/2))"
    "left 4.25, right 4 (that is beta = exp(-2)), at {'c': 1, 'd': 1}"
# hard
pure-to-zcdp: alpha > 1, eps > 0
     => log((sinh(alpha * eps) - sinh((alpha - 1) * eps)) / sinh(eps)) / (alpha - 1) <= alpha * eps**2 / 2
    =/> log((sinh(alpha * eps) - sinh((alpha - 1) * eps)) / sinh(eps)) / (alpha - 1) <= R(9, 20) * alpha * eps**2
    "Bun and Steinke 2016, Concentrated Differential Privacy, arXiv 1605.02658: Proposition 3.3"
    "left 0.00996, right 0.009, at {'alpha': 2, 'eps': 1/10}"
discrete-gaussian-normaliser: sigma > 0
     => 1 + 2 * Sum(exp(-(ell**2) / (2 * sigma**2)), (ell, 1, oo)) <= 1 + sqrt(2 * pi) * sigma
    =/> 1 + 2 * Sum(exp(-(ell**2) / (2 * sigma**2)), (ell, 1, oo)) <= R(3, 5) + sqrt(2 * pi) * sigma
    "Canonne, Kamath, Steinke 2020, The Discrete Gaussian for Differential Privacy, arXiv 2004.00010: Fact 18"
    "left 1, right 0.851, at {'sigma': 1/10}"
laplace-exact-zcdp: alpha > 1, eps > 0
     => log(alpha / (2 * alpha - 1) * exp((alpha - 1) * eps) + (alpha - 1) / (2 * alpha - 1) * exp(-alpha * eps)) / (alpha - 1) <= alpha *
           (eps + exp(-eps) - 1)
    =/> log(alpha / (2 * alpha - 1) * exp((alpha - 1) * eps) + (alpha - 1) / (2 * alpha - 1) * exp(-alpha * eps)) / (alpha - 1) <= R(19,
           20) * alpha * (eps + exp(-eps) - 1)
    "Harrison and Manurangsi 2025, Exact zCDP Characterizations for Fundamental Differentially Private Mechanisms, arXiv
        2510.25746: the theorem on Laplace noise"
    "left 0.3712, right 0.3530, at {'alpha': 101/100, 'eps': 1}"
sampled-gaussian-linear: q > 0, q < 1, sigma > 0
     => Sum(binomial(n, j) * (1 - q) ** (n - j) * q**j * exp(j * (j - 1) / (2 * sigma**2)), (j, 0, n)) <= 1 - q + q * exp(n * (n - 1) / (2 *
           sigma**2))
    =/> Sum(binomial(n, j) * (1 - q) ** (n - j) * q**j * exp(j * (j - 1) / (2 * sigma**2)), (j, 0, n)) <= 1 - q + q * exp((n - 1) ** 2 /
           (2 * sigma**2))
    "Mironov, Talwar, Zhang 2019, Renyi Differential Privacy of the Sampled Gaussian Mechanism, arXiv 1908.10530:
        section 3.3, integer orders; convexity of the moment in the mixture"
    "left 2.392, right 1.584, at {'n': 2, 'q': 9/10, 'sigma': 1}"
subsampled-pure-sum: n >= 2, g > 0, g <= 1, eps > 0
     => 1 + Sum(binomial(n, ell) * g**ell * exp((ell - 1) * eps) * (exp(eps) - 1) ** ell, (ell, 2, n)) <= (1 + g * exp(eps) * (exp(eps) -
           1)) ** n
    =/> 1 + Sum(binomial(n, ell) * g**ell * exp((ell - 1) * eps) * (exp(eps) - 1) ** ell, (ell, 2, n)) <= (1 + g * (exp(eps) - 1)) ** n
    "Wang, Balle, Kasiviswanathan 2019, Subsampled Renyi Differential Privacy and Analytical Moments Accountant, arXiv
        1808.00087: Theorem 9 with pure DP, bounded by one power"
    "left 302.6, right 54.6, at {'n': 2, 'g': 1, 'eps': 2}"
counting-factorization:
     => Sum((binomial(2 * j, j) / 4**j) ** 2, (j, 0, n - 1)) <= R(11, 10) + log(n) / pi
    =/> Sum((binomial(2 * j, j) / 4**j) ** 2, (j, 0, n - 1)) <= 1 + log(n) / pi
    "Fichtenberger, Henzinger, Upadhyay 2022, Constant Matters: Fine-grained Complexity of Private Continual
        Observation, arXiv 2202.11205: Theorem 1, the norm of the square root of the counting matrix"
    "left 1.25, right 1.2206, at {'n': 2}"
permute-and-flip-error: q > 0, q <= 1
     => (1 - (1 - q) ** n) / (n * q) >= 1 / (1 + (n - 1) * q)
    =/> (1 - (1 - q) ** n) / (n * q) >= 1 / (1 + (n - 1) * q / 2)
    "McKenna and Sheldon 2020, Permute-and-Flip, arXiv 2010.12603: the worst case scores: expected errors of both
        mechanisms"
    "left 0.75, right 0.8, at {'n': 2, 'q': 1/2}"
gaussian-scales-renyi: alpha > 1
     => t - log(alpha + (1 - alpha) * exp(-2 * t)) / (2 * (alpha - 1)) <= alpha * t**2
    =/> t - log(alpha + (1 - alpha) * exp(-2 * t)) / (2 * (alpha - 1)) <= R(9, 10) * alpha * t**2
    "Geumlek, Song, Chaudhuri 2017, Renyi Differential Privacy Mechanisms for Posterior Sampling, arXiv 1710.00892:
        Renyi divergence in an exponential family: N(0, exp(-2t)) against N(0, 1)"
    "left 0.000196, right 0.00018, at {'alpha': 2, 't': 1/100}"
moments-to-tail: c > 0, eps > c
     => Infimum(exp(c * x * (x + 1) - x * eps), (x, 0, oo)) <= exp(-((eps - c) ** 2) / (4 * c))
    =/> Infimum(exp(c * x * (x + 1) - x * eps), (x, 0, oo)) <= exp(-(eps**2) / (4 * c))
    "Abadi et al. 2016, Deep Learning with Differential Privacy, arXiv 1607.00133: Theorem 2.2, the tail bound for a
        quadratic log moment"
    "the least value is exp(-1/4) = 0.779, right 0.368, at {'c': 1, 'eps': 2}"
vinterbo-scale: eps > 0, delta > 0, delta < R(1, 2), g > 0
     => GaussianDelta(eps, g * (sqrt(zz + eps) + sqrt(zz)) / (eps * sqrt(2)), g) <= delta
    =/> GaussianDelta(eps, g * (sqrt(pi / 4 * zz + eps) + sqrt(pi / 4 * zz)) / (eps * sqrt(2)), g) <= delta
    "Vinterbo 2020, A closed form scale bound for the (eps, delta)-differentially private Gaussian Mechanism, arXiv
        2012.10523: the main theorem, delta <= 1/2"
    "a = pi/4 is for delta > 1/2 (with the other sign); left is 9.6e-9, at {'eps': 60, 'delta': 1/1000000000, 'g': 1}"
hidden-state-below-composition: c > 0, c < 1, s > 0, sigma > 0
     => hidden_state_mu(c, s, sigma, n) <= s * sqrt(n) / sigma
    =/> hidden_state_mu(c, s, sigma, n) <= s * sqrt(R(9, 10) * n) / sigma
    "Bok, Su, Altschuler 2024, Shifted Interpolation for Differential Privacy, arXiv 2403.00278: Theorem 4.2 against
        plain composition"
    "squares 1.99995 and 1.8, at {'c': 99/100, 's': 1, 'sigma': 1, 'n': 2}"
geometric-variance: eps > 0
     => 2 * tanh(eps / 2) * Sum(ell**2 * exp(-ell * eps), (ell, 1, oo)) <= 2 / eps**2
    =/> 2 * tanh(eps / 2) * Sum(ell**2 * exp(-ell * eps), (ell, 1, oo)) <= R(19, 10) / eps**2
    "Ghosh, Roughgarden, Sundararajan 2009, Universally Utility-Maximizing Privacy Mechanisms, arXiv 0811.2841: the
        two-sided geometric law: its variance is below that of Laplace noise"
    "left 199.83, right 190, at {'eps': 1/10}"
exponential-mechanism-zcdp: alpha > 1, eta > 0, t <= eta
     => qt * exp(alpha * t) + (1 - qt) * exp(alpha * (t - eta)) <= exp(alpha * (alpha - 1) * eta**2 / 8)
    =/> qt * exp(alpha * t) + (1 - qt) * exp(alpha * (t - eta)) <= exp(alpha * (alpha - 1) * eta**2 / 9)
    "Rogers and Steinke 2021, A Better Privacy Analysis of the Exponential Mechanism, differentialprivacy.org: bounded
        range eta is eta^2/8-zCDP: the moment of the worst pair"
    "left 1.2552, right 1.2488, at {'alpha': 2, 'eta': 1, 't': 1/2}"
composed-response-distance: eps > 0
     => Sum(binomial(n, j) * Max(exp(j * eps) - exp((n - j) * eps), 0), (j, 0, n)) / (1 + exp(eps)) ** n <= sqrt(n * eps * tanh(eps / 2) /
           2)
    =/> Sum(binomial(n, j) * Max(exp(j * eps) - exp((n - j) * eps), 0), (j, 0, n)) / (1 + exp(eps)) ** n <= sqrt(R(9, 20) * n * eps *
           tanh(eps / 2))
    "Kairouz, Oh, Viswanath 2015, The Composition Theorem for Differential Privacy, arXiv 1311.0776: Theorem 3.3 at eps
        = 0: the delta of n randomized responses, by Pinsker"
    "left 0.04996, right 0.04741, at {'n': 1, 'eps': 1/10}"
krr-exact-zcdp: alpha > 1, eps > 0, k >= 2, k <= 6
     => log((exp(alpha * eps) + exp((1 - alpha) * eps) + k - 2) / (exp(eps) + k - 1)) / (alpha - 1) <= alpha * eps * (exp(eps) - 1) /
           (exp(eps) + k - 1)
    ; alpha > 1, eps > 0, k >= 2, k <= 10
    =/> log((exp(alpha * eps) + exp((1 - alpha) * eps) + k - 2) / (exp(eps) + k - 1)) / (alpha - 1) <= alpha * eps * (exp(eps) - 1) /
           (exp(eps) + k - 1)
    "Harrison and Manurangsi 2025, Exact zCDP Characterizations for Fundamental Differentially Private Mechanisms, arXiv
        2510.25746: the theorem on k-ary randomized response, k <= 6"
    "k up to 10: left 0.2961, right 0.2933, at {'alpha': 2, 'eps': 1, 'k': 10}"
shuffled-bits-tail:
     => Sum(binomial(4 * m, j), (j, 0, m)) <= 16**m * exp(-m / 2)
    =/> Sum(binomial(4 * m, j), (j, 0, m)) <= 16**m * exp(-3 * m / 5)
    "Cheu, Smith, Ullman, Zeber, Zhilyaev 2019, Distributed Differential Privacy via Shuffling, arXiv 1808.01375: the
        Chernoff step of the privacy proof: Pr(Bin(4m, 1/2) <= m)"
    "the tail decays like exp(-0.523 m)/sqrt(m), at {'m': 40}"
poisson-tail: lam > 0, lam <= n
     => Sum(exp(-lam) * lam**ell / factorial(ell), (ell, n, oo)) <= exp(n - lam) * (lam / n) ** n
    =/> Sum(exp(-lam) * lam**ell / factorial(ell), (ell, n, oo)) <= exp(-lam) * (2 * lam / n) ** n
    "Ghazi, Kumar, Manurangsi, Pagh 2020, Private Counting from Anonymous Messages, ICML: Chernoff bound of the Poisson
        noise"
    "ratio (1/10!)/(2/10)^10 = 2.69, at {'n': 10, 'lam': 1/10}"
sampling-monotone: q > 0, q <= r, r <= 1, eps >= 0
     => q * log(1 + r * (exp(eps) - 1)) <= r * log(1 + q * (exp(eps) - 1))
    ; q > 0, q <= r + R(1, 10), r > 0, r <= 1, eps >= 0
    =/> q * log(1 + r * (exp(eps) - 1)) <= r * log(1 + q * (exp(eps) - 1))
    "Li, Qardaji, Su 2012, On Sampling, Anonymization, and Differential Privacy, arXiv 1101.2604: Theorem 1: the
        amplified eps per rate decreases in the rate"
    "left 0.37207, right 0.35426, at {'q': 3/5, 'r': 1/2, 'eps': 1}"
tcdp-sampling: q > 0, q <= R(1, 10), sigma > 0, sigma**2 >= 5, alpha > 1, alpha <= sigma**2 * log(1 / q) / 2
     => SampledGaussianRenyi(alpha, sigma, q, "remove") <= 13 * q**2 * alpha / (2 * sigma**2)
    =/> SampledGaussianRenyi(alpha, sigma, q, "remove") <= R(9, 10) * q**2 * alpha / (2 * sigma**2)
    "Bun, Dwork, Rothblum, Steinke 2018, Composable and Versatile Privacy via Truncated CDP, STOC: Theorem 11 (13 s^2
        rho), for the Poisson-sampled Gaussian"
    "left 0.001174, right 0.001, at {'q': 1/10, 'sigma': 3, 'alpha': 2}"
laplace-profile: b > 0, eps >= 0, eps <= g / b, g > 0
     => HockeyStick(eps, laplace_density(x, g, b), laplace_density(x, 0, b), (x, -oo, oo)) <= 1 - exp((eps - g / b) / 2)
    =/> HockeyStick(eps, laplace_density(x, g, b), laplace_density(x, 0, b), (x, -oo, oo)) <= 1 - exp((eps - g / b) / 3)
    "Balle, Barthe, Gaboardi 2018, Privacy Amplification by Subsampling, arXiv 1807.01647: Theorem 3, the privacy
        profile of Laplace noise"
    "left 0.3935, right 0.2835, at {'b': 1, 'g': 1, 'eps': 0}"
gdp-composition-of-two: a > 0, a < 1, mu > 0, nu > 0
     => gaussian_tradeoff(a, sqrt(mu**2 + nu**2)) >= gaussian_tradeoff(a, R(3, 2) * Max(mu, nu))
    =/> gaussian_tradeoff(a, sqrt(mu**2 + nu**2)) >= gaussian_tradeoff(a, R(7, 5) * Max(mu, nu))
    "Dong, Roth, Su 2022, Gaussian Differential Privacy, arXiv 1905.02383: Corollary 3.3 for two mechanisms, with the
        larger mu"
    "Phi(-1.41421) < Phi(-1.4), at {'a': 1/2, 'mu': 1, 'nu': 1}"
exponential-utility-three:
     => (a * exp(a) + b * exp(b) + c * exp(c)) / (exp(a) + exp(b) + exp(c)) >= Max(a, b, c) - log(3)
    =/> (a * exp(a) + b * exp(b) + c * exp(c)) / (exp(a) + exp(b) + exp(c)) >= Max(a, b, c) - R(2, 5)
    "McSherry and Talwar 2007, Mechanism Design via Differential Privacy, FOCS: Theorem 8, the expected score, three
        outcomes"
    "left -0.463, right -0.4, at {'a': 0, 'b': -3/2, 'c': -3/2}"
group-delta-sum: eps >= 0, delta > 0
     => delta * Sum(exp(j * eps), (j, 0, k - 1)) >= k * delta * exp((k - 1) * eps / 2)
    =/> delta * Sum(exp(j * eps), (j, 0, k - 1)) >= k * delta * exp(R(11, 20) * (k - 1) * eps)
    "Vadhan 2017, The Complexity of Differential Privacy: Lemma 2.2, the group delta from below"
    "times 10: left 2.2214, right 2.2326, at {'k': 2, 'eps': 1/5, 'delta': 1/10}"
sampled-add-below-remove: alpha > 1, sigma > 0, q >= 0, q <= 1
     => SampledGaussianRenyi(alpha, sigma, q, "add") <= SampledGaussianRenyi(alpha, sigma, q, "remove")
    =/> SampledGaussianRenyi(alpha, sigma, q, "remove") <= SampledGaussianRenyi(alpha, sigma, q, "add")
    "Mironov, Talwar, Zhang 2019, Renyi Differential Privacy of the Sampled Gaussian Mechanism, arXiv 1908.10530:
        Theorem 5"
    "remove: log(1 + (e-1)/4) = 0.3574; add is smaller, at {'alpha': 2, 'sigma': 1, 'q': 1/2}"
# family
bretagnolle-huber: P, Q
     => Sum(Abs(P[i] - Q[i]), over) / 2 <= sqrt(1 - exp(-KLDivergence(P, Q)))
    =/> Sum(Abs(P[i] - Q[i]), over) / 2 <= sqrt(1 - exp(-KLDivergence(P, Q) / 2))
    "Canonne 2022, A short note on an inequality between KL and TV, arXiv 2202.07198: Theorem (Bretagnolle-Huber)"
    "left 0.98, right 0.946, at {'n': 2, 'P': [99/100, 1/100], 'Q': [1/100, 99/100]}"
renyi-to-delta: P, Q, alpha > 1, eps >= 0
     => HockeyStick(eps, P, Q) <= RenyiMoment(alpha, P, Q) * exp(-(alpha - 1) * eps) * (1 - 1 / alpha) ** alpha / (alpha - 1)
    =/> HockeyStick(eps, P, Q) <= R(9, 10) * RenyiMoment(alpha, P, Q) * exp(-(alpha - 1) * eps) * (1 - 1 / alpha) ** alpha / (alpha - 1)
    "Asoodeh, Liao, Calmon, Kosut, Sankar 2020, A Better Bound Gives a Hundred Rounds, arXiv 2001.05990: conversion from
        a Renyi divergence to delta"
    "left 0.49884, right 0.449, at {'n': 2, 'alpha': 2, 'eps': 1, 'P': [999/1000, 1/1000], 'Q': [23/125, 102/125]}"
probability-preservation: P, Q, alpha > 1, m <= n
     => Sum(P[i], (i, 1, m)) ** alpha <= RenyiMoment(alpha, P, Q) * Sum(Q[i], (i, 1, m)) ** (alpha - 1)
    =/> Sum(P[i], (i, 1, m)) ** alpha <= RenyiMoment(alpha, P, Q) * Sum(Q[i], (i, 1, m)) ** alpha
    "Langlois, Stehle, Steinfeld 2014, GGHLite, EUROCRYPT: Lemma 4.1, probability preservation (also Mironov 2017,
        Proposition 10)"
    "left 0.36, right 0.26, at {'n': 2, 'm': 1, 'alpha': 2, 'P': [3/5, 2/5], 'Q': [1/2, 1/2]}"
hockey-stick-triangle: p0, q0, s0, eps >= 0, eta >= 0
     => HockeyStick(eps + eta, p0, s0) <= HockeyStick(eps, p0, q0) + exp(eps) * HockeyStick(eta, q0, s0)
    =/> HockeyStick(eps + eta, p0, s0) <= HockeyStick(eps, p0, q0) + HockeyStick(eta, q0, s0)
    "Liu, Cuff, Verdu 2015, E_gamma-Resolvability, arXiv 1511.07829: Proposition on E_gamma, triangle inequality; group
        privacy"
    "left 0.4, right 0.3, at {'n': 2, 'eps': 1/2, 'eta': 0, 'p0': [2/5, 3/5], 'q0': [3/10, 7/10], 's0': [0, 1]}"
advanced-joint-convexity: p0, q0, s0, eps >= 0, r >= 0, r <= 1
     => HockeyStick(eprime, r * p0 + (1 - r) * s0, r * q0 + (1 - r) * s0) <= r * ((1 - share) * HockeyStick(eps, p0, s0) + share *
           HockeyStick(eps, p0, q0))
    =/> HockeyStick(eprime, r * p0 + (1 - r) * s0, r * q0 + (1 - r) * s0) <= r * share * HockeyStick(eps, p0, q0)
    "Balle, Barthe, Gaboardi 2018, Privacy Amplification by Subsampling, arXiv 1807.01647: Theorem 2"
    "left 0.0176, right 0, at {'n': 2, 'eps': 1, 'r': 1/2, 'p0': [1/2, 1/2], 'q0': [1/4, 3/4], 's0': [0, 1]}"
local-privacy-distance: P, Q, eps >= 0, for_each(over, P[i] <= exp(eps) * Q[i]), for_each(over, Q[i] <= exp(eps) * P[i])
     => Sum(Abs(P[i] - Q[i]), over) / 2 <= (exp(eps) - 1) / (exp(eps) + 1)
    =/> Sum(Abs(P[i] - Q[i]), over) / 2 <= (exp(eps) - 1) / (exp(eps) + 2)
    "Kairouz, Oh, Viswanath 2014, Extremal Mechanisms for Local Differential Privacy, arXiv 1407.1338: total variation
        of the outputs of an eps-LDP channel"
    "left 0.46, right 0.364, at {'n': 2, 'eps': 1, 'P': [73/100, 27/100], 'Q': [27/100, 73/100]}"
pure-to-kl: P, Q, eps >= 0, for_each(over, P[i] <= exp(eps) * Q[i]), for_each(over, Q[i] <= exp(eps) * P[i])
     => KLDivergence(P, Q) <= eps * (exp(eps) - 1) / (exp(eps) + 1)
    =/> KLDivergence(P, Q) <= R(9, 10) * eps * (exp(eps) - 1) / (exp(eps) + 1)
    "Steinke 2022, Composition of Differential Privacy and Privacy Amplification by Subsampling, arXiv 2210.00597:
        expected privacy loss of pure DP"
    "left 0.4575, right 0.4159, at {'n': 2, 'eps': 1, 'P': [73/100, 27/100], 'Q': [27/100, 73/100]}"
mixing-contracts-kl: p0, Q, s0, r > 0, r < 1
     => KLDivergence(r * p0 + (1 - r) * s0, r * Q + (1 - r) * s0) <= r * KLDivergence(p0, Q)
    =/> KLDivergence(r * p0 + (1 - r) * s0, r * Q + (1 - r) * s0) <= r**2 * KLDivergence(p0, Q)
    "Balle, Barthe, Gaboardi, Geumlek 2019, Privacy Amplification by Mixing and Diffusion Mechanisms, arXiv 1905.12264:
        a Doeblin minorised kernel contracts a divergence"
    "left log(4/3) = 0.2877, right 0.1733, at {'n': 2, 'r': 1/2, 'p0': [1, 0], 's0': [1, 0], 'Q': [1/2, 1/2]}"
le-cam: p0, q0
     => Sum(Abs(p0[i] - q0[i]), over) / 2 <= sqrt(1 - Sum(sqrt(p0[i] * q0[i]), over) ** 2)
    =/> Sum(Abs(p0[i] - q0[i]), over) / 2 <= sqrt(1 - Sum(sqrt(p0[i] * q0[i]), over))
    "Canonne, Kamath, McMillan, Smith, Ullman 2019, The Structure of Optimal Private Tests for Simple Hypotheses, arXiv
        1811.11148: total variation by the Hellinger affinity"
    "left 0.8, right 0.632, at {'n': 2, 'p0': [9/10, 1/10], 'q0': [1/10, 9/10]}"
renyi-weak-triangle: P, Q, S, alpha > 1
     => RenyiDivergence(alpha, P, Q) <= (alpha - R(1, 2)) / (alpha - 1) * RenyiDivergence(2 * alpha, P, S) + RenyiDivergence(2 * alpha - 1,
           S, Q)
    =/> RenyiDivergence(alpha, P, Q) <= RenyiDivergence(alpha, P, S) + RenyiDivergence(alpha, S, Q)
    "Mironov 2017, Renyi Differential Privacy, arXiv 1702.07476: Proposition 11"
    "left 2.093, right 1.516, at {'n': 2, 'alpha': 2, 'P': [9/10, 1/10], 'S': [1/2, 1/2], 'Q': [1/10, 9/10]}"
gibbs-variational: sums_to_one(W, over)
     => Sum(W[i] * U[i], over) - Sum(W[i] * log(W[i]), over) <= log(Sum(exp(U[i]), over))
    =/> Sum(W[i] * U[i], over) - 2 * Sum(W[i] * log(W[i]), over) <= log(Sum(exp(U[i]), over))
    "Wang, Fienberg, Smola 2015, Privacy for Free: Posterior Sampling and Stochastic Gradient Monte Carlo, arXiv
        1502.07645: the exponential mechanism maximises score plus entropy (utility of one posterior sample)"
    "2 log 2 against log 2, at {'n': 2, 'W': [1/2, 1/2], 'U': [0, 0]}"
chapman-robbins: P, Q
     => Sum((P[i] - Q[i]) * U[i], over) ** 2 <= (RenyiMoment(2, P, Q) - 1) * (Sum(Q[i] * U[i] ** 2, over) - Sum(Q[i] * U[i], over) ** 2)
    =/> 2 * Sum((P[i] - Q[i]) * U[i], over) ** 2 <= (RenyiMoment(2, P, Q) - 1) * (Sum(Q[i] * U[i] ** 2, over) - Sum(Q[i] * U[i], over) ** 2)
    "Guo, Karrer, Chaudhuri, van der Maaten 2022, Bounding Training Data Reconstruction in Private (Deep) Learning,
        arXiv 2201.12383: Hammersley-Chapman-Robbins bound"
    "left 0.125, right 0.0625 (n = 2 gives equality in the lemma), at {'n': 2, 'P': [3/4, 1/4], 'Q': [1/2, 1/2], 'U':
        [1, 0]}"
""",
)
