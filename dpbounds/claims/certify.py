"""Certify a claim by branch and bound: balls cover the whole domain, or the report says what is left.

A leaf of the search tree is accepted when the statement surely holds on it and is surely defined on it, or when a premise surely
fails on it. Equality premises are solved for a variable where they are linear in it. The tree is the certificate.
"""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds import balls, enclose, functions
from dpbounds.balls import Ball
from dpbounds.claims import definedness
from dpbounds.claims.claim import Claim
from dpbounds.claims.domain import Domain
from dpbounds.claims.evidence import Boxes
from dpbounds.claims.gap import Bound, Box, Gap

MAX_VARIABLES = 4
_SMALLEST_SIDE = Fraction(1, 2**48)
_FACE_DEPTH = 5
_LEFTOVERS_SHOWN = 5


@dataclass
class Cover:
    """The result of a branch and bound.

    Attributes:
        complete: True when every leaf is settled.
        variables: the coordinates of the boxes.
        root: the box that covers the domain.
        tree: preorder text of the search tree: a digit splits that variable, "+" is a leaf where the statement
            holds, "-" a leaf outside the domain.
        leaves: settled leaves on which the statement holds.
        outside: leaves outside the domain.
        margin: the least lower bound of a gap over the leaves, as a decimal.
        leftovers: boxes that could not be settled.
        suspects: exact points at which the statement seems to fail.
        reason: why the cover is not complete.
        methods: how many leaves each method settled.
    """

    complete: bool
    variables: tuple[sympy.Symbol, ...] = ()
    root: Box = ()
    tree: str = ""
    leaves: int = 0
    outside: int = 0
    margin: str = ""
    leftovers: list[Box] = field(default_factory=list)
    suspects: list[dict[sympy.Symbol, sympy.Rational]] = field(default_factory=list)
    reason: str = ""
    methods: dict[str, int] = field(default_factory=dict)
    substitution: dict[sympy.Symbol, sympy.Expr] = field(default_factory=dict)


@dataclass
class _Node:
    box: Box
    depth: int
    token: str = "?"
    children: tuple[_Node, _Node] | None = None


def cover(
    claim: Claim, plan: Boxes | None = None, *, deadline: float | None = None, progress: Callable[[int, int], None] | None = None
) -> Cover:
    """Try to cover the claim's domain with boxes on which the statement surely holds.

    Args:
        claim: the claim; its domain must be compact in at most four variables.
        plan: budget and precision.
        deadline: `time.monotonic()` at which to give up.
        progress: called with (boxes examined, boxes waiting).

    Raises:
        LanguageError: the statement is outside the language of balls.
    """
    plan = plan or Boxes()
    domain = Domain.of(claim)
    if domain.families:
        return Cover(False, reason=f"families of symbolic length ({', '.join(map(str, domain.families))}) cannot be boxed; give a Proof")
    then, constraints, substitution = solve_equalities(claim.then, domain.constraints)
    problem = Domain(tuple(v for v in domain.variables if v not in substitution), (), constraints)
    bounds = problem.bounds()
    unbounded = [str(v) for v, ends in bounds.items() if None in ends]
    if unbounded:
        return Cover(
            False, variables=problem.variables, reason=f"the domain is unbounded in {', '.join(unbounded)}: add a bound or change variables"
        )
    if len(problem.variables) > MAX_VARIABLES:
        return Cover(False, variables=problem.variables, reason=f"{len(problem.variables)} variables; boxes work up to {MAX_VARIABLES}")
    if any(low > high for low, high in bounds.values()):  # type: ignore[operator]
        return Cover(False, variables=problem.variables, reason="the bounds of the domain contradict each other")
    root: Box = tuple((bounds[v][0], bounds[v][1]) for v in problem.variables)  # type: ignore[misc]
    search = _Search(problem, then, root, plan)
    with balls.precision(plan.bits):
        result = search.run(deadline, progress)
    result.substitution = substitution
    return result


def solve_equalities(
    then: Boolean, constraints: tuple[Boolean, ...]
) -> tuple[Boolean, tuple[Boolean, ...], dict[sympy.Symbol, sympy.Expr]]:
    """Eliminate variables through premises `Eq(a, b)` that are linear in them.

    >>> x, y = sympy.symbols("x y", real=True)
    >>> solve_equalities(x * y <= 1, (sympy.Eq(x + y, 1), x >= 0, y >= 0))[1]
    (x >= 0, 1 - x >= 0)
    """
    substitution: dict[sympy.Symbol, sympy.Expr] = {}
    for equation in [c for c in constraints if isinstance(c, sympy.Eq)]:
        equation = equation.subs(substitution)
        for symbol in sorted(equation.free_symbols, key=str, reverse=True):
            difference = sympy.expand(equation.lhs - equation.rhs)
            slope = difference.coeff(symbol, 1)
            rest = sympy.expand(difference - slope * symbol)
            if slope.is_number and slope.is_nonzero and symbol not in rest.free_symbols and not symbol.is_integer:
                solution = -rest / slope
                substitution = {old: value.subs(symbol, solution) for old, value in substitution.items()} | {symbol: solution}
                break
    if not substitution:
        return then, constraints, {}
    replaced = [c.subs(substitution) for c in constraints]
    kept = tuple(dict.fromkeys(c for c in replaced if c is not sympy.true))
    return then.subs(substitution), kept, substitution


class LeafTests:
    """What decides a single box: outside the domain, statement settled, everything defined."""

    def __init__(self, domain: Domain, then: Boolean, root: Box) -> None:
        self._constraints = [enclose.compile_expression(_expanded(c), domain.variables) for c in domain.constraints if not c.has(sympy.Mod)]
        self._statement = _statement(then, domain.variables, root, domain.constraints)
        needed = definedness.conditions_of(then) + definedness.conditions_of(_expanded(then))
        open_conditions = definedness.unsettled(dict.fromkeys(needed), domain.constraints)
        self._definedness = [enclose.compile_expression(c, domain.variables) for c in open_conditions]

    def outside(self, box: Box) -> bool:
        """True when some premise surely fails on the whole box."""
        sides = [_side(s) for s in box]
        return any(program(sides) is False for program in self._constraints)

    def bound(self, box: Box, *, touching: bool) -> Bound:
        """What is known of the statement on the box; `touching` also tries Taylor forms from faces."""
        return self._statement(box, touching)

    def defined(self, box: Box) -> bool:
        """True when every part of the statement surely has a value on the whole box."""
        sides = [_side(s) for s in box]
        return all(program(sides) is True for program in self._definedness)


class _Search:
    def __init__(self, domain: Domain, then: Boolean, root: Box, plan: Boxes) -> None:
        self.variables, self.root, self.plan = domain.variables, root, plan
        self.integer = [bool(v.is_integer) for v in self.variables]
        self.tests = LeafTests(domain, then, root)
        self.result = Cover(False, variables=self.variables, root=root)

    def run(self, deadline: float | None, progress: Callable[[int, int], None] | None) -> Cover:
        top = _Node(self.root, 0)
        order = itertools.count()
        queue: list[tuple[Fraction, int, _Node]] = [(Fraction(0), next(order), top)]
        examined, margin, result = 0, Ball.pos_inf(), self.result
        stuck: list[_Node] = []
        while queue:
            if examined >= self.plan.budget or (deadline is not None and time.monotonic() > deadline):
                result.reason = (
                    f"the budget of {examined} boxes is used up" if examined >= self.plan.budget else f"time is up after {examined} boxes"
                )
                break
            _, _, node = heapq.heappop(queue)
            examined += 1
            if progress is not None and examined % 256 == 0:
                progress(examined, len(queue))
            if self.tests.outside(node.box):
                node.token, result.outside = "-", result.outside + 1
                continue
            bound = self.tests.bound(node.box, touching=node.depth >= _FACE_DEPTH)
            if bound.truth is True and self.tests.defined(node.box):
                node.token, result.leaves = "+", result.leaves + 1
                result.methods[bound.method] = result.methods.get(bound.method, 0) + 1
                margin = margin.min(bound.margin)
                continue
            if bound.truth is False or node.depth in (8, 16, 24):
                self._suspect(node.box)
                if bound.truth is False and len(result.suspects) >= 20:
                    result.reason = "the statement seems to fail"
                    break
            axis = self._axis(node.box, bound if node.depth % 2 else None)
            if axis is None:
                stuck.append(node)
                continue
            node.token, node.children = str(axis), self._halves(node, axis)
            for child in node.children:
                heapq.heappush(queue, (Fraction(child.depth), next(order), child))
        result.leftovers = [node.box for _, _, node in queue] + [node.box for node in stuck]
        result.complete = not result.leftovers and not result.reason
        if result.leftovers and not result.reason:
            result.reason = f"{len(stuck)} boxes of the smallest size are undecided (an equality point, or too little precision)"
        result.margin = "" if not margin.is_finite() else balls.Enclosure.of(margin).lower_decimal(6)
        result.tree = _preorder(top) if result.complete else ""
        return result

    def _suspect(self, box: Box) -> None:
        point = {v: _rational(_middle(side, whole)) for v, side, whole in zip(self.variables, box, self.integer, strict=True)}
        self.result.suspects.append(point)

    def _axis(self, box: Box, bound: Bound | None) -> int | None:
        """The side to bisect: the longest relative to the root, or the one whose slope contributes most."""
        best, choice = Fraction(-1), None
        for i, ((low, high), (first, last)) in enumerate(zip(box, self.root, strict=True)):
            if high == low or (high - low) <= _SMALLEST_SIDE * max(Fraction(1), last - first):
                continue
            weight = (high - low) / (last - first)
            if bound is not None and bound.slopes is not None and bound.slopes[i].is_finite():
                scale = balls.to_fraction(balls.Enclosure.of(abs(bound.slopes[i])).high)
                weight = (high - low) * Fraction(scale)
            if weight > best:
                best, choice = weight, i
        return choice

    def _halves(self, node: _Node, axis: int) -> tuple[_Node, _Node]:
        first, second = split(node.box, axis, whole=self.integer[axis])
        return _Node(first, node.depth + 1), _Node(second, node.depth + 1)


def split(box: Box, axis: int, *, whole: bool) -> tuple[Box, Box]:
    """Bisect a box; an integer side splits between integers. Replay uses the same rule."""
    low, high = box[axis]
    middle = (low + high) / 2
    if whole:
        cut = Fraction(middle.numerator // middle.denominator)
        return (*box[:axis], (low, cut), *box[axis + 1 :]), (*box[:axis], (cut + 1, high), *box[axis + 1 :])
    return (*box[:axis], (low, middle), *box[axis + 1 :]), (*box[:axis], (middle, high), *box[axis + 1 :])


def _preorder(node: _Node) -> str:
    tokens, stack = [], [node]
    while stack:
        current = stack.pop()
        tokens.append(current.token)
        if current.children is not None:
            stack.extend(reversed(current.children))
    return "".join(tokens)


def _statement(
    then: Boolean, variables: tuple[sympy.Symbol, ...], faces: Box, premises: tuple[Boolean, ...]
) -> Callable[[Box, bool], Bound]:
    """A statement as a function of a box: And needs every part, Or needs one part on the whole box."""
    if then is sympy.true:
        return lambda box, touching: Bound(True, Ball.pos_inf(), "trivial", None)
    if then is sympy.false:
        return lambda box, touching: Bound(False, Ball.neg_inf(), "trivial", None)
    if isinstance(then, sympy.Implies):
        return _statement(sympy.Or(sympy.Not(then.args[0]), then.args[1]), variables, faces, premises)
    if isinstance(then, (sympy.And, sympy.Or)):
        parts = [_statement(part, variables, faces, premises) for part in then.args]
        every = isinstance(then, sympy.And)

        def combined(box: Box, touching: bool) -> Bound:
            bounds = [part(box, touching) for part in parts]
            if every:
                worst = next((b for b in bounds if b.truth is False), next((b for b in bounds if b.truth is None), None))
                return worst or min(bounds, key=lambda b: float(b.margin.mid()) if b.margin.is_finite() else float("inf"))
            good = next((b for b in bounds if b.truth is True), None)
            if good is not None:
                return good
            return next((b for b in bounds if b.truth is None), bounds[0])

        return combined
    gap = Gap(then, variables, faces, premises)
    return lambda box, touching: gap.on(box, touching=touching)


def _expanded(condition: Any) -> Any:
    return (
        condition.func(*(functions.expand_quantities(side) for side in condition.args))
        if isinstance(condition, sympy.core.relational.Relational)
        else condition
    )


def _side(side: tuple[Fraction, Fraction]) -> Ball:
    low, high = side
    return balls.ball(low) if low == high else balls.ball(low).union(balls.ball(high))


def _middle(side: tuple[Fraction, Fraction], whole: bool) -> Fraction:
    middle = (side[0] + side[1]) / 2
    return Fraction(middle.numerator // middle.denominator) if whole else middle


def _rational(value: Fraction) -> sympy.Rational:
    return sympy.Rational(value.numerator, value.denominator)
