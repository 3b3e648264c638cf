"""From Rényi divergence to (ε, δ): Chernoff bounds on the hockey-stick divergence, over families of any length.

Everything holds for distributions p ≥ 0, q > 0 on n outcomes, n arbitrary. An outcome with q = 0 < p makes the divergence infinite.
"""

from __future__ import annotations

from typing import Any

from sympy import Expr, Function, Ge, Lambda, Symbol, exp, log, oo, sqrt, true

from dpbounds.language.functions import HockeyStick, Infimum, LossTail, RenyiDivergence, RenyiMoment, Supremum
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.symbols import family, index, nonnegative, positive, positive_integer, real, sums_to_one
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.averages.power_means import LAMBDA, power_mean
from dpbounds.theory.conversion.constrained import DELTA, GIVEN, LIMIT, LOSS, RHO, THRESHOLD, closed_form, threshold_as_order

ALPHA, T = positive("alpha t")
EPSILON, CEILING = real("epsilon c")
SIZE = positive_integer("n")
INDEX = index("i")
OVER = (INDEX, 1, SIZE)
P = family("p")
Q = family("q", "positive")
p, q = P[INDEX], Q[INDEX]
MASS, BASE = nonnegative("a"), positive("b")
DISTRIBUTIONS = (sums_to_one(P, OVER), sums_to_one(Q, OVER))


def sharp_constant(t: Expr) -> Expr:
    """t^t/(1+t)^{1+t}, the largest value of (1−y)·y^t on [0, 1]."""
    return t**t / (1 + t) ** (1 + t)


def excess(proof: ProofSteps) -> Fact:
    """max(a − e^ε b, 0) ≤ c·e^{−tε}·a^{1+t}·b^{−t} with the sharp constant c, for a ≥ 0, b > 0, t > 0.

    The tangent of x^{1+t} at x = (1+t)/t, multiplied by c, is exactly x − 1.
    """
    x = Symbol("x", nonnegative=True)
    tangent = proof("tangent of x^(1+t) at (1+t)/t", rules.convex_tangent(x ** (1 + T), x, (1 + T) / T))
    multiplied = rules.scale(tangent, sharp_constant(T))
    line = proof("times the constant it is x − 1", rules.restate(rules.le(x - 1, sharp_constant(T) * x ** (1 + T)), multiplied))
    at_ratio = rules.instance(line, {x: MASS / (exp(EPSILON) * BASE)})
    right = sharp_constant(T) * exp(-T * EPSILON) * MASS ** (1 + T) * BASE ** (-T)
    stretched = rules.scale(at_ratio, exp(EPSILON) * BASE)
    first = proof("at x = a/(e^ε b), times e^ε b", rules.restate(rules.le(MASS - exp(EPSILON) * BASE, right), stretched))
    return proof("the positive part", rules.maximum(first, rules.nonnegative(right)))


@recipe(
    "sharp-delta",
    "δ(ε) from one moment, with the sharp constant",
    "Canonne, Kamath & Steinke 2020, Proposition 12; Balle et al. 2020, Theorem 21",
)
def sharp_delta(proof: ProofSteps) -> Fact:
    """δ(ε) ≤ t^t/(1+t)^{1+t} · e^{−tε} · G_{1+t}(p‖q) for t > 0 and every real ε."""
    summed = proof("sum over the outcomes", rules.sum_termwise(rules.instance(excess(proof), {MASS: p, BASE: q}), OVER))
    quantity, moment = HockeyStick(EPSILON, p, q, OVER), RenyiMoment(1 + T, p, q, OVER)
    whole = rules.chain(rules.definition(quantity), summed)
    target = quantity <= sharp_constant(T) * exp(-T * EPSILON) * moment
    return proof("the hockey-stick divergence", rules.restate(target, whole, using=[rules.definition(moment)]))


def constant_below_one() -> Fact:
    """t^t/(1+t)^{1+t} ≤ 1, since (t/(1+t))^t ≤ 1 and 1/(1+t) ≤ 1."""
    x = Symbol("x", real=True)
    ratio = rules.sign(rules.le(T / (1 + T), 1))
    power = rules.apply(Lambda(x, x**T), ratio)
    small = rules.sign(rules.le(1 / (1 + T), 1))
    return rules.restate(rules.le(sharp_constant(T), 1), rules.multiply(power, small))


@recipe("chernoff-delta", "δ(ε) from one moment", "Yuchen 2019, Claim 20; Mironov 2017, Proposition 3")
def chernoff_delta(proof: ProofSteps) -> Fact:
    """δ(ε) ≤ e^{−tε}·G_{1+t}(p‖q) for t > 0."""
    sharp = proof("with the sharp constant", sharp_delta().result)
    small = proof("the constant is at most one", constant_below_one())
    moment = RenyiMoment(1 + T, p, q, OVER)
    shown = rules.restate(rules.le(0, moment), rules.nonnegative(moment.definition()), using=[rules.definition(moment)])
    looser = rules.scale(small, exp(-T * EPSILON) * moment, using=[shown])
    return proof("drop the constant", rules.restate(sharp.lhs <= exp(-T * EPSILON) * moment, rules.chain(sharp, looser)))


@recipe("chernoff-tail", "Tail of the privacy loss from one moment", "Yuchen 2019, (7.7)")
def chernoff_tail(proof: ProofSteps) -> Fact:
    """Pr(L > ε) ≤ e^{−tε}·G_{1+t}(p‖q) for t > 0."""
    quantity, moment = LossTail(EPSILON, p, q, OVER), RenyiMoment(1 + T, p, q, OVER)
    x = Symbol("x", nonnegative=True)
    right = exp(-T * EPSILON) * p ** (1 + T) * q ** (-T)
    indicator = quantity.definition().function
    condition = indicator.args[0][1]
    above = rules.restate(rules.le(1, p / (exp(EPSILON) * q)), rules.scale(rules.hypothesis(condition), exp(-EPSILON) / q))
    powered = rules.apply(Lambda(x, x**T), above)
    inside = proof("where the loss exceeds ε", rules.restate(rules.le(p, right), rules.scale(powered, p)))
    one = rules.chain(rules.branch(indicator, 0, [condition]), inside)
    other = rules.chain(rules.branch(indicator, 1, [condition.negated]), rules.nonnegative(right))
    term = proof("for every outcome", rules.cases(one, other, over=condition))
    whole = rules.chain(rules.definition(quantity), rules.sum_termwise(term, OVER))
    return proof("sum over the outcomes", rules.restate(quantity <= exp(-T * EPSILON) * moment, whole, using=[rules.definition(moment)]))


def moment_at_least_one(order: Expr, given: tuple[Any, ...]) -> Fact:
    """1 ≤ Σ p^α q^{1−α} for distributions: it is at least (Σp)^α (Σq)^{1−α} = 1."""
    mean = power_mean().result
    moved = rules.instance(mean, {LAMBDA: order}, given)
    whole = [rules.hypothesis(statement) for statement in DISTRIBUTIONS]
    return rules.chain(rules.equality(1, moved.lhs, given, using=whole), moved)


def _divergence_as_moment(order: Expr, given: tuple[Any, ...]) -> tuple[Fact, Fact]:
    """D_α = log G_α/(α−1), and 1 ≤ Σ p^α q^{1−α}, which makes the logarithm defined."""
    low = moment_at_least_one(order, given)
    return rules.definition(RenyiDivergence(order, p, q, OVER), given, using=[low]), low


def moment_bound(divergence: Fact, order: Expr, given: tuple[Any, ...]) -> Fact:
    """From D_α ≤ r, the moment: Σ p^α q^{1−α} ≤ e^{(α−1)r}."""
    defined, low = _divergence_as_moment(order, given)
    x = Symbol("x", real=True)
    logs = rules.scale(rules.chain(defined, divergence, given=given, using=[low]), order - 1, given)
    powered = rules.apply(Lambda(x, exp(x)), logs, given)
    moment = low.rhs
    back = rules.equality(moment, powered.lhs, given, using=[low])
    return rules.chain(back, powered)


def delta_from_divergence(divergence: Fact, order: Expr, epsilon: Expr, given: tuple[Any, ...]) -> Fact:
    """From D_α(p‖q) ≤ r, the hockey-stick divergence: δ(ε) ≤ e^{(α−1)(r−ε)}."""
    bound = moment_bound(divergence, order, given)
    general = rules.instance(chernoff_delta().result, {T: order - 1, EPSILON: epsilon}, given)
    weight = exp(-(order - 1) * epsilon)
    moment = RenyiMoment(order, p, q, OVER)
    rewritten = rules.restate(general.lhs <= weight * bound.lhs, general, given, using=[rules.definition(moment, given)])
    return rules.chain(rewritten, rules.scale(bound, weight, given), given=given)


@recipe("rdp-to-delta", "δ from one Rényi divergence", "Yuchen 2019, Claim 21.1; Mironov 2017, Proposition 3")
def rdp_to_delta(proof: ProofSteps) -> Fact:
    """D_λ(p‖q) ≤ ρ gives δ(ε) ≤ e^{(λ−1)(ρ−ε)}, for λ > 1."""
    given = (LAMBDA > 1,)
    premise = rules.hypothesis(RenyiDivergence(LAMBDA, p, q, OVER) <= RHO, given)
    proof("the moment", moment_bound(premise, LAMBDA, given))
    bound = delta_from_divergence(premise, LAMBDA, EPSILON, given)
    return proof("the hockey-stick divergence", rules.restate(bound.lhs <= exp((LAMBDA - 1) * (RHO - EPSILON)), bound, given))


@recipe("rdp-to-epsilon", "ε from one Rényi divergence", "Yuchen 2019, Claim 21.3; Mironov 2017, Proposition 3")
def rdp_to_epsilon(proof: ProofSteps) -> Fact:
    """D_λ(p‖q) ≤ ρ gives δ(ρ + log(1/δ)/(λ−1)) ≤ δ, for λ > 1 and δ > 0."""
    given = (LAMBDA > 1,)
    epsilon = RHO + LOSS / (LAMBDA - 1)
    premise = rules.hypothesis(RenyiDivergence(LAMBDA, p, q, OVER) <= RHO, given)
    bound = proof("at this ε", delta_from_divergence(premise, LAMBDA, epsilon, given))
    return proof("the exponent is log δ", rules.restate(bound.lhs <= DELTA, bound, given))


def _at_order(
    proof: ProofSteps, premise: Fact, order: Expr, epsilon: Expr, given: tuple[Any, ...], using: tuple[Fact, ...], name: str
) -> Fact:
    """δ(ε) ≤ δ from D_α ≤ αρ at one order α, for ε = αρ + log(1/δ)/(α−1)."""
    divergence = rules.specialize(premise, order, given, using)
    bound = delta_from_divergence(divergence, order, epsilon, given)
    return proof(name, rules.restate(bound.lhs <= DELTA, bound, given))


@recipe("theorem-3", "(ε, δ) from Rényi divergence αρ on a limited range of orders", "Yu et al. 2019, Theorem 3")
def theorem_3(proof: ProofSteps) -> Fact:
    """D_α(p‖q) ≤ αρ for all 1 < α ≤ u gives δ(ε) ≤ δ, with ε = ρ + 2√(ρ log 1/δ) if δ ≥ e^{−ρ(u−1)²} and ρu − log δ/(u−1) otherwise."""
    closed, condition = closed_form(), Ge(DELTA, THRESHOLD)
    premise = rules.hypothesis(ForAll(ALPHA, (ALPHA > 1) & (ALPHA <= LIMIT), RenyiDivergence(ALPHA, p, q, OVER) <= ALPHA * RHO))
    x = Symbol("x", real=True)
    s = sqrt(LOSS / RHO)
    below = threshold_as_order(GIVEN, large=True)
    inside = rules.restate(rules.le(1 + s, LIMIT), rules.apply(Lambda(x, sqrt(x)), rules.scale(below, 1 / RHO, GIVEN), GIVEN), GIVEN)
    proof("above the threshold the best order is allowed", inside)
    first = _at_order(proof, premise, 1 + s, RHO + 2 * sqrt(RHO * LOSS), GIVEN, (inside,), "at the order 1 + √(log(1/δ)/ρ)")
    second = _at_order(proof, premise, LIMIT, RHO * LIMIT - log(DELTA) / (LIMIT - 1), GIVEN, (), "at the order u")
    target = HockeyStick(closed, p, q, OVER) <= DELTA
    one = rules.restate(target, first, [*GIVEN, condition], using=[rules.branch(closed, 0, [*GIVEN, condition])])
    two = rules.restate(target, second, [*GIVEN, condition.negated], using=[rules.branch(closed, 1, [*GIVEN, condition.negated])])
    return proof("both cases", rules.cases(one, two, over=condition))


@recipe("claim-20", "δ(ε) is at most the infimum of the Chernoff bounds", "Yuchen 2019, Claim 20, one direction")
def claim_20(proof: ProofSteps) -> Fact:
    """δ(ε) ≤ inf_{t>0} e^{−tε} Σ p^{1+t} q^{−t}; for distributions this is e^{−κ*(ε)}, see `claim-20-legendre`."""
    bound = proof("for every t", chernoff_delta().result)
    moment = RenyiMoment(1 + T, p, q, OVER)
    plain = rules.restate(rules.le(bound.lhs, exp(-T * EPSILON) * moment.definition()), bound, using=[rules.definition(moment)])
    return proof("the infimum", rules.bound_extremum(Infimum(plain.rhs, (T, 0, oo)), plain))


@recipe("claim-20-legendre", "δ(ε) is at most e^{−κ*(ε)}", "Yuchen 2019, Claim 20, one direction")
def claim_20_legendre(proof: ProofSteps) -> Fact:
    """δ(ε) ≤ exp(−κ*(ε)) where κ*(ε) = sup_{t>0}(εt − κ(t)) is finite, κ(t) = log Σ p^{1+t} q^{−t}, for distributions p and q."""
    bound = proof("for every t", chernoff_delta().result)
    low = moment_at_least_one(1 + T, ())
    loss = EPSILON * T - log(low.rhs)
    moment = RenyiMoment(1 + T, p, q, OVER)
    each = rules.restate(rules.le(bound.lhs, exp(-loss)), bound, using=[rules.definition(moment), low])
    return delta_from_transform(proof, each, loss, bounded_above(loss, low), low)


def delta_at_each_order(proof: ProofSteps, kappa: Any, limit: Any = true) -> Fact:
    """From log Σ p^{1+t} q^{−t} ≤ κ(t) for all t > 0, the bound δ(ε) ≤ e^{−(εt − κ(t))} at every t."""
    low = moment_at_least_one(1 + T, ())
    premise = rules.hypothesis(ForAll(T, limit, rules.le(log(low.rhs), kappa(T))))
    x = Symbol("x", real=True)
    raised = rules.apply(Lambda(x, exp(x)), rules.specialize(premise, T, using=[low]), using=[low])
    moment = proof("the moment", rules.chain(rules.equality(low.rhs, raised.lhs, using=[low]), raised))
    known = chernoff_delta().result
    defined = rules.definition(RenyiMoment(1 + T, p, q, OVER))
    bound = rules.restate(rules.le(known.lhs, exp(-T * EPSILON) * low.rhs), known, using=[defined])
    loss = EPSILON * T - kappa(T)
    return proof("for every t", rules.restate(rules.le(bound.lhs, exp(-loss)), rules.chain(bound, rules.scale(moment, exp(-T * EPSILON)))))


def delta_from_cumulants(proof: ProofSteps, kappa: Any, limit: Any = true) -> Fact:
    """From log Σ p^{1+t} q^{−t} ≤ κ(t) for all t > 0, the bound δ(ε) ≤ exp(−sup_{t>0}(εt − κ(t))), for a quadratic κ."""
    each, loss = delta_at_each_order(proof, kappa, limit), EPSILON * T - kappa(T)
    best = proof("the infimum over t", rules.bound_extremum(Infimum(exp(-loss), (T, 0, oo)), each))
    return proof("the Legendre transform", rules.chain(best, rules.exponential_extremum(Supremum(loss, (T, 0, oo)))))


def bounded_above(function: Expr, *using: Fact) -> Fact:
    """f(t) ≤ c for all t > 0, a premise: sup f is finite."""
    return rules.specialize(rules.hypothesis(ForAll(T, true, rules.le(function, CEILING))), T, using=using)


def delta_from_transform(proof: ProofSteps, each: Fact, loss: Expr, finite: Fact, *shown: Fact) -> Fact:
    """From δ ≤ e^{−f(t)} for all t > 0, the bound δ ≤ e^{−sup f} where sup f is finite: f ≤ −log δ if δ > 0."""
    delta, best = each.lhs, Supremum(loss, (T, 0, oo))
    target, some = rules.le(delta, exp(-best)), rules.lt(0, delta)
    x, z = Symbol("x", real=True), Symbol("z", positive=True)
    logs = rules.apply(Lambda(z, log(z)), each, [some], using=shown)
    under = proof("t by t, where δ is not 0", rules.restate(rules.le(loss, -log(delta)), logs, [some], using=shown))
    raised = rules.apply(Lambda(x, exp(-x)), rules.bound_extremum(best, under, [some]), [some], using=shown)
    one = rules.restate(target, raised, [some], using=[finite, *shown])
    none = rules.chain(rules.hypothesis(some.negated), rules.sign(rules.le(0, exp(-best)), using=shown))
    two = rules.restate(target, none, using=[finite, *shown])
    return proof("the Legendre transform", rules.cases(one, two, over=some))


@recipe("claim-21-2", "δ(ε) is at most e^{−κ*(ε)} for any bound κ on the cumulants", "Yuchen 2019, Claim 21.2, with the sign corrected")
def claim_21_2(proof: ProofSteps) -> Fact:
    """log Σ p^{1+t} q^{−t} ≤ κ(t) for all t > 0 gives δ(ε) ≤ exp(−κ*(ε)) where κ*(ε) = sup_{t>0}(εt − κ(t)) is finite."""
    kappa = Function("kappa", real=True)
    loss = EPSILON * T - kappa(T)
    return delta_from_transform(proof, delta_at_each_order(proof, kappa), loss, bounded_above(loss))


@recipe("claim-21-2-every-t", "δ(ε) is at most e^{κ(t) − εt} for any bound κ on the cumulants", "Yuchen 2019, Claim 21.2, at each t")
def claim_21_2_every_t(proof: ProofSteps) -> Fact:
    """log Σ p^{1+t} q^{−t} ≤ κ(t) for all t > 0 gives δ(ε) ≤ e^{κ(t) − εt} for every t > 0; so δ(ε) = 0 where κ*(ε) is infinite."""
    return delta_at_each_order(proof, Function("kappa", real=True))
