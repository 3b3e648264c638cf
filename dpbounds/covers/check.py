"""Check a cover: the root box contains the domain, the tree splits it, and every leaf holds.

The statement is "for all values of the variables with the premises `given`, `then` is defined and true". A leaf that is not shown
refuses the document. A leaf that rests on the engine is counted, and is refused where it can be seen to be wrong.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpbounds.covers.algebra import add, minus, names_in, real, times
from dpbounds.covers.cover import Boxes, Cover, Side, Statement
from dpbounds.covers.evaluate import MOST_WORK, Box, Evaluator, Tools
from dpbounds.covers.intervals import HUGE, Undefined, fraction
from dpbounds.covers.leaves import NATURAL, SLOPES, TAYLOR, Rules
from dpbounds.kernel.polynomials import Budget
from dpbounds.kernel.terms import ONE, ZERO, Refused, Term, need, number, substitute, value

_LEVELS = {"n": NATURAL, "m": SLOPES, "t": TAYLOR}
_MAX_DEPTH = 400
Sides = tuple[Side, ...]


@dataclass(frozen=True)
class Checked:
    """What was checked.

    Attributes:
        leaves: the leaves of the cover.
        by_engine: how many of them rest on the engine.
    """

    leaves: int
    by_engine: int


@dataclass(frozen=True)
class Leaf:
    """A leaf that rests on the engine: its box, and whether a premise fails there."""

    sides: Sides
    outside: bool


class Checker:
    """The checker of one statement and its boxes.

    Args:
        statement: the statement.
        boxes: what shows it.
        budget: the work that is allowed.

    Raises:
        Refused: an equation that is not solved as `solve` says, or a root box that may not contain the domain.
    """

    def __init__(self, statement: Statement, boxes: Boxes, budget: Budget | None = None) -> None:
        self.statement, self.boxes = statement, boxes
        budget = budget or Budget(MOST_WORK)
        # No variable has a sign yet: the equations and the root box are judged without.
        self.tools = Tools(boxes.bits, budget)
        solved = dict(boxes.solve)
        need(len(solved) == len(boxes.solve), "a variable is solved for twice")
        for name, t in boxes.solve:
            known = not names_in(t) & set(solved) and name not in statement.integers
            need(known, "what a variable is solved for contains solved variables")
        need(self._equations_give(solved), "no premises say what the variables are that are solved for")
        self.names = tuple(n for n in statement.variables if n not in solved)
        self.given, self.then = tuple(self._put(p) for p in statement.given), self._put(statement.then)
        need(len(boxes.root) == len(self.names), "the root box does not fit the variables")
        for name, (low, high) in zip(self.names, boxes.root, strict=True):
            whole = name not in statement.integers or all(end is None or end.denominator == 1 for end in (low, high))
            need(whole, f"the root box gives the integer {name} other ends")
        self._check_root()
        nonnegative = {name for name, (low, _) in zip(self.names, boxes.root, strict=True) if low is not None and low >= 0}
        self.tools = Tools(boxes.bits, budget, nonnegative)
        places = tuple(p for p in boxes.places if p.variable in self.names and names_in(p.at) <= set(self.names))
        self.rules = Rules(places, self.tools)

    def _put(self, t: Term) -> Term:
        return substitute(t, {real(name): value for name, value in self.boxes.solve})

    def _equations_give(self, solved: Mapping[str, Term]) -> bool:
        """Equality premises whose sides differ by Σ mᵢ·(xᵢ − value of xᵢ) with numbers mᵢ, as many independent ones as there are xᵢ.

        The mᵢ may come from anywhere, as the difference is compared as a whole; rows of zeros add nothing to the rank.
        """
        tools, rows = self.tools, []
        for premise in self.statement.given:
            if premise.tag != "=":
                continue
            difference, total, row = minus(*premise.parts), ZERO, []
            for name, t in solved.items():
                at_0, at_1 = (substitute(difference, {real(name): x}) for x in (ZERO, ONE))
                row.append(tools.constant(minus(at_1, at_0)) or Fraction(0))
                total = add(total, times(number(row[-1]), minus(real(name), t)))
            if tools.is_identity(minus(difference, total)):
                rows.append(row)
        return _rank(rows) == len(solved)

    # the root box

    def _check_root(self) -> None:
        """Every finite end follows from a premise c·x + rest >= 0, where the rest is bounded by what is known already.

        What is known of a variable leaves a value, and the root box contains it: so no side of the root box is empty.
        """
        known: dict[str, Side] = dict.fromkeys(self.names, (None, None))
        for _ in range(2 * len(self.names) + 1):
            before = dict(known)
            for premise in self.given:
                for name, upper, bound in self._bounds(premise, known):
                    low, high = known[name]
                    if name in self.statement.integers:
                        bound = Fraction(bound.__floor__() if upper else bound.__ceil__())
                    if upper:
                        known[name] = low, (bound if high is None else min(high, bound))
                    else:
                        known[name] = (bound if low is None else max(low, bound)), high
                    low, high = known[name]
                    # Bounds of other variables are read off this side, and an interval with its ends crossed has no meaning.
                    need(low is None or high is None or low <= high, f"the premises leave no value of {name}")
            if known == before:
                break
        for name, (low, high) in zip(self.names, self.boxes.root, strict=True):
            first, last = known[name]
            need(low is None or (first is not None and low <= first), f"no premise bounds {name} from below as the root box does")
            need(high is None or (last is not None and last <= high), f"no premise bounds {name} from above as the root box does")

    def _bounds(self, premise: Term, known: dict[str, Side]) -> Iterator[tuple[str, bool, Fraction]]:
        """(variable, whether from above, bound) of a premise that is linear in the variable."""
        if premise.tag == "and":
            for part in premise.parts:
                yield from self._bounds(part, known)
            return
        if premise.tag not in ("<=", "<", "="):
            return
        small, large = premise.parts
        differences = [minus(large, small)] + ([minus(small, large)] if premise.tag == "=" else [])
        for difference in differences:
            pieces = list(_pieces(difference, Fraction(1)))
            for name in sorted(names_in(difference) & set(self.names)):
                slope = sum((c for c, t in pieces if t == real(name)), Fraction(0))
                rest = [(c, t) for c, t in pieces if t != real(name)]
                if not slope or any(name in names_in(t) for _, t in rest):
                    continue
                # slope·x >= −rest >= −(the largest value of rest)
                top = self._top(rest, known)
                if top is not None:
                    yield name, slope < 0, -top / slope

    def _top(self, rest: list[tuple[Fraction, Term]], known: dict[str, Side]) -> Fraction | None:
        """A bound of Σ c·t from above: exact for numbers and variables, an interval's end for other terms."""
        total = Fraction(0)
        for c, t in rest:
            if (q := value(t)) is not None:
                total += c * q
            elif t.tag == "v":
                end = known[str(t.data[0])][1 if c > 0 else 0]
                if end is None:
                    return None
                total += c * end
            else:
                try:
                    high = Evaluator(self._box(tuple(known.items())), self.given, self.tools).value(times(number(c), t))[1]
                except Undefined:
                    return None
                if high[1] == HUGE:
                    return None
                total += fraction(high)
        return total

    def _box(self, sides: tuple[tuple[str, Side], ...]) -> Box:
        return {name: self.tools.arithmetic.side(*side) for name, side in sides}

    # the tree

    def run(self, engine: Callable[[Leaf], bool] | None = None) -> Checked:
        """Check every leaf.

        Args:
            engine: asked for each leaf that rests on it; without one such leaves are only counted.

        Raises:
            Refused: a tree that is none, or a leaf that is not shown or is seen to be wrong.
        """
        tree, leaves, by_engine, holding = self.boxes.tree, 0, 0, 0
        stack, position = [(self.boxes.root, 0)], 0
        while stack:
            need(position < len(tree), "the tree ends early")
            (sides, depth), token = stack.pop(), tree[position]
            position += 1
            if token.isascii() and token.isdigit() and int(token) < len(sides) and depth < _MAX_DEPTH:
                halves = halves_of(sides, int(token), self.names[int(token)] in self.statement.integers)
                stack += [(half, depth + 1) for half in reversed(halves)]
                continue
            need(token in "nmt-?!", f"unknown token {token!r} in the tree, or a tree too deep")
            leaves += 1
            by_engine += token in "?!"
            holding += token in "nmt?"
            self._leaf(token, sides, engine)
        need(position == len(tree), "the tree goes on after its last leaf")
        need(holding, "the cover says nothing: a premise fails everywhere")
        return Checked(leaves, by_engine)

    def _leaf(self, token: str, sides: Sides, engine: Callable[[Leaf], bool] | None) -> None:
        if token in _LEVELS:
            need(self.holds(sides, _LEVELS[token]), f"a leaf is not shown: {self.text_of(sides)}")
        elif token == "-":
            need(self.is_outside(sides), f"no premise surely fails on a leaf: {self.text_of(sides)}")
        else:
            need(not self.is_refuted(sides, token == "!"), f"a leaf is refuted: {self.text_of(sides)}")
            need(engine is None or engine(Leaf(sides, token == "!")), f"a leaf is not shown by the engine: {self.text_of(sides)}")

    def holds(self, sides: Sides, level: int) -> bool:
        """Whether the statement surely holds, and is surely defined, on the part of the domain in a box."""
        return self.rules.holds(self.then, self._box_of(sides), self.given, level)

    def is_outside(self, sides: Sides) -> bool:
        """Whether some premise surely fails on the whole box."""
        here = Evaluator(self._box_of(sides), (), self.tools)
        return any(here.truth(premise) is False for premise in self.given)

    def is_refuted(self, sides: Sides, outside: bool = False) -> bool:
        """Whether the leaf is seen to be wrong: at a corner or the middle of the box, or as a whole."""
        if not outside and Evaluator(self._box_of(sides), (), self.tools).truth(self.then) is False:
            return True
        for point in _points(sides, [name in self.statement.integers for name in self.names]):
            at = Evaluator(self._box_of(point), (), self.tools)
            inside = all(at.truth(premise) is True for premise in self.given)
            if inside and (outside or at.truth(self.then) is False):
                return True
        return False

    def _box_of(self, sides: Sides) -> Box:
        return self._box(tuple(zip(self.names, sides, strict=True)))

    def text_of(self, sides: Sides) -> str:
        """A box in words."""
        return ", ".join(f"{n} in [{_shown(low, '-inf')}, {_shown(high, 'inf')}]" for n, (low, high) in zip(self.names, sides, strict=True))


def check(cover: Cover, engine: Callable[[Leaf], bool] | None = None) -> Checked:
    """Check a cover; see `Checker.run`.

    Raises:
        Refused: it does not show what it says.
    """
    try:
        return Checker(cover.statement, cover.boxes).run(engine)
    except RecursionError:
        raise Refused("the statement is nested too deeply") from None


def _rank(rows: list[list[Fraction]]) -> int:
    """The rank of a matrix, by elimination."""
    rank = 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((k for k in range(rank, len(rows)) if rows[k][column]), None)
        if pivot is None:
            continue
        rows[rank], rows[pivot] = rows[pivot], rows[rank]
        for k in range(rank + 1, len(rows)):
            share = rows[k][column] / rows[rank][column]
            rows[k] = [a - share * b for a, b in zip(rows[k], rows[rank], strict=True)]
        rank += 1
    return rank


def halves_of(sides: Sides, axis: int, whole: bool) -> tuple[Sides, Sides]:
    """The halves of a box. A side without an end is split at 0, then at twice its end, and at least at ±1."""
    low, high = sides[axis]
    need(low is None or high is None or low < high, "a side of length 0 cannot be split")
    if low is not None and high is not None:
        middle = (low + high) / 2
    elif (low is None or low < 0) and (high is None or high > 0):
        middle = Fraction(0)
    else:
        middle = max(Fraction(1), 2 * low) if low is not None else min(Fraction(-1), 2 * (high or Fraction(0)))
    cuts = (Fraction(middle.__floor__()), Fraction(middle.__floor__() + 1)) if whole else (middle, middle)
    first, second = ((*sides[:axis], side, *sides[axis + 1 :]) for side in ((low, cuts[0]), (cuts[1], high)))
    return first, second


def _points(sides: Sides, whole: list[bool]) -> Iterator[Sides]:
    """The corners and the middle of a box, numbers where a side has no end."""
    marks = []
    for (low, high), is_whole in zip(sides, whole, strict=True):
        first = low if low is not None else (high - 1000 if high is not None else Fraction(-1000))
        last = high if high is not None else max(first, Fraction(0)) + 1000
        middle = (first + last) / 2
        marks.append((first, last, Fraction(middle.__floor__()) if is_whole else middle))
    for place in (*itertools.product(*(m[:2] for m in marks)), tuple(m[2] for m in marks)):
        yield tuple((x, x) for x in place)


def _pieces(t: Term, factor: Fraction) -> Iterator[tuple[Fraction, Term]]:
    """The terms of a sum with their numerical factors."""
    if t.tag == "+":
        for part in t.parts:
            yield from _pieces(part, factor)
    elif t.tag == "*" and (c := value(t.parts[0])) is not None:
        yield from _pieces(t.parts[1], factor * c)
    elif t.tag == "*" and (c := value(t.parts[1])) is not None:
        yield from _pieces(t.parts[0], factor * c)
    else:
        yield factor, t


def _shown(end: Fraction | None, infinite: str) -> str:
    if end is None:
        return infinite
    size = end.numerator.bit_length() - end.denominator.bit_length()
    if max(end.numerator.bit_length(), end.denominator.bit_length()) < 50:
        return str(end)
    return f"{float(end):.6g}" if abs(size) < 1000 else f"{'-' if end < 0 else ''}2**{size}"  # beyond the range of a float


__all__ = ["Checked", "Checker", "Leaf", "check", "halves_of"]
