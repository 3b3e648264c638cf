"""Gomez et al. 2026 report the least μ of a mechanism, and compute it numerically. Here it is for the exponential mechanism.

A mechanism has η-bounded range where its losses lie in [t − η, t] for some t (Durfee & Rogers 2019). The exponential mechanism with
parameter η has it, and so has report noisy max with Gumbel noise, which is the same mechanism.

Let a test have the false-positive rate Φ(x) and the true-positive rate TPR. TPR/FPR ≤ e^t and (1 − TPR)/(1 − FPR) ≥ e^{t − η}, so that the
odds of TPR are at most e^η times the odds of FPR, and an exponential mechanism with two answers reaches this, for every FPR. With
Ω(x) = log(Φ(x)/Φ(−x)) the least μ is thus the smallest with Ω(x + μ) − Ω(x) ≥ η for all x. Ω is odd, and convex on [0, ∞):
Ω″ ≥ 0 is `bounded-range.convex`. So the difference is least at x = −μ/2: for x ≥ 0 it is at least Ω(μ) ≥ 2Ω(μ/2), and where the ends have
different signs Ω(x + μ) + Ω(−x) ≥ 2Ω(μ/2). Hence

    μ = 2Φ⁻¹(e^{η/2}/(1 + e^{η/2})) ≤ √(π/8)·η,

exactly that of (η/2)-DP (`gomez2026.randomized-response`); the bound is `gomez2026.linear` at ε = η/2.
"""

from dpbounds.notation import *

source = Source("gomez2026", "get_mu of its package gdpnum: the least mu, numerically")

z = nonnegative("z")
density = exp(-(z**2) / 2) / sqrt(2 * pi)

def convex(factor):
    """Ω″ ≥ 0 at z, multiplied by Φ(z)²Φ(−z)²/φ(z)."""
    return factor * z * NormalCDF(z) * NormalCDF(-z) <= density * (NormalCDF(z) - NormalCDF(-z))

bounded_range__convex = source.claim(
    "The logarithm of the odds Phi(z)/Phi(-z) is convex at every z >= 0.",
    convex(1), mutant=(convex(Rational(21, 20)), {z: 6}))
