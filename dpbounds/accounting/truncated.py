"""δ(ε) of products with truncated Poisson batches: every step tells whether its batch was full.

A step is full with probability τ = P(Bin(n−1, q) ≥ b) under P and under Q alike (`dpbounds.mechanisms.pairs.TruncatedPair`). Of k steps
j are full with probability Bin(k, τ)(j), and given j the product has j pairs of full batches and k − j of Poisson sampling, so

    δ(ε) = Σ_j Bin(k, τ)(j)·δ_j(ε),    0 ≤ Σ_{j>J} ≤ P(Bin(k, τ) > J).

The same holds for several kinds of truncated steps, with a sum over each.

Where that are many, or δ is negligible, M is a mean of both kinds of step (`laws.full_batches`), and δ a contour as ever.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from flint import arb

from dpbounds.errors import PrecisionError
from dpbounds.mechanisms.pairs import Factor, Product, TruncatedPair
from dpbounds.numbers.balls import Enclosure, bits_for, precision
from dpbounds.numbers.binomial import chance_of_at_least, first_masses

METHOD = "sum over the number of full batches"
_MANY, _SHORT, _MOST = 20, 40, 400
"""Mean number of full batches beyond which no sum is tried, products that take less time than a contour, and the most of them."""
Evaluate = Callable[[Product, Fraction, int], tuple[Enclosure, str]]


def is_truncated(product: Product) -> bool:
    """Whether some batches are cut.

    >>> from dpbounds.mechanisms import Gaussian
    >>> from dpbounds.mechanisms.pairs import dominating_pairs
    >>> is_truncated(dominating_pairs(Gaussian(1))[0])
    False
    """
    return any(isinstance(factor.pair, TruncatedPair) for factor in product.factors)


def truncated_delta(
    product: Product, epsilon: Fraction, digits: int, evaluate: Evaluate, contour: Callable[[], tuple[Enclosure, str]]
) -> tuple[Enclosure, str]:
    """δ(ε) of a product with truncated batches, by the δ of products without, or by a contour where δ is negligible or many are full.

    Args:
        contour: δ(ε) by the mean of both kinds of step.

    Raises:
        PrecisionError: so many batches are full that the sum is too long, and the contour is declined.
    """
    cut = [(factor.pair, factor.steps) for factor in product.factors if isinstance(factor.pair, TruncatedPair)]
    with precision(bits_for(digits, 120)):
        rates = [chance_of_at_least(pair.others, pair.q, pair.limit) for pair, _ in cut]
        if not sum((steps * rate for (_, steps), rate in zip(cut, rates, strict=True)), arb(0)) < _MANY:
            return contour()
        least, how = evaluate(_with_full(product, [0] * len(cut)), epsilon, digits + 1)
        if not least.low > 0:
            return contour()
        goal = least.low * arb(10) ** (-digits - 2)
        goal *= arb(1).min(math.prod((1 - rate) ** steps for (_, steps), rate in zip(cut, rates, strict=True)))
        if not goal > 0:  # all are full but for so little that 1 − τ has no digit
            return contour()
        lists = [first_masses(steps, rate, 1 - rate, goal / len(cut), 1, _MOST) for (_, steps), rate in zip(cut, rates, strict=True)]
        ranges = [range(len(masses)) for masses, _ in lists]
        count = math.prod(map(len, ranges))
        if count > _SHORT:
            try:
                return contour()
            except PrecisionError:
                if count > _MOST:
                    raise
        total = sum((beyond.union(arb(0)) for _, beyond in lists), arb(0))
        for full in itertools.product(*ranges):
            weight = arb(1)
            for (masses, _), chosen in zip(lists, full, strict=True):
                weight *= masses[chosen]
            needed = 2.0 if not weight > 0 else float((weight / goal).log().mid()) / math.log(10) + 2
            wanted = digits + 1 if not any(full) else min(digits + 1, max(2, math.ceil(needed)))
            value = least if not any(full) else evaluate(_with_full(product, list(full)), epsilon, wanted)[0]
            total += weight * value.ball()
        return Enclosure.of_ball(total), f"{METHOD} ({how})"


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
