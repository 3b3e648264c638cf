"""Certify a claim by branch and bound: balls cover the whole domain, or the report says what is left.

A leaf of the search tree is accepted when the statement surely holds on it and is surely defined on it, or when a premise surely
fails on it. Equality premises are solved for a variable where they are linear in it. The tree is the certificate.
"""

from __future__ import annotations

import heapq
import itertools
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds import balls, exact
from dpbounds.balls import Ball
from dpbounds.claims import definedness, instance
from dpbounds.claims.claim import Claim
from dpbounds.claims.domain import Domain
from dpbounds.claims.evidence import Boxes
from dpbounds.claims.gap import Bound, Box
from dpbounds.claims.leaves import Leaves, is_infinite, sides_of
from dpbounds.claims.tree import Node, preorder

MAX_VARIABLES = 4
_SMALLEST_SIDE = Fraction(1, 2**48)
_FACE_DEPTH = 5
_FAR = Fraction(2**64)
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
        substitution: variables that equality premises were solved for.
        hints: places of Taylor forms that settled leaves, as (variable, expression) pairs.
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
    hints: list[tuple[tuple[str, Any], ...]] = field(default_factory=list)


def cover(
    claim: Claim,
    plan: Boxes | None = None,
    *,
    deadline: float | None = None,
    progress: Callable[[int, int], None] | None = None,
    needed: Sequence[Boolean] = (),
) -> Cover:
    """Try to cover the claim's domain with boxes on which the statement surely holds.

    Args:
        claim: the claim, in at most four variables; sides of its domain may be infinite.
        plan: budget and precision.
        deadline: `time.monotonic()` at which to give up.
        progress: called with (boxes examined, boxes waiting).
        needed: conditions that must hold on the domain besides those under which the statement is defined.

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
    if len(problem.variables) > MAX_VARIABLES:
        return Cover(False, variables=problem.variables, reason=f"{len(problem.variables)} variables; boxes work up to {MAX_VARIABLES}")
    root: Box = tuple(_side(*bounds[v]) for v in problem.variables)
    if any(low > high for low, high in root):
        return Cover(False, variables=problem.variables, reason="the bounds of the domain contradict each other")
    # What the substitution cancels must still be defined: x·log(y) has a value at y = -1 for no x.
    conditions = definedness.conditions_of(instance.elementary(claim.then)) if substitution else []
    needed = [instance.substituted(c, substitution) for c in (*conditions, *needed)]
    search = _Search(problem, then, root, plan, needed)
    with balls.precision(plan.bits):
        result = search.run(deadline, progress)
    result.substitution = substitution
    return result


def _side(low: Fraction | None, high: Fraction | None) -> tuple[Any, Any]:
    """A side of the root; infinite ends are floats."""
    return (-math.inf if low is None else low), (math.inf if high is None else high)


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
    replaced = [instance.substituted(c, substitution) for c in constraints]
    kept = tuple(dict.fromkeys(c for c in replaced if not _is_identity(c)))
    return instance.substituted(then, substitution), kept, substitution


def _is_identity(condition: Boolean) -> bool:
    """True for an equation whose sides coincide: what is left of a premise that was solved."""
    return isinstance(condition, sympy.Eq) and sympy.expand(condition.lhs - condition.rhs) == 0


class _Search:
    def __init__(self, domain: Domain, then: Boolean, root: Box, plan: Boxes, needed: list[Boolean]) -> None:
        self.variables, self.root, self.plan = domain.variables, root, plan
        self.integer = [bool(v.is_integer) for v in self.variables]
        self.leaves = Leaves(domain, then, root, needed)
        self.result = Cover(False, variables=self.variables, root=root)

    def run(self, deadline: float | None, progress: Callable[[int, int], None] | None) -> Cover:
        top = Node(self.root, 0)
        order = itertools.count()
        queue: list[tuple[Fraction, int, Node]] = [(Fraction(0), next(order), top)]
        examined, margin, result = 0, Ball.pos_inf(), self.result
        stuck: list[Node] = []
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
            sides = sides_of(node.box)
            if self.leaves.outside(node.box, sides):
                node.token, result.outside = "-", result.outside + 1
                continue
            bound = self.leaves.bound(node.box, sides, touching=node.depth >= _FACE_DEPTH)
            if (missing := self.leaves.undefined(sides)) is not None:
                result.reason = f"the statement has no value on a part of the domain: it needs {missing}"
                break
            if bound.truth is True and self.leaves.defined(node.box, sides):
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
            if axis is None and self.leaves.holds_exactly(node.box, sides):
                node.token, result.leaves = "+", result.leaves + 1
                result.methods["exact"] = result.methods.get("exact", 0) + 1
                margin = margin.min(Ball(0))
                continue
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
        result.tree = preorder(top) if result.complete else ""
        result.hints = list(self.leaves.hints)
        return result

    def _suspect(self, box: Box) -> None:
        point = {v: exact.to_sympy(_middle(side, whole)) for v, side, whole in zip(self.variables, box, self.integer, strict=True)}
        self.result.suspects.append(point)

    def _axis(self, box: Box, bound: Bound | None) -> int | None:
        """The side to split: the longest relative to the root, or the one whose slope contributes most, an infinite side
        counts as 1/(1+|its end|)."""
        best, choice = Fraction(-1), None
        for i, (side, (first, last)) in enumerate(zip(box, self.root, strict=True)):
            low, high = side
            if is_infinite(side):
                ends = [abs(end) for end in side if not isinstance(end, float)]
                weight = Fraction(1) / (1 + ends[0]) if ends else Fraction(2)
                if _cut(low, high) is not None and weight > best:
                    best, choice = weight, i
                continue
            span = last - first if not is_infinite((first, last)) else 1 + max(abs(low), abs(high))
            if high == low or (high - low) <= _SMALLEST_SIDE * max(Fraction(1), span):
                continue
            weight = (high - low) / span
            if bound is not None and bound.slopes is not None and bound.slopes[i].is_finite():
                scale = balls.to_fraction(balls.Enclosure.of(abs(bound.slopes[i])).high)
                weight = (high - low) * Fraction(scale)
            if weight > best:
                best, choice = weight, i
        return choice

    def _halves(self, node: Node, axis: int) -> tuple[Node, Node]:
        first, second = split(node.box, axis, whole=self.integer[axis])
        return Node(first, node.depth + 1), Node(second, node.depth + 1)


def _cut(low: Any, high: Any) -> Fraction | None:
    """Where an infinite side is split: at 0, else at twice its end, at least 1 away from 0; None beyond 2⁶⁴."""
    if isinstance(low, float) and isinstance(high, float):
        return Fraction(0)
    if isinstance(low, float):
        mirrored = _cut(-high, math.inf)
        return None if mirrored is None else -mirrored
    if low < 0:
        return Fraction(0)
    return max(Fraction(1), 2 * low) if low < _FAR else None


def split(box: Box, axis: int, *, whole: bool) -> tuple[Box, Box]:
    """Bisect a box; an integer side splits between integers. Replay uses the same rule."""
    low, high = box[axis]
    middle = _cut(low, high) if is_infinite(box[axis]) else (low + high) / 2
    assert middle is not None, "a side that starts beyond 2^64 is not split"
    if whole:
        cut = Fraction(middle.numerator // middle.denominator)
        return (*box[:axis], (low, cut), *box[axis + 1 :]), (*box[:axis], (cut + 1, high), *box[axis + 1 :])
    return (*box[:axis], (low, middle), *box[axis + 1 :]), (*box[:axis], (middle, high), *box[axis + 1 :])


def _middle(side: tuple[Fraction, Fraction], whole: bool) -> Fraction:
    finite = [end for end in side if not isinstance(end, float)]
    middle: Fraction = sum(finite, Fraction(0)) / max(1, len(finite))
    return Fraction(middle.numerator // middle.denominator) if whole else middle
