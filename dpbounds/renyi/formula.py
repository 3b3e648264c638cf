"""Rényi divergence of mechanisms with a formula of their own."""

from __future__ import annotations

from flint import arb

from dpbounds.mechanisms.formula import FormulaPair
from dpbounds.numbers.precise import Parameter, as_ball, relative
from dpbounds.renyi.one_pair import divergence


@divergence.register(FormulaPair)
def _(pair: FormulaPair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    return relative(lambda: pair.mechanism.renyi_ball(as_ball(t)), bits)
