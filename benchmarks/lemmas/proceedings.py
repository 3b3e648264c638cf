"""Forty lemmas of 37 papers, each with a false twin, written from the page on the claim language alone.

Nothing was mended after them. Known were docs/claim-language.md and definitions of quantities; the lemmas are special to their paper.
Places in papers are from memory. Before the engine saw them, every lemma held at random points and on boundaries of its domain, and every
twin failed at the point that is noted, both by a program in mpmath.
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
l = index("l")  # noqa: E741
h = nonnegative("h")
gam, kap = real("gam kap")
kk = integer("kk")
fam = family("fam")
pos = family("pos", "positive")
P, Q = laws("P Q", (i, 1, n))


def bern_kl(p, q):
    """KL divergence of two Bernoulli laws."""
    return p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))


def rr(p, level):
    """The chance of a 1 after randomized response of a bit that is 1 with chance p."""
    return (1 + p * (exp(level) - 1)) / (exp(level) + 1)


LEMMAS = lemmas_in(
    globals(),
    """
# everyday
grr-beats-oue-small-domain: eps > 0, d >= 2, d <= 3 * exp(eps) + 2
     => (d - 2 + exp(eps)) / (exp(eps) - 1) ** 2 <= 4 * exp(eps) / (exp(eps) - 1) ** 2
    ; eps > 0, d >= 2, d <= 3 * exp(eps) + 3 =/> (d - 2 + exp(eps)) / (exp(eps) - 1) ** 2 <= 4 * exp(eps) /
        (exp(eps) - 1) ** 2
    "Wang, Blocki, Li, Jha: Locally differentially private protocols for frequency estimation, 2017: Section 4.4,
        guideline: direct encoding if d < 3 e^eps + 2"
    "3e + 2 = 10.15 < 11 < 3e + 3 = 11.15 At {eps: 1, d: 11}."
djw-log-ratio: a > 0, b > 0
     => Abs(log(a / b)) <= Abs(a - b) / Min(a, b)
    =/> Abs(log(a / b)) <= Abs(a - b) / Max(a, b)
    "Duchi, Jordan, Wainwright: Local privacy and statistical minimax rates, 2013: Lemma 4 (proof of Theorem 1)"
    "log 2 = 0.69 > 1/2 At {a: 2, b: 1}."
pate-data-dependent-ratio: gam > 0, q >= 0, q <= (exp(2 * gam) - 1) / (exp(4 * gam) - 1)
     => (1 - q) / (1 - exp(2 * gam) * q) <= exp(2 * gam)
    ; gam > 0, q >= 0, q <= (exp(2 * gam) - 1) / (exp(3 * gam) - 1) =/> (1 - q) / (1 - exp(2 * gam) * q) <= exp(2 *
        gam)
    "Papernot, Abadi, Erlingsson, Goodfellow, Talwar: Semi-supervised knowledge transfer for deep learning from
        private training data, 2017: Theorem 3, the condition on q"
    "3.79 > e; the bound on q needs 4 gamma, not 3 gamma At {gam: R(1, 2), q: R(3, 10)}."
logarithmic-repetition-mean: gam > 0, gam < 1
     => And((1 / gam - 1) / log(1 / gam) >= 1, (1 / gam - 1) / log(1 / gam) <= 1 / gam)
    =/> And((1 / gam - 1) / log(1 / gam) >= 1, (1 / gam - 1) / log(1 / gam) <= 1 / sqrt(gam))
    "Papernot, Steinke: Hyperparameter tuning with Renyi differential privacy, 2022: Definition 1 (eta = 0), the
        mean of the logarithmic distribution"
    "3/log 4 = 2.16 > 2 At {gam: R(1, 4)}."
gaussian-means-tv: sigma > 0, x >= 0
     => 2 * NormalCDF(x / (2 * sigma)) - 1 <= x / (sqrt(2 * pi) * sigma)
    =/> 2 * NormalCDF(x / (2 * sigma)) - 1 <= x / (3 * sigma)
    "Kamath, Li, Singhal, Ullman: Privately learning high-dimensional distributions, 2019: total variation of two
        univariate Gaussians with one variance"
    "0.03988 > 0.0333 At {sigma: 1, x: R(1, 10)}."
planar-laplace-radius: eps > 0, x >= 0
     => Integral(eps ** 2 * s * exp(-eps * s), (s, 0, x)) <= eps ** 2 * x ** 2 / 2
    =/> Integral(eps ** 2 * s * exp(-eps * s), (s, 0, x)) <= eps ** 2 * x ** 2 / 3
    "Andres, Bordenabe, Chatzikokolakis, Palamidessi: Geo-indistinguishability, 2013: Section 4.1, the radial
        distribution C_eps(r)"
    "0.0902 > 0.0833 At {eps: 1, x: R(1, 2)}."
markov-quilt-influence: mu > 0, delta >= 0, delta < mu
     => log((mu + delta) / (mu - delta)) <= 2 * delta / (mu - delta)
    =/> log((mu + delta) / (mu - delta)) <= 2 * delta / mu
    "Song, Wang, Chaudhuri: Pufferfish privacy mechanisms for correlated data, 2017: Lemma 4.8 (max-influence of a
        quilt), simplified"
    "log 3 = 1.0986 > 1 At {mu: 1, delta: R(1, 2)}."
membership-advantage: eps >= 0, delta >= 0, delta <= 1
     => (exp(eps) - 1 + 2 * delta) / (exp(eps) + 1) <= (exp(eps) - 1) / 2 + delta
    =/> (exp(eps) - 1 + 2 * delta) / (exp(eps) + 1) <= (exp(eps) - 1) / 2 + delta / 2
    "Humphries, Oya, Tulloch, Rafuse, Goldberg, Hengartner, Kerschbaum: Investigating membership inference attacks
        under data dependencies, 2023: Theorem 3 against the bound of Yeom et al."
    "1 > 1/2 At {eps: 0, delta: 1}."
flajolet-martin-phantoms: eps > 0
     => 1 + 1 / ceiling(1 / (exp(eps) - 1)) <= exp(eps)
    ; eps > 0, eps <= R(1, 2) =/> 1 + 1 / floor(1 / (exp(eps) - 1)) <= exp(eps)
    "Smith, Song, Thakurta: The Flajolet-Martin sketch itself preserves differential privacy, 2020: the number k_p =
        ceil(1/(e^eps - 1)) of phantom elements"
    "floor(1.54) = 1 and 2 > 1.65 At {eps: R(1, 2)}."
discrete-laplace-variance: eps > 0
     => 2 * exp(-eps) / (1 - exp(-eps)) ** 2 <= 2 / eps ** 2
    =/> 2 * exp(-eps) / (1 - exp(-eps)) ** 2 <= 2 / eps ** 2 - R(1, 5)
    "Canonne, Kamath, Steinke: The discrete Gaussian for differential privacy, 2020: Section 3.4, the discrete
        against the continuous Laplace distribution"
    "1.841 > 1.8 At {eps: 1}."
min-entropy-leakage: eps >= 0
     => n * exp(eps) / (n - 1 + exp(eps)) <= Min(n, exp(eps))
    =/> n * exp(eps) / (n - 1 + exp(eps)) <= Min(n, exp(eps / 2))
    "Alvim, Andres, Chatzikokolakis, Degano, Palamidessi: Differential privacy: on the trade-off between utility and
        information leakage, 2012: Theorem on the leakage of a graph-symmetric mechanism"
    "2.845 > e At {n: 4, eps: 2}."
adaptive-clipping-noise: z > 0, b >= z
     => (z ** (-2) - (2 * b) ** (-2)) ** R(-1, 2) <= z * (1 + z ** 2 / (6 * b ** 2))
    =/> (z ** (-2) - (2 * b) ** (-2)) ** R(-1, 2) <= z * (1 + z ** 2 / (8 * b ** 2))
    "Andrew, Thakkar, McMahan, Ramaswamy: Differentially private learning with adaptive clipping, 2021: Theorem 1
        (z_Delta), its excess over z"
    "2/sqrt(3) = 1.1547 > 9/8 At {z: 1, b: 1}."
erm-objective-perturbation-slack: c >= 0, lam > 0
     => log(1 + 2 * c / (n * lam) + c ** 2 / (n * lam) ** 2) <= 2 * c / (n * lam)
    =/> log(1 + 2 * c / (n * lam) + c ** 2 / (n * lam) ** 2) <= 3 * c / (2 * n * lam)
    "Chaudhuri, Monteleoni, Sarwate: Differentially private empirical risk minimization, 2011: Algorithm 2 and
        Theorem 9, eps' = eps - log(1 + 2c/(n Lambda) + c^2/(n Lambda)^2)"
    "2 log(3/2) = 0.811 > 3/4 At {c: 1, n: 2, lam: 1}."
pan-private-density-bit: eps >= 0, eps <= 1
     => R(1, 2) / (R(1, 2) - eps / 4) <= exp(eps)
    =/> R(1, 2) / (R(1, 2) - eps / 4) <= exp(eps / 2)
    "Dwork, Naor, Pitassi, Rothblum, Yekhanin: Pan-private streaming algorithms, 2010: density estimator: bits of
        bias eps/4"
    "2 > sqrt(e) At {eps: 1}."
# hard
kl-contraction-randomized-response: x > 0, x < 1, y > 0, y < 1, eps >= 0
     => bern_kl(rr(x, eps), rr(y, eps)) <= ((exp(eps) - 1) / (exp(eps) + 1)) ** 2 * bern_kl(x, y)
    =/> bern_kl(rr(x, eps), rr(y, eps)) <= ((exp(eps) - 1) / (exp(eps) + 1)) ** 3 * bern_kl(x, y)
    "Asoodeh, Zhang: Contraction of locally differentially private mechanisms, 2022: Theorem 1 for binary laws: KL
        contracts by ((e^eps - 1)/(e^eps + 1))^2"
    "near equal laws the factor is the square At {x: R(1, 2), y: R(2, 5), eps: 1}."
discrete-gaussian-small-variance: sigma > 0, sigma ** 2 <= R(1, 3)
     => Sum(kk ** 2 * exp(-kk ** 2 / (2 * sigma ** 2)), (kk, -oo, oo)) <= 3 * exp(-1 / (2 * sigma ** 2)) *
        Sum(exp(-kk ** 2 / (2 * sigma ** 2)), (kk, -oo, oo))
    =/> Sum(kk ** 2 * exp(-kk ** 2 / (2 * sigma ** 2)), (kk, -oo, oo)) <= exp(-1 / (2 * sigma ** 2)) * Sum(exp(-kk
        ** 2 / (2 * sigma ** 2)), (kk, -oo, oo))
    "Canonne, Kamath, Steinke: The discrete Gaussian for differential privacy, 2020: Proposition 21 (variance), the
        case sigma^2 <= 1/3"
    "0.215 > 0.135 At {sigma: R(1, 2)}."
discrete-gaussian-tail: sigma > 0
     => Sum(exp(-l ** 2 / (2 * sigma ** 2)), (l, m, oo)) <= (1 - NormalCDF((m - 1) / sigma)) * Sum(exp(-kk ** 2 / (2
        * sigma ** 2)), (kk, -oo, oo))
    =/> Sum(exp(-l ** 2 / (2 * sigma ** 2)), (l, m, oo)) <= (1 - NormalCDF(m / sigma)) * Sum(exp(-kk ** 2 / (2 *
        sigma ** 2)), (kk, -oo, oo))
    "Canonne, Kamath, Steinke: The discrete Gaussian for differential privacy, 2020: Proposition 25: Pr[X >= m] <=
        Pr[N(0, sigma^2) >= m - 1]"
    "0.30 > 0.159 At {m: 1, sigma: 1}."
clt-uniform-against-poisson: x >= 0
     => 2 * (exp(x ** 2) * NormalCDF(3 * x / 2) + 3 * NormalCDF(-x / 2) - 2) >= exp(x ** 2) - 1
    =/> 2 * (exp(x ** 2) * NormalCDF(3 * x / 2) + 3 * NormalCDF(-x / 2) - 2) >= R(6, 5) * (exp(x ** 2) - 1)
    "Bu, Dong, Long, Su: Deep learning with Gaussian differential privacy, 2020: Section 3: mu of uniform and of
        Poisson subsampling, x = 1/sigma"
    "both sides start with x^2 At {x: R(1, 10)}."
svt-budget-allocation: x > 0, y > 0, c > 0
     => 1 / x ** 2 + (2 * c) ** 2 / y ** 2 >= (1 + (2 * c) ** R(2, 3)) ** 3 / (x + y) ** 2
    =/> 1 / x ** 2 + (2 * c) ** 2 / y ** 2 >= (1 + (2 * c) ** R(3, 4)) ** 3 / (x + y) ** 2
    "Lyu, Su, Li: Understanding the sparse vector technique for differential privacy, 2017: Section 4.2: eps_1 :
        eps_2 = 1 : (2c)^(2/3)"
    "5 < (1 + 8^(3/4))^3/25 = 7.6 At {x: 1, y: 4, c: 4}."
smooth-sensitivity-linear-growth: x >= 0, c >= 0, beta > 0
     => (c + x) * exp(-beta * x) <= exp(beta * c - 1) / beta
    =/> (c + x) * exp(-beta * x) <= R(9, 10) * exp(beta * c - 1) / beta
    "Karwa, Raskhodnikova, Smith, Yaroslavtsev: Private analysis of graph structure, 2011: smooth bound on a local
        sensitivity that grows by one per edge"
    "at the tie x = 1/beta - c At {x: 1, c: 0, beta: 1}."
continual-counting-coefficient:
     => And(binomial(2 * n, n) / 4 ** n >= 1 / sqrt(pi * n + 4 - pi), binomial(2 * n, n) / 4 ** n <= 1 / sqrt(pi *
        (n + R(1, 4))))
    =/> And(binomial(2 * n, n) / 4 ** n >= 1 / sqrt(pi * n + R(3, 4)), binomial(2 * n, n) / 4 ** n <= 1 / sqrt(pi *
        (n + R(1, 4))))
    "Fichtenberger, Henzinger, Upadhyay: Constant matters: fine-grained error bound on differentially private
        continual observation, 2023: the bounds of Chen and Qi on C(2n, n)/4^n (proof of Theorem 1)"
    "0.17620 < 0.17632 At {n: 10}."
gaussian-e-gamma-contraction: gam >= 1, r > 0
     => NormalCDF(r / 2 - log(gam) / r) - gam * NormalCDF(-r / 2 - log(gam) / r) <= 2 * NormalCDF(r / 2) - 1
    =/> NormalCDF(r / 2 - log(gam) / r) - gam * NormalCDF(-r / 2 - log(gam) / r) <= (2 * NormalCDF(r / 2) - 1) / gam
    "Asoodeh, Diaz, Calmon: Privacy analysis of online learning algorithms via contraction coefficients, 2020:
        theta_gamma(r) is at most theta_1(r), Lemma 3 and Theorem 3"
    "0.565 > 0.341 At {gam: 2, r: 2}."
staircase-variance: eps > 0
     => (2 ** R(-2, 3) * exp(-2 * eps / 3) * (1 + exp(-eps)) ** R(2, 3) + exp(-eps)) / (1 - exp(-eps)) ** 2 <= 2 /
        eps ** 2
    =/> (2 ** R(-2, 3) * exp(-2 * eps / 3) * (1 + exp(-eps)) ** R(2, 3) + exp(-eps)) / (1 - exp(-eps)) ** 2 <= 9 /
        (5 * eps ** 2)
    "Geng, Viswanath: The optimal noise-adding mechanism in differential privacy, 2016: Theorem 9 (squared loss), b
        = e^(-eps): not above the Laplace mechanism"
    "1.92 > 1.8 At {eps: 1}."
empirical-entropy-step: x >= 1, x + 1 <= y
     => Abs((x + 1) * log(y / (x + 1)) - x * log(y / x)) <= Max(1, log(y) - 1)
    =/> Abs((x + 1) * log(y / (x + 1)) - x * log(y / x)) <= Max(1, log(y) - 2)
    "Acharya, Kamath, Sun, Zhang: INSPECTRE: privately estimating the unseen, 2018: sensitivity of the plug-in
        entropy, one count x to x + 1 of y samples"
    "3.22 > 2.61 At {x: 1, y: 100}."
hockey-stick-randomized-response: x >= 0, x <= 1, y >= 0, y <= 1, eps >= 0, gam >= 1
     => Max(rr(x, eps) - gam * rr(y, eps), 0) + Max(1 - rr(x, eps) - gam * (1 - rr(y, eps)), 0) <= Max(exp(eps) -
        gam, 0) / (exp(eps) + 1)
    =/> Max(rr(x, eps) - gam * rr(y, eps), 0) + Max(1 - rr(x, eps) - gam * (1 - rr(y, eps)), 0) <= Max(exp(eps) -
        gam, 0) / (exp(eps) + gam)
    "Zamanlooy, Asoodeh: Strong data processing inequalities for locally differentially private mechanisms, 2023:
        E_gamma after randomized response is at most (e^eps - gamma)_+/(e^eps + 1)"
    "the denominator is e + 1, not e + 2 At {x: 1, y: 0, eps: 1, gam: 2}."
bounded-range-kl: eps > 0
     => eps / (exp(eps) - 1) - 1 - log(eps / (exp(eps) - 1)) <= eps ** 2 / 8
    =/> eps / (exp(eps) - 1) - 1 - log(eps / (exp(eps) - 1)) <= eps ** 2 / 9
    "Dong, Durfee, Rogers: Optimal differential privacy composition for exponential mechanisms, 2020: KL divergence
        of an eps-bounded-range mechanism (Lemma 3.4 and Hoeffding's bound eps^2/8)"
    "0.1233 > 0.1111 At {eps: 1}."
shuffled-rdp-lower-bound: lam > 1, eps >= 0
     => log(1 + lam * (lam - 1) / 2 * (exp(eps) - 1) ** 2 / (n * exp(eps))) / (lam - 1) <= 2 * lam * sinh(eps / 2)
        ** 2 / n
    =/> log(1 + lam * (lam - 1) / 2 * (exp(eps) - 1) ** 2 / (n * exp(eps))) / (lam - 1) <= lam * sinh(eps / 2) ** 2
        / n
    "Girgis, Data, Diggavi, Suresh, Kairouz: On the Renyi differential privacy of the shuffle model, 2021: Theorem 3
        (lower bound), its linearisation"
    "0.0108 > 0.0054 At {lam: 2, eps: 1, n: 100}."
gnmax-vote-gap: sigma > 0, x >= 0
     => erfc(x / (2 * sigma)) / 2 <= exp(-x ** 2 / (4 * sigma ** 2)) / 2
    =/> erfc(x / (2 * sigma)) / 2 <= exp(-x ** 2 / (3 * sigma ** 2)) / 2
    "Papernot, Song, Mironov, Raghunathan, Talwar, Erlingsson: Scalable private learning with PATE, 2018:
        Proposition 7: the chance that the noise overturns a gap of x votes"
    "2.2e-5 > 6.2e-6 At {sigma: 1, x: 6}."
local-hashing-range: eps > 0, g > 1
     => (exp(eps) - 1 + g) ** 2 / ((exp(eps) - 1) ** 2 * (g - 1)) >= 4 * exp(eps) / (exp(eps) - 1) ** 2
    =/> (exp(eps) - 1 + g) ** 2 / ((exp(eps) - 1) ** 2 * (g - 1)) >= R(41, 10) * exp(eps) / (exp(eps) - 1) ** 2
    "Wang, Blocki, Li, Jha: Locally differentially private protocols for frequency estimation, 2017: Section 4.4
        (OLH): the variance is least at g = e^eps + 1"
    "10.873 < 11.145 At {eps: 1, g: R(37, 10)}."
piecewise-mechanism-against-duchi: eps >= R(13, 10), t <= 1
     => t ** 2 / (exp(eps / 2) - 1) + (exp(eps / 2) + 3) / (3 * (exp(eps / 2) - 1) ** 2) <= ((exp(eps) + 1) /
        (exp(eps) - 1)) ** 2
    ; eps >= R(5, 4), t <= 1 =/> t ** 2 / (exp(eps / 2) - 1) + (exp(eps / 2) + 3) / (3 * (exp(eps / 2) - 1) ** 2) <=
        ((exp(eps) + 1) / (exp(eps) - 1)) ** 2
    "Wang, Xiao, Yang, Zhao, Hui, Shin, Shin, Yu: Collecting and analyzing multidimensional data with local
        differential privacy, 2019: Lemma 1 and Corollary 1: for eps > 1.29 the piecewise mechanism has the smaller worst
        variance"
    "3.30 > 3.25 At {eps: R(5, 4), t: 1}."
# families
binomial-mean-deviation: q > 0, q < 1
     => Sum(Abs(j - n * q) * binomial(n, j) * q ** j * (1 - q) ** (n - j), (j, 0, n)) <= sqrt(n * q * (1 - q))
    =/> Sum(Abs(j - n * q) * binomial(n, j) * q ** j * (1 - q) ** (n - j), (j, 0, n)) <= R(3, 4) * sqrt(n * q * (1 -
        q))
    "Kamath, Ullman: A primer on private statistics, 2020: fingerprinting lower bound: the correlation with the
        empirical mean"
    "1/2 > 3/8 At {n: 1, q: R(1, 2)}."
permute-and-flip-never-worse: y > 0, y <= 1
     => (1 - (1 - y) ** n) / (n * y) >= 1 / (1 + (n - 1) * y)
    =/> (1 - (1 - y) ** n) / (n * y) >= 1 / (1 + (n - 1) * y / 2)
    "McKenna, Sheldon: Permute-and-flip: a new mechanism for differentially private selection, 2020: Theorem 2, one
        best candidate and n - 1 equal ones, y = e^(-eps gap/2)"
    "3/4 < 4/5 At {n: 2, y: R(1, 2)}."
counting-row-norm:
     => Sum((binomial(2 * i, i) / 4 ** i) ** 2, (i, 1, n)) <= (1 + log(n)) / pi
    =/> Sum((binomial(2 * i, i) / 4 ** i) ** 2, (i, 1, n)) <= (R(1, 2) + log(n)) / pi
    "Henzinger, Upadhyay, Upadhyay: Almost tight error bounds on differentially private continual counting, 2023:
        the row norm of the square-root factorization"
    "1/4 > 0.159 At {n: 1}."
distributed-discrete-gaussian-gap: sigma > 0
     => 10 * Sum(exp(-2 * pi ** 2 * sigma ** 2 * i / (i + 1)), (i, 1, n)) <= 10 * n * exp(-pi ** 2 * sigma ** 2)
    =/> 10 * Sum(exp(-2 * pi ** 2 * sigma ** 2 * i / (i + 1)), (i, 1, n)) <= 10 * n * exp(-R(5, 4) * pi ** 2 * sigma
        ** 2)
    "Kairouz, Liu, Steinke: The distributed discrete Gaussian mechanism for federated learning with secure
        aggregation, 2021: Theorem 1, the constant tau"
    "the first term is 10 e^(-pi^2) At {n: 1, sigma: 1}."
ldp-total-variation: eps >= 0, P, Q, for_each((i, 1, n), P[i] <= exp(eps) * Q[i]), for_each((i, 1, n), Q[i] <= exp(eps) * P[i])
     => Sum(Abs(P[i] - Q[i]), (i, 1, n)) / 2 <= tanh(eps / 2)
    =/> Sum(Abs(P[i] - Q[i]), (i, 1, n)) / 2 <= tanh(eps / 3)
    "Asoodeh, Aliakbarpour, Calmon: Local differential privacy is equivalent to contraction of an f-divergence,
        2021: Theorem 1 at gamma = 1: total variation of eps-indistinguishable laws"
    "3/7 > 0.3215 At {n: 2, eps: 1, P: [R(5, 7), R(2, 7)], Q: [R(2, 7), R(5, 7)]}."
clipping-bias-second-moment: x > 0, P
     => Sum(P[i] * Max(fam[i] - x, 0), (i, 1, n)) <= Sum(P[i] * fam[i] ** 2, (i, 1, n)) / (4 * x)
    =/> Sum(P[i] * Max(fam[i] - x, 0), (i, 1, n)) <= Sum(P[i] * fam[i] ** 2, (i, 1, n)) / (5 * x)
    "Kamath, Singhal, Ullman: Private mean estimation of heavy-tailed distributions, 2020: bias of truncation at x
        under a second moment"
    "1 > 4/5 At {n: 1, x: 1, P: [1], fam: [2]}."
multiplicative-weights-potential: eta >= 0, eta <= 1, P, for_each((i, 1, n), fam[i] <= 1)
     => Sum(P[i] * exp(eta * fam[i]), (i, 1, n)) <= 1 + eta * Sum(P[i] * fam[i], (i, 1, n)) + eta ** 2 * Sum(P[i] *
        fam[i] ** 2, (i, 1, n))
    =/> Sum(P[i] * exp(eta * fam[i]), (i, 1, n)) <= 1 + eta * Sum(P[i] * fam[i], (i, 1, n)) + eta ** 2 * Sum(P[i] *
        fam[i] ** 2, (i, 1, n)) / 2
    "Hardt, Rothblum: A multiplicative weights mechanism for privacy-preserving data analysis, 2010: the potential
        argument, exp(y) <= 1 + y + y^2 for y <= 1"
    "e > 5/2 At {n: 1, eta: 1, P: [1], fam: [1]}."
heterogeneous-composition-mean:
     => Sum((exp(pos[i]) - 1) * pos[i] / (exp(pos[i]) + 1), (i, 1, n)) <= Sum(pos[i] ** 2, (i, 1, n)) / 2
    =/> Sum((exp(pos[i]) - 1) * pos[i] / (exp(pos[i]) + 1), (i, 1, n)) <= Sum(pos[i] ** 2, (i, 1, n)) / 3
    "Kairouz, Oh, Viswanath: The composition theorem for differential privacy, 2015: Theorem 3.5 (heterogeneous),
        its first term against half the sum of squares"
    "0.1225 > 0.0833 At {n: 1, pos: [R(1, 2)]}."
honaker-tree-weights:
     => Sum(R(1, 2) ** (i - 1), (i, 1, n)) <= 2
    =/> Sum(R(1, 2) ** (i - 1), (i, 1, n)) <= R(15, 8)
    "Honaker: Efficient use of differentially private binary trees, 2015: variance from below: 1/Sum 2^(1-i) is at
        least 1/2"
    "31/16 > 30/16 At {n: 5}."
geometric-mechanism-coverage: eps > 0
     => (1 - exp(-eps)) / (1 + exp(-eps)) * (1 + 2 * Sum(exp(-eps * i), (i, 1, n))) >= 1 - 2 * exp(-eps * (n + 1))
    =/> (1 - exp(-eps)) / (1 + exp(-eps)) * (1 + 2 * Sum(exp(-eps * i), (i, 1, n))) >= 1 - exp(-eps * (n + 1))
    "Balcer, Vadhan: Differential privacy on finite computers, 2018: Lemma on the tails of the two-sided geometric
        distribution"
    "the uncovered mass is 2 e^(-2)/(1 + e^(-1)) At {n: 1, eps: 1}."
""",
)
