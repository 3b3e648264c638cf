"""Sampling a pair that is its own mirror image: removing a record shows more than adding it.

p and q are densities that a reflection exchanges, as it does N(1,σ²) and N(0,σ²); s = γp+(1−γ)q and u = γq+(1−γ)p are what sampling at
rate γ makes of them. With y = p/q, m = s/q and b = u/p the reflection turns ∫ u^α p^{1−α} into ∫ s^α q^{1−α}, so that twice the gap
between the two directions is the integral of q·h(y),

    h(y) = m^α − m^{1−α} + y(b^α − b^{1−α}).

h(1) = h′(1) = 0 and h″ = α(α−1)γ²(m^{−3/2}(m^w − m^{−w}) − y^{−3}b^{−3/2}(b^{−w} − b^w)), w = α−½: for y ≥ 1 this is nonnegative, as
m ≥ 1/b ≥ 1 and y²b ≥ m; and y·h(1/y) = h(y). So h ≥ 0 for every order α > 1. The hockey stick at ε ≥ 0 compares outcome by outcome: where
p ≥ q, max(q − e^ε s, 0) is 0 and p − e^ε u ≤ s − e^ε q.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sympy import Expr, Ge, Lambda, Le, Max, Rational, Symbol, diff, exp, log, oo

from dpbounds.language.functions import RenyiDivergence, SampledGaussianDelta, SampledGaussianRenyi, laplace_density, normal_density
from dpbounds.language.symbols import nonnegative, positive
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.noise import laplace
from dpbounds.theory.noise.gaussian import OUTPUT

ALPHA, RATE, SIGMA = positive("alpha q sigma")
EPSILON = nonnegative("epsilon")
ODDS, RATIO = positive("r y")
GIVEN = (ALPHA > 1,)
OVER = (OUTPUT, -oo, oo)
Z = Symbol("z", positive=True)
SOURCE = "Mironov, Talwar & Zhang 2019, Theorem 5"


def _with_record(y: Expr) -> Expr:
    return (ODDS + y) / (1 + ODDS)


def _mirrored(y: Expr) -> Expr:
    return (1 + ODDS * y) / ((1 + ODDS) * y)


def _gap(y: Expr) -> Expr:
    m, b = _with_record(y), _mirrored(y)
    return m**ALPHA - m ** (1 - ALPHA) + y * (b**ALPHA - b ** (1 - ALPHA))


def _curvature(proof: ProofSteps) -> tuple[Fact, Expr]:
    """0 ≤ h″/(α(α−1)γ²) for y ≥ 1, and this quotient."""
    y, m, b = RATIO, _with_record(RATIO), _mirrored(RATIO)
    given = (*GIVEN, Ge(y, 1))
    w = ALPHA - Rational(1, 2)
    odd = Lambda(Z, Z**w - Z**-w)
    beyond = rules.sign(rules.le(1 / b, m), given)
    one = rules.sign(rules.le(1, 1 / b), given)
    grows = proof("z^w - z^-w grows from 1/b to m", rules.apply(odd, beyond, given))
    start = rules.apply(odd, one, given)
    shown = rules.restate(rules.le(0, odd(1 / b)), start, given)
    slower = rules.apply(Lambda(Z, Z ** Rational(-3, 2)), rules.sign(rules.le(m, y**2 * b), given), given)
    both = rules.multiply(slower, grows, given, using=[shown])
    bend = m ** (ALPHA - 2) - m ** (-ALPHA - 1) + y**-3 * (b ** (ALPHA - 2) - b ** (-ALPHA - 1))
    return proof("so the second derivative is nonnegative from y = 1 on", rules.restate(rules.le(0, bend), both, given)), bend


def pointwise(proof: ProofSteps) -> Fact:
    """0 ≤ h(y) for every y > 0."""
    y = RATIO
    curved, bend = _curvature(proof)
    slope, factor = diff(_gap(y), y), ALPHA * (ALPHA - 1) / (1 + ODDS) ** 2
    side = [Ge(y, 1)]
    flat = rules.equality(0, slope.subs(y, 1), GIVEN)
    level = rules.equality(0, _gap(y).subs(y, 1), GIVEN)
    steeper = rules.minimum(slope, y, 1, GIVEN, side, using=[curved], factored=(y - 1) * factor * bend)
    rising = proof("so the slope is", rules.restate(rules.le(0, slope), rules.chain(flat, steeper, given=GIVEN), GIVEN))
    lowest = rules.minimum(_gap(y), y, 1, GIVEN, side, using=[rising], factored=slope * (y - 1))
    above = proof("and h", rules.chain(level, lowest, given=GIVEN))
    other = rules.scale(rules.instance(above, {y: 1 / y}, [*GIVEN, Le(y, 1)]), y)
    below = proof("y h(1/y) = h(y): so h is nonnegative before 1 too", rules.restate(rules.le(0, _gap(y)), other, GIVEN))
    return proof("everywhere", rules.cases(above, below, over=Ge(y, 1)))


def at_both_images(everywhere: Fact, p: Expr, q: Expr) -> Fact:
    """The terms of q and s and those of p and u, add below remove: an outcome and its mirror image, where p and q change places."""
    given = (*GIVEN, RATE < 1)
    s, u = RATE * p + (1 - RATE) * q, RATE * q + (1 - RATE) * p
    at = rules.instance(everywhere, {RATIO: p / q, ODDS: (1 - RATE) / RATE}, given)
    signs = [rules.positive(part, given) for part in (s, u)]
    add = q**ALPHA * s ** (1 - ALPHA) + p**ALPHA * u ** (1 - ALPHA)
    remove = s**ALPHA * q ** (1 - ALPHA) + u**ALPHA * p ** (1 - ALPHA)
    return rules.restate(rules.le(add, remove), rules.scale(at, q), given, using=signs)


def _densities(density: Callable[..., Expr]) -> tuple[Expr, Expr, Expr, Expr]:
    """p, q, and what sampling makes of them."""
    p, q = density(OUTPUT, 1, SIGMA), density(OUTPUT, 0, SIGMA)
    return p, q, RATE * p + (1 - RATE) * q, RATE * q + (1 - RATE) * p


def _moments_compared(proof: ProofSteps, density: Callable[..., Expr] = normal_density) -> Fact:
    """∫ q^α s^{1−α} ≤ ∫ s^α q^{1−α}, for a density that reflection at 1/2 moves from mean 1 to mean 0."""
    given = (*GIVEN, RATE < 1)
    everywhere = pointwise(proof)
    p, q, s, _ = _densities(density)
    small, large = q**ALPHA * s ** (1 - ALPHA), s**ALPHA * q ** (1 - ALPHA)
    term = proof("at y = p/q, times q", at_both_images(everywhere, p, q))
    return proof("integrate, and reflect at 1/2", rules.integrate_mirrored(term, OUTPUT, 1, small, large, given))


def _logarithms(proof: ProofSteps, moment: Fact, quantities: Iterable[Expr], finite: Sequence[Fact] = ()) -> Fact:
    """Two divergences in the order of their moments."""
    given = (*GIVEN, RATE < 1)
    shown = [rules.positive(side, given, using=finite) for side in (moment.lhs, moment.rhs)]
    logs = rules.scale(rules.apply(Lambda(Z, log(Z)), moment, given, using=shown), 1 / (ALPHA - 1), given)
    meaning = [rules.definition(quantity, given, using=[fact]) for quantity, fact in zip(quantities, shown, strict=True)]
    return proof("take the logarithm", rules.chain(meaning[0], logs, meaning[1]))


@recipe("remove-above-add", "Removing a record shows at least as much as adding it, at every order", SOURCE)
def remove_above_add(proof: ProofSteps) -> Fact:
    """D_α(N(0,σ²) ‖ qN(1,σ²)+(1−q)N(0,σ²)) ≤ D_α(qN(1,σ²)+(1−q)N(0,σ²) ‖ N(0,σ²)), for every real α > 1 and 0 < q < 1."""
    quantities = (SampledGaussianRenyi(ALPHA, SIGMA, RATE, direction) for direction in ("add", "remove"))
    return _logarithms(proof, _moments_compared(proof), quantities)


@recipe("remove-above-add-laplace", "Removing a record shows at least as much as adding it, at every order, under Laplace noise", SOURCE)
def remove_above_add_laplace(proof: ProofSteps) -> Fact:
    """The same of Laplace noise of scale σ: D_α(q ‖ s) ≤ D_α(s ‖ q), s = γp+(1−γ)q, for every real α > 1 and 0 < γ < 1."""
    finite = [laplace.moment_in_pieces(proof, 1, SIGMA, swapped) for swapped in (False, True)]
    finite.append(proof("the mass", laplace.mass(0, SIGMA)))
    _, q, s, _ = _densities(laplace_density)
    quantities = (RenyiDivergence(ALPHA, *pair, OVER) for pair in ((q, s), (s, q)))
    return _logarithms(proof, _moments_compared(proof, laplace_density), quantities, finite)


@recipe("remove-above-add-delta", "Removing a record shows at least as much as adding it, at every ε ≥ 0, in one step", SOURCE)
def remove_above_add_delta(proof: ProofSteps) -> Fact:
    """δ(ε) of N(0,σ²) against qN(1,σ²)+(1−q)N(0,σ²) is at most δ(ε) of the two swapped, for every ε ≥ 0 and 0 < q < 1, one step."""
    given = (RATE < 1,)
    x, z = positive("x z")
    s, u = RATE * x + (1 - RATE) * z, RATE * z + (1 - RATE) * x
    grown = exp(EPSILON)
    grows = rules.sign(rules.le(1, grown))
    sizes = {"s-q": (s, z), "u-p": (u, x), "q-s": (z, s), "p-u": (x, u)}
    ends = {name: Max(first - grown * second, 0) for name, (first, second) in sizes.items()}
    left, right = ends["q-s"] + ends["p-u"], ends["s-q"] + ends["u-p"]
    sides = []
    for order, zero, kept, other, spare in ((Ge(x, z), "q-s", "p-u", "s-q", "u-p"), (Le(x, z), "p-u", "q-s", "u-p", "s-q")):
        here = (*given, order)
        first, second = sizes[zero]
        below = rules.chain(rules.sign(rules.le(first, second), here), rules.scale(grows, second, given))
        nothing = rules.maximum(rules.restate(rules.le(first - grown * second, 0), below), rules.equality(0, 0))
        larger = next(part for part in ends[other].args if part != 0)
        smaller = next(part for part in ends[kept].args if part != 0)
        gap = rules.nonnegative((1 - RATE) * (order.lhs - order.rhs if order.rel_op == ">=" else order.rhs - order.lhs), here)
        closer = rules.restate(rules.le(smaller, larger), rules.scale(grows, gap.rhs, here, using=[gap]))
        step = rules.chain(closer, rules.below_maximum(ends[other], ends[other].args.index(larger)))
        bounded = rules.maximum(step, rules.nonnegative(ends[other]))
        total = rules.add(nothing, bounded, rules.nonnegative(ends[spare]))
        sides.append(rules.restate(rules.le(left, right), total, given))
    everywhere = proof("at every output", rules.cases(*sides, over=Ge(x, z)))
    p, q = normal_density(OUTPUT, 1, SIGMA), normal_density(OUTPUT, 0, SIGMA)
    at = rules.instance(everywhere, {x: p, z: q}, given)
    small, large = (ends[name].subs({x: p, z: q}, simultaneous=True) for name in ("q-s", "s-q"))
    halved = proof("integrate, and reflect at 1/2", rules.integrate_mirrored(at, OUTPUT, 1, small, large, given))
    add, remove = (SampledGaussianDelta(EPSILON, SIGMA, RATE, 1, direction) for direction in ("add", "remove"))
    meaning = [rules.definition(quantity, given) for quantity in (add, remove)]
    return proof("in terms of delta", rules.chain(meaning[0], halved, meaning[1]))
