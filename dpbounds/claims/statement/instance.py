"""Statements at exact points: put numbers in, then decide each relation exactly or with a certified sign.

A relation between closed numbers is decided by balls of growing precision; a tie (an equality, in a premise or at the bound)
needs an exact symbolic step, never a small number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.claims.statement import zero
from dpbounds.claims.statement.assumptions import assumptions_of
from dpbounds.errors import DPBoundsError, LanguageError
from dpbounds.language import definedness, enclose, functions, losses, programs, substitution
from dpbounds.language.quantifiers import ForAll, assumes_more_than_a_start, least_index
from dpbounds.language.substitution import parts_of_and, substituted
from dpbounds.numbers import balls

Point = Mapping[Any, Any]
_BITS = (64, 128, 256, 512, 1024)
_FEW_BITS = 34
"""Tried before the others where there are quantities: few of their digits cost far less than many, and mostly decide."""
_MAX_TERMS = 10_000
_MOST_VALUES = 1000
"""Of a variable of a universal premise."""
_throughout: list[Callable[[ForAll, Point], bool | None]] = [lambda premise, point: None]
"""What decides a universal premise at a point; the last one that was registered."""


_extremes: list[Callable[[Any], bool | None]] = [lambda relation: None]
"""What decides a relation between an extremum and a number; the last one that was registered."""


def register_extremes(decider: Callable[[Any], bool | None]) -> None:
    """Name what decides relations of extrema that have no enclosure: it covers their range, and stands above this module."""
    _extremes.append(decider)


def register_throughout(decider: Callable[[ForAll, Point], bool | None]) -> None:
    """Name what decides universal premises: it covers a range with boxes, and stands above this module."""
    _throughout.append(decider)


class NoValue(DPBoundsError):
    """An expression that has no real value at a point: it decides nothing there."""


def instantiate(expression: Any, point: Point, *, whole: bool = False) -> Any:
    """Put exact numbers for variables and families into an expression or condition.

    Sums of symbolic length become finite sums, divergences of families become divergences of tables, a `Piecewise` becomes the branch
    that applies.

    Args:
        expression: the expression or condition.
        point: the numbers.
        whole: it is a side of a relation; then an extremum may be infinite, or have no enclosure.

    Raises:
        NoValue: a part is undefined at the point, or whether it is defined cannot be decided.

    >>> from dpbounds.language.symbols import family, index, positive_integer
    >>> i, n, p = index("i"), positive_integer("n"), family("p")
    >>> instantiate(sympy.Sum(p[i], (i, 1, n)), {n: 2, p: (sympy.Rational(1, 3), sympy.Rational(2, 3))})
    1
    """
    if isinstance(expression, sympy.Indexed):
        return _entry(expression, point)
    if isinstance(expression, sympy.Symbol):
        return sympy.sympify(point.get(expression, expression))
    if isinstance(expression, sympy.Piecewise):
        return _branch(expression, point)
    ranges = definedness.limits_of(expression)
    if ranges and not isinstance(expression, sympy.Integral):
        return _over_range(expression, ranges, point, whole=whole)
    if not expression.args:
        return expression
    outside = {key: value for key, value in point.items() if not any(key == bound for bound, *_ in ranges)}
    parts = [instantiate(part, outside) for part in expression.args] if not ranges else _limits_only(expression, outside)
    value = substitution.rebuilt(expression, parts)
    if losses.infinite_parts(value) < sum(map(losses.infinite_parts, parts)):
        value = expression.func(*parts, evaluate=False)  # ∞ − ∞ has no value
    if not value.free_symbols:
        if ranges:
            _require_value(expression, value, outside)
        needed: Iterable[Any] = () if ranges else definedness.conditions_of_node(expression.func, parts)
        if isinstance(expression, sympy.binomial) and not expression.args[1].is_Integer:
            # C(n, k) of a variable k has no value below 0, whatever number k is here.
            needed = [substitution.relation(sympy.Ge, part, 0) for part in parts]
        for condition in needed:
            if _closed_truth(condition) is not True:
                raise NoValue(f"{expression} has no value: it needs {condition}")
    return value


def _entry(expression: sympy.Indexed, point: Point) -> Any:
    position = instantiate(expression.indices[0], point)
    if expression.base not in point or not position.is_Integer:
        return expression
    values = point[expression.base]
    if not 1 <= position <= len(values):
        raise NoValue(f"{expression.base} has entries 1 to {len(values)}, not {position}")
    return sympy.sympify(values[int(position) - 1])


def _branch(expression: sympy.Piecewise, point: Point) -> Any:
    for branch in expression.args:
        applies = truth_at(branch.cond, point)
        if applies is None:
            break
        if applies:
            return instantiate(branch.expr, point)
    raise NoValue(f"no branch of {expression} surely applies")


def _over_range(expression: Any, ranges: list[tuple[Any, ...]], point: Point, *, whole: bool) -> Any:
    """A sum, or a quantity over a range, written out where the range is finite and discrete."""
    bound, *ends = ranges[0]
    low, high = (instantiate(end, point) for end in ends)
    discrete = isinstance(expression, sympy.Sum) or bound.is_integer
    if len(ranges) == 1 and discrete and low.is_Integer and high.is_Integer:
        if not -1 <= high - low <= _MAX_TERMS:
            raise NoValue(f"{expression} has {high - low + 1} terms")
        places = [{**point, bound: sympy.Integer(k)} for k in range(int(low), int(high) + 1)]
        if any(_closed_truth(substituted(c, {bound: place[bound]})) is False for place in places for c in assumptions_of(bound)):
            raise NoValue(f"{bound} takes values in {expression} that its own assumptions exclude")
        if isinstance(expression, sympy.Sum):
            return sympy.Add(*(instantiate(expression.function, place) for place in places))
        if isinstance(expression, functions.Divergence) and places:
            tables = [sympy.Tuple(*(instantiate(part, place) for place in places)) for part in expression.args[1:3]]
            return instantiate(type(expression)(expression.args[0], *tables), point)
    outside = {key: value for key, value in point.items() if key != bound}
    value = substituted(expression, {key: sympy.sympify(value) for key, value in outside.items() if isinstance(key, sympy.Symbol)})
    if not value.free_symbols:
        _require_value(expression, value, outside, whole=whole)
    return value


def _require_value(expression: Any, value: Any, point: Point, *, whole: bool = False) -> None:
    """Refuse a sum, an integral or a quantity over a range that may have no value.

    Where something has no value at an end of an integral, or an end is infinite, a finite enclosure shows that there is one: what is
    built of it may not need its value any more, as 0 times it.

    Raises:
        NoValue: what it needs does not hold throughout its range, or it may diverge.
    """
    shown = _needed_in(expression, value, point, between=True)
    for condition in shown:
        if _closed_truth(condition) is not True:
            raise NoValue(f"{expression} has no value: it needs {condition}")
    if whole and isinstance(expression, functions.Extremum):
        return
    ends = [end for _, *ends in definedness.limits_of(value) for end in ends]
    at_ends = (condition for condition in _needed_in(expression, value, point, between=False) if condition not in shown)
    at_risk = any(end.is_infinite for end in ends) or any(_closed_truth(condition) is not True for condition in at_ends)
    if at_risk and not _is_finite(value):
        raise NoValue(f"{expression} may diverge")


def _is_finite(value: Any) -> bool:
    """Whether the ball engine shows that a closed number is finite."""
    try:
        program = enclose.compile_expression(value, ())
    except LanguageError:
        return False
    for bits in (_FEW_BITS, *_BITS[:3]):
        with balls.precision(bits):
            if program([]).is_finite():
                return True
    return False


def _needed_in(expression: Any, value: Any, point: Point, *, between: bool) -> dict[Any, None]:
    """What must hold throughout a range: of 2·x/x, too, of which sympy makes 2 when numbers are put in."""
    numbers = {key: sympy.sympify(number) for key, number in point.items() if isinstance(key, sympy.Symbol)}
    stated = (substituted(condition, numbers) for condition in definedness.conditions_of(expression, between=between))
    return dict.fromkeys([*definedness.conditions_of(value, between=between), *(c for c in stated if not _is_plain(c))])


def _is_plain(condition: Any) -> bool:
    """Whether its form alone shows that a condition holds, throughout a range or at a point."""
    while isinstance(condition, ForAll):
        condition = condition.body
    if isinstance(condition, sympy.core.relational.Relational):
        condition = substitution.relation(type(condition), *condition.args)
    return condition is sympy.true


def _limits_only(expression: Any, outside: Point) -> list[Any]:
    """An integral: numbers go in, and what the integrand needs is left to the ball engine, which sees the whole range."""
    numbers = {key: sympy.sympify(value) for key, value in outside.items() if isinstance(key, sympy.Symbol)}
    return list(substituted(expression, numbers).args)


def elementary(condition: Any) -> Any:
    """A condition with its quantities replaced by their elementary formulas, where they have one."""
    if isinstance(condition, sympy.core.relational.Relational):
        return condition.func(*(functions.expand_quantities(side) for side in condition.args), evaluate=False)
    return substitution.rebuilt(condition, [elementary(part) for part in condition.args]) if condition.args else condition


def truth_at(condition: Boolean, point: Point) -> bool | None:
    """Decide a condition at an exact point: True or False when certain, None when it cannot be decided.

    >>> x = sympy.Symbol("x", real=True)
    >>> truth_at(sympy.exp(x) > 1 + x, {x: 1}), truth_at(sympy.log(x) <= 0, {x: 1})
    (True, True)
    """
    if isinstance(condition, sympy.And):
        return programs.both(*(truth_at(part, point) for part in condition.args))
    if isinstance(condition, sympy.Or):
        return programs.either(*(truth_at(part, point) for part in condition.args))
    if isinstance(condition, sympy.Not):
        return programs.negated(truth_at(condition.args[0], point))
    if isinstance(condition, sympy.Implies):
        return programs.either(programs.negated(truth_at(condition.args[0], point)), truth_at(condition.args[1], point))
    if condition in (sympy.true, sympy.false):
        return bool(condition)
    if isinstance(condition, ForAll):
        return _throughout[-1](condition, point)
    if not isinstance(condition, sympy.core.relational.Relational):
        raise LanguageError(f"{type(condition).__name__} is not part of the claim language: {condition}")
    try:
        sides = tuple(instantiate(side, point, whole=True) for side in condition.args)
    except NoValue:
        return None
    return decide(type(condition), *sides)


def integers_of(premise: ForAll, point: Point) -> list[sympy.Integer] | None:
    """The values of an integer variable between two numbers; None for any other range."""
    variable = premise.variable
    if not variable.is_integer or assumes_more_than_a_start(variable):
        return None
    lows: list[float] = [least_index(variable)]
    highs: list[int] = []
    for part in parts_of_and(premise.condition):
        if not isinstance(part, (sympy.Ge, sympy.Le)) or part.lhs != variable or variable in part.rhs.free_symbols:
            return None
        end = instantiate(part.rhs, point)
        if not end.is_Integer:
            return None
        (lows if isinstance(part, sympy.Ge) else highs).append(int(end))
    if not highs or not -math.inf < min(highs) - max(lows) <= _MOST_VALUES:
        return None
    return [sympy.Integer(k) for k in range(int(max(lows)), min(highs) + 1)]


def _closed_truth(condition: Any) -> bool | None:
    """A condition without variables, decided exactly or with a certified sign."""
    if isinstance(condition, sympy.core.relational.Relational):
        return decide(type(condition), *condition.args)
    if isinstance(condition, ForAll):
        return truth_at(condition, {})
    with balls.precision(_BITS[1]):
        truth: bool | None = enclose.compile_expression(condition, ())([])
    return truth


def decide(relation: type, left: sympy.Expr, right: sympy.Expr) -> bool | None:
    """Decide a relation between two closed numbers; undefined sides decide nothing."""
    extrema = [side for side in (left, right) if isinstance(side, functions.Extremum)]
    unbounded = any(end.is_infinite for node in extrema for end in node.args[1][1:])
    truth = None if unbounded else _decided(relation, left, right)
    return _extremes[-1](relation(left, right, evaluate=False)) if truth is None and extrema else truth


def _decided(relation: type, left: sympy.Expr, right: sympy.Expr) -> bool | None:
    if any(side.has(sympy.nan, sympy.zoo, sympy.I) for side in (left, right)):
        return None
    if left.is_Rational and right.is_Rational:
        return bool(relation(left, right))
    compiled = [enclose.compile_expression(side, ()) for side in (left, right)]
    costly = left.has(functions.PrivacyQuantity) or right.has(functions.PrivacyQuantity)
    for bits in (_FEW_BITS, *_BITS) if costly else _BITS:
        with balls.precision(bits):
            values = [program([]) for program in compiled]
            truth = enclose.compare(relation, *values)
        if truth is not None:
            return truth
        if any(value.is_nan() for value in values) and bits >= 256:
            return None
    if not exactly_equal(left, right):
        return None
    return relation in (sympy.Le, sympy.Ge, sympy.Eq)


def exactly_equal(left: sympy.Expr, right: sympy.Expr) -> bool:
    """True when exact polynomial arithmetic shows that two closed numbers coincide: the step that a tie needs.

    >>> exactly_equal(sympy.log(8), 3 * sympy.log(2))
    True
    """
    return zero.is_zero(sympy.Add(functions.expand_quantities(left), -functions.expand_quantities(right)))
