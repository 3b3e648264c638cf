"""Points of a domain: corners, next to corners, far out, and anywhere; laws with zeros and close pairs of laws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import mpmath

from benchmarks.drawn.values import number
from dpbounds.logic.terms import Term
from dpbounds.notation import Rational

_NEAR = [Fraction(1, 10**k) for k in (1, 2, 3, 6, 9)]
_SIZES = [1, 2, 2, 3, 3, 4, 5, 7]


@dataclass(frozen=True)
class Range:
    """The values of one variable.

    Attributes:
        variable: the term.
        low, high: the ends, None for none.
        ends: whether both ends belong to it ("[]"), none ("()"), or one.
    """

    variable: Term
    low: int | Fraction | None
    high: int | Fraction | None
    ends: str = "[]"

    @property
    def whole(self) -> bool:
        """Whether it has integers alone."""
        return self.variable.sort == "Z"

    def premises(self) -> list[Term]:
        """What a claim says of it."""
        said, v = [], self.variable
        known = {"nonnegative": (0, "["), "positive": (1 if self.whole else 0, "[" if self.whole else "(")}
        if self.low is not None and (self.low, self.ends[0]) not in [known.get(fact) for fact in v.data[2]]:
            said.append(v >= _exact(self.low) if self.ends[0] == "[" else v > _exact(self.low))
        if self.high is not None:
            said.append(v <= _exact(self.high) if self.ends[1] == "]" else v < _exact(self.high))
        return said

    def draw(self, rng: Random) -> int | Fraction:
        """A value."""
        if self.whole:
            low = 1 if self.low is None else int(self.low)
            high = int(self.high) if self.high is not None else low + rng.choice((3, 10, 60))
            return rng.choice((low, low + 1, high, rng.randint(low, high))) if high > low else low
        return rng.choice((self._end, self._inside, self._inside))(rng)

    def _end(self, rng: Random) -> Fraction:
        sides = [s for s, end in ((1, self.low), (-1, self.high)) if end is not None]
        if not sides:
            return rng.choice((0, 1, -1)) * Fraction(rng.choice((0, 1, 10, 50)))
        side = rng.choice(sides)
        end = Fraction(self.low if side == 1 else self.high)  # type: ignore[arg-type]
        closed = self.ends[0] == "[" if side == 1 else self.ends[1] == "]"
        room = Fraction(1) if self.low is None or self.high is None else Fraction(self.high - self.low)
        return end if closed and rng.random() < 0.5 else end + side * room * rng.choice(_NEAR)

    def _inside(self, rng: Random) -> Fraction:
        if self.low is not None and self.high is not None:
            return self.low + Fraction(self.high - self.low) * Fraction(rng.randint(1, 63), 64)
        far = Fraction(rng.randint(1, 64), 16) * rng.choice((1, 1, 1, 4, 16))
        if self.low is None and self.high is None:
            return far * rng.choice((1, -1))
        return self.low + far if self.low is not None else self.high - far  # type: ignore[operator]


def _exact(x: int | Fraction) -> Term:
    return Rational(x.numerator, x.denominator)


def law(rng: Random, size: int, *, zeros: bool) -> tuple[Fraction, ...]:
    """Masses that sum to one: even, uneven or with zeros."""
    kind = rng.randrange(3)
    weights = [rng.randint(1, 8) if kind else rng.choice((1, 1, 1000)) for _ in range(size)]
    if zeros and kind == 2:
        weights = [w * rng.choice((0, 1)) for w in weights]
        weights[rng.randrange(size)] += 1
    return tuple(Fraction(w, sum(weights)) for w in weights)


def close_laws(rng: Random, size: int, epsilon: Any) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Two laws whose masses differ by a factor of at most e^ε in both directions: mostly randomized response on two sets."""
    first = law(rng, max(size, 2), zeros=False)
    with mpmath.workdps(90):
        epsilon = number(epsilon)
        if epsilon > 300 or rng.random() < 0.3:
            return first, first
        high = mpmath.exp(epsilon) / (1 + mpmath.exp(epsilon))
        split = rng.randint(1, len(first) - 1)
        left = sum(first[:split])
        p = tuple(number(x / left) * high if k < split else number(x / (1 - left)) * (1 - high) for k, x in enumerate(first))
        q = tuple(number(x / left) * (1 - high) if k < split else number(x / (1 - left)) * high for k, x in enumerate(first))
        share = number(Fraction(rng.choice((0, 0, 1, 2)), 4))
        return p, tuple((1 - share) * b + share * a for a, b in zip(p, q, strict=True))


Sampler = Callable[[Random], dict[str, Any]]


def of_ranges(ranges: list[Range]) -> Sampler:
    """Points of a product of ranges."""
    return lambda rng: {r.variable.data[0]: r.draw(rng) for r in ranges}


def size_of(rng: Random) -> int:
    """A length of families."""
    return rng.choice(_SIZES)
