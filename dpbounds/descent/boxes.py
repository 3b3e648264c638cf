"""Enclosures of tower polynomials on boxes, and what a division of a box into smaller ones shows.

Every function of a tower is enclosed on a box by the interval arithmetic of the checker of covers, inside out; what may be undefined there
is refused. Where a box touches an open end, the enclosure holds there too, by continuity, since everything is defined there.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction

from dpbounds.covers.intervals import ZERO, Arithmetic, Interval, Undefined
from dpbounds.descent.polynomials import Polynomial, Quotient, used
from dpbounds.descent.refusal import DescentRefused
from dpbounds.descent.tower import Range, Tower

_BITS = 64

Box = Mapping[int, Range]
"""A closed range for each variable, by its index; an end that is None is infinite."""


class EnclosedTower:
    """The functions of a tower on one box, which lies in the closure of the tower's own."""

    def __init__(self, tower: Tower, box: Box, arithmetic: Arithmetic) -> None:
        self.tower, self.box, self.arithmetic = tower, box, arithmetic
        self._known: dict[int, Interval] = {}

    def generator(self, index: int) -> Interval:
        """A generator; it lies in its own range too."""
        if index not in self._known:
            low, high = self._generator(index)
            least_value, largest_value = self.arithmetic.side(*self.tower.ranges[index])
            self._known[index] = max(low, least_value), min(high, largest_value)
        return self._known[index]

    def _generator(self, index: int) -> Interval:
        g, a = self.tower.generators[index], self.arithmetic
        if g.kind == "variable":
            return a.side(*self.box[index])
        if g.kind == "pi":
            return a.pi
        inner = self.quotient(g.inner)
        if g.kind == "exp":
            return a.exp(inner)
        if g.kind == "log":
            return a.log(inner)
        if g.kind == "phi":
            return a.normal_cdf(inner)
        if g.kind == "root":
            return a.root(inner) if g.order == 2 else a.power(inner, a.number(Fraction(1, g.order)))
        raise DescentRefused(f"no enclosure of {g.kind}")

    def polynomial(self, p: Polynomial) -> Interval:
        """A polynomial in the generators, term by term."""
        a, total = self.arithmetic, (ZERO, ZERO)
        for monomial, coefficient in p.items():
            term = a.number(Fraction(coefficient))
            for i, exponent in enumerate(monomial):
                if exponent:
                    term = a.multiply(term, a.integer_power(self.generator(i), exponent))
            total = a.add(total, term)
        return total

    def quotient(self, value: Quotient) -> Interval:
        """A quotient in the generators; its denominator is not 0 on the box."""
        return self.arithmetic.multiply(self.polynomial(value[0]), self.arithmetic.reciprocal(self.polynomial(value[1])))


def lower_end(tower: Tower, f: Polynomial, box: Box) -> Decimal | None:
    """A number that f is nowhere below on a box; None where none is found.

    It is the larger of two: the lower end of the natural enclosure, and, on a bounded box, another one. f is monotone in the variables in
    which its slope has a sign on the whole box, so it is least where each of them is at one of its ends; in the others it differs from its
    value in the middle by at most the slopes times half of the sides (mean value).
    """
    arithmetic = Arithmetic(_BITS)
    whole = EnclosedTower(tower, box, arithmetic)
    best: Decimal | None = None
    with suppress(Undefined):
        best = whole.polynomial(f)[0]
    if best is not None and best > 0:
        return best
    variables = sorted(set().union(*(tower.variables_of(i) for i in used(f)))) if f else []
    if any(end is None for v in variables for end in box[v]):
        return best
    try:
        place, slack = dict(box), (ZERO, ZERO)
        for v in variables:
            low, high = box[v]
            assert low is not None and high is not None
            slope = whole.quotient(tower.slope_of_polynomial(f, v))
            if slope[0] >= 0 or slope[1] <= 0:
                end = low if slope[0] >= 0 else high
                place[v] = end, end
                continue
            place[v] = (low + high) / 2, (low + high) / 2
            half = arithmetic.number((high - low) / 2)[1]
            slack = arithmetic.add(slack, arithmetic.multiply(slope, (half.copy_negate(), half)))
        found = arithmetic.add(EnclosedTower(tower, place, arithmetic).polynomial(f), slack)[0]
    except (Undefined, DescentRefused):
        return best
    return found if best is None else max(best, found)
