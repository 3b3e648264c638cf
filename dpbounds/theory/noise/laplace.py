"""The Laplace mechanism: its Rényi divergence from the integral, piece by piece."""

from __future__ import annotations

from typing import Any

from sympy import Abs, Eq, Expr, Integral, Lambda, Sum, diff, exp, log, oo

from dpbounds.language.functions import RenyiDivergence, laplace_density
from dpbounds.language.symbols import family, index, positive, positive_integer, real
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact
from dpbounds.theory.noise.gaussian import ALPHA, OUTPUT

SCALE, SHIFT = positive("b Delta")
GIVEN = (ALPHA > 1,)
LINE = (OUTPUT, -oo, oo)


def moment_of(order: Expr, shift: Expr | int = SHIFT, scale: Expr = SCALE) -> Expr:
    """order/(2·order−1)·e^{(order−1)Δ/b} + (order−1)/(2·order−1)·e^{−order·Δ/b}."""
    up, down = exp((order - 1) * shift / scale), exp(-order * shift / scale)
    return order / (2 * order - 1) * up + (order - 1) / (2 * order - 1) * down


def _piece(integrand: Expr, low: Any, high: Any, exponent: Expr, scale: Expr) -> Fact:
    """∫ over one piece, where the integrand is e^{exponent}/(2b) with an exponent linear in y."""
    y = OUTPUT
    within = [bound for bound in (low <= y if low != -oo else None, y <= high if high != oo else None) if bound is not None]
    smooth = exp(exponent) / (2 * scale)
    same = rules.equality(integrand, smooth, [*GIVEN, *within])
    moved = rules.integrate_termwise(same, (y, low, high))
    value = rules.integral(smooth, (y, low, high), smooth / diff(exponent, y), GIVEN)
    return rules.chain(moved, value)


def moment_in_pieces(proof: ProofSteps, shift: Expr | int = SHIFT, scale: Expr = SCALE, swapped: bool = False) -> Fact:
    """∫ p^α q^{1−α} for p = Laplace(Δ, b), q = Laplace(0, b), and for the two swapped: below 0, between 0 and Δ, and above Δ."""
    y, b, far, near = OUTPUT, scale, ALPHA * shift, (ALPHA - 1) * shift
    steep = (2 * ALPHA - 1) * y
    exponents = ((y + near) / b, (near - steep) / b, (-y - near) / b) if swapped else ((y - far) / b, (steep - far) / b, (far - y) / b)
    first, second = (laplace_density(y, at, b) for at in ((0, shift) if swapped else (shift, 0)))
    integrand = first**ALPHA * second ** (1 - ALPHA)
    ranges = {"below 0": (-oo, 0), "between 0 and Δ": (0, shift), "above Δ": (shift, oo)}
    parts = [proof(name, _piece(integrand, *ranges[name], at, b)) for name, at in zip(ranges, exponents, strict=True)]
    parts.append(rules.integral_split(integrand, (y, 0, oo), shift, GIVEN))
    whole = Eq(Integral(integrand, LINE), moment_of(ALPHA, shift, b), evaluate=False)
    return proof("the moment", rules.restate(whole, rules.integral_split(integrand, LINE, 0, GIVEN), GIVEN, using=parts))


def mass(shift: Expr | int, scale: Expr = SCALE) -> Fact:
    """∫ Laplace(y; shift, b) dy = 1."""
    y, b = OUTPUT, scale
    density, parts = laplace_density(y, shift, b), []
    for low, high, sign in ((-oo, shift, 1), (shift, oo, -1)):
        within = [y <= high if sign == 1 else low <= y]
        smooth = exp(sign * (y - shift) / b) / (2 * b)
        moved = rules.integrate_termwise(rules.equality(density, smooth, within), (y, low, high))
        parts.append(rules.chain(moved, rules.integral(smooth, (y, low, high), sign * b * smooth)))
    split = rules.integral_split(density, LINE, shift)
    return rules.restate(Eq(Integral(density, LINE), 1, evaluate=False), split, using=parts)


@recipe("laplace-moment", "Moment of the Laplace mechanism", "Mironov 2017, Proposition 6")
def laplace_moment(proof: ProofSteps) -> Fact:
    """∫ Laplace(Δ,b)^α Laplace(0,b)^{1−α} = α/(2α−1)·e^{(α−1)Δ/b} + (α−1)/(2α−1)·e^{−αΔ/b}, for α > 1 and Δ > 0."""
    return moment_in_pieces(proof)


@recipe("laplace-renyi", "Rényi divergence of the Laplace mechanism", "Mironov 2017, Proposition 6")
def laplace_renyi(proof: ProofSteps) -> Fact:
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
def laplace_private(proof: ProofSteps) -> Fact:
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
