"""Statements at exact points: put numbers in, then decide each relation exactly or with a certified sign.

A relation between closed numbers is decided by balls of growing precision; a tie (an equality, in a premise or at the bound)
needs an exact symbolic step, never a small number.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds import balls, enclose, functions
from dpbounds.errors import LanguageError
from dpbounds.quantifiers import ForAll

Point = Mapping[Any, Any]
_BITS = (64, 128, 256, 512, 1024)


def instantiate(expression: Any, point: Point) -> Any:
    """Put exact numbers for variables and families into an expression or condition.

    Sums of symbolic length become finite sums, divergences of families become divergences of tables.

    >>> from dpbounds.symbols import family, index, positive_integer
    >>> i, n, p = index("i"), positive_integer("n"), family("p")
    >>> instantiate(sympy.Sum(p[i], (i, 1, n)), {n: 2, p: (sympy.Rational(1, 3), sympy.Rational(2, 3))})
    1
    """
    if isinstance(expression, sympy.Indexed):
        position = instantiate(expression.indices[0], point)
        if expression.base in point and position.is_Integer:
            return sympy.sympify(point[expression.base][int(position) - 1])
        return expression
    if isinstance(expression, sympy.Symbol):
        return sympy.sympify(point.get(expression, expression))
    if isinstance(expression, sympy.Sum) or (isinstance(expression, functions._Divergence) and not expression.is_table):
        over = expression.limits[0] if isinstance(expression, sympy.Sum) else expression.args[3]
        low, high = instantiate(over[1], point), instantiate(over[2], point)
        if over[0].is_integer and low.is_Integer and high.is_Integer:
            places = [{**point, over[0]: sympy.Integer(k)} for k in range(int(low), int(high) + 1)]
            if isinstance(expression, sympy.Sum):
                return sympy.Add(*(instantiate(expression.function, place) for place in places))
            tables = [sympy.Tuple(*(instantiate(part, place) for place in places)) for part in expression.args[1:3]]
            return type(expression)(instantiate(expression.args[0], point), *tables)
        inner = {key: value for key, value in point.items() if key != over[0]}
        return expression.xreplace({key: sympy.sympify(value) for key, value in inner.items() if isinstance(key, sympy.Symbol)})
    if not expression.args:
        return expression
    return expression.func(*(instantiate(part, point) for part in expression.args))


def truth_at(condition: Boolean, point: Point) -> bool | None:
    """Decide a condition at an exact point: True or False when certain, None when it cannot be decided.

    >>> x = sympy.Symbol("x", real=True)
    >>> truth_at(sympy.exp(x) > 1 + x, {x: 1}), truth_at(sympy.log(x) <= 0, {x: 1})
    (True, True)
    """
    if isinstance(condition, sympy.And):
        return enclose._both(*(truth_at(part, point) for part in condition.args))
    if isinstance(condition, sympy.Or):
        return enclose._either(*(truth_at(part, point) for part in condition.args))
    if isinstance(condition, sympy.Not):
        return enclose._negate(truth_at(condition.args[0], point))
    if isinstance(condition, sympy.Implies):
        return enclose._either(enclose._negate(truth_at(condition.args[0], point)), truth_at(condition.args[1], point))
    if condition in (sympy.true, sympy.false):
        return bool(condition)
    if isinstance(condition, ForAll):
        from dpbounds.claims.quantified import holds_at

        return holds_at(condition, point)
    if not isinstance(condition, sympy.core.relational.Relational):
        raise LanguageError(f"{type(condition).__name__} is not part of the claim language: {condition}")
    sides = tuple(instantiate(side, point) for side in condition.args)
    return decide(type(condition), *sides)


def decide(relation: type, left: sympy.Expr, right: sympy.Expr) -> bool | None:
    """Decide a relation between two closed numbers; undefined sides decide nothing."""
    if left is sympy.nan or right is sympy.nan or left is sympy.zoo or right is sympy.zoo:
        return None
    if left.is_Rational and right.is_Rational:
        return bool(relation(left, right))
    programs = [enclose.compile_expression(side, ()) for side in (left, right)]
    for bits in _BITS:
        with balls.precision(bits):
            values = [program([]) for program in programs]
            truth = enclose.compare(relation, *values)
        if truth is not None:
            return truth
        if any(value.is_nan() for value in values) and bits >= 256:
            return None
    if not exactly_equal(left, right):
        return None
    return relation in (sympy.Le, sympy.Ge, sympy.Eq)


def exactly_equal(left: sympy.Expr, right: sympy.Expr) -> bool:
    """True when sympy shows that two closed numbers coincide: the exact step that a tie needs.

    >>> exactly_equal(sympy.log(8), 3 * sympy.log(2))
    True
    """
    difference = functions.expand_quantities(left) - functions.expand_quantities(right)
    if difference.has(sympy.Integral, sympy.nan, sympy.zoo) or difference.is_finite is False:
        return False
    for simplify in (
        lambda e: e,
        sympy.expand,
        lambda e: sympy.expand(sympy.expand_log(e, force=False)),
        sympy.radsimp,
        lambda e: sympy.simplify(sympy.powsimp(e, force=False)),
        lambda e: sympy.simplify(sympy.logcombine(e, force=False)),
    ):
        if simplify(difference) == 0:
            return True
    return False


def is_defined_at(expression: Any, point: Point) -> bool:
    """True when the expression certainly has a value in [−∞, ∞] at the point."""
    value = instantiate(expression, point)
    with balls.precision(128):
        return not enclose.compile_expression(value, ())([]).is_nan()
