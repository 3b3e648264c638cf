"""Exact changes of variables: each maps a domain that contains the new one's image, so what holds after it holds before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.descent import brackets
from dpbounds.descent.check import _end
from dpbounds.descent.problem import Interval, Problem
from dpbounds.descent.refusal import Refused, need

Row = Sequence[Any]


def changed(problem: Problem, row: Row) -> Problem:
    """The problem in other variables.

    ["square", v, w, low, high]: v = w², w ≥ 0, for v ≥ 0; the ends of w leave no v out.
    ["exponential", v, w, c, low, high]: v = c·exp(−w²), w ≥ 0, for 0 < v ≤ c; the ends of w leave no v out.
    ["sum", t, s, u]: t = s + u with u ≥ 0, where s ≤ t is a premise; u ≤ (high end of t) − (low end of s), and s ≤ (high end of t).
    ["wide", v, low, high]: a larger range.
    """
    kind, name = row[0], row[1]
    need(name in problem.box, f"{name} is no variable here")
    own = problem.box[name]
    if kind == "wide":
        low, high = _end(row[2]), _end(row[3])
        need(low is None or own.low is not None and low < own.low or (low == own.low and own.low_closed), "a smaller range")
        need(high is None or own.high is not None and own.high < high or (high == own.high and own.high_closed), "a smaller range")
        return replace(problem, box={**problem.box, name: Interval(low, high, low == own.low, high == own.high)})
    new = row[2] if kind != "sum" else row[3]
    need(isinstance(new, str) and new.isidentifier() and new not in problem.box and new not in problem.meanings, "a name that is taken")
    box = {n: i for n, i in problem.box.items() if n != name}
    w = sympy.Symbol(new)
    if kind == "square":
        low, high = Fraction(row[3]), _end(row[4])
        need(own.low is not None and own.low >= 0 and 0 <= low and low * low <= own.low, "values are left out")
        need(high is None or own.high is not None and high >= 0 and high * high >= own.high, "values are left out")
        box[new] = Interval(low, high, own.low_closed or low * low < (own.low or 0), high is not None)
        meaning: sympy.Expr = sympy.Mul(w, w, evaluate=False)
    elif kind == "exponential":
        c, low, high = Fraction(row[3]), Fraction(row[4]), _end(row[5])
        need(own.low is not None and own.low >= 0 and own.high is not None and 0 < own.high <= c and low >= 0, "no such values")
        assert own.low is not None and own.high is not None
        need(c * brackets.exponential(-low * low)[0] >= own.high or low == 0, "values are left out")
        if high is None:
            need(not (own.low_closed and own.low == 0), "values are left out")
        else:
            need(own.low > 0 and c * brackets.exponential(-high * high)[1] <= own.low, "values are left out")
        box[new] = Interval(low, high, not (low == 0 and own.high == c) or own.high_closed, high is not None)
        exact = sympy.Rational(c.numerator, c.denominator)
        square = sympy.Mul(sympy.S.NegativeOne, w, w, evaluate=False)
        meaning = sympy.Mul(exact, sympy.exp(square, evaluate=False), evaluate=False)
    elif kind == "sum":
        least = row[2]
        pairs = [p for p in problem.premises if _names(p) == (name, least)]
        need(pairs and (least in box or least in problem.meanings), "no such premise")
        if least in problem.meanings:
            strict = any(p[2] for p in pairs)
            box[new] = Interval(Fraction(0), None, not strict)
            rest = tuple(p for p in problem.premises if p not in pairs)
            meaning = sympy.Add(sympy.Symbol(least), w, evaluate=False)
            return replace(problem, box=box, premises=rest, meanings={**problem.meanings, name: meaning})
        first = box[least]
        tops = [(e, closed) for e, closed in ((first.high, first.high_closed), (own.high, own.high_closed)) if e is not None]
        top, closed = min(tops) if tops else (None, False)
        box[least] = Interval(first.low, top, first.low_closed, closed)
        room = None if own.high is None or first.low is None else own.high - first.low
        need(room is None or room > 0, "an empty range")
        box[new] = Interval(Fraction(0), room, not any(p[2] for p in pairs), room is not None)
        rest = tuple(p for p in problem.premises if p not in pairs)
        meaning = sympy.Add(sympy.Symbol(least), w, evaluate=False)
        return replace(problem, box=box, premises=rest, meanings={**problem.meanings, name: meaning})
    else:
        raise Refused(f"no change of variables is called {kind!r}")
    return replace(problem, box=box, meanings={**problem.meanings, name: meaning})


def _names(premise: tuple[sympy.Expr, sympy.Expr, bool]) -> tuple[str, ...]:
    return tuple(part.name if isinstance(part, sympy.Symbol) else "" for part in premise[:2])
