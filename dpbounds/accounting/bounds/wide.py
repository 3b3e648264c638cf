"""What is certified where the digits are out of reach and none were asked for: an enclosure by the parts of a product.

Who sees some of the uses sees less than all of them, so δ_A(ε) ≤ δ(ε) for the uses A alone. With B the other uses and ε = s + t, from
p_A ≤ (p_A − e^s·q_A)₊ + min(p_A, e^s·q_A) and p_B ≤ (p_B − e^t·q_B)₊ + e^t·q_B,

    p_A·p_B − e^ε·q_A·q_B ≤ (p_A − e^s·q_A)₊·p_B + p_A·(p_B − e^t·q_B)₊.

So δ(ε) ≤ δ_A(s) + δ_B(t), and ε(δ) ≤ ε_A(δ − η) + ε_B(η) for 0 < η < δ.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from fractions import Fraction

from flint import arb

from dpbounds.accounting.bounds.upper_bounds import known_ends
from dpbounds.accounting.evaluate import evaluate
from dpbounds.errors import InputError, PrecisionError
from dpbounds.mechanisms.pairs import Product
from dpbounds.numbers.balls import Enclosure, precision
from dpbounds.numbers.exact import Exact

PARTS = "bounds of its parts"
ROUGH = 5
"""Digits of the parts."""
_SHARES = (Fraction(1, 10**6), Fraction(1, 100), Fraction(1, 2))
"""Shares of ε, or of δ, that the narrower part may have."""
_SMALL = arb("0.001")
"""A share of δ that does not show."""
Rough = Callable[[Product, Exact], Enclosure]
"""An enclosure of δ(ε), or of ε(δ), of a part."""


def by_parts(product: Product, epsilon: Exact, known: Enclosure | None) -> Enclosure | None:
    """δ(ε), inside what is known, between what its parts say; None where that is nothing."""
    found = delta_by_parts(product, epsilon, _rough, known or Enclosure.between(arb(0), arb(1)))
    return found if found.low > 0 or found.high < 1 else None


@functools.lru_cache(maxsize=256)
def _rough(product: Product, epsilon: Exact) -> Enclosure:
    """δ(ε) of a part. The ways to take a product apart share parts, so each is asked once."""
    try:
        with precision(64):
            return evaluate(product, epsilon, ROUGH)[0]
    except PrecisionError:
        return by_parts(product, epsilon, known_ends(product, epsilon)) or Enclosure.between(arb(0), arb(1))


def _above_one_use(product: Product, at: Exact, rough: Rough, low: arb) -> arb:
    """A lower bound, and what one of many uses has, where that is more."""
    if (once := product.one_of_many()) is not None:
        with contextlib.suppress(InputError, PrecisionError):
            return low.max(rough(once, at).low)
    return low


def delta_by_parts(product: Product, epsilon: Exact, rough: Rough, known: Enclosure) -> Enclosure:
    """δ(ε), inside what is known, by enclosures of the parts."""
    low, high = _above_one_use(product, epsilon, rough, known.low), known.high
    for parts in product.splits():
        with contextlib.suppress(InputError, PrecisionError), precision(64):
            (own, part), (other, rest) = sorted(((rough(part, epsilon), part) for part in parts), key=lambda row: -row[0].lower_float)
            low = low.max(own.low).max(other.low)
            for share in _SHARES:
                less = rough(rest, share * epsilon).high
                if less < low * _SMALL or share is _SHARES[-1]:
                    high = high.min(arb((rough(part, epsilon - share * epsilon).high + less).upper()))
                    break
    return Enclosure.between(low, high)


def epsilon_by_parts(product: Product, target: Exact, rough: Rough, known: Enclosure) -> Enclosure:
    """ε(target), inside what is known, by enclosures of the parts."""
    low, high = _above_one_use(product, target, rough, known.low), known.high
    for parts in product.splits():
        with contextlib.suppress(InputError, PrecisionError), precision(64):
            (own, part), (other, rest) = sorted(((rough(part, target), part) for part in parts), key=lambda row: -row[0].upper_float)
            low = low.max(own.low).max(other.low)
            for share in _SHARES:
                high = high.min(arb((rough(part, target - share * target).high + rough(rest, share * target).high).upper()))
    return Enclosure.between(low, high)
