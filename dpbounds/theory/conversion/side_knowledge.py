"""What an attacker learns: from prior to posterior when every likelihood ratio is at most e^ε."""

from __future__ import annotations

from sympy import Sum, exp

from dpbounds.language.quantifiers import for_each
from dpbounds.language.symbols import family, index, nonnegative, positive_integer, sums_to_one
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact

LEVEL = nonnegative("epsilon")
SECRETS, OTHER, SECRET = positive_integer("n"), index("i"), positive_integer("j")
OVER = (OTHER, 1, SECRETS)
PRIOR, LIKELIHOOD = family("w", "positive"), family("l", "positive")


@recipe("side-knowledge", "The posterior stays within e^ε of the prior", "Dwork et al. 2006; slides of 2022, for δ = 0")
def side_knowledge(proof: ProofSteps) -> Fact:
    """e^{−ε}w_j ≤ w_j l_j/Σ w_i l_i ≤ e^ε w_j for a prior w, whatever it is, when l_j ≤ e^ε l_i and l_i ≤ e^ε l_j for all i."""
    i, j = OTHER, SECRET
    total = Sum(PRIOR[i] * LIKELIHOOD[i], OVER)
    mass = rules.hypothesis(sums_to_one(PRIOR, OVER))
    ratios = [
        rules.hypothesis(for_each(OVER, rules.le(a, exp(LEVEL) * b)))
        for a, b in ((LIKELIHOOD[i], LIKELIHOOD[j]), (LIKELIHOOD[j], LIKELIHOOD[i]))
    ]
    lower, upper = (rules.sum_termwise(rules.scale(rules.specialize(ratio, i, [i <= SECRETS]), PRIOR[i]), OVER) for ratio in ratios)
    most = rules.restate(rules.le(total, exp(LEVEL) * LIKELIHOOD[j]), lower, using=[mass])
    least = rules.restate(rules.le(LIKELIHOOD[j], exp(LEVEL) * total), upper, using=[mass])
    posterior = PRIOR[j] * LIKELIHOOD[j] / total
    shown = rules.positive(total)
    first = rules.scale(most, PRIOR[j] * exp(-LEVEL) / total, using=[shown])
    second = rules.scale(least, PRIOR[j] / total, using=[shown])
    down = rules.restate(rules.le(exp(-LEVEL) * PRIOR[j], posterior), first, using=[shown])
    up = rules.restate(rules.le(posterior, exp(LEVEL) * PRIOR[j]), second, using=[shown])
    return proof("both sides", rules.conjunction(down, up))
