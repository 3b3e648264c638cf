"""How much Gaussian noise is enough, and when it is not: the classical σ = √(2 log(1.25/δ))/ε, and noise of the order 1/ε.

With σ = c/ε and t = c²/ε the sharp Chernoff bound reads

    δ(ε) ≤ (t/(1+t))^t/(1+t) · e^{(ε − c²)/2} ≤ e^{(ε − c²)/2}/(1 + c²/ε),

and c² = 2 log(1.25/δ) makes e^{−c²/2} = 0.8δ. For δ ≤ 1, c² ≥ 2 log 1.25, and then e^{1/2} ≤ 1.25(1 + c²) closes it up to ε = 1.

If σ = c/ε at ε = 2c² + 3, every output beyond the mean has e^ε Q ≤ e^{−3} P, so δ(ε) ≥ (1 − e^{−3})/2, for every c.
"""

from __future__ import annotations

from sympy import Eq, Integral, Lambda, Max, Rational, Symbol, erf, exp, log, oo, sqrt

from dpbounds.language.functions import HockeyStick, normal_density
from dpbounds.language.symbols import positive, real
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.conversion.conversion import EPSILON as ANY_LEVEL
from dpbounds.theory.conversion.conversion import T, sharp_constant
from dpbounds.theory.conversion.legendre import SIGMA, gaussian_delta_sharp
from dpbounds.theory.noise.gaussian import OUTPUT

LEVEL, DELTA, NOISE = positive("epsilon delta c")
X, Z = real("x"), Symbol("z", positive=True)
LINE = (OUTPUT, -oo, oo)


def _constant_bound() -> Fact:
    """t^t/(1+t)^{1+t} ≤ 1/(1+t), since (t/(1+t))^t ≤ 1."""
    ratio = rules.sign(rules.le(T / (1 + T), 1))
    power = rules.apply(Lambda(X, X**T), ratio)
    return rules.restate(rules.le(sharp_constant(T), 1 / (1 + T)), rules.scale(power, 1 / (1 + T)))


def _root_of_e() -> Fact:
    """e^{1/2} ≤ 5/4 + (5/2) log(5/4): e^{1/8} ≤ 8/7 and 1/5 ≤ log(5/4), by 1 + x ≤ e^x at −1/8 and −1/5."""
    eighth, fifth = (rules.sign(rules.le(1 - x, exp(-x))) for x in (Rational(1, 8), Rational(1, 5)))
    near = rules.restate(rules.le(exp(Rational(1, 8)), Rational(8, 7)), rules.scale(eighth, Rational(8, 7) * exp(Rational(1, 8))))
    root = rules.apply(Lambda(Z, Z**4), near)
    below = rules.restate(rules.le(exp(Rational(1, 5)), Rational(5, 4)), rules.scale(fifth, Rational(5, 4) * exp(Rational(1, 5))))
    logs = rules.scale(rules.apply(Lambda(Z, log(Z)), below), Rational(5, 2))
    total = rules.restate(rules.le(Rational(7, 4), Rational(5, 4) * (1 + 2 * log(Rational(5, 4)))), logs)
    return rules.chain(root, rules.sign(rules.le(root.rhs, Rational(7, 4))), total)


@recipe("gaussian-noise", "Gaussian noise σ = √(2 log(1.25/δ))/ε", "Dwork & Roth 2014, Theorem A.1, for ε ≤ 1")
def gaussian_noise(proof: ProofSteps) -> Fact:
    """δ(ε) ≤ δ for σ = √(2 log(5/(4δ)))/ε, 0 < ε ≤ 1 and 0 < δ ≤ 1."""
    given = (LEVEL <= 1, DELTA <= 1)
    square = 2 * log(Rational(5, 4) / DELTA)
    least = rules.apply(Lambda(Z, 2 * log(Rational(5, 4) / Z)), rules.hypothesis(given[1]))
    shown = rules.chain(rules.positive(2 * log(Rational(5, 4))), least)
    sigma, order = sqrt(square) / LEVEL, square / LEVEL
    sharp = proof("Chernoff's bound with the sharp constant", gaussian_delta_sharp().result)
    weight = exp(T * (T + 1) / (2 * SIGMA**2) - T * ANY_LEVEL)
    looser = rules.chain(sharp, rules.scale(_constant_bound(), weight))
    at = rules.instance(looser, {SIGMA: sigma, T: order, ANY_LEVEL: LEVEL}, given, [shown])
    bound = Rational(4, 5) * DELTA * exp(LEVEL / 2) * LEVEL / (LEVEL + square)
    first = proof("at t = c²/ε", rules.restate(rules.le(at.lhs, bound), at, given, using=[shown]))
    half = rules.apply(Lambda(X, exp(X / 2)), rules.hypothesis(given[0]))
    numbers = _root_of_e()
    more = rules.scale(rules.chain(half, numbers), LEVEL, given)
    room = rules.scale(rules.hypothesis(given[0]), 2 * log(Rational(5, 4)))
    enough = rules.chain(
        more, rules.restate(rules.le(more.rhs, Rational(5, 4) * (LEVEL + 2 * log(Rational(5, 4)))), rules.scale(room, Rational(5, 4)))
    )
    wider = rules.chain(
        enough, rules.restate(rules.le(enough.rhs, Rational(5, 4) * (LEVEL + square)), rules.scale(least, Rational(5, 4)), given)
    )
    scaled = rules.scale(wider, Rational(4, 5) * DELTA / (LEVEL + square), given, using=[shown])
    last = rules.restate(rules.le(bound, DELTA), scaled, given, using=[shown])
    return proof("δ(ε) ≤ δ", rules.chain(first, last))


def _large_shift(proof: ProofSteps) -> Fact:
    """(1 − e^{−3})/2 ≤ δ(ε) where ε + 3 ≤ 1/(2σ²)."""
    one, zero = normal_density(OUTPUT, 1, SIGMA), normal_density(OUTPUT, 0, SIGMA)
    far = rules.hypothesis(rules.le(LEVEL + 3, 1 / (2 * SIGMA**2)))
    beyond = rules.restate(rules.le(1, 2 * OUTPUT - 1), rules.scale(rules.hypothesis(OUTPUT >= 1), 2))
    loss = rules.chain(far, rules.scale(beyond, 1 / (2 * SIGMA**2)))
    powered = rules.scale(rules.apply(Lambda(X, exp(-X)), loss), exp(LEVEL) * one)
    small = proof("beyond the mean", rules.restate(rules.le(exp(LEVEL) * zero, exp(-3) * one), powered))
    near, share = one - exp(LEVEL) * zero, 1 - exp(-3)
    largest = Max(near, 0)
    pointwise = rules.chain(rules.restate(rules.le(share * one, near), small), rules.below_maximum(largest, largest.args.index(near)))
    half = rules.integrate_termwise(pointwise, (OUTPUT, 1, oo))
    mass = rules.integral(share * one, (OUTPUT, 1, oo), share * erf((OUTPUT - 1) / (sqrt(2) * SIGMA)) / 2)
    quantity = HockeyStick(LEVEL, one, zero, LINE)
    split = rules.integral_split(largest, LINE, 1)
    left = rules.nonnegative(Integral(largest, (OUTPUT, -oo, 1)))
    whole = rules.add(rules.chain(rules.restate(Eq(mass.rhs, mass.lhs, evaluate=False), mass), half), left)
    meaning = [rules.definition(quantity), split]
    return proof("half of the outputs count", rules.restate(rules.le(share / 2, quantity), whole, using=meaning))


@recipe("noise-of-order-one", "Noise σ = c/ε is not enough for any constant c", "Yuchen 2019, on (10)")
def noise_of_order_one(proof: ProofSteps) -> Fact:
    """(1 − e^{−3})/2 ≤ δ(ε) for σ = c/ε at ε = 2c² + 3, for every c > 0."""
    level = 2 * NOISE**2 + 3
    sigma = NOISE / level
    bound = _large_shift(proof)
    enough = rules.sign(rules.le(level + 3, 1 / (2 * sigma**2)))
    return proof("at this σ and ε", rules.instance(bound, {SIGMA: sigma, LEVEL: level}, using=[enough]))
