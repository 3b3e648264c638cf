"""Relative accuracy on demand: evaluate, look at the ball, raise the precision."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from dpbounds.errors import PrecisionError
from dpbounds.numbers.balls import ball, precision
from dpbounds.numbers.exact import Exact

ATTEMPTS = 7

Parameter = Exact | arb
"""An exact number, or a ball that is taken as it is."""


def as_ball(value: Parameter | int) -> arb:
    """A parameter as a ball at the precision that is set; sympy is imported for irrational numbers only.

    >>> as_ball(Fraction(1, 2)) == 0.5
    True
    """
    if isinstance(value, arb):
        return value
    if isinstance(value, (int, Fraction)):
        return ball(value)
    from flint import ctx

    from dpbounds.language.enclose import ball_of

    return ball_of(value, ctx.prec)


def relative(evaluate: Callable[[], arb], bits: int, guard: int = 40, attempts: int = ATTEMPTS) -> arb:
    """Evaluate at rising precision until the ball has `bits` relative bits; 0 and +∞ pass as they are.

    Args:
        evaluate: computes the quantity at the precision that is set.
        bits: relative accuracy, in bits.
        guard: working bits above `bits` in the first attempt; doubled each time.
        attempts: how often to try.

    Raises:
        PrecisionError: not reached; the message says what was.

    >>> relative(lambda: arb(2).sqrt() - ball(Fraction(14142135623, 10**10)), 60).rel_accuracy_bits() >= 60
    True
    """
    value = arb.nan()
    for _ in range(attempts):
        with precision(bits + guard):
            value = evaluate()
        if accurate(value, bits):
            return value
        guard = 2 * guard + 20
    reached = 0 if value.is_nan() else max(int(value.rel_accuracy_bits()), 0)
    raise PrecisionError(f"{bits} relative bits were asked for, {reached} were reached; ask for fewer digits")


def accurate(value: arb, bits: int) -> bool:
    """True for an exact ball, +∞ included, and for one with `bits` relative bits.

    >>> accurate(arb(3), 200), accurate(arb(3).sqrt(), 200)
    (True, False)
    """
    if value.is_nan():
        return False
    return bool(value.is_exact()) or value.rel_accuracy_bits() >= bits
