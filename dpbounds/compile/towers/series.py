"""Sums of c·w^k·Π a^p·e^P for w → 0: what the expansions of a compiler are written with.

The a are terms without w, or variables that stand for bounded functions and for log 1/w; P is such a sum without exponentials, of what
is constant or tends to infinity. Nothing here is believed: each equation and each bound is a step of the document.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple, TypeVar

from dpbounds.compile.steps import NotWritten
from dpbounds.kernel.notation import show
from dpbounds.kernel.terms import Term, node, number, plus, power, times

_K = TypeVar("_K")
_MOST = 400
"""Terms of a sum."""


class SmallMonomial(NamedTuple):
    """w^power·Π a^p·e^P."""

    power: int = 0
    atoms: frozenset[tuple[Term, Fraction]] = frozenset()
    exponent: frozenset[tuple[SmallMonomial, Fraction]] = frozenset()

    def times(self, other: SmallMonomial, k: int | Fraction = 1) -> SmallMonomial:
        """self·other^k."""
        whole = Fraction(self.power + other.power * k)
        if whole.denominator != 1:
            raise NotWritten("a root of what vanishes")
        return SmallMonomial(int(whole), _merged(self.atoms, other.atoms, k), _merged(self.exponent, other.exponent, k))

    def without(self, *atoms: Term) -> SmallMonomial:
        """Without some atoms."""
        return self._replace(atoms=frozenset((a, p) for a, p in self.atoms if a not in atoms))


Series = dict[SmallMonomial, Fraction]
UNIT = SmallMonomial()


def _merged(a: Iterable[tuple[_K, Fraction]], b: Iterable[tuple[_K, Fraction]], k: int | Fraction) -> frozenset[tuple[_K, Fraction]]:
    found = dict(a)
    for x, p in b:
        found[x] = found.get(x, Fraction(0)) + p * k
    return frozenset((x, p) for x, p in found.items() if p)


def constant(c: Fraction | int) -> Series:
    """A number."""
    return {UNIT: Fraction(c)} if c else {}


def of_monomial(m: SmallMonomial, c: Fraction | int = 1) -> Series:
    """c·m."""
    return {m: Fraction(c)}


def of_atom(a: Term, k: int | Fraction = 1) -> Series:
    """a^k."""
    return {SmallMonomial(atoms=frozenset([(a, Fraction(k))])): Fraction(1)}


def total(parts: Iterable[Series]) -> Series:
    """Their sum."""
    found: Series = {}
    for s in parts:
        for m, c in s.items():
            found[m] = found.get(m, Fraction(0)) + c
    return {m: c for m, c in found.items() if c}


def scaled(s: Series, c: Fraction | int, m: SmallMonomial = UNIT, k: int = 1) -> Series:
    """c·m^k·s."""
    return {n.times(m, k): d * c for n, d in s.items()} if c else {}


def product(a: Series, b: Series) -> Series:
    """a·b."""
    if len(a) * len(b) > _MOST**2 // 10:
        raise NotWritten("a long expansion")
    found = total(scaled(a, c, m) for m, c in b.items())
    if len(found) > _MOST:
        raise NotWritten("a long expansion")
    return found


def raised(a: Series, k: int) -> Series:
    """a^k for k ≥ 0."""
    found = constant(1)
    for _ in range(k):
        found = product(found, a)
    return found


def written(s: Series, w: Term) -> Term:
    """The term of a sum."""
    rows = sorted(s.items(), key=lambda row: (row[0].power, len(row[0].atoms)))
    return plus(*(_monomial(m, c, w) for m, c in rows)) if rows else number(0)


def _monomial(m: SmallMonomial, c: Fraction, w: Term) -> Term:
    parts = [power(w, m.power)] if m.power else []
    for a, p in sorted(m.atoms, key=lambda row: show(row[0])):
        parts.append(a if p == 1 else power(a, int(p)) if p.denominator == 1 else node("pow", a, number(p)))
    if m.exponent:
        parts.append(node("exp", written(dict(m.exponent), w)))
    if c != 1 or not parts:
        parts.insert(0, number(c))
    found = parts[0]
    for part in parts[1:]:
        found = times(found, part)
    return found
