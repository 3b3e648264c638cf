"""How long a budget ρ lasts under a schedule, what it buys, and which decay rates make it last a given number of epochs.

Training stops before the epoch that would exceed the budget. Sums are exact where the costs are rational, and decided with balls otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from dpbounds.budgets.schedules.schedule import Schedule
from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Enclosure, ball
from dpbounds.numbers.domains import at_least_one, positive
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball
from dpbounds.numbers.to_digits import bisect, certified, decide, surely_at_most

MOST_EPOCHS = 10**6


@dataclass(frozen=True)
class Epoch:
    """One epoch of an allocation: its number, its noise, what it costs and what is spent with it (upper ends are safe)."""

    number: int
    sigma: Enclosure
    cost: Enclosure
    spent: Enclosure


def epochs_within(schedule: Schedule, rho: exact.Number, most: int = MOST_EPOCHS) -> int:
    """The largest E with Σ_{t<E} 1/(2σ_t²) ≤ ρ: training stops before the epoch that would exceed the budget.

    Args:
        schedule: σ_t.
        rho: the budget ρ_total > 0.
        most: give up beyond that many epochs.

    Returns:
        E, decided exactly: rational costs are added as fractions, others as balls at rising precision.

    Raises:
        Undecidable: an irrational sum too close to the budget.

    >>> from dpbounds.budgets.schedules.decay import ConstantNoise, StepDecay
    >>> epochs_within(ConstantNoise(8), "0.78125"), epochs_within(StepDecay(10, "0.6", 10), "0.78125")
    (100, 31)
    """
    budget = positive(rho, "rho (the budget)")
    spent = Fraction(0)
    for epoch in range(most):
        cost = schedule.exact_cost(epoch)
        if cost is None or not isinstance(budget, Fraction):
            return _irrational_epochs(schedule, budget, most)
        spent += cost
        if spent > budget:
            return epoch
    raise InputError(f"the budget lasts more than {most} epochs; pass a larger limit")


def allocation_of(schedule: Schedule, rho: exact.Number, digits: int = 15) -> Iterator[Epoch]:
    """The epochs that a budget pays for, with their noise and what has been spent; the sum never exceeds ρ.

    >>> from dpbounds.budgets.schedules.decay import ConstantNoise
    >>> [epoch.sigma.lower_decimal(3) for epoch in allocation_of(ConstantNoise(1), "1.2")]
    ['1', '1']
    """
    for number in range(epochs_within(schedule, rho)):
        yield Epoch(
            number,
            schedule.noise_of(number, digits),
            certified(lambda t=number: schedule.cost(t), digits),  # type: ignore[misc]
            schedule.cost_of(number + 1, digits),
        )


def fits(schedule: Schedule, epochs: int, rho: exact.Number) -> bool:
    """Whether the zCDP cost of a schedule stays within a budget: Σ_{t<epochs} 1/(2σ_t²) ≤ ρ, decided exactly or with a certified sign.

    Args:
        schedule: the noise multipliers σ_t of the epochs.
        epochs: how many epochs are run.
        rho: the budget ρ > 0.

    Raises:
        InputError: ρ ≤ 0. Undecidable: the two sides agree to all bits that were tried.

    >>> from dpbounds.budgets.schedules import ConstantNoise
    >>> fits(ConstantNoise(10), 100, "1/2"), fits(ConstantNoise(10), 101, "1/2")
    (True, False)
    """
    budget = positive(rho, "rho (the budget)")
    costs = [schedule.exact_cost(t) for t in range(epochs)]
    if isinstance(budget, Fraction) and None not in costs:
        return sum((cost for cost in costs if cost is not None), Fraction(0)) <= budget

    def compare() -> bool | None:
        return surely_at_most(sum((schedule.cost(t) for t in range(epochs)), ball(0)), as_ball(budget))

    return decide(compare, f"the cost of {epochs} epochs against the budget")


def _irrational_epochs(schedule: Schedule, budget: Exact, most: int) -> int:
    high = 1
    while fits(schedule, high, budget):
        high *= 2
        if high > 2 * most:
            raise InputError(f"the budget lasts more than {most} epochs; pass a larger limit")
    low = high // 2  # 0 or a number of epochs that fits
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(schedule, middle, budget) else (low, middle)
    return low


@dataclass(frozen=True)
class Rates:
    """The decay rates with which a budget lasts exactly a given number of epochs: between two ends, one of which belongs to them.

    `longest` belongs to the range: there the last epoch just fits. `shorter` does not: there one epoch more would just fit.
    """

    epochs: int
    longest: Enclosure
    shorter: Enclosure

    def contains(self, rate: exact.Number) -> bool:
        """Whether a rate gives exactly that many epochs; Undecidable on the very ends."""
        value = exact.rational(rate, "the decay rate")
        low, high = (self.shorter, self.longest) if self.shorter.low < self.longest.low else (self.longest, self.shorter)
        return low <= value and high >= value


def rates_for(
    family: Callable[[Fraction], Schedule],
    epochs: exact.Number,
    rho: exact.Number,
    bracket: tuple[exact.Number, exact.Number],
    digits: int = 10,
) -> Rates:
    """The decay rates with which a budget lasts exactly E epochs.

    Args:
        family: rate ↦ schedule, with a cost that is monotone in the rate.
        epochs: E ≥ 1.
        rho: the budget.
        bracket: rates that hold both ends of the range; (1e-6, 100) suits decays, (1e-6, 0.999999) step factors.
        digits: certified digits of each end.

    Raises:
        InputError: the ends are not inside the bracket.

    >>> from dpbounds.budgets.schedules.decay import ExponentialDecay
    >>> rates_for(lambda k: ExponentialDecay(10, k), 60, "0.78125", ("1e-6", 1)).contains("0.0138")
    True
    """
    count, budget = at_least_one(epochs, "epochs"), positive(rho, "rho (the budget)")
    low, high = (exact.rational(end, "an end of the bracket") for end in bracket)

    def end_of(lasting: int) -> Enclosure:
        def lasts(rate: Fraction) -> bool:
            return fits(family(rate), lasting, budget)

        at_low, at_high = lasts(low), lasts(high)
        if at_low == at_high:
            raise InputError(f"no rate between {exact.text(low)} and {exact.text(high)} separates {lasting} epochs from {lasting - 1}")
        return bisect(lambda rate: lasts(rate) == at_low, low, high, digits)

    return Rates(count, end_of(count), end_of(count + 1))


def grid_rates_for(
    family: Callable[[Fraction], Schedule], epochs: exact.Number, rho: exact.Number, around: exact.Number, step: exact.Number = "1e-4"
) -> tuple[Fraction, ...]:
    """The multiples of `step` next to `around`, at most one step away, with which the budget lasts exactly E epochs."""
    count, middle, width = at_least_one(epochs, "epochs"), exact.rational(around), exact.rational(step)
    nearest = round(middle / width)
    return tuple(rate for rate in ((nearest + i) * width for i in (-1, 0, 1)) if rate > 0 and epochs_within(family(rate), rho) == count)


def smallest_grid_rate_for(
    family: Callable[[Fraction], Schedule], epochs: exact.Number, rho: exact.Number, largest: exact.Number, step: exact.Number = "1e-4"
) -> Fraction:
    """The smallest multiple of `step`, below `largest`, with which the budget lasts exactly E epochs: a search upwards, by halving.

    Args:
        family: rate ↦ schedule, with a cost that is monotone in the rate.
        epochs: E ≥ 1.
        rho: the budget.
        largest: where the search ends; 1 suits step factors, 10 decays.
        step: of the grid.

    Raises:
        InputError: no such multiple.

    >>> from dpbounds.budgets.schedules.decay import ExponentialDecay
    >>> float(smallest_grid_rate_for(lambda k: ExponentialDecay(10, k), 60, "0.78125", 1))
    0.0138
    """
    count, budget, width = at_least_one(epochs, "epochs"), positive(rho, "rho (the budget)"), exact.rational(step)
    low, high = 0, int(exact.rational(largest, "the largest rate") / width)
    cheaper_first = fits(family(width), count, budget)  # a cost that rises with the rate: the longest trainings come first

    def reached(number: int) -> bool:
        schedule = family(number * width)
        return not fits(schedule, count + 1, budget) if cheaper_first else fits(schedule, count, budget)

    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    if not epochs_within(family(high * width), budget) == count:
        raise InputError(f"no multiple of {exact.text(width)} gives {count} epochs; use a finer step")
    return high * width
