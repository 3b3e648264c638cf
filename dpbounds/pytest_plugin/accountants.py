"""Certified values for the tests of an accountant: rows of the shipped table, and a judge of any other question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpbounds.audit.adapter import Promise
from dpbounds.audit.judge import AnswerOutcome, judged
from dpbounds.audit.process import Answer, Worker
from dpbounds.audit.question import Question
from dpbounds.errors import InputError
from dpbounds.reference.asserts import SIDES, Bound, assert_side
from dpbounds.reference.table import TableRow, load_table, rows_where

RTOL = 1e-9
"""Relative; what is nearer to the truth is a rounding error of float64."""


@dataclass(frozen=True)
class CertifiedRow:
    """One row of a marker.

    Attributes:
        row: the value; `row.part`, or `row.parts` of a composition, has the mechanism in floats, and `row.number` the δ, ε or order.
        side: "upper", "lower" or "interval": what the accountant promises.
        rtol: how far on the wrong side an answer may be, relatively.
    """

    row: TableRow
    side: str
    rtol: float

    def judge(self, answer: Bound) -> None:
        """Fail when the answer is on the wrong side of the certified value.

        Raises:
            AssertionError: it is; the message has both.
        """
        assert_side(self.side, lambda row: answer, [self.row], rtol=self.rtol)


@dataclass(frozen=True)
class Certified:
    """All rows of a marker."""

    rows: Sequence[CertifiedRow]

    def __call__(self, accountant: Callable[[TableRow], Bound | None]) -> int:
        """Ask the accountant for every row; returns how many it answered. None passes a row over.

        Raises:
            AssertionError: some answers are on the wrong side; the message has the worst and the simplest of them.
        """
        first = self.rows[0]
        return assert_side(first.side, accountant, [row.row for row in self.rows], rtol=first.rtol)


def rows_of(marker: Any, file: str | None = None) -> list[CertifiedRow]:
    """The rows that a marker asks for.

    Args:
        marker: `pytest.mark.certified(side, quantity=…, noise=…, sampling=…, binary=True, most=…, rtol=1e-9)`.
        file: another table; None for the shipped one.

    Raises:
        InputError: no marker, no such side, or no such rows.
    """
    if marker is None:
        raise InputError('give the test a marker, such as @pytest.mark.certified("upper", quantity="epsilon", noise="sigma")')
    side = marker.args[0] if marker.args else ""
    if side not in SIDES:
        raise InputError(f"the first argument of certified is the side, {', '.join(SIDES)}; got {side!r}")
    direction = None if side == "upper" else "worst"  # what bounds the worst direction bounds each of them
    asked = {"quantity": "epsilon", "relation": "add-or-remove", "direction": direction, "binary": True, **marker.kwargs}
    rtol = asked.pop("rtol", RTOL)
    rows = rows_where(load_table(Path(file) if file else None), **asked)
    if not rows:
        raise InputError(f"no certified row has {asked}; dpbounds.reference.table.rows_where says what can be asked")
    return [CertifiedRow(row, side, rtol) for row in rows]


class Certifier:
    """Judges answers to questions that are in no table, by certified values that are computed in a process of their own.

    Args:
        seconds: processor seconds for a certified value; what takes longer is UNDECIDED.
    """

    def __init__(self, seconds: float = 10.0) -> None:
        from dpbounds.audit import truth

        self._name, self._worker = truth.Truth.name, Worker(truth.__name__, None, seconds)

    def __call__(
        self, side: str, quantity: str, parts: Sequence[Mapping[str, Any]], argument: float, answer: Bound, relation: str = "add-or-remove"
    ) -> AnswerOutcome:
        """What is known of an answer; only a certified wrong side fails.

        Args:
            side: "upper", "lower" or "interval", for which the answer is a pair.
            quantity: "epsilon", "delta" or "rdp".
            parts: of the composition, as in the specifications of dpbounds; each float is the number that it is.
            argument: δ for epsilon, ε for delta, the order for rdp.
            answer: what the accountant returned.
            relation: "add-or-remove" or "substitute".

        Raises:
            AssertionError: the answer is on the wrong side.
        """
        question = Question(quantity, tuple(parts), argument)
        value = tuple(map(_text, answer)) if isinstance(answer, tuple) else _text(answer)
        row = judged(question, Promise(side), relation, Answer(value), self._ask)  # type: ignore[arg-type]
        if row.outcome is AnswerOutcome.UNSOUND or row.detail == "nan":
            what = f"{quantity} of {list(question.spec)} at {argument}"
            raise AssertionError(f"{what}: returned {row.answer}: {row.detail}; certified: {row.certified}")
        return row.outcome

    def close(self) -> None:
        """End the process."""
        self._worker.close()

    def _ask(self, quantity: str, spec: Any, argument: Any) -> Answer:
        return self._worker.ask(self._name, quantity, spec, argument)


def _text(value: float | Fraction) -> str:
    return repr(float(value))
