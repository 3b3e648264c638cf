"""Leaves of covers with sampled or composed quantities, and a cover as a whole with the certificates of its numbers.

On a box such a quantity lies between its values at two corners (docs/monotonicity.md): δ does not increase in ε and σ and does not
decrease in q (Lemmas 3 to 5), D_α does not increase in σ and does not decrease in α and q (Lemmas 1, 3 and 4). Certificates of numbers
show what it is at the corners; where the one for the least value is left out, it is at least 0, as every δ and every D_α, α >= 1, is. That
the quantity has a value throughout is not asked of the corners: its conditions are part of the statement. The quantity then becomes a
variable of its own between them, and the rules of covers show the statement for all values of that variable.

A quantity stands in a statement as a function that "engine" describes by the JSON text of a query as `recheck.query` reads it, but that
`epsilon` or `alpha` is an expression in the variables of the statement, and so is what follows "@" in a part; the quantity "moment" is the
moment e^{(α−1)D_α}. The arguments of the function are these variables in alphabetical order.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpbounds.covers import cover as covers
from dpbounds.covers.algebra import is_opaque, parts_of, real, replaced
from dpbounds.covers.check import Leaf
from dpbounds.covers.check import check as check_cover
from dpbounds.covers.document import reader_of
from dpbounds.covers.evaluate import Box, Evaluator, Tools
from dpbounds.covers.intervals import Interval, Undefined
from dpbounds.covers.leaves import SLOPES, Rules
from dpbounds.kernel.terms import Refused as CoverRefused
from dpbounds.kernel.terms import value as value_of
from dpbounds.recheck.check import Found, check, key_of, parsed
from dpbounds.recheck.numbers import Refused, Together
from dpbounds.recheck.query import ARGUMENTS

Question = Mapping[str, Any]
"""A query as `recheck.query.Query.read` reads it."""
Ends = tuple[Fraction, Fraction]
MOST_NUMBERS = 5_000
"""Certificates of numbers for one cover: the checker may need seconds for each."""
_LONGEST = 3_000
"""Bits of a numerator or a denominator; what is longer no certificate can ask for."""
_FIELDS = {"quantity", "mechanism", "relation", "direction", "guarantee"}
_MOMENT = "moment"
_MOVES = {"delta": (0, 1), "rdp": (1, 0)}
"""Which end of ε or α belongs to the largest value, and which to the least."""


@dataclass(frozen=True)
class Corners:
    """What a quantity is at least and at most: two questions; a moment G_α is e^{(α−1)D_α} of their answers, which do not decrease."""

    least: Question
    most: Question
    orders: Ends | None = None

    def value(self, least: Fraction, most: Fraction, tools: Tools) -> Interval:
        """The interval between the answers."""
        a = tools.arithmetic
        found = (a.number(least)[0], a.number(most)[1])
        if self.orders is None:
            return found
        return a.exp(a.multiply((a.number(self.orders[0] - 1)[0], a.number(self.orders[1] - 1)[1]), found))


class MissingNumber(Exception):
    """A leaf needs a number that has no certificate, or a quantity that this page has no corners for."""


@dataclass(frozen=True)
class CheckedWithNumbers:
    """How many leaves a cover has, how many of them rest on certificates of numbers, and how many on the engine."""

    leaves: int
    by_numbers: int
    by_engine: int


def check_with_numbers(
    cover: covers.Cover, certificates: Sequence[Mapping[str, Any]], engine: Callable[[Leaf], bool] | None = None
) -> CheckedWithNumbers:
    """Check a cover, its leaves that rest on the engine by certificates of numbers where these show them.

    Args:
        cover: the cover.
        certificates: of numbers.
        engine: asked for the other leaves; without one they are only counted.

    Raises:
        kernel.terms.Refused, Refused: the cover or a number is refused, or no leaf needs one of the numbers.
    """
    if not isinstance(certificates, (list, tuple)):
        raise Refused("the certificates of numbers must be a list")
    numbers, settled = NumberLeaves(cover, certificates) if certificates else None, 0

    def judge(leaf: Leaf) -> bool:
        nonlocal settled
        if numbers is not None and numbers.holds(leaf):
            settled += 1
            return True
        return engine is None or engine(leaf)

    found = check_cover(cover, judge)
    if numbers is not None and len(numbers.used) < len(certificates):
        raise Refused("no leaf needs one of the certificates of numbers")
    return CheckedWithNumbers(found.leaves, settled, found.by_engine - settled)


class NumberLeaves:
    """The judge of leaves for one cover.

    Args:
        cover: the document; the places that it offers are not used.
        certificates: of numbers, each as an object.

    Raises:
        Refused: a certificate of a number is refused, two are about one number, or there are too many.
    """

    def __init__(self, cover: covers.Cover, certificates: Sequence[Mapping[str, Any]] = ()) -> None:
        if len(certificates) > MOST_NUMBERS:
            raise Refused(f"a cover may have at most {MOST_NUMBERS} certificates of numbers")
        self.cover, self.boxes, self.answers = cover, cover.boxes, dict[str, Found]()
        together = Together()
        for document in certificates:
            try:
                found = check(json.dumps(document), together)
            except Refused as reason:
                raise Refused(f"the certificate of a number is refused: {reason}") from None
            if self.answers.setdefault(key_of(document["query"]), found) is not found:
                raise Refused("two certificates are about one number")
        self.used: set[str] = set()
        self.tools = Tools(cover.boxes.bits)
        self.rules = Rules((), self.tools)
        self.read, texts = reader_of(cover.statement.variables).term, dict(cover.statement.engine)
        # A query speaks of the variables by name: it says what its function is at them, in their order, and nowhere else.
        here = tuple(map(real, sorted(cover.statement.variables)))
        called = [t for t in parts_of(cover.statement.then) if t.tag == "f"]
        self.quantities = {t: _query_in(texts[str(t.data[0])]) if t.parts == here else None for t in called}
        # A premise with a quantity hides the variables that it speaks of; without it what is shown is more.
        self.premises = tuple(premise for premise in cover.statement.given if not is_opaque(premise))

    def corners(self, leaf: Leaf) -> list[Corners]:
        """The numbers that a leaf may need, for each quantity.

        Raises:
            MissingNumber: a quantity without corners.
        """
        here = Evaluator(self._box(leaf), (), self.tools)
        return [self._corners(asked, here) for asked in self.quantities.values()]

    def holds(self, leaf: Leaf) -> bool:
        """Whether the statement surely holds on a leaf."""
        try:
            box = self._box(leaf)
            here, then, values = Evaluator(box, (), self.tools), self.cover.statement.then, dict[str, Interval]()
            for place, (quantity, asked) in enumerate(self.quantities.items()):
                corners, name = self._corners(asked, here), f"number {place}"  # no variable has such a name
                least = self._answer(corners.least).low if key_of(corners.least) in self.answers else Fraction(0)
                most = self._answer(corners.most).high
                values[name] = corners.value(least, most, self.tools)
                then = replaced(then, quantity, real(name))
        except (MissingNumber, Undefined):
            return False
        return self.rules.holds(then, {**box, **values}, self.premises, SLOPES)

    def _box(self, leaf: Leaf) -> Box:
        if leaf.outside or self.boxes.solve:
            raise MissingNumber
        sides = zip(self.cover.statement.variables, leaf.sides, strict=True)
        return {name: self.tools.arithmetic.side(*side) for name, side in sides}

    def _answer(self, question: Question) -> Found:
        key = key_of(question)
        if key not in self.answers:
            raise MissingNumber
        self.used.add(key)
        return self.answers[key]

    def _ends(self, text: object, here: Evaluator) -> Ends:
        """Between which numbers an expression lies."""
        try:
            t = self.read(text)
            if (value := value_of(t)) is not None:
                return value, value
            low, high = here.value(t)
        except (CoverRefused, Undefined):
            raise MissingNumber from None
        if not (low.is_finite() and high.is_finite()):
            raise MissingNumber
        return Fraction(low), Fraction(high)

    def _corners(self, asked: Question | None, here: Evaluator) -> Corners:
        """The questions at the two corners, where ε, α, σ and q move; σ and q do in a single Poisson-sampled Gaussian alone."""
        if asked is None:
            raise MissingNumber
        quantity, parts = "rdp" if asked["quantity"] == _MOMENT else asked["quantity"], asked["mechanism"]
        name = ARGUMENTS[quantity]
        ends = self._ends(asked[name], here)
        if quantity == "rdp" and ends[0] < 1:
            raise MissingNumber
        sides: tuple[Question, ...] = ({}, {})  # of the largest and the least value
        if any(isinstance(value, str) and value.startswith("@") for part in parts for value in part.values()):
            if len(parts) != 1 or set(parts[0]) != {"sigma", "sampling", "q", "steps"} or parts[0]["sampling"] != "poisson":
                raise MissingNumber
            sigma, q = (self._ends(str(parts[0][key]).removeprefix("@"), here) for key in ("sigma", "q"))
            sides = tuple({"sigma": _text(sigma[end]), "q": _text(q[1 - end])} for end in (0, 1))
        elif any(part.get("sampling") not in ("none", "poisson") for part in parts):
            raise MissingNumber  # the checker of numbers may know a pair that dominates such a mechanism, and not its δ
        most, least = (
            {**asked, "quantity": quantity, name: _text(ends[end]), "mechanism": [{**part, **side} for part in parts]}
            for end, side in zip(_MOVES[quantity], sides, strict=True)
        )
        return Corners(least, most, ends if asked["quantity"] == _MOMENT else None)


def _query_in(text: str) -> Question | None:
    """The query of a quantity; None where the text is none."""
    try:
        found = parsed(text)
    except Refused:
        return None
    if not isinstance(found, dict) or found.get("quantity") not in ("delta", "rdp", _MOMENT):
        return None
    name = "epsilon" if found["quantity"] == "delta" else "alpha"
    parts = found.get("mechanism")
    if set(found) != {*_FIELDS, name} or not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        return None
    return found


def _text(x: Fraction) -> str:
    """A number as a certificate has it."""
    if max(x.numerator.bit_length(), x.denominator.bit_length()) > _LONGEST:
        raise MissingNumber
    return str(x)
