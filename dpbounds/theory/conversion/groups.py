"""Group privacy: what (ε, δ) for neighbours says about data sets that are several steps apart."""

from __future__ import annotations

from typing import Any

from sympy import Max, S, Symbol, exp

from dpbounds.language.functions import HockeyStick
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.symbols import family, index, nonnegative, positive, positive_integer
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact

EPSILON = positive("epsilon")
DELTA = nonnegative("delta")
STEP = Symbol("j", integer=True, nonnegative=True)
DISTANCE = positive_integer("k")
SIZE = positive_integer("n")
INDEX = index("i")
OVER = (INDEX, 1, SIZE)
LAWS = family("P")


def far(step: Any) -> HockeyStick:
    """δ(jε) between the first law and the law j steps away."""
    return HockeyStick(step * EPSILON, LAWS[0, INDEX], LAWS[step, INDEX], OVER)


def triangle(proof: ProofSteps) -> Fact:
    """δ_{(j+1)ε}(P₀‖P_{j+1}) ≤ δ_{jε}(P₀‖P_j) + e^{jε} δ_ε(P_j‖P_{j+1})."""
    i, j = INDEX, STEP
    near = LAWS[j, i] - exp(EPSILON) * LAWS[j + 1, i]
    so_far = LAWS[0, i] - exp(j * EPSILON) * LAWS[j, i]
    right = Max(so_far, 0) + exp(j * EPSILON) * Max(near, 0)
    first, second = (rules.below_maximum(Max(term, 0), Max(term, 0).args.index(term)) for term in (so_far, near))
    parts = rules.add(first, rules.scale(second, exp(j * EPSILON)))
    linear = rules.restate(rules.le(LAWS[0, i] - exp((j + 1) * EPSILON) * LAWS[j + 1, i], right), parts)
    pointwise = proof("for every outcome", rules.maximum(linear, rules.nonnegative(right)))
    summed = rules.sum_termwise(pointwise, OVER)
    step = HockeyStick(EPSILON, LAWS[j, i], LAWS[j + 1, i], OVER)
    meanings = [rules.definition(quantity) for quantity in (far(j + 1), far(j), step)]
    return proof("triangle inequality", rules.restate(rules.le(far(j + 1), far(j) + exp(j * EPSILON) * step), summed, using=meanings))


def chained(proof: ProofSteps, bound: Any, grows: Any) -> Fact:
    """δ_{jε} ≤ bound(j) for all j ≤ k, by induction, from bound(j) + e^{jε}δ ≤ bound(j+1)."""
    i, j = INDEX, STEP
    further = triangle(proof)
    neighbours = ForAll(j, j < DISTANCE, HockeyStick(EPSILON, LAWS[j, i], LAWS[j + 1, i], OVER) <= DELTA)
    near = rules.specialize(rules.hypothesis(neighbours), j, [j < DISTANCE])
    statement = rules.le(far(j), bound(j))
    sum_of = rules.add(rules.hypothesis(statement), rules.scale(near, exp(j * EPSILON)))
    step = rules.chain(further, sum_of, grows)
    nothing = rules.chain(rules.definition(far(S.Zero)), rules.equality(far(S.Zero).definition(), 0))
    base = rules.restate(rules.le(far(S.Zero), bound(S.Zero)), nothing)
    induced = proof(
        "induction on the distance",
        rules.induction(base, rules.restate(rules.le(far(j + 1), bound(j + 1)), step), j, statement, upto=DISTANCE),
    )
    return proof("at distance k", rules.instance(induced, {j: DISTANCE}))


@recipe("group-privacy-sharp", "Group privacy with the geometric sum", "Vadhan 2017, Lemma 2.2, sharpened")
def group_privacy_sharp(proof: ProofSteps) -> Fact:
    """(ε, δ) between neighbours gives (kε, δ(e^{kε}−1)/(e^ε−1)) at distance k."""
    j = STEP
    bound = lambda step: DELTA * (exp(step * EPSILON) - 1) / (exp(EPSILON) - 1)  # noqa: E731
    total = rules.equality(bound(j) + exp(j * EPSILON) * DELTA, bound(j + 1))
    return chained(proof, bound, total)


@recipe("group-privacy", "Group privacy", "Vadhan 2017, Lemma 2.2; slides of 2022")
def group_privacy(proof: ProofSteps) -> Fact:
    """(ε, δ) between neighbours gives (kε, k e^{kε} δ) at distance k."""
    j = STEP
    bound = lambda step: step * exp(step * EPSILON) * DELTA  # noqa: E731
    more = rules.scale(rules.sign(rules.le(1, exp(EPSILON))), (j + 1) * exp(j * EPSILON) * DELTA)
    total = rules.restate(rules.le(bound(j) + exp(j * EPSILON) * DELTA, bound(j + 1)), more)
    return chained(proof, bound, total)
