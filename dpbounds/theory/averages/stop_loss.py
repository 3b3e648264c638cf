"""Pairs in order at every hockey stick: sampling keeps them in order at every Rényi order, whole or not.

For a convex f on [0, ∞), f(x) = f(0) + f′(0)x + ∫_0^∞ f″(t)·max(x − t, 0) dt. With f(x) = (1−r+rx)^λ and x = p/q the mean under q of the
left side is the moment of the sampled pair, and the mean of max(p/q − t, 0) is the hockey-stick divergence at e^ε = t: what is larger there
for every t is larger in every such mean, as f(0) and f′(0) count the masses only.
"""

from __future__ import annotations

from sympy import Expr, Integral, Max, Sum, oo

from dpbounds.language.functions import RenyiMoment
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.symbols import family, index, positive, positive_integer, real, sums_to_one
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact

LAMBDA, RATE, RATIO, WEIGHT = positive("lambda r x w")
LEVEL = real("t")
GIVEN = (LAMBDA > 1, RATE < 1)
SIZE, INDEX = positive_integer("n"), index("i")
OTHER_SIZE = positive_integer("m")
OVER, OTHER = (INDEX, 1, SIZE), (INDEX, 1, OTHER_SIZE)
P, Q, MU, NU = (family(name, "positive") for name in ("p", "q", "mu", "nu"))
BEYOND = (LEVEL, 0, oo)


def _power(at: Expr) -> Expr:
    return (1 - RATE + RATE * at) ** LAMBDA


_BEND = LAMBDA * (LAMBDA - 1) * RATE**2 * (1 - RATE + RATE * LEVEL) ** (LAMBDA - 2)


def stop_loss(p: Expr, q: Expr) -> Expr:
    """q·max(p/q − t, 0)."""
    return q * Max(p / q - LEVEL, 0)


ORDERED = ForAll(LEVEL, LEVEL >= 0, rules.le(Sum(stop_loss(P[INDEX], Q[INDEX]), OVER), Sum(stop_loss(MU[INDEX], NU[INDEX]), OTHER)))


def _represented(proof: ProofSteps) -> Fact:
    """w f(x) = w f(0) + w f′(0)x + ∫_0^∞ w f″(t) max(x−t, 0) dt, with the weight w inside the integral."""
    x, t, w = RATIO, LEVEL, WEIGHT
    largest, bend = Max(x - t, 0), _BEND * w
    inside, outside = (t, 0, x), (t, x, oo)
    near = rules.integrate_termwise(rules.equality(bend * largest, bend * (x - t), [*GIVEN, t >= 0, t <= x]), inside)
    slope = LAMBDA * RATE * (1 - RATE + RATE * t) ** (LAMBDA - 1)
    area = rules.integral(bend * (x - t), inside, w * (slope * (x - t) + _power(t)), GIVEN)
    far = rules.integrate_termwise(rules.equality(bend * largest, 0, [*GIVEN, t >= x]), outside)
    nothing = rules.integral(0 * t, outside, 0 * t, GIVEN)
    split = rules.integral_split(bend * largest, BEYOND, x, GIVEN)
    parts = rules.add(rules.chain(near, area, given=GIVEN), rules.chain(far, nothing, given=GIVEN))
    target = rules.eq(w * _power(x), w * (_power(0) + LAMBDA * RATE * (1 - RATE) ** (LAMBDA - 1) * x) + split.lhs)
    return proof("Taylor's formula", rules.restate(target, rules.chain(split, parts, given=GIVEN), GIVEN))


def _mean(known: Fact, p: Expr, q: Expr, over: tuple[Expr, ...]) -> Fact:
    """Σ q f(p/q) = constants + ∫ f″(t) Σ q max(p/q−t, 0) dt."""
    at = rules.instance(known, {RATIO: p / q, WEIGHT: q}, GIVEN)
    summed = rules.sum_termwise(at, over)
    inner = Sum(_BEND * stop_loss(p, q), over)
    swapped = rules.integral_of_sum(inner, BEYOND, GIVEN)
    masses = [rules.hypothesis(sums_to_one(weights.base, over)) for weights in (p, q)]
    signs = [rules.positive(part, GIVEN) for part in (RATE * p + (1 - RATE) * q, RATE * p / q + 1 - RATE)]
    whole = RenyiMoment(LAMBDA, RATE * p + (1 - RATE) * q, q, over)
    term = rules.equality(whole.definition().function, at.lhs, GIVEN, using=signs)
    left = rules.chain(rules.definition(whole, GIVEN), rules.sum_termwise(term, over), given=GIVEN)
    first, second = (1 - RATE) ** LAMBDA, LAMBDA * RATE * (1 - RATE) ** (LAMBDA - 1)
    linear = first * q + second * p + Integral(_BEND * stop_loss(p, q), BEYOND)
    apart = rules.sum_termwise(rules.equality(at.rhs, linear, GIVEN), over)
    total = rules.eq(apart.rhs, first + second + swapped.lhs)
    ends = rules.restate(total, rules.equality(apart.rhs, first + second + swapped.rhs, GIVEN, using=masses), GIVEN, using=[swapped])
    return rules.chain(left, summed, apart, ends, given=GIVEN)


@recipe(
    "sampling-keeps-order", "Pairs in order at every hockey stick stay in order under sampling", "Yuchen 2019, Conjecture 1, a true case"
)
def sampling_keeps_order(proof: ProofSteps) -> Fact:
    """G_λ(rp + (1−r)q ‖ q) ≤ G_λ(rμ + (1−r)ν ‖ ν) for λ > 1 and 0 < r < 1, if the hockey sticks of (p, q) are at most those of (μ, ν)."""
    known = _represented(proof)
    pairs = ((P[INDEX], Q[INDEX], OVER), (MU[INDEX], NU[INDEX], OTHER))
    means = [proof("in the mean", _mean(known, *pair)) for pair in pairs]
    premise = rules.specialize(rules.hypothesis(ORDERED), LEVEL, [LEVEL >= 0])
    here = [*GIVEN, LEVEL >= 0]
    weighed = rules.scale(premise, _BEND, here)
    inside = [Sum(_BEND * stop_loss(p, q), over) for p, q, over in pairs]
    moved = [rules.equality(inner, side, here) for inner, side in zip(inside, (weighed.lhs, weighed.rhs), strict=True)]
    compared = rules.integrate_termwise(rules.chain(moved[0], weighed, moved[1], given=here), BEYOND)
    constants = (1 - RATE) ** LAMBDA + LAMBDA * RATE * (1 - RATE) ** (LAMBDA - 1)
    both = rules.add(rules.equality(constants, constants, GIVEN), compared)
    return proof("integrate over the levels", rules.chain(means[0], both, means[1], given=GIVEN))
