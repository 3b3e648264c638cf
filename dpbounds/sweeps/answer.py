"""A question to its row of bounds: float64 for many at once, certified for one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib.util import find_spec
from typing import Any

from dpbounds.errors import DPBoundsError, InputError
from dpbounds.mechanisms import Direction, Guarantee, Relation
from dpbounds.sweeps.question import SweepQuestion, read_row

METHODS = ("auto", "certified", "float64")
DIGITS = 8
WIDE = 1e-3
"""A float64 answer that is relatively wider than this says so."""
Near = tuple[float, float] | None
_SPARE, _SHARPEST, _BLUNTEST = 1, 1e-10, 1e-5
"""The relative error of δ that rows aim at, in digits beyond those of ε, and between what limits it lies."""
SHARP = 0.3
"""Of the width asked for: what float64 is asked for in every row, so that rounding to decimals leaves it inside."""


@dataclass(frozen=True)
class SweepAnswer:
    """Bounds of one row as decimals rounded outward, how they were found, or why there are none.

    Attributes:
        quantity: what was asked for. route: "certified" or "float64". method: of the engine.
        note: what must be said beside the bounds. error: the reason where there are none.
    """

    quantity: str = ""
    lower: str = ""
    upper: str = ""
    route: str = ""
    method: str = ""
    note: str = ""
    error: str = ""

    def row(self) -> dict[str, str]:
        """Column by column."""
        return dict(vars(self))


FIELDS = tuple(SweepAnswer().row())


def certified_row(row: Mapping[str, Any], digits: int, near: Near = None) -> dict[str, str]:
    """The certified answer of one row, for an executor of any kind; an error is an answer too. `near` is as for `epsilon_at`.

    >>> certified_row({"sigma": "1", "epsilon": "1"}, 5)["lower"]
    '0.1269367'
    """
    try:
        question = read_row(row)
        return certified(question, question.digits or digits, near).row()
    except DPBoundsError as error:
        return SweepAnswer(error=f"{type(error).__name__}: {error}").row()
    except Exception as error:  # one row may meet a bug, a MemoryError or an overflow: the others go on
        return SweepAnswer(error=f"a bug in dpbounds, {type(error).__name__}: {error}").row()


def certified(question: SweepQuestion, digits: int, near: Near = None) -> SweepAnswer:
    """The certified answer to so many digits.

    Raises:
        InputError, PrecisionError: as the engine does.
    """
    from dpbounds import accounting
    from dpbounds.renyi.solve import renyi_divergence

    mechanism, options = question.mechanism(), question.options
    if question.quantity == "epsilon":
        (found,) = accounting.epsilon_at(mechanism, [question.argument], digits=digits, near=[near], **options)  # type: ignore[arg-type]
    else:
        ask = accounting.delta if question.quantity == "delta" else renyi_divergence
        found = ask(mechanism, question.argument, digits=digits, **options)  # type: ignore[operator]
    return SweepAnswer(question.quantity, found.lower, found.upper, "certified", found.method, "; ".join((*found.notes, *question.notes)))


def float64_ends(questions: Sequence[SweepQuestion], digits: int) -> list[Near]:
    """Both float64 bounds of every row of sampled Gaussian noise that has them, for about so many digits; None for the other rows.

    None for all of them where numpy and scipy are not installed: certified answers do without.
    """
    found: list[Near] = [None] * len(questions)
    if not all(find_spec(name) for name in ("numpy", "scipy")):
        return found
    tolerance = min(max(10.0 ** -(digits + _SPARE), _SHARPEST), _BLUNTEST)
    for (quantity, direction), rows in _groups(questions).items():
        for index, ends in zip(rows, _at_once(quantity, direction, [questions[i] for i in rows], tolerance), strict=True):
            found[index] = ends
    return found


def float64_answers(questions: Sequence[SweepQuestion], ends: Sequence[Near], digits: int, *, insist: bool) -> list[SweepAnswer | None]:
    """float64 answers from what `float64_ends` found; None for a row that is too wide for its digits or has none.

    Args:
        insist: every row is answered, with a note where it is wide, and with the reason where there is no bound.
    """
    found: list[SweepAnswer | None] = []
    for question, both in zip(questions, ends, strict=True):
        if both is not None and both[1] - both[0] <= SHARP * 10.0 ** (1 - (question.digits or digits)) * both[1]:
            answer: SweepAnswer | None = _answer(question.quantity, *both, "contour, many rows at once")
        else:
            answer = _by_itself(question) if insist else None
        found.append(answer and _with_notes(answer, question.notes))
    return found


def _with_notes(answer: SweepAnswer, notes: tuple[str, ...]) -> SweepAnswer:
    return replace(answer, note="; ".join(text for text in (answer.note, *notes) if text)) if notes else answer


def _groups(questions: Sequence[SweepQuestion]) -> dict[tuple[str, str], list[int]]:
    """The rows of sampled Gaussian noise, by what they ask for."""
    groups: dict[tuple[str, str], list[int]] = {}
    for index, question in enumerate(questions):
        if question.quantity == "rdp" or question.sampled_gaussian is None or not isinstance(question.argument, Fraction):
            continue
        if question.options.get("guarantee", Guarantee.MECHANISM.value) == Guarantee.MECHANISM.value:
            groups.setdefault((question.quantity, question.options.get("direction", Direction.WORST.value)), []).append(index)
    return groups


def _at_once(quantity: str, direction: str, questions: Sequence[SweepQuestion], tolerance: float) -> list[Near]:
    import numpy as np

    from dpbounds.float64.logarithms import log_fraction
    from dpbounds.float64.rows.worst import worst_delta, worst_epsilon

    q, sigma, steps = (np.array(column) for column in zip(*(question.sampled_gaussian or () for question in questions), strict=True))
    if quantity == "epsilon":
        inside = [isinstance(each.argument, Fraction) and 0 < each.argument < 1 for each in questions]
        given = [log_fraction(each.argument) if good else -1.0 for each, good in zip(questions, inside, strict=True)]  # type: ignore[arg-type]
        lower, upper = worst_epsilon(q, sigma, steps, np.array(given), direction, tolerance)
    else:
        inside = [each.argument > 0 for each in questions]
        given = [float(each.argument) if good else 1.0 for each, good in zip(questions, inside, strict=True)]
        low, high = worst_delta(q, sigma, steps, np.array(given), direction, tolerance)
        lower, upper = np.exp(low) * (1 - 1e-14) - 5e-324, np.exp(high) * (1 + 1e-14) + 5e-324
    return [
        (float(low), float(high)) if good and 0 < low <= high < math.inf else None
        for low, high, good in zip(lower, upper, inside, strict=True)
    ]


def _answer(quantity: str, lower: float, upper: float, method: str) -> SweepAnswer:
    width = (upper - lower) / upper if 0 < upper < math.inf else 0.0
    note = f"wide: the bounds are {width:.1g} of the upper one apart; ask for certified values" if width > WIDE else ""
    return SweepAnswer(quantity, repr(lower), repr(upper), "float64", method, note)


def _by_itself(question: SweepQuestion) -> SweepAnswer:
    """By the accountant for one question."""
    from dpbounds.float64 import delta_bounds, epsilon_bounds

    if question.quantity == "rdp":
        return SweepAnswer("rdp", error="InputError: the float64 route has no Rényi divergence in a sweep; ask for certified values")
    ask = epsilon_bounds if question.quantity == "epsilon" else delta_bounds
    relation = question.options.get("relation")
    try:
        found = ask(
            question.mechanism(),
            question.argument,
            relation=None if relation is None else Relation(relation),
            direction=Direction(question.options.get("direction", "worst")),
            guarantee=Guarantee(question.options.get("guarantee", "mechanism")),
        )
    except DPBoundsError as error:
        return SweepAnswer(question.quantity, error=f"{type(error).__name__}: {error}")
    return _answer(question.quantity, found.lower, found.upper, found.method)


def require_method(method: str) -> str:
    """One of `METHODS`.

    >>> require_method("certified")
    'certified'
    """
    if method not in METHODS:
        raise InputError(f"method must be one of {', '.join(METHODS)}, got {method!r}")
    return method
