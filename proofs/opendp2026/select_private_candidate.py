"""OpenDP declares `make_select_private_candidate` of an ε-private measurement 2ε-private, for every probability of stopping γ. Is it?

Each run releases a score and a candidate. A score of at least τ ends the loop and is released; after any other run the loop ends without an
answer with probability γ. With p the probability of an outcome whose score is at least τ, and a ≥ p that of all of them, the outcome is
released with probability p Σ_k ((1−γ)(1−a))^k = p/(γ + (1−γ)a), and no answer is given with probability γ(1−a)/(γ + (1−γ)a).
"""

from dpbounds.notation import *

source = Source("opendp2026.select-private-candidate",
    "rust/src/combinators/select_private_candidate/mod.rs, make_select_private_candidate, commit bc6e18b8")

epsilon = positive("epsilon")
stop, mass, other_mass = nonnegative("gamma p q")
good, other_good = positive("a b")

def runs(share):
    """γ + (1−γ)a: one over the mean number of runs."""
    return stop + (1 - stop) * share

private = [stop < 1, good <= 1, other_good <= 1, mass <= exp(epsilon) * other_mass, other_good <= exp(epsilon) * good,
           1 - good <= exp(epsilon) * (1 - other_good)]
less = Rational(199, 100)

def ratio_proof(top, bottom, factor):
    """Numerator and denominator change by e^ε each."""
    def steps(proof):
        above = rules.hypothesis(top <= exp(epsilon) * bottom)
        above = rules.scale(above, factor)
        near = rules.scale(rules.hypothesis(other_good <= exp(epsilon) * good), 1 - stop, [stop < 1])
        more = rules.add(near, rules.nonnegative(stop * (exp(epsilon) - 1)))
        below = rules.restate(rules.le(runs(other_good), exp(epsilon) * runs(good)), more, [stop < 1])
        given = [stop < 1, good <= 1, other_good <= 1]
        both = rules.multiply(above, below, given)
        target = rules.le(factor * top / runs(good), exp(2 * epsilon) * factor * bottom / runs(other_good))
        return proof("both", rules.restate(target, rules.scale(both, 1 / (runs(good) * runs(other_good)), given), given))
    return steps

released = source.claim(
    "An outcome with a score of at least tau is released with probabilities within a factor e^(2 epsilon).",
    private, mass / runs(good) <= exp(2 * epsilon) * other_mass / runs(other_good), Proof(ratio_proof(mass, other_mass, 1)),
    mutant=(mass / runs(good) <= exp(less * epsilon) * other_mass / runs(other_good),
            {stop: 0, epsilon: log(2), mass: "1/500", other_mass: "1/1000", good: "1/100", other_good: "1/50"}))

unanswered = source.claim(
    "No answer is given with probabilities within a factor e^(2 epsilon).",
    private, stop * (1 - good) / runs(good) <= exp(2 * epsilon) * stop * (1 - other_good) / runs(other_good),
    Proof(ratio_proof(1 - good, 1 - other_good, stop)),
    mutant=(stop * (1 - good) / runs(good) <= exp(less * epsilon) * stop * (1 - other_good) / runs(other_good),
            {stop: "1/1000", epsilon: log(2), mass: 0, other_mass: 0, good: "1/3", other_good: "2/3"}))
