"""δ(ε) of products with truncated Poisson batches: every step tells whether its batch was full.

A step is full with probability τ = P(Bin(n−1, q) ≥ b) under P and under Q alike (`dpbounds.mechanisms.pairs.TruncatedPair`). Of k steps
j are full with probability Bin(k, τ)(j), and given j the product has j pairs of full batches and k − j of Poisson sampling, so

    δ(ε) = Σ_j Bin(k, τ)(j)·δ_j(ε),    0 ≤ Σ_{j>J} ≤ P(Bin(k, τ) > J).

The same holds for several kinds of truncated steps, with a sum over each.

Where too many are full, δ may be next to 1: by min(1, e^{ε−L}) ≤ e^{t(ε−L)}, 0 ≤ t ≤ 1, for every j, with the moments M of both kinds,

    1 − δ(ε) ≤ e^{tε}·Σ_j Bin(k, τ)(j)·M_full(−t)^j·M(−t)^{k−j} = e^{tε}·(τ·M_full(−t) + (1−τ)·M(−t))^k.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from flint import arb

from dpbounds.accounting.near_one import METHOD as NEAR_ONE
from dpbounds.errors import PrecisionError
from dpbounds.laws.normal_form import elements_of
from dpbounds.mechanisms.pairs import Factor, Product, TruncatedPair
from dpbounds.numbers.balls import Enclosure, bits_for, precision
from dpbounds.numbers.binomial import chance_of_at_least
from dpbounds.numbers.inputs import exact_ball

_ORDERS = (0.49, 0.25, 0.1, 0.03)
METHOD = "sum over the number of full batches"
_MOST = 400
"""Products that are evaluated for one value; more are needed where many batches are full."""
Evaluate = Callable[[Product, Fraction, int], tuple[Enclosure, str]]


def is_truncated(product: Product) -> bool:
    """Whether some batches are cut.

    >>> from dpbounds.mechanisms import Gaussian
    >>> from dpbounds.mechanisms.pairs import dominating_pairs
    >>> is_truncated(dominating_pairs(Gaussian(1))[0])
    False
    """
    return any(isinstance(factor.pair, TruncatedPair) for factor in product.factors)


def uncut(product: Product) -> Product:
    """The same without cuts: it has the largest loss of the whole product, q·b/(b+1) being less than q."""
    return _with_full(product, [0] * sum(isinstance(factor.pair, TruncatedPair) for factor in product.factors))


def truncated_delta(product: Product, epsilon: Fraction, digits: int, evaluate: Evaluate) -> tuple[Enclosure, str]:
    """δ(ε) of a product with truncated batches, by the δ of products without.

    Raises:
        PrecisionError: so many batches are full that the sum is too long.
    """
    least, how = evaluate(uncut(product), epsilon, digits + 1)
    cut = [(factor.pair, factor.steps) for factor in product.factors if isinstance(factor.pair, TruncatedPair)]
    with precision(bits_for(digits, 120)):
        rates = [chance_of_at_least(pair.others, pair.q, pair.limit) for pair, _ in cut]
        goal = least.low * arb(10) ** (-digits - 2) if least.low > 0 else arb(10) ** (-digits - 320)
        goal *= arb(1).min(math.prod((1 - rate) ** steps for (_, steps), rate in zip(cut, rates, strict=True)))
        lists = [_masses(steps, rate, goal / len(cut)) for (_, steps), rate in zip(cut, rates, strict=True)]
        total = sum((beyond.union(arb(0)) for _, beyond in lists), arb(0))
        ranges = [range(len(masses)) for masses, _ in lists]
        if math.prod(map(len, ranges)) > _MOST:
            if (near := _near_one(product, epsilon, digits, rates)) is not None:
                return near, NEAR_ONE
            raise PrecisionError("truncated batches: too many of them are full; no digit was reached; raise the batch limit")
        for full in itertools.product(*ranges):
            weight = arb(1)
            for (masses, _), count in zip(lists, full, strict=True):
                weight *= masses[count]
            needed = 2.0 if not weight > 0 else float((weight / goal).log().mid()) / math.log(10) + 2
            wanted = digits + 1 if not any(full) else min(digits + 1, max(2, math.ceil(needed)))
            value = least if not any(full) else evaluate(_with_full(product, list(full)), epsilon, wanted)[0]
            total += weight * value.ball()
        return Enclosure.of_ball(total), f"{METHOD} ({how})"


def _masses(count: int, rate: arb, goal: arb) -> tuple[list[arb], arb]:
    """Bin(count, rate)(j) up to where what is left is at most the goal, and a bound on what is left."""
    term = (1 - rate) ** count
    found, odds = [term], rate / (1 - rate)
    for j in range(count):
        ratio = odds * (count - j) / (j + 1)
        term *= ratio
        if ratio < 1 and term / (1 - ratio) <= goal:
            return found, arb((term / (1 - ratio)).upper())
        found.append(term)
        if len(found) > _MOST:
            break
    return found, arb(0)


def _near_one(product: Product, epsilon: Fraction, digits: int, rates: list[arb]) -> Enclosure | None:
    """[1 − b, 1] with the digits, if such a b is found."""
    for t in _ORDERS:
        bound, order, chances = (t * exact_ball(epsilon)).exp(), arb(t), iter(rates)
        for factor in product.factors:
            kinds = [factor.pair]
            weights = [arb(1)]
            if isinstance(factor.pair, TruncatedPair):
                chance = next(chances)
                kinds, weights = [factor.pair.pushing, factor.pair.uncut], [chance, 1 - chance]
            moment = arb(0)
            for pair, weight in zip(kinds, weights, strict=True):
                own = elements_of(replace(product, factors=(replace(factor, pair=pair, steps=1),))).factors()
                parts = [each.moment(-order).upper() if each.between_poles else arb(1) for each in own]
                moment += weight * math.prod(map(arb, parts), start=arb(1))
            bound *= arb(moment.upper()).min(arb(1)) ** factor.steps
        if bound < arb(10) ** (-digits - 1):
            return Enclosure.between(1 - arb(bound.upper()), arb(1))
    return None


def _with_full(product: Product, full: list[int]) -> Product:
    factors: list[Factor] = []
    counts = iter(full)
    for factor in product.factors:
        if not isinstance(factor.pair, TruncatedPair):
            factors.append(factor)
            continue
        count = next(counts)
        for pair, steps in ((factor.pair.uncut, factor.steps - count), (factor.pair.pushing, count)):
            if steps:
                factors.append(replace(factor, pair=pair, steps=steps))
    return replace(product, factors=tuple(factors))
