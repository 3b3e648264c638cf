"""What a range must satisfy so that its variable is, all over it, what its symbol assumes.

sympy writes a term by the assumptions of its symbols: |v| is written v where v is nonnegative. So a sum, an integral, an extremum or a
divergence over a range says what was meant only where these assumptions follow from the range; elsewhere it has no value. This holds of
every binder but `ForAll`, whose range is by definition what its symbol and its condition allow.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy
from sympy import Symbol
from sympy.logic.boolalg import Boolean

from dpbounds.language.substitution import relation

_SIGNS = ("real", "nonzero", "nonnegative", "nonpositive", "positive", "negative")
"""What a symbol may assume, the weakest first."""


@dataclass(frozen=True)
class Asked:
    """A condition on the ends of a range.

    Attributes:
        condition: what must hold; `sympy.true` where symbols and rational numbers settle it.
        end: the end of which it speaks, None where it is about the whole range.
    """

    condition: Boolean
    end: Any = None


def asked_of_range(kind: str, variable: Symbol, low: Any, high: Any) -> list[Asked]:
    """The conditions on the ends of a range under which its variable has the sign that its symbol assumes.

    Nothing is asked of a symbol that assumes no sign. A symbol that assumes more than a sign (even, prime, an integer in an integral) asks
    what is false, for no range has just such values.

    Args:
        kind: "sum" (whole numbers, ends included), "integral" (either way round) or "extremum" (between the ends, without them).
        variable: the bound symbol.
        low, high: the ends.

    >>> v, x = Symbol("v", nonnegative=True), Symbol("x", real=True)
    >>> [asked.condition for asked in asked_of_range("extremum", v, x, 2)]
    [x >= 0]
    >>> [asked.condition for asked in asked_of_range("sum", Symbol("k", even=True), 0, 2)]
    [False]
    """
    low, high = sympy.sympify(low), sympy.sympify(high)
    sign = assumed_sign(variable, whole=kind == "sum")
    if sign is None:
        return [Asked(sympy.false)]
    strict = kind == "sum" and sign in ("positive", "negative", "nonzero")
    above = [Asked(relation(sympy.Gt if strict else sympy.Ge, end, 0), end) for end in ((low, high) if kind == "integral" else (low,))]
    below = [Asked(relation(sympy.Lt if strict else sympy.Le, end, 0), end) for end in ((low, high) if kind == "integral" else (high,))]
    if sign == "nonzero":
        sides = [sympy.And(*(asked.condition for asked in side), evaluate=False) for side in (above, below)]
        return [Asked(sympy.Or(*sides, evaluate=False))]
    return {"real": [], "nonnegative": above, "positive": above, "nonpositive": below, "negative": below}[sign]


def conditions_of_range(kind: str, variable: Symbol, low: Any, high: Any) -> list[Boolean]:
    """Those of `asked_of_range` that are not settled by symbols and rational numbers."""
    return [asked.condition for asked in asked_of_range(kind, variable, low, high) if asked.condition is not sympy.true]


@lru_cache(maxsize=4096)
def assumed_sign(variable: Symbol, *, whole: bool) -> str | None:
    """The weakest sign from which all that a symbol assumes follows, for real or for whole numbers; None where none is enough.

    >>> assumed_sign(Symbol("t", positive=True), whole=False), assumed_sign(Symbol("k", integer=True), whole=True)
    ('positive', 'real')
    >>> assumed_sign(Symbol("k", integer=True), whole=False), assumed_sign(Symbol("p", prime=True), whole=True)
    (None, None)
    """
    stated = variable.assumptions0.items()
    for sign in _SIGNS:
        traits = {"integer" if whole else "real": True} | ({} if sign == "real" else {sign: True})
        if stated <= Symbol("_", **traits).assumptions0.items():
            return sign
    return None


__all__ = ["Asked", "asked_of_range", "assumed_sign", "conditions_of_range"]
