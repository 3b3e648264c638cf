"""Re-check a claim that was settled through a declared shape: what the declaration leaves to be shown is worked out here a second time.

The gap g = large − small is decided at the named ends of the variable v if g is analytic and ∂g/∂v has one sign on all segments from the
domain to the end (one end), or ∂²g/∂v² ≤ 0 between the ends (both). For the argument see `hints`. The covers are checked by `replay_boxes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds import functions
from dpbounds.claims import instance
from dpbounds.claims.assumptions import assumptions_of
from dpbounds.claims.checked import Checked
from dpbounds.claims.definedness import conditions_of
from dpbounds.claims.expression_text import read_expression
from dpbounds.claims.replay_boxes import _bounds_in, check_boxes
from dpbounds.claims.replay_gap import _NOT_SMOOTH
from dpbounds.claims.zero import is_zero
from dpbounds.errors import CertificateError
from dpbounds.substitution import substituted

_SHAPES = {"increasing": (1, 1), "decreasing": (1, -1), "convex": (2, 1), "concave": (2, -1)}
"""Which derivative has which sign."""
_LOW, _HIGH = 0, 1


def check_hinted(names: Mapping[str, Any], then: Any, constraints: list[Boolean], evidence: Mapping[str, Any]) -> Checked:
    """Check the evidence and say by what.

    Args:
        names: the variables of the statement by name.
        then: the conclusion, one inequality.
        constraints: premises and assumptions of the symbols.
        evidence: the part of the certificate that `certificate.of_hinted` wrote.

    Raises:
        CertificateError: a field that does not fit, a declaration that says nothing about the statement, or a cover that does not hold.
    """
    hint = evidence["hint"]
    if set(evidence) != {"hint", "proof", "ends"} or set(hint) != {"expression", "variable", "shape"} or hint["shape"] not in _SHAPES:
        raise CertificateError("a certificate with hints needs hint (expression, variable, shape), proof and ends")
    if hint["variable"] not in names or not isinstance(then, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)):
        raise CertificateError("the declaration does not speak of a variable of an inequality")
    v, (order, sign) = names[hint["variable"]], _SHAPES[hint["shape"]]
    free = sympy.Symbol(v.name, real=True)  # the segments may leave what v assumes
    expression = substituted(functions.expand_quantities(read_expression(hint["expression"])), {v: free})
    sides = [substituted(functions.expand_quantities(side), {v: free}) for side in (then.lhs, then.rhs)]
    gap = sides[1] - sides[0] if isinstance(then, (sympy.Le, sympy.Lt)) else sides[0] - sides[1]
    fresh = {s: sympy.Dummy(s.name, real=True) for s in gap.free_symbols | expression.free_symbols}
    kinks = any(form.has(*_NOT_SMOOTH) for part in (gap, expression) for form in (part, substituted(part, fresh)))
    if kinks or not expression.free_symbols <= {free, *names.values()}:
        raise CertificateError("a declaration speaks of smooth formulas in the variables of the statement")
    if is_zero(sympy.diff(gap - expression, *[free] * order)):
        direction = sign
    elif is_zero(sympy.diff(gap + expression, *[free] * order)):
        direction = -sign
    else:
        raise CertificateError("the sides of the statement differ by more than the declared expression")
    if order == 2 and direction > 0:
        raise CertificateError("a convex difference of the sides is not decided at its ends")
    ends = [(read_expression(end["at"]), end["cover"]) for end in evidence["ends"] if set(end) == {"at", "cover"}]
    wanted = (_LOW, _HIGH) if order == 2 else ((_LOW,) if direction > 0 else (_HIGH,))
    if len(ends) != len(wanted) or len(evidence["ends"]) != len(wanted):
        raise CertificateError(f"the declaration leaves {len(wanted)} ends of {v} to be checked")
    rest = [c for c in constraints if v not in c.free_symbols]
    bounds = [(end, bound, _strict(c)) for c in constraints for w, end, bound in _bounds_in(c) if w == v]
    rest += [
        sympy.Le(low, high, evaluate=False)
        for end, low, _ in bounds
        for other, high, _ in bounds
        if (end, other) == (_LOW, _HIGH) and (high - low).free_symbols
    ]
    reach = list(rest)
    for kind, (at, _) in zip(wanted, ends, strict=True):
        if not any(end == kind and is_zero(bound - at) for end, bound, _ in bounds):
            raise CertificateError(f"no premise says that {v} ends at {at}")
        reach.append((sympy.Ge if kind == _LOW else sympy.Le)(free, at, evaluate=False))
    if order == 1:
        reach += [_side(free, end, bound, strict) for end, bound, strict in bounds if end != wanted[0]]
    shape = (sympy.Ge if sign > 0 else sympy.Le)(sympy.diff(expression, *[free] * order), 0, evaluate=False)
    by = check_boxes(_names(shape, reach), shape, _with_signs(shape, reach), evidence["proof"], _analytic(then, v, free, gap, expression))
    for at, cover in ends:
        value = substituted(gap, {free: at})
        if value.has(sympy.nan, sympy.zoo, sympy.oo):
            raise CertificateError(f"the statement has no value at {v} = {at}")
        face = (sympy.Gt if isinstance(then, (sympy.Lt, sympy.Gt)) else sympy.Ge)(value, 0, evaluate=False)
        check = check_hinted if "hint" in cover else check_boxes
        by += check(_names(face, rest), face, _with_signs(face, rest), cover)
    return by


def _analytic(then: Any, v: Any, free: Any, gap: Any, expression: Any) -> list[Boolean]:
    """Where Taylor's theorem holds for both formulas, and the statement has a value."""
    smooth = [
        sympy.Gt(c.lhs, c.rhs, evaluate=False) if isinstance(c, sympy.Ge) else c for part in (gap, expression) for c in conditions_of(part)
    ]
    stated = substituted(then, {v: free})
    return [*smooth, *conditions_of(stated), *conditions_of(instance.elementary(stated))]


def _strict(constraint: Any) -> bool:
    return isinstance(constraint, (sympy.Lt, sympy.Gt))


def _side(v: Any, end: int, bound: Any, strict: bool) -> Boolean:
    if end == _LOW:
        return (sympy.Gt if strict else sympy.Ge)(v, bound, evaluate=False)
    return (sympy.Lt if strict else sympy.Le)(v, bound, evaluate=False)


def _names(then: Any, given: list[Boolean]) -> dict[str, Any]:
    found = set().union(then.free_symbols, *(c.free_symbols for c in given))
    names = {s.name: s for s in found if isinstance(s, sympy.Symbol)}
    if len(names) != len(found):
        raise CertificateError("two variables of one name")
    return names


def _with_signs(then: Any, given: list[Boolean]) -> list[Boolean]:
    """The premises with what the symbols that are left assume."""
    return [*given, *(c for s in _names(then, given).values() for c in assumptions_of(s) if c not in given)]
