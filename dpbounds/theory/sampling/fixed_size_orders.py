"""Sampling without replacement at every integer order, under substitution: the bound of Wang, Balle & Kasiviswanathan.

With m = (1−r)s + rq the law with the new record is m + r(p−q), so that by the binomial theorem, for pairwise neighbours p, q, s,

    G_α = Σ_y (m + r(p−q))^α m^{1−α} = 1 + Σ_{j=2}^{α} C(α,j) r^j Σ_y (p−q)^j m^{1−j}:

the term of order 0 is Σ m = 1 and that of order 1 is Σ(p−q) = 0. Order 2 is `fixed_size`; at order j ≥ 2

* (p−q)^j ≤ p^j + q^j, as |p−q| is at most the larger of p and q, and (p−q)^j ≤ ((e^ε−1)q)^j if p and q are within a factor e^ε;
* m^{1−j} ≤ (1−r)s^{1−j} + rq^{1−j}, as x^{1−j} is convex; so Σ p^j m^{1−j} ≤ E_j, and Σ q^j m^{1−j} ≤ (1−r)E_j + r ≤ E_j.
"""

from __future__ import annotations

from typing import Any

from sympy import And, Expr, Integer, Lambda, Min, Rational, Sum, Symbol, binomial, exp, log

from dpbounds.language.functions import RenyiDivergence, RenyiMoment
from dpbounds.language.quantifiers import ForAll, for_each
from dpbounds.language.symbols import family, nonnegative, positive, real, sums_to_one
from dpbounds.language.typed.bridge import takes_terms
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.averages.averages import mean_of
from dpbounds.theory.averages.power_means import LAMBDA
from dpbounds.theory.sampling.fixed_size import CHI, LEVEL, MIXED, MOMENT, OUTCOME, OVER, RATE, SIZE, P, Q, S, chi_below, p, q, s

ORDER = Symbol("alpha", integer=True, positive=True)
TERM = Symbol("j", integer=True, nonnegative=True)
BOUND = family("E", "positive")
GIVEN = (RATE <= 1, ORDER >= 2)
WITHIN = (*GIVEN, TERM >= 2, TERM <= ORDER)
NEIGHBOURS = ((p, q), (p, s), (q, s))
CHANGE = RATE * (p - q)
NEW = (1 - RATE) * s + RATE * p
X, M, Z = real("x"), nonnegative("M"), positive("z")
_GROW = exp(LEVEL) - 1
_SOURCE = "Wang, Balle & Kasiviswanathan 2019, Theorem 9"


@takes_terms
def moments_of(pair: tuple[Expr, Expr]) -> ForAll:
    """G_j ≤ E_j at every order j = 2..α."""
    return for_each((TERM, 2, ORDER), RenyiMoment(TERM, *pair, OVER) <= BOUND[TERM])


@takes_terms
def factor_of(pair: tuple[Expr, Expr]) -> ForAll:
    """The first law is at most e^ε times the second, outcome by outcome."""
    return for_each(OVER, rules.le(pair[0], exp(LEVEL) * pair[1]))


def _bounded_power() -> Fact:
    """x^j ≤ M^j if −M ≤ x ≤ M, by induction on −M^j ≤ x^j ≤ M^j: with N = M^j, y = x^j, MN ± xy is a mean of (M−x)(N∓y), (M+x)(N±y)."""
    statement = And(rules.le(-(M**TERM), X**TERM), rules.le(X**TERM, M**TERM), evaluate=False)
    before = rules.hypothesis(statement)
    sum_x, gap_x = (
        rules.restate(rules.le(0, side), rules.hypothesis(known)) for side, known in ((M + X, rules.le(-M, X)), (M - X, rules.le(X, M)))
    )
    sum_y, gap_y = (rules.restate(rules.le(0, side), before) for side in (M**TERM + X**TERM, M**TERM - X**TERM))
    step = rules.power_step(X, TERM)
    half = Rational(1, 2)
    low = rules.scale(rules.add(rules.multiply(gap_x, gap_y), rules.multiply(sum_x, sum_y)), half)
    high = rules.scale(rules.add(rules.multiply(gap_x, sum_y), rules.multiply(sum_x, gap_y)), half)
    after = rules.conjunction(
        rules.restate(rules.le(-(M ** (TERM + 1)), X ** (TERM + 1)), low, using=[step]),
        rules.restate(rules.le(X ** (TERM + 1), M ** (TERM + 1)), high, using=[step]),
    )
    base = rules.conjunction(rules.sign(rules.le(-1, 1)), rules.sign(rules.le(1, 1)))
    both = rules.induction(base, after, TERM, statement)
    return rules.restate(rules.le(X**TERM, M**TERM), both)


def _powers_of_difference(bounded: Fact) -> Fact:
    """(r(p−q))^j ≤ r^j(p^j + q^j): the larger of p and q bounds |p−q|."""
    sides = []
    for large, small, case in ((p, q, p >= q), (q, p, p < q)):
        apart = [rules.sign(statement, [case]) for statement in (rules.le(-large, p - q), rules.le(p - q, large))]
        inside = [rules.scale(fact, RATE) for fact in apart]
        one = rules.instance(bounded, {X: CHANGE, M: RATE * large}, [case], using=inside)
        more = rules.restate(rules.le((RATE * large) ** TERM, RATE**TERM * (p**TERM + q**TERM)), rules.positive(RATE**TERM * small**TERM))
        sides.append(rules.chain(one, more))
    return rules.cases(*sides, over=p >= q)


def _within_a_factor() -> tuple[Fact, Fact]:
    """−(e^ε−1)q ≤ p−q ≤ (e^ε−1)q, if p ≤ e^ε q and q ≤ e^ε p: e^ε + e^{−ε} ≥ 2."""
    new, old = (rules.specialize(rules.hypothesis(factor_of(pair)), OUTCOME, [OUTCOME <= SIZE]) for pair in ((p, q), (q, p)))
    slack = rules.nonnegative(exp(-LEVEL) * _GROW**2 * q)
    low = rules.restate(rules.le(-_GROW * q, p - q), rules.add(rules.scale(old, exp(-LEVEL)), slack))
    return low, rules.restate(rules.le(p - q, _GROW * q), new)


def _powers_within_a_factor(bounded: Fact) -> Fact:
    """(r(p−q))^j ≤ r^j(e^ε−1)^j q^j."""
    inside = [rules.scale(fact, RATE) for fact in _within_a_factor()]
    at = rules.instance(bounded, {X: CHANGE, M: RATE * _GROW * q}, using=inside)
    return rules.restate(rules.le(CHANGE**TERM, RATE**TERM * _GROW**TERM * q**TERM), at)


def _weighed(power: Expr) -> Fact:
    """Σ power·m^{1−j} ≤ (1−r)Σ power·s^{1−j} + rΣ power·q^{1−j}: the tangent of x^{1−j} at the mean."""
    x = positive("x")
    shown = rules.positive(MIXED, GIVEN)
    tangent = rules.convex_tangent(x ** (1 - TERM), x, MIXED, WITHIN, using=[shown])
    parts = [rules.scale(rules.instance(tangent, {x: at}, WITHIN), weight, WITHIN) for at, weight in ((s, 1 - RATE), (q, RATE))]
    mean = (1 - RATE) * s ** (1 - TERM) + RATE * q ** (1 - TERM)
    harmonic = rules.restate(rules.le(MIXED ** (1 - TERM), mean), rules.add(*parts), WITHIN)
    summed = rules.sum_termwise(rules.scale(harmonic, power, WITHIN), OVER)
    target = (1 - RATE) * Sum(power * s ** (1 - TERM), OVER) + RATE * Sum(power * q ** (1 - TERM), OVER)
    return rules.restate(rules.le(Sum(power * MIXED ** (1 - TERM), OVER), target), summed, WITHIN)


def _moment(pair: tuple[Expr, Expr]) -> Fact:
    """Σ a^j b^{1−j} ≤ E_j, a premise."""
    known = rules.specialize(rules.hypothesis(moments_of(pair)), TERM, WITHIN)
    defined = rules.definition(RenyiMoment(TERM, *pair, OVER), WITHIN)
    return rules.restate(rules.le(defined.rhs, BOUND[TERM]), known, WITHIN, using=[defined])


@recipe("fixed-size-moments", "Moments over the mixture of sampling without replacement", "Wang, Balle & Kasiviswanathan 2019")
def moments_over_mixture(proof: ProofSteps) -> Fact:
    """Σ p^j m^{1−j} ≤ E_j and Σ q^j m^{1−j} ≤ E_j, for 2 ≤ j ≤ α."""
    to_q, to_s, back = (_moment(pair) for pair in NEIGHBOURS)
    masses = [rules.hypothesis(sums_to_one(weights, OVER)) for weights in (P, Q, S)]
    sides = rules.add(rules.scale(to_s, 1 - RATE, WITHIN), rules.scale(to_q, RATE, WITHIN))
    bound = _weighed(p**TERM)
    new = proof("of the new record", rules.restate(rules.le(bound.lhs, BOUND[TERM]), rules.chain(bound, sides, given=WITHIN), WITHIN))
    jensen = rules.instance(mean_of(q, s, OUTCOME, SIZE), {LAMBDA: TERM}, WITHIN)
    one = rules.chain(rules.equality(1, jensen.lhs, WITHIN, using=masses), jensen, back, given=WITHIN)
    sides = rules.add(rules.scale(back, 1 - RATE, WITHIN), rules.scale(one, RATE, WITHIN))
    bound = _weighed(q**TERM)
    below = rules.restate(rules.le(bound.rhs, BOUND[TERM]), sides, WITHIN, using=masses)
    old = proof("of the old record", rules.chain(bound, below, given=WITHIN))
    return proof("both", rules.conjunction(new, old))


def _term(power: Fact, rest: Fact, bound: Expr, given: tuple[Any, ...] = WITHIN) -> Fact:
    """Σ (r(p−q))^j m^{1−j} ≤ bound, from a bound of the power and one of its weighted sum."""
    weighed = rules.scale(power, MIXED ** (1 - TERM), given, using=[rules.positive(MIXED, GIVEN)])
    summed = rules.sum_termwise(weighed, OVER)
    return rules.restate(rules.le(Sum(CHANGE**TERM * MIXED ** (1 - TERM), OVER), bound), rules.chain(summed, rest, given=given), given)


@recipe("fixed-size-expansion", "The moment of sampling without replacement, by the binomial theorem", "Wang, Balle & Kasiviswanathan 2019")
def expansion(proof: ProofSteps) -> Fact:
    """G_α = 1 + C(α,2) r² Σ (p−q)²/m + Σ_{j=3}^{α} C(α,j) Σ (r(p−q))^j m^{1−j}."""
    change, base = family("u", "real"), family("m", "positive")
    u, m = change[OUTCOME], base[OUTCOME]
    theorem = rules.binomial_theorem(u, m, ORDER, TERM, GIVEN)
    summed = rules.sum_termwise(rules.scale(theorem, m ** (1 - ORDER), GIVEN), OVER)
    terms = Sum(binomial(ORDER, TERM) * Sum(u**TERM * m ** (1 - TERM), OVER), (TERM, 0, ORDER))
    generic = rules.chain(summed, rules.equality(summed.rhs, terms, GIVEN), given=GIVEN)
    splits = [rules.first_term(Sum(terms.function, (TERM, start, ORDER)), GIVEN) for start in (0, 1, 2)]
    rest = Sum(terms.function, (TERM, 3, ORDER))
    low = Sum(m, OVER) + ORDER * Sum(u, OVER) + binomial(ORDER, 2) * Sum(u**2 / m, OVER)
    opened = proof("the binomial theorem", rules.chain(generic, rules.equality(terms, low + rest, GIVEN, using=splits), given=GIVEN))
    at = rules.instance(opened, {change: Lambda((OUTCOME,), CHANGE), base: Lambda((OUTCOME,), MIXED)}, GIVEN)
    masses = [rules.hypothesis(sums_to_one(weights, OVER)) for weights in (P, Q, S)]
    facts = [rules.equality(Sum(MIXED, OVER), 1, GIVEN, using=masses), rules.equality(Sum(CHANGE, OVER), 0, GIVEN, using=masses)]
    at_rest = Sum(binomial(ORDER, TERM) * Sum(CHANGE**TERM * MIXED ** (1 - TERM), OVER), (TERM, 3, ORDER))
    target = 1 + binomial(ORDER, 2) * RATE**2 * CHI + at_rest
    simpler = rules.equality(at.rhs, target, GIVEN, using=facts)
    defined = rules.definition(RenyiMoment(ORDER, NEW, MIXED, OVER), GIVEN)
    shown = rules.restate(rules.le(0, CHANGE + MIXED), rules.nonnegative(NEW, GIVEN), GIVEN)
    term = rules.equality(defined.rhs.function, (CHANGE + MIXED) ** ORDER * MIXED ** (1 - ORDER), GIVEN, using=[shown])
    return proof("the terms of order 0 and 1", rules.chain(defined, rules.sum_termwise(term, OVER), at, simpler, given=GIVEN))


def _second_order(proof: ProofSteps, pure: bool) -> list[Fact]:
    """Σ (p−q)²/m ≤ 4(E_2 − 1), 2E_2 and, if p and q are within a factor e^ε, E_2(e^ε − 1)²."""
    known = [rules.specialize(rules.hypothesis(moments_of(pair)), Integer(2), GIVEN) for pair in NEIGHBOURS]
    if pure:
        low, high = _within_a_factor()
        over, under = rules.restate(rules.le(0, _GROW * q + p - q), low), rules.restate(rules.le(0, _GROW * q - p + q), high)
        square = rules.multiply(over, under)
        known.append(rules.generalize(rules.restate(rules.le((p - q) ** 2, _GROW**2 * q**2), square), OUTCOME, OUTCOME <= SIZE))
    return [rules.discharge(rules.instance(fact, {MOMENT: BOUND[2]}), *known) for fact in chi_below(proof)[: 3 if pure else 2]]


def sum_of_bounds(pure: bool) -> Expr:
    """1 + C(α,2) r² min{4(E_2−1), 2E_2} + 2 Σ_{j=3}^{α} C(α,j) r^j E_j, or as printed with powers of e^ε − 1."""
    second, third = [4 * (BOUND[2] - 1), 2 * BOUND[2]], [Integer(2)]
    if pure:
        second, third = [*second, _GROW**2 * BOUND[2]], [*third, _GROW**TERM]
    terms = binomial(ORDER, TERM) * RATE**TERM * BOUND[TERM] * Min(*third)
    return 1 + binomial(ORDER, 2) * RATE**2 * Min(*second) + Sum(terms, (TERM, 3, ORDER))


def _of(record: Expr) -> Fact:
    """Σ record^j m^{1−j} ≤ E_j."""
    return rules.restate(rules.le(Sum(record**TERM * MIXED ** (1 - TERM), OVER), BOUND[TERM]), moments_over_mixture().result, WITHIN)


def _divergence(proof: ProofSteps, pure: bool) -> Fact:
    """D_α ≤ log(the sum of bounds)/(α − 1)."""
    whole, bounded = proof("the moment, expanded", expansion().result), _bounded_power()
    chi = proof("order 2", rules.least(*_second_order(proof, pure)))
    new, old = (_of(record) for record in (p, q))
    both = rules.scale(rules.add(new, old), RATE**TERM, WITHIN)
    terms = [_term(_powers_of_difference(bounded), both, 2 * RATE**TERM * BOUND[TERM])]
    if pure:
        growth = RATE**TERM * _GROW**TERM
        terms.append(_term(_powers_within_a_factor(bounded), rules.scale(old, growth, WITHIN), growth * BOUND[TERM]))
    scale = RATE**TERM * BOUND[TERM]
    unit = rules.least(
        *(rules.restate(rules.le(fact.lhs / scale, fact.rhs / scale), rules.scale(fact, 1 / scale, WITHIN), WITHIN) for fact in terms)
    )
    each = proof("order j", rules.scale(unit, binomial(ORDER, TERM) * scale, (*GIVEN, TERM >= 3, TERM <= ORDER)))
    rest = rules.sum_termwise(each, (TERM, 3, ORDER))
    low = rules.scale(chi, binomial(ORDER, 2) * RATE**2, GIVEN)
    bound = sum_of_bounds(pure)
    moment = rules.restate(
        rules.le(whole.lhs, bound), rules.chain(whole, rules.restate(rules.le(whole.rhs, bound), rules.add(low, rest), GIVEN)), GIVEN
    )
    proof("the moment", moment)
    defined = rules.definition(RenyiMoment(ORDER, NEW, MIXED, OVER), GIVEN)
    above = rules.chain(rules.positive(defined.rhs, GIVEN), defined)
    signs = [above, rules.chain(above, moment)]
    logs = rules.apply(Lambda(Z, log(Z)), moment, GIVEN, using=signs)
    divided = rules.scale(logs, 1 / (ORDER - 1), GIVEN, using=signs)
    quantity = RenyiDivergence(ORDER, NEW, MIXED, OVER)
    meaning = rules.definition(quantity, GIVEN, using=signs)
    by_moment = rules.equality(quantity, divided.lhs, GIVEN, using=[meaning, defined, *signs])
    return proof("take the logarithm", rules.chain(by_moment, divided, given=GIVEN))


@recipe("fixed-size-orders", "Rényi divergence of sampling without replacement at every integer order", _SOURCE)
def fixed_size_orders(proof: ProofSteps) -> Fact:
    """D_α ≤ log(1 + C(α,2) r² min{4(E_2−1), 2E_2} + 2 Σ_{j=3}^{α} C(α,j) r^j E_j)/(α−1), where E_j bounds the moments of order j."""
    return _divergence(proof, pure=False)


@recipe("fixed-size-orders-pure", "The same where the privacy loss is bounded too", _SOURCE)
def fixed_size_orders_pure(proof: ProofSteps) -> Fact:
    """With min{2, (e^ε−1)^j} for the 2 at order j, if p ≤ e^ε q and q ≤ e^ε p."""
    return _divergence(proof, pure=True)
