"""Refute a claim at one exact point: membership and violation decided exactly or with certified signs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from dpbounds.claims.claim import Claim
from dpbounds.claims.domain import Domain
from dpbounds.claims.plans import symbols_of
from dpbounds.claims.statement import instance
from dpbounds.language import enclose
from dpbounds.language.functions import Extremum
from dpbounds.numbers import balls

_BITS = (100, 64, 128, 256, 512)
"""To show the sides of a refuted statement: enough for twelve digits, then those with which relations are decided."""
_LONGEST = 200
"""Bits of a rational number that is shown as it is."""
_WIDE = Fraction(1, 10**6)
"""An enclosure that is wider is tried again with more bits."""


@dataclass(frozen=True)
class Refutation:
    """A point of the domain at which the statement surely fails.

    Attributes:
        point: exact numbers; tuples for families.
        sides: enclosures of both sides of each violated relation, as text.
    """

    point: Mapping[Any, Any]
    sides: tuple[str, ...]

    def as_text(self) -> str:
        """The point in one line, exact numbers only."""
        parts = []
        for key, value in sorted(self.point.items(), key=lambda item: str(item[0])):
            shown = f"({', '.join(map(str, value))})" if isinstance(value, tuple) else str(value)
            parts.append(f"{key} = {shown}")
        return ", ".join(parts)


def refute_at(claim: Claim, point: Mapping[Any, Any]) -> Refutation | str:
    """Try one exact point.

    Args:
        claim: the claim.
        point: an exact number for each variable (ints, fractions, decimal strings, closed sympy numbers), a sequence for each family.

    Returns:
        The refutation, or the reason why the point does not refute the claim.

    >>> from dpbounds.language.symbols import real
    >>> x = real("x")
    >>> refute_at(Claim(id="cube", text="", then=x**3 >= x), {x: "1/2"}).as_text()
    'x = 1/2'
    """
    if claim.then is sympy.false:
        return "sympy evaluates the statement to false when it is written, so there is nothing to check at a point"
    exact = symbols_of(point)
    domain = Domain.of_claim(claim)
    inside = domain.contains(exact)
    if inside is not True:
        return "the point lies outside the domain" if inside is False else "membership in the domain could not be decided"
    holds = instance.truth_at(claim.then, exact)
    if holds is not False:
        return "the statement holds at the point" if holds else "the statement could not be decided at the point"
    return Refutation({key: exact[key] for key in (*domain.variables, *domain.families)}, tuple(_sides(claim.then, exact)))


def _sides(condition: Any, point: instance.Point) -> list[str]:
    if isinstance(condition, sympy.core.relational.Relational):
        if instance.truth_at(condition, point) is not False:
            return []
        shown = [_shown(instance.instantiate(side, point, whole=True)) for side in condition.args]
        return [f"not {shown[0]} {condition.rel_op} {shown[1]}"]
    return [line for part in condition.args for line in _sides(part, point)]


def _shown(value: sympy.Expr) -> str:
    """A closed number, or an enclosure of it; with more bits where the first ones leave it wide; an extremum as it is."""
    if value.is_Rational and max(value.p.bit_length(), value.q.bit_length()) <= _LONGEST or isinstance(value, Extremum):
        return str(value)
    for bits in _BITS:
        with balls.precision(bits):
            enclosure = balls.Enclosure.of_ball(enclose.compile_expression(value, ())([]))
            if bits == _BITS[-1] or enclosure.is_exact or enclosure.upper - enclosure.lower < _WIDE:
                break
    return enclosure.lower_decimal(12) if enclosure.is_exact else f"[{enclosure.lower_decimal(12)}, {enclosure.upper_decimal(12)}]"
