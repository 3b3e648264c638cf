"""Adaptive composition of Rényi divergence (Claim 22), over arbitrary finite kernels.

A history is a number h; the kernel of step j gives the next output y with probabilities K[j,h,y] under the first data set and
L[j,h,y] under the second. The joint law after j steps is J[j,h], resp. I[j,h]. That histories after step j+1 are pairs (h, y) with
the product of their probabilities is what adaptive composition means, and is stated as a premise between moments.
"""

from __future__ import annotations

from typing import Any

from sympy import Eq, IndexedBase, Lambda, Sum, Symbol, exp, log, true

from dpbounds.language.functions import RenyiDivergence
from dpbounds.language.quantifiers import ForAll, for_each
from dpbounds.language.symbols import family, index, nonnegative, positive_integer, sums_to_one
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.averages.averages import at_least_one, moment_below
from dpbounds.theory.averages.power_means import LAMBDA

RHO, RHO_FIRST, RHO_SECOND = nonnegative("rho rho_1 rho_2")
GIVEN = (LAMBDA > 1,)
STEP = Symbol("j", integer=True, nonnegative=True)
STEPS = positive_integer("k")
HISTORY, OUTPUT = index("h"), index("y")
HISTORIES, OUTPUTS = positive_integer("m"), positive_integer("n")
SIZES = IndexedBase("N", integer=True, positive=True)
P, Q = family("p"), family("q", "positive")
K, L = family("K"), family("L", "positive")
J, I = family("J"), family("I", "positive")  # noqa: E741
x = Symbol("x", real=True)


@recipe("two-step-composition", "Adaptive composition of two mechanisms", "Yuchen 2019, Claim 22; Mironov 2017, Proposition 1")
def two_step_composition(proof: ProofSteps) -> Fact:
    """D_λ of the joint law of (h, y) is at most ρ₁ + ρ₂ when the first law has D_λ ≤ ρ₁ and every kernel has D_λ ≤ ρ₂."""
    h, y = HISTORY, OUTPUT
    first_over, second_over = (h, 1, HISTORIES), (y, 1, OUTPUTS)
    kernels = for_each(first_over, RenyiDivergence(LAMBDA, K[h, y], L[h, y], second_over) <= RHO_SECOND)
    rows = [rules.hypothesis(for_each(first_over, Eq(Sum(kernel[h, y], second_over), 1))) for kernel in (K, L)]
    within = [h <= HISTORIES]
    divergence = rules.specialize(rules.hypothesis(kernels), h, [*within, *GIVEN])
    sums = tuple(rules.specialize(row, h, within) for row in rows)
    inner = proof("every kernel", moment_below(divergence, K[h, y], L[h, y], sums, second_over))
    weight = P[h] ** LAMBDA * Q[h] ** (1 - LAMBDA)
    outer = proof("weigh by the first law and sum", rules.sum_termwise(rules.scale(inner, weight, GIVEN), first_over))
    whole = [rules.hypothesis(sums_to_one(weights, first_over)) for weights in (P, Q)]
    premise = rules.hypothesis(RenyiDivergence(LAMBDA, P[h], Q[h], first_over) <= RHO_FIRST, GIVEN)
    start = proof("the first law", moment_below(premise, P[h], Q[h], tuple(whole), first_over))
    joint = Sum((P[h] * K[h, y]) ** LAMBDA * (Q[h] * L[h, y]) ** (1 - LAMBDA), second_over, first_over)
    bounded = rules.chain(rules.equality(joint, outer.lhs, GIVEN), outer)
    total = rules.chain(bounded, rules.scale(start, exp(RHO_SECOND * (LAMBDA - 1)), GIVEN))
    moment = proof("the joint moment", rules.restate(rules.le(joint, exp((LAMBDA - 1) * (RHO_FIRST + RHO_SECOND))), total, GIVEN))
    return proof("the divergence", divergence_of(moment, _positive_joint(joint, whole, rows), RHO_FIRST + RHO_SECOND))


def _positive_joint(joint: Any, whole: list[Fact], rows: list[Fact]) -> Fact:
    """0 < Σ_h Σ_y (pK)^λ (qL)^{1−λ}: inner sums are at least 1, and so is the outer one."""
    h, y = HISTORY, OUTPUT
    within = [h <= HISTORIES]
    sums = [rules.specialize(row, h, within) for row in rows]
    one = at_least_one(K[h, y], L[h, y], sums, (y, 1, OUTPUTS))
    weighted = rules.scale(one, P[h] ** LAMBDA * Q[h] ** (1 - LAMBDA), GIVEN)
    summed = rules.sum_termwise(weighted, (h, 1, HISTORIES))
    start = at_least_one(P[h], Q[h], whole, (h, 1, HISTORIES))
    return rules.chain(start, summed, rules.equality(summed.rhs, joint, GIVEN))


def divergence_of(moment: Fact, positive_moment: Fact, bound: Any) -> Fact:
    """From 1 ≤ G ≤ e^{(λ−1)r}: log(G)/(λ−1) ≤ r."""
    z = Symbol("z", positive=True)
    above = rules.sign(rules.lt(0, moment.lhs), GIVEN, using=[positive_moment])
    logs = rules.apply(Lambda(z, log(z)), moment, GIVEN, using=[above])
    return rules.restate(rules.le(log(moment.lhs) / (LAMBDA - 1), bound), rules.scale(logs, 1 / (LAMBDA - 1), GIVEN), GIVEN)


def joint_moment(step: Any) -> Sum:
    """Σ_h J[j,h]^λ I[j,h]^{1−λ}: the moment of the joint law after j steps."""
    return Sum(J[step, HISTORY] ** LAMBDA * I[step, HISTORY] ** (1 - LAMBDA), (HISTORY, 1, SIZES[step]))


@recipe("adaptive-composition", "Adaptive composition of k mechanisms", "Yuchen 2019, Claim 22; Mironov 2017, Proposition 1")
def adaptive_composition(proof: ProofSteps) -> Fact:
    """The joint moment after j steps is at most e^{j(λ−1)ρ} when every kernel has D_λ ≤ ρ, by induction on j."""
    h, y, j = HISTORY, OUTPUT, STEP
    over, histories = (y, 1, OUTPUTS), (h, 1, SIZES[j])
    every = lambda body: ForAll(j, true, for_each(histories, body))  # noqa: E731
    kernels = rules.hypothesis(every(RenyiDivergence(LAMBDA, K[j, h, y], L[j, h, y], over) <= RHO))
    rows = [rules.hypothesis(every(Eq(Sum(kernel[j, h, y], over), 1))) for kernel in (K, L)]
    within = [h <= SIZES[j]]
    divergence = rules.specialize(rules.specialize(kernels, j, GIVEN), h, [*within, *GIVEN])
    sums = tuple(rules.specialize(rules.specialize(row, j), h, within) for row in rows)
    inner = proof("every kernel", moment_below(divergence, K[j, h, y], L[j, h, y], sums, over))
    weight = J[j, h] ** LAMBDA * I[j, h] ** (1 - LAMBDA)
    outer = proof("weigh by the law of the history and sum", rules.sum_termwise(rules.scale(inner, weight, GIVEN), histories))
    extended = Sum((J[j, h] * K[j, h, y]) ** LAMBDA * (I[j, h] * L[j, h, y]) ** (1 - LAMBDA), over, histories)
    meaning = rules.hypothesis(ForAll(j, true, Eq(joint_moment(j + 1), extended)))
    product = rules.specialize(meaning, j, GIVEN)
    one_more = rules.chain(product, rules.equality(extended, outer.lhs, GIVEN), outer, given=GIVEN)
    growth = exp((LAMBDA - 1) * RHO)
    grows = proof("one more step", rules.restate(rules.le(joint_moment(j + 1), growth * joint_moment(j)), one_more, GIVEN))
    statement = rules.le(joint_moment(j), exp(j * (LAMBDA - 1) * RHO))
    before = rules.scale(rules.hypothesis(statement, GIVEN), growth, GIVEN)
    step = rules.restate(rules.le(joint_moment(j + 1), exp((j + 1) * (LAMBDA - 1) * RHO)), rules.chain(grows, before), GIVEN)
    base = rules.restate(rules.le(joint_moment(0), exp(0 * RHO)), rules.hypothesis(Eq(joint_moment(0), 1, evaluate=False), GIVEN), GIVEN)
    return proof("induction on the number of steps", rules.induction(base, step, j, statement))
