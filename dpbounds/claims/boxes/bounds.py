"""What is known of a difference of sides on a box, and what Taylor forms need to know of the difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.numbers.balls import Ball

if TYPE_CHECKING:
    from dpbounds.claims.boxes.writings import Writings

Box = tuple[tuple[Any, Any], ...]
"""For each variable its low and high end: a `Fraction`, or an infinity as a float."""
Moved = frozenset[sympy.Symbol]
"""Variables whose side is not that of a box any more but an end of it; premises about them say nothing."""


@dataclass(frozen=True)
class Bound:
    """What is known of a gap on a box.

    Attributes:
        truth: True when the relation surely holds on the whole box, False when it surely fails everywhere on it.
        margin: a lower bound of the gap (NaN when nothing is known).
        method: "natural", "monotone", "mean-value", "taylor", "tie", "cases".
        slopes: bounds of the partial derivatives, where the gap is smooth.
    """

    truth: bool | None
    margin: Ball
    method: str
    slopes: tuple[Ball, ...] | None


class Difference(Protocol):
    """A gap `expression >= 0` (or `> 0`) over variables; `gap.Gap` is one."""

    expression: Any
    strict: bool
    variables: tuple[sympy.Symbol, ...]
    faces: Box
    premises: tuple[Boolean, ...]
    memory: Any

    @property
    def gradient(self) -> list[Writings | None] | None:
        """The partial derivatives."""
        ...

    def derivative(self, *by: sympy.Symbol) -> Writings | None:
        """A partial derivative."""
        ...

    def is_smooth_on(self, values: list[Ball]) -> bool:
        """Whether the gap surely is analytic on a box."""
        ...

    def inner_gap(self, expression: Any, variables: tuple[sympy.Symbol, ...], faces: Box, premises: tuple[Boolean, ...]) -> Difference:
        """Another gap that belongs to this one."""
        ...

    def bound_on(self, box: Box, values: list[Ball] | None = None, *, touching: bool = False, moved: Moved = frozenset()) -> Bound:
        """Bound the gap on a box."""
        ...
