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
from dpbounds.numbers import exact
from dpbounds.numbers.domains import at_least_one
from dpbounds.planning.edge import EdgePlan, PlanTarget
from dpbounds.shuffle.mechanism import ANY, MOST_USERS, WORST_KNOWN, Shuffled


@dataclass(frozen=True)
class ShufflePlan(EdgePlan):
    """The users or the ε₀ at the edge of (ε, δ), and the neighbour that misses it."""

    keys = ("beyond", "delta_reached", "delta_missed")

    @property
    def praise(self) -> str:  # type: ignore[override]
        """What the value is."""
        return "is enough" if self.quantity == "users" else "is private enough"

    def document(self) -> dict[str, Any]:
        """The JSON document, with the data of the others."""
        mechanism = self.result.mechanism
        assert isinstance(mechanism, Shuffled)
        return super().document() | {"data": mechanism.data, "adjacency": mechanism.adjacency}


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

    def build(number: Fraction) -> Shuffled:
        return Shuffled(int(number), local_epsilon, answers, others)

    high, low = _edge(lambda number: not target.decision(build(Fraction(number)))[0], 1, 4, MOST_USERS)
    if low == 0:
        raise InputError("one user is enough for this target: epsilon is at least the local epsilon, or delta is large")
    if high > MOST_USERS:
        raise InputError(f"{low} users are not enough for this target; ask for a larger epsilon or delta")
    return target.plan("users", Fraction(high), Fraction(low), build, ShufflePlan)  # type: ignore[no-any-return]


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
    target, unit, most = PlanTarget.read(epsilon, delta), Fraction(1, 10**places), 50 * 10**places

    def build(number: Fraction) -> Shuffled:
        return Shuffled(users, number, answers, others)

    beyond, value = _edge(lambda number: target.decision(build(number * unit))[0], 1, 2, most)
    if beyond > most:
        raise InputError("every local epsilon up to 25 meets this target; no plan is needed")
    if value == 0:
        raise InputError(f"no local epsilon with {places} decimals meets this target; ask for more digits or users")
    return target.plan("local-epsilon", value * unit, beyond * unit, build, ShufflePlan)  # type: ignore[no-any-return]


def _edge(decide: Callable[[int], bool], start: int, growth: int, most: int) -> tuple[int, int]:
    """The least number that is not so and the one before it, 0 where all are not so; the first is more than `most` where all are so."""
    known = cache(decide)
    low, high = 0, start
    while known(high):
        low, high = high, growth * high
        if high > most:
            return high, low
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if known(middle) else (low, middle)
    return high, low
