"""What decides a single box: outside the domain, the statement settled, every part of it defined."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.claims.boxes import rays
from dpbounds.claims.boxes.bounds import Bound, Box
from dpbounds.claims.boxes.definedness import unsettled
from dpbounds.claims.boxes.expansions import Memory
from dpbounds.claims.boxes.gap import Gap
from dpbounds.claims.domain import Domain
from dpbounds.claims.statement import instance
from dpbounds.language import definedness, enclose
from dpbounds.language.substitution import junction, negation
from dpbounds.numbers import balls
from dpbounds.numbers.balls import Ball

Sides = list[Ball]
Statement = Callable[[Box, Sides, bool], Bound]


def sides_of(box: Box) -> Sides:
    """The balls of a box at the precision that is set."""
    return [Ball(0).union(Ball.pos_inf()) if is_infinite(side) else balls.interval(*side) for side in box]


def is_infinite(side: tuple[Any, Any]) -> bool:
    """True for a side that reaches to infinity: its ball is the whole line."""
    return isinstance(side[0], float) or isinstance(side[1], float)


class Leaves:
    """The tests of one search, compiled once.

    Args:
        domain: variables and constraints of the boxes.
        then: the statement over those variables.
        root: the box that covers the domain; Taylor forms start from its faces.
        needed: conditions that must hold besides those read off the statement.

    Attributes:
        memory: what the tests have learned, and the places of expansion that settled some box.
    """

    def __init__(self, domain: Domain, then: Boolean, root: Box, needed: Iterable[Boolean] = ()) -> None:
        self._variables, self._then = domain.variables, then
        constraints = [c for c in domain.constraints if not c.has(sympy.Mod)]
        self._constraints = [enclose.compile_expression(instance.elementary(c), domain.variables) for c in constraints]
        self.memory = Memory()
        self._statement = _statement(then, domain.variables, root, domain.constraints, self.memory)
        found = [*needed, *definedness.conditions_of(then), *definedness.conditions_of(instance.elementary(then))]
        self._conditions = unsettled(dict.fromkeys(found), domain.constraints)
        self._definedness = [enclose.compile_expression(c, domain.variables) for c in self._conditions]
        self._solid = len(constraints) == len(domain.constraints) and not any(v.is_integer for v in domain.variables)

    def outside(self, box: Box, sides: Sides) -> bool:
        """True when some premise surely fails on the whole box."""
        if any(map(is_infinite, box)):
            ends = self._ends(box)
            return any(rays.truth(program.expression, ends) is False for program in self._constraints)
        return any(program(sides) is False for program in self._constraints)

    def bound(self, box: Box, sides: Sides, *, touching: bool) -> Bound:
        """What is known of the statement on the box; `touching` also tries Taylor forms from faces."""
        return self._statement(box, sides, touching)

    def defined(self, box: Box, sides: Sides) -> bool:
        """True when every part of the statement surely has a value on the whole box."""
        if any(map(is_infinite, box)):
            ends = self._ends(box)
            return all(rays.truth(condition, ends) is True for condition in self._conditions)
        return all(program(sides) is True for program in self._definedness)

    def _ends(self, box: Box) -> rays.Sides:
        return {v: rays.ends_of(*side) for v, side in zip(self._variables, box, strict=True)}

    def undefined(self, sides: Sides) -> Boolean | None:
        """A condition that surely fails on the whole of a box that lies inside the domain; None when there is no such box yet."""
        for condition, program in zip(self._conditions, self._definedness, strict=True):
            if program(sides) is False and self._solid and all(premise(sides) is True for premise in self._constraints):
                return condition
        return None

    def holds_exactly(self, box: Box, sides: Sides) -> bool:
        """A box that is one point is decided like any other point: by symbols where balls cannot."""
        if any(low != high for low, high in box):
            return False
        point = {v: sympy.Rational(low) for v, (low, _) in zip(self._variables, box, strict=True)}
        return self.defined(box, sides) and instance.truth_at(self._then, point) is True


def _statement(then: Boolean, variables: tuple[sympy.Symbol, ...], faces: Box, premises: tuple[Boolean, ...], memory: Memory) -> Statement:
    """A statement as a function of a box: And needs every part, Or needs one part on the whole box."""
    if then is sympy.true:
        return lambda box, sides, touching: Bound(True, Ball.pos_inf(), "trivial", None)
    if then is sympy.false:
        return lambda box, sides, touching: Bound(False, Ball.neg_inf(), "trivial", None)
    if isinstance(then, sympy.Implies):
        return _statement(junction(sympy.Or, [negation(then.args[0]), then.args[1]]), variables, faces, premises, memory)
    if isinstance(then, (sympy.And, sympy.Or)):
        parts = [_statement(part, variables, faces, premises, memory) for part in then.args]
        every = isinstance(then, sympy.And)

        def combined(box: Box, sides: Sides, touching: bool) -> Bound:
            bounds = [part(box, sides, touching) for part in parts]
            if every:
                worst = next((b for b in bounds if b.truth is False), next((b for b in bounds if b.truth is None), None))
                return worst or min(bounds, key=lambda b: float(b.margin.mid()) if b.margin.is_finite() else float("inf"))
            good = next((b for b in bounds if b.truth is True), None)
            if good is not None:
                return good
            return next((b for b in bounds if b.truth is None), bounds[0])

        return combined
    gap = Gap(then, variables, faces, premises, memory)
    return lambda box, sides, touching: gap.bound_on(box, sides, touching=touching)
