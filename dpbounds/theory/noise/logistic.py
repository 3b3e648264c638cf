"""Logistic and generalized normal noise: Rényi divergences with a closed form."""

from __future__ import annotations

from sympy import Abs, Eq, Expr, Integer, Integral, Lambda, Symbol, exp, log, oo

from dpbounds.language.functions import RenyiDivergence
from dpbounds.language.symbols import positive, real
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.noise.gaussian import ALPHA, OUTPUT

SHIFT = positive("Delta")
SHAPE, FIRST, SECOND = positive("beta s_1 s_2")
GIVEN = (ALPHA > 1,)
LINE = (OUTPUT, -oo, oo)


def _logistic_density(y: Symbol, mean: Expr) -> Expr:
    """The density e^{−(y−μ)}/(1+e^{−(y−μ)})²."""
    return exp(-(y - mean)) / (1 + exp(-(y - mean))) ** 2


@recipe("logistic-renyi", "Rényi divergence of logistic noise", "by the substitution u = 1/(1+e^{−y})")
def logistic_renyi(proof: ProofSteps) -> Fact:
    """D_α(Logistic(Δ) ‖ Logistic(0)) = log(c^α (1 − c^{1−2α})/((2α−1)(c−1)))/(α−1) with c = e^Δ, for α > 1 and Δ > 0."""
    y, c = OUTPUT, exp(SHIFT)
    p, q = _logistic_density(y, SHIFT), _logistic_density(y, 0)
    quantity = RenyiDivergence(ALPHA, p, q, LINE)
    defined = proof("definition", rules.definition(quantity, GIVEN))
    integrand, parts = p**ALPHA * q ** (1 - ALPHA), []
    for low, high, ratio in ((-oo, 0, (c + exp(y)) / (1 + exp(y))), (0, oo, (1 + c * exp(-y)) / (1 + exp(-y)))):
        antiderivative = c**ALPHA * ratio ** (1 - 2 * ALPHA) / ((1 - 2 * ALPHA) * (1 - c))
        side = "below 0" if high == 0 else "above 0"
        parts.append(proof(side, rules.integral(integrand, (y, low, high), antiderivative, GIVEN)))
    split = rules.integral_split(integrand, LINE, 0, GIVEN)
    tidy = c**ALPHA * (1 - c ** (1 - 2 * ALPHA)) / ((2 * ALPHA - 1) * (c - 1))
    value = proof("the moment", rules.restate(Eq(Integral(integrand, LINE), tidy, evaluate=False), split, GIVEN, using=parts))
    positive_moment = rules.chain(rules.positive(value.lhs, GIVEN), value)
    closed = log(tidy) / (ALPHA - 1)
    result = proof(
        "take the logarithm",
        rules.chain(defined, rules.equality(quantity.definition(), closed, GIVEN, using=[value, positive_moment]), given=GIVEN),
    )
    proof.formula(closed, ALPHA, SHIFT)
    return result


def _shape_integral(y: Symbol = OUTPUT) -> Expr:
    """∫ e^{−|y|^β} dy, which is 2Γ(1/β)/β."""
    return Integral(exp(-(Abs(y) ** SHAPE)), (y, -oo, oo))


def generalized_normal(y: Symbol, scale: Expr, norm: Expr) -> Expr:
    """The density e^{−|y/s|^β}/(s·norm), where the norm is ∫ e^{−|u|^β} du."""
    return exp(-(Abs(y) ** SHAPE) / scale**SHAPE) / (scale * norm)


def _below_a_power() -> Fact:
    """e^{−x^β} ≤ (2/β)^{2/β}/x² for x > 0: t ≤ e^t for t = βx^β/2, to the power 2/β."""
    x, z, t = positive("x"), positive("z"), real("t")
    half = SHAPE * x**SHAPE / 2
    tangent = rules.instance(rules.convex_tangent(exp(t), t, 0), {t: half})
    powered = rules.apply(Lambda(z, z ** (2 / SHAPE)), rules.chain(rules.sign(rules.le(half, 1 + half)), tangent))
    small, bound = exp(-(x**SHAPE)), (2 / SHAPE) ** (2 / SHAPE) / x**2
    return rules.restate(rules.le(small, bound), rules.scale(powered, small * bound))


def _finite_norm(proof: ProofSteps) -> Fact:
    """∫ e^{−|y|^β} dy ≤ 2 + 2(2/β)^{2/β}: at most 1 between −1 and 1, and (2/β)^{2/β}/y² beyond."""
    y, power = OUTPUT, proof("below a power", _below_a_power())
    x, bell, top = positive("x"), exp(-(Abs(y) ** SHAPE)), (2 / SHAPE) ** (2 / SHAPE)
    length = rules.integral(Integer(1), (y, -1, 1), y)
    parts = [rules.chain(rules.integrate_termwise(rules.sign(rules.le(bell, 1)), (y, -1, 1)), length)]
    for low, high, side in ((-oo, -1, -1), (1, oo, 1)):
        here = [rules.le(1, side * y)]
        same = rules.equality(bell, exp(-((side * y) ** SHAPE)), here)
        tail = rules.chain(same, rules.instance(power, {x: side * y}, here), given=here)
        area = rules.integral(top / y**2, (y, low, high), -top / y)
        parts.append(rules.chain(rules.integrate_termwise(tail, (y, low, high)), area))
    inner, left = rules.integral_split(bell, (y, -1, oo), 1), Integral(bell, (y, -oo, -1))
    split = rules.chain(rules.integral_split(bell, LINE, -1), rules.add(rules.equality(left, left), inner))
    return proof("the norm is finite", rules.chain(split, rules.add(*parts)))


def _another_scale(norm: Symbol, rate: Symbol) -> Fact:
    """∫ e^{−r|y|^β} dy = r^{−1/β}·Z for Z = ∫ e^{−|y|^β} dy: the substitution of r^{1/β}y for y."""
    total, root = _shape_integral(), rate ** (1 / SHAPE)
    moved = rules.rescale_integral(total.function, OUTPUT, root)
    line = Integral(exp(-rate * Abs(OUTPUT) ** SHAPE), LINE)
    known = rules.chain(rules.hypothesis(rules.eq(total, norm)), rules.chain(moved, rules.equality(moved.rhs, root * line)))
    return rules.restate(rules.eq(line, norm / root), rules.scale(known, 1 / root))


@recipe("generalized-normal-renyi", "Rényi divergence of generalized normal laws of two scales", "Gil, Alajaji & Linder 2013, for β = 2")
def generalized_normal_renyi(proof: ProofSteps) -> Fact:
    """D_α between scales s₁ and s₂ and a common shape β, where c = α/s₁^β + (1−α)/s₂^β > 0: log(s₁^{−α} s₂^{α−1} c^{−1/β})/(α−1).

    The densities are e^{−|y/s|^β}/(sZ) with Z = ∫ e^{−|u|^β} du, whatever that number is.
    """
    y, rate, norm, steep = OUTPUT, ALPHA / FIRST**SHAPE + (1 - ALPHA) / SECOND**SHAPE, positive("Z"), positive("r")
    finite = _finite_norm(proof)
    given = (*GIVEN, rate > 0, rules.eq(_shape_integral(), norm))
    p, q = generalized_normal(y, FIRST, norm), generalized_normal(y, SECOND, norm)
    quantity = RenyiDivergence(ALPHA, p, q, LINE)
    defined = proof("definition", rules.definition(quantity, given))
    area = proof("another scale", rules.instance(_another_scale(norm, steep), {steep: rate}, given))
    bell, root = area.lhs.function, rate ** (1 / SHAPE)
    integrand, factor = p**ALPHA * q ** (1 - ALPHA), FIRST ** (-ALPHA) * SECOND ** (ALPHA - 1)
    moment = factor / root
    moved = rules.integrate_termwise(rules.equality(integrand, factor / norm * bell, given), LINE)
    value = rules.equality(moved.rhs, moment, given, using=[area])
    whole = proof("the moment", rules.chain(moved, value, given=given))
    closed = log(moment) / (ALPHA - 1)
    general = proof(
        "take the logarithm", rules.chain(defined, rules.equality(quantity.definition(), closed, given, using=[whole]), given=given)
    )
    total = _shape_integral()
    special = rules.instance(general, {norm: total}, given[:-1], using=[finite, rules.positive(total)])
    result = proof("with this norm", rules.discharge(special, rules.equality(total, total)))
    proof.formula(closed, ALPHA, SHAPE, FIRST, SECOND)
    return result
