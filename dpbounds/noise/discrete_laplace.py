"""Two-sided geometric noise on the integers, the discrete Laplace mechanism."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

from dpbounds.mechanisms import Noise, Parameter, Relation
from dpbounds.mechanisms.arithmetic import Number, RealArithmetic
from dpbounds.mechanisms.atomic import AtomicPair
from dpbounds.mechanisms.exact_loss import ExactLoss
from dpbounds.mechanisms.mechanism import SENSITIVITY
from dpbounds.numbers import exact
from dpbounds.numbers.domains import positive, whole_at_least
from dpbounds.numbers.exact import Exact


@dataclass(frozen=True)
class DiscreteLaplace(Noise):
    """A count plus noise with P(x) ∝ e^{−|x|/b} on the integers; pure ε = Δ/b.

    Args:
        scale: b > 0.
        sensitivity: Δ, an integer ≥ 1: how much one record can change the count.

    Source: Ghosh, Roughgarden & Sundararajan 2009.

    >>> DiscreteLaplace(20, 3).pair(Relation.SUBSTITUTE).sensitivity
    6
    """

    scale: Exact
    sensitivity: int = 1

    def __init__(self, scale: exact.Number, sensitivity: exact.Number = 1) -> None:
        object.__setattr__(self, "scale", positive(scale, "discrete-laplace scale"))
        object.__setattr__(self, "sensitivity", whole_at_least(sensitivity, 1, "sensitivity"))

    parameters = (Parameter("discrete-laplace", "scale", "B", "Discrete Laplace (two-sided geometric) noise of scale B > 0."), SENSITIVITY)
    event_names = ("DiscreteLaplaceDpEvent",)

    def pair(self, relation: Relation) -> DiscreteLaplacePair:
        """Counts Δ apart, 2Δ for a substitution."""
        return DiscreteLaplacePair(self.scale, self.sensitivity * (2 if relation is Relation.SUBSTITUTE else 1))

    @classmethod
    def from_event(cls, event: Any) -> Self:
        """P(x) ∝ e^{−a|x|} for the noise parameter a."""
        return cls(1 / exact.rational(event.noise_parameter, "noise parameter"), event.sensitivity)


@dataclass(frozen=True)
class DiscreteLaplacePair(AtomicPair):
    """P centred at Δ, Q at 0, r = e^{−1/b}.

    The loss (|x| − |x−Δ|)/b is −Δ/b for x ≤ 0, (2x−Δ)/b between and Δ/b for x ≥ Δ; Q gives them 1/(1+r), r^x(1−r)/(1+r) and r^Δ/(1+r).

    Two counts less than Δ apart are no easier to tell apart. The noise is log-concave, so the loss rises with x and the best test
    between counts s apart is a threshold t: δ(ε) is the largest P(x > t − s) − e^ε P(x > t), which rises with s.

    The noise of a larger scale is that of a smaller one plus independent noise, because with r′ < r the generating function
    (1 − r′z)/(1 − rz) = r′/r + (1 − r′/r)/(1 − rz) has coefficients ≥ 0.
    """

    scale: Exact
    sensitivity: int
    parameters: ClassVar[Mapping[str, bool]] = {"scale": True}

    def shared(self, numbers: RealArithmetic[Number]) -> list[tuple[Number, Number]]:
        """From the smallest loss to the largest."""
        unit: Any = 1 / numbers.number(self.scale)
        powers = [numbers.exp(-unit * x) for x in range(self.sensitivity + 1)]
        total = 1 + numbers.exp(-unit)
        middle: Any = -numbers.expm1(-unit) / total
        inner = [(middle * powers[self.sensitivity - x], middle * powers[x]) for x in range(1, self.sensitivity)]
        far, near = powers[self.sensitivity] / total, 1 / total
        return [(far, near), *inner, (near, far)]

    def losses(self, bits: int = 64) -> tuple[ExactLoss, ...]:
        """(2x−Δ)/b for 0 ≤ x ≤ Δ."""
        return tuple(ExactLoss(Fraction(2 * x - self.sensitivity) / self.scale) for x in range(self.sensitivity + 1))

    def definition(self, numbers: RealArithmetic[Number]) -> list[tuple[Number, Number]]:
        """The probability of every integer that matters."""
        unit: Any = 1 / numbers.number(self.scale)
        total = (1 + numbers.exp(-unit)) / (1 - numbers.exp(-unit))
        reach = int(0.7 * numbers.bits * float(self.scale)) + 2

        def mass(x: int) -> Any:
            return numbers.exp(-abs(x) * unit) / total

        return [(mass(x - self.sensitivity), mass(x)) for x in range(-reach, self.sensitivity + reach + 1)]
