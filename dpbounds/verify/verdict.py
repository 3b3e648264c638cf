"""The verdicts on a statement, and the exit code that a run of them gives."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class StatementVerdict(StrEnum):
    """What is known of a printed guarantee."""

    HOLDS = "HOLDS"
    """certified, for every reading that the text allows"""
    REFUTED = "REFUTED"
    """certified to be false, for every reading that the text allows"""
    DEPENDS = "DEPENDS"
    """true under one reading of the text and not under another"""
    UNDECIDED = "UNDECIDED"
    """no certified bound settles it"""
    NOT_EXPRESSIBLE = "NOT EXPRESSIBLE"
    """the text does not say enough, or says what has no certified value here"""


def combined(verdicts: Iterable[StatementVerdict]) -> StatementVerdict:
    """One verdict for several readings: their common one, or DEPENDS.

    >>> combined([StatementVerdict.HOLDS, StatementVerdict.HOLDS]), combined([StatementVerdict.HOLDS, StatementVerdict.UNDECIDED])
    (<StatementVerdict.HOLDS: 'HOLDS'>, <StatementVerdict.DEPENDS: 'DEPENDS'>)
    """
    found = set(verdicts)
    if len(found) == 1:
        return found.pop()
    return StatementVerdict.DEPENDS if found & {StatementVerdict.HOLDS, StatementVerdict.REFUTED} else StatementVerdict.UNDECIDED


def exit_code_of(verdicts: Iterable[StatementVerdict]) -> int:
    """0 when all hold, 1 when one is refuted, 3 otherwise.

    >>> exit_code_of([StatementVerdict.HOLDS, StatementVerdict.REFUTED]), exit_code_of([StatementVerdict.HOLDS, StatementVerdict.DEPENDS])
    (1, 3)
    """
    found = set(verdicts)
    if StatementVerdict.REFUTED in found:
        return 1
    return 0 if found <= {StatementVerdict.HOLDS} else 3
