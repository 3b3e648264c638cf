"""What a decider may say, and what a claim may expect."""

from __future__ import annotations

from enum import Enum


class Verdict(Enum):
    """The outcome of deciding a claim. Verdicts are of different kinds and have no order."""

    PROVED = "PROVED"
    CERTIFIED = "CERTIFIED"
    REFUTED = "REFUTED"
    ASSUMED = "ASSUMED"
    UNDECIDED = "UNDECIDED"

    @property
    def promise(self) -> str:
        """What the verdict stands for."""
        return _PROMISES[self]

    @property
    def holds(self) -> bool | None:
        """True for an established claim, False for a refuted one, None when nothing was established here."""
        return {Verdict.PROVED: True, Verdict.CERTIFIED: True, Verdict.REFUTED: False}.get(self)


_PROMISES = {
    Verdict.PROVED: "every step of a derivation is an exact symbolic check, but for the statements that its evidence cites",
    Verdict.CERTIFIED: "the proof checker accepts a document of it, or boxes that a checker accepts cover the whole stated domain",
    Verdict.REFUTED: "one exact point of the domain violates the statement, decided with certified signs",
    Verdict.ASSUMED: "the statement itself is cited and nothing was checked but its mutant; the evidence names the source",
    Verdict.UNDECIDED: "nothing is claimed; the report says what is left",
}


class Expectation(Enum):
    """What the authors of a claim file believe; `check` compares it with the verdict."""

    HOLDS = "HOLDS"
    FAILS = "FAILS"
    OPEN = "OPEN"
    ASSUMED = "ASSUMED"

    def agrees_with(self, verdict: Verdict) -> bool:
        """True when the verdict is what was expected; OPEN expects UNDECIDED, ASSUMED just that.

        >>> Expectation.HOLDS.agrees_with(Verdict.CERTIFIED), Expectation.OPEN.agrees_with(Verdict.PROVED)
        (True, False)
        """
        return verdict in _EXPECTED[self]


_EXPECTED = {
    Expectation.HOLDS: (Verdict.PROVED, Verdict.CERTIFIED),
    Expectation.FAILS: (Verdict.REFUTED,),
    Expectation.OPEN: (Verdict.UNDECIDED,),
    Expectation.ASSUMED: (Verdict.ASSUMED,),
}
HOLDS, FAILS, OPEN, ASSUMED = Expectation.HOLDS, Expectation.FAILS, Expectation.OPEN, Expectation.ASSUMED
