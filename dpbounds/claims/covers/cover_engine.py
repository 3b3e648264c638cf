"""Leaves of covers that only the engine evaluates, judged by the tests of the search: nobody else speaks for them, and they are counted."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

from dpbounds.claims import clock
from dpbounds.claims.boxes.bounds import Box
from dpbounds.claims.boxes.leaves import Leaves, sides_of
from dpbounds.claims.domain import Domain, solve_equalities
from dpbounds.claims.statement.cover_text import CoverWriter
from dpbounds.covers.check import Leaf
from dpbounds.covers.cover import Cover
from dpbounds.errors import CertificateError
from dpbounds.language import definedness
from dpbounds.language.substitution import substituted
from dpbounds.numbers import balls

_FEW_BITS = 34
"""Tried before the precision of the document."""
MOST_SECONDS = 600.0
"""Processor time for the leaves of one cover: what a number costs the engine is seen only when it is there."""


def engine_of(
    names: Mapping[str, Any], then: Any, constraints: tuple[Any, ...], writer: CoverWriter, cover: Cover
) -> Callable[[Leaf], bool]:
    """What judges the leaves of a cover of a statement.

    Args:
        names: the variables of the statement by name.
        then: the conclusion.
        constraints: premises and assumptions of the symbols.
        writer: what wrote the statement.
        cover: the document.

    Raises:
        CertificateError: by what is returned, where all leaves together take more than `MOST_SECONDS`.
    """
    built: list[Callable[[Leaf], bool]] = []
    left = MOST_SECONDS

    def judged(leaf: Leaf) -> bool:
        if not built:
            built.append(_tests(names, then, constraints, writer, cover))
        return built[0](leaf)

    def judge(leaf: Leaf) -> bool:
        nonlocal left
        start = clock.now()
        try:
            found = clock.within(start + left, lambda: judged(leaf))
        except clock.TimeIsUp:
            if clock.now() < start + left:  # somebody else's deadline
                raise
            found = False
        left -= clock.now() - start
        if left <= 0:
            raise CertificateError(
                f"{cover.statement.claim}: the leaves that rest on the engine ask for more than {MOST_SECONDS:g} s of processor time"
            )
        return found

    return judge


def _tests(names: Mapping[str, Any], then: Any, constraints: tuple[Any, ...], writer: CoverWriter, cover: Cover) -> Callable[[Leaf], bool]:
    boxes = cover.boxes
    statement, kept, solved = solve_equalities(then, constraints)
    if {writer.names[v.name] for v in solved} != {name for name, *_ in boxes.solve}:
        raise CertificateError("the equations are solved for other variables than the engine solves them for")
    needed = [substituted(c, solved) for c in definedness.conditions_of(then)] if solved else []
    back = {new: names[old] for old, new in writer.names.items()}
    variables = tuple(back[name] for name in cover.statement.variables if back[name] not in solved)
    root = tuple(_side(*side) for side in boxes.root)

    @cache
    def leaves_at(bits: int) -> Leaves:
        """The tests at a precision; what they learn is as wide as the balls that they see."""
        with balls.precision(bits):
            return Leaves(Domain(variables, (), kept), statement, root, needed)

    def judge(leaf: Leaf) -> bool:
        box = tuple(_side(*side) for side in leaf.sides)
        # What is shown with few bits is shown; few digits of a quantity cost far less than many.
        return any(_holds(leaves_at(bits), leaf, box, bits) for bits in sorted({min(_FEW_BITS, boxes.bits), boxes.bits}))

    return judge


def _holds(leaves: Leaves, leaf: Leaf, box: Box, bits: int) -> bool:
    """Whether the tests of the search settle a leaf at a precision."""
    with balls.precision(bits):
        sides = sides_of(box)
        if leaf.outside:
            return bool(leaves.outside(box, sides))
        if leaves.bound(box, sides, touching=True).truth is True and leaves.defined(box, sides):
            return True
        return leaves.holds_exactly(box, sides)


def _side(low: Fraction | None, high: Fraction | None) -> tuple[Any, Any]:
    return (-math.inf if low is None else low), (math.inf if high is None else high)
