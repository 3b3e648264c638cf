"""Closed forms of sums and integrals: what may stand in the place of a sum or an integral of a statement. Untrusted: a document shows them.

A certificate names, for a sum or an integral, a rule and the expressions that the rule speaks of. What is left to show is the statement
with closed forms where the sums were.

* "antiderivative" of ∫_a^b f(v) dv: G with G' = f on an open range of v that holds a and b. Everything in G and f is defined on that range,
  so both are continuous there, and the integral is G(b) − G(a). Ends of the range may belong to it; G has a value there, and so is
  continuous up to there, but f need not have one. An end of the integral may also be an open end of the range, a number or infinite:
  G → 0 there, and the integral is the limit, without that value of G.
* "telescope" of Σ_{k=a}^n f(k): G with G(k + 1) − G(k) = f(k), so that the sum is G(n + 1) − G(a).
* "binomial" of Σ_{k=0}^n C(n, k)·g(k), n an integer ≥ 0, with g(k + 1) = r·g(k): the sum is g(0)·(1 + r)^n by the binomial theorem.
* "pieces" of an integral: `pieces` has them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.descent import polynomials as poly
from dpbounds.descent.images import through
from dpbounds.descent.integrals.pieces import pieces
from dpbounds.descent.integrals.sums import SumOrIntegral, at_any_end, at_end, bound_of, lies_inside, nodes_of, sums_in
from dpbounds.descent.interval import end_of
from dpbounds.descent.limits import lower_limit
from dpbounds.descent.polynomials import Quotient
from dpbounds.descent.problem import Problem
from dpbounds.descent.reading import TowerReader
from dpbounds.descent.refusal import need
from dpbounds.descent.tower import Range, Tower
from dpbounds.descent.written import expression_of


def check_closed(problem: Problem, rows: Sequence[Any], integers: frozenset[str]) -> Problem:
    """The problem with closed forms in the place of sums and integrals; a row that is None leaves its node.

    Raises:
        Refused: a closed form is not seen.
    """
    nodes = nodes_of(problem)
    need(len(rows) == len(nodes) and any(rows), "one row for each sum and integral")
    closed = problem
    for node, row in zip(nodes, rows, strict=True):
        if row is not None:
            value = RULES[row["by"]](problem, bound_of(problem, node), row, integers)
            need(node not in sums_in(closed, value, itself=True), "a closed form that speaks of what it stands for")
            if row["by"] == "pieces":
                need(not any(value.has(other) for other in nodes), "a part that is in the statement itself")
                known = [other for other in problem.nodes if isinstance(other, sympy.Integral)]
                need(not any(value.has(other) for other in known), "a part with a closed form")
            closed = replace(closed, nodes={**closed.nodes, node: value})
    return closed


def antiderivative(problem: Problem, bound: SumOrIntegral, row: Mapping[str, Any], integers: frozenset[str]) -> sympy.Expr:
    """∫_a^b f = G(b) − G(a), without the value of G at an open end of the range, where G → 0."""
    need(isinstance(bound.node, sympy.Integral), "no integral")
    ends = end_of(row["range"][0]), end_of(row["range"][1])
    closed = _closed_ends(row)
    improper = [
        (side, end)
        for side, end, own, within in ((1, ends[0], bound.low, closed[0]), (-1, ends[1], bound.high, closed[1]))
        if not within and own == (-side * sympy.oo if end is None else sympy.Rational(end))
    ]
    if any(closed) or any(end is not None for _, end in improper):
        need(not _stands_in_a_form(problem, bound.node), "a part of an integral, whose integrand needs a value at its ends")
    proper = [(side, own) for side, own in ((-1, bound.high), (1, bound.low)) if side not in dict(improper)]
    need(all(not own.is_infinite and lies_inside(problem, own, ends, closed) for _, own in proper), "an end outside of the range")
    own = expression_of(row["of"], (*problem.box, bound.name))
    for reader, place in _places(problem, bound, ends, row):
        g, f = reader.read(own), reader.read(bound.term)
        tower, images = place["made"]
        v = tower.index_of(bound.name)
        above = through(g, images)
        need(tower.equal(tower.slope_of_quotient(above, v), through(f, images)), "not an antiderivative")
        for side, end in improper:
            _vanishes(tower, above, v, end, side, int(row["order"]))
    values = [at_any_end(row["of"], bound, own, problem) for _, own in proper]
    signed = [value if side == -1 else sympy.Mul(-1, value, evaluate=False) for (side, _), value in zip(proper, values, strict=True)]
    return sympy.Add(*signed, evaluate=False) if len(signed) != 1 else signed[0]


def _closed_ends(row: Mapping[str, Any]) -> tuple[bool, bool]:
    """Which ends of the range belong to it: G is defined there, whatever the other variables are, and so it is continuous up to there."""
    low, high = (places is not None for places in row.get("closed", (None, None)))
    return low, high


def _stands_in_a_form(problem: Problem, node: sympy.Basic) -> bool:
    """Whether it is a part of another sum or integral, that is, of what stands for one."""
    return any(form.has(node) for form in problem.nodes.values())


def reader_at(problem: Problem, bound: SumOrIntegral, end: Fraction) -> TowerReader:
    """A reader where the variable of an integral is at an end of its range."""
    return TowerReader(Tower(), problem.ranges, {**problem.meanings, bound.name: sympy.Rational(end)})


def telescope(problem: Problem, bound: SumOrIntegral, row: Mapping[str, Any], integers: frozenset[str]) -> sympy.Expr:
    """Σ_{k=a}^n f(k) = G(n + 1) − G(a)."""
    _runs_to_integer(problem, bound, integers)
    low = sympy.Mul(-1, at_end(row["of"], bound, bound.low, problem), evaluate=False)
    return sympy.Add(at_end(row["of"], bound, sympy.Add(bound.high, 1), problem), low, evaluate=False)


def binomial(problem: Problem, bound: SumOrIntegral, row: Mapping[str, Any], integers: frozenset[str]) -> sympy.Expr:
    """Σ_{k=0}^n C(n, k)·g(k) = g(0)·(1 + r)^n."""
    n = _runs_to_integer(problem, bound, integers)
    need(bound.first == 0, "a row that begins late")
    first, ratio = (expression_of(row[key], problem.box) for key in ("first", "ratio"))
    whole = sympy.Pow(sympy.Add(sympy.S.One, ratio, evaluate=False), sympy.Symbol(n.name), evaluate=False)
    return sympy.Mul(first, whole, evaluate=False)


RULES: dict[str, Callable[[Problem, SumOrIntegral, Mapping[str, Any], frozenset[str]], sympy.Expr]] = {
    "antiderivative": antiderivative,
    "telescope": telescope,
    "binomial": binomial,
    "pieces": pieces,
}


# --- parts of rules


def _runs_to_integer(problem: Problem, bound: SumOrIntegral, integers: frozenset[str]) -> sympy.Symbol:
    """n of a sum from a to an integer variable n ≥ a − 1."""
    n = bound.high
    need(n.is_Symbol and n.name in integers and n.name in problem.box, "a sum that does not run to an integer variable")
    low = problem.box[n.name].low
    need(low is not None and low >= bound.first - 1, "a sum that may run backwards")
    return n


def _places(problem: Problem, bound: SumOrIntegral, ends: Range, row: Mapping[str, Any]) -> list[tuple[TowerReader, Any]]:
    """A reader for the open box and each closed face, where the variable of the sum or integral has an open range, and its document."""
    faces = [problem.with_fixed(fixed) for fixed in problem.faces()]
    readers = [TowerReader(Tower(), {**here.ranges, bound.name: ends}, here.meanings) for here in faces]
    return list(zip(readers, row["places"], strict=True))


def _vanishes(tower: Tower, value: Quotient, v: int, end: Fraction | None, side: int, order: int) -> None:
    """The function tends to 0 at an end of its range, the lower one for side 1 and the upper one for side −1, for every value of the
    other variables: both it and its negative have a limes inferior ≥ 0 there."""
    n, d = value
    below = tower.sign(d)
    need(below, "a denominator without a sign")
    for sign in (1, -1):
        way = side if end is not None else -side
        limit = lower_limit(tower, poly.scaled(n, sign), poly.scaled(d, below or 0), v, end, way, order)[1]
        need(limit is not None and not limit[0], "what does not tend to 0")
