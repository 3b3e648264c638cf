"""The reverse divergence of a Poisson-sampled mechanism, for any mechanism: at most a mixture of the two forward moments.

Let y = dP/dQ, γ = 1/(1+r), α = 1+a > 1, m = (r+y)/(1+r) the likelihood ratio after sampling, b = (1+ry)/((1+r)y) the same for the pair
in the other order, n = 1+2a and θ = 3r/(3r+n) = 3(1−γ)/(3+2(α−2)γ). With the slope c that makes g′(1) = 0,

    g(y) = θ·m^α + (1−θ)·y·b^α − c(y−1) − m^{1−α} ≥ 0    for every y > 0:

g(1) = g′(1) = 0, and g″ = α(α−1)γ²·(θm^{a−1} + (1−θ)y^{−3}b^{a−1} − m^{−a−2}) ≥ 0: the bracket times m^{a+2} is θm^n + (1−θ)e^X − 1 with
X = (a+2) log m + (a−1) log b − 3 log y, and

    m^n ≥ 1 + n(y−1)/(1+r)  as n ≥ 1,      e^X ≥ 1 + X,      X ≥ −3r(y−1)/(1+r),

the last because X + 3r(y−1)/(1+r) has its minimum, 0, at y = 1. θ is chosen so that the linear terms cancel. Summed with the weights q the
linear term vanishes: for distributions of full support

    Σ q^α s^{1−α} ≤ θ·Σ s^α q^{1−α} + (1−θ)·Σ u^α p^{1−α},    s = γp+(1−γ)q,  u = γq+(1−γ)p,

and at integer orders both moments on the right expand by the binomial theorem. So the sum that bounds the sampled mechanism in one
direction bounds it in the other: the factor 3 of Zhu & Wang (2019) is not needed.
"""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Expr, Ge, IndexedBase, Lambda, Le, Max, Sum, Symbol, binomial, diff, exp, log
from sympy.logic.boolalg import Boolean

from dpbounds.language.functions import RenyiDivergence, RenyiMoment
from dpbounds.language.symbols import family, index, positive, positive_integer, sums_to_one
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact

ABOVE_ONE = positive("a")
ODDS = positive("r")
RATIO = positive("y")


@dataclass(frozen=True)
class Place:
    """a = α − 1 and the odds r against being sampled."""

    a: Expr = ABOVE_ONE
    r: Expr = ODDS

    @property
    def weights(self) -> tuple[Expr, Expr]:
        """θ and 1 − θ."""
        scale = 3 * self.r + 2 * self.a + 1
        return 3 * self.r / scale, (2 * self.a + 1) / scale

    def sampled(self, y: Expr) -> Expr:
        """m, the likelihood ratio after sampling."""
        return (self.r + y) / (1 + self.r)

    def sampled_inverse(self, y: Expr) -> Expr:
        """b, the same for the pair in the other order."""
        return (1 + self.r * y) / ((1 + self.r) * y)

    def moments_gap(self, y: Expr) -> Expr:
        """θ·m^α + (1−θ)·y·b^α − m^{1−α}."""
        (forward, backward), order = self.weights, self.a + 1
        return forward * self.sampled(y) ** order + backward * y * self.sampled_inverse(y) ** order - self.sampled(y) ** (1 - order)

    @property
    def slope(self) -> Expr:
        """c, which makes the derivative of the gap 0 at 1."""
        return diff(self.moments_gap(RATIO), RATIO).subs(RATIO, 1)

    def gap(self, y: Expr) -> Expr:
        """g(y)."""
        return self.moments_gap(y) - self.slope * (y - 1)


EVERYWHERE = Place()

ALPHA = positive("alpha")
ORDER = Symbol("alpha", integer=True, positive=True)
GAMMA = positive("gamma")
SIZE = positive_integer("n")
INDEX = index("i")
TERM = Symbol("ell", integer=True, nonnegative=True)
P, Q = family("p", "positive"), family("q", "positive")
OUTCOMES = (INDEX, 1, SIZE)
MASSES = (sums_to_one(P, OUTCOMES), sums_to_one(Q, OUTCOMES))
THETA = 3 * (1 - GAMMA) / (3 + 2 * (ALPHA - 2) * GAMMA)


def _curvature(proof: ProofSteps, place: Place) -> tuple[Fact, Expr]:
    """0 ≤ g″/(α(α−1)γ²), and this quotient."""
    a, r, y, m, b = place.a, place.r, RATIO, place.sampled(RATIO), place.sampled_inverse(RATIO)
    forward, backward = place.weights
    power = proof("the tangent of m^n at y = 1", rules.convex_tangent(m ** (2 * a + 1), y, 1))
    logs = (a + 2) * (log(r + y) - log(1 + r) - log(y)) + (a - 1) * (log(1 + r * y) - log(1 + r))
    line = 3 * r * (y - 1) / (1 + r)
    rise = r * (3 * r * y**2 + (3 * r**2 + (a + 2) * (1 + r)) * y + (a + 2) * (1 + r)) / (y * (1 + r) * (r + y) * (1 + r * y))
    lowest = proof("X lies above its tangent", rules.minimum(logs + line, y, 1, factored=(y - 1) ** 2 * rise))
    x = Symbol("x", real=True)
    raised = rules.instance(rules.convex_tangent(exp(x), x, 0), {x: logs})
    weighted = rules.add(rules.scale(power, forward), rules.scale(rules.add(raised, lowest), backward))
    excess = forward * m ** (2 * a + 1) + backward * m ** (a + 2) * b ** (a - 1) * y**-3 - 1
    above = proof("the linear terms cancel", rules.restate(rules.le(0, excess), weighted))
    bend = forward * m ** (a - 1) + backward * y**-3 * b ** (a - 1) - m ** (-a - 2)
    scaled = rules.scale(above, m ** (-a - 2))
    return proof("so the second derivative is nonnegative", rules.restate(rules.le(0, bend), scaled)), bend


def pointwise(proof: ProofSteps, place: Place = EVERYWHERE) -> Fact:
    """0 ≤ g(y) for every y > 0."""
    y, gap = RATIO, place.gap(RATIO)
    curved, bend = _curvature(proof, place)
    slope, factor = diff(gap, y), (place.a + 1) * place.a / (1 + place.r) ** 2
    start = rules.equality(0, slope.subs(y, 1))
    level = rules.equality(0, gap.subs(y, 1))
    sides = []
    for sign, side in ((1, Ge(y, 1)), (-1, Le(y, 1))):
        steeper = rules.minimum(sign * slope, y, 1, domain=[side], using=[curved], factored=sign * (y - 1) * factor * bend)
        rising = proof(
            "the slope is nonnegative from y = 1 on" if sign == 1 else "and nonpositive before",
            rules.restate(rules.le(0, sign * slope), rules.chain(rules.scale(start, sign), steeper)),
        )
        lowest = rules.minimum(gap, y, 1, domain=[side], using=[rising], factored=(sign * slope) * (sign * (y - 1)))
        sides.append(rules.chain(level, lowest))
    return proof("so g has its minimum, 0, at y = 1", rules.cases(*sides, over=Ge(y, 1)))


def mixture(first: Expr, second: Expr) -> Expr:
    """γ·first + (1−γ)·second."""
    return GAMMA * first + (1 - GAMMA) * second


@recipe(
    "reverse-of-sampling",
    "The reverse moment of a Poisson-sampled mechanism is at most a mixture of the two forward moments, for any mechanism",
    "Zhu & Wang 2019 prove it up to the factor 3",
)
def reverse_of_sampling(proof: ProofSteps) -> Fact:
    """G_α(Q ‖ γP+(1−γ)Q) ≤ θ·G_α(γP+(1−γ)Q ‖ Q) + (1−θ)·G_α(γQ+(1−γ)P ‖ P), for 0 < γ < 1, real α > 1, P and Q of full support."""
    values, given = {ODDS: (1 - GAMMA) / GAMMA, ABOVE_ONE: ALPHA - 1}, (ALPHA > 1, GAMMA < 1)
    p, q = P[INDEX], Q[INDEX]
    at_outcome = rules.instance(pointwise(proof), {RATIO: p / q, **values}, given)
    forward, backward = mixture(p, q) ** ALPHA * q ** (1 - ALPHA), mixture(q, p) ** ALPHA * p ** (1 - ALPHA)
    scale = rules.positive(3 + 2 * (ALPHA - 2) * GAMMA, given)
    signs = [rules.positive(mixture(p, q), given), rules.positive(mixture(q, p), given), scale]
    slope = EVERYWHERE.slope.subs(values)
    weighted = rules.scale(at_outcome, q)
    term = proof(
        "at y = p/q, times q",
        rules.restate(
            rules.le(q**ALPHA * mixture(p, q) ** (1 - ALPHA) + slope * (p - q), THETA * forward + (1 - THETA) * backward),
            weighted,
            given,
            signs,
        ),
    )
    sums = rules.sum_termwise(term, OUTCOMES)
    masses = [rules.hypothesis(mass) for mass in MASSES]
    moments = (moment(ALPHA, q, mixture(p, q)), moment(ALPHA, mixture(p, q), q), moment(ALPHA, mixture(q, p), p))
    meanings = [rules.definition(quantity, given) for quantity in moments]
    target = rules.le(moments[0], THETA * moments[1] + (1 - THETA) * moments[2])
    return proof("sum over the outcomes: the linear terms cancel", rules.restate(target, sums, given, [*masses, *meanings, *signs]))


def moment(order: Expr, p: Expr, q: Expr) -> RenyiMoment:
    """G_order(p ‖ q) over the outcomes."""
    return RenyiMoment(order, p, q, OUTCOMES)


def curve(order: Expr) -> Expr:
    """ε(order): the larger divergence of the pair, over both directions."""
    p, q = P[INDEX], Q[INDEX]
    return Max(RenyiDivergence(order, p, q, OUTCOMES), RenyiDivergence(order, q, p, OUTCOMES))


def sampled_sum(order: Symbol) -> Expr:
    """(1−γ)^{α−1}(αγ−γ+1) + Σ_{ℓ=2}^{α} C(α,ℓ)γ^ℓ(1−γ)^{α−ℓ} e^{(ℓ−1)ε(ℓ)}: the sum of Zhu & Wang without the factor 3."""
    weight = binomial(order, TERM) * GAMMA**TERM * (1 - GAMMA) ** (order - TERM)
    rest = Sum(weight * exp((TERM - 1) * curve(TERM)), (TERM, 2, order))
    return (1 - GAMMA) ** (order - 1) * (order * GAMMA - GAMMA + 1) + rest


def _forward_moment(proof: ProofSteps, first: IndexedBase, second: IndexedBase) -> Fact:
    """G_α(γ·first + (1−γ)·second ‖ second) ≤ the sum."""
    given = (ORDER >= 2, GAMMA < 1)
    p, q = first[INDEX], second[INDEX]
    expansion = rules.binomial_theorem(GAMMA * p, (1 - GAMMA) * q, ORDER, TERM, given)
    term = rules.scale(expansion, q ** (1 - ORDER), given)
    summed = rules.sum_termwise(term, OUTCOMES)
    weight = binomial(ORDER, TERM) * GAMMA**TERM * (1 - GAMMA) ** (ORDER - TERM)
    base = Sum(p**TERM * q ** (1 - TERM), OUTCOMES)
    exchange = rules.equality(summed.rhs, Sum(weight * base, (TERM, 0, ORDER)), given)
    defined = rules.definition(moment(ORDER, mixture(p, q), q), given)
    whole = proof("binomial theorem", rules.chain(defined, summed, exchange, given=given))
    head = (1 - GAMMA) ** (ORDER - 1) * (ORDER * GAMMA - GAMMA + 1)
    masses = [rules.hypothesis(sums_to_one(density, OUTCOMES)) for density in (second, first)]
    opened = proof("the terms of order 0 and 1 are masses", rules.chain(whole, _opened(exchange.rhs, masses, given), given=given))
    below = proof("one moment is at most e^((l-1) eps(l))", _moment_below_curve(p, q))
    bounded = rules.sum_termwise(rules.scale(below, weight, (*given, TERM >= 2, TERM <= ORDER)), (TERM, 2, ORDER))
    return proof(
        "the forward moment",
        rules.restate(rules.le(whole.lhs, sampled_sum(ORDER)), rules.chain(opened, rules.add(rules.equality(head, head), bounded))),
    )


def first_two(total: Sum, given: tuple[Boolean, ...]) -> tuple[list[Fact], list[Sum]]:
    """A sum without its first term, without its second one too, and what is left of it each time."""
    splits, tails = list[Fact](), [total]
    for _ in range(2):
        splits.append(rules.first_term(tails[-1], given))
        tails.append(next(part for part in splits[-1].rhs.args if isinstance(part, Sum)))
    return splits, tails[1:]


def _opened(total: Sum, masses: list[Fact], given: tuple[Boolean, ...]) -> Fact:
    """Σ_{ℓ=0}^α = the terms of order 0 and 1, by their masses, and Σ_{ℓ=2}^α."""
    splits, (rest, tail) = first_two(total, given)
    firsts = [splits[0].rhs - rest, splits[1].rhs - tail]
    values = ((1 - GAMMA) ** ORDER, ORDER * GAMMA * (1 - GAMMA) ** (ORDER - 1))
    known = [rules.equality(first, value, given, using=[mass]) for first, value, mass in zip(firsts, values, masses, strict=True)]
    head = (1 - GAMMA) ** (ORDER - 1) * (ORDER * GAMMA - GAMMA + 1)
    return rules.equality(total, head + tail, given, using=[*known, *splits[::-1]])


def _moment_below_curve(p: Expr, q: Expr) -> Fact:
    """Σ p^ℓ q^{1−ℓ} ≤ e^{(ℓ−1)ε(ℓ)} for ℓ ≥ 2."""
    given = (TERM >= 2,)
    divergence = RenyiDivergence(TERM, p, q, OUTCOMES)
    defined = rules.definition(divergence, given)
    base = Sum(p**TERM * q ** (1 - TERM), OUTCOMES)
    value = rules.equality(base, exp((TERM - 1) * divergence), given, [defined])
    largest = curve(TERM)
    at = next(k for k, part in enumerate(largest.args) if part == divergence)
    x = Symbol("x", real=True)
    raised = rules.apply(Lambda(x, exp(x)), rules.scale(rules.below_maximum(largest, at, given), TERM - 1, given), given)
    return rules.chain(value, raised)


def _to_divergence(bound: Fact, p: Expr, q: Expr, given: tuple[object, ...]) -> Fact:
    """From G_α(p ‖ q) ≤ S to D_α(p ‖ q) ≤ log(S)/(α−1)."""
    quantity, total = RenyiDivergence(ORDER, p, q, OUTCOMES), sampled_sum(ORDER)
    meaning = rules.definition(moment(ORDER, p, q), given)
    inside = rules.restate(rules.le(meaning.rhs, total), bound, given, [meaning])
    x = Symbol("x", real=True)
    logs = rules.scale(rules.apply(Lambda(x, log(x)), inside, given), 1 / (ORDER - 1), given)
    return rules.chain(rules.definition(quantity, given), logs, given=given)


@recipe(
    "sampling-without-factor-three",
    "Rényi divergence of a Poisson-sampled mechanism at integer order, for any mechanism and in both directions",
    "Zhu & Wang 2019, with the factor 3 removed",
)
def sampling_without_factor_three(proof: ProofSteps) -> Fact:
    """D_α ≤ log{(1−γ)^{α−1}(αγ−γ+1) + Σ_{ℓ=2}^{α} C(α,ℓ)(1−γ)^{α−ℓ}γ^ℓ e^{(ℓ−1)ε(ℓ)}}/(α−1), integer α ≥ 2, ε(ℓ) the curve of the base."""
    given = (ORDER >= 2, GAMMA < 1)
    p, q = P[INDEX], Q[INDEX]
    reverse = rules.instance(reverse_of_sampling().result, {ALPHA: ORDER}, given)
    proof("the reverse moment, at integer order", reverse)
    theta = THETA.subs(ALPHA, ORDER)
    first, second = _forward_moment(proof, P, Q), _forward_moment(proof, Q, P)
    mixed = rules.add(rules.scale(first, theta, given), rules.scale(second, 1 - theta, given))
    total = sampled_sum(ORDER)
    reverse_moment = proof(
        "so the reverse moment has the same bound",
        rules.restate(rules.le(reverse.lhs, total), rules.chain(reverse, mixed, given=given), given),
    )
    forward_divergence = proof("the divergence with the record against without", _to_divergence(first, mixture(p, q), q, given))
    reverse_divergence = proof("and the other way round", _to_divergence(reverse_moment, q, mixture(p, q), given))
    return proof("both directions", rules.conjunction(forward_divergence, reverse_divergence))
