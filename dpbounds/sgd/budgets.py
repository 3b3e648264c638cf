"""Budgets that end a training in time: which round may still run.

* `Target`: a certified ε at δ. The noise is a schedule that is known before training, so the number of rounds that fit is known
  too; stopping before that, for any reason, releases less.
* `ConcentratedBudget`: ρ-zCDP, for epochs in which a record comes once. The noise may follow earlier outputs.
* `OrderBudget`: one Rényi order, fixed in advance. The noise may follow earlier outputs.

One order only: the order that is best at the end depends on what was spent, and choosing it then needs another proof. Sources:
Feldman & Zrnic 2021; Whitehouse, Ramdas, Rogers & Wu 2023.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Protocol, Union

from dpbounds.budgets.schedules.decay import ConstantNoise
from dpbounds.budgets.schedules.schedule import Schedule
from dpbounds.budgets.zcdp.filter import Filter
from dpbounds.errors import InputError, PrecisionError
from dpbounds.numbers import exact
from dpbounds.numbers.domains import between, order_above_one, positive
from dpbounds.numbers.exact import Exact
from dpbounds.renyi.conversions import sharp_epsilon_of
from dpbounds.renyi.solve import renyi_divergence
from dpbounds.sgd.account import Account
from dpbounds.sgd.batches import Batches

Noise = Union[Schedule, Callable[[Sequence[float]], Schedule]]
"""A schedule over the rounds, or a function from what `evaluate` gave so far to one."""

_MOST_ROUNDS = 2**30


class Guard(Protocol):
    """Whether one more round may run after what was executed."""

    def admits(self, executed: Account, sigma: Fraction) -> bool:
        """Whether a round with that noise may follow."""


class Budget(Protocol):
    """What a training may spend."""

    def guard(self, batches: Batches, noise: Noise, most_rounds: int | None = None) -> Guard:
        """The guard of one training, or of its first `most_rounds` rounds."""

    def epsilon_at(self, delta: exact.Number) -> Fraction:
        """An upper bound on ε at δ of everything that the guard will ever admit."""


def sigma_of(schedule: Schedule, number: int) -> float:
    """The noise multiplier of a round: the float just above the schedule's value.

    >>> sigma_of(schedule_of("1.1"), 3) >= 1.1
    True
    """
    return schedule.noise_of(number, 12).upper_float


def schedule_of(noise: exact.Number | Noise) -> Noise:
    """A number is constant noise.

    >>> schedule_of(2).noise_of(5).contains(2)
    True
    """
    return noise if isinstance(noise, Schedule) or callable(noise) else ConstantNoise(noise)


@dataclass(frozen=True)
class _Prefix:
    """The first `rounds` rounds of a schedule that was fixed in advance."""

    schedule: Schedule
    rounds: int

    def admits(self, executed: Account, sigma: Fraction) -> bool:
        return executed.rounds < self.rounds and sigma == Fraction(sigma_of(self.schedule, executed.rounds))


@dataclass(frozen=True)
class Target:
    """A certified ε at δ, for noise that is known before training.

    >>> from dpbounds.sgd import AllocatedBatches
    >>> planned(AllocatedBatches(4, 25), 8, Target(1, "1e-5")).rounds
    18
    """

    epsilon: Exact
    delta: Exact

    def __init__(self, epsilon: exact.Number, delta: exact.Number) -> None:
        object.__setattr__(self, "epsilon", positive(epsilon, "epsilon (the budget)"))
        object.__setattr__(self, "delta", between(delta, 0, 1, "delta"))

    def guard(self, batches: Batches, noise: Noise, most_rounds: int | None = None) -> Guard:
        """As many rounds as fit, by certified δ(ε)."""
        if not isinstance(noise, Schedule):
            raise InputError(
                "a target in epsilon and delta needs noise that is fixed before training; "
                "for noise that follows the outputs use ConcentratedBudget or OrderBudget"
            )
        return _Prefix(noise, _rounds_within(batches, noise, self, most_rounds))

    def epsilon_at(self, delta: exact.Number) -> Fraction:
        """The budget's ε, for its δ or a larger one."""
        if exact.rational(delta, "delta") < exact.rational(self.delta, "delta"):
            raise InputError(f"the budget speaks about delta {exact.text(self.delta)}; ask the account for a smaller one")
        return exact.rational(self.epsilon, "epsilon (the budget)")

    def holds(self, account: Account) -> bool:
        """Whether the rounds are certified to stay within the target; not where the accountant refuses."""
        spent = _spent(account)
        if spent is not None and Filter(spent).epsilon_of(self.delta).upper <= self.epsilon:
            return True  # far below the target digits of delta are dear
        try:
            return bool(account.delta_at(self.epsilon, digits=4).enclosure.upper <= self.delta)
        except PrecisionError:
            return False


@dataclass(frozen=True)
class ConcentratedBudget:
    """ρ-zCDP in total, for batches in which a record comes once an epoch (`AllocatedBatches`, `ReshuffledBatches`).

    Args:
        rho: ρ > 0.
    """

    rho: Exact

    def __init__(self, rho: exact.Number) -> None:
        object.__setattr__(self, "rho", positive(rho, "rho (the budget)"))

    def guard(self, batches: Batches, noise: Noise, most_rounds: int | None = None) -> Guard:
        """A filter on the sum of `zcdp_of` over the rounds."""
        if batches.zcdp_of(Fraction(1)) is None:
            raise InputError(f"{batches.name} batches have no useful zCDP account; use Target or OrderBudget")
        return self

    def admits(self, executed: Account, sigma: Fraction) -> bool:
        """Whether the sum stays within ρ with one more round."""
        spent = _spent(executed.after(sigma))
        return spent is not None and Filter(self.rho).admits(spent)

    def epsilon_at(self, delta: exact.Number) -> Fraction:
        """By Proposition 1 of Yu et al. 2019 (Bun & Steinke 2016)."""
        return _upper(Filter(self.rho).epsilon_of(delta).upper)


@dataclass(frozen=True)
class OrderBudget:
    """D_α ≤ `divergence` in total at one order α, fixed before training.

    Args:
        order: α > 1.
        divergence: > 0.
    """

    order: Exact
    divergence: Exact

    def __init__(self, order: exact.Number, divergence: exact.Number) -> None:
        object.__setattr__(self, "order", order_above_one(order, "the order"))
        object.__setattr__(self, "divergence", positive(divergence, "the divergence (the budget)"))

    def guard(self, batches: Batches, noise: Noise, most_rounds: int | None = None) -> Guard:
        """A filter on the sum of certified divergences."""
        round_divergence(batches, Fraction(1), self.order)
        return self

    def admits(self, executed: Account, sigma: Fraction) -> bool:
        """Whether the sum, each term rounded up, stays within the budget with one more round."""
        uses = executed.after(sigma).uses
        terms = [use.rounds * round_divergence(executed.batches, use.sigma, self.order) for use in uses]
        return bool(sum(terms, Fraction(0)) <= self.divergence)

    def epsilon_at(self, delta: exact.Number) -> Fraction:
        """By the conversion of one order of Canonne, Kamath & Steinke 2020."""
        return _upper(sharp_epsilon_of(self.order, self.divergence, delta).upper)


@lru_cache(maxsize=4096)
def round_divergence(batches: Batches, sigma: Fraction, order: Exact) -> Fraction:
    """D_α of one round, rounded up."""
    found = renyi_divergence(batches.round_of(sigma), order, digits=12, relation=batches.relation)
    return _upper(found.enclosure.upper)


def planned(batches: Batches, noise: exact.Number | Noise, budget: Budget, most_rounds: int | None = None) -> Account:
    """The account before training: every round that the budget admits, or the first `most_rounds` of them.

    Raises:
        InputError: noise that follows the outputs, or a budget that never ends.
    """
    schedule = schedule_of(noise)
    if not isinstance(schedule, Schedule):
        raise InputError("noise that follows the outputs has no account before training; its budget is the guarantee")
    guard, account = budget.guard(batches, schedule, most_rounds), Account(batches)
    while most_rounds is None or account.rounds < most_rounds:
        sigma = Fraction(sigma_of(schedule, account.rounds))
        if not guard.admits(account, sigma):
            break
        account = account.after(sigma)
    return account


@lru_cache(maxsize=64)
def _rounds_within(batches: Batches, schedule: Schedule, target: Target, most: int | None) -> int:
    """The largest number of rounds, up to `most`, that is certified to stay within the target: doubling, then halving."""

    def first(rounds: int) -> Account:
        if isinstance(schedule, ConstantNoise):
            return Account(batches).after(Fraction(sigma_of(schedule, 0)), rounds)
        account = Account(batches)
        for number in range(rounds):
            account = account.after(Fraction(sigma_of(schedule, number)))
        return account

    if most is not None and (most < 1 or target.holds(first(most))):
        return max(0, most)
    # few steps take the accountant longest, and so do many epochs with little noise: they come last
    low, high = 0, 64 if batches.zcdp_of(Fraction(1)) is None else 1
    while target.holds(first(high)):
        low, high = high, 2 * high
        if high > _MOST_ROUNDS:
            raise InputError(f"the budget lasts more than {_MOST_ROUNDS} rounds; use less noise")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if target.holds(first(middle)) else (low, middle)
    return low


def _spent(account: Account) -> Fraction | None:
    """The sum of ρ over the rounds, where the batches have one."""
    costs = [(use.rounds, account.batches.zcdp_of(use.sigma)) for use in account.uses]
    return None if any(cost is None for _, cost in costs) else sum((rounds * cost for rounds, cost in costs if cost), Fraction(0))


def _upper(value: Fraction | float) -> Fraction:
    if not isinstance(value, Fraction):
        raise InputError("the budget gives no finite epsilon; use another order or a larger delta")
    return value
