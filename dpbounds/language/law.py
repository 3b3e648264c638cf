"""Laws on finitely many outcomes: a family of masses together with the range of its outcomes.

A law among the premises of a claim says that its masses sum to one; in a divergence it stands for its masses and their range.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy
from sympy.logic.boolalg import Boolean

from dpbounds.errors import InputError
from dpbounds.language.binders import conditions_of_range
from dpbounds.language.symbols import family, sums_to_one

Range = tuple[sympy.Symbol, Any, Any]


@dataclass(frozen=True)
class MassFunction:
    """Masses p[i] on the outcomes i of a range. Sums and multiples of laws are taken outcome by outcome.

    Args:
        mass: the mass of one outcome, an expression in the index of the range.
        over: the range (index, first, last).
        base: the family, None of a combination of laws.

    >>> from dpbounds.language.symbols import index, positive_integer
    >>> i, n = index("i"), positive_integer("n")
    >>> p, q = laws("p q", (i, 1, n))
    >>> (p + q) / 2
    FiniteLaw(p[i]/2 + q[i]/2, i=1..n)
    """

    mass: Any
    over: Range
    base: sympy.IndexedBase | None = None

    @property
    def premise(self) -> Boolean:
        """That the masses sum to one.

        >>> from dpbounds.language.symbols import index, positive_integer
        >>> i, n = index("i"), positive_integer("n")
        >>> laws("p", (i, 1, n)).premise
        Eq(Sum(p[i], (i, 1, n)), 1)

        Raises:
            InputError: a combination of laws, whose total follows from theirs.
        """
        if self.base is None:
            raise InputError(
                f"{self} is a combination of laws, and only a law itself can be a premise; put each law of it among the premises"
            )
        return sums_to_one(self.base, self.over)

    __iter__ = None  # Python would ask for outcomes 0, 1, 2, … without end

    def __getitem__(self, outcome: Any) -> sympy.Expr:
        """The mass of an outcome.

        Raises:
            InputError: a combination of laws at an outcome that the index may not have: sympy wrote its mass by what the index assumes.
        """
        index = self.over[0]
        if self.base is None and conditions_of_range("sum", index, outcome, outcome):
            raise InputError(f"{self} gives no mass at {outcome}: the declaration of {index} excludes it; write the mass of each law")
        return self.mass.xreplace({self.over[0]: sympy.sympify(outcome)})

    def __add__(self, other: MassFunction) -> MassFunction:
        if not isinstance(other, MassFunction) or other.over != self.over:
            return NotImplemented
        return MassFunction(self.mass + other.mass, self.over)

    def __mul__(self, factor: Any) -> MassFunction:
        return MassFunction(factor * self.mass, self.over)

    __rmul__ = __mul__

    def __truediv__(self, divisor: Any) -> MassFunction:
        return MassFunction(self.mass / divisor, self.over)

    def __repr__(self) -> str:
        index, first, last = self.over
        return f"FiniteLaw({self.mass}, {index}={first}..{last})"


def laws(names: str, over: Range, sign: str = "nonnegative") -> Any:
    """One law, or several: `laws("p q", (i, 1, n))`.

    Args:
        names: of the families, with spaces between them.
        over: the outcomes (index, first, last).
        sign: of the masses: "nonnegative" or "positive".

    Raises:
        InputError: another sign; masses that are negative or zero have no total of one, and every claim would hold of them.
    """
    if sign not in ("nonnegative", "positive"):
        raise InputError(f'laws({names!r}, sign=...): masses are "nonnegative" or "positive", got {sign!r}')
    made = [MassFunction(base[over[0]], over, base) for base in (family(name, sign) for name in names.split())]
    return made[0] if len(made) == 1 else tuple(made)


def opened(p: Any, q: Any, over: Any) -> tuple[Any, Any, Any]:
    """Two laws of one range as their masses and the range; anything else as it is.

    Raises:
        InputError: laws of two ranges, or a law beside something else.
    """
    if not isinstance(p, MassFunction) and not isinstance(q, MassFunction):
        return p, q, over
    if not isinstance(p, MassFunction) or not isinstance(q, MassFunction) or p.over != q.over or over is not None:
        raise InputError(f"a divergence of laws needs two laws with the same outcomes and no range of its own, got {p} and {q}")
    return p.mass, q.mass, p.over
