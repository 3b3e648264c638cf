"""Pure ε-privacy: the moments of a bounded loss by Hoeffding's lemma, and advanced composition.

For distributions p, q with |L| ≤ ε, L = log(p/q), mean KL = Σ p L and t > 0:

    KL ≤ a = ε(e^ε − 1),    Σ p^{1+t} q^{−t} ≤ e^{t·KL + t²ε²/2} ≤ e^{ta + t²ε²/2}.

Between −ε and ε the convex e^{tx} lies below its chord, whose mean is ((1+m)e^{tε} + (1−m)e^{−tε})/2 with m = KL/ε; its logarithm is below
tεm + (tε)²/2, since the difference is convex in tε with value and slope 0 at 0. Moments multiply under adaptive composition (Claim 22), so
k steps have Σ ≤ e^{k(ta + t²ε²/2)}, and Chernoff's bound at the best t gives the theorem.
"""

from __future__ import annotations

from typing import Any

from sympy import And, Expr, Ge, Lambda, Sum, Symbol, exp, log, sqrt

from dpbounds.language.functions import HockeyStick, LossTail, RenyiMoment
from dpbounds.language.quantifiers import ForAll, for_each
from dpbounds.language.symbols import family, index, positive, positive_integer, real, sums_to_one
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.conversion.constrained import DELTA
from dpbounds.theory.conversion.constrained import LOSS as LOG_DELTA
from dpbounds.theory.conversion.conversion import chernoff_delta, chernoff_tail

LEVEL, T = positive("epsilon t")
TOTAL = positive("tau")
STEPS = positive_integer("k")
SIZE = positive_integer("n")
INDEX = index("i")
OVER = (INDEX, 1, SIZE)
P, Q = family("p", "positive"), family("q", "positive")
p, q = P[INDEX], Q[INDEX]
LOSS = log(p / q)
MEAN = Sum(p * LOSS, OVER)
MOMENT = Sum(p ** (1 + T) * q**-T, OVER)
DISTRIBUTIONS = (sums_to_one(P, OVER), sums_to_one(Q, OVER))
BOUNDED = for_each(OVER, And(rules.le(-LEVEL, LOSS), rules.le(LOSS, LEVEL)))
X = real("x")
CENTRE = LEVEL * (exp(LEVEL) - 1)


def _loss_between() -> tuple[Fact, Fact]:
    """−ε ≤ L and L ≤ ε at every outcome."""
    here = rules.specialize(rules.hypothesis(BOUNDED), INDEX, [INDEX <= SIZE])
    first, second = (rules.conjunct(here, bound) for bound in here.statement.args)
    return (first, second) if first.lhs == -LEVEL else (second, first)


def _whole() -> list[Fact]:
    return [rules.hypothesis(statement) for statement in DISTRIBUTIONS]


def _mean_between() -> tuple[Fact, Fact]:
    """−ε ≤ KL and KL ≤ ε."""
    low, high = (rules.sum_termwise(rules.scale(fact, p), OVER) for fact in _loss_between())
    return rules.restate(rules.le(-LEVEL, MEAN), low, using=_whole()), rules.restate(rules.le(MEAN, LEVEL), high, using=_whole())


@recipe("bounded-loss-mean", "The mean of a privacy loss between −ε and ε", "Dwork, Rothblum & Vadhan 2010, Lemma III.2")
def bounded_loss_mean(proof: ProofSteps) -> Fact:
    """Σ p log(p/q) ≤ ε(e^ε − 1) for |log(p/q)| ≤ ε.

    p L ≤ (p − q)L + (p − q), as q L ≤ p − q; the second sum is 0, and in the first |p − q| ≤ (e^ε − 1)q, |L| ≤ ε.
    """
    low, high = _loss_between()
    tangent = rules.instance(rules.convex_tangent(exp(X), X, 0), {X: LOSS})
    below = proof("log x ≤ x − 1", rules.restate(rules.le(q * LOSS, p - q), rules.scale(tangent, q)))
    grow = exp(LEVEL) - 1
    up = rules.scale(rules.apply(Lambda(X, exp(X)), high), q)
    most = rules.restate(rules.le(p - q, grow * q), up)
    down = rules.scale(rules.apply(Lambda(X, exp(X)), rules.restate(rules.le(-LOSS, LEVEL), low)), p)
    least = rules.restate(rules.le(q - p, grow * p), down)
    target = rules.le((p - q) * LOSS, CENTRE * q)
    z = Symbol("z", positive=True)
    larger, smaller = Ge(p, q, evaluate=False), Ge(p, q, evaluate=False).negated
    ratio = rules.restate(rules.le(1, p / q), rules.scale(rules.hypothesis(larger), 1 / q))
    loss_up = rules.restate(rules.le(0, LOSS), rules.apply(Lambda(z, log(z)), ratio))
    gap = rules.restate(rules.le(0, p - q), rules.hypothesis(larger))
    one = rules.restate(target, rules.multiply(most, high, using=[loss_up, gap]))
    inverse = rules.restate(rules.lt(p / q, 1), rules.scale(rules.hypothesis(smaller), 1 / q))
    loss_down = rules.restate(rules.lt(LOSS, 0), rules.apply(Lambda(z, log(z)), inverse))
    missing = rules.restate(rules.lt(0, q - p), rules.hypothesis(smaller))
    less = rules.chain(least, rules.restate(rules.le(grow * p, grow * q), rules.scale(rules.hypothesis(smaller), grow)))
    fall = rules.restate(rules.le(-LOSS, LEVEL), low)
    other = rules.restate(target, rules.multiply(less, fall, using=[rules.restate(rules.lt(0, -LOSS), loss_down), missing]))
    product = proof("|p − q|·|L| ≤ (e^ε − 1)ε q", rules.cases(one, other, over=larger))
    total = rules.sum_termwise(rules.add(product, below), OVER)
    return proof("sum", rules.restate(rules.le(MEAN, CENTRE), total, using=_whole()))


def _chord() -> Fact:
    """e^{tL} ≤ ((1 + L/ε)e^{tε} + (1 − L/ε)e^{−tε})/2: the tangent at tL, at both ends."""
    low, high = _loss_between()
    tangent = rules.convex_tangent(exp(X), X, T * LOSS)
    up = rules.restate(rules.le(0, 1 + LOSS / LEVEL), rules.scale(low, 1 / LEVEL))
    down = rules.restate(rules.le(0, 1 - LOSS / LEVEL), rules.scale(high, 1 / LEVEL))
    ends = [
        rules.scale(rules.instance(tangent, {X: sign * T * LEVEL}), (1 + sign * LOSS / LEVEL) / 2, using=[shown])
        for sign, shown in ((1, up), (-1, down))
    ]
    right = ((1 + LOSS / LEVEL) * exp(T * LEVEL) + (1 - LOSS / LEVEL) * exp(-T * LEVEL)) / 2
    return rules.restate(rules.le(exp(T * LOSS), right), rules.add(*ends))


def _hoeffding(mean: Expr, at: Expr, low: Fact, high: Fact) -> Fact:
    """((1+m)e^s + (1−m)e^{−s})/2 ≤ e^{ms + s²/2} for −1 ≤ m ≤ 1."""
    m, s = real("m"), real("s")
    given = (rules.le(-1, m), rules.le(m, 1))
    total = (1 + m) * exp(s) + (1 - m) * exp(-s)
    convex = rules.convex_tangent(m * s + s**2 / 2 - log(total), s, 0, given)
    shown = rules.positive(total, given)
    logs = rules.restate(rules.le(log(total / 2), m * s + s**2 / 2), convex, given, using=[shown])
    plain = rules.restate(rules.le(total / 2, exp(m * s + s**2 / 2)), rules.apply(Lambda(X, exp(X)), logs, given), given, using=[shown])
    return rules.instance(plain, {m: mean, s: at}, using=[low, high])


@recipe("hoeffding-moment", "The moments of a privacy loss between −ε and ε", "Hoeffding 1963; Dwork, Rothblum & Vadhan 2010")
def hoeffding_moment(proof: ProofSteps) -> Fact:
    """Σ p^{1+t} q^{−t} ≤ e^{t·KL + t²ε²/2} for |log(p/q)| ≤ ε and t > 0, KL = Σ p log(p/q)."""
    chord = proof("the chord of e^{tx}", _chord())
    m = MEAN / LEVEL
    right = ((1 + m) * exp(T * LEVEL) + (1 - m) * exp(-T * LEVEL)) / 2
    summed = rules.sum_termwise(rules.scale(chord, p), OVER)
    mean = proof("its mean", rules.restate(rules.le(MOMENT, right), summed, using=_whole()))
    low, high = (rules.scale(fact, 1 / LEVEL) for fact in _mean_between())
    low, high = rules.restate(rules.le(-1, m), low), rules.restate(rules.le(m, 1), high)
    lemma = proof("Hoeffding's lemma", _hoeffding(m, T * LEVEL, low, high))
    return proof("the moment", rules.restate(rules.le(MOMENT, exp(T * MEAN + T**2 * LEVEL**2 / 2)), rules.chain(mean, lemma)))


@recipe("pure-moment", "The moments of an ε-private mechanism", "Yuchen 2019, before (6.99); Dwork, Rothblum & Vadhan 2010")
def pure_moment(proof: ProofSteps) -> Fact:
    """Σ p^{1+t} q^{−t} ≤ e^{tε(e^ε−1) + t²ε²/2} for |log(p/q)| ≤ ε and t > 0."""
    moment = proof("Hoeffding's lemma", hoeffding_moment().result)
    mean = proof("the mean of the loss", bounded_loss_mean().result)
    exponent = rules.add(rules.scale(mean, T), rules.equality(T**2 * LEVEL**2 / 2, T**2 * LEVEL**2 / 2))
    return proof("together", rules.chain(moment, rules.apply(Lambda(X, exp(X)), exponent)))


def composed_premise() -> Any:
    """log Σ p^{1+t} q^{−t} ≤ k(tε(e^ε−1) + t²ε²/2) for all t > 0: what Claim 22 makes of k such steps."""
    return ForAll(T, T > 0, rules.le(log(MOMENT), STEPS * (T * CENTRE + T**2 * LEVEL**2 / 2)))


def _at(order: Expr, given: Any, using: Any = ()) -> Fact:
    """The moment at one t."""
    logs = rules.specialize(rules.hypothesis(composed_premise()), order, given, using)
    raised = rules.apply(Lambda(X, exp(X)), logs, given, using)
    return rules.restate(rules.le(MOMENT.subs(T, order), raised.rhs), raised, given, using)


@recipe("azuma-tail", "Tail of the privacy loss of k ε-private steps", "Yuchen 2019, (6.99)")
def azuma_tail(proof: ProofSteps) -> Fact:
    """Pr(L > τ) ≤ exp(−(τ − ka)²/(2k(ε+a)²)), a = ε(e^ε − 1), for τ > ka."""
    given = (TOTAL > STEPS * CENTRE,)
    order = (TOTAL - STEPS * CENTRE) / (STEPS * LEVEL**2)
    tail = LossTail(TOTAL, p, q, OVER)
    best = _best_chernoff(proof, chernoff_tail(), tail, order, given)
    square = (TOTAL - STEPS * CENTRE) ** 2
    sharp = rules.restate(rules.le(tail, exp(-square / (2 * STEPS * LEVEL**2))), best, given)
    wider = rules.sign(rules.le(LEVEL**2, (LEVEL + CENTRE) ** 2))
    z = Symbol("z", positive=True)
    weaker = rules.scale(rules.apply(Lambda(z, 1 / z), wider), -square / (2 * STEPS), given)
    loose = rules.apply(Lambda(X, exp(X)), weaker, given)
    return proof(
        "a larger denominator",
        rules.chain(sharp, rules.restate(rules.le(sharp.rhs, exp(-square / (2 * STEPS * (LEVEL + CENTRE) ** 2))), loose, given)),
    )


def _best_chernoff(proof: ProofSteps, chernoff: Any, quantity: LossTail | HockeyStick, order: Expr, given: tuple[Any, ...]) -> Fact:
    """Chernoff's bound on a quantity of the composed loss at one order, with the moment of the composition in it."""
    level = quantity.args[0]
    shown = rules.positive(order, given)
    known = rules.instance(chernoff.result, {_named(chernoff, "t"): order, _named(chernoff, "epsilon"): level}, given, [shown])
    moment = _at(order, given, [shown])
    weight = exp(-order * level)
    plain = _as_positive(known, quantity, weight * moment.lhs, RenyiMoment(1 + order, p, q, OVER), given, shown)
    return proof("Chernoff's bound at the best t", rules.chain(plain, rules.scale(moment, weight, given), given=given))


def _named(derivation: Any, name: str) -> Symbol:
    return next(s for s in derivation.result.statement.free_symbols if str(s) == name)


def _as_positive(known: Fact, quantity: Any, bound: Expr, moment: RenyiMoment, given: Any, shown: Fact) -> Fact:
    """A bound for families p ≥ 0, read for p > 0."""
    nonneg = next(base for base in known.statement.atoms(type(P)) if str(base) == "p" and not base.assumptions0.get("positive"))
    moved = rules.instance(known, {nonneg: P}, given)
    return rules.restate(rules.le(quantity, bound), moved, given, using=[rules.definition(moment, given, using=[shown])])


@recipe("advanced-composition", "Advanced composition of ε-private mechanisms", "Dwork, Rothblum & Vadhan 2010; slides of 2022")
def advanced_composition(proof: ProofSteps) -> Fact:
    """δ(ε√(2k log 1/δ) + kε(e^ε − 1)) ≤ δ for k ε-private steps and 0 < δ < 1."""
    given = (DELTA < 1,)
    total = LEVEL * sqrt(2 * STEPS * LOG_DELTA) + STEPS * LEVEL * (exp(LEVEL) - 1)
    order = sqrt(2 * LOG_DELTA / STEPS) / LEVEL
    stick = HockeyStick(total, p, q, OVER)
    best = _best_chernoff(proof, chernoff_delta(), stick, order, given)
    return proof("the exponent is log δ", rules.restate(rules.le(stick, DELTA), best, given))
