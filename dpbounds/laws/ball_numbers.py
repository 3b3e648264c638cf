"""Balls at the current precision as the arithmetic of a law."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dpbounds.numbers.balls import ball, working_bits
from dpbounds.numbers.exact import Exact


class BallNumbers:
    """Balls at the current precision."""

    def number(self, value: Exact | int) -> arb:
        """A ball around an exact number, irrational ones included."""
        from dpbounds.numbers.precise import as_ball  # the package asks its laws, so not at the top

        return as_ball(value)

    def exp(self, value: arb) -> arb:
        """A ball around e^value."""
        return value.exp()

    def expm1(self, value: arb) -> arb:
        """A ball around e^value − 1."""
        return value.expm1()

    def ln(self, value: arb) -> arb:
        """log value."""
        return value.log()

    def up_to(self, value: arb) -> arb:
        """The ball from 0 to the value."""
        return arb(0).union(value.upper())

    def log(self, value: Fraction) -> arb:
        """A ball around log value, with relative accuracy near 1.

        >>> BallNumbers().log(Fraction(1, 10**400)).is_finite()
        True
        """
        return ball(value - 1).log1p() if Fraction(1, 2) < value < 2 else ball(value).log()

    @property
    def bits(self) -> int:
        """The precision that is set, and a guard."""
        return working_bits() + 20


BALLS = BallNumbers()
