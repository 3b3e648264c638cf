"""A failing question made small: fewest parts and steps, shortest numbers, while the accountant still fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from dpbounds.audit.judge import Judged, Outcome
from dpbounds.audit.question import Question

_FIXED = ("sampling", "population", "batch-size", "steps")


def shrunk(found: Judged, judge: Callable[[Question], Judged], tries: int = 60) -> Judged:
    """The smallest counterexample found by trying simpler questions, best first.

    Args:
        found: an UNSOUND answer.
        judge: asks and judges a question.
        tries: at most so many questions.

    Returns:
        An UNSOUND answer, `found` itself where nothing simpler fails.
    """
    best, left, progress = found, tries, True
    while progress and left > 0:
        progress = False
        for simpler in _simpler(best.question):
            if left <= 0:
                break
            left -= 1
            again = judge(simpler)
            if again.outcome is Outcome.UNSOUND and size_of(again.question) < size_of(best.question):
                best, progress = again, True
                break
    return best


def size_of(question: Question) -> tuple[int, int, int]:
    """Smaller is simpler: number of parts, then steps, then the length of what is written."""
    return len(question.spec), question.steps, len(question.key)


def _simpler(question: Question) -> Iterator[Question]:
    for index in range(len(question.spec)) if len(question.spec) > 1 else ():
        yield replace(question, spec=question.spec[:index] + question.spec[index + 1 :])
    for index, part in enumerate(question.spec):
        count = int(part.get("steps", 1))
        for fewer in dict.fromkeys((1, 2, count // 1000, count // 100, count // 10, count // 2)):
            if 1 <= fewer < count:
                yield _with(question, index, {**part, "steps": fewer})
    for index, part in enumerate(question.spec):
        for key, value in part.items():
            if key not in _FIXED and isinstance(value, float):
                for short in _shorter(value):
                    yield _with(question, index, {**part, key: short})
    if isinstance(question.argument, float):
        for short in _shorter(question.argument):
            yield replace(question, argument=short)


def _with(question: Question, index: int, part: Mapping[str, Any]) -> Question:
    return replace(question, spec=(*question.spec[:index], part, *question.spec[index + 1 :]))


def _shorter(value: float) -> Iterator[float]:
    for digits in (1, 2, 3):
        short = float(f"{value:.{digits}g}")
        if len(repr(short)) < len(repr(value)):
            yield short
    for plain in (1.0, 0.5, 0.1, 0.01):
        if len(repr(plain)) < len(repr(value)):
            yield plain
