"""A privacy-loss distribution given by its probabilities on a lattice, as other accountants keep it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

from dpbounds.errors import InputError
from dpbounds.mechanisms import Noise, Parameter, Relation
from dpbounds.mechanisms.arithmetic import Number, RealArithmetic
from dpbounds.mechanisms.atomic import AtomicPair
from dpbounds.mechanisms.exact_loss import ExactLoss
from dpbounds.mechanisms.pair import Pair
from dpbounds.numbers import exact
from dpbounds.numbers.domains import positive
from dpbounds.numbers.exact import Exact


@dataclass(frozen=True)
class LossPmf(Noise):
    """The loss (first + j)·spacing with probability masses[j], ∞ with probability `infinity`, −∞ with what is missing from 1.

    δ(ε) = infinity + Σ_j masses[j]·(1 − e^{ε−loss})₊, and that of compositions, are those of the numbers as given, in one direction:
    whether they bound a mechanism is for their author to say. `dpbounds.accounting.pmf` writes numbers that do.

    Args:
        spacing: h > 0, rational.
        first: the index of the smallest loss, an integer.
        masses: probabilities ≥ 0, rational.
        infinity: probability of an infinite loss; with one, nothing may be missing from 1.

    >>> LossPmf("0.5", -1, ["0.25", "0.5", "0.2"], "0.05").infinity
    Fraction(1, 20)
    """

    spacing: Fraction
    first: int
    masses: tuple[Fraction, ...]
    infinity: Fraction

    def __init__(self, spacing: exact.Number, first: exact.Number, masses: object, infinity: exact.Number = 0) -> None:
        object.__setattr__(self, "spacing", positive(exact.rational(spacing, "spacing of a loss pmf"), "spacing of a loss pmf"))
        object.__setattr__(self, "first", exact.integer(first, "first index of a loss pmf"))
        if isinstance(masses, (str, Mapping)) or not isinstance(masses, Iterable):
            raise InputError("the masses of a loss pmf must be a list of probabilities")
        object.__setattr__(self, "masses", tuple(exact.rational(mass, "masses of a loss pmf") for mass in masses))
        object.__setattr__(self, "infinity", exact.rational(infinity, "infinity of a loss pmf"))
        total = sum(self.masses, self.infinity)
        if not self.masses or min(self.masses) < 0 or self.infinity < 0 or total > 1:
            raise InputError(f"a loss pmf needs masses >= 0 with a sum of at most 1, got a sum of {exact.text(Fraction(total))}")
        if self.infinity and total < 1:
            raise InputError(
                f"a loss pmf with an infinite loss must sum to 1, got {exact.text(Fraction(total))}; what is missing would be -inf"
            )

    parameters = (Parameter("loss-pmf", "masses"),)

    def pair(self, relation: Relation) -> LossPmfPair:
        """The numbers as they are."""
        return LossPmfPair(self.spacing, self.first, self.masses, self.infinity)

    @classmethod
    def from_spec(cls, given: Mapping[str, Any]) -> Self:
        """An object with the fields."""
        value, known = given["loss-pmf"], {"spacing", "first", "masses", "infinity"}
        if not isinstance(value, Mapping) or not {"spacing", "first", "masses"} <= set(value) <= known:
            raise InputError('a loss pmf must be an object {"spacing": h, "first": i, "masses": [...], "infinity": p}')
        return cls(**value)

    def to_spec(self) -> dict[str, Any]:
        """The numbers as text."""
        numbers = {"spacing": exact.text(self.spacing), "first": self.first, "masses": [exact.text(mass) for mass in self.masses]}
        return {"loss-pmf": numbers | {"infinity": exact.text(self.infinity)}}


@dataclass(frozen=True)
class LossPmfPair(AtomicPair):
    """P by its losses, Q = e^{−loss}·P: only what δ needs, so that no side need sum to 1."""

    spacing: Fraction
    first: int
    masses: tuple[Fraction, ...]
    infinity: Fraction
    formal: ClassVar[bool] = True
    title = "a loss pmf"

    def _listed(self) -> list[tuple[Fraction, Fraction]]:
        return [(mass, (self.first + j) * self.spacing) for j, mass in enumerate(self.masses) if mass]

    def shared(self, numbers: RealArithmetic[Number]) -> list[tuple[Number, Number]]:
        """The finite losses that have a probability."""
        return [(numbers.number(mass), numbers.number(mass) * numbers.exp(numbers.number(-loss))) for mass, loss in self._listed()]

    def losses(self, bits: int = 64) -> tuple[ExactLoss, ...]:
        """(first + j)·spacing."""
        return tuple(ExactLoss(loss) for _, loss in self._listed())

    def singular(self) -> tuple[Fraction, Fraction]:
        """The infinite loss."""
        return self.infinity, Fraction(0)

    def sampled(self, q: Exact) -> Pair:
        """Refused."""
        raise InputError("a loss pmf cannot be sampled: it does not say which outcomes have its losses; sample before writing it")

    def definition(self, numbers: RealArithmetic[Number]) -> list[tuple[Number, Number]]:
        """Every entry."""
        found: list[tuple[Any, Any]] = [(numbers.number(self.infinity), numbers.number(0))]
        for j, mass in enumerate(self.masses):
            found.append((numbers.number(mass), numbers.number(mass) / numbers.exp(numbers.number((self.first + j) * self.spacing))))
        return found
