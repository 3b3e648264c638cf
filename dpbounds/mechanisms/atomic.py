"""Pairs with atoms: what both distributions show, with exact losses, and the same after Poisson sampling and an exchange."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from dpbounds.mechanisms.arithmetic import Number, RealArithmetic
from dpbounds.mechanisms.exact_loss import ExactLoss
from dpbounds.mechanisms.pair import Pair


@dataclass(frozen=True)
class AtomicPair(Pair, ABC):
    """Base of the pairs on finitely many outcomes, or on countably many that are cut where the rest is negligible.

    `shared` lists the outcomes that both distributions show, no two of one loss; `losses` their losses log(p/q), exactly.
    """

    symmetric: ClassVar[bool] = True
    formal: ClassVar[bool] = False
    """Whether the masses need not sum to 1 on both sides, so that only δ has a meaning: no sampling, no Rényi divergence."""
    bounded: ClassVar[bool] = True
    """Whether the finite losses end somewhere."""

    @abstractmethod
    def shared(self, numbers: RealArithmetic[Number]) -> list[tuple[Number, Number]]:
        """Probabilities under P and Q of what both show."""

    @abstractmethod
    def losses(self, bits: int = 64) -> tuple[ExactLoss, ...] | None:
        """The loss of each outcome of `shared` at so many bits; None where they are not known exactly."""

    @abstractmethod
    def definition(self, numbers: RealArithmetic[Number]) -> list[tuple[Number, Number]]:
        """Probabilities of single outcomes, straight from the definition and not from `shared`, for an independent check."""

    def singular(self) -> tuple[Fraction, Fraction]:
        """The mass of P where Q has none, and the mass of Q where P has none."""
        return Fraction(0), Fraction(0)

    def divergence(self, t: Number, numbers: RealArithmetic[Number]) -> Number | None:
        """D_{1+t} where a sum over `shared` does not give it; None: it does."""
        return None

    def dropped(self, numbers: RealArithmetic[Number]) -> Number:
        """A bound on the mass of P, and of Q, on outcomes of finite loss that `shared` leaves out."""
        return numbers.number(0)

    def operations(self) -> int:
        """How many roundings in a row stand behind a mass, where `losses` are not known exactly."""
        return 0

    def loss_ends(self) -> tuple[ExactLoss, ...] | None:
        """All losses, where they are finite and end somewhere."""
        return self.losses() if self.bounded and self.singular() == (0, 0) else None

    @property
    def is_trivial(self) -> bool:
        """Whether P = Q."""
        losses = self.losses()
        return self.singular() == (0, 0) and losses is not None and all(loss == ExactLoss() for loss in losses)


@dataclass(frozen=True)
class AtomicLaw:
    """A pair with atoms, Poisson-sampled at rate γ (1 = not sampled); `reversed` swaps what comes out.

    Sampled, P is γp + (1−γ)q: what only Q showed both show then, with the loss log(1−γ), and only γ of the mass is left where Q has none.
    """

    pair: AtomicPair
    rate: Fraction
    reversed: bool

    def lost_mass(self) -> Fraction:
        """The mass of P, sampled and swapped as asked, on outcomes that Q never shows."""
        ahead, behind = self.pair.singular()
        if self.reversed:
            return behind if self.rate == 1 else Fraction(0)
        return self.rate * ahead

    @property
    def is_trivial(self) -> bool:
        """Whether P = Q, so that the loss is 0."""
        return self.rate == 0 or self.pair.is_trivial

    def absolutely_continuous(self) -> bool:
        """Whether P and Q, sampled and swapped as asked, show the same outcomes, none of them dropped."""
        ahead, behind = self.pair.singular()
        return self.pair.bounded and not self.pair.formal and ahead == 0 and (behind == 0 or self.rate < 1)

    def rows(self, numbers: RealArithmetic[Number]) -> list[tuple[Number, Number]]:
        """Probabilities under P and Q of what both show."""
        found = self.pair.shared(numbers)
        if self.rate < 1:
            rate, keep = numbers.number(self.rate), numbers.number(1 - self.rate)
            found = [(rate * p + keep * q, q) for p, q in found]
            if behind := self.pair.singular()[1]:
                found.append((numbers.number((1 - self.rate) * behind), numbers.number(behind)))
        return [(q, p) for p, q in found] if self.reversed else found

    def losses(self, bits: int = 64) -> tuple[ExactLoss, ...] | None:
        """The loss of each of `rows`, where it is known exactly: log(1−γ+γr) for a loss log r that is sampled."""
        found = self.pair.losses(bits)
        if found is None:
            return None
        if self.rate < 1:
            if any(loss.plain for loss in found):
                return None
            found = tuple(ExactLoss(ratio=self.rate * loss.ratio + 1 - self.rate) for loss in found)
            if self.pair.singular()[1]:
                found = (*found, ExactLoss(ratio=1 - self.rate))
        return tuple(-loss for loss in found) if self.reversed else found

    def largest_exact_loss(self) -> Fraction | None:
        """The largest loss where it is rational."""
        losses = self.losses()
        if not self.pair.bounded or losses is None or any(loss.ratio != 1 for loss in losses):
            return None
        return max((loss.plain for loss in losses if isinstance(loss.plain, Fraction)), default=None)
