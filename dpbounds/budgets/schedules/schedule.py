"""What a noise schedule is: σ_t for epoch t = 0, 1, … and its cost 1/(2σ_t²)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction

from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball
from dpbounds.numbers.to_digits import certified


class Schedule(ABC):
    """σ_t as a function of the epoch t ≥ 0."""

    @abstractmethod
    def noise(self, epoch: int) -> Ball:
        """σ_t as a ball, at the precision that is set."""

    def exact_noise(self, epoch: int) -> Fraction | None:
        """σ_t where it is a rational number, else None."""
        return None

    def exact_cost(self, epoch: int) -> Fraction | None:
        """1/(2σ_t²) where it is a rational number, else None."""
        noise = self.exact_noise(epoch)
        return None if noise is None else 1 / (2 * noise * noise)

    def cost(self, epoch: int) -> Ball:
        """ρ_t = 1/(2σ_t²), what epoch t costs when every step of it uses a disjoint batch; see `budgets.zcdp.epoch_cost_of`."""
        known = self.exact_cost(epoch)
        return ball(known) if known is not None else 1 / (2 * self.noise(epoch) ** 2)

    def noise_of(self, epoch: int, digits: int = 15) -> Enclosure:
        """σ_t with certified digits."""
        return certified(lambda: self.noise(_epoch(epoch)), digits)

    def cost_of(self, epochs: int, digits: int = 15) -> Enclosure:
        """Σ_{t < epochs} 1/(2σ_t²) with certified digits.

        >>> from dpbounds.budgets.schedules.decay import ConstantNoise
        >>> ConstantNoise(8).cost_of(100).contains(Fraction("0.78125"))
        True
        """
        count = _epoch(epochs)
        return certified(lambda: sum((self.cost(t) for t in range(count)), ball(0)), digits)


def _epoch(value: int) -> int:
    count = exact.integer(value, "epoch")
    if count < 0:
        raise InputError(f"epochs count from 0, got {count}")
    return count
