"""The Laplace mechanism: its Rényi divergence from the integral, piece by piece."""

from __future__ import annotations

from typing import Any

from sympy import Abs, Eq, Expr, Integral, Lambda, Sum, exp, log, oo

from dpbounds.language.functions import RenyiDivergence, laplace_density
from dpbounds.language.symbols import family, index, positive, positive_integer, real
from dpbounds.prover import rules
from dpbounds.prover.derivation import Proof, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.noise.gaussian import ALPHA, OUTPUT

SCALE, SHIFT = positive("b Delta")
GIVEN = (ALPHA > 1,)
LINE = (OUTPUT, -oo, oo)


def moment_integrand() -> Expr:
    """p^α q^{1−α} for p = Laplace(Δ, b), q = Laplace(0, b)."""
    return laplace_density(OUTPUT, SHIFT, SCALE) ** ALPHA * laplace_density(OUTPUT, 0, SCALE) ** (1 - ALPHA)


def moment_of(order: Expr) -> Expr:
    """order/(2·order−1)·e^{(order−1)Δ/b} + (order−1)/(2·order−1)·e^{−order·Δ/b}."""
    up, down = exp((order - 1) * SHIFT / SCALE), exp(-order * SHIFT / SCALE)
    return order / (2 * order - 1) * up + (order - 1) / (2 * order - 1) * down


def piece(low: Any, high: Any, exponent: Expr, slope: Expr) -> Fact:
    """∫ over one piece, where the integrand is e^{exponent}/(2b) with an exponent linear in y."""
    y = OUTPUT
    within = [bound for bound in (low <= y if low != -oo else None, y <= high if high != oo else None) if bound is not None]
    smooth = exp(exponent) / (2 * SCALE)
    same = rules.equality(moment_integrand(), smooth, [*GIVEN, *within])
    moved = rules.integrate_termwise(same, (y, low, high))
    value = rules.integral(smooth, (y, low, high), smooth / slope, GIVEN)
    return rules.chain(moved, value)


@recipe("laplace-moment", "Moment of the Laplace mechanism", "Mironov 2017, Proposition 6")
def laplace_moment(proof: Proof) -> Fact:
    """∫ Laplace(Δ,b)^α Laplace(0,b)^{1−α} = α/(2α−1)·e^{(α−1)Δ/b} + (α−1)/(2α−1)·e^{−αΔ/b}, for α > 1 and Δ > 0."""
    y, b = OUTPUT, SCALE
    left = proof("below 0", piece(-oo, 0, (y - ALPHA * SHIFT) / b, 1 / b))
    middle = proof("between 0 and Δ", piece(0, SHIFT, ((2 * ALPHA - 1) * y - ALPHA * SHIFT) / b, (2 * ALPHA - 1) / b))
    right = proof("above Δ", piece(SHIFT, oo, (ALPHA * SHIFT - y) / b, -1 / b))
    second = rules.integral_split(moment_integrand(), (y, 0, oo), SHIFT, GIVEN)
    first = rules.integral_split(moment_integrand(), LINE, 0, GIVEN)
    whole = Eq(Integral(moment_integrand(), LINE), moment_of(ALPHA), evaluate=False)
    return proof("the moment", rules.restate(whole, first, GIVEN, using=[left, middle, right, second]))


@recipe("laplace-renyi", "Rényi divergence of the Laplace mechanism", "Mironov 2017, Proposition 6")
def laplace_renyi(proof: Proof) -> Fact:
    """D_α(Laplace(Δ,b) ‖ Laplace(0,b)) = log(α/(2α−1)·e^{(α−1)Δ/b} + (α−1)/(2α−1)·e^{−αΔ/b})/(α−1), for α > 1 and Δ > 0."""
    quantity = RenyiDivergence(ALPHA, laplace_density(OUTPUT, SHIFT, SCALE), laplace_density(OUTPUT, 0, SCALE), LINE)
    defined = proof("definition", rules.definition(quantity, GIVEN))
    moment = proof("the moment", laplace_moment().result)
    closed = log(moment_of(ALPHA)) / (ALPHA - 1)
    value = rules.equality(quantity.definition(), closed, GIVEN, using=[moment])
    result = proof("take the logarithm", rules.chain(defined, value, given=GIVEN))
    proof.formula(closed, ALPHA, SCALE, SHIFT)
    return result


LEVEL = positive("epsilon")
DIMENSION, COORDINATE = positive_integer("K"), index("k")
NOISY, HERE, THERE = family("o", "real"), family("f", "real"), family("g", "real")
OVER = (COORDINATE, 1, DIMENSION)


@recipe("laplace-private", "Laplace noise Δ/ε in every coordinate is ε-private", "Dwork et al. 2006; slides of 2022")
def laplace_private(proof: Proof) -> Fact:
    """e^{−(ε/Δ)Σ|o−f|} ≤ e^ε e^{−(ε/Δ)Σ|o−g|} for Σ|f−g| ≤ Δ: the densities at every output o of K coordinates, the constants cancel."""
    o, f, g = (values[COORDINATE] for values in (NOISY, HERE, THERE))
    each = proof("triangle inequality", rules.triangle(o - f, f - g))
    total = rules.sum_termwise(each, OVER)
    near = rules.hypothesis(rules.le(Sum(Abs(f - g), OVER), SHIFT))
    far, close = Sum(Abs(o - g), OVER), Sum(Abs(o - f), OVER)
    bound = proof("sum over the coordinates", rules.restate(rules.le(far - close, SHIFT), rules.add(total, near)))
    scaled = rules.scale(bound, LEVEL / SHIFT)
    x = real("x")
    target = rules.le(-LEVEL / SHIFT * close, LEVEL - LEVEL / SHIFT * far)
    powered = rules.apply(Lambda(x, exp(x)), rules.restate(target, scaled))
    return proof("exponentiate", rules.restate(rules.le(exp(target.lhs), exp(LEVEL) * exp(-LEVEL / SHIFT * far)), powered))
