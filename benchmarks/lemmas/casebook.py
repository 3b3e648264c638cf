"""Forty lemmas of papers of 1933 to 2024, each with a false twin, written from the two pages on claims alone.

Nothing was mended because of them before they were first tried. Places in papers are from memory, and some lemmas are a step or a special
case of what they name. Before they were tried, every lemma held at random points and edges of its domain in multiple precision, with
random laws for families, and every twin failed somewhere.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

epsilon, sigma, p, q_, s, x_positive = positive("epsilon sigma p q s x")
alpha, x_real, t_real, d_real, z, a, b = real("alpha x t d z a b")
t, x, q, epsilon_nonnegative, delta, L, u, mu, rate, r, s_nonnegative = nonnegative("t x q epsilon delta L u mu rate r s")
k, m_integer = integer("k m")
m, n, k_count, d = positive_integer("m n k d")
k_index, i, t_index = index("k i t")
bounded_range_moment = ((1 - exp(t - epsilon)) * exp(alpha * t) + (exp(t) - 1) * exp(alpha * (t - epsilon))) / (exp(t) - exp(t - epsilon))
k0 = index("k", start=0)
truth = bernoulli(exp(epsilon_nonnegative) / (1 + exp(epsilon_nonnegative)))
lie = bernoulli(1 / (1 + exp(epsilon_nonnegative)))
j = index("j", start=0)
p_laws = laws("p", (i, 1, n), "positive")
q_laws = laws("q", (i, 1, n), "positive")
p_any = laws("p", (i, 1, n))
q_any = laws("q", (i, 1, n))

LEMMAS = lemmas_in(
    globals(),
    """
# everyday
bounded-range-kl:
     => epsilon / (exp(epsilon) - 1) - 1 - log(epsilon / (exp(epsilon) - 1)) <= epsilon ** 2 / 8
    =/> epsilon / (exp(epsilon) - 1) - 1 - log(epsilon / (exp(epsilon) - 1)) <= epsilon ** 2 / 9
    "The KL divergence of an epsilon-bounded-range pair is at most epsilon^2/8. Dong, Durfee, Rogers 2020, Optimal Differential
        Privacy Composition for Exponential Mechanisms, Section 4; Cesar, Rogers 2021, Bounding, Concentrating, and Truncating,
        Section 3."
conversion-factor: alpha > 1
     => (1 - 1 / alpha) ** alpha <= exp(-1) * (1 - 1 / (2 * alpha))
    =/> (1 - 1 / alpha) ** alpha <= exp(-1) * (1 - 3 / (5 * alpha))
    "The factor (1 - 1/alpha)^alpha of the conversion from Renyi to approximate privacy is at most (1 - 1/(2 alpha))/e. Canonne,
        Kamath, Steinke 2020, The Discrete Gaussian for Differential Privacy, Proposition 12."
laplace-sum-tail:
     => (2 + t) * exp(-t) / 4 <= exp(-t / 2) / 2
    =/> (2 + t) * exp(-t) / 4 <= exp(-3 * t / 5) / 2
    "The tail of a sum of two Laplace variables is at most half of exp(-t/2). Kotz, Kozubowski, Podgorski 2001, The Laplace
        Distribution and Generalizations, Section 2.3."
polya:
     => erf(x) <= sqrt(1 - exp(-4 * x ** 2 / pi))
    =/> erf(x) <= sqrt(1 - exp(-19 * x ** 2 / (5 * pi)))
    "Polya's bound on the total variation between two Gaussians. Polya 1949, Remarks on computing the probability integral in one
        and two dimensions, inequality (1.5); Williams 1946."
staircase:
     => 1 / epsilon - exp(epsilon / 2) / (exp(epsilon) - 1) <= epsilon / 24
    =/> 1 / epsilon - exp(epsilon / 2) / (exp(epsilon) - 1) <= epsilon / 25
    "The staircase mechanism saves at most epsilon/24 of the expected error 1/epsilon of the Laplace mechanism. Geng, Viswanath
        2016, The Optimal Noise-Adding Mechanism in Differential Privacy, the theorem on the l1 cost."
grr-oue: k >= 2, k <= 3 * exp(epsilon) + 2
     => (k - 2 + exp(epsilon)) / (exp(epsilon) - 1) ** 2 <= 4 * exp(epsilon) / (exp(epsilon) - 1) ** 2
     ; k >= 2, k <= 3 * exp(epsilon) + 3
    =/> (k - 2 + exp(epsilon)) / (exp(epsilon) - 1) ** 2 <= 4 * exp(epsilon) / (exp(epsilon) - 1) ** 2
    "Generalised randomised response has no larger variance than optimised unary encoding on a domain of at most 3 e^epsilon + 2
        values. Wang, Blocki, Li, Jha 2017, Locally Differentially Private Protocols for Frequency Estimation, Section 5."
laplace-kl:
     => t - 1 + exp(-t) <= t ** 2 / (2 + 2 * t / 3)
    =/> t - 1 + exp(-t) <= t ** 2 / (2 + 4 * t / 5)
    "The KL divergence t - 1 + e^(-t) of the Laplace mechanism with sensitivity over scale t is at most t^2/(2 + 2t/3). Boucheron,
        Lugosi, Massart 2013, Concentration Inequalities, Exercise 2.8; Mironov 2017, Renyi Differential Privacy, Proposition 6."
sgm-two: q <= 1, sigma >= 1
     => log(1 + q ** 2 * (exp(1 / sigma ** 2) - 1)) <= Rational(7, 4) * q ** 2 / sigma ** 2
    =/> log(1 + q ** 2 * (exp(1 / sigma ** 2) - 1)) <= Rational(17, 10) * q ** 2 / sigma ** 2
    "At order two the sampled Gaussian has a Renyi divergence of at most (7/4) q^2/sigma^2 for sigma >= 1. Mironov, Talwar, Zhang
        2019, Renyi Differential Privacy of the Sampled Gaussian Mechanism, Section 3."
tv-of-pair: delta <= 1
     => (exp(epsilon_nonnegative) - 1 + 2 * delta) / (exp(epsilon_nonnegative) + 1) <= delta + (1 - delta) * epsilon_nonnegative / 2
    =/> (exp(epsilon_nonnegative) - 1 + 2 * delta) / (exp(epsilon_nonnegative) + 1) <= delta + Rational(9, 20) * (1 - delta) *
        epsilon_nonnegative
    "The total variation of an (epsilon, delta) pair is at most delta + (1 - delta) epsilon/2. Kairouz, Oh, Viswanath 2015, The
        Composition Theorem for Differential Privacy, Remark on total variation after Theorem 3.3."
two-candidates:
     => x_real / (1 + exp(x_real)) <= Rational(7, 25)
    =/> x_real / (1 + exp(x_real)) <= Rational(11, 40)
    "The exponential mechanism on two candidates loses at most 7/25 of its scale in expectation. McKenna, Sheldon 2020,
        Permute-and-Flip: A New Mechanism for Differentially Private Selection, Section 4 (worst-case expected error)."
zcdp-inverse:
     => (sqrt(L + epsilon) - sqrt(L)) ** 2 >= epsilon ** 2 / (4 * L + 2 * epsilon)
    =/> (sqrt(L + epsilon) - sqrt(L)) ** 2 >= epsilon ** 2 / (4 * L + Rational(9, 5) * epsilon)
    "The rho that gives (epsilon, e^(-L)) privacy is at least epsilon^2/(4L + 2 epsilon). Bun, Steinke 2016, Concentrated
        Differential Privacy: Simplifications, Extensions, and Lower Bounds, Proposition 1.3, solved for rho."
poisson-lower: x < 1
     => (1 - x) * log(1 - x) + x >= x ** 2 / 2 + x ** 3 / 6
    =/> (1 - x) * log(1 - x) + x >= x ** 2 / 2 + x ** 3 / 5
    "The exponent of the lower Poisson tail has a cubic term of at least x^3/6. Canonne 2019, A short note on Poisson tail bounds,
        Theorem 1 and its proof; Boucheron, Lugosi, Massart 2013, Section 2.2."
pure-gdp:
     => NormalCDF(sqrt(pi / 8) * epsilon_nonnegative) >= exp(epsilon_nonnegative) / (1 + exp(epsilon_nonnegative))
    =/> NormalCDF(sqrt(pi / 9) * epsilon_nonnegative) >= exp(epsilon_nonnegative) / (1 + exp(epsilon_nonnegative))
    "Pure epsilon-DP implies sqrt(pi/2) epsilon-GDP: the rescaled probit lies above the logistic function. Dong, Roth, Su 2022,
        Gaussian Differential Privacy, Section 2 (trade-off of randomised response); MacKay 1992, The Evidence Framework Applied to
        Classification Networks, for the constant pi/8."
# hard
kearns-saul: p < Rational(1, 2)
     => log(1 - p + p * exp(t_real)) <= p * t_real + (1 - 2 * p) / (4 * log((1 - p) / p)) * t_real ** 2
    =/> log(1 - p + p * exp(t_real)) <= p * t_real + (1 - 2 * p) / (5 * log((1 - p) / p)) * t_real ** 2
    "The Kearns-Saul inequality for the moment generating function of a Bernoulli variable. Kearns, Saul 1998, Large Deviation
        Methods for Approximate Probabilistic Inference, Lemma 1; Berend, Kontorovich 2013, On the concentration of the missing
        mass, Theorem 4."
laplace-renyi: alpha > 1
     => log(alpha / (2 * alpha - 1) * exp((alpha - 1) * t) + (alpha - 1) / (2 * alpha - 1) * exp(-alpha * t)) <= alpha * (alpha - 1)
        * t ** 2 / 2
    =/> log(alpha / (2 * alpha - 1) * exp((alpha - 1) * t) + (alpha - 1) / (2 * alpha - 1) * exp(-alpha * t)) <= Rational(9, 20) *
        alpha * (alpha - 1) * t ** 2
    "At every real order the Laplace mechanism has a Renyi divergence of at most alpha t^2/2. Mironov 2017, Renyi Differential
        Privacy, Proposition 6 with Bun, Steinke 2016, Proposition 1.4."
vajda: q_ + t < 1
     => (q_ + t) * log((q_ + t) / q_) + (1 - q_ - t) * log((1 - q_ - t) / (1 - q_))
        >= log((1 + t) / (1 - t)) - 2 * t / (1 + t)
    =/> (q_ + t) * log((q_ + t) / q_) + (1 - q_ - t) * log((1 - q_ - t) / (1 - q_))
        >= log((1 + t) / (1 - t)) - Rational(19, 10) * t / (1 + t)
    "Vajda's lower bound on the KL divergence of two Bernoulli laws at total variation t. Vajda 1970, Note on discrimination
        information and variation, Theorem 1; Fedotov, Harremoes, Topsoe 2003, Refinements of Pinsker's Inequality, Section I."
okamoto: p >= Rational(1, 2), p + t < 1
     => (p + t) * log((p + t) / p) + (1 - p - t) * log((1 - p - t) / (1 - p)) >= t ** 2 / (2 * p * (1 - p))
     ; p >= Rational(2, 5), p + t < 1
    =/> (p + t) * log((p + t) / p) + (1 - p - t) * log((1 - p - t) / (1 - p)) >= t ** 2 / (2 * p * (1 - p))
    "Okamoto's bound on the exponent of the upper binomial tail for p >= 1/2. Okamoto 1959, Some inequalities relating to the
        partial sum of binomial probabilities, Lemma 2 and Theorem 2."
bounded-range-renyi: alpha > 1, t <= epsilon
     => bounded_range_moment <= exp(alpha * (alpha - 1) * epsilon ** 2 / 8)
    =/> bounded_range_moment <= exp(alpha * (alpha - 1) * epsilon ** 2 / 9)
    "An epsilon-bounded-range pair of two outcomes, with losses t and t - epsilon, has the Renyi moments of (epsilon^2/8)-zCDP at
        every real order. Cesar, Rogers 2021, Bounding, Concentrating, and Truncating: Unifying Privacy Loss Composition for Data
        Analytics, Lemma 3.4."
discrete-gauss-tail:
     => Sum(exp(-k_index ** 2 / (2 * sigma ** 2)), (k_index, m, oo)) <= sqrt(2 * pi) * sigma * NormalCDF(-(m - 1) / sigma)
    =/> Sum(exp(-k_index ** 2 / (2 * sigma ** 2)), (k_index, m, oo)) <= sqrt(2 * pi) * sigma * NormalCDF(-(m - Rational(1, 5)) /
        sigma)
    "The unnormalised tail of the discrete Gaussian from m on is at most the Gaussian tail from m - 1 on. Canonne, Kamath, Steinke
        2020, The Discrete Gaussian for Differential Privacy, Proposition 25."
sampford:
     => NormalCDF(-x) <= 4 * normal_density(x) / (3 * x + sqrt(x ** 2 + 8))
    =/> NormalCDF(-x) <= 4 * normal_density(x) / (3 * x + sqrt(x ** 2 + 9))
    "Sampford's upper bound on the Gaussian tail. Sampford 1953, Some Inequalities on Mill's Ratio and Related Functions, inequality
        (3)."
gauss-delta-tangent:
     => NormalCDF(-u) - exp(mu * u + mu ** 2 / 2) * NormalCDF(-u - mu) <= mu * (normal_density(u) - u * NormalCDF(-u))
    =/> NormalCDF(-u) - exp(mu * u + mu ** 2 / 2) * NormalCDF(-u - mu) <= Rational(9, 10) * mu * (normal_density(u) - u *
        NormalCDF(-u))
    "For u = epsilon/mu - mu/2, the delta of mu-GDP is at most its tangent mu (phi(u) - u Phi(-u)), because the Mills ratio is
        convex. Balle, Wang 2018, Improving the Gaussian Mechanism for Differential Privacy, Theorem 8; Baricz 2008, Mills' ratio:
        monotonicity patterns and functional inequalities, Theorem 2.5."
ash: k_count <= n - 1
     => binomial(n, k_count) * (k_count / n) ** k_count * ((n - k_count) / n) ** (n - k_count) >= sqrt(n / (8 * k_count * (n -
        k_count)))
    =/> binomial(n, k_count) * (k_count / n) ** k_count * ((n - k_count) / n) ** (n - k_count) >= sqrt(n / (7 * k_count * (n -
        k_count)))
    "A binomial coefficient is at least sqrt(n/(8 k (n - k))) times the exponential of the entropy. Ash 1965, Information Theory,
        Lemma 4.7.1."
chi-mean:
     => sqrt(2) * gamma((d + 1) / 2) / gamma(d / 2) >= sqrt(d - Rational(1, 2))
    =/> sqrt(2) * gamma((d + 1) / 2) / gamma(d / 2) >= sqrt(d - Rational(2, 5))
    "The expected norm of standard Gaussian noise in d dimensions is at least sqrt(d - 1/2). Watson 1959, A note on gamma functions,
        the lower bound (x + 1/4)^(1/2)."
poisson-tail: m_integer >= 0, rate < m_integer + 1
     => Sum(rate ** k0 / factorial(k0), (k0, m_integer, oo)) <= rate ** m_integer / factorial(m_integer) *
        (m_integer + 1) / (m_integer + 1 - rate)
    =/> Sum(rate ** k0 / factorial(k0), (k0, m_integer, oo)) <= rate ** m_integer / factorial(m_integer) *
        (m_integer + 1) / (m_integer + Rational(11, 10) - rate)
    "The upper tail of a Poisson law is at most its first mass times (m + 1)/(m + 1 - rate). Glynn 1987, Upper bounds on Poisson
        tail probabilities, Proposition 1."
inverse-square: q_ <= 1
     => Sum(binomial(n, k0) * q_ ** k0 * (1 - q_) ** (n - k0) / (k0 + 1) ** 2, (k0, 0,
        n)) <= 2 / ((n + 1) * (n + 2) * q_ ** 2)
    =/> Sum(binomial(n, k0) * q_ ** k0 * (1 - q_) ** (n - k0) / (k0 + 1) ** 2, (k0, 0,
        n)) <= Rational(3, 2) / ((n + 1) * (n + 2) * q_ ** 2)
    "The inverse square of one plus a Poisson-sampled batch size has mean at most 2/((n + 1)(n + 2) q^2). Chao, Strawderman 1972,
        Negative Moments of Positive Random Variables, Section 3; Cribari-Neto, Garcia, Vasconcellos 2000, A Note on Inverse Moments
        of Binomial Variates."
sampled-rr: alpha > 1, r <= 1
     => RenyiDivergence(alpha, mixture([r, 1 - r], [truth, lie]), lie) <= alpha / 2 * log(1 + r * (exp(epsilon_nonnegative) - 1)) **
        2
    =/> RenyiDivergence(alpha, mixture([r, 1 - r], [truth, lie]), lie) <= Rational(9, 20) * alpha * log(1 + r *
        (exp(epsilon_nonnegative) - 1)) ** 2
    "Sampled randomised response has at every real order alpha a Renyi divergence of at most alpha/2 times the square of its
        amplified epsilon. Balle, Barthe, Gaboardi 2018, Privacy Amplification by Subsampling, Theorem 8, with Bun, Steinke 2016,
        Proposition 3.3."
sgm-real: alpha > 1, alpha <= 4, sigma >= 4, sigma <= 8, q_ >= Rational(1, 100), q_ <= Rational(1, 5)
     => SampledGaussianRenyi(alpha, sigma, q_, 'remove') <= Rational(11, 20) * alpha * q_ ** 2 / sigma ** 2
    =/> SampledGaussianRenyi(alpha, sigma, q_, 'remove') <= Rational(1, 2) * alpha * q_ ** 2 / sigma ** 2
    "For sigma >= 4 and q <= 1/5 the sampled Gaussian has a Renyi divergence of at most (11/20) alpha q^2/sigma^2 at the real orders
        up to 4. Mironov, Talwar, Zhang 2019, Renyi Differential Privacy of the Sampled Gaussian Mechanism, Theorem 11, with a
        better constant on a smaller range."
exponential-scale: alpha > 1
     => t - log(1 + (alpha - 1) * (1 - exp(-t))) / (alpha - 1) <= alpha * t ** 2 / 2
    =/> t - log(1 + (alpha - 1) * (1 - exp(-t))) / (alpha - 1) <= Rational(9, 20) * alpha * t ** 2
    "Two exponential laws whose rates differ by a factor e^t have a Renyi divergence of at most alpha t^2/2. Gil, Alajaji, Linder
        2013, Renyi divergence measures for commonly used univariate continuous distributions, Table 2; Bun, Steinke 2019,
        Average-Case Averages, Section 3 (change of scale)."
exponential-integral:
     => Integral(exp(-s * u) / (1 + u), (u, 0, oo)) <= log(1 + 1 / s)
    =/> Integral(exp(-s * u) / (1 + u), (u, 0, oo)) <= Rational(9, 10) * log(1 + 1 / s)
    "The mean of 1/(1 + u) under exponential noise is bounded by a logarithm. Gautschi 1959, Some elementary inequalities relating
        to the gamma and incomplete gamma function, inequality (13); Abramowitz, Stegun 1964, 5.1.20."
student-tail: d_real >= 1
     => Integral((1 + z ** 2) ** (-(d_real + 1) / 2), (z, x_positive, oo)) <= x_positive ** (-d_real) / d_real
    =/> Integral((1 + z ** 2) ** (-(d_real + 1) / 2), (z, x_positive, oo)) <= (1 + x_positive ** 2) ** (-d_real / 2) / d_real
    "The unnormalised tail of Student's noise with d degrees of freedom is at most x^(-d)/d. Bun, Steinke 2019, Average-Case
        Averages: Private Algorithms for Smooth Sensitivity and Mean Estimation, Section 3.2."
batir:
     => factorial(n) >= sqrt(2 * pi * (n + Rational(1, 6))) * (n / E) ** n
    =/> factorial(n) >= sqrt(2 * pi * (n + Rational(1, 5))) * (n / E) ** n
    "Stirling's lower bound with the correction 1/6 of Gosper. Batir 2008, Sharp Inequalities for Factorial n, Theorem 1.5."
# about laws or families of any length
group-sum:
     => Sum(exp(j * epsilon_nonnegative), (j, 0, k_count - 1)) >= k_count * exp((k_count - 1) * epsilon_nonnegative / 2)
    =/> Sum(exp(j * epsilon_nonnegative), (j, 0, k_count - 1)) >= k_count * exp(Rational(3, 5) * (k_count - 1) *
        epsilon_nonnegative)
    "The factor of delta in group privacy for k people is at least k e^((k - 1) epsilon/2). Vadhan 2017, The Complexity of
        Differential Privacy, Lemma 2.2 (the factor)."
moment-log-convex: p_laws, q_laws
     => Sum(p_laws[i] ** ((a + b) / 2) * q_laws[i] ** (1 - (a + b) / 2), (i, 1, n)) ** 2 <= Sum(p_laws[i] ** a * q_laws[i] ** (1 -
        a), (i, 1, n)) * Sum(p_laws[i] ** b * q_laws[i] ** (1 - b), (i, 1, n))
    =/> Sum(p_laws[i] ** ((a + b) / 2) * q_laws[i] ** (1 - (a + b) / 2), (i, 1, n)) ** 2 <= Rational(19, 20) * Sum(p_laws[i] ** a *
        q_laws[i] ** (1 - a), (i, 1, n)) * Sum(p_laws[i] ** b * q_laws[i] ** (1 - b), (i, 1, n))
    "Renyi moments are log-convex in their real order, at the middle of two orders. van Erven, Harremoes 2014, Renyi Divergence and
        Kullback-Leibler Divergence, Corollary 2."
triangular: p_laws, q_laws
     => Sum((p_laws[i] - q_laws[i]) ** 2 / (p_laws[i] + q_laws[i]), (i, 1, n)) >= Rational(1, 2) * Sum(Abs(p_laws[i] - q_laws[i]),
        (i, 1, n)) ** 2
    =/> Sum((p_laws[i] - q_laws[i]) ** 2 / (p_laws[i] + q_laws[i]), (i, 1, n)) >= Rational(3, 5) * Sum(Abs(p_laws[i] - q_laws[i]),
        (i, 1, n)) ** 2
    "The triangular discrimination is at least half the square of the l1 distance. Topsoe 2000, Some Inequalities for Information
        Divergence and Related Measures of Discrimination, inequality (11)."
jensen-shannon: p_laws, q_laws
     => Sum(p_laws[i] * log(2 * p_laws[i] / (p_laws[i] + q_laws[i])) + q_laws[i] * log(2 * q_laws[i] / (p_laws[i] + q_laws[i])), (i,
        1, n)) <= log(2) * Sum(Abs(p_laws[i] - q_laws[i]), (i, 1, n))
    =/> Sum(p_laws[i] * log(2 * p_laws[i] / (p_laws[i] + q_laws[i])) + q_laws[i] * log(2 * q_laws[i] / (p_laws[i] + q_laws[i])), (i,
        1, n)) <= Rational(13, 20) * Sum(Abs(p_laws[i] - q_laws[i]), (i, 1, n))
    "Twice the Jensen-Shannon divergence is at most log 2 times the l1 distance. Lin 1991, Divergence Measures Based on the Shannon
        Entropy, Theorem 3."
chi-square-pure: p_laws, q_laws, for_each((i, 1, n), p_laws[i] <= exp(epsilon_nonnegative) * q_laws[i]), for_each((i, 1, n),
        q_laws[i] <= exp(epsilon_nonnegative) * p_laws[i])
     => Sum((p_laws[i] - q_laws[i]) ** 2 / q_laws[i], (i, 1, n)) <= exp(epsilon_nonnegative) + exp(-epsilon_nonnegative) - 2
     ; p_laws, q_laws, for_each((i, 1, n), p_laws[i] <= exp(epsilon_nonnegative) * q_laws[i])
    =/> Sum((p_laws[i] - q_laws[i]) ** 2 / q_laws[i], (i, 1, n)) <= exp(epsilon_nonnegative) + exp(-epsilon_nonnegative) - 2
    "The chi-square divergence of an epsilon-DP pair is at most e^epsilon + e^(-epsilon) - 2. Asoodeh, Zhang 2022, Contraction of
        Locally Differentially Private Mechanisms, Theorem 2 and its proof."
sampled-kl: p_any, q_laws, r <= 1
     => KLDivergence(r * p_any + (1 - r) * q_laws, q_laws) <= r ** 2 * Sum((p_any[i] - q_laws[i]) ** 2 / q_laws[i], (i, 1, n))
    =/> KLDivergence(r * p_any + (1 - r) * q_laws, q_laws) <= Rational(9, 10) * r ** 2 * Sum((p_any[i] - q_laws[i]) ** 2 /
        q_laws[i], (i, 1, n))
    "The KL divergence of a mechanism sampled at rate r is at most r^2 times the chi-square divergence. Wang, Balle, Kasiviswanathan
        2019, Subsampled Renyi Differential Privacy and Analytical Moments Accountant, Section 3; Gibbs, Su 2002, On Choosing and
        Bounding Probability Metrics, Theorem 5."
guessing: p_any, q_any, for_each((i, 1, n), p_any[i] <= exp(epsilon_nonnegative) * q_any[i]), for_each((i, 1, n), q_any[i]
        <= exp(epsilon_nonnegative) * p_any[i])
     => Sum(Max(p_any[i], q_any[i]), (i, 1, n)) <= 2 * exp(epsilon_nonnegative) / (1 + exp(epsilon_nonnegative))
    =/> Sum(Max(p_any[i], q_any[i]), (i, 1, n)) <= Rational(19, 10) * exp(epsilon_nonnegative) / (1 + exp(epsilon_nonnegative))
    "Twice the probability of guessing which of two epsilon-DP laws gave the output is at most 2 e^epsilon/(1 + e^epsilon).
        Wasserman, Zhou 2010, A Statistical Framework for Differential Privacy, Theorem 2.4; Kairouz, Oh, Viswanath 2015, Theorem
        2.1."
step-sizes: s_nonnegative < 1
     => Sum(t_index ** (-s_nonnegative), (t_index, 1, n)) <= (n ** (1 - s_nonnegative) - s_nonnegative) / (1 - s_nonnegative)
    =/> Sum(t_index ** (-s_nonnegative), (t_index, 1, n)) <= (n ** (1 - s_nonnegative) - Rational(11, 10) * s_nonnegative) / (1 -
        s_nonnegative)
    "Step sizes t^(-s) of noisy SGD add up to at most (n^(1 - s) - s)/(1 - s). Shamir, Zhang 2013, Stochastic Gradient Descent for
        Non-smooth Optimization, proof of Theorem 2 (general exponent)."
preservation: p_any, q_laws, alpha > 1, m <= n
     => Sum(p_any[i], (i, 1, m)) <= RenyiMoment(alpha, p_any, q_laws) ** (1 / alpha) * Sum(q_laws[i], (i, 1, m)) ** ((alpha - 1)
        / alpha)
    =/> Sum(p_any[i], (i, 1, m)) <= RenyiMoment(alpha, p_any, q_laws) ** (1 / alpha) * Sum(q_laws[i], (i, 1, m)) **
        (Rational(11, 10) * (alpha - 1) / alpha)
    "Probability preservation: an event has under p at most the moment to the power 1/alpha times its q-probability to the power
        (alpha - 1)/alpha. Mironov 2017, Renyi Differential Privacy, Proposition 10; Langlois, Stehle, Steinfeld 2014, GGHLite,
        Lemma 4.1."
""",
)
