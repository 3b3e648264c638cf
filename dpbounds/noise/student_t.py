"""Student-t noise: tails that fall like a power, and a bounded loss."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from dpbounds.errors import InputError
from dpbounds.mechanisms import DensityPair, Noise, Parameter, Relation
from dpbounds.mechanisms.pairs import ShiftedPair
from dpbounds.numbers import exact
from dpbounds.numbers.domains import positive, whole_at_least


@dataclass(frozen=True)
class StudentT(Noise):
    """A count plus s·T, T with ν degrees of freedom: density ∝ (1 + x²/(νs²))^{−(ν+1)/2}.

    A record is in the count or not, so that it moves it by 1 or by nothing: the pair is the noise and the noise moved by 1. The noise is
    not log-concave, so nothing is said about a query that a record may move by less than 1, nor about substitution.

    Args:
        scale: s > 0, rational.
        degrees: ν, an integer ≥ 1; 1 is Cauchy noise.

    >>> str(StudentT(2, 1).pair(Relation.ADD_OR_REMOVE).densities.q)
    '1/(2*pi*(x**2/4 + 1))'
    """

    scale: Fraction
    degrees: int = 3

    def __init__(self, scale: exact.Number, degrees: exact.Number = 3) -> None:
        object.__setattr__(self, "scale", positive(exact.rational(scale, "scale of Student-t noise"), "scale of Student-t noise"))
        object.__setattr__(self, "degrees", whole_at_least(degrees, 1, "degrees of freedom"))

    parameters = (
        Parameter("student-t", "scale", "S", "Student-t noise of scale S > 0 on a count; --degrees."),
        Parameter("degrees", "degrees", "N", "Degrees of freedom of Student-t noise, an integer >= 1; default 3.", 3),
    )
    example = {"student-t": "2", "degrees": 2}

    no_certificate: ClassVar[str] = "the small checker does not know Student-t noise; its value rests on the ball engine alone"

    def pair(self, relation: Relation) -> ShiftedPair:
        """The two densities."""
        if relation is Relation.SUBSTITUTE:
            raise InputError("Student-t noise is known under --relation add-or-remove only")
        import sympy

        x, nu = sympy.Symbol("x", real=True), sympy.Integer(self.degrees)
        scale = sympy.Rational(self.scale.numerator, self.scale.denominator)
        constant = sympy.gamma((nu + 1) / 2) / (sympy.sqrt(sympy.pi * nu) * sympy.gamma(nu / 2) * scale)
        density = constant * (1 + x**2 / (nu * scale**2)) ** (-(nu + 1) / 2)
        return ShiftedPair(DensityPair(density.subs(x, x - 1), density, x))
