"""Legendre transforms of cumulants and the δ bounds that they give."""

from __future__ import annotations

from collections.abc import Callable

from sympy import Expr, Function, Ge, Lambda, Piecewise, Rational, S, erf, exp, oo, sqrt

from dpbounds.language.functions import HockeyStick, Supremum, normal_density
from dpbounds.language.symbols import positive, positive_integer, real
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.conversion.constrained import DELTA, LOSS
from dpbounds.theory.conversion.conversion import (
    BASE,
    CEILING,
    EPSILON,
    MASS,
    T,
    bounded_above,
    constant_below_one,
    delta_at_each_order,
    delta_from_cumulants,
    delta_from_transform,
    excess,
    sharp_constant,
)
from dpbounds.theory.noise.gaussian import OUTPUT, gaussian_moment

SIGMA, SCALE = positive("sigma k")
STEPS = positive_integer("k")
X = real("x")
LINE = (OUTPUT, -oo, oo)


@recipe("legendre-scaling", "(kf)*(x) = k f*(x/k)", "Yuchen 2019, before Claim 23")
def legendre_scaling(proof: ProofSteps) -> Fact:
    """sup_{t>0}(xt − k f(t)) = k·sup_{t>0}((x/k)t − f(t)) for every function f and k > 0, where the second one is finite."""
    return _scaled_transform(proof, X, Function("f", real=True))


def _scaled_transform(proof: ProofSteps, x: Expr, f: Callable[[Expr], Expr]) -> Fact:
    """(kf)*(x) = k f*(x/k), where it is finite."""
    inner, outer = x / SCALE * T - f(T), x * T - SCALE * f(T)
    finite = bounded_above(inner)
    more = rules.restate(rules.le(outer, SCALE * CEILING), rules.scale(finite, SCALE))
    over = (T, 0, oo)
    scaled = proof("take the factor out", rules.scale_extremum(Supremum(inner, over), SCALE))
    same = proof("the functions agree", rules.rewrite_extremum(Supremum(outer, over), scaled.lhs))
    target = rules.eq(Supremum(outer, over), SCALE * Supremum(inner, over))
    return proof("scaling", rules.restate(target, rules.chain(same, scaled), using=[finite, more]))


@recipe("claim-23", "δ(ε) of a k-fold composition", "Yuchen 2019, Claim 23")
def claim_23(proof: ProofSteps) -> Fact:
    """Cumulants at most kκ(t) for all t > 0 give δ(ε) ≤ exp(−k κ*(ε/k)) where κ*(ε/k) is finite; Claim 22 gives the premise."""
    kappa = Function("kappa", real=True)
    each = delta_at_each_order(proof, lambda t: SCALE * kappa(t))
    loss = EPSILON / SCALE * T - kappa(T)
    finite = rules.restate(rules.le(EPSILON * T - SCALE * kappa(T), SCALE * CEILING), rules.scale(bounded_above(loss), SCALE))
    whole = delta_from_transform(proof, each, EPSILON * T - SCALE * kappa(T), finite)
    equal = proof("(kκ)*(ε) = k κ*(ε/k)", _scaled_transform(proof, EPSILON, kappa))
    return proof("insert it", rules.chain(whole, rules.equality(whole.rhs, exp(-SCALE * Supremum(loss, (T, 0, oo))), using=[equal])))


def _gaussian_cumulant(t: Expr, sigma: Expr = SIGMA) -> Expr:
    """κ(t) = t(t+1)/(2σ²)."""
    return t * (t + 1) / (2 * sigma**2)


@recipe("gaussian-legendre", "Legendre transform of the Gaussian cumulant", "Yuchen 2019, Example 2")
def gaussian_legendre(proof: ProofSteps) -> Fact:
    """sup_{t>0}(εt − t(t+1)/(2σ²)) = (εσ − 1/(2σ))²/2 if ε ≥ 1/(2σ²), and 0 otherwise."""
    quantity = Supremum(EPSILON * T - _gaussian_cumulant(T), (T, 0, oo))
    function = quantity.args[0]
    value = (EPSILON * SIGMA - 1 / (2 * SIGMA)) ** 2 / 2
    condition = Ge(EPSILON, 1 / (2 * SIGMA**2))
    closed = Piecewise((value, condition), (0, True))
    best = EPSILON * SIGMA**2 - Rational(1, 2)
    square = proof("complete the square", rules.restate(rules.le(function, value), rules.nonnegative((T - best) ** 2 / (2 * SIGMA**2))))
    attained = proof("attained at t = εσ² − 1/2", rules.equality(function.subs(T, best), value))
    reach = rules.restate(rules.le(0, best), rules.scale(rules.hypothesis(condition), SIGMA**2))
    high = rules.supremum(quantity, square, attained, best, [condition], using=[reach])
    above = proof("for large ε", rules.chain(high, rules.branch(closed, 0, [condition])))
    slope = rules.restate(
        rules.le(EPSILON - (T + 1) / (2 * SIGMA**2), 0),
        rules.add(rules.hypothesis(condition.negated), rules.sign(rules.le(-T / (2 * SIGMA**2), 0))),
    )
    falls = rules.restate(rules.le(function, 0), rules.scale(slope, T))
    low = rules.supremum(quantity, falls, rules.equality(function.subs(T, 0), 0), 0)
    below = proof("for small ε", rules.chain(low, rules.branch(closed, 1, [condition.negated])))
    result = proof("both cases", rules.cases(above, below, over=condition))
    proof.formula(closed, EPSILON, SIGMA)
    return result


def _gaussian_excess(proof: ProofSteps) -> Fact:
    """∫ max(P − e^ε Q, 0) ≤ c(t) e^{t(t+1)/(2σ²) − tε} for P = N(1,σ²), Q = N(0,σ²) and every t > 0."""
    one, zero = normal_density(OUTPUT, 1, SIGMA), normal_density(OUTPUT, 0, SIGMA)
    pointwise = rules.instance(excess(proof), {MASS: one, BASE: zero})
    integrated = proof("integrate", rules.integrate_termwise(pointwise, LINE))
    _, _, moment = gaussian_moment(1 + T, 1, SIGMA)
    right = sharp_constant(T) * exp(_gaussian_cumulant(T) - T * EPSILON)
    quantity = HockeyStick(EPSILON, one, zero, LINE)
    constant = rules.equality(integrated.rhs, right, using=[moment])
    return proof("the moment of the Gaussian", rules.chain(rules.definition(quantity), integrated, constant))


@recipe("gaussian-delta-sharp", "δ(ε) of the Gaussian mechanism, with the sharp constant", "Canonne, Kamath & Steinke 2020, Proposition 12")
def gaussian_delta_sharp(proof: ProofSteps) -> Fact:
    """δ(ε) ≤ t^t/(1+t)^{1+t} · e^{t(t+1)/(2σ²) − tε} for every t > 0."""
    return _gaussian_excess(proof)


@recipe("example-2", "δ(ε) of the Gaussian mechanism by its Legendre transform", "Yuchen 2019, Example 2, with λ* = 1/2 + εσ²")
def example_2(proof: ProofSteps) -> Fact:
    """δ(ε) ≤ exp(−(1/(2σ) − εσ)²/2) for ε > 1/(2σ²)."""
    sharp = gaussian_delta_sharp().result
    weight = exp(_gaussian_cumulant(T) - T * EPSILON)
    loose = proof("drop the sharp constant", rules.chain(sharp, rules.scale(constant_below_one(), weight)))
    given = [EPSILON > 1 / (2 * SIGMA**2)]
    best = EPSILON * SIGMA**2 - Rational(1, 2)
    allowed = rules.restate(rules.lt(0, best), rules.scale(rules.hypothesis(given[0]), SIGMA**2))
    moved = proof("at t = εσ² − 1/2", rules.instance(loose, {T: best}, given, using=[allowed]))
    return proof("complete the square", rules.restate(rules.le(moved.lhs, exp(-((1 / (2 * SIGMA) - EPSILON * SIGMA) ** 2) / 2)), moved))


def _gaussian_composition_bound(proof: ProofSteps) -> Fact:
    """δ(ε) ≤ exp(−(√k/(2σ) − εσ/√k)²/2) from cumulants at most k t(t+1)/(2σ²), for ε > k/(2σ²)."""
    whole = delta_from_cumulants(proof, lambda t: STEPS * _gaussian_cumulant(t))
    scale = SIGMA / sqrt(STEPS)
    transform = proof("Legendre transform with σ/√k", rules.instance(gaussian_legendre().result, {SIGMA: scale}))
    given = [EPSILON > STEPS / (2 * SIGMA**2)]
    branch = rules.branch(transform.rhs, 0, given)
    quantity = Supremum(EPSILON * T - STEPS * _gaussian_cumulant(T), (T, 0, oo))
    value = rules.chain(rules.rewrite_extremum(quantity, transform.lhs), transform, branch)
    closed = exp(-((sqrt(STEPS) / (2 * SIGMA) - EPSILON * SIGMA / sqrt(STEPS)) ** 2) / 2)
    return proof("insert it", rules.chain(whole, rules.equality(whole.rhs, closed, given, using=[value])))


@recipe("example-3", "δ(ε) of k Gaussian mechanisms", "Yuchen 2019, Example 3, with the condition σ² > k/(2ε)")
def example_3(proof: ProofSteps) -> Fact:
    """δ(ε) ≤ exp(−(√k/(2σ) − εσ/√k)²/2) for ε > k/(2σ²), when the cumulants are those of k Gaussian mechanisms (Claim 22)."""
    return _gaussian_composition_bound(proof)


def _enough_noise(proof: ProofSteps, wide: Fact, noise: Expr, known: Fact, uses: Expr) -> tuple[Fact, Fact]:
    """From √(2 log 1/δ)/ε + 1/√(2ε) < s = σ/√k: δ(ε) ≤ e^{−(εs − 1/(2s))²/2} by what is known, and that this is less than δ."""
    epsilon, given = positive("epsilon"), [DELTA < 1]
    first, second = sqrt(2 * LOSS) / epsilon, 1 / sqrt(2 * epsilon)
    part = rules.sign(rules.le(second, first + second), given)
    at_least = proof("so it exceeds 1/√(2ε)", rules.chain(part, wide))
    z = positive("z")
    inverse = rules.apply(Lambda(z, 1 / (2 * z)), at_least, given)
    lower = rules.add(rules.scale(wide, epsilon), rules.scale(inverse, 1))
    target = rules.lt(sqrt(2 * LOSS), epsilon * noise - 1 / (2 * noise))
    deep = proof("the square root of the exponent", rules.restate(target, lower, given))
    smaller = rules.apply(Lambda(X, exp(-X)), rules.apply(Lambda(z, z**2 / 2), deep, given), given)
    bound = rules.instance(known, {EPSILON: epsilon}, given)
    doubled = rules.apply(Lambda(z, z**2), at_least, given)
    allowed = rules.restate(rules.lt(uses / (2 * SIGMA**2), epsilon), rules.scale(doubled, uses * epsilon / SIGMA**2, given), given)
    return rules.discharge(bound, allowed), rules.restate(rules.le(bound.rhs, DELTA), smaller, given)


@recipe("example-3-noise", "Noise that makes k Gaussian mechanisms (ε, δ)-private", "Yuchen 2019, Example 3")
def example_3_noise(proof: ProofSteps) -> Fact:
    """σ > √k(√(2 log 1/δ)/ε + 1/√(2ε)) gives δ(ε) ≤ δ for k Gaussian mechanisms, 0 < δ < 1, ε > 0."""
    epsilon, given = positive("epsilon"), [DELTA < 1]
    wanted, s = sqrt(2 * LOSS) / epsilon + 1 / sqrt(2 * epsilon), SIGMA / sqrt(STEPS)
    enough = rules.hypothesis(sqrt(STEPS) * wanted < SIGMA, given)
    wide = proof("σ/√k is large", rules.restate(rules.lt(wanted, s), rules.scale(enough, 1 / sqrt(STEPS), given)))
    bound, below = _enough_noise(proof, wide, s, example_3().result, STEPS)
    return proof("δ(ε) ≤ δ", rules.restate(rules.le(bound.lhs, DELTA), rules.chain(bound, below)))


@recipe("claim-9", "Noise that makes a Gaussian mechanism (ε, δ)-private", "Yuchen 2019, Claim 9 and (6.81) of its first part")
def claim_9(proof: ProofSteps) -> Fact:
    """σ > √(2 log 1/δ)/ε + 1/√(2ε) gives δ(ε) ≤ δ for the Gaussian mechanism, 0 < δ < 1, ε > 0."""
    epsilon = positive("epsilon")
    wide = rules.hypothesis(rules.lt(sqrt(2 * LOSS) / epsilon + 1 / sqrt(2 * epsilon), SIGMA), [DELTA < 1])
    return proof("δ(ε) ≤ δ", rules.chain(*_enough_noise(proof, wide, SIGMA, example_2().result, S.One)))


@recipe("gaussian-tail", "Tail of Gaussian noise", "Yuchen 2019, (6.7) of its first part")
def gaussian_tail(proof: ProofSteps) -> Fact:
    """∫_t^∞ N(y; 0, σ²) dy ≤ e^{−t²/(2σ²)}/2 for t > 0: there N(y; 0, σ²) ≤ e^{−t²/(2σ²)} N(y; t, σ²)."""
    y, t = OUTPUT, T
    gap = rules.restate(rules.le(0, y - t), rules.hypothesis(y >= t))
    exponent = rules.restate(
        rules.le(-(y**2) / (2 * SIGMA**2), -((y - t) ** 2) / (2 * SIGMA**2) - t**2 / (2 * SIGMA**2)), rules.scale(gap, t / SIGMA**2)
    )
    near, far = normal_density(y, 0, SIGMA), normal_density(y, t, SIGMA)
    factor = exp(-(t**2) / (2 * SIGMA**2))
    powered = rules.scale(rules.apply(Lambda(X, exp(X)), exponent), far * exp((y - t) ** 2 / (2 * SIGMA**2)))
    pointwise = proof("beyond t", rules.restate(rules.le(near, factor * far), powered))
    integrated = rules.integrate_termwise(pointwise, (y, t, oo))
    mass = rules.integral(factor * far, (y, t, oo), factor * erf((y - t) / (sqrt(2) * SIGMA)) / 2)
    return proof("half of the mass lies beyond its mean", rules.chain(integrated, mass))
