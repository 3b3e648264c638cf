"""What a decider may say, what a claim may expect, and how strong a verdict is."""

from __future__ import annotations

from enum import Enum


class Verdict(Enum):
    """The outcome of deciding a claim."""

    PROVED = "PROVED"
    CERTIFIED = "CERTIFIED"
    REFUTED = "REFUTED"
    UNDECIDED = "UNDECIDED"

    @property
    def promise(self) -> str:
        """What the verdict stands for."""
        return _PROMISES[self]

    @property
    def holds(self) -> bool | None:
        """True for an established claim, False for a refuted one, None when nothing is known."""
        return {Verdict.PROVED: True, Verdict.CERTIFIED: True, Verdict.REFUTED: False, Verdict.UNDECIDED: None}[self]


_PROMISES = {
    Verdict.PROVED: "every step of a derivation is an exact symbolic check",
    Verdict.CERTIFIED: "ball arithmetic, or a checked descent of derivatives, covers the whole stated domain",
    Verdict.REFUTED: "one exact point of the domain violates the statement, decided with certified signs",
    Verdict.UNDECIDED: "nothing is claimed; the report says what is left",
}


class Expectation(Enum):
    """What the authors of a claim file believe; `check` compares it with the verdict."""

    HOLDS = "HOLDS"
    FAILS = "FAILS"
    OPEN = "OPEN"

    def agrees_with(self, verdict: Verdict) -> bool:
        """True when the verdict is what was expected; OPEN expects UNDECIDED.

        >>> Expectation.HOLDS.agrees_with(Verdict.CERTIFIED), Expectation.OPEN.agrees_with(Verdict.PROVED)
        (True, False)
        """
        return {Expectation.HOLDS: True, Expectation.FAILS: False, Expectation.OPEN: None}[self] is verdict.holds


class Grade(Enum):
    """How strong the evidence is; the effective grade of a claim is the weakest over what it uses."""

    UNDECIDED = 0
    CERTIFIED = 1
    PROVED_MODULO = 2
    PROVED = 3
    EXACT_COUNTEREXAMPLE = 4

    @property
    def label(self) -> str:
        """The grade in words."""
        return {
            Grade.UNDECIDED: "undecided",
            Grade.CERTIFIED: "certified",
            Grade.PROVED_MODULO: "proved modulo assumptions",
            Grade.PROVED: "proved",
            Grade.EXACT_COUNTEREXAMPLE: "exact counterexample",
        }[self]


HOLDS, FAILS, OPEN = Expectation.HOLDS, Expectation.FAILS, Expectation.OPEN
