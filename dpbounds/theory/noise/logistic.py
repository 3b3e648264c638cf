"""Logistic and generalized normal noise: Rényi divergences with a closed form."""

from __future__ import annotations

from sympy import Abs, Eq, Expr, Integral, Symbol, exp, gamma, log, lowergamma, oo

from dpbounds.language.functions import RenyiDivergence
from dpbounds.language.symbols import positive
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.noise.gaussian import ALPHA, OUTPUT

SHIFT = positive("Delta")
SHAPE, FIRST, SECOND = positive("beta s_1 s_2")
GIVEN = (ALPHA > 1,)
LINE = (OUTPUT, -oo, oo)


def logistic_density(y: Symbol, mean: Expr) -> Expr:
    """The density e^{−(y−μ)}/(1+e^{−(y−μ)})²."""
    return exp(-(y - mean)) / (1 + exp(-(y - mean))) ** 2


@recipe("logistic-renyi", "Rényi divergence of logistic noise", "by the substitution u = 1/(1+e^{−y})")
def logistic_renyi(proof: ProofSteps) -> Fact:
    """D_α(Logistic(Δ) ‖ Logistic(0)) = log(c^α (1 − c^{1−2α})/((2α−1)(c−1)))/(α−1) with c = e^Δ, for α > 1 and Δ > 0."""
    y, c = OUTPUT, exp(SHIFT)
    p, q = logistic_density(y, SHIFT), logistic_density(y, 0)
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


def generalized_normal(y: Symbol, scale: Expr) -> Expr:
    """The density β/(2sΓ(1/β))·e^{−|y/s|^β}."""
    return SHAPE / (2 * scale * gamma(1 / SHAPE)) * exp(-(Abs(y) ** SHAPE) / scale**SHAPE)


@recipe("generalized-normal-renyi", "Rényi divergence of generalized normal laws of two scales", "Gil, Alajaji & Linder 2013, for β = 2")
def generalized_normal_renyi(proof: ProofSteps) -> Fact:
    """D_α between scales s₁ and s₂ and a common shape β, where c = α/s₁^β + (1−α)/s₂^β > 0: log(s₁^{−α} s₂^{α−1} c^{−1/β})/(α−1)."""
    y, rate = OUTPUT, ALPHA / FIRST**SHAPE + (1 - ALPHA) / SECOND**SHAPE
    given = (*GIVEN, rate > 0)
    p, q = generalized_normal(y, FIRST), generalized_normal(y, SECOND)
    quantity = RenyiDivergence(ALPHA, p, q, LINE)
    defined = proof("definition", rules.definition(quantity, given))
    norm = SHAPE / (2 * gamma(1 / SHAPE)) * FIRST ** (-ALPHA) * SECOND ** (ALPHA - 1)
    integrand = p**ALPHA * q ** (1 - ALPHA)
    halves = []
    for low, high, side in ((-oo, 0, -1), (0, oo, 1)):
        within = [side * y >= 0]
        tail = norm * exp(-rate * (side * y) ** SHAPE)
        same = rules.equality(integrand, tail, [*given, *within])
        area = side * norm * lowergamma(1 / SHAPE, rate * (side * y) ** SHAPE) / (SHAPE * rate ** (1 / SHAPE))
        moved = rules.integrate_termwise(same, (y, low, high))
        halves.append(
            proof(f"{'right' if side > 0 else 'left'} half", rules.chain(moved, rules.integral(tail, (y, low, high), area, given)))
        )
    split = rules.integral_split(integrand, LINE, 0, given)
    moment = FIRST ** (-ALPHA) * SECOND ** (ALPHA - 1) * rate ** (-1 / SHAPE)
    whole = proof("the moment", rules.restate(Eq(Integral(integrand, LINE), moment, evaluate=False), split, given, using=halves))
    closed = log(moment) / (ALPHA - 1)
    result = proof(
        "take the logarithm", rules.chain(defined, rules.equality(quantity.definition(), closed, given, using=[whole]), given=given)
    )
    proof.formula(closed, ALPHA, SHAPE, FIRST, SECOND)
    return result
