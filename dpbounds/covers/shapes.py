"""A variable is taken away by the shape of a difference in it: one end decides what is monotone, two ends what is concave.

Let g = large − small be the difference of the sides, v the variable, y the others, and let a premise say v >= l(y), or v <= h(y).

*One end.* If g rises in v, the segment from a point (v, y) of the domain down to (l(y), y) keeps every premise without v and every upper
bound of v; with v >= l(y) these are the *reach*. If g is analytic in v and ∂g/∂v >= 0 on the reach, g(v, y) >= g(l(y), y), and what is
left has one variable less. For a falling g the same holds at h(y).

*Both ends.* If g is analytic in v and ∂²g/∂v² <= 0 where l(y) <= v <= h(y), then g(v, y) >= min(g(l(y), y), g(h(y), y)).

For a y that occurs, every lower bound of v is at most every upper one: this may be used without v.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from dpbounds.covers.algebra import add, derivative, inequalities_of, is_opaque, minus, names_in, parts_of, real, relation_of, times
from dpbounds.covers.cover import Boxes, Evidence, Statement
from dpbounds.covers.evaluate import Evaluator, Tools
from dpbounds.kernel.polynomials import Budget
from dpbounds.kernel.terms import ONE, ZERO, Refused, Term, at_most, below, need, node, number, substitute

_BITS = 80
_SIDES = {1: ({"low"}, {"high"}), 2: ({"low", "high"},)}


@dataclass(frozen=True)
class Shape:
    """A monotone or concave difference of the sides.

    Attributes:
        variable: v.
        order: 1 for monotone, 2 for concave.
        slope: the derivative of that order, in any writing.
        proof: boxes that show its sign on the reach.
        ends: ("low" or "high", the end, what shows the statement there); the end is given by the other variables.
    """

    variable: str
    order: int
    slope: Term
    proof: Boxes
    ends: tuple[tuple[str, Term, Evidence], ...]

    def parts_for(self, statement: Statement, budget: Budget) -> Iterator[tuple[Statement, Boxes]]:
        """The sign of the derivative on the reach, and the statement at each end.

        Raises:
            Refused: the shape says nothing about the statement.
        """
        reduction = self.reduction_of(statement, budget)
        yield reduction.reach, self.proof
        for face, (_, _, evidence) in zip(reduction.faces, self.ends, strict=True):
            yield from evidence.parts_for(face, budget)

    def reduction_of(self, statement: Statement, budget: Budget) -> Reduction:
        """What is to be shown instead of a statement.

        Raises:
            Refused: the shape says nothing about the statement.
        """
        sides = [side for side, _, _ in self.ends]
        need(set(sides) in _SIDES.get(self.order, ()) and len(sides) == self.order, "a shape has the order 1 and one end, or 2 and both")
        v, tools = self.variable, Tools(_BITS, budget)
        need(v in statement.variables, "a shape speaks of a variable of the statement")
        given = tuple(premise for premise in statement.given if not is_opaque(premise))
        need(not is_opaque(statement.then), "a shape is of a difference that is evaluated here")
        *others, goal = statement.then.parts if statement.then.tag == "and" else (statement.then,)
        if (found := relation_of(goal)) is None:
            raise Refused("a shape is of the difference of two sides")
        slope = gap = found[0]
        for _ in range(self.order):
            slope = derivative(slope, v)
        budget.spend(slope.size)
        need(tools.is_zero(minus(slope, self.slope)), "the slope is not the derivative of the difference of the sides")
        outside = Evaluator({}, given, tools)
        for side, at, _ in self.ends:
            beyond = minus(real(v), at) if side == "low" else minus(at, real(v))
            need(outside.follows(beyond, False), f"no premise says that {v} ends there")
        apart = [premise for premise in given if v not in names_in(premise)]
        bounds = [bound for premise in given for bound in _bounds_in(premise, v, tools)]
        apart += [
            at_most(ZERO, between)
            for low, c, _ in bounds
            for high, d, _ in bounds
            if c > 0 > d and names_in(between := add(times(number(1 / c), low), times(number(-1 / d), high)))
        ]
        reach = [*apart, *(at_most(at, real(v)) if side == "low" else at_most(real(v), at) for side, at, _ in self.ends)]
        if self.order == 1:  # bounds on the side where the segment begins
            reach += [formula for _, c, formula in bounds if (c < 0) == (sides == ["low"])]
        sign = at_most(ZERO, self.slope) if sides == ["low"] else at_most(self.slope, ZERO)
        analytic = [below(ZERO, part.parts[0]) for part in parts_of(gap) if part.tag == "pow" and v in names_in(part)]
        there = node("and", sign, *analytic, *others, at_most(gap, gap))
        rest = tuple(name for name in statement.variables if name != v)
        left = replace(statement, variables=rest, integers=statement.integers - {v}, given=tuple(dict.fromkeys(apart)))
        return Reduction(
            replace(statement, integers=statement.integers - {v}, given=tuple(dict.fromkeys(reach)), then=there),
            tuple(replace(left, then=substitute(goal, {real(v): at})) for _, at, _ in self.ends),
        )


@dataclass(frozen=True)
class Reduction:
    """What a shape leaves to be shown: the sign of the slope on the reach, and the statement at each end."""

    reach: Statement
    faces: tuple[Statement, ...]


def _bounds_in(premise: Term, v: str, tools: Tools) -> Iterator[tuple[Term, Fraction, Term]]:
    """(rest, c, formula) of each premise rest + c·v >= 0 (or > 0) with a number c ≠ 0, where the rest is without v."""
    for difference, strict in inequalities_of(premise):
        at_0, at_1 = (substitute(difference, {real(v): x}) for x in (ZERO, ONE))
        c = tools.constant(minus(at_1, at_0))
        if c and tools.is_identity(minus(difference, add(at_0, times(number(c), real(v))))):
            yield at_0, c, node("<" if strict else "<=", ZERO, difference)
