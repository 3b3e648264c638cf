"""The order of the Rényi divergence of the sampled Gaussian at integer order λ: r²λ/(2σ²) below, and a constant times it above.

G = Σ_k w_k e^{k(k−1)/2σ²} with w_k = C(λ,k) r^k (1−r)^{λ−k}, and k(k−1)C(λ,k) = λ(λ−1)C(λ−2,k−2), so that Σ w_k k(k−1) = λ(λ−1)r²:

* **Below**, by the tangent of exp at the mean: e^{λ(λ−1)r²/2σ²} ≤ G, that is λr²/(2σ²) ≤ D_λ.
* **Above**, by e^x ≤ 1 + x e^x: G − 1 ≤ λ(λ−1)r²/(2σ²)·K, K = Σ_j C(λ−2,j) r^j (1−r)^{λ−2−j} e^{(j+1)(j+2)/2σ²}.
* For λ ≤ cσ² and λr ≤ aσ, K ≤ e^{a²(e^b−1)²/2} + e^{2b} with b = 1 + c/2, as in `moment_growth`, so that D_λ ≤ (λr²/2σ²)·K.
"""

from __future__ import annotations

from typing import Any

from sympy import Eq, Expr, Lambda, Le, S, Sum, Symbol, binomial, exp, log

from dpbounds.language.functions import SampledGaussianMoment, SampledGaussianRenyi
from dpbounds.language.symbols import real
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.sampling.moment_growth import EXPONENT as EXPONENT_OF_GROWTH
from dpbounds.theory.sampling.moment_growth import NOISE_SHARE, ORDER_SHARE, RADIUS, one_growth, power_below, rise_is_positive, sum_is_power
from dpbounds.theory.sampling.subsampled import ORDER, SAMPLING, SIGMA, TERM, sampled_gaussian_moment

GIVEN = (ORDER > 1, Le(SAMPLING, 1))
X, Z = real("x"), Symbol("z", positive=True)
EXPONENT = TERM * (TERM - 1) / (2 * SIGMA**2)
WEIGHT = binomial(ORDER, TERM) * SAMPLING**TERM * (1 - SAMPLING) ** (ORDER - TERM)
RANGE = (TERM, 0, ORDER)
REST = ORDER - 2
REST_WEIGHT = binomial(REST, TERM) * SAMPLING**TERM * (1 - SAMPLING) ** (REST - TERM)
GROWTH = exp((TERM + 1) * (TERM + 2) / (2 * SIGMA**2))
MEAN = ORDER * (ORDER - 1) * SAMPLING**2 / (2 * SIGMA**2)


def second_moment(value: Any) -> Fact:
    """Σ_{k=0}^{λ} w_k k(k−1) f(k) = λ(λ−1)r² Σ_{j=0}^{λ−2} C(λ−2,j) r^j (1−r)^{λ−2−j} f(j+2), for a function f of k."""
    given = (*GIVEN, ORDER >= 2)
    whole = Sum(WEIGHT * TERM * (TERM - 1) * value(TERM), RANGE)
    first = rules.first_term(whole, given)
    second = rules.first_term(Sum(whole.function, (TERM, 1, ORDER)), given)
    shifted = rules.shift_index(Sum(whole.function, (TERM, 2, ORDER)), 2, given)
    within = (*given, Le(TERM, REST))
    absorbed = [rules.absorption(ORDER, TERM + 2, given), rules.absorption(ORDER - 1, TERM + 1, given)]
    target = ORDER * (ORDER - 1) * SAMPLING**2 * REST_WEIGHT * value(TERM + 2)
    term = rules.equality(shifted.rhs.function, target, within, using=absorbed)
    total = rules.sum_termwise(term, (TERM, 0, REST))
    closed = ORDER * (ORDER - 1) * SAMPLING**2 * Sum(REST_WEIGHT * value(TERM + 2), (TERM, 0, REST))
    return rules.equality(whole, closed, given, using=[first, second, shifted, total])


EVERY = (*GIVEN, ORDER >= 2)
FLAT = exp(NOISE_SHARE**2 * (exp(EXPONENT_OF_GROWTH) - 1) ** 2 / 2)
REST_MOMENT = Sum(REST_WEIGHT * GROWTH, (TERM, 0, REST))


def _ones(order: Expr = ORDER) -> Fact:
    """Σ C(n,k) q^k (1−q)^{n−k} = 1."""
    return sum_is_power(SAMPLING, EVERY, S.One, order)


def _moment_as_sum() -> Fact:
    """Σ w_k e^{k(k−1)/2σ²} = G."""
    moment = sampled_gaussian_moment().result
    return rules.restate(Eq(moment.rhs, moment.lhs, evaluate=False), moment, EVERY)


@recipe("moment-jensen", "The moment of the sampled Gaussian at integer order, from below", "Yuchen 2019, on Claim 26")
def moment_jensen(proof: ProofSteps) -> Fact:
    """e^{λ(λ−1)q²/(2σ²)} ≤ G_λ for integer λ ≥ 2."""
    tangent = rules.convex_tangent(exp(X), X, MEAN)
    each = rules.scale(rules.instance(tangent, {X: EXPONENT}), WEIGHT, (*EVERY, Le(TERM, ORDER)))
    summed = proof("tangent at the mean, weighted", rules.sum_termwise(each, RANGE))
    factorial = second_moment(lambda k: 1)
    mean = proof(
        "the mean of k(k−1)", rules.chain(factorial, rules.equality(factorial.rhs, 2 * SIGMA**2 * MEAN, EVERY, using=[_ones(REST)]))
    )
    left = rules.add(rules.scale(_ones(), exp(MEAN) * (1 - MEAN)), rules.scale(mean, exp(MEAN) / (2 * SIGMA**2)))
    whole = rules.chain(left, summed, _moment_as_sum(), given=EVERY)
    return proof("the moment", rules.restate(rules.le(exp(MEAN), whole.rhs), whole))


@recipe("sampled-gaussian-renyi-below", "D_λ of the sampled Gaussian is at least r²λ/(2σ²)", "Yuchen 2019, on Claim 26")
def sampled_gaussian_renyi_below(proof: ProofSteps) -> Fact:
    """λq²/(2σ²) ≤ D_λ for integer λ ≥ 2."""
    low = proof("the moment", moment_jensen().result)
    logs = rules.scale(rules.apply(Lambda(Z, log(Z)), low, EVERY), 1 / (ORDER - 1), EVERY)
    target = rules.le(ORDER * SAMPLING**2 / (2 * SIGMA**2), log(low.rhs) / (ORDER - 1))
    plain = rules.restate(target, logs, EVERY, using=[low])
    return proof("take the logarithm", rules.chain(plain, _renyi(low), given=EVERY))


def _renyi(low: Fact) -> Fact:
    """log(G_λ)/(λ−1) = D_λ."""
    moment, quantity = SampledGaussianMoment(ORDER, SIGMA, SAMPLING), SampledGaussianRenyi(ORDER, SIGMA, SAMPLING)
    known = rules.definition(moment, EVERY)
    shown = rules.chain(rules.positive(low.lhs), low, known)
    defined = rules.definition(quantity, EVERY, using=[shown])
    return rules.equality(log(moment) / (ORDER - 1), quantity, EVERY, using=[known, defined, low, shown])


@recipe("moment-second-order", "The moment of the sampled Gaussian at integer order, from above", "Yuchen 2019, on Claim 26")
def moment_second_order(proof: ProofSteps) -> Fact:
    """G_λ ≤ 1 + λ(λ−1)q²/(2σ²)·Σ_j C(λ−2,j) q^j (1−q)^{λ−2−j} e^{(j+1)(j+2)/2σ²}, for integer λ ≥ 2."""
    at = rules.instance(rules.convex_tangent(exp(X), X, EXPONENT), {X: S.Zero})
    curve = rules.restate(rules.le(exp(EXPONENT), 1 + EXPONENT * exp(EXPONENT)), at)
    each = rules.scale(curve, WEIGHT, (*EVERY, Le(TERM, ORDER)))
    summed = proof("e^x ≤ 1 + x e^x, weighted", rules.sum_termwise(each, RANGE))
    factorial = proof("k(k−1)C(λ,k) = λ(λ−1)C(λ−2,k−2)", second_moment(lambda k: exp(k * (k - 1) / (2 * SIGMA**2))))
    right = rules.add(_ones(), rules.scale(factorial, 1 / (2 * SIGMA**2)))
    whole = rules.chain(sampled_gaussian_moment().result, summed, right, given=EVERY)
    return proof("the moment", rules.restate(rules.le(whole.lhs, 1 + MEAN * REST_MOMENT), whole, EVERY))


@recipe("sampled-gaussian-renyi-above", "D_λ of the sampled Gaussian is O(r²λ/σ²)", "Yuchen 2019, Claim 26, at integer order")
def sampled_gaussian_renyi_above(proof: ProofSteps) -> Fact:
    """D_λ ≤ λq²/(2σ²)·(e^{a²(e^b−1)²/2} + e^{2b}), b = 1 + c/2, for integer λ ≥ 2, λ ≤ cσ² and λq ≤ aσ."""
    given = (*GIVEN, Le(ORDER, ORDER_SHARE * SIGMA**2), Le(ORDER * SAMPLING, NOISE_SHARE * SIGMA))
    every = (*given, ORDER >= 2)
    radius = NOISE_SHARE * (exp(EXPONENT_OF_GROWTH) - 1)
    grown = rules.instance(one_growth(proof), {TERM: TERM + 2, RADIUS: radius}, every, [rise_is_positive()])
    term = rules.scale(grown, REST_WEIGHT, (*every, Le(TERM, REST)))
    summed = rules.sum_termwise(term, (TERM, 0, REST))
    rise = exp(EXPONENT_OF_GROWTH)
    powers = sum_is_power(SAMPLING * rise, every, (1 - SAMPLING + SAMPLING * rise) ** REST, REST)
    two = FLAT + rise**2 * (1 - SAMPLING + SAMPLING * rise) ** REST * exp(-radius * SIGMA)
    parts = rules.add(rules.scale(_ones(REST), FLAT), rules.scale(powers, rise**2 * exp(-radius * SIGMA)))
    bounded = rules.scale(power_below(REST, (*given, ORDER >= 2)), rise**2 * exp(-radius * SIGMA))
    last = rules.restate(rules.le(two, FLAT + rise**2), bounded, every)
    rest = proof("the remaining moment is bounded", rules.chain(summed, parts, last, given=every))
    known = rules.scale(rest, MEAN, every)
    moment = rules.chain(
        moment_second_order().result, rules.restate(rules.le(1 + MEAN * REST_MOMENT, 1 + MEAN * known.rhs / MEAN), known, every)
    )
    excess = MEAN * (FLAT + rise**2)
    tangent = rules.instance(rules.convex_tangent(exp(X), X, 0), {X: excess})
    raised = proof(
        "1 + x ≤ e^x",
        rules.chain(
            rules.restate(rules.le(moment.lhs, 1 + excess), moment, every), rules.restate(rules.le(1 + excess, exp(excess)), tangent)
        ),
    )
    low = moment_jensen().result
    shown = rules.chain(rules.positive(low.lhs), low)
    logs = rules.scale(rules.apply(Lambda(Z, log(Z)), raised, every, using=[shown]), 1 / (ORDER - 1), every)
    bound = ORDER * SAMPLING**2 / (2 * SIGMA**2) * (FLAT + rise**2)
    plain = rules.restate(rules.le(log(moment.lhs) / (ORDER - 1), bound), logs, every, using=[shown])
    return proof("take the logarithm", rules.chain(_renyi(low), plain, given=every))
