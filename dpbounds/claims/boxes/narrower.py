"""A case of a claim that is easier to settle than all of it: what to state first when it stays UNDECIDED."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import sympy

from dpbounds.claims.domain import Domain
from dpbounds.language import functions

if TYPE_CHECKING:
    from dpbounds.claims.claim import Claim

_SIMPLE = ("2", "1", "1/2", "3", "3/2", "1/10", "5", "1/100")
"""Values for one variable, the first that lies inside of its range."""
_CUTS = ("1/2", "2", "5", "10", "100", "1/8", "3/8", "1/2", "5/8", "7/8", "-2", "-1/2")
"""Ends of short ranges: the first two neighbours that lie inside of a range."""


_OF_THE_WHOLE = ("put ", "multiply ", "divide ", "more ", "a sum of ", "a singular end", "state the case ")
"""How advice begins that asks for another form of the whole claim."""


def smaller_first(claim: Claim, step: str) -> str:
    """A case that is mostly settled as it is, before advice that takes thought; `benchmarks.lemmas.advised` counts how often it helps."""
    case = "" if claim.families or not step.startswith(_OF_THE_WHOLE) else narrower(claim)
    return f"{case}{_with_short_ranges(claim)}; for all of it {step}" if case else step


def _with_short_ranges(claim: Claim) -> str:
    """Short ranges for the real variables that a case leaves, in words: ties and ends without a value lie outside of most of them."""
    fixed = (_case_of(claim) or (None,))[0]
    others = [_stretch(v, ends) for v, ends in Domain.of_claim(claim).bounds().items() if v != fixed and not v.is_integer]
    words = [f"{low} <= {v} <= {high}" for v, low, high in filter(None, others)]
    return f", and where {' and '.join(words)}" if words else ""


def tables(claim: Claim) -> str:
    """What stands for each family of a claim where there are two outcomes, in words.

    >>> from dpbounds.notation import Claim, Sum, index, laws, positive_integer
    >>> i, n = index("i"), positive_integer("n")
    >>> p = laws("p", (i, 1, n))
    >>> tables(Claim(id="a", text="", given=[p], then=Sum(p[i]**2, (i, 1, n)) <= 1))
    '(p1, 1 - p1) for p'
    """
    totals = [part.args[0] for part in claim.given if isinstance(part, sympy.Eq) and isinstance(part.args[0], sympy.Sum)]
    laws = {total.function.base for total in totals if isinstance(total.function, sympy.Indexed)}
    names = {base: str(base.label) for base in claim.families}
    return " and ".join(f"({p}1, 1 - {p}1) for {p}" if base in laws else f"({p}1, {p}2) for {p}" for base, p in names.items())


def narrower(claim: Claim) -> str:
    """What to state first, in words; empty where no such case is seen.

    What is left is mostly settled, and its certificate says where the room is.

    >>> from dpbounds.notation import Claim, exp, positive, real
    >>> x, order = positive("x"), real("order")
    >>> narrower(Claim(id="a", text="", given=[order > 1], then=(1 + x) ** order >= 1 + order * x))
    'state it for order = 2 first, one variable less'
    >>> narrower(Claim(id="a", text="", given=[x < 1], then=exp(x) >= 1 + x))
    'state it for 1/8 <= x <= 3/8 first, away from the ends of its range'
    """
    case = _case_of(claim)
    if case is None:
        return ""
    v, low, high = case
    if low is None:
        return f"state it for {v} <= {high} first"
    if low == high:
        return f"state it for {v} = {low} first, one variable less"
    return f"state it for {low} <= {v} <= {high} first, away from the ends of its range"


def _case_of(claim: Claim) -> tuple[sympy.Symbol, Fraction | None, Fraction] | None:
    """A variable with the ends of a range within its own: a number for that on which most depends, a short range of the only one.

    Without a lower end the range keeps its own.
    """
    bounds, parts = Domain.of_claim(claim).bounds(), [claim.then, *claim.given]
    if len(bounds) == 1:
        return _stretch(*next(iter(bounds.items())))
    hard = [node for part in parts for node in part.atoms(sympy.Pow, sympy.exp, sympy.Sum, sympy.Integral, functions.PrivacyQuantity)]
    ends = [e for node in hard for e in (node.args[1:] if isinstance(node, (sympy.Pow, sympy.Sum, sympy.Integral)) else node.args)]

    def weight(v: sympy.Symbol) -> tuple[Any, ...]:
        return sum(v in end.free_symbols for end in ends), bool(v.is_integer), str(v)

    for v in sorted(bounds, key=weight, reverse=True):
        low, high = bounds[v]
        for value in map(Fraction, _SIMPLE):
            whole = not v.is_integer or value.denominator == 1
            if whole and (low is None or low < value) and (high is None or value < high):
                return v, value, value
    return None


def _stretch(v: sympy.Symbol, ends: tuple[Any, Any]) -> tuple[sympy.Symbol, Fraction | None, Fraction] | None:
    low, high = ends
    if v.is_integer:
        return (v, None, Fraction(20)) if high is None and low is not None and low < 20 else None
    for a, b in itertools.pairwise(map(Fraction, _CUTS)):
        if a < b and (low is None or low < a) and (high is None or b < high):
            return v, a, b
    return None
