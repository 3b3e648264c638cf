"""Where an expression has a value: the conditions that a certified statement must meet on its whole domain.

A statement that is undefined somewhere in its domain is never CERTIFIED. Conditions are read off the expression (denominators,
logarithms, fractional powers, orders of divergences) and each is settled once for the domain, or box by box.
"""

from __future__ import annotations

from collections.abc import Iterable

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds import functions


def conditions_of(expression: sympy.Basic) -> list[Boolean]:
    """What must hold for every part of an expression to have a real value.

    >>> x = sympy.Symbol("x", real=True)
    >>> conditions_of(sympy.log(x) / (x - 1))
    [x > 0, Ne(x - 1, 0)]
    """
    found: dict[Boolean, None] = {}
    for node in sympy.postorder_traversal(expression):
        for condition in _conditions_of_node(node):
            if condition is not sympy.true:
                found[condition] = None
    return sorted(found, key=lambda c: (c.count_ops(), str(c)))


def _conditions_of_node(node: sympy.Basic) -> Iterable[Boolean]:
    if isinstance(node, sympy.Pow):
        base, exponent = node.args
        if base.is_positive or exponent.is_Integer and exponent.is_nonnegative:
            return
        if exponent.is_integer:
            if not exponent.is_nonnegative:
                yield sympy.Ne(base, 0)
        elif exponent.is_positive:
            yield base >= 0
        else:
            yield base > 0
    elif isinstance(node, (sympy.log, sympy.gamma, sympy.loggamma)):
        yield node.args[0] > 0
    elif isinstance(node, sympy.factorial):
        yield node.args[0] >= 0
    elif isinstance(node, functions.PrivacyQuantity):
        yield from (sympy.sympify(condition) for condition in node.conditions())


def unsettled(conditions: Iterable[Boolean], constraints: Iterable[Boolean]) -> list[Boolean]:
    """The conditions that do not follow from one premise (up to a positive factor) or from what the symbols assume.

    >>> x = sympy.Symbol("x", real=True)
    >>> unsettled([sympy.Ne(x - 1, 0), x > 2], [x > 1])
    [x > 2]
    """
    signs = [sign for constraint in constraints if (sign := _sign_of(constraint)) is not None]
    return [condition for condition in conditions if not any(_implies(sign, condition) for sign in signs)]


def _sign_of(constraint: Boolean) -> tuple[sympy.Expr, bool] | None:
    """A premise as (expression, strict): expression > 0 or expression >= 0."""
    if isinstance(constraint, (sympy.Gt, sympy.Ge)):
        return constraint.lhs - constraint.rhs, isinstance(constraint, sympy.Gt)
    if isinstance(constraint, (sympy.Lt, sympy.Le)):
        return constraint.rhs - constraint.lhs, isinstance(constraint, sympy.Lt)
    return None


def _implies(sign: tuple[sympy.Expr, bool], condition: Boolean) -> bool:
    """expression (>= or >) 0 implies the condition when the condition's expression exceeds it by a number of the right sign."""
    expression, strict = sign
    if isinstance(condition, sympy.Ne):
        difference = condition.lhs - condition.rhs
        return any(_exceeds(e, expression, strict, strictly=True) for e in (difference, -difference))
    wanted = _sign_of(condition)
    return wanted is not None and _exceeds(wanted[0], expression, strict, strictly=wanted[1])


def _exceeds(wanted: sympy.Expr, given: sympy.Expr, given_strict: bool, *, strictly: bool) -> bool:
    ratio = sympy.cancel(wanted / given) if given != 0 else sympy.S.Zero
    if ratio.is_number and ratio.is_positive:
        return given_strict or not strictly
    gap = sympy.expand(wanted - given)
    return bool(gap.is_number and (gap.is_positive or (gap.is_zero and (given_strict or not strictly))))
