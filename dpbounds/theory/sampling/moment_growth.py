"""How the moment of the sampled Gaussian grows: the exact condition on sampling rate and order under which it stays bounded.

Let G = G_λ(rN(1,σ²)+(1−r)N(0,σ²) ‖ N(0,σ²)).

* **Below.** rp+(1−r)q ≥ p^r q^{1−r}, so G ≥ e^{λr(λr−1)/2σ²}; and rp+(1−r)q ≥ rp, so G ≥ r^λ e^{λ(λ−1)/2σ²}.
* **Above**, integer λ ≤ cσ² and λr ≤ aσ. With b = 1+c/2 and K = a(e^b−1), e^{k(k−1)/2σ²} ≤ e^{K²/2} + e^{bk−Kσ} for 0 ≤ k ≤ λ: the
  first term suffices for k ≤ Kσ, the second for k > Kσ, where k²/2σ² ≤ ck/2 and bk−Kσ ≥ ck/2. In the binomial sum for G the first terms
  add up to e^{K²/2}, the second to (1+r(e^b−1))^λ e^{−Kσ} ≤ 1. So G ≤ 1 + e^{K²/2}.

For r = c₁σ^{−d} and λ = c₂σ^e the upper bound applies when e ≤ 2 and e ≤ 1+d, and one of the lower bounds grows without limit otherwise.
"""

from __future__ import annotations

import sympy
from sympy import Eq, Expr, Lambda, Le, Symbol, binomial, exp, log, oo

from dpbounds.language.functions import SampledGaussianMoment, normal_density
from dpbounds.language.symbols import positive
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.noise.gaussian import OUTPUT, gaussian_moment
from dpbounds.theory.sampling.subsampled import ORDER, SAMPLING, SIGMA, TERM, sampled_gaussian_moment

ALPHA = positive("alpha")
RATE = positive("r")
_ONE, _ZERO = normal_density(OUTPUT, 1, SIGMA), normal_density(OUTPUT, 0, SIGMA)
_LINE = (OUTPUT, -oo, oo)


def _mean_above_power(proof: ProofSteps) -> Fact:
    """p^r q^{1−r} ≤ rp + (1−r)q for densities p, q > 0 and 0 < r < 1."""
    given = (RATE < 1,)
    x = Symbol("x", real=True)
    p, q = positive("p q")
    middle = RATE * log(p) + (1 - RATE) * log(q)
    tangent = rules.convex_tangent(exp(x), x, middle, given)
    parts = [rules.scale(rules.instance(tangent, {x: log(point)}, given), weight, given) for point, weight in ((p, RATE), (q, 1 - RATE))]
    mean = rules.restate(rules.le(p**RATE * q ** (1 - RATE), RATE * p + (1 - RATE) * q), rules.add(*parts), given)
    return proof("weighted means", rules.instance(mean, {p: _ONE, q: _ZERO}, given))


def _moment_above(proof: ProofSteps, below: Fact, left: Expr, order: Expr, factor: Expr | int, given: tuple[object, ...]) -> Fact:
    """From a bound below the mixture, whose power times q^{1−α} is factor·p^order·q^{1−order}: factor·e^{order(order−1)/2σ²} ≤ G."""
    x = Symbol("x", positive=True)
    powered = rules.scale(rules.apply(Lambda(x, x**ALPHA), below, given), _ZERO ** (1 - ALPHA), given)
    pointwise = proof("raise to the order", rules.restate(rules.le(left, powered.rhs), powered, given))
    whole = rules.integrate_termwise(pointwise, _LINE)
    _, _, known = gaussian_moment(order, 1)
    growth = factor * exp(order * (order - 1) / (2 * SIGMA**2))
    value = rules.equality(growth, whole.lhs, given, using=[known])
    quantity = SampledGaussianMoment(ALPHA, SIGMA, RATE, "remove")
    return proof("integrate", rules.chain(value, whole, rules.definition(quantity, given), given=given))


@recipe("moment-lower-bound", "The moment of the sampled Gaussian is at least that of a Gaussian of mean r", "Yuchen 2019, on Claim 26")
def moment_lower_bound(proof: ProofSteps) -> Fact:
    """e^{λr(λr−1)/2σ²} ≤ G_λ for real λ > 1 and 0 < r < 1."""
    given = (ALPHA > 1, RATE < 1)
    mean, left = _mean_above_power(proof), _ONE ** (ALPHA * RATE) * _ZERO ** (1 - ALPHA * RATE)
    return _moment_above(proof, mean, left, ALPHA * RATE, 1, given)


@recipe("moment-top-term", "The moment of the sampled Gaussian is at least its highest term", "Yuchen 2019, on Claim 26")
def moment_top_term(proof: ProofSteps) -> Fact:
    """r^λ e^{λ(λ−1)/2σ²} ≤ G_λ for real λ > 1 and 0 < r < 1."""
    given = (ALPHA > 1, RATE < 1)
    part = rules.sign(rules.le(RATE * _ONE, RATE * _ONE + (1 - RATE) * _ZERO), given)
    return _moment_above(proof, part, RATE**ALPHA * _ONE**ALPHA * _ZERO ** (1 - ALPHA), ALPHA, RATE**ALPHA, given)


NOISE_SHARE, ORDER_SHARE = positive("a c")
EXPONENT = 1 + ORDER_SHARE / 2
RADIUS = positive("K")


def one_growth(proof: ProofSteps) -> Fact:
    """e^{k(k−1)/2σ²} ≤ e^{K²/2} + e^{bk−Kσ} for 0 ≤ k ≤ λ ≤ cσ²."""
    given = (Le(TERM, ORDER), Le(ORDER, ORDER_SHARE * SIGMA**2))
    flat, steep = exp(RADIUS**2 / 2), exp(EXPONENT * TERM - RADIUS * SIGMA)
    near, x = Le(TERM, RADIUS * SIGMA), Symbol("x", real=True)
    exponent = TERM * (TERM - 1) / (2 * SIGMA**2)
    square = rules.multiply(rules.hypothesis(near), rules.hypothesis(near))
    small = rules.restate(rules.le(TERM**2 / (2 * SIGMA**2), RADIUS**2 / 2), rules.scale(square, 1 / (2 * SIGMA**2)))
    smaller = rules.chain(rules.sign(rules.le(exponent, TERM**2 / (2 * SIGMA**2))), small)
    first = rules.chain(rules.apply(Lambda(x, exp(x)), smaller), rules.sign(rules.le(flat, flat + steep)))
    far = near.negated
    order = rules.chain(rules.hypothesis(given[0]), rules.hypothesis(given[1]))
    slope = rules.scale(order, TERM / (2 * SIGMA**2))
    limited = rules.restate(rules.le(TERM**2 / (2 * SIGMA**2), ORDER_SHARE * TERM / 2), slope)
    beyond = rules.restate(rules.le(0, TERM - RADIUS * SIGMA), rules.hypothesis(far))
    dropped = rules.sign(rules.le(exponent, TERM**2 / (2 * SIGMA**2)))
    larger = rules.restate(rules.le(exponent, EXPONENT * TERM - RADIUS * SIGMA), rules.add(rules.chain(dropped, limited), beyond))
    second = rules.chain(rules.apply(Lambda(x, exp(x)), larger), rules.sign(rules.le(steep, flat + steep)))
    return proof("each exponential is below a constant plus a geometric term", rules.cases(first, second, over=near))


def sum_is_power(share: Expr, given: tuple[object, ...], value: Expr, order: Expr = ORDER) -> Fact:
    """Σ_k C(λ,k) share^k (1−q)^{λ−k} = value."""
    power = rules.binomial_theorem(share, 1 - SAMPLING, order, TERM, given)
    return rules.chain(rules.restate(Eq(power.rhs, power.lhs, evaluate=False), power, given), rules.equality(power.lhs, value, given))


def power_below(power: Expr, given: tuple[object, ...], slope: Expr = EXPONENT) -> Fact:
    """(1 − q + qe^b)^m ≤ e^{aσ(e^b−1)} for b > 0, 0 ≤ m ≤ λ and λq ≤ aσ."""
    rise = exp(slope)
    x, y = Symbol("x", real=True), Symbol("y", positive=True)
    tangent = rules.convex_tangent(exp(x), x, 0)
    above_one = rules.restate(rules.le(slope, rise - 1), rules.instance(tangent, {x: slope}))
    positive_base = rules.chain(
        rules.positive(1 + SAMPLING * slope),
        rules.restate(rules.le(1 + SAMPLING * slope, 1 - SAMPLING + SAMPLING * rise), rules.scale(above_one, SAMPLING)),
    )
    one_step = rules.instance(tangent, {x: SAMPLING * (rise - 1)})
    step = rules.restate(rules.le(1 - SAMPLING + SAMPLING * rise, one_step.rhs), one_step)
    many = rules.apply(Lambda(y, y**power), step, given, using=[positive_base])
    fewer = rules.sign(rules.le(power * SAMPLING, ORDER * SAMPLING), given)
    limit = rules.hypothesis(Le(ORDER * SAMPLING, NOISE_SHARE * SIGMA))
    exponent = rules.scale(rules.chain(fewer, limit), rise - 1, using=[rise_is_positive(slope)])
    raised = rules.apply(Lambda(x, exp(x)), exponent)
    return rules.chain(many, rules.restate(rules.le(many.rhs, exp(NOISE_SHARE * SIGMA * (rise - 1))), raised, given))


def rise_is_positive(slope: Expr = EXPONENT) -> Fact:
    """0 < e^b − 1 for b > 0."""
    x = Symbol("x", real=True)
    above_one = rules.instance(rules.convex_tangent(exp(x), x, 0), {x: slope})
    return rules.chain(rules.positive(slope), rules.restate(rules.le(slope, exp(slope) - 1), above_one))


@recipe("moment-upper-bound", "The moment of the sampled Gaussian stays bounded for λ ≤ cσ² and λr ≤ aσ", "Yuchen 2019, Claim 26, part 2")
def moment_upper_bound(proof: ProofSteps) -> Fact:
    """G_λ ≤ 1 + e^{K²/2} with K = a(e^{1+c/2}−1), for integer λ > 1, λ ≤ cσ² and λq ≤ aσ."""
    given = (ORDER > 1, Le(SAMPLING, 1), Le(ORDER, ORDER_SHARE * SIGMA**2), Le(ORDER * SAMPLING, NOISE_SHARE * SIGMA))
    basic = given[:3]
    weight = binomial(ORDER, TERM) * SAMPLING**TERM * (1 - SAMPLING) ** (ORDER - TERM)
    moment = sampled_gaussian_moment().result
    proof("the moment as a finite sum", moment)
    term = rules.scale(one_growth(proof), weight, (*basic, Le(TERM, ORDER)))
    summed = rules.sum_termwise(term, (TERM, 0, ORDER))
    flat, rise = exp(RADIUS**2 / 2), exp(EXPONENT)
    ones = sum_is_power(SAMPLING, basic, sympy.S.One)
    powers = sum_is_power(SAMPLING * rise, basic, (1 - SAMPLING + SAMPLING * rise) ** ORDER)
    two = flat + (1 - SAMPLING + SAMPLING * rise) ** ORDER * exp(-RADIUS * SIGMA)
    apart = rules.equality(summed.rhs, flat * ones.lhs + exp(-RADIUS * SIGMA) * powers.lhs, basic)
    parts = rules.equality(apart.rhs, two, basic, using=[ones, powers])
    split = proof("two binomial sums", rules.chain(moment, summed, apart, parts, given=basic))
    bounded = power_below(ORDER, given)
    radius = NOISE_SHARE * (rise - 1)
    chosen = rules.instance(split, {RADIUS: radius}, given, [rise_is_positive()])
    scaled = rules.scale(bounded, exp(-radius * SIGMA))
    one = proof("the second is at most 1", rules.restate(rules.le(scaled.lhs, 1), scaled))
    constant = rules.equality(exp(radius**2 / 2), exp(radius**2 / 2))
    whole = rules.chain(chosen, rules.add(constant, one), given=given)
    return proof("together", rules.restate(rules.le(moment.lhs, 1 + exp(radius**2 / 2)), whole))


_SLOPE, _EDGE = positive("s A")


def _three_growths(proof: ProofSteps) -> Fact:
    """e^{k(k−1)/2σ²} ≤ e^{A²/2} + e^{K²/2 + s(k−Aσ)} + e^{bk−Kσ} for 0 ≤ k ≤ λ ≤ cσ²: one term each for k ≤ Aσ, k ≤ Kσ and beyond."""
    two = one_growth(proof)
    near, x = Le(TERM, _EDGE * SIGMA), Symbol("x", real=True)
    flat, steep, last = exp(_EDGE**2 / 2), exp(RADIUS**2 / 2 + _SLOPE * (TERM - _EDGE * SIGMA)), exp(EXPONENT * TERM - RADIUS * SIGMA)
    square = rules.multiply(rules.hypothesis(near), rules.hypothesis(near))
    small = rules.restate(rules.le(TERM**2 / (2 * SIGMA**2), _EDGE**2 / 2), rules.scale(square, 1 / (2 * SIGMA**2)))
    smaller = rules.chain(rules.sign(rules.le(two.lhs.args[0], TERM**2 / (2 * SIGMA**2))), small)
    first = rules.chain(rules.apply(Lambda(x, exp(x)), smaller), rules.sign(rules.le(flat, flat + steep + last)))
    beyond = rules.scale(rules.restate(rules.le(0, TERM - _EDGE * SIGMA), rules.hypothesis(near.negated)), _SLOPE)
    tilted = rules.restate(rules.le(RADIUS**2 / 2, RADIUS**2 / 2 + _SLOPE * (TERM - _EDGE * SIGMA)), beyond)
    raised = rules.add(rules.apply(Lambda(x, exp(x)), tilted), rules.equality(last, last))
    second = rules.chain(two, raised, rules.sign(rules.le(steep + last, flat + steep + last)))
    return proof("three pieces", rules.cases(first, second, over=near))


@recipe(
    "moment-limit",
    "The moment of the sampled Gaussian along λ ≤ cσ², λr ≤ aσ is at most e^{a²/2} in the limit",
    "Yuchen 2019, Claim 26, part 2",
)
def moment_limit(proof: ProofSteps) -> Fact:
    """G_λ ≤ e^{A²/2} + e^{K²/2 − σ(sA − a(e^s−1))} + e^{−σ(K − a(e^b−1))}, b = 1 + c/2, for all A, K, s > 0, and λ as in the upper bound.

    For A > a there is an s with sA > a(e^s − 1), so that with K > a(e^b − 1) the last two terms vanish as σ → ∞.
    """
    given = (ORDER > 1, Le(SAMPLING, 1), Le(ORDER, ORDER_SHARE * SIGMA**2), Le(ORDER * SAMPLING, NOISE_SHARE * SIGMA))
    basic = given[:3]
    weight = binomial(ORDER, TERM) * SAMPLING**TERM * (1 - SAMPLING) ** (ORDER - TERM)
    moment = sampled_gaussian_moment().result
    term = rules.scale(_three_growths(proof), weight, (*basic, Le(TERM, ORDER)))
    summed = rules.sum_termwise(term, (TERM, 0, ORDER))
    parts, bounds = [], []
    pieces = ((_SLOPE, exp(RADIUS**2 / 2 - _SLOPE * _EDGE * SIGMA)), (EXPONENT, exp(-RADIUS * SIGMA)))
    for slope, factor in pieces:
        power = (1 - SAMPLING + SAMPLING * exp(slope)) ** ORDER
        parts.append(rules.scale(sum_is_power(SAMPLING * exp(slope), basic, power), factor))
        bounds.append(rules.scale(power_below(ORDER, given, slope), factor))
    flat = exp(_EDGE**2 / 2)
    split = rules.add(rules.scale(sum_is_power(SAMPLING, basic, sympy.S.One), flat), *parts)
    whole = rules.chain(moment, summed, split, rules.add(rules.equality(flat, flat), *bounds), given=given)
    gaps = (_SLOPE * _EDGE - NOISE_SHARE * (exp(_SLOPE) - 1), RADIUS - NOISE_SHARE * (exp(EXPONENT) - 1))
    target = flat + exp(RADIUS**2 / 2 - SIGMA * gaps[0]) + exp(-SIGMA * gaps[1])
    return proof("sum over the terms", rules.restate(rules.le(moment.lhs, target), whole, given))
