"""Rényi divergence of the Gaussian mechanism."""

from __future__ import annotations

from flint import arb

from dpbounds.mechanisms.pairs import GaussianPair
from dpbounds.numbers.precise import Parameter, as_ball, relative
from dpbounds.renyi import one_pair


def divergence(t: Parameter, sigma: Parameter, bits: int) -> arb:
    """D_α(N(1,σ²) ‖ N(0,σ²)) = α/(2σ²), α = 1+t ≥ 1 (Mironov 2017, Proposition 7).

    >>> from fractions import Fraction
    >>> divergence(Fraction(1), Fraction(2), 60) == 0.25
    True
    """
    return relative(lambda: (1 + as_ball(t)) / (2 * as_ball(sigma) ** 2), bits)


@one_pair.divergence.register(GaussianPair)
def _(pair: GaussianPair, t: Parameter, bits: int, *, reversed: bool = False) -> arb:
    return divergence(t, pair.sigma, bits)
