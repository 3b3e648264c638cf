"""Values at a few points, in floats: they decide nothing, they say what is not worth a search."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import sympy
from sympy import Symbol

from dpbounds.kernel.terms import Term
from dpbounds.language.in_floats import in_floats

_POINTS = 12


def fails(h: Any, symbols: Mapping[Symbol, Term], facts: Sequence[tuple[Any, int]]) -> bool:
    """Whether h is below 0 at one of some points where the premises hold: no decision, only what is not worth a search."""
    near = [g for r, _ in facts if (g := gap_of(r)) is not None and g.free_symbols <= {*symbols, *h.free_symbols}]
    free = sorted(h.free_symbols.union(*(g.free_symbols for g in near)), key=str)
    try:
        (own, value), premises = _compiled(h), [_compiled(g) for g in near]
    except Exception:
        return False
    rng, seen = random.Random(0), 0
    for _ in itertools.repeat(None, 1500):
        at = {s: sample(s, rng) for s in free}
        try:
            if any(g(*(at[s] for s in names)) < 0 for names, g in premises):
                continue
            seen += 1
            if value(*(at[s] for s in own)) < -1e-9 * (1 + max(map(abs, at.values()))):
                return True
        except (ValueError, OverflowError, ZeroDivisionError, TypeError):
            continue
        if seen > 60:
            break
    return False


@lru_cache(2000)
def _compiled(e: Any) -> tuple[list[Symbol], Any]:
    """An expression as a function of its variables."""
    free = sorted(e.free_symbols, key=str)
    return free, in_floats(free, e)


def vanishes(e: Any) -> bool:
    """Whether an expression is 0 at a few points, up to rounding."""
    rng = random.Random(1)
    try:
        free, value = _compiled(e)
        return all(abs(value(*(sample(s, rng) for s in free))) < 1e-9 for _ in range(6))
    except (ValueError, OverflowError, ZeroDivisionError, TypeError, NameError, KeyError):
        return False


def sample(s: Symbol, rng: Any) -> float:
    """A random value that a symbol may have."""
    if s.is_integer:
        return float(rng.randint(1, 6)) if s.is_positive else float(rng.randint(-3, 5))
    if s.is_nonnegative:
        return float(2.0 ** rng.uniform(-3, 2.5))
    return float(rng.uniform(-3, 3))


def gap_of(relation: Any) -> Any:
    """b − a of a ≤ b; None of another formula."""
    return relation.gts - relation.lts if isinstance(relation, (sympy.Le, sympy.Lt, sympy.Ge, sympy.Gt)) else None


def scales(e: Any, images: Mapping[Any, Any], pivot: Symbol, degree: int) -> bool:
    """Whether e(entries) = pivot^degree·e(entries/pivot) at a few points, up to rounding."""
    ratio = e.xreplace(images)
    back = {image: s for s, image in images.items() if image != 1}
    try:
        (free, large), (rest, small) = _compiled(e), _compiled(ratio)
    except Exception:
        return False
    rng, seen = random.Random(2), 0
    for _ in range(_POINTS * 5):
        at = {s: sample(s, rng) for s in free}
        at.setdefault(pivot, sample(pivot, rng))
        try:
            whole = large(*(at[s] for s in free))
            part = small(*(at[back[s]] / at[pivot] if s in back else at[s] for s in rest))
        except (ValueError, OverflowError, ZeroDivisionError, TypeError, KeyError):
            continue
        if abs(whole - at[pivot] ** degree * part) > 1e-9 * (1 + abs(whole)):
            return False
        seen += 1
        if seen == _POINTS:
            return True
    return seen > 2
