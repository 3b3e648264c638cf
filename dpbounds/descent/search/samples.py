"""Untrusted: values of functions at random points of a box, only to guess signs.

A column holds one float a point; what has no value at a point is nan there, and what is too large is infinite. Generators and monomials are
evaluated where somebody asks, a few points first: they already show that most false goals take both signs.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from operator import mul

from dpbounds.descent.polynomials import Monomial, Number, Polynomial, Quotient
from dpbounds.descent.tower import Generator, Range, Tower

Column = list[float]
_FEW, _MANY = 24, 276
"""Points of the first and of the second block."""
_SURE = 1e-9
"""A sum below this share of the sizes of its terms may be rounding."""
_MOST_KEPT = 2000
"""Columns of monomials that a block remembers."""


def _power(x: float, exponent: float) -> float:
    return x**exponent if x >= 0 else math.nan


def _mapped(function: Callable[[float], float], column: Iterable[float]) -> Column:
    """A function of each value."""
    found = []
    for x in column:
        try:
            found.append(function(x))
        except OverflowError:
            found.append(math.inf)
        except ValueError:
            found.append(math.nan)
    return found


_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "exp": math.exp,
    "log": math.log,
    "phi": lambda x: 0.5 * math.erfc(-x / math.sqrt(2)),
    "factorial": lambda x: math.lgamma(x + 1),
}


def points_of(box: Mapping[str, Range], many: int) -> dict[str, Column]:
    """Points of an open box, spread over its scales."""
    return {name: _coordinates(box[name], place, many) for place, name in enumerate(sorted(box))}


@lru_cache(maxsize=1000)
def _coordinates(ends: Range, place: int, many: int) -> Column:
    """Of one variable: the searches return to a few ranges."""
    rng = random.Random(1000 * place + many)
    low, high = (None if end is None else float(end) for end in ends)
    return [_coordinate(low, high, rng) for _ in range(many)]


def _coordinate(low: float | None, high: float | None, rng: random.Random) -> float:
    if low is not None and high is not None:
        u = rng.random()
        if rng.random() < 0.3:
            near = max(u**3, 2e-3)
            u = near if rng.random() < 0.5 else 1 - near
        if low > 0 and high > 20 * low and rng.random() < 0.5:
            return low * (high / low) ** u
        return low + u * (high - low)
    away = math.exp(rng.gauss(0, 1.5))
    if low is not None:
        return low + away
    if high is not None:
        return high - away
    return away if rng.random() < 0.5 else -away


class _Block:
    """Columns of the generators of a tower at some points.

    Args:
        tower: the tower; what is added to it later is evaluated too.
        points: of its variables.
    """

    def __init__(self, tower: Tower, points: Mapping[str, Column], many: int) -> None:
        self.tower, self.points, self.many = tower, points, many
        self._powers: dict[tuple[int, int], Column] = {}
        self._monomials: dict[Monomial, Column] = {}

    def values(self, p: Polynomial) -> Column:
        """Values of a polynomial."""
        total = [0.0] * self.many
        for monomial, coefficient in p.items():
            c = float(coefficient)
            total = [y + c * x for y, x in zip(total, self._monomial(monomial), strict=True)]
        return total

    def size(self, p: Polynomial, k: int) -> float:
        """The sum of the sizes of the terms of a polynomial at one point."""
        return sum(abs(float(coefficient) * self._monomial(monomial)[k]) for monomial, coefficient in p.items())

    def is_sure(self, p: Polynomial, k: int, value: float, share: float = _SURE) -> bool:
        """Whether a value at one point is more than a share of the sum of the sizes of the terms, either way, and none is too large."""
        size = self.size(p, k)
        return size < math.inf and abs(value) > share * size

    def quotient(self, quotient: Quotient) -> Column:
        """Values of a quotient."""
        above, below = map(self.values, quotient)
        return [n / d if d else math.nan for n, d in zip(above, below, strict=True)]

    def power(self, index: int, exponent: int) -> Column:
        """Values of a power of a generator."""
        found = self._powers.get((index, exponent))
        if found is None:
            if exponent == 1:
                found = self._generator(self.tower.generators[index])
            else:
                half = self.power(index, exponent // 2)
                found = list(map(mul, half, half))
                found = list(map(mul, found, self.power(index, 1))) if exponent % 2 else found
            self._powers[index, exponent] = found
        return found

    def _monomial(self, monomial: Monomial) -> Column:
        found = self._monomials.get(monomial)
        if found is None:
            found = [1.0] * self.many
            for i, k in enumerate(monomial):
                if k:
                    found = list(map(mul, found, self.power(i, k)))
            if len(self._monomials) > _MOST_KEPT:
                self._monomials.clear()
            self._monomials[monomial] = found
        return found

    def _generator(self, g: Generator) -> Column:
        if g.kind == "variable":
            return self.points[g.name]
        if g.kind == "pi":
            return [math.pi] * self.many
        if g.kind == "root":
            return _mapped(lambda x: _power(x, 1 / g.order), self.quotient(g.inner))
        return _mapped(_FUNCTIONS[g.kind], self.quotient(g.inner))


class Samples:
    """Guesses about the functions of a tower, by their values at points of a box.

    Args:
        tower: the tower.
        box: ranges of its variables.
    """

    def __init__(self, tower: Tower, box: Mapping[str, Range]) -> None:
        self._blocks = [_Block(tower, points_of(box, many), many) for many in (_FEW, _MANY)]
        self._seen: dict[tuple[frozenset[tuple[Monomial, Number]], ...], frozenset[int]] = {}

    def seen_through(self, tower: Tower) -> Samples:
        """The same points for another tower with these variables."""
        found = object.__new__(Samples)
        found._blocks = [_Block(tower, block.points, block.many) for block in self._blocks]
        found._seen = {}
        return found

    def seen(self, p: Polynomial, premises: Sequence[Polynomial] = ()) -> set[int]:
        """The signs that a polynomial surely takes where the premises are not negative: a subset of {1, −1}."""
        key = frozenset(p.items()), *(frozenset(premise.items()) for premise in premises)
        known = self._seen.get(key)
        if known is None:
            known = self._seen[key] = self._signs(p, premises)
        return set(known)

    def _signs(self, p: Polynomial, premises: Sequence[Polynomial]) -> frozenset[int]:
        found: set[int] = set()
        for block in self._blocks:
            allowed = [block.values(premise) for premise in premises]
            values = block.values(p)
            for sign in {1, -1} - found:
                for k, value in enumerate(values):
                    if value * sign > 0 and all(column[k] >= 0 for column in allowed) and block.is_sure(p, k, value):
                        found.add(sign)
                        break
            if len(found) == 2:
                break
        return frozenset(found)

    def sizes(self, p: Polynomial, variable: int, places: Sequence[Fraction]) -> list[float | None]:
        """A function of one variable at some places, as shares of the sum of the sizes of its terms; None without a value."""
        tower = self._blocks[0].tower
        block = _Block(tower, {tower.generators[variable].name: [float(x) for x in places]}, len(places))
        values = block.values(p)
        sizes = [block.size(p, k) for k in range(len(places))]
        return [value / size if 0 < size < math.inf else None for value, size in zip(values, sizes, strict=True)]

    def falls_through_zero(self, p: Polynomial, variable: int) -> bool:
        """Whether a function of one variable seems to be positive first and negative then."""
        found = []
        for block in self._blocks:
            for k, (x, value) in enumerate(zip(block.power(variable, 1), block.values(p), strict=True)):
                if block.is_sure(p, k, value):
                    found.append((x, value > 0))
        signs = [positive for _, positive in sorted(found)]
        return bool(signs) and signs == sorted(signs, reverse=True)

    def median(self, quotient: Quotient) -> float:
        """The median of a quotient, 0 where it has no value."""
        values = [x for block in self._blocks for x in block.quotient(quotient) if not math.isnan(x)]
        return statistics.median(values) if values else 0.0
