"""Sixty lemmas of 53 papers, each with a false twin, written by somebody who had not seen the engine or a list of lemmas.

Nothing was mended after them. The author had read docs/claim-language.md and docs/check-your-own-claim.md, which name some lemmas that
dpbounds knows or leaves open. Places in papers are from memory. Before the engine saw them, every lemma held at 200 random points of its
domain, and every twin failed at the point that is noted, both by a program of its own in mpmath and numpy.
"""

from __future__ import annotations

from typing import Any

from benchmarks.lemmas.lemma import Lemma
from dpbounds.notation import *

KINDS: dict[str, list[Lemma]] = {"everyday": [], "hard": [], "family": []}
R = Rational


def entry(
    name: str,
    kind: str,
    paper: str,
    place: str,
    given: list[Any],
    then: Any,
    twin: Any,
    point: dict[str, Any],
    note: str,
    twin_given: list[Any] | None = None,
) -> None:
    """Enter one lemma; its twin fails at the point, as the note says."""
    false = Claim(id=f"{name}.twin", text=f"{note}, at {point}", given=tuple(given if twin_given is None else twin_given), then=twin)
    KINDS[kind].append(Lemma(Claim(id=name, text=f"{paper}: {place}", given=tuple(given), then=then), false))


x, y, z, w, s = real("x y z w s")
a, b, c, d, g = real("a b c d g")
t, u, v = nonnegative("t u v")
alpha, beta, order, sigma, rho, delta, eps, eta, mu, nu, lam = real("alpha beta order sigma rho delta eps eta mu nu lam")
q, r, f = real("q r f")
n, m, k = positive_integer("n m k")
i = index("i")
j = index("j", start=0)
ell = index("ell")

# ------------------------------------------------------------------------------------------------ everyday (24)

entry(
    "zcdp-calibration",
    "everyday",
    "Bun and Steinke 2016, Concentrated Differential Privacy, arXiv 1605.02658",
    "Proposition 1.3, solved for rho; b stands for log(1/delta)",
    [eps > 0, b > 0],
    (sqrt(b + eps) - sqrt(b)) ** 2 >= eps**2 / (4 * (b + eps)),
    (sqrt(b + eps) - sqrt(b)) ** 2 >= eps**2 / (4 * b),
    {"eps": 1, "b": 1},
    "left (sqrt2-1)^2 = 0.1716, right 0.25",
)
entry(
    "renyi-conversion-factor",
    "everyday",
    "Canonne, Kamath, Steinke 2020, The Discrete Gaussian for Differential Privacy, arXiv 2004.00010",
    "the factor of Proposition 12, bounded",
    [alpha > 1],
    (1 - 1 / alpha) ** alpha / (alpha - 1) <= exp(-1) * (1 - 1 / (2 * alpha)) / (alpha - 1),
    (1 - 1 / alpha) ** alpha / (alpha - 1) <= exp(-1) * (1 - 1 / alpha) / (alpha - 1),
    {"alpha": 2},
    "left 0.25, right 0.1839",
)
entry(
    "pure-to-gdp",
    "everyday",
    "Liu, Sun, Jiang, Kong 2022, Identification, Amplification and Measurement: A bridge to Gaussian DP, arXiv 2210.09269",
    "eps-DP is GDP; the linear bound mu <= sqrt(pi/2) eps",
    [eps >= 0],
    NormalCDF(sqrt(pi / 8) * eps) >= 1 / (1 + exp(-eps)),
    NormalCDF(R(3, 5) * eps) >= 1 / (1 + exp(-eps)),
    {"eps": R(1, 2)},
    "left 0.61791, right 0.62246",
)
entry(
    "olh-optimal-range",
    "everyday",
    "Wang, Blocki, Li, Jha 2017, Locally Differentially Private Protocols for Frequency Estimation, USENIX Security",
    "section 4.4, optimised local hashing",
    [eps > 0, g >= 2],
    (exp(eps) - 1 + g) ** 2 / ((exp(eps) - 1) ** 2 * (g - 1)) >= 4 * exp(eps) / (exp(eps) - 1) ** 2,
    (exp(eps) - 1 + g) ** 2 / ((exp(eps) - 1) ** 2 * (g - 1)) >= (4 * exp(eps) + 1) / (exp(eps) - 1) ** 2,
    {"eps": 1, "g": R(37, 10)},
    "numerators 29.36/2.7 = 10.873 and 4e+1 = 11.873",
)
entry(
    "krr-against-unary",
    "everyday",
    "Kairouz, Bonawitz, Ramage 2016, Discrete Distribution Estimation under Local Privacy, arXiv 1602.07387",
    "k-RR against k-RAPPOR, gaps of the response probabilities",
    [eps > 0, x >= 2, x <= 2 * exp(eps / 2) + 2],
    (exp(eps) - 1) / (exp(eps) + x - 1) >= (exp(eps / 2) - 1) / (exp(eps / 2) + 1),
    (exp(eps) - 1) / (exp(eps) + x - 1) >= (exp(eps / 2) - 1) / (exp(eps / 2) + 1),
    {"eps": R(7, 5), "x": 7},
    "2 exp(0.7)+3 = 7.03; left 0.3034, right 0.3364",
    twin_given=[eps > 0, x >= 2, x <= 2 * exp(eps / 2) + 3],
)
entry(
    "staircase-against-laplace",
    "everyday",
    "Geng and Viswanath 2012, The Optimal Mechanism in Differential Privacy, arXiv 1212.1186",
    "comparison of the l1 cost e^(eps/2)/(e^eps-1) with 1/eps",
    [eps > 0],
    1 / eps - exp(eps / 2) / (exp(eps) - 1) <= eps / 24,
    1 / eps - exp(eps / 2) / (exp(eps) - 1) <= eps / 25,
    {"eps": R(1, 2)},
    "left 0.020683, right 0.02",
)
entry(
    "bounded-range-kl",
    "everyday",
    "Dong, Durfee, Rogers 2019, Optimal Differential Privacy Composition for Exponential Mechanisms, arXiv 1909.13830",
    "KL of a bounded range mechanism, Lemma on the supremum over t",
    [eta > 0],
    eta / (1 - exp(-eta)) - 1 - log(eta / (1 - exp(-eta))) <= eta**2 / 8,
    eta / (1 - exp(-eta)) - 1 - log(eta / (1 - exp(-eta))) <= eta**2 / 9,
    {"eta": 1},
    "left 0.1233, right 0.1111",
)
entry(
    "rappor-epsilon",
    "everyday",
    "Erlingsson, Pihur, Korolova 2014, RAPPOR, arXiv 1407.6981",
    "Theorem 1, the permanent response with h = 1, linear lower bound",
    [f > 0, f <= 1],
    2 * log((1 - f / 2) / (f / 2)) >= 4 * (1 - f),
    2 * log((1 - f / 2) / (f / 2)) >= R(41, 10) * (1 - f),
    {"f": R(9, 10)},
    "left 0.40134, right 0.41",
)
entry(
    "log-ratio",
    "everyday",
    "Duchi, Jordan, Wainwright 2013, Local Privacy and Statistical Minimax Rates, arXiv 1302.3203",
    "Lemma 4",
    [a > 0, b > 0],
    Abs(log(a / b)) <= Abs(a - b) / Min(a, b),
    Abs(log(a / b)) <= Abs(a - b) / Max(a, b),
    {"a": 2, "b": 1},
    "0.693 against 0.5",
)
entry(
    "bounded-range-log-moment",
    "everyday",
    "Cesar and Rogers 2020, Bounding, Concentrating, and Truncating, arXiv 2004.07223",
    "Hoeffding's lemma for BR implies CDP (Lemma 3.2 and its use)",
    [eps >= 0, q >= 0, q <= 1],
    log(1 + q * (exp(eps) - 1)) <= q * eps + eps**2 / 8,
    log(1 + q * (exp(eps) - 1)) <= q * eps + eps**2 / 9,
    {"eps": 1, "q": R(1, 2)},
    "left 0.62011, right 0.61111",
)
entry(
    "logarithmic-repetitions",
    "everyday",
    "Papernot and Steinke 2021, Hyperparameter Tuning with Renyi Differential Privacy, arXiv 2110.03620",
    "expectation of the logarithmic distribution (truncated negative binomial, eta = 0)",
    [g > 0, g < 1],
    (1 / g - 1) / log(1 / g) >= 1 / sqrt(g),
    (1 / g - 1) / log(1 / g) >= (1 + 1 / g) / 2,
    {"g": R(1, 2)},
    "left 1.4427, right 1.5",
)
entry(
    "logistic-lipschitz",
    "everyday",
    "Chaudhuri, Monteleoni, Sarwate 2011, Differentially Private Empirical Risk Minimization, arXiv 0912.0071",
    "section 4, the logistic loss has |l'| <= 1",
    [],
    Abs(log(1 + exp(-z)) - log(1 + exp(-w))) <= Abs(z - w),
    Abs(log(1 + exp(-z)) - log(1 + exp(-w))) <= R(9, 10) * Abs(z - w),
    {"z": -20, "w": -10},
    "left 9.99995, right 9",
)
entry(
    "piecewise-against-duchi",
    "everyday",
    "Wang, Xiao, Yang, Zhao, Hui, Shin, Shin, Yu 2019, Collecting and Analyzing Multidimensional Data with LDP, arXiv 1907.00782",
    "worst-case variances of PM and of Duchi et al., eps > 1.29",
    [eps >= R(13, 10)],
    4 * exp(eps / 2) / (3 * (exp(eps / 2) - 1) ** 2) <= ((exp(eps) + 1) / (exp(eps) - 1)) ** 2,
    4 * exp(eps / 2) / (3 * (exp(eps / 2) - 1) ** 2) <= ((exp(eps) + 1) / (exp(eps) - 1)) ** 2,
    {"eps": R(5, 4)},
    "left 3.305, right 3.251",
    twin_given=[eps >= R(5, 4)],
)
entry(
    "clt-noise-level",
    "everyday",
    "Bu, Dong, Long, Su 2019, Deep Learning with Gaussian Differential Privacy, arXiv 1911.11607",
    "mu = p sqrt(T (exp(1/sigma^2)-1)), Corollary of the CLT",
    [sigma >= R(9, 10)],
    sqrt(exp(1 / sigma**2) - 1) <= sqrt(2) / sigma,
    sqrt(exp(1 / sigma**2) - 1) <= sqrt(2) / sigma,
    {"sigma": R(22, 25)},
    "squares 2.6375 and 2.5826",
    twin_given=[sigma >= R(22, 25)],
)
entry(
    "erfc-lower",
    "everyday",
    "Zhao et al. 2019, Reviewing and Improving the Gaussian Mechanism for Differential Privacy, arXiv 1911.12060",
    "bounds of erfc in the appendix (Abramowitz-Stegun 7.1.13)",
    [x >= 0],
    erfc(x) >= 2 * exp(-(x**2)) / (sqrt(pi) * (x + sqrt(x**2 + 2))),
    erfc(x) >= 2 * exp(-(x**2)) / (sqrt(pi) * (x + sqrt(x**2 + 1))),
    {"x": 1},
    "0.1573 against 0.1720",
)
entry(
    "composition-drift",
    "everyday",
    "Kairouz, Oh, Viswanath 2015, The Composition Theorem for Differential Privacy, arXiv 1311.0776",
    "Theorem 3.4, the drift term",
    [eps >= 0],
    (exp(eps) - 1) / (exp(eps) + 1) <= Min(1, eps / 2),
    (exp(eps) - 1) / (exp(eps) + 1) <= Min(1, R(12, 25) * eps),
    {"eps": R(1, 5)},
    "left 0.09967, right 0.096",
)
entry(
    "cauchy-sliding",
    "everyday",
    "Nissim, Raskhodnikova, Smith 2007, Smooth Sensitivity and Sampling in Private Data Analysis, STOC",
    "Lemma 2.6, sliding of the density 1/(1+z^2)",
    [],
    Abs(log((1 + (z + s) ** 2) / (1 + z**2))) <= Abs(s),
    Abs(log((1 + (z + s) ** 2) / (1 + z**2))) <= R(9, 10) * Abs(s),
    {"z": 1, "s": R(1, 10)},
    "log(1.105) = 0.09985 against 0.09",
)
entry(
    "clones-range",
    "everyday",
    "Feldman, McMillan, Talwar 2021, Hiding Among the Clones, arXiv 2012.12803",
    "Theorem 3.1: the bracket under its condition, x = exp(eps0)/n",
    [delta > 0, delta <= 1, x > 0, x <= 1 / (16 * log(2 / delta))],
    8 * sqrt(x * log(4 / delta)) + 8 * x <= R(18, 5),
    8 * sqrt(x * log(4 / delta)) + 8 * x <= R(7, 2),
    {"delta": 1, "x": R(9, 100)},
    "2.8258 + 0.72 = 3.5458",
)
entry(
    "bennett-function",
    "everyday",
    "Balle, Bell, Gascon, Nissim 2019, The Privacy Blanket of the Shuffle Model, arXiv 1903.02837",
    "Bennett's inequality in section 5, from Bennett to Bernstein",
    [x >= 0],
    (1 + x) * log(1 + x) - x >= x**2 / (2 * (1 + x / 3)),
    (1 + x) * log(1 + x) - x >= x**2 / (2 * (1 + x / 4)),
    {"x": 1},
    "left 0.3863, right 0.4",
)
entry(
    "truncated-laplace-amplitude",
    "everyday",
    "Geng, Ding, Guo, Kumar 2018, Truncated Laplacian Mechanism for Approximate Differential Privacy, arXiv 1810.00877",
    "Theorem on the amplitude, against uniform noise 1/(4 delta)",
    [eps > 0, delta > 0, delta <= R(1, 2)],
    (1 - log(1 + (exp(eps) - 1) / (2 * delta)) / ((exp(eps) - 1) / (2 * delta))) / eps <= 1 / (4 * delta),
    (1 - log(1 + (exp(eps) - 1) / (2 * delta)) / ((exp(eps) - 1) / (2 * delta))) / eps <= R(6, 25) / delta,
    {"eps": R(1, 100), "delta": R(1, 4)},
    "left 0.992, right 0.96",
)
entry(
    "randomizer-constant",
    "everyday",
    "Bassily and Smith 2015, Local, Private, Efficient Protocols for Succinct Histograms, arXiv 1504.04686",
    "c_eps = (e^eps+1)/(e^eps-1) of the basic randomizer",
    [eps > 0],
    (exp(eps) + 1) / (exp(eps) - 1) <= 2 / eps + eps / 6,
    (exp(eps) + 1) / (exp(eps) - 1) <= 2 / eps + eps / 7,
    {"eps": 1},
    "left 2.1640, right 2.1429",
)
entry(
    "random-stopping",
    "everyday",
    "Liu and Talwar 2019, Private Selection from Private Candidates, arXiv 1811.07971",
    "Theorem 3.2, the cap T = log(2/eps)/gamma",
    [g > 0, g < 1, eps > 0, eps <= 1],
    (1 - g) ** (log(2 / eps) / g) <= eps / 2,
    (1 - g) ** ((1 / g - 1) * log(2 / eps)) <= eps / 2,
    {"g": R(1, 2), "eps": 1},
    "0.6185 against 0.5",
)
entry(
    "laplace-kl",
    "everyday",
    "Mironov 2017, Renyi Differential Privacy, arXiv 1702.07476",
    "Proposition 6 at order 1, with a rational bound",
    [eps >= 0],
    eps + exp(-eps) - 1 <= eps**2 / (2 * (1 + eps / 3)),
    eps + exp(-eps) - 1 <= eps**2 / (2 * (1 + 2 * eps / 5)),
    {"eps": 1},
    "left 0.36788, right 0.35714",
)
entry(
    "conditional-rounding",
    "everyday",
    "Kairouz, Liu, Steinke 2021, The Distributed Discrete Gaussian Mechanism for Federated Learning, arXiv 2102.06387",
    "the two bounds of the rounded norm (granularity 1, beta = exp(-1/2))",
    [c >= 0, d >= 1],
    c**2 + d / 4 + (c + sqrt(d) / 2) <= (c + sqrt(d)) ** 2,
    c**2 + d / 4 + 2 * (c + sqrt(d) / 2) <= (c + sqrt(d)) ** 2,
    {"c": 1, "d": 1},
    "left 4.25, right 4 (that is beta = exp(-2))",
)

# ------------------------------------------------------------------------------------------------ hard (24)

entry(
    "pure-to-zcdp",
    "hard",
    "Bun and Steinke 2016, Concentrated Differential Privacy, arXiv 1605.02658",
    "Proposition 3.3",
    [alpha > 1, eps > 0],
    log((sinh(alpha * eps) - sinh((alpha - 1) * eps)) / sinh(eps)) / (alpha - 1) <= alpha * eps**2 / 2,
    log((sinh(alpha * eps) - sinh((alpha - 1) * eps)) / sinh(eps)) / (alpha - 1) <= R(9, 20) * alpha * eps**2,
    {"alpha": 2, "eps": R(1, 10)},
    "left 0.00996, right 0.009",
)
entry(
    "discrete-gaussian-normaliser",
    "hard",
    "Canonne, Kamath, Steinke 2020, The Discrete Gaussian for Differential Privacy, arXiv 2004.00010",
    "Fact 18",
    [sigma > 0],
    1 + 2 * Sum(exp(-(ell**2) / (2 * sigma**2)), (ell, 1, oo)) <= 1 + sqrt(2 * pi) * sigma,
    1 + 2 * Sum(exp(-(ell**2) / (2 * sigma**2)), (ell, 1, oo)) <= R(3, 5) + sqrt(2 * pi) * sigma,
    {"sigma": R(1, 10)},
    "left 1, right 0.851",
)
entry(
    "laplace-exact-zcdp",
    "hard",
    "Harrison and Manurangsi 2025, Exact zCDP Characterizations for Fundamental Differentially Private Mechanisms, arXiv 2510.25746",
    "the theorem on Laplace noise",
    [alpha > 1, eps > 0],
    log(alpha / (2 * alpha - 1) * exp((alpha - 1) * eps) + (alpha - 1) / (2 * alpha - 1) * exp(-alpha * eps)) / (alpha - 1)
    <= alpha * (eps + exp(-eps) - 1),
    log(alpha / (2 * alpha - 1) * exp((alpha - 1) * eps) + (alpha - 1) / (2 * alpha - 1) * exp(-alpha * eps)) / (alpha - 1)
    <= R(19, 20) * alpha * (eps + exp(-eps) - 1),
    {"alpha": R(101, 100), "eps": 1},
    "left 0.3712, right 0.3530",
)
entry(
    "sampled-gaussian-linear",
    "hard",
    "Mironov, Talwar, Zhang 2019, Renyi Differential Privacy of the Sampled Gaussian Mechanism, arXiv 1908.10530",
    "section 3.3, integer orders; convexity of the moment in the mixture",
    [q > 0, q < 1, sigma > 0],
    Sum(binomial(n, j) * (1 - q) ** (n - j) * q**j * exp(j * (j - 1) / (2 * sigma**2)), (j, 0, n))
    <= 1 - q + q * exp(n * (n - 1) / (2 * sigma**2)),
    Sum(binomial(n, j) * (1 - q) ** (n - j) * q**j * exp(j * (j - 1) / (2 * sigma**2)), (j, 0, n))
    <= 1 - q + q * exp((n - 1) ** 2 / (2 * sigma**2)),
    {"n": 2, "q": R(9, 10), "sigma": 1},
    "left 2.392, right 1.584",
)
entry(
    "subsampled-pure-sum",
    "hard",
    "Wang, Balle, Kasiviswanathan 2019, Subsampled Renyi Differential Privacy and Analytical Moments Accountant, arXiv 1808.00087",
    "Theorem 9 with pure DP, bounded by one power",
    [n >= 2, g > 0, g <= 1, eps > 0],
    1 + Sum(binomial(n, ell) * g**ell * exp((ell - 1) * eps) * (exp(eps) - 1) ** ell, (ell, 2, n))
    <= (1 + g * exp(eps) * (exp(eps) - 1)) ** n,
    1 + Sum(binomial(n, ell) * g**ell * exp((ell - 1) * eps) * (exp(eps) - 1) ** ell, (ell, 2, n)) <= (1 + g * (exp(eps) - 1)) ** n,
    {"n": 2, "g": 1, "eps": 2},
    "left 302.6, right 54.6",
)
entry(
    "counting-factorization",
    "hard",
    "Fichtenberger, Henzinger, Upadhyay 2022, Constant Matters: Fine-grained Complexity of Private Continual Observation, arXiv 2202.11205",
    "Theorem 1, the norm of the square root of the counting matrix",
    [],
    Sum((binomial(2 * j, j) / 4**j) ** 2, (j, 0, n - 1)) <= R(11, 10) + log(n) / pi,
    Sum((binomial(2 * j, j) / 4**j) ** 2, (j, 0, n - 1)) <= 1 + log(n) / pi,
    {"n": 2},
    "left 1.25, right 1.2206",
)
entry(
    "permute-and-flip-error",
    "hard",
    "McKenna and Sheldon 2020, Permute-and-Flip, arXiv 2010.12603",
    "the worst case scores: expected errors of both mechanisms",
    [q > 0, q <= 1],
    (1 - (1 - q) ** n) / (n * q) >= 1 / (1 + (n - 1) * q),
    (1 - (1 - q) ** n) / (n * q) >= 1 / (1 + (n - 1) * q / 2),
    {"n": 2, "q": R(1, 2)},
    "left 0.75, right 0.8",
)
entry(
    "gaussian-scales-renyi",
    "hard",
    "Geumlek, Song, Chaudhuri 2017, Renyi Differential Privacy Mechanisms for Posterior Sampling, arXiv 1710.00892",
    "Renyi divergence in an exponential family: N(0, exp(-2t)) against N(0, 1)",
    [alpha > 1],
    t - log(alpha + (1 - alpha) * exp(-2 * t)) / (2 * (alpha - 1)) <= alpha * t**2,
    t - log(alpha + (1 - alpha) * exp(-2 * t)) / (2 * (alpha - 1)) <= R(9, 10) * alpha * t**2,
    {"alpha": 2, "t": R(1, 100)},
    "left 0.000196, right 0.00018",
)
entry(
    "moments-to-tail",
    "hard",
    "Abadi et al. 2016, Deep Learning with Differential Privacy, arXiv 1607.00133",
    "Theorem 2.2, the tail bound for a quadratic log moment",
    [c > 0, eps > c],
    Infimum(exp(c * x * (x + 1) - x * eps), (x, 0, oo)) <= exp(-((eps - c) ** 2) / (4 * c)),
    Infimum(exp(c * x * (x + 1) - x * eps), (x, 0, oo)) <= exp(-(eps**2) / (4 * c)),
    {"c": 1, "eps": 2},
    "the least value is exp(-1/4) = 0.779, right 0.368",
)
zz = -log(4 * delta * (1 - delta))
entry(
    "vinterbo-scale",
    "hard",
    "Vinterbo 2020, A closed form scale bound for the (eps, delta)-differentially private Gaussian Mechanism, arXiv 2012.10523",
    "the main theorem, delta <= 1/2",
    [eps > 0, delta > 0, delta < R(1, 2), g > 0],
    GaussianDelta(eps, g * (sqrt(zz + eps) + sqrt(zz)) / (eps * sqrt(2)), g) <= delta,
    GaussianDelta(eps, g * (sqrt(pi / 4 * zz + eps) + sqrt(pi / 4 * zz)) / (eps * sqrt(2)), g) <= delta,
    {"eps": 60, "delta": R(1, 10**9), "g": 1},
    "a = pi/4 is for delta > 1/2 (with the other sign); left is 9.6e-9",
)
entry(
    "hidden-state-below-composition",
    "hard",
    "Bok, Su, Altschuler 2024, Shifted Interpolation for Differential Privacy, arXiv 2403.00278",
    "Theorem 4.2 against plain composition",
    [c > 0, c < 1, s > 0, sigma > 0],
    hidden_state_mu(c, s, sigma, n) <= s * sqrt(n) / sigma,
    hidden_state_mu(c, s, sigma, n) <= s * sqrt(R(9, 10) * n) / sigma,
    {"c": R(99, 100), "s": 1, "sigma": 1, "n": 2},
    "squares 1.99995 and 1.8",
)
entry(
    "geometric-variance",
    "hard",
    "Ghosh, Roughgarden, Sundararajan 2009, Universally Utility-Maximizing Privacy Mechanisms, arXiv 0811.2841",
    "the two-sided geometric law: its variance is below that of Laplace noise",
    [eps > 0],
    2 * tanh(eps / 2) * Sum(ell**2 * exp(-ell * eps), (ell, 1, oo)) <= 2 / eps**2,
    2 * tanh(eps / 2) * Sum(ell**2 * exp(-ell * eps), (ell, 1, oo)) <= R(19, 10) / eps**2,
    {"eps": R(1, 10)},
    "left 199.83, right 190",
)
qt = (exp(-t) - exp(-eta)) / (1 - exp(-eta))
entry(
    "exponential-mechanism-zcdp",
    "hard",
    "Rogers and Steinke 2021, A Better Privacy Analysis of the Exponential Mechanism, differentialprivacy.org",
    "bounded range eta is eta^2/8-zCDP: the moment of the worst pair",
    [alpha > 1, eta > 0, t <= eta],
    qt * exp(alpha * t) + (1 - qt) * exp(alpha * (t - eta)) <= exp(alpha * (alpha - 1) * eta**2 / 8),
    qt * exp(alpha * t) + (1 - qt) * exp(alpha * (t - eta)) <= exp(alpha * (alpha - 1) * eta**2 / 9),
    {"alpha": 2, "eta": 1, "t": R(1, 2)},
    "left 1.2552, right 1.2488",
)
entry(
    "composed-response-distance",
    "hard",
    "Kairouz, Oh, Viswanath 2015, The Composition Theorem for Differential Privacy, arXiv 1311.0776",
    "Theorem 3.3 at eps = 0: the delta of n randomized responses, by Pinsker",
    [eps > 0],
    Sum(binomial(n, j) * Max(exp(j * eps) - exp((n - j) * eps), 0), (j, 0, n)) / (1 + exp(eps)) ** n <= sqrt(n * eps * tanh(eps / 2) / 2),
    Sum(binomial(n, j) * Max(exp(j * eps) - exp((n - j) * eps), 0), (j, 0, n)) / (1 + exp(eps)) ** n
    <= sqrt(R(9, 20) * n * eps * tanh(eps / 2)),
    {"n": 1, "eps": R(1, 10)},
    "left 0.04996, right 0.04741",
)
entry(
    "krr-exact-zcdp",
    "hard",
    "Harrison and Manurangsi 2025, Exact zCDP Characterizations for Fundamental Differentially Private Mechanisms, arXiv 2510.25746",
    "the theorem on k-ary randomized response, k <= 6",
    [alpha > 1, eps > 0, k >= 2, k <= 6],
    log((exp(alpha * eps) + exp((1 - alpha) * eps) + k - 2) / (exp(eps) + k - 1)) / (alpha - 1)
    <= alpha * eps * (exp(eps) - 1) / (exp(eps) + k - 1),
    log((exp(alpha * eps) + exp((1 - alpha) * eps) + k - 2) / (exp(eps) + k - 1)) / (alpha - 1)
    <= alpha * eps * (exp(eps) - 1) / (exp(eps) + k - 1),
    {"alpha": 2, "eps": 1, "k": 10},
    "k up to 10: left 0.2961, right 0.2933",
    twin_given=[alpha > 1, eps > 0, k >= 2, k <= 10],
)
entry(
    "shuffled-bits-tail",
    "hard",
    "Cheu, Smith, Ullman, Zeber, Zhilyaev 2019, Distributed Differential Privacy via Shuffling, arXiv 1808.01375",
    "the Chernoff step of the privacy proof: Pr(Bin(4m, 1/2) <= m)",
    [],
    Sum(binomial(4 * m, j), (j, 0, m)) <= 16**m * exp(-m / 2),
    Sum(binomial(4 * m, j), (j, 0, m)) <= 16**m * exp(-3 * m / 5),
    {"m": 40},
    "the tail decays like exp(-0.523 m)/sqrt(m)",
)
entry(
    "poisson-tail",
    "hard",
    "Ghazi, Kumar, Manurangsi, Pagh 2020, Private Counting from Anonymous Messages, ICML",
    "Chernoff bound of the Poisson noise",
    [lam > 0, lam <= n],
    Sum(exp(-lam) * lam**ell / factorial(ell), (ell, n, oo)) <= exp(n - lam) * (lam / n) ** n,
    Sum(exp(-lam) * lam**ell / factorial(ell), (ell, n, oo)) <= exp(-lam) * (2 * lam / n) ** n,
    {"n": 10, "lam": R(1, 10)},
    "ratio (1/10!)/(2/10)^10 = 2.69",
)
entry(
    "sampling-monotone",
    "hard",
    "Li, Qardaji, Su 2012, On Sampling, Anonymization, and Differential Privacy, arXiv 1101.2604",
    "Theorem 1: the amplified eps per rate decreases in the rate",
    [q > 0, q <= r, r <= 1, eps >= 0],
    q * log(1 + r * (exp(eps) - 1)) <= r * log(1 + q * (exp(eps) - 1)),
    q * log(1 + r * (exp(eps) - 1)) <= r * log(1 + q * (exp(eps) - 1)),
    {"q": R(6, 10), "r": R(1, 2), "eps": 1},
    "left 0.37207, right 0.35426",
    twin_given=[q > 0, q <= r + R(1, 10), r > 0, r <= 1, eps >= 0],
)
entry(
    "tcdp-sampling",
    "hard",
    "Bun, Dwork, Rothblum, Steinke 2018, Composable and Versatile Privacy via Truncated CDP, STOC",
    "Theorem 11 (13 s^2 rho), for the Poisson-sampled Gaussian",
    [q > 0, q <= R(1, 10), sigma > 0, sigma**2 >= 5, alpha > 1, alpha <= sigma**2 * log(1 / q) / 2],
    SampledGaussianRenyi(alpha, sigma, q, "remove") <= 13 * q**2 * alpha / (2 * sigma**2),
    SampledGaussianRenyi(alpha, sigma, q, "remove") <= R(9, 10) * q**2 * alpha / (2 * sigma**2),
    {"q": R(1, 10), "sigma": 3, "alpha": 2},
    "left 0.001174, right 0.001",
)
entry(
    "laplace-profile",
    "hard",
    "Balle, Barthe, Gaboardi 2018, Privacy Amplification by Subsampling, arXiv 1807.01647",
    "Theorem 3, the privacy profile of Laplace noise",
    [b > 0, eps >= 0, eps <= g / b, g > 0],
    HockeyStick(eps, laplace_density(x, g, b), laplace_density(x, 0, b), (x, -oo, oo)) <= 1 - exp((eps - g / b) / 2),
    HockeyStick(eps, laplace_density(x, g, b), laplace_density(x, 0, b), (x, -oo, oo)) <= 1 - exp((eps - g / b) / 3),
    {"b": 1, "g": 1, "eps": 0},
    "left 0.3935, right 0.2835",
)
entry(
    "gdp-composition-of-two",
    "hard",
    "Dong, Roth, Su 2022, Gaussian Differential Privacy, arXiv 1905.02383",
    "Corollary 3.3 for two mechanisms, with the larger mu",
    [a > 0, a < 1, mu > 0, nu > 0],
    gaussian_tradeoff(a, sqrt(mu**2 + nu**2)) >= gaussian_tradeoff(a, R(3, 2) * Max(mu, nu)),
    gaussian_tradeoff(a, sqrt(mu**2 + nu**2)) >= gaussian_tradeoff(a, R(7, 5) * Max(mu, nu)),
    {"a": R(1, 2), "mu": 1, "nu": 1},
    "Phi(-1.41421) < Phi(-1.4)",
)
entry(
    "exponential-utility-three",
    "hard",
    "McSherry and Talwar 2007, Mechanism Design via Differential Privacy, FOCS",
    "Theorem 8, the expected score, three outcomes",
    [],
    (a * exp(a) + b * exp(b) + c * exp(c)) / (exp(a) + exp(b) + exp(c)) >= Max(a, b, c) - log(3),
    (a * exp(a) + b * exp(b) + c * exp(c)) / (exp(a) + exp(b) + exp(c)) >= Max(a, b, c) - R(2, 5),
    {"a": 0, "b": R(-3, 2), "c": R(-3, 2)},
    "left -0.463, right -0.4",
)
entry(
    "group-delta-sum",
    "hard",
    "Vadhan 2017, The Complexity of Differential Privacy",
    "Lemma 2.2, the group delta from below",
    [eps >= 0, delta > 0],
    delta * Sum(exp(j * eps), (j, 0, k - 1)) >= k * delta * exp((k - 1) * eps / 2),
    delta * Sum(exp(j * eps), (j, 0, k - 1)) >= k * delta * exp(R(11, 20) * (k - 1) * eps),
    {"k": 2, "eps": R(1, 5), "delta": R(1, 10)},
    "times 10: left 2.2214, right 2.2326",
)
entry(
    "sampled-add-below-remove",
    "hard",
    "Mironov, Talwar, Zhang 2019, Renyi Differential Privacy of the Sampled Gaussian Mechanism, arXiv 1908.10530",
    "Theorem 5",
    [alpha > 1, sigma > 0, q >= 0, q <= 1],
    SampledGaussianRenyi(alpha, sigma, q, "add") <= SampledGaussianRenyi(alpha, sigma, q, "remove"),
    SampledGaussianRenyi(alpha, sigma, q, "remove") <= SampledGaussianRenyi(alpha, sigma, q, "add"),
    {"alpha": 2, "sigma": 1, "q": R(1, 2)},
    "remove: log(1 + (e-1)/4) = 0.3574; add is smaller",
)

# ------------------------------------------------------------------------------------------------ families (12)

P, Q, S = laws("P Q S", (i, 1, n), "positive")
p0, q0, s0 = laws("p0 q0 s0", (i, 1, n))
over = (i, 1, n)

entry(
    "bretagnolle-huber",
    "family",
    "Canonne 2022, A short note on an inequality between KL and TV, arXiv 2202.07198",
    "Theorem (Bretagnolle-Huber)",
    [P, Q],
    Sum(Abs(P[i] - Q[i]), over) / 2 <= sqrt(1 - exp(-KLDivergence(P, Q))),
    Sum(Abs(P[i] - Q[i]), over) / 2 <= sqrt(1 - exp(-KLDivergence(P, Q) / 2)),
    {"n": 2, "P": [R(99, 100), R(1, 100)], "Q": [R(1, 100), R(99, 100)]},
    "left 0.98, right 0.946",
)
entry(
    "renyi-to-delta",
    "family",
    "Asoodeh, Liao, Calmon, Kosut, Sankar 2020, A Better Bound Gives a Hundred Rounds, arXiv 2001.05990",
    "conversion from a Renyi divergence to delta",
    [P, Q, alpha > 1, eps >= 0],
    HockeyStick(eps, P, Q) <= RenyiMoment(alpha, P, Q) * exp(-(alpha - 1) * eps) * (1 - 1 / alpha) ** alpha / (alpha - 1),
    HockeyStick(eps, P, Q) <= R(9, 10) * RenyiMoment(alpha, P, Q) * exp(-(alpha - 1) * eps) * (1 - 1 / alpha) ** alpha / (alpha - 1),
    {"n": 2, "alpha": 2, "eps": 1, "P": [R(999, 1000), R(1, 1000)], "Q": [R(184, 1000), R(816, 1000)]},
    "left 0.49884, right 0.449",
)
entry(
    "probability-preservation",
    "family",
    "Langlois, Stehle, Steinfeld 2014, GGHLite, EUROCRYPT",
    "Lemma 4.1, probability preservation (also Mironov 2017, Proposition 10)",
    [P, Q, alpha > 1, m <= n],
    Sum(P[i], (i, 1, m)) ** alpha <= RenyiMoment(alpha, P, Q) * Sum(Q[i], (i, 1, m)) ** (alpha - 1),
    Sum(P[i], (i, 1, m)) ** alpha <= RenyiMoment(alpha, P, Q) * Sum(Q[i], (i, 1, m)) ** alpha,
    {"n": 2, "m": 1, "alpha": 2, "P": [R(3, 5), R(2, 5)], "Q": [R(1, 2), R(1, 2)]},
    "left 0.36, right 0.26",
)
entry(
    "hockey-stick-triangle",
    "family",
    "Liu, Cuff, Verdu 2015, E_gamma-Resolvability, arXiv 1511.07829",
    "Proposition on E_gamma, triangle inequality; group privacy",
    [p0, q0, s0, eps >= 0, eta >= 0],
    HockeyStick(eps + eta, p0, s0) <= HockeyStick(eps, p0, q0) + exp(eps) * HockeyStick(eta, q0, s0),
    HockeyStick(eps + eta, p0, s0) <= HockeyStick(eps, p0, q0) + HockeyStick(eta, q0, s0),
    {"n": 2, "eps": R(1, 2), "eta": 0, "p0": [R(2, 5), R(3, 5)], "q0": [R(3, 10), R(7, 10)], "s0": [0, 1]},
    "left 0.4, right 0.3",
)
eprime = log(1 + r * (exp(eps) - 1))
share = (1 + r * (exp(eps) - 1)) / exp(eps)
entry(
    "advanced-joint-convexity",
    "family",
    "Balle, Barthe, Gaboardi 2018, Privacy Amplification by Subsampling, arXiv 1807.01647",
    "Theorem 2",
    [p0, q0, s0, eps >= 0, r >= 0, r <= 1],
    HockeyStick(eprime, r * p0 + (1 - r) * s0, r * q0 + (1 - r) * s0)
    <= r * ((1 - share) * HockeyStick(eps, p0, s0) + share * HockeyStick(eps, p0, q0)),
    HockeyStick(eprime, r * p0 + (1 - r) * s0, r * q0 + (1 - r) * s0) <= r * share * HockeyStick(eps, p0, q0),
    {"n": 2, "eps": 1, "r": R(1, 2), "p0": [R(1, 2), R(1, 2)], "q0": [R(1, 4), R(3, 4)], "s0": [0, 1]},
    "left 0.0176, right 0",
)
entry(
    "local-privacy-distance",
    "family",
    "Kairouz, Oh, Viswanath 2014, Extremal Mechanisms for Local Differential Privacy, arXiv 1407.1338",
    "total variation of the outputs of an eps-LDP channel",
    [P, Q, eps >= 0, for_each(over, P[i] <= exp(eps) * Q[i]), for_each(over, Q[i] <= exp(eps) * P[i])],
    Sum(Abs(P[i] - Q[i]), over) / 2 <= (exp(eps) - 1) / (exp(eps) + 1),
    Sum(Abs(P[i] - Q[i]), over) / 2 <= (exp(eps) - 1) / (exp(eps) + 2),
    {"n": 2, "eps": 1, "P": [R(73, 100), R(27, 100)], "Q": [R(27, 100), R(73, 100)]},
    "left 0.46, right 0.364",
)
entry(
    "pure-to-kl",
    "family",
    "Steinke 2022, Composition of Differential Privacy and Privacy Amplification by Subsampling, arXiv 2210.00597",
    "expected privacy loss of pure DP",
    [P, Q, eps >= 0, for_each(over, P[i] <= exp(eps) * Q[i]), for_each(over, Q[i] <= exp(eps) * P[i])],
    KLDivergence(P, Q) <= eps * (exp(eps) - 1) / (exp(eps) + 1),
    KLDivergence(P, Q) <= R(9, 10) * eps * (exp(eps) - 1) / (exp(eps) + 1),
    {"n": 2, "eps": 1, "P": [R(73, 100), R(27, 100)], "Q": [R(27, 100), R(73, 100)]},
    "left 0.4575, right 0.4159",
)
entry(
    "mixing-contracts-kl",
    "family",
    "Balle, Barthe, Gaboardi, Geumlek 2019, Privacy Amplification by Mixing and Diffusion Mechanisms, arXiv 1905.12264",
    "a Doeblin minorised kernel contracts a divergence",
    [p0, Q, s0, r > 0, r < 1],
    KLDivergence(r * p0 + (1 - r) * s0, r * Q + (1 - r) * s0) <= r * KLDivergence(p0, Q),
    KLDivergence(r * p0 + (1 - r) * s0, r * Q + (1 - r) * s0) <= r**2 * KLDivergence(p0, Q),
    {"n": 2, "r": R(1, 2), "p0": [1, 0], "s0": [1, 0], "Q": [R(1, 2), R(1, 2)]},
    "left log(4/3) = 0.2877, right 0.1733",
)
entry(
    "le-cam",
    "family",
    "Canonne, Kamath, McMillan, Smith, Ullman 2019, The Structure of Optimal Private Tests for Simple Hypotheses, arXiv 1811.11148",
    "total variation by the Hellinger affinity",
    [p0, q0],
    Sum(Abs(p0[i] - q0[i]), over) / 2 <= sqrt(1 - Sum(sqrt(p0[i] * q0[i]), over) ** 2),
    Sum(Abs(p0[i] - q0[i]), over) / 2 <= sqrt(1 - Sum(sqrt(p0[i] * q0[i]), over)),
    {"n": 2, "p0": [R(9, 10), R(1, 10)], "q0": [R(1, 10), R(9, 10)]},
    "left 0.8, right 0.632",
)
entry(
    "renyi-weak-triangle",
    "family",
    "Mironov 2017, Renyi Differential Privacy, arXiv 1702.07476",
    "Proposition 11",
    [P, Q, S, alpha > 1],
    RenyiDivergence(alpha, P, Q)
    <= (alpha - R(1, 2)) / (alpha - 1) * RenyiDivergence(2 * alpha, P, S) + RenyiDivergence(2 * alpha - 1, S, Q),
    RenyiDivergence(alpha, P, Q) <= RenyiDivergence(alpha, P, S) + RenyiDivergence(alpha, S, Q),
    {"n": 2, "alpha": 2, "P": [R(9, 10), R(1, 10)], "S": [R(1, 2), R(1, 2)], "Q": [R(1, 10), R(9, 10)]},
    "left 2.093, right 1.516",
)
W = family("W", "positive")
U = family("U", "real")
entry(
    "gibbs-variational",
    "family",
    "Wang, Fienberg, Smola 2015, Privacy for Free: Posterior Sampling and Stochastic Gradient Monte Carlo, arXiv 1502.07645",
    "the exponential mechanism maximises score plus entropy (utility of one posterior sample)",
    [sums_to_one(W, over)],
    Sum(W[i] * U[i], over) - Sum(W[i] * log(W[i]), over) <= log(Sum(exp(U[i]), over)),
    Sum(W[i] * U[i], over) - 2 * Sum(W[i] * log(W[i]), over) <= log(Sum(exp(U[i]), over)),
    {"n": 2, "W": [R(1, 2), R(1, 2)], "U": [0, 0]},
    "2 log 2 against log 2",
)
entry(
    "chapman-robbins",
    "family",
    "Guo, Karrer, Chaudhuri, van der Maaten 2022, Bounding Training Data Reconstruction in Private (Deep) Learning, arXiv 2201.12383",
    "Hammersley-Chapman-Robbins bound",
    [P, Q],
    Sum((P[i] - Q[i]) * U[i], over) ** 2 <= (RenyiMoment(2, P, Q) - 1) * (Sum(Q[i] * U[i] ** 2, over) - Sum(Q[i] * U[i], over) ** 2),
    2 * Sum((P[i] - Q[i]) * U[i], over) ** 2 <= (RenyiMoment(2, P, Q) - 1) * (Sum(Q[i] * U[i] ** 2, over) - Sum(Q[i] * U[i], over) ** 2),
    {"n": 2, "P": [R(3, 4), R(1, 4)], "Q": [R(1, 2), R(1, 2)], "U": [1, 0]},
    "left 0.125, right 0.0625 (n = 2 gives equality in the lemma)",
)

LEMMAS = (*KINDS["everyday"], *KINDS["hard"], *KINDS["family"])
