"""The edge of a privacy target: whether a mechanism meets (ε, δ), and the last number that does beside its neighbour that does not."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from dpbounds import accounting
from dpbounds.errors import PrecisionError, Undecidable
from dpbounds.mechanisms import Guarantee, Mechanism, Relation, member
from dpbounds.mechanisms.results import SCHEMA, PrivacyResult
from dpbounds.mechanisms.specs import mechanism_to_spec
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure
from dpbounds.numbers.domains import delta_between, nonnegative
from dpbounds.numbers.exact import Exact

DIGITS = (3, 6, 12, 24, 48)

Judged = tuple[bool, float]
"""Whether the target is met, and about log δ."""


@dataclass(frozen=True)
class EdgePlan:
    """The last number that meets (ε, δ), and its neighbour that does not.

    Attributes:
        quantity: what was planned.
        value: meets the target: `reached` is at most δ. beyond: its neighbour, which misses it: `missed` is more than δ.
        epsilon, delta: the target.
        result: the certified δ at `value`, with what it speaks about.
    """

    quantity: str
    value: Fraction
    beyond: Fraction
    epsilon: Exact
    delta: Exact
    reached: Enclosure
    missed: Enclosure
    result: PrivacyResult

    keys: ClassVar[tuple[str, str, str]] = ("beyond", "delta_reached", "delta_beyond")
    """Of the neighbour and of both δ's in the document."""
    praise: ClassVar[str] = "is the most"

    def document(self) -> dict[str, Any]:
        """The JSON document: decimal strings, rounded outward."""
        neighbour, reached, missed = self.keys
        return {
            "schema": SCHEMA,
            "quantity": self.quantity,
            self.quantity: exact.text(self.value),
            neighbour: exact.text(self.beyond),
            reached: {"lower": self.reached.lower_decimal(8), "upper": self.reached.upper_decimal(8)},
            missed: {"lower": self.missed.lower_decimal(8), "upper": self.missed.upper_decimal(8)},
            "relation": self.result.relation.value,
            "direction": self.result.direction.value,
            "guarantee": self.result.guarantee.value,
            "inputs": {
                "mechanism": mechanism_to_spec(self.result.mechanism),
                "epsilon": exact.text(self.epsilon),
                "delta": exact.text(self.delta),
            },
        } | ({"notes": list(self.result.notes)} if self.result.notes else {})

    def text(self) -> str:
        """A few lines for people."""
        name, value, beyond = self.quantity, exact.text(self.value), exact.text(self.beyond)
        head = f"{name} {value} {self.praise} for epsilon {exact.text(self.epsilon)}, delta {exact.text(self.delta)}"
        ends: tuple[str, ...] = (
            f"  {name} {value}: delta in [{self.reached.lower_decimal(8)}, {self.reached.upper_decimal(8)}]",
            f"  {name} {beyond}: delta in [{self.missed.lower_decimal(8)}, {self.missed.upper_decimal(8)}], too much",
        )
        if name == "delta":
            head, ends = f"delta {value} is enough for epsilon {exact.text(self.epsilon)}; {beyond} is not", ()
        about = f"  relation {self.result.relation.value}, direction {self.result.direction.value}, guarantee {self.result.guarantee.value}"
        return "\n".join((head, *ends, about, *(f"  note: {note}" for note in self.result.notes)))


@dataclass(frozen=True)
class PlanTarget:
    """Decides whether a mechanism meets (ε, δ).

    >>> from dpbounds.mechanisms import Gaussian
    >>> PlanTarget.read(1, "1e-5").decision(Gaussian(4))[0]
    True
    """

    epsilon: Exact
    delta: Exact
    relation: Relation | str | None = None
    guarantee: Guarantee = Guarantee.MECHANISM

    @classmethod
    def read(
        cls,
        epsilon: exact.Number,
        delta: exact.Number,
        relation: Relation | str | None = None,
        guarantee: Guarantee | str = Guarantee.MECHANISM,
    ) -> PlanTarget:
        """The target that was typed: ε ≥ 0, 0 < δ < 1."""
        return cls(nonnegative(epsilon, "epsilon"), delta_between(delta), relation, member(Guarantee, guarantee, "guarantee"))

    def decision(self, mechanism: Mechanism) -> tuple[bool, PrivacyResult]:
        """Whether δ is at most its target, and the certified δ that shows it.

        Raises:
            PrecisionError: δ cannot be had, or not be told from the target.
        """
        try:
            for digits in DIGITS:
                with suppress(Undecidable):
                    return self._decision(mechanism, digits)
        except PrecisionError:  # a bound, which needs no digits, may be enough
            pass
        try:
            return self._decision(mechanism, None)
        except Undecidable as error:
            raise PrecisionError(
                f"delta cannot be told from its target {exact.text(self.delta)}; change the target a little: {error}"
            ) from None

    def _decision(self, mechanism: Mechanism, digits: int | None) -> tuple[bool, PrivacyResult]:
        result = accounting.delta(mechanism, self.epsilon, digits=digits, relation=self.relation, guarantee=self.guarantee)
        return result.enclosure <= exact.rational(self.delta), result

    def judged(self, mechanism: Mechanism) -> Judged:
        """The same in floats."""
        met, result = self.decision(mechanism)
        value = result.enclosure.upper_float
        return met, math.log(value) if value > 0 else -math.inf

    def plan(
        self, quantity: str, value: Fraction, beyond: Fraction, build: Callable[[Fraction], Mechanism], kind: type[EdgePlan] = EdgePlan
    ) -> Any:
        """The plan of two neighbours, each decided once more."""
        (meets, reached), (meets_beyond, missed) = (self.decision(build(number)) for number in (value, beyond))
        if not meets or meets_beyond:
            raise PrecisionError(f"the target is not crossed between {quantity} {exact.text(value)} and {exact.text(beyond)}")
        return kind(quantity, value, beyond, self.epsilon, self.delta, reached.enclosure, missed.enclosure, reached)
