"""Points for a search, made to satisfy the premises in turn.

Nothing here decides: each point is decided exactly by who asked for it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.claims.domain import Domain
from dpbounds.language import functions
from dpbounds.language.in_floats import in_floats

Point = dict[Any, Any]
_SIMPLE = "0 1 1/2 1/10 2 1/3 3 9/10 1/4 3/4 2/3 5 10 1/100 -1 -1/2 -2 20 1/20 99/100 100 1000 -10"
_VALUES = list(map(Fraction, _SIMPLE.split(" ")))
"""Simple numbers, the likeliest first."""
_LARGE = [Fraction(10) ** k for k in range(1, 10)]
_MOST = Fraction(10) ** 300
"""What a float holds, with room to multiply by small numbers."""
_ROUNDS = 6
Gap = Callable[..., float]


def solved_points(domain: Domain, seed: int = 0, tries: int = 200) -> Iterator[Point]:
    """Points at which premises were made to hold one after another: a variable of one that fails takes a value for which it holds."""
    variables = list(domain.variables)
    if not variables or domain.families:
        return
    rng = random.Random(seed)
    premises = [(c, gap) for c in domain.constraints if (gap := _gap(c, variables)) is not None]
    ladders = [[*_values(domain, v), *(x for x in _LARGE if _inside(domain, v, x))] for v in variables]
    for k, v in enumerate(variables):
        alone = [gap for c, gap in premises if c.free_symbols == {v}]
        held = [x for x in ladders[k] if all(_value(gap, [float(x)] * len(variables)) >= 0 for gap in alone)]
        ladders[k] = held or ladders[k]
    for _ in range(tries if all(ladders) else 0):
        numbers = [rng.choice(ladder[:8]) for ladder in ladders]
        for _ in range(_ROUNDS):
            failing = [(c, gap) for c, gap in premises if _value(gap, list(map(float, numbers))) < 0]
            if not failing:
                break
            c, gap = failing[0]
            places = [k for k, v in enumerate(variables) if v in c.free_symbols]
            rng.shuffle(places)
            if not any(_solve(gap, numbers, k, ladders[k]) for k in places):
                break
        else:
            continue
        yield _exact(variables, numbers)


def _solve(gap: Gap, numbers: list[Fraction], k: int, ladder: Sequence[Fraction]) -> bool:
    """Give one variable a value for which the premise holds, if its ladder has one."""
    for value in ladder:
        trial = [float(x) for x in numbers]
        trial[k] = float(value)
        if _value(gap, trial) >= 0:
            numbers[k] = value
            return True
    return False


def _values(domain: Domain, v: sympy.Symbol) -> list[Fraction]:
    """Simple numbers of the range of a variable, its ends among them."""
    low, high = domain.bounds()[v]
    ends = [end for end in (low, high) if end is not None]
    near = [low + x for x in _VALUES[1:6]] if low not in (None, 0) else []
    inner = [low + (high - low) * x for x in _VALUES[2:5] if x < 1] if low is not None and high is not None else []
    offered = dict.fromkeys([*_VALUES[:4], *ends, *_VALUES[4:8], *inner, *near, *_VALUES[8:]])
    return [x for x in offered if _inside(domain, v, x)]


def _inside(domain: Domain, v: sympy.Symbol, x: Fraction) -> bool:
    low, high = domain.bounds()[v]
    open_zero = x == 0 and bool(v.is_positive or v.is_nonzero)
    within = (low is None or x >= low) and (high is None or x <= high) and abs(x) <= _MOST
    return within and not open_zero and (not v.is_integer or x.denominator == 1)


def _gap(condition: Any, variables: Sequence[sympy.Symbol]) -> Gap | None:
    """large − small over the size of the sides in floats, −1 where they are equal and < is asked; None of what floats do not evaluate."""
    if not isinstance(condition, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)):
        return None
    large, small = (functions.expand_quantities(side) for side in (condition.gts, condition.lts))
    if any(side.has(sympy.Sum, sympy.Integral, functions.PrivacyQuantity, sympy.binomial) for side in (large, small)):
        return None
    try:
        sides = in_floats(variables, [large, small])
    except Exception:  # no function of floats, no points
        return None

    strict = isinstance(condition, (sympy.Lt, sympy.Gt))

    def value(*numbers: float) -> float:
        a, b = sides(*numbers)
        return -1.0 if strict and a == b else float(a - b) / (1e-300 + abs(a) + abs(b))

    return value


def _value(gap: Gap, numbers: Sequence[float]) -> float:
    """The gap, 0 where floats have none."""
    try:
        found = gap(*numbers)
    except (ValueError, OverflowError, ZeroDivisionError, TypeError, NameError, KeyError):
        return 0.0
    return found if math.isfinite(found) else 0.0


def _exact(variables: Sequence[sympy.Symbol], point: Sequence[Fraction]) -> Point:
    return {v: sympy.Rational(x) for v, x in zip(variables, point, strict=True)}
