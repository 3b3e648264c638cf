"""Printed guarantees of shuffled randomized responses: between known data of the others and the privacy blanket."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpbounds import accounting
from dpbounds.errors import InputError
from dpbounds.mechanisms.results import SCHEMA, PrivacyResult
from dpbounds.mechanisms.specs import mechanism_to_spec
from dpbounds.numbers import exact
from dpbounds.numbers.domains import delta_between, nonnegative
from dpbounds.shuffle.mechanism import ANY, WORST_KNOWN, Shuffled
from dpbounds.verify.verdict import StatementVerdict

_DIGITS = 12


@dataclass(frozen=True)
class ShuffleJudgement:
    """HOLDS: the blanket is at most δ. REFUTED: some known data of the others have more. Else UNDECIDED.

    Args:
        verdict: what is decided.
        epsilon, delta: the claim, for all data of the others, when one user's input changes.
        known: the largest δ of known data of the others, at this ε.
        bound: the privacy blanket, at this ε.
    """

    verdict: StatementVerdict
    epsilon: exact.Exact
    delta: exact.Exact
    known: PrivacyResult
    bound: PrivacyResult

    def document(self) -> dict[str, Any]:
        """The JSON document."""
        known, bound = self.known.document(), self.bound.document()
        return {
            "schema": SCHEMA,
            "verdict": self.verdict.value,
            "claim": {"epsilon": exact.text(self.epsilon), "delta": exact.text(self.delta)},
            "delta": known["delta"],
            "data": known["data"],
            "bound": bound["bound"],
            "adjacency": known["adjacency"],
            "inputs": {"mechanism": mechanism_to_spec(self.known.mechanism)},
        }

    def text(self) -> str:
        """A few lines for people."""
        claim = f"({exact.text(self.epsilon)}, {exact.text(self.delta)})"
        document = self.document()
        return "\n".join(
            (
                f"{self.verdict.value}  shuffled messages are {claim}-DP when one user's input changes",
                f"  delta in [{self.known.lower}, {self.known.upper}] for {document['data']}",
                f"  at most {self.bound.upper} for all data of the others: the privacy blanket",
            )
        )


def judge_shuffle(mechanism: Shuffled, epsilon: exact.Number, delta: exact.Number) -> ShuffleJudgement:
    """Decide whether shuffled randomized responses are (ε, δ)-private for all data of the others.

    Args:
        mechanism: its `others` is left aside. epsilon: ε ≥ 0. delta: 0 < δ < 1.

    Raises:
        InputError: another randomizer than randomized response. PrecisionError: a value could not be had.

    >>> judge_shuffle(Shuffled(10_000, 1, 4), "0.1", "1e-6").verdict.value
    'HOLDS'
    """
    if mechanism.randomizer != "response":
        raise InputError(f"statements about shuffled {mechanism.randomizer} noise are not decided: its blanket is of two inputs only")
    loss, chance = nonnegative(epsilon, "epsilon"), delta_between(delta)
    known, bound = (
        accounting.delta(Shuffled(mechanism.users, mechanism.parameter, mechanism.answers, others), loss, digits=_DIGITS)
        for others in (WORST_KNOWN, ANY)
    )
    target = exact.rational(chance)
    verdict = StatementVerdict.UNDECIDED
    if bound.enclosure.upper <= target:
        verdict = StatementVerdict.HOLDS
    elif known.enclosure.lower > target:
        verdict = StatementVerdict.REFUTED
    return ShuffleJudgement(verdict, loss, chance, known, bound)
