"""Closed forms of sums and integrals: what may stand in the place of a sum or an integral of a statement, and why.

A certificate names, for a sum or an integral, a rule and the expressions that the rule speaks of. Each rule is a theorem. Its conditions
are identities between tower functions, which are shown on the whole box of the statement and on each of its closed faces, or inequalities,
which have certificates of their own. The statement that is left has the closed form where the sum was; where the form is B − w
with a new w ≥ 0 and the sum is the whole smaller side, it may have B there ("above").

* "antiderivative" of ∫_a^b f(v) dv: G with G' = f on an open range of v that holds a and b. Everything in G and f is defined on that range,
  so both are continuous there, and the integral is G(b) − G(a). Ends of the range may belong to it; G has a value there, and so is
  continuous up to there, but f need not have one. An end of the integral may also be an open end of the range, a number or infinite:
  G → 0 there, and the integral is the limit, without that value of G. (f has one sign near the end of the range, as a function made of
  exp, log and Φ has, so the limit is also its value as a Lebesgue integral.)
* "telescope" of Σ_{k=a}^∞ f(k): G with G(k + 1) − G(k) = f(k) for all real k > a − 1, and G → 0: the sum is −G(a).
  The sum to an integer b ≥ a − 1 is G(b + 1) − G(a), whatever G tends to. To infinity, a may be a sum of integer variables; k then lies
  above the least value of a, less 1.
* "reversed" of Σ_{k=a}^b f(k), a and b integers: Σ_{k=a}^b g(k) with g(k) = f(a + b − k) for all real k > a − 1: the same terms from the
  last to the first. It stands in the statement itself, so that an induction may read it.
* "split" of Σ or ∫ of h·(g_1 + … + g_m): the sum of those of h·g_i. Each of these has a value by the rule that gives its own closed form.
  A factor of a sum may be written otherwise first: f = g_1 + … + g_m for all real k > a − 1.
* "binomial" of Σ_{k=0}^n C(n, k)·g(k), n an integer ≥ 0: g(k + 1) = r·g(k) for all real k > −1, so g(k) = g(0)·r^k for the integers, and
  the sum is g(0)·(1 + r)^n by the binomial theorem. That 1 + r > 0 is shown when the power is read. A sum from an a ≤ n + 1 on lacks
  C(n, k)·g(0)·r^k for k < a, where C(n, k) is n(n − 1)⋯(n − k + 1)/k!, also for k > n.
* "moments" of Σ_{k=0}^n C(n, k)·f(k) or Σ_{k=a}^∞ f(k)/k!, a ≥ 0: f(k) = P(k)·h(k) for all real k > −1, where h(k + 1) = r·h(k) and
  P = Σ_m c_m·k(k − 1)⋯(k − m + 1) has rational coefficients. C(n, k)·k(k − 1)⋯(k − m + 1) = n(n − 1)⋯(n − m + 1)·C(n − m, k − m): both are
  0 for k < m and for n < m. So the first sum is h(0)·Σ_m c_m·n(n − 1)⋯(n − m + 1)·r^m·(1 + r)^{n−m}. In the same way the second one, from 0
  on, is h(0)·Σ_m c_m·r^m·e^r. A sum from an a on, a ≤ n + 1, lacks the terms with k < a, as for "binomial".
* "absorbed" of Σ_{k=0}^n C(n, k)·g(k)/(k + 1), the same: C(n, k)/(k + 1) = C(n + 1, k + 1)/(n + 1), so r·(n + 1) times the sum is
  g(0)·Σ_{k=1}^{n+1} C(n + 1, k)·r^k, and the sum is g(0)·((1 + r)^{n+1} − 1)/(r·(n + 1)). That r ≠ 0 is shown when the quotient is read.
  To infinity, Σ g(k)/(k!·(k + 1)) is Σ g(0)·r^k/(k + 1)! = g(0)·(e^r − 1)/r. Without binomial coefficients and factorials, Σ g(k)/(k + 1)
  is −g(0)·log(1 − r)/r for 0 ≤ r < 1: r ≥ 0 has a certificate, and r < 1 and r ≠ 0 are shown when the form is read.
* "tail" of Σ_{k=a}^∞ g(k)/k! with g(k + 1) = r·g(k), r ≥ 0, g(0) ≥ 0, for a sum a ≥ 0 of integer variables: (a + i)! ≥ a!·i!, so it is
  g(0)·r^a·e^r/a! less a number w ≥ 0. The sum from a number a to an integer variable n ≥ a − 1 lacks the tail from n + 1 on.
* "first" of Σ_{k=a}^b f(k), b ≥ a: f(a), where f(k) is 0 for all real k > a, as 0^k/k! is for k > 0.
* "tilted" of Σ_{k=a}^b C(N, k)·g(k) or Σ_{k=a}^b g(k)/k!, with N ≥ 0, 0 ≤ a ≤ b + 1 and g(k + 1) = r·g(k), r ≥ 0, g(0) ≥ 0: for x ≥ 1
  no term is less after a factor x^{k − a}, and for 0 < x ≤ 1 after x^{k − b}; then terms ≥ 0 are added until the row or the series is
  whole. So the sum is x^{−a}·g(0)·(1 + r·x)^N or x^{−a}·g(0)·e^{r·x} (with b in place of a) less a number w ≥ 0: Chernoff's bound.
* "exponential" of Σ_{k=a}^n g(k)/k!, a ≥ 0: g(k + 1) = r·g(k) again. The sum of all terms is g(0)·e^r, so the sum to infinity is that less
  the first a terms. When r ≥ 0 and g(0) ≥ 0, the sum to an integer n ≥ a − 1 leaves out terms ≥ 0: it is that less a number w ≥ 0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.descent import polynomials as poly
from dpbounds.descent.images import through
from dpbounds.descent.induction import Elsewhere, SumReader
from dpbounds.descent.integrals.compared import ends_at_integer, monotone, terms
from dpbounds.descent.integrals.pieces import pieces
from dpbounds.descent.integrals.sums import (
    Closed,
    SumOrIntegral,
    at_any_end,
    at_end,
    bound_of,
    is_coefficient,
    is_factorial,
    least_first,
    lies_inside,
    nodes_of,
    sums_in,
)
from dpbounds.descent.interval import Interval, end_of, number_of
from dpbounds.descent.limits import lower_limit
from dpbounds.descent.logarithms import require_counts
from dpbounds.descent.polynomials import ONE, Quotient
from dpbounds.descent.problem import Problem
from dpbounds.descent.reading import TowerReader
from dpbounds.descent.refusal import need
from dpbounds.descent.tower import Range, Tower
from dpbounds.descent.written import expression_of, row_of
from dpbounds.language.functions import unevaluated, with_replaced

_MOST_TERMS = 40
"""Terms of a series that are left out at its beginning."""
_HIGHEST_MOMENT = 8
"""The degree of a polynomial beside binomial coefficients or reciprocal factorials."""


def check_closed(problem: Problem, rows: Sequence[Any], integers: frozenset[str]) -> Problem:
    """The problem with closed forms in the place of sums and integrals, once each of them is shown; a row that is None leaves its node.

    Raises:
        Refused: a closed form is not shown.
    """
    nodes = nodes_of(problem)
    need(len(rows) == len(nodes) and any(rows), "one row for each sum and integral")
    closed = problem
    for i, (node, row) in enumerate(zip(nodes, rows, strict=True)):
        if row is not None:
            rest = f"rest_{i}" if f"rest_{i}" not in problem.box else f"rest_{i}_{len(problem.box)}"
            value, box = RULES[row["by"]](problem, bound_of(problem, node), row, integers, rest)
            need(not set(box) & (set(closed.box) | set(closed.meanings)), "a name that is taken")
            need(node not in sums_in(closed, value, itself=True), "a closed form that speaks of what it stands for")
            if row["by"] == "pieces":
                need(not any(value.has(other) for other in nodes), "a part that is in the statement itself")
                known = [other for other in problem.nodes if isinstance(other, sympy.Integral)]
                need(not any(value.has(other) for other in known), "a part with a closed form")
            if row["by"] == "reversed":
                need(not closed.nodes, "a sum inside of another closed form")
                closed = replace(closed, large=with_replaced(closed.large, {node: value}), small=with_replaced(closed.small, {node: value}))
            elif "above" in row:
                closed = replace(closed, small=_bound_above(closed, node, value, box, rest))
            else:
                closed = replace(closed, nodes={**closed.nodes, node: value}, box={**closed.box, **box})
    return closed


def _bound_above(problem: Problem, node: sympy.Basic, value: sympy.Expr, box: Mapping[str, Interval], rest: str) -> sympy.Expr:
    """B where N = B − w with w ≥ 0 is the whole smaller side: B ≤ large says more than N ≤ large, and it has no new variable."""
    need(problem.small == node and not problem.nodes and not sums_in(problem, problem.large), "not the whole smaller side")
    less = sympy.Mul(-1, sympy.Symbol(rest), evaluate=False)
    need(list(box) == [rest] and isinstance(value, sympy.Add) and value.args[1:] == (less,), "no bound from above")
    bound = value.args[0]
    need(rest not in {s.name for s in bound.free_symbols}, "no bound from above")
    return bound


def antiderivative(problem: Problem, bound: SumOrIntegral, row: Mapping[str, Any], integers: frozenset[str], rest: str) -> Closed:
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
    return (sympy.Add(*signed, evaluate=False) if len(signed) != 1 else signed[0]), {}


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


def telescope(problem: Problem, bound: SumOrIntegral, row: Mapping[str, Any], integers: frozenset[str], rest: str) -> Closed:
    """Σ_{k≥a} f(k) = −G(a), or G(b + 1) − G(a)."""
    infinite = bound.high is sympy.oo
    need(infinite or ends_at_integer(bound, integers), "a sum that does not run between integers")
    need(infinite or lies_inside(problem, bound.high, (Fraction(bound.first) - 2, None)), "a sum that may run backwards")
    ends: Range = (Fraction((least_first(problem, bound, integers) if infinite else bound.first) - 1), None)
    own = expression_of(row["of"], (*problem.box, bound.name))
    for reader, place in _places(problem, bound, ends, row):
        g, f = reader.read(own), reader.read(bound.term)
        k = reader.read(sympy.Symbol(bound.name))
        later = Elsewhere(reader, bound.name, poly.sum_of([k, (ONE, ONE)])).read(own)
        tower, images = place["made"]
        g, f, later = (through(part, images) for part in (g, f, later))
        need(tower.equal(later, poly.sum_of([g, f])), "not a telescope")
        if infinite:
            _vanishes(tower, g, tower.index_of(bound.name), None, -1, int(row["order"]))
    low = sympy.Mul(-1, at_end(row["of"], bound, bound.low, problem), evaluate=False)
    if infinite:
        return low, {}
    after = sympy.Add(bound.high, 1)
    return sympy.Add(at_end(row["of"], bound, after, problem), low, evaluate=False), {}


def binomial(problem: Problem, bound: SumOrIntegral, row: Mapping[str, Any], integers: frozenset[str], rest: str) -> Closed:
    """Σ_{k=a}^n C(n, k)·g(k) = g(0)·((1 + r)^n − Σ_{k<a} C(n, k)·r^k)."""
    n = _row_to(problem, bound, integers, late=True)
    first, ratio = _geometric(
        problem, bound, _without(bound.term, lambda e: isinstance(e, sympy.binomial) and _is_row(e, n, bound.name)), row
    )
    parts = [_power_of_row(ratio, sympy.Symbol(n.name))]
    for i in range(bound.first):
        count = sympy.Mul(sympy.Rational(-1, sympy.factorial(i)), _falling(sympy.Symbol(n.name), i), evaluate=False)
        parts.append(sympy.Mul(count, sympy.Pow(ratio, i, evaluate=False), evaluate=False))
    return sympy.Mul(first, sympy.Add(*parts, evaluate=False), evaluate=False), {}


def absorbed(problem: Problem, bound: SumOrIntegral, row: Mapping[str, Any], integers: frozenset[str], rest: str) -> Closed:
    """Σ C(n, k)·g(k)/(k + 1) = g(0)·((1 + r)^{n+1} − 1)/(r·(n + 1)), and to infinity Σ g(k)/(k!·(k + 1)) and Σ g(k)/(k + 1)."""
    n = None if bound.high is sympy.oo else _row_to(problem, bound, integers)

    def divides(e: sympy.Expr) -> bool:
        """Whether it is 1/(k + 1)."""
        if not (isinstance(e, sympy.Pow) and e.args[1] == -1 and isinstance(e.args[0], sympy.Add) and len(e.args[0].args) == 2):
            return False
        one, k = sorted(e.args[0].args, key=lambda part: bool(part.is_Symbol))
        return bool(one == 1 and k.is_Symbol and k.name == bound.name)

    own = _without(bound.term, divides)
    if n is None:
        need(isinstance(bound.node, sympy.Sum) and bound.first == 0, "a sum that does not begin at 0")
        own = own if "signs" in row else _without(own, lambda e: is_factorial(e, bound.name))
    else:
        own = _without(own, lambda e: _is_row(e, n, bound.name))
    first, ratio = _geometric(problem, bound, own, row)
    if n is None and "signs" in row:
        left = sympy.Add(sympy.S.One, sympy.Mul(-1, ratio, evaluate=False), evaluate=False)
        above = sympy.Mul(-1, sympy.log(left, evaluate=False), evaluate=False)
        below = [sympy.Pow(ratio, -1, evaluate=False)]
    elif n is None:
        above = sympy.Add(sympy.exp(ratio, evaluate=False), sympy.S.NegativeOne, evaluate=False)
        below = [sympy.Pow(ratio, -1, evaluate=False)]
    else:
        after = sympy.Add(sympy.Symbol(n.name), sympy.S.One, evaluate=False)
        above = sympy.Add(_power_of_row(ratio, after), sympy.S.NegativeOne, evaluate=False)
        below = [sympy.Pow(part, -1, evaluate=False) for part in (ratio, after)]
    return sympy.Mul(first, above, *below, evaluate=False), {}


def tail(problem: Problem, bound: SumOrIntegral, row: Mapping[str, Any], integers: frozenset[str], rest: str) -> Closed:
    """Σ_{k=a}^∞ g(k)/k! = g(0)·r^a·e^r/a! − w, and what is left of the whole series up to n."""
    first, ratio = _geometric(problem, bound, _without(bound.term, lambda e: is_factorial(e, bound.name)), row)
    growth = sympy.exp(ratio, evaluate=False)

    def from_on(a: sympy.Expr) -> sympy.Expr:
        return sympy.Mul(
            sympy.Pow(ratio, a, evaluate=False), growth, sympy.Pow(sympy.factorial(a, evaluate=False), -1, evaluate=False), evaluate=False
        )

    w = sympy.Symbol(rest)
    box = {rest: Interval(Fraction(0), None, True, False)}
    if bound.high is sympy.oo:
        need(least_first(problem, bound, integers) >= 0, "a sum that begins below 0")
        low = expression_of(row_of(bound.low), problem.box)
        value = sympy.Mul(first, from_on(low), evaluate=False)
        return sympy.Add(value, sympy.Mul(-1, w, evaluate=False), evaluate=False), box
    a, n = bound.first, bound.high
    need(0 <= a <= _MOST_TERMS and n.is_Symbol and n.name in integers, "a sum that does not run to an integer variable")
    least = _least_of(problem, n)
    need(least is not None and least >= max(0, a - 1), "a sum that may run backwards")
    powers = [sympy.Mul(-1, sympy.Rational(1, sympy.factorial(i)), sympy.Pow(ratio, i, evaluate=False), evaluate=False) for i in range(a)]
    beyond = from_on(sympy.Add(sympy.Symbol(n.name), 1, evaluate=False))
    value = sympy.Add(growth, *powers, sympy.Mul(-1, beyond, evaluate=False), evaluate=False)
    return sympy.Add(sympy.Mul(first, value, evaluate=False), w, evaluate=False), box


def tilted(problem: Problem, bound: SumOrIntegral, row: Mapping[str, Any], integers: frozenset[str], rest: str) -> Closed:
    """Σ_{k=a}^b C(N, k)·g(k) = x^{−a}·g(0)·(1 + r·x)^N − w for x ≥ 1, and with x^{−b} for 0 < x ≤ 1; g(k)/k! likewise."""
    need(isinstance(bound.node, sympy.Sum) and ends_at_integer(bound, integers), "no sum between integers")
    need(least_first(problem, bound, integers) >= 0, "a sum that begins below 0")
    below = row["side"] == -1
    need(not (below and bound.high is sympy.oo), "no such side")
    counts = [e for e in sympy.Mul.make_args(bound.term) if is_coefficient(e, bound.name)]
    need(len(counts) <= 1, "several binomial coefficients")
    kept = counts or [e for e in sympy.Mul.make_args(bound.term) if is_factorial(e, bound.name)][:1]
    first, ratio = _geometric(problem, bound, _without(bound.term, lambda e: e in kept), row)
    x = expression_of(row["of"], problem.box)
    growth = sympy.Mul(ratio, x, evaluate=False)
    whole = sympy.exp(growth, evaluate=False)
    if counts:
        n = expression_of(row_of(counts[0].args[0]), problem.box)
        require_counts(problem, [n], integers)
        whole = _power_of_row(growth, n)
    end = expression_of(row_of(bound.high if below else bound.low), problem.box)
    value = sympy.Mul(first, sympy.Pow(x, sympy.Mul(-1, end, evaluate=False), evaluate=False), whole, evaluate=False)
    return sympy.Add(value, sympy.Mul(-1, sympy.Symbol(rest), evaluate=False), evaluate=False), {
        rest: Interval(Fraction(0), None, True, False)
    }


def exponential(problem: Problem, bound: SumOrIntegral, row: Mapping[str, Any], integers: frozenset[str], rest: str) -> Closed:
    """Σ_{k=a}^n g(k)/k! = g(0)·(e^r − Σ_{k<a} r^k/k!) − w."""
    a, n = bound.first, bound.high
    need(0 <= a <= _MOST_TERMS, "a late start")

    first, ratio = _geometric(problem, bound, _without(bound.term, lambda e: is_factorial(e, bound.name)), row)
    powers = [sympy.Mul(-1, sympy.Rational(1, sympy.factorial(i)), sympy.Pow(ratio, i, evaluate=False), evaluate=False) for i in range(a)]
    value = sympy.Mul(first, sympy.Add(sympy.exp(ratio, evaluate=False), *powers, evaluate=False), evaluate=False)
    if n is sympy.oo:
        return value, {}
    need(n.is_Symbol and n.name in integers, "a sum that does not run to an integer variable")
    least = _least_of(problem, n)
    need(least is not None and least >= a - 1, "a sum that may run backwards")
    value = sympy.Add(value, sympy.Mul(-1, sympy.Symbol(rest), evaluate=False), evaluate=False)
    return value, {rest: Interval(Fraction(0), None, True, False)}


def only_first(problem: Problem, bound: SumOrIntegral, row: Mapping[str, Any], integers: frozenset[str], rest: str) -> Closed:
    """Σ_{k=a}^b f(k) = f(a), where all other terms are 0."""
    a, infinite = bound.first, bound.high is sympy.oo
    need(infinite or bound.high.is_Symbol and bound.high.name in integers, "a sum that does not run to an integer variable")
    least = None if infinite else _least_of(problem, bound.high)
    need(infinite or (least is not None and least >= a), "a sum that may be empty")
    return with_replaced(bound.term, {s: bound.low for s in bound.term.free_symbols if s.name == bound.name}), {}


def read_after_first(problem: Problem, bound: SumOrIntegral, fixed: Mapping[str, Fraction]) -> TowerReader:
    """The reader of the terms beyond the first one, which are all 0 there, whatever positive numbers factorials are."""
    here = problem.with_fixed(fixed)
    reader = SumReader(Tower(), {**here.ranges, bound.name: (Fraction(bound.first), None)}, here.meanings)
    reader.factorials = []
    need(not reader.read(bound.term)[0], "a term that is not 0")
    return reader


def moments(problem: Problem, bound: SumOrIntegral, row: Mapping[str, Any], integers: frozenset[str], rest: str) -> Closed:
    """Σ C(n, k)·P(k)·h(k), or Σ P(k)·h(k)/k! to infinity."""
    need(isinstance(bound.node, sympy.Sum), "no sum")
    coefficients = [sympy.Rational(c) for c in map(number_of, row["coefficients"])]
    need(len(coefficients) <= _HIGHEST_MOMENT + 1, "a polynomial of high degree")
    infinite = bound.high is sympy.oo
    n = None if infinite else _row_to(problem, bound, integers, late=True)
    own = _without(bound.term, lambda e: is_factorial(e, bound.name) if n is None else _is_row(e, n, bound.name))
    h = expression_of(row["of"], (*problem.box, bound.name))
    weight = weight_of(coefficients, sympy.Symbol(bound.name))
    for reader, place in _places(problem, bound, (Fraction(-1), None), {"places": row["same"]}):
        left, right = reader.read(own), reader.read(sympy.Mul(weight, h, evaluate=False))
        tower, images = place["made"]
        need(tower.equal(through(left, images), through(right, images)), "not that polynomial times that function")
    first, ratio = _geometric(problem, bound, h, row)
    parts = []
    for m, c in enumerate(coefficients):
        power = sympy.Pow(ratio, m, evaluate=False)
        if n is None:
            parts.append(sympy.Mul(c, power, sympy.exp(ratio, evaluate=False), evaluate=False))
        else:
            left_over = sympy.Add(sympy.Symbol(n.name), -m, evaluate=False) if m else sympy.Symbol(n.name)
            parts.append(sympy.Mul(c, _falling(sympy.Symbol(n.name), m), power, _power_of_row(ratio, left_over), evaluate=False))
    need(0 <= bound.first <= _MOST_TERMS, "a late start")
    for i in range(bound.first):
        value = sum(c * sympy.ff(i, m) for m, c in enumerate(coefficients)) / sympy.factorial(i)
        count = [] if n is None else [_falling(sympy.Symbol(n.name), i)]
        parts.append(sympy.Mul(-value, *count, sympy.Pow(ratio, i, evaluate=False), evaluate=False))
    return sympy.Mul(first, sympy.Add(*parts, evaluate=False), evaluate=False), {}


def reversed_sum(problem: Problem, bound: SumOrIntegral, row: Mapping[str, Any], integers: frozenset[str], rest: str) -> Closed:
    """Σ_{k=a}^b f(k) = Σ_{k=a}^b f(a + b − k)."""
    need(isinstance(bound.node, sympy.Sum) and bound.high is not sympy.oo and ends_at_integer(bound, integers), "no sum between integers")
    own = expression_of(row["of"], (*problem.box, bound.name))
    for reader, place in _places(problem, bound, (Fraction(bound.first) - 1, None), row):
        low, high, k = (reader.read(part) for part in (bound.low, bound.high, sympy.Symbol(bound.name)))
        mirrored = poly.sum_of([low, high, (poly.scaled(k[0], -1), k[1])])
        g, f = reader.read(own), Elsewhere(reader, bound.name, mirrored).read(bound.term)
        tower, images = place["made"]
        need(tower.equal(through(g, images), through(f, images)), "not the same terms")
    return unevaluated(sympy.Sum, own, (sympy.Symbol(bound.name), bound.low, bound.high)), {}


def split(problem: Problem, bound: SumOrIntegral, row: Mapping[str, Any], integers: frozenset[str], rest: str) -> Closed:
    """Σ h·(g_1 + … + g_m) = Σ h·g_1 + … + Σ h·g_m, and so for an integral; g_1 + … + g_m may be another form of a factor of a sum."""
    factors, at = list(sympy.Mul.make_args(bound.term)), row["factor"]
    whole = factors[at]
    if "as" in row:
        need(isinstance(bound.node, sympy.Sum), "no sum")
        own = expression_of(row["as"], (*problem.box, bound.name))
        for reader, place in _places(problem, bound, (Fraction(bound.first) - 1, None), row):
            left, right = reader.read(whole), reader.read(own)
            tower, images = place["made"]
            need(tower.equal(through(left, images), through(right, images)), "not another form of that factor")
        whole = with_replaced(own, {sympy.Symbol(bound.name): bound.node.args[1][0]})
    need(isinstance(whole, sympy.Add), "not a sum to split")
    others = factors[:at] + factors[at + 1 :]
    terms_ = [sympy.Mul(*others, *sympy.Mul.make_args(g), evaluate=False) if others else g for g in whole.args]
    return sympy.Add(*(unevaluated(type(bound.node), term, bound.node.args[1]) for term in terms_), evaluate=False), {}


def weight_of(coefficients: Sequence[sympy.Rational], k: sympy.Symbol) -> sympy.Expr:
    """Σ_m c_m·k(k − 1)⋯(k − m + 1)."""
    return sympy.Add(*(sympy.Mul(c, _falling(k, m), evaluate=False) for m, c in enumerate(coefficients)), evaluate=False)


def _falling(k: sympy.Symbol, m: int) -> sympy.Expr:
    """k(k − 1)⋯(k − m + 1)."""
    return sympy.Mul(*(sympy.Add(k, -i, evaluate=False) if i else k for i in range(m)), evaluate=False) if m != 1 else k


RULES: dict[str, Callable[[Problem, SumOrIntegral, Mapping[str, Any], frozenset[str], str], Closed]] = {
    "antiderivative": antiderivative,
    "telescope": telescope,
    "binomial": binomial,
    "absorbed": absorbed,
    "exponential": exponential,
    "first": only_first,
    "tail": tail,
    "tilted": tilted,
    "moments": moments,
    "reversed": reversed_sum,
    "split": split,
    "terms": terms,
    "monotone": monotone,
    "pieces": pieces,
}


# --- parts of rules


def _geometric(problem: Problem, bound: SumOrIntegral, g: sympy.Expr, row: Mapping[str, Any]) -> tuple[sympy.Expr, sympy.Expr]:
    """g(0) and r, where g(k + 1) = r·g(k) for all real k > −1; neither speaks of k."""
    first, ratio = (expression_of(row[key], problem.box) for key in ("first", "ratio"))
    for reader, place in _places(problem, bound, (Fraction(-1), None), row):
        k = reader.read(sympy.Symbol(bound.name))
        now, later, start = (Elsewhere(reader, bound.name, at).read(g) for at in (k, poly.sum_of([k, (ONE, ONE)]), ({}, ONE)))
        one, r = reader.read(first), reader.read(ratio)
        tower, images = place["made"]
        now, later, start, one, r = (through(part, images) for part in (now, later, start, one, r))
        need(tower.equal(start, one), "not the first term")
        need(tower.equal(later, (poly.times(now[0], r[0]), poly.times(now[1], r[1]))), "not that ratio of terms")
    return first, ratio


def _places(problem: Problem, bound: SumOrIntegral, ends: Range, row: Mapping[str, Any]) -> list[tuple[TowerReader, Any]]:
    """A reader for the open box and each closed face, where the variable of the sum or integral has an open range, and its document."""
    found = _faces(problem, row["places"])
    return [(TowerReader(Tower(), {**here.ranges, bound.name: ends}, here.meanings), place) for here, place in found]


def _faces(problem: Problem, places: Sequence[Any]) -> list[tuple[Problem, Any]]:
    """The problem on the open box and on each closed face, and the document of each."""
    faces = list(problem.faces())
    return [(problem.with_fixed(fixed), place) for fixed, place in zip(faces, places, strict=True)]


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


def _row_to(problem: Problem, bound: SumOrIntegral, integers: frozenset[str], *, late: bool = False) -> sympy.Symbol:
    """n of a sum from 0, or from a later a, to an integer variable n ≥ 0 with n ≥ a − 1."""
    n = bound.high
    need(isinstance(bound.node, sympy.Sum), "no sum")
    need(bound.first == 0 or late and 0 < bound.first <= _HIGHEST_MOMENT, "a sum that does not run from 0 to an integer variable")
    need(n.is_Symbol and n.name in integers, "a sum that does not run from 0 to an integer variable")
    low = _least_of(problem, n)
    need(low is not None and low >= max(0, bound.first - 1), "an integer that may be negative")
    return n


def _least_of(problem: Problem, n: sympy.Symbol) -> Fraction | None:
    """The low end of a variable of the box."""
    need(n.name in problem.box, "an end in other variables")
    return problem.box[n.name].low


def _power_of_row(ratio: sympy.Expr, exponent: sympy.Expr) -> sympy.Expr:
    """(1 + r) to some power."""
    return sympy.Pow(sympy.Add(sympy.S.One, ratio, evaluate=False), exponent, evaluate=False)


def _without(term: sympy.Expr, is_part: Callable[[sympy.Expr], bool]) -> sympy.Expr:
    """What is left of a product without one factor."""
    factors = list(sympy.Mul.make_args(term))
    at = [i for i, factor in enumerate(factors) if is_part(factor)]
    need(len(at) == 1, "not one such factor")
    rest = [factor for i, factor in enumerate(factors) if i != at[0]]
    return sympy.Mul(*rest, evaluate=False) if len(rest) != 1 else rest[0]


def _is_row(e: sympy.Expr, n: sympy.Symbol, name: str) -> bool:
    """Whether it is C(n, k)."""
    if not isinstance(e, sympy.binomial):
        return False
    upper, lower = e.args
    return bool(upper.is_Symbol and upper.name == n.name and lower.is_Symbol and lower.name == name)
