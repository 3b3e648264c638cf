"""δ(ε) of Laplace noises, each used any number of times, by residues. Docs: error-bounds.md, "Laplace noise by residues"."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from dpbounds.recheck.numbers import Numbers, Real, Refused

_LONGEST = 1_000_000


def laplace_sum(uses: Sequence[tuple[Fraction, int]], epsilon: Fraction, numbers: Numbers) -> Real:
    """Σ Π C(k_i, n_i)e^{−n_iε_i}·R_n(τ) over all 0 <= n_i <= k_i, n = Σ n_i, k = Σ k_i, τ = Σ (k_i − 2n_i)ε_i − ε > 0.

    R_n(τ) = [n = 0] + 2^{1−k}e^{−τ/2}·[v^{k−1}] (v+1)^{k−n−1}(v−1)^{n−1}e^{τv/2}.

    `uses` has ε_i = 1/b_i and k_i.
    """
    steps = sum(count for _, count in uses)
    if math.prod(count + 1 for _, count in uses) * steps > _LONGEST:
        raise Refused("the sum for so many uses of Laplace noise is too long")
    shares = [(0, 1, Fraction(0), Fraction(0))]
    for largest, count in uses:
        shares = [
            (hits + n, ways * math.comb(count, n), spent + n * largest, level + (count - 2 * n) * largest)
            for hits, ways, spent, level in shares
            for n in range(count + 1)
        ]
    total, series = numbers.number(0), {n: _series(steps, n) for n in range(steps)}
    for hits, ways, spent, level in shares:
        if level > epsilon:
            total = total + numbers.number(-spent).exp() * _inverse(steps, series[hits], level - epsilon, hits == 0, numbers) * ways
    return total.positive_part()


def _series(steps: int, n: int) -> list[int]:
    """Coefficients of v^0 … v^{k−1} in (v+1)^{k−n−1}(v−1)^{n−1}, n < k; for n = 0 the last factor is −Σ v^j."""
    row = [math.comb(steps - n - 1, i) for i in range(steps)]
    if n == 0:
        return [-sum(row[: i + 1]) for i in range(steps)]
    for _ in range(n - 1):
        row = [(row[i - 1] if i else 0) - row[i] for i in range(steps)]
    return row


def _inverse(steps: int, series: Sequence[int], tau: Fraction, plain: bool, numbers: Numbers) -> Real:
    """R_n(τ), by Horner's rule in τ/2."""
    found = numbers.number(0)
    for i in range(steps):  # Σ_i series_{k−1−i}·(τ/2)^i/i!, from the last i on
        found = found * numbers.number(tau / 2 / (steps - i)) + series[i]
    found = found * numbers.number(-tau / 2).exp() * Fraction(1, 2 ** (steps - 1))
    return found + 1 if plain else found
