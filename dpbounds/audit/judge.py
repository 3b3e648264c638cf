"""One answer of an accountant against the certified truth: the outcome, and nothing that the certificate does not say."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context, Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Any

from dpbounds.audit.adapter import Promise
from dpbounds.audit.process import Answer
from dpbounds.audit.question import Question, filled, flat
from dpbounds.audit.severity import severity_of, unused_delta

ROUNDING = Fraction(1, 10**9)
"""An answer that is beyond the truth by less than this, relatively, is a rounding error of float64 and no failure."""
FLOOR = Fraction(5e-324)
"""The smallest float above 0: an answer of 0 for less than this is a rounding error too."""
_LEAST = 5000
"""Certified numbers below 10 to the minus this are rounded outward to it and to 0: as exact fractions they would fill the memory."""
LOOSE = (Fraction(5, 4), Fraction(2), Fraction(10), Fraction(100), Fraction(10**6))
"""Factors above the truth that are reported; the first makes an answer LOOSE."""

SHORT = (Fraction(99), Fraction(9), Fraction(1), Fraction(1, 10), Fraction(1, 100), Fraction(1, 1000), Fraction(1, 10**6))
"""An unsound ε is reported with the largest of these by which the truth is certified to exceed it, relatively."""

_FEW = 4
"""Digits that decide nearly every answer; where they do not, and for what is printed, there are more."""
_LITTLE = 2
"""Digits that tell how loose a sound answer is."""
_PATIENCE = 0.5
"""Processor seconds of a certified value above which no further factor is tried: how loose is a detail."""

Ask = Callable[[str, Any, Any], Answer]
"""Asks the certified side: quantity, spec, argument."""


class AnswerOutcome(StrEnum):
    """What is known of one answer."""

    SOUND = "SOUND"
    LOOSE = "LOOSE"
    UNSOUND = "UNSOUND"
    ROUNDING = "ROUNDING"
    NO_ANSWER = "NO ANSWER"
    UNDECIDED = "UNDECIDED"
    LISTED = "LISTED"
    UNSUPPORTED = "UNSUPPORTED"


@dataclass(frozen=True)
class Judged:
    """A question, its answer and what became of it.

    Args:
        question: what was asked.
        answer: the accountant's answer as text, two joined by "…" for an interval, "" for none.
        outcome: the verdict.
        certified: the certified interval that decides, as "lower ≤ quantity at argument ≤ upper".
        detail: for NO ANSWER the kind; for LOOSE the largest factor that is certified; for UNSOUND which side.
        seconds: processor time of the accountant.
        excess: of UNSOUND, by how much at least the decisive number is on the wrong side, relatively; for the choice of what is shown.
    """

    question: Question
    answer: str
    outcome: AnswerOutcome
    certified: str = ""
    detail: str = ""
    seconds: float = 0.0
    excess: float = 0.0

    @property
    def severity(self) -> str:
        """How far an UNSOUND answer is on the wrong side, in words."""
        size, unused = severity_of(self.excess), unused_delta(self.question.quantity, self.answer, self.certified)
        return f"{size}, but {unused}" if unused else size


def judged(question: Question, promise: Promise, relation: str, answer: Answer, ask: Ask) -> Judged:
    """Judge one answer.

    An upper bound below the truth, or a lower bound above it, is UNSOUND; whether it is so is decided by certified δ at the ε that was
    returned, by certified δ itself, or by a certified Rényi divergence. What the certified side declines is UNDECIDED.

    Args:
        question: what was asked.
        promise: what the answer is meant to be.
        relation: the neighbouring relation of the accountant.
        answer: what came back.
        ask: the certified side.
    """
    if answer.kind:
        return Judged(question, "", AnswerOutcome.NO_ANSWER, detail=f"{answer.kind}: {answer.error}", seconds=answer.seconds)
    if answer.value is None:
        return Judged(question, "", AnswerOutcome.UNSUPPORTED)
    texts = [answer.value] if isinstance(answer.value, str) else list(answer.value)
    values = [float(text) for text in texts]
    shown = " … ".join(texts)
    if any(math.isnan(value) or value == -math.inf for value in values):
        kind = "nan" if any(map(math.isnan, values)) else "minus infinity"
        return Judged(question, shown, AnswerOutcome.NO_ANSWER, detail=kind, seconds=answer.seconds)
    if promise.side == "estimate" and promise.error is None and promise.relative is None:
        return Judged(question, shown, AnswerOutcome.LISTED, detail="an estimate without a stated error", seconds=answer.seconds)
    judge = _Judge(question, relation, ask)
    outcome, certified, detail, *excess = judge.finding(promise, values)
    return Judged(question, shown, outcome, certified, detail, answer.seconds, float(min(excess[0], _MOST)) if excess else 0.0)


_MOST = Fraction(10**12)
Ends = tuple[Fraction, Fraction, str]
Finding = tuple[AnswerOutcome, str, str] | tuple[AnswerOutcome, str, str, Fraction]
"""Outcome, certificate, detail; for UNSOUND the relative excess where one can be named."""


@dataclass
class _Judge:
    question: Question
    relation: str
    ask: Ask
    spent: float = 0.0

    def finding(self, promise: Promise, values: list[float]) -> Finding:
        if promise.side == "interval":
            if len(values) != 2:
                return AnswerOutcome.NO_ANSWER, "", "an interval has two ends"
            below, above = self.lower(values[0]), self.upper(values[1])
            return min((above, below), key=lambda finding: _RANK.index(finding[0]))
        if len(values) != 1:
            return AnswerOutcome.NO_ANSWER, "", "one number was promised"
        if promise.side == "lower":
            return self.lower(values[0])
        if promise.side == "upper" and self.question.quantity == "sigma":
            return self._sigma(values[0] + (promise.noise or 0.0), promise.error or 0.0)
        if promise.side == "upper" or values[0] == math.inf:
            return self.upper(values[0])
        slack = (promise.error or 0.0) + (promise.relative or 0.0) * abs(values[0])
        below, above = self.lower(values[0] - slack), self.upper(values[0] + slack)
        return min((above, below), key=lambda finding: _RANK.index(finding[0]))

    def upper(self, value: float) -> Finding:
        """An upper bound: UNSOUND where the truth is certified to be larger."""
        if value == math.inf:
            return AnswerOutcome.LOOSE, "", "infinite"
        if self.question.quantity == "epsilon":
            return self._epsilon_upper(Fraction(value))
        ends = self._decisive(self.question.quantity, self.question.spec, self.question.argument, Fraction(value))
        if ends is None:
            return _undecided()
        low, high, certified = ends
        if Fraction(value) < low:
            close = low - Fraction(value) <= max(ROUNDING * abs(low), FLOOR)
            excess = low / Fraction(value) - 1 if value > 0 else Fraction(0)
            return (AnswerOutcome.ROUNDING if close else AnswerOutcome.UNSOUND), certified, _below(excess), excess if value > 0 else _MOST
        if Fraction(value) < high <= FLOOR:
            return AnswerOutcome.ROUNDING, certified, ""
        if Fraction(value) < high:
            return AnswerOutcome.SOUND if _same(low, high) else AnswerOutcome.UNDECIDED, certified, ""
        factor = [f"{float(factor):g}" for factor in LOOSE if Fraction(value) > factor * high and high > 0]
        return (AnswerOutcome.LOOSE, certified, factor[-1]) if factor else (AnswerOutcome.SOUND, certified, "")

    def lower(self, value: float) -> Finding:
        """A lower bound: UNSOUND where the truth is certified to be smaller."""
        if value == -math.inf or value <= 0:
            return AnswerOutcome.SOUND, "", ""
        if self.question.quantity == "epsilon":
            return self._epsilon_lower(value)
        if value == math.inf:
            ends = self._ends(self.question.quantity, self.question.spec, self.question.argument)
        else:
            ends = self._decisive(self.question.quantity, self.question.spec, self.question.argument, Fraction(value), above=False)
        if ends is None:
            return _undecided()
        low, high, certified = ends
        if value == math.inf or Fraction(value) > high:
            close = value != math.inf and Fraction(value) - high <= ROUNDING * abs(high)
            excess = _MOST if value == math.inf or high == 0 else Fraction(value) / high - 1
            return (AnswerOutcome.ROUNDING if close else AnswerOutcome.UNSOUND), certified, "lower bound above the truth", excess
        return AnswerOutcome.SOUND, certified, ""

    def _epsilon_upper(self, value: Fraction) -> Finding:
        delta = Fraction(self.question.argument)
        ends = self._decisive("delta", self.question.spec, max(value, Fraction(0)), delta)
        if ends is None:
            return _undecided()
        low, high, certified = ends
        if low > delta or (value < 0 and low >= delta):
            beyond = self._delta(max(value, Fraction(0)) * (1 + ROUNDING))
            close = value >= 0 and beyond is not None and beyond[1] <= delta
            if close:
                return AnswerOutcome.ROUNDING, certified, ""
            short = self._short(value, delta)
            return AnswerOutcome.UNSOUND, certified, _below(short), short if value > 0 else _MOST
        if high > delta:
            return AnswerOutcome.UNDECIDED, certified, "delta agrees to all digits"
        reached = self._loose(value, delta)
        return (AnswerOutcome.LOOSE, certified, reached) if reached and value > Fraction(1, 10**6) else (AnswerOutcome.SOUND, certified, "")

    def _loose(self, value: Fraction, delta: Fraction) -> str:
        """The largest factor by which a smaller ε is certified to suffice, as text; "" where there is none."""
        reached = ""
        for factor in LOOSE:
            before = self.spent
            ends = self._delta(value / factor, _LITTLE)
            if ends is None or ends[1] > delta:
                break
            reached = f"{float(factor):g}"
            if self.spent - before > _PATIENCE:
                break
        return reached

    def _short(self, value: Fraction, delta: Fraction) -> Fraction:
        """By how much more ε is certified to be needed, relatively; 0 where that is too little to say."""
        for more in SHORT if value > 0 else ():
            ends = self._delta(value * (1 + more), _FEW)
            if ends is not None and ends[0] > delta:
                return more
        return Fraction(0)

    def _epsilon_lower(self, value: float) -> Finding:
        if value == math.inf:
            return AnswerOutcome.UNDECIDED, "", "an infinite lower bound"
        delta = Fraction(self.question.argument)
        ends = self._decisive("delta", self.question.spec, Fraction(value), delta, above=False)
        if ends is None:
            return _undecided()
        low, high, certified = ends
        if high < delta:
            before = self._delta(Fraction(value) * (1 - ROUNDING))
            close = before is not None and before[0] >= delta
            return (AnswerOutcome.ROUNDING if close else AnswerOutcome.UNSOUND), certified, "lower bound above the truth"
        return (AnswerOutcome.SOUND if low >= delta else AnswerOutcome.UNDECIDED), certified, ""

    def _sigma(self, value: float, error: float) -> Finding:
        """Is the returned noise enough for the target, up to the stated errors in the noise and in ε?"""
        epsilon, delta = (Fraction(number) for number in self.question.argument)
        epsilon += Fraction(error)
        if value == math.inf:
            return AnswerOutcome.LOOSE, "", "infinite"
        (part,) = self.question.spec
        ends = self._decisive("delta", (filled(part, value) if value > 0 else _bare(part),), epsilon, delta)
        if ends is None:
            return _undecided()
        low, high, certified = ends
        if low > delta:
            more = self._ends("delta", (filled(part, value * (1 + float(ROUNDING))),), epsilon) if value > 0 else None
            close = more is not None and more[1] <= delta
            times = f"the noise does not reach the target: δ is at least {_times(low / delta - 1)} times it"
            return (AnswerOutcome.ROUNDING if close else AnswerOutcome.UNSOUND), certified, times, low / delta - 1
        if high > delta:
            return AnswerOutcome.UNDECIDED, certified, "delta agrees to all digits"
        if value <= 0:
            return AnswerOutcome.SOUND, certified, ""
        less = self._ends("delta", (filled(part, value / float(LOOSE[0])),), epsilon, _LITTLE)
        loose = less is not None and less[1] <= delta
        return (AnswerOutcome.LOOSE, certified, f"{float(LOOSE[0]):g}") if loose else (AnswerOutcome.SOUND, certified, "")

    def _delta(self, epsilon: Fraction, digits: int | None = None) -> Ends | None:
        return self._ends("delta", self.question.spec, epsilon, digits)

    def _decisive(self, quantity: str, spec: Any, argument: Any, against: Fraction, above: bool = True) -> Ends | None:
        """The certified interval: to few digits where these show the answer to be right, to all where it is wrong or close.

        Args:
            quantity, spec, argument: what is certified.
            against: the number that it is compared with.
            above: whether the answer is wrong when the certified number is above it, else when it is below.
        """
        first = self._ends(quantity, spec, argument, _FEW)
        if first is None:
            return None
        right = first[1] <= against if above else first[0] >= against
        return first if right else self._ends(quantity, spec, argument)

    def _ends(self, quantity: str, spec: Any, argument: Any, digits: int | None = None) -> Ends | None:
        """The certified interval, or None where the certified side declines, is late, dies or contradicts itself."""
        parts = [dict(part) for part in flat(spec)]
        parts[0] |= {"relation": self.relation} | ({} if digits is None else {"digits": digits})
        answer = self.ask(quantity, parts, str(Fraction(argument)))
        self.spent += answer.seconds
        if answer.kind or not isinstance(answer.value, (tuple, list)):
            return None
        low, high = answer.value
        if high == "inf" or low == "inf" or "nan" in (low, high):
            return None
        lower, upper = _fraction(low, Fraction(0)), _fraction(high, Fraction(1, 10**_LEAST))
        if not 0 <= lower <= upper or (quantity == "delta" and upper > 1):
            return None
        return lower, upper, f"{low} ≤ {quantity}({float(Fraction(argument)):.17g}) ≤ {high}"


_RANK = (
    AnswerOutcome.UNSOUND, AnswerOutcome.NO_ANSWER, AnswerOutcome.UNDECIDED, AnswerOutcome.ROUNDING, AnswerOutcome.LOOSE,
    AnswerOutcome.LISTED, AnswerOutcome.SOUND, AnswerOutcome.UNSUPPORTED,
)  # fmt: skip


def _bare(part: Mapping[str, Any]) -> dict[str, Any]:
    """The part without noise: a record that is ever sampled is seen. With rare sampling and a large δ that is enough."""
    rate = Fraction(part.get("q", 1))
    return {"table": {"p": [str(1 - rate), str(rate)], "q": ["1", "0"]}, "steps": part.get("steps", 1)}


def _fraction(text: str, tiny: Fraction) -> Fraction:
    """A decimal as a fraction; `tiny` stands for positive numbers that are smaller than any that matters."""
    return tiny if not text.startswith("-") and Decimal(text).adjusted() < -_LEAST else Fraction(text)


def _below(excess: Fraction) -> str:
    """What to say of an upper bound when the truth is certified to be at least 1 + excess times it; digits are rounded down."""
    if excess <= 0:
        return "upper bound below the truth"
    return f"upper bound below the truth, which is at least {_times(excess)} times it"


def _times(excess: Fraction) -> str:
    return _down(1 + excess, 3) if excess >= Fraction(1, 100) else f"1 + {_down(excess, 1)}"


def _down(value: Fraction, digits: int) -> str:
    rounding = Context(prec=digits, rounding=ROUND_FLOOR)
    found = rounding.divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"{found.normalize():g}"


def _undecided() -> Finding:
    return AnswerOutcome.UNDECIDED, "", "the certified side declined"


def _same(low: Fraction, high: Fraction) -> bool:
    return high - low <= Fraction(1, 10**9) * high
