"""Which pairs are two mixtures of Gaussians with one σ: their masses and shifts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import singledispatch

import mpmath
from mpmath import mpf

from dpbounds.mechanisms.pairs import GaussianMixturePair, GaussianPair, Pair, PoissonPair, SubstitutePair, WithReplacementPair
from dpbounds.oracle.numbers import MPMATH

Weights = tuple[tuple[mpf, int], ...]
"""Masses and shifts (b, s) of a mixture Σ b·N(s, σ²)."""
_ALONE: Weights = ((mpf(1), 0),)


@dataclass(frozen=True)
class Mixtures:
    """P = Σ b·N(s, σ²) over `upper` against Q = Σ b·N(s, σ²) over `lower`."""

    upper: Weights
    lower: Weights
    sigma: mpf

    def swapped(self, swap: bool) -> Mixtures:
        """Q against P, if asked for."""
        return replace(self, upper=self.lower, lower=self.upper) if swap else self

    def density(self, weights: Weights) -> Callable[[mpf], mpf]:
        """The density of one of them."""
        scale = self.sigma * mpmath.sqrt(2 * mpmath.pi)
        return lambda x: mpmath.fsum(b * mpmath.exp(-((x - s) ** 2) / (2 * self.sigma**2)) for b, s in weights) / scale


def base_and_rate(pair: Pair) -> tuple[Pair, mpf]:
    """A Poisson-sampled pair as the pair and its rate; any other pair has rate 1."""
    return (pair.base, MPMATH.number(pair.q)) if isinstance(pair, PoissonPair) else (pair, mpf(1))


@singledispatch
def mixtures_of(pair: Pair) -> Mixtures | None:
    """The mixtures at the precision that is set; None for pairs of another kind.

    >>> from fractions import Fraction
    >>> mixtures_of(PoissonPair(Fraction(1, 4), GaussianPair(Fraction(2)))).upper
    ((mpf('0.75'), 0), (mpf('0.25'), 1))
    """
    return None


@mixtures_of.register(GaussianPair)
def _(pair: GaussianPair) -> Mixtures:
    return Mixtures(((mpf(1), 1),), _ALONE, MPMATH.number(pair.sigma))


@mixtures_of.register(PoissonPair)
def _(pair: PoissonPair) -> Mixtures | None:
    inner, rate = mixtures_of(pair.base), MPMATH.number(pair.q)
    if inner is None:
        return None
    mixed = [(share * b, s) for share, weights in ((1 - rate, inner.lower), (rate, inner.upper)) for b, s in weights]
    return replace(inner, upper=tuple(mixed))


@mixtures_of.register(SubstitutePair)
def _(pair: SubstitutePair) -> Mixtures:
    rate = MPMATH.number(pair.q)
    return Mixtures(((1 - rate, 0), (rate, 1)), ((1 - rate, 0), (rate, -1)), MPMATH.number(pair.sigma))


@mixtures_of.register(WithReplacementPair)
def _(pair: WithReplacementPair) -> Mixtures:
    rate, m = mpf(1) / pair.population, pair.batch
    masses = [mpmath.binomial(m, hits) * rate**hits * (1 - rate) ** (m - hits) for hits in range(m + 1)]
    upper, lower = (tuple((b, sign * hits) for hits, b in enumerate(masses)) for sign in (1, -1))
    return Mixtures(upper, lower, MPMATH.number(pair.sigma))


@mixtures_of.register(GaussianMixturePair)
def _(pair: GaussianMixturePair) -> Mixtures:
    weights = tuple((MPMATH.number(weight), hits) for hits, weight in enumerate(pair.weights) if weight)
    return Mixtures(weights, _ALONE, MPMATH.number(pair.sigma))
