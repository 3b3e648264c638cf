"""The exact cases, in fractions where they are fractions."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
from scipy.special import erfc, gammaincc

from benchmarks.attacks.tools import gaussian

HEADING = "Exact cases for threads that are open elsewhere"
QUICK, FULL = 300, 100_000
TOLERANCE = 1e-12


def stick(bound: Fraction, first: list[Fraction], second: list[Fraction]) -> Fraction:
    """Σ (p − e^ε q)₊ for e^ε = bound."""
    return sum((max(p - bound * q, Fraction(0)) for p, q in zip(first, second, strict=True)), Fraction(0))


def margins(rng: np.random.Generator, many: int, false: bool = False) -> Iterator[np.ndarray]:
    """What each example shows; false: permute-and-flip within ε²/8, floors without a loss."""
    three, half = Fraction(3, 4), Fraction(1, 2)
    with_record = [three, 1 - three]
    both = zip(with_record, with_record[::-1], strict=True)
    twice = [half * (a * b) + half * (c * d) for (a, c), (b, d) in product(both, repeat=2)]
    other = [c * d for c, d in product(with_record[::-1], repeat=2)]
    yield np.array([0.0 if stick(Fraction(4), twice, other) >= Fraction(1, 16) else -1.0])
    none, most, few = Fraction(0), Fraction(19, 20), Fraction(1, 20)
    second = {"noisy": [Fraction(8, 15), Fraction(7, 15), none], "shown": [most, few, none]}
    back = {"noisy": [Fraction(7, 15), Fraction(8, 15), none], "shown": [most, none, few]}

    def filtered(yes: str, no: str) -> Fraction:
        first = [with_record[i] * x for i, name in enumerate((yes, no)) for x in second[name]]
        return stick(Fraction(3), first, [with_record[1 - i] * x for i, name in enumerate((yes, no)) for x in back[name]])

    exact = [filtered("noisy", "noisy") == filtered("shown", "shown") == Fraction(1, 20), filtered("noisy", "shown") == Fraction(1, 16)]
    yield np.array([0.0 if ok else -1.0 for ok in exact])
    epsilon = rng.uniform(0.01, 2, many)  # permute-and-flip: two candidates that change places at sensitivity 1
    low = np.exp(-epsilon / 2) / 2
    divergence = (1 - 2 * low) * np.log((1 - low) / low)
    bound = epsilon**2 / 8
    yield (bound - divergence if false else divergence - bound) / bound
    mu = np.linspace(0.1, 4.8, many)  # δ(0) of randomized response against Gaussian noise with the same ρ = ε²/2
    yield np.tanh(mu / 2) - gaussian(np.zeros(many), mu)
    m, d, ones = rng.integers(1, 40, many), rng.integers(1, 20_000, many), rng.uniform(0, 6, many)  # divisors m, m + 1
    edge = 2 * (ones + d * np.log1p(1 / m)) / (2 * m + 1)
    floors = gammaincc(d / 2, m**2 * edge / 2) - np.exp(ones) * gammaincc(d / 2, (m + 1) ** 2 * edge / 2)
    yield floors + np.expm1(ones / 2 - d / (2 * (2 * m**2 + 2 * m + 1)))
    yield np.array([erfc(1 / np.sqrt(2)) - np.e * erfc(np.sqrt(2)) - 0.1936, 0.1270 - gaussian(1.0, 1.0)])
    rate, scale = rng.uniform(0, 1, many), rng.exponential(size=many)
    yield 1 + rate * np.expm1(2 * scale) - (1 + rate * np.expm1(scale)) ** 2
