"""Leaves that rest on the engine and are seen to be false: at a corner or the middle of the box, or as a whole."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from fractions import Fraction

from dpbounds.covers.check import Checker, Leaf, Sides
from dpbounds.covers.cover import Cover
from dpbounds.covers.evaluate import Evaluator
from dpbounds.kernel.terms import Refused


def refusing(cover: Cover, engine: Callable[[Leaf], bool] | None) -> Callable[[Leaf], bool]:
    """What judges the leaves of a cover that rest on the engine: none may be refuted, and the engine is asked, where there is one."""
    checker = Checker(cover.statement, cover.boxes)

    def judge(leaf: Leaf) -> bool:
        if is_refuted(checker, leaf):
            raise Refused(f"a leaf is refuted: {checker.text_of(leaf.sides)}")
        return engine is None or engine(leaf)

    return judge


def is_refuted(checker: Checker, leaf: Leaf) -> bool:
    """Whether a leaf is seen to be wrong."""
    if not leaf.outside and Evaluator(checker.box_of(leaf.sides), (), checker.tools).truth(checker.then) is False:
        return True
    for point in points_of(leaf.sides, [name in checker.statement.integers for name in checker.names]):
        at = Evaluator(checker.box_of(point), (), checker.tools)
        inside = all(at.truth(premise) is True for premise in checker.given)
        if inside and (leaf.outside or at.truth(checker.then) is False):
            return True
    return False


def points_of(sides: Sides, whole: list[bool]) -> Iterator[Sides]:
    """The corners and the middle of a box, numbers where a side has no end."""
    marks = []
    for (low, high), is_whole in zip(sides, whole, strict=True):
        first = low if low is not None else (high - 1000 if high is not None else Fraction(-1000))
        last = high if high is not None else max(first, Fraction(0)) + 1000
        middle = (first + last) / 2
        marks.append((first, last, Fraction(middle.__floor__()) if is_whole else middle))
    for place in (*itertools.product(*(m[:2] for m in marks)), tuple(m[2] for m in marks)):
        yield tuple((x, x) for x in place)
