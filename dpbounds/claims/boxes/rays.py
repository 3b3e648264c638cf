"""Intervals with infinite ends, for the boxes of an unbounded domain that reach to infinity (balls have no such thing).

An interval is a pair of exact balls (low, high), low < ∞ and high > −∞; it contains the value of an expression at every point of
the box at which the expression is defined. Ends are rounded outward. At an infinite end 0·∞ is 0: the ends of a product of intervals of
real numbers are limits of products of real numbers, and those with a factor 0 are 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.language import functions
from dpbounds.numbers import balls
from dpbounds.numbers.balls import Ball

Ends = tuple[Ball, Ball]
_INFINITY, _MINUS = Ball.pos_inf(), Ball.neg_inf()


class Unknown(Exception):
    """A construct without such an arithmetic here, or a value that may be undefined."""


def ends_of(low: Fraction | float, high: Fraction | float) -> Ends:
    """A side of a box, infinite ends given as floats."""
    return (
        balls.ball(low).lower() if isinstance(low, Fraction | int) else _MINUS,
        balls.ball(high).upper() if isinstance(high, Fraction | int) else _INFINITY,
    )


def value(expression: Any, box: Mapping[sympy.Symbol, Ends]) -> Ends:
    """The ends of an expression over a box, each an exact number or ±∞.

    Raises:
        Unknown: a construct outside of arithmetic, powers, exp, log, erf, erfc, Φ, tanh, sinh, Abs, Min and Max, or nothing is known.

    >>> x = sympy.Symbol("x", real=True)
    >>> low, high = value(sympy.exp(-x) + 1, {x: ends_of(Fraction(3), float("inf"))})
    >>> bool(low <= 1), bool(high < 2)
    (True, True)
    """
    low, high = _ends(expression, box)
    return _down(low), _up(high)


def _ends(expression: Any, box: Mapping[sympy.Symbol, Ends]) -> Ends:
    if expression in box:
        return box[expression]
    if expression.is_Rational:
        exact = balls.ball(Fraction(int(expression.p), int(expression.q)))
        return exact.lower(), exact.upper()
    if expression in (sympy.pi, sympy.E):
        exact = Ball.pi() if expression is sympy.pi else Ball.const_e()
        return exact.lower(), exact.upper()
    if isinstance(expression, functions.PrivacyQuantity) and not isinstance(expression, functions.NormalCDF):
        meaning = expression.elementary()
        if meaning is None:
            raise Unknown(type(expression).__name__)
        return value(meaning, box)
    if expression.is_Pow:
        return _power(expression, box)
    parts = [value(part, box) for part in expression.args]
    if expression.is_Add and parts:
        return _sum(parts)
    if expression.is_Mul and parts:
        total = parts[0]
        for part in parts[1:]:
            total = _product(total, part)
        return total
    if isinstance(expression, (sympy.Min, sympy.Max)):
        choose = _least if isinstance(expression, sympy.Min) else _largest
        return choose([low for low, _ in parts]), choose([high for _, high in parts])
    if isinstance(expression, sympy.Abs):
        return _absolute(parts[0])
    if isinstance(expression, sympy.log):
        return _log(parts[0])
    for kind, (function, at_minus, at_plus) in _RISING.items():
        if isinstance(expression, kind):
            return _monotone(function, at_minus, at_plus, parts[0])
    if isinstance(expression, sympy.erfc):
        low, high = _monotone(*_RISING[sympy.erf], parts[0])
        return _down(1 - high), _up(1 - low)
    raise Unknown(f"{type(expression).__name__}: {expression}")


def truth(condition: Any, box: Mapping[sympy.Symbol, Ends]) -> bool | None:
    """Decide a condition on a whole box: True, False, or None."""
    if condition in (sympy.true, sympy.false):
        return bool(condition)
    if isinstance(condition, (sympy.And, sympy.Or)):
        truths = [truth(part, box) for part in condition.args]
        decisive = isinstance(condition, sympy.Or)
        return decisive if decisive in truths else (None if None in truths else not decisive)
    if not isinstance(condition, sympy.core.relational.Relational):
        return None
    try:
        low, high = value(condition.lhs - condition.rhs, box)
    except Unknown:
        return None
    if isinstance(condition, (sympy.Ge, sympy.Gt)):
        low, high = -high, -low
    if isinstance(condition, (sympy.Le, sympy.Ge)):
        return True if high <= 0 else (False if low > 0 else None)
    if isinstance(condition, (sympy.Lt, sympy.Gt)):
        return True if high < 0 else (False if low >= 0 else None)
    apart = bool(low > 0 or high < 0)
    return (not isinstance(condition, sympy.Eq)) if apart else None


def _least(ends: Sequence[Ball]) -> Ball:
    best = ends[0]
    for end in ends[1:]:
        best = end if end < best else best
    return best


def _largest(ends: Sequence[Ball]) -> Ball:
    return -_least([-end for end in ends])


def _sum(parts: Sequence[Ends]) -> Ends:
    low, high = Ball(0), Ball(0)
    for first, last in parts:
        low = _MINUS if not (low.is_finite() and first.is_finite()) else _down(low + first)
        high = _INFINITY if not (high.is_finite() and last.is_finite()) else _up(high + last)
    return low, high


def _times(left: Ball, right: Ball) -> Ball:
    if left == 0 or right == 0:
        return Ball(0)
    if left.is_finite() and right.is_finite():
        return left * right
    if not all(end.is_exact() for end in (left, right)):
        raise Unknown("a product of ends of which one is not known")
    return _INFINITY if (left > 0) == (right > 0) else _MINUS


def _product(left: Ends, right: Ends) -> Ends:
    corners = [_times(a, b) for a in left for b in right]
    return _least([_down(c) for c in corners]), _largest([_up(c) for c in corners])


def _down(end: Ball) -> Ball:
    """The end rounded down. Every end passes here or through `_up`: it is exact, or ±∞.

    A ball without finite ends that is neither infinity says nothing: Arb returns one where an exponential overflows.

    Raises:
        Unknown: such a ball, or NaN.
    """
    return _exact(end.lower() if end.is_finite() else end)


def _up(end: Ball) -> Ball:
    """The end rounded up; see `_down`."""
    return _exact(end.upper() if end.is_finite() else end)


def _exact(end: Ball) -> Ball:
    if not end.is_exact():
        raise Unknown("a value beyond the range of balls")
    return end


def _absolute(part: Ends) -> Ends:
    low, high = part
    if low >= 0:
        return part
    if high <= 0:
        return -high, -low
    return Ball(0), _largest([-low, high])


def _reciprocal(part: Ends) -> Ends:
    """1/x where x ≠ 0: from an end 0 the values run to infinity."""
    low, high = part
    if low < 0 < high or (low == 0 and high == 0):
        raise Unknown("division by an interval around 0")
    if high <= 0:
        first, last = _reciprocal((-high, -low))
        return -last, -first
    return Ball(0) if not high.is_finite() else _down(1 / high), _INFINITY if low == 0 else _up(1 / low)


def _whole_power(part: Ends, exponent: int) -> Ends:
    if exponent < 0:
        return _reciprocal(_whole_power(part, -exponent))
    if exponent == 0:
        return Ball(1), Ball(1)
    low, high = _absolute(part) if exponent % 2 == 0 else part
    return _down(_raised(low, exponent)), _up(_raised(high, exponent))


def _raised(end: Ball, exponent: int) -> Ball:
    if end.is_finite():
        return end**exponent
    return end if exponent % 2 else _INFINITY


def _power(node: sympy.Pow, box: Mapping[sympy.Symbol, Ends]) -> Ends:
    base = value(node.base, box)
    if node.exp.is_Integer:
        return _whole_power(base, int(node.exp))
    exponent = value(node.exp, box)
    if not base[0] >= 0 or (base[0] == 0 and not exponent[0] > 0):
        raise Unknown(f"a power of {node.base}")
    low, high = _monotone(*_RISING[sympy.exp], _product(exponent, _log(base)))
    return (Ball(0) if base[0] == 0 else low), high


def _log(part: Ends) -> Ends:
    low, high = part
    if not low >= 0:
        raise Unknown("the logarithm of an interval that reaches below 0")
    return (_MINUS if low == 0 else _down(low.log() if low.is_finite() else low)), (
        _MINUS if high == 0 else _up(high.log() if high.is_finite() else high)
    )


def _monotone(function: Callable[[Ball], Ball], at_minus: Ball, at_plus: Ball, part: Ends) -> Ends:
    def value_at(end: Ball) -> Ball:
        return function(end) if end.is_finite() else (at_plus if end > 0 else at_minus)

    return _down(value_at(part[0])), _up(value_at(part[1]))


_RISING: dict[type, tuple[Callable[[Ball], Ball], Ball, Ball]] = {
    sympy.exp: (lambda end: end.exp(), Ball(0), _INFINITY),
    sympy.erf: (lambda end: end.erf(), Ball(-1), Ball(1)),
    sympy.tanh: (lambda end: end.tanh(), Ball(-1), Ball(1)),
    sympy.sinh: (lambda end: end.sinh(), _MINUS, _INFINITY),
    functions.NormalCDF: (lambda end: (-end / Ball(2).sqrt()).erfc() / 2, Ball(0), Ball(1)),
}
