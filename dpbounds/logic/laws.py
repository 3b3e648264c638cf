"""Laws on finitely many outcomes: a family of masses together with the range of its outcomes.

A law among the premises of a claim says that its masses sum to one; in a divergence it stands for its masses and their range.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpbounds.logic.terms import Family, Term, TermError, binder, need, node, number, term

Range = tuple[Term, Term, Term]


def range_of(over: Any) -> Range:
    """A range (variable, low, high) as terms."""
    need(isinstance(over, (tuple, list, Term)) and len(over) == 3, f"a range is (variable, low, high), got {over!r}")
    x, low, high = (term(part) for part in over)
    return x, low, high


@dataclass(frozen=True)
class Masses:
    """Masses on the outcomes of a range. Sums and multiples of laws are taken outcome by outcome.

    Args:
        mass: the mass of one outcome, a term in the variable of the range.
        over: the range (variable, first, last).
        base: the family, None of a combination of laws.

    >>> from dpbounds.logic.notation import index, positive_integer
    >>> i, n = index("i"), positive_integer("n")
    >>> p, q = laws("p q", (i, 1, n))
    >>> (p + q) / 2
    FiniteLaw((p[i] + q[i])/2, i=1..n)
    """

    mass: Term
    over: Range
    base: Family | None = None

    __iter__ = None  # Python would ask for outcomes 0, 1, 2, … without end

    @property
    def premise(self) -> Term:
        """That the masses sum to one.

        Raises:
            TermError: a combination of laws, whose total follows from theirs.
        """
        if self.base is None:
            raise TermError(
                f"{self} is a combination of laws, and only a law itself can be a premise; put each law of it among the premises"
            )
        return node("=", binder("Sum", self.over[0], self.over[1:], self.mass), number(1))

    def __getitem__(self, outcome: Any) -> Term:
        """The mass of an outcome."""
        return self.mass.subs(self.over[0], outcome)

    def __add__(self, other: Masses) -> Masses:
        if not isinstance(other, Masses) or other.over != self.over:
            return NotImplemented
        return Masses(self.mass + other.mass, self.over)

    def __mul__(self, factor: Any) -> Masses:
        return Masses(term(factor) * self.mass, self.over)

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> Masses:
        return Masses(self.mass / divisor, self.over)

    def __repr__(self) -> str:
        variable, first, last = self.over
        return f"FiniteLaw({self.mass}, {variable}={first}..{last})"


def laws(names: str, over: Any, sign: str = "nonnegative") -> Any:
    """One law, or several: `laws("p q", (i, 1, n))`.

    Args:
        names: of the families, with spaces between them.
        over: the outcomes (variable, first, last).
        sign: of the masses: "nonnegative" or "positive".

    Raises:
        TermError: another sign; masses that are negative or zero have no total of one, and every claim would hold of them.

    >>> from dpbounds.logic.notation import index
    >>> p, q = laws("p q", (index("i"), 1, 3))
    >>> p
    FiniteLaw(p[i], i=1..3)
    """
    need(sign in ("nonnegative", "positive"), f'laws({names!r}, sign=...): masses are "nonnegative" or "positive", got {sign!r}')
    variable, first, last = range_of(over)
    bases = [Family(name, "R", (sign,)) for name in names.split()]
    made = [Masses(base[variable], (variable, first, last), base) for base in bases]
    return made[0] if len(made) == 1 else tuple(made)
