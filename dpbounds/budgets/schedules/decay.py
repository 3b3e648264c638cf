"""Predefined schedules: constant noise, an even budget, and the four decay functions of Yu et al. 2019, IV-A2."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from fractions import Fraction

from dpbounds.budgets.schedules.schedule import Schedule
from dpbounds.errors import InputError
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, ball
from dpbounds.numbers.domains import at_least_one, between, positive
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import as_ball


@dataclass(frozen=True)
class ConstantNoise(Schedule):
    """σ_t = σ.

    >>> ConstantNoise(8).exact_cost(5)
    Fraction(1, 128)
    """

    sigma: Exact

    def __init__(self, sigma: exact.Number) -> None:
        object.__setattr__(self, "sigma", positive(sigma, "sigma (the noise multiplier)"))

    def noise(self, epoch: int) -> Ball:
        """σ."""
        return as_ball(self.sigma)

    def exact_noise(self, epoch: int) -> Fraction | None:
        """σ if rational."""
        return self.sigma if isinstance(self.sigma, Fraction) else None


@dataclass(frozen=True)
class UniformBudget(Schedule):
    """σ = √(T/(2ρ)), which spends ρ evenly over T epochs (Yu et al. 2019, V-B2).

    >>> UniformBudget("0.78125", 100).exact_cost(0)
    Fraction(1, 128)
    """

    rho: Exact
    epochs: int

    def __init__(self, rho: exact.Number, epochs: exact.Number) -> None:
        object.__setattr__(self, "rho", positive(rho, "rho (the budget)"))
        object.__setattr__(self, "epochs", at_least_one(epochs, "epochs"))

    def noise(self, epoch: int) -> Ball:
        """√(T/(2ρ))."""
        return (self.epochs / (2 * as_ball(self.rho))).sqrt()

    def exact_cost(self, epoch: int) -> Fraction | None:
        """ρ/T if rational."""
        return self.rho / self.epochs if isinstance(self.rho, Fraction) else None


@dataclass(frozen=True)
class _RateDecay(Schedule):
    """Decay at a rate k > 0; with `period` p, t is replaced by ⌊t/p⌋."""

    initial: Exact
    rate: Exact
    period: int

    def __init__(self, initial: exact.Number, rate: exact.Number, period: exact.Number = 1) -> None:
        object.__setattr__(self, "initial", positive(initial, "the initial noise"))
        object.__setattr__(self, "rate", positive(rate, "the decay rate"))
        object.__setattr__(self, "period", at_least_one(period, "period"))


class TimeDecay(_RateDecay):
    """σ_t = σ₀/(1+kt), k > 0; with `period` p, t is replaced by ⌊t/p⌋.

    >>> TimeDecay(10, "0.05").exact_noise(20)
    Fraction(5, 1)
    """

    def noise(self, epoch: int) -> Ball:
        """σ₀/(1+k⌊t/p⌋)."""
        return as_ball(self.initial) / (1 + as_ball(self.rate) * (epoch // self.period))

    def exact_noise(self, epoch: int) -> Fraction | None:
        """The same, exactly."""
        if isinstance(self.initial, Fraction) and isinstance(self.rate, Fraction):
            return self.initial / (1 + self.rate * (epoch // self.period))
        return None


class ExponentialDecay(_RateDecay):
    """σ_t = σ₀e^{−kt}, k > 0; with `period` p, t is replaced by ⌊t/p⌋.

    >>> ExponentialDecay(10, "0.01").noise_of(100).lower_decimal(6)
    '3.67879'
    """

    def noise(self, epoch: int) -> Ball:
        """σ₀e^{−k⌊t/p⌋}."""
        return as_ball(self.initial) * (-as_ball(self.rate) * (epoch // self.period)).exp()


class Reductions(Schedule):
    """σ_t = σ₀·k^n, 0 < k < 1, where n is how often σ has been reduced before epoch t."""

    initial: Exact
    factor: Exact

    @abstractmethod
    def reductions(self, epoch: int) -> int:
        """How often σ has been reduced before epoch t."""

    def noise(self, epoch: int) -> Ball:
        """σ₀·k^{reductions}."""
        return as_ball(self.initial) * as_ball(self.factor) ** self.reductions(epoch)

    def exact_noise(self, epoch: int) -> Fraction | None:
        """The same, exactly."""
        if isinstance(self.initial, Fraction) and isinstance(self.factor, Fraction):
            return self.initial * self.factor ** self.reductions(epoch)
        return None


@dataclass(frozen=True)
class StepDecay(Reductions):
    """σ_t = σ₀·k^{⌊t/p⌋}, 0 < k < 1, p ≥ 1 epochs.

    >>> StepDecay(10, "0.6", 10).exact_noise(19)
    Fraction(6, 1)
    """

    initial: Exact
    factor: Exact
    period: int

    def __init__(self, initial: exact.Number, factor: exact.Number, period: exact.Number) -> None:
        object.__setattr__(self, "initial", positive(initial, "the initial noise"))
        object.__setattr__(self, "factor", factor_below_one(factor))
        object.__setattr__(self, "period", at_least_one(period, "period"))

    def reductions(self, epoch: int) -> int:
        """⌊t/p⌋."""
        return epoch // self.period


@dataclass(frozen=True)
class PolynomialDecay(Schedule):
    """σ_t = (σ₀−σ_end)(1−t/p)^k + σ_end for t < p, and σ_end from then on; k > 0, 0 < σ_end < σ₀.

    >>> PolynomialDecay(10, 3, 2, 100).exact_noise(50)
    Fraction(3, 1)
    """

    initial: Exact
    power: Exact
    end: Exact
    period: int

    def __init__(self, initial: exact.Number, power: exact.Number, end: exact.Number, period: exact.Number) -> None:
        object.__setattr__(self, "initial", positive(initial, "the initial noise"))
        object.__setattr__(self, "power", positive(power, "the decay power"))
        object.__setattr__(self, "end", positive(end, "the end noise"))
        object.__setattr__(self, "period", at_least_one(period, "period"))
        if not self.end < self.initial:
            raise InputError(f"the end noise must be below the initial noise {exact.text(self.initial)}, got {exact.text(self.end)}")

    def noise(self, epoch: int) -> Ball:
        """The decay function."""
        low = as_ball(self.end)
        if epoch >= self.period:
            return low
        return (as_ball(self.initial) - low) * ball(1 - Fraction(epoch, self.period)) ** as_ball(self.power) + low

    def exact_noise(self, epoch: int) -> Fraction | None:
        """The same, exactly, for an integer power."""
        if not all(isinstance(value, Fraction) for value in (self.initial, self.end, self.power)) or self.power.denominator != 1:  # type: ignore[union-attr]
            return None
        part = max(1 - Fraction(epoch, self.period), Fraction(0))
        return (self.initial - self.end) * part ** int(self.power) + self.end  # type: ignore[operator,return-value]


def factor_below_one(value: exact.Number) -> Exact:
    """Read an exact number in (0, 1).

    >>> factor_below_one("0.9")
    Fraction(9, 10)
    """
    return between(value, 0, 1, "the decay factor")
