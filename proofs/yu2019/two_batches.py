"""Yu et al. 2019, Section IV-B1: one epoch of shuffling into two batches of equal size, a record substituted.

Records lie in [−1, 1]; a batch adds N(0, σ²) to its sum. Of the records in the two slots that a shuffle may exchange one is the
substituted record, r or r′, the other some s. Given all else, the outputs are, but for a shift,
½N((d,0), σ²I) + ½N((0,d), σ²I) with d = r − s
against the same with d′ = r′ − s. By joint convexity δ of the epoch is at most the largest δ of these pairs, and if all other records
are s it is that of s: δ is the maximum over |d|, |d′|, |d − d′| ≤ 2. Two of these pairs:

* d = 1, d′ = −1 (s = 0): the loss is (x+y)/σ², so the pair is a Gaussian mechanism of noise multiplier σ/√2;
* d = 2, d′ = 0 (s = r′): random allocation to one of two steps, of noise multiplier σ/2.

From above: the batch of the record is shown too, one Gaussian mechanism of noise multiplier σ/2.
"""

from dpbounds.notation import *

source = Source("yu2019.two-batches", "Section IV-B1, random reshuffling")

epsilon = nonnegative("epsilon")
x, y, sigma = real("x"), real("y"), positive("sigma")

mixture = [exp(sign * x / sigma**2) + exp(sign * y / sigma**2) for sign in (1, -1)]
loss = source.claim("With d = 1 and d' = -1 the ratio of the densities is exp((x+y)/sigma^2).",
    rules.eq(mixture[0] / mixture[1], exp((x + y) / sigma**2)),
    Proof(lambda proof: proof("one factor", rules.equality(mixture[0] / mixture[1], exp((x + y) / sigma**2)))),
    mutant=(rules.eq(mixture[0] / mixture[1], exp(2 * (x + y) / sigma**2)), {x: 1, y: 1, sigma: 1}))

allocation = mechanism_delta(epsilon, sigma=1, sampling="random-allocation", bins=2, direction="remove")
adding = mechanism_delta(epsilon, sigma=1, sampling="random-allocation", bins=2, direction="add")

sides = source.claim(
    "At sigma = 2 and epsilon in [0, 4] the pair d = 2, d' = 0 shows more than d = 1, d' = -1, and less than no "
    "shuffling.",
    [epsilon <= 4], And(GaussianDelta(epsilon, sqrt(2)) < allocation, allocation < GaussianDelta(epsilon, 1)), Boxes(budget=600),
    mutant=(And(Rational(11, 10) * GaussianDelta(epsilon, sqrt(2)) < allocation, allocation < GaussianDelta(epsilon, 1)), {epsilon: 0}),
    uses=[loss],
    note="At epsilon = 1: 0.0396..., 0.0592... and 0.1269...")
