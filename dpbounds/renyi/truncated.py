"""Rényi divergence of truncated Poisson batches: an upper bound on the mechanism, as their δ is.

A step of `TruncatedPair` tells whether its batch was full, which has the same probability τ under P and under Q, so the moments mix:

    M(t) = (1 − τ)·M₀(t) + τ·M₁(t),    D_{1+t} = log M(t)/t,

M₀ that of Poisson sampling, M₁ that of a full batch. With M_i = e^{t·D_i} the excess is

    (M − 1)/t = (1 − τ)·(e^{tD₀} − 1)/t + τ·(e^{tD₁} − 1)/t,

in which nothing cancels; at t = 0 it is (1 − τ)·D₀ + τ·D₁.
"""

from __future__ import annotations

from flint import arb

from dpbounds.mechanisms.pairs import TruncatedPair
from dpbounds.numbers.balls import precision
from dpbounds.numbers.binomial import chance_of_at_least
from dpbounds.numbers.excess import divergence_from_excess
from dpbounds.numbers.precise import Parameter, as_ball
from dpbounds.renyi.one_pair import divergence


@divergence.register(TruncatedPair)
def _(pair: TruncatedPair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    plain, pushed = (divergence(part, t, bits + 10, reversed=reversed) for part in (pair.uncut, pair.pushing))
    with precision(bits + 64):
        full, order = chance_of_at_least(pair.others, pair.q, pair.limit), as_ball(t)
        excess = (1 - full) * _excess(order, plain) + full * _excess(order, pushed)
        return divergence_from_excess(order, excess)


def _excess(t: arb, value: arb) -> arb:
    """(e^{tD} − 1)/t, D at t = 0."""
    return value if t == 0 else (t * value).expm1() / t
