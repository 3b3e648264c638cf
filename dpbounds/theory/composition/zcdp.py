"""Zero-concentrated differential privacy: D_α ≤ αρ for all α > 1, and what follows."""

from __future__ import annotations

from sympy import Eq, Indexed, IndexedBase, Lambda, S, Sum, Symbol, exp, log, sqrt

from dpbounds.language.functions import GaussianRenyi, HockeyStick, LossTail, RenyiDivergence, RenyiMoment
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.symbols import family, positive, sums_to_one
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.conversion.constrained import DELTA, LOSS, RHO
from dpbounds.theory.conversion.conversion import (
    ALPHA,
    DISTRIBUTIONS,
    EPSILON,
    INDEX,
    OVER,
    Q,
    T,
    chernoff_tail,
    delta_from_divergence,
    moment_at_least_one,
    moment_bound,
    p,
    q,
)
from dpbounds.theory.noise.gaussian import gaussian_renyi

GIVEN = (ALPHA > 1,)
SIGMA, SENSITIVITY, RATE = positive("sigma Delta r")
DIVERGENCE = RenyiDivergence(ALPHA, p, q, OVER)
MOMENT = RenyiMoment(ALPHA, p, q, OVER)
PREMISE = ForAll(ALPHA, ALPHA > 1, DIVERGENCE <= ALPHA * RHO)
X, Z = Symbol("x", real=True), Symbol("z", positive=True)


@recipe("zcdp-moment", "zCDP bounds the moments", "Yu et al. 2019, from (6) to (7)")
def zcdp_moment(proof: ProofSteps) -> Fact:
    """D_α(p‖q) ≤ ρα gives E e^{(α−1)L} = Σ p^α q^{1−α} ≤ e^{(α−1)αρ}."""
    premise = rules.hypothesis(DIVERGENCE <= RHO * ALPHA, GIVEN)
    bound = proof("exponentiate", moment_bound(premise, ALPHA, GIVEN))
    target = rules.le(MOMENT, exp((ALPHA - 1) * ALPHA * RHO))
    return proof("the moment", rules.restate(target, bound, GIVEN, using=[rules.definition(MOMENT, GIVEN)]))


@recipe("zcdp-divergence", "Bounded moments are zCDP", "Yu et al. 2019, from (7) to (6)")
def zcdp_divergence(proof: ProofSteps) -> Fact:
    """Σ p^α q^{1−α} ≤ e^{(α−1)αρ} gives D_α(p‖q) ≤ ρα."""
    premise = rules.hypothesis(rules.le(MOMENT, exp((ALPHA - 1) * ALPHA * RHO)), GIVEN)
    low = moment_at_least_one(ALPHA, GIVEN)
    plain = rules.restate(rules.le(low.rhs, premise.rhs), premise, GIVEN, using=[rules.definition(MOMENT, GIVEN)])
    above = rules.sign(rules.lt(0, low.rhs), GIVEN, using=[low])
    logs = proof("take the logarithm", rules.apply(Lambda(Z, log(Z)), plain, GIVEN, using=[above]))
    divided = rules.scale(logs, 1 / (ALPHA - 1), GIVEN)
    defined = rules.definition(DIVERGENCE, GIVEN, using=[low])
    return proof("divide by α − 1", rules.restate(rules.le(DIVERGENCE, RHO * ALPHA), divided, GIVEN, using=[defined]))


@recipe("zcdp-tail", "Tail of the privacy loss under zCDP", "Yu et al. 2019, Section II-C; Bun & Steinke 2016")
def zcdp_tail(proof: ProofSteps) -> Fact:
    """D_α ≤ αρ for all α > 1 gives Pr(L > t + ρ) ≤ e^{−t²/(4ρ)} for t > 0."""
    order = 1 + T / (2 * RHO)
    divergence = rules.specialize(rules.hypothesis(PREMISE), order)
    moment = proof("the moment of order 1 + t/(2ρ)", moment_bound(divergence, order, ()))
    epsilon = T + RHO
    tail = rules.instance(chernoff_tail().result, {T: T / (2 * RHO), EPSILON: epsilon})
    weight = exp(-T / (2 * RHO) * epsilon)
    quantity = RenyiMoment(order, p, q, OVER)
    plain = proof("Chernoff bound", rules.restate(rules.le(tail.lhs, weight * moment.lhs), tail, using=[rules.definition(quantity)]))
    bound = rules.chain(plain, rules.scale(moment, weight))
    return proof("the exponent", rules.restate(rules.le(LossTail(epsilon, p, q, OVER), exp(-(T**2) / (4 * RHO))), bound))


@recipe("proposition-1", "From zCDP to (ε, δ)", "Yu et al. 2019, Proposition 1, for δ ≤ 1; Bun & Steinke 2016, Proposition 1.3")
def proposition_1(proof: ProofSteps) -> Fact:
    """D_α ≤ αρ for all α > 1 gives δ(ρ + 2√(ρ log 1/δ)) ≤ δ for 0 < δ ≤ 1."""
    epsilon = RHO + 2 * sqrt(RHO * LOSS)
    strict, weak = (DELTA < 1,), (DELTA <= 1,)
    order = 1 + sqrt(LOSS / RHO)
    divergence = rules.specialize(rules.hypothesis(PREMISE), order, strict)
    bound = delta_from_divergence(divergence, order, epsilon, strict)
    quantity = HockeyStick(epsilon, p, q, OVER)
    inside = proof("δ < 1: the order 1 + √(log(1/δ)/ρ)", rules.restate(rules.le(quantity, DELTA), bound, strict))
    e = EPSILON
    part = rules.maximum(rules.sign(rules.le(p - exp(e) * q, p)), rules.nonnegative(p))
    total = rules.chain(rules.definition(HockeyStick(e, p, q, OVER)), rules.sum_termwise(part, OVER))
    one = rules.chain(total, rules.hypothesis(DISTRIBUTIONS[0]))
    edge = rules.chain(rules.instance(one, {e: epsilon}, weak), rules.hypothesis((DELTA < 1).negated))
    outside = proof("δ = 1: a probability is at most one", rules.restate(rules.le(quantity, DELTA), edge, weak))
    return proof("both cases", rules.cases(inside, outside, over=strict[0]))


@recipe("proposition-2", "The Gaussian mechanism is 1/(2σ²)-zCDP", "Yu et al. 2019, Proposition 2")
def proposition_2(proof: ProofSteps) -> Fact:
    """D_α ≤ α/(2σ²) for noise of standard deviation Δσ and sensitivity Δ, for every α > 1."""
    gaussian = gaussian_renyi().result
    order, sigma, shift = gaussian.lhs.args
    moved = proof("noise Δσ", rules.instance(gaussian, {order: ALPHA, sigma: SENSITIVITY * SIGMA, shift: SENSITIVITY}))
    target = rules.le(GaussianRenyi(ALPHA, SENSITIVITY * SIGMA, SENSITIVITY), ALPHA * (1 / (2 * SIGMA**2)))
    return proof("the bound", rules.restate(target, moved))


UPPER = family("u")
MIXED = RATE * UPPER[INDEX] + (1 - RATE) * q


def mixture_moment(proof: ProofSteps) -> Fact:
    """q^α Σ u^α v^{1−α} < Σ (qu + (1−q)v)^α v^{1−α} for 0 < q < 1."""
    given = (*GIVEN, RATE < 1)
    z = Symbol("z", nonnegative=True)
    larger = rules.sign(rules.lt(RATE * UPPER[INDEX], MIXED), given)
    powered = rules.apply(Lambda(z, z**ALPHA), larger, given)
    term = rules.scale(powered, q ** (1 - ALPHA), given)
    summed = proof("term by term", rules.sum_termwise(term, OVER))
    return rules.restate(rules.lt(RATE**ALPHA * RenyiMoment(ALPHA, UPPER[INDEX], q, OVER).definition(), summed.rhs), summed, given)


@recipe("yu-12", "Sampling removes at most a factor q^α from the moment", "Yu et al. 2019, (12)")
def yu_12(proof: ProofSteps) -> Fact:
    """(α−1) D_α(qu₁ + (1−q)u₀ ‖ u₀) > α log q + (α−1) D_α(u₁‖u₀), for α > 1 and 0 < q < 1."""
    given = (*GIVEN, RATE < 1)
    whole = [rules.hypothesis(sums_to_one(weights, OVER)) for weights in (UPPER, Q)]
    mean = moment_at_least_one(ALPHA, GIVEN)
    families = {base: UPPER for base in mean.statement.atoms(type(UPPER)) if str(base) == "p"}
    low = rules.instance(mean, families)
    small, large = RenyiDivergence(ALPHA, UPPER[INDEX], q, OVER), RenyiDivergence(ALPHA, MIXED, q, OVER)
    strict = mixture_moment(proof)
    base = rules.definition(small, GIVEN, using=[low, *whole])
    above = rules.sign(rules.lt(0, strict.lhs), given, using=[low])
    logs = proof("take the logarithm", rules.apply(Lambda(Z, log(Z)), strict, given, using=[above]))
    positive_mixed = rules.chain(above, strict, given=given)
    mixed = rules.definition(large, given, using=[positive_mixed])
    target = rules.lt(ALPHA * log(RATE) + (ALPHA - 1) * small, (ALPHA - 1) * large)
    return proof("in terms of divergences", rules.restate(target, logs, given, using=[base, mixed, low, positive_mixed]))


@recipe("yu-13", "Sampling does not reduce zCDP to leading order", "Yu et al. 2019, (13), where D_α(u₁‖u₀) = αρ")
def yu_13(proof: ProofSteps) -> Fact:
    """D_α(qu₁ + (1−q)u₀ ‖ u₀) > αρ + α/(α−1) log q when D_α(u₁‖u₀) = αρ."""
    given = (*GIVEN, RATE < 1)
    small, large = RenyiDivergence(ALPHA, UPPER[INDEX], q, OVER), RenyiDivergence(ALPHA, MIXED, q, OVER)
    premise = rules.hypothesis(Eq(small, ALPHA * RHO), GIVEN)
    divided = rules.scale(proof("(12)", yu_12().result), 1 / (ALPHA - 1), given)
    turned = rules.restate(Eq(ALPHA * RHO, small, evaluate=False), premise)
    lost = ALPHA / (ALPHA - 1) * log(RATE)
    smaller = proof("divide by α − 1", rules.restate(rules.lt(small + lost, large), divided, given))
    return proof("and D_α(u₁‖u₀) = αρ", rules.chain(rules.add(turned, rules.equality(lost, lost, given)), smaller))


@recipe(
    "sampling-quasi-convex",
    "Sampling does not increase the Rényi divergence, in both directions",
    "Yu et al. 2019, Appendix -C, (27) and (28)",
)
def sampling_quasi_convex(proof: ProofSteps) -> Fact:
    """D_α(ru + (1−r)v ‖ v) ≤ D_α(u ‖ v) and D_α(v ‖ ru + (1−r)v) ≤ D_α(v ‖ u), for α > 1, 0 < r ≤ 1 and laws of full support.

    z^α and z^{1−α} are convex: the moment of the mixture is at most r·G + (1−r)·1, and G ≥ 1.
    """
    given = (*GIVEN, RATE <= 1)
    with_record, without = family("u", "positive"), family("v", "positive")
    u, v = with_record[INDEX], without[INDEX]
    mixed, mean = RATE * u + (1 - RATE) * v, RATE * u / v + 1 - RATE
    shown, sign = rules.positive(mean, given), rules.positive(mixed, given)
    masses = [rules.hypothesis(sums_to_one(weights, OVER)) for weights in (with_record, without)]
    results = []
    for power, mixture, base in ((ALPHA, (mixed, v), (u, v)), (1 - ALPHA, (v, mixed), (v, u))):
        tangent = rules.convex_tangent(Z**power, Z, mean, given, using=[shown])
        parts = [rules.scale(rules.instance(tangent, {Z: at}, given), weight, given) for at, weight in ((u / v, RATE), (S.One, 1 - RATE))]
        term = mixture[0] ** ALPHA * mixture[1] ** (1 - ALPHA)
        one = base[0] ** ALPHA * base[1] ** (1 - ALPHA)
        each = rules.restate(rules.le(term, RATE * one + (1 - RATE) * v), rules.scale(rules.add(*parts), v), given, using=[shown, sign])
        total = Sum(one, OVER)
        summed = rules.restate(rules.le(Sum(term, OVER), RATE * total + (1 - RATE)), rules.sum_termwise(each, OVER), given, using=masses)
        known = moment_at_least_one(ALPHA, GIVEN)
        names = {str(family): family for family in known.statement.atoms(type(with_record))}
        low = rules.instance(known, {names["p"]: _family_of(base[0]), names["q"]: _family_of(base[1])}, GIVEN)
        least = rules.restate(rules.le(1, total), low, GIVEN, using=masses)
        rest = rules.scale(least, 1 - RATE, given)
        kept = rules.restate(rules.le(RATE * total + (1 - RATE), total), rest, given)
        moment = proof("the moment of the mixture", rules.chain(summed, kept, given=given))
        above = rules.positive(Sum(term, OVER), given)
        logs = rules.scale(rules.apply(Lambda(Z, log(Z)), moment, given, using=[above]), 1 / (ALPHA - 1), given)
        quantities = RenyiDivergence(ALPHA, *mixture, OVER), RenyiDivergence(ALPHA, *base, OVER)
        meaning = [rules.definition(quantities[0], given, using=[above]), rules.definition(quantities[1], given, using=[least])]
        results.append(proof("and its logarithm", rules.chain(meaning[0], logs, meaning[1], given=given)))
    return proof("both directions", rules.conjunction(*results))


def _family_of(member: Indexed) -> IndexedBase:
    return member.base
