"""Untrusted: finds a certificate that a function is not negative on a box, by a descent of derivatives.

A goal F ≥ 0 is divided by a positive scale, differentiated by a variable, and what remains of the slope becomes the next goal; one end of
the variable's range gives a goal with one variable less. What is negative at a sample is dropped at once. Nothing here is believed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from dpbounds.descent.polynomials import ONE, Quotient
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.search.building import Canonical, Document, NoForm
from dpbounds.descent.search.place import TowerPlace
from dpbounds.descent.tower import Range, Tower

_MOST_MOVES = 14
_LEVELS, _CHAINED, _SHARE, _PATIENT = 3, 1, 0.6, 3.0
"""Slopes of slopes that change sign once: how many, at which depth, their share of the time, and from how many seconds on."""
_SCALES, _FEW, _FEW_SHARE = 8, 4, 0.2
"""How many scales a slope that changes sign is divided by; how many in a first look at slopes of slopes, and its share of the time."""
_GLANCE = 0.02
"""The share of the time of a first look at each depth."""
_GLUED, _GLUED_DEPTH = 0.6, 3
"""The share of the time for slopes near ends and ties, and their depth."""
_SECOND, _SECOND_DEPTHS = 0.1, (3, 4)
"""The share of the time of a second look, and its depths: shallower ones have seen what there is, and what they learned is kept."""
_NARROW_AFTER, _NARROW_SHARE, _LONGEST_CHAIN = 4, 0.1, 24
"""A search of one move a goal: before which depth, its share of the time, and its depth."""
_PROMISE, _PROMISE_SHARE, _PROMISE_DEPTH = "promise", 0.4, 5
"""What a search remembers where a goal falls into parts that seem to hold, and the share of the time and the depth of a look at them."""


class OutOfTime(Exception):
    """The processor time is used up."""


class DescentSearch:
    """One search, with a deadline in processor seconds and a depth."""

    def __init__(
        self,
        deadline: float,
        depth: int,
        memory: dict[Any, Any],
        levels: int = 1,
        width: int = _MOST_MOVES,
        *,
        scales: int = _SCALES,
        glue: bool = False,
    ) -> None:
        self.deadline, self.depth, self.memory, self.levels, self.width = deadline, depth, memory, levels, width
        self.scales, self.glue, self.cuts = scales, glue, 0
        self.steps = 0
        self.differing: frozenset[int] = frozenset()
        """Which premises are strict."""

    def look(self) -> None:
        """Stop when the time is used up."""
        if time.process_time() > self.deadline:
            raise OutOfTime

    def promise(self) -> None:
        """Remember that a goal falls into parts that seem to hold: a longer look is worth its time."""
        self.memory[_PROMISE] = True

    def claim(
        self,
        free: Tower,
        value: Quotient,
        depth: int,
        *,
        strict: bool,
        premises: tuple[Quotient, ...] = (),
        box: Mapping[str, Range] | None = None,
    ) -> Document | None:
        """value ≥ 0 over a free tower: its canonical tower, and the factors of numerator and denominator."""
        self.look()
        try:
            canonical = Canonical(free, box)
            n, d = canonical.through(value)
            at = TowerPlace(self, canonical, strict)
            at.premises = [canonical.through(premise)[0] for premise in premises]
            by = at.product(canonical.tower.reduced(n), canonical.tower.reduced(d), depth, strict=strict)
            if by is None or not at.defined(depth):
                return None
            if not all(at.divisor(*canonical.through((p, ONE)), depth) is not None for p in free.divisors):
                return None
        except (NoForm, DescentRefused, ZeroDivisionError, OverflowError):
            return None
        made = canonical.tower, dict(enumerate(canonical.images))
        return {"tower": canonical.proofs, "images": canonical.hints, "made": made, "by": by}


def find(
    prove: Callable[[DescentSearch, int], Document | None],
    seconds: float,
    deepest: int = 7,
    *,
    single: bool = False,
    briefly: bool = False,
    memory: dict[Any, Any] | None = None,
) -> tuple[Document | None, int]:
    """Iterative deepening within processor seconds: the first certificate, and the depth.

    Args:
        prove: one search.
        seconds: of processor time.
        deepest: the last depth.
        single: whether there is one variable, whose range may be cut; there is some time for that.
        briefly: only a first look at each depth.
        memory: what a first, brief search of the same goal learned, and what this one adds; none by default.
    """
    deadline = time.process_time() + seconds
    again, memory = memory is not None and not briefly, {} if memory is None else memory
    # A quick look at each depth first: where shallow ones take long, a deeper one may be short. What they learn is kept.
    depths, glance = (_SECOND_DEPTHS, _SECOND) if again else (range(1, deepest + 1), _GLANCE)
    looks: list[tuple[float, int, dict[Any, Any], dict[str, Any]]] = [(glance, depth, memory, {}) for depth in depths]
    if single and not briefly:
        looks.append((_FEW_SHARE, _CHAINED, {}, {"levels": _LEVELS, "scales": _FEW}))
        looks.append((_GLUED, _GLUED_DEPTH, {}, {"glue": True}))  # last: it may take most of the time
    for share, depth, kept, options in looks:
        try:
            until = min(deadline, time.process_time() + share * seconds)
            found = prove(DescentSearch(until, depth, kept, **options), depth)
        except OutOfTime:
            continue
        if found is not None:
            return found, depth
    if _PROMISE in memory:
        try:
            until = min(deadline, time.process_time() + _PROMISE_SHARE * seconds)
            found = prove(DescentSearch(until, _PROMISE_DEPTH, memory), _PROMISE_DEPTH)
            if found is not None:
                return found, _PROMISE_DEPTH
        except OutOfTime:
            pass
    for depth in () if briefly else range(1, deepest + 1):
        if depth == _NARROW_AFTER:
            # A long chain of the cheapest slopes: what polynomials times exponentials need.
            try:
                until = min(deadline, time.process_time() + _NARROW_SHARE * seconds)
                found = prove(DescentSearch(until, _LONGEST_CHAIN, {}, width=1), _LONGEST_CHAIN)
                if found is not None:
                    return found, _LONGEST_CHAIN
            except OutOfTime:
                pass
        # Slopes of slopes branch much: they have a part of a long time, once.
        for levels in (1, _LEVELS) if depth == _CHAINED and seconds >= _PATIENT else (1,):
            try:
                until = deadline if levels == 1 else min(deadline, time.process_time() + _SHARE * seconds)
                found = prove(DescentSearch(until, depth, memory if levels == 1 else {}, levels), depth)
            except OutOfTime:
                if levels == 1:
                    return None, depth
                continue
            if found is not None:
                return found, depth
    return None, deepest
