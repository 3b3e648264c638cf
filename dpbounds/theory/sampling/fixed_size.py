"""Sampling without replacement at order 2, under substitution: the first term of the bound of Wang, Balle & Kasiviswanathan.

m = (1−r)s + rq against (1−r)s + rp, where p, q, s are pairwise neighbours: Σ ((1−r)s+rp)²/m = 1 + r²Σ (p−q)²/m, and 1/m ≤ (1−r)/s + r/q.
"""

from __future__ import annotations

from typing import Any

from sympy import Expr, Lambda, Sum, Symbol, exp

from dpbounds.language.functions import RenyiMoment
from dpbounds.language.quantifiers import for_each
from dpbounds.language.symbols import family, index, nonnegative, positive, positive_integer, sums_to_one
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact

RATE, MOMENT, LEVEL = positive("r"), positive("E"), nonnegative("epsilon")
SIZE, OUTCOME = positive_integer("n"), index("y")
OVER = (OUTCOME, 1, SIZE)
P, Q, S = family("p", "positive"), family("q", "positive"), family("s", "positive")
p, q, s = P[OUTCOME], Q[OUTCOME], S[OUTCOME]
GIVEN = (RATE <= 1,)
MIXED = (1 - RATE) * s + RATE * q
CHI = Sum((p - q) ** 2 / MIXED, OVER)


def _whole() -> list[Fact]:
    return [rules.hypothesis(sums_to_one(weights, OVER)) for weights in (P, Q, S)]


def _second_moment(upper: Any, lower: Any) -> Fact:
    """Σ a²/b ≤ E, a premise."""
    quantity = RenyiMoment(2, upper, lower, OVER)
    return rules.restate(rules.le(quantity.definition(), MOMENT), rules.hypothesis(quantity <= MOMENT), using=[rules.definition(quantity)])


def _harmonic() -> Fact:
    """1/((1−r)s + rq) ≤ (1−r)/s + r/q: the tangent of 1/x at the mean."""
    x = Symbol("x", positive=True)
    shown = rules.positive(MIXED, GIVEN)
    tangent = rules.convex_tangent(1 / x, x, MIXED, GIVEN, using=[shown])
    parts = [rules.scale(rules.instance(tangent, {x: at}, GIVEN), weight, GIVEN) for at, weight in ((s, 1 - RATE), (q, RATE))]
    return rules.restate(rules.le(1 / MIXED, (1 - RATE) / s + RATE / q), rules.add(*parts), GIVEN)


def _weighed(square: Expr) -> Fact:
    """Σ u²/m ≤ (1−r)Σ u²/s + rΣ u²/q."""
    term = rules.scale(_harmonic(), square, GIVEN)
    summed = rules.sum_termwise(term, OVER)
    target = (1 - RATE) * Sum(square / s, OVER) + RATE * Sum(square / q, OVER)
    return rules.restate(rules.le(Sum(square / MIXED, OVER), target), summed, GIVEN)


def _sum_of(fact: Fact, *others: tuple[Fact, Expr]) -> Fact:
    return rules.add(fact, *(rules.scale(other, factor, GIVEN) for other, factor in others))


def _moment_of(bound: Fact, statement: Expr) -> Fact:
    """From Σ (p−q)²/m ≤ B: G₂ ≤ 1 + r²B."""
    base = family("m", "positive")
    any_base = base[OUTCOME]
    square = Sum((any_base + RATE * (p - q)) ** 2 / any_base, OVER)
    parts = Sum(any_base, OVER) + 2 * RATE * (Sum(p, OVER) - Sum(q, OVER)) + RATE**2 * Sum((p - q) ** 2 / any_base, OVER)
    expanded = rules.instance(rules.equality(square, parts), {base: Lambda((OUTCOME,), MIXED)}, GIVEN)
    masses = rules.equality(Sum(MIXED, OVER) + 2 * RATE * (Sum(p, OVER) - Sum(q, OVER)), 1, GIVEN, using=_whole())
    known = rules.add(masses, rules.scale(bound, RATE**2))
    quantity = RenyiMoment(2, (1 - RATE) * s + RATE * p, MIXED, OVER)
    whole = rules.chain(rules.definition(quantity, GIVEN), expanded, known, given=GIVEN)
    return rules.restate(rules.le(quantity, 1 + RATE**2 * statement), whole, GIVEN)


def _squares_over_mixture() -> tuple[Fact, Fact]:
    """Σ p²/m ≤ E and Σ q²/m ≤ E."""
    to_q, to_s, back = _second_moment(p, q), _second_moment(p, s), _second_moment(q, s)
    first = rules.add(rules.scale(to_s, 1 - RATE, GIVEN), rules.scale(to_q, RATE))
    one = rules.restate(rules.le(Sum(p**2 / MIXED, OVER), MOMENT), rules.chain(_weighed(p**2), first, given=GIVEN), GIVEN)
    at_least = _at_least_one(back)
    second = rules.add(rules.scale(back, 1 - RATE, GIVEN), rules.scale(at_least, RATE))
    other = rules.chain(_weighed(q**2), rules.restate(rules.le(_weighed(q**2).rhs, MOMENT), second, GIVEN, using=_whole()), given=GIVEN)
    return one, other


def _at_least_one(back: Fact) -> Fact:
    """1 ≤ Σ q²/s ≤ E: Σ (q−s)²/s ≥ 0."""
    square = rules.nonnegative(Sum((q - s) ** 2 / s, OVER))
    return rules.chain(rules.restate(rules.le(1, Sum(q**2 / s, OVER)), square, using=_whole()), back)


def chi_below(proof: ProofSteps) -> tuple[Fact, Fact, Fact]:
    """Σ (p−q)²/m ≤ 4(E − 1), 2E and E(e^ε − 1)²; the last one where |p − q| ≤ (e^ε − 1)q."""
    back = _second_moment(q, s)
    to_q, to_s = _second_moment(p, q), _second_moment(p, s)
    distance = [
        rules.restate(rules.le(Sum((a - b) ** 2 / b, OVER), MOMENT - 1), fact, using=_whole())
        for a, b, fact in ((p, s, to_s), (q, s, back), (p, q, to_q))
    ]
    apart = rules.restate(
        rules.le((p - q) ** 2 / s, 2 * (p - s) ** 2 / s + 2 * (q - s) ** 2 / s), rules.nonnegative((p + q - 2 * s) ** 2 / s)
    )
    over_s = rules.chain(rules.sum_termwise(apart, OVER), _sum_of(rules.scale(distance[0], 2), (distance[1], 2)))
    shown = rules.nonnegative(MOMENT - 1, using=[_at_least_one(back)])
    more = rules.chain(distance[2], rules.sign(rules.le(MOMENT - 1, 4 * (MOMENT - 1)), using=[shown]))
    both = rules.add(rules.scale(over_s, 1 - RATE, GIVEN), rules.scale(more, RATE))
    first = proof(
        "through s", rules.restate(rules.le(CHI, 4 * (MOMENT - 1)), rules.chain(_weighed((p - q) ** 2), both, given=GIVEN), GIVEN)
    )
    squares = _squares_over_mixture()
    cross = rules.sum_termwise(
        rules.restate(rules.le((p - q) ** 2 / MIXED, p**2 / MIXED + q**2 / MIXED), rules.nonnegative(2 * p * q / MIXED, GIVEN), GIVEN), OVER
    )
    second = proof("(p−q)² ≤ p² + q²", rules.restate(rules.le(CHI, 2 * MOMENT), rules.chain(cross, rules.add(*squares)), GIVEN))
    grow = exp(LEVEL) - 1
    close = rules.specialize(rules.hypothesis(for_each(OVER, rules.le((p - q) ** 2, grow**2 * q**2))), OUTCOME, [OUTCOME <= SIZE])
    near = rules.sum_termwise(rules.scale(close, 1 / MIXED, GIVEN), OVER)
    third = proof(
        "(p−q)² ≤ (e^ε−1)²q²", rules.restate(rules.le(CHI, grow**2 * MOMENT), rules.chain(near, rules.scale(squares[1], grow**2)), GIVEN)
    )
    return first, second, third


@recipe(
    "fixed-size-order-2", "Rényi divergence of sampling without replacement at order 2", "Wang, Balle & Kasiviswanathan 2019, Theorem 9"
)
def fixed_size_order_2(proof: ProofSteps) -> Fact:
    """G₂ ≤ 1 + 4r²(E − 1), 1 + 2r²E and 1 + r²E(e^ε − 1)², where E bounds Σp²/q, Σp²/s, Σq²/s, and |p − q| ≤ (e^ε − 1)q in the last one."""
    first, second, third = chi_below(proof)
    results = [
        _moment_of(fact, bound)
        for fact, bound in ((first, 4 * (MOMENT - 1)), (second, 2 * MOMENT), (third, (exp(LEVEL) - 1) ** 2 * MOMENT))
    ]
    return proof("the moment", rules.conjunction(*results))
