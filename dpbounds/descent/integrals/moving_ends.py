"""Integrals with a variable end, by their derivative in it: nothing has to be known of the integral itself.

An inequality k·N + A ≤ B with k > 0 says N ≤ L with L = (B − A)/k, and k·N + A ≥ B likewise; k, A and B have no integrals. "factor" shows
k > 0. Let N(t) = ∫_a^t f or N(t) = ∫_t^b f, where f does not speak of t. The range of t is an open interval
that begins at a, or ends at b; b may be ∞. Take a side s = 1 for N ≤ L and s = −1 for N ≥ L, and any values of the other variables.

f has a value, so is continuous, at a (or at b < ∞) and wherever f(t) is read, which is the whole range of t. So N is differentiable,
N′ = f(t) or −f(t), and N → 0 as t goes to the fixed end, when that is a number. "slope" shows that s·(L − N) does not fall as t leaves
the fixed end: s·(L′ − f(t)) ≥ 0 for ∫_a^t, and s·(−L′ − f(t)) ≥ 0 for ∫_t^b. "limits" shows that the limes inferior of s·L at that end
is ≥ 0. Together s·(L − N) ≥ 0.

For b = ∞ "positive" shows f ≥ 0, so N exists, and is perhaps ∞. For T > t, s·(L(t) − ∫_t^T f) ≥ s·L(T), whose limes inferior is ≥ 0; the
integral on the left rises to N. So s·(L − N) ≥ 0 where N is finite. It is where s = 1: L(t) − L(T) ≥ ∫_t^T f → ∞ would make L(T) → −∞. An
infinite integral has no value, so for s = −1 "finite" shows N ≤ C for an expression C, by the same rule with s = 1.

Premises that speak of t are left out, so what is shown holds between the fixed end and every point of the domain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import sympy

from dpbounds.descent import polynomials as poly
from dpbounds.descent.images import substitution, through
from dpbounds.descent.induction import Elsewhere
from dpbounds.descent.integrals.sums import SumOrIntegral, bound_of, nodes_of
from dpbounds.descent.interval import Interval
from dpbounds.descent.polynomials import Quotient
from dpbounds.descent.problem import Problem, gap_of
from dpbounds.descent.reading import TowerReader
from dpbounds.descent.refusal import need
from dpbounds.descent.tower import Tower


@dataclass(frozen=True)
class MovingEnd:
    """N ≤ L or N ≥ L for an integral N with a variable end, and what it takes.

    Attributes:
        problem: the inequality, with the premises that do not speak of t.
        bound: N.
        factor: k, by which the inequality is divided.
        limit: L.
        variable: t.
        upper: whether t is the upper end.
        side: s, which is 1 for N ≤ L.
    """

    problem: Problem
    bound: SumOrIntegral
    factor: sympy.Expr
    limit: sympy.Expr
    variable: str
    upper: bool
    side: int

    @property
    def end(self) -> Fraction | None:
        """The fixed end, which is where the range of t begins or ends; None is ∞."""
        own = self.problem.box[self.variable]
        return own.low if self.upper else own.high

    def slope(self) -> Slope:
        """s·(L − N) does not fall as t leaves the fixed end."""
        here = self.problem
        return Slope(self.limit, self.bound.term, False, here.box, here.premises, of=self)

    def divided(self) -> Problem:
        """k > 0."""
        return replace(self.problem, large=self.factor, small=sympy.S.Zero, strict=True)

    def defined(self) -> Problem:
        """f has a value at the fixed end and at all t."""
        own = self.problem.box[self.variable]
        closed = replace(own, low_closed=self.upper, high_closed=not self.upper and self.end is not None)
        return self._of_term({**self._others, self.bound.name: closed}, self.bound.term)

    @property
    def _others(self) -> dict[str, Interval]:
        return {name: own for name, own in self.problem.box.items() if name != self.variable}

    def _of_term(self, box: dict[str, Interval], small: sympy.Expr) -> Problem:
        return Problem(self.bound.term, small, False, box, self.problem.premises)


@dataclass(frozen=True)
class Slope(Problem):
    """s·(±L′(t) − f(t)) ≥ 0, where `large` is L and `small` is f.

    The derivative is taken in the variables of the statement, and then written in those of the box: a change of variables renames a point,
    and t alone moves.
    """

    compares: ClassVar[bool] = False
    of: MovingEnd | None = None

    def free(self) -> tuple[Tower, Quotient, tuple[Quotient, ...]]:
        """The derivative, and the premises, over a free tower, in which L and f(t) are read too, so that they are defined."""
        assert self.of is not None
        own, tower = Tower(), Tower()
        before = TowerReader(own, self.of.problem.ranges, {})
        here = TowerReader(tower, self.ranges, self.meanings)
        (limit, f), _ = (self._sides(reader) for reader in (before, here))
        rise, below = own.slope_of_quotient(limit, own.index_of(self.of.variable))
        way = self.of.side if self.of.upper else -self.of.side
        gap = poly.sum_of([(poly.scaled(rise, way), below), (poly.scaled(f[0], -self.of.side), f[1])])
        variables = {i: here.read(sympy.Symbol(g.name)) for i, g in enumerate(own.generators) if g.kind == "variable"}
        known = tuple(gap_of(here, *premise[:2]) for premise in self.premises)
        return tower, through(gap, substitution(own, tower, {}, known=variables)), known

    def _sides(self, reader: TowerReader) -> tuple[Quotient, Quotient]:
        """L, and f at t."""
        assert self.of is not None
        t = reader.read(sympy.Symbol(self.of.variable))
        return reader.read(self.large), Elsewhere(reader, self.of.bound.name, t).read(self.small)


def moving_end(problem: Problem) -> MovingEnd:
    """The integral with a variable end of an inequality.

    Raises:
        Refused: no side is a multiple of such an integral, or the other one has a sum or an integral.
    """
    need(problem.compares and not problem.strict and not problem.nodes and not problem.meanings, "an inequality of another kind")
    need(len(nodes_of(problem)) == 1 and isinstance(nodes_of(problem)[0], sympy.Integral), "not one integral")
    (node,) = nodes_of(problem)
    bound = bound_of(problem, node)
    need(not bound.term.has(sympy.Sum, sympy.Integral), "sums or integrals in it")
    terms = [(sign, term) for sign, part in ((1, problem.large), (-1, problem.small)) for term in sympy.Add.make_args(part)]
    own, rest = ([(sign, term) for sign, term in terms if term.has(node) == inside] for inside in (True, False))
    need(len(own) == 1, "an integral in several terms")
    ((sign, term),) = own
    factors = list(sympy.Mul.make_args(term))
    need(factors.count(node) == 1 and sum(factor.has(node) for factor in factors) == 1, "no multiple of an integral")
    numbers = [factor for factor in factors if factor.is_Rational]
    side = -sign if sum(bool(factor < 0) for factor in numbers) % 2 == 0 else sign
    factor = sympy.Mul(*(abs(f) if f.is_Rational else f for f in factors if f != node), evaluate=False)
    others = sympy.Add(*(sympy.Mul(way * side, part, evaluate=False) for way, part in rest), evaluate=False)
    limit = sympy.Mul(others, sympy.Pow(factor, -1, evaluate=False), evaluate=False)
    upper = bound.high.is_Symbol
    end, fixed = (bound.high, bound.low) if upper else (bound.low, bound.high)
    need(end.is_Symbol and end.name in problem.box, "no end is a variable")
    need(end.name not in {s.name for s in bound.term.free_symbols}, "a term that speaks of the end")
    ends = problem.box[end.name]
    need(not ends.low_closed and not ends.high_closed, "a closed range of the end")
    at = ends.low if upper else ends.high
    need(fixed is sympy.oo and not upper if at is None else fixed.is_Rational and fixed == sympy.Rational(at), "another fixed end")
    known = tuple(p for p in problem.premises if not {end.name, bound.name} & {s.name for part in p[:2] for s in part.free_symbols})
    return MovingEnd(replace(problem, premises=known), bound, factor, limit, end.name, upper, side)
