"""Does a statement hold on a box? Each rule is one function, with the reason why it is sound.

Notation: g = large − small is to be shown >= 0 (or > 0) at every point of the box that satisfies the premises.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpbounds.covers import intervals
from dpbounds.covers.algebra import add, derivative, minus, names_in, parts_of, power, real, relation_of, replaced, times
from dpbounds.covers.evaluate import Box, Evaluator, Tools
from dpbounds.covers.intervals import Interval, Undefined, hull, less
from dpbounds.kernel.terms import ZERO, Refused, Term, at_most, equal, exponent_of, node, number, substitute

NATURAL, SLOPES, TAYLOR = 0, 1, 2
"""Levels of effort: values alone; slopes too; case distinctions and Taylor forms too."""
_MOST_ORDER = 4
_DEPTH = 4
_FAR = 2000
"""Powers of two beyond this one are not written out as fractions."""
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
        points: points of expansion, a closed expression for each variable.
        writings: other writings of differences of sides, of their derivatives, and of their products with a denominator.
        tools: shared tools.
    """

    def __init__(self, places: Sequence[Place], points: Sequence[Mapping[str, Term]], writings: Sequence[Term], tools: Tools) -> None:
        self.places, self.points, self.tools = places, points, tools
        self._offered = writings
        self._writings: dict[Term, list[tuple[Term, bool]]] = {}
        self._products: dict[Term, list[tuple[Term, Term]]] = {}
        self._slopes: dict[tuple[Term, str, int], Term | None] = {}
        self._orders: dict[tuple[Term, Place], int] = {}

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
            return self.tools.is_zero(minus(*statement.parts))
        found = relation_of(statement)
        return found is not None and self.positive(*found, here, level, depth)

    def positive(self, g: Term, strict: bool, here: Evaluator, level: int, depth: int) -> bool:
        """g > 0 (or >= 0) where g has a value: by its enclosure, by its form, or by the rules of the level."""
        try:
            low = self._value(g, here)[0]
        except Undefined:
            return False
        if low[0] > 0 or (low[0] == 0 and not strict) or here.follows(g, strict):
            return True
        if level == NATURAL or depth == 0:
            return False
        if (exact := _at_points(g, here.box)) is not g and here.follows(exact, strict):
            return True
        kink = next((part for part in parts_of(g) if part.tag in KINKS), None)
        if kink is not None:
            return level >= TAYLOR and self._by_cases(g, strict, kink, here, depth)
        if self._by_slopes(g, strict, here, level, depth) or self._by_denominator(g, strict, here, level, depth):
            return True
        return level >= TAYLOR and (
            any(self._by_taylor(g, strict, place, here, depth) for place in self.places)
            or any(self._by_point(g, strict, point, here, depth) for point in self.points)
        )

    # values

    def _value(self, t: Term, here: Evaluator) -> Interval:
        """An interval about a term where it has a value: about each of its writings.

        Raises:
            Undefined: it may have no value.
        """
        low, high = here.value(t)
        for writing, is_negative in self._writings_of(t):
            if not names_in(writing) <= here.box.keys():
                continue
            try:
                first, last = here.value(writing)
            except Undefined:
                continue
            if is_negative:
                first, last = intervals.negated(last), intervals.negated(first)
            low, high = intervals.largest(low, first), intervals.least(high, last)
        return low, high

    def _writings_of(self, t: Term) -> list[tuple[Term, bool]]:
        """The offered writings that are t, or −t, wherever both have a value."""
        if t not in self._writings:
            found = []
            self.tools.budget.spend(10 * len(self._offered))
            for writing in self._offered:
                if writing is not t and self.tools.is_zero(minus(t, writing)):
                    found.append((writing, False))
                elif self.tools.is_zero(add(t, writing)):
                    found.append((writing, True))
            self._writings[t] = found
        return self._writings[t]

    # cases

    def _by_cases(self, g: Term, strict: bool, kink: Term, here: Evaluator, depth: int) -> bool:
        """At every point one branch of |·|, max, min or a case distinction is its value, and the condition of that branch is a premise."""
        a, b = (kink.parts[-2], kink.parts[-1]) if len(kink.parts) > 1 else (kink.parts[0], kink.parts[0])
        match kink.tag:
            case "abs":
                branches = [(a, at_most(ZERO, a)), (minus(ZERO, a), at_most(a, ZERO))]
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
        """∂^order g/∂x^order, or None where g has none."""
        key = (g, x, order)
        if key not in self._slopes:
            try:
                before = g if order == 1 else self._slope(g, x, order - 1)
                found = None if before is None else derivative(before, x)
                if found is not None:
                    self.tools.budget.spend(found.size)
                self._slopes[key] = found
            except Refused:
                self._slopes[key] = None
        return self._slopes[key]

    def _is_analytic(self, g: Term, x: str, there: Evaluator) -> bool:
        """Whether g is analytic in x on the sides of the box: every part has a value, and bases of real powers are > 0."""
        try:
            there.value(g)
            for part in parts_of(g):
                if part.tag in KINKS and x in names_in(part):
                    return False
                if part.tag == "pow" and x in names_in(part):
                    base = part.parts[0]
                    if not (less(intervals.ZERO, there.value(base)[0]) or there.follows(base, True)):
                        return False
        except Undefined:
            return False
        return True

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
            if not self._is_analytic(g, x, there):
                continue
            try:
                rise = self._value(slope, there)
            except Undefined:
                continue
            if rise[0][0] >= 0 and low[1] != intervals.HUGE:
                corner[x] = folded[x] = (low, low)
            elif rise[1][0] <= 0 and high[1] != intervals.HUGE:
                corner[x] = folded[x] = (high, high)
            elif low[1] != intervals.HUGE and high[1] != intervals.HUGE:
                middle = a.add((low, low), (high, high))[0]
                middle = (middle[0], middle[1] - 1) if middle[0] else middle
                corner[x] = (middle, middle)
                rest = a.add(rest, a.multiply(rise, a.add(here.box[x], (intervals.negated(middle),) * 2)))
            else:
                continue
            moved.add(x)
        if not moved:
            return False
        try:
            value = a.add(Evaluator(corner, _without(here.premises, moved), self.tools).value(g), rest)
            if value[0][0] > 0 or (value[0][0] == 0 and not strict):
                return True
        except Undefined:
            pass
        gone = {x for x in moved if folded[x] != here.box[x]}
        return bool(gone) and self.positive(g, strict, Evaluator(folded, _without(here.premises, gone), self.tools), level, depth - 1)

    # denominators

    def _by_denominator(self, g: Term, strict: bool, here: Evaluator, level: int, depth: int) -> bool:
        """g and g·d have one sign where d > 0: for a denominator d of g that the premises make positive, and an offered writing of g·d."""
        return any(
            names_in(product) <= here.box.keys() and here.follows(d, True) and self.positive(product, strict, here, level, depth - 1)
            for d, product in self._products_of(g)
        )

    def _products_of(self, g: Term) -> list[tuple[Term, Term]]:
        """The denominators d of g for which a writing of g·d is offered, with that writing."""
        if g not in self._products:
            found = [part for part in parts_of(g) if part.tag == "^" and exponent_of(part) < 0] if self._offered else []
            denominators = [power(part.parts[0], -exponent_of(part)) for part in found]
            pairs = ((d, writing) for d in denominators for writing in self._offered)
            self._products[g] = [(d, writing) for d, writing in pairs if self.tools.is_zero(minus(times(g, d), writing))]
        return self._products[g]

    # Taylor forms

    def _order(self, g: Term, place: Place, here: Evaluator) -> int:
        """The least m >= 1 for which ∂ᵐg is not identically 0 at x = at; 0 where there is none up to 4."""
        key = (g, place)
        if key not in self._orders:
            self._orders[key] = 0
            point = Evaluator({x: (low, low) for x, (low, _) in here.box.items()}, (), self.tools)
            for order in range(1, _MOST_ORDER + 1):
                slope = self._slope(g, place.variable, order)
                if slope is None:
                    break
                there = substitute(slope, {real(place.variable): place.at})
                # A number that is not 0 spares the identity; the form is asked only where numbers leave it open.
                if point.truth(equal(there, ZERO)) is False or not self.tools.is_zero(there):
                    self._orders[key] = order
                    break
        return self._orders[key]

    def _by_taylor(self, g: Term, strict: bool, place: Place, here: Evaluator, depth: int) -> bool:
        """g(x) = g(h) + ∂ᵐg(ξ)·(x − h)ᵐ/m! where derivatives 1 to m − 1 vanish at x = h, for a ξ between x and h.

        So g >= g(h) where ∂ᵐg·(x − h)ᵐ >= 0. What is left, g(h) >= 0, has one variable less. Taylor's theorem needs g analytic in x
        between x and h; there only those premises are used that do not speak of x.
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
        if at[0][1] == intervals.HUGE or at[1][1] == intervals.HUGE:
            return False
        order = self._order(g, place, here)
        slope = self._slope(g, x, order) if order else None
        if slope is None:
            return False
        if x in self.tools.nonnegative and at[0][0] < 0:
            return False  # forms would say what is so for x >= 0 only
        reach: Box = {**here.box, x: hull(here.box[x], at)}
        there = Evaluator(reach, premises, self.tools)
        if not self._is_analytic(g, x, there):
            return False
        signs = [1] if order % 2 == 0 else self._sides(x, place.at, away, here)
        if not any(self.positive(slope if sign > 0 else minus(ZERO, slope), False, there, TAYLOR, depth - 1) for sign in signs):
            return False
        rest = {name: side for name, side in here.box.items() if name != x}
        return self.positive(substitute(g, {real(x): place.at}), strict, Evaluator(rest, premises, self.tools), TAYLOR, depth - 1)

    def _sides(self, x: str, at: Term, away: Interval, here: Evaluator) -> list[int]:
        """On which sides of the place the points lie."""
        beyond = minus(real(x), at)
        signs = [1] if away[0][0] >= 0 or here.follows(beyond, False) else []
        return signs + ([-1] if away[1][0] <= 0 or here.follows(minus(ZERO, beyond), False) else [])

    def _by_point(self, g: Term, strict: bool, point: Mapping[str, Term], here: Evaluator, depth: int) -> bool:
        """g(x) = g(p) + ½(x − p)ᵀH(ξ)(x − p) where ∇g vanishes at p, for a ξ between: so g >= g(p) where H has positive pivots.

        Elimination in intervals contains the elimination of each matrix, and a symmetric matrix with positive pivots is positive
        definite. Premises are given up: the segment from x to p may leave the domain.
        """
        names, nowhere = sorted(names_in(g)), Evaluator({}, (), self.tools)
        if not names or len(names) > _MOST_ORDER or not all(x in point for x in names):
            return False
        reach = dict(here.box)
        try:
            for x in names:
                at = nowhere.value(point[x])
                if at[0][1] == intervals.HUGE or at[1][1] == intervals.HUGE or (x in self.tools.nonnegative and at[0][0] < 0):
                    return False
                reach[x] = hull(here.box[x], at)
            there = Evaluator(reach, (), self.tools)
            if not all(self._is_analytic(g, x, there) for x in names):
                return False
            slopes = [self._slope(g, x) for x in names]
            if not all(slope is not None and self.tools.is_zero(_at(slope, point)) for slope in slopes):
                return False
            second = [[self._slope(slope, x) for x in names] for slope in slopes if slope is not None]
            rows = [[there.value(entry) for entry in row if entry is not None] for row in second]
            if any(len(row) < len(names) for row in rows) or not self._has_positive_pivots(rows):
                return False
        except Undefined:
            return False
        return self.positive(_at(g, point), strict, nowhere, NATURAL, depth - 1)

    def _has_positive_pivots(self, rows: list[list[Interval]]) -> bool:
        a = self.tools.arithmetic
        for k, row in enumerate(rows):
            if row[k][0][0] <= 0:
                return False
            for i in range(k + 1, len(rows)):
                share = a.multiply(rows[i][k], a.reciprocal(row[k]))
                rows[i] = [a.add(x, a.negative(a.multiply(share, y))) for x, y in zip(rows[i], row, strict=True)]
        return True


def _at(t: Term, point: Mapping[str, Term]) -> Term:
    return substitute(t, {real(name): value for name, value in point.items()})


def _at_points(t: Term, box: Box) -> Term:
    """The term with numbers for the variables whose side is one number of moderate size."""
    sides = ((x, low) for x, (low, high) in box.items() if low == high and x in names_in(t) and abs(low[1]) < _FAR)
    fixed = {x: number(intervals.fraction(low)) for x, low in sides}
    return _at(t, fixed) if fixed else t


def _without(premises: Sequence[Term], moved: set[str]) -> list[Term]:
    """The premises that do not speak of variables that were moved."""
    return [premise for premise in premises if not names_in(premise) & moved]
