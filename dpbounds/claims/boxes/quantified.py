"""Universal premises at a point: `ForAll` over one variable in a bounded interval, decided by covering the interval.

Over an integer between two numbers the premise is decided value by value.
"""

from __future__ import annotations

from typing import Any

import sympy

from dpbounds.claims.boxes.certify import cover
from dpbounds.claims.boxes.definedness import unsettled
from dpbounds.claims.claim import Claim
from dpbounds.claims.plans import Boxes
from dpbounds.claims.statement import instance
from dpbounds.errors import ClaimError
from dpbounds.language import definedness, functions, programs, substitution
from dpbounds.language.quantifiers import ForAll
from dpbounds.language.substitution import parts_of_and

_BUDGET = 2000


def holds_at(premise: ForAll, point: instance.Point) -> bool | None:
    """True when boxes cover the whole range of the bound variable, None otherwise: a cover never says that a premise fails, a value can.

    >>> x, u = sympy.symbols("x u", positive=True)
    >>> holds_at(ForAll(x, sympy.And(x > 1, x <= u), x**2 > x - 1), {u: 3})
    True
    """
    outer = {key: value for key, value in point.items() if key != premise.variable}
    try:
        if (values := instance.integers_of(premise, outer)) is not None:
            return programs.both(*(instance.truth_at(premise.body, {**outer, premise.variable: value}) for value in values))
        body, condition = _instantiated(premise.body, outer), _instantiated(premise.condition, outer)
        if body is sympy.true or condition is sympy.false or _evaluates(body, condition) or _follows(body, condition):
            return True
        # What is ≠ 0 throughout a range has one sign there, by continuity; boxes settle signs only.
        bodies = [kind(*body.args, evaluate=False) for kind in (sympy.Gt, sympy.Lt)] if isinstance(body, sympy.Ne) else [body]
        claims = (Claim(id="premise", text="", given=(condition,), then=each) for each in bodies)
        covered = any(cover(each, Boxes(budget=_BUDGET)).complete for each in claims)
    except (ClaimError, instance.NoValue):
        return None
    return True if covered else None


def _instantiated(condition: Any, point: instance.Point) -> Any:
    if isinstance(condition, sympy.core.relational.Relational):
        sides = [instance.instantiate(side, point, whole=True) for side in condition.args]
        rational = not any(side.free_symbols or not side.is_Rational for side in sides)
        return condition.func(*sides, evaluate=rational)
    return substitution.rebuilt(condition, [_instantiated(part, point) for part in condition.args]) if condition.args else condition


def _follows(body: Any, condition: Any) -> bool:
    """True when the body and what it needs follow from one finite end of the range: x ≠ 0 from x ≥ 1/2, for which there is no cover.

    >>> x = sympy.Symbol("x", real=True)
    >>> holds_at(ForAll(x, sympy.And(x >= 1, x <= sympy.oo, evaluate=False), sympy.Ne(x, 0)), {})
    True
    """
    if not isinstance(body, sympy.core.relational.Relational):
        return False
    ends = [part for part in parts_of_and(condition) if not part.has(sympy.oo, sympy.zoo, sympy.nan)]
    return not unsettled([body, *definedness.conditions_of(body)], ends)


def _evaluates(body: Any, condition: Any) -> bool:
    """True when the body is defined wherever the condition holds, and what its symbols assume decides its elementary form."""
    if not isinstance(body, sympy.core.relational.Relational):
        return False
    if unsettled(definedness.conditions_of(body), parts_of_and(condition)):
        return False
    return substitution.relation(body.func, *(functions.expand_quantities(side) for side in body.args)) is sympy.true
