"""An infimum or a supremum beside a number: one value of the function decides it one way, a cover of its range the other way.

sup f > c, sup f ≥ c, inf f < c and inf f ≤ c follow from the same of one value of f, and what they deny is then false. They fail where all
values lie on the other side: sup f ≥ c is false when f ≤ d everywhere for a number d < c. In all cases the range is not empty, f has a
value at every place of it, and its variable is all over it what its symbol assumes (`definedness`).

That f has a value is read off its operations, so it has no sums, no integrals, and no extrema of its own.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.claims.statement import instance
from dpbounds.errors import DPBoundsError
from dpbounds.language import definedness, enclose, functions
from dpbounds.language.quantifiers import ForAll
from dpbounds.numbers import balls
from dpbounds.numbers.balls import Ball

_BITS = 64
_PLACES, _DIGITS = 48, 10**4
"""Places at which the function is evaluated in a first look, and the denominators of what is kept of them."""


def parts_of(relation: Any) -> tuple[functions.Extremum, Any, bool, bool] | None:
    """Of a relation between an extremum and something else: the extremum, the other side, whether one value is enough for the relation, and
    whether that value must differ from the other side (where one value is enough against it, whether it must differ for that)."""
    if not isinstance(relation, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)):
        return None
    small, large = relation.args if isinstance(relation, (sympy.Le, sympy.Lt)) else relation.args[::-1]
    sides = [side for side in (small, large) if isinstance(side, functions.Extremum)]
    if len(sides) != 1:
        return None
    (node,) = sides
    strict = isinstance(relation, (sympy.Lt, sympy.Gt))
    by_one = (node is large) == isinstance(node, functions.Supremum)
    return node, (small if node is large else large), by_one, strict == by_one


def decide(relation: Any) -> bool | None:
    """Decide a relation between an extremum and a closed number; None where neither way does it."""
    found = parts_of(relation)
    if found is None or found[1].has(functions.Extremum):
        return None
    node, c, by_one, differs = found
    t, low, high = node.args[1]
    try:
        if not _is_elementary(node.args[0]) or any(instance.truth_at(need, {}) is not True for need in definedness.conditions_of(node)):
            return None
        place = _best_place(node)
        if place is None or not _lies_inside(place, low, high):
            return None
        up = isinstance(node, functions.Supremum)
        reaches = {(True, True): sympy.Gt, (True, False): sympy.Ge, (False, True): sympy.Lt, (False, False): sympy.Le}[up, differs]
        if instance.truth_at(reaches(node.args[0], c, evaluate=False), {t: place}) is True:
            return by_one
        if _is_beyond_all(node, c, place, equal=differs):
            return not by_one
    except (DPBoundsError, ValueError, OverflowError, ZeroDivisionError):
        return None
    return None


def seems_false(relation: Any, point: instance.Point) -> bool:
    """Untrusted: whether a relation of an extremum looks false at a point, by numbers."""
    found = parts_of(relation)
    if found is None:
        return False
    node, c, by_one, _ = found
    try:
        node, c = (instance.instantiate(side, point, whole=True) for side in (node, c))
        place = None if node.free_symbols or c.free_symbols else _best_place(node)
        if place is None:
            return False
        values = [_value_near(node, place), enclose.compile_expression(c, ())([])]
    except (DPBoundsError, ValueError, OverflowError, ZeroDivisionError):
        return False
    reached = values[0] > values[1] if isinstance(node, functions.Supremum) else values[0] < values[1]
    return bool(reached != by_one)


def _is_elementary(f: Any) -> bool:
    """Whether an expression has a value wherever its conditions hold: a sum or an integral may diverge, and a range in it may be empty."""
    parts = functions.expand_quantities(f).atoms(sympy.Sum, sympy.Integral, functions.PrivacyQuantity)
    return all(isinstance(part, (functions.NormalCDF, functions.NormalQuantile)) for part in parts)


def _lies_inside(place: sympy.Rational, low: Any, high: Any) -> bool:
    """Whether a number lies strictly between both ends: then these have values, and the range is not empty."""
    above = low is sympy.S.NegativeInfinity or instance.decide(sympy.Lt, low, place) is True
    return above and (high is sympy.oo or instance.decide(sympy.Lt, place, high) is True)


def _is_beyond_all(node: functions.Extremum, c: Any, place: sympy.Rational, *, equal: bool) -> bool:
    """Whether f ≤ c (f ≥ c for an infimum) throughout the range, where they may be equal, and else f ≤ d for a number d < c."""
    t, low, high = node.args[1]
    up = isinstance(node, functions.Supremum)
    within = [sympy.Gt(t, low, evaluate=False)] * (low is not sympy.S.NegativeInfinity)
    within += [sympy.Lt(t, high, evaluate=False)] * (high is not sympy.oo)
    bound = c
    if not equal:
        ends = [float(end.mid()) for end in (enclose.compile_expression(c, ())([]), _value_near(node, place))]
        bound = sympy.Rational(sum(ends) / 2).limit_denominator(_DIGITS**2)
        if instance.decide(sympy.Lt if up else sympy.Gt, bound, c) is not True:
            return False
    kind = sympy.Le if up else sympy.Ge
    everywhere = ForAll(t, sympy.And(*within, evaluate=False), kind(node.args[0], bound, evaluate=False))
    return instance.truth_at(everywhere, {}) is True


def _value_near(node: functions.Extremum, place: sympy.Rational) -> Ball:
    """Untrusted: the value at a place, as a ball; sympy would write (1 − 1/t)^t out as a fraction, at t = 10⁷ for minutes."""
    f, (t, _, _) = node.args
    return enclose.compile_expression(f, (t,))([Ball(int(place.p)) / int(place.q)])


def _best_place(node: functions.Extremum) -> sympy.Rational | None:
    """Untrusted: a place where a function without other variables is nearly extreme, as far as numbers show."""
    f, (t, low, high) = node.args
    sign = 1 if isinstance(node, functions.Supremum) else -1
    program = enclose.compile_expression(f, (t,))
    ends = [None if end.is_infinite else float(enclose.compile_expression(end, ())([]).mid()) for end in (low, high)]

    def place_of(share: float) -> float:
        """From a share of the range, on a scale that reaches to infinity."""
        first, last = ends
        if first is not None and last is not None:
            return first + share * (last - first)
        far = share / (1 - share)
        if first is not None:
            return first + far**2
        return last - far**2 if last is not None else math.log(far)

    def value(share: float) -> float:
        with balls.precision(_BITS):
            found = float(program([Ball(place_of(share))]).mid())
        return -math.inf if math.isnan(found) else sign * found

    step = 1 / _PLACES
    best = max((k * step for k in range(1, _PLACES)), key=value)
    while step > 1e-7:
        step /= 2
        best = max((share for share in (best - step, best, best + step) if 0 < share < 1), key=value)
    place = place_of(best)
    if not math.isfinite(value(best)) or not math.isfinite(place):
        return None
    exact = Fraction(place).limit_denominator(_DIGITS)
    return sympy.Rational(exact)


__all__ = ["decide", "parts_of", "seems_false"]
