"""Advanced composition with a δ in every step.

(ε, δ) in both directions means that the two laws of a step are, up to masses δ, two laws that are ε-private against each other (Dwork,
Rothblum & Vadhan 2010; Kairouz, Oh & Viswanath 2017). After k adaptive steps the two laws P, Q of all outputs are at least c = (1−δ)^k
times the laws G, H of k steps that are ε-private, so that, outcome by outcome,

    P − e^t Q ≤ (P − cG) + c(G − e^t H),      Σ (P − cG) = 1 − c ≤ kδ.
"""

from __future__ import annotations

from sympy import Lambda, Max, Symbol, exp, log, sqrt

from dpbounds.language.functions import HockeyStick
from dpbounds.language.quantifiers import for_each
from dpbounds.language.symbols import family, nonnegative, real, sums_to_one
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.composition.bounded_loss import INDEX, LEVEL, OVER, SIZE, STEPS, P, Q, advanced_composition
from dpbounds.theory.conversion.approximate import above
from dpbounds.theory.conversion.constrained import DELTA

MISS = nonnegative("d")
UPPER, LOWER = family("P"), family("Q")
GOOD = (1 - MISS) ** STEPS
LIMIT = real("t")
LARGER = tuple(for_each(OVER, rules.le(GOOD * good[INDEX], whole[INDEX])) for good, whole in ((P, UPPER), (Q, LOWER)))
TOTAL = sqrt(2) * LEVEL * sqrt(STEPS) * sqrt(log(1 / DELTA)) + LEVEL * STEPS * (exp(LEVEL) - 1)


def _bernoulli() -> Fact:
    """1 − kδ ≤ (1−δ)^k for 0 ≤ δ ≤ 1, by induction on k."""
    given = (MISS <= 1,)
    count = Symbol("j", integer=True, nonnegative=True)
    statement = rules.le(1 - count * MISS, (1 - MISS) ** count)
    base = rules.equality(1 - 0 * MISS, (1 - MISS) ** 0)
    start = rules.restate(rules.le(1, 1), base)
    step = rules.scale(rules.hypothesis(statement), 1 - MISS, given)
    less = rules.nonnegative(count * MISS**2)
    grown = rules.restate(rules.le(1 - (count + 1) * MISS, (1 - MISS) * (1 - count * MISS)), less)
    last = rules.restate(rules.le(1 - (count + 1) * MISS, (1 - MISS) ** (count + 1)), rules.chain(grown, step), given)
    return rules.instance(rules.induction(start, last, count, statement), {count: STEPS}, given)


def _good_part(proof: ProofSteps) -> Fact:
    """δ_t(P ‖ Q) ≤ 1 − c + c·δ_t(G ‖ H), for every t."""
    given, here = (MISS <= 1,), [INDEX <= SIZE]
    low, high = (rules.specialize(rules.hypothesis(premise), INDEX, here) for premise in LARGER)
    p, q, first, second = UPPER[INDEX], LOWER[INDEX], P[INDEX], Q[INDEX]
    excess = first - exp(LIMIT) * second
    stick = Max(excess, 0)
    parts = rules.add(rules.scale(high, exp(LIMIT)), rules.scale(above(excess), GOOD, given))
    linear = rules.restate(rules.le(p - exp(LIMIT) * q, (p - GOOD * first) + GOOD * stick), parts, given)
    spare = rules.restate(rules.le(0, p - GOOD * first), low)
    kept = rules.add(spare, rules.nonnegative(GOOD * stick, given))
    pointwise = proof("outcome by outcome", rules.maximum(linear, rules.restate(rules.le(0, linear.rhs), kept, given)))
    quantity, inner = HockeyStick(LIMIT, p, q, OVER), HockeyStick(LIMIT, first, second, OVER)
    summed = rules.chain(rules.definition(quantity), rules.sum_termwise(pointwise, OVER))
    facts = [*(rules.hypothesis(sums_to_one(weights, OVER)) for weights in (UPPER, P)), rules.definition(inner)]
    return proof("sum", rules.restate(rules.le(quantity, 1 - GOOD + GOOD * inner), summed, given, using=facts))


@recipe(
    "advanced-composition-approximate",
    "Advanced composition of (ε, δ)-private mechanisms",
    "Dwork, Rothblum & Vadhan 2010, Theorem III.3; Dwork & Roth 2014, Theorem 3.20",
)
def advanced_composition_approximate(proof: ProofSteps) -> Fact:
    """δ(ε√(2k log 1/δ′) + kε(e^ε − 1)) ≤ kδ + δ′ for k steps, each ε-private but for a mass δ ≤ 1."""
    given = (MISS <= 1, DELTA < 1)
    split = rules.instance(_good_part(proof), {LIMIT: TOTAL}, given)
    known = proof("the private part", advanced_composition().result)
    z = nonnegative("z")
    less = rules.apply(Lambda(z, z**STEPS), rules.sign(rules.le(1 - MISS, 1)), given)
    private = rules.chain(rules.scale(known, GOOD, given), rules.scale(less, DELTA), given=given)
    missing = proof("(1 - d)^k >= 1 - k d", _bernoulli())
    target = rules.le(split.rhs, STEPS * MISS + DELTA)
    rest = rules.restate(target, rules.add(private, missing), given)
    return proof("the masses that are left over", rules.chain(split, rest))
