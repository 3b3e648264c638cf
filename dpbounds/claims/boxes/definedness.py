"""Whether the conditions for a value follow from what is given."""

from __future__ import annotations

from collections.abc import Iterable

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.claims.statement import zero
from dpbounds.language.substitution import is_positive


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
    if wanted.has(sympy.nan) or given.has(sympy.nan):
        return False
    try:
        ratio = sympy.cancel(wanted / given) if given != 0 else sympy.S.Zero
    except ArithmeticError:  # sympy asks for a rounding that its digits do not show
        ratio = sympy.S.Zero
    # A number, or positive by the assumptions of its symbols; that it is the ratio is shown, not believed.
    if (is_positive(ratio) or zero.sign_of(ratio) > 0) and zero.is_equal(wanted, ratio * given):
        return given_strict or not strictly
    gap = zero.multiplied_out(wanted - given)
    return zero.sign_of(gap) > 0 or (gap == 0 and (given_strict or not strictly))
