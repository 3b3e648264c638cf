"""Plans for shuffled messages: the fewest users, or the largest local ε₀, for a privacy target; certified on both sides.

δ at fixed ε does not grow with the number of users: another user's message is independent of which of the two inputs is there, so adding it
is a channel. It does not fall as ε₀ grows (docs/shuffle.md). So a value that meets the target and its neighbour that does not are a
certificate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from dpbounds.errors import InputError
from dpbounds.mechanisms.results import SCHEMA, PrivacyResult
from dpbounds.mechanisms.specs import mechanism_to_spec
from dpbounds.numbers import exact
from dpbounds.numbers.domains import at_least_one
from dpbounds.planning.edge import PlanTarget
from dpbounds.shuffle.mechanism import ANY, MOST_USERS, WORST_KNOWN, Shuffled


@dataclass(frozen=True)
class ShufflePlan:
    """The value at the edge of (ε, δ), and its neighbour that misses it.

    Attributes:
        quantity: "users" or "local-epsilon".
        value, beyond: meets the target, and misses it.
        delta: the target; reached, missed: the results at both.
    """

    quantity: str
    value: Fraction
    beyond: Fraction
    delta: exact.Exact
    reached: PrivacyResult
    missed: PrivacyResult

    def document(self) -> dict[str, Any]:
        """The JSON document: decimal strings, rounded outward."""
        ends = {name: {"lower": found.lower, "upper": found.upper} for name, found in (("reached", self.reached), ("missed", self.missed))}
        return {
            "schema": SCHEMA,
            "quantity": self.quantity,
            self.quantity: exact.text(self.value),
            "beyond": exact.text(self.beyond),
            "delta_reached": ends["reached"],
            "delta_missed": ends["missed"],
            "guarantee": self.reached.guarantee.value,
            "data": self._shuffled.data,
            "adjacency": self._shuffled.adjacency,
            "inputs": {
                "mechanism": mechanism_to_spec(self.reached.mechanism),
                "epsilon": exact.text(self.reached.argument[1]),
                "delta": exact.text(self.delta),
            },
        }

    def text(self) -> str:
        """A few lines for people."""
        value, beyond = exact.text(self.value), exact.text(self.beyond)
        kept = "enough" if self.quantity == "users" else "private enough"
        return "\n".join(
            (
                f"{self.quantity} {value}: {kept} for epsilon {exact.text(self.reached.argument[1])}, delta {exact.text(self.delta)}",
                f"  {self.quantity} {value}: delta in [{self.reached.lower}, {self.reached.upper}]",
                f"  {self.quantity} {beyond}: delta in [{self.missed.lower}, {self.missed.upper}], too much",
                *(f"  note: {note}" for note in self.reached.notes),
            )
        )

    @property
    def _shuffled(self) -> Shuffled:
        assert isinstance(self.reached.mechanism, Shuffled)
        return self.reached.mechanism


def fewest_users(
    local_epsilon: exact.Number, epsilon: exact.Number, delta: exact.Number, answers: exact.Number = 2, others: str = ANY
) -> ShufflePlan:
    """The fewest users whose shuffled randomized responses are (ε, δ)-private.

    Args:
        local_epsilon: ε₀ > 0. epsilon: 0 ≤ ε < ε₀. delta: 0 < δ < 1. answers: k ≥ 2.
        others: "any" plans by the privacy blanket, which is a guarantee; else for those data of the others alone.

    Raises:
        InputError: one user is enough, or 10⁹ are not. PrecisionError: δ could not be told from its target.

    >>> plan = fewest_users(1, "0.5", "1e-3")
    >>> plan.value, plan.beyond
    (Fraction(35, 1), Fraction(34, 1))
    """
    if others == WORST_KNOWN:
        raise InputError("others must be any, 0, 1 or third for the fewest users: which data are known depends on their number")
    target = PlanTarget.read(epsilon, delta)
    decide = _decider(lambda users: Shuffled(int(users), local_epsilon, answers, others), target)
    low, high = 1, 2
    if decide(Fraction(1))[0]:
        raise InputError("one user is enough for this target: epsilon is at least the local epsilon, or delta is large")
    while not decide(Fraction(high))[0]:
        low, high = high, 4 * high
        if high > MOST_USERS:
            raise InputError(f"{low} users are not enough for this target; ask for a larger epsilon or delta")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if decide(Fraction(middle))[0] else (middle, high)
    return ShufflePlan("users", Fraction(high), Fraction(low), target.delta, decide(Fraction(high))[1], decide(Fraction(low))[1])


def largest_local_epsilon(
    users: exact.Number, epsilon: exact.Number, delta: exact.Number, answers: exact.Number = 2, others: str = ANY, digits: exact.Number = 4
) -> ShufflePlan:
    """The largest ε₀, with so many digits after the point, whose shuffled randomized responses are (ε, δ)-private.

    Args:
        users: n ≥ 1. epsilon, delta, answers, others: as in `fewest_users`. digits: decimals of ε₀, at most 9.

    >>> largest_local_epsilon(1000, "0.5", "1e-6", digits=2).value
    Fraction(23, 10)
    """
    places = at_least_one(digits, "digits")
    if places > 9:
        raise InputError(f"digits must be at most 9, got {places}")
    target, unit = PlanTarget.read(epsilon, delta), Fraction(1, 10**places)
    decide = _decider(lambda local: Shuffled(users, local, answers, others), target)
    low, high = 0, 1
    while decide(high * unit)[0]:
        low, high = high, 2 * high
        if high * unit > 50:
            raise InputError("every local epsilon up to 25 meets this target; no plan is needed")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if decide(middle * unit)[0] else (low, middle)
    if low == 0:
        raise InputError(f"no local epsilon with {places} decimals meets this target; ask for more digits or users")
    return ShufflePlan("local-epsilon", low * unit, high * unit, target.delta, decide(low * unit)[1], decide(high * unit)[1])


def _decider(mechanism: Callable[[Fraction], Shuffled], target: PlanTarget) -> Callable[[Fraction], tuple[bool, PrivacyResult]]:
    """Whether δ is at most the target, certified, and the result that decides it; each value is looked at once."""
    return cache(lambda value: target.decision(mechanism(value)))
