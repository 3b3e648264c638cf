"""Tell the claim language how to enclose the privacy quantities that have no elementary formula.

Each evaluator takes balls, so it also works on boxes: the quantities are monotone in each parameter (docs/monotonicity.md has the
proofs), and the two extreme corners bound them. Where digits cannot be had the answer is NaN, which decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.claims.boxes import mechanism_quantities
from dpbounds.errors import PrecisionError
from dpbounds.language import enclose, functions
from dpbounds.mechanisms import Direction, Gaussian, PoissonSampling, Relation, Repeated, Sampled
from dpbounds.numbers import balls
from dpbounds.numbers.balls import Ball
from dpbounds.renyi.poisson_gaussian import renyi_ball

_LARGEST_DIGITS = 60
_CONSTANT_DIGITS = 4


def register_all() -> None:
    """Register every evaluator; `dpbounds.claims` does it on import."""
    enclose.register(functions.SampledGaussianRenyi, _sampled_gaussian_renyi)
    enclose.register(functions.SampledGaussianMoment, _sampled_gaussian_moment)
    enclose.register(functions.SampledGaussianDelta, _sampled_gaussian_delta)
    enclose.register(functions.SubstituteGaussianDelta, _substitute_gaussian_delta)
    enclose.register(functions.MechanismDelta, mechanism_quantities.enclose_delta)
    enclose.register(functions.MechanismRenyi, mechanism_quantities.enclose_renyi)
    enclose.register(functions.MomentConstant, _moment_constant)


def _sampled_gaussian_renyi(alpha: Ball, sigma: Ball, q: Ball, direction: sympy.Symbol) -> Ball:
    """D_α over a box, by monotonicity in α, σ and q (docs/monotonicity.md, Lemmas 1, 3 and 4)."""
    return renyi_ball(alpha, sigma, q, add=str(direction) == "add", bits=balls.working_bits())


def _sampled_gaussian_moment(alpha: Ball, sigma: Ball, q: Ball, direction: sympy.Symbol) -> Ball:
    return ((alpha - 1) * _sampled_gaussian_renyi(alpha, sigma, q, direction)).exp()


def _sampled_gaussian_delta(epsilon: Ball, sigma: Ball, q: Ball, steps: Ball, direction: sympy.Symbol) -> Ball:
    """δ is nonincreasing in ε and σ and nondecreasing in q, for any number of uses (docs/monotonicity.md, Lemmas 3 to 5)."""
    return _by_corners(epsilon, sigma, q, steps, Relation.ADD_OR_REMOVE, Direction(str(direction)))


def _substitute_gaussian_delta(epsilon: Ball, sigma: Ball, q: Ball, steps: Ball) -> Ball:
    """The kernels that make σ larger and q smaller act on both sides alike (docs/monotonicity.md, Lemmas 3 to 5)."""
    return _by_corners(epsilon, sigma, q, steps, Relation.SUBSTITUTE, Direction.WORST)


def _by_corners(epsilon: Ball, sigma: Ball, q: Ball, steps: Ball, relation: Relation, direction: Direction) -> Ball:
    from dpbounds.accounting import delta

    ends = [balls.Enclosure.of_ball(value) for value in (epsilon, sigma, q)]
    count = balls.Enclosure.of_ball(steps)
    inside = ends[0].lower >= 0 and ends[1].lower > 0 and ends[2].lower >= 0 and ends[2].upper <= 1
    if not inside or not count.is_exact or count.lower < 1 or not all(isinstance(e.upper, Fraction) for e in ends):
        return Ball.nan()

    def value_at(eps: Any, noise: Any, rate: Any) -> balls.Enclosure:
        mechanism = Repeated(Sampled(Gaussian(noise), PoissonSampling(rate)), int(count.lower))
        return delta(mechanism, eps, digits=_digits(), relation=relation, direction=direction).enclosure

    return _bounded(
        lambda: value_at(ends[0].upper, ends[1].upper, ends[2].lower), lambda: value_at(ends[0].lower, ends[1].lower, ends[2].upper), ends
    )


def _moment_constant(first: Ball, second: Ball) -> Ball:
    """C(c₁, c₂) at exact c₁, c₂ > 0; the supremum is found by a search whose cost grows with the digits, so few are asked for."""
    from dpbounds.budgets.routes import constant_of

    ends = [balls.Enclosure.of_ball(value) for value in (first, second)]
    if not all(end.is_exact and isinstance(end.lower, Fraction) and end.lower > 0 for end in ends):
        return Ball.nan()
    try:
        return constant_of(ends[0].lower, ends[1].lower, _CONSTANT_DIGITS).value.ball()
    except PrecisionError:
        return Ball.nan()


def _digits() -> int:
    return max(5, min(_LARGEST_DIGITS, int(balls.working_bits() / balls.BITS_PER_DIGIT) - 5))


def _bounded(least: Callable[[], balls.Enclosure], largest: Callable[[], balls.Enclosure], ends: list[balls.Enclosure]) -> Ball:
    """From the smallest to the largest corner; one evaluation when all parameters are points."""
    try:
        low = least()
        high = low if all(end.is_exact for end in ends) else largest()
    except PrecisionError:
        return Ball.nan()
    return low.low.union(high.high)
