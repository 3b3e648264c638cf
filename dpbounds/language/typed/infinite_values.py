"""Premises with quantities that may be infinite, which no term of the proof checker is.

A premise may be true where a quantity in it is infinite. It says by itself that its quantity is finite where it says that a quantity of a
kind that cannot be −∞ is at most a number, that an infimum is at least one, or that a quantity without an order 1 is equal to one.
"""

from __future__ import annotations

from dpbounds.logic.signatures import QUANTITIES
from dpbounds.logic.terms import Term, binder, conjuncts, node, number, opened, walk

MAY_BE_INFINITE = frozenset(["Integral", *QUANTITIES]) - {"NormalCDF", "NormalQuantile"}
_EITHER_WAY = ("Infimum", "KLDivergence", "Integral")
"""What may be −∞ too, KL where the masses are infinite: to be at most a number does not make it finite. A log 0 has no value."""
_LOGARITHMS = ("RenyiDivergence", "GaussianRenyi", "SampledGaussianRenyi", "MechanismRenyi")
"""At order 1 they are KL, and (log 1)/0 = 0 for the checker: to be equal to a number does not say that the order is another."""
_EXTREMA = ("Supremum", "Infimum")


def finite_where(premise: Term) -> list[Term] | None:
    """Conditions under which a premise is false, or has no value, wherever something in it is infinite; None where it may be true there.

    None of one with binomial coefficients: C(−1, 3) is −1 in a claim, and no such number is below 0 in the checker.

    >>> from dpbounds.logic.terms import variable
    >>> from dpbounds.logic.text import read
    >>> names = {"x": variable("x"), "y": variable("y")}
    >>> finite_where(read("GaussianRenyi(2, x, 1) <= 1", names)), finite_where(read("x >= Integral(y, (y, 0, 1))", names))
    ([], None)
    """
    if any(part.tag == "binomial" for part in walk(premise)):
        return None
    if _is_plain(premise):
        return []
    if premise.tag == "ForAll":
        x, (condition, body) = opened(premise)
        found = [finite_where(part) for part in conjuncts(body)]
        if not _is_plain(condition) or None in found:
            return None
        return [binder("ForAll", x, (), condition, wanted) for part in found for wanted in part or ()]
    if premise.tag == "=":
        sides = premise.parts, premise.parts[::-1]
        return [] if any(_is_single(a) and a.tag not in _LOGARITHMS and _is_plain(b) for a, b in sides) else None
    if premise.tag not in ("<=", "<", ">=", ">"):
        return None
    small, large = premise.parts if premise.tag in ("<=", "<") else premise.parts[::-1]
    if _is_single(small) and small.tag not in _EITHER_WAY and _is_plain(large):
        # it is −∞ where its moment is 0, and the checker has log 0 = 0
        above = [node("<" if premise.tag in ("<", ">") else "<=", number(0), large)] if small.tag == "RenyiDivergence" else []
        return above + _nonempty(small)
    return _nonempty(large) if large.tag == "Infimum" and _is_single(large) and _is_plain(small) else None


def _is_plain(side: Term) -> bool:
    """No quantity in it: one within another may be infinite where the other is not."""
    return not any(part.tag in MAY_BE_INFINITE for part in walk(side))


def _is_single(side: Term) -> bool:
    """True for a quantity or an integral of plain terms: inf (t + J) ≥ 1 does not make J finite."""
    return side.tag in MAY_BE_INFINITE and all(map(_is_plain, side.parts))


def _nonempty(quantity: Term) -> list[Term]:
    """low < high of an extremum: over an empty range it is infinite on the side where it seems bounded."""
    low, high = quantity.parts[:2] if quantity.tag in _EXTREMA else (number(0), number(1))
    return [] if high.tag == "oo" or quantity.tag not in _EXTREMA else [node("<", low, high)]
