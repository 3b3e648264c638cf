"""Dominating pairs as float64 loss distributions: a density part along an increasing loss, plus atoms.

Gaussian pairs are `gaussian_mixture`, Laplace pairs `laplace_mixture`, finite tables and randomized response atoms only.

Exact parameters become the nearest floats; the rounding enters through `loss_error` (absolute error of the computed loss) and
`log_density_error` (absolute error of the computed log p), both under the model of `rounding`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, singledispatch

import numpy as np

from dpbounds.errors import InputError, PrecisionError
from dpbounds.float64.gaussian_mixture import GaussianMixture
from dpbounds.float64.laplace_mixture import LaplaceMixture
from dpbounds.float64.logarithms import log_keep, log_two
from dpbounds.float64.rounding import UNIT_ROUNDOFF
from dpbounds.mechanisms import pairs
from dpbounds.mechanisms.arithmetic import FLOATS
from dpbounds.mechanisms.atomic import AtomicLaw, AtomicPair
from dpbounds.numbers.exact import Exact

MAX_BATCH = 2000
LEAST = 1e-290
"""The smallest probability of a sampling rate or an outcome, except 0."""


@dataclass(frozen=True)
class AtomsOnly:
    """A finite loss distribution: atoms (loss, P-mass) in increasing order of loss, and the P-mass of infinite loss.

    `input_error` is what rounding large parameters adds to the error of the losses and the relative error of the masses. `dropped` bounds
    the mass of finite losses that are left out: they add that much to δ at most.
    """

    atoms: tuple[tuple[float, float], ...]
    infinite_mass: float = 0.0
    input_error: float = 0.0
    dropped: float = 0.0
    is_gaussian = False
    degree = 0

    @property
    def lowest_loss(self) -> float:
        """The lowest atom."""
        return self.atoms[0][0] if self.atoms else math.inf

    @property
    def highest_loss(self) -> float:
        """The highest atom, infinite where there is one without end."""
        return math.inf if self.infinite_mass > 0 else self.highest_finite_loss

    @property
    def highest_finite_loss(self) -> float:
        """The highest finite atom."""
        return math.inf if self.dropped > 0 or not self.atoms else self.atoms[-1][0]


LossLaw = GaussianMixture | LaplaceMixture | AtomsOnly


def loss_law(factor: pairs.Factor) -> LossLaw:
    """The float64 loss distribution of one step of a factor (its `reversed` flag included).

    Raises:
        InputError: pairs without a loss distribution here (densities of the user's, very large batches with replacement).
        PrecisionError: positive probabilities below LEAST.

    >>> loss_law(pairs.Factor(pairs.PoissonPair(Fraction(1, 4), pairs.GaussianPair(Fraction(2))))).upper
    (0.75, 0.25)
    """
    return _kept_law(factor.pair, factor.reversed)


@lru_cache(maxsize=32)
def _kept_law(pair: pairs.Pair, swapped: bool) -> LossLaw:
    return _law(pair, swapped)


@singledispatch
def _law(pair: pairs.Pair, swapped: bool) -> LossLaw:
    raise InputError(f"the float64 accountants have no loss distribution for {type(pair).__name__}; use dpbounds.accounting")


@_law.register(pairs.GaussianPair)
def _(pair: pairs.GaussianPair, swapped: bool) -> LossLaw:
    return GaussianMixture(to_float(pair.sigma), (0.0, 1.0), (1.0,))


@_law.register(pairs.SubstitutePair)
def _(pair: pairs.SubstitutePair, swapped: bool) -> LossLaw:
    weights = (_probability(1 - pair.q), _probability(pair.q))
    return GaussianMixture(to_float(pair.sigma), weights, weights)


@_law.register(pairs.WithReplacementPair)
def _(pair: pairs.WithReplacementPair, swapped: bool) -> LossLaw:
    numbers = _binomial_weights(pair.population, pair.batch)
    return GaussianMixture(to_float(pair.sigma), numbers, numbers)


@_law.register(pairs.GaussianMixturePair)
def _(pair: pairs.GaussianMixturePair, swapped: bool) -> LossLaw:
    numbers = tuple(_probability(weight) for weight in pair.weights)
    return GaussianMixture(to_float(pair.sigma), *(((1.0,), numbers) if swapped else (numbers, (1.0,))))


@_law.register(pairs.LaplacePair)
def _(pair: pairs.LaplacePair, swapped: bool) -> LossLaw:
    return LaplaceMixture(to_float(pair.scale), 1.0, 0.0)


@_law.register(AtomicPair)
def _(pair: AtomicPair, swapped: bool) -> LossLaw:
    return _finite_law(Fraction(1), pair, swapped)


@_law.register(pairs.PoissonPair)
def _(pair: pairs.PoissonPair, swapped: bool) -> LossLaw:
    return AtomsOnly(((0.0, 1.0),)) if pair.q == 0 else _sampled_law(pair.base, pair.q, swapped)


@_law.register(pairs.FixedSizePair)
def _(pair: pairs.FixedSizePair, swapped: bool) -> LossLaw:
    raise InputError(
        "the float64 accountants have no bound for several uses of sampling without replacement; "
        "use dpbounds.accounting, or --guarantee pair for the published pair"
    )


@singledispatch
def _sampled_law(base: pairs.Pair, q: Exact, swapped: bool) -> LossLaw:
    raise InputError(f"the float64 accountants have no loss distribution for a sampled {type(base).__name__}; use dpbounds.accounting")


@_sampled_law.register(pairs.GaussianPair)
def _(base: pairs.GaussianPair, q: Exact, swapped: bool) -> LossLaw:
    weights = (_probability(1 - q), _probability(q))
    return GaussianMixture(to_float(base.sigma), *(((1.0,), weights) if swapped else (weights, (1.0,))))


@_sampled_law.register(pairs.LaplacePair)
def _(base: pairs.LaplacePair, q: Exact, swapped: bool) -> LossLaw:
    return LaplaceMixture(to_float(base.scale), _probability(q), _probability(1 - q), swapped)


@_sampled_law.register(AtomicPair)
def _(base: AtomicPair, q: Exact, swapped: bool) -> LossLaw:
    return _finite_law(q, base, swapped)


def dropped_mass(product: pairs.Product) -> float:
    """A bound on the mass that the laws leave out."""
    return math.fsum(factor.steps * getattr(loss_law(factor), "dropped", 0.0) for factor in product.factors)


def to_float(value: Exact) -> float:
    """The nearest float of an exact number (of a sympy number: of its 15-digit evaluation, assumed within one ulp).

    >>> to_float(Fraction(1, 4))
    0.25
    """
    return float(value)


def _probability(value: Exact | float) -> float:
    """The nearest float of a probability, which must not be lost to underflow."""
    nearest = float(value)
    if nearest < LEAST and value > 0:
        raise PrecisionError(f"the float64 accountants decline probabilities below {LEAST:g}; use dpbounds.accounting")
    return nearest


def _finite_law(q: Exact, base: AtomicPair, swapped: bool) -> AtomsOnly:
    """Atoms of q·P₀+(1−q)·Q₀ against Q₀ (or swapped). A mass e^{−s} is off by a few units of s, besides a few units of itself."""
    law = AtomicLaw(base, q if isinstance(q, Fraction) else Fraction(to_float(q)), swapped)
    rows = law.rows(FLOATS)
    exact_losses = law.losses(FLOATS.bits)
    own = base.losses(FLOATS.bits)
    if exact_losses is not None:
        losses = [loss.value(FLOATS) for loss in exact_losses]
    elif own is None:
        rows = [(p, q) for p, q in rows if p > 0 and q > 0]
        losses = [math.log(p / q) for p, q in rows]
    else:
        rate, keep = _probability(q), _probability(1 - q)
        plain = np.array([loss.value(FLOATS) for loss in own])
        losses = [float(value) * (-1 if swapped else 1) for value in log_two(plain, keep, rate)]
        if law.pair.singular()[1]:
            losses.append(log_keep(rate, keep) * (-1 if swapped else 1))
    merged: dict[float, list[float]] = {}
    dropped = float(base.dropped(FLOATS))
    for loss, (p, _) in zip(losses, rows, strict=True):
        if p < LEAST and not base.bounded:
            dropped += p * (1 + 1e-9)
        elif _probability(p) > 0:
            merged.setdefault(loss, []).append(p)
    rough = own is None or any(loss.plain for loss in own)
    largest = max((abs(loss) for loss in merged), default=0.0)
    smallest = min((math.fsum(masses) for masses in merged.values()), default=1.0)
    return AtomsOnly(
        tuple((loss, math.fsum(masses)) for loss, masses in sorted(merged.items())),
        _probability(law.lost_mass()),
        8 * UNIT_ROUNDOFF * (largest + (0.0 if base.bounded else abs(math.log(smallest))) + base.operations()) if rough else 0.0,
        dropped,
    )


def _binomial_weights(population: int, batch: int) -> tuple[float, ...]:
    """Binomial(batch, 1/population), cut where it falls below the smallest float."""
    if batch > MAX_BATCH:
        raise InputError(
            f"with-replacement batches above {MAX_BATCH} are beyond the float64 accountants, got {batch}; use dpbounds.accounting"
        )
    rate = Fraction(1, population)
    weights: list[float] = []
    term = (1 - rate) ** batch
    if population == 1:
        return (0.0,) * batch + (1.0,)
    for ell in range(batch + 1):
        weights.append(float(term))
        if weights[-1] == 0.0 and ell > batch / population:
            break
        term = term * Fraction(batch - ell, ell + 1) * rate / (1 - rate)
    while weights and weights[-1] == 0.0:
        weights.pop()
    return tuple(weights)
