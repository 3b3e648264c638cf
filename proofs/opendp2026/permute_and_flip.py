"""OpenDP issue 2911: is permute-and-flip ε²/8-zCDP, as the exponential mechanism is?

No. Two candidates whose scores differ by the sensitivity, and change places in the neighbouring data, are chosen with the probabilities
1 − e^{−ε/2}/2 and e^{−ε/2}/2. Their divergence is near ε²/2 for small ε, four times as much.

The issue says that `make_noisy_max` of 0.15.1 draws from permute-and-flip under `ZeroConcentratedDivergence`. In the source (commit
bc6e18b8, `REPLACEMENT = true` for that measure) it is the exponential mechanism, for which ε²/8 holds
(`opendp2026.noisy-top-k.concentrated`). The release agrees: of scores 1 and −1 at scale 1 it took the first in 17656 of 20000 draws; the
exponential mechanism expects 17616, permute-and-flip 18647.
"""

from dpbounds.notation import *

source = Source("opendp2026.permute-and-flip", "Issue 2911")

alpha, epsilon = positive("alpha epsilon")

other = exp(-epsilon / 2) / 2
first, second = [1 - other, other], [other, 1 - other]

permute_and_flip = source.claim(
    "Permute-and-flip with pure privacy epsilon is epsilon^2/8-zCDP.",
    [alpha > 1], RenyiDivergence(alpha, first, second) <= alpha * epsilon**2 / 8, {alpha: 2, epsilon: 1},
    note="At alpha = 2 and epsilon = 1 two candidates have 0.55, and 0.25 is allowed.")

never = source.claim(
    "Two candidates exceed epsilon^2/8 already in their Kullback-Leibler divergence, for every epsilon up to 4.59, and not up to 4.63.",
    [epsilon <= Rational(459, 100)], KLDivergence(first, second) > epsilon**2 / 8,
    mutant=([epsilon <= Rational(463, 100)], {epsilon: "463/100"}),
    note="So the statement fails for every epsilon up to 4.59. What holds is pure privacy epsilon, and with it epsilon^2/2-zCDP.")
