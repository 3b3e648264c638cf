"""Untrusted: whether an inequality fails at some point, in floating point, so that no time goes to what is false."""

from __future__ import annotations

import itertools

import sympy

from dpbounds.descent.interval import Interval
from dpbounds.descent.problem import Problem

_MOST_POINTS, _CLOSE, _LEAST = 40, 1e-9, 1e-6
_PLAIN = (sympy.Add, sympy.Mul, sympy.Pow, sympy.exp, sympy.log)
_UP, _INSIDE = (1, 2.5, 7), (0.05, 0.4, 0.9)


def fails_somewhere(problem: Problem) -> bool:
    """Whether small > large at one of a few points of the domain; False where that is not seen."""
    sides = [problem.large, problem.small, *(side for premise in problem.premises for side in premise[:2])]
    plain = all(node.is_Atom or isinstance(node, _PLAIN) for side in sides for node in sympy.preorder_traversal(side))
    if problem.meanings or problem.nodes or not plain:
        return False
    names = sorted(problem.box)
    for values in itertools.islice(itertools.product(*(_values(problem.box[name]) for name in names)), _MOST_POINTS):
        point = dict(zip(names, values, strict=True))
        try:
            if all(_value(a, point) >= _value(b, point) for a, b, _ in problem.premises):
                large, small = _value(problem.large, point), _value(problem.small, point)
                if small > large + _CLOSE * max(abs(large), abs(small), _LEAST):  # equal sides differ by rounding
                    return True
        except (TypeError, ValueError, OverflowError, ZeroDivisionError):
            continue
    return False


def _values(own: Interval) -> tuple[float, ...]:
    """Some numbers of a range."""
    if own.low is not None and own.high is not None:
        low, high = float(own.low), float(own.high)
        return tuple(low + share * (high - low) for share in _INSIDE) if low < high else (low,)
    if own.low is not None:
        return tuple(float(own.low) + share for share in _UP)
    return tuple(float(own.high) - share for share in _UP) if own.high is not None else (-2.0, 0.5, 3.0)


def _value(expression: sympy.Expr, point: dict[str, float]) -> float:
    return float(expression.xreplace({s: sympy.Float(point[s.name]) for s in expression.free_symbols}).evalf())
