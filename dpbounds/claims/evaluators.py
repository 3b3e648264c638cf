"""Tell the claim language how to enclose the privacy quantities that have no elementary formula."""

from __future__ import annotations

import sympy

from dpbounds import balls, enclose, functions
from dpbounds.balls import Ball


def _sampled_gaussian_renyi(alpha: Ball, sigma: Ball, q: Ball, direction: sympy.Symbol) -> Ball:
    """D_α over a box, by monotonicity in α, σ and q (`moments.poisson_gaussian.renyi_ball`)."""
    from dpbounds.moments.poisson_gaussian import renyi_ball

    return renyi_ball(alpha, sigma, q, add=str(direction) == "add", bits=balls.working_bits())


def _sampled_gaussian_moment(alpha: Ball, sigma: Ball, q: Ball, direction: sympy.Symbol) -> Ball:
    return ((alpha - 1) * _sampled_gaussian_renyi(alpha, sigma, q, direction)).exp()


def register_all() -> None:
    """Register every evaluator; `dpbounds.claims` does it on import."""
    enclose.register(functions.SampledGaussianRenyi, _sampled_gaussian_renyi)
    enclose.register(functions.SampledGaussianMoment, _sampled_gaussian_moment)
