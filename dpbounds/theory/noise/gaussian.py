"""The Gaussian mechanism: its Rényi divergence from the integral, by completing the square."""

from __future__ import annotations

import sympy
from sympy import Integral, Symbol, erf, exp, oo, sqrt

from dpbounds.language.functions import GaussianRenyi, normal_density
from dpbounds.language.symbols import positive, real
from dpbounds.language.typed.bridge import takes_terms
from dpbounds.prover import rules
from dpbounds.prover.derivation import ProofSteps, recipe
from dpbounds.prover.facts import Fact

ALPHA, SIGMA = positive("alpha sigma")
DELTA = real("Delta")
OUTPUT = Symbol("y", real=True)


@takes_terms
def gaussian_integral(mean: sympy.Expr, sigma: sympy.Expr = SIGMA, y: Symbol = OUTPUT) -> Fact:
    """∫ N(y; mean, σ²) dy = 1."""
    return rules.integral(normal_density(y, mean, sigma), (y, -oo, oo), erf((y - mean) / (sqrt(2) * sigma)) / 2)


def gaussian_moment(order: sympy.Expr, shift: sympy.Expr, sigma: sympy.Expr = SIGMA, y: Symbol = OUTPUT) -> tuple[Fact, Fact, Fact]:
    """∫ N(y; Δ, σ²)^α N(y; 0, σ²)^{1−α} dy = exp(α(α−1)Δ²/(2σ²)) for every real α: the square, the mass, the moment."""
    integrand = normal_density(y, shift, sigma) ** order * normal_density(y, 0, sigma) ** (1 - order)
    shifted = normal_density(y, order * shift, sigma)
    growth = exp(order * (order - 1) * shift**2 / (2 * sigma**2))
    square = rules.equality(integrand, growth * shifted)
    mass = gaussian_integral(order * shift, sigma, y)
    inside = rules.integrate_termwise(square, (y, -oo, oo))
    constant = rules.equality(Integral(growth * shifted, (y, -oo, oo)), growth, using=[mass])
    return square, mass, rules.chain(inside, constant)


@recipe("gaussian-renyi", "Rényi divergence of the Gaussian mechanism", "Yuchen 2019, Example 1; Mironov 2017, Proposition 7")
def gaussian_renyi(proof: ProofSteps) -> Fact:
    """D_α(N(Δ,σ²) ‖ N(0,σ²)) = αΔ²/(2σ²), for every α > 1."""
    given = [ALPHA > 1]
    quantity = GaussianRenyi(ALPHA, SIGMA, DELTA)
    defined = proof("definition", rules.definition(quantity, given))
    square, mass, moment = gaussian_moment(ALPHA, DELTA)
    proof("complete the square", square)
    proof("a density integrates to one", mass)
    proof("the moment", moment)
    closed = ALPHA * DELTA**2 / (2 * SIGMA**2)
    value = rules.equality(quantity.definition(), closed, given, using=[moment])
    result = proof("take the logarithm", rules.chain(defined, value))
    proof.formula(closed, ALPHA, SIGMA, DELTA)
    return result
