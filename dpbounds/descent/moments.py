"""δ(ε) of the Gaussian mechanism by its Rényi divergence, where that is the smaller side of a statement.

With the privacy loss L, δ(ε) = E_P[(1 − e^(ε − L))₊]. For α > 1 and s = e^(ε − L), s^(α − 1)·(1 − s) is largest at s = 1 − 1/α, where it is
c = (1 − 1/α)^(α − 1)/α. So (1 − e^(ε − L))₊ ≤ c·e^((α − 1)(L − ε)), and δ(ε) ≤ c·e^((α − 1)(D_α − ε)), where D_α = αΔ²/(2σ²) is the Rényi
divergence of two Gaussians at a distance of Δ. For s ≤ 1 and α ≥ 1 the product is at most 1 too, so the bound without c holds for α ≥ 1.
"""

from __future__ import annotations

import sympy

from dpbounds.descent.problem import Problem
from dpbounds.language import functions


def gaussian_delta_of(problem: Problem) -> functions.GaussianDelta | None:
    """δ(ε) of the Gaussian mechanism that is the smaller side, perhaps times a positive number."""
    number, node = problem.small.as_coeff_Mul()
    return node if isinstance(node, functions.GaussianDelta) and number.is_Rational and number > 0 else None


def order_above_one(problem: Problem, order: sympy.Expr, *, sharp: bool) -> Problem:
    """α > 1, or α ≥ 1 for the bound without c."""
    return Problem(order, sympy.S.One, sharp, problem.box, problem.premises, problem.meanings)


def moment_bound(number: sympy.Expr, node: functions.GaussianDelta, order: sympy.Expr, *, sharp: bool) -> sympy.Expr:
    """A number times c·e^((α − 1)(αΔ²/(2σ²) − ε)), or the same without c."""
    epsilon, sigma, sensitivity = node.args
    less = sympy.Add(order, -1, evaluate=False)
    inverse = sympy.Pow(order, -1, evaluate=False)
    below = sympy.Pow(sympy.Mul(2, sigma, sigma, evaluate=False), -1, evaluate=False)
    divergence = sympy.Mul(order, sensitivity, sensitivity, below, evaluate=False)
    exponent = sympy.Mul(less, sympy.Add(divergence, sympy.Mul(-1, epsilon, evaluate=False), evaluate=False), evaluate=False)
    rest = sympy.Add(1, sympy.Mul(-1, inverse, evaluate=False), evaluate=False)
    c = (sympy.Pow(rest, less, evaluate=False), inverse) if sharp else ()
    return sympy.Mul(number, sympy.exp(exponent, evaluate=False), *c, evaluate=False)
