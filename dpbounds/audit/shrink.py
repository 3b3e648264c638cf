"""A failing question made small: fewest parts and uses, shortest numbers, while the accountant still fails."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from dpbounds.audit.judge import AnswerOutcome, Judged
from dpbounds.audit.question import COUNTS, Question, flat

Parts = tuple[Mapping[str, Any], ...]
_PLAIN = 0.1
"""A counterexample stays at least so far on the wrong side, relatively, or a tenth as far as it was: the plainest fault is shown."""
_FIXED = ("sampling", "population", "batch-size", *COUNTS)


def shrunk(found: Judged, judge: Callable[[Question], Judged], tries: int = 60, may_go_on: Callable[[], bool] = lambda: True) -> Judged:
    """The smallest counterexample found by trying simpler questions, best first, that is not much less wrong.

    Args:
        found: an UNSOUND answer.
        judge: asks and judges a question.
        tries: at most so many questions.
        may_go_on: asked before each of them, whether time is left.

    Returns:
        An UNSOUND answer, `found` itself where nothing simpler fails.
    """
    best, left, progress = found, tries, True
    while progress and left > 0:
        progress = False
        for simpler in _simpler(best.question):
            if left <= 0 or not may_go_on():
                return best
            left -= 1
            again = judge(simpler)
            smaller = size_of(again.question) < size_of(best.question)
            if again.outcome is AnswerOutcome.UNSOUND and smaller and again.excess >= min(found.excess / 10, _PLAIN):
                best, progress = again, True
                break
    return best


def size_of(question: Question) -> tuple[int, int, int]:
    """Smaller is simpler: number of parts, then of noisy answers, then the length of what is written."""
    return len(flat(question.spec)), question.releases, len(question.key)


def _simpler(question: Question) -> Iterator[Question]:
    for spec in _simpler_specs(question.spec):
        yield replace(question, spec=spec)
    if isinstance(question.argument, float):
        for short in _shorter(question.argument):
            yield replace(question, argument=short)
    if isinstance(question.argument, list):
        for index, value in enumerate(question.argument):
            for short in _shorter(value):
                yield replace(question, argument=[*question.argument[:index], short, *question.argument[index + 1 :]])


def _simpler_specs(spec: Parts) -> Iterator[Parts]:
    """Fewer parts, fewer uses, shorter numbers, in this order; inside nested parts too."""
    for index in range(len(spec)) if len(spec) > 1 else ():
        yield spec[:index] + spec[index + 1 :]
    for (index, part), key in itertools.product(enumerate(spec), COUNTS):
        count = int(part.get(key, 1))
        for fewer in dict.fromkeys((1, 2, 3, count // 1000, count // 100, count // 10, count // 2, count - 1)):
            if 1 <= fewer < count:
                yield _with(spec, index, {**part, key: fewer})
    for index, part in enumerate(spec):
        if "parts" in part:
            yield (*spec[:index], *flat([part]), *spec[index + 1 :])
        for inside in _simpler_specs(tuple(part.get("parts", ()))):
            yield _with(spec, index, {**part, "parts": list(inside)})
        for key, value in part.items():
            if key not in _FIXED and isinstance(value, float):
                for short in _shorter(value):
                    yield _with(spec, index, {**part, key: short})


def _with(spec: Parts, index: int, part: Mapping[str, Any]) -> Parts:
    return (*spec[:index], part, *spec[index + 1 :])


def _shorter(value: float) -> Iterator[float]:
    """Fewer digits, then plain numbers that are shorter to write."""
    shown = len(repr(value))
    candidates = [float(f"{value:.{digits}g}") for digits in (1, 2, 3)] + [1.0, 0.5, 2.0, 0.1, 0.01, 1e-5]
    yield from dict.fromkeys(short for short in candidates if len(repr(short)) < shown)
