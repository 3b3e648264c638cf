"""By what a certificate was checked again: how much of it on the checker's own arithmetic, how much only by the engine that found it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CheckedParts:
    """The parts of a certificate that survived.

    Attributes:
        parts: how many there are: boxes of a cover, or conditions at a point.
        by_engine: how many of them rest on the ball engine alone, which also found them. That is a weaker word: nobody disagreed.
        noun: what a part is called.
        arithmetic: what the checker calculates with.
        by_numbers: how many of the others rest on certificates of numbers, which `dpbounds.recheck` checked.

    >>> str(CheckedParts(10) + CheckedParts(5, 2))
    'intervals and rationals; rests on the engine: 2 of 15 boxes'
    """

    parts: int
    by_engine: int = 0
    noun: str = "boxes"
    arithmetic: str = "intervals and rationals"
    by_numbers: int = 0

    def __add__(self, other: CheckedParts) -> CheckedParts:
        parts, engine, numbers = self.parts + other.parts, self.by_engine + other.by_engine, self.by_numbers + other.by_numbers
        return CheckedParts(parts, engine, self.noun, self.arithmetic, numbers)

    def __str__(self) -> str:
        counted = (("checked by the checker of numbers", self.by_numbers), ("rests on the engine", self.by_engine))
        return self.arithmetic + "".join(f"; {said}: {count} of {self.parts} {self.noun}" for said, count in counted if count)
