"""The ends of the range of orders: D_λ between the mean and the maximum of the privacy loss, and how close to each.

For distributions p, q > 0 on n outcomes and λ > 1, with L = log(p/q) and the mean KL = Σ p L:

    KL ≤ D_λ ≤ KL + (λ−1)B²    the right side for |L| ≤ B and (λ−1)B ≤ 1, from e^u ≤ 1 + u + u² for u ≤ 1,
    L_j + log(p_j)/(λ−1) ≤ D_λ ≤ B    the left side for every outcome j, the right side for L ≤ B.

So D_λ → KL as λ → 1 and D_λ → max L as λ → ∞.
"""

from __future__ import annotations

from typing import Any

from sympy import And, Expr, Lambda, Sum, Symbol, exp, log

from dpbounds.language.functions import RenyiDivergence
from dpbounds.language.quantifiers import for_each
from dpbounds.language.symbols import family, index, positive, positive_integer, real, sums_to_one
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact

ORDER, BOUND = positive("lambda B")
GIVEN = (ORDER > 1,)
SIZE = positive_integer("n")
INDEX, PLACE = index("i"), positive_integer("j")
OVER = (INDEX, 1, SIZE)
P, Q = family("p", "positive"), family("q", "positive")
p, q = P[INDEX], Q[INDEX]
LOSS = log(p / q)
MEAN = Sum(p * LOSS, OVER)
DISTRIBUTIONS = (sums_to_one(P, OVER), sums_to_one(Q, OVER))
TIMES = ORDER - 1
MOMENT = Sum(p**ORDER * q ** (1 - ORDER), OVER)
X, Z = real("x"), Symbol("z", positive=True)


def _whole() -> list[Fact]:
    return [rules.hypothesis(statement) for statement in DISTRIBUTIONS]


def _divergence_between(moment: Fact, shown: Fact, statement: Any) -> Fact:
    """From a bound on the moment, the bound on D_λ that `statement` says; `shown` is that the moment is positive."""
    logs = rules.apply(Lambda(Z, log(Z)), moment, GIVEN, using=[shown])
    defined = rules.definition(RenyiDivergence(ORDER, p, q, OVER), GIVEN, using=[shown])
    return rules.restate(statement, rules.scale(logs, 1 / TIMES, GIVEN), GIVEN, using=[defined, *_whole()])


@recipe("renyi-above-mean", "The Rényi divergence is at least the mean of the privacy loss", "van Erven & Harremoës 2014, Theorem 3")
def renyi_above_mean(proof: ProofSteps) -> Fact:
    """Σ p log(p/q) ≤ D_λ(p‖q): the tangent of e^x at the mean of (λ−1)L."""
    tangent = rules.convex_tangent(exp(X), X, TIMES * MEAN, GIVEN)
    each = proof("tangent at the mean", rules.instance(tangent, {X: TIMES * LOSS}, GIVEN))
    summed = rules.sum_termwise(rules.scale(each, p, GIVEN), OVER)
    moment = proof("the moment", rules.restate(rules.le(exp(TIMES * MEAN), MOMENT), summed, GIVEN, using=_whole()))
    positive_mean = rules.positive(exp(TIMES * MEAN))
    return proof("take the logarithm", _divergence_between(moment, rules.chain(positive_mean, moment), rules.le(MEAN, _divergence())))


def _divergence() -> RenyiDivergence:
    return RenyiDivergence(ORDER, p, q, OVER)


def _exponential_bound(u: Expr, given: Any, using: Any) -> Fact:
    """e^u ≤ 1 + u + u² for u ≤ 1: (1 + x + x²)e^{−x} falls before 0 and rises from 0 to 1."""
    curve = rules.minimum((1 + X + X**2) * exp(-X), X, 0, domain=[X <= 1], factored=X**2 * (1 - X) * exp(-X))
    plain = rules.restate(rules.le(exp(X), 1 + X + X**2), rules.scale(curve, exp(X)), [X <= 1])
    return rules.instance(plain, {X: u}, given, using)


@recipe(
    "renyi-near-mean", "The Rényi divergence tends to the mean of the privacy loss as λ → 1", "Yuchen 2019, after the definition of D_λ"
)
def renyi_near_mean(proof: ProofSteps) -> Fact:
    """D_λ(p‖q) ≤ Σ p log(p/q) + (λ−1)B² for |log(p/q)| ≤ B and (λ−1)B ≤ 1."""
    small = rules.le(TIMES * BOUND, 1)
    bounded = rules.hypothesis(for_each(OVER, And(rules.le(-BOUND, LOSS), rules.le(LOSS, BOUND))))
    here = rules.specialize(bounded, INDEX, [INDEX <= SIZE])
    low, high = (rules.conjunct(here, bound) for bound in here.statement.args)
    if low.lhs != -BOUND:
        low, high = high, low
    u = TIMES * LOSS
    within = rules.chain(rules.scale(high, TIMES, GIVEN), rules.hypothesis(small))
    curve = proof("e^u ≤ 1 + u + u²", _exponential_bound(u, GIVEN, [within]))
    up = rules.restate(rules.le(0, BOUND - LOSS), high)
    down = rules.restate(rules.le(0, BOUND + LOSS), low)
    square = rules.restate(rules.le(LOSS**2, BOUND**2), rules.nonnegative((BOUND - LOSS) * (BOUND + LOSS), using=[up, down]))
    larger = rules.add(curve, rules.scale(square, TIMES**2, GIVEN))
    target = rules.le(p**ORDER * q ** (1 - ORDER), p * (1 + TIMES * LOSS + TIMES**2 * BOUND**2))
    term = proof("at every outcome", rules.restate(target, rules.scale(larger, p), GIVEN))
    summed = rules.sum_termwise(term, OVER)
    closed = 1 + TIMES * MEAN + TIMES**2 * BOUND**2
    moment = rules.chain(summed, rules.equality(summed.rhs, closed, GIVEN, using=_whole()))
    tangent = rules.instance(rules.convex_tangent(exp(X), X, 0), {X: TIMES * MEAN + TIMES**2 * BOUND**2}, GIVEN)
    grown = proof("the moment", rules.chain(moment, rules.restate(rules.le(closed, tangent.rhs), tangent)))
    shown = rules.positive(MOMENT, GIVEN)
    return proof("take the logarithm", _divergence_between(grown, shown, rules.le(_divergence(), MEAN + TIMES * BOUND**2)))


@recipe("renyi-below-maximum", "The Rényi divergence is at most the largest privacy loss", "van Erven & Harremoës 2014, Theorem 6")
def renyi_below_maximum(proof: ProofSteps) -> Fact:
    """D_λ(p‖q) ≤ B where log(p/q) ≤ B."""
    bounded = rules.specialize(rules.hypothesis(for_each(OVER, rules.le(LOSS, BOUND))), INDEX, [INDEX <= SIZE])
    powered = rules.apply(Lambda(X, exp(X)), rules.scale(bounded, TIMES, GIVEN), GIVEN)
    target = rules.le(p**ORDER * q ** (1 - ORDER), p * exp(TIMES * BOUND))
    summed = rules.sum_termwise(rules.restate(target, rules.scale(powered, p), GIVEN), OVER)
    moment = proof("the moment", rules.restate(rules.le(MOMENT, exp(TIMES * BOUND)), summed, GIVEN, using=_whole()))
    return proof("take the logarithm", _divergence_between(moment, rules.positive(MOMENT, GIVEN), rules.le(_divergence(), BOUND)))


@recipe("renyi-near-maximum", "The Rényi divergence tends to the largest privacy loss as λ → ∞", "Yuchen 2019, after the definition of D_λ")
def renyi_near_maximum(proof: ProofSteps) -> Fact:
    """log(p_j/q_j) + log(p_j)/(λ−1) ≤ D_λ(p‖q) for every outcome j: one term of the sum."""
    j, given = PLACE, (*GIVEN, PLACE <= SIZE)
    term = p**ORDER * q ** (1 - ORDER)
    one = P[j] ** ORDER * Q[j] ** (1 - ORDER)
    before = rules.sum_split(MOMENT, j - 1, given)
    after = rules.first_term(Sum(term, (INDEX, j, SIZE)), given)
    rest = rules.nonnegative(Sum(term, (INDEX, 1, j - 1)) + Sum(term, (INDEX, j + 1, SIZE)), given)
    total = rules.restate(rules.le(one, MOMENT), rest, given, using=[before, after])
    moment = proof("one term is at most the sum", total)
    target = rules.le(log(P[j] / Q[j]) + log(P[j]) / TIMES, _divergence())
    return proof("take the logarithm", _divergence_between(moment, rules.positive(MOMENT, GIVEN), target))
