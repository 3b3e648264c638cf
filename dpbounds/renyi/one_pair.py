"""The Rényi divergence of one pair: each family registers its own."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from flint import arb

from dpbounds.errors import InputError
from dpbounds.mechanisms.pairs import PoissonPair
from dpbounds.numbers.exact import Exact
from dpbounds.numbers.precise import Parameter


@singledispatch
def divergence(pair: Any, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    """D_{1+t} of one pair (P ‖ Q), or of (Q ‖ P) when `reversed`, with `bits` relative bits.

    Args:
        pair: any pair of `dpbounds.mechanisms.pairs`.
        t: order minus one, t ≥ 0; t = 0 is the Kullback–Leibler divergence.
        bits: relative accuracy.
        reversed: swap P and Q.

    Raises:
        InputError: no divergence is known. PrecisionError: the accuracy was not reached.

    >>> from fractions import Fraction
    >>> from dpbounds.mechanisms.pairs import RandomizedResponsePair
    >>> divergence(RandomizedResponsePair(Fraction(1)), Fraction(1), 60).str(15, radius=False)
    '0.735325664055519'
    """
    raise InputError(f"{pair.title} has no Rényi divergence here; ask for delta or epsilon")


@singledispatch
def sampled_divergence(base: Any, q: Exact, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    """The same of q·P₀ + (1−q)·Q₀ and Q₀ for a base pair (P₀, Q₀).

    Raises:
        InputError: no divergence is known. PrecisionError: the accuracy was not reached.
    """
    raise InputError(f"{base.title} under sampling has no Rényi divergence here; ask for delta or epsilon")


@divergence.register(PoissonPair)
def _(pair: PoissonPair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    return sampled_divergence(pair.base, pair.q, t, bits, reversed=reversed)
