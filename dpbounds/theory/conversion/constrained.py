"""Theorem 3 of Yu et al.: the best conversion from Rényi divergence when the order is limited, by constrained minimisation."""

from __future__ import annotations

from sympy import Expr, Ge, Lambda, Piecewise, Symbol, exp, log, sqrt

from dpbounds.language.functions import Infimum
from dpbounds.language.symbols import positive
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact

RHO, DELTA, LIMIT = positive("rho delta u")
ALPHA = positive("alpha")
GIVEN = (DELTA < 1, LIMIT > 1)
LOSS = log(1 / DELTA)
THRESHOLD = exp(-RHO * (LIMIT - 1) ** 2)


def bound_at(alpha: Expr) -> Expr:
    """ε for one order: αρ + log(1/δ)/(α−1)."""
    return alpha * RHO + LOSS / (alpha - 1)


def closed_form() -> Piecewise:
    """ρ + 2√(ρ log 1/δ) when δ ≥ e^{−ρ(u−1)²}, and ρu − log δ/(u−1) otherwise."""
    return Piecewise((RHO + 2 * sqrt(RHO * LOSS), Ge(DELTA, THRESHOLD)), (RHO * LIMIT - log(DELTA) / (LIMIT - 1), True))


def threshold_as_order(given: tuple[object, ...], large: bool) -> Fact:
    """The threshold on δ says where the stationary order 1 + √(log(1/δ)/ρ) lies: log(1/δ) ≤ ρ(u−1)², or the reverse."""
    condition = Ge(DELTA, THRESHOLD)
    side = rules.hypothesis(condition if large else condition.negated)
    x = Symbol("x", real=True)
    logs = rules.apply(Lambda(x, log(x)), side, given)
    bound = RHO * (LIMIT - 1) ** 2
    return rules.restate(rules.le(LOSS, bound) if large else rules.le(bound, LOSS), logs, given)


def interior_minimum(proof: ProofSteps) -> tuple[Fact, Fact, Fact]:
    """For δ above the threshold: 1 + s ≤ u, the bound on the whole interval, the value at 1 + s; s = √(log(1/δ)/ρ)."""
    given = (*GIVEN, Ge(DELTA, THRESHOLD))
    s = sqrt(LOSS / RHO)
    below = proof("above the threshold", threshold_as_order(GIVEN, large=True))
    x = Symbol("x", real=True)
    rooted = rules.apply(Lambda(x, sqrt(x)), rules.scale(below, 1 / RHO, GIVEN), GIVEN)
    inside = proof("the stationary order is allowed", rules.restate(rules.le(1 + s, LIMIT), rooted, GIVEN))
    factored = RHO * (ALPHA - 1 - s) ** 2 * (ALPHA - 1 + s) / (ALPHA - 1) ** 2
    falls = rules.minimum(bound_at(ALPHA), ALPHA, 1 + s, given, [ALPHA > 1, ALPHA <= LIMIT], using=[inside], factored=factored)
    value = rules.equality(bound_at(1 + s), RHO + 2 * sqrt(RHO * LOSS), GIVEN)
    return inside, proof("the minimum is at the stationary order", rules.chain(rules.equality(value.rhs, value.lhs, GIVEN), falls)), value


def _boundary_minimum(proof: ProofSteps) -> tuple[Fact, Fact]:
    """For δ below the threshold: the bound on the whole interval, the value at the limit u."""
    given = (*GIVEN, Ge(DELTA, THRESHOLD).negated)
    above = proof("below the threshold", threshold_as_order(GIVEN, large=False))
    nearer = rules.sign(rules.le((ALPHA - 1) ** 2, (LIMIT - 1) ** 2), [*GIVEN, ALPHA > 1, ALPHA <= LIMIT])
    steep = rules.chain(rules.scale(nearer, RHO), above)
    factored = (LOSS - RHO * (ALPHA - 1) ** 2) * (LIMIT - ALPHA) / (ALPHA - 1) ** 2
    falls = rules.minimum(bound_at(ALPHA), ALPHA, LIMIT, given, [ALPHA > 1, ALPHA <= LIMIT], using=[steep], factored=factored)
    value = rules.equality(bound_at(LIMIT), RHO * LIMIT - log(DELTA) / (LIMIT - 1), GIVEN)
    return proof("the bound falls up to the limit", rules.chain(rules.equality(value.rhs, value.lhs, GIVEN), falls)), value


@recipe("constrained-order", "The best ε from Rényi divergence αρ on a limited range of orders", "Yu et al. 2019, Theorem 3")
def constrained_order(proof: ProofSteps) -> Fact:
    """inf over 1 < α ≤ u of αρ + log(1/δ)/(α−1), as a closed form with its threshold; 0 < δ < 1 < u, ρ > 0."""
    closed, condition = closed_form(), Ge(DELTA, THRESHOLD)
    quantity = Infimum(bound_at(ALPHA), (ALPHA, 1, LIMIT))
    inside, low, value = interior_minimum(proof)
    stationary = 1 + sqrt(LOSS / RHO)
    first = rules.infimum(quantity, low, value, stationary, (*GIVEN, condition), using=[inside])
    upper = rules.branch(closed, 0, [*GIVEN, condition])
    one = proof("the infimum above the threshold", rules.chain(first, upper))
    edge, at_limit = _boundary_minimum(proof)
    second = rules.infimum(quantity, edge, at_limit, LIMIT, (*GIVEN, condition.negated))
    lower = rules.branch(closed, 1, [*GIVEN, condition.negated])
    two = proof("the infimum below the threshold", rules.chain(second, lower))
    result = proof("both cases", rules.cases(one, two, over=condition))
    proof.formula(closed, RHO, LIMIT, DELTA)
    return result
