"""Forty lemmas of papers, each with a false twin, written from the page on the claim language alone.

Nothing was mended after them. Known was docs/claim-language.md, which names arguments that dpbounds knows. Numbers of theorems
are from memory and may be off by one edition. Every lemma and every twin was first tried in floating point, at random points and families.
Four turned out to be in older lists too: amplified-below, erf-line, inverse-roots and binomial-sum.
"""

from __future__ import annotations

from typing import Any

from benchmarks.lemmas.lemma import lemmas_in
from dpbounds.notation import *

R = Rational
e, x, q, d, L, h, y, z = nonnegative("epsilon x q delta L h y z")
a, s, t, u, rho, lam = positive("alpha s t u rho lambda_")
v, w = real("v w")
n, m, k = positive_integer("n m k")
i, j = index("i"), index("j", start=0)


def amp(rate: Any, eps: Any) -> Any:
    """What sampling leaves of epsilon."""
    return log(1 + rate * (exp(eps) - 1))


p, o = laws("p o", (i, 1, n), "positive")
g = family("g", "positive")
close = [p, o, for_each((i, 1, n), p[i] <= exp(e) * o[i]), for_each((i, 1, n), o[i] <= exp(e) * p[i])]
half = (exp(e) - 1) / (exp(e) + 1)
coins = x * log(x / y) + (1 - x) * log((1 - x) / (1 - y))

kary = (exp(2 * e) + exp(-e) + k - 2) / (exp(e) + k - 1)
far = (exp(e) - 1) / (exp(e) + k - 1)
chi = Sum(p[i] ** 2 / o[i], (i, 1, n)) - 1
apart = Sum(Abs(p[i] - o[i]), (i, 1, n)) / 2
kl = Sum(p[i] * log(p[i] / o[i]), (i, 1, n))
two = RenyiDivergence(2, p, o)
lse = log(Sum(exp(g[i]), (i, 1, n)))
mean = Sum(g[i], (i, 1, n)) / n
hel = Sum((sqrt(p[i]) - sqrt(o[i])) ** 2, (i, 1, n))
ab = Sum(Abs(p[i] - o[i]), (i, 1, n))
mixed = HockeyStick(amp(q, e), q * p + (1 - q) * o, o)
over = Sum(Min(p[i], o[i]), (i, 1, n))
roots = Sum(1 / sqrt(i), (i, 1, n))
pois = Sum(exp(-lam) * lam**j / factorial(j), (j, n, oo))
bound = exp(n - lam - n * log(n / lam))
subsets = Sum(binomial(n, j), (j, 0, m))
mgf = Sum(binomial(n, j) * q**j * (1 - q) ** (n - j) * exp(e * j), (j, 0, n))
scales = log(t / s) + s**2 / (2 * t**2) - R(1, 2)
gaussian = GaussianDelta(e, s, 1)
sg = SampledGaussianMoment(2, s, q, "remove")
cher = Infimum(exp(w**2 / 2 - w * x), (w, 0, oo))
best = Infimum(rho * w + L / (w - 1), (w, 1, oo))
hoef = Supremum(log(1 + w * (exp(e) - 1)) - w * e, (w, 0, 1))
mad = Sum(binomial(n, j) * Abs(j - R(1, 2) * n), (j, 0, n)) / 2**n
three = amp(q, x) + amp(q, y) + amp(q, z)
prec = 1 / s**2 + 1 / t**2 + 1 / u**2
geo = Sum((1 - exp(-e)) / (1 + exp(-e)) * exp(-e * j), (j, n, oo))
vari = Sum(p[i] * g[i], (i, 1, n)) - log(Sum(o[i] * exp(g[i]), (i, 1, n)))
ent = -Sum(p[i] * log(p[i]), (i, 1, n))
coll = Sum(p[i] ** 2, (i, 1, n))
score = Sum(g[i] * exp(g[i]), (i, 1, n)) / Sum(exp(g[i]), (i, 1, n))

LEMMAS = lemmas_in(
    globals(),
    """
# everyday
tanh-half: => half <= e / 2 =/> half <= R(12, 25) * e
    "Kairouz, Oh, Viswanath 2015, The composition theorem for DP: the distance of randomized response."
exp-quadratic: e <= 1 => exp(e) - 1 <= e + e**2 =/> exp(e) - 1 <= e + R(7, 10) * e**2
    "Dwork, Roth 2014, section 3.5: exp(epsilon) - 1 is at most epsilon + epsilon^2."
amplified-below: q <= 1 => amp(q, e) >= q * e =/> amp(q, e) >= R(21, 20) * q * e
    "Balle, Barthe, Gaboardi 2018, theorem 9: sampling leaves at least the rate times epsilon."
log-quadratic: x <= R(1, 2) => -log(1 - x) <= x + x**2 =/> -log(1 - x) <= x + R(3, 4) * x**2
    "Abadi et al. 2016, appendix: a logarithm under its second power."
root-tail: => sqrt(1 - exp(-x)) <= 1 - exp(-x) / 2 =/> sqrt(1 - exp(-x)) <= 1 - R(51, 100) * exp(-x)
    "Canonne 2022, A short note on an inequality between KL and TV: the two forms of the bound."
rho-of-epsilon: L > 0
     => e**2 / (4 * L + 2 * e) <= (sqrt(L + e) - sqrt(L)) ** 2
    =/> e**2 / (4 * L + R(19, 10) * e) <= (sqrt(L + e) - sqrt(L)) ** 2
    "Bun, Steinke 2016, proposition 1.3: the rho that gives epsilon at delta, from below; L is log(1/delta)."
cosh-gaussian: => cosh(v) <= exp(v**2 / 2) =/> cosh(v) <= exp(R(49, 100) * v**2)
    "Hoeffding 1963, a fair sign is sub-Gaussian."
geometric-spread:
     => (1 - exp(-e)) / (1 + exp(-e)) >= e / (2 + e)
    =/> (1 - exp(-e)) / (1 + exp(-e)) >= e / (2 + e / 2)
    "Ghosh, Roughgarden, Sundararajan 2009: the mass of the geometric mechanism at 0 from below."
conversion-gain: a > 1
     => log(1 - 1 / a) - log(a) / (a - 1) <= -R(5, 2) / a
    =/> log(1 - 1 / a) - log(a) / (a - 1) <= -R(14, 5) / a
    "Canonne, Kamath, Steinke 2020, proposition 12: what the conversion from Renyi privacy gains."
erf-line: => erf(x) <= 2 * x / sqrt(pi) =/> erf(x) <= R(11, 10) * x
    "Dong, Roth, Su 2022, section 2: the distance of two shifted Gaussians is below a line."
local-contraction:
     => (exp(e / 2) - exp(-e / 2)) ** 2 <= (exp(e) - 1) ** 2
    =/> (exp(e / 2) - exp(-e / 2)) ** 2 <= R(9, 10) * (exp(e) - 1) ** 2
    "Duchi, Jordan, Wainwright 2018, theorem 1: two forms of the constant."
pinsker-coins: x > 0, x < 1, y > 0, y < 1
     => coins >= 2 * (x - y) ** 2
    =/> coins >= R(21, 10) * (x - y) ** 2
    "Tsybakov 2009, lemma 2.5, for two coins."
# hard
kary-order-two: k >= 2 => kary <= exp(e**2) =/> kary <= exp(R(24, 25) * e**2)
    "Kairouz, Bonawitz, Ramage 2016, k-ary randomized response: its second moment."
kary-distance: k >= 3 => far <= R(3, 8) * e =/> far <= R(9, 25) * e
    "Kairouz, Bonawitz, Ramage 2016: the distance of k-ary randomized response from three outcomes on."
inverse-roots: => roots <= 2 * sqrt(n) - 1 =/> roots <= 2 * sqrt(n) - R(21, 20)
    "Bassily, Smith, Thakurta 2014: step sizes of noisy gradient descent."
poisson-tail: lam <= n => pois <= bound =/> pois <= R(3, 5) * bound
    "Boucheron, Lugosi, Massart 2013, section 2.2: Chernoff's bound for a Poisson variable."
binomial-sum: m <= n => subsets <= (E * n / m) ** m =/> subsets <= (R(9, 5) * n / m) ** m
    "Blum, Ligett, Roth 2008: the number of small subsets."
binomial-exponential: q > 0, q < 1
     => mgf <= exp(n * q * (exp(e) - 1))
    =/> mgf <= exp(R(19, 20) * n * q * (exp(e) - 1))
    "Balle, Bell, Gascon, Nissim 2019, The privacy blanket: exponential moments of the number of blanket reports."
scales-kullback: s <= t, t <= (1 + h) * s => scales <= h**2 =/> scales <= R(9, 10) * h**2
    "Bun, Dwork, Rothblum, Steinke 2018, section 7: Gaussians whose scales depend on the data."
classical-gaussian: e > 0, e <= 1, d > 0, d < 1, s >= sqrt(2 * log(5 / (4 * d))) / e
     => gaussian <= d
    ; e > 0, e <= 1, d > 0, d < 1, s >= sqrt(R(8, 5) * log(5 / (4 * d))) / e
    =/> gaussian <= d
    "Dwork, Roth 2014, theorem A.1: the classical calibration of the Gaussian mechanism."
sampled-order-two: q <= 1, s >= 1 => sg <= exp(2 * q**2 / s**2) =/> sg <= exp(R(3, 2) * q**2 / s**2)
    "Bun, Dwork, Rothblum, Steinke 2018, section 6: the second moment of the sampled Gaussian."
chernoff-infimum: x > 0 => cher <= exp(-(x**2) / 2) =/> cher <= exp(-R(51, 100) * x**2)
    "Boucheron, Lugosi, Massart 2013, section 2.2: Chernoff's bound at its best parameter."
order-infimum: L > 0 => best <= rho + 2 * sqrt(rho * L) =/> best <= rho + R(19, 10) * sqrt(rho * L)
    "Bun, Steinke 2016, proposition 1.3: the best order of the conversion."
hoeffding-supremum: => hoef <= e**2 / 8 =/> hoef <= e**2 / 9
    "Hoeffding 1963, over all coins; Cesar, Rogers 2021 use it for the exponential mechanism."
binomial-deviation: => mad <= sqrt(n) / 2 =/> mad <= R(9, 20) * sqrt(n)
    "Chan, Shi, Song 2012: the mean error of the sum of random signs."
three-amplified: q <= 1 => three <= amp(q, x + y + z) =/> R(21, 20) * three <= amp(q, x + y + z)
    "Balle, Barthe, Gaboardi 2018: sampling each of three mechanisms against sampling all at once."
three-scales: => prec >= 27 / (s + t + u) ** 2 =/> prec >= 28 / (s + t + u) ** 2
    "Dong, Roth, Su 2022, corollary 3.3: three Gaussians against three of the mean scale."
geometric-tail: e > 0
     => geo <= exp(-e * n) * (R(1, 2) + e / 4)
    =/> geo <= exp(-e * n) * (R(1, 2) + e / 5)
    "Ghosh, Roughgarden, Sundararajan 2009: the tail of the geometric mechanism."
# family
ratio-chi-square: *close => chi <= exp(e) + exp(-e) - 2 =/> chi <= R(9, 10) * (exp(e) + exp(-e) - 2)
    "Duchi, Jordan, Wainwright 2018: chi-square of laws whose ratio lies within exp(epsilon)."
ratio-variation: *close => apart <= half =/> apart <= R(9, 10) * half
    "Kairouz, Oh, Viswanath 2015: total variation of such laws."
ratio-kullback: *close => kl <= e * half =/> kl <= R(9, 10) * e * half
    "Bun, Steinke 2016, section 3: Kullback-Leibler divergence of such laws."
ratio-order-two: *close => two <= e**2 =/> two <= R(9, 10) * e**2
    "Bun, Steinke 2016, proposition 3.3 at order 2."
orders-between: p, o
     => RenyiDivergence(R(3, 2), p, o) <= RenyiDivergence(3, p, o)
    =/> RenyiDivergence(R(3, 2), p, o) <= R(9, 10) * RenyiDivergence(3, p, o)
    "van Erven, Harremoes 2014, theorem 3: the divergence grows with the order."
mean-of-scores: => lse >= mean + log(n) =/> lse >= mean + log(n) + R(1, 10)
    "McSherry, Talwar 2007: the normalizer of the exponential mechanism against the mean score."
variation-hellinger: p, o => ab**2 <= 4 * hel =/> ab**2 <= R(18, 5) * hel
    "Tsybakov 2009, lemma 2.3: total variation by Hellinger's distance."
mixture-hockey: p, o, q <= 1
     => mixed <= q * HockeyStick(e, p, o)
    =/> mixed <= R(9, 10) * q * HockeyStick(e, p, o)
    "Balle, Barthe, Gaboardi 2018, theorem 2: advanced joint convexity."
overlap: p, o => over >= exp(-kl) / 2 =/> over >= R(9, 10) * exp(-kl)
    "Bretagnolle, Huber 1979: the overlap of two laws."
variational: p, o => vari <= kl =/> vari <= R(9, 10) * kl
    "Donsker, Varadhan 1975, for scores of a finite table."
collision-entropy: p => ent >= -log(coll) =/> ent >= -R(11, 10) * log(coll)
    "Cover, Thomas 2006, problem 2.28: Shannon's entropy is at least the collision entropy."
exponential-score: => score >= lse - log(n) =/> score >= lse - log(n) + R(1, 10)
    "McSherry, Talwar 2007; Bassily et al. 2016, lemma 7.1: the expected score of the exponential mechanism."
""",
)
