"""Points at which a claim fails in floats: a global search over small families and all variables, then the simplest numbers nearby.

Nothing here decides: each point is decided exactly by who asked for it.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.claims.counterexamples.differential_evolution import DeadlinePassed, Vector, least
from dpbounds.claims.counterexamples.float_gaps import FAILED, FloatGaps, float_gaps
from dpbounds.claims.domain import Domain

Point = dict[Any, Any]
_SIZES = ((2, 4), (3, 3), (4, 1))
_ALONE = ((1, 8),)
"""Lengths of families, and how often the search starts anew."""
_CLEAR = -1e-7
"""A gap that is clearly negative, against the size of the sides."""
_ENOUGH = -1e-3
"""A gap at which the search ends."""
_MARGIN = 1e-5
"""By how much premises hold, against the size of their sides: room for rounding."""
_NOISE = 1e-8
"""Of sides that are smaller, differences of floats may show nothing; half of the searches look at them all the same."""
_NUDGE = 1e-4
"""How far from an equation a premise that is nearly one stays, against the number."""
_MOST_DIGITS = 10
_POINTS, _FEW = 300, ("1", "1/2", "2", "1/3", "3", "1/10", "4", "9/10")
"""Points at which premises are tried, and their numbers."""
_MOST_TERMS, _MOST_WHOLE = 60, 10_000
"""The largest number to which a sum runs, and the largest of other integer variables."""
_DECADES, _DEEP_DECADES = (-3.0, 4.0), (-9.0, 9.0)
"""Of a variable without an end, and of a search for small sides."""
_END, _NEAR, _DEEP = 0.2, 4.0, 30.0
"""The share of a range next to each end that is logarithmic, and so many decades of it; of a range from 0 for small sides, more."""


def float_points(claim: Any, domain: Domain, seed: int, generations: int, deadline: float | None = None) -> Iterator[Point]:
    """Exact points at which the claim fails in floats, the simplest first.

    Args:
        claim: the claim.
        domain: its domain.
        seed: of the search.
        generations: of the search, for each length of the families.
        deadline: `clock.now()` at which to stop.
    """
    rng = random.Random(seed)
    for size, starts in _SIZES if domain.families else _ALONE:
        gaps = float_gaps(claim, domain, size)
        if gaps is None or not gaps.symbols:
            return
        try:
            scales = [_Range.of_symbol(v, gaps, domain, k in itertools.chain(*gaps.laws)) for k, v in enumerate(gaps.symbols)]
        except OverflowError:  # an end beyond the range of floats
            return
        ends = [(k, found) for k, v in enumerate(gaps.symbols) if v in domain.variables and (found := gaps.ends(k))]
        for turn in range(starts):
            tight = rng.choice(ends) if ends and turn % 3 else None
            start = _Start(gaps, scales, 0.0 if turn % 4 >= 2 else _NOISE, tight)
            best = _best(start, _part_of_unit(rng, len(scales), turn), rng.randrange(10**6), generations, deadline)
            if best is not None:
                yield from _simple(gaps, best)


def premise_points(claim: Any, domain: Domain, seed: int = 0) -> Iterator[Point]:
    """Exact points of families and variables at which the premises hold in floats; equations of the premises are solved."""
    rng = random.Random(seed)
    for size, _ in _SIZES:
        gaps = float_gaps(replace(claim, then=sympy.Lt(sympy.S.Zero, 1, evaluate=False)), domain, size)
        for _ in range(_POINTS if gaps is not None else 0):
            assert gaps is not None
            numbers = [Fraction(rng.choice(_FEW)) * (1 if v.is_nonnegative else rng.choice((1, -1))) for v in gaps.symbols]
            numbers = [Fraction(round(x)) if v.is_integer else x for v, x in zip(gaps.symbols, numbers, strict=True)]
            if gaps.value([float(x) for x in numbers]) < FAILED:
                point = gaps.point([sympy.Rational(x) for x in numbers])
                if point is not None:
                    yield point


@dataclass(frozen=True)
class _Start:
    """A function on the unit cube.

    Attributes:
        gaps: the claim.
        scales: of its coordinates.
        noise: of sides that are not larger, floats show nothing.
        tight: a coordinate that is set to where premises are equations, and its values there.
    """

    gaps: FloatGaps
    scales: Sequence[_Range]
    noise: float
    tight: tuple[int, Sequence[Callable[..., float]]] | None

    def numbers(self, vector: Vector) -> list[float]:
        """The coordinates at a place."""
        numbers = [scale.number(x, not self.noise) for scale, x in zip(self.scales, vector, strict=True)]
        if self.tight is None:
            return numbers
        k, ends = self.tight
        normalised = self.gaps.normalised(numbers)
        values = sorted(end(*normalised) for end in ends)
        if self.scales[k].whole:
            near: list[float] = [number for value in values for number in (math.floor(value), math.ceil(value))]
        else:
            near = [value * (1 + way) for value in values for way in (_NUDGE, -_NUDGE)]
        return min((numbers[:k] + [number] + numbers[k + 1 :] for number in near), key=self.value)

    def value(self, numbers: Sequence[float]) -> float:
        """The gap at these coordinates."""
        return self.gaps.value(numbers, _MARGIN, self.noise)

    def __call__(self, vector: Vector) -> float:
        try:
            return self.value(self.numbers(vector))
        except (ArithmeticError, ValueError, TypeError):
            return math.inf


def _best(start: _Start, ranges: list[tuple[float, float]], seed: int, generations: int, deadline: float | None) -> list[float] | None:
    """The coordinates at which the gap seems least, None where it is nowhere negative."""
    try:
        vector, value = least(start, ranges, seed=seed, generations=generations, enough=_ENOUGH, deadline=deadline)
    except DeadlinePassed:
        return None
    return start.numbers(vector) if value < _CLEAR else None


def _part_of_unit(rng: random.Random, many: int, turn: int) -> list[tuple[float, float]]:
    """The unit cube at first, then boxes in it: where a gap tends to 0, a search of the whole ends there."""
    if turn < 3:
        return [(0.0, 1.0)] * many
    shares = [rng.choice((1.0, 0.5, 0.3)) for _ in range(many)]
    lows = [rng.uniform(0, 1 - share) for share in shares]
    return [(low, low + share) for low, share in zip(lows, shares, strict=True)]


class _Range:
    """A range of numbers on the unit interval: logarithmic near its ends, or to infinity."""

    def __init__(self, low: float | None, high: float | None, most: int | None) -> None:
        self.low, self.high, self.whole = low, high, most is not None
        self.decades = _DECADES if most is None else (-0.4, math.log10(most))

    @classmethod
    def of_symbol(cls, symbol: sympy.Symbol, gaps: FloatGaps, domain: Domain, is_weight: bool) -> _Range:
        """The range of a variable or of an entry."""
        most = None if not symbol.is_integer else _MOST_TERMS if symbol in gaps.counts else _MOST_WHOLE
        if symbol in domain.variables:
            low, high = (None if end is None else float(end) for end in domain.bounds()[symbol])
        else:
            low, high = 0.0 if symbol.is_nonnegative else None, 1.0 if is_weight else None
        return cls(low, high, most)

    def number(self, x: float, deep: bool) -> float:
        """The number at a place; more decades on a deep search."""
        value = self._number(x, deep)
        return round(value) if self.whole else value

    def _number(self, x: float, deep: bool) -> float:
        if self.low is not None and self.high is not None:
            return self.low + (self.high - self.low) * _share(x, _DEEP if deep and self.low == 0 else _NEAR)
        decades = _DEEP_DECADES if deep and not self.whole else self.decades
        if self.low is None and self.high is None:
            return math.copysign(_reached(abs(2 * x - 1), decades), x - 0.5)
        way = _reached(x, decades)
        return self.low + way if self.low is not None else (self.high or 0.0) - way


def _share(x: float, decades: float) -> float:
    """[0, 1] onto itself, logarithmic near both ends."""
    if x < _END:
        return _END * 10 ** (-decades * (1 - x / _END)) if x else 0.0
    return x if x <= 1 - _END else 1 - _share(1 - x, _NEAR)


def _reached(x: float, decades: tuple[float, float]) -> float:
    """[0, 1] to [0, ∞), logarithmic."""
    low, high = decades
    return 10 ** (low + (high - low) * x) if x else 0.0


def _simple(gaps: FloatGaps, best: Sequence[float]) -> Iterator[Point]:
    """The best point with simple numbers in its place, one coordinate after another, while the gap stays negative."""
    numbers = [Fraction(x) for x in best]
    for k, x in enumerate(best):
        for number in _simpler(x):
            trial = [*numbers[:k], number, *numbers[k + 1 :]]
            if gaps.value([float(y) if y.denominator > 1 else int(y) for y in trial]) < _CLEAR:
                numbers = trial
                break
    point = gaps.point([sympy.Rational(x) for x in numbers])
    if point is not None:
        yield point


def _simpler(x: float) -> Iterator[Fraction]:
    """Numbers close to x, the simplest first."""
    exact = Fraction(x)
    if exact.denominator == 1:
        return
    for digits in range(1, _MOST_DIGITS):
        unit = Fraction(10) ** (math.floor(math.log10(abs(x))) - digits + 1)
        near = math.floor(exact / unit)
        yield exact.limit_denominator(10 ** max(1, digits - 1))
        yield from sorted((near * unit, (near + 1) * unit), key=lambda y: abs(y - exact))


__all__ = ["float_points", "premise_points"]
