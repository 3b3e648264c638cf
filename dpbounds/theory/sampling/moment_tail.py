"""The moment behind the tail bound of Koskela et al. 2020, Theorem 8, for every real order, noise and rate of its range.

Let u = q(e^w − 1) with w ~ N(−1/(2σ²), 1/σ²), so that G_{λ+1} = E (1+u)^{λ+1}. With m = λ − 1, r = qm and
e^c = 1 + 1/r, u is 1/m at w = c.

* **w ≤ c.** By Taylor's formula (1+u)^{λ+1} ≤ 1 + (λ+1)u + (e−2)λ(λ+1)u², since (1+su)^m ≤ e^{msu} ≤ e^s.
  With 18/25 for e − 2 the right side is positive for every u, so its mean, 1 + 18/25·λ(λ+1)q²(e^{1/σ²}−1), bounds this part.
* **w > c.** There 1 + u ≤ (1+1/m)e^{w−c}. If λ + ½ ≤ σ²c, the tilted density falls at least as fast as a Gaussian
  with its mean at w = c, so this part is at most (1+1/m)^{λ+1} e^{−σ²c²/2 − c/2}/2.
* **Together.** (1+1/m)^{m+1} ≤ e(1+2/m) turns the second part into λ(λ+1)q²/σ² · (e^c−1)²σ²e^{1−c/2−σ²c²/2}/2,
  and e^c − 1 ≤ ce^{c/2+c²/8}. So for σ ≥ 4 all of it is at most 1 + 2λ(λ+1)q²/σ². The first printed condition
  with q ≤ 1/5 makes σ²c² ≥ 10, and then it is at most 1 + 23/25·λ(λ+1)q²/σ².
"""

from __future__ import annotations

import sympy
from sympy import E, Expr, Integral, Lambda, Rational, erf, exp, log, oo, pi, sqrt

from dpbounds.language.functions import SampledGaussianMoment, normal_density
from dpbounds.language.symbols import nonnegative, positive, real
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.noise.gaussian import OUTPUT
from dpbounds.theory.sampling.subsampled import SIGMA

M, R, Z = positive("m r z")
LAMBDA, RATE, LEVEL = positive("lambda q c")
S, X = real("s x")
LINE = (OUTPUT, -oo, oo)
ALPHA, SHARE = M + 2, R / M  # the order and the sampling rate
GROWTH = Rational(18, 25)
"""A little more than e − 2."""


def _taylor(proof: ProofSteps) -> Fact:
    """z^{m+2} ≤ 1 + (m+2)(z−1) + 18/25·(m+2)(m+1)(z−1)² for z > 0 with m(z−1) ≤ 1.

    With u = z − 1, (m+2)(m+1)u²(2−s)e^s − (m+2)u(1−s)(1+su)^{m+1} − (1+su)^{m+2} rises for 0 ≤ s ≤ 1: what it is at 0 is at most what it
    is at 1. Its slope is (m+2)(m+1)u²(1−s)(e^s − (1+su)^m), and e < 68/25.
    """
    inside = (S >= 0, S <= 1)
    near = rules.hypothesis(rules.le(M * (Z - 1), 1))
    base = 1 - S + S * Z
    up = rules.chain(rules.positive(1), rules.restate(rules.le(1, base), rules.nonnegative(S * (Z - 1), (*inside, Z >= 1))))
    down = rules.chain(rules.positive(Z), rules.restate(rules.le(Z, base), rules.nonnegative((1 - S) * (1 - Z), (*inside, Z < 1))))
    shown = rules.cases(up, down, over=Z >= 1)
    tangent = rules.instance(rules.convex_tangent(exp(X), X, 0), {X: S * (Z - 1)})
    first = rules.apply(Lambda(X, X**M), rules.restate(rules.le(base, exp(S * (Z - 1))), tangent), inside, using=[shown])
    second = rules.apply(Lambda(X, exp(X)), rules.scale(near, S, inside))
    power = rules.chain(first, rules.restate(rules.le(exp(S * (Z - 1)) ** M, exp(S)), second, inside), given=inside)
    curve = (M + 2) * (M + 1) * (Z - 1) ** 2
    gap = curve * (2 - S) * exp(S) - (M + 2) * (Z - 1) * (1 - S) * base ** (M + 1) - base ** (M + 2)
    slope = curve * (1 - S) * (exp(S) - base**M)
    rising = rules.restate(rules.le(0, slope), rules.scale(power, curve * (1 - S), inside, using=[shown]), inside)
    lowest = rules.minimum(gap, S, 0, domain=inside, using=[rising, shown], factored=slope * S)
    known = rules.add(rules.instance(lowest, {S: 1}), rules.scale(rules.sign(rules.le(E, GROWTH + 2)), curve))
    target = rules.le(Z ** (M + 2), 1 + (M + 2) * (Z - 1) + GROWTH * curve)
    return proof("Taylor's formula", rules.restate(target, known))


_ONE, _ZERO = normal_density(OUTPUT, 1, SIGMA), normal_density(OUTPUT, 0, SIGMA)
_TILT = exp((2 * OUTPUT - 1) / (2 * SIGMA**2))
_RATIO = 1 - SHARE + SHARE * _TILT
_INTEGRAND = (SHARE * _ONE + (1 - SHARE) * _ZERO) ** ALPHA * _ZERO ** (1 - ALPHA)
_EDGE = SIGMA**2 * LEVEL + Rational(1, 2)
BELOW = rules.le(exp(LEVEL), 1 + 1 / R)
GIVEN = (R <= M, rules.le(M + Rational(3, 2), SIGMA**2 * LEVEL), BELOW)


def _near(proof: ProofSteps) -> Fact:
    """The part w ≤ c of the moment is at most 1 + 18/25·(m+2)(m+1)q²(e^{1/σ²}−1)."""
    left = OUTPUT <= _EDGE
    exponent = rules.scale(rules.hypothesis(left), 1 / SIGMA**2)
    below = rules.restate(rules.le((2 * OUTPUT - 1) / (2 * SIGMA**2), LEVEL), exponent)
    tilt = rules.chain(rules.apply(Lambda(X, exp(X)), below), rules.hypothesis(BELOW))
    small = rules.restate(rules.le(M * (_RATIO - 1), 1), rules.scale(tilt, R))
    shown = rules.positive(_RATIO, GIVEN)
    at = rules.instance(_taylor(proof), {Z: _RATIO}, GIVEN, [small, shown])
    scaled = rules.scale(at, _ZERO, GIVEN)
    curve = GROWTH * (M + 2) * (M + 1)
    centre = _RATIO - 1 + 1 / (2 * GROWTH * (M + 1))
    rest = ((4 * GROWTH - 1) * M + 4 * GROWTH - 2) / (4 * GROWTH * (M + 1))
    bound = _ZERO * (curve * centre**2 + rest)  # a square, so that its sign shows
    pointwise = proof("for w ≤ c", rules.restate(rules.le(_INTEGRAND, bound), scaled, GIVEN, [shown]))
    masses = [erf((OUTPUT - k) / (sqrt(2) * SIGMA)) / 2 for k in range(3)]
    weights = (1 - ALPHA * SHARE + curve * SHARE**2, ALPHA * SHARE - 2 * curve * SHARE**2, curve * SHARE**2 * exp(1 / SIGMA**2))
    whole = rules.integral(bound, LINE, sum(w * mass for w, mass in zip(weights, masses, strict=True)), GIVEN)
    part = rules.integrate_termwise(pointwise, (OUTPUT, -oo, _EDGE))
    split = rules.integral_split(bound, LINE, _EDGE, GIVEN)
    beyond = rules.nonnegative(Integral(bound, (OUTPUT, _EDGE, oo)), GIVEN)
    wider = rules.chain(rules.add(rules.equality(part.rhs, part.rhs, GIVEN), beyond), split)
    target = rules.le(part.lhs, 1 + curve * SHARE**2 * (exp(1 / SIGMA**2) - 1))
    return proof("its mean", rules.restate(target, rules.chain(part, wider, whole, given=GIVEN), GIVEN))


def _far(proof: ProofSteps) -> Fact:
    """The part w > c of the moment is at most (1+1/m)^{m+2} e^{−σ²c²/2−c/2}/2."""
    right = OUTPUT >= _EDGE
    gap = OUTPUT - _EDGE
    room = rules.restate(rules.le(0, gap), rules.hypothesis(right))
    rise = exp(gap / SIGMA**2)
    above_one = rules.restate(rules.le(1, rise), rules.apply(Lambda(X, exp(X)), rules.scale(room, 1 / SIGMA**2)))
    top = (1 + 1 / M) * rise
    level = rules.scale(rules.hypothesis(BELOW), SHARE * rise)
    both = rules.add(rules.scale(above_one, 1 - SHARE, GIVEN), level)
    ratio = rules.restate(rules.le(_RATIO, top), both, GIVEN)
    shown = rules.positive(_RATIO, GIVEN)
    power = rules.apply(Lambda(Z, Z**ALPHA), ratio, GIVEN, using=[shown])
    slower = rules.restate(rules.le(M + 2 - _EDGE, 0), rules.hypothesis(GIVEN[1]))
    tilt = rules.scale(slower, gap / SIGMA**2, using=[room])
    factor = exp(-(SIGMA**2) * LEVEL**2 / 2 - LEVEL / 2)
    fall = -(gap**2) / (2 * SIGMA**2) - SIGMA**2 * LEVEL**2 / 2 - LEVEL / 2
    less = rules.add(tilt, rules.sign(rules.le(-1 / (8 * SIGMA**2), 0)))
    exponent = rules.restate(rules.le(-(OUTPUT**2) / (2 * SIGMA**2) + ALPHA * gap / SIGMA**2, fall), less)
    raised = rules.apply(Lambda(X, exp(X)), exponent)
    centred = normal_density(OUTPUT, _EDGE, SIGMA)
    constant = (1 + 1 / M) ** ALPHA
    scale = constant / sqrt(2 * pi) / SIGMA
    last = rules.restate(rules.le(_ZERO * top**ALPHA, constant * factor * centred), rules.scale(raised, scale))
    first = rules.restate(rules.le(_INTEGRAND, _ZERO * top**ALPHA), rules.scale(power, _ZERO), GIVEN, [shown])
    pointwise = proof("for w > c", rules.chain(first, last, given=GIVEN))
    part = rules.integrate_termwise(pointwise, (OUTPUT, _EDGE, oo))
    half = constant * factor * erf((OUTPUT - _EDGE) / (sqrt(2) * SIGMA)) / 2
    return proof("half of a Gaussian", rules.chain(part, rules.integral(part.rhs.function, (OUTPUT, _EDGE, oo), half)))


# --- elementary inequalities -------------------------------------------------------------------------------------------

RISE = nonnegative("x_0")
ABOVE = rules.le(1 + 1 / R, exp(LEVEL))
NOISY = SIGMA >= 4
RARE = rules.le(5 * R, M)
ORDERS = rules.le(M + 1, SIGMA**2 * LEVEL / 2 - 2 * log(SIGMA))


def _trapezoid() -> Fact:
    """0 ≤ (x−2)e^x + x + 2 for x ≥ 0: the trapezoid lies above the integral of the exponential."""
    bend = rules.minimum(1 + (RISE - 1) * exp(RISE), RISE, 0)
    slope = rules.restate(rules.le(0, 1 + (RISE - 1) * exp(RISE)), bend)
    whole = (RISE - 2) * exp(RISE) + RISE + 2
    return rules.restate(rules.le(0, whole), rules.minimum(whole, RISE, 0, using=[slope], factored=slope.rhs * RISE))


def _exponential_above() -> Fact:
    """e^x − 1 ≤ x e^{x/2 + x²/8} for x ≥ 0."""
    known = _trapezoid()
    mean = (1 + exp(RISE)) / 2
    gap = RISE**2 / 8 + RISE / 2 - log(mean)
    lowest = rules.minimum(gap, RISE, 0, using=[known], factored=known.rhs * RISE / (4 * (1 + exp(RISE))))
    logs = rules.restate(rules.le(log(mean), RISE**2 / 8 + RISE / 2), lowest)
    raised = rules.apply(Lambda(X, exp(X)), logs)
    first = rules.restate(rules.le(exp(RISE) - 1, RISE * mean), rules.scale(known, Rational(1, 2)))
    return rules.chain(first, rules.restate(rules.le(RISE * mean, RISE * exp(RISE**2 / 8 + RISE / 2)), rules.scale(raised, RISE)))


def _power_below_e() -> Fact:
    """(1+1/m)^{m+1} ≤ e(1+2/m) for m > 0."""
    grows = rules.apply(Lambda(Z, log(Z)), rules.sign(rules.le(1 + RISE, 1 + 2 * RISE)))
    gap = RISE + RISE * log(1 + 2 * RISE) - (1 + RISE) * log(1 + RISE)
    slope = log(1 + 2 * RISE) - log(1 + RISE) + 2 * RISE / (1 + 2 * RISE)
    lowest = rules.minimum(gap, RISE, 0, using=[grows], factored=slope * RISE)
    at = rules.scale(rules.instance(lowest, {RISE: 1 / M}), M)
    logs = rules.restate(rules.le((M + 1) * log(1 + 1 / M), 1 + log(1 + 2 / M)), at)
    return rules.restate(rules.le((1 + 1 / M) ** (M + 1), E * (1 + 2 / M)), rules.apply(Lambda(X, exp(X)), logs))


def _small_loss() -> Fact:
    """e^{1/σ²} − 1 ≤ 16(e^{1/16}−1)/σ² for σ ≥ 4: the chord of the exponential."""
    u, top = 1 / SIGMA**2, Rational(1, 16)
    tangent = rules.convex_tangent(exp(X), X, u)
    square = rules.multiply(rules.hypothesis(NOISY), rules.hypothesis(NOISY))
    room = rules.restate(rules.le(0, 1 - 16 * u), rules.scale(rules.restate(rules.le(16, SIGMA**2), square), u))
    ends = [
        rules.scale(rules.instance(tangent, {X: end}), weight, using=[room]) for end, weight in ((top, 16 * u), (sympy.S.Zero, 1 - 16 * u))
    ]
    return rules.restate(rules.le(exp(u) - 1, 16 * (exp(top) - 1) * u), rules.add(*ends))


# --- the two parts together --------------------------------------------------------------------------------------------

_MARGIN = SIGMA**2 * LEVEL**2  # z², with z = σc
ANYWHERE = Rational(9, 4) * E * exp(-Rational(1007, 1116))
FAR_OUT = Rational(256, 25) * E * exp(-Rational(1431, 320))


def _square_below(point: Rational) -> Fact:
    """z² ≤ p² e^{2z/p − 2}, by the tangent of the exponential."""
    tangent = rules.instance(rules.convex_tangent(exp(X), X, 0), {X: SIGMA * LEVEL / point - 1})
    line = rules.restate(rules.le(SIGMA * LEVEL, point * exp(SIGMA * LEVEL / point - 1)), rules.scale(tangent, point))
    return rules.multiply(line, line)


def _exponent_below() -> Fact:
    """c/2 + c²/4 − z²/2 ≤ z/8 − 31z²/64 for σ ≥ 4."""
    once = rules.scale(rules.hypothesis(NOISY), LEVEL / 8)
    square = rules.multiply(rules.hypothesis(NOISY), rules.hypothesis(NOISY))
    both = rules.add(once, rules.scale(square, LEVEL**2 / 64))
    target = rules.le(LEVEL / 2 + LEVEL**2 / 4 - _MARGIN / 2, SIGMA * LEVEL / 8 - 31 * _MARGIN / 64)
    return rules.restate(target, both)


def _peak(proof: ProofSteps, point: Rational, last: Fact, constant: Expr) -> Fact:
    """σ²e^{1−σ²c²/2−c/2}/r² ≤ constant, from a bound on the exponent `last`."""
    inverse = rules.restate(rules.le(1 / R, exp(LEVEL) - 1), rules.hypothesis(ABOVE))
    small = rules.chain(inverse, rules.instance(_exponential_above(), {RISE: LEVEL}))
    square = rules.multiply(small, small)
    fall = E * exp(-_MARGIN / 2 - LEVEL / 2)
    first = rules.scale(square, SIGMA**2 * fall)
    power = E * exp(LEVEL / 2 + LEVEL**2 / 4 - _MARGIN / 2)
    second = rules.restate(rules.le(first.lhs, _MARGIN * power), first)
    third = rules.scale(_square_below(point), power)
    exponent = rules.add(_exponent_below(), rules.equality(2 * SIGMA * LEVEL / point - 2, 2 * SIGMA * LEVEL / point - 2))
    raised = rules.scale(rules.apply(Lambda(X, exp(X)), rules.chain(exponent, last)), point**2 * E)
    fourth = rules.restate(rules.le(third.rhs, constant), raised)
    whole = rules.chain(second, rules.restate(rules.le(_MARGIN * power, third.rhs), third), fourth)
    return proof("(e^c − 1)²σ²e^{1−c/2−σ²c²/2} is small", whole)


def _moment_below(proof: ProofSteps, peak: Fact, constant: Expr, factor: Expr) -> Fact:
    """G_{m+2} ≤ 1 + factor·(m+2)(m+1)q²/σ²."""
    near, far = _near(proof), _far(proof)
    given = (*GIVEN, NOISY)
    split = rules.integral_split(_INTEGRAND, LINE, _EDGE, GIVEN)
    defined = rules.definition(SampledGaussianMoment(ALPHA, SIGMA, SHARE, "remove"), given)
    both = proof("both parts", rules.chain(defined, split, rules.add(near, far), given=given))
    unit = (M + 2) * (M + 1) * SHARE**2 / SIGMA**2
    first = rules.scale(_small_loss(), GROWTH * (M + 2) * (M + 1) * SHARE**2)
    fall = exp(-_MARGIN / 2 - LEVEL / 2)
    power = rules.scale(_power_below_e(), (1 + 1 / M) * fall / 2)
    small = rules.scale(peak, unit / 2)
    middle = rules.restate(rules.le(power.rhs, constant * unit / 2), small)
    second = rules.chain(power, middle)
    numbers = rules.sign(rules.le(16 * GROWTH * (exp(Rational(1, 16)) - 1) + constant / 2, factor))
    total = rules.add(rules.equality(1, 1), first, second)
    last = rules.add(rules.equality(1, 1), rules.scale(numbers, unit))
    return proof("together", rules.chain(both, rules.restate(rules.le(both.rhs, last.lhs), total, given), last, given=given))


@recipe("moment-tail", "The moment of the sampled Gaussian for Theorem 8, at every noise of at least 4", "Koskela et al. 2020, Theorem 8")
def moment_tail(proof: ProofSteps) -> Fact:
    """G_{λ+1} ≤ 1 + 2q²(λ+1)λ/σ² for real λ > 1, q ≤ 1, σ ≥ 4 and λ + ½ ≤ σ²c, c = log(1 + 1/(q(λ−1)))."""
    square = rules.nonnegative((SIGMA * LEVEL - Rational(140, 93)) ** 2 * Rational(31, 64))
    level = rules.le(SIGMA * LEVEL / 8 - 31 * _MARGIN / 64 + Rational(4, 3) * SIGMA * LEVEL - 2, -Rational(1007, 1116))
    last = rules.restate(level, square)
    return _at_rate(proof, _moment_below(proof, _peak(proof, Rational(3, 2), last, ANYWHERE), ANYWHERE, Rational(2)))


def _at_rate(proof: ProofSteps, fact: Fact, largest: Expr = sympy.S.One) -> Fact:
    """m = λ − 1, r = q(λ−1) and c = log(1 + 1/r)."""
    given = (LAMBDA > 1, largest >= RATE)
    rest = LAMBDA - 1
    values = {M: rest, R: RATE * rest, LEVEL: log(1 + 1 / (RATE * rest))}
    less = rules.nonnegative((largest - RATE) * rest, given)
    proper = rules.nonnegative(1 - RATE, given)
    return proof("in terms of λ and q", rules.instance(fact, values, given, using=[less, proper]))


def _far_out() -> Fact:
    """10 ≤ z² where 5r ≤ m and m + 1 ≤ σ²c/2 − 2 log σ, for σ ≥ 4."""
    ratio = rules.restate(rules.le(0, (2 + LEVEL) - (2 - LEVEL) * exp(LEVEL)), rules.instance(_trapezoid(), {RISE: LEVEL}))
    inverse = rules.restate(rules.le(1 + 1 / R, exp(LEVEL)), rules.hypothesis(ABOVE))
    low = rules.scale(inverse, 2 - LEVEL, (LEVEL <= 2,))
    near = rules.restate(rules.le(2 - LEVEL, 2 * LEVEL * R), rules.scale(rules.add(ratio, low), R), (LEVEL <= 2,))
    far = rules.chain(rules.sign(rules.le(2 - LEVEL, 0), (LEVEL > 2,)), rules.nonnegative(2 * LEVEL * R))
    mean = rules.cases(near, far, over=LEVEL <= 2)
    logs = rules.apply(Lambda(Z, log(Z)), rules.hypothesis(NOISY))
    tangent = rules.instance(rules.convex_tangent(exp(X), X, 0), {X: -log(4)})
    noise = rules.scale(rules.chain(rules.restate(rules.le(Rational(3, 4), log(4)), tangent), logs), 4 * LEVEL)
    order = rules.scale(rules.hypothesis(ORDERS), 2 * LEVEL)
    rate = rules.scale(rules.hypothesis(RARE), 2 * LEVEL)
    return rules.restate(rules.le(10, _MARGIN), rules.add(rules.scale(mean, 5), noise, rate, order))


@recipe(
    "moment-tail-constant",
    "The moment of the sampled Gaussian for Theorem 8, with less than half of its constant",
    "Koskela et al. 2020, Theorem 8; Mironov, Talwar & Zhang 2019",
)
def moment_tail_constant(proof: ProofSteps) -> Fact:
    """G_{λ+1} ≤ 1 + 23/25·q²(λ+1)λ/σ² for real λ > 1, q ≤ 1/5, σ ≥ 4 and λ ≤ σ²c/2 − 2 log σ, c = log(1 + 1/(q(λ−1)))."""
    far = proof("σ²c² is at least 10", _far_out())
    mean = rules.nonnegative((SIGMA * LEVEL - Rational(16, 5)) ** 2 * Rational(15, 128))
    steep = rules.scale(far, Rational(47, 128))
    level = rules.le(SIGMA * LEVEL / 8 - 31 * _MARGIN / 64 + Rational(5, 8) * SIGMA * LEVEL - 2, -Rational(1431, 320))
    last = rules.restate(level, rules.add(mean, steep))
    below = _moment_below(proof, _peak(proof, Rational(16, 5), last, FAR_OUT), FAR_OUT, Rational(23, 25))
    logs = rules.apply(Lambda(Z, log(Z)), rules.hypothesis(NOISY))
    quiet = rules.scale(rules.chain(rules.nonnegative(log(4)), logs), 4)
    twice = rules.add(rules.scale(rules.hypothesis(ORDERS), 2), quiet, rules.nonnegative(M + Rational(1, 2)))
    allowed = rules.restate(GIVEN[1], twice)
    fewer = rules.restate(GIVEN[0], rules.add(rules.hypothesis(RARE), rules.nonnegative(4 * R)))
    return _at_rate(proof, rules.discharge(below, allowed, fewer), Rational(1, 5))
