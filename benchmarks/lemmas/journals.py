"""Sixty lemmas of 50 papers, each with a false twin, written from the page on the claim language alone.

Nothing was mended after them. Known were docs/claim-language.md and the first page of docs/check-your-own-claim.md; the lemmas are special
to their paper. Places in papers are from memory. Before the engine saw them, every lemma held at 200 random
points of its domain, and every twin failed at the point that is noted, both by a program in mpmath.
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
B0 = exp(-eps)
A0 = (eps + rho) / (2 * rho)
X0 = (exp(eps) - 1) / (2 * delta)
P0 = f * (x + y) / 2 + (1 - f) * x
Q0 = f * (x + y) / 2 + (1 - f) * y
normaliser = 1 + 2 * Sum(exp(-(l**2) / (2 * sigma**2)), (l, 1, oo))
EB = exp(-eps)
x0 = beta / alpha
zhu_wang = (1 - q) ** (n - 1) * (n * q - q + 1)
h0 = floor(x + Rational(1, 2))
h1 = floor(x - Rational(1, 2))
P, Q, W = laws("P Q W", (i, 1, n))
A, B, C = laws("A B C", (i, 1, n), "positive")
U, V = family("U"), family("V")
close = [A, B, eps >= 0, for_each((i, 1, n), A[i] <= exp(eps) * B[i]), for_each((i, 1, n), B[i] <= exp(eps) * A[i])]
BETA = (1 + r * (exp(eps) - 1)) / exp(eps)

LEMMAS = lemmas_in(
    globals(),
    """
# everyday
staircase-variance-below-laplace: eps > 0
     => (2 ** R(-2, 3) * (B0 * (1 + B0)) ** R(2, 3) + B0) / (1 - B0) ** 2 <= 2 / eps ** 2
    =/> (2 ** R(-2, 3) * (B0 * (1 + B0)) ** R(2, 3) + B0) / (1 - B0) ** 2 <= R(99, 50) / eps ** 2
    "Geng, Viswanath, The Optimal Noise-Adding Mechanism in Differential Privacy, IEEE Trans. Inf. Theory 2016:
        Theorem on the minimum noise power and the comparison with Laplace (2/eps^2), Section on l2 cost"
    "Both sides meet in the limit eps -> 0, where the ratio is 1, so 99/50 fails for small eps. At {eps: R(1, 10)}."
square-wave-half-width: eps > 0
     => (eps * exp(eps) - exp(eps) + 1) / (2 * exp(eps) * (exp(eps) - 1 - eps)) <= R(1, 2)
    =/> (eps * exp(eps) - exp(eps) + 1) / (2 * exp(eps) * (exp(eps) - 1 - eps)) <= R(12, 25)
    "Li, Wang, Lopuhaa-Zwakenberg, Skoric, Li, Estimating Numerical Distributions under Local Differential Privacy,
        SIGMOD 2020: Section 5.3, the half width b = (eps e^eps - e^eps + 1)/(2 e^eps (e^eps - 1 - eps)) of the square wave"
    "The width tends to 1/2 as eps -> 0. At {eps: R(1, 20)}."
truncated-negative-binomial-mean: g > 0, g < 1, eta > 0, eta <= 1
     => eta * (1 - g) / (g * (1 - g ** eta)) <= 1 / g
    ; g > 0, g < 1, eta > 0, eta <= R(11, 10) =/> eta * (1 - g) / (g * (1 - g ** eta)) <= 1 / g
    "Papernot, Steinke, Hyperparameter Tuning with Renyi Differential Privacy, ICLR 2022: Definition 1 (truncated
        negative binomial) and the remark that eta = 1 is the geometric law, eta -> 0 the logarithmic one"
    "For eta above 1 the mean exceeds that of the geometric law. At {g: R(1, 2), eta: R(11, 10)}."
partition-selection-beats-laplace-threshold: eps > 0, delta > 0, delta <= 1
     => delta * exp(eps * (n - 1)) <= delta * (exp(n * eps) - 1) / (exp(eps) - 1)
    =/> delta * exp(eps * (n - R(9, 10))) <= delta * (exp(n * eps) - 1) / (exp(eps) - 1)
    "Desfontaines, Voss, Gipson, Mandayam, Differentially Private Partition Selection, PoPETs 2022: Theorem 1
        (closed form of the optimal primitive), first branch, against Laplace thresholding (Section 4)"
    "Both primitives release a single user with probability delta, so any gain in the exponent fails at n = 1. At
        {eps: 1, delta: R(1, 100), n: 1}."
distributed-discrete-gaussian-tau: n >= 2, sigma > 0
     => 10 * Sum(exp(-2 * pi ** 2 * sigma ** 2 * l / (l + 1)), (l, 1, n - 1)) <= 10 * (n - 1) * exp(-pi ** 2 * sigma
        ** 2)
    =/> 10 * Sum(exp(-2 * pi ** 2 * sigma ** 2 * l / (l + 1)), (l, 1, n - 1)) <= 10 * (n - 1) * exp(-R(11, 10) * pi
        ** 2 * sigma ** 2)
    "Kairouz, Liu, Steinke, The Distributed Discrete Gaussian Mechanism for Federated Learning with Secure
        Aggregation, ICML 2021: Theorem 1: tau = 10 sum_(k<n) exp(-2 pi^2 sigma^2 k/(k+1)) at most 10 (n-1) exp(-pi^2
        sigma^2)"
    "Equality at n = 2; the other terms are smaller than the first. At {n: 2, sigma: R(1, 2)}."
clt-uniform-against-poisson: s >= 0
     => exp(s ** 2) - 1 <= 2 * (exp(s ** 2) * NormalCDF(3 * s / 2) + 3 * NormalCDF(-s / 2) - 2)
    =/> exp(s ** 2) - 1 <= 2 * (exp(s ** 2) * NormalCDF(149 * s / 100) + 3 * NormalCDF(-s / 2) - 2)
    "Bu, Dong, Long, Su, Deep Learning with Gaussian Differential Privacy, HDSR 2020: Section 3, mu of Poisson
        sampling p sqrt(T(e^(1/sigma^2) - 1)) against mu of uniform sampling (Dong, Roth, Su, Corollary on DP-SGD)"
    "The linear terms of the right side cancel only for 3/2; with 149/100 it is negative near 0. At {s: R(1, 100)}."
pure-dp-is-gaussian-dp: eps >= 0
     => 1 / (1 + exp(-eps)) <= NormalCDF(sqrt(pi / 8) * eps)
    =/> 1 / (1 + exp(-eps)) <= NormalCDF(R(5, 8) * eps)
    "Liu, Sun, Yang, Su, Identification, Amplification and Measurement: A Bridge to Gaussian Differential Privacy,
        NeurIPS 2022: eps-DP is mu-GDP with mu = -2 Phi^-1(1/(1+e^eps)); here with the linear bound mu <= sqrt(pi/2) eps,
        applied to Phi(mu/2)"
    "sqrt(pi/8) = 0.62666 matches the slope at 0, and 5/8 is just below it. At {eps: R(1, 20)}."
subset-selection-risk: x > 0, y > x, eps >= 0
     => (x * exp(eps) + y - x) ** 2 / (x * (y - x)) >= 4 * exp(eps)
    =/> (x * exp(eps) + y - x) ** 2 / (x * (y - x)) >= R(41, 10) * exp(eps)
    "Ye, Barg, Optimal Schemes for Discrete Distribution Estimation under Locally Differential Privacy, IEEE Trans.
        Inf. Theory 2018: Section III, the worst-case risk as a function of the subset size d, least at d = k/(e^eps + 1)"
    "x is the size d, y the alphabet k. Equality on the surface y = x(1 + e^eps); 1 + e is near 4. At {x: 1, y: 4,
        eps: 1}."
membership-positive-accuracy: q > 0, q <= 1, eps >= 0
     => q / (q + (1 - q) * exp(-eps)) <= q + eps / 4
    =/> q / (q + (1 - q) * exp(-eps)) <= q + R(6, 25) * eps
    "Thudi, Shumailov, Boenisch, Papernot, Bounding Membership Inference, 2022: Comparison of Theorem 1 with the
        bound p + eps/4 of Sablayrolles et al., ICML 2019"
    "The posterior is logistic in eps with slope up to 1/4, attained at q = 1/2. At {q: R(1, 2), eps: R(1, 2)}."
laplace-sum-moment-generating-function: x ** 2 <= R(1, 2)
     => 1 / (1 - x ** 2) <= exp(2 * x ** 2)
    =/> 1 / (1 - x ** 2) <= exp(R(4, 3) * x ** 2)
    "Chan, Shi, Song, Private and Continual Release of Statistics, ACM TISSEC 2011: Lemma 2.8 (sum of independent
        Laplace variables), first step of the proof"
    "log 2 at x^2 = 1/2 needs the constant 2 log 2 = 1.386. At {x: R(7, 10)}."
truncation-bias-pointwise: x > 0, y > 0, order > 1
     => x - y <= x ** order / ((order - 1) * y ** (order - 1))
    =/> x - y <= x ** order / (3 * (order - 1) * y ** (order - 1))
    "Barber, Duchi, Privacy and Statistical Risk: Formalisms and Minimax Bounds, 2014: Proof of the upper bound for
        the mean under k moments: bias of the truncated mean at most r^k/((k-1)T^(k-1))"
    "The best constant is ((k-1)/k)^k, which is above 1/3 for k >= 6. At {x: 10, y: 9, order: 10}."
hierarchy-branching-factor: n >= 2
     => (n - 1) / log(n) ** 3 >= 16 / log(17) ** 3
    =/> (n - 1) / log(n) ** 3 >= 15 / log(16) ** 3
    "Qardaji, Yang, Li, Understanding Hierarchical Methods for Differentially Private Histograms, PVLDB 2013:
        Section 3.1, average variance (b-1) h^3 with h = log_b n: the best integer branching factor without consistency"
    "The least value is at b = 17 and not at 16. At {n: 17}."
geometric-budget-in-trees:
     => ((2 ** (R(1, 3) * n) - 1) / (2 ** R(1, 3) - 1)) ** 3 <= n ** 2 * (2 ** n - 1)
    =/> ((2 ** (R(1, 3) * n) - 1) / (2 ** R(1, 3) - 1)) ** 3 <= n ** R(19, 10) * (2 ** n - 1)
    "Cormode, Procopiuc, Srivastava, Shen, Yu, Differentially Private Spatial Decompositions, ICDE 2012: Lemma 3
        (geometric budget) against the uniform budget, levels n = h + 1, 2^i nodes at level i"
    "Equality at n = 1; at n = 2 the sides are 11.54 and 12 (11.20 with the smaller power). At {n: 2}."
privtree-privacy-cost: x >= 1, lam > 0
     => log((1 - exp(-x / lam) / 2) / (1 - exp(-(x - 1) / lam) / 2)) <= exp((1 - x) / lam) / lam
    =/> log((1 - exp(-x / lam) / 2) / (1 - exp(-(x - 1) / lam) / 2)) <= R(9, 10) * exp((1 - x) / lam) / lam
    "Zhang, Xiao, Xie, PrivTree: A Differentially Private Algorithm for Hierarchical Decompositions, SIGMOD 2016:
        Section 3.3, bound rho^T(x) = (1/lambda) exp((theta + 1 - x)/lambda) of the privacy cost, threshold 0"
    "At x = 1 the left side is log(2 - e^(-1/lambda)), which is 1/lambda to first order. At {x: 1, lam: 20}."
filtering-gaussian-scale: x >= 0, eps > 0
     => GaussianDelta(eps, (x + sqrt(x ** 2 + 2 * eps)) / (2 * eps), 1) <= NormalCDF(-x)
    =/> GaussianDelta(eps, (x + sqrt(x ** 2 + eps)) / (2 * eps), 1) <= NormalCDF(-x)
    "Le Ny, Pappas, Differentially Private Filtering, IEEE Trans. Automatic Control 2014: Theorem 3: sigma = (K +
        sqrt(K^2 + 2 eps))/(2 eps) with K = Q^-1(delta)"
    "x is K. With eps for 2 eps the loss exceeds eps too often for large eps. At {x: R(1, 10), eps: 20}."
polynomial-noise-slides: z >= 0, d >= 0, g > 1
     => 1 + (z + d) ** g <= (1 + z ** g) * exp(g * d)
    =/> 1 + (z + d) ** g <= (1 + z ** g) * exp(2 * g * d / 3)
    "Nissim, Raskhodnikova, Smith, Smooth Sensitivity and Sampling in Private Data Analysis, STOC 2007: Section 2.2,
        density proportional to 1/(1 + |z|^gamma) is admissible: the sliding property"
    "The logarithmic slope reaches (gamma-1)^((gamma-1)/gamma), which is 7.2 at gamma = 10. At {z: R(5, 4), d: R(1,
        100), g: 10}."
stronger-clones-below-clones: eps >= 0, delta > 0, delta <= 1
     => log(1 + (exp(eps) - 1) * (4 * sqrt(2 * log(4 / delta)) / sqrt((exp(eps) + 1) * n) + 4 / n)) <= log(1 +
        (exp(eps) - 1) / (exp(eps) + 1) * (8 * sqrt(exp(eps) * log(4 / delta)) / sqrt(n) + 8 * exp(eps) / n))
    =/> log(1 + (exp(eps) - 1) * (4 * sqrt(R(21, 10) * log(4 / delta)) / sqrt((exp(eps) + 1) * n) + 4 / n)) <= log(1
        + (exp(eps) - 1) / (exp(eps) + 1) * (8 * sqrt(exp(eps) * log(4 / delta)) / sqrt(n) + 8 * exp(eps) / n))
    "Feldman, McMillan, Talwar, Stronger Privacy Amplification by Shuffling for Renyi and Approximate Differential
        Privacy, SODA 2023: Theorem 3.2 against Theorem 3.1 of Hiding Among the Clones (FOCS 2021)"
    "Both bounds agree to first order in eps; any larger constant fails for small eps. At {eps: R(1, 100), delta:
        R(1, 100), n: 100}."
truncated-laplacian-power-below-uniform: eps > 0, delta > 0, delta <= R(1, 2)
     => 2 / eps ** 2 * (1 - (log(1 + X0) ** 2 / 2 + log(1 + X0)) / X0) <= 1 / (12 * delta ** 2)
    =/> 2 / eps ** 2 * (1 - (log(1 + X0) ** 2 / 2 + log(1 + X0)) / X0) <= 1 / (13 * delta ** 2)
    "Geng, Ding, Guo, Kumar, Tight Analysis of Privacy and Utility Tradeoff in Approximate Differential Privacy,
        AISTATS 2020: Noise power of the truncated Laplacian mechanism against the uniform mechanism for (0, delta),
        Delta^2/(12 delta^2)"
    "The truncated Laplacian law tends to the uniform one as eps -> 0. At {eps: R(1, 100), delta: R(2, 5)}."
min-entropy-leakage-chord: x >= 1, eps >= 0
     => log(x * exp(eps) / (x - 1 + exp(eps))) <= (1 - 1 / x) * eps
    =/> log(x * exp(eps) / (x - 1 + exp(eps))) <= R(19, 20) * (1 - 1 / x) * eps
    "Alvim, Andres, Chatzikokolakis, Degano, Palamidessi, On the Information Leakage of Differentially-Private
        Mechanisms, J. Computer Security 2015: Theorem on the leakage log(v e^eps/(v - 1 + e^eps)) per individual, with the
        bound (1 - 1/v) eps"
    "x is the number v of values. The slope at eps = 0 is 1 - 1/v. At {x: 2, eps: R(1, 20)}."
rappor-one-report: x >= 0, x < y, y <= 1, f > 0, f < 1
     => log(Q0 * (1 - P0) / (P0 * (1 - Q0))) <= 2 * log((1 - f / 2) / (f / 2))
    =/> log(Q0 * (1 - P0) / (P0 * (1 - Q0))) <= R(19, 10) * log((1 - f / 2) / (f / 2))
    "Erlingsson, Pihur, Korolova, RAPPOR: Randomized Aggregatable Privacy-Preserving Ordinal Response, CCS 2014:
        Theorems 1 and 2: the level of one report is at most that of the permanent response, per hash function"
    "x is p and y is q of the paper. Equality at p = 0, q = 1, for every f. At {x: 0, y: 1, f: R(1, 2)}."
membership-advantage-approximate: eps >= 0, delta >= 0, delta <= 1
     => (exp(eps) - 1 + 2 * delta) / (exp(eps) + 1) <= 1 - exp(-eps) * (1 - delta)
    =/> (exp(eps) - 1 + R(21, 10) * delta) / (exp(eps) + 1) <= 1 - exp(-eps) * (1 - delta)
    "Humphries, Oya, Tulloch, Rafuse, Goldberg, Hengartner, Kerschbaum, Investigating Membership Inference Attacks
        under Data Dependencies, CSF 2023: Advantage bound (e^eps - 1 + 2 delta)/(e^eps + 1) against 1 - e^-eps (1 - delta)
        of Erlingsson, Mironov, Raghunathan, Song 2019"
    "Equality at eps = 0 for every delta; the twin needs delta <= 1 - e^-eps. At {eps: R(1, 100), delta: R(1, 2)}."
gaussian-low-privacy-limit: eps > 0
     => exp(eps) * NormalCDF(-sqrt(2 * eps)) <= 1 / sqrt(4 * pi * eps)
    =/> exp(eps) * NormalCDF(-sqrt(2 * eps)) <= 1 / sqrt(4 * pi * (eps + R(1, 2)))
    "Balle, Wang, Improving the Gaussian Mechanism for Differential Privacy, ICML 2018: Section 2.3 (low privacy
        regime): delta at sigma = Delta/sqrt(2 eps) is 1/2 minus a term of order 1/sqrt(eps)"
    "At eps = 0 the left side is 1/2 and the right side of the twin 0.399. The twin holds for large eps. At {eps:
        R(1, 100)}."
piecewise-mechanism-below-laplace: x >= -1, x <= 1, eps > 0
     => x ** 2 / (exp(eps / 2) - 1) + (exp(eps / 2) + 3) / (3 * (exp(eps / 2) - 1) ** 2) <= 8 / eps ** 2
    =/> x ** 2 / (exp(eps / 2) - 1) + (exp(eps / 2) + 3) / (3 * (exp(eps / 2) - 1) ** 2) <= R(21, 4) / eps ** 2
    "Wang, Xiao, Yang, Zhao, Hui, Shin, Shin, Yu, Collecting and Analyzing Multidimensional Data with Local
        Differential Privacy, ICDE 2019: Lemma 1 (variance of the piecewise mechanism) and the remark that it is below
        8/eps^2"
    "The worst case is 16/(3 eps^2) in the limit eps -> 0. At {x: 1, eps: R(1, 10)}."
bounded-laplace-normaliser: b > 0, d > 0, w >= d
     => (1 - (exp(-d / b) + exp(-(w - d) / b)) / 2) / ((1 - exp(-w / b)) / 2) <= exp(d / b)
    =/> (1 - (exp(-d / b) + exp(-(w - d) / b)) / 2) / ((1 - exp(-w / b)) / 2) <= exp(9 * d / (10 * b))
    "Holohan, Antonatos, Braghin, Mac Aonghusa, The Bounded Laplace Mechanism in Differential Privacy, J. Privacy
        and Confidentiality 2020: Section 3, Delta C(b) = C_(l+Delta)(b)/C_l(b) at most e^(Delta/b), domain of length w"
    "For a wide domain the ratio is 2 - e^(-Delta/b), with slope 1 at Delta = 0. At {b: 1, d: R(1, 10), w: 20}."
# hard
discrete-gaussian-small-variance: sigma > 0, sigma ** 2 <= R(1, 3)
     => 2 * Sum(l ** 2 * exp(-l ** 2 / (2 * sigma ** 2)), (l, 1, oo)) <= 3 * exp(-1 / (2 * sigma ** 2)) * normaliser
    =/> 2 * Sum(l ** 2 * exp(-l ** 2 / (2 * sigma ** 2)), (l, 1, oo)) <= R(9, 5) * exp(-1 / (2 * sigma ** 2)) *
        normaliser
    "Canonne, Kamath, Steinke, The Discrete Gaussian for Differential Privacy, NeurIPS 2020: Proposition on the
        variance: at most 3 exp(-1/(2 sigma^2)) if sigma^2 <= 1/3"
    "The best constant is 2, reached as sigma -> 0. At {sigma: R(3, 10)}."
discrete-gaussian-tail: sigma > 0
     => Sum(exp(-(m + j) ** 2 / (2 * sigma ** 2)), (j, 0, oo)) <= NormalCDF((1 - m) / sigma) * normaliser
    =/> Sum(exp(-(m + j) ** 2 / (2 * sigma ** 2)), (j, 0, oo)) <= NormalCDF((R(2, 5) - m) / sigma) * normaliser
    "Canonne, Kamath, Steinke, The Discrete Gaussian for Differential Privacy, NeurIPS 2020: Proposition on tails:
        Pr[X >= m] <= Pr[N(0, sigma^2) >= m - 1]"
    "A shift of 1/2 is right for large sigma, 2/5 is too little. At {m: 1, sigma: 5}."
analytic-gaussian-b-minus-decreases: eps > 0, v >= u
     => NormalCDF(-sqrt(eps * v)) - exp(eps) * NormalCDF(-sqrt(eps * (v + 2))) <= NormalCDF(-sqrt(eps * u)) -
        exp(eps) * NormalCDF(-sqrt(eps * (u + 2)))
    =/> NormalCDF(-sqrt(eps * v)) - exp(eps) * NormalCDF(-sqrt(eps * (v + R(3, 2)))) <= NormalCDF(-sqrt(eps * u)) -
        exp(eps) * NormalCDF(-sqrt(eps * (u + R(3, 2))))
    "Balle, Wang, Improving the Gaussian Mechanism for Differential Privacy, ICML 2018: Section 3 and its appendix:
        B^-_eps(u) = Phi(-sqrt(eps u)) - e^eps Phi(-sqrt(eps (u + 2))) decreases in u"
    "The slope has the sign of e^(eps(1 - c/2)) sqrt(u/(u + c)) - 1, negative for c = 2 only by the root. Equality
        at u = v. At {eps: 4, u: 1, v: 2}."
randomized-response-tradeoff-above-gaussian: a > 0, a < 1, eps >= 0
     => NormalCDF(NormalQuantile(1 - a) - 2 * NormalQuantile(exp(eps) / (1 + exp(eps)))) <= Max(1 - exp(eps) * a,
        exp(-eps) * (1 - a))
    =/> NormalCDF(NormalQuantile(1 - a) - R(19, 10) * NormalQuantile(exp(eps) / (1 + exp(eps)))) <= Max(1 - exp(eps)
        * a, exp(-eps) * (1 - a))
    "Liu, Sun, Yang, Su, Identification, Amplification and Measurement: A Bridge to Gaussian Differential Privacy,
        NeurIPS 2022: eps-DP implies mu-GDP with mu = 2 Phi^-1(e^eps/(1 + e^eps)), as trade-off functions"
    "The smooth curve touches the kink at a = 1/(1 + e^eps); a smaller mu lifts it above. At {a: R(27, 100), eps:
        1}."
laplace-tradeoff-above-pure: mu > 0, a > 0, a <= 1
     => Max(1 - exp(mu) * a, exp(-mu) * (1 - a)) <= Piecewise((1 - exp(mu) * a, a < exp(-mu) / 2), (exp(-mu) / (4 *
        a), a <= R(1, 2)), (exp(-mu) * (1 - a), True))
    =/> Max(1 - exp(mu) * a, exp(-mu) * (1 - a)) <= Piecewise((1 - exp(mu) * a, a < exp(-mu) / 2), (exp(-mu) / (5 *
        a), a <= R(1, 2)), (exp(-mu) * (1 - a), True))
    "Dong, Roth, Su, Gaussian Differential Privacy, JRSS B 2022: Section 2.5, trade-off function of Laplace noise
        T(Lap(0,1), Lap(mu,1)) (limit of group privacy) against f_(mu,0)"
    "Equality on both outer pieces; the middle piece meets them with slope. The twin fails near both joints. At {mu:
        1, a: R(1, 2)}."
staircase-width-optimal: eps > 0, g >= 0, g <= 1
     => exp(eps / 2) / (exp(eps) - 1) <= EB / (1 - EB) + (g ** 2 + EB * (1 - g ** 2)) / (2 * (g + EB * (1 - g)))
    =/> R(101, 100) * exp(eps / 2) / (exp(eps) - 1) <= EB / (1 - EB) + (g ** 2 + EB * (1 - g ** 2)) / (2 * (g + EB *
        (1 - g)))
    "Geng, Viswanath, The Optimal Noise-Adding Mechanism in Differential Privacy, IEEE Trans. Inf. Theory 2016:
        Theorem on l1 cost: the amplitude of the staircase law of width gamma is at least e^(eps/2)/(e^eps - 1)"
    "Equality along the curve gamma = 1/(1 + e^(eps/2)), which is 0.3775 at eps = 1. At {eps: 1, g: R(3, 8)}."
permute-and-flip-below-exponential: q > 0, q <= 1
     => log(1 / q) * (1 - (1 - (1 - q) ** n) / (n * q)) <= log(1 / q) * (1 - 1 / (1 + (n - 1) * q))
    =/> log(1 / q) * (1 - (1 - (1 - q) ** n) / (n * q)) <= log(1 / q) * (1 - 1 / (1 + R(9, 10) * (n - 1) * q))
    "McKenna, Sheldon, Permute-and-Flip: A New Mechanism for Differentially Private Selection, NeurIPS 2020: Section
        4.2, expected errors on the worst-case scores, E_PF <= E_EM (factor 2 Delta/eps dropped)"
    "Both errors vanish at q = 1 with the same slope, so any smaller weight of n - 1 fails near q = 1. At {q: R(99,
        100), n: 10}."
exponential-within-twice-permute-and-flip: q > 0, q <= 1
     => 1 - 1 / (1 + (n - 1) * q) <= 2 * (1 - (1 - (1 - q) ** n) / (n * q))
    =/> 1 - 1 / (1 + (n - 1) * q) <= R(19, 10) * (1 - (1 - (1 - q) ** n) / (n * q))
    "McKenna, Sheldon, Permute-and-Flip: A New Mechanism for Differentially Private Selection, NeurIPS 2020: Section
        4.2, at most a factor of two between the mechanisms on the worst-case scores"
    "The factor 2 is reached as q -> 0. At {q: R(1, 100), n: 2}."
central-binomial-lower:
     => binomial(2 * k, k) / 4 ** k >= 1 / sqrt(pi * (k + 4 / pi - 1))
    =/> binomial(2 * k, k) / 4 ** k >= 1 / sqrt(pi * (k + R(27, 100)))
    "Dvijotham, McMahan, Pillutla, Steinke, Thakurta, Efficient and Near-Optimal Noise Generation for Streaming
        Differential Privacy, FOCS 2024: Entries of the square root of the prefix-sum matrix: the sharp lower bound (Chen,
        Qi 2005) 1/sqrt(pi (k + 4/pi - 1))"
    "Equality at k = 1; 4/pi - 1 = 0.2732. The twin holds for all k >= 2. At {k: 1}."
banded-square-root-momentum-coefficients: beta > 0, beta < alpha, alpha <= 1
     => Sum(binomial(2 * j, j) / 4 ** j * binomial(2 * (n - j), n - j) / 4 ** (n - j) * alpha ** (n - j) * beta **
        j, (j, 0, n)) <= alpha ** n * binomial(2 * n, n) / 4 ** n / (1 - x0)
    =/> Sum(binomial(2 * j, j) / 4 ** j * binomial(2 * (n - j), n - j) / 4 ** (n - j) * alpha ** (n - j) * beta **
        j, (j, 0, n)) <= alpha ** n * binomial(2 * n, n) / 4 ** n / (1 - x0) ** R(9, 10)
    "Kalinin, Lampert, Banded Square Root Matrix Factorization for Differentially Private Model Training, NeurIPS
        2024: Lemma on the coefficients c_n of the square root of the momentum matrix: c_n <= alpha^n r_n/(1 - beta/alpha)"
    "At n = 1 the left side is alpha r_1 (1 + beta/alpha): the exponent 9/10 fails for small beta/alpha, and only at
        n = 1. At {n: 1, alpha: 1, beta: R(1, 20)}."
sparse-vector-budget-split: x > 0, y > 0
     => 2 / x ** 2 + 2 * (2 * k) ** 2 / y ** 2 >= 2 * (1 + (2 * k) ** R(2, 3)) ** 3 / (x + y) ** 2
    =/> 2 / x ** 2 + 2 * (2 * k) ** 2 / y ** 2 >= 2 * (1 + (2 * k) ** R(7, 10)) ** 3 / (x + y) ** 2
    "Lyu, Su, Li, Understanding the Sparse Vector Technique for Differential Privacy, PVLDB 2017: Section 4.2,
        variance of the comparison 2(1/e1)^2 + 2(2c/e2)^2, least at e1 : e2 = 1 : (2c)^(2/3)"
    "k is the cut-off c. Equality on the ray y = (2c)^(2/3) x. At {x: 1, y: 4, k: 4}."
bounded-laplace-worst-ratio: b > 0, x >= 0, d > 0, x + d <= w
     => (1 - (exp(-(x + d) / b) + exp(-(w - x - d) / b)) / 2) / (1 - (exp(-x / b) + exp(-(w - x) / b)) / 2) <= (1 -
        (exp(-d / b) + exp(-(w - d) / b)) / 2) / ((1 - exp(-w / b)) / 2)
    =/> (1 - (exp(-(x + d) / b) + exp(-(w - x - d) / b)) / 2) / (1 - (exp(-x / b) + exp(-(w - x) / b)) / 2) <= (1 -
        (exp(-99 * d / (100 * b)) + exp(-(w - d) / b)) / 2) / ((1 - exp(-w / b)) / 2)
    "Holohan, Antonatos, Braghin, Mac Aonghusa, The Bounded Laplace Mechanism in Differential Privacy, J. Privacy
        and Confidentiality 2020: Section 3, C_(q+Delta)(b)/C_q(b) is largest for q at the lower end of the domain [0, w]"
    "Equality on the face x = 0; there the twin lowers the right side. At {b: 1, x: 0, d: 1, w: 5}."
randomized-response-composition-hoeffding: eps > 0, g >= n * eps * tanh(eps / 2)
     => Sum(binomial(n, j) * Max(exp((n - j) * eps) - exp(g + j * eps), 0), (j, 0, n)) / (1 + exp(eps)) ** n <=
        exp(-(g - n * eps * tanh(eps / 2)) ** 2 / (2 * n * eps ** 2))
    =/> Sum(binomial(n, j) * Max(exp((n - j) * eps) - exp(g + j * eps), 0), (j, 0, n)) / (1 + exp(eps)) ** n <=
        exp(-(g - n * eps * tanh(eps / 2)) ** 2 / (n * eps ** 2))
    "Kairouz, Oh, Viswanath, The Composition Theorem for Differential Privacy, ICML 2015: Theorem 3.3/3.4: delta of
        n randomized responses at epsilon g, and the concentration step (Hoeffding around n eps (e^eps-1)/(e^eps+1))"
    "The variance proxy n eps^2 cannot be halved: the loss is nearly normal with that variance for many small eps.
        At {n: 40, eps: R(1, 4), g: 6}."
pate-data-dependent-moment: g > 0, order >= 1, q >= 0, q <= (exp(2 * g) - 1) / (exp(4 * g) - 1)
     => (1 - q) * ((1 - q) / (1 - exp(2 * g) * q)) ** order + q * exp(2 * g * order) <= exp(2 * g * order)
    =/> (1 - q) * ((1 - q) / (1 - exp(2 * g) * q)) ** order + q * exp(2 * g * (order + 1)) <= exp(2 * g * order)
    "Papernot, Abadi, Erlingsson, Goodfellow, Talwar, Semi-supervised Knowledge Transfer for Deep Learning from
        Private Training Data, ICLR 2017: Theorem 3, moment bound for q <= (e^(2 gamma) - 1)/(e^(4 gamma) - 1), here at most
        e^(2 gamma l)"
    "Equality on the surface q = 1/(1 + e^(2 gamma)), the end of the range. At {g: R(1, 2), order: 1, q: R(1, 4)}."
reconstruction-from-zcdp: mu >= 0, mu ** 2 / 2 <= -log(NormalCDF(x))
     => NormalCDF(x + mu) <= exp(-(sqrt(-log(NormalCDF(x))) - mu / sqrt(2)) ** 2)
    =/> NormalCDF(x + mu) <= exp(-(sqrt(-log(NormalCDF(x))) - 2 * mu / 3) ** 2)
    "Balle, Cherubin, Hayes, Reconstructing Training Data with Informed Adversaries, IEEE S&P 2022: Theorem on zCDP
        and reconstruction: gamma = exp(-(sqrt(log(1/kappa)) - sqrt(rho))^2), here for Gaussian noise, where it is
        Phi(Phi^-1(kappa) + mu), rho = mu^2/2"
    "x is Phi^-1(kappa). Equality at mu = 0 for all x. 1/sqrt(2) = 0.707 is the right rate in the far tail. At {x:
        -10, mu: 5}."
gaussian-closed-form-scale: b >= 0, eps > 0
     => GaussianDelta(eps, (b + sqrt(b ** 2 + eps)) / (eps * sqrt(2)), 1) <= (exp(-b ** 2) + exp(-2 * b ** 2)) / 4
    =/> GaussianDelta(eps, (b + sqrt(b ** 2 + 4 * eps / 5)) / (eps * sqrt(2)), 1) <= (exp(-b ** 2) + exp(-2 * b **
        2)) / 4
    "Zhao, Wang, Bai, Lam, Xu, Shi, Ren, Yang, Liu, Yu, Reviewing and Improving the Gaussian Mechanism for
        Differential Privacy, 2019: Theorem on Mechanism 2: sigma = (b + sqrt(b^2 + eps))/(eps sqrt 2), delta = (e^(-b^2) +
        e^(-2 b^2))/4"
    "At b = 0 both sides tend to 1/2 for eps -> oo, so the noise cannot be smaller there. At {b: R(1, 10), eps:
        40}."
student-t-noise-shift: d > 0, s >= 0
     => ((d + (x + s) ** 2) / (d + x ** 2)) ** ((d + 1) / 2) <= exp(s * (d + 1) / (2 * sqrt(d)))
    =/> ((d + (x + s) ** 2) / (d + x ** 2)) ** ((d + 1) / 2) <= exp(s * (d + 1) / (R(21, 10) * sqrt(d)))
    "Bun, Steinke, Average-Case Averages: Private Algorithms for Smooth Sensitivity and Mean Estimation, NeurIPS
        2019: Theorem on Student's t noise: shifts cost |s| (d + 1)/(2 sqrt(d))"
    "The slope at s = 0 is (d+1)x/(d + x^2), largest at x = sqrt(d). Equality at s = 0. At {d: 1, x: 1, s: R(1,
        100)}."
euclidean-ball-sampling-constant:
     => sqrt(pi) / 2 * n * gamma((n - 1) / R(2) + 1) / gamma(n / R(2) + 1) <= 3 * sqrt(pi) / 4 * sqrt(n)
    =/> sqrt(pi) / 2 * n * gamma((n - 1) / R(2) + 1) / gamma(n / R(2) + 1) <= R(5, 4) * sqrt(n)
    "Duchi, Jordan, Wainwright, Minimax Optimal Procedures for Locally Private Estimation, JASA 2018: Section 4.2.3,
        radius B of the l2 mechanism: sqrt(pi)/2 d Gamma((d-1)/2 + 1)/Gamma(d/2 + 1) at most 3 sqrt(pi)/4 sqrt(d)"
    "The ratio increases to sqrt(pi/2) = 1.2533; 5/4 holds up to dimension 94 or so. At {n: 400}."
poisson-subsampled-renyi: n >= 2, q > 0, q < 1, sigma > 0
     => SampledGaussianMoment(n, sigma, q, 'remove') <= zhu_wang + binomial(n, 2) * q ** 2 * (1 - q) ** (n - 2) *
        exp(1 / sigma ** 2) + 3 * Sum(binomial(n, l) * (1 - q) ** (n - l) * q ** l * exp(l * (l - 1) / (2 * sigma ** 2)),
        (l, 3, n))
    =/> SampledGaussianMoment(n, sigma, q, 'remove') <= zhu_wang + R(9, 10) * binomial(n, 2) * q ** 2 * (1 - q) **
        (n - 2) * exp(1 / sigma ** 2) + 3 * Sum(binomial(n, l) * (1 - q) ** (n - l) * q ** l * exp(l * (l - 1) / (2 * sigma
        ** 2)), (l, 3, n))
    "Zhu, Wang, Poisson Subsampled Renyi Differential Privacy, ICML 2019: Theorem on the general upper bound (factor
        3 from order 3 on), for Gaussian noise, integer order n"
    "Equality at order 2, where the last sum is empty. At higher orders the factor 3 hides the smaller second term
        unless q is small. At {n: 2, q: R(1, 10), sigma: 1}."
tulap-is-private: x >= 0, x <= 1, eps > 0
     => 1 - EB ** h0 / (1 + EB) * (EB + (h0 - x + R(1, 2)) * (1 - EB)) <= exp(eps) * EB ** (-h1) / (1 + EB) * (EB +
        (x - 1 - h1 + R(1, 2)) * (1 - EB))
    =/> 1 - EB ** h0 / (1 + EB) * (EB + (h0 - x + R(1, 2)) * (1 - EB)) <= exp(49 * eps / 50) * EB ** (-h1) / (1 +
        EB) * (EB + (x - 1 - h1 + R(1, 2)) * (1 - EB))
    "Awan, Slavkovic, Differentially Private Uniformly Most Powerful Tests for Binomial Data, NeurIPS 2018:
        Definition of Tulap(0, b, 0), b = e^-eps, and the step F(x) <= e^eps F(x - 1) on 0 <= x <= 1 (F(x) = 1 - F(-x))"
    "The distribution function is piecewise linear between half integers; the bound is an equality for x <= 1/2. At
        {x: R(1, 4), eps: 1}."
automatic-clipping-worst-angle: c >= 0, c <= 1, r > 1, g > 0
     => (1 + r) / (1 + r + g) + (1 - r) / (r - 1 + g) <= (1 + r * c) / (sqrt(r ** 2 + 2 * r * c + 1) + g) + (1 - r *
        c) / (sqrt(r ** 2 - 2 * r * c + 1) + g)
    =/> (1 + r) / (1 + r + g) + (1 - r) / (r - 1 + R(11, 10) * g) <= (1 + r * c) / (sqrt(r ** 2 + 2 * r * c + 1) +
        g) + (1 - r * c) / (sqrt(r ** 2 - 2 * r * c + 1) + g)
    "Bu, Wang, Zha, Karypis, Automatic Clipping: Differentially Private Deep Learning Made Easier and Stronger,
        NeurIPS 2023: Appendix, lemma on min over c of f(c, r; gamma): it is f(1, r; gamma) for r > 1"
    "Equality on the face c = 1 (all angles equal). At {c: 1, r: 2, g: 1}."
amplification-for-substituted-gaussian: q > 0, q <= 1, eps >= 0, sigma > 0
     => SubstituteGaussianDelta(log(1 + q * (exp(eps) - 1)), sigma, q, 1) <= q * GaussianDelta(eps, sigma, 2)
    =/> SubstituteGaussianDelta(log(1 + q * (exp(eps) - 1)), sigma, q, 1) <= q * GaussianDelta(eps, sigma, R(39,
        20))
    "Balle, Barthe, Gaboardi, Privacy Amplification by Subsampling: Tight Analyses via Couplings and Divergences,
        NeurIPS 2018: Theorem 11 (sampling without replacement, substitution), for the pair of Gaussian mixtures of Koskela
        et al."
    "Equality at q = 1, where both laws are shifted by 1 in opposite directions; also at eps = 0 to first order in
        q. At {q: 1, eps: 1, sigma: 1}."
arsinh-normal-variance: a > 0, sigma > 0
     => 2 * Integral(a ** 2 * log(x / a + sqrt(1 + x ** 2 / a ** 2)) ** 2 * exp(-x ** 2 / (2 * sigma ** 2)) / (sigma
        * sqrt(2 * pi)), (x, 0, oo)) <= sigma ** 2
    =/> 2 * Integral(a ** 2 * log(x / a + sqrt(1 + x ** 2 / a ** 2)) ** 2 * exp(-x ** 2 / (2 * sigma ** 2)) / (sigma
        * sqrt(2 * pi)), (x, 0, oo)) <= R(9, 10) * sigma ** 2
    "Bun, Dwork, Rothblum, Steinke, Composable and Versatile Privacy via Truncated CDP, STOC 2018: Theorem on noise
        A arsinh(N(0, sigma^2)/A): its variance is at most sigma^2"
    "Equality in the limit of large A. At {a: 10, sigma: 1}."
zcdp-delta-bound-for-gaussian: rho > 0, eps >= rho
     => GaussianDelta(eps, 1 / sqrt(2 * rho), 1) <= exp(-(eps - rho) ** 2 / (4 * rho)) * 2 / (A0 + sqrt(A0 ** 2 + 4
        / (pi * rho)))
    =/> GaussianDelta(eps, 1 / sqrt(2 * rho), 1) <= exp(-(eps - rho) ** 2 / (4 * rho)) * R(9, 10) / (A0 + sqrt(A0 **
        2 + 4 / (pi * rho)))
    "Bun, Steinke, Concentrated Differential Privacy: Simplifications, Extensions, and Lower Bounds, TCC 2016: Lemma
        3.6 for the Gaussian mechanism, rho = 1/(2 sigma^2)"
    "At eps = rho -> oo the left side tends to 1/2 and the factor to 1, so the numerator must be at least 1. At
        {rho: 1000, eps: 1000}."
# families
total-variation-from-two-deltas: P, Q, eps >= 0
     => (1 + exp(eps)) * HockeyStick(0, P, Q) <= exp(eps) - 1 + HockeyStick(eps, P, Q) + HockeyStick(eps, Q, P)
    =/> (R(11, 10) + exp(eps)) * HockeyStick(0, P, Q) <= exp(eps) - 1 + HockeyStick(eps, P, Q) + HockeyStick(eps, Q,
        P)
    "Kairouz, Oh, Viswanath, The Composition Theorem for Differential Privacy, ICML 2015: Privacy region R(eps,
        delta): total variation at most (e^eps - 1 + 2 delta)/(e^eps + 1), here with both deltas"
    "Equality for symmetric pairs on two outcomes. At {n: 2, eps: 1, P: [R(3, 4), R(1, 4)], Q: [R(1, 4), R(3, 4)]}."
chi-square-contraction: *(close)
     => Sum((A[i] - B[i]) ** 2 / B[i], (i, 1, n)) <= exp(-eps) * (exp(eps) - 1) ** 2
    =/> Sum((A[i] - B[i]) ** 2 / B[i], (i, 1, n)) <= R(19, 20) * exp(-eps) * (exp(eps) - 1) ** 2
    "Asoodeh, Zhang, Contraction of Locally Differentially Private Mechanisms, IEEE JSAIT 2024: Theorem on
        chi-square: e^-eps (e^eps - 1)^2, for two inputs of a local randomizer"
    "Equality for binary randomized response. At {n: 2, eps: 1, A: [R(731, 1000), R(269, 1000)], B: [R(269, 1000),
        R(731, 1000)]}."
hellinger-affinity-of-private-pairs: *(close)
     => Sum(sqrt(A[i] * B[i]), (i, 1, n)) >= 1 / cosh(eps / 2)
    =/> Sum(sqrt(A[i] * B[i]), (i, 1, n)) >= 1 / cosh(9 * eps / 20)
    "Canonne, Kamath, McMillan, Smith, Ullman, The Structure of Optimal Private Tests for Simple Hypotheses, STOC
        2019: Hellinger affinity of two laws within e^eps of one another (clamped likelihood ratio), sharp constant"
    "Equality for binary randomized response. At {n: 2, eps: 1, A: [R(731, 1000), R(269, 1000)], B: [R(269, 1000),
        R(731, 1000)]}."
multiplicative-weights-potential: P, for_each((i, 1, n), U[i] <= 1), for_each((i, 1, n), U[i] >= 0), eta >= -1, eta <= 1
     => log(Sum(P[i] * exp(eta * (2 * U[i] - 1)), (i, 1, n))) <= eta * Sum(P[i] * (2 * U[i] - 1), (i, 1, n)) + eta
        ** 2
    =/> log(Sum(P[i] * exp(eta * (2 * U[i] - 1)), (i, 1, n))) <= eta * Sum(P[i] * (2 * U[i] - 1), (i, 1, n)) + R(9,
        20) * eta ** 2
    "Hardt, Ligett, McSherry, A Simple and Practical Algorithm for Differentially Private Data Release, NeurIPS
        2012: Analysis of MWEM (appendix), drop of relative entropy by exp(x) <= 1 + x + x^2 on [-1, 1]; the query is 2 U -
        1"
    "By Hoeffding the best constant is 1/2, reached by a balanced query as eta -> 0. At {n: 2, eta: R(1, 4), P:
        [R(1, 2), R(1, 2)], U: [1, 0]}."
exponential-mechanism-expected-score: eps > 0
     => Sum(U[i] * exp(eps * U[i]), (i, 1, n)) / Sum(exp(eps * U[i]), (i, 1, n)) >= (log(Sum(exp(eps * U[i]), (i, 1,
        n))) - log(n)) / eps
    =/> Sum(U[i] * exp(eps * U[i]), (i, 1, n)) / Sum(exp(eps * U[i]), (i, 1, n)) >= (log(Sum(exp(eps * U[i]), (i, 1,
        n))) - R(9, 10) * log(n)) / eps
    "Bassily, Nissim, Smith, Steinke, Stemmer, Ullman, Algorithmic Stability for Adaptive Data Analysis, STOC 2016:
        Lemma 7.1, proof: expected score at least the soft maximum minus log n/eps (entropy of the output)"
    "Equality for equal scores. At {n: 2, eps: 1, U: [0, 0]}."
renyi-triangle-for-groups: A, B, C, alpha > 1, x > 1, x * alpha > 1, (x * alpha - 1) / (x - 1) > 1
     => RenyiDivergence(alpha, A, C) <= x * alpha / (x * alpha - 1) * RenyiDivergence((x * alpha - 1) / (x - 1), A,
        B) + RenyiDivergence(x * alpha, B, C)
    =/> RenyiDivergence(alpha, A, C) <= x * alpha / (x * alpha - 1) * RenyiDivergence((x * alpha - 1) / (x - 1), A,
        B) + RenyiDivergence(alpha, B, C)
    "Bun, Steinke, Concentrated Differential Privacy: Simplifications, Extensions, and Lower Bounds, TCC 2016: Lemma
        5.2 (triangle-like inequality behind group privacy), k > 1 real"
    "The order of the second divergence must grow with k: a rare outcome of the third law magnifies a small step
        from A to B. At {n: 2, alpha: 2, x: 2, A: [R(1, 2), R(1, 2)], B: [R(2, 5), R(3, 5)], C: [R(1, 10000), R(9999,
        10000)]}."
advanced-joint-convexity: P, Q, W, eps >= 0, r >= 0, r <= 1
     => HockeyStick(log(1 + r * (exp(eps) - 1)), r * P + (1 - r) * W, r * Q + (1 - r) * W) <= r * ((1 - BETA) *
        HockeyStick(eps, P, W) + BETA * HockeyStick(eps, P, Q))
    =/> HockeyStick(log(1 + r * (exp(eps) - 1)), r * P + (1 - r) * W, r * Q + (1 - r) * W) <= r * ((1 - R(19, 20) *
        BETA) * HockeyStick(eps, P, W) + R(19, 20) * BETA * HockeyStick(eps, P, Q))
    "Balle, Barthe, Gaboardi, Privacy Amplification by Subsampling: Tight Analyses via Couplings and Divergences,
        NeurIPS 2018: Theorem 2 (advanced joint convexity) and convexity in the second argument"
    "At r = 1 the left side is delta(eps) of P and Q alone, so the weight of that pair must be 1. At {n: 2, eps: 1,
        r: 1, P: [0, 1], Q: [1, 0], W: [0, 1]}."
monotone-exponential-mechanism: eps >= 0, for_each((i, 1, n), V[i] <= U[i]), for_each((i, 1, n), U[i] <= V[i] + 1)
     => exp(eps * U[1]) / Sum(exp(eps * U[i]), (i, 1, n)) <= exp(eps) * exp(eps * V[1]) / Sum(exp(eps * V[i]), (i,
        1, n))
    =/> exp(eps * U[1]) / Sum(exp(eps * U[i]), (i, 1, n)) <= exp(R(9, 10) * eps) * exp(eps * V[1]) / Sum(exp(eps *
        V[i]), (i, 1, n))
    "McSherry, Talwar, Mechanism Design via Differential Privacy, FOCS 2007: Theorem 6, proof, for a score that
        changes in one direction only: e^eps instead of e^(2 eps)"
    "If only an unlikely first score rises by 1, the ratio is nearly e^eps. At {n: 2, eps: 1, U: [1, 10], V: [0,
        10]}."
kl-contraction-of-local-randomizers: *close, r > 0, r < 1, s > 0, s < 1
     => KLDivergence(r * A + (1 - r) * B, s * A + (1 - s) * B) <= tanh(eps / 2) ** 2 * (r * log(r / s) + (1 - r) *
        log((1 - r) / (1 - s)))
    =/> KLDivergence(r * A + (1 - r) * B, s * A + (1 - s) * B) <= tanh(9 * eps / 20) ** 2 * (r * log(r / s) + (1 -
        r) * log((1 - r) / (1 - s)))
    "Asoodeh, Zhang, Contraction of Locally Differentially Private Mechanisms, IEEE JSAIT 2024: Theorem 1: KL(PK ||
        QK) <= ((e^eps - 1)/(e^eps + 1))^2 KL(P || Q), for binary inputs"
    "Reached by randomized response for r, s -> 1/2. At {n: 2, eps: 1, r: R(11, 20), s: R(1, 2), A: [R(731, 1000),
        R(269, 1000)], B: [R(269, 1000), R(731, 1000)]}."
reverse-pinsker-bounded-ratio: P, B, c > 1, for_each((i, 1, n), P[i] <= c * B[i])
     => KLDivergence(P, B) <= c * log(c) / (c - 1) * Sum(Abs(P[i] - B[i]), (i, 1, n)) / 2
    =/> KLDivergence(P, B) <= R(19, 20) * c * log(c) / (c - 1) * Sum(Abs(P[i] - B[i]), (i, 1, n)) / 2
    "Verdu, Total Variation Distance and the Distribution of Relative Information, ITA 2014 (used for max-divergence
        in privacy): Theorem 7: KL(P || Q) <= (c log c/(c - 1)) TV(P, Q) if P <= c Q"
    "Equality if the ratio takes the values 0, 1 and c only. At {n: 2, c: 2, P: [1, 0], B: [R(1, 2), R(1, 2)]}."
local-channel-contracts: P, Q, z > 0, eps >= 0, for_each((i, 1, n), U[i] >= z), for_each((i, 1, n), U[i] <= exp(eps) * z)
     => Sum(U[i] * (P[i] - Q[i]), (i, 1, n)) <= (exp(eps) - 1) * z * Sum(Abs(P[i] - Q[i]), (i, 1, n)) / 2
    =/> Sum(U[i] * (P[i] - Q[i]), (i, 1, n)) <= (exp(eps) - 1) * z * R(9, 20) * Sum(Abs(P[i] - Q[i]), (i, 1, n))
    "Duchi, Jordan, Wainwright, Local Privacy and Statistical Minimax Rates, FOCS 2013: Lemma 2 (density of the
        output under two priors), with the constant (e^eps - 1) inf_x q(z|x) TV"
    "U[i] is q(z|i). Equality if q is e^eps inf q where P > Q, and inf q elsewhere. At {n: 2, z: 1, eps: 1, P: [1,
        0], Q: [0, 1], U: [R(27, 10), 1]}."
empirical-l1-risk: P, n >= 2
     => Sum(sqrt(P[i] * (1 - P[i])), (i, 1, n)) <= sqrt(n - 1)
    =/> Sum(sqrt(P[i] * (1 - P[i])), (i, 1, n)) <= sqrt(n - R(11, 10))
    "Kamath, Orlitsky, Pichapati, Suresh, On Learning Distributions from their Samples, COLT 2015 (used by Kairouz,
        Bonawitz, Ramage 2016): l1 risk of the empirical law: sum sqrt(p(1-p)) <= sqrt(k - 1)"
    "Equality for the uniform law. At {n: 3, P: [R(1, 3), R(1, 3), R(1, 3)]}."
""",
)
