"""Certify a claim by branch and bound: balls cover the whole domain, or the report says what is left.

A leaf of the search tree is accepted when the statement surely holds on it and is surely defined on it, or when a premise surely
fails on it (`judge`). Equality premises are solved for a variable where they are linear in it. The tree is the certificate.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from decimal import Decimal
from fractions import Fraction
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.claims import clock
from dpbounds.claims.boxes.advice import needed_text
from dpbounds.claims.boxes.bounds import Box
from dpbounds.claims.boxes.expansions import Learned, Memory
from dpbounds.claims.boxes.journal import CoverJournal
from dpbounds.claims.boxes.judge import HOLDS, NO_VALUE, OUTSIDE, STUCK, BoxJudgement, BoxProblem, Judge, abandon, judge_chunk, split
from dpbounds.claims.boxes.tree import Node, SearchedCover, due, methods_of, preorder, resumed
from dpbounds.claims.claim import Claim
from dpbounds.claims.domain import Domain, solve_equalities
from dpbounds.claims.plans import Boxes
from dpbounds.claims.statement import instance
from dpbounds.language import definedness
from dpbounds.language.substitution import substituted
from dpbounds.numbers import balls, exact

MAX_VARIABLES = 4
_CHUNK, _CHUNKS = 32, 64
"""At least so many boxes are judged together, and at most so many chunks make a level: handing one to a worker costs as much as a few
boxes. The tree depends on both, so they are not parameters."""
_GRACE = 0.25
_TOLD = 16
"""Boxes between two reports of progress."""
_LOOKED_AT = (8, 16, 24)
"""Depths at which the middle of every box is tried as a counterexample."""

Progress = Callable[[int, int], None]


def cover(
    claim: Claim,
    plan: Boxes | None = None,
    *,
    deadline: float | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
    journal: CoverJournal | None = None,
    needed: Sequence[Boolean] = (),
) -> SearchedCover:
    """Try to cover the claim's domain with boxes on which the statement surely holds.

    Args:
        claim: the claim, in at most four variables; sides of its domain may be infinite.
        plan: budget and precision.
        deadline: `clock.now()` at which to give up.
        progress: called with (boxes examined, boxes waiting).
        executor: judges chunks of boxes (any of `concurrent.futures`, or another with its interface); the cover is the same without it.
        journal: where the splits are written down, and read of a search that was interrupted.
        needed: conditions that must hold on the domain besides those under which the statement is defined.

    Raises:
        LanguageError: the statement is outside the language of balls.
    """
    plan = plan or Boxes()
    domain = Domain.of_claim(claim)
    if domain.families:
        return SearchedCover(
            False, reason=f"families of symbolic length ({', '.join(map(str, domain.families))}) cannot be boxed; give a Proof"
        )
    then, constraints, substitution = solve_equalities(claim.then, domain.constraints)
    problem = Domain(tuple(v for v in domain.variables if v not in substitution), (), constraints)
    bounds = problem.bounds()
    if len(problem.variables) > MAX_VARIABLES:
        return SearchedCover(
            False, variables=problem.variables, reason=f"{len(problem.variables)} variables; boxes work up to {MAX_VARIABLES}"
        )
    root: Box = tuple(_side(*bounds[v]) for v in problem.variables)
    if any(low > high for low, high in root):
        return SearchedCover(False, variables=problem.variables, reason="the bounds of the domain contradict each other")
    # What the substitution cancels must still be defined: x·log(y) has a value at y = -1 for no x.
    written = (claim.then, instance.elementary(claim.then)) if substitution else ()
    conditions = [condition for form in written for condition in definedness.conditions_of(form)]
    needed = [substituted(c, substitution) for c in (*conditions, *needed)]
    search = _Search(BoxProblem(problem.variables, then, constraints, tuple(needed), root, plan.bits), plan, executor)
    with balls.precision(plan.bits):
        result = search.run(deadline, progress, journal)
    result.substitution = substitution
    return result


def _side(low: Fraction | None, high: Fraction | None) -> tuple[Any, Any]:
    """A side of the root; infinite ends are floats."""
    return (-math.inf if low is None else low), (math.inf if high is None else high)


class _Search:
    """Level by level: all boxes of one depth are judged, in chunks, before their halves are.

    What was learned in one level is known to every chunk of the next and to none of the same, so the tree does not depend on who judges.
    """

    def __init__(self, problem: BoxProblem, plan: Boxes, executor: Executor | None) -> None:
        self.problem, self.plan = problem, plan
        self.integer = [bool(v.is_integer) for v in problem.variables]
        self.judge = Judge(problem)
        self.written = problem.as_terms() if executor is not None else None
        self.executor = executor if self.written is not None else None
        self.result = SearchedCover(False, variables=problem.variables, root=problem.root)
        self.margin = Decimal("inf")
        self.examined = 0
        self.places: dict[Any, None] = {}
        self.suspects: list[Box] = []

    def run(self, deadline: float | None, progress: Progress | None, journal: CoverJournal | None) -> SearchedCover:
        result = self.result
        stuck: list[Node] = []
        top, later = resumed(journal.tree if journal is not None else "", self.problem.root, self._halves)
        self.examined = sum(map(str.isdigit, preorder(top)))
        try:
            # A box may ask for symbolic work that takes long; the watch gives the loop time to stop by itself first.
            stop = None if deadline is None else deadline + _GRACE
            later = clock.within(stop, lambda: self._levels(top, later, stuck, deadline, progress, journal))
        except clock.TimeIsUp:
            result.reason = f"time is up after {self.examined} boxes, within one box"
            later = list(_open_leaves(top))
            stuck.clear()
        result.leftovers = [node.box for node in later] + [node.box for node in stuck]
        result.complete = not result.leftovers and not result.reason
        if result.leftovers and not result.reason:
            result.reason = f"{len(stuck)} of the smallest boxes undecided: the sides meet or jump there, have no value, or need more bits"
        result.suspects = [] if result.complete else [self._middle_of(box) for box in self.suspects]
        result.margin = str(self.margin) if self.margin.is_finite() else ""
        result.tree, result.ways = (preorder(top), methods_of(top)) if result.complete else ("", [])
        result.hints = list(self.places)
        return result

    def _levels(
        self,
        top: Node,
        later: list[Node],
        stuck: list[Node],
        deadline: float | None,
        progress: Progress | None,
        journal: CoverJournal | None,
    ) -> list[Node]:
        """Judge level after level; the boxes that are left when the budget is used up."""
        result = self.result
        level, later = due([], later)
        known: dict[str, Learned] = {}
        while level:
            judged = level[: max(1, self.plan.budget - self.examined + 1)]
            size = max(_CHUNK, math.ceil(len(judged) / _CHUNKS))
            chunks = [judged[start : start + size] for start in range(0, len(judged), size)]
            news: list[Mapping[str, Learned]] = []
            following: list[Node] = []
            before = self.examined
            for node, judgement in self._judged(chunks, known, news, deadline):
                if self.examined >= self.plan.budget or (deadline is not None and clock.now() > deadline):
                    result.spent = self.examined >= self.plan.budget
                    result.reason = (
                        f"the budget of {self.examined} boxes is used up" if result.spent else f"time is up after {self.examined} boxes"
                    )
                    break
                self.examined += 1
                if progress is not None and self.examined % _TOLD == 0:
                    progress(self.examined, len(level) - (self.examined - before) + len(following) + len(later))
                node.token = judgement.token
                following += self._settled(node, judgement)
                if judgement.token == STUCK:
                    stuck.append(node)
                if result.reason:
                    break
            known = Memory.merged(known, news)
            if result.reason:
                return [*level[self.examined - before :], *following, *later]
            level, later = due(following, later)
            if journal is not None:
                journal.record(preorder(top))
        return later

    def _settled(self, node: Node, judgement: BoxJudgement) -> tuple[Node, ...]:
        """Write a judgement into the result; the halves of a box that is split."""
        result = self.result
        if judgement.token == OUTSIDE:
            result.outside += 1
        elif judgement.token == NO_VALUE:
            result.reason = f"the statement has no value on a part of the domain: {needed_text(self.problem.then, judgement.missing)}"
        elif judgement.token == HOLDS:
            result.leaves += 1
            node.method = judgement.method
            result.methods[judgement.method] = result.methods.get(judgement.method, 0) + 1
            self.margin = min(self.margin, Decimal(judgement.margin))
        if judgement.fails or (judgement.token not in (OUTSIDE, NO_VALUE, HOLDS) and node.depth in _LOOKED_AT):
            self.suspects.append(node.box)
            if judgement.fails and len(self.suspects) >= 20:
                result.reason = "the statement fails on boxes of which it is not known whether they touch the domain"
                return ()
        if not judgement.token.isdigit():
            return ()
        first, second = self._halves(node.box, int(judgement.token))
        node.children = (Node(first, node.depth + 1), Node(second, node.depth + 1))
        return node.children

    def _halves(self, box: Box, axis: int) -> tuple[Box, Box]:
        return split(box, axis, whole=self.integer[axis])

    def _judged(
        self, chunks: list[list[Node]], known: Mapping[str, Learned], news: list[Mapping[str, Learned]], deadline: float | None
    ) -> Iterator[tuple[Node, BoxJudgement]]:
        """Every node with its judgement, in order; the places of expansion and `news` grow with each chunk."""
        if self.executor is None or len(chunks) == 1:
            memory = self.judge.leaves.memory
            for chunk in chunks:
                memory.recall(known)
                for node in chunk:
                    yield node, self.judge.judge(node.box, node.depth)
                self.places.update(memory.places)
                news.append(memory.news())
            return
        allowance = None if deadline is None else max(0.0, deadline + _GRACE - clock.now())
        work = [[(node.box, node.depth) for node in chunk] for chunk in chunks]
        jobs = [self.executor.submit(judge_chunk, self.written, known, boxes, allowance) for boxes in work]  # type: ignore[arg-type]
        try:
            for chunk, job in zip(chunks, jobs, strict=True):
                verdicts = job.result()
                if verdicts.process != os.getpid():
                    clock.charge(verdicts.seconds)
                if verdicts.found is None:
                    raise clock.TimeIsUp
                yield from zip(chunk, verdicts.found, strict=True)
                self.places.update(dict.fromkeys(verdicts.places))
                news.append(verdicts.news)
        finally:
            abandon(jobs)

    def _middle_of(self, box: Box) -> dict[sympy.Symbol, sympy.Rational]:
        sides = zip(self.problem.variables, box, self.integer, strict=True)
        return {v: exact.to_sympy(_middle(side, whole)) for v, side, whole in sides}


def _open_leaves(top: Node) -> Iterator[Node]:
    """The boxes of a tree that are not settled."""
    stack = [top]
    while stack:
        node = stack.pop()
        if node.children is not None:
            stack.extend(node.children)
        elif node.token not in (HOLDS, OUTSIDE):
            yield node


def _middle(side: tuple[Fraction, Fraction], whole: bool) -> Fraction:
    finite = [end for end in side if not isinstance(end, float)]
    middle: Fraction = sum(finite, Fraction(0)) / max(1, len(finite))
    return Fraction(middle.numerator // middle.denominator) if whole else middle
