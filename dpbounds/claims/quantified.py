"""Universal premises at a point: `ForAll` over one variable in a bounded interval, decided by covering the interval."""

from __future__ import annotations

from typing import Any

import sympy

from dpbounds import functions
from dpbounds.claims import definedness, instance
from dpbounds.errors import ClaimError
from dpbounds.quantifiers import ForAll

_BUDGET = 2000


def holds_at(premise: ForAll, point: instance.Point) -> bool | None:
    """True when boxes cover the whole range of the bound variable, None otherwise: a cover never says that a premise fails.

    >>> x, u = sympy.symbols("x u", positive=True)
    >>> holds_at(ForAll(x, sympy.And(x > 1, x <= u), x**2 > x - 1), {u: 3})
    True
    """
    from dpbounds.claims.certify import cover
    from dpbounds.claims.claim import Claim
    from dpbounds.claims.evidence import Boxes

    outer = {key: value for key, value in point.items() if key != premise.variable}
    try:
        body, condition = _instantiated(premise.body, outer), _instantiated(premise.condition, outer)
        if body is sympy.true or condition is sympy.false or _evaluates(body, condition):
            return True
        found = cover(Claim(id="premise", text="", given=(condition,), then=body), Boxes(budget=_BUDGET))
    except (ClaimError, instance.NoValue):
        return None
    return True if found.complete else None


def _instantiated(condition: Any, point: instance.Point) -> Any:
    if isinstance(condition, sympy.core.relational.Relational):
        return condition.func(*(instance.instantiate(side, point) for side in condition.args))
    return condition.func(*(_instantiated(part, point) for part in condition.args)) if condition.args else condition


def _evaluates(body: Any, condition: Any) -> bool:
    """True when the body is defined wherever the condition holds and sympy evaluates its elementary form to true."""
    if not isinstance(body, sympy.core.relational.Relational):
        return False
    if definedness.unsettled(definedness.conditions_of(body), sympy.And.make_args(condition)):
        return False
    return body.func(*(functions.expand_quantities(side) for side in body.args)) is sympy.true
