"""Forty lemmas of 37 papers, each with a false twin, written from the page on the claim language alone.

Nothing was mended after them. What they may say was known from docs/claim-language.md alone. Places in papers are from memory. Before the
engine saw them, every lemma held at random points and on boundaries of its domain, and every twin failed at the point that is noted, both
by a program in mpmath.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

x, y, z, s = real("x y z s")
a, b, c, d = real("a b c d")
t = nonnegative("t")
u = real("u")
alpha, sigma, delta, eps, eta, mu = real("alpha sigma delta eps eta mu")
q, r = real("q r")
n, m = positive_integer("n m")
i = index("i")
j = index("j", start=0)
gam, lam, g = real("gam lam g")
pos = family("pos", "positive")
P, Q, T = laws("P Q T", (i, 1, n))
U, V = laws("U V", (i, 1, n), "positive")


def arsinh(y):
    """The inverse of sinh."""
    return log(y + sqrt(1 + y**2))


def level(r, eps):
    """The privacy of an eps-private mechanism on a sample of rate r."""
    return log(1 + r * (exp(eps) - 1))


def weight(r, eps):
    """The weight of the neighbouring part in advanced joint convexity."""
    return (1 + r * (exp(eps) - 1)) / exp(eps)


LEMMAS = lemmas_in(
    globals(),
    """
# everyday
bounded-range-kl: eps > 0
     => eps / (exp(eps) - 1) - 1 - log(eps / (exp(eps) - 1)) <= eps ** 2 / 8
    =/> eps / (exp(eps) - 1) - 1 - log(eps / (exp(eps) - 1)) <= eps ** 2 / 9
    "Dong, Durfee, Rogers: Optimal differential privacy composition for exponential mechanisms, 2020: Lemma 3.2 and
        Corollary 3.1 (KL divergence of a bounded-range mechanism)"
    "0.123 > 1/9 At {eps: 1}."
pure-dp-is-gdp-linear: eps >= 0
     => exp(eps) / (1 + exp(eps)) <= NormalCDF(sqrt(2 * pi) * eps / 4)
    =/> exp(eps) / (1 + exp(eps)) <= NormalCDF(sqrt(2 * pi) * eps / 5)
    "Liu, Sun, Jiang, Kong et al.: Identification, amplification and measurement: a bridge to Gaussian differential
        privacy, 2022: mu = 2 Phi^{-1}(e^eps / (1 + e^eps)) is at most sqrt(pi/2) eps"
    "0.622 > 0.599 At {eps: R(1, 2)}."
subset-selection-risk: eps > 0
     => 4 * exp(eps) / (exp(eps) - 1) ** 2 >= 4 / eps ** 2 - R(1, 3)
    =/> 4 * exp(eps) / (exp(eps) - 1) ** 2 >= 4 / eps ** 2 - R(3, 10)
    "Ye, Barg: Optimal schemes for discrete distribution estimation under locally differential privacy, 2018: Section IV,
        the risk 4 e^eps / (e^eps - 1)^2 at high privacy"
    "3.683 < 3.7 At {eps: 1}."
student-noise-slope: d > 0
     => (d + 1) * Abs(x) / (d + x ** 2) <= (d + 1) / (2 * sqrt(d))
    =/> (d + 1) * Abs(x) / (d + x ** 2) <= (d + 1) / (2 * sqrt(d) + R(1, 10))
    "Bun, Steinke: Average-case averages: private algorithms for smooth sensitivity and mean estimation, 2019: Section 3.1,
        Student's t noise (translation)"
    "1 > 2/2.1 At {d: 1, x: -1}."
poisson-rdp-leading-term: alpha > 1, gam >= 0, gam <= 1
     => (1 - gam) ** (alpha - 1) * (alpha * gam - gam + 1) <= 1
    =/> (1 - gam) ** (alpha - 1) * (alpha * gam + 1) <= 1
    "Zhu, Wang: Poisson subsampled Renyi differential privacy, 2019: Theorem 5, the first two terms"
    "(9/10)(12/10) = 1.08 > 1 At {alpha: 2, gam: R(1, 10)}."
subsampled-clt-two-formulas: x >= 0
     => exp(x ** 2) - 1 <= 2 * (exp(x ** 2) * NormalCDF(3 * x / 2) + 3 * NormalCDF(-x / 2) - 2)
    =/> R(11, 10) * (exp(x ** 2) - 1) <= 2 * (exp(x ** 2) * NormalCDF(3 * x / 2) + 3 * NormalCDF(-x / 2) - 2)
    "Dong, Roth, Su: Gaussian differential privacy, 2019/2022: Corollary 5.4 (symmetrised subsampling), against the
        Poisson constant e^{1/sigma^2} - 1 of Bu, Dong, Long, Su"
    "0.011055 > 0.010851 At {x: R(1, 10)}."
permute-and-flip-beats-exponential: b >= 0, b <= 1
     => 1 - (1 - b) ** n >= n * b / (1 + (n - 1) * b)
    =/> 1 - (1 - b) ** n >= n * b / (1 + R(9, 10) * (n - 1) * b)
    "McKenna, Sheldon: Permute-and-flip: a new mechanism for differentially private selection, 2020: Proposition 3 and
        Theorem 2 (worst case, b = e^{-eps gap / 2})"
    "1 < 2/1.9 At {n: 2, b: 1}."
audit-gaussian-tradeoff-floor: a > 0, a < 1, mu >= 0
     => NormalCDF(NormalQuantile(1 - a) - mu) >= 1 - a - mu / sqrt(2 * pi)
    =/> NormalCDF(NormalQuantile(1 - a) - mu) >= 1 - a - R(9, 10) * mu / sqrt(2 * pi)
    "Nasr, Hayes, Steinke, Balle, Tramer, Jagielski, Carlini, Terzis: Tight auditing of differentially private machine
        learning, 2023: Section 4, false negatives of a mu-GDP mechanism at false positive rate a"
    "0.30854 < 0.32048 At {a: R(1, 2), mu: R(1, 2)}."
contraction-shift-allocation: c > 0, c < 1
     => c ** (2 * n) * (1 - c ** 2) / (1 - c ** (2 * n)) <= c ** (n + 1) / n
    =/> c ** (2 * n) * (1 - c ** 2) / (1 - c ** (2 * n)) <= c ** (n + 2) / n
    "Altschuler, Bok, Talwar: On the privacy of noisy stochastic gradient descent for convex optimization, 2024:
        strongly convex case, the optimal shifts of a c-contraction over n steps"
    "1/4 > 1/8 At {n: 1, c: R(1, 2)}."
piecewise-beats-duchi: eps >= R(13, 10)
     => 4 * exp(eps / 2) / (3 * (exp(eps / 2) - 1) ** 2) <= ((exp(eps) + 1) / (exp(eps) - 1)) ** 2
    ; eps >= R(5, 4) =/> 4 * exp(eps / 2) / (3 * (exp(eps / 2) - 1) ** 2) <= ((exp(eps) + 1) / (exp(eps) - 1)) ** 2
    "Wang, Xiao, Yang, Zhao, Hui, Shin, Shin, Yu: Collecting and analyzing multidimensional data with local differential
        privacy, 2019: Lemma 1 and Section III (worst-case variances, eps* = 1.29)"
    "3.3044 > 3.2512 At {eps: R(5, 4)}."
sampled-level-second-order: q >= R(1, 2), q <= 1, eps >= 0
     => log(1 + q * (exp(eps) - 1)) <= q * eps + q * (1 - q) * eps ** 2 / 2
    ; q >= R(2, 5), q <= 1, eps >= 0 =/> log(1 + q * (exp(eps) - 1)) <= q * eps + q * (1 - q) * eps ** 2 / 2
    "Balle, Barthe, Gaboardi: Privacy amplification by subsampling: tight analyses via couplings and divergences, 2018:
        Theorem 8, expansion of log(1 + q(e^eps - 1)) at large q"
    "0.523137 > 0.52 At {q: R(2, 5), eps: 1}."
randomized-response-renyi-slope: eps >= 0, alpha > 1
     => log(cosh((2 * alpha - 1) * eps / 2) / cosh(eps / 2)) <= alpha * (alpha - 1) * eps * tanh(eps / 2)
    =/> log(cosh((2 * alpha - 1) * eps / 2) / cosh(eps / 2)) <= R(9, 10) * alpha * (alpha - 1) * eps * tanh(eps / 2)
    "Bun, Steinke: Concentrated differential privacy: simplifications, extensions, and lower bounds, 2016: proof of
        Proposition 3.3 (sharper than alpha eps^2 / 2)"
    "0.0892 > 0.0827 At {eps: R(1, 2), alpha: R(3, 2)}."
depolarizing-twice: b > 0, b <= 1, d >= 1
     => log(1 + d * (1 - b) ** 2 / (1 - (1 - b) ** 2)) <= log(1 + d * (1 - b) / (2 * b))
    =/> log(1 + d * (1 - b) ** 2 / (1 - (1 - b) ** 2)) <= log(1 + R(9, 10) * d * (1 - b) / (2 * b))
    "Hirche, Rouze, Stilck Franca: Quantum differential privacy: an information theory perspective, 2023: Section IV, the
        level log(1 + d(1-b)/b) of global depolarizing noise, applied twice"
    "log(10.256) > log(9.55) At {b: R(1, 20), d: 1}."
# hard
clones-bracket-at-the-edge: eps >= 0, delta > 0, delta <= 1, exp(eps) <= n / (16 * log(2 / delta))
     => 8 * sqrt(exp(eps) * log(4 / delta) / n) + 8 * exp(eps) / n <= 2 * sqrt(2) + 1 / (2 * log(2))
    =/> 8 * sqrt(exp(eps) * log(4 / delta) / n) + 8 * exp(eps) / n <= 2 * sqrt(2) + R(7, 10)
    "Feldman, McMillan, Talwar: Hiding among the clones: a simple and nearly optimal analysis of privacy amplification by
        shuffling, 2021: Theorem 3.1 under its condition eps <= log(n / (16 log(2/delta)))"
    "n = 1000000, e^eps just below n / (16 log 2) = 90168.4: 3.5497 > 3.5284 At {n: 1000000, eps: log(90168), delta: 1}."
student-noise-dilation: d >= 1
     => Abs(s - (d + 1) / 2 * log((d + exp(2 * s) * x ** 2) / (d + x ** 2))) <= d * Abs(s)
    ; d >= R(9, 10) =/> Abs(s - (d + 1) / 2 * log((d + exp(2 * s) * x ** 2) / (d + x ** 2))) <= d * Abs(s)
    "Bun, Steinke: Average-case averages: private algorithms for smooth sensitivity and mean estimation, 2019: Section 3.1,
        Student's t noise (dilation)"
    "1 > 9/10 At {d: R(9, 10), s: 1, x: 0}."
discrete-gaussian-variance: sigma > 0
     => 2 * Sum(i ** 2 * exp(-i ** 2 / (2 * sigma ** 2)), (i, 1, oo)) <= sigma ** 2 * (1 + 2 * Sum(exp(-i ** 2 / (2 *
        sigma ** 2)), (i, 1, oo)))
    =/> 2 * Sum(i ** 2 * exp(-i ** 2 / (2 * sigma ** 2)), (i, 1, oo)) <= R(9, 10) * sigma ** 2 * (1 + 2 * Sum(exp(-i ** 2
        / (2 * sigma ** 2)), (i, 1, oo)))
    "Canonne, Kamath, Steinke: The discrete Gaussian for differential privacy, 2020: Corollary 9 (variance at most
        sigma^2)"
    "sigma = 2: both sums agree to many digits, so 1 > 9/10 At {sigma: 2}."
square-root-column-norm: n >= 1
     => Sum((binomial(2 * j, j) / 4 ** j) ** 2, (j, 0, n - 1)) <= 1 + log((4 * n - 1) / 3) / pi
    =/> Sum((binomial(2 * j, j) / 4 ** j) ** 2, (j, 0, n - 1)) <= 1 + log((4 * n - 1) / 3) / (R(6, 5) * pi)
    "Fichtenberger, Henzinger, Upadhyay: Constant matters: fine-grained error bound on differentially private continual
        observation, 2023: Theorem 1, norm of the square root of the counting matrix"
    "5/4 > 1.2248 At {n: 2}."
svt-optimal-allocation: a > 0, b > 0, c > 0
     => 1 / a ** 2 + (2 * c) ** 2 / b ** 2 >= (1 + (2 * c) ** R(2, 3)) ** 3 / (a + b) ** 2
    =/> 1 / a ** 2 + (2 * c) ** 2 / b ** 2 >= (1 + (2 * c) ** R(2, 3)) ** R(31, 10) / (a + b) ** 2
    "Lyu, Su, Li: Understanding the sparse vector technique for differential privacy, 2017: Section 4.2, allocation
        eps_1 : eps_2 = 1 : (2c)^{2/3}"
    "c = 4, budgets 1 : 4 = 1 : 8^{2/3}: 5 < 5^{1.1} At {a: 1, b: 4, c: 4}."
sinh-normal-window: c > 0, d >= 0
     => arsinh((x + d) / c) - arsinh(x / c) <= 2 * arsinh(d / (2 * c))
    =/> arsinh((x + d) / c) - arsinh(x / c) <= R(19, 10) * arsinh(d / (2 * c))
    "Bun, Dwork, Rothblum, Steinke: Composable and versatile privacy via truncated CDP, 2018: Section 4, sinh-normal noise
        A arsinh(Z/A)"
    "0.9624 > 0.9143 At {x: -1, d: 2, c: 2}."
negative-binomial-repetition: gam > 0, gam <= 1, q >= 0, q <= 1, r >= 0, r <= 1, eps >= 0, eta >= -1, 1 - r <= exp(eps) *
        (1 - q)
     => ((1 - (1 - gam) * r) / (1 - (1 - gam) * q)) ** (eta + 1) <= exp((eta + 1) * eps)
    =/> ((1 - (1 - gam) * r) / (1 - (1 - gam) * q)) ** (eta + 1) <= exp((eta + R(9, 10)) * eps)
    "Papernot, Steinke: Hyperparameter tuning with Renyi differential privacy, 2022: Lemma 7 and Corollary 3 (derivative
        of the generating function of a truncated negative binomial)"
    "((0.01 + 0.99)/(0.01 + 0.99/2))^2 = 3.92 > 2^{1.9} = 3.73, with e^eps = 2 At {gam: R(1, 100), q: R(1, 2), r: 0, eta:
        1, eps: log(2)}."
honaker-tree-variance: n >= 1
     => Sum(1 / (2 * (1 - 2 ** (-i))), (i, 1, n)) <= n / 2 + R(81, 100)
    =/> Sum(1 / (2 * (1 - 2 ** (-i))), (i, 1, n)) <= n / 2 + R(4, 5)
    "Honaker: Efficient use of differentially private binary trees, 2015: variance 1/(2(1 - 2^{-k})) of a node of height k
        (as in Kairouz et al. 2021, DP-FTRL, Appendix)"
    "5.80286 > 5.8 At {n: 10}."
discrete-gaussian-convolutions: sigma > 0
     => Sum(exp(-2 * pi ** 2 * sigma ** 2 * i / (i + 1)), (i, 1, n)) <= n * exp(-pi ** 2 * sigma ** 2)
    =/> Sum(exp(-2 * pi ** 2 * sigma ** 2 * i / (i + 1)), (i, 1, n)) <= n * exp(-R(11, 10) * pi ** 2 * sigma ** 2)
    "Kairouz, Liu, Steinke: The distributed discrete Gaussian mechanism for federated learning with secure aggregation,
        2021: Theorem 2, tau"
    "the ratio is e^{0.987} At {n: 1, sigma: 1}."
poisson-binomial-renyi: t >= 0, t < R(1, 2), alpha > 1
     => log((R(1, 2) + t) ** alpha * (R(1, 2) - t) ** (1 - alpha) + (R(1, 2) - t) ** alpha * (R(1, 2) + t) ** (1 - alpha))
        <= 8 * alpha * (alpha - 1) * t ** 2 / (1 - 4 * t ** 2)
    =/> log((R(1, 2) + t) ** alpha * (R(1, 2) - t) ** (1 - alpha) + (R(1, 2) - t) ** alpha * (R(1, 2) + t) ** (1 - alpha))
        <= 7 * alpha * (alpha - 1) * t ** 2 / (1 - 4 * t ** 2)
    "Chen, Ozgur, Kairouz: The Poisson binomial mechanism for unbiased federated learning with secure aggregation, 2022:
        Theorem 3.2, one Bernoulli of bias theta"
    "log(1.1667) = 0.154 > 7/48 = 0.146 At {t: R(1, 10), alpha: 2}."
gaussian-delta-half: sigma > 0, d > 0, eps >= d ** 2 / (2 * sigma ** 2)
     => NormalCDF(d / (2 * sigma) - eps * sigma / d) - exp(eps) * NormalCDF(-d / (2 * sigma) - eps * sigma / d) <=
        exp(-(eps * sigma / d - d / (2 * sigma)) ** 2 / 2) / 2
    =/> NormalCDF(d / (2 * sigma) - eps * sigma / d) - exp(eps) * NormalCDF(-d / (2 * sigma) - eps * sigma / d) <= R(9,
        20) * exp(-(eps * sigma / d - d / (2 * sigma)) ** 2 / 2)
    "Zhao, Wang, Bai, Lam, Xu, Shi, Ren, Yang, Liu, Yu: Reviewing and improving the Gaussian mechanism for differential
        privacy, 2019: Theorem 5 (closed-form calibration)"
    "0.5 - 0.0199 = 0.480 > 0.45 At {sigma: 1, d: 20, eps: 200}."
staircase-amplitude: eps > 0, r >= 0, r <= 1
     => 1 / (exp(eps) - 1) + (r ** 2 + exp(-eps) * (1 - r ** 2)) / (2 * (r + exp(-eps) * (1 - r))) >= exp(eps / 2) /
        (exp(eps) - 1)
    =/> 1 / (exp(eps) - 1) + (r ** 2 + exp(-eps) * (1 - r ** 2)) / (2 * (r + exp(-eps) * (1 - r))) >= R(21, 20) * exp(eps
        / 2) / (exp(eps) - 1)
    "Geng, Viswanath: The optimal noise-adding mechanism in differential privacy, 2015: Theorem 4, amplitude of staircase
        noise with step r, least at r = 1/(1 + e^{eps/2})"
    "e^eps = 4: 2/3 < 0.7 At {eps: log(4), r: R(1, 3)}."
gaussian-svt-threshold: x >= 0, s > 0
     => Integral(exp(-z ** 2 / 2) / sqrt(2 * pi) * NormalCDF((x + z) / s), (z, -oo, oo)) <= NormalCDF(x / s)
    ; x >= -R(1, 10), s > 0 =/> Integral(exp(-z ** 2 / 2) / sqrt(2 * pi) * NormalCDF((x + z) / s), (z, -oo, oo)) <=
        NormalCDF(x / s)
    "Zhu, Wang: Improving sparse vector technique with Renyi differential privacy, 2020: Gaussian SVT, a query at distance
        x from a threshold with Gaussian noise"
    "Phi(-0.0707) > Phi(-0.1) At {x: -R(1, 10), s: 1}."
truncated-laplace-amplitude: eps > 0, delta > 0, delta < R(1, 2), d > 0
     => d / eps * (1 - 2 * delta / (exp(eps) - 1) * log(1 + (exp(eps) - 1) / (2 * delta))) <= d * (exp(eps) - 1) / (4 *
        delta * eps)
    =/> d / eps * (1 - 2 * delta / (exp(eps) - 1) * log(1 + (exp(eps) - 1) / (2 * delta))) <= d * (exp(eps) - 1) / (5 *
        delta * eps)
    "Geng, Ding, Guo, Kumar: Tight analysis of privacy and utility tradeoff in approximate differential privacy, 2020:
        Theorem 3, amplitude of truncated Laplace noise"
    "0.605 > 0.526 At {eps: R(1, 10), delta: R(2, 5), d: 1}."
shuffled-bits-level: delta > 0, delta < 1, lam >= 8 * log(2 / delta), lam <= n
     => sqrt(32 * log(4 / delta) / (lam - sqrt(2 * lam * log(2 / delta)))) * (1 - (lam - sqrt(2 * lam * log(2 / delta))) /
        n) <= sqrt(64 * log(4 / delta) / lam) * (1 - lam / (2 * n))
    ; delta > 0, delta < 1, lam >= 7 * log(2 / delta), lam <= n =/> sqrt(32 * log(4 / delta) / (lam - sqrt(2 * lam * log(2
        / delta)))) * (1 - (lam - sqrt(2 * lam * log(2 / delta))) / n) <= sqrt(64 * log(4 / delta) / lam) * (1 - lam / (2
        * n))
    "Cheu, Smith, Ullman, Zeber, Zhilyaev: Distributed differential privacy via shuffling, 2019: Theorem 4.2 and
        Corollary 4.3 (randomized bits, parameter lambda)"
    "log 4 = 1.386: 10 - sqrt(27.7) = 4.735 < 5 At {delta: R(1, 2), lam: 10, n: 100}."
finite-computer-threshold: eps > 0, delta > 0, m >= log(1 / (delta * (1 + exp(-eps)))) / eps
     => Sum(tanh(eps / 2) * exp(-eps * i), (i, m, oo)) <= delta
    ; eps > 0, delta > 0, m >= log(1 / (R(11, 10) * delta * (1 + exp(-eps)))) / eps =/> Sum(tanh(eps / 2) * exp(-eps * i),
        (i, m, oo)) <= delta
    "Balcer, Vadhan: Differential privacy on finite computers, 2019: stability-based histogram, threshold for geometric
        noise"
    "1/4 / (3/2) = 1/6 > 4/25, and 1/(1.1 * 0.16 * 1.5) = 3.79 < 4 At {eps: log(2), delta: R(4, 25), m: 2}."
square-root-as-mixture: n >= 1
     => Integral(u ** (n - R(1, 2)) / (pi * sqrt(1 - u)), (u, 0, 1)) <= 1 / sqrt(pi * (n + R(1, 4)))
    =/> Integral(u ** (n - R(1, 2)) / (pi * sqrt(1 - u)), (u, 0, 1)) <= 1 / sqrt(pi * (n + R(1, 3)))
    "Dvijotham, McMahan, Pillutla, Steinke, Thakurta: Efficient and near-optimal noise generation for streaming
        differential privacy, 2024: Section 3, coefficients of (1-x)^{-1/2} as a mixture of geometric sequences"
    "0.5 > 0.4886 At {n: 1}."
sampled-gaussian-moment-floor: q >= 0, q <= 1, sigma > 0, n >= 2
     => Sum(binomial(n, j) * (1 - q) ** (n - j) * q ** j * exp((j ** 2 - j) / (2 * sigma ** 2)), (j, 0, n)) >= 1 + n * (n
        - 1) / 2 * q ** 2 * (exp(1 / sigma ** 2) - 1)
    =/> Sum(binomial(n, j) * (1 - q) ** (n - j) * q ** j * exp((j ** 2 - j) / (2 * sigma ** 2)), (j, 0, n)) >= 1 + R(11,
        20) * n * (n - 1) * q ** 2 * (exp(1 / sigma ** 2) - 1)
    "Mironov, Talwar, Zhang: Renyi differential privacy of the sampled Gaussian mechanism, 2019: Section 3.3, integer
        orders"
    "1.0172 < 1.0189 At {n: 2, q: R(1, 10), sigma: 1}."
# families
gnmax-union-bound: sigma > 0, g >= 0, for_each((i, 1, n), pos[i] >= g)
     => Sum(erfc(pos[i] / (2 * sigma)), (i, 1, n)) / 2 <= n * exp(-g ** 2 / (4 * sigma ** 2)) / 2
    =/> Sum(erfc(pos[i] / (2 * sigma)), (i, 1, n)) / 2 <= n * exp(-g ** 2 / (3 * sigma ** 2)) / 2
    "Papernot, Song, Mironov, Raghunathan, Talwar, Erlingsson: Scalable private learning with PATE, 2018: Proposition 7
        (q-tilde for Gaussian noisy max, gaps pos)"
    "erfc(5/2) = 0.00041 > e^{-25/3} = 0.00024 At {n: 1, sigma: 1, g: 5, pos: (5,)}."
renyi-event-probability: P, V, alpha > 1, m <= n
     => Sum(P[i], (i, 1, m)) ** alpha <= RenyiMoment(alpha, P, V) * Sum(V[i], (i, 1, m)) ** (alpha - 1)
    =/> Sum(P[i], (i, 1, m)) ** alpha <= RenyiMoment(alpha, P, V) * Sum(V[i], (i, 1, m)) ** (alpha - R(4, 5))
    "Mironov: Renyi differential privacy, 2017: Proposition 10 (probability preservation)"
    "0.5625 > 2.333 * (1/4)^{1.2} = 0.442 At {n: 2, m: 1, alpha: 2, P: (R(3, 4), R(1, 4)), V: (R(1, 4), R(3, 4))}."
ternary-chi-square: P, Q, U
     => Sum((P[i] - Q[i]) ** 2 / U[i], (i, 1, n)) <= 2 * (Sum(P[i] ** 2 / U[i], (i, 1, n)) - 1) + 2 * (Sum(Q[i] ** 2 /
        U[i], (i, 1, n)) - 1)
    =/> Sum((P[i] - Q[i]) ** 2 / U[i], (i, 1, n)) <= R(19, 10) * (Sum(P[i] ** 2 / U[i], (i, 1, n)) - 1) + R(19, 10) *
        (Sum(Q[i] ** 2 / U[i], (i, 1, n)) - 1)
    "Wang, Balle, Kasiviswanathan: Subsampled Renyi differential privacy and analytical moments accountant, 2019: proof of
        Theorem 9, the ternary term of order 2 is at most 4(e^{eps(2)} - 1)"
    "1 > 0.95 At {n: 2, P: (R(3, 4), R(1, 4)), Q: (R(1, 4), R(3, 4)), U: (R(1, 2), R(1, 2))}."
local-channel-second-moment: P, eps >= 0, c > 0, for_each((i, 1, n), pos[i] >= c), for_each((i, 1, n), pos[i] <= c *
        exp(eps))
     => Sum(P[i] * pos[i] ** 2, (i, 1, n)) <= (exp(eps) + 1) ** 2 / (4 * exp(eps)) * Sum(P[i] * pos[i], (i, 1, n)) ** 2
    =/> Sum(P[i] * pos[i] ** 2, (i, 1, n)) <= (exp(eps) + 1) ** 2 / (R(22, 5) * exp(eps)) * Sum(P[i] * pos[i], (i, 1, n))
        ** 2
    "Barnes, Chen, Ozgur: Fisher information under local differential privacy, 2020: proof of Theorem 1 (variance of a
        channel with likelihood ratios in [1, e^eps])"
    "2 > 9/8.8 * 16/9 = 1.818 At {n: 2, eps: log(2), c: 1, pos: (1, 2), P: (R(2, 3), R(1, 3))}."
private-utility-gap: P, Q, eps >= 0, for_each((i, 1, n), P[i] <= exp(eps) * Q[i]), for_each((i, 1, n), Q[i] <= exp(eps) *
        P[i]), for_each((i, 1, n), pos[i] <= 1)
     => Sum(P[i] * pos[i], (i, 1, n)) - Sum(Q[i] * pos[i], (i, 1, n)) <= tanh(eps / 2)
    =/> Sum(P[i] * pos[i], (i, 1, n)) - Sum(Q[i] * pos[i], (i, 1, n)) <= R(9, 10) * tanh(eps / 2)
    "Kairouz, Oh, Viswanath: Extremal mechanisms for local differential privacy, 2016: total variation of eps-private
        outputs (gain from a lie, McSherry and Talwar 2007)"
    "with payoffs 1 and 1/100: 0.33 > 0.3 At {n: 2, eps: log(2), P: (R(2, 3), R(1, 3)), Q: (R(1, 3), R(2, 3)), pos: (1,
        R(1, 100))}."
advanced-joint-convexity: P, Q, T, eps >= 0, r >= 0, r <= 1
     => HockeyStick(level(r, eps), r * P + (1 - r) * T, r * Q + (1 - r) * T) <= r * ((1 - weight(r, eps)) *
        HockeyStick(eps, P, T) + weight(r, eps) * HockeyStick(eps, P, Q))
    =/> HockeyStick(R(9, 10) * level(r, eps), r * P + (1 - r) * T, r * Q + (1 - r) * T) <= r * ((1 - weight(r, eps)) *
        HockeyStick(eps, P, T) + weight(r, eps) * HockeyStick(eps, P, Q))
    "Balle, Barthe, Gaboardi: Privacy amplification by subsampling: tight analyses via couplings and divergences, 2018:
        Theorem 2"
    "P = (2/3, 1/3), Q = T = (1/3, 2/3): at eps = log 2 the right side is 0 and the left is positive At {n: 2, eps:
        log(2), r: R(1, 2), P: (R(2, 3), R(1, 3)), Q: (R(1, 3), R(2, 3)), T: (R(1, 3), R(2, 3))}."
renyi-weak-triangle: P, U, V, alpha > 1
     => RenyiDivergence(alpha, P, V) <= (alpha - R(1, 2)) / (alpha - 1) * RenyiDivergence(2 * alpha, P, U) +
        RenyiDivergence(2 * alpha - 1, U, V)
    =/> RenyiDivergence(alpha, P, V) <= R(9, 10) * (alpha - R(1, 2)) / (alpha - 1) * RenyiDivergence(2 * alpha, P, U) + RenyiDivergence(2 *
        alpha - 1, U, V)
    "Mironov: Renyi differential privacy, 2017: Proposition 11 (weak triangle inequality, both exponents 2)"
    "1.999 > 1.830 At {n: 2, alpha: 5, P: (R(15, 16), R(1, 16)), U: (R(3, 16), R(13, 16)), V: (R(1, 8), R(7, 8))}."
private-hellinger-affinity: P, Q, eps >= 0, for_each((i, 1, n), P[i] <= exp(eps) * Q[i]), for_each((i, 1, n), Q[i] <=
        exp(eps) * P[i])
     => Sum(sqrt(P[i] * Q[i]), (i, 1, n)) >= 1 / cosh(eps / 2)
    =/> Sum(sqrt(P[i] * Q[i]), (i, 1, n)) >= R(21, 20) / cosh(eps / 2)
    "Canonne, Kamath, McMillan, Smith, Ullman: The structure of optimal private tests for simple hypotheses, 2019:
        Section 3 (Hellinger distance of randomized outputs)"
    "2 sqrt 2 / 3 = 0.943 < 0.99 At {n: 2, eps: log(2), P: (R(2, 3), R(1, 3)), Q: (R(1, 3), R(2, 3))}."
heterogeneous-composition-rms: s > 0, Sum(pos[i] ** 2, (i, 1, n)) <= n * s ** 2
     => Sum(pos[i] * tanh(pos[i] / 2), (i, 1, n)) <= n * s * tanh(s / 2)
    ; s > 0, Sum(pos[i] ** 2, (i, 1, n)) <= R(11, 10) * n * s ** 2 =/> Sum(pos[i] * tanh(pos[i] / 2), (i, 1, n)) <= n * s
        * tanh(s / 2)
    "Kairouz, Oh, Viswanath: The composition theorem for differential privacy, 2015: Theorem 3.5, sum of (e^eps_i - 1)
        eps_i / (e^eps_i + 1), against equal levels of the same root mean square"
    "1.04 tanh(0.52) = 0.497 > tanh(1/2) = 0.462 At {n: 1, s: 1, pos: (R(26, 25),)}."
""",
)
