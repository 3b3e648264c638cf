"""Whether sympy's evaluation hides where an expression has no value: it makes 1 of x/x, and x of exp(log(x)).

A statement has no value where a part of it has none, so an evaluated form may stand for a typed one only if it asks for as much.
Nor has ∞ − ∞ a value: 2·D − D is not D where a divergence D may be infinite.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import sympy
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from dpbounds.language.definedness import unsorted_conditions_of
from dpbounds.language.functions import Divergence, Extremum
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.substitution import extremum, has_sign_to_sample, is_positive, junction, relation

_INFINITE = (Divergence, Extremum, sympy.Integral)


def hides_conditions(kept: Any, made: Any) -> bool:
    """Whether the typed form needs something for its value that its evaluated form does not ask for, or has more of what may be infinite.

    A condition counts as asked for if it is one of `made`, follows from one by a factor of known sign, or from signs of symbols.

    >>> x, y = sympy.Symbol("x", real=True), sympy.Symbol("y", positive=True)
    >>> ratio = sympy.Mul(x, sympy.Pow(x, -1), evaluate=False)
    >>> hides_conditions(ratio, x / x), hides_conditions(ratio.subs(x, y), sympy.S.One)
    (True, False)
    """
    if kept == made:
        return False
    if infinite_parts(made) < infinite_parts(kept):
        return True
    needed = unsorted_conditions_of(kept)
    asked = [_evaluated(condition) for condition in unsorted_conditions_of(made)] if needed else []
    return not all(_is_asked(_evaluated(condition), asked) for condition in needed)


def infinite_parts(e: Any) -> int:
    """How often a divergence, an integral, an extremum or a series, which may be infinite, stands in an expression."""
    if not e.has(*_INFINITE, sympy.Sum):
        return 0
    return sum(_may_be_infinite(part) for part in sympy.preorder_traversal(e))


def _may_be_infinite(part: Any) -> bool:
    """An integral with both ends is finite if its integrand has a value everywhere between them, and at them."""
    if isinstance(part, (sympy.Sum, sympy.Integral)) and not any(end.is_infinite for limit in part.limits for end in limit[1:]):
        return isinstance(part, sympy.Integral) and bool(unsorted_conditions_of(part.function))
    return isinstance(part, (*_INFINITE, sympy.Sum))


def cancels_infinite_parts(large: Any, small: Any, *, strict: bool) -> bool:
    """Whether large − small, as sympy evaluates it, has lost a part that may be infinite, and the order of the sides may depend on it.

    J ≤ J + 1 holds of J = ∞ too, but J < J + 1 does not, and 0·J has no value then.

    >>> x, t = sympy.symbols("x t", real=True)
    >>> area = sympy.Integral(sympy.exp(t), (t, 0, sympy.oo))
    >>> nothing = sympy.Mul(0, area, evaluate=False)
    >>> [cancels_infinite_parts(area + 1, part, strict=strict) for part, strict in ((area, False), (area, True), (nothing, False))]
    [False, True, True]
    """
    if any(parts and infinite_parts(_evaluated(side)) < parts for side in (large, small) for parts in [infinite_parts(side)]):
        return True
    return strict and infinite_parts(large - small) < infinite_parts(large) + infinite_parts(small)


def _evaluated(node: Any) -> Any:
    """The expression as sympy evaluates it, relations apart."""
    if not node.args:
        return node
    parts = [_evaluated(part) for part in node.args]
    if isinstance(node, Relational):
        return node.func(*parts, evaluate=False)
    return (_EVALUATED.get(node.func) or node.func)(*parts)


_EVALUATED: dict[Any, Callable[..., Any]] = {
    **{kind: lambda *parts, kind=kind: junction(kind, parts) for kind in (sympy.And, sympy.Or)},
    **{kind: lambda *parts, kind=kind: extremum(kind, parts) for kind in (sympy.Max, sympy.Min)},
}


def _is_asked(condition: Boolean, asked: Sequence[Boolean]) -> bool:
    if condition in (sympy.true, *asked):
        return True
    if isinstance(condition, ForAll):
        over = condition.variable, condition.condition
        inside = [c.body for c in asked if isinstance(c, ForAll) and (c.variable, c.condition) == over]
        return _is_asked(condition.body, [*inside, *(c for c in asked if not isinstance(c, ForAll))])
    if not isinstance(condition, Relational):
        return False
    if relation(type(condition), *condition.args) is sympy.true:
        return True
    gap = condition.lhs - condition.rhs
    known = [(c.lhs - c.rhs, type(c)) for c in asked if isinstance(c, Relational)]
    return all(_has_sign(factor, type(condition), known) for factor in _factors(gap, type(condition)))


def _factors(gap: Any, kind: type) -> Iterator[Any]:
    """What is to be > 0, ≥ 0 or ≠ 0 that gap is: factors without positive ones and numbers; a number that is negative stays with one."""
    sign, left = sympy.S.One, []
    for factor in sympy.Mul.make_args(sympy.factor_terms(gap)):
        base = factor.base if isinstance(factor, sympy.Pow) and factor.exp.is_Rational and kind is sympy.Ne else factor
        if base.is_Rational and base != 0:
            sign *= base
        elif not is_positive(base):
            left.append(base)
    if sign < 0 and left and kind is not sympy.Ne:
        left[0] = -left[0]
    elif sign < 0 and not left and kind is not sympy.Ne:
        left = [sign]
    return iter(left)


def _has_sign(factor: Any, kind: type, known: Sequence[tuple[Any, type]]) -> bool:
    """Whether one factor is as its kind says: by the signs of symbols, or by one that is known up to a positive number."""
    enough = {sympy.Gt: (sympy.Gt,), sympy.Ge: (sympy.Gt, sympy.Ge), sympy.Ne: (sympy.Gt, sympy.Ne)}.get(kind, ())
    if not has_sign_to_sample(factor):
        trait = {sympy.Gt: "is_positive", sympy.Ge: "is_nonnegative", sympy.Ne: "is_nonzero"}.get(kind, "is_zero")
        if getattr(factor, trait):
            return True
    for gap, stated in known:
        for part in _factors(gap, sympy.Ne) if stated is sympy.Ne else [gap]:
            ratio = sympy.cancel(factor / part) if stated in enough and part != 0 else sympy.S.Zero
            if ratio.is_Rational and ratio != 0 and (ratio > 0 or kind is sympy.Ne) or is_positive(ratio):
                return True
    return False
