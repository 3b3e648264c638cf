"""Leaves of covers with sampled or composed quantities, judged by the checker of numbers and not by the engine.

On a box such a quantity lies between its values at two corners (docs/monotonicity.md): δ does not increase in ε and σ and does not
decrease in q (Lemmas 3 to 5), D_α does not increase in σ and does not decrease in α and q (Lemmas 1, 3 and 4). Certificates of numbers
show what it is at the corners; where the one for the least value is left out, it is at least 0, as every δ and every D_α, α > 1, is. That
the quantity has a value throughout is not asked of the corners: its conditions are part of the statement (`CoverWriter.conclusion`). The
quantity then becomes a variable of its own between them, and the rules of covers show the statement for all values of that variable.
Trusted here: which number a corner asks for, and what a quantity is replaced by.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpbounds.claims.cover_text import CoverWriter
from dpbounds.claims.expression_text import read_expression
from dpbounds.covers.check import Leaf
from dpbounds.covers.cover import Boxes, Cover
from dpbounds.covers.evaluate import Box, Evaluator, Tools
from dpbounds.covers.intervals import HUGE, Interval, Undefined, fraction
from dpbounds.covers.leaves import SLOPES, Rules
from dpbounds.covers.terms import Term, parts_of, replaced, variable
from dpbounds.errors import CertificateError
from dpbounds.language import functions
from dpbounds.recheck.check import Found, check, key_of
from dpbounds.recheck.numbers import Refused, Together

Question = Mapping[str, Any]
"""A query as `recheck.query.Query.read` reads it."""
Ends = tuple[Fraction, Fraction]
MOST_NUMBERS = 5_000
"""Certificates of numbers for one cover: the checker may need seconds for each."""
_LONGEST = 3_000
"""Bits of a numerator or a denominator; what is longer no certificate can ask for."""


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


class NumberLeaves:
    """The judge of leaves for one cover.

    Args:
        writer: what wrote the statement.
        cover: the document; the places and shapes that it offers are not used.
        certificates: of numbers, each as an object.

    Raises:
        CertificateError: a certificate of a number is refused, two are about one number, or there are too many.
    """

    def __init__(self, writer: CoverWriter, cover: Cover, certificates: Sequence[Mapping[str, Any]] = ()) -> None:
        if len(certificates) > MOST_NUMBERS:
            raise CertificateError(f"{cover.statement.claim}: a cover may have at most {MOST_NUMBERS} certificates of numbers")
        self.cover, self.boxes, self.answers = cover, cover.evidence, dict[str, Found]()
        together = Together()
        for document in certificates:
            try:
                found = check(json.dumps(document), together)
            except Refused as reason:
                raise CertificateError(f"{cover.statement.claim}: the certificate of a number is refused: {reason}") from None
            if self.answers.setdefault(key_of(document["query"]), found) is not found:
                raise CertificateError(f"{cover.statement.claim}: two certificates are about one number")
        self.used: set[str] = set()
        self.tools = Tools(cover.evidence.bits if isinstance(cover.evidence, Boxes) else 100)
        self.rules = Rules((), (), (), self.tools)
        opaque = [t for t in parts_of(cover.statement.then) if t.op == "engine"]
        self.quantities, self.writer = {t: _node(t, writer) for t in opaque}, writer
        # A premise with a quantity hides the variables that it speaks of; without it what is shown is more.
        self.premises = tuple(premise for premise in cover.statement.given if not premise.is_opaque)

    def corners(self, leaf: Leaf) -> list[Corners]:
        """The numbers that a leaf may need, for each quantity.

        Raises:
            MissingNumber: a quantity without corners.
        """
        here = Evaluator(self._box(leaf), (), self.tools)
        return [self._corners(node, here) for node in self.quantities.values()]

    def questions(self, leaf: Leaf) -> list[Question]:
        """The same, one after the other."""
        return [question for corners in self.corners(leaf) for question in (corners.least, corners.most)]

    def holds(self, leaf: Leaf) -> bool:
        """Whether the statement surely holds on a leaf."""
        try:
            box = self._box(leaf)
            here, then, values = Evaluator(box, (), self.tools), self.cover.statement.then, dict[str, Interval]()
            for place, (quantity, node) in enumerate(self.quantities.items()):
                corners, name = self._corners(node, here), f"number{place}__"
                least = self._answer(corners.least).low if key_of(corners.least) in self.answers else Fraction(0)
                most = self._answer(corners.most).high
                values[name] = corners.value(least, most, self.tools)
                then = replaced(then, quantity, variable(name))
        except (MissingNumber, Undefined):
            return False
        return self.rules.holds(then, {**box, **values}, self.premises, SLOPES)

    def _box(self, leaf: Leaf) -> Box:
        if leaf.outside or not isinstance(self.boxes, Boxes) or self.boxes.solve:
            raise MissingNumber
        sides = zip(self.cover.statement.variables, leaf.sides, strict=True)
        return {name: self.tools.arithmetic.side(*side) for name, side in sides}

    def _answer(self, question: Question) -> Found:
        key = key_of(question)
        if key not in self.answers:
            raise MissingNumber
        self.used.add(key)
        return self.answers[key]

    def _ends(self, argument: Any, here: Evaluator) -> Ends:
        """Between which numbers an argument lies."""
        if argument.is_Rational:
            value = Fraction(int(argument.p), int(argument.q))
            return value, value
        low, high = here.value(self.writer.expression(argument))
        if HUGE in (low[1], high[1]):
            raise MissingNumber
        return fraction(low), fraction(high)

    def _corners(self, node: Any, here: Evaluator) -> Corners:
        kind = type(node)
        arguments: tuple[Any, ...] = node.args if isinstance(node, functions.PrivacyQuantity) else ()
        if kind in (functions.SampledGaussianDelta, functions.SubstituteGaussianDelta):
            (e, s, q), steps = (self._ends(a, here) for a in arguments[:3]), arguments[3]
            if not steps.is_Integer:
                raise MissingNumber
            both = ("substitute", "symmetric") if kind is functions.SubstituteGaussianDelta else ("add-or-remove", node.direction)
            return Corners(
                _asked("delta", e[1], [_sampled(s[1], q[0], int(steps))], *both),
                _asked("delta", e[0], [_sampled(s[0], q[1], int(steps))], *both),
            )
        if kind in (functions.SampledGaussianRenyi, functions.SampledGaussianMoment):
            order, s, q = (self._ends(a, here) for a in arguments[:3])
            if order[0] <= 1:
                raise MissingNumber
            least, most = (
                _asked("rdp", order[end], [_sampled(s[1 - end], q[end], 1)], "add-or-remove", str(arguments[3])) for end in (0, 1)
            )
            return Corners(least, most, order if kind is functions.SampledGaussianMoment else None)
        if kind is functions.MechanismDelta and not arguments[3:]:
            (low, high), parts = self._ends(arguments[0], here), [_part(part) for part in node.parts]
            direction, relation, guarantee = node.reading
            if any(part["sampling"] not in ("none", "poisson") for part in parts):
                raise MissingNumber  # the checker of numbers may know a pair that dominates such a mechanism, and not its δ
            relation = relation or "add-or-remove"
            reading = relation, ("symmetric" if relation == "substitute" else direction), guarantee
            return Corners(_asked("delta", high, parts, *reading), _asked("delta", low, parts, *reading))
        raise MissingNumber


def _node(t: Term, writer: CoverWriter) -> Any:
    """The quantity that a term stands for; None where it is something else."""
    try:
        node = read_expression(str(t.data))
    except CertificateError:
        return None
    return node if isinstance(node, functions.PrivacyQuantity) and writer.expression(node) is t else None


def _part(part: Mapping[str, Any]) -> Question:
    """A part of a specification with all that it leaves to defaults."""
    return {"steps": 1, "sampling": "poisson" if "q" in part else "none", **part}


def _sampled(sigma: Fraction, q: Fraction, steps: int) -> Question:
    return {"sigma": _text(sigma), "sampling": "poisson", "q": _text(q), "steps": steps}


def _text(x: Fraction) -> str:
    """A number as a certificate has it."""
    if max(x.numerator.bit_length(), x.denominator.bit_length()) > _LONGEST:
        raise MissingNumber
    return str(x)


def _asked(quantity: str, at: Fraction, parts: Sequence[Question], relation: str, direction: str, guarantee: str = "mechanism") -> Question:
    name = {"delta": "epsilon", "rdp": "alpha"}[quantity]
    return {
        "quantity": quantity,
        name: _text(at),
        "mechanism": list(parts),
        "relation": relation,
        "direction": direction,
        "guarantee": guarantee,
    }
