"""A mechanism of which only (ε, δ)-differential privacy is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

from dpbounds.errors import InputError
from dpbounds.mechanisms import Noise, Parameter, Relation
from dpbounds.mechanisms.arithmetic import Number, RealArithmetic
from dpbounds.mechanisms.atomic import AtomicPair
from dpbounds.mechanisms.exact_loss import ExactLoss
from dpbounds.numbers import exact
from dpbounds.numbers.domains import at_least
from dpbounds.numbers.exact import Exact


@dataclass(frozen=True)
class EpsilonDelta(Noise):
    """Any mechanism that is (ε, δ)-private: its worst case.

    Args:
        epsilon: ε ≥ 0.
        failure: δ in [0, 1], rational.

    Source: Kairouz, Oh & Viswanath 2017, Theorem 3.1: every (ε, δ)-private mechanism is a post-processing of the pair here.

    >>> EpsilonDelta(1, "1e-6").failure
    Fraction(1, 1000000)
    """

    epsilon: Exact
    failure: Fraction

    def __init__(self, epsilon: exact.Number, failure: exact.Number = 0) -> None:
        object.__setattr__(self, "epsilon", at_least(epsilon, 0, "epsilon of epsilon-delta"))
        mass = exact.rational(failure, "failure (the delta of epsilon-delta)")
        if not 0 <= mass <= 1:
            raise InputError(f"failure (the delta of epsilon-delta) must lie in [0, 1], got {exact.text(mass)}")
        object.__setattr__(self, "failure", mass)

    parameters = (
        Parameter("epsilon-delta", "epsilon", "E", "Any (E, D)-private mechanism, with --failure D."),
        Parameter("failure", "failure", "D", "The D of --epsilon-delta, in [0, 1]; default 0.", default=0),
    )
    event_names = ("EpsilonDeltaDpEvent",)

    def pair(self, relation: Relation) -> EpsilonDeltaPair:
        """What is known holds for every pair of neighbours."""
        return EpsilonDeltaPair(self.epsilon, self.failure)

    @classmethod
    def from_event(cls, event: Any) -> Self:
        """The two numbers of the event."""
        return cls(event.epsilon, event.delta)


@dataclass(frozen=True)
class EpsilonDeltaPair(AtomicPair):
    """With probability δ an outcome that only one side shows; else randomized response: its own mirror image."""

    epsilon: Exact
    failure: Fraction
    parameters: ClassVar[Mapping[str, bool]] = {"epsilon": False}

    def shared(self, numbers: RealArithmetic[Number]) -> list[tuple[Number, Number]]:
        """The two answers."""
        if self.failure == 1:
            return []
        ratio: Any = numbers.exp(-numbers.number(self.epsilon))
        likely = numbers.number(1 - self.failure) / (1 + ratio)
        return [(likely, ratio * likely), (ratio * likely, likely)]

    def losses(self, bits: int = 64) -> tuple[ExactLoss, ...]:
        """ε and −ε."""
        return () if self.failure == 1 else (ExactLoss(self.epsilon), ExactLoss(-self.epsilon))

    def singular(self) -> tuple[Fraction, Fraction]:
        """δ on both sides."""
        return self.failure, self.failure

    def definition(self, numbers: RealArithmetic[Number]) -> list[tuple[Number, Number]]:
        """The four outcomes of the theorem."""
        likely: Any = numbers.exp(numbers.number(self.epsilon))
        lost, kept = numbers.number(self.failure), numbers.number(1 - self.failure)
        high, low = kept * likely / (1 + likely), kept / (1 + likely)
        return [(lost, numbers.number(0)), (high, low), (low, high), (numbers.number(0), lost)]
