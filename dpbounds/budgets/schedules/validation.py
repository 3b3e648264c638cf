"""The schedule that follows public validation accuracy: Yu et al. 2019, IV-A1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpbounds.budgets.schedules.decay import Reductions, factor_below_one
from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.domains import at_least_one, nonnegative, positive
from dpbounds.numbers.exact import Exact


@dataclass(frozen=True)
class ValidationDecay(Reductions):
    """σ is multiplied by k whenever the averaged validation accuracy has stopped improving by more than δ.

    Every `period` validation epochs the mean of the last m accuracies is compared with that of the check before (0 at first); an
    improvement of at most `threshold` multiplies σ by `factor` for the epochs that follow.

    Args:
        initial: σ₀ > 0.
        factor: 0 < k < 1.
        threshold: δ, the least improvement.
        window: m ≥ 1, period ≥ m.
        accuracies: what was seen so far, one for each epoch. They must come from public data, or their release must be paid for: the
            schedule itself costs nothing only then. Adaptive σ_t are covered by `budgets.zcdp.Filter`.

    >>> ValidationDecay(10, "0.7", "0.01", 1, 2, ["0.5", "0.6", "0.6", "0.6"]).exact_noise(4)
    Fraction(7, 1)
    """

    initial: Exact
    factor: Exact
    threshold: Exact
    window: int
    period: int
    accuracies: tuple[Exact, ...]

    def __init__(
        self,
        initial: exact.Number,
        factor: exact.Number,
        threshold: exact.Number,
        window: exact.Number,
        period: exact.Number,
        accuracies: Sequence[exact.Number],
    ) -> None:
        object.__setattr__(self, "initial", positive(initial, "the initial noise"))
        object.__setattr__(self, "factor", factor_below_one(factor))
        object.__setattr__(self, "threshold", nonnegative(threshold, "the accuracy threshold"))
        object.__setattr__(self, "window", at_least_one(window, "the averaging window"))
        object.__setattr__(self, "period", at_least_one(period, "period"))
        object.__setattr__(self, "accuracies", tuple(exact.number(value, "a validation accuracy") for value in accuracies))
        if self.period < self.window:
            raise InputError(f"the period must be at least the averaging window {self.window}, got {self.period}")

    def reductions(self, epoch: int) -> int:
        """How often σ has been reduced before epoch t."""
        if epoch > len(self.accuracies):
            raise InputError(f"epoch {epoch} needs {epoch} validation accuracies, got {len(self.accuracies)}")
        count, previous = 0, exact.number(0)
        for end in range(self.period, epoch + 1, self.period):
            mean = sum(self.accuracies[end - self.window : end]) / self.window
            count += int(mean - previous <= self.threshold)
            previous = mean
        return count
