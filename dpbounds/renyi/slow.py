"""Pairs whose divergence stands on modules that take long to import, which only they need."""

from __future__ import annotations

from flint import arb

from dpbounds.mechanisms.pairs import AllocationPair, ContinuousPair
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import Parameter
from dpbounds.renyi.one_pair import divergence, sampled_divergence


@divergence.register(ContinuousPair)
def _(pair: ContinuousPair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    from dpbounds.laws.density import density_moments

    return density_moments.divergence(pair.densities, t, bits, add=reversed)


@sampled_divergence.register(ContinuousPair)
def _(base: ContinuousPair, q: Exact, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    from dpbounds.laws.density import density_moments

    return density_moments.divergence(base.densities, t, bits, add=reversed, rate=q)


@divergence.register(AllocationPair)
def _(pair: AllocationPair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    from dpbounds.laws.allocation import allocation_orders

    return allocation_orders.divergence(pair, t, bits, reversed=reversed)
