"""How records come into batches, and what one round of it is as a mechanism.

Random allocation — every record takes part in k of the T steps of an epoch, at random — hides more than `DisjointBatches`
is charged for. Its place is `DisjointBatches.round_of`: when `mechanisms` has that sampling with a certified account,
the round becomes that mechanism, and nothing else changes here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

from dpbounds.errors import InputError
from dpbounds.mechanisms import FixedSizeSampling, Gaussian, Mechanism, PoissonSampling, Relation, Sampled
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


@dataclass(frozen=True)
class PoissonBatches:
    """Each record takes part in a step with probability q, by itself: a round is one step.

    Args:
        rate: q in (0, 1], exact: drawn as integers, not compared with a float.
        expected: what sums are divided by, a public number near q times the number of records.
    """

    rate: Fraction
    expected: float
    relation = Relation.ADD_OR_REMOVE
    name = "poisson"

    def __init__(self, rate: exact.Number, expected: float) -> None:
        q = exact.rational(rate, "q (the sampling rate)")
        if not 0 < q <= 1 or q.denominator > _LARGEST_DENOMINATOR:
            raise InputError(f"q (the sampling rate) must lie in (0, 1] with a denominator up to 2^62, got {exact.text(q)}")
        object.__setattr__(self, "rate", q)
        object.__setattr__(self, "expected", _divisor(expected))

    @property
    def divisor(self) -> float:
        """The expected batch, as given."""
        return self.expected

    def check(self, records: int) -> None:
        """Any number of records fits: it is private."""

    def draw(self, records: int, generator: np.random.Generator) -> Iterator[Array]:
        """One sample; it may be empty, and then the step is noise alone."""
        yield np.flatnonzero(generator.integers(self.rate.denominator, size=records) < self.rate.numerator)

    def round_of(self, sigma: Fraction) -> Mechanism:
        """The Poisson-sampled Gaussian."""
        return Sampled(Gaussian(sigma), PoissonSampling(self.rate))


@dataclass(frozen=True)
class FixedBatches:
    """A uniform batch of fixed size, drawn anew without replacement: a round is one step. Neighbours replace a record."""

    population: int
    batch: int
    relation = Relation.SUBSTITUTE
    name = "without-replacement"

    def __post_init__(self) -> None:
        FixedSizeSampling(self.population, self.batch)

    @property
    def divisor(self) -> float:
        """The size of a batch."""
        return float(self.batch)

    def check(self, records: int) -> None:
        """The number of records is the population."""
        _same_size(self.population, records)

    def draw(self, records: int, generator: np.random.Generator) -> Iterator[Array]:
        """One batch."""
        yield generator.choice(records, self.batch, replace=False)

    def round_of(self, sigma: Fraction) -> Mechanism:
        """The Gaussian on a batch without replacement."""
        return Sampled(Gaussian(sigma), FixedSizeSampling(self.population, self.batch))


@dataclass(frozen=True)
class DisjointBatches:
    """Every record draws one of `count` batches by itself: a round is one epoch. Neighbours add or remove a record.

    A record moves one sum of the epoch and no other record, so given all draws the epoch is one Gaussian mechanism
    (Yu et al. 2019, Theorem 2). What the draws hide is not counted.

    Args:
        count: batches of an epoch, ≥ 1.
        expected: what sums are divided by, a public number near records/count.
    """

    count: int
    expected: float
    relation = Relation.ADD_OR_REMOVE
    name = "disjoint"

    def __post_init__(self) -> None:
        if isinstance(self.count, bool) or not isinstance(self.count, int) or self.count < 1:
            raise InputError(f"the number of batches must be an integer >= 1, got {self.count!r}")
        object.__setattr__(self, "expected", _divisor(self.expected))

    @property
    def divisor(self) -> float:
        """The expected batch, as given."""
        return self.expected

    def check(self, records: int) -> None:
        """Any number of records fits: it is private."""

    def draw(self, records: int, generator: np.random.Generator) -> Iterator[Array]:
        """The batches of an epoch, empty ones included."""
        chosen = generator.integers(self.count, size=records)
        for number in range(self.count):
            yield np.flatnonzero(chosen == number)

    def round_of(self, sigma: Fraction) -> Mechanism:
        """One Gaussian."""
        return Gaussian(sigma)


@dataclass(frozen=True)
class ReshuffledBatches:
    """The records are shuffled and cut into batches of one size: a round is one epoch. Neighbours replace a record.

    Given the permutation, replacing a record changes one sum of the epoch, by at most twice the clipping norm; adding or
    removing one moves the others, so there is no account for that relation (`yu2019.reshuffling` in the catalogue).
    """

    population: int
    batch: int
    relation = Relation.SUBSTITUTE
    name = "reshuffled"

    def __post_init__(self) -> None:
        FixedSizeSampling(self.population, self.batch)

    @property
    def divisor(self) -> float:
        """The size of a batch; the last one of an epoch may be smaller."""
        return float(self.batch)

    def check(self, records: int) -> None:
        """The number of records is the population."""
        _same_size(self.population, records)

    def draw(self, records: int, generator: np.random.Generator) -> Iterator[Array]:
        """The batches of an epoch."""
        order = generator.permutation(records)
        for start in range(0, records, self.batch):
            yield order[start : start + self.batch]

    def round_of(self, sigma: Fraction) -> Mechanism:
        """One Gaussian; under substitution it counts with half its noise multiplier."""
        return Gaussian(sigma)


def _divisor(value: float) -> float:
    if not 0 < value < float("inf"):
        raise InputError(f"the expected size of a batch must be positive and finite, got {value!r}")
    return float(value)


def _same_size(population: int, records: int) -> None:
    if records != population:
        raise InputError(f"the batches are for {population} records, got {records}")
