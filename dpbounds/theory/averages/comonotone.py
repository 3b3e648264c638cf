"""Averages of comonotone pairs against one law: where Conjecture 1 of Yuchen 2019 holds, at every order.

* **Levels.** x^λ = ∫ λ(λ−1)e^{(λ−1)s} max(x − e^s, 0) ds, so that pairs in order at every hockey stick are in order at every λ > 1.
* **Comonotone pairs.** Let μ_i = l_iν with l_1 and l_2 rising together along the outcomes, l = w l_1 + (1−w) l_2, and let c > 0 be a level.
  There are levels c_1, c_2 > 0 with w c_1 + (1−w) c_2 = c and an outcome up to which l_i ≤ c_i and after which l_i ≥ c_i, for both i: below
  l(1) or above l(n) the multiples of l_i(1) or l_i(n), between l(k) and l(k+1) the points that divide [l_i(k), l_i(k+1)] in one proportion.
  So Σ max(μ − cν, 0) = w Σ max(μ_1 − c_1ν, 0) + (1−w) Σ max(μ_2 − c_2ν, 0), and for any pairs (p_i, ν) the left side is at most the right:
  if the sticks of (p_i, ν) are at most those of (μ_i, ν), the sticks of the averages are in order too.
"""

from __future__ import annotations

from typing import Any

from sympy import And, Expr, Integer, Lambda, Max, Sum, exp, log, oo
from sympy.core.relational import Relational

from dpbounds.language.functions import RenyiDivergence
from dpbounds.language.quantifiers import ForAll, for_each
from dpbounds.language.symbols import family, index, nonnegative, positive, positive_integer, real
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.averages.power_means import LAMBDA

GIVEN = (LAMBDA > 1,)
SIZE, OTHER_SIZE, INDEX, LATER = positive_integer("n"), positive_integer("m"), index("y"), index("z")
OVER, OTHER = (INDEX, 1, SIZE), (INDEX, 1, OTHER_SIZE)
P, Q, MU, NU = (family(name, "positive") for name in ("p", "q", "mu", "nu"))
LEVEL, POINT, RATIO, MASS = positive("t"), real("s"), real("x"), positive("v")
LINE = (POINT, -oo, oo)
t, y = LEVEL, INDEX


def stick(p: Expr, q: Expr, level: Expr, over: tuple[Expr, ...]) -> Expr:
    """Σ q·max(p/q − t, 0): the hockey-stick divergence at e^ε = t."""
    return Sum(q * Max(p / q - level, 0), over)


ORDERED = ForAll(LEVEL, LEVEL > 0, rules.le(stick(P[INDEX], Q[INDEX], LEVEL, OVER), stick(MU[INDEX], NU[INDEX], LEVEL, OTHER)))


def _weight() -> Expr:
    return LAMBDA * (LAMBDA - 1) * exp((LAMBDA - 1) * POINT)


def _power_by_levels() -> Fact:
    """v e^{λξ} = ∫ λ(λ−1)e^{(λ−1)s} v max(e^ξ − e^s, 0) ds."""
    x, s, v = RATIO, POINT, MASS
    whole = _weight() * v * Max(exp(x) - exp(s), 0)
    inside, outside = (s, -oo, x), (s, x, oo)
    positive_part = _weight() * v * exp(s) * (exp(x - s) - 1)
    near = rules.integrate_termwise(_opened(whole, positive_part, s <= x), inside)
    area = rules.integral(positive_part, inside, v * (LAMBDA * exp(x + (LAMBDA - 1) * s) - (LAMBDA - 1) * exp(LAMBDA * s)), GIVEN)
    far = rules.integrate_termwise(_opened(whole, 0, s >= x), outside)
    nothing = rules.integral(0 * s, outside, 0 * s, GIVEN)
    split = rules.integral_split(whole, LINE, x, GIVEN)
    parts = rules.add(rules.chain(near, area, given=GIVEN), rules.chain(far, nothing, given=GIVEN))
    return rules.restate(rules.eq(v * exp(LAMBDA * x), split.lhs), rules.chain(split, parts, given=GIVEN), GIVEN)


def _opened(whole: Expr, value: Expr, case: Relational) -> Fact:
    """The integrand on one side of ξ."""
    x, s = RATIO, POINT
    gap = exp(s) * (exp(x - s) - 1)
    signed = rules.nonnegative(gap if value != 0 else -gap, [case])
    largest = rules.restate(rules.le(0, exp(x) - exp(s)) if value != 0 else rules.le(exp(x) - exp(s), 0), signed, [case])
    return rules.equality(whole, value, [*GIVEN, case], using=[largest])


def _moment_by_sticks(known: Fact, p: Expr, q: Expr, over: tuple[Expr, ...]) -> Fact:
    """Σ p^λ q^{1−λ} = ∫ λ(λ−1)e^{(λ−1)s} Σ q·max(p/q − e^s, 0) ds."""
    at = rules.instance(known, {RATIO: log(p / q), MASS: q}, GIVEN)
    term = rules.equality(p**LAMBDA * q ** (1 - LAMBDA), at.lhs, GIVEN)
    summed = rules.sum_termwise(rules.chain(term, at, given=GIVEN), over)
    inner = Sum(_weight() * q * Max(p / q - exp(POINT), 0), over)
    swapped = rules.integral_of_sum(inner, LINE, GIVEN)
    return rules.chain(summed, rules.equality(summed.rhs, swapped.rhs, GIVEN), swapped, given=GIVEN)


@recipe("sticks-order-moments", "Pairs in order at every hockey stick are in order at every Rényi order", "Yuchen 2019, Conjecture 1")
def sticks_order_moments(proof: ProofSteps) -> Fact:
    """Σ p^λ q^{1−λ} ≤ Σ μ^λ ν^{1−λ} for λ > 1, if Σ q max(p/q − t, 0) ≤ Σ ν max(μ/ν − t, 0) for every t > 0."""
    known = proof("a power by levels", _power_by_levels())
    pairs = ((P[INDEX], Q[INDEX], OVER), (MU[INDEX], NU[INDEX], OTHER))
    means = [proof("in the mean", _moment_by_sticks(known, *pair)) for pair in pairs]
    premise = rules.specialize(rules.hypothesis(ORDERED), exp(POINT))
    weighed = rules.scale(premise, _weight(), GIVEN)
    inside = [Sum(_weight() * q * Max(p / q - exp(POINT), 0), over) for p, q, over in pairs]
    moved = [rules.equality(inner, side, GIVEN) for inner, side in zip(inside, (weighed.lhs, weighed.rhs), strict=True)]
    compared = rules.integrate_termwise(rules.chain(moved[0], weighed, moved[1], given=GIVEN), LINE)
    return proof("integrate over the levels", rules.chain(means[0], compared, means[1], given=GIVEN))


# --- comonotone pairs ----------------------------------------------------------------------------------------------

WEIGHT = positive("w")
PROPER = (WEIGHT < 1,)
LAWS = (family("p1", "positive"), family("p2", "positive"))
RATIOS = (family("l1", "positive"), family("l2", "positive"))
CUT = positive_integer("k")
TOP = (INDEX, 1, SIZE)
"""One table of outcomes for all laws."""


def mean(first: Expr, second: Expr) -> Expr:
    """w·first + (1−w)·second."""
    return WEIGHT * first + (1 - WEIGHT) * second


def closer(position: int) -> ForAll:
    """The sticks of (p_i, ν) are at most those of (l_iν, ν)."""
    p, ratio, nu = LAWS[position][INDEX], RATIOS[position][INDEX], NU[INDEX]
    return ForAll(LEVEL, LEVEL > 0, rules.le(stick(p, nu, LEVEL, TOP), stick(ratio * nu, nu, LEVEL, TOP)))


def rising(position: int) -> ForAll:
    """l_i(y) ≤ l_i(z) for y ≤ z."""
    ratio = RATIOS[position]
    return ForAll(LATER, LATER <= SIZE, ForAll(INDEX, INDEX <= LATER, rules.le(ratio[INDEX], ratio[LATER])))


A, B = real("a b")
LEVELS = positive("c1 c2")


def _parts() -> tuple[Expr, Expr]:
    """max(wa + (1−w)b, 0) and w max(a, 0) + (1−w) max(b, 0)."""
    return Max(mean(A, B), 0), mean(Max(A, 0), Max(B, 0))


def _below_the_parts() -> Fact:
    """max(wa + (1−w)b, 0) ≤ w max(a, 0) + (1−w) max(b, 0)."""
    _, parts = _parts()
    each = [rules.scale(_term_of_max(x), weight, PROPER) for x, weight in ((A, WEIGHT), (B, 1 - WEIGHT))]
    together = rules.restate(rules.le(mean(A, B), parts), rules.add(*each), PROPER)
    return rules.maximum(together, rules.nonnegative(parts, PROPER))


def _term_of_max(x: Expr) -> Fact:
    largest = Max(x, 0)
    return rules.below_maximum(largest, largest.args.index(x))


def _parts_where_signs_agree(up: bool) -> Fact:
    """w max(a, 0) + (1−w) max(b, 0) ≤ max(wa + (1−w)b, 0) if a and b are both ≥ 0, or both ≤ 0."""
    whole, parts = _parts()
    signs = [rules.hypothesis(rules.le(0, x) if up else rules.le(x, 0)) for x in (A, B)]
    if not up:
        return rules.chain(rules.equality(parts, 0, PROPER, using=signs), rules.nonnegative(whole), given=PROPER)
    return rules.chain(rules.equality(parts, mean(A, B), PROPER, using=signs), _term_of_max(mean(A, B)), given=PROPER)


def _in_order(level: Expr) -> Relational:
    """The sticks of the averages are in order at a level."""
    nu = NU[INDEX]
    return rules.le(stick(mean(*(law[INDEX] for law in LAWS)), nu, level, TOP), stick(height(INDEX) * nu, nu, level, TOP))


def _weighed(fact: Fact, pair: tuple[Expr, ...], using: tuple[Fact, ...] = (), given: tuple[Any, ...] = ()) -> Fact:
    """A fact about a and b at the gaps between two likelihood ratios and the levels c_1, c_2, times ν."""
    values = {x: at - level for x, at, level in zip((A, B), pair, LEVELS, strict=True)}
    return rules.scale(rules.instance(fact, values, PROPER, using=using), NU[INDEX], given)


def _through_the_pairs() -> tuple[Fact, Fact]:
    """Σ max(p − tν, 0) ≤ w Σ max(μ_1 − c_1ν, 0) + (1−w) Σ max(μ_2 − c_2ν, 0) for t = w c_1 + (1−w) c_2, and what max(μ − tν, 0) is then."""
    nu, ratios = NU[INDEX], tuple(ratio[INDEX] for ratio in RATIOS)
    apart = rules.sum_termwise(_weighed(_below_the_parts(), tuple(law[INDEX] / nu for law in LAWS)), TOP)
    known = [rules.specialize(rules.hypothesis(closer(k)), LEVELS[k]) for k in (0, 1)]
    ordered = rules.add(*(rules.scale(fact, weight, PROPER) for fact, weight in zip(known, (WEIGHT, 1 - WEIGHT), strict=True)))
    parts = Sum(nu * mean(*(Max(ratio - level, 0) for ratio, level in zip(ratios, LEVELS, strict=True))), TOP)
    middle = rules.restate(rules.le(apart.rhs, parts), ordered, PROPER)
    level, target = rules.hypothesis(rules.eq(LEVEL, mean(*LEVELS))), _in_order(LEVEL)
    whole = nu * Max(mean(*(ratio - level for ratio, level in zip(ratios, LEVELS, strict=True))), 0)
    first, last = (
        rules.sum_termwise(rules.equality(side.function, term, PROPER, using=[level]), TOP)
        for side, term in ((target.lhs, apart.lhs.function), (target.rhs, whole))
    )
    return rules.chain(first, apart, middle, given=PROPER), last


def _sticks_of_averages(common: tuple[Fact, Fact], up: bool | None) -> Fact:
    """Σ max(p − tν, 0) ≤ Σ max(μ − tν, 0) at t = w c_1 + (1−w) c_2, for the averages p and μ.

    The levels c_i are above l_i up to the outcome k and below it afterwards; with `up` they are below everywhere (True) or above (False).
    """
    y, ratios = INDEX, tuple(ratio[INDEX] for ratio in RATIOS)

    def inside(over: tuple[Any, ...], above: bool) -> Fact:
        here = (y <= over[2],) if over[1] == 1 else (y >= over[1], y <= over[2])
        known = [rules.specialize(rules.hypothesis(_side(k, over, above)), y, here) for k in (0, 1)]
        gaps = [ratio - level for ratio, level in zip(ratios, LEVELS, strict=True)]
        signs = tuple(rules.restate(rules.le(*((0, gap) if above else (gap, 0))), fact) for gap, fact in zip(gaps, known, strict=True))
        given = () if over[1] == 1 else (over[1] <= over[2],)
        return rules.sum_termwise(_weighed(_parts_where_signs_agree(above), ratios, signs, given), over)

    left, last = common
    if up is not None:
        return rules.chain(left, inside(TOP, up), last, given=PROPER)
    halves = inside((y, 1, CUT), False), inside((y, CUT + 1, SIZE), True)
    splits = [rules.sum_split(Sum(side.function, TOP), CUT, (CUT + 1 <= SIZE,)) for side in (halves[0].lhs, halves[0].rhs)]
    return rules.chain(left, splits[0], rules.add(*halves), splits[1], last, given=PROPER)


def _side(position: int, over: tuple[Any, ...], above: bool) -> ForAll:
    """l_i ≥ c_i, or l_i ≤ c_i, on a range of outcomes."""
    sides = (LEVELS[position], RATIOS[position][INDEX])
    return for_each(over, rules.le(*(sides if above else reversed(sides))))


SHARE = nonnegative("u")


def height(at: Any) -> Expr:
    """The likelihood ratio of the average of the second pairs at an outcome."""
    return mean(*(ratio[at] for ratio in RATIOS))


def _rise(position: int, low: Any, high: Any, given: tuple[Any, ...]) -> Fact:
    """l_i(low) ≤ l_i(high)."""
    inner = rules.specialize(rules.hypothesis(rising(position)), high, given)
    return rules.specialize(inner, low, given)


def _at_end(common: tuple[Fact, Fact], end: Any, up: bool) -> Fact:
    """The sticks are in order below l(1) (up), and above l(n): levels in the proportion of l_1 and l_2 there."""
    case = t <= height(end) if up else t >= height(end)
    values, sides = [], []
    for k in (0, 1):
        ratio = RATIOS[k]
        value = LEVEL * ratio[end] / height(end)
        scaled = rules.scale(rules.hypothesis(case), ratio[end] / height(end), PROPER)
        near = rules.restate(rules.le(value, ratio[end]) if up else rules.le(ratio[end], value), scaled, PROPER)
        further = _rise(k, end, INDEX, (INDEX <= SIZE,)) if up else _rise(k, INDEX, end, (INDEX <= SIZE,))
        beyond = rules.chain(near, further) if up else rules.chain(further, near)
        sides.append(rules.generalize(beyond, INDEX, INDEX <= SIZE))
        values.append(value)
        sides.append(rules.positive(value, PROPER))
    sides += [rules.positive(height(end), PROPER), rules.equality(LEVEL, mean(*values), PROPER)]
    return rules.instance(_sticks_of_averages(common, up), dict(zip(LEVELS, values, strict=True)), PROPER, using=sides)


def _between(common: tuple[Fact, Fact]) -> Fact:
    """The sticks are in order at the levels with l(k) < t ≤ l(k+1): c_i divides [l_i(k), l_i(k+1)] as t divides [l(k), l(k+1)]."""
    k, share = CUT, SHARE
    given = (k + 1 <= SIZE, share <= 1, *PROPER)
    values = [(1 - share) * ratio[k] + share * ratio[k + 1] for ratio in RATIOS]
    sides = []
    for position, (ratio, value) in enumerate(zip(RATIOS, values, strict=True)):
        step = _rise(position, k, k + 1, given)
        above = rules.restate(rules.le(ratio[k], value), rules.scale(step, share, given), given)
        below = rules.restate(rules.le(value, ratio[k + 1]), rules.scale(step, 1 - share, given), given)
        before, after = (y <= k,), (y >= k + 1, INDEX <= SIZE)
        sides.append(rules.generalize(rules.chain(_rise(position, INDEX, k, (*given, *before)), above), INDEX, y <= k))
        sides.append(rules.generalize(rules.chain(below, _rise(position, k + 1, INDEX, (*given, *after))), INDEX, And(*after)))
    split = rules.instance(_sticks_of_averages(common, None), dict(zip(LEVELS, values, strict=True)), given, using=sides)
    low, high = height(k), height(k + 1)
    case = (t > low, t <= high, *PROPER)
    under, over = rules.hypothesis(case[0]), rules.hypothesis(case[1])
    wide = rules.restate(rules.lt(0, high - low), rules.chain(under, over))
    part = (LEVEL - low) / (high - low)
    at_least = rules.scale(rules.restate(rules.le(0, LEVEL - low), under), 1 / (high - low), using=[wide])
    at_most = rules.scale(rules.restate(rules.le(LEVEL - low, high - low), over), 1 / (high - low), using=[wide])
    inside = [
        rules.restate(rules.le(0, part), at_least, using=[wide]),
        rules.restate(rules.le(part, 1), at_most, using=[wide]),
        rules.equality(LEVEL, mean(*(value.xreplace({share: part}) for value in values)), PROPER, using=[wide]),
    ]
    return rules.instance(split, {SHARE: part}, (*case, k + 1 <= SIZE), using=[wide, *inside])


def _every_level(proof: ProofSteps) -> Fact:
    """The sticks of the averages are in order at every level: by induction over the outcomes."""
    statement = ForAll(LEVEL, t <= height(CUT), _in_order(LEVEL))
    common = _through_the_pairs()
    proof("through the pairs", common[0])
    first = proof("levels below the first outcome", _at_end(common, Integer(1), True))
    base = rules.generalize(first, LEVEL, t <= height(1))
    before = rules.specialize(rules.hypothesis(statement), LEVEL, [t <= height(CUT)])
    step = proof("levels between two outcomes", _between(common))
    both = rules.cases(before, step, over=t <= height(CUT))
    after = rules.generalize(both, LEVEL, t <= height(CUT + 1))
    every = proof("by induction over the outcomes", rules.induction(base, after, CUT, statement, start=1, upto=SIZE))
    below = rules.specialize(rules.instance(every, {CUT: SIZE}), LEVEL, [t <= height(SIZE)])
    above = proof("levels above the last outcome", _at_end(common, SIZE, False))
    return proof("every level", rules.generalize(rules.cases(below, above, over=t <= height(SIZE)), LEVEL, LEVEL > 0))


@recipe("conjecture-1-comonotone", "Conjecture 1 holds for comonotone pairs against one law", "Yuchen 2019, Conjecture 1, a true case")
def conjecture_1_comonotone(proof: ProofSteps) -> Fact:
    """D_λ(w p_1 + (1−w) p_2 ‖ ν) ≤ D_λ(w μ_1 + (1−w) μ_2 ‖ ν) for λ > 1, μ_i = l_iν with l_1 and l_2 rising, and sticks in order."""
    given = (*GIVEN, *PROPER)
    every = _every_level(proof)
    nu = NU[INDEX]
    small, large = mean(*(law[INDEX] for law in LAWS)), height(INDEX) * nu
    values = {P: small, Q: nu, MU: large, NU: nu}
    at = {base: Lambda((INDEX,), value) for base, value in values.items()}
    moments = rules.instance(sticks_order_moments().result, {**at, OTHER_SIZE: SIZE}, given, using=[every])
    moment = proof("the moments", moments)
    z = positive("z")
    shown = [rules.positive(side, given) for side in (moment.lhs, moment.rhs)]
    logs = rules.scale(rules.apply(Lambda(z, log(z)), moment, given, using=shown), 1 / (LAMBDA - 1), given)
    quantities = [RenyiDivergence(LAMBDA, first, nu, TOP) for first in (small, large)]
    meaning = [rules.definition(quantity, given, using=[fact]) for quantity, fact in zip(quantities, shown, strict=True)]
    return proof("take the logarithm", rules.restate(rules.le(*quantities), logs, given, using=meaning))
