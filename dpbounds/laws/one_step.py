"""Pairs with an integral of their own for one step: densities of the user's, mixtures of Gaussians, the published pair with replacement."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from flint import arb

from dpbounds.laws.with_replacement_step import with_replacement_delta
from dpbounds.mechanisms import DensityPair
from dpbounds.mechanisms.pairs import ContinuousPair, Factor, GaussianMixturePair, PoissonPair, WithReplacementPair
from dpbounds.numbers.exact import Exact

if TYPE_CHECKING:
    from dpbounds.language.pieces import Piece


def is_one_step(factor: Factor) -> bool:
    """Whether the pair of a factor belongs here.

    >>> is_one_step(Factor(WithReplacementPair(10, 2, 1)))
    True
    """
    pair = factor.pair.base if isinstance(factor.pair, PoissonPair) else factor.pair
    return isinstance(pair, (ContinuousPair, WithReplacementPair, GaussianMixturePair))


def is_density(factor: Factor) -> bool:
    """Whether a factor is a pair of user densities, sampled or not; each evaluation is slow."""
    return not isinstance(factor.pair, (WithReplacementPair, GaussianMixturePair))


def one_step_delta(factor: Factor, epsilon: arb) -> arb:
    """δ(ε) of one use at the current precision."""
    if isinstance(factor.pair, (WithReplacementPair, GaussianMixturePair)):
        return with_replacement_delta(factor.pair, epsilon, factor.reversed)
    from dpbounds.laws.density_hockey_stick import hockey_stick

    return hockey_stick(_pieces(factor), epsilon)


def one_step_loss(factor: Factor) -> arb:
    """The mass of infinite loss at the current precision."""
    if isinstance(factor.pair, (WithReplacementPair, GaussianMixturePair)):
        return arb(0)
    from dpbounds.laws.density_hockey_stick import lost_mass

    return lost_mass(_pieces(factor))


def _pieces(factor: Factor) -> list[Piece]:
    sampled = factor.pair if isinstance(factor.pair, PoissonPair) else None
    pair = sampled.base if sampled else factor.pair
    assert isinstance(pair, ContinuousPair)
    return _cut(pair.densities, factor.reversed, sampled.q if sampled else 1)


@lru_cache(maxsize=64)
def _cut(densities: DensityPair, add: bool, rate: Exact | int) -> list[Piece]:
    from fractions import Fraction

    from dpbounds.laws.density_hockey_stick import pieces_of

    return pieces_of(densities, add=add, rate=Fraction(rate) if isinstance(rate, int) else rate)
