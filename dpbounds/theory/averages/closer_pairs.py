"""Where averages of closer pairs do stay closer: true relatives of the blog's Conjecture 1.

* one kernel: D_λ(Kμ ‖ Kν) ≤ D_λ(μ ‖ ν), so if every (p_j, q_j) is (Kμ_j, Kν_j) with one K, the averages are too;
* one bound: D_λ(p_j ‖ q_j) ≤ ρ for all j bounds every mixture, D_λ(Σ w_j p_j ‖ Σ w_j q_j) ≤ ρ: part 1 of Claim 26 for Poisson sampling,
  where the batch of the other records is the index j and each pair is a shifted copy of (rN(1,σ²)+(1−r)N(0,σ²), N(0,σ²));
* ordered moments: for integer λ, (p, q), (q, q) against (μ, ν), (ν, ν) with weights r, 1−r, if G_k(p‖q) ≤ G_k(μ‖ν) for k ≤ λ.
"""

from __future__ import annotations

from sympy import Eq, Lambda, Sum, Symbol, log

from dpbounds.language.functions import RenyiDivergence
from dpbounds.language.quantifiers import ForAll, for_each
from dpbounds.language.symbols import family, index, nonnegative, positive_integer, sums_to_one
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.averages.averages import GIVEN, mean_of, moment_below
from dpbounds.theory.averages.power_means import LAMBDA
from dpbounds.theory.sampling.subsampled import INDEX, ORDER, RATE, SIZE, TERM, P, Q, subsampled_moment

BEFORE, AFTER = index("h"), index("y")
STATES, OUTPUTS = positive_integer("m"), positive_integer("n")
OVER_STATES, OVER = (BEFORE, 1, STATES), (AFTER, 1, OUTPUTS)
MU, NU, KERNEL = family("mu", "positive"), family("nu", "positive"), family("K", "positive")
RHO = nonnegative("rho")
WEIGHTS, LEFT, RIGHT = family("w", "positive"), family("p", "positive"), family("q", "positive")
Z = Symbol("z", positive=True)


def _moment(p: object, q: object, over: tuple[object, ...]) -> Sum:
    return Sum(p**LAMBDA * q ** (1 - LAMBDA), over)


@recipe("renyi-data-processing", "A kernel does not increase the Rényi divergence", "van Erven & Harremoës 2014, Theorem 1")
def renyi_data_processing(proof: ProofSteps) -> Fact:
    """D_λ(Σ_h μ_h K_h ‖ Σ_h ν_h K_h) ≤ D_λ(μ ‖ ν) for λ > 1 and a kernel K from m to n outcomes."""
    h, y = BEFORE, AFTER
    mu, nu, kernel = MU[h], NU[h], KERNEL[h, y]
    each = proof("Claim 25 at every output", mean_of(mu * kernel, nu * kernel, h, STATES))
    summed = rules.sum_termwise(each, OVER)
    row = rules.specialize(rules.hypothesis(for_each(OVER_STATES, Eq(Sum(kernel, OVER), 1))), h, [h <= STATES])
    weight = mu**LAMBDA * nu ** (1 - LAMBDA)
    total = rules.sum_termwise(rules.scale(row, weight, GIVEN), OVER_STATES)
    moment = proof("rows sum to one", rules.chain(summed, total, given=GIVEN))
    out = [Sum(weights * kernel, OVER_STATES) for weights in (mu, nu)]
    shown = rules.positive(moment.lhs, GIVEN)
    above = rules.positive(moment.rhs, GIVEN)
    logs = rules.scale(rules.apply(Lambda(Z, log(Z)), moment, GIVEN, using=[shown]), 1 / (LAMBDA - 1), GIVEN)
    quantities = RenyiDivergence(LAMBDA, out[0], out[1], OVER), RenyiDivergence(LAMBDA, mu, nu, OVER_STATES)
    meaning = [rules.definition(quantity, GIVEN, using=[fact]) for quantity, fact in zip(quantities, (shown, above), strict=True)]
    return proof("take the logarithm", rules.restate(rules.le(*quantities), logs, GIVEN, using=meaning))


@recipe(
    "renyi-of-mixtures",
    "A bound on every pair bounds every mixture",
    "van Erven & Harremoës 2014, Theorem 13; Yuchen 2019, Claim 26, part 1",
)
def renyi_of_mixtures(proof: ProofSteps) -> Fact:
    """D_λ(p_j ‖ q_j) ≤ ρ for all j gives D_λ(Σ w_j p_j ‖ Σ w_j q_j) ≤ ρ for weights w_j > 0 that sum to one, λ > 1."""
    j, y = BEFORE, AFTER
    w, p, q = WEIGHTS[j], LEFT[j, y], RIGHT[j, y]
    each = rules.sum_termwise(proof("Claim 25 at every output", mean_of(w * p, w * q, j, STATES)), OVER)
    within = [j <= STATES]
    sums = tuple(rules.specialize(rules.hypothesis(for_each(OVER_STATES, Eq(Sum(weights, OVER), 1))), j, within) for weights in (p, q))
    close = rules.hypothesis(for_each(OVER_STATES, RenyiDivergence(LAMBDA, p, q, OVER) <= RHO))
    one = moment_below(rules.specialize(close, j, [*within, *GIVEN]), p, q, sums, OVER)
    total = rules.sum_termwise(rules.scale(one, w), OVER_STATES)
    mass = rules.hypothesis(sums_to_one(WEIGHTS, OVER_STATES))
    power = w * p**LAMBDA * q ** (1 - LAMBDA)
    plain = rules.equality(each.rhs, Sum(Sum(power, OVER_STATES), OVER), GIVEN)
    swapped = rules.equality(plain.rhs, Sum(Sum(power, OVER), OVER_STATES), GIVEN)
    outside = rules.equality(swapped.rhs, total.lhs, GIVEN)
    through = rules.chain(each, plain, swapped, outside, total, given=GIVEN)
    moment = proof("the moment", rules.restate(rules.le(each.lhs, one.rhs), through, GIVEN, using=[mass]))
    mixed = [Sum(w * weights, OVER_STATES) for weights in (p, q)]
    shown = rules.positive(moment.lhs, GIVEN)
    logs = rules.scale(rules.apply(Lambda(Z, log(Z)), moment, GIVEN, using=[shown]), 1 / (LAMBDA - 1), GIVEN)
    quantity = RenyiDivergence(LAMBDA, mixed[0], mixed[1], OVER)
    defined = rules.definition(quantity, GIVEN, using=[shown])
    return proof("take the logarithm", rules.restate(rules.le(quantity, RHO), logs, GIVEN, using=[defined]))


@recipe("ordered-moments", "Sampling keeps the order of all moments up to λ", "Yuchen 2019, Claim 27 and Conjecture 1, a true case")
def ordered_moments(proof: ProofSteps) -> Fact:
    """G_k(p‖q) ≤ G_k(μ‖ν) for 0 ≤ k ≤ λ gives G_λ(rp+(1−r)q ‖ q) ≤ G_λ(rμ+(1−r)ν ‖ ν), for integer λ > 1 and 0 ≤ r ≤ 1."""
    given = (ORDER > 1, RATE <= 1)
    i, over = INDEX, (INDEX, 1, SIZE)
    left, right = family("mu"), family("nu", "positive")
    known = proof("the binomial sum", subsampled_moment().result)
    other = rules.instance(known, {P: left, Q: right}, given)
    base = [Sum(a[i] ** TERM * b[i] ** (1 - TERM), over) for a, b in ((P, Q), (left, right))]
    premise = rules.hypothesis(ForAll(TERM, TERM <= ORDER, rules.le(*base)))
    within = (*given, TERM <= ORDER)
    weight = known.rhs.function / base[0]
    term = rules.scale(rules.specialize(premise, TERM, [TERM <= ORDER]), weight, within)
    summed = proof("term by term", rules.sum_termwise(term, (TERM, 0, ORDER)))
    return proof(
        "the moments", rules.chain(known, summed, rules.restate(Eq(other.rhs, other.lhs, evaluate=False), other, given), given=given)
    )
