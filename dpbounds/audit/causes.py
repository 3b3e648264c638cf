"""Hints at the cause of a finding: what an answer does when one thing in the question changes.

A hint compares two answers of the accountant and says what they have in common. It accuses of nothing and is no verdict.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from dpbounds.audit.question import Question, flat

_GRAIN = 1000
"""Rates are tried in whole thousandths."""


@dataclass(frozen=True)
class Cause:
    """A change of a question, and what it says when the answer stays, or when it moves.

    Args:
        words: the hint.
        change: gives the other question, None where there is none.
        stays: whether the hint is given when both answers are equal, else when they differ.
    """

    words: str
    change: Callable[[Question], Question | None]
    stays: bool = True


def hints_for(question: Question, answer: float, ask: Callable[[Question], float | None]) -> tuple[str, ...]:
    """The hints that the accountant's own answers give.

    Args:
        question: of a finding.
        answer: what was returned.
        ask: the accountant; None where it has no answer.

    >>> hints_for(Question("epsilon", ({"sigma": 1.0, "steps": 3},), 1e-5), 4.0, lambda other: 4.0)[0]
    'the answer does not grow with the number of uses'
    """
    if answer == 0:
        return ("the answer is 0",)
    found = []
    for hint in HINTS:
        other = hint.change(question)
        if other is None or (hint.words == _ROUNDED and _RATE in found):
            continue
        value = ask(other)
        # A hint is words beside a finding and decides nothing: two answers of one accountant agree to its own rounding.
        if value is not None and math.isclose(value, answer, rel_tol=1e-12) is hint.stays:
            found.append(hint.words)
    return tuple(found)


_RATE = "the answer does not grow with the sampling rate"
_ROUNDED = "the answer is that of the sampling rate cut to whole thousandths"


def _changed(question: Question, key: str, change: Callable[[Any], Any]) -> Question | None:
    spec = tuple({**part, key: change(part[key])} if key in part else part for part in flat(question.spec))
    return None if list(spec) == flat(question.spec) else replace(question, spec=spec)


def _uses(question: Question) -> Question | None:
    more = (_changed(question, key, lambda count: 4 * int(count)) for key in ("steps", "epochs"))
    return next((other for other in more if other is not None), None)


def _rate(question: Question) -> Question | None:
    return _changed(question, "q", lambda q: q / 2 if q > 0.5 else q * 1.5)


def _cut_rate(question: Question) -> Question | None:
    return _changed(question, "q", lambda q: math.floor(q * _GRAIN) / _GRAIN)


def _argument(question: Question) -> Question | None:
    return replace(question, argument=question.argument / 7) if isinstance(question.argument, float) and question.argument > 0 else None


def _reversed(question: Question) -> Question | None:
    return replace(question, spec=question.spec[::-1]) if len(question.spec) > 1 and question.spec != question.spec[::-1] else None


def _one_by_one(question: Question) -> Question | None:
    spec = question.spec
    if len(spec) != 1 or "parts" in spec[0] or not 1 < question.steps <= 6:
        return None
    return replace(question, spec=({**spec[0], "steps": 1},) * question.steps)


def _first_part(question: Question) -> Question | None:
    return replace(question, spec=question.spec[:1]) if len(question.spec) > 1 else None


def _last_part(question: Question) -> Question | None:
    return replace(question, spec=question.spec[-1:]) if len(question.spec) > 1 else None


def _noise(question: Question) -> Question | None:
    for key in ("sigma", "laplace-scale", "discrete-laplace", "discrete-gaussian"):
        if (other := _changed(question, key, lambda value: value * 0.75)) is not None:
            return other
    return None


HINTS = (
    Cause("the answer does not grow with the number of uses", _uses),
    Cause(_RATE, _rate),
    Cause(_ROUNDED, _cut_rate),
    Cause("the answer does not depend on the noise", _noise),
    Cause("the answer does not depend on its delta, epsilon or order", _argument),
    Cause("the answer is that of the first part alone", _first_part),
    Cause("the answer is that of the last part alone", _last_part),
    Cause("the answer depends on the order of the parts", _reversed, stays=False),
    Cause("uses one by one have another answer", _one_by_one, stays=False),
)
