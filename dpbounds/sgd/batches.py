"""How records come into batches, and what one round of it is as a mechanism."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from dpbounds.errors import InputError
from dpbounds.mechanisms import FixedSizeSampling, Gaussian, Mechanism, PoissonSampling, RandomAllocation, Relation, Sampled
from dpbounds.numbers import exact

Array = Any
_LARGEST_DENOMINATOR = 2**62  # what a 64-bit generator draws from without bias


class Batches(Protocol):
    """A scheme: what a round draws, and the mechanism that one round is.

    `divisor` turns a noisy sum into a mean; it is public. `relation` says for which neighbours the account holds.
    """

    def __hash__(self) -> int: ...
    @property
    def relation(self) -> Relation:
        """For which neighbours the account holds."""

    @property
    def divisor(self) -> float:
        """What a noisy sum is divided by."""

    @property
    def name(self) -> str:
        """A word for messages."""

    def check(self, records: int) -> None:
        """InputError where the scheme does not fit the number of records."""

    def draw(self, records: int, generator: np.random.Generator) -> Iterator[Array]:
        """The batches of one round, as row numbers."""

    def round_of(self, sigma: Fraction) -> Mechanism:
        """One round with noise multiplier σ in every step."""

    def zcdp_of(self, sigma: Fraction) -> Fraction | None:
        """ρ such that one round is ρ-zCDP; None where no useful one is known."""


class _OfAnyNumber:
    """Every record draws by itself, so that neighbours may add or remove one. The number of records is private."""

    expected: float
    relation = Relation.ADD_OR_REMOVE

    @property
    def divisor(self) -> float:
        """The expected batch, as given."""
        return self.expected


@dataclass(frozen=True)
class PoissonBatches(_OfAnyNumber):
    """Each record takes part in a step with probability q, by itself: a round is one step.

    Args:
        rate: q in (0, 1], exact: drawn as integers, not compared with a float.
        expected: what sums are divided by, a public number within a factor of 2 of q times the number of records.
    """

    rate: Fraction
    expected: float
    name = "poisson"

    def __init__(self, rate: exact.Number, expected: float) -> None:
        q = exact.rational(rate, "q (the sampling rate)")
        if not 0 < q <= 1 or q.denominator > _LARGEST_DENOMINATOR:
            raise InputError(f"q (the sampling rate) must lie in (0, 1] with a denominator up to 2^62, got {exact.text(q)}")
        object.__setattr__(self, "rate", q)
        object.__setattr__(self, "expected", _divisor(expected))

    def check(self, records: int) -> None:
        """InputError where `expected` is off by more than a factor of 2."""
        _check_expected(self.expected, self.rate * records)

    def draw(self, records: int, generator: np.random.Generator) -> Iterator[Array]:
        """One sample; it may be empty, and then the step is noise alone."""
        yield np.flatnonzero(generator.integers(self.rate.denominator, size=records) < self.rate.numerator)

    def round_of(self, sigma: Fraction) -> Mechanism:
        """The Poisson-sampled Gaussian."""
        return Sampled(Gaussian(sigma), PoissonSampling(self.rate))

    def zcdp_of(self, sigma: Fraction) -> None:
        """The Rényi divergence is not linear in the order, and ρ without sampling would be all there is."""


@dataclass(frozen=True)
class AllocatedBatches(_OfAnyNumber):
    """Random allocation: every record draws one of `count` batches by itself. A round is one epoch.

    Args:
        count: batches of an epoch, ≥ 1.
        expected: what sums are divided by, a public number within a factor of 2 of records/count.
    """

    count: int
    expected: float
    name = "random-allocation"

    def __post_init__(self) -> None:
        RandomAllocation(self.count)
        object.__setattr__(self, "expected", _divisor(self.expected))

    def check(self, records: int) -> None:
        """InputError where `expected` is off by more than a factor of 2."""
        _check_expected(self.expected, Fraction(records, self.count))

    def draw(self, records: int, generator: np.random.Generator) -> Iterator[Array]:
        """The batches of an epoch, empty ones included."""
        chosen = generator.integers(self.count, size=records)
        for number in range(self.count):
            yield np.flatnonzero(chosen == number)

    def round_of(self, sigma: Fraction) -> Mechanism:
        """An epoch of random allocation."""
        return Sampled(Gaussian(sigma), RandomAllocation(self.count))

    def zcdp_of(self, sigma: Fraction) -> Fraction:
        """1/(2σ²): given all draws an epoch is one Gaussian (Yu et al. 2019, Theorem 2), and a mixture over the draws is no worse."""
        return 1 / (2 * sigma**2)


@dataclass(frozen=True)
class _OfPopulation:
    """Batches of one size out of a known number of records. Neighbours replace a record."""

    population: int
    batch: int
    relation = Relation.SUBSTITUTE

    def __post_init__(self) -> None:
        FixedSizeSampling(self.population, self.batch)

    @property
    def divisor(self) -> float:
        """The size of a batch; the last one of a reshuffled epoch may be smaller."""
        return float(self.batch)

    def check(self, records: int) -> None:
        """The number of records is the population."""
        if records != self.population:
            raise InputError(f"the batches are for {self.population} records, got {records}")


class FixedBatches(_OfPopulation):
    """A uniform batch of fixed size, drawn anew without replacement: a round is one step."""

    name = "without-replacement"

    def draw(self, records: int, generator: np.random.Generator) -> Iterator[Array]:
        """One batch."""
        yield generator.choice(records, self.batch, replace=False)

    def round_of(self, sigma: Fraction) -> Mechanism:
        """The Gaussian on a batch without replacement."""
        return Sampled(Gaussian(sigma), FixedSizeSampling(self.population, self.batch))

    def zcdp_of(self, sigma: Fraction) -> None:
        """None is useful, as with Poisson sampling."""


class ReshuffledBatches(_OfPopulation):
    """The records are shuffled and cut into batches of one size: a round is one epoch.

    Given the permutation, replacing a record changes one sum of the epoch, by at most twice the clipping norm; adding or
    removing one moves the others, so there is no account for that relation (`yu2019.reshuffling` in the catalogue).
    """

    name = "reshuffled"

    def draw(self, records: int, generator: np.random.Generator) -> Iterator[Array]:
        """The batches of an epoch."""
        order = generator.permutation(records)
        for start in range(0, records, self.batch):
            yield order[start : start + self.batch]

    def round_of(self, sigma: Fraction) -> Mechanism:
        """One Gaussian; under substitution it counts with half its noise multiplier."""
        return Gaussian(sigma)

    def zcdp_of(self, sigma: Fraction) -> Fraction:
        """2/σ²: one Gaussian that moves by twice the norm."""
        return 2 / sigma**2


def _check_expected(expected: float, mean: Fraction) -> None:
    """Refuse a divisor that is no expected batch. It looks at the private number of records: the message is for who holds the data."""
    if mean and not mean / 2 <= Fraction(expected) <= 2 * mean:
        raise InputError(
            f"expected={expected:g} is far from the {float(mean):g} records that a batch has on average; "
            f"give a public number between {float(mean / 2):g} and {float(2 * mean):g}"
        )


def _divisor(value: float) -> float:
    if not 0 < value < float("inf"):
        raise InputError(f"the expected size of a batch must be positive and finite, got {value!r}")
    return float(value)
