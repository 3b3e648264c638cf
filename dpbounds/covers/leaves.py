"""Does a statement hold on a box? Each rule is one function, with the reason why it is sound.

Notation: g = large − small is to be shown >= 0 (or > 0) at every point of the box that satisfies the premises.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpbounds.covers import intervals
from dpbounds.covers.algebra import Known, derivative, names_in, parts_of, placed, real, relation_of, replaced
from dpbounds.covers.evaluate import Box, Evaluator, Tools
from dpbounds.covers.intervals import Interval, Undefined, hull
from dpbounds.kernel.terms import ZERO, Refused, Term, at_most, equal, minus, negative, node, number, substitute

NATURAL, SLOPES, TAYLOR = 0, 1, 2
"""Levels of effort: values alone; slopes too; case distinctions and Taylor forms too."""
_MOST_ORDER = 4
_DEPTH = 4
_FAR = 600
"""Powers of ten beyond this one are not written out as fractions."""
KINKS = ("abs", "max", "min", "ite")


@dataclass(frozen=True)
class Place:
    """A place of expansion x = at, where `at` does not contain x."""

    variable: str
    at: Term


class Rules:
    """The rules, with what one document offers them.

    Args:
        places: places of expansion.
        tools: shared tools.
    """

    def __init__(self, places: Sequence[Place], tools: Tools) -> None:
        self.places, self.tools = places, tools
        self._slopes: dict[tuple[Term, str, int], Term | None] = {}
        self._orders: dict[tuple[Term, Place, Known], int] = {}

    def holds(self, statement: Term, box: Box, premises: Sequence[Term], level: int) -> bool:
        """Whether the statement surely holds, with every part of it defined, at the points of the box that satisfy the premises."""
        here = Evaluator(box, premises, self.tools)
        try:
            here.defined(statement)
        except Undefined:
            return False
        return self._shown(statement, here, level, _DEPTH)

    def _shown(self, statement: Term, here: Evaluator, level: int, depth: int) -> bool:
        if statement.tag == "and":
            return all(self._shown(part, here, level, depth) for part in statement.parts)
        if statement.tag == "or":
            return any(self._shown(part, here, level, depth) for part in statement.parts)
        if here.truth(statement) is True:
            return True
        if statement.tag == "not" and statement.parts[0].tag == "=":
            return here._is_nonzero(minus(*statement.parts[0].parts))
        if statement.tag == "=":
            return here.facts.is_zero(minus(*statement.parts))
        found = relation_of(statement)
        return found is not None and self.positive(*found, here, level, depth)

    def positive(self, g: Term, strict: bool, here: Evaluator, level: int, depth: int) -> bool:
        """g > 0 (or >= 0) where g has a value: by its enclosure, by its form, or by the rules of the level."""
        try:
            low = here.value(g)[0]
        except Undefined:
            return False
        if low > 0 or (low == 0 and not strict) or here.follows(g, strict):
            return True
        if level == NATURAL or depth == 0:
            return False
        if (exact := _at_points(g, here.box)) is not g and here.follows(exact, strict):
            return True
        kink = next((part for part in parts_of(g) if part.tag in KINKS), None)
        if kink is not None:
            return level >= TAYLOR and self._by_cases(g, strict, kink, here, depth)
        if self._by_slopes(g, strict, here, level, depth):
            return True
        return level >= TAYLOR and any(self._by_taylor(g, strict, place, here, depth) for place in self.places)

    # cases

    def _by_cases(self, g: Term, strict: bool, kink: Term, here: Evaluator, depth: int) -> bool:
        """At every point one branch of |·|, max, min or a case distinction is its value, and the condition of that branch is a premise."""
        a, b = (kink.parts[-2], kink.parts[-1]) if len(kink.parts) > 1 else (kink.parts[0], kink.parts[0])
        match kink.tag:
            case "abs":
                branches = [(a, at_most(ZERO, a)), (negative(a), at_most(a, ZERO))]
            case "max":
                branches = [(a, at_most(b, a)), (b, at_most(a, b))]
            case "min":
                branches = [(a, at_most(a, b)), (b, at_most(b, a))]
            case _:
                branches = [(a, kink.parts[0]), (b, node("not", kink.parts[0]))]
        for value, condition in branches:
            inside = Evaluator(here.box, [*here.premises, condition], self.tools)
            if inside.truth(condition) is False:
                continue
            if not self.positive(replaced(g, kink, value), strict, inside, TAYLOR, depth - 1):
                return False
        return True

    # slopes

    def _slope(self, g: Term, x: str, order: int = 1) -> Term | None:
        """∂^order g/∂x^order by the table, or None where it has none.

        Where its enclosure on a box exists, g is that many times differentiable in x on each segment from a point at which g has a value.
        For the table refuses |·|, max, min and case distinctions; it divides by what a negative power or a logarithm is taken of, which
        therefore keeps its sign; and its slope r·aʳ⁻¹·a' of a power aʳ with a >= 0 has a value at a = 0 only if r > 1.
        """
        key = (g, x, order)
        if key not in self._slopes:
            before = g if order == 1 else self._slope(g, x, order - 1)
            try:
                self._slopes[key] = None if before is None else derivative(before, x)
            except Refused:
                self._slopes[key] = None
        return self._slopes[key]

    def _by_slopes(self, g: Term, strict: bool, here: Evaluator, level: int, depth: int) -> bool:
        """Variables are moved one after the other, each along its side: by the mean value theorem g falls at most by what the slope says.

        Where the slope in x has one sign on the box, x moves to the end at which g is least; elsewhere it moves to the middle, and
        slope·(x − middle) is added. Premises that speak of x are given up: the moved point need not satisfy them.
        """
        moved: set[str] = set()
        corner, rest, folded = dict(here.box), (intervals.ZERO, intervals.ZERO), dict(here.box)
        a = self.tools.arithmetic
        for x in sorted(names_in(g)):
            low, high = here.box[x]
            slope = self._slope(g, x)
            if low == high or slope is None:
                continue
            there = Evaluator(here.box, _without(here.premises, moved | {x}), self.tools)
            try:
                rise = there.value(slope)
            except Undefined:
                continue
            if rise[0] >= 0 and low.is_finite():
                corner[x] = folded[x] = (low, low)
            elif rise[1] <= 0 and high.is_finite():
                corner[x] = folded[x] = (high, high)
            elif low.is_finite() and high.is_finite():
                middle = (max(low, a.down.divide(a.down.add(low, high), 2)),) * 2  # a sum rounded down may leave a narrow side
                corner[x] = middle
                rest = a.add(rest, a.multiply(rise, a.add(here.box[x], a.negative(middle))))
            else:
                continue
            moved.add(x)
        try:
            value = a.add(Evaluator(corner, _without(here.premises, moved), self.tools).value(g), rest)
            if value[0] > 0 or (value[0] == 0 and not strict):
                return True
        except Undefined:
            pass
        gone = {x for x in moved if folded[x] != here.box[x]}
        return bool(gone) and self.positive(g, strict, Evaluator(folded, _without(here.premises, gone), self.tools), level, depth - 1)

    # Taylor forms

    def _order(self, g: Term, place: Place, here: Evaluator) -> int:
        """The least m >= 1 for which ∂ᵐg is not identically 0 at x = at, by what is known here; 0 where there is none up to 4."""
        key = (g, place, here.facts)
        if key not in self._orders:
            self._orders[key] = 0
            point = Evaluator({x: (low, low) for x, (low, _) in here.box.items()}, (), self.tools)
            for order in range(1, _MOST_ORDER + 1):
                slope = self._slope(g, place.variable, order)
                if slope is None:
                    break
                there = placed(slope, place.variable, place.at)
                # A number that is not 0 spares the identity; the form is asked only where numbers leave it open.
                if point.truth(equal(there, ZERO)) is False or not here.is_zero(there):
                    self._orders[key] = order
                    break
        return self._orders[key]

    def _by_taylor(self, g: Term, strict: bool, place: Place, here: Evaluator, depth: int) -> bool:
        """g(x) = g(h) + ∂ᵐg(ξ)·(x − h)ᵐ/m! where derivatives 1 to m − 1 vanish at x = h, for a ξ between x and h.

        So g >= g(h) where ∂ᵐg·(x − h)ᵐ >= 0. What is left, g(h) >= 0, has one variable less. Between x and h only those premises are used
        that do not speak of x.
        """
        x = place.variable
        if x not in names_in(g) or not names_in(place.at) <= here.box.keys():
            return False
        premises = _without(here.premises, {x})
        try:
            at = Evaluator(here.box, premises, self.tools).value(place.at)
            away = here.value(minus(real(x), place.at))
        except Undefined:
            return False
        order = self._order(g, place, here)
        slope = self._slope(g, x, order) if order else None
        if slope is None:
            return False
        reach: Box = {**here.box, x: hull(here.box[x], at)}
        there = Evaluator(reach, premises, self.tools)
        signs = [1] if order % 2 == 0 else self._sides(x, place.at, away, here)
        if not any(self.positive(slope if sign > 0 else negative(slope), False, there, TAYLOR, depth - 1) for sign in signs):
            return False
        rest = {name: side for name, side in here.box.items() if name != x}
        return self.positive(placed(g, x, place.at), strict, Evaluator(rest, premises, self.tools), TAYLOR, depth - 1)

    def _sides(self, x: str, at: Term, away: Interval, here: Evaluator) -> list[int]:
        """On which sides of the place the points lie."""
        beyond = minus(real(x), at)
        signs = [1] if away[0] >= 0 or here.follows(beyond, False) else []
        return signs + ([-1] if away[1] <= 0 or here.follows(negative(beyond), False) else [])


def _at_points(t: Term, box: Box) -> Term:
    """The term with numbers for the variables whose side is one number of moderate size."""
    ends = {x: low for x, (low, high) in box.items() if low == high and abs(low.adjusted()) < _FAR}
    return substitute(t, {real(x): number(Fraction(low)) for x, low in ends.items()})


def _without(premises: Sequence[Term], moved: set[str]) -> list[Term]:
    """The premises that do not speak of variables that were moved."""
    return [premise for premise in premises if not names_in(premise) & moved]
