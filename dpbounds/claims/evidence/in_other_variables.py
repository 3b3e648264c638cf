"""A claim in other words: what stands there for w = E(v) is shown for every w in the range of E, and then put back.

Quotients of two variables in exponents, with a variable measured from its end, and functions of one variable that have an inverse get a
name; a premise such as x² ≤ 3 becomes a range. Nothing here is believed: the joined document shows the range, what the inverse is, and
that it says what the claim does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.domain import Domain
from dpbounds.claims.evidence.points import values_of
from dpbounds.claims.evidence.powers import exponent_in, stated
from dpbounds.language import functions

_RELATIONS = (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)
_MOST = 3
"""Functions of a variable that are tried, the largest first."""
_ENDS = (sympy.S.NegativeOne, sympy.S.Zero, sympy.Rational(1, 2), sympy.S.One)
"""Numbers between which a function may lie."""


@dataclass(frozen=True)
class Renamed:
    """A claim in a new variable.

    Attributes:
        claim: with the new variable.
        values: what it stands for.
        known: what the joined document may need: the range of the new variable.
        added: an equation that is added to it, the old variable as a function of the new one, and how often.
        ranges: ends of variables, and the quadratic premises that say them.
        raised: u and v where the new claim says u ≤ v, and e^u ≤ e^v is the old one.
    """

    claim: Claim
    values: Mapping[str, Any]
    known: tuple[Claim, ...] = ()
    added: tuple[tuple[Claim, Any], ...] = ()
    ranges: tuple[tuple[Any, Any], ...] = ()
    raised: tuple[Any, Any] | None = None


def in_other_variables(claim: Claim) -> Iterator[Renamed]:
    """The ways in which a claim may be simpler in another variable.

    >>> x, y = sympy.symbols("x y", positive=True)
    >>> from dpbounds.claims.signs import with_signs
    >>> claim = Claim(id="a", then=sympy.exp((1 - x) / y) <= 1 / x, given=[x >= 1, y > 0])
    >>> [(part.claim.then, part.values) for part in in_other_variables(with_signs(claim))]
    [(exp(-w_x) <= 1/(w_x*y + 1), {'w_x': (x - 1)/y})]
    """
    if not isinstance(claim.then, _RELATIONS) or claim.families:
        return
    yield from _without_a_bound(claim)
    yield from _by_ranges(claim)
    yield from _by_quotients(claim)
    yield from _by_names(claim)
    yield from _by_roots(claim)


def _by_ranges(claim: Claim) -> Iterator[Renamed]:
    """With a range in the place of each quadratic premise on one variable, such as x² ≤ 3; the premise stays where the ends are rounded."""
    given, found = list[Any](), list[tuple[Any, Any]]()
    for premise in claim.given:
        ends = _ends_of_quadratic(premise) if isinstance(premise, _RELATIONS) else None
        if ends is None:
            given.append(premise)
            continue
        (x,), (low, high) = premise.free_symbols, ends
        exact = all(end.is_Rational for end in ends)
        low, high = ends if exact else (sympy.floor(64 * low) / 64, sympy.ceiling(64 * high) / 64)
        strict = exact and isinstance(premise, (sympy.Lt, sympy.Gt))
        order = sympy.Lt if strict else sympy.Le
        ranges = [order(low, x, evaluate=False), order(x, high, evaluate=False)]
        given += ranges if exact else [premise, *ranges]
        found += [(part, premise) for part in ranges]
    if found:
        yield Renamed(stated(claim, claim.then, given), {}, ranges=tuple(found))


def _ends_of_quadratic(premise: Any) -> tuple[Any, Any] | None:
    """The ends of the range that a premise a·x² + b·x ≤ c says, with a > 0."""
    gap = sympy.expand(premise.gts - premise.lts)
    if len(gap.free_symbols) != 1:
        return None
    (x,) = gap.free_symbols
    if not gap.is_polynomial(x) or sympy.degree(gap, x) != 2 or not gap.coeff(x, 2).is_negative:
        return None
    a, b, c = (gap.coeff(x, k) for k in (2, 1, 0))
    inside = b**2 - 4 * a * c
    return ((-b + sympy.sqrt(inside)) / (2 * a), (-b - sympy.sqrt(inside)) / (2 * a)) if inside.is_positive else None


def _by_quotients(claim: Claim) -> Iterator[Renamed]:
    """v = c + u·w for a variable v ≥ c and a variable u > 0, where an exponential has the quotient v/u."""
    bounds = Domain.of_claim(claim).bounds()
    pairs: dict[tuple[Any, Any], None] = {}
    for node in sorted(claim.then.atoms(sympy.exp), key=str):
        for part in sympy.Add.make_args(sympy.expand(node.args[0])):
            above, under = (s.free_symbols for s in part.as_numer_denom())
            if len(above) == len(under) == 1 and sympy.cancel(part * min(under) / min(above)).is_number:
                pairs[min(above), min(under)] = None
    for v, u in pairs:
        (low, high), (least, _) = (bounds.get(s, (None, None)) for s in (v, u))
        if low is None or high is not None or v.is_integer or least is None or least < 0:
            continue
        w, own = sympy.Symbol(f"w_{v.name}", real=True), [p for p in claim.given if p.free_symbols == {v}]
        given = [p for p in claim.given if p not in own]
        if any(v in p.free_symbols for p in given) or low == 0:
            continue
        end = sympy.Rational(low)
        then, values = _tidy(claim.then, {v: end + u * w}), {w.name: (v - end) / u}
        ends, free = [p for p in given if p.free_symbols == {u}], [p for p in given if u not in p.free_symbols]
        if len(ends) + len(free) == len(given) and all(p == (u > 0) for p in ends):
            t = sympy.Symbol(f"w_{u.name}", real=True)
            turned = _tidy(then, {u: 1 / t})
            if not any(p.has(t) and p.exp.is_negative for p in turned.atoms(sympy.Pow)):
                then, values, given = turned, {**values, t.name: 1 / u}, [*free, sympy.Gt(t, 0, evaluate=False)]
        yield Renamed(stated(claim, then, [sympy.Ge(w, 0, evaluate=False), *given]), values)


def _by_names(claim: Claim) -> Iterator[Renamed]:
    """w = E(v) for a function of one variable with an inverse."""
    for v in sorted(claim.variables, key=str):
        if v.is_integer or any(v in p.free_symbols and p.free_symbols != {v} for p in claim.given):
            continue
        points = _points(claim, v)
        parts = (n for n in sympy.preorder_traversal(claim.then) if n.free_symbols == {v})
        nodes = [n for n in parts if isinstance(n, (sympy.log, sympy.exp)) and not _is_multiple(n.args[0])]
        own = [p for p in claim.given if p.free_symbols == {v}]
        for node in sorted(dict.fromkeys(n for n in nodes), key=sympy.count_ops, reverse=True)[:_MOST]:
            values = values_of(node, v, points)
            if values is None or len(values) < 2:
                continue
            sign = -1 if all(value < 0 for value in values) else 1
            named, w = sign * node, sympy.Symbol(f"w_{v.name}", real=True)
            inverse = inverse_of(node, v, sign * w, points)
            if inverse is None:
                continue
            sides = _logarithms(claim.then)
            whole = claim.then if sides is None else sympy.Le(*sides, evaluate=False)
            then = _tidy(whole, {v: inverse}, {node: sign * w})
            ends = [sign * value for value in values]
            lows, highs = [e for e in _ENDS if all(e < end for end in ends)], [e for e in _ENDS if all(end < e for end in ends)]
            ranges = [sympy.Lt(e, w, evaluate=False) for e in lows[-1:]] + [sympy.Lt(w, e, evaluate=False) for e in highs[:1]]
            back = stated(claim, sympy.Eq(inverse.xreplace({w: named}), v, evaluate=False), own)
            mark = sympy.Dummy()
            slope = sympy.expand((whole.gts - whole.lts).xreplace({node: mark})).coeff(v).xreplace({mark: node}) if sides is None else 0
            shown = [r.xreplace({w: named}) for r in ranges]
            shown += [sympy.Lt(0, node.args[0], evaluate=False)] if isinstance(node, sympy.log) else []
            known = [stated(claim, part, own) for part in shown]
            inside = [] if sides is None else sides[0].atoms(sympy.log) - sides[1].atoms(sympy.log)
            known += [stated(claim, sympy.Lt(0, e.args[0], evaluate=False)) for e in inside]
            given = [p for p in claim.given if p not in own]
            added = ((back, slope),) * (slope != 0)
            yield Renamed(stated(claim, then, [*ranges, *given]), {w.name: named}, tuple(known), added, raised=sides)


def _logarithms(then: Any) -> tuple[Any, Any] | None:
    """log(c·e^{E − F} + d) + F and G of c·e^E + d·e^F ≤ e^G: a gap may have an axis of symmetry that its exponential has not.

    >>> t, p = sympy.symbols("t p", positive=True)
    >>> _logarithms(p * sympy.exp((1 - p) * t) + (1 - p) * sympy.exp(-p * t) <= sympy.exp(t**2))
    (-p*t + log(p*exp(t) - p + 1), t**2)
    """
    terms = [exponent_in(part) for part in sympy.Add.make_args(then.lts)]
    if len(terms) != 2 or not isinstance(then.gts, sympy.exp) or any(e == 0 for _, e in terms):
        return None
    (c, e), (d, f) = sorted(terms, key=lambda term: sympy.expand(term[1]).could_extract_minus_sign())
    return sympy.log(c * sympy.exp(sympy.expand(e - f)) + d) + f, then.gts.args[0]


def _by_roots(claim: Claim) -> Iterator[Renamed]:
    """w = log v for a variable v ≥ 1 with a root of its logarithm."""
    bounds = Domain.of_claim(claim).bounds()
    for v in sorted(claim.variables, key=str):
        own = [p for p in claim.given if v in p.free_symbols]
        named, w = sympy.log(v), sympy.Symbol(f"w_{v.name}", real=True)
        low = bounds.get(v, (None, None))[0]
        if claim.then.has(sympy.sqrt(named)) and (low == 1 or v.is_integer and low == 0) and all(p.free_symbols == {v} for p in own):
            then = _tidy(claim.then, {v: sympy.exp(w)}, {named: w})
            least = stated(claim, sympy.Ge(named, 0, evaluate=False), own)
            given = [sympy.Ge(w, 0, evaluate=False), *(p for p in claim.given if p not in own)]
            yield Renamed(stated(claim, then, given), {w.name: named}, (least,))


def _without_a_bound(claim: Claim) -> Iterator[Renamed]:
    """Of integrals: without a number that a variable is at most, for what holds near it may hold beyond."""
    for premise in claim.given if claim.then.has(sympy.Integral) else ():
        if isinstance(premise, _RELATIONS) and premise.lts.is_Symbol and premise.gts.is_number:
            yield Renamed(stated(claim, claim.then, [p for p in claim.given if p != premise]), {})


def _is_multiple(e: Any) -> bool:
    """Whether it is a variable times a number."""
    return e.as_coeff_Mul()[1].is_Symbol


def _points(claim: Claim, v: Any) -> list[Any]:
    """Some values of a variable, near its ends and between them."""
    low, high = Domain.of_claim(claim).bounds().get(v, (None, None))
    shares = [sympy.Rational(k, 1000) for k in (1, 200, 400, 600, 800, 999)]
    low, high = (None if end is None else sympy.Rational(end) for end in (low, high))
    if low is not None and high is not None:
        return [low + (high - low) * s for s in shares]
    if low is None and high is None:
        return [(2 * s - 1) / (s * (1 - s)) for s in shares]
    return [low + s / (1 - s) for s in shares] if low is not None else [high - s / (1 - s) for s in shares]


def inverse_of(e: Any, v: Any, w: Any, points: list[Any]) -> Any:
    """v as a function of w = e(v), by logarithms, exponentials and quadratic equations; None where they do not suffice.

    >>> d, w = sympy.symbols("d w")
    >>> inverse_of(sympy.log(4 * d * (1 - d)), d, w, [sympy.Rational(1, 4)])
    1/2 - sqrt(1 - exp(w))/2
    """
    value = w
    while e != v:
        if isinstance(e, sympy.log):
            e, value = e.args[0], sympy.exp(value)
            continue
        inner = {n for n in sympy.preorder_traversal(e) if n == v or isinstance(n, (sympy.exp, sympy.log)) and n.has(v)}
        tops = [n for n in inner if not any(n != m and m.has(n) for m in inner)]
        if isinstance(e, sympy.exp):
            e, value = e.args[0], sympy.log(value)
            continue
        if len(tops) != 1:
            return None
        t = sympy.Dummy("t")
        n, d = sympy.fraction(sympy.together(e.xreplace({tops[0]: t})))
        target = sympy.Dummy("target")
        try:
            equation = sympy.Poly(n - target * d, t)
        except sympy.PolynomialError:
            return None
        if equation.degree() not in (1, 2) or equation.has(v):
            return None
        found = [r for r in sympy.roots(equation, t) if _fits(r, target, e, tops[0], v, points)]
        if len(found) != 1:
            return None
        e, value = tops[0], sympy.expand(sympy.simplify(found[0])).xreplace({target: value})
    return value


def _fits(root: Any, target: Any, e: Any, top: Any, v: Any, points: list[Any]) -> bool:
    """Whether a root is the inner function at some values of its variable."""
    return all(abs(d) < 1e-9 for d in values_of(root.xreplace({target: e}) - top, v, points) or [math.inf])


def _tidy(then: Any, values: Mapping[Any, Any], named: Mapping[Any, Any] = MappingProxyType({})) -> Any:
    """A relation in other variables, with its exponents and logarithms multiplied out; `named` are put in first."""
    sides = []
    for side in then.args:
        side = functions.with_replaced(side.xreplace(dict(named)), dict(values))
        exponents = {e: sympy.exp(sympy.expand(sympy.cancel(e.args[0]))) for e in side.atoms(sympy.exp) if e.args[0].is_rational_function()}
        sides.append(side.xreplace(exponents))
    return type(then)(*sides, evaluate=False)
