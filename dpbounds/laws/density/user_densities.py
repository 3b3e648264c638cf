"""Two densities of the user's, Poisson-sampled or not: one integral for one use, panels for several."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from flint import arb

from dpbounds.laws.law import ClosedForm, Law, Uses, only_use, registered_law, registered_sampled_law
from dpbounds.mechanisms import DensityPair
from dpbounds.mechanisms.pairs import ContinuousPair
from dpbounds.numbers.exact import Exact

if TYPE_CHECKING:
    from dpbounds.language.pieces import Piece
    from dpbounds.laws.density.densities import DensityFactor


@dataclass(frozen=True)
class UserDensitiesLaw(Law):
    """q·p₀ + (1−q)·q₀ against q₀ for two densities, q = 1 for no sampling; or the other way round."""

    densities: DensityPair
    q: Exact
    reversed: bool
    truncated = True
    whole = False

    def factor(self, steps: int, most: float = 0.0) -> DensityFactor:
        """Each end of a piece cut where at most about `most` is lost; few different ones, because each law is kept."""
        from dpbounds.laws.density.densities import DensityFactor  # imports sympy, which only densities need

        level = 10.0 ** (10 * math.floor(math.log10(most) / 10))
        return DensityFactor(self.densities, self.q, self.reversed, level, steps)

    def swapped(self) -> UserDensitiesLaw:
        """The other order."""
        return UserDensitiesLaw(self.densities, self.q, not self.reversed)

    def lost_mass(self) -> None:
        """Not known exactly."""

    def finite_mass(self) -> arb:
        """By one integral."""
        from dpbounds.laws.density.density_hockey_stick import lost_mass

        return 1 - lost_mass(self._pieces())

    def closed_form(self, uses: Uses) -> ClosedForm | None:
        """For one use; each evaluation is slow."""
        if not only_use(uses):
            return None
        from dpbounds.laws.density.density_hockey_stick import hockey_stick

        return ClosedForm(lambda epsilon: hockey_stick(self._pieces(), epsilon), "one integral", rounds=3)

    def _pieces(self) -> list[Piece]:
        return _cut(self.densities, self.reversed, self.q)


@lru_cache(maxsize=64)
def _cut(densities: DensityPair, add: bool, rate: Exact) -> list[Piece]:
    from dpbounds.laws.density.density_hockey_stick import pieces_of

    return pieces_of(densities, add=add, rate=rate)


@registered_law.register(ContinuousPair)
def _(pair: ContinuousPair, reversed: bool) -> Law:
    return UserDensitiesLaw(pair.densities, Fraction(1), reversed)


@registered_sampled_law.register(ContinuousPair)
def _(base: ContinuousPair, q: Exact, reversed: bool) -> Law:
    return UserDensitiesLaw(base.densities, q, reversed)
