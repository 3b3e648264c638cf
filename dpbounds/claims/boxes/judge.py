"""Judge boxes: in the process of the search, or in a worker of any executor that the search hands chunks of them to.

A judgement depends on the problem, the box, its depth and what the search had learned when the chunk was cut, on nothing else; so the cover
is the same whoever judges.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from threading import RLock
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.claims import clock
from dpbounds.claims.boxes.bounds import Bound, Box
from dpbounds.claims.boxes.expansions import Learned, Memory
from dpbounds.claims.boxes.leaves import Leaves, is_infinite, sides_of
from dpbounds.claims.domain import Domain
from dpbounds.errors import LanguageError, PrecisionError
from dpbounds.language.typed.bridge import from_sympy, to_sympy
from dpbounds.logic.terms import Term, TermError
from dpbounds.numbers import balls

HOLDS, OUTSIDE, STUCK, NO_VALUE = "+", "-", "?", "!"
_SMALLEST_SIDE = Fraction(1, 2**48)
_FACE_DEPTH = 5
_FAR = Fraction(2**64)
_STEEPEST = Fraction(2**64)
"""Stands for slopes that are too large to be written."""
ONE_AT_A_TIME = RLock()
"""Threads take turns: the precision of balls is one for the process."""


@dataclass(frozen=True)
class BoxJudgement:
    """What is to become of a box.

    Attributes:
        token: `HOLDS`, `OUTSIDE`, the side to split, `STUCK` where none can be split, `NO_VALUE` where the statement has none.
        method: how a box that holds was settled.
        margin: a lower bound of the gap there, a decimal.
        fails: the statement seems to fail on the whole box.
        missing: the condition without which the statement has no value.
    """

    token: str
    method: str = ""
    margin: str = ""
    fails: bool = False
    missing: str = ""


@dataclass(frozen=True)
class BoxProblem:
    """What boxes are judged for.

    Attributes:
        variables: the coordinates.
        then: the statement.
        constraints: premises and assumptions.
        needed: conditions that must hold besides.
        root: the box that covers the domain.
        bits: working precision.
    """

    variables: tuple[sympy.Symbol, ...]
    then: Boolean
    constraints: tuple[Boolean, ...]
    needed: tuple[Boolean, ...]
    root: Box
    bits: int

    def as_terms(self) -> ProblemTerms | None:
        """The problem in a form that travels between processes; None if it does not come back the same."""
        parts = (self.variables, (self.then,), self.constraints, self.needed)
        try:
            found = ProblemTerms(tuple(tuple(map(from_sympy, part)) for part in parts), self.root, self.bits)
            return found if BoxProblem.of_terms(found) == self else None
        except (TermError, LanguageError, AttributeError, TypeError, ValueError):
            return None

    @classmethod
    def of_terms(cls, written: ProblemTerms) -> BoxProblem:
        """The problem that was written."""
        variables, (then,), constraints, needed = (tuple(map(to_sympy, part)) for part in written.parts)
        return cls(variables, then, constraints, needed, written.root, written.bits)


@dataclass(frozen=True)
class ProblemTerms:
    """A problem whose expressions are terms: sympy's own change when they are sent to another process."""

    parts: tuple[tuple[Term, ...], ...]
    root: Box
    bits: int


class Judge:
    """The tests of one problem, compiled once."""

    def __init__(self, problem: BoxProblem) -> None:
        self.problem = problem
        self.leaves = Leaves(Domain(problem.variables, (), problem.constraints), problem.then, problem.root, problem.needed)

    def judge(self, box: Box, depth: int) -> BoxJudgement:
        """Judge one box at the precision that is set."""
        sides = sides_of(box)
        if self.leaves.outside(box, sides):
            return BoxJudgement(OUTSIDE)
        bound = self.leaves.bound(box, sides, touching=depth >= _FACE_DEPTH)
        if (missing := self.leaves.undefined(sides)) is not None:
            return BoxJudgement(NO_VALUE, missing=str(missing))
        if bound.truth is True and self.leaves.defined(box, sides):
            return BoxJudgement(HOLDS, bound.method, _margin_text(bound.margin))
        axis = self._axis(box, bound if depth % 2 else None)
        if axis is None and self.leaves.holds_exactly(box, sides):
            return BoxJudgement(HOLDS, "exact", "0")
        return BoxJudgement(STUCK if axis is None else str(axis), fails=bound.truth is False)

    def _axis(self, box: Box, bound: Bound | None) -> int | None:
        """The side to split: the longest relative to the root, or the one whose slope contributes most, an infinite side
        counts as 1/(1+|its end|)."""
        best, choice = Fraction(-1), None
        for i, (side, (first, last)) in enumerate(zip(box, self.problem.root, strict=True)):
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
            scale = None if bound is None or bound.slopes is None else _steepness(bound.slopes[i])
            weight = (high - low) / span if scale is None else (high - low) * scale
            if weight > best:
                best, choice = weight, i
        return choice


@dataclass(frozen=True)
class Verdicts:
    """The judgements of a chunk.

    Attributes:
        found: one judgement for each box; None when the allowance was used up.
        places: places of expansion that settled some of them, as (variable, expression) pairs.
        news: what was learned on the way.
        seconds: of processor time that another process spent on it.
        process: which one.
    """

    found: tuple[BoxJudgement, ...] | None
    places: tuple[tuple[tuple[str, sympy.Expr], ...], ...]
    news: Mapping[str, Learned]
    seconds: float = 0.0
    process: int = 0


def judge_chunk(
    written: ProblemTerms, known: Mapping[str, Learned], boxes: Sequence[tuple[Box, int]], allowance: float | None = None
) -> Verdicts:
    """Judge a chunk of boxes (with their depths) in a worker.

    Args:
        written: the problem.
        known: what was learned before.
        boxes: the chunk.
        allowance: seconds of processor time; when they are used up, nothing is found.
    """
    with ONE_AT_A_TIME, balls.precision(written.bits):
        start = clock.now()

        def work() -> tuple[tuple[BoxJudgement, ...], tuple[tuple[tuple[str, sympy.Expr], ...], ...], Memory]:
            judge = _judge_of(written)
            memory = judge.leaves.memory
            memory.recall(known)
            found = tuple(judge.judge(box, depth) for box, depth in boxes)
            return found, tuple(memory.places), memory

        try:
            found, places, memory = clock.within(None if allowance is None else start + allowance, work)
        except clock.TimeIsUp:
            return Verdicts(None, (), {}, clock.now() - start, os.getpid())
        return Verdicts(found, places, memory.news(), clock.now() - start, os.getpid())


def _margin_text(margin: balls.Ball) -> str:
    """A lower bound of the gap on a box that holds, as a decimal; 0 where the margin is too small to be written."""
    try:
        return balls.Enclosure.of_ball(margin).lower_decimal(6)
    except PrecisionError:
        return "0"


def _steepness(slope: balls.Ball) -> Fraction | None:
    """The size of a slope as far as it can be compared; None where nothing is known of it."""
    if not slope.is_finite():
        return None
    try:
        size = balls.to_fraction(balls.Enclosure.of_ball(abs(slope)).high)
    except PrecisionError:  # beyond 2^(2^28): its exponent tells which side is steeper, but any side is then as good as another
        return Fraction(0) if abs(slope) < 1 else _STEEPEST
    return Fraction(size)


def abandon(jobs: Iterable[Future[Any]]) -> None:
    """Cancel what has not begun and wait for what has: a thread that is left running would set the precision of balls when it ends."""
    for job in [job for job in jobs if not job.cancel()]:
        job.exception()


@lru_cache(maxsize=4)
def _judge_of(written: ProblemTerms) -> Judge:
    return Judge(BoxProblem.of_terms(written))


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


def _mean(low: Any, high: Any) -> Fraction:
    """(low + high)/2 in one step, as every box is split."""
    n, d, m, e = low.numerator, low.denominator, high.numerator, high.denominator
    return Fraction(n * e + m * d, 2 * d * e)


def split(box: Box, axis: int, *, whole: bool) -> tuple[Box, Box]:
    """Bisect a box; an integer side splits between integers. Replay uses the same rule."""
    low, high = box[axis]
    middle = _cut(low, high) if is_infinite(box[axis]) else _mean(low, high)
    assert middle is not None, "a side that starts beyond 2^64 is not split"
    if whole:
        cut = Fraction(middle.numerator // middle.denominator)
        return (*box[:axis], (low, cut), *box[axis + 1 :]), (*box[:axis], (cut + 1, high), *box[axis + 1 :])
    return (*box[:axis], (low, middle), *box[axis + 1 :]), (*box[:axis], (middle, high), *box[axis + 1 :])
