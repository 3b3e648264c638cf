"""Checks that need no truth: how answers to related questions must compare.

A privacy loss falls as the noise, δ or ε grows, and rises with the number of uses and the sampling rate. A part that is used k times is k
parts used once each; the order of parts does not matter, and neither does nesting. Bounds need not keep them exactly, so a breach
is reported and is no verdict on soundness; the answer to the related question is judged like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dpbounds.audit.question import Question, flat

TOLERANCE = 1e-6
"""Relative, plus what the promise allows: bounds on grids move by less than this when nothing changes."""
_UNROLLED = 6


@dataclass(frozen=True)
class Breach:
    """Two answers that contradict a relation.

    Args:
        relation: the relation in words.
        first, second: the questions.
        answers: their answers.
    """

    relation: str
    first: Question
    second: Question
    answers: tuple[float, float]


@dataclass(frozen=True)
class MetamorphicRelation:
    """How a question changes and what that does to the answer: "rises", "falls" or "stays"."""

    name: str
    change: Callable[[Question], Question | None]
    effect: str


def breach_of(
    relation: MetamorphicRelation, question: Question, answer: float, other: Question, other_answer: float, slack: float
) -> Breach | None:
    """The breach, if the two answers contradict the relation by more than the tolerance and the stated errors.

    >>> relations = {relation.name: relation for relation in METAMORPHIC_RELATIONS}
    >>> one = Question("epsilon", ({"sigma": 1.0},), 1e-5)
    >>> breach_of(relations["more noise"], one, 4.0, one, 4.5, 0.0).relation
    'more noise'
    """
    margin = slack + TOLERANCE * max(abs(answer), abs(other_answer))
    rises, falls = other_answer - answer > margin, answer - other_answer > margin
    broken = {"rises": falls, "falls": rises, "stays": rises or falls}[relation.effect]
    return Breach(relation.name, question, other, (answer, other_answer)) if broken else None


def _parts(question: Question, change: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> Question | None:
    """The question with every part changed, those inside nested parts instead of these; None where nothing changes."""

    def changed(part: Mapping[str, Any]) -> Mapping[str, Any]:
        return {**part, "parts": [changed(inner) for inner in part["parts"]]} if "parts" in part else change(part)

    spec = tuple(changed(part) for part in question.spec)
    return None if spec == question.spec else replace(question, spec=spec)


def _more_noise(question: Question) -> Question | None:
    return _parts(question, lambda part: {key: value * 1.25 if key in ("sigma", "laplace-scale") else value for key, value in part.items()})


def _more_uses(question: Question) -> Question | None:
    def doubled(part: Mapping[str, Any]) -> Mapping[str, Any]:
        count = "epochs" if "epochs" in part else "steps"
        return {**part, count: 2 * int(part.get(count, 1))}

    return replace(question, spec=tuple(map(doubled, question.spec)))


def _more_sampling(question: Question) -> Question | None:
    return _parts(question, lambda part: {**part, "q": part["q"] * 1.5} if part.get("q", 1.0) <= 0.5 else part)


def _larger_argument(question: Question) -> Question | None:
    if question.quantity not in ("epsilon", "delta"):
        return None
    larger = min(0.5, question.argument * 4) if question.quantity == "epsilon" else question.argument * 1.5
    return replace(question, argument=larger)


def _smaller_argument(question: Question) -> Question | None:
    if question.quantity not in ("epsilon", "delta"):
        return None
    return replace(question, argument=question.argument / (1000 if question.quantity == "epsilon" else 4))


def _unrolled(question: Question) -> Question | None:
    if len(question.spec) != 1 or not 1 < question.steps <= _UNROLLED:
        return None
    return None if "parts" in question.spec[0] else replace(question, spec=({**question.spec[0], "steps": 1},) * question.steps)


def _reversed(question: Question) -> Question | None:
    return replace(question, spec=question.spec[::-1]) if len(question.spec) > 1 else None


def _flat(question: Question) -> Question | None:
    return replace(question, spec=tuple(flat(question.spec))) if any("parts" in part for part in question.spec) else None


METAMORPHIC_RELATIONS = (
    MetamorphicRelation("a smaller delta or epsilon", _smaller_argument, "rises"),
    MetamorphicRelation("more noise", _more_noise, "falls"),
    MetamorphicRelation("more uses", _more_uses, "rises"),
    MetamorphicRelation("a larger sampling rate", _more_sampling, "rises"),
    MetamorphicRelation("a larger delta or epsilon", _larger_argument, "falls"),
    MetamorphicRelation("uses one by one", _unrolled, "stays"),
    MetamorphicRelation("parts in another order", _reversed, "stays"),
    MetamorphicRelation("nested uses written flat", _flat, "stays"),
)
