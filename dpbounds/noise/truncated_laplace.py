"""Laplace noise on an interval: no number is farther from the truth than its end, at the price of an infinite loss."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from dpbounds.mechanisms import DensityPair, Noise, Parameter, Relation
from dpbounds.mechanisms.pairs import ShiftedPair
from dpbounds.numbers import exact
from dpbounds.numbers.domains import positive


@dataclass(frozen=True)
class TruncatedLaplace(Noise):
    """A query of sensitivity 1 plus noise of density e^{−|x|/b}/(2b(1 − e^{−A/b})) for |x| ≤ A.

    The noise is log-concave, so that the largest move dominates every smaller one.

    Args:
        scale: b > 0, rational.
        reach: A > 0, rational.

    Source: Geng, Ding, Guo & Kumar 2020, "Tight analysis of privacy and utility tradeoff in approximate differential privacy".

    >>> TruncatedLaplace(1, 5).pair(Relation.ADD_OR_REMOVE).densities.support
    (-5, 6)
    """

    scale: Fraction
    reach: Fraction

    def __init__(self, scale: exact.Number, reach: exact.Number) -> None:
        object.__setattr__(self, "scale", positive(exact.rational(scale, "scale of truncated Laplace noise"), "scale"))
        object.__setattr__(self, "reach", positive(exact.rational(reach, "reach of truncated Laplace noise"), "reach"))

    parameters = (
        Parameter("truncated-laplace", "scale", "B", "Laplace noise of scale B > 0, conditioned on at most --reach."),
        Parameter("reach", "reach", "A", "The largest size of truncated Laplace noise."),
    )
    example = {"truncated-laplace": "1", "reach": "5"}

    no_certificate: ClassVar[str] = "the small checker does not know truncated Laplace noise; its value rests on the ball engine alone"

    def pair(self, relation: Relation) -> ShiftedPair:
        """The two densities, moved by 1, or by 2 for a substitution."""
        import sympy

        move, x = 2 if relation is Relation.SUBSTITUTE else 1, sympy.Symbol("x", real=True)
        b, reach = (sympy.Rational(value.numerator, value.denominator) for value in (self.scale, self.reach))
        weight = 1 / (2 * b * (1 - sympy.exp(-reach / b)))

        def around(centre: int) -> sympy.Expr:
            inside = sympy.And(x >= centre - reach, x <= centre + reach)
            return sympy.Piecewise((weight * sympy.exp(-sympy.Abs(x - centre) / b), inside), (0, True))

        return ShiftedPair(DensityPair(around(move), around(0), x, (-reach, reach + move)))
