"""What a printed privacy guarantee says: the statement as frozen data."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dpbounds.mechanisms.training import steps_of_epochs
from dpbounds.verify.formulas import Formula
from dpbounds.verify.span import Span

SAMPLINGS = ("poisson", "without-replacement", "with-replacement", "random-allocation", "shuffled", "truncated-poisson", "none")
RELATIONS = ("add-or-remove", "substitute", "zero-out")
NOISES = ("sigma", "laplace-scale", "randomized-response", "pure-epsilon", "rho", "mu")
PREMISES = ("pure-epsilon", "rho", "mu")
"""Noises that are themselves guarantees: how the data were sampled no longer matters."""


@dataclass(frozen=True)
class MechanismUse:
    """One mechanism of a statement and how often it is used.

    Args:
        noise: one of `NOISES` or of `registry.plain_noises`; None when the text does not say.
        amount: its parameter. further: its other parameters, such as a sensitivity, as printed.
        records, batch, q, epochs, steps: as printed; None where the text is silent.
        rounding: how epochs become steps, one of `ROUNDINGS`; None when the text does not say.
        batch_limit: the records at which a Poisson batch is cut; None when the text does not say.
        group: the records of one user, all of which differ.
    """

    noise: str | None
    amount: Span | None
    records: Span | None = None
    batch: Span | None = None
    q: Span | None = None
    epochs: Span | None = None
    steps: Span | None = None
    rounding: str | None = None
    batch_limit: Span | None = None
    group: int = 1
    further: tuple[tuple[str, Any], ...] = ()

    def rate(self) -> Span | None:
        """The sampling rate: q as printed, or batch over records."""
        if self.q is not None:
            return self.q
        if self.batch is None or self.records is None:
            return None
        low, high = self.batch.low / self.records.high, self.batch.high / self.records.low
        return Span(low, high, f"{self.batch.text}/{self.records.text}")

    def uses(self) -> Span | None:
        """The number of steps: as printed, or the epochs over the rate by the stated rounding; an interval when that is not stated."""
        if self.steps is not None:
            return self.steps
        rate = self.rate()
        if self.epochs is None or rate is None:
            return None
        least = steps_of_epochs(self.epochs.low, 1 / rate.high, self.rounding or "floor-epoch")
        most = steps_of_epochs(self.epochs.high, 1 / rate.low, self.rounding or "ceil-epoch")
        text = str(least) if least == most else f"{least} to {most}"
        return Span(least, most, f"{text} ({self.epochs.text} epochs)")

    def passes(self) -> Span | None:
        """The epochs as printed, or the steps over the batches of an epoch; all steps where the text has no batches."""
        if self.epochs is not None:
            return self.epochs
        batches = self.batches()
        if self.steps is None or batches is None:
            return self.steps
        return Span(self.steps.low / batches.high, self.steps.high / batches.low, f"{self.steps.text} steps")

    def batches(self) -> Span | None:
        """The number of batches of an epoch that has every record once; an interval where a last, smaller batch may or may not count."""
        rate = self.rate()
        if rate is None:
            return None
        low, high = 1 / rate.high, 1 / rate.low
        least = -(-low // 1) if self.rounding == "ceil-epoch" else low // 1
        most = high // 1 if self.rounding == "floor-epoch" else -(-high // 1)
        return Span(Fraction(least), Fraction(most), "batches")


@dataclass(frozen=True)
class PrintedPromise:
    """What is claimed: (ε, δ), ρ-zCDP, μ-GDP or a point of a trade-off curve, as printed.

    Args:
        kind: "epsilon", "rho", "mu", or "power": no test has more true positives at this rate of false ones.
        value: the claimed bound; printed digits are meant as printed.
        delta: δ of an (ε, δ) claim, 0 for a pure one; the false-positive rate of a power.
        printed, printed_delta: their texts.
    """

    kind: str
    value: Fraction
    delta: Fraction
    printed: str
    printed_delta: str = "0"

    def text(self) -> str:
        """A few words for readers."""
        if self.kind == "rho":
            return f"{self.printed}-zCDP"
        if self.kind == "mu":
            return f"{self.printed}-GDP"
        if self.kind == "power":
            return f"power {self.printed} at most at false-positive rate {self.printed_delta}"
        if self.delta == 0:
            return f"{self.printed}-DP"
        return f"({self.printed}, {self.printed_delta})-DP"


@dataclass(frozen=True)
class Statement:
    """A printed guarantee with its source.

    Args:
        name: short name, unique in its file.
        source: where it is printed.
        parts: what is run.
        samplings, relations: every reading that the text allows; empty where a premise makes them irrelevant.
        promise: what is claimed.
        link, unit, note: free text, printed back.
        read: how often the numbers were compared with the source, for the page of a survey.
        unstated: which of sampling and relation the text leaves open.
        library: what the library accounts for that fixed them, one line; empty without one.
        formula: a mechanism with a formula of its own, instead of parts.
    """

    name: str
    source: str
    parts: tuple[MechanismUse, ...]
    samplings: tuple[str, ...]
    relations: tuple[str, ...]
    promise: PrintedPromise
    link: str = ""
    unit: str = ""
    note: str = ""
    read: str = ""
    unstated: tuple[str, ...] = field(default=())
    library: str = ""
    formula: Formula | None = None

    @property
    def is_premise(self) -> bool:
        """Whether sampling and relation no longer matter: a formula, or parts that are guarantees themselves, such as ρ-zCDP."""
        return all(part.noise in PREMISES for part in self.parts)
