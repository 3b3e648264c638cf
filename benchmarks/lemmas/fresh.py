"""Sixty lemmas as papers state them, each with a false twin, written from the page on the claim language alone.

Nothing was mended after them, so that what `python -m benchmarks.lemmas fresh` says is what the next lemma may expect. Titles, authors and
years are as remembered; numbers of theorems are from memory and may be off by one edition.
"""

from __future__ import annotations

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

n, m, k = positive_integer("n m k")
i, j = index("i"), index("j", start=0)
x, t, s = real("x"), real("t"), real("s")
epsilon, a, b = nonnegative("epsilon a b")
delta, sigma, q, rate, mu = positive("delta sigma q rate mu")
alpha, rho, eta, L = positive("alpha rho eta L")
over = (i, 1, n)

P, Q, R = laws("p q r", over)  # masses may be 0
PP, QQ, RR = laws("u v w", over, "positive")  # positive masses

# McSherry & Talwar, "Mechanism design via differential privacy" (FOCS 2007); expected form in Bassily, Nissim, Smith, Steinke,
# Stemmer, Ullman,
# "Algorithmic stability for adaptive data analysis" (STOC 2016), Lemma 7.1.
score = family("x")

# Weierstrass; used for delta in Kairouz, Oh, Viswanath, "The composition theorem for differential privacy" (ICML 2015), Thm 3.5.
d = family("d", "positive")

# Bhatia & Davis, "A better bound on the variance" (Amer. Math. Monthly 2000), Thm 1.
lo, hi = real("lo hi")

# Kantorovich 1948; Steele, "The Cauchy-Schwarz master class" (2004), Exercise on Kantorovich.
c = family("c", "positive")

LEMMAS = lemmas_in(
    globals(),
    """
# ---------------------------------------------------------------- families
# Kairouz, Bonawitz, Ramage, "Discrete distribution estimation under local privacy" (ICML 2016), Prop. 2 and its proof:
# the collision probability of the output of k-ary randomized response is largest at a point mass.
krr-collision: P, epsilon >= 0
     => Sum((P[i] * (exp(epsilon) - 1) + 1) ** 2, over) <= exp(2 * epsilon) + n - 1
    =/> Sum((P[i] * (exp(epsilon) - 1) + 1) ** 2, over) <= exp(2 * epsilon) + n - Rational(11, 10)
    "k-ary randomized response: the collision probability of its output, for every law of the data."
# Dwork, Rothblum, Vadhan, "Boosting and differential privacy" (FOCS 2010), Lemma III.2, in the sharp symmetric form of
# Bun & Steinke, "Concentrated differential privacy" (TCC 2016), Prop. 3.3.
jeffreys-dp: PP, QQ, for_each(over, PP[i] <= exp(epsilon) * QQ[i]), for_each(over, QQ[i] <= exp(epsilon) * PP[i])
     => Sum((PP[i] - QQ[i]) * log(PP[i] / QQ[i]), over) <= 2 * epsilon * tanh(epsilon / 2)
    =/> Sum((PP[i] - QQ[i]) * log(PP[i] / QQ[i]), over) <= Rational(19, 10) * epsilon * tanh(epsilon / 2)
    "The symmetric divergence of two epsilon-indistinguishable laws is at most 2 epsilon tanh(epsilon/2)."
# Bun & Steinke, "Concentrated differential privacy" (TCC 2016), Prop. 3.3 (proof): extremal pair of pure DP at any order.
renyi-of-pure: PP, QQ, alpha > 1, epsilon > 0, for_each(over, PP[i] <= exp(epsilon) * QQ[i]), for_each(over, QQ[i] <= exp(epsilon) * PP[i])
     => RenyiMoment(alpha, PP, QQ) <= (sinh(alpha * epsilon) - sinh((alpha - 1) * epsilon)) / sinh(epsilon)
    =/> RenyiMoment(alpha, PP, QQ) <= (sinh(alpha * epsilon) - Rational(21, 20) * sinh((alpha - 1) * epsilon)) / sinh(epsilon)
    "The moment of order alpha of an epsilon-DP pair is at most that of binary randomized response."
# Bretagnolle & Huber, "Estimation des densites: risque minimax" (1979); Tsybakov, "Introduction to nonparametric estimation"
# (2009), Lemma 2.6.
bretagnolle-huber: P, QQ
     => Sum(sqrt(P[i] * QQ[i]), over) >= exp(-KLDivergence(P, QQ) / 2)
    =/> Sum(sqrt(P[i] * QQ[i]), over) >= exp(-KLDivergence(P, QQ) * Rational(9, 20))
    "The affinity of two laws is at least exp(-KL/2)."
exponential-mechanism: eta > 0, for_each(over, score[i] <= score[1])
     => Sum((score[1] - score[i]) * exp(eta * (score[i] - score[1])), over) <= log(n) / eta * Sum(exp(eta * (score[i] - score[1])), over)
    =/> Sum((score[1] - score[i]) * exp(eta * (score[i] - score[1])), over) <= Rational(2, 5) * log(n) / eta * Sum(exp(eta * (score[i] -
           score[1])), over)
    "The expected loss of the exponential mechanism is at most log(n)/eta."
weierstrass: for_each(over, d[i] < 1)
     => exp(Sum(log(1 - d[i]), over)) >= 1 - Sum(d[i], over)
    =/> exp(Sum(log(1 - d[i]), over)) >= 1 - Rational(19, 20) * Sum(d[i], over)
    "Composed failure probabilities: prod (1 - delta_i) >= 1 - sum delta_i."
# van Erven & Harremoes, "Renyi divergence and Kullback-Leibler divergence" (IEEE Trans. IT 2014), Cor. 2: (alpha - 1) D_alpha is
# convex in alpha.
moment-log-convex: PP, QQ
     => RenyiMoment(3, PP, QQ) ** 2 <= RenyiMoment(2, PP, QQ) * RenyiMoment(4, PP, QQ)
    =/> RenyiMoment(3, PP, QQ) ** 2 <= RenyiMoment(2, PP, QQ) ** Rational(3, 4) * RenyiMoment(4, PP, QQ)
    "The moments of likelihood ratios are log-convex in the order (orders 2, 3, 4)."
# Mironov, "Renyi differential privacy" (CSF 2017), Prop. 11 / Cor. 4: the weak triangle inequality, here alpha = 2 with p = q = 2.
weak-triangle: PP, QQ, RR
     => RenyiMoment(2, PP, RR) ** 2 <= RenyiMoment(4, PP, QQ) * RenyiMoment(3, QQ, RR)
    =/> RenyiMoment(2, PP, RR) ** 2 <= RenyiMoment(4, PP, QQ) * RenyiMoment(3, QQ, RR) ** Rational(9, 10)
    "D_2(P|R) <= 3/2 D_4(P|Q) + D_3(Q|R), in moments."
# Sason & Verdu, "f-divergence inequalities" (IEEE Trans. IT 2016), Thm 25 / eq. (288): reverse Pinsker on a finite set.
reverse-pinsker: P, QQ, delta > 0, for_each(over, QQ[i] >= delta)
     => KLDivergence(P, QQ) <= log(1 + Sum(Abs(P[i] - QQ[i]), over) ** 2 / (2 * delta))
    =/> KLDivergence(P, QQ) <= log(1 + Sum(Abs(P[i] - QQ[i]), over) ** 2 / (Rational(21, 10) * delta))
    "KL(P|Q) <= log(1 + |P - Q|^2 / (2 q_min))."
bhatia-davis: P, for_each(over, score[i] >= lo), for_each(over, score[i] <= hi)
     => Sum(P[i] * score[i] ** 2, over) <= (lo + hi) * Sum(P[i] * score[i], over) - lo * hi
    =/> Sum(P[i] * score[i] ** 2, over) <= (lo + hi) * Sum(P[i] * score[i], over) - Rational(11, 10) * lo * hi
    "The variance of values in [lo, hi] is at most (hi - mean)(mean - lo)."
# Kairouz, Oh, Viswanath, "Extremal mechanisms for local differential privacy" (NIPS 2014), Cor. 11.
tv-of-pure: P, Q, for_each(over, P[i] <= exp(epsilon) * Q[i]), for_each(over, Q[i] <= exp(epsilon) * P[i])
     => Sum(Abs(P[i] - Q[i]), over) / 2 <= (exp(epsilon) - 1) / (exp(epsilon) + 1)
    =/> Sum(Abs(P[i] - Q[i]), over) / 2 <= (exp(epsilon) - 1) / (exp(epsilon) + Rational(11, 10))
    "Total variation of an epsilon-DP pair is at most (e^epsilon - 1)/(e^epsilon + 1)."
# Vadhan, "The complexity of differential privacy" (2017), Lemma 2.2 (group privacy of (epsilon, delta)), as a triangle inequality
# of the hockey stick.
hockey-triangle: P, Q, R
     => HockeyStick(a + b, P, R) <= HockeyStick(a, P, Q) + exp(a) * HockeyStick(b, Q, R)
    =/> HockeyStick(a + b, P, R) <= HockeyStick(a, P, Q) + exp(Rational(9, 10) * a) * HockeyStick(b, Q, R)
    "delta_{a+b}(P|R) <= delta_a(P|Q) + e^a delta_b(Q|R)."
# Canonne, Kamath, Steinke, "The discrete Gaussian for differential privacy" (NeurIPS 2020), Prop. 12; Asoodeh et al., "Three
# variants of differential privacy" (2021), Thm 3.
hockey-by-renyi: PP, QQ, alpha > 1
     => HockeyStick(epsilon, PP, QQ) <= RenyiMoment(alpha, PP, QQ) * exp(-(alpha - 1) * epsilon) * ((alpha - 1) / alpha) ** (alpha - 1) /
           alpha
    =/> HockeyStick(epsilon, PP, QQ) <= RenyiMoment(alpha, PP, QQ) * exp(-(alpha - 1) * epsilon) * ((alpha - 1) / alpha) ** (alpha - 1) /
           (alpha + Rational(1, 10))
    "delta(epsilon) <= G_alpha e^{-(alpha-1) epsilon} (1 - 1/alpha)^{alpha-1} / alpha."
kantorovich: P, lo > 0, hi >= lo, for_each(over, c[i] >= lo), for_each(over, c[i] <= hi)
     => Sum(P[i] * c[i], over) * Sum(P[i] / c[i], over) <= (lo + hi) ** 2 / (4 * lo * hi)
    =/> Sum(P[i] * c[i], over) * Sum(P[i] / c[i], over) <= (lo + hi) ** 2 / (Rational(41, 10) * lo * hi)
    "E X * E 1/X <= (lo + hi)^2 / (4 lo hi) for lo <= X <= hi."
# Yaroslavtsev, Cormode, Procopiuc, Srivastava, "Accurate and efficient private release of datacubes" (ICDE 2013), Sec. 3.2
# (optimal budgeting).
budget: PP
     => Sum(c[i] / PP[i], over) >= Sum(sqrt(c[i]), over) ** 2
    =/> Sum(c[i] / PP[i], over) >= Rational(21, 20) * Sum(sqrt(c[i]), over) ** 2
    "A budget split over queries costs at least (sum sqrt(c_i))^2."
# Bun & Steinke, "Concentrated differential privacy" (TCC 2016), Lemma 1.7 with Prop. 1.3: composing first and converting last is
# never worse.
compose-then-convert: L >= 0
     => Sum(d[i], over) + 2 * sqrt(L * Sum(d[i], over)) <= Sum(d[i] + 2 * sqrt(L * d[i]), over)
    =/> Sum(d[i], over) + Rational(21, 10) * sqrt(L * Sum(d[i], over)) <= Sum(d[i] + 2 * sqrt(L * d[i]), over)
    "rho-zCDP composed and then converted is at most the sum of what is converted one by one."
# Cover & Thomas, "Elements of information theory" (2006), Thm 2.7.2 (joint convexity); as amplification of KL by sampling.
kl-sampling: PP, QQ, rate <= 1
     => KLDivergence(rate * PP + (1 - rate) * QQ, QQ) <= rate * KLDivergence(PP, QQ)
    =/> KLDivergence(rate * PP + (1 - rate) * QQ, QQ) <= rate ** Rational(3, 2) * KLDivergence(PP, QQ)
    "KL of a sampled pair: KL(r P + (1-r) Q | Q) <= r KL(P|Q)."
# Balle, Barthe, Gaboardi, "Privacy amplification by subsampling" (NeurIPS 2018), Thm 2 (advanced joint convexity).
advanced-joint-convexity: P, Q, rate <= 1
     => HockeyStick(log(1 + rate * (exp(epsilon) - 1)), rate * P + (1 - rate) * Q, Q) <= rate * HockeyStick(epsilon, P, Q)
    =/> HockeyStick(log(1 + rate * (exp(epsilon) - 1)), rate * P + (1 - rate) * Q, Q) <= rate ** Rational(11, 10) * HockeyStick(epsilon, P,
           Q)
    "delta of a sampled pair at log(1 + r(e^epsilon - 1)) is at most r delta(epsilon)."
# Topsoe, "Some inequalities for information divergence and related measures of discrimination" (IEEE Trans. IT 2000), eq. (11).
triangular: PP, QQ
     => Sum(Abs(PP[i] - QQ[i]), over) ** 2 <= 2 * Sum((PP[i] - QQ[i]) ** 2 / (PP[i] + QQ[i]), over)
    =/> Sum(Abs(PP[i] - QQ[i]), over) ** 2 <= Rational(19, 10) * Sum((PP[i] - QQ[i]) ** 2 / (PP[i] + QQ[i]), over)
    "V^2 <= 2 Delta for the triangular discrimination Delta."
# Lin, "Divergence measures based on the Shannon entropy" (IEEE Trans. IT 1991), Thm 3.
jensen-shannon: PP, QQ
     => KLDivergence(PP, Rational(1, 2) * PP + Rational(1, 2) * QQ) + KLDivergence(QQ, Rational(1, 2) * PP + Rational(1, 2) * QQ) <=
           log(2) * Sum(Abs(PP[i] - QQ[i]), over)
    =/> KLDivergence(PP, Rational(1, 2) * PP + Rational(1, 2) * QQ) + KLDivergence(QQ, Rational(1, 2) * PP + Rational(1, 2) * QQ) <=
           Rational(9, 10) * log(2) * Sum(Abs(PP[i] - QQ[i]), over)
    "The Jensen-Shannon divergence is at most log(2) times total variation."
# ---------------------------------------------------------------- sums, tails, integrals, real parameters
# Balle & Wang, "Improving the Gaussian mechanism for differential privacy" (ICML 2018), Sec. 3; Zhao et al., "Reviewing and
# improving the Gaussian mechanism" (2019), Thm 5.
gaussian-tail-delta: epsilon >= 0, sigma > 0, 2 * epsilon * sigma**2 >= 1
     => NormalCDF(1 / (2 * sigma) - epsilon * sigma) - exp(epsilon) * NormalCDF(-1 / (2 * sigma) - epsilon * sigma) <= exp(-((epsilon *
           sigma - 1 / (2 * sigma)) ** 2) / 2) / 2
    =/> NormalCDF(1 / (2 * sigma) - epsilon * sigma) - exp(epsilon) * NormalCDF(-1 / (2 * sigma) - epsilon * sigma) <= exp(-((epsilon *
           sigma - 1 / (2 * sigma)) ** 2) / 2) * Rational(2, 5)
    "delta of the Gaussian mechanism is at most half a Gaussian tail of the privacy loss."
# Dwork & Roth, "The algorithmic foundations of differential privacy" (2014), Thm 3.16, for Gaussian mechanisms as composed in
# Dong, Roth, Su, "Gaussian differential privacy" (JRSS-B 2022), Cor. 3.3.
gaussian-basic-composition: a >= Rational(1, 10), a <= 1, b >= Rational(1, 10), b <= 1, epsilon <= 1, t >= 0, t <= 1
     => GaussianDelta(epsilon + t, 1 / sqrt(a**2 + b**2), 1) <= GaussianDelta(epsilon, 1 / a, 1) + GaussianDelta(t, 1 / b, 1)
    =/> GaussianDelta(epsilon + t, 1 / sqrt(a**2 + b**2), 1) <= GaussianDelta(epsilon, 1 / a, 1) + Rational(1, 2) * GaussianDelta(t, 1 / b,
           1)
    "Basic composition of two Gaussian mechanisms of parameters a and b."
# Wang, Blocki, Li, Jha, "Locally differentially private protocols for frequency estimation" (USENIX Security 2017), Sec. 5: when
# direct encoding beats OUE.
direct-encoding: epsilon > 0, k >= 2, k <= 3 * exp(epsilon) + 2
     => (k - 2 + exp(epsilon)) / (exp(epsilon) - 1) ** 2 <= 4 * exp(epsilon) / (exp(epsilon) - 1) ** 2
    ; epsilon > 0, k >= 2, k <= 3 * exp(epsilon) + 3
    =/> (k - 2 + exp(epsilon)) / (exp(epsilon) - 1) ** 2 <= 4 * exp(epsilon) / (exp(epsilon) - 1) ** 2
    "For k <= 3 e^epsilon + 2 the variance of k-ary randomized response is at most that of optimized unary encoding."
# Mironov, Talwar, Zhang, "Renyi differential privacy of the sampled Gaussian mechanism" (2019), Sec. 3.3; the lower bound follows
# from Bernoulli's inequality term by term; compare Wang, Balle, Kasiviswanathan (AISTATS 2019), Prop. 11.
sampled-gaussian-lower: n >= 2, q < 1
     => Sum(binomial(n, j) * (1 - q) ** (n - j) * q**j * exp(j * (j - 1) / (2 * sigma**2)), (j, 0, n)) >= 1 + n * (n - 1) / 2 * q**2 *
           (exp(1 / sigma**2) - 1)
    =/> Sum(binomial(n, j) * (1 - q) ** (n - j) * q**j * exp(j * (j - 1) / (2 * sigma**2)), (j, 0, n)) >= 1 + n**2 / 3 * q**2 * (exp(1 /
           sigma**2) - 1)
    "The moment of the sampled Gaussian at an integer order n is at least 1 + C(n,2) q^2 (exp(1/sigma^2) - 1)."
# Cover & Thomas, "Elements of information theory" (2006), Lemma 17.5.1; MacWilliams & Sloane (1977), Ch. 10, Lemma 7.
type-class: n >= 2, k <= n - 1
     => binomial(n, k) * (k / n) ** k * ((n - k) / n) ** (n - k) <= sqrt(n / (2 * pi * k * (n - k)))
    =/> binomial(n, k) * (k / n) ** k * ((n - k) / n) ** (n - k) <= sqrt(n / (7 * k * (n - k)))
    "C(n,k) (k/n)^k (1-k/n)^(n-k) <= sqrt(n / (2 pi k (n-k)))."
# Polya 1945 / Williams, "An approximation to the probability integral" (Ann. Math. Stat. 1946).
polya-williams: => erf(x) ** 2 <= 1 - exp(-4 * x**2 / pi) =/> erf(x) ** 2 <= 1 - exp(-5 * x**2 / 4)
    "erf(x)^2 <= 1 - exp(-4 x^2/pi)."
# Basel remainder; budgets 6 epsilon/(pi^2 k^2) of Rogers, Roth, Ullman, Vadhan, "Privacy odometers and filters" (NIPS 2016) and
# of infinite SVT epochs.
basel-budget:
     => Sum(6 / (pi**2 * i**2), over) <= 1 - 6 / (pi**2 * (n + 1))
    =/> Sum(6 / (pi**2 * i**2), over) <= 1 - 6 / (pi**2 * (n + Rational(2, 5)))
    "The first n budgets 6/(pi^2 k^2) sum to at most 1 - 6/(pi^2 (n+1))."
# Ghosh, Roughgarden, Sundararajan, "Universally utility-maximizing privacy mechanisms" (STOC 2009), Def. 2.2: tail of the
# geometric mechanism.
geometric-tail: epsilon > 0
     => 2 * (1 - exp(-epsilon)) / (1 + exp(-epsilon)) * Sum(exp(-epsilon * i), (i, m, oo)) <= exp(-epsilon * (m - Rational(1, 2)))
    =/> 2 * (1 - exp(-epsilon)) / (1 + exp(-epsilon)) * Sum(exp(-epsilon * i), (i, m, oo)) <= exp(-epsilon * (m - Rational(2, 5)))
    "Pr(|X| >= m) of the two-sided geometric law is at most exp(-epsilon (m - 1/2))."
# Canonne, Kamath, Steinke, "The discrete Gaussian for differential privacy" (NeurIPS 2020), Fact 19.
discrete-gaussian-mass: sigma > 0
     => 1 + 2 * Sum(exp(-(i**2) / (2 * sigma**2)), (i, 1, oo)) <= sqrt(2 * pi) * sigma + 1
    =/> 1 + 2 * Sum(exp(-(i**2) / (2 * sigma**2)), (i, 1, oo)) <= sqrt(2 * pi) * sigma + Rational(9, 10)
    "The normalizer of the discrete Gaussian is at most sqrt(2 pi sigma^2) + 1."
# Canonne, "A short note on Poisson tail bounds" (2017), Thm 1; Mitzenmacher & Upfal, "Probability and computing" (2005), Thm 5.4.
poisson-tail: mu > 0, m >= mu
     => Sum(exp(-mu) * mu**j / factorial(j), (j, m, oo)) <= exp(m - mu) * (mu / m) ** m
    =/> Sum(exp(-mu) * mu**j / factorial(j), (j, m, oo)) <= Rational(3, 5) * exp(m - mu) * (mu / m) ** m
    "Pr(Poisson(mu) >= m) <= e^{m - mu} (mu/m)^m for m >= mu."
# Ramanujan's problem; Choi, "On the medians of gamma distributions and an equation of Ramanujan" (Proc. AMS 1994), Thm 1.
poisson-median:
     => Sum(n**j / factorial(j), (j, 0, n)) >= exp(n) / 2
    =/> Sum(n**j / factorial(j), (j, 0, n)) >= Rational(11, 20) * exp(n)
    "Pr(Poisson(n) <= n) >= 1/2."
# Sampford, "Some inequalities on Mill's ratio and related functions" (Ann. Math. Stat. 1953), eq. (3).
sampford: x > -1
     => NormalCDF(-x) <= 4 * exp(-(x**2) / 2) / (sqrt(2 * pi) * (3 * x + sqrt(x**2 + 8)))
    =/> NormalCDF(-x) <= 4 * exp(-(x**2) / 2) / (sqrt(2 * pi) * (3 * x + sqrt(x**2 + 9)))
    "Gaussian tail: Q(x) <= 4 phi(x) / (3 x + sqrt(x^2 + 8)) for x > -1."
# Dong, Roth, Su, "Gaussian differential privacy" (JRSS-B 2022), Def. 2.6 and Prop. 2.4: the trade-off function of mu-GDP and its
# total variation.
gdp-tradeoff: t > 0, t < 1, mu >= 0
     => NormalCDF(NormalQuantile(1 - t) - mu) >= 1 - t - mu / sqrt(2 * pi)
    =/> NormalCDF(NormalQuantile(1 - t) - mu) >= 1 - t - mu * Rational(19, 20) / sqrt(2 * pi)
    "The trade-off function of N(0,1) and N(mu,1) lies at most mu/sqrt(2 pi) below the diagonal."
# Vadhan, "The complexity of differential privacy" (2017), Lemma 2.2: the factor of delta in group privacy, here from below (Jensen).
group-delta: epsilon >= 0
     => Sum(exp(j * epsilon), (j, 0, n - 1)) >= n * exp((n - 1) * epsilon / 2)
    =/> Sum(exp(j * epsilon), (j, 0, n - 1)) >= n * exp((n - Rational(9, 10)) * epsilon / 2)
    "1 + e^epsilon + ... + e^{(n-1) epsilon} >= n e^{(n-1) epsilon/2}."
# Topsoe, "Bounds for entropy and divergence for distributions over a two-element set" (JIPAM 2001), Thm 1.2.
topsoe-entropy: t > 0, t < 1
     => -t * log(t) - (1 - t) * log(1 - t) <= log(2) * (4 * t * (1 - t)) ** (1 / log(4))
    =/> -t * log(t) - (1 - t) * log(1 - t) <= log(2) * (4 * t * (1 - t)) ** Rational(3, 4)
    "h(t) <= log(2) (4 t (1-t))^{1/log 4}."
# Kearns & Saul, "Large deviation methods for approximate probabilistic inference" (UAI 1998); Berend & Kontorovich, "On the
# concentration of the missing mass" (ECP 2013), Thm 4.
kearns-saul: q > 0, q < Rational(1, 2)
     => log(1 - q + q * exp(t)) <= q * t + (1 - 2 * q) / (4 * log((1 - q) / q)) * t**2
    =/> log(1 - q + q * exp(t)) <= q * t + (1 - 2 * q) / (Rational(41, 10) * log((1 - q) / q)) * t**2
    "The centred coin of bias q is sub-Gaussian with variance proxy (1-2q)/(2 log((1-q)/q))."
# Dasgupta & Gupta, "An elementary proof of a theorem of Johnson and Lindenstrauss" (RSA 2003), Thm 2.1 and Lemma 2.2; used by
# Blocki et al. (FOCS 2012).
johnson-lindenstrauss: t > 0, t < 1, k * (t**2 / 2 - t**3 / 3) >= 4 * log(n)
     => n**2 * exp(k * (log(1 + t) - t) / 2) <= 1
    ; t > 0, t < 1, k * (t**2 / 2 - t**3 / 3) >= Rational(39, 10) * log(n)
    =/> n**2 * exp(k * (log(1 + t) - t) / 2) <= 1
    "With k >= 4 log(n)/(t^2/2 - t^3/3) dimensions each of n^2 norms is distorted with probability at most 1/n^2."
# McKenna & Sheldon, "Permute-and-flip: a new mechanism for differentially private selection" (NeurIPS 2020), Thm 2 in the worst
# case of Prop. 4.
permute-and-flip: q < 1
     => Sum((1 - q) ** j, (j, 0, n - 1)) >= n / (1 + (n - 1) * q)
    =/> Sum((1 - q) ** j, (j, 0, n - 1)) >= n / (1 + (n - Rational(11, 10)) * q)
    "Permute-and-flip errs no more than the exponential mechanism, n candidates of ratio q."
# Lyu, Su, Li, "Understanding the sparse vector technique for differential privacy" (VLDB 2017), Sec. 4.2: the best split of the
# budget is 1 : (2c)^{2/3}.
svt-split: a > 0, b > 0
     => 1 / a**2 + (2 * n) ** 2 / b**2 >= (1 + (2 * n) ** Rational(2, 3)) ** 3 / (a + b) ** 2
    =/> 1 / a**2 + (2 * n) ** 2 / b**2 >= (1 + (2 * n) ** Rational(7, 10)) ** 3 / (a + b) ** 2
    "The variance of a comparison in the sparse vector technique, over all splits a + b of the budget with cutoff n."
# Bun & Steinke (TCC 2016), Prop. 3.3, for k-ary randomized response: (alpha/2) epsilon^2 for every k.
krr-renyi: k >= 2, alpha > 1, epsilon >= 0
     => (exp(alpha * epsilon) + exp((1 - alpha) * epsilon) + k - 2) / (exp(epsilon) + k - 1) <= exp(alpha * (alpha - 1) * epsilon**2 / 2)
    =/> (exp(alpha * epsilon) + exp((1 - alpha) * epsilon) + k - 2) / (exp(epsilon) + k - 1) <= exp(alpha * (alpha - 1) * epsilon**2 *
           Rational(9, 20))
    "The Renyi divergence of k-ary randomized response is at most alpha epsilon^2/2, for every k >= 2."
# Boucheron, Lugosi, Massart, "Concentration inequalities" (2013), Thm 2.1 sharpened by Stirling: absolute moments of a Gaussian.
gaussian-moment: s >= 1
     => 2 ** (s / 2) * gamma((s + 1) / 2) / sqrt(pi) <= sqrt(2) * (s / E) ** (s / 2)
    =/> 2 ** (s / 2) * gamma((s + 1) / 2) / sqrt(pi) <= Rational(7, 5) * (s / E) ** (s / 2)
    "E|N|^s <= sqrt(2) (s/e)^{s/2} for s >= 1."
# Kershaw, "Some extensions of W. Gautschi's inequalities for the gamma function" (Math. Comp. 1983), eq. (1.3).
kershaw: x > 0, s > 0, s < 1
     => gamma(x + 1) >= (x + s / 2) ** (1 - s) * gamma(x + s)
    =/> gamma(x + 1) >= (x + 3 * s / 5) ** (1 - s) * gamma(x + s)
    "Gamma(x+1)/Gamma(x+s) >= (x + s/2)^{1-s} for 0 < s < 1."
# Nair, "On Chebyshev-type inequalities for primes" (Amer. Math. Monthly 1982): the beta integral.
beta-integral:
     => Integral(t**n * (1 - t) ** n, (t, 0, 1)) <= 4 ** (-n)
    =/> Integral(t**n * (1 - t) ** n, (t, 0, 1)) <= 5 ** (-n)
    "The integral of (t (1-t))^n over [0, 1] is at most 4^-n."
# Dwork & Roth (2014), Sec. 3.3; Balle, Barthe, Gaboardi (NeurIPS 2018), Thm 3: the privacy profile of the Laplace mechanism.
laplace-profile: sigma > 0, epsilon * sigma <= 1
     => mechanism_delta(epsilon, laplace_scale=sigma) <= (1 / sigma - epsilon) / 2
    =/> mechanism_delta(epsilon, laplace_scale=sigma) <= (1 / sigma - epsilon) * Rational(9, 20)
    "The profile of the Laplace mechanism is at most (1/b - epsilon)/2."
# Mironov, Talwar, Zhang, "Renyi differential privacy of the sampled Gaussian mechanism" (2019), Thm 11 at alpha = 3.
sampled-gaussian-order-3: q <= Rational(1, 5), sigma >= 4, sigma <= 40
     => SampledGaussianRenyi(3, sigma, q) <= 6 * q**2 / sigma**2
    =/> SampledGaussianRenyi(3, sigma, q) <= Rational(3, 2) * q**2 / sigma**2
    "For q <= 1/5 and sigma >= 4 the sampled Gaussian of order 3 is at most 6 q^2/sigma^2."
# Feldman, McMillan, Talwar, "Hiding among the clones" (FOCS 2021), Thm 3.1: where the shuffled epsilon is below the local one.
shuffled: epsilon >= 0, delta > 0, delta <= 1, n >= 25 * exp(epsilon) * log(4 / delta)
     => log(1 + (exp(epsilon) - 1) / (exp(epsilon) + 1) * (8 * sqrt(exp(epsilon) * log(4 / delta) / n) + 8 * exp(epsilon) / n)) <= epsilon
    ; epsilon >= 0, delta > 0, delta <= 1, n >= 16 * exp(epsilon) * log(4 / delta)
    =/> log(1 + (exp(epsilon) - 1) / (exp(epsilon) + 1) * (8 * sqrt(exp(epsilon) * log(4 / delta) / n) + 8 * exp(epsilon) / n)) <= epsilon
    "Shuffling does not hurt once n >= 25 e^epsilon log(4/delta)."
# Robbins, "A remark on Stirling's formula" (Amer. Math. Monthly 1955).
robbins:
     => factorial(n) >= sqrt(2 * pi * n) * (n / E) ** n * exp(1 / (12 * n + 1))
    =/> factorial(n) >= sqrt(2 * pi * n) * (n / E) ** n * exp(1 / (12 * n))
    "n! >= sqrt(2 pi n) (n/e)^n e^{1/(12n+1)}."
# Sauer-Shelah; Shalev-Shwartz & Ben-David, "Understanding machine learning" (2014), Lemma A.5.
sauer-shelah: k <= n
     => Sum(binomial(n, j), (j, 0, k)) <= (E * n / k) ** k
    =/> Sum(binomial(n, j), (j, 0, k)) <= (2 * n / k) ** k
    "The first binomial coefficients up to k sum to at most (e n/k)^k."
# Bun, Nissim, Stemmer, Vadhan, "Differentially private release and learning of threshold functions" (FOCS 2015), Lemma 4.12;
# Balle et al. (NeurIPS 2018), Thm 10: sampling with replacement.
with-replacement: epsilon >= 0
     => log(1 + (1 - (1 - 1 / n) ** m) * (exp(epsilon) - 1)) <= m / n * (exp(epsilon) - 1)
    =/> log(1 + (1 - (1 - 1 / n) ** m) * (exp(epsilon) - 1)) <= m / (n + Rational(1, 10)) * (exp(epsilon) - 1)
    "m draws with replacement out of n leave at most (m/n)(e^epsilon - 1)."
# Gordon, "Values of Mills' ratio of area to bounding ordinate" (Ann. Math. Stat. 1941), integrated: the expected excess of a Gaussian.
gaussian-excess: t >= 0
     => Integral(NormalCDF(-x), (x, t, oo)) <= exp(-(t**2) / 2) / (sqrt(2 * pi) * (1 + t**2))
    =/> Integral(NormalCDF(-x), (x, t, oo)) <= exp(-(t**2) / 2) / (sqrt(2 * pi) * (Rational(11, 10) + t**2))
    "E(N - t)_+ <= phi(t)/(1 + t^2) for t >= 0."
# Gautschi, "Some elementary inequalities relating to the gamma and incomplete gamma function" (J. Math. Phys. 1959); Abramowitz &
# Stegun 5.1.20.
exponential-integral: a > 0
     => Integral(exp(-a * x) / (1 + x), (x, 0, oo)) <= log(1 + 1 / a)
    =/> Integral(exp(-a * x) / (1 + x), (x, 0, oo)) <= log(1 + 9 / (10 * a))
    "e^a E_1(a) <= log(1 + 1/a)."
# Mulzer, "Five proofs of Chernoff's bound with applications" (2018), Sec. 2; McAllester, "PAC-Bayesian stochastic model
# selection" (2003), Lemma.
refined-pinsker: s > 0, s < 1, t > 0, t < 1
     => s * log(s / t) + (1 - s) * log((1 - s) / (1 - t)) >= (s - t) ** 2 / (2 * Max(s, t))
    =/> s * log(s / t) + (1 - s) * log((1 - s) / (1 - t)) >= (s - t) ** 2 / (Rational(19, 10) * Max(s, t))
    "kl(s, t) >= (s - t)^2 / (2 max(s, t))."
# Mitzenmacher & Upfal, "Probability and computing" (2005), Sec. 5.1; Bellare & Rogaway (birthday bound).
birthday: m <= n
     => Sum(log(1 - j / n), (j, 0, m - 1)) <= -m * (m - 1) / (2 * n)
    =/> Sum(log(1 - j / n), (j, 0, m - 1)) <= -m * (m - Rational(9, 10)) / (2 * n)
    "m balls in n bins are all apart with probability at most exp(-m(m-1)/(2n))."
# Brutman, "A sharp estimate of the Landau constants" (J. Approx. Theory 1982), Thm 1; the factorization of Fichtenberger,
# Henzinger, Upadhyay, "Constant matters" (ICML 2023).
landau:
     => Sum((binomial(2 * j, j) / 4**j) ** 2, (j, 0, n - 1)) >= 1 + log(n) / pi
    =/> Sum((binomial(2 * j, j) / 4**j) ** 2, (j, 0, n - 1)) >= 1 + Rational(11, 10) * log(n) / 3
    "Landau constants, the squared column norm of the square root factorization: at least 1 + log(n)/pi."
# Feller, "An introduction to probability theory" (1968), VII; used for truncated noise: tails at a distance.
tail-shift: a >= 0, b >= 0
     => NormalCDF(-a - b) <= exp(-a * b - b**2 / 2) * NormalCDF(-a)
    =/> NormalCDF(-a - b) <= exp(-Rational(11, 10) * a * b - b**2 / 2) * NormalCDF(-a)
    "Q(a + b) <= exp(-a b - b^2/2) Q(a)."
# Gyorfi, Kohler, Krzyzak, Walk, "A distribution-free theory of nonparametric regression" (2002), Lemma 4.1.
inverse-binomial: q < 1
     => Sum(binomial(n, j) * q**j * (1 - q) ** (n - j) / (j + 1), (j, 0, n)) <= 1 / ((n + 1) * q)
    =/> Sum(binomial(n, j) * q**j * (1 - q) ** (n - j) / (j + 1), (j, 0, n)) <= 1 / ((n + Rational(11, 10)) * q)
    "E 1/(1 + B) <= 1/((n+1) q) for B binomial (n, q)."
# De Moivre; Berend & Kontorovich, "A sharp estimate of the binomial mean absolute deviation with applications" (Stat. Prob. Lett.
# 2013), eq. (1).
binomial-deviation: q < 1
     => Sum(binomial(n, j) * q**j * (1 - q) ** (n - j) * Abs(j - n * q), (j, 0, n)) <= sqrt(n * q * (1 - q))
    =/> Sum(binomial(n, j) * q**j * (1 - q) ** (n - j) * Abs(j - n * q), (j, 0, n)) <= Rational(19, 20) * sqrt(n * q * (1 - q))
    "E|B - nq| <= sqrt(n q (1-q)) for B binomial (n, q)."
# Gilardoni, "On Pinsker's and Vajda's type inequalities for Csiszar's f-divergences" (IEEE Trans. IT 2010), Cor. 6, with
# monotonicity in the order.
pinsker-renyi: alpha > 1, alpha <= 10, s > 0, s < 1, t > 0, t < 1
     => RenyiDivergence(alpha, Tuple(s, 1 - s), Tuple(t, 1 - t)) >= 2 * (s - t) ** 2
    =/> RenyiDivergence(alpha, Tuple(s, 1 - s), Tuple(t, 1 - t)) >= Rational(21, 10) * (s - t) ** 2
    "A Renyi divergence of coins of order alpha > 1 is at least 2 (s - t)^2."
# Devroye, Mehrabian, Reddad, "The total variation distance between high-dimensional Gaussians" (2018), Prop. 2.1: KL of two scales.
gaussian-scales: s > 0
     => KLDivergence(exp(-(x**2) / 2) / sqrt(2 * pi), exp(-(x**2) / (2 * s**2)) / (s * sqrt(2 * pi)), (x, -oo, oo)) <= (s - 1 / s) ** 2 / 2
    =/> KLDivergence(exp(-(x**2) / 2) / sqrt(2 * pi), exp(-(x**2) / (2 * s**2)) / (s * sqrt(2 * pi)), (x, -oo, oo)) <= (s - 1 / s) ** 2 / 4
    "KL(N(0,1) | N(0,s^2)) <= (s - 1/s)^2/2."
# Bun & Steinke (TCC 2016), Prop. 1.3 / Lemma 3.5: the best order of the conversion.
zcdp-conversion: rho > 0, L > 0
     => Infimum(rho * t + L / (t - 1), (t, 1, oo)) <= rho + 2 * sqrt(rho * L)
    =/> Infimum(rho * t + L / (t - 1), (t, 1, oo)) <= rho + Rational(19, 10) * sqrt(rho * L)
    "rho-zCDP converted at the best order: at most rho + 2 sqrt(rho log(1/delta)), L = log(1/delta)."
""",
)
