"""What every pair of distributions can be asked, and Poisson sampling of any of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from dpbounds.mechanisms.exact_loss import ExactLoss
from dpbounds.numbers.exact import Exact

Rounding = Callable[[Exact], Fraction]


@dataclass(frozen=True)
class Pair:
    """(P ‖ Q), P the upper distribution."""

    title: ClassVar[str] = "this pair"
    """What a refusal calls it."""
    symmetric: ClassVar[bool] = False
    """Whether the pair is its own mirror image."""
    parameters: ClassVar[Mapping[str, bool]] = {}
    """Real parameters, and whether a larger value is more private: P and Q are then what some channel makes of those of a smaller one."""

    @property
    def attained(self) -> bool:
        """Whether the pair is known to be attained by the mechanism, compositions included."""
        return True

    @property
    def forced(self) -> Pair | None:
        """A pair that two data sets attain, where `attained` is False and one is known."""
        return None

    def notes(self, alone: bool) -> tuple[str, ...]:
        """What to say beside a result; `alone`: no other kind of pair takes part."""
        return ()

    def sampled(self, q: Exact) -> Pair:
        """The pair under Poisson sampling, record removed.

        Raises:
            InputError: the pair does not say which outcomes have its losses.
        """
        return self if q == 1 else PoissonPair(q, self)

    def unsampled(self) -> tuple[Pair, Exact]:
        """The base pair and the rate of Poisson sampling, 1 for none."""
        return self, Fraction(1)

    def loss_ends(self) -> tuple[ExactLoss, ...] | None:
        """Losses among which are the least and the largest; none where the loss has no ends, None where they are not known exactly."""
        return None

    def numbers(self) -> tuple[Exact, ...]:
        """The values of the real parameters."""
        return tuple(getattr(self, name) for name in self.parameters)

    def rounded(self, noise: Rounding, signal: Rounding) -> Pair:
        """Parameters of which more is more private by `noise`, the others by `signal`."""
        return replace(self, **self._rounded(noise, signal))

    def _rounded(self, noise: Rounding, signal: Rounding) -> dict[str, Any]:
        return {name: (noise if larger else signal)(getattr(self, name)) for name, larger in self.parameters.items()}


@dataclass(frozen=True)
class PoissonPair(Pair):
    """P = q·P₀ + (1−q)·Q₀, Q = Q₀ for a base pair (P₀, Q₀): Poisson sampling, record removed."""

    q: Exact
    base: Pair
    parameters: ClassVar[Mapping[str, bool]] = {"q": False}

    def unsampled(self) -> tuple[Pair, Exact]:
        """Its parts."""
        return self.base, self.q

    def numbers(self) -> tuple[Exact, ...]:
        """The rate, and those of the base pair."""
        return (self.q, *self.base.numbers())

    def rounded(self, noise: Rounding, signal: Rounding) -> Pair:
        """A rate that reaches 1 is no sampling."""
        base, q = self.base.rounded(noise, signal), signal(self.q)
        return PoissonPair(q, base) if q < 1 else base
