"""A contour that was made for one ε, kept for the next one."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Protocol

from flint import arb

from dpbounds.numbers.balls import Enclosure, precision


class PlannedLine(Protocol):
    """A contour and what does not depend on ε: it gives δ(ε) for any ε, at the precision at which it was made."""

    lost: arb

    @property
    def is_short(self) -> bool:
        """Whether its terms are kept."""

    def delta(self, epsilon: arb) -> arb:
        """The ball of δ(ε)."""


@dataclass
class Nearby:
    """The last line that served for some ε, to be tried first for the next one of the same product."""

    line: PlannedLine | None = None
    bits: int = 0
    digits: int = 0
    method: str = ""
    hoped: int = 0
    """Digits for which a bent contour is planned if one is needed at all, and a short one: most of its price is paid for few digits too."""
    turned: bool = False
    """No line served, but descent rays did."""
    costly: bool = False
    """The nodes of the last line were many, and fewer digits take far fewer."""
    others: dict[Hashable, Nearby] = field(default_factory=dict)
    """Lines of parts of the product."""
    below: tuple[arb, arb] | None = None
    """Of a closed form: a straight line below δ, as `ClosedForm.below` has it."""

    def keep(self, line: PlannedLine, bits: int, digits: int, method: str) -> None:
        """Remember a line, or nothing where its terms are not kept."""
        self.line = line if line.is_short else None
        self.bits, self.digits, self.method = bits, digits, method

    def share(self, other: Nearby) -> None:
        """Take the line of another ε."""
        self.line, self.bits, self.digits, self.method = other.line, other.bits, other.digits, other.method

    def delta(self, epsilon: Callable[[], arb], digits: int, certain: Callable[[], arb] | None) -> Enclosure | None:
        """δ(ε) with the digits, None where the line does not give them."""
        if self.line is None or digits > self.digits:
            return None
        with precision(self.bits):
            found = finished(self.line.delta(epsilon()), self.line.lost, certain)
        return found if found.meets(digits) else None


def finished(ball: arb, lost: arb, certain: Callable[[], arb] | None) -> Enclosure:
    """δ from that of the cut pairs: at most the mass cut off is missing, and the infinite losses."""
    ball = ball.union(ball + lost)
    return Enclosure.of_ball(ball if certain is None else ball + certain())
