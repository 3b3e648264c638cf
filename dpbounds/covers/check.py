"""Check a cover: the root box contains the domain, the tree splits it, and every leaf holds.

The statement is "for all values of the variables with the premises `given`, `then` is defined and true". A leaf that is not shown
refuses the document. A leaf that rests on the engine is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpbounds.covers.algebra import inequalities_of, names_in, real
from dpbounds.covers.cover import Boxes, Cover, Side, Statement
from dpbounds.covers.evaluate import MOST_WORK, Box, Evaluator, Tools
from dpbounds.covers.leaves import NATURAL, SLOPES, TAYLOR, Rules
from dpbounds.kernel.polynomials import Budget
from dpbounds.kernel.ring import Ring
from dpbounds.kernel.rules_order import combination
from dpbounds.kernel.terms import Refused, Term, equal, need, negative, number, substitute

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
        self.tools = Tools(boxes.bits, budget)
        solved = {name for name, _, _ in boxes.solve}
        equations, ring = [premise for premise in statement.given if premise.tag == "="], Ring((), Budget())
        for name, t, multipliers in boxes.solve:
            need(not names_in(t) & solved, "what a variable is solved for contains solved variables")
            combination(ring, equal(real(name), t), list(zip(multipliers, equations, strict=False)))
        self.names = tuple(n for n in statement.variables if n not in solved)
        self.given, self.then = tuple(self._put(p) for p in statement.given), self._put(statement.then)
        need(len(boxes.root) == len(self.names), "the root box does not fit the variables")
        for name, (low, high) in zip(self.names, boxes.root, strict=True):
            whole = name not in statement.integers or all(end is None or end.denominator == 1 for end in (low, high))
            need(whole, f"the root box gives the integer {name} other ends")
            need(low is None or high is None or low <= high, f"the root box leaves no value of {name}")
        self._check_root()
        self.rules = Rules(boxes.places, self.tools)

    def _put(self, t: Term) -> Term:
        return substitute(t, {real(name): value for name, value, _ in self.boxes.solve})

    # the root box

    def _check_root(self) -> None:
        """Every finite end follows from a premise and from ends that are known before it.

        Every point of the domain lies within the ends that are known, so each new one may be shown there.
        """
        known: dict[str, Side] = dict.fromkeys(self.names, (None, None))
        sides = zip(self.names, self.boxes.root, strict=True)
        waiting = [(name, k, end) for name, side in sides for k, end in enumerate(side) if end is not None]
        while waiting:
            shown = [found for found in waiting if self._is_bound(*found, known)]
            need(shown, f"no premise bounds {waiting[0][0]} as the root box does")
            for name, k, end in shown:
                known[name] = (known[name][0], end) if k else (end, known[name][1])
            waiting = [found for found in waiting if found not in shown]

    def _is_bound(self, name: str, k: int, end: Fraction, known: Mapping[str, Side]) -> bool:
        """Whether a premise e >= 0 (or > 0) says so, where e is c·x + rest with a number c, and falls beyond the end.

        No x beyond the end satisfies the premise if e <= 0 at the end. Of integers the first beyond it decides: there e < 0, or e <= 0
        where the premise is strict. The other variables may be anywhere within what is known; where e is linear in one, the end at which
        e is largest decides.
        """
        outward, whole = 1 if k else -1, name in self.statement.integers
        here = Evaluator(self._box(tuple(known.items())), self.given, self.tools)  # at a point of the domain; the goal has no x
        for e, strict in (found for premise in self.given for found in inequalities_of(premise)):
            if self.tools.slope(e, name) * outward >= 0:
                continue
            goal = negative(substitute(e, {real(name): number(end + outward * whole)}))
            for other, side in known.items():
                slope = self.tools.slope(goal, other)
                if slope and (least := side[slope < 0]) is not None:
                    goal = substitute(goal, {real(other): number(least)})
            if Rules((), self.tools).positive(goal, whole and not strict, here, NATURAL, 0):
                return True
        return False

    def _box(self, sides: tuple[tuple[str, Side], ...]) -> Box:
        return {name: self.tools.arithmetic.side(*side) for name, side in sides}

    # the tree

    def run(self, engine: Callable[[Leaf], bool] | None = None) -> Checked:
        """Check every leaf.

        Args:
            engine: asked for each leaf that rests on it; without one such leaves are only counted.

        Raises:
            Refused: a tree that is none, or a leaf that is not shown.
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
            need(engine is None or engine(Leaf(sides, token == "!")), f"a leaf is not shown by the engine: {self.text_of(sides)}")

    def holds(self, sides: Sides, level: int) -> bool:
        """Whether the statement surely holds, and is surely defined, on the part of the domain in a box."""
        return self.rules.holds(self.then, self.box_of(sides), self.given, level)

    def is_outside(self, sides: Sides) -> bool:
        """Whether some premise surely fails on the whole box."""
        here = Evaluator(self.box_of(sides), (), self.tools)
        return any(here.truth(premise) is False for premise in self.given)

    def box_of(self, sides: Sides) -> Box:
        """The intervals of a box by the names of its variables."""
        return self._box(tuple(zip(self.names, sides, strict=True)))

    def text_of(self, sides: Sides) -> str:
        """A box in words."""
        ends = [("-inf" if low is None else low, "inf" if high is None else high) for low, high in sides]
        return ", ".join(f"{name} in [{low}, {high}]" for name, (low, high) in zip(self.names, ends, strict=True))[:200]


def check(cover: Cover, engine: Callable[[Leaf], bool] | None = None) -> Checked:
    """Check a cover; see `Checker.run`.

    Raises:
        Refused: it does not show what it says.
    """
    try:
        return Checker(cover.statement, cover.boxes).run(engine)
    except RecursionError:
        raise Refused("the statement is nested too deeply") from None


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
