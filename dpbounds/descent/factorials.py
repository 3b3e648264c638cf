"""Statements in which factorials may be any positive numbers: a^n/n! ≤ 2·a^n/n! holds whatever n! is.

z! is read as a positive number F once z > −1 is shown, and what differs from z by a whole number m has the factorial F·(z + 1)⋯(z + m). So
are binomial coefficients. What holds for every F > 0, and for all values of the variables, holds where F = z!. On a closed face a factorial
of a whole number is that number: the gap there is the limit of the gap on the open box for this F, as the gap is continuous in the other
variables for each F.
"""

from __future__ import annotations

from dataclasses import fields

from dpbounds.descent.induction import SumReader
from dpbounds.descent.polynomials import Quotient
from dpbounds.descent.problem import Problem, gap_of
from dpbounds.descent.refusal import need
from dpbounds.descent.tower import Tower


class WithFactorials(Problem):
    """A problem for all positive numbers in the place of factorials."""

    def free(self) -> tuple[Tower, Quotient, tuple[Quotient, ...]]:
        """The gap and the premises over a free tower."""
        tower = Tower()
        reader = SumReader(tower, self.ranges, self.meanings, self.nodes)
        reader.factorials = []
        return tower, gap_of(reader, self.large, self.small), tuple(gap_of(reader, *premise[:2]) for premise in self.premises)


def with_factorials(problem: Problem) -> WithFactorials:
    """The problem with any positive numbers in the place of factorials.

    Raises:
        Refused: another kind of problem, or a name that is taken.
    """
    need(type(problem) is Problem and not any(" " in name for name in problem.box), "not an inequality with factorials")
    return WithFactorials(**{field.name: getattr(problem, field.name) for field in fields(Problem)})
