"""What may help the checker of covers on ties: lines on which a derivative vanishes.

Nothing here is trusted.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import sympy

from dpbounds.claims.statement.cover_text import CoverWriter, minus
from dpbounds.covers.algebra import is_opaque, parts_of, relation_of, replaced
from dpbounds.covers.check import Checker
from dpbounds.covers.leaves import KINKS
from dpbounds.kernel.notation import show
from dpbounds.kernel.terms import ZERO, Term, exponent_of, value

_MOST_PLACES = 20
_MOST_CASES = 8
_MOST_PARTS = 300
_FUNCTIONS = {"exp": sympy.exp, "log": sympy.log}


def places_for(checker: Checker) -> list[tuple[str, str]]:
    """[variable, expression] of places that may help with the statement of a checker."""
    symbols = {name: sympy.Symbol(name, real=True, **_sign(side[0])) for name, side in zip(checker.names, checker.boxes.root, strict=True)}
    back = CoverWriter(symbols.values())
    places: dict[tuple[str, str], None] = {}
    for gap in itertools.islice(_gaps(checker.then), _MOST_CASES):
        if is_opaque(gap) or len(parts_of(gap)) > _MOST_PARTS:
            continue
        first = _read(gap, symbols)
        waiting = [first, *(first.subs(symbols[place.variable], _read(place.at, symbols)) for place in checker.boxes.places)]
        for _ in range(_MOST_PLACES):
            if not waiting:
                break
            found = waiting.pop(0)
            for v in sorted(found.free_symbols, key=str):
                for at in _roots(sympy.diff(found, v), v):
                    places[str(v), show(back.expression(at))] = None
                    if len(waiting) < _MOST_CASES:
                        waiting.append(found.subs(v, at))
    return list(places)


def _sign(low: Any) -> dict[str, bool]:
    return {} if low is None or low < 0 else ({"positive": True} if low > 0 else {"nonnegative": True})


def _roots(slope: Any, v: sympy.Symbol) -> Iterator[Any]:
    """Where a derivative vanishes: at 0, where a polynomial of degree one or two does, or what is linear in the exponential."""
    if slope.subs(v, 0) == 0:
        yield sympy.S.Zero
    if slope.is_polynomial(v) and sympy.degree(slope, v) in (1, 2):
        yield from (root for root in sympy.solve(slope, v) if root.is_real is not False and not root.has(sympy.I))
    power = sympy.Dummy(positive=True)
    inner = sympy.expand(slope).subs(sympy.exp(v), power)
    if v not in inner.free_symbols and inner.is_polynomial(power) and sympy.degree(inner, power) == 1:
        yield sympy.log(sympy.cancel(-inner.coeff(power, 0) / inner.coeff(power, 1)))


def _gaps(formula: Term) -> Iterator[Term]:
    """The differences that are to be shown >= 0, with each choice of the branches of |·|, max, min and case distinctions."""
    if formula.tag in ("and", "or"):
        for part in formula.parts:
            yield from _gaps(part)
    elif (found := relation_of(formula)) is not None:
        yield from _branches(found[0])


def _branches(gap: Term) -> Iterable[Term]:
    kink = next((part for part in parts_of(gap) if part.tag in KINKS), None)
    if kink is None:
        return [gap]
    values = kink.parts[-2:] if len(kink.parts) > 1 else (kink.parts[0], minus(ZERO, kink.parts[0]))
    return (branch for value in values for branch in _branches(replaced(gap, kink, value)))


def _read(t: Term, symbols: dict[str, sympy.Symbol]) -> Any:
    """A term as an expression."""
    if (q := value(t)) is not None:
        return sympy.Rational(q)
    if t.tag == "v":
        return symbols[str(t.data[0])]
    parts = [_read(part, symbols) for part in t.parts]
    match t.tag:
        case "+":
            return sympy.Add(*parts)
        case "*":
            return sympy.Mul(*parts)
        case "^":
            return parts[0] ** exponent_of(t)
        case "pow":
            return parts[0] ** parts[1]
        case "pi":
            return sympy.pi
        case "Phi":
            return sympy.erfc(-parts[0] / sympy.sqrt(2)) / 2
    return _FUNCTIONS[t.tag](*parts)
