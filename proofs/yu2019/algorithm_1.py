"""Yu et al. 2019, Algorithm 1: dividing by the size of the batch that was drawn."""

from dpbounds.notation import *
from dpbounds.theory.noise import gaussian as theory

source = Source("yu2019.algorithm-1", "Algorithm 1, lines 10 and 16")

alpha, sigma, clip, expected = positive("alpha sigma C B")

# A batch of one record of gradient 0, and the same with a second one: N(0, σ²) against N(0, σ²/4), as 1/B is 1 or 1/2 (C = 1). The moment
# is (4−3α)^{−1/2} 2^{1−α} (the derivation generalized-normal-renyi at β = 2) whatever σ is.
scaled = log(2 ** (1 - alpha) / (4 - 3 * alpha) ** Rational(1, 2)) / (alpha - 1)

algorithm_1 = source.claim(
    "One step of Algorithm 1 is 1/(2 sigma^2)-zCDP under Poisson sampling (read: rate 1, two records).",
    [alpha > 1, alpha < Rational(4, 3)], scaled <= alpha / (2 * sigma**2), {alpha: "5/4", sigma: 10},
    note="The noise is divided by the size of the batch, which shows that size: from order 4/3 on the "
    "divergence is infinite.")

def fixed_divisor(proof):
    """The closed form at noise σC/B and sensitivity C/B."""
    known = theory.gaussian_renyi().result
    at = rules.instance(known, {theory.SIGMA: sigma * clip / expected, theory.DELTA: clip / expected}, [alpha > 1])
    target = rules.eq(GaussianRenyi(alpha, sigma * clip / expected, clip / expected), alpha / (2 * sigma**2))
    return proof("the divisor cancels", rules.restate(target, at, [alpha > 1]))

corrected = source.claim("Divided by the expected size B = qN, the step has D_alpha = alpha/(2 sigma^2).",
    [alpha > 1],
    rules.eq(GaussianRenyi(alpha, sigma * clip / expected, clip / expected), alpha / (2 * sigma**2)),
    Proof(fixed_divisor),
    mutant=(rules.eq(GaussianRenyi(alpha, sigma * clip, clip / expected), alpha / (2 * sigma**2)),
        {alpha: 2, sigma: 1, clip: 1, expected: 2}),
    corrects=algorithm_1,
    note="The sum over the steps starts at 1, not at 0.")
