"""Discrete Gaussian noise on the integers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

from dpbounds.errors import InputError
from dpbounds.mechanisms import Noise, Parameter, Relation
from dpbounds.mechanisms.arithmetic import Number, RealArithmetic
from dpbounds.mechanisms.atomic import AtomicPair
from dpbounds.mechanisms.exact_loss import ExactLoss
from dpbounds.mechanisms.mechanism import SENSITIVITY
from dpbounds.noise._theta import theta
from dpbounds.numbers import exact
from dpbounds.numbers.domains import positive, whole_at_least


@dataclass(frozen=True)
class DiscreteGaussian(Noise):
    """A count plus noise with P(x) ∝ e^{−x²/2σ²} on the integers.

    Args:
        sigma: σ > 0, rational; σ is not scaled by the sensitivity.
        sensitivity: Δ, an integer ≥ 1: how much one record can change the count.

    Source: Canonne, Kamath & Steinke 2020.

    >>> DiscreteGaussian("2.5").sigma
    Fraction(5, 2)
    """

    sigma: Fraction
    sensitivity: int = 1

    def __init__(self, sigma: exact.Number, sensitivity: exact.Number = 1) -> None:
        name = "discrete-gaussian sigma"
        object.__setattr__(self, "sigma", positive(exact.rational(sigma, name), name))
        object.__setattr__(self, "sensitivity", whole_at_least(sensitivity, 1, "sensitivity"))

    parameters = (
        Parameter("discrete-gaussian", "sigma", "S", "Discrete Gaussian noise with parameter S > 0, a rational number."),
        SENSITIVITY,
    )

    event_names = ("DiscreteGaussianDpEvent",)

    @classmethod
    def from_event(cls, event: Any) -> Self:
        """One dimension only: in several, counts may move along many axes."""
        if getattr(event, "dimension", None) != 1:
            raise InputError(f"a DiscreteGaussianDpEvent needs dimension=1, got {getattr(event, 'dimension', None)}")
        return cls(event.sigma, getattr(event, "sensitivity", 1))

    def pair(self, relation: Relation) -> DiscreteGaussianPair:
        """Counts Δ apart, 2Δ for a substitution."""
        return DiscreteGaussianPair(self.sigma, self.sensitivity * (2 if relation is Relation.SUBSTITUTE else 1))


@dataclass(frozen=True)
class DiscreteGaussianPair(AtomicPair):
    """P centred at Δ, Q at 0; the loss at x is Δ(2x−Δ)/2σ², on a lattice of unit Δ/σ² and without end.

    Counts less than Δ apart are no easier to tell apart, because the noise is log-concave: see `DiscreteLaplacePair`.

    *Tails.* `shared` lists −T ≤ x ≤ Δ+T. With e(j) = e^{−j²/2σ²} and j = T+1+i, j² ≥ (T+1)² + 2i(T+1), so

        Σ_{j>T} e(j) ≤ e(T+1)/(1 − e^{−(T+1)/σ²}),

    which is more than either tail of P or Q beyond the list, the sum that normalises them being at least 1. T is chosen so that e(T) is
    2^−bits at most.
    """

    sigma: Fraction
    sensitivity: int
    bounded: ClassVar[bool] = False

    def reach(self, bits: int) -> int:
        """T: T² ≥ 2·log 2·bits·σ²."""
        return math.isqrt(math.ceil(Fraction(1387, 1000) * bits * self.sigma**2)) + 1

    def shared(self, numbers: RealArithmetic[Number]) -> list[tuple[Number, Number]]:
        """From −T to Δ+T."""
        reach, shift = self.reach(numbers.bits), self.sensitivity
        scale: Any = numbers.number(1 / (2 * self.sigma**2))
        sizes = [numbers.exp(-j * j * scale) for j in range(reach + shift + 1)]
        total = 1 + 2 * sum(sizes[1:], numbers.number(0)) + numbers.up_to(self._tails(numbers, reach + shift))
        return [(sizes[abs(x - shift)] / total, sizes[abs(x)] / total) for x in range(-reach, shift + reach + 1)]

    def losses(self, bits: int = 64) -> tuple[ExactLoss, ...]:
        """Δ(2x−Δ)/2σ²."""
        reach, shift = self.reach(bits), self.sensitivity
        unit = shift / (2 * self.sigma**2)
        return tuple(ExactLoss((2 * x - shift) * unit) for x in range(-reach, shift + reach + 1))

    def dropped(self, numbers: RealArithmetic[Number]) -> Number:
        """Both tails."""
        return self._tails(numbers, self.reach(numbers.bits))

    def _tails(self, numbers: RealArithmetic[Number], reach: int) -> Number:
        """2·Σ_{j>reach} e(j) at most."""
        first: Any = numbers.number(Fraction(reach + 1) / self.sigma**2)
        return 2 * numbers.exp(-first * (reach + 1) / 2) / -numbers.expm1(-first)

    def definition(self, numbers: RealArithmetic[Number]) -> list[tuple[Number, Number]]:
        """The probability of every integer that matters."""
        variance: Any = numbers.number(self.sigma**2)
        reach = int(1.2 * float(self.sigma) * math.sqrt(numbers.bits)) + 2

        def size(x: int) -> Any:
            return numbers.exp(-(x**2) / (2 * variance))

        total: Any = sum((size(x) for x in range(-reach, reach + 1)), numbers.number(0))
        return [(size(x - self.sensitivity) / total, size(x) / total) for x in range(-reach, self.sensitivity + reach + 1)]

    def divergence(self, t: Number, numbers: RealArithmetic[Number]) -> Number:
        """αΔ²/2σ² + log(θ(αΔ)/θ(0))/(α−1), α = 1+t, and Δ²/2σ² for α = 1, P having the mean Δ.

        p^α q^{1−α} = e^{α(α−1)Δ²/2σ²}·e^{−(x−αΔ)²/2σ²}/θ(0), and p has the same normalising sum as q because Δ is an integer.
        """
        order: Any = 1 + t
        linear = order * numbers.number(self.sensitivity**2 / (2 * self.sigma**2))
        if t == 0:
            return linear
        sigma = numbers.number(self.sigma)
        ratio = theta(order * self.sensitivity, sigma, numbers) / theta(numbers.number(0), sigma, numbers)
        return linear + numbers.ln(ratio) / t
