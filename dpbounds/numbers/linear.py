"""Linear equations in fractions, solved by FLINT."""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq, fmpq_mat


def solved(left: list[list[Fraction]], right: list[list[Fraction]]) -> list[list[Fraction]] | None:
    """The matrix X with left·X = right, exact; None where `left` has no inverse.

    Args:
        left: square, by rows. right: as many rows.

    >>> solved([[Fraction(2)]], [[Fraction(1), Fraction(3)]])
    [[Fraction(1, 2), Fraction(3, 2)]]
    """
    a, b = (fmpq_mat([[fmpq(x.numerator, x.denominator) for x in row] for row in rows]) for rows in (left, right))
    try:
        return [[Fraction(int(x.p), int(x.q)) for x in row] for row in a.solve(b).tolist()]
    except ZeroDivisionError:
        return None
