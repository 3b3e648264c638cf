"""The steps by which the blog compares its three routes for DP-SGD, and what is left of them.

b(ε̃) = log(1 + (e^ε̃ − 1)/r) is the ε of one step before sampling, k the number of epochs, a(ε̃) = ε̃(e^ε̃ − 1) below log 2 and ε̃ from there on.
Route 1 needs ε > k a(ε̃)/r.
"""

from __future__ import annotations

from sympy import Expr, Ge, Lambda, Symbol, exp, log, sqrt

from dpbounds.language.functions import RenyiMoment
from dpbounds.language.symbols import positive, positive_integer, real
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.conversion.conversion import EPSILON, LAMBDA, T, chernoff_delta, p, q
from dpbounds.theory.conversion.conversion import OVER as OUTCOMES
from dpbounds.theory.sampling.moment_growth import ALPHA, RATE, SIGMA, moment_top_term

STEP, TOTAL, EPOCHS = positive("x epsilon k")
SHARE, CONSTANT = positive("c_2 C")
STEPS = positive_integer("T")
X, Z = real("x"), Symbol("z", positive=True)


def _base_level(step: Expr = STEP, rate: Expr = RATE) -> Expr:
    """b(ε̃) = log(1 + (e^ε̃ − 1)/r)."""
    return log(1 + (exp(step) - 1) / rate)


@recipe("route-level", "b(ε̃) ≤ ε̃/r", "Yuchen 2019, comparison of the routes")
def route_level(proof: ProofSteps) -> Fact:
    """log(1 + (e^x − 1)/r) ≤ x/r for x > 0 and 0 < r ≤ 1: the tangent of y^{1/r} at 1."""
    given = (RATE <= 1,)
    tangent = proof("Bernoulli's inequality", rules.convex_tangent(Z ** (1 / RATE), Z, 1, given))
    at = rules.instance(tangent, {Z: exp(STEP)}, given)
    shown = rules.positive(1 + (exp(STEP) - 1) / RATE)
    plain = rules.restate(rules.le(1 + (exp(STEP) - 1) / RATE, exp(STEP / RATE)), at, given)
    logs = rules.apply(Lambda(Z, log(Z)), plain, given, using=[shown])
    return proof("take the logarithm", rules.restate(rules.le(_base_level(), STEP / RATE), logs, given))


@recipe("route-1-large-steps", "Route 1 against Route 2 for ε̃ ≥ log 2", "Yuchen 2019, comparison of the routes")
def route_1_large_steps(proof: ProofSteps) -> Fact:
    """b(ε̃) ≤ ε/k where ε > kε̃/r."""
    given = (RATE <= 1, TOTAL > EPOCHS * STEP / RATE)
    room = rules.scale(rules.hypothesis(given[1]), 1 / EPOCHS)
    return proof("through ε̃/r", rules.restate(rules.le(_base_level(), TOTAL / EPOCHS), rules.chain(route_level().result, room), given))


@recipe("route-1-small-steps", "Route 1 for ε̃ < log 2", "Yuchen 2019, comparison of the routes, with the square root over ε")
def route_1_small_steps(proof: ProofSteps) -> Fact:
    """b(ε̃) ≤ √(ε/(rk)) where ε > kε̃(e^ε̃ − 1)/r."""
    given = (RATE <= 1, EPOCHS * STEP * (exp(STEP) - 1) / RATE < TOTAL)
    x = real("x_0")
    tangent = rules.instance(rules.convex_tangent(exp(x), x, 0), {x: STEP})
    square = rules.scale(rules.restate(rules.le(STEP, exp(STEP) - 1), tangent), STEP)
    room = rules.scale(rules.hypothesis(given[1]), RATE / EPOCHS)
    squared = rules.chain(square, rules.restate(rules.lt(square.rhs, TOTAL * RATE / EPOCHS), room))
    scaled = rules.scale(squared, 1 / RATE**2)
    root = rules.apply(Lambda(Z, sqrt(Z)), scaled)
    fine = proof("ε̃² ≤ ε̃(e^ε̃ − 1) < rε/k", rules.restate(rules.le(STEP / RATE, sqrt(TOTAL / (RATE * EPOCHS))), root))
    return proof("through ε̃/r", rules.chain(route_level().result, fine))


@recipe("route-2-against-3", "Few epochs are necessary for Route 2 to reach Route 3", "Yuchen 2019, comparison of the routes")
def route_2_against_3(proof: ProofSteps) -> Fact:
    """σε/k > 1/(2σ) and (σε/√k − √k/(2σ))² ≥ c₂σ²ε give k < ε/c₂."""
    first, second = SIGMA * TOTAL / sqrt(EPOCHS), sqrt(EPOCHS) / (2 * SIGMA)
    given = (SIGMA * TOTAL / EPOCHS > 1 / (2 * SIGMA), Ge((first - second) ** 2, SHARE * SIGMA**2 * TOTAL))
    larger = rules.restate(rules.lt(second, first), rules.scale(rules.hypothesis(given[0]), sqrt(EPOCHS)))
    twice = rules.add(larger, rules.positive(first))
    cross = rules.scale(rules.restate(rules.lt(0, 2 * first - second), twice), second)
    below = proof("the square is below its first part", rules.restate(rules.lt((first - second) ** 2, first**2), cross))
    whole = rules.chain(rules.hypothesis(given[1]), below)
    divided = rules.scale(whole, EPOCHS / (SIGMA**2 * TOTAL * SHARE))
    return proof("divide", rules.restate(rules.lt(EPOCHS, TOTAL / SHARE), divided))


@recipe("claim-28", "δ of T steps from one bounded moment", "Yuchen 2019, Claim 28, with T log C for kC and λ − 1 for λ")
def claim_28(proof: ProofSteps) -> Fact:
    """G_λ ≤ C^T for the composition and T log C ≤ (λ/2 − 1)ε give δ(ε) ≤ e^{−λε/2}, for λ > 1."""
    moment = RenyiMoment(LAMBDA, p, q, OUTCOMES)
    enough = rules.le(STEPS * log(CONSTANT), (LAMBDA / 2 - 1) * EPSILON)
    given = (LAMBDA > 1,)
    premise = rules.hypothesis(rules.le(moment, CONSTANT**STEPS), given)
    known = rules.instance(chernoff_delta().result, {T: LAMBDA - 1}, given)
    weight = exp(-(LAMBDA - 1) * EPSILON)
    plain = proof("Chernoff's bound", rules.restate(rules.le(known.lhs, weight * moment), known, given))
    bound = rules.chain(plain, rules.scale(premise, weight, given), given=given)
    exponent = rules.apply(Lambda(X, exp(X)), rules.hypothesis(enough))
    last = rules.scale(exponent, weight)
    target = rules.le(bound.rhs, exp(-LAMBDA * EPSILON / 2))
    return proof("the exponent", rules.chain(bound, rules.restate(target, last), given=given))


@recipe("example-4", "Subsampled Gaussian divergence while λ(λ−1)/(2σ²) stays bounded", "Yuchen 2019, Example 4, with the condition")
def example_4(proof: ProofSteps) -> Fact:
    """r(e^{λ(λ−1)/2σ²} − 1)/(λ−1) ≤ (e^a − 1)/a · rλ/(2σ²) for λ(λ−1)/(2σ²) ≤ a: the chord of the exponential."""
    top = positive("a")
    given = (ALPHA > 1, top >= ALPHA * (ALPHA - 1) / (2 * SIGMA**2))
    u = ALPHA * (ALPHA - 1) / (2 * SIGMA**2)
    tangent = rules.convex_tangent(exp(X), X, u, given)
    left = rules.restate(rules.le(0, top - u), rules.hypothesis(given[1]))
    ends = [
        rules.scale(rules.instance(tangent, {X: end}, given), weight, given, using=[left])
        for end, weight in ((top, u / top), (0 * top, (top - u) / top))
    ]
    chord = proof("the chord", rules.restate(rules.le(exp(u) - 1, u * (exp(top) - 1) / top), rules.add(*ends), given))
    scaled = rules.scale(chord, RATE / (ALPHA - 1), given)
    target = rules.le(RATE * (exp(u) - 1) / (ALPHA - 1), (exp(top) - 1) / top * RATE * ALPHA / (2 * SIGMA**2))
    return proof("times r/(λ−1)", rules.restate(target, scaled, given))


@recipe("example-4-large-orders", "The divergence of the sampled Gaussian is not O(r) at large orders", "Yuchen 2019, on Example 4")
def example_4_large_orders(proof: ProofSteps) -> Fact:
    """e^{λ(λ−1)/4σ²} < G_λ, that is D_λ > λ/(4σ²), for λ > 1 + 4σ² log(1/r) and 0 < r < 1."""
    given = (ALPHA > 1, RATE < 1, 4 * SIGMA**2 * log(1 / RATE) < ALPHA - 1)
    top = proof("the highest term", moment_top_term().result)
    room = rules.scale(rules.hypothesis(given[2]), ALPHA / (4 * SIGMA**2))
    power = rules.apply(Lambda(X, exp(-X)), room)
    u = ALPHA * (ALPHA - 1) / (4 * SIGMA**2)
    small = rules.scale(power, exp(2 * u))
    first = rules.restate(rules.lt(exp(u), RATE**ALPHA * exp(ALPHA * (ALPHA - 1) / (2 * SIGMA**2))), small, given)
    return proof("half of it is left", rules.chain(first, top, given=given))
