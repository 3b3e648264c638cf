"""Values at points of the domain of a claim, in floats: they decide nothing, they say what is worth a search."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from dpbounds.claims.claim import Claim
from dpbounds.claims.domain import Domain
from dpbounds.language import functions
from dpbounds.language.in_floats import in_floats

_TRIES, _POINTS, _CLOSE = 2000, 60, 1e-9
_UNREADABLE = (ValueError, OverflowError, ZeroDivisionError, TypeError, NameError)


def points_of(claim: Claim) -> list[dict[Any, float]]:
    """Some points of the domain, at the ends of variables, near them and far from them."""
    rng, bounds, found = random.Random(0), Domain.of_claim(claim).bounds(), list[dict[Any, float]]()
    free = sorted(claim.variables, key=str)
    premises = [(sorted(p.free_symbols, key=str), p) for p in claim.given]
    try:
        tests = [(names, in_floats(names, p)) for names, p in premises]
    except Exception:  # what numbers do not say is left to the search
        return []
    for _ in range(_TRIES):
        at = {v: _value(v.is_integer, *bounds.get(v, (None, None)), rng) for v in free}
        try:
            if all(holds(*(at[v] for v in names)) for names, holds in tests):
                found.append(at)
        except _UNREADABLE:
            continue
        if len(found) == _POINTS:
            break
    return found


def _value(whole: bool | None, low: Any, high: Any, rng: random.Random) -> float:
    """A number of a range."""
    if low is not None and high is not None:
        found = float(low) + rng.choice((0.0, 0.001, 0.999, 1.0, rng.random(), rng.random())) * float(high - low)
    else:
        sign = 1 if low is not None else -1 if high is not None else rng.choice((1, -1))
        found = float(low or high or 0) + sign * rng.choice((0.0, 10.0 ** rng.uniform(-3, 2), rng.uniform(0, 3)))
    return float(round(found)) if whole else found


def is_below_0(h: Any, points: Iterable[Mapping[Any, float]]) -> bool:
    """Whether h < 0 at one of some points."""
    if h.is_number:
        return bool(h.is_negative)
    return any(value < -_CLOSE * size for value, size in _values(h, points))


def vanishes(h: Any, points: Sequence[Mapping[Any, float]]) -> bool:
    """Whether h is 0, up to rounding, wherever it has a value at some points, and it has one at most of them."""
    found = [abs(value) <= _CLOSE * size for value, size in _values(h, points)]
    return 2 * len(found) > len(points) and all(found)


def values_of(h: Any, v: Any, numbers: Sequence[Any]) -> list[float] | None:
    """The values of h at some numbers for its variable v; None where floats do not have one of them.

    >>> import sympy
    >>> x = sympy.Symbol("x")
    >>> values_of(sympy.exp(sympy.exp(x)), x, [0]), values_of(sympy.exp(sympy.exp(x)), x, [0, 9])
    ([2.718281828459045], None)
    """
    found = [value for value, _ in _values(h, [{v: float(number)} for number in numbers])]
    return found if len(found) == len(numbers) and all(map(math.isfinite, found)) else None


def _values(h: Any, points: Iterable[Mapping[Any, float]]) -> Iterator[tuple[float, float]]:
    """The values of h, each beside the size of the point."""
    free = sorted(h.free_symbols, key=str)
    try:
        value = in_floats(free, functions.expand_quantities(h))
    except Exception:  # likewise
        return
    for at in points:
        own = [at[v] for v in free]
        try:
            yield float(value(*own)), 1 + max(map(abs, own), default=0.0)
        except _UNREADABLE:
            continue
