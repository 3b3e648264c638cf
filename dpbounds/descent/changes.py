"""Exact changes of variables: the new domain covers the old one, so what holds after the change holds before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy

from dpbounds.descent import brackets
from dpbounds.descent import polynomials as poly
from dpbounds.descent.interval import Interval, end_of, number_of
from dpbounds.descent.polynomials import ONE, Quotient
from dpbounds.descent.reading import TowerReader
from dpbounds.descent.refusal import DescentRefused, need
from dpbounds.descent.tower import Tower
from dpbounds.descent.written import expression_of
from dpbounds.language.functions import with_replaced

if TYPE_CHECKING:
    from dpbounds.descent.problem import Problem

Row = Sequence[Any]
_HIGHEST_ORDER = 60
Premise = tuple[sympy.Expr, sympy.Expr, bool]


def changed(problem: Problem, row: Row, *, before: bool) -> Problem:
    """The problem in other variables.

    On the domain with its closed ends (`before`):
    ["wide", v, low, high]: a larger range of v.
    ["above", v, k, u]: v = b + u with u ≥ 0, where b ≤ v is the k-th premise and b does not speak of v; u > 0 when b < v. Other bounds
    of v are dropped, except that u ≤ (high end of v) − (low end of b), and b ≤ (high end of v), when b is a variable.
    ["below", v, k, u]: v = b − u with u ≥ 0, where v ≤ b is the k-th premise and b does not speak of v; u > 0 when v < b. Other bounds
    of v are dropped.
    ["within", v, k, w, b]: v = b·w with 0 ≤ w ≤ 1, where the k-th premise is v ≤ b for a polynomial b without v, and v ≥ 0; w > 0 when
    v > 0, and w < 1 when v < b. Where b = 0, v is 0 too, for every w. Other bounds of v are dropped; b ≥ 0 is a premise (b > 0 when v > 0).
    ["over", v, k, u, a, b]: v = b + u with u ≥ 0, where the k-th premise is a·(v − b) ≥ 0 with a > 0, for a and b without v; u > 0 when it
    is strict. a is a quotient of polynomials in variables without closed ends, so that it is nowhere 0. Other bounds of v are dropped.
    ["under", v, k, w, a, b]: v = b·w with 0 ≤ w ≤ 1, where the k-th premise is a·(b − v) ≥ 0 with a > 0 and b > 0, and v ≥ 0; w > 0 when
    v > 0, and w < 1 when the premise is strict. a and b are quotients of polynomials in other variables, and a > 0, b > 0 is shown on the
    box and on each of its closed faces. Other bounds of v are dropped.
    ["root", v, w]: v = √w with w ≥ 0, for v ≥ 0; the range of w has the squares of the ends of v. A premise that is a polynomial in v² and
    in other variables is written in w, and so are even powers of v in the statement. Not in a step of an induction, which reads v
    elsewhere too.
    ["squared"]: c·√B ≥ a follows from c²·B ≥ a², for a number c > 0: then B ≥ 0, so √B is defined, and c·√B ≥ |a|. Strict likewise.
    Not in a step of an induction: √B may grow less than a although B grows more than a².
    ["without"]: no premises; then more is shown.

    On an open box:
    ["square", v, w, low, high]: v = w² with w > 0, for v > 0.
    ["rooted", v, w, k, low, high]: v = w^k with w > 0, for v > 0 and a whole number k ≥ 2.
    ["exponential", v, w, c, low, high]: v = c·exp(−w²) with w > 0, for 0 < v < c.
    ["odds", v, w]: v = w²/(1 + w²) with w > 0, for 0 < v < 1.
    ["circle", v, w]: v = (2w/(1 + w²))² with 0 < w < 1, for 0 < v < 1; 2w/(1 + w²) grows from 0 to 1, and 1 − v is a square too.
    ["scaled", v, u, w]: v = u·w with w > 0, for u, v > 0.
    ["sampled", q, v, t]: q = (e^v − 1)/(e^(v + t) − 1) with t > 0, for 0 < q < 1 and v > 0: then e^(v + t) = 1 + (e^v − 1)/q.
    ["middle", v, u, m, t]: v = m + t and u = m − t for v and u of any size; v = m·(1 + t) and u = m·(1 − t) with m > 0 and −1 < t < 1 for
    v, u > 0 without other ends: then m = (u + v)/2 and t = (v − u)/(v + u).
    ["logarithm", v, w]: v = log w with w > 0; w > 1 where v > 0, and w < 1 where v < 0.
    ["power", v, w]: v = e^w for v > 0; w > 0 where v > 1, and w < 0 where v < 1.
    The range of w leaves no value of v out.
    """
    if row[0] == "squared":
        need(before, "a change of variables in the wrong place")
        return _squared(problem)
    if row[0] == "without":
        need(before, "a change of variables in the wrong place")
        return replace(problem, premises=())
    kind, name = row[0], row[1]
    need(name in problem.box, f"{name} is no variable here")
    need(before == (kind in ("wide", "root") or kind in _OF_PREMISES), "a change of variables in the wrong place")
    own = problem.box[name]
    if kind == "wide":
        return _wide(problem, name, own, row)
    new = row[3] if kind in _OF_PREMISES or kind in ("scaled", "sampled", "middle") else row[2]
    need(isinstance(new, str) and new.isidentifier() and new not in problem.box and new not in problem.meanings, "a name that is taken")
    box = {n: i for n, i in problem.box.items() if n != name}
    w = sympy.Symbol(new)
    if kind in _OF_PREMISES:
        return _OF_PREMISES[kind](problem, name, own, box, row, w)
    if kind == "middle":
        return _middle(problem, name, own, row)
    if kind == "root":
        return _root(problem, name, own, box, w)
    if kind == "logarithm":
        positive, negative = own.low is not None and own.low >= 0, own.high is not None and own.high <= 0
        box[new] = Interval(Fraction(1 if positive else 0), Fraction(1) if negative else None)
        return replace(problem, box=box, meanings={**problem.meanings, name: sympy.log(w, evaluate=False)})
    need(own.low is not None and own.low >= 0, "a variable that may be negative")
    assert own.low is not None
    if kind == "power":
        box[new] = Interval(Fraction(0) if own.low >= 1 else None, Fraction(0) if own.high is not None and own.high <= 1 else None)
        return replace(problem, box=box, meanings={**problem.meanings, name: sympy.exp(w, evaluate=False)})
    square = sympy.Mul(w, w, evaluate=False)
    meaning: sympy.Expr
    if kind == "square":
        low, high = number_of(row[3]), end_of(row[4])
        need(low >= 0 and low * low <= own.low, "values are left out")
        need(high is None or own.high is not None and high >= 0 and high * high >= own.high, "values are left out")
        box[new], meaning = Interval(low, high), square
    elif kind == "rooted":
        order, low, high = row[3], number_of(row[4]), end_of(row[5])
        need(type(order) is int and 2 <= order <= _HIGHEST_ORDER, "no such power")
        need(low >= 0 and low**order <= own.low, "values are left out")
        need(high is None or own.high is not None and high >= 0 and high**order >= own.high, "values are left out")
        box[new], meaning = Interval(low, high), sympy.Pow(w, order, evaluate=False)
    elif kind == "exponential":
        c, low, high = number_of(row[3]), number_of(row[4]), end_of(row[5])
        need(own.high is not None and 0 < own.high <= c and low >= 0, "no such values")
        assert own.high is not None
        need(low == 0 or c * brackets.exponential(-low * low)[0] >= own.high, "values are left out")
        need(high is None or own.low > 0 and c * brackets.exponential(-high * high)[1] <= own.low, "values are left out")
        power = sympy.exp(sympy.Mul(sympy.S.NegativeOne, w, w, evaluate=False), evaluate=False)
        box[new], meaning = Interval(low, high), sympy.Mul(sympy.Rational(c), power, evaluate=False)
    elif kind == "odds":
        need(own.high is not None and own.high <= 1, "values are left out")
        one = sympy.Add(sympy.S.One, square, evaluate=False)
        box[new], meaning = Interval(Fraction(0), None), sympy.Mul(square, sympy.Pow(one, -1, evaluate=False), evaluate=False)
    elif kind == "circle":
        need(own.high is not None and own.high <= 1, "values are left out")
        one = sympy.Add(sympy.S.One, square, evaluate=False)
        box[new] = Interval(Fraction(0), Fraction(1))
        meaning = sympy.Mul(sympy.Integer(4), square, sympy.Pow(one, -2, evaluate=False), evaluate=False)
    elif kind == "scaled":
        unit = problem.box.get(row[2])
        need(unit is not None and unit.low is not None and unit.low >= 0 and row[2] != name, "a unit that may be negative")
        box[new], meaning = Interval(Fraction(0), None), sympy.Mul(sympy.Symbol(row[2]), w, evaluate=False)
    elif kind == "sampled":
        left = problem.box.get(row[2])
        need(left is not None and left.low is not None and left.low >= 0 and row[2] != name, "a loss that may be negative")
        need(own.high is not None and own.high <= 1, "a rate above 1")
        box[new], meaning = Interval(Fraction(0), None), _rate_of(sympy.Symbol(row[2]), w)
    else:
        raise DescentRefused(f"no change of variables is called {kind!r}")
    return replace(problem, box=box, meanings={**problem.meanings, name: meaning})


def _rate_of(v: sympy.Symbol, t: sympy.Symbol) -> sympy.Expr:
    """(e^v − 1)/(e^(v + t) − 1), as it is written."""
    above, below = (
        sympy.Add(sympy.exp(e, evaluate=False), sympy.S.NegativeOne, evaluate=False) for e in (v, sympy.Add(v, t, evaluate=False))
    )
    return sympy.Mul(above, sympy.Pow(below, -1, evaluate=False), evaluate=False)


def _root(problem: Problem, name: str, own: Interval, box: dict[str, Interval], w: sympy.Symbol) -> Problem:
    # A step reads the statement at another value of v too, and what is written in w would stay where it is.
    need(problem.compares, "a root in what is not compared")
    need(own.low is not None and own.low >= 0, "a variable that may be negative")
    assert own.low is not None
    box[w.name] = Interval(own.low**2, None if own.high is None else own.high**2, own.low_closed, own.high_closed)
    premises = tuple(_in_squares(problem, premise, name, w) for premise in problem.premises)
    powers = {e for side in (problem.large, problem.small) for e in side.atoms(sympy.Pow) if e.args[0].is_Symbol and e.args[0].name == name}
    values = {e: sympy.Pow(w, e.args[1] / 2) for e in powers if e.args[1].is_Integer and e.args[1] % 2 == 0}
    large, small = (with_replaced(side, values) for side in (problem.large, problem.small))
    meanings = {**problem.meanings, name: sympy.Pow(w, sympy.S.Half, evaluate=False)}
    return replace(problem, large=large, small=small, box=box, premises=premises, meanings=meanings)


def _in_squares(problem: Problem, premise: Premise, name: str, w: sympy.Symbol) -> Premise:
    """A premise that is a polynomial in v² and other variables, with w in the place of v²; another one as it is."""
    large, small, strict = premise
    try:
        gap = _polynomial(problem, sympy.Add(large, sympy.Mul(-1, small, evaluate=False), evaluate=False))
    except DescentRefused:
        return premise
    powers = {e for m in gap for other, e in m if other == name}
    if not powers or any(e % 2 for e in powers):
        return premise
    terms = []
    for m, c in gap.items():
        factors = [w ** (e // 2) if other == name else sympy.Symbol(other) ** e for other, e in m]
        terms.append(sympy.Mul(sympy.Rational(c), *factors))
    return sympy.Add(*terms), sympy.S.Zero, strict


def _middle(problem: Problem, name: str, own: Interval, row: Row) -> Problem:
    other = problem.box.get(row[2])
    need(other is not None and row[2] != name, "no such variable")
    assert other is not None
    taken = {*problem.box, *problem.meanings, row[3]}
    need(isinstance(row[4], str) and row[4].isidentifier() and row[4] not in taken, "a name that is taken")
    need(own.high is None and other.high is None, "values are left out, or added")
    middle, distance = sympy.Symbol(row[3]), sympy.Symbol(row[4])
    line = own.low is None and other.low is None
    need(line or own.low == 0 and other.low == 0, "values are left out, or added")
    new = {row[3]: Interval(None if line else Fraction(0), None), row[4]: Interval() if line else Interval(Fraction(-1), Fraction(1))}
    signed = [sympy.Mul(sign, distance, evaluate=False) for sign in (1, -1)]
    ends = [sympy.Add(middle if line else sympy.S.One, step, evaluate=False) for step in signed]
    if not line:
        ends = [sympy.Mul(middle, end, evaluate=False) for end in ends]
    box = {n: i for n, i in problem.box.items() if n not in (name, row[2])}
    return replace(problem, box={**box, **new}, meanings={**problem.meanings, name: ends[0], row[2]: ends[1]})


def root_of(side: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr] | None:
    """c² and B of a side c·√B, where c > 0 is a product of rational numbers and of their roots."""
    square, inside = [], []
    for part in sympy.Mul.make_args(side):
        root = isinstance(part, sympy.Pow) and part.args[1] == sympy.S.Half
        value = part.args[0] if root else part
        if value.is_Rational and value > 0:
            square.append(value if root else value**2)
        elif root:
            inside.append(value)
        else:
            return None
    return (sympy.Mul(*square), inside[0]) if len(inside) == 1 else None


def _squared(problem: Problem) -> Problem:
    need(problem.compares, "squares of what is not compared")
    found = root_of(problem.large)
    need(found is not None, "the larger side is no root")
    assert found is not None
    large = sympy.Mul(*found, evaluate=False)
    return replace(problem, large=large, small=sympy.Pow(problem.small, 2, evaluate=False))


def _wide(problem: Problem, name: str, own: Interval, row: Row) -> Problem:
    low, high = end_of(row[2]), end_of(row[3])
    need(low is None or own.low is not None and (low < own.low or low == own.low), "a smaller range")
    need(high is None or own.high is not None and (own.high < high or high == own.high), "a smaller range")
    low_closed, high_closed = (
        low is not None and low == own.low and own.low_closed,
        high is not None and high == own.high and own.high_closed,
    )
    return replace(problem, box={**problem.box, name: Interval(low, high, low_closed, high_closed)})


def _above(problem: Problem, name: str, own: Interval, box: dict[str, Interval], row: Row, u: sympy.Symbol) -> Problem:
    (large, small, strict), rest = _taken(problem, row)
    need(isinstance(large, sympy.Symbol) and large.name == name, "no premise about that variable")
    need(name not in _speaks_of(problem, small), "a bound that speaks of its own variable")
    room = None
    if isinstance(small, sympy.Symbol) and small.name in box:
        least = box[small.name]
        tops = [(e, closed) for e, closed in ((least.high, least.high_closed), (own.high, own.high_closed)) if e is not None]
        top, closed = min(tops) if tops else (None, False)
        box[small.name] = Interval(least.low, top, least.low_closed, closed)
        room = None if own.high is None or least.low is None else own.high - least.low
        need(room is None or room > 0, "an empty range")
    box[u.name] = Interval(Fraction(0), room, not strict, room is not None)
    meaning = sympy.Add(small, u, evaluate=False)
    return replace(problem, box=box, premises=rest, meanings={**problem.meanings, name: meaning})


def _below(problem: Problem, name: str, own: Interval, box: dict[str, Interval], row: Row, u: sympy.Symbol) -> Problem:
    (large, small, strict), rest = _taken(problem, row)
    need(isinstance(small, sympy.Symbol) and small.name == name, "no premise about that variable")
    need(name not in _speaks_of(problem, large), "a bound that speaks of its own variable")
    box[u.name] = Interval(Fraction(0), None, not strict, False)
    meaning = sympy.Add(large, sympy.Mul(-1, u, evaluate=False), evaluate=False)
    return replace(problem, box=box, premises=rest, meanings={**problem.meanings, name: meaning})


def _within(problem: Problem, name: str, own: Interval, box: dict[str, Interval], row: Row, w: sympy.Symbol) -> Problem:
    (large, small, strict), rest = _taken(problem, row)
    b = expression_of(row[4], box)
    need(name not in _speaks_of(problem, b), "a bound that speaks of its own variable")
    need(own.low is not None and own.low >= 0, "a part of what may be negative")
    assert own.low is not None
    premise = _polynomial(problem, sympy.Add(large, sympy.Mul(-1, small, evaluate=False), evaluate=False))
    need(premise == _polynomial(problem, sympy.Add(b, sympy.Mul(-1, sympy.Symbol(name), evaluate=False), evaluate=False)), "not that bound")
    positive = strict or own.low > 0 or not own.low_closed
    box[w.name] = Interval(Fraction(0), Fraction(1), own.low == 0 and own.low_closed, not strict)
    end = _end_of(_polynomial(problem, b))
    if end is None:
        rest = (*rest, (b, sympy.S.Zero, positive))
    else:
        other, value, upper = end
        box[other] = _narrowed(box[other], value, upper=upper, strict=positive)
    meaning = sympy.Mul(b, w, evaluate=False)
    return replace(problem, box=box, premises=rest, meanings={**problem.meanings, name: meaning})


def _over(problem: Problem, name: str, own: Interval, box: dict[str, Interval], row: Row, u: sympy.Symbol) -> Problem:
    (large, small, strict), rest = _taken(problem, row)
    a, b = (expression_of(part, box) for part in row[4:6])
    for part in (large, small):
        need(not {s.name for s in part.free_symbols} & set(problem.meanings), "a bound in other variables")
    need(not any(box[s.name].low_closed or box[s.name].high_closed for s in a.free_symbols), "a factor that may be 0 at an end")
    tower = Tower()
    reader = TowerReader(tower, problem.ranges, {})
    factor, gap = reader.read(a), _less(reader.read(large), reader.read(small))
    over = _less(reader.read(sympy.Symbol(name)), reader.read(b))
    _require_positive(tower, factor)
    need(tower.equal(gap, (poly.times(factor[0], over[0]), poly.times(factor[1], over[1]))), "not that bound")
    box[u.name] = Interval(Fraction(0), None, not strict, False)
    return replace(problem, box=box, premises=rest, meanings={**problem.meanings, name: sympy.Add(b, u, evaluate=False)})


def _under(problem: Problem, name: str, own: Interval, box: dict[str, Interval], row: Row, w: sympy.Symbol) -> Problem:
    (large, small, strict), rest = _taken(problem, row)
    a, b = (expression_of(part, box) for part in row[4:6])
    for part in (large, small):
        need(not {s.name for s in part.free_symbols} & set(problem.meanings), "a bound in other variables")
    need(own.low is not None and own.low >= 0, "a part of what may be negative")
    assert own.low is not None
    for fixed in replace(problem, box=box).faces():
        here = problem.with_fixed(fixed)
        tower = Tower()
        reader = TowerReader(tower, here.ranges, here.meanings)
        for part in map(reader.read, (a, b)):
            _require_positive(tower, part)
    tower = Tower()
    reader = TowerReader(tower, problem.ranges, {})
    factor, gap = reader.read(a), _less(reader.read(large), reader.read(small))
    below = _less(reader.read(b), reader.read(sympy.Symbol(name)))
    need(tower.equal(gap, (poly.times(factor[0], below[0]), poly.times(factor[1], below[1]))), "not that bound")
    box[w.name] = Interval(Fraction(0), Fraction(1), own.low == 0 and own.low_closed, not strict)
    return replace(problem, box=box, premises=rest, meanings={**problem.meanings, name: sympy.Mul(b, w, evaluate=False)})


_OF_PREMISES: dict[str, Callable[..., Problem]] = {"above": _above, "below": _below, "within": _within, "over": _over, "under": _under}


def _taken(problem: Problem, row: Row) -> tuple[Premise, tuple[Premise, ...]]:
    """The premise that a row names, and the others."""
    index = int(row[2])
    need(0 <= index < len(problem.premises), "no such premise")
    return problem.premises[index], (*problem.premises[:index], *problem.premises[index + 1 :])


def _require_positive(tower: Tower, factor: Quotient) -> None:
    """Refuse a factor that is not a quotient of polynomials of one sign in the variables."""
    used = poly.used(factor[0]) | poly.used(factor[1])
    need(all(tower.generators[i].kind == "variable" for i in used), "a factor that may be undefined")
    need((tower.sign(factor[0]) or 0) * (tower.sign(factor[1]) or 0) == 1, "a factor that may not be positive")


def _less(a: Quotient, b: Quotient) -> Quotient:
    return poly.sum_of([a, (poly.scaled(b[0], -1), b[1])])


def _polynomial(problem: Problem, expression: sympy.Expr) -> dict[tuple[tuple[str, int], ...], Fraction]:
    """An expression as a polynomial in the variables of the box, by names; anything else is refused."""
    need(not {s.name for s in expression.free_symbols} & set(problem.meanings), "a bound in other variables")
    tower = Tower()
    n, d = TowerReader(tower, problem.ranges, {}).read(expression)
    need(d == ONE and not tower.divisors and all(g.kind == "variable" for g in tower.generators), "a bound that is no polynomial")
    names = [g.name for g in tower.generators]
    return {tuple(sorted((names[i], e) for i, e in enumerate(m) if e)): Fraction(c) for m, c in n.items()}


def _end_of(p: Mapping[tuple[tuple[str, int], ...], Fraction]) -> tuple[str, Fraction, bool] | None:
    """The variable, the number, and whether it is an upper end, of c + a·u ≥ 0."""
    linear = [(m, c) for m, c in p.items() if m]
    if len(linear) != 1 or linear[0][0][0][1] != 1 or len(linear[0][0]) != 1:
        return None
    (((other, _),), slope) = linear[0]
    return other, -p.get((), Fraction(0)) / slope, slope < 0


def _narrowed(own: Interval, value: Fraction, *, upper: bool, strict: bool) -> Interval:
    """A range with one more end."""
    if upper and (own.high is None or value < own.high or value == own.high and strict):
        return replace(own, high=value, high_closed=not strict)
    if not upper and (own.low is None or value > own.low or value == own.low and strict):
        return replace(own, low=value, low_closed=not strict)
    return own


def _speaks_of(problem: Problem, expression: sympy.Expr) -> set[str]:
    """The names in an expression and in what they mean."""
    found: set[str] = set()
    waiting = [s.name for s in expression.free_symbols]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [s.name for s in problem.meanings[name].free_symbols] if name in problem.meanings else []
    return found
