"""Gomez et al. 2026 report DP-SGD by a least μ. What is it exactly, for k steps of Gaussian noise sampled at rate q, a record removed?

m = √k/σ, that of no sampling, whatever the rate. With probability q^k the record is in every step, and there the pair is m-GDP. At the
false-positive rate Φ(−z) a test has thus a true-positive rate of at least q^kΦ(m − z), and μ-GDP allows Φ(μ − z). With d = m − μ > 0 and
a = z − m ≥ 0, Φ(μ − z) ≤ e^{−ad − d²/2}Φ(m − z) (`sampled.tail`), so that μ fails at every z > m with ad + d²/2 > k log(1/q). That m is
enough is post-processing: the sampled steps are a mixture over the sets of steps.

These false-positive rates are tiny for many steps, so a μ below m holds from some false-positive rate on, and must be reported with it.
"""

from dpbounds.notation import *

source = Source("gomez2026", "get_mu of its package gdpnum: the least mu, numerically")

a, epsilon = nonnegative("a epsilon")
d = positive("d")

def falls(factor):
    """Φ(−a − d) against its multiple at −a."""
    return factor * NormalCDF(-a - d) <= exp(-a * d - d**2 / 2) * NormalCDF(-a)

sampled__tail = source.claim(
    "A shift by d divides the Gaussian tail at a >= 0 by at least e^(ad + d^2/2).",
    falls(1), mutant=(falls(Rational(11, 10)), {a: 10, d: "1/100"}))

sampled__half = source.claim(
    "One step at sigma = 1 and rate 1/100 is (1/2)-GDP.",
    SampledGaussianDelta(epsilon, 1, Rational(1, 100), 1, "remove") <= GaussianDelta(epsilon, 2), {epsilon: 6})
