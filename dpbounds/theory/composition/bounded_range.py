"""A privacy loss within an interval of length η: zero-concentrated differential privacy with η²/8.

The exponential mechanism has such a loss with η = ε, every ε-private mechanism with η = 2ε. Let c ≤ L ≤ c + η, a = e^c, b = e^{c+η} and
r = p/q:

    (b − a)r^α ≤ (b − r)a^α + (r − a)b^α      (the chord of a convex power)
    (b − a)G_α ≤ (b − 1)a^α + (1 − a)b^α      (the mean of r under q is 1)

The right side is a^α(u + v e^{αη}) with u = b − 1 ≥ 0 and v = 1 − a ≥ 0. The function

    F(t) = t(t−1)η²/8 + t log(u + v e^η) + (1−t) log(u + v) − log(u + v e^{tη})

is convex (Hoeffding) with F(0) = F(1) = 0: its tangent at 1 rises, so F(α) ≥ 0 for α ≥ 1, and a(u + v e^η) = u + v = b − a.
"""

from __future__ import annotations

from typing import Any

from sympy import And, Expr, Lambda, Sum, exp, log

from dpbounds.language.quantifiers import for_each
from dpbounds.language.symbols import nonnegative, positive, real, sums_to_one
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.averages.power_means import LAMBDA
from dpbounds.theory.composition.bounded_loss import LEVEL, LOSS, OVER, P, Q, p, q

START, WIDTH, TIME = real("c"), positive("eta"), real("t")
FIRST, SECOND = nonnegative("u v")
GIVEN = (LAMBDA > 1,)
LOW, HIGH = exp(START), exp(START + WIDTH)
WITHIN = for_each(OVER, And(rules.le(START, LOSS), rules.le(LOSS, START + WIDTH)))
MOMENT = Sum(p**LAMBDA * q ** (1 - LAMBDA), OVER)
X, Z = real("x"), positive("z")


def _masses() -> list[Fact]:
    return [rules.hypothesis(sums_to_one(weights, OVER)) for weights in (P, Q)]


def _ends() -> tuple[Fact, Fact]:
    """a·q ≤ p and p ≤ b·q at every outcome."""
    index = OVER[0]
    here = rules.specialize(rules.hypothesis(WITHIN), index, [index <= OVER[2]])
    parts = [rules.conjunct(here, bound) for bound in here.statement.args]
    low, high = parts if parts[0].lhs == START else reversed(parts)
    raised = [rules.scale(rules.apply(Lambda(X, exp(X)), fact), q) for fact in (low, high)]
    return rules.restate(rules.le(LOW * q, p), raised[0]), rules.restate(rules.le(p, HIGH * q), raised[1])


def _hoeffding_at_one(proof: ProofSteps) -> Fact:
    """u + v e^{αη} ≤ (u + v e^η)^α (u + v)^{1−α} e^{α(α−1)η²/8} for u, v ≥ 0, not both 0, and α > 1."""
    t, u, v = TIME, FIRST, SECOND
    given: tuple[Any, ...] = (rules.lt(0, u + v),)

    def mean(at: Any) -> Expr:
        return u + v * exp(at * WIDTH)

    gap = t * (t - 1) * WIDTH**2 / 8 + t * log(mean(1)) + (1 - t) * log(u + v) - log(mean(t))
    shown = [rules.positive(mean(at), given) for at in (t, 1)]
    tangent = proof("F is convex", rules.convex_tangent(gap, t, 1, given, using=shown))
    slope = gap.diff(t).subs(t, 1)
    zero = rules.instance(tangent, {t: 0}, given)
    rises = proof("so its slope at 1 is nonnegative", rules.restate(rules.le(0, slope), zero, given, using=shown))
    at = rules.instance(tangent, {t: LAMBDA}, given)
    given = (*given, *GIVEN)
    level = rules.restate(rules.le(0, gap.subs(t, LAMBDA)), rules.add(at, rules.scale(rises, LAMBDA - 1, GIVEN)), given, using=shown)
    right = LAMBDA * (LAMBDA - 1) * WIDTH**2 / 8 + LAMBDA * log(mean(1)) + (1 - LAMBDA) * log(u + v)
    logs = rules.restate(rules.le(log(mean(LAMBDA)), right), level, given)
    raised = rules.apply(Lambda(X, exp(X)), logs, given)
    target = rules.le(mean(LAMBDA), mean(1) ** LAMBDA * (u + v) ** (1 - LAMBDA) * bound(WIDTH))
    return proof("and F(alpha) too", rules.restate(target, raised, given, using=shown))


def bound(width: Expr) -> Expr:
    """e^{α(α−1)η²/8}."""
    return exp(LAMBDA * (LAMBDA - 1) * width**2 / 8)


@recipe(
    "bounded-range",
    "A privacy loss within an interval of length η is (η²/8)-zCDP",
    "Cesar & Rogers 2021, Lemma 4; Dong, Durfee & Rogers 2020 for the exponential mechanism",
)
def bounded_range(proof: ProofSteps) -> Fact:
    """Σ p^α q^{1−α} ≤ e^{α(α−1)η²/8} for c ≤ log(p/q) ≤ c + η and every α > 1."""
    low, high = _ends()
    ratio = p / q
    tangent = rules.convex_tangent(Z**LAMBDA, Z, ratio, GIVEN)
    room = [
        rules.restate(rules.le(0, ratio - LOW), rules.scale(low, 1 / q)),
        rules.restate(rules.le(0, HIGH - ratio), rules.scale(high, 1 / q)),
    ]
    weighed = [
        rules.scale(rules.instance(tangent, {Z: end}, GIVEN), weight, GIVEN, using=room)
        for end, weight in ((LOW, HIGH - ratio), (HIGH, ratio - LOW))
    ]
    ends = LOW**LAMBDA, HIGH**LAMBDA
    chord = rules.scale(rules.add(*weighed), q)
    target = rules.le((HIGH - LOW) * p**LAMBDA * q ** (1 - LAMBDA), (HIGH * q - p) * ends[0] + (p - LOW * q) * ends[1])
    each = proof("the chord, times q", rules.restate(target, chord, GIVEN))
    summed = rules.sum_termwise(each, OVER)
    total = rules.le((HIGH - LOW) * MOMENT, (HIGH - 1) * ends[0] + (1 - LOW) * ends[1])
    mean = proof("the mean of p/q is 1", rules.restate(total, summed, GIVEN, using=_masses()))
    begins = rules.restate(rules.le(LOW, 1), rules.sum_termwise(low, OVER), using=_masses())
    stops = rules.restate(rules.le(1, HIGH), rules.sum_termwise(high, OVER), using=_masses())
    wide = rules.sign(rules.lt(0, HIGH - LOW))
    weights = {FIRST: HIGH - 1, SECOND: 1 - LOW}
    inside = [rules.restate(rules.le(0, HIGH - 1), stops), rules.restate(rules.le(0, 1 - LOW), begins), wide]
    lemma = rules.instance(_hoeffding_at_one(proof), weights, GIVEN, using=inside)
    scaled = rules.scale(lemma, ends[0], GIVEN)
    top = rules.restate(rules.le(mean.rhs, (HIGH - LOW) * bound(WIDTH)), scaled, GIVEN, using=inside)
    both = rules.scale(rules.chain(mean, top, given=GIVEN), 1 / (HIGH - LOW), GIVEN, using=[wide])
    return proof("the moment", rules.restate(rules.le(MOMENT, bound(WIDTH)), both, GIVEN, using=[wide]))


@recipe("pure-to-concentrated", "ε-differential privacy is (ε²/2)-zCDP", "Bun & Steinke 2016, Proposition 3.3")
def pure_to_concentrated(proof: ProofSteps) -> Fact:
    """Σ p^α q^{1−α} ≤ e^{α(α−1)ε²/2} for |log(p/q)| ≤ ε and every α > 1: a range of length 2ε."""
    known = proof("a range of length eta", bounded_range().result)
    at = rules.instance(known, {START: -LEVEL, WIDTH: 2 * LEVEL})
    target = rules.le(MOMENT, exp(LAMBDA * (LAMBDA - 1) * LEVEL**2 / 2))
    return proof("eta = 2 epsilon", rules.restate(target, at))
