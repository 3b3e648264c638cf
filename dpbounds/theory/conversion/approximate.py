"""(ε, δ) under post-processing, composition and sampling: the hockey-stick divergence over finite laws of any length.

    post-processing   δ_ε(Kp ‖ Kq) ≤ δ_ε(p ‖ q)
    composition       δ_{ε₁+ε₂}(pK ‖ qL) ≤ δ₁ + δ₂    for a law with (ε₁, δ₁) and kernels with (ε₂, δ₂) each
    substitution      δ_{ε'}((1−r)s + rp ‖ (1−r)s + rq) ≤ rδ    with e^{ε'} = 1 + r(e^ε − 1), when p has (ε, δ) against both q and s
    removal           δ_{ε'}((1−r)q + rp ‖ q) = r δ_ε(p ‖ q)

s is the law without the record: of a batch of m out of n it is an average over batches in which another record took its place, which is
why the mechanism must be (ε, δ)-private under substitution (Balle, Barthe & Gaboardi 2018, Theorem 9).
"""

from __future__ import annotations

from typing import Any

from sympy import Eq, Max, Sum, exp, log

from dpbounds.language.functions import HockeyStick
from dpbounds.language.quantifiers import for_each
from dpbounds.language.symbols import family, index, nonnegative, positive, positive_integer, real, sums_to_one
from dpbounds.language.typed.bridge import takes_terms
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact

EPSILON, FIRST, SECOND = real("epsilon epsilon_1 epsilon_2")
LEVEL = nonnegative("epsilon")
DELTA, DELTA_FIRST, DELTA_SECOND = nonnegative("delta delta_1 delta_2")
RATE = positive("r")
HISTORY, OUTPUT = index("h"), index("y")
HISTORIES, OUTPUTS = positive_integer("m"), positive_integer("n")
FIRST_OVER, OVER = (HISTORY, 1, HISTORIES), (OUTPUT, 1, OUTPUTS)
P, Q, S = family("p"), family("q"), family("s")
K, L = family("K"), family("L")
h, y = HISTORY, OUTPUT


def positive_part(term: Any) -> Max:
    """max(u, 0)."""
    return Max(term, 0)


@takes_terms
def above(term: Any) -> Fact:
    """u ≤ max(u, 0)."""
    largest = positive_part(term)
    return rules.below_maximum(largest, largest.args.index(term))


@recipe("post-processing", "Post-processing does not increase δ(ε)", "Dwork & Roth 2014, Proposition 2.1")
def post_processing(proof: ProofSteps) -> Fact:
    """δ_ε(Σ_h p_h K_h ‖ Σ_h q_h K_h) ≤ δ_ε(p ‖ q) for a kernel K from m to n outcomes."""
    near = P[h] - exp(EPSILON) * Q[h]
    each = rules.sum_termwise(rules.scale(above(near), K[h, y]), FIRST_OVER)
    after = [Sum(weights[h] * K[h, y], FIRST_OVER) for weights in (P, Q)]
    right = Sum(K[h, y] * positive_part(near), FIRST_OVER)
    linear = rules.restate(rules.le(after[0] - exp(EPSILON) * after[1], right), each)
    pointwise = proof("for every output", rules.maximum(linear, rules.nonnegative(right)))
    quantity, before = HockeyStick(EPSILON, after[0], after[1], OVER), HockeyStick(EPSILON, P[h], Q[h], FIRST_OVER)
    summed = rules.chain(rules.definition(quantity), rules.sum_termwise(pointwise, OVER))
    row = rules.specialize(rules.hypothesis(for_each(FIRST_OVER, Eq(Sum(K[h, y], OVER), 1))), h, [h <= HISTORIES])
    inner = rules.equality(Sum(K[h, y], OVER) * positive_part(near), positive_part(near), [h <= HISTORIES], using=[row])
    total = rules.sum_termwise(inner, FIRST_OVER)
    whole = rules.restate(rules.le(quantity, total.lhs), summed)
    return proof("rows sum to one", rules.restate(rules.le(quantity, before), rules.chain(whole, total), using=[rules.definition(before)]))


@recipe("approximate-composition", "Composition adds ε and δ", "Dwork & Roth 2014, Theorem 3.16")
def approximate_composition(proof: ProofSteps) -> Fact:
    """δ_{ε₁+ε₂}(p_h K_{h,y} ‖ q_h L_{h,y}) ≤ δ₁ + δ₂, written Σ_h Σ_y max(p K − e^{ε₁+ε₂} q L, 0).

    With m = p − max(p − e^{ε₁}q, 0) ≤ e^{ε₁}q and 0 ≤ m ≤ p:  pK − e^{ε₁+ε₂}qL ≤ m(K − e^{ε₂}L) + max(p − e^{ε₁}q, 0)K.
    """
    near, step = P[h] - exp(FIRST) * Q[h], K[h, y] - exp(SECOND) * L[h, y]
    excess, more = positive_part(near), positive_part(step)
    low = rules.restate(rules.le(P[h] - excess, exp(FIRST) * Q[h]), above(near))
    left = rules.nonnegative(exp(FIRST) * Q[h])
    room = rules.maximum(rules.restate(rules.le(near, P[h]), left), rules.nonnegative(P[h]))
    kept = proof("the part of p below e^ε₁ q", rules.restate(rules.le(0, P[h] - excess), room))
    linear = rules.restate(
        rules.le(P[h] * K[h, y] - exp(FIRST + SECOND) * Q[h] * L[h, y], (P[h] - excess) * step + excess * K[h, y]),
        rules.scale(low, exp(SECOND) * L[h, y]),
    )
    second = rules.scale(above(step), P[h] - excess, using=[kept])
    right = P[h] * more + excess * K[h, y]
    dropped = rules.restate(rules.le((P[h] - excess) * more, P[h] * more), rules.nonnegative(excess * more))
    bound = rules.chain(linear, rules.add(rules.chain(second, dropped), rules.equality(excess * K[h, y], excess * K[h, y])))
    pointwise = proof(
        "for every history and output", rules.maximum(rules.restate(rules.le(linear.lhs, right), bound), rules.nonnegative(right))
    )
    joint = rules.sum_termwise(rules.sum_termwise(pointwise, OVER), FIRST_OVER)
    within = [h <= HISTORIES]
    row = rules.specialize(rules.hypothesis(for_each(FIRST_OVER, Eq(Sum(K[h, y], OVER), 1))), h, within)
    kernel = HockeyStick(SECOND, K[h, y], L[h, y], OVER)
    later = rules.specialize(rules.hypothesis(for_each(FIRST_OVER, kernel <= DELTA_SECOND)), h, within)
    inner = rules.restate(rules.le(Sum(more, OVER), DELTA_SECOND), later, using=[rules.definition(kernel)])
    weighted = rules.add(rules.scale(inner, P[h]), rules.scale(row, excess))
    summed = rules.sum_termwise(weighted, FIRST_OVER)
    start = HockeyStick(FIRST, P[h], Q[h], FIRST_OVER)
    premise = rules.hypothesis(start <= DELTA_FIRST)
    first = rules.restate(rules.le(Sum(excess, FIRST_OVER), DELTA_FIRST), premise, using=[rules.definition(start)])
    mass = rules.hypothesis(sums_to_one(P, FIRST_OVER))
    known = rules.restate(rules.le(summed.rhs, DELTA_FIRST + DELTA_SECOND), first, using=[mass])
    whole = proof("sum over both", rules.chain(joint, summed, known))
    target = Sum(positive_part(P[h] * K[h, y] - exp(FIRST + SECOND) * Q[h] * L[h, y]), OVER, FIRST_OVER)
    return proof("the joint law", rules.restate(rules.le(target, DELTA_FIRST + DELTA_SECOND), whole))


def _sampled_level(rate: Any = RATE, level: Any = LEVEL) -> Any:
    """ε' = log(1 + r(e^ε − 1))."""
    return log(1 + rate * (exp(level) - 1))


@recipe(
    "sampling-substitution",
    "Sampling amplifies (ε, δ) under substitution",
    "Balle, Barthe & Gaboardi 2018, Theorem 9; Yuchen 2019, Claim 19",
)
def sampling_substitution(proof: ProofSteps) -> Fact:
    """δ_ε(p‖q) ≤ δ and δ_ε(p‖s) ≤ δ give δ_{ε'}((1−r)s + rp ‖ (1−r)s + rq) ≤ rδ, with e^{ε'} = 1 + r(e^ε − 1), for 0 < r ≤ 1 and ε ≥ 0.

    The difference is r times p − e^ε((1−β)s + βq), β = e^{ε'−ε}, and (1−β)(p − e^ε s) + β(p − e^ε q) is the same.
    """
    given = (RATE <= 1,)
    p, q, s = P[y], Q[y], S[y]
    grown = 1 + RATE * (exp(LEVEL) - 1)
    beta = grown * exp(-LEVEL)
    rest = (1 - RATE) * (1 - exp(-LEVEL))
    to_s, to_q = p - exp(LEVEL) * s, p - exp(LEVEL) * q
    parts = rules.add(rules.scale(above(to_s), RATE * rest, given), rules.scale(above(to_q), RATE * beta, given))
    right = RATE * (rest * positive_part(to_s) + beta * positive_part(to_q))
    upper, lower = (1 - RATE) * s + RATE * p, (1 - RATE) * s + RATE * q
    linear = rules.restate(rules.le(upper - exp(_sampled_level()) * lower, right), parts, given)
    pointwise = proof("for every outcome", rules.maximum(linear, rules.nonnegative(right, given)))
    quantity = HockeyStick(_sampled_level(), upper, lower, OVER)
    sticks = [HockeyStick(LEVEL, p, other, OVER) for other in (s, q)]
    premises = [rules.hypothesis(stick <= DELTA) for stick in sticks]
    mixed = rules.add(rules.scale(premises[0], RATE * rest, given), rules.scale(premises[1], RATE * beta, given))
    summed = rules.sum_termwise(pointwise, OVER)
    start = rules.chain(rules.definition(quantity, given), summed)
    meaning = [rules.definition(stick) for stick in sticks]
    split = rules.restate(rules.le(quantity, mixed.lhs), start, given, using=meaning)
    return proof("average the two", rules.restate(rules.le(quantity, RATE * DELTA), rules.chain(split, mixed), given))


@recipe("sampling-removal", "Poisson sampling amplifies (ε, δ) under removal, exactly", "Balle, Barthe & Gaboardi 2018, Theorem 8")
def sampling_removal(proof: ProofSteps) -> Fact:
    """δ_{ε'}((1−r)q + rp ‖ q) = r δ_ε(p‖q), with e^{ε'} = 1 + r(e^ε − 1), for 0 < r ≤ 1 and ε ≥ 0."""
    given = (RATE <= 1,)
    p, q = P[y], Q[y]
    near = p - exp(LEVEL) * q
    upper = (1 - RATE) * q + RATE * p
    quantity, before = HockeyStick(_sampled_level(), upper, q, OVER), HockeyStick(LEVEL, p, q, OVER)
    gap = upper - exp(_sampled_level()) * q
    same = proof("the difference is r times the difference", rules.equality(gap, RATE * near, given))
    up = rules.restate(rules.le(gap, RATE * positive_part(near)), rules.scale(above(near), RATE), given)
    one = rules.maximum(up, rules.nonnegative(RATE * positive_part(near)))
    down = rules.restate(rules.le(near, positive_part(gap) / RATE), rules.scale(above(gap), 1 / RATE, given), given, using=[same])
    other = rules.scale(rules.maximum(down, rules.nonnegative(positive_part(gap) / RATE, given)), RATE)
    statement = [rules.le(quantity, RATE * before), rules.le(RATE * before, quantity)]
    meaning = [rules.definition(quantity, given), rules.definition(before)]
    sums = [rules.sum_termwise(fact, OVER) for fact in (one, other)]
    both = [rules.restate(goal, fact, given, using=meaning) for goal, fact in zip(statement, sums, strict=True)]
    return proof("in both directions", rules.conjunction(*both))


@recipe("parallel-composition", "Blocks that a record does not touch cost nothing", "McSherry 2009, Theorem 4; slides of 2022")
def parallel_composition(proof: ProofSteps) -> Fact:
    """Σ_h Σ_y max(p_h K_{h,y} − e^ε q_h K_{h,y}, 0) ≤ δ for δ_ε(p ‖ q) ≤ δ and one kernel K, the law of the other blocks."""
    near = P[h] - exp(EPSILON) * Q[h]
    factor = rules.scale(above(near), K[h, y])
    right = positive_part(near) * K[h, y]
    linear = rules.restate(rules.le(P[h] * K[h, y] - exp(EPSILON) * Q[h] * K[h, y], right), factor)
    pointwise = proof("for every pair of outputs", rules.maximum(linear, rules.nonnegative(right)))
    joint = rules.sum_termwise(rules.sum_termwise(pointwise, OVER), FIRST_OVER)
    row = rules.specialize(rules.hypothesis(for_each(FIRST_OVER, Eq(Sum(K[h, y], OVER), 1))), h, [h <= HISTORIES])
    total = rules.sum_termwise(rules.scale(row, positive_part(near)), FIRST_OVER)
    start = HockeyStick(EPSILON, P[h], Q[h], FIRST_OVER)
    premise = rules.hypothesis(start <= DELTA)
    first = rules.restate(rules.le(Sum(positive_part(near), FIRST_OVER), DELTA), premise, using=[rules.definition(start)])
    whole = rules.chain(joint, total, first)
    target = Sum(positive_part(P[h] * K[h, y] - exp(EPSILON) * Q[h] * K[h, y]), OVER, FIRST_OVER)
    return proof("rows sum to one", rules.restate(rules.le(target, DELTA), whole))


@recipe("sets-of-outcomes", "δ(ε) is the largest excess over all sets of outcomes", "Dwork & Roth 2014, Definition 2.4; three outcomes")
def sets_of_outcomes(proof: ProofSteps) -> Fact:
    """P(S) − e^ε Q(S) ≤ δ for all sets S of three outcomes gives δ(ε) ≤ δ."""
    stick = HockeyStick(EPSILON, P[y], Q[y], (y, 1, 3))
    excess = [P[k] - exp(EPSILON) * Q[k] for k in (1, 2, 3)]

    def settle(chosen: tuple[bool, ...]) -> Fact:
        if len(chosen) < 3:
            sign = rules.le(0, excess[len(chosen)])
            return rules.cases(settle((*chosen, True)), settle((*chosen, False)), over=sign)
        given = [rules.le(0, u) if inside else rules.le(0, u).negated for u, inside in zip(excess, chosen, strict=True)]
        if not any(chosen):
            return rules.restate(rules.le(stick, DELTA), rules.nonnegative(DELTA), given, using=[rules.definition(stick)])
        total = sum((u for u, inside in zip(excess, chosen, strict=True) if inside), start=excess[0] * 0)
        return rules.restate(rules.le(stick, DELTA), rules.hypothesis(rules.le(total, DELTA)), given, using=[rules.definition(stick)])

    return proof("the set where p exceeds e^ε q", settle(()))
