"""Gomez et al. 2026 report the least μ for which a mechanism is μ-GDP, and compute it numerically. Here it is in closed form for
Laplace noise and for ε-DP.

Laplace noise of scale 1/ε at sensitivity 1 has δ(t) = 1 − e^{(t−ε)/2} at t in [0, ε], and 0 beyond. μ-GDP has
δ_μ(t) = Φ(μ/2 − t/μ) − e^tΦ(−μ/2 − t/μ), so that δ_μ(0) = 1 − 2Φ(−μ/2): no μ with 2Φ(−μ/2) > e^{−ε/2} is enough.

With 2Φ(−μ/2) = e^{−ε/2}, u = t/μ and K(u) = e^{−μu/2}Φ(u − μ/2) + e^{μu/2}Φ(−u − μ/2), `laplace` says K(u) ≤ K(0), multiplied by e^{t/2}.
The densities in K′ cancel: K′ = −(μ/2)e^{−μu/2}D with D(u) = Φ(u − μ/2) − e^{μu}Φ(−u − μ/2), D(0) = 0 and
D′ = 2φ(u − μ/2) − μe^{μu}Φ(−u − μ/2) ≥ 0, by Φ(−y) ≤ φ(y)/y at y = u + μ/2 ≥ μ/2.

Under ε-DP the largest δ at t is (e^ε − e^t)/(1 + e^ε). Randomized response has it, and so has discrete Laplace noise of scale 1/ε: both
have the losses ±ε only. With e^ε/(1 + e^ε) = Φ(μ/2) it is Φ(μ/2) − e^tΦ(−μ/2): what the test x ≥ 0 shows of N(±μ/2, 1), where δ_μ(t) is
what the best test shows (`randomized_response`). At t = 0 both are equal, so no smaller μ is enough.
"""

from dpbounds.notation import *

source = Source("gomez2026", "get_mu of its package gdpnum: the least mu, numerically")

t = nonnegative("t")
epsilon, mu = positive("epsilon mu")

def gaussian(mean):
    """δ(t) of mean-GDP."""
    return NormalCDF(mean / 2 - t / mean) - exp(t) * NormalCDF(-mean / 2 - t / mean)

less = Rational(99, 100)
laplace_delta = 1 - 2 * exp(t / 2) * NormalCDF(-mu / 2)
response_delta = NormalCDF(mu / 2) - exp(t) * NormalCDF(-mu / 2)

laplace = source.claim(
    "Laplace noise of scale 1/epsilon at sensitivity 1 has at most the delta of mu-GDP where 2 Phi(-mu/2) = exp(-epsilon/2).",
    laplace_delta <= gaussian(mu),
    mutant=(laplace_delta <= gaussian(less * mu), {t: 0, mu: 1}))

randomized_response = source.claim(
    "epsilon-DP has at most the delta of mu-GDP where Phi(mu/2) = exp(epsilon)/(1 + exp(epsilon)).",
    response_delta <= gaussian(mu),
    mutant=(response_delta <= gaussian(less * mu), {t: 0, mu: 1}))

def below(constant):
    """That this mu is at most the constant times epsilon."""
    return exp(epsilon) / (1 + exp(epsilon)) <= NormalCDF(constant * epsilon / 2)

linear = source.claim(
    "That mu is at most sqrt(pi/2) epsilon, for every epsilon > 0.",
    below(sqrt(pi / 2)),
    mutant=(below(less * sqrt(pi / 2)), {epsilon: "1/10"}))
