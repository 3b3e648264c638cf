"""Prefix-sum error of a matrix mechanism, beside its sensitivity: C⁻¹(Cx + Z) adds C⁻¹Z to x, and sums of it to the prefix sums.

With A the lower triangle of ones and B = A C⁻¹, noise N(0, σ²) on Cx puts the variance σ² Σ_j B_ij² on the i-th prefix sum. At
the noise multiplier 1, σ is the sensitivity. The mean is over the steps, the largest is that of the worst step.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from itertools import accumulate
from operator import mul

from dpbounds.matrix.read import Matrix
from dpbounds.matrix.sensitivity import Sensitivity
from dpbounds.numbers.balls import Ball, Enclosure, ball
from dpbounds.numbers.linear import solved
from dpbounds.numbers.to_digits import certified


def prefix_errors(matrix: Matrix, sensitivity: Sensitivity, digits: int = 10) -> tuple[Enclosure, Enclosure] | None:
    """Mean and largest variance of a prefix sum at noise multiplier 1, sensitivity included; None where C has no inverse or is not exact.

    >>> from dpbounds.matrix.read import read_matrix
    >>> from dpbounds.matrix.sensitivity import sensitivity_of
    >>> identity = read_matrix("1", 4)
    >>> mean, most = prefix_errors(identity, sensitivity_of(identity, 4, 1))
    >>> mean.lower_decimal(3), most.contains(4)
    ('2.5', True)
    """
    if matrix.error or matrix.leaves or (rows := _toeplitz_rows(matrix) if matrix.coefficients else _dense_rows(matrix)) is None:
        return None  # a tree is not square

    def enclosed(pick: Callable[[list[Ball]], Ball]) -> Enclosure:
        ends = sensitivity.lower_squared, sensitivity.upper_squared
        low, high = (certified(lambda square=square: pick(rows()) * ball(square), digits) for square in ends)  # type: ignore[misc]
        return Enclosure.between(low.low, high.high)

    return enclosed(lambda found: sum(found, ball(0)) / len(found)), enclosed(lambda found: reduce(Ball.max, found))


def _toeplitz_rows(matrix: Matrix) -> Callable[[], list[Ball]] | None:
    """Σ_{j≤i} b_j², where Σ_j c_j b_{i−j} = 1 for all i: b are the prefix sums of the series 1/C."""

    def rows() -> list[Ball]:
        first, *others = map(ball, matrix.coefficients[: matrix.bandwidth()])
        sums: list[Ball] = []
        for _ in range(matrix.steps):
            sums.append((1 - sum(map(mul, others, reversed(sums)), ball(0))) / first)
        return [*accumulate(b * b for b in sums)]  # a power of a ball around 0 is no number

    return rows if matrix.coefficients[0] else None


def _dense_rows(matrix: Matrix) -> Callable[[], list[Ball]] | None:
    """Rows of B from CᵀBᵀ = Aᵀ, in fractions."""
    n = matrix.steps
    triangle = [[Fraction(i >= j) for i in range(n)] for j in range(n)]
    if (columns := solved([list(column) for column in zip(*matrix.rows, strict=True)], triangle)) is None:
        return None
    squares = [sum((column[i] ** 2 for column in columns), Fraction(0)) for i in range(n)]
    return lambda: [ball(square) for square in squares]
