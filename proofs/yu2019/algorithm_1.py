"""Yu et al. 2019, Algorithm 1: dividing by the size of the batch that was drawn."""

from sympy import Rational, log

from dpbounds import FAILS, HOLDS, Claim, Counterexample, Mutant, Proof
from dpbounds.language.functions import GaussianRenyi
from dpbounds.language.symbols import positive
from dpbounds.prover import derive, rules
from dpbounds.theory.noise import gaussian as theory

SOURCE = ("yu2019", "Algorithm 1, lines 10 and 16")
alpha, sigma, clip, expected = positive("alpha sigma C B")

# A batch of one record of gradient 0, and the same with a second one: N(0, σ²) against N(0, σ²/4), as 1/B is 1 or 1/2 (C = 1). The moment
# is (4−3α)^{−1/2} 2^{1−α} (the derivation generalized-normal-renyi at β = 2) whatever σ is.
scaled = log(2 ** (1 - alpha) / (4 - 3 * alpha) ** Rational(1, 2)) / (alpha - 1)

printed = Claim(
    id="yu2019.algorithm-1",
    source=SOURCE,
    text="One step of Algorithm 1 is 1/(2 sigma^2)-zCDP if batches are drawn by Poisson sampling (read: rate 1, two records, gradients 0).",
    given=[alpha > 1, alpha < Rational(4, 3)],
    then=scaled <= alpha / (2 * sigma**2),
    expect=FAILS,
    by=Counterexample({alpha: "5/4", sigma: 10}),
    note="The noise is divided by the size of the batch, which shows that size: from order 4/3 on the divergence is infinite.",
)


def fixed_divisor():
    """The closed form at noise σC/B and sensitivity C/B."""

    def build(proof):
        known = theory.gaussian_renyi().result
        at = rules.instance(known, {theory.SIGMA: sigma * clip / expected, theory.DELTA: clip / expected}, [alpha > 1])
        target = rules.eq(GaussianRenyi(alpha, sigma * clip / expected, clip / expected), alpha / (2 * sigma**2))
        return proof("the divisor cancels", rules.restate(target, at, [alpha > 1]))

    return derive("fixed-divisor", "Gaussian noise and gradients over one divisor", build, "Abadi et al. 2016")


corrected = Claim(
    id="yu2019.algorithm-1.corrected",
    source=SOURCE,
    text="Divided by the expected size B = qN, the step has D_alpha = alpha/(2 sigma^2).",
    given=[alpha > 1],
    then=rules.eq(GaussianRenyi(alpha, sigma * clip / expected, clip / expected), alpha / (2 * sigma**2)),
    expect=HOLDS,
    by=Proof(fixed_divisor),
    corrects="yu2019.algorithm-1",
    mutant=Mutant(
        rules.eq(GaussianRenyi(alpha, sigma * clip, clip / expected), alpha / (2 * sigma**2)),
        by=Counterexample({alpha: 2, sigma: 1, clip: 1, expected: 2}),
    ),
    note="The sum over the steps starts at 1, not at 0.",
)
