"""Where an expression has a value: the conditions that a certified statement must meet on its whole domain.

A statement that is undefined somewhere in its domain is never CERTIFIED. Conditions are read off the expression (denominators,
logarithms, fractional powers, orders of divergences) and each is settled once for the domain, or box by box.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.language import functions
from dpbounds.language.binders import conditions_of_range
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.substitution import is_positive, junction, negation, relation


def conditions_of(expression: sympy.Basic, *, between: bool = False) -> list[Boolean]:
    """What must hold for every part of an expression to have a real value.

    A branch of a `Piecewise` must be defined where it applies; the terms of a sum or an integrand, on the whole range.

    Args:
        expression: the expression.
        between: leave out the ends of the ranges of integrals, which is enough where an enclosure of the integral is known.

    >>> x = sympy.Symbol("x", real=True)
    >>> conditions_of(sympy.log(x) / (x - 1))
    [x > 0, Ne(x - 1, 0)]
    >>> conditions_of(sympy.Piecewise((x, x > 0)))
    [x > 0]
    """
    return sorted(unsorted_conditions_of(expression, between=between), key=lambda c: (len(str(c)), str(c)))


def unsorted_conditions_of(expression: sympy.Basic, *, between: bool = False) -> list[Boolean]:
    """The same conditions in the order in which they are met: to sort them, sympy writes each as text.

    >>> x = sympy.Symbol("x", real=True)
    >>> unsorted_conditions_of(sympy.log(x))
    [x > 0]
    """
    return list(dict.fromkeys(condition for condition in _walk(expression, between) if condition is not sympy.true))


def _walk(node: sympy.Basic, between: bool) -> Iterator[Boolean]:
    if isinstance(node, sympy.Piecewise):
        yield from _piecewise(node, between)
        return
    ranges = limits_of(node)
    integral = isinstance(node, sympy.Integral)
    for part in node.args:
        for condition in _walk(part, between):
            inside = between and integral or isinstance(node, functions.Extremum)
            yield _throughout(condition, ranges, either_way=integral, inside=inside)
    for condition in conditions_of_node(type(node), node.args):
        yield _throughout(condition, ranges, inside=isinstance(node, functions.Extremum))
    if isinstance(node, functions.Divergence) and ranges and all(end.is_finite for end in ranges[0][1:]):
        yield from _walk(node.definition(), between)


def conditions_of_quantities(node: sympy.Basic) -> Iterator[Boolean]:
    """What the quantities in a statement ask for themselves: an order above 1, masses that are not negative, ranges that suit.

    >>> x = sympy.Symbol("x", real=True)
    >>> list(conditions_of_quantities(functions.GaussianRenyi(2, x) <= 1))
    [x > 0]
    """
    ranges = limits_of(node)
    for condition in (condition for part in node.args for condition in conditions_of_quantities(part)):
        if isinstance(node, ForAll) and node.variable in condition.free_symbols:
            condition = ForAll(node.variable, node.condition, condition)
        yield _throughout(condition, ranges)
    if isinstance(node, (functions.PrivacyQuantity, sympy.Sum, sympy.Integral)):
        for condition in conditions_of_node(type(node), node.args):
            if condition is not sympy.true:
                yield _throughout(condition, ranges)


def _piecewise(node: sympy.Piecewise, between: bool) -> Iterator[Boolean]:
    earlier: list[Boolean] = []
    for branch in node.args:
        yield from (junction(sympy.Or, [*earlier, condition]) for condition in _walk(branch.cond, between))
        yield from (junction(sympy.Or, [*earlier, negation(branch.cond), condition]) for condition in _walk(branch.expr, between))
        earlier.append(branch.cond)
    yield junction(sympy.Or, earlier)


def _throughout(condition: Boolean, ranges: list[tuple[Any, ...]], *, either_way: bool = False, inside: bool = False) -> Boolean:
    """The condition for every value of the bound variables, or for those inside of the ends, as for an extremum; an integral may run from
    the larger end to the smaller one."""
    for bound, low, high in ranges:
        if bound in condition.free_symbols:
            ordered = not either_way or high is sympy.oo or low is sympy.S.NegativeInfinity or is_positive(high - low)
            low, high = (low, high) if ordered else (sympy.Min(low, high, evaluate=False), sympy.Max(low, high, evaluate=False))
            kinds = (sympy.Gt, sympy.Lt) if inside else (sympy.Ge, sympy.Le)
            within = (kind(bound, end, evaluate=False) for kind, end in zip(kinds, (low, high), strict=True))
            condition = ForAll(bound, sympy.And(*within, evaluate=False), condition)
    return condition


def limits_of(node: Any) -> list[tuple[Any, ...]]:
    """The (bound symbol, low, high) of a sum, an integral, or a quantity over a range; empty for any other node."""
    if isinstance(node, (sympy.Sum, sympy.Integral)):
        return [tuple(limit) for limit in node.limits if len(limit) == 3]
    if isinstance(node, functions.PrivacyQuantity) and getattr(node, "bound_symbols", None):
        return [tuple(node.args[-1])]
    return []


def kind_of_range(node: Any) -> str:
    """What the values of a range are to a node, as `binders.asked_of_range` has it."""
    if isinstance(node, functions.Extremum):
        return "extremum"
    whole = isinstance(node, sympy.Sum) or isinstance(node, functions.Divergence) and node.args[3][0].is_integer
    return "sum" if whole else "integral"


def conditions_of_node(kind: type, args: Sequence[Any]) -> Iterator[Boolean]:
    """What the arguments of one node must satisfy; `sympy.true` where their assumptions settle it."""
    if issubclass(kind, sympy.Pow):
        base, exponent = args
        if is_positive(base) or exponent.is_Integer and exponent.is_nonnegative:
            return
        if exponent.is_integer:
            if not exponent.is_nonnegative:
                yield relation(sympy.Ne, base, 0)
        elif is_positive(exponent):
            yield _above(base)
        else:
            yield _above(base, strictly=True)
    elif issubclass(kind, (sympy.log, sympy.gamma, sympy.loggamma)):
        yield _above(args[0], strictly=True)
    elif issubclass(kind, sympy.Mod):
        yield relation(sympy.Ne, args[1], 0)
    elif issubclass(kind, sympy.factorial):
        yield _above(args[0])
    elif issubclass(kind, sympy.binomial):
        if not args[1].is_Integer:
            yield from (_above(args[0]), _above(args[1]))
    elif issubclass(kind, (sympy.Sum, sympy.Integral)):
        for limit in args[1:]:
            if len(limit) == 3:
                yield from conditions_of_range("sum" if issubclass(kind, sympy.Sum) else "integral", *limit)
                if issubclass(kind, sympy.Sum):
                    yield _forward(*limit[1:])
    elif issubclass(kind, functions.PrivacyQuantity):
        yield from _needs_of(kind(*args))


def _forward(low: sympy.Expr, high: sympy.Expr) -> Boolean:
    """A sum may be empty; it has no value where it ends more than one below its start."""
    room = high + 1 - low
    if room.is_nonnegative or room.is_infinite and room.is_extended_positive:
        return sympy.true
    return sympy.false if room.is_negative else relation(sympy.Le, low, high + 1)


def _needs_of(quantity: functions.PrivacyQuantity) -> Iterator[Boolean]:
    """What a quantity asks for itself, and that its parameters are finite; Φ alone has a value at infinity."""
    if not isinstance(quantity, functions.NormalCDF) and any(part.is_infinite for part in quantity.args if isinstance(part, sympy.Expr)):
        yield sympy.false
    yield from map(sympy.sympify, quantity.conditions())


def _above(part: sympy.Expr, *, strictly: bool = False) -> Boolean:
    """part >= 0 or part > 0; false of what sympy knows to be no real number, such as the root of a negative symbol."""
    if part.is_extended_real is False:
        return sympy.false
    return relation(sympy.Gt if strictly else sympy.Ge, part, 0)
