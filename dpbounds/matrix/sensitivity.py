"""The sensitivity of a matrix mechanism Cx + Z under patterns of participation, certified on both sides; the error of prefix sums.

A record gives vectors g_i with |g_i| ≤ 1 in the steps of its pattern π. So the sensitivity squared is

    sup_π sup_g Σ_{i,j∈π} G_ij ⟨g_i, g_j⟩  ≤  max_π Σ_{i,j∈π} |G_ij|,      G = CᵀC,

with equality where signs s_i with s_i s_j G_ij ≥ 0 exist on the pattern that is largest: then g_i = s_i e attains it. Else the
lower bound is the best of sign vectors g_i = s_i e, and of vectors in more dimensions that a few sweeps of ascent find, on the
patterns that were looked at. Source: Choquette-Choo, McMahan, Rush & Thakurta 2023 (arXiv 2211.06530), Theorem 2 and Corollary
2.1. δ is that of Gaussian noise with μ = sensitivity/σ, adaptive inputs included (Denisov et al. 2022).

An entry that is off by e moves |Σ C_i g_i| by at most k·√n·e: both ends are widened by it.

**Prefix sums.** C⁻¹(Cx + Z) adds C⁻¹Z to x, and sums of it to the prefix sums. With A the lower triangle of ones and B = A C⁻¹,
noise N(0, σ²) on Cx puts the variance σ² Σ_j B_ij² on the i-th prefix sum. At the noise multiplier 1, σ is the sensitivity. The
mean is over the steps, the largest is that of the worst step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import accumulate, combinations, product, zip_longest
from operator import mul

from dpbounds.errors import InputError
from dpbounds.matrix.patterns import Gram, LargestPattern, entry, largest
from dpbounds.matrix.read import Matrix
from dpbounds.numbers import exact
from dpbounds.numbers.balls import Ball, Enclosure, ball
from dpbounds.numbers.domains import at_least_one
from dpbounds.numbers.linear import solved
from dpbounds.numbers.to_digits import certified

MOST_SIGNS, MOST_PATTERNS = 12, 3000
_ASCENTS, _SWEEPS = 8, 60


@dataclass(frozen=True)
class Sensitivity:
    """The sensitivity of C, between exact squares.

    Args:
        steps, min_sep, participations: n; at least b steps between two uses of a record; at most k of them.
        lower_squared, upper_squared: certified; the same where `is_exact`.
        pattern: steps, counted from 0, with the largest Σ |G_ij| that was found.
        pattern_method: how the pattern was found.
        error: by which entries of C may be off, at most.
    """

    steps: int
    min_sep: int
    participations: int
    lower_squared: Fraction
    upper_squared: Fraction
    pattern: tuple[int, ...]
    pattern_method: str
    error: Fraction = Fraction(0)

    @property
    def is_exact(self) -> bool:
        """Whether both ends are the value."""
        return self.lower_squared == self.upper_squared and not self.error

    def squared(self, digits: int = 15) -> Enclosure:
        """The sensitivity squared, both ends."""
        return self.between(lambda square: square, digits)

    def value(self, digits: int = 15) -> Enclosure:
        """The sensitivity, both ends."""
        return self.between(lambda square: square.sqrt(), digits)

    def between(self, rising: Callable[[Ball], Ball], digits: int = 15) -> Enclosure:
        """What a rising function of the square is at both of its ends."""
        low, high = (certified(lambda end=end: rising(self.end_squared(end)), digits) for end in (True, False))  # type: ignore[misc]
        return Enclosure.between(low.low, high.high)

    def end_squared(self, low: bool) -> Ball:
        """One end of the square, at the precision that is set."""
        off = ball(self.participations * self.error) * ball(self.steps).sqrt()
        square = ball(self.lower_squared if low else self.upper_squared)
        return (square.sqrt() + (-off if low else off)) ** 2 if self.error else square


@lru_cache(maxsize=16)
def sensitivity_of(matrix: Matrix, min_sep: exact.Number = 1, participations: exact.Number | None = None) -> Sensitivity:
    """The sensitivity of C under patterns of at most k steps, at least b apart.

    Args:
        matrix: C. min_sep: b ≥ 1; consecutive uses of a record are at least b steps apart. participations:
            k; None: as many as fit.

    >>> from dpbounds.matrix.read import read_matrix
    >>> sensitivity_of(read_matrix("1,0,3/4,1/4,0,2/3", 8), 2, 4).pattern
    (0, 2, 5, 7)
    """
    n, b = matrix.steps, at_least_one(min_sep, "min-sep")
    k = min(-(-n // b), n if participations is None else at_least_one(participations, "participations"))
    gram, unit = matrix.gram(b)
    if not any(row[0] for row in gram if row):
        raise InputError("the matrix is 0, so nothing is released; give a matrix with an entry other than 0")
    best = largest(gram, b, k)
    lower = _lower(gram, best, b, k)
    return Sensitivity(n, b, k, Fraction(lower, unit), Fraction(best.upper, unit), best.pattern, best.method, matrix.error)


def _has_signs(gram: Gram, pattern: tuple[int, ...]) -> bool:
    """Whether s_i = ±1 with s_i s_j G_ij ≥ 0 on the pattern exist: two colours for the graph of other entries than 0."""
    signs: dict[int, int] = {}
    for start in pattern:
        queue = [] if start in signs else [(start, 1)]
        while queue:
            i, sign = queue.pop()
            if signs.setdefault(i, sign) == sign:
                queue += [(j, sign if own > 0 else -sign) for j in pattern if j not in signs and (own := entry(gram, i, j))]
    return all(signs[i] * signs[j] * entry(gram, i, j) >= 0 for i, j in combinations(pattern, 2))


def _lower(gram: Gram, best: LargestPattern, min_sep: int, most: int) -> Fraction | int:
    if _has_signs(gram, best.pattern):
        return best.lower
    n = len(gram)
    number = sum(math.comb(max(0, n - (m - 1) * (min_sep - 1)), m) for m in range(1, most + 1))
    looked_at = [best.pattern]
    if number * 2**most <= MOST_PATTERNS * 8:
        all_chosen = (each for m in range(1, most + 1) for each in combinations(range(n - (m - 1) * (min_sep - 1)), m))
        looked_at = [tuple(i + place * (min_sep - 1) for place, i in enumerate(chosen)) for chosen in all_chosen]
    signs = {pattern: _by_signs(gram, pattern) for pattern in looked_at}
    best_signed = sorted(looked_at, key=lambda pattern: signs[pattern])[-_ASCENTS:]
    return max(Fraction(max(signs.values())), *(_by_vectors(gram, pattern) for pattern in best_signed))


def _by_signs(gram: Gram, pattern: tuple[int, ...]) -> int:
    """The largest Σ s_i s_j G_ij; signs of the first `MOST_SIGNS` steps are tried, later ones are chosen one by one."""
    best = 0
    for tried in product((1, -1), repeat=min(MOST_SIGNS, len(pattern)) - 1):
        signs, value = list[int](), 0
        for j, sign in zip_longest(pattern, (1, *tried)):
            lean = 2 * sum(s * entry(gram, i, j) for i, s in zip(pattern, signs, strict=False))
            signs.append(sign or (1 if lean >= 0 else -1))
            value += entry(gram, j, j) + signs[-1] * lean
        best = max(best, value)
    return best


def _by_vectors(gram: Gram, pattern: tuple[int, ...]) -> Fraction:
    """Σ G_ij ⟨g_i, g_j⟩ / max |g_i|², exact, for vectors found in floats: each in turn points along Σ_{j≠i} G_ij g_j."""
    top = max(abs(entry(gram, i, j)) for i in pattern for j in pattern)
    entries = [[float(Fraction(entry(gram, i, j), top)) for j in pattern] for i in pattern]
    size = len(pattern)
    vectors = [[math.cos(1 + 2 * i * size + 3 * j * j) for j in range(size)] for i in range(size)]
    for _ in range(_SWEEPS):
        for i in range(size):
            lean = [sum(entries[i][j] * vectors[j][d] for j in range(size) if j != i) for d in range(size)]
            length = math.hypot(*lean)
            if length > 0:
                vectors[i] = [x / length for x in lean]
    rounded = [[round(x * 2**40) for x in vector] for vector in vectors]
    pairs = product(zip(pattern, rounded, strict=True), repeat=2)
    value = sum(entry(gram, i, j) * sum(map(mul, one, other)) for (i, one), (j, other) in pairs)
    return Fraction(value, max(sum(x * x for x in vector) for vector in rounded))


def prefix_errors(matrix: Matrix, sensitivity: Sensitivity, digits: int = 10) -> tuple[Enclosure, Enclosure] | None:
    """Mean and largest variance of a prefix sum at noise multiplier 1, sensitivity included; None where C has no inverse or is not exact.

    >>> from dpbounds.matrix.read import read_matrix
    >>> identity = read_matrix("1", 4)
    >>> mean, most = prefix_errors(identity, sensitivity_of(identity, 4, 1))
    >>> mean.lower_decimal(3), most.contains(4)
    ('2.5', True)
    """
    if matrix.error or matrix.leaves or (rows := _variances(matrix)) is None:
        return None  # a tree is not square
    mean = sensitivity.between(lambda square: sum(rows(), ball(0)) / matrix.steps * square, digits)
    return mean, sensitivity.between(lambda square: reduce(Ball.max, rows()) * square, digits)


def _variances(matrix: Matrix) -> Callable[[], list[Ball]] | None:
    """Σ_j B_ij² for each i: of Toeplitz C by Σ_j c_j b_{i−j} = 1 for the prefix sums b of 1/C, else by CᵀBᵀ = Aᵀ."""
    n = matrix.steps
    if not matrix.coefficients:
        triangle = [[Fraction(i >= j) for i in range(n)] for j in range(n)]
        if (columns := solved([list(column) for column in zip(*matrix.rows, strict=True)], triangle)) is None:
            return None
        squares = [sum((column[i] ** 2 for column in columns), Fraction(0)) for i in range(n)]
        return lambda: [ball(square) for square in squares]

    def rows() -> list[Ball]:
        first, *others = map(ball, matrix.coefficients[: matrix.bandwidth()])
        sums: list[Ball] = []
        for _ in range(n):
            sums.append((1 - sum(map(mul, others, reversed(sums)), ball(0))) / first)
        return [*accumulate(b * b for b in sums)]  # a power of a ball around 0 is no number

    return rows if matrix.coefficients[0] else None
